use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, FromRow, Row, any::AnyRow};

use super::{
    Database, DatabaseError, Written,
    attempts::{self, Attempt},
    mails::{self, MailBrief},
    now,
    webhooks::{self, Message},
};

/// Where an interview stands, as the lists show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The link was made, and nobody has come.
    Invited,
    /// The candidate has started, and waits for the interviewer.
    Waiting,
    /// Somebody is interviewed.
    InProgress,
    /// The candidate has paused it.
    Paused,
    /// It has come to its end.
    Completed,
    /// The candidate left, was silent or never came back.
    Abandoned,
    /// Nobody came while the link worked.
    Expired,
    /// A recruiter took the invitation back.
    Cancelled,
    /// It ended for a fault on our side.
    Failed,
    /// It stopped without an end: a fault on our side.
    Interrupted,
}

impl State {
    /// All there are.
    pub const ALL: [Self; 10] = [
        Self::Invited,
        Self::Waiting,
        Self::InProgress,
        Self::Paused,
        Self::Completed,
        Self::Abandoned,
        Self::Expired,
        Self::Cancelled,
        Self::Failed,
        Self::Interrupted,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invited => "invited",
            Self::Waiting => "waiting",
            Self::InProgress => "in_progress",
            Self::Paused => "paused",
            Self::Completed => "completed",
            Self::Abandoned => "abandoned",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether it may change at any moment.
    pub fn is_live(self) -> bool {
        match self {
            Self::Waiting | Self::InProgress | Self::Paused => true,
            Self::Invited
            | Self::Completed
            | Self::Abandoned
            | Self::Expired
            | Self::Cancelled
            | Self::Failed
            | Self::Interrupted => false,
        }
    }
}

/// An interview in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// The interview's id.
    pub id: String,
    /// The opening that it belongs to.
    pub opening: Option<String>,
    /// What it is for.
    pub purpose: Purpose,
    /// The candidate's name.
    pub name: String,
    /// Their e-mail address; may be empty.
    pub email: String,
    /// What else it is found by: role and title.
    pub about: String,
    /// Where it stands.
    pub state: State,
    /// When it was made, in milliseconds since 1970.
    pub made_at: i64,
    /// When its row was changed last.
    pub updated_at: i64,
    /// Until when its link starts it.
    pub expires_at: Option<i64>,
    /// What else the lists show of it, as JSON.
    pub row: String,
    /// What other tables say of it. It is read, never written.
    pub beside: Beside,
}

/// What an interview is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// A candidate is interviewed.
    #[default]
    Candidate,
    /// A recruiter tries it as the candidate: it is in no list.
    Preview,
    /// The candidate is simulated: it is in the lists, and counts nowhere.
    Simulated,
    /// Somebody of the house tries it themselves: it is in the lists, and counts nowhere.
    Trial,
}

impl Purpose {
    /// All there are.
    const ALL: [Self; 4] = [Self::Candidate, Self::Preview, Self::Simulated, Self::Trial];

    /// Whether somebody of the house tries it themselves.
    pub fn is_trial(self) -> bool {
        match self {
            Self::Preview | Self::Trial => true,
            Self::Candidate | Self::Simulated => false,
        }
    }

    /// What stands for it in the column `preview`, which had two values at first.
    fn column(self) -> i64 {
        match self {
            Self::Candidate => 0,
            Self::Preview => 1,
            Self::Simulated => 2,
            Self::Trial => 3,
        }
    }
}

/// What other tables say of an interview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// What was decided last.
    pub verdict: Option<String>,
    /// What became of the latest mail to the candidate.
    pub mail: Option<MailBrief>,
    /// The time that was proposed to them, in milliseconds since 1970.
    pub appointment: Option<i64>,
    /// Which attempt of the candidate it is.
    pub attempt: Attempt,
}

