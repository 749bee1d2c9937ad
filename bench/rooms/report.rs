//! What was measured, as a table, as JSON and as a picture of each turn.

use std::{fmt::Write, time::Instant};

use serde::Serialize;

use crate::{
    candidate::{Turn, millis_between},
    stubs::Hop,
};

/// A figure of `quality.md` and what was reached.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// Its id.
    pub(crate) id: &'static str,
    /// What it is.
    pub(crate) what: String,
    /// What was measured, in the unit of `what`; not a number if nothing was.
    pub(crate) value: f64,
    /// What is to be reached, if there is one figure for it.
    pub(crate) limit: Option<f64>,
    /// Of how many.
    pub(crate) of: usize,
}

impl Row {
    /// One line of the table.
    pub(crate) fn line(&self) -> String {
        let limit = self.limit.map_or_else(|| "-".to_owned(), |limit| format!("{limit:.1}"));
        let verdict = match self.limit {
            _ if self.value.is_nan() => "not measured",
            Some(limit) if self.value <= limit => "reached",
            Some(_) => "missed",
            None => "",
        };
        format!(
            "{:4} {:58} {:>9.1} {limit:>8} {:>5}  {verdict}",
            self.id, self.what, self.value, self.of
        )
    }
}

/// What stands over the table.
pub(crate) fn heading() -> String {
    format!("{:4} {:58} {:>9} {:>8} {:>5}", "", "", "measured", "limit", "of")
}

/// The value below which `percent` of the values lie; not a number of none.
pub(crate) fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(place).copied().unwrap_or(f64::NAN)
}

/// When each hop of a turn was reached, from the candidate's last sound; the last is our first sound.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Hops {
    /// The hop's name and its time, in milliseconds.
    pub(crate) reached: Vec<(String, f64)>,
}

impl Hops {
    /// Those of a turn, from what the providers saw.
    pub(crate) fn of(turn: &Turn, log: &[(Instant, Hop)]) -> Option<Self> {
        let heard = turn.heard?;
        let first = |wanted: Hop| {
            // The last sound may reach the recogniser before the frame is whole that it ends in.
            let mut seen = log.iter().filter(|(at, hop)| *hop == wanted && *at <= heard);
            let (at, _) = match wanted {
                Hop::LastSound => seen.next_back()?,
                Hop::Transcript
                | Hop::Request
                | Hop::FirstToken
                | Hop::Clause
                | Hop::Voice
                | Hop::FirstByte => seen.find(|(at, _)| *at >= turn.ended)?,
            };
            Some((format!("{wanted:?}"), millis_between(turn.ended, *at)))
        };
        let hops = [
            Hop::LastSound,
            Hop::Transcript,
            Hop::Request,
            Hop::FirstToken,
            Hop::Clause,
            Hop::Voice,
            Hop::FirstByte,
        ];
        let mut reached: Vec<_> = hops.into_iter().filter_map(first).collect();
        reached.push(("Heard".to_owned(), millis_between(turn.ended, heard)));
        Some(Self { reached })
    }

    /// When a hop was reached.
    pub(crate) fn at(&self, name: &str) -> Option<f64> {
        self.reached.iter().find(|(hop, _)| hop == name).map(|(_, at)| *at)
    }
}

const COLOURS: [&str; 8] =
    ["#9ecae1", "#6baed6", "#3182bd", "#fdae6b", "#fd8d3c", "#e6550d", "#a1d99b", "#31a354"];
const BAR: usize = 16;
const LEFT: usize = 40;
/// Pixels a millisecond.
const SCALE: f64 = 1.0;

/// One bar a turn, one colour a hop.
pub(crate) fn picture(turns: &[Hops]) -> String {
    let longest = turns.iter().filter_map(|turn| turn.at("Heard")).fold(100.0, f64::max);
    let (width, height) = (longest * SCALE + 60.0, BAR * turns.len() + 40);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height}\" \
            font-family=\"sans-serif\" font-size=\"10\">\n"
    );
    let mut place = LEFT as f64;
    for (name, colour) in turns.first().map(|turn| &turn.reached).into_iter().flatten().zip(COLOURS)
    {
        let name = &name.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{place}\" y=\"4\" width=\"10\" height=\"10\" fill=\"{colour}\"/>"
        );
        let _ = writeln!(svg, "<text x=\"{}\" y=\"13\">{name}</text>", place + 13.0);
        place += 80.0;
    }
    for (n, turn) in turns.iter().enumerate() {
        let (mut from, y) = (0.0, 24 + n * BAR);
        let _ = writeln!(svg, "<text x=\"4\" y=\"{}\">{}</text>", y + 11, n + 1);
        for ((name, at), colour) in turn.reached.iter().zip(COLOURS) {
            let (x, wide) = (LEFT as f64 + from * SCALE, (at - from).max(0.0) * SCALE);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{wide:.1}\" height=\"{}\" \
                    fill=\"{colour}\"><title>{name} {at:.0} ms</title></rect>",
                BAR - 3
            );
            from = at.max(from);
        }
    }
    svg + "</svg>\n"
}
