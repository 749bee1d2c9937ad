//! The voices of Cartesia, over its WebSocket: a context for each segment.
//!
//! The times of words that come beside the sound tell whether it is at the rate that was asked for.
//!
//! After <https://docs.cartesia.ai/api-reference/tts/websocket>,
//! <https://docs.cartesia.ai/use-the-api/api-errors>,
//! <https://docs.cartesia.ai/use-the-api/concurrency-limits-and-timeouts> and Cartesia's own client
//! (github.com/cartesia-ai/cartesia-python 4.0.1: `types/generation_request.py`,
//! `types/websocket_response.py`).

use std::{path::PathBuf, sync::Arc, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use futures_util::stream::BoxStream;
use serde::Deserialize;
use serde_json::json;

use super::{
    ProviderError, Tts,
    http::{Access, Header, Names, Refusal, Site},
    kind::{Kind, Offer, Place, Provider},
    sound_samples::{Aligned, Part, RATE},
    tts_socket::{Dialect, Heard, Said, SocketVoice},
    tts_wire::{Limits, WireVoice, works},
    usage::Vendor,
};
use crate::settings::{Secret, Section, rules, settings};
use audio::Pcm48;
use interview::blueprint::Language;

/// The version of the interface that is spoken here; without one there is no answer.
const VERSION: &str = "2026-03-01";
/// How long a connection is kept: less than the five minutes after which the server closes it.
const IDLE_LIMIT: Duration = Duration::from_secs(280);
/// The longest times of words that are believed, in seconds.
const TIME_MAX: f64 = 1e4;

settings! {
    /// A voice of Cartesia's.
    pub struct Settings {
        /// Where it is; `/tts/websocket` is added to its path, its query is kept and goes before ours.
        base_url: url::Url = "wss://api.cartesia.ai", rules::WEBSOCKET_URL;
        /// The model's name, as Cartesia knows it.
        model: String = "sonic-3.5", rules::name("the name of a model");
        /// The voice's id, as Cartesia knows it.
        voice: String = "6ccbfb76-1fc6-48f7-b71d-91ac6298247b", rules::name("the id of a voice");
        /// What it speaks, as Cartesia names it.
        language: String = "en", rules::name("a language such as en");
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "CARTESIA_API_KEY";
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

/// The kind of providers that use Cartesia.
pub const KIND: Kind = Kind {
    name: "cartesia",
    doc: "Cartesia speaks.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Place::server(&name, &settings, check);
        let tts = Offer::<dyn Tts>::new(place, move |_| Ok(Arc::new(Cartesia::new(&name, &open)?)));
        Provider { tts: Some(tts), ..Provider::new(settings) }
    },
};

/// Checks the server by speaking a real sentence.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let began = Cartesia::new(&name, &settings)?.voice.check().await?;
    Ok(works(&settings.voice, &settings.model, &settings.base_url, began))
}

/// A voice of Cartesia's. All interviews share the connections and the cached sound.
#[derive(Clone)]
pub struct Cartesia {
    voice: WireVoice,
    language: String,
}

impl Cartesia {
    /// Returns the voice of a provider. Reads the key and the certificate; makes no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let site = Arc::new(Site::new(&Access {
            names: Names::new(&KIND, name, "voice", "", &["model", "voice", "language"]),
            base_url: &config.base_url,
            path: "/tts/websocket",
            query: &[("cartesia_version", VERSION)],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Bearer,
            ca_file: config.ca_file.as_deref(),
        })?);
        let limits = Limits {
            first_byte: config.first_byte_limit,
            stall: config.stall_limit,
            segment: config.segment_limit,
        };
        let messages = Messages {
            model: config.model.clone(),
            voice: config.voice.clone(),
            language: config.language.clone(),
        };
        let protocol = SocketVoice::new(site.clone(), messages);
        let voice = WireVoice::new(site, protocol, &config.voice, limits);
        Ok(Self { voice, language: config.language.to_lowercase() })
    }
}

impl Tts for Cartesia {
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
        self.language.starts_with(language.code())
    }
}

/// The messages of Cartesia.
struct Messages {
    model: String,
    voice: String,
    language: String,
}

impl Dialect for Messages {
    fn ask(&self, context: &str, text: &str) -> Vec<String> {
        let request = json!({
            "context_id": context,
            "model_id": self.model,
            "transcript": text,
            "voice": { "mode": "id", "id": self.voice },
            "language": self.language,
            "output_format": { "container": "raw", "encoding": "pcm_s16le", "sample_rate": RATE },
            "add_timestamps": true,
            "continue": false,
        });
        vec![request.to_string()]
    }

