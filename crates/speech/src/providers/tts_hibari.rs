//! The voice Hibari: natural, and small enough to run in this process. One or two threads speak for all
//! interviews.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
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
    hibari::{Go, Hibari, RATE, Worker},
    kind::{Kind, Need, Offer, Place, Provider},
    models::{self, Models},
    sound_cache::{CachedSound, SoundCache},
    speakable::{Letters, speakable},
};
use crate::settings::{Section, choice, settings};
use audio::{Pcm48, resample::Resampler};
use interview::blueprint::Language;

/// The most segments that wait for a thread, which makes sound fifty times faster than it lasts. More are
/// refused.
const JOBS_MAX: usize = 64;
/// The most pieces of up to 2.4 s that wait for their listener, more than any segment has. More end the
/// segment.
const PIECES_MAX: usize = 500;
/// The bytes of cached sound: two minutes.
const CACHED_BYTES_MAX: usize = 120 * 2 * RATE as usize;
/// The most threads; more would take the cores that recognisers need.
const THREADS_MAX: usize = 2;
/// The name of the only voice in the cache.
const VOICE: &str = "hibari";

type Piece = Result<Pcm48, ProviderError>;

choice! {
    /// Voices of Hibari.
    HibariVoice {
        /// American, female; the one that `make models` fetches.
        Heart = "heart",
        /// American, male.
        Fenrir = "fenrir",
        /// American, female.
        Kore = "kore",
    }
}

impl HibariVoice {
    /// Whether the file of the voice has to be fetched by hand. The operator who sets such a voice wants no
    /// other.
    fn is_fetched_by_hand(self) -> bool {
        self != Self::Heart
    }

    /// Returns the path of the file in the folder of models.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Heart => "hibari/hibari.onnx",
            Self::Fenrir => "hibari/am_fenrir_v2.int8.onnx",
            Self::Kore => "hibari/af_kore.int8.onnx",
        }
    }
}

settings! {
    /// Hibari's voice.
    pub struct Settings {
        /// The voice's name; fenrir and kore are files that are fetched by hand (`vivavoce models`).
        voice: HibariVoice = "heart", HibariVoice::RULE;
    }
}

/// The kind of providers that use Hibari.
pub const KIND: Kind = Kind {
    name: "hibari",
    doc: "Hibari, a network in files, speaks in this process.",
    fields: Settings::FIELDS,
    read: |_, reader| {
        let settings = Settings::read(reader);
        let voice = settings.voice;
        let tts = Offer::<dyn Tts>::new(Place::Embedded, move |resources| {
            Ok(Arc::new(HibariTts::new(resources.models, voice.path())?))
        });
        let needs = vec![
            Need::Models { title: "Hibari", paths: models::paths("hibari") },
            Need::Models { title: "its voice", paths: vec![voice.path()] },
        ];
        let is_chosen_by_name = voice.is_fetched_by_hand();
        Provider { tts: Some(tts), needs, is_chosen_by_name, ..Provider::new(Arc::new(settings)) }
    },
};

/// The voice of a folder, with the threads that speak.
pub struct HibariTts {
    jobs: SyncSender<Job>,
    cache: Arc<SoundCache>,
}

struct Job {
    text: String,
    out: mpsc::Sender<Piece>,
}

impl HibariTts {
    /// Reads the voice whose network is at this path of the models, and starts its threads. They end with
    /// it.
    pub fn new(models: &Models, network: &str) -> Result<Self, ProviderError> {
        models.check("hibari").map_err(|what| ProviderError { what, retry: Retry::Never })?;
        models.check_path(network)?;
        let voice = Hibari::load(&models.folder().join(network))?;
        let cache = Arc::new(SoundCache::new(CACHED_BYTES_MAX));
        let (jobs, inbox) = sync_channel(JOBS_MAX);
        let inbox = Arc::new(Mutex::new(inbox));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..(cores / 2).clamp(1, THREADS_MAX) {
            let (voice, cache, inbox) = (voice.clone(), cache.clone(), inbox.clone());
            let started = thread::Builder::new()
                .name("hibari".into())
                .spawn(move || run(&voice, &cache, &inbox));
            started.map_err(|error| ProviderError {
                what: format!("no thread for the voice could be started: {error}"),
                retry: Retry::Never,
            })?;
        }
        Ok(Self { jobs, cache })
    }
}

