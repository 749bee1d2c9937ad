//! The interview: a state machine that never sleeps, reads a clock, draws a random number or does I/O.
//!
//! Time and facts go in through [`Interview::handle`]; orders come out of it as [`Effect`]s.
//! [`Interview::deadline`] says when, and why, it wants to be called again.
//! Read `event`, `effect` and `timer` first, then `transition`.

mod control;
pub mod dialogue;
mod effect;
mod event;
pub mod guard;
pub mod model;
mod note;
mod stage;
mod timer;
mod tools;
mod transition;
pub mod turn_taking;
pub mod understanding;

use std::{
    collections::{BTreeSet, VecDeque},
    iter,
    sync::Arc,
    time::Duration,
};

pub use control::Control;
pub use effect::{AgentState, Care, Effect, End, Notice, Say, Status, Task};
pub use event::{CallId, Epoch, Event, QuestionId, ReplyId, Request, TurnId, Words};
pub use model::{
    brief::{Brief, Length, Speaker},
    judgement::{AnswerKind, Case, Fact, FieldFound, Judgement},
    prompt::{Block, Prompt},
};
pub use note::{NotTheirs, Note, Priority, Settled, Todo};
pub use timer::Timer;
pub use tools::proposal::{Proposal, Refusal, TOOLS, Verdict};
pub use transition::Reason;
pub use turn_taking::coverage::{Hole, marked};

use dialogue::{history::History, reply::Asked};
use guard::check::{Fault, Secrets};
use model::{judgement::Judgeable, memory::Memory, prompt, rubric::Rubric};
use stage::{MILESTONES, Stage};
use turn_taking::{
    echo::Ours,
    filler::Fillers,
    floor::{Floor, Reply, Turn},
    presence::{Presence, Stop},
    voices::Voices,
};

use crate::{
    blueprint::{Blueprint, Context},
    time::SessionTime,
};

/// Effects of the same inputs are the same under the same engine only.
pub const ENGINE: u32 = 15;

/// A deadline that depends on sound waits so long at most for the sound to be processed.
const SOUND_LATE_MAX: Duration = Duration::from_millis(200);
/// Sound is so late at best, a frame and what the detector keeps for its next window: it is not waited for. Whoever begins to
/// speak in it is heard before we are.
const SOUND_STEP: Duration = Duration::from_millis(40);
/// A candidate who has not come by then is not waited for.
const NO_SHOW_AFTER: Duration = Duration::from_secs(600);
/// A model's reply that has made no sound by then is replaced.
const REPLY_STALL: Duration = Duration::from_secs(3);
/// A reply that was heard and does not go on for so long is given up.
const PLAYOUT_STALL: Duration = Duration::from_secs(20);
/// How long after a limit we interrupt in a gap, and without one (H04).
const CUT_IN_GAP_AFTER: Duration = Duration::from_secs(45);
const CUT_IN_AFTER: Duration = Duration::from_secs(55);
/// What counts as a gap.
const CUT_IN_GAP: Duration = Duration::from_millis(600);
/// A forced goodbye lasts so long at most; one that may be interrupted, so long.
const GOODBYE_LIMIT: Duration = Duration::from_secs(10);
const GOODBYE_OPEN_LIMIT: Duration = Duration::from_secs(45);
/// After the last words of an interview that is complete we listen for so long (X05).
const LAST_QUIET: Duration = Duration::from_millis(2_500);
/// A voice without a word is a noise after so long, where words are told while they are spoken (T04).
const WORDLESS_LIMIT: Duration = Duration::from_secs(10);
/// A final transcript is waited for so long after the last voice (case 30).
const FINAL_LIMIT: Duration = Duration::from_secs(2);
/// So many messages of pages and servers are remembered.
const REQUESTS_MAX: usize = 256;

