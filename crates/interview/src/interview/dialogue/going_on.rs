//! What the candidate is asked about the course of the interview: whether to leave a question after time to
//! think (T03), and whether to go on when the rounds of a backlog are over (K03).

use std::time::Duration;

use language::Intent;

use crate::interview::{
    Interview,
    dialogue::delivery::Purpose,
    effect::{Say, Task},
    exit::{Exit, Reason},
    stage,
    transition::{Cause, decide},
    turn_taking::turn::Turn,
    understanding::{english::to_ending, signal::signal_of, words::normal},
};
use crate::{
    blueprint::{Language, Phrase},
    time::SessionTime,
};

/// With less time than that left nobody is asked whether to go on: a question and its answer take longer.
const ROUND_MIN: Duration = Duration::from_secs(60);

impl Interview {
    /// How much is left of the stage's time, and of the interview's.
    pub(crate) fn time_left(&self, now: SessionTime) -> Duration {
        let whole = self.course.began() + self.script.plan().interview_limit();
        self.stage.limit(self.agent()).min(whole).since(now)
    }

    /// Asks whether the question is left out, when the time to think is over (T03).
    pub(crate) fn ask_to_leave(&mut self) {
        let words = match self.phrase(Phrase::AskToLeave) {
            // An older interview has no words for it.
            none if none.is_empty() => self.phrase(Phrase::OfferSkip),
            words => words,
        };
        self.think(Say::Text(words), Purpose::Rung, None, None);
    }

    /// Leaves the question that waits: nobody has said a word to it, nor to whether it is left.
    pub(crate) fn leave_question(&mut self) {
        self.questions.forget_unheard();
        self.questions.set_answered(true);
        self.skip_agenda();
        match decide(&self.facts()) {
            Some(exit) if self.may_go_on(exit) => self.ask_to_go_on(None),
            Some(exit) => self.begin_exit(exit, None),
            None => self.ask_from_file(&self.left_unanswered(), Purpose::Ask, None),
        }
    }

    /// Whether an exit is only for the number of questions, and they may go on: something is open, there is
    /// time for it, and they were not asked yet (K03).
    pub(crate) fn may_go_on(&self, exit: Exit) -> bool {
        let why = match exit {
            Exit::Stage { why, .. } => Some(why),
            Exit::Interview { why, .. } => why,
        };
        why == Some(Reason::QuestionLimit)
            && stage::of(&self.agent().kind).has_rounds()
            && !self.awaited.asks_to_go_on()
            && !self.is_agenda_done()
            && self.time_left(self.own_now()) >= ROUND_MIN
            && !self.phrase(Phrase::AskToGoOn).is_empty()
    }

    /// Asks whether to go on, after a turn or without one.
    pub(crate) fn ask_to_go_on(&mut self, turn: Option<Turn>) {
        let before = match &turn {
            Some(turn) => {
                let signal = signal_of(&turn.said.text(), false).score;
                self.acknowledgement(Task::Follow, turn.intent, signal)
            }
            None => self.left_unanswered(),
        };
        let words = format!("{before} {}", self.phrase(Phrase::AskToGoOn));
        self.think(Say::Text(words.trim().to_owned()), Purpose::GoOn, turn, None);
    }

    /// They agreed to go on: the next question.
    pub(crate) fn go_further(&mut self, turn: Turn) {
        let words = self.phrase(Phrase::GoOn);
        self.ask_from_file(&words, Purpose::Ask, Some(turn));
    }

    /// They do not want to go on, or say nothing to it: what is open stays open.
    pub(crate) fn close_rounds(&mut self, turn: Option<Turn>) {
        let facts = self.facts().with(Cause::QuestionLimit, true);
        if let Some(exit) = decide(&facts) {
            self.begin_exit(exit, turn);
        }
    }

    /// Whether a turn is a yes or no to one of these questions, and so no answer to the one before.
    pub(crate) fn settles_course(&self, turn: &Turn) -> bool {
        let is_asked = self.awaited.asks_to_go_on() || self.awaited.asks_to_leave();
        is_asked && matches!(turn.intent, Intent::Yes | Intent::No)
    }

    /// What words that `found` says mean where we asked whether to go on: who would rather stop, or has
    /// nothing to add, says no.
    pub(crate) fn intent_to_going_on(&self, text: &str, found: Intent) -> Intent {
        let refuses = matches!(
            found,
            Intent::No
                | Intent::Stop
                | Intent::Done
                | Intent::Skip
                | Intent::SkipPart
                | Intent::Decline
        );
        if refuses || self.says_no(text) {
            return Intent::No;
        }
        let first = normal(text);
        let first = first.split(' ').next().unwrap_or_default();
        // "We can go on" is no wish to end, so it is a yes.
        let agrees = match self.script.language() {
            Language::English => {
                matches!(first, "yes" | "yeah" | "sure") || to_ending(text) == Some(Intent::No)
            }
            Language::German => first == "ja",
            Language::Italian => matches!(first, "sì" | "si"),
        };
        if agrees && found.is_plain_answer() { Intent::Yes } else { found }
    }
}
