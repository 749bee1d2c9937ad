//! Answers: what a finished turn leads to. An intent that the words show is acted on before any model is
//! asked (A01).

use std::time::Duration;

use language::{About, Intent, Quality};

use crate::interview::{
    Effect, Interview, Notice,
    course::Phase,
    dialogue::{
        awaiting::{Meant, Reaction},
        conduct::INSULTS_MAX,
        delivery::{Purpose, Reply},
        questions::Asked,
    },
    effect::{Say, Task},
    exit::{Exit, Reason},
    ids::{QuestionId, TurnId},
    model::judgement::Judgeable,
    note::{Note, Priority, Settled},
    stage::Step,
    transition::{Cause, Facts, decide},
    turn_taking::{
        floor::Floor,
        said::Said,
        turn::{Draft, Turn},
    },
    understanding::{
        english::correction,
        language::is_foreign,
        meaning::UNCLEAR_WORDS_MAX,
        sentence::{clipped, last_question},
    },
};
use crate::{
    blueprint::{Language, Phrase},
    scripted::all_words,
};

/// The number of skipped questions after which the stage is left (case 21).
const SKIPS_MAX: u32 = 2;
/// The number of times a question is rephrased; then we offer to skip it (case 5).
const REPHRASED_MAX: u32 = 2;
/// The least number of words of an answer that is judged.
const JUDGED_WORDS_MIN: usize = 3;
/// The number of threads that may be followed after all is known (X03).
const CHECKS_MAX: u32 = 2;

impl Interview {
    /// Ends the candidate's turn and answers it.
    pub(crate) fn end_turn(&mut self) {
        let since = self.own_now();
        let Some(turn) = self.replace_floor(Floor::Open { since }).into_turn() else { return };
        if turn.said.words() == 0 {
            return self.on_no_words(&turn);
        }
        let turn = self.turns.with_carried(turn);
        let was_given_up = self.take_up_again();
        if let Phase::Leaving { end, .. } = self.course.phase() {
            return self.answer_into_goodbye(end, turn);
        }
        let turn = self.turns.named(turn);
        let text = turn.said.text();
        let found = match self.stage.pending.skip_wanted {
            true => self.intent_of_skipped(&text),
            false => self.intent_of(&text),
        };
        let intent = if was_given_up { self.intent_of_call(found, &turn) } else { found };
        let foreign = is_foreign(&text, self.script.language());
        self.answer(Turn { intent, foreign, draft: Draft::default(), ..turn });
    }

    /// Drops a turn that was noise: the silence before it goes on (T04).
    pub(crate) fn on_noise(&mut self, turn: &Turn) {
        let lapsed = self.replies.take_suppressed();
        // The noise was over the end of our goodbye, which has been said.
        if let (Phase::Leaving { .. }, None) = (self.course.phase(), &lapsed) {
            // They asked for a moment, and have it.
            if self.held_until() > self.own_now() {
                self.floor = Floor::Open { since: turn.silent_since };
                return;
            }
            return self.hang_up_as_planned();
        }
        self.floor = Floor::Open { since: turn.silent_since };
        if let Some(reply) = self.replies.take_awaiting_silence() {
            self.after_reply(&reply, Said::default());
        }
        if let Some(reply) = lapsed {
            self.think(reply.say, reply.purpose, None, reply.exit);
            if let Some(again) = self.floor.reply_mut() {
                again.suppressions = reply.suppressions + 1;
            }
        }
        let is_open = matches!(self.floor, Floor::Open { .. });
        if is_open && std::mem::take(&mut self.stage.pending.skip_wanted) {
            return self.skip();
        }
        // A question that was asked after the limit waits for its answer, or for a first rung of silence.
        if self.limit_passed_since(turn.since) {
            self.on_limit();
        }
        // The noise has cut off a question: that is asked again, once.
        let waits = self.awaited.settles_stop()
            || self.awaited.read_back().is_some()
            || self.stage.silence.hold_until.is_some();
        let is_cut_off =
            self.awaited.is_stop_unasked() || self.questions.unheard().is_some() && !waits;
        if is_cut_off
            && let Floor::Open { .. } = self.floor
            && self.stage.pending.take(Step::AskedAfterNoise)
        {
            self.say_and_ask_again("", None);
        }
    }

