//! Requests: the candidate's buttons, typed answers, and orders of the operator (R04). Each counts once.

use std::{collections::BTreeMap, time::Duration};

use crate::blueprint::{Pauses, Phrase};
use crate::foreign::{Foreign, inert};
use crate::interview::{
    Effect, Interview,
    course::Phase,
    dialogue::delivery::Purpose,
    effect::Say,
    event::Request,
    exit::End,
    model::knowledge::Suggestion,
    not_done::NotDone,
    note::Note,
    stage::Step,
    transition::decide,
    turn_taking::{
        floor::Floor,
        presence::Stop,
        turn::{Draft, Turn},
    },
};

/// What a recruiter suggests may be so long, and so many suggestions are taken in an interview.
const SUGGESTION_CHARS_MAX: usize = 300;
const SUGGESTIONS_MAX: usize = 20;
/// After a key was pressed nobody is nudged for so long.
const TYPING_HOLD: Duration = Duration::from_secs(20);

impl Interview {
    pub(crate) fn on_control(&mut self, id: String, request: Request, stage: Option<&str>) {
        if self.outbox.acknowledge_again(&id) {
            return;
        }
        // A button that was pressed in another stage is not for this one (H03).
        let here = &self.agent().name;
        let is_stale = stage.is_some_and(|stage| stage != here);
        let place = self.outbox.len();
        let outcome = if is_stale { Err(NotDone::OtherStage) } else { self.on_request(request) };
        self.outbox.acknowledge(place, id, outcome);
    }

    /// A recruiter suggests what to ask: the model is told, for its next questions. Without a model
    /// nobody could take it up, so whoever sends it has to know whether there is one.
    pub(crate) fn on_suggested(&mut self, id: String, text: &str) {
        if self.outbox.acknowledge_again(&id) {
            return;
        }
        let text = inert(text, SUGGESTION_CHARS_MAX);
        let can_ask = match self.course.phase() {
            Phase::Lobby | Phase::Running => true,
            Phase::Leaving { .. } | Phase::Ended => false,
        };
        let accepted =
            can_ask && !text.is_empty() && self.known.suggestions.len() < SUGGESTIONS_MAX;
        let place = self.outbox.len();
        if accepted {
            let since = (self.stage.index, self.stage.counts.questions);
            self.known.suggestions.push(Suggestion { text: Foreign::new(text.as_str()), since });
            self.outbox.push(Effect::Note(Note::Suggested { text }));
        }
        self.outbox.acknowledge(place, id, if accepted { Ok(()) } else { Err(NotDone::NotNow) });
    }

    /// Cancels a goodbye for silence: a button press shows that the candidate is there.
    fn take_up_at(&mut self, request: Request) {
        let wants_more = match request {
            Request::Repeat
            | Request::Rephrase
            | Request::MoreTime
            | Request::Skip
            | Request::Pause
            | Request::MutedSpeech
            | Request::Typing
            | Request::Pauses(_) => true,
            Request::Resume | Request::End | Request::Terminate | Request::Abandon => false,
        };
        let is_away = matches!(self.floor, Floor::Away { .. });
        if wants_more && !is_away && self.take_up_again() && !self.floor.is_candidates() {
            let turn = self.interrupt();
            self.turns.carry(turn);
        }
    }

    /// Carries out a request, or says why that cannot be done now.
    fn on_request(&mut self, request: Request) -> Result<(), NotDone> {
        self.take_up_at(request);
        match (request, self.course.phase()) {
            (_, Phase::Ended) => return Err(NotDone::Over),
            (Request::Pauses(pauses), _) => self.choose_pauses(pauses),
            (Request::Terminate, _) => self.hang_up(End::Operator),
            (Request::Abandon, phase) => self.hang_up(self.end_without_room(phase)),
            (Request::End, phase) => self.on_end_button(phase),
            (Request::Pause, Phase::Running) if !self.timeline.presence().is(Stop::Paused) => {
                self.pause()
            }
            (Request::Resume, Phase::Running) if self.timeline.presence().is(Stop::Paused) => {
                self.on_presence(|presence| presence.end(Stop::Paused));
            }
            (
                Request::Repeat
                | Request::Rephrase
                | Request::MoreTime
                | Request::Skip
                | Request::MutedSpeech
                | Request::Typing,
                Phase::Running,
            ) => return self.on_help(request),
            (Request::Pause, Phase::Running) => return Err(NotDone::DoneAlready),
            (Request::Resume, Phase::Running) => return Err(NotDone::NotPaused),
            (
                Request::Repeat
                | Request::Rephrase
                | Request::MoreTime
                | Request::Skip
                | Request::Pause
                | Request::Resume
                | Request::MutedSpeech
                | Request::Typing,
                phase,
            ) => return Err(not_in(phase)),
        }
        Ok(())
    }

