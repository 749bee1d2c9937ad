//! The wire format of Deepgram's live streaming.

use serde::Deserialize;

use crate::providers::http::one_line;

/// The control messages that we send beside sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// Asks for the final words of all sound so far.
    Finalize,
    /// Keeps the connection open while no sound is sent.
    KeepAlive,
    /// Ends the stream.
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

/// Returns the message that replaces the keyterms of a stream of turns.
pub(super) fn configure(keyterms: &[String]) -> String {
    serde_json::json!({ "type": "Configure", "keyterms": keyterms }).to_string()
}

/// A message of the server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message {
    Results(Results),
    /// An error, in the server's own words.
    Error(String),
    /// The keyterms were refused.
    NotConfigured,
    /// A message that we do not need: when speech began or ended, how long the stream was.
    Other,
}

/// The words of a stretch of sound. Stretches follow each other; interim ones are sent again with better
/// words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Results {
    /// The beginning and length of the stretch, in seconds of the stream.
    pub(super) start: f64,
    pub(super) duration: f64,
    pub(super) finality: Finality,
    pub(super) transcript: String,
    pub(super) confidence: Option<f32>,
    pub(super) words: Vec<Word>,
}

/// Whether the words of a result may still change, and how much of a turn they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finality {
    /// Words that may still change.
    Interim,
    /// Words that do not change any more.
    Final,
    /// Final words in answer to a [`Control::Finalize`].
    Finalized,
    /// All words of a turn that goes on. They may still change. Only a model that detects turns sends them.
    TurnSoFar,
    /// All words of a turn that has ended. They do not change any more.
    WholeTurn,
}

impl Finality {
    pub(super) fn is_final(self) -> bool {
        match self {
            Self::Final | Self::Finalized | Self::WholeTurn => true,
            Self::Interim | Self::TurnSoFar => false,
        }
    }

    /// Whether the turn has ended; `None` from a model that does not detect turns.
    pub(super) fn ends_turn(self) -> Option<bool> {
        match self {
            Self::Interim | Self::Final | Self::Finalized => None,
            Self::TurnSoFar => Some(false),
            Self::WholeTurn => Some(true),
        }
    }
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
    /// Returns the word with capitals and punctuation, if the server sends them.
    pub(super) fn text(&self) -> &str {
        self.punctuated_word.as_deref().unwrap_or(&self.word)
    }
}

/// A message as the server writes it.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Wire {
    Results(Stretch),
    TurnInfo(Turn),
    ConfigureFailure,
    Error {
        description: Option<String>,
        message: Option<String>,
    },
    #[serde(other)]
    Other,
}

/// The result of a model that does not detect turns.
#[derive(Deserialize)]
struct Stretch {
    #[serde(default)]
    start: f64,
    #[serde(default)]
    duration: f64,
    #[serde(default)]
    is_final: bool,
    #[serde(default)]
    from_finalize: bool,
    channel: Channel,
}

/// The result of a model that detects turns.
#[derive(Deserialize)]
struct Turn {
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
}

#[derive(Deserialize)]
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

/// A word of a turn. Older servers do not send its times.
#[derive(Deserialize)]
struct FluxWord {
    word: String,
    confidence: Option<f64>,
    start: Option<f64>,
    end: Option<f64>,
}

impl Message {
    /// Reads a message; `None` if the text is no message of Deepgram's.
    pub(super) fn read(text: &str) -> Option<Self> {
        match serde_json::from_str(text).ok()? {
            Wire::Results(stretch) => stretch.results().map(Self::Results),
            Wire::TurnInfo(turn) => turn.results().map(Self::Results),
            Wire::ConfigureFailure => Some(Self::NotConfigured),
            Wire::Error { description, message } => {
                let says = description.or(message).unwrap_or_default();
                Some(Self::Error(one_line(&says)))
            }
            Wire::Other => Some(Self::Other),
        }
    }
}

impl Stretch {
    fn results(self) -> Option<Results> {
        let Alternative { transcript, confidence, mut words } =
            self.channel.alternatives.into_iter().next().unwrap_or_default();
        if !is_time(self.start) || !is_time(self.duration) {
            return None;
        }
        words.retain(|word| is_time(word.start) && is_time(word.end));
        let finality = match (self.is_final, self.from_finalize) {
            (false, _) => Finality::Interim,
            (true, false) => Finality::Final,
            (true, true) => Finality::Finalized,
        };
        Some(Results {
            start: self.start,
            duration: self.duration,
            finality,
            transcript: transcript.trim().to_owned(),
            confidence: confidence.map(|confidence| confidence.clamp(0.0, 1.0)),
            words,
        })
    }
}

impl Turn {
    fn results(self) -> Option<Results> {
        let (start, end) = (self.audio_window_start, self.audio_window_end);
        if !is_time(start) || !is_time(end) || end < start {
            return None;
        }
        let has_ended = self.event == "EndOfTurn";
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
            finality: if has_ended { Finality::WholeTurn } else { Finality::TurnSoFar },
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

    /// P05, P10: results are read as Deepgram documents them, also without optional fields; other texts are
    /// refused.
    #[test]
    fn messages_are_read() {
        let text = r#"{"type":"Results","channel_index":[0,1],"duration":1.5,"start":3.0,"is_final":true,
            "speech_final":true,"from_finalize":true,"channel":{"alternatives":[{"transcript":"Yes, I do.",
            "confidence":0.9,"words":[{"word":"yes","start":3.1,"end":3.3,"confidence":0.8,
            "punctuated_word":"Yes,"},{"word":"i","start":3.4,"end":3.5}]}]},"metadata":{"request_id":"x"}}"#;
        let Some(Message::Results(results)) = Message::read(text) else { panic!("no results") };
        assert_eq!((results.start, results.duration), (3.0, 1.5));
        assert_eq!(results.finality, Finality::Finalized);
        assert_eq!((results.transcript.as_str(), results.confidence), ("Yes, I do.", Some(0.9)));
        let words: Vec<_> = results.words.iter().map(|word| (word.text(), word.end)).collect();
        assert_eq!(words, [("Yes,", 3.3), ("i", 3.5)]);
        let turn = r#"{"type":"TurnInfo","event":"EndOfTurn","turn_index":0,"audio_window_start":1.0,
            "audio_window_end":3.0,"transcript":"Yes, I do.",
            "words":[{"word":"Yes,","confidence":0.8,"start":1.1,
            "end":1.4},{"word":"I"},{"word":"do.","confidence":0.4}],"end_of_turn_confidence":0.9}"#;
        let Some(Message::Results(results)) = Message::read(turn) else { panic!("no turn") };
        assert_eq!((results.start, results.duration), (1.0, 2.0));
        assert_eq!(results.finality, Finality::WholeTurn);
        let words: Vec<_> = results.words.iter().map(|word| (word.text(), word.start)).collect();
        assert_eq!(
            words[..2],
            [("Yes,", 1.1), ("I", 1.0 + 2.0 / 3.0)],
            "spread where it is not said"
        );
        let open = turn.replace("EndOfTurn", "EagerEndOfTurn");
        let Some(Message::Results(results)) = Message::read(&open) else { panic!("no turn") };
        assert_eq!(results.finality, Finality::TurnSoFar);
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
