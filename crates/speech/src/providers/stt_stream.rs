//! The common part of recognisers behind servers: the candidate's end of a stream, and the thread that drives
//! the other ends of all candidates.
//!
//! The thread has a runtime of its own, so that a session on virtual time can wait for a recogniser without a
//! runtime.

use std::{
    panic::AssertUnwindSafe,
    sync::mpsc::{SyncSender, sync_channel},
    thread,
    time::Duration,
};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::sync::mpsc;
use tracing::error;

use super::{
    Away, ProviderError, Retry, SttStream,
    backlog::{Backlog, COMMANDS_MAX, Waiting},
    http::permanent_error,
};
use audio::Pcm16;
use interview::time::SessionTime;

/// The most candidates that may wait for the thread at the same moment.
const CANDIDATES_MAX: usize = 64;
/// The longest wait for the transcripts of all sound so far.
const SETTLE_LIMIT: Duration = Duration::from_secs(10);

/// A command of a stream to its other end.
pub(super) enum Command {
    Push {
        at: SessionTime,
        sound: Pcm16,
    },
    Started {
        at: SessionTime,
    },
    Paused {
        at: SessionTime,
    },
    Stopped {
        at: SessionTime,
    },
    /// Replaces the keyterms of the stage.
    Keyterms(Vec<String>),
    Settle(SyncSender<()>),
}

/// The other end of a stream's commands.
pub(super) struct Inbox {
    pub(super) commands: mpsc::Receiver<Command>,
    /// The number of pieces of sound among the commands.
    pub(super) waiting: Waiting,
}

/// The thread that drives the streams of all candidates of a provider.
pub(super) struct StreamThread(mpsc::Sender<BoxFuture<'static, ()>>);

impl StreamThread {
    /// Starts the thread. It ends when this value is dropped and all streams have ended.
    pub(super) fn start(name: &str) -> Result<Self, ProviderError> {
        let (candidates, coming) = mpsc::channel(CANDIDATES_MAX);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let started = runtime.and_then(|runtime| {
            let run = move || runtime.block_on(run_all(coming));
            thread::Builder::new().name(name.to_owned()).spawn(run)
        });
        started.map_err(|error| {
            permanent_error(format!("no thread for the recogniser could be started: {error}"))
        })?;
        Ok(Self(candidates))
    }

    /// Opens a stream, whose other end is what `run` makes of its commands; `away` says whether the
    /// recogniser is away.
    pub(super) fn open<F>(
        &self,
        run: impl FnOnce(Inbox) -> F,
        away: impl Fn() -> Option<Away> + Send + 'static,
    ) -> Result<Box<dyn SttStream>, ProviderError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (commands, inbox) = mpsc::channel(COMMANDS_MAX);
        let backlog = Backlog::default();
        let candidate = run(Inbox { commands: inbox, waiting: backlog.waiting() });
        self.0.try_send(candidate.boxed()).map_err(|_| ProviderError {
            what: format!("more than {CANDIDATES_MAX} candidates wait for the recogniser"),
            retry: Retry::After(Duration::from_secs(1)),
        })?;
        Ok(Box::new(Stream { commands, backlog, away: Box::new(away), is_lost: false }))
    }
}

/// Runs the streams of all candidates.
async fn run_all(mut coming: mpsc::Receiver<BoxFuture<'static, ()>>) {
    let mut lines = FuturesUnordered::new();
    loop {
        tokio::select! {
            candidate = coming.recv() => match candidate {
                Some(candidate) => lines.push(AssertUnwindSafe(candidate).catch_unwind()),
                None => break,
            },
            Some(ended) = lines.next(), if !lines.is_empty() => log_panic(ended),
        }
    }
    while let Some(ended) = lines.next().await {
        log_panic(ended);
    }
}

/// Logs the panic of one candidate's stream, which leaves the others alone.
fn log_panic(ended: thread::Result<()>) {
    if ended.is_err() {
        error!("a recogniser's connection panicked");
    }
}

/// The candidate's end of a stream.
struct Stream {
    commands: mpsc::Sender<Command>,
    backlog: Backlog,
    away: Box<dyn Fn() -> Option<Away> + Send>,
    is_lost: bool,
}

impl Stream {
    fn send(&mut self, command: Command) {
        // Sound is bounded by the backlog, everything else by the speech in it: only a dead connection
        // refuses.
        if self.commands.try_send(command).is_err() && !self.is_lost {
            error!("recogniser lost");
            self.is_lost = true;
        }
    }
}

impl SttStream for Stream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        if self.backlog.admits() {
            self.send(Command::Push { at, sound: sound.clone() });
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.send(Command::Started { at });
    }

    fn speech_paused(&mut self, at: SessionTime) {
        self.send(Command::Paused { at });
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        self.send(Command::Stopped { at });
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        self.send(Command::Keyterms(keyterms.to_vec()));
    }

    fn settle(&mut self) {
        let (done, wait) = sync_channel(1);
        self.send(Command::Settle(done));
        // An error means that the connection's thread is gone or too slow: there is nothing more to wait
        // for.
        let _ = wait.recv_timeout(SETTLE_LIMIT);
    }

    fn away(&self) -> Option<Away> {
        if self.is_lost {
            return Some(Away::lost("behind a server"));
        }
        (self.away)()
    }
}
