//! Tables for people, and the same as data.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use super::{
    recordings::Recordings,
    score::{Ends, Starts, Stops, percentile},
};

/// What a candidate's voice is mixed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Clean,
    /// A noise, and by how many dB the voice is louder.
    With(Noise, u8),
}

/// Kinds of noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noise {
    /// A fan, rain, a bad microphone.
    White,
    /// Others who talk.
    Babble,
}

/// What ends a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rule {
    /// A silence of so many ms.
    Fixed(u64),
    /// The product's own, by what was said.
    Adaptive,
    /// The same, with Smart Turn's word on the sound.
    Weighed,
}

/// What one detector found in one condition.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) detector: String,
    pub(crate) condition: Condition,
    pub(crate) starts: Starts,
    pub(crate) stops: Stops,
    pub(crate) ends: BTreeMap<Rule, Ends>,
    /// How long nobody spoke.
    pub(crate) quiet_ms: u64,
}

/// Signal to noise, in dB.
const SNRS_DB: [u8; 4] = [20, 10, 5, 0];
/// Detectors are compared by the wait that the product's own rule has after a finished sentence.
const COMPARED: Rule = Rule::Fixed(300);

impl Condition {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let with = |noise| SNRS_DB.map(|snr_db| Self::With(noise, snr_db));
        [Self::Clean].into_iter().chain(with(Noise::White)).chain(with(Noise::Babble))
    }

    fn name(self) -> String {
        match self {
            Self::Clean => "clean".into(),
            Self::With(Noise::White, snr_db) => format!("white {snr_db} dB"),
            Self::With(Noise::Babble, snr_db) => format!("babble {snr_db} dB"),
        }
    }

    fn snr_db(self) -> Option<u8> {
        match self {
            Self::Clean => None,
            Self::With(_, snr_db) => Some(snr_db),
        }
    }
}

impl Rule {
    pub(crate) const ALL: [Self; 5] =
        [Self::Fixed(300), Self::Fixed(600), Self::Fixed(1_000), Self::Adaptive, Self::Weighed];

    fn name(self) -> String {
        match self {
            Self::Fixed(ms) => format!("{:.1} s", ms as f64 / 1_000.0),
            Self::Adaptive => "by words".into(),
            Self::Weighed => "by words, sound".into(),
        }
    }
}

impl Row {
    pub(crate) fn new(detector: &str, condition: Condition) -> Self {
        Self {
            detector: detector.into(),
            condition,
            starts: Starts::default(),
            stops: Stops::default(),
            ends: BTreeMap::new(),
            quiet_ms: 0,
        }
    }

    /// Spans that were not noticed, speech that was none, ends that were not told, and ends that were none.
    fn mistakes(&self) -> usize {
        let ends = self.ends.get(&COMPARED).cloned().unwrap_or_default();
        self.starts.missed
            + self.starts.false_starts
            + (ends.answers - ends.found)
            + ends.false_ends
    }

    fn false_starts_a_minute(&self) -> f64 {
        self.starts.false_starts as f64 * 60_000.0 / self.quiet_ms.max(1) as f64
    }
}

