//! The open providers of one process, chosen by settings, and by a blueprint where it names some.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use interview::blueprint::Language;
use language::Understanding;

use super::{
    ProviderError, Retry, Stt, Tts, Vad,
    interviewer::Interviewer,
    kind::{NewInterviewer, NewVad, Offer, Provider, Resources, Role},
    kinds::Providers,
    models::Models,
    speech::{Auto, Chain, Chosen, Speech},
    turns::Turns,
    vad_denoised::DenoisedVad,
};

/// What understands a candidate's words, by language.
pub trait Understands: Send + Sync {
    /// What understands the words of a language, from when on it is learnt.
    fn in_language(&self, language: Language) -> Arc<OnceLock<Understanding>>;
}

/// The providers of an interview. Built once per process and cloned for every interview.
#[derive(Clone)]
pub struct Registry {
    shared: Arc<Shared>,
    vad: Arc<NewVad>,
    stt: Arc<dyn Stt>,
    llm: Arc<NewInterviewer>,
    tts: Arc<dyn Tts>,
    turns: Option<Turns>,
    understands: Option<Arc<dyn Understands>>,
    fallbacks: Vec<String>,
}

/// The data that all interviews of a process share.
struct Shared {
    speech: Speech,
    providers: Providers,
    models: Models,
    interviews: usize,
    opened: Mutex<Opened>,
}

/// The open providers of each role, by name.
#[derive(Default)]
struct Opened {
    vad: BTreeMap<String, Arc<NewVad>>,
    stt: BTreeMap<String, Arc<dyn Stt>>,
    llm: BTreeMap<String, Arc<NewInterviewer>>,
    tts: BTreeMap<String, Arc<dyn Tts>>,
    turns: BTreeMap<String, Arc<Turns>>,
}

impl Registry {
    /// Opens the providers that the settings choose, with recognisers for `interviews` at a time. Takes up
    /// to a second.
    ///
    /// If a file, a library or a key is missing, the error is one sentence that says what to do.
    pub fn build(
        speech: &Speech,
        providers: &Providers,
        interviews: usize,
    ) -> Result<Self, ProviderError> {
        let shared = Arc::new(Shared::new(speech, providers, interviews));
        let mut fallbacks = Vec::new();
        let vad = shared.vad(&speech.vad, &mut fallbacks)?;
        let stt = shared.stt(&speech.stt, &mut fallbacks)?;
        let tts = shared.tts(&speech.tts, &mut fallbacks)?;
        let llm = shared.llm(&speech.llm, &mut fallbacks)?;
        let turns = shared.turns(&speech.turn_detector, &mut fallbacks)?;
        Ok(Self { shared, vad, stt, llm, tts, turns, understands: None, fallbacks })
    }

    /// Opens the interviewer alone, that of the settings or that of `chosen`, for plans and summaries.
    pub fn interviewer(
        speech: &Speech,
        providers: &Providers,
        chosen: Option<&Chain>,
    ) -> Result<Arc<dyn Interviewer>, ProviderError> {
        let shared = Shared::new(speech, providers, 1);
        let new = shared.llm(chosen.unwrap_or(&speech.llm), &mut Vec::new())?;
        Ok(new())
    }

    /// Replaces providers for an interview whose blueprint chooses some by name. Opens those that are not
    /// open yet, which takes up to a second.
    pub fn choosing(
        mut self,
        chosen: impl IntoIterator<Item = (Role, Chain)>,
    ) -> Result<Self, ProviderError> {
        let mut fallbacks = Vec::new();
        for (role, chain) in chosen {
            match role {
                Role::Vad => self.vad = self.shared.vad(&chain, &mut fallbacks)?,
                Role::TurnDetector => self.turns = self.shared.turns(&chain, &mut fallbacks)?,
                Role::Stt => self.stt = self.shared.stt(&chain, &mut fallbacks)?,
                Role::Llm => self.llm = self.shared.llm(&chain, &mut fallbacks)?,
                Role::Tts => self.tts = self.shared.tts(&chain, &mut fallbacks)?,
            }
        }
        fallbacks.retain(|fallback| !self.fallbacks.contains(fallback));
        self.fallbacks.extend(fallbacks);
        Ok(self)
    }

