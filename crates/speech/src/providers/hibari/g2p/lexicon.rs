//! The reading of words: from the lexicons, from a known word with an ending, or letter by letter, by
//! Misaki's rules for English.

use super::{
    super::files::{SEPARATOR, Table},
    Context,
    phonemes::{PRIMARY, SECONDARY, Stress, stressed, with_ed, with_ing, with_s},
};

/// The signs that are read as a word.
const SIGNS: [(&str, &str); 4] = [("%", "percent"), ("&", "and"), ("+", "plus"), ("@", "at")];
/// The letters that are doubled before "ing".
const DOUBLED: &str = "bcdgklmnprstvxz";
/// Readings that the lexicons lack: word, beginning of its tag, phonemes.
const OURS: [(&str, &str, &str); 2] =
    [("resume", "NN", "ɹˈɛzəmˌA"), ("resumes", "NN", "ɹˈɛzəmˌAz")];

/// Two tables of words: `gold` with checked readings, `silver` with readings made by rule.
pub(super) struct Lexicon {
    gold: Table,
    silver: Table,
}

/// A word to be read.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    tag: &'a str,
    stress: Option<Stress>,
    context: Context,
}

impl Lexicon {
    pub(super) fn new(gold: Table, silver: Table) -> Self {
        Self { gold, silver }
    }

    /// Returns the phonemes of a word; `None` if it cannot be read.
    pub(super) fn word(&self, word: &str, tag: &str, context: Context) -> Option<String> {
        let word = word.replace(['‘', '’'], "'");
        let stress = match () {
            () if word == word.to_lowercase() => None,
            () if word == word.to_uppercase() => Some(Stress::Capitals),
            () => Some(Stress::Capital),
        };
        self.read(&word, Wanted { tag, stress, context })
    }

    /// Returns the phonemes of a number word, or of a unit behind a number.
    pub(super) fn plainly(&self, word: &str, stress: Option<Stress>) -> Option<String> {
        self.look_up(word, Wanted { tag: "", stress, context: Context::default() }, false)
    }

    /// Returns the phonemes of a plural.
    pub(super) fn plural(&self, word: &str) -> Option<String> {
        with_s(&self.plainly(word, None)?)
    }

    fn read(&self, word: &str, wanted: Wanted) -> Option<String> {
        let ours = OURS.iter().find(|(ours, ..)| word.eq_ignore_ascii_case(ours));
        if let Some((.., phonemes)) = ours.filter(|(_, tag, _)| wanted.tag.starts_with(tag)) {
            return Some((*phonemes).to_owned());
        }
        if let Some(special) = self.special(word, wanted) {
            return Some(special);
        }
        let lower = word.to_lowercase();
        let word = if self.is_better_lower(word, &lower, wanted) { &lower } else { word };
        if self.is_known(word) {
            return self.look_up(word, wanted, true);
        }
        if let Some(stem) = word.strip_suffix("s'")
            && let owned = format!("{stem}'s")
            && self.is_known(&owned)
        {
            return self.look_up(&owned, wanted, true);
        }
        if let Some(stem) = word.strip_suffix('\'').filter(|stem| self.is_known(stem)) {
            return self.look_up(stem, wanted, true);
        }
        let ing = Wanted { stress: wanted.stress.or(Some(Stress::Capital)), ..wanted };
        let ended = self.ends_with_s(word, wanted).or_else(|| self.ends_with_ed(word, wanted));
        ended.or_else(|| self.ends_with_ing(word, ing))
    }

