//! What the entries of a journal mean, as people and counters read them: the structured log of an interview.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Entry, REDACTED, private_turn};
use crate::{
    interview::{
        AgentState, By, CallId, Effect, End, Event, Interview, Note, Notice, Proposal, Reason,
        ReplyId, Request, Say, Settled, Status, Timer, TurnId, Verdict,
    },
    time::SessionTime,
};

/// Something that happened in an interview, at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// Milliseconds since the session began.
    pub at_ms: u64,
    /// What it was.
    #[serde(flatten)]
    pub what: Happening,
}

/// What can happen. In JSON `kind` says which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Happening {
    /// An agent got the floor.
    StageEntered {
        /// The agent.
        stage: String,
    },
    /// An agent gave it away.
    StageLeft {
        /// The agent.
        stage: String,
        /// The reason of the handoff, or how the interview ended.
        why: String,
    },
    /// We decided to say something.
    PromptIssued {
        /// Which reply.
        reply: u32,
        /// `text` (from a file), or what the model has to do: `open`, `follow`, `bridge`.
        what: String,
    },
    /// Words of ours were heard.
    Spoken {
        /// In which reply.
        reply: u32,
        /// The words.
        text: String,
        /// Whether they were cut off.
        cut: bool,
        /// Whether they were a rung of the silence ladder: a reprompt, no question.
        nudge: bool,
    },
    /// A question of ours was heard.
    QuestionAsked {
        /// In whose stage.
        stage: String,
        /// Which of the stage, from 1.
        n: u32,
    },
    /// The candidate's turn was committed.
    UserTurn {
        /// Which one.
        turn: u32,
        /// To whose stage it belongs.
        stage: String,
        /// Its words.
        text: String,
        /// Whether the same turn was told before, with other words.
        amended: bool,
        /// From the candidate's last voice to our first sound, where that sound committed the turn; nothing
        /// for a turn that ended in writing.
        response_ms: Option<u64>,
        /// From the candidate's last voice to the decision that they had finished, where `response_ms` is
        /// known.
        end_of_turn_ms: Option<u64>,
        /// The same to the first words of the reply.
        first_clause_ms: Option<u64>,
    },
    /// An answer was assessed.
    AnswerAssessed {
        /// In whose stage.
        stage: String,
        /// 1 (vague) to 5 (comprehensive).
        depth: u8,
    },
    /// A deadline passed. Told where the inputs and the engine of the journal are at hand.
    TimerFired {
        /// Which one.
        timer: String,
    },
    /// The model called a tool.
    ToolInvoked {
        /// Which call.
        call: u32,
        /// The tool; `malformed` if it made no sense.
        tool: String,
        /// Whether it was accepted.
        accepted: bool,
        /// Why it was refused; empty if it was accepted.
        why: String,
    },
    /// The floor passed from one agent to the next.
    Handoff {
        /// Who had it.
        from: String,
        /// Who has it.
        to: String,
        /// Whether neither the model nor the count of questions wanted it.
        forced: bool,
        /// The reason.
        why: String,
    },
    /// Something other than the model's next words had to carry the interview on.
    Fallback {
        /// The timer that fired, or `reply_failed`.
        why: String,
    },
    /// The candidate's words stopped ours.
    BargeIn {
        /// Which reply.
        reply: u32,
    },
    /// A reply could not be made.
    ReplyFailed {
        /// Which reply.
        reply: u32,
        /// One sentence.
        why: String,
    },
    /// A button was pressed, or an operator wanted something.
    Control {
        /// What was asked for.
        request: String,
    },
    /// The candidate or our line came or went.
    Presence {
        /// `candidate_joined`, `candidate_left`, `line_cut`, `line_back`, `muted`
        /// or `unmuted`.
        what: String,
    },
    /// Something to remember: a question that counts, a field that is settled, a TODO.
    Noted {
        /// What.
        note: Note,
    },
    /// The interview ended.
    Ended {
        /// How.
        end: End,
    },
}

/// Whether the interview moved on although neither the model proposed it nor the stage's questions were used
/// up (002: forced against natural transitions).
pub fn is_forced(why: Reason) -> bool {
    why.is_forced()
}

