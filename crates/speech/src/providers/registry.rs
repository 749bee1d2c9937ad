//! The providers of one process, chosen by settings, and by a blueprint where it names some.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

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

/// Built once, handed to every interview.
#[derive(Clone)]
pub struct Registry {
    house: Arc<House>,
    vad: Arc<NewVad>,
    stt: Arc<dyn Stt>,
    llm: Arc<NewInterviewer>,
    tts: Arc<dyn Tts>,
    turns: Option<Turns>,
    lacks: Vec<String>,
}

/// What all interviews of a process share.
struct House {
    speech: Speech,
    providers: Providers,
    models: Models,
    interviews: usize,
    opened: Mutex<Opened>,
}

/// What is open, by the provider's name.
#[derive(Default)]
struct Opened {
    vad: BTreeMap<String, Arc<NewVad>>,
    stt: BTreeMap<String, Arc<dyn Stt>>,
    llm: BTreeMap<String, Arc<NewInterviewer>>,
    tts: BTreeMap<String, Arc<dyn Tts>>,
    turns: BTreeMap<String, Arc<Turns>>,
}

impl Registry {
    /// Opens what the settings choose, with recognisers for `interviews` at a time. Takes up to a second.
    ///
    /// A file, a library or a key that is missing is one sentence with what to do.
    pub fn build(
        speech: &Speech,
        providers: &Providers,
        interviews: usize,
    ) -> Result<Self, ProviderError> {
        let house = Arc::new(House {
            speech: speech.clone(),
            providers: providers.clone(),
            models: Models::new(speech.models_dir.as_deref()),
            interviews,
            opened: Mutex::default(),
        });
        let mut lacks = Vec::new();
        let vad = house.vad(&speech.vad, &mut lacks)?;
        let stt = house.stt(&speech.stt, &mut lacks)?;
        let tts = house.tts(&speech.tts, &mut lacks)?;
        let llm = house.llm(&speech.llm, &mut lacks)?;
        let turns = house.turns(&speech.turn_detector, &mut lacks)?;
        Ok(Self { house, vad, stt, llm, tts, turns, lacks })
    }

    /// The same for an interview whose blueprint chooses providers by name. What is not open yet is opened,
    /// which takes up to a second.
    pub fn choosing(
        mut self,
        chosen: impl IntoIterator<Item = (Role, Chain)>,
    ) -> Result<Self, ProviderError> {
        let mut lacks = Vec::new();
        for (role, chain) in chosen {
            match role {
                Role::Vad => self.vad = self.house.vad(&chain, &mut lacks)?,
                Role::TurnDetector => self.turns = self.house.turns(&chain, &mut lacks)?,
                Role::Stt => self.stt = self.house.stt(&chain, &mut lacks)?,
                Role::Llm => self.llm = self.house.llm(&chain, &mut lacks)?,
                Role::Tts => self.tts = self.house.tts(&chain, &mut lacks)?,
            }
        }
        lacks.retain(|lack| !self.lacks.contains(lack));
        self.lacks.extend(lacks);
        Ok(self)
    }

    /// A sentence for each part that would be better with a file that is not there.
    pub fn lacks(&self) -> &[String] {
        &self.lacks
    }

    /// The same with another recogniser.
    pub fn with_stt(self, stt: Arc<dyn Stt>) -> Self {
        Self { stt, ..self }
    }

    /// The same with another voice.
    pub fn with_tts(self, tts: Arc<dyn Tts>) -> Self {
        Self { tts, ..self }
    }

    /// The same with what hears the ends of turns.
    pub fn with_turns(self, turns: Turns) -> Self {
        Self { turns: Some(turns), ..self }
    }

    /// A detector for one candidate.
    pub fn vad(&self) -> Box<dyn Vad> {
        let vad = (self.vad)();
        if self.house.speech.suppresses_noise { Box::new(DenoisedVad::new(vad)) } else { vad }
    }

    /// What hears the ends of turns, if anything does.
    pub fn turns(&self) -> Option<&Turns> {
        self.turns.as_ref()
    }

    /// Whether model and voice may begin before it is sure that the candidate has finished.
    pub fn speculates(&self) -> bool {
        self.house.speech.speculates
    }

    /// The recogniser.
    pub fn stt(&self) -> Arc<dyn Stt> {
        self.stt.clone()
    }

    /// What words the replies of one interview, and counts what that uses: ask once and share it.
    pub fn llm(&self) -> Arc<dyn Interviewer> {
        (self.llm)()
    }

    /// The voice.
    pub fn tts(&self) -> Arc<dyn Tts> {
        self.tts.clone()
    }
}

/// What is done without, a sentence each.
type Lacks = Vec<String>;

