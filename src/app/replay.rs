//! `vivavoce replay`: a recorded candidate through the same VAD, STT, interview, LLM and TTS, without a room.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Failed,
    agents::{Agents, chosen_providers},
    languages,
    out::{FAINT, PLAIN, say},
    roles,
};
use crate::{
    audio::Pcm48,
    blueprint::Context,
    clock::Clock,
    codec::{
        fixture::{self, Fixture},
        wav,
    },
    config::Config,
    journal::{self, Entry, Header, Inputs, Narrator},
    providers::registry::Registry,
    session::{Latencies, Lockstep, Parts, Player, Session, WavLine},
    speak::Mouth,
    store::{FileStore, InterviewId, JournalStore, Lease, Projection},
};

/// What to replay, and how.
#[derive(Clone, Debug)]
pub struct Replay {
    /// A fixture's name, or a WAV file; with a fixture's marks beside it that file is one.
    pub candidate: String,
    /// The blueprint, if not the configured one.
    pub blueprint: Option<String>,
    /// Where journal and sound go.
    pub out: PathBuf,
    /// Whether at the recording's own pace.
    pub realtime: bool,
}

/// Where fixtures are: ours, and the folder of recorded people that the environment names.
const FIXTURES: &str = "audio-fixtures";
const RECORDINGS: &str = "VIVAVOCE_RECORDINGS";

/// Replays a recorded candidate; prints the conversation, writes the journal and the interviewer's sound.
pub async fn replay(config: &Config, replay: &Replay) -> Result<(), Failed> {
    let player = candidate(&replay.candidate)?;
    let agents = Agents::load(config.agents.dir.as_deref())?.with_providers(&config.providers)?;
    let name = agents.chosen(replay.blueprint.as_deref(), &config.worker.blueprint)?;
    let files = &agents.files[name];
    let (role, level) = ("Software engineer", "mid");
    let context = Context {
        candidate_name: "Ada".to_owned(),
        role: role.to_owned(),
        level: level.to_owned(),
        focus: roles::load(config.agents.roles.as_deref())?.focus(role, level),
        ..Context::default()
    };
    let inputs = Inputs::new(name, files.clone().into_iter().collect(), context);
    let providers = Registry::build(&config.speech, &config.providers, 1)
        .and_then(|all| all.choosing(chosen_providers(&agents.blueprints[name])))
        .map_err(|error| Failed(error.to_string()))?;
    let providers = languages::teach(providers, config.agents.dir.as_deref())?;
    for instead in providers.fallbacks() {
        say(FAINT, instead);
    }
    fs::create_dir_all(&replay.out).map_err(|error| {
        Failed(format!("cannot make the folder {}: {error}", replay.out.display()))
    })?;
    if replay.realtime {
        return in_real_time(&replay.out, inputs, player, providers).await;
    }
    let latencies = Latencies {
        llm: config.lockstep.llm,
        tts: config.lockstep.tts,
        judge: config.lockstep.judge,
    };
    let out = replay.out.clone();
    let work = move || on_virtual_time(&out, &inputs, player, &providers, latencies);
    // Model and voice are waited for by blocking, which the runtime's own threads must not do.
    tokio::task::spawn_blocking(work).await.map_err(|error| Failed(error.to_string()))?
}

/// The fixture of that name, or the WAV file.
fn candidate(name: &str) -> Result<Player, Failed> {
    let folders = [Some(PathBuf::from(FIXTURES)), std::env::var_os(RECORDINGS).map(PathBuf::from)];
    let folder = folders.iter().flatten().find(|dir| fixture::names(dir).iter().any(|n| n == name));
    if let Some(folder) = folder {
        return fixture(folder, name);
    }
    let path = Path::new(name);
    if path.is_dir() {
        return Err(Failed(format!(
            "{name} is a folder: give a WAV file, or the name of a fixture in {FIXTURES}"
        )));
    }
    // Names of fixtures have neither an ending nor a folder.
    if path.exists() || path.extension().is_some() || path.components().count() > 1 {
        return recording(path);
    }
    if !Path::new(FIXTURES).is_dir() {
        return Err(Failed(format!(
            "there is no fixture \"{name}\", as there is no folder {FIXTURES} here: go to a clone \
                of Vivavoce, where it is, or give a WAV file"
        )));
    }
    fixture(Path::new(FIXTURES), name)
}

fn fixture(folder: &Path, name: &str) -> Result<Player, Failed> {
    let fixture = Fixture::load(folder, name).map_err(|error| Failed(error.to_string()))?;
    Ok(Player::fixture(&fixture))
}

