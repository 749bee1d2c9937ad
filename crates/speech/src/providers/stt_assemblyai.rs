//! The recogniser AssemblyAI, by its Universal Streaming: one connection per candidate.
//!
//! It sends turns: all words of one again with each message, at last formatted. Our own voice detector says
//! when a segment has ended, and a `ForceEndpoint` ends the turn there, so its ends say nothing of ours. It
//! does not say how far it has heard, and need not answer where there were no words.
//!
//! After <https://www.assemblyai.com/docs/streaming/message-sequence>, its list of close codes and
//! AssemblyAI's own client (github.com/AssemblyAI/assemblyai-python-sdk, commit 02dee09:
//! `assemblyai/streaming/v3/models.py`, `_base.py`).

mod wire;

use std::{path::PathBuf, sync::Arc, time::Duration};

use super::{
    ProviderError, Stt, SttOut, SttStream,
    http::{Access, Header, Names, Site},
    kind::{Kind, Offer, Place as Where, Provider},
    stt_line::{Dialect, Keyterms, Place, Reader},
    stt_stream::StreamThread,
};
use crate::settings::{Secret, Section, rules, settings};
use interview::blueprint::Language;
use wire::AssemblyReader;

/// The fewest samples of a message: with less than 50 ms the server closes the connection (3007).
const CHUNK_SAMPLES: usize = 800;

settings! {
    /// A recogniser behind AssemblyAI's streaming.
    pub struct Settings {
        /// Where it is; `/v3/ws` is added to its path, its query is kept and goes before ours.
        base_url: url::Url = "wss://streaming.assemblyai.com", rules::WEBSOCKET_URL;
        /// The model's name, as AssemblyAI knows it; `universal-streaming-multilingual` knows six languages.
        model: String = "universal-streaming-english", rules::name("the name of a model");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "ASSEMBLYAI_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// From the end of speech to its words; then those that are known count.
        final_limit: Duration = "1500ms", rules::DURATION;
    }
}

/// The kind of providers that use AssemblyAI.
pub const KIND: Kind = Kind {
    name: "assemblyai",
    doc: "AssemblyAI hears, streaming.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Where::server(&name, &settings, check);
        let stt =
            Offer::<dyn Stt>::new(place, move |_| Ok(Arc::new(AssemblyAi::new(&name, &open)?)));
        Provider { stt: Some(stt), ..Provider::new(settings) }
    },
};

/// Checks the server by opening a connection.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let took = AssemblyAi::new(&name, &settings)?.check().await?;
    Ok(format!(
        "`{}` at {} answers after {} ms",
        settings.model,
        settings.base_url.origin().ascii_serialization(),
        took.as_millis()
    ))
}

/// The recogniser.
pub struct AssemblyAi {
    place: Place,
    model: String,
    thread: StreamThread,
}

impl AssemblyAi {
    /// Returns the recogniser of a provider. Reads the key and the certificate and starts the thread; makes
    /// no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let site = Arc::new(Site::new(&Access {
            names: Names::new(&KIND, name, "recogniser", "", &["model"]),
            base_url: &config.base_url,
            path: "/v3/ws",
            query: &[
                ("speech_model", config.model.as_str()),
                ("sample_rate", "16000"),
                ("encoding", "pcm_s16le"),
                ("format_turns", "true"),
            ],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Named("authorization"),
            ca_file: config.ca_file.as_deref(),
        })?);
        let thread = StreamThread::start("assemblyai")?;
        let dialect = Arc::new(Spoken { final_limit: config.final_limit });
        let place = Place { site, dialect };
        Ok(Self { place, model: config.model.to_lowercase(), thread })
    }

    /// Checks the server by opening a connection.
    pub async fn check(&self) -> Result<Duration, ProviderError> {
        self.place.check().await
    }
}

impl Stt for AssemblyAi {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        self.open_for(&[], out)
    }

    fn open_for(
        &self,
        keyterms: &[String],
        out: SttOut,
    ) -> Result<Box<dyn SttStream>, ProviderError> {
        self.place.open(&self.thread, keyterms, out)
    }

    fn hears(&self, language: Language) -> bool {
        // All other models know English, German and Italian.
        !self.model.contains("english") || language == Language::English
    }
}

/// How AssemblyAI is spoken to.
struct Spoken {
    final_limit: Duration,
}

impl Dialect for Spoken {
    fn vendor(&self) -> &'static str {
        "AssemblyAI"
    }

    fn final_limit(&self) -> Duration {
        self.final_limit
    }

    fn terms(&self, keyterms: &Keyterms) -> Vec<String> {
        let mut terms = keyterms.replaceable();
        terms.retain(|term| term.chars().count() <= wire::TERM_CHARS_MAX);
        terms
    }

    fn query(&self, terms: &[String]) -> Vec<(&'static str, String)> {
        if terms.is_empty() {
            return Vec::new();
        }
        vec![("keyterms_prompt", serde_json::json!(terms).to_string())]
    }

    fn hello(&self, _terms: &[String]) -> Option<String> {
        None
    }

    fn replaced(&self, terms: &[String]) -> Option<String> {
        Some(wire::configuration(terms))
    }

    fn finalize(&self) -> Option<&'static str> {
        Some(r#"{"type":"ForceEndpoint"}"#)
    }

    fn keep_alive(&self) -> Option<&'static str> {
        Some(r#"{"type":"KeepAlive"}"#)
    }

    fn farewell(&self) -> &'static str {
        r#"{"type":"Terminate"}"#
    }

    fn chunk_samples(&self) -> usize {
        CHUNK_SAMPLES
    }

    fn answers_noise(&self) -> bool {
        false
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(AssemblyReader::default())
    }
}
