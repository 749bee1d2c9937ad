//! The keys of a phone, for a candidate who calls in through LiveKit's SIP.

use std::time::{Duration, Instant};

use crate::interview::Request;

/// To end is to press the key twice within this time: once may be a slip.
const TWICE_WITHIN: Duration = Duration::from_secs(3);

/// A candidate's phone, in place of their browser.
#[derive(Debug, Default)]
pub(super) struct Phone {
    /// The identity that their link gave them, while they are on the phone instead.
    pub(super) linked: Option<String>,
    pub(super) keys: Keys,
}

/// What keys were pressed before.
#[derive(Debug, Default)]
pub(super) struct Keys {
    ending_since: Option<Instant>,
    pressed: u64,
}

impl Keys {
    /// What a key asks for: 1 the question again, 2 in other words, 3 more time, 4 the next question, 9 twice
    /// the end. Gives an id, too, as other requests have one.
    pub(super) fn pressed(&mut self, now: Instant, key: char) -> Option<(String, Request)> {
        let ending_since = self.ending_since.take();
        let request = match key {
            '1' => Request::Repeat,
            '2' => Request::Rephrase,
            '3' => Request::MoreTime,
            '4' => Request::Skip,
            '9' if ending_since.is_some_and(|since| now - since <= TWICE_WITHIN) => Request::End,
            '9' => {
                self.ending_since = Some(now);
                return None;
            }
            _ => return None,
        };
        self.pressed += 1;
        Some((format!("key-{}", self.pressed), request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    /// One slip ends no interview, and what was pressed long ago or before another key is forgotten.
    #[test]
    fn only_twice_ends() {
        let (mut keys, now) = (Keys::default(), clock::instant());
        let after = |seconds: u64| now + Duration::from_secs(seconds);
        let mut at = |seconds, key| keys.pressed(after(seconds), key).map(|(_, request)| request);
        assert_eq!(at(0, '1'), Some(Request::Repeat));
        assert_eq!(at(1, '9'), None);
        assert_eq!(at(5, '9'), None, "too late for the first one");
        assert_eq!(at(6, '3'), Some(Request::MoreTime));
        assert_eq!(at(7, '9'), None, "another key was between");
        assert_eq!(at(8, '#'), None);
        assert_eq!(at(9, '9'), None);
        assert_eq!(at(10, '9'), Some(Request::End));
        assert_eq!(at(11, '9'), None, "it begins anew");
        let ids = ['1', '2', '4'].map(|key| keys.pressed(after(20), key).unwrap().0);
        assert!(ids[0] != ids[1] && ids[1] != ids[2], "{ids:?}");
    }
}
