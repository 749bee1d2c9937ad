//! Somebody at the far end of a session on virtual time, in a room with a loudspeaker: what they say and
//! when, what else their microphone picks up, how it is sent, and what they have heard.

use std::{
    collections::{BTreeMap, VecDeque},
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::{StreamExt, stream::BoxStream};
use vivavoce::{
    audio::{
        FRAME, FRAME_16, FRAME_48, Pcm16, Pcm48,
        resample::{Down, Up},
    },
    blueprint::Context,
    codec::fixture::Fixture,
    config::Config,
    interview::{AgentState, Effect, Event, NotTheirs, Note, Notice, ReplyId, Request, TurnId},
    journal::{Entry, Inputs},
    listen::Packet,
    providers::{
        ProviderError, Stt, Tts, TurnDetector, registry::Registry, tts_flite::FliteTts,
        turns::Turns,
    },
    session::{FarEnd, Latencies, LineEvent, Lockstep},
    time::SessionTime,
};
use voiceroom::{Frame, opus::Encoder};

use crate::{house::files, recognisers::Said};

pub(crate) fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// When somebody does something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum When {
    /// We have said something, and listen since so long.
    Asked(Duration),
    /// We speak since so long.
    Over(Duration),
    /// So long after what they did before was over.
    Then(Duration),
}

/// What somebody does.
pub(crate) enum Act {
    Say(Vec<i16>),
    /// The same, and the words of it for a recogniser that knows them.
    Tell(Vec<i16>, String),
    Press(Request),
    Mute,
    Unmute,
}

/// How their sound is sent.
enum Wire {
    Frames,
    /// As packets; with silence the sender pauses (DTX), every seventh packet is late by two and every
    /// eleventh lost.
    Packets {
        encoder: Box<Encoder>,
        up: Box<Up>,
        n: u64,
        silent: usize,
        late: Option<Packet>,
    },
    Muted,
}

/// Our sound, come back into their microphone.
struct Echo {
    delay: Duration,
    gain: f64,
    down: Down,
    line: VecDeque<i16>,
}

/// What they have heard of us: a frame or nothing, every 20 ms.
pub(crate) type HeardFrames = Arc<Mutex<Vec<(SessionTime, Option<Pcm48>)>>>;

/// Somebody.
pub(crate) struct Person {
    script: VecDeque<(When, Act)>,
    state: AgentState,
    since: SessionTime,
    is_asked: bool,
    saying: Option<(Vec<i16>, usize)>,
    /// When the last thing they did was over.
    done: SessionTime,
    presses: usize,
    wire: Wire,
    echo: Option<Echo>,
    heard: HeardFrames,
    /// What sounds near their microphone, in words.
    said: Said,
    seed: u32,
}

impl Person {
    pub(crate) fn new(script: impl IntoIterator<Item = (When, Act)>) -> Self {
        Self {
            script: script.into_iter().collect(),
            state: AgentState::Initializing,
            since: SessionTime::ZERO,
            is_asked: false,
            saying: None,
            done: SessionTime::ZERO,
            presses: 0,
            wire: Wire::Frames,
            echo: None,
            heard: Arc::default(),
            said: Arc::default(),
            seed: 1,
        }
    }

    /// Their loudspeaker is heard by their microphone, so much later and so much softer.
    pub(crate) fn with_echo(mut self, delay: Duration, gain: f64) -> Self {
        let samples = delay.as_millis() as usize * 16;
        self.echo =
            Some(Echo { delay, gain, down: Down::default(), line: vec![0; samples].into() });
        self
    }

    /// Their browser sends nothing in silence, and the network is no good.
    pub(crate) fn over_packets(mut self) -> Self {
        let encoder = Box::new(Encoder::new().unwrap());
        self.wire = Wire::Packets { encoder, up: Box::default(), n: 0, silent: 0, late: None };
        self
    }

