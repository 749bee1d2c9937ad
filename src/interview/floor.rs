//! Who has the floor. Each variant holds exactly what is true in it.
//!
//! All times in here are the interview's own: session time less the stops (`Interview::own`), so that a cut
//! line shifts every deadline without touching one.

use std::{collections::BTreeMap, time::Duration};

use super::{
    event::{ReplyId, TurnId, Words},
    transition::Exit,
};
use crate::time::SessionTime;

#[derive(Clone, Debug)]
pub(super) enum Floor {
    /// Nobody speaks and we wait for the candidate.
    Open { since: SessionTime },
    /// The candidate is speaking.
    Candidate { turn: Turn },
    /// The candidate paused at `stopped`; the turn ends unless they go on.
    Pause { turn: Turn, stopped: SessionTime },
    /// We owe a reply that has made no sound yet, to `turn` or without one.
    Thinking { reply: Reply, turn: Option<Turn>, overlap: Said, since: SessionTime },
    /// We are heard. `overlap` is what they say meanwhile, `progress` when we last got on.
    Interviewer { reply: Reply, overlap: Said, progress: SessionTime },
    /// The candidate or the line is gone since `since`, given up at `until`; both in session time.
    Away { since: SessionTime, until: SessionTime, before: Box<Self> },
}

/// A turn of the candidate that has not been answered yet.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// Set at its first end; kept when it goes on.
    pub(super) id: Option<TurnId>,
    pub(super) said: Said,
    /// Its first word.
    pub(super) since: SessionTime,
    /// The silence that it broke, to be taken up again if it was only noise.
    pub(super) silent_since: SessionTime,
    /// How often it went on after we thought that it had ended.
    pub(super) restarts: u32,
    /// What the model thinks of it; counts only when the turn is committed.
    pub(super) depth: Option<u8>,
}

/// What was said, by segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    segments: BTreeMap<u32, String>,
    /// Up to when final transcripts are known, in session time.
    finals_to: SessionTime,
}

/// One thing that we say.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) id: ReplyId,
    pub(super) purpose: Purpose,
    /// What happens at its first sound.
    pub(super) exit: Option<Exit>,
    /// The words, if they came from a file and not from the model.
    pub(super) template: Option<String>,
    /// Words of its segments that were not heard to their end yet.
    pub(super) ready: BTreeMap<u16, String>,
    /// Its words that were heard.
    pub(super) heard: String,
    /// Whether one of its segments has a question in it.
    pub(super) asks: bool,
    /// Whether its question was heard.
    pub(super) asked: bool,
    /// Whether the model handed off when it was sounding already: we leave when it is finished.
    pub(super) leaves: bool,
    /// Whether it sounds in answer to a turn that the model may still assess.
    pub(super) assesses: bool,
    /// Since when something is owed, if it took the place of another reply that made no sound.
    pub(super) owed: Option<SessionTime>,
    /// The reply whose tool call led to this bridge: its other calls still count.
    pub(super) replaces: Option<ReplyId>,
}

/// What a reply is for, and so what its questions count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Its question counts.
    Ask,
    /// A rung of the silence ladder.
    Rung,
    /// The same question again after a stop.
    Return,
    /// Said over the candidate if need be (H04); its question counts.
    Insist,
    /// The last words.
    Farewell {
        /// Whether nobody may interrupt them.
        insists: bool,
    },
}

impl Turn {
    pub(super) fn new(since: SessionTime, silent_since: SessionTime) -> Self {
        Self { id: None, said: Said::default(), since, silent_since, restarts: 0, depth: None }
    }
}

/// A final transcript reaches the last voiced sample, give or take this.
const FINAL_SLACK: Duration = Duration::from_millis(300);

impl Said {
    pub(super) fn put(&mut self, words: &Words, is_final: bool) {
        self.segments.insert(words.segment, words.text.trim().to_owned());
        if is_final {
            self.finals_to = self.finals_to.max(words.to);
        }
    }

    /// Takes over what `earlier` had, where it has nothing newer itself.
    pub(super) fn prepend(&mut self, earlier: Self) {
        for (segment, text) in earlier.segments {
            self.segments.entry(segment).or_insert(text);
        }
        self.finals_to = self.finals_to.max(earlier.finals_to);
    }

    /// Takes over what `later` has.
    pub(super) fn append(&mut self, later: Self) {
        self.segments.extend(later.segments);
        self.finals_to = self.finals_to.max(later.finals_to);
    }

