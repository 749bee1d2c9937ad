//! Who has the floor. Each variant holds exactly what is true in it.
//!
//! All times in here are the interview's own: session time less the stops (`Interview::own`), so that a cut
//! line shifts every deadline without touching one.

use std::{collections::BTreeMap, sync::OnceLock, time::Duration};

use crate::interview::{
    effect::Say,
    exit::Exit,
    ids::{ReplyId, TurnId},
    model::judgement::{AnswerKind, Judgement},
    note::{Priority, Settled},
    transcript::Words,
    turn_taking::{coverage::Sound, echo::Sounding, endpointing::Wholeness},
    understanding::{cue::Cue, unfinished::is_unfinished, words::joined},
};
use crate::time::SessionTime;

/// A voice without words stops our sound for so long at most, and until so long after it ended (T04): as soon
/// as it is known that it has, so that they hear us within 300 ms of it (Q06).
const HELD_MAX: Duration = Duration::from_secs(2);
const RESUME_AFTER: Duration = Duration::from_millis(200);
/// A model's reply that has made no sound by then is replaced.
pub(crate) const REPLY_STALL: Duration = Duration::from_secs(3);
/// A reply that was heard and does not go on for so long is given up.
pub(crate) const PLAYOUT_STALL: Duration = Duration::from_secs(20);

#[expect(clippy::large_enum_variant, reason = "an interview has one")]
#[derive(Clone, Debug)]
pub(crate) enum Floor {
    /// Nobody speaks and we wait for the candidate.
    Open { since: SessionTime },
    /// The candidate is speaking.
    Candidate { turn: Turn },
    /// The candidate paused at `stopped`; the turn ends unless they go on.
    Pause { turn: Turn, stopped: SessionTime },
    /// We owe a reply that has made no sound yet, to `turn` or without one.
    Thinking { reply: Reply, turn: Option<Turn>, overlap: Said, since: SessionTime },
    /// We are heard. `overlap` is what they say meanwhile, `progress` when we last got on, `held` by which
    /// voice our sound is stopped.
    Interviewer { reply: Reply, overlap: Said, progress: SessionTime, held: Option<Held> },
    /// The candidate or the line is gone since `since`, given up at `until`; both in session time.
    Away { since: SessionTime, until: SessionTime, before: Box<Self> },
}

/// A turn of the candidate that has not been answered yet.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Set at its first end; kept when it goes on.
    pub(crate) id: Option<TurnId>,
    pub(crate) said: Said,
    /// Its first word.
    pub(crate) since: SessionTime,
    /// Up to when its words go.
    pub(crate) to: SessionTime,
    /// The silence that it broke, to be taken up again if it was only noise.
    pub(crate) silent_since: SessionTime,
    /// How often it went on after we thought that it had ended.
    pub(crate) restarts: u32,
    /// Whether we wait longer for its end than a pause: the model said so, or it stopped in a sentence.
    pub(crate) waited: bool,
    /// Whether they were told to take their time.
    pub(crate) prompted: bool,
    /// What its words say by themselves, since its last end.
    pub(crate) cue: Option<Cue>,
    /// Whether they are in another language than ours.
    pub(crate) foreign: bool,
    /// What the model made of it; counts only when the turn is committed.
    pub(crate) draft: Draft,
}

/// What the model's calls would change, if the turn that they are about is committed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) depth: Option<u8>,
    pub(crate) kind: Option<AnswerKind>,
    pub(crate) key_points: Vec<String>,
    pub(crate) fields: BTreeMap<String, Settled>,
    pub(crate) todos: Vec<Later>,
    /// A field whose value is read back to the candidate (case 28).
    pub(crate) read_back: Option<String>,
    pub(crate) judgement: Option<Judgement>,
}

/// Something that somebody else should find out.
#[derive(Clone, Debug)]
pub(crate) struct Later {
    pub(crate) text: String,
    pub(crate) priority: Priority,
    pub(crate) field: Option<String>,
}

