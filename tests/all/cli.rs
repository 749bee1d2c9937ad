//! The command line as a person meets it.

use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::{
    chat_server::{ChatServer, KEY, json_answer, reply},
    deepgram_server::{DeepgramServer, Heard, Step},
    tts_openai::spoken,
};

/// Runs the binary in a folder of its own, with no settings from outside.
pub(crate) fn vivavoce(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_vivavoce"));
    command.env_clear().current_dir(&folder).args(arguments).envs(environment.iter().copied());
    command.output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// N07: no command or an unknown one is a question of usage, and help is no failure.
#[test]
fn usage_errors_exit_with_2() {
    assert_eq!(vivavoce(&[], &[]).status.code(), Some(2));
    assert_eq!(vivavoce(&["sing"], &[]).status.code(), Some(2));
    assert_eq!(vivavoce(&["--help"], &[]).status.code(), Some(0));
}

/// N05, N07: all problems of the configuration on stderr, a line each, and exit code 1.
#[test]
fn a_bad_configuration_is_refused_with_every_reason() {
    let settings = [("VIVAVOCE_WORKER__SLOTS", "none"), ("LIVEKIT_URL", "http://x")];
    let output = vivavoce(&["doctor"], &settings);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("VIVAVOCE_WORKER__SLOTS: `worker.slots` must be"), "{said}");
    assert!(said.contains("LIVEKIT_URL: `livekit.url` must be"), "{said}");
}

