//! Evidence of a holder's death: a file beside the lease that its process keeps locked. The kernel lets go of
//! the lock when the process ends, however it ends.
//!
//! It counts under the kernel that gave the lock, since its start. Of other machines nothing is known by it:
//! their leases expire.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::store::Holder;

/// The files that this process keeps locked.
static KEPT: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());

/// Locks the file of a holder in this process. It is locked when it appears, so that nobody finds it free
/// while the holder lives.
pub(super) fn keep(lease: &Path, holder: &Holder) -> io::Result<()> {
    let path = path_of(lease, &holder.to_string());
    let staging = path.with_extension("new");
    let file = File::create(&staging)?;
    let locked =
        file.try_lock().map_err(io::Error::from).and_then(|()| fs::rename(&staging, &path));
    if let Err(why) = locked {
        let _ = fs::remove_file(&staging);
        return Err(why);
    }
    kept().insert(path, file);
    Ok(())
}

/// Removes the file of a holder, who may be dead.
pub(super) fn forget(lease: &Path, holder: &str) {
    let path = path_of(lease, holder);
    // A holder without a file left no evidence.
    let _ = fs::remove_file(&path);
    kept().remove(&path);
}

/// Whether the holder's process has ended, as far as this machine can tell. Without evidence it may live.
pub(super) fn is_dead(lease: &Path, holder: &str) -> bool {
    if !Holder::is_of_this_boot(holder) {
        return false;
    }
    let Ok(file) = File::open(path_of(lease, holder)) else { return false };
    match file.try_lock_shared() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
    }
}

/// What is read from a damaged lease is no path.
fn path_of(lease: &Path, holder: &str) -> PathBuf {
    let name: String = holder.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    lease.with_file_name(format!("holder-{name}"))
}

fn kept() -> MutexGuard<'static, BTreeMap<PathBuf, File>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W08: who holds the lock lives, who let go of it is dead; of a holder without a file, of another
    /// machine, or with a name that is none nobody knows anything.
    #[test]
    fn only_a_lock_that_was_let_go_of_is_evidence() {
        let folder = tempfile::tempdir().unwrap();
        let lease = folder.path().join("lease");
        let (holder, other) = (Holder::random().to_string(), Holder::random().to_string());
        keep(&lease, &Holder::read(&holder)).unwrap();
        assert!(!is_dead(&lease, &holder), "it is locked");
        assert!(!is_dead(&lease, &other), "it has no file");
        let file = kept().remove(&path_of(&lease, &holder));
        drop(file);
        assert!(is_dead(&lease, &holder));
        let elsewhere = holder.replacen(|c: char| c.is_ascii_hexdigit(), "g", 1);
        fs::copy(path_of(&lease, &holder), path_of(&lease, &elsewhere)).unwrap();
        assert!(!is_dead(&lease, &elsewhere), "it is of another machine");
        assert!(!is_dead(&lease, "../../etc/passwd"));
        forget(&lease, &holder);
        assert!(!is_dead(&lease, &holder) && !path_of(&lease, &holder).exists());
    }
}
