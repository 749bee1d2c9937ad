//! Spans of voice, and whether there was any under the words of a recogniser (case 29).
//!
//! Some recognisers make sentences of silence and noise, often from film credits. Words without a voice are
//! dropped, unless the recogniser is confident of several: a detector may miss a soft voice, and to be deaf
//! to a person is worse than to answer a noise. Words without a confidence have no such exception.

use std::{collections::VecDeque, time::Duration};

use crate::interview::{transcript::Words, understanding::words::normal};
use crate::time::{SessionTime, Span};

/// The longest voice without a word that may be speech, where words come while they are spoken (T04).
pub(crate) const WORDLESS_LIMIT: Duration = Duration::from_secs(10);

/// The tolerance between the times of recogniser and detector.
const SLACK: Duration = Duration::from_millis(500);
/// The confidence and the number of words from which the recogniser is believed without a voice.
const SURE: f32 = 0.8;
const SURE_WORDS_MIN: usize = 4;
/// The shortest voice that can be a word.
const WORD_MIN: Duration = Duration::from_millis(150);
/// The number of spans of voice that are kept: minutes of talk.
const SPANS_MAX: usize = 256;
/// Sentences that recognisers have learnt from films.
const LEARNT: [&str; 12] = [
    "thank you for watching",
    "thanks for watching",
    "thank you so much for watching",
    "thank you very much for watching",
    "thanks for listening",
    "please subscribe",
    "please subscribe to my channel",
    "like and subscribe",
    "don't forget to subscribe",
    "see you in the next video",
    "see you next time",
    "i'll see you in the next one",
];
/// The beginnings of credits, which end in a name.
const CREDITS: [&str; 5] =
    ["subtitles by", "subtitled by", "captions by", "captioned by", "transcribed by"];
/// The largest number of words of a credit.
const CREDITS_WORDS_MAX: usize = 8;

/// The spans of voice by the detector, in session time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Voices {
    /// Begin and end of each span; the last may go on.
    spans: VecDeque<(SessionTime, Option<SessionTime>)>,
}

impl Voices {
    /// Begins a span.
    pub(crate) fn began(&mut self, at: SessionTime) {
        if matches!(self.spans.back(), Some((_, None))) {
            return;
        }
        if self.spans.len() == SPANS_MAX {
            self.spans.pop_front();
        }
        self.spans.push_back((at, None));
    }

    /// Ends the span.
    pub(crate) fn ended(&mut self, at: SessionTime) {
        if let Some((_, end @ None)) = self.spans.back_mut() {
            *end = Some(at);
        }
    }

    /// The begin of the last voice; and its end, once it has one.
    pub(crate) fn last(&self) -> Option<(SessionTime, Option<SessionTime>)> {
        self.spans.back().copied()
    }

    /// The voice since `since`. A voice that goes on counts up to `known`.
    pub(crate) fn since(&self, from: SessionTime, known: SessionTime) -> Vec<Span> {
        let all = self.spans.iter().map(|(began, end)| Span::new(*began, end.unwrap_or(known)));
        let within = all.map(|voice| Span::new(voice.from.max(from), voice.to));
        within.filter(|voice| !voice.length().is_zero()).collect()
    }

    /// The voice in a stretch.
    pub(crate) fn in_stretch(&self, stretch: Span) -> Vec<Span> {
        let voice = self.since(stretch.from, stretch.to).into_iter();
        let within = voice.map(|voice| voice.within(stretch));
        within.filter(|voice| !voice.length().is_zero()).collect()
    }

    /// Whether these words were made up by the recogniser.
    pub(crate) fn lack(&self, words: &Words) -> bool {
        if self.is_forgotten(words.from) {
            return false;
        }
        let count = words.text.split_whitespace().count();
        if is_learnt(&words.text) {
            return self.under(words.from, words.to) < WORD_MIN * count as u32;
        }
        let is_sure = words.confidence.is_some_and(|sure| sure >= SURE) && count >= SURE_WORDS_MIN;
        !is_sure && !self.is_near(words.from, words.to)
    }

    /// Whether the stretch is older than what is kept.
    fn is_forgotten(&self, at: SessionTime) -> bool {
        let oldest = self.spans.front().map_or(SessionTime::ZERO, |(from, _)| *from);
        self.spans.len() == SPANS_MAX && at < oldest
    }

