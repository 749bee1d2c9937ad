//! Captions of the candidate's words. A word is shown once two partial transcripts in a row agree on it: few
//! of those are taken back.

use crate::providers::Transcript;

/// The words of the segment that is being spoken.
#[derive(Debug, Default)]
pub(super) struct Captions {
    segment: u32,
    /// The last partial transcript.
    last: Vec<String>,
    /// What is shown of it, without case and marks.
    shown: Vec<String>,
}

impl Captions {
    /// Takes a transcript. Returns what is shown of it, if that has changed.
    pub(super) fn hear(&mut self, transcript: &Transcript) -> Option<String> {
        if self.segment != transcript.segment {
            *self = Self { segment: transcript.segment, ..Self::default() };
        }
        let text = if transcript.is_final {
            transcript.text.clone()
        } else {
            self.agreed(&transcript.text)
        };
        let shown: Vec<String> = text.split_whitespace().map(plain).collect();
        if !transcript.is_final && (text.is_empty() || shown == self.shown) {
            return None;
        }
        self.shown = shown;
        Some(text)
    }

    /// The words at the beginning on which this partial transcript and the one before it agree.
    fn agreed(&mut self, text: &str) -> String {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let agrees = |(this, last): &(&String, &String)| plain(this) == plain(last);
        let agreed = words.iter().zip(&self.last).take_while(agrees).count();
        let text = words[..agreed].join(" ");
        self.last = words;
        text
    }
}

/// A word without its case and marks, which a recogniser sets as the sentence goes on.
fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use interview::time::SessionTime;

    use super::*;

    fn shown(captions: &mut Captions, segment: u32, text: &str, is_final: bool) -> Option<String> {
        let transcript = Transcript {
            segment,
            is_final,
            from: SessionTime::ZERO,
            to: SessionTime::ZERO,
            text: text.to_owned(),
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        };
        captions.hear(&transcript)
    }

    /// C02: a word is shown when two partial transcripts in a row agree on it, and a final transcript always
    /// is.
    #[test]
    fn only_words_that_stay_are_shown() {
        let mut captions = Captions::default();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(shown(&mut captions, 1, "I lied", false), None);
        assert_eq!(shown(&mut captions, 1, "I lead the", false), some("I"));
        assert_eq!(shown(&mut captions, 1, "I lead the", false), some("I lead the"));
        assert_eq!(shown(&mut captions, 1, "I, lead the bill", false), None, "as before");
        assert_eq!(shown(&mut captions, 1, "I lead the billing", false), None);
        assert_eq!(shown(&mut captions, 1, "", false), None);
        assert_eq!(
            shown(&mut captions, 1, "I lead the billing team.", true),
            some("I lead the billing team.")
        );
        assert_eq!(shown(&mut captions, 3, "and so", false), None);
        assert_eq!(shown(&mut captions, 3, "and so on", false), some("and so"));
        assert_eq!(
            shown(&mut captions, 3, "and they went", false),
            some("and"),
            "it took that back"
        );
        assert_eq!(shown(&mut captions, 2, "I lead the billing team.", false), None);
        assert_eq!(shown(&mut captions, 2, "", true), some(""), "it was nothing");
    }
}
