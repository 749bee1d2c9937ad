use sqlx::{AssertSqlSafe, FromRow, Row, any::AnyRow};

use super::{Database, DatabaseError, new_id, now};

/// A time that was proposed to a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appointment {
    /// In milliseconds since 1970.
    pub at: i64,
    /// The time zone of who proposed it, such as Europe/Berlin; may be empty.
    pub zone: String,
    /// Counts its changes, from 0.
    pub sequence: i64,
    /// Whether it was taken back.
    pub taken_back: bool,
}

/// What a mail tells the candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailKind {
    /// They are invited.
    Invitation,
    /// The link or the appointment is soon over.
    Reminder,
    /// There is an appointment, or another one.
    Moved,
    /// The appointment is taken back, or the whole invitation.
    CalledOff,
}

impl MailKind {
    const ALL: [Self; 4] = [Self::Invitation, Self::Reminder, Self::Moved, Self::CalledOff];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::Reminder => "reminder",
            Self::Moved => "moved",
            Self::CalledOff => "called_off",
        }
    }
}

/// How far a mail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailState {
    /// It waits to be sent, or to be tried again.
    Waiting,
    /// The mail server has taken it.
    Sent,
    /// It is not tried any more.
    Failed,
}

impl MailState {
    const ALL: [Self; 3] = [Self::Waiting, Self::Sent, Self::Failed];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Failed => "failed",
        }
    }
}

/// A mail to a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Its id.
    pub id: String,
    /// The interview that it is about.
    pub interview: String,
    /// What it tells.
    pub kind: MailKind,
    /// How far it is.
    pub state: MailState,
    /// How often it was tried.
    pub tries: i64,
    /// When it is tried next, in milliseconds since 1970.
    pub due_at: i64,
    /// Why it was not sent; may be empty.
    pub problem: String,
    /// The time zone in which it tells times; may be empty.
    pub zone: String,
    /// When it was asked for.
    pub made_at: i64,
    /// When it was sent or given up.
    pub done_at: Option<i64>,
}

/// A mail that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct NewMail<'a> {
    /// The interview that it is about.
    pub interview: &'a str,
    /// What it tells.
    pub kind: MailKind,
    /// The time zone in which it tells times; may be empty.
    pub zone: &'a str,
    /// Of a reminder: which time it reminds of.
    pub about_at: Option<i64>,
}

/// A candidate who is to be reminded.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ToRemind {
    /// The interview's id.
    pub interview: String,
    /// What they are reminded of, in milliseconds since 1970.
    pub about_at: i64,
    /// The time zone of the invitation.
    pub zone: String,
}

/// What the latest mail about an interview has become, as the lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailBrief {
    /// What it tells.
    pub kind: MailKind,
    /// How far it is.
    pub state: MailState,
    /// When that was, in milliseconds since 1970.
    pub at: i64,
    /// Why it was not sent; may be empty.
    pub problem: String,
}

/// What [`MailBrief::parse`] reads of the latest mail.
pub(super) const BRIEF: &str = "(SELECT kind || '/' || mails.state || '/' || \
    CAST(COALESCE(done_at, mails.made_at) AS TEXT) || '/' || problem FROM mails \
    WHERE mails.interview = interviews.id ORDER BY mails.made_at DESC, mails.id LIMIT 1)";

/// When an interview's link or appointment is over.
const DEADLINE: &str = "COALESCE(appointments.at, interviews.expires_at)";

impl MailBrief {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, '/');
        let (kind, state) = (parts.next()?, parts.next()?);
        Some(Self {
            kind: MailKind::ALL.into_iter().find(|known| known.name() == kind)?,
            state: MailState::ALL.into_iter().find(|known| known.name() == state)?,
            at: parts.next()?.parse().ok()?,
            problem: parts.next()?.to_owned(),
        })
    }
}

