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
