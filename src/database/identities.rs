//! Who signs in by a provider of accounts, and sign-ins that have begun.

use super::{
    Account, Database, DatabaseError, NewAccount,
    accounts::{insert, made},
    now,
    tokens::hash,
};

/// Sign-ins that may be under way at a time.
const SIGN_INS_MAX: i64 = 1_000;

/// What a sign-in by a provider has to hold when it comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BegunSignIn {
    /// What the provider's token has to hold.
    pub nonce: String,
    /// What proves that who began is who finishes.
    pub verifier: String,
    /// Whether the provider was asked to ask for a password again.
    pub is_fresh: bool,
}

impl Database {
    /// Remembers a sign-in that has begun; false when too many are under way.
    pub async fn begin_sign_in(
        &self,
        state: &str,
        begun: &BegunSignIn,
        lasts_ms: i64,
    ) -> Result<bool, DatabaseError> {
        let mut transaction = self.begin().await?;
        let over = sqlx::query("DELETE FROM oidc_sign_ins WHERE expires_at <= $1").bind(now());
        over.execute(&mut *transaction).await?;
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM oidc_sign_ins")
            .fetch_one(&mut *transaction)
            .await?;
        if count >= SIGN_INS_MAX {
            return Ok(false);
        }
        let query = "INSERT INTO oidc_sign_ins (state_hash, nonce, verifier, expires_at, fresh) \
                     VALUES ($1, $2, $3, $4, $5)";
        let query = sqlx::query(query).bind(hash(state)).bind(&begun.nonce).bind(&begun.verifier);
        let query = query.bind(now().saturating_add(lasts_ms)).bind(i64::from(begun.is_fresh));
        query.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// A sign-in that has begun; `None` when there is none, its time is over, or it was taken before.
    pub async fn take_sign_in(&self, state: &str) -> Result<Option<BegunSignIn>, DatabaseError> {
        let hash = hash(state);
        let query = "SELECT nonce, verifier, fresh FROM oidc_sign_ins WHERE state_hash = $1 \
                     AND expires_at > $2";
        let found = sqlx::query_as::<_, (String, String, i64)>(query).bind(&hash).bind(now());
        let found = found.fetch_optional(self.pool().await?).await?;
        let gone = sqlx::query("DELETE FROM oidc_sign_ins WHERE state_hash = $1").bind(&hash);
        let is_first = gone.execute(self.pool().await?).await?.rows_affected() > 0;
        let begun = found.map(|(nonce, verifier, fresh)| BegunSignIn {
            nonce,
            verifier,
            is_fresh: fresh != 0,
        });
        Ok(begun.filter(|_| is_first))
    }

    /// The account of whom a provider calls so.
    pub async fn account_of(
        &self,
        issuer: &str,
        subject: &str,
    ) -> Result<Option<Account>, DatabaseError> {
        let query = "SELECT accounts.* FROM accounts JOIN identities ON account = accounts.id \
                     WHERE issuer = $1 AND subject = $2";
        let query = sqlx::query_as(query).bind(issuer).bind(subject);
        Ok(query.fetch_optional(self.pool().await?).await?)
    }

    /// Links an account to whom a provider calls so; false when that one has an account already.
    pub async fn link_account(
        &self,
        issuer: &str,
        subject: &str,
        account: &str,
    ) -> Result<bool, DatabaseError> {
        let query = "INSERT INTO identities (issuer, subject, account, linked_at) \
                     VALUES ($1, $2, $3, $4) ON CONFLICT (issuer, subject) DO NOTHING";
        let query = sqlx::query(query).bind(issuer).bind(subject).bind(account).bind(now());
        let mut transaction = self.begin().await?;
        let linked = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if linked {
            self.record(&mut transaction, account).await?;
        }
        transaction.commit().await?;
        Ok(linked)
    }

    /// Makes an account for whom a provider calls so; `None` when the address or they have one already.
    pub async fn make_linked_account(
        &self,
        issuer: &str,
        subject: &str,
        new: NewAccount,
    ) -> Result<Option<Account>, DatabaseError> {
        let account = made(new);
        let mut transaction = self.begin().await?;
        match insert(&account).execute(&mut *transaction).await {
            Ok(_) => {}
            Err(sqlx::Error::Database(why)) if why.is_unique_violation() => return Ok(None),
            Err(why) => return Err(why.into()),
        }
        let query = "INSERT INTO identities (issuer, subject, account, linked_at) \
                     VALUES ($1, $2, $3, $4) ON CONFLICT (issuer, subject) DO NOTHING";
        let query = sqlx::query(query).bind(issuer).bind(subject).bind(&account.id).bind(now());
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            return Ok(None);
        }
        self.record(&mut transaction, &account.id).await?;
        transaction.commit().await?;
        Ok(Some(account))
    }
}
