//! A session in real time, on a line that looks at the disk whenever others would see something.

use std::{collections::VecDeque, fs, path::PathBuf, sync::Arc};

use tokio::time::{Interval, interval};
use vivavoce::{
    audio::{FRAME, FRAME_16, Pcm16},
    blueprint::Context,
    clock::Clock,
    config::Config,
    interview::{AgentState, Effect, End, NotDone, Notice, Request, Status},
    journal::{self, Header, Inputs},
    providers::registry::Registry,
    session::{Caption, Line, LineEvent, Parts, Session},
    speak::Mouth,
    store::{FileStore, Hold, InterviewId, JournalStore},
    time::SessionTime,
};

use crate::house::files;

const END_ID: &str = "end-1";

/// A silent candidate who presses End after the first question. Panics at what is seen or heard before it is
/// written.
struct Witness {
    journal: PathBuf,
    mouth: Mouth,
    clock: Clock,
    pace: Interval,
    /// Where the next frame begins.
    began: SessionTime,
    facts: VecDeque<LineEvent>,
    shown: Vec<Status>,
    is_sounding: bool,
    /// How often sound began after silence.
    onsets: usize,
    acknowledged: usize,
    end: Option<End>,
}

impl Witness {
    fn new(journal: PathBuf, mouth: Mouth, clock: Clock) -> Self {
        Self {
            journal,
            mouth,
            clock,
            pace: interval(FRAME),
            began: clock.now(),
            facts: [LineEvent::CandidateJoined].into(),
            shown: Vec::new(),
            is_sounding: false,
            onsets: 0,
            acknowledged: 0,
            end: None,
        }
    }

    /// Effects of one kind that are on disk.
    fn written<T>(&self, which: impl Fn(&Effect) -> Option<T>) -> Vec<T> {
        let text = fs::read_to_string(&self.journal).unwrap();
        let (_, entries) = journal::parse(&text).expect("its header was written first");
        entries.iter().flat_map(|entry| &entry.effects).filter_map(which).collect()
    }

    /// Pulls more often than a room does, so that no sound has time to be written late.
    fn pull(&mut self) {
        let sounds = self.mouth.pull(self.clock.now()).is_some();
        if sounds && !std::mem::replace(&mut self.is_sounding, sounds) {
            self.onsets += 1;
            let plays = self.written(|effect| matches!(effect, Effect::Play { .. }).then_some(()));
            assert!(plays.len() >= self.onsets, "sound before its entry was written");
        }
        self.is_sounding = sounds;
    }
}

impl Line for Witness {
    async fn next(&mut self) -> LineEvent {
        self.pull();
        if let Some(fact) = self.facts.pop_front() {
            return fact;
        }
        self.pace.tick().await;
        let began = self.began;
        self.began += FRAME;
        LineEvent::Frame(began, Pcm16(vec![0; FRAME_16]))
    }

    fn show(&mut self, status: &Status) {
        self.shown.push(status.clone());
        let written = self.written(|effect| match effect {
            Effect::Publish(Notice::Status(status)) => Some(status.clone()),
            _ => None,
        });
        assert!(written.starts_with(&self.shown), "shown before it was written: {status:?}");
        if status.state == AgentState::Listening && self.acknowledged == 0 {
            let id = END_ID.to_owned();
            self.facts.push_back(LineEvent::Control { id, request: Request::End, stage: None });
        }
    }

    fn caption(&mut self, _: Caption) {}

    fn acknowledge(&mut self, id: &str, outcome: Result<(), NotDone>) {
        assert_eq!((id, outcome), (END_ID, Ok(())));
        self.acknowledged += 1;
        let written =
            self.written(|effect| matches!(effect, Effect::Acknowledge { .. }).then_some(()));
        assert_eq!(written.len(), self.acknowledged, "acknowledged before it was written");
    }

    fn ended(&mut self, end: End) {
        let written = self.written(|effect| match effect {
            Effect::Hangup { end } => Some(*end),
            _ => None,
        });
        assert_eq!(written, [end], "ended before it was written");
        self.end = Some(end);
    }
}

/// What others see or hear (sound, state, answers to buttons, the end) waits until its entry is on
/// disk.
#[tokio::test]
async fn what_others_see_is_on_disk_before() {
    let data = tempfile::tempdir().unwrap();
    let inputs = Inputs::new("two-stage", files("two-stage"), Context::default());
    let id = InterviewId::random();
    let files = FileStore::open(data.path()).unwrap();
    let folder = files.make(id, &inputs, None).unwrap();
    let store: Arc<dyn JournalStore> = Arc::new(files);
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
    let clock = Clock::start();
    let (mouth, heard) = Mouth::new();
    let mut line = Witness::new(folder.path().join("journal.jsonl"), mouth.clone(), clock);
    let never = std::future::pending();
    let session = Session::begin(parts, clock, mouth).unwrap();
    let outcome = session.run(&mut line, heard, never, |_| {}).await;
    assert_eq!(outcome.unwrap().end, Some(End::CandidateEnded));
    assert_eq!((line.acknowledged, line.end), (1, Some(End::CandidateEnded)));
    assert!(line.onsets >= 2 && line.shown.len() >= 4, "{} {:?}", line.onsets, line.shown);
}