/// What was said, by segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    segments: BTreeMap<u32, String>,
    /// What they typed.
    typed: Vec<String>,
    /// How many words that is.
    words: usize,
    /// Of its last words.
    end: End,
    /// How whole it seems, if it does not; looked at when a pause has to be measured.
    wholeness: OnceLock<Wholeness>,
    /// Up to when final transcripts are known, in session time.
    finals_to: SessionTime,
    pub(crate) sound: Sound,
}

/// How what was said ends.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    /// Whether that is the middle of a sentence, and how sure the recogniser is of it.
    unfinished: bool,
    confidence: Option<f32>,
    /// Whether the turn ends there, where the recogniser can tell.
    ends_turn: Option<bool>,
}

/// One thing that we say.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) id: ReplyId,
    pub(crate) purpose: Purpose,
    /// What happens at its first sound.
    pub(crate) exit: Option<Exit>,
    /// What it says.
    pub(crate) say: Say,
    /// Words of its segments that were not heard to their end yet.
    pub(crate) ready: BTreeMap<u16, String>,
    /// Its words that were heard.
    pub(crate) heard: String,
    /// How far its question is.
    pub(crate) asking: Asking,
    /// How often a voice without words stopped its sound.
    pub(crate) dips: u32,
    /// How often one kept it from its first sound, and it was ordered again.
    pub(crate) lapses: u32,
    /// Whether the model handed off when it was sounding already: we leave when it is finished.
    pub(crate) leaves: bool,
    /// The committed turn that it answers, which the model may still say something about.
    pub(crate) answers: Option<TurnId>,
    /// What the model says about that turn now.
    pub(crate) late: Draft,
    /// A field, and the value that is said back when it is finished (case 28).
    pub(crate) reads_back: Option<(String, String)>,
    /// The thread that its question follows, where all else is known (X03).
    pub(crate) thread: Option<String>,
    /// Whether nothing of it is heard after what was let out.
    pub(crate) sealed: bool,
    /// Whether nothing more is made of it: it is replaced when what is there was heard.
    pub(crate) broken: bool,
    /// Since when something is owed, if it took the place of another reply that made no sound.
    pub(crate) owed: Option<SessionTime>,
    /// The reply whose tool call led to this bridge: its other calls still count.
    pub(crate) replaces: Option<ReplyId>,
}

/// How far the question of a reply is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asking {
    /// There is none.
    Nothing,
    /// The model has called for one; its words are on their way.
    Called,
    /// One of its segments has it.
    Written,
    /// It was heard.
    Heard,
}

/// What a reply is for, and so what its questions count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its question counts.
    Ask,
    /// A rung of the silence ladder.
    Rung,
    /// The same question again after a stop.
    Return,
    /// The same question again, or what has to be said before it: an answer to theirs, say. The turn that it
    /// answers is no answer.
    Again,
    /// All is known: leave, or follow a thread (X03). Its question counts.
    Check,
    /// Patience: whatever they say next goes on with what they said (T03).
    Hold,
    /// The same in the middle of a sentence that stopped at `stopped` (T04).
    Soft {
        /// The last voice, in the interview's own time.
        stopped: SessionTime,
    },
    /// A question to be answered with yes or no: do they want to end the interview?
    ConfirmStop,
    /// Said over the candidate if need be (H04); its question counts.
    Insist,
    /// The last words.
    Farewell {
        /// Whether nobody may interrupt them.
        insists: bool,
    },
}

/// A voice over ours of which nobody knows yet whether it has words (T04).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// When our sound stopped for it.
    pub(crate) since: SessionTime,
    /// When it ended, if it has.
    pub(crate) quiet: Option<SessionTime>,
}

impl Held {
    /// Our sound goes on then, if no words come.
    pub(crate) fn until(self) -> SessionTime {
        let latest = self.since + HELD_MAX;
        self.quiet.map_or(latest, |quiet| latest.min(quiet + RESUME_AFTER))
    }
}

