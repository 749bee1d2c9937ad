//! The recogniser Deepgram, by live streaming: one connection per candidate, opened at the beginning and
//! again after each failure.
//!
//! The connections of all candidates are on one thread. After a cut the last sound is sent again, and its
//! words are reported once.

mod keyterms;
mod wire;

use std::{path::PathBuf, sync::Arc, time::Duration};

use super::{
    ProviderError, Stt, SttOut, SttStream,
    http::{Access, Header, Names, Site},
    kind::{Kind, Offer, Place as Where, Provider},
    stt_line::{Dialect, Keyterms, Place, Reader, TURN_FINAL_LIMIT},
    stt_stream::StreamThread,
    usage::Vendor,
};
use crate::settings::{Secret, Section, rules, settings};
use interview::blueprint::Language;
use keyterms::Parameter;
use wire::{Control, DeepgramReader, configure};

/// The silence after which Deepgram sends a final by itself, in ms: sooner than our VAD knows that speech
/// has ended.
const ENDPOINTING_MS: &str = "100";

settings! {
    /// A recogniser behind Deepgram's live streaming.
    pub struct Settings {
        /// Where it is; `/v1/listen` is added to its path, its query is kept and goes before ours.
        base_url: url::Url = "wss://api.deepgram.com", rules::WEBSOCKET_URL;
        /// The model's name, as the server knows it; `flux-general-en` tells the ends of turns, too.
        model: String = "nova-3", rules::name("the name of a model");
        /// What the candidate speaks, as Deepgram names it; `multi` for several languages at a time.
        language: String = "en", rules::name("a language such as en");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "DEEPGRAM_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// From the end of speech to its words; then those that are known count. A flux model is waited for
        /// 300 ms at most.
        final_limit: Duration = "1500ms", rules::DURATION;
    }
}

/// The kind of providers that use Deepgram.
pub const KIND: Kind = Kind {
    name: "deepgram",
    doc: "Deepgram hears, streaming.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Where::server(&name, &settings, check);
        let stt = Offer::<dyn Stt>::new(place, move |_| Ok(Arc::new(Deepgram::new(&name, &open)?)));
        Provider { stt: Some(stt), ..Provider::new(settings) }
    },
};

/// Checks the server by opening a connection.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let took = Deepgram::new(&name, &settings)?.check().await?;
    Ok(format!(
        "`{}` at {} answers after {} ms",
        settings.model,
        settings.base_url.origin().ascii_serialization(),
        took.as_millis()
    ))
}

/// The way in which a model sends its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// Stretch by stretch; each is final when we ask for it (nova).
    Stretches,
    /// Turn by turn; the model itself detects their ends (flux).
    Turns,
}

/// The recogniser.
pub struct Deepgram {
    place: Place,
    /// What candidates speak, in small letters, as Deepgram names it.
    language: String,
    thread: StreamThread,
}

impl Deepgram {
    /// Returns the recogniser of a provider. Reads the key and the certificate and starts the thread; makes
    /// no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let model = if config.model.starts_with("flux") { Model::Turns } else { Model::Stretches };
        let mut query = vec![
            ("model", config.model.as_str()),
            ("encoding", "linear16"),
            ("sample_rate", "16000"),
        ];
        // A hesitation holds the floor, so it must be transcribed; Deepgram knows those of English.
        let is_english = config.language.to_lowercase().starts_with("en");
        match model {
            Model::Stretches => query.extend([
                ("language", config.language.as_str()),
                ("channels", "1"),
                ("interim_results", "true"),
                ("punctuate", "true"),
                ("endpointing", ENDPOINTING_MS),
                ("filler_words", if is_english { "true" } else { "false" }),
            ]),
            // The language is that of the model, or one of its many.
            Model::Turns if config.model.contains("multi") && config.language != "multi" => {
                query.push(("language_hint", &config.language));
            }
            Model::Turns => {}
        }
        let site = Arc::new(Site::new(&Access {
            names: Names::new(&KIND, name, "recogniser", "", &["model", "language"]),
            base_url: &config.base_url,
            path: match model {
                Model::Stretches => "/v1/listen",
                Model::Turns => "/v2/listen",
            },
            query: &query,
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Token,
            ca_file: config.ca_file.as_deref(),
        })?);
        let thread = StreamThread::start("deepgram")?;
        let final_limit = match model {
            Model::Stretches => config.final_limit,
            Model::Turns => config.final_limit.min(TURN_FINAL_LIMIT),
        };
        let parameter = Parameter::of(&config.model);
        let dialect = Spoken { model, parameter, final_limit };
        let place = Place { site, dialect: Arc::new(dialect) };
        let language = config.language.to_lowercase();
        Ok(Self { place, language, thread })
    }

    /// Checks the server by opening a connection.
    pub async fn check(&self) -> Result<Duration, ProviderError> {
        self.place.check().await
    }
}

impl Stt for Deepgram {
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

    fn vendor(&self) -> Option<Vendor> {
        Some(self.place.site.vendor())
    }

    fn hears(&self, language: Language) -> bool {
        self.language == "multi" || self.language.starts_with(language.code())
    }
}

/// How Deepgram is spoken to.
struct Spoken {
    model: Model,
    parameter: Parameter,
    final_limit: Duration,
}

impl Dialect for Spoken {
    fn vendor(&self) -> &'static str {
        "Deepgram"
    }

    fn final_limit(&self) -> Duration {
        self.final_limit
    }

    fn terms(&self, keyterms: &Keyterms) -> Vec<String> {
        match self.model {
            // The keyterms cannot be replaced on this connection, so it gets all of them.
            Model::Stretches => keyterms.fixed(),
            Model::Turns => keyterms.replaceable(),
        }
    }

    fn query(&self, terms: &[String]) -> Vec<(&'static str, String)> {
        let query = keyterms::query(self.parameter, terms);
        query.into_iter().map(|(key, term)| (key, term.to_owned())).collect()
    }

    fn hello(&self, _terms: &[String]) -> Option<String> {
        None
    }

    fn replaced(&self, terms: &[String]) -> Option<String> {
        match self.model {
            Model::Stretches => None,
            Model::Turns => Some(configure(terms)),
        }
    }

    fn finalize(&self) -> Option<&'static str> {
        match self.model {
            Model::Stretches => Some(Control::Finalize.text()),
            // A model that detects turns sends finals by itself.
            Model::Turns => None,
        }
    }

    fn keep_alive(&self) -> Option<&'static str> {
        match self.model {
            Model::Stretches => Some(Control::KeepAlive.text()),
            Model::Turns => None,
        }
    }

    fn farewell(&self) -> &'static str {
        Control::CloseStream.text()
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(DeepgramReader)
    }
}
