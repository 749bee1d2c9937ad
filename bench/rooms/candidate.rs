//! A candidate in a room, who says the same again and again and notes when something is heard.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use serde::Serialize;
use tokio::{
    task::JoinHandle,
    time::{sleep, sleep_until},
};
use vivavoce::{
    audio::{FRAME_48, Pcm16, Pcm48, reorder::Reorder, resample::Up},
    clock::{self, Clock},
    codec::opus::Decoder,
    livekit::ApiKeys,
    room::{FrameSource, Packet, Room, RoomEvent, RoomOptions},
};

use crate::stubs::{LOUD, level};

/// 10 ms at 48 kHz.
const WINDOW: usize = 480;
/// How loud the end of an utterance is.
const CUT: f64 = 2_500.0;
/// Who has been silent for so long has finished.
const GAP: Duration = Duration::from_secs(1);
/// Shorter silence inside an utterance is a hole, if it is as long as a packet.
const HOLE_MIN: u64 = 2;
const HOLE_MAX: u64 = 60;
const PATIENCE: Duration = Duration::from_secs(30);

/// What a candidate says, once.
#[derive(Clone)]
pub(crate) struct Utterance {
    frames: Vec<Pcm48>,
    /// The frames with its first and last loud window.
    first: usize,
    last: usize,
}

impl Utterance {
    /// `sound`, in frames.
    pub(crate) fn new(sound: &Pcm16) -> Self {
        let mut samples = Up::default().push(sound).0;
        // It ends as a tape that is cut, so that its end is the same moment for all who listen.
        let loud = samples.chunks(WINDOW).rposition(|window| level(window) > CUT);
        samples.truncate(loud.map_or(samples.len(), |last| (last + 1) * WINDOW));
        samples.resize(samples.len().next_multiple_of(FRAME_48), 0);
        let frames: Vec<Pcm48> =
            samples.chunks(FRAME_48).map(|frame| Pcm48(frame.to_vec())).collect();
        let loud = |frame: &Pcm48| frame.0.chunks(WINDOW).any(|window| level(window) > LOUD);
        let first = frames.iter().position(loud).expect("it has a voice");
        let last = frames.iter().rposition(loud).expect("it has a voice");
        Self { frames, first, last }
    }

    /// Its first part.
    pub(crate) fn cut(&self, length: Duration) -> Self {
        let frames = usize::try_from(length.as_millis() / 20).unwrap_or(usize::MAX);
        let end = (self.first + frames).min(self.frames.len());
        Self { frames: self.frames[..end].to_vec(), first: self.first, last: end - 1 }
    }
}

/// One turn, as the candidate has heard it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Turn {
    /// Their last sound to our first; nothing if there was none, less than nothing if we did not wait.
    pub(crate) response_ms: Option<f64>,
    /// When their last sound went out.
    #[serde(skip)]
    pub(crate) ended: Instant,
    /// When our first sound came.
    #[serde(skip)]
    pub(crate) heard: Option<Instant>,
    /// Their voice over us to our silence.
    pub(crate) stop_ms: Option<f64>,
    /// A cough over us: its end to our going on.
    pub(crate) resume_ms: Option<f64>,
    /// Silence inside what we said.
    pub(crate) holes_ms: Vec<u64>,
}

/// What is done to our reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// It is heard to its end.
    Nothing,
    /// Words are said over it.
    Words,
    /// Somebody coughs.
    Cough,
}

/// Somebody in a room.
pub(crate) struct Candidate {
    name: String,
    room: Room,
    mic: Arc<Mutex<Mic>>,
    ear: Arc<Mutex<Ear>>,
    ears: JoinHandle<()>,
    utterance: Utterance,
    /// Asked for the room to our first sound.
    pub(crate) greeting: Duration,
}

