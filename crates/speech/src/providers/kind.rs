//! Kinds of providers, and the roles that a provider can take.

use std::{any::Any, fmt, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};

use super::{ProviderError, Stt, Tts, TurnDetector, Vad, interviewer::Interviewer, models::Models};
use crate::settings::{Field, Reader};

/// A kind of provider.
pub struct Kind {
    /// The name in the setting `kind = "…"`.
    pub name: &'static str,
    /// The description of the kind, in one line.
    pub doc: &'static str,
    /// The settings of each provider of this kind.
    pub fields: &'static [Field],
    /// Reads the settings of the provider with a given name. Opens nothing.
    pub read: fn(&str, &mut Reader<'_>) -> Provider,
}

/// A role that a provider can take in an interview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A VAD, which tells voice from everything else.
    Vad,
    /// A turn detector, which hears whether a speaker has finished.
    TurnDetector,
    /// A recogniser, which turns speech into text.
    Stt,
    /// A model, which words replies and judges answers.
    Llm,
    /// A voice, which turns text into speech.
    Tts,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Vad, Self::TurnDetector, Self::Stt, Self::Llm, Self::Tts];

    /// Returns the setting of the section `speech` that chooses a provider for this role.
    pub fn key(self) -> &'static str {
        match self {
            Self::Vad => "vad",
            Self::TurnDetector => "turn_detector",
            Self::Stt => "stt",
            Self::Llm => "llm",
            Self::Tts => "tts",
        }
    }

    /// Returns the name of a provider in this role, for messages.
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

/// A provider as its settings describe it. No role of it is open yet.
#[derive(Clone)]
pub struct Provider {
    /// The settings of this provider.
    pub settings: Arc<dyn Settings>,
    /// The role of the VAD. A VAD is made for each candidate.
    pub vad: Option<Offer<NewVad>>,
    /// The role of the turn detector.
    pub turn_detector: Option<Offer<dyn TurnDetector>>,
    /// The role of the recogniser.
    pub stt: Option<Offer<dyn Stt>>,
    /// The role of the interviewer. An interviewer is made for each interview.
    pub llm: Option<Offer<NewInterviewer>>,
    /// The role of the voice.
    pub tts: Option<Offer<dyn Tts>>,
    /// The files and packages that must be installed before the provider can be opened.
    pub needs: Vec<Need>,
    /// Whether the operator chose a part of this provider by name. Then no other provider may silently
    /// replace it.
    pub is_chosen_by_name: bool,
}

/// The settings of a kind of provider.
pub trait Settings: Any + fmt::Debug + Send + Sync {}

impl<S: Any + fmt::Debug + Send + Sync> Settings for S {}

/// A function that makes a VAD for one candidate.
pub type NewVad = dyn Fn() -> Box<dyn Vad> + Send + Sync;
/// A function that makes the interviewer of one interview, which counts the tokens that it uses.
pub type NewInterviewer = dyn Fn() -> Arc<dyn Interviewer> + Send + Sync;

/// A file or package that must be installed before a provider can be opened.
#[derive(Clone)]
pub enum Need {
    /// Files of the list `config/models.toml`.
    Models {
        /// A name for all of the files together.
        title: &'static str,
        /// The paths of the files in the list.
        paths: Vec<&'static str>,
    },
    /// A package of the system.
    Package {
        /// The name of the package.
        title: &'static str,
        /// The command that installs it.
        fetch: &'static str,
        /// Checks whether it is installed; the error is one sentence.
        check: fn() -> Result<(), ProviderError>,
    },
}

/// The offer of a provider to take a role.
pub struct Offer<T: ?Sized> {
    open: Arc<Open<T>>,
    /// The place where the provider works.
    pub place: Place,
}

type Open<T> = dyn Fn(&Resources<'_>) -> Result<Arc<T>, ProviderError> + Send + Sync;

/// The resources of a process for its providers.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// The folder of models.
    pub models: &'a Models,
    /// The number of interviews at a time.
    pub interviews: usize,
}

/// The place where a provider works.
#[derive(Clone)]
pub enum Place {
    /// In this process.
    Embedded,
    /// In this process, as an imitation for tests and load.
    Scripted,
    /// On a server. The check calls it for real and returns its answer in half a sentence.
    Server(Arc<Check>),
}

/// The call that checks a server.
pub type Check = dyn Fn() -> BoxFuture<'static, Result<String, ProviderError>> + Send + Sync;

impl Place {
    /// Returns the place of a server that is checked by `call` with the provider's name and settings.
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
    /// Returns a provider with these settings and no role.
    pub fn new(settings: Arc<dyn Settings>) -> Self {
        Self {
            settings,
            vad: None,
            turn_detector: None,
            stt: None,
            llm: None,
            tts: None,
            needs: Vec::new(),
            is_chosen_by_name: false,
        }
    }

    /// Returns the settings, if they are of this type.
    pub fn settings<S: 'static>(&self) -> Option<&S> {
        let settings: &dyn Any = &*self.settings;
        settings.downcast_ref()
    }

    /// Returns the place where the provider works in a role; `None` if it cannot take the role.
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
    /// Returns an offer that `open` opens.
    pub fn new(
        place: Place,
        open: impl Fn(&Resources<'_>) -> Result<Arc<T>, ProviderError> + Send + Sync + 'static,
    ) -> Self {
        Self { open: Arc::new(open), place }
    }

    /// Opens the role. Takes up to a second. The error is one sentence that says what is missing and what to
    /// do.
    pub fn open(&self, resources: &Resources<'_>) -> Result<Arc<T>, ProviderError> {
        (self.open)(resources)
    }
}

impl<T: ?Sized> Clone for Offer<T> {
    fn clone(&self) -> Self {
        Self { open: self.open.clone(), place: self.place.clone() }
    }
}
