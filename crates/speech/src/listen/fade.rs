//! The end of a voice by its level. A detector reports voice for a while after the last loud sound, for a
//! time that depends on the sound.

use std::time::Duration;

use audio::{Pcm16, level};
use interview::time::SessionTime;

/// Samples of one measurement of the level: 10 ms.
const PIECE: usize = 160;
/// Sound that is this much quieter than the loudest recent sound is no voice any more.
const FADED_DB: f32 = 30.0;
/// The decay of the loudest level per measurement: 5 dB in a second.
const FORGOTTEN_DB: f32 = 0.05;
/// The time for which a voice goes on after its last loud sound.
const RELEASE: Duration = Duration::from_millis(10);
/// Sound below this level is never voice.
const INAUDIBLE_DBOV: f32 = -60.0;

/// The level of one candidate's sound.
#[derive(Debug)]
pub(super) struct Fade {
    loudest_dbov: f32,
    /// The end of the last sound that had not faded.
    last_loud: SessionTime,
}

impl Fade {
    pub(super) fn new() -> Self {
        Self { loudest_dbov: INAUDIBLE_DBOV, last_loud: SessionTime::ZERO }
    }

    /// Measures the next sound, which began at `at`.
    pub(super) fn push(&mut self, mut at: SessionTime, sound: &Pcm16) {
        for piece in sound.0.chunks(PIECE) {
            at += Duration::from_micros(piece.len() as u64 * 1_000_000 / 16_000);
            let level = f32::from(level::dbov(piece));
            self.loudest_dbov = level.max(self.loudest_dbov - FORGOTTEN_DB);
            if level >= (self.loudest_dbov - FADED_DB).max(INAUDIBLE_DBOV) {
                self.last_loud = at;
            }
        }
    }

    /// The end of the last sound that had not faded.
    pub(super) fn last_loud(&self) -> SessionTime {
        self.last_loud + RELEASE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the time in ms at which a second of voice over noise has faded. The voice goes on for 100 ms
    /// at the level `tail`.
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
        fade.last_loud().as_millis()
    }

    /// Silence after a voice is recognised by its level; noise that is nearly as loud is not.
    #[test]
    fn a_voice_fades() {
        assert_eq!(faded(8_000, 2_000, 10), 1_110);
        assert_eq!(faded(8_000, 100, 10), 1_010);
        assert_eq!(faded(8_000, 100, 1_000), 4_010);
        assert_eq!(faded(0, 0, 0), 10);
    }
}
