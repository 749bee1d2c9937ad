//! The interview: a state machine that never sleeps, reads a clock, draws a random number or does I/O.
//!
//! Time and facts go in through [`Interview::handle`]; orders come out of it as [`Effect`]s.
//! [`Interview::deadline`] says when, and why, it wants to be called again.
//! Read `event`, `effect` and `timer` first, then `transition`.

mod control;
mod course;
mod deadlines;
pub mod dialogue;
mod effect;
mod event;
mod exit;
pub mod guard;
mod ids;
mod machine;
pub mod model;
mod not_done;
mod note;
mod outbox;
mod script;
mod stage;
mod timeline;
mod timer;
mod tools;
mod transcript;
mod transition;
pub mod turn_taking;
pub mod understanding;

pub use control::Control;
pub use effect::{AgentState, Care, Effect, Notice, Say, Status, Task};
pub use event::{By, Event, Request};
pub use exit::{End, Reason};
pub use ids::{CallId, Epoch, QuestionId, ReplyId, TurnId};
pub use language::{About, Intent, Quality};
pub use machine::{ENGINE, Interview};
pub use model::{
    brief::{Brief, Length, Speaker},
    judgement::{Case, Discovered, Fact, FieldFound, Judgement},
    prompt::{Block, Prompt},
};
pub use not_done::NotDone;
pub use note::{NotTheirs, Note, Priority, Settled, Todo, TopicState};
pub(crate) use stage::Outset;
pub use stage::{
    item::{Item, ItemStatus, Origin},
    phase::Phase,
};
pub use timer::Timer;
pub use tools::proposal::{Proposal, Refusal, TOOLS, Verdict};
pub use transcript::Words;
pub use turn_taking::coverage::{Hole, marked};
