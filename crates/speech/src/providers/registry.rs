//! The open providers of one process, chosen by settings, and by a blueprint where it names some.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use interview::blueprint::Language;
use language::Understanding;

use super::{
    ProviderError, Retry, Stt, Tts, Vad,
    book::{Book, CountedInterviewer},
    chain::{Gate, InterviewerChain, Link, SttChain, TtsChain},
    in_words::InWords,
    interviewer::Interviewer,
    kind::{NewInterviewer, NewVad, Offer, Provider, Resources, Role},
    kinds::Providers,
    models::Models,
    speech::{Auto, Chain, Chosen, Speech},
    turns::Turns,
    usage::{Source, Vendor, Work, announce},
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
    /// What the interview uses of them.
    book: Book,
    vad: Arc<NewVad>,
    stt: Arc<Counted<dyn Stt>>,
    llm: Arc<Counted<dyn Interviewer>>,
    tts: Arc<Counted<dyn Tts>>,
    turns: Option<Turns>,
    understands: Option<Arc<dyn Understands>>,
    fallbacks: Vec<String>,
}

/// A function that makes the provider of a role for one interview, which is counted in its book.
type Counted<T> = dyn Fn(&Book) -> Arc<T> + Send + Sync;

/// The data that all interviews of a process share.
struct Shared {
    speech: Speech,
    providers: Providers,
    models: Models,
    interviews: usize,
    opened: Mutex<Opened>,
    /// The gates of providers that are in a chain.
    gates: Mutex<BTreeMap<(Role, String), Arc<Gate>>>,
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
        let (book, understands) = (Book::default(), None);
        Ok(Self { shared, book, vad, stt, llm, tts, turns, understands, fallbacks })
    }

    /// Opens the interviewer alone, that of the settings or that of `chosen`, for plans and summaries. It
    /// says what was used of each model.
    pub fn interviewer(
        speech: &Speech,
        providers: &Providers,
        chosen: Option<&Chain>,
    ) -> Result<Arc<dyn Interviewer>, ProviderError> {
        let shared = Shared::new(speech, providers, 1);
        let new = shared.llm(chosen.unwrap_or(&speech.llm), &mut Vec::new())?;
        let book = Book::default();
        Ok(Arc::new(CountedInterviewer { inner: new(&book), book }))
    }

    /// Opens the recogniser alone, that of the settings or that of `chosen`, for one stream at a time.
    pub fn recogniser(
        speech: &Speech,
        providers: &Providers,
        chosen: Option<&Chain>,
    ) -> Result<Arc<dyn Stt>, ProviderError> {
        let shared = Shared::new(speech, providers, 1);
        let new = shared.stt(chosen.unwrap_or(&speech.stt), &mut Vec::new())?;
        Ok(new(&Book::default()))
    }

    /// Opens the voice alone, that of the settings or that of `chosen`.
    pub fn voice(
        speech: &Speech,
        providers: &Providers,
        chosen: Option<&Chain>,
    ) -> Result<Arc<dyn Tts>, ProviderError> {
        let shared = Shared::new(speech, providers, 1);
        let new = shared.tts(chosen.unwrap_or(&speech.tts), &mut Vec::new())?;
        Ok(new(&Book::default()))
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

    /// Counts from nothing: for the next interview.
    pub fn for_interview(self) -> Self {
        Self { book: Book::default(), ..self }
    }

    /// The book in which is written what is used of the providers.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Whether a provider is open in a role: it is opened once, for all interviews.
    pub fn is_open(&self, role: Role, name: &str) -> bool {
        let opened = self.shared.opened.lock().unwrap_or_else(PoisonError::into_inner);
        match role {
            Role::Vad => opened.vad.contains_key(name),
            Role::Stt => opened.stt.contains_key(name),
            Role::Llm => opened.llm.contains_key(name),
            Role::Tts => opened.tts.contains_key(name),
            Role::TurnDetector => opened.turns.contains_key(name),
        }
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

    /// Replaces the VAD.
    pub fn with_vad(self, vad: Arc<NewVad>) -> Self {
        Self { vad, ..self }
    }

    /// Replaces the recogniser.
    pub fn with_stt(self, stt: Arc<dyn Stt>) -> Self {
        Self { stt: Arc::new(move |_| stt.clone()), ..self }
    }

    /// Replaces the voice.
    pub fn with_tts(self, tts: Arc<dyn Tts>) -> Self {
        Self { tts: Arc::new(move |_| tts.clone()), ..self }
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
        (self.stt)(&self.book)
    }

    /// Returns a new interviewer for one interview, which counts the tokens that it uses: call this once and
    /// share the result.
    pub fn llm(&self) -> Arc<dyn Interviewer> {
        (self.llm)(&self.book)
    }

    /// Finds out by one short reply of each model of the settings how it begins one, so that the first
    /// candidate does not wait for the end of a reply. It belongs to no interview.
    pub async fn learn_habits(self) {
        (self.llm)(&Book::default()).learn_habits().await;
    }

    /// Returns the voice.
    pub fn tts(&self) -> Arc<dyn Tts> {
        (self.tts)(&self.book)
    }

    /// Returns the voice for texts of a language: whichever it is, it gets days, numbers and the like as the
    /// same words.
    pub fn tts_in(&self, language: Language) -> Arc<dyn Tts> {
        Arc::new(InWords::new(self.tts(), language))
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
            gates: Mutex::default(),
        }
    }

    fn vad(&self, chain: &Chain, fallbacks: &mut Fallbacks) -> Result<Arc<NewVad>, ProviderError> {
        let opener = Opener {
            role: Role::Vad,
            open: |provider, resources| opened(Role::Vad, provider.vad.as_ref(), resources),
            kept: |opened| &mut opened.vad,
        };
        alone(self.open(&opener, chain, fallbacks)?).ok_or_else(|| no_provider(Role::Vad))
    }

    fn stt(
        &self,
        chain: &Chain,
        fallbacks: &mut Fallbacks,
    ) -> Result<Arc<Counted<dyn Stt>>, ProviderError> {
        let opener = Opener {
            role: Role::Stt,
            open: |provider, resources| opened(Role::Stt, provider.stt.as_ref(), resources),
            kept: |opened| &mut opened.stt,
        };
        let opened = self.open(&opener, chain, fallbacks)?;
        let several = match one(opened) {
            Ok(one) => {
                let (name, stt) = one.ok_or_else(|| no_provider(Role::Stt))?;
                let source = source(Work::Hearing, &name, stt.vendor());
                return Ok(Arc::new(move |book| book.hearing(&source, stt.clone())));
            }
            Err(several) => self.links(Role::Stt, several),
        };
        let limits = self.speech.limits();
        Ok(Arc::new(move |book| {
            let links = several.iter().map(|Link { gate, provider }| {
                let source = source(Work::Hearing, gate.name(), provider.vendor());
                Link { gate: gate.clone(), provider: book.hearing(&source, provider.clone()) }
            });
            Arc::new(SttChain::new(links.collect(), limits))
        }))
    }

    fn llm(
        &self,
        chain: &Chain,
        fallbacks: &mut Fallbacks,
    ) -> Result<Arc<Counted<dyn Interviewer>>, ProviderError> {
        let opener = Opener {
            role: Role::Llm,
            open: |provider, resources| opened(Role::Llm, provider.llm.as_ref(), resources),
            kept: |opened| &mut opened.llm,
        };
        let several = match one(self.open(&opener, chain, fallbacks)?) {
            Ok(one) => {
                let (_, new) = one.ok_or_else(|| no_provider(Role::Llm))?;
                return Ok(Arc::new(move |book| book.thinking(new())));
            }
            Err(several) => self.links(Role::Llm, several),
        };
        let limits = self.speech.limits();
        Ok(Arc::new(move |book| {
            let links = several.iter().map(|Link { gate, provider }| Link {
                gate: gate.clone(),
                provider: book.thinking(provider()),
            });
            Arc::new(InterviewerChain::new(links.collect(), limits))
        }))
    }

    fn tts(
        &self,
        chain: &Chain,
        fallbacks: &mut Fallbacks,
    ) -> Result<Arc<Counted<dyn Tts>>, ProviderError> {
        let opener = Opener {
            role: Role::Tts,
            open: |provider, resources| opened(Role::Tts, provider.tts.as_ref(), resources),
            kept: |opened| &mut opened.tts,
        };
        let several = match one(self.open(&opener, chain, fallbacks)?) {
            Ok(one) => {
                let (name, tts) = one.ok_or_else(|| no_provider(Role::Tts))?;
                let source = source(Work::Speaking, &name, tts.vendor());
                return Ok(Arc::new(move |book| book.speaking(&source, tts.clone())));
            }
            Err(several) => self.links(Role::Tts, several),
        };
        let limits = self.speech.limits();
        Ok(Arc::new(move |book| {
            let links = several.iter().map(|Link { gate, provider }| {
                let source = source(Work::Speaking, gate.name(), provider.vendor());
                Link { gate: gate.clone(), provider: book.speaking(&source, provider.clone()) }
            });
            Arc::new(TtsChain::new(links.collect(), limits))
        }))
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
        Ok(alone(self.open(&opener, chain, fallbacks)?).map(|turns| (*turns).clone()))
    }

    /// Returns the providers that a chain chooses for a role, with their names. Each is opened once for all
    /// interviews.
    fn open<T: ?Sized>(
        &self,
        opener: &Opener<T>,
        chain: &Chain,
        fallbacks: &mut Fallbacks,
    ) -> Result<Vec<Named<T>>, ProviderError> {
        let role = opener.role;
        let chosen = chain.chosen(role, &self.providers).map_err(|wrong| ProviderError {
            what: format!("`speech.{}` {wrong}", role.key()),
            retry: Retry::Never,
        })?;
        let mut all: Vec<Named<T>> = Vec::new();
        for chosen in chosen {
            let opened = match chosen {
                Chosen::Off => None,
                Chosen::One(name, provider) => {
                    Some((name.to_owned(), self.open_one(opener, name, provider)?))
                }
                Chosen::Auto(auto) => self.open_best(opener, auto, fallbacks)?,
            };
            // What `auto` chooses may be in the list by its name, too.
            all.extend(opened.filter(|(name, _)| all.iter().all(|(other, _)| other != name)));
        }
        Ok(all)
    }

    /// Opens the first provider of `auto`, or else the second, and adds a sentence about that.
    fn open_best<T: ?Sized>(
        &self,
        opener: &Opener<T>,
        auto: &Auto,
        fallbacks: &mut Fallbacks,
    ) -> Result<Option<Named<T>>, ProviderError> {
        let named = |name: &'static str| {
            let provider = self.providers.get(name).expect("each kind has one of its name");
            let opened = self.open_one(opener, name, provider);
            (provider.is_chosen_by_name, opened.map(|opened| (name.to_owned(), opened)))
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

    /// Returns the links of a chain. A provider has one gate, whatever chains it is in.
    fn links<T: ?Sized>(&self, role: Role, providers: Vec<Named<T>>) -> Vec<Link<T>> {
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        let link = |(name, provider): Named<T>| {
            let new = || Gate::new(role, &name);
            let gate = gates.entry((role, name.clone())).or_insert_with(new).clone();
            Link { gate, provider }
        };
        providers.into_iter().map(link).collect()
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
        match opener.role {
            Role::Stt => announce(name, Work::Hearing),
            Role::Llm => announce(name, Work::Thinking),
            Role::Tts => announce(name, Work::Speaking),
            Role::Vad | Role::TurnDetector => {}
        }
        kept.insert(name.to_owned(), open.clone());
        Ok(open)
    }
}

/// An open provider with its name.
type Named<T> = (String, Arc<T>);

/// Returns the provider of a role that only one can take.
fn alone<T: ?Sized>(opened: Vec<Named<T>>) -> Option<Arc<T>> {
    opened.into_iter().next().map(|(_, provider)| provider)
}

/// Returns the only provider, or none; or several as the error.
fn one<T: ?Sized>(opened: Vec<Named<T>>) -> Result<Option<Named<T>>, Vec<Named<T>>> {
    if opened.len() > 1 { Err(opened) } else { Ok(opened.into_iter().next()) }
}

/// Returns what is counted of a provider.
fn source(work: Work, name: &str, vendor: Option<Vendor>) -> Source {
    Source { work, provider: name.to_owned(), vendor }
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
