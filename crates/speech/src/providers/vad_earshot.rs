//! Earshot: a small neural VAD in plain Rust, which hears voice through most noise.

use std::{sync::Arc, time::Duration};

use earshot::Detector;

use super::{
    Vad, Window,
    kind::{Kind, NewVad, Offer, Place, Provider},
};
use audio::Pcm16;

/// The window that the network was trained on: 16 ms.
const WINDOW_SAMPLES: usize = 256;
/// The lowest score of voice.
const VOICE_SCORE: f32 = 0.5;

/// The kind of providers that use Earshot.
pub const KIND: Kind = Kind {
    name: "earshot",
    doc: "Earshot, a small network within this program, tells voice from noise.",
    fields: &[],
    read: |_, _| {
        let vad = Offer::<NewVad>::new(Place::Embedded, |_| {
            Ok(Arc::new(|| Box::new(EarshotVad::default()) as Box<dyn Vad>))
        });
        Provider { vad: Some(vad), ..Provider::new(Arc::new(())) }
    },
};

/// An Earshot VAD.
#[derive(Default)]
pub struct EarshotVad {
    detector: Box<Detector>,
    /// Sound that does not fill a window yet.
    rest: Vec<i16>,
}

impl Vad for EarshotVad {
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
        self.rest.extend_from_slice(&sound.0);
        let windows = self.rest.chunks_exact(WINDOW_SAMPLES);
        let left = windows.remainder().len();
        for window in windows {
            let voiced = self.detector.predict_i16(window) >= VOICE_SCORE;
            out.push(Window { samples: WINDOW_SAMPLES, voiced });
        }
        self.rest.drain(..self.rest.len() - left);
    }

    fn hangover(&self) -> Duration {
        Duration::from_millis(40)
    }
}
