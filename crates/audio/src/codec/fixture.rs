//! Recorded candidates with their truth: `<name>.wav` and `<name>.toml` in one folder.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;

use super::wav::{self, WavError};
use crate::Pcm16;

/// A candidate's answers, to be played one after the other as the interviewer lets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its name: that of the files.
    pub name: String,
    /// Who speaks.
    pub voice: String,
    /// What it is for.
    pub note: String,
    /// The answers, in the order of the file.
    pub answers: Vec<Answer>,
    /// All of the file's sound; the answers and the silence between them.
    pub sound: Pcm16,
}

/// One answer of the candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// When it is given.
    pub starts: Starts,
    /// The speech in it; between two spans is a pause that belongs to the answer.
    pub spans: Vec<Span>,
}

/// When an answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// When the interviewer has finished speaking.
    AfterReply,
    /// Over the interviewer, so long after the reply's first sound.
    OverReply(Duration),
}

/// Speech without a pause.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// Where it begins in the file, in ms.
    pub start_ms: u64,
    /// Where it ends, in ms.
    pub end_ms: u64,
    /// The words.
    pub text: String,
}

/// Why a fixture was not read; a whole sentence each.
#[derive(Debug, thiserror::Error)]
pub enum FixtureError {
    /// No such fixture.
    #[error("there is no fixture \"{name}\" in {}; there are: {}", folder.display(), known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Where it was looked for.
        folder: PathBuf,
        /// What is there.
        known: Vec<String>,
    },
    /// Its truth is not well-formed, or does not fit the sound.
    #[error("{}: {why}", path.display())]
    Truth {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line where that is known.
        why: String,
    },
    /// Its sound cannot be read.
    #[error(transparent)]
    Sound(#[from] WavError),
}

impl Fixture {
    /// Reads the fixture `name` in `folder`.
    pub fn load(folder: &Path, name: &str) -> Result<Self, FixtureError> {
        let known = names(folder);
        if !known.iter().any(|known| known == name) {
            return Err(FixtureError::Unknown { name: name.into(), folder: folder.into(), known });
        }
        let path = folder.join(format!("{name}.toml"));
        let wrong = |why: String| FixtureError::Truth { path: path.clone(), why };
        let text = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        let truth: Truth = toml::from_str(&text).map_err(|error| {
            // What toml prints besides is a picture of the line.
            let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
            let line = before.lines().count().max(1);
            wrong(format!("line {line}: {}", error.message()))
        })?;
        let sound = wav::read(&folder.join(format!("{name}.wav")))?.sound;
        let answers: Vec<Answer> = truth.answer.into_iter().map(Answer::from).collect();
        let mut end_ms = 0;
        for span in answers.iter().flat_map(|answer| &answer.spans) {
            let length_ms = sound.duration().as_millis() as u64;
            if span.start_ms < end_ms || span.end_ms <= span.start_ms || span.end_ms > length_ms {
                return Err(wrong(format!(
                    "the span {}..{} ms does not follow the one before within the {length_ms} ms of sound",
                    span.start_ms, span.end_ms
                )));
            }
            end_ms = span.end_ms;
        }
        if answers.iter().any(|answer| answer.spans.is_empty()) {
            return Err(wrong("an answer has no [[answer.span]]".into()));
        }
        Ok(Self { name: name.into(), voice: truth.voice, note: truth.note, answers, sound })
    }

    /// The sound of one answer, its pauses included.
    pub fn sound_of(&self, answer: &Answer) -> Pcm16 {
        let (Some(first), Some(last)) = (answer.spans.first(), answer.spans.last()) else {
            return Pcm16::default();
        };
        let sample = |ms: u64| usize::try_from(ms * 16).unwrap_or(usize::MAX);
        let sound = self.sound.0.get(sample(first.start_ms)..sample(last.end_ms));
        Pcm16(sound.unwrap_or_default().to_vec())
    }
}

impl Answer {
    /// All words of the answer.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.spans.iter().map(|span| span.text.as_str()).collect();
        texts.join(" ")
    }
}

/// The names of all fixtures in `folder`, sorted; none if it cannot be read.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "wav"))
        .filter_map(|path| path.file_stem()?.to_str().map(String::from))
        .collect();
    names.sort();
    names
}

/// The `.toml` beside the sound.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Truth {
    #[serde(default)]
    voice: String,
    #[serde(default)]
    note: String,
    #[serde(default)]
    answer: Vec<TruthAnswer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TruthAnswer {
    /// Given over the interviewer, so many ms after the reply's first sound.
    over_ms: Option<u64>,
    #[serde(default)]
    span: Vec<Span>,
}

impl From<TruthAnswer> for Answer {
    fn from(truth: TruthAnswer) -> Self {
        let over = |ms| Starts::OverReply(Duration::from_millis(ms));
        Self { starts: truth.over_ms.map_or(Starts::AfterReply, over), spans: truth.span }
    }
}
