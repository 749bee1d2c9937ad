//! What people say about an interview: decisions, notes, candidates' words, and what is left of a
//! deleted one.

use sqlx::{FromRow, Row, any::AnyRow};

use super::{
    Database, DatabaseError, new_id, now,
    webhooks::{self, Message},
};

/// A recruiter's decision about a candidate.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Decision {
    /// `advance`, `hold` or `reject`.
    pub verdict: String,
    /// Why.
    pub reason: String,
    /// Who decided.
    pub decided_by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// A decision that is made.
#[derive(Clone, Copy, Debug)]
pub struct NewDecision<'a> {
    /// The interview.
    pub interview: &'a str,
    /// `advance`, `hold` or `reject`.
    pub verdict: &'a str,
    /// Why.
    pub reason: &'a str,
    /// Who decides.
    pub decided_by: &'a str,
}

/// A note of a recruiter.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Note {
    /// What they wrote.
    pub text: String,
    /// Who wrote it.
    pub written_by: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// What a candidate says afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateWord {
    /// What it is.
    pub kind: WordKind,
    /// The turn that a correction is about.
    pub turn: Option<i64>,
    /// From 1 to 5.
    pub stars: Option<i64>,
    /// In their words.
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// What a candidate's words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A correction of the transcript.
    Correction,
    /// What they thought of the interview.
    Feedback,
    /// They want to be deleted.
    Deletion,
    /// They want a person to look at it.
    Review,
    /// They practised a question again: the text is the id of that interview.
    Try,
    /// What they say to the facts that were noted.
    Integrity,
}

/// Stands in a statement for words that are about no turn.
const NO_TURN: i64 = -1;

/// What is kept of words of one kind, of a correction of those about the same turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// The first: it is asked for once, and its time counts.
    First,
    /// The last, in place of those before.
    Last,
    /// All; whoever adds them has a limit.
    All,
}

impl WordKind {
    fn kept(self) -> Kept {
        match self {
            Self::Deletion | Self::Review => Kept::First,
            Self::Correction | Self::Feedback | Self::Integrity => Kept::Last,
            Self::Try => Kept::All,
        }
    }

    const ALL: [Self; 6] = [
        Self::Correction,
        Self::Feedback,
        Self::Deletion,
        Self::Review,
        Self::Try,
        Self::Integrity,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Correction => "correction",
            Self::Feedback => "feedback",
            Self::Deletion => "deletion",
            Self::Review => "review",
            Self::Try => "try",
            Self::Integrity => "integrity",
        }
    }
}

/// What is left of an interview that was deleted; nothing in it names a person.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Receipt {
    /// The interview's id.
    pub interview: String,
    /// When it was made, in milliseconds since 1970.
    pub made_at: i64,
    /// When somebody removed it.
    pub asked_at: i64,
    /// When the candidate had asked for that; nothing where they did not.
    pub candidate_asked_at: Option<i64>,
    /// When nothing was left; nothing while there is.
    pub done_at: Option<i64>,
    /// Who removed it: `retention` where nobody did.
    pub asked_by: String,
    /// What was deleted.
    pub what: String,
}