/// All rows of one set of recordings.
pub(crate) fn table(recordings: &Recordings, rows: &[Row]) -> String {
    let mut text = String::new();
    let takes = recordings.takes.iter().map(|(take, _)| take);
    let answers: usize = takes.clone().map(|take| take.answers.len()).sum();
    let seconds: usize = takes.map(|take| take.sound.len() / 16_000).sum();
    let Recordings { name, truth, .. } = recordings;
    let _ = writeln!(text, "## {name}: {answers} answers, {seconds} s; {truth}\n");
    let _ = write!(text, "{:<12}{:<13}| {:<28}| {:<20}", "", "", "starts", "voice ends");
    for rule in Rule::ALL {
        let _ = write!(text, "| ends {:<21}", rule.name());
    }
    let _ = write!(text, "\n{:<12}{:<13}", "detector", "noise");
    let _ = write!(text, "| {:<8}{:<10}{:<10}", "missed", "false/min", "told");
    let _ = write!(text, "| {:<10}{:<10}", "said", "told");
    for _ in Rule::ALL {
        let _ = write!(text, "| {:<6}{:<6}{:<5}{:<9}", "found", "false", "long", "told");
    }
    text.push('\n');
    for row in rows {
        let missed = format!("{}/{}", row.starts.missed, row.starts.spans);
        let false_starts = format!("{:.1}", row.false_starts_a_minute());
        let _ = write!(text, "{:<12}{:<13}", row.detector, row.condition.name());
        let _ = write!(text, "| {missed:<8}{false_starts:<10}{:<10}", pair(&row.starts.delays));
        let Stops { tails, delays } = &row.stops;
        let _ = write!(text, "| {:<10}{:<10}", pair(tails), pair(delays));
        for rule in Rule::ALL {
            let Some(ends) = row.ends.get(&rule) else {
                let _ = write!(text, "| {:<26}", "–");
                continue;
            };
            let Ends { found, false_ends, long_pauses, delays, .. } = ends;
            let _ = write!(text, "| {found:<6}{false_ends:<6}{long_pauses:<5}{:<9}", pair(delays));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.push('\n');
    text
}

/// The mistakes of each detector, and for which the tables speak.
pub(crate) fn verdict(rows: &[Row], default: &str) -> String {
    let mut detectors: Vec<&str> = Vec::new();
    for row in rows {
        if !detectors.contains(&row.detector.as_str()) {
            detectors.push(&row.detector);
        }
    }
    let of = |detector: &str, snr: Option<Option<u8>>| -> usize {
        let is_its = |row: &&Row| {
            row.detector == detector && snr.is_none_or(|snr| row.condition.snr_db() == snr)
        };
        rows.iter().filter(is_its).map(Row::mistakes).sum()
    };
    let mut text = String::from(
        "## Mistakes: spans missed + false starts + ends missed + false ends (0.3 s), all recordings\n\n",
    );
    let snrs: Vec<Option<u8>> = [None].into_iter().chain(SNRS_DB.map(Some)).collect();
    let _ = write!(text, "{:<12}", "detector");
    for snr in &snrs {
        let name = snr.map_or("clean".into(), |db| format!("{db} dB"));
        let _ = write!(text, "{name:>8}");
    }
    let _ = writeln!(text, "{:>8}", "all");
    for detector in &detectors {
        let _ = write!(text, "{detector:<12}");
        for snr in &snrs {
            let _ = write!(text, "{:>8}", of(detector, Some(*snr)));
        }
        let _ = writeln!(text, "{:>8}", of(detector, None));
    }
    // What is only tried cannot be chosen.
    let choices = detectors.iter().filter(|name| !name.contains('-'));
    let Some(best) = choices.min_by_key(|name| of(name, None)) else { return text };
    let is_it = if *best == default {
        "which is the default (speech.vad in config/default.toml)".into()
    } else {
        format!("and the default (speech.vad in config/default.toml) is {default}")
    };
    let _ = writeln!(text, "\nThe tables speak for {best}, {is_it}.");
    text
}

/// The rows as data.
pub(crate) fn json(recordings: &Recordings, rows: &[Row]) -> Value {
    let ends = |ends: &BTreeMap<Rule, Ends>| -> Vec<Value> {
        let value = |(rule, ends): (&Rule, &Ends)| {
            json!({
                "rule": rule.name(), "answers": ends.answers, "found": ends.found,
                "false_ends": ends.false_ends, "long_pauses": ends.long_pauses,
                "told_ms": percentiles(&ends.delays),
            })
        };
        ends.iter().map(value).collect()
    };
    let row = |row: &Row| {
        json!({
            "detector": row.detector, "noise": row.condition.name(), "snr_db": row.condition.snr_db(),
            "spans": row.starts.spans, "missed": row.starts.missed,
            "false_starts": row.starts.false_starts, "quiet_ms": row.quiet_ms,
            "onset_told_ms": percentiles(&row.starts.delays),
            "stopped_ms": percentiles(&row.stops.tails),
            "stopped_told_ms": percentiles(&row.stops.delays),
            "ends": ends(&row.ends),
        })
    };
    let rows: Vec<Value> = rows.iter().map(row).collect();
    json!({ "name": recordings.name, "truth": recordings.truth, "rows": rows })
}

fn percentiles(values: &[i64]) -> Value {
    json!({ "p50": percentile(values, 50), "p90": percentile(values, 90) })
}

/// `p50/p90`
fn pair(values: &[i64]) -> String {
    match (percentile(values, 50), percentile(values, 90)) {
        (Some(p50), Some(p90)) => format!("{p50}/{p90}"),
        _ => "–".into(),
    }
}
