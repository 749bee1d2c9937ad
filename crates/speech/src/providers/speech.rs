//! The choice of providers for an interview: the section `speech` of the settings.

use std::{fmt, path::PathBuf, time::Duration};

use super::{
    chain::Limits,
    kind::{Need, Place, Provider, Role},
    kinds::Providers,
};
use crate::settings::{Kind, Near, Rule, near, rules, settings};

/// The rule for names of providers, in the order in which they are tried.
const CHAIN: Rule<Chain> = Rule {
    kind: Kind::Texts,
    expected: "the name of a provider, or a list of names",
    parse: |text| {
        let names = text.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
        names.iter().all(|name| !name.is_empty()).then_some(Chain(names))
    },
};

settings! {
    /// What hears, thinks and speaks: a provider by name each; of `stt`, `llm` and `tts` also a list of
    /// names, of which the next takes over when one fails.
    pub struct Speech {
        /// The folder of model files (`vivavoce models`); empty: vivavoce/models in the user's cache.
        models_dir: Option<PathBuf> = "", rules::FOLDER;
        /// Tells voice from noise: auto (silero where its file is, else earshot), silero, earshot, webrtc.
        vad: Chain = "auto", CHAIN;
        /// Hears whether somebody has finished: auto (smart-turn where its file is), smart-turn, off.
        turn_detector: Chain = "auto", CHAIN;
        /// Takes noise out of what the detector of voice hears; the recogniser hears the plain sound.
        suppresses_noise: bool = false, rules::FLAG;
        /// Makes text of speech: auto (moonshine where its files are, else pocketsphinx), moonshine,
        /// pocketsphinx, deepgram, soniox, assemblyai, openai-transcription, scripted.
        stt: Chain = "auto", CHAIN;
        /// Words replies and judges answers: scripted, openai (OpenAI and all that speak its chat
        /// completions).
        llm: Chain = "scripted", CHAIN;
        /// Makes speech of text: auto (hibari where its files are, else flite), hibari, flite, openai-speech,
        /// elevenlabs, cartesia, deepgram-speech, azure-speech, scripted.
        tts: Chain = "auto", CHAIN;
        /// Model and voice begin at the first silence; what the candidate goes on to say may void it.
        speculates: bool = true, rules::FLAG;
        /// In a list of models: how long one may say nothing, before its first word or within its reply.
        llm_silence_limit: Duration = "3s", rules::DURATION;
        /// In a list of voices: how long one may give no sound.
        tts_silence_limit: Duration = "2s", rules::DURATION;
        /// In a list of recognisers: how long one may be away; half a second while words are waited for.
        stt_away_limit: Duration = "3s", rules::DURATION;
    }
}

/// The most providers of a chain.
const CHAIN_MAX: usize = 8;

/// The names of the providers for a role, in the order in which they are tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(Vec<String>);

/// The choice that a chain makes.
pub(super) enum Chosen<'a> {
    /// No provider takes the role.
    Off,
    /// The best provider that is installed.
    Auto(&'static Auto),
    /// This provider; without it nothing starts.
    One(&'a str, &'a Provider),
}

/// The meaning of `auto` for a role.
pub(super) struct Auto {
    pub(super) role: Role,
    /// The provider that takes the role if everything that it needs is installed.
    pub(super) first: &'static str,
    /// The provider that takes the role otherwise, if any does.
    pub(super) second: Option<&'static str>,
    /// The consequence of not having the first provider, for messages.
    pub(super) instead: &'static str,
}

/// The meaning of `auto` for each role.
const AUTO: [Auto; 4] = [
    Auto {
        role: Role::Vad,
        first: "silero",
        second: Some("earshot"),
        instead: "Earshot tells voice from noise",
    },
    Auto {
        role: Role::TurnDetector,
        first: "smart-turn",
        second: None,
        instead: "words alone tell the end of a turn",
    },
    Auto {
        role: Role::Stt,
        first: "moonshine",
        second: Some("pocketsphinx"),
        instead: "PocketSphinx hears, which gets every third word wrong",
    },
    Auto {
        role: Role::Tts,
        first: "hibari",
        second: Some("flite"),
        instead: "Flite speaks, which sounds like a machine",
    },
];

/// The need of the chosen providers for something that has to be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Want {
    /// It is not used.
    Unused,
    /// It is replaced by a fallback if it is missing.
    Better,
    /// The interview cannot work without it.
    Needed,
}

impl Speech {
    /// Returns the chain that is set for a role.
    pub fn chain(&self, role: Role) -> &Chain {
        match role {
            Role::Vad => &self.vad,
            Role::TurnDetector => &self.turn_detector,
            Role::Stt => &self.stt,
            Role::Llm => &self.llm,
            Role::Tts => &self.tts,
        }
    }

