//! Who holds an interview: at most one worker at a time, on any machine (W08).
//!
//! A lease is renewed every 5 s and expires 15 s after the last time. Whoever takes an expired one has it
//! alone: what its old holder does from then on is refused.

use std::{fmt, sync::Arc, time::Duration};

use tokio::{sync::watch, task::JoinHandle, time::sleep};

use super::{InterviewId, JournalStore, OpenJournal, Projection, StoreError, Stored};
use crate::{clock, journal::Inputs};

const RENEW_EVERY: Duration = Duration::from_secs(5);
/// A lease that was not renewed for so long is expired.
pub(super) const EXPIRES_AFTER: Duration = Duration::from_secs(15);

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

/// Who takes a lease: differs each time that one is taken, so that whoever held it before is known to be
/// another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder(String);

impl Holder {
    /// A new one, with this process in its name for whoever looks.
    pub fn random() -> Self {
        Self(format!("{}-{:016x}", std::process::id(), rand::random::<u64>()))
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
}

/// An interview that is ours for as long as this is there; renewed in the background.
#[derive(Debug)]
pub struct Lease {
    hold: Hold,
    keeper: JoinHandle<()>,
    lost: watch::Receiver<bool>,
}

impl Lease {
    /// Takes a lease that is free or expired. To be called on a runtime.
    pub async fn take(store: &Arc<dyn JournalStore>, id: InterviewId) -> Result<Self, StoreError> {
        let hold = Hold::take(store, id).await?;
        let (lost_tx, lost) = watch::channel(false);
        let keeper = tokio::spawn(keep(hold.clone(), lost_tx));
        Ok(Self { hold, keeper, lost })
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
    /// The interview is over, or given back.
    fn drop(&mut self) {
        self.keeper.abort();
        self.hold.release();
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
