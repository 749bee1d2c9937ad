//! Noise suppression before a VAD: RNNoise, in plain Rust. Only the VAD hears its result, as recognisers are
//! trained on plain sound.

use std::time::Duration;

use nnnoiseless::DenoiseState;

use super::{Vad, Window};
use audio::{
    Pcm16, Pcm48,
    resample::{Down, Up},
};

/// The window that RNNoise was trained on: 10 ms at 48 kHz.
const WINDOW_48: usize = DenoiseState::FRAME_SIZE;
/// The delay of the result, in samples at 16 kHz: a window, and 1 ms for each change of the rate.
const DELAY: usize = WINDOW_48 / 3 + 2 * 16;

/// A VAD that hears its candidate without noise. Its decisions come 12 ms later.
pub struct DenoisedVad {
    vad: Box<dyn Vad>,
    up: Up,
    down: Down,
    suppressor: Box<DenoiseState<'static>>,
    /// Sound at 48 kHz that does not fill a window yet.
    rest: Vec<i16>,
    /// The part of the delay that is still to be left out, so that each window covers its own sound.
    surplus: usize,
}

impl DenoisedVad {
    /// Returns `vad` with the suppression before it.
    pub fn new(vad: Box<dyn Vad>) -> Self {
        Self {
            vad,
            up: Up::default(),
            down: Down::default(),
            suppressor: DenoiseState::new(),
            rest: Vec::new(),
            surplus: DELAY,
        }
    }

    fn clean(&mut self, sound: &Pcm16) -> Pcm16 {
        self.rest.extend(self.up.push(sound).0);
        let mut cleaned = Vec::with_capacity(self.rest.len());
        let (mut noisy, mut clean) = ([0.0; WINDOW_48], [0.0; WINDOW_48]);
        let windows = self.rest.chunks_exact(WINDOW_48);
        let left = windows.remainder().len();
        for window in windows {
            noisy.iter_mut().zip(window).for_each(|(to, from)| *to = f32::from(*from));
            self.suppressor.process_frame(&mut clean, &noisy);
            // A cast saturates.
            cleaned.extend(clean.iter().map(|sample| *sample as i16));
        }
        self.rest.drain(..self.rest.len() - left);
        let mut cleaned = self.down.push(&Pcm48(cleaned));
        let left_out = self.surplus.min(cleaned.0.len());
        cleaned.0.drain(..left_out);
        self.surplus -= left_out;
        cleaned
    }
}

impl Vad for DenoisedVad {
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
        let cleaned = self.clean(sound);
        self.vad.push(&cleaned, out);
    }

    fn hangover(&self) -> Duration {
        self.vad.hangover()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::vad_webrtc::WebrtcVad;

    /// A vowel on a falling pitch, for the purposes of this filter.
    fn voice(samples: usize) -> Vec<i16> {
        let mut phase = 0.0_f64;
        let sample = |n: usize| {
            phase += (160.0 - n as f64 / 800.0) / 16_000.0;
            let harmonics = (1..12).map(|h| {
                let angle = std::f64::consts::TAU * phase * f64::from(h);
                angle.sin() / f64::from(h)
            });
            (harmonics.sum::<f64>() * 5_000.0) as i16
        };
        (0..samples).map(sample).collect()
    }

    fn cleaned(sound: &[i16], pieces: usize) -> Vec<i16> {
        let mut vad = DenoisedVad::new(Box::new(WebrtcVad::new(3)));
        sound.chunks(pieces).flat_map(|piece| vad.clean(&Pcm16(piece.to_vec())).0).collect()
    }

    fn energy(sound: &[i16]) -> f64 {
        sound.iter().map(|s| f64::from(*s).powi(2)).sum::<f64>() / sound.len() as f64
    }

    /// P07: the result is aligned with its sound to a tenth of a millisecond; any other shift fits worse.
    #[test]
    fn cleaned_sound_is_where_it_was() {
        let sound = voice(32_000);
        let out = cleaned(&sound, 320);
        assert!(sound.len() - out.len() < DELAY + 160, "{} of {}", out.len(), sound.len());
        let fit = |shift: i64| -> f64 {
            let pairs = out[8_000..24_000].iter().zip(&sound[(8_000 + shift) as usize..]);
            pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        let best: i64 = (-200..=200).max_by(|a, b| fit(*a).total_cmp(&fit(*b))).unwrap();
        assert!(best.abs() <= 2, "{best} samples off");
    }

    /// P07: noise is removed, a voice stays.
    #[test]
    fn noise_goes_and_voice_stays() {
        let mut state = 1_u32;
        let noise: Vec<i16> = (0..48_000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 20) as i16 - 2_048
            })
            .collect();
        let out = cleaned(&noise, 320);
        let last = &out[32_000..];
        assert!(energy(last) < energy(&noise) / 30.0, "{} of {}", energy(last), energy(&noise));
        let sound = voice(32_000);
        let out = cleaned(&sound, 320);
        let (kept, was) = (energy(&out[8_000..24_000]), energy(&sound[8_000..24_000]));
        assert!(kept > was / 4.0, "{kept} of {was}");
    }

    /// P07: the same sound in other pieces gives the same windows.
    #[test]
    fn pieces_do_not_matter() {
        let sound = voice(16_000);
        assert_eq!(cleaned(&sound, 320), cleaned(&sound, 16_000));
        let odd = cleaned(&sound, 77);
        assert!(odd.len() > 15_000);
        assert_eq!(odd, cleaned(&sound, 16_000)[..odd.len()]);
    }
}
