//! The common part of all voices behind servers: limits of time and length, one retry, the cache of whole
//! segments, and the check that what comes is speech.
//!
//! A vendor's part is a [`Protocol`]: it asks for the sound of one segment and passes on what comes. Nothing
//! is heard of a segment before its first audible sample, so that an answer of nothing, or of nothing but
//! silence, is a failure that another call can mend. To drop the stream of a segment is to drop the vendor's
//! part of it, which closes its connection: that cancels the call.

use std::{sync::Arc, time::Duration};

use futures_util::{
    StreamExt, TryStreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};

use super::{
    ProviderError,
    http::{Site, permanent_error, retry_at, run_until, transient_error},
    sound_cache::{CachedSound, SoundCache},
    sound_samples::{Aligned, Answer, BYTES_MAX, Part, Parts, RATE, samples},
    speakable::{Letters, speakable},
    usage::Vendor,
};
use crate::clock::Clock;
use audio::{Pcm48, resample::Resampler};
use interview::time::SessionTime;

/// The bytes of cached sound: three minutes.
const CACHED_BYTES_MAX: usize = 8 << 20;
/// The largest sample of silence: -60 dB of the loudest one.
const SILENCE_MAX: u16 = 32;
/// The least by which sound and the times of its words must differ before the sound's rate is taken for
/// wrong, beside a quarter of their length.
const ALIGNMENT_SLACK: Duration = Duration::from_millis(500);
/// The sentence with which `doctor` tries a server.
const SENTENCE: &str = "I have worked on payment systems for six years";

/// A vendor's way to ask for the sound of a segment.
pub(super) trait Protocol: Send + Sync {
    /// Asks for a segment. The stream ends when the segment does; to drop it cancels the segment.
    fn ask(&self, text: String) -> BoxFuture<'static, Result<Answer, ProviderError>>;
}

/// The limits of time of one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// From the request to the first audible sample, one retry included: `first_byte_limit`.
    pub(super) first_byte: Duration,
    /// Between two pieces of sound: `stall_limit`.
    pub(super) stall: Duration,
    /// The time that the server is waited for in all: `segment_limit`.
    pub(super) segment: Duration,
}

/// The voice of a server. All interviews share its connections and the cached sound.
#[derive(Clone)]
pub(super) struct WireVoice(Arc<Shared>);

struct Shared {
    site: Arc<Site>,
    protocol: Box<dyn Protocol>,
    /// The voice's name, by which its sound is cached.
    voice: String,
    limits: Limits,
    cache: SoundCache,
}

type Piece = Result<Pcm48, ProviderError>;

impl WireVoice {
    pub(super) fn new(
        site: Arc<Site>,
        protocol: impl Protocol + 'static,
        voice: &str,
        limits: Limits,
    ) -> Self {
        let (protocol, voice) = (Box::new(protocol), voice.to_owned());
        let cache = SoundCache::new(CACHED_BYTES_MAX);
        Self(Arc::new(Shared { site, protocol, voice, limits, cache }))
    }

    /// Speaks one segment, in pieces. Dropping the stream cancels the call.
    pub(super) fn synthesize(&self, text: &str) -> BoxStream<'static, Piece> {
        let text = speakable(text, Letters::All);
        if text.is_empty() {
            return stream::empty().boxed();
        }
        let shared = self.0.clone();
        if let Some(sound) = shared.cache.find(&shared.voice, &text) {
            return sound.pieces();
        }
        let begun = async move {
            let call = Call { shared, text, clock: Clock::start() };
            call.begin().await.map(Spoken::pieces)
        };
        stream::once(begun).try_flatten().boxed()
    }

    /// The vendor that is paid for it.
    pub(super) fn vendor(&self) -> Vendor {
        self.0.site.vendor()
    }

    /// The characters that the server is sent for a text; 0 if its sound is kept.
    pub(super) fn characters(&self, text: &str) -> usize {
        let text = speakable(text, Letters::All);
        match self.0.cache.has(&self.0.voice, &text) {
            true => 0,
            false => text.chars().count(),
        }
    }

    /// Checks the server by speaking a real sentence. Returns the time to its first sound.
    pub(super) async fn check(&self) -> Result<Duration, ProviderError> {
        let clock = Clock::start();
        let mut pieces = self.synthesize(SENTENCE);
        pieces.try_next().await?;
        let began = clock.now().since(SessionTime::ZERO);
        let _: Vec<Pcm48> = pieces.try_collect().await?;
        Ok(began)
    }
}

