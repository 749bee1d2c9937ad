//! The recogniser Deepgram, by live streaming: one connection per candidate, opened at the beginning and
//! again after each failure.
//!
//! The connections of all candidates are on one thread with a runtime of its own, so that a session on
//! virtual time can wait for them without a runtime. After a cut the last sound is sent again, and its words
//! are reported once.

mod ear;
mod keyterms;
mod line;
mod past;
mod segment;
mod wire;

use std::{
    panic::AssertUnwindSafe,
    path::PathBuf,
    sync::{Arc, mpsc::sync_channel},
    thread,
    time::Duration,
};

use futures_util::{FutureExt, StreamExt, stream::FuturesUnordered};
use tokio::sync::mpsc;
use tracing::error;

use super::{
    ProviderError, Retry, Stt, SttOut, SttStream,
    backlog::{Backlog, COMMANDS_MAX},
    http::{Access, Header, Names, Site, permanent_error},
    kind::{Kind, Offer, Place as Where, Provider},
};
use crate::{
    clock::Clock,
    settings::{Secret, Section, rules, settings},
};
use audio::Pcm16;
use interview::{blueprint::Language, time::SessionTime};
use keyterms::{Keyterms, Parameter};
use line::{Candidate, Command, Place};

/// The most candidates that may wait for the thread at the same moment.
const CANDIDATES_MAX: usize = 64;
/// The longest wait for the transcripts of all sound so far.
const SETTLE_LIMIT: Duration = Duration::from_secs(10);
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
    model: Model,
    /// What candidates speak, in small letters, as Deepgram names it.
    language: String,
    candidates: mpsc::Sender<Candidate>,
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
        let (candidates, coming) = mpsc::channel(CANDIDATES_MAX);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let started = runtime.and_then(|runtime| {
            let listen = move || runtime.block_on(listen(coming));
            thread::Builder::new().name("deepgram".to_owned()).spawn(listen)
        });
        started.map_err(|error| {
            permanent_error(format!("no thread for the recogniser could be started: {error}"))
        })?;
        let place = Place { site, parameter: Parameter::of(&config.model) };
        let language = config.language.to_lowercase();
        Ok(Self { place, model, language, candidates })
    }

    /// Checks the server by opening a connection.
    pub async fn check(&self) -> Result<Duration, ProviderError> {
        let clock = Clock::start();
        line::try_stream(&self.place).await?;
        Ok(clock.now().since(SessionTime::ZERO))
    }
}

/// Runs the connections of all candidates.
async fn listen(mut coming: mpsc::Receiver<Candidate>) {
    let mut lines = FuturesUnordered::new();
    loop {
        tokio::select! {
            candidate = coming.recv() => match candidate {
                Some(candidate) => lines.push(AssertUnwindSafe(candidate.run()).catch_unwind()),
                None => break,
            },
            Some(ended) = lines.next(), if !lines.is_empty() => log_panic(ended),
        }
    }
    while let Some(ended) = lines.next().await {
        log_panic(ended);
    }
}

/// Logs the panic of one candidate's connection, which leaves the others alone.
fn log_panic(ended: thread::Result<()>) {
    if ended.is_err() {
        error!("a recogniser's connection panicked");
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
        let (commands, inbox) = mpsc::channel(COMMANDS_MAX);
        let (place, model, backlog) = (self.place.clone(), self.model, Backlog::default());
        let keyterms = Keyterms { all: keyterms.to_vec(), now: Vec::new() };
        let waiting = backlog.waiting();
        let candidate = Candidate { place, model, keyterms, commands: inbox, waiting, out };
        self.candidates.try_send(candidate).map_err(|_| ProviderError {
            what: format!("more than {CANDIDATES_MAX} candidates wait for the recogniser"),
            retry: Retry::After(Duration::from_secs(1)),
        })?;
        Ok(Box::new(Stream { commands, backlog, is_lost: false }))
    }

    fn hears(&self, language: Language) -> bool {
        self.language == "multi" || self.language.starts_with(language.code())
    }
}

/// The candidate's end of a connection.
struct Stream {
    commands: mpsc::Sender<Command>,
    backlog: Backlog,
    is_lost: bool,
}

impl Stream {
    fn send(&mut self, command: Command) {
        // Sound is bounded by the backlog, everything else by the speech in it: only a dead connection
        // refuses.
        if self.commands.try_send(command).is_err() && !self.is_lost {
            error!("recogniser lost");
            self.is_lost = true;
        }
    }
}

impl SttStream for Stream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        if self.backlog.admits() {
            self.send(Command::Push { at, sound: sound.clone() });
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.send(Command::Started { at });
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        self.send(Command::Stopped { at });
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        self.send(Command::Keyterms(keyterms.to_vec()));
    }

    fn settle(&mut self) {
        let (done, wait) = sync_channel(1);
        self.send(Command::Settle(done));
        // An error means that the connection's thread is gone or too slow: there is nothing more to wait
        // for.
        let _ = wait.recv_timeout(SETTLE_LIMIT);
    }
}
