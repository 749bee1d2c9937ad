//! Whether an agent that was called has to be called again: decided from what the server shows, so that all
//! who watch a room decide alike and do not have to know of each other.

use std::time::{Duration, Instant};

/// After so many calls in vain the next ones come more slowly, by one patience each time.
const CALLS_A_STEP: u32 = 3;
/// So many patiences pass at most between two calls: whoever waits is not forgotten.
const STEPS_MAX: u32 = 3;

/// What the server shows of a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// Whether whoever waits for the agent is there, or nobody has to be.
    pub(super) is_waited_for: bool,
    /// Whether an agent is there. One that died stays for about 21 s.
    pub(super) has_agent: bool,
    /// The calls of the agent that stand: their ids, and how many workers took each.
    pub(super) calls: Vec<(String, usize)>,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing: whoever waits for the agent is not there.
    Empty,
    /// Nothing yet: an agent is there, or may be on its way.
    Waits,
    /// The call that stands was not answered: another one takes its place.
    Again,
}

/// How long the call that stands has been standing, as one who watches has seen it.
#[derive(Debug)]
pub(super) struct Patience {
    step: Duration,
    since: Instant,
    /// The calls of the last look; nothing before the first one.
    seen: Option<Vec<(String, usize)>>,
    /// The calls that stood last.
    known: Vec<String>,
    /// Calls that were seen to be replaced, by whomever.
    replaced: u32,
}

impl Patience {
    /// For a call that was made just now.
    pub(super) fn new(step: Duration, now: Instant) -> Self {
        Self { step, since: now, seen: None, known: Vec::new(), replaced: 0 }
    }

    /// Decides. A call that was made or taken since the last look is given its time, whoever made it.
    pub(super) fn decide(&mut self, shown: &Shown, now: Instant) -> Verdict {
        // At the first look nobody knows how old a call is: it counts from the beginning of the watch.
        if self.seen.as_ref().is_some_and(|seen| *seen != shown.calls) {
            self.since = now;
        }
        self.seen = Some(shown.calls.clone());
        let stand: Vec<_> = shown.calls.iter().map(|(id, _)| id.clone()).collect();
        if !stand.is_empty() {
            let is_other =
                !self.known.is_empty() && !self.known.iter().any(|id| stand.contains(id));
            self.replaced += u32::from(is_other);
            self.known = stand;
        }
        if !shown.is_waited_for {
            return Verdict::Empty;
        }
        if shown.has_agent {
            self.since = now;
        }
        match now < self.until() {
            true => Verdict::Waits,
            false => Verdict::Again,
        }
    }

    /// Until when the call that stands may be answered.
    pub(super) fn until(&self) -> Instant {
        let steps = (1 + self.replaced / CALLS_A_STEP).min(STEPS_MAX);
        self.since + self.step * steps
    }

    /// Whether a call was not answered, as far as is known.
    pub(super) fn is_unanswered(&self) -> bool {
        self.replaced > 0
    }

    /// We have called, or somebody else is about to.
    pub(super) fn called(&mut self, now: Instant) {
        self.since = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    const STEP: Duration = Duration::from_secs(10);

    /// What is shown: `calls` as `id` or `id*`, which a worker took.
    fn shown(is_waited_for: bool, has_agent: bool, calls: &[&str]) -> Shown {
        let call =
            |call: &&str| (call.trim_end_matches('*').to_owned(), usize::from(call.ends_with('*')));
        Shown { is_waited_for, has_agent, calls: calls.iter().map(call).collect() }
    }

    type Look = (u64, Shown, Verdict);

    /// Seconds since the beginning of a watch, what the server shows then, and what follows.
    fn cases() -> [(&'static str, Vec<Look>); 9] {
        use Verdict::{Again, Empty, Waits};
        let waits = |calls: &[&str]| shown(true, false, calls);
        [
            ("nobody takes it", vec![(5, waits(&["a"]), Waits), (10, waits(&["a"]), Again)]),
            (
                "it is lost, as when its server was started anew",
                vec![(5, waits(&[]), Waits), (10, waits(&[]), Again)],
            ),
            (
                "another watcher has replaced it",
                vec![
                    (9, waits(&["a"]), Waits),
                    (10, waits(&["b"]), Waits),
                    (19, waits(&["b"]), Waits),
                    (20, waits(&["b"]), Again),
                ],
            ),
            (
                "another watcher has died between taking it back and calling",
                vec![(9, waits(&["a"]), Waits), (10, waits(&[]), Waits), (20, waits(&[]), Again)],
            ),
            (
                "a third one calls in its place",
                vec![
                    (9, waits(&["a"]), Waits),
                    (10, waits(&[]), Waits),
                    (19, waits(&["b"]), Waits),
                    (28, waits(&["b"]), Waits),
                    (29, waits(&["b"]), Again),
                ],
            ),
            (
                "a worker takes it late, and joins",
                vec![
                    (9, waits(&["a"]), Waits),
                    (11, waits(&["a*"]), Waits),
                    (14, shown(true, true, &["a*"]), Waits),
                    (600, shown(true, true, &["a*"]), Waits),
                ],
            ),
            (
                "a worker takes it and never comes",
                vec![
                    (1, waits(&["a"]), Waits),
                    (2, waits(&["a*"]), Waits),
                    (12, waits(&["a*"]), Again),
                ],
            ),
            (
                "an agent dies in the room",
                vec![
                    (30, shown(true, true, &["a*"]), Waits),
                    (39, waits(&["a*"]), Waits),
                    (40, waits(&["a*"]), Again),
                ],
            ),
            (
                "whoever waits goes, and comes back",
                vec![
                    (20, shown(false, false, &["a"]), Empty),
                    (30, shown(false, true, &["a"]), Empty),
                    (31, waits(&["a"]), Again),
                ],
            ),
        ]
    }

    /// W09: a call that nobody answers is made again, and one that somebody else has made is given its time.
    #[test]
    fn a_call_that_nobody_takes_is_replaced() {
        for (case, looks) in cases() {
            let began = clock::instant();
            let mut patience = Patience::new(STEP, began);
            for (second, shown, expected) in looks {
                let now = began + Duration::from_secs(second);
                assert_eq!(patience.decide(&shown, now), expected, "{case}, at {second} s");
            }
        }
    }

    /// W09: of those who watch one room, however they began, one calls in each round, and the rounds become
    /// slower, never slower than a limit.
    #[test]
    fn those_who_watch_do_not_all_call() {
        let began = clock::instant();
        let second = |n: u64| began + Duration::from_secs(n);
        let mut watchers: Vec<_> = [0, 3, 7].map(|n| (n, Patience::new(STEP, second(n)))).into();
        let (mut standing, mut calls) = (0, Vec::new());
        for now in 0..400 {
            for (from, patience) in watchers.iter_mut().filter(|(from, _)| *from <= now) {
                let shown = shown(true, false, &[&standing.to_string()]);
                if patience.decide(&shown, second(now)) == Verdict::Again {
                    assert!(patience.is_unanswered() || standing == 0, "{from}");
                    standing += 1;
                    calls.push(now);
                    patience.called(second(now));
                }
            }
        }
        let waits: Vec<_> = calls.windows(2).map(|two| two[1] - two[0]).collect();
        // Who looks before the one that calls sees it a second later.
        assert!(waits.iter().all(|wait| (10..=31).contains(wait)), "{calls:?}");
        assert!(waits.first() <= Some(&11) && waits.last() >= Some(&30), "{calls:?}");
    }
}
