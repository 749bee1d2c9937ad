//! One interview's folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use serde::{Serialize, de::DeserializeOwned};

use super::{
    disk::{self, read_limited, replace},
    journal_file::{self, JOURNAL_MAX_BYTES},
    lease_file::LeaseFile,
};
use crate::{
    journal::Inputs,
    store::{
        Consent, InterviewId, JournalStamp, Launch, LeaseState, Listed, Projection, StoreError,
    },
};

/// Far above any real `inputs.json` or projection; keeps a damaged disk from filling the memory.
const FILE_MAX_BYTES: u64 = 16 * 1024 * 1024;
const CONSENT_FILE: &str = "consent.json";
const INPUTS_FILE: &str = "inputs.json";
const JOURNAL_FILE: &str = "journal.jsonl";
const LAUNCH_FILE: &str = "launch.json";
const LEASE_FILE: &str = "lease";

/// One interview's folder. Its methods block.
#[derive(Clone, Debug)]
pub struct Folder {
    id: InterviewId,
    path: PathBuf,
}

impl Folder {
    pub(super) fn new(id: InterviewId, path: PathBuf) -> Self {
        Self { id, path }
    }

    /// The interview's id.
    pub fn id(&self) -> InterviewId {
        self.id
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When the folder was filled, in milliseconds since 1970.
    pub(super) fn made_at(&self) -> Result<u64, StoreError> {
        // The inputs may have been amended; what is written once tells it.
        let launch = self.path.join(LAUNCH_FILE);
        let path = if launch.exists() { launch } else { self.path.join(INPUTS_FILE) };
        let made = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let made = made.map_err(|why| StoreError::io("read", &path, why))?;
        let since = made.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn listed(&self, made_at: u64) -> Listed {
        Listed { id: self.id, made_at, journal: self.journal_stamp() }
    }

    /// What the interview was launched with.
    pub fn inputs(&self) -> Result<Inputs, StoreError> {
        self.read_json(INPUTS_FILE)?.ok_or(StoreError::NotFound { id: self.id })
    }

    /// The launch with its link; `None` for a job that came without one.
    pub fn launch(&self) -> Result<Option<Launch>, StoreError> {
        self.read_json(LAUNCH_FILE)
    }

    /// Writes the launch anew, if there is one.
    pub(super) fn relaunch(&self, launch: &Launch) -> Result<(), StoreError> {
        match self.launch()? {
            Some(_) => self.write_json(LAUNCH_FILE, launch),
            None => Err(StoreError::Exists { id: self.id }),
        }
    }

    /// Writes the inputs anew; refused once a journal names their hash.
    pub(super) fn amend(&self, inputs: &Inputs) -> Result<(), StoreError> {
        match self.read_journal()? {
            Some(_) => Err(StoreError::Exists { id: self.id }),
            None => self.fill(inputs, None),
        }
    }

    /// What the candidate agreed to; `None` for one who was asked nothing on our pages.
    pub fn consent(&self) -> Result<Option<Consent>, StoreError> {
        self.read_json(CONSENT_FILE)
    }

    /// Keeps what the candidate agrees to.
    pub fn agree(&self, consent: &Consent) -> Result<(), StoreError> {
        self.write_json(CONSENT_FILE, consent)
    }

    /// The journal as it is now, `None` before the interview has begun: before its first line is whole.
    /// It may be growing: what follows the last line end is a line that is being written, or was torn by
    /// a crash; a reader leaves it alone.
    pub fn read_journal(&self) -> Result<Option<String>, StoreError> {
        let path = self.journal();
        let Some(mut bytes) = read_limited(&path, JOURNAL_MAX_BYTES)? else { return Ok(None) };
        bytes.truncate(journal_file::whole_lines(&bytes));
        if bytes.is_empty() {
            return Ok(None);
        }
        String::from_utf8(bytes).map(Some).map_err(|why| StoreError::damaged(&path, &why))
    }

    fn journal_stamp(&self) -> Option<JournalStamp> {
        let metadata = fs::metadata(self.journal()).ok()?;
        Some((metadata.len(), metadata.modified().ok()?))
    }

    /// Puts the journal under another name, and removes the projections of it.
    pub(super) fn set_aside(&self) -> Result<(), StoreError> {
        let path = self.journal();
        let names = (1..).map(|n| self.path.join(format!("no-show-{n}.jsonl")));
        let aside = names.into_iter().find(|name| !name.exists());
        let aside = aside.expect("there is always one more number");
        fs::rename(&path, aside).map_err(|why| StoreError::io("rename", &path, why))?;
        Projection::ALL.iter().try_for_each(|which| self.remove(which.name()))?;
        disk::sync_folder(&self.path)
    }

    pub(super) fn write(&self, which: Projection, text: &str) -> Result<(), StoreError> {
        replace(&self.path.join(which.name()), text.as_bytes())
    }

    /// A projection of the journal, `None` before it was written.
    pub fn read(&self, which: Projection) -> Result<Option<String>, StoreError> {
        let path = self.path.join(which.name());
        let Some(bytes) = read_limited(&path, FILE_MAX_BYTES)? else { return Ok(None) };
        String::from_utf8(bytes).map(Some).map_err(|why| StoreError::damaged(&path, &why))
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.path.join(JOURNAL_FILE)
    }

    /// Whether somebody holds the interview.
    pub fn lease_state(&self) -> Result<LeaseState, StoreError> {
        self.lease().state()
    }

    pub(super) fn lease(&self) -> LeaseFile {
        LeaseFile(self.path.join(LEASE_FILE))
    }

    /// Makes place for another interview in the same folder.
    pub(super) fn clear(&self) -> Result<(), StoreError> {
        self.lease().forget_holder();
        [JOURNAL_FILE, LEASE_FILE].iter().try_for_each(|name| self.remove(name))
    }

    /// Writes what an interview is made with.
    pub(super) fn fill(&self, inputs: &Inputs, launch: Option<&Launch>) -> Result<(), StoreError> {
        // Byte for byte what `Inputs::hash` is the hash of.
        let bytes =
            serde_json::to_vec(inputs).map_err(|why| StoreError::damaged(&self.path, &why))?;
        replace(&self.path.join(INPUTS_FILE), &bytes)?;
        match launch {
            Some(launch) => self.write_json(LAUNCH_FILE, launch),
            None => Ok(()),
        }
    }

    fn write_json(&self, name: &str, content: &impl Serialize) -> Result<(), StoreError> {
        let path = self.path.join(name);
        let mut bytes =
            serde_json::to_vec_pretty(content).map_err(|why| StoreError::damaged(&path, &why))?;
        bytes.push(b'\n');
        replace(&path, &bytes)
    }

    fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let path = self.path.join(name);
        let Some(bytes) = read_limited(&path, FILE_MAX_BYTES)? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|why| StoreError::damaged(&path, &why))
    }

    /// Removes a file that may be there.
    fn remove(&self, name: &str) -> Result<(), StoreError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io("remove", &path, why))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}
