//! The sound of an interview, kept with the candidate's consent (R10).
//!
//! One stereo file, the candidate on the left and we on the right, on the session's own timeline: its first
//! sample is session time 0. A thread of its own encodes and writes half-second pages as the interview runs,
//! so that a file whose process was killed plays up to a second before that. Whoever hands sound over never
//! waits.

mod tape;

use std::{
    convert::Infallible,
    fs::{self, File},
    io::{self, BufReader},
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{
    audio::{Pcm16, Pcm48},
    clock::Clock,
    codec::ogg,
    time::SessionTime,
};
use tape::{Piece, Run, Tape};

/// Pieces that may wait for the thread: five seconds of both sides. More are dropped and counted.
const PIECES_MAX: usize = 512;
/// How often the thread looks. Waking it for each piece would cost more than what it does.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// What is older is written: the candidate's sound takes at most so long to its place on the timeline (200 ms
/// without a packet are silence, 60 ms a packet may be out of order).
const HOLD: Duration = Duration::from_millis(300);

/// A recording that runs. Dropped, it ends at once and the file is whole.
pub struct Recorder {
    pieces: SyncSender<Piece>,
    /// Its end is the recording's end.
    alive: mpsc::Sender<Infallible>,
    ended: oneshot::Receiver<()>,
}

/// Why sound is not recorded.
#[derive(Debug, thiserror::Error)]
#[error("could not write {file}: {why}")]
pub struct RecordError {
    file: String,
    why: io::Error,
}

impl Recorder {
    /// Begins a recording of the session that `clock` belongs to. What another one left in the file is gone.
    pub fn start(path: &Path, clock: Clock) -> Result<Self, RecordError> {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let tape = folder.and_then(|()| File::create(path)).and_then(Tape::begin);
        let tape = tape.map_err(|why| RecordError { file: path.display().to_string(), why })?;
        Self::with(path, clock, move || Ok(tape))
    }

    /// Goes on with the recording that another process has left, behind its end.
    pub fn go_on(path: &Path, clock: Clock) -> Result<Self, RecordError> {
        let left = path.to_owned();
        Self::with(path, clock, move || continued(&left))
    }

    /// Records on the tape that is made by the thread.
    fn with(
        path: &Path,
        clock: Clock,
        tape: impl FnOnce() -> io::Result<Tape<File>> + Send + 'static,
    ) -> Result<Self, RecordError> {
        let failed = |why| RecordError { file: path.display().to_string(), why };
        let (pieces, waiting) = sync_channel(PIECES_MAX);
        let (alive, is_alive) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        let writer = Writer { pieces: waiting, is_alive, clock, path: path.to_owned() };
        let thread = thread::Builder::new().name("recording".into());
        let spawned = thread.spawn(move || {
            writer.run(tape);
            let _ = end.send(());
        });
        spawned.map_err(failed)?;
        Ok(Self { pieces, alive, ended })
    }

    /// Takes the candidate's sound, each piece with its place on the session's timeline, in order.
    pub fn candidate(&self) -> impl FnMut(SessionTime, &Pcm16) + Send + use<> {
        let mut inbox = Inbox { pieces: self.pieces.clone(), state: State::Well };
        move |at, sound| {
            inbox.hand_over(Piece::Candidate { at, sound: sound.clone() });
        }
    }

    /// Takes what is pulled of ours every 20 ms, or that there was nothing.
    pub fn interviewer(&self) -> impl FnMut(SessionTime, Option<&Pcm48>) + Send + use<> {
        let mut inbox = Inbox { pieces: self.pieces.clone(), state: State::Well };
        let mut run = Run::Begins;
        move |at, frame| {
            let Some(frame) = frame else {
                run = Run::Begins;
                return;
            };
            let is_taken = inbox.hand_over(Piece::Interviewer { at, run, sound: frame.clone() });
            run = if is_taken { Run::GoesOn } else { Run::Begins };
        }
    }

    /// Ends the recording, and waits until all of it is in the file.
    pub async fn finish(self) {
        let Self { alive, ended, .. } = self;
        drop(alive);
        let _ = ended.await;
    }
}

/// Where one side hands its sound over.
struct Inbox {
    pieces: SyncSender<Piece>,
    state: State,
}

/// Whether somebody was told that sound is dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Well,
    Behind,
}

impl Inbox {
    /// Whether it was taken.
    fn hand_over(&mut self, piece: Piece) -> bool {
        match self.pieces.try_send(piece) {
            Ok(()) => true,
            // The recording has ended; its end was told where it happened.
            Err(TrySendError::Disconnected(_)) => false,
            Err(TrySendError::Full(_)) => {
                metrics::counter!("vivavoce_recording_dropped_total").increment(1);
                if self.state == State::Well {
                    self.state = State::Behind;
                    tracing::error!(
                        "sound was left out of the recording, the disk or the CPU is behind"
                    );
                }
                false
            }
        }
    }
}

/// A tape that has all that is in a file, and takes its place.
fn continued(path: &Path) -> io::Result<Tape<File>> {
    let left = match File::open(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            return Tape::begin(File::create(path)?);
        }
        left => BufReader::new(left?),
    };
    let staging = path.with_extension("ogg.new");
    let mut tape = Tape::begin(File::create(&staging)?)?;
    for packet in ogg::sound(left) {
        tape.copy(packet)?;
    }
    fs::rename(&staging, path)?;
    Ok(tape)
}

struct Writer {
    pieces: Receiver<Piece>,
    is_alive: Receiver<Infallible>,
    clock: Clock,
    path: PathBuf,
}

impl Writer {
    fn run(self, tape: impl FnOnce() -> io::Result<Tape<File>>) {
        let path = self.path.clone();
        if let Err(why) = tape().and_then(|tape| self.write(tape)) {
            let why = RecordError { file: path.display().to_string(), why };
            tracing::error!(%why, "the recording broke off, the interview goes on");
        }
    }

    fn write(self, mut tape: Tape<File>) -> io::Result<()> {
        loop {
            let is_over =
                self.is_alive.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Disconnected);
            for piece in self.pieces.try_iter() {
                tape.place(&piece)?;
            }
            let now = self.clock.now();
            if is_over {
                return tape.finish(now);
            }
            tape.write_until(now, HOLD)?;
        }
    }
}
