//! Division of a reply into segments as it comes. A segment is a sentence, except that the first clause of
//! the first sentence is one by itself, so that its sound can be made while the rest is written.

use super::readable::readable;

/// The longest segment; a longer sentence is cut at a blank.
const SEGMENT_BYTES_MAX: usize = 300;

/// The fewest words of a first clause that is spoken by itself. A short clause waits until it is known that
/// [`REST_BYTES_MIN`] bytes follow; one of [`CLAUSE_BYTES_ENOUGH`] bytes does not.
const CLAUSE_WORDS_MIN: usize = 2;
const CLAUSE_BYTES_ENOUGH: usize = 24;
const REST_BYTES_MIN: usize = 12;

/// The words of a model between its pieces and whole segments.
#[derive(Debug, Default)]
pub(super) struct Segmenter {
    rest: String,
    /// Whether a segment was returned already.
    has_begun: bool,
}

impl Segmenter {
    /// Returns a segmenter for words that are all known: it cuts into sentences only.
    pub(super) fn of_sentences() -> Self {
        Self { has_begun: true, ..Self::default() }
    }

    /// Takes more words; returns the segments that they complete.
    pub(super) fn push(&mut self, words: &str) -> Vec<String> {
        self.rest.push_str(words);
        let mut segments = Vec::new();
        while let Some(end) = self.next_end() {
            let tail = self.rest.split_off(end);
            let segment = std::mem::replace(&mut self.rest, tail);
            let segment = whole(&segment);
            self.has_begun |= segment.is_some();
            segments.extend(segment);
        }
        segments
    }

    /// Ends the words; returns the rest.
    pub(super) fn finish(&mut self) -> Option<String> {
        whole(&std::mem::take(&mut self.rest))
    }

    /// Returns the end of the first segment, if it is known already. A mark counts only with a blank after
    /// it, so that "3.5" and "e.g" stay whole.
    fn next_end(&self) -> Option<usize> {
        let mut chars = self.rest.char_indices().peekable();
        // Whether a clause waits until it is known if enough follows: no later one is taken before it.
        let mut is_open = false;
        while let Some((_, c)) = chars.next() {
            if is_mark(c)
                && let Some((at, next)) = chars.peek()
                && next.is_whitespace()
                && !is_count(&self.rest[..*at])
            {
                return Some(*at);
            }
            if !self.has_begun
                && !is_open
                && matches!(c, ',' | ';' | ':' | '—')
                && let Some((at, next)) = chars.peek()
                && next.is_whitespace()
            {
                if self.is_clause(*at) {
                    return Some(*at);
                }
                is_open = has_words(&self.rest[..*at]);
            }
        }
        if self.rest.len() <= SEGMENT_BYTES_MAX {
            return None;
        }
        let limit = self.rest.floor_char_boundary(SEGMENT_BYTES_MAX);
        self.rest[..limit].rfind(' ').filter(|at| *at > 0).or(Some(limit))
    }
}

impl Segmenter {
    /// Whether the words up to `end` deserve a segment of their own, and enough is known of what follows.
    fn is_clause(&self, end: usize) -> bool {
        let (clause, rest) = self.rest.split_at(end);
        let rest = rest.split(is_mark).next().unwrap_or_default().trim_start();
        has_words(clause) && (clause.len() >= CLAUSE_BYTES_ENOUGH || rest.len() >= REST_BYTES_MIN)
    }
}

/// Whether a clause has enough words to be spoken by itself.
fn has_words(clause: &str) -> bool {
    clause.split_whitespace().count() >= CLAUSE_WORDS_MIN
}

/// Whether a mark ends a sentence.
fn is_mark(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…')
}

/// Whether a text ends with the dot of "3." or of one in "z. B.", which ends no sentence.
fn is_count(text: &str) -> bool {
    let Some(text) = text.strip_suffix('.') else { return false };
    let mut words = text.rsplit(char::is_whitespace);
    let word = words.next().unwrap_or_default();
    let is_day = word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
    let is_letter = |word: &str| word.len() == 1 && word.chars().all(|c| c.is_ascii_lowercase());
    let follows_letter =
        words.next().and_then(|word| word.strip_suffix('.')).is_some_and(is_letter);
    !word.is_empty() && (is_day || is_letter(word) || follows_letter && word.len() == 1)
}

fn whole(segment: &str) -> Option<String> {
    let segment = readable(segment);
    (!segment.is_empty()).then_some(segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The segments do not depend on the pieces in which the words came.
    #[test]
    fn sentences_whatever_the_pieces() {
        for (text, want) in [
            (
                "Thank you. It took 3.5 weeks, e.g. two sprints! What was next?  ",
                &["Thank you.", "It took 3.5 weeks, e.g.", "two sprints!", "What was next?"][..],
            ),
            ("Yes, Ada. And so, what was next?", &["Yes, Ada.", "And so, what was next?"]),
        ] {
            check(text, want);
        }
    }

    /// Q02: the first clause of the first sentence is spoken by itself, if it is long enough and enough
    /// follows.
    #[test]
    fn the_first_clause_comes_early() {
        for (text, want) in [
            (
                "Thank you for that, Ada, billing sounds hard. So, what was next?",
                &["Thank you for that,", "Ada, billing sounds hard.", "So, what was next?"][..],
            ),
            ("So, that was a long way. Next?", &["So, that was a long way.", "Next?"]),
            ("I see, Ada: what did you build there", &["I see,", "Ada: what did you build there"]),
            ("I see, Ada.", &["I see, Ada."]),
            ("Am 3. Mai, z. B. um zehn? Gut.", &["Am 3. Mai, z. B. um zehn?", "Gut."]),
            (
                "Thank you for telling me all that. Yes, and it ends?",
                &["Thank you for telling me all that.", "Yes, and it ends?"],
            ),
            (
                "Thank you for telling me all that, Ada. What now?",
                &["Thank you for telling me all that,", "Ada.", "What now?"],
            ),
            ("It cost 3,500 euros a month.", &["It cost 3,500 euros a month."]),
        ] {
            check(text, want);
        }
    }

    fn check(text: &str, want: &[&str]) {
        for size in 1..text.len() {
            let mut segmenter = Segmenter::default();
            let mut got = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                got.extend(segmenter.push(std::str::from_utf8(piece).unwrap()));
            }
            got.extend(segmenter.finish());
            assert_eq!(got, want, "pieces of {size}");
        }
    }

    /// The words of a model that never ends a sentence are cut at blanks, and none is lost.
    #[test]
    fn endless_sentences_are_cut() {
        let text = "wörter ohne ende ".repeat(100);
        let mut segmenter = Segmenter::default();
        let mut got = segmenter.push(&text);
        got.extend(segmenter.finish());
        assert!(got.iter().all(|segment| segment.len() <= SEGMENT_BYTES_MAX));
        assert_eq!(got.join(" "), text.trim());
    }
}