    /// Acts on an answer: an exit, or a reply (H02).
    pub(crate) fn answer(&mut self, turn: Turn) {
        if self.is_answer(&turn) {
            self.call_judge(&turn);
        }
        self.forecast(&turn);
        match decide(&self.facts_after(&turn)) {
            Some(exit) if self.needs_check(exit) => {
                self.think(Say::model(Task::Check), Purpose::Check, Some(turn), None);
            }
            Some(exit) if self.may_go_on(exit) => self.ask_to_go_on(Some(turn)),
            Some(exit) => self.begin_exit(exit, Some(turn)),
            None => self.reply_to(turn),
        }
    }

    /// The facts that hold once this turn counts.
    pub(crate) fn facts_after(&self, turn: &Turn) -> Facts {
        let is_answer = self.is_answer(turn);
        let insults = self.conduct.insults() + u32::from(turn.intent == Intent::Abusive);
        let answered = self.course.answered() + u32::from(is_answer);
        let skips = turn.intent == Intent::Skip && self.is_skipped(self.stage.counts.skips + 1);
        // A wish to stop, or distress, is settled first.
        let settles_stop = self.asks_to_stop(turn) || self.leaves_stop_open(turn);
        let facts = self.facts();
        // A turn that is no answer, such as a request, is replied to first.
        let facts = if is_answer { facts } else { facts.while_question_waits() };
        let is_over_time = facts.has(Cause::StageLimit) && !settles_stop;
        facts
            .with(Cause::CandidateAskedToStop, self.reaction(turn) == Reaction::LetGo)
            .with(Cause::Abuse, insults >= INSULTS_MAX)
            .with(Cause::MaxTurns, answered >= self.script.plan().exit.max_turns)
            .with(Cause::CandidateSkipped, turn.intent == Intent::SkipPart || skips)
            .with(Cause::StageLimit, is_over_time)
    }

    /// Whether the question if they want to stop waits for its answer after this turn, too.
    fn leaves_stop_open(&self, turn: &Turn) -> bool {
        let asks = matches!(
            turn.intent,
            Intent::Hold
                | Intent::Repeat
                | Intent::Sound
                | Intent::Clarify
                | Intent::Ask(_)
                | Intent::Abusive
        );
        self.awaited.is_stop_unasked()
            || self.is_unclear_to_ending(turn)
            || (self.awaited.settles_stop() && asks)
    }

    pub(crate) fn asks_to_stop(&self, turn: &Turn) -> bool {
        matches!(turn.intent, Intent::Stop | Intent::Distress)
    }

    /// The meaning of a turn, for the table in `awaiting.rs`.
    fn meant(&self, turn: &Turn) -> Meant {
        let pending = &self.stage.pending;
        match turn.intent {
            Intent::Stop => Meant::Stop,
            Intent::Distress => Meant::Distress,
            Intent::Abusive if self.conduct.insults() == 0 => Meant::FirstInsult,
            Intent::Abusive => Meant::Insult,
            Intent::Hold if pending.has(Step::GivenTime) => Meant::NeedsTimeAgain,
            Intent::Hold if self.breaks_off(&turn.said.text()) => Meant::BreaksOff,
            Intent::Hold => Meant::NeedsTime,
            // Who does not hear us well wants to hear it again.
            Intent::Repeat | Intent::Sound if pending.repeats == 0 => Meant::Repeat,
            Intent::Repeat | Intent::Sound | Intent::Clarify => Meant::Rephrase,
            Intent::Ask(about) => Meant::Question(about),
            Intent::Yes => Meant::Yes,
            Intent::No => Meant::No,
            Intent::Done | Intent::Sensitive | Intent::Correct => Meant::Remark,
            Intent::Skip | Intent::SkipPart | Intent::DontKnow | Intent::Decline => {
                Meant::LeavesOpen
            }
            Intent::Answer(_) | Intent::Unfinished => Meant::Statement {
                is_unclear: !pending.has(Step::AskedAgainToStop)
                    && turn.said.words() <= UNCLEAR_WORDS_MAX,
                is_foreign: self.conduct.is_foreign_with(turn.foreign)
                    && !self.awaited.was_language_said(),
            },
        }
    }

