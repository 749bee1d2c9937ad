//! What somebody takes back, and what they say instead (A06, case 41).

use std::sync::LazyLock;

use crate::interview::understanding::words::{NUMBER_WORDS, Phrases, holds, normal};

/// What was said wrong and what is right, `(old, new)`, in the candidate's words, where both can be read off:
/// "sorry, 2021, not 2019", "not Berlin, Munich", "in 2019, I mean 2021".
pub fn correction(text: &str) -> Option<(String, String)> {
    let mut said: Vec<Word> = text.split_whitespace().filter_map(Word::new).collect();
    for n in 1..said.len() {
        // "Twenty one", but "the other one".
        if said[n].normal == "one" && said[n - 1].kind == Kind::Number {
            said[n].kind = Kind::Number;
        }
    }
    let normal: Vec<&str> = said.iter().map(|word| word.normal.as_str()).collect();
    let turn = Turn { said: &said, normal: &normal };
    let marks = || MARKS.find(&normal);
    let found = marks().find_map(|(mark, _, at)| turn.right_not_wrong(mark, at));
    let found = found.or_else(|| turn.not_wrong_right(0, Mark::Weak));
    let found = found.or_else(|| marks().find_map(|(mark, _, at)| turn.not_wrong_right(at, mark)));
    found.or_else(|| marks().find_map(|(mark, from, at)| turn.wrong_mark_right(mark, from, at)))
}

/// How clearly words say that something is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Strong,
    /// It counts only between two things of a kind.
    Weak,
}

static MARKS: LazyLock<Phrases<Mark>> =
    LazyLock::new(|| Phrases::new([(Mark::Strong, STRONG), (Mark::Weak, WEAK)]));

const STRONG: &str = "
    sorry no|i? mean|meant?
    i'm sorry
    i mean|meant
    no wait|sorry
    no i mean|meant
    wait no|sorry?
    or rather
    correction
    oops
    scratch that
    make that
    excuse me
    pardon
";
const WEAK: &str = "
    no
    actually
";

/// Words between a mark and what is right, or between "not" and what is wrong.
const LEAD_INS: &str = " it it's was is that that's in from at to for about with the a an i meant mean said \
    of on by ";
/// With one of these it is a sentence of its own, not a correction.
const TELLING: &str = " i i'm i've i'd you you're we we're they he she it it's this that's there my \
    your our and \
    but or if is are was were be been am do did does don't didn't have has had can can't could will \
    would should \
    not no yes yeah really very quite so too sure right maybe perhaps probably still yet always \
    never ever only \
    just even also much more many enough good bad great okay ok fine well easy hard ready able \
    allowed certain \
    exactly entirely completely what why how who when where which the a an all any some now today \
    here again know \
    think remember interested really thanks thank please sorry ";
/// What is right, or wrong, has so many words at most.
const WORDS_MAX: usize = 3;

/// A word as it was said.
struct Word {
    /// Without the marks around it.
    text: String,
    normal: String,
    kind: Kind,
    /// A comma or more follows.
    breaks: bool,
    /// A sentence ends here.
    ends: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Name,
    Other,
}

impl Word {
    fn new(raw: &str) -> Option<Self> {
        let normal = normal(raw).replace(' ', "-");
        let text =
            raw.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '%'));
        if normal.is_empty() {
            return None;
        }
        let kind = if raw.contains(char::is_numeric) || holds(NUMBER_WORDS, &normal) {
            Kind::Number
        } else if text.starts_with(char::is_uppercase) && !holds(TELLING, &normal) {
            Kind::Name
        } else {
            Kind::Other
        };
        let ends = raw.ends_with(['.', '!', '?', '…', ';']);
        Some(Self { text: text.to_owned(), normal, kind, breaks: ends || raw.ends_with(','), ends })
    }
}

struct Turn<'a> {
    said: &'a [Word],
    normal: &'a [&'a str],
}

/// Some words of a turn, all of one kind.
#[derive(Clone, Copy)]
struct Part<'a> {
    words: &'a [Word],
    /// Where they end.
    end: usize,
}