impl Candidate {
    /// Comes into a room of their own, calls the worker, and hears the greeting.
    pub(crate) async fn join(
        url: &str,
        keys: &ApiKeys,
        name: &str,
        agent: &str,
        utterance: Utterance,
    ) -> anyhow::Result<Self> {
        let began = clock::instant();
        let token = keys.dispatching_token(name, "candidate", agent, "")?;
        let options = RoomOptions::new(url, Box::new(move || Ok(token.clone())));
        let mic = Arc::new(Mutex::new(Mic::default()));
        let source = Box::new(Source(mic.clone()));
        let (room, mut events) = Room::join(options, Some(source), Default::default()).await?;
        let ear = Arc::new(Mutex::new(Ear::new()?));
        let listening = ear.clone();
        let ears = tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                if let RoomEvent::Packet(packet) = event {
                    held(&listening).packet(packet);
                }
            }
        });
        let mut candidate = Self {
            name: name.to_owned(),
            room,
            mic,
            ear,
            ears,
            utterance,
            greeting: Duration::ZERO,
        };
        let heard = candidate.until(|ear| ear.first).await;
        let heard = heard.ok_or_else(|| anyhow::anyhow!("{name}: nobody greeted"))?;
        candidate.greeting = heard - began;
        candidate.until_quiet().await;
        Ok(candidate)
    }

    /// Says something and hears the reply, or speaks over it.
    pub(crate) async fn turn(&self, over: Over) -> Turn {
        held(&self.ear).reset();
        let ended = self.say(&self.utterance).await;
        let heard = self.until(|ear| ear.first).await;
        let response_ms = heard.map(|heard| millis_between(ended, heard));
        let mut turn = Turn {
            response_ms,
            ended,
            heard,
            stop_ms: None,
            resume_ms: None,
            holes_ms: Vec::new(),
        };
        if let Some(heard) = heard {
            match over {
                Over::Nothing => {}
                Over::Words => turn.stop_ms = self.interrupt(heard).await,
                Over::Cough => turn.resume_ms = self.cough(heard).await,
            }
        }
        self.until_quiet().await;
        if over == Over::Nothing {
            turn.holes_ms.clone_from(&held(&self.ear).holes_ms);
        }
        turn
    }

    /// Speaks over us; how long we went on, in milliseconds.
    async fn interrupt(&self, heard: Instant) -> Option<f64> {
        sleep_until((heard + Duration::from_millis(700)).into()).await;
        held(&self.ear).last = None;
        self.say(&self.utterance).await;
        let onset = held(&self.mic).began?;
        let last = held(&self.ear).last_before(onset + GAP)?;
        let stop = millis_between(onset, last).max(0.0);
        // The answer to it belongs to the same turn.
        held(&self.ear).reset();
        self.until(|ear| ear.first).await;
        Some(stop)
    }

    /// A sound without words: how long after its end we go on.
    async fn cough(&self, heard: Instant) -> Option<f64> {
        sleep_until((heard + Duration::from_millis(500)).into()).await;
        let ended = self.say(&self.utterance.cut(Duration::from_millis(260))).await;
        let stopped = held(&self.ear).quiet_since(ended)?;
        let again = self.until(|ear| ear.first_after(stopped)).await?;
        Some(millis_between(ended, again))
    }

    /// Says it; when its last sound went out.
    async fn say(&self, utterance: &Utterance) -> Instant {
        held(&self.mic).begin(utterance);
        loop {
            if let Some(ended) = held(&self.mic).ended {
                return ended;
            }
            sleep(Duration::from_millis(5)).await;
        }
    }

    async fn until<T>(&self, look: impl Fn(&Ear) -> Option<T>) -> Option<T> {
        let limit = clock::instant() + PATIENCE;
        while clock::instant() < limit {
            let found = look(&held(&self.ear));
            if found.is_some() {
                return found;
            }
            sleep(Duration::from_millis(2)).await;
        }
        None
    }

    async fn until_quiet(&self) {
        let is_quiet = |ear: &Ear| ear.last.is_none_or(|last| last.elapsed() >= GAP).then_some(());
        self.until(is_quiet).await;
    }

    /// Leaves; which room that was.
    pub(crate) async fn leave(self) -> String {
        self.room.leave().await;
        self.ears.abort();
        self.name
    }
}

