//! A voice that is given words alone: what is written in digits and signs is read out by [`spoken`] before.

use std::sync::Arc;

use futures_util::stream::BoxStream;

use super::{ProviderError, Tts, usage::Vendor};
use crate::spoken::spoken;
use audio::Pcm48;
use interview::blueprint::Language;

/// A voice, for texts of one language.
pub(super) struct InWords {
    tts: Arc<dyn Tts>,
    language: Language,
}

impl InWords {
    pub(super) fn new(tts: Arc<dyn Tts>, language: Language) -> Self {
        Self { tts, language }
    }
}

impl Tts for InWords {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        self.tts.synthesize(&spoken(text, self.language))
    }

    fn speaks(&self, language: Language) -> bool {
        self.tts.speaks(language)
    }

    fn vendor(&self) -> Option<Vendor> {
        self.tts.vendor()
    }

    fn characters(&self, text: &str) -> usize {
        self.tts.characters(&spoken(text, self.language))
    }
}