    /// The reaction to a turn, by what we wait for.
    pub(crate) fn reaction(&self, turn: &Turn) -> Reaction {
        self.awaited.reaction(turn.id, self.meant(turn))
    }

    /// Replies to a turn that leads to no exit.
    fn reply_to(&mut self, turn: Turn) {
        let reaction = self.reaction(&turn);
        let asks = matches!(
            reaction,
            Reaction::AskAgain | Reaction::Repeat | Reaction::Rephrase | Reaction::Follow
        );
        if asks && !self.course.has_opened() {
            return self.open_again(turn);
        }
        match reaction {
            Reaction::ConfirmStop => self.say(Phrase::ConfirmStop, Purpose::ConfirmStop, turn),
            Reaction::ConfirmStopInDistress => {
                self.say(Phrase::Distress, Purpose::ConfirmStop, turn);
            }
            Reaction::OfferEnd => self.say(Phrase::OfferEnd, Purpose::ConfirmStop, turn),
            Reaction::Boundary => self.ask_again(Phrase::Boundary, turn),
            Reaction::GoOn => {
                let question = self.plain_question(Purpose::Again);
                self.say_and_ask(&self.phrase(Phrase::GoOn), question, Some(turn));
            }
            Reaction::ReopenField => {
                self.questions.forget_unheard();
                self.say_and_ask("", self.denied_question(), Some(turn));
            }
            Reaction::WaitSilently => self.hold(Some(turn)),
            Reaction::SayTakeYourTime => self.say(Phrase::Hold, Purpose::Hold, turn),
            Reaction::AskAgain => self.say_and_ask_again("", Some(turn)),
            Reaction::Repeat => self.ask_again(Phrase::Repeat, turn),
            Reaction::Rephrase => self.rephrase(Some(turn)),
            Reaction::GoFurther => self.go_further(turn),
            Reaction::Close => self.close_rounds(Some(turn)),
            Reaction::AnswerQuestion(about) => {
                let words = self.answer_to(about, &turn.said.text());
                self.say_and_ask_again(&words, Some(turn));
            }
            Reaction::SayLanguage => self.say(Phrase::Language, Purpose::Again, turn),
            // `decide` has let them go before: that is above everything else.
            Reaction::LetGo | Reaction::Follow => self.follow(Some(turn)),
        }
    }

    /// Says the first words again, which were not heard to their end.
    fn open_again(&mut self, turn: Turn) {
        let cut_off = self.questions.unheard().map(|cut_off| Say::Text(cut_off.to_owned()));
        let say = cut_off.unwrap_or_else(|| self.opening());
        self.think(say, Purpose::Ask, Some(turn), None);
    }

    /// Has the model reply to the turn.
    pub(crate) fn follow(&mut self, turn: Option<Turn>) {
        if self.asks_as_written() {
            let words = self.before_written(turn.as_ref());
            return self.ask_from_file(&words, Purpose::Ask, turn);
        }
        let say = Say::model(Task::Follow);
        self.think(say, Purpose::Ask, turn, None);
    }

    /// Asks the same question in other words; when that does not help, offers to skip it.
    pub(crate) fn rephrase(&mut self, turn: Option<Turn>) {
        // A question of yes or no is not rephrased.
        let is_of_yes_or_no = self.awaited.settles_stop()
            || self.awaited.read_back().is_some()
            || self.awaited.asks_to_go_on();
        if is_of_yes_or_no {
            return self.say_and_ask_again("", turn);
        }
        if self.stage.pending.rephrased >= REPHRASED_MAX {
            self.awaited.offer_skip();
            let words = self.phrase(Phrase::OfferSkip);
            return self.say_and_ask_again(&words, turn);
        }
        let (_, purpose) = self.waiting_question(Purpose::Again);
        self.think(Say::model(Task::Rephrase), purpose, turn, None);
    }

