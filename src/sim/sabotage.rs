//! Rules of the core broken on purpose, so that a test can see that a check notices.

use crate::interview::{Effect, Event, Notice, ReplyId, Say};

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// No reply is ever hushed.
    NoHush,
    /// Each handoff happens twice.
    TwoHandoffs,
    /// A handoff happens as soon as the candidate speaks.
    HandoffOverVoice,
    /// A bridge says nothing of what was said.
    EmptyBridge,
    /// Sound is let out after the end.
    PlayAfterEnd,
    /// Each reply is ordered twice.
    TwoReplies,
    /// Sound of a reply that was never ordered is let out.
    PlayStranger,
    /// Buttons are not answered.
    NoAcknowledge,
    /// Tool calls are not answered.
    NoAnswer,
    /// The end is never told.
    NoEnd,
    /// The end is told twice.
    TwoEnds,
    /// The end comes an hour late.
    LateEnd,
    /// What a deadline leads to is forgotten.
    DeafToDeadlines,
    /// Who is woken decides something else than who is not.
    Awake,
    /// Templates make no sound.
    NoTemplates,
    /// Turns of the candidate are not committed.
    NoTurns,
    /// More is said to be heard than was pulled.
    HeardTooMuch,
    /// One event leads to a thousand effects.
    Flood,
}

impl Sabotage {
    /// Breaks what happens.
    pub(super) fn event(self, event: &mut Event) {
        if let (Self::EmptyBridge, Event::SegmentReady { text, .. }) = (self, &mut *event) {
            *text = "Next.".to_owned();
        }
        if let (Self::HeardTooMuch, Event::ReplyFinished { heard, .. }) = (self, event) {
            *heard += " and more";
        }
    }

    /// Breaks what follows from it.
    pub(super) fn effects(self, event: &Event, effects: &mut Vec<Effect>) {
        match self {
            Self::NoHush => effects.retain(|effect| !matches!(effect, Effect::Hush { .. })),
            Self::NoAcknowledge => {
                effects.retain(|effect| !matches!(effect, Effect::Acknowledge { .. }));
            }
            Self::NoAnswer => effects.retain(|effect| !matches!(effect, Effect::Answer { .. })),
            Self::NoEnd | Self::LateEnd => {
                effects.retain(|effect| !matches!(effect, Effect::Hangup { .. }));
            }
            Self::NoTurns => {
                let is_turn =
                    |effect: &Effect| matches!(effect, Effect::Publish(Notice::Turn { .. }));
                effects.retain(|effect| !is_turn(effect));
            }
            Self::NoTemplates => {
                effects.retain(|effect| !matches!(effect, Effect::Speak { say: Say::Text(_), .. }))
            }
            Self::TwoHandoffs => twice(effects, |effect| matches!(effect, Effect::Handoff { .. })),
            Self::TwoReplies => twice(effects, |effect| matches!(effect, Effect::Speak { .. })),
            Self::TwoEnds => twice(effects, |effect| matches!(effect, Effect::Hangup { .. })),
            Self::PlayAfterEnd => {
                if effects.iter().any(|effect| matches!(effect, Effect::Hangup { .. })) {
                    effects.push(Effect::Play { reply: ReplyId(1), n: 0 });
                }
            }
            Self::PlayStranger => {
                if let Event::SpeechStarted { .. } = event {
                    effects.push(Effect::Play { reply: ReplyId(9_999), n: 0 });
                }
            }
            Self::HandoffOverVoice => {
                if let Event::SpeechStarted { .. } = event {
                    effects.push(Effect::Handoff {
                        from: String::new(),
                        to: String::new(),
                        epoch: crate::interview::Epoch(1),
                        why: crate::interview::Reason::Tool,
                    });
                }
            }
            Self::DeafToDeadlines => {
                if *event == Event::Tick {
                    effects.clear();
                }
            }
            Self::Awake => {
                if *event == Event::Tick {
                    effects.push(Effect::Hush { reply: ReplyId(0) });
                }
            }
            Self::Flood => {
                let first = effects.first().cloned();
                effects.extend(first.into_iter().cycle().take(1_000));
            }
            Self::EmptyBridge | Self::HeardTooMuch => {}
        }
    }
}

fn twice(effects: &mut Vec<Effect>, which: impl Fn(&Effect) -> bool) {
    let again: Vec<Effect> = effects.iter().filter(|effect| which(effect)).cloned().collect();
    effects.extend(again);
}
