//! The store of interviews, shared by worker and web: the trait [`JournalStore`], and [`FileStore`],
//! which keeps them in files.
//!
//! The inputs are written at launch, and stand once there is a journal. The journal grows by whole lines,
//! and belongs to whoever holds the lease; projections are made from it and replaced as a whole. The
//! sound of an interview is none of it: [`Recordings`] keeps it, as a file.

mod append;
#[cfg(test)]
pub(crate) mod conformance;
mod consent;
mod error;
mod files;
mod id;
mod lease;
mod link;
mod plans;
mod recordings;

use std::{fmt, time::SystemTime};

use futures_util::future::BoxFuture;

use crate::journal::{self, Inputs};

pub(crate) use append::Queue;
pub use append::{OpenJournal, Receipt};
pub use consent::Consent;
pub use error::StoreError;
pub use files::{FileStore, Folder};
pub use id::{InterviewId, NoId};
pub use lease::{Afterwards, Hold, Holder, Lease, LeaseState};
pub(crate) use lease::{EXPIRES_AFTER, TAKE_OVER_LIMIT};
pub use link::{Launch, LinkToken, MAILED_MAX, Stage};
pub use plans::Plans;
pub use recordings::Recordings;

/// The answer of a store, as a future that borrows nothing and can be awaited anywhere.
pub type Stored<T> = BoxFuture<'static, Result<T, StoreError>>;

/// A store of interviews: their inputs, journals, leases, and what is made from journals.
///
/// What it promises is in `conformance.rs`, as tests that each store runs. Whoever uses one holds an
/// `Arc<dyn JournalStore>`, so that a setting can choose it: that is why its methods give boxed futures,
/// as those of our providers do, and are no `async fn`s.
///
/// An interview that is not there is [`StoreError::NotFound`]. What takes a [`Holder`] is for whoever
/// holds the interview's lease, and [`StoreError::Lost`] for anybody else, also if they held it before.
pub trait JournalStore: fmt::Debug + Send + Sync {
    /// Creates an interview with its inputs, and its launch when it has a link: all of it or nothing.
    /// [`StoreError::Exists`] when there is one of this id.
    fn create(&self, id: InterviewId, inputs: &Inputs, launch: Option<&Launch>) -> Stored<()>;

    /// Returns the interviews there are, the newest first, `max` at most.
    fn list(&self, max: usize) -> Stored<Vec<Listed>>;

    /// Returns the ids of all there are.
    fn ids(&self) -> Stored<Vec<InterviewId>>;

    /// Returns one of them.
    fn find(&self, id: InterviewId) -> Stored<Listed>;

    /// Returns what the interview was launched with.
    fn inputs(&self, id: InterviewId) -> Stored<Inputs>;

    /// Returns the launch with its link; `None` for a job that came without one.
    fn launch(&self, id: InterviewId) -> Stored<Option<Launch>>;

    /// Writes the launch anew: with another link, or cancelled. [`StoreError::Exists`] when it has none,
    /// which it does not get later.
    fn relaunch(&self, id: InterviewId, launch: &Launch) -> Stored<()>;

    /// Returns what the candidate agreed to; `None` for one who was asked nothing on our pages.
    fn consent(&self, id: InterviewId) -> Stored<Option<Consent>>;

    /// Writes what the candidate agrees to, in place of what they agreed to before.
    fn agree(&self, id: InterviewId, consent: &Consent) -> Stored<()>;

    /// Writes the inputs anew. [`StoreError::Exists`] once a journal names their hash.
    fn amend(&self, id: InterviewId, holder: &Holder, inputs: &Inputs) -> Stored<()>;

    /// Returns the journal's whole lines as they are now, for [`journal::parse`]; `None` before the first
    /// one is whole. What a crash left of a line is not among them.
    fn read_journal(&self, id: InterviewId) -> Stored<Option<String>>;

