//! Coverage: the part of an answer's voice that has words. Lost words are marked and count against nobody.
//!
//! The voice comes from the detector; the words cover the recogniser's spans ([`Words::spans`]).

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};

use crate::interview::{transcript::Words, turn_taking::voices::WORDLESS_LIMIT};
use crate::time::{SessionTime, Span};

/// The least voice without a word that is a hole.
const HOLE_MIN: Duration = Duration::from_secs(2);
/// The tolerance between recogniser and detector: this close to a word there is no hole.
const SLACK: Duration = Duration::from_millis(300);

/// A stretch of an answer with voice and without recognised words. Times are milliseconds of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hole {
    /// The first voice in it.
    pub from_ms: u64,
    /// The last voice in it.
    pub to_ms: u64,
    /// The length of the voice in it.
    pub voiced_ms: u64,
    /// The approximate number of words of the answer before it.
    pub after_words: usize,
}

/// The words of an answer with a mark at each hole: `I led [not understood, 3 s] in Berlin`.
pub fn marked(text: &str, holes: &[Hole]) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut out: Vec<String> = Vec::with_capacity(words.len() + holes.len());
    let mut holes = holes.iter().peekable();
    for at in 0..=words.len() {
        while let Some(hole) = holes.next_if(|hole| hole.after_words <= at || at == words.len()) {
            let seconds = (hole.voiced_ms + 500) / 1_000;
            out.push(format!("[not understood, {seconds} s]"));
        }
        out.extend(words.get(at).map(|word| (*word).to_owned()));
    }
    out.join(" ")
}

/// The coverage of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coverage {
    /// The voice with words, in percent of all voice; 100 where there is no voice.
    pub(crate) percent: u8,
    /// The holes, in order.
    pub(crate) holes: Vec<Hole>,
}

impl Coverage {
    pub(crate) fn is_whole(&self) -> bool {
        self.percent == 100 && self.holes.is_empty()
    }
}

/// The sound of a turn, in session time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sound {
    /// The spans of voice, in order; known of a committed turn.
    voice: Vec<Span>,
    /// The recognised words, by segment.
    segments: BTreeMap<u32, Understood>,
}

/// The recognised words of a segment.
#[derive(Clone, Debug)]
struct Understood {
    /// The begin of the segment's speech.
    from: SessionTime,
    /// The spans that its words cover.
    spans: Vec<Span>,
    /// The number of words.
    words: usize,
}

impl Sound {
    /// Puts the words of a segment in place of earlier ones.
    pub(crate) fn put(&mut self, said: &Words) {
        let words = said.text.split_whitespace().count();
        let spans = match said.spans.is_empty() {
            true => vec![Span::new(said.from, said.to)],
            false => said.spans.clone(),
        };
        match words {
            0 => self.forget(said.segment),
            _ => {
                let from = said.from;
                self.segments.insert(said.segment, Understood { from, spans, words });
            }
        }
    }

    /// Adds a span of voice, or extends the last one.
    pub(crate) fn hear(&mut self, voice: &[Span]) {
        for more in voice {
            match self.voice.iter_mut().find(|known| known.from <= more.to && more.from <= known.to)
            {
                Some(known) => {
                    *known = Span::new(known.from.min(more.from), known.to.max(more.to));
                }
                None => self.voice.push(*more),
            }
        }
        self.voice.sort_unstable();
    }

    pub(crate) fn forget(&mut self, segment: u32) {
        self.segments.remove(&segment);
    }

    /// Puts earlier sound before this; segments that are in both keep the newer words.
    pub(crate) fn prepend(&mut self, earlier: Self) {
        for (segment, understood) in earlier.segments {
            self.segments.entry(segment).or_insert(understood);
        }
    }

    /// Puts later sound behind this.
    pub(crate) fn append(&mut self, later: Self) {
        self.segments.extend(later.segments);
    }

    /// The same words with these spans of voice.
    pub(crate) fn with_voice(self, voice: Vec<Span>) -> Self {
        Self { voice, ..self }
    }

