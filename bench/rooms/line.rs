//! What a bad line does to what it carries: one way of it, seeded, so that a run can be done again.

use std::time::Duration;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::Serialize;

/// After so long TCP sends again what was lost, and waits twice as long each further time.
const RESENT_AFTER: Duration = Duration::from_millis(200);
/// More losses in a row than that would be a cut line, which is another fault.
const RESENT_MAX: u32 = 6;

/// Which packets are lost, each way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) enum Loss {
    /// None.
    Nothing,
    /// Each alike.
    Uniform {
        /// How many of all, from 0 to 1.
        share: f64,
    },
    /// Many in a row, after Gilbert and Elliott: a good and a bad state, and in the bad one everything is
    /// lost.
    Bursts {
        /// How many of all, from 0 to 1.
        share: f64,
        /// Packets that are lost in a row, on average.
        length: f64,
    },
}

/// What a line does, each way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Faults {
    /// What it loses.
    pub(crate) loss: Loss,
    /// It keeps each packet between no time and so long, each by itself: they overtake one another.
    pub(crate) jitter: Duration,
}

impl Faults {
    /// A good line.
    pub(crate) const NONE: Self = Self { loss: Loss::Nothing, jitter: Duration::ZERO };
}

/// One way of a line.
#[derive(Debug)]
pub(crate) struct Way {
    faults: Faults,
    rng: StdRng,
    /// Whether a burst goes on.
    is_bad: bool,
}

impl Way {
    /// A way whose faults come from `seed` alone.
    pub(crate) fn new(faults: Faults, seed: u64) -> Self {
        Self { faults, rng: StdRng::seed_from_u64(seed), is_bad: false }
    }

    /// What becomes of the next packet: lost, or kept for so long.
    pub(crate) fn packet(&mut self) -> Option<Duration> {
        (!self.loses()).then(|| self.delay())
    }

    /// How long the next bytes of a TCP connection are kept: what is lost is sent again. By then a burst is
    /// over, so each time the share of the whole line counts.
    pub(crate) fn bytes(&mut self) -> Duration {
        let share = match self.faults.loss {
            Loss::Nothing => 0.0,
            Loss::Uniform { share } | Loss::Bursts { share, .. } => share,
        };
        let losses = (0..RESENT_MAX).take_while(|_| self.happens(share)).count();
        let resent: Duration = (0..losses).map(|n| RESENT_AFTER * (1 << n)).sum();
        resent + self.delay()
    }

    fn loses(&mut self) -> bool {
        match self.faults.loss {
            Loss::Nothing => false,
            Loss::Uniform { share } => self.happens(share),
            Loss::Bursts { share, length } => {
                let (ends, begins) = (1.0 / length, share / (length * (1.0 - share)));
                self.is_bad = if self.is_bad { !self.happens(ends) } else { self.happens(begins) };
                self.is_bad
            }
        }
    }

    fn delay(&mut self) -> Duration {
        self.faults.jitter.mul_f64(self.rng.random::<f64>())
    }

    fn happens(&mut self, share: f64) -> bool {
        self.rng.random::<f64>() < share
    }
}
