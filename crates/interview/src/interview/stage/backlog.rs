//! A stage that works off planned questions, the most important first (K01–K03).

use language::{Intent, Quality};

use crate::blueprint::{Blueprint, Context, Kind, Planned, Urgency};
use crate::foreign::Foreign;
use crate::interview::{
    ids::TurnId,
    model::{
        data::Data,
        judgement::{Discovered, Judgement},
    },
    note::Note,
    stage::{
        Agenda, Place,
        item::{Item, ItemStatus, Origin},
        kind::{Answered, Asked, StageKind},
    },
    understanding::{duplicate::is_duplicate, signal::Band, words::normal},
};
use crate::scripted::content_words;

/// Follow-ups are so much of all rounds at most, in percent.
const FOLLOW_UPS_PERCENT: u32 = 40;
/// Questions that answers bring up; more are not kept.
const DISCOVERED_MAX: usize = 10;
/// A question is about an item if it has so many of that one's content words, in percent.
const ALIKE_PERCENT: usize = 40;

/// How sure an answer of a quality is (K02).
const CONFIDENCE: [(Quality, f32); 3] =
    [(Quality::Full, 0.9), (Quality::Partial, 0.6), (Quality::Vague, 0.3)];

pub(crate) struct OfBacklog;

/// The planned questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Backlog {
    items: Vec<Item>,
    /// Questions that were heard, each with its answer a round.
    rounds: u32,
    /// Rounds beyond those of the file, to which the candidate agreed.
    granted: u32,
    /// The item that was asked last.
    last: Option<usize>,
}

impl StageKind for OfBacklog {
    fn has_agenda(&self) -> bool {
        true
    }

    fn has_rounds(&self) -> bool {
        true
    }

    fn questions_max(&self, at: Place<'_>) -> u32 {
        at.agent().questions_max + at.agenda.backlog.granted
    }

    fn grant_rounds(&self, at: Place<'_>, agenda: &mut Agenda) {
        agenda.backlog.granted += at.agent().questions_max;
    }

    fn next(&self, at: Place<'_>) -> Vec<String> {
        let backlog = &at.agenda.backlog;
        backlog.eligible(self.questions_max(at)).into_iter().map(|item| item.text.clone()).collect()
    }

    fn is_done(&self, at: Place<'_>) -> bool {
        let is_due = |item: &Item| item.status == ItemStatus::Open && item.priority < Urgency::P2;
        !at.agenda.backlog.items.iter().any(is_due)
    }

    fn focus(&self, at: Place<'_>, data: &mut Data) -> String {
        let items = at.agenda.backlog.eligible(self.questions_max(at)).into_iter();
        let items = items
            .map(|item| Foreign::new(format!("{} ({:?}): {}", item.id, item.priority, item.text)));
        data.memory.list("To be asked:", "plan", items);
        "Ask exactly one of the questions that are marked as `plan`, in two to four sentences: pick what \
            fits what was said last, the most important first; name the file, figure or person that it is \
            about. Its id goes into `thread` of `ask_question`.\n"
            .to_owned()
    }

    fn ask(&self, at: Place<'_>, agenda: &mut Agenda, asked: Asked<'_>) {
        agenda.backlog.ask(asked, self.questions_max(at));
    }

    fn answer(&self, at: Place<'_>, agenda: &mut Agenda, answered: &Answered<'_>) {
        let follow_ups = match &at.agent().kind {
            Kind::Backlog { follow_ups, .. } => follow_ups.as_slice(),
            Kind::Scripted
            | Kind::Questions
            | Kind::Closing
            | Kind::Topics(_)
            | Kind::Offer
            | Kind::Form => &[],
        };
        agenda.backlog.answer(answered, follow_ups, self.questions_max(at));
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&self, at: Place<'_>, agenda: &mut Agenda, turn: TurnId, found: &Judgement) {
        agenda.backlog.learn(turn, found, self.questions_max(at));
    }
}

