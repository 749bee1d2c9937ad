//! The candidate's speech: what voice, words and pauses do to the floor.

use language::Intent;

use std::time::Duration;

use crate::interview::{
    Effect, Interview, Notice,
    course::Phase,
    dialogue::{
        delivery::{Purpose, Reply},
        history::Amended,
    },
    exit::Exit,
    note::{NotTheirs, Note},
    transcript::Words,
    transition::decide,
    turn_taking::{
        echo::Spoken,
        floor::{Floor, Held},
        turn::{Draft, Turn},
        voices::WORDLESS_LIMIT,
    },
};
use crate::{
    blueprint::Phrase,
    time::{SessionTime, Span},
};

/// Words this long after the last voice of the detector are a voice that the detector missed.
const VOICE_MISSED: Duration = Duration::from_millis(500);

/// After this many false interruptions of a reply only words interrupt it.
const FALSE_INTERRUPTIONS_MAX: u32 = 3;
/// After this many suppressions of a reply by noise it is spoken over a voice without words.
const SUPPRESSIONS_MAX: u32 = 3;

impl Turn {
    /// The words belong to the turn and end at `to`.
    fn hear(&mut self, words: &Words, is_final: bool, to: SessionTime) {
        let before = self.said.words();
        self.said.put(words, is_final);
        if self.said.words() > before {
            self.to = self.to.max(to);
        }
    }
}

impl Interview {
    pub(crate) fn on_speech_started(&mut self, at: SessionTime) {
        // A voice from before a stop does not count after it.
        if let Floor::Away { .. } = self.floor {
            return;
        }
        self.hearing.set_voiced(true);
        match &self.floor {
            Floor::Open { since } => {
                self.floor = Floor::Candidate { turn: Turn::new(at, *since) };
            }
            Floor::Pause { .. } => self.take_floor(None),
            // They go on before they were answered: it is the same turn. A nudge or a handoff waits for a
            // candidate who begins to speak (H04, case 14), unless that was a noise too often.
            Floor::Thinking { reply, turn, .. }
                if reply.is_interruptible()
                    && reply.suppressions < SUPPRESSIONS_MAX
                    && (turn.is_some() || reply.exit.is_some() || reply.is_patience()) =>
            {
                self.take_floor(None);
            }
            // A voice over us pauses our sound; only words take the floor: see `on_words`.
            Floor::Interviewer { .. } => self.hold_sound(),
            Floor::Thinking { .. } | Floor::Candidate { .. } | Floor::Away { .. } => {}
        }
    }

    pub(crate) fn on_speech_stopped(&mut self, at: SessionTime) {
        self.hearing.set_voiced(false);
        match &mut self.floor {
            Floor::Candidate { .. } => self.pause_at(at),
            Floor::Interviewer { held: Some(held), .. } => held.quiet = Some(at.max(held.since)),
            Floor::Interviewer { held: None, .. }
            | Floor::Open { .. }
            | Floor::Pause { .. }
            | Floor::Thinking { .. }
            | Floor::Away { .. } => {}
        }
    }

    /// The begin of the turn that the candidate may just have ended, in session time, if the turn detector's
    /// score can make a difference: then [`Event::PauseWeighed`] is worth its cost.
    pub fn weighs_since(&self) -> Option<SessionTime> {
        let (Floor::Candidate { turn } | Floor::Pause { turn, .. }) = &self.floor else {
            return None;
        };
        if self.script.plan().turns.endpointing.is_some() {
            return None;
        }
        // A candidate who interrupted us has spoken for a while already.
        let onset = self.hearing.voices.last().map(|(began, _)| began);
        let since = turn.since + self.timeline.presence().stopped();
        Some(onset.map_or(since, |onset| since.min(onset)))
    }

    /// The turn detector's score of the pause that began at `stopped`, in the interview's own time.
    pub(crate) fn weighed_at(&self, stopped: SessionTime) -> Option<u8> {
        let (voice, ended_percent) = self.hearing.scored()?;
        let since_voice = stopped.since(self.own(voice));
        (since_voice <= VOICE_MISSED).then_some(ended_percent)
    }

