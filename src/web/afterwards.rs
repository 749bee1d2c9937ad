//! What candidates say after their interview: corrections, an opinion, a wish to be removed.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Shared,
    integrity::NotedView,
    launch::text,
    link::{Link, OpenLink},
    opening_form::{Integrity, ReportFor},
    problem::{Body, FieldProblem, Problem},
};
use crate::{
    database::{Act, Actor, CandidateWord, Database, Deed, WordKind},
    store::InterviewId,
};

const WORDS_MAX_CHARS: usize = 2_000;

/// What a candidate has said after their interview.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(super) struct AfterView {
    /// The last correction of each turn.
    corrections: Vec<CorrectionForm>,
    /// Their opinion; nothing before they gave one.
    feedback: Option<FeedbackForm>,
    /// Whether they asked to be removed.
    deletion_requested: bool,
    /// Whether they asked for a person to look at it.
    review_requested: bool,
    /// Whom they can ask; may be empty.
    contact: String,
    /// What happens now, in the words of whoever invited them; may be empty.
    next: String,
    /// What they get back beside the transcript.
    offers: Vec<Offered>,
    /// What was noted while it went on, with what they say to it; nothing where the opening did not ask.
    noted: Option<FactsView>,
}

/// Something that candidates get back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Offered {
    /// What was in each answer, and another try: it was practice.
    Practice,
    /// The report, as far as the opening allows it.
    Report,
}

/// What was noted in an interview: facts with times, and no score.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = NotedFacts)]
struct FactsView {
    /// The oldest first.
    facts: Vec<NotedView>,
    /// What the candidate says to it; may be empty.
    comment: String,
}

/// What a candidate says to the facts that were noted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommentForm {
    /// In their words.
    text: String,
}

/// A correction of the transcript: the words of a turn as the candidate meant them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CorrectionForm {
    /// The turn's place in the transcript, from 0.
    turn: u32,
    /// As they meant it.
    text: String,
}

/// What a candidate thought of the interview.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FeedbackForm {
    /// From 1 to 5; nothing for words alone.
    stars: Option<u8>,
    /// In their words; may be empty.
    #[serde(default)]
    text: String,
}

