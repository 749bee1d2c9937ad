//! Words that nobody said: ours, come back, or a recogniser's own (cases 25 and 29).

use std::time::Duration;

use super::{BARGE_IN_WORDS, Checks, Rule};
use crate::{
    interview::{Effect, Words, understanding::words::normal},
    journal::Entry,
    time::SessionTime,
};

/// So many of the last words are looked at, so many percent of them may be ours.
const LAST_WORDS: usize = 8;
const OURS_PERCENT: usize = 80;
/// Replies of ours that may come back.
const REPLIES: usize = 5;
/// Who hears themselves does so for a while.
const ECHOES_FOR: Duration = Duration::from_secs(60);
/// Fewer words of ours may pass for theirs: both ask "what do you …".
const WORDS_MIN: usize = 5;

/// A voice that has no word for so long is none (T04).
const WORDLESS_MIN: Duration = Duration::from_secs(10);
/// After so many without a word in a row the next keeps nothing back.
const KEPT_BACK_MAX: u32 = 3;

impl Checks {
    /// Whether nobody is cut off by a handoff in the voice that is on at `at`: it has had no word for long,
    /// or none like those before it, or one at most when they pressed Skip over us.
    pub(super) fn is_passed_over(&self, at: SessionTime) -> bool {
        let told = self.hearing.transcripts.iter().filter(|told| told.from >= self.voice.began);
        let words = told.map(|told| told.words).max().unwrap_or_default();
        let is_long = at.since(self.voice.began) >= WORDLESS_MIN;
        let is_skipped = self.skipped_at.is_some_and(|skipped| skipped >= self.voice.told_at);
        let is_noise = words == 0 && (is_long || self.voice.kept_back >= KEPT_BACK_MAX);
        is_noise || (is_skipped && words < BARGE_IN_WORDS)
    }

    /// A voice keeps what we were about to say from its first sound.
    pub(super) fn keeps_back(&mut self, entry: &Entry) {
        let hushes = |effect: &Effect| matches!(effect, Effect::Hush { .. });
        self.voice.kept_back += u32::from(entry.effects.iter().any(hushes));
    }

    /// Nobody says what this segment will be.
    pub(in crate::sim) fn nobodys(&mut self, segment: u32) {
        self.hearing.nobodys.insert(segment);
    }

    /// Out of silence comes what no candidate ever says.
    pub(in crate::sim) fn made_up(&mut self, segment: u32) {
        self.nobodys(segment);
        self.hearing.made_up.insert(segment);
    }

    /// Whether words need lead to nothing: nobody said them, or they say what we do.
    pub(super) fn may_be_nobodys(&mut self, words: &Words, at: SessionTime) -> bool {
        let count = words.text.split_whitespace().count();
        let is_like_ours = self.is_like_ours(&words.text);
        if is_like_ours && count >= BARGE_IN_WORDS {
            self.hearing.echoes_until = at + ECHOES_FOR;
        }
        if is_like_ours {
            self.hearing.like_ours.insert(words.segment);
        } else {
            self.hearing.like_ours.remove(&words.segment);
        }
        // What they have said themselves we may say again, and hear again.
        if count >= WORDS_MIN && self.turn_with(words.text.trim()).is_some() {
            self.hearing.nobodys.remove(&words.segment);
        }
        is_like_ours || self.hearing.nobodys.contains(&words.segment)
    }

    fn turn_with(&self, text: &str) -> Option<&String> {
        self.told.versions.values().flatten().find(|turn| turn.contains(text))
    }

    fn is_like_ours(&self, text: &str) -> bool {
        let theirs = normal(text);
        let theirs: Vec<&str> = theirs.split(' ').rev().take(LAST_WORDS).collect();
        let are_ours = |word: &&&str| {
            let mut replies = self.replies.ordered.values().rev().take(REPLIES);
            replies.any(|ordered| ordered.words.split(' ').any(|ours| ours == **word))
        };
        let known = theirs.iter().filter(are_ours).count();
        known * 100 >= theirs.len() * OURS_PERCENT
    }

    /// What nobody said is in no turn.
    pub(super) fn nobody_said(&mut self) {
        let mut wrong = Vec::new();
        for segment in &self.hearing.nobodys {
            let Some(text) = self.hearing.segments.get(segment) else { continue };
            let count = text.split_whitespace().count();
            let said = self.turn_with(text);
            let said =
                said.filter(|_| count >= WORDS_MIN || self.hearing.made_up.contains(segment));
            wrong.extend(said.map(|turn| format!("nobody said {text:?}: {turn}")));
        }
        for what in wrong {
            self.found(Rule::NobodySaid, 0, what);
        }
    }
}
