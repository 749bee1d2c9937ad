//! How much of the candidate's turns was understood: the holes in them, and the note that tells the
//! recruiter.

use crate::interview::{
    Effect, Interview,
    ids::TurnId,
    note::Note,
    turn_taking::{
        coverage::{Coverage, Hole, Sound},
        turn::Turn,
    },
};

/// An answer that is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer<'a> {
    Open(&'a Turn),
    Committed(TurnId),
}

impl Interview {
    /// The sound of a turn as far as it has come: with the voice since its first word, or since it began; of
    /// one that is on, up to its last word.
    pub(crate) fn sound_of(&self, turn: &Turn) -> Sound {
        let sound = turn.said.sound.clone();
        let since = turn.since + self.timeline.presence().stopped();
        let first = sound.first().map_or(since, |first| first.min(since));
        let last = sound.last().unwrap_or(first);
        sound.with_voice(self.hearing.voices.since(first, last))
    }

    /// Where words are missing in an answer: the one that nobody has answered yet, or a committed one.
    pub(crate) fn holes_in(&self, answer: Answer<'_>) -> Vec<Hole> {
        match answer {
            Answer::Open(turn) => self.sound_of(turn).coverage().holes,
            Answer::Committed(id) => {
                self.known.history.coverage(id).map_or_else(Vec::new, |coverage| coverage.holes)
            }
        }
    }

    /// Tells how much of a turn was understood, where that is not all of it, or is news.
    pub(crate) fn note_coverage(&mut self, turn: TurnId, before: Option<&Coverage>) {
        let Some(now) = self.known.history.coverage(turn) else { return };
        if before.map_or(!now.is_whole(), |before| *before != now) {
            let Coverage { percent, holes } = now;
            self.outbox.push(Effect::Note(Note::Coverage { turn, percent, holes }));
        }
    }
}
