//! Interviews in files: a folder each under `<data>/interviews/<id>/`.
//!
//! `inputs.json`, `launch.json`, `consent.json`, `journal.jsonl`, `lease` with the file that its holder
//! keeps locked, and a file for each projection. Folder names are random: no file name says anything about a
//! person.

mod alive;
mod disk;
mod folder;
mod journal_file;
mod lease_file;

use std::{
    cmp::Reverse,
    fs,
    path::{Path, PathBuf},
};

use super::{
    Consent, Holder, InterviewId, JournalStore, Launch, LeaseState, Listed, OpenJournal,
    Projection, StoreError, Stored,
};
use crate::journal::Inputs;

pub(super) use disk::{read_limited, replace};
pub use folder::Folder;

/// How the name of a folder ends that is being removed.
const GOING: &str = ".gone";

/// The interviews of one data folder, or one in a folder of its own.
///
/// As a [`JournalStore`] it works on threads for blocking work, and needs a runtime; its own methods block.
#[derive(Clone, Debug)]
pub struct FileStore {
    places: Places,
}

/// Where folders are.
#[derive(Clone, Debug)]
enum Places {
    /// Beside one another in this folder, each under its id.
    Shared(PathBuf),
    /// Here is the only one.
    Alone(Folder),
}

impl FileStore {
    /// The store in `data`, made if it is not there. Fails when the folder cannot be made or written to.
    pub fn open(data: &Path) -> Result<Self, StoreError> {
        let interviews = data.join("interviews");
        fs::create_dir_all(&interviews).map_err(|why| StoreError::io("make", &interviews, why))?;
        Ok(Self { places: Places::Shared(interviews) })
    }

    /// A store of one interview that is only tried, in this folder. What another one left there is replaced.
    pub fn alone(path: &Path, id: InterviewId, inputs: &Inputs) -> Result<Self, StoreError> {
        let folder = Folder::new(id, path.to_owned());
        fs::create_dir_all(path).map_err(|why| StoreError::io("make", path, why))?;
        folder.clear()?;
        folder.fill(inputs, None)?;
        Ok(Self { places: Places::Alone(folder) })
    }

    /// Makes the folder of a new interview with its inputs, and its launch when it has a link. Either the
    /// whole folder is there afterwards or none of it: it is filled under another name and renamed.
    pub fn make(
        &self,
        id: InterviewId,
        inputs: &Inputs,
        launch: Option<&Launch>,
    ) -> Result<Folder, StoreError> {
        let Places::Shared(interviews) = &self.places else {
            return Err(StoreError::Exists { id });
        };
        let target = interviews.join(id.to_string());
        // Two who make the same one do not fill the same folder.
        let staging = interviews.join(format!(".{id}.{:08x}.new", rand::random::<u32>()));
        fs::create_dir(&staging).map_err(|why| StoreError::io("make", &staging, why))?;
        let made = Folder::new(id, staging.clone()).fill(inputs, launch).and_then(|()| {
            if target.exists() {
                return Err(StoreError::Exists { id });
            }
            fs::rename(&staging, &target).map_err(|why| match target.exists() {
                true => StoreError::Exists { id },
                false => StoreError::io("make", &target, why),
            })?;
            disk::sync_folder(interviews)
        });
        if let Err(why) = made {
            let _ = fs::remove_dir_all(&staging);
            return Err(why);
        }
        Ok(Folder::new(id, target))
    }

    /// The folder of an interview that is there.
    pub fn folder(&self, id: InterviewId) -> Result<Folder, StoreError> {
        let folder = match &self.places {
            Places::Shared(interviews) => Folder::new(id, interviews.join(id.to_string())),
            Places::Alone(folder) if folder.id() == id => folder.clone(),
            Places::Alone(_) => return Err(StoreError::NotFound { id }),
        };
        if folder.path().is_dir() { Ok(folder) } else { Err(StoreError::NotFound { id }) }
    }

