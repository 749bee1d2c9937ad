use serde::{Deserialize, Serialize};
use sqlx::{FromRow, Row, any::AnyRow};

use super::{Database, DatabaseError, Written, new_id, new_token, now, tokens::hash};

/// A session that was not used for so long has ended, and so has one that is so old.
const IDLE_LIMIT_MS: i64 = 24 * 3_600_000;
const SESSION_LIMIT_MS: i64 = 14 * 24 * 3_600_000;
/// When somebody was seen last is written this often.
const SEEN_EVERY_MS: i64 = 60_000;
/// A link to choose a password works for so long.
const PASSWORD_LINK_MS: i64 = 7 * 24 * 3_600_000;

/// What an API key begins with, so that one that got into a log or a repository is recognised.
pub const KEY_PREFIX: &str = "vvk_";

/// What somebody may do; each may all that the ones before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads.
    Viewer,
    /// Launches interviews and decides.
    Recruiter,
    /// Manages accounts and keys, and reads the audit trail.
    Admin,
}

impl Role {
    const ALL: [Self; 3] = [Self::Viewer, Self::Recruiter, Self::Admin];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Recruiter => "recruiter",
            Self::Admin => "admin",
        }
    }
}

/// Somebody who signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: String,
    /// Their e-mail address, in lower case.
    pub email: String,
    /// What they are called.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The hash of their password; nothing until they have chosen one.
    pub password: Option<String>,
    /// In milliseconds since 1970.
    pub created_at: i64,
    /// The same; nothing before they signed in.
    pub last_seen_at: Option<i64>,
    /// Whether they may not sign in any more.
    pub disabled: bool,
}

/// An account that is made.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// Their e-mail address.
    pub email: String,
    /// What they are called.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The hash of their password, if they have chosen one.
    pub password: Option<String>,
}

/// A key with which a program uses the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// In milliseconds since 1970.
    pub created_at: i64,
    /// The same; nothing before it was used.
    pub last_used_at: Option<i64>,
}

/// Accounts and sessions.
impl Database {
    /// Whether nobody has an account yet.
    pub async fn is_empty(&self) -> Result<bool, DatabaseError> {
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM accounts")
            .fetch_one(self.pool().await?)
            .await?;
        Ok(count == 0)
    }

    /// Makes the first account, an admin; `None` when there is one already. Of two at once, one makes it.
    pub async fn make_first(&self, new: NewAccount) -> Result<Option<Account>, DatabaseError> {
        let mut transaction = self.begin().await?;
        // On PostgreSQL two of them would both find none.
        if !self.is_sqlite {
            sqlx::query("LOCK TABLE accounts IN EXCLUSIVE MODE").execute(&mut *transaction).await?;
        }
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM accounts")
            .fetch_one(&mut *transaction)
            .await?;
        if count > 0 {
            return Ok(None);
        }
        let account = Account::made(NewAccount { role: Role::Admin, ..new });
        insert(&account).execute(&mut *transaction).await?;
        self.record(&mut transaction, &account.id).await?;
        transaction.commit().await?;
        Ok(Some(account))
    }

    /// Makes an account; `None` when the address has one.
    pub async fn make_account(&self, new: NewAccount) -> Result<Option<Account>, DatabaseError> {
        let account = Account::made(new);
        let mut transaction = self.begin().await?;
        match insert(&account).execute(&mut *transaction).await {
            Ok(_) => {}
            Err(sqlx::Error::Database(why)) if why.is_unique_violation() => return Ok(None),
            Err(why) => return Err(why.into()),
        }
        self.record(&mut transaction, &account.id).await?;
        transaction.commit().await?;
        Ok(Some(account))
    }