    fn say(&mut self, phrase: Phrase, purpose: Purpose, turn: Turn) {
        let words = self.phrase(phrase);
        self.think(Say::Text(words), purpose, Some(turn), None);
    }

    fn ask_again(&mut self, phrase: Phrase, turn: Turn) {
        let words = self.phrase(phrase);
        self.say_and_ask_again(&words, Some(turn));
    }

    pub(crate) fn say_and_ask_again(&mut self, words: &str, turn: Option<Turn>) {
        self.say_and_ask(words, self.waiting_question(Purpose::Again), turn);
    }

    fn say_and_ask(
        &mut self,
        words: &str,
        (question, purpose): (String, Purpose),
        turn: Option<Turn>,
    ) {
        let words = format!("{words} {question}");
        self.think(Say::Text(words.trim().to_owned()), purpose, turn, None);
    }

    /// The question that waits for its answer.
    pub(crate) fn asked_last(&self) -> String {
        self.waiting_question(Purpose::Again).0
    }

    /// The question that waits for its answer, and the purpose of a reply that asks it: `again`, unless it
    /// was not heard yet.
    pub(crate) fn waiting_question(&self, again: Purpose) -> (String, Purpose) {
        if self.awaited.settles_stop() {
            return (self.phrase(Phrase::ConfirmStop), Purpose::ConfirmStop);
        }
        if let Some(value) = self.value_read_back() {
            return (self.back(value), again);
        }
        if self.awaited.asks_to_go_on() {
            return (self.phrase(Phrase::AskToGoOn), Purpose::GoOn);
        }
        self.plain_question(again)
    }

    /// The question that waits below a question of yes or no.
    fn plain_question(&self, again: Purpose) -> (String, Purpose) {
        if let Some(cut_off) = self.questions.unheard() {
            return (cut_off.to_owned(), Purpose::Ask);
        }
        let last = self.questions.last().filter(|_| self.stage.counts.questions > 0);
        let waits = last.filter(|asked| !asked.is_answered);
        let asked = |asked: &Asked| (asked.text.clone(), again);
        let new = || self.new_question().map(|question| (question, Purpose::Ask));
        let waiting = waits.map(asked).or_else(new).or_else(|| last.map(asked));
        waiting.unwrap_or((String::new(), Purpose::Ask))
    }

    /// The question whose answer was read back wrongly.
    fn denied_question(&self) -> (String, Purpose) {
        let denied = self.awaited.read_back();
        match (denied.and_then(|key| self.other_question(key)), self.questions.last()) {
            (Some(own), _) => (own.to_owned(), Purpose::Ask),
            (None, Some(asked)) => (asked.text.clone(), Purpose::Again),
            (None, None) => self.plain_question(Purpose::Again),
        }
    }

    /// The question for a field, if the last question was another one.
    fn other_question(&self, key: &str) -> Option<&str> {
        let question = &self.script.plan().fields().find(|field| field.key == key)?.question;
        let was_last = self.fields_asked_for().iter().any(|asked| asked == key);
        (!was_last && !question.is_empty()).then_some(question)
    }

    /// A short true answer to a question about the interview, from the configuration (cases 9, 47, 48).
    pub(crate) fn answer_to(&self, about: About, asked: &str) -> String {
        match about {
            About::Verdict => self.phrase(Phrase::NoVerdict),
            About::Human => self.phrase(Phrase::AboutMe),
            About::Recording if self.script.context().recorded => self.phrase(Phrase::Recorded),
            About::Recording => self.phrase(Phrase::NotRecorded),
            About::Other => self.known_answer(asked).unwrap_or_else(|| self.phrase(Phrase::PassOn)),
        }
    }

