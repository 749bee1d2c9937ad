//! The brief: everything that the model gets for one reply.

use language::Intent;

use crate::interview::{
    Case, Effect, Interview, TOOLS,
    course::Phase,
    dialogue::{
        delivery::{Asking, Supply},
        history::Line,
    },
    effect::{Care, Say, Task},
    event::Event,
    ids::{ReplyId, TurnId},
    model::prompt::{Block, Prompt, Wanted, tokens},
    stage,
    turn_taking::{coverage::Hole, floor::Floor, said::Ending, turn::Turn, understood::Answer},
    understanding::{signal, words::joined},
};
use crate::{
    blueprint::{Agent, Phrase, Varied},
    scripted::{self, Judging, Leaving, Occasion, Situation},
};

/// The part of the conversation that a model gets word by word; the rest is in its memory.
const LINES_TOKENS_MAX: usize = 900;

/// Everything that a reply of the model is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    /// The prompt.
    pub prompt: Prompt,
    /// The conversation lately, oldest first; of ours only what was heard.
    pub lines: Vec<(Speaker, String)>,
    /// The names of the tools that it may call.
    pub tools: Vec<&'static str>,
    /// How much it is trusted with.
    pub care: Care,
    /// The turn that it answers, and its version, where the model may tag what that means.
    pub answers: Option<(TurnId, u32)>,
    /// The same as data, for the scripted interviewer.
    pub situation: Situation,
}

/// How many tokens the parts of a brief are, about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Length {
    /// The prompt, block by block.
    pub blocks: Vec<(Block, usize)>,
    /// The whole prompt.
    pub prompt: usize,
    /// The conversation.
    pub lines: usize,
    /// The tools as they are described to the model.
    pub tools: usize,
}

impl Length {
    /// All that the model reads.
    pub fn total(&self) -> usize {
        self.prompt + self.lines + self.tools
    }
}

impl Brief {
    /// How long it is (A05).
    pub fn length(&self) -> Length {
        let tools = TOOLS.iter().filter(|(name, _, _)| self.tools.contains(name));
        Length {
            blocks: self.prompt.blocks.iter().map(|(b, words)| (*b, tokens(words))).collect(),
            prompt: self.prompt.tokens(),
            lines: self.lines.iter().map(|(_, text)| tokens(text)).sum(),
            tools: tools.map(|(a, b, c)| tokens(a) + tokens(b) + tokens(c)).sum(),
        }
    }
}

/// The speaker of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// We did.
    Interviewer,
    /// They did.
    Candidate,
}

impl Interview {
    /// The brief for the reply that was just ordered; `None` if that reply is over or
    /// comes from a file.
    pub fn brief(&self, reply: ReplyId, say: &Say) -> Option<Brief> {
        let Say::Model { task, care } = say else { return None };
        self.task_of(reply)?;
        let answer = self.open_turn().map(|turn| turn.said.text());
        let wanted = self.wanted(*task, *care, answer.as_deref())?;
        let prompt = self.prompt(&wanted);
        let mut lines: Vec<(Speaker, String)> =
            self.known.history.lines().iter().map(Self::line).collect();
        lines.extend(answer.clone().map(|answer| (Speaker::Candidate, answer)));
        let situation = self.situation(&wanted);
        Some(Brief {
            prompt,
            lines: latest(lines),
            tools: tools(*task, *care, wanted.agent),
            care: *care,
            answers: self.answered().filter(|_| wanted.tags()),
            situation,
        })
    }

    /// What the model is told for a reply that is owed now; nothing where that has no agent.
    pub(crate) fn prompt_for(&self, task: Task, care: Care) -> Option<Prompt> {
        let answer = self.open_turn().map(|turn| turn.said.text());
        Some(self.prompt(&self.wanted(task, care, answer.as_deref())?))
    }

