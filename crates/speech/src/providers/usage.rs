//! What is used of providers: calls, tokens, seconds of sound, characters (P04).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The role in which something of a provider is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// It recognises speech.
    Hearing,
    /// It words replies and judges answers, or writes.
    Thinking,
    /// It speaks.
    Speaking,
}

/// What is used: a model of a provider in a role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Source {
    /// What it does.
    pub work: Work,
    /// The name of the provider in the settings.
    pub provider: String,
    /// The vendor behind it; `None` for what runs in this process.
    #[serde(flatten, default)]
    pub vendor: Option<Vendor>,
}

/// A vendor's model, as prices name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Vendor {
    /// The kind of the provider in the settings.
    pub kind: String,
    /// The model's name.
    pub model: String,
}

/// How much of a provider was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    /// Calls: replies and judgements of a model, segments of a voice, streams of a recogniser.
    pub calls: u64,
    /// Calls of a model whose tokens its server did not count: they are estimated.
    #[serde(default)]
    pub estimated_calls: u64,
    /// The tokens of the requests, those from a cache included.
    #[serde(default)]
    pub input_tokens: u64,
    /// The tokens of the requests that the vendor had in its cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// The tokens of the answers.
    #[serde(default)]
    pub output_tokens: u64,
    /// Milliseconds of sound that a recogniser got.
    #[serde(default)]
    pub heard_ms: u64,
    /// The characters that a voice was sent.
    #[serde(default)]
    pub characters: u64,
}

impl Amount {
    /// The sum of two.
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            estimated_calls: self.estimated_calls.saturating_add(other.estimated_calls),
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            heard_ms: self.heard_ms.saturating_add(other.heard_ms),
            characters: self.characters.saturating_add(other.characters),
        }
    }
}

/// What was used of one provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Of what.
    #[serde(flatten)]
    pub source: Source,
    /// How much.
    #[serde(flatten)]
    pub amount: Amount,
}

/// The sums by provider, in the order of [`Source`].
pub fn summed(all: impl IntoIterator<Item = Used>) -> Vec<Used> {
    let mut sums: BTreeMap<Source, Amount> = BTreeMap::new();
    for Used { source, amount } in all {
        let sum = sums.entry(source).or_default();
        *sum = sum.plus(amount);
    }
    let used = sums.into_iter().map(|(source, amount)| Used { source, amount });
    used.filter(|used| used.amount != Amount::default()).collect()
}

/// Tells Prometheus of a provider before it is used.
pub(super) fn announce(provider: &str, work: Work) {
    let units: &[&'static str] = match work {
        Work::Hearing => &["calls", "seconds"],
        Work::Thinking => &["calls", "input_tokens", "cached_tokens", "output_tokens"],
        Work::Speaking => &["calls", "characters"],
    };
    units.iter().for_each(|unit| count(provider, unit, 0));
}

/// Adds to the counter of a provider.
pub(super) fn count(provider: &str, unit: &'static str, amount: u64) {
    metrics::counter!("vivavoce_provider_used_total", "provider" => provider.to_owned(), "unit" => unit)
        .increment(amount);
}
