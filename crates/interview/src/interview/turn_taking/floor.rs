//! Who has the floor. Each variant holds exactly what is true in it.
//!
//! All times in here are the interview's own: session time less the stops (`Interview::own`), so that a cut
//! line shifts every deadline without touching one.

use std::time::Duration;

use crate::interview::{
    dialogue::delivery::Reply,
    turn_taking::{echo::Sounding, said::Said, turn::Turn},
};
use crate::time::SessionTime;

/// A voice without words stops our sound for so long at most, and until so long after it ended (T04): as soon
/// as it is known that it has, so that they hear us within 300 ms of it (Q06).
const HELD_MAX: Duration = Duration::from_secs(2);
const RESUME_AFTER: Duration = Duration::from_millis(200);

/// Who has the floor.
#[expect(clippy::large_enum_variant, reason = "an interview has one")]
#[derive(Clone, Debug)]
pub(crate) enum Floor {
    /// Nobody speaks and we wait for the candidate.
    Open { since: SessionTime },
    /// The candidate is speaking.
    Candidate { turn: Turn },
    /// The candidate paused at `stopped`; the turn ends unless they go on.
    Pause { turn: Turn, stopped: SessionTime },
    /// We owe a reply that has made no sound yet, to `turn` or without one.
    Thinking { reply: Reply, turn: Option<Turn>, overlap: Said, since: SessionTime },
    /// We are heard. `overlap` is what they say meanwhile, `progress` when we last got on, `held` by which
    /// voice our sound is stopped.
    Interviewer { reply: Reply, overlap: Said, progress: SessionTime, held: Option<Held> },
    /// The candidate or the line is gone since `since`, given up at `until`; both in session time.
    Away { since: SessionTime, until: SessionTime, before: Box<Self> },
}

/// A voice over ours of which nobody knows yet whether it has words (T04).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// When our sound stopped for it.
    pub(crate) since: SessionTime,
    /// When it ended, if it has.
    pub(crate) quiet: Option<SessionTime>,
}

impl Held {
    /// Our sound goes on then, if no words come.
    pub(crate) fn until(self) -> SessionTime {
        let latest = self.since + HELD_MAX;
        self.quiet.map_or(latest, |quiet| latest.min(quiet + RESUME_AFTER))
    }
}

impl Floor {
    /// The reply that we owe or give, also behind a stop.
    pub(crate) fn reply(&self) -> Option<&Reply> {
        match self {
            Self::Thinking { reply, .. } | Self::Interviewer { reply, .. } => Some(reply),
            Self::Away { before, .. } => before.reply(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => None,
        }
    }

    pub(crate) fn reply_mut(&mut self) -> Option<&mut Reply> {
        match self {
            Self::Thinking { reply, .. } | Self::Interviewer { reply, .. } => Some(reply),
            Self::Away { before, .. } => before.reply_mut(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => None,
        }
    }

    /// What of us is heard up to `now`, if anything is.
    pub(crate) fn sounding(&self, now: SessionTime) -> Option<Sounding<'_>> {
        match self {
            Self::Interviewer { reply, held, .. } => {
                let text = reply.delivery.queued.values().next().map_or("", String::as_str);
                Some(Sounding { text, until: held.map_or(now, |held| held.since) })
            }
            Self::Away { before, .. } => before.sounding(now),
            Self::Open { .. }
            | Self::Candidate { .. }
            | Self::Pause { .. }
            | Self::Thinking { .. } => None,
        }
    }

    /// Nobody said that. What an ended turn says stays.
    pub(crate) fn forget(&mut self, segment: u32) {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => turn.said.forget(segment),
            Self::Thinking { overlap, .. } | Self::Interviewer { overlap, .. } => {
                overlap.forget(segment);
            }
            Self::Away { before, .. } => before.forget(segment),
            Self::Open { .. } => {}
        }
    }

    /// What they say over us, taken away from it.
    pub(crate) fn take_overlap(&mut self) -> Said {
        match self {
            Self::Thinking { overlap, .. } | Self::Interviewer { overlap, .. } => {
                std::mem::take(overlap)
            }
            Self::Away { before, .. } => before.take_overlap(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => Said::default(),
        }
    }

    pub(crate) fn turn_mut(&mut self) -> Option<&mut Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn.as_mut(),
            Self::Open { .. } | Self::Interviewer { .. } | Self::Away { .. } => None,
        }
    }

    /// The turn that nobody has answered yet, if no stop hides it.
    pub(crate) fn turn(&self) -> Option<&Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn.as_ref(),
            Self::Open { .. } | Self::Interviewer { .. } | Self::Away { .. } => None,
        }
    }

    /// The turn that nobody has answered yet, also behind a stop.
    pub(crate) fn into_turn(self) -> Option<Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn,
            Self::Away { before, .. } => before.into_turn(),
            Self::Open { .. } | Self::Interviewer { .. } => None,
        }
    }

    /// What the candidate said that nobody has answered yet: their turn, or `words_min` words over us.
    pub(crate) fn into_unanswered(self, words_min: usize, now: SessionTime) -> Option<Turn> {
        match self {
            Self::Interviewer { overlap, .. } | Self::Thinking { turn: None, overlap, .. } => {
                let is_turn = overlap.words() >= words_min;
                is_turn.then(|| Turn { said: overlap, ..Turn::new(now, now) })
            }
            Self::Thinking { turn: Some(mut turn), overlap, .. } => {
                turn.said.append(overlap);
                Some(turn)
            }
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Away { before, .. } => before.into_unanswered(words_min, now),
            Self::Open { .. } => None,
        }
    }

    /// Whether the turn that nobody has answered yet leaves its question open.
    pub(crate) fn is_left_open(&self) -> bool {
        self.turn().is_some_and(Turn::leaves_open)
    }

    /// What is behind a stop, and the stop.
    pub(crate) fn split_away(self) -> (Self, Option<(SessionTime, SessionTime)>) {
        match self {
            Self::Away { since, until, before } => (*before, Some((since, until))),
            Self::Open { .. }
            | Self::Candidate { .. }
            | Self::Pause { .. }
            | Self::Thinking { .. }
            | Self::Interviewer { .. } => (self, None),
        }
    }

    /// The reverse of [`Self::split_away`].
    pub(crate) fn behind(self, stop: Option<(SessionTime, SessionTime)>) -> Self {
        match stop {
            Some((since, until)) => Self::Away { since, until, before: Box::new(self) },
            None => self,
        }
    }

    /// Whether the candidate speaks or has just paused.
    pub(crate) fn is_candidates(&self) -> bool {
        match self {
            Self::Candidate { .. } | Self::Pause { .. } => true,
            Self::Open { .. }
            | Self::Thinking { .. }
            | Self::Interviewer { .. }
            | Self::Away { .. } => false,
        }
    }
}
