//! The kinds of providers there are, and what each can be opened as.
//!
//! A vendor is a file with its settings, its constructor and a [`Kind`], and that kind's line in [`KINDS`].
//! `vad_webrtc.rs` is a short one, `stt_deepgram.rs` one with a server. With `VIVAVOCE_BLESS=1 cargo test
//! --test all all_settings_are_printed` its settings come into `config/default.toml`.

use std::{any::Any, collections::BTreeMap, fmt, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};

use super::{
    ProviderError, Stt, Tts, TurnDetector, Vad, interviewer::Interviewer, llm_openai,
    models::Models, scripted, stt_deepgram, stt_moonshine, stt_pocketsphinx, tts_flite, tts_hibari,
    tts_openai, turn_smart, vad_earshot, vad_silero, vad_webrtc,
};
use crate::settings::{Field, Reader};

/// All kinds. Each is also the name of a provider of its kind, as it is by default.
pub const KINDS: &[&Kind] = &[
    &vad_earshot::KIND,
    &vad_webrtc::KIND,
    &vad_silero::KIND,
    &turn_smart::KIND,
    &stt_moonshine::KIND,
    &stt_pocketsphinx::KIND,
    &stt_deepgram::KIND,
    &llm_openai::KIND,
    &tts_hibari::KIND,
    &tts_flite::KIND,
    &tts_openai::KIND,
    &scripted::KIND,
];

/// A kind of provider.
pub struct Kind {
    /// What `kind = "…"` says.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// The settings of each provider of this kind.
    pub fields: &'static [Field],
    /// Reads the settings of the provider of that name. Opens nothing.
    pub read: fn(&str, &mut Reader<'_>) -> Provider,
}

/// What a provider can do in an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It tells voice from everything else.
    Vad,
    /// It hears whether somebody has finished.
    TurnDetector,
    /// It makes text of speech.
    Stt,
    /// It words replies and judges answers.
    Llm,
    /// It makes speech of text.
    Tts,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Vad, Self::TurnDetector, Self::Stt, Self::Llm, Self::Tts];

    /// The setting of the section `speech` that chooses a provider for it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Vad => "vad",
            Self::TurnDetector => "turn_detector",
            Self::Stt => "stt",
            Self::Llm => "llm",
            Self::Tts => "tts",
        }
    }

    /// What takes it.
    pub fn what(self) -> &'static str {
        match self {
            Self::Vad => "detector of voice",
            Self::TurnDetector => "turn detector",
            Self::Stt => "recogniser",
            Self::Llm => "model",
            Self::Tts => "voice",
        }
    }
}

/// A provider as its settings say. Nothing of it is open yet.
#[derive(Clone)]
pub struct Provider {
    /// What it was read from.
    pub settings: Arc<dyn Settings>,
    /// As a detector of voice; one is made for each candidate.
    pub vad: Option<Offer<NewVad>>,
    /// As a turn detector.
    pub turn_detector: Option<Offer<dyn TurnDetector>>,
    /// As a recogniser.
    pub stt: Option<Offer<dyn Stt>>,
    /// As an interviewer; one is made for each interview.
    pub llm: Option<Offer<NewInterviewer>>,
    /// As a voice.
    pub tts: Option<Offer<dyn Tts>>,
    /// What must be installed before it can be opened.
    pub needs: Vec<Need>,
    /// Whether something of it was chosen by name: then no other takes its place unseen.
    pub insists: bool,
}

/// The settings of a kind of provider.
pub trait Settings: Any + fmt::Debug + Send + Sync {}

impl<S: Any + fmt::Debug + Send + Sync> Settings for S {}

/// Makes a detector for one candidate.
pub type NewVad = dyn Fn() -> Box<dyn Vad> + Send + Sync;
/// Makes the interviewer of one interview, which counts what that uses.
pub type NewInterviewer = dyn Fn() -> Arc<dyn Interviewer> + Send + Sync;

/// What must be installed before a provider can be opened.
#[derive(Clone)]
pub enum Need {
    /// Files of the list `config/models.toml`.
    Models {
        /// What they are together.
        title: &'static str,
        /// Their paths in the list.
        paths: Vec<&'static str>,
    },
    /// A package of the system.
    Package {
        /// What it is.
        title: &'static str,
        /// How it is installed.
        fetch: &'static str,
        /// Whether it is there; a sentence if not.
        check: fn() -> Result<(), ProviderError>,
    },
}

