//! The wire format of AssemblyAI's streaming, version 3.

use serde::Deserialize;
use serde_json::json;

use crate::providers::{
    http::one_line,
    stt_line::{Finality, Reader, Results, Said, Word, is_time},
};

/// The most characters of a keyterm.
pub(super) const TERM_CHARS_MAX: usize = 50;

/// Returns the message that replaces the keyterms.
pub(super) fn configuration(terms: &[String]) -> String {
    json!({ "type": "UpdateConfiguration", "keyterms_prompt": terms }).to_string()
}

/// A message as the server writes it. An error may have no type.
#[derive(Deserialize)]
struct Wire {
    r#type: Option<String>,
    error: Option<String>,
    error_code: Option<u16>,
    #[serde(default)]
    end_of_turn: bool,
    #[serde(default)]
    turn_is_formatted: bool,
    transcript: Option<String>,
    #[serde(default)]
    words: Vec<WireWord>,
}

/// A word of a turn, in ms of the stream.
#[derive(Deserialize)]
struct WireWord {
    text: String,
    start: f64,
    end: f64,
    confidence: Option<f32>,
}

/// What reads the messages of a connection.
#[derive(Default)]
pub(super) struct AssemblyReader {
    /// The end of the words that were passed on as final, in seconds of the stream.
    settled: f64,
    /// The end of the sound whose final words were asked for, if they have not come yet.
    asked: Option<f64>,
}

impl Reader for AssemblyReader {
    fn asked(&mut self, seconds: f64) {
        self.asked = Some(seconds);
    }

    fn read(&mut self, text: &str) -> Option<Said> {
        let wire: Wire = serde_json::from_str(text).ok()?;
        if let Some(error) = wire.error {
            let says = one_line(&error);
            let status = wire.error_code.and_then(status);
            return Some(status.map_or(Said::Error(says.clone()), |it| Said::Refused(it, says)));
        }
        match wire.r#type.as_deref()? {
            "Turn" => Some(Said::Results(self.turn(wire))),
            "Begin" | "Termination" | "SpeechStarted" | "SpeakerRevision" | "Warning"
            | "LLMGatewayResponse" => Some(Said::Other),
            _ => None,
        }
    }
}

impl AssemblyReader {
    /// Returns the words of a turn. They are final once it has ended and they are formatted: the message
    /// before that has the same words without punctuation.
    fn turn(&mut self, wire: Wire) -> Vec<Results> {
        let is_final = wire.end_of_turn && wire.turn_is_formatted;
        let mut sure = Vec::new();
        let mut words = Vec::new();
        for word in wire.words {
            let (start, end) = (word.start / 1_000.0, word.end / 1_000.0);
            if is_time(start) && is_time(end) && !word.text.is_empty() {
                sure.extend(word.confidence);
                words.push(Word { text: word.text, start, end: end.max(start) });
            }
        }
        let end = words.iter().map(|word| word.end).fold(self.settled, f64::max);
        let said = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let written = wire.transcript.filter(|text| is_final && !text.is_empty());
        let mean = sure.iter().sum::<f32>() / sure.len() as f32;
        let results = Results {
            start: self.settled,
            duration: end - self.settled,
            finality: if is_final { Finality::Final } else { Finality::Interim },
            transcript: written.map_or(said, |text| text.trim().to_owned()),
            confidence: (!sure.is_empty()).then(|| mean.clamp(0.0, 1.0)),
            words,
        };
        if !is_final {
            return vec![results];
        }
        self.settled = end;
        // The answer says nothing of the sound behind its last word, so that is not settled.
        let answered = self.asked.take().map(|asked| Results {
            start: asked,
            duration: 0.0,
            finality: Finality::Finalized,
            transcript: String::new(),
            confidence: None,
            words: Vec::new(),
        });
        [results].into_iter().chain(answered).collect()
    }
}

