//! What vendors charge: `config/prices.toml`, or another file like it.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use crate::providers::usage::{Amount, Source, Used};

const BUILT_IN: &str = include_str!("../../config/prices.toml");
const MILLION: f64 = 1e6;
const MS_PER_MINUTE: f64 = 60_000.0;

/// The prices of models, in one currency.
#[derive(Clone, Debug)]
pub struct Prices {
    /// The currency of all of them, such as USD.
    pub currency: String,
    list: Vec<Price>,
}

/// The prices of a model, in the units that its vendor charges.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The kind of provider.
    pub provider: String,
    /// The model; all that begin so, if it ends in `*`.
    pub model: String,
    /// For a million tokens of requests.
    pub per_million_input_tokens: Option<f64>,
    /// For a million of those that the vendor had in its cache.
    pub per_million_cached_tokens: Option<f64>,
    /// For a million tokens of answers.
    pub per_million_output_tokens: Option<f64>,
    /// For a minute of sound heard.
    pub per_minute: Option<f64>,
    /// For a million characters spoken.
    pub per_million_characters: Option<f64>,
    /// Where it was read.
    pub source: String,
    /// When it was read or published.
    pub date: String,
}

/// What something costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// It runs in this process: nobody is paid for a call.
    RunsHere,
    /// So much, in the currency of the prices.
    Known(f64),
    /// Nobody has told the price.
    Unknown,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    currency: String,
    #[serde(default)]
    price: Vec<Spanned<Price>>,
}

impl Default for Prices {
    /// Those in the binary.
    fn default() -> Self {
        Self::read("config/prices.toml", BUILT_IN).expect("a test reads them")
    }
}

impl Prices {
    /// Reads a file of prices; `name` is what messages call it. The error is one sentence.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let at = |span: Option<Range<usize>>| {
            let before = span.and_then(|span| text.get(..span.start)).unwrap_or_default();
            format!("{name}:{}", 1 + before.matches('\n').count())
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let what = error.message().lines().collect::<Vec<_>>().join(" ");
            format!("{}: {what}; mend the file of prices", at(error.span()))
        })?;
        if file.currency.trim().is_empty() {
            return Err(format!("{}: `currency` is empty; write one such as USD", at(None)));
        }
        let mut list = Vec::new();
        for price in file.price {
            let span = price.span();
            let price = price.into_inner();
            if let Some(wrong) = price.fault() {
                return Err(format!("{}: {wrong}", at(Some(span))));
            }
            list.push(price);
        }
        Ok(Self { currency: file.currency, list })
    }

    /// How many entries there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The price of a model, if it is known.
    pub fn of(&self, source: &Source) -> Option<&Price> {
        let vendor = source.vendor.as_ref()?;
        self.list.iter().find(|price| price.provider == vendor.kind && price.fits(&vendor.model))
    }

    /// What it costs to use so much of something.
    pub fn cost(&self, used: &Used) -> Cost {
        if used.source.vendor.is_none() {
            return Cost::RunsHere;
        }
        let cost = self.of(&used.source).and_then(|price| price.cost(&used.amount));
        cost.map_or(Cost::Unknown, Cost::Known)
    }
}

impl Price {
    fn fits(&self, model: &str) -> bool {
        match self.model.strip_suffix('*') {
            Some(beginning) => model.starts_with(beginning),
            None => model == self.model,
        }
    }

    /// The price of each unit that has one, by its name in the file.
    pub fn rates(&self) -> Vec<(&'static str, f64)> {
        let rates = [
            ("per_million_input_tokens", self.per_million_input_tokens),
            ("per_million_cached_tokens", self.per_million_cached_tokens),
            ("per_million_output_tokens", self.per_million_output_tokens),
            ("per_minute", self.per_minute),
            ("per_million_characters", self.per_million_characters),
        ];
        rates.into_iter().filter_map(|(unit, rate)| Some((unit, rate?))).collect()
    }

    fn fault(&self) -> Option<String> {
        let (provider, model) = (&self.provider, &self.model);
        let rates = self.rates();
        if rates.is_empty() {
            return Some(format!(
                "the price of `{model}` of `{provider}` has no unit; add one such as `per_minute`"
            ));
        }
        let wrong = rates.iter().find(|(_, rate)| !rate.is_finite() || *rate < 0.0);
        wrong.map(|(unit, rate)| {
            format!(
                "`{unit}` of `{model}` of `{provider}` is {rate}; it must be a number from 0 on"
            )
        })
    }