impl Part<'_> {
    fn kind(&self) -> Kind {
        self.words[0].kind
    }

    fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }

    /// Whether this is a thing, and not the begin of a sentence.
    fn is_thing(&self) -> bool {
        self.words.iter().all(|w| !holds(TELLING, &w.normal) && !w.normal.ends_with("ly"))
    }

    /// What they took back and what they said instead, if `self` is right and `wrong` is wrong.
    fn instead_of(&self, wrong: &Self, mark: Mark) -> Option<(String, String)> {
        let same_kind = self.kind() == wrong.kind() && self.kind() != Kind::Other;
        let differs = normal(&self.text()) != normal(&wrong.text());
        let holds = same_kind || (mark == Mark::Strong && self.is_thing() && wrong.is_thing());
        (holds && differs).then(|| (wrong.text(), self.text()))
    }
}

impl<'a> Turn<'a> {
    /// "sorry, it was 2021, not 2019", after the mark.
    fn right_not_wrong(&self, mark: Mark, at: usize) -> Option<(String, String)> {
        let right = self.part(self.past_lead_ins(self.past_marks(at)))?;
        if self.normal.get(right.end) != Some(&"not") {
            return None;
        }
        let wrong = self.part(self.past_lead_ins(right.end + 1))?;
        let ends =
            wrong.end == self.said.len() || wrong.words.last().is_some_and(|word| word.breaks);
        let ends = ends || wrong.kind() != Kind::Other;
        right.instead_of(&wrong, mark).filter(|_| ends)
    }

    /// "not Berlin, Munich", "not 2019 but 2021", at the start of a turn or after the mark.
    fn not_wrong_right(&self, at: usize, mark: Mark) -> Option<(String, String)> {
        let at = self.past_marks(at);
        let at = if self.normal.get(at) == Some(&"not") { at } else { self.past_lead_ins(at) };
        if self.normal.get(at) != Some(&"not") {
            return None;
        }
        let wrong = self.part(self.past_lead_ins(at + 1))?;
        let but = self.normal.get(wrong.end) == Some(&"but");
        let right = self.part(self.past_lead_ins(wrong.end + usize::from(but)))?;
        let ends = right.end == self.said.len() || right.words.last().is_some_and(|word| word.ends);
        // Without "but" between them only numbers and names can be told apart.
        let mark = if but { mark } else { Mark::Weak };
        right.instead_of(&wrong, mark).filter(|_| ends)
    }

    /// "in 2019, I mean 2021": the mark from `from` to `at` stands between.
    fn wrong_mark_right(&self, mark: Mark, from: usize, at: usize) -> Option<(String, String)> {
        let wrong = self.part_before(from)?;
        let right = self.part(self.past_lead_ins(self.past_marks(at)))?;
        let same = right.kind() == wrong.kind() && right.kind() != Kind::Other;
        // "No" is an answer, too; before a name it mostly is one. A sentence that is over is taken back in
        // one.
        let clear = mark == Mark::Strong || right.kind() == Kind::Number;
        let over = wrong.words.last().is_some_and(|word| word.ends);
        let ends =
            right.end == self.said.len() || right.words.last().is_some_and(|word| word.breaks);
        right.instead_of(&wrong, Mark::Weak).filter(|_| same && clear && (!over || ends))
    }

    fn past_marks(&self, mut at: usize) -> usize {
        while let Some((_, end)) = MARKS.longest_at(self.normal, at) {
            at = end;
        }
        at
    }

    fn past_lead_ins(&self, mut at: usize) -> usize {
        while self.normal.get(at).is_some_and(|word| holds(LEAD_INS, word)) {
            at += 1;
        }
        at
    }

