//! What the scripted interviewer decides, and what the scripted candidate says. Pure: the simulator has it
//! too.

mod candidate;
mod lines;

use serde_json::json;

pub use candidate::{Answer, Candidate};

use crate::interview::understanding::words::sentences;

/// What the scripted interviewer knows when it has to say something.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Situation {
    /// What its reply is for.
    pub occasion: Occasion,
    /// What it says to the answer first: plain words that repeat none of it, which may be misheard.
    pub acknowledgement: String,
    /// Fields of the rubric that the answer settles.
    pub records: Vec<String>,
    /// Whether the candidate has nothing to add.
    pub is_done: bool,
    /// Its questions that were not asked yet.
    pub questions: Vec<String>,
    /// How many more it may ask.
    pub questions_left: u32,
    /// When it hands off.
    pub leaving: Leaving,
    /// The depth of answers that is enough, 1..=5; 0 where none is assessed.
    pub depth_target: u32,
    /// How much there was in the answer, 0..=1.
    pub signal: f32,
    /// What the candidate said last in this stage, or in the one that ends.
    pub answer: Option<String>,
}

/// What a reply of the scripted interviewer is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Occasion {
    /// It goes on with an answer, or with what it has to say without one.
    #[default]
    Follows,
    /// It opens the interview, with its first sentence.
    Opens(String),
    /// It takes over from another agent, with its sentence for that.
    Bridges(String),
    /// It asks the same question in these other words.
    Rephrases(String),
    /// All is known, and it may name a thread (it never does).
    Checks,
}

/// When the scripted interviewer hands off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaving {
    /// Not yet: too little was answered, or there is a rubric, which alone says when the stage is done.
    #[default]
    No,
    /// Only if the candidate has nothing to add, as a question that it has to ask itself is unasked: how much
    /// an answer says never tells what it is about.
    IfDone,
    /// If the answer is deep enough, or the candidate has nothing to add.
    IfDeep,
}

/// What the scripted interviewer knows when it has to judge an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judging {
    /// What was asked.
    pub question: String,
    /// What the candidate said.
    pub answer: String,
    /// How much there was in the answer, 0..=1.
    pub signal: f32,
    /// Whether words of the answer are missing.
    pub has_holes: bool,
    /// Fields of the rubric that the question asked for.
    pub asked_for: Vec<String>,
    /// Whether what it says about the subject is kept, sentence by sentence.
    pub finds_facts: bool,
}

/// One step of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// Say this.
    Say(String),
    /// Call a tool.
    Call {
        /// Its name.
        name: &'static str,
        /// Its arguments, JSON.
        arguments: String,
    },
}

/// The scripted interviewer's reply.
pub fn interviewer(situation: &Situation) -> Vec<Move> {
    let question = situation.questions.first();
    match &situation.occasion {
        Occasion::Checks => {
            let answer = situation.answer.as_deref().unwrap_or_default();
            let mut moves = records(situation, answer);
            moves.push(leave("nothing is missing"));
            return moves;
        }
        Occasion::Rephrases(simpler) => return vec![say(&[simpler])],
        Occasion::Opens(first) | Occasion::Bridges(first) => {
            let question = question.map_or("", String::as_str);
            return vec![say(&[&situation.acknowledgement, first, question])];
        }
        Occasion::Follows => {}
    }
    let Some(answer) = &situation.answer else {
        let question = question.map_or("Please go on.", String::as_str);
        return vec![say(&[&situation.acknowledgement, question])];
    };
    let depth = depth(situation.signal);
    let mut moves = calls(situation, answer, depth);
    let leaves = match situation.leaving {
        Leaving::No => false,
        Leaving::IfDone => situation.is_done,
        Leaving::IfDeep => situation.is_done || depth >= situation.depth_target,
    };
    match question {
        Some(question) if situation.questions_left > 0 && !leaves => {
            moves.push(say(&[&situation.acknowledgement, question]));
        }
        _ => moves.push(leave("the answers are enough")),
    }
    moves
}

/// What it notes of an answer.
fn calls(situation: &Situation, answer: &str, depth: u32) -> Vec<Move> {
    let mut moves = Vec::new();
    if situation.depth_target > 0 {
        let points = keyword(answer).into_iter().collect::<Vec<_>>();
        let arguments = json!({ "depth": depth, "key_points": points });
        moves.push(Move::Call { name: "assess_response", arguments: arguments.to_string() });
    }
    moves.extend(records(situation, answer));
    moves
}