    /// Returns the place where the provider of a role works; of several the first one's.
    pub fn place(&self, role: Role, providers: &Providers) -> Place {
        let first = self.places(role, providers).into_iter().next();
        first.map_or(Place::Embedded, |(_, place)| place)
    }

    /// Returns the names of all providers of a role, and the places where they work.
    pub fn places(&self, role: Role, providers: &Providers) -> Vec<(String, Place)> {
        let chosen = self.chain(role).chosen(role, providers).unwrap_or_default();
        let places = chosen.into_iter().map(|chosen| match chosen {
            Chosen::One(_, provider) => provider.place(role).cloned().unwrap_or(Place::Embedded),
            Chosen::Auto(_) | Chosen::Off => Place::Embedded,
        });
        self.chain(role).0.iter().cloned().zip(places).collect()
    }

    /// Returns what has to be installed for the chosen providers, and how much it is needed.
    pub fn needs(&self, providers: &Providers) -> Vec<(Need, Want)> {
        let mut needs = Vec::new();
        for role in [Role::Stt, Role::Tts, Role::Vad, Role::TurnDetector, Role::Llm] {
            for chosen in self.chain(role).chosen(role, providers).unwrap_or_default() {
                let (provider, want) = match chosen {
                    Chosen::One(_, provider) => (Some(provider), Want::Needed),
                    Chosen::Auto(auto) => {
                        let first = providers.get(auto.first);
                        let is_chosen_by_name = first.is_some_and(|first| first.is_chosen_by_name);
                        (first, if is_chosen_by_name { Want::Needed } else { Want::Better })
                    }
                    Chosen::Off => (None, Want::Unused),
                };
                let wanted = provider.into_iter().flat_map(|provider| &provider.needs);
                needs.extend(wanted.map(|need| (need.clone(), want)));
            }
        }
        needs
    }

    /// Returns the limits of chains.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            llm_silence: self.llm_silence_limit,
            tts_silence: self.tts_silence_limit,
            stt_away: self.stt_away_limit,
        }
    }
}

impl Chain {
    /// Returns the chain of these names.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self(names.into_iter().collect())
    }

    /// Checks that the chain can take the role. The error is half a sentence: `must be …`.
    pub fn check(&self, role: Role, providers: &Providers) -> Result<(), String> {
        self.chosen(role, providers).map(drop)
    }

    /// Returns the names, in the order in which they are tried.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Returns the choices for a role, at least one. The error is half a sentence: `must be …`.
    pub(super) fn chosen<'a>(
        &self,
        role: Role,
        providers: &'a Providers,
    ) -> Result<Vec<Chosen<'a>>, String> {
        let names = providers.names(role);
        let auto = AUTO.iter().find(|auto| auto.role == role);
        let is_off = |name: &str| role == Role::TurnDetector && name == "off";
        let mut chosen = Vec::new();
        for name in &self.0 {
            let provider = providers.get(name).filter(|one| one.place(role).is_some());
            chosen.push(match (name.as_str(), provider, auto) {
                ("auto", _, Some(auto)) => Chosen::Auto(auto),
                (name, _, _) if is_off(name) => Chosen::Off,
                (_, Some(provider), _) => {
                    let known = names.iter().find(|known| **known == name.as_str());
                    Chosen::One(known.expect("it can take the role"), provider)
                }
                (_, None, _) => {
                    let fixed = auto.map(|_| "auto").into_iter();
                    let off = (role == Role::TurnDetector).then_some("off");
                    let all: Vec<&str> = fixed.chain(names.iter().copied()).chain(off).collect();
                    let one_of: String = all.iter().map(|name| format!(" `{name}`")).collect();
                    let meant = Near(near(name, all.iter().copied()));
                    return Err(format!("must be one of{one_of}, not `{name}`{meant}"));
                }
            });
        }
        self.check_names(role)?;
        Ok(chosen)
    }

    fn check_names(&self, role: Role) -> Result<(), String> {
        let max = match role {
            Role::Stt | Role::Llm | Role::Tts => CHAIN_MAX,
            Role::Vad | Role::TurnDetector => 1,
        };
        let count = self.0.len();
        if count > max && max == 1 {
            return Err(format!(
                "must be one provider, not {count}: only `stt`, `llm` and `tts` may be lists"
            ));
        }
        if count == 0 || count > max {
            return Err(format!("must be 1 to {max} providers, not {count}"));
        }
        let again = self.0.iter().enumerate().find(|(n, name)| self.0[..*n].contains(name));
        match again {
            Some((_, name)) => Err(format!("must name `{name}` once")),
            None => Ok(()),
        }
    }
}

impl From<&str> for Chain {
    fn from(name: &str) -> Self {
        Self(vec![name.to_owned()])
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}
