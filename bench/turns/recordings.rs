//! What is listened to: the synthetic candidates of the repository, and people in a folder that the
//! environment names.

use std::{
    env,
    path::{Path, PathBuf},
};

use vivavoce::{
    audio::Pcm16,
    codec::{
        fixture::{self, Fixture},
        wav,
    },
};

use super::{
    score::Span,
    sound::{MS, Part, Take, loud_spans, speech_of},
};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/audio-fixtures");
/// The same variable as for `vivavoce replay`.
const PEOPLE: &str = "VIVAVOCE_RECORDINGS";
/// So much of the room is heard around an answer.
const ROOM_MS: u64 = 300;

/// Recordings whose figures are one table.
pub(crate) struct Recordings {
    pub(crate) name: &'static str,
    /// Where the truth comes from.
    pub(crate) truth: &'static str,
    /// Whether what was said is known, so that a rule can look at it.
    pub(crate) words_known: bool,
    /// Each with the voices in its background.
    pub(crate) takes: Vec<(Take, Vec<Vec<i16>>)>,
    /// The answers of each speaker, in order, with some of the room around them.
    pub(crate) speakers: Vec<Vec<Part>>,
}

/// The synthetic candidates; and people, if the environment names a folder.
pub(crate) fn all() -> anyhow::Result<Vec<Recordings>> {
    let names = fixture::names(Path::new(FIXTURES));
    let load = |name: &String| Fixture::load(Path::new(FIXTURES), name);
    let fixtures = names.iter().map(load).collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<Vec<Part>> = fixtures.iter().map(answers).collect();
    // Nobody talks in their own background.
    let others = |n: usize| -> Vec<Vec<i16>> {
        let others = parts.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, parts)| parts);
        let voices = others.map(|parts| parts.iter().flat_map(speech_of).collect::<Vec<_>>());
        voices.filter(|voice| !voice.is_empty()).collect()
    };
    let take = |(n, fixture): (usize, &Fixture)| {
        let quiet_ms = fixture.sound.duration().as_millis() as usize;
        (Take::new(&fixture.name, &parts[n], quiet_ms), others(n))
    };
    let mut all = vec![Recordings {
        name: "synthetic candidates",
        truth: "spans and words as they were made",
        words_known: true,
        takes: fixtures.iter().enumerate().map(take).collect(),
        speakers: fixtures.iter().map(sentences).collect(),
    }];
    if let Some(folder) = env::var_os(PEOPLE).map(PathBuf::from) {
        let take = Take::new("people", &people(&folder)?, 0);
        let words_known = fixture::names(&folder).iter().all(|name| has_truth(&folder, name));
        all.push(Recordings {
            name: "people",
            truth: if words_known {
                "spans and words as their .toml have them"
            } else {
                "spans by energy, where a recording has no .toml beside it; words unknown"
            },
            words_known,
            takes: vec![(take, others(usize::MAX))],
            speakers: speakers(&folder)?,
        });
    }
    Ok(all)
}

fn answers(fixture: &Fixture) -> Vec<Part> {
    let part = |answer: &fixture::Answer| {
        let Pcm16(sound) = fixture.sound_of(answer);
        let begin = answer.spans.first().map_or(0, |span| span.start_ms);
        let moved =
            |span: &fixture::Span| Span { start: span.start_ms - begin, end: span.end_ms - begin };
        let spans = answer.spans.iter().map(|span| (moved(span), span.text.clone()));
        Part { sound, spans: spans.collect() }
    };
    fixture.answers.iter().map(part).collect()
}

/// The same with what can be heard before and after them.
fn sentences(fixture: &Fixture) -> Vec<Part> {
    let sound = &fixture.sound.0;
    let bounds: Vec<(u64, u64)> = fixture
        .answers
        .iter()
        .filter_map(|answer| Some((answer.spans.first()?.start_ms, answer.spans.last()?.end_ms)))
        .collect();
    let all_ms = (sound.len() / MS) as u64;
    let answers = fixture.answers.iter().filter(|answer| !answer.spans.is_empty()).enumerate();
    let part = |(n, answer): (usize, &fixture::Answer)| {
        let before = n.checked_sub(1).map_or(0, |n| bounds[n].1);
        let after = bounds.get(n + 1).map_or(all_ms, |next| next.0);
        let begin = bounds[n].0.saturating_sub(ROOM_MS).max(before);
        let end = (bounds[n].1 + ROOM_MS).min(after).min(all_ms);
        let moved =
            |span: &fixture::Span| Span { start: span.start_ms - begin, end: span.end_ms - begin };
        let spans = answer.spans.iter().map(|span| (moved(span), span.text.clone()));
        Part {
            sound: sound[begin as usize * MS..end as usize * MS].to_vec(),
            spans: spans.collect(),
        }
    };
    answers.map(part).collect()
}

fn has_truth(folder: &Path, name: &str) -> bool {
    folder.join(format!("{name}.toml")).exists()
}

/// Each recording is an answer; one with a truth beside it has its own.
fn people(folder: &Path) -> anyhow::Result<Vec<Part>> {
    let mut parts = Vec::new();
    for name in fixture::names(folder) {
        if has_truth(folder, &name) {
            parts.extend(answers(&Fixture::load(folder, &name)?));
        } else {
            parts.push(untold(folder, &name)?);
        }
    }
    parts.retain(|part: &Part| !part.spans.is_empty());
    anyhow::ensure!(!parts.is_empty(), "there is no speech in {} ({PEOPLE})", folder.display());
    Ok(parts)
}

/// The answers of each speaker. Recordings whose names differ only behind the last `_` are of one.
fn speakers(folder: &Path) -> anyhow::Result<Vec<Vec<Part>>> {
    let mut speakers: Vec<(String, Vec<Part>)> = Vec::new();
    for name in fixture::names(folder) {
        let parts = if has_truth(folder, &name) {
            sentences(&Fixture::load(folder, &name)?)
        } else {
            vec![untold(folder, &name)?]
        };
        let speaker = name.rsplit_once('_').map_or(name.as_str(), |(speaker, _)| speaker);
        match speakers.last_mut() {
            Some((last, theirs)) if last == speaker => theirs.extend(parts),
            _ => speakers.push((speaker.to_owned(), parts)),
        }
    }
    Ok(speakers.into_iter().map(|(_, parts)| parts).collect())
}

/// A recording of which nothing is known.
fn untold(folder: &Path, name: &str) -> anyhow::Result<Part> {
    let sound = wav::read(&folder.join(format!("{name}.wav")))?.sound.0;
    let spans = loud_spans(&sound).into_iter().map(|span| (span, String::new()));
    Ok(Part { spans: spans.collect(), sound })
}
