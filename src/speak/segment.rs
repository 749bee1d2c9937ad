//! Cuts a reply into segments as it comes: a sentence each.

use super::readable::readable;

/// A segment is not longer than this; a longer sentence is cut at a blank.
const SEGMENT_BYTES_MAX: usize = 300;

/// Takes a model's words piece by piece and gives whole segments.
#[derive(Debug, Default)]
pub(super) struct Segmenter {
    rest: String,
}

impl Segmenter {
    /// More words; gives the segments that they complete.
    pub(super) fn push(&mut self, words: &str) -> Vec<String> {
        self.rest.push_str(words);
        let mut segments = Vec::new();
        while let Some(end) = self.next_end() {
            let tail = self.rest.split_off(end);
            let segment = std::mem::replace(&mut self.rest, tail);
            segments.extend(whole(&segment));
        }
        segments
    }

    /// There are no more words; gives what is left.
    pub(super) fn finish(&mut self) -> Option<String> {
        whole(&std::mem::take(&mut self.rest))
    }

    /// Where the first segment ends, if that is known already: a mark counts only with a blank after it,
    /// so that "3.5" and "e.g" stay whole.
    fn next_end(&self) -> Option<usize> {
        let mut chars = self.rest.char_indices().peekable();
        while let Some((_, c)) = chars.next() {
            if matches!(c, '.' | '!' | '?' | '…')
                && let Some((at, next)) = chars.peek()
                && next.is_whitespace()
            {
                return Some(*at);
            }
        }
        if self.rest.len() <= SEGMENT_BYTES_MAX {
            return None;
        }
        let limit = self.rest.floor_char_boundary(SEGMENT_BYTES_MAX);
        self.rest[..limit].rfind(' ').filter(|at| *at > 0).or(Some(limit))
    }
}

fn whole(segment: &str) -> Option<String> {
    let segment = readable(segment);
    (!segment.is_empty()).then_some(segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same segments come out however the words came in.
    #[test]
    fn sentences_whatever_the_pieces() {
        let text = "Thank you. It took 3.5 weeks, e.g. two sprints! What was next?  ";
        let want = ["Thank you.", "It took 3.5 weeks, e.g.", "two sprints!", "What was next?"];
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

    /// A model that never ends a sentence is cut at blanks, and nothing of it is lost.
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
