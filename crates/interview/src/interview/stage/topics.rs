//! Stages that explore planned topics within a budget of turns (L02–L04), and go back to what is left of
//! them.

use language::Intent;

use crate::blueprint::{Blueprint, Topic};
use crate::foreign::{DataMessage, Foreign};
use crate::interview::{
    exit::Reason,
    model::data::Data,
    note::{Note, TopicState},
    stage::{
        Agenda, Place,
        budget::{Budget, Next},
        kind::{Answered, Asked, Heard, StageKind},
        phase::Phase,
    },
    understanding::sentence::clipped,
};

/// Turns on the rest of a topic, and where nothing shows that it is worth them.
const DEEPEN_TURNS_MAX: usize = 2;
const DEEPEN_TURNS_FALLBACK: usize = 1;
/// Answers on a topic have to be as rich as that on the whole for the first of these.
const ENGAGED_MIN: f32 = 0.3;
/// An answer as rich as that is remembered by its best words.
const INSIGHT_MIN: f32 = 0.5;
const INSIGHT_WORDS_MAX: usize = 20;
/// Characters of a line of a plan, and of a recruiter's guide.
const LINE_CHARS_MAX: usize = 2_000;
const GUIDE_CHARS_MAX: usize = 20_000;

/// Explores the topics of its file, one after another.
pub(crate) struct Explores;

/// Goes back to what stages before have left of their topics.
pub(crate) struct Deepens;

/// What was asked and heard of the topics.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Topics {
    budget: Budget,
    progress: Vec<Progress>,
    /// The topic that is explored; past the last one when all were.
    at: usize,
    /// The topic of a question that waits for its answer.
    waits: Option<usize>,
    /// What the last answer has led to.
    next: Option<Next>,
}

/// What was asked and heard of one topic.
#[derive(Clone, Debug, Default, PartialEq)]
struct Progress {
    /// Its sub-goals that were asked about: always the first ones.
    covered: usize,
    /// Its probes that were asked.
    probed: usize,
    /// Answers, and the sum of their scores.
    answers: u16,
    scores: f32,
    /// The best words of the richest answer, and its score.
    insight: Option<(f32, String)>,
    /// Turns on its rest.
    deepened: usize,
}

impl StageKind for Explores {
    /// Who wants to stop has told enough: their data are still asked for (L01).
    fn read(&self, found: Intent, _turn: Heard<'_>) -> Intent {
        if found == Intent::Stop { Intent::SkipPart } else { found }
    }

    fn has_agenda(&self) -> bool {
        true
    }

    fn next(&self, at: Place<'_>) -> Vec<String> {
        at.agenda.topics.to_explore(at.agent().kind.topics())
    }

    fn is_done(&self, at: Place<'_>) -> bool {
        at.agenda.topics.at >= at.agenda.topics.progress.len()
    }

    fn focus(&self, at: Place<'_>, data: &mut Data) -> String {
        let state = &at.agenda.topics;
        let topics = at.agent().kind.topics();
        let Some(topic) = topics.get(state.at) else { return String::new() };
        data.memory.line("topic", &topic.title.as_str().into(), LINE_CHARS_MAX);
        let mut text =
            format!("Topic {} of {} is marked as `topic`.\n", state.at + 1, topics.len());
        if let Some(question) = self.next(at).first() {
            data.memory.line("goal", &question.as_str().into(), LINE_CHARS_MAX);
            text.push_str("Find out now, with one question, what is marked as `goal`.\n");
        }
        if state.next == Some(Next::Bonus) {
            text.push_str("They have much to say about it: probe the richest detail.\n");
        }
        describe(topic, at.guide, data, &mut text);
        state.remember(topics, &mut data.memory);
        text
    }

    fn phase(&self, at: Place<'_>) -> Option<Phase> {
        Some(match at.agenda.topics.next {
            Some(Next::Bonus) => Phase::ExploringDeep,
            Some(Next::Advance) => Phase::Transition,
            Some(Next::Stay) | None => Phase::Exploring,
        })
    }

