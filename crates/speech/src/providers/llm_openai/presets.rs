//! The servers that speak chat completions, in one table: where each is, which variable holds its key, and
//! what it does otherwise than OpenAI.
//!
//! Each is a kind of its own, with the same settings and other defaults. Sources, read in November 2026:
//! Azure's `azure/ai-foundry/openai/api-version-lifecycle` (the address `/openai/v1`, the header `api-key`);
//! Groq's `docs/openai` and `docs/api-reference` (`max_tokens` is deprecated for `max_completion_tokens`,
//! usage in `x_groq`); Mistral's Python client, `chatcompletionstreamrequest.py` (no `stream_options`; fields
//! that it does not know are refused with 422); OpenRouter's `docs/api-reference/overview`; vLLM's
//! `docs/serving/openai_compatible_server`; Ollama's `docs/api/openai-compatibility.mdx` (fields that it does
//! not know are ignored); llama.cpp's `tools/server/README.md` (calls of tools need `--jinja`); LiteLLM's
//! `docs/proxy/user_keys`.

use super::{
    Settings, open,
    wire::{MAX_TOKENS, STREAM_OPTIONS},
};
use crate::{
    providers::{
        kind::Kind,
        llm_server::{Quirk, provider},
    },
    settings::{Field, Section},
};

/// A server that speaks chat completions, as far as it differs from others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preset {
    /// The name of the kind.
    name: &'static str,
    doc: &'static str,
    /// The defaults of the settings, as TOML.
    base_url: &'static str,
    model: &'static str,
    key_header: &'static str,
    /// The environment variable of the key.
    key_variables: &'static [&'static str],
    /// What the server refuses from the start.
    pub(super) quirks: &'static [Quirk],
}

/// Bearer keys and no quirks.
const PLAIN: Preset = Preset {
    name: "",
    doc: "",
    base_url: "",
    model: "",
    key_header: "\"bearer\"",
    key_variables: &[],
    quirks: &[],
};

const OPENAI_PRESET: Preset = Preset {
    name: "openai",
    doc: "OpenAI, or a server that speaks its chat completions, words replies and judges answers.",
    base_url: "\"https://api.openai.com/v1\"",
    model: "\"gpt-4.1-mini\"",
    key_variables: &["OPENAI_API_KEY"],
    ..PLAIN
};

const AZURE_PRESET: Preset = Preset {
    name: "azure-openai",
    doc: "Azure OpenAI; NAME is that of the resource, the model is the name of the deployment.",
    base_url: "\"https://NAME.openai.azure.com/openai/v1\"",
    model: "\"gpt-4.1-mini\"",
    key_header: "\"api-key\"",
    key_variables: &["AZURE_OPENAI_API_KEY"],
    quirks: &[MAX_TOKENS],
};

const GROQ_PRESET: Preset = Preset {
    name: "groq",
    doc: "Groq.",
    base_url: "\"https://api.groq.com/openai/v1\"",
    model: "\"llama-3.3-70b-versatile\"",
    key_variables: &["GROQ_API_KEY"],
    quirks: &[MAX_TOKENS],
    ..PLAIN
};

const MISTRAL_PRESET: Preset = Preset {
    name: "mistral",
    doc: "Mistral.",
    base_url: "\"https://api.mistral.ai/v1\"",
    model: "\"mistral-small-latest\"",
    key_variables: &["MISTRAL_API_KEY"],
    quirks: &[STREAM_OPTIONS],
    ..PLAIN
};

const OPENROUTER_PRESET: Preset = Preset {
    name: "openrouter",
    doc: "OpenRouter, one account for the models of many vendors.",
    base_url: "\"https://openrouter.ai/api/v1\"",
    model: "\"openai/gpt-4.1-mini\"",
    key_variables: &["OPENROUTER_API_KEY"],
    ..PLAIN
};

const LITELLM_PRESET: Preset = Preset {
    name: "litellm",
    doc: "LiteLLM, a proxy of one's own to models that speak other protocols.",
    base_url: "\"http://localhost:4000/v1\"",
    model: "\"gpt-4.1-mini\"",
    key_variables: &["LITELLM_API_KEY"],
    ..PLAIN
};

