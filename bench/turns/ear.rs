//! The product's own ear on virtual time: sound in, facts of speech out, frame by frame.

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use vivavoce::{
    audio::{FRAME, FRAME_16, FRAME_48, Pcm16, resample::Up},
    listen::{Heard, Listen, Packet},
    providers::{
        self, Vad, Window, models::Models, stt_scripted::ScriptedStt, vad_denoised::DenoisedVad,
        vad_earshot::EarshotVad, vad_silero::Silero, vad_webrtc::WebrtcVad,
    },
    time::SessionTime,
};
use voiceroom::{Frame, opus::Encoder};

use super::score::{Speech, Stopped};

/// A detector that can be chosen, or could be.
pub(crate) struct Detector {
    pub(crate) name: String,
    make: Box<dyn Fn() -> Box<dyn Vad>>,
}

/// What the name of a detector ends with that hears its candidate without noise.
pub(crate) const DENOISED: &str = " ns";

/// How sound comes to the ear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// As `replay` feeds it: frames at 16 kHz.
    Frames,
    /// As a room brings it: Opus packets at 48 kHz, on a network that delays nothing.
    Opus,
}

/// Something that a session would tell its interview.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) now: SessionTime,
    /// How far the sound is processed.
    pub(crate) heard: SessionTime,
    pub(crate) fact: Fact,
}

/// What it would tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    Tick,
    Started { at: SessionTime },
    Stopped { at: SessionTime },
}

/// A detector that declares another hangover than its own.
struct Declared {
    vad: Box<dyn Vad>,
    hangover: Duration,
}

impl Vad for Declared {
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
        self.vad.push(sound, out);
    }

    fn hangover(&self) -> Duration {
        self.hangover
    }
}

impl Detector {
    /// All detectors of the product, and Earshot with each of the hangovers. Silero is among them where the
    /// build can run it and a file is named.
    pub(crate) fn all(
        hangovers_ms: &[u64],
        settings: &providers::speech::Speech,
    ) -> anyhow::Result<Vec<Self>> {
        let mut all = vec![Self::new("earshot", || Box::new(EarshotVad::default()))];
        for ms in hangovers_ms.iter().copied() {
            let hangover = Duration::from_millis(ms);
            all.push(Self::new(&format!("earshot-{ms}"), move || {
                Box::new(Declared { vad: Box::new(EarshotVad::default()), hangover })
            }));
        }
        let modes = (0..=3).map(|mode| {
            Self::new(&format!("webrtc {mode}"), move || Box::new(WebrtcVad::new(mode)))
        });
        all.extend(modes);
        all.push(Self::denoised("earshot", || Box::new(EarshotVad::default())));
        for mode in [0, 3] {
            all.push(Self::denoised(&format!("webrtc {mode}"), move || {
                Box::new(WebrtcVad::new(mode))
            }));
        }
        all.extend(Self::silero(settings));
        Ok(all)
    }

    fn silero(settings: &providers::speech::Speech) -> Vec<Self> {
        let Ok(silero) = Silero::load(&Models::new(settings.models_dir.as_deref())) else {
            return Vec::new();
        };
        let (plain, denoised) = (silero.clone(), silero);
        vec![
            Self::new("silero", move || Box::new(plain.vad())),
            Self::denoised("silero", move || Box::new(denoised.vad())),
        ]
    }

    fn denoised(name: &str, make: impl Fn() -> Box<dyn Vad> + 'static) -> Self {
        Self::new(&format!("{name}{DENOISED}"), move || Box::new(DenoisedVad::new(make())))
    }

    fn new(name: &str, make: impl Fn() -> Box<dyn Vad> + 'static) -> Self {
        Self { name: name.into(), make: Box::new(make) }
    }
}

/// The sound on its way: what [`hear`] is given.
pub(crate) enum Carried {
    Frames(Vec<Pcm16>),
    Packets(Vec<Packet>),
}

/// Puts sound on the wire, once for all detectors.
pub(crate) fn carry(sound: &[i16], wire: Wire) -> anyhow::Result<Carried> {
    let mut sound = sound.to_vec();
    sound.resize(sound.len().next_multiple_of(FRAME_16), 0);
    if wire == Wire::Frames {
        let frames = sound.chunks(FRAME_16).map(|frame| Pcm16(frame.to_vec()));
        return Ok(Carried::Frames(frames.collect()));
    }
    let mut encoder = Encoder::new().context("there is no Opus")?;
    let sound = Up::default().push(&Pcm16(sound));
    let mut packets = Vec::new();
    for (n, frame) in (0_u64..).zip(sound.0.chunks_exact(FRAME_48)) {
        let payload = encoder.encode(&Frame::try_from(frame.to_vec())?)?.into();
        packets.push(Packet { sequence: n, rtp_time: n * FRAME_48 as u64, payload });
    }
    Ok(Carried::Packets(packets))
}

/// All that a session would tell its interview of the sound.
pub(crate) fn hear(carried: &Carried, detector: &Detector) -> anyhow::Result<Vec<Step>> {
    let mut listen = Listen::new((detector.make)(), &ScriptedStt::new([]), Arc::new(|| {}))?;
    let mut steps = Vec::new();
    let mut began = SessionTime::ZERO;
    let count = match carried {
        Carried::Frames(frames) => frames.len(),
        Carried::Packets(packets) => packets.len(),
    };
    for n in 0..count {
        let now = began + FRAME;
        match carried {
            Carried::Frames(frames) => listen.frame(began, &frames[n]),
            Carried::Packets(packets) => listen.packet(now, packets[n].clone()),
        }
        listen.tick(now);
        while let Some(heard) = listen.poll() {
            let fact = match heard {
                Heard::SpeechStarted { at } => Fact::Started { at },
                Heard::SpeechStopped { at } => Fact::Stopped { at },
                Heard::Transcript(_) => continue,
            };
            steps.push(Step { now, heard: listen.heard(), fact });
        }
        steps.push(Step { now, heard: listen.heard(), fact: Fact::Tick });
        began = now;
    }
    Ok(steps)
}

/// The speech that was told of.
pub(crate) fn speech(steps: &[Step]) -> Vec<Speech> {
    let mut speech: Vec<Speech> = Vec::new();
    for step in steps {
        match step.fact {
            Fact::Started { at } => {
                let told = step.now.as_millis();
                speech.push(Speech { at: at.as_millis(), told, stopped: None });
            }
            Fact::Stopped { at } => {
                if let Some(last) = speech.last_mut() {
                    last.stopped = Some(Stopped { at: at.as_millis(), told: step.now.as_millis() });
                }
            }
            Fact::Tick => {}
        }
    }
    speech
}
