//! Our track's pace: one frame every 20 ms on an absolute schedule.

use std::time::{Duration, Instant};

use super::FrameSource;
use crate::{
    Frame,
    opus::{Encoder, OpusError},
};

/// Louder than this counts as voice.
const VOICE_DBOV: i8 = -50;

/// Who is later than this jumps ahead instead of catching up: the listeners' buffers hold no more.
const LATE_LIMIT: Duration = Duration::from_millis(100);

/// Pulls, encodes and numbers the frames of our track, across sessions.
pub(super) struct Player {
    source: Box<dyn FrameSource>,
    encoder: Encoder,
    rtp_time: u64,
    pace: Pace,
}

enum Pace {
    /// Nothing is pulled. The next frame would have been due then, had it gone on.
    Stopped { due: Option<Instant> },
    /// The next frame is due then.
    Running { due: Instant },
}

/// A frame to send.
pub(super) struct Outgoing {
    pub(super) payload: Vec<u8>,
    /// RFC 6464 level; without it we never become an active speaker.
    pub(super) level: i8,
    /// RTP time of its first sample at 48 kHz.
    pub(super) rtp_time: u64,
    /// Frames left out before it, because we were late.
    pub(super) skipped: u64,
}

impl Player {
    pub(super) fn new(source: Box<dyn FrameSource>) -> Result<Self, OpusError> {
        let pace = Pace::Stopped { due: None };
        Ok(Self { source, encoder: Encoder::new()?, rtp_time: 0, pace })
    }

    /// Another source takes over the track.
    pub(super) fn replace_source(&mut self, source: Box<dyn FrameSource>) {
        self.source = source;
    }

    /// Stands still from now on: nothing is pulled, RTP time goes on.
    pub(super) fn stop(&mut self) {
        if let Pace::Running { due } = self.pace {
            self.pace = Pace::Stopped { due: Some(due) };
        }
    }

    /// Goes on, if it stood still.
    pub(super) fn start(&mut self, now: Instant) {
        if let Pace::Stopped { due } = self.pace {
            let missed = due.map_or(0, |due| frames(now.saturating_duration_since(due)));
            self.rtp_time += missed * Frame::SAMPLES as u64;
            self.pace = Pace::Running { due: now };
        }
    }

    /// When the next frame is due.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.pace {
            Pace::Stopped { .. } => None,
            Pace::Running { due } => Some(due),
        }
    }

    /// The next frame, if it is due. To be called until there is none.
    pub(super) fn next(&mut self, now: Instant) -> Option<Outgoing> {
        let Pace::Running { due } = self.pace else { return None };
        let late = now.checked_duration_since(due)?;
        let skipped = if late > LATE_LIMIT { frames(late) } else { 0 };
        self.rtp_time += skipped * Frame::SAMPLES as u64;
        self.pace = Pace::Running {
            due: due + Frame::DURATION * u32::try_from(skipped + 1).unwrap_or(u32::MAX),
        };
        let sound = self.source.pull(now).unwrap_or_else(Frame::silence);
        let level = sound.level_dbov();
        let rtp_time = self.rtp_time;
        self.rtp_time += Frame::SAMPLES as u64;
        match self.encoder.encode(&sound) {
            Ok(payload) => Some(Outgoing { payload, level, rtp_time, skipped }),
            Err(error) => {
                tracing::error!(%error, "encoding a frame failed");
                None
            }
        }
    }
}

impl Outgoing {
    pub(super) fn has_voice(&self) -> bool {
        self.level > VOICE_DBOV
    }
}

/// Whole frames in so much time.
fn frames(time: Duration) -> u64 {
    u64::try_from(time.as_micros() / Frame::DURATION.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    struct Silence;

    impl FrameSource for Silence {
        fn pull(&mut self, _: Instant) -> Option<Frame> {
            None
        }
    }

    const MS: Duration = Duration::from_millis(1);

    /// Runs a player that is woken at these milliseconds; returns the RTP times in frames.
    fn run(player: &mut Player, start: Instant, wakes: impl IntoIterator<Item = u32>) -> Vec<u64> {
        let mut out = Vec::new();
        for ms in wakes {
            while let Some(frame) = player.next(start + ms * MS) {
                out.push(frame.rtp_time / Frame::SAMPLES as u64);
            }
        }
        out
    }

    fn player(start: Instant) -> Player {
        let mut player = Player::new(Box::new(Silence)).unwrap();
        player.start(start);
        player
    }

    /// Being woken a little late shifts nothing; the frames of a second are 50.
    #[test]
    fn pace_does_not_drift() {
        let start = clock::instant();
        let late = (0..1_000u32).step_by(20).map(|ms| ms + ms % 7);
        assert_eq!(run(&mut player(start), start, late), (0..50).collect::<Vec<_>>());
    }

    /// A short stall is caught up, a long one is jumped over, in RTP time too.
    #[test]
    fn a_long_stall_is_jumped_over() {
        let start = clock::instant();
        assert_eq!(run(&mut player(start), start, [0, 90]), [0, 1, 2, 3, 4]);
        assert_eq!(run(&mut player(start), start, [0, 500, 521]), [0, 25, 26]);
    }

    /// While the line is cut nothing is pulled, and RTP time goes on as the clock does.
    #[test]
    fn rtp_time_goes_on_while_it_stands_still() {
        let start = clock::instant();
        let mut player = player(start);
        assert_eq!(run(&mut player, start, [0, 20]), [0, 1]);
        player.stop();
        assert_eq!(player.deadline(), None);
        assert!(run(&mut player, start, [40, 400]).is_empty());
        player.start(start + 440 * MS);
        assert_eq!(run(&mut player, start, [440, 460]), [22, 23]);
    }
}
