//! Our voice: what is synthesised, what the gate lets out, and what the room pulls while the candidate is
//! there.

use std::{collections::BTreeMap, time::Duration};

use crate::{interview::ReplyId, time::SessionTime};

/// Sound of ours that the room pulled without a hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulled {
    pub(super) reply: ReplyId,
    pub(super) from: SessionTime,
    pub(super) to: SessionTime,
}

/// What the room tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Started(ReplyId),
    Heard(ReplyId, u16),
    Finished(ReplyId, String),
}

#[derive(Debug, Default)]
pub(super) struct Mouth {
    replies: BTreeMap<ReplyId, Spoken>,
    sounding: Option<Sounding>,
    /// Whose sound stands still.
    paused: Option<ReplyId>,
    /// Counts what began to sound, so that an old end is known as such.
    begun: u64,
    pub(super) pulled: Vec<Pulled>,
}

#[derive(Debug, Default)]
struct Spoken {
    segments: Vec<Segment>,
    /// Segments heard to their end.
    heard: usize,
    making: Making,
    sound: Sound,
}

/// How far a reply is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Making {
    /// Further segments may come.
    #[default]
    Open,
    /// No further segment comes.
    Complete,
    /// What would follow is never heard.
    Sealed,
    /// Nothing more is made of it.
    Broken,
}

/// How far the sound of a reply is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sound {
    #[default]
    Unheard,
    Begun,
    Over,
}

#[derive(Debug)]
struct Segment {
    text: String,
    lasts: Duration,
    /// What was pulled of it before its sound stood still.
    pulled: Duration,
    gate_open: bool,
    has_sound: bool,
}

#[derive(Clone, Copy, Debug)]
struct Sounding {
    reply: ReplyId,
    since: SessionTime,
    token: u64,
}

impl Mouth {
    pub(super) fn order(&mut self, reply: ReplyId) {
        self.replies.insert(reply, Spoken::default());
    }

    pub(super) fn is_over(&self, reply: ReplyId) -> bool {
        let is_over =
            |spoken: &Spoken| spoken.sound == Sound::Over || spoken.making == Making::Broken;
        self.replies.get(&reply).is_none_or(is_over)
    }

    /// A new segment; its number.
    pub(super) fn segment(&mut self, reply: ReplyId, text: &str) -> u16 {
        let Some(spoken) = self.replies.get_mut(&reply) else { return 0 };
        let lasts = Duration::from_millis(280) * text.split_whitespace().count().max(1) as u32;
        let text = text.to_owned();
        spoken.segments.push(Segment {
            text,
            lasts,
            pulled: Duration::ZERO,
            gate_open: false,
            has_sound: false,
        });
        spoken.segments.len() as u16 - 1
    }

    pub(super) fn has_sound(&mut self, reply: ReplyId, n: u16) {
        if self.is_over(reply) {
            return;
        }
        if let Some(segment) = self.at(reply, n) {
            segment.has_sound = true;
        }
    }

    pub(super) fn open_gate(&mut self, reply: ReplyId, n: u16) {
        if let Some(segment) = self.at(reply, n) {
            segment.gate_open = true;
        }
    }

    /// No further segment comes. Whether there was none at all.
    pub(super) fn complete(&mut self, reply: ReplyId) -> (bool, Vec<Told>) {
        let Some(spoken) = self.unfinished(reply) else { return (false, Vec::new()) };
        if spoken.making == Making::Open {
            spoken.making = Making::Complete;
        }
        (spoken.segments.is_empty(), self.finish(reply))
    }

    /// The reply ends before segment `n`.
    pub(super) fn seal(&mut self, reply: ReplyId, n: u16) -> Vec<Told> {
        let begun = self.sounding.is_some_and(|sounding| sounding.reply == reply);
        let Some(spoken) = self.unfinished(reply) else { return Vec::new() };
        let kept = usize::from(n).max(spoken.heard + usize::from(begun));
        spoken.segments.truncate(kept);
        if spoken.making != Making::Broken {
            spoken.making = Making::Sealed;
        }
        self.finish(reply)
    }

    pub(super) fn is_sealed(&self, reply: ReplyId) -> bool {
        self.replies.get(&reply).is_some_and(|spoken| spoken.making == Making::Sealed)
    }

    /// Sounds on, if there is something to sound: when it will end, and its token.
    pub(super) fn go_on(&mut self, now: SessionTime) -> Option<(SessionTime, u64, Option<Told>)> {
        if self.sounding.is_some() {
            return None;
        }
        let ready = |spoken: &Spoken| {
            let next = spoken.segments.get(spoken.heard);
            let is_ready = next.is_some_and(|next| next.gate_open && next.has_sound);
            spoken.sound != Sound::Over && is_ready
        };
        let begun = |spoken: &Spoken| spoken.sound == Sound::Begun;
        let begun = self.replies.iter().find(|(_, spoken)| begun(spoken)).map(|(reply, _)| *reply);
        let mut all = self.replies.iter_mut();
        let next = |(reply, spoken): &(&ReplyId, &mut Spoken)| {
            begun.is_none_or(|begun| begun == **reply) && ready(spoken)
        };
        let (&reply, spoken) = all.find(next)?;
        if self.paused == Some(reply) {
            return None;
        }
        let next = &spoken.segments[spoken.heard];
        let lasts = next.lasts.saturating_sub(next.pulled);
        let is_first = std::mem::replace(&mut spoken.sound, Sound::Begun) == Sound::Unheard;
        self.begun += 1;
        self.sounding = Some(Sounding { reply, since: now, token: self.begun });
        Some((now + lasts, self.begun, is_first.then_some(Told::Started(reply))))
    }