    fn wanted<'a>(&'a self, task: Task, care: Care, answer: Option<&'a str>) -> Option<Wanted<'a>> {
        let agent = match task {
            Task::Bridge(why) => self.agent_after(why)?,
            Task::Open | Task::Follow | Task::Rephrase | Task::Check => self.agent(),
        };
        let open = self.open_turn();
        let intent = open.map_or(Intent::ANSWER, |turn| turn.intent);
        let has_holes = !self.holes_in_last(open).is_empty();
        Some(Wanted { agent, task, care, answer, has_holes, intent })
    }

    /// The reply if the candidate had finished just now, and the brief for it: to
    /// begin it ahead. Nothing where it is not their turn, or their sentence goes on.
    pub fn foresee(&self) -> Option<(Say, Option<Brief>)> {
        let (Phase::Running, Floor::Candidate { turn } | Floor::Pause { turn, .. }) =
            (self.course.phase(), &self.floor)
        else {
            return None;
        };
        if turn.said.words() == 0 || turn.said.ending(self.script.language()) != Ending::Whole {
            return None;
        }
        let mut ahead = self.clone();
        ahead.hearing.set_voiced(false);
        ahead.end_turn();
        ahead.ordered(ahead.outbox.effects())
    }

    /// The same for the first words, before the candidate has come.
    pub fn foresee_opening(&self) -> Option<(Say, Option<Brief>)> {
        let Phase::Lobby = self.course.phase() else { return None };
        let mut ahead = self.clone();
        let effects =
            ahead.handle(self.timeline.clock(), self.timeline.heard(), Event::CandidateJoined);
        ahead.ordered(&effects)
    }

    /// The reply that sounds, if nothing more comes of it than is known by now.
    pub fn sealed(&self) -> Option<ReplyId> {
        let (Phase::Running, Floor::Interviewer { reply, .. }) = (self.course.phase(), &self.floor)
        else {
            return None;
        };
        (reply.delivery.supply == Supply::Sealed).then_some(reply.id)
    }

    /// The reply right after a sealed one, unless somebody speaks over it: the file's question in place of
    /// the model's, a bridge.
    pub fn foresee_next(&self) -> Option<(Say, Option<Brief>)> {
        let reply = self.floor.reply().filter(|reply| Some(reply.id) == self.sealed())?;
        // A question that was written after all that counts is what was cut off.
        let is_cut = |text: &String| reply.delivery.asking < Asking::Written && text.contains('?');
        let rest =
            reply.delivery.queued.iter().take_while(|(_, text)| !is_cut(text)).map(|(n, _)| *n);
        let mut ahead = self.clone();
        let mut tell = |event| ahead.handle(self.timeline.clock(), self.timeline.heard(), event);
        for n in rest {
            let _ = tell(Event::SegmentHeard { reply: reply.id, n });
        }
        let effects = tell(Event::ReplyFinished { reply: reply.id, heard: String::new() });
        ahead.ordered(&effects)
    }

    /// The reply that these effects order.
    fn ordered(&self, effects: &[Effect]) -> Option<(Say, Option<Brief>)> {
        effects.iter().rev().find_map(|effect| {
            let Effect::Speak { reply, say, .. } = effect else { return None };
            Some((say.clone(), self.brief(*reply, say)))
        })
    }