/// A file, which is a fixture if its answers are marked beside it.
fn recording(path: &Path) -> Result<Player, Failed> {
    let marks = path.with_extension("toml");
    let is_wav = path.extension().is_some_and(|extension| extension == "wav");
    if let (true, Some(folder), Some(name)) =
        (is_wav && marks.is_file(), path.parent(), path.file_stem())
    {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        return fixture(folder, &name.to_string_lossy());
    }
    let wav = wav::read(path).map_err(|error| Failed(error.to_string()))?;
    if let Some(warning) = wav.warning {
        eprintln!("{warning}");
    }
    let (path, marks) = (path.display(), marks.display());
    say(
        FAINT,
        &format!(
            "{path} is one answer, to the greeting: there is no {marks} that marks where each begins."
        ),
    );
    Ok(Player::recording(wav.sound))
}

fn on_virtual_time(
    out: &Path,
    inputs: &Inputs,
    player: Player,
    providers: &Registry,
    latencies: Latencies,
) -> Result<(), Failed> {
    // The same inputs give the same journal, so it has no time and no name of its own.
    let header = Header::new(&inputs.hash()[..32], 0, inputs);
    let interview = inputs.interview().map_err(|problems| {
        Failed(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })?;
    let lockstep = Lockstep::new(interview, player, providers, latencies)
        .map_err(|error| Failed(error.to_string()))?;
    let replayed = lockstep.run(teller(inputs));
    let mut text = journal::line(&header);
    text.extend(replayed.entries.iter().map(journal::line));
    let write = |name: &str, text: String| {
        let path = out.join(name);
        fs::write(&path, text)
            .map_err(|error| Failed(format!("cannot write {}: {error}", path.display())))
    };
    write("journal.jsonl", text)?;
    say(PLAIN, &format!("The journal is {}.", out.join("journal.jsonl").display()));
    let record = journal::record(&header, &replayed.entries, Some(inputs));
    write("inputs.json", serde_json::to_string(inputs).expect("plain data serializes"))?;
    write(journal::RECORD_FILE, journal::record_text(&record))?;
    let transcript = journal::transcript(&header, &replayed.entries);
    write(
        Projection::Transcript.name(),
        serde_json::to_string_pretty(&transcript).expect("plain data serializes"),
    )?;
    write_sound(out, &replayed.sound)
}

async fn in_real_time(
    out: &Path,
    inputs: Inputs,
    player: Player,
    providers: Registry,
) -> Result<(), Failed> {
    let failed = |error: &dyn std::fmt::Display| Failed(error.to_string());
    let interview = inputs.interview().map_err(|problems| {
        Failed(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })?;
    let id = InterviewId::random();
    let store = FileStore::alone(out, id, &inputs).map_err(|error| failed(&error))?;
    let store: Arc<dyn JournalStore> = Arc::new(store);
    let lease = Lease::take(&store, id).await.map_err(|error| failed(&error))?;
    let header = Header::new(&id.to_string(), crate::clock::unix_millis(), &inputs);
    let (before, hold) = (Vec::new(), lease.hold().clone());
    let parts = Parts { interview, header, before, hold, providers, recording: None };
    let clock = Clock::start();
    let (mouth, heard) = Mouth::new();
    let mut line = WavLine::new(player, mouth.clone(), clock);
    let session = Session::begin(parts, clock, mouth).map_err(|error| failed(&error))?;
    let outcome = session.run(&mut line, heard, std::future::pending(), teller(&inputs)).await;
    let outcome = outcome.map_err(|error| failed(&error))?;
    say(PLAIN, &format!("The journal is {}.", out.join("journal.jsonl").display()));
    if let Some(trouble) = outcome.trouble {
        return Err(Failed(trouble));
    }
    write_sound(out, &line.into_sound())
}

/// Prints the conversation as it goes.
fn teller(inputs: &Inputs) -> impl FnMut(&Entry) + Send + use<> {
    let mut narrator = Narrator::new(inputs.interview().ok());
    move |entry| narrator.tell(entry).iter().for_each(|line| say(PLAIN, &line.to_string()))
}

fn write_sound(out: &Path, sound: &Pcm48) -> Result<(), Failed> {
    let path = out.join("interviewer.wav");
    let written = wav::Writer::create(&path).and_then(|mut writer| {
        writer.write(sound)?;
        writer.finish()
    });
    written.map_err(|error| Failed(error.to_string()))?;
    say(PLAIN, &format!("What the candidate heard is {}.", path.display()));
    Ok(())
}
