//! The parts of a told experience, found by words that announce them: situation, task, own part, result.

use serde::{Deserialize, Serialize};

use crate::{
    assess::turns::Turn,
    blueprint::Language,
    interview::understanding::words::{holds, normal},
};

/// A part of a told experience.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StoryPart {
    /// Where and when it was.
    Situation,
    /// What had to be done.
    Task,
    /// What they did themselves.
    OwnPart,
    /// What came of it.
    Result,
}

impl StoryPart {
    /// All of them, in the order in which a story tells them.
    pub const ALL: [Self; 4] = [Self::Situation, Self::Task, Self::OwnPart, Self::Result];
}

/// The longest quote, in words.
const QUOTE_WORDS_MAX: usize = 24;
/// Words without a mark between them are cut behind so many, where they go on with a connecting word.
const CLAUSE_WORDS_MIN: usize = 6;
const CLAUSE_WORDS_MAX: usize = 30;

/// A clause of a turn, by the places of its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clause<'a> {
    pub(super) turn: &'a Turn,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl<'a> Clause<'a> {
    /// The clauses of a turn, in order.
    pub(super) fn all(turn: &'a Turn, language: Language) -> Vec<Self> {
        let mut clauses = Vec::new();
        let mut from = 0;
        for at in 0..turn.words.len() {
            let length = at + 1 - from;
            let ends = turn.words[at].ends_with(['.', '!', '?', ';'])
                || turn.holes.contains(&(at + 1))
                || at + 1 == turn.words.len()
                || length >= CLAUSE_WORDS_MAX
                || length >= CLAUSE_WORDS_MIN && connects(&turn.words[at + 1], language);
            if ends {
                clauses.push(Self { turn, from, to: at + 1 });
                from = at + 1;
            }
        }
        clauses
    }

    /// Its words as they are compared, with a space around each.
    fn plain(&self) -> String {
        let plain = normal(&self.turn.words[self.from..self.to].join(" "));
        // "L'anno scorso" is two words.
        format!(" {} ", plain.replace('\'', " "))
    }

    /// Its words as they were said.
    pub(super) fn text(&self) -> String {
        let said = self.turn.words[self.from..self.to].join(" ");
        said.trim_end_matches([',', ';']).to_owned()
    }

    #[cfg(test)]
    fn words(&self) -> usize {
        self.to - self.from
    }

    pub(super) fn has_number(&self) -> bool {
        self.text().contains(|c: char| c.is_ascii_digit())
    }

    /// Whether they speak of several people as the ones who did it.
    pub(super) fn speaks_of_all(&self, language: Language) -> bool {
        let words = match language {
            Language::English => " we our us ",
            Language::German => " wir unser unsere unserem uns ",
            Language::Italian => " noi abbiamo nostro nostra eravamo ",
        };
        self.plain().split_whitespace().any(|word| holds(words, word))
    }

    /// Whether they leave open what they mean.
    pub(super) fn is_vague(&self, language: Language) -> bool {
        self.holds_any(match language {
            Language::English => &[
                "stuff",
                "things",
                "something",
                "somehow",
                "kind of",
                "sort of",
                "a lot",
                "various",
                "and so on",
                "etc",
                "basically",
                "whatever",
            ],
            Language::German => &[
                "irgendwie",
                "irgendwas",
                "sachen",
                "dinge",
                "und so weiter",
                "usw",
                "vieles",
                "halt so",
                "verschiedene",
            ],
            Language::Italian => &[
                "qualcosa",
                "cose",
                "roba",
                "in qualche modo",
                "eccetera",
                "e così via",
                "un po di tutto",
                "varie",
            ],
        })
    }

    fn holds_any(&self, phrases: &[&str]) -> bool {
        let plain = self.plain();
        phrases.iter().any(|phrase| plain.contains(&format!(" {phrase} ")))
    }

    /// Whether its words announce a part.
    pub(super) fn tells(&self, part: StoryPart, language: Language) -> bool {
        if part == StoryPart::OwnPart {
            return self.acts(language);
        }
        let is_dated = part == StoryPart::Situation && self.has_year();
        let has_share = part == StoryPart::Result && self.text().contains('%');
        is_dated || has_share || self.holds_any(cues(part, language))
    }

    fn has_year(&self) -> bool {
        let plain = self.plain();
        let years = plain.split_whitespace().filter_map(|word| word.parse::<u32>().ok());
        years.into_iter().any(|year| (1970..2100).contains(&year))
    }

    /// Whether they say what they did themselves.
    fn acts(&self, language: Language) -> bool {
        let plain = self.plain();
        let words: Vec<&str> = plain.split_whitespace().collect();
        match language {
            Language::English => words.iter().enumerate().any(|(at, word)| {
                let next = words[at + 1..].iter().take(3);
                *word == "i" && next.into_iter().any(|verb| is_english_deed(verb))
            }),
            Language::German => {
                let is_done = |word: &&str| {
                    word.starts_with("ge") && (word.ends_with('t') || word.ends_with("en"))
                        || word.ends_with("iert")
                };
                self.holds_any(&["habe ich", "ich habe", "hab ich", "ich hab"])
                    && words.iter().any(is_done)
                    || self.holds_any(&[
                        "ich entschied",
                        "ich baute",
                        "ich schrieb",
                        "ich leitete",
                        "ich sprach",
                        "ich führte",
                        "ich schlug vor",
                        "ich übernahm",
                    ])
            }
            Language::Italian => words.windows(2).any(|pair| {
                pair[0] == "ho"
                    && ["ato", "ito", "uto", "tto", "sto", "so"]
                        .iter()
                        .any(|ending| pair[1].ends_with(ending))
            }),
        }
    }
}

