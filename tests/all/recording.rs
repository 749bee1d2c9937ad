//! The recording of an interview in a real room, read as a player would read it.

use std::{
    io::Cursor,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use ogg::{Packet, PacketReader};
use serde_json::json;
use vivavoce::{
    audio::level,
    blueprint::Context,
    interview::{End, Event},
    journal::{self, Entry, Speaker},
    store::{Consent, FileStore, Folder},
};
use voiceroom::{
    Frame,
    room::{FrameSource, To},
};

use crate::{
    client::Client,
    interview::{
        CONTROL, Voice, WorkerProcess, answer, dispatch, interviewer, journal_of, launch_with,
        summary, until,
    },
    livekit_server::LiveKit,
};

/// Voices that begin at once, so that it is known when.
const SETTINGS: &[(&str, &str)] = &[
    ("VIVAVOCE_RECORDING__ENABLED", "true"),
    ("VIVAVOCE_SPEECH__STT", "scripted"),
    ("VIVAVOCE_SPEECH__TTS", "scripted"),
];
/// What is recorded stands where it was heard, within this, also on a busy machine. To the millisecond it is
/// tested where the file is written.
const NEAR_S: f64 = 0.25;
/// Louder than this somebody speaks.
const VOICE_DBOV: i8 = -40;
/// So long a silence, and what follows it is a beginning.
const SILENCE_S: f64 = 0.8;

/// An interview that is launched to be recorded, and what its candidate said to that.
fn launch(store: &FileStore, recording: bool) -> Folder {
    let context = Context { recorded: true, ..Context::default() };
    let folder = launch_with(store, "two-stage", context);
    folder.agree(&Consent { v: 1, take_part_at: 0, recording, accommodations: None }).unwrap();
    folder
}

/// A candidate's microphone that notes what it was asked for, and when.
struct Noted {
    voice: Voice,
    played: Arc<Mutex<Vec<(Instant, Frame)>>>,
}

impl FrameSource for Noted {
    fn pull(&mut self, at: Instant) -> Option<Frame> {
        let frame = self.voice.pull(at)?;
        self.played.lock().unwrap().push((at, frame.clone()));
        Some(frame)
    }
}

/// A recording that was read.
struct Played {
    packets: Vec<Packet>,
    left: Vec<i16>,
    right: Vec<i16>,
}

impl Played {
    fn read(folder: &Folder) -> Self {
        let file = std::fs::read(folder.path().join("recording.ogg")).unwrap();
        let mut reader = PacketReader::new(Cursor::new(file));
        let packets: Vec<_> = std::iter::from_fn(|| reader.read_packet().ok().flatten()).collect();
        let head = &packets[0].data;
        assert!(head.starts_with(b"OpusHead") && packets[1].data.starts_with(b"OpusTags"));
        let pre_skip = usize::from(u16::from_le_bytes([head[10], head[11]]));
        let mut decoder = opus::Decoder::new(16_000, opus::Channels::Stereo).unwrap();
        let mut sound = Vec::new();
        for packet in &packets[2..] {
            let mut frame = [0; 640];
            assert_eq!(decoder.decode(&packet.data, &mut frame, false).unwrap(), 320);
            sound.extend(frame);
        }
        let sound = &sound[2 * pre_skip / 3..];
        let (left, right) = sound.chunks(2).map(|both| (both[0], both[1])).unzip();
        Self { packets, left, right }
    }

    fn seconds(&self) -> f64 {
        self.left.len() as f64 / 16_000.0
    }
}

/// Pieces of 5 ms of continuous sound, each with its time.
fn windows(sound: &[i16], rate: usize) -> impl Iterator<Item = (f64, &[i16])> {
    sound.chunks(rate / 200).enumerate().map(|(n, window)| (n as f64 / 200.0, window))
}

/// When a voice began after a silence.
fn beginnings<'a>(windows: impl Iterator<Item = (f64, &'a [i16])>) -> Vec<f64> {
    let (mut found, mut spoke) = (Vec::new(), f64::NEG_INFINITY);
    for (at, window) in windows {
        if level::dbov(window) > VOICE_DBOV {
            if at - spoke > SILENCE_S {
                found.push(at);
            }
            spoke = at;
        }
    }
    found
}

/// Whether a side of a recording is silent before this time and not after it.
fn begins_at(side: &[i16], at: f64) -> bool {
    let speaks = |from: f64, to: f64| {
        let index = |at: f64| ((at.max(0.0) * 16_000.0) as usize).min(side.len());
        side[index(from)..index(to)].chunks(80).any(|window| level::dbov(window) > VOICE_DBOV)
    };
    !speaks(at - SILENCE_S + 2.0 * NEAR_S, at - NEAR_S) && speaks(at - NEAR_S, at + NEAR_S)
}

fn entries(folder: &Folder) -> Vec<Entry> {
    journal::parse(&folder.read_journal().unwrap().unwrap()).unwrap().1
}

/// How many answers were answered.
fn turns(folder: &Folder) -> usize {
    let text = folder.read_journal().unwrap().unwrap_or_default();
    let Ok((header, entries)) = journal::parse(&text) else { return 0 };
    let lines = journal::transcript(&header, &entries).lines;
    lines.iter().filter(|line| line.speaker == Speaker::Candidate && !line.cut).count()
}

