//! What one interview still has to say, as sound: replies made of segments, pulled by the room 20 ms at a
//! time.
//!
//! What is *heard* is exactly what was pulled while the candidate was connected. To stop speaking is to clear
//! the queue. A reply that began keeps the floor until it is finished or cleared; until one begins, the
//! oldest that is ready to sound begins.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use super::{FRAME_48, Pcm48, level, time_of_48};

/// Longest segment, in samples: 60 s. What goes beyond is dropped.
pub const SEGMENT_SAMPLES_MAX: usize = 60 * 48_000;
/// A segment begins with so much of its sound, or with all of it, in samples: 60 ms. A voice's first piece is
/// small, and the next one may be late.
const LEAD_48: usize = 3 * FRAME_48;
/// Most segments of one reply; further ones are refused.
pub const SEGMENTS_MAX: usize = 32;
/// Most replies that wait or sound at a time; further ones are refused.
pub const REPLIES_MAX: usize = 8;
/// Replies remembered as ended, so that late sound for them is known as such.
const ENDED_MAX: usize = 64;

/// The playout queue of one interview.
#[derive(Debug, Default)]
pub struct Playout {
    replies: BTreeMap<u32, Reply>,
    /// The reply that made its first sound and has not ended.
    sounding: Option<u32>,
    /// The reply whose sound stands still.
    paused: Option<u32>,
    ended: BTreeSet<u32>,
    underruns: u64,
}

/// One reply: its segments that were not yet heard.
#[derive(Debug, Default)]
struct Reply {
    segments: BTreeMap<u16, Segment>,
    /// Segments heard to their end, in order.
    heard: Vec<u16>,
    /// No further segment will come.
    finished: bool,
    started: bool,
}

#[derive(Debug, Default)]
struct Segment {
    samples: Vec<i16>,
    /// Samples pulled since its start.
    pulled: usize,
    /// No further sound will come.
    complete: bool,
    gate: Gate,
}

/// A segment sounds only behind an open gate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Gate {
    #[default]
    Shut,
    Open,
}

/// What a pull gave.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pulled {
    /// 960 samples, or nothing to say.
    pub frame: Option<Pcm48>,
    /// What this frame began and ended, in order. A segment without any sound begins and ends without a
    /// frame.
    pub events: Vec<PlayoutEvent>,
    /// How far the segment is that this frame ends in.
    pub progress: Option<Progress>,
}

/// What became of the sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutEvent {
    /// The reply's first frame was pulled.
    ReplyStarted {
        /// The reply's id.
        reply: u32,
    },
    /// The segment's last sample was pulled.
    SegmentHeard {
        /// The reply's id.
        reply: u32,
        /// The segment's number in it.
        n: u16,
    },
    /// The reply's last segment was heard and no further one will come.
    ReplyFinished {
        /// The reply's id.
        reply: u32,
    },
}

/// How far a segment has sounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The reply's id.
    pub reply: u32,
    /// The segment's number in it.
    pub n: u16,
    /// How much of it was pulled.
    pub pulled: Duration,
    /// How long it is, once that is known.
    pub of: Option<Duration>,
}

/// What was cut off by [`Playout::clear`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Whether the reply had made its first sound.
    pub started: bool,
    /// Segments that were heard to their end, in order.
    pub heard: Vec<u16>,
    /// The segment that was cut in the middle.
    pub cut: Option<Progress>,
}

/// Why sound was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The reply was finished or cleared.
    #[error("the reply has ended")]
    Ended,
    /// The segment was marked complete, was heard, or lies before one that was.
    #[error("the segment has ended")]
    SegmentEnded,
    /// The segment is longer than a segment may be.
    #[error("the segment is longer than 60 s: {dropped} samples were dropped")]
    TooLong {
        /// Samples that were not taken.
        dropped: usize,
    },
    /// The reply has [`SEGMENTS_MAX`] segments.
    #[error("the reply has more than {SEGMENTS_MAX} segments: the sound was dropped")]
    TooManySegments,
    /// [`REPLIES_MAX`] replies are waiting.
    #[error("more than {REPLIES_MAX} replies wait to be spoken: the sound was dropped")]
    TooManyReplies,
}

impl Playout {
    /// Appends sound to segment `n` of a reply. Segments sound in the order of their numbers.
    pub fn append(&mut self, reply: u32, n: u16, sound: &Pcm48) -> Result<(), Refused> {
        let segment = self.segment(reply, n)?;
        if segment.complete {
            return Err(Refused::SegmentEnded);
        }
        let room = SEGMENT_SAMPLES_MAX - segment.samples.len();
        let taken = sound.0.len().min(room);
        segment.samples.extend_from_slice(&sound.0[..taken]);
        match sound.0.len() - taken {
            0 => Ok(()),
            dropped => Err(Refused::TooLong { dropped }),
        }
    }