    /// The words that sound now and from now on, of the segment that does.
    pub(super) fn to_sound(&self) -> Option<Vec<String>> {
        let spoken = self.replies.get(&self.sounding?.reply)?;
        let segment = spoken.segments.get(spoken.heard)?;
        let words = segment.text.split_whitespace().map(str::to_owned);
        Some(words.skip((segment.pulled.as_millis() / 280) as usize).collect())
    }

    /// When what began `since` with `token` ended, if it has.
    pub(super) fn ended(&self, token: u64, since: SessionTime) -> Option<SessionTime> {
        if self.sounding.is_some_and(|sounding| sounding.token == token) {
            return None;
        }
        let span = self.pulled.iter().rev().find(|pulled| pulled.from == since);
        Some(span.map_or(since, |pulled| pulled.to))
    }

    /// The segment that began with `token` has ended, if nothing stopped it.
    pub(super) fn end(&mut self, token: u64, now: SessionTime) -> Vec<Told> {
        let Some(sounding) = self.sounding.filter(|sounding| sounding.token == token) else {
            return Vec::new();
        };
        self.cut(now);
        let Some(spoken) = self.replies.get_mut(&sounding.reply) else { return Vec::new() };
        let mut told = vec![Told::Heard(sounding.reply, spoken.heard as u16)];
        spoken.heard += 1;
        told.extend(self.finish(sounding.reply));
        told
    }

    /// The candidate is gone: what sounds begins its segment anew.
    pub(super) fn rewind(&mut self, now: SessionTime) {
        let sounding = self.sounding.map(|sounding| sounding.reply).or(self.paused);
        self.cut(now);
        if let Some(segment) = sounding.and_then(|reply| self.current(reply)) {
            segment.pulled = Duration::ZERO;
        }
    }

    /// The sound of a reply stands still where it is.
    pub(super) fn pause(&mut self, reply: ReplyId, now: SessionTime) {
        self.paused = Some(reply);
        let Some(sounding) = self.sounding.filter(|sounding| sounding.reply == reply) else {
            return;
        };
        self.cut(now);
        if let Some(segment) = self.current(reply) {
            segment.pulled += now.since(sounding.since);
        }
    }

    pub(super) fn resume(&mut self, reply: ReplyId) {
        self.paused.take_if(|paused| *paused == reply);
    }

    fn current(&mut self, reply: ReplyId) -> Option<&mut Segment> {
        let spoken = self.replies.get_mut(&reply)?;
        spoken.segments.get_mut(spoken.heard)
    }

    /// The room pulls no more of it.
    pub(super) fn cut(&mut self, now: SessionTime) {
        if let Some(Sounding { reply, since, .. }) = self.sounding.take() {
            self.pulled.push(Pulled { reply, from: since, to: now });
        }
    }

    pub(super) fn hush(&mut self, reply: ReplyId, now: SessionTime) -> Vec<Told> {
        self.pause(reply, now);
        self.resume(reply);
        let Some(spoken) = self.unfinished(reply) else { return Vec::new() };
        let begun = std::mem::replace(&mut spoken.sound, Sound::Over) == Sound::Begun;
        let cut = spoken.segments.get(spoken.heard).map(|segment| {
            let words = segment.text.split_whitespace();
            let heard = segment.pulled.as_millis() / 280;
            words.take(heard as usize).collect::<Vec<_>>().join(" ")
        });
        begun.then(|| Told::Finished(reply, cut.unwrap_or_default())).into_iter().collect()
    }

    /// Nothing more is made of a reply: what has its sound is heard, then it is finished.
    pub(super) fn break_off(&mut self, reply: ReplyId) -> Vec<Told> {
        let Some(spoken) = self.unfinished(reply) else { return Vec::new() };
        let whole = spoken.segments[spoken.heard..].iter().take_while(|segment| segment.has_sound);
        let whole = spoken.heard + whole.count();
        spoken.segments.truncate(whole);
        spoken.making = Making::Broken;
        if spoken.sound == Sound::Unheard && spoken.segments.is_empty() {
            spoken.sound = Sound::Over;
        }
        self.finish(reply)
    }

    fn finish(&mut self, reply: ReplyId) -> Vec<Told> {
        let done = |spoken: &&mut Spoken| {
            spoken.making != Making::Open
                && spoken.sound == Sound::Begun
                && spoken.heard == spoken.segments.len()
        };
        let Some(spoken) = self.replies.get_mut(&reply).filter(done) else { return Vec::new() };
        spoken.sound = Sound::Over;
        vec![Told::Finished(reply, String::new())]
    }

    fn unfinished(&mut self, reply: ReplyId) -> Option<&mut Spoken> {
        self.replies.get_mut(&reply).filter(|spoken| spoken.sound != Sound::Over)
    }

    fn at(&mut self, reply: ReplyId, n: u16) -> Option<&mut Segment> {
        self.replies.get_mut(&reply)?.segments.get_mut(usize::from(n))
    }
}
