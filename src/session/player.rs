//! A recorded candidate: gives each answer when the interviewer is done, or over them.

use std::{collections::VecDeque, time::Duration};

use crate::{
    audio::{FRAME, FRAME_16, Pcm16},
    codec::fixture::{Fixture, Starts},
    interview::AgentState,
    time::SessionTime,
};

/// A person answers so long after a question.
const ANSWERS_AFTER: Duration = Duration::from_millis(400);

/// Plays the answers of a recording in turn.
#[derive(Debug)]
pub struct Player {
    answers: VecDeque<(Starts, Pcm16)>,
    playing: Option<(Pcm16, usize)>,
    state: AgentState,
    /// Since when.
    since: SessionTime,
    /// Whether the interviewer has said something since the last answer.
    is_asked: bool,
}

impl Player {
    /// The answers of a fixture.
    pub fn fixture(fixture: &Fixture) -> Self {
        let answers = fixture.answers.iter();
        Self::new(answers.map(|answer| (answer.starts, fixture.sound_of(answer))).collect())
    }

    /// A recording without marks: one answer, after the greeting.
    pub fn recording(sound: Pcm16) -> Self {
        Self::new([(Starts::AfterReply, sound)].into())
    }

    fn new(answers: VecDeque<(Starts, Pcm16)>) -> Self {
        let state = AgentState::Initializing;
        Self { answers, playing: None, state, since: SessionTime::ZERO, is_asked: false }
    }

    /// What the interviewer does since `at`.
    pub fn see(&mut self, at: SessionTime, state: AgentState) {
        if state != self.state {
            (self.state, self.since) = (state, at);
            self.is_asked |= state == AgentState::Speaking;
        }
    }

    /// The candidate's next 20 ms.
    pub fn frame(&mut self, at: SessionTime) -> Pcm16 {
        if self.playing.is_none() && self.is_time(at) {
            self.playing = self.answers.pop_front().map(|(_, sound)| (sound, 0));
            self.is_asked = false;
        }
        let mut samples = vec![0; FRAME_16];
        if let Some((sound, position)) = &mut self.playing {
            let rest = &sound.0[*position..];
            let n = rest.len().min(FRAME_16);
            samples[..n].copy_from_slice(&rest[..n]);
            *position += n;
            if *position == sound.0.len() {
                self.playing = None;
            }
        }
        Pcm16(samples)
    }

    fn is_time(&self, at: SessionTime) -> bool {
        // The frame that is asked for begins now; the state is of before it.
        let lasted = (at + FRAME).since(self.since);
        match self.answers.front() {
            Some((Starts::AfterReply, _)) => {
                self.is_asked && self.state == AgentState::Listening && lasted >= ANSWERS_AFTER
            }
            Some((Starts::OverReply(after), _)) => {
                self.is_asked && self.state == AgentState::Speaking && lasted >= *after
            }
            None => false,
        }
    }
}
