//! Signing in, accounts and keys.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use tracing::info;
use utoipa::ToSchema;

use super::{
    Shared,
    network::Network,
    password,
    problem::{Body, FieldProblem, Problem},
    who::{Who, cookie, session_token},
};
use crate::{
    blueprint::{AddressFault, LineFault, NAME_CHARS_MAX, check_address, check_line},
    clock::unix_millis,
    database::{Account, Act, Actor, ApiKey, Database, Deed, NewAccount, Role},
};

/// Whoever tries wrong passwords again within this time stands in the audit trail once.
const FAILED_ONCE_IN_MS: i64 = 60_000;

/// Who is signed in, and what the pages have to know first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SessionView {
    /// What the pages show.
    state: SessionState,
    /// Who is signed in.
    account: Option<AccountView>,
    /// Whether the first account needs the code that the program has printed.
    needs_code: bool,
    /// Whether a recogniser and a voice are set that are not for trying alone.
    real_speech: bool,
    /// Whether a model is set.
    real_model: bool,
    /// Whether invitations can go out by mail.
    sends_mail: bool,
    /// Whether candidates can be recorded.
    records: bool,
    /// Whether people can sign in with an account from elsewhere.
    oidc: bool,
    /// Whether people can sign in with a password.
    passwords: bool,
}

/// Whether somebody is signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SessionState {
    /// Nobody has an account yet: the first one is made.
    SetUp,
    /// Nobody is.
    SignedOut,
    /// Somebody is.
    SignedIn,
}

/// An account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Account)]
pub(super) struct AccountView {
    /// Its id.
    id: String,
    /// What they are called.
    name: String,
    /// Their e-mail address.
    email: String,
    /// What they may do.
    role: RoleView,
    /// In milliseconds since 1970.
    created_at: i64,
    /// The same; nothing before they signed in.
    last_seen_at: Option<i64>,
    /// Whether they may not sign in any more.
    disabled: bool,
    /// Whether they have a password here; without one they sign in elsewhere.
    has_password: bool,
}

/// What somebody may do: viewers read, recruiters launch and decide, admins manage accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Role)]
pub(super) enum RoleView {
    /// Reads.
    Viewer,
    /// Launches interviews and decides.
    Recruiter,
    /// Manages accounts and keys.
    Admin,
}

/// The first account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetupForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
    /// The code that the program has printed, where it needs one.
    #[serde(default)]
    code: String,
}

/// Somebody signs in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignInForm {
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
}

/// A password is chosen with a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WelcomeForm {
    /// The secret of the link.
    #[serde(default)]
    token: String,
    #[serde(default)]
    password: String,
}

/// A password is changed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasswordForm {
    /// The one so far.
    #[serde(default)]
    current: String,
    /// The new one.
    #[serde(default)]
    new: String,
}

/// Somebody shows once more who they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfirmForm {
    #[serde(default)]
    password: String,
}

/// An account that is added.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AccountForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    email: String,
    /// What they may do.
    role: RoleView,
}

/// What changes about an account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AccountChange {
    /// What they may do.
    role: Option<RoleView>,
    /// Whether they may not sign in any more.
    disabled: Option<bool>,
}

/// An account and the link with which they choose a password.
#[derive(Serialize, ToSchema)]
pub(super) struct AccountLink {
    account: AccountView,
    /// Relative to this server's address. It is shown this once, and works for seven days.
    link: String,
}

/// A key with which a program uses the API.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ApiKey)]
pub(super) struct KeyView {
    id: String,
    /// What it is for.
    name: String,
    role: RoleView,
    /// In milliseconds since 1970.
    created_at: i64,
    /// The same; nothing before it was used.
    last_used_at: Option<i64>,
}

/// A key that is made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyForm {
    /// What it is for.
    #[serde(default)]
    name: String,
    role: RoleView,
}

/// A new key.
#[derive(Serialize, ToSchema)]
pub(super) struct NewKey {
    key: KeyView,
    /// What the program sends as `Authorization: Bearer …`. It is shown this once.
    secret: String,
}

/// Who is signed in.
#[utoipa::path(get, path = "/api/session", operation_id = "getSession", responses(
    (status = 200, body = SessionView),
    (status = "default", body = Problem),
))]
pub(super) async fn get_session(
    State(shared): State<Arc<Shared>>,
    who: Who,
) -> Result<Json<SessionView>, Problem> {
    shared.session(&who).await.map(Json)
}

