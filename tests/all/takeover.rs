//! Workers that die, freeze or are told to end in the middle of an interview, on the real LiveKit server:
//! another worker goes on with it.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use vivavoce::web::Web;
use vivavoce::{
    clock,
    interview::{Effect, End, Event, Note, Notice},
    journal::{self, Entry},
    store::Folder,
};
use voiceroom::{
    room::{Kind, Text, To},
    server::Api,
};

use crate::{
    client::{Client, Seen},
    interview::{
        AGENT, CONTROL, Voice, WorkerProcess, answer, dispatch, interviewer, journal_of, launch,
        summary, until,
    },
    livekit_server::LiveKit,
    web::{TestWeb, config},
};

const FIXTURE: &str = "two-stage-plain";
/// How long it may take until a call is made again, and until the worker that takes it has begun.
const LATE_LIMIT: Duration = Duration::from_secs(120);
/// What is said to who comes back.
const WELCOME: &str = "Welcome back";

/// A candidate who is interviewed by a worker that will not see the end.
struct Held {
    server: LiveKit,
    first: WorkerProcess,
    folder: Folder,
    candidate: Client,
    voice: Voice,
    /// Who interviews.
    agent: String,
}

impl Held {
    async fn begun() -> Self {
        let server = LiveKit::start();
        let first = WorkerProcess::start(&server);
        let folder = launch(&first.store(), "two-stage");
        let id = folder.id();
        let voice = Voice::of(FIXTURE);
        let candidate =
            Client::of(&server, &id.room(), &id.candidate()).playing(voice.clone()).join().await;
        dispatch(&server, &folder).await;
        let is_there = |seen: &Seen| Some(interviewer(seen).0).filter(|agent| !agent.is_empty());
        let agent = candidate.until("interviewer", is_there).await;
        Self { server, first, folder, candidate, voice, agent }
    }

    /// Another worker with the same data, registered.
    async fn second(&self) -> WorkerProcess {
        let second = self.first.beside(&self.server);
        second.says("registered").await;
        second
    }

    fn entries(&self) -> Vec<Entry> {
        let text = self.folder.read_journal().unwrap().unwrap_or_default();
        journal::parse(&text).map(|(_, entries)| entries).unwrap_or_default()
    }

    /// Answers until the journal says what is waited for.
    async fn answers_until(&self, is_so: impl Fn(&[Entry]) -> bool) {
        tokio::select! {
            () = self.answers() => {}
            () = until(|| is_so(&self.entries())) => {}
        }
    }

    /// Answers whoever interviews, for ever.
    async fn answers(&self) {
        loop {
            answer(&self.candidate, &self.voice).await;
        }
    }

    /// Waits until a new interviewer has said this.
    async fn hears_from_another(&self, words: &str) -> String {
        let is_said = |seen: &Seen| {
            let theirs =
                |text: &&Text| text.sender.starts_with("agent-") && text.sender != self.agent;
            let mut texts = seen.texts.iter().filter(theirs);
            texts.find(|text| text.text.contains(words)).map(|text| text.sender.clone())
        };
        self.candidate.until(&format!("{words:?} of another interviewer"), is_said).await
    }

    /// Kills the worker when half an answer is known; the journal that it leaves.
    async fn killed_in_an_answer(&mut self) -> Vec<Entry> {
        loop {
            self.answers_until(|entries| half_an_answer(entries).is_some()).await;
            // The answer goes on while it is looked at: it is not written any more before the kill.
            self.first.freeze();
            if half_an_answer(&self.entries()).is_some() {
                break;
            }
            self.first.signal(Signal::CONT);
        }
        self.first.kill();
        self.entries()
    }

    /// Answers, and ends the interview when the answer whose first half is in the journal is known as a
    /// whole.
    async fn ends_with_whole_answer(self, before: &[Entry]) {
        let said = words_so_far(before).expect("something was said");
        self.answers_until(|entries| turn_after(before, entries).is_some()).await;
        let agent = self.candidate.look(|seen| interviewer(seen).0);
        let entries = self.ends(&agent).await;
        assert_eq!(entries[..before.len()], *before);
        let turn = turn_after(before, &entries).unwrap();
        assert!(turn.starts_with(&said) && turn.len() > said.len(), "{said:?} is not in {turn:?}");
    }

    /// Presses End, and gives the journal when the interviewer has left. It is one journal, no question is in
    /// it twice, and the end is the candidate's.
    async fn ends(self, agent: &str) -> Vec<Entry> {
        let end = json!({"id": "end", "request": "end"}).to_string();
        self.candidate.room.send_data(CONTROL, end.into_bytes(), To::Agent(agent)).unwrap();
        let is_gone = |seen: &Seen| (!seen.people.contains_key(agent)).then_some(());
        self.candidate.until("goodbye", is_gone).await;
        let entries = journal_of(&self.folder);
        assert_eq!(summary(&entries).1, Some(End::CandidateEnded));
        let mut asked = asked(&entries);
        let all = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), all, "a question was asked twice: {asked:?}");
        entries
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.folder.read_journal().ok().flatten().unwrap_or_default());
        }
    }
}

