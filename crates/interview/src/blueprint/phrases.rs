//! Sentences that belong to no stage.

use std::collections::BTreeMap;

use super::{
    Language, Problem, line_of, problem,
    reader::{Reader, Source},
    text,
};

/// The file with the sentences that a blueprint does not word itself.
pub const FILE: &str = "phrases.toml";

/// The ones that come with the program, in the language of the interview.
pub(super) fn house(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../../../../agents/lang/en.toml"),
        Language::German => include_str!("../../../../agents/lang/de.toml"),
        Language::Italian => include_str!("../../../../agents/lang/it.toml"),
    }
}

/// What a sentence is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phrase {
    /// Before the same question again, when the candidate or the line is back.
    WelcomeBack,
    /// The last words of a completed interview.
    Farewell,
    /// The last words of one that ends for another reason.
    FarewellEarly,
    /// The last words to somebody who never spoke.
    FarewellSilent,
    /// The last words to somebody who goes on insulting us.
    FarewellAbuse,
    /// The last words after something that was said into the last words (case 18).
    FarewellAgain,
    /// Before a question from the file, when the model has failed.
    Apology,
    /// When our answer takes long (case 31): three, which take turns.
    FirstFiller,
    /// See [`Phrase::FirstFiller`].
    SecondFiller,
    /// See [`Phrase::FirstFiller`].
    ThirdFiller,
    /// Before the bridge, when we have to interrupt (H04).
    CutIn,
    /// Before the same question, when one turn has lasted too long (T05).
    PickUp,
    /// Before the bridge from the file, when a limit ends the stage (H06).
    Forced,
    /// When they want to think (T03).
    Hold,
    /// Into a sentence that was not finished (T04).
    SoftPrompt,
    /// Into an address or a number that is not whole (L06).
    GoOnListening,
    /// Before the same question, when they want it again (case 4).
    Repeat,
    /// Before the same question in other words.
    Rephrase,
    /// Before the same question, when they want other words and there are none.
    NoOtherWords,
    /// Whether the question is left out, when the time to think is over (T03).
    AskToLeave,
    /// When they say nothing to that, and the interview moves on.
    LeaveThat,
    /// Whether to go on, when the rounds of a backlog are over and questions are open (K03).
    AskToGoOn,
    /// Before a question whose answer was of no use.
    Again,
    /// When it stays unclear (case 5).
    OfferSkip,
    /// Back from another subject (case 8).
    Redirect,
    /// Before a name or a number that may be wrong (case 28).
    Confirm,
    /// When they skip a question.
    Skip,
    /// When they do not know (case 6).
    Unknown,
    /// When they would rather not say.
    Declined,
    /// When we cannot answer their question (case 9).
    PassOn,
    /// When they ask how they are doing (case 47).
    NoVerdict,
    /// When they ask whether we are human (case 48).
    AboutMe,
    /// When they ask whether we record, and we do.
    Recorded,
    /// When they ask whether we record, and we do not.
    NotRecorded,
    /// When they want to stop (case 19).
    ConfirmStop,
    /// When they do not want to stop after all.
    GoOn,
    /// After an insult (case 12).
    Boundary,
    /// After a second one.
    OfferEnd,
    /// When they are in distress (case 40).
    Distress,
    /// After something very personal (case 39).
    Sensitive,
    /// When they speak another language (case 27).
    Language,
}

/// Every phrase with its key in the file.
const KEYS: [(&str, Phrase); 41] = [
    ("welcome_back", Phrase::WelcomeBack),
    ("farewell", Phrase::Farewell),
    ("farewell_early", Phrase::FarewellEarly),
    ("farewell_silent", Phrase::FarewellSilent),
    ("farewell_abuse", Phrase::FarewellAbuse),
    ("farewell_again", Phrase::FarewellAgain),
    ("apology", Phrase::Apology),
    ("filler_1", Phrase::FirstFiller),
    ("filler_2", Phrase::SecondFiller),
    ("filler_3", Phrase::ThirdFiller),
    ("cut_in", Phrase::CutIn),
    ("pick_up", Phrase::PickUp),
    ("forced", Phrase::Forced),
    ("hold", Phrase::Hold),
    ("soft_prompt", Phrase::SoftPrompt),
    ("go_on_listening", Phrase::GoOnListening),
    ("repeat", Phrase::Repeat),
    ("rephrase", Phrase::Rephrase),
    ("no_other_words", Phrase::NoOtherWords),
    ("ask_to_leave", Phrase::AskToLeave),
    ("leave_that", Phrase::LeaveThat),
    ("ask_to_go_on", Phrase::AskToGoOn),
    ("again", Phrase::Again),
    ("offer_skip", Phrase::OfferSkip),
    ("redirect", Phrase::Redirect),
    ("confirm", Phrase::Confirm),
    ("skip", Phrase::Skip),
    ("unknown", Phrase::Unknown),
    ("declined", Phrase::Declined),
    ("pass_on", Phrase::PassOn),
    ("no_verdict", Phrase::NoVerdict),
    ("about_me", Phrase::AboutMe),
    ("recorded", Phrase::Recorded),
    ("not_recorded", Phrase::NotRecorded),
    ("confirm_stop", Phrase::ConfirmStop),
    ("go_on", Phrase::GoOn),
    ("boundary", Phrase::Boundary),
    ("offer_end", Phrase::OfferEnd),
    ("distress", Phrase::Distress),
    ("sensitive", Phrase::Sensitive),
    ("language", Phrase::Language),
];

