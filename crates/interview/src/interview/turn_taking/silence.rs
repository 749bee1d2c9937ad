//! The silence ladder (T02): a gentle nudge, a simpler question or the offer to leave this one out, then the
//! interview moves on. Each rung is used once per question.

use std::time::Duration;

use crate::interview::{
    Effect, Interview,
    course::Phase,
    dialogue::delivery::Purpose,
    effect::Say,
    exit::End,
    ids::ReplyId,
    note::Note,
    stage::Step,
    transition::{Cause, decide},
    turn_taking::{floor::Floor, turn::Turn, voices::WORDLESS_LIMIT},
};
use crate::{
    blueprint::{Phrase, Varied},
    time::{SessionTime, Span},
};

/// The shortest voice without a gap that counts as speech; a cough or a door is shorter.
const SPEECH_MIN: Duration = Duration::from_secs(1);
/// The silence that answers a question about the course, such as whether to leave the one before.
const COURSE_WAIT: Duration = Duration::from_secs(15);

/// What a silence follows, and so what comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SilentAfter {
    /// A question: the next rung of the ladder.
    Question,
    /// Time to think, without a rung in it: whether the question is left.
    Thinking,
    /// The question whether that one is left: it is.
    AskedToLeave,
    /// The question whether to go on: we do not.
    AskedToGoOn,
}

impl Interview {
    /// The rung of the ladder that is being made or spoken.
    pub fn nudge(&self) -> Option<ReplyId> {
        self.floor.reply().filter(|reply| reply.purpose == Purpose::Rung).map(|reply| reply.id)
    }

    /// Whether the candidate's microphone is muted.
    pub fn is_muted(&self) -> bool {
        self.hearing.muted.is_muted()
    }

    /// Takes the time for which a muted microphone was waited out of silence and stage.
    pub(crate) fn end_standstill(&mut self) {
        let stood = self.hearing.muted.go_on(self.own_now());
        self.stage.stood += stood;
        if let Floor::Open { since } = &mut self.floor {
            *since += stood;
        }
        if let Some(until) = &mut self.stage.silence.hold_until {
            *until += stood;
        }
    }

    /// Lets silence and stage stand still from now on, if it is the turn of a candidate who is muted.
    pub(crate) fn begin_standstill(&mut self) {
        let is_theirs = matches!(self.floor, Floor::Open { .. });
        if is_theirs && self.course.phase() == Phase::Running {
            self.hearing.muted.stand_still(self.own_now());
        }
    }

    /// The silence after which the next rung of the ladder comes, for this candidate (T02, C01).
    pub(crate) fn next_rung(&self) -> Duration {
        self.script.pauses().stretch(self.stage.next_rung(self.agent()))
    }

    /// When a silence that lasts since then is over, in the interview's own time (T02, T03).
    pub(crate) fn silence_until(&self, since: SessionTime) -> SessionTime {
        let wait = self.script.pauses().stretch(COURSE_WAIT);
        let from = since.max(self.held_until());
        match self.silent_after() {
            SilentAfter::Question => {
                from + self.next_rung().saturating_sub(self.stage.silence.quiet)
            }
            // Who has just heard the question again has some time for it, too.
            SilentAfter::Thinking => from.max(since + wait),
            SilentAfter::AskedToLeave | SilentAfter::AskedToGoOn => from + wait,
        }
    }

    fn silent_after(&self) -> SilentAfter {
        // That is settled before anything else.
        if self.awaited.settles_stop() {
            return SilentAfter::Question;
        }
        match (self.stage.silence.thinks, self.awaited.asks_to_go_on()) {
            (Some(_), _) => SilentAfter::Thinking,
            (None, true) => SilentAfter::AskedToGoOn,
            (None, false) if self.awaited.asks_to_leave() => SilentAfter::AskedToLeave,
            (None, false) => SilentAfter::Question,
        }
    }

    /// The time to think that the candidate was told to have, while they have it.
    pub(crate) fn thinking_time(&self) -> Option<Duration> {
        let is_running = self.course.phase() == Phase::Running;
        self.stage.silence.thinks.filter(|_| is_running)
    }

    /// The end of the candidate's time to think, in the interview's own time (T03).
    pub(crate) fn held_until(&self) -> SessionTime {
        self.stage.silence.hold_until.unwrap_or(SessionTime::ZERO)
    }

    /// A candidate who wanted to stop, or was in distress, and stays silent is prompted once, and then the
    /// interview ends.
    fn on_silence_after_confirmation(&mut self) {
        // Not before they have heard whether they want to stop.
        if self.awaited.is_stop_unasked() {
            self.stage.silence.quiet = Duration::ZERO;
            return self.say_and_ask_again("", None);
        }
        if self.stage.pending.rungs == 0 {
            self.stage.pending.rungs = 1;
            let words = self.phrase(Phrase::SoftPrompt);
            return self.think(Say::Text(words), Purpose::Rung, None, None);
        }
        self.begin_goodbye(End::CandidateEnded, None, true);
    }

