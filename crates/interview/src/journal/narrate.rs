//! A journal as people read it.

use std::fmt;

use super::{
    Entry,
    observe::{Happened, Happening, Observer},
};
use crate::interview::{Effect, Interview, Note, TurnId, marked};

/// Tells what entries say, a line each: who said what, what was decided and why.
#[derive(Clone, Debug, Default)]
pub struct Narrator {
    observer: Observer,
}

/// A line of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Milliseconds since the session began.
    pub at_ms: u64,
    /// What kind of line it is, for those who colour it.
    pub tone: Tone,
    /// The line without its time.
    pub text: String,
}

/// What kind of line a [`Told`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A stage begins, or the interview is over.
    Heading,
    /// We speak.
    Interviewer,
    /// They speak.
    Candidate,
    /// What was decided, or went on around it.
    Note,
    /// What was refused, or failed.
    Trouble,
}

/// `mm:ss  text`
impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.at_ms / 1_000;
        write!(f, "{:02}:{:02}  {}", seconds / 60, seconds % 60, self.text)
    }
}

impl Narrator {
    /// With the interview before its first event, where it is at hand: then deadlines and nudges are told,
    /// too.
    pub fn new(interview: Option<Interview>) -> Self {
        Self { observer: Observer::new(interview) }
    }

    /// What the next entry says.
    pub fn tell(&mut self, entry: &Entry) -> Vec<Told> {
        let happened = self.observer.see(entry);
        let holes = |turn: u32| {
            entry.effects.iter().find_map(|effect| {
                let Effect::Note(Note::Coverage { turn: TurnId(of), holes, .. }) = effect else {
                    return None;
                };
                (*of == turn).then_some(holes.as_slice())
            })
        };
        let shown = happened.into_iter().map(|mut happened| {
            if let Happening::UserTurn { turn, text, .. } = &mut happened.what
                && let Some(holes) = holes(*turn)
            {
                *text = marked(text, holes);
            }
            happened
        });
        shown.filter_map(told).collect()
    }
}

fn told(happened: Happened) -> Option<Told> {
    let (tone, text) = match happened.what {
        Happening::StageEntered { stage } => (Tone::Heading, format!("== {stage}")),
        Happening::Spoken { text, cut, nudge, .. } => {
            let (nudge, cut) = (if nudge { "(nudge) " } else { "" }, if cut { " …" } else { "" });
            (Tone::Interviewer, format!("interviewer: {nudge}{text}{cut}"))
        }
        Happening::UserTurn { text, amended, .. } => {
            let amended = if amended { "(amended) " } else { "" };
            (Tone::Candidate, format!("  candidate: {amended}{text}"))
        }
        Happening::Handoff { from, to, why, .. } => {
            (Tone::Note, format!("-- handed off, {from} → {to}: {}", words(&why)))
        }
        Happening::ToolInvoked { tool, accepted: false, why, .. } => {
            (Tone::Trouble, format!("-- refused, {tool}: {why}"))
        }
        Happening::ReplyFailed { why, .. } => (Tone::Trouble, format!("-- a reply failed: {why}")),
        Happening::Control { request } => {
            (Tone::Note, format!("-- asked for: {}", words(&request)))
        }
        Happening::Presence { what } => (Tone::Note, format!("-- {}", words(&what))),
        Happening::BargeIn { .. } => (Tone::Note, "-- interrupted".to_owned()),
        // The end of a turn is no news.
        Happening::TimerFired { timer } if timer != "endpointing" => {
            (Tone::Note, format!("-- timer: {}", words(&timer)))
        }
        Happening::Ended { end } => {
            let end = super::observe::name(&end);
            (Tone::Heading, format!("== the end: {}", words(&end)))
        }
        Happening::StageLeft { .. }
        | Happening::PromptIssued { .. }
        | Happening::QuestionAsked { .. }
        | Happening::AnswerAssessed { .. }
        | Happening::ToolInvoked { accepted: true, .. }
        | Happening::TimerFired { .. }
        | Happening::Noted { .. }
        | Happening::Fallback { .. } => return None,
    };
    Some(Told { at_ms: happened.at_ms, tone, text })
}

/// `question_limit` as `question limit`.
fn words(name: &str) -> String {
    name.replace('_', " ")
}
