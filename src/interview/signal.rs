//! How much there is in an answer (A03). Steers the depth of questions only; never a judgement of a person.

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
}
