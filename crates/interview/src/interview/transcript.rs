//! A transcript: the words of a segment of speech, as a recogniser tells them.

use serde::{Deserialize, Serialize};

use crate::time::{SessionTime, Span};

/// The words of a segment of speech.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Words {
    /// Which segment; counts up. Words for an old one amend it.
    pub segment: u32,
    /// When the segment's speech began.
    pub from: SessionTime,
    /// Up to when it is transcribed.
    pub to: SessionTime,
    /// The words; may be empty.
    pub text: String,
    /// 0..=1, where the recogniser says one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
    /// Whether the turn ends with it, where the recogniser can tell; finals only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_turn: Option<bool>,
    /// Stretches of sound that the words account for, where the recogniser tells; finals only. Else all of it
    /// counts, if there is a word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Journals of before have no spans; those of now have them as pairs of times, where there are any.
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
