//! Entries on their way to the disk, and what waits for them.

use std::{collections::VecDeque, time::Duration};

use futures_util::future::BoxFuture;

use crate::{
    clock::Clock,
    interview::{Effect, ReplyId},
    journal::{self, Entry},
    listen::ListenError,
    store::{OpenJournal, Receipt, StoreError},
    time::SessionTime,
};

/// Why an interview cannot go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the store of the journal took more than {} s for one entry", .0.as_secs())]
    SlowDisk(Duration),
    #[error(transparent)]
    Listen(#[from] ListenError),
}

impl Trouble {
    /// Whether the candidate should hear of it from us: not when another worker speaks with them now.
    pub(super) fn is_ours_to_tell(&self) -> bool {
        match self {
            Self::Store(StoreError::Lost) => false,
            Self::Store(_) | Self::SlowDisk(_) | Self::Listen(_) => true,
        }
    }
}

/// The journal, and its entries on their way to the disk.
pub(super) struct Ledger {
    journal: OpenJournal,
    pub(super) unsynced: VecDeque<Unsynced>,
}

impl Ledger {
    /// With a header that is on its way, too, if the journal begins.
    pub(super) fn new(journal: OpenJournal, header: Option<Receipt>, now: SessionTime) -> Self {
        let header =
            header.map(|kept| Unsynced::new(kept.synced(), Vec::new(), now, journal.sync_limit()));
        Self { journal, unsynced: header.into_iter().collect() }
    }

    /// Writes an entry; these effects wait for it.
    pub(super) fn append(
        &mut self,
        entry: &Entry,
        effects: Vec<Effect>,
        now: SessionTime,
    ) -> Result<(), Trouble> {
        let receipt = self.journal.append(&journal::line(entry))?;
        self.unsynced.push_back(Unsynced::new(
            receipt.synced(),
            effects,
            now,
            self.journal.sync_limit(),
        ));
        Ok(())
    }

    /// Waits until the first entry is on disk (cancel safe); then it is to be taken.
    pub(super) async fn synced(&mut self, clock: Clock) -> Result<(), Trouble> {
        synced(self.unsynced.front_mut(), clock).await
    }

    /// The effects that waited for the first entry.
    pub(super) fn take_synced(&mut self) -> Vec<Effect> {
        self.unsynced.pop_front().map(|done| done.effects).unwrap_or_default()
    }

    /// A resumption that waits for the disk was ordered before the pause that comes now.
    pub(super) fn take_back_resume(&mut self, of: ReplyId) {
        let is_resume =
            |effect: &Effect| matches!(effect, Effect::Resume { reply } if *reply == of);
        for waiting in &mut self.unsynced {
            waiting.effects.retain(|effect| !is_resume(effect));
        }
    }

    pub(super) fn into_journal(self) -> OpenJournal {
        self.journal
    }
}

/// An entry on its way to the disk, and what waits for it.
pub(super) struct Unsynced {
    receipt: BoxFuture<'static, Result<(), StoreError>>,
    pub(super) effects: Vec<Effect>,
    until: SessionTime,
    limit: Duration,
}

impl Unsynced {
    pub(super) fn new(
        synced: impl Future<Output = Result<(), StoreError>> + Send + 'static,
        effects: Vec<Effect>,
        now: SessionTime,
        limit: Duration,
    ) -> Self {
        Self { receipt: Box::pin(synced), effects, until: now + limit, limit }
    }
}

/// Waits until the first of them is on disk.
async fn synced(front: Option<&mut Unsynced>, clock: Clock) -> Result<(), Trouble> {
    let Some(front) = front else { return std::future::pending().await };
    tokio::select! {
        // What is on disk is not late, however late we look.
        biased;
        result = &mut front.receipt => Ok(result?),
        () = clock.sleep_until(front.until) => Err(Trouble::SlowDisk(front.limit)),
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, task::Poll};

    use super::*;

    /// An entry that is on disk when we look is not too slow, though we look when its time is over.
    #[tokio::test]
    async fn what_is_on_disk_is_not_late() {
        let clock = Clock::start();
        for _ in 0..32 {
            let mut looks = 0;
            let written = poll_fn(move |_| {
                looks += 1;
                if looks == 1 { Poll::Pending } else { Poll::Ready(Ok(())) }
            });
            let receipt = Box::pin(written);
            let (effects, until, limit) = (Vec::new(), clock.now(), Duration::ZERO);
            let mut front = Unsynced { receipt, effects, until, limit };
            synced(Some(&mut front), clock).await.unwrap();
        }
    }
}
