//! A voice for tests and load: a soft hum, as long as the words would take, available at once.

use futures_util::{StreamExt, stream, stream::BoxStream};

use super::{
    ProviderError, Tts,
    speakable::{Letters, speakable},
};
use audio::{FRAME_48, Pcm48};

/// The frames of 20 ms per character: 60 ms, as people speak.
const FRAMES_PER_CHARACTER: usize = 3;
/// The most frames of a hum, as long as the longest segment.
const FRAMES_MAX: usize = 60 * 50;
/// The pitch of the hum. 50 frames hold a whole number of its periods, so that frames join without a click.
const HUM_HZ: usize = 150;

/// The scripted voice, which hums instead of speaking.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScriptedTts;

impl Tts for ScriptedTts {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        let frames = (speakable(text, Letters::English).chars().count() * FRAMES_PER_CHARACTER)
            .min(FRAMES_MAX);
        // Pieces of a second, as a voice over the network sends them.
        let pieces = (0..frames).step_by(50).map(move |from| Ok(hum((frames - from).min(50))));
        stream::iter(pieces).boxed()
    }
}

fn hum(frames: usize) -> Pcm48 {
    let sample = |n: usize| {
        let angle = (n * HUM_HZ % 48_000) as f64 / 48_000.0 * std::f64::consts::TAU;
        (angle.sin() * 2_000.0) as i16
    };
    Pcm48((0..frames * FRAME_48).map(sample).collect())
}
