//! What a recogniser and a voice know of the languages that interviews are held in.

use interview::blueprint::Language;

use super::{
    ProviderError, Stt, Tts,
    kinds::Providers,
    registry::Registry,
    speech::{Chain, Speech},
};

/// The languages of interviews that a recogniser and a voice know, each list in the order of
/// [`Language::ALL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLanguages {
    /// Those that the recogniser understands.
    pub heard: Vec<Language>,
    /// Those that the voice can be understood in.
    pub spoken: Vec<Language>,
}

/// What an interview in a language lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// The recogniser does not understand it.
    Recogniser,
    /// The voice cannot be understood in it.
    Voice,
    /// Both.
    Both,
}

impl KnownLanguages {
    /// What these two know.
    pub fn of(stt: &dyn Stt, tts: &dyn Tts) -> Self {
        let all = || Language::ALL.into_iter().map(|(_, language)| language);
        Self {
            heard: all().filter(|language| stt.hears(*language)).collect(),
            spoken: all().filter(|language| tts.speaks(*language)).collect(),
        }
    }

    /// What is known by the recogniser and the voice that the settings choose, or those of `stt` and `tts`.
    /// Both are opened for it, which takes up to a second, and closed again.
    pub fn chosen(
        speech: &Speech,
        providers: &Providers,
        stt: Option<&Chain>,
        tts: Option<&Chain>,
    ) -> Result<Self, ProviderError> {
        let stt = Registry::recogniser(speech, providers, stt)?;
        let tts = Registry::voice(speech, providers, tts)?;
        Ok(Self::of(&*stt, &*tts))
    }

    /// What an interview in a language lacks; nothing if it can be spoken and heard.
    pub fn lacking(&self, language: Language) -> Option<Lacking> {
        match (self.heard.contains(&language), self.spoken.contains(&language)) {
            (true, true) => None,
            (false, true) => Some(Lacking::Recogniser),
            (true, false) => Some(Lacking::Voice),
            (false, false) => Some(Lacking::Both),
        }
    }
}