/// Reads entry after entry.
#[derive(Clone, Debug, Default)]
pub struct Observer {
    /// The same interview, to know which deadline fired; lost if it does something else than the journal.
    interview: Option<Interview>,
    clock: SessionTime,
    stage: Option<String>,
    asked: u32,
    replies: BTreeMap<ReplyId, Reply>,
    fillers: BTreeSet<ReplyId>,
    turns: BTreeSet<TurnId>,
    /// Turns that no report shows.
    private: BTreeSet<TurnId>,
    /// To whose stage the last turn belongs.
    answered: String,
    /// The candidate's last voiced sample; nothing where they have written since.
    quiet_since: Option<SessionTime>,
    /// An assessment that counts when its turn is committed.
    depth: Option<u8>,
    told: Vec<Happened>,
}

/// A reply that is not over.
#[derive(Clone, Debug, Default)]
struct Reply {
    /// Whether it is a rung of the silence ladder.
    nudges: bool,
    sounds: bool,
    /// When it was ordered, and when its first words were there.
    ordered: Option<SessionTime>,
    worded: Option<SessionTime>,
    /// Its segments that were not heard to their end.
    ready: BTreeMap<u16, String>,
}

/// One cause, and what followed from it.
struct Step<'a> {
    at: SessionTime,
    cause: Cause<'a>,
    effects: Vec<Effect>,
    /// The reply that is a rung of the silence ladder.
    nudge: Option<ReplyId>,
}

enum Cause<'a> {
    Timer(Timer),
    Event(&'a Event),
}

impl Observer {
    /// With the interview before its first event, where it is at hand: then deadlines and nudges are told,
    /// too.
    pub fn new(interview: Option<Interview>) -> Self {
        Self { interview, ..Self::default() }
    }

    /// What the next entry means.
    pub fn see(&mut self, entry: &Entry) -> Vec<Happened> {
        for step in self.steps(entry) {
            match step.cause {
                Cause::Timer(timer) => {
                    let timer = snake(&format!("{timer:?}"));
                    self.tell(step.at, Happening::TimerFired { timer });
                }
                Cause::Event(event) => self.event(step.at, event),
            }
            self.private.extend(step.effects.iter().filter_map(private_turn));
            for effect in &step.effects {
                self.effect(&step, effect);
            }
        }
        self.clock = entry.at;
        std::mem::take(&mut self.told)
    }

