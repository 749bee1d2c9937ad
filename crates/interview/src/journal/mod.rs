//! The journal of an interview: every event with its time and effects, in lines of JSON.
//!
//! The truth: state is a fold over it ([`replay`]), what people and programs read are projections of it
//! ([`transcript`], [`record`], [`Narrator`]).

mod handover;
mod narrate;
mod observe;
mod outcome;
mod plan;
mod record;
mod transcript;

use serde::{Deserialize, Serialize};

pub use handover::{HandoverFile, handover};
pub use narrate::{Narrator, Told, Tone};
pub use observe::{Happened, Happening, Observer, is_forced, name};
pub use outcome::Outcome;
pub use plan::{
    ContactField, PlanProgress, QuestionProgress, TopicProgress, form_fields, plan_progress,
};
pub use record::{
    Findings, HandoffNumbers, Metrics, RECORD_FILE, RECORD_VERSION, Record, Source, StageNumbers,
    StageRecord, record, record_text,
};
pub(crate) use transcript::{Conversation, conversation, whole_transcript, wordings};
pub use transcript::{Line, Speaker, State, Transcript, transcript};

pub use crate::{
    blueprint::Accommodations,
    interview::{End, ItemStatus, Origin, Settled},
};

use crate::{
    blueprint::{Blueprint, Context, Manner, Problem},
    interview::{ENGINE, Effect, Event, Interview, Note, Notice, TurnId},
    time::SessionTime,
};

/// What a transcript has in place of an answer that is nobody's business: the journal alone has the words
/// (case 39).
pub const REDACTED: &str = "[something personal, left out]";

/// The turn that a report must not show, if this effect says so.
fn private_turn(effect: &Effect) -> Option<TurnId> {
    if let Effect::Note(Note::Sensitive { turn }) = effect { Some(*turn) } else { None }
}

/// The version of the format.
pub const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The format's version.
    pub v: u32,
    /// The engine under which the same events give the same effects.
    pub engine: u32,
    /// The interview's id.
    pub interview: String,
    /// Milliseconds since 1970.
    pub started_at: u64,
    /// The hash of the inputs (`Inputs::hash`).
    pub inputs: String,
}

/// Every other line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Counts from 1.
    pub n: u64,
    /// The clock.
    pub at: SessionTime,
    /// How far the candidate's sound had been processed.
    pub heard: SessionTime,
    /// What happened.
    pub event: Event,
    /// What followed from it.
    pub effects: Vec<Effect>,
}

/// What an interview is made from; frozen when it is launched (B03).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// The format's version.
    pub v: u32,
    /// The blueprint's name.
    pub blueprint: String,
    /// The blueprint's files, name and text.
    pub files: Vec<(String, String)>,
    /// Who is interviewed for what.
    pub context: Context,
    /// What is made different for them, as they or the recruiter chose before it began (C01).
    #[serde(default, skip_serializing_if = "Accommodations::is_none")]
    pub accommodations: Accommodations,
    /// That it is practice, if it is: then whoever is interviewed gets something back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub practice: Option<Practice>,
    /// How the candidate behaves, if they are simulated: then it is no interview with a person (U03).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Manner>,
}

/// A practice interview (C03).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Practice {
    /// The question of an earlier one that it asks again, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
}

/// A question of an earlier practice interview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The interview's id.
    pub interview: String,
    /// The question's number there.
    pub question: u32,
}

/// Why a journal cannot be read.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unreadable {
    /// A line is not what was written.
    #[error("line {line}: {what}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// There is no header yet.
    #[error("the journal is empty")]
    Empty,
    /// It was written by a newer program.
    #[error("the journal has format {v}; this program reads up to {VERSION}: use a newer one")]
    TooNew {
        /// Its version.
        v: u32,
    },
}

impl Header {
    /// The header of an interview that begins now.
    pub fn new(interview: &str, started_at: u64, inputs: &Inputs) -> Self {
        let inputs = inputs.hash();
        Self { v: VERSION, engine: ENGINE, interview: interview.to_owned(), started_at, inputs }
    }
}

impl Header {
    /// Whether this program decides as the one that wrote it.
    pub fn is_of_this_engine(&self) -> bool {
        self.engine == ENGINE
    }
}

impl Inputs {
    /// Inputs of an interview by `blueprint`.
    pub fn new(blueprint: &str, files: Vec<(String, String)>, context: Context) -> Self {
        let files = Blueprint::frozen(files);
        let (blueprint, accommodations) = (blueprint.to_owned(), Accommodations::default());
        let (practice, simulated) = (None, None);
        Self { v: VERSION, blueprint, files, context, accommodations, practice, simulated }
    }

    /// SHA-256 of the inputs as they are written, in hexadecimal.
    pub fn hash(&self) -> String {
        use sha2::{Digest, Sha256};
        let bytes = serde_json::to_vec(self).expect("plain data serializes");
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The interview that they make.
    pub fn interview(&self) -> Result<Interview, Vec<Problem>> {
        let fresh = Interview::new(&Blueprint::load(&self.files)?, &self.context);
        Ok(fresh.with_pauses(self.accommodations.patience()))
    }
}

/// A line to append, with its checksum and its line feed.
pub fn line(value: &impl Serialize) -> String {
    let body = serde_json::to_string(value).expect("plain data serializes");
    let body = body.strip_suffix('}').unwrap_or(&body);
    format!("{body},\"crc\":\"{:08x}\"}}\n", crc32fast::hash(body.as_bytes()))
}

/// A journal as far as it was written. A last line without its line feed was torn by a crash and is left out;
/// any other bad line makes the journal unreadable.
pub fn parse(text: &str) -> Result<(Header, Vec<Entry>), Unreadable> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines().enumerate();
    let (_, first) = lines.next().ok_or(Unreadable::Empty)?;
    let header: Header = parse_line(first, 1)?;
    if header.v > VERSION {
        return Err(Unreadable::TooNew { v: header.v });
    }
    let mut entries: Vec<Entry> = Vec::new();
    for (index, text) in lines {
        let entry: Entry = parse_line(text, index + 1)?;
        let (wanted, before) = (entries.len() as u64 + 1, entries.last());
        if entry.n != wanted {
            return Err(bad(index + 1, format!("entry {} stands where {wanted} should", entry.n)));
        }
        if before.is_some_and(|before| before.at > entry.at) {
            return Err(bad(index + 1, "its time is before that of the line above".into()));
        }
        entries.push(entry);
    }
    Ok((header, entries))
}

