//! What the model is told for one reply.

use super::{
    Interview, TOOLS,
    effect::{Say, Task},
    event::ReplyId,
    floor::Floor,
    history::{Line, joined},
    signal,
};
use crate::{blueprint::Agent, scripted::Situation};

/// Everything that a reply of the model is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Brief {
    /// The prompt of the agent who speaks.
    pub prompt: String,
    /// The conversation so far, oldest first; of ours only what was heard.
    pub lines: Vec<(Speaker, String)>,
    /// The names of the tools that it may call.
    pub tools: Vec<&'static str>,
    /// The same as data, for the scripted interviewer.
    pub situation: Situation,
}

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// We did.
    Interviewer,
    /// They did.
    Candidate,
}

impl Interview {
    /// What the model is told for the reply that was just ordered; nothing if that reply is over or
    /// comes from a file.
    pub fn brief(&self, reply: ReplyId, say: &Say) -> Option<Brief> {
        let Say::Model(task) = say else { return None };
        self.task_of(reply)?;
        let (speaking, is_new) = match task {
            Task::Bridge(_) => (self.stage.index + 1, true),
            Task::Open | Task::Follow => (self.stage.index, false),
        };
        let agent = self.plan.agents.get(speaking)?;
        let mut lines: Vec<(Speaker, String)> =
            self.history.lines().iter().map(Self::line).collect();
        let answer = self.open_answer();
        lines.extend(answer.clone().map(|answer| (Speaker::Candidate, answer)));
        let tools = match task {
            Task::Open | Task::Bridge(_) => Vec::new(),
            Task::Follow => TOOLS.map(|(name, _, _)| name).to_vec(),
        };
        let situation = self.situation(agent, *task, is_new, answer);
        Some(Brief { prompt: agent.prompt.clone(), lines, tools, situation })
    }

    fn situation(
        &self,
        agent: &Agent,
        task: Task,
        is_new: bool,
        answer: Option<String>,
    ) -> Situation {
        let answers = self.stage.answers + u32::from(answer.is_some());
        // What the bridge acknowledges: the last thing that was said in the stage that ends.
        let said = answer.or_else(|| self.last_answer());
        Situation {
            opens: task == Task::Open,
            bridges: matches!(task, Task::Bridge(_)),
            bridge: agent.bridge.clone(),
            questions: agent.questions.iter().filter(|q| !self.was_asked(q)).cloned().collect(),
            may_leave: !is_new && answers >= agent.questions_min,
            questions_left: agent.questions_max.saturating_sub(if is_new {
                0
            } else {
                self.stage.questions
            }),
            depth_target: agent.depth_target,
            signal: said.as_deref().map_or(0.0, signal::signal_v1),
            answer: said,
        }
    }

    /// The answer that nobody has acknowledged yet.
    fn open_answer(&self) -> Option<String> {
        let Floor::Thinking { turn: Some(turn), .. } = &self.floor else { return None };
        Some(turn.said.text())
    }

    fn last_answer(&self) -> Option<String> {
        self.history.lines().iter().rev().find_map(|line| match line {
            Line::Candidate { segments, stage, .. } if *stage == self.stage.index => {
                Some(joined(segments))
            }
            Line::Candidate { .. } | Line::Interviewer { .. } => None,
        })
    }

    fn line(line: &Line) -> (Speaker, String) {
        match line {
            Line::Interviewer { text, .. } => (Speaker::Interviewer, text.clone()),
            Line::Candidate { segments, .. } => (Speaker::Candidate, joined(segments)),
        }
    }
}