/// Opens a role of a provider.
type Open<T> = fn(&Provider, &Resources<'_>) -> Result<Arc<T>, ProviderError>;

/// How a role of a provider is opened, and where it is kept then.
struct Way<T: ?Sized> {
    role: Role,
    open: Open<T>,
    kept: fn(&mut Opened) -> &mut BTreeMap<String, Arc<T>>,
}

impl House {
    fn vad(&self, chain: &Chain, lacks: &mut Lacks) -> Result<Arc<NewVad>, ProviderError> {
        let way = Way {
            role: Role::Vad,
            open: |provider, resources| opened(Role::Vad, provider.vad.as_ref(), resources),
            kept: |opened| &mut opened.vad,
        };
        self.open(&way, chain, lacks)?.ok_or_else(|| nobody(Role::Vad))
    }

    fn stt(&self, chain: &Chain, lacks: &mut Lacks) -> Result<Arc<dyn Stt>, ProviderError> {
        let way = Way {
            role: Role::Stt,
            open: |provider, resources| opened(Role::Stt, provider.stt.as_ref(), resources),
            kept: |opened| &mut opened.stt,
        };
        self.open(&way, chain, lacks)?.ok_or_else(|| nobody(Role::Stt))
    }

    fn llm(&self, chain: &Chain, lacks: &mut Lacks) -> Result<Arc<NewInterviewer>, ProviderError> {
        let way = Way {
            role: Role::Llm,
            open: |provider, resources| opened(Role::Llm, provider.llm.as_ref(), resources),
            kept: |opened| &mut opened.llm,
        };
        self.open(&way, chain, lacks)?.ok_or_else(|| nobody(Role::Llm))
    }

    fn tts(&self, chain: &Chain, lacks: &mut Lacks) -> Result<Arc<dyn Tts>, ProviderError> {
        let way = Way {
            role: Role::Tts,
            open: |provider, resources| opened(Role::Tts, provider.tts.as_ref(), resources),
            kept: |opened| &mut opened.tts,
        };
        self.open(&way, chain, lacks)?.ok_or_else(|| nobody(Role::Tts))
    }

    fn turns(&self, chain: &Chain, lacks: &mut Lacks) -> Result<Option<Turns>, ProviderError> {
        let way = Way {
            role: Role::TurnDetector,
            open: |provider, resources| {
                let offer = provider.turn_detector.as_ref();
                let detector = opened(Role::TurnDetector, offer, resources)?;
                Turns::new(detector).map(Arc::new)
            },
            kept: |opened| &mut opened.turns,
        };
        Ok(self.open(&way, chain, lacks)?.map(|turns| (*turns).clone()))
    }

    /// What a chain chooses for a role, opened once for all who choose it.
    fn open<T: ?Sized>(
        &self,
        way: &Way<T>,
        chain: &Chain,
        lacks: &mut Lacks,
    ) -> Result<Option<Arc<T>>, ProviderError> {
        let role = way.role;
        let chosen = chain.chosen(role, &self.providers).map_err(|wrong| ProviderError {
            what: format!("`speech.{}` {wrong}", role.key()),
            retry: Retry::Never,
        })?;
        match chosen {
            Chosen::Nobody => Ok(None),
            Chosen::One(name, provider) => self.open_one(way, name, provider).map(Some),
            Chosen::Auto(auto) => self.open_best(way, auto, lacks),
        }
    }

    /// The first, or else the second with a word on what that is like.
    fn open_best<T: ?Sized>(
        &self,
        way: &Way<T>,
        auto: &Auto,
        lacks: &mut Lacks,
    ) -> Result<Option<Arc<T>>, ProviderError> {
        let named = |name: &'static str| {
            let provider = self.providers.get(name).expect("each kind has one of its name");
            (provider.insists, self.open_one(way, name, provider))
        };
        let (insists, first) = named(auto.first);
        let why = match first {
            Ok(first) => return Ok(Some(first)),
            // What was chosen by its name must be there.
            Err(error) if insists => return Err(error),
            Err(error) => error,
        };
        let second = auto.second.map(|second| named(second).1).transpose();
        let second = second.map_err(|other| ProviderError {
            what: format!("there is no {}: {why}; {other}", way.role.what()),
            retry: Retry::Never,
        })?;
        lacks.push(format!("{}: {why}", auto.instead));
        Ok(second)
    }

    fn open_one<T: ?Sized>(
        &self,
        way: &Way<T>,
        name: &str,
        provider: &Provider,
    ) -> Result<Arc<T>, ProviderError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = (way.kept)(&mut opened);
        if let Some(open) = kept.get(name) {
            return Ok(open.clone());
        }
        let resources = Resources { models: &self.models, interviews: self.interviews };
        let open = (way.open)(provider, &resources)?;
        kept.insert(name.to_owned(), open.clone());
        Ok(open)
    }
}

fn opened<T: ?Sized>(
    role: Role,
    offer: Option<&Offer<T>>,
    resources: &Resources<'_>,
) -> Result<Arc<T>, ProviderError> {
    offer.ok_or_else(|| nobody(role))?.open(resources)
}

/// A role that has to be taken is not.
fn nobody(role: Role) -> ProviderError {
    let what = format!("`speech.{}` chooses no {}", role.key(), role.what());
    ProviderError { what, retry: Retry::Never }
}
