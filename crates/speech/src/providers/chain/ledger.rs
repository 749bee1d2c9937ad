//! What a chain of recognisers remembers: the last sound, and which speech in it has its final transcript.
//! Pure: the recognisers are elsewhere.
//!
//! The listener knows one numbering of segments. Each recogniser has its own, so a transcript is given to
//! the segment that begins where it does.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use crate::providers::Transcript;
use audio::Pcm16;
use interview::time::{SessionTime, Span};

/// The most samples of sound that can be heard again: 10 s.
const SOUND_SAMPLES_MAX: usize = 10 * 16_000;
/// The number of segments that are remembered.
const SEGMENTS_MAX: usize = 16;
/// The most transcripts of a segment that are remembered.
const PARTIALS_MAX: usize = 256;
/// The sound before a segment that a recogniser gets, too.
const LEAD: Duration = Duration::from_millis(500);
/// The last sound that a recogniser gets if no speech is open.
const QUIET_LEAD: Duration = Duration::from_secs(1);
/// A transcript belongs to a segment that begins this close to it.
const SAME: Duration = Duration::from_secs(1);

/// The memory of one candidate's stream.
#[derive(Default)]
pub(super) struct Ledger {
    /// Which recogniser hears, counted from 0.
    generation: u32,
    sound: VecDeque<(SessionTime, Pcm16)>,
    samples: usize,
    sound_end: SessionTime,
    segments: VecDeque<Segment>,
    /// Our number for each number of the recogniser that hears.
    numbers: BTreeMap<u32, u32>,
    /// The highest number that the listener knows.
    highest: u32,
    /// Whether the recogniser is away, so that its finals are none.
    is_away: bool,
}

/// A segment of speech, as the voice detector tells it.
struct Segment {
    from: SessionTime,
    /// The end of the sound when its beginning was told.
    told: SessionTime,
    /// Its end, and the end of the sound when that was told.
    stopped: Option<(SessionTime, SessionTime)>,
    /// Where the recogniser that hears now heard it begin.
    begins: SessionTime,
    /// The words before that.
    before: String,
    number: Option<u32>,
    /// Its transcripts so far, each with the time up to which it goes.
    partials: VecDeque<(SessionTime, String)>,
    finality: Finality,
}

/// Whether a segment has its final transcript.
#[derive(Clone, Debug, PartialEq)]
enum Finality {
    Open,
    /// The recogniser was away when it said this.
    Withheld(Box<Transcript>),
    /// Since then, by the clock of the chain.
    Final(SessionTime),
    /// It had one, of a recogniser that had failed by then.
    Doubted,
}

/// What the next recogniser gets first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Replay {
    pub(super) sound: Vec<(SessionTime, Pcm16)>,
    /// Each with the end of the sound after which it is told.
    pub(super) facts: Vec<(SessionTime, Fact)>,
}

/// What the voice detector has told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Started(SessionTime),
    Stopped(SessionTime),
}

