//! The last seconds of a candidate's sound, kept for the turn detector.

use std::{collections::VecDeque, time::Duration};

use audio::Pcm16;
use interview::time::SessionTime;

/// How much sound is kept.
const KEPT: Duration = Duration::from_secs(10);
const KEPT_SAMPLES: usize = KEPT.as_secs() as usize * 16_000;

/// Sound without gaps.
#[derive(Debug, Default)]
pub(super) struct Recent(VecDeque<i16>);

impl Recent {
    /// Appends the next sound.
    pub(super) fn push(&mut self, sound: &Pcm16) {
        self.0.extend(&sound.0);
        self.0.drain(..self.0.len().saturating_sub(KEPT_SAMPLES));
    }

    /// Appends silence that was left out.
    pub(super) fn skip(&mut self, silence: Duration) {
        self.push(&Pcm16(vec![0; samples(silence.min(KEPT))]));
    }

    /// Returns the sound between two times, as far as it is kept. `end` is the end of all sound so far.
    pub(super) fn between(&self, from: SessionTime, to: SessionTime, end: SessionTime) -> Pcm16 {
        let index = |at: SessionTime| self.0.len().saturating_sub(samples(end.since(at)));
        let (first, last) = (index(from), index(to));
        Pcm16(self.0.range(first.min(last)..last).copied().collect())
    }
}

fn samples(length: Duration) -> usize {
    (length.as_micros() * 16 / 1_000) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> SessionTime {
        SessionTime::from_millis(ms)
    }

    /// T04: sound is found by its time, with the silence that was left out; no more is kept than allowed.
    #[test]
    fn sound_is_found_by_its_time() {
        let mut recent = Recent::default();
        let second = |n: i16| Pcm16(vec![n; 16_000]);
        assert_eq!(recent.between(ms(0), ms(500), ms(0)), Pcm16(vec![]));
        recent.push(&second(1));
        recent.skip(Duration::from_secs(1));
        recent.push(&second(3));
        let heard = recent.between(ms(999), ms(2_001), ms(3_000)).0;
        let expected = [vec![1; 16], vec![0; 16_000], vec![3; 16]].concat();
        assert_eq!(heard, expected);
        assert_eq!(recent.between(ms(2_500), ms(9_000), ms(3_000)).0, vec![3; 8_000]);
        assert_eq!(recent.between(ms(2_500), ms(2_000), ms(3_000)), Pcm16(vec![]));
        for n in 4..=12 {
            recent.push(&second(n));
        }
        let kept = recent.between(ms(0), ms(12_000), ms(12_000)).0;
        assert_eq!((kept.len(), kept[0]), (KEPT_SAMPLES, 3));
        recent.skip(Duration::from_secs(1_000_000));
        assert_eq!(recent.between(ms(0), ms(12_000), ms(12_000)).0, vec![0; KEPT_SAMPLES]);
    }
}
