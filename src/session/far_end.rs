//! The other end of a session on virtual time: somebody, or what stands for them.

use super::{LineEvent, Player};
use crate::{audio::Pcm48, interview::AgentState, time::SessionTime};

/// Hears an interview on virtual time and answers it.
pub trait FarEnd {
    /// What the interviewer does since `at`.
    fn see(&mut self, at: SessionTime, state: AgentState);

    /// What happens in the 20 ms that begin at `at`, their sound among it.
    fn send(&mut self, at: SessionTime) -> Vec<LineEvent>;

    /// The 20 ms of ours that begin at `at`, or that there are none: what a loudspeaker plays may come back.
    fn hear(&mut self, at: SessionTime, sound: Option<&Pcm48>);

    /// Whether all that is heard is kept until the end of the session, a minute in 6 MB.
    fn keeps_sound(&self) -> bool {
        true
    }

    /// More words of ours have been heard by then.
    fn read(&mut self, at: SessionTime, words: &str);
}

impl FarEnd for Player {
    fn see(&mut self, at: SessionTime, state: AgentState) {
        Self::see(self, at, state);
    }

    fn send(&mut self, at: SessionTime) -> Vec<LineEvent> {
        vec![LineEvent::Frame(at, self.frame(at))]
    }

    fn hear(&mut self, _at: SessionTime, _sound: Option<&Pcm48>) {}

    fn read(&mut self, _at: SessionTime, _words: &str) {}
}