/// Appointments.
impl Database {
    /// The time that was proposed for an interview, also one that was taken back.
    pub async fn appointment(&self, interview: &str) -> Result<Option<Appointment>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM appointments WHERE interview = $1");
        Ok(query.bind(interview).fetch_optional(self.pool().await?).await?)
    }

    /// Proposes a time, in place of the one before; false when it is the same one.
    pub async fn set_appointment(
        &self,
        interview: &str,
        at: i64,
        zone: &str,
    ) -> Result<bool, DatabaseError> {
        let query = "INSERT INTO appointments (interview, at, zone, sequence) VALUES ($1, $2, $3, 0) \
                     ON CONFLICT (interview) DO UPDATE SET at = excluded.at, zone = excluded.zone, \
                     sequence = appointments.sequence + 1, taken_back = 0 \
                     WHERE appointments.at <> excluded.at OR appointments.taken_back = 1";
        let query = sqlx::query(query).bind(interview).bind(at).bind(zone);
        let mut transaction = self.begin().await?;
        let is_new = query.execute(&mut *transaction).await?.rows_affected() > 0;
        self.record(&mut transaction, interview).await?;
        transaction.commit().await?;
        Ok(is_new)
    }

    /// Takes the proposed time back; false when there is none.
    pub async fn take_back_appointment(&self, interview: &str) -> Result<bool, DatabaseError> {
        let query = "UPDATE appointments SET taken_back = 1, sequence = sequence + 1 \
                     WHERE interview = $1 AND taken_back = 0";
        let query = sqlx::query(query).bind(interview);
        let mut transaction = self.begin().await?;
        let was_there = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if was_there {
            self.record(&mut transaction, interview).await?;
        }
        transaction.commit().await?;
        Ok(was_there)
    }
}

/// Mails.
impl Database {
    /// Asks for a mail. What waits and would say less than it, or the opposite, is not sent any more.
    pub async fn queue_mail(&self, new: NewMail<'_>) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let outdated = "DELETE FROM mails WHERE interview = $1 AND state = 'waiting' \
                        AND ($2 = 'invitation' OR kind <> 'invitation')";
        let outdated = sqlx::query(outdated).bind(new.interview).bind(new.kind.name());
        outdated.execute(&mut *transaction).await?;
        let (id, now) = (new_id(), now());
        let query = "INSERT INTO mails (id, interview, kind, state, due_at, zone, about_at, made_at) \
                     VALUES ($1, $2, $3, 'waiting', $4, $5, $6, $7)";
        let query = sqlx::query(query).bind(id).bind(new.interview).bind(new.kind.name()).bind(now);
        let query = query.bind(new.zone).bind(new.about_at).bind(now);
        query.execute(&mut *transaction).await?;
        self.record(&mut transaction, new.interview).await?;
        Ok(transaction.commit().await?)
    }

