//! Signing in with an account from elsewhere.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::Deserialize;
use subtle::ConstantTimeEq;
use tracing::{info, warn};
use utoipa::IntoParams;

use super::{
    Shared,
    network::Network,
    problem::{Asked, Problem},
    who::{Who, cookie, named_cookie, session_token, short_cookie},
};
use crate::{
    clock::unix_millis,
    database::{Account, Act, BegunSignIn, Deed, NewAccount, Role},
    oidc::{Grade, NotSignedIn, Person, Provider},
};

/// The cookie that ties a sign-in to the browser that has begun it.
const STATE_COOKIE: &str = "vivavoce-sign-in";
/// So long a sign-in may take, with its second factor and a forgotten password.
const SIGN_IN_LIMIT_S: i64 = 15 * 60;
/// Whoever was asked by the provider so long ago has just shown who they are.
const JUST_SHOWN_S: i64 = 60;
/// Codes and states are shorter.
const PARAMETER_BYTES_MAX: usize = 4_096;

/// What the provider sends a browser back with.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct CameBack {
    /// What we get the token for.
    code: String,
    /// What ties it to a sign-in that was begun here.
    state: String,
    /// Why there is no code.
    error: String,
}

/// How a browser is sent to the provider.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct Start {
    /// Whether they show there again who they are, also if they are signed in there.
    fresh: bool,
}

/// Why nobody is signed in, as the sign-in page is told behind the `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    /// The provider does not answer, or not as it should.
    Failed,
    /// It took too long, or another browser began it.
    Over,
    /// They are not let in.
    NotAdmitted,
    /// Their address has an account that is not linked to them.
    Taken,
    /// Too many sign in at this moment.
    Busy,
}

impl Refusal {
    fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Over => "over",
            Self::NotAdmitted => "not-admitted",
            Self::Taken => "taken",
            Self::Busy => "busy",
        }
    }
}

