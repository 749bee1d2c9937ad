//! The candidate's last sound, and the clock of a connection's stream.

use std::{collections::VecDeque, time::Duration};

use audio::Pcm16;
use interview::time::SessionTime;

/// The most samples of sound that can be sent again: 10 s.
const PAST_SAMPLES_MAX: usize = 10 * 16_000;
/// The most gaps in the sound of one connection that are remembered; of more the oldest are forgotten.
const JUMPS_MAX: usize = 1_024;
/// Sound that begins at most this long after the end of the sound before follows it without a gap.
const JITTER: Duration = Duration::from_millis(1);

/// The last sound, oldest first.
#[derive(Default)]
pub(super) struct Past {
    pieces: VecDeque<(SessionTime, Pcm16)>,
    samples: usize,
}

impl Past {
    /// Keeps a piece; the oldest ones make room.
    pub(super) fn push(&mut self, at: SessionTime, sound: Pcm16) {
        self.samples += sound.0.len();
        self.pieces.push_back((at, sound));
        while self.samples > PAST_SAMPLES_MAX
            && let Some((_, oldest)) = self.pieces.pop_front()
        {
            self.samples -= oldest.0.len();
        }
    }

    /// Returns the beginning of the oldest sound that is kept.
    pub(super) fn begins(&self) -> Option<SessionTime> {
        self.pieces.front().map(|(at, _)| *at)
    }

    /// Returns the sound that ends after `from`.
    pub(super) fn since(&self, from: SessionTime) -> Vec<(SessionTime, Pcm16)> {
        let later = self.pieces.iter().filter(|(at, sound)| *at + sound.duration() > from);
        later.cloned().collect()
    }
}

/// The clock of one connection's stream: it converts seconds of the stream to times of the session.
#[derive(Debug, Default)]
pub(super) struct StreamClock {
    /// The gaps: the number of samples of the stream before each, and the time of the session after it.
    jumps: VecDeque<(u64, SessionTime)>,
    /// The number of samples of the stream.
    sent: u64,
    /// The end of the sound so far.
    until: SessionTime,
}

impl StreamClock {
    /// Adds the next sound of the stream, which began at `at`.
    pub(super) fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        let apart = at.since(self.until).max(self.until.since(at));
        if self.jumps.is_empty() || apart > JITTER {
            self.jumps.push_back((self.sent, at));
            if self.jumps.len() > JUMPS_MAX {
                self.jumps.pop_front();
            }
        }
        self.sent += sound.0.len() as u64;
        self.until = at + sound.duration();
    }

    /// Returns the length of the stream, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.sent as f64 / 16_000.0
    }

    /// Returns the time of the sound from `seconds` of the stream on; never later than its end.
    pub(super) fn begin(&self, seconds: f64) -> SessionTime {
        let samples = (seconds * 16_000.0) as u64;
        self.time(samples, self.jumps.iter().rev().find(|(before, _)| *before <= samples))
    }

    /// Returns the time of the sound up to `seconds` of the stream.
    pub(super) fn end(&self, seconds: f64) -> SessionTime {
        let samples = (seconds * 16_000.0) as u64;
        self.time(samples, self.jumps.iter().rev().find(|(before, _)| *before < samples))
    }

    fn time(&self, samples: u64, jump: Option<&(u64, SessionTime)>) -> SessionTime {
        let Some((before, at)) = jump.or(self.jumps.front()) else { return self.until };
        let since = Duration::from_micros(samples.saturating_sub(*before) * 1_000_000 / 16_000);
        (*at + since).min(self.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> SessionTime {
        SessionTime::from_millis(ms)
    }

    fn piece(ms: usize) -> Pcm16 {
        Pcm16(vec![0; 16 * ms])
    }

    /// P03: the last 10 s of sound are kept, whatever time lies between its pieces.
    #[test]
    fn ten_seconds_are_kept() {
        let mut past = Past::default();
        for n in 0..600 {
            past.push(ms(20 * n), piece(20));
        }
        assert_eq!(past.begins(), Some(ms(2_000)));
        past.push(ms(60_000), piece(20));
        let from = |at| past.since(at).first().map(|(at, _)| *at);
        assert_eq!(from(ms(0)), Some(ms(2_020)));
        assert_eq!(from(ms(5_010)), Some(ms(5_000)), "the piece in which it lies");
        assert_eq!(from(ms(12_000)), Some(ms(60_000)));
    }

    /// P03, P05: seconds of a stream that began in the middle and has a gap become times of the session.
    #[test]
    fn seconds_are_times_of_the_session() {
        let mut stream_clock = StreamClock::default();
        assert_eq!(stream_clock.begin(3.0), ms(0), "nothing was sent yet");
        stream_clock.push(ms(5_000), &piece(1_000));
        stream_clock.push(ms(6_000), &piece(1_000));
        stream_clock.push(ms(60_000), &piece(1_000));
        assert_eq!(stream_clock.jumps.len(), 2);
        for (seconds, begin, end) in [
            (0.0, 5_000, 5_000),
            (1.5, 6_500, 6_500),
            (2.0, 60_000, 7_000),
            (2.5, 60_500, 60_500),
            (9.0, 61_000, 61_000),
        ] {
            assert_eq!(stream_clock.begin(seconds), ms(begin), "from {seconds} s");
            assert_eq!(stream_clock.end(seconds), ms(end), "to {seconds} s");
        }
    }
}
