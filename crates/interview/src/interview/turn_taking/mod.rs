//! Turn-taking: who has the floor, what the candidate's voice and words do to it, and how long a pause lasts
//! before it is the end of a turn.

pub(crate) mod coverage;
pub(crate) mod echo;
pub(crate) mod endpointing;
pub(crate) mod filler;
pub(crate) mod fillers;
pub(crate) mod floor;
pub(crate) mod hearing;
pub(crate) mod muted;
pub(crate) mod pause;
pub(crate) mod presence;
pub(crate) mod said;
pub(crate) mod silence;
pub(crate) mod speech;
pub(crate) mod stops;
pub(crate) mod turn;
pub(crate) mod understood;
pub(crate) mod voices;
