//! Echo: words of the interviewer that come back through the candidate's loudspeaker (case 25).
//!
//! An echo begins while we speak, ends soon after, and has our words in our order. An answer begins when we
//! are silent, so it may repeat the words of the question; and a candidate who speaks over us says two words
//! of their own before long.

use std::{collections::VecDeque, time::Duration};

use crate::interview::{
    ids::ReplyId,
    understanding::words::{normal, split},
};
use crate::time::SessionTime;

/// The longest delay of an echo behind our sound, and that of an echo of one or two words.
const TAIL: Duration = Duration::from_secs(1);
const SHORT_TAIL: Duration = Duration::from_millis(500);
/// The error of a recogniser in the begin of words.
const FROM_SLACK: Duration = Duration::from_millis(300);
/// Fewer words may be a short answer: when they end in silence they are an echo only if they are our last
/// words.
const WORDS_MIN: usize = 3;
/// The number of last words that are compared: two words of the candidate's own after a long echo are enough.
const LAST_WORDS: usize = 8;
/// The share of them that must be ours, in the same order and with few others between.
const OURS_PERCENT: usize = 80;
const BETWEEN_MAX: usize = 2;
/// The time after an echo in which a voice over us is taken for another one.
const ECHOES_FOR: Duration = Duration::from_secs(60);
/// A run of this many equal words is no coincidence.
const ECHO_WORDS_MIN: usize = 2;
/// The number of our segments that are kept.
const HEARD_MAX: usize = 16;

/// Our own sound of the last seconds. Times are the interview's own, unless a doc says otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ours {
    heard: VecDeque<Heard>,
    /// The begin of the segment that sounds, or sounded last.
    began: SessionTime,
    /// The time of the last echo, in session time.
    echoed: Option<SessionTime>,
}

/// A segment that was played.
#[derive(Clone, Debug)]
struct Heard {
    reply: ReplyId,
    from: SessionTime,
    to: SessionTime,
    text: String,
}

/// The segment that sounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sounding<'a> {
    /// The words of the segment.
    pub(crate) text: &'a str,
    /// The time up to which it has sounded.
    pub(crate) until: SessionTime,
}

/// Words of a recogniser, in the interview's own time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoken<'a> {
    pub(crate) text: &'a str,
    pub(crate) from: SessionTime,
    pub(crate) to: SessionTime,
    pub(crate) is_final: bool,
}

impl Ours {
    /// Notes the begin of a segment of ours.
    pub(crate) fn begin(&mut self, at: SessionTime) {
        self.began = at;
    }

    /// Notes a segment of a reply that was played to its end, or cut off, at `at`.
    pub(crate) fn heard(&mut self, reply: ReplyId, at: SessionTime, text: &str) {
        if self.heard.len() == HEARD_MAX {
            self.heard.pop_front();
        }
        self.heard.push_back(Heard { reply, from: self.began, to: at, text: text.to_owned() });
        self.began = at;
    }

    /// Shortens the reply's last segment, which was cut off, to the words that were heard.
    pub(crate) fn cut(&mut self, reply: ReplyId, heard: &str) {
        if let Some(last) = self.heard.iter_mut().rev().find(|it| it.reply == reply)
            && last.text.starts_with(heard)
        {
            last.text.truncate(heard.len());
        }
    }

    /// Whether these words are an echo.
    pub(crate) fn is_echo(&self, words: Spoken<'_>, sounding: Option<Sounding<'_>>) -> bool {
        let sounds = sounding.map(|it| (self.began, it.until, it.text));
        let heard = self.heard.iter().map(|it| (it.from, it.to, it.text.as_str()));
        // An echo cannot come before our words, nor long after them.
        let may_be = |(from, to, _): &(SessionTime, SessionTime, &str)| {
            *from <= words.to && *to + TAIL >= words.from
        };
        let ours: Vec<_> = heard.chain(sounds).filter(may_be).collect();
        let began = ours.iter().map(|(from, ..)| *from).min();
        let ended = ours.iter().map(|(_, to, _)| *to).max();
        let (Some(began), Some(ended)) = (began, ended) else { return false };
        if words.from > ended || words.from + FROM_SLACK < began {
            return false;
        }
        let theirs = normal(words.text);
        let theirs = split(&theirs);
        let is_short = theirs.len() < WORDS_MIN;
        if words.to > ended + if is_short { SHORT_TAIL } else { TAIL } {
            return false;
        }
        let ours: Vec<&str> = ours.into_iter().map(|(.., text)| text).collect();
        let ours = normal(&ours.join(" "));
        let ours = split(&ours);
        // Half of the words may be ours by chance; later words will show.
        if is_short && words.is_final && sounding.is_none() && words.to > ended {
            return !theirs.is_empty() && ours.ends_with(&theirs);
        }
        says(&ours, &theirs[theirs.len().saturating_sub(LAST_WORDS)..])
    }

