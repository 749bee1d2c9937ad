//! The voice Aura of Deepgram, by one call over HTTP for each segment.
//!
//! By HTTP, not by its WebSocket: a segment is a whole sentence already, HTTP streams its sound as it is made
//! on a connection that stays open, and the WebSocket takes only 20 flushes a minute, where an interviewer
//! has more sentences than that.
//!
//! After <https://developers.deepgram.com/docs/streaming-text-to-speech>,
//! <https://developers.deepgram.com/docs/tts-ws-flush> (the limit of flushes) and Deepgram's own client
//! (github.com/deepgram/deepgram-python-sdk 7.6.0: `speak/v1/audio/raw_client.py`, `types/speak_v1model.py`).

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
use interview::blueprint::Language;

settings! {
    /// A voice of Deepgram's.
    pub struct Settings {
        /// Where it is; `/v1/speak` is added to its path, its query is kept and goes before ours.
        base_url: url::Url = "https://api.deepgram.com", rules::HTTP_URL;
        /// The voice's name, as Deepgram knows it; its last two letters are its language.
        model: String = "aura-2-thalia-en", rules::name("the name of a voice such as aura-2-thalia-en");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "DEEPGRAM_API_KEY";
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

/// The kind of providers that use Deepgram's voices.
pub const KIND: Kind = Kind {
    name: "deepgram-speech",
    doc: "Deepgram's Aura speaks.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Place::server(&name, &settings, check);
        let tts =
            Offer::<dyn Tts>::new(place, move |_| Ok(Arc::new(DeepgramTts::new(&name, &open)?)));
        Provider { tts: Some(tts), ..Provider::new(settings) }
    },
};

/// Checks the server by speaking a real sentence.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let began = DeepgramTts::new(&name, &settings)?.voice.check().await?;
    Ok(works(&settings.model, "Aura", &settings.base_url, began))
}

/// A voice of Deepgram's. All interviews share the connections and the cached sound.
#[derive(Clone)]
pub struct DeepgramTts {
    voice: WireVoice,
    model: String,
}

impl DeepgramTts {
    /// Returns the voice of a provider. Reads the key and the certificate; makes no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let names = Names::new(&KIND, name, "voice", "", &["model"]);
        let suspects = names.suspects.clone();
        let site = Arc::new(Site::new(&Access {
            names,
            base_url: &config.base_url,
            path: "/v1/speak",
            query: &[
                ("model", config.model.as_str()),
                ("encoding", "linear16"),
                ("sample_rate", "24000"),
                ("container", "none"),
            ],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Token,
            ca_file: config.ca_file.as_deref(),
        })?);
        let limits = Limits {
            first_byte: config.first_byte_limit,
            stall: config.stall_limit,
            segment: config.segment_limit,
        };
        let body = Box::new(|text: &str| json!({ "text": text }).to_string());
        let protocol = HttpVoice { site: site.clone(), suspects, content: Content::Json, body };
        let voice = WireVoice::new(site, protocol, &config.model, limits);
        Ok(Self { voice, model: config.model.to_lowercase() })
    }
}

impl Tts for DeepgramTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        self.voice.synthesize(text)
    }

    fn vendor(&self) -> Option<Vendor> {
        Some(self.voice.vendor())
    }

    fn characters(&self, text: &str) -> usize {
        self.voice.characters(text)
    }

    fn speaks(&self, language: Language) -> bool {
        // Names end in the language, as in aura-2-thalia-en; what has another end is a voice of one's own.
        match self.model.rsplit_once('-') {
            Some((_, code)) if code.len() == 2 => code == language.code(),
            Some(_) | None => true,
        }
    }
}
