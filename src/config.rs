//! The configuration: `config/default.toml`, a file on top of it, the environment on top of both.
//!
//! Every problem is found in one go and is one sentence, with file and line where there is one.

mod choices;
mod layers;
mod vendors;

use std::{fmt, net::SocketAddr, path::PathBuf, time::Duration};

pub use choices::{
    Admission, ConsentTaken, HibariVoice, IceTransportPolicy, KeyHeader, Llm, LogFormat, Stt, Tts,
    TurnDetection, Vad,
};
use layers::Layers;
pub use vendors::{Deepgram, OpenAiSpeech};

/// All settings, checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// The LiveKit server.
    pub livekit: LiveKit,
    /// The agent worker.
    pub worker: Worker,
    /// The web server.
    pub web: Web,
    /// Where interviews are kept.
    pub data_dir: PathBuf,
    /// Whether their sound is kept, too.
    pub recording: Recording,
    /// A folder of blueprints, instead of those beside or in the binary.
    pub agents_dir: Option<PathBuf>,
    /// A file of roles and levels, instead of the one beside or in the binary.
    pub roles_file: Option<PathBuf>,
    /// What hears, thinks and speaks.
    pub speech: Speech,
    /// The model, where it is a server.
    pub llm: ChatModel,
    /// How long providers take on virtual time.
    pub lockstep: Lockstep,
    /// What is logged, and how.
    pub log: Log,
    /// Where spans of interviews go.
    pub telemetry: Telemetry,
}

/// The LiveKit server and our key to it.
#[derive(Clone, Debug)]
pub struct LiveKit {
    /// Where we reach it: `ws://` or `wss://`.
    pub url: String,
    /// Where browsers reach it.
    pub public_url: String,
    /// Empty if none is set.
    pub api_key: String,
    /// Empty if none is set.
    pub api_secret: Secret,
    /// Which ways media may take.
    pub ice_transport_policy: IceTransportPolicy,
}

/// The agent worker.
#[derive(Clone, Debug)]
pub struct Worker {
    /// What a dispatch names.
    pub agent_name: String,
    /// Interviews at a time.
    pub slots: usize,
    /// What decides whether one more interview fits.
    pub admission: Admission,
    /// How long interviews may go on after SIGTERM.
    pub drain_limit: Duration,
    /// For jobs that name no interview of ours.
    pub blueprint: String,
    /// Where health and metrics are served.
    pub health: SocketAddr,
}

/// The web server.
#[derive(Clone, Debug)]
pub struct Web {
    /// Where it listens.
    pub listen: SocketAddr,
    /// How long a candidate's link works.
    pub link_lifetime: Duration,
}

/// Recording of both sides' sound.
#[derive(Clone, Copy, Debug)]
pub struct Recording {
    /// Whether there is any.
    pub enabled: bool,
    /// Where candidates agree to it.
    pub consent: ConsentTaken,
}

/// Which providers an interview uses.
#[derive(Clone, Debug)]
pub struct Speech {
    /// Tells voice from noise.
    pub vad: Vad,
    /// How strict libfvad is, 0 to 3.
    pub webrtc_mode: u8,
    /// Hears in the sound whether somebody has finished.
    pub turn_detector: TurnDetection,
    /// The folder of model files, if it is not in the user's cache.
    pub models_dir: Option<PathBuf>,
    /// Whether noise is taken out of what the detector hears.
    pub suppresses_noise: bool,
    /// Makes text of speech.
    pub stt: Stt,
    /// Talks.
    pub llm: Llm,
    /// Makes speech of text.
    pub tts: Tts,
    /// The voice's name, as flite knows it.
    pub voice: String,
    /// The voice, where it is one of Hibari's.
    pub hibari_voice: HibariVoice,
    /// Whether model and voice begin before it is sure that the candidate has finished.
    pub speculates: bool,
    /// The recogniser, where it is Deepgram.
    pub deepgram: Deepgram,
    /// The voice, where it is a server.
    pub openai: OpenAiSpeech,
}

