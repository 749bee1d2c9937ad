//! The index of interviews in the database: made from the store, and kept up with it.
//!
//! The store is what counts. An interview that it has and the index does not is added, as those are that
//! older programs, other frontends or other machines have made; rows that may have changed are read
//! again when their journal or lease has. Whoever listens is told of each row that changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use tokio::sync::{Mutex, broadcast};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::{
    Shared,
    blocking::blocking,
    problem::Problem,
    progress::{EndView, InterviewState, progress},
    row::{Details, InterviewRow},
    webhooks::{self, Change},
};
use crate::{
    blueprint::Blueprint,
    clock::unix_millis,
    database::{Act, Actor, Beside, Deed, Indexed, Purpose, State},
    journal::{self, Entry, Inputs, Line, Transcript},
    store::{InterviewId, JournalStamp, LeaseState, StoreError},
};

/// The index is brought up to date this often while pages are open.
const REFRESH_EVERY: Duration = Duration::from_secs(1);
/// Interviews that are not to be kept any longer are looked for this often.
const REMOVE_EVERY: Duration = Duration::from_secs(3600);
const DAY_MS: i64 = 24 * 3_600_000;
/// Messages to webhooks are kept so long, and what came of them.
const DELIVERIES_KEPT_MS: i64 = 30 * DAY_MS;
/// Each time, so many of those that nobody has come to are looked at.
const LOOKED_AT_MAX: usize = 200;
/// Changes that a slow listener may be behind.
const CHANGES_MAX: usize = 256;
const LINE_CHARS_MAX: usize = 160;

/// What keeps the index up to date.
pub(super) struct Index {
    seen: Mutex<Seen>,
    changes: broadcast::Sender<Arc<InterviewRow>>,
}

/// What the index was made from last.
#[derive(Default)]
struct Seen {
    /// All that are in it, or cannot be read.
    known: BTreeSet<InterviewId>,
    is_loaded: bool,
    /// Of those that may change: what they were made from.
    of: BTreeMap<InterviewId, Basis>,
    /// Those that nobody has come to, from the one that is looked at next.
    invited: Vec<InterviewId>,
}

/// What a row depends on: as long as it stays, so does the row.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Basis {
    journal: Option<JournalStamp>,
    lease: LeaseState,
    is_waiting: bool,
    is_unanswered: bool,
}

/// Who an interview is for, where a recruiter made it for an opening.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    /// The opening, and its title.
    pub(super) opening: Option<(String, String)>,
    /// What it is for.
    pub(super) purpose: Purpose,
    /// The candidate's e-mail address.
    pub(super) email: String,
}

impl Default for Index {
    fn default() -> Self {
        Self { seen: Mutex::default(), changes: broadcast::channel(CHANGES_MAX).0 }
    }
}

impl Index {
    /// The changes from now on.
    pub(super) fn changes(&self) -> broadcast::Receiver<Arc<InterviewRow>> {
        self.changes.subscribe()
    }
}

/// Keeps the index up to date until `stop`, while somebody listens or is told by a webhook, and removes what
/// is not to be kept any longer.
pub(super) fn keep(shared: &Arc<Shared>, stop: CancellationToken) {
    let one = shared.clone();
    let kept = async move {
        let shared = one;
        loop {
            if let Err(why) = shared.refresh(LOOKED_AT_MAX).await {
                error!(why = why.message, "index of interviews is not up to date");
            }
            tokio::time::sleep(REFRESH_EVERY).await;
            while shared.live.index.changes.receiver_count() == 0 && !shared.tells_anybody().await {
                tokio::time::sleep(REFRESH_EVERY).await;
            }
        }
    };
    tokio::spawn(stop.clone().run_until_cancelled_owned(kept));
    let shared = shared.clone();
    let removed = async move {
        loop {
            if let Err(why) = shared.remove_what_is_over().await {
                error!(why = why.message, "old interviews were not removed");
            }
            tokio::time::sleep(REMOVE_EVERY).await;
        }
    };
    tokio::spawn(stop.run_until_cancelled_owned(removed));
}