/// One interview.
#[derive(Clone, Debug)]
pub struct Interview {
    plan: Arc<Blueprint>,
    context: Arc<Context>,
    /// The blueprint as its author wrote it, for as long as it is not known how the candidate is called.
    unnamed: Option<Arc<Blueprint>>,
    /// What is never said: the prompts.
    secrets: Arc<Secrets>,
    /// The clock, which a tick moves too.
    clock: SessionTime,
    /// When what is being decided happened: the event's time, or the deadline's. A tick is no fact and does
    /// not move it, or who wakes us would change what follows.
    now: SessionTime,
    heard: SessionTime,
    presence: Presence,
    phase: Phase,
    floor: Floor,
    /// Whether the candidate's voice is on, by the VAD, and when it was.
    voiced: bool,
    voices: Voices,
    recogniser: Recogniser,
    /// Their last end of voice by whose sound it is known how likely a turn ended there, and how likely, in percent.
    weighed: Option<(SessionTime, u8)>,
    /// What was heard of us lately, which may come back.
    ours: Ours,
    fillers: Fillers,
    stage: Stage,
    epoch: Epoch,
    began: SessionTime,
    interview_limit_passed: bool,
    /// Silence since the candidate's last words, or since the stage began; what counts of it.
    quiet: Duration,
    /// Stages in a row that passed without a word.
    silent_stages: u32,
    /// The last question that was heard and counts.
    question: Option<Asked>,
    /// A question of this stage that was cut off before it was heard.
    unheard: Option<String>,
    /// Those that they left out before they were heard.
    left_out: Vec<String>,
    /// A reply of ours at whose end their voice was on: what follows from it follows when that was only noise.
    ended_in_voice: Option<Reply>,
    /// One that a voice kept from its first sound, though it answered nobody: it is due still when that was only noise.
    lapsed: Option<Reply>,
    /// All of them.
    asked: Vec<Asked>,
    /// Answers that were committed.
    answered: u32,
    /// Until then they think, in the interview's own time (T03).
    hold_until: Option<SessionTime>,
    stop_question: StopQuestion,
    /// Insults, and turns in a row in another language.
    insults: u32,
    foreign: u32,
    /// Turns in which they are in distress, as the recruiter was told.
    distressed: BTreeSet<TurnId>,
    /// The turn that we answered by saying which language we speak.
    language_offered: Option<TurnId>,
    /// How the interview ends when its last stage does.
    closing_as: End,
    rubric: Rubric,
    memory: Memory,
    /// Committed turns that the judge may still say something about.
    judgeable: Vec<Judgeable>,
    /// What the model is told of its proposals, and of what it could not say.
    refusals: Vec<String>,
    last_fault: Option<Fault>,
    history: History,
    /// Replies that were hushed lately; their last sounds may still be told.
    hushed: Vec<Reply>,
    /// A turn that a stop interrupted, to be gone on with.
    carried: Option<Turn>,
    replies: u32,
    turns: u32,
    failures: u32,
    /// Whether the last reply of the model was none.
    model_is_down: bool,
    /// How often we have said goodbye, and whether one of them has begun to sound.
    goodbyes: u32,
    parted: bool,
    /// Messages that came lately and what they were answered, the oldest first.
    requests: VecDeque<(String, bool)>,
    published: Option<Status>,
    out: Vec<Effect>,
}

/// What is known of the recogniser by what it has told.
#[derive(Clone, Copy, Debug, Default)]
struct Recogniser {
    /// It tells words while they are spoken.
    has_partials: bool,
    /// It writes full stops and commas: where none is, none was meant.
    writes_marks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The candidate has not come yet.
    Lobby,
    Running,
    /// Only the last words are left.
    Leaving {
        end: End,
        until: SessionTime,
    },
    Ended,
}

/// How far the question is whether they want to end the interview (cases 19 and 40).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopQuestion {
    Absent,
    /// What leads to it sounds, or was cut off: a yes is none to it yet.
    Begun,
    /// It sounds or was heard, and waits for a yes or no.
    Asked,
}

