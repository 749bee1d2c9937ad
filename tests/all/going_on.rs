//! An interview that goes on with a journal that has entries: after each prefix of ten journals it does what
//! the one that wrote them did.

use std::{
    fs::OpenOptions,
    future::{pending, ready},
    io::Write,
    ops::RangeInclusive,
    path::Path,
    sync::Arc,
};

use tokio::sync::{Notify, mpsc};
use vivavoce::{
    blueprint::Blueprint,
    clock::Clock,
    interview::{
        AgentState, Effect, End, Event, Interview, NotDone, Notice, ReplyId, Request, Say, Status,
        Words,
    },
    journal::{self, Entry, Header, Inputs},
    session::{Caption, Line, LineEvent, Machine, Parts, Session, SessionError, Stop, clock_after},
    sim,
    speak::Mouth,
    store::{FileStore, Hold, InterviewId, JournalStore, Projection},
    time::SessionTime,
};

use crate::{console::short_parts, house::files};

const BLUEPRINTS: [&str; 3] = ["mock-interview", "two-stage", "rubric-screen"];
const JOURNALS: usize = 10;
/// Fewer entries has an interview that nobody came to, or that broke off soon; more take long, as each prefix
/// goes on to the end.
const ENTRIES: RangeInclusive<usize> = 100..=400;
/// After so many entries they are folded anew; between them each is folded into what was before.
const ANEW: usize = 16;

/// A journal as a session would have written it.
struct Written {
    seed: u64,
    inputs: Inputs,
    fresh: Interview,
    header: Header,
    entries: Vec<Entry>,
}

/// The first journals of that length, of each blueprint some.
fn journals() -> impl Iterator<Item = Written> {
    // The others are hurried: interviews of a blueprint with other limits.
    let seeds = (0..).filter(|seed| seed % 8 != 7);
    seeds.map(Written::simulated).filter(|it| ENTRIES.contains(&it.entries.len())).take(JOURNALS)
}

impl Written {
    /// What happened in a simulated interview, happening to a session.
    fn simulated(seed: u64) -> Self {
        let name = BLUEPRINTS[seed as usize % BLUEPRINTS.len()];
        let inputs = Inputs::new(name, files(name), sim::context());
        let blueprint = Blueprint::load(&inputs.files).unwrap();
        let played = sim::run(&sim::Config::new(&blueprint, &inputs.context).with_seed(seed));
        assert!(played.violations.is_empty(), "{:?}", played.violations);
        let fresh = inputs.interview().unwrap();
        let mut machine = Machine::new(fresh.clone());
        let entries = played.journal.into_iter().filter_map(|happened| {
            let written = machine.step(happened.at, happened.heard, happened.event);
            let effects = written.as_ref().map_or(&[][..], |entry| &entry.effects);
            assert_eq!(effects, happened.effects, "seed {seed}");
            written
        });
        let entries: Vec<_> = entries.collect();
        let header = Header::new(&InterviewId::random().to_string(), 0, &inputs);
        Self { seed, inputs, fresh, header, entries }
    }

    /// Its lines, the header first.
    fn lines(&self) -> Vec<String> {
        let entries = self.entries.iter().map(journal::line);
        std::iter::once(journal::line(&self.header)).chain(entries).collect()
    }
}

/// Invariant 2: whoever takes an interview over after any of its entries, and then finds what its first
/// session found, does and writes the same to the end. Its entries are equal, and so are their lines,
/// byte for byte.
#[test]
fn each_prefix_goes_on_as_the_whole() {
    let written: Vec<_> = journals().collect();
    std::thread::scope(|scope| {
        for some in written.chunks(JOURNALS / 2) {
            scope.spawn(move || some.iter().for_each(each_prefix_goes_on));
        }
    });
    let prefixes: usize = written.iter().map(|it| it.entries.len()).sum();
    assert!(prefixes > 1_500, "{prefixes} prefixes");
}

