//! The cache of synthesised sound: greetings, nudges and templates are said again and again.

use std::{
    collections::VecDeque,
    iter,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};

use super::ProviderError;
use audio::{Pcm48, resample::Resampler};

/// The number of pieces per second in which cached sound is played.
const PIECES_PER_SECOND: usize = 5;

/// Whole segments by voice and text. Segments that were used once make room before those that were used
/// again.
pub(super) struct SoundCache {
    segments: Mutex<VecDeque<CachedSegment>>,
    bytes_max: usize,
}

/// A cached segment. The most recently used ones are at the end.
struct CachedSegment {
    voice: String,
    text: String,
    sound: CachedSound,
    is_used_again: bool,
}

/// The sound of a segment at the voice's own rate: at 48 kHz it would be two or three times as large.
#[derive(Clone)]
pub(super) struct CachedSound {
    pub(super) rate: u32,
    pub(super) samples: Arc<[i16]>,
}

impl SoundCache {
    /// Returns a cache for `bytes_max` bytes of sound.
    pub(super) const fn new(bytes_max: usize) -> Self {
        Self { segments: Mutex::new(VecDeque::new()), bytes_max }
    }

    /// Whether the sound of a text is cached.
    pub(super) fn has(&self, voice: &str, text: &str) -> bool {
        self.lock().iter().any(|segment| segment.matches(voice, text))
    }

    /// Returns the cached sound of a text.
    pub(super) fn find(&self, voice: &str, text: &str) -> Option<CachedSound> {
        let mut segments = self.lock();
        let at = segments.iter().position(|segment| segment.matches(voice, text))?;
        let mut found = segments.remove(at)?;
        found.is_used_again = true;
        let sound = found.sound.clone();
        segments.push_back(found);
        Some(sound)
    }

    /// Keeps a segment.
    pub(super) fn keep(&self, voice: &str, text: &str, sound: CachedSound) {
        let mut segments = self.lock();
        if segments.iter().any(|segment| segment.matches(voice, text)) {
            return;
        }
        let (voice, text) = (voice.to_owned(), text.to_owned());
        segments.push_back(CachedSegment { voice, text, sound, is_used_again: false });
        while segments.iter().map(CachedSegment::bytes).sum::<usize>() > self.bytes_max {
            let once = segments.iter().position(|segment| !segment.is_used_again);
            segments.remove(once.unwrap_or(0));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<CachedSegment>> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedSegment {
    fn matches(&self, voice: &str, text: &str) -> bool {
        self.voice == voice && self.text == text
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.sound.samples)
    }
}

impl CachedSound {
    /// Returns the sound at 48 kHz, resampled as it is read.
    pub(super) fn pieces(self) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        let (mut resampler, mut from) = (Some(Resampler::punctual(self.rate, 48_000)), 0);
        let pieces = iter::from_fn(move || {
            let mut on = resampler.take()?;
            let to = (from + self.rate as usize / PIECES_PER_SECOND).min(self.samples.len());
            let mut piece = Vec::new();
            on.push(&self.samples[from..to], &mut piece);
            from = to;
            if to < self.samples.len() {
                resampler = Some(on);
            } else {
                on.flush(&mut piece);
            }
            Some(Ok(Pcm48(piece)))
        });
        stream::iter(pieces).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P06: sound is found by voice and text and stays within the limit of bytes; segments that were used
    /// again stay longer than those that were used once.
    #[test]
    fn what_comes_again_is_kept() {
        let cache = SoundCache::new(200);
        let made = |samples| CachedSound { rate: 24_000, samples: vec![1; samples].into() };
        let keep = |text: &str| cache.keep("v", text, made(40));
        keep("greeting");
        assert_eq!(cache.find("v", "greeting").unwrap().samples.len(), 40);
        assert!(cache.find("w", "greeting").is_none());
        keep("once");
        keep("twice");
        assert!(cache.find("v", "once").is_none(), "160 of 200 bytes");
        for text in ["a", "b", "c"] {
            keep(text);
        }
        assert!(cache.find("v", "greeting").is_some());
        assert!(cache.find("v", "c").is_some() && cache.find("v", "b").is_none());
        cache.keep("v", "too long", made(400));
        assert!(cache.find("v", "too long").is_none(), "what is longer than all is not segments");
        assert!(cache.find("v", "greeting").is_some());
    }

    /// P06: cached sound is the same as the first time.
    #[tokio::test]
    async fn it_sounds_the_same_again() {
        for (rate, samples) in [(8_000, 1), (16_000, 7_777), (24_000, 4_800), (48_000, 30_000)] {
            let samples: Arc<[i16]> = (0..samples).map(|n| (n * 37 % 1_000) as i16).collect();
            let (mut first, mut resampler) = (Vec::new(), Resampler::punctual(rate, 48_000));
            resampler.push(&samples, &mut first);
            resampler.flush(&mut first);
            let again = CachedSound { rate, samples }.pieces();
            let again: Vec<i16> =
                again.flat_map(|piece| stream::iter(piece.unwrap().0)).collect().await;
            assert_eq!(again, first, "{rate}");
        }
    }
}
