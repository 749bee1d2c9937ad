//! Coverage of the candidate's turns: the holes in them, and the note for the recruiter.

use crate::interview::{
    Effect, Interview,
    ids::TurnId,
    note::Note,
    turn_taking::{
        coverage::{Coverage, Hole, Sound},
        turn::Turn,
    },
};

/// An answer whose coverage is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer<'a> {
    Open(&'a Turn),
    Committed(TurnId),
}

impl Interview {
    /// The sound of a turn so far, with the voice since its first word; of a turn that goes on, up to its
    /// last word.
    pub(crate) fn sound_of(&self, turn: &Turn) -> Sound {
        let sound = turn.said.sound.clone();
        let since = turn.since + self.timeline.presence().stopped();
        let first = sound.first().map_or(since, |first| first.min(since));
        let last = sound.last().unwrap_or(first);
        sound.with_voice(self.hearing.voices.since(first, last))
    }

    /// The holes in the unanswered turn, or in a committed one.
    pub(crate) fn holes_in(&self, answer: Answer<'_>) -> Vec<Hole> {
        match answer {
            Answer::Open(turn) => self.sound_of(turn).coverage().holes,
            Answer::Committed(id) => {
                self.known.history.coverage(id).map_or_else(Vec::new, |coverage| coverage.holes)
            }
        }
    }

    /// Notes the coverage of a turn, if it is not full or has changed.
    pub(crate) fn note_coverage(&mut self, turn: TurnId, before: Option<&Coverage>) {
        let Some(now) = self.known.history.coverage(turn) else { return };
        if before.map_or(!now.is_whole(), |before| *before != now) {
            let Coverage { percent, holes } = now;
            self.outbox.push(Effect::Note(Note::Coverage { turn, percent, holes }));
        }
    }
}
