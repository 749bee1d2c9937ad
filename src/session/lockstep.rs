//! A session on virtual time, without a runtime: the same recording gives the same journal, byte for byte.
//!
//! Every 20 ms the candidate's sound is heard, what is due is done, and a frame of ours is pulled. Model and
//! voice run to their end at once; what they give counts after constant latencies.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use futures_util::StreamExt;
use tokio::runtime::Handle;

use super::{FarEnd, LineEvent, Machine, contact::Contact, ear, pauses};
use crate::{
    audio::{FRAME, FRAME_48, Pcm48},
    interview::{By, CallId, Effect, Epoch, Event, Interview, Notice, ReplyId, Request, TurnId},
    journal::Entry,
    judge,
    listen::{self, Listen, ListenError},
    providers::{ProviderError, Tts, interviewer::Interviewer, registry::Registry, turns::Turns},
    speak::{Composed, Heard, Mouth, Order, Steps, Words, reading_aloud, voice},
    time::SessionTime,
};

/// An interview ends by its own limits long before that.
const TIME_MAX: Duration = Duration::from_secs(3 * 3_600);

/// Constant latencies of model and voice.
#[derive(Clone, Copy, Debug)]
pub struct Latencies {
    /// From request to first words.
    pub llm: Duration,
    /// From text to first sound.
    pub tts: Duration,
    /// From an answer to what the judge finds in it.
    pub judge: Duration,
}

/// A replayed interview.
#[derive(Debug)]
pub struct Replayed {
    /// Its journal without the header.
    pub entries: Vec<Entry>,
    /// What the candidate heard, from the beginning of the session; nothing if the far end keeps none.
    pub sound: Pcm48,
}

/// A session on virtual time.
pub struct Lockstep {
    machine: Machine,
    listen: Listen,
    far_end: Box<dyn FarEnd>,
    contact: Contact,
    mouth: Mouth,
    heard: tokio::sync::mpsc::Receiver<Heard>,
    providers: Providers,
    agenda: Agenda,
    /// The number of tool calls.
    calls: u32,
    silent: Option<Silent>,
    now: SessionTime,
    replayed: Replayed,
}

/// Who thinks, speaks and hears the ends of turns, and how long they take.
struct Providers {
    llm: Arc<dyn Interviewer>,
    tts: Arc<dyn Tts>,
    turns: Option<Turns>,
    latencies: Latencies,
}

impl Providers {
    fn voice(&self, text: &str) -> Result<Pcm48, ProviderError> {
        let mut sound = Vec::new();
        wait(voice(text, &*self.tts, |piece| sound.extend(&piece.0)))?;
        Ok(Pcm48(sound))
    }
}

/// What is known already and counts later, in the order of its time and of its making.
#[derive(Default)]
struct Agenda {
    later: BTreeMap<(SessionTime, u64), Later>,
    serial: u64,
}

impl Agenda {
    fn add(&mut self, at: SessionTime, later: Later) {
        self.serial += 1;
        self.later.insert((at, self.serial), later);
    }

    /// The next that counts by now.
    fn due(&mut self, now: SessionTime) -> Option<Later> {
        let first = self.later.first_entry().filter(|first| first.key().0 <= now)?;
        Some(first.remove())
    }

    /// Nothing of a reply counts any more.
    fn forget(&mut self, reply: ReplyId) {
        self.later.retain(|_, later| !later.is_of(reply));
    }
}

/// A reply that has called tools, and has no words before it knows what became of them.
struct Silent {
    reply: ReplyId,
    epoch: Epoch,
    steps: Steps,
}

/// Something that is known already and counts later.
enum Later {
    Fact(ReplyId, Event),
    Sound(ReplyId, u16, Pcm48),
    Finish(ReplyId),
    Failed(ReplyId, String),
    Judged(Event),
}

impl Later {
    fn is_of(&self, wanted: ReplyId) -> bool {
        match self {
            Self::Fact(reply, _)
            | Self::Sound(reply, _, _)
            | Self::Finish(reply)
            | Self::Failed(reply, _) => *reply == wanted,
            Self::Judged(_) => false,
        }
    }
}