    fn ask(&self, at: Place<'_>, agenda: &mut Agenda, _asked: Asked<'_>) {
        let state = &mut agenda.topics;
        let now = state.at;
        let topics = at.agent().kind.topics();
        let (Some(topic), Some(progress)) = (topics.get(now), state.progress.get_mut(now)) else {
            return;
        };
        if progress.covered < topic.sub_goals.len() {
            progress.covered += 1;
        } else {
            progress.probed += 1;
        }
        state.waits = Some(now);
        if state.next == Some(Next::Advance) {
            state.next = None;
        }
    }

    fn answer(&self, at: Place<'_>, agenda: &mut Agenda, answered: &Answered<'_>) {
        let state = &mut agenda.topics;
        let Some(topic) = state.waits.take() else { return };
        // Who leaves the part has said nothing to the question.
        if answered.intent == Intent::SkipPart {
            return state.take_back(topic);
        }
        state.hear(topic, answered);
        let next = state.budget.count(topic, answered.signal.band);
        let next = match state.is_used_up(topic, at.agent().kind.topics()) {
            true => Next::Advance,
            false => next,
        };
        if next == Next::Advance {
            state.at = topic + 1;
        }
        state.next = Some(next);
    }
}

impl StageKind for Deepens {
    fn has_agenda(&self) -> bool {
        true
    }

    /// It needs something that is left, and a candidate who has not refused more (L01, L05).
    fn is_left_out(&self, at: Place<'_>, why: Reason) -> bool {
        let offer = &at.agenda.offer;
        let is_late = why == Reason::StageLimit && !offer.is_accepted();
        !at.agenda.topics.has_leftovers(at.plan)
            || why == Reason::CandidateSkipped
            || !offer.allows()
            || is_late
    }

    fn next(&self, at: Place<'_>) -> Vec<String> {
        let left = at.agenda.topics.left_of(at.plan);
        left.map(|(_, _, sub_goal)| sub_goal.clone()).collect()
    }

    fn focus(&self, at: Place<'_>, data: &mut Data) -> String {
        let state = &at.agenda.topics;
        let Some((place, topic, sub_goal)) = state.left_of(at.plan).next() else {
            return String::new();
        };
        data.memory.line("topic", &topic.title.as_str().into(), LINE_CHARS_MAX);
        data.memory.line("goal", &sub_goal.as_str().into(), LINE_CHARS_MAX);
        let mut text =
            "Go back to what is marked as `topic` and find out, with one question, what is \
            marked as `goal`.\n"
                .to_owned();
        if let Some((_, insight)) = &state.progress[place].insight {
            data.memory.line("insight", &insight.as_str().into(), LINE_CHARS_MAX);
            text.push_str("Recall first what they said about it, which is marked as `insight`.\n");
        }
        describe(topic, at.guide, data, &mut text);
        text
    }

    fn phase(&self, _at: Place<'_>) -> Option<Phase> {
        Some(Phase::Deepening)
    }

    fn ask(&self, at: Place<'_>, agenda: &mut Agenda, _asked: Asked<'_>) {
        let left = at.agenda.topics.left_of(at.plan).next();
        let Some((place, ..)) = left else { return };
        let state = &mut agenda.topics;
        state.progress[place].covered += 1;
        state.progress[place].deepened += 1;
        state.waits = Some(place);
    }

    fn answer(&self, _at: Place<'_>, agenda: &mut Agenda, answered: &Answered<'_>) {
        let state = &mut agenda.topics;
        if let Some(topic) = state.waits.take() {
            state.hear(topic, answered);
        }
    }
}

impl Topics {
    pub(super) fn new(plan: &Blueprint) -> Self {
        let agent = plan.agents.iter().find(|agent| !agent.kind.topics().is_empty());
        let Some(agent) = agent else { return Self::default() };
        let count = agent.kind.topics().len();
        Self {
            budget: Budget::new(agent.stage_limit.as_secs(), count),
            progress: vec![Progress::default(); count],
            ..Self::default()
        }
    }