    /// How long they may pause from now on (C01). Who chooses it in a silence is there: it counts anew.
    fn choose_pauses(&mut self, pauses: Pauses) {
        self.script.set_pauses(pauses);
        if let (Floor::Open { .. }, Phase::Running) = (&self.floor, self.course.phase()) {
            self.stage.silence.quiet = Duration::ZERO;
            self.floor = Floor::Open { since: self.own_now() };
        }
    }

    fn on_end_button(&mut self, phase: Phase) {
        match phase {
            Phase::Running => {
                self.hush();
                if let Floor::Away { .. } = self.floor {
                    return self.hang_up(End::CandidateEnded);
                }
                let turn = self.take_unanswered(self.own_now());
                self.begin_goodbye(End::CandidateEnded, turn, true);
            }
            Phase::Lobby => self.hang_up(End::CandidateEnded),
            Phase::Leaving { end: End::CandidateSilent, .. } => self.hang_up(End::CandidateEnded),
            // End during the goodbye ends it.
            Phase::Leaving { .. } | Phase::Ended => self.hang_up_as_planned(),
        }
    }

    /// The end of an interview whose room the server closed: the candidate left it, or never came.
    fn end_without_room(&self, phase: Phase) -> End {
        match phase {
            Phase::Lobby => End::NoShow,
            Phase::Leaving { end, .. } => end,
            Phase::Running | Phase::Ended if self.timeline.presence().is(Stop::LineCut) => {
                End::Technical
            }
            Phase::Running | Phase::Ended if self.timeline.presence().is(Stop::Gone) => {
                End::CandidateLeft
            }
            Phase::Running | Phase::Ended => End::Operator,
        }
    }

    /// Why nothing can be done about the open question now, if that is so.
    fn no_help(&self) -> Option<NotDone> {
        let leads_away = self
            .floor
            .reply()
            .is_some_and(|reply| reply.exit.is_some() || reply.leaves || !reply.is_interruptible());
        if leads_away {
            return Some(NotDone::MovesOn);
        }
        if matches!(self.floor, Floor::Away { .. }) {
            return Some(NotDone::StandsStill);
        }
        self.questions.is_empty().then_some(NotDone::NoQuestion)
    }

    /// Carries out a request for help with the open question.
    fn on_help(&mut self, request: Request) -> Result<(), NotDone> {
        if let Some(why) = self.no_help() {
            return Err(why);
        }
        if request == Request::MutedSpeech {
            self.on_muted_speech();
            return Ok(());
        }
        if request == Request::Typing {
            self.on_typing();
            return Ok(());
        }
        self.count_sounding_question();
        match request {
            Request::MoreTime => {
                let turn = self.interrupt();
                self.hold(turn);
            }
            Request::Repeat => {
                let turn = self.interrupt();
                self.turns.carry(turn);
                self.stage.pending.repeats += 1;
                let words = self.phrase(Phrase::Repeat);
                self.say_and_ask_again(&words, None);
            }
            Request::Rephrase => {
                let turn = self.interrupt();
                self.turns.carry(turn);
                self.rephrase(None);
            }
            // The question was skipped a moment ago, and the next one is on its way.
            Request::Skip if self.is_skipped_already() => return Err(NotDone::DoneAlready),
            // They may finish speaking first (H04).
            Request::Skip if self.hearing.is_voiced() && self.floor.is_candidates() => {
                self.stage.pending.skip_wanted = true;
            }
            Request::Skip => {
                let turn = self.interrupt();
                self.skip_turn(turn);
            }
            Request::MutedSpeech
            | Request::Typing
            | Request::End
            | Request::Terminate
            | Request::Abandon
            | Request::Pause
            | Request::Resume
            | Request::Pauses(_) => return Err(NotDone::NotNow),
        }
        Ok(())
    }

    /// Who types is not silent: nobody is nudged for a while (T02).
    fn on_typing(&mut self) {
        let until = self.own_now() + TYPING_HOLD;
        let hold = &mut self.stage.silence.hold_until;
        if let Floor::Open { .. } = self.floor {
            *hold = (*hold).max(Some(until));
        }
    }

    /// Gives time to think; the next words go on with the same turn (T03).
    pub(crate) fn hold(&mut self, turn: Option<Turn>) {
        self.stage.pending.take(Step::GivenTime);
        self.outbox.push(Effect::Note(Note::Held));
        self.turns.carry(turn);
        self.think(Say::Text(self.phrase(Phrase::Hold)), Purpose::Hold, None, None);
    }

