//! The voices of ElevenLabs, over its WebSocket of several contexts
//! (`/v1/text-to-speech/VOICE/multi-stream-input`): a context for each segment, so that a connection is used
//! again. `stream-input`, which has one context, closes its connection with each text.
//!
//! The times of characters that come with the sound tell whether it is at the rate that was asked for.
//!
//! After <https://elevenlabs.io/docs/api-reference/websocket>, ElevenLabs' own client
//! (github.com/elevenlabs/elevenlabs-python: `types/websocket_tts_client_message_multi.py`,
//! `types/websocket_tts_server_message_multi.py`, `types/alignment.py`), and what its servers answer where
//! they refuse (<https://help.elevenlabs.io/hc/en-us/articles/19572237925521>,
//! github.com/livekit/agents-js/issues/1985).

use std::{path::PathBuf, sync::Arc, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use futures_util::stream::BoxStream;
use serde::Deserialize;
use serde_json::json;

use super::{
    ProviderError, Tts,
    http::{Access, Header, Names, Refusal, Site},
    kind::{Kind, Offer, Place, Provider},
    sound_samples::{Aligned, Part},
    tts_socket::{Dialect, Heard, Said, SocketVoice},
    tts_wire::{Limits, WireVoice, works},
    usage::Vendor,
};
use crate::settings::{Kind as ValueKind, Rule, Secret, Section, rules, settings};
use audio::Pcm48;
use interview::blueprint::Language;

/// The rule for the id of a voice, which is a part of the address.
const VOICE_ID: Rule<String> = Rule {
    kind: ValueKind::Text,
    expected: "the id of a voice, which is letters and digits",
    parse: |text| {
        let is_id = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_id.then(|| text.to_owned())
    },
};
/// How long the server keeps a connection that is not used: 180 s is the most that can be asked for.
const INACTIVITY_SECONDS: &str = "180";
/// How long a connection is kept: a little less than the server keeps it.
const IDLE_LIMIT: Duration = Duration::from_secs(170);

settings! {
    /// A voice of ElevenLabs.
    pub struct Settings {
        /// Where it is; `/v1/text-to-speech/…` is added to its path, its query is kept and goes before ours.
        base_url: url::Url = "wss://api.elevenlabs.io", rules::WEBSOCKET_URL;
        /// The model's name, as ElevenLabs knows it.
        model: String = "eleven_flash_v2_5", rules::name("the name of a model");
        /// The voice's id, as ElevenLabs knows it.
        voice: String = "JBFqnCBsd6RMkjVDRZzb", VOICE_ID;
        /// What it speaks, such as en; empty: the language of the text. Only for models that take one.
        language: String = "", rules::TEXT;
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "ELEVENLABS_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// From a segment's request to its first sound, one retry included.
        first_byte_limit: Duration = "3s", rules::DURATION;
        /// Between two pieces of its sound.
        stall_limit: Duration = "3s", rules::DURATION;
        /// All the time that the server is waited for, for one segment.
        segment_limit: Duration = "60s", rules::DURATION;
    }
}

/// The kind of providers that use ElevenLabs.
pub const KIND: Kind = Kind {
    name: "elevenlabs",
    doc: "ElevenLabs speaks.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Place::server(&name, &settings, check);
        let tts =
            Offer::<dyn Tts>::new(place, move |_| Ok(Arc::new(ElevenLabs::new(&name, &open)?)));
        Provider { tts: Some(tts), ..Provider::new(settings) }
    },
};

/// Checks the server by speaking a real sentence.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let began = ElevenLabs::new(&name, &settings)?.voice.check().await?;
    Ok(works(&settings.voice, &settings.model, &settings.base_url, began))
}

/// A voice of ElevenLabs. All interviews share the connections and the cached sound.
#[derive(Clone)]
pub struct ElevenLabs {
    voice: WireVoice,
    model: String,
    language: String,
}

impl ElevenLabs {
    /// Returns the voice of a provider. Reads the key and the certificate; makes no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let mut query = vec![
            ("model_id", config.model.as_str()),
            ("output_format", "pcm_24000"),
            ("inactivity_timeout", INACTIVITY_SECONDS),
            ("sync_alignment", "true"),
        ];
        if !config.language.is_empty() {
            query.push(("language_code", &config.language));
        }
        let site = Arc::new(Site::new(&Access {
            names: Names::new(&KIND, name, "voice", "", &["model", "voice"]),
            base_url: &config.base_url,
            path: &format!("/v1/text-to-speech/{}/multi-stream-input", config.voice),
            query: &query,
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Named("xi-api-key"),
            ca_file: config.ca_file.as_deref(),
        })?);
        let limits = Limits {
            first_byte: config.first_byte_limit,
            stall: config.stall_limit,
            segment: config.segment_limit,
        };
        let protocol = SocketVoice::new(site.clone(), Messages);
        let voice = WireVoice::new(site, protocol, &config.voice, limits);
        let (model, language) = (config.model.clone(), config.language.to_lowercase());
        Ok(Self { voice, model, language })
    }
}

impl Tts for ElevenLabs {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        self.voice.synthesize(text)
    }

    fn vendor(&self) -> Option<Vendor> {
        Some(self.voice.vendor())
    }

    fn characters(&self, text: &str) -> usize {
        self.voice.characters(text)
    }

    fn speaks(&self, language: Language) -> bool {
        if !self.language.is_empty() {
            return self.language.starts_with(language.code());
        }
        let is_english = matches!(
            self.model.as_str(),
            "eleven_flash_v2" | "eleven_turbo_v2" | "eleven_monolingual_v1"
        );
        !is_english || language == Language::English
    }
}

