//! Subjects that a recruiter's own question should not ask about, such as age, family and health. They are
//! found by words in a table (`subjects.tsv`), so that a question which is one all the same may be asked with
//! a reason, and others may slip through: it is a warning, and no proof.

/// Subject, language, words.
const TABLE: &str = include_str!("subjects.tsv");
/// A reason has as many letters at least: a mark is none.
const REASON_CHARS_MIN: usize = 10;

/// The subject that a question asks about; nothing if none is found.
pub(super) fn subject_of(question: &str) -> Option<&'static str> {
    let question = normal(question);
    let question: Vec<&str> = question.split(' ').collect();
    rows().find(|(_, words)| is_in(words, &question)).map(|(subject, _)| subject)
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

/// Small letters and digits, with one space between words.
fn normal(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Whether these words stand there one after the other; a star stands for any ending.
fn is_in(words: &str, question: &[&str]) -> bool {
    let words: Vec<&str> = words.split(' ').collect();
    let fits = |(word, said): (&&str, &&str)| match word.strip_suffix('*') {
        Some(stem) => said.starts_with(stem),
        None => said == word,
    };
    question.windows(words.len()).any(|said| words.iter().zip(said).all(fits))
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
}
