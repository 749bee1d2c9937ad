//! What a server of AssemblyAI's says, over the socket of [`crate::deepgram_server`].

use serde_json::{Value, json};

use crate::deepgram_server::{Heard, Mind, Step};

/// The turn since the last one that has ended: as it is heard, or with capitals and marks.
fn turn(mind: &Mind, ends: bool, is_formatted: bool) -> Value {
    let ms = |samples: usize| samples / 16;
    let (mut words, mut texts) = (Vec::new(), Vec::new());
    for (word, begin, end) in mind.words.iter().filter(|(_, begin, _)| *begin >= mind.settled) {
        let text = if is_formatted { word.clone() } else { word.to_lowercase() };
        words.push(json!({
            "text": text, "start": ms(*begin), "end": ms(*end), "confidence": 0.9,
            "word_is_final": true,
        }));
        texts.push(text);
    }
    json!({
        "type": "Turn", "turn_order": 0, "turn_is_formatted": is_formatted, "end_of_turn": ends,
        "transcript": texts.join(" "), "end_of_turn_confidence": 0.5, "words": words,
    })
}

/// What a server does that works well. It says nothing where there were no words.
pub(crate) fn well(mind: &mut Mind, heard: &Heard) -> Vec<Step> {
    match heard {
        Heard::Opened(_) => vec![Step::Say(json!({
            "type": "Begin", "id": "x", "expires_at": 1_772_570_132,
            "configuration": { "model": "x", "mode": "balanced", "api_version": "1.0.0" },
        }))],
        Heard::Sound(_) if mind.pieces.is_multiple_of(10) && mind.has_words() => {
            vec![Step::Say(turn(mind, false, false))]
        }
        Heard::Said(said) if said.contains("ForceEndpoint") && mind.has_words() => {
            let turns = [false, true].map(|is_formatted| Step::Say(turn(mind, true, is_formatted)));
            mind.settled = mind.samples;
            turns.into()
        }
        Heard::Said(said) if said.contains("Terminate") => vec![Step::Say(json!({
            "type": "Termination", "audio_duration_seconds": 1, "session_duration_seconds": 1,
        }))],
        Heard::Sound(_) | Heard::Said(_) | Heard::Gone => Vec::new(),
    }
}
