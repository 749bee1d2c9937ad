//! All tests.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

mod audio;
mod authoring;
mod blueprint;
#[cfg(feature = "io")]
mod browser;
#[cfg(feature = "io")]
mod chat_server;
#[cfg(feature = "io")]
mod cli;
#[cfg(feature = "io")]
mod client;
#[cfg(feature = "io")]
mod codec;
#[cfg(feature = "io")]
mod console;
mod coverage;
#[cfg(feature = "io")]
mod deepgram_server;
#[cfg(feature = "io")]
mod dev;
#[cfg(feature = "io")]
mod ears;
#[cfg(feature = "io")]
mod far_end;
#[cfg(feature = "io")]
mod fixtures;
#[cfg(feature = "io")]
mod hearing;
#[cfg(feature = "io")]
mod interview;
mod journals;
mod keyterms;
#[cfg(feature = "io")]
mod libwebrtc;
#[cfg(feature = "io")]
mod listen;
#[cfg(feature = "io")]
mod livekit_server;
#[cfg(feature = "io")]
mod llm;
#[cfg(feature = "io")]
mod llm_interview;
#[cfg(feature = "io")]
mod losses;
#[cfg(feature = "io")]
mod moonshine;
#[cfg(feature = "io")]
mod net;
#[cfg(feature = "io")]
mod pre_connect;
mod prompts;
#[cfg(feature = "io")]
mod providers;
#[cfg(feature = "io")]
mod recognisers;
mod record;
#[cfg(feature = "io")]
mod recording;
#[cfg(feature = "io")]
mod rejoin;
mod reorder;
#[cfg(feature = "io")]
mod replay;
#[cfg(feature = "io")]
mod resume;
#[cfg(feature = "io")]
mod room;
mod scenarios;
#[cfg(feature = "io")]
mod session;
mod simulation;
#[cfg(feature = "io")]
mod speak;
#[cfg(feature = "io")]
mod stt_deepgram;
#[cfg(feature = "io")]
mod stt_keyterms;
#[cfg(feature = "io")]
mod tcp;
mod tidy;
#[cfg(feature = "io")]
mod tls;
#[cfg(feature = "io")]
mod tools;
#[cfg(feature = "io")]
mod traces;
#[cfg(feature = "io")]
mod tts_openai;
#[cfg(feature = "io")]
mod turn;
mod turns;
#[cfg(feature = "io")]
mod web;
#[cfg(feature = "io")]
mod web_desk;
#[cfg(feature = "io")]
mod worker;
