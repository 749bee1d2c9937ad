//! What a session leaves beside its journal.

use crate::{
    journal,
    store::{Hold, Projection, StoreError},
};

/// Writes the projections that people and programs read; the journal is the truth if this fails.
pub(super) async fn write_projections(hold: &Hold) {
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
