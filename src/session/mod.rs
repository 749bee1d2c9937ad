//! One interview's only event loop: fact → `Interview::handle` → journal → orders carried out.
//!
//! A [`Session`] does it in real time on a [`Line`]; [`lockstep`](Lockstep) does the same step on virtual time without a
//! runtime, so that a recording gives the same journal twice.

mod console_line;
mod counts;
mod ear;
mod far_end;
mod judges;
mod line;
mod live;
mod lockstep;
mod noted;
mod pauses;
mod player;
mod presence;
mod projections;
mod quota;
mod record;
mod room_line;
mod spans;
mod speculation;
mod tracks;
mod unsynced;
mod wav_line;

use std::path::PathBuf;

use crate::{
    interview::{Effect, End, Event, Interview},
    journal::{Entry, Header},
    providers::registry::Registry,
    store::{Folder, StoreError},
    time::SessionTime,
};

pub use console_line::{
    Broken, ConsoleLine, Ends, Format, Loudspeaker, Microphone, Screen, Troubles,
};
pub use far_end::FarEnd;
pub use line::{Caption, Line, LineEvent};
pub use live::Session;
pub use lockstep::{Latencies, Lockstep, Replayed};
pub use player::Player;
pub use projections::{PROJECTIONS, TRANSCRIPT_FILE};
pub use room_line::{Candidate, RoomLine};
pub use wav_line::WavLine;

/// What a session is made of.
pub struct Parts {
    /// The interview, before its first event.
    pub interview: Interview,
    /// Its journal's first line.
    pub header: Header,
    /// Where its journal and projections are kept.
    pub folder: Folder,
    /// What hears, thinks and speaks.
    pub providers: Registry,
    /// Where its sound is recorded, if it is.
    pub recording: Option<PathBuf>,
}

/// What became of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the interview ended.
    pub end: End,
    /// One sentence on what went wrong, if it is technical.
    pub trouble: Option<String>,
}

/// Why a session could not begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Its folder.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is a journal already: the interview was begun by somebody else.
    #[error("interview {0} has been begun before: it has a journal")]
    Begun(crate::store::InterviewId),
    /// What hears.
    #[error(transparent)]
    Listen(#[from] crate::listen::ListenError),
}

/// The interview and the count of its journal: the step that live and lockstep share.
struct Machine {
    interview: Interview,
    n: u64,
    at: SessionTime,
}

impl Machine {
    fn new(interview: Interview) -> Self {
        Self { interview, n: 0, at: SessionTime::ZERO }
    }

    /// Takes a fact; gives the entry to be journalled with its effects. Time that has passed without any
    /// effect is no entry: it changes nothing (invariant 3).
    fn step(&mut self, at: SessionTime, heard: SessionTime, event: Event) -> Option<Entry> {
        // Two sources may disagree a little on what came first; the clock never goes back.
        self.at = self.at.max(at);
        let heard = heard.min(self.at);
        let effects = self.interview.handle(self.at, heard, event.clone());
        if event == Event::Tick && effects.is_empty() {
            return None;
        }
        self.n += 1;
        Some(Entry { n: self.n, at: self.at, heard, event, effects })
    }

    /// Whether a deadline is due.
    fn is_due(&self, now: SessionTime, heard: SessionTime) -> bool {
        self.interview.deadline().is_some_and(|deadline| now >= Interview::fires(deadline, heard))
    }
}

/// Whether others see what an effect does: then it waits until its entry is on disk.
fn is_seen(effect: &Effect) -> bool {
    match effect {
        // A seal follows what was let out before it.
        Effect::Play { .. }
        | Effect::Resume { .. }
        | Effect::Seal { .. }
        | Effect::Acknowledge { .. }
        | Effect::Publish(_)
        | Effect::Hangup { .. } => true,
        Effect::Speak { .. }
        | Effect::Fill { .. }
        | Effect::Hush { .. }
        | Effect::Pause { .. }
        | Effect::Judge { .. }
        | Effect::Listen { .. }
        | Effect::Note(_)
        | Effect::Answer { .. }
        | Effect::Handoff { .. } => false,
    }
}
