//! A whole interview in a real room: the worker as its users start it, a real LiveKit server, and a candidate
//! who answers by voice.

use std::{
    collections::BTreeSet,
    future::ready,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};
use vivavoce::{
    audio::resample::Up,
    blueprint::Context,
    clock::Clock,
    codec::fixture::Fixture,
    interview::{AgentState, Effect, End, Event, Interview, Note, Notice},
    journal::{self, Entry, Header, Inputs, Record, Speaker, Transcript},
    session::Player,
    store::{FileStore, Folder, InterviewId, Launch, LeaseState, LinkToken, Projection},
};
use voiceroom::{
    Frame,
    room::{AGENT_STATE, FrameSource, RoomEvent, TRANSCRIPTION_TOPIC, Text, To},
    server::{Api, Call, Role, Watched, call_until_begun},
};

use crate::{
    client::{self, Client, Seen},
    libwebrtc,
    livekit_server::{self, LiveKit, jobs_ended},
    tcp::be_understood,
};

/// Whose dispatches the worker takes.
pub(crate) const AGENT: &str = "e2e";
/// The topic of buttons.
pub(crate) const CONTROL: &str = "vivavoce.control";
/// An interview of two stages with fixtures takes about 90 s; on a busy machine more.
pub(crate) const INTERVIEW_LIMIT: Duration = Duration::from_secs(300);

/// `vivavoce worker` as a process of its own.
pub(crate) struct WorkerProcess {
    child: Child,
    /// Its data folder.
    pub(crate) data: TempDir,
    /// What it logs.
    log: NamedTempFile,
    /// What it prints.
    said: NamedTempFile,
}

impl WorkerProcess {
    /// Starts a worker with the embedded speech.
    pub(crate) fn start(server: &LiveKit) -> Self {
        Self::with(server, &[])
    }

    /// Starts a worker with other settings, by their names in the environment.
    pub(crate) fn with(server: &LiveKit, settings: &[(&str, &str)]) -> Self {
        let log = NamedTempFile::new().unwrap();
        Self::logging_to(log.reopen().unwrap(), log, server, settings)
    }

    /// Starts another worker with the data of this one.
    pub(crate) fn beside(&self, server: &LiveKit) -> Self {
        Self::with(server, &[("VIVAVOCE_DATA", self.data.path().to_str().unwrap())])
    }

    fn logging_to(
        stderr: impl Into<Stdio>,
        log: NamedTempFile,
        server: &LiveKit,
        settings: &[(&str, &str)],
    ) -> Self {
        let data = tempfile::tempdir().unwrap();
        let said = NamedTempFile::new().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_vivavoce"))
            .arg("worker")
            .env("LIVEKIT_URL", server.url())
            .env("LIVEKIT_API_KEY", livekit_server::KEY)
            .env("LIVEKIT_API_SECRET", livekit_server::SECRET)
            .env("VIVAVOCE_DATA", data.path())
            .env("VIVAVOCE_WORKER__AGENT_NAME", AGENT)
            // Other tests run beside this one.
            .env("VIVAVOCE_WORKER__ADMISSION", "slots")
            .env("VIVAVOCE_WORKER__HEALTH", "127.0.0.1:0")
            .envs(settings.iter().copied())
            .stdin(Stdio::null())
            .stdout(said.reopen().unwrap())
            .stderr(stderr)
            .spawn()
            .unwrap();
        Self { child, data, log, said }
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }

    /// Its interviews.
    pub(crate) fn store(&self) -> FileStore {
        FileStore::open(self.data.path()).unwrap()
    }

    /// Waits until its log says so.
    pub(crate) async fn says(&self, what: &str) {
        until(|| self.log().contains(what)).await;
    }

    /// Waits until it has told the terminal so.
    pub(crate) async fn tells(&self, what: &str) {
        until(|| std::fs::read_to_string(self.said.path()).unwrap().contains(what)).await;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Lets it stand still, and returns when it does.
    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
        let pid = Some(Pid::from_child(&self.child));
        let (_, status) = waitpid(pid, WaitOptions::UNTRACED).unwrap().expect("it is our child");
        assert!(status.stopped(), "it has ended: {status:?}");
    }

