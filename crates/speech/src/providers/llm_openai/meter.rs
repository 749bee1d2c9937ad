//! What an interview has used, and its limit.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use crate::providers::{ProviderError, Retry, Usage};

/// Of text, where nobody counts: near enough for the languages that we speak.
const BYTES_PER_TOKEN: usize = 4;

/// Tokens of one interview.
#[derive(Debug)]
pub(super) struct Meter {
    used: AtomicU64,
    max: u64,
    /// The setting of `max`, for messages.
    setting: String,
}

impl Meter {
    pub(super) fn new(max: u64, setting: String) -> Self {
        Self { used: AtomicU64::new(0), max, setting }
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    fn add(&self, tokens: u64) {
        // A server may claim anything; the sum must not wrap around.
        let added = |used: u64| Some(used.saturating_add(tokens));
        let _ = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
    }

    /// Whether one more call may be made.
    pub(super) fn admit(&self) -> Result<(), ProviderError> {
        let (used, max, setting) = (self.used(), self.max, &self.setting);
        if used < max {
            return Ok(());
        }
        let what = format!(
            "this interview has used {used} tokens and may use {max}: its templates speak from here \
                on; raise {setting}"
        );
        Err(ProviderError { what, retry: Retry::Never })
    }
}

/// Which of the two lanes a call is on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lane {
    Talk,
    Judge,
}

/// Counts one call when it is over: what the server says, or a guess if it did not get to say it. A cancelled
/// call costs, too.
pub(super) struct Tally {
    meter: Arc<Meter>,
    lane: Lane,
    guess: Usage,
    told: Option<Usage>,
}

impl Tally {
    /// A call whose request has so many bytes.
    pub(super) fn new(meter: &Arc<Meter>, lane: Lane, bytes: usize) -> Self {
        let guess = Usage { input: tokens(bytes), output: 0 };
        Self { meter: meter.clone(), lane, guess, told: None }
    }

    /// The call came to nothing, and costs nothing.
    pub(super) fn was_refused(mut self) {
        self.told = Some(Usage { input: 0, output: 0 });
    }

    /// The answer has so many bytes so far.
    pub(super) fn guess_output(&mut self, bytes: usize) {
        self.guess.output = tokens(bytes);
    }

    /// What the server says so far.
    pub(super) fn told(&mut self, usage: Option<Usage>) {
        self.told = usage.or(self.told);
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        let Usage { input, output } = self.told.unwrap_or(self.guess);
        self.meter.add(input.saturating_add(output));
        let lane = match self.lane {
            Lane::Talk => "talk",
            Lane::Judge => "judge",
        };
        for (direction, tokens) in [("input", input), ("output", output)] {
            metrics::counter!("vivavoce_llm_tokens_total", "lane" => lane, "direction" => direction)
                .increment(tokens);
        }
    }
}

fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}