impl Shared {
    /// Brings the index up to date with the store; of those that nobody has come to, `looked_at` are
    /// looked at.
    pub(super) async fn refresh(&self, looked_at: usize) -> Result<(), Problem> {
        let mut seen = self.live.index.seen.lock().await;
        if !seen.is_loaded {
            let ids = self.database.indexed_ids().await?;
            seen.known = ids.iter().filter_map(|id| id.parse().ok()).collect();
            seen.is_loaded = true;
        }
        let there: BTreeSet<InterviewId> = self.store.ids().await?.into_iter().collect();
        for id in there.difference(&seen.known.clone()) {
            seen.known.insert(*id);
            if let Err(why) = self.add(*id, &Made::default()).await {
                error!(interview = %id, why = why.message, "interview is not listed");
            }
        }
        // Another database may know interviews that are on other machines.
        if self.database.is_sqlite() {
            for id in seen.known.clone().difference(&there) {
                seen.known.remove(id);
                self.database.unindex(&id.to_string()).await?;
            }
        }
        for row in self.database.expire().await? {
            for message in webhooks::of_expired(&self.site.outside, &row) {
                self.database.tell(&message).await?;
            }
            self.tell(row);
        }
        let mut rows = self.database.live().await?;
        if seen.invited.is_empty() {
            let invited = self.database.in_state(State::Invited).await?;
            seen.invited = invited.iter().filter_map(|id| id.parse().ok()).collect();
        }
        let left = seen.invited.len().saturating_sub(looked_at);
        for id in seen.invited.split_off(left) {
            rows.extend(self.database.indexed(&id.to_string()).await?);
        }
        for row in rows {
            let Ok(id) = row.id.parse() else { continue };
            let Some(basis) = self.basis(id).await? else { continue };
            if seen.of.insert(id, basis) != Some(basis) {
                self.reindex_row(id, row, false).await?;
            }
        }
        Ok(())
    }

    /// Whether somebody is told of changes who looks at no page.
    async fn tells_anybody(&self) -> bool {
        self.database.tells_anybody().await.unwrap_or_else(|why| {
            error!(%why, "nobody is told of changes");
            false
        })
    }

    /// Removes interviews whose time is over, previews, and what a crash has left of a removal.
    pub(super) async fn remove_what_is_over(&self) -> Result<(), Problem> {
        self.finish_deletions().await?;
        self.database.forget_ended_sessions().await?;
        let now = i64::try_from(unix_millis()).unwrap_or(i64::MAX);
        self.database.forget_deliveries(now.saturating_sub(DELIVERIES_KEPT_MS)).await?;
        self.forget_old_deeds(now).await?;
        let retention = self.retention().await?;
        for row in self.database.not_live().await? {
            let kept_ms = match row.opening.as_ref().and_then(|opening| retention.get(opening)) {
                // Its link works for a day, or for as long as a practice interview can be tried again.
                _ if row.purpose == Purpose::Preview
                    && row.expires_at.is_some_and(|at| at > now) =>
                {
                    continue;
                }
                _ if row.purpose == Purpose::Preview => 0,
                Some(days) => i64::from(*days) * DAY_MS,
                None => continue,
            };
            // Whoever has not come is kept as long as the link works.
            let since = row.updated_at.max(row.expires_at.unwrap_or(0).min(now));
            if now - since < kept_ms {
                continue;
            }
            let Ok(id) = row.id.parse() else { continue };
            let deed = Deed {
                actor: Actor::system("retention"),
                act: Act::RemovedInterview,
                object: row.id.clone(),
                detail: String::new(),
            };
            let database = self.database.recording([deed]);
            database.ask_deletion(&row.id, row.made_at, "retention", "everything").await?;
            // One that cannot be removed now is tried again later, and keeps no other.
            if let Err(why) = self.finish_deletion(id).await {
                error!(interview = %id, why = why.message, "interview was not removed");
            }
        }
        Ok(())
    }

    /// Removes entries of the audit trail whose time is over, about once a day: each time leaves an entry.
    async fn forget_old_deeds(&self, now: i64) -> Result<(), Problem> {
        let kept_ms = i64::try_from(self.site.services.audit_kept.as_millis()).unwrap_or(i64::MAX);
        let over = now.saturating_sub(kept_ms);
        if kept_ms == 0 || self.database.oldest_deed().await?.is_none_or(|at| at >= over - DAY_MS) {
            return Ok(());
        }
        let count = self.database.forget_deeds(over).await?;
        info!(count, "old entries of the audit trail were removed");
        Ok(())
    }

