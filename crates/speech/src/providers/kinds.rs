//! The list of all kinds of providers, and the providers of a process by name.
//!
//! A vendor is a file with its settings, its constructor and a [`Kind`], and an entry for that kind in
//! [`KINDS`]. `vad_webrtc.rs` is a short example, `stt_deepgram.rs` one with a server. `VIVAVOCE_BLESS=1
//! cargo test --test all all_settings_are_printed` adds the settings to `config/default.toml`.

use std::collections::BTreeMap;

use super::{
    kind::{Kind, Provider, Role},
    llm_anthropic, llm_gemini, llm_openai,
    llm_openai::presets,
    scripted, stt_assemblyai, stt_deepgram, stt_moonshine, stt_openai, stt_pocketsphinx,
    stt_soniox, tts_azure, tts_cartesia, tts_deepgram, tts_elevenlabs, tts_flite, tts_hibari,
    tts_openai, turn_smart, vad_earshot, vad_silero, vad_webrtc,
};

/// All kinds. Each kind has a provider with its own name and default settings.
pub const KINDS: &[&Kind] = &[
    &vad_earshot::KIND,
    &vad_webrtc::KIND,
    &vad_silero::KIND,
    &turn_smart::KIND,
    &stt_moonshine::KIND,
    &stt_pocketsphinx::KIND,
    &stt_deepgram::KIND,
    &stt_soniox::KIND,
    &stt_assemblyai::KIND,
    &stt_openai::KIND,
    &llm_openai::KIND,
    &llm_anthropic::KIND,
    &llm_gemini::KIND,
    &presets::AZURE,
    &presets::GROQ,
    &presets::MISTRAL,
    &presets::OPENROUTER,
    &presets::LITELLM,
    &presets::VLLM,
    &presets::OLLAMA,
    &presets::LLAMA_CPP,
    &tts_hibari::KIND,
    &tts_flite::KIND,
    &tts_openai::KIND,
    &tts_elevenlabs::KIND,
    &tts_cartesia::KIND,
    &tts_deepgram::KIND,
    &tts_azure::KIND,
    &scripted::KIND,
];

/// All providers by name: those of `[providers.NAME]`, and one of each kind under the kind's own name.
#[derive(Clone, Debug)]
pub struct Providers(BTreeMap<String, Provider>);

impl Providers {
    /// Returns the providers with these names. One for each kind, with its own name, must be among them.
    pub fn new(named: BTreeMap<String, Provider>) -> Self {
        Self(named)
    }

    /// Replaces or adds the provider of a name.
    pub fn with(mut self, name: &str, provider: Provider) -> Self {
        self.0.insert(name.to_owned(), provider);
        self
    }

    /// Returns the provider of a name.
    pub fn get(&self, name: &str) -> Option<&Provider> {
        self.0.get(name)
    }

    /// Returns the names of the providers that can take a role, those of the kinds first.
    pub fn names(&self, role: Role) -> Vec<&str> {
        let can = |name: &str| self.0.get(name).is_some_and(|one| one.place(role).is_some());
        let is_kind = |name: &str| KINDS.iter().any(|kind| kind.name == name);
        let kinds = KINDS.iter().map(|kind| kind.name);
        let others = self.0.keys().map(String::as_str).filter(|name| !is_kind(name));
        kinds.chain(others).filter(|name| can(name)).collect()
    }

    /// Iterates over all providers with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Provider)> {
        self.0.iter().map(|(name, provider)| (name.as_str(), provider))
    }
}
