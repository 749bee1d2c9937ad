use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router, middleware};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::guard::{Guard, guard};
use super::problem::Problem;
use super::{
    Config, Shared, accounts, actions, afterwards, api_doc, assets, attempts, blueprints,
    candidate, candidate_report, costs, documents, export, integrity, interviews, launch, levels,
    mail, mcp, oidc, openings, outcome, partner, pasted, plans, practice, receipts, report, shares,
    simulated, sound_check, trail, webhooks::handlers as hooks, who,
};
use crate::clock;
use crate::coach::Coach;

const REQUEST_MAX_BYTES: usize = 256 * 1024;
/// A request with the text of documents, each character four bytes long, and a résumé.
const PLAN_MAX_BYTES: usize = 2 * 1024 * 1024;

#[derive(OpenApi)]
#[openapi(info(
    title = "Vivavoce",
    description = "The API of the web app: what its pages use, and other programs.",
    license(name = "Apache-2.0", identifier = "Apache-2.0")
))]
struct Description;

/// All that the web app answers.
pub fn router(config: Config) -> Router {
    build(config).0
}

pub(super) fn build(config: Config) -> (Router, Arc<Shared>) {
    let headers = Guard::new(&config.livekit_public_url, config.site.exposure.clone());
    let (reader, planner) = (config.reader.clone(), config.planner.clone());
    let coach = Coach::new(config.store.clone(), planner.writer());
    let shared = Arc::new(Shared::new(config));
    let (api, _) = described().split_for_parts();
    let router = api
        .route_service("/mcp", mcp::service(shared.clone(), shared.assessor.clone()))
        .route("/api/openapi.json", get(openapi))
        .route("/api/docs", get(docs))
        .route("/assets/{*path}", get(assets::file))
        .route("/healthz", get(async || super::ALIVE))
        .route("/readyz", get(ready))
        .fallback(page_or_problem)
        .layer(Extension(reader))
        .layer(Extension(planner))
        .layer(Extension(shared.assessor.clone()))
        .layer(Extension(coach))
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
        .routes(routes!(oidc::start_sign_in))
        .routes(routes!(oidc::finish_sign_in))
        .routes(routes!(accounts::set_up))
        .routes(routes!(accounts::welcome))
        .routes(routes!(accounts::change_password))
        .routes(routes!(accounts::confirm))
        .routes(routes!(accounts::list_accounts, accounts::add_account))
        .routes(routes!(accounts::change_account))
        .routes(routes!(accounts::link_account))
        .routes(routes!(accounts::list_keys, accounts::make_key))
        .routes(routes!(accounts::remove_key))
        .routes(routes!(openings::list_templates))
        .routes(routes!(openings::estimate_opening))
        .routes(routes!(openings::list_openings, openings::make_opening))
        .routes(routes!(openings::get_opening, openings::change_opening))
        .routes(routes!(openings::set_opening_state))
        .routes(routes!(openings::preview_opening))
        .routes(routes!(simulated::simulate_opening))
        .routes(routes!(pasted::read_candidates))
        .routes(routes!(pasted::read_candidates_file))
        .routes(routes!(launch::list_blueprints))
        .routes(routes!(launch::list_roles))
        .routes(routes!(plans::get_sample))
        .merge(for_trail())
        .merge(for_blueprints())
        .merge(
            OpenApiRouter::new()
                .routes(routes!(launch::launch_interview, interviews::list_interviews))
                .routes(routes!(plans::plan_interview))
                .routes(routes!(openings::invite_candidates))
                .routes(routes!(blueprints::check_blueprint))
                .routes(routes!(blueprints::list_versions, blueprints::save_blueprint))
                .layer(DefaultBodyLimit::max(PLAN_MAX_BYTES)),
        )
        .routes(routes!(interviews::listen_to_interviews))
        .routes(routes!(interviews::get_interview, actions::remove_interview))
        .routes(routes!(actions::end_interview))
        .routes(routes!(actions::listen_to_interview))
        .routes(routes!(actions::suggest))
        .routes(routes!(actions::renew_link))
        .routes(routes!(actions::cancel_interview))
        .routes(routes!(attempts::invite_again))
        .routes(routes!(mail::get_mail, mail::send_mail))
        .routes(routes!(mail::set_appointment, mail::take_back_appointment))
        .routes(routes!(actions::get_decision, actions::decide))
        .routes(routes!(actions::list_notes, actions::add_note))
        .routes(routes!(afterwards::get_after_of_interview))
        .routes(routes!(afterwards::get_after))
        .routes(routes!(afterwards::correct))
        .routes(routes!(afterwards::give_feedback))
        .routes(routes!(afterwards::ask_deletion))
        .routes(routes!(afterwards::ask_review))
        .routes(routes!(afterwards::comment))
        .routes(routes!(integrity::note_integrity))
        .routes(routes!(interviews::get_recording))
        .routes(routes!(outcome::get_summary))
        .routes(routes!(outcome::get_file))
        .routes(routes!(report::get_report, report::make_report))
        .routes(routes!(costs::get_cost))
        .routes(routes!(report::get_latency))
        .routes(routes!(export::get_export))
        .merge(for_others())
        .merge(for_candidates())
        .merge(
            OpenApiRouter::new()
                .routes(routes!(documents::read_document))
                .layer(documents::body_limit()),
        )
}