    fn is_time(&self, at: SessionTime) -> bool {
        let Some((when, _)) = self.script.front() else { return false };
        // The frame that is asked for begins now; the state is of before it.
        let lasted = (at + FRAME).since(self.since);
        match when {
            When::Asked(after) => {
                self.is_asked && self.state == AgentState::Listening && lasted >= *after
            }
            When::Over(after) => {
                self.is_asked && self.state == AgentState::Speaking && lasted >= *after
            }
            When::Then(after) => at >= self.done + *after,
        }
    }

    /// Begins what is due; gives the button that they press.
    fn act(&mut self, at: SessionTime) -> Option<LineEvent> {
        if self.saying.is_some() || !self.is_time(at) {
            return None;
        }
        let (when, act) = self.script.pop_front()?;
        self.is_asked &= !matches!(when, When::Asked(_));
        self.done = at;
        match act {
            Act::Say(sound) => self.saying = Some((sound, 0)),
            Act::Tell(sound, words) => {
                let length = Pcm16(sound.clone()).duration();
                let count = words.split_whitespace().count() as u32;
                for (n, word) in (1..).zip(words.split_whitespace()) {
                    self.say_word(at + length * n / count, word);
                }
                self.saying = Some((sound, 0));
            }
            Act::Press(request) => {
                self.presses += 1;
                let id = format!("press-{}", self.presses);
                return Some(LineEvent::Control { id, request, stage: None });
            }
            Act::Mute => {
                self.wire = Wire::Muted;
                return Some(LineEvent::Muted);
            }
            Act::Unmute => {
                self.wire = Wire::Frames;
                return Some(LineEvent::Unmuted);
            }
        }
        None
    }

    fn say_word(&self, at: SessionTime, word: &str) {
        let mut said = self.said.lock().unwrap();
        let place = said.partition_point(|(before, _)| *before <= at);
        said.insert(place, (at, word.to_owned()));
    }

    /// What is said near their microphone, for a recogniser that knows it.
    pub(crate) fn said(&self) -> Said {
        self.said.clone()
    }

    /// The next 20 ms of what their microphone hears: a quiet room, they, and our echo.
    fn microphone(&mut self, at: SessionTime) -> Vec<i16> {
        let mut frame: Vec<i16> =
            (0..FRAME_16).map(|_| (random(&mut self.seed) * 3.0) as i16).collect();
        if let Some((sound, from)) = &mut self.saying {
            let rest = &sound[*from..];
            frame
                .iter_mut()
                .zip(rest)
                .for_each(|(sample, more)| *sample = sample.saturating_add(*more));
            *from += FRAME_16.min(rest.len());
            if *from == sound.len() {
                self.saying = None;
                self.done = at + FRAME;
            }
        }
        if let Some(echo) = &mut self.echo {
            let back = echo.line.drain(..FRAME_16.min(echo.line.len()));
            for (sample, more) in frame.iter_mut().zip(back) {
                *sample = sample.saturating_add((f64::from(more) * echo.gain) as i16);
            }
        }
        frame
    }
}

impl FarEnd for Person {
    fn see(&mut self, at: SessionTime, state: AgentState) {
        if state != self.state {
            (self.state, self.since) = (state, at);
            self.is_asked |= state == AgentState::Speaking;
        }
    }