/// A settings file that is not there is one sentence.
#[test]
fn a_missing_settings_file_is_named() {
    let output = vivavoce(&["doctor", "--config", "nowhere.toml"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.starts_with("cannot read nowhere.toml: "), "{said}");
}

/// P09, N06: `doctor` names a taken port, a dead LiveKit server and a folder that is none, and fails.
#[test]
fn doctor_names_what_is_wrong() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let settings = [
        ("VIVAVOCE_WEB__LISTEN", taken.as_str()),
        ("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0"),
        ("LIVEKIT_URL", "ws://127.0.0.1:1"),
        ("LIVEKIT_API_KEY", "key"),
        ("LIVEKIT_API_SECRET", "secret"),
        ("VIVAVOCE_DATA", "/proc/nothing"),
    ];
    let output = vivavoce(&["doctor"], &settings);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    for expected in [
        "FAIL  data folder: cannot write into `/proc/nothing`",
        "FAIL  web address: port ",
        "VIVAVOCE_WEB__LISTEN",
        "ok    speech: ",
        "ok    blueprints: mock-interview, rubric-screen, two-stage",
        "ok    roles: 40, and 5 levels",
        "ok    health address: ",
        "FAIL  LiveKit server: no LiveKit server answers at http://127.0.0.1:1",
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
}

/// P07: `models` says what to fetch, from where and how to know it, and checks what the configuration names: a wrong
/// file is one sentence, there, in `doctor` and at the start of a worker.
#[test]
fn models_are_named_and_checked() {
    let output = vivavoce(&["models"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for expected in [
        "https://github.com/snakers4/silero-vad/",
        "1289603 bytes",
        "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49",
        "not in use: speech.silero_model names no file",
        "https://huggingface.co/pipecat-ai/smart-turn-v3/resolve/",
        "8679182 bytes",
        "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
        "BSD-2-Clause",
        "not in use: speech.turn_model names no file",
        "apt-get install pocketsphinx-en-us",
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vad.onnx");
    std::fs::write(&file, "half of it").unwrap();
    let file = file.display().to_string();
    let settings = [
        ("VIVAVOCE_SPEECH__VAD", "silero"),
        ("VIVAVOCE_SPEECH__SILERO_MODEL", file.as_str()),
        ("LIVEKIT_API_KEY", "key"),
        ("LIVEKIT_API_SECRET", "secret"),
        ("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0"),
    ];
    let sentence =
        format!("{file} (speech.silero_model) is cut short, 10 of 1289603 bytes: fetch it again");
    let output = vivavoce(&["models"], &settings);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.starts_with(&sentence) && said.lines().count() == 1, "{said}");
    let output = vivavoce(&["doctor"], &settings);
    let said = text(&output.stdout);
    assert!(said.contains(&format!("FAIL  models: {sentence}")), "{said}");
    let output = vivavoce(&["worker"], &settings);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    let unable = "was built without the detector `silero`";
    assert!(said.contains(if cfg!(feature = "onnx") { &sentence } else { unable }), "{said}");

    let settings =
        [[("VIVAVOCE_SPEECH__TURN_MODEL", file.as_str())].as_slice(), &settings[2..]].concat();
    let sentence =
        format!("{file} (speech.turn_model) is cut short, 10 of 8679182 bytes: fetch it again");
    for command in ["models", "worker"] {
        let output = vivavoce(&[command], &settings);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        let unable = command == "worker" && cfg!(not(feature = "onnx"));
        let expected = if unable { "was built without Smart Turn" } else { &sentence };
        assert!(said.contains(expected), "{said}");
    }
}

/// P09: `doctor` beside a running Vivavoce finds its address in use by it, which is no fault.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_knows_vivavoce_itself() {
    let data = tempfile::tempdir().unwrap();
    let livekit = vivavoce::livekit::Api::new("ws://127.0.0.1:9", crate::web::no_keys());
    let settings = crate::web::config(data.path(), livekit, std::time::Duration::from_secs(60));
    let web = vivavoce::web::Web::bind(settings).await.unwrap();
    let address = web.address().to_string();
    let stop = tokio_util::sync::CancellationToken::new();
    let serving = tokio::spawn(web.serve(stop.clone()));
    let settings = [("VIVAVOCE_WEB__LISTEN", address.as_str())];
    let said = tokio::task::block_in_place(|| text(&vivavoce(&["doctor"], &settings).stdout));
    stop.cancel();
    serving.await.unwrap().unwrap();
    assert!(
        said.contains(&format!("ok    web address: {address} is in use by Vivavoce")),
        "{said}"
    );
}

/// N07: whoever reads the output may stop reading (`| head`): no panic, no complaint.
#[test]
fn a_reader_may_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_vivavoce"));
    command.arg("check").env_clear().current_dir(&folder);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

/// B01: the blueprints in the binary are right; those in a folder are refused with file and line, all at once.
#[test]
fn check_names_every_problem_of_a_blueprint() {
    let output = vivavoce(&["check"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("mock-interview: "));

    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("blueprint.toml"), "title = 3\nsurprise = true\n").unwrap();
    let output = vivavoce(&["check", folder.path().to_str().unwrap()], &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    for expected in ["broken/blueprint.toml:1: ", "broken/blueprint.toml:2: "] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
    std::fs::write(broken.join("blueprint.toml"), "title = \"Two\"\nstages = [\"only\"]\n")
        .unwrap();
    let front = "title = \"Only\"\nkind = \"questions\"\nrequires = \"nothing\"\nquestions_max = 2\nstage_limit = \"1m\"\n\
        silence_limit = \"30s\"\nnudges = [\"Take your time.\", \"What comes to mind?\"]\n\
        questions = [\n\"What do you do today at work?\",\n\"What do you do at work today?\",\n]\n";
    std::fs::write(broken.join("only.md"), format!("+++\n{front}+++\nAsk.\n")).unwrap();
    let output = vivavoce(&["check", folder.path().to_str().unwrap()], &[]);
    let said = text(&output.stderr);
    assert!(said.starts_with("broken/only.md:11: ") && said.contains("too much like"), "{said}");
    let nowhere = folder.path().join("nowhere");
    let output = vivavoce(&["check", nowhere.to_str().unwrap()], &[]);
    assert!(text(&output.stderr).starts_with("cannot read the blueprints in "));
}

/// A05, B05: `prompt` prints what the model is told at the opening or in a scenario, and how long all prompts are; a
/// blueprint or a file of roles that is none is one sentence.
#[test]
fn prompt_shows_what_the_model_is_told() {
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios/two-stage.txt");
    let opening = text(&vivavoce(&["prompt", "two-stage"], &[]).stdout);
    let later = text(&vivavoce(&["prompt", "two-stage", "--at", scenario], &[]).stdout);
    for (said, expected) in [
        (&opening, "# Identity\nYou are Alba"),
        (&opening, "# Guidance\nOpen the interview"),
        (&opening, "\ntotal "),
        (&later, "Candidate: "),
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
    let table = text(&vivavoce(&["prompt", "--at", scenario], &[]).stdout);
    assert_eq!(table.lines().count(), 6, "a head, three blueprints, all, the unit\n{table}");
    for (arguments, expected) in [
        (vec!["prompt", "quiz"], "there is no blueprint \"quiz\"; there are: mock-interview"),
        (
            vec!["prompt", "mock-interview", "--at", scenario],
            "the scenario is one `with two-stage`",
        ),
    ] {
        let output = vivavoce(&arguments, &[]);
        let said = text(&output.stderr);
        assert!(said.starts_with(expected) && said.lines().count() == 1, "{said}");
        assert_eq!(output.status.code(), Some(1));
    }
    let folder = tempfile::tempdir().unwrap();
    let roles = folder.path().join("roles.toml");
    std::fs::write(&roles, "[[role]]\nname = \"Baker\"\n").unwrap();
    let output = vivavoce(&["check"], &[("VIVAVOCE_AGENTS__ROLES", roles.to_str().unwrap())]);
    let said = text(&output.stderr);
    assert!(said.contains("roles.toml:1: the levels are missing"), "{said}");
    assert!(said.contains("roles.toml:1: `areas` must name at least one subject"), "{said}");
}

/// N06: the web app says in one sentence that its key is missing, or its port taken.
#[test]
fn web_refuses_to_start_in_one_sentence() {
    let output = vivavoce(&["web"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("no key to the LiveKit server"), "{output:?}");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let settings = [
        ("LIVEKIT_API_KEY", "key"),
        ("LIVEKIT_API_SECRET", "secret"),
        ("VIVAVOCE_WEB__LISTEN", &taken),
    ];
    let output = vivavoce(&["web"], &settings);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains(&taken) && said.lines().count() == 1, "{said}");
}

/// Bad input: an unknown fixture and a file that is no recording are one sentence each, and nothing is written.
#[test]
fn replay_refuses_what_it_cannot_play() {
    let folder = tempfile::tempdir().unwrap();
    let wav = folder.path().join("text.wav");
    std::fs::write(&wav, "no sound at all").unwrap();
    let out = folder.path().join("out");
    for candidate in ["nobody", wav.to_str().unwrap()] {
        let output = vivavoce(&["replay", candidate, "--out", out.to_str().unwrap()], &[]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains(candidate) && said.lines().count() == 1, "{said}");
        assert!(!out.exists());
    }
    let said = text(&vivavoce(&["replay", "nobody"], &[]).stderr);
    assert!(said.contains("there is no folder audio-fixtures here"), "{said}");
}

/// Q13: `simulate` runs the blueprints in the binary, repeats a seed, and refuses a blueprint that is none.
#[test]
fn simulate_repeats_a_seed() {
    let once = ["simulate", "--blueprint", "two-stage", "--seed", "5", "--seeds", "1"];
    let journal = |output: Output| {
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        let lines: Vec<_> = said.lines().filter(|line| line.starts_with("{\"n\":")).collect();
        assert!(!lines.is_empty(), "{said}");
        lines.join("\n")
    };
    assert_eq!(journal(vivavoce(&once, &[])), journal(vivavoce(&once, &[])));
    let output = vivavoce(&["simulate", "--blueprint", "quiz"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("there is no blueprint \"quiz\""));
}

/// What is no scenario, no folder and no number of anything is one sentence, and an exit code of its own.
#[test]
fn nonsense_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let nothing = format!("{readme}:1: nothing happens in it");
    let no_sound = format!("{readme} is no WAV file");
    for (arguments, code, expected) in [
        (vec!["scenario", readme], 1, nothing.as_str()),
        (vec!["scenario", empty], 1, "there is no scenario in "),
        (vec!["prompt", "two-stage", "--at", readme], 1, &nothing),
        (vec!["simulate", "--seeds", "0"], 2, "error: invalid value '0' for '--seeds"),
        (vec!["simulate", "--jobs", "0"], 2, "error: invalid value '0' for '--jobs"),
        (
            vec!["simulate", "--seeds", "1", "--out", "/nonexistent"],
            1,
            "there is no folder /nonexistent",
        ),
        (vec!["replay", readme], 1, &no_sound),
    ] {
        let output = vivavoce(&arguments, &[]);
        let said = text(&output.stderr);
        assert!(said.starts_with(expected), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

/// P09: `doctor` really calls the model on both lanes and says how long that took; without a key, with a key that is
/// refused and with a model that cannot judge it says what to do.
#[test]
fn doctor_calls_the_model() {
    let judged = |depth: Value| {
        let content = json!({ "depth": depth }).to_string();
        json_answer("200 OK", &json!({ "choices": [{ "message": { "content": content } }] }))
    };
    let server = ChatServer::playing(vec![
        reply("Yes, I can.", &[]),
        judged(json!(2)),
        reply("Yes, I can.", &[]),
        judged(json!("deep")),
        json_answer("401 Unauthorized", &json!({})),
    ]);
    let says = |settings: &[(&str, &str)]| {
        let settings = [&[("VIVAVOCE_SPEECH__LLM", "openai")], settings].concat();
        let said = text(&vivavoce(&["doctor"], &settings).stdout);
        let line = said.lines().find(|line| line.contains(" model: ")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("no line on the model in\n{said}"))
    };
    let base_url = server.base_url();
    let settings = [("VIVAVOCE_LLM__BASE_URL", base_url.as_str()), ("OPENAI_API_KEY", KEY)];
    let (well, not_judging, refused) = (says(&settings), says(&settings), says(&settings));
    assert!(well.starts_with("ok    model: `gpt-4.1-mini` at http://127.0.0.1:"), "{well}");
    assert!(well.contains("tokens used ("), "{well}");
    assert!(not_judging.starts_with("FAIL  model: the model does not judge"), "{not_judging}");
    assert!(refused.contains("FAIL  model: ") && refused.contains("OPENAI_API_KEY"), "{refused}");
    assert!(!refused.contains(KEY), "{refused}");
    let without = says(&[]);
    assert!(
        without.starts_with("FAIL  model: there is no key to https://api.openai.com/"),
        "{without}"
    );
    let scripted = says(&[("VIVAVOCE_SPEECH__LLM", "scripted")]);
    assert!(scripted.starts_with("ok    model: the scripted interviewer"), "{scripted}");
}

/// P09: `doctor` really calls the vendors of voice and ear, lets one hear the other, and says what to do if one of them
/// refuses; no key is shown.
#[test]
fn doctor_calls_voice_and_ear() {
    let voice = ChatServer::playing(vec![
        spoken(&[500; 24_000], 4_800),
        spoken(&[500; 24_000], 4_800),
        json_answer("401 Unauthorized", &json!({ "error": { "message": format!("no {KEY}") } })),
    ]);
    let ear = DeepgramServer::start(|mind, heard| match heard {
        Heard::Opened(_) if mind.connection > 2 => {
            let body = format!("{{\"err_msg\":\"no {KEY}\"}}");
            let length = body.len();
            vec![Step::Http(format!(
                "HTTP/1.1 403 Forbidden\r\ncontent-length: {length}\r\n\r\n{body}"
            ))]
        }
        Heard::Said(said) if said.contains("Finalize") => {
            let transcript = "I have worked on payment systems for six years.";
            vec![Step::Say(json!({
                "type": "Results", "is_final": true, "from_finalize": true, "start": 0.0,
                "duration": mind.pieces as f64 * 0.02,
                "channel": { "alternatives": [{ "transcript": transcript, "confidence": 1.0 }] },
            }))]
        }
        heard => mind.well(heard),
    });
    let (voice_url, ear_url) = (voice.base_url(), ear.base_url());
    let settings = [
        ("VIVAVOCE_SPEECH__TTS", "openai"),
        ("VIVAVOCE_OPENAI_SPEECH__BASE_URL", &voice_url),
        ("OPENAI_API_KEY", KEY),
        ("VIVAVOCE_SPEECH__STT", "deepgram"),
        ("VIVAVOCE_DEEPGRAM__BASE_URL", &ear_url),
        ("DEEPGRAM_API_KEY", KEY),
    ];
    let says = || {
        let output = vivavoce(&["doctor"], &settings);
        text(&output.stdout) + &text(&output.stderr)
    };
    let (well, refused) = (says(), says());
    for (said, expected) in [
        (&well, "ok    voice: `alloy` of `gpt-4o-mini-tts` at http://127.0.0.1:"),
        (&well, "ok    ear: `nova-3` at ws://127.0.0.1:"),
        (&well, "ok    speech: 1.0 s spoken, 9 of 9 words understood"),
        (&refused, "refuses the key (401 Unauthorized): check OPENAI_API_KEY or openai_speech"),
        (&refused, "refuses the key (403 Forbidden): check DEEPGRAM_API_KEY or deepgram.api"),
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
    assert!(!refused.contains(" speech: "), "each is told once\n{refused}");
    assert!(!well.contains(KEY) && !refused.contains(KEY), "{well}\n{refused}");
}
