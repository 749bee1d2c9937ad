//! The candidate goes and comes back, the line is cut and mended. Meanwhile the interview's time stands still (R06).

use std::time::Duration;

use crate::interview::{
    Interview, Phase, StopQuestion,
    effect::{End, Say},
    stage::Stage,
    turn_taking::{
        floor::{Floor, Purpose, Turn},
        presence::{Presence, Stop},
    },
    understanding::cue::Cue,
};
use crate::{blueprint::Phrase, time::SessionTime};

/// An absent candidate is waited for so long.
const AWAY_LIMIT: Duration = Duration::from_secs(120);
/// Who asked for a pause is waited for longer.
const PAUSE_LIMIT: Duration = Duration::from_secs(30 * 60);
/// All stops of an interview together.
const STOPS_LIMIT: Duration = Duration::from_secs(30 * 60);
/// A shorter stop is passed over without a word.
const HICCUP: Duration = Duration::from_secs(2);

impl Interview {
    /// A stop began or is over: `change` says which.
    pub(crate) fn on_presence(&mut self, change: impl FnOnce(&mut Presence)) {
        change(&mut self.presence);
        match (self.phase, &self.floor, self.presence.is_together()) {
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
        let end = match self.phase {
            Phase::Leaving { end, .. } => end,
            Phase::Lobby | Phase::Running | Phase::Ended
                if !self.presence.is(Stop::Gone) && !self.presence.is(Stop::Paused) =>
            {
                End::Technical
            }
            Phase::Lobby | Phase::Running | Phase::Ended => End::CandidateLeft,
        };
        self.hang_up(end);
    }

    fn begin(&mut self) {
        // Waiting for the candidate is no time of the interview.
        self.phase = Phase::Running;
        self.began = self.own(self.now);
        self.stage = Stage::enter(0, 0, self.began);
        self.listen_for_keyterms();
        self.think(self.opening(), Purpose::Ask, None, None);
    }

    /// Keeps a turn that a stop interrupted, after what an earlier stop left.
    pub(crate) fn carry(&mut self, turn: Option<Turn>) {
        let Some(turn) = turn else { return };
        self.carried = Some(self.with_carried(turn));
    }

    /// A turn after what an earlier stop left. A voice without words goes on with nothing: that waits for their words.
    pub(crate) fn with_carried(&mut self, mut turn: Turn) -> Turn {
        if let Some(earlier) = self.carried.take() {
            turn.id = earlier.id.or(turn.id);
            turn.restarts = turn.restarts.max(earlier.restarts);
            (turn.waited, turn.prompted) = (earlier.waited, earlier.prompted);
            turn.said.prepend(earlier.said);
        }
        turn
    }

    /// So long is waited from `since` on.
    fn stop_ends(&self, since: SessionTime) -> SessionTime {
        let limit = if self.presence.is(Stop::Paused) { PAUSE_LIMIT } else { AWAY_LIMIT };
        since + limit.min(STOPS_LIMIT.saturating_sub(self.presence.stopped()))
    }

    /// Who asks for a pause while they are away is waited for as long as one lasts.
    fn wait_longer(&mut self) {
        let Floor::Away { since, .. } = self.floor else { return };
        let ends = self.stop_ends(since);
        if let Floor::Away { until, .. } = &mut self.floor {
            *until = ends.max(*until);
        }
    }

    fn stop(&mut self) {
        let since = self.now;
        self.voiced = false;
        let quiet = self.own(since);
        if let Floor::Interviewer { held: Some(held), .. } = &mut self.floor {
            held.quiet = Some(quiet);
        }
        let before = Box::new(self.replace_floor(Floor::Open { since }));
        self.floor = Floor::Away { since, until: self.stop_ends(since), before };
    }

    fn resume(&mut self) {
        let now = self.own(self.now);
        let Floor::Away { since, before, .. } = self.replace_floor(Floor::Open { since: now })
        else {
            return;
        };
        let (gap, was_paused) = self.presence.go_on(since, self.now);
        let now = self.own(self.now);
        let is_short = gap <= HICCUP && !was_paused;
        // What we owed when they went, if it could not be made.
        let owed = match *before {
            Floor::Open { .. } => self.lapsed.take(),
            Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Thinking { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. } => None,
        };
        if let Some(reply) = owed
            && (is_short || self.phase != Phase::Running)
        {
            let turn = self.carried.take();
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
        // Nor is anybody gone who is back.
        self.take_up_again();
        if let Phase::Leaving { end, .. } = self.phase {
            return self.return_to_goodbye(end, *before);
        }
        // The question is asked again: nobody has been silent on it yet.
        self.quiet = Duration::ZERO;
        self.stage.pending.rungs = 0;
        self.floor = *before;
        self.hush();
        // What they said, over us too, is gone on with; only a lone word over us was none (case 23).
        self.carried = self.take_unanswered(now);
        if std::mem::take(&mut self.stage.pending.skip_wanted) {
            let turn = self.carried.take();
            return self.skip_turn(turn);
        }
        if let Some(turn) = self.take_urgent() {
            self.floor = Floor::Pause { turn, stopped: now };
            return self.end_turn();
        }
        // What they say next is no yes or no to whether they want to stop.
        self.stop_question = StopQuestion::Absent;
        let welcome = self.phrase(Phrase::WelcomeBack);
        let (question, purpose) = self.waiting_question(Purpose::Return);
        self.think(Say::Text(format!("{welcome} {question}")), purpose, None, None);
    }

    /// What was carried, if it waits for no more words.
    pub(crate) fn take_urgent(&mut self) -> Option<Turn> {
        let is_urgent = self.carried.as_ref().is_some_and(|turn| self.is_urgent(turn));
        if is_urgent { self.carried.take() } else { None }
    }

    /// What is typed is an answer, and a wish to stop is not lost with the line, nor under our words.
    pub(crate) fn is_urgent(&self, turn: &Turn) -> bool {
        let cue = self.cue_of(&turn.said.text());
        turn.said.is_typed()
            || matches!(cue, Some(Cue::Stop | Cue::Distress))
            || (cue == Some(Cue::Yes) && self.settles_stop())
    }

    /// Who comes back to a goodbye that was not heard hears it; who was cut off in one more thing is heard.
    fn return_to_goodbye(&mut self, end: End, before: Floor) {
        let now = self.own(self.now);
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
