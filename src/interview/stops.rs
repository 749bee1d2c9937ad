//! The candidate goes and comes back, the line is cut and mended, buttons are pressed. Meanwhile the interview's
//! time stands still (R06).

use std::time::Duration;

use super::{
    Effect, Interview, Phase, REQUESTS_MAX,
    effect::{End, Say, Task},
    event::Request,
    floor::{Floor, Purpose, Turn},
    stage::Stage,
};

/// An absent candidate is waited for so long.
const AWAY_LIMIT: Duration = Duration::from_secs(120);
/// All stops of an interview together.
const STOPS_LIMIT: Duration = Duration::from_secs(30 * 60);
/// A shorter stop is passed over without a word.
const HICCUP: Duration = Duration::from_secs(2);

impl Interview {
    /// Somebody came or went: `change` says who.
    pub(super) fn on_presence(&mut self, change: impl FnOnce(&mut Self)) {
        change(self);
        let together = self.candidate_here && self.line_up;
        match (self.phase, &self.floor, together) {
            (Phase::Lobby, _, true) => self.begin(),
            (Phase::Running, Floor::Away { .. }, true) => self.resume(),
            (Phase::Leaving { .. }, Floor::Away { .. }, true) => self.hang_up_as_planned(),
            (Phase::Running | Phase::Leaving { .. }, Floor::Away { .. }, false) => {}
            (Phase::Running | Phase::Leaving { .. }, _, false) => self.stop(),
            (Phase::Lobby | Phase::Running | Phase::Leaving { .. } | Phase::Ended, _, _) => {}
        }
    }

    pub(super) fn on_away_limit(&mut self) {
        let end = match self.phase {
            Phase::Leaving { end, .. } => end,
            Phase::Lobby | Phase::Running | Phase::Ended if self.candidate_here => End::Technical,
            Phase::Lobby | Phase::Running | Phase::Ended => End::CandidateLeft,
        };
        self.hang_up(end);
    }

    pub(super) fn on_control(&mut self, id: String, request: Request) {
        let is_new = !self.requests.contains(&id);
        self.out.push(Effect::Acknowledge { id: id.clone(), accepted: true });
        if !is_new {
            return;
        }
        if self.requests.len() == REQUESTS_MAX {
            self.requests.pop_first();
        }
        self.requests.insert(id);
        match (request, self.phase) {
            (Request::Terminate, _) => self.hang_up(End::Operator),
            (Request::Abandon, phase) => self.hang_up(self.end_without_room(phase)),
            (Request::End, Phase::Running) => {
                self.hush();
                if let Floor::Away { .. } = self.floor {
                    return self.hang_up(End::CandidateEnded);
                }
                let turn = self.take_unanswered(self.own(self.now));
                self.begin_goodbye(End::CandidateEnded, turn, true);
            }
            (Request::End, Phase::Lobby) => self.hang_up(End::CandidateEnded),
            // Who presses End during the goodbye has heard enough.
            (Request::End, Phase::Leaving { .. } | Phase::Ended) => self.hang_up_as_planned(),
        }
    }

    /// A server closes a room that the candidate has left, or never came to.
    fn end_without_room(&self, phase: Phase) -> End {
        match phase {
            Phase::Lobby => End::NoShow,
            Phase::Leaving { end, .. } => end,
            Phase::Running | Phase::Ended if !self.line_up => End::Technical,
            Phase::Running | Phase::Ended if !self.candidate_here => End::CandidateLeft,
            Phase::Running | Phase::Ended => End::Operator,
        }
    }

    fn begin(&mut self) {
        // Waiting for the candidate is no time of the interview.
        self.phase = Phase::Running;
        self.began = self.own(self.now);
        self.stage = Stage::enter(0, self.began);
        self.think(Say::Model(Task::Open), Purpose::Ask, None, None);
    }

    /// Keeps a turn that a stop interrupted, after what an earlier stop left.
    pub(super) fn carry(&mut self, turn: Option<Turn>) {
        let Some(mut turn) = turn else { return };
        if let Some(earlier) = self.carried.take() {
            turn.id = earlier.id.or(turn.id);
            turn.said.prepend(earlier.said);
        }
        self.carried = Some(turn);
    }

    fn stop(&mut self) {
        let left = STOPS_LIMIT.saturating_sub(self.stopped_total);
        let since = self.now;
        self.voiced = false;
        let before = Box::new(self.replace_floor(Floor::Open { since }));
        self.floor = Floor::Away { since, until: since + AWAY_LIMIT.min(left), before };
    }

    fn resume(&mut self) {
        let now = self.own(self.now);
        let Floor::Away { since, before, .. } = self.replace_floor(Floor::Open { since: now })
        else {
            return;
        };
        let gap = self.now.since(since);
        self.stopped_total += gap;
        self.last_stop = (since, self.now);
        let now = self.own(self.now);
        if gap <= HICCUP {
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
        if let Floor::Open { since } = *before {
            self.quiet += now.since(since);
        }
        self.floor = *before;
        self.hush();
        // What they said, over us too, is gone on with; only a lone word over us was none (case 23).
        self.carried = self.take_unanswered(now);
        let welcome = &self.plan.phrases.welcome_back;
        // A stage whose first question was cut off has not asked anything yet.
        let (words, purpose) = match &self.question {
            Some(question) if self.stage.questions > 0 => {
                (format!("{welcome} {question}"), Purpose::Return)
            }
            _ => (format!("{welcome} {}", self.next_question()), Purpose::Ask),
        };
        self.think(Say::Text(words), purpose, None, None);
    }
}
