//! The words of a turn, segment by segment, and how they end.

use std::{collections::BTreeMap, sync::OnceLock, time::Duration};

use crate::interview::{
    transcript::Words,
    turn_taking::{coverage::Sound, endpointing::EndOfTurnProbability},
    understanding::{unfinished::is_unfinished, words::joined},
};
use crate::{blueprint::Language, time::SessionTime};

/// The words of a turn, by segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    segments: BTreeMap<u32, String>,
    /// Typed messages.
    typed: Vec<String>,
    /// The number of words in all of it.
    words: usize,
    /// How the last words end.
    end: End,
    /// The end-of-turn probability of the text, computed when a pause is measured.
    end_of_turn: OnceLock<EndOfTurnProbability>,
    /// The time up to which final transcripts have come, in session time.
    finals_to: SessionTime,
    pub(crate) sound: Sound,
}

/// The end of the words.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    /// Whether they end in the middle of a sentence of each language, with the recogniser's confidence in
    /// them.
    unfinished: [bool; Language::ALL.len()],
    confidence: Option<f32>,
    /// Whether the turn ends there, where the recogniser can tell.
    ends_turn: Option<bool>,
}

/// A final transcript may end this much before the last voiced sample.
const FINAL_SLACK: Duration = Duration::from_millis(300);

/// Below this confidence the recogniser may have misheard the end of a sentence.
const CONFIDENCE_MIN: f32 = 0.6;

/// How words end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At the end of a sentence, or where one may end.
    Whole,
    /// In the middle of a sentence.
    InSentence,
    /// In the middle of a sentence, if the recogniser heard the last words right.
    Perhaps,
}

/// The last words of a text: its ending shows in them.
fn tail(text: &str) -> &str {
    const WORDS: usize = 10;
    let start = text.rmatch_indices(' ').nth(WORDS).map_or(0, |(at, _)| at + 1);
    &text[start..]
}

fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

impl Said {
    pub(crate) fn put(&mut self, words: &Words, is_final: bool) {
        self.sound.put(words);
        let text = words.text.trim().to_owned();
        // Partial transcripts are not looked at: half a sentence always seems unfinished.
        let last = self.segments.keys().next_back();
        if is_final && last.is_none_or(|last| *last <= words.segment) {
            let (confidence, ends_turn) = (words.confidence, words.ends_turn);
            let unfinished =
                Language::ALL.map(|(_, language)| is_unfinished(tail(&text), language));
            self.end = End { unfinished, confidence, ends_turn };
        } else if last.is_some_and(|last| *last < words.segment) {
            self.end.ends_turn = None;
        }
        self.words += count(&text);
        self.words -= self.segments.insert(words.segment, text).map_or(0, |before| count(&before));
        self.end_of_turn = OnceLock::new();
        if is_final {
            self.finals_to = self.finals_to.max(words.to);
        }
    }

    /// Removes a segment that the candidate did not say.
    pub(crate) fn forget(&mut self, segment: u32) {
        self.sound.forget(segment);
        let is_last = self.segments.keys().next_back() == Some(&segment);
        if self.segments.remove(&segment).is_some() {
            if is_last {
                (self.end.unfinished, self.end.ends_turn) = Default::default();
            }
            self.recount();
        }
    }

    /// Whether the recogniser has told that the turn ends here.
    pub(crate) fn is_told_to_end(&self) -> bool {
        self.end.ends_turn == Some(true)
    }

    /// The end-of-turn probability of the text in a language; `writes_marks` is whether the recogniser writes
    /// full stops.
    pub(crate) fn end_of_turn(
        &self,
        writes_marks: bool,
        language: Language,
    ) -> EndOfTurnProbability {
        let ends_turn = self.end.ends_turn;
        let whole = || EndOfTurnProbability::of(&self.text(), writes_marks, ends_turn, language);
        *self.end_of_turn.get_or_init(whole)
    }

    /// Adds a typed message, which is never unfinished.
    pub(crate) fn type_in(&mut self, text: &str) {
        self.words += count(text);
        self.typed.push(text.trim().to_owned());
        self.end.unfinished = Default::default();
        self.end_of_turn = OnceLock::new();
    }

    /// Puts earlier words before these; segments that are in both keep the newer words.
    pub(crate) fn prepend(&mut self, earlier: Self) {
        if self.words() == 0 {
            self.end = earlier.end;
        }
        for (segment, text) in earlier.segments {
            self.segments.entry(segment).or_insert(text);
        }
        self.typed.splice(0..0, earlier.typed);
        self.sound.prepend(earlier.sound);
        self.recount();
        self.finals_to = self.finals_to.max(earlier.finals_to);
    }

    /// Puts later words behind these.
    pub(crate) fn append(&mut self, later: Self) {
        if later.words() > 0 {
            self.end = later.end;
        }
        self.segments.extend(later.segments);
        self.sound.append(later.sound);
        self.typed.extend(later.typed);
        self.recount();
        self.finals_to = self.finals_to.max(later.finals_to);
    }

    pub(crate) fn text(&self) -> String {
        joined(&self.segments, &self.typed)
    }

    pub(crate) fn words(&self) -> usize {
        self.words
    }

    fn recount(&mut self) {
        let texts = self.segments.values().chain(&self.typed);
        self.words = texts.map(|text| count(text)).sum();
        self.end_of_turn = OnceLock::new();
    }

    /// How words of a language end, for the length of the wait (T04).
    pub(crate) fn ending(&self, language: Language) -> Ending {
        let is_unfinished = self.end.unfinished[language as usize];
        match (is_unfinished, self.end.confidence) {
            (false, _) => Ending::Whole,
            (true, Some(confidence)) if confidence >= CONFIDENCE_MIN => Ending::InSentence,
            (true, _) => Ending::Perhaps,
        }
    }

    /// Whether the recogniser may have misheard the last words.
    pub(crate) fn is_unsure(&self) -> bool {
        self.end.confidence.is_some_and(|confidence| confidence < CONFIDENCE_MIN)
    }

    pub(crate) fn is_typed(&self) -> bool {
        !self.typed.is_empty()
    }

    pub(crate) fn typed(&self) -> &[String] {
        &self.typed
    }

    pub(crate) fn has(&self, segment: u32) -> bool {
        self.segments.contains_key(&segment)
    }

    pub(crate) fn segments(&self) -> &BTreeMap<u32, String> {
        &self.segments
    }

    /// Whether everything up to `stopped` (session time) has a final transcript.
    pub(crate) fn is_final_up_to(&self, stopped: SessionTime) -> bool {
        self.finals_to + FINAL_SLACK >= stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(segment: u32, text: &str, ends_turn: Option<bool>) -> Words {
        Words { segment, text: text.to_owned(), ends_turn, ..Words::default() }
    }

    /// T04: the recogniser's word on the end of a turn is void when a later segment begins, and stays when
    /// words for an earlier one come late.
    #[test]
    fn a_later_segment_makes_the_end_void() {
        let mut said = Said::default();
        said.put(&words(1, "I lead a team", None), true);
        said.put(&words(2, "of four people", Some(true)), true);
        assert_eq!(said.end.ends_turn, Some(true));
        said.put(&words(1, "I lead the team", None), false);
        assert_eq!(said.end.ends_turn, Some(true));
        said.put(&words(3, "and", None), false);
        assert_eq!(said.end.ends_turn, None);
    }
}
