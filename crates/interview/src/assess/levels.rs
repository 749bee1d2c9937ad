//! Levels that people give, in place of a model's or where there is none.

use std::ops::RangeInclusive;

use super::{
    criteria,
    report::{Report, Verdict},
};
use crate::planning::MadeBy;

/// All levels, from "the answers speak against it" to "fully shown".
pub const LEVELS: RangeInclusive<u8> = 1..=5;

/// A level that a person gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenLevel {
    /// The criterion, by its name.
    pub criterion: String,
    /// One of [`LEVELS`]; any other counts for nothing.
    pub level: u8,
    /// Who gave it.
    pub by: String,
}

impl Report {
    /// The report with these levels in place of those that it has. All that follows from levels is computed
    /// anew: verdicts, and the mean by weight.
    #[must_use]
    pub fn with_levels(mut self, given: &[GivenLevel]) -> Self {
        let mut is_changed = false;
        for criterion in &mut self.criteria {
            let of = given.iter().find(|given| given.criterion == criterion.name);
            let Some(given) = of.filter(|given| LEVELS.contains(&given.level)) else { continue };
            criterion.level = Some(given.level);
            criterion.given_by = Some(given.by.clone());
            criterion.verdict = Verdict::of_level(given.level);
            is_changed = true;
        }
        if is_changed {
            let by = self.made.as_ref().map_or(MadeBy::Rules, |made| made.by);
            self.overall = criteria::overall(&self.criteria, by, true);
        }
        self
    }
}
