//! The world's loop: what is due next happens to the interview, and what it orders happens to the world.

mod echo;
mod foresight;
mod hearing;
mod queue;
mod room;

use std::time::Duration;

use language::{Intent, Quality};

use super::{
    Config, Outcome, Plan,
    candidate::{Candidate, Phrase},
    check::Checks,
    faults::{Faults, Hearing, Mind, Network, Temper, Voice},
    mouth::{Mouth, Told},
    rng::{Rng, before},
    sabotage::Sabotage,
};
use echo::Recogniser;
use queue::{Act, Item, Queue};
use room::{Contact, Room};

use crate::{
    blueprint::Pauses,
    interview::{
        Brief, By, CallId, Effect, Epoch, Event, Interview, Judgement, Proposal, ReplyId, Request,
        Say, TurnId,
    },
    journal::Entry,
    scripted::{self, Move},
    time::SessionTime,
};

/// More than any interview needs.
const STEPS_MAX: usize = 60_000;

pub(super) struct World<'a> {
    setting: Setting<'a>,
    rng: Rng,
    interview: Interview,
    candidate: Candidate,
    mouth: Mouth,
    room: Room,
    recogniser: Recogniser,
    journal: Journal,
    now: SessionTime,
    queue: Queue,
    next: foresight::Next,
    /// The number of tool calls.
    calls: u32,
}

/// What is settled before anything happens.
struct Setting<'a> {
    config: &'a Config,
    plan: &'a Plan,
    faults: Faults,
}

/// What has happened, and the checks that see it as it is written.
struct Journal {
    checks: Checks,
    entries: Vec<Entry>,
}

impl<'a> World<'a> {
    pub(super) fn new(config: &'a Config, plan: &'a Plan) -> Self {
        let mut rng = Rng::new(config.seed);
        let drawn = Faults::draw(&mut rng);
        let faults = config.faults.unwrap_or(config.fixed.over(drawn));
        let lag = match faults.hearing {
            Hearing::LateSound => rng.ms(150, 600),
            Hearing::Good
            | Hearing::LateFinals
            | Hearing::LostFinals
            | Hearing::NoPartials
            | Hearing::Echo
            | Hearing::MakesUp
            | Hearing::TellsTurns
            | Hearing::LosesWords => rng.ms(0, 150),
        };
        let report = rng.ms(0, 20);
        Self {
            setting: Setting { config, plan, faults },
            rng,
            interview: plan.fresh.clone(),
            candidate: Candidate::new(faults.temper),
            mouth: Mouth::default(),
            room: Room::new(report),
            recogniser: Recogniser::new(lag),
            journal: Journal { checks: Checks::new(plan, faults), entries: Vec::new() },
            now: SessionTime::ZERO,
            queue: Queue::default(),
            next: None,
            calls: 0,
        }
    }

    pub(super) fn run(mut self) -> Outcome {
        self.set_up();
        while !self.interview.is_over() && self.journal.entries.len() < STEPS_MAX {
            let next = self.queue.next();
            let wake = self.interview.deadline().map(|(due, timer)| {
                let behind = self.recogniser.lag().saturating_sub(Interview::sound_step());
                let behind = behind.min(Interview::sound_late_max());
                if timer.depends_on_sound() { due + behind } else { due }
            });
            match (next, wake) {
                (Some(next), wake) if wake.is_none_or(|wake| next <= wake) => self.happen(),
                (_, Some(wake)) => {
                    self.now = self.now.max(wake);
                    self.step(Event::Tick);
                }
                (_, None) => break,
            }
        }
        self.mouth.cut(self.now);
        if self.setting.config.sabotage == Some(Sabotage::LateEnd) {
            self.now += Duration::from_secs(3_600);
            let end = crate::interview::End::Completed;
            self.write(Event::Tick, vec![Effect::Hangup { end }]);
        }
        let Journal { checks, entries } = self.journal;
        checks.finish(self.setting.plan, &entries, &self.mouth.pulled).outcome(entries)
    }

