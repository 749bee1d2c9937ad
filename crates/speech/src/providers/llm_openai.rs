//! A model behind a server that speaks OpenAI's chat completions: OpenAI itself, Azure, Groq, Mistral,
//! OpenRouter, LiteLLM, vLLM, Ollama, llama.cpp and others.
//!
//! The format is that of OpenAI's reference, <https://platform.openai.com/docs/api-reference/chat>, as its
//! Python client 3.57 has it (`src/openai/types/chat`). What other servers do otherwise is in `presets.rs`.

pub mod presets;
mod wire;

use std::path::PathBuf;

use super::{
    ProviderError,
    http::{Access, Header, Names, Site, permanent_error},
    kind::{Kind, Provider},
    llm_server::{self, RemoteModel, model_settings},
};
use crate::settings::{Secret, choice, rules};
use presets::Preset;
use wire::ChatCompletions;

const ADDRESS_HINT: &str = ", which mostly ends in /v1,";
/// The host that stands in Azure's default address, until the operator sets that of the resource.
const AZURE_HOST: &str = "name.openai.azure.com";

choice! {
    /// How a key to a model's server is sent.
    KeyHeader {
        /// `Authorization: Bearer KEY`.
        Bearer = "bearer",
        /// `api-key: KEY`, as Azure has it.
        ApiKey = "api-key",
    }
}

model_settings! {
    /// A model behind a server that speaks OpenAI's chat completions.
    pub struct Settings {
        /// Where it is; `/chat/completions` is added to its path, its query is kept.
        base_url: url::Url = "https://api.openai.com/v1", rules::HTTP_URL;
        /// The model's name, as the server knows it: one that calls tools and does not think long before its
        /// first word.
        model: String = "gpt-4.1-mini", rules::name("the name of a model");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "OPENAI_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// How the key is sent; `api-key` is Azure's.
        api_key_header: KeyHeader = "bearer", KeyHeader::RULE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
    }
}

/// The kind of providers that speak OpenAI's chat completions.
pub const KIND: Kind = presets::OPENAI;

/// Returns the provider of a name with these settings, of the kind `openai`.
pub fn provider(name: &str, settings: Settings) -> Provider {
    llm_server::provider(name, settings, model)
}

/// Returns the model of a provider of the kind `openai`. Reads the key and the certificate; makes no
/// connection yet.
pub fn model(name: &str, settings: &Settings) -> Result<RemoteModel, ProviderError> {
    open(&Preset::OPENAI, name, settings)
}

/// Returns the model of a provider of any kind of this dialect.
fn open(preset: &Preset, name: &str, settings: &Settings) -> Result<RemoteModel, ProviderError> {
    let names = Names::new(preset.kind(), name, "model", ADDRESS_HINT, &["model"]);
    if settings.base_url.host_str() == Some(AZURE_HOST) {
        let what = format!(
            "providers.{name}.base_url still has the place holder NAME: set it to the address of your \
                resource, such as https://my-resource.openai.azure.com/openai/v1"
        );
        return Err(permanent_error(what));
    }
    let site = Site::new(&Access {
        names,
        base_url: &settings.base_url,
        path: "/chat/completions",
        query: &[],
        model: &settings.model,
        api_key: &settings.api_key,
        api_key_file: settings.api_key_file.as_deref(),
        key_header: match settings.api_key_header {
            KeyHeader::Bearer => Header::Bearer,
            KeyHeader::ApiKey => Header::ApiKey,
        },
        ca_file: settings.ca_file.as_deref(),
    })?;
    let (limits, quirks) = (settings.limits(), preset.quirks.iter().copied());
    let dialect = Box::new(ChatCompletions);
    Ok(RemoteModel::new(site.into(), &settings.model, limits, dialect, quirks))
}
