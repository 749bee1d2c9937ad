//! A voice behind a server that speaks OpenAI's `/v1/audio/speech`: OpenAI itself, Kokoro, speaches, Piper
//! and others.

use std::{path::PathBuf, pin::Pin, sync::Arc, time::Duration};

use futures_util::{
    Stream, StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde_json::json;
use tokio_tungstenite::tungstenite::Bytes;

use super::{
    ProviderError, Tts,
    http::{Access, Header, Names, Refusal, Site, permanent_error, retry_at, run_until},
    kind::{Kind, Offer, Place, Provider},
    sound_cache::{CachedSound, SoundCache},
    speakable::{Letters, speakable},
};
use crate::{
    clock::Clock,
    settings::{Secret, Section, rules, settings},
};
use audio::{Pcm48, resample::Resampler};
use interview::time::SessionTime;

/// The sample rate of `response_format: pcm`: 16 bits, little endian, one channel.
const RATE: u32 = 24_000;
/// The most bytes of a segment: two minutes of sound. A longer answer is taken for endless.
const BYTES_MAX: usize = 120 * 2 * RATE as usize;
/// The bytes of cached sound: three minutes.
const CACHED_BYTES_MAX: usize = 8 << 20;
/// The beginning of a WAV file.
const RIFF: &[u8] = b"RIFF";

/// The sentence with which `doctor` tries a server.
const SENTENCE: &str = "I have worked on payment systems for six years";

settings! {
    /// A voice behind a server that speaks OpenAI's speech.
    pub struct Settings {
        /// Where it is; `/audio/speech` is added to its path, its query is kept.
        base_url: url::Url = "https://api.openai.com/v1", rules::HTTP_URL;
        /// The model's name, as the server knows it.
        model: String = "gpt-4o-mini-tts", rules::name("the name of a model");
        /// The voice's name, as the model knows it.
        voice: String = "alloy", rules::name("the name of a voice");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "OPENAI_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// From a segment's request to its first sound, one retry included.
        first_byte_limit: Duration = "3s", rules::DURATION;
        /// Between two pieces of its sound.
        stall_limit: Duration = "3s", rules::DURATION;
    }
}

/// The kind of providers that use OpenAI's speech.
pub const KIND: Kind = Kind {
    name: "openai-speech",
    doc: "OpenAI, or a server that speaks its `/audio/speech`, speaks.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Place::server(&name, &settings, check);
        let tts =
            Offer::<dyn Tts>::new(place, move |_| Ok(Arc::new(OpenAiTts::new(&name, &open)?)));
        Provider { tts: Some(tts), ..Provider::new(settings) }
    },
};

/// Checks the server by speaking a real sentence.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let clock = Clock::start();
    let mut pieces = OpenAiTts::new(&name, &settings)?.synthesize(SENTENCE);
    pieces.try_next().await?;
    let began = clock.now().as_millis();
    let _: Vec<Pcm48> = pieces.try_collect().await?;
    Ok(format!(
        "`{}` of `{}` at {} begins to sound after {began} ms",
        settings.voice,
        settings.model,
        settings.base_url.origin().ascii_serialization()
    ))
}

type Piece = Result<Pcm48, ProviderError>;

/// A voice of a server. All interviews share the connections and the cached sound.
#[derive(Clone)]
pub struct OpenAiTts(Arc<Shared>);

struct Shared {
    config: Settings,
    suspects: String,
    site: Site,
    cache: SoundCache,
}

impl OpenAiTts {
    /// Returns the voice of a provider. Reads the key and the certificate; makes no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let hint = ", which mostly ends in /v1,";
        let names = Names::new(&KIND, name, "voice", hint, &["model", "voice"]);
        let suspects = names.suspects.clone();
        let site = Site::new(&Access {
            names,
            base_url: &config.base_url,
            path: "/audio/speech",
            query: &[],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Bearer,
            ca_file: config.ca_file.as_deref(),
        })?;
        let cache = SoundCache::new(CACHED_BYTES_MAX);
        Ok(Self(Arc::new(Shared { config: config.clone(), suspects, site, cache })))
    }
}

