//! Deepgram's live streaming as it goes over the wire.

use serde::Deserialize;

use crate::providers::http::one_line;

/// What we say beside sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// What was heard so far is to be told now.
    Finalize,
    /// Nothing comes for now, and we are still there.
    KeepAlive,
    /// Nothing comes any more.
    CloseStream,
}

impl Control {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Finalize => r#"{"type":"Finalize"}"#,
            Self::KeepAlive => r#"{"type":"KeepAlive"}"#,
            Self::CloseStream => r#"{"type":"CloseStream"}"#,
        }
    }
}

/// What the server says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    Results(Results),
    /// Something is wrong, in its own words.
    Error(String),
    /// What we do not need: when speech began or ended, how long the stream was.
    Other,
}

/// What was heard in a stretch of sound. Stretches follow each other; an interim one is told again and better.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Results {
    /// Where it begins and how long it is, in seconds of the stream.
    pub(super) start: f64,
    pub(super) duration: f64,
    pub(super) is_final: bool,
    /// Whether it answers a `Finalize`.
    pub(super) from_finalize: bool,
    pub(super) transcript: String,
    pub(super) confidence: Option<f32>,
    pub(super) words: Vec<Word>,
}

/// A word, in seconds of the stream.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Word {
    #[serde(default)]
    word: String,
    punctuated_word: Option<String>,
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Word {
    /// As it is to be read.
    pub(super) fn text(&self) -> &str {
        self.punctuated_word.as_deref().unwrap_or(&self.word)
    }
}

#[derive(Deserialize)]
struct Wire {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    start: f64,
    #[serde(default)]
    duration: f64,
    #[serde(default)]
    is_final: bool,
    #[serde(default)]
    from_finalize: bool,
    // An object in results, a list elsewhere.
    #[serde(default)]
    channel: serde_json::Value,
    description: Option<String>,
    message: Option<String>,
}

#[derive(Default, Deserialize)]
struct Channel {
    #[serde(default)]
    alternatives: Vec<Alternative>,
}

#[derive(Default, Deserialize)]
struct Alternative {
    #[serde(default)]
    transcript: String,
    confidence: Option<f32>,
    #[serde(default)]
    words: Vec<Word>,
}

impl Message {
    /// Reads a message; nothing if it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let wire: Wire = serde_json::from_str(text).ok()?;
        match wire.kind.as_str() {
            "Results" => wire.results().map(Self::Results),
            "Error" => {
                let says = wire.description.or(wire.message).unwrap_or_default();
                Some(Self::Error(one_line(&says)))
            }
            _ => Some(Self::Other),
        }
    }
}

impl Wire {
    fn results(self) -> Option<Results> {
        let channel: Channel = serde_json::from_value(self.channel).ok()?;
        let Alternative { transcript, confidence, mut words } =
            channel.alternatives.into_iter().next().unwrap_or_default();
        let is_time = |seconds: f64| (0.0..1e6).contains(&seconds);
        if !is_time(self.start) || !is_time(self.duration) {
            return None;
        }
        words.retain(|word| is_time(word.start) && is_time(word.end));
        Some(Results {
            start: self.start,
            duration: self.duration,
            is_final: self.is_final,
            from_finalize: self.from_finalize,
            transcript: transcript.trim().to_owned(),
            confidence: confidence.map(|confidence| confidence.clamp(0.0, 1.0)),
            words,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P05, P10: results as Deepgram documents them; what lacks a field is read, what is no message is none.
    #[test]
    fn messages_are_read() {
        let text = r#"{"type":"Results","channel_index":[0,1],"duration":1.5,"start":3.0,"is_final":true,
            "speech_final":true,"from_finalize":true,"channel":{"alternatives":[{"transcript":"Yes, I do.",
            "confidence":0.9,"words":[{"word":"yes","start":3.1,"end":3.3,"confidence":0.8,
            "punctuated_word":"Yes,"},{"word":"i","start":3.4,"end":3.5}]}]},"metadata":{"request_id":"x"}}"#;
        let Some(Message::Results(results)) = Message::read(text) else { panic!("no results") };
        assert_eq!((results.start, results.duration), (3.0, 1.5));
        assert!(results.is_final && results.from_finalize);
        assert_eq!((results.transcript.as_str(), results.confidence), ("Yes, I do.", Some(0.9)));
        let words: Vec<_> = results.words.iter().map(|word| (word.text(), word.end)).collect();
        assert_eq!(words, [("Yes,", 3.3), ("i", 3.5)]);
        for (text, read) in [
            (r#"{"type":"SpeechStarted","channel":[0,1],"timestamp":9.5}"#, Some(Message::Other)),
            (r#"{"type":"Metadata","duration":2.0,"channels":1}"#, Some(Message::Other)),
            (
                r#"{"type":"Error","description":"no such thing\nGET /","variant":"X"}"#,
                Some(Message::Error("no such thing".to_owned())),
            ),
            (r#"{"type":"Results","start":1e9,"duration":0,"channel":{}}"#, None),
            (r#"{"type":"Results","start":1,"duration":0,"channel":{"alternatives":[{"tra"#, None),
            ("\u{fffd}garbage", None),
            ("[]", None),
        ] {
            assert_eq!(Message::read(text), read, "{text}");
        }
    }
}
