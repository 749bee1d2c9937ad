//! Blueprints that are written in the web: each save is a version in the database, and none is ever changed.
//! The folder's own text, where there is one, is version 0.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use tracing::info;
use utoipa::ToSchema;

use super::{
    Shared,
    blueprint_files::{
        self, BlueprintFile, BlueprintProblem, Checked, QuestionReason, is_plain_name,
    },
    launch::{line, problem},
    offered::read_files,
    problem::{Body, Problem},
    who::Who,
};
use crate::{
    blueprint::HEAD,
    database::{Act, BlueprintVersionBrief, Deed, NewBlueprintVersion},
};

const NOTE_MAX_CHARS: usize = 200;
const TITLE_MAX_CHARS: usize = 80;
const VERSIONS_MAX: i64 = 1_000;
const BLUEPRINTS_MAX: usize = 200;
/// A folder of this name holds what candidates say, and is no blueprint.
const TAKEN: &str = "lang";

/// A blueprint in the list of those that can be changed.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BlueprintRow {
    name: String,
    /// What people read; the name where the newest version cannot be read.
    title: String,
    /// The newest version; 0: as it is in the folder.
    version: i64,
    /// Whether this program can read the newest version. If not, the folder's text is offered, or nothing.
    is_readable: bool,
    /// The blueprint that it was made from as a copy; empty where there is none.
    based_on: String,
    /// Who saved the newest version; empty for the folder's text.
    who: String,
    /// When, in milliseconds since 1970.
    made_at: Option<i64>,
    /// What was changed, in their words.
    note: String,
}

/// A version in the history of a blueprint.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BlueprintVersionRow {
    /// 0: the folder's text.
    number: i64,
    /// Who saved it; empty for the folder's text.
    who: String,
    /// When, in milliseconds since 1970.
    made_at: Option<i64>,
    /// What was changed, in their words.
    note: String,
}

/// A version of a blueprint with its files.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BlueprintText {
    name: String,
    /// 0: the folder's text.
    number: i64,
    /// `blueprint.toml` first, then the others by name.
    files: Vec<BlueprintFile>,
}

/// Files to be checked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BlueprintDraft {
    /// The version that they were made from.
    based_on: i64,
    files: Vec<BlueprintFile>,
    /// Why questions are asked that need a reason.
    #[serde(default)]
    reasons: Vec<QuestionReason>,
}

/// What a check found.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BlueprintCheckResult {
    /// Every mistake; none: it can be saved.
    problems: Vec<BlueprintProblem>,
}

/// Files to be saved as a new version.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewBlueprintText {
    /// The version that they were made from: it has to be the newest one.
    based_on: i64,
    files: Vec<BlueprintFile>,
    /// Why questions are asked that need a reason.
    #[serde(default)]
    reasons: Vec<QuestionReason>,
    /// What was changed, in a few words.
    #[serde(default)]
    note: String,
}

/// A copy to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BlueprintCopy {
    /// The version to copy.
    number: i64,
    /// The copy's name: small letters, digits and hyphens.
    name: String,
    /// The copy's title.
    title: String,
}

/// An older version to go back to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BlueprintBack {
    /// The newest version.
    based_on: i64,
    /// The version whose text becomes a new version.
    number: i64,
    /// What was changed, in a few words.
    #[serde(default)]
    note: String,
}