impl Tts for HibariTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Piece> {
        let text = speakable(text, Letters::EnglishAndSigns);
        if text.is_empty() {
            return stream::empty().boxed();
        }
        if let Some(sound) = self.cache.find(VOICE, &text) {
            return sound.pieces();
        }
        let (out, pieces) = mpsc::channel(PIECES_MAX);
        match self.jobs.try_send(Job { text, out }) {
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
            Err(TrySendError::Disconnected(_)) => {
                let what = "the threads of the voice Hibari have ended: restart the program".into();
                stream::once(async { Err(ProviderError { what, retry: Retry::Never }) }).boxed()
            }
        }
    }

    fn speaks(&self, language: Language) -> bool {
        language == Language::English
    }
}

/// Speaks until the queue is closed.
fn run(voice: &Hibari, cache: &SoundCache, inbox: &Mutex<Receiver<Job>>) {
    let worker = Worker::default();
    loop {
        let job = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A closed channel means that the segment was stopped before it began.
        if !job.out.is_closed() {
            speak(voice, &worker, cache, &job);
        }
    }
}

/// Speaks one segment, and caches it if it was not stopped.
fn speak(voice: &Hibari, worker: &Worker, cache: &SoundCache, Job { text, out }: &Job) {
    let mut resampler = Resampler::punctual(RATE, 48_000);
    let mut whole: Vec<i16> = Vec::new();
    let mut is_stopped = false;
    let spoken = voice.speak(text, worker, &mut |samples| {
        whole.extend_from_slice(samples);
        let mut piece = Vec::with_capacity(2 * samples.len());
        resampler.push(samples, &mut piece);
        let go = send(piece, out);
        is_stopped = go == Go::Stop;
        go
    });
    if let Err(error) = spoken {
        // The caller may be gone.
        let _ = out.try_send(Err(error));
        return;
    }
    if is_stopped || whole.is_empty() {
        return;
    }
    let mut last = Vec::new();
    resampler.flush(&mut last);
    if send(last, out) == Go::On {
        cache.keep(VOICE, text, CachedSound { rate: RATE, samples: whole.into() });
    }
}

fn send(piece: Vec<i16>, out: &mpsc::Sender<Piece>) -> Go {
    match out.try_send(Ok(Pcm48(piece))) {
        Ok(()) => return Go::On,
        Err(mpsc::error::TrySendError::Closed(_)) => {}
        Err(mpsc::error::TrySendError::Full(_)) => {
            warn!(pieces = PIECES_MAX, "segment too long, its end was not spoken");
        }
    }
    Go::Stop
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hibari() -> HibariTts {
        let folder = std::env::var_os("VIVAVOCE_SPEECH__MODELS_DIR");
        let models = Models::new(folder.as_deref().map(std::path::Path::new));
        HibariTts::new(&models, "hibari/hibari.onnx").unwrap()
    }

    async fn sound(tts: &HibariTts, text: &str) -> Vec<i16> {
        let pieces = tts.synthesize(text).map(|piece| piece.unwrap().0);
        pieces.collect::<Vec<_>>().await.concat()
    }

    /// A segment sounds the same the first time, from the cache, and in another process; a stopped segment
    /// is not cached.
    #[tokio::test]
    async fn a_segment_always_sounds_the_same() {
        let tts = hibari();
        let text = "That's **great**, José: 40% of 5 € 🎉.";
        let mut stopped = tts.synthesize(text);
        assert!(!stopped.next().await.unwrap().unwrap().0.is_empty());
        drop(stopped);
        let first = sound(&tts, text).await;
        assert!((48_000..6 * 48_000).contains(&first.len()), "{}", first.len());
        assert!(tts.cache.find(VOICE, &speakable(text, Letters::EnglishAndSigns)).is_some());
        assert_eq!(sound(&tts, text).await, first);
        assert_eq!(sound(&hibari(), text).await, first);
        assert!(sound(&tts, "🙂").await.is_empty());
    }

    /// Segments beyond the limit are refused with a time after which to try again; the first is spoken.
    #[tokio::test]
    async fn too_many_segments_are_refused() {
        let tts = hibari();
        let texts =
            (0..JOBS_MAX + 8).map(|n| format!("This is number {n}, and it goes on for a while."));
        let mut segments: Vec<_> = texts.map(|text| tts.synthesize(&text)).collect();
        let last = segments.last_mut().unwrap().next().await.unwrap().unwrap_err();
        assert!(matches!(last.retry, Retry::After(_)) && last.what.contains("64"), "{last}");
        assert!(segments[0].next().await.unwrap().is_ok());
    }
}
