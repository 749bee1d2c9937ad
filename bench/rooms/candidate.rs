//! A candidate in a room, who says the same again and again and notes when something is heard.

use std::{
    collections::{BTreeMap, VecDeque},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use serde::Serialize;
use tokio::{
    task::JoinHandle,
    time::{sleep, sleep_until},
};
use vivavoce::{
    audio::{FRAME, FRAME_48, Pcm16, resample::Up},
    clock,
};
use voiceroom::{
    Frame,
    opus::Decoder,
    reorder::Reorder,
    room::{Counters, FrameSource, Kind, Packet, Room, RoomEvent, RoomOptions},
    server::ApiKeys,
};

use crate::{
    livekit_server::LiveKit,
    stubs::{LOUD, level},
    worker::AGENT,
};

/// 10 ms at 48 kHz.
const WINDOW: usize = 480;
/// How loud the end of an utterance is.
const CUT: f64 = 2_500.0;
/// The loudest sample of somebody who was recorded elsewhere.
const PEAK: f64 = 20_000.0;
/// How loud the voice in a recording is: as loud as this percentile of its windows.
const VOICE_PERCENTILE: usize = 95;
/// What is quieter than this part of the voice is no voice: old tapes hiss.
const VOICE_PART: f64 = 0.25;
/// Who has been silent for so long has finished.
const GAP: Duration = Duration::from_secs(1);
/// Shorter silence inside an utterance is a hole, if it is as long as a packet.
const HOLE_MIN: u64 = 2;
const HOLE_MAX: u64 = 100;
const PATIENCE: Duration = Duration::from_secs(30);
/// Who begins has been silent for so long.
const BREATH: Duration = Duration::from_millis(200);
/// Lost sound up to 100 ms is made up, as a browser does.
const MADE_UP_MAX: u64 = 5 * FRAME_48 as u64;

/// Where a candidate comes in.
#[derive(Clone)]
pub(crate) struct Door {
    /// Where the server is.
    pub(crate) url: String,
    /// Who lets them in.
    pub(crate) keys: ApiKeys,
    /// The addresses for their media; none: all.
    pub(crate) ips: Vec<IpAddr>,
}

impl Door {
    /// The usual one.
    pub(crate) fn of(server: &LiveKit) -> Self {
        Self { url: server.url().to_owned(), keys: server.keys(), ips: Vec::new() }
    }
}

/// What a candidate says, once.
#[derive(Clone)]
pub(crate) struct Utterance {
    frames: Vec<Frame>,
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
        Self::of(samples)
    }

    /// All of `sound`, its last breath too, as loud as the others are.
    pub(crate) fn whole(sound: &Pcm16) -> Self {
        let loudest = sound.0.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or(1).max(1);
        let louder = |sample: &i16| (f64::from(*sample) * PEAK / f64::from(loudest)) as i16;
        let samples = Up::default().push(&Pcm16(sound.0.iter().map(louder).collect())).0;
        let mut levels: Vec<f64> = samples.chunks(WINDOW).map(level).collect();
        levels.sort_by(f64::total_cmp);
        let voice = levels[levels.len() * VOICE_PERCENTILE / 100];
        Self::above(samples, LOUD.max(voice * VOICE_PART))
    }

    fn of(samples: Vec<i16>) -> Self {
        Self::above(samples, LOUD)
    }

    /// An utterance whose voice is what is louder than `floor`.
    fn above(mut samples: Vec<i16>, floor: f64) -> Self {
        samples.resize(samples.len().next_multiple_of(FRAME_48), 0);
        let frames: Vec<Frame> = samples
            .chunks(FRAME_48)
            .filter_map(|frame| Frame::try_from(frame.to_vec()).ok())
            .collect();
        let loud =
            |frame: &Frame| frame.samples().chunks(WINDOW).any(|window| level(window) > floor);
        let first = frames.iter().position(loud).expect("it has a voice");
        let last = frames.iter().rposition(loud).expect("it has a voice");
        Self { frames, first, last }
    }

    /// Twice, in one breath.
    pub(crate) fn twice(&self) -> Self {
        let mut frames = self.frames[..=self.last].to_vec();
        frames.extend_from_slice(&self.frames[self.first..]);
        Self { frames, first: self.first, last: 2 * self.last + 1 - self.first }
    }

    /// From its first sound to its last.
    pub(crate) fn length(&self) -> Duration {
        FRAME * u32::try_from(self.last + 1 - self.first).unwrap_or(u32::MAX)
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
    /// Their last sound to our first after it; nothing if there was none.
    pub(crate) response_ms: Option<f64>,
    /// We did not wait for their end.
    pub(crate) is_early: bool,
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
    pub(crate) holes: Vec<Hole>,
}

/// Silence inside what we said.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Hole {
    /// When we were heard again.
    #[serde(skip)]
    until: Instant,
    /// How long it was, and how far inside, in milliseconds of sound.
    ms: u64,
    into_ms: u64,
    /// The longest that the candidate waited for a packet, up to then: a worker that stood still, if it is as
    /// long.
    waited_ms: u64,
    /// How much of it was never sent or lost, in milliseconds; the rest was sent as silence.
    unsent_ms: u64,
}

