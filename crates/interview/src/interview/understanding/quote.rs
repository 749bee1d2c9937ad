//! Whether a quote was really said (X02): nothing is taken down that the candidate did not say.

use crate::interview::understanding::words::normal;

/// Whether `quote` is a contiguous run of words of `said`, whatever the case, punctuation and white space; an
/// empty one is not.
pub fn is_span(quote: &str, said: &str) -> bool {
    let quote = normal(quote);
    !quote.is_empty() && format!(" {} ", normal(said)).contains(&format!(" {quote} "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// X02, invariant 9: a span is contiguous, of whole words, and not empty.
    #[test]
    fn what_was_said_is_a_span() {
        let said =
            "Well, I've been at Siemens since 2019 -- as a C++ developer, mostly on \"Ledger\".";
        for (quote, want) in [
            ("at Siemens since 2019", true),
            ("AT SIEMENS,  since 2019.", true),
            ("i’ve been", true),
            ("2019 as a C++ developer", true),
            ("Ledger", true),
            (said, true),
            ("at Siemens 2019", false),
            ("since 201", false),
            ("iemens since", false),
            ("as a C developer", false),
            ("Siemens... developer", false),
            ("", false),
            (" ?! ", false),
        ] {
            assert_eq!(is_span(quote, said), want, "{quote}");
        }
        assert!(is_span("日本語", "私は日本語を話します。"));
        assert!(!is_span("word", ""));
    }

    proptest! {
        /// X02: any run of words that were said is a span, written however; with a word between, it is none.
        #[test]
        fn any_run_of_words_is_a_span(
            words in prop::collection::vec("[a-zäé0-9]{1,6}", 1..12), from in 0..12_usize, n in 1..12_usize,
        ) {
            let from = from % words.len();
            let run = &words[from..(from + n).min(words.len())];
            prop_assert!(is_span(&run.join(" ,\n").to_uppercase(), &words.join(" ")));
            prop_assert!(!is_span(&run.join(" neverwas "), &words.join(" ")) || run.len() == 1);
        }

        /// Any Unicode is taken without a panic.
        #[test]
        fn any_text_is_taken(quote in "(?s).{0,40}", said in "(?s).{0,60}") {
            prop_assert!(is_span(&said, &said) != normal(&said).is_empty());
            let _ = is_span(&quote, &said);
        }
    }
}