/// Which interviews are listed.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// In this state alone.
    pub state: Option<State>,
    /// Those alone that need somebody in this way.
    pub needs: Option<Needs>,
    /// Of this opening alone.
    pub opening: Option<String>,
    /// With these words in name, address, role or title.
    pub search: String,
    /// In which order.
    pub sort: Sort,
    /// The other way round.
    pub descending: bool,
    /// So many at most.
    pub max: i64,
    /// So many are left out at the head.
    pub skip: i64,
}

/// Why an interview needs somebody now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Its candidate waits, speaks or has paused.
    Company,
    /// It is completed and no person has decided about it.
    Decision,
}

impl Needs {
    /// The condition in SQL.
    fn condition(self) -> &'static str {
        match self {
            Self::Company => " AND state IN ('waiting', 'in_progress', 'paused')",
            Self::Decision => {
                " AND state = 'completed' AND preview = 0 AND NOT EXISTS (SELECT 1 FROM decisions \
                 WHERE decisions.interview = interviews.id)"
            }
        }
    }
}

/// In which order interviews are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// By when they were made.
    #[default]
    MadeAt,
    /// By the candidate's name.
    Name,
    /// By where they stand.
    State,
    /// By when something changed.
    UpdatedAt,
}

impl Sort {
    fn column(self) -> &'static str {
        match self {
            Self::MadeAt => "made_at",
            Self::Name => "name",
            Self::State => "state",
            Self::UpdatedAt => "updated_at",
        }
    }
}

/// How many interviews of an opening are how far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningCounts {
    /// Nobody has come yet.
    pub invited: i64,
    /// They wait or speak.
    pub running: i64,
    /// Somebody was interviewed, whichever way it ended; not those whose candidate was never there.
    pub done: i64,
    /// Completed, and nobody has decided.
    pub to_decide: i64,
}

/// Rows with what other tables say of them.
fn with_beside() -> String {
    format!(
        "SELECT interviews.*, {}, {} AS mail, (SELECT verdict FROM decisions \
         WHERE decisions.interview = interviews.id ORDER BY at DESC, id LIMIT 1) AS verdict, \
         (SELECT at FROM appointments WHERE appointments.interview = interviews.id \
         AND taken_back = 0) AS appointment FROM interviews",
        attempts::columns(),
        mails::BRIEF
    )
}

/// What a list is narrowed down to.
const NARROWED: &str =
    "WHERE preview <> 1 AND ($1 = '' OR opening = $1) AND ($2 = '' OR searched LIKE $2 ESCAPE '!')";

impl Database {
    /// Writes an interview into the index, in place of what stood there.
    pub async fn index(&self, one: &Indexed) -> Result<(), DatabaseError> {
        self.index_telling(one, &[]).await
    }

