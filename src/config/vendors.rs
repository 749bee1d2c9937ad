//! The vendors of speech.

use std::{path::PathBuf, time::Duration};

use super::{DURATION, HTTP_URL, Secret, duration, file, http_url, layers::Layers, non_empty};

/// A recogniser behind Deepgram's live streaming.
#[derive(Clone, Debug)]
pub struct Deepgram {
    /// Where; `/v1/listen` is added to its path, its query is kept and goes before ours.
    pub base_url: url::Url,
    /// The model's name, as the server knows it.
    pub model: String,
    /// What the candidate speaks.
    pub language: String,
    /// Empty if none is set.
    pub api_key: Secret,
    /// A file that holds the key instead.
    pub api_key_file: Option<PathBuf>,
    /// A certificate in PEM to be trusted beside those of the system.
    pub ca_file: Option<PathBuf>,
}

/// A voice behind a server that speaks OpenAI's speech.
#[derive(Clone, Debug)]
pub struct OpenAiSpeech {
    /// Where; `/audio/speech` is added to its path, its query is kept.
    pub base_url: url::Url,
    /// The model's name, as the server knows it.
    pub model: String,
    /// The voice's name, as the model knows it.
    pub voice: String,
    /// Empty if none is set.
    pub api_key: Secret,
    /// A file that holds the key instead.
    pub api_key_file: Option<PathBuf>,
    /// A certificate in PEM to be trusted beside those of the system.
    pub ca_file: Option<PathBuf>,
    /// From a segment's request to its first sound, with one retry.
    pub first_byte_limit: Duration,
    /// Between two pieces of its sound.
    pub stall_limit: Duration,
}

impl Deepgram {
    pub(super) fn from_layers(layers: &mut Layers) -> Self {
        const URL: &str = "an address that begins with ws:// or wss://";
        let url = |text: &str| {
            let url = url::Url::parse(text).ok()?;
            (matches!(url.scheme(), "ws" | "wss") && url.has_host()).then_some(url)
        };
        Self {
            base_url: layers.read("deepgram.base_url", URL, url),
            model: layers.read("deepgram.model", "the name of a model", non_empty),
            language: layers.read("deepgram.language", "a language such as en", non_empty),
            api_key: layers.read("deepgram.api_key", "a text", |text| Some(Secret::new(text))),
            api_key_file: layers.read("deepgram.api_key_file", "a file", file),
            ca_file: layers.read("deepgram.ca_file", "a file", file),
        }
    }
}

impl OpenAiSpeech {
    pub(super) fn from_layers(layers: &mut Layers) -> Self {
        Self {
            base_url: layers.read("openai_speech.base_url", HTTP_URL, http_url),
            model: layers.read("openai_speech.model", "the name of a model", non_empty),
            voice: layers.read("openai_speech.voice", "the name of a voice", non_empty),
            api_key: layers.read("openai_speech.api_key", "a text", |text| Some(Secret::new(text))),
            api_key_file: layers.read("openai_speech.api_key_file", "a file", file),
            ca_file: layers.read("openai_speech.ca_file", "a file", file),
            first_byte_limit: layers.read("openai_speech.first_byte_limit", DURATION, duration),
            stall_limit: layers.read("openai_speech.stall_limit", DURATION, duration),
        }
    }
}
