//! The scripted candidate: what they answer, when, and when they stop.

use std::time::Duration;

use super::lines::{Lines, Subject};
use crate::blueprint::{Language, Manner};

/// What a candidate thinks before they speak.
const THINKS: Duration = Duration::from_millis(900);
/// Whoever tells a lot begins at once.
const BEGINS_AT_ONCE: Duration = Duration::from_millis(500);
/// A long answer has so many stories.
const RAMBLES: usize = 8;
/// Whoever wants to stop has answered so often before.
const LEAVES_AFTER: usize = 2;

/// A candidate who answers whatever they are asked, by a manner and without a model. The same questions have
/// the same answers.
#[derive(Clone, Debug)]
pub struct Candidate {
    manner: Manner,
    lines: &'static Lines,
    role: String,
    /// How often they have told a story, which is another one each time.
    stories: usize,
    /// How often they were asked something that is not answered by yes.
    asked: usize,
    /// Whether what they said last was no answer but a question.
    has_asked_back: bool,
}

/// What a candidate says to what they were asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How long they think first.
    pub after: Duration,
    /// Their words.
    pub words: String,
}

impl Candidate {
    /// A candidate for a role, who speaks the language of the interview.
    pub fn new(manner: Manner, language: Language, role: &str) -> Self {
        let lines = Lines::of(language);
        let role = if role.is_empty() { lines.no_role } else { role }.to_owned();
        Self { manner, lines, role, stories: 0, asked: 0, has_asked_back: false }
    }

    /// What they say to what was said to them since they spoke last; nothing if they stay silent.
    pub fn answer(&mut self, asked: &str) -> Option<Answer> {
        let subject = self.lines.subject(asked);
        if subject == Subject::Goodbye {
            return None;
        }
        let words = match self.manner {
            Manner::Silent => return None,
            Manner::Cooperative => self.tells(subject, 1),
            Manner::Rambling => self.tells(subject, RAMBLES),
            Manner::Brief => self.says_little(subject),
            Manner::Asking => self.asks_back(subject),
            Manner::Leaving => self.leaves(subject),
        };
        let after = if self.manner == Manner::Rambling { BEGINS_AT_ONCE } else { THINKS };
        Some(Answer { after, words })
    }

    /// An answer of so many stories where there is one to tell.
    fn tells(&mut self, subject: Subject, count: usize) -> String {
        match subject {
            Subject::Goodbye => String::new(),
            Subject::Stopping => self.lines.goes_on.to_owned(),
            Subject::Ready => self.lines.ready.to_owned(),
            Subject::Consent => self.lines.yes.to_owned(),
            Subject::Address => self.lines.contact[1].to_owned(),
            Subject::Name => self.lines.contact[0].to_owned(),
            Subject::Ending => self.lines.nothing_to_add.to_owned(),
            Subject::Person => {
                let person = self.lines.person.replace("{role}", &self.role);
                if count == 1 { person } else { person + " " + &self.told(count) }
            }
            Subject::Other => self.told(count),
        }
    }

    fn told(&mut self, count: usize) -> String {
        let from = self.stories;
        self.stories += count;
        let stories = self.lines.stories;
        (from..from + count).map(|n| stories[n % stories.len()]).collect::<Vec<_>>().join(" ")
    }

    fn says_little(&mut self, subject: Subject) -> String {
        match subject {
            Subject::Person | Subject::Other => {
                self.stories += 1;
                self.lines.brief[(self.stories - 1) % self.lines.brief.len()].to_owned()
            }
            Subject::Ready | Subject::Consent => self.lines.yes.to_owned(),
            Subject::Goodbye
            | Subject::Stopping
            | Subject::Address
            | Subject::Name
            | Subject::Ending => self.tells(subject, 1),
        }
    }

    /// A question of theirs, then the answer.
    fn asks_back(&mut self, subject: Subject) -> String {
        let asks = matches!(subject, Subject::Person | Subject::Other) && !self.has_asked_back;
        self.has_asked_back = asks;
        if !asks {
            return self.tells(subject, 1);
        }
        self.asked += 1;
        self.lines.asks[(self.asked - 1) % self.lines.asks.len()].to_owned()
    }

    fn leaves(&mut self, subject: Subject) -> String {
        if matches!(subject, Subject::Person | Subject::Other) {
            self.asked += 1;
        }
        if self.asked <= LEAVES_AFTER {
            return self.tells(subject, 1);
        }
        match subject {
            Subject::Stopping | Subject::Consent => self.lines.yes.to_owned(),
            Subject::Goodbye
            | Subject::Ready
            | Subject::Address
            | Subject::Name
            | Subject::Ending
            | Subject::Person
            | Subject::Other => self.lines.stops.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: &str = "Thank you. Which project are you proud of?";

    fn words(manner: Manner, asked: &[&str]) -> Vec<String> {
        let mut candidate = Candidate::new(manner, Language::English, "Baker");
        let answers = asked.iter().map(|asked| candidate.answer(asked));
        answers.map(|answer| answer.map(|it| it.words).unwrap_or_default()).collect()
    }

    fn count(words: &str) -> usize {
        words.split_whitespace().count()
    }

    /// U03: each manner is what it is called.
    #[test]
    fn manners_are_what_they_are_called() {
        let usual = words(Manner::Cooperative, &[ASKED, ASKED]);
        assert!(count(&usual[0]) > 20 && usual[0] != usual[1], "{usual:?}");
        let brief = words(Manner::Brief, &[ASKED]);
        assert!((1..8).contains(&count(&brief[0])), "{brief:?}");
        let long = words(Manner::Rambling, &[ASKED]);
        assert!(count(&long[0]) > 4 * count(&usual[0]), "{long:?}");
        let asking = words(Manner::Asking, &[ASKED, ASKED]);
        assert!(asking[0].contains('?') && !asking[1].contains('?'), "{asking:?}");
        assert_eq!(words(Manner::Silent, &[ASKED]), [""]);
        let goodbye = "Thank you for your time, Alex. Your answers are saved. Goodbye.";
        assert_eq!(words(Manner::Cooperative, &[goodbye]), [""], "nobody answers a goodbye");
        let stop = "Do you want to end the interview here?";
        let leaving = words(Manner::Leaving, &[ASKED, ASKED, ASKED, stop]);
        let lines = Lines::of(Language::English);
        assert_eq!(leaving[2..], [lines.stops, lines.yes]);
    }

    /// U03: in each language they understand what they are asked, and say who they are.
    #[test]
    fn they_speak_the_language_of_the_interview() {
        for (language, ready, person, ending) in [
            (
                Language::English,
                "Are you ready to start?",
                "Please tell me about yourself: what do you do today?",
                "Is there anything else that I should know?",
            ),
            (
                Language::German,
                "Sind Sie bereit?",
                "Erzählen Sie mir bitte etwas über sich: Was machen Sie zurzeit beruflich?",
                "Gibt es noch etwas, das ich wissen sollte?",
            ),
            (
                Language::Italian,
                "Possiamo iniziare?",
                "Mi racconti qualcosa di sé: di che cosa si occupa oggi?",
                "C'è qualcos'altro che dovrei sapere?",
            ),
        ] {
            let lines = Lines::of(language);
            let mut candidate = Candidate::new(Manner::Cooperative, language, "Baker");
            let mut said = |asked| candidate.answer(asked).unwrap().words;
            assert_eq!(said(ready), lines.ready);
            assert!(said(person).contains("Baker"), "{language:?}");
            assert_eq!(said(ending), lines.nothing_to_add);
        }
    }
}
