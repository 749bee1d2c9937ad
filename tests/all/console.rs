//! The console's line between a session and a sound card that is none, and what the command says.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use vivavoce::{
    audio::{FRAME_16, Pcm16, resample::Resampler},
    blueprint::Context,
    clock::Clock,
    codec::fixture::Fixture,
    config::Config,
    interview::{AgentState, End, Event, Status},
    journal::{self, Entry, Header, Inputs, Speaker},
    providers::{TurnDetector, registry::Registry, turns::Turns},
    session::{
        Caption, ConsoleLine, Ends, Format, Line, LineEvent, Parts, Player, Screen, Session,
    },
    speak::Mouth,
    store::{FileStore, Folder, Hold, InterviewId, JournalStore, Projection},
};

use crate::{
    cli::{text, vivavoce},
    house::files,
};

/// A card as most are.
const CARD: Format = Format { rate: 44_100, channels: 2 };
/// Samples of each channel that it takes and gives at a time: 10 ms.
const PERIOD: usize = 441;
const INTERVIEW_LIMIT: Duration = Duration::from_secs(300);

/// An interview of two questions.
pub(crate) fn short_inputs() -> Inputs {
    let mut texts = files("two-stage");
    for (name, text) in &mut texts {
        let short = match name.as_str() {
            "self-intro.md" => "What do you do today?",
            "past-experience.md" => "Which project are you proud of?",
            _ => continue,
        };
        let (front, rest) = text.split_once("questions     = [").expect("it has questions");
        let (_, rest) = rest.split_once("]\n").expect("they end");
        let front = front
            .lines()
            .filter(|line| !line.starts_with("questions_max"))
            .collect::<Vec<_>>()
            .join("\n");
        *text = format!("{front}\nquestions_max = 1\nquestions = [\"{short}\"]\n{rest}");
    }
    Inputs::new("two-stage", texts, Context { candidate_name: "Ada".into(), ..Context::default() })
}

/// What a session of it needs, with the scripted ear and voice.
pub(crate) async fn short_parts(data: &Path) -> (Parts, Folder) {
    let inputs = short_inputs();
    let id = InterviewId::random();
    let files = FileStore::open(data).unwrap();
    let folder = files.make(id, &inputs, None).unwrap();
    let store: Arc<dyn JournalStore> = Arc::new(files);
    let mut config = Config::read(None, []).unwrap();
    (config.speech.stt, config.speech.tts) = ("scripted".into(), "scripted".into());
    let parts = Parts {
        interview: inputs.interview().unwrap(),
        header: Header::new(&id.to_string(), 1_700_000_000_000, &inputs),
        before: Vec::new(),
        hold: Hold::take(&store, id).await.unwrap(),
        providers: Registry::build(&config.speech, &config.providers, 1).unwrap(),
        recording: None,
    };
    (parts, folder)
}

/// Someone who looks at the terminal.
#[derive(Clone, Default)]
struct Watcher(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    state: Option<AgentState>,
    stages: Vec<String>,
    ours: String,
    theirs: Vec<String>,
    levels: Vec<i8>,
}

impl Screen for Watcher {
    fn caption(&mut self, caption: Caption) {
        let mut seen = self.0.lock().unwrap();
        match caption {
            Caption::Ours { delta, .. } => seen.ours += &delta,
            Caption::Theirs { text, is_final: true, .. } => seen.theirs.push(text),
            Caption::OursEnded { .. } | Caption::Theirs { .. } => {}
        }
    }

    fn show(&mut self, status: &Status) {
        let mut seen = self.0.lock().unwrap();
        seen.state = Some(status.state);
        if seen.stages.last() != Some(&status.stage) {
            seen.stages.push(status.stage.clone());
        }
    }

    fn level(&mut self, dbov: i8) {
        self.0.lock().unwrap().levels.push(dbov);
    }
}