    /// All folders there are, in the order of their ids. What is no interview's folder is passed over.
    pub fn folders(&self) -> Result<Vec<Folder>, StoreError> {
        let interviews = match &self.places {
            Places::Shared(interviews) => interviews,
            Places::Alone(folder) => return Ok(vec![folder.clone()]),
        };
        let failed = |why| StoreError::io("read", interviews, why);
        let mut folders = Vec::new();
        for entry in fs::read_dir(interviews).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Ok(id) = name.parse() {
                folders.push(Folder::new(id, path));
            }
        }
        folders.sort_by_key(Folder::id);
        Ok(folders)
    }

    /// Renames the folder first: from then on nobody finds it, whatever happens.
    fn remove_now(&self, id: InterviewId) -> Result<(), StoreError> {
        let Places::Shared(interviews) = &self.places else {
            return self.folder(id)?.clear();
        };
        let found = self.folder(id);
        if let Ok(folder) = &found {
            if folder.lease_state()? == LeaseState::Held {
                return Err(StoreError::Held);
            }
            let going = interviews.join(format!(".{id}{GOING}"));
            fs::rename(folder.path(), &going)
                .map_err(|why| StoreError::io("remove", folder.path(), why))?;
            disk::sync_folder(interviews)?;
        }
        sweep(interviews)?;
        found.map(drop)
    }

    fn newest(&self, max: usize) -> Result<Vec<Listed>, StoreError> {
        let folders = self.folders()?.into_iter();
        let mut folders: Vec<_> = folders.map(|it| (it.made_at().unwrap_or(0), it)).collect();
        folders.sort_by_key(|(made_at, _)| Reverse(*made_at));
        folders.truncate(max);
        Ok(folders.into_iter().map(|(made_at, folder)| folder.listed(made_at)).collect())
    }

    /// Works in an interview's folder.
    fn within<T: Send + 'static>(
        &self,
        id: InterviewId,
        work: impl FnOnce(&Folder) -> Result<T, StoreError> + Send + 'static,
    ) -> Stored<T> {
        self.on_disk(move |store| work(&store.folder(id)?))
    }

    /// The same for whoever holds its lease.
    fn held<T: Send + 'static>(
        &self,
        id: InterviewId,
        holder: &Holder,
        work: impl FnOnce(&Folder) -> Result<T, StoreError> + Send + 'static,
    ) -> Stored<T> {
        let holder = holder.clone();
        self.within(id, move |folder| {
            folder.lease().check(&holder)?;
            work(folder)
        })
    }

    /// Works where it keeps no task waiting.
    fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, StoreError> + Send + 'static,
    ) -> Stored<T> {
        let store = self.clone();
        Box::pin(async move {
            let done = tokio::task::spawn_blocking(move || work(&store)).await;
            done.unwrap_or_else(|why| match why.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(StoreError::Ending),
            })
        })
    }
}

/// Removes what is left of folders that were being removed.
fn sweep(interviews: &Path) -> Result<(), StoreError> {
    let failed = |why| StoreError::io("remove", interviews, why);
    for entry in fs::read_dir(interviews).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_going = |name: &str| name.starts_with('.') && name.ends_with(GOING);
        if path.file_name().and_then(|name| name.to_str()).is_some_and(is_going) {
            fs::remove_dir_all(&path).map_err(|why| StoreError::io("remove", &path, why))?;
        }
    }
    disk::sync_folder(interviews)
}

impl JournalStore for FileStore {
    fn create(&self, id: InterviewId, inputs: &Inputs, launch: Option<&Launch>) -> Stored<()> {
        let (inputs, launch) = (inputs.clone(), launch.cloned());
        self.on_disk(move |store| store.make(id, &inputs, launch.as_ref()).map(drop))
    }

    fn list(&self, max: usize) -> Stored<Vec<Listed>> {
        self.on_disk(move |store| store.newest(max))
    }

    fn ids(&self) -> Stored<Vec<InterviewId>> {
        self.on_disk(|store| Ok(store.folders()?.iter().map(Folder::id).collect()))
    }

    fn find(&self, id: InterviewId) -> Stored<Listed> {
        self.within(id, |folder| Ok(folder.listed(folder.made_at().unwrap_or(0))))
    }

    fn inputs(&self, id: InterviewId) -> Stored<Inputs> {
        self.within(id, Folder::inputs)
    }

    fn launch(&self, id: InterviewId) -> Stored<Option<Launch>> {
        self.within(id, Folder::launch)
    }

    fn relaunch(&self, id: InterviewId, launch: &Launch) -> Stored<()> {
        let launch = launch.clone();
        self.within(id, move |folder| folder.relaunch(&launch))
    }