/// R10: both sides stand in the recording where the candidate has heard and said them and where the journal
/// says, and when the worker is killed in the middle, the file plays up to shortly before.
#[tokio::test(flavor = "multi_thread")]
async fn both_sides_are_recorded_in_time_and_outlive_a_kill() {
    let server = LiveKit::start();
    let mut worker = WorkerProcess::with(&server, SETTINGS);
    let folder = launch(&worker.store(), true);
    let id = folder.id();
    let voice = Voice::of("two-stage-plain");
    let played = Arc::default();
    let microphone = Noted { voice: voice.clone(), played: Arc::clone(&played) };
    let candidate =
        Client::of(&server, &id.room(), &id.candidate()).playing(microphone).join().await;
    dispatch(&server, &folder).await;
    let two_turns = async {
        until(|| turns(&folder) >= 1).await;
        until(|| turns(&folder) >= 2).await;
    };
    tokio::select! {
        _ = answer(&candidate, &voice) => panic!("the interview ended before it was killed"),
        () = two_turns => worker.kill(),
    }
    let seen = candidate.leave().await;

    let recording = Played::read(&folder);
    let entries = entries(&folder);
    let killed_s = entries.last().unwrap().at.as_micros() as f64 / 1e6;
    assert!(recording.seconds() > killed_s - 5.0, "{} of {killed_s}", recording.seconds());
    assert!(!recording.packets.last().unwrap().last_in_stream(), "nobody ended it");
    for (n, packet) in recording.packets[2..].iter().enumerate() {
        assert_eq!(packet.absgp_page(), (n as u64 / 25 + 1) * 25 * 960, "packet {n}");
    }

    let started = entries.iter().find(|e| matches!(e.event, Event::ReplyStarted { .. })).unwrap();
    let ours = beginnings(windows(&recording.right, 16_000));
    let first_s = started.at.as_micros() as f64 / 1e6;
    assert!((ours[0] - first_s).abs() < NEAR_S, "{} and not {first_s}", ours[0]);

    let sound = seen.sounds.values().max_by_key(|sound| sound.pcm.len()).unwrap();
    let heard = beginnings(windows(&sound.pcm, 48_000));
    let played = played.lock().unwrap();
    let began = sound.began.unwrap();
    let said = beginnings(played.iter().flat_map(|(at, frame)| {
        let at = at.checked_duration_since(began).map_or(-1.0, |since| since.as_secs_f64());
        windows(frame.samples(), 48_000).map(move |(within, window)| (at + within, window))
    }));
    // The same moment in the recording and for the candidate: our first sound.
    let shift = ours[0] - heard[0];
    let in_time = |at: &&f64| **at + shift < recording.seconds() - NEAR_S;
    let (heard, said): (Vec<_>, Vec<_>) =
        (heard.iter().filter(in_time).collect(), said.iter().filter(in_time).collect());
    assert!(heard.len() >= 2 && said.len() >= 2, "{heard:?} {said:?}");
    for at in heard {
        assert!(begins_at(&recording.right, at + shift), "we at {at} + {shift}: {ours:?}");
    }
    let theirs = beginnings(windows(&recording.left, 16_000));
    for at in said {
        assert!(begins_at(&recording.left, at + shift), "they at {at} + {shift}: {theirs:?}");
    }
}

/// R10, C01, case 48: who agreed is recorded, to the end; of who did not there is no file, and the inputs
/// that the interviewer answers from say so.
#[tokio::test(flavor = "multi_thread")]
async fn only_who_agreed_is_recorded() {
    let server = LiveKit::start();
    let worker = WorkerProcess::with(&server, SETTINGS);
    for agrees in [true, false] {
        let folder = launch(&worker.store(), agrees);
        let id = folder.id();
        let candidate = Client::of(&server, &id.room(), &id.candidate()).join().await;
        dispatch(&server, &folder).await;
        let listens = |seen: &_| {
            let (agent, state, _) = interviewer(seen);
            (state == "listening").then_some(agent)
        };
        let agent = candidate.until("end of the first question", listens).await;
        let end = json!({"id": "e1", "request": "end"}).to_string().into_bytes();
        candidate.room.send_data(CONTROL, end, To::Agent(&agent)).unwrap();
        let is_gone = |seen: &crate::client::Seen| !seen.people.contains_key(&agent);
        candidate.until("goodbye", |seen| is_gone(seen).then_some(())).await;
        let entries = journal_of(&folder);
        assert_eq!(summary(&entries).1, Some(End::CandidateEnded));
        assert_eq!(folder.inputs().unwrap().context.recorded, agrees);
        assert_eq!(folder.path().join("recording.ogg").exists(), agrees);
        if agrees {
            let recording = Played::read(&folder);
            assert!(recording.packets.last().unwrap().last_in_stream());
            let ended = entries.last().unwrap().at;
            let lasted = Duration::from_secs_f64(recording.seconds());
            assert!(lasted >= ended.since(Default::default()), "{lasted:?} of {ended}");
            assert_eq!(beginnings(windows(&recording.left, 16_000)), Vec::<f64>::new());
        }
    }
}