    /// The same, with what others are told of it: both or neither.
    pub async fn index_telling(
        &self,
        one: &Indexed,
        messages: &[Message],
    ) -> Result<(), DatabaseError> {
        let searched = format!("{} {} {}", one.name, one.email, one.about).to_lowercase();
        if messages.is_empty() {
            written(one, &searched).execute(self.pool().await?).await?;
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        written(one, &searched).execute(&mut *transaction).await?;
        for message in messages {
            webhooks::tell(&mut transaction, message).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// The interview of an id.
    pub async fn indexed(&self, id: &str) -> Result<Option<Indexed>, DatabaseError> {
        let query = AssertSqlSafe(format!("{} WHERE id = $1", with_beside()));
        Ok(sqlx::query_as(query).bind(id).fetch_optional(self.pool().await?).await?)
    }

    /// The ids of all interviews.
    pub async fn indexed_ids(&self) -> Result<Vec<String>, DatabaseError> {
        Ok(sqlx::query_scalar("SELECT id FROM interviews").fetch_all(self.pool().await?).await?)
    }

    /// The ids of those in a state, the oldest first.
    pub async fn in_state(&self, state: State) -> Result<Vec<String>, DatabaseError> {
        let query =
            sqlx::query_scalar("SELECT id FROM interviews WHERE state = $1 ORDER BY made_at, id");
        Ok(query.bind(state.name()).fetch_all(self.pool().await?).await?)
    }

    /// Interviews that may change at any moment.
    pub async fn live(&self) -> Result<Vec<Indexed>, DatabaseError> {
        let states = "state IN ('waiting', 'in_progress', 'paused')";
        let query =
            AssertSqlSafe(format!("{} WHERE {states} ORDER BY made_at DESC, id", with_beside()));
        Ok(sqlx::query_as(query).fetch_all(self.pool().await?).await?)
    }

    /// Interviews that nobody is in, those that belong to an opening or are previews.
    pub async fn not_live(&self) -> Result<Vec<Indexed>, DatabaseError> {
        let over = "state NOT IN ('waiting', 'in_progress', 'paused') AND (opening IS NOT NULL OR \
            preview = 1)";
        let query = AssertSqlSafe(format!("{} WHERE {over}", with_beside()));
        Ok(sqlx::query_as(query).fetch_all(self.pool().await?).await?)
    }

    /// Interviews that nobody came to while their link worked; from now on their state says so.
    pub async fn expire(&self) -> Result<Vec<Indexed>, DatabaseError> {
        let late = "state = 'invited' AND expires_at IS NOT NULL AND expires_at <= $1";
        let query = AssertSqlSafe(format!("{} WHERE {late}", with_beside()));
        let now = now();
        let found: Vec<Indexed> =
            sqlx::query_as(query).bind(now).fetch_all(self.pool().await?).await?;
        if found.is_empty() {
            return Ok(found);
        }
        let query = AssertSqlSafe(format!(
            "UPDATE interviews SET state = 'expired', updated_at = $1 WHERE {late}"
        ));
        sqlx::query(query).bind(now).execute(self.pool().await?).await?;
        let expired = |one| Indexed { state: State::Expired, updated_at: now, ..one };
        Ok(found.into_iter().map(expired).collect())
    }

    /// The interviews that a query asks for.
    pub async fn list(&self, query: &Query) -> Result<Vec<Indexed>, DatabaseError> {
        let direction = if query.descending { "DESC" } else { "ASC" };
        let column = query.sort.column();
        let text = format!(
            "{} {NARROWED}{} AND ($3 = '' OR state = $3) ORDER BY {column} {direction}, id \
                {direction} \
             LIMIT $4 OFFSET $5",
            with_beside(),
            query.needed()
        );
        let listed =
            sqlx::query_as(AssertSqlSafe(text)).bind(query.opening.clone().unwrap_or_default());
        let listed = listed.bind(query.pattern()).bind(query.state.map_or("", State::name));
        Ok(listed.bind(query.max).bind(query.skip).fetch_all(self.pool().await?).await?)
    }

    /// How many there are in each state, whatever state the query asks for.
    pub async fn counts(&self, query: &Query) -> Result<BTreeMap<String, i64>, DatabaseError> {
        let needed = query.needed();
        let text =
            format!("SELECT state, COUNT(*) FROM interviews {NARROWED}{needed} GROUP BY state");
        let counted =
            sqlx::query_as(AssertSqlSafe(text)).bind(query.opening.clone().unwrap_or_default());
        let counted: Vec<(String, i64)> =
            counted.bind(query.pattern()).fetch_all(self.pool().await?).await?;
        Ok(counted.into_iter().collect())
    }

    /// How far the interviews of each opening are.
    pub async fn opening_counts(&self) -> Result<BTreeMap<String, OpeningCounts>, DatabaseError> {
        let query = "SELECT opening, state, COUNT(*) AS n, CAST(SUM(CASE WHEN EXISTS (SELECT 1 FROM \
            decisions \
                     WHERE interview = interviews.id) THEN 0 ELSE 1 END) AS BIGINT) AS undecided \
                     FROM interviews WHERE opening IS NOT NULL AND preview = 0 GROUP BY opening, state";
        let rows: Vec<(String, String, i64, i64)> =
            sqlx::query_as(query).fetch_all(self.pool().await?).await?;
        let mut counts: BTreeMap<String, OpeningCounts> = BTreeMap::new();
        for (opening, state, n, undecided) in rows {
            let counts = counts.entry(opening).or_default();
            match State::ALL.into_iter().find(|known| known.name() == state) {
                Some(State::Invited) => counts.invited += n,
                Some(State::Waiting | State::InProgress | State::Paused) => counts.running += n,
                Some(State::Completed) => {
                    counts.done += n;
                    counts.to_decide += undecided;
                }
                Some(State::Abandoned | State::Failed | State::Interrupted) => counts.done += n,
                Some(State::Expired | State::Cancelled) | None => {}
            }
        }
        Ok(counts)
    }

    /// Removes an interview, and all that is kept of it here.
    pub async fn unindex(&self, id: &str) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        for query in [
            "DELETE FROM decisions WHERE interview = $1",
            "DELETE FROM levels WHERE interview = $1",
            "DELETE FROM notes WHERE interview = $1",
            "DELETE FROM candidate_words WHERE interview = $1",
            "DELETE FROM shares WHERE interview = $1",
            "DELETE FROM partner_tests WHERE interview = $1",
            "DELETE FROM mails WHERE interview = $1",
            "DELETE FROM appointments WHERE interview = $1",
            "DELETE FROM integrity WHERE interview = $1",
            "DELETE FROM interviews WHERE id = $1",
        ] {
            sqlx::query(query).bind(id).execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// The statement that writes an interview into the index.
fn written<'a>(one: &'a Indexed, searched: &'a str) -> Written<'a> {
    let query = "INSERT INTO interviews \
                 (id, opening, preview, name, email, searched, state, made_at, updated_at, expires_at, \
                 row_json) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
                 ON CONFLICT (id) DO UPDATE SET name = excluded.name, searched = excluded.searched, \
                 state = excluded.state, updated_at = excluded.updated_at, \
                 expires_at = excluded.expires_at, \
                 row_json = excluded.row_json";
    let query = sqlx::query(query).bind(&one.id).bind(&one.opening).bind(one.purpose.column());
    let query = query.bind(&one.name).bind(&one.email).bind(searched).bind(one.state.name());
    query.bind(one.made_at).bind(one.updated_at).bind(one.expires_at).bind(&one.row)
}

impl Query {
    /// The condition of what is needed; empty where all are listed.
    fn needed(&self) -> &'static str {
        self.needs.map_or("", Needs::condition)
    }

    /// What `LIKE` looks for; empty for nothing.
    fn pattern(&self) -> String {
        let words = self.search.trim().to_lowercase();
        if words.is_empty() {
            return words;
        }
        format!("%{}%", words.replace('!', "!!").replace('%', "!%").replace('_', "!_"))
    }
}

impl FromRow<'_, AnyRow> for Indexed {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        let name: String = row.try_get("state")?;
        let state = State::ALL.into_iter().find(|state| state.name() == name);
        let purpose: i64 = row.try_get("preview")?;
        Ok(Self {
            id: row.try_get("id")?,
            opening: row.try_get("opening")?,
            purpose: Purpose::ALL
                .into_iter()
                .find(|known| known.column() == purpose)
                .unwrap_or(Purpose::Preview),
            name: row.try_get("name")?,
            email: row.try_get("email")?,
            about: String::new(),
            state: state
                .ok_or_else(|| sqlx::Error::Decode(format!("there is no state {name}").into()))?,
            made_at: row.try_get("made_at")?,
            updated_at: row.try_get("updated_at")?,
            expires_at: row.try_get("expires_at")?,
            row: row.try_get("row_json")?,
            beside: Beside {
                verdict: row.try_get("verdict")?,
                mail: row
                    .try_get::<Option<String>, _>("mail")?
                    .as_deref()
                    .and_then(MailBrief::parse),
                appointment: row.try_get("appointment")?,
                attempt: Attempt {
                    candidate: row.try_get("of_candidate")?,
                    number: row.try_get::<i64, _>("used_before")? + 1,
                    of: row.try_get::<Option<i64>, _>("attempts")?.unwrap_or(1),
                },
            },
        })
    }
}