fn each_prefix_goes_on(written: &Written) {
    let text = written.lines().concat();
    let (_, known) = journal::parse(&text).unwrap();
    let known_lines: String = known.iter().map(journal::line).collect();
    assert!(text.ends_with(&known_lines), "what is read is written as it was");
    let mut folded = Machine::new(written.fresh.clone());
    for k in 0..=known.len() {
        let mut machine = folded.clone();
        if k % ANEW == 0 {
            machine = Machine::after(written.fresh.clone(), &known[..k]).unwrap();
        }
        for entry in &known[k..] {
            let next = machine.step(entry.at, entry.heard, entry.event.clone());
            assert_eq!(next.as_ref(), Some(entry), "seed {}, after {k}", written.seed);
        }
        if let Some(entry) = known.get(k) {
            let _ = folded.step(entry.at, entry.heard, entry.event.clone());
        }
    }
}

/// Invariant 2, W08: the same by way of the store. The first session dies in the middle of a line, its lease
/// expires, and who takes it over reads what is kept, folds it, and appends the rest.
#[tokio::test]
async fn a_prefix_in_the_store_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let files = FileStore::open(data.path()).unwrap();
    let store: Arc<dyn JournalStore> = Arc::new(files.clone());
    for written in journals() {
        let lines = written.lines();
        for part in 0..8 {
            let k = written.entries.len() * part / 7;
            let id = InterviewId::random();
            store.create(id, &written.inputs, None).await.unwrap();
            let dead = Hold::take(&store, id).await.unwrap();
            append(&dead, &lines[..=k]).await;
            let torn = lines.get(k + 1).map_or("", |line| &line[..line.len() / 2]);
            let path = files.folder(id).unwrap().path().join("journal.jsonl");
            let mut file = OpenOptions::new().append(true).open(path).unwrap();
            file.write_all(torn.as_bytes()).unwrap();
            dead.release();

            let heir = Hold::take(&store, id).await.unwrap();
            let text = store.read_journal(id).await.unwrap().unwrap();
            let (header, known) = journal::parse(&text).unwrap();
            assert_eq!((&header, known.len()), (&written.header, k));
            let inputs = store.inputs(id).await.unwrap();
            let mut machine = Machine::after(inputs.interview().unwrap(), &known).unwrap();
            assert_eq!(machine.entries(), k as u64);
            let rest: Vec<_> = written.entries[k..]
                .iter()
                .map(|entry| machine.step(entry.at, entry.heard, entry.event.clone()))
                .map(|entry| journal::line(&entry.expect("an entry")))
                .collect();
            append(&heir, &rest).await;
            let whole = store.read_journal(id).await.unwrap().unwrap();
            assert!(whole == lines.concat(), "seed {}, taken over after {k}", written.seed);
        }
    }
}

/// A journal that another program wrote, which decides otherwise, is not gone on with.
#[test]
fn a_journal_with_other_effects_does_not_go_on() {
    let mut written = Written::simulated(0);
    let changed = written.entries.iter_mut().find(|entry| !entry.effects.is_empty()).unwrap();
    changed.effects.pop();
    let n = changed.n;
    let difference = Machine::after(written.fresh.clone(), &written.entries).unwrap_err();
    assert_eq!(difference.n, n);
    let before = &written.entries[..n as usize - 1];
    Machine::after(written.fresh, before).expect("as far as they are the same");
}

/// Appends lines and waits until they are kept.
async fn append(hold: &Hold, lines: &[String]) {
    let (journal, _) = hold.open_journal().await.unwrap();
    // A queue holds so many.
    for some in lines.chunks(200) {
        let receipts: Vec<_> = some.iter().map(|line| journal.append(line).unwrap()).collect();
        for receipt in receipts {
            receipt.synced().await.unwrap();
        }
    }
    journal.close().await;
}

/// A line on which one thing happens, or nothing, and what is shown on it.
#[derive(Default)]
struct Showing {
    happens: Option<LineEvent>,
    shown: Vec<Status>,
}

impl Line for Showing {
    async fn next(&mut self) -> LineEvent {
        match self.happens.take() {
            Some(event) => event,
            None => pending().await,
        }
    }

    fn show(&mut self, status: &Status) {
        self.shown.push(status.clone());
    }

    fn caption(&mut self, _: Caption) {
        panic!("nothing is said again");
    }

    fn acknowledge(&mut self, _: &str, _: Result<(), NotDone>) {}
    fn ended(&mut self, _: End) {}
}

/// The parts of an interview whose first session died when it had greeted: so many entries are in the store.
async fn greeted(data: &Path) -> Parts {
    greeted_and(data, Vec::new()).await
}