impl Database {
    /// Adds a decision with what others are told of it; the decisions before stay.
    pub async fn decide(
        &self,
        new: NewDecision<'_>,
        message: &Message,
    ) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let query = "INSERT INTO decisions (id, interview, verdict, reason, decided_by, at) \
                     VALUES ($1, $2, $3, $4, $5, $6)";
        let query = sqlx::query(query).bind(new_id()).bind(new.interview).bind(new.verdict);
        let query = query.bind(new.reason).bind(new.decided_by).bind(now());
        query.execute(&mut *transaction).await?;
        webhooks::tell(&mut transaction, message).await?;
        self.record(&mut transaction, new.interview).await?;
        Ok(transaction.commit().await?)
    }

    /// What was decided about an interview, the newest first.
    pub async fn decisions(&self, interview: &str) -> Result<Vec<Decision>, DatabaseError> {
        let query = "SELECT verdict, reason, decided_by, at FROM decisions WHERE interview = $1 ORDER \
            BY at DESC, id";
        Ok(sqlx::query_as(query).bind(interview).fetch_all(self.pool().await?).await?)
    }

    /// Adds a note.
    pub async fn add_note(
        &self,
        interview: &str,
        text: &str,
        by: &str,
    ) -> Result<(), DatabaseError> {
        let query =
            "INSERT INTO notes (id, interview, text, written_by, at) VALUES ($1, $2, $3, $4, $5)";
        let query =
            sqlx::query(query).bind(new_id()).bind(interview).bind(text).bind(by).bind(now());
        let mut transaction = self.begin().await?;
        query.execute(&mut *transaction).await?;
        self.record(&mut transaction, interview).await?;
        Ok(transaction.commit().await?)
    }

    /// The notes on an interview, the oldest first.
    pub async fn notes(&self, interview: &str) -> Result<Vec<Note>, DatabaseError> {
        let query = "SELECT text, written_by, at FROM notes WHERE interview = $1 ORDER BY at, id";
        Ok(sqlx::query_as(query).bind(interview).fetch_all(self.pool().await?).await?)
    }

    /// Adds what a candidate says, as its kind is kept. So there are never more rows than an interview has
    /// turns, and a few: no limit keeps anybody from saying something.
    pub async fn add_candidate_word(
        &self,
        interview: &str,
        word: &CandidateWord,
    ) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let (kind, turn) = (word.kind.name(), word.turn.unwrap_or(NO_TURN));
        match word.kind.kept() {
            Kept::All => {}
            Kept::First => {
                let query = "SELECT COUNT(*) FROM candidate_words \
                             WHERE interview = $1 AND kind = $2 AND COALESCE(turn, -1) = $3";
                let query = sqlx::query_scalar(query).bind(interview).bind(kind).bind(turn);
                let before: i64 = query.fetch_one(&mut *transaction).await?;
                if before > 0 {
                    return Ok(());
                }
            }
            Kept::Last => {
                let query = "DELETE FROM candidate_words \
                             WHERE interview = $1 AND kind = $2 AND COALESCE(turn, -1) = $3";
                let query = sqlx::query(query).bind(interview).bind(kind).bind(turn);
                query.execute(&mut *transaction).await?;
            }
        }
        let query = "INSERT INTO candidate_words (id, interview, kind, turn, stars, text, at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let query = sqlx::query(query).bind(new_id()).bind(interview).bind(word.kind.name());
        let query = query.bind(word.turn).bind(word.stars).bind(&word.text).bind(now());
        query.execute(&mut *transaction).await?;
        self.record(&mut transaction, interview).await?;
        Ok(transaction.commit().await?)
    }

    /// What a candidate has said about their interview, the oldest first.
    pub async fn candidate_words(
        &self,
        interview: &str,
    ) -> Result<Vec<CandidateWord>, DatabaseError> {
        let query = "SELECT kind, turn, stars, text, at FROM candidate_words WHERE interview = $1 \
            ORDER BY at, id";
        Ok(sqlx::query_as(query).bind(interview).fetch_all(self.pool().await?).await?)
    }

    /// Notes that an interview is to be deleted, before anything of it is: whoever finds this later goes on.
    /// When the candidate has asked for it is kept, which goes with what they said.
    pub async fn ask_deletion(
        &self,
        interview: &str,
        made_at: i64,
        asked_by: &str,
        what: &str,
    ) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let query = "INSERT INTO receipts (interview, made_at, asked_at, asked_by, what, candidate_asked_at) \
                     VALUES ($1, $2, $3, $4, $5, (SELECT MIN(at) FROM candidate_words \
                     WHERE interview = $6 AND kind = 'deletion')) ON CONFLICT (interview) DO NOTHING";
        let query = sqlx::query(query).bind(interview).bind(made_at).bind(now()).bind(asked_by);
        let query = query.bind(what).bind(interview);
        if query.execute(&mut *transaction).await?.rows_affected() > 0 {
            self.record(&mut transaction, interview).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Keeps the hashes of links that work no more, so that whoever comes by one can be told why.
    pub async fn keep_old_links(
        &self,
        interview: &str,
        hashes: &[String],
    ) -> Result<(), DatabaseError> {
        let query =
            "INSERT INTO old_links (hash, interview) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
        for hash in hashes {
            sqlx::query(query).bind(hash).bind(interview).execute(self.pool().await?).await?;
        }
        Ok(())
    }

    /// Whether a link of this hash led to the interview, and works no more.
    pub async fn is_old_link(&self, interview: &str, hash: &str) -> Result<bool, DatabaseError> {
        let query = "SELECT COUNT(*) FROM old_links WHERE hash = $1 AND interview = $2";
        let query = sqlx::query_scalar::<_, i64>(query).bind(hash).bind(interview);
        Ok(query.fetch_one(self.pool().await?).await? > 0)
    }

    /// Notes that nothing is left of it.
    pub async fn deletion_done(&self, interview: &str) -> Result<(), DatabaseError> {
        let query = "UPDATE receipts SET done_at = $1 WHERE interview = $2 AND done_at IS NULL";
        sqlx::query(query).bind(now()).bind(interview).execute(self.pool().await?).await?;
        Ok(())
    }

    /// What is left of a deleted interview.
    pub async fn receipt(&self, interview: &str) -> Result<Option<Receipt>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM receipts WHERE interview = $1").bind(interview);
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// What is left of the interviews that were deleted last, the newest first, those before a time.
    pub async fn receipts(&self, before: i64, max: i64) -> Result<Vec<Receipt>, DatabaseError> {
        let query =
            "SELECT * FROM receipts WHERE asked_at < $1 ORDER BY asked_at DESC, interview LIMIT $2";
        Ok(sqlx::query_as(query).bind(before).bind(max).fetch_all(self.pool().await?).await?)
    }

    /// The interviews whose deletion is not done.
    pub async fn deletions_to_do(&self) -> Result<Vec<String>, DatabaseError> {
        let query = "SELECT interview FROM receipts WHERE done_at IS NULL";
        Ok(sqlx::query_scalar(query).fetch_all(self.pool().await?).await?)
    }
}

impl FromRow<'_, AnyRow> for CandidateWord {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        let name: String = row.try_get("kind")?;
        let kind = WordKind::ALL.into_iter().find(|kind| kind.name() == name);
        Ok(Self {
            kind: kind
                .ok_or_else(|| sqlx::Error::Decode(format!("there is no kind {name}").into()))?,
            turn: row.try_get("turn")?,
            stars: row.try_get("stars")?,
            text: row.try_get("text")?,
            at: row.try_get("at")?,
        })
    }
}
