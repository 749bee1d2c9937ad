//! The candidate's conduct beside their answers: insults, another language, distress.

use std::collections::BTreeSet;

use crate::interview::ids::TurnId;

/// Insults after which the interview ends (case 12).
pub(crate) const INSULTS_MAX: u32 = 3;
/// Turns in a row in another language after which we say which one we speak (case 27).
pub(crate) const FOREIGN_MAX: u32 = 2;

/// What the candidate did beside answering.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conduct {
    insults: u32,
    /// Turns in a row in another language.
    foreign: u32,
    /// Turns in distress that the recruiter was told of.
    distressed: BTreeSet<TurnId>,
    /// Turns that tell what is nobody's business.
    private: BTreeSet<TurnId>,
}

impl Conduct {
    /// How often they have insulted us.
    pub(crate) fn insults(&self) -> u32 {
        self.insults
    }

    /// Another insult. Gives how many there are.
    pub(crate) fn insult(&mut self) -> u32 {
        self.insults += 1;
        self.insults
    }

    /// Whether with this turn so many in a row are in another language that we say which one we speak.
    pub(crate) fn is_foreign_with(&self, is_foreign: bool) -> bool {
        self.foreign + u32::from(is_foreign) >= FOREIGN_MAX
    }

    /// Counts a turn that is committed.
    pub(crate) fn count_language(&mut self, is_foreign: bool) {
        self.foreign = if is_foreign { self.foreign + 1 } else { 0 };
    }

    /// A turn shows distress. Whether that is news: the words, the model and the judge may all find it.
    pub(crate) fn distress(&mut self, turn: TurnId) -> bool {
        self.distressed.insert(turn)
    }

    /// A turn tells what is nobody's business. Whether that is news.
    pub(crate) fn keep_private(&mut self, turn: TurnId) -> bool {
        self.private.insert(turn)
    }

    /// Whether a committed turn tells what is nobody's business (case 39).
    pub(crate) fn is_private(&self, turn: TurnId) -> bool {
        self.private.contains(&turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case 27: only turns in a row count, and the one that is not committed yet counts with them.
    #[test]
    fn another_language_counts_in_a_row() {
        let mut conduct = Conduct::default();
        assert!(!conduct.is_foreign_with(true));
        conduct.count_language(true);
        assert!(conduct.is_foreign_with(true) && !conduct.is_foreign_with(false));
        conduct.count_language(false);
        assert!(!conduct.is_foreign_with(true));
    }

    /// Case 40: distress in one turn is told once.
    #[test]
    fn distress_is_told_once() {
        let mut conduct = Conduct::default();
        assert!(conduct.distress(TurnId(1)));
        assert!(!conduct.distress(TurnId(1)));
        assert!(conduct.distress(TurnId(2)));
    }
}