    /// Returns the phonemes of function words, whose reading depends on their tag and on the next word, and
    /// of letters with dots.
    fn special(&self, word: &str, wanted: Wanted) -> Option<String> {
        let Wanted { tag, stress, context } = wanted;
        let is_adverb = ["ADV", "RB"].iter().any(|adverb| tag.starts_with(adverb));
        let gold = |word: &str| {
            self.gold(word).map(|entry| reading(entry, "").unwrap_or_default().to_owned())
        };
        match word {
            "." if tag == "ADD" => return self.plainly("dot", Some(Stress::Lowered)),
            "/" if tag == "ADD" => return self.plainly("slash", Some(Stress::Lowered)),
            _ => {}
        }
        if let Some((_, name)) = SIGNS.iter().find(|(sign, _)| *sign == word) {
            return self.look_up(name, Wanted { tag: "", stress: None, context }, true);
        }
        if is_abbreviation(word) {
            return self.letters(word);
        }
        Some(match word {
            "a" | "A" if tag == "DT" => "ɐ".to_owned(),
            "a" | "A" => "ˈA".to_owned(),
            "am" | "Am" | "AM" => {
                let is_strong = matches!(stress, Some(Stress::Capital | Stress::Capitals));
                match () {
                    () if tag.starts_with("NN") => return self.letters(word),
                    () if context.vowel_follows.is_none() || word != "am" || is_strong => {
                        gold("am")?
                    }
                    () => "ɐm".to_owned(),
                }
            }
            "AN" if tag.starts_with("NN") => return self.letters(word),
            "an" | "An" | "AN" => "ɐn".to_owned(),
            "I" if tag == "PRP" => "ˌI".to_owned(),
            "by" | "By" | "BY" if is_adverb => "bˈI".to_owned(),
            _ if is_to(word, tag) => match context.vowel_follows {
                None => gold("to")?,
                Some(false) => "tə".to_owned(),
                Some(true) => "tʊ".to_owned(),
            },
            "in" | "In" | "IN" if word != "IN" || tag != "NNP" => {
                let is_weak = context.vowel_follows.is_some() && tag == "IN";
                if is_weak { "ɪn".to_owned() } else { "ˈɪn".to_owned() }
            }
            "the" | "The" | "THE" if word != "THE" || tag == "DT" => {
                if context.vowel_follows == Some(true) {
                    "ði".to_owned()
                } else {
                    "ðə".to_owned()
                }
            }
            _ if tag == "IN" && ["vs", "vs."].contains(&word.to_lowercase().as_str()) => {
                return self.look_up("versus", Wanted { tag: "", stress: None, context }, true);
            }
            "used" | "Used" | "USED" => {
                let is_habit = ["VBD", "JJ"].contains(&tag) && context.to_follows;
                let tag = if is_habit { "VBD" } else { "DEFAULT" };
                reading(self.gold("used")?, tag)?.to_owned()
            }
            _ => return None,
        })
    }

    /// Whether a Capitalised word without an entry is read as the lower-case one.
    fn is_better_lower(&self, word: &str, lower: &str, wanted: Wanted) -> bool {
        let mut rest = word.chars();
        rest.next();
        let rest = rest.as_str();
        let is_shaped = word == word.to_uppercase() || rest == rest.to_lowercase();
        let is_candidate = word.chars().count() > 1
            && is_letters(&word.replace('\'', ""))
            && word != lower
            && (wanted.tag != "NNP" || word.chars().count() > 7)
            && !self.has(word)
            && is_shaped;
        is_candidate
            && (self.has(lower)
                || self.ends_with_s(lower, wanted).is_some()
                || self.ends_with_ed(lower, wanted).is_some()
                || self.ends_with_ing(lower, wanted).is_some())
    }

    fn ends_with_s(&self, word: &str, wanted: Wanted) -> Option<String> {
        let length = word.chars().count();
        let stem = word.strip_suffix('s').filter(|_| length > 2)?;
        let is_double = word.ends_with("ss");
        let es = word.strip_suffix("es").filter(|_| length > 4 && !word.ends_with("ies"));
        let ies = word.strip_suffix("ies").filter(|_| length > 4).map(|stem| format!("{stem}y"));
        let stem =
            [Some(stem).filter(|_| !is_double), word.strip_suffix("'s").or(es), ies.as_deref()]
                .into_iter()
                .flatten()
                .find(|stem| self.is_known(stem))?;
        with_s(&self.look_up(stem, wanted, true)?)
    }

    fn ends_with_ed(&self, word: &str, wanted: Wanted) -> Option<String> {
        let length = word.chars().count();
        let stem = word.strip_suffix('d').filter(|_| length > 3)?;
        let is_double = word.ends_with("dd");
        let ed = word.strip_suffix("ed").filter(|_| length > 4 && !word.ends_with("eed"));
        let stems = [Some(stem).filter(|_| !is_double), ed];
        let stem = stems.into_iter().flatten().find(|stem| self.is_known(stem))?;
        with_ed(&self.look_up(stem, wanted, true)?)
    }

    fn ends_with_ing(&self, word: &str, wanted: Wanted) -> Option<String> {
        let length = word.chars().count();
        let stem = word.strip_suffix("ing").filter(|_| length > 4)?;
        let with_e = format!("{stem}e");
        let mut ends = stem.chars().rev();
        let (last, before) = (ends.next(), ends.next());
        let is_doubled = before == last && last.is_some_and(|last| DOUBLED.contains(last));
        let single = stem.get(..stem.len().saturating_sub(1));
        let single = single.filter(|_| length > 5 && (is_doubled || stem.ends_with("ck")));
        let stems = [Some(stem).filter(|_| length > 5), Some(&with_e[..]), single];
        let stem = stems.into_iter().flatten().find(|stem| self.is_known(stem))?;
        with_ing(&self.look_up(stem, wanted, true)?)
    }

