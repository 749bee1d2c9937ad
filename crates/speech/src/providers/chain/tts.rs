//! Voices in a chain: when one fails, the next speaks what of the segment was not spoken yet (P02).
//!
//! A voice has failed that refuses, breaks off, ends without a sound, gives nothing but silence, or gives
//! nothing in time. Sound is passed on from a voice's first audible piece on.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};

use super::{Limits, Link, Order, Pass, limited, lock, note_failover};
use crate::{
    clock::Clock,
    providers::{
        ProviderError, Tts,
        http::{permanent_error, transient_error},
    },
};
use audio::Pcm48;
use interview::{blueprint::Language, time::SessionTime};

/// Samples up to this size are silence: -60 dB.
const SILENCE_MAX: u16 = 32;
/// A voice whose sound begins with a longer silence has failed.
const LEADING_SILENCE_MAX: Duration = Duration::from_secs(2);

type Piece = Result<Pcm48, ProviderError>;

/// Several voices, of which the first that works speaks.
pub(in crate::providers) struct TtsChain {
    links: Arc<[Link<dyn Tts>]>,
    silence_limit: Duration,
    clock: Clock,
}

impl TtsChain {
    pub(in crate::providers) fn new(links: Vec<Link<dyn Tts>>, limits: Limits) -> Self {
        Self { links: links.into(), silence_limit: limits.tts_silence, clock: Clock::start() }
    }
}

impl Tts for TtsChain {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Piece> {
        if !text.chars().any(char::is_alphanumeric) {
            // Nothing can be heard of it, so no voice fails at it.
            return self.links[0].provider.synthesize(text);
        }
        let segment = Segment {
            links: self.links.clone(),
            silence_limit: self.silence_limit,
            clock: self.clock,
            order: Order::new(&self.links),
            rest: text.to_owned(),
            phase: Phase::Seeking,
            ready: VecDeque::new(),
            failed: None,
        };
        stream::unfold(segment, Segment::next).boxed()
    }

    fn speaks(&self, language: Language) -> bool {
        self.links.iter().all(|link| link.provider.speaks(language))
    }
}

/// A segment, as far as it is spoken.
struct Segment {
    links: Arc<[Link<dyn Tts>]>,
    silence_limit: Duration,
    clock: Clock,
    order: Order,
    /// The text that was not spoken yet.
    rest: String,
    phase: Phase,
    ready: VecDeque<Pcm48>,
    /// Who failed last, until another one has taken over.
    failed: Option<(usize, ProviderError)>,
}

enum Phase {
    Seeking,
    Speaking(Voice),
    Over,
}

/// A voice that speaks the rest of a segment.
struct Voice {
    n: usize,
    pass: Pass,
    pieces: BoxStream<'static, Piece>,
    asked: SessionTime,
    heard: Heard,
}

/// What was heard of a voice.
#[derive(Default)]
struct Heard {
    /// Its sound until the first audible piece.
    silence: Vec<Pcm48>,
    /// The samples from its first audible one to its last.
    sounded: usize,
    /// The silent samples since the last audible one.
    since: usize,
}

