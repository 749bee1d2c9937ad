use std::io;
use std::path::Path;
use std::sync::Arc;

use super::InterviewId;

/// Why the store did not do it. Each reads as one sentence; none holds what a person said or is called.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// No such interview: the caller answers "not found".
    #[error("there is no interview {id}")]
    NotFound {
        /// The interview that was asked for.
        id: InterviewId,
    },
    /// An interview of this id is there already: the caller takes another id, or goes on with that one.
    #[error("interview {id} is there already")]
    Exists {
        /// The id that is taken.
        id: InterviewId,
    },
    /// Another worker holds the interview: the caller leaves it alone.
    #[error("another worker holds this interview")]
    Held,
    /// The interview is not, or no more, the caller's: it stops at once.
    #[error("this interview was taken over by another worker")]
    Lost,
    /// Somebody else has appended to the journal since it was opened: the caller leaves the interview to
    /// them.
    #[error("{file} is being written by another process")]
    Taken {
        /// Folder and file.
        file: String,
    },
    /// The content is not what this program writes: a person has to look.
    #[error("{file} cannot be read: {why}")]
    Damaged {
        /// Folder and file.
        file: String,
        /// What is wrong with it, and where.
        why: String,
    },
    /// More lines wait to be written than the queue holds: the disk is too slow, the interview ends as
    /// technical.
    #[error("{file} cannot be written fast enough; the disk of the data folder is too slow")]
    Behind {
        /// Folder and file.
        file: String,
    },
    /// The operating system refused: a full disk, rights, a missing folder.
    #[error("could not {doing} {file}: {why}{}", mend(why))]
    Io {
        /// The verb.
        doing: &'static str,
        /// Folder and file.
        file: String,
        /// What the system said.
        why: Arc<io::Error>,
    },
    /// The database that keeps the interviews does not do it: it is away, or refuses.
    #[error("{why}")]
    Database {
        /// One sentence.
        why: Arc<String>,
    },
    /// The program is ending: it was not tried.
    #[error("the program is ending")]
    Ending,
}

impl StoreError {
    pub(crate) fn io(doing: &'static str, path: &Path, why: io::Error) -> Self {
        Self::Io { doing, file: short(path), why: Arc::new(why) }
    }

    pub(super) fn damaged(path: &Path, why: &impl ToString) -> Self {
        Self::Damaged { file: short(path), why: why.to_string() }
    }
}

/// The last two parts of a path: which interview and which file, without the machine's folders.
pub(super) fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

fn mend(why: &io::Error) -> &'static str {
    match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space on the disk of the data folder"
        }
        io::ErrorKind::PermissionDenied => "; give this user the right to write in the data folder",
        _ => "",
    }
}
