//! Deadlines: the times at which an interview wants to be called, and why, derived from its state alone.

use std::{iter, time::Duration};

use crate::interview::{
    Interview, Timer,
    course::Phase,
    turn_taking::{floor::Floor, voices::WORDLESS_LIMIT},
};
use crate::time::SessionTime;

/// The longest wait of a deadline that depends on sound until the sound is processed.
const SOUND_LATE_MAX: Duration = Duration::from_millis(200);
/// The delay of sound at best: a frame, and what the detector keeps for its next window. Nobody waits for it.
/// A candidate who begins to speak within it is heard before the interviewer.
const SOUND_STEP: Duration = Duration::from_millis(40);
/// The longest wait for a candidate who does not come.
const NO_SHOW_AFTER: Duration = Duration::from_secs(600);
/// The time after a limit at which the interviewer interrupts: in a gap, and without a gap (H04).
const CUT_IN_GAP_AFTER: Duration = Duration::from_secs(45);
const CUT_IN_AFTER: Duration = Duration::from_secs(55);
/// The silence that counts as a gap.
const CUT_IN_GAP: Duration = Duration::from_millis(600);

impl Interview {
    /// When and why to call [`Self::handle`] with [`Event::Tick`], derived from the state alone.
    ///
    /// It is due at its time, or [later](Self::fires) if it waits for sound.
    pub fn deadline(&self) -> Option<(SessionTime, Timer)> {
        if self.unread().is_some() {
            return Some((self.timeline.clock(), Timer::Reading));
        }
        let since_began = |limit| SessionTime::ZERO + limit;
        match (self.course.phase(), &self.floor) {
            (Phase::Ended, _) => None,
            (Phase::Lobby, _) => Some((since_began(NO_SHOW_AFTER), Timer::NoShow)),
            (_, Floor::Away { until, .. }) => Some((*until, Timer::Away)),
            (Phase::Running | Phase::Leaving { .. }, _) => iter::once(self.floor_deadline())
                .chain(self.limits().into_iter().flatten())
                .min()
                .map(|(own, timer)| (own + self.timeline.presence().stopped(), timer)),
        }
    }

    /// The longest delay of sound for a deadline that depends on it.
    pub const fn sound_late_max() -> Duration {
        SOUND_LATE_MAX
    }

    /// The shortest delay of sound; no deadline waits for it.
    pub const fn sound_step() -> Duration {
        SOUND_STEP
    }

    /// When a deadline is due as long as the sound is processed up to `heard` only: one that [depends on
    /// sound](Timer::depends_on_sound) waits for what is later than it must be, for 200 ms at most.
    pub fn fires((due, timer): (SessionTime, Timer), heard: SessionTime) -> SessionTime {
        let waits = timer.depends_on_sound() && heard + SOUND_STEP < due;
        if waits { due + SOUND_LATE_MAX } else { due }
    }

    /// The deadline of the floor: every situation has one, by its type, so that nobody waits for ever.
    fn floor_deadline(&self) -> (SessionTime, Timer) {
        match &self.floor {
            Floor::Open { .. } if let Some(until) = self.hearing.muted.still_until() => {
                (until, Timer::Muted)
            }
            Floor::Open { since } => match self.course.phase() {
                Phase::Leaving { .. } => (self.quiet_until(*since), Timer::Silence),
                Phase::Lobby | Phase::Running | Phase::Ended => {
                    (self.silence_until(*since), Timer::Silence)
                }
            },
            Floor::Candidate { turn } => {
                let limit = turn.since + self.script.plan().turns.turn_limit;
                let said = &turn.said;
                let is_told = said.is_typed()
                    || said.is_final_up_to(turn.to + self.timeline.presence().stopped());
                let may_be_noise =
                    self.hearing.recogniser.has_partials && (said.words() == 0 || is_told);
                let voice = self.hearing.voices.last().filter(|_| may_be_noise);
                let wordless =
                    voice.map(|(began, _)| self.own(began).max(turn.to) + WORDLESS_LIMIT);
                (wordless.map_or(limit, |wordless| limit.min(wordless)), Timer::TurnLimit)
            }
            Floor::Pause { turn, stopped } => self.pause_deadline(turn, *stopped),
            Floor::Thinking { reply, turn, since, .. } => {
                let filler = self.filler_due(reply, turn.as_ref(), *since);
                let stall = (self.stall_due(*since), Timer::ReplyStall);
                filler.map_or(stall, |due| (due, Timer::Filler))
            }
            Floor::Interviewer { held: Some(held), .. } => (held.until(), Timer::Resume),
            Floor::Interviewer { reply, progress, .. } => {
                (*progress + reply.stall_limit(), Timer::PlayoutStall)
            }
            Floor::Away { until, .. } => (*until, Timer::Away),
        }
    }

    /// The limits of stage and interview, in the interview's own time.
    fn limits(&self) -> [Option<(SessionTime, Timer)>; 5] {
        let agent = self.agent();
        let stage_limit = self.stage.limit(agent);
        let interview_limit = self.course.began() + self.script.plan().interview_limit();
        let Phase::Running = self.course.phase() else {
            let Phase::Leaving { until, .. } = self.course.phase() else { return [None; 5] };
            return [Some((until, Timer::Goodbye)), None, None, None, None];
        };
        let gap = if let Floor::Pause { stopped, .. } = &self.floor
            && self.stage.limit_passed
        {
            Some((stage_limit + CUT_IN_GAP_AFTER).max(*stopped + CUT_IN_GAP))
        } else {
            None
        };
        let cut_in = if self.course.limit_passed() {
            Some(interview_limit + CUT_IN_GAP_AFTER)
        } else if self.stage.limit_passed && self.floor.is_candidates() {
            Some(stage_limit + CUT_IN_AFTER)
        } else {
            None
        };
        let stage_stands = self.hearing.muted.still_until().is_some();
        [
            (!self.stage.limit_passed && !stage_stands).then_some((stage_limit, Timer::StageLimit)),
            (!self.course.limit_passed()).then_some((interview_limit, Timer::InterviewLimit)),
            gap.map(|at| (at, Timer::CutInGap)),
            cut_in.map(|at| (at, Timer::CutIn)),
            self.stage
                .next_milestone(agent)
                .filter(|_| !stage_stands)
                .map(|at| (at, Timer::Milestone)),
        ]
    }
}