    fn set_up(&mut self) {
        if self.setting.faults.network != Network::NoShow {
            let joins = self.rng.ms(50, 5_000);
            self.after(joins, Item::Do(Act::Joins));
        }
        let mut at = Duration::ZERO;
        for _ in 0..3 {
            at += self.rng.ms(8_000, 120_000);
            let (gap, cut, back) = match self.setting.faults.network {
                Network::Good | Network::NoShow => continue,
                Network::Flaky => (self.rng.ms(100, 3_000), Act::LineCut, Act::LineBack),
                Network::Cuts => (self.rng.ms(1_000, 130_000), Act::LineCut, Act::LineBack),
                Network::Leaves => (self.rng.ms(200, 125_000), Act::Leaves, Act::Joins),
            };
            self.after(at, Item::Do(cut));
            at += gap;
            self.after(at, Item::Do(back));
        }
        if self.setting.faults.temper == Temper::Noisy {
            self.after(Duration::from_secs(4), Item::Do(Act::Coughs));
        }
        if self.setting.faults.hearing == Hearing::MakesUp {
            self.after(Duration::from_secs(6), Item::Do(Act::MakesUp));
        }
        let buttons = [
            (5, Request::End),
            (1, Request::Terminate),
            (4, Request::Repeat),
            (4, Request::Rephrase),
            (4, Request::MoreTime),
            (6, Request::Skip),
            (4, Request::Pause),
            (4, Request::MutedSpeech),
            (4, Request::Typing),
        ];
        for (percent, request) in buttons {
            if self.rng.percent(percent) {
                let at = self.rng.ms(1_000, 400_000);
                for again in 0..2 {
                    let event = Event::Control { id: format!("{request:?}"), request, stage: None };
                    self.after(at + Duration::from_millis(again * 70), Item::Fact(event));
                }
                if request == Request::Pause {
                    let lasts = self.rng.ms(500, 400_000);
                    let id = "resume".to_owned();
                    let event = Event::Control { id, request: Request::Resume, stage: None };
                    self.after(at + lasts, Item::Fact(event));
                }
            }
        }
        self.choose_pauses();
        if self.rng.percent(8) {
            let (at, lasts) = (self.rng.ms(1_000, 300_000), self.rng.ms(500, 200_000));
            self.after(at, Item::Fact(Event::Muted));
            self.after(at + lasts, Item::Fact(Event::Unmuted));
        }
        if self.rng.percent(10) {
            let at = self.rng.ms(3_000, 300_000);
            for again in 0..2 {
                let (id, text) = ("typed".to_owned(), "I typed the word ledger here".to_owned());
                let event = Event::Typed { id, text };
                self.after(at + Duration::from_millis(again * 40), Item::Fact(event));
            }
            let values = [("name", "Ada Lovelace"), ("email", "ada@example"), ("email2", "x")];
            let values = values.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
            let event = Event::Filled { id: "form".to_owned(), values };
            self.after(at + Duration::from_millis(900), Item::Fact(event));
        }
    }

    /// Some candidates may pause for longer, from the start or from some time on. Drawn apart: nothing else
    /// that is drawn changes with it.
    fn choose_pauses(&mut self) {
        let mut rng = Rng::new(self.setting.config.seed.rotate_left(16) ^ 0x70_61_75_73);
        if !rng.percent(25) {
            return;
        }
        let mut at = if rng.percent(50) { Duration::ZERO } else { rng.ms(1_000, 300_000) };
        for n in 0..=rng.below(2) {
            let request = Request::Pauses(*rng.pick(&Pauses::ALL));
            let event = Event::Control { id: format!("pauses-{n}"), request, stage: None };
            self.after(at, Item::Fact(event));
            at += rng.ms(500, 200_000);
        }
    }

    fn happen(&mut self) {
        let Some((at, item)) = self.queue.pop() else { return };
        self.now = self.now.max(at);
        match item {
            Item::Fact(event) => self.step(event),
            Item::Sound { of, mut event } => {
                self.number(&mut event);
                if !self.room.has_lost(of) {
                    self.step(event);
                }
            }
            Item::Do(act) => self.act(act),
        }
    }

