//! What the candidate does with their voice, and what ends their turn.

use super::{
    Effect, Interview, Notice, Phase,
    effect::{Say, Task},
    event::{TurnId, Words},
    floor::{Floor, Purpose, Turn},
    history,
    transition::decide,
};
use crate::time::SessionTime;

impl Interview {
    pub(super) fn on_speech_started(&mut self, at: SessionTime) {
        self.voiced = true;
        match &self.floor {
            Floor::Open { since } => {
                let turn = self.carried.take().unwrap_or_else(|| Turn::new(at, *since));
                self.floor = Floor::Candidate { turn };
            }
            Floor::Pause { .. } => self.take_floor(None),
            // They go on before we have answered: it is the same turn.
            Floor::Thinking { reply, turn: Some(_), .. } if reply.is_interruptible() => {
                self.take_floor(None);
            }
            // Voice over us takes the floor only with words: see `on_words`.
            Floor::Thinking { .. }
            | Floor::Interviewer { .. }
            | Floor::Candidate { .. }
            | Floor::Away { .. } => {}
        }
    }

    pub(super) fn on_speech_stopped(&mut self, at: SessionTime) {
        self.voiced = false;
        if let Floor::Candidate { .. } = self.floor {
            self.pause_at(at);
        }
    }

    pub(super) fn on_words(&mut self, words: &Words, is_final: bool) {
        if let Some(amended) = self.history.amend(words) {
            if amended.changed {
                let stage = self.plan.agents[amended.stage].name.clone();
                let notice = Notice::Turn { turn: amended.turn, stage, text: amended.text };
                self.out.push(Effect::Publish(notice));
            }
            return;
        }
        let has_words = !words.text.trim().is_empty();
        let barge_in_words_min = self.plan.turns.barge_in_words_min;
        let (from, to) = (self.own(words.from), self.own(words.to).min(self.own(self.now)));
        match &mut self.floor {
            Floor::Open { since } => {
                if has_words {
                    let since = *since;
                    let mut turn = self.carried.take().unwrap_or_else(|| Turn::new(from, since));
                    turn.said.put(words, is_final);
                    self.floor = self.candidate_floor(turn, to);
                }
            }
            Floor::Candidate { turn } => turn.said.put(words, is_final),
            Floor::Pause { turn, stopped } => {
                turn.said.put(words, is_final);
                *stopped = to.max(*stopped);
            }
            Floor::Thinking { turn: Some(turn), .. } if turn.said.has(words.segment) => {
                turn.said.put(words, is_final);
            }
            Floor::Thinking { reply, overlap, .. } => {
                overlap.put(words, is_final);
                if reply.is_interruptible() && overlap.words() > 0 {
                    self.take_floor(Some(to));
                }
            }
            Floor::Interviewer { reply, overlap, .. } => {
                overlap.put(words, is_final);
                if reply.is_interruptible() && overlap.words() >= barge_in_words_min {
                    self.take_floor(Some(to));
                }
            }
            Floor::Away { before, .. } => {
                if let Floor::Candidate { turn } | Floor::Pause { turn, .. } = &mut **before {
                    turn.said.put(words, is_final);
                }
            }
        }
    }

    /// The candidate speaks, whatever we were about to say: what we owed lapses, and an answer that
    /// was not acknowledged by a sound of ours goes on as the same turn.
    fn take_floor(&mut self, words_to: Option<SessionTime>) {
        self.hush();
        let now = self.own(self.now);
        let mut turn = match self.replace_floor(Floor::Open { since: now }) {
            Floor::Thinking { turn: Some(mut turn), overlap, .. } => {
                turn.restarts += 1;
                turn.depth = None;
                let earlier = std::mem::replace(&mut turn.said, overlap);
                turn.said.prepend(earlier);
                turn
            }
            Floor::Thinking { turn: None, overlap, .. } | Floor::Interviewer { overlap, .. } => {
                Turn { said: overlap, ..Turn::new(now, now) }
            }
            Floor::Pause { turn, .. } | Floor::Candidate { turn } => turn,
            Floor::Open { since } => Turn::new(now, since),
            Floor::Away { .. } => Turn::new(now, now),
        };
        if let Some(mut carried) = self.carried.take() {
            std::mem::swap(&mut carried.said, &mut turn.said);
            turn.said.prepend(carried.said);
        }
        self.floor = self.candidate_floor(turn, words_to.unwrap_or(now));
    }