/// Words as a quote: the beginning of what is longer.
pub(super) fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words[..words.len().min(QUOTE_WORDS_MAX)].join(" ")
}

/// Words that one goes on with.
fn connects(word: &str, language: Language) -> bool {
    let words = match language {
        Language::English => " and so but because then which while when after in ",
        Language::German => " und also aber weil dann während als nachdem wobei ",
        Language::Italian => " e quindi ma perché poi mentre quando dopo così ",
    };
    holds(words, &normal(word))
}

/// Deeds whose past ends in no -ed.
const IRREGULAR: &str = " built wrote led made took went found told set ran began chose brought held put \
    gave met spoke taught drew cut split sent kept spent sold bought broke grew rebuilt rewrote caught \
    won dealt ";
/// What ends in -ed and is no deed.
const NO_DEED: &str = " needed wanted liked loved hoped used supposed learned learnt realised realized \
    noticed felt seemed scared excited interested worried tired involved called ";

fn is_english_deed(word: &str) -> bool {
    let is_regular = word.len() > 4 && word.ends_with("ed");
    holds(IRREGULAR, word) || is_regular && !holds(NO_DEED, word)
}

/// The phrases that announce a part, without marks and capitals.
const CUES: &[(StoryPart, Language, &[&str])] = &[
    (
        StoryPart::Situation,
        Language::English,
        &[
            "when i was",
            "when we were",
            "at the time",
            "at that time",
            "back in",
            "back then",
            "last year",
            "last month",
            "last summer",
            "last winter",
            "years ago",
            "months ago",
            "a year ago",
            "in my last",
            "in my previous",
            "at my last",
            "at my previous",
            "in my current",
            "at my current",
            "in my first",
            "our team",
            "my team",
            "the company",
            "the client",
            "our customers",
            "there was",
            "there were",
            "we had a",
            "it was a",
            "i was working",
            "i worked",
            "during my",
        ],
    ),
    (
        StoryPart::Situation,
        Language::German,
        &[
            "damals",
            "letztes jahr",
            "im letzten jahr",
            "vor einem jahr",
            "vor zwei jahren",
            "als ich",
            "als wir",
            "in meinem letzten",
            "in meiner letzten",
            "in meiner ersten",
            "in unserem team",
            "unser team",
            "die firma",
            "das unternehmen",
            "der kunde",
            "es gab",
            "wir hatten",
            "während",
        ],
    ),
    (
        StoryPart::Situation,
        Language::Italian,
        &[
            "all epoca",
            "l anno scorso",
            "un anno fa",
            "anni fa",
            "quando ero",
            "quando lavoravo",
            "nel mio ultimo",
            "nella mia ultima",
            "nel mio primo",
            "il mio team",
            "il nostro team",
            "l azienda",
            "il cliente",
            "c era",
            "c erano",
            "avevamo",
            "durante",
        ],
    ),
    (
        StoryPart::Task,
        Language::English,
        &[
            "i had to",
            "we had to",
            "my job was",
            "my task",
            "my role was",
            "i was responsible",
            "responsible for",
            "in charge of",
            "i was asked",
            "asked me to",
            "the goal",
            "our goal",
            "my goal",
            "the challenge",
            "the problem was",
            "the difficulty",
            "we needed to",
            "i needed to",
            "supposed to",
            "the deadline",
            "i wanted to",
            "the idea was",
            "the hardest part",
        ],
    ),
    (
        StoryPart::Task,
        Language::German,
        &[
            "ich musste",
            "wir mussten",
            "meine aufgabe",
            "meine rolle",
            "ich war verantwortlich",
            "verantwortlich für",
            "ich sollte",
            "wir sollten",
            "das ziel",
            "unser ziel",
            "mein ziel",
            "die herausforderung",
            "das problem war",
            "die schwierigkeit",
            "ich wollte",
            "die frist",
        ],
    ),
    (
        StoryPart::Task,
        Language::Italian,
        &[
            "dovevo",
            "dovevamo",
            "il mio compito",
            "il mio ruolo",
            "ero responsabile",
            "responsabile di",
            "responsabile del",
            "mi hanno chiesto",
            "l obiettivo",
            "il nostro obiettivo",
            "la sfida",
            "il problema era",
            "la difficoltà",
            "volevo",
            "la scadenza",
        ],
    ),
    (
        StoryPart::Result,
        Language::English,
        &[
            "as a result",
            "in the end",
            "at the end",
            "finally",
            "it worked",
            "turned out",
            "which meant",
            "that meant",
            "reduced",
            "increased",
            "saved",
            "improved",
            "dropped",
            "fell",
            "grew",
            "doubled",
            "halved",
            "half the",
            "percent",
            "faster",
            "cheaper",
            "went down",
            "went up",
            "we shipped",
            "was released",
            "went live",
            "on time",
            "i learned",
            "we learned",
            "since then",
            "to this day",
            "the outcome",
            "the result",
            "were happy",
            "was happy",
            "less than before",
        ],
    ),
    (
        StoryPart::Result,
        Language::German,
        &[
            "am ende",
            "schließlich",
            "letztendlich",
            "das ergebnis",
            "dadurch",
            "seitdem",
            "prozent",
            "schneller",
            "günstiger",
            "gesenkt",
            "gesteigert",
            "verbessert",
            "verdoppelt",
            "halbiert",
            "hat funktioniert",
            "pünktlich",
            "gelernt",
            "zufrieden",
            "gespart",
        ],
    ),
    (
        StoryPart::Result,
        Language::Italian,
        &[
            "alla fine",
            "il risultato",
            "di conseguenza",
            "da allora",
            "per cento",
            "più veloce",
            "ridotto",
            "aumentato",
            "migliorato",
            "raddoppiato",
            "dimezzato",
            "ha funzionato",
            "in tempo",
            "ho imparato",
            "abbiamo imparato",
            "soddisfatti",
            "soddisfatto",
            "risparmiato",
        ],
    ),
];

