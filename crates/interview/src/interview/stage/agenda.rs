//! The agenda: what stages with a plan of their own have asked and heard, and what is left of it.
//!
//! An answer counts when our reply to it sounds. Until then its consequences are a forecast, so that the
//! reply can be the right one.

use std::collections::BTreeMap;

use crate::blueprint::{Agent, Field, Phrase, Varied};
use crate::interview::{
    Effect, Interview,
    ids::{QuestionId, TurnId},
    model::{data::Data, judgement::Judgement},
    note::Note,
    stage::{
        self, Agenda, Outlook, Place,
        kind::{Answered, Asked, StageKind},
        phase::Phase,
    },
    turn_taking::{floor::Floor, turn::Turn, understood},
    understanding::{
        duplicate::is_duplicate,
        signal::{Band, Signal, signal_of},
    },
};

impl Interview {
    /// The kind of a stage, and where that stands.
    pub(crate) fn stage_at(&self, index: usize) -> (&'static dyn StageKind, Place<'_>) {
        let plan = self.script.plan();
        let guide = &self.script.context().guide;
        let place = Place { plan, index, agenda: self.questions.agenda.view(), guide };
        (stage::of(&plan.agents[index].kind), place)
    }

    /// What a stage with a plan of its own asks next, the first one first; nothing where the file's questions
    /// count.
    pub(crate) fn planned(&self, index: usize) -> Option<Vec<String>> {
        let (kind, place) = self.stage_at(index);
        // The model may have asked it in the place of another one.
        let is_new = |question: &String| {
            kind.asks_as_written() || !is_duplicate(question, self.questions.past())
        };
        kind.has_agenda().then(|| kind.next(place).into_iter().filter(is_new).collect())
    }

    /// Whether the stage that lasts has a plan of its own.
    pub(crate) fn has_agenda(&self) -> bool {
        stage::of(&self.agent().kind).has_agenda()
    }

    /// Whether nothing is left of the plan of the stage that lasts.
    pub(crate) fn is_agenda_done(&self) -> bool {
        let (kind, place) = self.stage_at(self.stage.index);
        let is_used_up = || self.planned(self.stage.index).is_some_and(|left| left.is_empty());
        kind.has_agenda() && (kind.is_done(place) || is_used_up())
    }

    /// What a frontend is shown of the plan of the stage that lasts.
    pub(crate) fn agenda_phase(&self) -> Option<Phase> {
        let (kind, place) = self.stage_at(self.stage.index);
        kind.phase(place)
    }

    /// The candidate's name is known: texts of the plan may have it.
    pub(crate) fn renew_agenda(&mut self) {
        if self.questions.is_empty() {
            self.questions.agenda = Outlook::new(self.script.plan(), self.script.context());
        }
    }

    /// Drops the forecast of an answer that we do not reply to any more: they go on.
    pub(crate) fn drop_forecast(&mut self) {
        if !matches!(self.floor, Floor::Thinking { turn: Some(_), .. }) {
            self.questions.agenda.forecast = None;
        }
    }

    /// Whether the questions of the stage that lasts are said as they are written.
    pub(crate) fn asks_as_written(&self) -> bool {
        stage::of(&self.agent().kind).asks_as_written()
    }

    /// Our words before a question as it is written.
    pub(crate) fn before_written(&self, turn: Option<&Turn>) -> String {
        let again = self.planned(self.stage.index).is_some_and(|planned| {
            let last = self.questions.last().map(|asked| asked.text.as_str());
            planned.first().is_some_and(|first| last.is_some_and(|last| first.ends_with(last)))
        });
        match turn {
            _ if again => self.phrase(Phrase::Again),
            Some(_) => self.next_wording(Varied::ShortAnswer),
            None => String::new(),
        }
    }

    /// What the model is to do with a plan, whose words are `data`; nothing where the file's questions count.
    pub(crate) fn agenda_focus(&self, agent: &Agent, data: &mut Data) -> Option<String> {
        let (kind, place) = self.stage_at(self.agent_place(agent)?);
        kind.has_agenda().then(|| kind.focus(place, data))
    }

    /// The place of an agent in the plan.
    pub(crate) fn agent_place(&self, agent: &Agent) -> Option<usize> {
        self.script.plan().agents.iter().position(|other| other.name == agent.name)
    }