/// The questions that were heard.
fn asked(entries: &[Entry]) -> Vec<String> {
    let effects = entries.iter().flat_map(|entry| &entry.effects);
    let asked = effects.filter_map(|effect| match effect {
        Effect::Note(Note::Asked { text, .. }) => Some(text.clone()),
        _ => None,
    });
    asked.collect()
}

/// The first turn of the candidate that was not known before.
fn turn_after(before: &[Entry], entries: &[Entry]) -> Option<String> {
    let effects = entries.get(before.len()..)?.iter().flat_map(|entry| &entry.effects);
    effects.cloned().find_map(|effect| match effect {
        Effect::Publish(Notice::Turn { text, .. }) => Some(text),
        _ => None,
    })
}

/// The words of the answer that is being given, as far as they are known.
fn half_an_answer(entries: &[Entry]) -> Option<String> {
    let began =
        entries.iter().rposition(|entry| matches!(entry.event, Event::SpeechStarted { .. }))?;
    let since = &entries[began..];
    let is_whole = |entry: &Entry| {
        matches!(entry.event, Event::SpeechStopped { .. } | Event::FinalTranscript(_))
    };
    if since.iter().any(is_whole) || asked(entries).is_empty() {
        return None;
    }
    words_so_far(entries).filter(|words| words.split_whitespace().count() >= 3)
}

/// What was said since the last beginning of voice.
fn words_so_far(entries: &[Entry]) -> Option<String> {
    let since = entries.rsplit(|entry| matches!(entry.event, Event::SpeechStarted { .. }));
    since.into_iter().next()?.iter().rev().find_map(|entry| match &entry.event {
        Event::PartialTranscript(words) | Event::FinalTranscript(words) => Some(words.text.clone()),
        _ => None,
    })
}

/// Whether a reply of ours sounds.
fn is_speaking(entries: &[Entry]) -> bool {
    let count = |which: fn(&Event) -> bool| entries.iter().filter(|it| which(&it.event)).count();
    let started = count(|event| matches!(event, Event::ReplyStarted { .. }));
    started > count(|event| matches!(event, Event::ReplyFinished { .. }))
}

fn is_listening(entries: &[Entry]) -> bool {
    !asked(entries).is_empty() && !is_speaking(entries)
}

/// W08: a worker that is killed in the middle of an answer: another one of the same data joins the room,
/// welcomes the candidate and asks the very question; what was said before is part of the answer.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_outlives_its_worker() {
    let mut held = Held::begun().await;
    let second = held.second().await;
    let before = held.killed_in_an_answer().await;
    held.voice.falls_silent(FIXTURE);
    let killed = clock::instant();
    let agent = held.hears_from_another(WELCOME).await;
    eprintln!("welcomed {:?} after the kill", clock::instant().duration_since(killed));
    let question = asked(&before).pop().unwrap();
    assert_eq!(held.hears_from_another(&question).await, agent);
    held.ends_with_whole_answer(&before).await;
    second.says("the interview was taken over").await;
}

/// W08: a candidate who notices nothing and goes on speaking is not spoken over: it is one answer.
#[tokio::test(flavor = "multi_thread")]
async fn who_goes_on_speaking_gives_one_answer() {
    let mut held = Held::begun().await;
    let _second = held.second().await;
    let before = held.killed_in_an_answer().await;
    held.ends_with_whole_answer(&before).await;
}

/// W08: a worker that is killed while it speaks: what nobody has heard to its end is said by another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_sentence_outlives_its_worker() {
    let mut held = Held::begun().await;
    until(|| is_speaking(&held.entries())).await;
    held.first.freeze();
    let before = held.entries();
    held.first.kill();
    assert!(asked(&before).is_empty() && is_speaking(&before), "{before:?}");
    let _second = held.second().await;
    let agent = held.hears_from_another("?").await;
    held.answers_until(|entries| !asked(entries).is_empty()).await;
    let entries = held.ends(&agent).await;
    assert_eq!(entries[..before.len()], before);
}

/// W08: a worker that is killed and started again goes on itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_started_again_goes_on() {
    let mut held = Held::begun().await;
    until(|| is_listening(&held.entries())).await;
    held.first.kill();
    let again = held.second().await;
    let agent = held.hears_from_another(WELCOME).await;
    held.ends(&agent).await;
    assert!(!again.log().contains("ERROR"), "{}", again.log());
}

