//! Endpointing: the end-of-turn probability of a text, and the wait that follows from it.

use language::Intent;

use std::{ops::RangeInclusive, time::Duration};

use crate::blueprint::{Endpointing, Language};
use crate::interview::understanding::{
    english::intent,
    words::{plain, split},
};

/// Pairs of an end-of-turn probability, in percent, and the share of the way from the shortest to the longest
/// wait.
const WAITS: [(u32, u32); 5] = [(95, 0), (90, 3), (80, 5), (50, 30), (15, 100)];
/// A finished sentence with its mark at the end, long enough to be an answer; a shorter one.
const MARKED: u32 = 94;
const MARKED_SHORT: u32 = 91;
/// A sentence without a mark, by a recogniser that writes no marks.
const UNMARKED: u32 = 90;
/// A whole short answer: "I don't know".
const SHORT: u32 = 85;
/// The least number of words of a whole sentence.
const WORDS_MIN: usize = 3;
const FEW: u32 = 50;
/// Words that are like the beginning of a sentence.
const UNFINISHED: u32 = 10;
/// The largest probability after a comma or a missing mark, and the least after a full stop, however the turn
/// sounds.
const MARK_PERCENT: u32 = 40;
/// The probability where a recogniser that tells the ends of turns has told none.
const RECOGNISER_GOES_ON_MAX: u32 = 50;
/// The range of the turn detector's score that counts, in percent: a network that is sure is wrong now and
/// then, and to interrupt is worse than to wait (`docs/bench-turns.md`). The score alone cannot make a
/// finished sentence wait longer than a second.
const SOUND_PERCENT: RangeInclusive<u32> = 6..=90;
/// The least number of words of a whole answer to an open question.
const ANSWER_WORDS: usize = 8;
const OPEN_PERCENT: u32 = 60;
/// The largest number of words of a short answer.
const SHORT_WORDS_MAX: usize = 8;

/// The end-of-turn probability of a text, whatever question it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndOfTurnProbability {
    /// The probability by the words, in percent.
    words_percent: u32,
    /// The probability by the sound, where a turn detector scored it.
    sound_percent: Option<u32>,
    /// The range that the sound cannot leave.
    percent_min: u32,
    percent_max: u32,
    /// Whether the text may be only the beginning of an answer to an open question.
    is_beginning: bool,
}

/// How the text of a turn ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// With a full stop, or a mark like it.
    Stop,
    /// With a comma, or a mark like it.
    Comma,
    /// Without a mark, by a recogniser that writes marks.
    Missing,
    /// Without a mark, by a recogniser that writes none.
    Unknown,
}

impl EndOfTurnProbability {
    /// The probability of a text that does not end in the middle of a sentence. `writes_marks` is whether the
    /// recogniser does, `ends_turn` its own word on the end of the turn, if it has one.
    pub(crate) fn of(
        text: &str,
        writes_marks: bool,
        ends_turn: Option<bool>,
        language: Language,
    ) -> Self {
        let words = text.split_whitespace().count();
        let mark = Mark::of(text, writes_marks);
        // The phrases are English.
        let is_short = words <= SHORT_WORDS_MAX && language == Language::English;
        let answer = is_short.then(|| intent(text)).flatten();
        let words_percent = match (answer, mark) {
            // A request is answered at once; an apology or a correction goes on.
            (Some(Intent::Correct | Intent::Sensitive | Intent::Distress), _)
            | (Some(_), Mark::Comma) => FEW,
            (Some(_), Mark::Stop) => MARKED,
            (Some(_), Mark::Missing | Mark::Unknown) => SHORT,
            (None, Mark::Comma | Mark::Missing) => MARK_PERCENT,
            (None, Mark::Stop | Mark::Unknown) if words < WORDS_MIN => FEW,
            (None, Mark::Stop) if words < ANSWER_WORDS => MARKED_SHORT,
            (None, Mark::Stop) => MARKED,
            (None, Mark::Unknown) => UNMARKED,
        };
        let is_sentence = mark == Mark::Stop && words_percent >= MARKED_SHORT;
        let goes_on = answer.is_none() && matches!(mark, Mark::Comma | Mark::Missing);
        let whole = Self {
            words_percent,
            sound_percent: None,
            percent_min: if is_sentence { MARK_PERCENT } else { 0 },
            percent_max: if goes_on { MARK_PERCENT } else { 100 },
            // A comma says that more comes.
            is_beginning: answer.is_none() && !goes_on && words < ANSWER_WORDS,
        };
        match ends_turn {
            Some(true) => {
                Self { words_percent: MARKED, percent_max: 100, is_beginning: false, ..whole }
            }
            Some(false) => {
                let percent_max = whole.percent_max.min(RECOGNISER_GOES_ON_MAX);
                Self { percent_max, ..whole }
            }
            None => whole,
        }
    }