impl Interview {
    /// An interview by `blueprint` for one candidate, who has not come yet.
    pub fn new(blueprint: &Blueprint, context: &Context) -> Self {
        let plan = blueprint.for_candidate(context);
        Self {
            secrets: Arc::new(prompt::secrets(&plan, context)),
            plan: Arc::new(plan),
            context: Arc::new(context.clone()),
            unnamed: context.is_nameless().then(|| Arc::new(blueprint.clone())),
            clock: SessionTime::ZERO,
            now: SessionTime::ZERO,
            heard: SessionTime::ZERO,
            presence: Presence::new(),
            phase: Phase::Lobby,
            floor: Floor::Open { since: SessionTime::ZERO },
            voiced: false,
            voices: Voices::default(),
            recogniser: Recogniser::default(),
            weighed: None,
            ours: Ours::default(),
            fillers: Fillers::default(),
            stage: Stage::enter(0, 0, SessionTime::ZERO),
            epoch: Epoch(0),
            began: SessionTime::ZERO,
            interview_limit_passed: false,
            quiet: Duration::ZERO,
            silent_stages: 0,
            question: None,
            unheard: None,
            left_out: Vec::new(),
            ended_in_voice: None,
            lapsed: None,
            asked: Vec::new(),
            answered: 0,
            hold_until: None,
            stop_question: StopQuestion::Absent,
            insults: 0,
            foreign: 0,
            distressed: BTreeSet::new(),
            language_offered: None,
            closing_as: End::Completed,
            rubric: Rubric::default(),
            memory: Memory::default(),
            judgeable: Vec::new(),
            refusals: Vec::new(),
            last_fault: None,
            history: History::default(),
            hushed: Vec::new(),
            carried: None,
            replies: 0,
            turns: 0,
            failures: 0,
            model_is_down: false,
            goodbyes: 0,
            parted: false,
            requests: VecDeque::new(),
            published: None,
            out: Vec::new(),
        }
    }

    /// Takes one event and returns everything that follows from it.
    ///
    /// `at` is the clock and never goes back; `heard` says how far the candidate's sound has been
    /// processed. Deadlines that are due fire first, each at its own time, so that a caller who
    /// wakes up late gets the same interview as one who wakes up on the dot.
    #[must_use]
    pub fn handle(&mut self, at: SessionTime, heard: SessionTime, event: Event) -> Vec<Effect> {
        assert!(at >= self.clock, "time went backwards: {at} after {}", self.clock);
        self.clock = at;
        self.heard = self.heard.max(heard.min(at));
        self.fire_due(at);
        if event != Event::Tick {
            self.now = at;
            self.on_event(event);
            self.publish();
            self.fire_due(at);
        }
        std::mem::take(&mut self.out)
    }

    /// When and why to call [`Self::handle`] with [`Event::Tick`], derived from the state alone.
    ///
    /// It is due at its time, or [later](Self::fires) if it waits for sound.
    pub fn deadline(&self) -> Option<(SessionTime, Timer)> {
        let since_began = |limit| SessionTime::ZERO + limit;
        match (self.phase, &self.floor) {
            (Phase::Ended, _) => None,
            (Phase::Lobby, _) => Some((since_began(NO_SHOW_AFTER), Timer::NoShow)),
            (_, Floor::Away { until, .. }) => Some((*until, Timer::Away)),
            (Phase::Running | Phase::Leaving { .. }, _) => iter::once(self.floor_deadline())
                .chain(self.limits().into_iter().flatten())
                .min()
                .map(|(own, timer)| (own + self.presence.stopped(), timer)),
        }
    }

    /// Whether the interview has ended.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// How late the sound may be at most for a deadline that depends on it.
    pub const fn sound_late_max() -> Duration {
        SOUND_LATE_MAX
    }

    /// How late the sound is at best: so much of it no deadline waits for.
    pub const fn sound_step() -> Duration {
        SOUND_STEP
    }

