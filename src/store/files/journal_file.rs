//! A journal as a file that grows by whole lines. They are written and synced by a thread of their own.
//!
//! The file is locked while it is read to append, and while lines are written, and who holds the lease is
//! looked up behind the lock: after somebody else has taken the lease and opened the journal, nothing of
//! ours gets in.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    thread,
};

use super::{disk, lease_file::LeaseFile};
use crate::store::{
    Holder, OpenJournal, StoreError,
    append::{Append, Queue},
    error::short,
};

/// An interview of hours has a few MiB.
pub(super) const JOURNAL_MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Opens or makes the journal and gives what is in it. A torn last line, left by a crash while it was being
/// written, is cut off.
pub(super) fn open(
    path: &Path,
    lease: LeaseFile,
    holder: Holder,
) -> Result<(OpenJournal, String), StoreError> {
    let failed = |why| StoreError::io("open", path, why);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(failed)?;
    // Whoever else has it writes a few lines at most.
    file.lock().map_err(failed)?;
    lease.check(&holder)?;
    let mut bytes = Vec::new();
    (&mut file).take(JOURNAL_MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > JOURNAL_MAX_BYTES {
        let why = format!("it has more than {JOURNAL_MAX_BYTES} bytes");
        return Err(StoreError::damaged(path, &why));
    }
    let whole = whole_lines(&bytes);
    if whole < bytes.len() {
        file.set_len(whole as u64).and_then(|()| file.sync_all()).map_err(failed)?;
        bytes.truncate(whole);
    }
    file.unlock().map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|why| StoreError::damaged(path, &why))?;
    if let Some(folder) = path.parent() {
        disk::sync_folder(folder)?;
    }
    let (journal, queue) = OpenJournal::new(short(path));
    let path = path.to_owned();
    Writer { file, path, lease, holder, whole: whole as u64, failed: None, queue }.start()?;
    Ok((journal, text))
}

/// How many of the bytes belong to whole lines.
pub(super) fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// What writes the lines of one open journal.
struct Writer {
    file: File,
    path: PathBuf,
    lease: LeaseFile,
    holder: Holder,
    /// The bytes of the lines that were there, and of ours since.
    whole: u64,
    failed: Option<StoreError>,
    /// Dropped last: that tells that the file is closed.
    queue: Queue,
}

impl Writer {
    fn start(self) -> Result<(), StoreError> {
        let file = short(&self.path);
        let spawned = thread::Builder::new().name("journal".into()).spawn(move || self.run());
        spawned.map(drop).map_err(|why| StoreError::Io {
            doing: "start a thread for",
            file,
            why: why.into(),
        })
    }

    fn run(mut self) {
        while let Some(batch) = self.queue.batch() {
            let written = self.write(&batch);
            for append in batch {
                append.told(written.clone());
            }
        }
    }

    fn write(&mut self, batch: &[Append]) -> Result<(), StoreError> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let lines = batch.iter().flat_map(|append| append.line.as_bytes());
        let bytes = lines.copied().collect::<Vec<_>>();
        let written = self.write_locked(&bytes);
        self.failed = written.clone().err();
        written
    }

    fn write_locked(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let failed = |why| StoreError::io("write", &self.path, why);
        self.file.lock().map_err(failed)?;
        let written = self.lease.check(&self.holder).and_then(|()| {
            if self.file.metadata().map_err(failed)?.len() != self.whole {
                return Err(StoreError::Taken { file: short(&self.path) });
            }
            let start = SeekFrom::Start(self.whole);
            let mut file = &self.file;
            let written = file.seek(start).and_then(|_| file.write_all(bytes));
            written.and_then(|()| file.sync_data()).map_err(|why| {
                // What was promised to nobody should not be read by anybody.
                let _ = file.set_len(self.whole);
                failed(why)
            })
        });
        let _ = self.file.unlock();
        written?;
        self.whole += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn held(folder: &Path) -> (LeaseFile, Holder) {
        let (lease, holder) = (LeaseFile(folder.join("lease")), Holder::random());
        lease.take(&holder).unwrap();
        (lease, holder)
    }

    /// A full disk under the journal: one sentence, and every later append is refused with the same one.
    #[tokio::test]
    async fn a_full_disk_is_one_sentence_and_final() {
        let folder = tempfile::tempdir().unwrap();
        let (lease, holder) = held(folder.path());
        let file = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let path = "0123/journal.jsonl".into();
        let (journal, queue) = OpenJournal::new("0123/journal.jsonl".into());
        Writer { file, path, lease, holder, whole: 0, failed: None, queue }.start().unwrap();
        let refused = async |line| journal.append(line).unwrap().synced().await.unwrap_err();
        let sentence = refused("one\n").await.to_string();
        assert!(
            sentence.starts_with("could not write 0123/journal.jsonl: No space left"),
            "{sentence}"
        );
        assert!(sentence.contains("free some space"), "{sentence}");
        assert_eq!(refused("two\n").await.to_string(), sentence);
    }

    /// W08: the same holder opens it twice: what one of them writes is not written over by the other.
    #[tokio::test]
    async fn two_who_append_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let (lease, holder) = held(folder.path());
        let (first, _) = open(&path, lease.clone(), holder.clone()).unwrap();
        let (second, _) = open(&path, lease, holder).unwrap();
        first.append("one\n").unwrap().synced().await.unwrap();
        let refused = second.append("two\n").unwrap().synced().await;
        assert!(matches!(refused, Err(StoreError::Taken { .. })), "{refused:?}");
        first.append("three\n").unwrap().synced().await.unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nthree\n");
    }

    /// A journal that is no text is refused with its name, no panic.
    #[test]
    fn a_journal_that_is_no_text_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, [0xff, b'\n']).unwrap();
        let (lease, holder) = held(folder.path());
        assert!(matches!(open(&path, lease, holder), Err(StoreError::Damaged { .. })));
    }
}
