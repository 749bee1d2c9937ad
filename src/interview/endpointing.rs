//! How long a pause lasts before it is the end of a turn: what was said decides (T04 aside).

use std::time::Duration;

use super::{
    FINAL_LIMIT, Interview, Phase,
    cue::{Cue, cue},
    floor::{Ending, Turn},
    timer::Timer,
    words::{plain, split},
};
use crate::{blueprint::Endpointing, time::SessionTime};

/// Who stops in the middle of a sentence is told that there is time, and then waited for (T04).
const SOFT_PROMPT_AFTER: Duration = Duration::from_secs(8);
const IN_SENTENCE_LIMIT: Duration = Duration::from_secs(15);

/// How whole a turn seems in hundredths, and how much of the way from the shortest wait to the longest that makes.
const WAITS: [(u32, u32); 5] = [(100, 0), (90, 3), (80, 5), (50, 27), (15, 100)];
/// A sentence with its mark at the end; one without, from a recogniser that writes none; a short answer that is whole.
const MARKED: u32 = 100;
const UNMARKED: u32 = 90;
const SHORT: u32 = 85;
/// Fewer words are nothing whole by themselves.
const WORDS_MIN: usize = 3;
const FEW: u32 = 50;
/// A recogniser that tells the ends of turns does so sooner than that, so it takes this for none.
const GOES_ON: u32 = 50;
/// Who hears the end of a turn in its sound is believed from here on, and up to here that it goes on; in between that says
/// nothing. Most ends of people came out at 90 and more, their pauses at 4 and less (`docs/bench-turns.md`).
const ENDED_PERCENT_MIN: u8 = 80;
const GOES_ON_PERCENT_MAX: u8 = 20;
/// So whole a turn is at most that goes on by its sound. It is wrong now and then, and does not say so later.
const SOUNDS_OPEN: u32 = 40;
/// An open question with fewer words for an answer: more will come.
const ANSWER_WORDS: usize = 8;
const OPEN_PERCENT: u32 = 60;
/// Longer turns are not looked at as short answers.
const SHORT_WORDS_MAX: usize = 8;

/// How whole a turn seems, whatever it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wholeness {
    hundredths: u32,
    /// Whether the turn ends there, where the recogniser can tell.
    ends_turn: Option<bool>,
    /// Whether it may be only the beginning of an answer to an open question.
    is_beginning: bool,
}

impl Wholeness {
    /// Of a turn that does not end in the middle of a sentence; `ends_turn` is what a recogniser that can tell says of it.
    pub(super) fn of(text: &str, ends_turn: Option<bool>) -> Self {
        let words = text.split_whitespace().count();
        let is_marked = text.trim_end().ends_with(['.', '!', '?', '。', '！', '？']);
        let answer = (words <= SHORT_WORDS_MAX).then(|| cue(text)).flatten();
        let hundredths = match answer {
            // Who is told to go on by a word of theirs is not waited for; an apology or a correction goes on.
            Some(Cue::Correction | Cue::Sensitive | Cue::Distress) => FEW,
            Some(_) => SHORT.max(if is_marked { MARKED } else { 0 }),
            None if words < WORDS_MIN => FEW,
            None if is_marked => MARKED,
            None => UNMARKED,
        };
        let is_beginning = answer.is_none() && words < ANSWER_WORDS;
        match ends_turn {
            Some(true) => Self { hundredths: MARKED, ends_turn, is_beginning: false },
            Some(false) => Self { hundredths: hundredths.min(GOES_ON), ends_turn, is_beginning },
            None => Self { hundredths, ends_turn, is_beginning },
        }
    }

    /// The same, when it is known how likely its sound ends the turn. Where that and the recogniser disagree somebody waits too
    /// long: to cut in is worse.
    pub(super) fn weighed(self, ended_percent: Option<u8>) -> Self {
        match (ended_percent, self.ends_turn) {
            (Some(ENDED_PERCENT_MIN..), None | Some(true)) => {
                Self { hundredths: MARKED, is_beginning: false, ..self }
            }
            (Some(..=GOES_ON_PERCENT_MAX), _) => {
                Self { hundredths: self.hundredths.min(SOUNDS_OPEN), ..self }
            }
            (None | Some(_), _) => self,
        }
    }

    /// How long to wait after it; `question` is what it answers.
    pub(super) fn wait(self, question: Option<&str>, range: Endpointing) -> Duration {
        let is_open = self.is_beginning && question.is_some_and(is_open);
        let hundredths =
            if is_open { self.hundredths * OPEN_PERCENT / 100 } else { self.hundredths };
        let way = range.max.saturating_sub(range.min);
        range.min + way * way_percent(hundredths) / 100
    }
}

/// Between two of [`WAITS`] in a straight line.
fn way_percent(hundredths: u32) -> u32 {
    for pair in WAITS.windows(2) {
        let [(high, short), (low, long)] = [pair[0], pair[1]];
        if hundredths >= low {
            return short + (long - short) * (high - hundredths.min(high)) / (high - low);
        }
    }
    100
}

/// Questions that a word can answer begin with one of these.
const CLOSED: [&str; 22] = [
    "are", "is", "do", "does", "did", "have", "has", "had", "was", "were", "will", "would",
    "shall", "should", "may", "can", "could", "am", "when", "who", "which", "where",
];
/// What a closed beginning may still ask for: a story.
const TELLING: [&str; 6] = ["tell", "describe", "explain", "walk", "say", "share"];