fn records(situation: &Situation, answer: &str) -> Vec<Move> {
    let quote = quoted(answer);
    let record = |key: &String| {
        let arguments = json!({ "key": key, "value": quote, "quote": quote });
        Move::Call { name: "record_field", arguments: arguments.to_string() }
    };
    situation.records.iter().map(record).collect()
}

fn leave(reason: &str) -> Move {
    let arguments = json!({ "reason": reason }).to_string();
    Move::Call { name: "transition_stage", arguments }
}

/// Words of an answer that stand for it.
fn quoted(answer: &str) -> String {
    answer.split_whitespace().take(QUOTE_WORDS_MAX).collect::<Vec<_>>().join(" ")
}

/// The scripted interviewer's judgement, JSON: it goes by how much was said, not by what it means.
pub fn judge(judging: &Judging) -> String {
    let answer_kind =
        if is_full(judging.signal) || judging.has_holes { "answer:full" } else { "answer:partial" };
    let key_points = keyword(&judging.answer).into_iter().collect::<Vec<_>>();
    let depth = depth(judging.signal);
    let quote = quoted(&judging.answer);
    let field = |key: &String| json!({ "key": key, "value": quote, "quote": quote });
    let fields: Vec<_> =
        judging.asked_for.iter().filter(|_| !quote.is_empty()).map(field).collect();
    let fact = |text: String| json!({ "text": text, "confidence": 0.6 });
    let facts: Vec<_> = facts(judging).into_iter().map(fact).collect();
    let mut found = json!({
        "depth": depth, "answer_kind": answer_kind, "key_points": key_points, "fields": fields,
    });
    if judging.finds_facts {
        found["facts"] = facts.into();
    }
    found.to_string()
}

/// The sentences of an answer, in their order, without those of one or two words ("Yes.", "That's all.").
fn facts(judging: &Judging) -> Vec<String> {
    if !judging.finds_facts {
        return Vec::new();
    }
    let tells = |sentence: &&str| sentence.split_whitespace().count() >= FACT_WORDS_MIN;
    sentences(&judging.answer).filter(tells).take(FACTS_MAX).map(str::to_owned).collect()
}

/// The fewest words of a sentence that is a fact.
const FACT_WORDS_MIN: usize = 3;

/// The most facts of one answer, as many as a judgement may have.
const FACTS_MAX: usize = 20;

/// An answer of a lower signal is a short one: the lowest band of A03.
const FULL_MIN: f32 = 0.3;

/// A quote of the scripted interviewer has so many words at most.
const QUOTE_WORDS_MAX: usize = 24;

/// The bands of A03 as depths.
fn depth(signal: f32) -> u32 {
    match signal {
        s if !is_full(s) => 2,
        s if s <= 0.6 => 3,
        _ => 4,
    }
}

/// Whether there is much in an answer of this signal.
pub fn is_full(signal: f32) -> bool {
    signal >= FULL_MIN
}

fn say(parts: &[&str]) -> Move {
    let parts: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|p| !p.is_empty()).collect();
    Move::Say(parts.join(" "))
}

/// Words that say nothing of what was talked about.
const HOLLOW: [&str; 111] = [
    "about",
    "actually",
    "after",
    "again",
    "almost",
    "along",
    "already",
    "alright",
    "always",
    "another",
    "anything",
    "around",
    "basically",
    "because",
    "before",
    "being",
    "certainly",
    "correct",
    "could",
    "currently",
    "definitely",
    "during",
    "early",
    "either",
    "else",
    "enough",
    "especially",
    "every",
    "everybody",
    "everything",
    "exactly",
    "excuse",
    "finally",
    "first",
    "going",
    "great",
    "hello",
    "hours",
    "however",
    "important",
    "indeed",
    "later",
    "looking",
    "mainly",
    "maybe",
    "meanwhile",
    "minutes",
    "moment",
    "months",
    "mostly",
    "never",
    "nobody",
    "normally",
    "nothing",
    "often",
    "other",
    "otherwise",
    "people",
    "perhaps",
    "please",
    "probably",
    "quickly",
    "quite",
    "rather",
    "ready",
    "really",
    "recently",
    "right",
    "second",
    "several",
    "should",
    "simply",
    "since",
    "somebody",
    "someone",
    "something",
    "sometimes",
    "sorry",
    "start",
    "started",
    "still",
    "thank",
    "thanks",
    "their",
    "there",
    "these",
    "thing",
    "things",
    "think",
    "third",
    "those",
    "though",
    "through",
    "today",
    "together",
    "tomorrow",
    "towards",
    "under",
    "until",
    "usually",
    "weeks",
    "where",
    "whether",
    "which",
    "while",
    "whose",
    "within",
    "without",
    "would",
    "years",
    "yesterday",
];

