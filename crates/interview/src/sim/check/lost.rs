//! Words that were said and not understood: they are marked, and who was not understood at all is asked to
//! say it again.

use std::time::Duration;

use super::{Checks, Rule};
use crate::{
    interview::Effect,
    journal::{Entry, Transcript},
    time::{SessionTime, Span},
};

/// So long a stretch is a hole for sure, and a longer one at an edge may be a noise.
const HOLE_MIN: Duration = Duration::from_millis(2_700);
const HOLE_MAX: Duration = Duration::from_secs(9);
/// So much voice at least leads to the question.
const VOICE_MIN: Duration = Duration::from_secs(1);

impl Checks {
    /// The recogniser does not get these words of a segment.
    pub(in crate::sim) fn lost(&mut self, segment: u32, stretch: Span) {
        self.hearing.lost.stretches.push((segment, stretch));
    }

    /// They are asked to say it again.
    pub(super) fn asks_again(&mut self, entry: &Entry) {
        let n = entry.n;
        if std::mem::replace(&mut self.hearing.lost.asked, true) {
            self.found(Rule::SaidAgain, n, "asked again twice".into());
        }
        // A voice that begins in the very instant in which a silence has lasted long enough hushes it.
        let hushes = entry.effects.iter().any(|effect| matches!(effect, Effect::Hush { .. }));
        let is_on = self.voice.is_on && !hushes;
        let since = self.voice.began;
        let told = self.hearing.transcripts.iter().rev().take_while(|told| told.from >= since);
        let words: usize = told.map(|told| told.words).sum();
        let longest = self.hearing.lost.longest_wordless();
        if words > 0 || is_on || longest < VOICE_MIN {
            let what = format!("after {words} words, a voice of {longest:?}");
            self.found(Rule::SaidAgain, n, what);
        }
    }

    /// What was lost of an answer is marked in it.
    pub(super) fn holes(&mut self, transcript: &Transcript) {
        let is_marked = |stretch: &Span| {
            let middle = stretch.from + stretch.length() / 2;
            let has = |from: u64, to: u64| {
                SessionTime::from_millis(from) <= middle && middle <= SessionTime::from_millis(to)
            };
            let mut holes = transcript.lines.iter().flat_map(|line| &line.holes);
            holes.any(|hole| has(hole.from_ms, hole.to_ms))
        };
        let is_due = |(segment, stretch): &&(u32, Span)| {
            let text = self.hearing.segments.get(segment).map_or("", String::as_str);
            let is_answer =
                text.contains(' ') && self.told.turns.values().any(|(_, turn)| turn.contains(text));
            let is_answer = is_answer && self.hearing.lost.finals.contains(segment);
            is_answer
                && (HOLE_MIN..HOLE_MAX).contains(&stretch.length())
                && self.presence.stopped.is_zero()
        };
        let missing =
            self.hearing.lost.stretches.iter().filter(is_due).find(|(_, it)| !is_marked(it));
        if let Some((segment, stretch)) = missing {
            let what = format!("no hole for {stretch:?} of segment {segment}");
            self.found(Rule::Holes, 0, what);
        }
    }
}
