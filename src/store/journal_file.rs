use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;

use tokio::sync::{mpsc, oneshot};

use super::error::{StoreError, short};
use super::{JOURNAL_MAX_BYTES, files};

/// Lines that may wait for the disk. A turn is about ten events; more than this is a disk that stands still.
const QUEUE_LINES_MAX: usize = 256;

/// The journal of an interview, open for the one who holds its lease. Lines are written and synced by a
/// thread of their own; lines that wait together share one sync.
#[derive(Debug)]
pub struct JournalFile {
    file: String,
    lines: mpsc::Sender<Append>,
    ended: oneshot::Receiver<()>,
}

#[derive(Debug)]
struct Append {
    line: String,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl JournalFile {
    /// Opens or makes the journal and gives what is in it. A torn last line, left by a crash
    /// while it was being written, is cut off. `Taken` when another process has it open.
    pub fn open(path: &Path) -> Result<(Self, String), StoreError> {
        let failed = |why| StoreError::io("open", path, why);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Taken { file: short(path) }),
            Err(TryLockError::Error(why)) => return Err(failed(why)),
        }
        let mut bytes = Vec::new();
        (&mut file).take(JOURNAL_MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > JOURNAL_MAX_BYTES {
            return Err(StoreError::damaged(
                path,
                &format!("it has more than {JOURNAL_MAX_BYTES} bytes"),
            ));
        }
        let whole = whole_lines(&bytes);
        if whole < bytes.len() {
            file.set_len(whole as u64).and_then(|()| file.sync_all()).map_err(failed)?;
            bytes.truncate(whole);
        }
        let text = String::from_utf8(bytes).map_err(|why| StoreError::damaged(path, &why))?;
        file.seek(SeekFrom::Start(whole as u64)).map_err(failed)?;
        if let Some(folder) = path.parent() {
            files::sync_folder(folder)?;
        }
        Ok((Self::start(file, path.to_owned())?, text))
    }

    /// Queues one line, with its line end. The receipt tells when it is on disk. After one failure all
    /// later appends fail: a journal has no holes.
    pub fn append(&self, line: &str) -> Result<Receipt, StoreError> {
        assert_eq!(
            line.find('\n'),
            line.len().checked_sub(1),
            "an entry is one line: {} bytes",
            line.len()
        );
        let (done, receipt) = oneshot::channel();
        let behind = |_| StoreError::Behind { file: self.file.clone() };
        self.lines.try_send(Append { line: line.to_owned(), done }).map_err(behind)?;
        Ok(Receipt { file: self.file.clone(), done: receipt })
    }

    /// Waits until everything is written and the file is closed.
    pub async fn close(self) {
        drop(self.lines);
        let _ = self.ended.await;
    }

    fn start(file: File, path: PathBuf) -> Result<Self, StoreError> {
        let (lines, queue) = mpsc::channel(QUEUE_LINES_MAX);
        let (end, ended) = oneshot::channel();
        let name = short(&path);
        let writer = Writer { file, path, queue, failed: None };
        thread::Builder::new()
            .name("journal".into())
            .spawn(move || {
                writer.run();
                let _ = end.send(());
            })
            .map_err(|why| StoreError::Io {
                doing: "start a thread for",
                file: name.clone(),
                why: why.into(),
            })?;
        Ok(Self { file: name, lines, ended })
    }
}

/// Tells when a line is on disk.
#[derive(Debug)]
pub struct Receipt {
    file: String,
    done: oneshot::Receiver<Result<(), StoreError>>,
}

impl Receipt {
    /// Waits until the line is on disk, or for the reason why it never will be.
    pub async fn synced(self) -> Result<(), StoreError> {
        self.done.await.unwrap_or(Err(StoreError::Behind { file: self.file }))
    }

    /// The same for code that runs without a runtime. Must not be called from inside one.
    pub fn wait(self) -> Result<(), StoreError> {
        self.done.blocking_recv().unwrap_or(Err(StoreError::Behind { file: self.file }))
    }
}

struct Writer {
    file: File,
    path: PathBuf,
    queue: mpsc::Receiver<Append>,
    failed: Option<StoreError>,
}

impl Writer {
    fn run(mut self) {
        let mut batch = Vec::new();
        while let Some(first) = self.queue.blocking_recv() {
            batch.push(first);
            while let Ok(next) = self.queue.try_recv() {
                batch.push(next);
            }
            let written = self.write(&batch);
            for append in batch.drain(..) {
                // Whoever does not wait for the receipt does not want the answer.
                let _ = append.done.send(written.clone());
            }
        }
    }

    fn write(&mut self, batch: &[Append]) -> Result<(), StoreError> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let bytes =
            batch.iter().flat_map(|append| append.line.as_bytes()).copied().collect::<Vec<_>>();
        let whole = self.file.stream_position();
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        written.map_err(|why| {
            // What was promised to nobody should not be read by anybody.
            let _ = whole.and_then(|whole| self.file.set_len(whole));
            let failed = StoreError::io("write", &self.path, why);
            self.failed = Some(failed.clone());
            failed
        })
    }
}

/// How many of the bytes belong to whole lines.
pub(super) fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn append_all(journal: &JournalFile, lines: &[&str]) {
        let receipts: Vec<_> = lines.iter().map(|line| journal.append(line).unwrap()).collect();
        receipts.into_iter().for_each(|receipt| receipt.wait().unwrap());
    }

    /// DESIGN §3: what was written comes back in order; a torn last line is cut off, and what is appended next
    /// is a line of its own.
    #[test]
    fn a_torn_last_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, "one\ntwo\nthr").unwrap();
        let (journal, text) = JournalFile::open(&path).unwrap();
        assert_eq!(text, "one\ntwo\n");
        append_all(&journal, &["three\n", "four\n"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\nfour\n");
    }

    /// W08: one writer at a time, and the next one after the first has closed.
    #[tokio::test]
    async fn a_second_writer_is_refused_until_the_first_has_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let (journal, _) = JournalFile::open(&path).unwrap();
        assert!(matches!(JournalFile::open(&path), Err(StoreError::Taken { .. })));
        journal.append("one\n").unwrap().synced().await.unwrap();
        journal.close().await;
        let (_, text) = JournalFile::open(&path).unwrap();
        assert_eq!(text, "one\n");
    }

    /// A full disk under the journal: one sentence, and every later append is refused with the same one.
    #[test]
    fn a_full_disk_is_one_sentence_and_final() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let journal = JournalFile::start(full, "0123/journal.jsonl".into()).unwrap();
        let sentence = journal.append("one\n").unwrap().wait().unwrap_err().to_string();
        assert!(
            sentence.starts_with("could not write 0123/journal.jsonl: No space left"),
            "{sentence}"
        );
        assert!(sentence.contains("free some space"), "{sentence}");
        assert_eq!(journal.append("two\n").unwrap().wait().unwrap_err().to_string(), sentence);
    }

    /// A journal that is no text is refused with its name, no panic.
    #[test]
    fn a_journal_that_is_no_text_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        fs::write(&path, [0xff, b'\n']).unwrap();
        assert!(matches!(JournalFile::open(&path), Err(StoreError::Damaged { .. })));
    }
}