    /// The answer to a candidate's question from the recruiter's texts, if there is one.
    fn known_answer(&self, asked: &str) -> Option<String> {
        let words: Vec<String> = all_words(asked).collect();
        // How many of an entry's words the question has, where these are more than half.
        let fits = |about: &String| {
            let all: Vec<String> = all_words(about).collect();
            let shared = all.iter().filter(|word| words.contains(word)).count();
            (2 * shared > all.len()).then(|| (shared * 100 / all.len(), shared))
        };
        let knowledge = self.script.context().knowledge.iter();
        let fitting =
            knowledge.filter_map(|known| Some((known.about.iter().filter_map(fits).max()?, known)));
        // Of equals the first.
        let best = fitting.rev().max_by_key(|(fit, _)| *fit);
        best.map(|(_, known)| known.answer.clone())
    }

    /// What a turn is by its words, or by the model where these say no more than that it is an answer.
    pub(crate) fn kind_of(&self, turn: &Turn) -> Intent {
        let by_model = turn.draft.intent.filter(|_| turn.intent.is_remark());
        by_model.unwrap_or(turn.intent)
    }

    /// Whether a turn answers the question: then it counts.
    pub(crate) fn is_answer(&self, turn: &Turn) -> bool {
        let confirms_stop = self.awaited.settles_stop()
            && matches!(turn.intent, Intent::Yes | Intent::No | Intent::Stop);
        let confirms_value =
            self.awaited.read_back().is_some() && matches!(turn.intent, Intent::Yes | Intent::No);
        !confirms_stop
            && !confirms_value
            && !self.settles_course(turn)
            && !self.agrees_on_language(turn)
            && !self.awaited.is_stop_unasked()
            && !self.is_unclear_to_ending(turn)
            && self.course.has_opened()
            && self.kind_of(turn).counts()
    }

    pub(crate) fn call_judge(&mut self, turn: &Turn) {
        // An empty answer has nothing to judge, and a very personal one is not judged (case 39); a form
        // and an offer read their answers themselves (L06).
        if let Some(id) = turn.id
            && !(self.has_agenda() && self.asks_as_written())
            && !turn.leaves_open()
            && turn.said.words() >= JUDGED_WORDS_MIN
            && !self.is_private(turn)
        {
            self.outbox.push(Effect::Judge { turn: id, attempt: turn.patience.restarts });
        }
    }

    /// Where a plan lives on judgements, an answer that has none by the next answer is looked at once
    /// more: the judge failed, or was lost in a crash (K02).
    fn judge_again(&mut self) {
        let stage = self.stage.index;
        if self.stage_at(stage).0.learns() {
            for (turn, attempt) in self.known.take_lost(stage) {
                self.outbox.push(Effect::Judge { turn, attempt });
            }
        }
    }

    /// Commits a turn: our reply to it was heard, or the interview ends.
    pub(crate) fn commit(&mut self, turn: Turn) {
        if turn.said.words() == 0 {
            return;
        }
        let mut turn = self.turns.named(turn);
        let Some(id) = turn.id else { return };
        let text = turn.said.text();
        // Distress is noted, too, if they left before their turn ended, or said it into a goodbye (case 40).
        if turn.intent.is_plain_answer() && self.intent_by_words(&text) == Some(Intent::Distress) {
            turn.intent = Intent::Distress;
        }
        let says = self.kind_of(&turn);
        let kind = (!says.is_remark() || turn.draft.intent == Some(says)).then_some(says);
        let is_answer = self.is_answer(&turn);
        let goes_on = self.awaited.asks_to_go_on() && turn.intent == Intent::Yes;
        self.stage.spoke = true;
        self.stage.silence.quiet = Duration::ZERO;
        let sound = self.sound_of(&turn);
        self.known.history.commit(id, self.stage.index, &turn, sound);
        let stage = self.agent().name.clone();
        self.conduct.count_language(turn.foreign);
        self.outbox.push(Effect::Publish(Notice::Turn { turn: id, stage, text: text.clone() }));
        let question = self.questions.last_id();
        let depth = turn.draft.depth;
        self.outbox.push(Effect::Note(Note::Answered { turn: id, question, kind, depth }));
        self.note_coverage(id, None);
        if let Some(denied) = self.settle_confirmed(turn.intent, id, &text)
            && self.other_question(&denied).is_none()
        {
            self.questions.set_answered(false);
        }
        if is_answer {
            self.count_answer(&turn, id, &text);
        }
        if goes_on {
            self.grant_rounds();
            self.awaited.settle_going_on();
        }
        self.remember_intent(&turn, id, &text);
        if self.is_unclear_to_ending(&turn) {
            self.stage.pending.take(Step::AskedAgainToStop);
        }
        // A request for a moment is no answer yet.
        if turn.intent != Intent::Hold {
            self.awaited.drop_stop();
        }
        self.awaited.stay();
        // Refusals in an earlier answer do not help the model any more.
        self.health.forget_refusals();
    }

