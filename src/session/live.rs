//! A session in real time: one task, one loop.

use std::{
    collections::VecDeque,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use tokio::sync::{Notify, mpsc};

use super::{
    Caption, Line, LineEvent, Machine, Outcome, Parts, SessionError,
    ahead::Ahead,
    contact::Contact,
    counts::Counts,
    ear::{hear_before, spoken},
    ending::{Ending, Stop},
    is_seen,
    judges::Judges,
    kept::{folded, open_journal, write_projections},
    noted::noted,
    pauses::Pauses,
    record::record,
    spans::Spans,
    speculation::{Speculation, prepare_opening},
    unsynced::{Ledger, Trouble},
};
use crate::{
    clock::Clock,
    interview::{AgentState, Effect, Event, Interview, NotDone, Notice, ReplyId, Request, Status},
    journal::Entry,
    listen::{self, Listen},
    providers::{Transcript, Tts},
    speak::{Heard, Mouth, Order, Speaker},
    store::{OpenJournal, StoreError},
    time::SessionTime,
    usage::kept_while,
};

/// Facts of the speaker that may wait.
const FACTS_MAX: usize = 256;
/// The last words of an interview that cannot go on last so long at most.
const APOLOGY_LIMIT: Duration = Duration::from_secs(10);
/// When we have to end, a sentence is finished for so long (W05).
const SENTENCE_LIMIT: Duration = Duration::from_secs(2);
/// The ids of requests to end that no message carried.
const STOP_ID: &str = "stop";
const OVER_ID: &str = "line-over";
/// What we say when we cannot go on.
const APOLOGY: &str =
    "I am sorry, something went wrong on our side. What you said so far is saved. Goodbye.";
/// The id of the only reply that the interview did not order.
const APOLOGY_REPLY: ReplyId = ReplyId(u32::MAX);

/// An interview that is about to be held. Its first words are being made already.
pub struct Session {
    parts: Parts,
    machine: Machine,
    clock: Clock,
    mouth: Mouth,
    speaker: Speaker,
    spans: Option<Spans>,
    facts_in: mpsc::Sender<(SessionTime, Event)>,
    facts: mpsc::Receiver<(SessionTime, Event)>,
}

impl Session {
    /// Begins what is said first, which is known before there is a line to say it on. Nothing is done again
    /// that a journal which goes on ordered.
    pub fn begin(parts: Parts, clock: Clock, mouth: Mouth) -> Result<Self, SessionError> {
        let machine = folded(&parts)?;
        let parts = Parts { providers: parts.providers.for_interview(), ..parts };
        let (facts_in, facts) = mpsc::channel(FACTS_MAX);
        let language = machine.interview.language();
        let (mut llm, tts) = (parts.providers.llm(), parts.providers.tts_in(language));
        let spans = Spans::begin(&parts.header, &parts.before);
        if let Some(spans) = &spans {
            llm = spans.noting(llm, clock);
        }
        let mut speaker = Speaker::new(llm, tts, mouth.clone(), facts_in.clone(), clock);
        prepare_opening(&machine.interview, &mut speaker);
        Ok(Self { parts, machine, clock, mouth, speaker, spans, facts_in, facts })
    }

    /// Holds the interview on a line, which was made with the same mouth, until it ends, or until `stop`:
    /// then we finish our sentence and leave, unless it is [`Stop::Lost`]. Each entry of its journal is
    /// `told` as it is made.
    pub fn run(
        self,
        line: &mut impl Line,
        heard: mpsc::Receiver<Heard>,
        stop: impl Future<Output = Stop> + Send,
        told: impl FnMut(&Entry) + Send,
    ) -> impl Future<Output = Result<Outcome, SessionError>> + Send {
        // On the heap: it is large, and whoever awaits it would move it.
        Box::pin(self.hold(line, heard, stop, told))
    }

    async fn hold(
        mut self,
        line: &mut impl Line,
        heard: mpsc::Receiver<Heard>,
        stop: impl Future<Output = Stop> + Send,
        told: impl FnMut(&Entry) + Send,
    ) -> Result<Outcome, SessionError> {
        let tts = self.parts.providers.tts_in(self.machine.interview.language());
        let hold = self.parts.hold.clone();
        let book = self.parts.providers.book().clone();
        let recording = self.parts.recording.take();
        let (mut live, inbox) = self.live(line, heard, told).await?;
        let goes_on = live.machine.entries() > 0;
        let recorder = recording
            .and_then(|path| record(&path, goes_on, live.clock, &mut live.listen, &live.mouth));
        let stop = pin!(stop);
        let run = Box::pin(live.run(inbox, stop, &*tts));
        let (outcome, journal) = kept_while(&hold, &book, run).await;
        journal.close().await;
        if let Some(recorder) = recorder {
            recorder.finish().await;
        }
        if outcome.end.is_some() {
            write_projections(&hold).await;
        }
        Ok(outcome)
    }

    async fn live<L: Line, T: FnMut(&Entry) + Send>(
        self,
        line: &mut L,
        heard: mpsc::Receiver<Heard>,
        told: T,
    ) -> Result<(Live<'_, L, T>, Inbox), SessionError> {
        let Self { parts, machine, clock, mouth, speaker, spans, facts_in, facts } = self;
        line.worded_by(speaker.has_model());
        let (journal, header) = open_journal(&parts).await?;
        let ledger = Ledger::new(journal, header, clock.now());
        let words = Arc::new(Notify::new());
        let wake = words.clone();
        let wake: listen::Wake = Arc::new(move || wake.notify_one());
        let (vad, terms) = (parts.providers.vad(), parts.interview.all_keyterms());
        let mut listen = Listen::for_keyterms(vad, &*parts.providers.stt(), &terms, wake.clone())?;
        let pauses = Pauses::new(parts.providers.turns(), &mut listen, wake);
        let live = Live {
            machine,
            listen,
            line,
            clock,
            mouth,
            speaker,
            judges: Judges::new(parts.providers.llm(), facts_in, clock),
            ahead: Ahead::new(pauses, Speculation::new(parts.providers.speculates())),
            ledger,
            watchers: Watchers { counts: Counts::new(parts.interview, &parts.before), spans, told },
            contact: Contact::BEFORE,
            ending: Ending::new(),
        };
        Ok((live, Inbox { heard, facts, words }))
    }
}

/// Where facts come from, beside the line.
struct Inbox {
    heard: mpsc::Receiver<Heard>,
    facts: mpsc::Receiver<(SessionTime, Event)>,
    /// Rings when words can be polled, or a pause was weighed.
    words: Arc<Notify>,
}

struct Live<'a, L, T> {
    machine: Machine,
    listen: Listen,
    line: &'a mut L,
    clock: Clock,
    mouth: Mouth,
    speaker: Speaker,
    judges: Judges,
    ahead: Ahead,
    ledger: Ledger,
    watchers: Watchers<T>,
    contact: Contact,
    ending: Ending,
}

