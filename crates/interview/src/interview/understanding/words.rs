//! Text as words, however a recogniser, a keyboard or a model writes it, and phrases to find among them.

use std::collections::BTreeMap;

pub use language::text::normal;
pub(crate) use language::text::{is_unspaced, split};

/// What was said in all segments of a turn, and typed. Where a segment goes on in small letters, the full
/// stop before it was none: a recogniser that writes marks sets one at each pause.
pub(crate) fn joined(segments: &BTreeMap<u32, String>, typed: &[String]) -> String {
    let mut all = String::new();
    for text in segments.values().chain(typed).filter(|text| !text.is_empty()) {
        if text.starts_with(char::is_lowercase) && all.ends_with('.') {
            all.pop();
        }
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(text);
    }
    all
}

/// [`normal`] with contractions written out ("I'd rather not": "i would rather not") and fillers left out, so
/// that a phrase needs to be written down once only.
pub(crate) fn plain(text: &str) -> String {
    let text = normal(text);
    let mut out = String::with_capacity(text.len() + 16);
    for word in text.split(' ').filter(|word| !FILLERS.contains(word)) {
        // "Not really" means less than "not"; elsewhere it means nothing.
        if word == "really" && !out.ends_with("not") {
            continue;
        }
        let (stem, rest) = written_out(word);
        for word in [stem, rest].into_iter().filter(|word| !word.is_empty()) {
            space(&mut out);
            out.push_str(word);
        }
    }
    out
}

/// Sounds that mean nothing, and words that change nothing in what a phrase means.
const FILLERS: [&str; 18] = [
    "um",
    "umm",
    "uh",
    "uhm",
    "er",
    "erm",
    "hmm",
    "hm",
    "mm",
    "ah",
    "oh",
    "please",
    "kindly",
    "just",
    "actually",
    "honestly",
    "basically",
    "literally",
];

fn written_out(word: &str) -> (&str, &str) {
    match word {
        "can't" | "cant" | "cannot" => return ("can", "not"),
        "won't" => return ("will", "not"),
        "let's" => return ("let", "us"),
        "dont" => return ("do", "not"),
        "didnt" => return ("did", "not"),
        "doesnt" => return ("does", "not"),
        "im" => return ("i", "am"),
        "ive" => return ("i", "have"),
        "thats" => return ("that", "is"),
        "whats" => return ("what", "is"),
        "gonna" => return ("going", "to"),
        "wanna" => return ("want", "to"),
        "gotta" => return ("got", "to"),
        "gimme" => return ("give", "me"),
        _ if !word.contains('\'') => return (word, ""),
        _ => {}
    }
    let endings = [
        ("n't", "not"),
        ("'m", "am"),
        ("'re", "are"),
        ("'s", "is"),
        ("'ll", "will"),
        ("'ve", "have"),
        ("'d", "would"),
    ];
    let found = endings.iter().find_map(|(end, full)| Some((word.strip_suffix(end)?, *full)));
    found.unwrap_or((word, ""))
}

/// The sentences of a text, each with its mark at the end. A mark counts only before a blank, and a full stop
/// behind an abbreviation or an ordinal ends nothing ("Dr. Keller", "z. B. Excel", "am 3. Mai").
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ends = rest.char_indices().filter(|(_, c)| is_end(*c));
        let mut ends = ends.map(|(at, c)| at + c.len_utf8());
        let end = ends.find(|end| {
            let (sentence, tail) = rest.split_at(*end);
            tail.chars().next().is_none_or(|c| c.is_whitespace() || is_unspaced(c))
                && !is_abbreviated(sentence, tail.trim_start())
        });
        let (sentence, tail) = rest.split_at(end.unwrap_or(rest.len()));
        rest = tail.trim_start();
        Some(sentence)
    })
}