impl Hole {
    /// From when to when there was silence, or a wait for packets.
    pub(crate) fn span(&self) -> (Instant, Instant) {
        let length = Duration::from_millis(self.ms.max(self.waited_ms));
        (self.until - length, self.until)
    }
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
    /// Why the call is over, if it is before they leave.
    dropped: Arc<Mutex<Option<String>>>,
    /// Whether anybody hears them.
    is_heard: Arc<AtomicBool>,
    utterance: Utterance,
    /// Asked for the room to our first sound.
    pub(crate) greeting: Duration,
}

impl Candidate {
    /// Comes into a room of their own, calls the worker, and hears the greeting.
    pub(crate) async fn join(
        door: &Door,
        name: &str,
        utterance: Utterance,
    ) -> anyhow::Result<Self> {
        let began = clock::instant();
        let token = door.keys.dispatching_token(name, "candidate", AGENT, "")?;
        let mut options = RoomOptions::new(&door.url, Box::new(move || Ok(token.clone())));
        options.ips.clone_from(&door.ips);
        let mic = Arc::new(Mutex::new(Mic::default()));
        let source = Box::new(Source(mic.clone()));
        let (room, mut events) = Room::join(options, Some(source)).await?;
        let ear = Arc::new(Mutex::new(Ear::new()?));
        let (dropped, is_heard) = (Arc::new(Mutex::new(None)), Arc::new(AtomicBool::new(false)));
        let (listening, told, heard) = (ear.clone(), dropped.clone(), is_heard.clone());
        let ears = tokio::spawn(async move {
            let mut agent = None;
            while let Some(event) = events.recv().await {
                match event {
                    RoomEvent::Packet(packet) => held(&listening).packet(packet),
                    RoomEvent::TrackHeard => heard.store(true, Relaxed),
                    RoomEvent::ParticipantJoined(one) if one.kind == Kind::Agent => {
                        agent = Some(one.identity);
                    }
                    RoomEvent::ParticipantLeft { identity, .. }
                        if agent.as_ref() == Some(&identity) =>
                    {
                        held(&told).get_or_insert_with(|| "the interviewer left".to_owned());
                        agent = None;
                    }
                    RoomEvent::Disconnected(end) => {
                        held(&told).get_or_insert_with(|| end.to_string());
                    }
                    _ => {}
                }
            }
        });
        let mut candidate = Self {
            name: name.to_owned(),
            room,
            mic,
            ear,
            ears,
            dropped,
            is_heard,
            utterance,
            greeting: Duration::ZERO,
        };
        let heard = candidate.until(|ear| ear.first).await;
        let heard = heard.ok_or_else(|| anyhow::anyhow!("{name}: nobody greeted"))?;
        candidate.greeting = heard - began;
        candidate.until_quiet().await;
        // What they said before would come as a recording, which is another way (R05).
        let is_heard = candidate.is_heard.clone();
        let is_heard = move |_: &Ear| is_heard.load(Relaxed).then_some(());
        anyhow::ensure!(candidate.until(is_heard).await.is_some(), "{name}: nobody hears them");
        Ok(candidate)
    }

