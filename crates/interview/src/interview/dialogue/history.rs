//! The history: the candidate's committed turns, and our words that they heard.

use std::collections::BTreeMap;

use crate::interview::{
    ids::{ReplyId, TurnId},
    transcript::Words,
    turn_taking::{
        coverage::{Coverage, Sound},
        turn::Turn,
    },
    understanding::{quote::is_span, words::joined},
};
use crate::time::Span;

#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    lines: Vec<Line>,
    /// The highest segment of speech that belongs to a committed turn.
    settled: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Line {
    Interviewer {
        reply: ReplyId,
        text: String,
    },
    Candidate {
        turn: TurnId,
        stage: usize,
        segments: BTreeMap<u32, String>,
        typed: Vec<String>,
        sound: Sound,
    },
}

impl History {
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The words of a committed turn.
    pub(crate) fn said(&self, id: TurnId) -> Option<String> {
        self.lines.iter().rev().find_map(|line| match line {
            Line::Candidate { turn, segments, typed, .. } if *turn == id => {
                Some(joined(segments, typed))
            }
            Line::Candidate { .. } | Line::Interviewer { .. } => None,
        })
    }

    /// Whether a committed turn has words of this segment.
    pub(crate) fn has(&self, segment: u32) -> bool {
        segment <= self.settled
            && self.lines.iter().rev().any(|line| match line {
                Line::Candidate { segments, .. } => segments.contains_key(&segment),
                Line::Interviewer { .. } => false,
            })
    }

    /// The last committed turn with these words in it.
    pub(crate) fn turn_that_says(&self, quote: &str) -> Option<TurnId> {
        self.lines.iter().rev().find_map(|line| match line {
            Line::Candidate { turn, segments, typed, .. } => {
                is_span(quote, &joined(segments, typed)).then_some(*turn)
            }
            Line::Interviewer { .. } => None,
        })
    }

    /// The turns of a stage, oldest first.
    pub(crate) fn turns_of(
        &self,
        of_stage: usize,
    ) -> impl DoubleEndedIterator<Item = (TurnId, String)> {
        self.lines.iter().filter_map(move |line| match line {
            Line::Candidate { turn, stage, segments, typed, .. } if *stage == of_stage => {
                Some((*turn, joined(segments, typed)))
            }
            Line::Candidate { .. } | Line::Interviewer { .. } => None,
        })
    }

    /// Adds words of ours that were heard.
    pub(crate) fn heard(&mut self, id: ReplyId, words: &str) {
        if words.is_empty() {
            return;
        }
        // Late words of the candidate may stand between.
        let begun = self.lines.iter_mut().rev().take(4).find_map(|line| match line {
            Line::Interviewer { reply, text } if *reply == id => Some(text),
            Line::Interviewer { .. } | Line::Candidate { .. } => None,
        });
        if let Some(text) = begun {
            text.push(' ');
            text.push_str(words);
            return;
        }
        self.lines.push(Line::Interviewer { reply: id, text: words.to_owned() });
    }

    /// The coverage of a committed turn.
    pub(crate) fn coverage(&self, id: TurnId) -> Option<Coverage> {
        self.lines.iter().rev().find_map(|line| match line {
            Line::Candidate { turn, sound, .. } if *turn == id => Some(sound.coverage()),
            Line::Candidate { .. } | Line::Interviewer { .. } => None,
        })
    }

    pub(crate) fn commit(&mut self, id: TurnId, stage: usize, turn: &Turn, sound: Sound) {
        let segments = turn.said.segments().clone();
        self.settled = segments.keys().last().copied().unwrap_or(0).max(self.settled);
        let typed = turn.said.typed().to_vec();
        self.lines.push(Line::Candidate { turn: id, stage, segments, typed, sound });
    }

    /// Adds late words of a stage that is over: to its last turn, or as a turn of their own, `next`.
    pub(crate) fn add_late(&mut self, words: &Words, of_stage: usize, next: TurnId) -> Amended {
        self.settled = self.settled.max(words.segment);
        let text = words.text.trim().to_owned();
        let last = self.lines.iter_mut().rev().find_map(|line| match line {
            Line::Candidate { turn, stage, segments, typed, sound } if *stage == of_stage => {
                Some((*turn, segments, typed, sound))
            }
            Line::Candidate { .. } | Line::Interviewer { .. } => None,
        });
        let (turn, text, before) = match last {
            Some((turn, segments, typed, sound)) => {
                let before = sound.coverage();
                sound.put(words);
                segments.insert(words.segment, text);
                (turn, joined(segments, typed), before)
            }
            None => {
                let segments = BTreeMap::from([(words.segment, text.clone())]);
                // They were spoken before the bridge that sounds now.
                let place = match self.lines.last() {
                    Some(Line::Interviewer { .. }) => self.lines.len() - 1,
                    Some(Line::Candidate { .. }) | None => self.lines.len(),
                };
                let mut sound = Sound::default();
                let before = sound.coverage();
                sound.put(words);
                let (turn, stage, typed) = (next, of_stage, Vec::new());
                self.lines.insert(place, Line::Candidate { turn, stage, segments, typed, sound });
                (next, text, before)
            }
        };
        Amended { turn, stage: of_stage, text, changed: true, before }
    }

    /// Adds late words and their voice to a committed turn, and returns the turn as it is now (H05, case 30).
    pub(crate) fn amend(&mut self, words: &Words, voice: &[Span]) -> Option<Amended> {
        if words.segment > self.settled {
            return None;
        }
        self.lines.iter_mut().rev().find_map(|line| match line {
            Line::Candidate { turn, stage, segments, typed, sound }
                if segments.keys().next().is_some_and(|first| *first <= words.segment) =>
            {
                let covered = sound.coverage();
                sound.hear(voice);
                sound.put(words);
                let before = segments.insert(words.segment, words.text.trim().to_owned());
                let changed = before.as_deref() != Some(words.text.trim());
                let text = joined(segments, typed);
                Some(Amended { turn: *turn, stage: *stage, text, changed, before: covered })
            }
            Line::Candidate { .. } | Line::Interviewer { .. } => None,
        })
    }
}

/// A committed turn after late words.
pub(crate) struct Amended {
    pub(crate) turn: TurnId,
    pub(crate) stage: usize,
    pub(crate) text: String,
    pub(crate) changed: bool,
    /// Its coverage before.
    pub(crate) before: Coverage,
}
