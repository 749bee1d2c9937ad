//! What a detector and a rule have found, held against what is true. All times are ms from a recording's
//! beginning.

/// Speech that is told of so near to a span belongs to it; farther from all of them it is false.
const NEAR_MS: u64 = 200;
/// A voice fades: who loses no more than this of a span's end has still found the end.
const FADE_MS: u64 = 300;

/// Speech without a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Speech as a detector told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Speech {
    /// Its first voiced sample.
    pub(crate) at: u64,
    /// When that was told.
    pub(crate) told: u64,
    /// Its end, if it has one.
    pub(crate) stopped: Option<Stopped>,
}

/// The end of speech as a detector told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped {
    /// The last voiced sample.
    pub(crate) at: u64,
    /// When that was told.
    pub(crate) told: u64,
}

/// The end of a turn as a rule told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The last voiced sample.
    pub(crate) stopped: u64,
    /// When the turn was taken for finished.
    pub(crate) told: u64,
    /// The silence that the rule waited for.
    pub(crate) wait: u64,
}

/// How well beginnings of speech were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Starts {
    /// Spans there are.
    pub(crate) spans: usize,
    /// Those of which nothing was told.
    pub(crate) missed: usize,
    /// Speech that was told of where there is none.
    pub(crate) false_starts: usize,
    /// From each span's beginning until it was told, where no speech was on already.
    pub(crate) delays: Vec<i64>,
}

/// How late the ends of voice were, of those answers whose voice ended before the next one's began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stops {
    /// From each answer's last sample to what was said to be it.
    pub(crate) tails: Vec<i64>,
    /// From each answer's last sample until that was told.
    pub(crate) delays: Vec<i64>,
}

/// How well ends of answers were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    /// Answers there are.
    pub(crate) answers: usize,
    /// Those whose end was told before the next one began.
    pub(crate) found: usize,
    /// Ends in the middle of an answer where it has no pause that is longer than the wait.
    pub(crate) false_ends: usize,
    /// Ends in such a pause: any detector would have told them.
    pub(crate) long_pauses: usize,
    /// From each answer's last sample until its end was told.
    pub(crate) delays: Vec<i64>,
}

impl Starts {
    pub(crate) fn add(&mut self, other: Self) {
        self.spans += other.spans;
        self.missed += other.missed;
        self.false_starts += other.false_starts;
        self.delays.extend(other.delays);
    }
}

impl Stops {
    pub(crate) fn add(&mut self, other: Self) {
        self.tails.extend(other.tails);
        self.delays.extend(other.delays);
    }
}

impl Ends {
    pub(crate) fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.found += other.found;
        self.false_ends += other.false_ends;
        self.long_pauses += other.long_pauses;
        self.delays.extend(other.delays);
    }
}

/// Holds what was told of speech against the spans of all answers.
pub(crate) fn starts(answers: &[Vec<Span>], speech: &[Speech]) -> Starts {
    let spans: Vec<Span> = answers.iter().flatten().copied().collect();
    let mut starts = Starts { spans: spans.len(), ..Starts::default() };
    for span in &spans {
        let is_over =
            |s: &&Speech| s.at < span.end && s.stopped.is_none_or(|end| end.at > span.start);
        match speech.iter().find(is_over) {
            None => starts.missed += 1,
            // It was on before: nobody waited for it.
            Some(speech) if speech.at + NEAR_MS < span.start => {}
            Some(speech) => starts.delays.push(after(span.start, speech.told)),
        }
    }
    let is_near =
        |s: &Speech, span: &Span| span.start <= s.at + NEAR_MS && s.at <= span.end + NEAR_MS;
    let is_false = |s: &&Speech| !spans.iter().any(|span| is_near(s, span));
    starts.false_starts = speech.iter().filter(is_false).count();
    starts
}

/// Holds the ends of voice that were told against those of the answers.
pub(crate) fn stops(answers: &[Vec<Span>], speech: &[Speech]) -> Stops {
    let mut stops = Stops::default();
    for (n, last) in answers.iter().enumerate().filter_map(|(n, a)| Some((n, a.last()?.end))) {
        let is_its = |s: &Stopped| s.at + FADE_MS >= last && s.at < next_start(answers, n);
        if let Some(stopped) = speech.iter().filter_map(|s| s.stopped).find(is_its) {
            stops.tails.push(after(last, stopped.at));
            stops.delays.push(after(last, stopped.told));
        }
    }
    stops
}

/// Holds the ends that a rule told against those of the answers.
pub(crate) fn ends(answers: &[Vec<Span>], told: &[End]) -> Ends {
    let mut ends = Ends { answers: answers.len(), ..Ends::default() };
    let mut found = vec![false; answers.len()];
    for end in told {
        let begun = |a: &Vec<Span>| a.first().is_some_and(|first| first.start <= end.stopped);
        let Some(n) = answers.iter().rposition(begun) else { continue };
        let last = answers[n].last().map_or(0, |span| span.end);
        if end.told < last || end.stopped + FADE_MS < last {
            match pause_at(&answers[n], *end) {
                Some(pause) if pause > end.wait => ends.long_pauses += 1,
                Some(_) | None => ends.false_ends += 1,
            }
        } else if !found[n] && end.told < next_start(answers, n) {
            found[n] = true;
            ends.found += 1;
            ends.delays.push(after(last, end.told));
        }
    }
    ends
}

/// The value that `percent` of all do not exceed; nothing of nothing.
pub(crate) fn percentile(values: &[i64], percent: usize) -> Option<i64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get((sorted.len() * percent).div_ceil(100).saturating_sub(1)).copied()
}

/// How long the pause is in which an end was told.
fn pause_at(answer: &[Span], end: End) -> Option<u64> {
    let pauses = answer.windows(2).map(|pair| (pair[0].end, pair[1].start));
    let is_in = |(from, to): &(u64, u64)| {
        end.stopped + FADE_MS >= *from && end.stopped <= *to && end.told >= *from
    };
    pauses.into_iter().find(is_in).map(|(from, to)| to - from)
}

fn next_start(answers: &[Vec<Span>], n: usize) -> u64 {
    answers.get(n + 1).and_then(|answer| answer.first()).map_or(u64::MAX, |span| span.start)
}

fn after(from: u64, to: u64) -> i64 {
    to as i64 - from as i64
}
