//! How much there is in an answer (A03). Steers the depth of questions only; never a judgement of a person.

use std::{collections::BTreeSet, sync::LazyLock};

use crate::interview::understanding::{
    language::{self, Language},
    words::{NUMBER_WORDS, holds, is_unspaced, normal, sentences, split},
};

/// How much there is in an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal {
    /// 0..=1, in hundredths.
    pub score: f32,
    /// What follows from it.
    pub band: Band,
}

/// What a signal says of the next question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// Below 0.3: ask something simpler and more direct.
    Low,
    /// 0.3 to 0.6: go deeper into one detail.
    Medium,
    /// Above 0.6: probe the richest detail.
    High,
}

/// Of a language that we do not know: neither rich nor poor.
const NEUTRAL: u32 = 45;
/// So few words are a thin answer in any language; so few characters, where no spaces are written.
const THIN_WORDS: usize = 4;
const THIN_CHARS: usize = 8;
/// From more words than this an answer has detail.
const DETAIL_WORDS: usize = 30;

/// Words that fill and say nothing; they are not counted.
const FILLERS: &str =
    " um umm uh uhm er erm hmm hm mm ah oh like basically ähm äh öhm euh ehm cioè ";

/// The words of a language that tell of an impact and of an emotion, by their beginnings (whole ones end in a
/// `.`), and those of numbers.
struct Lexicon {
    language: Language,
    impact: Keywords,
    emotion: Keywords,
    numbers: BTreeSet<&'static str>,
}

/// Words, and beginnings of words.
struct Keywords {
    whole: BTreeSet<&'static str>,
    /// Sorted; none begins with another.
    beginnings: Vec<&'static str>,
}

impl Keywords {
    fn new(list: &'static str) -> Self {
        let whole = list.split_whitespace().filter_map(|word| word.strip_suffix('.')).collect();
        let mut beginnings: Vec<_> =
            list.split_whitespace().filter(|word| !word.ends_with('.')).collect();
        beginnings.sort_unstable();
        beginnings.dedup_by(|longer, word| longer.starts_with(*word));
        Self { whole, beginnings }
    }

    fn has(&self, word: &str) -> bool {
        // What lies between a beginning and its word begins with it too.
        let after = self.beginnings.partition_point(|beginning| *beginning <= word);
        let nearest = after.checked_sub(1).map(|place| self.beginnings[place]);
        nearest.is_some_and(|beginning| word.starts_with(beginning)) || self.whole.contains(word)
    }
}

static LEXICA: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    let list = |words: &'static str| words.split_whitespace();
    let lexica = KEYWORDS.iter().map(|(language, impact, emotion, numbers)| Lexicon {
        language: *language,
        impact: Keywords::new(impact),
        emotion: Keywords::new(emotion),
        numbers: list(numbers).collect(),
    });
    lexica.collect()
});

/// Language, impact, emotion, numbers.
const KEYWORDS: [(Language, &str, &str, &str); 5] = [
    (
        Language::En,
        "problem important critical impact challenge result improved reduced increased saved \
            decided risk failed \
        solved difficult",
        "love hate. hated proud excit frustrat afraid scared happy angry surpris passionate enjoy \
            annoy thrilled",
        NUMBER_WORDS,
    ),
    (
        Language::It,
        "problem important critic impatt sfid risultat miglior ridott aument risparmi decis rischi \
            fallit risolt \
        difficil",
        "adoro amore odio odiavo orgoglios entusiast frustra paura felic arrabbia sorpres appassiona content",
        "due tre quattro cinque sei sette otto nove dieci dodici venti trenta cinquanta cento mille \
            duemila milioni",
    ),
    (
        Language::De,
        "problem wichtig kritisch auswirkung herausforderung ergebnis verbesser reduzier erhöht \
            gespart entschied \
        risik gescheitert gelöst schwierig",
        "liebe. geliebt hasse stolz begeister frustrier angst glücklich wütend überrasch \
            leidenschaft freude gefreut",
        "zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig dreißig fünfzig hundert \
            tausend zweitausend \
        millionen prozent",
    ),
    (
        Language::Fr,
        "problèm important critique impact défi résultat amélior rédui augment économis décid \
            risque échou résolu \
        difficil",
        "adore aime. déteste fier. fière. enthousias frustr peur. heureu colère surpris passionn content",
        "deux trois quatre cinq six sept huit neuf dix douze vingt trente cinquante cent mille millions",
    ),
    (
        Language::Es,
        "problem important crític impacto desafío reto. resultado mejor reduj aument ahorr decid \
            riesgo fracas \
        resolv resuelt difícil",
        "encanta amo. odio odiaba orgullos emocion frustra miedo feliz enojad sorprend apasiona content",
        "dos tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cincuenta cien ciento \
            mil millones",
    ),
];