    /// The entry by its causes: being woken for each deadline gives the same effects (invariant 3).
    fn steps<'a>(&mut self, entry: &'a Entry) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        self.interview.take_if(|_| entry.at < self.clock);
        if let Some(interview) = &mut self.interview {
            while let Some((due, timer)) = interview.deadline() {
                let wake = Interview::fires((due, timer), entry.heard);
                let is_answered = timer == Timer::Reading
                    && matches!(entry.event, Event::Understood { by: By::Words, .. });
                if wake > entry.at || is_answered {
                    break;
                }
                let at = wake.max(self.clock);
                self.clock = at;
                let effects = interview.handle(at, entry.heard.min(at), Event::Tick);
                let nudge = interview.nudge();
                // What waited for a reading is the event before.
                let is_reading = timer == Timer::Reading;
                let cause =
                    if is_reading { Cause::Event(&Event::Tick) } else { Cause::Timer(timer) };
                steps.push(Step { at, cause, effects, nudge });
                if interview.deadline() == Some((due, timer)) {
                    break;
                }
            }
            let effects = interview.handle(entry.at, entry.heard, entry.event.clone());
            let nudge = interview.nudge();
            steps.push(Step { at: entry.at, cause: Cause::Event(&entry.event), effects, nudge });
            if steps.iter().flat_map(|step| &step.effects).eq(&entry.effects) {
                return steps;
            }
            self.interview = None;
        }
        let effects = entry.effects.clone();
        vec![Step { at: entry.at, cause: Cause::Event(&entry.event), effects, nudge: None }]
    }

    fn event(&mut self, at: SessionTime, event: &Event) {
        let presence = |what: &str| Happening::Presence { what: what.to_owned() };
        match event {
            Event::Tick
            | Event::SpeechStarted { .. }
            | Event::PauseWeighed { .. }
            | Event::PartialTranscript(_)
            | Event::FinalTranscript(_)
            | Event::Suggested { .. }
            | Event::Judged { .. }
            | Event::JudgeFailed { .. }
            | Event::Understood { .. }
            | Event::Proposed { .. } => {}
            Event::CandidateNamed { .. } => self.tell(at, presence("candidate_named")),
            Event::CandidateJoined => self.tell(at, presence("candidate_joined")),
            Event::CandidateLeft => self.tell(at, presence("candidate_left")),
            Event::LineCut => self.tell(at, presence("line_cut")),
            Event::LineBack => self.tell(at, presence("line_back")),
            Event::Muted => self.tell(at, presence("muted")),
            Event::Unmuted => self.tell(at, presence("unmuted")),
            Event::SpeechStopped { at } => self.quiet_since = Some(*at),
            // Nobody waited since their last voice for a reply to what they wrote.
            Event::Typed { .. } | Event::Filled { .. } => self.quiet_since = None,
            Event::SegmentReady { reply, n, text } => {
                let known = self.replies.entry(*reply).or_default();
                known.worded.get_or_insert(at);
                known.ready.insert(*n, text.clone());
            }
            Event::ReplyStarted { reply } => self.replies.entry(*reply).or_default().sounds = true,
            Event::SegmentHeard { reply, n } => {
                let text = self.replies.get_mut(reply).and_then(|reply| reply.ready.remove(n));
                self.heard(at, *reply, text.unwrap_or_default(), false);
            }
            Event::ReplyFinished { reply, heard } => {
                self.heard(at, *reply, heard.clone(), true);
                self.replies.remove(reply);
            }
            Event::ReplyFailed { reply, why } => {
                let (reply, why) = (reply.0, why.clone());
                self.tell(at, Happening::ReplyFailed { reply, why });
            }
            // Nobody who decides about them gets to know that they need more time.
            Event::Control { request: Request::Pauses(_), .. } => {}
            Event::Control { request, .. } => {
                self.tell(at, Happening::Control { request: name(request) });
            }
        }
    }

    fn effect(&mut self, step: &Step<'_>, effect: &Effect) {
        let at = step.at;
        match effect {
            Effect::Speak { reply, say, .. } => self.ordered(step, *reply, say),
            Effect::Fill { reply, .. } => {
                self.fillers.insert(*reply);
            }
            // Who goes on over a filler interrupts nothing.
            Effect::Hush { reply } if self.fillers.contains(reply) => {}
            Effect::Hush { reply } => self.hushed(step, *reply),
            Effect::Answer { call, verdict } => self.decided(step, *call, verdict),
            Effect::Handoff { from, to, why, .. } => {
                let (from, to, forced) = (from.clone(), to.clone(), is_forced(*why));
                let why = name(why);
                self.tell(at, Happening::StageLeft { stage: from.clone(), why: why.clone() });
                self.tell(at, Happening::Handoff { from, to: to.clone(), forced, why });
                self.entered(at, to);
            }
            Effect::Publish(Notice::Status(status)) => self.status(at, status),
            Effect::Publish(Notice::Turn { turn, stage, text }) => {
                self.user_turn(step, *turn, stage, text);
            }
            Effect::Hangup { end } => {
                if let Some(stage) = self.stage.take() {
                    self.tell(at, Happening::StageLeft { stage, why: name(end) });
                }
                self.tell(at, Happening::Ended { end: *end });
            }
            Effect::Note(note) => self.tell(at, Happening::Noted { note: self.shown(note) }),
            Effect::Play { .. }
            | Effect::Seal { .. }
            | Effect::Pause { .. }
            | Effect::Resume { .. }
            | Effect::Judge { .. }
            | Effect::Understand { .. }
            | Effect::Listen { .. }
            | Effect::Acknowledge { .. } => {}
        }
    }

    /// A note as a report shows it: what is personal is quoted nowhere (case 39).
    fn shown(&self, note: &Note) -> Note {
        let mut note = note.clone();
        if let Note::Field { settled: Settled::Captured { quote, turn, .. }, .. } = &mut note
            && self.private.contains(turn)
        {
            REDACTED.clone_into(quote);
        }
        note
    }

    fn user_turn(&mut self, step: &Step<'_>, turn: TurnId, stage: &str, text: &str) {
        let at = step.at;
        let amended = !self.turns.insert(turn);
        let reply = match step.cause {
            Cause::Event(Event::ReplyStarted { reply }) if !amended => self.replies.get(reply),
            Cause::Event(_) | Cause::Timer(_) => None,
        };
        let waited = |until: SessionTime| {
            self.quiet_since.map(|quiet| until.as_millis() - quiet.min(until).as_millis())
        };
        let happened = Happening::UserTurn {
            turn: turn.0,
            stage: stage.to_owned(),
            text: if self.private.contains(&turn) { REDACTED } else { text }.to_owned(),
            amended,
            response_ms: reply.and_then(|_| waited(at)),
            end_of_turn_ms: reply.and_then(|reply| waited(reply.ordered?)),
            first_clause_ms: reply.and_then(|reply| waited(reply.worded?)),
        };
        self.tell(at, happened);
        stage.clone_into(&mut self.answered);
        if let Some(depth) = self.depth.take() {
            self.assessed(at, depth);
        }
    }

    fn ordered(&mut self, step: &Step<'_>, reply: ReplyId, say: &Say) {
        let what = match say {
            Say::Text(_) => "text".to_owned(),
            Say::Model { task, .. } => name(task),
        };
        let why = match &step.cause {
            Cause::Timer(Timer::Endpointing) => None,
            Cause::Timer(timer) => Some(snake(&format!("{timer:?}"))),
            Cause::Event(Event::ReplyFailed { .. }) => Some("reply_failed".to_owned()),
            Cause::Event(_) => None,
        };
        if let Some(why) = why {
            self.tell(step.at, Happening::Fallback { why });
        }
        self.tell(step.at, Happening::PromptIssued { reply: reply.0, what });
        let nudges = step.nudge == Some(reply);
        let known = Reply { nudges, ordered: Some(step.at), ..Reply::default() };
        self.replies.insert(reply, known);
    }

    fn hushed(&mut self, step: &Step<'_>, reply: ReplyId) {
        let Some(known) = self.replies.get(&reply) else { return };
        if !known.sounds {
            self.replies.remove(&reply);
            return;
        }
        let by_voice = matches!(
            step.cause,
            Cause::Event(
                Event::SpeechStarted { .. }
                    | Event::PartialTranscript(_)
                    | Event::FinalTranscript(_)
            )
        );
        if by_voice {
            self.tell(step.at, Happening::BargeIn { reply: reply.0 });
        }
    }

    fn heard(&mut self, at: SessionTime, reply: ReplyId, text: String, cut: bool) {
        if text.is_empty() {
            return;
        }
        let nudge = self.replies.get(&reply).is_some_and(|known| known.nudges);
        self.tell(at, Happening::Spoken { reply: reply.0, text, cut, nudge });
    }

    fn decided(&mut self, step: &Step<'_>, call: CallId, verdict: &Verdict) {
        let Cause::Event(Event::Proposed { proposal, reply, .. }) = &step.cause else { return };
        let (accepted, why) = match verdict {
            Verdict::Accepted | Verdict::Guided(_) => (true, String::new()),
            Verdict::Refused(refusal) => (false, refusal.to_string()),
        };
        let tool = name(proposal);
        self.tell(step.at, Happening::ToolInvoked { call: call.0, tool, accepted, why });
        if let (true, Proposal::AssessResponse { depth, .. }) = (accepted, proposal) {
            if self.replies.get(reply).is_some_and(|reply| reply.sounds) {
                self.assessed(step.at, *depth);
            } else {
                self.depth = Some(*depth);
            }
        }
    }

    fn assessed(&mut self, at: SessionTime, depth: u8) {
        let stage = self.answered.clone();
        self.tell(at, Happening::AnswerAssessed { stage, depth });
    }

    fn status(&mut self, at: SessionTime, status: &Status) {
        if self.stage.is_none() && status.state != AgentState::Initializing {
            self.entered(at, status.stage.clone());
        }
        if status.asked > self.asked {
            let (stage, n) = (status.stage.clone(), status.asked);
            self.tell(at, Happening::QuestionAsked { stage, n });
        }
        self.asked = status.asked;
        // The candidate goes on: what was thought of the turn so far is void.
        if status.state == AgentState::Listening {
            self.depth = None;
        }
    }

    fn entered(&mut self, at: SessionTime, stage: String) {
        self.asked = 0;
        self.stage = Some(stage.clone());
        self.tell(at, Happening::StageEntered { stage });
    }

    fn tell(&mut self, at: SessionTime, what: Happening) {
        self.told.push(Happened { at_ms: at.as_millis(), what });
    }
}

/// The name of a variant, as it is written in JSON.
pub fn name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(serde_json::Value::Object(fields)) => {
            fields.into_iter().next().map(|(name, _)| name).unwrap_or_default()
        }
        Ok(_) | Err(_) => String::new(),
    }
}

/// `StageLimit` as `stage_limit`.
fn snake(camel: &str) -> String {
    let mut name = String::new();
    for c in camel.chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}