    /// A turn ended without a word. It was a noise, unless the recogniser heard speech and recognised
    /// nothing: then the candidate is asked to say it again, once per question. The ladder stays on its rung.
    pub(crate) fn on_no_words(&mut self, turn: &Turn) {
        let is_lost_speech = self.turns.carried().is_none() && self.is_lost_speech(turn);
        self.on_noise(turn);
        let pending = &self.stage.pending;
        let may_ask = !pending.has(Step::AskedToSayAgain)
            && !pending.has(Step::ToldMuted)
            && self.course.phase() == Phase::Running;
        let thinks = self.held_until() > self.own_now();
        let words = self.next_wording(Varied::NotCaught);
        if let Floor::Open { .. } = self.floor
            && is_lost_speech
            && may_ask
            && !thinks
            && !words.is_empty()
        {
            self.stage.pending.take(Step::AskedToSayAgain);
            self.outbox.push(Effect::Note(Note::NotCaught));
            self.think(Say::Text(words), Purpose::Rung, None, None);
        }
    }

    /// Whether the turn was speech that the recogniser heard to the end without a word. It is not, while
    /// words may still come, if it began with an echo, if it is as short as a cough or as long as a noise
    /// (T04).
    fn is_lost_speech(&self, turn: &Turn) -> bool {
        let Some((_, Some(ended))) = self.hearing.voices.last() else { return false };
        let voices =
            self.hearing.voices.since(turn.since + self.timeline.presence().stopped(), ended);
        let longest = voices.into_iter().map(Span::length).max().unwrap_or_default();
        turn.said.is_final_up_to(ended)
            && turn.since > turn.silent_since
            && !self.hearing.ours.is_echoing(self.timeline.now())
            && (SPEECH_MIN..WORDLESS_LIMIT).contains(&longest)
    }

    pub(crate) fn on_silence(&mut self) {
        let Floor::Open { since } = self.floor else { return };
        if let Phase::Leaving { .. } = self.course.phase() {
            return self.hang_up_as_planned();
        }
        // They typed an answer, and then asked for time or for the question again: the typed one counts.
        if let Some(turn) = self.take_urgent() {
            self.floor = Floor::Pause { turn, stopped: since };
            return self.end_turn();
        }
        let (now, after) = (self.own_now(), self.silent_after());
        self.stage.silence.quiet += now.since(since.max(self.held_until()));
        // A noise can make a rung late; the next one comes no sooner for that.
        self.stage.silence.quiet = self.stage.silence.quiet.min(self.next_rung());
        self.stage.silence.end_hold();
        if self.awaited.settles_stop() && !self.course.limit_passed() {
            return self.on_silence_after_confirmation();
        }
        // An exit that waited for an answer waits no longer than the first rung.
        if let Some(exit) = decide(&self.facts().while_question_waits()) {
            return self.begin_exit(exit, None);
        }
        match after {
            SilentAfter::Question => self.climb(),
            SilentAfter::AskedToLeave => self.leave_question(),
            SilentAfter::AskedToGoOn => self.close_rounds(None),
            SilentAfter::Thinking => self.end_thinking(since),
        }
    }

    /// The time to think is over, and nothing was said in it (T03).
    fn end_thinking(&mut self, since: SessionTime) {
        if self.awaited.asks_to_go_on() {
            return self.close_rounds(None);
        }
        // What they said before they wanted time is their answer.
        match self.turns.take_carried().filter(|turn| turn.said.words() > 0) {
            Some(turn) => {
                self.floor = Floor::Pause { turn, stopped: since };
                self.end_turn();
            }
            None => self.ask_to_leave(),
        }
    }

    /// The next rung of the silence ladder, or the way out above it.
    fn climb(&mut self) {
        match self.nudge_for(self.stage.pending.rungs) {
            Some(words) => {
                self.stage.pending.rungs += 1;
                self.think(Say::Text(words), Purpose::Rung, None, None);
            }
            None => {
                let facts = self.facts().while_question_waits();
                if let Some(exit) = decide(&facts.with(Cause::Silence, true)) {
                    self.begin_exit(exit, None);
                }
            }
        }
    }

    /// The words of a rung of the silence ladder; none where the ladder ends. The nudges of the file belong
    /// to the first question of its stage: to another one patience is shown, and then it may be left out.
    fn nudge_for(&self, rung: usize) -> Option<String> {
        let nudge = self.agent().nudges.get(rung)?;
        Some(match (self.stage.counts.questions, rung) {
            (0 | 1, _) => nudge.clone(),
            (_, 0) => self.phrase(Phrase::SoftPrompt),
            _ => self.phrase(Phrase::OfferSkip),
        })
    }
}