/// What is said in other words each time: the wordings of a list take turns, so that nobody hears one twice
/// in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Varied {
    /// The scripted interviewer's acknowledgement of an answer with little in it.
    ShortAnswer,
    /// Its acknowledgement of an answer with much in it.
    FullAnswer,
    /// When they spoke and not a word was understood.
    NotCaught,
    /// The acknowledgement before the bridge from the file, where another stage begins (H06).
    Handoff,
}

/// Every list with its key in the file. A file of all phrases may leave a list out: then nothing is said.
const LISTS: [(&str, Varied); 4] = [
    ("acknowledge_short", Varied::ShortAnswer),
    ("acknowledge_full", Varied::FullAnswer),
    ("acknowledge_handoff", Varied::Handoff),
    ("not_caught", Varied::NotCaught),
];

/// Keys of phrases that were said once: older interviews have them in their files.
const NO_LONGER_SAID: [&str; 1] = ["muted"];

/// What a file of all phrases may leave out, and then is not said.
const OPTIONAL: [Phrase; 9] = [
    Phrase::FirstFiller,
    Phrase::SecondFiller,
    Phrase::ThirdFiller,
    Phrase::NoOtherWords,
    Phrase::AskToLeave,
    Phrase::LeaveThat,
    Phrase::AskToGoOn,
    Phrase::Again,
    Phrase::GoOnListening,
];

/// All of them, with `{{ }}` still in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrases {
    single: BTreeMap<Phrase, String>,
    varied: BTreeMap<Varied, Vec<String>>,
}

impl Phrases {
    /// The words.
    pub fn say(&self, phrase: Phrase) -> &str {
        self.single.get(&phrase).map_or("", String::as_str)
    }

    /// The wordings of a list, in their order; none where the file has no such list.
    pub fn list(&self, varied: Varied) -> &[String] {
        self.varied.get(&varied).map_or(&[], Vec::as_slice)
    }

    /// All words, in no order that matters.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.single.values().chain(self.varied.values().flatten()).map(String::as_str)
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.single.values_mut().chain(self.varied.values_mut().flatten())
    }

    /// Reads what the table words; the rest stays as it is.
    pub(super) fn read(&mut self, reader: &mut Reader<'_, '_>) {
        for key in NO_LONGER_SAID {
            let _ = reader.optional_string(key);
        }
        for (key, phrase) in KEYS {
            if let Some(words) = reader.optional_string(key) {
                if words.trim().is_empty() {
                    reader.problem(key, format!("`{key}` is empty: leave it out instead"));
                }
                self.single.insert(phrase, words);
            }
        }
        for (key, varied) in LISTS {
            let list = reader.strings(key);
            if list.iter().any(|words| words.trim().is_empty()) {
                reader.problem(key, format!("`{key}` has an empty text: leave it out instead"));
            }
            if reader.has(key) {
                self.varied.insert(varied, list);
            }
        }
    }

    /// A whole file of them.
    pub(super) fn load(source: &str) -> (Self, Vec<Problem>) {
        let mut phrases = Self::default();
        let ((), mut problems) = Source::new(FILE, source, 0).read(|reader| phrases.read(reader));
        for (key, phrase) in KEYS {
            match phrases.single.get(&phrase) {
                Some(words) => text::check(words, FILE, line_of(source, words), &mut problems),
                None if OPTIONAL.contains(&phrase) => {}
                None => problems.push(problem(FILE, 1, &format!("`{key}` is missing"))),
            }
        }
        for words in phrases.varied.values().flatten() {
            text::check(words, FILE, line_of(source, words), &mut problems);
        }
        (phrases, problems)
    }

    /// Takes from `others` what is not worded yet.
    pub(super) fn complete(&mut self, others: Self) {
        for (phrase, words) in others.single {
            self.single.entry(phrase).or_insert(words);
        }
        for (varied, list) in others.varied {
            self.varied.entry(varied).or_insert(list);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every phrase has one key and the house's words for it, in every language; a phrase asks in all
    /// languages or in none.
    #[test]
    fn the_house_has_words_for_everything() {
        let (english, _) = Phrases::load(house(Language::English));
        for (code, language) in Language::ALL {
            assert_eq!(language.code(), code);
            let (house, problems) = Phrases::load(house(language));
            assert_eq!(problems, [], "{code}");
            assert_eq!(house.single.len(), KEYS.len(), "{code}");
            for (phrase, words) in &house.single {
                let in_english = english.say(*phrase).matches('?').count();
                assert_eq!(words.matches('?').count(), in_english, "{code}: {words}");
                let names = |text: &str| text.matches("{{").count();
                assert_eq!(names(words), names(english.say(*phrase)), "{code}: {words}");
                assert!(language == Language::English || words != english.say(*phrase), "{words}");
            }
            let lists = LISTS.map(|(_, varied)| house.list(varied));
            let all: Vec<&String> = lists.iter().flat_map(|list| list.iter()).collect();
            let different: BTreeSet<&String> = all.iter().copied().collect();
            assert!(lists.iter().all(|list| list.len() >= 3), "{lists:?}");
            assert_eq!(different.len(), all.len(), "{code}: the same words in two lists");
        }
    }

    /// A list without words, or with words that cannot be filled in, is a problem with its line.
    #[test]
    fn lists_are_checked() {
        let text = house(Language::English).replace("\"I see.\"", "\" \", \"{{ nobody }}.\"");
        let (_, problems) = Phrases::load(&text);
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("`acknowledge_short` has an empty text"), "{said:?}");
        assert!(said[1].contains("`nobody` is no variable"), "{said:?}");
    }
}