    /// All mails about an interview, the newest first.
    pub async fn mails(&self, interview: &str) -> Result<Vec<Mail>, DatabaseError> {
        let query = "SELECT * FROM mails WHERE interview = $1 ORDER BY made_at DESC, id";
        let query = sqlx::query_as(query).bind(interview);
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// Takes the mail that has waited longest until nobody else may try it before `until`; of several who
    /// send, one gets it.
    pub async fn take_mail(&self, until: i64) -> Result<Option<Mail>, DatabaseError> {
        let query = "SELECT * FROM mails WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at, id \
                     LIMIT 1";
        loop {
            let found = sqlx::query_as(query).bind(now());
            let found: Option<Mail> = found.fetch_optional(self.pool().await?).await?;
            let Some(mail) = found else { return Ok(None) };
            let taken = "UPDATE mails SET due_at = $1, tries = tries + 1 \
                         WHERE id = $2 AND state = 'waiting' AND due_at = $3";
            let taken = sqlx::query(taken).bind(until).bind(&mail.id).bind(mail.due_at);
            if taken.execute(self.pool().await?).await?.rows_affected() > 0 {
                return Ok(Some(Mail { tries: mail.tries + 1, due_at: until, ..mail }));
            }
        }
    }

    /// When the next mail that waits is tried, in milliseconds since 1970.
    pub async fn next_mail_at(&self) -> Result<Option<i64>, DatabaseError> {
        let query = sqlx::query_scalar("SELECT MIN(due_at) FROM mails WHERE state = 'waiting'");
        Ok(query.fetch_one(self.pool().await?).await?)
    }

    /// The mail server has taken it.
    pub async fn mail_sent(&self, id: &str) -> Result<(), DatabaseError> {
        self.mail_done(id, MailState::Sent, "").await
    }

    /// It is given up.
    pub async fn mail_failed(&self, id: &str, problem: &str) -> Result<(), DatabaseError> {
        self.mail_done(id, MailState::Failed, problem).await
    }

    async fn mail_done(&self, id: &str, state: MailState, why: &str) -> Result<(), DatabaseError> {
        let query = "UPDATE mails SET state = $1, problem = $2, done_at = $3 WHERE id = $4";
        let query = sqlx::query(query).bind(state.name()).bind(why).bind(now()).bind(id);
        query.execute(self.pool().await?).await?;
        Ok(())
    }

    /// It is tried again at a time.
    pub async fn put_mail_off(
        &self,
        id: &str,
        due_at: i64,
        problem: &str,
    ) -> Result<(), DatabaseError> {
        let query =
            "UPDATE mails SET due_at = $1, problem = $2 WHERE id = $3 AND state = 'waiting'";
        let query = sqlx::query(query).bind(due_at).bind(problem).bind(id);
        query.execute(self.pool().await?).await?;
        Ok(())
    }

    /// What waits about an interview is not sent any more.
    pub async fn drop_waiting_mails(&self, interview: &str) -> Result<(), DatabaseError> {
        let query = sqlx::query("DELETE FROM mails WHERE interview = $1 AND state = 'waiting'");
        query.bind(interview).execute(self.pool().await?).await?;
        Ok(())
    }

    /// Candidates who have not come, whose link or appointment is over within `before` milliseconds, who had
    /// their invitation earlier than that, and who were not reminded of this time.
    pub async fn to_remind(&self, before: i64) -> Result<Vec<ToRemind>, DatabaseError> {
        let of = "mails.interview = interviews.id";
        let query = AssertSqlSafe(format!(
            "SELECT interviews.id AS interview, {DEADLINE} AS about_at, \
             (SELECT zone FROM mails WHERE {of} AND kind <> 'reminder' \
             ORDER BY made_at DESC, id LIMIT 1) AS zone \
             FROM interviews LEFT JOIN appointments \
             ON appointments.interview = interviews.id AND taken_back = 0 \
             WHERE state = 'invited' AND {DEADLINE} > $1 AND {DEADLINE} <= $2 \
             AND EXISTS (SELECT 1 FROM mails WHERE {of} AND kind IN ('invitation', 'moved') \
             AND mails.state = 'sent' AND done_at < {DEADLINE} - $3) \
             AND NOT EXISTS (SELECT 1 FROM mails WHERE {of} AND kind = 'reminder' \
             AND mails.about_at = {DEADLINE})"
        ));
        let now = now();
        let query = sqlx::query_as(query).bind(now).bind(now.saturating_add(before)).bind(before);
        Ok(query.fetch_all(self.pool().await?).await?)
    }
}

impl FromRow<'_, AnyRow> for Appointment {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            at: row.try_get("at")?,
            zone: row.try_get("zone")?,
            sequence: row.try_get("sequence")?,
            taken_back: row.try_get::<i64, _>("taken_back")? != 0,
        })
    }
}

impl FromRow<'_, AnyRow> for Mail {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        let unknown = |name: &str| sqlx::Error::Decode(format!("no mail is {name}").into());
        let (kind, state): (String, String) = (row.try_get("kind")?, row.try_get("state")?);
        let known = MailKind::ALL.into_iter().find(|known| known.name() == kind);
        let known_state = MailState::ALL.into_iter().find(|known| known.name() == state);
        Ok(Self {
            id: row.try_get("id")?,
            interview: row.try_get("interview")?,
            kind: known.ok_or_else(|| unknown(&kind))?,
            state: known_state.ok_or_else(|| unknown(&state))?,
            tries: row.try_get("tries")?,
            due_at: row.try_get("due_at")?,
            problem: row.try_get("problem")?,
            zone: row.try_get("zone")?,
            made_at: row.try_get("made_at")?,
            done_at: row.try_get("done_at")?,
        })
    }
}
