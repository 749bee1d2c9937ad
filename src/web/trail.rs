//! The audit trail: how requests write into it, and what its page shows: entries with names, whether its
//! chain is whole, and a file.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    Shared,
    export::table,
    opening_form::OpeningForm,
    problem::{Asked, Problem},
    who::Who,
};
use crate::database::{
    About, Act, Actor, ActorKind, Chain, ChainFault, Database, Deed, DeedQuery, ListedDeed,
};

const ROWS_MAX: i64 = 200;
/// A file has so many entries at most.
const FILE_ROWS_MAX: usize = 100_000;
/// Who reads the same again within this time has read it once.
const READ_ONCE_IN_MS: i64 = 3_600_000;

/// Who did what, when.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditRow)]
pub(super) struct AuditView {
    /// Its place in the chain of entries, from 1.
    number: i64,
    /// In milliseconds since 1970.
    at: i64,
    /// The name of the account or key at that time.
    who: String,
    /// Who it was, beside the name.
    actor: ActorView,
    /// The deed's name; empty in entries of an older program that this one does not know.
    deed: String,
    /// What was done, in words.
    what: String,
    /// To what: an id.
    object: String,
    /// What that is, where it is still there.
    about: Option<AboutView>,
    /// More about it.
    detail: String,
}

/// Who did it: two may have one name.
#[derive(Debug, Serialize, ToSchema)]
struct ActorView {
    /// What they are.
    kind: ActorKindView,
    /// The id of the account, of the key, or of the candidate's interview; else empty.
    id: String,
}

/// What somebody is who did something.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ActorKind)]
enum ActorKindView {
    /// Somebody with an account.
    Person,
    /// A program with a key.
    Key,
    /// Whoever has a candidate's link.
    Candidate,
    /// The server itself, or somebody whom it does not know.
    System,
    /// One of an entry from before the kinds were kept.
    Unknown,
}

/// What an entry is about.
#[derive(Debug, Serialize, ToSchema)]
struct AboutView {
    /// What it is.
    kind: AboutKind,
    /// What it is called.
    name: String,
}

/// A kind of thing that an entry is about.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AboutKind {
    /// An interview, by its candidate.
    Interview,
    /// An opening, by its title.
    Opening,
    /// An account.
    Account,
    /// An API key.
    Key,
    /// A webhook, by its address.
    Webhook,
    /// A blueprint.
    Blueprint,
}

/// Which part of the audit trail.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct AuditQuery {
    /// From this time on, in milliseconds since 1970.
    from: Option<i64>,
    /// Before this time, in milliseconds since 1970; now, if left out.
    before: Option<i64>,
    /// Entries with a smaller number: the next part after the one that ends with it.
    below: Option<i64>,
    /// Whose entries, as `actor` of the choices.
    actor: Option<String>,
    /// Which deed, as `deed` of the choices.
    deed: Option<String>,
    /// So many at most; 200 are the most.
    max: Option<i64>,
}

/// What entries can be looked for by.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AuditChoices {
    /// Who stands in the trail.
    actors: Vec<ActorChoice>,
    /// What can be done.
    deeds: Vec<DeedChoice>,
}

/// Somebody who stands in the trail.
#[derive(Debug, Serialize, ToSchema)]
struct ActorChoice {
    /// What to ask with.
    actor: String,
    /// What they are.
    kind: ActorKindView,
    /// What they were called last.
    name: String,
}

/// A deed.
#[derive(Debug, Serialize, ToSchema)]
struct DeedChoice {
    /// What to ask with.
    deed: &'static str,
    /// In words.
    words: &'static str,
}

/// Whether the trail is as it was written. Each entry has the hash of the one before and of its own content,
/// so an entry that was changed, left out or put between is found.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AuditChain {
    /// The first entry that is kept; nothing in an empty trail.
    first: Option<i64>,
    /// Up to this entry everything is as it was written.
    intact_up_to: i64,
    /// The entry that was written last.
    last: i64,
    /// What is wrong behind the last intact entry; nothing where all is as it was written.
    fault: Option<AuditFault>,
}

