//! A line to a recorded candidate in real time: what a room would be, without a room.

use tokio::time::{Interval, MissedTickBehavior, interval};

use super::{Caption, Line, LineEvent, Player};
use crate::{
    audio::{FRAME, FRAME_48, Pcm48},
    clock::Clock,
    interview::{End, NotDone, Status},
    speak::Mouth,
    time::SessionTime,
};

/// Plays a recording at its own pace and records what the candidate hears.
pub struct WavLine {
    player: Player,
    mouth: Mouth,
    clock: Clock,
    pace: Interval,
    joined: bool,
    /// Where the next frame begins.
    began: SessionTime,
    sound: Vec<i16>,
}

impl WavLine {
    /// A line whose candidate joins at once.
    pub fn new(player: Player, mouth: Mouth, clock: Clock) -> Self {
        let mut pace = interval(FRAME);
        pace.set_missed_tick_behavior(MissedTickBehavior::Burst);
        Self { player, mouth, clock, pace, joined: false, began: clock.now(), sound: Vec::new() }
    }

    /// What the candidate has heard so far.
    pub fn into_sound(self) -> Pcm48 {
        Pcm48(self.sound)
    }
}

impl Line for WavLine {
    async fn next(&mut self) -> LineEvent {
        if !self.joined {
            self.joined = true;
            return LineEvent::CandidateJoined;
        }
        self.pace.tick().await;
        let pulled = self.mouth.pull(self.clock.now());
        let heard = pulled.unwrap_or_else(|| Pcm48(vec![0; FRAME_48]));
        self.sound.extend(heard.0);
        let began = self.began;
        self.began += FRAME;
        LineEvent::Frame(began, self.player.frame(began))
    }

    fn show(&mut self, status: &Status) {
        self.player.see(self.clock.now(), status.state);
    }

    fn caption(&mut self, _caption: Caption) {}

    fn acknowledge(&mut self, _id: &str, _outcome: Result<(), NotDone>) {}

    fn ended(&mut self, _end: End) {}
}
