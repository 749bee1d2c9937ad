//! What a report is about: the recruiter's criteria, else the fields of the blueprint's rubric, else its
//! parts. What code can say of one, no model is asked for.

use super::{
    evidence::find,
    questions::{Asked, Coverage},
    report::{Assessed, Evidence, Overall, Verdict},
    titles::Titles,
    turns::Turn,
};
use crate::{
    blueprint::{Agent, Blueprint, Criterion, Field, Kind, Need},
    interview::{Settled, understanding::duplicate::is_duplicate},
    journal::Record,
    planning::MadeBy,
};

/// Answers of a part that are quoted where nobody has chosen any.
const QUOTES_MAX: usize = 5;
/// Of each so many words.
const QUOTED_WORDS_MAX: usize = 80;

/// A criterion, and what code says of it.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The criterion.
    pub(crate) criterion: Criterion,
    /// What the report says where no model is asked.
    pub(crate) by_rules: Assessed,
    /// Whether a model may be asked.
    pub(crate) ask: Ask,
}

/// Whether a model is asked about a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Code has said all.
    No,
    /// A model judges, and tells by which questions it was asked about.
    Model,
    /// A model judges what is known to have been asked about.
    ModelAsked,
}

/// What criteria are made from.
pub(crate) struct Known<'a> {
    /// The blueprint, where it can be read.
    pub(crate) blueprint: Option<&'a Blueprint>,
    /// Its turns whose words may be shown.
    pub(crate) turns: &'a [Turn],
    /// Questions that were heard.
    pub(crate) coverage: &'a Coverage,
    /// What was found out.
    pub(crate) record: &'a Record,
    /// Names for people.
    pub(crate) titles: &'a Titles,
}

/// The criteria of an interview.
pub(crate) fn items(of: &[Criterion], known: &Known<'_>) -> Vec<Item> {
    if !of.is_empty() {
        return of.iter().map(|criterion| known.criterion(criterion)).collect();
    }
    let agents = known.blueprint.iter().flat_map(|blueprint| &blueprint.agents);
    // Contact data are nobody's merit.
    let fields = agents.clone().filter(|agent| agent.kind != Kind::Form);
    let fields: Vec<Item> =
        fields.flat_map(|agent| &agent.rubric).map(|field| known.field(field)).collect();
    if !fields.is_empty() {
        return fields;
    }
    agents.filter_map(|agent| known.stage(agent)).collect()
}

/// All criteria together. `is_open`: whether there is anything that a model could judge.
pub(crate) fn overall(criteria: &[Assessed], by: MadeBy, is_open: bool) -> Overall {
    let count = |of: &dyn Fn(&Assessed) -> bool| criteria.iter().filter(|it| of(it)).count();
    let covered = count(&|it| !it.evidence.is_empty());
    let levels = count(&|it| it.level.is_some());
    let weighed = criteria.iter().filter_map(|it| Some((it.level?, u32::from(it.weight))));
    let (sum, weights) = weighed.fold((0, 0), |(sum, weights), (level, weight)| {
        (sum + u32::from(level) * weight, weights + weight)
    });
    let weighted = (weights > 0).then(|| (sum as f32 / weights as f32 * 10.0).round() / 10.0);
    let mut words = format!("{covered} of {} criteria have evidence.", criteria.len());
    let gaps = [
        (Verdict::NotAsked, "not asked about"),
        (Verdict::InsufficientEvidence, "with too little evidence"),
        (Verdict::Failed, "not assessed, as the model failed"),
    ];
    let gaps = gaps.map(|(verdict, what)| (count(&|it| it.verdict == verdict), what));
    let gaps: Vec<_> =
        gaps.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if !gaps.is_empty() {
        words += &format!(" {}.", gaps.join(", "));
    }
    match weighted {
        Some(weighted) => words += &format!(" The mean level by weight is {weighted} of 5."),
        None => words += " No level was given.",
    }
    let whole = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let given = count(&|it| it.given_by.is_some());
    let judged_by = match (given, levels) {
        (0, _) => judged_by(by, is_open).to_owned(),
        (given, levels) if given == levels => "People gave the levels.".to_owned(),
        (given, levels) => {
            format!("People gave {given} of {levels} levels, and a model gave the others.")
        }
    };
    Overall { covered: whole(covered), of: whole(criteria.len()), weighted, words, judged_by }
}

/// Who gave the levels, or why nobody did.
fn judged_by(by: MadeBy, is_open: bool) -> &'static str {
    match by {
        MadeBy::Model => "A model has read the answers, and people decide.",
        MadeBy::Rules if is_open => "No model has read the answers: people read them, and decide.",
        MadeBy::Rules => "There is nothing here for a model to judge.",
    }
}