impl Turn {
    pub(crate) fn new(since: SessionTime, silent_since: SessionTime) -> Self {
        Self {
            id: None,
            said: Said::default(),
            since,
            to: since,
            silent_since,
            restarts: 0,
            waited: false,
            prompted: false,
            cue: None,
            foreign: false,
            draft: Draft::default(),
        }
    }

    /// Whether it says nothing about what was asked.
    pub(crate) fn leaves_open(&self) -> bool {
        self.cue.is_some_and(Cue::leaves_open)
    }
}

/// What the model says at once: half a minute of talk.
const WORDS_MAX: usize = 90;

/// A final transcript reaches the last voiced sample, give or take this.
const FINAL_SLACK: Duration = Duration::from_millis(300);

/// A recogniser that is less sure than that may have made up the end of a sentence.
const CONFIDENCE_MIN: f32 = 0.6;

/// How words end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As a sentence may.
    Whole,
    /// In the middle of one.
    InSentence,
    /// In the middle of one, if the recogniser is right.
    Perhaps,
}

/// The last words of a text: how it ends shows in them.
fn tail(text: &str) -> &str {
    const WORDS: usize = 10;
    let start = text.rmatch_indices(' ').nth(WORDS).map_or(0, |(at, _)| at + 1);
    &text[start..]
}

fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

impl Said {
    pub(crate) fn put(&mut self, words: &Words, is_final: bool) {
        self.sound.put(words);
        let text = words.text.trim().to_owned();
        // How a sentence ends is known when it has: half of one always seems unfinished.
        let last = self.segments.keys().next_back();
        if is_final && last.is_none_or(|last| *last <= words.segment) {
            let (confidence, ends_turn) = (words.confidence, words.ends_turn);
            self.end = End { unfinished: is_unfinished(tail(&text)), confidence, ends_turn };
        } else if last.is_some_and(|last| *last < words.segment) {
            self.end.ends_turn = None;
        }
        self.words += count(&text);
        self.words -= self.segments.insert(words.segment, text).map_or(0, |before| count(&before));
        self.wholeness = OnceLock::new();
        if is_final {
            self.finals_to = self.finals_to.max(words.to);
        }
    }

    /// Nobody said that.
    pub(crate) fn forget(&mut self, segment: u32) {
        self.sound.forget(segment);
        let is_last = self.segments.keys().next_back() == Some(&segment);
        if self.segments.remove(&segment).is_some() {
            if is_last {
                (self.end.unfinished, self.end.ends_turn) = (false, None);
            }
            self.recount();
        }
    }

    /// `writes_marks` is whether the recogniser does.
    pub(crate) fn wholeness(&self, writes_marks: bool) -> Wholeness {
        let whole = || Wholeness::of(&self.text(), writes_marks, self.end.ends_turn);
        *self.wholeness.get_or_init(whole)
    }

    /// What was typed needs no end of voice.
    pub(crate) fn type_in(&mut self, text: &str) {
        self.words += count(text);
        self.typed.push(text.trim().to_owned());
        self.end.unfinished = false;
        self.wholeness = OnceLock::new();
    }

    /// Takes over what `earlier` had, where it has nothing newer itself.
    pub(crate) fn prepend(&mut self, earlier: Self) {
        if self.words() == 0 {
            self.end = earlier.end;
        }
        for (segment, text) in earlier.segments {
            self.segments.entry(segment).or_insert(text);
        }
        self.typed.splice(0..0, earlier.typed);
        self.sound.prepend(earlier.sound);
        self.recount();
        self.finals_to = self.finals_to.max(earlier.finals_to);
    }

    /// Takes over what `later` has.
    pub(crate) fn append(&mut self, later: Self) {
        if later.words() > 0 {
            self.end = later.end;
        }
        self.segments.extend(later.segments);
        self.sound.append(later.sound);
        self.typed.extend(later.typed);
        self.recount();
        self.finals_to = self.finals_to.max(later.finals_to);
    }

    pub(crate) fn text(&self) -> String {
        joined(&self.segments, &self.typed)
    }

