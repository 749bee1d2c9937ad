//! The wire format of Deepgram's live streaming.

use serde::Deserialize;

use crate::providers::{
    http::one_line,
    stt_line::{Finality, Reader, Results, Said, Word, is_time},
};

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

/// A word of a stretch, in seconds of the stream.
#[derive(Deserialize)]
struct PlainWord {
    #[serde(default)]
    word: String,
    /// The word with capitals and punctuation, if the server sends them.
    punctuated_word: Option<String>,
    start: f64,
    end: f64,
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
    words: Vec<PlainWord>,
}

/// A word of a turn. Older servers do not send its times.
#[derive(Deserialize)]
struct FluxWord {
    word: String,
    confidence: Option<f64>,
    start: Option<f64>,
    end: Option<f64>,
}

/// What reads Deepgram's messages; each stands for itself.
pub(super) struct DeepgramReader;

impl Reader for DeepgramReader {
    fn read(&mut self, text: &str) -> Option<Said> {
        let one = |results| Said::Results(vec![results]);
        match serde_json::from_str(text).ok()? {
            Wire::Results(stretch) => stretch.results().map(one),
            Wire::TurnInfo(turn) => turn.results().map(one),
            Wire::ConfigureFailure => Some(Said::NotConfigured),
            Wire::Error { description, message } => {
                let says = description.or(message).unwrap_or_default();
                Some(Said::Error(one_line(&says)))
            }
            Wire::Other => Some(Said::Other),
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
        let words = words.into_iter().map(|word| {
            let PlainWord { word, punctuated_word, start, end } = word;
            Word { text: punctuated_word.unwrap_or(word), start, end }
        });
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
            words: words.collect(),
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
            Word { text: word.word, start: from, end: to }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads results.
    fn results_of(text: &str) -> Results {
        match DeepgramReader.read(text) {
            Some(Said::Results(mut all)) if all.len() == 1 => all.remove(0),
            other => panic!("{text} is {other:?}"),
        }
    }

    /// P05, P10: results are read as Deepgram documents them, also without optional fields; other texts are
    /// refused.
    #[test]
    fn messages_are_read() {
        let text = r#"{"type":"Results","channel_index":[0,1],"duration":1.5,"start":3.0,"is_final":true,
            "speech_final":true,"from_finalize":true,"channel":{"alternatives":[{"transcript":"Yes, I do.",
            "confidence":0.9,"words":[{"word":"yes","start":3.1,"end":3.3,"confidence":0.8,
            "punctuated_word":"Yes,"},{"word":"i","start":3.4,"end":3.5}]}]},"metadata":{"request_id":"x"}}"#;
        let results = results_of(text);
        assert_eq!((results.start, results.duration), (3.0, 1.5));
        assert_eq!(results.finality, Finality::Finalized);
        assert_eq!((results.transcript.as_str(), results.confidence), ("Yes, I do.", Some(0.9)));
        let words: Vec<_> =
            results.words.iter().map(|word| (word.text.as_str(), word.end)).collect();
        assert_eq!(words, [("Yes,", 3.3), ("i", 3.5)]);
        let turn = r#"{"type":"TurnInfo","event":"EndOfTurn","turn_index":0,"audio_window_start":1.0,
            "audio_window_end":3.0,"transcript":"Yes, I do.",
            "words":[{"word":"Yes,","confidence":0.8,"start":1.1,
            "end":1.4},{"word":"I"},{"word":"do.","confidence":0.4}],"end_of_turn_confidence":0.9}"#;
        let results = results_of(turn);
        assert_eq!((results.start, results.duration), (1.0, 2.0));
        assert_eq!(results.finality, Finality::WholeTurn);
        let words: Vec<_> =
            results.words.iter().map(|word| (word.text.as_str(), word.start)).collect();
        assert_eq!(
            words[..2],
            [("Yes,", 1.1), ("I", 1.0 + 2.0 / 3.0)],
            "spread where it is not said"
        );
        let open = turn.replace("EndOfTurn", "EagerEndOfTurn");
        let results = results_of(&open);
        assert_eq!(results.finality, Finality::TurnSoFar);
        for (text, read) in [
            (&*turn.replace("3.0", "0.5"), None),
            (r#"{"type":"SpeechStarted","channel":[0,1],"timestamp":9.5}"#, Some(Said::Other)),
            (r#"{"type":"Metadata","duration":2.0,"channels":1}"#, Some(Said::Other)),
            (
                r#"{"type":"Error","description":"no such thing\nGET /","variant":"X"}"#,
                Some(Said::Error("no such thing".to_owned())),
            ),
            (r#"{"type":"Results","start":1e9,"duration":0,"channel":{}}"#, None),
            (r#"{"type":"Results","start":1,"duration":0,"channel":{"alternatives":[{"tra"#, None),
            ("\u{fffd}garbage", None),
            ("[]", None),
        ] {
            assert_eq!(DeepgramReader.read(text), read, "{text}");
        }
    }
}
