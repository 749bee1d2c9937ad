//! Subjects that a question to a candidate should not ask about, such as age, family and health. They are
//! found by idioms in a table (`subjects.tsv`), and by a small grammar (`subjects_grammar.tsv`): a term such
//! as "age" counts where only words such as "is" or "current" stand between it and the person who is asked,
//! and where it is not part of another thing ("the age of the codebase", "pregnant pauses"). A question which
//! is found may be asked with a reason where the form takes one, and others may slip through: it is no proof.

use std::{collections::BTreeMap, sync::LazyLock};

/// Subject, language, words.
const TABLE: &str = include_str!("subjects.tsv");
/// Role, language, words.
const GRAMMAR: &str = include_str!("subjects_grammar.tsv");
const LANGUAGES: [&str; 3] = ["en", "de", "it"];
/// A reason has as many letters at least: a mark is none.
const REASON_CHARS_MIN: usize = 10;
/// Whom a text speaks to.
const TO_THE_CANDIDATE: [&str; 3] = ["you", "your", "light"];
const ABOUT_THE_CANDIDATE: [&str; 6] = ["you", "your", "light", "they", "their", "order"];

/// The words of a language, by their roles.
#[derive(Default)]
struct Grammar {
    roles: BTreeMap<&'static str, Vec<&'static str>>,
    terms: Vec<Term>,
}

/// What a subject is called.
struct Term {
    subject: &'static str,
    words: Vec<&'static str>,
    /// Whether things have it too.
    of_things: bool,
}

/// What a word of a question is in a text to, or about, a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// Who is asked.
    Person,
    /// What is theirs.
    Theirs,
    /// A word without a meaning of its own, between the others.
    Light,
    /// Anything else.
    Other,
}

static GRAMMARS: LazyLock<Vec<Grammar>> =
    LazyLock::new(|| LANGUAGES.iter().map(|language| Grammar::of(language)).collect());

/// The subject that a question asks about; nothing if none is found.
pub(super) fn subject_of(question: &str) -> Option<&'static str> {
    found(question, &TO_THE_CANDIDATE)
}

/// The subject that an order to the interviewer is about, such as "ask for her age"; nothing if none is
/// found.
pub(super) fn subject_of_order(order: &str) -> Option<&'static str> {
    found(order, &ABOUT_THE_CANDIDATE)
}

/// What is wrong with a question about such a subject where nobody can give a reason for it.
pub(super) fn refused(subject: &str) -> String {
    format!(
        "This asks about {subject}. Asking that is discrimination in most countries. Ask about what the job \
         needs instead."
    )
}

/// What is wrong with a question about such a subject; nothing if it is about none, or somebody says why it
/// has to be asked.
pub(super) fn forbidden(question: &str, reason: &str) -> Option<String> {
    let subject = subject_of(question)?;
    if reason.trim().is_empty() {
        return Some(format!(
            "This asks about {subject}. Asking that is discrimination in most countries. Ask about what the \
             job needs instead, or say here why you have to ask."
        ));
    }
    let letters = reason.chars().filter(|c| c.is_alphabetic()).count();
    (letters < REASON_CHARS_MIN)
        .then(|| "Say in a few words why the job needs this question.".to_owned())
}

fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut cells = line.split('\t');
        let (subject, _) = (cells.next()?, cells.next()?);
        Some((subject, cells.next()?))
    })
}

fn found(text: &str, roles: &[&str]) -> Option<&'static str> {
    let words = normal(text);
    let words: Vec<&str> = words.split(' ').collect();
    let idiom = rows().find(|(_, idiom)| is_in(idiom, &words)).map(|(subject, _)| subject);
    let clauses = || text.split(['.', '?', '!', ';', ':', '\n', '؟', '？']).map(clause);
    let term = |grammar: &Grammar| clauses().find_map(|clause| grammar.subject(&clause, roles));
    idiom.or_else(|| GRAMMARS.iter().find_map(term))
}