/// Whether the full stop at the end of `before` belongs to its last word and `next` goes on with the
/// sentence.
fn is_abbreviated(before: &str, next: &str) -> bool {
    let Some(before) = before.strip_suffix('.') else { return false };
    let mut words = before.split_whitespace().rev();
    let word = words.next().unwrap_or_default();
    let lower = |word: &str| word.trim_start_matches(['(', '"', '“', '„', '«']).to_lowercase();
    if next.is_empty() {
        return false;
    }
    if word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit()) {
        let following = next.split_whitespace().next().unwrap_or_default().to_lowercase();
        let following = following.trim_end_matches(|c: char| !c.is_alphanumeric());
        return holds(MONTHS, following)
            || words.next().is_some_and(|w| holds(BEFORE_ORDINALS, &lower(w)));
    }
    holds(ABBREVIATIONS, &lower(word))
        || (holds(LAST_ABBREVIATIONS, &lower(word)) && next.starts_with(char::is_lowercase))
}

/// Abbreviations that stand before the word that they belong to, in the languages of interviews. Those of
/// letters with stops between them are here as a whole and, as they may be set apart, by their first letter.
const ABBREVIATIONS: &str = " dr mr mrs ms prof mme st vs approx fig nr dott dott.ssa sig sig.ra ing avv \
    e.g i.e z z.b d d.h u u.a i.d.r bzw ca vgl ggf evtl p.es es ad.es cfr pag tel str ";

/// Abbreviations that may stand at the end of a sentence.
const LAST_ABBREVIATIONS: &str = " etc inc ltd co jr sr no b h a usw ecc p.m a.m gmbh ";

/// The German names of the months, which stand behind an ordinal number.
const MONTHS: &str = " januar jänner februar märz april mai juni juli august september oktober november \
    dezember ";

/// The German words before an ordinal number.
const BEFORE_ORDINALS: &str = " der die das den dem des im vom zum beim ";

fn is_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '؟')
}

/// Words of spelled-out numbers; "one" is not among them, it mostly means something else.
pub(crate) const NUMBER_WORDS: &str = " two three four five six seven eight nine ten eleven twelve thirteen \
    fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy \
    eighty ninety \
    hundred hundreds thousand thousands million millions billion percent dozen ";

/// Whether a list of words, each between spaces, has this one.
pub(crate) fn holds(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else { return false };
    // Looked for at every word of every turn: most places are passed by at their first letter.
    let is_at = |at: usize| {
        list[at] == *first
            && list[at - 1] == b' '
            && list.get(at + word.len()) == Some(&b' ')
            && list[at..].starts_with(word)
    };
    (1..list.len()).any(is_at)
}

/// Whether `words` begin with the words of `phrase`.
pub(crate) fn begins_in(words: &[&str], phrase: &str) -> bool {
    let mut words = words.iter();
    phrase.split(' ').all(|word| words.next() == Some(&word))
}

/// Whether `words` end in the words of `phrase`.
pub(crate) fn ends_in(words: &[&str], phrase: &str) -> bool {
    let mut words = words.iter().rev();
    phrase.rsplit(' ').all(|word| words.next() == Some(&word))
}