    /// Whether a question of this stage was heard: until then words answer the stage before.
    pub(crate) fn has_asked(&self) -> bool {
        self.stage.index == 0 || self.stage.counts.questions > 0
    }

    /// Whether a turn is one of the answers that its stage wants at least: a skipped question has none.
    pub(crate) fn counts_for_minimum(&self, turn: &Turn) -> bool {
        let is_skipped = matches!(turn.intent, Intent::Skip | Intent::SkipPart);
        self.has_asked() && self.is_answer(turn) && !is_skipped
    }

    /// Whether an answer stays general, or answers a part: one question follows it up (A01).
    pub(crate) fn is_shallow(&self, turn: &Turn) -> bool {
        let kind = self.kind_of(turn);
        let is_below = || turn.draft.depth.is_some_and(|depth| depth < self.agent().depth_wanted());
        matches!(kind, Intent::Answer(Quality::Partial | Quality::Vague))
            || (kind == Intent::ANSWER && is_below())
    }

    fn count_answer(&mut self, turn: &Turn, id: TurnId, text: &str) {
        self.stage.counts.answers += u32::from(self.counts_for_minimum(turn));
        let is_shallow = self.is_shallow(turn);
        let counts = &mut self.stage.counts;
        counts.too_shallow += u32::from(turn.draft.too_shallow);
        counts.follow_ups = u32::from(is_shallow && counts.follow_ups == 0);
        self.course.count_answer();
        self.stage.depth = self.stage.depth.max(turn.draft.depth.unwrap_or(0));
        let question = self.questions.last_id();
        self.questions.set_answered(true);
        self.stage.pending.take(Step::Answered);
        // Their time to think is over.
        self.stage.silence.end_hold();
        self.settle(turn, question);
        self.answer_agenda(id, turn);
        self.judge_again();
        if self.is_private(turn) || turn.leaves_open() {
            return;
        }
        self.known.memory.hear(self.stage.index, text);
        self.known.memory.add_points(self.stage.index, &turn.draft.key_points);
        let known = Judgeable {
            turn: id,
            attempt: turn.patience.restarts,
            stage: self.stage.index,
            question,
            is_retried: false,
        };
        match turn.draft.judgement.clone() {
            Some(judgement) => self.learn(known, judgement),
            None => {
                self.known.await_judge(known);
            }
        }
    }