    /// Returns a sentence for each fallback that is in use because a file is missing.
    pub fn fallbacks(&self) -> &[String] {
        &self.fallbacks
    }

    /// Adds what understands the candidate's words.
    pub fn with_understanding(self, understands: Arc<dyn Understands>) -> Self {
        Self { understands: Some(understands), ..self }
    }

    /// What understands the candidate's words in a language, if anything does, from when on it is learnt.
    pub fn understanding(&self, language: Language) -> Option<Arc<OnceLock<Understanding>>> {
        self.understands.as_ref().map(|understands| understands.in_language(language))
    }

    /// Replaces the recogniser.
    pub fn with_stt(self, stt: Arc<dyn Stt>) -> Self {
        Self { stt, ..self }
    }

    /// Replaces the voice.
    pub fn with_tts(self, tts: Arc<dyn Tts>) -> Self {
        Self { tts, ..self }
    }

    /// Replaces the turn detector.
    pub fn with_turns(self, turns: Turns) -> Self {
        Self { turns: Some(turns), ..self }
    }

    /// Returns a VAD for one candidate.
    pub fn vad(&self) -> Box<dyn Vad> {
        let vad = (self.vad)();
        if self.shared.speech.suppresses_noise { Box::new(DenoisedVad::new(vad)) } else { vad }
    }

    /// Returns the turn detector, if there is one.
    pub fn turns(&self) -> Option<&Turns> {
        self.turns.as_ref()
    }

    /// Whether model and voice may begin before it is certain that the candidate has finished.
    pub fn speculates(&self) -> bool {
        self.shared.speech.speculates
    }

    /// Returns the recogniser.
    pub fn stt(&self) -> Arc<dyn Stt> {
        self.stt.clone()
    }

    /// Returns a new interviewer for one interview, which counts the tokens that it uses: call this once and
    /// share the result.
    pub fn llm(&self) -> Arc<dyn Interviewer> {
        (self.llm)()
    }

    /// Returns the voice.
    pub fn tts(&self) -> Arc<dyn Tts> {
        self.tts.clone()
    }
}

/// The fallbacks in use, a sentence each.
type Fallbacks = Vec<String>;