    /// Adds a new interview to the index.
    pub(super) async fn add(&self, id: InterviewId, made: &Made) -> Result<(), Problem> {
        let listed = self.store.find(id).await?;
        let is_simulated = self.store.inputs(id).await?.simulated.is_some();
        let (opening, opening_title) = made.opening.clone().unzip();
        let details =
            Details { opening_title: opening_title.unwrap_or_default(), ..Details::default() };
        let made_at = i64::try_from(listed.made_at).unwrap_or(i64::MAX);
        let row = Indexed {
            id: id.to_string(),
            opening,
            purpose: if is_simulated { Purpose::Simulated } else { made.purpose },
            name: String::new(),
            email: made.email.clone(),
            about: String::new(),
            state: State::Invited,
            made_at,
            updated_at: made_at,
            expires_at: None,
            row: serde_json::to_string(&details).expect("plain data serializes"),
            beside: Beside::default(),
        };
        self.reindex_row(id, row, true).await
    }

    /// Reads an interview anew, because something about it was changed.
    pub(super) async fn reindex(&self, id: InterviewId) -> Result<(), Problem> {
        match self.database.indexed(&id.to_string()).await? {
            Some(row) => self.reindex_row(id, row, false).await,
            None => self.add(id, &Made::default()).await,
        }
    }

    async fn reindex_row(
        &self,
        id: InterviewId,
        before: Indexed,
        is_new: bool,
    ) -> Result<(), Problem> {
        let known: Details = serde_json::from_str(&before.row).unwrap_or_default();
        let read = self.read(id, &known).await?;
        let row = serde_json::to_string(&read.details).expect("plain data serializes");
        let expires_at = read.expires_at.map(|at| i64::try_from(at).unwrap_or(i64::MAX));
        let about =
            format!("{} {} {}", read.details.role, read.details.title, read.details.opening_title);
        let after = Indexed {
            name: read.name,
            state: read.state,
            expires_at,
            about,
            row,
            ..before.clone()
        };
        let is_same = Indexed { about: before.about.clone(), ..after.clone() } == before;
        if is_same {
            return Ok(());
        }
        let updated_at = i64::try_from(unix_millis()).unwrap_or(i64::MAX);
        let after = Indexed { updated_at, ..after };
        let from = (!is_new).then_some(before.state);
        let change = Change { from, row: &after, details: &read.details };
        let messages = webhooks::of_change(&self.site.outside, &change);
        self.database.index_telling(&after, &messages).await?;
        self.tell(after);
        Ok(())
    }

    /// Tells of a row of which something beside its journal has changed.
    pub(super) async fn tell_of(&self, id: &str) -> Result<(), Problem> {
        if let Some(row) = self.database.indexed(id).await? {
            self.tell(row);
        }
        Ok(())
    }

    fn tell(&self, row: Indexed) {
        if row.purpose != Purpose::Preview {
            // Nobody may be listening.
            let _ = self.live.index.changes.send(Arc::new(InterviewRow::from(row)));
        }
    }

    async fn basis(&self, id: InterviewId) -> Result<Option<Basis>, Problem> {
        let found = match self.store.find(id).await {
            Err(StoreError::NotFound { .. }) => return Ok(None),
            found => found?,
        };
        Ok(Some(Basis {
            journal: found.journal,
            lease: self.store.lease_state(id).await?,
            is_waiting: self.live.watches.is_watched(id),
            is_unanswered: self.live.watches.is_unanswered(id),
        }))
    }

    async fn read(&self, id: InterviewId, known: &Details) -> Result<Read, Problem> {
        let (inputs, launch) = (self.store.inputs(id).await?, self.store.launch(id).await?);
        let journal = self.store.read_journal(id).await?;
        let (state, transcript) = progress(&*self.store, id).await?;
        let is_cancelled = launch.as_ref().is_some_and(|launch| launch.cancelled);
        let expires_at = launch.map(|launch| launch.expires_at);
        let is_waiting = self.live.watches.is_watched(id);
        let known = known.clone();
        blocking(move || {
            let entries = match (&transcript, journal) {
                (Some(_), Some(text)) => journal::parse(&text)?.1,
                (Some(_) | None, _) => Vec::new(),
            };
            let heard = Heard { state, transcript: transcript.as_ref(), entries: &entries };
            let late = expires_at.is_some_and(|at| unix_millis() >= at);
            let state = heard.state(is_cancelled, is_waiting, late);
            let name = name(&inputs, transcript.as_ref());
            Ok(Read { name, state, expires_at, details: heard.details(inputs, known) })
        })
        .await
    }
}