impl Band {
    fn of(hundredths: u32) -> Self {
        match hundredths {
            0..30 => Self::Low,
            30..=60 => Self::Medium,
            _ => Self::High,
        }
    }
}

/// The signal of an answer: the seed's formula without what it gets wrong. A sentence's first capital is no
/// example, a spelled-out number is one, fillers are no words; a language that we do not know, and a script
/// without spaces, are neutral.
pub fn signal(answer: &str) -> Signal {
    signal_of(answer, false)
}

/// The signal of an answer of which words may be missing: what was lost counts as neither rich nor poor, so
/// that a short rest is not taken for a short answer.
pub fn signal_of(answer: &str, has_holes: bool) -> Signal {
    let least = if has_holes { NEUTRAL } else { 0 };
    let hundredths = hundredths(answer).max(least);
    Signal { score: hundredths as f32 / 100.0, band: Band::of(hundredths) }
}

fn hundredths(answer: &str) -> u32 {
    let text = normal(answer);
    let mut words = split(&text);
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 2 > text.chars().filter(|c| c.is_alphanumeric()).count() {
        return if unspaced > THIN_CHARS { NEUTRAL } else { unspaced as u32 };
    }
    let hits = language::hits(&words);
    let is_german = language::clear(&words) == Some(Language::De);
    words.retain(|word| !holds(FILLERS, word));
    let is_known = hits.iter().any(|(_, hits)| *hits > 0);
    if !is_known && words.len() > THIN_WORDS {
        return NEUTRAL;
    }
    // Where single foreign words occur, theirs count too.
    let is_spoken = |lexicon: &&Lexicon| !is_known || !hits.contains(&(lexicon.language, 0));
    let spoken: Vec<&Lexicon> = LEXICA.iter().filter(is_spoken).collect();
    let any = |is: fn(&Lexicon, &str) -> bool| {
        spoken.iter().any(|lexicon| words.iter().any(|word| is(lexicon, word)))
    };
    let marks = [
        any(|lexicon, word| lexicon.numbers.contains(word)) || names_something(answer, is_german),
        any(|lexicon, word| lexicon.impact.has(word)),
        any(|lexicon, word| lexicon.emotion.has(word)),
        words.len() > DETAIL_WORDS,
    ];
    let marks = marks.iter().filter(|mark| **mark).count() as u32;
    ((words.len() as u32).min(40) + 15 * marks).min(100)
}

/// Whether there is a digit, or a name: a capital where no sentence begins. German writes every noun with
/// one.
fn names_something(answer: &str, is_german: bool) -> bool {
    if answer.chars().any(char::is_numeric) {
        return true;
    }
    let in_capitals = !answer.chars().any(char::is_lowercase);
    !in_capitals
        && !is_german
        && sentences(answer).any(|s| s.split_whitespace().skip(1).any(is_name))
}

/// A capital and two more letters, or two capitals.
fn is_name(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let mut letters = word.chars();
    let (first, second) = (letters.next(), letters.next());
    let is_capital = |c: Option<char>| c.is_some_and(char::is_uppercase);
    let is_long = second.is_some_and(char::is_alphabetic) && letters.next().is_some();
    !matches!(word, "OK" | "Okay") && is_capital(first) && (is_long || is_capital(second))
}

/// The keywords of seed 004, in English.
const IMPACT: [&str; 14] = [
    "problem",
    "important",
    "critical",
    "impact",
    "challenge",
    "result",
    "improved",
    "reduced",
    "increased",
    "saved",
    "decided",
    "risk",
    "failed",
    "solved",
];
const EMOTION: [&str; 10] = [
    "love",
    "hate",
    "proud",
    "excited",
    "frustrated",
    "afraid",
    "happy",
    "angry",
    "surprised",
    "passionate",
];

/// The signal of an answer, 0..=1, by the formula of seed 004 §7.
pub fn signal_v1(answer: &str) -> f32 {
    let words = answer.split_whitespace().count();
    let length = (words as f32 / 100.0).min(0.4);
    let has = |keywords: &[&str]| {
        answer.split(|c: char| !c.is_alphanumeric()).any(|word| {
            let word = word.to_lowercase();
            keywords.iter().any(|keyword| word.starts_with(keyword))
        })
    };
    let marks = [has_example(answer), has(&IMPACT), has(&EMOTION), words > 30];
    let marks = marks.iter().filter(|mark| **mark).count();
    (length + 0.15 * marks as f32).min(1.0)
}