/// A candidate at a card: speaks what is recorded when it is their turn, and keeps what they hear.
struct Seat {
    ends: Ends,
    candidate: Player,
    up: Resampler,
    clock: Clock,
    watcher: Watcher,
    heard: Arc<Mutex<Vec<i16>>>,
}

impl Seat {
    /// Runs at the pace of a real card, for ever.
    async fn run(mut self) {
        let mut pace = tokio::time::interval(Duration::from_millis(10));
        let mut said = Vec::new();
        let mut period = vec![0; PERIOD * usize::from(CARD.channels)];
        loop {
            pace.tick().await;
            self.ends.loudspeaker.fill(&mut period);
            self.heard.lock().unwrap().extend(period.iter().step_by(2));
            if said.len() < PERIOD {
                self.speak(&mut said);
            }
            let both: Vec<i16> = said.drain(..PERIOD).flat_map(|sample| [sample; 2]).collect();
            self.ends.microphone.push(self.clock.now(), &both);
        }
    }

    /// 20 ms more, at the card's rate.
    fn speak(&mut self, said: &mut Vec<i16>) {
        let now = self.clock.now();
        if let Some(state) = self.watcher.0.lock().unwrap().state {
            self.candidate.see(now, state);
        }
        let frame = self.candidate.frame(now);
        assert_eq!(frame.0.len(), FRAME_16);
        self.up.push(&frame.0, said);
    }
}

/// Hears an end of the turn in every pause.
struct Ended;

impl TurnDetector for Ended {
    fn ended_percent(&self, _: &Pcm16) -> Option<u8> {
        Some(99)
    }
}

/// T04: a recorded candidate at a card of 44.1 kHz and two channels is interviewed from the first
/// question to the goodbye: both are captioned and heard, their pauses are weighed, the journal replays, and
/// what is made of it is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interview_at_the_console() {
    let data = tempfile::tempdir().unwrap();
    let (mut parts, folder) = short_parts(data.path()).await;
    parts.providers = parts.providers.with_turns(Turns::new(Arc::new(Ended)).unwrap());
    let clock = Clock::start();
    let (mouth, heard) = Mouth::new();
    let session = Session::begin(parts, clock, mouth.clone()).unwrap();
    let watcher = Watcher::default();
    let (mut line, ends) = ConsoleLine::new(CARD, CARD, mouth, clock, watcher.clone());
    let fixture = Fixture::load(Path::new("audio-fixtures"), "two-stage-plain").unwrap();
    let sound = Arc::new(Mutex::new(Vec::new()));
    let seat = Seat {
        ends,
        candidate: Player::fixture(&fixture),
        up: Resampler::new(16_000, CARD.rate),
        clock,
        watcher: watcher.clone(),
        heard: sound.clone(),
    };
    let seat = tokio::spawn(seat.run());
    let run = session.run(&mut line, heard, std::future::pending(), |_| {});
    let outcome = tokio::time::timeout(INTERVIEW_LIMIT, run).await.expect("it ends").unwrap();
    seat.abort();
    assert_eq!((outcome.end, outcome.trouble), (Some(End::Completed), None));

    let seen = watcher.0.lock().unwrap();
    assert_eq!(seen.stages, ["self-intro", "past-experience"]);
    for question in ["What do you do today?", "Which project are you proud of?"] {
        assert!(seen.ours.contains(question), "{question} not in {}", seen.ours);
    }
    assert!(seen.theirs.iter().any(|said| said.contains("backend engineer")), "{:?}", seen.theirs);
    assert!(seen.levels.iter().any(|level| *level > -30), "nobody was heard");
    let loud = sound.lock().unwrap().iter().filter(|sample| sample.unsigned_abs() > 1_000).count();
    assert!(loud > 5 * CARD.rate as usize / 2, "{loud} samples of ours were loud");
    // A machine that stands still for a moment loses some frames, a card's rate none.
    let (all, dropped) = (seen.levels.len() as u64, line.troubles().dropped());
    assert!(dropped * 10 < all, "{dropped} dropped, {all} heard");

    let (header, entries) = journal::parse(&folder.read_journal().unwrap().unwrap()).unwrap();
    assert!(journal::replay(short_inputs().interview().unwrap(), &entries).is_ok());
    let is_weighed =
        |entry: &Entry| matches!(entry.event, Event::PauseWeighed { ended_percent: 99, .. });
    assert!(entries.iter().any(is_weighed), "no pause was weighed");
    let transcript = journal::transcript(&header, &entries);
    let said = transcript.lines.iter().filter(|line| line.speaker == Speaker::Candidate);
    assert!(said.count() >= 2, "{transcript:?}");
    for which in [Projection::Record, Projection::Transcript] {
        assert!(folder.path().join(which.name()).is_file(), "{which:?}");
    }
}