/// A model behind a server that speaks OpenAI's chat completions.
#[derive(Clone, Debug)]
pub struct ChatModel {
    /// Where; `/chat/completions` is added to its path, its query is kept.
    pub base_url: url::Url,
    /// The model's name, as the server knows it.
    pub model: String,
    /// Empty if none is set.
    pub api_key: Secret,
    /// A file that holds the key instead.
    pub api_key_file: Option<PathBuf>,
    /// How the key is sent.
    pub api_key_header: KeyHeader,
    /// A certificate in PEM to be trusted beside those of the system.
    pub ca_file: Option<PathBuf>,
    /// A reply is never worded more freely.
    pub temperature_max: f32,
    /// From a reply's request to its first word, with one retry.
    pub first_token_limit: Duration,
    /// Between two pieces of a reply.
    pub stall_limit: Duration,
    /// A whole reply.
    pub reply_limit: Duration,
    /// A whole judgement, which nobody waits for.
    pub judge_limit: Duration,
    /// Tokens of one answer of the model.
    pub answer_tokens_max: u32,
    /// Tokens of all calls of one interview, in and out.
    pub tokens_max: u64,
}

/// Constant latencies of a replay on virtual time.
#[derive(Clone, Copy, Debug)]
pub struct Lockstep {
    /// From request to first words.
    pub llm: Duration,
    /// From text to first sound.
    pub tts: Duration,
    /// From an answer to what the judge finds in it.
    pub judge: Duration,
}

/// What is logged, and how.
#[derive(Clone, Debug)]
pub struct Log {
    /// Directives of `tracing_subscriber::EnvFilter`.
    pub filter: String,
    /// How a line looks.
    pub format: LogFormat,
    /// Whether fields under `pii.` are logged.
    pub personal: bool,
}

/// Where spans of interviews go.
#[derive(Clone, Debug)]
pub struct Telemetry {
    /// The address of a collector that takes OTLP over HTTP; without one no spans are made.
    pub otlp_endpoint: Option<url::Url>,
}

/// A text that no log shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for whoever signs with it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "unset" } else { "secret" })
    }
}

/// Everything that is wrong with the configuration, one sentence each.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct Problems(pub Vec<String>);

/// A file of settings: its name, for messages, and its text.
pub type File<'a> = (&'a str, &'a str);

impl Config {
    /// Reads the defaults, a file and the variables of an environment; later ones win.
    pub fn read(
        file: Option<File<'_>>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Problems> {
        let mut layers = Layers::new();
        if let Some((name, text)) = file {
            layers.add_file(name, text);
        }
        layers.add_environment(environment);
        let config = Self::from_layers(&mut layers);
        if layers.problems.is_empty() { Ok(config) } else { Err(Problems(layers.problems)) }
    }

