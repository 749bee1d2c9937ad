//! The files of interviews: one folder each under `<data>/interviews/<id>/`, shared by worker and web.
//!
//! `inputs.json` is written at launch, and stands once there is a journal; `journal.jsonl` grows by whole lines and
//! belongs to whoever interviews, as does `recording.ogg`; everything else is a projection and replaced as a whole.
//! Folder names are random: no file name says anything about a person.

mod consent;
mod error;
mod files;
mod id;
mod journal_file;
mod lease;
mod link;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::journal::Inputs;

pub use consent::Consent;
pub use error::StoreError;
pub use files::{read_limited, replace};
pub use id::InterviewId;
pub use journal_file::{JournalFile, Receipt};
pub use lease::{Lease, LeaseError, LeaseState};
pub use link::{Launch, LinkToken, Stage};

/// Far above any real `inputs.json` or projection; keeps a damaged disk from filling the memory.
const FILE_MAX_BYTES: u64 = 16 * 1024 * 1024;
const CONSENT_FILE: &str = "consent.json";
const RECORDING_FILE: &str = "recording.ogg";
/// An interview of hours has a few MiB.
const JOURNAL_MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The interviews of one data folder.
#[derive(Clone, Debug)]
pub struct Store {
    interviews: PathBuf,
}

impl Store {
    /// The store in `data`, made if it is not there. Fails when the folder cannot be made or written to.
    pub fn open(data: &Path) -> Result<Self, StoreError> {
        let interviews = data.join("interviews");
        fs::create_dir_all(&interviews).map_err(|why| StoreError::io("make", &interviews, why))?;
        Ok(Self { interviews })
    }

    /// Makes the folder of a new interview with its inputs, and its launch when it has a link. Either the
    /// whole folder is there afterwards or none of it: it is filled under another name and renamed.
    pub fn create(
        &self,
        id: &InterviewId,
        inputs: &Inputs,
        launch: Option<&Launch>,
    ) -> Result<Folder, StoreError> {
        let target = self.interviews.join(id.to_string());
        let staging = self.interviews.join(format!(".{id}.new"));
        fs::create_dir(&staging).map_err(|why| StoreError::io("make", &staging, why))?;
        let folder = Folder { id: *id, path: staging.clone() };
        let made = folder.fill(inputs, launch).and_then(|()| {
            if target.exists() {
                return Err(StoreError::Exists { id: *id });
            }
            fs::rename(&staging, &target).map_err(|why| StoreError::io("make", &target, why))?;
            files::sync_folder(&self.interviews)
        });
        if let Err(why) = made {
            let _ = fs::remove_dir_all(&staging);
            return Err(why);
        }
        Ok(Folder { id: *id, path: target })
    }

    /// The folder of an interview that is there.
    pub fn find(&self, id: &InterviewId) -> Result<Folder, StoreError> {
        let path = self.interviews.join(id.to_string());
        if path.is_dir() {
            Ok(Folder { id: *id, path })
        } else {
            Err(StoreError::NotFound { id: *id })
        }
    }

    /// All interviews there are, in the order of their ids. What is no interview's folder is passed over.
    pub fn list(&self) -> Result<Vec<Folder>, StoreError> {
        let failed = |why| StoreError::io("read", &self.interviews, why);
        let mut folders = Vec::new();
        for entry in fs::read_dir(&self.interviews).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Ok(id) = name.parse() {
                folders.push(Folder { id, path });
            }
        }
        folders.sort_by_key(|folder| folder.id);
        Ok(folders)
    }
}

/// A journal's length and when it was written last: as long as both stay, so does all that is read from it.
pub type JournalStamp = (u64, SystemTime);

/// One interview's folder.
#[derive(Clone, Debug)]
pub struct Folder {
    id: InterviewId,
    path: PathBuf,
}

