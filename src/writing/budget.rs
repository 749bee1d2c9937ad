//! How many tokens plans, summaries and reports may use in a day, all together: whoever has a report made
//! again and again, or is tricked into it, costs no more than that.

use std::sync::{Mutex, MutexGuard, PoisonError};

const DAY_MS: u64 = 24 * 3_600_000;

/// The tokens of a day, from midnight to midnight UTC, as far as this process uses them.
#[derive(Debug)]
pub(super) struct Budget {
    /// 0: there is no limit.
    tokens_per_day: u64,
    today: Mutex<Today>,
}

/// What was used on a day.
#[derive(Clone, Copy, Debug, Default)]
struct Today {
    /// Days since 1970.
    day: u64,
    tokens: u64,
}

impl Budget {
    pub(super) fn new(tokens_per_day: u64) -> Self {
        Self { tokens_per_day, today: Mutex::default() }
    }

    /// Why nothing more can be written on the day of `now_ms`, milliseconds since 1970.
    pub(super) fn check(&self, now_ms: u64) -> Result<(), String> {
        match self.left(now_ms) {
            Some(0) => Err(format!(
                "the {} tokens that plans, summaries and reports may use in a day are used up; there are \
                 new ones at midnight UTC, or with a higher usage.writing_tokens_per_day",
                self.tokens_per_day
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Counts tokens. Texts that are being written when the last ones are used are written to their end.
    pub(super) fn spend(&self, now_ms: u64, tokens: u64) {
        let mut today = self.today(now_ms);
        today.tokens = today.tokens.saturating_add(tokens);
    }

    /// How many are left; `None` where there is no limit.
    pub(super) fn left(&self, now_ms: u64) -> Option<u64> {
        let used = self.today(now_ms).tokens;
        (self.tokens_per_day > 0).then(|| self.tokens_per_day.saturating_sub(used))
    }

    fn today(&self, now_ms: u64) -> MutexGuard<'_, Today> {
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        let day = now_ms / DAY_MS;
        if today.day != day {
            *today = Today { day, tokens: 0 };
        }
        today
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LLM10: the tokens of a day are used once, and there are new ones at midnight.
    #[test]
    fn a_day_has_its_tokens() {
        let (noon, budget) = (20_000 * DAY_MS + DAY_MS / 2, Budget::new(100));
        assert_eq!((budget.check(noon), budget.left(noon)), (Ok(()), Some(100)));
        budget.spend(noon, 99);
        assert_eq!((budget.check(noon), budget.left(noon)), (Ok(()), Some(1)));
        budget.spend(noon + 1, 30);
        let why = budget.check(noon + 2).unwrap_err();
        assert!(why.contains("the 100 tokens") && why.contains("midnight UTC"), "{why}");
        assert_eq!(budget.left(noon + DAY_MS / 2), Some(100), "midnight");
        assert_eq!(budget.check(noon + DAY_MS / 2), Ok(()));
        let endless = Budget::new(0);
        endless.spend(noon, u64::MAX);
        assert_eq!((endless.check(noon), endless.left(noon)), (Ok(()), None));
    }
}