    /// Waits until it has ended.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let waiting = async {
            loop {
                if let Some(status) = self.child.try_wait().unwrap() {
                    return status;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(client::PATIENCE, waiting).await.expect("it ends")
    }

    /// Kills it, as a crash would.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.kill();
        eprintln!("{}", self.log());
    }
}

/// What `web` does for a launched interview: its folder, and the inputs in it.
pub(crate) fn launch(store: &FileStore, blueprint: &str) -> Folder {
    launch_with(store, blueprint, Context::default())
}

/// The same, with what else is known.
pub(crate) fn launch_with(store: &FileStore, blueprint: &str, context: Context) -> Folder {
    let context = Context {
        candidate_name: "Ada".into(),
        role: "Backend engineer".into(),
        level: "mid".into(),
        ..context
    };
    let dir = Path::new("agents").join(blueprint);
    let mut files: Vec<(String, String)> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    store.make(InterviewId::random(), &Inputs::new(blueprint, files, context), None).unwrap()
}

/// A candidate's voice: answers when the interviewer listens.
#[derive(Clone)]
pub(crate) struct Voice {
    player: Arc<Mutex<Player>>,
    up: Arc<Mutex<Up>>,
    clock: Clock,
}

impl Voice {
    pub(crate) fn of(fixture: &str) -> Self {
        let fixture = Fixture::load(Path::new("audio-fixtures"), fixture).unwrap();
        let player = Arc::new(Mutex::new(Player::fixture(&fixture)));
        Self { player, up: Arc::default(), clock: Clock::start() }
    }

    /// Says nothing more, and later all of it from the beginning.
    pub(crate) fn falls_silent(&self, fixture: &str) {
        let fixture = Fixture::load(Path::new("audio-fixtures"), fixture).unwrap();
        *self.player.lock().unwrap() = Player::fixture(&fixture);
    }
}

impl FrameSource for Voice {
    fn pull(&mut self, at: Instant) -> Option<Frame> {
        let frame = self.player.lock().unwrap().frame(self.clock.at(at));
        Some(Frame::try_from(self.up.lock().unwrap().push(&frame).0).unwrap())
    }
}

/// What the interviewer did, as a frontend sees it.
#[derive(Default)]
pub(crate) struct Observed {
    agent: String,
    states: Vec<String>,
    stages: Vec<String>,
}

/// Answers until the interviewer has left.
pub(crate) async fn answer(candidate: &Client, voice: &Voice) -> Observed {
    let mut watched = Observed::default();
    loop {
        let (agent, state, stage) = candidate
            .until("change of the interviewer's state", |seen| {
                let (agent, state, stage) = interviewer(seen);
                (watched.agent.is_empty() && !agent.is_empty()
                    || !watched.agent.is_empty() && Some(&state) != watched.states.last())
                .then_some((agent, state, stage))
            })
            .await;
        if agent.is_empty() {
            return watched;
        }
        watched.agent = agent;
        voice.player.lock().unwrap().see(voice.clock.now(), parsed(&state));
        watched.states.push(state);
        if !stage.is_empty() && watched.stages.last() != Some(&stage) {
            watched.stages.push(stage);
        }
    }
}

/// The interviewer's identity, state and stage, once it is there.
pub(crate) fn interviewer(seen: &Seen) -> (String, String, String) {
    let agent = seen.people.values().find(|person| person.attributes.contains_key(AGENT_STATE));
    let Some(agent) = agent else { return Default::default() };
    let attribute = |key: &str| agent.attributes.get(key).cloned().unwrap_or_default();
    (agent.identity.clone(), attribute(AGENT_STATE), attribute("vivavoce.stage"))
}

fn parsed(state: &str) -> AgentState {
    match state {
        "initializing" => AgentState::Initializing,
        "listening" => AgentState::Listening,
        "thinking" => AgentState::Thinking,
        "speaking" => AgentState::Speaking,
        other => panic!("{other:?} is no state of an agent"),
    }
}

/// The journal of an interview that has ended, checked: it replays to the same effects.
pub(crate) fn journal_of(folder: &Folder) -> Vec<Entry> {
    let text = folder.read_journal().unwrap().expect("a journal");
    let (header, entries) = journal::parse(&text).unwrap();
    let inputs = folder.inputs().unwrap();
    assert_eq!(header.inputs, inputs.hash(), "the journal names other inputs");
    let again = journal::replay(inputs.interview().unwrap(), &entries);
    assert!(again.is_ok(), "the journal does not replay: {:?}", again.err());
    entries
}