/// What is wrong with the trail.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AuditFault {
    /// The next entry was changed.
    Changed,
    /// The next entry is not there.
    Missing,
    /// The oldest entries are not there, and no entry says that they were removed as their time was over.
    BeginningMissing,
}

/// The audit trail, the newest first.
#[utoipa::path(get, path = "/api/audit", operation_id = "listAudit", params(AuditQuery), responses(
    (status = 200, body = Vec<AuditView>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_audit(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<AuditQuery>,
) -> Result<Json<Vec<AuditView>>, Problem> {
    let rows = shared.database.deeds(&asked.query()?).await?;
    Ok(Json(rows.into_iter().map(AuditView::from).collect()))
}

/// What entries of the audit trail can be looked for by.
#[utoipa::path(get, path = "/api/audit/choices", operation_id = "listAuditChoices", responses(
    (status = 200, body = AuditChoices),
    (status = "default", body = Problem),
))]
pub(super) async fn list_choices(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<AuditChoices>, Problem> {
    let actors = shared.database.actors().await?;
    let actor = |actor: Actor| ActorChoice {
        actor: asked_as(&actor),
        kind: actor.kind.into(),
        name: actor.name,
    };
    let deed = |act: &Act| DeedChoice { deed: act.name(), words: act.words() };
    let deeds = Act::ALL.iter().map(deed).collect();
    Ok(Json(AuditChoices { actors: actors.into_iter().map(actor).collect(), deeds }))
}

/// Checks the chain of the audit trail: whether it is as it was written, and up to which entry.
#[utoipa::path(get, path = "/api/audit/chain", operation_id = "checkAudit", responses(
    (status = 200, body = AuditChain),
    (status = "default", body = Problem),
))]
pub(super) async fn check_chain(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<AuditChain>, Problem> {
    let Chain { first, intact_up_to, head, fault } = shared.database.check_chain().await?;
    let fault = fault.map(|fault| match fault {
        ChainFault::Changed => AuditFault::Changed,
        ChainFault::Missing => AuditFault::Missing,
        ChainFault::BeginningMissing => AuditFault::BeginningMissing,
    });
    Ok(Json(AuditChain { first, intact_up_to, last: head, fault }))
}

/// The audit trail as CSV, the newest first, 100,000 entries at most, each with its hash.
#[utoipa::path(
    get, path = "/api/audit/export", operation_id = "exportAudit", params(AuditQuery),
    responses(
        (status = 200, content_type = "text/csv", description = "The file"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn export_audit(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Asked(asked): Asked<AuditQuery>,
) -> Result<Response, Problem> {
    shared.audit(&who, Act::ExportedTrail, "", "").await?;
    let mut query = DeedQuery { max: ROWS_MAX, ..asked.query()? };
    let mut rows = vec![COLUMNS.map(str::to_owned).to_vec()];
    while rows.len() <= FILE_ROWS_MAX {
        let part = shared.database.deeds(&query).await?;
        let Some(last) = part.last() else { break };
        query.below = last.row.number;
        rows.extend(part.iter().map(cells));
    }
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"vivavoce-audit.csv\""),
    ];
    Ok((headers, table(rows)).into_response())
}

const COLUMNS: [&str; 11] = [
    "number", "time", "who", "kind", "actor_id", "deed", "what", "about", "object", "detail",
    "hash",
];

fn cells(listed: &ListedDeed) -> Vec<String> {
    let ListedDeed { row, about } = listed;
    let time = Timestamp::from_millisecond(row.at).map(|at| at.to_string()).unwrap_or_default();
    vec![
        row.number.to_string(),
        time,
        row.actor.name.clone(),
        row.actor.kind.name().to_owned(),
        row.actor.id.clone(),
        row.deed.clone(),
        row.what.clone(),
        about.clone().map(|about| AboutView::from(about).name).unwrap_or_default(),
        row.object.clone(),
        super::actions::detail_in_words(row.act(), &row.detail).to_owned(),
        row.hash.clone(),
    ]
}

impl AuditQuery {
    fn query(self) -> Result<DeedQuery, Problem> {
        let act = match self.deed.as_deref() {
            None | Some("") => None,
            Some(name) => Some(Act::of_name(name).ok_or_else(|| {
                let message = "There is no such deed in the audit trail.";
                Problem::new(StatusCode::BAD_REQUEST, message)
            })?),
        };
        Ok(DeedQuery {
            act,
            actor: self.actor.filter(|actor| !actor.is_empty()).map(|actor| actor_of(&actor)),
            from: self.from.unwrap_or(0),
            before: self.before.unwrap_or(i64::MAX),
            below: self.below.unwrap_or(i64::MAX),
            max: self.max.unwrap_or(ROWS_MAX).clamp(1, ROWS_MAX),
        })
    }
}

/// How the entries of somebody are asked for: `KIND:ID`, or `KIND:NAME` where there is no id.
fn asked_as(actor: &Actor) -> String {
    let of = if actor.id.is_empty() { &actor.name } else { &actor.id };
    format!("{}:{of}", actor.kind.name())
}

fn actor_of(asked: &str) -> Actor {
    let (kind, of) = asked.split_once(':').unwrap_or((asked, ""));
    Actor { kind: ActorKind::of_name(kind), id: of.to_owned(), name: of.to_owned() }
}

impl Who {
    /// Who it is, for the audit trail.
    pub(super) fn actor(&self) -> Actor {
        match self {
            Self::Nobody => Actor::system("nobody"),
            Self::Account(account) => Actor {
                kind: ActorKind::Person,
                id: account.id.clone(),
                name: account.name.clone(),
            },
            Self::Key(key) => {
                Actor { kind: ActorKind::Key, id: key.id.clone(), name: key.name.clone() }
            }
        }
    }

    /// Something that they do.
    pub(super) fn deed(&self, act: Act, object: &str, detail: &str) -> Deed {
        Deed { actor: self.actor(), act, object: object.to_owned(), detail: detail.to_owned() }
    }
}

impl Shared {
    /// The database, whose next change is written together with this deed, in one transaction.
    pub(super) fn by(&self, who: &Who, act: Act, object: &str, detail: &str) -> Database {
        self.database.recording([who.deed(act, object, detail)])
    }

    /// Writes into the audit trail what no transaction of the database does: what is changed in files, in a
    /// room, or in several steps.
    pub(super) async fn audit(
        &self,
        who: &Who,
        act: Act,
        object: &str,
        detail: &str,
    ) -> Result<(), Problem> {
        Ok(self.database.audit(who.deed(act, object, detail)).await?)
    }

    /// Writes into the audit trail that somebody reads what is about a person, before they do; once for each
    /// person who reads, interview and hour.
    pub(super) async fn audit_reading(
        &self,
        who: &Who,
        act: Act,
        object: &str,
        detail: &str,
    ) -> Result<(), Problem> {
        let deed = who.deed(act, object, detail);
        Ok(self.database.audit_once_in(READ_ONCE_IN_MS, deed).await?)
    }
}

impl From<ListedDeed> for AuditView {
    fn from(listed: ListedDeed) -> Self {
        let ListedDeed { row, about } = listed;
        let Actor { kind, id, name } = row.actor;
        Self {
            number: row.number,
            at: row.at,
            who: name,
            actor: ActorView { kind: kind.into(), id },
            deed: row.deed,
            what: row.what,
            object: row.object,
            about: about.map(AboutView::from),
            detail: row.detail,
        }
    }
}

impl From<About> for AboutView {
    fn from(about: About) -> Self {
        let (kind, name) = match about {
            About::Interview(name) => (AboutKind::Interview, name),
            About::Opening(form) => {
                let form: OpeningForm = serde_json::from_str(&form).unwrap_or_default();
                (AboutKind::Opening, form.title)
            }
            About::Account(name) => (AboutKind::Account, name),
            About::Key(name) => (AboutKind::Key, name),
            About::Webhook(url) => (AboutKind::Webhook, url),
            About::Blueprint(name) => (AboutKind::Blueprint, name),
        };
        Self { kind, name }
    }
}

impl From<ActorKind> for ActorKindView {
    fn from(kind: ActorKind) -> Self {
        match kind {
            ActorKind::Person => Self::Person,
            ActorKind::Key => Self::Key,
            ActorKind::Candidate => Self::Candidate,
            ActorKind::System => Self::System,
            ActorKind::Unknown => Self::Unknown,
        }
    }
}
