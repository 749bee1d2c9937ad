//! What is listened to: the synthetic candidates of the repository, and people in a folder that the environment names.

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
    sound::{Part, Take, loud_spans, speech_of},
};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/audio-fixtures");
/// The same variable as for `vivavoce replay`.
const PEOPLE: &str = "VIVAVOCE_RECORDINGS";

/// Recordings whose figures are one table.
pub(crate) struct Recordings {
    pub(crate) name: &'static str,
    /// Where the truth comes from.
    pub(crate) truth: &'static str,
    /// Whether what was said is known, so that a rule can look at it.
    pub(crate) words_known: bool,
    /// Each with the voices in its background.
    pub(crate) takes: Vec<(Take, Vec<Vec<i16>>)>,
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
            let sound = wav::read(&folder.join(format!("{name}.wav")))?.sound.0;
            let spans = loud_spans(&sound).into_iter().map(|span| (span, String::new()));
            parts.push(Part { spans: spans.collect(), sound });
        }
    }
    parts.retain(|part: &Part| !part.spans.is_empty());
    anyhow::ensure!(!parts.is_empty(), "there is no speech in {} ({PEOPLE})", folder.display());
    Ok(parts)
}
