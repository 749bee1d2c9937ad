//! What a simulated recogniser keeps: what it heard, echoes on their way, and the numbers of segments.

use std::{collections::BTreeMap, time::Duration};

use crate::{interview::Event, sim::candidate::Phrase, time::SessionTime};

pub(super) struct Recogniser {
    /// How far the processing of sound is behind.
    lag: Duration,
    phrases: Vec<Phrase>,
    /// Whether the last thing that was told of a voice is its beginning.
    is_voice_told: bool,
    numbers: Numbers,
}

/// A segment of ours on its way back.
pub(super) struct Echo {
    /// By which it is known as long as it sounds.
    pub(super) token: u64,
    /// The recogniser's number for it; 0 before its voice is noticed.
    pub(super) segment: u32,
    /// When it began to sound, and how late it comes back.
    pub(super) since: SessionTime,
    pub(super) delay: Duration,
    pub(super) words: Vec<String>,
    /// How many of them were told.
    pub(super) told: usize,
}

/// The recogniser's numbers for segments, where others than the candidate's come between.
#[derive(Debug, Default)]
struct Numbers {
    of_phrases: BTreeMap<u32, u32>,
    last: u32,
}

impl Recogniser {
    pub(super) fn new(lag: Duration) -> Self {
        let numbers = Numbers::default();
        Self { lag, phrases: Vec::new(), is_voice_told: false, numbers }
    }

    pub(super) fn lag(&self) -> Duration {
        self.lag
    }

    pub(super) fn hear(&mut self, phrase: Phrase) {
        self.phrases.push(phrase);
    }

    /// The interview was told this.
    pub(super) fn told(&mut self, event: &Event) {
        if let Event::SpeechStarted { .. } | Event::SpeechStopped { .. } = event {
            self.is_voice_told = matches!(event, Event::SpeechStarted { .. });
        }
    }

    pub(super) fn is_voice_told(&self) -> bool {
        self.is_voice_told
    }

    /// Whether the candidate is in the middle of a phrase.
    pub(super) fn is_spoken_to(&self, now: SessionTime) -> bool {
        self.phrases.iter().any(|phrase| phrase.from < now && now < phrase.to)
    }

    /// Whether the candidate has spoken within as long as that before now.
    pub(super) fn has_heard(&self, now: SessionTime, lately: Duration) -> bool {
        let begin = now.since(SessionTime::ZERO + lately);
        let is_near =
            |phrase: &Phrase| phrase.to.since(SessionTime::ZERO) > begin && phrase.from < now;
        self.phrases.iter().any(is_near)
    }

    /// The number for a phrase of the candidate.
    pub(super) fn number_of(&mut self, phrase: u32) -> u32 {
        let known = self.numbers.of_phrases.get(&phrase).copied();
        let number = known.unwrap_or_else(|| self.next_number());
        self.numbers.of_phrases.insert(phrase, number);
        number
    }

    /// A number that no segment has.
    pub(super) fn next_number(&mut self) -> u32 {
        self.numbers.last += 1;
        self.numbers.last
    }
}
