//! The candidate's turns: their ids, and the interrupted turn that goes on with the next words.

use crate::interview::{
    ids::TurnId,
    turn_taking::turn::{Patience, Turn},
};

/// The turns of one interview.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    /// The number of turns that have an id.
    count: u32,
    /// A turn that a stop or a reply interrupted: the next words go on with it.
    carried: Option<Turn>,
}

impl Turns {
    /// The id that the next turn will get.
    pub(crate) fn next_id(&self) -> TurnId {
        TurnId(self.count + 1)
    }

    /// Takes the next id.
    pub(crate) fn take_id(&mut self) -> TurnId {
        self.count += 1;
        TurnId(self.count)
    }

    /// Gives `turn` an id, if it has none.
    pub(crate) fn named(&mut self, mut turn: Turn) -> Turn {
        turn.id.get_or_insert_with(|| self.take_id());
        turn
    }

    /// The interrupted turn.
    pub(crate) fn carried(&self) -> Option<&Turn> {
        self.carried.as_ref()
    }

    /// The interrupted turn, to add words; made by `new` if there is none.
    pub(crate) fn carried_or(&mut self, new: impl FnOnce() -> Turn) -> &mut Turn {
        self.carried.get_or_insert_with(new)
    }

    /// Takes the interrupted turn.
    pub(crate) fn take_carried(&mut self) -> Option<Turn> {
        self.carried.take()
    }

    /// Keeps a turn that was interrupted, joined with an earlier one.
    pub(crate) fn carry(&mut self, turn: Option<Turn>) {
        if let Some(turn) = turn {
            self.carried = Some(self.with_carried(turn));
        }
    }

    /// Joins the interrupted turn with a turn that goes on with it.
    pub(crate) fn with_carried(&mut self, mut turn: Turn) -> Turn {
        if let Some(earlier) = self.carried.take() {
            turn.id = earlier.id.or(turn.id);
            let restarts = turn.patience.restarts.max(earlier.patience.restarts);
            turn.patience = Patience { restarts, ..earlier.patience };
            turn.said.prepend(earlier.said);
        }
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::Words;
    use crate::time::SessionTime;

    fn turn(segment: u32, text: &str) -> Turn {
        let at = SessionTime::from_millis(u64::from(segment) * 1_000);
        let mut turn = Turn::new(at, at);
        let words = Words {
            segment,
            from: at,
            to: at,
            text: text.to_owned(),
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        };
        turn.said.put(&words, true);
        turn
    }

    /// R06: an interrupted turn goes on with the next words, as the same turn, whatever interrupts it
    /// meanwhile.
    #[test]
    fn an_interrupted_turn_goes_on() {
        let mut turns = Turns::default();
        let first = turns.named(turn(1, "I lead"));
        assert_eq!(first.id, Some(TurnId(1)));
        turns.carry(Some(first));
        turns.carry(None);
        turns.carry(Some(turn(2, "the billing")));
        let whole = turns.with_carried(turn(3, "team"));
        assert_eq!(whole.said.text(), "I lead the billing team");
        assert_eq!(whole.id, Some(TurnId(1)));
        assert!(turns.take_carried().is_none());
        assert_eq!(turns.next_id(), TurnId(2));
    }
}
