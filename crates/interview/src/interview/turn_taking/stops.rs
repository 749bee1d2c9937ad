//! Stops: the candidate leaves and comes back, the line is cut and mended. Meanwhile the interview's own time
//! stands still (R06).

use language::Intent;

use std::time::Duration;

use crate::interview::{
    Interview,
    course::Phase,
    dialogue::delivery::Purpose,
    effect::Say,
    exit::End,
    stage::Stage,
    turn_taking::{
        floor::Floor,
        presence::{Presence, Stop},
        turn::Turn,
    },
};
use crate::{blueprint::Phrase, time::SessionTime};

/// The longest wait for an absent candidate.
const AWAY_LIMIT: Duration = Duration::from_secs(120);
/// The longest wait for a candidate who asked for a pause.
const PAUSE_LIMIT: Duration = Duration::from_secs(30 * 60);
/// The longest sum of all stops of an interview.
const STOPS_LIMIT: Duration = Duration::from_secs(30 * 60);
/// A shorter stop is not spoken about.
const HICCUP: Duration = Duration::from_secs(2);

impl Interview {
    /// The longest stop that is passed over without a word.
    pub const fn hiccup() -> Duration {
        HICCUP
    }

    /// Begins or ends a stop, as `change` says.
    pub(crate) fn on_presence(&mut self, change: impl FnOnce(&mut Presence)) {
        change(self.timeline.presence_mut());
        match (self.course.phase(), &self.floor, self.timeline.presence().is_together()) {
            (Phase::Lobby, _, true) => self.begin(),
            (Phase::Running | Phase::Leaving { .. }, Floor::Away { .. }, true) => self.resume(),
            (Phase::Running | Phase::Leaving { .. }, Floor::Away { .. }, false) => {
                self.wait_longer()
            }
            (Phase::Running | Phase::Leaving { .. }, _, false) => self.stop(),
            (Phase::Lobby | Phase::Running | Phase::Leaving { .. } | Phase::Ended, _, _) => {}
        }
    }

    pub(crate) fn on_away_limit(&mut self) {
        let end = match self.course.phase() {
            Phase::Leaving { end, .. } => end,
            Phase::Lobby | Phase::Running | Phase::Ended
                if !self.timeline.presence().is(Stop::Gone)
                    && !self.timeline.presence().is(Stop::Paused) =>
            {
                End::Technical
            }
            Phase::Lobby | Phase::Running | Phase::Ended => End::CandidateLeft,
        };
        self.hang_up(end);
    }

    fn begin(&mut self) {
        // The wait for the candidate does not count as the interview's time.
        let now = self.own_now();
        self.course.begin(now);
        self.stage = Stage::enter(0, 0, now);
        self.listen_for_keyterms();
        self.think(self.opening(), Purpose::Ask, None, None);
    }

    /// The longest wait for a stop that began at `since`.
    fn stop_ends(&self, since: SessionTime) -> SessionTime {
        let limit =
            if self.timeline.presence().is(Stop::Paused) { PAUSE_LIMIT } else { AWAY_LIMIT };
        since + limit.min(STOPS_LIMIT.saturating_sub(self.timeline.presence().stopped()))
    }

    /// Extends the wait for an absent candidate who asks for a pause.
    fn wait_longer(&mut self) {
        let Floor::Away { since, .. } = self.floor else { return };
        let ends = self.stop_ends(since);
        if let Floor::Away { until, .. } = &mut self.floor {
            *until = ends.max(*until);
        }
    }

    fn stop(&mut self) {
        let since = self.timeline.now();
        self.hearing.set_voiced(false);
        let quiet = self.own(since);
        if let Floor::Interviewer { held: Some(held), .. } = &mut self.floor {
            held.quiet = Some(quiet);
        }
        let before = Box::new(self.replace_floor(Floor::Open { since }));
        self.floor = Floor::Away { since, until: self.stop_ends(since), before };
    }

