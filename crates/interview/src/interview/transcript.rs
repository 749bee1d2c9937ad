//! Transcripts: the words of a segment of speech from a recogniser.

use serde::{Deserialize, Serialize};

use crate::time::{SessionTime, Span};

/// The words of a segment of speech.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Words {
    /// The number of the segment; it counts up. Words for an old segment amend it.
    pub segment: u32,
    /// The time at which the segment's speech began.
    pub from: SessionTime,
    /// The time up to which it is transcribed.
    pub to: SessionTime,
    /// The words; may be empty.
    pub text: String,
    /// The confidence, 0..=1, where the recogniser has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// Whether the turn ends with the segment, where the recogniser can tell; final transcripts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_turn: Option<bool>,
    /// The spans of the words, where the recogniser has them; final transcripts only. Without spans all of
    /// the segment counts as words, if there is a word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads and writes spans as pairs of times. Older journals have none.
    #[test]
    fn spans_are_written_only_where_there_are_any() {
        let old = r#"{"segment":1,"from":0,"to":9,"text":"yes"}"#;
        let words: Words = serde_json::from_str(old).unwrap();
        assert_eq!(words.spans, []);
        assert_eq!(serde_json::to_string(&words).unwrap(), old);
        let at = SessionTime::from_micros;
        let new = Words { spans: vec![Span::new(at(2), at(5)), Span::new(at(7), at(9))], ..words };
        let text = serde_json::to_string(&new).unwrap();
        assert!(text.ends_with(r#","spans":[[2,5],[7,9]]}"#), "{text}");
        assert_eq!(serde_json::from_str::<Words>(&text).unwrap(), new);
    }
}
