//! The rubric: the fields to find out, and their values so far (X02).

use std::collections::{BTreeMap, BTreeSet};

use crate::blueprint::Field;
use crate::interview::{ids::TurnId, note::Settled, turn_taking::turn::Draft};

/// More are not kept.
const TODOS_MAX: usize = 50;

/// The values so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rubric {
    settled: BTreeMap<String, Settled>,
    todos: usize,
    /// Fields that were read back to the candidate.
    read_back: BTreeSet<String>,
    /// Fields whose value they said is wrong, and in which turn: what they said up to it is not theirs.
    denied: BTreeMap<String, TurnId>,
}

impl Rubric {
    pub(crate) fn settled(&self, key: &str) -> Option<&Settled> {
        self.settled.get(key)
    }

    /// Whether there is no room for a TODO beside those that a turn would add.
    pub(crate) fn is_full(&self, drafted: usize) -> bool {
        self.todos + drafted >= TODOS_MAX
    }

    /// Settles a field. What is known stays known: only a value takes the place of a value. Whether that is
    /// news.
    pub(crate) fn settle(&mut self, key: &str, settled: &Settled) -> bool {
        let is_news = match (self.settled.get(key), settled) {
            (None | Some(Settled::Unknown | Settled::Declined), Settled::Captured { .. }) => true,
            (Some(Settled::Captured { value, .. }), Settled::Captured { value: new, .. }) => {
                value != new
            }
            (None, Settled::Unknown | Settled::Declined) => true,
            (Some(_), Settled::Unknown | Settled::Declined) => false,
        };
        if is_news {
            self.settled.insert(key.to_owned(), settled.clone());
        }
        is_news
    }

    /// The value of a field is read back to the candidate.
    pub(crate) fn note_read_back(&mut self, key: String) {
        self.read_back.insert(key);
    }

    /// They denied a value: what they said of the field up to `turn` is not theirs, and it stays unknown.
    pub(crate) fn deny(&mut self, key: String, turn: TurnId) {
        self.settled.insert(key.clone(), Settled::Unknown);
        self.denied.insert(key, turn);
    }

    /// The same, and the field is open again: the right value may be in their next words.
    pub(crate) fn reopen(&mut self, key: String, turn: TurnId) {
        self.settled.remove(&key);
        self.denied.insert(key, turn);
    }

    /// The id of one more TODO, if there is room for it.
    pub(crate) fn next_todo(&mut self) -> Option<String> {
        if self.is_full(0) {
            return None;
        }
        self.todos += 1;
        Some(format!("todo-{}", self.todos))
    }

    /// Whether they have denied what they said of a field in this turn.
    pub(crate) fn is_denied(&self, key: &str, turn: TurnId) -> bool {
        self.denied.get(key).is_some_and(|no| turn <= *no)
    }

    /// Whether a field was read back.
    pub(crate) fn was_read_back(&self, key: &str) -> bool {
        self.read_back.contains(key)
    }

    /// The share of the required `fields` that are settled; all of none (X02). `draft` is what a turn that is
    /// not committed yet would settle.
    pub(crate) fn coverage<'a>(
        &self,
        fields: impl Iterator<Item = &'a Field>,
        draft: Option<&Draft>,
    ) -> f32 {
        let drafted = |key: &str| draft.is_some_and(|draft| draft.fields.contains_key(key));
        let required: Vec<&Field> = fields.filter(|field| field.required).collect();
        if required.is_empty() {
            return 1.0;
        }
        let settled =
            |field: &&&Field| self.settled.contains_key(&field.key) || drafted(&field.key);
        required.iter().filter(settled).count() as f32 / required.len() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(key: &str, required: bool) -> Field {
        Field {
            key: key.into(),
            title: key.into(),
            required,
            confirm: false,
            format: crate::blueprint::Format::Text,
            question: String::new(),
        }
    }

    /// X02: captured, unknown and declined count; optional fields never do; nothing required is all of it.
    #[test]
    fn coverage() {
        let fields = [field("a", true), field("b", true), field("c", false)];
        let mut rubric = Rubric::default();
        let share = |rubric: &Rubric| rubric.coverage(fields.iter(), None);
        assert_eq!(share(&rubric), 0.0);
        rubric.settled.insert("c".into(), Settled::Unknown);
        assert_eq!(share(&rubric), 0.0);
        rubric.settled.insert("a".into(), Settled::Declined);
        assert_eq!(share(&rubric), 0.5);
        rubric.settled.insert("b".into(), Settled::Unknown);
        assert_eq!(share(&rubric), 1.0);
        assert_eq!(Rubric::default().coverage([field("c", false)].iter(), None), 1.0);
    }

    /// X03: what a turn would settle counts for a decision before it is committed.
    #[test]
    fn drafts_count() {
        let fields = [field("a", true)];
        let draft = Draft { fields: [("a".into(), Settled::Unknown)].into(), ..Draft::default() };
        assert_eq!(Rubric::default().coverage(fields.iter(), Some(&draft)), 1.0);
    }

    /// X06: there are 50 TODOs at most, those of an answer that does not count yet among them.
    #[test]
    fn todos_have_an_end() {
        let rubric = Rubric { todos: 40, ..Rubric::default() };
        assert!(!rubric.is_full(9) && rubric.is_full(10));
    }
}
