//! One interview's only event loop: fact → `Interview::handle` → journal → orders carried out.
//!
//! A [`Session`] does it in real time on a [`Line`]; [`lockstep`](Lockstep) does the same step on virtual
//! time without a runtime, so that a recording gives the same journal twice.

mod ahead;
mod candidate;
mod console_line;
mod contact;
mod counts;
mod ear;
mod ending;
mod far_end;
mod judges;
mod kept;
mod line;
mod live;
mod lockstep;
mod machine;
mod noted;
mod pauses;
mod phone;
mod player;
mod presence;
mod quota;
mod record;
mod room_line;
mod spans;
mod speculation;
mod taken_up;
mod tracks;
mod unsynced;
mod wav_line;

use std::path::PathBuf;

use crate::{
    interview::{Effect, End, Interview},
    journal::{Difference, Entry, Header},
    providers::registry::Registry,
    store::{Hold, InterviewId, StoreError},
};

pub use candidate::Candidate;
pub use console_line::{
    Broken, ConsoleLine, Ends, Format, Loudspeaker, Microphone, Screen, Troubles,
};
pub use ending::Stop;
pub use far_end::FarEnd;
pub use kept::write_projections;
pub use line::{Caption, Line, LineEvent};
pub use live::Session;
pub use lockstep::{Latencies, Lockstep, Replayed};
pub use machine::Machine;
pub use player::Player;
pub use room_line::RoomLine;
pub use taken_up::clock_after;
pub use wav_line::WavLine;

/// What a session is made of.
pub struct Parts {
    /// The interview, before its first event.
    pub interview: Interview,
    /// Its journal's first line.
    pub header: Header,
    /// The entries that its journal has already, if it goes on; none for one that begins. The clock goes
    /// on after the last of them: [`clock_after`].
    pub before: Vec<Entry>,
    /// Where its journal and projections are kept, by a lease that somebody renews.
    pub hold: Hold,
    /// What hears, thinks and speaks.
    pub providers: Registry,
    /// Where its sound is recorded, if it is.
    pub recording: Option<PathBuf>,
}

/// What became of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the interview ended; nothing if another worker is to go on with it.
    pub end: Option<End>,
    /// One sentence on what went wrong, if it is technical.
    pub trouble: Option<String>,
}

/// Why a session could not begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Its journal.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is another journal than the one to go on with: the interview was begun by somebody else.
    #[error("interview {0} has been begun before: it has a journal")]
    Begun(InterviewId),
    /// There is nothing to go on with.
    #[error("interview {0} has ended")]
    Ended(InterviewId),
    /// The journal to go on with was written by a program that decides otherwise.
    #[error("entry {} of the journal has other effects today: only the program that wrote it goes on", .0.n)]
    Differs(Box<Difference>),
    /// What hears.
    #[error(transparent)]
    Listen(#[from] crate::listen::ListenError),
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
        | Effect::Understand { .. }
        | Effect::Listen { .. }
        | Effect::Note(_)
        | Effect::Answer { .. }
        | Effect::Handoff { .. } => false,
    }
}
