//! A lease as a file: made exclusively, written anew to renew it.
//!
//! Ages are told by the file's own time, so that the holder's clock does not matter.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, Write},
    path::PathBuf,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::alive;
use crate::{
    clock,
    store::{
        Holder, LeaseState, StoreError,
        lease::{EXPIRES_AFTER, TAKE_OVER_LIMIT},
    },
};

/// A name is far shorter.
const NAME_MAX_BYTES: u64 = 1_024;

/// The file that says who holds an interview.
#[derive(Clone, Debug)]
pub(super) struct LeaseFile(pub(super) PathBuf);

impl LeaseFile {
    pub(super) fn take(&self, holder: &Holder) -> Result<(), StoreError> {
        let Self(path) = self;
        if let Err(why) = alive::keep(path, holder) {
            tracing::debug!(%why, "a holder's death will be known by the age of its lease alone");
        }
        let taken = self.take_alive(holder);
        if taken.is_err() {
            alive::forget(path, &holder.to_string());
        }
        taken
    }

    fn take_alive(&self, holder: &Holder) -> Result<(), StoreError> {
        let Self(path) = self;
        let failed = |why| StoreError::io("make", path, why);
        match write_new(path, holder) {
            Ok(()) => return Ok(()),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(why) => return Err(failed(why)),
        }
        // Of all who find it expired one takes it: they look and replace one after the other.
        let guard = File::create(path.with_extension("lock")).map_err(failed)?;
        guard.lock().map_err(failed)?;
        if self.state()? == LeaseState::Held {
            return Err(StoreError::Held);
        }
        let before = self.name().unwrap_or_default();
        let staging = path.with_extension(holder.to_string());
        write_new(&staging, holder).map_err(failed)?;
        fs::rename(&staging, path).map_err(failed)?;
        alive::forget(path, &before);
        Ok(())
    }

    pub(super) fn renew(&self, holder: &Holder) -> Result<(), StoreError> {
        let Self(path) = self;
        // In place: a replaced file would hide that somebody else has replaced it.
        // Never cut nor made: where the disk is full it stays ours, and what was given back stays so. What is
        // read and written is one file: one that replaced it meanwhile is not touched.
        let mut file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(why) if why.kind() == ErrorKind::NotFound => return Err(StoreError::Lost),
            Err(why) => return Err(StoreError::io("write", path, why)),
        };
        let mut content = Vec::new();
        let read = (&mut file).take(NAME_MAX_BYTES).read_to_end(&mut content);
        read.map_err(|why| StoreError::io("read", path, why))?;
        if content != holder.to_string().as_bytes() {
            return Err(StoreError::Lost);
        }
        let written = file.rewind().and_then(|()| file.write_all(&content));
        written.map_err(|why| StoreError::io("write", path, why))
    }

    pub(super) fn release(&self, holder: &Holder) -> Result<(), StoreError> {
        let released = match self.check(holder) {
            Ok(()) => {
                fs::remove_file(&self.0).map_err(|why| StoreError::io("remove", &self.0, why))
            }
            Err(StoreError::Lost) => Ok(()),
            Err(why) => Err(why),
        };
        alive::forget(&self.0, &holder.to_string());
        released
    }

    /// Makes it one that has just expired.
    pub(super) fn give_up(&self, holder: &Holder) -> Result<(), StoreError> {
        let given_up = match self.check(holder) {
            Ok(()) => {
                let now = UNIX_EPOCH + Duration::from_millis(clock::unix_millis());
                self.set_time(now - EXPIRES_AFTER - Duration::from_millis(1))
            }
            Err(StoreError::Lost) => Ok(()),
            Err(why) => Err(why),
        };
        alive::forget(&self.0, &holder.to_string());
        given_up
    }

    /// Removes what whoever holds it has left beside it.
    pub(super) fn forget_holder(&self) {
        if let Some(holder) = self.name() {
            alive::forget(&self.0, &holder);
        }
    }

    fn set_time(&self, time: SystemTime) -> Result<(), StoreError> {
        let file = OpenOptions::new().write(true).open(&self.0);
        let set = file.and_then(|file| file.set_modified(time));
        set.map_err(|why| StoreError::io("write", &self.0, why))
    }

    /// [`StoreError::Lost`] unless it is theirs.
    pub(super) fn check(&self, holder: &Holder) -> Result<(), StoreError> {
        match fs::read(&self.0) {
            Ok(content) if content == holder.to_string().as_bytes() => Ok(()),
            Ok(_) => Err(StoreError::Lost),
            Err(why) if why.kind() == ErrorKind::NotFound => Err(StoreError::Lost),
            Err(why) => Err(StoreError::io("read", &self.0, why)),
        }
    }

    pub(super) fn state(&self) -> Result<LeaseState, StoreError> {
        self.age().map_err(|why| StoreError::io("read", &self.0, why)).map(|age| match age {
            None => LeaseState::Free,
            Some(age) if age > EXPIRES_AFTER + TAKE_OVER_LIMIT => LeaseState::Abandoned,
            Some(age) if age > EXPIRES_AFTER => LeaseState::Expired,
            Some(_) if self.name().is_some_and(|holder| alive::is_dead(&self.0, &holder)) => {
                LeaseState::Expired
            }
            Some(_) => LeaseState::Held,
        })
    }

    /// Who holds it, if somebody does.
    fn name(&self) -> Option<String> {
        let mut name = String::new();
        File::open(&self.0).ok()?.take(NAME_MAX_BYTES).read_to_string(&mut name).ok()?;
        Some(name)
    }

    fn age(&self) -> io::Result<Option<Duration>> {
        let modified = match fs::metadata(&self.0).and_then(|m| m.modified()) {
            Ok(modified) => modified.duration_since(UNIX_EPOCH).unwrap_or_default(),
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(why),
        };
        let now = Duration::from_millis(clock::unix_millis());
        // The clock was set back since: it is as if it were renewed now, and expires in time if its
        // holder is dead.
        if modified > now + EXPIRES_AFTER {
            OpenOptions::new().write(true).open(&self.0)?.set_modified(UNIX_EPOCH + now)?;
        }
        Ok(Some(now.saturating_sub(modified)))
    }

    /// Makes it as old as one of a worker that died.
    #[cfg(test)]
    pub(super) fn expire(&self) {
        let then = UNIX_EPOCH + Duration::from_millis(clock::unix_millis()) - 2 * EXPIRES_AFTER;
        self.set_time(then).unwrap();
    }
}

fn write_new(path: &std::path::Path, holder: &Holder) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(holder.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// W08: a clock that was set back keeps nobody out for longer than a lease lives.
    #[test]
    fn a_lease_of_the_future_expires() {
        let folder = tempfile::tempdir().unwrap();
        let lease = LeaseFile(folder.path().join("lease"));
        lease.take(&Holder::random()).unwrap();
        let now = UNIX_EPOCH + Duration::from_millis(clock::unix_millis());
        let file = OpenOptions::new().write(true).open(&lease.0).unwrap();
        file.set_modified(now + Duration::from_secs(3_600)).unwrap();
        assert_eq!(lease.state().unwrap(), LeaseState::Held);
        let modified = fs::metadata(&lease.0).unwrap().modified().unwrap();
        assert!(modified < now + EXPIRES_AFTER, "{modified:?}");
    }
}
