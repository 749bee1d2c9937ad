//! What is left of interviews that were deleted: a receipt each, without anything about the person.

use std::sync::Arc;

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    Shared,
    problem::{Asked, Problem},
};
use crate::database;

const ROWS_MAX: i64 = 200;

/// What is left of a deleted interview; nothing in it names a candidate.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Receipt)]
pub(super) struct ReceiptView {
    /// The interview's id.
    interview: String,
    /// When it was made, in milliseconds since 1970.
    made_at: i64,
    /// When its deletion was asked for: by the candidate, where they asked, else by whoever removed it.
    asked_at: i64,
    /// Whether it was the candidate who asked for it.
    by_candidate: bool,
    /// When somebody removed it.
    removed_at: i64,
    /// Who removed it; `retention` where its time was over.
    removed_by: String,
    /// When nothing was left; nothing while the deletion is under way.
    done_at: Option<i64>,
    /// What was deleted.
    what: String,
}

/// Which part of the receipts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ReceiptQuery {
    /// Those of interviews that were removed before this time, in milliseconds since 1970; now, if left out.
    before: Option<i64>,
    /// So many at most; 200 are the most.
    max: Option<i64>,
}

/// The receipts of deleted interviews, the newest first.
#[utoipa::path(get, path = "/api/receipts", operation_id = "listReceipts", params(ReceiptQuery), responses(
    (status = 200, body = Vec<ReceiptView>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_receipts(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<ReceiptQuery>,
) -> Result<Json<Vec<ReceiptView>>, Problem> {
    let max = asked.max.unwrap_or(ROWS_MAX).clamp(1, ROWS_MAX);
    let receipts = shared.database.receipts(asked.before.unwrap_or(i64::MAX), max).await?;
    Ok(Json(receipts.into_iter().map(ReceiptView::from).collect()))
}

impl From<database::Receipt> for ReceiptView {
    fn from(receipt: database::Receipt) -> Self {
        let database::Receipt { interview, made_at, asked_at, done_at, asked_by, what, .. } =
            receipt;
        let by_candidate = receipt.candidate_asked_at.is_some();
        let asked = receipt.candidate_asked_at.unwrap_or(asked_at);
        Self {
            interview,
            made_at,
            asked_at: asked,
            by_candidate,
            removed_at: asked_at,
            removed_by: asked_by,
            done_at,
            what,
        }
    }
}
