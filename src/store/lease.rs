//! Who holds an interview: at most one worker at a time, on any machine (W08).
//!
//! The lease is a file, made exclusively, written anew every 5 s, and expired 15 s after the last time.
//! Ages are told by the file's own time, so that the holder's clock does not matter.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use tokio::{sync::watch, task::JoinHandle, time::sleep};

use super::{Folder, StoreError};
use crate::clock;

const RENEW_EVERY: Duration = Duration::from_secs(5);
const EXPIRES_AFTER: Duration = Duration::from_secs(15);

/// Whether somebody holds an interview. An expired lease without an end in the journal: it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseState {
    /// Nobody, and nobody left without saying so.
    Free,
    /// A worker that is alive.
    Held,
    /// A worker that is dead.
    Expired,
}

/// Why an interview cannot be held.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Another worker holds it: leave it alone.
    #[error("another worker holds this interview")]
    Held,
    /// It was ours, and another worker has taken it: stop at once.
    #[error("this interview was taken over by another worker")]
    Lost,
    /// The disk does not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// An interview that is ours for as long as this is there; renewed in the background.
#[derive(Debug)]
pub struct Lease {
    hold: Arc<Hold>,
    keeper: JoinHandle<()>,
    lost: watch::Receiver<bool>,
}

/// The file and what we have written into it.
#[derive(Debug)]
struct Hold {
    path: PathBuf,
    holder: String,
}

impl LeaseState {
    /// The state of an interview's lease.
    pub fn of(folder: &Folder) -> Result<Self, StoreError> {
        let path = path_in(folder);
        state(&path).map_err(|why| StoreError::io("read", &path, why))
    }
}

impl Lease {
    /// Takes a free or expired lease. To be called on a runtime.
    pub fn take(folder: &Folder) -> Result<Self, LeaseError> {
        let hold = Arc::new(Hold { path: path_in(folder), holder: holder() });
        hold.take()?;
        let (lost_tx, lost) = watch::channel(false);
        let keeper = tokio::spawn(keep(hold.clone(), lost_tx));
        Ok(Self { hold, keeper, lost })
    }

    /// Waits until the lease is not ours any more: a machine that slept, a disk that was away.
    pub async fn lost(&mut self) {
        if self.lost.wait_for(|lost| *lost).await.is_err() {
            std::future::pending().await
        }
    }
}

impl Drop for Lease {
    /// The interview is over, or given back.
    fn drop(&mut self) {
        self.keeper.abort();
        if let Err(error) = self.hold.release() {
            tracing::warn!(%error, "a lease was not given back");
        }
    }
}

impl Hold {
    fn take(&self) -> Result<(), LeaseError> {
        let failed = |why| StoreError::io("make", &self.path, why);
        match write_new(&self.path, &self.holder) {
            Ok(()) => return Ok(()),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(why) => return Err(failed(why).into()),
        }
        // Of all who find it expired one takes it: they look and replace one after the other.
        let guard = self.path.with_extension("lock");
        let guard = File::create(guard).map_err(failed)?;
        guard.lock().map_err(failed)?;
        if state(&self.path).map_err(failed)? == LeaseState::Held {
            return Err(LeaseError::Held);
        }
        let staging = self.path.with_extension(&self.holder);
        write_new(&staging, &self.holder).map_err(failed)?;
        fs::rename(&staging, &self.path).map_err(failed)?;
        Ok(())
    }

    fn renew(&self) -> Result<(), LeaseError> {
        let failed = |why| StoreError::io("write", &self.path, why);
        if !self.is_ours().map_err(failed)? {
            return Err(LeaseError::Lost);
        }
        // In place: a replaced file would hide that somebody else has replaced it.
        // Never cut nor made: where the disk is full it stays ours, and what was given back stays so.
        let mut file = OpenOptions::new().write(true).open(&self.path).map_err(failed)?;
        file.write_all(self.holder.as_bytes()).map_err(failed)?;
        Ok(())
    }

    fn release(&self) -> io::Result<()> {
        if self.is_ours()? { fs::remove_file(&self.path) } else { Ok(()) }
    }

    fn is_ours(&self) -> io::Result<bool> {
        match fs::read(&self.path) {
            Ok(content) => Ok(content == self.holder.as_bytes()),
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(false),
            Err(why) => Err(why),
        }
    }
}