    /// Something happens to the interview.
    fn step(&mut self, mut event: Event) {
        if let Some(sabotage) = self.setting.config.sabotage {
            sabotage.spoken(&mut event);
        }
        self.journal.checks.truth(&event);
        self.recogniser.told(&event);
        if let Some(sabotage) = self.setting.config.sabotage {
            sabotage.event(&mut event);
        }
        let foreseen = self.foresee(&event);
        let heard = before(self.now, self.recogniser.lag());
        let mut effects = self.interview.handle(self.now, heard, event.clone());
        if let Some(sabotage) = self.setting.config.sabotage {
            sabotage.effects(&event, &mut effects);
        }
        self.check_foresight(foreseen, &effects);
        self.foresee_next(&event);
        self.write(event, effects.clone());
        for effect in effects {
            self.apply(effect);
        }
        self.pull();
        if let Some(understood) = self.understood() {
            self.step(understood);
        }
    }

    /// What somebody who understands words would make of the last ones: now and then the wrong thing. Mostly
    /// nobody does.
    fn understood(&self) -> Option<Event> {
        let wanted = self.journal.entries.last()?.effects.iter().find_map(|effect| {
            let Effect::Understand { turn, attempt } = effect else { return None };
            Some((*turn, *attempt))
        });
        let (turn, attempt) = wanted.filter(|_| self.interview.unread().is_some())?;
        // Drawn apart: what is understood changes nothing else that is drawn.
        let n = self.journal.entries.len() as u64;
        let mut rng = Rng::new(self.setting.config.seed.rotate_left(32) ^ n);
        let intent = match rng.below(24) {
            0 => *rng.pick(&Intent::ALL),
            1..=6 => Intent::ANSWER,
            _ => return None,
        };
        Some(Event::Understood { turn, attempt, intent, by: By::Words })
    }

    fn write(&mut self, event: Event, effects: Vec<Effect>) {
        let n = self.journal.entries.len() as u64 + 1;
        let heard = before(self.now, self.recogniser.lag());
        let entry = Entry { n, at: self.now, heard, event, effects };
        self.journal.checks.step(&entry);
        self.journal.entries.push(entry);
    }

    fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Speak { reply, epoch, say, .. } => {
                self.mouth.order(reply);
                match &say {
                    Say::Text(words) => {
                        let words = words.clone();
                        let at = self.say_all(reply, Duration::from_millis(5), &words);
                        self.after(at, Item::Do(Act::Completes(reply)));
                    }
                    Say::Model { .. } => match self.interview.brief(reply, &say) {
                        Some(brief) => self.think(reply, epoch, &brief),
                        None => self.after(Duration::from_millis(5), Item::Do(Act::Fails(reply))),
                    },
                }
            }
            Effect::Fill { reply, text } => {
                self.mouth.order(reply);
                let at = self.say_all(reply, Duration::from_millis(5), &text);
                self.after(at, Item::Do(Act::Completes(reply)));
            }
            Effect::Play { reply, n } => self.mouth.open_gate(reply, n),
            Effect::Hush { reply } => {
                let told = self.mouth.hush(reply, self.now);
                self.tell(told);
            }
            Effect::Pause { reply } => self.mouth.pause(reply, self.now),
            Effect::Resume { reply } => self.mouth.resume(reply),
            Effect::Seal { reply, n } => {
                let told = self.mouth.seal(reply, n);
                self.tell(told);
            }
            Effect::Judge { turn, attempt } => self.judge(turn, attempt),
            // `Self::understood` answers it.
            Effect::Understand { .. } => {}
            Effect::Answer { .. }
            | Effect::Acknowledge { .. }
            | Effect::Handoff { .. }
            | Effect::Listen { .. }
            | Effect::Note(_)
            | Effect::Publish(_)
            | Effect::Hangup { .. } => {}
        }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Joins => {
                let contact = self.room.set_here(true, self.now);
                self.connect(contact, Event::CandidateJoined);
            }
            Act::Leaves => {
                let contact = self.room.set_here(false, self.now);
                self.connect(contact, Event::CandidateLeft);
            }
            Act::LineCut => {
                let contact = self.room.set_up(false, self.now);
                self.connect(contact, Event::LineCut);
            }
            Act::LineBack => {
                let contact = self.room.set_up(true, self.now);
                self.connect(contact, Event::LineBack);
            }
            Act::Coughs => {
                let phrases = self.candidate.coughs(self.now, &mut self.rng);
                self.utter(phrases);
                let next = self.rng.ms(2_000, 25_000);
                self.after(next, Item::Do(Act::Coughs));
            }
            Act::Echoes(echo) => self.echoes(*echo),
            Act::MakesUp => self.makes_up(),
            Act::SoundReady(reply, n) => {
                self.mouth.has_sound(reply, n);
                self.pull();
            }
            Act::SegmentEnds(token) => {
                let told = self.mouth.end(token, self.now);
                self.tell(told);
                self.pull();
            }
            Act::Says(reply, text) => self.say(reply, &text),
            Act::Calls(reply, epoch, proposal) => {
                if !self.mouth.is_over(reply) || self.setting.faults.mind == Mind::Stale {
                    self.calls += 1;
                    self.step(Event::Proposed { reply, epoch, call: CallId(self.calls), proposal });
                }
            }
            Act::Completes(reply) => {
                let (is_empty, told) = self.mouth.complete(reply);
                self.tell(told);
                if is_empty && self.setting.faults.mind != Mind::Mute {
                    self.act(Act::Fails(reply));
                }
            }
            Act::Fails(reply) => {
                if !self.mouth.is_over(reply) && !self.mouth.is_sealed(reply) {
                    self.step(Event::ReplyFailed { reply, why: "simulated".into() });
                    let told = self.mouth.break_off(reply);
                    self.tell(told);
                    self.pull();
                }
            }
        }
    }

    /// Somebody comes or goes.
    fn connect(&mut self, contact: Contact, event: Event) {
        match contact {
            Contact::Same => {}
            Contact::Lost => {
                self.mouth.rewind(self.now);
                if self.recogniser.is_voice_told() {
                    let stopped = Event::SpeechStopped { at: self.now };
                    let late = self.recogniser.lag() + Duration::from_millis(1);
                    self.after(late, Item::Fact(stopped));
                }
            }
            Contact::Back => {
                if self.recogniser.is_spoken_to(self.now) {
                    let event = Event::SpeechStarted { at: self.now };
                    self.after(self.recogniser.lag(), Item::Sound { of: self.now, event });
                }
            }
        }
        self.step(event);
    }

    /// Sound is pulled, if there is any and somebody to hear it.
    fn pull(&mut self) {
        if !self.room.is_connected() {
            return;
        }
        if let Some((end, token, told)) = self.mouth.go_on(self.now) {
            let stalls = self.setting.faults.voice == Voice::Stalls && self.rng.percent(12);
            if !stalls {
                self.at(end, Item::Do(Act::SegmentEnds(token)));
            }
            self.may_echo(token);
            if let Some(told) = told {
                self.tell(vec![told]);
                let phrases = self.candidate.hears_us_begin(self.now, &mut self.rng);
                self.utter(phrases);
            }
        }
    }

    fn tell(&mut self, told: Vec<Told>) {
        for told in told {
            let event = match told {
                Told::Started(reply) => Event::ReplyStarted { reply },
                Told::Heard(reply, n) => Event::SegmentHeard { reply, n },
                Told::Finished(reply, heard) => {
                    let phrases = self.candidate.hears_us_end(self.now, &mut self.rng);
                    self.utter(phrases);
                    Event::ReplyFinished { reply, heard }
                }
            };
            self.after(self.room.report(), Item::Fact(event));
        }
    }

    /// The candidate will have said this; the recogniser makes of it what it can.
    fn utter(&mut self, phrases: Vec<Phrase>) {
        for phrase in phrases {
            self.recognise(&phrase);
            self.recogniser.hear(phrase);
        }
    }

    /// The judge looks at an answer; now and then it is lost.
    fn judge(&mut self, turn: TurnId, attempt: u32) {
        let Some(case) = self.interview.case(turn) else { return };
        let event = match self.rng.below(20) {
            0 => return,
            1 => Event::JudgeFailed { turn, attempt, why: "simulated".into() },
            _ => match Judgement::parse(&scripted::judge(&case.judging())) {
                Ok(judgement) => Event::Judged { turn, attempt, judgement },
                Err(why) => Event::JudgeFailed { turn, attempt, why },
            },
        };
        let late = self.rng.ms(100, 8_000);
        self.after(late, Item::Fact(event));
    }

    /// The model makes a reply of its brief.
    fn think(&mut self, reply: ReplyId, epoch: Epoch, brief: &Brief) {
        self.journal.checks.briefed(reply, brief);
        let mut at = self.rng.ms(100, 900);
        match self.setting.faults.mind {
            Mind::Mute => return self.after(at, Item::Do(Act::Completes(reply))),
            Mind::Slow => at += Duration::from_secs(20),
            Mind::Fails if self.rng.percent(60) => {
                let fails = self.rng.ms(50, 2_500);
                self.after(fails, Item::Do(Act::Fails(reply)));
            }
            Mind::Good
            | Mind::Obedient
            | Mind::Lies
            | Mind::Garbage
            | Mind::NoTools
            | Mind::AllTools
            | Mind::Loops
            | Mind::UnknownTools
            | Mind::Stale
            | Mind::Fails => {}
        }
        self.tag(at, brief);
        for step in self.moves(brief) {
            match step {
                Move::Say(text) => at = self.say_all(reply, at, &text),
                Move::Call { name, arguments } => {
                    let late = if self.setting.faults.mind == Mind::Stale && self.rng.percent(50) {
                        self.rng.ms(0, 15_000)
                    } else {
                        Duration::ZERO
                    };
                    let call = Act::Calls(reply, epoch, Proposal::parse(name, &arguments));
                    self.after(at + late, Item::Do(call));
                }
            }
            at += self.rng.ms(0, 120);
        }
        self.after(at, Item::Do(Act::Completes(reply)));
    }

    /// The model tags what the answer means: mostly rightly, now and then wrongly or too late, often not.
    fn tag(&mut self, at: Duration, brief: &Brief) {
        let Some((turn, attempt)) = brief.answers else { return };
        // Drawn apart, as what is understood by words.
        let n = self.journal.entries.len() as u64;
        let mut rng = Rng::new(self.setting.config.seed.rotate_left(16) ^ n);
        let intent = match rng.below(12) {
            0..=1 => *rng.pick(&Intent::ALL),
            2 => *rng.pick(&Intent::RATED),
            3..=5 => Intent::Answer(Quality::Full),
            _ => return,
        };
        let late = if rng.percent(20) { rng.ms(0, 3_000) } else { Duration::ZERO };
        let tagged = Event::Understood { turn, attempt, intent, by: By::Model };
        self.after(at + late, Item::Fact(tagged));
    }

    fn moves(&mut self, brief: &Brief) -> Vec<Move> {
        let good = scripted::interviewer(&brief.situation);
        let said = |moves: &[Move]| {
            let said = moves.iter().find(|step| matches!(step, Move::Say(_))).cloned();
            said.unwrap_or_else(|| Move::Say("I see. Please tell me more?".to_owned()))
        };
        let call = |name, arguments: &str| Move::Call { name, arguments: arguments.to_owned() };
        match self.setting.faults.mind {
            Mind::Good | Mind::Stale | Mind::Slow | Mind::Fails | Mind::Mute => good,
            Mind::Obedient => self.obedient(brief, said(&good)),
            Mind::Lies => vec![
                Move::Say("Goodbye, and thank you for your time today.".to_owned()),
                Move::Say("Let us move on to the next section. And then? What else?".to_owned()),
                said(&good),
            ],
            Mind::Garbage => vec![
                Move::Say("\u{fffd}\u{200b}?? ?! <|im_end|> \u{1f600}?".to_owned()),
                call("", "\u{0}"),
                call("assess_response", "[[[[["),
            ],
            Mind::NoTools => vec![said(&good)],
            Mind::AllTools => {
                let mut all = vec![
                    call("assess_response", r#"{"depth":5}"#),
                    call("transition_stage", "{}"),
                    call("end_interview", "{}"),
                    call("ask_question", r#"{"question":"And now?"}"#),
                    said(&good),
                ];
                let from = self.rng.below(all.len() as u64) as usize;
                all.rotate_left(from);
                [all.clone(), all].concat()
            }
            Mind::Loops => {
                let mut all = Vec::new();
                for n in 0..80 {
                    let off_topic = r#"{"depth":2,"answer_kind":"off_topic"}"#;
                    all.push(call("assess_response", off_topic));
                    all.push(call("note_followup", r#"{"text":"and more"}"#));
                    let value = format!(r#"{{"key":"strength","value":"{n}","quote":"the"}}"#);
                    all.push(call("record_field", &value));
                }
                all.push(said(&good));
                all
            }
            Mind::UnknownTools => {
                vec![call("hire", "{}"), call("assess_response", "{\"depth\":"), said(&good)]
            }
        }
    }

    /// What an injection could make of a model: everything that it may not do, before and after what it
    /// should.
    fn obedient(&mut self, brief: &Brief, said: Move) -> Vec<Move> {
        let call = |name, arguments: &str| Move::Call { name, arguments: arguments.to_owned() };
        let prompt = brief.prompt.text();
        let from = prompt.floor_char_boundary(self.rng.below(prompt.len() as u64) as usize);
        let leak = prompt[from..].chars().take(200).collect::<String>().replace('\n', " ");
        let mut all = vec![
            call("end_interview", "{}"),
            call(
                "record_field",
                r#"{"key":"years","value":"20","quote":"twenty years of experience in it"}"#,
            ),
            call("assess_response", r#"{"depth":55}"#),
            call("transition_stage", "{}"),
            Move::Say(leak),
            said,
        ];
        let first = self.rng.below(all.len() as u64) as usize;
        all.rotate_left(first);
        all
    }

    /// Says a text segment by segment, from `at` on; when the last one is ready.
    fn say_all(&mut self, reply: ReplyId, mut at: Duration, text: &str) -> Duration {
        for segment in text.split_inclusive(['.', '?', '!', ':']) {
            if !segment.trim().is_empty() {
                self.after(at, Item::Do(Act::Says(reply, segment.trim().to_owned())));
                at += self.rng.ms(0, 60);
            }
        }
        at
    }

    /// A segment's text is known, and its sound is being made.
    fn say(&mut self, reply: ReplyId, text: &str) {
        if self.mouth.is_over(reply) || self.mouth.is_sealed(reply) {
            return;
        }
        let n = self.mouth.segment(reply, text);
        let made = match self.setting.faults.voice {
            Voice::Good | Voice::Stalls => self.rng.ms(30, 450),
            Voice::Slow => self.rng.ms(300, 5_000),
            Voice::Fails if self.rng.percent(75) => self.rng.ms(30, 450),
            Voice::Fails | Voice::Dead => {
                let fails = self.rng.ms(10, 900);
                self.after(fails, Item::Do(Act::Fails(reply)));
                Duration::from_secs(30)
            }
        };
        self.after(made, Item::Do(Act::SoundReady(reply, n)));
        self.step(Event::SegmentReady { reply, n, text: text.to_owned() });
    }

    fn after(&mut self, wait: Duration, item: Item) {
        self.at(self.now + wait, item);
    }

    fn at(&mut self, at: SessionTime, item: Item) {
        self.queue.add(at, item);
    }
}