    /// Notes an echo of this many words at `at`, in session time.
    pub(crate) fn echoed(&mut self, at: SessionTime, words: usize) {
        if words >= ECHO_WORDS_MIN {
            self.echoed = Some(at);
        }
    }

    /// Whether a voice over us at `at`, in session time, is probably an echo.
    pub(crate) fn is_echoing(&self, at: SessionTime) -> bool {
        self.echoed.is_some_and(|echoed| at <= echoed + ECHOES_FOR)
    }
}

/// Whether a stretch of `ours` has most words of `theirs` in their order.
fn says(ours: &[&str], theirs: &[&str]) -> bool {
    let stretch = (theirs.len() + BETWEEN_MAX).min(ours.len());
    stretch > 0
        && !theirs.is_empty()
        && ours
            .windows(stretch)
            .any(|ours| in_order(ours, theirs) * 100 >= theirs.len() * OURS_PERCENT)
}

/// How many words of `theirs` are in `ours`, in the same order: the longest common subsequence.
fn in_order(ours: &[&str], theirs: &[&str]) -> usize {
    let mut best = vec![0; theirs.len() + 1];
    for our in ours {
        let mut before = 0;
        for (place, their) in theirs.iter().enumerate() {
            let found = if our == their { before + 1 } else { 0 };
            before = best[place + 1];
            best[place + 1] = before.max(best[place]).max(found);
        }
    }
    best[theirs.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "Thank you for that. What are you especially good at in your team?";

    fn at(ms: u64) -> SessionTime {
        SessionTime::from_millis(ms)
    }

    /// Case 25: what comes back of us is an echo even if some of it is misheard; what has two words of its
    /// own is none.
    #[test]
    fn our_words_in_our_order() {
        let ours = Ours::default();
        let sounding = Some(Sounding { text: OURS, until: at(5_000) });
        for (text, is_echo) in [
            ("thank you for that", true),
            ("Thank you for that, what are you", true),
            ("thank you for bat what are you", true),
            ("what are you especially good at in your team", true),
            ("good", true),
            ("good at what", false),
            ("are you kidding", false),
            ("wait", false),
            ("thank you for that wait please", false),
            ("thank you for that what are you especially good no wait", false),
            ("that thank for you", false),
            ("thank you team", false),
            ("", false),
            ("?", false),
        ] {
            let words = Spoken { text, from: at(3_000), to: at(5_000), is_final: true };
            assert_eq!(ours.is_echo(words, sounding), is_echo, "{text}");
        }
    }

    /// Case 25: what begins in silence is theirs, whatever it says; so are a word or two over our last ones
    /// that are not those.
    #[test]
    fn an_answer_begins_in_silence() {
        let mut ours = Ours::default();
        ours.begin(at(2_000));
        ours.heard(ReplyId(1), at(5_000), OURS);
        for (text, from, to, is_echo) in [
            ("especially good at in your team", 3_000, 5_400, true),
            ("especially good at in your team", 3_000, 6_100, false),
            ("especially good at in your team", 5_100, 5_900, false),
            // We say what they have just said, and their words come late.
            ("in your team", 1_200, 1_600, false),
            ("especially good", 4_000, 4_900, true),
            ("your team", 4_800, 5_200, true),
            ("your team", 4_800, 5_600, false),
            ("team", 4_900, 5_200, true),
            ("team", 5_001, 5_200, false),
            ("good", 4_900, 5_200, false),
        ] {
            let words = Spoken { text, from: at(from), to: at(to), is_final: true };
            assert_eq!(ours.is_echo(words, None), is_echo, "{text} {from} {to}");
            let half = Spoken { is_final: false, ..words };
            assert!(!is_echo || ours.is_echo(half, None), "half of {text} {from} {to}");
        }
        let late = Spoken { text: "your team", from: at(4_800), to: at(5_200), is_final: true };
        ours.cut(ReplyId(2), "");
        assert!(ours.is_echo(late, None), "forgotten with a reply of which nothing was heard");
        ours.cut(ReplyId(1), "Thank you for that.");
        assert!(!ours.is_echo(late, None), "never heard");
        ours.begin(at(6_500));
        ours.heard(ReplyId(3), at(7_500), "And then?");
        let text = "especially good at in your team";
        let late = Spoken { text, from: at(6_600), to: at(7_500), is_final: true };
        assert!(!ours.is_echo(late, None), "said too long ago");
    }

    /// Case 25: what is remembered is bounded, and a voice counts again a minute after the last echo.
    #[test]
    fn echoes_are_forgotten() {
        let mut ours = Ours::default();
        for n in 0..100 {
            ours.heard(ReplyId(n as u32), at(n), "one more");
        }
        assert_eq!(ours.heard.len(), HEARD_MAX);
        ours.echoed(at(1_000), 1);
        assert!(!ours.is_echoing(at(1_000)));
        ours.echoed(at(1_000), 2);
        assert!(ours.is_echoing(at(61_000)) && !ours.is_echoing(at(61_001)));
    }
}