/// What was read of an interview.
struct Read {
    name: String,
    state: State,
    expires_at: Option<u64>,
    details: Details,
}

/// What an interview's journal says.
struct Heard<'a> {
    state: InterviewState,
    transcript: Option<&'a Transcript>,
    entries: &'a [Entry],
}

impl Heard<'_> {
    fn state(&self, is_cancelled: bool, is_waiting: bool, is_late: bool) -> State {
        match (self.state, self.transcript) {
            (InterviewState::Waiting, _) if is_cancelled => State::Cancelled,
            (InterviewState::Waiting, _) if is_waiting => State::Waiting,
            (InterviewState::Waiting, _) if is_late => State::Expired,
            (InterviewState::Waiting, _) => State::Invited,
            (InterviewState::InProgress, Some(it)) if it.state == journal::State::Waiting => {
                State::Waiting
            }
            (InterviewState::InProgress, _) if journal::is_paused(self.entries) => State::Paused,
            (InterviewState::InProgress, _) => State::InProgress,
            (InterviewState::Interrupted | InterviewState::Stopped, _) => State::Interrupted,
            (InterviewState::Completed, transcript) => transcript
                .and_then(|transcript| transcript.end)
                .map_or(State::Completed, |end| EndView::from(end).state()),
        }
    }

    fn details(&self, inputs: Inputs, known: Details) -> Details {
        let blueprint = Blueprint::load(&inputs.files).ok();
        let blueprint = blueprint.map(|blueprint| blueprint.for_candidate(&inputs.context));
        let agents = blueprint.as_ref().map_or(&[][..], |blueprint| &blueprint.agents);
        let lines = self.transcript.map_or(&[][..], |transcript| &transcript.lines);
        let is_over = self.state.is_over();
        let is_answered = |name: &str| {
            lines
                .iter()
                .any(|line| line.speaker == journal::Speaker::Candidate && line.stage == name)
        };
        let parts: Vec<_> = agents.iter().filter(|agent| !agent.kind.closes()).collect();
        let stage = lines.last().map(|line| &line.stage);
        let stage = agents.iter().find(|agent| Some(&agent.name) == stage);
        let unanswered = parts.iter().filter(|agent| !is_answered(&agent.name)).count();
        Details {
            title: blueprint.as_ref().map_or(&inputs.blueprint, |known| &known.title).clone(),
            role: inputs.context.role,
            blueprint: inputs.blueprint,
            end: self.transcript.and_then(|transcript| transcript.end).map(EndView::from),
            started_at: self.transcript.map(|transcript| transcript.started_at),
            stage: stage.filter(|_| !is_over).map(|agent| agent.title.clone()),
            last_line: lines.last().map(last_line),
            minutes: lines.last().filter(|_| is_over).map(|line| line.at_ms.div_ceil(60_000)),
            parts: parts.len() as u64,
            unanswered: is_over.then_some(unanswered as u64),
            attention: journal::was_in_distress(self.entries).then(|| "distress".to_owned()),
            opening_title: known.opening_title,
        }
    }
}

fn last_line(line: &Line) -> String {
    let text = line.marked();
    match text.char_indices().nth(LINE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// How the candidate is called.
fn name(inputs: &Inputs, transcript: Option<&Transcript>) -> String {
    if !inputs.context.is_nameless() {
        return inputs.context.candidate_name.clone();
    }
    transcript.and_then(|transcript| transcript.candidate.clone()).unwrap_or_default()
}

/// Adds an interview that a recruiter has just made.
pub(super) async fn launched(shared: &Shared, id: InterviewId, made: &Made) -> Result<(), Problem> {
    shared.live.index.seen.lock().await.known.insert(id);
    shared.add(id, made).await
}