/// Words, each with its meaning; made once, looked up for every word of every turn.
#[derive(Debug)]
pub(crate) struct Dictionary<T>(BTreeMap<&'static str, T>);

impl<T> Dictionary<T> {
    pub(crate) fn get(&self, word: &str) -> Option<&T> {
        self.0.get(word)
    }
}

impl<T> FromIterator<(&'static str, T)> for Dictionary<T> {
    /// The first of equal words holds.
    fn from_iter<I: IntoIterator<Item = (&'static str, T)>>(words: I) -> Self {
        let mut all = BTreeMap::new();
        for (word, meaning) in words {
            all.entry(word).or_insert(meaning);
        }
        Self(all)
    }
}

fn space(out: &mut String) {
    if !out.is_empty() {
        out.push(' ');
    }
}

/// Phrases, each with what it stands for; made once, looked up by their first word.
///
/// They are written one a line, in [`plain`] words: `a|b` is one of two words, a `?` after it says that it
/// may be left out, `_` is any word.
#[derive(Debug)]
pub(crate) struct Phrases<T>(Dictionary<Vec<(T, Vec<Slot>)>>);

/// One word of a phrase.
#[derive(Clone, Debug)]
struct Slot {
    /// Any word if there is none.
    words: Vec<&'static str>,
    may_lack: bool,
}

impl<T: Copy> Phrases<T> {
    /// The phrases of tables; which come first wins where two of the same length match.
    pub(crate) fn new(tables: impl IntoIterator<Item = (T, &'static str)>) -> Self {
        let mut phrases: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (means, table) in tables {
            for line in table.lines().map(str::trim).filter(|line| !line.is_empty()) {
                let mut slots = line.split_whitespace().map(Slot::new);
                let first = slots.next().expect("the line is not empty");
                assert!(
                    !first.may_lack && !first.words.is_empty(),
                    "`{line}` begins with anything"
                );
                let rest: Vec<Slot> = slots.collect();
                for word in first.words {
                    phrases.entry(word).or_default().push((means, rest.clone()));
                }
            }
        }
        Self(phrases.into_iter().collect())
    }

    /// What the longest phrase that begins at a word stands for, and where it ends.
    pub(crate) fn longest_at(&self, words: &[&str], at: usize) -> Option<(T, usize)> {
        let phrases = self.0.get(words.get(at)?)?;
        let after = &words[at + 1..];
        let mut best: Option<(T, usize)> = None;
        for (means, slots) in phrases {
            let Some(n) = longest(slots, after) else { continue };
            if best.is_none_or(|(_, end)| at + 1 + n > end) {
                best = Some((*means, at + 1 + n));
            }
        }
        best
    }

    /// Every place where a phrase begins: what it stands for, from where, to where.
    pub(crate) fn find(&self, words: &[&str]) -> impl Iterator<Item = (T, usize, usize)> {
        self.find_last(words, words.len())
    }

    /// The same among the last `within` words.
    pub(crate) fn find_last(
        &self,
        words: &[&str],
        within: usize,
    ) -> impl Iterator<Item = (T, usize, usize)> {
        let at = |from| self.longest_at(words, from).map(|(means, to)| (means, from, to));
        (words.len().saturating_sub(within)..words.len()).filter_map(at)
    }

    /// What the phrases stand for that make up all of the words; nothing if a word belongs to none.
    pub(crate) fn cover(&self, words: &[&str]) -> Option<Vec<T>> {
        let (mut at, mut meanings) = (0, Vec::new());
        while at < words.len() {
            let (means, end) = self.longest_at(words, at)?;
            meanings.push(means);
            at = end;
        }
        Some(meanings)
    }
}

impl Slot {
    fn new(text: &'static str) -> Self {
        let word = text.trim_end_matches('?');
        let words = if word == "_" { Vec::new() } else { word.split('|').collect() };
        Self { words, may_lack: word.len() < text.len() }
    }
}

/// How many words the slots take at most, if they can be filled.
fn longest(slots: &[Slot], words: &[&str]) -> Option<usize> {
    let Some((slot, slots)) = slots.split_first() else { return Some(0) };
    let fits = |word: &&str| slot.words.is_empty() || slot.words.contains(word);
    let taken = words.split_first().filter(|(word, _)| fits(word));
    let taken = taken.and_then(|(_, rest)| longest(slots, rest)).map(|n| n + 1);
    taken.max(if slot.may_lack { longest(slots, words) } else { None })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Contractions are written out, fillers left out.
    #[test]
    fn phrases_need_one_form_only() {
        for (text, want) in [
            ("I'd rather not, um, please", "i would rather not"),
            ("Let's stop; I can't, won't, didn't", "let us stop i can not will not did not"),
            ("uh", ""),
        ] {
            assert_eq!(plain(text), want, "{text}");
        }
    }

    /// T04: a full stop at a pause is none where the next segment goes on in small letters; what is empty
    /// says nothing.
    #[test]
    fn segments_are_joined() {
        for (segments, typed, want) in [
            (&["I led it.", "in Berlin."][..], &[][..], "I led it in Berlin."),
            (&["I led it.", "In Berlin."], &[], "I led it. In Berlin."),
            (&["I led it.", "", "in Berlin.", ""], &[], "I led it in Berlin."),
            (&["Did I lead it?", "in Berlin."], &[], "Did I lead it? in Berlin."),
            (&["", "in Berlin."], &[], "in Berlin."),
            (&["It grew by.", "5 percent."], &[], "It grew by. 5 percent."),
            (&["I led it."], &["in Berlin", "In 2019"], "I led it in Berlin In 2019"),
            (&["", ""], &[""], ""),
            (&[], &[], ""),
        ] {
            let segments = (1..).zip(segments.iter().map(|text| (*text).to_owned())).collect();
            let typed: Vec<String> = typed.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(joined(&segments, &typed), want, "{segments:?}, {typed:?}");
        }
    }

    /// A sentence ends at a mark before a blank; "3.5" stays whole.
    #[test]
    fn sentences_end_at_marks() {
        for (text, want) in [
            ("It took 3.5 weeks. Why? ", vec!["It took 3.5 weeks.", "Why?"]),
            ("Well… what?! Yes", vec!["Well…", "what?!", "Yes"]),
            ("そうです。はい", vec!["そうです。", "はい"]),
            (
                "Below 0.3 the report is skipped, e.g. in v2.1.3. See plan.md. Ask Dr. Keller.",
                vec![
                    "Below 0.3 the report is skipped, e.g. in v2.1.3.",
                    "See plan.md.",
                    "Ask Dr. Keller.",
                ],
            ),
            ("We sell pumps, valves etc. in Graz. They last.", {
                vec!["We sell pumps, valves etc. in Graz.", "They last."]
            }),
            ("We sell pumps etc. They last.", vec!["We sell pumps etc.", "They last."]),
            (
                "Das war z. B. am 3. Mai im 2. Quartal. Es waren 12. Dann kamen ca. 40 usw. dazu.",
                vec![
                    "Das war z. B. am 3. Mai im 2. Quartal.",
                    "Es waren 12.",
                    "Dann kamen ca. 40 usw. dazu.",
                ],
            ),
            (
                "Il sig. Rossi ha 3.500 file, ad es. fatture. Poi basta.",
                vec!["Il sig. Rossi ha 3.500 file, ad es. fatture.", "Poi basta."],
            ),
            (" ", vec![]),
        ] {
            assert_eq!(sentences(text).collect::<Vec<_>>(), want, "{text}");
        }
    }

    /// Phrases: alternatives, words that may lack, any word; the longest one wins.
    #[test]
    fn phrases_are_found() {
        let phrases = Phrases::new([('s', "stop|end the? talk\nstop"), ('m', "mean by _ _?")]);
        for (text, want) in [
            ("stop talk", Some(vec!['s'])),
            ("end the talk stop", Some(vec!['s', 's'])),
            ("mean by that", Some(vec!['m'])),
            ("mean by the stop stop", Some(vec!['m', 's'])),
            ("mean by", None),
            ("stop the", None),
            ("", Some(vec![])),
        ] {
            assert_eq!(phrases.cover(&split(text)), want, "{text}");
        }
        let found: Vec<_> = phrases.find(&["we", "stop", "the", "talk"]).collect();
        assert_eq!(found, [('s', 1, 4)]);
    }

    proptest! {
        /// Any Unicode: nothing panics, and sentences are parts of it.
        #[test]
        fn any_text_has_words_and_sentences(text in "\\PC{0,80}|(?s).{0,40}") {
            let _ = plain(&text);
            let together: usize = sentences(&text).map(str::len).sum();
            prop_assert!(together <= text.len());
        }

        /// A word is in a list if the list has it between spaces.
        #[test]
        fn lists_hold_words(list in " ([ab]{1,3} ){0,6}", word in "[ab]{0,3}") {
            let held = list.split(' ').any(|listed| !word.is_empty() && listed == word);
            prop_assert_eq!(holds(&list, &word), held);
        }
    }
}
