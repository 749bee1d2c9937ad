//! The budget of turns of topics (L02, L03): every topic has its minimum, and a rich one may take turns from
//! those that are still to come.

use crate::interview::understanding::signal::Band;

/// The time that a turn takes, in seconds, about.
pub(crate) const TURN_SECONDS: u64 = 45;
/// What every topic gets, whatever is said.
const TURNS_MIN: u32 = 1;
/// What a topic gets at least where turns are left.
const TURNS_BASE_MIN: u32 = 2;
/// What a rich topic may get above its base.
const BONUS_MAX: u32 = 2;

/// The turns of all topics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    shares: Vec<Share>,
    total: u32,
}

/// The turns of one topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// What it gets for sure.
    pub(crate) min: u32,
    /// What it gets as a rule.
    pub(crate) base: u32,
    /// What it gets at most.
    pub(crate) max: u32,
    /// What it has used.
    pub(crate) used: u32,
    /// What it has got above its base.
    pub(crate) bonus: u32,
}

/// What comes after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Another turn on the topic.
    Stay,
    /// Another turn on the topic, taken from a later one.
    Bonus,
    /// The next topic.
    Advance,
}

impl Budget {
    /// The budget of `topics` in so many seconds.
    pub(crate) fn new(seconds: u64, topics: usize) -> Self {
        let count = u32::try_from(topics).unwrap_or(u32::MAX).max(1);
        let total = u32::try_from(seconds / TURN_SECONDS).unwrap_or(u32::MAX);
        let base = TURNS_BASE_MIN.max(total / count);
        let share = Share { min: TURNS_MIN, base, max: base + BONUS_MAX, used: 0, bonus: 0 };
        // There is a turn for every topic, however short the time.
        Self { shares: vec![share; topics], total: total.max(count * TURNS_MIN) }
    }

    pub(crate) fn share(&self, topic: usize) -> Option<&Share> {
        self.shares.get(topic)
    }

    /// All turns that there are.
    pub(crate) fn total(&self) -> u32 {
        self.total
    }

    /// The turns that were used.
    pub(crate) fn used(&self) -> u32 {
        self.shares.iter().map(|share| share.used).sum()
    }

    /// Counts a turn on `topic` whose answer was of this band.
    pub(crate) fn count(&mut self, topic: usize, band: Band) -> Next {
        let Some(share) = self.shares.get_mut(topic) else { return Next::Advance };
        share.used += 1;
        let share = *share;
        if share.used < share.min {
            return Next::Stay;
        }
        if !self.has_room(topic) {
            return Next::Advance;
        }
        match band {
            Band::Low => Next::Advance,
            Band::Medium | Band::High if share.used < share.base + share.bonus => Next::Stay,
            Band::Medium => Next::Advance,
            Band::High => self.grant_bonus(topic),
        }
    }

    /// Whether a turn is left after the minimum of every topic that is still to come.
    fn has_room(&self, topic: usize) -> bool {
        let reserved: u32 = self.unexplored(topic).map(|(_, share)| share.min).sum();
        self.used() + reserved < self.total
    }

    /// Gives `topic` a turn of the unexplored topic with the largest margin, if one has any.
    fn grant_bonus(&mut self, topic: usize) -> Next {
        let may = self.shares.get(topic).is_some_and(|share| share.base + share.bonus < share.max);
        let margin = |share: &Share| share.max - share.min;
        let donors = self.unexplored(topic).filter(|(_, share)| margin(share) > 0);
        // The first one of equals.
        let donor = donors.rev().max_by_key(|(_, share)| margin(share)).map(|(place, _)| place);
        let Some(donor) = donor.filter(|_| may) else { return Next::Advance };
        let giver = &mut self.shares[donor];
        giver.max -= 1;
        giver.base = giver.base.min(giver.max);
        self.shares[topic].bonus += 1;
        Next::Bonus
    }

    fn unexplored(&self, topic: usize) -> impl DoubleEndedIterator<Item = (usize, &Share)> {
        let later = self.shares.iter().enumerate().skip(topic + 1);
        later.filter(|(_, share)| share.used == 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// L02: the seed's own arithmetic, and the one where the sums do not fit.
    #[test]
    fn turns_are_shared_out() {
        for (minutes, topics, total, base) in
            [(15, 4, 20, 5), (30, 5, 40, 8), (10, 8, 13, 2), (3, 8, 8, 2)]
        {
            let budget = Budget::new(minutes * 60, topics);
            let share = budget.shares[0];
            assert_eq!(
                (budget.total, share.base, share.max, share.min),
                (total, base, base + 2, 1)
            );
        }
    }

    /// L03: a thin answer ends a topic after its minimum, a usual one at its base, and a rich one takes
    /// another topic's turns.
    #[test]
    fn answers_decide_how_long_a_topic_lasts() {
        let lasts = |band| {
            let mut budget = Budget::new(10 * 60, 4);
            let mut turns = 1;
            while budget.count(0, band) != Next::Advance {
                turns += 1;
            }
            (turns, budget.shares.iter().map(|share| share.max).collect::<Vec<_>>())
        };
        assert_eq!(lasts(Band::Low), (1, vec![5, 5, 5, 5]));
        assert_eq!(lasts(Band::Medium), (3, vec![5, 5, 5, 5]));
        assert_eq!(
            lasts(Band::High),
            (5, vec![5, 4, 4, 5]),
            "the first donor of equals gives first"
        );
    }

    /// L03: the last topic has nobody to take a turn from.
    #[test]
    fn without_a_donor_there_is_no_bonus() {
        let mut budget = Budget::new(10 * 60, 1);
        let total = budget.total;
        (1..total).for_each(|_| assert_eq!(budget.count(0, Band::High), Next::Stay));
        assert_eq!(budget.count(0, Band::High), Next::Advance);
    }

    proptest! {
        /// L02, L03: no topic starves, totals hold, and no donor falls below its minimum.
        #[test]
        fn no_topic_starves(
            seconds in 0u64..7_200,
            topics in 1usize..16,
            answers in proptest::collection::vec(0u8..3, 200),
        ) {
            let mut budget = Budget::new(seconds, topics);
            let mut answers = answers.into_iter().cycle();
            for topic in 0..topics {
                loop {
                    let band = [Band::Low, Band::Medium, Band::High][usize::from(answers.next().unwrap())];
                    let before = budget.clone();
                    let next = budget.count(topic, band);
                    let given: u32 = before.shares.iter().map(|share| share.max).sum::<u32>()
                        - budget.shares.iter().map(|share| share.max).sum::<u32>();
                    prop_assert_eq!(given, u32::from(next == Next::Bonus));
                    if next == Next::Advance {
                        break;
                    }
                }
            }
            prop_assert!(budget.used() <= budget.total, "{:?}", budget);
            for share in &budget.shares {
                prop_assert!((share.min..=share.base + share.bonus).contains(&share.used), "{:?}", budget);
                prop_assert!(share.max >= share.min, "{:?}", budget);
            }
        }
    }
}
