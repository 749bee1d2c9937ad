//! SIGTERM and SIGINT.

use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

use super::Shutdown;

/// Listens to SIGTERM and SIGINT from now on: the first of them means [`Shutdown::Drain`], the second
/// [`Shutdown::Now`].
pub fn on_signals() -> std::io::Result<watch::Receiver<Shutdown>> {
    listen(Shutdown::Drain)
}

/// The same for a program at a terminal: whoever presses Ctrl-C can press it again, and a SIGTERM, which
/// nobody sends twice, means [`Shutdown::Now`] at once.
pub fn on_signals_at_terminal() -> std::io::Result<watch::Receiver<Shutdown>> {
    listen(Shutdown::Now)
}

/// `terminated` is what the first SIGTERM means.
fn listen(terminated: Shutdown) -> std::io::Result<watch::Receiver<Shutdown>> {
    let (mut term, mut int) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let (shutdown, wanted) = watch::channel(Shutdown::No);
    tokio::spawn(async move {
        for first in [true, false] {
            let wish = tokio::select! {
                _ = term.recv() => if first { terminated } else { Shutdown::Now },
                _ = int.recv() => if first { Shutdown::Drain } else { Shutdown::Now },
                () = shutdown.closed() => return,
            };
            tracing::info!(?wish, "shutdown requested");
            shutdown.send_replace(wish);
        }
        shutdown.closed().await;
    });
    Ok(wanted)
}