    /// The begin of the first speech with words.
    pub(crate) fn first(&self) -> Option<SessionTime> {
        self.segments.values().map(|understood| understood.from).min()
    }

    /// The end of the last word.
    pub(crate) fn last(&self) -> Option<SessionTime> {
        let spans = self.segments.values().flat_map(|understood| &understood.spans);
        spans.map(|span| span.to).max()
    }

    /// The spans with words, a little widened and merged, in order.
    fn covered(&self) -> Vec<Span> {
        let wide = |span: &Span| {
            let from = span.from.as_micros().saturating_sub(SLACK.as_micros() as u64);
            Span::new(SessionTime::from_micros(from), span.to + SLACK)
        };
        let mut all: Vec<Span> =
            self.segments.values().flat_map(|it| &it.spans).map(wide).collect();
        all.sort_unstable();
        let mut apart: Vec<Span> = Vec::new();
        for span in all {
            match apart.last_mut() {
                Some(last) if span.from <= last.to => last.to = last.to.max(span.to),
                Some(_) | None => apart.push(span),
            }
        }
        apart
    }

    pub(crate) fn coverage(&self) -> Coverage {
        let covered = self.covered();
        let heard: Duration =
            covered.iter().flat_map(|it| self.voice_in(*it)).map(Span::length).sum();
        let lost = self.lost(&covered);
        let voiced = heard + lost.iter().flatten().map(|voice| voice.length()).sum::<Duration>();
        let percent = match voiced.is_zero() {
            true => 100,
            false => (heard.as_micros() * 100 / voiced.as_micros()) as u8,
        };
        let holes = lost.iter().filter_map(|voice| self.hole(voice)).collect();
        Coverage { percent, holes }
    }

    /// The voice before, between and after the spans with words.
    fn lost(&self, covered: &[Span]) -> Vec<Vec<Span>> {
        let ends = [SessionTime::ZERO, SessionTime::from_micros(u64::MAX)];
        let begins = [ends[0]].into_iter().chain(covered.iter().map(|span| span.to));
        let gaps = begins.zip(covered.iter().map(|span| span.from).chain([ends[1]]));
        let voice_in_gap = |(from, to): (SessionTime, SessionTime)| {
            // A voice of this length before the first word, or after the last, is a noise (T04).
            let is_outer = from == ends[0] || to == ends[1];
            let voice = self.voice_in(Span::new(from, to)).into_iter();
            voice.filter(|voice| !is_outer || voice.length() < WORDLESS_LIMIT).collect()
        };
        gaps.map(voice_in_gap).collect()
    }

    fn voice_in(&self, stretch: Span) -> Vec<Span> {
        let within = self.voice.iter().map(|voice| voice.within(stretch));
        within.filter(|voice| !voice.length().is_zero()).collect()
    }

    fn hole(&self, voice: &[Span]) -> Option<Hole> {
        let voiced: Duration = voice.iter().map(|voice| voice.length()).sum();
        let (first, last) = (voice.first()?, voice.last()?);
        let before = |it: &Understood| said_by(first.from, &it.spans, it.words);
        let before: f64 = self.segments.values().map(before).sum();
        (voiced >= HOLE_MIN).then(|| Hole {
            from_ms: first.from.as_millis(),
            to_ms: last.to.as_millis(),
            voiced_ms: voiced.as_millis() as u64,
            after_words: before.round() as usize,
        })
    }
}

