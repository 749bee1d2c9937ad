//! A voice that reads addresses and phone numbers sign by sign and digit by digit, whatever voice it is.

use std::sync::Arc;

use futures_util::stream::BoxStream;

use crate::providers::{ProviderError, Tts, usage::Vendor};
use audio::Pcm48;
use interview::{blueprint::Language, values::aloud::aloud};

/// A voice for one interview, in its language.
struct Aloud {
    voice: Arc<dyn Tts>,
    language: Language,
}

/// Returns the voice with values read aloud in a language. Captions keep them as they are written.
pub fn reading_aloud(voice: Arc<dyn Tts>, language: Language) -> Arc<dyn Tts> {
    Arc::new(Aloud { voice, language })
}

impl Tts for Aloud {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        self.voice.synthesize(&aloud(text, self.language))
    }

    fn speaks(&self, language: Language) -> bool {
        self.voice.speaks(language)
    }

    fn vendor(&self) -> Option<Vendor> {
        self.voice.vendor()
    }

    fn characters(&self, text: &str) -> usize {
        self.voice.characters(&aloud(text, self.language))
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
        let voice = reading_aloud(notes.clone(), Language::German);
        let _ = voice.synthesize("Stimmt das: a_b@web.de?");
        let spoken = "Stimmt das: A Unterstrich B ät web Punkt D E?";
        assert_eq!(*notes.0.lock().unwrap(), [spoken]);
        assert_eq!(voice.characters("Stimmt das: a_b@web.de?"), spoken.chars().count());
    }
}