    /// When a deadline is due as long as the sound is processed up to `heard` only: one that
    /// [depends on sound](Timer::depends_on_sound) waits for what is later than it must be, for 200 ms at most.
    pub fn fires((due, timer): (SessionTime, Timer), heard: SessionTime) -> SessionTime {
        let waits = timer.depends_on_sound() && heard + SOUND_STEP < due;
        if waits { due + SOUND_LATE_MAX } else { due }
    }

    fn fire_due(&mut self, at: SessionTime) {
        while let Some((due, timer)) = self.deadline() {
            if at < Self::fires((due, timer), self.heard) {
                return;
            }
            self.now = due.max(self.now);
            self.on_timer(timer);
            self.publish();
            assert!(
                self.deadline() != Some((due, timer)),
                "{timer:?} fired at {due} and stays due"
            );
        }
    }

    /// Nobody waits for ever: every situation has a deadline, by its type.
    fn floor_deadline(&self) -> (SessionTime, Timer) {
        let agent = &self.plan.agents[self.stage.index];
        match &self.floor {
            Floor::Open { since } => match self.phase {
                Phase::Leaving { .. } => (self.quiet_until(*since), Timer::Silence),
                Phase::Lobby | Phase::Running | Phase::Ended => {
                    let left = self.stage.next_rung(agent).saturating_sub(self.quiet);
                    ((*since).max(self.held_until()) + left, Timer::Silence)
                }
            },
            Floor::Candidate { turn } => {
                let limit = turn.since + self.plan.turns.turn_limit;
                let said = &turn.said;
                let is_told =
                    said.is_typed() || said.is_final_up_to(turn.to + self.presence.stopped());
                let may_be_noise = self.recogniser.has_partials && (said.words() == 0 || is_told);
                let voice = self.voices.last().filter(|_| may_be_noise);
                let wordless =
                    voice.map(|(began, _)| self.own(began).max(turn.to) + WORDLESS_LIMIT);
                (wordless.map_or(limit, |wordless| limit.min(wordless)), Timer::TurnLimit)
            }
            Floor::Pause { turn, stopped } => self.pause_deadline(turn, *stopped),
            Floor::Thinking { reply, turn, since, .. } => {
                let filler = self.filler_due(reply, turn.as_ref(), *since);
                let stall = (self.stall_due(*since), Timer::ReplyStall);
                filler.map_or(stall, |due| (due, Timer::Filler))
            }
            Floor::Interviewer { held: Some(held), .. } => (held.until(), Timer::Resume),
            Floor::Interviewer { reply, progress, .. } => {
                (*progress + reply.stall_limit(), Timer::PlayoutStall)
            }
            Floor::Away { until, .. } => (*until, Timer::Away),
        }
    }

    /// The limits of stage and interview, in the interview's own time.
    fn limits(&self) -> [Option<(SessionTime, Timer)>; 5] {
        let agent = &self.plan.agents[self.stage.index];
        let stage_limit = self.stage.entered + agent.stage_limit;
        let interview_limit = self.began + self.plan.interview_limit();
        let Phase::Running = self.phase else {
            let Phase::Leaving { until, .. } = self.phase else { return [None; 5] };
            return [Some((until, Timer::Goodbye)), None, None, None, None];
        };
        let gap = if let Floor::Pause { stopped, .. } = &self.floor
            && self.stage.limit_passed
        {
            Some((stage_limit + CUT_IN_GAP_AFTER).max(*stopped + CUT_IN_GAP))
        } else {
            None
        };
        let cut_in = if self.interview_limit_passed {
            Some(interview_limit + CUT_IN_GAP_AFTER)
        } else if self.stage.limit_passed && self.floor.is_candidates() {
            Some(stage_limit + CUT_IN_AFTER)
        } else {
            None
        };
        [
            (!self.stage.limit_passed).then_some((stage_limit, Timer::StageLimit)),
            (!self.interview_limit_passed).then_some((interview_limit, Timer::InterviewLimit)),
            gap.map(|at| (at, Timer::CutInGap)),
            cut_in.map(|at| (at, Timer::CutIn)),
            self.stage.next_milestone(agent).map(|at| (at, Timer::Milestone)),
        ]
    }

