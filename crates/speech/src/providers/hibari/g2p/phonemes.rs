//! The alphabet of phonemes, Misaki's, and the stress in a word.

pub(super) const PRIMARY: char = 'ˈ';
pub(super) const SECONDARY: char = 'ˌ';
const VOWELS: &str = "AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ";
const CONSONANTS: &str = "bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ";
const LONG: &str = "AIOQWYʤʧ";
/// Marks behind which a word is the last of its phrase.
const ENDS: &str = ";:,.!?—…";
/// After these a "t" between vowels becomes a flap.
const BEFORE_FLAP: &str = "AIOWYiuæɑəɛɪɹʊʌ";

/// How strongly a word is to be stressed, besides what the lexicon says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stress {
    /// Not at all.
    Removed,
    /// Less than the words around it.
    Lowered,
    /// No syllable stands out.
    Secondary,
    /// As a Capitalised word: at least a little.
    Capital,
    /// As a word in CAPITALS.
    Capitals,
}

/// The same phonemes with another stress.
pub(super) fn stressed(phonemes: &str, stress: Option<Stress>) -> String {
    let has = |mark: char| phonemes.contains(mark);
    let is_plain = !has(PRIMARY) && !has(SECONDARY);
    match stress {
        Some(Stress::Removed) => phonemes.replace([PRIMARY, SECONDARY], ""),
        Some(Stress::Lowered | Stress::Secondary) if has(PRIMARY) => {
            phonemes.replace(SECONDARY, "").replace(PRIMARY, "ˌ")
        }
        Some(Stress::Secondary | Stress::Capital) if is_plain => marked(phonemes, SECONDARY),
        Some(Stress::Capitals) if is_plain => marked(phonemes, PRIMARY),
        Some(Stress::Capitals) if !has(PRIMARY) => phonemes.replace(SECONDARY, "ˈ"),
        _ => phonemes.to_owned(),
    }
}

/// With a mark before the first vowel, if there is one.
fn marked(phonemes: &str, mark: char) -> String {
    let Some(at) = phonemes.find(is_vowel) else { return phonemes.to_owned() };
    format!("{}{mark}{}", &phonemes[..at], &phonemes[at..])
}

/// How long a word is: 2 for a diphthong or affricate, 1 for anything else.
pub(super) fn weight(phonemes: &str) -> usize {
    phonemes.chars().map(|phoneme| if LONG.contains(phoneme) { 2 } else { 1 }).sum()
}

pub(super) fn is_vowel(phoneme: char) -> bool {
    VOWELS.contains(phoneme)
}

/// Whether it ends a phrase.
pub(super) fn is_end(character: char) -> bool {
    ENDS.contains(character)
}

/// Whether a word begins with a vowel, or with nothing but the end of a phrase (`None` within); `None` if it
/// says neither.
pub(super) fn begins_with_vowel(phonemes: &str) -> Option<Option<bool>> {
    let first = phonemes.chars().find(|c| is_vowel(*c) || CONSONANTS.contains(*c) || is_end(*c))?;
    Some((!is_end(first)).then(|| is_vowel(first)))
}

/// The word with a plural's or a verb's "s".
pub(super) fn with_s(stem: &str) -> Option<String> {
    Some(match stem.chars().next_back()? {
        'p' | 't' | 'k' | 'f' | 'θ' => format!("{stem}s"),
        's' | 'z' | 'ʃ' | 'ʒ' | 'ʧ' | 'ʤ' => format!("{stem}ᵻz"),
        _ => format!("{stem}z"),
    })
}

/// The word with a past tense's "ed".
pub(super) fn with_ed(stem: &str) -> Option<String> {
    Some(match stem.chars().next_back()? {
        'p' | 'k' | 'f' | 'θ' | 'ʃ' | 's' | 'ʧ' => format!("{stem}t"),
        'd' => format!("{stem}ᵻd"),
        't' => match flapped(stem) {
            Some(stem) => format!("{stem}ᵻd"),
            None if stem == "t" => "tɪd".to_owned(),
            None => format!("{stem}ᵻd"),
        },
        _ => format!("{stem}d"),
    })
}

/// The word with "ing".
pub(super) fn with_ing(stem: &str) -> Option<String> {
    stem.chars().next_back()?;
    Some(format!("{}ɪŋ", flapped(stem).as_deref().unwrap_or(stem)))
}

/// The word with a flap for the "t" at its end, where one is spoken.
fn flapped(stem: &str) -> Option<String> {
    let stem = stem.strip_suffix('t')?;
    BEFORE_FLAP.contains(stem.chars().next_back()?).then(|| format!("{stem}ɾ"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stress is taken away, lowered, and put before a word's first vowel.
    #[test]
    fn stress_is_changed() {
        for (phonemes, stress, expected) in [
            ("ˈʌndəɹstˌænd", None, "ˈʌndəɹstˌænd"),
            ("ˈʌndəɹstˌænd", Some(Stress::Removed), "ʌndəɹstænd"),
            ("ˈʌndəɹstˌænd", Some(Stress::Lowered), "ˌʌndəɹstænd"),
            ("ˈʌndəɹstˌænd", Some(Stress::Secondary), "ˌʌndəɹstænd"),
            ("ˈʌndəɹstˌænd", Some(Stress::Capitals), "ˈʌndəɹstˌænd"),
            ("stɹˌAt", Some(Stress::Lowered), "stɹˌAt"),
            ("stɹˌAt", Some(Stress::Capitals), "stɹˈAt"),
            ("ðət", Some(Stress::Secondary), "ðˌət"),
            ("ðət", Some(Stress::Capital), "ðˌət"),
            ("ðət", Some(Stress::Capitals), "ðˈət"),
            ("ðət", Some(Stress::Lowered), "ðət"),
            ("s", Some(Stress::Capitals), "s"),
            ("", Some(Stress::Secondary), ""),
        ] {
            assert_eq!(stressed(phonemes, stress), expected, "{phonemes} {stress:?}");
        }
    }

    /// Endings follow the sound before them.
    #[test]
    fn endings_follow_their_stem() {
        for (stem, s, ed, ing) in [
            ("wˈɔk", "wˈɔks", "wˈɔkt", "wˈɔkɪŋ"),
            ("pˈæs", "pˈæsᵻz", "pˈæst", "pˈæsɪŋ"),
            ("bˈɪld", "bˈɪldz", "bˈɪldᵻd", "bˈɪldɪŋ"),
            ("stˈɑɹt", "stˈɑɹts", "stˈɑɹɾᵻd", "stˈɑɹɾɪŋ"),
            ("tˈɛst", "tˈɛsts", "tˈɛstᵻd", "tˈɛstɪŋ"),
            ("plˈA", "plˈAz", "plˈAd", "plˈAɪŋ"),
            ("t", "ts", "tɪd", "tɪŋ"),
        ] {
            let all = [with_s(stem), with_ed(stem), with_ing(stem)].map(Option::unwrap);
            assert_eq!(all, [s, ed, ing], "{stem}");
        }
        assert_eq!([with_s(""), with_ed(""), with_ing("")], [None, None, None]);
    }
}
