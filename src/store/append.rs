//! A journal that is open, on the side of whoever appends to it: a queue of lines, and a receipt for each.

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::StoreError;

/// Lines that may wait for the store. A turn is about ten events; more than this is a disk that stands still.
const QUEUE_LINES_MAX: usize = 256;
/// An entry that a disk has not kept by then ends the interview. One that others write to, too, takes a
/// second or two now and then.
const SYNC_LIMIT: Duration = Duration::from_secs(5);

/// The journal of an interview, open for the one who holds its lease. The store writes its lines beside the
/// session; lines that wait together are written together.
#[derive(Debug)]
pub struct OpenJournal {
    name: String,
    lines: mpsc::Sender<Append>,
    ended: oneshot::Receiver<()>,
    sync_limit: Duration,
}

/// A line that waits for the store.
#[derive(Debug)]
pub(crate) struct Append {
    pub(crate) line: String,
    done: oneshot::Sender<Result<(), StoreError>>,
}

/// The store's side of an open journal.
#[derive(Debug)]
pub(crate) struct Queue {
    lines: mpsc::Receiver<Append>,
    _end: oneshot::Sender<()>,
}

impl OpenJournal {
    /// A journal that is called so in errors, and the queue to write it from.
    pub(crate) fn new(name: String) -> (Self, Queue) {
        let (lines, queue) = mpsc::channel(QUEUE_LINES_MAX);
        let (end, ended) = oneshot::channel();
        (Self { name, lines, ended, sync_limit: SYNC_LIMIT }, Queue { lines: queue, _end: end })
    }

    /// The same with another limit for how long an entry may be on its way.
    pub(crate) fn with_sync_limit(self, sync_limit: Duration) -> Self {
        Self { sync_limit, ..self }
    }

    /// How long an entry may be on its way to where it is kept: later the interview cannot go on.
    pub fn sync_limit(&self) -> Duration {
        self.sync_limit
    }

    /// Queues one line, with its line end. The receipt tells when it is kept for good. After one failure all
    /// later appends fail: a journal has no holes.
    pub fn append(&self, line: &str) -> Result<Receipt, StoreError> {
        assert_eq!(
            line.find('\n'),
            line.len().checked_sub(1),
            "an entry is one line: {} bytes",
            line.len()
        );
        let (done, receipt) = oneshot::channel();
        let behind = |_| StoreError::Behind { file: self.name.clone() };
        self.lines.try_send(Append { line: line.to_owned(), done }).map_err(behind)?;
        Ok(Receipt { name: self.name.clone(), done: receipt })
    }

    /// Waits until everything is written and the journal is closed.
    pub async fn close(self) {
        drop(self.lines);
        let _ = self.ended.await;
    }
}

impl Queue {
    /// All lines that wait, once there is one; nothing when the journal was closed. For a thread of the
    /// store's.
    pub(crate) fn batch(&mut self) -> Option<Vec<Append>> {
        let first = self.lines.blocking_recv()?;
        Some(self.with_others(first))
    }

    /// The same for a task.
    pub(crate) async fn next_batch(&mut self) -> Option<Vec<Append>> {
        let first = self.lines.recv().await?;
        Some(self.with_others(first))
    }

    fn with_others(&mut self, first: Append) -> Vec<Append> {
        let mut batch = vec![first];
        while let Ok(next) = self.lines.try_recv() {
            batch.push(next);
        }
        batch
    }
}

impl Append {
    /// Tells what became of the line. Whoever does not wait for the receipt does not want the answer.
    pub(crate) fn told(self, written: Result<(), StoreError>) {
        let _ = self.done.send(written);
    }
}

/// Tells when a line is kept for good.
#[derive(Debug)]
pub struct Receipt {
    name: String,
    done: oneshot::Receiver<Result<(), StoreError>>,
}

impl Receipt {
    /// Waits until the line is kept, or for the reason why it never will be.
    pub async fn synced(self) -> Result<(), StoreError> {
        self.done.await.unwrap_or(Err(StoreError::Behind { file: self.name }))
    }
}
