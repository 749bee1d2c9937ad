//! What a turn says by its words, where it is said.

use language::Intent;

use crate::blueprint::Language;
use crate::interview::{
    Effect, Interview, Note, TurnId,
    dialogue::awaiting::Awaiting,
    stage::{self, Heard, Step},
    transition::Cause,
    turn_taking::turn::Turn,
    understanding::{
        english::{self, breaks_off, is_meant, is_parting, is_sensitive, to_ending},
        language::is_foreign,
        words::{holds, normal},
    },
};
use crate::values::{self, Reading};

/// More words than that after our goodbye say more than goodbye.
const PARTING_WORDS_MAX: usize = 5;
/// More words than that, to whether they want to stop, are an answer to what was asked before.
pub(crate) const UNCLEAR_WORDS_MAX: usize = 5;

impl Interview {
    /// The language that it is held in.
    pub fn language(&self) -> Language {
        self.script.language()
    }

    /// The words whose meaning is wanted. `Event::Understood` tells it before anything else happens:
    /// deadlines wait for it, and any other event gives it up.
    pub fn unread(&self) -> Option<&str> {
        self.turns.unread()
    }

    /// Wants to know what the words of the unanswered turn, or of the interrupted one, mean, if they have
    /// changed.
    pub(crate) fn read(&mut self) {
        if let Some((turn, attempt)) = self.turns.read(self.floor.turn()) {
            self.outbox.push(Effect::Understand { turn, attempt });
        }
    }

    /// Ends the turn, as soon as it is known what its words mean.
    pub(crate) fn end_turn_when_read(&mut self) {
        self.read();
        match self.turns.unread() {
            Some(_) => self.turns.end_when_read(),
            None => self.end_turn(),
        }
    }

    /// What words of the candidate say by phrases; these are English.
    pub(crate) fn intent_by_phrases(&self, text: &str) -> Option<Intent> {
        self.is_english().then(|| english::intent(text)).flatten()
    }

    /// What words of the candidate say, wherever they say them: by phrases, else by examples.
    pub(crate) fn intent_by_words(&self, text: &str) -> Option<Intent> {
        self.intent_by_phrases(text).or_else(|| {
            // Foreign words are like examples by chance only.
            let is_foreign = is_foreign(text, self.script.language());
            let found = self.turns.intent_of(text).filter(|_| !is_foreign)?;
            // In English only phrases tell what is very personal: it is kept out of the report.
            let is_told = found != Intent::Sensitive || !self.is_english();
            let denies = found == Intent::Yes && self.says_no(text);
            let found = if denies { Intent::No } else { found };
            Some(found).filter(|found| is_told && !found.is_plain_answer())
        })
    }

    fn is_english(&self) -> bool {
        self.script.language() == Language::English
    }

    /// Whether their first word is no: "Nein, wir können weitermachen" agrees to nothing.
    pub(crate) fn says_no(&self, text: &str) -> bool {
        let first = match self.script.language() {
            Language::English | Language::Italian => "no",
            Language::German => "nein",
        };
        normal(text).split(' ').next() == Some(first)
    }

    /// Whether an answer has begun that a wish for time breaks off.
    pub(crate) fn breaks_off(&self, text: &str) -> bool {
        self.is_english() && breaks_off(text)
    }

    /// Whether words after our goodbye say goodbye, or thanks, and nothing else. Examples do not tell it: in
    /// other languages than English a few words do that ask for nothing.
    pub(crate) fn is_parting(&self, text: &str) -> bool {
        if self.is_english() {
            return is_parting(text);
        }
        let is_short = text.split_whitespace().count() <= PARTING_WORDS_MAX;
        match self.intent_by_words(text) {
            None => is_short && !text.trim_end().ends_with('?'),
            Some(found) => matches!(found, Intent::Yes | Intent::No | Intent::Done),
        }
    }

    /// Whether a turn tells what is nobody's business: it does not go into a report (case 39).
    pub(crate) fn is_private(&self, turn: &Turn) -> bool {
        turn.intent == Intent::Sensitive || self.is_private_text(&turn.said.text())
    }

    /// The same of words.
    pub(crate) fn is_private_text(&self, text: &str) -> bool {
        if self.is_english() {
            return is_sensitive(text);
        }
        self.intent_by_words(text) == Some(Intent::Sensitive)
    }

    /// Notes once that a turn tells what is nobody's business.
    pub(crate) fn note_private(&mut self, turn: TurnId) {
        if self.conduct.keep_private(turn) {
            self.outbox.push(Effect::Note(Note::Sensitive { turn }));
        }
    }

