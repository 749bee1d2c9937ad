//! Recognisers with a fault, around one that has none of it; and one that has no fault at all.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use vivavoce::{
    audio::Pcm16,
    providers::{ProviderError, Stt, SttOut, SttStream, Transcript},
    time::SessionTime,
};

/// Makes words up where nobody has spoken for a while, as some recognisers do.
pub(crate) struct MakesUp(pub(crate) Arc<dyn Stt>);

/// What it makes up, and how sure of it it is.
const MADE_UP: [(&str, Option<f32>); 3] =
    [("Thank you for watching!", Some(0.9)), ("you", None), ("I see you next time", Some(0.5))];

struct MakingUp {
    stream: Box<dyn SttStream>,
    out: Arc<SttOut>,
    /// The end of the last voice, unless there is one now.
    quiet: Option<SessionTime>,
    made: usize,
}

impl Stt for MakesUp {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        let out = Arc::new(out);
        let told = out.clone();
        let stream = self.0.open(Box::new(move |transcript| told(transcript)))?;
        Ok(Box::new(MakingUp { stream, out, quiet: Some(SessionTime::ZERO), made: 0 }))
    }
}

impl SttStream for MakingUp {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        self.stream.push(at, sound);
        // Every other second of silence, from its third on.
        let made_up = |quiet: SessionTime| {
            let within = at.since(quiet).as_millis();
            within >= 3_000 && within % 2_000 < 20
        };
        if self.quiet.is_some_and(made_up) {
            let (text, confidence) = MADE_UP[self.made % MADE_UP.len()];
            self.made += 1;
            let span = (at, at + Duration::from_millis(500));
            (self.out)(transcript(1_000 + self.made as u32, true, span, text, confidence));
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.quiet = None;
        self.stream.speech_started(at);
    }

    fn speech_paused(&mut self, at: SessionTime) {
        self.stream.speech_paused(at);
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        self.quiet = Some(at);
        self.stream.speech_stopped(at);
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        self.stream.keyterms(keyterms);
    }

    fn settle(&mut self) {
        self.stream.settle();
    }
}

/// Tells final transcripts so much later, by the time of sound; or never.
pub(crate) struct Late(pub(crate) Arc<dyn Stt>, pub(crate) Duration);

struct Lating {
    stream: Box<dyn SttStream>,
    out: Arc<SttOut>,
    held: Arc<Mutex<Vec<Transcript>>>,
    by: Duration,
}

impl Stt for Late {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        let (out, held) = (Arc::new(out), Arc::new(Mutex::new(Vec::new())));
        let (told, holds) = (out.clone(), held.clone());
        let stream = self.0.open(Box::new(move |transcript: Transcript| {
            if transcript.is_final {
                holds.lock().unwrap().push(transcript);
            } else {
                told(transcript);
            }
        }))?;
        Ok(Box::new(Lating { stream, out, held, by: self.1 }))
    }
}

impl SttStream for Lating {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        self.stream.push(at, sound);
        let mut held = self.held.lock().unwrap();
        for due in held.extract_if(.., |held| at >= held.to + self.by) {
            (self.out)(Transcript { text: format!("{} indeed", due.text), ..due });
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.stream.speech_started(at);
    }

    fn speech_paused(&mut self, at: SessionTime) {
        self.stream.speech_paused(at);
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        self.stream.speech_stopped(at);
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        self.stream.keyterms(keyterms);
    }

    fn settle(&mut self) {
        self.stream.settle();
    }
}

/// Understands every word. What is said near the microphone is told to it as it sounds.
pub(crate) struct Knows(pub(crate) Said);

/// Words, each with the time at which it has sounded, in the order of those times.
pub(crate) type Said = Arc<Mutex<Vec<(SessionTime, String)>>>;

/// A recogniser needs so long to be sure of a word.
const LATENCY: Duration = Duration::from_millis(250);

struct Knowing {
    said: Said,
    out: SttOut,
    segment: u32,
    /// When the segment began, and how many words were said before it.
    speech: Option<(SessionTime, usize)>,
    /// How many words of all are in a transcript.
    told: usize,
}

impl Stt for Knows {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        let said = self.0.clone();
        Ok(Box::new(Knowing { said, out, segment: 0, speech: None, told: 0 }))
    }
}

impl Knowing {
    /// All words of the segment that have sounded by then.
    fn tell(&mut self, (from, before): (SessionTime, usize), by: SessionTime, is_final: bool) {
        let said = self.said.lock().unwrap();
        // The segment before may have told words that sound only now.
        let known = said.iter().filter(|(at, _)| *at <= by).count().max(before);
        if known == self.told && !is_final {
            return;
        }
        self.told = known;
        let words: Vec<_> = said[before..known].iter().map(|(_, word)| word.as_str()).collect();
        (self.out)(transcript(self.segment, is_final, (from, by), &words.join(" "), Some(0.9)));
    }
}

impl SttStream for Knowing {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        if let Some(speech) = self.speech {
            let by = at + sound.duration();
            let sure = by.as_micros().saturating_sub(LATENCY.as_micros() as u64);
            self.tell(speech, SessionTime::from_micros(sure).max(speech.0), false);
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.segment += 1;
        self.speech = Some((at, self.told));
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        if let Some(speech) = self.speech.take() {
            self.tell(speech, at + LATENCY, true);
        }
    }

    fn settle(&mut self) {}
}

fn transcript(
    segment: u32,
    is_final: bool,
    (from, to): (SessionTime, SessionTime),
    text: &str,
    confidence: Option<f32>,
) -> Transcript {
    Transcript {
        segment,
        is_final,
        from,
        to,
        text: text.to_owned(),
        confidence,
        ends_turn: None,
        spans: Vec::new(),
    }
}
