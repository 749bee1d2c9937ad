//! What is worth a line in the log.

use crate::interview::{NotTheirs, Note};

/// Logs a note, if it is, and counts it.
pub(super) fn noted(note: &Note) {
    match note {
        Note::Guarded { reply, fault } => {
            tracing::info!(reply = reply.0, ?fault, "words of the model were not spoken");
            metrics::counter!("vivavoce_guarded_total").increment(1);
        }
        Note::PassedOver { segment, why } => {
            tracing::debug!(segment, ?why, "words were none of the candidate's");
            let why = match why {
                NotTheirs::Echo => "echo",
                NotTheirs::NoVoice => "no_voice",
            };
            metrics::counter!("vivavoce_passed_over_total", "why" => why).increment(1);
        }
        Note::MaxTurns { missing } => {
            tracing::warn!(?missing, "an interview was closed at its most turns");
        }
        Note::BelowDepth { stage, depth, wanted } => {
            tracing::info!(%stage, depth, wanted, "a limit ended a stage below its depth");
        }
        Note::Milestone { stage, percent } => {
            tracing::info!(%stage, percent, "a part of the stage's time was over");
        }
        Note::Distress { turn } => tracing::warn!(turn = turn.0, "the candidate was in distress"),
        Note::Coverage { turn, percent, holes } => {
            tracing::info!(
                turn = turn.0,
                percent,
                holes = holes.len(),
                "an answer was not all understood"
            );
            metrics::counter!("vivavoce_holes_total").increment(holes.len() as u64);
        }
        Note::NotCaught => {
            tracing::info!("the candidate spoke and nothing was understood");
            metrics::counter!("vivavoce_not_caught_total").increment(1);
        }
        Note::Extension { accepted } => {
            tracing::info!(accepted, "more time was offered");
        }
        Note::Consent { given } => tracing::info!(given, "contact data were asked for"),
        Note::Item(_)
        | Note::Topic(_)
        | Note::Asked { .. }
        | Note::Answered { .. }
        | Note::Judged { .. }
        | Note::Field { .. }
        | Note::Todo(_)
        | Note::Corrected { .. }
        | Note::CandidateAsked { .. }
        | Note::Skipped { .. }
        | Note::Sensitive { .. }
        | Note::Insulted { .. }
        | Note::Suggested { .. }
        | Note::Held
        | Note::WantsToStop
        | Note::OtherLanguage
        | Note::Summary { .. } => {}
    }
}