/// The words of a text, in small letters.
pub(crate) fn all_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    words.filter(|word| !word.is_empty())
}

/// The words that say something of what was talked about, in small letters.
pub fn content_words(text: &str) -> impl Iterator<Item = String> {
    all_words(text).filter(|w| w.chars().count() >= 5 && !HOLLOW.contains(&w.as_str()))
}

/// The word that an answer is about: its longest one that is not hollow, the first of equals.
pub fn keyword(answer: &str) -> Option<String> {
    content_words(answer)
        .reduce(|best, word| if word.chars().count() > best.chars().count() { word } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn situation(answer: &str, signal: f32) -> Situation {
        Situation {
            questions: vec!["What next?".into()],
            questions_left: 2,
            leaving: Leaving::IfDeep,
            depth_target: 3,
            signal,
            acknowledgement: "I see.".into(),
            answer: Some(answer.into()),
            ..Situation::default()
        }
    }

    /// P11: it adapts by the signal: a thin answer gets another question, a rich one the handoff.
    #[test]
    fn it_adapts_by_signal() {
        let thin = interviewer(&situation("I write software", 0.1));
        assert_eq!(thin[1], Move::Say("I see. What next?".into()));
        let rich = interviewer(&situation("I write software", 0.7));
        assert!(matches!(rich[1], Move::Call { name: "transition_stage", .. }), "{rich:?}");
    }

    /// H12: however much an answer says, the questions of its stage that it has to ask are asked first,
    /// unless they have nothing to add.
    #[test]
    fn it_asks_its_core_questions() {
        let open = Situation { leaving: Leaving::IfDone, ..situation("I write software", 0.9) };
        assert_eq!(interviewer(&open)[1], Move::Say("I see. What next?".into()));
        let done = interviewer(&Situation { is_done: true, ..open });
        assert!(matches!(done[1], Move::Call { name: "transition_stage", .. }), "{done:?}");
    }

    /// P11: what it records is quoted word for word.
    #[test]
    fn it_quotes_what_was_said() {
        let records = vec!["role".to_owned()];
        let asked = Situation { records, ..situation("I write software", 0.1) };
        let arguments = r#"{"key":"role","quote":"I write software","value":"I write software"}"#;
        let call = Move::Call { name: "record_field", arguments: arguments.to_owned() };
        assert_eq!(interviewer(&asked)[1], call);
    }

    /// H06: a bridge acknowledges the answer without repeating a word of it, and ends in the next question.
    #[test]
    fn a_bridge_acknowledges() {
        let bridge = Situation {
            occasion: Occasion::Bridges("Let us move on.".into()),
            ..situation("I built the payment gateway there myself", 0.2)
        };
        assert_eq!(interviewer(&bridge), [Move::Say("I see. Let us move on. What next?".into())]);
    }

    /// K06: every sentence of an answer is a fact, whole: a threshold of 0.3 ends none.
    #[test]
    fn every_sentence_is_a_fact() {
        let answer =
            "Yes. Below 0.3 the report is quietly skipped, so a typo there loses a week. The \
            server is under my desk. There is no test for it. That's all."
                .to_owned();
        let judged = judge(&Judging { answer, finds_facts: true, ..Judging::default() });
        let judged: serde_json::Value = serde_json::from_str(&judged).unwrap();
        let facts =
            judged["facts"].as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap());
        assert_eq!(
            facts.collect::<Vec<_>>(),
            [
                "Below 0.3 the report is quietly skipped, so a typo there loses a week.",
                "The server is under my desk.",
                "There is no test for it.",
            ]
        );
    }

    /// P11, A03: its judgement follows the bands of the signal.
    #[test]
    fn it_judges_by_signal() {
        let judged = |signal| {
            let answer = "I built the payment gateway".to_owned();
            judge(&Judging { answer, signal, ..Judging::default() })
        };
        let judgement = |kind, depth| {
            format!(
                r#"{{"answer_kind":"{kind}","depth":{depth},"fields":[],"key_points":["payment"]}}"#
            )
        };
        assert_eq!(judged(0.1), judgement("answer:partial", 2));
        assert_eq!(judged(0.7), judgement("answer:full", 4));
    }

    /// P11: with no question left it hands off instead of asking nothing.
    #[test]
    fn it_leaves_when_it_has_nothing_to_ask() {
        let done = Situation { questions: Vec::new(), ..situation("Yes", 0.0) };
        assert!(matches!(
            interviewer(&done).last(),
            Some(Move::Call { name: "transition_stage", .. })
        ));
    }
}
