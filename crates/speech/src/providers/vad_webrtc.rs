//! The frame classifier of libfvad, as in WebRTC. It costs next to nothing and takes steady noise for voice.

use std::{sync::Arc, time::Duration};

use webrtc_vad::{SampleRate, VadMode};

use super::{
    Vad, Window,
    kind::{Kind, NewVad, Offer, Place, Provider},
};
use crate::settings::{Kind as Toml, Rule, Section, settings};
use audio::{FRAME_16, Pcm16};

/// The rule for the strictness.
const MODE: Rule<u8> = Rule {
    kind: Toml::Whole,
    expected: "0, 1, 2 or 3",
    parse: |text| text.parse().ok().filter(|mode| *mode <= 3),
};

settings! {
    /// The frame classifier of libfvad.
    pub struct Settings {
        /// From 0 (misses least voice) to 3 (takes least else for voice).
        mode: u8 = 3, MODE;
    }
}

/// The kind of providers that use libfvad.
pub const KIND: Kind = Kind {
    name: "webrtc",
    doc: "libfvad, as in WebRTC, tells voice from noise.",
    fields: Settings::FIELDS,
    read: |_, reader| {
        let settings = Settings::read(reader);
        let mode = settings.mode;
        let vad = Offer::<NewVad>::new(Place::Embedded, move |_| {
            Ok(Arc::new(move || Box::new(WebrtcVad::new(mode)) as Box<dyn Vad>))
        });
        Provider { vad: Some(vad), ..Provider::new(Arc::new(settings)) }
    },
};

/// A libfvad VAD.
pub struct WebrtcVad {
    detector: Owned,
    mode: u8,
    /// Sound that does not fill a window yet.
    rest: Vec<i16>,
}

/// The C object, which nothing else points to.
struct Owned(webrtc_vad::Vad);

// SAFETY: the crate's `Vad` is a pointer to a C struct that it allocated itself and shares with nobody;
// libfvad has no thread-local and no global state. Only `WebrtcVad::push` uses it, by `&mut`.
#[expect(unsafe_code, reason = "the pointer inside is owned, so it may move to another thread")]
unsafe impl Send for Owned {}

impl WebrtcVad {
    /// Returns a VAD of `mode` 0 (misses least voice) to 3 (fewest false alarms); higher modes count as 3.
    pub fn new(mode: u8) -> Self {
        let strictness = match mode {
            0 => VadMode::Quality,
            1 => VadMode::LowBitrate,
            2 => VadMode::Aggressive,
            _ => VadMode::VeryAggressive,
        };
        let detector = webrtc_vad::Vad::new_with_rate_and_mode(SampleRate::Rate16kHz, strictness);
        Self { detector: Owned(detector), mode, rest: Vec::new() }
    }
}

impl Vad for WebrtcVad {
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
        self.rest.extend_from_slice(&sound.0);
        let windows = self.rest.chunks_exact(FRAME_16);
        let left = windows.remainder().len();
        for window in windows {
            // The only possible error is a wrong window length.
            let voiced = self.detector.0.is_voice_segment(window).unwrap_or(false);
            out.push(Window { samples: FRAME_16, voiced });
        }
        self.rest.drain(..self.rest.len() - left);
    }

    fn hangover(&self) -> Duration {
        Duration::from_millis(match self.mode {
            0 | 1 => 180,
            2 => 115,
            _ => 50,
        })
    }
}
