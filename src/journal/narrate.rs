//! A journal as people read it.

use std::collections::BTreeMap;

use super::Entry;
use crate::interview::{Effect, Event, Notice, ReplyId};

/// Tells what entries say, a line each: who said what, what was decided and why.
#[derive(Clone, Debug, Default)]
pub struct Narrator {
    /// Segments of ours that were not heard to their end yet.
    ready: BTreeMap<(ReplyId, u16), String>,
}

impl Narrator {
    /// What the next entry says.
    pub fn tell(&mut self, entry: &Entry) -> Vec<String> {
        let lines = entry.effects.iter().filter_map(effect).chain(self.event(&entry.event));
        lines.map(|line| format!("{}  {line}", entry.at)).collect()
    }

    fn event(&mut self, event: &Event) -> Option<String> {
        match event {
            Event::CandidateJoined => Some("-- the candidate joined".to_owned()),
            Event::CandidateLeft => Some("-- the candidate left".to_owned()),
            Event::LineCut => Some("-- the line was cut".to_owned()),
            Event::LineBack => Some("-- the line is back".to_owned()),
            Event::SegmentReady { reply, n, text } => {
                self.ready.insert((*reply, *n), text.clone());
                None
            }
            Event::SegmentHeard { reply, n } => {
                self.ready.remove(&(*reply, *n)).map(|text| format!("interviewer: {text}"))
            }
            Event::ReplyFinished { heard, .. } if !heard.is_empty() => {
                Some(format!("interviewer: {heard} ..."))
            }
            Event::ReplyFailed { why, .. } => Some(format!("-- a reply failed: {why}")),
            Event::Control { request, .. } => Some(format!("-- asked for {request:?}")),
            Event::Tick
            | Event::SpeechStarted { .. }
            | Event::SpeechStopped { .. }
            | Event::PartialTranscript(_)
            | Event::FinalTranscript(_)
            | Event::ReplyStarted { .. }
            | Event::ReplyFinished { .. }
            | Event::Proposed { .. } => None,
        }
    }
}

fn effect(effect: &Effect) -> Option<String> {
    match effect {
        Effect::Publish(Notice::Turn { text, .. }) => Some(format!("  candidate: {text}")),
        Effect::Handoff { from, to, why, .. } => Some(format!("== {from} -> {to} ({why:?})")),
        Effect::Hangup { end } => Some(format!("== the end ({end:?})")),
        Effect::Speak { .. }
        | Effect::Hush { .. }
        | Effect::Play { .. }
        | Effect::Answer { .. }
        | Effect::Acknowledge { .. }
        | Effect::Publish(Notice::Status(_)) => None,
    }
}