/// Whether a question asks for more than a word: its last clause says.
fn is_open(question: &str) -> bool {
    let clause = question.rsplit([':', ',', ';']).next().unwrap_or(question);
    let words = plain(clause);
    let words = split(&words);
    let is_closed = words.first().is_some_and(|word| CLOSED.contains(word));
    !is_closed || words.iter().take(4).any(|word| TELLING.contains(word))
}

impl Interview {
    /// How long a pause lasts before it is the end of a turn (T04).
    pub(super) fn pause_deadline(&self, turn: &Turn, stopped: SessionTime) -> (SessionTime, Timer) {
        let ending = if turn.waited { Ending::InSentence } else { turn.said.ending() };
        // A goodbye is not the time for patience.
        if ending == Ending::InSentence && self.phase == Phase::Running {
            return match turn.prompted {
                false => (stopped + SOFT_PROMPT_AFTER, Timer::SoftPrompt),
                true => (stopped + IN_SENTENCE_LIMIT, Timer::Endpointing),
            };
        }
        let is_final = turn.said.is_final_up_to(stopped + self.stopped_total);
        let wait = match ending {
            Ending::Whole => self.usual_wait(turn, stopped) * 2u32.pow(turn.restarts.min(8)),
            Ending::Perhaps | Ending::InSentence => Duration::MAX,
        };
        let wait = wait.min(self.longest_wait());
        let wait = if is_final { wait } else { wait.max(FINAL_LIMIT) };
        (stopped + wait, Timer::Endpointing)
    }

    /// The silence after a turn that does not end in the middle of a sentence.
    fn usual_wait(&self, turn: &Turn, stopped: SessionTime) -> Duration {
        let question = self.question.as_ref().map(|asked| asked.text.as_str());
        let range = self.plan.agents[self.stage.index].endpointing;
        // What is typed has no sound.
        let weighed = self.weighed_at(stopped).filter(|_| !turn.said.is_typed());
        let adapted = || turn.said.wholeness().weighed(weighed).wait(question, range);
        self.plan.turns.endpointing.unwrap_or_else(adapted)
    }

    /// The longest wait for the end of a turn, however often it went on.
    fn longest_wait(&self) -> Duration {
        let usual = self.plan.turns.endpointing.unwrap_or_default();
        self.plan.agents[self.stage.index].endpointing.max.max(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Endpointing =
        Endpointing { min: Duration::from_millis(300), max: Duration::from_millis(2_500) };

    fn wait_ms(question: &str, text: &str) -> u128 {
        Wholeness::of(text, None).wait(Some(question), RANGE).as_millis()
    }

    /// Q01: a finished sentence is answered after 0.3 s, whole short answers soon after; a word or two to an open
    /// question are the beginning of more.
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
            (closed, "I lead a team", 330, 400),
            ("Can you tell me about your work?", "I lead a team", 700, 1_000),
            (open, "billing", 1_200, 2_000),
        ] {
            let wait = wait_ms(question, text);
            assert!((from..=to).contains(&wait), "{text}: {wait} ms, not {from} to {to}");
        }
    }

    /// T04: where the recogniser tells the end of a turn it is that, and what it does not take for one is waited for.
    #[test]
    fn the_recogniser_may_tell() {
        let wait = |text, ends_turn| Wholeness::of(text, ends_turn).wait(Some("Why?"), RANGE);
        for text in ["databases", "I lead the billing team and we moved it all.", "yes"] {
            assert_eq!(wait(text, Some(true)), RANGE.min, "{text}");
            assert!(wait(text, Some(false)) > RANGE.min * 2, "{text}");
            assert!(wait(text, Some(false)) >= wait(text, None), "{text}");
        }
    }

    /// T04: what the sound says shortens the wait for what seems open and lengthens it for what seems whole; between its two
    /// bounds it says nothing, and of two who tell the more patient one is followed.
    #[test]
    fn the_sound_may_tell() {
        let wait = |text, ends_turn, ended_percent| {
            let whole = Wholeness::of(text, ends_turn).weighed(ended_percent);
            whole.wait(Some("Why?"), RANGE)
        };
        for text in ["databases", "I lead the billing team and we moved it all.", "yes", "sorry"] {
            for ended in [ENDED_PERCENT_MIN, 100, u8::MAX] {
                assert_eq!(wait(text, None, Some(ended)), RANGE.min, "{text}");
                assert_eq!(wait(text, Some(true), Some(ended)), RANGE.min, "{text}");
                assert_eq!(wait(text, Some(false), Some(ended)), wait(text, Some(false), None));
            }
            for open in [0, GOES_ON_PERCENT_MAX] {
                let patient = wait(text, None, Some(open));
                assert!(patient > RANGE.min * 3, "{text}: {patient:?}");
                assert!(patient >= wait(text, None, None), "{text}: {patient:?}");
                assert!(wait(text, Some(true), Some(open)) > RANGE.min * 3, "{text}");
                assert!(wait(text, Some(false), Some(open)) >= patient, "{text}");
            }
            for unsure in [GOES_ON_PERCENT_MAX + 1, 50, ENDED_PERCENT_MIN - 1] {
                assert_eq!(wait(text, None, Some(unsure)), wait(text, None, None), "{text}");
            }
        }
    }

    /// T04: every wait lies in its range, and the wholer the shorter.
    #[test]
    fn waits_lie_in_their_range() {
        let mut last = Duration::MAX;
        for hundredths in 0..=100 {
            let wait =
                Wholeness { hundredths, ends_turn: None, is_beginning: false }.wait(None, RANGE);
            assert!(
                wait <= last && wait >= RANGE.min && wait <= RANGE.max,
                "{hundredths}: {wait:?}"
            );
            last = wait;
        }
        assert_eq!(last, RANGE.min);
    }
}
