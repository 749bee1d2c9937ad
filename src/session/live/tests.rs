use std::{
    future::{pending, ready},
    time::Duration,
};

use super::*;
use crate::{
    blueprint::Context,
    config::Config,
    interview::End,
    journal::{Header, Inputs},
    providers::registry::Registry,
    session::unsynced::Unsynced,
    store::{FileStore, Hold, InterviewId, JournalStore},
};

/// A line on which nothing happens.
struct Quiet;

impl Line for Quiet {
    async fn next(&mut self) -> LineEvent {
        pending().await
    }

    fn show(&mut self, _: &Status) {}
    fn caption(&mut self, _: Caption) {}
    fn acknowledge(&mut self, _: &str, _: Result<(), NotDone>) {}
    fn ended(&mut self, _: End) {}
}

async fn session(data: &std::path::Path) -> Session {
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        (entry.file_name().into_string().unwrap(), text)
    };
    let files = std::fs::read_dir("agents/two-stage").unwrap().map(file).collect();
    let inputs = Inputs::new("two-stage", files, Context::default());
    let id = InterviewId::random();
    let store: Arc<dyn JournalStore> = Arc::new(FileStore::open(data).unwrap());
    store.create(id, &inputs, None).await.unwrap();
    let mut config = Config::read(None, []).unwrap();
    (config.speech.stt, config.speech.tts) = ("scripted".into(), "scripted".into());
    let parts = Parts {
        interview: inputs.interview().unwrap(),
        header: Header::new(&id.to_string(), 0, &inputs),
        before: Vec::new(),
        hold: Hold::take(&store, id).await.unwrap(),
        providers: Registry::build(&config.speech, &config.providers, 1).unwrap(),
        recording: None,
    };
    Session::begin(parts, Clock::start(), Mouth::new().0).unwrap()
}

/// P04: the end of a reply that failed is not taken for that of a whole one, though both are there to
/// be taken.
#[tokio::test]
async fn a_failure_is_told_before_the_end() {
    let data = tempfile::tempdir().unwrap();
    let session = session(data.path()).await;
    let (reply, now) = (ReplyId(7), SessionTime::ZERO);
    let started = Event::ReplyStarted { reply };
    let failed = Event::ReplyFailed { reply, why: "it broke".to_owned() };
    let finished = Event::ReplyFinished { reply, heard: String::new() };
    let (out, heard) = mpsc::channel(2);
    for fact in [&started, &finished] {
        out.try_send(Heard::Fact(now, fact.clone())).unwrap();
    }
    session.facts_in.try_send((now, failed.clone())).unwrap();
    let mut told = Vec::new();
    let note = |entry: &Entry| told.push(entry.event.clone());
    session.run(&mut Quiet, heard, ready(Stop::End), note).await.unwrap();
    assert_eq!(told[..3], [started, failed, finished]);
}

/// T04: a pause is carried out at once, and what waits for the disk does not undo it.
#[tokio::test]
async fn a_pause_takes_back_what_waits() {
    let data = tempfile::tempdir().unwrap();
    let (mut line, heard) = (Quiet, mpsc::channel(1).1);
    let begun = Box::pin(session(data.path()).await.live(&mut line, heard, |_| {}));
    let (mut live, _) = begun.await.unwrap();
    let (ours, other) = (ReplyId(1), ReplyId(2));
    let effects = [ours, other].map(|reply| Effect::Resume { reply });
    let (now, limit) = (SessionTime::ZERO, Duration::from_secs(1));
    live.ledger.unsynced.push_back(Unsynced::new(pending(), effects.to_vec(), now, limit));
    live.carry_out(Effect::Pause { reply: ours });
    assert_eq!(live.ledger.unsynced[1].effects, [Effect::Resume { reply: other }]);
}