    /// The turns that each topic gets as a rule, and the turns of all of them.
    pub(super) fn shares(&self) -> (Vec<u32>, u32) {
        let places = 0..self.progress.len();
        let shares = places.filter_map(|place| self.budget.share(place)).map(|share| share.base);
        (shares.collect(), self.budget.total())
    }

    /// Whether there are any.
    pub(super) fn are_there(&self) -> bool {
        !self.progress.is_empty()
    }

    /// What is left of the topic that is explored; of each later one, its first question.
    fn to_explore(&self, topics: &[Topic]) -> Vec<String> {
        let mut questions = Vec::new();
        let from = topics.iter().zip(&self.progress).skip(self.at);
        for (n, (topic, progress)) in from.enumerate() {
            let goals = topic.sub_goals.iter().skip(progress.covered);
            let probes = topic.probes.iter().skip(progress.probed);
            let count = if n == 0 { usize::MAX } else { 1 };
            questions.extend(goals.chain(probes).take(count).cloned());
        }
        questions
    }

    /// Whether nothing is left to ask about a topic.
    fn is_used_up(&self, place: usize, topics: &[Topic]) -> bool {
        let (Some(topic), Some(progress)) = (topics.get(place), self.progress.get(place)) else {
            return true;
        };
        progress.covered >= topic.sub_goals.len() && progress.probed >= topic.probes.len()
    }

    /// The last question on a topic is as good as never asked.
    fn take_back(&mut self, topic: usize) {
        let Some(progress) = self.progress.get_mut(topic) else { return };
        if progress.probed > 0 {
            progress.probed -= 1;
        } else {
            progress.covered = progress.covered.saturating_sub(1);
        }
    }

    /// An answer on a topic.
    fn hear(&mut self, topic: usize, answered: &Answered<'_>) {
        let Some(progress) = self.progress.get_mut(topic) else { return };
        let score = answered.signal.score;
        progress.answers += 1;
        progress.scores += score;
        let is_best = progress.insight.as_ref().is_none_or(|(best, _)| score > *best);
        if score >= INSIGHT_MIN && is_best && !answered.is_private {
            let words = answered.text.split_whitespace().take(INSIGHT_WORDS_MAX);
            progress.insight = Some((score, clipped(words.collect::<Vec<_>>().join(" "))));
        }
    }

    /// Whether a topic has something that was not asked and may be asked later.
    pub(super) fn has_leftovers(&self, plan: &Blueprint) -> bool {
        self.left_of(plan).next().is_some()
    }

    /// The sub-goals that are to be asked about later: place of the topic, the topic, the sub-goal.
    fn left_of<'a>(
        &'a self,
        plan: &'a Blueprint,
    ) -> impl Iterator<Item = (usize, &'a Topic, &'a String)> {
        let topics = plan.agents.iter().flat_map(|agent| agent.kind.topics());
        topics.zip(&self.progress).enumerate().flat_map(|(place, (topic, progress))| {
            let left = progress.deepen_turns().saturating_sub(progress.deepened);
            let goals = topic.sub_goals.iter().skip(progress.covered).take(left);
            goals.map(move |sub_goal| (place, topic, sub_goal))
        })
    }

    /// What the model is reminded of.
    fn remember(&self, topics: &[Topic], memory: &mut DataMessage) {
        let done = topics.iter().zip(&self.progress).take(self.at).map(|(topic, progress)| {
            let (covered, all) = (progress.covered, topic.sub_goals.len());
            let said = match &progress.insight {
                Some((_, insight)) => format!(", they said: \"{insight}\""),
                None => String::new(),
            };
            Foreign::new(format!("{} ({covered} of {all} goals){said}.", topic.title))
        });
        memory.list("Done:", "topics_done", done);
    }

    pub(super) fn notes_since(&self, before: &Self, plan: &Blueprint) -> Vec<Note> {
        let topics = plan.agents.iter().flat_map(|agent| agent.kind.topics());
        let all = topics.zip(&self.progress).zip(&before.progress).enumerate();
        let changed = all.filter(|(_, ((_, now), before))| now != before);
        let left = self.budget.total().saturating_sub(self.budget.used());
        let note = |(place, ((topic, now), _)): (usize, ((&Topic, &Progress), &Progress))| {
            let share = self.budget.share(place);
            Note::Topic(TopicState {
                topic: topic.key.clone(),
                title: topic.title.clone(),
                covered: now.covered,
                sub_goals: topic.sub_goals.len(),
                turns: now.answers,
                bonus: share.map_or(0, |share| share.bonus),
                score: now.score(),
                insight: now.insight.as_ref().map(|(_, words)| words.clone()),
                turns_left: left,
            })
        };
        changed.map(note).collect()
    }
}