/// What a candidate has said after their interview.
#[utoipa::path(
    get, path = "/api/candidate/{token}/after", operation_id = "getAfter", params(("token" = String, Path)),
    responses(
        (status = 200, body = AfterView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_after(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
) -> Result<Json<AfterView>, Problem> {
    let id = shared.admit(&token).await?.open()?.id;
    shared.after(id).await.map(Json)
}

/// Corrects what was understood. The transcript stays as it was; the correction stands beside it.
#[utoipa::path(
    post, path = "/api/candidate/{token}/corrections", operation_id = "correct",
    params(("token" = String, Path)),
    request_body = CorrectionForm,
    responses(
        (status = 201, body = AfterView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn correct(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Body(form): Body<CorrectionForm>,
) -> Result<(StatusCode, Json<AfterView>), Problem> {
    let OpenLink { id, transcript, .. } = shared.admit(&token).await?.open()?;
    let turns = transcript.map_or(0, |transcript| transcript.lines.len());
    if form.turn as usize >= turns {
        let message = "There is no such line in the transcript.".to_owned();
        return Err(Problem::of_fields(vec![FieldProblem { field: "turn".to_owned(), message }]));
    }
    let turn = Some(i64::from(form.turn));
    shared.say(id, WordKind::Correction, turn, None, &form.text, "Type what you meant.").await
}

/// Says what they thought of the interview.
#[utoipa::path(
    post, path = "/api/candidate/{token}/feedback", operation_id = "giveFeedback",
    params(("token" = String, Path)),
    request_body = FeedbackForm,
    responses(
        (status = 201, body = AfterView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn give_feedback(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Body(form): Body<FeedbackForm>,
) -> Result<(StatusCode, Json<AfterView>), Problem> {
    let id = shared.admit(&token).await?.open()?.id;
    if form.stars.is_some_and(|stars| !(1..=5).contains(&stars)) {
        let message = "Choose from 1 to 5.".to_owned();
        return Err(Problem::of_fields(vec![FieldProblem { field: "stars".to_owned(), message }]));
    }
    let stars = form.stars.map(i64::from);
    let missing = if stars.is_some() { "" } else { "Choose from 1 to 5, or type a few words." };
    shared.say(id, WordKind::Feedback, None, stars, &form.text, missing).await
}

/// Asks to be removed: a recruiter sees it, and removes the interview.
#[utoipa::path(
    post, path = "/api/candidate/{token}/deletion", operation_id = "askDeletion",
    params(("token" = String, Path)),
    responses(
        (status = 201, body = AfterView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn ask_deletion(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
) -> Result<(StatusCode, Json<AfterView>), Problem> {
    let link = shared.admit(&token).await?;
    shared.claim(&link, WordKind::Deletion).await
}

/// Asks for a person to look at the interview and the decision about it.
#[utoipa::path(
    post, path = "/api/candidate/{token}/review", operation_id = "askReview",
    params(("token" = String, Path)),
    responses(
        (status = 201, body = AfterView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn ask_review(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
) -> Result<(StatusCode, Json<AfterView>), Problem> {
    let link = shared.admit(&token).await?;
    shared.claim(&link, WordKind::Review).await
}

/// Says something to the facts that were noted while the interview went on; the last one stands beside them.
#[utoipa::path(
    post, path = "/api/candidate/{token}/integrity/comment", operation_id = "commentIntegrity",
    params(("token" = String, Path)),
    request_body = CommentForm,
    responses(
        (status = 201, body = AfterView),
        (status = 404, body = Problem, description = "The link is not one of ours"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn comment(
    State(shared): State<Arc<Shared>>,
    Path(token): Path<String>,
    Body(form): Body<CommentForm>,
) -> Result<(StatusCode, Json<AfterView>), Problem> {
    let id = shared.admit(&token).await?.open()?.id;
    shared.say(id, WordKind::Integrity, None, None, &form.text, "Type what you want to say.").await
}

/// What the candidate of an interview has said afterwards, for the recruiter.
#[utoipa::path(
    get, path = "/api/interviews/{id}/after", operation_id = "getAfterOfInterview",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = AfterView),
        (status = 404, body = Problem, description = "There is no such interview"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_after_of_interview(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<AfterView>, Problem> {
    let found = shared.find(&id).await?;
    shared.after(found.id).await.map(Json)
}

impl Shared {
    /// Keeps what a candidate has a right to ask for, however much else they said and whatever became of
    /// their link. By a link that is closed they read nothing but that it is kept.
    async fn claim(
        &self,
        link: &Link,
        kind: WordKind,
    ) -> Result<(StatusCode, Json<AfterView>), Problem> {
        let key = link.id.to_string();
        self.reindex(link.id).await?;
        let word = CandidateWord { kind, turn: None, stars: None, text: String::new(), at: 0 };
        self.said_by_candidate(&key, kind).add_candidate_word(&key, &word).await?;
        let view = match link.is_closed() {
            false => self.after(link.id).await?,
            true => {
                let words = self.database.candidate_words(&key).await?;
                let said = |kind| words.iter().any(|word| word.kind == kind);
                AfterView {
                    deletion_requested: said(WordKind::Deletion),
                    review_requested: said(WordKind::Review),
                    ..AfterView::default()
                }
            }
        };
        Ok((StatusCode::CREATED, Json(view)))
    }

    /// Keeps what a candidate says in place of what they said of the same before; without words it is refused
    /// with `missing`, unless that is empty.
    async fn say(
        &self,
        id: InterviewId,
        kind: WordKind,
        turn: Option<i64>,
        stars: Option<i64>,
        said: &str,
        missing: &str,
    ) -> Result<(StatusCode, Json<AfterView>), Problem> {
        let mut problems = Vec::new();
        let text = text(&mut problems, "text", "This", said, WORDS_MAX_CHARS);
        if text.is_empty() && !missing.is_empty() {
            problems.push(FieldProblem { field: "text".to_owned(), message: missing.to_owned() });
        }
        if !problems.is_empty() {
            return Err(Problem::of_fields(problems));
        }
        self.reindex(id).await?;
        let word = CandidateWord { kind, turn, stars, text, at: 0 };
        let key = id.to_string();
        self.said_by_candidate(&key, kind).add_candidate_word(&key, &word).await?;
        Ok((StatusCode::CREATED, Json(self.after(id).await?)))
    }

    /// The database, whose next change is written together with what a candidate does by saying this.
    fn said_by_candidate(&self, interview: &str, kind: WordKind) -> Database {
        let act = match kind {
            WordKind::Correction => Act::Corrected,
            WordKind::Feedback => Act::GaveFeedback,
            WordKind::Deletion => Act::AskedDeletion,
            WordKind::Review => Act::AskedReview,
            WordKind::Integrity => Act::Commented,
            // The journal of that interview says it.
            WordKind::Try => return self.database.clone(),
        };
        let (object, detail) = (interview.to_owned(), String::new());
        self.database.recording([Deed { actor: Actor::candidate(interview), act, object, detail }])
    }

    async fn after(&self, id: InterviewId) -> Result<AfterView, Problem> {
        let form = self.form_of(id).await?;
        let mut view = AfterView {
            contact: form.terms.contact,
            next: form.terms.next,
            ..AfterView::default()
        };
        if self.store.inputs(id).await?.practice.is_some() {
            view.offers.push(Offered::Practice);
        }
        if form.terms.candidate_report != ReportFor::Nobody {
            view.offers.push(Offered::Report);
        }
        let facts = self.noted(id).await?;
        let mut comment = String::new();
        for word in self.database.candidate_words(&id.to_string()).await? {
            match word.kind {
                WordKind::Correction => {
                    let turn = word.turn.and_then(|turn| u32::try_from(turn).ok()).unwrap_or(0);
                    view.corrections.retain(|before| before.turn != turn);
                    view.corrections.push(CorrectionForm { turn, text: word.text });
                }
                WordKind::Feedback => {
                    let stars = word.stars.and_then(|stars| u8::try_from(stars).ok());
                    view.feedback = Some(FeedbackForm { stars, text: word.text });
                }
                WordKind::Deletion => view.deletion_requested = true,
                WordKind::Review => view.review_requested = true,
                // `practice.rs` shows it.
                WordKind::Try => {}
                WordKind::Integrity => comment = word.text,
            }
        }
        // What was noted is shown, even if the opening has stopped asking for it since.
        if form.terms.integrity == Integrity::Facts || !facts.is_empty() {
            view.noted = Some(FactsView { facts, comment });
        }
        Ok(view)
    }
}