    pub(crate) fn words(&self) -> usize {
        self.words
    }

    fn recount(&mut self) {
        let texts = self.segments.values().chain(&self.typed);
        self.words = texts.map(|text| count(text)).sum();
        self.wholeness = OnceLock::new();
    }

    /// How a pause after it is to be taken (T04).
    pub(crate) fn ending(&self) -> Ending {
        match (self.end.unfinished, self.end.confidence) {
            (false, _) => Ending::Whole,
            (true, Some(confidence)) if confidence >= CONFIDENCE_MIN => Ending::InSentence,
            (true, _) => Ending::Perhaps,
        }
    }

    /// Whether the recogniser may have misheard it.
    pub(crate) fn is_unsure(&self) -> bool {
        self.end.confidence.is_some_and(|confidence| confidence < CONFIDENCE_MIN)
    }

    pub(crate) fn is_typed(&self) -> bool {
        !self.typed.is_empty()
    }

    pub(crate) fn typed(&self) -> &[String] {
        &self.typed
    }

    pub(crate) fn has(&self, segment: u32) -> bool {
        self.segments.contains_key(&segment)
    }

    pub(crate) fn segments(&self) -> &BTreeMap<u32, String> {
        &self.segments
    }

    /// Whether everything up to `stopped` (session time) has a final transcript.
    pub(crate) fn is_final_up_to(&self, stopped: SessionTime) -> bool {
        self.finals_to + FINAL_SLACK >= stopped
    }
}

impl Floor {
    /// The reply that we owe or give, also behind a stop.
    pub(crate) fn reply(&self) -> Option<&Reply> {
        match self {
            Self::Thinking { reply, .. } | Self::Interviewer { reply, .. } => Some(reply),
            Self::Away { before, .. } => before.reply(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => None,
        }
    }

    pub(crate) fn reply_mut(&mut self) -> Option<&mut Reply> {
        match self {
            Self::Thinking { reply, .. } | Self::Interviewer { reply, .. } => Some(reply),
            Self::Away { before, .. } => before.reply_mut(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => None,
        }
    }

    /// What of us is heard up to `now`, if anything is.
    pub(crate) fn sounding(&self, now: SessionTime) -> Option<Sounding<'_>> {
        match self {
            Self::Interviewer { reply, held, .. } => {
                let text = reply.ready.values().next().map_or("", String::as_str);
                Some(Sounding { text, until: held.map_or(now, |held| held.since) })
            }
            Self::Away { before, .. } => before.sounding(now),
            Self::Open { .. }
            | Self::Candidate { .. }
            | Self::Pause { .. }
            | Self::Thinking { .. } => None,
        }
    }

    /// Nobody said that. What an ended turn says stays.
    pub(crate) fn forget(&mut self, segment: u32) {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => turn.said.forget(segment),
            Self::Thinking { overlap, .. } | Self::Interviewer { overlap, .. } => {
                overlap.forget(segment);
            }
            Self::Away { before, .. } => before.forget(segment),
            Self::Open { .. } => {}
        }
    }

    /// What they say over us, taken away from it.
    pub(crate) fn take_overlap(&mut self) -> Said {
        match self {
            Self::Thinking { overlap, .. } | Self::Interviewer { overlap, .. } => {
                std::mem::take(overlap)
            }
            Self::Away { before, .. } => before.take_overlap(),
            Self::Open { .. } | Self::Candidate { .. } | Self::Pause { .. } => Said::default(),
        }
    }