    /// Notes what the intent of a committed turn changes.
    fn remember_intent(&mut self, turn: &Turn, id: TurnId, text: &str) {
        let question = self.questions.last_id();
        let note = |interview: &mut Self, note| interview.outbox.push(Effect::Note(note));
        match turn.intent {
            Intent::Hold => {
                self.stage.pending.take(Step::GivenTime);
                note(self, Note::Held);
            }
            Intent::Repeat | Intent::Sound => self.stage.pending.repeats += 1,
            Intent::Clarify => {}
            Intent::DontKnow => {
                self.settle_waiting(&Settled::Unknown);
            }
            Intent::Decline => {
                self.settle_waiting(&Settled::Declined);
            }
            // Nothing was asked yet that they could skip.
            Intent::Skip | Intent::SkipPart if !self.course.has_opened() => {}
            Intent::Skip | Intent::SkipPart => {
                self.stage.counts.skips += 1;
                let question = self.settle_waiting(&Settled::Declined);
                note(self, Note::Skipped { question });
            }
            Intent::Ask(about) => {
                let answer = self.answer_to(about, text);
                if about == About::Other && self.known_answer(text).is_none() {
                    let asked = format!("They asked: {}", clipped(last_question(text).to_owned()));
                    self.add_todo(asked, Priority::Low, None, question);
                }
                note(self, Note::CandidateAsked { turn: id, answer });
            }
            Intent::Abusive => {
                let count = self.conduct.insult();
                note(self, Note::Insulted { count });
            }
            Intent::Distress => self.note_distress(id),
            Intent::Stop => note(self, Note::WantsToStop),
            Intent::Answer(_)
            | Intent::Unfinished
            | Intent::Sensitive
            | Intent::Correct
            | Intent::Done
            | Intent::Yes
            | Intent::No => {}
        }
        // With distress or a wish to stop the question is not skipped yet.
        if matches!(turn.intent, Intent::Skip | Intent::SkipPart | Intent::Distress | Intent::Stop)
        {
            self.stage.pending.skip_wanted = false;
        }
        // Distress that the model has noticed is noted, too (case 40).
        if turn.draft.intent == Some(Intent::Distress) {
            self.note_distress(id);
        }
        let is_private = self.is_private(turn);
        if is_private {
            self.note_private(id);
        }
        let is_noted = self.script.language() == Language::English && !is_private;
        let corrected = is_noted.then(|| correction(text));
        if let Some((old, new)) = corrected.flatten() {
            self.known.memory.correct(old.clone(), new.clone());
            note(self, Note::Corrected { turn: id, old, new });
            self.listen_for_keyterms();
        }
        let offers = |reply: &Reply| reply.say == Say::Text(self.phrase(Phrase::Language));
        if turn.foreign && self.floor.reply().is_some_and(offers) {
            self.awaited.say_language(id);
            // A turn in a foreign language is no answer yet.
            self.questions.set_answered(false);
            note(self, Note::OtherLanguage);
        }
    }

    /// Closes the question that waits, without an answer, and returns its id. A question that was cut off
    /// has no id.
    fn settle_waiting(&mut self, settled: &Settled) -> Option<QuestionId> {
        if self.questions.skip_unheard() {
            return None;
        }
        self.settle_asked(settled);
        self.questions.last_id()
    }

    /// Skips the question by button: nothing was said to it, so that counts at once.
    pub(crate) fn skip(&mut self) {
        // What they leave out is what is still open.
        if self.awaited.asks_to_go_on() {
            return self.close_rounds(None);
        }
        self.stage.counts.skips += 1;
        let question = self.settle_waiting(&Settled::Declined);
        self.questions.set_answered(true);
        self.skip_agenda();
        self.outbox.push(Effect::Note(Note::Skipped { question }));
        let is_skipped = self.is_skipped(self.stage.counts.skips);
        let facts = self.facts().with(Cause::CandidateSkipped, is_skipped);
        match decide(&facts) {
            Some(exit) if self.may_go_on(exit) => self.ask_to_go_on(None),
            Some(exit) => self.begin_exit(exit, None),
            None => self.ask_from_file(&self.phrase(Phrase::Skip), Purpose::Ask, None),
        }
    }

    /// Whether enough questions were skipped to skip the stage (case 21).
    fn is_skipped(&self, skips: u32) -> bool {
        skips >= SKIPS_MAX && self.agent().rubric.is_empty() && !self.has_agenda()
    }

    /// Whether the model is asked for one more thread before this exit: everything required is known (X03).
    fn needs_check(&self, exit: Exit) -> bool {
        let why = match exit {
            Exit::Stage { why, .. } => Some(why),
            Exit::Interview { why, .. } => why,
        };
        why == Some(Reason::RubricSettled)
            && self.stage.counts.checks < CHECKS_MAX
            && !self.stage.limit_passed
    }
}
