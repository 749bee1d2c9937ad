//! The keyterms of each stage: words that a recogniser would not know without being told. Names, products,
//! abbreviations.
//!
//! They come from what the interview knows of the candidate and the role. They are read off by how they are
//! written, as no list of words knows them: a capital within a sentence, several of them, digits or signs
//! within a word.

use std::{collections::BTreeSet, sync::Arc};

use crate::blueprint::{Agent, Paper};
use crate::interview::{
    Effect, Interview,
    understanding::words::{holds, normal},
};

/// Recognisers take so many at most.
pub const KEYTERMS_MAX: usize = 100;
/// A longer one is no name.
const CHARS_MAX: usize = 40;
const WORDS_MAX: usize = 3;
/// Abbreviations have so many letters; longer words in capitals are headings.
const CAPITALS_MAX: usize = 6;

/// Words with a capital that every recogniser knows: job titles, headings of résumés and postings, months and
/// days. They are no terms by themselves, nor the ends of any.
const COMMON: &str = " i i'm i've i'd i'll a an the and or of for in at to with on by as from \
    he she it we you they who our your their my his her its this that these those \
    senior junior lead leader staff principal head chief associate assistant intern trainee working \
    student freelance \
    engineer engineering developer development programmer architect manager management director \
    officer consultant \
    analyst scientist specialist administrator coordinator designer design researcher technician \
    accountant teacher \
    software hardware backend frontend front back end full stack fullstack web mobile data cloud \
    platform product project \
    program business sales marketing finance financial operations support security quality \
    assurance test testing human \
    resources customer service services systems system network site reliability machine learning team \
    experience education skills skill summary profile objective projects languages language \
    interests certifications \
    certificate awards publications references responsibilities requirements qualifications \
    benefits about role roles \
    job description company contact address phone email page curriculum vitae resume cv work \
    history employment professional \
    technical tools technologies technology present today current currently \
    university college school institute faculty department bachelor master doctor degree diploma \
    bsc msc phd ba ma mba \
    science sciences arts computer information \
    mr mrs ms dr prof inc ltd llc gmbh co corp group \
    english german french italian spanish \
    january february march april may june july august september october november december \
    jan feb mar apr jun jul aug sep sept oct nov dec \
    monday tuesday wednesday thursday friday saturday sunday \
    part time remote hybrid onsite location senior-level mid-level entry-level ok pm am etc eg ie \
    ai us uk eu ";

impl Interview {
    /// The keyterms of the stage that lasts, the most important first: names, then what belongs to the stage,
    /// then the papers that its agent sees, then everything else.
    pub fn keyterms(&self) -> Vec<String> {
        let mut terms = self.names();
        self.add_stage(&mut terms, self.agent());
        self.add_common(&mut terms);
        terms.list
    }

    /// The keyterms of all stages, for a recogniser that can be told only when it is opened.
    pub fn all_keyterms(&self) -> Vec<String> {
        let mut terms = self.names();
        self.script.plan().agents.iter().for_each(|agent| self.add_own(&mut terms, agent));
        self.script.plan().agents.iter().for_each(|agent| self.add_stage(&mut terms, agent));
        self.add_common(&mut terms);
        terms.list
    }

    /// Orders the keyterms of the stage that lasts, if they are others than before.
    pub(crate) fn listen_for_keyterms(&mut self) {
        let keyterms = self.keyterms();
        if *keyterms != *self.known.memory.keyterms {
            self.known.memory.keyterms = Arc::from(keyterms.clone());
            self.outbox.push(Effect::Listen { keyterms });
        }
    }

    /// Whom they name, what they have corrected, and what they are interviewed for.
    fn names(&self) -> Terms {
        let mut terms = Terms::default();
        let name = self.script.context().candidate_name.trim();
        terms.put(name);
        name.split_whitespace().for_each(|part| terms.put(part));
        terms.put(&self.script.plan().interviewer);
        for (_, right) in self.known.memory.corrections() {
            terms.read(right.for_people(), Kind::Title);
        }
        terms.read(&self.script.context().role, Kind::Title);
        terms
    }

