//! Turns put together from recordings, and what each detector says at their pauses and ends.

use std::time::Duration;

use vivavoce::{
    audio::Pcm16,
    interview::{Event, Interview, Timer, Words},
    providers::{PAUSE, TURN_MAX, turns::Turns},
    time::SessionTime,
};

use super::sound::{MS, Part};

/// A turn consists of so many recordings of one speaker at most.
const PARTS_MAX: usize = 2;
/// A turn is heard with so much before its first voice, as in a session.
const LEAD_MS: u64 = 500;
/// The interview is told of pauses of this length: no rule ends a turn in them, so that it is asked about
/// each in its turn.
const TOLD_MS: u64 = 150;
/// Somebody who seems to stop in a sentence is told to take their time, after so long (T04).
const SOFT_PROMPT_MS: u64 = 8_000;

/// Where a turn stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Within a recording.
    Within,
    /// Between two recordings: between two sentences.
    Between,
    /// At its end.
    End,
}

impl Place {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::Between => "between",
            Self::End => "end",
        }
    }
}

/// What is said of one place.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) place: Place,
    /// Whether its turn was put together of two recordings.
    pub(crate) is_joined: bool,
    /// How long the pause was recorded.
    pub(crate) recorded_ms: u64,
    /// What was said before it.
    pub(crate) text: String,
    /// Smart Turn's word on the sound, in percent.
    pub(crate) sound: Option<u8>,
    /// How long the product waits by the words.
    pub(crate) words_ms: u64,
    /// How long it waits by both.
    pub(crate) both_ms: Option<u64>,
}

/// A stretch of speech.
struct Phrase {
    text: String,
    /// From the beginning of the turn.
    start_ms: u64,
    end_ms: u64,
    /// What follows.
    place: Place,
    pause_ms: u64,
}

/// All turns of one recording, and of two that follow each other.
pub(crate) fn listen(speaker: &[Part], asked: &Interview, turns: Option<&Turns>) -> Vec<Said> {
    let mut said = Vec::new();
    for count in 1..=PARTS_MAX {
        for parts in speaker.windows(count) {
            said.extend(turn(parts, asked, turns));
        }
    }
    said
}

fn turn(parts: &[Part], asked: &Interview, turns: Option<&Turns>) -> Vec<Said> {
    let (mut sound, mut phrases) = (Vec::new(), Vec::<Phrase>::new());
    for part in parts {
        let begin_ms = (sound.len() / MS) as u64;
        if let Some(last) = phrases.last_mut() {
            last.place = Place::Between;
        }
        for (n, (span, text)) in part.spans.iter().enumerate() {
            let next = part.spans.get(n + 1).map(|(next, _)| next.start);
            phrases.push(Phrase {
                text: text.clone(),
                start_ms: begin_ms + span.start,
                end_ms: begin_ms + span.end,
                place: if next.is_some() { Place::Within } else { Place::End },
                pause_ms: next.map_or(0, |next| next.saturating_sub(span.end)),
            });
        }
        sound.extend(&part.sound);
        sound.resize(sound.len().next_multiple_of(MS), 0);
    }
    let scores: Vec<Option<u8>> = phrases
        .iter()
        .map(|phrase| turns.and_then(|turns| score(turns, &sound, phrase, &phrases)))
        .collect();
    let words = waits(&phrases, asked, None);
    let both = turns.map(|_| waits(&phrases, asked, Some(&scores)));
    let mut text = String::new();
    let mut say = |(n, phrase): (usize, &Phrase)| {
        text = format!("{text} {}", phrase.text).trim().to_owned();
        Said {
            place: phrase.place,
            is_joined: parts.len() > 1,
            recorded_ms: phrase.pause_ms,
            text: text.clone(),
            sound: scores[n],
            words_ms: words[n],
            both_ms: both.as_ref().map(|both| both[n]),
        }
    };
    phrases.iter().enumerate().map(&mut say).collect()
}

/// What is said of the sound up to the end of a phrase, with as much pause behind it as a session gives.
fn score(turns: &Turns, sound: &[i16], phrase: &Phrase, phrases: &[Phrase]) -> Option<u8> {
    let pause_ms = PAUSE.as_millis() as u64;
    let begin_ms = phrases.first().map_or(0, |first| first.start_ms.saturating_sub(LEAD_MS));
    let begin_ms =
        begin_ms.max((phrase.end_ms + pause_ms).saturating_sub(TURN_MAX.as_millis() as u64));
    let next = phrases.iter().map(|phrase| phrase.start_ms).find(|start| *start >= phrase.end_ms);
    let end_ms = (phrase.end_ms + pause_ms).min(next.unwrap_or(u64::MAX));
    let sample = |ms: u64| (ms as usize * MS).min(sound.len());
    let mut heard = sound[sample(begin_ms)..sample(end_ms)].to_vec();
    // What comes too soon is left away: in the turn that is tried there is a pause.
    heard.resize((phrase.end_ms + pause_ms - begin_ms) as usize * MS, 0);
    turns.ended_percent(&Pcm16(heard))
}

/// How long the product would wait after each phrase, if it was the last.
fn waits(phrases: &[Phrase], asked: &Interview, scores: Option<&[Option<u8>]>) -> Vec<u64> {
    let mut interview = asked.clone();
    // Some time after all that has happened in it.
    let mut now = SessionTime::from_millis(2_000);
    let mut waits = Vec::new();
    for (n, phrase) in phrases.iter().enumerate() {
        let from = now;
        let stopped = from + Duration::from_millis(phrase.end_ms - phrase.start_ms);
        let told = stopped + PAUSE;
        let mut tell = |at: SessionTime, event: Event| drop(interview.handle(at, at, event));
        tell(from, Event::SpeechStarted { at: from });
        tell(told, Event::SpeechStopped { at: stopped });
        if let Some(ended_percent) = scores.and_then(|scores| scores[n]) {
            tell(told, Event::PauseWeighed { stopped, ended_percent });
        }
        let segment = n as u32 + 1;
        let text = phrase.text.clone();
        let words = Words {
            segment,
            from,
            to: stopped,
            text,
            confidence: Some(1.0),
            ends_turn: None,
            spans: Vec::new(),
        };
        tell(told, Event::FinalTranscript(words));
        waits.push(match interview.deadline() {
            Some((due, Timer::Endpointing)) => due.since(stopped).as_millis() as u64,
            _ => SOFT_PROMPT_MS,
        });
        now = stopped + Duration::from_millis(TOLD_MS);
    }
    waits
}