    fn on_timer(&mut self, timer: Timer) {
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
                self.interview_limit_passed = true;
                self.on_limit();
            }
            Timer::CutInGap | Timer::CutIn => self.cut_in(),
            Timer::Goodbye => self.on_goodbye_limit(),
            Timer::Away => self.on_away_limit(),
            Timer::NoShow => self.hang_up(End::NoShow),
        }
    }

    fn on_event(&mut self, event: Event) {
        if self.phase == Phase::Ended {
            return;
        }
        match event {
            Event::Tick => {}
            Event::CandidateNamed { name } => self.on_named(name),
            Event::CandidateJoined => self.on_presence(|presence| presence.end(Stop::Gone)),
            Event::CandidateLeft => self.on_presence(|presence| presence.begin(Stop::Gone)),
            Event::LineCut => self.on_presence(|presence| presence.begin(Stop::LineCut)),
            Event::LineBack => self.on_presence(|presence| presence.end(Stop::LineCut)),
            Event::SpeechStarted { at } => {
                self.voices.began(at);
                self.on_speech_started(self.own(at));
            }
            Event::SpeechStopped { at } => {
                self.voices.ended(at);
                self.on_speech_stopped(self.own(at));
            }
            Event::PauseWeighed { stopped, ended_percent } => {
                self.on_weighed(stopped, ended_percent);
            }
            Event::PartialTranscript(words) => {
                self.recogniser.has_partials |= !words.text.is_empty();
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
            Event::Judged { turn, attempt, judgement } => {
                self.on_judged(turn, attempt, judgement);
            }
            Event::JudgeFailed { .. } => {}
            Event::Control { id, request, stage } => {
                self.on_control(id, request, stage.as_deref());
            }
        }
    }

    /// A part of the stage's time is over (T06).
    fn on_milestone(&mut self) {
        let percent = MILESTONES[self.stage.milestones];
        self.stage.milestones += 1;
        let stage = self.plan.agents[self.stage.index].name.clone();
        self.out.push(Effect::Note(Note::Milestone { stage, percent }));
    }

    /// The interview's own time: session time less the stops; it stands still during one. Nothing that
    /// happened is later than now.
    fn own(&self, at: SessionTime) -> SessionTime {
        let at = at.min(self.now);
        let at = if let Floor::Away { since, .. } = &self.floor { at.min(*since) } else { at };
        self.presence.without_stops(at)
    }

    fn replace_floor(&mut self, floor: Floor) -> Floor {
        std::mem::replace(&mut self.floor, floor)
    }

    /// Tells the frontends who does what, when that has changed.
    fn publish(&mut self) {
        let state = match (&self.phase, &self.floor) {
            (Phase::Ended, _) | (_, Floor::Away { .. }) => return,
            (Phase::Lobby, _) => AgentState::Initializing,
            (_, Floor::Open { .. } | Floor::Candidate { .. } | Floor::Pause { .. }) => {
                AgentState::Listening
            }
            (_, Floor::Thinking { .. }) if self.fillers.is_heard() => AgentState::Speaking,
            (_, Floor::Thinking { .. }) => AgentState::Thinking,
            (_, Floor::Interviewer { .. }) => AgentState::Speaking,
        };
        let agent = &self.plan.agents[self.stage.index];
        let status = Status {
            state,
            stage: agent.name.clone(),
            asked: self.stage.questions.min(agent.questions_max),
            asks: agent.questions_max,
        };
        if self.published.as_ref() != Some(&status) {
            self.published = Some(status.clone());
            self.out.push(Effect::Publish(Notice::Status(status)));
        }
    }
}