    /// Segment `n` has all of its sound.
    pub fn complete(&mut self, reply: u32, n: u16) -> Result<(), Refused> {
        self.segment(reply, n)?.complete = true;
        Ok(())
    }

    /// Segment `n` may sound.
    pub fn open(&mut self, reply: u32, n: u16) -> Result<(), Refused> {
        self.segment(reply, n)?.gate = Gate::Open;
        Ok(())
    }

    /// The reply has no segments beyond those known.
    pub fn finish(&mut self, reply: u32) -> Result<(), Refused> {
        self.reply(reply)?.finished = true;
        Ok(())
    }

    /// The reply ends before segment `n`, or after it if it has begun to sound, for nothing is cut in a word:
    /// what follows is forgotten, and refused from now on. Gives the first segment that is not heard.
    pub fn seal(&mut self, reply: u32, n: u16) -> Result<u16, Refused> {
        let reply = self.reply(reply)?;
        let begun = reply.segments.first_key_value().filter(|(_, segment)| segment.pulled > 0);
        let end = begun.map_or(n, |(m, _)| n.max(m.saturating_add(1)));
        reply.segments.retain(|m, _| *m < end);
        reply.finished = true;
        Ok(end)
    }

    /// Nothing more is made of the reply: it ends after those of its next segments that are whole. Gives the
    /// segment that broke off in its middle.
    pub fn break_off(&mut self, id: u32) -> Option<Progress> {
        let reply = self.replies.get_mut(&id)?;
        let broken = reply.segments.iter().find(|(_, segment)| !segment.complete);
        let cut = broken.filter(|(_, segment)| segment.pulled > 0);
        let cut = cut.map(|(n, segment)| segment.progress(id, *n));
        if let Some(end) = broken.map(|(n, _)| *n) {
            reply.segments.retain(|n, _| *n < end);
        }
        reply.finished = true;
        if !reply.started && reply.segments.is_empty() {
            self.clear(id);
        }
        cut
    }

    /// The next 20 ms. Without a connected candidate nothing sounds, and the segment will begin anew.
    pub fn pull(&mut self, connected: bool) -> Pulled {
        let mut pulled = Pulled::default();
        if !connected {
            self.rewind();
            return pulled;
        }
        let mut frame = Vec::new();
        if self.sounding.is_some() && self.sounding == self.paused {
            return pulled;
        }
        // Each turn fills the frame further or ends a segment or a reply: bounded by what is queued.
        while frame.len() < FRAME_48 && self.fill(&mut frame, &mut pulled) {}
        // A frame that ends with its reply says so itself: the candidate may be gone at the next one.
        self.end_if_finished(&mut pulled);
        if !frame.is_empty() {
            frame.resize(FRAME_48, 0);
            pulled.frame = Some(Pcm48(frame));
        }
        pulled
    }

    /// A reply's sound stands still until it goes on, or the reply is cleared.
    pub fn pause(&mut self, reply: u32) {
        self.paused = Some(reply);
    }

    /// It goes on where it stood.
    pub fn resume(&mut self, reply: u32) {
        self.paused.take_if(|paused| *paused == reply);
    }

    /// Stops a reply and forgets its sound; what comes for it later is refused.
    pub fn clear(&mut self, id: u32) -> Cleared {
        self.end(id);
        let Some(reply) = self.replies.remove(&id) else {
            return Cleared::default();
        };
        let cut = reply
            .segments
            .first_key_value()
            .filter(|(_, segment)| segment.pulled > 0)
            .map(|(n, segment)| segment.progress(id, *n));
        Cleared { started: reply.started, heard: reply.heard, cut }
    }

    /// Goes back to the start of the segment that sounds: the candidate was gone.
    pub fn rewind(&mut self) {
        let reply = self.sounding.and_then(|id| self.replies.get_mut(&id));
        if let Some(mut segment) = reply.and_then(|reply| reply.segments.first_entry()) {
            segment.get_mut().pulled = 0;
        }
    }

    /// The reply that made its first sound and has not ended.
    pub fn sounding(&self) -> Option<u32> {
        self.sounding
    }