    /// The number or the name that begins at `at`; other words up to a comma, a "not" or a "but".
    fn part(&self, at: usize) -> Option<Part<'a>> {
        let first = self.said.get(at)?;
        let mut end = at + 1;
        while end < self.said.len() && !self.said[end - 1].breaks && end - at <= WORDS_MAX {
            let goes_on =
                self.said[end].kind == first.kind && !holds(" not but ", self.normal[end]);
            if !goes_on {
                break;
            }
            end += 1;
        }
        let fits = end - at <= WORDS_MAX || first.kind == Kind::Number;
        (fits && !holds(" not but ", self.normal[at]))
            .then(|| Part { words: &self.said[at..end], end })
    }

    /// The number or the name that ends before `at`.
    fn part_before(&self, at: usize) -> Option<Part<'a>> {
        let last = self.said.get(at.checked_sub(1)?)?;
        let mut from = at - 1;
        while from > 0 && at - from < WORDS_MAX + 1 {
            let word = &self.said[from - 1];
            if word.kind != last.kind || word.breaks {
                break;
            }
            from -= 1;
        }
        (last.kind != Kind::Other).then(|| Part { words: &self.said[from..at], end: at })
    }
}

/// Whether a text has a word that takes something back.
pub(super) fn may_correct(words: &[&str]) -> bool {
    words.iter().any(|word| {
        holds(
            " sorry mean meant wait rather correct correction misspoke oops scratch make pardon \
            no not actually excuse ",
            word,
        )
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A06, case 41: both values are read off where they can be, and only there.
    #[test]
    fn both_values_are_read_off() {
        for (said, want) in [
            ("sorry 2021 not 2019", Some(("2019", "2021"))),
            ("Sorry, 2021, not 2019.", Some(("2019", "2021"))),
            (
                "It was in 2019. Sorry, it was in 2021, not in 2019. We were ten people.",
                Some(("2019", "2021")),
            ),
            (
                "no wait it was twenty twenty one not twenty nineteen",
                Some(("twenty nineteen", "twenty twenty one")),
            ),
            ("actually it was 5 not 6", Some(("6", "5"))),
            ("Not Berlin, Munich.", Some(("Berlin", "Munich"))),
            ("No, not New York, Los Angeles.", Some(("New York", "Los Angeles"))),
            ("not 2019 but 2021", Some(("2019", "2021"))),
            ("sorry not berlin but munich", Some(("berlin", "munich"))),
            ("sorry i meant react not angular", Some(("angular", "react"))),
            ("I joined in 2019, I mean 2021, as a lead", Some(("2019", "2021"))),
            ("we were five sorry six people", Some(("five", "six"))),
            ("it took 3.5 no 4.5 weeks", Some(("3.5", "4.5"))),
            ("I was in Berlin, sorry, Munich, at that time.", Some(("Berlin", "Munich"))),
            (
                "twenty nineteen i mean twenty twenty one",
                Some(("twenty nineteen", "twenty twenty one")),
            ),
            ("I used C, sorry, C++", Some(("C", "C++"))),
            // One of them is missing, or they are no correction.
            ("sorry I meant 2021", None),
            ("not Berlin", None),
            ("sorry, not sure", None),
            ("sorry I'm not sure about that", None),
            ("I'm sorry, that's not right", None),
            ("not really, no", None),
            ("Not bad, thanks", None),
            ("No, not yet, sorry.", None),
            ("no not perfect but good", None),
            ("it was a marathon, not a sprint", None),
            ("We used Rust, not Go.", None),
            ("it was good, I mean really good", None),
            ("We had no Munich office in Berlin.", None),
            ("I mean, it was 2021", None),
            ("2019, sorry, 2019", None),
            ("we had to wait, not long", None),
            ("", None),
        ] {
            let want = want.map(|(old, new)| (old.to_owned(), new.to_owned()));
            assert_eq!(correction(said), want, "{said}");
        }
    }

    proptest! {
        /// A06: any Unicode is taken; any two numbers are told apart.
        #[test]
        fn any_two_numbers(text in "(?s).{0,60}", old in 1_u32..3000, new in 3000_u32..9000) {
            let _ = correction(&text);
            let want = Some((old.to_string(), new.to_string()));
            for said in [format!("sorry {new} not {old}"), format!("not {old}, \
                {new}"), format!("{old} i mean {new}")] {
                prop_assert_eq!(correction(&said), want.clone());
            }
        }
    }
}