/// The same when this had happened, too.
async fn greeted_and(data: &Path, then: Vec<(u64, Event)>) -> Parts {
    let mut parts = short_parts(data).await.0;
    let mut machine = Machine::new(parts.interview.clone());
    let (reply, at) = (ReplyId(1), |ms| SessionTime::from_millis(300_000_u64 + ms));
    let text = "Hello, may we begin?".to_owned();
    let greeted = [
        (0, Event::CandidateNamed { name: "Ada".to_owned() }),
        (10, Event::CandidateJoined),
        (20, Event::SegmentReady { reply, n: 0, text: text.clone() }),
        (30, Event::ReplyStarted { reply }),
        (40, Event::SegmentHeard { reply, n: 0 }),
        (50, Event::ReplyFinished { reply, heard: text }),
    ];
    for (ms, event) in greeted.into_iter().chain(then) {
        parts.before.extend(machine.step(at(ms), at(ms), event));
    }
    let (journal, _) = parts.hold.open_journal().await.unwrap();
    journal.append(&journal::line(&parts.header)).unwrap();
    for entry in &parts.before {
        journal.append(&journal::line(entry)).unwrap();
    }
    journal.close().await;
    parts
}

/// Invariant 2, W08: a session that begins with a journal takes it as done, goes on with the next entry and
/// where the clock was, and says nothing again. Whoever was there has to come to it.
#[tokio::test]
async fn a_session_goes_on_with_its_journal() {
    let data = tempfile::tempdir().unwrap();
    let parts = greeted(data.path()).await;
    let (before, header, hold) = (parts.before.clone(), parts.header.clone(), parts.hold.clone());
    let fresh = parts.interview.clone();
    let last = before.last().unwrap();
    let clock = clock_after(&before);
    let (mut line, heard) = (Showing::default(), mpsc::channel(1).1);
    let session = Session::begin(parts, clock, Mouth::new().0).unwrap();
    let mut told = Vec::new();
    let note = |entry: &Entry| told.push(entry.clone());
    session.run(&mut line, heard, ready(Stop::End), note).await.unwrap();
    let stopped =
        Event::Control { id: "stop".to_owned(), request: Request::Terminate, stage: None };
    let events: Vec<_> = told.iter().map(|entry| &entry.event).take(4).collect();
    assert_eq!(events, [&Event::LineCut, &Event::CandidateLeft, &Event::LineBack, &stopped]);
    assert_eq!((told[0].n, told[0].at), (last.n + 1, last.at), "the line was cut when it died");
    assert!(told[2].at > last.at + Interview::hiccup(), "{} after {}", told[2].at, last.at);
    let statuses = |entries: &[Entry]| -> Vec<Status> {
        let effects = entries.iter().flat_map(|entry| &entry.effects);
        let shown = effects.filter_map(|effect| match effect {
            Effect::Publish(Notice::Status(status)) => Some(status.clone()),
            _ => None,
        });
        shown.collect()
    };
    let known = statuses(&before).pop().unwrap();
    let thinking = Status { state: AgentState::Thinking, ..known };
    let shown: Vec<_> = [thinking].into_iter().chain(statuses(&told)).collect();
    assert_eq!(line.shown, shown, "a new line knows no status yet");
    let text = hold.store.read_journal(hold.id).await.unwrap().unwrap();
    let (kept, entries) = journal::parse(&text).unwrap();
    assert_eq!((kept, &entries[..before.len()]), (header, &before[..]));
    assert_eq!(entries[before.len()..], told);
    assert!(journal::replay(fresh, &entries).unwrap().is_over(), "it is one journal");
}