    /// The cost, if there is a price for each unit of which something was used.
    fn cost(&self, amount: &Amount) -> Option<f64> {
        let cached = self.per_million_cached_tokens.or(self.per_million_input_tokens);
        let uncached = amount.input_tokens.saturating_sub(amount.cached_tokens);
        let units = [
            (uncached, self.per_million_input_tokens, MILLION),
            (amount.cached_tokens, cached, MILLION),
            (amount.output_tokens, self.per_million_output_tokens, MILLION),
            (amount.heard_ms, self.per_minute, MS_PER_MINUTE),
            (amount.characters, self.per_million_characters, MILLION),
        ];
        let mut sum = 0.0;
        for (used, rate, unit) in units.into_iter().filter(|(used, ..)| *used > 0) {
            sum += used as f64 / unit * rate?;
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::usage::{Vendor, Work};

    const ONE: &str = "currency = \"EUR\"\n\n[[price]]\nprovider = \"v\"\nmodel = \"m-*\"\nsource = \"s\"\n\
        date = \"2026\"\n";

    fn used(model: &str, amount: Amount) -> Used {
        let vendor = Some(Vendor { kind: "v".into(), model: model.into() });
        Used { source: Source { work: Work::Thinking, provider: "mine".into(), vendor }, amount }
    }

    /// P04: the prices in the binary can be read, and each says where it is from.
    #[test]
    fn the_prices_in_the_binary_are_read() {
        let prices = Prices::read("config/prices.toml", BUILT_IN).unwrap();
        assert!(!prices.list.is_empty());
        let is_said = |price: &Price| price.source.contains("https://") && price.date.len() >= 7;
        assert!(prices.list.iter().all(is_said), "{prices:?}");
    }

    /// P04: what is used is priced by its units; what has no price, or none for a unit, is not taken for
    /// free; what runs here is.
    #[test]
    fn amounts_have_prices() {
        let text =
            ONE.to_owned() + "per_million_input_tokens = 2\nper_million_output_tokens = 10\n";
        let prices = Prices::read("p", &text).unwrap();
        let tokens =
            Amount { input_tokens: 1_000_000, output_tokens: 200_000, ..Amount::default() };
        let cached = Amount { cached_tokens: 500_000, ..tokens };
        let spoken = Amount { characters: 1, ..tokens };
        for (model, amount, cost) in [
            ("m-1", tokens, Cost::Known(4.0)),
            ("m-1", cached, Cost::Known(4.0)),
            ("m-1", spoken, Cost::Unknown),
            ("n", tokens, Cost::Unknown),
        ] {
            assert_eq!(prices.cost(&used(model, amount)), cost, "{model} {amount:?}");
        }
        let cheaper = text + "per_million_cached_tokens = 0.5\n";
        let prices = Prices::read("p", &cheaper).unwrap();
        assert_eq!(prices.cost(&used("m-1", cached)), Cost::Known(3.25));
        let mut here = used("m-1", tokens);
        here.source.vendor = None;
        assert_eq!(prices.cost(&here), Cost::RunsHere);
        let by_the_minute = ONE.to_owned() + "per_minute = 0.6\n";
        let prices = Prices::read("p", &by_the_minute).unwrap();
        let heard = Amount { heard_ms: 90_000, ..Amount::default() };
        let Cost::Known(cost) = prices.cost(&used("m-", heard)) else { panic!() };
        assert!((cost - 0.9).abs() < 1e-9, "{cost}");
    }

    /// P04: a bad file is one sentence with its line.
    #[test]
    fn bad_files_are_told() {
        let check = |text: &str, line: usize, part: &str| {
            let why = Prices::read("p.toml", text).unwrap_err();
            assert!(why.starts_with(&format!("p.toml:{line}: ")), "{why}");
            assert!(why.contains(part) && !why.contains('\n'), "{why}");
        };
        check("currency = \"\"", 1, "`currency` is empty");
        check(ONE, 3, "the price of `m-*` of `v` has no unit");
        check(&(ONE.to_owned() + "per_minute = -1\n"), 3, "`per_minute` of `m-*` of `v` is -1");
        check(&(ONE.to_owned() + "per_minute = \"a\"\n"), 8, "invalid type");
        check(&(ONE.to_owned() + "per_hour = 1\n"), 8, "unknown field `per_hour`");
        check("currency = \"EUR\"\nprice = [", 2, "");
    }
}
