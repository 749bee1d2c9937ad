//! What a server of Soniox' says, over the socket of [`crate::deepgram_server`]: each word in two tokens.

use serde_json::{Value, json};

use crate::deepgram_server::{DeepgramServer, Heard, Mind, Step};

/// Tokens of all words since the last final ones; `ends` makes them final.
fn tokens(mind: &Mind, ends: bool) -> Value {
    let ms = |samples: usize| samples / 16;
    let mut tokens = Vec::new();
    for (word, begin, end) in mind.words.iter().filter(|(_, begin, _)| *begin >= mind.settled) {
        let cut = word.chars().next().map_or(0, char::len_utf8);
        let (first, rest) = word.split_at(cut);
        let middle = (begin + end) / 2;
        let parts = [(format!(" {first}"), *begin, middle), (rest.to_owned(), middle, *end)];
        for (text, begin, end) in parts.into_iter().filter(|(text, _, _)| !text.is_empty()) {
            tokens.push(json!({
                "text": text, "start_ms": ms(begin), "end_ms": ms(end), "confidence": 0.9,
                "is_final": ends,
            }));
        }
    }
    if ends {
        let at = ms(mind.samples);
        tokens.push(json!({
            "text": "<fin>", "start_ms": at, "end_ms": at, "confidence": 1.0, "is_final": true,
        }));
    }
    let final_until = if ends { mind.samples } else { mind.settled };
    json!({
        "tokens": tokens, "final_audio_proc_ms": ms(final_until),
        "total_audio_proc_ms": ms(mind.samples),
    })
}

/// The answer to a `finalize`.
pub(crate) fn finish(mind: &mut Mind) -> Step {
    let said = tokens(mind, true);
    mind.settled = mind.samples;
    Step::Say(said)
}

/// What a server does that works well.
pub(crate) fn well(mind: &mut Mind, heard: &Heard) -> Vec<Step> {
    match heard {
        Heard::Sound(_) if mind.pieces.is_multiple_of(10) => vec![Step::Say(tokens(mind, false))],
        Heard::Said(said) if said == r#"{"type":"finalize"}"# => vec![finish(mind)],
        Heard::Said(said) if said.is_empty() => vec![Step::Say(json!({
            "tokens": [], "final_audio_proc_ms": 0, "total_audio_proc_ms": 0, "finished": true,
        }))],
        Heard::Opened(_) | Heard::Sound(_) | Heard::Said(_) | Heard::Gone => Vec::new(),
    }
}

/// An error in a message, and the end of the connection.
pub(crate) fn refuse(status: u16, says: &str) -> Vec<Step> {
    let error = json!({ "tokens": [], "error_code": status, "error_message": says });
    vec![Step::Say(error), Step::Close(1000, "")]
}

/// Whether this is the first message of a connection.
pub(crate) fn is_hello(heard: &Heard) -> bool {
    matches!(heard, Heard::Said(said) if said.contains("audio_format"))
}

/// What each connection was told first, in order.
pub(crate) fn hellos(server: &DeepgramServer) -> Vec<Value> {
    let heard = server.heard();
    let hellos = heard.iter().filter(|(_, heard)| is_hello(heard));
    let read = hellos.filter_map(|(_, heard)| match heard {
        Heard::Said(said) => serde_json::from_str(said).ok(),
        Heard::Opened(_) | Heard::Sound(_) | Heard::Gone => None,
    });
    read.collect()
}
