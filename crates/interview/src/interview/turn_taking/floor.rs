//! The floor: who may speak now, and everything that is true in that situation.
//!
//! All times here are the interview's own: session time without the stops (`Interview::own`), so that a cut
//! line shifts every deadline.

use std::time::Duration;

use crate::interview::{
    dialogue::delivery::Reply,
    turn_taking::{echo::Sounding, said::Said, turn::Turn},
};
use crate::time::SessionTime;

/// The longest pause of our sound for a voice without words, and the time after the end of that voice at
/// which the sound goes on (T04): the candidate hears it within 300 ms (Q06).
const HELD_MAX: Duration = Duration::from_secs(2);
const RESUME_AFTER: Duration = Duration::from_millis(200);

/// The floor.
#[expect(clippy::large_enum_variant, reason = "an interview has one")]
#[derive(Clone, Debug)]
pub(crate) enum Floor {
    /// Nobody speaks and we wait for the candidate.
    Open { since: SessionTime },
    /// The candidate is speaking.
    Candidate { turn: Turn },
    /// The candidate paused at `stopped`; the turn ends unless they go on.
    Pause { turn: Turn, stopped: SessionTime },
    /// A reply is being made, to `turn` or to nobody, and has made no sound yet.
    Thinking { reply: Reply, turn: Option<Turn>, overlap: Said, since: SessionTime },
    /// The interviewer speaks. `overlap` is what the candidate says meanwhile, `progress` the time of the
    /// last segment, `held` the voice for which our sound is paused.
    Interviewer { reply: Reply, overlap: Said, progress: SessionTime, held: Option<Held> },
    /// The candidate or the line is gone since `since` and given up at `until`; both in session time.
    Away { since: SessionTime, until: SessionTime, before: Box<Self> },
}

/// A voice over ours that may be a false interruption: no words of it are known yet (T04).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// The time at which our sound was paused.
    pub(crate) since: SessionTime,
    /// The time at which the voice ended, if it has.
    pub(crate) quiet: Option<SessionTime>,
}

impl Held {
    /// The time at which our sound goes on, if no words come.
    pub(crate) fn until(self) -> SessionTime {
        let latest = self.since + HELD_MAX;
        self.quiet.map_or(latest, |quiet| latest.min(quiet + RESUME_AFTER))
    }
}

impl Floor {
    /// The reply that is being made or spoken, also behind a stop.
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

    /// The segment of ours that sounds at `now`, if one does.
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

    /// Removes a segment that the candidate did not say. An ended turn keeps its words.
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

    /// Takes the words that the candidate said over us.
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

    /// The unanswered turn, if no stop hides it.
    pub(crate) fn turn(&self) -> Option<&Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn.as_ref(),
            Self::Open { .. } | Self::Interviewer { .. } | Self::Away { .. } => None,
        }
    }

    /// The unanswered turn, also behind a stop.
    pub(crate) fn into_turn(self) -> Option<Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn,
            Self::Away { before, .. } => before.into_turn(),
            Self::Open { .. } | Self::Interviewer { .. } => None,
        }
    }

    /// The unanswered words of the candidate: their turn, or at least `words_min` words over us.
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

    /// Whether the unanswered turn leaves its question open.
    pub(crate) fn is_left_open(&self) -> bool {
        self.turn().is_some_and(Turn::leaves_open)
    }

    /// Splits the floor into the one behind a stop, and the stop.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::{Words, dialogue::delivery::Purpose, effect::Say, ids::ReplyId};

    /// R06: words over us are there behind a stop, too, and are taken once.
    #[test]
    fn words_over_us_outlast_a_stop() {
        let at = SessionTime::from_millis(1_000);
        let text = "and one more thing".to_owned();
        let words = Words { segment: 1, from: at, to: at, text, ..Words::default() };
        let mut overlap = Said::default();
        overlap.put(&words, true);
        let reply = Reply::new(ReplyId(1), Say::Text(String::new()), Purpose::Ask);
        let before = Floor::Interviewer { reply, overlap, progress: at, held: None };
        let mut floor = before.behind(Some((at, at)));
        assert_eq!(floor.take_overlap().text(), "and one more thing");
        assert_eq!(floor.take_overlap().words(), 0);
    }
}