    fn situation(&self, wanted: &Wanted<'_>) -> Situation {
        let Wanted { agent, task, intent, has_holes, .. } = *wanted;
        let answer = wanted.answer.map(str::to_owned);
        let bridges = matches!(task, Task::Bridge(_));
        let answers = self.stage.counts.answers + u32::from(answer.is_some());
        let asked_for = if bridges { Vec::new() } else { self.fields_asked_for() };
        let leads = |question: &&String| {
            let of = agent.rubric.iter().find(|field| field.question == **question);
            let settled = of.is_some_and(|field| {
                self.known.rubric.settled(&field.key).is_some() || asked_for.contains(&field.key)
            });
            !settled && !self.questions.was_asked(question)
        };
        // A question that was cut off comes before any other (R06).
        let cut_off = self.questions.unheard().filter(|_| task == Task::Follow);
        let planned = self.agent_place(agent).and_then(|place| self.planned(place));
        let others: Vec<&String> = match &planned {
            Some(planned) => planned.iter().collect(),
            None => agent.questions.iter().filter(leads).collect(),
        };
        let others = others
            .into_iter()
            .filter(|other| cut_off.is_none_or(|cut_off| !other.ends_with(cut_off)));
        let questions = cut_off.into_iter().chain(others.map(String::as_str));
        let questions = questions.map(str::to_owned).collect();
        let is_acknowledged = !bridges && answer.is_none();
        // The bridge acknowledges the last words in the stage that ends.
        let is_unanswered = bridges && !self.has_answer(self.open_turn());
        let said = answer.or_else(|| self.last_answer()).filter(|_| !is_unanswered);
        let signal = said.as_deref().map_or(0.0, |said| signal::signal_of(said, has_holes).score);
        let acknowledgement = match &said {
            Some(_) if !is_acknowledged => self.acknowledgement(task, intent, signal),
            None if is_unanswered => self.left_unanswered(),
            Some(_) | None => String::new(),
        };
        let may_leave = !bridges && self.has_asked() && answers >= agent.questions_min;
        let leaving = if !may_leave || !agent.rubric.is_empty() || planned.is_some() {
            Leaving::No
        } else if agent.core_questions().any(|question| leads(&question)) {
            Leaving::IfDone
        } else {
            Leaving::IfDeep
        };
        Situation {
            occasion: self.occasion(task, agent),
            acknowledgement,
            questions,
            records: if intent.is_plain_answer() || intent == Intent::Correct {
                asked_for
            } else {
                Vec::new()
            },
            leaving,
            is_done: intent == Intent::Done,
            questions_left: match bridges {
                true => agent.questions_max,
                false => self.questions_max().saturating_sub(self.stage.counts.questions),
            },
            depth_target: agent.depth_target,
            signal,
            answer: said,
        }
    }

    /// What a task is for the scripted interviewer, in the words of its agent.
    fn occasion(&self, task: Task, agent: &Agent) -> Occasion {
        match task {
            Task::Open => Occasion::Opens(agent.bridge.clone()),
            Task::Bridge(_) => Occasion::Bridges(agent.bridge.clone()),
            Task::Rephrase => Occasion::Rephrases(self.in_other_words(self.open_turn())),
            Task::Check => Occasion::Checks,
            Task::Follow => Occasion::Follows,
        }
    }

    /// The first words of the scripted interviewer to an answer.
    pub(crate) fn acknowledgement(&self, task: Task, intent: Intent, signal: f32) -> String {
        let fitting = match intent {
            Intent::DontKnow => Some(Phrase::Unknown),
            Intent::Decline => Some(Phrase::Declined),
            Intent::Skip | Intent::SkipPart => Some(Phrase::Skip),
            Intent::Sensitive => Some(Phrase::Sensitive),
            Intent::Answer(_)
            | Intent::Unfinished
            | Intent::Hold
            | Intent::Stop
            | Intent::Repeat
            | Intent::Sound
            | Intent::Clarify
            | Intent::Done
            | Intent::Ask(_)
            | Intent::Abusive
            | Intent::Distress
            | Intent::Correct
            | Intent::Yes
            | Intent::No => None,
        };
        match (task, fitting) {
            (Task::Bridge(_), _) => self.next_wording(Varied::Handoff),
            (_, Some(phrase)) => self.phrase(phrase),
            (_, None) if scripted::is_full(signal) => self.next_wording(Varied::FullAnswer),
            (_, None) => self.next_wording(Varied::ShortAnswer),
        }
    }

