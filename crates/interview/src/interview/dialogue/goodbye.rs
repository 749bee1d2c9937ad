//! Goodbyes: the interviewer's last words, what the candidate says into them, and the end.

use language::Intent;

use std::time::Duration;

use crate::interview::{
    Interview,
    course::Phase,
    dialogue::delivery::{Purpose, Reply},
    effect::{Effect, Say},
    exit::{End, Exit},
    turn_taking::{floor::Floor, turn::Turn},
    understanding::words::sentences,
};
use crate::{blueprint::Phrase, time::SessionTime};

/// The longest time for a goodbye that is uninterruptible, and for one that is not.
pub(crate) const GOODBYE_LIMIT: Duration = Duration::from_secs(10);
pub(crate) const GOODBYE_OPEN_LIMIT: Duration = Duration::from_secs(45);
/// The time to listen after the last words of a complete interview (X05).
pub(crate) const LAST_QUIET: Duration = Duration::from_millis(2_500);

/// After this many interrupted goodbyes the next one is uninterruptible.
const GOODBYES_MAX: u32 = 3;
/// Fewer words, from a candidate we believed silent, only say that they are there.
const CALL_WORDS: usize = 6;
/// The time to begin for a candidate who wants to add something to a goodbye.
const HOLD_IN_GOODBYE: Duration = Duration::from_secs(8);

impl Interview {
    /// Begins the goodbye, uninterruptible if it `insists`.
    pub(crate) fn begin_goodbye(&mut self, end: End, turn: Option<Turn>, insists: bool) {
        let again = matches!(self.course.phase(), Phase::Leaving { .. }) && turn.is_some();
        let words = self.farewell(end, again);
        self.say_goodbye(end, words, turn, insists);
    }

    /// Whether the goodbye is for a candidate whom we cannot hear.
    pub(crate) fn is_given_up(&self) -> bool {
        matches!(self.course.phase(), Phase::Leaving { end: End::CandidateSilent, .. })
    }

    /// Goes on with the interview if the goodbye was for silence: they can be heard after all. Returns
    /// whether it was.
    pub(crate) fn take_up_again(&mut self) -> bool {
        let was_given_up = self.is_given_up();
        if was_given_up {
            self.course.take_up_again();
            (self.stage.silence.quiet, self.stage.pending.rungs) = (Duration::ZERO, 0);
            self.replies.take_suppressed();
        }
        was_given_up
    }

    /// Whether a turn answers no question: "I'm here!", "yes?", "no, wait". A wish to stop, or a goodbye,
    /// into our goodbye needs no confirmation either.
    pub(crate) fn intent_of_call(&mut self, found: Intent, turn: &Turn) -> Intent {
        if found == Intent::Stop {
            self.awaited.ask_stop();
        }
        let closes = self.agent().kind.closes();
        let agrees = matches!(found, Intent::Yes | Intent::No | Intent::Done);
        let is_bare = found.is_plain_answer() || (agrees && !closes);
        let calls = is_bare && turn.said.words() < CALL_WORDS && self.awaited.read_back().is_none();
        if calls { Intent::Repeat } else { found }
    }

    /// Answers words into our goodbye, soon after it, or before it sounded (X05, case 18).
    pub(crate) fn answer_into_goodbye(&mut self, end: End, turn: Turn) {
        let text = turn.said.text();
        if self.course.has_parted() && self.is_parting(&text) {
            // They say goodbye, too: no other goodbye is needed. Words in the quiet after it belong to it.
            self.stage.silence.end_hold();
            self.replies.take_suppressed();
            return self.turns.carry(Some(turn));
        }
        let found = self.intent_by_words(&text).unwrap_or(Intent::ANSWER);
        // They are about to say something.
        if found == Intent::Hold
            && self.course.has_parted()
            && self.course.goodbyes() < GOODBYES_MAX
        {
            let turn = self.turns.named(Turn { intent: found, ..turn });
            self.say_goodbye(end, self.phrase(Phrase::Hold), Some(turn), false);
            self.stage.silence.hold_until = Some(self.own_now() + HOLD_IN_GOODBYE);
            return;
        }
        let before = self.said_before_goodbye(found, &text);
        // The intent of an answer that goes on after our goodbye was known before.
        let intent = if before.is_some() { found } else { turn.intent };
        let turn = self.turns.named(Turn { intent, ..turn });
        let farewell = self.farewell(end, self.course.has_parted() && before.is_none());
        let words = format!("{} {farewell}", before.unwrap_or_default());
        self.say_goodbye(end, words.trim().to_owned(), Some(turn), false);
    }