/// Whether the candidate was ever there.
pub fn somebody_came(entries: &[Entry]) -> bool {
    entries.iter().any(|entry| entry.event == Event::CandidateJoined)
}

/// Whether the interview has come to its end.
pub fn has_ended(entries: &[Entry]) -> bool {
    let mut effects = entries.iter().rev().flat_map(|entry| &entry.effects);
    effects.any(|effect| matches!(effect, Effect::Hangup { .. }))
}

/// Whether the candidate has paused the interview, and not gone on.
pub fn is_paused(entries: &[Entry]) -> bool {
    let effects = entries.iter().rev().flat_map(|entry| entry.effects.iter().rev());
    let mut shown = effects.filter_map(|effect| {
        if let Effect::Publish(Notice::Status(status)) = effect {
            Some(status.paused)
        } else {
            None
        }
    });
    shown.next().unwrap_or(false)
}

/// Whether the candidate was in distress: a person should know.
pub fn was_in_distress(entries: &[Entry]) -> bool {
    let mut effects = entries.iter().flat_map(|entry| &entry.effects);
    effects.any(|effect| matches!(effect, Effect::Note(Note::Distress { .. })))
}

fn parse_line<T: for<'a> Deserialize<'a>>(text: &str, line: usize) -> Result<T, Unreadable> {
    let (body, crc) =
        text.rsplit_once(",\"crc\":\"").ok_or_else(|| bad(line, "it has no checksum".into()))?;
    let crc = crc.strip_suffix("\"}").and_then(|hex| u32::from_str_radix(hex, 16).ok());
    if crc != Some(crc32fast::hash(body.as_bytes())) {
        return Err(bad(line, "its checksum does not match: it was changed".into()));
    }
    serde_json::from_str(&format!("{body}}}")).map_err(|error| bad(line, error.to_string()))
}

fn bad(line: usize, what: String) -> Unreadable {
    Unreadable::Line { line, what }
}

/// Where a replay gave other effects than the journal has.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The entry.
    pub n: u64,
    /// What is written there.
    pub written: Vec<Effect>,
    /// What the engine does today.
    pub today: Vec<Effect>,
}

/// Folds the journal: the interview as it was after its last entry, or the first difference.
pub fn replay(mut interview: Interview, entries: &[Entry]) -> Result<Interview, Box<Difference>> {
    for entry in entries {
        let today = interview.handle(entry.at, entry.heard, entry.event.clone());
        if today != entry.effects {
            let written = entry.effects.clone();
            return Err(Box::new(Difference { n: entry.n, written, today }));
        }
    }
    Ok(interview)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::{End, Request};

    fn inputs() -> Inputs {
        Inputs::new("x", vec![("a".into(), "b".into())], Context::default())
    }

    fn journal() -> String {
        let mut text = line(&Header::new("i1", 0, &inputs()));
        for (n, event) in [
            Event::CandidateJoined,
            Event::Control { id: "}\n,\"crc\":\"".into(), request: Request::End, stage: None },
        ]
        .into_iter()
        .enumerate()
        {
            let at = SessionTime::from_millis(n as u64);
            let effects = vec![Effect::Hangup { end: End::CandidateEnded }];
            text += &line(&Entry { n: n as u64 + 1, at, heard: at, event, effects });
        }
        text
    }

    /// What was written is what is read, whatever is in it.
    #[test]
    fn lines_come_back() {
        let (header, entries) = parse(&journal()).unwrap();
        assert_eq!(header, Header::new("i1", 0, &inputs()));
        assert_eq!(entries.len(), 2);
        assert_eq!(line(&header) + &line(&entries[0]) + &line(&entries[1]), journal());
    }

    /// A torn last line is left out, wherever it was torn; a changed byte anywhere else is refused.
    #[test]
    fn torn_and_changed_lines() {
        let text = journal();
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        for cut in ends[1] + 1..text.len() {
            assert_eq!(parse(&text[..cut]).unwrap().1.len(), 1, "cut at {cut}");
        }
        for at in 0..ends[1] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert!(parse(&changed).is_err(), "a change of byte {at} was not seen");
        }
    }

    /// A line that is whole but missing, doubled or moved is noticed, though every checksum holds.
    #[test]
    fn lines_come_in_order() {
        let text = journal();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let [header, one, two] = lines[..] else { panic!("{text}") };
        for wrong in [[header, two, ""], [header, one, one], [header, two, one], [one, two, ""]] {
            assert!(parse(&wrong.concat()).is_err(), "{wrong:?}");
        }
    }

    /// A journal of a newer program is refused in one sentence.
    #[test]
    fn newer_formats() {
        let text = line(&Header { v: 99, ..Header::new("i1", 0, &inputs()) });
        assert_eq!(parse(&text), Err(Unreadable::TooNew { v: 99 }));
    }
}