    fn is_skipped_already(&self) -> bool {
        let is_answered = self.questions.last().is_some_and(|asked| asked.is_answered);
        is_answered
            && self.questions.unheard().is_none()
            && matches!(self.floor, Floor::Thinking { turn: None, .. })
    }

    /// Skips the question, after these words to it.
    pub(crate) fn skip_turn(&mut self, turn: Option<Turn>) {
        match turn {
            Some(turn) => {
                let turn = self.turns.named(turn);
                let intent = self.intent_of_skipped(&turn.said.text());
                self.answer(Turn { intent, draft: Draft::default(), ..turn });
            }
            None => self.skip(),
        }
    }

    /// Stops speaking; the words so far stay in their turn.
    fn interrupt(&mut self) -> Option<Turn> {
        self.hush();
        self.take_unanswered(self.own_now())
    }

    /// The candidate speaks while muted, and the page tells them: the silence does not count (T02, case 38).
    fn on_muted_speech(&mut self) {
        let Floor::Open { .. } = self.floor else { return };
        let now = self.own_now();
        self.stage.pending.rungs = 0;
        self.awaited.stay();
        self.stage.silence.quiet = std::time::Duration::ZERO;
        self.floor = Floor::Open { since: now };
        self.stage.pending.take(Step::ToldMuted);
    }

    fn pause(&mut self) {
        // If they are away already, nothing is said when they are back.
        if let Floor::Away { .. } = self.floor {
            self.hush();
        } else {
            let turn = self.interrupt();
            self.turns.carry(turn);
        }
        self.on_presence(|presence| presence.begin(Stop::Paused));
    }

    /// Takes what was filled in on the screen (L06): it answers the question that waits.
    pub(crate) fn on_filled(&mut self, id: String, values: &BTreeMap<String, String>) {
        if self.outbox.acknowledge_again(&id) {
            return;
        }
        let place = self.outbox.len();
        let leads_away = self
            .floor
            .reply()
            .is_some_and(|reply| reply.exit.is_some() || reply.leaves || !reply.is_interruptible());
        let is_running = self.course.phase() == Phase::Running;
        let is_away = matches!(self.floor, Floor::Away { .. });
        let accepted = is_running && !is_away && !leads_away && self.fill_agenda(values);
        self.outbox.acknowledge(place, id, if accepted { Ok(()) } else { Err(NotDone::NoForm) });
        if !accepted {
            return;
        }
        self.questions.forget_unheard();
        self.questions.set_answered(true);
        // They may finish speaking first (H04).
        if self.floor.is_candidates() && self.hearing.is_voiced() {
            return;
        }
        let turn = self.interrupt().map(|turn| self.turns.named(turn));
        match decide(&self.facts()) {
            Some(exit) => self.begin_exit(exit, turn),
            None => self.ask_from_file("", Purpose::Ask, turn),
        }
    }

    /// Takes a typed answer: as a turn of its own, or as part of the one that is being spoken (case 44).
    pub(crate) fn on_typed(&mut self, id: String, text: &str) {
        if self.outbox.acknowledge_again(&id) {
            return;
        }
        let phase = self.course.phase();
        let accepted = matches!(phase, Phase::Running | Phase::Leaving { .. });
        let outcome = if accepted { Ok(()) } else { Err(not_in(phase)) };
        self.outbox.acknowledge(self.outbox.len(), id, outcome);
        if !accepted || text.trim().is_empty() {
            return;
        }
        let now = self.own_now();
        if let Floor::Away { .. } = self.floor {
            let turn = self.turns.carried_or(|| Turn::new(now, now));
            return turn.said.type_in(text);
        }
        let insists = self.floor.reply().is_some_and(|reply| !reply.is_interruptible());
        if insists {
            let turn = self.turns.carried_or(|| Turn::new(now, now));
            return turn.said.type_in(text);
        }
        if !self.floor.is_candidates() {
            self.take_floor(None);
        }
        if let Some(turn) = self.floor.turn_mut() {
            turn.said.type_in(text);
            turn.to = now;
        }
        // They may finish speaking first.
        if !self.hearing.is_voiced() {
            self.end_turn_when_read();
        }
    }
}

/// Why nothing can be asked for in a phase of the interview.
fn not_in(phase: Phase) -> NotDone {
    match phase {
        Phase::Lobby => NotDone::NotBegun,
        Phase::Running => NotDone::NotNow,
        Phase::Leaving { .. } => NotDone::MovesOn,
        Phase::Ended => NotDone::Over,
    }
}
