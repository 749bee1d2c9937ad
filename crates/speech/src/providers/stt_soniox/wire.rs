//! The wire format of Soniox' real-time interface.

use serde::Deserialize;
use serde_json::json;

use crate::providers::{
    http::one_line,
    stt_line::{Finality, Reader, Results, Said, Word, is_time},
};

/// The token that ends the answer to a `finalize`.
const FINALIZED: &str = "<fin>";
/// The token that Soniox sends where it takes a turn for ended. We do not ask for it.
const ENDED: &str = "<end>";
/// The most final tokens of a word whose end is not known yet; with more they are taken for words.
const PENDING_MAX: usize = 64;

/// Returns the first message of a connection.
pub(super) fn hello(model: &str, languages: &[String], terms: &[String]) -> String {
    let mut hello = json!({
        "model": model,
        "audio_format": "pcm_s16le",
        "sample_rate": 16_000,
        "num_channels": 1,
        "enable_endpoint_detection": false,
    });
    if !languages.is_empty() {
        hello["language_hints"] = json!(languages);
    }
    if !terms.is_empty() {
        hello["context"] = json!({ "terms": terms });
    }
    hello.to_string()
}

/// A message as the server writes it.
#[derive(Deserialize)]
struct Wire {
    tokens: Option<Vec<Token>>,
    /// The end of the sound that has final tokens, and of all sound that was heard, in ms of the stream.
    final_audio_proc_ms: Option<f64>,
    total_audio_proc_ms: Option<f64>,
    error_code: Option<u16>,
    error_message: Option<String>,
}

/// A part of a word. The first one of a word begins with a blank, in languages that have them.
#[derive(Clone, Debug, Deserialize)]
struct Token {
    text: String,
    start_ms: Option<f64>,
    end_ms: Option<f64>,
    confidence: Option<f32>,
    #[serde(default)]
    is_final: bool,
}

impl Token {
    fn begins_word(&self) -> bool {
        self.text
            .chars()
            .next()
            .is_some_and(|letter| letter.is_whitespace() || has_no_blanks(letter))
    }
}

