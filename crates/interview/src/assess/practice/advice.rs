//! Suggestions for an answer, by rules: what would make it stronger, with the words that it is about.

use super::{
    review::{Advice, ReviewedAnswer, Suggestion},
    story::{Clause, StoryPart, shortened},
};
use crate::{
    blueprint::Language,
    interview::understanding::words::{holds, normal},
};

/// So many suggestions an answer gets.
pub(super) const SUGGESTIONS: usize = 2;
/// An answer of fewer words is short, one of more seconds is long.
const SHORT_WORDS_MAX: u64 = 25;
const LONG_SECONDS_MIN: u64 = 150;
/// A pace outside of these is fast, or slow.
const FAST_MIN: u64 = 185;
/// More fillers in a hundred words can be heard.
const FILLERS_PERCENT_MIN: u64 = 6;

/// Two suggestions for an answer: what is missing first.
pub(super) fn suggestions(
    answer: &ReviewedAnswer,
    clauses: &[Clause<'_>],
    language: Language,
) -> Vec<Suggestion> {
    let (Some(first), Some(last)) = (clauses.first(), clauses.last()) else { return Vec::new() };
    let told = |part: StoryPart| {
        answer.parts.iter().find(|found| found.part == part).and_then(|found| found.quote.clone())
    };
    let find = |is_it: &dyn Fn(&Clause<'_>) -> bool| {
        clauses.iter().find(|clause| is_it(clause)).map(|clause| shortened(&clause.text()))
    };
    let (first, last) = (shortened(&first.text()), shortened(&last.text()));
    let all = find(&|clause| clause.speaks_of_all(language));
    let vague = find(&|clause| clause.is_vague(language));
    let has_number = clauses.iter().any(Clause::has_number);
    let is_short = answer.words <= SHORT_WORDS_MAX;
    let own = told(StoryPart::OwnPart);
    let result = told(StoryPart::Result);
    let missing = |part: StoryPart| told(part).is_none();
    let when = |is_so: bool, advice, quote: &str| is_so.then(|| (advice, quote.to_owned()));
    let fast = answer.words_per_minute.is_some_and(|pace| pace >= FAST_MIN);
    let fillers = answer.fillers * 100 >= answer.words.max(1) * FILLERS_PERCENT_MIN;
    let candidates = [
        when(is_short, Advice::Longer, &last),
        when(own.is_none(), Advice::AddOwnPart, all.as_deref().unwrap_or(&first)),
        when(result.is_none(), Advice::AddResult, &last),
        when(missing(StoryPart::Situation), Advice::AddSituation, &first),
        when(missing(StoryPart::Task), Advice::AddTask, own.as_deref().unwrap_or(&first)),
        when(answer.seconds >= LONG_SECONDS_MIN, Advice::Shorter, &first),
        vague.map(|quote| (Advice::Concrete, quote)),
        when(fillers, Advice::FewerFillers, &with_most_fillers(clauses, language)),
        when(fast, Advice::Slower, &first),
        when(!has_number, Advice::Number, result.as_deref().unwrap_or(&last)),
        own.map(|quote| (Advice::SayWhy, quote)),
        Some((Advice::LeadWithResult, result.unwrap_or(last))),
    ];
    let chosen = candidates.into_iter().flatten().take(SUGGESTIONS);
    chosen.map(|(advice, quote)| Suggestion { advice, text: None, quote }).collect()
}

/// The clause that has most sounds such as "um".
fn with_most_fillers(clauses: &[Clause<'_>], language: Language) -> String {
    let sounds = match language {
        Language::English => " um umm uh uhh uhm er erm hm hmm mm ",
        Language::German => " äh ähm öh hm hmm ähem ",
        Language::Italian => " ehm eh uhm mmm hm hmm ",
    };
    let count = |clause: &&Clause<'_>| {
        clause.text().split_whitespace().filter(|word| holds(sounds, &normal(word))).count()
    };
    clauses.iter().max_by_key(count).map(|clause| shortened(&clause.text())).unwrap_or_default()
}
