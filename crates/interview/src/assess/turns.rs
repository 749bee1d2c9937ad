//! The candidate's turns with the times of their words, as far as the journal knows them.

use super::report::Evidence;
use crate::{
    interview::Words,
    journal::{Conversation, REDACTED},
    time::Span,
};

/// A turn whose words may be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Turn {
    /// Which one.
    pub(crate) id: u32,
    /// The agent to whose stage it belongs.
    pub(crate) stage: String,
    /// Its words as the transcript has them.
    pub(crate) words: Vec<String>,
    /// The numbers of words before each stretch that was not understood.
    pub(crate) holes: Vec<usize>,
    /// The same words as a text with marks at the holes.
    pub(crate) marked: String,
    /// When its words were said, in order; a turn that was typed has one of no length.
    pub(crate) spoken: Vec<Spoken>,
}

/// Words that were said in one go.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spoken {
    /// The stretches of sound that they cover.
    pub(crate) spans: Vec<Span>,
    /// How many words.
    pub(crate) words: usize,
}

impl Spoken {
    fn of(words: &Words) -> Self {
        let spans = match words.spans.is_empty() {
            true => vec![Span::new(words.from, words.to)],
            false => words.spans.clone(),
        };
        Self { spans, words: words.text.split_whitespace().count() }
    }

    /// The time at which so large a part of it is said.
    fn at(&self, part: f64) -> u64 {
        let length = |span: &Span| span.length().as_secs_f64() * 1_000.0;
        let mut rest = self.spans.iter().map(length).sum::<f64>() * part;
        let mut at = 0.0;
        for span in &self.spans {
            at = span.from.as_micros() as f64 / 1_000.0 + rest.min(length(span));
            rest -= length(span);
            if rest <= 0.0 {
                break;
            }
        }
        at.round() as u64
    }
}

impl Turn {
    /// All turns whose words may be shown, in order.
    pub(crate) fn all(told: &Conversation) -> Vec<Self> {
        let turns = told.turns.iter().map(|(turn, heard)| {
            let line = &told.lines[heard.line];
            let segments = heard.segments.values().filter(|words| !words.text.trim().is_empty());
            let mut spoken: Vec<Spoken> = segments.map(Spoken::of).collect();
            if spoken.is_empty() {
                let at = crate::time::SessionTime::from_millis(line.at_ms);
                spoken.push(Spoken { spans: vec![Span::new(at, at)], words: 0 });
            }
            Self {
                id: turn.0,
                stage: line.stage.clone(),
                words: line.text.split_whitespace().map(str::to_owned).collect(),
                holes: line.holes.iter().map(|hole| hole.after_words).collect(),
                marked: line.marked(),
                spoken,
            }
        });
        turns.filter(|turn| turn.marked != REDACTED && !turn.words.is_empty()).collect()
    }

    /// Its first words as a quote.
    pub(crate) fn beginning(&self, words_max: usize) -> Evidence {
        let hole = self.holes.iter().copied().filter(|hole| *hole > 0).min();
        let to = self.words.len().min(words_max).min(hole.unwrap_or(words_max));
        self.quote(0, to, 1.0)
    }

    /// The words from one to before another as a quote.
    pub(crate) fn quote(&self, from: usize, to: usize, likeness: f32) -> Evidence {
        let start_ms = self.time(from, false);
        Evidence {
            quote: self.words[from..to].join(" "),
            turn: self.id,
            start_ms,
            end_ms: self.time(to, true).max(start_ms),
            confidence: (likeness * 100.0).round() / 100.0,
            corrected: None,
        }
    }

    /// How many words were spoken, and not typed.
    pub(crate) fn spoken_words(&self) -> usize {
        self.spoken.iter().map(|spoken| spoken.words).sum()
    }

    /// When it began.
    pub(crate) fn began_ms(&self) -> u64 {
        self.spoken.first().map_or(0, |spoken| spoken.at(0.0))
    }

    /// When it ended.
    pub(crate) fn ended_ms(&self) -> u64 {
        self.spoken.last().map_or(0, |spoken| spoken.at(1.0))
    }

    /// The time between two words: the end of the one, or the beginning of the other.
    fn time(&self, word: usize, is_end: bool) -> u64 {
        let all = self.spoken_words();
        // What was typed meanwhile has no time of its own.
        let mut rest = word as f64 * all as f64 / self.words.len().max(1) as f64;
        for spoken in &self.spoken {
            let words = spoken.words as f64;
            if rest < words || (is_end && rest <= words) {
                return spoken.at(if words > 0.0 { rest / words } else { 0.0 });
            }
            rest -= words;
        }
        self.ended_ms()
    }

    /// A turn in which each word lasts a second, for tests.
    #[cfg(test)]
    pub(crate) fn plain(id: u32, text: &str) -> Self {
        use crate::time::SessionTime;
        let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        let at = |word: usize| SessionTime::from_millis(1_000 + word as u64 * 1_000);
        let spans = vec![Span::new(at(0), at(words.len()))];
        let spoken = vec![Spoken { spans, words: words.len() }];
        let marked = words.join(" ");
        Self { id, stage: "s".into(), words, holes: Vec::new(), marked, spoken }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SessionTime;

    /// U06: the time of a quote follows the segments of its turn and, in them, the sound that has words; what
    /// was typed has the time at which it was sent.
    #[test]
    fn words_have_times() {
        let at = SessionTime::from_millis;
        let spoken = |spans: &[(u64, u64)], words| Spoken {
            spans: spans.iter().map(|(from, to)| Span::new(at(*from), at(*to))).collect(),
            words,
        };
        let mut turn = Turn::plain(1, "a b c d e f g h");
        turn.spoken =
            vec![spoken(&[(1_000, 3_000)], 4), spoken(&[(10_000, 11_000), (20_000, 21_000)], 4)];
        for (from, to, want) in [
            (0, 2, (1_000, 2_000)),
            (2, 4, (2_000, 3_000)),
            (4, 6, (10_000, 11_000)),
            (3, 5, (2_500, 10_500)),
            (6, 8, (11_000, 21_000)),
            (0, 8, (1_000, 21_000)),
        ] {
            let quote = turn.quote(from, to, 1.0);
            assert_eq!((quote.start_ms, quote.end_ms), want, "{}", quote.quote);
        }
        turn.spoken = vec![spoken(&[(5_000, 5_000)], 0)];
        let quote = turn.quote(2, 4, 1.0);
        assert_eq!((quote.start_ms, quote.end_ms), (5_000, 5_000));
    }
}