/// The blueprints that can be changed, each with its newest version.
#[utoipa::path(get, path = "/api/blueprints/newest", operation_id = "listNewestBlueprints", responses(
    (status = 200, body = Vec<BlueprintRow>),
    (status = "default", body = Problem),
))]
pub(super) async fn list_newest(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<BlueprintRow>>, Problem> {
    let offered = shared.blueprints.all(&shared.database).await?;
    let newest = shared.database.newest_blueprints().await?;
    let row = |name: &str, title: &str, version: Option<&BlueprintVersionBrief>, is_readable| {
        BlueprintRow {
            name: name.to_owned(),
            title: title.to_owned(),
            version: version.map_or(0, |version| version.number),
            is_readable,
            based_on: version.map(|version| version.based_on.clone()).unwrap_or_default(),
            who: version.map(|version| version.who.clone()).unwrap_or_default(),
            made_at: version.map(|version| version.made_at),
            note: version.map(|version| version.note.clone()).unwrap_or_default(),
        }
    };
    let mut rows = Vec::new();
    for known in &offered {
        let version = newest.iter().find(|version| version.name == known.name);
        // Saved in this moment, it is read with the next request.
        let is_readable = version.is_none_or(|version| version.number <= known.version);
        rows.push(row(&known.name, &known.blueprint.title, version, is_readable));
    }
    let is_left_out =
        |version: &&BlueprintVersionBrief| !offered.iter().any(|known| known.name == version.name);
    for version in newest.iter().filter(is_left_out) {
        rows.push(row(&version.name, &version.name, Some(version), false));
    }
    Ok(Json(rows))
}

/// The versions of a blueprint, the newest first.
#[utoipa::path(
    get, path = "/api/blueprints/{name}/versions", operation_id = "listBlueprintVersions",
    params(("name" = String, Path)),
    responses(
        (status = 200, body = Vec<BlueprintVersionRow>),
        (status = 404, body = Problem, description = "There is no such blueprint"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn list_versions(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
) -> Result<Json<Vec<BlueprintVersionRow>>, Problem> {
    let versions = shared.database.blueprint_versions(&name).await?;
    let row = |version: BlueprintVersionBrief| BlueprintVersionRow {
        number: version.number,
        who: version.who,
        made_at: Some(version.made_at),
        note: version.note,
    };
    let mut rows: Vec<_> = versions.into_iter().map(row).collect();
    if shared.blueprints.in_folder(&name).is_some() {
        let (who, note) = (String::new(), String::new());
        rows.push(BlueprintVersionRow { number: 0, who, made_at: None, note });
    }
    if rows.is_empty() { Err(no_blueprint()) } else { Ok(Json(rows)) }
}

/// The files of one version of a blueprint.
#[utoipa::path(
    get, path = "/api/blueprints/{name}/versions/{number}", operation_id = "getBlueprintVersion",
    params(("name" = String, Path), ("number" = String, Path, description = "0: the folder's text")),
    responses(
        (status = 200, body = BlueprintText),
        (status = 404, body = Problem, description = "There is no such version"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn get_version(
    State(shared): State<Arc<Shared>>,
    Path((name, number)): Path<(String, String)>,
) -> Result<Json<BlueprintText>, Problem> {
    let number = number.parse().map_err(|_| no_version())?;
    let mut files = shared.blueprint_files(&name, number).await?;
    files.sort_by(|(a, _), (b, _)| (a != HEAD, a).cmp(&(b != HEAD, b)));
    let file = |(name, text): (String, String)| BlueprintFile { name, text };
    Ok(Json(BlueprintText { name, number, files: files.into_iter().map(file).collect() }))
}

/// Checks the files of a blueprint: every mistake with its file and line. Nothing is kept.
#[utoipa::path(
    post, path = "/api/blueprints/{name}/check", operation_id = "checkBlueprint",
    params(("name" = String, Path)), request_body = BlueprintDraft,
    responses(
        (status = 200, body = BlueprintCheckResult),
        (status = 404, body = Problem, description = "There is no such version"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn check_blueprint(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    Body(draft): Body<BlueprintDraft>,
) -> Result<Json<BlueprintCheckResult>, Problem> {
    let before = vec![shared.blueprint_files(&name, draft.based_on).await?];
    let services = &shared.site.services;
    let checked = blueprint_files::check(draft.files, draft.reasons, before, services).await?;
    Ok(Json(BlueprintCheckResult { problems: checked.problems }))
}

/// Saves the files of a blueprint as a new version. Interviews that were launched stay as they are.
#[utoipa::path(
    post, path = "/api/blueprints/{name}/versions", operation_id = "saveBlueprint",
    params(("name" = String, Path)), request_body = NewBlueprintText,
    responses(
        (status = 201, body = BlueprintVersionRow),
        (status = 404, body = Problem, description = "There is no such version"),
        (status = 409, body = Problem, description = "Somebody else has saved it"),
        (status = 422, body = Problem, description = "Files have to be mended: each field is FILE:LINE"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn save_blueprint(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(name): Path<String>,
    Body(new): Body<NewBlueprintText>,
) -> Result<(StatusCode, Json<BlueprintVersionRow>), Problem> {
    let before = vec![shared.blueprint_files(&name, new.based_on).await?];
    let services = &shared.site.services;
    let checked =
        blueprint_files::check(new.files, new.reasons, before, services).await?.whole()?;
    let mut deeds = vec![who.deed(
        Act::ChangedBlueprint,
        &name,
        &format!("version {}", new.based_on.saturating_add(1)),
    )];
    deeds.extend(checked.reasons.iter().map(|(subject, reason)| {
        who.deed(Act::KeptQuestion, &name, &format!("{subject}: {reason}"))
    }));
    let row = shared.add_version(&who, &name, new.based_on, &checked, &new.note, deeds).await?;
    Ok((StatusCode::CREATED, Json(row)))
}

/// Goes back to an older version of a blueprint: its text becomes a new version.
#[utoipa::path(
    post, path = "/api/blueprints/{name}/back", operation_id = "goBackToBlueprint",
    params(("name" = String, Path)), request_body = BlueprintBack,
    responses(
        (status = 201, body = BlueprintVersionRow),
        (status = 404, body = Problem, description = "There is no such version"),
        (status = 409, body = Problem, description = "Somebody else has saved it"),
        (status = 422, body = Problem, description = "This program cannot read that version"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn go_back(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(name): Path<String>,
    Body(back): Body<BlueprintBack>,
) -> Result<(StatusCode, Json<BlueprintVersionRow>), Problem> {
    let files = shared.blueprint_files(&name, back.number).await?;
    let checked = shared.check_again(files).await?;
    let detail =
        format!("version {}: the text of version {}", back.based_on.saturating_add(1), back.number);
    let deeds = vec![who.deed(Act::TookBlueprintBack, &name, &detail)];
    let row = shared.add_version(&who, &name, back.based_on, &checked, &back.note, deeds).await?;
    Ok((StatusCode::CREATED, Json(row)))
}

/// Makes a blueprint of one's own from another one.
#[utoipa::path(
    post, path = "/api/blueprints/{name}/copy", operation_id = "copyBlueprint",
    params(("name" = String, Path)), request_body = BlueprintCopy,
    responses(
        (status = 201, body = BlueprintText),
        (status = 404, body = Problem, description = "There is no such version"),
        (status = 422, body = Problem, description = "Fields have to be mended"),
        (status = "default", body = Problem),
    ),
)]
pub(super) async fn copy_blueprint(
    State(shared): State<Arc<Shared>>,
    who: Who,
    Path(name): Path<String>,
    Body(copy): Body<BlueprintCopy>,
) -> Result<(StatusCode, Json<BlueprintText>), Problem> {
    let mut files = shared.blueprint_files(&name, copy.number).await?;
    let mut problems = Vec::new();
    let title = line(&mut problems, "title", "a title", &copy.title, TITLE_MAX_CHARS);
    let newest = shared.database.newest_blueprints().await?;
    let is_taken = newest.iter().any(|version| version.name == copy.name)
        || shared.blueprints.in_folder(&copy.name).is_some()
        || copy.name == TAKEN;
    if !is_plain_name(&copy.name) {
        let message = "A name has small letters, digits and hyphens, 40 at most, such as \
                       backend-screening.";
        problem(&mut problems, "name", message.to_owned());
    } else if is_taken {
        problem(&mut problems, "name", TAKEN_NAME.to_owned());
    } else if newest.len() >= BLUEPRINTS_MAX {
        let message = format!("There are {BLUEPRINTS_MAX} blueprints already; that is the most.");
        problem(&mut problems, "name", message);
    }
    if !problems.is_empty() {
        return Err(Problem::of_fields(problems));
    }
    if let Some((_, head)) = files.iter_mut().find(|(file, _)| file == HEAD) {
        *head = with_title(head, &title);
    }
    let checked = shared.check_again(files).await?;
    let json = as_json(&checked.files);
    let new = NewBlueprintVersion {
        name: &copy.name,
        after: 0,
        files: &json,
        who: who.name(),
        note: "",
        based_on: &name,
    };
    let detail = format!("from {name}, version {}", copy.number);
    let database = shared.by(&who, Act::CopiedBlueprint, &copy.name, &detail);
    let number = database.add_blueprint_version(new).await?;
    let number = number.ok_or_else(|| {
        let mut problems = Vec::new();
        problem(&mut problems, "name", TAKEN_NAME.to_owned());
        Problem::of_fields(problems)
    })?;
    info!(blueprint = copy.name, "blueprint copied");
    let file = |(name, text): (String, String)| BlueprintFile { name, text };
    let files = checked.files.into_iter().map(file).collect();
    Ok((StatusCode::CREATED, Json(BlueprintText { name: copy.name, number, files })))
}

const TAKEN_NAME: &str = "There is a blueprint of this name already. Choose another name.";

impl Shared {
    /// The files of a version, as they were saved.
    async fn blueprint_files(
        &self,
        name: &str,
        number: i64,
    ) -> Result<Vec<(String, String)>, Problem> {
        if number == 0 {
            let known = self.blueprints.in_folder(name).ok_or_else(no_version)?;
            return Ok(known.files.clone());
        }
        let version =
            self.database.blueprint_version(name, number).await?.ok_or_else(no_version)?;
        Ok(read_files(&version.files))
    }

    /// Files that were saved before, if this program can still read them. What they ask was asked before.
    async fn check_again(&self, files: Vec<(String, String)>) -> Result<Checked, Problem> {
        let file = |(name, text): &(String, String)| BlueprintFile {
            name: name.clone(),
            text: text.clone(),
        };
        let again = files.iter().map(file).collect();
        let services = &self.site.services;
        blueprint_files::check(again, Vec::new(), vec![files], services).await?.whole()
    }

    async fn add_version(
        &self,
        who: &Who,
        name: &str,
        after: i64,
        checked: &Checked,
        note: &str,
        deeds: Vec<Deed>,
    ) -> Result<BlueprintVersionRow, Problem> {
        let mut problems = Vec::new();
        let what = "what you have changed";
        let note = line(&mut problems, "note", what, note, NOTE_MAX_CHARS);
        if !problems.is_empty() {
            return Err(Problem::of_fields(problems));
        }
        if after >= VERSIONS_MAX {
            let message = format!(
                "This blueprint has {VERSIONS_MAX} versions, which is the most. Copy it under a new name."
            );
            return Err(Problem::new(StatusCode::CONFLICT, message));
        }
        let versions = self.database.blueprint_versions(name).await?;
        let based_on = versions.first().map(|newest| newest.based_on.clone()).unwrap_or_default();
        let json = as_json(&checked.files);
        let who = who.name();
        let new = NewBlueprintVersion {
            name,
            after,
            files: &json,
            who,
            note: &note,
            based_on: &based_on,
        };
        let database = self.database.recording(deeds);
        let Some(number) = database.add_blueprint_version(new).await? else {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "Somebody else has saved this blueprint since you opened it. Your text is still here: \
                 look at what differs, then save yours again.",
            ));
        };
        info!(blueprint = name, number, "blueprint saved");
        // The time stands in the row, by whichever process saved it.
        let saved = self.database.blueprint_version(name, number).await?;
        let made_at = saved.map(|saved| saved.made_at);
        Ok(BlueprintVersionRow { number, who: who.to_owned(), made_at, note })
    }
}

fn as_json(files: &[(String, String)]) -> String {
    serde_json::to_string(files).expect("pairs of texts serialize")
}

/// The head of a blueprint with another title; what else stands there is left as it is.
fn with_title(head: &str, title: &str) -> String {
    let new = format!("title = {}", toml::Value::String(title.to_owned()));
    let is_title = |line: &str| {
        line.trim_start()
            .strip_prefix("title")
            .is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let own =
        head.lines().position(|line| line.trim_start().starts_with('[')).unwrap_or(usize::MAX);
    let place = head.lines().position(is_title).filter(|place| *place < own);
    let lines = head.lines().enumerate().map(|(n, line)| match Some(n) == place {
        true => new.as_str(),
        false => line,
    });
    lines.map(|line| format!("{line}\n")).collect()
}

fn no_blueprint() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such blueprint.")
}

fn no_version() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such version of a blueprint.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy has its own title, and what else its head says.
    #[test]
    fn the_title_of_a_copy() {
        let head = "# Ours\ntitle       = \"Two stages\"\nstages = [\"a\"]\n\n[x]\ntitle = \"y\"\n";
        let expected = "# Ours\ntitle = 'A \"new\" one'\nstages = [\"a\"]\n\n[x]\ntitle = \"y\"\n";
        assert_eq!(with_title(head, "A \"new\" one"), expected);
        assert_eq!(with_title("[x]\ntitle = 1\n", "A"), "[x]\ntitle = 1\n");
    }
}