/// How often the floor was handed off, and how it ended.
pub(crate) fn summary(entries: &[Entry]) -> (Vec<String>, Option<End>) {
    let mut handoffs = Vec::new();
    let mut end = None;
    for effect in entries.iter().flat_map(|entry| &entry.effects) {
        match effect {
            Effect::Handoff { from, to, .. } => handoffs.push(format!("{from} -> {to}")),
            Effect::Hangup { end: how } => end = Some(*how),
            _ => {}
        }
    }
    (handoffs, end)
}

/// H01, H03, H05, H09, R01, R02, R03, R07, W05, W09, N01, N04: a person is interviewed by voice in a room, in
/// two stages with one handoff; captions of both sides, the agent's state and its stages are seen, sound is
/// heard both ways, the job succeeds, and the journal on disk replays to the same effects.
#[tokio::test(flavor = "multi_thread")]
async fn a_candidate_is_interviewed_by_voice() {
    let server = LiveKit::start();
    let worker = WorkerProcess::start(&server);
    let folder = launch(&worker.store(), "two-stage");
    let id = folder.id();
    let voice = Voice::of("two-stage-plain");
    let candidate =
        Client::of(&server, &id.room(), &id.candidate()).playing(voice.clone()).join().await;
    dispatch(&server, &folder).await;

    let watched = tokio::time::timeout(INTERVIEW_LIMIT, answer(&candidate, &voice)).await;
    let watched = watched.expect("the interview ends");
    // Words and goodbyes come on ways of their own.
    let is_goodbye = |seen: &Seen| {
        captions_of(seen, &watched.agent).last().is_some_and(|text| text.ends_with("Goodbye."))
    };
    candidate.until("the last words", |seen| is_goodbye(seen).then_some(())).await;
    assert_eq!(watched.stages, ["self-intro", "past-experience"]);
    // The scripted interviewer thinks for so short a time that the server may leave it out.
    for state in ["listening", "speaking"] {
        assert!(
            watched.states.iter().any(|seen| seen == state),
            "never {state}: {:?}",
            watched.states
        );
    }
    let seen = candidate.leave().await;
    assert_captions(&seen, &watched.agent, &id.candidate());
    assert_sound(&seen);

    let entries = journal_of(&folder);
    let (handoffs, end) = summary(&entries);
    assert_eq!(handoffs, ["self-intro -> past-experience"]);
    assert_eq!(end, Some(End::Completed));
    let transcript: Transcript =
        serde_json::from_str(&folder.read(Projection::Transcript).unwrap().unwrap()).unwrap();
    assert_eq!(transcript.end, Some(End::Completed));
    let record: Record =
        serde_json::from_str(&folder.read(Projection::Record).unwrap().unwrap()).unwrap();
    assert_eq!(record.end, transcript.end);
    let answers: u32 = record.stages.iter().map(|stage| stage.answers).sum();
    assert_eq!(record.metrics.candidate_turns, answers);
    assert!(record.metrics.candidate_turns >= 2, "{:?}", record.metrics);
    let said = transcript.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
    for word in ["engineer", "large systems"] {
        assert!(said.contains(word), "nobody understood {word:?}: {said}");
    }
    assert_eq!(jobs_ended(1, || server.log()).await, ["JS_SUCCESS"]);
    // Nobody had to be taken to hear us.
    assert!(!worker.log().contains("nobody asked for our sound"));
}

/// Q07: a log that nobody reads holds up no call.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_nobody_reads_holds_up_no_call() {
    let server = LiveKit::start();
    // A pipe takes 64 KiB, and this says more than that before anybody has spoken.
    let (all, log) = ([("VIVAVOCE_LOG__FILTER", "trace")], NamedTempFile::new().unwrap());
    let worker = WorkerProcess::logging_to(Stdio::piped(), log, &server, &all);
    be_understood(&server, &worker).await;
}