    pub(super) fn text(&self) -> String {
        let words: Vec<&str> =
            self.segments.values().map(String::as_str).filter(|text| !text.is_empty()).collect();
        words.join(" ")
    }

    pub(super) fn words(&self) -> usize {
        self.segments.values().map(|text| text.split_whitespace().count()).sum()
    }

    pub(super) fn has(&self, segment: u32) -> bool {
        self.segments.contains_key(&segment)
    }

    pub(super) fn segments(&self) -> &BTreeMap<u32, String> {
        &self.segments
    }

    /// Whether everything up to `stopped` (session time) has a final transcript.
    pub(super) fn is_final_up_to(&self, stopped: SessionTime) -> bool {
        self.finals_to + FINAL_SLACK >= stopped
    }
}

impl Floor {
    /// The reply that we owe or give, also behind a stop.
    pub(super) fn reply(&self) -> Option<&Reply> {
        match self {
            Self::Thinking { reply, .. } | Self::Interviewer { reply, .. } => Some(reply),
            Self::Away { before, .. } => before.reply(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => None,
        }
    }

    pub(super) fn reply_mut(&mut self) -> Option<&mut Reply> {
        match self {
            Self::Thinking { reply, .. } | Self::Interviewer { reply, .. } => Some(reply),
            Self::Away { before, .. } => before.reply_mut(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => None,
        }
    }

    /// The turn that nobody has answered yet, if no stop hides it.
    pub(super) fn turn(&self) -> Option<&Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn.as_ref(),
            Self::Open { .. } | Self::Interviewer { .. } | Self::Away { .. } => None,
        }
    }

    /// The turn that nobody has answered yet, also behind a stop.
    pub(super) fn into_turn(self) -> Option<Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn,
            Self::Away { before, .. } => before.into_turn(),
            Self::Open { .. } | Self::Interviewer { .. } => None,
        }
    }

    /// What the candidate said that nobody has answered yet: their turn, or `words_min` words over us.
    pub(super) fn into_unanswered(self, words_min: usize, now: SessionTime) -> Option<Turn> {
        match self {
            Self::Interviewer { overlap, .. } | Self::Thinking { turn: None, overlap, .. } => {
                let is_turn = overlap.words() >= words_min;
                is_turn.then(|| Turn { said: overlap, ..Turn::new(now, now) })
            }
            Self::Thinking { turn: Some(mut turn), overlap, .. } => {
                turn.said.append(overlap);
                Some(turn)
            }
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Away { before, .. } => before.into_unanswered(words_min, now),
            Self::Open { .. } => None,
        }
    }

    /// What is behind a stop, and the stop.
    pub(super) fn split_away(self) -> (Self, Option<(SessionTime, SessionTime)>) {
        match self {
            Self::Away { since, until, before } => (*before, Some((since, until))),
            Self::Open { .. }
            | Self::Candidate { .. }
            | Self::Pause { .. }
            | Self::Thinking { .. }
            | Self::Interviewer { .. } => (self, None),
        }
    }

    /// The reverse of [`Self::split_away`].
    pub(super) fn behind(self, stop: Option<(SessionTime, SessionTime)>) -> Self {
        match stop {
            Some((since, until)) => Self::Away { since, until, before: Box::new(self) },
            None => self,
        }
    }

    /// Whether the candidate speaks or has just paused.
    pub(super) fn is_candidates(&self) -> bool {
        match self {
            Self::Candidate { .. } | Self::Pause { .. } => true,
            Self::Open { .. }
            | Self::Thinking { .. }
            | Self::Interviewer { .. }
            | Self::Away { .. } => false,
        }
    }
}

impl Reply {
    pub(super) fn new(id: ReplyId, purpose: Purpose) -> Self {
        Self {
            id,
            purpose,
            exit: None,
            template: None,
            ready: BTreeMap::new(),
            heard: String::new(),
            asks: false,
            asked: false,
            leaves: false,
            assesses: false,
            owed: None,
            replaces: None,
        }
    }

    /// Whether words of the candidate stop it.
    pub(super) fn is_interruptible(&self) -> bool {
        match self.purpose {
            Purpose::Ask | Purpose::Rung | Purpose::Return => true,
            Purpose::Insist => false,
            Purpose::Farewell { insists } => !insists,
        }
    }
}
