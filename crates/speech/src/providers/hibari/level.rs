//! The level of a sentence, made as loud as other voices, and the removal of most silence at its ends.

use super::dsp::RATE;

/// The gain: voiced parts come to -20 dB below full scale.
const GAIN: f32 = 1.7;
/// The level above which peaks are compressed, so that none is clipped.
const KNEE: f32 = 0.75;
/// The number of samples in a piece: 10 ms.
const PIECE: usize = RATE as usize / 100;
/// The highest level (root mean square, before the gain) of silence.
const SILENCE_MAX: f32 = 0.002;
/// The number of silent pieces that stay before the first sound.
const LEAD: usize = 3;
/// The number of silent pieces that stay behind the last sound.
const TRAIL: usize = 20;

/// A sentence while it is made.
#[derive(Default)]
pub(super) struct Level {
    /// The samples that do not fill a piece yet.
    rest: Vec<f32>,
    /// Silent pieces that may be the end.
    silent: Vec<f32>,
    has_begun: bool,
}

impl Level {
    /// Takes sound, and appends to `out` the samples that certainly belong to the sentence.
    pub(super) fn push(&mut self, sound: &[f32], out: &mut Vec<i16>) {
        self.rest.extend_from_slice(sound);
        let rest = std::mem::take(&mut self.rest);
        let pieces = rest.chunks_exact(PIECE);
        self.rest = pieces.remainder().to_vec();
        for piece in pieces {
            let power = piece.iter().map(|sample| sample * sample).sum::<f32>() / PIECE as f32;
            if power.sqrt() <= SILENCE_MAX {
                self.silent.extend_from_slice(piece);
                continue;
            }
            let lead = if self.has_begun { self.silent.len() } else { LEAD * PIECE };
            let kept = self.silent.len().saturating_sub(lead);
            out.extend(self.silent.drain(..).skip(kept).map(sample));
            out.extend(piece.iter().copied().map(sample));
            self.has_begun = true;
        }
    }

    /// Appends the end of the sentence.
    pub(super) fn finish(mut self, out: &mut Vec<i16>) {
        if self.has_begun {
            self.silent.append(&mut self.rest);
            out.extend(self.silent.into_iter().take(TRAIL * PIECE).map(sample));
        }
    }
}

fn sample(value: f32) -> i16 {
    let value = value * GAIN;
    let over = (value.abs() - KNEE).max(0.0) / (1.0 - KNEE);
    let level = if over > 0.0 { KNEE + (1.0 - KNEE) * over.tanh() } else { value.abs() };
    (level.copysign(value) * f32::from(i16::MAX)).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leveled(pushes: &[Vec<f32>]) -> Vec<i16> {
        let (mut level, mut out) = (Level::default(), Vec::new());
        pushes.iter().for_each(|sound| level.push(sound, &mut out));
        level.finish(&mut out);
        out
    }

    /// Of the silence before and behind a sentence little stays, within it all, whatever the pieces.
    #[test]
    fn silence_at_the_ends_goes() {
        let (voice, silence) = (vec![0.1; 10 * PIECE], vec![0.0005; 50 * PIECE]);
        let sentence = [&silence[..], &voice, &silence, &voice, &silence].concat();
        let whole = leveled(std::slice::from_ref(&sentence));
        assert_eq!(whole.len(), (LEAD + 10 + 50 + 10 + TRAIL) * PIECE);
        assert_eq!(whole[LEAD * PIECE - 1..=LEAD * PIECE], [28, 5_570]);
        let pieces: Vec<Vec<f32>> = sentence.chunks(77).map(<[f32]>::to_vec).collect();
        assert_eq!(leveled(&pieces), whole);
        assert!(leveled(&[silence]).is_empty());
        assert!(leveled(&[voice[..PIECE / 2].to_vec()]).is_empty());
    }

    /// Loud sound is compressed and never clipped; NaN becomes silence.
    #[test]
    fn nothing_clips() {
        let samples = [0.0, 0.1, 0.44, 0.5, 0.6, 1.0, 100.0, -100.0, f32::NAN].map(sample);
        assert!(samples[..6].is_sorted_by(|a, b| a < b), "{samples:?}");
        assert_eq!((samples[5] < i16::MAX, samples[6], samples[7]), (true, i16::MAX, -i16::MAX));
        assert_eq!((samples[0], samples[8]), (0, 0));
    }
}