    /// Whether there was any voice in the stretch.
    fn is_near(&self, from: SessionTime, to: SessionTime) -> bool {
        let to = to + SLACK;
        self.spans
            .iter()
            .any(|(begin, end)| *begin <= to && end.is_none_or(|end| end + SLACK >= from))
    }

    /// The length of the voice in the stretch.
    fn under(&self, from: SessionTime, to: SessionTime) -> Duration {
        let within = |(begin, end): &(SessionTime, Option<SessionTime>)| {
            end.map_or(to, |end| end.min(to)).since(from.max(*begin))
        };
        self.spans.iter().map(within).sum()
    }
}

/// Whether a text is one of the sentences that recognisers make of silence.
fn is_learnt(text: &str) -> bool {
    let text = normal(text);
    let is_credit = || {
        let words = text.split(' ').count();
        words <= CREDITS_WORDS_MAX && CREDITS.iter().any(|credit| text.starts_with(credit))
    };
    LEARNT.contains(&text.as_str()) || is_credit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, from: u64, to: u64, confidence: Option<f32>) -> Words {
        let time = SessionTime::from_millis;
        Words {
            segment: 1,
            from: time(from),
            to: time(to),
            text: text.into(),
            confidence,
            ends_turn: None,
            spans: Vec::new(),
        }
    }

    /// Case 29: words need a voice, give or take half a second; several that are certain do not.
    #[test]
    fn words_need_a_voice() {
        let mut voices = Voices::default();
        voices.began(SessionTime::from_millis(5_000));
        voices.ended(SessionTime::from_millis(6_000));
        for (text, from, to, confidence, lacks) in [
            ("yes", 5_100, 5_400, None, false),
            ("yes", 6_400, 6_900, None, false),
            ("yes", 4_000, 4_500, None, false),
            ("yes", 6_501, 6_900, None, true),
            ("yes", 4_000, 4_499, None, true),
            ("yes it is mine", 9_000, 9_900, Some(0.7), true),
            ("yes it is mine", 9_000, 9_900, Some(0.8), false),
            ("yes it is", 9_000, 9_900, Some(0.9), true),
            ("a long sentence that nobody was sure of", 9_000, 9_900, None, true),
        ] {
            let words = words(text, from, to, confidence);
            assert_eq!(voices.lack(&words), lacks, "{text} {from} {to}");
        }
        voices.began(SessionTime::from_millis(8_000));
        assert!(!voices.lack(&words("yes", 9_000, 9_900, None)), "it goes on");
    }

    /// Case 29: what recognisers make of nothing needs a voice that is long enough to have said it.
    #[test]
    fn credits_need_a_clear_voice() {
        let mut voices = Voices::default();
        voices.began(SessionTime::from_millis(5_000));
        voices.ended(SessionTime::from_millis(5_400));
        for (text, lacks) in [
            ("Thank you for watching!", true),
            ("Subtitles by the Amara community", true),
            ("Subtitles by hand is what we made in my team for years", false),
            ("thank you", false),
        ] {
            assert_eq!(voices.lack(&words(text, 4_900, 6_000, Some(0.9))), lacks, "{text}");
        }
        voices.began(SessionTime::from_millis(7_000));
        voices.ended(SessionTime::from_millis(8_500));
        assert!(!voices.lack(&words("thank you for watching", 7_000, 8_500, None)));
    }

    /// Case 29: what is remembered is bounded, and nobody is called silent for a time that is forgotten.
    #[test]
    fn voices_are_forgotten() {
        let mut voices = Voices::default();
        for n in 1..=300 {
            voices.began(SessionTime::from_millis(n * 10_000));
            voices.began(SessionTime::from_millis(n * 10_000 + 5));
            voices.ended(SessionTime::from_millis(n * 10_000 + 10));
            voices.ended(SessionTime::from_millis(n * 10_000 + 5_000));
        }
        assert_eq!(voices.spans.len(), SPANS_MAX);
        assert!(!voices.lack(&words("yes", 15_000, 16_000, None)));
        assert!(voices.lack(&words("yes", 2_995_000, 2_996_000, None)));
    }
}