    fn add_stage(&self, terms: &mut Terms, agent: &Agent) {
        self.add_own(terms, agent);
        for paper in &agent.sees {
            match paper {
                Paper::Resume => terms.read(&self.script.context().resume, Kind::Text),
                Paper::JobDescription => {
                    terms.read(&self.script.context().job_description, Kind::Text)
                }
            }
        }
    }

    /// The questions of an agent's file.
    fn add_own(&self, terms: &mut Terms, agent: &Agent) {
        let asked = agent.questions.iter().chain(agent.kind.said());
        asked.for_each(|question| terms.read(question, Kind::Text));
        for field in &agent.rubric {
            terms.read(&field.title, Kind::Text);
            terms.read(&field.question, Kind::Text);
        }
    }

    fn add_common(&self, terms: &mut Terms) {
        terms.read(&self.script.context().job_description, Kind::Text);
        terms.read(&self.script.context().resume, Kind::Text);
        self.script.context().focus.areas.iter().for_each(|area| terms.read(area, Kind::Text));
        self.script
            .context()
            .knowledge
            .iter()
            .for_each(|known| terms.read(&known.answer, Kind::Text));
    }
}

/// The kind of a text, which decides what a capital at its beginning means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Sentences: each begins with a capital.
    Text,
    /// A name or a title: capitals mean something everywhere.
    Title,
}

/// Terms in order, none twice.
#[derive(Clone, Debug, Default)]
struct Terms {
    list: Vec<String>,
    known: BTreeSet<String>,
}

impl Terms {
    fn put(&mut self, term: &str) {
        let key = normal(term);
        let fits = !key.is_empty() && term.chars().count() <= CHARS_MAX;
        if fits && self.list.len() < KEYTERMS_MAX && self.known.insert(key) {
            self.list.push(term.to_owned());
        }
    }

    /// Adds the terms of a text.
    fn read(&mut self, text: &str, kind: Kind) {
        for line in text.lines() {
            // A heading in capitals has no abbreviations.
            let is_heading = kind == Kind::Text && !line.contains(char::is_lowercase);
            let mut begins = kind == Kind::Text;
            let mut phrase: Vec<&str> = Vec::new();
            for raw in line.split_whitespace() {
                let Some(word) = Word::of(raw) else {
                    // A bullet begins a sentence, a dash or an ampersand none.
                    self.end(&mut phrase);
                    continue;
                };
                let counts = match word.shape {
                    Shape::Technical => !is_heading,
                    Shape::Capital => !begins && !is_heading,
                    Shape::Plain => false,
                };
                if counts && !word.is_apart {
                    phrase.push(word.text);
                } else {
                    self.end(&mut phrase);
                    if counts {
                        phrase.push(word.text);
                    }
                }
                if word.next != Next::Word || phrase.len() == WORDS_MAX {
                    self.end(&mut phrase);
                }
                begins = kind == Kind::Text && word.next == Next::Sentence;
            }
            self.end(&mut phrase);
        }
    }

    /// A phrase is over: what every recogniser knows at its ends is left away.
    fn end(&mut self, phrase: &mut Vec<&str>) {
        let is_rare = |word: &&str| !holds(COMMON, &word.to_lowercase());
        let first = phrase.iter().position(is_rare);
        let last = phrase.iter().rposition(is_rare);
        if let (Some(first), Some(last)) = (first, last) {
            self.put(&phrase[first..=last].join(" "));
        }
        phrase.clear();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// No dictionary has it: "K8s", "PostgreSQL", "C++", "AWS", "Node.js".
    Technical,
    /// It begins with a capital.
    Capital,
    Plain,
}

/// A word of a text.
struct Word<'a> {
    /// Without the marks around it.
    text: &'a str,
    shape: Shape,
    /// A mark stands before it, such as a bracket.
    is_apart: bool,
    next: Next,
}

/// What follows a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Another word of the same phrase.
    Word,
    /// A mark within the sentence.
    Mark,
    /// The end of the sentence.
    Sentence,
}

