//! SIGTERM and SIGINT.

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

use super::Shutdown;

/// Listens to SIGTERM and SIGINT from now on: the first of them means [`Shutdown::Drain`], the second
/// [`Shutdown::Now`].
pub fn on_signals() -> std::io::Result<watch::Receiver<Shutdown>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let (shutdown, wanted) = watch::channel(Shutdown::No);
    tokio::spawn(async move {
        for wish in [Shutdown::Drain, Shutdown::Now] {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => {}
                () = shutdown.closed() => return,
            }
            tracing::info!(?wish, "shutdown requested");
            shutdown.send_replace(wish);
        }
        shutdown.closed().await;
    });
    Ok(wanted)
}