    /// All accounts, the oldest first.
    pub async fn accounts(&self) -> Result<Vec<Account>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM accounts ORDER BY created_at, id");
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// The account of an id.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM accounts WHERE id = $1").bind(id);
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// The account of an e-mail address.
    pub async fn account_by_email(&self, email: &str) -> Result<Option<Account>, DatabaseError> {
        let query =
            sqlx::query_as("SELECT * FROM accounts WHERE email = $1").bind(email.to_lowercase());
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// Changes what somebody may do; false when that would leave no admin. Who is disabled is signed out.
    pub async fn change_account(
        &self,
        id: &str,
        role: Role,
        disabled: bool,
    ) -> Result<bool, DatabaseError> {
        let mut transaction = self.begin().await?;
        let change = sqlx::query("UPDATE accounts SET role = $1, disabled = $2 WHERE id = $3");
        change
            .bind(role.name())
            .bind(i64::from(disabled))
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        let admins = "SELECT COUNT(*) FROM accounts WHERE role = 'admin' AND disabled = 0";
        let count: i64 = sqlx::query_scalar(admins).fetch_one(&mut *transaction).await?;
        if count == 0 {
            return Ok(false);
        }
        if disabled {
            let ended = sqlx::query("DELETE FROM sessions WHERE account = $1");
            ended.bind(id).execute(&mut *transaction).await?;
        }
        self.record(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Sets a password, and ends all sessions and links of the account.
    pub async fn set_password(&self, id: &str, password: &str) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let ended = sqlx::query("DELETE FROM sessions WHERE account = $1");
        ended.bind(id).execute(&mut *transaction).await?;
        let used = sqlx::query("DELETE FROM password_links WHERE account = $1");
        used.bind(id).execute(&mut *transaction).await?;
        let set = sqlx::query("UPDATE accounts SET password = $1 WHERE id = $2");
        set.bind(password).bind(id).execute(&mut *transaction).await?;
        self.record(&mut transaction, id).await?;
        Ok(transaction.commit().await?)
    }

    /// A new link with which somebody chooses a password, in place of the ones before: its token.
    pub async fn make_password_link(&self, account: &str) -> Result<String, DatabaseError> {
        let token = new_token();
        let mut transaction = self.begin().await?;
        let gone = sqlx::query("DELETE FROM password_links WHERE account = $1");
        gone.bind(account).execute(&mut *transaction).await?;
        let made = sqlx::query(
            "INSERT INTO password_links (token_hash, account, expires_at) VALUES ($1, $2, $3)",
        );
        let made = made.bind(hash(&token)).bind(account).bind(now() + PASSWORD_LINK_MS);
        made.execute(&mut *transaction).await?;
        self.record(&mut transaction, account).await?;
        transaction.commit().await?;
        Ok(token)
    }

    /// Whose link it is; `None` when it is none or its time is over.
    pub async fn password_link(&self, token: &str) -> Result<Option<Account>, DatabaseError> {
        let query = "SELECT accounts.* FROM accounts JOIN password_links ON account = accounts.id \
                     WHERE token_hash = $1 AND expires_at > $2";
        let query = sqlx::query_as(query).bind(hash(token)).bind(now());
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// Begins a session: its token.
    pub async fn begin_session(&self, account: &str) -> Result<String, DatabaseError> {
        self.begin_session_after(None, account, true).await
    }

    /// Begins a session in place of the one that the same browser had: its token. `is_confirmed` says whether
    /// they have just shown who they are.
    pub async fn begin_session_after(
        &self,
        ended: Option<&str>,
        account: &str,
        is_confirmed: bool,
    ) -> Result<String, DatabaseError> {
        let (token, now) = (new_token(), now());
        let mut transaction = self.begin().await?;
        if let Some(ended) = ended {
            let ended = sqlx::query("DELETE FROM sessions WHERE token_hash = $1").bind(hash(ended));
            ended.execute(&mut *transaction).await?;
        }
        let query = "INSERT INTO sessions (token_hash, account, created_at, last_seen_at, confirmed_at) \
                     VALUES ($1, $2, $3, $4, $5)";
        let made = sqlx::query(query).bind(hash(&token)).bind(account).bind(now).bind(now);
        let made = made.bind(if is_confirmed { now } else { 0 });
        made.execute(&mut *transaction).await?;
        let seen = sqlx::query("UPDATE accounts SET last_seen_at = $1 WHERE id = $2");
        seen.bind(now).bind(account).execute(&mut *transaction).await?;
        self.record(&mut transaction, account).await?;
        transaction.commit().await?;
        Ok(token)
    }

    /// Notes that whoever has this session has just shown who they are.
    pub async fn confirm_session(&self, token: &str) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let query = sqlx::query("UPDATE sessions SET confirmed_at = $1 WHERE token_hash = $2");
        query.bind(now()).bind(hash(token)).execute(&mut *transaction).await?;
        self.record(&mut transaction, "").await?;
        Ok(transaction.commit().await?)
    }

    /// Whether whoever has this session has shown who they are within this time.
    pub async fn is_confirmed(&self, token: &str, within_ms: i64) -> Result<bool, DatabaseError> {
        let query = "SELECT COUNT(*) FROM sessions WHERE token_hash = $1 AND confirmed_at > $2";
        let query = sqlx::query_scalar(query).bind(hash(token)).bind(now() - within_ms);
        let count: i64 = query.fetch_one(self.pool().await?).await?;
        Ok(count > 0)
    }

    /// Whose session it is; `None` when it is none, has ended, or they may not sign in any more.
    pub async fn session(&self, token: &str) -> Result<Option<Account>, DatabaseError> {
        let (hash, now) = (hash(token), now());
        let query = "SELECT account, last_seen_at FROM sessions WHERE token_hash = $1 AND created_at > \
            $2 AND \
                     last_seen_at > $3";
        let row = sqlx::query_as::<_, (String, i64)>(query)
            .bind(&hash)
            .bind(now - SESSION_LIMIT_MS)
            .bind(now - IDLE_LIMIT_MS)
            .fetch_optional(self.pool().await?);
        let Some((id, seen_at)) = row.await? else { return Ok(None) };
        if now - seen_at > SEEN_EVERY_MS {
            let seen = sqlx::query("UPDATE sessions SET last_seen_at = $1 WHERE token_hash = $2");
            seen.bind(now).bind(&hash).execute(self.pool().await?).await?;
            self.seen(&id, now).await?;
        }
        Ok(self.account(&id).await?.filter(|account| !account.disabled))
    }

    /// Ends a session.
    pub async fn end_session(&self, token: &str) -> Result<(), DatabaseError> {
        let mut transaction = self.begin().await?;
        let query = sqlx::query("DELETE FROM sessions WHERE token_hash = $1").bind(hash(token));
        if query.execute(&mut *transaction).await?.rows_affected() > 0 {
            self.record(&mut transaction, "").await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Removes sessions and links whose time is over.
    pub async fn forget_ended_sessions(&self) -> Result<(), DatabaseError> {
        let now = now();
        let ended =
            sqlx::query("DELETE FROM sessions WHERE created_at <= $1 OR last_seen_at <= $2");
        let ended = ended.bind(now - SESSION_LIMIT_MS).bind(now - IDLE_LIMIT_MS);
        ended.execute(self.pool().await?).await?;
        let ended = sqlx::query("DELETE FROM password_links WHERE expires_at <= $1").bind(now);
        ended.execute(self.pool().await?).await?;
        Ok(())
    }

    async fn seen(&self, account: &str, now: i64) -> Result<(), DatabaseError> {
        let query = sqlx::query("UPDATE accounts SET last_seen_at = $1 WHERE id = $2");
        query.bind(now).bind(account).execute(self.pool().await?).await?;
        Ok(())
    }
}

/// Keys of programs.
impl Database {
    /// Makes a key, and its secret, which is kept nowhere.
    pub async fn make_key(
        &self,
        name: &str,
        role: Role,
    ) -> Result<(ApiKey, String), DatabaseError> {
        let secret = format!("{KEY_PREFIX}{}", new_token());
        let name = name.to_owned();
        let key = ApiKey { id: new_id(), name, role, created_at: now(), last_used_at: None };
        let query = "INSERT INTO api_keys (id, name, role, secret_hash, created_at) VALUES ($1, $2, \
            $3, $4, $5)";
        let made = sqlx::query(query).bind(&key.id).bind(&key.name).bind(role.name());
        let mut transaction = self.begin().await?;
        made.bind(hash(&secret)).bind(key.created_at).execute(&mut *transaction).await?;
        self.record(&mut transaction, &key.id).await?;
        transaction.commit().await?;
        Ok((key, secret))
    }

    /// All keys, the oldest first.
    pub async fn keys(&self) -> Result<Vec<ApiKey>, DatabaseError> {
        let query = sqlx::query_as("SELECT * FROM api_keys ORDER BY created_at, id");
        Ok(query.fetch_all(self.pool().await?).await?)
    }

    /// The key of a secret.
    pub async fn key(&self, secret: &str) -> Result<Option<ApiKey>, DatabaseError> {
        let query =
            sqlx::query_as("SELECT * FROM api_keys WHERE secret_hash = $1").bind(hash(secret));
        let key: Option<ApiKey> = query.fetch_optional(self.pool().await?).await?;
        let Some(key) = key else { return Ok(None) };
        let now = now();
        if key.last_used_at.is_none_or(|used| now - used > SEEN_EVERY_MS) {
            let used = sqlx::query("UPDATE api_keys SET last_used_at = $1 WHERE id = $2");
            used.bind(now).bind(&key.id).execute(self.pool().await?).await?;
        }
        Ok(Some(key))
    }

    /// Removes a key; false when there is none.
    pub async fn remove_key(&self, id: &str) -> Result<bool, DatabaseError> {
        let mut transaction = self.begin().await?;
        let query = sqlx::query("DELETE FROM api_keys WHERE id = $1").bind(id);
        let removed = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if removed {
            self.record(&mut transaction, id).await?;
        }
        transaction.commit().await?;
        Ok(removed)
    }
}

pub(super) fn insert(account: &Account) -> Written<'_> {
    let query = "INSERT INTO accounts (id, email, name, role, password, created_at) VALUES ($1, $2, \
        $3, $4, $5, $6)";
    let query = sqlx::query(query).bind(&account.id).bind(&account.email).bind(&account.name);
    query.bind(account.role.name()).bind(&account.password).bind(account.created_at)
}

/// A new account, not yet kept.
pub(super) fn made(new: NewAccount) -> Account {
    Account::made(new)
}

impl Account {
    fn made(new: NewAccount) -> Self {
        Self {
            id: new_id(),
            email: new.email.to_lowercase(),
            name: new.name,
            role: new.role,
            password: new.password,
            created_at: now(),
            last_seen_at: None,
            disabled: false,
        }
    }
}

impl FromRow<'_, AnyRow> for Account {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            email: row.try_get("email")?,
            name: row.try_get("name")?,
            role: role(row)?,
            password: row.try_get("password")?,
            created_at: row.try_get("created_at")?,
            last_seen_at: row.try_get("last_seen_at")?,
            disabled: row.try_get::<i64, _>("disabled")? != 0,
        })
    }
}

impl FromRow<'_, AnyRow> for ApiKey {
    fn from_row(row: &AnyRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            role: role(row)?,
            created_at: row.try_get("created_at")?,
            last_used_at: row.try_get("last_used_at")?,
        })
    }
}

fn role(row: &AnyRow) -> Result<Role, sqlx::Error> {
    let name: String = row.try_get("role")?;
    let role = Role::ALL.into_iter().find(|role| role.name() == name);
    role.ok_or_else(|| sqlx::Error::Decode(format!("there is no role {name}").into()))
}