    /// Whether a word is in a lexicon, or can be read letter by letter.
    fn is_known(&self, word: &str) -> bool {
        if self.has(word) || SIGNS.iter().any(|(sign, _)| *sign == word) {
            return true;
        }
        if word.is_empty() || !word.chars().all(|character| character.is_ascii_alphabetic()) {
            return false;
        }
        word.len() == 1
            || (word == word.to_uppercase() && self.gold(&word.to_lowercase()).is_some())
            || word[1..] == word[1..].to_uppercase()
    }

    fn has(&self, word: &str) -> bool {
        self.gold(word).is_some() || entry(&self.silver, word).is_some()
    }

    fn gold(&self, word: &str) -> Option<&str> {
        entry(&self.gold, word)
    }

    /// Returns the reading in the lexicons. `in_text` is false if the next word is not known.
    fn look_up(&self, word: &str, wanted: Wanted, in_text: bool) -> Option<String> {
        let is_capitals = word == word.to_uppercase() && self.gold(word).is_none();
        let lower = word.to_lowercase();
        let word = if is_capitals { &lower } else { word };
        let is_name = is_capitals && wanted.tag == "NNP";
        let silver = || entry(&self.silver, word).filter(|_| !is_name);
        let found = self.gold(word).or_else(silver).and_then(|entry| {
            let is_last = in_text && wanted.context.vowel_follows.is_none();
            let tag = if is_last && has_tag(entry, "None") { "None" } else { wanted.tag };
            reading(entry, tag)
        });
        match found.filter(|phonemes| !is_name || phonemes.contains(PRIMARY)) {
            Some(phonemes) => Some(stressed(phonemes, wanted.stress)),
            None => self.letters(word),
        }
    }

    /// Returns the letters one by one, the last one stressed.
    pub(super) fn letters(&self, word: &str) -> Option<String> {
        let mut all = String::new();
        for letter in word.chars().filter(|letter| letter.is_alphabetic()) {
            all.push_str(reading(self.gold(&letter.to_uppercase().to_string())?, "")?);
        }
        let all = stressed(&all, Some(Stress::Secondary));
        Some(match all.rsplit_once(SECONDARY) {
            Some((before, last)) => format!("{before}{PRIMARY}{last}"),
            None => all,
        })
    }
}

/// Whether a word is the preposition "to".
pub(super) fn is_to(word: &str, tag: &str) -> bool {
    ["to", "To"].contains(&word) || (word == "TO" && ["TO", "IN"].contains(&tag))
}

/// Whether a word is like "e.g" or "U.S.": letters with dots between them, at most two together.
fn is_abbreviation(word: &str) -> bool {
    word.trim_matches('.').contains('.')
        && is_letters(&word.replace('.', ""))
        && word.split('.').all(|part| part.chars().count() < 3)
}

fn is_letters(word: &str) -> bool {
    !word.is_empty() && word.chars().all(char::is_alphabetic)
}

/// Returns the entry of a word. Lower-case entries also count for Capitalised words and the other way round,
/// unless those have entries of their own.
fn entry<'a>(table: &'a Table, word: &str) -> Option<&'a str> {
    if let Some(entry) = table.get(word) {
        return Some(entry);
    }
    let mut rest = word.chars();
    let first = rest.next().filter(|_| !rest.as_str().is_empty())?;
    let lower = word.to_lowercase();
    let mut capitalized: String = first.to_uppercase().collect();
    capitalized += &rest.as_str().to_lowercase();
    match () {
        () if word == lower && word != capitalized => table.get(&capitalized),
        () if word == capitalized => table.get(&lower),
        () => None,
    }
}

fn readings(entry: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let parts = entry.split(SEPARATOR).skip(1);
    parts.map(|part| part.split_once('=').map_or((part, None), |(tag, text)| (tag, Some(text))))
}

fn has_tag(entry: &str, tag: &str) -> bool {
    readings(entry).any(|(name, _)| name == tag)
}

/// Returns the reading of an entry as a part of speech.
fn reading<'a>(entry: &'a str, tag: &str) -> Option<&'a str> {
    if !entry.starts_with(SEPARATOR) {
        return Some(entry);
    }
    let tag = if has_tag(entry, tag) { tag } else { parent(tag) };
    let of = |wanted: &str| readings(entry).find(|(name, _)| *name == wanted);
    of(tag).or_else(|| of("DEFAULT"))?.1
}

