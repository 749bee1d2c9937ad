//! Whether the candidate is there: not when the server has let them in, but when it gives them our sound.
//!
//! A client's media is up before it has asked for our track. On a line that loses a third of its packets
//! seconds lie between the two, and a greeting would be over.

use std::time::{Duration, Instant};

/// Who cannot or will not hear our track is there after so long all the same.
const UNHEARD_MAX: Duration = Duration::from_secs(10);

/// The candidate's place in the room, and our track's.
#[derive(Debug)]
pub(super) struct Presence {
    candidate: Candidate,
    track: Track,
}

#[derive(Debug)]
enum Candidate {
    Away,
    /// Their media is up, and nobody has our track; from `until` on they count as there.
    Coming {
        sid: String,
        until: Instant,
    },
    Here {
        sid: String,
    },
}

#[derive(Debug)]
enum Track {
    /// Nobody has asked for it.
    Unheard,
    /// Somebody has. The server tells no more than that.
    Heard,
}

/// What that means for the interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Came,
    Left,
    /// They left, and came again in another session.
    CameAgain,
}

impl Presence {
    pub(super) fn new() -> Self {
        Self { candidate: Candidate::Away, track: Track::Unheard }
    }

    /// The candidate's media is up, in this session of theirs. They may have reloaded: the old session's
    /// goodbye is still under way, or never comes.
    pub(super) fn candidate_active(&mut self, now: Instant, sid: &str) -> Option<Change> {
        let was_here = match &self.candidate {
            Candidate::Here { sid: known } | Candidate::Coming { sid: known, .. }
                if known == sid =>
            {
                return None;
            }
            Candidate::Here { .. } => true,
            Candidate::Away | Candidate::Coming { .. } => false,
        };
        let sid = sid.to_owned();
        match (&self.track, was_here) {
            (Track::Heard, true) => {
                self.candidate = Candidate::Here { sid };
                Some(Change::CameAgain)
            }
            (Track::Heard, false) => {
                self.candidate = Candidate::Here { sid };
                Some(Change::Came)
            }
            (Track::Unheard, was_here) => {
                self.candidate = Candidate::Coming { sid, until: now + UNHEARD_MAX };
                was_here.then_some(Change::Left)
            }
        }
    }

    /// Whether the candidate is not even on their way.
    pub(super) fn is_away(&self) -> bool {
        matches!(self.candidate, Candidate::Away)
    }

    /// A session of the candidate has ended. That of an old one can come after the new one has begun.
    pub(super) fn candidate_left(&mut self, left: &str) -> Option<Change> {
        let change = match &self.candidate {
            Candidate::Here { sid } if sid == left => Some(Change::Left),
            Candidate::Coming { sid, .. } if sid == left => None,
            Candidate::Away | Candidate::Coming { .. } | Candidate::Here { .. } => return None,
        };
        self.candidate = Candidate::Away;
        change
    }

    /// Our track is on its way into the room, for the first time or anew. Who is there already stays.
    pub(super) fn track_offered(&mut self) {
        self.track = Track::Unheard;
    }

    /// Somebody gets our track.
    pub(super) fn track_heard(&mut self) -> Option<Change> {
        self.track = Track::Heard;
        self.arrive()
    }

    /// When [`Presence::tick`] is due.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match &self.candidate {
            Candidate::Coming { until, .. } => Some(*until),
            Candidate::Away | Candidate::Here { .. } => None,
        }
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, now: Instant) -> Option<Change> {
        if self.deadline().is_none_or(|until| now < until) {
            return None;
        }
        tracing::warn!("nobody asked for our sound, it is sent all the same");
        self.arrive()
    }

    fn arrive(&mut self) -> Option<Change> {
        let Candidate::Coming { sid, .. } = &mut self.candidate else { return None };
        self.candidate = Candidate::Here { sid: std::mem::take(sid) };
        Some(Change::Came)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    fn presence() -> (Presence, Instant) {
        let mut presence = Presence::new();
        presence.track_offered();
        (presence, clock::instant())
    }

    /// Q14: the candidate is there when they get our sound, whichever of the two is told first; a greeting
    /// that nobody gets is none.
    #[test]
    fn the_candidate_comes_when_they_get_our_sound() {
        let (mut presence, now) = presence();
        assert_eq!(presence.candidate_active(now, "PA_1"), None);
        // What else is told of them neither makes them wait for longer nor come again.
        let later = now + Duration::from_secs(1);
        assert_eq!(presence.candidate_active(later, "PA_1"), None);
        assert_eq!(presence.deadline(), Some(now + UNHEARD_MAX));
        assert_eq!(presence.track_heard(), Some(Change::Came));
        assert_eq!((presence.track_heard(), presence.deadline()), (None, None));
        assert_eq!(presence.candidate_active(later, "PA_1"), None);
        assert_eq!(presence.candidate_left("PA_1"), Some(Change::Left));
        assert_eq!(presence.candidate_active(now, "PA_2"), Some(Change::Came));
    }

    /// N01: a client that never asks for our track, or a server that does not tell, holds no interview up for
    /// ever.
    #[test]
    fn who_never_asks_for_our_sound_is_there_in_the_end() {
        let (mut presence, now) = presence();
        assert_eq!(presence.candidate_active(now, "PA_1"), None);
        let until = presence.deadline().unwrap();
        assert_eq!(until, now + UNHEARD_MAX);
        assert_eq!(presence.tick(until - Duration::from_millis(1)), None);
        assert_eq!(presence.tick(until), Some(Change::Came));
        assert_eq!(presence.deadline(), None);
    }

    /// N02: a reload is another session under the same identity, and the old one's goodbye comes late or
    /// never.
    #[test]
    fn a_reload_is_another_session() {
        let (mut presence, now) = presence();
        presence.track_heard();
        assert_eq!(presence.candidate_active(now, "PA_1"), Some(Change::Came));
        assert_eq!(presence.candidate_active(now, "PA_2"), Some(Change::CameAgain));
        assert_eq!(presence.candidate_left("PA_1"), None);
        assert_eq!(presence.candidate_left("PA_2"), Some(Change::Left));
    }

    /// R06: after a server's restart both sides join anew; who was there before our new track is heard has
    /// left until then.
    #[test]
    fn who_comes_back_waits_for_our_new_track() {
        let (mut presence, now) = presence();
        presence.track_heard();
        assert_eq!(presence.candidate_active(now, "PA_1"), Some(Change::Came));
        presence.track_offered();
        assert_eq!(presence.candidate_active(now, "PA_2"), Some(Change::Left));
        assert_eq!(presence.candidate_active(now, "PA_3"), None);
        assert_eq!(presence.candidate_left("PA_2"), None);
        assert_eq!(presence.track_heard(), Some(Change::Came));
        assert_eq!(presence.candidate_active(now, "PA_1"), Some(Change::CameAgain));
    }

    /// Who goes before they got any sound of ours was never there.
    #[test]
    fn who_goes_early_was_never_there() {
        let (mut presence, now) = presence();
        assert_eq!(presence.candidate_active(now, "PA_1"), None);
        assert_eq!(presence.candidate_left("PA_1"), None);
        assert_eq!((presence.deadline(), presence.track_heard()), (None, None));
    }
}
