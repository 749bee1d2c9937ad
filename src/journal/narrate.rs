//! A journal's entry as people read it.

use super::Entry;
use crate::interview::{Effect, Event, Notice, Say};

/// What an entry tells, a line each: who said what, what was decided and why.
pub fn narrate(entry: &Entry) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(event(&entry.event));
    lines.extend(entry.effects.iter().filter_map(effect));
    lines.iter().map(|line| format!("{}  {line}", entry.at)).collect()
}

fn event(event: &Event) -> Option<String> {
    match event {
        Event::CandidateJoined => Some("-- the candidate joined".to_owned()),
        Event::CandidateLeft => Some("-- the candidate left".to_owned()),
        Event::LineCut => Some("-- the line was cut".to_owned()),
        Event::LineBack => Some("-- the line is back".to_owned()),
        Event::SegmentReady { text, .. } => Some(format!("interviewer: {text}")),
        Event::ReplyFinished { heard, .. } if !heard.is_empty() => {
            Some(format!("-- cut off after \"{heard}\""))
        }
        Event::ReplyFailed { why, .. } => Some(format!("-- a reply failed: {why}")),
        Event::Control { request, .. } => Some(format!("-- asked for {request:?}")),
        Event::Tick
        | Event::SpeechStarted { .. }
        | Event::SpeechStopped { .. }
        | Event::PartialTranscript(_)
        | Event::FinalTranscript(_)
        | Event::ReplyStarted { .. }
        | Event::SegmentHeard { .. }
        | Event::ReplyFinished { .. }
        | Event::Proposed { .. } => None,
    }
}

fn effect(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Publish(Notice::Turn { text, .. }) => Some(format!("  candidate: {text}")),
        Effect::Handoff { from, to, why, .. } => Some(format!("== {from} -> {to} ({why:?})")),
        Effect::Hush { .. } => Some("-- hushed".to_owned()),
        Effect::Hangup { end } => Some(format!("== the end ({end:?})")),
        Effect::Speak { say: Say::Text(_) | Say::Model(_), .. }
        | Effect::Play { .. }
        | Effect::Answer { .. }
        | Effect::Acknowledge { .. }
        | Effect::Publish(Notice::Status(_)) => None,
    }
}
