//! The chain of the audit trail: entries from before are taken into it, old ones leave it, and it is checked.

use sqlx::{Any, Transaction};

use super::{
    Database, DatabaseError,
    acts::Act,
    audit::{Actor, AuditRow, Deed, append, next, set_head},
};

/// Entries are read in parts of so many.
const PART: i64 = 1_000;

/// What the check of the chain found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The first entry that is kept; nothing in an empty trail.
    pub first: Option<i64>,
    /// The last entry up to which nothing was changed, left out or put between.
    pub intact_up_to: i64,
    /// The entry that ends the chain: beyond it nothing was added.
    pub head: i64,
    /// What is wrong behind the last intact entry; nothing where the chain is whole.
    pub fault: Option<ChainFault>,
}

/// Why the chain is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainFault {
    /// The next entry's content does not fit its hash, or the hash before it.
    Changed,
    /// The next entry is not there.
    Missing,
    /// Entries at the beginning are not there, and no later entry says that they were removed.
    BeginningMissing,
}

impl Database {
    /// Reads the whole trail and reckons each hash again.
    pub async fn check_chain(&self) -> Result<Chain, DatabaseError> {
        let mut transaction = self.begin_reading().await?;
        let query = sqlx::query_as("SELECT number, hash FROM audit_head WHERE id = 1");
        let head: Option<(i64, String)> = query.fetch_optional(&mut *transaction).await?;
        let (head, head_hash) = head.unwrap_or_default();
        let mut rows = part(&mut transaction, 0).await?;
        let first = rows.first().map(|row| row.number);
        let (mut intact, mut before) = match first {
            Some(number) if number > 1 => match anchor(&mut transaction, number - 1).await? {
                Some(hash) => (number - 1, hash),
                None => {
                    let fault = Some(ChainFault::BeginningMissing);
                    return Ok(Chain { first, intact_up_to: 0, head, fault });
                }
            },
            Some(_) | None => (0, String::new()),
        };
        while !rows.is_empty() {
            for row in &rows {
                let fault = if row.number != intact + 1 {
                    Some(ChainFault::Missing)
                } else if row.hash_after(&before) != row.hash {
                    Some(ChainFault::Changed)
                } else {
                    None
                };
                if fault.is_some() {
                    return Ok(Chain { first, intact_up_to: intact, head, fault });
                }
                intact = row.number;
                before.clone_from(&row.hash);
            }
            rows = part(&mut transaction, intact).await?;
        }
        let fault = match intact == head {
            true if before == head_hash => None,
            true => Some(ChainFault::Changed),
            false => Some(ChainFault::Missing),
        };
        Ok(Chain { first, intact_up_to: intact, head, fault })
    }

    /// Removes the entries of before a time, as far as they are the first of the chain. A new entry says up
    /// to which one, and has its hash: from there the rest can be checked. Returns how many they were.
    pub async fn forget_deeds(&self, before: i64) -> Result<u64, DatabaseError> {
        let mut transaction = self.begin().await?;
        let last = "SELECT number, hash FROM audit WHERE number < (SELECT COALESCE(MIN(number), \
                    9223372036854775807) FROM audit WHERE at >= $1) ORDER BY number DESC LIMIT 1";
        let last = sqlx::query_as::<_, (i64, String)>(last).bind(before);
        let last = last.fetch_optional(&mut *transaction).await?;
        let Some((number, hash)) = last else { return Ok(0) };
        let gone = sqlx::query("DELETE FROM audit WHERE number <= $1").bind(number);
        let gone = gone.execute(&mut *transaction).await?.rows_affected();
        let anchor = Deed {
            actor: Actor::system("retention"),
            act: Act::ForgotDeeds,
            object: number.to_string(),
            detail: hash,
        };
        append(&mut transaction, &anchor).await?;
        transaction.commit().await?;
        Ok(gone)
    }
}

/// The next entries after a number.
async fn part(
    transaction: &mut Transaction<'_, Any>,
    after: i64,
) -> Result<Vec<AuditRow>, DatabaseError> {
    let query = "SELECT * FROM audit WHERE number > $1 ORDER BY number LIMIT $2";
    Ok(sqlx::query_as(query).bind(after).bind(PART).fetch_all(&mut **transaction).await?)
}

/// The hash of an entry that was removed with those before it, as a later entry has it.
async fn anchor(
    transaction: &mut Transaction<'_, Any>,
    number: i64,
) -> Result<Option<String>, DatabaseError> {
    let query =
        "SELECT detail FROM audit WHERE deed = $1 AND object = $2 AND actor_kind = 'system'";
    let query = sqlx::query_scalar(query).bind(Act::ForgotDeeds.name()).bind(number.to_string());
    Ok(query.fetch_optional(&mut **transaction).await?)
}

/// Takes entries into the chain that have no place in it: those from before there was one, also of a backup.
pub(super) async fn take_in(transaction: &mut Transaction<'_, Any>) -> Result<(), DatabaseError> {
    let query = "SELECT * FROM audit WHERE number IS NULL ORDER BY at, id";
    let rows: Vec<AuditRow> = sqlx::query_as(query).fetch_all(&mut **transaction).await?;
    for mut row in rows {
        let (number, before) = next(transaction).await?;
        row.number = number;
        row.deed = Act::of_words(&row.what).map_or_else(String::new, |act| act.name().to_owned());
        row.hash = row.hash_after(&before);
        let query = "UPDATE audit SET number = $1, deed = $2, hash = $3 WHERE id = $4";
        let query = sqlx::query(query).bind(row.number).bind(&row.deed).bind(&row.hash);
        query.bind(&row.id).execute(&mut **transaction).await?;
        set_head(transaction, &row.hash).await?;
    }
    Ok(())
}