    fn resume(&mut self) {
        let now = self.own_now();
        let Floor::Away { since, before, .. } = self.replace_floor(Floor::Open { since: now })
        else {
            return;
        };
        let (gap, was_paused) = {
            let now = self.timeline.now();
            self.timeline.presence_mut().go_on(since, now)
        };
        let now = self.own_now();
        let is_short = gap <= HICCUP && !was_paused;
        // A reply that could not be made while they were away.
        let owed = match *before {
            Floor::Open { .. } => self.replies.take_suppressed(),
            Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Thinking { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. } => None,
        };
        if let Some(reply) = owed
            && (is_short || self.course.phase() != Phase::Running)
        {
            let turn = self.turns.take_carried();
            return self.replace_reply(&reply, turn, "");
        }
        if is_short {
            self.floor = match *before {
                Floor::Candidate { turn } => Floor::Pause { turn, stopped: now },
                other @ (Floor::Open { .. }
                | Floor::Pause { .. }
                | Floor::Thinking { .. }
                | Floor::Interviewer { .. }
                | Floor::Away { .. }) => other,
            };
            return self.hush_if_talked_over(now);
        }
        // They are back: they are not given up any more.
        self.take_up_again();
        if let Phase::Leaving { end, .. } = self.course.phase() {
            return self.return_to_goodbye(end, *before);
        }
        // The question is asked again: the silence begins anew.
        self.stage.silence.quiet = Duration::ZERO;
        self.stage.pending.rungs = 0;
        self.floor = *before;
        self.hush();
        // Their words so far count, over us too; a lone word over us was a backchannel (case 23).
        let unanswered = self.take_unanswered(now);
        self.turns.carry(unanswered);
        if std::mem::take(&mut self.stage.pending.skip_wanted) {
            let turn = self.turns.take_carried();
            return self.skip_turn(turn);
        }
        if let Some(turn) = self.take_urgent() {
            self.floor = Floor::Pause { turn, stopped: now };
            return self.end_turn();
        }
        // Their next words are no answer to whether they want to stop.
        self.awaited.drop_stop();
        let welcome = self.phrase(Phrase::WelcomeBack);
        let (question, purpose) = self.waiting_question(Purpose::Return);
        self.think(Say::Text(format!("{welcome} {question}")), purpose, None, None);
    }

    /// The interrupted turn, if it waits for no more words.
    pub(crate) fn take_urgent(&mut self) -> Option<Turn> {
        let is_urgent = self.turns.carried().is_some_and(|turn| self.is_urgent(turn));
        if is_urgent { self.turns.take_carried() } else { None }
    }

    /// The interrupted turn, if it was typed or shows a wish to stop: that must not get lost.
    pub(crate) fn is_urgent(&self, turn: &Turn) -> bool {
        let intent = self.intent_of(&turn.said.text());
        turn.said.is_typed()
            || matches!(intent, Intent::Stop | Intent::Distress)
            || (intent == Intent::Yes && self.awaited.settles_stop())
    }

    /// After a stop during the goodbye: a goodbye that was not heard is said again, and words that were cut
    /// off are answered.
    fn return_to_goodbye(&mut self, end: End, before: Floor) {
        let now = self.own_now();
        self.floor = before;
        self.hush();
        match &self.floor {
            Floor::Thinking { reply, .. } => {
                let reply = reply.clone();
                let turn = self.take_unanswered(now);
                self.think(reply.say, reply.purpose, turn, reply.exit);
            }
            Floor::Candidate { turn } | Floor::Pause { turn, .. } => {
                self.floor = Floor::Pause { turn: turn.clone(), stopped: now };
            }
            Floor::Open { .. } | Floor::Interviewer { .. } | Floor::Away { .. } => {
                self.hang_up(end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        interview::{Words, transition::tests::interview, turn_taking::turn::Turn},
        time::SessionTime,
    };

    /// H02, R06: what they typed, and a wish to stop, must not get lost with the line; a yes is such a wish
    /// only where we asked for one.
    #[test]
    fn a_wish_to_stop_is_urgent() {
        let mut interview = interview();
        let turn = |text: &str| {
            let mut turn = Turn::new(SessionTime::ZERO, SessionTime::ZERO);
            turn.said.put(&Words { text: text.to_owned(), ..Words::default() }, true);
            turn
        };
        let urgent = ["I have to stop here", "yes", "I lead the billing team"]
            .map(|text| interview.is_urgent(&turn(text)));
        assert_eq!(urgent, [true, false, false]);
        interview.awaited.begin_stop();
        interview.awaited.ask_stop();
        let urgent =
            ["yes", "I lead the billing team"].map(|text| interview.is_urgent(&turn(text)));
        assert_eq!(urgent, [true, false]);
        let mut typed = turn("");
        typed.said.type_in("I lead the billing team");
        assert!(interview.is_urgent(&typed));
    }
}
