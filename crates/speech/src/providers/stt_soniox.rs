//! The recogniser Soniox, by its real-time WebSocket: one connection per candidate, in 60 languages.
//!
//! Soniox sends tokens, which are parts of words; final ones once, others again with each message. Our voice
//! detector says when a segment has ended, and a `finalize` asks for its tokens. Its own detection of ends is
//! off. The key goes with the handshake: a key in the first message is refused from January 2027 on.
//!
//! After <https://soniox.com/docs/api-reference/stt/websocket-api>,
//! <https://soniox.com/docs/stt/rt/manual-finalization>, <https://soniox.com/docs/stt/rt/error-handling> and
//! Soniox' own client (github.com/soniox/soniox-python: `src/soniox/realtime/stt.py`, `types/realtime.py`).

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
use wire::SonioxReader;

settings! {
    /// A recogniser behind Soniox' real-time interface.
    pub struct Settings {
        /// Where it is; `/transcribe-websocket` is added to its path, its query is kept.
        base_url: url::Url = "wss://stt-rt.soniox.com", rules::WEBSOCKET_URL;
        /// The model's name, as Soniox knows it.
        model: String = "stt-rt-v5", rules::name("the name of a model");
        /// What the candidate speaks, with commas if it is more than one; `multi` for any language.
        language: String = "en", rules::name("a language such as en");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "SONIOX_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// From the end of speech to its words; then those that are known count.
        final_limit: Duration = "1500ms", rules::DURATION;
    }
}

/// The kind of providers that use Soniox.
pub const KIND: Kind = Kind {
    name: "soniox",
    doc: "Soniox hears, streaming.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Where::server(&name, &settings, check);
        let stt = Offer::<dyn Stt>::new(place, move |_| Ok(Arc::new(Soniox::new(&name, &open)?)));
        Provider { stt: Some(stt), ..Provider::new(settings) }
    },
};

/// Checks the server by opening a connection.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let took = Soniox::new(&name, &settings)?.check().await?;
    Ok(format!(
        "`{}` at {} answers after {} ms",
        settings.model,
        settings.base_url.origin().ascii_serialization(),
        took.as_millis()
    ))
}

/// The recogniser.
pub struct Soniox {
    place: Place,
    /// What candidates speak, in small letters; empty for any language.
    languages: Vec<String>,
    thread: StreamThread,
}

impl Soniox {
    /// Returns the recogniser of a provider. Reads the key and the certificate and starts the thread; makes
    /// no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let site = Arc::new(Site::new(&Access {
            names: Names::new(&KIND, name, "recogniser", "", &["model", "language"]),
            base_url: &config.base_url,
            path: "/transcribe-websocket",
            query: &[],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Bearer,
            ca_file: config.ca_file.as_deref(),
        })?);
        let thread = StreamThread::start("soniox")?;
        let languages = languages(&config.language);
        let dialect = Spoken {
            model: config.model.clone(),
            languages: languages.clone(),
            final_limit: config.final_limit,
        };
        Ok(Self { place: Place { site, dialect: Arc::new(dialect) }, languages, thread })
    }

    /// Checks the server by opening a connection.
    pub async fn check(&self) -> Result<Duration, ProviderError> {
        self.place.check().await
    }
}

impl Stt for Soniox {
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
        let mut all = self.languages.iter();
        self.languages.is_empty() || all.any(|one| one.starts_with(language.code()))
    }
}

/// Returns the languages that are hinted at; none for any.
fn languages(setting: &str) -> Vec<String> {
    let all = setting.split(',').map(|one| one.trim().to_lowercase());
    let all: Vec<String> = all.filter(|one| !one.is_empty()).collect();
    if all.iter().any(|one| one == "multi") { Vec::new() } else { all }
}

/// How Soniox is spoken to.
struct Spoken {
    model: String,
    languages: Vec<String>,
    final_limit: Duration,
}

impl Dialect for Spoken {
    fn vendor(&self) -> &'static str {
        "Soniox"
    }

    fn final_limit(&self) -> Duration {
        self.final_limit
    }

    fn terms(&self, keyterms: &Keyterms) -> Vec<String> {
        // They cannot be replaced on a connection, so it gets all of them.
        keyterms.fixed()
    }

    fn query(&self, _terms: &[String]) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn hello(&self, terms: &[String]) -> Option<String> {
        Some(wire::hello(&self.model, &self.languages, terms))
    }

    fn replaced(&self, _terms: &[String]) -> Option<String> {
        None
    }

    fn finalize(&self) -> Option<&'static str> {
        Some(r#"{"type":"finalize"}"#)
    }

    fn keep_alive(&self) -> Option<&'static str> {
        Some(r#"{"type":"keepalive"}"#)
    }

    fn farewell(&self) -> &'static str {
        // An empty message is the end of all sound.
        ""
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(SonioxReader::default())
    }
}