/// Returns what `doctor` says of a voice that works.
pub(super) fn works(voice: &str, model: &str, base_url: &url::Url, began: Duration) -> String {
    let (place, ms) = (base_url.origin().ascii_serialization(), began.as_millis());
    format!("`{voice}` of `{model}` at {place} begins to sound after {ms} ms")
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
                let limit = self.shared.limits.first_byte;
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
        let Shared { limits, site, .. } = &*self.shared;
        let limit = limits.first_byte.min(limits.segment);
        let begun = run_until(self.clock, SessionTime::ZERO + limit, self.first_sound()).await;
        begun.unwrap_or_else(|| Err(site.too_late("no first sound", limit, "first_byte_limit")))
    }

    async fn first_sound(&self) -> Result<Spoken, ProviderError> {
        let shared = self.shared.clone();
        let left = shared.limits.segment;
        let answer = shared.protocol.ask(self.text.clone()).await?;
        let mut spoken = Spoken {
            parts: samples(&shared.site, answer).await?.fuse().boxed(),
            shared,
            text: self.text.clone(),
            clock: self.clock,
            left,
            sound: Sound::default(),
            resampler: Some(Resampler::punctual(RATE, 48_000)),
            ready: Vec::new(),
        };
        while spoken.sound.audible == 0 {
            let Some(part) = spoken.parts.next().await else { return Err(spoken.nothing()) };
            spoken.take(&part?)?;
        }
        let waited = self.clock.now().since(SessionTime::ZERO);
        spoken.left = left.saturating_sub(waited);
        metrics::histogram!("vivavoce_tts_first_byte_seconds").record(waited);
        Ok(spoken)
    }
}

/// A segment that is being spoken.
struct Spoken {
    shared: Arc<Shared>,
    text: String,
    clock: Clock,
    parts: Parts,
    /// The time that the server may still be waited for.
    left: Duration,
    sound: Sound,
    /// The resampler; `None` after the end of the segment.
    resampler: Option<Resampler>,
    /// The samples that can be passed on.
    ready: Vec<i16>,
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
        let Limits { stall, segment, .. } = self.shared.limits;
        while self.ready.is_empty() && self.resampler.is_some() {
            let (began, limit) = (self.clock.now(), stall.min(self.left));
            let next = run_until(self.clock, began + limit, self.parts.next()).await;
            // Only the time of the server counts: whoever plays the sound may take its time.
            self.left = self.left.saturating_sub(self.clock.now().since(began));
            let site = &self.shared.site;
            match next {
                Some(Some(part)) => self.take(&part?)?,
                Some(None) => self.end()?,
                None if limit < stall => {
                    return Err(site.too_late("no end of a segment", segment, "segment_limit"));
                }
                None => return Err(site.too_late("no next sound", stall, "stall_limit")),
            }
        }
        Ok(())
    }

    fn take(&mut self, part: &Part) -> Result<(), ProviderError> {
        let site = &self.shared.site;
        let from = self.sound.samples.len();
        self.sound.take(part);
        if 2 * self.sound.samples.len() > BYTES_MAX {
            return Err(transient_error(format!("the answer of {} does not end", site.place)));
        }
        if let Some(resampler) = &mut self.resampler {
            resampler.push(&self.sound.samples[from..], &mut self.ready);
        }
        Ok(())
    }

    /// Handles the end of the stream. As it was read to its end, its connection can be used again.
    fn end(&mut self) -> Result<(), ProviderError> {
        let Some(resampler) = self.resampler.take() else { return Ok(()) };
        let Shared { site, voice, cache, .. } = &*self.shared;
        if let Some(words) = self.sound.misaligned() {
            let seconds = length(self.sound.audible).as_secs_f32();
            return Err(permanent_error(format!(
                "{} answers with {seconds:.1} s of sound for {:.1} s of words, so it is not at {RATE} Hz; \
                    take a model or a server that is",
                site.place,
                words.as_secs_f32()
            )));
        }
        resampler.flush(&mut self.ready);
        if self.sound.half.is_some() {
            // If a byte is lost, more may be lost: the sound is played once and not cached.
            tracing::warn!(place = site.place, "sound ended in half a sample");
            return Ok(());
        }
        let samples = std::mem::take(&mut self.sound.samples).into();
        cache.keep(voice, &self.text, CachedSound { rate: RATE, samples });
        Ok(())
    }

    /// Returns the error for an answer without any audible sound.
    fn nothing(&self) -> ProviderError {
        let site = &self.shared.site;
        if self.sound.samples.is_empty() { site.empty_answer() } else { site.silent_answer() }
    }
}