impl Progress {
    /// How rich the answers are, all in all.
    fn score(&self) -> f32 {
        if self.answers == 0 { 0.0 } else { self.scores / f32::from(self.answers) }
    }

    /// Turns for what is left: what was never asked about may be rich.
    fn deepen_turns(&self) -> usize {
        let is_engaged = self.answers == 0 || self.score() >= ENGAGED_MIN;
        if is_engaged { DEEPEN_TURNS_MAX } else { DEEPEN_TURNS_FALLBACK }
    }
}

/// What the plan says of how to talk about a topic; the recruiter's own guide counts more (L07).
fn describe(topic: &Topic, guide: &str, data: &mut Data, text: &mut String) {
    if !guide.is_empty() {
        data.knowledge.tell("guide", &guide.into(), GUIDE_CHARS_MAX);
        text.push_str("How to talk about it is marked as `guide`.\n");
        return;
    }
    let lines = |lines: &[String]| -> Vec<Foreign> {
        lines.iter().map(|line| Foreign::new(line.as_str())).collect()
    };
    data.knowledge.list("How to read what they say:", "cues", lines(&topic.cues));
    data.knowledge.list("Worth going deeper:", "signals", lines(&topic.signals));
    data.memory.list("Ways to go deeper:", "probes", lines(&topic.probes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::understanding::signal::{Band, Signal};

    fn topic(key: &str, goals: usize) -> Topic {
        Topic {
            key: key.to_owned(),
            title: key.to_owned(),
            sub_goals: (1..=goals).map(|n| format!("{key} {n}?")).collect(),
            probes: vec![format!("{key} more?")],
            ..Topic::default()
        }
    }

    fn answered(score: f32) -> Answered<'static> {
        let band = match score {
            s if s < 0.3 => Band::Low,
            s if s <= 0.6 => Band::Medium,
            _ => Band::High,
        };
        let text = "we needed three levels of signature for every purchase above ten thousand euros, \
            which took two weeks or so on average";
        Answered {
            turn: None,
            text,
            intent: Intent::ANSWER,
            signal: Signal { score, band },
            is_private: false,
        }
    }

    /// L04: each turn takes the next sub-goal; a rest of an engaging topic gets two turns, another one.
    #[test]
    fn leftovers_are_gone_back_to() {
        let topics = [topic("budget", 4), topic("tools", 3), topic("team", 2)];
        let mut state = Topics {
            budget: Budget::new(540, 3),
            progress: vec![Progress::default(); 3],
            ..Topics::default()
        };
        state.progress[0] = Progress { covered: 1, ..Progress::default() };
        state.hear(0, &answered(0.7));
        state.progress[1] = Progress { covered: 1, ..Progress::default() };
        state.hear(1, &answered(0.1));
        let turns: Vec<usize> = state.progress.iter().map(Progress::deepen_turns).collect();
        assert_eq!(turns, [2, 1, 2]);
        let insight = state.progress[0].insight.as_ref().unwrap();
        assert_eq!(insight.1.split_whitespace().count(), INSIGHT_WORDS_MAX);
        assert_eq!(state.progress[1].insight, None);
        state.at = 1;
        assert_eq!(state.to_explore(&topics), ["tools 2?", "tools 3?", "tools more?", "team 1?"]);
        let mut memory = DataMessage::default();
        state.remember(&topics, &mut memory);
        let text = memory.into_text();
        let done = "Done:\n<topics_done>\n- budget (1 of 4 goals), they said: \"we needed";
        assert!(text.starts_with(done), "{text}");
    }
}