    fn read(&self, message: &str) -> Option<Heard> {
        let wire: Wire = serde_json::from_str(message).ok()?;
        let (context, said) = match wire {
            Wire::Chunk { context_id, data, done } => {
                let sound = BASE64_STANDARD.decode(data).ok()?;
                let part = Part { sound: sound.into(), aligned: None };
                (context_id, if done { Said::Last(part) } else { Said::Part(part) })
            }
            Wire::Timestamps { context_id, word_timestamps } => {
                let part =
                    Part { aligned: word_timestamps.and_then(Times::end), ..Part::default() };
                (context_id, Said::Part(part))
            }
            Wire::Done { context_id } => (context_id, Said::Last(Part::default())),
            Wire::Error { context_id, status_code, error_code, title, message, error } => {
                let reason = message.or(title).or(error).unwrap_or_default();
                let refusal = Refusal::new(&error_code.unwrap_or_default(), &reason);
                (context_id, Said::Refused(status_code.unwrap_or(500), refusal))
            }
            Wire::Other => (None, Said::Other),
        };
        Some(Heard { context, said })
    }

    fn idle_limit(&self) -> Duration {
        IDLE_LIMIT
    }
}

/// A message as the server writes it.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Wire {
    Chunk {
        context_id: Option<String>,
        data: String,
        #[serde(default)]
        done: bool,
    },
    Timestamps {
        context_id: Option<String>,
        word_timestamps: Option<Times>,
    },
    Done {
        context_id: Option<String>,
    },
    Error {
        context_id: Option<String>,
        status_code: Option<u16>,
        error_code: Option<String>,
        title: Option<String>,
        message: Option<String>,
        /// The words of servers before 2026-03-01.
        error: Option<String>,
    },
    #[serde(other)]
    Other,
}

/// The times of words, in seconds of the context's sound.
#[derive(Deserialize)]
struct Times {
    end: Vec<f64>,
}

impl Times {
    fn end(self) -> Option<Aligned> {
        let end = self.end.last().copied().filter(|end| (0.0..TIME_MAX).contains(end))?;
        Some(Aligned::FromBeginning(Duration::from_secs_f64(end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P06, P10: messages are read as Cartesia documents them; other texts are refused.
    #[test]
    fn messages_are_read() {
        let messages =
            Messages { model: String::new(), voice: String::new(), language: String::new() };
        let heard = |said| Some(Heard { context: Some("c".to_owned()), said });
        let part = |sound: &[u8], aligned| Part { sound: sound.to_vec().into(), aligned };
        let words = r#"{"type":"timestamps","context_id":"c","done":false,"status_code":206,
            "word_timestamps":{"words":["Hi","you"],"start":[0.0,0.5],"end":[0.4,0.9]}}"#;
        let refusal = Refusal::new("concurrency_limited", "Too many");
        let aligned = Some(Aligned::FromBeginning(Duration::from_millis(900)));
        for (text, read) in [
            (
                r#"{"type":"chunk","data":"AQID","done":false,"status_code":206,"context_id":"c"}"#,
                heard(Said::Part(part(&[1, 2, 3], None))),
            ),
            (words, heard(Said::Part(part(&[], aligned)))),
            (r#"{"type":"done","done":true,"context_id":"c"}"#, heard(Said::Last(Part::default()))),
            (
                r#"{"type":"error","status_code":429,"error_code":"concurrency_limited","title":"T",
                    "message":"Too many","context_id":"c","done":true}"#,
                heard(Said::Refused(429, refusal)),
            ),
            (
                r#"{"type":"flush_done","flush_id":1,"context_id":"c"}"#,
                Some(Heard { context: None, said: Said::Other }),
            ),
            (
                r#"{"type":"timestamps","context_id":"c","word_timestamps":{"end":[1e300]}}"#,
                heard(Said::Part(Part::default())),
            ),
            (r#"{"type":"chunk","data":"no base64!","context_id":"c"}"#, None),
            (r#"{"type":"chunk","data":"AQ"#, None),
            (r#"{"data":"AQID"}"#, None),
            ("[]", None),
        ] {
            assert_eq!(messages.read(text), read, "{text}");
        }
    }
}
