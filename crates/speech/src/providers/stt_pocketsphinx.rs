//! The recogniser PocketSphinx: good for a first try and for tests, not for judging people.
//!
//! A decoder takes about 100 MB, and up to a core while its candidate speaks. So there is a fixed number of
//! them, each on a thread of its own; the next one is warmed up before it is needed. A decoder is made anew
//! between two candidates, off the response path, so that nothing is carried over. Equal sound gives equal
//! transcripts.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, Weak,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use tracing::error;

use super::{
    Away, ProviderError, Retry, Stt, SttOut, SttStream, Transcript,
    backlog::{Backlog, COMMANDS_MAX, Waiting},
    kind::{Kind, Need, Offer, Place, Provider},
    pocketsphinx::{self, Decoder},
};
use audio::{FRAME_16, Pcm16};
use interview::{blueprint::Language, time::SessionTime};

/// The sound before the onset that belongs to an utterance, as the recogniser needs some silence first.
const LEAD_PIECES: usize = 15;
/// How far back the onset of speech may lie when the VAD reports it.
const PAST_PIECES: usize = LEAD_PIECES + 25;
/// The number of pieces between two partial transcripts: 100 ms of sound.
const PARTIAL_PIECES: usize = 5;
/// The longest utterance: 20 s. Longer speech without a pause is decoded in several.
const UTTERANCE_PIECES_MAX: usize = 1_000;

/// The kind of providers that use PocketSphinx.
pub const KIND: Kind = Kind {
    name: "pocketsphinx",
    doc: "PocketSphinx, as Debian has it, hears in this process.",
    fields: &[],
    read: |_, _| {
        let stt = Offer::<dyn Stt>::new(Place::Embedded, |resources| {
            let model = pocketsphinx::MODEL.into();
            Ok(Arc::new(PocketSphinx::new(model, resources.interviews)?))
        });
        let needs = vec![Need::Package {
            title: "PocketSphinx en-us, the recogniser where Moonshine is not there",
            fetch: "apt-get install pocketsphinx-en-us",
            check: || pocketsphinx::model_is_there(pocketsphinx::MODEL.as_ref()),
        }];
        Provider { stt: Some(stt), needs, ..Provider::new(Arc::new(())) }
    },
};

/// A fixed number of recognisers.
pub struct PocketSphinx {
    pool: Arc<Pool>,
}

struct Pool {
    model: PathBuf,
    /// The workers without a candidate. The last one is taken next, and is warm.
    idle: Mutex<Vec<SyncSender<Command>>>,
}

enum Command {
    /// The order to warm up, as a candidate may come soon.
    Warm,
    Open(SttOut),
    Push {
        at: SessionTime,
        sound: Pcm16,
        waiting: Waiting,
    },
    Started {
        at: SessionTime,
    },
    Stopped {
        at: SessionTime,
    },
    Settle(SyncSender<()>),
    /// The end of the candidate. The sender is the worker's own, to be given back.
    Close(SyncSender<Command>),
}

impl PocketSphinx {
    /// Opens the library for up to `decoders` candidates at a time. Tries a recogniser first, so that
    /// missing files are noticed.
    pub fn new(model: PathBuf, decoders: usize) -> Result<Self, ProviderError> {
        drop(Decoder::new(&model)?);
        let pool = Arc::new(Pool { model, idle: Mutex::default() });
        for n in 0..decoders {
            let (commands, inbox) = sync_channel(COMMANDS_MAX);
            let (model, weak) = (pool.model.clone(), Arc::downgrade(&pool));
            thread::Builder::new()
                .name(format!("sphinx-{n}"))
                .spawn(move || Worker { model, pool: weak }.run(&inbox))
                .map_err(|error| ProviderError {
                    what: format!("no thread for a recogniser could be started: {error}"),
                    retry: Retry::After(Duration::from_secs(1)),
                })?;
            pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(commands);
        }
        pool.idle.lock().unwrap_or_else(PoisonError::into_inner).last().map(warm);
        Ok(Self { pool })
    }

