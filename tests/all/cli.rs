//! The command line as a person meets it.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::{
    chat_server::{ChatServer, KEY, json_answer, reply},
    deepgram_server::{DeepgramServer, Heard, Step},
    livekit_server,
    tts_openai::spoken,
};

/// An ear and a voice that cost nothing.
const SCRIPTED: [(&str, &str); 2] =
    [("VIVAVOCE_SPEECH__STT", "scripted"), ("VIVAVOCE_SPEECH__TTS", "scripted")];

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
    // A debug build reads the pages from their folder.
    let has_pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist/index.html").is_file();
    for expected in [
        "FAIL  data folder: cannot write into `/proc/nothing`",
        "FAIL  web address: port ",
        "VIVAVOCE_WEB__LISTEN",
        "ok    speech: ",
        "ok    blueprints: discovery, knowledge-transfer, mock-interview, mock-interview-de, ",
        "ok    roles: 40, and 5 levels",
        "ok    health address: ",
        "FAIL  LiveKit server: no LiveKit server answers at ws://127.0.0.1:1",
        if has_pages { "ok    web pages: " } else { "-     web pages: `worker` needs none" },
        "ok    voice: the embedded voice needs no server",
        "ok    ear: the embedded recogniser needs no server",
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
    let settings =
        [("VIVAVOCE_SPEECH__TURN_DETECTOR", "smart-turn"), ("VIVAVOCE_WORKER__BLUEPRINT", "x")];
    let said = text(&vivavoce(&["doctor"], &settings).stdout);
    for expected in [
        "-     speech: not tried, as what it needs is wrong",
        "FAIL  blueprints: worker.blueprint names \"x\", which does not exist",
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
}

/// P09, N06: whoever lets `dev` start a server needs no key, and is told who does; a server that is there
/// wants one. `doctor` leaves nothing behind.
#[test]
fn doctor_asks_for_no_key_without_a_server() {
    let server = livekit_server::LiveKit::shared();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("not/made").display().to_string();
    let line = |settings: &[(&str, &str)]| {
        let usual = [
            ("VIVAVOCE_WEB__LISTEN", "127.0.0.1:0"),
            ("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0"),
            ("VIVAVOCE_DATA", data.as_str()),
            SCRIPTED[0],
            SCRIPTED[1],
        ];
        let settings = [usual.as_slice(), settings].concat();
        let said = text(&vivavoce(&["doctor"], &settings).stdout);
        assert!(said.contains("ok    data folder: ") && said.contains("can be made"), "{said}");
        said.lines().find(|line| line.contains("LiveKit server: ")).unwrap().to_owned()
    };
    let nobody = ("LIVEKIT_URL", "ws://127.0.0.1:1");
    let alone = line(&[nobody]);
    assert!(alone.starts_with("-     LiveKit server: `make run` starts one"), "{alone}");
    assert!(alone.contains("`worker` and `web` need LIVEKIT_API_KEY"), "{alone}");
    let binary = livekit_server::binary().display().to_string();
    let own = line(&[nobody, ("VIVAVOCE_LIVEKIT_SERVER", &binary)]);
    assert!(
        own.starts_with("-     LiveKit server: `dev` starts one, with a key of its own"),
        "{own}"
    );
    for settings in [
        [("LIVEKIT_URL", server.url()), ("LIVEKIT_API_KEY", "")],
        [("LIVEKIT_URL", "wss://livekit.invalid"), ("LIVEKIT_API_KEY", "")],
        [nobody, ("LIVEKIT_API_KEY", "half")],
    ] {
        let wrong = line(&settings);
        assert!(wrong.starts_with("FAIL  LiveKit server: no key to "), "{wrong}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

/// P07: `models` says what to fetch, from where and how to know it, and checks what the configuration names:
/// a wrong file is one sentence, there, in `doctor` and at the start of a worker.
#[test]
fn models_are_named_and_checked() {
    let nothing = tempfile::tempdir().unwrap();
    let nothing = nothing.path().display().to_string();
    let output = vivavoce(&["models"], &[("VIVAVOCE_SPEECH__MODELS_DIR", &nothing)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for expected in [
        "silero_vad/data/silero_vad_16k_op15.onnx in the Python package silero-vad==6.2.3",
        "1289603 bytes",
        "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49",
        "in the npm package @moonshine-ai/moonshine-js@0.1.29",
        "8679182 bytes",
        "2bb026316b14a660486a75b1733cd3fbab8c2fd0314dc9af7be49f8cca967e4f",
        "BSD-2-Clause",
        "-        it is not there",
        "apt-get install pocketsphinx-en-us",
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }

    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, "half of it").unwrap();
        file.display().to_string()
    };
    let (vad, turns) = (file("silero_vad_16k_op15.onnx"), file("smart-turn-v3.2-cpu.onnx"));
    let folder = folder.path().display().to_string();
    let silero =
        format!("{vad} is not Silero VAD 6.2: it has 10 bytes, Silero VAD 6.2 has 1289603; ");
    let smart_turn =
        format!("{turns} is not Smart Turn 3.2: it has 10 bytes, Smart Turn 3.2 has 8679182; ");
    for (setting, chosen, sentence) in [
        ("VIVAVOCE_SPEECH__VAD", "silero", &silero),
        ("VIVAVOCE_SPEECH__TURN_DETECTOR", "smart-turn", &smart_turn),
    ] {
        let settings = [
            ("VIVAVOCE_SPEECH__MODELS_DIR", folder.as_str()),
            (setting, chosen),
            ("VIVAVOCE_SPEECH__STT", "pocketsphinx"),
            ("LIVEKIT_API_KEY", "key"),
            ("LIVEKIT_API_SECRET", "secret"),
            ("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0"),
        ];
        let said = text(&vivavoce(&["models"], &settings).stderr);
        assert!(said.contains(&silero) && said.contains(&smart_turn), "{said}");
        let output = vivavoce(&["worker"], &settings);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.starts_with(sentence.as_str()) && said.lines().count() == 1, "{said}");
        let said = text(&vivavoce(&["doctor"], &settings).stdout);
        assert!(said.contains("FAIL  models: ") && said.contains(sentence.as_str()), "{said}");
    }
    // What is needed and is not there is named, and so is how to mend it.
    let settings =
        [("VIVAVOCE_SPEECH__MODELS_DIR", nothing.as_str()), ("VIVAVOCE_SPEECH__STT", "moonshine")];
    let output = vivavoce(&["models"], &settings);
    let said = text(&output.stderr);
    assert!(said.contains("Moonshine tiny (English), encoder cannot be read from "), "{said}");
    assert!(said.contains("`make models` fetches it"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

/// P09: `doctor` beside a running Vivavoce finds its address in use by it, which is no fault.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_knows_vivavoce_itself() {
    let data = tempfile::tempdir().unwrap();
    let livekit = voiceroom::server::Api::new("ws://127.0.0.1:9", crate::web::no_keys());
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

/// N07: what cannot be written is a failure, so that nobody takes half a file for a whole one.
#[test]
fn a_full_disk_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_vivavoce"));
    command.arg("check").env_clear().current_dir(&folder).stdout(full);
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert!(said.starts_with("cannot write what was to be printed: No space"), "{said}");
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1));
}

/// B01: the blueprints in the binary are right; those in a folder are refused with file and line, all at
/// once.
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
    let front = "title = \"Only\"\nkind = \"questions\"\nrequires = \"nothing\"\nquestions_max = 2\n\
        stage_limit = \"1m\"\n\
        silence_limit = \"30s\"\nnudges = [\"Take your time.\", \"What comes to mind?\"]\n\
        questions = [\n\"What do you do today at work?\",\n\"What do you do at work today?\",\n]\n";
    std::fs::write(broken.join("only.md"), format!("+++\n{front}+++\nAsk.\n")).unwrap();
    let output = vivavoce(&["check", folder.path().to_str().unwrap()], &[]);
    let said = text(&output.stderr);
    assert!(said.starts_with("broken/only.md:11: ") && said.contains("too much like"), "{said}");
    // What other programs keep beside them is no blueprint.
    std::fs::rename(&broken, folder.path().join(".git")).unwrap();
    let output = vivavoce(&["check", folder.path().to_str().unwrap()], &[]);
    assert!(text(&output.stderr).starts_with("there are no blueprints in "));
    let nowhere = folder.path().join("nowhere");
    let output = vivavoce(&["check", nowhere.to_str().unwrap()], &[]);
    assert!(text(&output.stderr).starts_with("cannot read the blueprints in "));
}

/// A05, B05: `prompt` prints what the model is told at the opening or in a scenario, and how long all prompts
/// are; a blueprint or a file of roles that is none is one sentence.
#[test]
fn prompt_shows_what_the_model_is_told() {
    let scenario =
        concat!(env!("CARGO_MANIFEST_DIR"), "/crates/interview/tests/scenarios/two-stage.txt");
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
    let scripted = text(&vivavoce(&["prompt", "mock-interview"], &[]).stdout);
    assert!(
        scripted.contains("Candidate: yes, I am") && scripted.contains("\ntotal "),
        "{scripted}"
    );
    let table = text(&vivavoce(&["prompt", "--at", scenario], &[]).stdout);
    assert_eq!(table.lines().count(), 10, "a head, seven blueprints, all, the unit\n{table}");
    for (arguments, expected) in [
        (vec!["prompt", "quiz"], "there is no blueprint \"quiz\"; there are: discovery"),
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

/// Bad input: an unknown fixture and a file that is no recording are one sentence each, and nothing is
/// written.
#[test]
fn replay_refuses_what_it_cannot_play() {
    let folder = tempfile::tempdir().unwrap();
    let wav = folder.path().join("text.wav");
    std::fs::write(&wav, "no sound at all").unwrap();
    let out = folder.path().join("out");
    let folder = folder.path().to_str().unwrap();
    let (no_sound, no_file) = (format!("{folder}/text.mp3"), format!("{folder}/none.ogg"));
    std::fs::copy(&wav, &no_sound).unwrap();
    for (candidate, expected) in [
        ("nobody", "there is no folder audio-fixtures here"),
        (wav.to_str().unwrap(), "this is not a WAV file"),
        (&no_sound, "this is not a WAV file"),
        (&no_file, "cannot be opened: No such file"),
        (folder, "is a folder: give a WAV file"),
    ] {
        let output = vivavoce(&["replay", candidate, "--out", out.to_str().unwrap()], &[]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert!(said.contains(candidate) && said.lines().count() == 1, "{said}");
        assert!(said.contains(expected), "{said}");
        assert!(!out.exists());
    }
}

/// P08: a recording with its marks beside it is the fixture of its name, wherever it is; without them it is
/// one answer, and that is said. Whoever has blueprints of their own is told how to choose one.
#[test]
fn replay_plays_a_file_as_its_fixture() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/audio-fixtures");
    let marked = format!("{fixtures}/two-stage-plain.wav");
    std::fs::copy(&marked, place("bare.wav")).unwrap();
    let journal = |candidate: &str, out: &str, settings: &[(&str, &str)]| {
        let arguments = ["replay", candidate, "--blueprint", "two-stage", "--out", out];
        let output = vivavoce(&arguments, &[&SCRIPTED, settings].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let journal = std::fs::read_to_string(format!("{out}/journal.jsonl")).unwrap();
        (text(&output.stdout), journal)
    };
    let settings = [("VIVAVOCE_RECORDINGS", fixtures)];
    let (_, named) = journal("two-stage-plain", &place("named"), &settings);
    let (said, by_file) = journal(&marked, &place("by-file"), &[]);
    assert_eq!(named, by_file);
    assert!(!said.contains("is one answer"), "{said}");
    let (said, bare) = journal(&place("bare.wav"), &place("bare"), &[]);
    assert_ne!(named, bare);
    assert!(said.contains("bare.wav is one answer, to the greeting: there is no "), "{said}");

    let agents = folder.path().join("agents/barista");
    std::fs::create_dir_all(&agents).unwrap();
    for (name, text) in crate::house::files("two-stage") {
        std::fs::write(agents.join(name), text).unwrap();
    }
    let settings = [
        ("VIVAVOCE_AGENTS__DIR", place("agents")),
        ("LIVEKIT_API_KEY", "key".to_owned()),
        ("LIVEKIT_API_SECRET", "secret".to_owned()),
        ("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0".to_owned()),
    ];
    let settings = settings.each_ref().map(|(name, value)| (*name, value.as_str()));
    for arguments in [vec!["replay", marked.as_str()], vec!["worker"]] {
        let said = text(&vivavoce(&arguments, &settings).stderr);
        assert!(said.starts_with("worker.blueprint names \"mock-interview\""), "{said}");
        assert!(said.contains("there are: barista; choose one with --blueprint"), "{said}");
        assert!(said.contains("VIVAVOCE_WORKER__BLUEPRINT") && said.lines().count() == 1, "{said}");
    }
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
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("not/made");
    journal(vivavoce(&[&once[..], &["--out", out.to_str().unwrap()]].concat(), &[]));
    assert!(out.is_dir(), "the folder for journals is made");
    let output = vivavoce(&["simulate", "--blueprint", "quiz"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("there is no blueprint \"quiz\""));
}

/// What is no scenario, no folder and no number of anything is one sentence, and an exit code of its own.
#[test]
fn nonsense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let no_head = format!("{readme}:3: nobody knows what `A` means: write with, change");
    let remarks = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&remarks, "# Only a remark.\n").unwrap();
    let remarks = remarks.path().to_str().unwrap();
    let nothing = format!("{remarks}:1: nothing happens in it");
    let no_sound = format!("{readme}: this is not a WAV file");
    let no_folder = format!("{readme}/out");
    let no_folder_said = format!("cannot make the folder {no_folder} for the journals: ");
    for (arguments, code, expected) in [
        (vec!["scenario", readme], 1, no_head.as_str()),
        (vec!["scenario", remarks], 1, nothing.as_str()),
        (vec!["scenario", empty], 1, "there is no scenario in "),
        (vec!["prompt", "two-stage", "--at", readme], 1, &no_head),
        (
            vec!["simulate", "--seeds", "0"],
            2,
            "error: invalid value '0' for '--seeds <SEEDS>': write a whole number, 1 or more",
        ),
        (
            vec!["simulate", "--faults", "loops"],
            1,
            "--faults: `loops` is no fault: write what goes wrong and how, such as mind=loops; what can",
        ),
        (vec!["simulate", "--jobs", "0"], 2, "error: invalid value '0' for '--jobs"),
        (vec!["simulate", "--seeds", "1", "--out", &no_folder], 1, &no_folder_said),
        (vec!["replay", readme], 1, &no_sound),
    ] {
        let output = vivavoce(&arguments, &[]);
        let said = text(&output.stderr);
        assert!(said.starts_with(expected), "{arguments:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

/// P09: `doctor` really calls the model on both lanes and says how long that took; without a key, with a key
/// that is refused and with a model that cannot judge it says what to do.
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
    // A busy machine must not look like a slow server.
    let settings = [
        ("VIVAVOCE_PROVIDERS__OPENAI__BASE_URL", base_url.as_str()),
        ("VIVAVOCE_PROVIDERS__OPENAI__FIRST_TOKEN_LIMIT", "60s"),
        ("VIVAVOCE_PROVIDERS__OPENAI__STALL_LIMIT", "60s"),
        ("VIVAVOCE_PROVIDERS__OPENAI__JUDGE_LIMIT", "60s"),
        ("OPENAI_API_KEY", KEY),
    ];
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

/// P09: `doctor` really calls the vendors of voice and ear, lets one hear the other, and says what to do if
/// one of them refuses; no key is shown.
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
    // A busy machine must not look like a slow server.
    let settings = [
        ("VIVAVOCE_SPEECH__TTS", "openai-speech"),
        ("VIVAVOCE_PROVIDERS__OPENAI_SPEECH__BASE_URL", &voice_url),
        ("VIVAVOCE_PROVIDERS__OPENAI_SPEECH__FIRST_BYTE_LIMIT", "60s"),
        ("VIVAVOCE_PROVIDERS__OPENAI_SPEECH__STALL_LIMIT", "60s"),
        ("OPENAI_API_KEY", KEY),
        ("VIVAVOCE_SPEECH__STT", "deepgram"),
        ("VIVAVOCE_PROVIDERS__DEEPGRAM__BASE_URL", &ear_url),
        ("VIVAVOCE_PROVIDERS__DEEPGRAM__FINAL_LIMIT", "60s"),
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
        (
            &refused,
            "refuses the key (401 Unauthorized): check OPENAI_API_KEY or providers.openai-speech.api",
        ),
        (
            &refused,
            "refuses the key (403 Forbidden): check DEEPGRAM_API_KEY or providers.deepgram.api",
        ),
    ] {
        assert!(said.contains(expected), "{expected}\nnot in\n{said}");
    }
    assert!(refused.contains("-     speech: not tried"), "each is told once\n{refused}");
    assert!(!well.contains(KEY) && !refused.contains(KEY), "{well}\n{refused}");
}