/// The messages of ElevenLabs.
struct Messages;

impl Dialect for Messages {
    fn ask(&self, context: &str, text: &str) -> Vec<String> {
        // A context begins with a blank, and each text ends with one. After the flush nothing follows.
        let messages = [
            json!({ "context_id": context, "text": " " }),
            json!({ "context_id": context, "text": format!("{text} "), "flush": true }),
            json!({ "context_id": context, "close_context": true }),
        ];
        messages.iter().map(ToString::to_string).collect()
    }

    fn read(&self, message: &str) -> Option<Heard> {
        let wire: Wire = serde_json::from_str(message).ok()?;
        let context = wire.context;
        if let Some(error) = wire.error {
            let reason = wire.message.as_deref().unwrap_or(&error);
            let refusal = Refusal::new(&error, reason);
            return Some(Heard {
                context,
                said: Said::Refused(status(&error, wire.code), refusal),
            });
        }
        let sound = BASE64_STANDARD.decode(wire.audio.as_deref().unwrap_or_default()).ok()?;
        let aligned = wire.alignment.or(wire.normalized).and_then(|times| times.end());
        let part = Part { sound: sound.into(), aligned };
        let said = match (wire.is_final, wire.audio) {
            (Some(true), _) => Said::Last(part),
            (_, Some(_)) => Said::Part(part),
            // Some messages only say who they are about.
            (_, None) if context.is_some() => Said::Other,
            (_, None) => return None,
        };
        Some(Heard { context, said })
    }

    fn idle_limit(&self) -> Duration {
        IDLE_LIMIT
    }
}

/// Returns the HTTP status that says the same as an error of the stream.
fn status(error: &str, code: Option<u16>) -> u16 {
    match error {
        "quota_exceeded" => 402,
        "invalid_api_key"
        | "missing_permissions"
        | "needs_authorization"
        | "unauthorized"
        | "authentication_error" => 401,
        "max_active_conversations"
        | "rate_limit_exceeded"
        | "too_many_concurrent_requests"
        | "concurrent_limit_exceeded" => 429,
        "system_busy" => 503,
        // The code of a WebSocket for a request that is against the rules.
        _ if code == Some(1008) => 400,
        _ => 500,
    }
}

/// A message as the server writes it.
#[derive(Deserialize)]
struct Wire {
    audio: Option<String>,
    #[serde(rename = "isFinal")]
    is_final: Option<bool>,
    #[serde(rename = "contextId")]
    context: Option<String>,
    alignment: Option<Times>,
    #[serde(rename = "normalizedAlignment")]
    normalized: Option<Times>,
    error: Option<String>,
    message: Option<String>,
    code: Option<u16>,
}

/// The times of characters, in ms of the sound that they come with.
#[derive(Deserialize)]
struct Times {
    #[serde(rename = "charStartTimesMs")]
    starts: Option<Vec<u64>>,
    #[serde(rename = "charDurationsMs", alias = "charsDurationsMs")]
    lengths: Option<Vec<u64>>,
}

impl Times {
    fn end(self) -> Option<Aligned> {
        let (start, length) = (*self.starts?.last()?, *self.lengths?.last()?);
        Some(Aligned::FromHere(Duration::from_millis(start.saturating_add(length))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P06, P10: messages are read as ElevenLabs documents them; other texts are refused.
    #[test]
    fn messages_are_read() {
        let heard = |said| Some(Heard { context: Some("c".to_owned()), said });
        let sound = json!({ "audio": "AQID", "contextId": "c", "isFinal": null, "normalizedAlignment": null,
            "alignment": { "charStartTimesMs": [0, 30], "charDurationsMs": [30, 50], "chars": ["H", "i"] } });
        let aligned = Some(Aligned::FromHere(Duration::from_millis(80)));
        let part = Part { sound: vec![1, 2, 3].into(), aligned };
        let quota = json!({ "message": "Out of\nit", "error": "quota_exceeded", "code": 1008 });
        let refusal = Refusal::new("quota_exceeded", "Out of");
        for (text, read) in [
            (sound.to_string(), heard(Said::Part(part))),
            (r#"{"isFinal":true,"contextId":"c"}"#.to_owned(), heard(Said::Last(Part::default()))),
            (r#"{"contextId":"c"}"#.to_owned(), heard(Said::Other)),
            (quota.to_string(), Some(Heard { context: None, said: Said::Refused(402, refusal) })),
            (r#"{"audio":"no base64!","contextId":"c"}"#.to_owned(), None),
            (r#"{"audio":"AQ"#.to_owned(), None),
            ("{}".to_owned(), None),
            ("[]".to_owned(), None),
        ] {
            assert_eq!(Messages.read(&text), read, "{text}");
        }
    }

    /// P06: a model or a language that is set says what a voice speaks.
    #[test]
    fn languages_follow_from_the_settings() {
        for (model, language, speaks_german) in [
            ("eleven_flash_v2_5", "", true),
            ("eleven_flash_v2", "", false),
            ("eleven_flash_v2_5", "de", true),
            ("eleven_flash_v2_5", "en", false),
        ] {
            let (model, language) = (model.to_owned(), language.to_owned());
            let api_key = Secret::new("k");
            let config = Settings { model, language, api_key, ..Settings::default() };
            let voice = ElevenLabs::new("elevenlabs", &config).unwrap();
            assert_eq!(voice.speaks(Language::German), speaks_german, "{config:?}");
        }
    }
}