    /// The candidate's floor, in the middle of their words or just after them.
    pub(super) fn candidate_floor(&self, turn: Turn, stopped: SessionTime) -> Floor {
        if self.voiced {
            Floor::Candidate { turn }
        } else {
            Floor::Pause { turn, stopped: stopped.min(self.own(self.now)) }
        }
    }

    fn pause_at(&mut self, at: SessionTime) {
        let since = self.own(self.now);
        if let Floor::Candidate { turn } = self.replace_floor(Floor::Open { since }) {
            self.floor = Floor::Pause { turn, stopped: at };
        }
    }

    /// The candidate has finished; it is our turn.
    pub(super) fn end_turn(&mut self) {
        let since = self.own(self.now);
        let Some(turn) = self.replace_floor(Floor::Open { since }).into_turn() else { return };
        if turn.said.words() == 0 {
            return self.on_noise(&turn);
        }
        let turn = self.named(turn);
        if let Phase::Leaving { end, .. } = self.phase {
            return self.begin_goodbye(end, Some(turn), false);
        }
        match decide(&self.facts()) {
            Some(exit) => self.begin_exit(exit, Some(turn)),
            None => self.think(Say::Model(Task::Follow), Purpose::Ask, Some(turn), None),
        }
    }

    /// It was no speech: the silence that it broke goes on as if nothing had been (T04).
    fn on_noise(&mut self, turn: &Turn) {
        if let Phase::Leaving { end, .. } = self.phase {
            return self.begin_goodbye(end, None, false);
        }
        self.floor = Floor::Open { since: turn.silent_since };
        if self.stage.limit_passed || self.interview_limit_passed {
            self.on_limit();
        }
    }

    /// One turn has lasted too long (T05): we take the floor, and ask the same thing more precisely.
    pub(super) fn pick_up(&mut self) {
        let since = self.own(self.now);
        let Some(turn) = self.replace_floor(Floor::Open { since }).into_turn() else { return };
        let turn = self.named(turn);
        if let Some(exit) = decide(&self.facts()) {
            return self.begin_cut_in(exit, Some(turn));
        }
        let question = self.next_question();
        let words = format!("{} {question}", self.plan.phrases.pick_up);
        self.think(Say::Text(words), Purpose::Insist, Some(turn), None);
    }

    /// A limit was passed long ago and the candidate still speaks (H04).
    pub(super) fn cut_in(&mut self) {
        let Some(exit) = decide(&self.facts()) else { return };
        self.hush();
        let since = self.own(self.now);
        let turn = self.replace_floor(Floor::Open { since }).into_turn();
        let turn = turn.filter(|turn| turn.said.words() > 0).map(|turn| self.named(turn));
        self.begin_cut_in(exit, turn);
    }

    /// A limit has just been passed. Nobody is interrupted (H04): who speaks ends first.
    pub(super) fn on_limit(&mut self) {
        let leaves = self.floor.reply().is_some_and(|reply| reply.exit.is_some());
        match &self.floor {
            Floor::Open { .. } => {
                if let Some(exit) = decide(&self.facts()) {
                    self.begin_exit(exit, None);
                }
            }
            Floor::Thinking { .. } if !leaves => {
                let Some(exit) = decide(&self.facts()) else { return };
                self.hush();
                let since = self.own(self.now);
                let turn = self.replace_floor(Floor::Open { since }).into_turn();
                self.begin_exit(exit, turn);
            }
            Floor::Thinking { .. }
            | Floor::Candidate { .. }
            | Floor::Pause { .. }
            | Floor::Interviewer { .. }
            | Floor::Away { .. } => {}
        }
    }

    /// The turn counts from now on: our answer to it was heard, or the interview ends.
    pub(super) fn commit(&mut self, turn: Turn) {
        if turn.said.words() == 0 {
            return;
        }
        let turn = self.named(turn);
        let Some(id) = turn.id else { return };
        self.stage.answers += 1;
        self.stage.spoke = true;
        self.stage.depth = self.stage.depth.max(turn.depth.unwrap_or(0));
        self.quiet = std::time::Duration::ZERO;
        self.history.commit(id, self.stage.index, &turn);
        let stage = self.plan.agents[self.stage.index].name.clone();
        let text = history::joined(turn.said.segments());
        self.out.push(Effect::Publish(Notice::Turn { turn: id, stage, text }));
    }

    /// The turn with an id: its own, or the next one.
    fn named(&mut self, mut turn: Turn) -> Turn {
        turn.id.get_or_insert_with(|| {
            self.turns += 1;
            TurnId(self.turns)
        });
        turn
    }
}
