//! Pauses of the candidate: how long one lasts before it is the end of the turn.

use language::Intent;

use crate::interview::{
    Interview,
    course::Phase,
    timer::Timer,
    turn_taking::{said::Ending, turn::Turn},
};
use crate::{
    time::SessionTime,
    values::{self, Reading},
};
use std::time::Duration;

/// The longest wait for a final transcript after the last voice (case 30).
const FINAL_LIMIT: Duration = Duration::from_secs(2);
/// After a stop in the middle of a sentence: the time until the soft prompt, and the longest wait (T04), for
/// a candidate without [longer pauses](crate::blueprint::Pauses).
const SOFT_PROMPT_AFTER: Duration = Duration::from_secs(8);
const IN_SENTENCE_LIMIT: Duration = Duration::from_secs(15);
/// After a value that is not whole: the time until they are told to go on, and the longest wait (L06).
const VALUE_PROMPT_AFTER: Duration = Duration::from_secs(3);
const VALUE_LIMIT: Duration = Duration::from_secs(10);
/// The shortest wait after a number that may have another group.
const GROUP_LIMIT: Duration = Duration::from_secs(2);
/// The shortest wait while a turn detector that has weighed a pause before has not weighed this one: on a
/// busy machine a finished sentence would be answered before it could say that more comes.
const WEIGHING_LIMIT: Duration = Duration::from_millis(600);

impl Interview {
    /// The time at which a pause becomes the end of a turn, and its timer (T04).
    pub(crate) fn pause_deadline(&self, turn: &Turn, stopped: SessionTime) -> (SessionTime, Timer) {
        let (language, pauses) = (self.script.language(), self.script.pauses());
        let value = self.value_so_far(turn);
        let is_half = value == Some(Reading::Unfinished);
        if is_half && !turn.has_gone_on() {
            return match turn.patience.prompted_after {
                None => (stopped + pauses.stretch(VALUE_PROMPT_AFTER), Timer::SoftPrompt),
                Some(_) => (stopped + pauses.stretch(VALUE_LIMIT), Timer::Endpointing),
            };
        }
        let may_go_on =
            is_half || value.and_then(Reading::whole).is_some_and(|value| value.may_go_on);
        let least = if may_go_on { pauses.stretch(GROUP_LIMIT) } else { Duration::ZERO };
        let ending = match (is_half, turn.patience.waited) {
            // What they said after "go on" did not make it whole: it is asked for again.
            (true, _) => Ending::Whole,
            (false, true) => Ending::InSentence,
            (false, false) => turn.said.ending(language),
        };
        // A goodbye is not the time for patience.
        if ending == Ending::InSentence && self.course.phase() == Phase::Running {
            return match turn.patience.prompted_after {
                None => (stopped + pauses.stretch(SOFT_PROMPT_AFTER), Timer::SoftPrompt),
                Some(_) => (stopped + pauses.stretch(IN_SENTENCE_LIMIT), Timer::Endpointing),
            };
        }
        let is_final = turn.said.is_final_up_to(stopped + self.timeline.presence().stopped());
        let wait = match ending {
            Ending::Whole => {
                self.usual_wait(turn, stopped) * 2u32.pow(turn.patience.restarts.min(8))
            }
            Ending::Perhaps | Ending::InSentence => Duration::MAX,
        };
        let wait = wait.min(self.longest_wait()).max(least);
        let wait = if is_final { wait } else { wait.max(FINAL_LIMIT) };
        (stopped + wait, Timer::Endpointing)
    }

    /// What a turn says of the value that is awaited, if one is.
    pub(crate) fn value_so_far(&self, turn: &Turn) -> Option<Reading> {
        // What is typed was sent when it was whole, and a goodbye is not the time for patience.
        let waits = self.course.phase() == Phase::Running && !turn.said.is_typed();
        let field = self.field_awaited().filter(|_| waits)?;
        let text = self.turns.whole_text(turn);
        let reading = values::read(&text, field, self.script.language());
        Some(reading).filter(|reading| *reading != Reading::Unfinished || !self.is_no_value(&text))
    }

    /// Whether words that could be the beginning of a value say something else: "no, that is wrong", or begin
    /// with what leaves the question open: "no idea, Anna".
    fn is_no_value(&self, text: &str) -> bool {
        const WORDS_MAX: usize = 4;
        let says_else = self.intent_by_words(text).is_some_and(|found| {
            !found.is_plain_answer() && !matches!(found, Intent::Hold | Intent::Correct)
        });
        let words: Vec<&str> = text.split_whitespace().collect();
        let leaves_open = |words: &[&str]| {
            self.intent_by_words(&words.join(" ")).is_some_and(Intent::leaves_open)
        };
        says_else || (1..=words.len().min(WORDS_MAX)).any(|end| leaves_open(&words[..end]))
    }

    /// The wait after a turn that does not end in the middle of a sentence.
    fn usual_wait(&self, turn: &Turn, stopped: SessionTime) -> Duration {
        let question = self.questions.last().map(|asked| asked.text.as_str());
        let (range, pauses) = (self.agent().endpointing, self.script.pauses());
        // What is typed has no sound.
        let has_sound = !turn.said.is_typed();
        let weighed = self.weighed_at(stopped).filter(|_| has_sound);
        let is_due = has_sound && self.hearing.scored().is_some() && weighed.is_none();
        let least = if is_due { WEIGHING_LIMIT } else { Duration::ZERO };
        let writes_marks = self.hearing.recogniser.writes_marks;
        let adapted = || {
            let whole = turn.said.end_of_turn(writes_marks, self.script.language());
            let goes_on = !turn.said.is_told_to_end() && self.turns.is_unfinished(turn);
            let whole = if goes_on { whole.unfinished() } else { whole };
            pauses.stretch(whole.weighed(weighed).wait(question, range)).max(least)
        };
        let fixed = self.script.plan().turns.endpointing.map(|wait| pauses.stretch(wait));
        fixed.unwrap_or_else(adapted)
    }

    /// The longest wait for the end of a turn, however often it went on.
    fn longest_wait(&self) -> Duration {
        let usual = self.script.plan().turns.endpointing.unwrap_or_default();
        self.script.pauses().stretch(self.agent().endpointing.max.max(usual))
    }
}
