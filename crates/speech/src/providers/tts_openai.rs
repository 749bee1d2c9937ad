//! A voice behind a server that speaks OpenAI's `/v1/audio/speech`: OpenAI itself, Kokoro, speaches, Piper
//! and others.

use std::{path::PathBuf, sync::Arc, time::Duration};

use futures_util::stream::BoxStream;
use serde_json::json;

use super::{
    ProviderError, Tts,
    http::{Access, Header, Names, Site},
    kind::{Kind, Offer, Place, Provider},
    tts_http::{Content, HttpVoice},
    tts_wire::{Limits, WireVoice, works},
    usage::Vendor,
};
use crate::settings::{Secret, Section, rules, settings};
use audio::Pcm48;

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
        /// All the time that the server is waited for, for one segment.
        segment_limit: Duration = "60s", rules::DURATION;
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
    let began = OpenAiTts::new(&name, &settings)?.0.check().await?;
    Ok(works(&settings.voice, &settings.model, &settings.base_url, began))
}

/// A voice of a server. All interviews share the connections and the cached sound.
#[derive(Clone)]
pub struct OpenAiTts(WireVoice);

impl OpenAiTts {
    /// Returns the voice of a provider. Reads the key and the certificate; makes no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let hint = ", which mostly ends in /v1,";
        let names = Names::new(&KIND, name, "voice", hint, &["model", "voice"]);
        let suspects = names.suspects.clone();
        let site = Arc::new(Site::new(&Access {
            names,
            base_url: &config.base_url,
            path: "/audio/speech",
            query: &[],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Bearer,
            ca_file: config.ca_file.as_deref(),
        })?);
        let fixed =
            json!({ "model": config.model, "voice": config.voice, "response_format": "pcm" });
        let body = Box::new(move |text: &str| {
            let mut body = fixed.clone();
            body["input"] = text.into();
            body.to_string()
        });
        let limits = Limits {
            first_byte: config.first_byte_limit,
            stall: config.stall_limit,
            segment: config.segment_limit,
        };
        let protocol = HttpVoice { site: site.clone(), suspects, content: Content::Json, body };
        Ok(Self(WireVoice::new(site, protocol, &config.voice, limits)))
    }
}

impl Tts for OpenAiTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        self.0.synthesize(text)
    }

    fn vendor(&self) -> Option<Vendor> {
        Some(self.0.vendor())
    }

    fn characters(&self, text: &str) -> usize {
        self.0.characters(text)
    }
}
