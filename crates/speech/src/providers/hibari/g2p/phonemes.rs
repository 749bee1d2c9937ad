//! Misaki's alphabet of phonemes, and the stress of words.

pub(super) const PRIMARY: char = 'ˈ';
pub(super) const SECONDARY: char = 'ˌ';
const VOWELS: &str = "AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ";
const CONSONANTS: &str = "bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ";
const LONG: &str = "AIOQWYʤʧ";
/// The marks that end a phrase.
const ENDS: &str = ";:,.!?—…";
/// The phonemes after which a "t" between vowels becomes a flap.
const BEFORE_FLAP: &str = "AIOWYiuæɑəɛɪɹʊʌ";

/// The change of a word's stress against the lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stress {
    /// No stress.
    Removed,
    /// Less stress than the words around it.
    Lowered,
    /// Secondary stress only.
    Secondary,
    /// The stress of a Capitalised word: at least a little.
    Capital,
    /// The stress of a word in CAPITALS.
    Capitals,
}

/// Returns the phonemes with another stress.
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

/// Returns the phonemes with a mark before the first vowel, if there is one.
fn marked(phonemes: &str, mark: char) -> String {
    let Some(at) = phonemes.find(is_vowel) else { return phonemes.to_owned() };
    format!("{}{mark}{}", &phonemes[..at], &phonemes[at..])
}

/// Returns the length of a word: 2 for a diphthong or affricate, 1 for any other phoneme.
pub(super) fn weight(phonemes: &str) -> usize {
    phonemes.chars().map(|phoneme| if LONG.contains(phoneme) { 2 } else { 1 }).sum()
}

pub(super) fn is_vowel(phoneme: char) -> bool {
    VOWELS.contains(phoneme)
}

/// Whether a mark ends a phrase.
pub(super) fn is_end(character: char) -> bool {
    ENDS.contains(character)
}

/// Returns whether a word begins with a vowel; `Some(None)` if it begins with the end of a phrase; `None` if
/// there is neither.
pub(super) fn begins_with_vowel(phonemes: &str) -> Option<Option<bool>> {
    let first = phonemes.chars().find(|c| is_vowel(*c) || CONSONANTS.contains(*c) || is_end(*c))?;
    Some((!is_end(first)).then(|| is_vowel(first)))
}

/// Returns a word with the "s" of a plural or a verb.
pub(super) fn with_s(stem: &str) -> Option<String> {
    Some(match stem.chars().next_back()? {
        'p' | 't' | 'k' | 'f' | 'θ' => format!("{stem}s"),
        's' | 'z' | 'ʃ' | 'ʒ' | 'ʧ' | 'ʤ' => format!("{stem}ᵻz"),
        _ => format!("{stem}z"),
    })
}

/// Returns a word with the "ed" of a past tense.
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

/// Returns a word with "ing".
pub(super) fn with_ing(stem: &str) -> Option<String> {
    stem.chars().next_back()?;
    Some(format!("{}ɪŋ", flapped(stem).as_deref().unwrap_or(stem)))
}

/// Returns a word with a flap for the "t" at its end, where one is spoken.
fn flapped(stem: &str) -> Option<String> {
    let stem = stem.strip_suffix('t')?;
    BEFORE_FLAP.contains(stem.chars().next_back()?).then(|| format!("{stem}ɾ"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stress is removed, lowered, and added before a word's first vowel.
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

    /// The sound of an ending depends on the sound before it.
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
