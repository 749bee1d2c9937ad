//! `vivavoce journal` and `vivavoce verify`: what is in a journal, and whether this program would do the same
//! again.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{
    Failed,
    out::{BAD, FAINT, GOOD, OTHER, PLAIN, STRONG, say, say_difference},
};
use crate::{
    interview::{ENGINE, Effect},
    journal::{self, Entry, Header, Inputs, Narrator, Tone, Unreadable},
};

/// The names of an interview's files, as `store` writes them.
const JOURNAL: &str = "journal.jsonl";
const INPUTS: &str = "inputs.json";

/// A journal from disk, with the inputs beside it.
struct Kept {
    path: PathBuf,
    header: Header,
    entries: Vec<Entry>,
    inputs: Option<Inputs>,
    /// Whether a crash tore its last line.
    torn: bool,
}

/// Prints the conversation, or the whole interview as JSON.
pub fn journal(path: &Path, json: bool) -> Result<(), Failed> {
    let kept = Kept::open(path)?;
    if json {
        let record = journal::record(&kept.header, &kept.entries, kept.inputs.as_ref());
        say(PLAIN, journal::record_text(&record).trim_end());
        return Ok(());
    }
    let Header { interview, engine, started_at, .. } = &kept.header;
    let blueprint = kept.inputs.as_ref().map_or("?", |inputs| &inputs.blueprint);
    say(
        FAINT,
        &format!(
            "{interview}, blueprint {blueprint}, engine {engine}, begun {}",
            date(*started_at)
        ),
    );
    let fresh = kept.inputs.as_ref().filter(|_| *engine == ENGINE);
    let mut narrator = Narrator::new(fresh.and_then(|inputs| inputs.interview().ok()));
    for told in kept.entries.iter().flat_map(|entry| narrator.tell(entry)) {
        let style = match told.tone {
            Tone::Heading => STRONG,
            Tone::Interviewer => OTHER,
            Tone::Candidate => PLAIN,
            Tone::Note => FAINT,
            Tone::Trouble => BAD,
        };
        say(style, &told.to_string());
    }
    Ok(())
}

/// Replays the journal; fails with the first entry whose effects are not the same today.
pub fn verify(path: &Path) -> Result<(), Failed> {
    let kept = Kept::open(path)?;
    let name = kept.path.display();
    let written_by = kept.header.engine;
    if written_by != ENGINE {
        return Err(Failed(format!(
            "{name} was written by engine {written_by} and this program has engine {ENGINE}: verify \
                it with the version that wrote it"
        )));
    }
    let Some(inputs) = &kept.inputs else {
        return Err(Failed(format!(
            "there is no {INPUTS} beside {name}: without what the interview was made from it cannot \
                be replayed"
        )));
    };
    if inputs.hash() != kept.header.inputs {
        return Err(Failed(format!(
            "the {INPUTS} beside {name} is not the one that it was written with: put that one back"
        )));
    }
    let fresh = inputs.interview().map_err(|problems| {
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        Failed(format!("the {INPUTS} beside {name} makes no interview:\n{}", problems.join("\n")))
    })?;
    if let Err(difference) = journal::replay(fresh, &kept.entries) {
        let entry = &kept.entries[difference.n as usize - 1];
        say_difference(
            (&format!("entry {}, written", difference.n), &lines(&difference.written)),
            ("today", &lines(&difference.today)),
        );
        return Err(Failed(format!(
            "{name}: entry {} at {} has other effects today; what happened was {}",
            difference.n,
            entry.at,
            serde_json::to_string(&entry.event).expect("plain data serializes")
        )));
    }
    let torn = if kept.torn { "; a last line that a crash tore was left out" } else { "" };
    say(GOOD, &format!("same effects ({} entries{torn})", kept.entries.len()));
    Ok(())
}

impl Kept {
    /// The journal at `path`, or in that folder.
    fn open(path: &Path) -> Result<Self, Failed> {
        let path = if path.is_dir() { path.join(JOURNAL) } else { path.to_owned() };
        let name = path.display();
        let bytes = fs::read(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                Failed(format!("there is no {name}: give a journal, or the folder of an interview"))
            }
            _ => Failed(format!("cannot read {name}: {error}")),
        })?;
        // What is not text breaks the checksum of its line, which is then named.
        let text = String::from_utf8_lossy(&bytes);
        let (header, entries) = journal::parse(&text).map_err(|why| match why {
            Unreadable::Line { line: 1, what } => Failed(format!(
                "{name} is no journal ({what}): give the {JOURNAL} of an interview, or its folder"
            )),
            Unreadable::Line { .. } | Unreadable::Empty | Unreadable::TooNew { .. } => {
                Failed(format!("{name}: {why}"))
            }
        })?;
        let inputs = inputs(&path.with_file_name(INPUTS))?;
        Ok(Self { header, entries, inputs, torn: !text.ends_with('\n'), path })
    }
}

fn inputs(path: &Path) -> Result<Option<Inputs>, Failed> {
    let unreadable =
        |error: &dyn std::fmt::Display| Failed(format!("cannot read {}: {error}", path.display()));
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| unreadable(&error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&error)),
    }
}

fn lines(effects: &[Effect]) -> String {
    let line = |effect| serde_json::to_string(effect).expect("plain data serializes") + "\n";
    effects.iter().map(line).collect()
}

fn date(millis: u64) -> String {
    let at = i64::try_from(millis).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.map_or("at an unknown time".to_owned(), |at| format!("{at:.0}"))
}