    fn consent(&self, id: InterviewId) -> Stored<Option<Consent>> {
        self.within(id, Folder::consent)
    }

    fn agree(&self, id: InterviewId, consent: &Consent) -> Stored<()> {
        let consent = consent.clone();
        self.within(id, move |folder| folder.agree(&consent))
    }

    fn amend(&self, id: InterviewId, holder: &Holder, inputs: &Inputs) -> Stored<()> {
        let inputs = inputs.clone();
        self.held(id, holder, move |folder| folder.amend(&inputs))
    }

    fn read_journal(&self, id: InterviewId) -> Stored<Option<String>> {
        self.within(id, Folder::read_journal)
    }

    fn open_journal(&self, id: InterviewId, holder: &Holder) -> Stored<(OpenJournal, String)> {
        let holder = holder.clone();
        self.within(id, |folder| journal_file::open(&folder.journal(), folder.lease(), holder))
    }

    fn set_aside(&self, id: InterviewId, holder: &Holder) -> Stored<()> {
        self.held(id, holder, Folder::set_aside)
    }

    fn write_projection(
        &self,
        id: InterviewId,
        holder: &Holder,
        which: Projection,
        text: String,
    ) -> Stored<()> {
        self.held(id, holder, move |folder| folder.write(which, &text))
    }

    fn read_projection(&self, id: InterviewId, which: Projection) -> Stored<Option<String>> {
        self.within(id, move |folder| folder.read(which))
    }

    fn remove(&self, id: InterviewId) -> Stored<()> {
        self.on_disk(move |store| store.remove_now(id))
    }

    fn lease_state(&self, id: InterviewId) -> Stored<LeaseState> {
        self.within(id, Folder::lease_state)
    }

    fn take_lease(&self, id: InterviewId, holder: &Holder) -> Stored<()> {
        let holder = holder.clone();
        self.within(id, move |folder| folder.lease().take(&holder))
    }

    fn renew_lease(&self, id: InterviewId, holder: &Holder) -> Stored<()> {
        let holder = holder.clone();
        self.within(id, move |folder| folder.lease().renew(&holder))
    }

    /// At once, so that it is done when the process ends behind it.
    fn release_lease(&self, id: InterviewId, holder: &Holder) {
        if let Err(error) = self.folder(id).and_then(|folder| folder.lease().release(holder)) {
            tracing::warn!(%error, "a lease was not given back");
        }
    }

    fn expire_lease(&self, id: InterviewId, holder: &Holder) {
        if let Err(error) = self.folder(id).and_then(|folder| folder.lease().give_up(holder)) {
            tracing::warn!(%error, "a lease was not given up");
        }
    }