    /// The same for words that go on by what they are like: only the sound may say that they do not.
    pub(crate) fn unfinished(self) -> Self {
        Self { words_percent: UNFINISHED, percent_min: 0, ..self }
    }

    /// The same with the score of the turn detector.
    pub(crate) fn weighed(self, ended_percent: Option<u8>) -> Self {
        let (least, most) = SOUND_PERCENT.into_inner();
        Self { sound_percent: ended_percent.map(|it| u32::from(it).clamp(least, most)), ..self }
    }

    /// The wait after the text, as an answer to `question`.
    pub(crate) fn wait(self, question: Option<&str>, range: Endpointing) -> Duration {
        let is_open = self.is_beginning && question.is_some_and(is_open);
        let words =
            if is_open { self.words_percent * OPEN_PERCENT / 100 } else { self.words_percent };
        let both = self.sound_percent.map_or(words, |sound| both(words, sound));
        let way = range.max.saturating_sub(range.min);
        range.min + way * way_percent(both.max(self.percent_min).min(self.percent_max)) / 100
    }
}

/// The joint probability of two independent estimates in percent: their odds multiplied. 50 changes nothing.
fn both(one: u32, other: u32) -> u32 {
    let (yes, no) = (one * other, (100 - one) * (100 - other));
    100 * yes / (yes + no).max(1)
}

impl Mark {
    fn of(text: &str, are_written: bool) -> Self {
        let text = text.trim_end().trim_end_matches(['"', '\'', '”', '’', ')']);
        if text.ends_with([',', ';', ':', '-', '–', '—', '…', '，', '、']) || text.ends_with("..")
        {
            return Self::Comma;
        }
        if text.ends_with(['.', '!', '?', '。', '！', '？']) {
            return Self::Stop;
        }
        if are_written || has_marks(text) { Self::Missing } else { Self::Unknown }
    }
}

/// Whether a text has marks after its words, or a capital letter at its beginning ("I" aside).
fn has_marks(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let begins_great = words.next().is_some_and(|word| {
        word.starts_with(char::is_uppercase) && word != "I" && !word.starts_with("I'")
    });
    begins_great
        || text.split_whitespace().any(|word| word.ends_with([',', '.', '!', '?', ';', ':']))
}

/// The linear interpolation between two of [`WAITS`].
fn way_percent(percent: u32) -> u32 {
    for pair in WAITS.windows(2) {
        let [(high, short), (low, long)] = [pair[0], pair[1]];
        if percent >= low {
            return short + (long - short) * (high - percent.min(high)) / (high - low);
        }
    }
    100
}

/// The beginnings of questions that one word can answer.
const CLOSED: [&str; 22] = [
    "are", "is", "do", "does", "did", "have", "has", "had", "was", "were", "will", "would",
    "shall", "should", "may", "can", "could", "am", "when", "who", "which", "where",
];
/// Words that make an open question of a closed beginning: they ask for a story.
const TELLING: [&str; 6] = ["tell", "describe", "explain", "walk", "say", "share"];

