//! What the model says a turn means, by the tag before its reply. Words of the blueprint take the place of
//! the reply, or it goes on.

use language::{Intent, Quality};

use crate::interview::{
    Interview, TurnId,
    course::Phase,
    dialogue::awaiting::Reaction,
    transition::decide,
    turn_taking::{
        floor::Floor,
        turn::{Draft, Turn},
    },
};

/// More words than that are an answer to the question, unless they are grave: a model that errs cuts nobody's
/// story short.
const REQUEST_WORDS_MAX: usize = 30;

/// What follows from a tag.
enum Consequence {
    /// The reply goes on.
    None,
    /// The reply goes on, and the turn is known to mean this.
    Known,
    /// The turn is answered as one that means this.
    Answer,
}

impl Interview {
    pub(crate) fn on_tagged(&mut self, of: (TurnId, u32), intent: Intent) {
        // Whether they want to stop is theirs to say.
        let is_settled = self.course.phase() != Phase::Running || self.awaited.settles_stop();
        if is_settled || self.answered() != Some(of) || !self.may_say_instead() {
            return;
        }
        let words = self.floor.turn().map_or(0, |turn| turn.said.words());
        let is_short = words <= REQUEST_WORDS_MAX;
        if let Intent::Answer(quality) = intent {
            let is_off_topic = quality == Quality::OffTopic;
            let Some(draft) = self.draft().filter(|_| !is_off_topic || is_short) else { return };
            draft.intent = Some(intent);
            if is_off_topic && self.may_redirect() {
                self.redirect();
            }
            return;
        }
        if intent == Intent::Unfinished && self.may_wait_more() {
            return self.wait_more();
        }
        match self.consequence(intent) {
            Consequence::None => {}
            Consequence::Known => {
                if let Floor::Thinking { turn: Some(turn), .. } = &mut self.floor {
                    turn.intent = intent;
                }
            }
            Consequence::Answer => self.heed(intent),
        }
    }

    fn consequence(&self, intent: Intent) -> Consequence {
        let Some(turn) = self.floor.turn() else { return Consequence::None };
        let is_grave = matches!(intent, Intent::Stop | Intent::Distress);
        let is_open = turn.intent.is_plain_answer() && turn.said.words() <= REQUEST_WORDS_MAX;
        if intent.is_plain_answer() || !(is_grave || is_open) {
            return Consequence::None;
        }
        let known = Turn { intent, draft: Draft::default(), ..turn.clone() };
        let goes_on = decide(&self.facts_after(&known)).is_none()
            && self.reaction(&known) == Reaction::Follow;
        if goes_on { Consequence::Known } else { Consequence::Answer }
    }
}
