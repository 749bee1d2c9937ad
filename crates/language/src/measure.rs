//! How well labelled texts are understood: recall per intent, and false alarms on answers.

use std::{collections::BTreeMap, fmt};

use crate::{Example, Intent};

/// How labelled texts were understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// By the intent that a text has: how often it was understood as which.
    rows: BTreeMap<Intent, BTreeMap<Intent, usize>>,
}

/// An example, and the intent that it was taken for instead of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake<'a> {
    /// The text with the intent that it has.
    pub example: &'a Example,
    /// What it was understood as.
    pub taken_for: Intent,
}

impl Measured {
    /// Measures what `understand` makes of each example; also gives its mistakes.
    pub fn of<'a>(
        examples: &'a [Example],
        understand: impl Fn(&str) -> Intent,
    ) -> (Self, Vec<Mistake<'a>>) {
        let (mut measured, mut mistakes) = (Self::default(), Vec::new());
        for example in examples {
            let taken_for = understand(&example.text);
            let (is, found) = (counted_as(example.intent), counted_as(taken_for));
            *measured.rows.entry(is).or_default().entry(found).or_default() += 1;
            if is != found {
                mistakes.push(Mistake { example, taken_for });
            }
        }
        (measured, mistakes)
    }

    /// How many texts that ask or tell for anything but an answer there are, and how many were understood.
    fn intents(&self) -> (usize, usize) {
        let rows = self.rows.iter().filter(|(intent, _)| !intent.is_answer());
        rows.fold((0, 0), |(all, right), (intent, row)| {
            (all + row.values().sum::<usize>(), right + row.get(intent).copied().unwrap_or(0))
        })
    }

    /// How many answers there are, finished or not, and how many were taken for something else. That an
    /// answer is finished may be said within it.
    fn answers(&self) -> (usize, usize) {
        let rows = self.rows.iter().filter(|(intent, _)| intent.is_answer());
        let all = rows.flat_map(|(_, row)| row);
        all.fold((0, 0), |(all, alarms), (found, count)| {
            let is_alarm = !found.is_answer() && *found != Intent::Done;
            (all + count, alarms + if is_alarm { *count } else { 0 })
        })
    }
}

/// The intent as labelled texts of others have it: they tell no part from a question, and no personal answer
/// from any other.
fn counted_as(intent: Intent) -> Intent {
    if intent == Intent::SkipPart {
        return Intent::Skip;
    }
    if intent == Intent::Sensitive { Intent::ANSWER } else { intent }
}

impl fmt::Display for Measured {
    /// A table with a row for each intent; the last line has the sums.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:<14} {:>6} {:>9}  taken for", "intent", "lines", "right")?;
        for (intent, row) in &self.rows {
            let all: usize = row.values().sum();
            let right = row.get(intent).copied().unwrap_or(0);
            let mut others: Vec<_> = row.iter().filter(|(found, _)| *found != intent).collect();
            others.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let others = others.iter().map(|(found, count)| format!("{} {count}", found.label()));
            let others = others.collect::<Vec<_>>().join(", ");
            let right = format!("{} %", percent(right, all));
            writeln!(out, "{:<14} {all:>6} {right:>9}  {others}", intent.label())?;
        }
        let ((intents, right), (answers, alarms)) = (self.intents(), self.answers());
        let (recall, alarms) = (percent(right, intents), percent(alarms, answers));
        let lines = intents + answers;
        write!(out, "intents {recall} %, false alarms {alarms} %, {lines} lines")
    }
}

/// A share in percent, to a tenth; of nothing, `-`.
fn percent(part: usize, all: usize) -> String {
    match all {
        0 => "-".to_owned(),
        all => format!("{:.1}", 100.0 * part as f64 / all as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests that were missed lower the recall, answers that were taken for requests are false alarms.
    #[test]
    fn recall_and_false_alarms_are_counted() {
        let file = "repeat\trepeat\nrepeat\tanswer\nskip\tskip_part\nanswer\tanswer\nanswer\tstop
answer\tdone\nanswer\tsensitive\nunfinished\tanswer\nsensitive\tunfinished\nyes\tyes\nhold\trepeat";
        let examples = Example::read(file).unwrap();
        let said = |text: &str| Intent::from_label(text).unwrap();
        let (measured, mistakes) = Measured::of(&examples, said);
        assert_eq!(
            measured.to_string().lines().map(str::trim_end).collect::<Vec<_>>(),
            [
                "intent          lines     right  taken for",
                "answer              5    40.0 %  unfinished 1, done 1, stop 1",
                "unfinished          1     0.0 %  answer 1",
                "repeat              2    50.0 %  answer 1",
                "hold                1     0.0 %  repeat 1",
                "skip                1   100.0 %",
                "yes                 1   100.0 %",
                "intents 60.0 %, false alarms 16.7 %, 11 lines",
            ]
        );
        assert_eq!(mistakes.len(), 6);
        let first = (mistakes[0].example.text.as_str(), mistakes[0].taken_for);
        assert_eq!(first, ("answer", Intent::ANSWER));
    }
}
