//! How many streams of events somebody has open at once. Each holds a connection for minutes.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::StatusCode;

use super::{problem::Problem, who::Who};

/// Streams of one account or key: pages that are open beside one another.
const STREAMS_MAX: usize = 10;

/// The open streams of events, by the id of the account or the key.
#[derive(Clone, Default)]
pub(super) struct Streams(Arc<Mutex<BTreeMap<String, usize>>>);

/// A place for one stream. It is free again when this is dropped.
pub(super) struct StreamPlace {
    streams: Streams,
    id: String,
}

impl Streams {
    /// A place for one more stream, or why there is none.
    pub(super) fn open(&self, who: &Who) -> Result<StreamPlace, Problem> {
        let id = match who {
            Who::Nobody => String::new(),
            Who::Account(account) => account.id.clone(),
            Who::Key(key) => key.id.clone(),
        };
        let mut open = self.lock();
        let count = open.entry(id.clone()).or_default();
        if *count == STREAMS_MAX {
            let message = "Too many pages of yours listen at once. Close some, then try again.";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, message));
        }
        *count += 1;
        Ok(StreamPlace { streams: self.clone(), id })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.streams.lock();
        let count = open.get_mut(&self.id).map(|count| {
            *count -= 1;
            *count
        });
        if count == Some(0) {
            open.remove(&self.id);
        }
    }
}