/// C04, W09: a room that nobody came to uses up no link, nor does a worker that died there: what was
/// journalled is set aside, and the next call begins anew.
#[tokio::test(flavor = "multi_thread")]
async fn an_empty_room_uses_up_no_link() {
    let server = LiveKit::start();
    let worker = WorkerProcess::start(&server);
    let inputs = launch(&worker.store(), "two-stage").inputs().unwrap();
    let id = InterviewId::random();
    let link = Launch {
        v: 1,
        token_hash: LinkToken::random(id).hash(),
        launched_at: 0,
        expires_at: u64::MAX,
        title: String::new(),
        interviewer: String::new(),
        stages: Vec::new(),
        length_limit_s: 1,
        cancelled: false,
        mailed: Vec::new(),
    };
    let folder = worker.store().make(id, &inputs, Some(&link)).unwrap();
    let header = journal::line(&Header::new(&id.to_string(), 0, &inputs));
    std::fs::write(folder.path().join("journal.jsonl"), &header).unwrap();
    let kept = |n| std::fs::read_to_string(folder.path().join(format!("no-show-{n}.jsonl")));
    let has_begun = || kept(1).is_ok_and(|kept| kept == header) && is_begun(&folder);
    call_agent(&server, &call(&id.room(), &id.metadata()), has_begun).await;
    let api = Api::new(server.url(), server.keys());
    for dispatch in api.dispatches(&id.room()).await.unwrap() {
        api.delete_dispatch(&id.room(), &dispatch.id).await.unwrap();
    }
    until(|| !is_begun(&folder)).await;
    let kept = kept(2).unwrap();
    assert!(journal::parse(&kept).is_ok(), "{kept}");
    // No page shows an end. What was made of the journal goes after it.
    until(|| !folder.path().join("transcript.json").exists()).await;
    dispatch(&server, &folder).await;
}

/// Calls the agent as `web` does, until the interview has begun.
pub(crate) async fn dispatch(server: &LiveKit, folder: &Folder) {
    let id = folder.id();
    let call = call(&id.room(), &id.metadata());
    call_agent(server, &call, || is_begun(folder)).await;
}

fn is_begun(folder: &Folder) -> bool {
    folder.read_journal().unwrap().is_some()
}

fn call(room: &str, metadata: &str) -> Call {
    let (room, metadata) = (room.to_owned(), metadata.to_owned());
    Call { room, agent: AGENT.to_owned(), metadata, waiting: None }
}

async fn call_agent(server: &LiveKit, call: &Call, has_begun: impl Fn() -> bool) {
    let api = Api::new(server.url(), server.keys());
    let (patience, limit) = (Duration::from_secs(2), client::PATIENCE);
    let has_begun = || ready(has_begun());
    let called = call_until_begun(&api, call, patience, limit, has_begun, || ()).await;
    assert_eq!(called.unwrap(), Watched::Begun);
}

/// An interview by `two-stage` with a candidate who does this with LiveKit's own client, to its end; what
/// they saw.
async fn with_libwebrtc(
    server: &LiveKit,
    worker: &WorkerProcess,
    does: &str,
    what: impl IntoIterator<Item = String>,
) -> (Folder, Value) {
    let folder = launch(&worker.store(), "two-stage");
    let id = folder.id();
    let token = server.keys().room_token(&id.room(), &id.candidate(), Role::Person).unwrap();
    let limit = INTERVIEW_LIMIT.as_secs().to_string();
    let mut args = vec!["--seconds".to_owned(), limit, does.to_owned()];
    args.extend(what);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let candidate = libwebrtc::candidate(server.url(), token, &args);
    let (seen, ()) = tokio::join!(candidate, dispatch(server, &folder));
    assert_eq!(seen["agent_left"], true, "{seen}");
    (folder, seen)
}