/// The approximate number of words of a segment up to a time: the position of each word is unknown.
fn said_by(at: SessionTime, spans: &[Span], count: usize) -> f64 {
    let all: Duration = spans.iter().map(|span| span.length()).sum();
    let before: Duration =
        spans.iter().map(|span| Span::new(span.from, span.to.min(at)).length()).sum();
    if all.is_zero() { 0.0 } else { count as f64 * before.as_secs_f64() / all.as_secs_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(times: &[(u64, u64)]) -> Vec<Span> {
        let time = SessionTime::from_millis;
        times.iter().map(|(from, to)| Span::new(time(*from), time(*to))).collect()
    }

    fn words(segment: u32, text: &str, times: &[(u64, u64)]) -> Words {
        let spans = spans(times);
        let (from, to) = (spans[0].from, spans[spans.len() - 1].to);
        Words { segment, from, to, text: text.into(), confidence: None, ends_turn: None, spans }
    }

    fn sound(voice: &[(u64, u64)], said: &[Words]) -> Sound {
        let mut sound = Sound { voice: spans(voice), ..Sound::default() };
        said.iter().for_each(|words| sound.put(words));
        sound
    }

    /// Voice without words is a hole from 2 s on, however it is cut into pieces; what stands around words is
    /// none.
    #[test]
    fn holes_are_voice_without_words() {
        let hole = |from_ms, to_ms, voiced_ms, after_words| Hole {
            from_ms,
            to_ms,
            voiced_ms,
            after_words,
        };
        let said = "I led the billing team in Berlin for years";
        for (voice, times, percent, holes) in [
            (vec![(0, 9_000)], vec![(200, 8_800)], 100, vec![]),
            // A recogniser that tells nothing but the whole.
            (vec![(0, 9_000)], vec![(0, 9_000)], 100, vec![]),
            // 1.9 s, and 2 s, in the middle.
            (vec![(0, 9_000)], vec![(0, 3_000), (5_500, 9_000)], 78, vec![]),
            (
                vec![(0, 9_000)],
                vec![(0, 3_000), (5_600, 9_000)],
                77,
                vec![hole(3_300, 5_300, 2_000, 4)],
            ),
            // In two voices, neither of them so long.
            (
                vec![(0, 4_000), (4_600, 6_000), (7_000, 9_000)],
                vec![(0, 3_000), (7_200, 9_000)],
                71,
                vec![hole(3_300, 6_000, 2_100, 6)],
            ),
            // At the beginning and at the end, where so long a voice as 10 s is a noise.
            (vec![(0, 9_000)], vec![(3_000, 9_000)], 70, vec![hole(0, 2_700, 2_700, 0)]),
            (vec![(0, 9_000)], vec![(0, 5_000)], 58, vec![hole(5_300, 9_000, 3_700, 9)]),
            (vec![(0, 16_000)], vec![(0, 5_000)], 100, vec![]),
            (vec![(0, 12_000), (12_500, 14_000)], vec![(12_500, 14_000)], 100, vec![]),
            // In the middle it is none.
            (
                vec![(0, 16_000)],
                vec![(0, 1_000), (15_000, 16_000)],
                16,
                vec![hole(1_300, 14_700, 13_400, 5)],
            ),
        ] {
            let coverage = sound(&voice, &[words(1, said, &times)]).coverage();
            assert_eq!(coverage, Coverage { percent, holes }, "{voice:?} {times:?}");
        }
        assert_eq!(sound(&[], &[]).coverage(), Coverage { percent: 100, holes: Vec::new() });
    }

    /// A segment that is told anew heals its hole, one that nobody said leaves one; a mark stands where the
    /// hole is.
    #[test]
    fn holes_are_marked_where_they_are() {
        let mut whole = sound(
            &[(0, 3_000), (4_000, 7_000), (8_000, 9_000)],
            &[
                words(1, "I led", &[(0, 3_000)]),
                words(2, "a team", &[(4_000, 7_000)]),
                words(3, "in Berlin", &[(8_000, 9_000)]),
            ],
        );
        assert!(whole.coverage().is_whole());
        whole.forget(2);
        let holes = whole.coverage().holes;
        let text = "I led in Berlin";
        assert_eq!(marked(text, &holes), "I led [not understood, 3 s] in Berlin");
        assert_eq!(marked(text, &[]), text);
        assert_eq!(marked("", &holes), "[not understood, 3 s]");
        whole.put(&words(2, "a team", &[(4_000, 7_000)]));
        assert!(whole.coverage().is_whole());
    }
}