impl Folder {
    /// A folder in no store, for an interview that is only tried. What another one left there is replaced.
    pub fn alone(path: &Path, id: InterviewId, inputs: &Inputs) -> Result<Self, StoreError> {
        let folder = Self { id, path: path.to_owned() };
        fs::create_dir_all(path).map_err(|why| StoreError::io("make", path, why))?;
        folder.remove("journal.jsonl")?;
        folder.fill(inputs, None)?;
        Ok(folder)
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
    pub fn made_at(&self) -> Result<u64, StoreError> {
        // The inputs may have been amended; what is written once tells it.
        let launch = self.path.join("launch.json");
        let path = if launch.exists() { launch } else { self.path.join("inputs.json") };
        let made = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let made = made.map_err(|why| StoreError::io("read", &path, why))?;
        let since = made.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// What the interview was launched with.
    pub fn inputs(&self) -> Result<Inputs, StoreError> {
        self.read_json("inputs.json")?.ok_or(StoreError::NotFound { id: self.id })
    }

    /// The launch with its link; `None` for a job that came without one.
    pub fn launch(&self) -> Result<Option<Launch>, StoreError> {
        self.read_json("launch.json")
    }

    /// Writes the inputs anew. For whoever holds the lease; refused once a journal names their hash.
    pub fn amend(&self, inputs: &Inputs) -> Result<(), StoreError> {
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

    /// Where the sound of both sides is, if it was recorded.
    pub fn recording(&self) -> PathBuf {
        self.path.join(RECORDING_FILE)
    }

    /// Opens the journal for the one who interviews: see [`JournalFile::open`].
    pub fn open_journal(&self) -> Result<(JournalFile, String), StoreError> {
        JournalFile::open(&self.journal())
    }

    /// The journal as it is now, `None` before the interview has begun: before its first line is whole. It may be growing:
    /// what follows the last line end is a line that is being written, or was torn by a crash; a reader leaves it alone.
    pub fn read_journal(&self) -> Result<Option<String>, StoreError> {
        let path = self.journal();
        let Some(mut bytes) = read_limited(&path, JOURNAL_MAX_BYTES)? else { return Ok(None) };
        bytes.truncate(journal_file::whole_lines(&bytes));
        if bytes.is_empty() {
            return Ok(None);
        }
        String::from_utf8(bytes).map(Some).map_err(|why| StoreError::damaged(&path, &why))
    }

    /// The journal's stamp; nothing where there is none.
    pub fn journal_stamp(&self) -> Option<JournalStamp> {
        let metadata = fs::metadata(self.journal()).ok()?;
        Some((metadata.len(), metadata.modified().ok()?))
    }

    /// Puts the journal under another name and removes these `projections` of it, and the recording: the interview has
    /// not begun, as far as its link is concerned. For whoever holds the lease.
    pub fn set_aside(&self, projections: &[&str]) -> Result<(), StoreError> {
        let path = self.journal();
        let names = (1..).map(|n| self.path.join(format!("no-show-{n}.jsonl")));
        let aside = names.into_iter().find(|name| !name.exists());
        let aside = aside.expect("there is always one more number");
        fs::rename(&path, aside).map_err(|why| StoreError::io("rename", &path, why))?;
        projections.iter().chain(&[RECORDING_FILE]).try_for_each(|name| self.remove(name))?;
        files::sync_folder(&self.path)
    }

    /// Replaces the projection `name` as a whole.
    pub fn write_json(&self, name: &str, content: &impl Serialize) -> Result<(), StoreError> {
        let path = self.path.join(name);
        let mut bytes =
            serde_json::to_vec_pretty(content).map_err(|why| StoreError::damaged(&path, &why))?;
        bytes.push(b'\n');
        replace(&path, &bytes)
    }

    /// Reads the projection `name`, `None` when it is not there.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let path = self.path.join(name);
        let Some(bytes) = read_limited(&path, FILE_MAX_BYTES)? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|why| StoreError::damaged(&path, &why))
    }

    fn journal(&self) -> PathBuf {
        self.path.join("journal.jsonl")
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

    fn fill(&self, inputs: &Inputs, launch: Option<&Launch>) -> Result<(), StoreError> {
        // Byte for byte what `Inputs::hash` is the hash of.
        let bytes =
            serde_json::to_vec(inputs).map_err(|why| StoreError::damaged(&self.path, &why))?;
        replace(&self.path.join("inputs.json"), &bytes)?;
        match launch {
            Some(launch) => self.write_json("launch.json", launch),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> Inputs {
        Inputs::new(
            "two-stage",
            vec![("blueprint.toml".into(), "x = 1".into())],
            Default::default(),
        )
    }

    /// N04: inputs are written once, read back the same, and a second launch under the same id is refused.
    #[test]
    fn inputs_are_written_once() {
        let data = tempfile::tempdir().unwrap();
        let store = Store::open(data.path()).unwrap();
        let id = InterviewId::random();
        let folder = store.create(&id, &inputs(), None).unwrap();
        assert_eq!(folder.inputs().unwrap(), inputs());
        let bytes = fs::read(folder.path().join("inputs.json")).unwrap();
        assert_eq!(
            link::sha256_hex(&bytes),
            inputs().hash(),
            "the journal's header names this file"
        );
        assert!(matches!(store.create(&id, &inputs(), None), Err(StoreError::Exists { .. })));
        assert_eq!(store.list().unwrap().len(), 1);
        assert_eq!(
            fs::read_dir(data.path().join("interviews")).unwrap().count(),
            1,
            "nothing half-started is left behind"
        );
    }

    /// N04, R10: inputs can be amended until a journal names them.
    #[test]
    fn inputs_stand_once_there_is_a_journal() {
        let data = tempfile::tempdir().unwrap();
        let store = Store::open(data.path()).unwrap();
        let folder = store.create(&InterviewId::random(), &inputs(), None).unwrap();
        let mut amended = inputs();
        amended.context.recorded = true;
        fs::write(folder.journal(), "torn").unwrap();
        folder.amend(&amended).unwrap();
        assert_eq!(folder.inputs().unwrap(), amended);
        fs::write(folder.journal(), "{}\n").unwrap();
        assert!(matches!(folder.amend(&inputs()), Err(StoreError::Exists { .. })));
        assert_eq!(folder.inputs().unwrap(), amended);
    }

    /// N04: a crash between writing a projection and renaming it leaves the old one, and the next write goes through.
    #[test]
    fn a_crash_before_the_rename_leaves_the_old_projection() {
        let data = tempfile::tempdir().unwrap();
        let folder = Store::open(data.path())
            .unwrap()
            .create(&InterviewId::random(), &inputs(), None)
            .unwrap();
        folder.write_json("transcript.json", &"old").unwrap();
        fs::write(folder.path().join(".transcript.json.new"), b"\"half of the ne").unwrap();
        assert_eq!(folder.read_json::<String>("transcript.json").unwrap().as_deref(), Some("old"));
        folder.write_json("transcript.json", &"new").unwrap();
        assert_eq!(folder.read_json::<String>("transcript.json").unwrap().as_deref(), Some("new"));
        assert!(!folder.path().join(".transcript.json.new").exists());
    }

    /// DESIGN §3: a reader passes over a torn last line and leaves it alone.
    #[test]
    fn a_reader_passes_over_a_torn_line() {
        let data = tempfile::tempdir().unwrap();
        let folder = Store::open(data.path())
            .unwrap()
            .create(&InterviewId::random(), &inputs(), None)
            .unwrap();
        assert_eq!(folder.read_journal().unwrap(), None);
        for begun in ["", "on"] {
            fs::write(folder.journal(), begun).unwrap();
            assert_eq!(folder.read_journal().unwrap(), None, "it has not begun");
        }
        fs::write(folder.journal(), "one\ntwo\nthr").unwrap();
        assert_eq!(folder.read_journal().unwrap().as_deref(), Some("one\ntwo\n"));
        assert_eq!(fs::read_to_string(folder.journal()).unwrap(), "one\ntwo\nthr");
    }

    /// C04: what nobody came to is kept under another name, and the interview can begin again, twice if need be.
    #[test]
    fn a_journal_that_is_set_aside_makes_way_for_another() {
        let data = tempfile::tempdir().unwrap();
        let folder = Store::open(data.path())
            .unwrap()
            .create(&InterviewId::random(), &inputs(), None)
            .unwrap();
        for n in ["one", "two"] {
            fs::write(folder.journal(), format!("{n}\n")).unwrap();
            folder.write_json("transcript.json", &n).unwrap();
            fs::write(folder.recording(), "silence").unwrap();
            folder.set_aside(&["transcript.json", "never-written.json"]).unwrap();
            assert_eq!(folder.read_journal().unwrap(), None);
            assert!(!folder.recording().exists());
            assert_eq!(folder.read_json::<String>("transcript.json").unwrap(), None);
        }
        let kept =
            |n| fs::read_to_string(folder.path().join(format!("no-show-{n}.jsonl"))).unwrap();
        assert_eq!((kept(1), kept(2)), ("one\n".to_owned(), "two\n".to_owned()));
        assert!(folder.set_aside(&[]).is_err(), "there is nothing to set aside");
    }

    /// A damaged file is one sentence that names it, no panic.
    #[test]
    fn a_damaged_file_is_named() {
        let data = tempfile::tempdir().unwrap();
        let folder = Store::open(data.path())
            .unwrap()
            .create(&InterviewId::random(), &inputs(), None)
            .unwrap();
        fs::write(folder.path().join("inputs.json"), b"{\"v\":").unwrap();
        let sentence = folder.inputs().unwrap_err().to_string();
        assert!(
            sentence.contains("inputs.json") && sentence.contains("cannot be read"),
            "{sentence}"
        );
    }

    /// A data folder that cannot be made is one sentence.
    #[test]
    fn a_data_folder_that_is_a_file_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let sentence = Store::open(file.path()).unwrap_err().to_string();
        assert!(sentence.contains("interviews"), "{sentence}");
    }
}