    /// Opens the journal to append to it, and gives its lines, none at first. What a crash left of a line is
    /// gone from then on. Nobody who held the lease before can append any more.
    fn open_journal(&self, id: InterviewId, holder: &Holder) -> Stored<(OpenJournal, String)>;

    /// Puts the journal away, where it is kept but not read, and removes its projections: the interview
    /// has not begun, as far as its link is concerned. Fails when there is no journal.
    fn set_aside(&self, id: InterviewId, holder: &Holder) -> Stored<()>;

    /// Replaces a projection as a whole: whoever reads it sees the old text or the new one.
    fn write_projection(
        &self,
        id: InterviewId,
        holder: &Holder,
        which: Projection,
        text: String,
    ) -> Stored<()>;

    /// Returns a projection as it was written last; `None` before.
    fn read_projection(&self, id: InterviewId, which: Projection) -> Stored<Option<String>>;

    /// Removes an interview with everything that is kept of it, its sound too. What a crash leaves of
    /// one that was being removed is found by nobody, and gone with the next removal.
    /// [`StoreError::Held`] while somebody holds it.
    fn remove(&self, id: InterviewId) -> Stored<()>;

    /// Returns whether somebody holds the interview.
    fn lease_state(&self, id: InterviewId) -> Stored<LeaseState>;

    /// Takes a lease that nobody alive holds: of all who try at once, one gets it. [`StoreError::Held`] while
    /// somebody else has it.
    fn take_lease(&self, id: InterviewId, holder: &Holder) -> Stored<()>;

    /// Makes the lease young again, also if it has expired and nobody else took it.
    fn renew_lease(&self, id: InterviewId, holder: &Holder) -> Stored<()>;

    /// Gives the lease back, if it is theirs. It is called as a lease is dropped, so nobody waits for it:
    /// a store for which it takes time does it later, and one that fails says so in the log, and the
    /// lease expires.
    fn release_lease(&self, id: InterviewId, holder: &Holder);

    /// Makes the lease one of a holder that died, if it is theirs: whoever looks for those takes it. Nobody
    /// waits for it, as for [`JournalStore::release_lease`].
    fn expire_lease(&self, id: InterviewId, holder: &Holder);

    /// Returns all whose lease is expired and not abandoned. Workers ask for them twice a second.
    fn expired(&self) -> Stored<Vec<InterviewId>>;
}

/// An interview as it stands in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub id: InterviewId,
    /// When it was made, in milliseconds since 1970; 0 if nobody knows.
    pub made_at: u64,
    /// Its journal's stamp, where there is one.
    pub journal: Option<JournalStamp>,
}

/// A journal's length, in bytes or rows, and when it was written last: as long as both stay, so does all
/// that is read from it.
pub type JournalStamp = (u64, SystemTime);

/// What is made from a journal when its session has ended, for people and programs to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Projection {
    /// The whole interview: [`journal::Record`].
    Record,
    /// The conversation as a list of turns: [`journal::Transcript`].
    Transcript,
    /// What came out of an interview with a plan: [`crate::summary::Summary`]. Written when somebody asks for
    /// it.
    Summary,
    /// What a model has made of the interview, with what it was made from. Written when somebody asks for it.
    Report,
    /// What a model has written for whoever practised. Written when they ask for it.
    Practice,
    /// What was used of each provider. Written while the interview goes on, and by whoever writes about it.
    Usage,
}

impl Projection {
    /// All there are.
    pub const ALL: [Self; 6] =
        [Self::Record, Self::Transcript, Self::Summary, Self::Report, Self::Practice, Self::Usage];

    /// The name under which it is kept.
    pub fn name(self) -> &'static str {
        match self {
            Self::Record => journal::RECORD_FILE,
            Self::Transcript => "transcript.json",
            Self::Summary => "summary.json",
            Self::Report => "report.json",
            Self::Practice => "practice.json",
            Self::Usage => "usage.json",
        }
    }
}
