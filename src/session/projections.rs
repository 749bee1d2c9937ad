//! What a session leaves beside its journal.

use crate::{journal, store::Folder};

/// What is written beside a journal when its session has ended, made of it.
pub const PROJECTIONS: &[&str] = &[journal::RECORD_FILE, TRANSCRIPT_FILE];
/// The conversation as a list of turns.
pub const TRANSCRIPT_FILE: &str = "transcript.json";

/// Writes the projections that people and programs read; the journal is the truth if this fails.
pub(super) fn write_projections(folder: &Folder) {
    let written =
        folder.read_journal().and_then(|text| match journal::parse(&text.unwrap_or_default()) {
            Ok((header, entries)) => {
                let inputs = folder.inputs().ok();
                let record = journal::record(&header, &entries, inputs.as_ref());
                folder.write_json(journal::RECORD_FILE, &record)?;
                folder.write_json(TRANSCRIPT_FILE, &journal::transcript(&header, &entries))
            }
            Err(why) => {
                tracing::error!(%why, "the journal just written was not readable");
                Ok(())
            }
        });
    if let Err(why) = written {
        tracing::error!(%why, "the projections were not written");
    }
}
