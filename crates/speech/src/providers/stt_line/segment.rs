//! A segment of speech with its words.

use std::time::Duration;

use crate::providers::Transcript;
use interview::time::{SessionTime, Span};

/// A segment of speech, as the VAD sees it, with its words so far.
pub(super) struct Segment {
    pub(super) number: u32,
    pub(super) from: SessionTime,
    pub(super) stage: Stage,
    /// The final words, in order.
    finals: Vec<Part>,
    /// The interim words after the final ones.
    pub(super) interim: Vec<Word>,
    /// Whether a turn ends with this segment; `None` from a model that does not detect turns.
    pub(super) ends_turn: Option<bool>,
    /// The text and `ends_turn` of the last transcript.
    last_reported: (String, Option<bool>),
}

/// The progress of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The speech goes on.
    Speaking,
    /// The speech ended at `stopped`. The final is awaited since `since`, on the connection's clock.
    Awaited { stopped: SessionTime, since: SessionTime },
    /// The final was reported.
    Reported { stopped: SessionTime },
}

/// A word and its times.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) from: SessionTime,
    pub(super) to: SessionTime,
    pub(super) text: String,
}

/// Final words that came in one result.
struct Part {
    text: String,
    to: SessionTime,
    words: usize,
    confidence: Option<f32>,
    spans: Vec<Span>,
}

/// The longest gap between two words of one stretch of sound.
const GAP: Duration = Duration::from_millis(500);

impl Word {
    pub(super) fn middle(&self) -> SessionTime {
        self.from + self.to.since(self.from) / 2
    }
}

impl Segment {
    pub(super) fn new(number: u32, from: SessionTime, stage: Stage) -> Self {
        let (finals, interim, last_reported) = (Vec::new(), Vec::new(), Default::default());
        Self { number, from, stage, finals, interim, ends_turn: None, last_reported }
    }

    pub(super) fn stopped(&self) -> Option<SessionTime> {
        match self.stage {
            Stage::Speaking => None,
            Stage::Awaited { stopped, .. } | Stage::Reported { stopped } => Some(stopped),
        }
    }

    /// Returns the distance of `at` from the segment; zero within it.
    pub(super) fn distance(&self, at: SessionTime) -> Duration {
        let after = self.stopped().map_or(Duration::ZERO, |stopped| at.since(stopped));
        self.from.since(at).max(after)
    }

    /// Adds final words, with their text if it is known as a whole.
    pub(super) fn put_final(
        &mut self,
        text: Option<String>,
        words: &[Word],
        confidence: Option<f32>,
    ) {
        let to = words.iter().map(|word| word.to).max().unwrap_or(self.from);
        let text = text.unwrap_or_else(|| joined(words.iter().map(|word| word.text.as_str())));
        let spans = words.iter().map(|word| Span::new(word.from, word.to)).collect();
        self.finals.push(Part { text, to, words: words.len(), confidence, spans });
    }

    /// Makes the interim words before `until` final; returns the end of the last of them.
    pub(super) fn settle_interim(&mut self, until: SessionTime) -> SessionTime {
        let gone = self.interim.iter().take_while(|word| word.middle() < until).count();
        let words: Vec<Word> = self.interim.drain(..gone).collect();
        let Some(last) = words.last() else { return SessionTime::ZERO };
        let to = last.to;
        self.put_final(None, &words, None);
        to
    }

    pub(super) fn text(&self) -> String {
        let finals = self.finals.iter().map(|part| part.text.as_str());
        joined(finals.chain(self.interim.iter().map(|word| word.text.as_str())))
    }

    /// Returns a partial transcript if the text has changed since the last transcript.
    pub(super) fn take_partial(&mut self) -> Option<Transcript> {
        let text = self.text();
        if text == self.last_reported.0 {
            return None;
        }
        Some(self.report(text, self.spoken_to(), false))
    }

    /// Whether the text or `ends_turn` has changed since the last transcript.
    pub(super) fn has_changed(&self) -> bool {
        self.text() != self.last_reported.0 || self.ends_turn != self.last_reported.1
    }

    /// Returns the final transcript.
    pub(super) fn take_final(&mut self, stopped: SessionTime) -> Transcript {
        self.report(self.text(), self.spoken_to().max(stopped), true)
    }

    fn report(&mut self, text: String, to: SessionTime, is_final: bool) -> Transcript {
        self.last_reported = (text.clone(), self.ends_turn);
        let (segment, from, confidence) = (self.number, self.from, self.confidence());
        let ends_turn = self.ends_turn.filter(|_| is_final);
        let spans = if is_final { self.spans() } else { Vec::new() };
        Transcript { segment, is_final, from, to, text, confidence, ends_turn, spans }
    }

    /// Returns the stretches of sound with words; none if the server sends no times of words.
    fn spans(&self) -> Vec<Span> {
        let mut all: Vec<Span> = Vec::new();
        for span in self.finals.iter().flat_map(|part| &part.spans) {
            if span.length().is_zero() {
                return Vec::new();
            }
            match all.last_mut() {
                Some(last) if span.from.since(last.to) <= GAP => last.to = last.to.max(span.to),
                _ => all.push(*span),
            }
        }
        all
    }

    /// Returns the end of the last word.
    fn spoken_to(&self) -> SessionTime {
        let finals = self.finals.iter().map(|part| part.to);
        let ends = finals.chain(self.interim.iter().map(|word| word.to));
        ends.max().unwrap_or(self.from).max(self.from)
    }

    /// Returns the mean confidence of the parts, weighted by words.
    fn confidence(&self) -> Option<f32> {
        let sure = self.finals.iter().filter_map(|part| Some((part.words, part.confidence?)));
        let (words, sum) = sure.fold((0, 0.0), |(words, sum), (more, confidence)| {
            (words + more, sum + f64::from(confidence) * more as f64)
        });
        (words > 0).then(|| (sum / words as f64) as f32)
    }
}

fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coverage: words near each other form one stretch, a longer gap between them stays; without times of
    /// words there are no stretches.
    #[test]
    fn words_make_spans() {
        let ms = SessionTime::from_millis;
        let word = |from, to| Word { from: ms(from), to: ms(to), text: "so".to_owned() };
        let mut segment = Segment::new(1, ms(900), Stage::Speaking);
        segment.put_final(None, &[word(1_000, 1_200), word(1_600, 1_900)], None);
        segment.put_final(None, &[word(4_000, 4_300)], None);
        let last_reported = segment.take_final(ms(4_400));
        let spans = [Span::new(ms(1_000), ms(1_900)), Span::new(ms(4_000), ms(4_300))];
        assert_eq!(last_reported.spans, spans);
        segment.put_final(None, &[word(5_000, 5_000)], None);
        assert_eq!(segment.take_final(ms(5_100)).spans, []);
    }
}