    /// Pauses our sound for a voice over it, until it is known whether it has words (T04, case 22).
    fn hold_sound(&mut self) {
        let now = self.own_now();
        let is_ours = self.hearing.ours.is_echoing(self.timeline.now());
        let Floor::Interviewer { reply, held, .. } = &mut self.floor else { return };
        if !reply.is_interruptible() || is_ours {
            return;
        }
        if let Some(held) = held {
            held.quiet = None;
        } else if reply.false_interruptions < FALSE_INTERRUPTIONS_MAX {
            *held = Some(Held { since: now, quiet: None });
            let reply = reply.id;
            self.outbox.push(Effect::Pause { reply });
        }
    }

    /// Goes on with our sound after a false interruption: a cough, or a backchannel (cases 23, 24).
    pub(crate) fn resume_sound(&mut self) {
        let now = self.own_now();
        let Floor::Interviewer { reply, held, progress, .. } = &mut self.floor else { return };
        *held = None;
        *progress = now;
        reply.false_interruptions += 1;
        let reply = reply.id;
        self.outbox.push(Effect::Resume { reply });
    }

    pub(crate) fn on_words(&mut self, words: &Words, is_final: bool) {
        let count = words.text.split_whitespace().count();
        let (from, to) = (self.own(words.from), self.own(words.to));
        self.hearing.recogniser.writes_marks |= words.text.ends_with(['.', ',', '?', '!']);
        if count > 0
            && !self.known.history.has(words.segment)
            && let Some(why) = self.whose_else(words, is_final, from, to)
        {
            return self.pass_over(words.segment, why);
        }
        let voice = self.hearing.voices.in_stretch(Span::new(words.from, words.to));
        if let Some(amended) = self.known.history.amend(words, &voice) {
            return self.tell_amended(amended);
        }
        // In a voice that was taken for a noise the last pause is unknown: each word counts as said now.
        let since_stop = self.timeline.presence().last_end();
        let is_on =
            self.hearing.voices.last().is_some_and(|(began, end)| {
                end.is_none() && began <= words.to && began >= since_stop
            });
        let heard_to = if is_on { self.own_now() } else { to };
        let barge_in_words_min = self.script.plan().turns.barge_in_words_min;
        if self.belong_to_the_stage_before(words.segment, to) && count > 0 {
            return self.on_late_words(words);
        }
        let is_given_up = self.is_given_up();
        match &mut self.floor {
            Floor::Open { since } => {
                // One word over us is no answer, though it was recognised after we had finished (case 23).
                let since = *since;
                let is_short = count < barge_in_words_min && !is_given_up;
                let is_backchannel = to <= since && is_short && !self.is_command(&words.text);
                if count > 0 && !is_backchannel {
                    let mut turn =
                        self.turns.take_carried().unwrap_or_else(|| Turn::new(from, since));
                    turn.said.put(words, is_final);
                    self.floor = self.candidate_floor(turn, heard_to);
                }
            }
            Floor::Candidate { turn } => turn.hear(words, is_final, to),
            Floor::Pause { turn, stopped } => {
                let before = turn.said.words();
                turn.said.put(words, is_final);
                // The detector missed the voice of these words.
                if turn.said.words() > before && heard_to > *stopped + VOICE_MISSED {
                    *stopped = heard_to;
                }
            }
            Floor::Thinking { turn: Some(turn), .. } if turn.said.has(words.segment) => {
                turn.said.put(words, is_final);
                self.hear_of_stop();
            }
            Floor::Thinking { overlap, .. } | Floor::Interviewer { overlap, .. } => {
                overlap.put(words, is_final);
                self.hush_if_talked_over(heard_to);
            }
            Floor::Away { before, .. } => match &mut **before {
                Floor::Candidate { turn } | Floor::Pause { turn, .. } => {
                    turn.said.put(words, is_final);
                }
                Floor::Thinking { turn: Some(turn), .. } if turn.said.has(words.segment) => {
                    turn.said.put(words, is_final);
                }
                Floor::Thinking { overlap, .. } | Floor::Interviewer { overlap, .. } => {
                    overlap.put(words, is_final);
                }
                Floor::Open { .. } | Floor::Away { .. } => {
                    let turn = self.turns.carried_or(|| Turn::new(from, from));
                    turn.said.put(words, is_final);
                }
            },
        }
    }