/// Renews until it is lost; a disk that fails for longer than a lease lives has lost it, too.
async fn keep(hold: Arc<Hold>, lost: watch::Sender<bool>) {
    let mut renewed = clock::instant();
    loop {
        sleep(RENEW_EVERY).await;
        let held = hold.clone();
        let outcome = tokio::task::spawn_blocking(move || held.renew()).await;
        match outcome {
            Ok(Ok(())) => renewed = clock::instant(),
            Ok(Err(LeaseError::Lost | LeaseError::Held)) => break,
            Ok(Err(LeaseError::Store(error))) => tracing::warn!(%error, "a lease was not renewed"),
            Err(error) => tracing::warn!(%error, "a lease was not renewed"),
        }
        if clock::instant().duration_since(renewed) > EXPIRES_AFTER {
            break;
        }
    }
    tracing::error!("lost the lease of an interview");
    lost.send_replace(true);
}

fn path_in(folder: &Folder) -> PathBuf {
    folder.path().join("lease")
}

/// Differs for every holder.
fn holder() -> String {
    format!("{}-{:016x}", std::process::id(), rand::random::<u64>())
}

fn write_new(path: &Path, content: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(content.as_bytes())
}

fn state(path: &Path) -> io::Result<LeaseState> {
    let modified = match fs::metadata(path).and_then(|m| m.modified()) {
        Ok(modified) => modified.duration_since(UNIX_EPOCH).unwrap_or_default(),
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(LeaseState::Free),
        Err(why) => return Err(why),
    };
    let now = Duration::from_millis(clock::unix_millis());
    // The clock was set back since: it is as if it were renewed now, and expires in time if its holder is dead.
    if modified > now + EXPIRES_AFTER {
        OpenOptions::new().write(true).open(path)?.set_modified(UNIX_EPOCH + now)?;
    }
    let age = now.saturating_sub(modified);
    Ok(if age > EXPIRES_AFTER { LeaseState::Expired } else { LeaseState::Held })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(folder: &Path) -> Hold {
        Hold { path: folder.join("lease"), holder: holder() }
    }

    /// Makes a lease as old as one of a worker that died.
    fn age(path: &Path) {
        let then = UNIX_EPOCH + Duration::from_millis(clock::unix_millis()) - 2 * EXPIRES_AFTER;
        OpenOptions::new().write(true).open(path).unwrap().set_modified(then).unwrap();
    }

    /// W08: one holder at a time; given back, it is free again.
    #[test]
    fn one_worker_holds_an_interview() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (hold(folder.path()), hold(folder.path()));
        assert_eq!(state(&ours.path).unwrap(), LeaseState::Free);
        ours.take().unwrap();
        assert_eq!(state(&ours.path).unwrap(), LeaseState::Held);
        assert!(matches!(theirs.take(), Err(LeaseError::Held)));
        theirs.release().unwrap();
        assert_eq!(state(&ours.path).unwrap(), LeaseState::Held, "it was not theirs to give back");
        ours.release().unwrap();
        theirs.take().unwrap();
    }

    /// W08: an expired lease is taken over by exactly one, and its old holder notices.
    #[test]
    fn an_expired_lease_is_taken_over_once() {
        let folder = tempfile::tempdir().unwrap();
        let dead = hold(folder.path());
        dead.take().unwrap();
        age(&dead.path);
        assert_eq!(state(&dead.path).unwrap(), LeaseState::Expired);
        let takers: Vec<_> = (0..8)
            .map(|_| {
                let taker = hold(folder.path());
                std::thread::spawn(move || taker.take().is_ok())
            })
            .collect();
        let taken = takers.into_iter().map(|t| t.join().unwrap()).filter(|ok| *ok).count();
        assert_eq!(taken, 1);
        assert!(matches!(dead.renew(), Err(LeaseError::Lost)));
    }

    /// W08: a clock that was set back keeps nobody out for longer than a lease lives.
    #[test]
    fn a_lease_of_the_future_expires() {
        let folder = tempfile::tempdir().unwrap();
        let dead = hold(folder.path());
        dead.take().unwrap();
        let now = UNIX_EPOCH + Duration::from_millis(clock::unix_millis());
        let file = OpenOptions::new().write(true).open(&dead.path).unwrap();
        file.set_modified(now + Duration::from_secs(3_600)).unwrap();
        assert_eq!(state(&dead.path).unwrap(), LeaseState::Held);
        let modified = fs::metadata(&dead.path).unwrap().modified().unwrap();
        assert!(modified < now + EXPIRES_AFTER, "{modified:?}");
    }

    /// Renewing makes it young again.
    #[test]
    fn a_renewed_lease_does_not_expire() {
        let folder = tempfile::tempdir().unwrap();
        let ours = hold(folder.path());
        ours.take().unwrap();
        age(&ours.path);
        ours.renew().unwrap();
        assert_eq!(state(&ours.path).unwrap(), LeaseState::Held);
    }
}
