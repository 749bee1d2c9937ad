//! Where a voice has faded. A detector goes on for a while after the last loud sound, and for how long
//! depends on the sound.

use std::time::Duration;

use audio::{Pcm16, level};
use interview::time::SessionTime;

/// Of 10 ms the level is told.
const PIECE: usize = 160;
/// What is quieter than the loudest sound of late by so much is no voice any more.
const FADED_DB: f32 = 30.0;
/// So much quieter is the loudest sound taken for with each piece: 5 dB in a second.
const FORGOTTEN_DB: f32 = 0.05;
/// A voice fades for so much longer.
const RELEASE: Duration = Duration::from_millis(10);
/// Nobody speaks below it.
const INAUDIBLE_DBOV: f32 = -60.0;

/// Follows the level of one candidate's sound.
#[derive(Debug)]
pub(super) struct Fade {
    loudest_dbov: f32,
    /// The end of the last sound that was not faded.
    last: SessionTime,
}

impl Fade {
    pub(super) fn new() -> Self {
        Self { loudest_dbov: INAUDIBLE_DBOV, last: SessionTime::ZERO }
    }

    /// The next sound, which began at `at`.
    pub(super) fn push(&mut self, mut at: SessionTime, sound: &Pcm16) {
        for piece in sound.0.chunks(PIECE) {
            at += Duration::from_micros(piece.len() as u64 * 1_000_000 / 16_000);
            let level = f32::from(level::dbov(piece));
            self.loudest_dbov = level.max(self.loudest_dbov - FORGOTTEN_DB);
            if level >= (self.loudest_dbov - FADED_DB).max(INAUDIBLE_DBOV) {
                self.last = at;
            }
        }
    }

    /// The end of the last sound that was not faded.
    pub(super) fn last(&self) -> SessionTime {
        self.last + RELEASE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When a second of voice over noise has faded, in ms; the voice goes on for 100 ms at `tail` of its
    /// loudness.
    fn faded(voice: i16, tail: i16, noise: i16) -> u64 {
        let mut fade = Fade::new();
        let square = |n: usize, loud: i16| if n.is_multiple_of(2) { loud } else { -loud };
        let mut at = SessionTime::ZERO;
        for n in 0..200 {
            let loud = match n {
                0..50 => voice,
                50..55 => tail,
                _ => noise,
            };
            let sound = Pcm16((0..320).map(|n| square(n, loud.max(noise))).collect());
            fade.push(at, &sound);
            at += sound.duration();
        }
        fade.last().as_millis()
    }

    /// Silence after a voice is told from it by its level; noise that is nearly as loud is not.
    #[test]
    fn a_voice_fades() {
        assert_eq!(faded(8_000, 2_000, 10), 1_110);
        assert_eq!(faded(8_000, 100, 10), 1_010);
        assert_eq!(faded(8_000, 100, 1_000), 4_010);
        assert_eq!(faded(0, 0, 0), 10);
    }
}