impl Lockstep {
    /// A session of `interview` with a recorded candidate, or whoever else is at the far end.
    pub fn new(
        interview: Interview,
        far_end: impl FarEnd + 'static,
        providers: &Registry,
        latencies: Latencies,
    ) -> Result<Self, ListenError> {
        let stt = providers.stt();
        let keyterms = interview.all_keyterms();
        let mut listen = Listen::for_keyterms(providers.vad(), &*stt, &keyterms, Arc::new(|| {}))?;
        listen.keep_in_step();
        let turns = providers.turns().cloned();
        if turns.is_some() {
            listen.keep_sound();
        }
        let (mouth, heard) = Mouth::new();
        let mut machine = Machine::new(interview);
        machine.understand_by(providers);
        let tts = reading_aloud(providers.tts(), machine.interview.language());
        Ok(Self {
            machine,
            listen,
            far_end: Box::new(far_end),
            contact: Contact::BEFORE,
            mouth,
            heard,
            providers: Providers { llm: providers.llm(), tts, turns, latencies },
            agenda: Agenda::default(),
            calls: 0,
            silent: None,
            now: SessionTime::ZERO,
            replayed: Replayed { entries: Vec::new(), sound: Pcm48(Vec::new()) },
        })
    }

    /// Plays the interview to its end; tells each entry of its journal as it is made. Blocks: not for a
    /// thread that a runtime's tasks run on.
    pub fn run(mut self, mut told: impl FnMut(&Entry)) -> Replayed {
        self.on_presence(Contact::candidate_came, Event::CandidateJoined);
        let mut known = 0;
        while !self.machine.interview.is_over() && self.now < SessionTime::ZERO + TIME_MAX {
            self.frame();
            self.replayed.entries[known..].iter().for_each(&mut told);
            known = self.replayed.entries.len();
        }
        self.replayed
    }

    /// The next 20 ms.
    fn frame(&mut self) {
        let events = self.far_end.send(self.now);
        self.now += FRAME;
        for event in events {
            self.on_line(event);
        }
        self.listen.tick(self.now);
        while let Some(fact) = self.listen.poll() {
            let stopped = match fact {
                listen::Heard::SpeechStopped { at } => Some(at),
                listen::Heard::SpeechStarted { .. } | listen::Heard::Transcript(_) => None,
            };
            self.step(ear::spoken(fact));
            if let Some(weighed) = stopped.and_then(|stopped| self.weigh(stopped)) {
                self.step(weighed);
            }
        }
        self.do_later();
        if self.machine.is_due(self.now, self.listen.heard()) {
            self.step(Event::Tick);
        }
        let pulled = self.mouth.pull(self.now);
        self.far_end.hear(self.now, pulled.as_ref());
        if self.far_end.keeps_sound() {
            self.replayed.sound.0.extend(pulled.unwrap_or_else(|| Pcm48(vec![0; FRAME_48])).0);
        }
        while let Ok(heard) = self.heard.try_recv() {
            match heard {
                Heard::Fact(_, event) => self.step(event),
                Heard::Words(words) => self.far_end.read(self.now, &words.delta),
                Heard::Ended(..) => {}
            }
        }
    }

    /// In real time that is known when the end of the voice is.
    fn weigh(&self, stopped: SessionTime) -> Option<Event> {
        pauses::weigh(
            self.providers.turns.as_ref()?,
            &self.listen,
            &self.machine.interview,
            stopped,
        )
    }

