//! What a kind of provider is, and what a provider of it can be opened as.

use std::{any::Any, fmt, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};

use super::{ProviderError, Stt, Tts, TurnDetector, Vad, interviewer::Interviewer, models::Models};
use crate::settings::{Field, Reader};

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