    /// Says something and hears the reply, or speaks over it.
    pub(crate) async fn turn(&self, over: Over) -> Turn {
        held(&self.ear).reset();
        let ended = self.say(&self.utterance).await;
        let is_early = held(&self.ear).first.is_some_and(|first| first < ended);
        let heard = self.until(|ear| ear.begun_after(ended)).await;
        let response_ms = heard.map(|heard| millis_between(ended, heard));
        let mut turn = Turn {
            response_ms,
            is_early,
            ended,
            heard,
            stop_ms: None,
            resume_ms: None,
            holes: Vec::new(),
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
            turn.holes.clone_from(&held(&self.ear).holes);
            for hole in &turn.holes {
                eprintln!("{}: a hole, {}", self.name, serde_json::json!(hole));
            }
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
        // One that was over before they spoke was not stopped.
        let stop = (last >= onset).then(|| millis_between(onset, last));
        // The answer to it belongs to the same turn.
        held(&self.ear).reset();
        self.until(|ear| ear.first).await;
        stop
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

    /// Waits until we have finished.
    pub(crate) async fn until_quiet(&self) {
        let is_quiet = |ear: &Ear| ear.last.is_none_or(|last| last.elapsed() >= GAP).then_some(());
        self.until(is_quiet).await;
    }

    /// Why the call was over before they left.
    pub(crate) fn dropped(&self) -> Option<String> {
        held(&self.dropped).clone()
    }

    /// What their client has counted.
    pub(crate) fn counters(&self) -> &Counters {
        self.room.counters()
    }

    /// How much of our sound they had to make up, in percent.
    pub(crate) fn made_up_percent(&self) -> f64 {
        let ear = held(&self.ear);
        ear.made_up as f64 * 100.0 / ear.samples.max(1) as f64
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
    frames: VecDeque<Frame>,
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
    fn pull(&mut self, at: Instant) -> Option<Frame> {
        let mut mic = held(&self.0);
        let Some(frame) = mic.frames.pop_front() else { return Some(Frame::silence()) };
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
    order: Reorder<Instant, Packet>,
    decoder: Decoder,
    next: Option<u64>,
    /// The first and the last loud window since the last reset.
    first: Option<Instant>,
    last: Option<Instant>,
    /// Windows since the first loud one and since the last, and those of the latter that were no packet's.
    windows: u64,
    quiet: u64,
    unsent: u64,
    /// When the last packet came, and the longest wait for one since the last loud window.
    came: Option<Instant>,
    waited: Duration,
    holes: Vec<Hole>,
    /// Samples of the whole call, and those of them that had to be made up.
    samples: u64,
    made_up: u64,
    /// When loud windows came lately.
    loud: BTreeMap<Instant, ()>,
}

impl Ear {
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            order: Reorder::default(),
            decoder: Decoder::new()?,
            next: None,
            first: None,
            last: None,
            windows: 0,
            quiet: 0,
            unsent: 0,
            came: None,
            waited: Duration::ZERO,
            holes: Vec::new(),
            samples: 0,
            made_up: 0,
            loud: BTreeMap::new(),
        })
    }

    fn reset(&mut self) {
        (self.first, self.last, self.windows, self.quiet) = (None, None, 0, 0);
        self.holes.clear();
        self.loud.clear();
    }

    fn packet(&mut self, packet: Packet) {
        // What waited for a missing packet is heard when it no longer has to.
        let now = packet.arrived;
        let waited = self.came.replace(now).map_or(Duration::ZERO, |came| now - came);
        self.waited = self.waited.max(waited);
        self.order.push(now, packet.sequence, packet);
        while let Some(next) = self.order.pop(now) {
            let packet = next.packet;
            let missing = self.next.map_or(0, |next| packet.rtp_time.saturating_sub(next));
            let mut sound = match missing {
                0 => Vec::new(),
                1..=MADE_UP_MAX => self.decoder.conceal(missing as usize, &packet.payload),
                _ => {
                    self.quiet += missing / WINDOW as u64;
                    self.windows += missing / WINDOW as u64;
                    Vec::new()
                }
            };
            let Ok(came) = self.decoder.decode(&packet.payload) else { continue };
            self.next = Some(packet.rtp_time + came.len() as u64);
            self.made_up += missing;
            self.unsent += missing / WINDOW as u64;
            self.samples += missing + came.len() as u64;
            sound.extend(came);
            for window in sound.chunks(WINDOW) {
                self.window(now, level(window) > LOUD);
            }
        }
    }

    fn window(&mut self, at: Instant, is_loud: bool) {
        self.windows += 1;
        if !is_loud {
            self.quiet += 1;
            return;
        }
        if self.last.is_some() && (HOLE_MIN..HOLE_MAX).contains(&self.quiet) {
            self.holes.push(Hole {
                until: at,
                ms: self.quiet * 10,
                into_ms: (self.windows - self.quiet) * 10,
                waited_ms: self.waited.as_millis() as u64,
                unsent_ms: self.unsent * 10,
            });
        }
        if self.first.is_none() {
            self.windows = 0;
        }
        (self.quiet, self.unsent, self.waited) = (0, 0, Duration::ZERO);
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

    /// When we began to be heard, after that.
    fn begun_after(&self, after: Instant) -> Option<Instant> {
        let mut before = self.loud.range(..=after).next_back().map(|(at, ())| *at);
        for at in self.loud.range(after..).map(|(at, ())| *at).filter(|at| *at > after) {
            if before.is_none_or(|before| at - before >= BREATH) {
                return Some(at);
            }
            before = Some(at);
        }
        None
    }

    /// The last loud window up to `now`, if there is silence after it.
    fn quiet_since(&self, now: Instant) -> Option<Instant> {
        let last = self.last_before(now)?;
        (now - last >= Duration::from_millis(40)).then_some(last)
    }
}
