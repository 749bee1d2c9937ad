//! Sound that was made before: greetings, nudges and templates come again and again.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use crate::audio::Pcm48;

/// Whole segments by voice and text. What was wanted once only makes room before what comes again.
pub(super) struct SoundCache {
    kept: Mutex<VecDeque<Kept>>,
    bytes_max: usize,
}

/// The latest used stand last.
struct Kept {
    voice: String,
    text: String,
    sound: Arc<Pcm48>,
    comes_again: bool,
}

impl SoundCache {
    /// Holds up to `bytes_max` bytes of sound.
    pub(super) const fn new(bytes_max: usize) -> Self {
        Self { kept: Mutex::new(VecDeque::new()), bytes_max }
    }

    /// The sound of a text that was kept.
    pub(super) fn find(&self, voice: &str, text: &str) -> Option<Arc<Pcm48>> {
        let mut kept = self.lock();
        let at = kept.iter().position(|kept| kept.is(voice, text))?;
        let mut found = kept.remove(at)?;
        found.comes_again = true;
        let sound = found.sound.clone();
        kept.push_back(found);
        Some(sound)
    }

    /// Keeps a segment.
    pub(super) fn keep(&self, voice: &str, text: &str, sound: Pcm48) {
        let mut kept = self.lock();
        if kept.iter().any(|kept| kept.is(voice, text)) {
            return;
        }
        let (voice, text) = (voice.to_owned(), text.to_owned());
        kept.push_back(Kept { voice, text, sound: Arc::new(sound), comes_again: false });
        while kept.iter().map(Kept::bytes).sum::<usize>() > self.bytes_max {
            let once = kept.iter().position(|kept| !kept.comes_again);
            kept.remove(once.unwrap_or(0));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn is(&self, voice: &str, text: &str) -> bool {
        self.voice == voice && self.text == text
    }

    fn bytes(&self) -> usize {
        self.sound.0.len() * size_of::<i16>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P06: by voice and text, within its bytes; what comes again outlives what a model said once.
    #[test]
    fn what_comes_again_is_kept() {
        let cache = SoundCache::new(200);
        let keep = |text: &str| cache.keep("v", text, Pcm48(vec![1; 40]));
        keep("greeting");
        assert_eq!(cache.find("v", "greeting").unwrap().0.len(), 40);
        assert!(cache.find("w", "greeting").is_none());
        keep("once");
        keep("twice");
        assert!(cache.find("v", "once").is_none(), "160 of 200 bytes");
        for text in ["a", "b", "c"] {
            keep(text);
        }
        assert!(cache.find("v", "greeting").is_some());
        assert!(cache.find("v", "c").is_some() && cache.find("v", "b").is_none());
        cache.keep("v", "too long", Pcm48(vec![1; 400]));
        assert!(cache.find("v", "too long").is_none(), "what is longer than all is not kept");
        assert!(cache.find("v", "greeting").is_some());
    }
}
