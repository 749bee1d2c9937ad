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

/// Tells a stream of turns which words to listen for, in place of those before.
pub(super) fn configure(keyterms: &[String]) -> String {
    serde_json::json!({ "type": "Configure", "keyterms": keyterms }).to_string()
}

/// What the server says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    Results(Results),
    /// Something is wrong, in its own words.
    Error(String),
    /// The words that we told it are refused.
    NotConfigured,
    /// What we do not need: when speech began or ended, how long the stream was.
    Other,
}

/// What was heard in a stretch of sound. Stretches follow each other; an interim one is told again and
/// better.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Results {
    /// Where it begins and how long it is, in seconds of the stream.
    pub(super) start: f64,
    pub(super) duration: f64,
    pub(super) is_final: bool,
    /// Whether it answers a `Finalize`.
    pub(super) from_finalize: bool,
    /// Whether the turn has ended, from a model that tells: then it is all of the turn so far.
    pub(super) ends_turn: Option<bool>,
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
    #[serde(default)]
    event: String,
    #[serde(default)]
    audio_window_start: f64,
    #[serde(default)]
    audio_window_end: f64,
    #[serde(default)]
    transcript: String,
    #[serde(default)]
    words: Vec<FluxWord>,
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

/// A word of a turn; older servers do not say when it was spoken.
#[derive(Deserialize)]
struct FluxWord {
    word: String,
    confidence: Option<f64>,
    start: Option<f64>,
    end: Option<f64>,
}

impl Message {
    /// Reads a message; nothing if it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let wire: Wire = serde_json::from_str(text).ok()?;
        match wire.kind.as_str() {
            "Results" => wire.results().map(Self::Results),
            "ConfigureFailure" => Some(Self::NotConfigured),
            "TurnInfo" => wire.turn().map(Self::Results),
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
        if !is_time(self.start) || !is_time(self.duration) {
            return None;
        }
        words.retain(|word| is_time(word.start) && is_time(word.end));
        Some(Results {
            start: self.start,
            duration: self.duration,
            is_final: self.is_final,
            from_finalize: self.from_finalize,
            ends_turn: None,
            transcript: transcript.trim().to_owned(),
            confidence: confidence.map(|confidence| confidence.clamp(0.0, 1.0)),
            words,
        })
    }

    /// A turn as far as it is heard.
    fn turn(self) -> Option<Results> {
        let (start, end) = (self.audio_window_start, self.audio_window_end);
        if !is_time(start) || !is_time(end) || end < start {
            return None;
        }
        let ends = self.event == "EndOfTurn";
        let count = self.words.len() as f64;
        let sure: f64 = self.words.iter().filter_map(|word| word.confidence).sum();
        let words = self.words.into_iter().enumerate().map(|(n, word)| {
            let spread = |n: f64| start + (end - start) * n / count;
            let from = word.start.filter(|at| is_time(*at)).unwrap_or(spread(n as f64));
            let to = word.end.filter(|at| is_time(*at)).unwrap_or(spread(n as f64 + 1.0));
            Word { word: word.word, punctuated_word: None, start: from, end: to }
        });
        Some(Results {
            start,
            duration: end - start,
            is_final: ends,
            from_finalize: false,
            ends_turn: Some(ends),
            transcript: self.transcript.trim().to_owned(),
            confidence: (sure > 0.0).then(|| (sure / count).clamp(0.0, 1.0) as f32),
            words: words.collect(),
        })
    }
}

fn is_time(seconds: f64) -> bool {
    (0.0..1e6).contains(&seconds)
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
        let turn = r#"{"type":"TurnInfo","event":"EndOfTurn","turn_index":0,"audio_window_start":1.0,
            "audio_window_end":3.0,"transcript":"Yes, I do.","words":[{"word":"Yes,","confidence":0.8,"start":1.1,
            "end":1.4},{"word":"I"},{"word":"do.","confidence":0.4}],"end_of_turn_confidence":0.9}"#;
        let Some(Message::Results(results)) = Message::read(turn) else { panic!("no turn") };
        assert_eq!((results.start, results.duration), (1.0, 2.0));
        assert!(results.is_final && results.ends_turn == Some(true));
        let words: Vec<_> = results.words.iter().map(|word| (word.text(), word.start)).collect();
        assert_eq!(
            words[..2],
            [("Yes,", 1.1), ("I", 1.0 + 2.0 / 3.0)],
            "spread where it is not said"
        );
        let open = turn.replace("EndOfTurn", "EagerEndOfTurn");
        let Some(Message::Results(results)) = Message::read(&open) else { panic!("no turn") };
        assert!(!results.is_final && results.ends_turn == Some(false));
        for (text, read) in [
            (&*turn.replace("3.0", "0.5"), None),
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
