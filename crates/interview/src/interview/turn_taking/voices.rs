//! Whether anybody spoke where a recogniser found words (case 29).
//!
//! Out of silence and noise some recognisers make sentences that end many films. Words with no voice under
//! them are nobody's, unless the recogniser is sure of several: a detector may miss somebody who speaks
//! softly, and to be deaf to a person is worse than to answer a noise. Recognisers that say nothing of how
//! sure they are get no such credit.

use std::{collections::VecDeque, time::Duration};

use crate::interview::{transcript::Words, understanding::words::normal};
use crate::time::{SessionTime, Span};

/// A voice without a word is a noise after so long, where words are told while they are spoken (T04).
pub(crate) const WORDLESS_LIMIT: Duration = Duration::from_secs(10);

/// A recogniser and a detector agree on times within this.
const SLACK: Duration = Duration::from_millis(500);
/// Words that a recogniser is so sure of, and so many of them, were said, whatever the detector says.
const SURE: f32 = 0.8;
const SURE_WORDS_MIN: usize = 4;
/// Nobody says a word in less.
const WORD_MIN: Duration = Duration::from_millis(150);
/// Spans of voice that are remembered: minutes of talk.
const SPANS_MAX: usize = 256;
/// What recognisers have learnt from films.
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
/// Longer texts that begin so are none.
const CREDITS_WORDS_MAX: usize = 8;

/// When there was voice, by the VAD, in session time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Voices {
    /// Begin and end of each span; the last may go on.
    spans: VecDeque<(SessionTime, Option<SessionTime>)>,
}

impl Voices {
    /// Voice began.
    pub(crate) fn began(&mut self, at: SessionTime) {
        if matches!(self.spans.back(), Some((_, None))) {
            return;
        }
        if self.spans.len() == SPANS_MAX {
            self.spans.pop_front();
        }
        self.spans.push_back((at, None));
    }

    /// Voice ended.
    pub(crate) fn ended(&mut self, at: SessionTime) {
        if let Some((_, end @ None)) = self.spans.back_mut() {
            *end = Some(at);
        }
    }

    /// When the voice that is on, or was last, began; and its end, once it has one.
    pub(crate) fn last(&self) -> Option<(SessionTime, Option<SessionTime>)> {
        self.spans.back().copied()
    }

    /// The voice since then. One that is on counts up to `known`: what comes after is on its way.
    pub(crate) fn since(&self, from: SessionTime, known: SessionTime) -> Vec<Span> {
        let all = self.spans.iter().map(|(began, end)| Span::new(*began, end.unwrap_or(known)));
        let within = all.map(|voice| Span::new(voice.from.max(from), voice.to));
        within.filter(|voice| !voice.length().is_zero()).collect()
    }

    /// The voice in a stretch that is over.
    pub(crate) fn in_stretch(&self, stretch: Span) -> Vec<Span> {
        let voice = self.since(stretch.from, stretch.to).into_iter();
        let within = voice.map(|voice| voice.within(stretch));
        within.filter(|voice| !voice.length().is_zero()).collect()
    }

    /// Whether nobody can have said these words.
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

    /// Whether it is not known any more if there was voice.
    fn is_forgotten(&self, at: SessionTime) -> bool {
        let oldest = self.spans.front().map_or(SessionTime::ZERO, |(from, _)| *from);
        self.spans.len() == SPANS_MAX && at < oldest
    }

    /// Whether there was any voice then.
    fn is_near(&self, from: SessionTime, to: SessionTime) -> bool {
        let to = to + SLACK;
        self.spans
            .iter()
            .any(|(begin, end)| *begin <= to && end.is_none_or(|end| end + SLACK >= from))
    }

    /// How much voice there was then.
    fn under(&self, from: SessionTime, to: SessionTime) -> Duration {
        let within = |(begin, end): &(SessionTime, Option<SessionTime>)| {
            end.map_or(to, |end| end.min(to)).since(from.max(*begin))
        };
        self.spans.iter().map(within).sum()
    }
}

/// Whether it is one of the sentences that recognisers make of nothing.
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
