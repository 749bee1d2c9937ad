//! Whether a question was asked before (A02).

use std::collections::VecDeque;

use crate::interview::understanding::words::{normal, split};

/// So many of the last questions are compared by likeness; older ones by their words only.
const ALIKE_AMONG: usize = 60;
/// Shared words of all words, in hundredths (Jaccard).
const JACCARD_MIN: usize = 72;
/// The same when the first words are the same.
const JACCARD_MIN_SAME_START: usize = 45;
/// How many words make a start.
const START_WORDS: usize = 4;
/// Shared trigrams of letters, in hundredths (Dice), and how many words a question needs for that.
const DICE_MIN: usize = 87;
const DICE_WORDS_MIN: usize = 5;

/// Whether `question` repeats one of those `asked`, the oldest first: in the same words, or in almost the
/// same as one of the last 60.
pub fn is_duplicate<'a>(question: &str, asked: impl IntoIterator<Item = &'a str>) -> bool {
    let question = Question::new(question);
    if question.text.is_empty() {
        return false;
    }
    let mut latest = VecDeque::with_capacity(ALIKE_AMONG);
    for other in asked {
        let other = normal(other);
        if other == question.text {
            return true;
        }
        if latest.len() == ALIKE_AMONG {
            latest.pop_front();
        }
        latest.push_back(other);
    }
    latest.iter().any(|other| question.is_like(other))
}

/// A question, made ready for many comparisons.
struct Question {
    text: String,
    /// Its words, sorted, each once.
    words: Vec<String>,
    trigrams: Vec<[char; 3]>,
}

impl Question {
    fn new(question: &str) -> Self {
        let text = normal(question);
        let words = set(split(&text)).into_iter().map(str::to_owned).collect();
        let trigrams = trigrams(&text);
        Self { text, words, trigrams }
    }

    fn is_like(&self, other: &str) -> bool {
        let (ours, theirs) = (split(&self.text), split(other));
        let starts = ours.len() >= START_WORDS
            && theirs.len() >= START_WORDS
            && ours[..START_WORDS] == theirs[..START_WORDS];
        let long = ours.len().min(theirs.len()) >= DICE_WORDS_MIN;
        let words = set(theirs);
        let shared = words.iter().filter(|word| self.has(word)).count();
        let all = self.words.len() + words.len() - shared;
        let min = if starts { JACCARD_MIN_SAME_START } else { JACCARD_MIN };
        (all > 0 && shared * 100 >= min * all) || (long && self.dice_is_high(other))
    }

    fn has(&self, word: &str) -> bool {
        self.words.binary_search_by(|own| own.as_str().cmp(word)).is_ok()
    }

    fn dice_is_high(&self, other: &str) -> bool {
        let other = trigrams(other);
        let shared = other.iter().filter(|t| self.trigrams.binary_search(t).is_ok()).count();
        let both = self.trigrams.len() + other.len();
        both > 0 && 2 * shared * 100 >= DICE_MIN * both
    }
}

/// Three letters in a row, a space among them too; sorted, each once.
fn trigrams(text: &str) -> Vec<[char; 3]> {
    let chars: Vec<char> = text.chars().collect();
    set(chars.windows(3).map(|c| [c[0], c[1], c[2]]).collect())
}

fn set<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items.dedup();
    items
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A02: each threshold, just over and just under it.
    #[test]
    fn questions_that_are_the_same() {
        for (asked, question, want) in [
            // The same words.
            ("What was the result?", "what was — the RESULT", true),
            ("Why?", "why", true),
            ("", "", false),
            ("?", "!", false),
            // Jaccard of 8/11 = 0.727, of 5/7 = 0.714, of 18/25 = 0.72.
            ("a b c d e f g h i", "z a b c d e f g h y", true),
            ("a b c d e f", "z a b c d e", false),
            (
                "a b c d e f g h i j k l m n o p q r 1 2 3",
                "z y x w a b c d e f g h i j k l m n o p q r",
                true,
            ),
            // The same four words first, and Jaccard of 5/11 = 0.4545, of 4/9 = 0.44, of 9/20 = 0.45.
            ("a b c d e f g h", "a b c d e i j k", true),
            ("a b c d e f g", "a b c d h i", false),
            ("a b c d e f g h i 1 2 3 4 5", "a b c d e f g h i j k l m n o", true),
            // Three only.
            ("a b c x e f g h d", "a b c d e i j k", false),
            // Three of 13 words are shared, and of 100 trigrams 87; then of 99 trigrams 86.
            (
                "hudonusacega sapahocoroba tafuparegode nekecufamapo raganuconebo cipulohiberi \
                    dupugumuficu fitimesetil",
                "hudonusacega sapahocorobs tafuparegode nekecufamaph raganuconebg cipulohiberi \
                    dupugumuficb fitimesetir",
                true,
            ),
            (
                "tulekitaciho timifagegera fadinadupugu ripocogolofa denisemegodo hotonegicuhe \
                    potaputunocu midamomebo",
                "tulekitaciho timifagegeri fadinadupugu ripocogolofd denisemegodp hotonegicuhe \
                    potaputunocp midamomebh",
                false,
            ),
            // Not with fewer than five words.
            (
                "concerningthearchitecture modernisationprojects inthesecondquarter aroundthefoundations",
                "concerningthearchitectures modernisationproject inthesecondquarter aroundthefoundations",
                false,
            ),
            (
                "concerningthearchitecture modernisationprojects inthesecondquarter aroundthefoundations x",
                "concerningthearchitectures modernisationproject inthesecondquarter aroundthefoundations x",
                true,
            ),
            // Other questions.
            ("What was your own part in it?", "What was the result?", false),
            ("How did you carry it out?", "How did you test it?", false),
        ] {
            assert_eq!(is_duplicate(question, [asked]), want, "{asked} / {question}");
        }
    }

    /// A02: the same words count over the whole interview, almost the same ones over the last 60 questions.
    #[test]
    fn likeness_is_looked_for_among_the_last_sixty() {
        let others: Vec<String> = (0..60).map(|n| format!("q{n} r{n} s{n}")).collect();
        let first = "a b c d e f g h i";
        let alike = "z a b c d e f g h y";
        let asked = |n: usize| {
            let others = others.iter().take(n).map(String::as_str);
            std::iter::once(first).chain(others).collect::<Vec<_>>()
        };
        assert!(is_duplicate(alike, asked(59)));
        assert!(!is_duplicate(alike, asked(60)));
        assert!(is_duplicate(first, asked(60)));
    }

    proptest! {
        /// A02: any Unicode is taken; a question is a duplicate of itself however it is written.
        #[test]
        fn any_question_repeats_itself(question in "(?s).{0,60}", other in "\\PC{0,60}") {
            let said = normal(&question);
            let shouted = format!("  {} ?!", said);
            prop_assert_eq!(is_duplicate(&question, [shouted.as_str()]), !said.is_empty());
            prop_assert_eq!(
                is_duplicate(&question, [other.as_str()]), is_duplicate(&other, [question.as_str()])
            );
        }
    }
}
