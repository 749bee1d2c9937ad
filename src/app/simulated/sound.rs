//! A simulated candidate's voice: a loud tone that stands for it, and a recogniser that knows the words.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    audio::{FRAME_16, Pcm16},
    providers::{ProviderError, Stt, SttOut, SttStream, Transcript, Vad, Window},
    time::SessionTime,
};

/// The loudness of the voice.
const LEVEL: i16 = 3_000;
/// The end of a voice is found a little before its last word is over.
const TOLERANCE: Duration = Duration::from_millis(300);
/// How sure the recogniser is of every word.
const CONFIDENCE: f32 = 0.95;

/// The words of the candidate, each with the time at which it is over, in the order of those times.
#[derive(Clone, Default)]
pub(super) struct Said(Arc<Mutex<Vec<(SessionTime, String)>>>);

impl Said {
    /// They will have said this word by then.
    pub(super) fn add(&self, at: SessionTime, word: &str) {
        self.with(|said| said.push((at, word.to_owned())));
    }

    /// They fall silent: what they wanted to say later stays unsaid.
    pub(super) fn cut(&self, at: SessionTime) {
        self.with(|said| said.retain(|(over, _)| *over <= at));
    }

    fn with<T>(&self, act: impl FnOnce(&mut Vec<(SessionTime, String)>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// 20 ms of the candidate's voice, or of silence.
pub(super) fn frame(is_speaking: bool) -> Pcm16 {
    let sample = |n: usize| if (n / 40).is_multiple_of(2) { LEVEL } else { -LEVEL };
    Pcm16((0..FRAME_16).map(|n| if is_speaking { sample(n) } else { 0 }).collect())
}

/// A detector that takes all that is loud for voice.
pub(super) struct LevelVad;

impl Vad for LevelVad {
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
        let voiced = sound.0.iter().any(|sample| sample.unsigned_abs() > LEVEL.unsigned_abs() / 2);
        out.push(Window { samples: sound.0.len(), voiced });
    }

    fn hangover(&self) -> Duration {
        Duration::ZERO
    }
}

/// A recogniser that understands every word.
pub(super) struct Heard(pub(super) Said);

impl Stt for Heard {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        let said = self.0.clone();
        Ok(Box::new(Stream { said, out, segment: 0, speech: None, told: 0 }))
    }
}

struct Stream {
    said: Said,
    out: SttOut,
    segment: u32,
    /// When the segment began, and how many words were told before it.
    speech: Option<(SessionTime, usize)>,
    /// How many words of all are in a transcript.
    told: usize,
}

impl Stream {
    /// Tells the words of the segment that are over by then.
    fn tell(&mut self, (from, before): (SessionTime, usize), by: SessionTime, is_final: bool) {
        let (known, text) = self.said.with(|said| {
            let known =
                said.iter().filter(|(over, _)| *over <= by).count().max(before.min(said.len()));
            let words = said.get(before..known).unwrap_or_default();
            (known, words.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" "))
        });
        if known == self.told && !is_final {
            return;
        }
        self.told = known;
        (self.out)(Transcript {
            segment: self.segment,
            is_final,
            from,
            to: by.max(from),
            text,
            confidence: Some(CONFIDENCE),
            ends_turn: None,
            spans: Vec::new(),
        });
    }
}

impl SttStream for Stream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        if let Some(speech) = self.speech {
            self.tell(speech, at + sound.duration(), false);
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.segment += 1;
        self.speech = Some((at, self.told));
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        if let Some(speech) = self.speech.take() {
            self.tell(speech, at + TOLERANCE, true);
        }
    }

    fn settle(&mut self) {}
}