/// A digit, or a capital followed by two small letters.
fn has_example(answer: &str) -> bool {
    let chars: Vec<char> = answer.chars().collect();
    chars.iter().any(char::is_ascii_digit)
        || chars.windows(3).any(|c| {
            c[0].is_ascii_uppercase() && c[1].is_ascii_lowercase() && c[2].is_ascii_lowercase()
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(n: usize) -> String {
        vec!["so"; n].join(" ")
    }

    /// A03: the seed's own figures, for parity.
    #[test]
    fn the_formula_of_the_seed() {
        for (answer, want) in [
            (format!("{} 7", words(13)), 0.29),
            (format!("{} 7", words(14)), 0.30),
            (words(31), 0.46),
            (format!("{} 7", words(30)), 0.61),
            (words(45), 0.55),
            (format!("{} 7 problem proud", words(13)), 0.61),
        ] {
            let got = signal_v1(&answer);
            assert!((got - want).abs() < 0.001, "{answer}: {got}, not {want}");
        }
    }

    /// A03: the one in use, where it differs from the seed's, by band.
    #[test]
    fn what_counts_and_what_does_not() {
        use Band::{High, Low, Medium};
        let filled = "um uh like hmm ".repeat(20);
        let long = "and we did the work of the day ".repeat(5);
        let (thirty, sixty) = ("we did it ".repeat(10), "we did it ".repeat(20));
        let (more, marked) =
            (format!("{thirty} too"), thirty.replacen("we did it", "the problem 7", 1));
        for (answer, band, score) in [
            // A sentence's first capital is no example; a name, a year and a spelled-out number are.
            ("We did it. Then we left. I know.", Low, 0.08),
            ("we did it at Siemens", Low, 0.20),
            ("We did it with SQL", Low, 0.20),
            ("i built it in two weeks for the bank", Low, 0.24),
            ("i joined the bank in twenty twenty one and we left", Low, 0.26),
            ("there were fifty percent of the users who came from one of the banks", Low, 0.29),
            (
                "there were fifty percent of the users who came back to one of the banks",
                Medium,
                0.30,
            ),
            ("WE DID IT AT SIEMENS", Low, 0.05),
            // Fillers are no words.
            (filled.as_str(), Low, 0.0),
            ("um so I, uh, work at the bank, like, every day", Low, 0.08),
            // Keywords, by language.
            ("the challenge was that we were proud of it", Medium, 0.39),
            ("la sfida era enorme e sono stato molto orgoglioso", Medium, 0.39),
            ("das Problem war schwierig und wir sind stolz auf die Lösung", Medium, 0.41),
            ("le défi était énorme et je suis fier de nous", Medium, 0.40),
            ("el desafío era grande y estoy muy orgulloso", Medium, 0.38),
            ("Das Team hat an dem Tag in der Bank gearbeitet", Low, 0.10),
            ("wir waren zwanzig in dem Team", Low, 0.21),
            // Detail.
            (long.as_str(), Medium, 0.55),
            (sixty.as_str(), Medium, 0.55),
            (thirty.as_str(), Medium, 0.30),
            (more.as_str(), Medium, 0.46),
            (marked.as_str(), Medium, 0.60),
            // Thin in any language; neutral where we know none.
            ("nie wiem", Low, 0.02),
            ("はい", Low, 0.02),
            ("私は三年間銀行で働いていました。", Medium, 0.45),
            ("Я работал три года в банке", Medium, 0.45),
            ("", Low, 0.0),
            ("🙂 …", Low, 0.0),
        ] {
            let got = signal(answer);
            assert_eq!(
                (got.band, (got.score * 100.0).round()),
                (band, (score * 100.0_f32).round()),
                "{answer}"
            );
        }
        let rich = "The main problem was that Siemens had twenty systems and nobody knew which of \
            them was right, so \
            I decided to write one test for each of them and we reduced the errors by half, which \
            made me proud.";
        assert_eq!(signal(rich).band, High);
        assert_eq!(signal(&rich.to_lowercase()).band, High);
    }

    proptest! {
        /// A03: any Unicode has a signal within 0..=1, and more words of the same do not lower it.
        #[test]
        fn any_answer_has_a_signal(answer in "(?s).{0,80}", words in "[a-z ]{0,60}") {
            for text in [&answer, &words] {
                let (v1, now) = (signal_v1(text), signal(text));
                prop_assert!((0.0..=1.0).contains(&v1) && (0.0..=1.0).contains(&now.score));
            }
            let (once, twice) = (format!("the {words}"), format!("the {words} the {words}"));
            prop_assert!(signal(&twice).score >= signal(&once).score);
        }
    }
}
