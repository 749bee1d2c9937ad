//! The tokens that an interview has used, and their limit.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use crate::providers::{
    ProviderError, Retry, Usage,
    usage::{Amount, count},
};

/// The estimated bytes per token where the server does not count; exact enough for the languages that we
/// speak.
const BYTES_PER_TOKEN: usize = 4;

/// The tokens of one interview.
#[derive(Debug)]
pub(super) struct Meter {
    used: AtomicU64,
    /// What the server has counted.
    input: AtomicU64,
    cached: AtomicU64,
    output: AtomicU64,
    calls: AtomicU64,
    /// Calls that the server did not count.
    estimated: AtomicU64,
    max: u64,
    /// The name of the setting of `max`, for messages.
    setting: String,
    /// The provider's name, for metrics.
    provider: String,
}

impl Meter {
    pub(super) fn new(max: u64, setting: String, provider: &str) -> Self {
        let [used, input, cached, output, calls, estimated] = [const { AtomicU64::new(0) }; 6];
        let provider = provider.to_owned();
        Self { used, input, cached, output, calls, estimated, max, setting, provider }
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether no more calls may be made.
    pub(super) fn is_spent(&self) -> bool {
        self.used() >= self.max
    }

    /// The tokens as the server has counted them; nothing if there is a call that it did not count.
    pub(super) fn counted(&self) -> Option<Usage> {
        let Amount { input_tokens, cached_tokens, output_tokens, estimated_calls, .. } =
            self.amount();
        let counted = Usage { input: input_tokens, cached: cached_tokens, output: output_tokens };
        (estimated_calls == 0 && counted != Usage::default()).then_some(counted)
    }

    /// All that was used, estimates included.
    pub(super) fn amount(&self) -> Amount {
        let read = |of: &AtomicU64| of.load(Ordering::Relaxed);
        Amount {
            calls: read(&self.calls),
            estimated_calls: read(&self.estimated),
            input_tokens: read(&self.input),
            cached_tokens: read(&self.cached),
            output_tokens: read(&self.output),
            ..Amount::default()
        }
    }

    fn add(&self, usage: Usage, is_estimated: bool) {
        // A server may report any number; the sum must not wrap around.
        let add = |to: &AtomicU64, tokens: u64| {
            let added = |used: u64| Some(used.saturating_add(tokens));
            let _ = to.fetch_update(Ordering::Relaxed, Ordering::Relaxed, added);
        };
        add(&self.used, usage.input.saturating_add(usage.output));
        add(&self.input, usage.input);
        add(&self.cached, usage.cached);
        add(&self.output, usage.output);
        if usage != Usage::default() {
            add(&self.calls, 1);
            count(&self.provider, "calls", 1);
        }
        add(&self.estimated, u64::from(is_estimated));
        let tokens = [
            ("input_tokens", usage.input),
            ("cached_tokens", usage.cached),
            ("output_tokens", usage.output),
        ];
        tokens.into_iter().for_each(|(unit, tokens)| count(&self.provider, unit, tokens));
    }

    /// Returns an error if no more calls may be made.
    pub(super) fn admit(&self) -> Result<(), ProviderError> {
        let (used, max, setting) = (self.used(), self.max, &self.setting);
        if !self.is_spent() {
            return Ok(());
        }
        let what = format!(
            "this interview has used {used} tokens and may use {max}: its templates speak from here \
                on; raise {setting}"
        );
        Err(ProviderError { what, retry: Retry::Never })
    }
}

/// The lane of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lane {
    Talk,
    Judge,
}

/// The count of one call, which is added when the call is over: the server's number, or an estimate if there
/// is none. A cancelled call counts, too.
pub(super) struct Tally {
    meter: Arc<Meter>,
    lane: Lane,
    estimate: Usage,
    reported: Option<Usage>,
}

impl Tally {
    /// Returns the count of a call whose request has `bytes` bytes.
    pub(super) fn new(meter: &Arc<Meter>, lane: Lane, bytes: usize) -> Self {
        let estimate = Usage { input: tokens(bytes), ..Usage::default() };
        Self { meter: meter.clone(), lane, estimate, reported: None }
    }

    /// Handles that the call was refused, so that it costs nothing.
    pub(super) fn was_refused(mut self) {
        self.reported = Some(Usage::default());
    }

    /// Estimates the tokens of the answer, which has `bytes` bytes so far.
    pub(super) fn estimate_output(&mut self, bytes: usize) {
        self.estimate.output = tokens(bytes);
    }

    /// Takes the server's own number so far.
    pub(super) fn reported(&mut self, usage: Option<Usage>) {
        self.reported = usage.or(self.reported);
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        let usage = self.reported.unwrap_or(self.estimate);
        self.meter.add(usage, self.reported.is_none());
        let Usage { input, output, .. } = usage;
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
