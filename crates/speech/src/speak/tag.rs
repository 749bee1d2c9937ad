//! The tag before a model's words, such as `<repeat>`: what it says the candidate means. It is read as the
//! words come, and not spoken; nor is any other tag.

use interview::Intent;

/// A longer text between `<` and `>` is no tag.
const TAG_CHARS_MAX: usize = 24;

/// The words of a model between its pieces, and what is known of the tag before them.
#[derive(Debug, Default)]
pub(super) struct TagReader {
    /// What may be a tag, from its `<` on.
    held: String,
    /// The name of the first tag.
    tag: Option<String>,
    /// Whether there was a word already.
    has_words: bool,
}

impl TagReader {
    /// Takes more words. Returns the intent, if they complete the tag, and the words without tags.
    pub(super) fn push(&mut self, text: &str) -> (Option<Intent>, String) {
        let (mut intent, mut words) = (None, String::new());
        for c in text.chars() {
            if self.held.is_empty() && c != '<' {
                self.has_words |= !c.is_whitespace();
                words.push(c);
                continue;
            }
            if !self.held.is_empty() && c == '>' {
                intent = intent.or(self.close(&mut words));
                continue;
            }
            // A second `<` begins anew.
            let goes_on = c != '<' && self.may_go_on_with(c);
            if !self.held.is_empty() && !goes_on {
                self.flush(&mut words);
            }
            if c == '<' || goes_on {
                self.held.push(c);
            } else {
                words.push(c);
            }
        }
        (intent, words)
    }

    /// Ends the words; returns the rest. The beginning of a tag is none.
    pub(super) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// Takes what is held for a tag, if it is one: before the words any name is, within them only that of an
    /// intent, or of the first tag at its end. Only the first tag counts, and only before the words.
    fn close(&mut self, words: &mut String) -> Option<Intent> {
        let is_end = self.held.starts_with("</");
        let name = self.held.trim_start_matches(['<', '/']).to_lowercase();
        let intent = Intent::try_from(name.clone()).ok();
        let is_known = intent.is_some() || is_end && self.tag.as_ref() == Some(&name);
        if name.is_empty() || (self.has_words && !is_known) {
            self.held.push('>');
            self.flush(words);
            return None;
        }
        self.held.clear();
        let is_first = self.tag.is_none();
        self.tag.get_or_insert(name);
        intent.filter(|_| is_first && !self.has_words)
    }

    /// Whether a name may go on with a character: it begins with a letter, and has no blank.
    fn may_go_on_with(&self, c: char) -> bool {
        match self.held.as_str() {
            "" => false,
            "<" => c.is_ascii_alphabetic() || c == '/',
            "</" => c.is_ascii_alphabetic(),
            name => {
                let is_part = c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '-');
                is_part && name.len() <= TAG_CHARS_MAX
            }
        }
    }

    fn flush(&mut self, words: &mut String) {
        self.has_words |= !self.held.is_empty();
        words.push_str(&std::mem::take(&mut self.held));
    }
}

#[cfg(test)]
mod tests {
    use interview::{About, Quality};

    use super::*;

    /// A01: a tag before the words is read and none is spoken, in whatever pieces they come; a less-than
    /// sign stays.
    #[test]
    fn tags_are_read_and_not_spoken() {
        for (text, intent, words) in [
            ("<repeat> Of course.", Some(Intent::Repeat), " Of course."),
            ("\n<answer:vague>\nI see.", Some(Intent::Answer(Quality::Vague)), "\n\nI see."),
            ("<Vague>I see.", Some(Intent::Answer(Quality::Vague)), "I see."),
            ("<ask_human></ask_human>Yes.", Some(Intent::Ask(About::Human)), "Yes."),
            ("<repeat><stop>Of course.", Some(Intent::Repeat), "Of course."),
            ("I see. <stop> What next?</stop>", None, "I see.  What next?"),
            ("<greeting>Hello <b>Ada</b>.", None, "Hello <b>Ada</b>."),
            ("<greeting><repeat>Hello.</greeting>", None, "Hello."),
            (
                "The difference between <div> and <span>?",
                None,
                "The difference between <div> and <span>?",
            ),
            ("Is p<5 or x>3?", None, "Is p<5 or x>3?"),
            ("Is 3 < 4, and 5 > 4?", None, "Is 3 < 4, and 5 > 4?"),
            ("Was it <10 or >20?", None, "Was it <10 or >20?"),
            ("<rep", None, "<rep"),
            ("<>", None, "<>"),
            ("", None, ""),
        ] {
            for size in 1..=text.len().max(1) {
                let mut reader = TagReader::default();
                let (mut found, mut said) = (None, String::new());
                for piece in text.as_bytes().chunks(size) {
                    let (intent, words) = reader.push(std::str::from_utf8(piece).unwrap());
                    found = found.or(intent);
                    said += &words;
                }
                said += &reader.finish();
                assert_eq!((found, said.as_str()), (intent, words), "{text:?} by {size}");
            }
        }
    }
}