/// One role that a provider can take.
pub struct Offer<T: ?Sized> {
    open: Arc<Open<T>>,
    /// Where it works.
    pub place: Place,
}

type Open<T> = dyn Fn(&Resources<'_>) -> Result<Arc<T>, ProviderError> + Send + Sync;

/// What a process has for its providers.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// The folder of models.
    pub models: &'a Models,
    /// Interviews at a time.
    pub interviews: usize,
}

/// Where a provider works.
#[derive(Clone)]
pub enum Place {
    /// In this process.
    Embedded,
    /// In this process, and it only does as if.
    Scripted,
    /// On a server, which can be called for real: what it said, in half a sentence.
    Server(Arc<Check>),
}

/// Calls a server.
pub type Check = dyn Fn() -> BoxFuture<'static, Result<String, ProviderError>> + Send + Sync;

impl Place {
    /// A server that the provider of this name calls with its settings.
    pub(super) fn server<S: Send + Sync + 'static, F>(
        name: &str,
        settings: &Arc<S>,
        call: fn(String, Arc<S>) -> F,
    ) -> Self
    where
        F: Future<Output = Result<String, ProviderError>> + Send + 'static,
    {
        let (name, settings) = (name.to_owned(), settings.clone());
        Self::Server(Arc::new(move || call(name.clone(), settings.clone()).boxed()))
    }
}

impl Provider {
    /// One with these settings, which can do nothing yet.
    pub fn new(settings: Arc<dyn Settings>) -> Self {
        Self {
            settings,
            vad: None,
            turn_detector: None,
            stt: None,
            llm: None,
            tts: None,
            needs: Vec::new(),
            insists: false,
        }
    }

    /// The settings that it was read from, if they are of this type.
    pub fn settings<S: 'static>(&self) -> Option<&S> {
        let settings: &dyn Any = &*self.settings;
        settings.downcast_ref()
    }

    /// Whether it can take a role; where it works then.
    pub fn place(&self, role: Role) -> Option<&Place> {
        match role {
            Role::Vad => self.vad.as_ref().map(|offer| &offer.place),
            Role::TurnDetector => self.turn_detector.as_ref().map(|offer| &offer.place),
            Role::Stt => self.stt.as_ref().map(|offer| &offer.place),
            Role::Llm => self.llm.as_ref().map(|offer| &offer.place),
            Role::Tts => self.tts.as_ref().map(|offer| &offer.place),
        }
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl<T: ?Sized> Offer<T> {
    /// An offer that is opened so.
    pub fn new(
        place: Place,
        open: impl Fn(&Resources<'_>) -> Result<Arc<T>, ProviderError> + Send + Sync + 'static,
    ) -> Self {
        Self { open: Arc::new(open), place }
    }

    /// Opens it. Takes up to a second; what is missing is one sentence with what to do.
    pub fn open(&self, resources: &Resources<'_>) -> Result<Arc<T>, ProviderError> {
        (self.open)(resources)
    }
}

impl<T: ?Sized> Clone for Offer<T> {
    fn clone(&self) -> Self {
        Self { open: self.open.clone(), place: self.place.clone() }
    }
}

/// All providers by name: those of `[providers.NAME]`, and one of each kind under the kind's own name.
#[derive(Clone, Debug)]
pub struct Providers(BTreeMap<String, Provider>);

impl Providers {
    /// Those of these names. Each kind's own is to be among them.
    pub fn new(named: BTreeMap<String, Provider>) -> Self {
        Self(named)
    }

    /// The same with another one of that name.
    pub fn with(mut self, name: &str, provider: Provider) -> Self {
        self.0.insert(name.to_owned(), provider);
        self
    }

    /// The provider of that name.
    pub fn get(&self, name: &str) -> Option<&Provider> {
        self.0.get(name)
    }

    /// The names of those that can take a role: those of the kinds first.
    pub fn names(&self, role: Role) -> Vec<&str> {
        let can = |name: &str| self.0.get(name).is_some_and(|one| one.place(role).is_some());
        let is_kind = |name: &str| KINDS.iter().any(|kind| kind.name == name);
        let kinds = KINDS.iter().map(|kind| kind.name);
        let others = self.0.keys().map(String::as_str).filter(|name| !is_kind(name));
        kinds.chain(others).filter(|name| can(name)).collect()
    }

    /// All of them with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Provider)> {
        self.0.iter().map(|(name, provider)| (name.as_str(), provider))
    }
}