/// A function that opens a role of a provider.
type Open<T> = fn(&Provider, &Resources<'_>) -> Result<Arc<T>, ProviderError>;

/// The way in which a role of a provider is opened, and the map that then holds it.
struct Opener<T: ?Sized> {
    role: Role,
    open: Open<T>,
    kept: fn(&mut Opened) -> &mut BTreeMap<String, Arc<T>>,
}

impl Shared {
    fn new(speech: &Speech, providers: &Providers, interviews: usize) -> Self {
        Self {
            speech: speech.clone(),
            providers: providers.clone(),
            models: Models::new(speech.models_dir.as_deref()),
            interviews,
            opened: Mutex::default(),
        }
    }

    fn vad(&self, chain: &Chain, fallbacks: &mut Fallbacks) -> Result<Arc<NewVad>, ProviderError> {
        let opener = Opener {
            role: Role::Vad,
            open: |provider, resources| opened(Role::Vad, provider.vad.as_ref(), resources),
            kept: |opened| &mut opened.vad,
        };
        self.open(&opener, chain, fallbacks)?.ok_or_else(|| no_provider(Role::Vad))
    }

    fn stt(&self, chain: &Chain, fallbacks: &mut Fallbacks) -> Result<Arc<dyn Stt>, ProviderError> {
        let opener = Opener {
            role: Role::Stt,
            open: |provider, resources| opened(Role::Stt, provider.stt.as_ref(), resources),
            kept: |opened| &mut opened.stt,
        };
        self.open(&opener, chain, fallbacks)?.ok_or_else(|| no_provider(Role::Stt))
    }

    fn llm(
        &self,
        chain: &Chain,
        fallbacks: &mut Fallbacks,
    ) -> Result<Arc<NewInterviewer>, ProviderError> {
        let opener = Opener {
            role: Role::Llm,
            open: |provider, resources| opened(Role::Llm, provider.llm.as_ref(), resources),
            kept: |opened| &mut opened.llm,
        };
        self.open(&opener, chain, fallbacks)?.ok_or_else(|| no_provider(Role::Llm))
    }

    fn tts(&self, chain: &Chain, fallbacks: &mut Fallbacks) -> Result<Arc<dyn Tts>, ProviderError> {
        let opener = Opener {
            role: Role::Tts,
            open: |provider, resources| opened(Role::Tts, provider.tts.as_ref(), resources),
            kept: |opened| &mut opened.tts,
        };
        self.open(&opener, chain, fallbacks)?.ok_or_else(|| no_provider(Role::Tts))
    }

    fn turns(
        &self,
        chain: &Chain,
        fallbacks: &mut Fallbacks,
    ) -> Result<Option<Turns>, ProviderError> {
        let opener = Opener {
            role: Role::TurnDetector,
            open: |provider, resources| {
                let offer = provider.turn_detector.as_ref();
                let detector = opened(Role::TurnDetector, offer, resources)?;
                Turns::new(detector).map(Arc::new)
            },
            kept: |opened| &mut opened.turns,
        };
        Ok(self.open(&opener, chain, fallbacks)?.map(|turns| (*turns).clone()))
    }

    /// Returns the provider that a chain chooses for a role. It is opened once for all interviews.
    fn open<T: ?Sized>(
        &self,
        opener: &Opener<T>,
        chain: &Chain,
        fallbacks: &mut Fallbacks,
    ) -> Result<Option<Arc<T>>, ProviderError> {
        let role = opener.role;
        let chosen = chain.chosen(role, &self.providers).map_err(|wrong| ProviderError {
            what: format!("`speech.{}` {wrong}", role.key()),
            retry: Retry::Never,
        })?;
        match chosen {
            Chosen::Off => Ok(None),
            Chosen::One(name, provider) => self.open_one(opener, name, provider).map(Some),
            Chosen::Auto(auto) => self.open_best(opener, auto, fallbacks),
        }
    }

    /// Opens the first provider of `auto`, or else the second, and adds a sentence about that.
    fn open_best<T: ?Sized>(
        &self,
        opener: &Opener<T>,
        auto: &Auto,
        fallbacks: &mut Fallbacks,
    ) -> Result<Option<Arc<T>>, ProviderError> {
        let named = |name: &'static str| {
            let provider = self.providers.get(name).expect("each kind has one of its name");
            (provider.is_chosen_by_name, self.open_one(opener, name, provider))
        };
        let (is_chosen_by_name, first) = named(auto.first);
        let why = match first {
            Ok(first) => return Ok(Some(first)),
            // A provider that was chosen by name has no fallback.
            Err(error) if is_chosen_by_name => return Err(error),
            Err(error) => error,
        };
        let second = auto.second.map(|second| named(second).1).transpose();
        let second = second.map_err(|other| ProviderError {
            what: format!("there is no {}: {why}; {other}", opener.role.what()),
            retry: Retry::Never,
        })?;
        fallbacks.push(format!("{}: {why}", auto.instead));
        Ok(second)
    }

    fn open_one<T: ?Sized>(
        &self,
        opener: &Opener<T>,
        name: &str,
        provider: &Provider,
    ) -> Result<Arc<T>, ProviderError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = (opener.kept)(&mut opened);
        if let Some(open) = kept.get(name) {
            return Ok(open.clone());
        }
        let resources = Resources { models: &self.models, interviews: self.interviews };
        let open = (opener.open)(provider, &resources)?;
        kept.insert(name.to_owned(), open.clone());
        Ok(open)
    }
}

fn opened<T: ?Sized>(
    role: Role,
    offer: Option<&Offer<T>>,
    resources: &Resources<'_>,
) -> Result<Arc<T>, ProviderError> {
    offer.ok_or_else(|| no_provider(role))?.open(resources)
}

/// Returns the error that no provider is chosen for a role that needs one.
fn no_provider(role: Role) -> ProviderError {
    let what = format!("`speech.{}` chooses no {}", role.key(), role.what());
    ProviderError { what, retry: Retry::Never }
}