/// A card that fails ends the interview with its reason.
#[tokio::test]
async fn a_broken_card_ends_the_interview() {
    let data = tempfile::tempdir().unwrap();
    let (parts, _) = short_parts(data.path()).await;
    let clock = Clock::start();
    let (mouth, heard) = Mouth::new();
    let session = Session::begin(parts, clock, mouth.clone()).unwrap();
    let (mut line, mut ends) = ConsoleLine::new(CARD, CARD, mouth, clock, Watcher::default());
    ends.microphone.push(clock.now(), &[0; 2 * 4_410]);
    ends.broken.tell("the microphone was pulled out".to_owned());
    let run = session.run(&mut line, heard, std::future::pending(), |_| {});
    let outcome = tokio::time::timeout(INTERVIEW_LIMIT, run).await.expect("it ends").unwrap();
    assert_eq!(outcome.trouble.as_deref(), Some("the microphone was pulled out"));
}

/// A candidate is there with their first sound, all of which is heard; a microphone that gives none is no
/// candidate.
#[tokio::test]
async fn a_candidate_comes_with_their_sound() {
    let clock = Clock::start();
    let (mouth, _heard) = Mouth::new();
    let format = Format { rate: 16_000, channels: 1 };
    let line = || ConsoleLine::new(format, CARD, mouth.clone(), clock, Watcher::default());
    let (mut good, mut ends) = line();
    ends.microphone.push(clock.now(), &[7; 2 * FRAME_16]);
    assert!(matches!(good.next().await, LineEvent::CandidateJoined));
    for _ in 0..2 {
        let LineEvent::Frame(_, sound) = good.next().await else { panic!("no sound") };
        assert_eq!(sound, Pcm16(vec![7; FRAME_16]));
    }
    let (mut silent, _ends) = line();
    let LineEvent::Over(why) = silent.next().await else { panic!("sound from nowhere") };
    assert!(why.starts_with("the microphone gave no sound for 5 s"), "{why}");
}

/// Bad input: without the feature the command says how to get it, with it what it lacks; one sentence and
/// exit code 1, and no interview is begun.
#[test]
fn the_command_says_what_is_missing() {
    let no_devices = tempfile::NamedTempFile::new().unwrap();
    let settings = [("ALSA_CONFIG_PATH", no_devices.path().to_str().unwrap())];
    let expected = match cfg!(feature = "console") {
        true => ["there is no microphone to be used", "there is no sound card", "--input webcam: "],
        false => ["this program was built without the console"; 3],
    };
    let commands = [vec![], vec!["--list-devices"], vec!["--input", "webcam"]];
    for (options, expected) in commands.into_iter().zip(expected) {
        let output = vivavoce(&[vec!["console"], options].concat(), &settings);
        let said = text(&output.stderr);
        assert!(said.starts_with(expected) && said.lines().count() == 1, "{said}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    }
    let output = vivavoce(&["console", "--level", "wizard"], &[]);
    assert_eq!(output.status.code(), Some(2));
}