    /// A wish to stop, or distress, may show only in late words (H02, case 30).
    pub(crate) fn hear_of_stop(&mut self) {
        let Floor::Thinking { reply, turn: Some(turn), .. } = &self.floor else { return };
        let intent = self.intent_of(&turn.said.text());
        let is_news = intent != turn.intent && matches!(intent, Intent::Stop | Intent::Distress);
        if !is_news || !reply.is_interruptible() || self.course.phase() != Phase::Running {
            return;
        }
        self.take_floor(None);
        if let Floor::Pause { .. } = self.floor {
            self.end_turn();
        }
    }

    /// The origin of words that are not the candidate's.
    fn whose_else(
        &mut self,
        words: &Words,
        is_final: bool,
        from: SessionTime,
        to: SessionTime,
    ) -> Option<NotTheirs> {
        if self.hearing.voices.lack(words) {
            return Some(NotTheirs::NoVoice);
        }
        let now = self.own_now();
        let spoken = Spoken { text: &words.text, from, to, is_final };
        let sounding = self.floor.sounding(now).or_else(|| self.replies.fillers.sounding(now));
        let is_echo = self.hearing.ours.is_echo(spoken, sounding);
        is_echo.then(|| {
            self.hearing.ours.echoed(self.timeline.now(), words.text.split_whitespace().count());
            NotTheirs::Echo
        })
    }

    /// Drops words that are not the candidate's (cases 25 and 29); if they are an echo, our paused sound goes
    /// on.
    fn pass_over(&mut self, segment: u32, why: NotTheirs) {
        self.outbox.push(Effect::Note(Note::PassedOver { segment, why }));
        self.floor.forget(segment);
        // A word that we said may be the first word of theirs.
        let is_ours = why == NotTheirs::Echo && self.hearing.ours.is_echoing(self.timeline.now());
        if is_ours
            && let Floor::Interviewer { overlap, held: Some(_), .. } = &self.floor
            && overlap.words() == 0
        {
            self.resume_sound();
        }
    }

