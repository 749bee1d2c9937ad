//! What a session has in the store: its journal when it begins, and the projections when it has ended.

use super::{Machine, Parts, SessionError};
use crate::{
    journal,
    store::{Hold, OpenJournal, Projection, Receipt, StoreError},
};

/// The interview where its journal left it, at its beginning if it has none.
pub(super) fn folded(parts: &Parts) -> Result<Machine, SessionError> {
    let machine = Machine::after(parts.interview.clone(), &parts.before);
    let mut machine = machine.map_err(SessionError::Differs)?;
    machine.understand_by(&parts.providers);
    match machine.interview.is_over() {
        true => Err(SessionError::Ended(parts.hold.id)),
        false => Ok(machine),
    }
}

/// Opens the journal. A new one gets its header; one that goes on has to be what it was when it was read.
pub(super) async fn open_journal(
    parts: &Parts,
) -> Result<(OpenJournal, Option<Receipt>), SessionError> {
    let (journal, text) = parts.hold.open_journal().await?;
    if text.is_empty() && parts.before.is_empty() {
        let header = journal.append(&journal::line(&parts.header))?;
        return Ok((journal, Some(header)));
    }
    match journal::parse(&text) {
        Ok((header, entries)) if header == parts.header && entries == parts.before => {
            Ok((journal, None))
        }
        Ok(_) | Err(_) => Err(SessionError::Begun(parts.hold.id)),
    }
}

/// Writes the projections of a journal that people and programs read; the journal is the truth if this fails.
pub async fn write_projections(hold: &Hold) {
    if let Err(why) = written(hold).await {
        tracing::error!(%why, "the projections were not written");
    }
}

async fn written(hold: &Hold) -> Result<(), StoreError> {
    let text = hold.store.read_journal(hold.id).await?.unwrap_or_default();
    let (header, entries) = match journal::parse(&text) {
        Ok(parsed) => parsed,
        Err(why) => {
            tracing::error!(%why, "the journal just written was not readable");
            return Ok(());
        }
    };
    let inputs = hold.store.inputs(hold.id).await.ok();
    let record = journal::record(&header, &entries, inputs.as_ref());
    hold.write_projection(Projection::Record, journal::record_text(&record)).await?;
    let transcript = journal::transcript(&header, &entries);
    let transcript = serde_json::to_string_pretty(&transcript).expect("plain data serializes");
    hold.write_projection(Projection::Transcript, transcript + "\n").await
}