    fn send(&mut self, at: SessionTime) -> Vec<LineEvent> {
        let mut events: Vec<_> = self.act(at).into_iter().collect();
        let sound = Pcm16(self.microphone(at));
        match &mut self.wire {
            Wire::Frames => events.push(LineEvent::Frame(at, sound)),
            Wire::Muted => {}
            Wire::Packets { encoder, up, n, silent, late } => {
                let is_loud = sound.0.iter().any(|s| s.unsigned_abs() > 10);
                *silent = if is_loud { 0 } else { *silent + 1 };
                let payload = encoder.encode(&Frame::try_from(up.push(&sound).0).unwrap()).unwrap();
                // 200 ms after the last sound the sender pauses, and says so once.
                let payload = if *silent < 10 { payload } else { vec![0xf8] };
                let packet = Packet {
                    sequence: *n,
                    rtp_time: at.as_micros() * 48 / 1_000,
                    payload: payload.into(),
                };
                if *silent <= 10 {
                    *n += 1;
                    let mut due: Vec<Packet> = Vec::new();
                    match *n {
                        n if n % 11 == 0 => {}
                        n if n % 7 == 0 => due.extend(late.replace(packet)),
                        _ => due.push(packet),
                    }
                    if *n % 7 == 2 {
                        due.extend(late.take());
                    }
                    let arrived = at + FRAME;
                    events.extend(due.into_iter().map(|p| LineEvent::Packet(arrived, p)));
                }
            }
        }
        events
    }

    fn hear(&mut self, at: SessionTime, sound: Option<&Pcm48>) {
        if let Some(echo) = &mut self.echo {
            let silence = || Pcm48(vec![0; FRAME_48]);
            echo.line.extend(echo.down.push(&sound.cloned().unwrap_or_else(silence)).0);
        }
        self.heard.lock().unwrap().push((at, sound.cloned()));
    }

    fn read(&mut self, at: SessionTime, words: &str) {
        if let Some(echo) = &self.echo {
            words.split_whitespace().for_each(|word| self.say_word(at + echo.delay, word));
        }
    }
}

/// -1 to 1.
pub(crate) fn random(seed: &mut u32) -> f64 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    f64::from(*seed >> 8) / f64::from(1 << 23) - 1.0
}

/// A stretch of speech in a fixture, by its words.
pub(crate) fn recorded(fixture: &str, text: &str) -> Vec<i16> {
    let fixture = Fixture::load(Path::new("audio-fixtures"), fixture).unwrap();
    let mut spans = fixture.answers.iter().flat_map(|answer| &answer.spans);
    let span = spans.find(|span| span.text == text).unwrap();
    fixture.sound.0[span.start_ms as usize * 16..span.end_ms as usize * 16].to_vec()
}

/// What a synthetic candidate says, without the silence around it.
pub(crate) fn spoken(text: &str) -> Vec<i16> {
    let voice = FliteTts::new("rms").unwrap();
    let mut sound = Vec::new();
    let pieces = pollster::block_on(voice.synthesize(text).collect::<Vec<_>>());
    pieces.into_iter().for_each(|piece| sound.extend(piece.unwrap().0));
    let sound = Down::default().push(&Pcm48(sound)).0;
    let is_loud = |sample: &i16| sample.unsigned_abs() > 100;
    let from = sound.iter().position(is_loud).unwrap();
    let to = sound.iter().rposition(is_loud).unwrap();
    sound[from..=to].to_vec()
}

/// Notes what is voiced, by its words.
struct Noted {
    voice: Arc<dyn Tts>,
    voiced: Arc<Mutex<BTreeMap<String, Vec<i16>>>>,
}

impl Tts for Noted {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        let (words, voiced) = (text.to_owned(), self.voiced.clone());
        voiced.lock().unwrap().insert(words.clone(), Vec::new());
        let note = move |piece: &Result<Pcm48, _>| {
            let piece = piece.as_ref().unwrap();
            voiced.lock().unwrap().get_mut(&words).unwrap().extend(&piece.0);
        };
        self.voice.synthesize(text).inspect(note).boxed()
    }
}

/// What an interview is held with: the embedded speech, and a blueprint.
pub(crate) struct Meeting {
    blueprint: String,
    pub(crate) context: Context,
    pub(crate) providers: Registry,
    pub(crate) latencies: Latencies,
}

impl Meeting {
    pub(crate) fn new() -> Self {
        Self::of("two-stage")
    }

    pub(crate) fn of(blueprint: &str) -> Self {
        Self::set(blueprint, &[])
    }