fn held<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect("nobody panics with it")
}

/// Less than zero if `to` came first.
pub(crate) fn millis_between(from: Instant, to: Instant) -> f64 {
    let ahead = to.saturating_duration_since(from).as_secs_f64();
    (ahead - from.saturating_duration_since(to).as_secs_f64()) * 1e3
}

/// An open microphone.
#[derive(Default)]
struct Mic {
    frames: VecDeque<Pcm48>,
    /// Frames until the first and the last loud one have gone out.
    first: usize,
    last: usize,
    pulled: usize,
    began: Option<Instant>,
    ended: Option<Instant>,
}

impl Mic {
    fn begin(&mut self, utterance: &Utterance) {
        let frames = utterance.frames.iter().cloned().collect();
        *self = Self { frames, first: utterance.first, last: utterance.last, ..Self::default() };
    }
}

struct Source(Arc<Mutex<Mic>>);

impl FrameSource for Source {
    fn pull(&mut self, at: Instant) -> Option<Pcm48> {
        let mut mic = held(&self.0);
        let Some(frame) = mic.frames.pop_front() else { return Some(Pcm48(vec![0; FRAME_48])) };
        if mic.pulled == mic.first {
            mic.began = Some(at);
        }
        if mic.pulled == mic.last {
            mic.ended = Some(at);
        }
        mic.pulled += 1;
        Some(frame)
    }
}

/// Which windows of ours are loud, and when they came.
struct Ear {
    clock: Clock,
    order: Reorder<Packet>,
    decoder: Decoder,
    next: Option<u64>,
    /// The first and the last loud window since the last reset.
    first: Option<Instant>,
    last: Option<Instant>,
    /// Windows since the last loud one.
    quiet: u64,
    holes_ms: Vec<u64>,
    /// When loud windows came lately.
    loud: BTreeMap<Instant, ()>,
}

impl Ear {
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            clock: Clock::start(),
            order: Reorder::default(),
            decoder: Decoder::new()?,
            next: None,
            first: None,
            last: None,
            quiet: 0,
            holes_ms: Vec::new(),
            loud: BTreeMap::new(),
        })
    }

    fn reset(&mut self) {
        (self.first, self.last, self.quiet) = (None, None, 0);
        self.holes_ms.clear();
        self.loud.clear();
    }

    fn packet(&mut self, packet: Packet) {
        let at = self.clock.at(packet.arrived);
        self.order.push(at, packet.sequence, packet);
        while let Some(next) = self.order.pop(at) {
            let packet = next.packet;
            let missing = self.next.map_or(0, |next| packet.rtp_time.saturating_sub(next));
            self.quiet += missing / WINDOW as u64;
            let Ok(sound) = self.decoder.decode(&packet.payload) else { continue };
            self.next = Some(packet.rtp_time + sound.0.len() as u64);
            for window in sound.0.chunks(WINDOW) {
                self.window(packet.arrived, level(window) > LOUD);
            }
        }
    }

    fn window(&mut self, at: Instant, is_loud: bool) {
        if !is_loud {
            self.quiet += 1;
            return;
        }
        if self.last.is_some() && (HOLE_MIN..HOLE_MAX).contains(&self.quiet) {
            self.holes_ms.push(self.quiet * 10);
        }
        self.quiet = 0;
        self.first = self.first.or(Some(at));
        self.last = Some(at);
        self.loud.insert(at, ());
    }

    fn last_before(&self, limit: Instant) -> Option<Instant> {
        self.loud.range(..limit).next_back().map(|(at, ())| *at)
    }

    fn first_after(&self, after: Instant) -> Option<Instant> {
        let (at, ()) = self.loud.range(after + Duration::from_millis(1)..).next()?;
        Some(*at)
    }

    /// The last loud window up to `now`, if there is silence after it.
    fn quiet_since(&self, now: Instant) -> Option<Instant> {
        let last = self.last_before(now)?;
        (now - last >= Duration::from_millis(40)).then_some(last)
    }
}
