//! A recogniser for tests and load: it returns a fixed line for each segment of speech.

use std::{sync::Arc, time::Duration};

use super::{ProviderError, Stt, SttOut, SttStream, Transcript};
use audio::Pcm16;
use interview::time::SessionTime;

/// The time after which each word appears in a partial transcript.
const WORD: Duration = Duration::from_millis(300);

/// A recogniser with fixed lines, one per segment, which begins again after the last.
pub struct ScriptedStt {
    lines: Arc<[String]>,
}

impl ScriptedStt {
    /// Returns a recogniser of `lines`; without any its transcripts are empty.
    pub fn new(lines: impl IntoIterator<Item = String>) -> Self {
        Self { lines: lines.into_iter().collect() }
    }
}

/// The answers of one candidate, enough for a whole interview.
impl Default for ScriptedStt {
    fn default() -> Self {
        let lines = [
            "i am a backend engineer and i have worked on payment systems for six years",
            "last year i led the move of our billing service to a new database because the old one \
                was too slow",
            "i split the work into small steps and measured each of them and in the end requests \
                took half the time",
            "the hardest part was to keep both systems in step so i wrote a tool that compared them \
                every night",
        ];
        Self::new(lines.map(String::from))
    }
}

impl Stt for ScriptedStt {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        Ok(Box::new(Stream { lines: self.lines.clone(), out, segments: 0, speech: None }))
    }
}

struct Stream {
    lines: Arc<[String]>,
    out: SttOut,
    segments: u32,
    speech: Option<Speech>,
}

/// The segment that is being spoken.
struct Speech {
    from: SessionTime,
    words_reported: usize,
}

impl Stream {
    fn line(&self) -> &str {
        let index = (self.segments as usize).saturating_sub(1) % self.lines.len().max(1);
        self.lines.get(index).map_or("", String::as_str)
    }

    fn transcript(&self, from: SessionTime, to: SessionTime, words: usize) -> Transcript {
        let words: Vec<&str> = self.line().split_whitespace().take(words).collect();
        Transcript {
            segment: self.segments,
            is_final: false,
            from,
            to,
            text: words.join(" "),
            confidence: Some(1.0),
            ends_turn: None,
            spans: Vec::new(),
        }
    }
}

impl SttStream for Stream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        let to = at + sound.duration();
        let Some(Speech { from, words_reported }) = self.speech else {
            return;
        };
        let heard = (to.since(from).as_micros() / WORD.as_micros()) as usize;
        let words = heard.min(self.line().split_whitespace().count());
        if words > words_reported {
            self.speech = Some(Speech { from, words_reported: words });
            (self.out)(self.transcript(from, to, words));
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.segments += 1;
        self.speech = Some(Speech { from: at, words_reported: 0 });
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        if let Some(Speech { from, .. }) = self.speech.take() {
            (self.out)(Transcript { is_final: true, ..self.transcript(from, at, usize::MAX) });
        }
    }

    fn settle(&mut self) {}
}