/// Makes the first account, which is an admin, and signs them in.
#[utoipa::path(
    post, path = "/api/setup", operation_id = "setUp", request_body = SetupForm,
    responses(
        (status = 201, body = SessionView),
        (status = 409, body = Problem, description = "There is an account already"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn set_up(
    State(shared): State<Arc<Shared>>,
    network: Network,
    headers: HeaderMap,
    Body(form): Body<SetupForm>,
) -> Result<Response, Problem> {
    let taken = || {
        Problem::new(
            StatusCode::CONFLICT,
            "The first account was made already. Sign in, or ask for an account.",
        )
    };
    shared.takes_passwords()?;
    if !shared.database.is_empty().await? {
        return Err(taken());
    }
    shared.live.limits.try_from(network)?;
    let mut problems = Vec::new();
    let name = name(&mut problems, &form.name);
    let email = email(&mut problems, &form.email);
    new_password(&mut problems, "password", &form.password, &email);
    if !shared.may_come_first(&headers, form.code.trim())? {
        let message = "This is not the code that the program has printed when it started. Open the \
            address that \
                       it has printed.";
        problems.push(FieldProblem { field: "code".to_owned(), message: message.to_owned() });
    }
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    shared.live.limits.try_hash()?;
    let password = Some(password::hashed(form.password).await?);
    let new = NewAccount { name, email, role: Role::Admin, password };
    let deed = Deed::of_new_account(Act::MadeFirstAccount, &new.name, "");
    let database = shared.database.recording([deed]);
    let account = database.make_first(new).await?.ok_or_else(taken)?;
    info!("first account made");
    shared.signed_in(StatusCode::CREATED, account, &headers).await
}

/// Signs somebody in.
#[utoipa::path(
    post, path = "/api/session", operation_id = "signIn", request_body = SignInForm,
    responses(
        (status = 200, body = SessionView),
        (status = 401, body = Problem, description = "Address or password is wrong"),
        (status = 429, body = Problem, description = "Too many tries"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn sign_in(
    State(shared): State<Arc<Shared>>,
    network: Network,
    headers: HeaderMap,
    Body(form): Body<SignInForm>,
) -> Result<Response, Problem> {
    shared.takes_passwords()?;
    let email = form.email.trim();
    shared.live.limits.try_password(network, email)?;
    let account =
        shared.database.account_by_email(email).await?.filter(|account| !account.disabled);
    let hash = account.as_ref().and_then(|account| account.password.clone());
    let is_right = password::is_right(form.password, hash).await?;
    let id = account.as_ref().map(|account| account.id.clone()).unwrap_or_default();
    let Some(account) = account.filter(|_| is_right) else {
        shared.audit_failed_sign_in(id).await?;
        let message =
            "The address or the password is wrong. Check both, or ask an admin for a new link.";
        return Err(Problem::new(StatusCode::UNAUTHORIZED, message));
    };
    shared.signed_in(StatusCode::OK, account, &headers).await
}

/// Signs out.
#[utoipa::path(delete, path = "/api/session", operation_id = "signOut", responses(
    (status = 204),
    (status = "default", body = Problem),
))]
pub(super) async fn sign_out(
    State(shared): State<Arc<Shared>>,
    who: Who,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let is_secure = shared.site.exposure.is_secure();
    if let Some(token) = session_token(&headers, is_secure) {
        shared.by(&who, Act::SignedOut, "", "").end_session(token).await?;
    }
    let ended = AppendHeaders([(header::SET_COOKIE, cookie(None, is_secure))]);
    Ok((StatusCode::NO_CONTENT, ended).into_response())
}

/// Chooses a password with a link, and signs in.
#[utoipa::path(
    post, path = "/api/welcome", operation_id = "welcome", request_body = WelcomeForm,
    responses(
        (status = 200, body = SessionView),
        (status = 404, body = Problem, description = "The link does not work any more"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn welcome(
    State(shared): State<Arc<Shared>>,
    network: Network,
    headers: HeaderMap,
    Body(form): Body<WelcomeForm>,
) -> Result<Response, Problem> {
    shared.takes_passwords()?;
    shared.live.limits.try_from(network)?;
    let account =
        shared.database.password_link(&form.token).await?.filter(|account| !account.disabled);
    let Some(account) = account else {
        let message =
            "This link was used already, or its time is over. Ask an admin for a new one.";
        return Err(Problem::new(StatusCode::NOT_FOUND, message));
    };
    let mut problems = Vec::new();
    new_password(&mut problems, "password", &form.password, &account.email);
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    shared.live.limits.try_hash()?;
    let hash = password::hashed(form.password).await?;
    let who = Who::Account(account.clone());
    shared.by(&who, Act::ChosePassword, "", "").set_password(&account.id, &hash).await?;
    let account = Account { password: Some(hash), ..account };
    shared.signed_in(StatusCode::OK, account, &headers).await
}

/// Changes one's own password; all other sessions end.
#[utoipa::path(
    post, path = "/api/password", operation_id = "changePassword", request_body = PasswordForm,
    responses(
        (status = 200, body = SessionView),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn change_password(
    State(shared): State<Arc<Shared>>,
    who: Who,
    network: Network,
    headers: HeaderMap,
    Body(form): Body<PasswordForm>,
) -> Result<Response, Problem> {
    let Who::Account(account) = &who else {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "A key has no password. Sign in as a person.",
        ));
    };
    shared.takes_passwords()?;
    shared.live.limits.try_password(network, &account.email)?;
    let mut problems = Vec::new();
    if !password::is_right(form.current, account.password.clone()).await? {
        let message = "This is not your password so far.".to_owned();
        problems.push(FieldProblem { field: "current".to_owned(), message });
    }
    new_password(&mut problems, "new", &form.new, &account.email);
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    let hash = password::hashed(form.new).await?;
    shared.by(&who, Act::ChangedPassword, "", "").set_password(&account.id, &hash).await?;
    shared.signed_in(StatusCode::OK, account.clone(), &headers).await
}

/// Shows once more who it is, by the password: for 5 minutes they may then give others access.
#[utoipa::path(
    post, path = "/api/confirm", operation_id = "confirm", request_body = ConfirmForm,
    responses(
        (status = 204),
        (status = 422, body = Problem, description = "The password is wrong"),
        (status = 429, body = Problem, description = "Too many tries"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn confirm(
    State(shared): State<Arc<Shared>>,
    who: Who,
    network: Network,
    headers: HeaderMap,
    Body(form): Body<ConfirmForm>,
) -> Result<StatusCode, Problem> {
    let (Who::Account(account), Some(token)) =
        (&who, session_token(&headers, shared.site.exposure.is_secure()))
    else {
        let message = "A key has no password. Sign in as a person.";
        return Err(Problem::new(StatusCode::FORBIDDEN, message));
    };
    shared.takes_passwords()?;
    shared.live.limits.try_password(network, &account.email)?;
    if !password::is_right(form.password, account.password.clone()).await? {
        shared.audit_failed_sign_in(account.id.clone()).await?;
        let (field, message) = ("password".to_owned(), "This is not your password.".to_owned());
        return Err(Problem::of_fields(vec![FieldProblem { field, message }]));
    }
    shared.by(&who, Act::ConfirmedPassword, &account.id, "").confirm_session(token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// All accounts, the oldest first.
#[utoipa::path(get, path = "/api/accounts", operation_id = "listAccounts", responses(
    (status = 200, body = Vec<AccountView>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_accounts(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<AccountView>>, Problem> {
    let accounts = shared.database.accounts().await?;
    Ok(Json(accounts.into_iter().map(AccountView::from).collect()))
}

/// Adds an account, with a link to choose a password.
#[utoipa::path(
    post, path = "/api/accounts", operation_id = "addAccount", request_body = AccountForm,
    responses(
        (status = 201, body = AccountLink),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn add_account(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Body(form): Body<AccountForm>,
) -> Result<(StatusCode, Json<AccountLink>), Problem> {
    let mut problems = Vec::new();
    let name = name(&mut problems, &form.name);
    let email = email(&mut problems, &form.email);
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    let role = Role::from(form.role);
    let new = NewAccount { name, email, role, password: None };
    let database = shared.by(&who, Act::AddedAccount, "", role.name());
    let Some(account) = database.make_account(new).await? else {
        let message =
            "This address has an account already. Make a new link for it instead.".to_owned();
        return Err(Problem::of_fields(vec![FieldProblem { field: "email".to_owned(), message }]));
    };
    Ok((StatusCode::CREATED, Json(link_for(&shared.database, account).await?)))
}

/// Changes what somebody may do. Whoever lets them do more has shown within 5 minutes who they are.
#[utoipa::path(
    patch, path = "/api/accounts/{id}", operation_id = "changeAccount", request_body = AccountChange,
    params(("id" = String, Path)),
    responses(
        (status = 200, body = AccountView),
        (status = 404, body = Problem, description = "There is no such account"),
        (status = 409, body = Problem, description = "Nobody would be admin any more"),
        (status = 428, body = Problem, description = "They are to show again who they are"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn change_account(
    State(shared): State<Arc<Shared>>,
    who: Who,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(change): Body<AccountChange>,
) -> Result<Json<AccountView>, Problem> {
    let account = shared.database.account(&id).await?.ok_or_else(no_account)?;
    let role = change.role.map_or(account.role, Role::from);
    let disabled = change.disabled.unwrap_or(account.disabled);
    if role > account.role || account.disabled && !disabled {
        shared.confirmed(&headers).await?;
    }
    let now = if disabled { "disabled" } else { role.name() };
    if !shared.by(&who, Act::ChangedAccount, &id, now).change_account(&id, role, disabled).await? {
        let message = "Nobody would be admin any more. Make somebody else an admin first.";
        return Err(Problem::new(StatusCode::CONFLICT, message));
    }
    Ok(Json(AccountView::from(Account { role, disabled, ..account })))
}

/// Makes a new link for an account to choose a password, in place of the one before.
#[utoipa::path(
    post, path = "/api/accounts/{id}/link", operation_id = "linkAccount", params(("id" = String, Path)),
    responses(
        (status = 200, body = AccountLink),
        (status = 404, body = Problem, description = "There is no such account"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn link_account(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<AccountLink>, Problem> {
    let account = shared.database.account(&id).await?.ok_or_else(no_account)?;
    link_for(&shared.by(&who, Act::MadePasswordLink, &id, ""), account).await.map(Json)
}

/// All keys, the oldest first.
#[utoipa::path(get, path = "/api/keys", operation_id = "listKeys", responses(
    (status = 200, body = Vec<KeyView>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_keys(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<KeyView>>, Problem> {
    Ok(Json(shared.database.keys().await?.into_iter().map(KeyView::from).collect()))
}

/// Makes a key.
#[utoipa::path(
    post, path = "/api/keys", operation_id = "makeKey", request_body = KeyForm,
    responses(
        (status = 201, body = NewKey),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn make_key(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Body(form): Body<KeyForm>,
) -> Result<(StatusCode, Json<NewKey>), Problem> {
    let mut problems = Vec::new();
    let name = name(&mut problems, &form.name);
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    let role = Role::from(form.role);
    let database = shared.by(&who, Act::MadeKey, "", role.name());
    let (key, secret) = database.make_key(&name, role).await?;
    Ok((StatusCode::CREATED, Json(NewKey { key: key.into(), secret })))
}

/// Removes a key: programs that use it are refused from now on.
#[utoipa::path(
    delete, path = "/api/keys/{id}", operation_id = "removeKey", params(("id" = String, Path)),
    responses(
        (status = 204),
        (status = 404, body = Problem, description = "There is no such key"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn remove_key(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    if !shared.by(&who, Act::RemovedKey, &id, "").remove_key(&id).await? {
        return Err(Problem::new(StatusCode::NOT_FOUND, "There is no such key."));
    }
    Ok(StatusCode::NO_CONTENT)
}

impl Shared {
    /// Writes into the audit trail that somebody did not get in: to which account, where there is one, but
    /// not what they typed, which may be anything, a password too. It is written once a minute for each
    /// account, and for all addresses without one together: whoever tries without end fills nothing.
    async fn audit_failed_sign_in(&self, account: String) -> Result<(), Problem> {
        let actor = Actor::system("nobody");
        let (act, detail) = (Act::FailedSignIn, String::new());
        let deed = Deed { actor, act, object: account, detail };
        Ok(self.database.audit_once_in(FAILED_ONCE_IN_MS, deed).await?)
    }

    /// Whether passwords are taken here at all.
    fn takes_passwords(&self) -> Result<(), Problem> {
        if !self.site.services.no_passwords {
            return Ok(());
        }
        let message = "This server takes no passwords. Sign in with your organisation's account.";
        Err(Problem::new(StatusCode::FORBIDDEN, message))
    }

    /// Whether whoever sends this code may make the first account. Without a code only somebody at this
    /// machine may.
    fn may_come_first(&self, headers: &HeaderMap, code: &str) -> Result<bool, Problem> {
        match &self.site.setup_code {
            Some(wanted) => Ok(wanted.as_bytes().ct_eq(code.as_bytes()).into()),
            None if self.site.exposure.is_at_this_machine(headers) => Ok(true),
            None => {
                let message = "The first account is made at the machine on which this server runs. To make \
                    it from elsewhere, set web.public_url and start the server again: it then prints a code.";
                Err(Problem::new(StatusCode::FORBIDDEN, message))
            }
        }
    }

    async fn session(&self, who: &Who) -> Result<SessionView, Problem> {
        let account = match who {
            Who::Account(account) => Some(AccountView::from(account.clone())),
            Who::Nobody | Who::Key(_) => None,
        };
        let state = match &account {
            Some(_) => SessionState::SignedIn,
            // Without passwords the first account comes from elsewhere, too.
            None if !self.site.services.no_passwords && self.database.is_empty().await? => {
                SessionState::SetUp
            }
            None => SessionState::SignedOut,
        };
        Ok(SessionView {
            state,
            account,
            needs_code: self.site.setup_code.is_some(),
            real_speech: self.site.real.speech,
            real_model: self.site.real.model,
            sends_mail: self.site.services.mail.is_some(),
            records: self.site.records,
            oidc: self.site.services.oidc.is_some(),
            passwords: !self.site.services.no_passwords,
        })
    }

    /// The answer to somebody who has signed in, with their cookie. The session that their browser had is
    /// over.
    async fn signed_in(
        &self,
        status: StatusCode,
        account: Account,
        headers: &HeaderMap,
    ) -> Result<Response, Problem> {
        let ended = session_token(headers, self.site.exposure.is_secure());
        let database = self.by(&Who::Account(account.clone()), Act::SignedIn, "", "");
        let token = database.begin_session_after(ended, &account.id, true).await?;
        let now = i64::try_from(unix_millis()).unwrap_or(i64::MAX);
        let who = Who::Account(Account { last_seen_at: Some(now), ..account });
        let is_secure = self.site.exposure.is_secure();
        let set = AppendHeaders([(header::SET_COOKIE, cookie(Some(&token), is_secure))]);
        Ok((status, set, Json(self.session(&who).await?)).into_response())
    }
}

async fn link_for(database: &Database, account: Account) -> Result<AccountLink, Problem> {
    let token = database.make_password_link(&account.id).await?;
    // Behind the # it is sent to no server, and stands in no log.
    Ok(AccountLink { account: account.into(), link: format!("/welcome#{token}") })
}

fn no_account() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such account.")
}

fn name(problems: &mut Vec<FieldProblem>, text: &str) -> String {
    let text = text.trim();
    let message = match check_line(text, NAME_CHARS_MAX) {
        Ok(()) => return text.to_owned(),
        Err(LineFault::Empty) => "Type a name.".to_owned(),
        Err(LineFault::Long { chars }) => {
            format!("This has {chars} characters; {NAME_CHARS_MAX} are the most. Shorten it.")
        }
        Err(LineFault::Hidden) => {
            "This holds a line break or an invisible mark. Type it anew.".to_owned()
        }
        Err(LineFault::Wordless) => "This has no letter in it. Type a name.".to_owned(),
    };
    problems.push(FieldProblem { field: "name".to_owned(), message });
    String::new()
}

fn email(problems: &mut Vec<FieldProblem>, text: &str) -> String {
    let text = text.trim();
    if let Some(message) = email_fault(text) {
        problems.push(FieldProblem { field: "email".to_owned(), message });
    }
    text.to_owned()
}

/// What is wrong with an e-mail address, if anything.
pub(super) fn email_fault(text: &str) -> Option<String> {
    let example = "like name@example.org";
    Some(match check_address(text).err()? {
        AddressFault::Empty => format!("Type an e-mail address, {example}."),
        AddressFault::Malformed => format!("This is no e-mail address. Type one, {example}."),
        AddressFault::NoAt => format!("The address has no @. Type it {example}."),
        AddressFault::NoLocal => {
            format!("The address has no part before the @. Add it, {example}.")
        }
        AddressFault::NoHost => format!("The address has no host after the @. Add it, {example}."),
        AddressFault::ManyAt => {
            format!("The address has more than one @. Type it {example}.")
        }
    })
}

fn new_password(problems: &mut Vec<FieldProblem>, field: &str, text: &str, email: &str) {
    if let Err(message) = password::check(text, email) {
        problems.push(FieldProblem { field: field.to_owned(), message });
    }
}

impl From<Account> for AccountView {
    fn from(account: Account) -> Self {
        let Account { id, email, name, role, created_at, last_seen_at, disabled, password } =
            account;
        let (role, has_password) = (role.into(), password.is_some());
        Self { id, name, email, role, created_at, last_seen_at, disabled, has_password }
    }
}

impl From<ApiKey> for KeyView {
    fn from(key: ApiKey) -> Self {
        let ApiKey { id, name, role, created_at, last_used_at } = key;
        Self { id, name, role: role.into(), created_at, last_used_at }
    }
}

impl From<Role> for RoleView {
    fn from(role: Role) -> Self {
        match role {
            Role::Viewer => Self::Viewer,
            Role::Recruiter => Self::Recruiter,
            Role::Admin => Self::Admin,
        }
    }
}

impl From<RoleView> for Role {
    fn from(role: RoleView) -> Self {
        match role {
            RoleView::Viewer => Self::Viewer,
            RoleView::Recruiter => Self::Recruiter,
            RoleView::Admin => Self::Admin,
        }
    }
}
