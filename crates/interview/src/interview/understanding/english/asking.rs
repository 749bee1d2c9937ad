//! Questions that the candidate asks us.

use std::sync::LazyLock;

use super::{
    super::words::{Phrases, holds, plain, sentences, split},
    About, Intent, LEAD_WORDS_MAX, UNMARKED_WORDS_MAX, phrases,
};

/// A question to us has so many words at most; fewer if no mark says that it is one.
const QUESTION_WORDS_MAX: usize = 25;

static QUESTIONS: LazyLock<Phrases<()>> = LazyLock::new(|| Phrases::new([((), ASKING)]));
/// Those that the candidate answers themself.
static ANSWERED: LazyLock<Phrases<()>> = LazyLock::new(|| Phrases::new([((), RHETORICAL)]));
/// Those that somebody ends an answer with, to whom we go on anyway.
static OFFERED: LazyLock<Phrases<()>> = LazyLock::new(|| Phrases::new([((), OFFERS)]));
/// What may stand before a question.
static LEADING: LazyLock<Phrases<()>> = LazyLock::new(|| {
    let cues = [Intent::Yes, Intent::No, Intent::Done];
    let tables =
        phrases::WHOLE.iter().filter(|(cue, _)| cues.contains(cue)).map(|(_, table)| *table);
    Phrases::new(tables.chain([phrases::SOFT]).map(|table| ((), table)))
});

const INTERROGATIVES: &str = " what how when where who why which is are do does did can could will \
    would should \
    shall may have has am was ";

/// A question to us, at the end of a short turn.
pub(super) fn question(text: &str, words: &[&str]) -> Option<Intent> {
    let last = sentences(text).last()?;
    let is_marked = last.ends_with(['?', '？']);
    let last = plain(last);
    let mut asked = split(&last);
    let ends_answer = words.len() > asked.len();
    if words.len().saturating_sub(asked.len()) > LEAD_WORDS_MAX {
        return None;
    }
    let is_asking = loop {
        let asking = QUESTIONS.longest_at(&asked, 0).is_some();
        let marked = is_marked && asked.first().is_some_and(|word| holds(INTERROGATIVES, word));
        if asking {
            break is_marked || asked.len() <= UNMARKED_WORDS_MAX;
        }
        if marked {
            let is_offered = ends_answer && OFFERED.longest_at(&asked, 0).is_some();
            break !is_offered && ANSWERED.longest_at(&asked, 0).is_none();
        }
        let Some((_, end)) = LEADING.longest_at(&asked, 0) else { break false };
        asked.drain(..end);
    };
    (is_asking && asked.len() <= QUESTION_WORDS_MAX).then_some(Intent::Ask(About::Other))
}

/// How a question to us begins, where no question mark tells.
pub(super) const ASKING: &str = "
    can|could|may|might i ask
    i have|got a|one|another|some|two|few quick|short|few|little? question|questions
    i would like|love to ask|know
    i want to ask|know
    i wanted to ask
    i was|am wondering if|whether|what
    what is|are|about the|your|this \
    salary|pay|compensation|budget|wage|bonus|benefits|range|next|team|company|culture|process|tech|technology|stack|working|vacation|holiday|policy|remote|office|role|position|job|notice|start|timeline|equity|interview
    what about the|your|remote|salary|benefits|pay|vacation|hours|overtime|relocation
    can|could|may i work|start|bring|use
    what does|do the|your company|team|product|role|job|position|organization|client|office|stack|salary
    what would the|my|your salary|pay|role|team|tasks|responsibilities|job|day|hours|next|working
    what salary|benefits|team|technologies|languages|tools|tech|hours _ _
    what happens next
    what comes next
    how big|large|small is|are the|your|this team|company|department|office
    how many people|employees|developers|engineers|interviews|rounds|questions of? interviews? \
    are|is|work|do|would|will|left|more
    how much is|does|do|would|will the|you|i|this salary|pay|job|position|role|get|earn
    how much longer|more will|does|is|time
    how long will|does|is|would this|the|it interview|take|process|call|last
    when will|would|do|does|can|could|should i|you|we|the \
    hear|know|start|decide|get|expect|decision|let|tell|position|job
    where is|would|are the|your|i|you|this office|company|team|position|job|work|based|be|located
    who would|will i|be report|my|work|the
    is the|this position|job|role|team|company|office|work|salary
    is it|this remote|possible|full|fully|hybrid
    is there a|an|any remote|budget|bonus|probation|home|possibility|option|chance|team|deadline|training
    are there any|other benefits|candidates|interviews|opportunities|rounds|openings
    do|does|would|will|can the|you|your \
    company|team|offer|allow|provide|support|sponsor|have|pay|use \
    offer|allow|provide|support|sponsor|have|pay|use|remote|relocation|flexible|visa|home|a|any
    do|would|will i have|need|get|be|work
";

/// How somebody asks at the end of an answer whether it was one.
const OFFERS: &str = "
    should|shall|can|may i go|carry|keep on|going|ahead
    should|shall|can|may i continue|elaborate|explain|proceed
    do you want|need more|any|another|further detail|details|examples|example|information|context
    are you still? there|here|with|listening
    can|do you still? hear me
";

/// Questions that people ask themselves before they answer them, and tags.
pub(super) const RHETORICAL: &str = "
    why|what|how|who|where|when|which did|do|does|was|were|had|should|could|would|can i|we|they|he|she|it
    what _ did|do|does|was|were|had|should|could|would i|we|they|he|she|it
    why not
    so what
    who knows
    does|did|do that|this|it|i make sense
    was that|this|it|i clear|understandable
    do you understand|follow
    what i mean
    do you know|see what|how i mean
    does|did that|this answer your|the question
    is that|this enough|clear|okay so? far?
    do you know what i mean
    is not it|that
    was not it|that
    are not they|we
    did not we|they|it|i
    do not we|they|you
";

#[cfg(test)]
mod tests {
    use super::super::intent;
    use super::*;

    /// Case 9: who ends an answer with whether it was one has answered; alone it is a question, or wants the
    /// line tried.
    #[test]
    fn answers_that_end_in_a_question() {
        let answer = "I like the ledger the most.";
        for end in [
            "Did that make sense?",
            "Was that clear?",
            "Do you understand?",
            "You know what I mean?",
            "Should I go on?",
            "Shall I elaborate?",
            "Do you want more detail?",
            "Are you still there?",
            "Can you hear me?",
        ] {
            assert_eq!(intent(&format!("{answer} {end}")), None, "{end}");
        }
        let asks = Some(Intent::Ask(About::Other));
        for more in ["Should I go on?", "Do you want more details about the pay?"] {
            assert_eq!(intent(more), asks, "{more}");
        }
        assert_eq!(intent("I like the ledger. Is the team remote?"), asks);
        assert_eq!(intent("Are you still there?"), Some(Intent::Repeat));
    }
}