impl Tts for OpenAiTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Piece> {
        let text = speakable(text, Letters::All);
        if text.is_empty() {
            return stream::empty().boxed();
        }
        let shared = self.0.clone();
        if let Some(sound) = shared.cache.find(&shared.config.voice, &text) {
            return sound.pieces();
        }
        let begun = async move {
            let call = Call { shared, text, clock: Clock::start() };
            call.begin().await.map(Spoken::pieces)
        };
        stream::once(begun).try_flatten().boxed()
    }
}

/// The call for one segment, up to its first sound.
struct Call {
    shared: Arc<Shared>,
    text: String,
    clock: Clock,
}

impl Call {
    /// Makes the call. One failure is passed over, as no sound was passed on yet.
    async fn begin(self) -> Result<Spoken, ProviderError> {
        match self.attempt().await {
            Err(error) => {
                let limit = self.shared.config.first_byte_limit;
                let Some(retry_at) = retry_at(self.clock, error.retry, limit) else {
                    return Err(error);
                };
                tracing::info!(why = %error, "a call to the voice is made again");
                self.clock.sleep_until(retry_at).await;
                self.attempt().await
            }
            begun => begun,
        }
    }

    async fn attempt(&self) -> Result<Spoken, ProviderError> {
        let Shared { config, site, .. } = &*self.shared;
        let limit = config.first_byte_limit;
        let begun = run_until(self.clock, SessionTime::ZERO + limit, self.first_sound()).await;
        begun.unwrap_or_else(|| Err(site.too_late("no first sound", limit, "first_byte_limit")))
    }

    async fn first_sound(&self) -> Result<Spoken, ProviderError> {
        let Shared { config, site, .. } = &*self.shared;
        let body = json!({
            "model": config.model,
            "voice": config.voice,
            "input": self.text,
            "response_format": "pcm",
        });
        let response = site.post(body.to_string()).await?;
        let response = self.shared.checked(response).await?;
        let mut spoken = Spoken {
            shared: self.shared.clone(),
            text: self.text.clone(),
            clock: self.clock,
            bytes: Box::pin(Site::pieces(response, BYTES_MAX)),
            samples: Samples::default(),
            resampler: Some(Resampler::punctual(RATE, 48_000)),
            ready: Vec::new(),
            whole: Vec::new(),
        };
        while spoken.samples.begin.len() < RIFF.len() {
            let Some(piece) = spoken.bytes.next().await else { return Err(site.empty_answer()) };
            let piece = piece.map_err(|cause| site.broken_off(&cause))?;
            spoken.take(&piece);
            if spoken.samples.is_wav() {
                return Err(self.shared.wav());
            }
        }
        let waited = self.clock.now().since(SessionTime::ZERO);
        metrics::histogram!("vivavoce_tts_first_byte_seconds").record(waited);
        Ok(spoken)
    }
}

impl Shared {
    /// Returns the answer if its type is the requested one.
    async fn checked(&self, response: Response) -> Result<Response, ProviderError> {
        let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let kind = String::from_utf8_lossy(kind.unwrap_or_default()).to_lowercase();
        let (name, parameters) = kind.split_once(';').unwrap_or((&kind, ""));
        match name.trim() {
            ""
            | "audio/pcm"
            | "audio/x-pcm"
            | "audio/l16"
            | "audio/raw"
            | "audio/basic"
            | "application/octet-stream"
            | "binary/octet-stream" => {}
            "audio/wav" | "audio/x-wav" | "audio/wave" | "audio/vnd.wave" => {
                return Err(self.wav());
            }
            "application/json" => {
                let refusal = Refusal::read(&self.site.read(response).await?);
                let (place, reason) = (&self.site.place, self.site.without_key(&refusal.reason));
                let says = if reason.is_empty() { "no sound in it" } else { &reason };
                return Err(permanent_error(format!(
                    "{place} answers with JSON, not with sound: {says}; check {}",
                    self.suspects
                )));
            }
            other => return Err(self.site.wrong_type(other, "sound (pcm)")),
        }
        let mut parameters = parameters.split(';').filter_map(|pair| pair.trim().split_once('='));
        match parameters.find(|(name, _)| *name == "rate") {
            Some((_, rate)) if rate.trim() != RATE.to_string() => Err(permanent_error(format!(
                "{} answers with sound at {rate} Hz, not at {RATE} Hz; take a model or a server that does",
                self.site.place
            ))),
            Some(_) | None => Ok(response),
        }
    }

