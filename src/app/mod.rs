//! Puts the pieces together from the configuration; what each command of the command line does.

mod agents;
mod doctor;
mod port;

pub use agents::check;
pub use doctor::doctor;

/// Why a command was refused or failed: one sentence, or several lines of one each.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failed(pub String);
