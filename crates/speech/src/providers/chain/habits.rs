//! What is known of a provider from its earlier calls: how soon a model speaks, and how fast a voice does.

use std::{collections::VecDeque, time::Duration};

/// The number of last replies whose times are kept.
const TIMES_MAX: usize = 200;
/// The fewest replies that say something about the next one.
const TIMES_MIN: usize = 20;
/// The sound of a character before a voice is known: as people speak.
const CHARACTER: Duration = Duration::from_millis(65);
/// The slowest and the fastest voice, per character.
const CHARACTER_MIN: Duration = Duration::from_millis(25);
const CHARACTER_MAX: Duration = Duration::from_millis(200);
/// A shorter text says little about the pace.
const LEARNT_FROM: usize = 20;

/// The times from a model's requests to its first words.
#[derive(Debug, Default)]
pub(super) struct FirstWords(VecDeque<Duration>);

impl FirstWords {
    /// Adds the time of a reply.
    pub(super) fn took(&mut self, time: Duration) {
        if self.0.len() == TIMES_MAX {
            self.0.pop_front();
        }
        self.0.push_back(time);
    }

    /// Returns the time within which 95 of 100 replies have begun; `None` before it can be known.
    pub(super) fn p95(&self) -> Option<Duration> {
        if self.0.len() < TIMES_MIN {
            return None;
        }
        let mut sorted: Vec<Duration> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        sorted.get((sorted.len() * 95).div_ceil(100) - 1).copied()
    }
}

/// The pace of a voice, as the length of a character.
#[derive(Debug)]
pub(super) struct Pace(Duration);

impl Default for Pace {
    fn default() -> Self {
        Self(CHARACTER)
    }
}

impl Pace {
    /// Learns from a whole text and the length of its sound.
    pub(super) fn spoke(&mut self, characters: usize, sound: Duration) {
        let Some(count) = u32::try_from(characters).ok().filter(|_| characters >= LEARNT_FROM)
        else {
            return;
        };
        let this = (sound / count).clamp(CHARACTER_MIN, CHARACTER_MAX);
        self.0 = (self.0 * 3 + this) / 4;
    }

    /// Returns the number of characters in a length of sound.
    pub(super) fn characters(&self, sound: Duration) -> usize {
        (sound.as_micros() / self.0.as_micros().max(1)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P02: from 20 replies on it is known when a reply is late; the last 200 count.
    #[test]
    fn twenty_replies_say_when_one_is_late() {
        let mut times = FirstWords::default();
        for n in 1..=19 {
            times.took(Duration::from_millis(n));
        }
        assert_eq!(times.p95(), None);
        times.took(Duration::from_millis(20));
        assert_eq!(times.p95(), Some(Duration::from_millis(19)));
        (0..200).for_each(|_| times.took(Duration::from_secs(1)));
        assert_eq!(times.p95(), Some(Duration::from_secs(1)));
    }

    /// P02: a voice's pace is learnt from what it has spoken, within what a voice can do.
    #[test]
    fn a_pace_is_learnt() {
        let mut pace = Pace::default();
        assert_eq!(pace.characters(Duration::from_millis(650)), 10);
        pace.spoke(5, Duration::from_secs(60));
        assert_eq!(pace.characters(Duration::from_millis(650)), 10, "too short a text");
        (0..50).for_each(|_| pace.spoke(100, Duration::from_secs(10)));
        assert!((9..=10).contains(&pace.characters(Duration::from_secs(1))));
        (0..50).for_each(|_| pace.spoke(100, Duration::from_secs(1_000)));
        assert!((4..=5).contains(&pace.characters(Duration::from_secs(1))));
    }
}