/// The same through LiveKit's own client (libwebrtc): R01–R03, R07, W05 with a stack that is not ours.
#[tokio::test(flavor = "multi_thread")]
async fn libwebrtc_is_interviewed_by_voice() {
    let server = LiveKit::start();
    let worker = WorkerProcess::start(&server);
    let answers = tempfile::tempdir().unwrap();
    let spoken = answer_files(answers.path(), "two-stage-plain");
    let (folder, seen) = with_libwebrtc(&server, &worker, "--answers", spoken).await;
    let id = folder.id();
    let texts = |who: &dyn Fn(&str) -> bool| {
        let texts = seen["texts"].as_array().unwrap().iter();
        let theirs = texts.filter(|text| who(text["from"].as_str().unwrap()));
        theirs.map(|text| text["text"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    let (ours, theirs) =
        (texts(&|from| from.starts_with("agent-")), texts(&|from| from == id.candidate()));
    assert!(ours.contains("Which project are you proud of?"), "{ours}");
    assert!(theirs.contains("engineer"), "{theirs}");
    assert_eq!(seen["stages"], json!(["self-intro", "past-experience"]), "{seen}");
    for state in ["listening", "speaking"] {
        let mut states = seen["states"].as_array().unwrap().iter();
        assert!(states.any(|seen| seen["state"] == state), "never {state}: {seen}");
    }
    assert!(seen["loud_share"].as_f64().unwrap() > 0.1, "{seen}");
    let entries = journal_of(&folder);
    let (handoffs, end) = summary(&entries);
    assert_eq!(handoffs, ["self-intro -> past-experience"]);
    assert_eq!(end, Some(End::Completed));
    assert_eq!(jobs_ended(1, || server.log()).await, ["JS_SUCCESS"]);
}

/// R04: a candidate who never speaks, with LiveKit's own client: every button is answered and does what it
/// says, what they type in the chat is their turn, and the agent goes on from there.
#[tokio::test(flavor = "multi_thread")]
async fn a_candidate_types_and_presses_buttons() {
    let server = LiveKit::start();
    let worker = WorkerProcess::start(&server);
    let typed = "I am a software engineer and I have worked on payment systems for six years.";
    let buttons = ["repeat", "skip", "pause", "resume", "end"];
    let press = buttons[..4].iter().map(|button| format!("press:{button}"));
    let acts = press.chain([format!("type:{typed}"), "press:end".to_owned()]);
    let (folder, seen) = with_libwebrtc(&server, &worker, "--acts", acts).await;
    let data = seen["data"].as_array().unwrap().iter();
    let answers: Vec<Value> =
        data.map(|data| serde_json::from_str(data["text"].as_str().unwrap()).unwrap()).collect();
    assert!(answers.iter().all(|answer| answer["answer"] == "accepted"), "{answers:?}");
    // The typed answer is answered too, by an id of its own.
    assert_eq!(answers.len(), buttons.len() + 1, "{answers:?}");
    let ids = answers.iter().filter_map(|answer| answer["id"].as_str());
    assert!(ids.filter(|id| buttons.contains(id)).eq(buttons), "{answers:?}");
    let entries = journal_of(&folder);
    let turns = entries.iter().flat_map(|entry| &entry.effects).filter_map(|effect| match effect {
        Effect::Publish(Notice::Turn { text, .. }) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(turns.collect::<Vec<_>>(), [typed]);
    let asked = entries.iter().flat_map(|entry| &entry.effects).filter_map(|effect| match effect {
        Effect::Note(Note::Asked { text, .. }) => Some(text.as_str()),
        _ => None,
    });
    let asked: Vec<&str> = asked.collect();
    assert!(
        asked.len() >= 3,
        "the first question, one after the skip, one after the answer: {asked:?}"
    );
    assert_eq!(summary(&entries).1, Some(End::CandidateEnded));
    assert_eq!(jobs_ended(1, || server.log()).await, ["JS_SUCCESS"]);
}

/// A fixture's answers as files of their own.
fn answer_files(folder: &Path, fixture: &str) -> Vec<String> {
    let fixture = Fixture::load(Path::new("audio-fixtures"), fixture).unwrap();
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let files = fixture.answers.iter().enumerate().map(|(n, answer)| {
        let path = folder.join(format!("{n}.wav"));
        let mut wav = hound::WavWriter::create(&path, spec).unwrap();
        for sample in fixture.sound_of(answer).0 {
            wav.write_sample(sample).unwrap();
        }
        wav.finalize().unwrap();
        path.to_str().unwrap().to_owned()
    });
    files.collect()
}

/// W08, invariant 11: a worker that is killed in the middle leaves a journal with all that was said, and a
/// lease that expires: the interview was interrupted.
#[tokio::test(flavor = "multi_thread")]
async fn a_kill_loses_nothing_that_was_said() {
    let server = LiveKit::start();
    let mut worker = WorkerProcess::start(&server);
    let folder = launch(&worker.store(), "two-stage");
    let id = folder.id();
    let voice = Voice::of("two-stage-plain");
    let candidate =
        Client::of(&server, &id.room(), &id.candidate()).playing(voice.clone()).join().await;
    dispatch(&server, &folder).await;
    let has_turn = || {
        let journal = folder.read_journal().unwrap().unwrap_or_default();
        let Ok((header, entries)) = journal::parse(&journal) else { return false };
        let lines = journal::transcript(&header, &entries).lines;
        lines.iter().any(|line| line.speaker == Speaker::Candidate && !line.cut)
    };
    tokio::select! {
        _ = answer(&candidate, &voice) => panic!("the interview ended before it was killed"),
        () = until(has_turn) => worker.kill(),
    }
    let text = folder.read_journal().unwrap().unwrap();
    let (header, entries) = journal::parse(&text).unwrap();
    let transcript = journal::transcript(&header, &entries);
    assert_eq!((transcript.state, transcript.end), (journal::State::InProgress, None));
    let said: Vec<&str> = transcript.lines.iter().map(|line| line.text.as_str()).collect();
    assert!(said.join(" ").contains("engineer"), "{said:?}");
    let seen = candidate.leave().await;
    let read: Vec<_> = seen.texts.iter().filter(|text| text.sender != id.candidate()).collect();
    assert!(!read.is_empty(), "the interviewer said nothing before it was killed");
    for read in read {
        let is_it =
            |event: &Event| matches!(event, Event::SegmentReady { text, .. } if *text == read.text);
        assert!(entries.iter().any(|entry| is_it(&entry.event)), "only heard: {:?}", read.text);
    }
    until(|| folder.lease_state().is_ok_and(|state| state == LeaseState::Expired)).await;
}

/// N01, R02, R04, R06: a frontend that knows nothing of us gets an interview of its own. Who is there first
/// is the candidate; who comes back is asked again; End is taken from the candidate alone, and answered. What
/// its metadata asks for counts: the blueprint, and with it the language, a name and a role.
#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_frontend_gets_an_interview_and_ends_it() {
    let server = LiveKit::start();
    let worker = WorkerProcess::start(&server);
    let candidate = Client::of(&server, "playground", "someone").join().await;
    let wishes = json!({"blueprint": "mock-interview-de", "name": "Grace", "role": "engineer"});
    let call = call("playground", &wishes.to_string());
    let begun = || worker.store().folders().unwrap().into_iter().find(is_begun);
    call_agent(&server, &call, || begun().is_some()).await;
    let listens = |seen: &Seen| (interviewer(seen).1 == "listening").then(|| interviewer(seen).0);
    let agent = candidate.until("end of the greeting", listens).await;
    candidate.look(|seen| assert_eq!(seen.attribute(&agent, "vivavoce.progress"), Some("1/1")));

    let stranger = Client::of(&server, "playground", "stranger").join().await;
    let send = |who: &Client, request: &str| {
        let payload = json!({"id": format!("id-{request}"), "request": request}).to_string();
        who.room.send_data(CONTROL, payload.into_bytes(), To::Agent(&agent)).unwrap();
    };
    send(&stranger, "end");
    candidate.leave().await;
    let is_gone = || {
        let text = begun().and_then(|folder| folder.read_journal().unwrap()).unwrap_or_default();
        let entries = journal::parse(&text).map(|(_, entries)| entries).unwrap_or_default();
        entries.iter().any(|entry| entry.event == Event::CandidateLeft)
    };
    until(is_gone).await;
    // So long they are away at least: a shorter absence is passed over without a word.
    tokio::time::sleep(2 * Interview::hiccup()).await;
    let candidate = Client::of(&server, "playground", "someone").join().await;
    let is_welcome =
        |seen: &Seen| seen.texts.iter().any(|text| text.text.contains("Willkommen zurück"));
    candidate.until("welcome", |seen| is_welcome(seen).then_some(())).await;

    send(&candidate, "dance");
    send(&candidate, "end");
    // Answers and goodbyes come on ways of their own.
    let both = |seen: &Seen| Some(answers(seen)).filter(|answers| answers.len() == 2);
    let answers = candidate.until("two answers", both).await;
    candidate.until("goodbye", |seen| (!seen.people.contains_key(&agent)).then_some(())).await;
    let said: Vec<_> = answers.iter().map(|answer| (&answer["id"], &answer["answer"])).collect();
    let expected =
        [(&json!("id-dance"), &json!("refused")), (&json!("id-end"), &json!("accepted"))];
    assert_eq!(said, expected);
    assert_eq!(stranger.look(self::answers), Vec::<Value>::new(), "a stranger is not answered");
    let folder = begun().unwrap();
    let inputs = folder.inputs().unwrap();
    let context = &inputs.context;
    assert_eq!(inputs.blueprint, "mock-interview-de");
    assert_eq!((context.candidate_name.as_str(), context.role.as_str()), ("Grace", "engineer"));
    let strange = "the interview is held in German, which the voice does not know";
    worker.says(strange).await;
    assert_eq!(summary(&journal_of(&folder)), (vec![], Some(End::CandidateEnded)));
    assert_eq!(jobs_ended(1, || server.log()).await, ["JS_SUCCESS"]);
}

/// W08, N01: a room that is dispatched twice, and once more when the interviewer has spoken, on two workers,
/// has one interviewer and one interview; the other jobs end without a word in the room, and say why in the
/// log.
#[tokio::test(flavor = "multi_thread")]
async fn a_room_dispatched_twice_has_one_interviewer() {
    let server = LiveKit::start();
    let first = WorkerProcess::start(&server);
    first.says("registered").await;
    let second = first.beside(&server);
    second.says("registered").await;
    let candidate = Client::of(&server, "twice", "someone").join().await;
    let api = Api::new(server.url(), server.keys());
    for _ in 0..2 {
        api.create_dispatch("twice", AGENT, "").await.unwrap();
    }
    let listens = |seen: &Seen| (interviewer(seen).1 == "listening").then_some(());
    candidate.until("end of the greeting", listens).await;
    api.create_dispatch("twice", AGENT, "").await.unwrap();
    let why = "the room has an interviewer already";
    let refused = |worker: &WorkerProcess| worker.log().matches(why).count();
    until(|| refused(&first) + refused(&second) == 2).await;
    let is_agent = |text: &&Text| text.sender.starts_with("agent-");
    let speakers: BTreeSet<String> = candidate
        .look(|seen| seen.texts.iter().filter(is_agent).map(|text| text.sender.clone()).collect());
    assert_eq!(speakers.len(), 1, "{speakers:?}");
    assert_eq!(first.store().folders().unwrap().len(), 1, "one interview is kept");
}

/// What buttons were answered.
fn answers(seen: &Seen) -> Vec<Value> {
    let answer = |fact: &RoomEvent| match fact {
        RoomEvent::Data { topic, payload, .. } if topic == CONTROL => {
            Some(serde_json::from_slice(payload).unwrap())
        }
        _ => None,
    };
    seen.facts.iter().filter_map(answer).collect()
}

/// Waits for a condition on the disk, which nobody announces.
pub(crate) async fn until(is_true: impl Fn() -> bool) {
    let waiting = async {
        while !is_true() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(client::PATIENCE, waiting).await.expect("it becomes true in time");
}

/// The final captions of somebody, in order.
fn captions_of<'a>(seen: &'a Seen, who: &str) -> Vec<&'a str> {
    let captions = seen.texts.iter().filter(|text| text.topic == TRANSCRIPTION_TOPIC);
    let finals = captions
        .filter(|text| text.attributes.get("lk.transcription_final").is_some_and(|f| f == "true"));
    finals.filter(|text| text.sender == who).map(|text| text.text.as_str()).collect()
}

fn assert_captions(seen: &Seen, agent: &str, candidate: &str) {
    let texts = |who: &str| captions_of(seen, who).join(" ");
    assert!(texts(agent).contains("Which project are you proud of?"), "{}", texts(agent));
    assert!(texts(agent).ends_with("Goodbye."), "{}", texts(agent));
    assert!(texts(candidate).contains("engineer"), "{}", texts(candidate));
    let is_partial = |text: &Text| {
        text.sender == candidate && text.attributes["lk.transcription_final"] == "false"
    };
    assert!(seen.texts.iter().any(is_partial), "the candidate's words came at their end only");
}

/// The interviewer was really heard: seconds of sound well above silence.
fn assert_sound(seen: &Seen) {
    let loud = |pcm: &[i16]| pcm.iter().any(|sample| sample.unsigned_abs() > 1_000);
    let frames: usize = seen
        .sounds
        .values()
        .map(|sound| sound.pcm.chunks(960).filter(|frame| loud(frame)).count())
        .sum();
    assert!(frames > 500, "only {frames} frames of 20 ms had sound in them");
}
