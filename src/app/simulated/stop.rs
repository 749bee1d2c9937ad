//! The wish that an interview ends, and a way to wait that it cuts short.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

/// Whether an interview is to end.
#[derive(Default)]
pub(super) struct Stop {
    is_set: Mutex<bool>,
    told: Condvar,
}

impl Stop {
    /// It is to end.
    pub(super) fn set(&self) {
        *self.is_set.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.told.notify_all();
    }

    /// Waits for so long, or until it is to end; whether it is. It blocks.
    pub(super) fn wait(&self, wait: Duration) -> bool {
        let is_set = self.is_set.lock().unwrap_or_else(PoisonError::into_inner);
        if wait.is_zero() {
            return *is_set;
        }
        let waited = self.told.wait_timeout_while(is_set, wait, |is_set| !*is_set);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