/// Who did what, what is left of what was deleted, and what people judged.
fn for_trail() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::new()
        .routes(routes!(trail::list_audit))
        .routes(routes!(trail::list_choices))
        .routes(routes!(trail::check_chain))
        .routes(routes!(trail::export_audit))
        .routes(routes!(receipts::list_receipts))
        .routes(routes!(levels::give_level))
}

/// Blueprints that are written in the web, but for what takes their text.
fn for_blueprints() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::new()
        .routes(routes!(blueprints::list_newest))
        .routes(routes!(blueprints::get_version))
        .routes(routes!(blueprints::copy_blueprint))
        .routes(routes!(blueprints::go_back))
}

/// What candidates have by their link, but for what comes afterwards.
fn for_candidates() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::new()
        .routes(routes!(candidate::get_candidate))
        .routes(routes!(candidate::start_interview))
        .routes(routes!(candidate::get_transcript))
        .routes(routes!(practice::get_practice))
        .routes(routes!(practice::try_again))
        .routes(routes!(candidate_report::get_candidate_report))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(sound_check::check_sound))
                .layer(sound_check::body_limit()),
        )
}

/// What is there for others than those who sign in: programs that are told, readers of a shared report, and
/// applicant tracking systems.
fn for_others() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::new()
        .routes(routes!(hooks::list_webhooks, hooks::add_webhook))
        .routes(routes!(hooks::change_webhook, hooks::remove_webhook))
        .routes(routes!(hooks::test_webhook))
        .routes(routes!(hooks::list_deliveries))
        .routes(routes!(hooks::send_again))
        .routes(routes!(shares::list_shares, shares::share_report))
        .routes(routes!(shares::revoke_share))
        .routes(routes!(shares::read_shared))
        .routes(routes!(partner::list_tests))
        .routes(routes!(partner::send_test))
        .routes(routes!(partner::test_status))
        .routes(routes!(partner::response_error))
}

/// The OpenAPI document, for whoever has signed in or has a key.
async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

/// The same to read, with examples: plain text, so that every browser shows it.
async fn docs() -> Response {
    api_doc::markdown(&openapi_json()).into_response()
}

async fn ready(State(shared): State<Arc<Shared>>) -> (StatusCode, &'static str) {
    match shared.live.readiness.is_ready(clock::instant, shared.livekit.check()).await {
        true => (StatusCode::OK, "ready"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "not ready"),
    }
}

async fn page_or_problem(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") {
        return Problem::new(StatusCode::NOT_FOUND, "There is nothing at this address of the API.")
            .into_response();
    }
    assets::page().await
}