    fn from_layers(layers: &mut Layers) -> Self {
        Self {
            livekit: LiveKit::from_layers(layers),
            worker: Worker::from_layers(layers),
            web: Web::from_layers(layers),
            data_dir: layers
                .read("data.dir", "a folder", |text| non_empty(text).map(PathBuf::from)),
            recording: Recording {
                enabled: layers
                    .read("recording.enabled", "true or false", |text| text.parse().ok()),
                consent: layers.read(
                    "recording.consent",
                    ConsentTaken::EXPECTED,
                    ConsentTaken::parse,
                ),
            },
            agents_dir: layers.read("agents.dir", "a folder", file),
            roles_file: layers.read("agents.roles", "a file", file),
            speech: Speech {
                vad: layers.read("speech.vad", Vad::EXPECTED, Vad::parse),
                webrtc_mode: layers.read("speech.webrtc_mode", "0, 1, 2 or 3", |text| {
                    text.parse().ok().filter(|mode| *mode <= 3)
                }),
                turn_detector: layers.read(
                    "speech.turn_detector",
                    TurnDetection::EXPECTED,
                    TurnDetection::parse,
                ),
                models_dir: layers.read("speech.models_dir", "a folder", file),
                suppresses_noise: layers
                    .read("speech.suppresses_noise", "true or false", |text| text.parse().ok()),
                stt: layers.read("speech.stt", Stt::EXPECTED, Stt::parse),
                llm: layers.read("speech.llm", Llm::EXPECTED, Llm::parse),
                tts: layers.read("speech.tts", Tts::EXPECTED, Tts::parse),
                voice: layers.read("speech.voice", "the name of a voice", non_empty),
                hibari_voice: layers.read(
                    "speech.hibari_voice",
                    HibariVoice::EXPECTED,
                    HibariVoice::parse,
                ),
                speculates: layers
                    .read("speech.speculates", "true or false", |text| text.parse().ok()),
                deepgram: Deepgram::from_layers(layers),
                openai: OpenAiSpeech::from_layers(layers),
            },
            llm: ChatModel::from_layers(layers),
            lockstep: Lockstep {
                llm: layers.read("lockstep.llm", DURATION, duration),
                tts: layers.read("lockstep.tts", DURATION, duration),
                judge: layers.read("lockstep.judge", DURATION, duration),
            },
            log: Log {
                filter: layers.read("log.filter", "directives such as `info`", |text| {
                    text.parse::<tracing_subscriber::EnvFilter>().ok().map(|_| text.to_owned())
                }),
                format: layers.read("log.format", LogFormat::EXPECTED, LogFormat::parse),
                personal: layers.read("log.personal", "true or false", |text| text.parse().ok()),
            },
            telemetry: Telemetry {
                otlp_endpoint: layers.read("telemetry.otlp_endpoint", HTTP_URL, |text| {
                    if text.is_empty() { Some(None) } else { http_url(text).map(Some) }
                }),
            },
        }
    }
}

impl LiveKit {
    fn from_layers(layers: &mut Layers) -> Self {
        const EXPECTED: &str = "an address that begins with ws:// or wss://";
        let url = layers.read("livekit.url", EXPECTED, websocket_url);
        let public_url = layers.read("livekit.public_url", EXPECTED, |text| {
            if text.is_empty() { Some(url.clone()) } else { websocket_url(text) }
        });
        Self {
            url,
            public_url,
            api_key: layers.read("livekit.api_key", "a text", |text| Some(text.to_owned())),
            api_secret: layers.read("livekit.api_secret", "a text", |text| Some(Secret::new(text))),
            ice_transport_policy: layers.read(
                "livekit.ice_transport_policy",
                IceTransportPolicy::EXPECTED,
                IceTransportPolicy::parse,
            ),
        }
    }
}

impl Worker {
    fn from_layers(layers: &mut Layers) -> Self {
        Self {
            agent_name: layers.read("worker.agent_name", "a name", non_empty),
            slots: layers.read("worker.slots", "a whole number from 1 to 1000", |text| {
                text.parse().ok().filter(|slots| (1..=1_000).contains(slots))
            }),
            admission: layers.read("worker.admission", Admission::EXPECTED, Admission::parse),
            drain_limit: layers.read("worker.drain_limit", DURATION, duration),
            blueprint: layers.read("worker.blueprint", "the name of a blueprint", non_empty),
            health: layers.read("worker.health", ADDRESS, |text| text.parse().ok()),
        }
    }
}

impl Web {
    fn from_layers(layers: &mut Layers) -> Self {
        Self {
            listen: layers.read("web.listen", ADDRESS, |text| text.parse().ok()),
            link_lifetime: layers.read("web.link_lifetime", DURATION, duration),
        }
    }
}