    /// The reply to words into a goodbye, if they need one.
    fn said_before_goodbye(&self, intent: Intent, text: &str) -> Option<String> {
        match intent {
            // Distress is not thanked for, and the stop is settled.
            Intent::Distress => Some(statements(&self.phrase(Phrase::Distress))),
            Intent::Sensitive => Some(self.phrase(Phrase::Sensitive)),
            Intent::Ask(about) => Some(self.answer_to(about, text)),
            // They want to hear the goodbye again.
            Intent::Repeat | Intent::Sound | Intent::Clarify => Some(String::new()),
            Intent::Answer(_)
            | Intent::Unfinished
            | Intent::Hold
            | Intent::Stop
            | Intent::Skip
            | Intent::SkipPart
            | Intent::DontKnow
            | Intent::Decline
            | Intent::Done
            | Intent::Abusive
            | Intent::Correct
            | Intent::Yes
            | Intent::No => None,
        }
    }

    /// Says the last words, the first time or `again`.
    fn farewell(&self, end: End, again: bool) -> String {
        let phrase = match end {
            End::Completed | End::MaxTurns if again => Phrase::FarewellAgain,
            End::Completed | End::MaxTurns => Phrase::Farewell,
            End::CandidateSilent => Phrase::FarewellSilent,
            End::Abuse => Phrase::FarewellAbuse,
            End::CandidateEnded
            | End::CandidateLeft
            | End::NoShow
            | End::OutOfTime
            | End::Technical
            | End::Operator => Phrase::FarewellEarly,
        };
        self.phrase(phrase)
    }

    fn say_goodbye(&mut self, end: End, words: String, turn: Option<Turn>, insists: bool) {
        self.stage.silence.end_hold();
        self.course.count_goodbye();
        let insists = insists || self.course.goodbyes() > GOODBYES_MAX;
        if end == End::MaxTurns {
            self.note_max_turns();
        }
        let limit = if insists { GOODBYE_LIMIT } else { GOODBYE_OPEN_LIMIT };
        let until = self.own_now() + limit;
        // More words into a goodbye do not extend its time.
        if insists || self.course.phase() == Phase::Running {
            self.course.leave(end, until);
        }
        let exit = Some(Exit::Interview { end, why: None });
        self.think(Say::Text(words), Purpose::Farewell { insists }, turn, exit);
    }

    pub(crate) fn hang_up_as_planned(&mut self) {
        if let Phase::Leaving { end, .. } = self.course.phase() {
            self.hang_up(end);
        }
    }

    /// The end of the time in which words after a goodbye count; it ended at `since`, in the interview's own
    /// time.
    pub(crate) fn quiet_until(&self, since: SessionTime) -> SessionTime {
        since.max(self.held_until()) + LAST_QUIET
    }

    /// Ends a goodbye that was interrupted for long: the last one is uninterruptible (H04).
    pub(crate) fn on_goodbye_limit(&mut self) {
        let Phase::Leaving { end, .. } = self.course.phase() else { return };
        // The goodbye was heard, and the time to listen is not over (X05).
        if let Floor::Open { since } = self.floor
            && self.quiet_until(since) > self.own_now()
        {
            self.course.leave(end, self.quiet_until(since));
            return;
        }
        if !self.floor.is_candidates() {
            let is_open = |reply: &Reply| reply.purpose == Purpose::Farewell { insists: false };
            if self.course.goodbyes() > GOODBYES_MAX || !self.floor.reply().is_some_and(is_open) {
                return self.hang_up(end);
            }
            // A goodbye that has just begun is said to its end. It is the last interruptible one.
            self.course.set_goodbyes(GOODBYES_MAX + 1);
            self.course.leave(end, self.own_now() + GOODBYE_LIMIT);
            return;
        }
        let has_words = self.floor.turn().is_some_and(|turn| turn.said.words() > 0);
        if has_words && self.take_up_again() {
            return;
        }
        let turn = self.take_unanswered(self.own_now());
        self.begin_goodbye(end, turn, true);
    }

    /// Ends the interview, and commits the candidate's last words.
    pub(crate) fn hang_up(&mut self, end: End) {
        if self.course.phase() == Phase::Ended {
            return;
        }
        self.hush();
        let now = self.own_now();
        if let Some(turn) = self.take_unanswered(now) {
            self.commit(turn);
        }
        let is_whole = matches!(end, End::Completed | End::MaxTurns | End::OutOfTime);
        self.note_depth(is_whole && self.is_at_limit());
        self.course.end();
        self.outbox.push(Effect::Hangup { end });
    }
}

/// The sentences of a text that are no question.
fn statements(text: &str) -> String {
    let said: Vec<&str> = sentences(text).filter(|sentence| !sentence.contains('?')).collect();
    said.join(" ")
}