    /// What happens on a line in real time happens here too.
    fn on_line(&mut self, event: LineEvent) {
        match event {
            LineEvent::CandidateNamed(name) if self.machine.interview.is_nameless() => {
                self.step(Event::CandidateNamed { name });
            }
            LineEvent::CandidateNamed(_) => {}
            LineEvent::CandidateJoined => {
                self.on_presence(Contact::candidate_came, Event::CandidateJoined);
            }
            LineEvent::CandidateLeft => {
                self.on_presence(Contact::candidate_left, Event::CandidateLeft);
            }
            LineEvent::Cut => self.on_presence(Contact::line_cut, Event::LineCut),
            LineEvent::Back => self.on_presence(Contact::line_back, Event::LineBack),
            LineEvent::Control { id, request, stage } => {
                self.step(Event::Control { id, request, stage });
            }
            LineEvent::Filled { id, values } => self.step(Event::Filled { id, values }),
            LineEvent::Suggested { id, text } => self.step(Event::Suggested { id, text }),
            LineEvent::Typed { id, text } => self.step(Event::Typed { id, text }),
            LineEvent::Over(id) => {
                self.step(Event::Control { id, request: Request::Abandon, stage: None });
            }
            LineEvent::NewTrack { expects_pre_connect } => {
                if let Err(why) = self.listen.track_started() {
                    tracing::error!(%why, "the new track is heard as the old one");
                }
                if expects_pre_connect {
                    self.listen.expect_pre_connect(self.now);
                }
            }
            LineEvent::PreConnect(audio) => ear::hear_before(&mut self.listen, self.now, &audio),
            LineEvent::Packet(arrived, packet) => self.listen.packet(arrived, packet),
            LineEvent::Frame(at, sound) => self.listen.frame(at, &sound),
            LineEvent::Muted => {
                self.listen.muted(self.now);
                if !self.machine.interview.is_muted() {
                    self.step(Event::Muted);
                }
            }
            LineEvent::Unmuted if self.machine.interview.is_muted() => self.step(Event::Unmuted),
            LineEvent::Unmuted => {}
        }
    }

    fn on_presence(&mut self, change: fn(&mut Contact), event: Event) {
        change(&mut self.contact);
        self.mouth.connect(self.contact.exists());
        self.step(event);
    }

    fn do_later(&mut self) {
        while let Some(later) = self.agenda.due(self.now) {
            match later {
                Later::Fact(_, event) | Later::Judged(event) => self.step(event),
                Later::Failed(reply, why) => {
                    self.step(Event::ReplyFailed { reply, why });
                    self.mouth.break_off(reply);
                }
                Later::Sound(reply, n, sound) => {
                    self.mouth.append(reply, n, &sound);
                    self.mouth.complete(reply, n);
                }
                Later::Finish(reply) => self.mouth.finish(reply),
            }
        }
    }

    fn step(&mut self, event: Event) {
        let mut facts = VecDeque::from([event]);
        while let Some(event) = facts.pop_front() {
            let heard = self.listen.heard();
            let Some(entry) = self.machine.step(self.now, heard, event) else { continue };
            for effect in &entry.effects {
                facts.extend(self.carry_out(effect));
            }
            if let Some(understood) = self.machine.understood(&entry) {
                facts.push_front(understood);
            }
            self.replayed.entries.push(entry);
            // One that was hushed by its own call is gone by now.
            if let Some(Silent { reply, epoch, steps }) =
                self.silent.take_if(|silent| !silent.steps.is_waiting())
            {
                match steps.next() {
                    Ok(steps) => self.speak(reply, epoch, steps),
                    Err(why) => self.fail(reply, self.now, why),
                }
            }
        }
    }

    fn carry_out(&mut self, effect: &Effect) -> Option<Event> {
        match effect {
            Effect::Speak { reply, epoch, say, .. } => {
                let brief = self.machine.interview.brief(*reply, say);
                if let Some(order) = Order::new(*reply, *epoch, say.clone(), brief) {
                    let Order { reply, epoch, words } = order;
                    self.speak(reply, epoch, Steps::new(words));
                }
            }
            Effect::Fill { reply, text } => self.fill(*reply, text),
            Effect::Hush { reply } => {
                self.agenda.forget(*reply);
                self.silent.take_if(|silent| silent.reply == *reply);
                let heard = self.mouth.clear(*reply)?.words;
                return Some(Event::ReplyFinished { reply: *reply, heard });
            }
            Effect::Play { reply, n } => self.mouth.open(*reply, *n),
            Effect::Pause { reply } => self.mouth.pause(*reply),
            Effect::Resume { reply } => self.mouth.resume(*reply),
            Effect::Seal { reply, n } => self.mouth.seal(*reply, *n),
            Effect::Judge { turn, attempt } => self.judge(*turn, *attempt),
            // `Machine::understood` answers it.
            Effect::Understand { .. } => {}
            Effect::Listen { keyterms } => self.listen.keyterms(keyterms),
            Effect::Publish(Notice::Status(status)) => self.far_end.see(self.now, status.state),
            Effect::Answer { call, verdict } => {
                if let Some(silent) = &mut self.silent {
                    silent.steps.answer(*call, verdict);
                }
            }
            Effect::Publish(Notice::Turn { .. })
            | Effect::Note(_)
            | Effect::Acknowledge { .. }
            | Effect::Handoff { .. }
            | Effect::Hangup { .. } => {}
        }
        None
    }