impl ChatModel {
    fn from_layers(layers: &mut Layers) -> Self {
        const COUNT: &str = "a whole number from 1";
        Self {
            base_url: layers.read("llm.base_url", HTTP_URL, http_url),
            model: layers.read("llm.model", "the name of a model", non_empty),
            api_key: layers.read("llm.api_key", "a text", |text| Some(Secret::new(text))),
            api_key_file: layers.read("llm.api_key_file", "a file", file),
            api_key_header: layers.read(
                "llm.api_key_header",
                KeyHeader::EXPECTED,
                KeyHeader::parse,
            ),
            ca_file: layers.read("llm.ca_file", "a file", file),
            temperature_max: layers.read("llm.temperature_max", "a number from 0 to 2", |text| {
                text.parse().ok().filter(|t| (0.0..=2.0).contains(t))
            }),
            first_token_limit: layers.read("llm.first_token_limit", DURATION, duration),
            stall_limit: layers.read("llm.stall_limit", DURATION, duration),
            reply_limit: layers.read("llm.reply_limit", DURATION, duration),
            judge_limit: layers.read("llm.judge_limit", DURATION, duration),
            answer_tokens_max: layers
                .read("llm.answer_tokens_max", COUNT, |text| text.parse().ok().filter(|n| *n > 0)),
            tokens_max: layers
                .read("llm.tokens_max", COUNT, |text| text.parse().ok().filter(|n| *n > 0)),
        }
    }
}

const HTTP_URL: &str = "an address that begins with http:// or https://";
const ADDRESS: &str = "an address and a port such as 127.0.0.1:8080";
const DURATION: &str = "a duration such as \"45s\" or \"10m\"";

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn file(text: &str) -> Option<Option<PathBuf>> {
    Some(non_empty(text).map(PathBuf::from))
}

fn duration(text: &str) -> Option<Duration> {
    text.parse::<jiff::SignedDuration>().ok()?.try_into().ok()
}

fn websocket_url(text: &str) -> Option<String> {
    let url = url::Url::parse(text).ok()?;
    (matches!(url.scheme(), "ws" | "wss") && url.has_host()).then(|| trimmed(text))
}