impl Backlog {
    /// The questions of the recruiter's plan, then those of the file.
    pub(super) fn new(plan: &Blueprint, context: &Context) -> Self {
        let of_backlog = |kind: &Kind| matches!(kind, Kind::Backlog { .. });
        let Some(agent) = plan.agents.iter().find(|agent| of_backlog(&agent.kind)) else {
            return Self::default();
        };
        let planned = context.plan.iter().map(|planned| {
            let Planned { id, text, priority } = planned.clone();
            Item::open(id, text, priority, Origin::Plan)
        });
        let mut items: Vec<Item> = planned.collect();
        for (n, text) in agent.questions.iter().enumerate() {
            let id = format!("standing-{}", n + 1);
            items.push(Item::open(id, text.clone(), Urgency::P1, Origin::Plan));
        }
        Self { items, ..Self::default() }
    }

    pub(super) fn into_items(self) -> Vec<Item> {
        self.items
    }

    pub(super) fn notes_since(&self, before: &Self) -> Vec<Note> {
        let changed = |(n, item): &(usize, &Item)| before.items.get(*n) != Some(item);
        let changed = self.items.iter().enumerate().filter(changed);
        changed.map(|(_, item)| Note::Item(item.clone())).collect()
    }

    /// What may be asked now, the first one first.
    fn eligible(&self, rounds_max: u32) -> Vec<&Item> {
        let left = rounds_max.saturating_sub(self.rounds);
        let is_open = |item: &&Item| item.status == ItemStatus::Open;
        let is_sure = |item: &&Item| item.priority == Urgency::P0 && item.origin == Origin::Plan;
        let sure = self.items.iter().filter(is_open).filter(is_sure).count();
        // From now on every round belongs to one that has to be asked.
        let is_tight = u32::try_from(sure).is_ok_and(|sure| sure > 0 && left <= sure);
        let mut open: Vec<&Item> =
            self.items.iter().filter(is_open).filter(|item| !is_tight || is_sure(item)).collect();
        let last = self.last.map(|last| self.items[last].id.as_str());
        open.sort_by_key(|item| {
            let of_last = item.origin == Origin::FollowUp && item.parent.as_deref() == last;
            (!of_last, item.origin != Origin::FollowUp, item.priority)
        });
        open
    }

    /// A question was heard: which one that was.
    fn ask(&mut self, asked: Asked<'_>, rounds_max: u32) {
        let place = self.place_of(asked, rounds_max);
        self.rounds += 1;
        self.last = place;
        if let Some(item) = place.map(|place| &mut self.items[place]) {
            item.status = ItemStatus::Asked;
            item.question = Some(asked.question);
        }
    }

    /// The item that a question is about: the one that the model names, the one whose words it has, or the
    /// first one.
    fn place_of(&self, asked: Asked<'_>, rounds_max: u32) -> Option<usize> {
        // A question that was asked is asked, whether or not it was its turn.
        let open = self.items.iter().filter(|item| item.status == ItemStatus::Open);
        let open: Vec<&Item> = open.collect();
        let named = asked.named.map(str::trim);
        let by_name = open.iter().find(|item| named == Some(item.id.as_str()));
        let heard = normal(asked.heard);
        let by_text = open.iter().find(|item| heard.contains(&normal(&item.text)));
        let words: Vec<String> = content_words(asked.heard).collect();
        let share = |item: &Item| {
            let all: Vec<String> = content_words(&item.text).collect();
            let common = all.iter().filter(|word| words.contains(word)).count();
            (common * 100).checked_div(all.len()).unwrap_or(0)
        };
        let alike = open.iter().filter(|item| share(item) >= ALIKE_PERCENT);
        let alike = alike.rev().max_by_key(|item| share(item));
        let eligible = self.eligible(rounds_max);
        let item = by_name.or(by_text).or(alike).or(eligible.first())?;
        self.items.iter().position(|other| other.id == item.id)
    }

