//! The dialogue: what an answer leads to, what becomes of our replies, requests, goodbyes, and what was said
//! so far.

pub(crate) mod answer;
pub(crate) mod awaiting;
pub(crate) mod conduct;
pub(crate) mod delivery;
pub(crate) mod fallback;
pub(crate) mod going_on;
pub(crate) mod goodbye;
pub(crate) mod history;
pub(crate) mod leaving;
pub(crate) mod naming;
pub(crate) mod questions;
pub(crate) mod replies;
pub(crate) mod reply;
pub(crate) mod requests;
pub(crate) mod turns;
