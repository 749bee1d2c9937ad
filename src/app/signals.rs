//! SIGINT and SIGTERM: the first asks us to end, the second to end now.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Cancelled by the first signal and by the second.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    /// End when the work in hand is done.
    pub(super) drain: CancellationToken,
    /// End now.
    pub(super) now: CancellationToken,
}

/// From here on signals no longer end the process by themselves.
pub(super) fn listen() -> Signals {
    let signals = Signals::default();
    let Signals { drain, now } = signals.clone();
    let mut interrupt = signal(SignalKind::interrupt()).expect("SIGINT can be handled");
    let mut terminate = signal(SignalKind::terminate()).expect("SIGTERM can be handled");
    tokio::spawn(async move {
        for token in [drain, now] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            token.cancel();
        }
    });
    signals
}

/// Cancelled by the first signal.
pub(super) fn first() -> CancellationToken {
    listen().drain
}
