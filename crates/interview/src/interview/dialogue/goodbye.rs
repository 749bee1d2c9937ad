//! Goodbyes: how an interview parts from the candidate, what they say into that, and the end.

use std::time::Duration;

use crate::interview::{
    Interview,
    course::Phase,
    dialogue::delivery::{Purpose, Reply},
    effect::{Effect, Say},
    exit::{End, Exit},
    turn_taking::{floor::Floor, turn::Turn},
    understanding::{
        cue::{Cue, cue, is_parting},
        words::sentences,
    },
};
use crate::{blueprint::Phrase, time::SessionTime};

/// A forced goodbye lasts so long at most; one that may be interrupted, so long.
pub(crate) const GOODBYE_LIMIT: Duration = Duration::from_secs(10);
pub(crate) const GOODBYE_OPEN_LIMIT: Duration = Duration::from_secs(45);
/// After the last words of an interview that is complete we listen for so long (X05).
pub(crate) const LAST_QUIET: Duration = Duration::from_millis(2_500);

/// Who talks into so many goodbyes hears the next one to its end.
const GOODBYES_MAX: u32 = 3;
/// Who says less, when we believe that they are gone, only says that they are there.
const CALL_WORDS: usize = 6;
/// Who wants to add something to a goodbye has so much time to begin.
const HOLD_IN_GOODBYE: Duration = Duration::from_secs(8);

impl Interview {
    /// From here on only the last words are left; `insists` if nobody may interrupt them.
    pub(crate) fn begin_goodbye(&mut self, end: End, turn: Option<Turn>, insists: bool) {
        let again = matches!(self.course.phase(), Phase::Leaving { .. }) && turn.is_some();
        let words = self.farewell(end, again);
        self.say_goodbye(end, words, turn, insists);
    }

    /// Whether our goodbye is to somebody whom we cannot hear.
    pub(crate) fn is_given_up(&self) -> bool {
        matches!(self.course.phase(), Phase::Leaving { end: End::CandidateSilent, .. })
    }

    /// Whoever we gave up as silent can be heard after all: the interview goes on. Whether it was so.
    pub(crate) fn take_up_again(&mut self) -> bool {
        let was_given_up = self.is_given_up();
        if was_given_up {
            self.course.take_up_again();
            (self.stage.silence.quiet, self.stage.pending.rungs) = (Duration::ZERO, 0);
            self.replies.take_suppressed();
        }
        was_given_up
    }

    /// "I'm here!", "yes?", "no, wait" answer nothing that was asked before. And whoever wants to stop, or
    /// says goodbye too, when we were about to stop is not asked whether they want to.
    pub(crate) fn cue_of_call(&mut self, cue: Option<Cue>, turn: &Turn) -> Option<Cue> {
        if cue == Some(Cue::Stop) {
            self.awaited.ask_stop();
        }
        let closes = self.agent().kind.closes();
        let agrees = matches!(cue, Some(Cue::Yes | Cue::No | Cue::Done));
        let is_bare = cue.is_none() || (agrees && !closes);
        let calls = is_bare && turn.said.words() < CALL_WORDS && self.awaited.read_back().is_none();
        if calls { Some(Cue::Repeat) } else { cue }
    }

    /// They have said something into our goodbye, soon after it, or before it sounded (X05, case 18).
    pub(crate) fn answer_into_goodbye(&mut self, end: End, turn: Turn) {
        let text = turn.said.text();
        if self.course.has_parted() && is_parting(&text) {
            // Who says goodbye too needs no other one. Whatever they say in the quiet that follows goes on
            // with it.
            self.stage.silence.hold_until = None;
            self.replies.take_suppressed();
            return self.turns.carry(Some(turn));
        }
        let cue = cue(&text);
        // They are about to say something.
        if cue == Some(Cue::Hold)
            && self.course.has_parted()
            && self.course.goodbyes() < GOODBYES_MAX
        {
            let turn = self.turns.named(Turn { cue, ..turn });
            self.say_goodbye(end, self.phrase(Phrase::Hold), Some(turn), false);
            self.stage.silence.hold_until = Some(self.own_now() + HOLD_IN_GOODBYE);
            return;
        }
        let before = cue.and_then(|cue| self.said_before_goodbye(cue, &text));
        // Of an answer that our goodbye was to, and that goes on, it was known before what it is.
        let cue = cue.filter(|_| before.is_some()).or(turn.cue);
        let turn = self.turns.named(Turn { cue, ..turn });
        let farewell = self.farewell(end, self.course.has_parted() && before.is_none());
        let words = format!("{} {farewell}", before.unwrap_or_default());
        self.say_goodbye(end, words.trim().to_owned(), Some(turn), false);
    }

    /// What some words of theirs are answered before we say goodbye; nothing to those that are only noted.
    fn said_before_goodbye(&self, cue: Cue, text: &str) -> Option<String> {
        match cue {
            // Nobody in distress is thanked for it; what we would ask them is settled.
            Cue::Distress => Some(statements(&self.phrase(Phrase::Distress))),
            Cue::Sensitive => Some(self.phrase(Phrase::Sensitive)),
            Cue::Question(about) => Some(self.answer_to(about, text)),
            // They want to hear it again.
            Cue::Repeat | Cue::Clarification | Cue::Rephrase => Some(String::new()),
            Cue::Hold
            | Cue::Stop
            | Cue::Skip
            | Cue::SkipPart
            | Cue::DontKnow
            | Cue::Declined
            | Cue::Done
            | Cue::Abusive
            | Cue::Correction
            | Cue::Yes
            | Cue::No => None,
        }
    }

    /// Our last words, the first time or `again`.
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
        self.stage.silence.hold_until = None;
        self.course.count_goodbye();
        let insists = insists || self.course.goodbyes() > GOODBYES_MAX;
        if end == End::MaxTurns {
            self.note_max_turns();
        }
        let limit = if insists { GOODBYE_LIMIT } else { GOODBYE_OPEN_LIMIT };
        let until = self.own_now() + limit;
        // Who goes on speaking into a goodbye does not get more time for it.
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

    /// Up to then whoever speaks up after a goodbye is heard: it ended at `since`, in the interview's own
    /// time.
    pub(crate) fn quiet_until(&self, since: SessionTime) -> SessionTime {
        since.max(self.held_until()) + LAST_QUIET
    }

    /// A goodbye that may be interrupted was, for long: the last one may not be (H04).
    pub(crate) fn on_goodbye_limit(&mut self) {
        let Phase::Leaving { end, .. } = self.course.phase() else { return };
        // It was heard, and the quiet after it is not over (X05).
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
            // One that has just begun is heard to its end. It is the last that may be interrupted.
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

    /// The end. Commits what the candidate said last.
    pub(crate) fn hang_up(&mut self, end: End) {
        if self.course.phase() == Phase::Ended {
            return;
        }
        self.hush();
        let now = self.own_now();
        if let Some(turn) = self.take_unanswered(now) {
            self.commit(turn);
        }
        self.course.end();
        self.outbox.push(Effect::Hangup { end });
    }
}

/// Of a text what is no question.
fn statements(text: &str) -> String {
    let said: Vec<&str> = sentences(text).filter(|sentence| !sentence.contains('?')).collect();
    said.join(" ")
}
