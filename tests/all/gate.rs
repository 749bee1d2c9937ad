//! The gate at which fake servers wait until a test lets them go on.

use tokio::sync::watch;

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
