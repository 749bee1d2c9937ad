//! A voice that is given words alone: addresses and phone numbers are written out sign by sign by
//! [`aloud`], other digits and signs are read out by [`spoken`].

use std::sync::Arc;

use futures_util::stream::BoxStream;

use super::{ProviderError, Tts, usage::Vendor};
use crate::spoken::spoken;
use audio::Pcm48;
use interview::{blueprint::Language, values::aloud::aloud};

/// A voice, for texts of one language.
pub(super) struct InWords {
    tts: Arc<dyn Tts>,
    language: Language,
}

impl InWords {
    pub(super) fn new(tts: Arc<dyn Tts>, language: Language) -> Self {
        Self { tts, language }
    }

    fn words(&self, text: &str) -> String {
        spoken(&aloud(text, self.language), self.language)
    }
}

impl Tts for InWords {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        self.tts.synthesize(&self.words(text))
    }

    fn speaks(&self, language: Language) -> bool {
        self.tts.speaks(language)
    }

    fn vendor(&self) -> Option<Vendor> {
        self.tts.vendor()
    }

    fn characters(&self, text: &str) -> usize {
        self.tts.characters(&self.words(text))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures_util::{StreamExt, stream};

    use super::*;

    #[derive(Default)]
    struct Notes(Mutex<Vec<String>>);

    impl Tts for Notes {
        fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
            self.0.lock().unwrap().push(text.to_owned());
            stream::empty().boxed()
        }
    }

    /// L06: what a voice gets is written out, and what is counted is what it gets.
    #[test]
    fn a_voice_gets_values_written_out() {
        let notes = Arc::new(Notes::default());
        let voice = InWords::new(notes.clone(), Language::German);
        let _ = voice.synthesize("Stimmt das: a_b@web.de?");
        let spoken = "Stimmt das: A Unterstrich B ät web Punkt D E?";
        assert_eq!(*notes.0.lock().unwrap(), [spoken]);
        assert_eq!(voice.characters("Stimmt das: a_b@web.de?"), spoken.chars().count());
    }
}
