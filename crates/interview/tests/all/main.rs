//! Tests of the interview as a whole: recorded journals, scenarios, simulated interviews.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

mod agendas;
mod bias;
mod blueprint;
mod calls;
mod contacts;
mod course;
mod foreign;
mod journals;
mod keyterms;
mod outcomes;
mod prompts;
mod scenarios;
mod simulation;
