//! What an interview has to find out, and how far it is (X02).

use std::collections::{BTreeMap, BTreeSet};

use crate::blueprint::Field;
use crate::interview::{
    Effect, Interview,
    event::{QuestionId, TurnId},
    note::{Note, Priority, Settled, Todo},
    turn_taking::floor::{Draft, Later, Turn},
    understanding::{
        cue::Cue,
        words::{holds, normal},
    },
};

/// More are not kept.
const TODOS_MAX: usize = 50;

/// What is known by now.
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

    /// Whether they have denied what they said of a field in this turn.
    pub(crate) fn is_denied(&self, key: &str, turn: TurnId) -> bool {
        self.denied.get(key).is_some_and(|no| turn <= *no)
    }

    /// Whether a field was read back.
    pub(crate) fn was_read_back(&self, key: &str) -> bool {
        self.read_back.contains(key)
    }

    /// The share of the required `fields` that are settled; all of none (X02). `draft` is what a turn that is not
    /// committed yet would settle.
    fn coverage<'a>(&self, fields: impl Iterator<Item = &'a Field>, draft: Option<&Draft>) -> f32 {
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

impl Interview {
    /// Whether enough of this stage's rubric is settled; never for a stage without one.
    pub(crate) fn is_rubric_settled(&self, draft: Option<&Draft>) -> bool {
        let rubric = &self.agent().rubric;
        !rubric.is_empty()
            && self.known.rubric.coverage(rubric.iter(), draft)
                >= self.script.plan().exit.required_fields_threshold
    }

    /// Required fields of this stage that are open.
    pub(crate) fn open_fields(&self) -> Vec<String> {
        let rubric = &self.agent().rubric;
        let is_open =
            |field: &&Field| field.required && self.known.rubric.settled(&field.key).is_none();
        rubric.iter().filter(is_open).map(|field| field.key.clone()).collect()
    }

    /// The fields that the question that waits for its answer is about.
    pub(crate) fn fields_asked_for(&self) -> Vec<String> {
        let Some(asked) = self.questions.last() else { return Vec::new() };
        let rubric = &self.agent().rubric;
        let is_asked =
            |field: &&Field| !field.question.is_empty() && asked.text.contains(&field.question);
        rubric.iter().filter(is_asked).map(|field| field.key.clone()).collect()
    }

    /// The value of a field is read back, and waits for a yes or no.
    pub(crate) fn begin_read_back(&mut self, key: String) {
        self.known.rubric.read_back.insert(key.clone());
        self.awaited.begin_read_back(key);
    }

    /// The value that was read back and waits for a yes or no.
    pub(crate) fn value_read_back(&self) -> Option<&str> {
        match self.known.rubric.settled(self.awaited.read_back()?)? {
            Settled::Captured { value, .. } => Some(value),
            Settled::Unknown | Settled::Declined => None,
        }
    }

    /// What a turn that counts has settled.
    pub(crate) fn settle(&mut self, turn: &Turn, question: Option<QuestionId>) {
        for (key, settled) in turn.draft.fields.clone() {
            if self.is_said(&settled) {
                self.settle_field(key, settled);
            }
        }
        for Later { text, priority, field } in turn.draft.todos.clone() {
            self.add_todo(text, priority, field, question);
        }
        if let Some(key) = turn.draft.read_back.clone() {
            self.begin_read_back(key);
        }
    }

    /// They have answered the reading back: with a no the value is not theirs. Gives the field that they have denied, if they
    /// have said nothing else.
    pub(crate) fn settle_confirmed(
        &mut self,
        cue: Option<Cue>,
        turn: TurnId,
        text: &str,
    ) -> Option<String> {
        // Who wants to hear it again has not answered it.
        let asks = matches!(
            cue,
            Some(Cue::Repeat | Cue::Clarification | Cue::Rephrase | Cue::Hold | Cue::Question(_))
        );
        // Nor whom we ask for respect: it is read back again.
        if asks || (cue == Some(Cue::Abusive) && self.conduct.insults() == 0) {
            return None;
        }
        let denies = cue == Some(Cue::No);
        let is_other = matches!(cue, None | Some(Cue::Correction)) && begins_with_no(text);
        let key = self.awaited.end_read_back().filter(|_| denies || is_other)?;
        let settled = Settled::Unknown;
        self.outbox.push(Effect::Note(Note::Field { key: key.clone(), settled: settled.clone() }));
        // "No, fifteen": what is right may be in the same words, so the field is open, and this turn may settle it.
        if is_other {
            self.known.rubric.settled.remove(&key);
            self.known.rubric.denied.insert(key, TurnId(turn.0.saturating_sub(1)));
            return None;
        }
        self.known.rubric.settled.insert(key.clone(), settled);
        self.known.rubric.denied.insert(key.clone(), turn);
        Some(key)
    }

    /// Whether its quote still is what they said: a late transcript may have amended it.
    fn is_said(&self, settled: &Settled) -> bool {
        match settled {
            Settled::Captured { quote, turn, .. } => {
                let said = self.known.history.said(*turn).unwrap_or_default();
                crate::interview::understanding::quote::is_span(quote, &said)
            }
            Settled::Unknown | Settled::Declined => true,
        }
    }

    /// The candidate's question is closed without an answer: they do not know, or will not say.
    pub(crate) fn settle_asked(&mut self, settled: &Settled) {
        for key in self.fields_asked_for() {
            self.settle_field(key, settled.clone());
        }
        if *settled == Settled::Unknown {
            let question = self.questions.last().cloned();
            let text = question.as_ref().map_or_else(String::new, |asked| asked.text.clone());
            let field = self.fields_asked_for().into_iter().next();
            self.add_todo(text, Priority::Medium, field, question.map(|asked| asked.id));
        }
    }

    /// What is known stays known: only a value takes the place of a value.
    pub(crate) fn settle_field(&mut self, key: String, settled: Settled) {
        let may = match (self.known.rubric.settled.get(&key), &settled) {
            (None | Some(Settled::Unknown | Settled::Declined), Settled::Captured { .. }) => true,
            (Some(Settled::Captured { value, .. }), Settled::Captured { value: new, .. }) => {
                value != new
            }
            (None, Settled::Unknown | Settled::Declined) => true,
            (Some(_), Settled::Unknown | Settled::Declined) => false,
        };
        if may {
            self.known.rubric.settled.insert(key.clone(), settled.clone());
            self.outbox.push(Effect::Note(Note::Field { key, settled }));
        }
    }

    pub(crate) fn add_todo(
        &mut self,
        text: String,
        priority: Priority,
        field: Option<String>,
        question: Option<QuestionId>,
    ) {
        if self.known.rubric.is_full(0) || text.is_empty() {
            return;
        }
        self.known.rubric.todos += 1;
        let id = format!("todo-{}", self.known.rubric.todos);
        self.outbox.push(Effect::Note(Note::Todo(Todo { id, text, priority, field, question })));
    }

    /// What the judge read off a turn that counts, as far as the candidate said it.
    pub(crate) fn settle_found(
        &mut self,
        turn: TurnId,
        found: Vec<crate::interview::model::judgement::FieldFound>,
    ) {
        let said = self.known.history.said(turn).unwrap_or_default();
        for field in found {
            let is_known = self.script.plan().fields().any(|known| known.key == field.key);
            let (value, quote) = (field.value, field.quote);
            // The judge may have read what they have denied since.
            let is_denied = self.known.rubric.is_denied(&field.key, turn);
            if is_known
                && !is_denied
                && crate::interview::understanding::quote::is_span(&quote, &said)
            {
                self.settle_field(field.key, Settled::Captured { value, quote, turn });
            }
        }
    }
}

/// Whether somebody says no first, and then more.
fn begins_with_no(text: &str) -> bool {
    let words = normal(text);
    let mut words = words.split(' ').skip_while(|word| holds(" sorry well um uh oh so ", word));
    words.next().is_some_and(|first| holds(" no nope nah ", first))
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
