//! Passwords, hashed with Argon2id.

use argon2::password_hash::phc::PasswordHash;
use axum::http::StatusCode;

use super::{blocking::blocking, hashing::MEMORY, problem::Problem};

const CHARS_MIN: usize = 12;
const CHARS_MAX: usize = 200;
/// What many people take, and guessers try first.
const COMMON: [&str; 6] = ["password", "passwort", "vivavoce", "123456", "qwerty", "letmein"];

/// What is wrong with a new password, if anything.
pub(super) fn check(password: &str, email: &str) -> Result<(), String> {
    let chars = password.chars().count();
    if chars < CHARS_MIN {
        return Err(format!(
            "The password has {chars} characters; it needs at least {CHARS_MIN}. A few words do."
        ));
    }
    if chars > CHARS_MAX {
        return Err(format!(
            "The password has {chars} characters; {CHARS_MAX} are the most. Shorten it."
        ));
    }
    let lower = password.to_lowercase();
    let name = email.split('@').next().unwrap_or_default().to_lowercase();
    let mut rest = lower.clone();
    let known = COMMON.iter().copied().chain((name.chars().count() > 3).then_some(name.as_str()));
    for known in known {
        rest = rest.replace(known, "");
    }
    let different = rest.chars().collect::<std::collections::BTreeSet<_>>().len();
    if different < 5 {
        return Err(
            "This password is easy to guess. Take a few words that have nothing to do with you."
                .to_owned(),
        );
    }
    Ok(())
}

/// The hash of a password.
pub(super) async fn hashed(password: String) -> Result<String, Problem> {
    let mut place = MEMORY.place().await.map_err(|_| ending())?;
    blocking(move || {
        place.hash(password.as_bytes()).map(|hash| hash.to_string()).map_err(|why| {
            tracing::error!(%why, "a password could not be hashed");
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The password could not be saved. Try again.",
            )
        })
    })
    .await
}

/// Whether it is the password of a hash. Without one it takes as long, so that nobody learns who has an
/// account.
pub(super) async fn is_right(password: String, hash: Option<String>) -> Result<bool, Problem> {
    /// Of a password that nobody has.
    const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5c25vYm9keXM$\
                           AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let mut place = MEMORY.place().await.map_err(|_| ending())?;
    blocking(move || {
        let is_known = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODYS.to_owned());
        let Ok(hash) = PasswordHash::new(&hash) else { return Ok(false) };
        Ok(place.is_right(password.as_bytes(), &hash).unwrap_or(false) && is_known)
    })
    .await
}

fn ending() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "The server is ending. Try again in a minute.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U01: short, long and guessable passwords are refused with a sentence.
    #[test]
    fn weak_passwords_are_refused() {
        for weak in
            ["", "short", "password1234", "aaaaaaaaaaaaaa", "ada.lovelace1", &"x1y2z3".repeat(40)]
        {
            assert!(check(weak, "ada.lovelace@example.org").is_err(), "{weak}");
        }
        for strong in
            ["correct horse battery", "ein Fahrrad im Regen", "パスワードは秘密です確かに"]
        {
            assert_eq!(check(strong, "ada@example.org"), Ok(()), "{strong}");
        }
    }

    /// U01: a hash is Argon2id with a salt of its own, and opens to its password alone; nobody's opens
    /// to none.
    #[tokio::test]
    async fn only_the_password_opens() {
        let (one, two) = (
            hashed("correct horse".into()).await.unwrap(),
            hashed("correct horse".into()).await.unwrap(),
        );
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && one != two, "{one}");
        let opens = async |text: &str, hash: Option<&String>| {
            is_right(text.into(), hash.cloned()).await.unwrap()
        };
        assert!(opens("correct horse", Some(&one)).await);
        assert!(!opens("Correct horse", Some(&one)).await);
        assert!(!opens("correct horse", None).await);
        assert!(!opens("correct horse", Some(&"damaged".to_owned())).await);
    }
}