/// Those who are told of each entry when its effects are carried out: nobody waits for them.
struct Watchers<T> {
    counts: Counts,
    spans: Option<Spans>,
    told: T,
}

impl<T: FnMut(&Entry)> Watchers<T> {
    fn take(&mut self, entry: &Entry) {
        self.counts.take(entry);
        if let Some(spans) = &mut self.spans {
            spans.take(entry);
        }
        (self.told)(entry);
    }
}

/// What woke the loop.
enum Wake {
    /// Nothing has happened yet.
    Begin,
    Synced(Result<(), Trouble>),
    Heard(Heard),
    Fact(SessionTime, Event),
    Line(LineEvent),
    /// Words, what a pause is, or a deadline: what is done after every wake.
    Look,
    Stop(Stop),
}

impl<L: Line, T: FnMut(&Entry) + Send> Live<'_, L, T> {
    async fn run(
        mut self,
        mut inbox: Inbox,
        mut stop: Pin<&mut (impl Future<Output = Stop> + Send)>,
        tts: &dyn Tts,
    ) -> (Outcome, OpenJournal) {
        let mut wake = Wake::Begin;
        loop {
            let handled = match wake {
                Wake::Begin => self.take_up(),
                Wake::Synced(result) => self.on_synced(result),
                Wake::Heard(heard) => self.on_heard(heard, &mut inbox.facts),
                Wake::Fact(at, event) => self.step(at, event),
                Wake::Line(event) => self.on_line(event),
                Wake::Look => Ok(()),
                Wake::Stop(stop) => {
                    self.ending.stop_by(self.clock.now() + SENTENCE_LIMIT, stop);
                    Ok(())
                }
            };
            if let Err(why) = handled.and_then(|()| self.look()) {
                tracing::error!(%why, "an interview could not be journalled");
                self.apologise(&why, &mut inbox, tts).await;
                self.ending.fail(&why);
            }
            if let Some(outcome) = self.ending.take() {
                if let Some(end) = outcome.end {
                    self.line.ended(end);
                }
                return (outcome, self.ledger.into_journal());
            }
            wake = self.wait(&mut inbox, stop.as_mut()).await;
        }
    }

    /// Goes on with a journal: what has happened since, and what a new line and a new ear have to know.
    fn take_up(&mut self) -> Result<(), Trouble> {
        if self.machine.entries() == 0 {
            return Ok(());
        }
        let left = &self.machine.taken_up;
        if let Some(status) = left.status() {
            // It is nobody's turn before the question is asked again.
            let state = AgentState::Thinking;
            self.line.show(&Status { state, ..status.clone() });
        }
        if let Some(keyterms) = left.keyterms() {
            self.listen.keyterms(keyterms);
        }
        for (at, event) in left.facts(self.clock.now()) {
            self.step(at, event)?;
        }
        Ok(())
    }

    async fn wait(
        &mut self,
        inbox: &mut Inbox,
        stop: Pin<&mut (impl Future<Output = Stop> + Send)>,
    ) -> Wake {
        let deadline = self.next_wake();
        let clock = self.clock;
        tokio::select! {
            biased;
            result = self.ledger.synced(clock) => Wake::Synced(result),
            Some(heard) = inbox.heard.recv() => Wake::Heard(heard),
            Some((at, event)) = inbox.facts.recv() => Wake::Fact(at, event),
            () = inbox.words.notified() => Wake::Look,
            stop = stop, if !self.ending.is_wanted() => Wake::Stop(stop),
            event = self.line.next(), if self.ending.has_line() => Wake::Line(event),
            () = sleep_until(clock, deadline) => Wake::Look,
        }
    }

    /// When to look again, if nothing happens.
    fn next_wake(&self) -> Option<SessionTime> {
        let listens = self.listen.deadline();
        let decides = self.machine.interview.deadline().map(|deadline| {
            if self.clock.now() < deadline.0 {
                deadline.0
            } else {
                // Sound wakes us before that if it comes.
                Interview::fires(deadline, self.listen.heard())
            }
        });
        [listens, decides, self.ending.deadline()].into_iter().flatten().min()
    }

    /// Takes what the ear has found, then does what is due.
    fn look(&mut self) -> Result<(), Trouble> {
        let now = self.clock.now();
        self.listen.tick(now);
        while let Some(fact) = self.listen.poll() {
            let fact = self.machine.taken_up.renumbered(fact);
            if let listen::Heard::Transcript(transcript) = &fact {
                self.caption(transcript);
            }
            self.ahead.hear(&fact, &mut self.speaker);
            self.step(now, spoken(fact))?;
        }
        if let Some(weighed) = self.ahead.weigh(&self.listen, &self.machine.interview) {
            self.step(now, weighed)?;
        }
        self.ahead.begin(&self.listen, &self.machine.interview, &mut self.speaker);
        match self.ending.due(now, self.mouth.is_sounding()) {
            None => {}
            Some(Stop::End) => {
                let (id, request) = (STOP_ID.to_owned(), Request::Terminate);
                self.step(now, Event::Control { id, request, stage: None })?;
            }
            Some(Stop::HandOver) => self.ending.hand_over(),
            Some(Stop::Lost) => return Err(Trouble::Store(StoreError::Lost)),
        }
        if self.machine.is_due(now, self.listen.heard()) {
            self.step(now, Event::Tick)?;
        }
        Ok(())
    }

    /// One fact: decided, written down, carried out.
    fn step(&mut self, at: SessionTime, event: Event) -> Result<(), Trouble> {
        let mut facts = VecDeque::from([(at, event)]);
        while let Some((at, event)) = facts.pop_front() {
            let now = self.clock.now();
            let heard = self.listen.heard();
            let Some(entry) = self.machine.step(at, heard, event) else { continue };
            let effects = entry.effects.clone();
            let (seen, mut inner): (Vec<_>, Vec<_>) = effects.into_iter().partition(is_seen);
            // Who was hushed by their own call is not told of it.
            inner.sort_by_key(|effect| matches!(effect, Effect::Answer { .. }));
            self.ledger.append(&entry, seen, now)?;
            for effect in inner {
                facts.extend(self.carry_out(effect).map(|event| (self.clock.now(), event)));
            }
            if let Some(event) = self.machine.understood(&entry) {
                facts.push_front((at, event));
            }
            self.watchers.take(&entry);
        }
        Ok(())
    }

    /// Carries out what stays inside. Gives the fact that it makes, if it makes one at once.
    fn carry_out(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::Speak { reply, epoch, say, .. } => {
                self.ahead.ordered();
                let brief = self.machine.interview.brief(reply, &say);
                if let Some(order) = Order::new(reply, epoch, say, brief) {
                    self.speaker.speak(order);
                }
            }
            Effect::Fill { reply, text } => {
                metrics::counter!("vivavoce_fillers_total").increment(1);
                self.speaker.fill(reply, text);
            }
            Effect::Hush { reply } => {
                let heard = self.speaker.hush(reply);
                return heard.or_else(|| self.machine.taken_up.finished(reply));
            }
            Effect::Pause { reply } => {
                self.ledger.take_back_resume(reply);
                self.mouth.pause(reply);
            }
            Effect::Judge { turn, attempt } => {
                if let Some(case) = self.machine.interview.case(turn) {
                    self.judges.look_at(turn, attempt, case);
                }
            }
            // `Machine::understood` answers it.
            Effect::Understand { .. } => {}
            Effect::Listen { keyterms } => self.listen.keyterms(&keyterms),
            Effect::Note(note) => noted(&note),
            Effect::Answer { call, verdict } => {
                tracing::debug!(call = call.0, ?verdict, "a proposal was decided");
                self.speaker.answer(call, verdict);
            }
            Effect::Handoff { from, to, epoch, why } => {
                tracing::info!(%from, %to, epoch = epoch.0, ?why, "the floor was handed off");
            }
            Effect::Play { .. }
            | Effect::Resume { .. }
            | Effect::Seal { .. }
            | Effect::Acknowledge { .. }
            | Effect::Publish(_)
            | Effect::Hangup { .. } => self.show(effect),
        }
        None
    }

    /// Carries out what others see; its entry is on disk.
    fn show(&mut self, effect: Effect) {
        match effect {
            Effect::Play { reply, n } => self.speaker.play(reply, n),
            Effect::Resume { reply } => self.mouth.resume(reply),
            Effect::Seal { reply, n } => self.speaker.seal(reply, n),
            Effect::Acknowledge { id, accepted, why } => {
                let outcome = if accepted { Ok(()) } else { Err(why.unwrap_or(NotDone::NotNow)) };
                self.line.acknowledge(&id, outcome);
            }
            Effect::Publish(Notice::Status(status)) => self.line.show(&status),
            Effect::Publish(Notice::Turn { .. })
            | Effect::Speak { .. }
            | Effect::Fill { .. }
            | Effect::Hush { .. }
            | Effect::Pause { .. }
            | Effect::Judge { .. }
            | Effect::Understand { .. }
            | Effect::Listen { .. }
            | Effect::Note(_)
            | Effect::Answer { .. }
            | Effect::Handoff { .. } => {}
            Effect::Hangup { end } => self.ending.hang_up(end),
        }
    }

    fn on_synced(&mut self, result: Result<(), Trouble>) -> Result<(), Trouble> {
        let waited = self.ledger.take_synced();
        result?;
        for effect in waited {
            self.show(effect);
        }
        Ok(())
    }

    fn on_heard(
        &mut self,
        heard: Heard,
        facts: &mut mpsc::Receiver<(SessionTime, Event)>,
    ) -> Result<(), Trouble> {
        let segment = |reply: ReplyId, n: u16| format!("r{}-{n}", reply.0);
        match heard {
            Heard::Fact(at, event) => {
                // What was told of a reply while it was made, its failure above all, was told before it
                // could end.
                while let Event::ReplyFinished { .. } = event
                    && let Ok((at, before)) = facts.try_recv()
                {
                    self.step(at, before)?;
                }
                return self.step(at, event);
            }
            Heard::Words(words) => {
                let segment = segment(words.reply, words.n);
                self.line.caption(Caption::Ours { segment, delta: words.delta });
            }
            Heard::Ended(reply, n) => {
                self.line.caption(Caption::OursEnded { segment: segment(reply, n) });
            }
        }
        Ok(())
    }

    /// The candidate's captions do not wait for the disk.
    fn caption(&mut self, transcript: &Transcript) {
        if let Some(text) = self.listen.caption(transcript) {
            let (segment, is_final) = (format!("c{}", transcript.segment), transcript.is_final);
            self.line.caption(Caption::Theirs { segment, text, is_final });
        }
    }

    fn on_line(&mut self, event: LineEvent) -> Result<(), Trouble> {
        let now = self.clock.now();
        match event {
            LineEvent::CandidateNamed(name) if self.machine.interview.is_nameless() => {
                self.step(now, Event::CandidateNamed { name })?;
                prepare_opening(&self.machine.interview, &mut self.speaker);
            }
            LineEvent::CandidateNamed(_) => {}
            LineEvent::CandidateJoined => {
                self.on_presence(Contact::candidate_came, Event::CandidateJoined)?;
            }
            LineEvent::CandidateLeft => {
                self.on_presence(Contact::candidate_left, Event::CandidateLeft)?;
            }
            LineEvent::Cut => self.on_presence(Contact::line_cut, Event::LineCut)?,
            LineEvent::Back => self.on_presence(Contact::line_back, Event::LineBack)?,
            LineEvent::Control { id, request, stage } => {
                return self.step(now, Event::Control { id, request, stage });
            }
            LineEvent::Filled { id, values } => {
                return self.step(now, Event::Filled { id, values });
            }
            LineEvent::Suggested { id, text } => {
                return self.step(now, Event::Suggested { id, text });
            }
            LineEvent::Typed { id, text } => return self.step(now, Event::Typed { id, text }),
            LineEvent::Over(why) => {
                tracing::warn!(%why, "the line was lost for good");
                self.ending.lose_line(why);
                let (id, request) = (OVER_ID.to_owned(), Request::Abandon);
                return self.step(now, Event::Control { id, request, stage: None });
            }
            LineEvent::NewTrack { expects_pre_connect } => {
                self.listen.track_started()?;
                if expects_pre_connect {
                    self.listen.expect_pre_connect(now);
                }
            }
            LineEvent::PreConnect(audio) => hear_before(&mut self.listen, now, &audio),
            LineEvent::Packet(arrived, packet) => self.listen.packet(arrived, packet),
            LineEvent::Frame(at, sound) => self.listen.frame(at, &sound),
            LineEvent::Muted => {
                self.listen.muted(now);
                if !self.machine.interview.is_muted() {
                    self.step(now, Event::Muted)?;
                }
            }
            LineEvent::Unmuted if self.machine.interview.is_muted() => {
                self.step(now, Event::Unmuted)?;
            }
            LineEvent::Unmuted => {}
        }
        Ok(())
    }

    fn on_presence(&mut self, change: fn(&mut Contact), event: Event) -> Result<(), Trouble> {
        change(&mut self.contact);
        self.mouth.connect(self.contact.exists());
        self.step(self.clock.now(), event)
    }

    /// The only sound that needs no entry.
    async fn apologise(&mut self, why: &Trouble, inbox: &mut Inbox, tts: &dyn Tts) {
        self.speaker.silence();
        if !(self.contact.exists() && why.is_ours_to_tell()) {
            return;
        }
        let spoken = async {
            let mouth = &self.mouth;
            mouth.open(APOLOGY_REPLY, 0);
            let voiced =
                crate::speak::voice(APOLOGY, tts, |sound| mouth.append(APOLOGY_REPLY, 0, sound));
            if voiced.await.is_err() {
                return;
            }
            mouth.complete(APOLOGY_REPLY, 0);
            mouth.finish(APOLOGY_REPLY);
            while let Some(heard) = inbox.heard.recv().await {
                if let Heard::Fact(_, Event::ReplyFinished { reply: APOLOGY_REPLY, .. }) = heard {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(APOLOGY_LIMIT, spoken).await;
    }
}

async fn sleep_until(clock: Clock, at: Option<SessionTime>) {
    match at {
        Some(at) => clock.sleep_until(at).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests;
