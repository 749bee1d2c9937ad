//! Who spoke when, and what happened: the picture of a conversation.

use std::collections::BTreeMap;

use super::{
    report::{Moment, MomentKind, StageStretch, Stretch, Timeline, TurnLatency},
    titles::Titles,
};
use crate::{
    interview::{Event, Intent, Note, ReplyId},
    journal::{Conversation, Entry, Happened, Happening, Record, Speaker},
    time::{SessionTime, Span},
};

/// Stretches of one side that are closer than this are one.
const GAP_MS: u64 = 400;

/// When each of our replies sounded.
pub(crate) fn our_speech(entries: &[Entry]) -> BTreeMap<ReplyId, Span> {
    let mut spans: BTreeMap<ReplyId, Span> = BTreeMap::new();
    for entry in entries {
        if let Event::ReplyStarted { reply } = &entry.event {
            spans.entry(*reply).or_insert(Span::new(entry.at, entry.at));
        } else if let Event::SegmentHeard { reply, .. } | Event::ReplyFinished { reply, .. } =
            &entry.event
            && let Some(span) = spans.get_mut(reply)
        {
            span.to = entry.at;
        }
    }
    spans
}

/// The timeline of an interview.
pub(crate) fn timeline(
    entries: &[Entry],
    told: &Conversation,
    ours: &BTreeMap<ReplyId, Span>,
    record: &Record,
    titles: &Titles,
) -> Timeline {
    let duration_ms = entries.last().map_or(SessionTime::ZERO, |entry| entry.at).as_millis();
    let stages = record.stages.iter().map(|stage| StageStretch {
        title: titles.stage(&stage.name),
        from_ms: stage.entered_ms,
        to_ms: stage.left_ms.unwrap_or(duration_ms),
    });
    Timeline {
        duration_ms,
        speech: speech(told, ours),
        stages: stages.collect(),
        events: moments(&record.events, titles),
        latency: record.events.iter().filter_map(latency).collect(),
    }
}

/// Both sides' speech, in order: theirs is what has words.
fn speech(told: &Conversation, ours: &BTreeMap<ReplyId, Span>) -> Vec<Stretch> {
    let segments = told.turns.values().flat_map(|heard| heard.segments.values());
    let theirs = segments.filter(|words| !words.text.trim().is_empty());
    let theirs = theirs.map(|words| (Speaker::Candidate, words.from, words.to));
    let ours = ours.values().map(|span| (Speaker::Interviewer, span.from, span.to));
    let mut all: Vec<Stretch> = theirs
        .chain(ours)
        .map(|(speaker, from, to)| {
            let (from_ms, to_ms) = (from.as_millis(), to.max(from).as_millis());
            Stretch { speaker, from_ms, to_ms }
        })
        .collect();
    all.sort_by_key(|stretch| (stretch.from_ms, stretch.to_ms));
    let mut joined: Vec<Stretch> = Vec::new();
    for stretch in all {
        match joined.last_mut().filter(|last| {
            last.speaker == stretch.speaker && stretch.from_ms <= last.to_ms + GAP_MS
        }) {
            Some(last) => last.to_ms = last.to_ms.max(stretch.to_ms),
            None => joined.push(stretch),
        }
    }
    joined
}

fn moments(events: &[Happened], titles: &Titles) -> Vec<Moment> {
    let mut nudged = None;
    let mut moments = Vec::new();
    for Happened { at_ms, what } in events {
        let told = match what {
            Happening::BargeIn { .. } => (MomentKind::BargeIn, String::new()),
            Happening::Spoken { reply, text, nudge: true, .. } if nudged != Some(*reply) => {
                nudged = Some(*reply);
                (MomentKind::Nudge, text.clone())
            }
            Happening::Handoff { from, to, why, .. } => {
                let (from, to) = (titles.stage(from), titles.stage(to));
                (MomentKind::Handoff, format!("{from} → {to}: {}", words(why)))
            }
            Happening::Control { request } => match request.as_str() {
                "pause" => (MomentKind::Pause, "The candidate asked for a pause.".to_owned()),
                "repeat" | "rephrase" => (MomentKind::Repeat, String::new()),
                _ => continue,
            },
            Happening::Presence { what } => match what.as_str() {
                "candidate_left" => (MomentKind::Pause, "The candidate was away.".to_owned()),
                "line_cut" => (MomentKind::LineCut, String::new()),
                _ => continue,
            },
            Happening::Noted { note } => match noted(note, titles) {
                Some(told) => told,
                None => continue,
            },
            Happening::Spoken { .. }
            | Happening::StageEntered { .. }
            | Happening::StageLeft { .. }
            | Happening::PromptIssued { .. }
            | Happening::QuestionAsked { .. }
            | Happening::UserTurn { .. }
            | Happening::AnswerAssessed { .. }
            | Happening::TimerFired { .. }
            | Happening::ToolInvoked { .. }
            | Happening::Fallback { .. }
            | Happening::ReplyFailed { .. }
            | Happening::Ended { .. } => continue,
        };
        moments.push(Moment { at_ms: *at_ms, kind: told.0, text: told.1 });
    }
    moments
}

fn noted(note: &Note, titles: &Titles) -> Option<(MomentKind, String)> {
    if let Note::Skipped { question } = note {
        let text = question.and_then(|question| titles.question(question));
        Some((MomentKind::Skip, text.unwrap_or_default().to_owned()))
    } else if let Note::Answered { kind: Some(Intent::Repeat | Intent::Clarify), .. } = note {
        Some((MomentKind::Repeat, String::new()))
    } else {
        None
    }
}

fn latency(event: &Happened) -> Option<TurnLatency> {
    if let Happening::UserTurn {
        turn,
        response_ms: Some(response_ms),
        end_of_turn_ms,
        first_clause_ms,
        ..
    } = &event.what
    {
        let (end_of_turn_ms, first_clause_ms) = (*end_of_turn_ms, *first_clause_ms);
        Some(TurnLatency {
            turn: *turn,
            end_of_turn_ms,
            first_clause_ms,
            response_ms: *response_ms,
        })
    } else {
        None
    }
}

/// `question_limit` as `question limit`.
fn words(name: &str) -> String {
    name.replace('_', " ")
}