/// Whether a letter is of a script that writes no blanks between words.
fn has_no_blanks(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// What reads the messages of a connection: it puts words together from their tokens.
#[derive(Default)]
pub(super) struct SonioxReader {
    /// The end of the sound whose words were passed on as final, in ms of the stream.
    settled: f64,
    /// The final tokens of a word that may go on.
    pending: Vec<Token>,
}

impl Reader for SonioxReader {
    fn read(&mut self, text: &str) -> Option<Said> {
        let wire: Wire = serde_json::from_str(text).ok()?;
        if let Some(status) = wire.error_code {
            return Some(Said::Refused(status, one_line(&wire.error_message.unwrap_or_default())));
        }
        let tokens = wire.tokens?;
        let time = |ms: Option<f64>| ms.filter(|ms| is_time(ms / 1_000.0)).unwrap_or(0.0);
        let heard_final = time(wire.final_audio_proc_ms).max(self.settled);
        let heard = time(wire.total_audio_proc_ms).max(heard_final);
        Some(Said::Results(self.results(tokens, heard_final, heard)))
    }
}

impl SonioxReader {
    /// Returns the words that are final now, if there is anything to say of them, and those that are not.
    fn results(&mut self, tokens: Vec<Token>, heard_final: f64, heard: f64) -> Vec<Results> {
        let mut finals = std::mem::take(&mut self.pending);
        let (mut interim, mut is_finalized) = (Vec::new(), false);
        for token in tokens {
            match token.text.as_str() {
                FINALIZED => is_finalized = true,
                ENDED => {}
                _ if token.is_final => finals.push(token),
                _ => interim.push(token),
            }
        }
        let goes_on = !is_finalized && !interim.first().is_some_and(Token::begins_word);
        if goes_on {
            let last = finals.iter().rposition(Token::begins_word).unwrap_or(0);
            if finals.len() - last <= PENDING_MAX {
                self.pending = finals.split_off(last);
            }
        }
        // All that was heard is final if nothing else is left of it.
        let is_all = is_finalized && interim.is_empty();
        let until = match self.pending.first().and_then(|token| token.start_ms) {
            Some(start) => start.min(heard_final),
            None if is_all => heard,
            None => heard_final,
        };
        let (from, until) = (self.settled, until.max(self.settled));
        self.settled = until;
        let mut all = Vec::new();
        if is_finalized || !finals.is_empty() || until > from {
            let finality = if is_finalized { Finality::Finalized } else { Finality::Final };
            all.push(result(finality, from, until, &finals));
        }
        interim.splice(0..0, self.pending.iter().cloned());
        all.push(result(Finality::Interim, until, heard.max(until), &interim));
        all
    }
}

/// Returns the result of tokens between two times, in ms.
fn result(finality: Finality, from: f64, until: f64, tokens: &[Token]) -> Results {
    let transcript: String = tokens.iter().map(|token| token.text.as_str()).collect();
    let sure: Vec<f32> = tokens.iter().filter_map(|token| token.confidence).collect();
    let mean = sure.iter().sum::<f32>() / sure.len() as f32;
    Results {
        start: from / 1_000.0,
        duration: (until - from) / 1_000.0,
        finality,
        transcript: transcript.trim().to_owned(),
        confidence: (!sure.is_empty()).then(|| mean.clamp(0.0, 1.0)),
        words: words(tokens, from),
    }
}

/// Returns the words of tokens. A token without times is where the one before it ended.
fn words(tokens: &[Token], from: f64) -> Vec<Word> {
    let (mut words, mut at) = (Vec::<Word>::new(), from / 1_000.0);
    for token in tokens {
        let time = |ms: Option<f64>| ms.map(|ms| ms / 1_000.0).filter(|seconds| is_time(*seconds));
        let start = time(token.start_ms).unwrap_or(at);
        let end = time(token.end_ms).unwrap_or(start).max(start);
        at = end;
        match words.last_mut().filter(|_| !token.begins_word()) {
            Some(word) => {
                word.text.push_str(token.text.trim_end());
                word.end = word.end.max(end);
            }
            None => words.push(Word { text: token.text.trim().to_owned(), start, end }),
        }
    }
    words.retain(|word| !word.text.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message with tokens: their texts, times in ms and whether they are final.
    fn message(tokens: &[(&str, u32, u32, bool)], heard_final: u32, heard: u32) -> String {
        let tokens: Vec<_> = tokens
            .iter()
            .map(|(text, start, end, is_final)| {
                json!({ "text": text, "start_ms": start, "end_ms": end, "confidence": 0.5,
                    "is_final": is_final, "speaker": "1" })
            })
            .collect();
        json!({ "tokens": tokens, "final_audio_proc_ms": heard_final, "total_audio_proc_ms": heard })
            .to_string()
    }

    /// What is read of messages: finality, start and end in ms, and the words with their times.
    fn read(reader: &mut SonioxReader, text: &str) -> Vec<String> {
        let Some(Said::Results(all)) = reader.read(text) else { panic!("no results in {text}") };
        let ms = |seconds: f64| (seconds * 1_000.0).round();
        let told = all.iter().map(|it| {
            let words = it
                .words
                .iter()
                .map(|word| format!("{}@{}-{}", word.text, ms(word.start), ms(word.end)));
            let words = words.collect::<Vec<_>>().join(" ");
            let (start, end) = (ms(it.start), ms(it.start + it.duration));
            format!("{:?} {start}-{end} {:?} {words}", it.finality, it.transcript)
        });
        told.collect()
    }

    /// P03, P05: words are put together from their tokens, over messages too; a final word is passed on once,
    /// as soon as it is known that it has ended.
    #[test]
    fn tokens_become_words() {
        let mut reader = SonioxReader::default();
        let first = [(" Beau", 100, 200, false), ("ti", 200, 300, false)];
        assert_eq!(
            read(&mut reader, &message(&first, 0, 400)),
            ["Interim 0-400 \"Beauti\" Beauti@100-300"]
        );
        let begun = [(" Beau", 100, 200, true), ("ti", 200, 300, false), ("ful", 300, 400, false)];
        assert_eq!(
            read(&mut reader, &message(&begun, 200, 500)),
            ["Final 0-100 \"\" ", "Interim 100-500 \"Beautiful\" Beautiful@100-400"]
        );
        let more = [("ti", 200, 300, true), ("ful", 300, 400, true), (" day", 500, 600, false)];
        assert_eq!(
            read(&mut reader, &message(&more, 400, 700)),
            [
                "Final 100-400 \"Beautiful\" Beautiful@100-400",
                "Interim 400-700 \"day\" day@500-600"
            ]
        );
        let end = [(" day", 500, 620, true), (".", 620, 640, true), ("<fin>", 640, 640, true)];
        assert_eq!(
            read(&mut reader, &message(&end, 640, 900)),
            ["Finalized 400-900 \"day.\" day.@500-640", "Interim 900-900 \"\" "]
        );
        let nothing = [("<fin>", 0, 0, true)];
        assert_eq!(
            read(&mut reader, &message(&nothing, 900, 1_000)),
            ["Finalized 900-1000 \"\" ", "Interim 1000-1000 \"\" "]
        );
    }

    /// P05: scripts without blanks have words of one token, and no word grows without an end.
    #[test]
    fn words_need_no_blanks() {
        let mut reader = SonioxReader::default();
        let tokens =
            [("你好", 100, 300, true), ("世界", 300, 500, true), ("<fin>", 500, 500, true)];
        assert_eq!(
            read(&mut reader, &message(&tokens, 500, 500))[0],
            "Finalized 0-500 \"你好世界\" 你好@100-300 世界@300-500"
        );
        let endless = vec![("a", 600, 700, true); PENDING_MAX + 1];
        assert!(read(&mut reader, &message(&endless, 700, 700))[0].starts_with("Final 500-700"));
        assert!(reader.pending.is_empty());
    }

    /// P10: errors are told with their status; what is no message of Soniox' is refused, and odd times do no
    /// harm.
    #[test]
    fn odd_messages_are_read() {
        let mut reader = SonioxReader::default();
        for (text, expected) in [
            (
                r#"{"tokens":[],"error_code":503,"error_message":"Cannot continue request (code 1).\nx"}"#,
                Some(Said::Refused(503, "Cannot continue request (code 1).".to_owned())),
            ),
            (r#"{"error_code":401}"#, Some(Said::Refused(401, String::new()))),
            ("{}", None),
            ("[]", None),
            (r#"{"tokens":[{"tex"#, None),
            (r#"{"tokens":[{"start_ms":1}]}"#, None),
            (r#"{"error_code":-4}"#, None),
            ("\u{fffd}garbage", None),
        ] {
            assert_eq!(reader.read(text), expected, "{text}");
        }
        let odd = r#"{"tokens":[{"text":" a","start_ms":-5,"end_ms":1e300,"confidence":7},
            {"text":" b"}],"final_audio_proc_ms":-1,"total_audio_proc_ms":1e300,"finished":true}"#;
        assert_eq!(read(&mut reader, odd), ["Interim 0-0 \"a b\" a@0-0 b@0-0"]);
    }

    /// P05: the first message has the languages and the keyterms, if there are any.
    #[test]
    fn a_connection_begins() {
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let bare = read(&hello("m", &[], &[]));
        assert_eq!((&bare["model"], &bare["sample_rate"]), (&json!("m"), &json!(16_000)));
        assert!(bare.get("language_hints").is_none() && bare.get("context").is_none());
        assert!(bare.get("api_key").is_none(), "the key goes with the handshake");
        let full = read(&hello("m", &["de".to_owned()], &["Łukasz".to_owned()]));
        assert_eq!(full["language_hints"], json!(["de"]));
        assert_eq!(full["context"], json!({ "terms": ["Łukasz"] }));
    }
}