fn parent(tag: &str) -> &str {
    let parents = [
        ("VB", "VERB"),
        ("NN", "NOUN"),
        ("ADV", "ADV"),
        ("RB", "ADV"),
        ("ADJ", "ADJ"),
        ("JJ", "ADJ"),
    ];
    parents.iter().find(|(start, _)| tag.starts_with(start)).map_or(tag, |(_, parent)| parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        let gold = r#"{"A": "ˈA", "I": "ˈI", "P": "pˈi", "S": "ˈɛs", "U": "jˈu", "am": "æm",
            "to": "tu", "cat": "kˈæt", "dot": "dˈɑt",
            "play": "plˈA", "bet": "bˈɛt", "bake": "bˈAk", "fly": "flˈI", "Paris": "pˈɛɹɪs",
            "percent": "pəɹsˈɛnt", "us": "ˌʌs",
            "used": {"DEFAULT": "jˈuzd", "VBD": "jˈust"}, "versus": "vˈɜɹsəs",
            "that": {"DEFAULT": "ðæt", "DT": "ðˈæt", "None": "ðˈæt"},
            "record": {"DEFAULT": "ɹˈɛkəɹd", "VERB": "ɹəkˈɔɹd"},
            "AD": {"DEFAULT": "ˈæd", "NOUN": null}, "D": "dˈi"}"#;
        let silver = r#"{"blog": "blˈɔɡ", "cat": "wrong"}"#;
        Lexicon::new(serde_json::from_str(gold).unwrap(), serde_json::from_str(silver).unwrap())
    }

    /// The reading of a word depends on the lexicons, its part of speech, its ending and the next word.
    #[test]
    fn words_are_read() {
        let (vowel, consonant, end) = (Some(true), Some(false), None);
        for (word, tag, follows, expected) in [
            ("cat", "NN", end, Some("kˈæt")),
            ("blog", "NN", end, Some("blˈɔɡ")),
            ("Cats", "NNS", end, Some("kˈæts")),
            ("cat's", "NN", end, Some("kˈæts")),
            ("Paris'", "NNP", end, Some("pˈɛɹɪs")),
            ("flies", "VBZ", end, Some("flˈIz")),
            ("played", "VBD", end, Some("plˈAd")),
            ("baked", "VBN", end, Some("bˈAkt")),
            ("betting", "VBG", end, Some("bˈɛɾɪŋ")),
            ("baking", "VBG", end, Some("bˈAkɪŋ")),
            ("paris", "NNP", end, Some("pˈɛɹɪs")),
            ("CAT", "NN", end, Some("kˈæt")),
            ("record", "NN", end, Some("ɹˈɛkəɹd")),
            ("record", "VBP", end, Some("ɹəkˈɔɹd")),
            ("resume", "NN", end, Some("ɹˈɛzəmˌA")),
            ("that", "IN", consonant, Some("ðæt")),
            ("that", "IN", end, Some("ðˈæt")),
            ("a", "DT", consonant, Some("ɐ")),
            ("A", "NN", consonant, Some("ˈA")),
            ("I", "PRP", vowel, Some("ˌI")),
            ("am", "VBP", consonant, Some("ɐm")),
            ("am", "VBP", end, Some("æm")),
            ("to", "TO", vowel, Some("tʊ")),
            ("to", "TO", consonant, Some("tə")),
            ("to", "TO", end, Some("tu")),
            ("the", "DT", vowel, Some("ði")),
            ("the", "DT", consonant, Some("ðə")),
            ("in", "IN", consonant, Some("ɪn")),
            ("in", "RP", consonant, Some("ˈɪn")),
            ("by", "RB", consonant, Some("bˈI")),
            ("vs.", "IN", consonant, Some("vˈɜɹsəs")),
            ("%", "NN", end, Some("pəɹsˈɛnt")),
            ("U.S.", "NNP", end, Some("jˌuˈɛs")),
            ("UPS", "NNP", end, Some("jˌupˌiˈɛs")),
            ("US", "NNP", end, Some("jˌuˈɛs")),
            ("AD", "NN", end, Some("ˌAdˈi")),
            ("zyx", "NN", end, None),
            ("", "NN", end, None),
        ] {
            let context = Context { vowel_follows: follows, to_follows: false };
            assert_eq!(lexicon().word(word, tag, context).as_deref(), expected, "{word} {tag}");
        }
        let habit = Context { vowel_follows: Some(false), to_follows: true };
        assert_eq!(lexicon().word("used", "VBD", habit).as_deref(), Some("jˈust"));
        assert_eq!(lexicon().word("used", "VBD", Context::default()).as_deref(), Some("jˈuzd"));
    }
}