    fn expired(&self) -> Stored<Vec<InterviewId>> {
        self.on_disk(|store| {
            let folders = store.folders()?.into_iter();
            // One that is removed meanwhile is nobody's.
            let is_expired = |it: &Folder| matches!(it.lease_state(), Ok(LeaseState::Expired));
            Ok(folders.filter(is_expired).map(|it| it.id()).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Write, sync::Arc};

    use super::*;
    use crate::store::{
        Hold,
        conformance::{Subject, keeps_its_promises},
    };

    fn inputs() -> Inputs {
        let files = vec![("blueprint.toml".into(), "x = 1".into())];
        Inputs::new("two-stage", files, Default::default())
    }

    /// A store in a folder of its own.
    struct Files {
        files: FileStore,
        store: Arc<dyn JournalStore>,
        data: tempfile::TempDir,
    }

    impl Files {
        fn new() -> Self {
            let data = tempfile::tempdir().unwrap();
            let files = FileStore::open(data.path()).unwrap();
            Self { store: Arc::new(files.clone()), files, data }
        }
    }

    impl Subject for Files {
        fn store(&self) -> &Arc<dyn JournalStore> {
            &self.store
        }

        async fn expire(&self, id: InterviewId) {
            self.files.folder(id).unwrap().lease().expire();
        }

        async fn tear(&self, id: InterviewId, line: &str) {
            let journal = self.files.folder(id).unwrap().journal();
            let mut file = OpenOptions::new().create(true).append(true).open(journal).unwrap();
            file.write_all(line.as_bytes()).unwrap();
        }

        async fn die_creating(&self, id: InterviewId, inputs: &Inputs) {
            let staging = self.data.path().join(format!("interviews/.{id}.0000cafe.new"));
            fs::create_dir(&staging).unwrap();
            Folder::new(id, staging).fill(inputs, None).unwrap();
        }
    }

    /// N04, W08: files keep what every store promises.
    #[tokio::test]
    async fn files_keep_the_promises() {
        keeps_its_promises(&Files::new()).await;
    }

    /// N04: the inputs' file is what the journal's header has the hash of, and nothing half-made is left
    /// behind.
    #[test]
    fn inputs_are_written_as_they_are_hashed() {
        let Files { files, data, .. } = Files::new();
        let id = InterviewId::random();
        let folder = files.make(id, &inputs(), None).unwrap();
        let bytes = fs::read(folder.path().join("inputs.json")).unwrap();
        assert_eq!(crate::store::link::sha256_hex(&bytes), inputs().hash());
        assert!(matches!(files.make(id, &inputs(), None), Err(StoreError::Exists { .. })));
        let left = fs::read_dir(data.path().join("interviews")).unwrap().count();
        assert_eq!(left, 1, "the folder alone");
    }

    /// N04: a crash between writing a projection and renaming it leaves the old one, and the next write goes
    /// through.
    #[test]
    fn a_crash_before_the_rename_leaves_the_old_projection() {
        let Files { files, data: _data, .. } = Files::new();
        let folder = files.make(InterviewId::random(), &inputs(), None).unwrap();
        let read = || folder.read(Projection::Transcript).unwrap();
        folder.write(Projection::Transcript, "old").unwrap();
        let staging = folder.path().join(".transcript.json.new");
        fs::write(&staging, b"half of the ne").unwrap();
        assert_eq!(read().as_deref(), Some("old"));
        folder.write(Projection::Transcript, "new").unwrap();
        assert_eq!(read().as_deref(), Some("new"));
        assert!(!staging.exists());
    }

    /// A reader leaves a torn last line alone: it may be in the middle of being written.
    #[test]
    fn a_reader_changes_nothing() {
        let Files { files, data: _data, .. } = Files::new();
        let folder = files.make(InterviewId::random(), &inputs(), None).unwrap();
        fs::write(folder.journal(), "one\ntwo\nthr").unwrap();
        assert_eq!(folder.read_journal().unwrap().as_deref(), Some("one\ntwo\n"));
        assert_eq!(fs::read_to_string(folder.journal()).unwrap(), "one\ntwo\nthr");
    }

    /// C04: what is set aside is kept under another name.
    #[tokio::test]
    async fn what_is_set_aside_is_kept() {
        let Files { files, store, data: _data } = Files::new();
        let folder = files.make(InterviewId::random(), &inputs(), None).unwrap();
        let hold = Hold::take(&store, folder.id()).await.unwrap();
        for n in ["one", "two"] {
            fs::write(folder.journal(), n).unwrap();
            hold.set_aside().await.unwrap();
        }
        let kept =
            |n| fs::read_to_string(folder.path().join(format!("no-show-{n}.jsonl"))).unwrap();
        assert_eq!((kept(1).as_str(), kept(2).as_str()), ("one", "two"));
    }

    /// An interview that is only tried takes the place of the one before, also where that one was killed.
    #[tokio::test]
    async fn a_folder_of_its_own_is_used_again() {
        let out = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let id = InterviewId::random();
            let store = FileStore::alone(out.path(), id, &inputs()).unwrap();
            let store: Arc<dyn JournalStore> = Arc::new(store);
            let hold = Hold::take(&store, id).await.unwrap();
            let (journal, text) = hold.open_journal().await.unwrap();
            assert_eq!(text, "");
            journal.append("one\n").unwrap().synced().await.unwrap();
            assert_eq!(store.list(9).await.unwrap().len(), 1);
            let other = store.find(InterviewId::random()).await;
            assert!(matches!(other, Err(StoreError::NotFound { .. })), "{other:?}");
        }
    }

    /// A damaged file is one sentence that names it, no panic.
    #[test]
    fn a_damaged_file_is_named() {
        let Files { files, data: _data, .. } = Files::new();
        let folder = files.make(InterviewId::random(), &inputs(), None).unwrap();
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
        let sentence = FileStore::open(file.path()).unwrap_err().to_string();
        assert!(sentence.contains("interviews"), "{sentence}");
    }
}