/// Goes to the provider of accounts to sign in.
#[utoipa::path(get, path = "/api/oidc/start", operation_id = "startSignIn", params(Start), responses(
    (status = 303, description = "To the provider"),
    (status = 404, body = Problem, description = "No provider is set"),
    (status = "default", body = Problem),
))]
pub(super) async fn start_sign_in(
    State(shared): State<Arc<Shared>>,
    network: Network,
    Asked(Start { fresh }): Asked<Start>,
) -> Result<Response, Problem> {
    let provider = shared.provider()?;
    if shared.live.limits.try_elsewhere(network).is_err() {
        return Ok(refused(Refusal::Busy));
    }
    let begun = match provider.begin(fresh).await {
        Ok(begun) => begun,
        Err(why) => {
            warn!(%why, "sign-in could not begin");
            return Ok(refused(Refusal::Failed));
        }
    };
    let secrets = BegunSignIn { nonce: begun.nonce, verifier: begun.verifier, is_fresh: fresh };
    if !shared.database.begin_sign_in(&begun.state, &secrets, SIGN_IN_LIMIT_S * 1_000).await? {
        return Ok(refused(Refusal::Busy));
    }
    let is_secure = shared.site.exposure.is_secure();
    let set = short_cookie(STATE_COOKIE, &begun.state, SIGN_IN_LIMIT_S, is_secure);
    let headers = AppendHeaders([(header::SET_COOKIE, set), (header::LOCATION, begun.url)]);
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// Comes back from the provider: signs in, and goes on to the pages.
#[utoipa::path(
    get, path = "/api/oidc/callback", operation_id = "finishSignIn", params(CameBack),
    responses(
        (status = 303, description = "To the pages, signed in; or to the sign-in page with #sign-in=…"),
        (status = 404, body = Problem, description = "No provider is set"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn finish_sign_in(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    Asked(back): Asked<CameBack>,
) -> Result<Response, Problem> {
    let provider = shared.provider()?;
    let kept = named_cookie(&headers, STATE_COOKIE, shared.site.exposure.is_secure());
    let kept = kept.unwrap_or_default();
    let is_ours = !kept.is_empty() && bool::from(kept.as_bytes().ct_eq(back.state.as_bytes()));
    let is_long = back.code.len().max(back.state.len()) > PARAMETER_BYTES_MAX;
    if !is_ours || is_long {
        return Ok(refused(Refusal::Over));
    }
    let Some(begun) = shared.database.take_sign_in(&back.state).await? else {
        return Ok(refused(Refusal::Over));
    };
    if back.code.is_empty() {
        // What it says is the provider's own word, such as access_denied.
        warn!(is_denied = back.error == "access_denied", "provider signed nobody in");
        return Ok(refused(Refusal::Failed));
    }
    let person = match provider.finish(&back.code, &begun.nonce, &begun.verifier).await {
        Ok(person) => person,
        Err(why) => {
            warn!(%why, "nobody was signed in");
            return Ok(refused(match why {
                NotSignedIn::NotAdmitted => Refusal::NotAdmitted,
                NotSignedIn::Provider(_) | NotSignedIn::Token(_) => Refusal::Failed,
            }));
        }
    };
    let account = match shared.account_for(&person).await? {
        Ok(account) => account,
        Err(refusal) => return Ok(refused(refusal)),
    };
    let is_secure = shared.site.exposure.is_secure();
    let ended = session_token(&headers, is_secure);
    let database = shared.by(&Who::Account(account.clone()), Act::SignedIn, "", "");
    let is_confirmed = has_just_shown(&person, begun.is_fresh);
    let token = database.begin_session_after(ended, &account.id, is_confirmed).await?;
    info!(account = account.id, "signed in by a provider");
    let headers = AppendHeaders([
        (header::SET_COOKIE, cookie(Some(&token), is_secure)),
        (header::SET_COOKIE, short_cookie(STATE_COOKIE, "", 0, is_secure)),
        (header::LOCATION, "/".to_owned()),
    ]);
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// Whether somebody has just shown the provider who they are: as the provider says, or where it does not say
/// when that was, because we have asked it for that.
fn has_just_shown(person: &Person, is_fresh: bool) -> bool {
    let now = i64::try_from(unix_millis()).unwrap_or(i64::MAX) / 1_000;
    person.auth_time.map_or(is_fresh, |at| now.saturating_sub(at) <= JUST_SHOWN_S)
}

fn refused(why: Refusal) -> Response {
    let headers = AppendHeaders([(header::LOCATION, format!("/#sign-in={}", why.name()))]);
    (StatusCode::SEE_OTHER, headers).into_response()
}

impl Shared {
    fn provider(&self) -> Result<&Arc<Provider>, Problem> {
        self.site.services.oidc.as_ref().ok_or_else(|| {
            let message = "This server takes no accounts from elsewhere. Sign in with a password.";
            Problem::new(StatusCode::NOT_FOUND, message)
        })
    }

    /// The account of somebody whom the provider has signed in: the one that is linked, the one that has
    /// their checked address, or a new one. What they may do is what the provider says today.
    async fn account_for(&self, person: &Person) -> Result<Result<Account, Refusal>, Problem> {
        let Person { issuer, subject, .. } = person;
        let role = role(person.grade);
        if let Some(account) = self.database.account_of(issuer, subject).await? {
            return self.as_today(account, role).await;
        }
        if let Some(account) = self.database.account_by_email(&person.email).await? {
            if person.email.is_empty() || !person.is_checked {
                return Ok(Err(Refusal::Taken));
            }
            let who = Who::Account(account.clone());
            let database = self.by(&who, Act::LinkedAccount, "", "");
            if !database.link_account(issuer, subject, &account.id).await? {
                return Ok(Err(Refusal::Taken));
            }
            return self.as_today(account, role).await;
        }
        // The first account has to be able to make others.
        if role != Role::Admin && self.database.is_empty().await? {
            return Ok(Err(Refusal::NotAdmitted));
        }
        let email = match person.email.is_empty() {
            // Accounts are told apart by their addresses.
            true => format!("{subject}@{}", host_of(issuer)),
            false => person.email.clone(),
        };
        let new = NewAccount { email, name: person.name.clone(), role, password: None };
        let deed = Deed::of_new_account(Act::CameFromElsewhere, &person.name, role.name());
        let database = self.database.recording([deed]);
        let made = database.make_linked_account(issuer, subject, new).await?;
        Ok(made.ok_or(Refusal::Taken))
    }

    async fn as_today(
        &self,
        account: Account,
        role: Role,
    ) -> Result<Result<Account, Refusal>, Problem> {
        if account.disabled {
            return Ok(Err(Refusal::NotAdmitted));
        }
        // The last admin stays one.
        let who = Who::Account(account.clone());
        let database = self.by(&who, Act::RoleByProvider, &account.id, role.name());
        if account.role != role && database.change_account(&account.id, role, false).await? {
            return Ok(Ok(Account { role, ..account }));
        }
        Ok(Ok(account))
    }
}

fn role(grade: Grade) -> Role {
    match grade {
        Grade::Viewer => Role::Viewer,
        Grade::Recruiter => Role::Recruiter,
        Grade::Admin => Role::Admin,
    }
}

fn host_of(issuer: &str) -> String {
    let host = url::Url::parse(issuer).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_else(|| "provider".to_owned())
}