/// W07, W08: who died in the middle of an answer is followed by whoever asks the same question again, and has
/// the words that were said; who gives it up then leaves it without an end.
#[tokio::test]
async fn half_an_answer_is_kept() {
    let data = tempfile::tempdir().unwrap();
    let at = |ms: u64| SessionTime::from_millis(300_000 + ms);
    let (from, to, text) = (at(1_000), at(2_000), "I lead the billing".to_owned());
    let words = Words { segment: 3, from, to, text, ..Words::default() };
    let said =
        [(1_100, Event::SpeechStarted { at: from }), (2_100, Event::PartialTranscript(words))];
    let parts = greeted_and(data.path(), said.into()).await;
    let (fresh, hold) = (parts.interview.clone(), parts.hold.clone());
    let (clock, (mouth, heard)) = (clock_after(&parts.before), Mouth::new());
    let mut line = Showing { happens: Some(LineEvent::CandidateJoined), ..Showing::default() };
    let session = Session::begin(parts, clock, mouth).unwrap();
    let (asked, mut events) = (Notify::new(), Vec::new());
    let stop = async {
        asked.notified().await;
        Stop::HandOver
    };
    let mut said = String::new();
    let note = |entry: &Entry| {
        events.push(entry.event.clone());
        let spoken = entry.effects.iter().find_map(|effect| match effect {
            Effect::Speak { say: Say::Text(text), .. } => Some(text.clone()),
            _ => None,
        });
        if let Some(text) = spoken {
            said = text;
            asked.notify_one();
        }
    };
    let outcome = session.run(&mut line, heard, stop, note).await.unwrap();
    assert_eq!((outcome.end, outcome.trouble), (None, None));
    let stopped = Event::SpeechStopped { at: at(2_100) };
    let back = [Event::LineCut, stopped, Event::CandidateLeft, Event::LineBack];
    assert_eq!(events[..4], back);
    assert_eq!(events[4], Event::CandidateJoined);
    assert!(said.starts_with("Welcome back") && said.ends_with("may we begin?"), "{said}");
    let text = hold.store.read_journal(hold.id).await.unwrap().unwrap();
    let (_, entries) = journal::parse(&text).unwrap();
    let after = journal::replay(fresh, &entries).unwrap();
    assert!(!after.is_over() && !journal::has_ended(&entries));
    let projection = hold.store.read_projection(hold.id, Projection::Transcript).await.unwrap();
    assert_eq!(projection, None, "it is not over");
}

/// What is in the store is what was read from it, ends nowhere, and has the effects that we give today: else
/// nobody goes on.
#[tokio::test]
async fn another_journal_does_not_go_on() {
    let begin = |parts| Session::begin(parts, Clock::start(), Mouth::new().0);
    let data = tempfile::tempdir().unwrap();
    for spoil in [
        |parts: &mut Parts| drop(parts.before.pop()),
        |parts: &mut Parts| parts.before.clear(),
        |parts: &mut Parts| parts.header.started_at += 1,
    ] {
        let mut parts = greeted(data.path()).await;
        spoil(&mut parts);
        let (mut line, heard) = (Showing::default(), mpsc::channel(1).1);
        let ran = begin(parts).unwrap().run(&mut line, heard, ready(Stop::End), |_| {}).await;
        assert!(matches!(ran, Err(SessionError::Begun(_))), "{ran:?}");
    }
    let mut parts = greeted(data.path()).await;
    parts.before[1].effects.clear();
    let sentence = begin(parts).err().unwrap().to_string();
    assert!(sentence.starts_with("entry 2 of the journal has other effects"), "{sentence}");
    let mut parts = greeted(data.path()).await;
    let mut machine = Machine::after(parts.interview.clone(), &parts.before).unwrap();
    let late = SessionTime::from_millis(9 * 3_600_000);
    parts.before.extend(machine.step(late, late, Event::Tick));
    assert!(matches!(begin(parts), Err(SessionError::Ended(_))));
}

/// W08: a session whose interview somebody else has taken ends, and says nothing: they speak now.
#[tokio::test]
async fn who_lost_the_interview_is_silent() {
    let data = tempfile::tempdir().unwrap();
    let (parts, folder) = short_parts(data.path()).await;
    let hold = parts.hold.clone();
    let (clock, (mouth, heard)) = (Clock::start(), Mouth::new());
    let mut line = Showing { happens: Some(LineEvent::CandidateJoined), ..Showing::default() };
    let session = Session::begin(parts, clock, mouth.clone()).unwrap();
    let outcome = session.run(&mut line, heard, pending(), |_| hold.release()).await.unwrap();
    let lost = "this interview was taken over by another worker";
    assert_eq!((outcome.end, outcome.trouble.as_deref()), (Some(End::Technical), Some(lost)));
    assert!(mouth.pull(clock.now()).is_none(), "something is said");
    assert!(!folder.path().join("transcript.json").exists(), "something is written");
}