    /// Returns the number of free recognisers.
    pub fn idle(&self) -> usize {
        self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Pool {
    fn take(&self) -> Option<SyncSender<Command>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle.pop();
        if let Some(next) = idle.last() {
            warm(next);
        }
        worker
    }

    fn give_back(&self, worker: SyncSender<Command>) {
        warm(&worker);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    }
}

fn warm(worker: &SyncSender<Command>) {
    // It does not matter here if the worker is gone or busy: that is noticed when it is used.
    let _ = worker.try_send(Command::Warm);
}

impl Stt for PocketSphinx {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        let commands = self.pool.take().ok_or_else(|| ProviderError {
            what:
                "all recognisers are taken: raise stt_decoders, or take fewer interviews at a time"
                    .into(),
            retry: Retry::After(Duration::from_secs(5)),
        })?;
        let mut stream = Stream { commands, backlog: Backlog::default(), is_lost: false };
        stream.send(Command::Open(out));
        Ok(Box::new(stream))
    }

    fn hears(&self, language: Language) -> bool {
        language == Language::English
    }
}

/// The candidate's end of a worker.
struct Stream {
    commands: SyncSender<Command>,
    backlog: Backlog,
    is_lost: bool,
}

impl Stream {
    fn send(&mut self, command: Command) {
        // Sound is bounded by the backlog, everything else by the speech in it: only a dead worker refuses.
        if self.commands.try_send(command).is_err() && !self.is_lost {
            error!("recogniser lost");
            self.is_lost = true;
        }
    }
}

impl SttStream for Stream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        if self.backlog.admits() {
            let waiting = self.backlog.waiting();
            self.send(Command::Push { at, sound: sound.clone(), waiting });
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.send(Command::Started { at });
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        self.send(Command::Stopped { at });
    }

    fn settle(&mut self) {
        let (done, wait) = sync_channel(1);
        self.send(Command::Settle(done));
        // An error means that the worker is gone, so no transcripts will follow.
        let _ = wait.recv();
    }

    fn away(&self) -> Option<Away> {
        self.is_lost.then(|| Away::lost("PocketSphinx"))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.send(Command::Close(self.commands.clone()));
    }
}

/// A thread with a decoder, which serves one candidate after the other.
struct Worker {
    model: PathBuf,
    pool: Weak<Pool>,
}

impl Worker {
    fn run(self, inbox: &Receiver<Command>) {
        while let Some(worker) = serve(&self.model, inbox) {
            let Some(pool) = self.pool.upgrade() else {
                return;
            };
            pool.give_back(worker);
        }
    }
}

/// Serves one candidate. Returns the worker's sender, or `None` when no more candidates can come.
fn serve(model: &Path, inbox: &Receiver<Command>) -> Option<SyncSender<Command>> {
    let (mut decoder, mut ear) = (None, None);
    loop {
        match (inbox.recv().ok()?, &mut ear) {
            (Command::Warm, None) => decoder = decoder.or_else(|| start(model)),
            (Command::Open(out), _) => {
                let decoder = decoder.take().or_else(|| start(model));
                ear = decoder.map(|decoder| Ear::new(decoder, out));
            }
            (Command::Close(worker), _) => return Some(worker),
            (Command::Push { at, sound, waiting }, ear) => {
                waiting.taken();
                if let Some(ear) = ear {
                    ear.push(at, &sound);
                }
            }
            (Command::Started { at }, Some(ear)) => ear.started(at),
            (Command::Stopped { at }, Some(ear)) => ear.stopped(at),
            // The caller may have stopped waiting.
            (Command::Settle(done), _) => drop(done.try_send(())),
            (Command::Warm, Some(_))
            | (Command::Started { .. } | Command::Stopped { .. }, None) => {}
        }
    }
}

/// Returns a new decoder. Library and model were there before, so only memory can be missing.
fn start(model: &Path) -> Option<Decoder> {
    Decoder::new(model).inspect_err(|error| error!(%error, "recogniser did not start")).ok()
}