/// The phrases that announce a part; one's own part is told by its verbs.
fn cues(part: StoryPart, language: Language) -> &'static [&'static str] {
    let mut all = CUES.iter();
    all.find(|(of, spoken, _)| (*of, *spoken) == (part, language)).map_or(&[], |(_, _, cues)| cues)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, language: Language) -> Vec<StoryPart> {
        let turn = Turn::plain(1, text);
        let clauses = Clause::all(&turn, language);
        let told = |part: &StoryPart| clauses.iter().any(|clause| clause.tells(*part, language));
        StoryPart::ALL.into_iter().filter(|part| told(part)).collect()
    }

    /// C03: each part is found by what announces it, in every language that interviews are held in.
    #[test]
    fn parts_are_found() {
        use StoryPart::{OwnPart, Result, Situation, Task};
        for (text, expected) in [
            ("Last year our billing was slow.", vec![Situation]),
            ("In 2021 we sold bread.", vec![Situation]),
            ("My task was to make it faster", vec![Task, Result]),
            ("I then rewrote the ledger.", vec![OwnPart]),
            ("I needed help and I was worried.", vec![]),
            ("We moved it, and the bill fell by 40%.", vec![Result]),
            ("I like bread.", vec![]),
        ] {
            assert_eq!(parts(text, Language::English), expected, "{text}");
        }
        let german = "Letztes Jahr musste ich sparen. Meine Aufgabe war der Umzug. Ich habe ihn geplant \
                      und am Ende waren alle zufrieden.";
        assert_eq!(parts(german, Language::German), StoryPart::ALL);
        let italian =
            "L'anno scorso dovevo risparmiare. Ho scritto un piano e alla fine ha funzionato.";
        assert_eq!(parts(italian, Language::Italian), StoryPart::ALL);
    }

    /// C03: where a recogniser writes no marks, clauses end where the next one begins.
    #[test]
    fn clauses_end_without_marks() {
        let text = "last year our billing was slow and i rewrote the whole of the ledger so it took half \
                    the time";
        let turn = Turn::plain(1, text);
        let clauses = Clause::all(&turn, Language::English);
        let said: Vec<_> = clauses.iter().map(Clause::text).collect();
        assert_eq!(
            said,
            [
                "last year our billing was slow",
                "and i rewrote the whole of the ledger",
                "so it took half the time"
            ]
        );
        assert_eq!(clauses.iter().map(Clause::words).sum::<usize>(), turn.words.len());
    }
}