    /// The last question has its answer; a thin one is followed up once.
    fn answer(&mut self, answered: &Answered<'_>, follow_ups: &[String], rounds_max: u32) {
        let is_open = |place: &usize| self.items[*place].status == ItemStatus::Asked;
        let Some(place) = self.last.filter(is_open) else { return };
        let is_partial = matches!(
            answered.intent,
            Intent::Answer(Quality::Partial | Quality::Vague | Quality::OffTopic)
        );
        let is_thin =
            is_partial || (answered.intent == Intent::ANSWER && answered.signal.band == Band::Low);
        let item = &mut self.items[place];
        item.turn = answered.turn;
        let leaves_open = answered.intent.leaves_open();
        item.status = match (leaves_open, is_thin) {
            (true, _) => ItemStatus::Unknown,
            (false, true) => ItemStatus::AnsweredPartial,
            (false, false) => ItemStatus::Answered,
        };
        let count = self.count_of(Origin::FollowUp);
        let text = follow_ups.get(count % follow_ups.len().max(1));
        if let Some(text) = text.filter(|_| is_thin && !leaves_open) {
            self.follow_up(place, text.clone(), rounds_max);
        }
    }

    /// The judge has read the answer of a turn.
    fn learn(&mut self, turn: TurnId, found: &Judgement, rounds_max: u32) {
        let Some(place) = self.items.iter().position(|item| item.turn == Some(turn)) else {
            return;
        };
        let item = &mut self.items[place];
        item.facts = found.facts.iter().map(|fact| fact.text.for_people().to_owned()).collect();
        let sure = CONFIDENCE
            .into_iter()
            .find(|(quality, _)| found.answer_kind == Intent::Answer(*quality));
        item.confidence = sure.map(|(_, sure)| sure).or(item.confidence);
        if found.answer_kind == Intent::Answer(Quality::Full)
            && item.status == ItemStatus::AnsweredPartial
        {
            item.status = ItemStatus::Answered;
        }
        let is_thin = item.confidence.is_some_and(|sure| sure < 0.9);
        if let Some(text) = found.follow_ups.first().filter(|_| is_thin) {
            self.follow_up(place, text.clone(), rounds_max);
        }
        for discovered in &found.discovered {
            self.discover(place, discovered);
        }
    }

    /// Plans a question that follows up on an item; if one is planned already, this is the better wording.
    fn follow_up(&mut self, place: usize, text: String, rounds_max: u32) {
        let root = &self.items[place];
        if root.origin == Origin::FollowUp {
            return;
        }
        let root = root.id.clone();
        let is_it = |item: &&mut Item| {
            item.origin == Origin::FollowUp && item.parent.as_ref() == Some(&root)
        };
        if let Some(known) = self.items.iter_mut().find(is_it) {
            if known.status == ItemStatus::Open {
                known.text = text;
            }
            return;
        }
        let count = self.count_of(Origin::FollowUp);
        let fits = (count as u32 + 1) * 100 <= rounds_max * FOLLOW_UPS_PERCENT;
        if fits && self.rounds < rounds_max {
            let id = format!("followup-{}", count + 1);
            let item = Item::open(id, text, Urgency::P0, Origin::FollowUp);
            self.items.push(Item { parent: Some(root), ..item });
        }
    }

    fn discover(&mut self, place: usize, discovered: &Discovered) {
        let count = self.count_of(Origin::Discovered);
        let known = self.items.iter().map(|item| item.text.as_str());
        let text = discovered.text.trim();
        if count == DISCOVERED_MAX || text.is_empty() || is_duplicate(text, known) {
            return;
        }
        let id = format!("discovered-{}", count + 1);
        let item = Item::open(id, text.to_owned(), discovered.priority, Origin::Discovered);
        self.items.push(Item { parent: Some(self.items[place].id.clone()), ..item });
    }

    fn count_of(&self, origin: Origin) -> usize {
        self.items.iter().filter(|item| item.origin == origin).count()
    }
}
