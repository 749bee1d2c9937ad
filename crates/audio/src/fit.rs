//! When sound was made that came later: by the pieces that came soonest.

use std::time::Duration;

use interview::time::SessionTime;

/// The sender's clock in ours: the packet that travelled shortest tells it best.
#[derive(Debug, Default)]
pub struct Fit {
    /// Shortest travel, as session time less RTP time, in µs: of this period and of the one before.
    least: Option<(i128, i128)>,
    period_ends: SessionTime,
}

/// So long a period is the travel of its shortest packet taken for that of all; clocks drift apart.
const PERIOD: Duration = Duration::from_secs(10);
/// A time that lies further back is no delay: the sender's clock has jumped.
const DELAY_MAX_US: i128 = 5_000_000;

impl Fit {
    /// The piece of sound that ends at `rtp_time` (48 kHz) has come.
    pub fn learn(&mut self, arrived: SessionTime, rtp_time: u64) {
        let travel = i128::from(arrived.as_micros()) - rtp_us(rtp_time);
        let (this, before) = match self.least {
            Some((this, before)) if (travel - this.min(before)).abs() < DELAY_MAX_US => {
                (this, before)
            }
            _ => {
                self.period_ends = arrived + PERIOD;
                (travel, travel)
            }
        };
        self.least = if arrived < self.period_ends {
            Some((this.min(travel), before))
        } else {
            self.period_ends = arrived + PERIOD;
            Some((travel, this))
        };
    }

    /// When the sample of `rtp_time` would have come by the shortest way; never after it came.
    pub fn time(&self, arrived: SessionTime, rtp_time: u64) -> SessionTime {
        let Some((this, before)) = self.least else {
            return arrived;
        };
        let us = u64::try_from((rtp_us(rtp_time) + this.min(before)).max(0)).unwrap_or(u64::MAX);
        SessionTime::from_micros(us).min(arrived)
    }
}

fn rtp_us(rtp_time: u64) -> i128 {
    i128::from(rtp_time) * 1_000_000 / 48_000
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sound that travels now shorter, now longer keeps its pace, and lies where the shortest travel puts it.
    #[test]
    fn the_shortest_travel_tells_the_time() {
        let mut fit = Fit::default();
        for n in 0..100 {
            let jitter = [0, 7, 19, 3][n as usize % 4];
            let arrived = SessionTime::from_millis(1_000 + 20 * (n + 1) + jitter);
            fit.learn(arrived, 960 * (n + 1));
            assert_eq!(fit.time(arrived, 960 * n), SessionTime::from_millis(1_000 + 20 * n));
        }
    }
}