    /// What a turn says by its words, here.
    pub(crate) fn intent_of(&self, text: &str) -> Intent {
        let found = self.intent_by_words(text).unwrap_or(Intent::ANSWER);
        if self.awaited.settles_stop() {
            return self.intent_to_ending(text, found);
        }
        if self.awaited.asks_to_go_on() {
            return self.intent_to_going_on(text, found);
        }
        if self.gives_value(text, found) {
            return Intent::ANSWER;
        }
        // Who had time to think about it, and has said something, has answered.
        if found == Intent::Hold && self.stage.pending.has(Step::GivenTime) && self.breaks_off(text)
        {
            return Intent::ANSWER;
        }
        // "We can also leave this one out." "Yes, please."
        let takes_offer = found == Intent::Yes
            && match self.awaited.uppermost() {
                Awaiting::Leave => true,
                Awaiting::SkipOffer => {
                    normal(text).split(' ').any(|word| holds(" please great good ", word))
                }
                Awaiting::StopQuestion
                | Awaiting::ConfirmStop
                | Awaiting::Language
                | Awaiting::Value
                | Awaiting::ReadBack
                | Awaiting::GoOn
                | Awaiting::Answer => false,
            };
        if takes_offer {
            return Intent::Skip;
        }
        let turn = Heard {
            text,
            held: self.stage.pending.has(Step::GivenTime),
            questions_used_up: self.facts().has(Cause::QuestionLimit),
        };
        stage::of(&self.agent().kind).read(found, turn)
    }

    /// Whether words are the value that is awaited, whatever else they seem to say: "oh one, no, wait, oh
    /// two" asks for no time.
    fn gives_value(&self, text: &str, found: Intent) -> bool {
        let Some(field) = self.field_awaited() else { return false };
        let may_seem = match field.format.is_free() {
            true => matches!(found, Intent::Hold | Intent::Correct),
            false => !matches!(found, Intent::Stop | Intent::Distress),
        };
        may_seem && matches!(values::read(text, field, self.script.language()), Reading::Whole(_))
    }

    /// The same of a turn whose question they leave out by button: who is not well, or wants to stop, is
    /// heard first (H02).
    pub(crate) fn intent_of_skipped(&self, text: &str) -> Intent {
        let found = self.intent_of(text);
        if matches!(found, Intent::Stop | Intent::Distress) { found } else { Intent::Skip }
    }

    /// Whether a turn says yes to the language that we have just said we speak (case 27).
    pub(crate) fn agrees_on_language(&self, turn: &Turn) -> bool {
        turn.intent == Intent::Yes && self.awaited.is_language_of(turn.id)
    }

    /// Whether a turn says neither yes nor no to whether they want to stop, and nothing else that is clear:
    /// "my boss just walked in". They are asked again, once.
    pub(crate) fn is_unclear_to_ending(&self, turn: &Turn) -> bool {
        turn.intent.is_plain_answer()
            && self.awaited.is_stop_asked()
            && !self.stage.pending.has(Step::AskedAgainToStop)
            && turn.said.words() <= UNCLEAR_WORDS_MAX
    }

    /// What a turn is that `found` says, where we asked, or were about to ask, whether they want to stop.
    fn intent_to_ending(&self, text: &str, found: Intent) -> Intent {
        // "No, let's finish the interview." That only English phrases tell from "no, we can continue".
        let says_no = !self.is_english() && self.says_no(text);
        let is_stop =
            found == Intent::Stop && if self.is_english() { is_meant(text) } else { !says_no };
        let is_other = is_stop
            || matches!(
                found,
                Intent::Hold
                    | Intent::Repeat
                    | Intent::Sound
                    | Intent::Clarify
                    | Intent::Distress
                    | Intent::Abusive
            );
        // "Can we continue?" answers it; "what happens if I stop?" does not.
        let asks = matches!(found, Intent::Ask(_));
        let is_asked = self.awaited.is_stop_asked();
        let agrees = || Some(found).filter(|found| matches!(found, Intent::Yes | Intent::No));
        let said = match (self.is_english(), says_no) {
            (true, _) => to_ending(text),
            (false, true) => Some(Intent::No),
            (false, false) => agrees(),
        };
        let settled = said.filter(|said| is_asked && !is_other && (!asks || *said == Intent::No));
        // Who does not know, or says why it is hard, thinks about it: nothing is said about the question
        // before.
        let leaves_open = matches!(found, Intent::DontKnow | Intent::Decline | Intent::Sensitive);
        let open = match (leaves_open, is_asked) {
            (false, _) => found,
            (true, true) => Intent::Hold,
            (true, false) => Intent::ANSWER,
        };
        settled.unwrap_or(open)
    }
}
