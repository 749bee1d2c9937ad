//! How many words of a transcript are wrong.

/// Words alone, in small letters.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text = text.replace("Mr.", "mister").replace('-', " ");
    let letters = |word: &str| {
        let kept = word.chars().filter(|c| c.is_alphanumeric() || *c == '\'');
        kept.collect::<String>().to_lowercase()
    };
    text.split_whitespace().map(letters).filter(|word| !word.is_empty()).collect()
}

/// Words that have to be put in, taken out or changed.
pub(crate) fn errors(said: &[String], heard: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=heard.len()).collect();
    for (n, word) in said.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], n + 1);
        for (m, other) in heard.iter().enumerate() {
            let changed = diagonal + usize::from(word != other);
            diagonal = row[m + 1];
            row[m + 1] = changed.min(row[m] + 1).min(diagonal + 1);
        }
    }
    row[heard.len()]
}
