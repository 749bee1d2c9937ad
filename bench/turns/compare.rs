//! Rules for the end of a turn side by side, by the figures of eot-bench.

use std::fmt::Write as _;

use serde_json::{Value, json};
use vivavoce::{interview::Interview, providers::turns::Turns};

use super::{
    pauses::{self, Place, Said},
    recordings::Recordings,
    score::percentile,
    sweep::{self, Figures, Hold, Point, Scores, figures, front},
};

/// The waits of the blueprint that is asked: what the product's own waits lie between.
const WAITS_MS: (u64, u64) = (300, 2_500);
/// Who stops in a sentence is waited for longer than any time-out that is tried (T04). That counts as the
/// longest of them, or one answer that ends in "um" would be all that the averages show.
const WAIT_MAX_MS: u64 = 3_500;

/// Rules over the turns of one set of recordings.
pub(crate) struct Comparison {
    name: String,
    holds: usize,
    ends: usize,
    rules: Vec<Rule>,
    shipped: Vec<Shipped>,
    said: Vec<Said>,
}

/// A rule that is tried at all its settings.
struct Rule {
    name: &'static str,
    front: Vec<Point>,
    figures: Figures,
}

/// The product's rule as it is.
struct Shipped {
    name: &'static str,
    point: Point,
    p50_ms: Option<i64>,
    p90_ms: Option<i64>,
}

/// Which pauses are tried, and how long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// As they were recorded.
    Recorded,
    /// Within recordings, as long as those of eot-bench.
    Within,
    /// Those, and between two sentences of the same turn.
    All,
}

/// All comparisons of one set of recordings.
pub(crate) fn all(
    recordings: &Recordings,
    asked: &Interview,
    turns: Option<&Turns>,
) -> Vec<Comparison> {
    let listen = |speaker: &Vec<_>| pauses::listen(speaker, asked, turns);
    let said: Vec<Said> = recordings.speakers.iter().flat_map(listen).collect();
    [Cut::Recorded, Cut::Within, Cut::All]
        .map(|cut| Comparison::new(recordings, cut, &said))
        .into_iter()
        .filter(|comparison| comparison.holds > 0)
        .collect()
}

impl Comparison {
    fn new(recordings: &Recordings, cut: Cut, said: &[Said]) -> Self {
        let said: Vec<Said> = said.iter().filter(|said| cut.has(said)).cloned().collect();
        let holds = said.iter().filter(|said| said.place != Place::End).count();
        let ends = said.len() - holds;
        let mut rules = vec![silence(cut, &said)];
        let mut shipped = Vec::new();
        let has_sound = said.iter().all(|said| said.sound.is_some());
        let knows_words = recordings.words_known;
        if has_sound {
            rules.push(by_score("Smart Turn alone", cut, &said, |said| said.sound.unwrap_or(0)));
        }
        let words = |said: &Said| said.words_ms.min(WAIT_MAX_MS);
        let both = |said: &Said| said.both_ms.unwrap_or(said.words_ms).min(WAIT_MAX_MS);
        if knows_words {
            rules.push(by_score("words alone", cut, &said, |said| whole(words(said))));
            shipped.push(ship("by words", cut, &said, words));
        }
        if knows_words && has_sound {
            rules.push(by_score("words and sound", cut, &said, |said| whole(both(said))));
            rules.push(ranged("words, sound, patience", cut, &said, both));
            shipped.push(ship("by words, sound", cut, &said, both));
        }
        let name = format!("{}, {}", recordings.name, cut.name());
        Self { name, holds, ends, rules, shipped, said }
    }

    /// The table for people.
    pub(crate) fn table(&self) -> String {
        let Self { name, holds, ends, .. } = self;
        let mut text = format!("## Ends of turns, {name}: {holds} pauses, {ends} ends\n\n");
        let _ = writeln!(
            text,
            "{:<24}{:>20}{:>12}{:>18}",
            "rule", "cut-offs at 300 ms", "at 600 ms", "latency at 5 %"
        );
        for Rule { name, figures, .. } in &self.rules {
            let share =
                |share: Option<f64>| share.map_or("–".into(), |s| format!("{:.1} %", s * 100.0));
            let latency = figures.latency_5.map_or("–".into(), |ms| format!("{ms:.0} ms"));
            let (at_300, at_600) = (share(figures.cutoffs_300), share(figures.cutoffs_600));
            let _ = writeln!(text, "{name:<24}{at_300:>20}{at_600:>12}{latency:>18}");
        }
        for Shipped { name, point, p50_ms, p90_ms } in &self.shipped {
            let _ = writeln!(
                text,
                "The product's rule {name}: {:.1} % at {:.0} ms (p50/p90 {}/{})",
                point.cutoffs * 100.0,
                point.latency_ms,
                p50_ms.unwrap_or_default(),
                p90_ms.unwrap_or_default()
            );
        }
        text.push('\n');
        text
    }