    /// Whether no sound and no reply is left.
    pub fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }

    /// Silent frames inside a segment, because its sound came too late.
    pub fn underruns(&self) -> u64 {
        self.underruns
    }

    /// Takes one step towards a full frame; false when nothing more can sound now.
    fn fill(&mut self, frame: &mut Vec<i16>, pulled: &mut Pulled) -> bool {
        let Some(id) = self.sounding.or_else(|| self.ready()) else {
            return false;
        };
        self.sounding = Some(id);
        let reply = self.replies.get_mut(&id).expect("a sounding or ready reply is queued");
        let Some(mut entry) = reply.segments.first_entry() else {
            return self.end_if_finished(pulled);
        };
        let n = *entry.key();
        let segment = entry.get_mut();
        match segment.can_give(FRAME_48 - frame.len()) {
            Give::Wait => return false,
            Give::Underrun => {
                self.underruns += 1;
                frame.resize(FRAME_48, 0);
                return false;
            }
            Give::Sound(samples) => {
                let end = segment.pulled + samples;
                frame.extend_from_slice(&segment.samples[segment.pulled..end]);
                segment.pulled = end;
            }
        }
        pulled.progress = Some(segment.progress(id, n));
        let heard = segment.complete && segment.pulled == segment.samples.len();
        if !reply.started {
            reply.started = true;
            pulled.events.push(PlayoutEvent::ReplyStarted { reply: id });
        }
        if heard {
            reply.segments.pop_first();
            reply.heard.push(n);
            pulled.events.push(PlayoutEvent::SegmentHeard { reply: id, n });
        }
        true
    }

    /// Ends the sounding reply when all of it was heard; tells whether it did.
    fn end_if_finished(&mut self, pulled: &mut Pulled) -> bool {
        let over =
            |id: &u32| self.replies.get(id).is_some_and(|r| r.finished && r.segments.is_empty());
        let Some(id) = self.sounding.filter(over) else {
            return false;
        };
        self.replies.remove(&id);
        self.end(id);
        pulled.events.push(PlayoutEvent::ReplyFinished { reply: id });
        true
    }

    /// The oldest reply that could make its first sound, or that has nothing to say at all.
    fn ready(&self) -> Option<u32> {
        let ready = |reply: &Reply| match reply.segments.first_key_value() {
            Some((_, segment)) => matches!(segment.can_give(FRAME_48), Give::Sound(_)),
            None => reply.finished,
        };
        let may_begin = |id: &u32, reply: &Reply| self.paused != Some(*id) && ready(reply);
        self.replies.iter().find(|(id, reply)| may_begin(id, reply)).map(|(id, _)| *id)
    }

    fn reply(&mut self, id: u32) -> Result<&mut Reply, Refused> {
        let forgotten = self.ended.len() == ENDED_MAX && self.ended.first() > Some(&id);
        if forgotten || self.ended.contains(&id) {
            return Err(Refused::Ended);
        }
        if !self.replies.contains_key(&id) && self.replies.len() >= REPLIES_MAX {
            return Err(Refused::TooManyReplies);
        }
        Ok(self.replies.entry(id).or_default())
    }

    fn segment(&mut self, id: u32, n: u16) -> Result<&mut Segment, Refused> {
        let reply = self.reply(id)?;
        if reply.segments.contains_key(&n) {
            return Ok(reply.segments.entry(n).or_default());
        }
        if reply.finished {
            return Err(Refused::Ended);
        }
        let begun = reply.segments.first_key_value().filter(|(_, s)| s.pulled > 0).map(|(n, _)| *n);
        if begun.max(reply.heard.last().copied()) >= Some(n) {
            return Err(Refused::SegmentEnded);
        }
        if reply.segments.len() + reply.heard.len() >= SEGMENTS_MAX {
            return Err(Refused::TooManySegments);
        }
        Ok(reply.segments.entry(n).or_default())
    }

    fn end(&mut self, id: u32) {
        if self.sounding == Some(id) {
            self.sounding = None;
        }
        self.paused.take_if(|paused| *paused == id);
        self.ended.insert(id);
        if self.ended.len() > ENDED_MAX {
            self.ended.pop_first();
        }
    }
}

/// What a segment has for the rest of a frame.
enum Give {
    /// So many samples; fewer than asked for only at its end.
    Sound(usize),
    /// Nothing yet: it has not begun.
    Wait,
    /// Nothing, though it has begun.
    Underrun,
}

impl Segment {
    fn can_give(&self, wanted: usize) -> Give {
        let left = self.samples.len() - self.pulled;
        match self.gate {
            Gate::Open if self.pulled == 0 && left < LEAD_48 && !self.complete => Give::Wait,
            Gate::Open if left >= wanted || self.complete => Give::Sound(left.min(wanted)),
            Gate::Open if self.pulled > 0 => Give::Underrun,
            Gate::Open | Gate::Shut => Give::Wait,
        }
    }

    fn progress(&self, reply: u32, n: u16) -> Progress {
        let time = |samples: usize| time_of_48(samples as u64);
        Progress {
            reply,
            n,
            pulled: time(self.pulled),
            of: self.complete.then(|| time(self.samples.len())),
        }
    }
}

impl Pulled {
    /// The level of the frame, in dBov; silence without one.
    pub fn level(&self) -> i8 {
        self.frame.as_ref().map_or(level::SILENT_DBOV, |frame| level::dbov(&frame.0))
    }
}