    /// With these settings: names without `VIVAVOCE_`, and values.
    pub(crate) fn set(blueprint: &str, settings: &[(&str, &str)]) -> Self {
        // What is said with a tone under it sounds like no end: words alone tell it.
        let words_alone = [("SPEECH__TURN_DETECTOR", "off")];
        let settings = words_alone.iter().chain(settings);
        let settings = settings.map(|(name, it)| (format!("VIVAVOCE_{name}"), (*it).to_owned()));
        let folder = std::env::vars().filter(|(name, _)| name == "VIVAVOCE_SPEECH__MODELS_DIR");
        let config = Config::read(None, folder.chain(settings)).unwrap();
        let providers = Registry::build(&config.speech, &config.providers, 1).unwrap();
        // Without a file the tests would hear, or speak, with something else and never say so.
        assert!(providers.fallbacks().is_empty(), "{:?}", providers.fallbacks());
        let (llm, tts, judge) = (config.lockstep.llm, config.lockstep.tts, config.lockstep.judge);
        let latencies = Latencies { llm, tts, judge };
        let context = Context { candidate_name: "Ada".into(), ..Context::default() };
        Self { blueprint: blueprint.to_owned(), context, providers, latencies }
    }

    pub(crate) fn hearing(mut self, change: impl FnOnce(Arc<dyn Stt>) -> Arc<dyn Stt>) -> Self {
        let stt = change(self.providers.stt());
        self.providers = self.providers.with_stt(stt);
        self
    }

    /// With somebody who hears ends of turns.
    pub(crate) fn weighing(mut self, detector: Arc<dyn TurnDetector>) -> Self {
        self.providers = self.providers.with_turns(Turns::new(detector).unwrap());
        self
    }

    /// Holds the interview to its end.
    pub(crate) fn with(self, person: Person) -> Met {
        self.told(person, |_| {})
    }

    pub(crate) fn told(self, person: Person, told: impl FnMut(&Entry)) -> Met {
        let inputs = Inputs::new(&self.blueprint, files(&self.blueprint), self.context);
        let (heard, voiced) = (person.heard.clone(), Arc::default());
        let voice = Noted { voice: self.providers.tts(), voiced: Arc::clone(&voiced) };
        let providers = self.providers.with_tts(Arc::new(voice));
        let interview = inputs.interview().unwrap();
        let lockstep = Lockstep::new(interview, person, &providers, self.latencies).unwrap();
        let entries = lockstep.run(told).entries;
        let heard = std::mem::take(&mut *heard.lock().unwrap());
        let voiced = std::mem::take(&mut *voiced.lock().unwrap());
        Met { entries, heard, voiced }
    }
}

/// An interview that was held.
pub(crate) struct Met {
    pub(crate) entries: Vec<Entry>,
    heard: Vec<(SessionTime, Option<Pcm48>)>,
    voiced: BTreeMap<String, Vec<i16>>,
}

impl Met {
    /// Its journal, to be read when a test has failed.
    pub(crate) fn story(&self) -> String {
        let line =
            |entry: &Entry| format!("{} {:?}\n    {:?}\n", entry.at, entry.event, entry.effects);
        self.entries.iter().map(line).collect()
    }

    /// All effects of a kind, each with the time at which it was ordered.
    pub(crate) fn ordered<T>(&self, which: impl Fn(&Effect) -> Option<T>) -> Vec<(SessionTime, T)> {
        let of = |entry: &Entry| {
            let at = entry.at;
            entry.effects.iter().filter_map(|effect| Some((at, which(effect)?))).collect::<Vec<_>>()
        };
        self.entries.iter().flat_map(of).collect()
    }

    pub(crate) fn happened<T>(&self, which: impl Fn(&Event) -> Option<T>) -> Vec<(SessionTime, T)> {
        self.entries.iter().filter_map(|entry| Some((entry.at, which(&entry.event)?))).collect()
    }