impl Ledger {
    /// Keeps sound; the oldest makes room.
    pub(super) fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        self.sound_end = at + sound.duration();
        self.samples += sound.0.len();
        self.sound.push_back((at, sound.clone()));
        while self.samples > SOUND_SAMPLES_MAX
            && let Some((_, oldest)) = self.sound.pop_front()
        {
            self.samples -= oldest.0.len();
        }
    }

    pub(super) fn started(&mut self, at: SessionTime) {
        if self.segments.back().is_some_and(|last| last.stopped.is_none()) {
            return;
        }
        if self.segments.len() == SEGMENTS_MAX {
            self.segments.pop_front();
        }
        self.segments.push_back(Segment {
            from: at,
            told: self.sound_end,
            stopped: None,
            begins: at,
            before: String::new(),
            number: None,
            partials: VecDeque::new(),
            finality: Finality::Open,
        });
    }

    pub(super) fn stopped(&mut self, at: SessionTime) {
        if let Some(last) = self.segments.back_mut().filter(|last| last.stopped.is_none()) {
            last.stopped = Some((at, self.sound_end));
        }
    }

    /// The generation of the recogniser that hears.
    pub(super) fn generation(&self) -> u32 {
        self.generation
    }

    /// Whether speech has ended whose final transcript is missing.
    pub(super) fn awaits_final(&self) -> bool {
        let is_open = |finality: &Finality| match finality {
            Finality::Open | Finality::Withheld(_) => true,
            Finality::Final(_) | Finality::Doubted => false,
        };
        self.segments.iter().any(|it| it.stopped.is_some() && is_open(&it.finality))
    }

    /// Takes a transcript of the recogniser of a generation at `now`, by the clock of the chain. Returns it
    /// as the listener gets it; nothing if another one hears by now.
    pub(super) fn hear(
        &mut self,
        generation: u32,
        now: SessionTime,
        transcript: Transcript,
    ) -> Option<Transcript> {
        if generation != self.generation {
            return None;
        }
        let number = self.number(&transcript);
        self.highest = self.highest.max(number);
        let is_away = self.is_away;
        let segment = self.segments.iter_mut().find(|it| it.number == Some(number));
        let transcript = Transcript { segment: number, ..transcript };
        let Some(segment) = segment else { return Some(transcript) };
        let transcript = segment.with_words_before(transcript);
        segment.remember(&transcript);
        match (&segment.finality, transcript.is_final) {
            (Finality::Open | Finality::Withheld(_), true) if is_away => {
                segment.finality = Finality::Withheld(Box::new(transcript.clone()));
                Some(Transcript {
                    is_final: false,
                    ends_turn: None,
                    spans: Vec::new(),
                    ..transcript
                })
            }
            (finality, true) => {
                let is_worse = *finality == Finality::Doubted && transcript.text.is_empty();
                segment.finality = Finality::Final(now);
                (!is_worse).then_some(transcript)
            }
            (Finality::Open | Finality::Withheld(_), false) => Some(transcript),
            // The words that the listener has are better than half of those to come.
            (Finality::Final(_) | Finality::Doubted, false) => None,
        }
    }

    /// Returns our number for a transcript.
    fn number(&mut self, transcript: &Transcript) -> u32 {
        if let Some(number) = self.numbers.get(&transcript.segment) {
            return *number;
        }
        let taken: Vec<u32> = self.numbers.values().copied().collect();
        let is_free = |it: &&mut Segment| it.number.is_none_or(|number| !taken.contains(&number));
        let distance = |at: SessionTime| at.since(transcript.from).max(transcript.from.since(at));
        let nearest = self.segments.iter_mut().filter(is_free);
        let nearest = nearest.min_by_key(|it| distance(it.begins));
        let nearest = nearest.filter(|it| distance(it.begins) <= SAME);
        // As long as the first recogniser hears, its numbers are ours.
        let new = if self.generation == 0 { transcript.segment } else { self.highest + 1 };
        let number = match nearest {
            Some(segment) => *segment.number.get_or_insert(new),
            None => new,
        };
        self.numbers.insert(transcript.segment, number);
        number
    }

    /// Notes that the recogniser is away: what it calls final may have words missing.
    pub(super) fn away(&mut self) {
        self.is_away = true;
    }

    /// Notes that the recogniser is there, or has to do. Returns the finals that were withheld.
    pub(super) fn there(&mut self, now: SessionTime) -> Vec<Transcript> {
        if !std::mem::take(&mut self.is_away) {
            return Vec::new();
        }
        let withheld = self.segments.iter_mut().filter_map(|segment| match &segment.finality {
            Finality::Withheld(transcript) => {
                let transcript = (**transcript).clone();
                segment.finality = Finality::Final(now);
                Some(transcript)
            }
            Finality::Open | Finality::Final(_) | Finality::Doubted => None,
        });
        withheld.collect()
    }

    /// Begins with the next recogniser, after one that has failed since `since`. Returns what it gets first,
    /// and finals of speech that is too old to be heard again.
    pub(super) fn next(&mut self, since: SessionTime) -> (Replay, Vec<Transcript>) {
        self.generation += 1;
        self.numbers.clear();
        self.is_away = false;
        let oldest = self.sound.front().map_or(self.sound_end, |(at, _)| *at);
        let mut too_old = Vec::new();
        let mut first = None;
        for (n, segment) in self.segments.iter_mut().enumerate() {
            if segment.is_settled(since) && first.is_none() {
                continue;
            }
            if segment.stopped.is_some_and(|(at, _)| at <= oldest) {
                too_old.extend(segment.end_as_it_is(since));
                continue;
            }
            first.get_or_insert(n);
            segment.reopen(oldest);
        }
        let Some(first) = first else {
            let settled = self.segments.back().and_then(|last| last.stopped);
            let from = earlier(self.sound_end, QUIET_LEAD);
            let from = from.max(settled.map_or(SessionTime::ZERO, |(at, _)| at));
            return (Replay { sound: self.sound_since(from), facts: Vec::new() }, too_old);
        };
        (self.replay(first), too_old)
    }

    /// Returns the sound from a segment on, and what was told of it.
    fn replay(&self, first: usize) -> Replay {
        let begins = self.segments[first].begins;
        // What comes before it has its words, or they are lost.
        let before = first.checked_sub(1).and_then(|before| self.segments[before].stopped);
        let is_cut = begins > self.segments[first].from;
        let lead = if is_cut { begins } else { earlier(begins, LEAD) };
        let from = lead.max(before.map_or(SessionTime::ZERO, |(at, _)| at));
        let mut facts = Vec::new();
        for segment in self.segments.range(first..) {
            facts.push((segment.told, Fact::Started(segment.begins)));
            facts.extend(segment.stopped.map(|(at, told)| (told, Fact::Stopped(at))));
        }
        Replay { sound: self.sound_since(from), facts }
    }

    fn sound_since(&self, from: SessionTime) -> Vec<(SessionTime, Pcm16)> {
        let later = self.sound.iter().filter(|(at, sound)| *at + sound.duration() > from);
        later.cloned().collect()
    }
}