impl<'a> Word<'a> {
    fn of(raw: &'a str) -> Option<Self> {
        if raw.contains('@') || raw.contains("://") || raw.starts_with("www.") {
            return None;
        }
        let is_inner = |c: char| c.is_alphanumeric() || c == '+' || c == '#';
        let begun = raw.trim_start_matches(|c| !is_inner(c));
        // ".NET" begins with its dot.
        let begun = if raw.starts_with('.') && raw.len() == begun.len() + 1 { raw } else { begun };
        let text = begun.trim_end_matches(|c| !is_inner(c));
        let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        if !text.contains(char::is_alphabetic) {
            return None;
        }
        Some(Self {
            text,
            shape: Shape::of(text),
            is_apart: begun.len() < raw.len(),
            next: Next::of(&begun[text.len()..]),
        })
    }
}

impl Next {
    /// By the marks behind a word.
    fn of(marks: &str) -> Self {
        if marks.is_empty() {
            Self::Word
        } else if marks.contains(['.', '!', '?']) {
            Self::Sentence
        } else {
            Self::Mark
        }
    }
}

impl Shape {
    fn of(text: &str) -> Self {
        let letters = || text.chars().filter(|c| c.is_alphabetic());
        let begins = text.trim_start_matches('.').starts_with(char::is_alphabetic);
        let has_capital = text.contains(char::is_uppercase);
        let capitals = letters().filter(|c| c.is_uppercase()).count();
        let is_abbreviation =
            capitals == letters().count() && (2..=CAPITALS_MAX).contains(&capitals);
        // "GitHub" and "iOS", not "Berlin" nor "BERLIN".
        let has_inner_capital = letters().skip(1).any(char::is_uppercase)
            && text.contains(char::is_lowercase)
            && !text.contains(['-', '/']);
        let has_sign = text.contains(['+', '#', '.']) && has_capital;
        let has_digit = text.contains(char::is_numeric) && has_capital;
        if begins && (is_abbreviation || has_inner_capital || has_sign || has_digit) {
            Self::Technical
        } else if text.starts_with(char::is_uppercase) {
            Self::Capital
        } else {
            Self::Plain
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, kind: Kind) -> Vec<String> {
        let mut terms = Terms::default();
        terms.read(text, kind);
        terms.list
    }

    /// What no dictionary has is a term, and what is only the beginning of a sentence or known to all is
    /// none.
    #[test]
    fn rare_words_are_read_off() {
        for (text, wanted) in [
            (
                "We run Kubernetes on Red Hat Enterprise Linux.",
                &["Kubernetes", "Red Hat Enterprise", "Linux"][..],
            ),
            ("Led the migration. Built tools at Zalando in March 2021.", &["Zalando"]),
            (
                "Skills: Python, Go, PostgreSQL, C++ and C#.",
                &["Python", "Go", "PostgreSQL", "C++", "C#"],
            ),
            (
                "You know AWS (EC2, S3), CI/CD, Node.js and .NET",
                &["AWS", "EC2", "S3", "CI/CD", "Node.js", ".NET"],
            ),
            (
                "WORK EXPERIENCE\nSenior Software Engineer, Deutsche Bank, Berlin",
                &["Deutsche Bank", "Berlin"],
            ),
            ("* Kafka Streams at Confluent's office", &["Streams", "Confluent"]),
            ("Mail ada@example.org or https://Example.org/CV, 24/7, 100k, 3rd", &[]),
            ("I'm happy. It works! We like it, and so do I", &[]),
            ("He met Jürgen Klopp – not Éric – in München.", &["Jürgen Klopp", "Éric", "München"]),
            ("", &[]),
        ] {
            assert_eq!(terms(text, Kind::Text), wanted, "{text}");
        }
        assert_eq!(terms("Senior SAP FICO Consultant", Kind::Title), ["SAP FICO"]);
        assert_eq!(terms("Perfusionist", Kind::Title), ["Perfusionist"]);
    }

    /// There are never more than recognisers take, none twice, and none that is no name by its length.
    #[test]
    fn terms_are_bounded() {
        let many: Vec<String> = (0..300).map(|n| format!("we use Tool{n}")).collect();
        let found = terms(&many.join(". "), Kind::Text);
        assert_eq!(found.len(), KEYTERMS_MAX);
        assert_eq!((found[0].as_str(), found[99].as_str()), ("Tool0", "Tool99"));
        assert_eq!(terms("in Rust, in RUST, in rust, with Rust", Kind::Text), ["Rust"]);
        assert!(terms(&format!("the X{}", "y".repeat(CHARS_MAX)), Kind::Text).is_empty());
    }
}
