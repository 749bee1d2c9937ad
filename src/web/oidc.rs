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
    who::{Who, cookie, named_cookie, short_cookie},
};
use crate::{
    database::{Account, BegunSignIn, NewAccount, Role},
    oidc::{Grade, NotSignedIn, Person, Provider},
};

/// The cookie that ties a sign-in to the browser that has begun it.
const STATE_COOKIE: &str = "vivavoce-sign-in";
/// So long a sign-in may take, with its second factor and a forgotten password.
const SIGN_IN_LIMIT_S: i64 = 15 * 60;
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
#[utoipa::path(get, path = "/api/oidc/start", operation_id = "startSignIn", responses(
    (status = 303, description = "To the provider"),
    (status = 404, body = Problem, description = "No provider is set"),
    (status = "default", body = Problem),
))]
pub(super) async fn start_sign_in(
    State(shared): State<Arc<Shared>>,
    network: Network,
) -> Result<Response, Problem> {
    let provider = shared.provider()?;
    if shared.live.limits.try_elsewhere(network).is_err() {
        return Ok(refused(Refusal::Busy));
    }
    let begun = match provider.begin().await {
        Ok(begun) => begun,
        Err(why) => {
            warn!(%why, "sign-in could not begin");
            return Ok(refused(Refusal::Failed));
        }
    };
    let secrets = BegunSignIn { nonce: begun.nonce, verifier: begun.verifier };
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
    let token = shared.database.begin_session(&account.id).await?;
    info!(account = account.id, "signed in by a provider");
    let is_secure = shared.site.exposure.is_secure();
    let headers = AppendHeaders([
        (header::SET_COOKIE, cookie(Some(&token), is_secure)),
        (header::SET_COOKIE, short_cookie(STATE_COOKIE, "", 0, is_secure)),
        (header::LOCATION, "/".to_owned()),
    ]);
    Ok((StatusCode::SEE_OTHER, headers).into_response())
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
            if !self.database.link_account(issuer, subject, &account.id).await? {
                return Ok(Err(Refusal::Taken));
            }
            let who = Who::Account(account.clone());
            self.audit(&who, "linked an account from elsewhere", &account.id, "").await?;
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
        let made = self.database.make_linked_account(issuer, subject, new).await?;
        let Some(account) = made else { return Ok(Err(Refusal::Taken)) };
        let who = Who::Account(account.clone());
        self.audit(&who, "came with an account from elsewhere", &account.id, role.name()).await?;
        Ok(Ok(account))
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
        if account.role != role && self.database.change_account(&account.id, role, false).await? {
            let who = Who::Account(account.clone());
            self.audit(&who, "has another role, by the provider", &account.id, role.name()).await?;
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