    /// The wording of a list that follows the one of them that was heard last: the first one again after the
    /// last.
    pub(crate) fn next_wording(&self, varied: Varied) -> String {
        let list = self.script.plan().phrases.list(varied);
        let heard = self.known.history.lines().iter().rev().find_map(|line| match line {
            Line::Interviewer { text, .. } => {
                list.iter().position(|words| text.starts_with(words.as_str()))
            }
            Line::Candidate { .. } => None,
        });
        let next = heard.map_or(0, |heard| (heard + 1) % list.len());
        list.get(next).cloned().unwrap_or_default()
    }

    /// All that was said, by us and by them, with the answer that nobody has acknowledged yet.
    pub(crate) fn said_so_far(&self) -> Vec<String> {
        let said = self.known.history.lines().iter().map(|line| Self::line(line).1);
        said.chain(self.open_turn().map(|turn| turn.said.text())).collect()
    }

    /// The answer that nobody has acknowledged yet.
    pub(crate) fn open_turn(&self) -> Option<&Turn> {
        let Floor::Thinking { turn, .. } = &self.floor else { return None };
        turn.as_ref()
    }

    /// Where words are missing in the answer that nobody has acknowledged yet, or in the last one of the
    /// stage.
    fn holes_in_last(&self, open: Option<&Turn>) -> Vec<Hole> {
        let last = || self.known.history.turns_of(self.stage.index).next_back();
        let answer = open.map(Answer::Open).or_else(|| last().map(|(id, _)| Answer::Committed(id)));
        answer.map_or_else(Vec::new, |answer| self.holes_in(answer))
    }

    /// The answer that the owed reply is to, and its version.
    pub fn answered(&self) -> Option<(TurnId, u32)> {
        let turn = self.open_turn()?;
        Some((turn.id?, turn.patience.restarts))
    }

    fn last_answer(&self) -> Option<String> {
        self.known.history.turns_of(self.stage.index).next_back().map(|(_, said)| said)
    }

    fn line(line: &Line) -> (Speaker, String) {
        match line {
            Line::Interviewer { text, .. } => (Speaker::Interviewer, text.clone()),
            Line::Candidate { segments, typed, .. } => {
                (Speaker::Candidate, joined(segments, typed))
            }
        }
    }
}

impl Case {
    /// The same for the scripted judge.
    pub fn judging(&self) -> Judging {
        Judging {
            question: self.question.clone(),
            answer: self.answer.clone(),
            signal: signal::signal_of(&self.answer, !self.holes.is_empty()).score,
            has_holes: !self.holes.is_empty(),
            asked_for: self.asked_for.clone(),
            finds_facts: self.finds_questions,
        }
    }
}

/// The latest lines, as many as the model needs.
fn latest(lines: Vec<(Speaker, String)>) -> Vec<(Speaker, String)> {
    let mut left = LINES_TOKENS_MAX;
    let fits = |(_, text): &&(Speaker, String)| {
        let fits = tokens(text) <= left;
        left = left.saturating_sub(tokens(text));
        fits
    };
    let count = lines.iter().rev().take_while(fits).count().max(1);
    let from = lines.len().saturating_sub(count);
    lines.into_iter().skip(from).collect()
}

/// The tools that the model may call in a reply.
fn tools(task: Task, care: Care, agent: &Agent) -> Vec<&'static str> {
    let kind = stage::of(&agent.kind);
    let has_fields = !agent.rubric.is_empty() && !kind.has_agenda();
    let fits = |name: &&str| match *name {
        "record_field" | "mark_unknown" => has_fields,
        "transition_stage" => !kind.has_agenda(),
        _ => true,
    };
    let all = TOOLS.map(|(name, _, _)| name);
    match (task, care) {
        (Task::Follow, Care::Usual | Care::Cooler) => all.into_iter().filter(fits).collect(),
        (Task::Check, _) => {
            vec!["ask_question", "transition_stage", "record_field", "mark_unknown"]
        }
        (Task::Open | Task::Bridge(_) | Task::Rephrase, _) | (Task::Follow, Care::QuestionOnly) => {
            Vec::new()
        }
    }
}