fn http_url(text: &str) -> Option<url::Url> {
    let url = url::Url::parse(text).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

fn trimmed(url: &str) -> String {
    url.trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
        let environment = environment.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Config::read(Some(("my.toml", file)), environment).map_err(|problems| problems.to_string())
    }

    /// N07: a setting that is nearly written as one is none that nobody reads; other names are others'.
    #[test]
    fn one_underscore_is_too_few() {
        let problem = read("", &[("VIVAVOCE_WORKER_SLOTS", "8")]).unwrap_err();
        assert_eq!(
            problem,
            "VIVAVOCE_WORKER_SLOTS: write VIVAVOCE_WORKER__SLOTS, with two underscores"
        );
        let others = ["VIVAVOCE_LIVEKIT_SERVER", "VIVAVOCE_RECORDINGS", "VIVAVOCE_SEED"];
        read("", &others.map(|name| (name, "x"))).unwrap();
    }

    /// N05, R10: the defaults are right, `public_url` follows the address, and nobody is recorded.
    #[test]
    fn the_defaults_are_a_configuration() {
        let config = Config::read(None, []).unwrap();
        assert_eq!(config.worker.drain_limit, Duration::from_secs(600));
        assert_eq!(config.livekit.public_url, "ws://127.0.0.1:7880");
        assert_eq!(config.agents_dir, None);
        assert!(!config.recording.enabled);
        assert_eq!(config.recording.consent, ConsentTaken::Page);
    }

    /// N05: file over default, LIVEKIT_… over file, VIVAVOCE_… over all.
    #[test]
    fn later_layers_win() {
        let file = "[livekit]\nurl = \"wss://file/\"\napi_key = \"file\"\n[worker]\nslots = 2";
        let environment = [
            ("VIVAVOCE_LIVEKIT__API_KEY", "ours"),
            ("LIVEKIT_API_KEY", "theirs"),
            ("LIVEKIT_PUBLIC_URL", "wss://public"),
            ("VIVAVOCE_DATA", "/somewhere"),
            ("VIVAVOCE_RECORDINGS", "no setting of this file"),
        ];
        let config = read(file, &environment).unwrap();
        assert_eq!(config.livekit.url, "wss://file");
        assert_eq!(config.livekit.api_key, "ours");
        assert_eq!(config.livekit.public_url, "wss://public");
        assert_eq!(config.worker.slots, 2);
        assert_eq!(config.data_dir, PathBuf::from("/somewhere"));
    }

    /// N05: all problems at once, each with its place and what would be right.
    #[test]
    fn every_problem_is_named_with_its_place() {
        let file = "[worker]\nslots = 0\nslot = 3\ndrain_limit = 10\n\n[speach]\nvad = \"x\"\n[log]\nformat = \"xml\"";
        let environment = [
            ("VIVAVOCE_WEB__LISTEN", "8080"),
            ("VIVAVOCE_WEB__PORT", "1"),
            ("VIVAVOCE_SPEECH__TURN_MODEL", "smart-turn.onnx"),
        ];
        let problems = read(file, &environment).unwrap_err();
        for expected in [
            "my.toml:2: `worker.slots` must be a whole number from 1 to 1000, not `0`",
            "my.toml:3: there is no setting `worker.slot`: `worker` has admission, agent_name, blueprint, drain_limit, health, slots",
            "my.toml:4: `worker.drain_limit` must be a text, not a whole number",
            "my.toml:6: there is no section `speach`: there are agents, data, deepgram, livekit, llm, lockstep, log, openai_speech, recording, speech, telemetry, web, worker",
            "my.toml:9: `log.format` must be one of `human` `json`, not `xml`",
            "VIVAVOCE_WEB__LISTEN: `web.listen` must be an address and a port such as 127.0.0.1:8080, not `8080`",
            "VIVAVOCE_WEB__PORT: there is no setting `web.port`: `web` has link_lifetime, listen",
            "VIVAVOCE_SPEECH__TURN_MODEL: the setting `speech.turn_model` is gone: put the file into `speech.models_dir`, as `vivavoce models` names it",
        ] {
            assert!(problems.contains(expected), "{expected}\nnot in\n{problems}");
        }
        assert_eq!(problems.lines().count(), 8, "{problems}");
    }

    /// A file that is no TOML is refused with the line, not with a panic.
    #[test]
    fn broken_toml_is_one_sentence_with_its_line() {
        for broken in ["[worker]\nslots = = 3\n", "[worker]\nslots = \"3\n[web]\nlisten = \"x\""] {
            let problems = read(broken, &[]).unwrap_err();
            assert!(problems.starts_with("my.toml:2: "), "{problems}");
            assert_eq!(problems.lines().count(), 1, "{problems}");
        }
        let problems = read("worker = 3", &[]).unwrap_err();
        assert_eq!(problems, "my.toml:1: `worker` is a section: write [worker]");
    }

    /// P04: a number may be written without a fraction; what is no address of a server is refused.
    #[test]
    fn the_model_is_configured() {
        let file =
            "[speech]\nllm = \"openai\"\n[llm]\ntemperature_max = 1\nbase_url = \"http://h/v1\"";
        let config = read(file, &[("VIVAVOCE_LLM__MODEL", "qwen3")]).unwrap();
        assert_eq!(config.speech.llm, Llm::OpenAi);
        assert_eq!((config.llm.temperature_max, config.llm.model.as_str()), (1.0, "qwen3"));
        let problems = read("[llm]\nbase_url = \"h/v1\"\ntemperature_max = nan", &[]).unwrap_err();
        assert!(problems.contains("my.toml:2: `llm.base_url` must be an address"), "{problems}");
        assert!(problems.contains("my.toml:3: `llm.temperature_max` must be a"), "{problems}");
    }

    /// P07: the detector of voice is chosen, with what belongs to it; a mode that there is not is refused.
    #[test]
    fn the_detector_is_configured() {
        let speech = read("", &[]).unwrap().speech;
        assert_eq!(
            (speech.vad, speech.webrtc_mode, speech.suppresses_noise),
            (Vad::Auto, 3, false)
        );
        assert_eq!((speech.turn_detector, speech.models_dir), (TurnDetection::Auto, None));
        let file = "[speech]\nvad = \"webrtc\"\nwebrtc_mode = 0\nsuppresses_noise = true";
        let named =
            [("VIVAVOCE_SPEECH__MODELS_DIR", "/models"), ("VIVAVOCE_SPEECH__TURN_DETECTOR", "off")];
        let speech = read(file, &named).unwrap().speech;
        assert_eq!(
            (speech.vad, speech.webrtc_mode, speech.suppresses_noise),
            (Vad::WebRtc, 0, true)
        );
        assert_eq!(speech.models_dir, Some(PathBuf::from("/models")));
        assert_eq!(speech.turn_detector, TurnDetection::Off);
        let problems = read("[speech]\nwebrtc_mode = 4\nvad = \"ears\"", &[]).unwrap_err();
        assert!(
            problems.contains("my.toml:2: `speech.webrtc_mode` must be 0, 1, 2 or 3, not `4`"),
            "{problems}"
        );
        assert!(
            problems.contains("`speech.vad` must be one of `auto` `earshot` `webrtc` `silero`"),
            "{problems}"
        );
    }

    /// P04, P06: one key of OpenAI is that of its model and of its voice, unless one of them has its own.
    #[test]
    fn one_key_opens_both() {
        let ours = ("VIVAVOCE_OPENAI_SPEECH__API_KEY", "ours");
        for (environment, voice) in [(vec![], ""), (vec![("OPENAI_API_KEY", "both")], "both")] {
            let config = read("", &environment).unwrap();
            assert_eq!(config.speech.openai.api_key.reveal(), voice);
            assert_eq!(config.llm.api_key.reveal(), voice);
            let config = read("", &[environment, vec![ours]].concat()).unwrap();
            assert_eq!(config.speech.openai.api_key.reveal(), "ours");
            assert_eq!(config.llm.api_key.reveal(), voice);
        }
        let config = read("", &[("DEEPGRAM_API_KEY", "ear")]).unwrap();
        assert_eq!(config.speech.deepgram.api_key.reveal(), "ear");
    }

    /// W10: no spans are exported unless an address is set, and what is none is refused.
    #[test]
    fn spans_go_where_they_are_wanted() {
        assert_eq!(read("", &[]).unwrap().telemetry.otlp_endpoint, None);
        let set = |text| read("", &[("VIVAVOCE_TELEMETRY__OTLP_ENDPOINT", text)]);
        let endpoint = set("http://127.0.0.1:4318").unwrap().telemetry.otlp_endpoint;
        assert_eq!(endpoint.unwrap().as_str(), "http://127.0.0.1:4318/");
        let problem = set("localhost:4317").unwrap_err();
        let expected = "VIVAVOCE_TELEMETRY__OTLP_ENDPOINT: `telemetry.otlp_endpoint` must be an address that begins with http";
        assert!(problem.starts_with(expected), "{problem}");
    }

    /// P01: a secret is in no debug output.
    #[test]
    fn secrets_are_not_shown() {
        let file = "[livekit]\napi_secret = \"hush-hush\"";
        let config = read(file, &[("OPENAI_API_KEY", "hush-too")]).unwrap();
        assert_eq!(config.livekit.api_secret.reveal(), "hush-hush");
        assert_eq!(config.llm.api_key.reveal(), "hush-too");
        assert!(!format!("{config:?}").contains("hush"), "{config:?}");
    }
}
