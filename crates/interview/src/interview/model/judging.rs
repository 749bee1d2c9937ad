//! The judge beside the interview: what it is shown, and what its findings change. They never change who has
//! the floor.

use language::Intent;

use crate::foreign::Foreign;
use crate::interview::{
    Effect, Interview, Settled,
    ids::TurnId,
    model::judgement::{Case, Judgeable, Judgement},
    note::Note,
    turn_taking::{turn::Turn, understood::Answer},
};

impl Interview {
    /// The answer that the judge is to look at; nothing if it is gone.
    pub fn case(&self, turn: TurnId) -> Option<Case> {
        let in_floor = |turn: &&Turn| turn.id.is_some();
        let open = self.floor.turn().filter(in_floor).filter(|open| open.id == Some(turn));
        let (answer, holes) = match open {
            Some(open) => (open.said.text(), self.holes_in(Answer::Open(open))),
            None => (self.known.history.said(turn)?, self.holes_in(Answer::Committed(turn))),
        };
        let known = self.known.unjudged(turn).filter(|_| open.is_none());
        let asked = match known {
            Some(known) => known.question.and_then(|id| self.questions.get(id)),
            None => self.questions.last(),
        };
        let open_fields = self.fields_for_model(self.agent()).iter().filter(|field| {
            !matches!(self.known.rubric.settled(&field.key), Some(Settled::Captured { .. }))
        });
        Some(Case {
            question: asked.map(|asked| asked.text.clone()).unwrap_or_default(),
            answer,
            holes,
            fields: open_fields.map(|field| (field.key.clone(), field.title.clone())).collect(),
            asked_for: if self.has_agenda() { Vec::new() } else { self.fields_asked_for() },
            finds_questions: self.stage_at(self.stage.index).0.learns(),
        })
    }

    pub(crate) fn on_judged(&mut self, id: TurnId, attempt: u32, judgement: Judgement) {
        if let Some(turn) = self.floor.turn_mut().filter(|turn| turn.id == Some(id)) {
            if turn.patience.restarts == attempt {
                turn.draft.judgement = Some(judgement);
            }
            return;
        }
        if let Some(known) = self.known.take_judged(id, attempt) {
            self.learn(known, judgement);
        }
    }

    /// The words, the model and the judge may all find it: the recruiter is told once (case 40).
    pub(crate) fn note_distress(&mut self, turn: TurnId) {
        if self.conduct.distress(turn) {
            self.outbox.push(Effect::Note(Note::Distress { turn }));
        }
    }

    /// Takes the judgement of a committed turn. It changes what is known, never who has the floor.
    pub(crate) fn learn(&mut self, known: Judgeable, judgement: Judgement) {
        let turn = known.turn;
        self.judge_agenda(known.stage, turn, &judgement);
        let Judgement { depth, answer_kind: kind, key_points, facts, fields, follow_ups, .. } =
            judgement;
        self.outbox.push(Effect::Note(Note::Judged { turn, kind, depth }));
        if kind == Intent::Distress {
            self.note_distress(turn);
        }
        self.known.memory.add_points(known.stage, &key_points);
        self.known.memory.learn(facts);
        self.known.memory.threads = follow_ups.into_iter().map(Foreign::from).collect();
        self.settle_found(turn, fields);
        // The judge may have understood unclear words; another question may be open by now.
        let waits = self.questions.last_id();
        let is_captured =
            |key: &String| matches!(self.known.rubric.settled(key), Some(Settled::Captured { .. }));
        let is_open = !self.fields_asked_for().iter().any(is_captured);
        let is_it = known.question.is_some() && known.question == waits;
        if kind == Intent::DontKnow && is_it && is_open {
            self.settle_asked(&Settled::Unknown);
        }
    }
}
