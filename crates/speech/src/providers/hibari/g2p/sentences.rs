//! The division of a text into sentences, each of which is spoken by itself.

use super::normalize::Written;

/// The characters behind the mark that ends a sentence that belong to it.
const CLOSERS: &str = "\"”’)]";

/// Returns the sentences of a text, none of them empty, without closing quotes and brackets.
pub(super) fn sentences<'a>(written: &Written, text: &'a str) -> Vec<&'a str> {
    let paragraphs = text.split('\n').map(str::trim);
    let sentences = paragraphs.flat_map(|paragraph| divided(written, paragraph));
    sentences.filter(|sentence| !sentence.trim().is_empty()).collect()
}

fn divided<'a>(written: &Written, paragraph: &'a str) -> Vec<&'a str> {
    let (mut sentences, mut from) = (Vec::new(), 0);
    for (at, mark) in paragraph.char_indices().filter(|(_, mark)| ".!?…".contains(*mark)) {
        let end = at + mark.len_utf8();
        let behind = paragraph[end..].trim_start_matches(|closer| CLOSERS.contains(closer));
        let next = behind.trim_start();
        let is_apart = next.len() < behind.len() && !next.is_empty();
        if end > from && is_apart && ends_sentence(written, &paragraph[..end], next) {
            sentences.push(&paragraph[from..end]);
            from = paragraph.len() - next.len();
        }
    }
    sentences.push(&paragraph[from..]);
    sentences
}

/// Whether a sentence ends here: not behind a title or an initial ("Dr. Smith", "J. K. Rowling"), nor before
/// a lower-case letter.
fn ends_sentence(written: &Written, before: &str, next: &str) -> bool {
    if next.starts_with(char::is_lowercase) {
        return false;
    }
    let Some(before) = before.strip_suffix('.') else { return true };
    let word = before.rsplit(' ').next().unwrap_or(before);
    let word = word.trim_start_matches(|opener| "(\"“'‘".contains(opener));
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let is_counted = next.starts_with(|digit: char| digit.is_ascii_digit()) && written.counts(word);
    !written.is_title(word) && !is_initial && !is_counted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence ends with its mark, unless the mark belongs to an abbreviation.
    #[test]
    fn text_becomes_sentences() {
        for (text, expected) in [
            ("One. Two! Three? Four… Five", &["One.", "Two!", "Three?", "Four…", "Five"][..]),
            (
                "Ask Dr. No, J. K. Rowling and (St. Paul).",
                &["Ask Dr. No, J. K. Rowling and (St. Paul)."],
            ),
            ("He said \"Go.\" Then he went.", &["He said \"Go.", "Then he went."]),
            ("On Jan. 3rd, No. 5 won. 7 lost.", &["On Jan. 3rd, No. 5 won.", "7 lost."]),
            ("Well... so it is. ok", &["Well... so it is. ok"]),
            ("3.5 is e.g.this", &["3.5 is e.g.this"]),
            ("One\n\n two. \n", &["One", "two."]),
            (" ", &[]),
        ] {
            let written = super::super::normalize::tests::written();
            assert_eq!(sentences(&written, text), expected, "{text}");
        }
    }
}