    /// Words that end at `to` take the floor: any word before our first sound, a few after it (case 22).
    pub(crate) fn hush_if_talked_over(&mut self, to: SessionTime) {
        let (reply, overlap, words_min) = match &self.floor {
            Floor::Thinking { reply, overlap, .. } => (reply, overlap, 1),
            // One word is enough to go on with an unfinished sentence.
            Floor::Interviewer {
                reply: reply @ Reply { purpose: Purpose::Soft { .. }, .. },
                overlap,
                ..
            } => (reply, overlap, 1),
            Floor::Interviewer { reply, overlap, .. } if self.is_command(&overlap.text()) => {
                (reply, overlap, 1)
            }
            Floor::Interviewer { reply, overlap, .. } => {
                (reply, overlap, self.script.plan().turns.barge_in_words_min)
            }
            Floor::Open { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Away { .. } => return,
        };
        let is_talked_over = overlap.words() >= words_min;
        if is_talked_over && reply.is_interruptible() {
            self.take_floor(Some(to));
        } else if overlap.words() >= self.script.plan().turns.barge_in_words_min
            && self.replies.fillers.is_heard()
        {
            self.cut_filler();
        }
    }

    /// Whether a lone word over us interrupts and is no backchannel: "stop", "wait".
    pub(crate) fn is_command(&self, text: &str) -> bool {
        self.course.phase() == Phase::Running
            && text.split_whitespace().count() == 1
            && matches!(self.intent_by_phrases(text), Some(Intent::Stop | Intent::Hold))
    }

    /// Whether words that end at `to` were spoken before this stage began and belong to no open turn.
    fn belong_to_the_stage_before(&self, segment: u32, to: SessionTime) -> bool {
        let lasting = |turn: &Turn| turn.said.has(segment);
        self.stage.index > 0
            && to < self.stage.entered
            && !self.floor.turn().is_some_and(lasting)
            && !self.turns.carried().is_some_and(lasting)
    }

    /// Adds late words of the stage before to its last turn (H05, case 45).
    fn on_late_words(&mut self, words: &Words) {
        let stage = self.stage.previous;
        let next = self.turns.next_id();
        let amended = self.known.history.add_late(words, stage, next);
        if amended.turn == next {
            self.turns.take_id();
        }
        self.tell_amended(amended);
    }

    /// Publishes a committed turn whose words have changed.
    fn tell_amended(&mut self, amended: Amended) {
        let Amended { turn, stage, text, changed, before } = amended;
        if changed {
            // Before the words are told: no report shows them.
            if self.is_private_text(&text) {
                self.note_private(turn);
            }
            let stage = self.script.plan().agents[stage].name.clone();
            self.outbox.push(Effect::Publish(Notice::Turn { turn, stage, text }));
        }
        self.note_coverage(turn, Some(&before));
    }

    /// Gives the candidate the floor. The reply that was being made is held back, and an answer to which we
    /// have made no sound goes on as the same turn.
    pub(crate) fn take_floor(&mut self, words_to: Option<SessionTime>) {
        self.hush();
        let now = self.own_now();
        // A voice without words does not finish their sentence.
        let is_soft = |reply: &Reply| matches!(reply.purpose, Purpose::Soft { .. });
        let goes_on = self.floor.reply().is_some_and(is_soft);
        let turn = match self.replace_floor(Floor::Open { since: now }) {
            Floor::Thinking { turn: Some(mut turn), overlap, .. } => {
                turn.patience.restarts += 1;
                turn.draft = Draft::default();
                turn.said.append(overlap);
                turn
            }
            Floor::Thinking { turn: None, overlap, reply, .. } => {
                let is_due = !matches!(reply.purpose, Purpose::Rung | Purpose::Soft { .. });
                self.replies.suppress(Some(reply).filter(|_| is_due));
                Turn { said: overlap, ..Turn::new(now, now) }
            }
            Floor::Interviewer { overlap, .. } => Turn { said: overlap, ..Turn::new(now, now) },
            Floor::Pause { turn, .. } | Floor::Candidate { turn } => turn,
            Floor::Open { since } => Turn::new(now, since),
            Floor::Away { .. } => Turn::new(now, now),
        };
        let turn =
            if goes_on || turn.said.words() > 0 { self.turns.with_carried(turn) } else { turn };
        self.floor = self.candidate_floor(turn, words_to.unwrap_or(now));
    }

    /// The floor of a candidate who speaks, or has just paused.
    pub(crate) fn candidate_floor(&self, turn: Turn, stopped: SessionTime) -> Floor {
        if self.hearing.is_voiced() {
            Floor::Candidate { turn }
        } else {
            Floor::Pause { turn, stopped: stopped.min(self.own_now()) }
        }
    }

    fn pause_at(&mut self, at: SessionTime) {
        let since = self.own_now();
        if let Floor::Candidate { turn } = self.replace_floor(Floor::Open { since }) {
            self.floor = Floor::Pause { turn, stopped: at };
        }
    }

    /// Interrupts a turn that has lasted too long (T05) and asks the same thing more precisely.
    pub(crate) fn pick_up(&mut self) {
        let since = self.own_now();
        let Some(turn) = self.replace_floor(Floor::Open { since }).into_turn() else { return };
        // A voice of this length without a word is a noise.
        if turn.said.words() == 0 {
            self.hearing.set_voiced(false);
            return self.on_noise(&turn);
        }
        // A voice that goes on long after their last word is one too: they have paused since.
        if since < turn.since + self.script.plan().turns.turn_limit {
            self.hearing.set_voiced(false);
            self.floor = Floor::Pause { stopped: turn.to, turn };
            return;
        }
        let turn = self.turns.with_carried(turn);
        let turn = self.turns.named(turn);
        if let Phase::Leaving { end, .. } = self.course.phase()
            && !self.take_up_again()
        {
            return self.begin_goodbye(end, Some(turn), true);
        }
        self.call_judge(&turn);
        if let Some(exit) = decide(&self.facts()) {
            return self.begin_cut_in(exit, Some(turn));
        }
        let words = self.phrase(Phrase::PickUp);
        self.ask_from_file(&words, Purpose::Insist, Some(turn));
    }

    /// Takes the floor, and returns the unanswered words.
    pub(crate) fn take_unanswered(&mut self, now: SessionTime) -> Option<Turn> {
        let floor = self.replace_floor(Floor::Open { since: now });
        let turn = floor.into_unanswered(self.script.plan().turns.barge_in_words_min, now);
        self.turns.carry(turn);
        self.turns.take_carried().filter(|turn| turn.said.words() > 0)
    }

    /// Interrupts a candidate who still speaks long after a limit (H04).
    pub(crate) fn cut_in(&mut self) {
        let Some(exit) = decide(&self.facts()) else { return };
        self.hush();
        let since = self.own_now();
        let (has_paused, is_theirs) =
            (matches!(self.floor, Floor::Pause { .. }), self.floor.is_candidates());
        let mut turn = self.take_unanswered(since).map(|turn| self.turns.named(turn));
        // A wish to stop, or distress, is answered first (H02).
        if has_paused
            && let Exit::Stage { .. } = exit
            && let Some(turn) = turn.take_if(|turn| self.is_urgent(turn))
        {
            self.floor = Floor::Pause { turn, stopped: since };
            return self.end_turn();
        }
        // A long voice without words is a noise: there is nobody to interrupt.
        let began = self.hearing.voices.last().map(|(began, _)| self.own(began));
        let is_noise = began.is_none_or(|began| since.since(began) >= WORDLESS_LIMIT);
        if turn.is_none()
            && is_noise
            && let Exit::Stage { .. } = exit
        {
            self.hearing.set_voiced(false);
            return self.begin_exit(exit, None);
        }
        turn.iter().filter(|_| is_theirs).for_each(|turn| self.call_judge(turn));
        self.begin_cut_in(exit, turn);
    }

    /// Whether a limit has passed since `since`.
    pub(crate) fn limit_passed_since(&self, since: SessionTime) -> bool {
        let stage_limit = self.stage.limit(self.agent());
        let interview_limit = self.course.began() + self.script.plan().interview_limit();
        self.stage.limit_passed && stage_limit >= since
            || self.course.limit_passed() && interview_limit >= since
    }

    /// A limit has just passed. A candidate who speaks may finish first (H04).
    pub(crate) fn on_limit(&mut self) {
        let facts = self.facts().while_question_waits();
        // A wish to stop, or distress, is settled first.
        let asks = self.floor.turn().is_some_and(|turn| self.asks_to_stop(turn));
        let settles = (self.awaited.settles_stop() || asks) && !self.course.limit_passed();
        let Some(exit) = decide(&facts).filter(|_| !settles) else { return };
        match &self.floor {
            Floor::Open { .. } => self.begin_exit(exit, None),
            Floor::Thinking { reply, .. } => {
                // A stage that is being left is left once; the end of the interview is stronger (H02).
                // An uninterruptible reply asks something: we leave when it has its answer.
                let leaves_enough = match (reply.exit, exit) {
                    (None, _) => !reply.is_interruptible(),
                    (Some(Exit::Stage { .. }), Exit::Interview { .. }) => false,
                    (Some(Exit::Stage { .. } | Exit::Interview { .. }), _) => true,
                };
                if !leaves_enough {
                    self.begin_exit_instead(exit);
                }
            }
            Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. } => {}
        }
    }
}