impl Segment {
    /// Whether it has a final of a recogniser that had not failed.
    fn is_settled(&self, since: SessionTime) -> bool {
        match &self.finality {
            Finality::Final(at) => *at < since,
            Finality::Open | Finality::Withheld(_) | Finality::Doubted => false,
        }
    }

    /// Makes it ready to be heard again, from `oldest` on if it began before.
    fn reopen(&mut self, oldest: SessionTime) {
        self.finality = match self.finality {
            Finality::Open | Finality::Withheld(_) => Finality::Open,
            Finality::Final(_) | Finality::Doubted => Finality::Doubted,
        };
        if self.begins >= oldest {
            return;
        }
        // The words before are those of the transcript that ends first within the sound that is left.
        let within = self.partials.iter().find(|(to, _)| *to >= oldest);
        let last = within.or(self.partials.back());
        self.before = last.map_or_else(String::new, |(_, text)| text.clone());
        self.begins = within.map_or(oldest, |(to, _)| *to);
        self.partials.clear();
        self.partials.push_back((self.begins, self.before.clone()));
    }

    /// Returns its last words as a final, if the listener waits for one.
    fn end_as_it_is(&mut self, now: SessionTime) -> Option<Transcript> {
        let withheld = match &self.finality {
            Finality::Open => None,
            Finality::Withheld(transcript) => Some((**transcript).clone()),
            Finality::Final(_) | Finality::Doubted => return None,
        };
        self.finality = Finality::Final(now);
        let (to, _) = self.stopped?;
        let text = self.partials.back().map_or_else(String::new, |(_, text)| text.clone());
        let known = |segment| Transcript {
            segment,
            is_final: true,
            from: self.from,
            to,
            text,
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        };
        withheld.or_else(|| self.number.map(known))
    }

    /// Adds the words that the recogniser did not hear.
    fn with_words_before(&self, transcript: Transcript) -> Transcript {
        if self.before.is_empty() {
            return transcript;
        }
        let text = format!("{} {}", self.before, transcript.text).trim().to_owned();
        let spans = match transcript.spans.is_empty() {
            true => Vec::new(),
            false => {
                let before = Span::new(self.from, self.begins);
                let after = transcript.spans.iter().filter(|span| span.from >= self.begins);
                std::iter::once(before).chain(after.copied()).collect()
            }
        };
        Transcript { from: self.from, text, spans, ..transcript }
    }

    fn remember(&mut self, transcript: &Transcript) {
        if self.partials.back().is_some_and(|(_, text)| *text == transcript.text) {
            return;
        }
        if self.partials.len() == PARTIALS_MAX {
            self.partials.pop_front();
        }
        self.partials.push_back((transcript.to, transcript.text.clone()));
    }
}

fn earlier(at: SessionTime, by: Duration) -> SessionTime {
    SessionTime::from_micros(at.as_micros().saturating_sub(by.as_micros() as u64))
}

#[cfg(test)]
mod tests;