/// Small letters and digits, with one space between words.
fn normal(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The words of a clause, with its commas and brackets as words without letters.
fn clause(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars() {
        match c {
            c if c.is_alphanumeric() => {
                words.last_mut().expect("one at least").extend(c.to_lowercase());
            }
            ',' | '(' | ')' | '–' | '—' => words.extend([",".to_owned(), String::new()]),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether these words stand there one after the other; a star stands for any ending. In Italian the verb
/// does not say whether a person is meant, so what stands behind must not be a thing: "quanti anni ha il
/// codice".
fn is_in(words: &str, question: &[&str]) -> bool {
    let idiom: Vec<&str> = words.split(' ').collect();
    let mut begins = (0..question.len()).filter(|at| starts_with(&question[*at..], &idiom));
    let is_thing = |at: usize| {
        let behind = question.get(at + idiom.len());
        behind.is_some_and(|word| GRAMMARS[2].has("other", word))
    };
    begins.any(|at| !is_thing(at))
}

fn starts_with<T: AsRef<str>>(said: &[T], words: &[&str]) -> bool {
    said.len() >= words.len()
        && said.iter().zip(words).all(|(said, word)| fits(word, said.as_ref()))
}

fn fits(word: &str, said: &str) -> bool {
    match word.strip_suffix('*') {
        Some(stem) => said.starts_with(stem),
        None => said == word,
    }
}

impl Grammar {
    fn of(language: &str) -> Self {
        let mut grammar = Self::default();
        for line in GRAMMAR.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&'static str> = line.split('\t').collect();
            let [role, of, words] = cells[..] else { continue };
            if of != language {
                continue;
            }
            let words = words.split(' ');
            match role.strip_prefix("term:") {
                None => grammar.roles.entry(role).or_default().extend(words),
                Some(subject) => grammar.terms.extend(words.map(|term| {
                    let bare = term.trim_start_matches('~');
                    let words = bare.split('_').collect();
                    Term { subject, words, of_things: bare != term }
                })),
            }
        }
        grammar
    }

    fn has(&self, role: &str, said: &str) -> bool {
        self.roles.get(role).is_some_and(|words| words.iter().any(|word| fits(word, said)))
    }

    /// The subject that a clause asks a person about.
    fn subject(&self, clause: &[String], roles: &[&str]) -> Option<&'static str> {
        (0..clause.len()).find_map(|at| {
            let mut terms = self.terms.iter();
            let term = terms.find(|term| starts_with(&clause[at..], &term.words))?;
            self.is_asked(clause, at, term, roles).then_some(term.subject)
        })
    }

    /// Whether the term at this place is asked of a person.
    fn is_asked(&self, clause: &[String], at: usize, term: &Term, roles: &[&str]) -> bool {
        let word = |said: &String| self.word(said, roles);
        let (before, behind) = (&clause[..at], &clause[at + term.words.len()..]);
        let owner = before.iter().rev().map(word).find(|word| *word != Word::Light);
        match owner {
            Some(Word::Theirs) => {
                !term.of_things || !self.is_other_thing(behind, term, roles) || self.acts(behind)
            }
            Some(Word::Person) => !self.is_other_thing(behind, term, roles),
            Some(Word::Other) => false,
            // "Which church do you attend?", "Any children?"
            Some(Word::Light) | None => {
                let rest = || behind.iter().take_while(|said| *said != ",");
                let is_known =
                    |said: &String| word(said) != Word::Other || self.has("sorting", said);
                let is_person = |said: &String| matches!(word(said), Word::Person | Word::Theirs);
                let names = !term.of_things || roles.contains(&"they") || rest().any(is_person);
                names && rest().all(is_known) && !self.is_other_thing(behind, term, roles)
            }
        }
    }

    fn word(&self, said: &str, roles: &[&str]) -> Word {
        let is = |role: &&str| roles.contains(role) && self.has(role, said);
        if ["your", "their"].iter().any(is) {
            Word::Theirs
        } else if ["you", "they"].iter().any(is) {
            Word::Person
        } else if said == "," || said.ends_with("ly") || ["light", "order"].iter().any(is) {
            Word::Light
        } else {
            Word::Other
        }
    }

    /// Whether what stands behind a term makes it part of another thing.
    fn is_other_thing(&self, behind: &[String], term: &Term, roles: &[&str]) -> bool {
        let Some(next) = behind.first().map(String::as_str) else { return false };
        let is_noun = self.roles.contains_key("sorting")
            && self.word(next, roles) == Word::Other
            && !self.has("sorting", next)
            && (term.of_things || !(next.ends_with("ing") || next.ends_with("ed")));
        is_noun || self.has("other", next)
    }

    /// Whether the term is what does something: "How does your health affect …?"
    fn acts(&self, behind: &[String]) -> bool {
        behind.first().is_some_and(|next| self.has("effect", next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question about a subject that discrimination law protects is found in every language of the pages.
    #[test]
    fn subjects_are_found() {
        for (question, subject) in [
            ("How old are you?", "age"),
            ("Wie alt sind Sie eigentlich?", "age"),
            ("Quanti anni ha?", "age"),
            ("Do you have children, or want children?", "family"),
            ("Haben Sie Kinder?", "family"),
            ("È sposata?", "family"),
            ("Are you pregnant?", "pregnancy"),
            ("Planen Sie eine Schwangerschaft?", "pregnancy"),
            ("Which religion do you follow?", "religion"),
            ("Tragen Sie ein Kopftuch?", "religion"),
            ("Do you have any disabilities?", "health"),
            ("Wie viele Fehltage hatten Sie?", "health"),
            ("Com'è il suo stato di salute?", "health"),
            ("Where are you from?", "origin"),
            ("Was ist Ihre Muttersprache?", "origin"),
            ("Are you in a trade union?", "union membership"),
            ("Sind Sie in einer Gewerkschaft?", "union membership"),
            ("È iscritto a un sindacato?", "union membership"),
            ("Welche Partei unterstützen Sie?", "politics"),
            ("What is your current salary?", "past pay"),
        ] {
            assert_eq!(subject_of(question), Some(subject), "{question}");
        }
    }

    /// Questions about the work are let through, also with a word that has another meaning elsewhere.
    #[test]
    fn questions_about_the_work_are_none() {
        for question in [
            "Where does your last project come from?",
            "How old is the oldest system that you maintain?",
            "How do you disable a feature without a release?",
            "Which languages do you speak at work?",
            "How do you find out whether a service is healthy?",
            "What do you expect of a family of products?",
            "When could you begin?",
            "What do you want to earn?",
            "Wie gehen Sie mit Kritik um?",
            "Come gestisce una scadenza?",
        ] {
            assert_eq!(subject_of(question), None, "{question}");
        }
    }

    /// The table has every subject in every language, in the form in which words are compared.
    #[test]
    fn the_table_is_whole() {
        let mut subjects = std::collections::BTreeMap::<&str, Vec<&str>>::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [subject, language, words] = cells[..] else { panic!("three cells: {line}") };
            assert_eq!(normal(words), words.trim_end_matches('*'), "{line}");
            subjects.entry(subject).or_default().push(language);
        }
        assert_eq!(subjects.len(), 10, "{subjects:?}");
        for (subject, languages) in subjects {
            for language in ["en", "de", "it"] {
                assert!(languages.contains(&language), "{subject} has no words in {language}");
            }
        }
    }

    /// It may be asked with a reason, which is more than a mark.
    #[test]
    fn a_reason_lets_it_pass() {
        let question = "Do you take medication?";
        assert!(forbidden(question, "").unwrap().contains("about health"));
        assert!(forbidden(question, "x").is_some());
        assert_eq!(forbidden(question, "Divers need a certificate by law."), None);
        assert_eq!(forbidden("What went wrong?", ""), None);
    }

    /// A subject is found in other words than those of the table, wherever only words without a meaning of
    /// their own stand between it and the person.
    #[test]
    fn other_wordings_are_found() {
        for (question, subject) in [
            ("What is your current age?", "age"),
            ("What age are you?", "age"),
            ("In welchem Alter sind Sie?", "age"),
            ("Which age group are you in, and what is your age bracket?", "age"),
            ("Are you planning to start a family in the next few years?", "family"),
            ("Do you intend to have kids soon?", "family"),
            ("Any children?", "family"),
            ("Would your husband agree to this?", "family"),
            ("Möchten Sie in den nächsten Jahren Nachwuchs bekommen?", "family"),
            ("Are you currently, or will you become, pregnant?", "pregnancy"),
            ("Is there a pregnancy?", "pregnancy"),
            ("Pensa di diventare madre?", "family"),
            ("Which church do you attend?", "religion"),
            ("Do you observe any religious holidays?", "religion"),
            ("Sei cattolica?", "religion"),
            ("Do you suffer from a chronic illness?", "health"),
            ("How does your health affect your work?", "health"),
            ("Leiden Sie an einer Krankheit?", "health"),
            ("Do you belong to a union?", "union membership"),
            ("Gehören Sie einer Partei an?", "politics"),
            ("Are you a native speaker?", "origin"),
        ] {
            assert_eq!(subject_of(question), Some(subject), "{question}");
        }
    }

    /// A term that belongs to a thing is no question about a person, in any language.
    #[test]
    fn terms_of_things_are_let_through() {
        for question in [
            "How do you handle pregnant pauses?",
            "Have you had any pregnant pauses in a talk?",
            "What is the age of the codebase?",
            "What was the age of your oldest cache entry?",
            "How do you age out old data?",
            "How do your health checks work?",
            "Have you had a race condition?",
            "How do you kill child processes?",
            "Do you have a parent component?",
            "Do you use union types?",
            "Have you seen union types in production?",
            "Are you the single point of contact?",
            "When do you retire an old API?",
            "Have you worked with children?",
            "How would you support a colleague during her pregnancy?",
            "How do you deal with disabled feature flags?",
            "How religious should one be about code style?",
            "Quanti anni ha il codice?",
            "Qual è l’età del sistema?",
            "Wie gehen Sie mit dem Alter der Codebasis um?",
            "Was ist eine Eltern-Kind-Beziehung in Ihrem Datenmodell?",
        ] {
            assert_eq!(subject_of(question), None, "{question}");
        }
    }

    /// An order to the interviewer speaks of the candidate, and not to them.
    #[test]
    fn orders_are_about_somebody() {
        for order in
            ["Ask about her age", "Find out whether she is pregnant", "ask about family plans"]
        {
            assert!(subject_of_order(order).is_some(), "{order}");
        }
        for order in [
            "Ask about Kafka",
            "Ask about the age of the codebase",
            "Ask how he handles child processes",
        ] {
            assert_eq!(subject_of_order(order), None, "{order}");
        }
    }
}
