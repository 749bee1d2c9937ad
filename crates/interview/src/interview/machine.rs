//! The state machine: events in, effects out.

use std::time::Duration;

use crate::interview::{
    AgentState, By, Effect, End, Event, Note, Status, Timer,
    course::{Course, Phase},
    dialogue::{
        awaiting::Awaited,
        conduct::Conduct,
        questions::Questions,
        replies::Replies,
        turns::{Settled, Turns},
    },
    model::{health::ModelHealth, knowledge::Knowledge},
    outbox::Outbox,
    script::Script,
    stage::{MILESTONES, Outlook, Stage},
    timeline::Timeline,
    turn_taking::{floor::Floor, hearing::Hearing, presence::Stop},
};
use crate::{
    blueprint::{Agent, Blueprint, Context, Pauses, Phrase},
    time::SessionTime,
};

/// The version of the decisions: the same inputs give the same effects under the same engine only.
pub const ENGINE: u32 = 25;

/// One interview.
#[derive(Clone, Debug)]
pub struct Interview {
    pub(super) script: Script,
    pub(super) timeline: Timeline,
    pub(super) course: Course,
    pub(super) stage: Stage,
    pub(super) floor: Floor,
    pub(super) hearing: Hearing,
    pub(super) turns: Turns,
    pub(super) replies: Replies,
    pub(super) questions: Questions,
    pub(super) awaited: Awaited,
    pub(super) conduct: Conduct,
    pub(super) known: Knowledge,
    pub(super) health: ModelHealth,
    pub(super) outbox: Outbox,
}

impl Interview {
    /// An interview by `blueprint` for one candidate, who has not come yet.
    pub fn new(blueprint: &Blueprint, context: &Context) -> Self {
        let script = Script::new(blueprint, context);
        let questions = Questions::planned(Outlook::new(script.plan(), script.context()));
        Self {
            script,
            timeline: Timeline::new(),
            course: Course::new(),
            stage: Stage::enter(0, 0, SessionTime::ZERO),
            floor: Floor::Open { since: SessionTime::ZERO },
            hearing: Hearing::default(),
            turns: Turns::default(),
            replies: Replies::default(),
            questions,
            awaited: Awaited::default(),
            conduct: Conduct::default(),
            known: Knowledge::default(),
            health: ModelHealth::default(),
            outbox: Outbox::default(),
        }
    }

    /// The same for a candidate who may pause for so long (C01).
    #[must_use]
    pub fn with_pauses(mut self, pauses: Pauses) -> Self {
        self.script.set_pauses(pauses);
        self
    }

    /// Takes one event and returns everything that follows from it.
    ///
    /// `at` is the clock and never goes back; `heard` says how far the candidate's sound has been
    /// processed. Deadlines that are due fire first, each at its own time, so that a caller who
    /// wakes up late gets the same interview as one who wakes up on the dot.
    #[must_use]
    pub fn handle(&mut self, at: SessionTime, heard: SessionTime, event: Event) -> Vec<Effect> {
        self.settle_reading(&event);
        self.timeline.tick(at, heard);
        self.fire_due(at);
        if !matches!(event, Event::Tick | Event::Understood { by: By::Words, .. }) {
            self.timeline.happens(at);
            self.end_standstill();
            self.on_event(event);
            self.begin_standstill();
            self.read();
            if self.unread().is_none() {
                self.publish();
                self.fire_due(at);
            }
        }
        self.outbox.take()
    }

    /// Whether the interview has ended.
    pub fn is_over(&self) -> bool {
        self.course.phase() == Phase::Ended
    }

    /// Goes on with an event that has waited for what its words mean: that is known now, or never.
    fn settle_reading(&mut self, event: &Event) {
        let mut answer = None;
        if let Event::Understood { turn, attempt, intent, by: By::Words } = event {
            answer = Some((*turn, *attempt, *intent));
        }
        let Some(settled) = self.turns.settle_reading(answer) else { return };
        match settled {
            Settled::TurnEnds => self.end_turn(),
            Settled::TurnIsOpen => self.hear_of_stop(),
        }
        self.begin_standstill();
        self.publish();
        self.fire_due(self.timeline.clock());
    }

    fn fire_due(&mut self, at: SessionTime) {
        while let Some((due, timer)) = self.deadline() {
            if at < Self::fires((due, timer), self.timeline.heard()) {
                return;
            }
            self.timeline.happens(due);
            self.end_standstill();
            self.on_timer(timer);
            self.begin_standstill();
            self.publish();
            assert!(
                self.deadline() != Some((due, timer)),
                "{timer:?} fired at {due} and stays due"
            );
        }
    }

    fn on_timer(&mut self, timer: Timer) {
        self.drop_forecast();
        match timer {
            Timer::Endpointing => self.end_turn(),
            Timer::SoftPrompt => self.soft_prompt(),
            Timer::Milestone => self.on_milestone(),
            Timer::TurnLimit => self.pick_up(),
            Timer::Silence => self.on_silence(),
            Timer::Resume => self.resume_sound(),
            Timer::Filler => self.fill(),
            Timer::ReplyStall => self.on_reply_stall(),
            Timer::PlayoutStall => self.on_playout_stall(),
            Timer::StageLimit => {
                self.stage.limit_passed = true;
                self.on_limit();
            }
            Timer::InterviewLimit => {
                self.course.pass_limit();
                self.on_limit();
            }
            Timer::CutInGap | Timer::CutIn => self.cut_in(),
            Timer::Goodbye => self.on_goodbye_limit(),
            Timer::Away => self.on_away_limit(),
            // Its time alone has settled it.
            Timer::Reading | Timer::Muted => {}
            Timer::NoShow => self.hang_up(End::NoShow),
        }
    }

