//! The recogniser's stream of one candidate, and the facts that the VAD sends to it.

use std::time::Duration;

use super::{Heard, speech::Speech};
use crate::providers::SttStream;
use audio::Pcm16;
use interview::time::SessionTime;

/// The silence after which the recogniser is told that the voice may have ended.
const PAUSED: Duration = Duration::from_millis(80);

pub(super) struct Recogniser {
    stream: Box<dyn SttStream>,
    /// The end of the last voice that the recogniser was told may be the end of the speech.
    paused: Option<SessionTime>,
    /// Whether each call waits until the recogniser has decoded what it was given.
    keeps_in_step: bool,
}

impl Recogniser {
    pub(super) fn new(stream: Box<dyn SttStream>) -> Self {
        Self { stream, paused: None, keeps_in_step: false }
    }

    pub(super) fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        self.stream.push(at, sound);
        self.settle();
    }

    /// Tells the recogniser that speech began or ended.
    pub(super) fn tell(&mut self, fact: &Heard) {
        match fact {
            Heard::SpeechStarted { at } => self.stream.speech_started(*at),
            Heard::SpeechStopped { at } => self.stream.speech_stopped(*at),
            Heard::Transcript(_) => {}
        }
        self.settle();
    }

    /// Tells the recogniser once of each pause that may be the end of the speech.
    pub(super) fn tell_pause(&mut self, speech: &Speech) {
        let pausing = speech.pausing().filter(|_| speech.quiet() >= PAUSED);
        if let Some(last) = pausing
            && self.paused != pausing
        {
            self.paused = pausing;
            self.stream.speech_paused(last);
            self.settle();
        }
    }

    pub(super) fn keyterms(&mut self, keyterms: &[String]) {
        self.stream.keyterms(keyterms);
    }

    /// See [`super::Listen::keep_in_step`].
    pub(super) fn keep_in_step(&mut self) {
        self.keeps_in_step = true;
        self.settle();
    }

    fn settle(&mut self) {
        if self.keeps_in_step {
            self.stream.settle();
        }
    }
}