    /// The fields that the model may settle: those of a plan it may not.
    pub(crate) fn fields_for_model<'a>(&self, agent: &'a Agent) -> &'a [Field] {
        if stage::of(&agent.kind).has_agenda() { &[] } else { &agent.rubric }
    }

    /// Forecasts what follows when a turn counts.
    pub(crate) fn forecast(&mut self, turn: &Turn) {
        let counts = self.is_answer(turn) && self.has_agenda();
        self.questions.agenda.forecast = None;
        if counts {
            let id = turn.id.unwrap_or_else(|| self.turns.next_id());
            let agenda = self.agenda_after(id, turn);
            self.questions.agenda.forecast = Some(Box::new(agenda));
        }
    }

    /// A turn counts.
    pub(crate) fn answer_agenda(&mut self, id: TurnId, turn: &Turn) {
        if self.has_agenda() {
            self.questions.agenda.forecast = None;
            let agenda = self.agenda_after(id, turn);
            self.settle_agenda(agenda);
        }
    }

    /// The field whose value is awaited: a value that is not whole is like an unfinished sentence (L06).
    pub(crate) fn field_awaited(&self) -> Option<&Field> {
        let place = self.place_now(self.stage.index);
        stage::of(&place.agent().kind).awaits(place)
    }

    /// The question that waits is left out without a word.
    pub(crate) fn skip_agenda(&mut self) {
        let skipped = Answered::skipped();
        self.change_agenda(|kind, place, agenda| kind.answer(place, agenda, &skipped));
    }

    /// The candidate agreed to go on when the rounds were over (K03).
    pub(crate) fn grant_rounds(&mut self) {
        self.change_agenda(|kind, place, agenda| kind.grant_rounds(place, agenda));
    }

    /// The number of questions after whose answers the stage that lasts ends.
    pub(crate) fn questions_max(&self) -> u32 {
        let (kind, place) = self.stage_at(self.stage.index);
        kind.questions_max(place)
    }

    /// Takes what was filled in on the screen. Returns whether anything of it is of use.
    pub(crate) fn fill_agenda(&mut self, values: &BTreeMap<String, String>) -> bool {
        let mut is_of_use = false;
        self.change_agenda(|kind, place, agenda| is_of_use = kind.fill(place, agenda, values));
        is_of_use
    }

    /// A question was heard: `heard` is the reply up to its end, `named` what the model says that it is
    /// about.
    pub(crate) fn ask_agenda(&mut self, question: QuestionId, heard: &str, named: Option<&str>) {
        let asked = Asked { question, heard, named };
        self.change_agenda(|kind, place, agenda| kind.ask(place, agenda, asked));
    }

    /// The judge has read an answer.
    pub(crate) fn judge_agenda(&mut self, stage: usize, turn: TurnId, judgement: &Judgement) {
        let mut agenda = self.questions.agenda.now.clone();
        let place = self.place_now(stage);
        stage::of(&place.agent().kind).learn(place, &mut agenda, turn, judgement);
        self.settle_agenda(agenda);
    }

    /// A stage, with the agenda as it is.
    fn place_now(&self, index: usize) -> Place<'_> {
        let guide = &self.script.context().guide;
        Place { plan: self.script.plan(), index, agenda: &self.questions.agenda.now, guide }
    }

    fn agenda_after(&self, id: TurnId, turn: &Turn) -> Agenda {
        let has_holes = !self.holes_in(understood::Answer::Open(turn)).is_empty();
        let text = turn.said.text();
        let intent = self.kind_of(turn);
        // Who leaves the question open says nothing about it, however long.
        let signal = match intent.leaves_open() {
            true => Signal { score: 0.0, band: Band::Low },
            false => signal_of(&text, has_holes),
        };
        let is_private = self.is_private(turn);
        let answered = Answered { turn: Some(id), text: &text, intent, signal, is_private };
        let mut agenda = self.questions.agenda.now.clone();
        let place = self.place_now(self.stage.index);
        stage::of(&self.agent().kind).answer(place, &mut agenda, &answered);
        agenda
    }

    fn change_agenda(&mut self, change: impl FnOnce(&dyn StageKind, Place<'_>, &mut Agenda)) {
        if !self.has_agenda() {
            return;
        }
        let mut agenda = self.questions.agenda.now.clone();
        let place = self.place_now(self.stage.index);
        change(stage::of(&self.agent().kind), place, &mut agenda);
        self.settle_agenda(agenda);
    }

    /// The agenda is this now: what is new is noted.
    fn settle_agenda(&mut self, agenda: Agenda) {
        let notes = agenda.notes_since(&self.questions.agenda.now, self.script.plan());
        self.questions.agenda.now = agenda;
        for note in notes {
            if let Note::Field { key, settled } = note {
                self.settle_field(key, settled);
            } else {
                self.outbox.push(Effect::Note(note));
            }
        }
    }
}
