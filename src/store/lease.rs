//! Who holds an interview: at most one worker at a time, on any machine (W08).
//!
//! A lease is renewed every 5 s and expires 15 s after the last time, and at once when its holder is known
//! to be dead or gives the interview up. Whoever takes an expired one has it alone: what its old holder does
//! from then on is refused.

use std::{
    fmt,
    sync::{Arc, LazyLock},
    time::Duration,
};

use tokio::{sync::watch, task::JoinHandle, time::sleep};

use super::{InterviewId, JournalStore, OpenJournal, Projection, StoreError, Stored};
use crate::{clock, journal::Inputs};

const RENEW_EVERY: Duration = Duration::from_secs(5);
/// A lease that was not renewed for so long is expired.
pub(crate) const EXPIRES_AFTER: Duration = Duration::from_secs(15);
/// An interview whose lease has expired can be taken over for so long.
pub(crate) const TAKE_OVER_LIMIT: Duration = Duration::from_secs(5 * 60);

/// What tells one start of one kernel from all others; empty where nothing does.
static BOOT: LazyLock<String> = LazyLock::new(|| {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.chars().filter(char::is_ascii_hexdigit).collect()
});

/// Whether somebody holds an interview. An abandoned lease without an end in the journal: it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseState {
    /// Nobody, and nobody left without saying so.
    Free,
    /// A worker that is alive.
    Held,
    /// A worker that is dead, or has given it up: another one goes on with it.
    Expired,
    /// A worker that is dead for so long that nobody goes on with it.
    Abandoned,
}

/// Who takes a lease: differs each time that one is taken, so that whoever held it before is known to be
/// another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder(String);

impl Holder {
    /// A new one, with this machine and this process in its name for whoever looks.
    pub fn random() -> Self {
        let (pid, random) = (std::process::id(), rand::random::<u64>());
        Self(format!("{}-{pid}-{random:016x}", BOOT.as_str()))
    }

    /// Whether the holder of this name was made under the kernel that runs us, since its start.
    pub(super) fn is_of_this_boot(name: &str) -> bool {
        !BOOT.is_empty() && name.split('-').next() == Some(BOOT.as_str())
    }

    #[cfg(test)]
    pub(super) fn read(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An interview in a store, in the hands of one holder: what only they may do. Another one may have taken it.
#[derive(Clone, Debug)]
pub struct Hold {
    /// Where the interview is kept.
    pub store: Arc<dyn JournalStore>,
    /// Which one it is.
    pub id: InterviewId,
    holder: Holder,
}

impl Hold {
    /// Takes a lease that is free or expired. Nobody renews it: that is what a [`Lease`] does.
    pub async fn take(store: &Arc<dyn JournalStore>, id: InterviewId) -> Result<Self, StoreError> {
        let holder = Holder::random();
        store.take_lease(id, &holder).await?;
        Ok(Self { store: store.clone(), id, holder })
    }

    /// See [`JournalStore::amend`].
    pub fn amend(&self, inputs: &Inputs) -> Stored<()> {
        self.store.amend(self.id, &self.holder, inputs)
    }

    /// See [`JournalStore::open_journal`].
    pub fn open_journal(&self) -> Stored<(OpenJournal, String)> {
        self.store.open_journal(self.id, &self.holder)
    }

    /// See [`JournalStore::set_aside`].
    pub fn set_aside(&self) -> Stored<()> {
        self.store.set_aside(self.id, &self.holder)
    }

    /// See [`JournalStore::write_projection`].
    pub fn write_projection(&self, which: Projection, text: String) -> Stored<()> {
        self.store.write_projection(self.id, &self.holder, which, text)
    }

    /// See [`JournalStore::renew_lease`].
    pub fn renew(&self) -> Stored<()> {
        self.store.renew_lease(self.id, &self.holder)
    }

    /// See [`JournalStore::release_lease`].
    pub fn release(&self) {
        self.store.release_lease(self.id, &self.holder);
    }

    /// See [`JournalStore::expire_lease`].
    pub fn expire(&self) {
        self.store.expire_lease(self.id, &self.holder);
    }
}

/// An interview that is ours for as long as this is there; renewed in the background.
#[derive(Debug)]
pub struct Lease {
    hold: Hold,
    keeper: JoinHandle<()>,
    lost: watch::Receiver<bool>,
    afterwards: Afterwards,
}

/// What becomes of a lease that is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// The interview is nobody's.
    Free,
    /// The interview is given up to another worker, who goes on with it.
    Expired,
}

impl Lease {
    /// Takes a lease that is free or expired. To be called on a runtime.
    pub async fn take(store: &Arc<dyn JournalStore>, id: InterviewId) -> Result<Self, StoreError> {
        let hold = Hold::take(store, id).await?;
        let (lost_tx, lost) = watch::channel(false);
        let keeper = tokio::spawn(keep(hold.clone(), lost_tx));
        Ok(Self { hold, keeper, lost, afterwards: Afterwards::Free })
    }

    /// Says what becomes of it when it is dropped; free, if nothing is said.
    pub fn then(&mut self, afterwards: Afterwards) {
        self.afterwards = afterwards;
    }

    /// The interview, and what may be done with it.
    pub fn hold(&self) -> &Hold {
        &self.hold
    }

    /// Waits until the lease is not ours any more: a machine that slept, a disk that was away.
    pub async fn lost(&mut self) {
        if self.lost.wait_for(|lost| *lost).await.is_err() {
            std::future::pending().await
        }
    }
}

impl Drop for Lease {
    /// The interview is over, given back, or given up.
    fn drop(&mut self) {
        self.keeper.abort();
        match self.afterwards {
            Afterwards::Free => self.hold.release(),
            Afterwards::Expired => self.hold.expire(),
        }
    }
}

/// Renews until it is lost; a store that fails for longer than a lease lives has lost it, too.
async fn keep(hold: Hold, lost: watch::Sender<bool>) {
    let mut renewed = clock::instant();
    loop {
        sleep(RENEW_EVERY).await;
        match hold.renew().await {
            Ok(()) => renewed = clock::instant(),
            Err(StoreError::Lost | StoreError::Held) => break,
            Err(error) => tracing::warn!(%error, "a lease was not renewed"),
        }
        if clock::instant().duration_since(renewed) > EXPIRES_AFTER {
            break;
        }
    }
    tracing::error!("lost the lease of an interview");
    lost.send_replace(true);
}