/// A criterion without a judgement.
pub(crate) fn unjudged(criterion: &Criterion, verdict: Verdict, reason: &str) -> Assessed {
    let Criterion { name, about, priority, weight } = criterion.clone();
    Assessed {
        name,
        about,
        priority,
        weight: weight.clamp(1, 5),
        level: None,
        given_by: None,
        verdict,
        reason: reason.to_owned(),
        evidence: Vec::new(),
    }
}

/// What stands below a criterion that nobody asked about.
pub(crate) const NOT_ASKED: &str = "Nobody asked about it, and nothing that was said shows it. \
    That says nothing about the candidate.";

impl Known<'_> {
    fn criterion(&self, criterion: &Criterion) -> Item {
        let (verdict, reason) = if self.coverage.asked.is_empty() {
            (Verdict::NotAsked, NOT_ASKED)
        } else if self.turns.is_empty() {
            (Verdict::InsufficientEvidence, "The candidate said nothing that can be read.")
        } else {
            (
                Verdict::NoLevel,
                "No model has judged this: the answers stand below their questions, for people to read.",
            )
        };
        let ask = if verdict == Verdict::NoLevel { Ask::Model } else { Ask::No };
        let by_rules = unjudged(criterion, verdict, reason);
        Item { criterion: criterion.clone(), by_rules, ask }
    }

    /// A field is settled in the interview, or is not: nobody judges it.
    fn field(&self, field: &Field) -> Item {
        let priority = if field.required { Need::Must } else { Need::Should };
        let (name, about) = (field.title.clone(), field.question.clone());
        let criterion = Criterion { name, about, priority, weight: 1 };
        let turn = |id: u32| self.turns.iter().find(|turn| turn.id == id);
        let said = |verdict, reason: &str| unjudged(&criterion, verdict, reason);
        let gap = Verdict::InsufficientEvidence;
        let by_rules = match self.record.findings.fields.get(&field.key) {
            Some(Settled::Captured { value, quote, turn: id }) => {
                match turn(id.0).map(|turn| find(quote, turn)) {
                    Some(Some(evidence)) => Assessed {
                        evidence: vec![evidence],
                        ..said(Verdict::NoLevel, &format!("They said: {value}"))
                    },
                    Some(None) => said(gap, "Its quote is not in the transcript."),
                    None => said(gap, "It was said in an answer that is left out here."),
                }
            }
            Some(Settled::Unknown) => said(gap, "They do not know it."),
            Some(Settled::Declined) => said(gap, "They would rather not say."),
            None if self.was_asked(&field.question) => said(gap, "It was asked, and not settled."),
            None => said(Verdict::NotAsked, NOT_ASKED),
        };
        Item { criterion, by_rules, ask: Ask::No }
    }

    fn was_asked(&self, question: &str) -> bool {
        let mut asked = self.coverage.asked.iter().map(|asked| asked.question.text.as_str());
        !question.is_empty() && asked.any(|asked| is_duplicate(question, [asked]))
    }

    /// A part in which something is found out.
    fn stage(&self, agent: &Agent) -> Option<Item> {
        let judged = match &agent.kind {
            Kind::Questions => Ask::ModelAsked,
            // What somebody knows about a subject is no measure of them.
            Kind::Backlog { .. } | Kind::Topics(_) => Ask::No,
            Kind::Scripted | Kind::Closing | Kind::Offer | Kind::Form => return None,
        };
        let criterion = Criterion {
            name: self.titles.stage(&agent.name),
            about: String::new(),
            priority: Need::Should,
            weight: 1,
        };
        let asked = self.coverage.asked.iter().filter(|asked| asked.stage == agent.name);
        let asked: Vec<&Asked> = asked.collect();
        let answers = self.turns.iter().filter(|turn| turn.stage == agent.name);
        let answers = answers.filter(|turn| self.coverage.is_answer(turn)).take(QUOTES_MAX);
        let evidence: Vec<Evidence> =
            answers.map(|turn| turn.beginning(QUOTED_WORDS_MAX)).collect();
        let (verdict, reason) = if asked.is_empty() {
            (Verdict::NotAsked, NOT_ASKED)
        } else if evidence.is_empty() {
            (
                Verdict::InsufficientEvidence,
                "No question of this part has an answer that can be read.",
            )
        } else {
            (Verdict::NoLevel, "No model has judged this: these are the answers of this part.")
        };
        let ask = if verdict == Verdict::NoLevel { judged } else { Ask::No };
        let by_rules = Assessed { evidence, ..unjudged(&criterion, verdict, reason) };
        Some(Item { criterion, by_rules, ask })
    }
}