/// The decoder of one candidate, with the sound and words so far.
struct Ear {
    decoder: Decoder,
    out: SttOut,
    /// The sound that is in no utterance yet, in pieces of 20 ms, oldest first.
    past: VecDeque<(SessionTime, Vec<i16>)>,
    /// The sound that does not fill a piece yet.
    rest: Vec<i16>,
    segments: u32,
    speech: Option<Speech>,
}

/// The segment that is being decoded.
struct Speech {
    from: SessionTime,
    /// The words of the utterances of this segment that have ended.
    before: String,
    /// The text of the last transcript.
    last_reported: String,
    pieces: usize,
    /// The end of the decoded sound.
    to: SessionTime,
}

impl Ear {
    fn new(decoder: Decoder, out: SttOut) -> Self {
        Self { decoder, out, past: VecDeque::new(), rest: Vec::new(), segments: 0, speech: None }
    }

    /// Cuts the sound into pieces of one length, which equal transcripts need.
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        let held = Pcm16(std::mem::take(&mut self.rest));
        let began = SessionTime::from_micros(
            at.as_micros().saturating_sub(held.duration().as_micros() as u64),
        );
        let samples = [held.0.as_slice(), &sound.0].concat();
        let pieces = samples.chunks_exact(FRAME_16);
        self.rest = pieces.remainder().to_vec();
        for (n, piece) in (0_u64..).zip(pieces) {
            self.piece(began + Duration::from_millis(20 * n), piece);
        }
    }

    fn piece(&mut self, at: SessionTime, piece: &[i16]) {
        let Some(speech) = &mut self.speech else {
            if self.past.len() == PAST_PIECES {
                self.past.pop_front();
            }
            self.past.push_back((at, piece.to_vec()));
            return;
        };
        self.decoder.process(piece);
        speech.to = at + Duration::from_millis(20);
        speech.pieces += 1;
        if speech.pieces.is_multiple_of(UTTERANCE_PIECES_MAX) {
            self.decoder.end();
            speech.before = joined(&speech.before, &self.decoder.hypothesis());
            self.decoder.start();
        } else if speech.pieces.is_multiple_of(PARTIAL_PIECES) {
            self.report_partials();
        }
    }

    fn started(&mut self, at: SessionTime) {
        if self.speech.is_some() {
            return;
        }
        self.segments += 1;
        self.speech = Some(Speech {
            from: at,
            before: String::new(),
            last_reported: String::new(),
            pieces: 0,
            to: at,
        });
        self.decoder.start();
        let lead = self.past.iter().filter(|(began, _)| *began < at).count();
        let skipped = lead.saturating_sub(LEAD_PIECES);
        for (at, piece) in std::mem::take(&mut self.past).into_iter().skip(skipped) {
            self.piece(at, &piece);
        }
    }

    fn stopped(&mut self, at: SessionTime) {
        let Some(speech) = self.speech.take() else {
            return;
        };
        self.decoder.end();
        let text = joined(&speech.before, &self.decoder.hypothesis());
        self.report(Transcript { is_final: true, ..self.transcript(speech.from, at, text) });
    }

    fn report_partials(&mut self) {
        let hypothesis = self.decoder.hypothesis();
        let Some(speech) = &mut self.speech else {
            return;
        };
        let text = joined(&speech.before, &hypothesis);
        if text == speech.last_reported {
            return;
        }
        speech.last_reported.clone_from(&text);
        let (from, to) = (speech.from, speech.to);
        self.report(self.transcript(from, to, text));
    }

    fn transcript(&self, from: SessionTime, to: SessionTime, text: String) -> Transcript {
        // The decoder's confidence is that of the whole utterance, which says nothing about long ones.
        Transcript {
            segment: self.segments,
            is_final: false,
            from,
            to,
            text,
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        }
    }

    fn report(&self, transcript: Transcript) {
        (self.out)(transcript);
    }
}

fn joined(before: &str, after: &str) -> String {
    [before, after].join(" ").trim().to_owned()
}
