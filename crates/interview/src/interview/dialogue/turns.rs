//! The candidate's turns: their ids, what their words mean, and the interrupted turn that goes on with the
//! next words.

use language::Intent;

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
    /// The last words of which we wanted to know what they mean.
    reading: Option<Reading>,
}

/// What words mean.
#[derive(Clone, Debug)]
struct Reading {
    turn: TurnId,
    attempt: u32,
    text: String,
    answer: Answer,
    /// Whether the turn ends with the answer.
    ends_turn: bool,
}

/// The answer to the question what words mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// It comes before anything else happens, or never.
    Awaited,
    Given(Intent),
    Never,
}

/// What follows from knowing what words mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// Their turn ends with them.
    TurnEnds,
    /// They may go on.
    TurnIsOpen,
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

    /// Wants to know what the words of a turn mean, without one those of the interrupted turn. Returns the
    /// turn and its version, unless that is known already.
    pub(crate) fn read(&mut self, turn: Option<&Turn>) -> Option<(TurnId, u32)> {
        let earlier = self.carried.as_ref();
        let (text, turn) = match turn {
            Some(turn) => (self.whole_text(turn), turn),
            None => (earlier?.said.text(), earlier?),
        };
        if text.is_empty() || self.reading.as_ref().is_some_and(|reading| reading.text == text) {
            return None;
        }
        let id = earlier.and_then(|turn| turn.id).or(turn.id).unwrap_or(self.next_id());
        let attempt = turn.patience.restarts;
        self.reading =
            Some(Reading { turn: id, attempt, text, answer: Answer::Awaited, ends_turn: false });
        Some((id, attempt))
    }

    /// The words of a turn behind those of the interrupted one that it will go on with.
    pub(crate) fn whole_text(&self, turn: &Turn) -> String {
        let Some(earlier) = &self.carried else { return turn.said.text() };
        let mut said = turn.said.clone();
        said.prepend(earlier.said.clone());
        said.text()
    }

    /// Whether a turn is known to go on by its words.
    pub(crate) fn is_unfinished(&self, turn: &Turn) -> bool {
        let goes_on = |reading: &Reading| reading.answer == Answer::Given(Intent::Unfinished);
        self.reading.as_ref().is_some_and(goes_on)
            && self.intent_of(&self.whole_text(turn)) == Some(Intent::Unfinished)
    }

    /// The words of which we await what they mean.
    pub(crate) fn unread(&self) -> Option<&str> {
        let reading = self.reading.as_ref().filter(|reading| reading.answer == Answer::Awaited)?;
        Some(&reading.text)
    }

    /// Awaits no longer what words mean: the answer says it, or nothing does.
    pub(crate) fn settle_reading(
        &mut self,
        answer: Option<(TurnId, u32, Intent)>,
    ) -> Option<Settled> {
        let is_awaited = |reading: &&mut Reading| reading.answer == Answer::Awaited;
        let reading = self.reading.as_mut().filter(is_awaited)?;
        reading.answer = match answer {
            Some((turn, attempt, intent)) if (turn, attempt) == (reading.turn, reading.attempt) => {
                Answer::Given(intent)
            }
            _ => Answer::Never,
        };
        Some(if reading.ends_turn { Settled::TurnEnds } else { Settled::TurnIsOpen })
    }

    /// Ends the turn as soon as it is known what its words mean.
    pub(crate) fn end_when_read(&mut self) {
        if let Some(reading) = &mut self.reading {
            reading.ends_turn = true;
        }
    }

    /// The intent of a text, if it is the one that was read last.
    pub(crate) fn intent_of(&self, text: &str) -> Option<Intent> {
        let reading = self.reading.as_ref().filter(|reading| reading.text == text)?;
        match reading.answer {
            Answer::Given(intent) => Some(intent),
            Answer::Awaited | Answer::Never => None,
        }
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

    /// A01: only the answer to the last words counts, and only for these; anything else gives it up.
    #[test]
    fn words_are_read_once() {
        let mut turns = Turns::default();
        let said = turn(1, "that went right past me");
        assert_eq!(turns.read(Some(&said)), Some((TurnId(1), 0)));
        assert_eq!(turns.read(Some(&said)), None, "that is wanted already");
        assert_eq!(turns.unread(), Some("that went right past me"));
        let answer = |turn, intent| Some((TurnId(turn), 0, intent));
        assert_eq!(turns.settle_reading(answer(1, Intent::Repeat)), Some(Settled::TurnIsOpen));
        assert_eq!(turns.intent_of("that went right past me"), Some(Intent::Repeat));
        assert_eq!(turns.intent_of("that went"), None);
        assert_eq!(turns.settle_reading(answer(1, Intent::Stop)), None, "that is settled");

        turns.carry(Some(said));
        assert_eq!(turns.read(None), None, "these words are known");
        assert_eq!(turns.read(Some(&turn(2, "sorry"))), Some((TurnId(1), 0)));
        assert_eq!(turns.unread(), Some("that went right past me sorry"));
        turns.end_when_read();
        assert_eq!(turns.settle_reading(answer(2, Intent::Stop)), Some(Settled::TurnEnds));
        assert_eq!(turns.intent_of("that went right past me sorry"), None, "of another turn");
        assert_eq!(turns.unread(), None);
        assert_eq!(turns.read(None), Some((TurnId(1), 0)), "the interrupted turn alone");
        assert_eq!(
            turns.settle_reading(Some((TurnId(1), 1, Intent::Stop))),
            Some(Settled::TurnIsOpen)
        );
        assert_eq!(turns.intent_of("that went right past me"), None, "of another version");
        assert_eq!(Turns::default().read(Some(&turn(1, ""))), None, "nothing is said");
        assert_eq!(Turns::default().read(None), None, "nobody has spoken");
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