const VLLM_PRESET: Preset = Preset {
    name: "vllm",
    doc: "vLLM; start it with `--enable-auto-tool-choice --tool-call-parser …`.",
    base_url: "\"http://localhost:8000/v1\"",
    model: "\"meta-llama/Llama-3.1-8B-Instruct\"",
    key_variables: &["VLLM_API_KEY"],
    ..PLAIN
};

const OLLAMA_PRESET: Preset = Preset {
    name: "ollama",
    doc: "Ollama; start it with `OLLAMA_CONTEXT_LENGTH=16384`.",
    base_url: "\"http://localhost:11434/v1\"",
    model: "\"llama3.1\"",
    ..PLAIN
};

const LLAMA_CPP_PRESET: Preset = Preset {
    name: "llama-cpp",
    doc: "llama.cpp: `llama-server --jinja --port 8085 -m MODEL.gguf`.",
    base_url: "\"http://localhost:8085/v1\"",
    model: "\"default\"",
    key_variables: &["LLAMA_API_KEY"],
    ..PLAIN
};

/// Declares the kind of a preset.
macro_rules! kind {
    ($preset:ident) => {
        Kind {
            name: $preset.name,
            doc: $preset.doc,
            fields: &fields(&$preset),
            read: |name, reader| {
                const FIELDS: &[Field] = &fields(&$preset);
                let settings = Settings::read(reader.with_defaults(FIELDS));
                provider(name, settings, |name, settings| open(&$preset, name, settings))
            },
        }
    };
}

/// OpenAI, or any server that speaks its chat completions.
pub const OPENAI: Kind = kind!(OPENAI_PRESET);
/// Azure OpenAI.
pub const AZURE: Kind = kind!(AZURE_PRESET);
/// Groq.
pub const GROQ: Kind = kind!(GROQ_PRESET);
/// Mistral.
pub const MISTRAL: Kind = kind!(MISTRAL_PRESET);
/// OpenRouter.
pub const OPENROUTER: Kind = kind!(OPENROUTER_PRESET);
/// LiteLLM.
pub const LITELLM: Kind = kind!(LITELLM_PRESET);
/// vLLM.
pub const VLLM: Kind = kind!(VLLM_PRESET);
/// Ollama.
pub const OLLAMA: Kind = kind!(OLLAMA_PRESET);
/// llama.cpp.
pub const LLAMA_CPP: Kind = kind!(LLAMA_CPP_PRESET);

/// All kinds of this table.
pub const ALL: &[&Kind] =
    &[&OPENAI, &AZURE, &GROQ, &MISTRAL, &OPENROUTER, &LITELLM, &VLLM, &OLLAMA, &LLAMA_CPP];

impl Preset {
    /// The preset of the kind `openai`.
    pub(super) const OPENAI: Self = OPENAI_PRESET;

    /// Returns the kind of the preset.
    pub(super) fn kind(&self) -> &'static Kind {
        ALL.iter().find(|kind| kind.name == self.name).expect("each preset is in the list")
    }
}

const FIELDS: usize = Settings::FIELDS.len();

/// Returns the settings with the preset's defaults.
const fn fields(preset: &Preset) -> [Field; FIELDS] {
    let mut fields = [Settings::FIELDS[0]; FIELDS];
    let mut n = 1;
    while n < FIELDS {
        fields[n] = Settings::FIELDS[n];
        n += 1;
    }
    // A test holds that these are they.
    fields[0].default = preset.base_url;
    fields[1].default = preset.model;
    fields[2].variables = preset.key_variables;
    fields[4].default = preset.key_header;
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P04: each preset sets the defaults that it means to, and all names and key variables differ.
    #[test]
    fn presets_set_their_defaults() {
        let keys = Settings::FIELDS.iter().map(|field| field.key).take(5).collect::<Vec<_>>();
        assert_eq!(keys, ["base_url", "model", "api_key", "api_key_file", "api_key_header"]);
        let mut seen = std::collections::BTreeSet::new();
        for kind in ALL {
            assert!(seen.insert(kind.name), "{} twice", kind.name);
            let [base_url, _, api_key, ..] = kind.fields else { panic!("{}", kind.name) };
            assert!(seen.insert(base_url.default), "{} twice", base_url.default);
            for variable in api_key.variables {
                assert!(seen.insert(variable), "{variable} twice");
            }
        }
    }
}
