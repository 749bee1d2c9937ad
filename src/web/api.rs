use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router, middleware};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::guard::{Guard, guard};
use super::problem::Problem;
use super::{
    Config, Shared, accounts, actions, afterwards, assets, candidate, documents, export,
    interviews, launch, openings, outcome, plans, report, who,
};
use crate::assessor::Assessor;

const REQUEST_MAX_BYTES: usize = 256 * 1024;
/// A request with the text of documents, each character four bytes long, and a résumé.
const PLAN_MAX_BYTES: usize = 2 * 1024 * 1024;

#[derive(OpenApi)]
#[openapi(info(
    title = "Vivavoce",
    description = "What the web app's pages use.",
    license(name = "Apache-2.0", identifier = "Apache-2.0")
))]
struct Description;

/// All that the web app answers.
pub fn router(config: Config) -> Router {
    build(config).0
}

pub(super) fn build(config: Config) -> (Router, Arc<Shared>) {
    let headers = Guard::new(&config.livekit_public_url, config.site.listen, config.site.is_secure);
    let (reader, planner) = (config.reader.clone(), config.planner.clone());
    let assessor = Assessor::new(config.store.clone(), planner.writer());
    let shared = Arc::new(Shared::new(config));
    let (api, _) = described().split_for_parts();
    let router = api
        .route("/assets/{*path}", get(assets::file))
        .route("/healthz", get(async || super::ALIVE))
        .route("/readyz", get(ready))
        .fallback(page_or_problem)
        .layer(Extension(reader))
        .layer(Extension(planner))
        .layer(Extension(assessor))
        .layer(DefaultBodyLimit::max(REQUEST_MAX_BYTES))
        .layer(middleware::from_fn_with_state(shared.clone(), who::admit))
        .layer(middleware::from_fn_with_state(headers, guard))
        .with_state(shared.clone());
    (router, shared)
}

/// The OpenAPI document, made from the handlers: `web/openapi.json`.
pub fn openapi_json() -> String {
    let (_, api) = described().split_for_parts();
    let mut json = api.to_pretty_json().expect("a document of strings and maps is JSON");
    json.push('\n');
    json
}

fn described() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(accounts::get_session, accounts::sign_in, accounts::sign_out))
        .routes(routes!(accounts::set_up))
        .routes(routes!(accounts::welcome))
        .routes(routes!(accounts::change_password))
        .routes(routes!(accounts::list_accounts, accounts::add_account))
        .routes(routes!(accounts::change_account))
        .routes(routes!(accounts::link_account))
        .routes(routes!(accounts::list_keys, accounts::make_key))
        .routes(routes!(accounts::remove_key))
        .routes(routes!(accounts::list_audit))
        .routes(routes!(openings::list_templates))
        .routes(routes!(openings::estimate_opening))
        .routes(routes!(openings::list_openings, openings::make_opening))
        .routes(routes!(openings::get_opening, openings::change_opening))
        .routes(routes!(openings::set_opening_state))
        .routes(routes!(openings::preview_opening))
        .routes(routes!(openings::read_candidates))
        .routes(routes!(launch::list_blueprints))
        .routes(routes!(launch::list_roles))
        .routes(routes!(plans::get_sample))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(launch::launch_interview, interviews::list_interviews))
                .routes(routes!(plans::plan_interview))
                .routes(routes!(openings::invite_candidates))
                .layer(DefaultBodyLimit::max(PLAN_MAX_BYTES)),
        )
        .routes(routes!(interviews::listen_to_interviews))
        .routes(routes!(interviews::get_interview, actions::remove_interview))
        .routes(routes!(actions::end_interview))
        .routes(routes!(actions::listen_to_interview))
        .routes(routes!(actions::suggest))
        .routes(routes!(actions::renew_link))
        .routes(routes!(actions::cancel_interview))
        .routes(routes!(actions::get_decision, actions::decide))
        .routes(routes!(actions::list_notes, actions::add_note))
        .routes(routes!(afterwards::get_after_of_interview))
        .routes(routes!(afterwards::get_after))
        .routes(routes!(afterwards::correct))
        .routes(routes!(afterwards::give_feedback))
        .routes(routes!(afterwards::ask_deletion))
        .routes(routes!(afterwards::ask_review))
        .routes(routes!(interviews::get_recording))
        .routes(routes!(outcome::get_summary))
        .routes(routes!(outcome::get_file))
        .routes(routes!(report::get_report, report::make_report))
        .routes(routes!(export::get_export))
        .routes(routes!(candidate::get_candidate))
        .routes(routes!(candidate::start_interview))
        .routes(routes!(candidate::get_transcript))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(documents::read_document))
                .layer(documents::body_limit()),
        )
}

async fn ready(State(shared): State<Arc<Shared>>) -> Response {
    match shared.livekit.check().await {
        Ok(()) => "ready".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, why.to_string()).into_response(),
    }
}

async fn page_or_problem(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") {
        return Problem::new(StatusCode::NOT_FOUND, "There is nothing at this address of the API.")
            .into_response();
    }
    assets::page().await
}