/// Returns the HTTP status that says the same as a code of a connection's end.
fn status(code: u16) -> Option<u16> {
    match code {
        1008 | 4001 => Some(401),
        4002 | 4003 => Some(402),
        3006 | 3007 | 4000 | 4100 | 4101 => Some(400),
        3009 | 4102 => Some(429),
        1013 | 3005 => Some(503),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn whose words are 300 ms long, from a time in ms on.
    fn turn(ends: bool, is_formatted: bool, from: u32, words: &[&str]) -> String {
        let all: Vec<_> = (0..).step_by(400).zip(words).collect();
        let all: Vec<_> = all
            .iter()
            .map(|(at, word)| {
                json!({ "text": word, "start": from + at, "end": from + at + 300,
                    "confidence": 0.5, "word_is_final": true })
            })
            .collect();
        json!({ "type": "Turn", "turn_order": 0, "turn_is_formatted": is_formatted,
            "end_of_turn": ends, "transcript": words.join(" "), "end_of_turn_confidence": 0.5,
            "utterance": "", "words": all })
        .to_string()
    }

    fn read(reader: &mut AssemblyReader, text: &str) -> Vec<String> {
        let Some(Said::Results(all)) = reader.read(text) else { panic!("no results in {text}") };
        let told = all.iter().map(|it| {
            let ms = |seconds: f64| (seconds * 1_000.0).round();
            let (start, end) = (ms(it.start), ms(it.start + it.duration));
            format!("{:?} {start}-{end} {} of {}", it.finality, it.transcript, it.words.len())
        });
        told.collect()
    }

    /// P03, P05: words of a turn are final once they are formatted, and are passed on once; the answer to our
    /// request covers the sound up to it, and only the first one does.
    #[test]
    fn turns_become_words() {
        let mut reader = AssemblyReader::default();
        assert_eq!(read(&mut reader, &turn(false, false, 100, &["i"])), ["Interim 0-400 i of 1"]);
        reader.asked(2.0);
        let plain = turn(true, false, 100, &["i", "do"]);
        assert_eq!(read(&mut reader, &plain), ["Interim 0-800 i do of 2"]);
        let formatted = turn(true, true, 100, &["I", "do."]);
        assert_eq!(
            read(&mut reader, &formatted),
            ["Final 0-800 I do. of 2", "Finalized 2000-2000  of 0"]
        );
        let next = turn(true, true, 3_000, &["Yes."]);
        assert_eq!(read(&mut reader, &next), ["Final 800-3300 Yes. of 1"]);
        reader.asked(4.0);
        let nothing = turn(true, true, 0, &[]);
        assert_eq!(
            read(&mut reader, &nothing),
            ["Final 3300-3300  of 0", "Finalized 4000-4000  of 0"]
        );
    }

    /// P10: errors are told with the status that says the same; what is no message is refused.
    #[test]
    fn odd_messages_are_read() {
        let mut reader = AssemblyReader::default();
        let refused = |status, says: &str| Some(Said::Refused(status, says.to_owned()));
        for (text, expected) in [
            (r#"{"type":"Begin","id":"x","expires_at":1772570132}"#, Some(Said::Other)),
            (
                r#"{"type":"Error","error_code":3009,"error":"Too many\nx"}"#,
                refused(429, "Too many"),
            ),
            (r#"{"type":"Error","error_code":4001,"error":"No"}"#, refused(401, "No")),
            (r#"{"error":"Session expired"}"#, Some(Said::Error("Session expired".to_owned()))),
            (
                r#"{"type":"Error","error_code":3008,"error":"Expired"}"#,
                Some(Said::Error("Expired".to_owned())),
            ),
            (r#"{"type":"Results","start":1}"#, None),
            (r#"{"type":"Turn","words":[{"te"#, None),
            ("{}", None),
            ("[]", None),
            ("\u{fffd}garbage", None),
        ] {
            assert_eq!(reader.read(text), expected, "{text}");
        }
        let odd = r#"{"type":"Turn","end_of_turn":true,"turn_is_formatted":true,"transcript":"a b",
            "words":[{"text":"a","start":-5,"end":1e300},{"text":"b","start":900,"end":1}]}"#;
        assert_eq!(read(&mut reader, odd), ["Final 0-900 a b of 1"]);
    }
}
