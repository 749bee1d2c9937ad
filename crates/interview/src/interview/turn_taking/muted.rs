//! A muted microphone: while it is the candidate's turn to speak and they are muted, silence and stage stand
//! still (T02, case 38).

use std::time::Duration;

use crate::time::SessionTime;

/// After so long nobody waits any more for a microphone to be switched on: silence goes on.
const MUTED_MAX: Duration = Duration::from_secs(120);

/// Whether the candidate's microphone is muted, and what stands still for it. All times are the interview's
/// own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Muted {
    /// When it was muted, if it is.
    since: Option<SessionTime>,
    /// Since when silence and stage stand still, if they do.
    still_since: Option<SessionTime>,
}

impl Muted {
    /// Whether the microphone is muted.
    pub(crate) fn is_muted(&self) -> bool {
        self.since.is_some()
    }

    /// It is muted.
    pub(crate) fn begin(&mut self, now: SessionTime) {
        self.since.get_or_insert(now);
    }

    /// It is not, or nobody knows.
    pub(crate) fn end(&mut self) {
        self.since = None;
    }

    /// Until when it is waited for.
    fn until(&self) -> Option<SessionTime> {
        self.since.map(|since| since + MUTED_MAX)
    }

    /// The end of the standstill, if silence and stage stand still.
    pub(crate) fn still_until(&self) -> Option<SessionTime> {
        self.still_since.and_then(|_| self.until())
    }

    /// Lets silence and stage stand still from now on, if the microphone is waited for.
    pub(crate) fn stand_still(&mut self, now: SessionTime) {
        let is_waited_for = self.until().is_some_and(|until| now < until);
        self.still_since = is_waited_for.then_some(now);
    }

    /// Ends the standstill. Gives its length, if there was one.
    pub(crate) fn go_on(&mut self, now: SessionTime) -> Duration {
        self.still_since.take().map_or(Duration::ZERO, |since| now.since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SessionTime {
        SessionTime::from_millis(seconds * 1_000)
    }

    /// Case 38: a muted microphone is waited for, for 2 minutes from when it was muted.
    #[test]
    fn a_muted_microphone_is_waited_for() {
        let mut muted = Muted::default();
        muted.stand_still(at(1));
        assert_eq!((muted.is_muted(), muted.still_until()), (false, None));
        muted.begin(at(10));
        assert_eq!(muted.still_until(), None, "it is not their turn yet");
        muted.stand_still(at(20));
        assert_eq!(muted.still_until(), Some(at(130)));
        muted.begin(at(25));
        assert_eq!(muted.go_on(at(50)), Duration::from_secs(30));
        assert_eq!(muted.go_on(at(60)), Duration::ZERO);
        muted.stand_still(at(130));
        assert_eq!((muted.is_muted(), muted.still_until()), (true, None), "that is too long");
        muted.end();
        muted.stand_still(at(131));
        assert_eq!((muted.is_muted(), muted.still_until()), (false, None));
    }
}