    fn wav(&self) -> ProviderError {
        permanent_error(format!(
            "{} answers with a WAV file, not with bare samples at {RATE} Hz; take a server that \
                knows response_format pcm",
            self.site.place
        ))
    }
}

/// A segment that is being spoken.
struct Spoken {
    shared: Arc<Shared>,
    text: String,
    clock: Clock,
    bytes: Pin<Box<dyn Stream<Item = std::io::Result<Bytes>> + Send>>,
    samples: Samples,
    /// The resampler; `None` after the end of the segment.
    resampler: Option<Resampler>,
    /// The samples that can be passed on.
    ready: Vec<i16>,
    /// All samples so far, for the cache.
    whole: Vec<i16>,
}

impl Spoken {
    fn pieces(self) -> BoxStream<'static, Piece> {
        let next = async |mut spoken: Self| {
            spoken.fill().await?;
            let piece = std::mem::take(&mut spoken.ready);
            if piece.is_empty() {
                return Ok(None);
            }
            Ok(Some((Pcm48(piece), spoken)))
        };
        stream::try_unfold(self, next).boxed()
    }

    /// Reads until there is sound to pass on, or the stream ends.
    async fn fill(&mut self) -> Result<(), ProviderError> {
        while self.ready.is_empty() && self.resampler.is_some() {
            let limit = self.shared.config.stall_limit;
            let next = run_until(self.clock, self.clock.now() + limit, self.bytes.next()).await;
            let site = &self.shared.site;
            match next {
                Some(Some(Ok(piece))) => self.take(&piece),
                Some(Some(Err(cause))) => return Err(site.broken_off(&cause)),
                Some(None) => self.end(),
                None => return Err(site.too_late("no next sound", limit, "stall_limit")),
            }
        }
        Ok(())
    }

    fn take(&mut self, piece: &[u8]) {
        let samples = self.samples.take(piece);
        self.whole.extend_from_slice(&samples);
        if let Some(resampler) = &mut self.resampler {
            resampler.push(&samples, &mut self.ready);
        }
    }

    /// Handles the end of the stream. As it was read to its end, its connection can be used again.
    fn end(&mut self) {
        let Some(resampler) = self.resampler.take() else { return };
        resampler.flush(&mut self.ready);
        if self.samples.half.is_some() {
            // If a byte is lost, more may be lost: the sound is played once and not cached.
            tracing::warn!(place = self.shared.site.place, "sound ended in half a sample");
            return;
        }
        let sound = CachedSound { rate: RATE, samples: std::mem::take(&mut self.whole).into() };
        self.shared.cache.keep(&self.shared.config.voice, &self.text, sound);
    }
}

/// The conversion of bytes to samples; a piece may end in the middle of a sample.
#[derive(Default)]
struct Samples {
    half: Option<u8>,
    /// The first bytes, until it is known whether they begin a WAV file.
    begin: Vec<u8>,
}

impl Samples {
    fn take(&mut self, piece: &[u8]) -> Vec<i16> {
        let missing = RIFF.len().saturating_sub(self.begin.len());
        self.begin.extend(piece.iter().take(missing));
        let bytes: Vec<u8> = self.half.take().into_iter().chain(piece.iter().copied()).collect();
        let (whole, rest) = bytes.as_chunks::<2>();
        self.half = rest.first().copied();
        whole.iter().map(|pair| i16::from_le_bytes(*pair)).collect()
    }

    fn is_wav(&self) -> bool {
        self.begin == RIFF
    }
}