    /// What the candidate said, turn by turn, as it is known in the end.
    pub(crate) fn turns(&self) -> Vec<String> {
        let turn = |effect: &Effect| match effect {
            Effect::Publish(Notice::Turn { turn, text, .. }) => Some((*turn, text.clone())),
            _ => None,
        };
        let turns = self.ordered(turn).into_iter().map(|(_, turn)| turn);
        turns.collect::<BTreeMap<TurnId, String>>().into_values().collect()
    }

    /// Replies that were heard and hushed.
    pub(crate) fn hushed(&self) -> Vec<(SessionTime, ReplyId)> {
        let started = self.happened(|event| match event {
            Event::ReplyStarted { reply } => Some(*reply),
            _ => None,
        });
        let hushed = self.ordered(|effect| match effect {
            Effect::Hush { reply } => Some(*reply),
            _ => None,
        });
        let was_heard = |wanted: ReplyId| started.iter().any(|(_, reply)| *reply == wanted);
        hushed.into_iter().filter(|(_, reply)| was_heard(*reply)).collect()
    }

    pub(crate) fn paused(&self) -> Vec<(SessionTime, ReplyId)> {
        self.ordered(|effect| match effect {
            Effect::Pause { reply } => Some(*reply),
            _ => None,
        })
    }

    pub(crate) fn resumed(&self) -> Vec<(SessionTime, ReplyId)> {
        self.ordered(|effect| match effect {
            Effect::Resume { reply } => Some(*reply),
            _ => None,
        })
    }

    /// Words that were nobody's, and why.
    pub(crate) fn passed_over(&self) -> Vec<(SessionTime, NotTheirs)> {
        self.ordered(|effect| match effect {
            Effect::Note(Note::PassedOver { why, .. }) => Some(*why),
            _ => None,
        })
    }

    /// When a reply began to be heard and when it ended.
    pub(crate) fn span(&self, wanted: ReplyId) -> (SessionTime, SessionTime) {
        let started = self.happened(|event| {
            matches!(event, Event::ReplyStarted { reply } if *reply == wanted).then_some(())
        });
        let ended = self.happened(|event| {
            matches!(event, Event::ReplyFinished { reply, .. } if *reply == wanted).then_some(())
        });
        (started[0].0, ended[0].0)
    }

    /// The frames that were heard from `from` to `to`; `None` where nothing was.
    pub(crate) fn frames(&self, (from, to): (SessionTime, SessionTime)) -> Vec<Option<&Pcm48>> {
        let within = |(at, _): &&(SessionTime, _)| (from..=to).contains(at);
        self.heard.iter().filter(within).map(|(_, frame)| frame.as_ref()).collect()
    }

    /// The words of a reply, segment by segment.
    pub(crate) fn words(&self, wanted: ReplyId) -> Vec<String> {
        let words = self.happened(|event| match event {
            Event::SegmentReady { reply, text, .. } if *reply == wanted => Some(text.clone()),
            _ => None,
        });
        words.into_iter().map(|(_, text)| text).collect()
    }

    /// A reply was heard to its end: each sample once, in order, whatever silence was in between. Gives how
    /// many frames that silence was.
    pub(crate) fn heard_whole(&self, reply: ReplyId) -> usize {
        let frames = self.frames(self.span(reply));
        let heard: Vec<i16> = frames.iter().flatten().flat_map(|f| f.0.iter().copied()).collect();
        let mut voiced: Vec<i16> =
            self.words(reply).iter().flat_map(|words| self.voiced[words].iter().copied()).collect();
        assert!(voiced.len() > FRAME_48, "{reply:?} has no sound");
        voiced.resize(voiced.len().next_multiple_of(FRAME_48), 0);
        let same = heard.iter().zip(&voiced).take_while(|(a, b)| a == b).count();
        assert!(
            heard == voiced,
            "{reply:?}: {} samples of {} were heard, the same up to {same}\n{}",
            heard.len(),
            voiced.len(),
            self.story()
        );
        frames.iter().filter(|frame| frame.is_none()).count()
    }
}
