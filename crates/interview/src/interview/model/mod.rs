//! What the model knows: its prompt, the brief for one reply, the rubric, the memory of the candidate, the
//! judge's findings.

pub(crate) mod brief;
pub(crate) mod data;
pub(crate) mod health;
pub(crate) mod judgement;
pub(crate) mod judging;
pub mod keyterms;
pub(crate) mod knowledge;
pub(crate) mod memory;
pub(crate) mod prompt;
pub(crate) mod reply_secrets;
pub(crate) mod rubric;
pub(crate) mod schema;
pub(crate) mod secrets;
pub(crate) mod settling;
pub(crate) mod summary;
