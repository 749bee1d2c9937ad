//! The voice Flite: plain, fast, and part of Debian. One thread of the process speaks for all interviews.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::Duration,
};

use futures_util::{StreamExt, stream, stream::BoxStream};
use tokio::sync::mpsc;
use tracing::warn;

use super::{
    ProviderError, Retry, Tts,
    flite::{Go, Voice},
    kind::{Kind, Offer, Place, Provider},
    sound_cache::{CachedSound, SoundCache},
    speakable::{Letters, speakable},
};
use crate::settings::{Section, rules, settings};
use audio::{Pcm48, resample::Resampler};
use interview::blueprint::Language;

/// The most segments that wait for the thread, which makes sound a hundred times faster than it lasts. More
/// are refused.
const JOBS_MAX: usize = 64;
/// The most pieces of 40 ms and more that wait for their listener: one minute. More end the segment.
const PIECES_MAX: usize = 1_500;
/// The bytes of cached sound: two minutes of a voice at 16 kHz, as most are.
const CACHED_BYTES_MAX: usize = 120 * 2 * 16_000;

/// The cache of the process's only synthesiser.
static CACHE: SoundCache = SoundCache::new(CACHED_BYTES_MAX);

type Piece = Result<Pcm48, ProviderError>;

settings! {
    /// Flite's voice.
    pub struct Settings {
        /// The voice's name, as Flite knows it: slt, rms, awb, kal.
        voice: String = "slt", rules::name("the name of a voice");
    }
}

/// The kind of providers that use Flite.
pub const KIND: Kind = Kind {
    name: "flite",
    doc: "Flite, as Debian has it, speaks in this process.",
    fields: Settings::FIELDS,
    read: |_, reader| {
        let settings = Settings::read(reader);
        let voice = settings.voice.clone();
        let tts =
            Offer::<dyn Tts>::new(Place::Embedded, move |_| Ok(Arc::new(FliteTts::new(&voice)?)));
        Provider { tts: Some(tts), ..Provider::new(Arc::new(settings)) }
    },
};

/// One of Flite's voices.
pub struct FliteTts {
    voice: String,
    jobs: SyncSender<Job>,
}

enum Job {
    /// The order to open a voice, if it is not open yet.
    Open { voice: String, done: SyncSender<Result<(), ProviderError>> },
    /// The order to speak a text.
    Speak { voice: String, text: String, out: mpsc::Sender<Piece> },
}

impl FliteTts {
    /// Opens the library and the voice `slt`, `rms`, `awb` or `kal`. Takes about 10 ms.
    pub fn new(voice: &str) -> Result<Self, ProviderError> {
        let jobs = synthesizer()?;
        let (done, opened) = sync_channel(1);
        jobs.send(Job::Open { voice: voice.into(), done }).map_err(|_| gone())?;
        opened.recv().map_err(|_| gone())??;
        Ok(Self { voice: voice.into(), jobs })
    }
}

impl Tts for FliteTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Piece> {
        let text = speakable(text, Letters::English);
        if text.is_empty() {
            return stream::empty().boxed();
        }
        if let Some(sound) = CACHE.find(&self.voice, &text) {
            return sound.pieces();
        }
        let (out, pieces) = mpsc::channel(PIECES_MAX);
        let job = Job::Speak { voice: self.voice.clone(), text, out };
        match self.jobs.try_send(job) {
            Ok(()) => stream::unfold(pieces, async |mut pieces| {
                let piece = pieces.recv().await?;
                Some((piece, pieces))
            })
            .boxed(),
            Err(TrySendError::Full(_)) => {
                let what = format!("more than {JOBS_MAX} segments wait for the voice");
                let retry = Retry::After(Duration::from_millis(500));
                stream::once(async move { Err(ProviderError { what, retry }) }).boxed()
            }
            Err(TrySendError::Disconnected(_)) => stream::once(async { Err(gone()) }).boxed(),
        }
    }

    fn speaks(&self, language: Language) -> bool {
        language == Language::English
    }
}