impl Segment {
    async fn next(mut self) -> Option<(Piece, Self)> {
        loop {
            if let Some(sound) = self.ready.pop_front() {
                return Some((Ok(sound), self));
            }
            match std::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Over => return None,
                Phase::Seeking => match self.begin() {
                    Ok(voice) => self.phase = Phase::Speaking(voice),
                    Err(error) => return Some((Err(error), self)),
                },
                Phase::Speaking(voice) => self.go_on(voice).await,
            }
        }
    }

    /// Asks the next voice for what was not spoken yet.
    fn begin(&mut self) -> Result<Voice, ProviderError> {
        let Some((n, pass)) = self.order.next(&self.links) else {
            let none = || permanent_error("the chain has no voice".to_owned());
            return Err(self.failed.take().map_or_else(none, |(_, error)| error));
        };
        let link = &self.links[n];
        if let Some((before, why)) = self.failed.take() {
            note_failover(&self.links[before].gate, &link.gate, &why);
        }
        let pieces = link.provider.synthesize(&self.rest);
        Ok(Voice { n, pass, pieces, asked: self.clock.now(), heard: Heard::default() })
    }

    async fn go_on(&mut self, mut voice: Voice) {
        let until = self.order.has_next(&self.links).then(|| match voice.heard.is_audible() {
            true => self.clock.now() + self.silence_limit,
            // Whoever has failed lately is waited for half as long.
            false if voice.pass.is_trial() => voice.asked + self.silence_limit / 2,
            false => voice.asked + self.silence_limit,
        });
        match limited(self.clock, until, voice.pieces.next()).await {
            Some(Some(Ok(sound))) => self.take(voice, sound),
            Some(Some(Err(error))) => self.break_off(voice, error),
            Some(None) if voice.heard.is_audible() => {
                let (gate, characters) = (&self.links[voice.n].gate, self.rest.chars().count());
                lock(&gate.pace).spoke(characters, voice.heard.length());
            }
            Some(None) => self.fail_silently(voice, "made no sound"),
            None => {
                let limit = self.silence_limit.as_secs_f32();
                let what = format!("gave no sound for {limit} s (speech.tts_silence_limit)");
                self.fail_silently(voice, &what);
            }
        }
    }

    fn take(&mut self, mut voice: Voice, sound: Pcm48) {
        let was_audible = voice.heard.is_audible();
        voice.heard.take(&sound);
        match (was_audible, voice.heard.is_audible()) {
            (true, _) => self.ready.push_back(sound),
            (false, true) => {
                voice.pass.worked();
                self.ready.extend(voice.heard.silence.drain(..));
                self.ready.push_back(sound);
            }
            (false, false) => {
                voice.heard.silence.push(sound);
                if length(voice.heard.since) > LEADING_SILENCE_MAX {
                    return self.fail_silently(voice, "gives nothing but silence");
                }
            }
        }
        self.phase = Phase::Speaking(voice);
    }

    fn fail_silently(&mut self, voice: Voice, what: &str) {
        let name = &self.links[voice.n].gate.name;
        let error = transient_error(format!("the voice `{name}` {what}; take another one"));
        self.break_off(voice, error);
    }

    /// Handles that a voice has failed: the next one speaks the rest.
    fn break_off(&mut self, mut voice: Voice, error: ProviderError) {
        voice.pass.failed(&error);
        if voice.heard.is_audible() {
            let spoken = lock(&self.links[voice.n].gate.pace).characters(voice.heard.length());
            self.rest = unspoken(&self.rest, spoken).to_owned();
        }
        self.failed = Some((voice.n, error));
        self.phase = if self.rest.is_empty() { Phase::Over } else { Phase::Seeking };
    }
}

impl Heard {
    fn is_audible(&self) -> bool {
        self.sounded > 0
    }

    fn take(&mut self, sound: &Pcm48) {
        let is_loud = |sample: &i16| sample.unsigned_abs() > SILENCE_MAX;
        let samples = &sound.0;
        let Some(last) = samples.iter().rposition(is_loud) else {
            self.since += samples.len();
            return;
        };
        if self.is_audible() {
            self.sounded += self.since + last + 1;
        } else {
            let first = samples.iter().position(is_loud).unwrap_or(last);
            self.sounded = last + 1 - first;
        }
        self.since = samples.len() - last - 1;
    }

    fn length(&self) -> Duration {
        length(self.sounded)
    }
}

fn length(samples: usize) -> Duration {
    Duration::from_millis(samples as u64 / 48)
}

/// Returns the text from the word on in which so many characters are spoken: a cut word is said again.
fn unspoken(text: &str, characters: usize) -> &str {
    let Some((at, _)) = text.char_indices().nth(characters) else { return "" };
    let begin = match text[..at].rfind(char::is_whitespace) {
        // The word before is whole.
        _ if text[at..].starts_with(char::is_whitespace) => at,
        Some(blank) => blank,
        None => 0,
    };
    text[begin..].trim_start()
}

#[cfg(test)]
mod tests;
