//! What the candidate does with their voice, and who gets the floor by it.

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
    },
    understanding::cue::{Cue, cue},
};
use crate::{
    blueprint::Phrase,
    time::{SessionTime, Span},
};

/// Words so long after the last voice that the VAD saw are a voice that it did not see.
const VOICE_MISSED: Duration = Duration::from_millis(500);

/// In a noisy room only words stop a reply that was stopped for nothing so often.
const FALSE_INTERRUPTIONS_MAX: u32 = 3;
/// Nor do they keep one back that they kept back so often.
const SUPPRESSIONS_MAX: u32 = 3;

impl Turn {
    /// Words of it, up to `to`.
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
        // What the VAD still says of the time before a stop is over with it.
        if let Floor::Away { .. } = self.floor {
            return;
        }
        self.hearing.set_voiced(true);
        match &self.floor {
            Floor::Open { since } => {
                self.floor = Floor::Candidate { turn: Turn::new(at, *since) };
            }
            Floor::Pause { .. } => self.take_floor(None),
            // They go on before we have answered: it is the same turn. And nobody is nudged or handed
            // over who has just begun to speak (H04, case 14), unless that was a noise too often.
            Floor::Thinking { reply, turn, .. }
                if reply.is_interruptible()
                    && reply.suppressions < SUPPRESSIONS_MAX
                    && (turn.is_some() || reply.exit.is_some() || reply.is_patience()) =>
            {
                self.take_floor(None);
            }
            // Voice over us stops our sound; it takes the floor only with words: see `on_words`.
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

    /// Since when the turn lasts that the candidate may just have ended, in session time, if its sound makes
    /// a difference: then [`Event::PauseWeighed`] is worth its cost.
    pub fn weighs_since(&self) -> Option<SessionTime> {
        let (Floor::Candidate { turn } | Floor::Pause { turn, .. }) = &self.floor else {
            return None;
        };
        if self.script.plan().turns.endpointing.is_some() {
            return None;
        }
        // Whose words took the floor from us has spoken for a while already.
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

    /// They may be about to say something: our sound waits until that is known (T04, case 22).
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

    /// It was a cough, or a word that takes no floor: we go on where we stopped (cases 23, 24).
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
        // Where a voice is on that was taken for a noise, nobody knows when they paused: each word is news of
        // now.
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
                // One word while we spoke, told after we had finished, is no answer either (case 23).
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
                // Words that no voice was seen for: it was missed.
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

    /// That they want to stop, or are in distress, may show only in words that are told late (H02, case 30).
    fn hear_of_stop(&mut self) {
        let Floor::Thinking { reply, turn: Some(turn), .. } = &self.floor else { return };
        let cue = self.cue_of(&turn.said.text());
        let is_news = cue != turn.cue && matches!(cue, Some(Cue::Stop | Cue::Distress));
        if !is_news || !reply.is_interruptible() || self.course.phase() != Phase::Running {
            return;
        }
        self.take_floor(None);
        if let Floor::Pause { .. } = self.floor {
            self.end_turn();
        }
    }

    /// Whose words these are, if not the candidate's.
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

    /// What was taken for words of the candidate is none of theirs (cases 25 and 29): nothing follows from
    /// it, and if it is ours the sound that stopped for it goes on.
    fn pass_over(&mut self, segment: u32, why: NotTheirs) {
        self.outbox.push(Effect::Note(Note::PassedOver { segment, why }));
        self.floor.forget(segment);
        // One word of ours may be the first of theirs.
        let is_ours = why == NotTheirs::Echo && self.hearing.ours.is_echoing(self.timeline.now());
        if is_ours
            && let Floor::Interviewer { overlap, held: Some(_), .. } = &self.floor
            && overlap.words() == 0
        {
            self.resume_sound();
        }
    }

    /// Words over us take the floor: any before our first sound, a few after it (case 22). `to` is their end.
    pub(crate) fn hush_if_talked_over(&mut self, to: SessionTime) {
        let (reply, overlap, words_min) = match &self.floor {
            Floor::Thinking { reply, overlap, .. } => (reply, overlap, 1),
            // Who goes on with their sentence needs no second word for it.
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

    /// Whether a lone word over us is no backchannel: "stop", "wait".
    pub(crate) fn is_command(&self, text: &str) -> bool {
        self.course.phase() == Phase::Running
            && text.split_whitespace().count() == 1
            && matches!(cue(text), Some(Cue::Stop | Cue::Hold))
    }

    /// Whether words that end at `to` were all spoken before this stage began, and in no turn that lasts.
    fn belong_to_the_stage_before(&self, segment: u32, to: SessionTime) -> bool {
        let lasting = |turn: &Turn| turn.said.has(segment);
        self.stage.index > 0
            && to < self.stage.entered
            && !self.floor.turn().is_some_and(lasting)
            && !self.turns.carried().is_some_and(lasting)
    }

    /// Words of the stage before, told after the handoff, amend its last turn (H05, case 45).
    fn on_late_words(&mut self, words: &Words) {
        let stage = self.stage.previous;
        let next = self.turns.next_id();
        let amended = self.known.history.add_late(words, stage, next);
        if amended.turn == next {
            self.turns.take_id();
        }
        self.tell_amended(amended);
    }

    /// A committed turn has other words now, and perhaps fewer holes.
    fn tell_amended(&mut self, amended: Amended) {
        let Amended { turn, stage, text, changed, before } = amended;
        if changed {
            let stage = self.script.plan().agents[stage].name.clone();
            self.outbox.push(Effect::Publish(Notice::Turn { turn, stage, text }));
        }
        self.note_coverage(turn, Some(&before));
    }

    /// The candidate speaks, whatever we were about to say: what we owed lapses, and an answer that
    /// was not acknowledged by a sound of ours goes on as the same turn.
    pub(crate) fn take_floor(&mut self, words_to: Option<SessionTime>) {
        self.hush();
        let now = self.own_now();
        // Who is in the middle of a sentence still is, though their voice has no words.
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

    /// The candidate's floor, in the middle of their words or just after them.
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

    /// One turn has lasted too long (T05): we take the floor, and ask the same thing more precisely.
    pub(crate) fn pick_up(&mut self) {
        let since = self.own_now();
        let Some(turn) = self.replace_floor(Floor::Open { since }).into_turn() else { return };
        // So long a voice without a word is a noise.
        if turn.said.words() == 0 {
            self.hearing.set_voiced(false);
            return self.on_noise(&turn);
        }
        // And so is one that goes on after their last word: they have paused since.
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

    /// Takes the floor from whoever has it, with the words that nobody has answered yet.
    pub(crate) fn take_unanswered(&mut self, now: SessionTime) -> Option<Turn> {
        let floor = self.replace_floor(Floor::Open { since: now });
        let turn = floor.into_unanswered(self.script.plan().turns.barge_in_words_min, now);
        self.turns.carry(turn);
        self.turns.take_carried().filter(|turn| turn.said.words() > 0)
    }

    /// A limit was passed long ago and the candidate still speaks (H04).
    pub(crate) fn cut_in(&mut self) {
        let Some(exit) = decide(&self.facts()) else { return };
        self.hush();
        let since = self.own_now();
        let (has_paused, is_theirs) =
            (matches!(self.floor, Floor::Pause { .. }), self.floor.is_candidates());
        let mut turn = self.take_unanswered(since).map(|turn| self.turns.named(turn));
        // Who has just said that they want to stop, or is in distress, is answered (H02).
        if has_paused
            && let Exit::Stage { .. } = exit
            && let Some(turn) = turn.take_if(|turn| self.is_urgent(turn))
        {
            self.floor = Floor::Pause { turn, stopped: since };
            return self.end_turn();
        }
        // Nobody is told to stop who has said nothing: it is a noise.
        if turn.is_none()
            && let Exit::Stage { .. } = exit
        {
            self.hearing.set_voiced(false);
            return self.begin_exit(exit, None);
        }
        turn.iter().filter(|_| is_theirs).for_each(|turn| self.call_judge(turn));
        self.begin_cut_in(exit, turn);
    }

    /// Whether a limit was passed while what they said since then lasted.
    pub(crate) fn limit_passed_since(&self, since: SessionTime) -> bool {
        let stage_limit = self.stage.entered + self.agent().stage_limit;
        let interview_limit = self.course.began() + self.script.plan().interview_limit();
        self.stage.limit_passed && stage_limit >= since
            || self.course.limit_passed() && interview_limit >= since
    }

    /// A limit has just been passed. Nobody is interrupted (H04): who speaks ends first.
    pub(crate) fn on_limit(&mut self) {
        let facts = self.facts().while_question_waits();
        // Whether they want to stop, or are in distress, is settled first.
        let asks = self.floor.turn().is_some_and(|turn| self.asks_to_stop(turn));
        let settles = (self.awaited.settles_stop() || asks) && !self.course.limit_passed();
        let Some(exit) = decide(&facts).filter(|_| !settles) else { return };
        match &self.floor {
            Floor::Open { .. } => self.begin_exit(exit, None),
            Floor::Thinking { reply, .. } => {
                // Who leaves the stage already leaves it once; the end of the interview is stronger (H02).
                // What is said over somebody asks them something: we leave when they have answered.
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