fn gone() -> ProviderError {
    ProviderError {
        what: "the thread of the voice Flite has ended: restart the program".into(),
        retry: Retry::Never,
    }
}

/// Returns the queue of the process's only synthesising thread.
fn synthesizer() -> Result<SyncSender<Job>, ProviderError> {
    static JOBS: OnceLock<Result<SyncSender<Job>, ProviderError>> = OnceLock::new();
    let start = || {
        let (jobs, inbox) = sync_channel(JOBS_MAX);
        let thread = thread::Builder::new().name("flite".into()).spawn(move || run(&inbox));
        thread.map(|_| jobs).map_err(|error| ProviderError {
            what: format!("no thread for the voice could be started: {error}"),
            retry: Retry::Never,
        })
    };
    JOBS.get_or_init(start).clone()
}

fn run(inbox: &Receiver<Job>) {
    let mut voices: BTreeMap<String, Voice> = BTreeMap::new();
    while let Ok(job) = inbox.recv() {
        match job {
            Job::Open { voice, done } => {
                let opened = match voices.contains_key(&voice) {
                    true => Ok(()),
                    false => Voice::open(&voice).map(|opened| drop(voices.insert(voice, opened))),
                };
                // The caller may be gone.
                let _ = done.send(opened);
            }
            Job::Speak { voice, text, out } => {
                if let Some(opened) = voices.get_mut(&voice) {
                    speak(opened, &voice, &text, &out);
                }
            }
        }
    }
}

/// Speaks one segment into `out`, and caches it if it was not stopped.
fn speak(opened: &mut Voice, voice: &str, text: &str, out: &mpsc::Sender<Piece>) {
    // A closed channel means that the segment was stopped before it began.
    if out.is_closed() {
        return;
    }
    let spoken = Arc::new(Mutex::new(Spoken::default()));
    let (listener, sink) = (spoken.clone(), out.clone());
    opened.speak(
        text,
        Box::new(move |rate, samples| {
            let mut spoken = listener.lock().unwrap_or_else(PoisonError::into_inner);
            let piece = spoken.take(rate, samples);
            spoken.send(piece, &sink)
        }),
    );
    let mut spoken = std::mem::take(&mut *spoken.lock().unwrap_or_else(PoisonError::into_inner));
    // A text without sound has no resampler.
    let Some(resampler) = spoken.resampler.take() else { return };
    let mut last = Vec::new();
    resampler.flush(&mut last);
    spoken.send(Pcm48(last), out);
    if !spoken.stopped {
        CACHE.keep(voice, text, CachedSound { rate: spoken.rate, samples: spoken.whole.into() });
    }
}

/// The sound of a segment so far.
#[derive(Default)]
struct Spoken {
    resampler: Option<Resampler>,
    rate: u32,
    /// All samples of the segment, for the cache.
    whole: Vec<i16>,
    stopped: bool,
}

impl Spoken {
    fn take(&mut self, rate: u32, samples: &[i16]) -> Pcm48 {
        let rate = rate.clamp(8_000, 48_000);
        self.rate = rate;
        self.whole.extend_from_slice(samples);
        let resampler = self.resampler.get_or_insert_with(|| Resampler::punctual(rate, 48_000));
        let mut piece = Vec::with_capacity(samples.len() * 48_000 / rate as usize + 1);
        resampler.push(samples, &mut piece);
        Pcm48(piece)
    }

    fn send(&mut self, piece: Pcm48, out: &mpsc::Sender<Piece>) -> Go {
        if self.stopped {
            return Go::Stop;
        }
        match out.try_send(Ok(piece)) {
            Ok(()) => return Go::On,
            Err(mpsc::error::TrySendError::Closed(_)) => {}
            Err(mpsc::error::TrySendError::Full(_)) => {
                warn!(pieces = PIECES_MAX, "segment too long, its end was not spoken");
            }
        }
        self.stopped = true;
        Go::Stop
    }
}