/// Whether a question asks for more than a word, by its last clause.
pub(crate) fn is_open(question: &str) -> bool {
    let clause = question.rsplit([':', ',', ';']).next().unwrap_or(question);
    let words = plain(clause);
    let words = split(&words);
    let is_closed = words.first().is_some_and(|word| CLOSED.contains(word));
    !is_closed || words.iter().take(4).any(|word| TELLING.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Endpointing =
        Endpointing { min: Duration::from_millis(300), max: Duration::from_millis(2_500) };

    fn wait_ms(question: &str, text: &str) -> u128 {
        EndOfTurnProbability::of(text, false, None, Language::English)
            .wait(Some(question), RANGE)
            .as_millis()
    }

    /// Q01: a finished sentence is answered after 0.3 s, whole short answers soon after; a word or two to an
    /// open question are the beginning of more.
    #[test]
    fn what_was_said_decides() {
        let (open, closed) = ("What do you do today?", "Are you ready to start?");
        let long = "I lead the billing team and we moved the ledger to another database last year";
        for (question, text, from, to) in [
            (
                open,
                "I lead the billing team and we moved the ledger to another database.",
                300,
                300,
            ),
            (open, long, 330, 400),
            (closed, "yes", 300, 450),
            (closed, "Yes, I am ready.", 300, 300),
            (open, "I don't know", 300, 450),
            (open, "can you repeat that", 300, 450),
            (open, "well databases", 1_200, 2_000),
            (open, "I lead a team", 700, 1_000),
            (open, "I fix engines", 700, 1_000),
            (open, "fix engines", 1_200, 2_000),
            (closed, "I lead a team", 330, 400),
            ("Can you tell me about your work?", "I lead a team", 700, 1_000),
            (open, "billing", 1_200, 2_000),
        ] {
            let wait = wait_ms(question, text);
            assert!((from..=to).contains(&wait), "{text}: {wait} ms, not {from} to {to}");
        }
    }

    /// T04: where the recogniser tells the end of a turn it is that, and what it does not take for one is
    /// waited for.
    #[test]
    fn the_recogniser_may_tell() {
        let wait = |text, ends_turn| {
            EndOfTurnProbability::of(text, false, ends_turn, Language::English)
                .wait(Some("Why?"), RANGE)
        };
        for text in ["databases", "I lead the billing team and we moved it all.", "yes"] {
            assert_eq!(wait(text, Some(true)), RANGE.min, "{text}");
            assert!(wait(text, Some(false)) > RANGE.min * 2, "{text}");
            assert!(wait(text, Some(false)) >= wait(text, None), "{text}");
        }
    }

    /// T04: the likelier an end is by its sound, the shorter the wait, and half as likely as not says
    /// nothing. No sound makes a finished sentence wait for a second, nor what goes on by its mark wait for
    /// less.
    #[test]
    fn the_sound_may_tell() {
        let wait = |text, ends_turn, ended_percent| {
            let whole = EndOfTurnProbability::of(text, false, ends_turn, Language::English)
                .weighed(ended_percent);
            whole.wait(Some("Why?"), RANGE).as_millis()
        };
        for text in
            ["databases", "I lead the billing team and we moved it all.", "yes", "sorry", "So we,"]
        {
            for ends_turn in [None, Some(true), Some(false)] {
                let mut last = u128::MAX;
                for ended in 0..=u8::MAX {
                    let now = wait(text, ends_turn, Some(ended));
                    assert!(now <= last, "{text}: {now} ms at {ended} %, {last} ms before");
                    assert!(now >= wait(text, Some(true), Some(ended)), "{text}: {now} ms");
                    last = now;
                }
                assert_eq!(wait(text, ends_turn, Some(50)), wait(text, ends_turn, None), "{text}");
            }
        }
        for (text, ended_percent, from, to) in [
            ("I lead the billing team and we moved it all.", 0, 900, 1_000),
            ("I lead the billing team and we moved it all.", 100, 300, 300),
            ("I lead the billing team and we moved it all", 0, 1_300, 1_700),
            ("And so my fellow Americans", 89, 1_300, 1_500),
            ("And so, my fellow Americans, ask not", 2, 2_400, 2_500),
            ("databases", 95, 300, 500),
            ("I lead a team.", 0, 1_300, 1_400),
            ("I lead a team", 0, 2_300, 2_500),
        ] {
            let wait = wait(text, None, Some(ended_percent));
            assert!((from..=to).contains(&wait), "{text}: {wait} ms, not {from} to {to}");
        }
    }

    /// T04: words that are like the beginning of a sentence are waited for, unless they sound like an end.
    #[test]
    fn the_examples_may_tell() {
        let wait = |ended_percent| {
            let whole = EndOfTurnProbability::of(
                "the reason for all of that was quite simply him.",
                true,
                None,
                Language::English,
            );
            let whole = whole.unfinished().weighed(ended_percent);
            whole.wait(Some("Why?"), RANGE).as_millis()
        };
        assert_eq!(wait(None), 2_500);
        assert_eq!(wait(Some(20)), 2_500);
        assert!((900..=1_100).contains(&wait(Some(95))), "{} ms", wait(Some(95)));
    }

    /// T04: a comma at the end says that more comes, as no mark does where others are written; where none is
    /// written that says nothing.
    #[test]
    fn marks_tell() {
        for (text, mark) in [
            ("We moved it.", Mark::Stop),
            ("We moved it all to \"the cloud.\"", Mark::Stop),
            ("Did we move it?", Mark::Stop),
            ("We moved it,", Mark::Comma),
            ("we moved it...", Mark::Comma),
            ("We moved it —", Mark::Comma),
            ("We moved it", Mark::Missing),
            ("well, we moved it", Mark::Missing),
            ("we moved it. then", Mark::Missing),
            ("we moved it", Mark::Unknown),
            ("I moved it", Mark::Unknown),
            ("I'm moving it to Berlin", Mark::Unknown),
            ("", Mark::Unknown),
        ] {
            assert_eq!(Mark::of(text, false), mark, "{text}");
            // Of a recogniser that is known to write marks.
            let known = if mark == Mark::Unknown { Mark::Missing } else { mark };
            assert_eq!(Mark::of(text, true), known, "{text}");
        }
        let closed = "Are you ready to start?";
        let goes_on = wait_ms(closed, "We moved the whole ledger to another database");
        assert!(goes_on > wait_ms(closed, "We moved the whole ledger to another database.") * 3);
        assert_eq!(goes_on, wait_ms(closed, "we moved the whole ledger, and the database,"));
        let unmarked = "we moved the whole ledger to another database";
        assert!(wait_ms(closed, unmarked) < 400);
        let known = EndOfTurnProbability::of(unmarked, true, None, Language::English)
            .wait(Some(closed), RANGE);
        assert_eq!(known.as_millis(), goes_on, "of a recogniser that is known to write marks");
        assert!(wait_ms(closed, "Yes I am ready") < 450, "a short answer is whole");
        assert!(wait_ms(closed, "Yes,") > 800);
    }

    /// T04: every wait lies in its range, and the likelier an end the shorter.
    #[test]
    fn waits_lie_in_their_range() {
        let mut last = Duration::MAX;
        for words_percent in 0..=100 {
            let whole = EndOfTurnProbability {
                words_percent,
                sound_percent: None,
                percent_min: 0,
                percent_max: 100,
                is_beginning: false,
            };
            let wait = whole.wait(None, RANGE);
            assert!(
                wait <= last && wait >= RANGE.min && wait <= RANGE.max,
                "{words_percent}: {wait:?}"
            );
            last = wait;
        }
        assert_eq!(last, RANGE.min);
    }

    /// Two who are sure outdo one, two who disagree say nothing, and nobody divides by nothing.
    #[test]
    fn odds_multiply() {
        for (one, other, together) in
            [(50, 70, 70), (90, 90, 98), (90, 10, 50), (96, 6, 60), (0, 100, 0), (100, 0, 0)]
        {
            assert_eq!(both(one, other), together, "{one} and {other}");
            assert_eq!(both(other, one), together, "{other} and {one}");
        }
    }
}