/// W08: a worker that stands still for so long that its lease expires has lost the interview: when it wakes
/// up it says nothing, writes nothing, and is not in the room.
#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_worker_has_lost_the_interview() {
    let held = Held::begun().await;
    let second = held.second().await;
    until(|| is_listening(&held.entries())).await;
    held.first.freeze();
    // The server may offer the job to the frozen one first, and waits for its answer.
    second.says("an interview's worker is gone, another was called").await;
    second.says("the interview was taken over, and goes on").await;
    let agent = held.hears_from_another(WELCOME).await;
    let texts = |seen: &Seen| seen.texts.iter().filter(|text| text.sender == held.agent).count();
    let before = held.candidate.look(texts);
    held.first.signal(Signal::CONT);
    held.first.says("this interview was taken over by another worker").await;
    held.first.says("job ended").await;
    // It reports its job's end before it leaves, and the candidate is told a moment later.
    let is_alone = |seen: &Seen| {
        let mut agents = seen.people.values().filter(|who| who.kind == Kind::Agent);
        agents.all(|who| who.identity == agent).then_some(())
    };
    held.candidate.until("the frozen interviewer to leave", is_alone).await;
    assert_eq!(held.candidate.look(texts), before, "it has said something");
    held.ends(&agent).await;
}

/// W07: a worker that is told to end now gives its interviews up, and another one goes on with them.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_ends_gives_its_interviews_up() {
    let mut held = Held::begun().await;
    let _second = held.second().await;
    until(|| is_listening(&held.entries())).await;
    held.first.signal(Signal::TERM);
    held.first.says("taking no new jobs").await;
    held.first.signal(Signal::TERM);
    held.first.says("the interview was given up to another worker").await;
    let agent = held.hears_from_another(WELCOME).await;
    held.first.says("worker stopped").await;
    assert_eq!(held.first.ended().await.code(), Some(0));
    held.ends(&agent).await;
}

/// W07: the first Ctrl-C says how many interviews run, and ends none; the second one gives them up, and a
/// worker that is started afterwards goes on with them.
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_waits_for_what_runs() {
    let mut held = Held::begun().await;
    until(|| is_listening(&held.entries())).await;
    held.first.signal(Signal::INT);
    held.first.tells("1 interview is running.").await;
    held.first.says("letting the others end").await;
    held.first.signal(Signal::INT);
    held.first.says("ending all jobs now").await;
    held.first.says("the interview was given up to another worker").await;
    assert_eq!(held.first.ended().await.code(), Some(0));
    let _second = held.second().await;
    let agent = held.hears_from_another(WELCOME).await;
    held.ends(&agent).await;
}

/// W09: nobody took the call, as when all workers are full or start anew. The candidate waits in the room,
/// two web apps watch, and a worker that comes later is called: one interviewer comes, and begins once.
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_comes_late_is_called_again() {
    let server = LiveKit::start();
    let livekit = Api::new(server.url(), server.keys());
    let hour = Duration::from_secs(3600);
    let of_our_agent = |mut config: vivavoce::web::Config| {
        config.agent_name = AGENT.to_owned();
        config
    };
    let web = TestWeb::set_up(|data| of_our_agent(config(data, livekit.clone(), hour)));
    let token = web.launch().await;
    let folder = web.folder();
    let id = folder.id();
    let start = format!("/api/candidate/{token}/start");
    let (status, admission) = web.post(&start, &json!({"consent": true})).await;
    assert!(status.is_success(), "{admission}");
    let stands = async || {
        let mut calls = livekit.dispatches(&id.room()).await.unwrap_or_default();
        calls.retain(|call| call.agent == AGENT);
        calls.into_iter().map(|call| call.id).collect::<Vec<_>>()
    };
    let first = stands().await;
    assert_eq!(first.len(), 1, "Start calls once");
    let other = of_our_agent(config(web.data.path(), livekit.clone(), hour));
    let stop = CancellationToken::new();
    let other = tokio::spawn(Web::bind(other).await.unwrap().serve(stop.clone()));
    let candidate = Client::of(&server, &id.room(), &id.candidate()).join().await;
    let called_again = async {
        while stands().await.iter().all(|call| first.contains(call)) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(LATE_LIMIT, called_again).await.expect("somebody is called again");
    let (_, view) = web.get(&format!("/api/candidate/{token}")).await;
    assert_eq!(view["state"], "waiting");

    let data = web.data.path().to_str().unwrap();
    let worker = WorkerProcess::with(&server, &[("VIVAVOCE_DATA", data)]);
    let came = |entry: &Entry| entry.event == Event::CandidateJoined;
    let has_begun = async {
        loop {
            let text = folder.read_journal().unwrap().unwrap_or_default();
            if journal::parse(&text).is_ok_and(|(_, entries)| entries.iter().any(came)) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let begun = timeout(LATE_LIMIT, has_begun).await;
    begun.unwrap_or_else(|_| panic!("it does not begin: {}", worker.log()));
    let is_there = |seen: &Seen| Some(interviewer(seen).0).filter(|agent| !agent.is_empty());
    candidate.until("interviewer", is_there).await;
    worker.says("the interview began").await;
    let agents = |seen: &Seen| seen.people.values().filter(|who| who.kind == Kind::Agent).count();
    assert_eq!(candidate.look(agents), 1);
    assert_eq!(worker.log().matches("the interview began").count(), 1, "{}", worker.log());
    stop.cancel();
    other.await.unwrap().unwrap();
}
