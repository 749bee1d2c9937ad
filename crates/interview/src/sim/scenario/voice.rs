//! The candidate's voice in a scenario, and what a recogniser makes of it.

use super::{
    VERBS,
    parts::{number, spans, time},
    unknown,
};
use crate::{interview::Words, time::SessionTime};

/// The last voice, and the number of its segment.
pub(super) struct Voice {
    segment: u32,
    from: SessionTime,
    /// Nothing while it lasts.
    to: Option<SessionTime>,
}

impl Voice {
    /// Before the first voice.
    pub(super) fn new() -> Self {
        Self { segment: 0, from: SessionTime::ZERO, to: None }
    }

    pub(super) fn begin(&mut self, at: SessionTime) {
        self.segment = self.segment.saturating_add(1);
        (self.from, self.to) = (at, None);
    }

    pub(super) fn end(&mut self, at: SessionTime) {
        self.to = Some(at);
    }

    /// When it ended; `at` if it has not.
    pub(super) fn ended(&self, at: SessionTime) -> SessionTime {
        self.to.unwrap_or(at)
    }

    /// A final transcript: [`Self::words`], and what only a final transcript has, one of: how sure it is,
    /// whether the turn ends, `{from-to from-to}`.
    pub(super) fn final_words(
        &mut self,
        at: SessionTime,
        which: &str,
        text: &str,
    ) -> Result<Words, String> {
        if which.starts_with('0') {
            let (sure, which) = which.split_once(' ').unwrap_or((which, ""));
            let sure = sure.parse().map_err(|_| unknown(&format!("final {sure}"), VERBS))?;
            return Ok(Words { confidence: Some(sure), ..self.words(at, which, text)? });
        }
        if which.starts_with('{') {
            let spans = spans(which)?;
            return Ok(Words { spans, ..self.words(at, "", text)? });
        }
        let ends_turn = match which {
            "ends" => Some(true),
            "goes on" => Some(false),
            _ => return self.words(at, which, text),
        };
        Ok(Words { ends_turn, ..self.words(at, "", text)? })
    }

    /// Words of this voice, or of `[segment from to]`.
    pub(super) fn words(
        &mut self,
        at: SessionTime,
        which: &str,
        text: &str,
    ) -> Result<Words, String> {
        let text = text.to_owned();
        let Some(which) = which.strip_prefix('[').and_then(|which| which.strip_suffix(']')) else {
            return Ok(Words {
                segment: self.segment,
                from: self.from,
                to: self.ended(at),
                text,
                confidence: None,
                ends_turn: None,
                spans: Vec::new(),
            });
        };
        let Ok([segment, from, to]) = <[&str; 3]>::try_from(which.split(' ').collect::<Vec<_>>())
        else {
            return Err(format!("`[{which}]` is no segment: write [1 00:05.000 00:07.000]"));
        };
        let segment = number(segment)?;
        self.segment = self.segment.max(segment);
        Ok(Words {
            segment,
            from: time(from)?,
            to: time(to)?,
            text,
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        })
    }
}
