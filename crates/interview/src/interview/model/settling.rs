//! How fields of the rubric are settled: by an answer, a confirmation, the judge, or because the candidate
//! will not say.

use language::Intent;

use crate::blueprint::Field;
use crate::interview::{
    Effect, Interview,
    ids::{QuestionId, TurnId},
    model::judgement::FieldFound,
    note::{Note, Priority, Settled, Todo},
    turn_taking::turn::{Draft, Later, Turn},
    understanding::{
        quote::is_span,
        words::{holds, normal},
    },
};

impl Interview {
    /// Whether enough of this stage's rubric is settled; never for a stage without one.
    pub(crate) fn is_rubric_settled(&self, draft: Option<&Draft>) -> bool {
        let rubric = &self.agent().rubric;
        !rubric.is_empty()
            && !self.has_agenda()
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
        self.known.rubric.note_read_back(key.clone());
        self.awaited.begin_read_back(key);
    }

    /// The value that was read back and waits for a yes or no.
    pub(crate) fn value_read_back(&self) -> Option<&str> {
        match self.known.rubric.settled(self.awaited.read_back()?)? {
            Settled::Captured { value, .. } => Some(value),
            Settled::Unknown | Settled::Declined => None,
        }
    }

    /// Words of ours were heard: the value that is read back may be among them.
    pub(crate) fn hear_read_back(&mut self, heard: &str) {
        if self.value_read_back().is_some_and(|value| is_span(value, heard)) {
            self.awaited.hear_value();
        }
    }

    /// Settles the fields that a committed turn has answered.
    pub(crate) fn settle(&mut self, turn: &Turn, question: Option<QuestionId>) {
        for (key, settled) in turn.draft.fields.clone() {
            if self.is_said(&settled) {
                self.settle_field(key, settled);
            }
        }
        // What is personal is nobody's to find out.
        let todos = if self.is_private(turn) { Vec::new() } else { turn.draft.todos.clone() };
        for Later { text, priority, field } in todos {
            self.add_todo(text, priority, field, question);
        }
        if let Some(key) = turn.draft.read_back.clone() {
            self.begin_read_back(key);
        }
    }

    /// They have answered the reading back: with a no the value is not theirs. Gives the field that they have
    /// denied, if they have said nothing else.
    pub(crate) fn settle_confirmed(
        &mut self,
        intent: Intent,
        turn: TurnId,
        text: &str,
    ) -> Option<String> {
        // A request to hear the value again is no answer to it.
        let asks = matches!(
            intent,
            Intent::Repeat | Intent::Sound | Intent::Clarify | Intent::Hold | Intent::Ask(_)
        );
        let confirms_nothing = intent == Intent::Yes && self.awaited.is_value_unheard();
        // Nor whom we ask for respect: it is read back again.
        if asks || confirms_nothing || (intent == Intent::Abusive && self.conduct.insults() == 0) {
            return None;
        }
        let denies = intent == Intent::No;
        let is_other =
            (intent.is_plain_answer() || intent == Intent::Correct) && begins_with_no(text);
        let key = self.awaited.end_read_back().filter(|_| denies || is_other)?;
        let note = Note::Field { key: key.clone(), settled: Settled::Unknown };
        self.outbox.push(Effect::Note(note));
        // "No, fifteen": what is right may be in the same words, so the field is open, and this turn may
        // settle it.
        if is_other {
            self.known.rubric.reopen(key, TurnId(turn.0.saturating_sub(1)));
            return None;
        }
        self.known.rubric.deny(key.clone(), turn);
        Some(key)
    }

    /// Whether its quote still is what they said: a late transcript may have amended it.
    fn is_said(&self, settled: &Settled) -> bool {
        match settled {
            Settled::Captured { quote, turn, .. } => {
                let said = self.known.history.said(*turn).unwrap_or_default();
                is_span(quote, &said)
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

    /// Settles a field, and tells so if that is news.
    pub(crate) fn settle_field(&mut self, key: String, settled: Settled) {
        if self.known.rubric.settle(&key, &settled) {
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
        if text.is_empty() {
            return;
        }
        let Some(id) = self.known.rubric.next_todo() else { return };
        self.outbox.push(Effect::Note(Note::Todo(Todo { id, text, priority, field, question })));
    }

    /// Settles the fields that the judge found in a committed turn, where the candidate said them.
    pub(crate) fn settle_found(&mut self, turn: TurnId, found: Vec<FieldFound>) {
        let said = self.known.history.said(turn).unwrap_or_default();
        for field in found {
            let is_known = self.script.plan().fields().any(|known| known.key == field.key);
            let (value, quote) = (field.value, field.quote);
            // The judge may have read what they have denied since.
            let is_denied = self.known.rubric.is_denied(&field.key, turn);
            if is_known && !is_denied && is_span(&quote, &said) {
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