/// The sound of a segment so far.
#[derive(Default)]
struct Sound {
    samples: Vec<i16>,
    /// The byte of a sample whose other one is still to come.
    half: Option<u8>,
    /// The number of samples up to the last one that can be heard.
    audible: usize,
    /// The end of the words that are spoken, if the vendor tells.
    aligned: Option<Duration>,
}

impl Sound {
    fn take(&mut self, part: &Part) {
        let words = part.aligned.map(|aligned| match aligned {
            Aligned::FromBeginning(end) => end,
            Aligned::FromHere(end) => length(self.samples.len()).saturating_add(end),
        });
        self.aligned = self.aligned.max(words);
        for byte in &part.sound {
            let Some(low) = self.half.take() else {
                self.half = Some(*byte);
                continue;
            };
            let sample = i16::from_le_bytes([low, *byte]);
            self.samples.push(sample);
            if sample.unsigned_abs() > SILENCE_MAX {
                self.audible = self.samples.len();
            }
        }
    }

    /// Returns the end of the words, if it does not fit the sound: then its rate is another one.
    fn misaligned(&self) -> Option<Duration> {
        let (words, all) = (self.aligned?, length(self.samples.len()));
        let is_longer = |a: Duration, b: Duration| a > b + b / 4 + ALIGNMENT_SLACK;
        let is_wrong = is_longer(words, all) || is_longer(length(self.audible), words);
        is_wrong.then_some(words)
    }
}

/// Returns the length of so many samples.
fn length(samples: usize) -> Duration {
    Duration::from_micros(samples as u64 * 1_000_000 / u64::from(RATE))
}

#[cfg(test)]
mod tests {
    use tokio_tungstenite::tungstenite::Bytes;

    use super::*;

    fn part(samples: &[i16], aligned: Option<Aligned>) -> Part {
        let sound = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        Part { sound, aligned }
    }

    /// P06: samples are put together wherever the vendor cuts them, and silence is not audible.
    #[test]
    fn samples_are_put_together() {
        let bytes: Vec<u8> =
            [3_i16, -700, 32, 500, -32].iter().flat_map(|s| s.to_le_bytes()).collect();
        for size in 1..=bytes.len() {
            let mut sound = Sound::default();
            for piece in bytes.chunks(size) {
                sound.take(&Part { sound: Bytes::copy_from_slice(piece), aligned: None });
            }
            assert_eq!((sound.samples, sound.audible), (vec![3, -700, 32, 500, -32], 4), "{size}");
        }
    }

    /// P10: times of words tell sound at another rate; a silence behind the words is none of it, and a
    /// short difference says nothing.
    #[test]
    fn times_of_words_tell_a_wrong_rate() {
        let (ms, second) = (Duration::from_millis, RATE as usize);
        let loud = |seconds: usize| vec![900; seconds * second];
        let misaligned = |parts: &[Part]| {
            let mut sound = Sound::default();
            parts.iter().for_each(|part| sound.take(part));
            sound.misaligned()
        };
        let at = |end| Some(Aligned::FromBeginning(ms(end)));
        assert_eq!(misaligned(&[part(&loud(4), at(4_000))]), None);
        assert_eq!(misaligned(&[part(&loud(8), at(4_000))]), Some(ms(4_000)), "48 kHz");
        assert_eq!(misaligned(&[part(&loud(4), at(6_000))]), Some(ms(6_000)), "16 kHz");
        assert_eq!(misaligned(&[part(&loud(1), at(400))]), None);
        assert_eq!(misaligned(&[part(&loud(1), at(900)), part(&vec![0; 3 * second], None)]), None);
        assert_eq!(misaligned(&[part(&loud(9), None)]), None, "the vendor does not tell");
        let here = |end| Some(Aligned::FromHere(ms(end)));
        let chunks = [part(&loud(2), here(1_900)), part(&loud(2), here(2_000))];
        assert_eq!(misaligned(&chunks), None, "each chunk has times of its own");
        assert_eq!(misaligned(&[part(&loud(3), at(0)), part(&[], at(3_000))]), None);
    }
}
