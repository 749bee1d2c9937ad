//! What all fake servers share: gates at which they wait, and the patience of whoever waits for them.

use std::time::Duration;

use tokio::sync::watch;

/// Nothing takes that long: a busy machine must not look like a slow server.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A gate of a test. Who comes to it waits until the test opens it.
#[derive(Clone, Debug)]
pub(crate) struct Gate(watch::Sender<bool>);

impl Gate {
    /// A gate that is shut.
    pub(crate) fn shut() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Lets everybody through, now and from now on.
    pub(crate) fn open(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the gate is open.
    pub(crate) async fn passed(&self) {
        let mut door = self.0.subscribe();
        door.wait_for(|is_open| *is_open).await.expect("the gate is held here");
    }
}
