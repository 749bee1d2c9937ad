//! What the scripted interviewer and the scripted candidate decide. Pure: the simulator has them too.

/// What the scripted interviewer knows when it has to say something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Situation {}
