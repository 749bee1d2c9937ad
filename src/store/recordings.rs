use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{InterviewId, StoreError};

const FILE: &str = "recording.ogg";

/// The sound of interviews, a file each. It is apart from [`JournalStore`](super::JournalStore): sound is
/// written while it is heard and served in parts, which a path does best, whatever the journals are kept
/// in.
#[derive(Clone, Debug)]
pub struct Recordings {
    interviews: PathBuf,
}

impl Recordings {
    /// Those of one data folder.
    pub fn of(data: &Path) -> Self {
        Self { interviews: data.join("interviews") }
    }

    /// Where the sound of both sides is, if it was recorded.
    pub fn path(&self, id: InterviewId) -> PathBuf {
        self.interviews.join(id.to_string()).join(FILE)
    }

    /// Removes the sound of an interview, if it was recorded.
    pub fn remove(&self, id: InterviewId) -> Result<(), StoreError> {
        let path = self.path(id);
        match fs::remove_file(&path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io("remove", &path, why))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}
