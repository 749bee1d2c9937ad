//! What the configuration reads, and what it says of what it cannot read.

use super::*;
use crate::providers::{
    llm_anthropic, llm_gemini, llm_openai, stt_deepgram, tts_deepgram, tts_openai, vad_webrtc,
};

fn read(file: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
    let environment = environment.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    Config::read(Some(("my.toml", file)), environment).map_err(|problems| problems.to_string())
}

/// N05: a setting that is nearly written as one is none that nobody reads; other names are others'.
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
    assert_eq!(config.agents.dir, None);
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
    assert_eq!(config.data.dir, PathBuf::from("/somewhere"));
}

/// N05: all problems at once, each with its place and what would be right.
#[test]
fn every_problem_is_named_with_its_place() {
    let file = "[worker]\nslots = 0\nslot = 3\ndrain_limit = 10\n\n[speach]\nvad = \"x\"\n[log]\n\
        format = \"xml\"";
    let environment = [
        ("VIVAVOCE_WEB__LISTEN", "8080"),
        ("VIVAVOCE_WEB__PORT", "1"),
        ("VIVAVOCE_SPEECH__TURN_MODEL", "smart-turn.onnx"),
    ];
    let problems = read(file, &environment).unwrap_err();
    for expected in [
        "my.toml:2: `worker.slots` must be a whole number from 1 to 1000, not `0`",
        "my.toml:3: there is no setting `worker.slot`: `worker` has admission, agent_name, \
            blueprint, drain_limit, health, slots",
        "my.toml:4: `worker.drain_limit` must be a text, not a whole number",
        "my.toml:6: there is no section `speach`: there are agents, data, livekit, lockstep, log, \
            mail, oidc, providers, recording, speech, telemetry, usage, web, worker; did you mean `speech`?",
        "my.toml:9: `log.format` must be one of `human` `json`, not `xml`",
        "VIVAVOCE_WEB__LISTEN: `web.listen` must be an address and a port such as 127.0.0.1:8080, not `8080`",
        "VIVAVOCE_WEB__PORT: there is no setting `web.port`: `web` has link_lifetime, listen",
        "VIVAVOCE_SPEECH__TURN_MODEL: the setting `speech.turn_model` is gone: put the file into \
            `speech.models_dir`, as `vivavoce models` names it",
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

/// The settings of a provider.
fn settings_of<'a, S: 'static>(config: &'a Config, name: &str) -> &'a S {
    config.providers.get(name).unwrap().settings().unwrap()
}

/// P04: a number may be written without a fraction; what is no address of a server is refused.
#[test]
fn the_model_is_configured() {
    let file = "[speech]\nllm = \"openai\"\n[providers.openai]\ntemperature_max = 1\nbase_url \
        = \"http://h/v1\"";
    let config = read(file, &[("VIVAVOCE_PROVIDERS__OPENAI__MODEL", "qwen3")]).unwrap();
    assert_eq!(config.speech.llm, "openai".into());
    let model: &llm_openai::Settings = settings_of(&config, "openai");
    assert_eq!((model.temperature_max, model.model.as_str()), (1.0, "qwen3"));
    let broken = "[providers.openai]\nbase_url = \"h/v1\"\ntemperature_max = nan\ntokens_max = 0";
    assert_eq!(
        read(broken, &[]).unwrap_err(),
        "my.toml:2: `providers.openai.base_url` must be an address that begins with http:// or \
            https://, not `h/v1`\n\
         my.toml:3: `providers.openai.temperature_max` must be a number from 0 to 2, not `nan`\n\
         my.toml:4: `providers.openai.tokens_max` must be a whole number from 1, not `0`"
    );
}

/// P07: the detector of voice is chosen, with what belongs to it; a mode that there is not is refused.
#[test]
fn the_detector_is_configured() {
    let mode = |config: &Config| settings_of::<vad_webrtc::Settings>(config, "webrtc").mode;
    let config = read("", &[]).unwrap();
    let speech = &config.speech;
    assert_eq!((&speech.vad, mode(&config)), (&"auto".into(), 3));
    assert_eq!((speech.suppresses_noise, &speech.models_dir), (false, &None));
    assert_eq!(speech.turn_detector, "auto".into());
    let file = "[speech]\nvad = \"webrtc\"\nsuppresses_noise = true\n[providers.webrtc]\nmode = 0";
    let named =
        [("VIVAVOCE_SPEECH__MODELS_DIR", "/models"), ("VIVAVOCE_SPEECH__TURN_DETECTOR", "off")];
    let config = read(file, &named).unwrap();
    let speech = &config.speech;
    assert_eq!((&speech.vad, mode(&config)), (&"webrtc".into(), 0));
    assert_eq!((speech.suppresses_noise, &speech.turn_detector), (true, &"off".into()));
    assert_eq!(speech.models_dir, Some(PathBuf::from("/models")));
    let problems = read("[providers.webrtc]\nmode = 4\n[speech]\nvad = \"ears\"", &[]).unwrap_err();
    assert!(
        problems.contains("my.toml:2: `providers.webrtc.mode` must be 0, 1, 2 or 3, not `4`"),
        "{problems}"
    );
    assert!(
        problems.contains(
            "my.toml:4: `speech.vad` must be one of `auto` `earshot` `webrtc` `silero`, not `ears`"
        ),
        "{problems}"
    );
}

/// P04, P06: one key of OpenAI is that of its model and of its voice, unless one of them has its own. A
/// provider under another name is told no key that it was not given.
#[test]
fn one_key_opens_both() {
    let ours = ("VIVAVOCE_PROVIDERS__OPENAI_SPEECH__API_KEY", "ours");
    let voice = |config: &Config| {
        settings_of::<tts_openai::Settings>(config, "openai-speech").api_key.reveal().to_owned()
    };
    let model = |config: &Config, name: &str| {
        settings_of::<llm_openai::Settings>(config, name).api_key.reveal().to_owned()
    };
    let file = "[providers.near]\nkind = \"openai\"";
    for (environment, key) in [(vec![], ""), (vec![("OPENAI_API_KEY", "both")], "both")] {
        let config = read(file, &environment).unwrap();
        assert_eq!((voice(&config).as_str(), model(&config, "openai").as_str()), (key, key));
        assert_eq!(model(&config, "near"), "");
        let config = read("", &[environment, vec![ours]].concat()).unwrap();
        assert_eq!((voice(&config).as_str(), model(&config, "openai").as_str()), ("ours", key));
    }
    let config = read("", &[("DEEPGRAM_API_KEY", "both")]).unwrap();
    let ear: &stt_deepgram::Settings = settings_of(&config, "deepgram");
    let voice: &tts_deepgram::Settings = settings_of(&config, "deepgram-speech");
    assert_eq!((ear.api_key.reveal(), voice.api_key.reveal()), ("both", "both"));
}

/// P04: each vendor of models has the key, the address and the model that everybody knows it by; a provider
/// under another name has the same defaults and no key.
#[test]
fn vendors_of_models_have_their_defaults() {
    let file = "[providers.mine]\nkind = \"groq\"\n[providers.mistral]\nmodel = \"gpt-4.1-mini\"";
    for (name, variable, host) in [
        ("azure-openai", "AZURE_OPENAI_API_KEY", "name.openai.azure.com"),
        ("groq", "GROQ_API_KEY", "api.groq.com"),
        ("mistral", "MISTRAL_API_KEY", "api.mistral.ai"),
        ("openrouter", "OPENROUTER_API_KEY", "openrouter.ai"),
        ("ollama", "VIVAVOCE_PROVIDERS__OLLAMA__API_KEY", "localhost"),
    ] {
        let config = read(file, &[(variable, "hush"), ("OPENAI_API_KEY", "other")]).unwrap();
        let model: &llm_openai::Settings = settings_of(&config, name);
        assert_eq!((model.base_url.host_str(), model.api_key.reveal()), (Some(host), "hush"));
        let is_azure = model.api_key_header == llm_openai::KeyHeader::ApiKey;
        assert_eq!(is_azure, name == "azure-openai");
        let mine: &llm_openai::Settings = settings_of(&config, "mine");
        assert_eq!(mine.base_url.host_str(), Some("api.groq.com"));
        assert_eq!((mine.model.as_str(), mine.api_key.reveal()), ("llama-3.3-70b-versatile", ""));
        assert_eq!(settings_of::<llm_openai::Settings>(&config, "mistral").model, "gpt-4.1-mini");
    }
    let keys = [("ANTHROPIC_API_KEY", "claude"), ("GEMINI_API_KEY", "bard")];
    let config = read("", &keys).unwrap();
    let claude: &llm_anthropic::Settings = settings_of(&config, "anthropic");
    let gemini: &llm_gemini::Settings = settings_of(&config, "gemini");
    assert_eq!((claude.api_key.reveal(), gemini.api_key.reveal()), ("claude", "bard"));
}

/// Any number of providers of a kind have names of their own, in the file and in the environment; the kinds'
/// own names are always there.
#[test]
fn providers_have_names() {
    let file = "[speech]\nstt = [\"my-ear\"]\nllm = \"near\"\n[providers.my-ear]\nkind = \"deepgram\"\n\
                base_url = \"wss://eu\"\n[providers.deepgram]\nmodel = \"nova-2\"";
    let environment = [
        ("VIVAVOCE_PROVIDERS__MY_EAR__API_KEY", "ear"),
        ("VIVAVOCE_PROVIDERS__NEAR__KIND", "openai"),
        ("VIVAVOCE_PROVIDERS__NEAR__MODEL", "qwen3"),
    ];
    let config = read(file, &environment).unwrap();
    let ear: &stt_deepgram::Settings = settings_of(&config, "my-ear");
    assert_eq!((ear.model.as_str(), ear.api_key.reveal()), ("nova-3", "ear"));
    assert_eq!(ear.base_url.as_str(), "wss://eu/");
    assert_eq!(settings_of::<stt_deepgram::Settings>(&config, "deepgram").model, "nova-2");
    assert_eq!(settings_of::<llm_openai::Settings>(&config, "near").model, "qwen3");
    let hear = [
        "moonshine",
        "pocketsphinx",
        "deepgram",
        "soniox",
        "assemblyai",
        "openai-transcription",
        "scripted",
        "my-ear",
    ];
    assert_eq!(config.providers.names(Role::Stt), hear);
    assert!(matches!(config.place(Role::Stt), Place::Server(_)));
    assert!(matches!(config.place(Role::Llm), Place::Server(_)));
    assert!(matches!(config.place(Role::Tts), Place::Embedded));
}

/// What is wrong with providers is said of each at once: no kind, one that there is not, a key that it has
/// not, a role that it cannot take, a chain where there can be none, a name twice, a name that there is not.
#[test]
fn providers_are_refused_with_their_places() {
    let file = "[providers.ear]\nmodel = \"x\"\n[providers.eye]\nkind = \"deepgrm\"\n[providers.deepgram]\n\
                modell = \"x\"\nkind = \"deepgram\"\nlanguage = 3\n[providers]\nmouth = \"x\"\n\
                [speech]\nstt = [\"deepgram\", \"auto\", \"deepgram\"]\n\
                llm = \"deepgram\"\ntts = [\"hibary\"]\nvad = [1, 2]\n\
                turn_detector = [\"smart-turn\", \"off\"]";
    let problems = read(file, &[("VIVAVOCE_PROVIDERS__X", "y")]).unwrap_err();
    let kinds = "one of `earshot` `webrtc` `silero` `smart-turn` `moonshine` `pocketsphinx` \
        `deepgram` `soniox` `assemblyai` `openai-transcription` `openai` `anthropic` `gemini` \
        `azure-openai` `groq` `mistral` `openrouter` `litellm` `vllm` `ollama` `llama-cpp` `hibari` \
        `flite` `openai-speech` `elevenlabs` `cartesia` `deepgram-speech` `azure-speech` `scripted`";
    let expected = [
        &format!("my.toml:1: `providers.ear` must have a `kind`, which is {kinds}"),
        &format!(
            "my.toml:4: `providers.eye.kind` must be {kinds}, not `deepgrm`; did you mean `deepgram`?"
        ),
        "my.toml:6: there is no setting `providers.deepgram.modell`: `providers.deepgram` has \
            api_key, api_key_file, base_url, ca_file, final_limit, insecure, kind, language, model; \
            did you mean `model`?",
        "my.toml:8: `providers.deepgram.language` must be a text, not a whole number",
        "my.toml:10: `providers.mouth` is a section: write [providers.mouth]",
        "my.toml:12: `speech.stt` must name `deepgram` once",
        "my.toml:13: `speech.llm` must be one of `openai` `anthropic` `gemini` `azure-openai` `groq` \
            `mistral` `openrouter` `litellm` `vllm` `ollama` `llama-cpp` `scripted`, not `deepgram`",
        "my.toml:14: `speech.tts` must be one of `auto` `hibari` `flite` `openai-speech` \
            `elevenlabs` `cartesia` `deepgram-speech` `azure-speech` `scripted`, not `hibary`; \
            did you mean `hibari`?",
        "my.toml:15: `speech.vad` must be one of `auto` `earshot` `webrtc` `silero`, not `1`",
        "my.toml:16: `speech.turn_detector` must be one provider, not 2: only `stt`, `llm` and `tts` \
            may be lists",
        "VIVAVOCE_PROVIDERS__X: write VIVAVOCE_PROVIDERS__<NAME>__<KEY>",
    ];
    assert_eq!(problems.lines().collect::<Vec<_>>(), expected);
}

/// A setting of earlier versions is refused with where it stands now, in the file and in the environment.
#[test]
fn old_settings_say_the_new_ones() {
    let file = "[deepgram]\nmodel = \"nova-3\"\nlanguage = \"en\"\n[openai_speech]\n[llm]\nbase_url \
        = \"http://h\"\n\
                [speech]\nvoice = \"slt\"\nhibari_voice = \"kore\"\nwebrtc_mode = 3\ntts = \"openai\"";
    let environment = [
        ("VIVAVOCE_DEEPGRAM__API_KEY", "hush"),
        ("VIVAVOCE_LLM_MODEL", "x"),
        ("VIVAVOCE_SPEECH__WEBRTC_MODE", "2"),
    ];
    let problems = read(file, &environment[..2]).unwrap_err();
    let expected = [
        "my.toml:2: [deepgram] model is now [providers.deepgram] model",
        "my.toml:3: [deepgram] language is now [providers.deepgram] language",
        "my.toml:4: [openai_speech] is now [providers.openai-speech]",
        "my.toml:6: [llm] base_url is now [providers.openai] base_url",
        "my.toml:8: [speech] voice is now [providers.flite] voice",
        "my.toml:9: [speech] hibari_voice is now [providers.hibari] voice",
        "my.toml:10: [speech] webrtc_mode is now [providers.webrtc] mode",
        "my.toml:11: speech.tts = \"openai\" is now speech.tts = \"openai-speech\"",
        "VIVAVOCE_DEEPGRAM__API_KEY: this is now VIVAVOCE_PROVIDERS__DEEPGRAM__API_KEY",
        "VIVAVOCE_LLM_MODEL: write VIVAVOCE_PROVIDERS__OPENAI__MODEL, with two underscores",
    ];
    assert_eq!(problems.lines().collect::<Vec<_>>(), expected);
    assert_eq!(
        read("", &environment[2..]).unwrap_err(),
        "VIVAVOCE_SPEECH__WEBRTC_MODE: this is now VIVAVOCE_PROVIDERS__WEBRTC__MODE"
    );
}

/// Every default is right, and every setting has a word on what it is; the file that shows them all can be
/// read, and says nothing else.
#[test]
fn all_settings_are_documented() {
    let all = documented();
    let read = read(&all, &[]).unwrap();
    assert_eq!(format!("{read:?}"), format!("{:?}", Config::read(None, []).unwrap()));
    for (section, field) in all_fields() {
        assert!(!field.doc.trim().is_empty(), "{section}.{}", field.key);
        assert!(
            all.contains(&format!("\n{} = {}", field.key, field.default)),
            "{section}.{}",
            field.key
        );
    }
}

/// W10: no spans are exported unless an address is set, and what is none is refused.
#[test]
fn spans_go_where_they_are_wanted() {
    assert_eq!(read("", &[]).unwrap().telemetry.otlp_endpoint, None);
    let set = |text| read("", &[("VIVAVOCE_TELEMETRY__OTLP_ENDPOINT", text)]);
    let endpoint = set("http://127.0.0.1:4318").unwrap().telemetry.otlp_endpoint;
    assert_eq!(endpoint.unwrap().as_str(), "http://127.0.0.1:4318/");
    let problem = set("localhost:4317").unwrap_err();
    let expected = "VIVAVOCE_TELEMETRY__OTLP_ENDPOINT: `telemetry.otlp_endpoint` must be an address \
        that begins with http";
    assert!(problem.starts_with(expected), "{problem}");
}

/// 12.3.1, G18: a key of any vendor goes unencrypted to this machine alone, unless the settings say that
/// it is meant; then all commands know of it. Without a key there is nothing to read.
#[test]
fn keys_of_vendors_go_unencrypted_only_where_it_is_meant() {
    let mut seen = 0;
    for kind in KINDS {
        let Some(address) = kind.fields.iter().find(|field| field.key == "base_url") else {
            continue;
        };
        seen += 1;
        let (plain, tls) = match address.default.starts_with("\"ws") {
            true => ("ws", "wss"),
            false => ("http", "https"),
        };
        let of = |key: &str| {
            format!("VIVAVOCE_PROVIDERS__{}__{key}", kind.name.replace('-', "_").to_uppercase())
        };
        let (url, key, meant) = (of("BASE_URL"), of("API_KEY"), of("INSECURE"));
        let read = |address: &str, more: &[(&str, &str)]| {
            let all = [&[(url.as_str(), address)][..], more].concat();
            self::read("", &all).map(|config| config.unencrypted)
        };
        let hush = (key.as_str(), "hush");
        for far in ["10.0.0.7", "vllm", "8.8.8.8", "models.example.org", "[fd00::1]", "x.localhost"]
        {
            let address = format!("{plain}://{far}:8000/v1");
            let problem = read(&address, &[hush]).unwrap_err();
            let host = far.trim_matches(['[', ']']);
            let expected = format!(
                "{url}: `providers.{}.base_url` would send keys to {host} unencrypted: begin it with \
                 {tls}://, or set `providers.{0}.insecure = true` if nobody can listen on the way",
                kind.name
            );
            assert_eq!(problem, expected);
            let said = read(&address, &[hush, (meant.as_str(), "true")]).unwrap();
            assert!(matches!(&said[..], [one] if one.contains(host)), "{said:?}");
            assert_eq!(read(&address, &[]), Ok(Vec::new()), "there is no key");
            assert_eq!(read(&format!("{tls}://{far}/v1"), &[hush]), Ok(Vec::new()));
        }
        for near in ["127.0.0.1", "localhost", "[::1]", "127.9.9.9"] {
            assert_eq!(
                read(&format!("{plain}://{near}:8000/v1"), &[hush]),
                Ok(Vec::new()),
                "{near}"
            );
        }
        let with_password = format!("{plain}://ada:hush@10.0.0.7/v1");
        assert!(read(&with_password, &[]).unwrap_err().contains("would send keys"));
    }
    assert!(seen > 15, "{seen} kinds reach a server");
}

/// 12.3.1, G18: neither do LiveKit's tokens, the database's password, that of the mail server and that of a
/// collector.
#[test]
fn other_keys_go_unencrypted_only_where_it_is_meant() {
    let secret = "api_secret = \"hush\"";
    let from = "password = \"hush\"";
    for (section, key, address, more) in [
        ("livekit", "url", "ws://livekit:7880", secret),
        ("livekit", "url", "ws://10.0.0.7", secret),
        ("data", "url", "postgres://ada:hush@postgres/vivavoce", ""),
        ("data", "url", "postgres://ada@10.0.0.7/vivavoce?sslmode=prefer", ""),
        ("data", "url", "postgres://ada@localhost/vivavoce?host=db.example.org", ""),
        ("data", "url", "postgresql://db.example.org/vivavoce?sslmode=disable", ""),
        ("mail", "server", "smtp://jobs@mail.example.org?tls=none", from),
        ("telemetry", "otlp_endpoint", "http://ada:hush@collector:4318", ""),
    ] {
        let file = format!("[{section}]\n{key} = \"{address}\"\n{more}\n");
        let problem = read(&file, &[]).unwrap_err();
        assert!(
            problem.starts_with(&format!("my.toml:2: `{section}.{key}` would send")),
            "{problem}"
        );
        assert!(!problem.contains("hush") && problem.lines().count() == 1, "{problem}");
        let said = read(&format!("{file}insecure = true\n"), &[]).unwrap().unencrypted;
        assert!(
            matches!(&said[..], [one] if one.contains(&format!("{section}.insecure"))),
            "{said:?}"
        );
    }
    for (section, key, address, more) in [
        ("livekit", "url", "ws://livekit:7880", ""),
        ("livekit", "url", "ws://127.0.0.1:7880", secret),
        ("livekit", "url", "wss://livekit.example.org", secret),
        ("data", "url", "postgres://ada:hush@127.0.0.1/vivavoce", ""),
        ("data", "url", "postgres://ada:hush@[::1]/vivavoce", ""),
        ("data", "url", "postgres://ada:hush@db/vivavoce?sslmode=verify-full", ""),
        ("data", "url", "postgres://ada:hush@db/vivavoce?sslmode=require", ""),
        ("data", "url", "postgres://ada@localhost/vivavoce?host=/run/postgresql", ""),
        ("mail", "server", "smtp://jobs@mail.example.org", from),
        ("mail", "server", "smtp://jobs@mail.example.org?tls=none", ""),
        ("mail", "server", "smtp://jobs@127.0.0.1:25?tls=none", from),
        ("telemetry", "otlp_endpoint", "http://collector:4318", ""),
    ] {
        let file = format!("[{section}]\n{key} = \"{address}\"\n{more}\n");
        assert_eq!(read(&file, &[]).unwrap().unencrypted, Vec::<String>::new(), "{file}");
    }
}

/// P01: a secret is in no debug output.
#[test]
fn secrets_are_not_shown() {
    let file = "[livekit]\napi_secret = \"hush-hush\"";
    let config = read(file, &[("OPENAI_API_KEY", "hush-too")]).unwrap();
    assert_eq!(config.livekit.api_secret.reveal(), "hush-hush");
    let model: &llm_openai::Settings = settings_of(&config, "openai");
    assert_eq!(model.api_key.reveal(), "hush-too");
    assert!(!format!("{config:?}").contains("hush"), "{config:?}");
}
