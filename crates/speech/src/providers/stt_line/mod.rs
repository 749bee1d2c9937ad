//! The common part of recognisers with one WebSocket per candidate: it connects, keeps alive, reconnects,
//! sends again what was lost, and makes segments of words.
//!
//! A vendor's part is a [`Dialect`]: what is sent, and a [`Reader`] of what comes. The connections of all
//! candidates of a provider are on one thread.

mod ear;
mod health;
mod keyterms;
mod line;
mod past;
mod results;
mod segment;

use std::{sync::Arc, time::Duration};

use super::{
    ProviderError, SttOut, SttStream,
    http::{Site, transient_error},
    stt_stream::StreamThread,
};
use crate::clock::Clock;
use health::Health;
use interview::time::SessionTime;
use line::Candidate;

pub(super) use ear::TURN_FINAL_LIMIT;
pub(super) use keyterms::{Keyterms, TERMS_MAX};
pub(super) use results::{Finality, Results, Word, is_time};

/// A vendor's way to speak on a connection. Sound is sent as bare samples at 16 kHz.
pub(super) trait Dialect: Send + Sync {
    /// The vendor's name, for messages.
    fn vendor(&self) -> &'static str;
    /// How long the final of a segment is waited for; then the known words become final.
    fn final_limit(&self) -> Duration;
    /// Returns the keyterms that a connection is to have.
    fn terms(&self, keyterms: &Keyterms) -> Vec<String>;
    /// Returns what the address of a connection with these keyterms ends in.
    fn query(&self, terms: &[String]) -> Vec<(&'static str, String)>;
    /// Returns the first message of a connection with these keyterms, if there is one.
    fn hello(&self, terms: &[String]) -> Option<String>;
    /// Returns the message that replaces the keyterms of an open connection; `None` if they stay.
    fn replaced(&self, terms: &[String]) -> Option<String>;
    /// Returns the message that asks for the final words of all sound so far; `None` if they come by
    /// themselves.
    fn finalize(&self) -> Option<&'static str>;
    /// Returns the message that keeps a connection open; `None` for a ping.
    fn keep_alive(&self) -> Option<&'static str>;
    /// Returns the message that ends the stream. The server answers it.
    fn farewell(&self) -> &'static str;
    /// Returns the fewest samples that a message may have.
    fn chunk_samples(&self) -> usize {
        1
    }
    /// Whether the server answers when it is asked for words where there were none. If not, its silence after
    /// a noise means nothing.
    fn answers_noise(&self) -> bool {
        true
    }
    /// Returns the reader of a connection's messages.
    fn reader(&self) -> Box<dyn Reader>;
}

/// What reads the messages of one connection.
pub(super) trait Reader: Send {
    /// Notes that the final words of the sound up to here are asked for, in seconds of the stream.
    fn asked(&mut self, _seconds: f64) {}
    /// Reads a message; `None` if the text is no message of this vendor's.
    fn read(&mut self, text: &str) -> Option<Said>;
}

/// A message of the server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// Words of stretches of sound, in order.
    Results(Vec<Results>),
    /// An error, in the server's own words.
    Error(String),
    /// An error with the HTTP status that says the same.
    Refused(u16, String),
    /// The keyterms were refused.
    NotConfigured,
    /// A message that we do not need.
    Other,
}

/// The address of a recogniser, and how it is spoken to.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) site: Arc<Site>,
    pub(super) dialect: Arc<dyn Dialect>,
}

impl Place {
    /// Opens the stream of a candidate on the provider's thread.
    pub(super) fn open(
        &self,
        thread: &StreamThread,
        keyterms: &[String],
        out: SttOut,
    ) -> Result<Box<dyn SttStream>, ProviderError> {
        let (place, site) = (self.clone(), self.site.clone());
        let keyterms = Keyterms { all: keyterms.to_vec(), now: Vec::new() };
        let health = Arc::new(Health::new(Clock::start()));
        let known = health.clone();
        let away = move || {
            known.away(|| transient_error(format!("{} is spoken to and says nothing", site.place)))
        };
        let run = |inbox| Candidate { place, keyterms, inbox, health, out }.run();
        thread.open(run, away)
    }

    /// Checks the server by opening a connection. Returns how long that took.
    pub(super) async fn check(&self) -> Result<Duration, ProviderError> {
        let clock = Clock::start();
        line::try_stream(self).await?;
        Ok(clock.now().since(SessionTime::ZERO))
    }
}
