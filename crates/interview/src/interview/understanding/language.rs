//! In which language somebody speaks, by its function words (case 27).

use std::sync::LazyLock;

use crate::{
    blueprint,
    interview::understanding::words::{Dictionary, normal, split},
};

/// A language that candidates may speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// English.
    En,
    /// Italian.
    It,
    /// German.
    De,
    /// French.
    Fr,
    /// Spanish.
    Es,
}

impl From<blueprint::Language> for Language {
    fn from(held_in: blueprint::Language) -> Self {
        match held_in {
            blueprint::Language::English => Self::En,
            blueprint::Language::German => Self::De,
            blueprint::Language::Italian => Self::It,
        }
    }
}

/// Fewer words say nothing.
const WORDS_MIN: usize = 5;
/// So many must be function words of the language, and so many in a hundred.
const HITS_MIN: usize = 2;
const HITS_MIN_PERCENT: usize = 15;
/// And so many times as many as of any other language.
const LEAD_MIN: usize = 2;

/// Words that hardly any text does without, each in one list only: what two languages share tells nothing.
const FUNCTION_WORDS: [(Language, &str); 5] = [
    (
        Language::En,
        " the and of to is are was were be been i you we they he she it that this these those with \
            for from my \
        our your their have has had do did does not but because what which who how when where would could \
        should can will about there then than by on or if as i'm i've it's that's don't we're didn't very \
        just at some any all so ",
    ),
    (
        Language::It,
        " il gli di che è non per sono ho hai ha abbiamo hanno ero erano stato stata una della dei \
        delle nel nella nelle alla dal dalla sul sulla questo questa quello quella anche perché più molto \
        come quando mio mia miei nostro nostra loro io noi lavoro lavorato fatto poi cosa dove c'è \
        ed sempre degli agli ",
    ),
    (
        Language::De,
        " der das den dem und ich wir ihr ist sind war waren bin habe hat haben hatte nicht ein eine einen \
        einem einer mit für auf von zu zum zur dass weil aber oder auch noch nur sehr mein meine \
        unser unsere \
        bei nach aus über durch wie wenn wurde werden kann konnte dann da im am sie sich als ",
    ),
    (
        Language::Fr,
        " le les des du et est sont était j'ai je tu nous vous ils elle elles ce cette ces c'est \
            c'était pour \
        avec dans sur pas ne qui mais où mon ma mes notre nos leur leurs été avons avait ont très aussi plus \
        parce quand comme donc puis chez aux au j'étais d'une d'un qu'il n'est ",
    ),
    (
        Language::Es,
        " el los las y son fue estaba yo nosotros ellos ella hemos había tengo para por pero \
        porque también muy más cuando donde dónde qué cómo mi mis nuestro nuestra su sus este esta eso esto \
        trabajo trabajé desde hasta entonces sí soy estoy años año trabajado empresa ",
    ),
];

static LANGUAGE_OF: LazyLock<Dictionary<Language>> = LazyLock::new(|| {
    let words = FUNCTION_WORDS.iter().map(|(language, list)| (language, list.split_whitespace()));
    words.flat_map(|(language, words)| words.map(|word| (word, *language))).collect()
});

/// The language of a text; nothing when it is short, mixed or unclear, so that single foreign words change
/// nothing.
pub fn language(text: &str) -> Option<Language> {
    clear(&split(&normal(text)))
}

/// Whether a text is clearly in another language than the one that the interview is held in.
pub(crate) fn is_foreign(text: &str, held_in: blueprint::Language) -> bool {
    language(text).is_some_and(|spoken| spoken != held_in.into())
}

/// The same for words that are [`normal`].
pub(crate) fn clear(words: &[&str]) -> Option<Language> {
    let mut hits = hits(words);
    hits.sort_by_key(|(_, hits)| std::cmp::Reverse(*hits));
    let [(language, best), (_, second), ..] = hits;
    let is_clear = best >= HITS_MIN && best * 100 >= HITS_MIN_PERCENT * words.len();
    (words.len() >= WORDS_MIN && is_clear && best >= LEAD_MIN * second).then_some(language)
}

/// Whether hardly any text of some language does without a word, which is [`normal`].
pub(crate) fn is_function_word(word: &str) -> bool {
    LANGUAGE_OF.get(word).is_some()
}

/// How many function words of each language there are among `words`, which are [`normal`].
pub(crate) fn hits(words: &[&str]) -> [(Language, usize); 5] {
    let mut hits = FUNCTION_WORDS.map(|(language, _)| (language, 0));
    for language in words.iter().filter_map(|word| LANGUAGE_OF.get(word)) {
        let found = hits.iter_mut().find(|(of, _)| of == language);
        found.expect("every language has a list").1 += 1;
    }
    hits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Case 27: clear turns are told apart; short, mixed and unknown ones are not, and single foreign words
    /// change nothing.
    #[test]
    fn languages_are_told_by_their_small_words() {
        use Language::{De, En, Es, Fr, It};
        for (text, want) in [
            ("I have been working at a bank for three years.", Some(En)),
            ("we moved the ledger to postgres because it was slow", Some(En)),
            ("i worked at volkswagen and the team was called kundendienst", Some(En)),
            ("We called it the Gesamtkunstwerk, and everybody was happy with it.", Some(En)),
            ("my favourite project was la casa de papel for netflix", Some(En)),
            ("Ho lavorato per tre anni in una banca a Milano.", Some(It)),
            ("abbiamo fatto il deploy della nuova app con il team", Some(It)),
            ("il processo di approvazione richiede tre livelli di firma", Some(It)),
            ("Ich habe drei Jahre bei einer Bank in München gearbeitet.", Some(De)),
            ("wir haben das backend auf kubernetes umgezogen weil es zu langsam war", Some(De)),
            ("J'ai travaillé trois ans dans une banque à Paris.", Some(Fr)),
            ("nous avons refait le site avec une nouvelle équipe", Some(Fr)),
            ("He trabajado tres años en un banco en Madrid.", Some(Es)),
            ("estoy muy orgullosa de mi equipo y del proyecto", Some(Es)),
            // Short.
            ("Ich habe keine Ahnung", None),
            ("yes of course", None),
            ("", None),
            // Mixed.
            ("I was at the bank, dann habe ich bei der Post gearbeitet", None),
            ("we have il problema che non è the best", None),
            // Unknown, or without function words.
            ("Rust, Python, Go, Kubernetes, Docker, Postgres", None),
            (
                "Rust, Python, Go, Kubernetes, Docker, Postgres, Kafka, Redis, Linux, Ansible, \
                    Jenkins, Vault, il lavoro",
                None,
            ),
            ("Pracowałem trzy lata w banku w Warszawie", None),
            ("я работал три года в банке в москве", None),
            ("私は三年間銀行で働いていました。", None),
        ] {
            assert_eq!(language(text), want, "{text}");
        }
    }

    /// A word that two languages share would tell nothing.
    #[test]
    fn lists_share_little() {
        let mut lists: BTreeMap<&str, Vec<Language>> = BTreeMap::new();
        for (language, list) in FUNCTION_WORDS {
            for word in list.split_whitespace() {
                lists.entry(word).or_default().push(language);
            }
        }
        lists.retain(|_, languages| languages.len() > 1);
        assert!(lists.is_empty(), "{lists:?}");
    }

    proptest! {
        /// Any Unicode is taken without a panic, and case and punctuation make no difference.
        #[test]
        fn any_text_has_a_language_or_none(text in "(?s).{0,80}") {
            prop_assert_eq!(language(&text), language(&normal(&text)));
        }
    }
}
