//! A LiveKit client that is not ours: the Python package `livekit`, libwebrtc inside.
//!
//! `VIVAVOCE_LIVEKIT_PYTHON` names a Python that has the packages of `.ci/requirements.txt`; without it a
//! virtual environment is made once in the folder for test data, with the packages from the usual registry.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use voiceroom::{
    room::{AGENT_STATE, Caption, Version},
    server::Role,
};

use crate::{
    client::{Client, Tone},
    livekit_server::LiveKit,
};

/// The packages that tests use.
const PACKAGES: &str = include_str!("../../.ci/requirements.txt");

/// Runs the candidate of `tests/clients` until the agent has left; returns what it has seen.
pub(crate) async fn candidate(url: &str, token: String, args: &[&str]) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/libwebrtc_candidate.py");
    let python = tokio::task::spawn_blocking(python).await.unwrap();
    let output = tokio::process::Command::new(python)
        .arg(script)
        .args(["--url", url, "--token", &token])
        .args(args)
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "the candidate failed: {err}");
    serde_json::from_str(out.trim()).unwrap_or_else(|error| panic!("{error}: {out} {err}"))
}

/// A Python with the packages of `.ci/requirements.txt` that tests use.
pub(crate) fn python() -> PathBuf {
    if let Some(python) = std::env::var_os("VIVAVOCE_LIVEKIT_PYTHON") {
        return python.into();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("livekit-python");
    let (python, ready) = (folder.join("bin/python"), folder.join("ready"));
    // One process makes it, the others wait for it.
    let lock = std::fs::File::create(folder.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    if std::fs::read_to_string(&ready).ok().as_deref() != Some(PACKAGES) {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
        let list = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/requirements.txt");
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(list));
        std::fs::write(ready, PACKAGES).unwrap();
    }
    python
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed, set VIVAVOCE_LIVEKIT_PYTHON: {error}");
}

/// R01–R03, R07: libwebrtc hears us and we hear it; it gets our captions in pieces, the candidate's under
/// their own name, and the agent's state.
#[tokio::test]
async fn libwebrtc_and_we_understand_each_other() {
    let server = LiveKit::shared();
    let agent = Client::of(&server, "libwebrtc", "agent").role(Role::Agent);
    let state = [(AGENT_STATE.to_owned(), "listening".to_owned())];
    let agent = agent.with(|o| o.attributes.extend(state)).playing(Tone::new(440.0)).join().await;
    let token = server.keys().room_token("libwebrtc", "cand", Role::Person).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tone = folder.path().join("tone.wav").to_string_lossy().into_owned();
    write_tone(&tone);
    let recording = folder.path().join("agent.wav").to_string_lossy().into_owned();
    let args =
        ["--play", &tone, "--repeat", "--record", &recording, "--texts", "2", "--seconds", "240"];
    let (seen, ()) = tokio::join!(candidate(server.url(), token, &args), async {
        agent.hears("cand", Some(880.0)).await;
        let ours = |delta: &str| Caption::Ours { segment: "SG_1".into(), delta: delta.into() };
        agent.room.set_attributes([(AGENT_STATE.to_owned(), "speaking".to_owned())]).unwrap();
        agent.room.caption(ours("Good ")).unwrap();
        agent.room.caption(ours("morning.")).unwrap();
        agent.room.caption(Caption::OursEnded { segment: "SG_1".into() }).unwrap();
        let theirs = Caption::Theirs {
            participant: "cand".into(),
            track: "TR_x".into(),
            segment: "SG_2".into(),
            text: "Hello.".into(),
            version: Version::Final,
        };
        agent.room.caption(theirs).unwrap();
        agent.hears("cand", None).await;
        agent.leave().await;
    });
    let states: Vec<_> = seen["states"].as_array().unwrap().iter().map(|s| &s["state"]).collect();
    assert_eq!(states, ["listening", "speaking"], "{seen}");
    assert_eq!(seen["agent_left"], true, "{seen}");
    let text = |who: &str| {
        let texts = seen["texts"].as_array().unwrap();
        texts
            .iter()
            .find(|t| t["from"] == who)
            .unwrap_or_else(|| panic!("no text of {who}: {seen}"))
    };
    assert_eq!(text("agent")["text"], "Good morning.");
    assert_eq!(text("agent")["attributes"]["lk.transcription_final"], "true");
    assert_eq!(text("cand")["text"], "Hello.");
    assert!(seen["loud_share"].as_f64().unwrap() > 0.5, "{seen}");
}

/// A second of 880 Hz at 16 kHz.
fn write_tone(path: &str) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::create(path, spec).unwrap();
    for n in 0..16_000 {
        let phase = n as f32 / 16_000.0 * 880.0 * std::f32::consts::TAU;
        wav.write_sample((phase.sin() * 10_000.0) as i16).unwrap();
    }
    wav.finalize().unwrap();
}