    fn on_event(&mut self, event: Event) {
        if self.course.phase() == Phase::Ended {
            return;
        }
        self.drop_forecast();
        match event {
            Event::Tick => {}
            Event::CandidateNamed { name } => self.on_named(name),
            Event::CandidateJoined => self.on_presence(|presence| presence.end(Stop::Gone)),
            Event::CandidateLeft => {
                // Who comes back says anew whether they are muted.
                self.hearing.muted.end();
                self.on_presence(|presence| presence.begin(Stop::Gone));
            }
            Event::Muted => self.hearing.muted.begin(self.own_now()),
            Event::Unmuted => self.hearing.muted.end(),
            Event::LineCut => self.on_presence(|presence| presence.begin(Stop::LineCut)),
            Event::LineBack => self.on_presence(|presence| presence.end(Stop::LineCut)),
            Event::SpeechStarted { at } => {
                self.hearing.voices.began(at);
                self.on_speech_started(self.own(at));
            }
            Event::SpeechStopped { at } => {
                self.hearing.voices.ended(at);
                self.on_speech_stopped(self.own(at));
            }
            Event::PauseWeighed { stopped, ended_percent } => {
                self.hearing.score(stopped, ended_percent);
            }
            Event::PartialTranscript(words) => {
                self.hearing.recogniser.has_partials |= !words.text.is_empty();
                self.on_words(&words, false);
            }
            Event::FinalTranscript(words) => self.on_words(&words, true),
            Event::SegmentReady { reply, n, text } => self.on_segment_ready(reply, n, text),
            Event::ReplyStarted { reply } => self.on_reply_started(reply),
            Event::SegmentHeard { reply, n } => self.on_segment_heard(reply, n),
            Event::ReplyFinished { reply, heard } => self.on_reply_finished(reply, &heard),
            Event::ReplyFailed { reply, .. } => self.on_failure_told(reply),
            Event::Proposed { reply, epoch, call, proposal } => {
                self.on_proposed(reply, epoch, call, proposal);
            }
            Event::Typed { id, text } => self.on_typed(id, &text),
            Event::Filled { id, values } => self.on_filled(id, &values),
            Event::Suggested { id, text } => self.on_suggested(id, &text),
            Event::Judged { turn, attempt, judgement } => {
                self.on_judged(turn, attempt, judgement);
            }
            Event::Understood { turn, attempt, intent, by: By::Model } => {
                self.on_tagged((turn, attempt), intent);
            }
            Event::JudgeFailed { .. } | Event::Understood { by: By::Words, .. } => {}
            Event::Control { id, request, stage } => {
                self.on_control(id, request, stage.as_deref());
            }
        }
    }

    /// Notes that a part of the stage's time has passed (T06).
    fn on_milestone(&mut self) {
        let percent = MILESTONES[self.stage.milestones];
        self.stage.milestones += 1;
        let stage = self.agent().name.clone();
        self.outbox.push(Effect::Note(Note::Milestone { stage, percent }));
    }

    /// The interview's own time: session time less the stops; it stands still during one. Nothing that
    /// happened is later than now.
    pub(super) fn own(&self, at: SessionTime) -> SessionTime {
        let at = at.min(self.timeline.now());
        let at = if let Floor::Away { since, .. } = &self.floor { at.min(*since) } else { at };
        self.timeline.presence().without_stops(at)
    }

    /// The interview's own time now.
    pub(super) fn own_now(&self) -> SessionTime {
        self.own(self.timeline.now())
    }

    pub(super) fn replace_floor(&mut self, floor: Floor) -> Floor {
        std::mem::replace(&mut self.floor, floor)
    }

    /// A phrase of the blueprint.
    pub(super) fn phrase(&self, phrase: Phrase) -> String {
        self.script.plan().phrases.say(phrase).to_owned()
    }

    /// The agent of the current stage.
    pub(super) fn agent(&self) -> &Agent {
        &self.script.plan().agents[self.stage.index]
    }

    /// How much of its own time has passed, without the stops.
    pub fn elapsed(&self) -> Duration {
        match self.course.phase() {
            Phase::Lobby => Duration::ZERO,
            Phase::Running | Phase::Leaving { .. } | Phase::Ended => {
                self.own_now().since(self.course.began())
            }
        }
    }

    /// The question on the candidate's screen: nudges and what was cut off before it was heard are none.
    fn current_question(&self) -> Option<String> {
        match self.course.phase() {
            Phase::Running | Phase::Leaving { .. } => {
                self.questions.last().map(|asked| asked.text.clone())
            }
            Phase::Lobby | Phase::Ended => None,
        }
    }

    /// Publishes the status, if it has changed.
    fn publish(&mut self) {
        let state = match (&self.course.phase(), &self.floor) {
            (Phase::Ended, _) | (_, Floor::Away { .. }) => return,
            (Phase::Lobby, _) => AgentState::Initializing,
            (_, Floor::Open { .. } | Floor::Candidate { .. } | Floor::Pause { .. }) => {
                AgentState::Listening
            }
            (_, Floor::Thinking { .. }) if self.replies.fillers.is_heard() => AgentState::Speaking,
            (_, Floor::Thinking { .. }) => AgentState::Thinking,
            (_, Floor::Interviewer { .. }) => AgentState::Speaking,
        };
        let agent = self.agent();
        let status = Status {
            state,
            stage: agent.name.clone(),
            asked: self.stage.counts.questions.min(self.questions_max()),
            asks: self.questions_max(),
            phase: self.agenda_phase(),
            paused: self.timeline.presence().is(Stop::Paused),
            question: self.current_question(),
            has_other_words: self.other_words().is_some(),
            thinking_s: self.thinking_time().map(|given| given.as_secs()),
        };
        self.outbox.publish(status);
    }
}