    pub(crate) fn turn_mut(&mut self) -> Option<&mut Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn.as_mut(),
            Self::Open { .. } | Self::Interviewer { .. } | Self::Away { .. } => None,
        }
    }

    /// The turn that nobody has answered yet, if no stop hides it.
    pub(crate) fn turn(&self) -> Option<&Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn.as_ref(),
            Self::Open { .. } | Self::Interviewer { .. } | Self::Away { .. } => None,
        }
    }

    /// The turn that nobody has answered yet, also behind a stop.
    pub(crate) fn into_turn(self) -> Option<Turn> {
        match self {
            Self::Candidate { turn } | Self::Pause { turn, .. } => Some(turn),
            Self::Thinking { turn, .. } => turn,
            Self::Away { before, .. } => before.into_turn(),
            Self::Open { .. } | Self::Interviewer { .. } => None,
        }
    }

    /// What the candidate said that nobody has answered yet: their turn, or `words_min` words over us.
    pub(crate) fn into_unanswered(self, words_min: usize, now: SessionTime) -> Option<Turn> {
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

    /// Whether the turn that nobody has answered yet leaves its question open.
    pub(crate) fn is_left_open(&self) -> bool {
        self.turn().is_some_and(Turn::leaves_open)
    }

    /// What is behind a stop, and the stop.
    pub(crate) fn split_away(self) -> (Self, Option<(SessionTime, SessionTime)>) {
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
    pub(crate) fn behind(self, stop: Option<(SessionTime, SessionTime)>) -> Self {
        match stop {
            Some((since, until)) => Self::Away { since, until, before: Box::new(self) },
            None => self,
        }
    }

    /// Whether the candidate speaks or has just paused.
    pub(crate) fn is_candidates(&self) -> bool {
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
    pub(crate) fn new(id: ReplyId, say: Say, purpose: Purpose) -> Self {
        Self {
            id,
            purpose,
            exit: None,
            say,
            ready: BTreeMap::new(),
            heard: String::new(),
            asking: Asking::Nothing,
            dips: 0,
            lapses: 0,
            leaves: false,
            answers: None,
            late: Draft::default(),
            reads_back: None,
            thread: None,
            sealed: false,
            broken: false,
            owed: None,
            replaces: None,
        }
    }

    /// Whether words of the candidate stop it.
    pub(crate) fn is_interruptible(&self) -> bool {
        match self.purpose {
            Purpose::Ask
            | Purpose::Rung
            | Purpose::Return
            | Purpose::Again
            | Purpose::Check
            | Purpose::Hold
            | Purpose::Soft { .. }
            | Purpose::ConfirmStop => true,
            Purpose::Insist => false,
            Purpose::Farewell { insists } => !insists,
        }
    }

    /// How long it may make no progress: nobody waits for long for a model that stops before its question.
    pub(crate) fn stall_limit(&self) -> Duration {
        let waits_for_words = self.ready.is_empty() && self.asking < Asking::Heard;
        if waits_for_words { REPLY_STALL } else { PLAYOUT_STALL }
    }

    /// Whether it has been talking for long, with this added.
    pub(crate) fn is_long(&self, text: &str) -> bool {
        let words = |text: &str| text.split_whitespace().count();
        let so_far: usize = self.ready.values().map(|text| words(text)).sum();
        let Say::Model { .. } = self.say else { return false };
        words(&self.heard) + so_far + words(text) > WORDS_MAX && !text.contains('?')
    }

    /// Whether a tool call of the reply before it led to it.
    pub(crate) fn follows_a_call(&self) -> bool {
        self.exit.is_some() || matches!(self.purpose, Purpose::Check | Purpose::Again)
    }

    /// Whether it says nothing but that we wait: nobody has to be silent for it.
    pub(crate) fn is_patience(&self) -> bool {
        matches!(self.purpose, Purpose::Rung | Purpose::Hold | Purpose::Soft { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case 31: who stops before the question is waited for as long as one who has said nothing; sound that
    /// is there, and calls after the question, get longer.
    #[test]
    fn nobody_waits_for_a_model_that_stops() {
        let mut reply = Reply::new(ReplyId(1), Say::Text(String::new()), Purpose::Ask);
        assert_eq!(reply.stall_limit(), REPLY_STALL);
        reply.ready.insert(1, "What do you do?".into());
        assert_eq!(reply.stall_limit(), PLAYOUT_STALL);
        reply.ready.clear();
        reply.asking = Asking::Heard;
        assert_eq!(reply.stall_limit(), PLAYOUT_STALL);
    }
}
