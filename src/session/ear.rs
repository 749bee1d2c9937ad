//! Into the ear and out of it, in real time and in lockstep.

use crate::{
    interview::{Event, Words},
    listen::{self, Listen, PreConnect, PreConnectError},
    providers::Transcript,
    time::SessionTime,
};

/// What was said before the present track is heard, if it can be.
pub(super) fn hear_before(listen: &mut Listen, now: SessionTime, audio: &PreConnect) {
    match listen.pre_connect(now, audio) {
        Ok(length) => {
            let ms = length.as_millis();
            metrics::counter!("vivavoce_pre_connect_heard_total").increment(1);
            tracing::info!(ms, "heard what the candidate said before we heard them");
        }
        Err(PreConnectError::Empty) => tracing::debug!("nothing was recorded before we heard them"),
        Err(why) => {
            metrics::counter!("vivavoce_pre_connect_ignored_total").increment(1);
            tracing::warn!(%why, "ignored what a candidate said before we heard them");
        }
    }
}

/// What the ear has found, as the interview knows it.
pub(super) fn spoken(fact: listen::Heard) -> Event {
    match fact {
        listen::Heard::SpeechStarted { at } => Event::SpeechStarted { at },
        listen::Heard::SpeechStopped { at } => Event::SpeechStopped { at },
        listen::Heard::Transcript(transcript) => {
            let Transcript { segment, is_final, from, to, text, confidence, ends_turn, spans } =
                transcript;
            let words = Words { segment, from, to, text, confidence, ends_turn, spans };
            if is_final { Event::FinalTranscript(words) } else { Event::PartialTranscript(words) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    /// The stretches that a recogniser tells reach the interview.
    #[test]
    fn spans_reach_the_interview() {
        let at = SessionTime::from_millis;
        let spans = vec![Span::new(at(1), at(2)), Span::new(at(4), at(6))];
        let transcript = Transcript {
            segment: 1,
            is_final: true,
            from: at(0),
            to: at(6),
            text: "yes I did".to_owned(),
            confidence: None,
            ends_turn: None,
            spans: spans.clone(),
        };
        let Event::FinalTranscript(words) = spoken(listen::Heard::Transcript(transcript)) else {
            panic!("it is no final transcript");
        };
        assert_eq!(words.spans, spans);
    }
}