    /// One step of a reply. A new reply is all that is said.
    fn speak(&mut self, reply: ReplyId, epoch: Epoch, mut steps: Steps) {
        self.silent = None;
        let known = match steps.words() {
            Words::Given(_) => self.now,
            Words::Talk(_) => self.now + self.providers.latencies.llm,
        };
        let pieces: Vec<Composed> = wait(steps.pieces(&*self.providers.llm).collect());
        let mut sounds = known;
        let mut n = 0;
        for piece in pieces {
            match piece {
                Composed::Understood(intent) => {
                    if let Some((turn, attempt)) = steps.answers() {
                        let by = By::Model;
                        let event = Event::Understood { turn, attempt, intent, by };
                        self.agenda.add(known, Later::Fact(reply, event));
                    }
                }
                Composed::Segment(text) => {
                    self.mouth.expect(reply, n, &text);
                    sounds += self.providers.latencies.tts;
                    let sound = self.providers.voice(&text);
                    self.agenda
                        .add(known, Later::Fact(reply, Event::SegmentReady { reply, n, text }));
                    match sound {
                        Ok(sound) => self.agenda.add(sounds, Later::Sound(reply, n, sound)),
                        Err(error) => return self.fail(reply, sounds, error.to_string()),
                    }
                    n += 1;
                }
                Composed::Proposed(written, proposal) => {
                    self.calls += 1;
                    let call = CallId(self.calls);
                    steps.called(call, written);
                    let event = Event::Proposed { reply, epoch, call, proposal };
                    self.agenda.add(known, Later::Fact(reply, event));
                }
                Composed::Failed(why) => return self.fail(reply, sounds, why),
            }
        }
        if n > 0 {
            self.agenda.add(sounds, Later::Finish(reply));
        } else if steps.is_waiting() {
            self.silent = Some(Silent { reply, epoch, steps });
        } else if let Err(why) = steps.next() {
            self.fail(reply, known, why);
        }
    }

    /// A few words beside the reply that is being made.
    fn fill(&mut self, reply: ReplyId, text: &str) {
        let known = Event::SegmentReady { reply, n: 0, text: text.to_owned() };
        self.mouth.expect(reply, 0, text);
        self.agenda.add(self.now, Later::Fact(reply, known));
        let sounds = self.now + self.providers.latencies.tts;
        match self.providers.voice(text) {
            Ok(sound) => {
                self.agenda.add(sounds, Later::Sound(reply, 0, sound));
                self.agenda.add(sounds, Later::Finish(reply));
            }
            Err(error) => self.fail(reply, sounds, error.to_string()),
        }
    }

    /// What the judge finds is known at once and counts later.
    fn judge(&mut self, turn: TurnId, attempt: u32) {
        let Some(case) = self.machine.interview.case(turn) else { return };
        let judged = pollster::block_on(judge::judge(&*self.providers.llm, &case));
        let event = judge::judged_event(turn, attempt, judged);
        self.agenda.add(self.now + self.providers.latencies.judge, Later::Judged(event));
    }

    fn fail(&mut self, reply: ReplyId, at: SessionTime, why: String) {
        self.agenda.add(at, Later::Failed(reply, why));
    }
}

/// Waits for a provider. One that is a server needs the runtime that whoever runs us has; the embedded ones
/// need none.
fn wait<T>(work: impl Future<Output = T>) -> T {
    match Handle::try_current() {
        Ok(runtime) => runtime.block_on(work),
        Err(_) => pollster::block_on(work),
    }
}