    /// The same as data, with the best settings and what was said of each place.
    pub(crate) fn json(&self) -> Value {
        let rule = |rule: &Rule| {
            let points =
                rule.front.iter().map(|p| json!([p.latency_ms, p.cutoffs])).collect::<Vec<_>>();
            json!({
                "rule": rule.name, "cutoffs_at_300_ms": rule.figures.cutoffs_300,
                "cutoffs_at_600_ms": rule.figures.cutoffs_600,
                "latency_ms_at_5_percent": rule.figures.latency_5, "front": points,
            })
        };
        let shipped = |it: &Shipped| {
            json!({
                "rule": it.name, "cutoffs": it.point.cutoffs, "latency_ms": it.point.latency_ms,
                "p50": it.p50_ms, "p90": it.p90_ms,
            })
        };
        let said = |said: &Said| {
            json!({
                "place": said.place.name(), "recorded_ms": said.recorded_ms, "text": said.text,
                "sound": said.sound, "words_ms": said.words_ms, "both_ms": said.both_ms,
            })
        };
        json!({
            "name": self.name, "pauses": self.holds, "ends": self.ends,
            "rules": self.rules.iter().map(rule).collect::<Vec<_>>(),
            "product": self.shipped.iter().map(shipped).collect::<Vec<_>>(),
            "places": self.said.iter().map(said).collect::<Vec<_>>(),
        })
    }
}

impl Cut {
    fn name(self) -> &'static str {
        match self {
            Self::Recorded => "as recorded",
            Self::Within => "pauses within answers",
            Self::All => "and between two answers",
        }
    }

    fn has(self, said: &Said) -> bool {
        match self {
            Self::Recorded | Self::Within => !said.is_joined && said.place != Place::Between,
            Self::All => true,
        }
    }

    fn lengths_ms(self, said: &Said) -> Vec<u64> {
        match self {
            Self::Recorded => vec![said.recorded_ms],
            Self::Within | Self::All => sweep::lengths_ms(),
        }
    }
}

fn scores<T: Copy>(cut: Cut, said: &[Said], score: impl Fn(&Said) -> T) -> Scores<T> {
    let mut scores = Scores::default();
    for said in said {
        match said.place {
            Place::End => scores.ends.push(score(said)),
            Place::Within | Place::Between => {
                scores.holds.push(Hold { score: score(said), lengths_ms: cut.lengths_ms(said) });
            }
        }
    }
    scores
}

fn silence(cut: Cut, said: &[Said]) -> Rule {
    let scores = scores(cut, said, |_| ());
    Rule::new("silence alone", sweep::silences().map(|wait| scores.point(|()| wait)))
}

fn by_score(name: &'static str, cut: Cut, said: &[Said], score: impl Fn(&Said) -> u8) -> Rule {
    let scores = scores(cut, said, score);
    Rule::new(name, sweep::policies().map(|policy| scores.point(|score| policy.wait(score))))
}

/// The product's rule between other waits than the blueprint's.
fn ranged(name: &'static str, cut: Cut, said: &[Said], wait_ms: impl Fn(&Said) -> u64) -> Rule {
    let scores = scores(cut, said, wait_ms);
    let (least, most) = WAITS_MS;
    let moved = |wait: u64, (min, max): (u64, u64)| match wait {
        WAIT_MAX_MS.. => wait,
        wait => min + wait.saturating_sub(least) * (max - min) / (most - least),
    };
    Rule::new(name, sweep::ranges().map(|range| scores.point(|wait| moved(wait, range))))
}

fn ship(name: &'static str, cut: Cut, said: &[Said], wait_ms: impl Fn(&Said) -> u64) -> Shipped {
    let scores = scores(cut, said, wait_ms);
    let waits: Vec<i64> = scores.ends.iter().map(|wait| *wait as i64).collect();
    let (p50_ms, p90_ms) = (percentile(&waits, 50), percentile(&waits, 90));
    Shipped { name, point: scores.point(|wait| wait), p50_ms, p90_ms }
}

/// How whole a turn seems that is waited for so long, in percent.
fn whole(wait_ms: u64) -> u8 {
    let (least, most) = WAITS_MS;
    let left = most.saturating_sub(wait_ms) * 100 / (most - least);
    u8::try_from(left.min(100)).unwrap_or(100)
}

impl Rule {
    fn new(name: &'static str, points: impl Iterator<Item = Point>) -> Self {
        let front = front(points);
        let figures = figures(&front);
        Self { name, front, figures }
    }
}
