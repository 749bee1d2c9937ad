//! From results on a stream's own clock to transcripts of segments on the session's.
//!
//! `now` is the clock of the connection, everything else is the time of the sound.

use std::{collections::VecDeque, time::Duration};

use tracing::warn;

use super::{
    Model,
    past::{Past, Ruler},
    segment::{Segment, Stage, Word},
    wire::Results,
};
use crate::{
    audio::Pcm16,
    providers::{SttOut, Transcript},
    time::SessionTime,
};

/// Finals that reach so near to the end of voice say all: the VAD is no more exact.
const COVER: Duration = Duration::from_millis(100);
/// A segment's final is waited for so long; then what is known is final.
const FINAL_LIMIT: Duration = Duration::from_millis(1_500);
/// A model that tells the ends of turns says all it knows every quarter of a second, and nothing is final before.
const TURN_FINAL_LIMIT: Duration = Duration::from_millis(300);
/// Words so long before a segment's onset, or after its end, are of it: VAD and recogniser see it differently.
const LEAD: Duration = Duration::from_millis(300);
const TAIL: Duration = Duration::from_millis(700);
/// Segments whose finals may still be told better.
const SEGMENTS_MAX: usize = 16;
/// In seconds of the stream: results that begin so near to each other are of the same stretch.
const SAME_STRETCH: f64 = 0.01;

/// What one candidate's recogniser has heard and told.
pub(super) struct Ear {
    out: SttOut,
    final_limit: Duration,
    segments: VecDeque<Segment>,
    count: u32,
    past: Past,
    ruler: Ruler,
    /// Sound up to here has finals: it is not sent again.
    settled: SessionTime,
    /// Up to here a final was asked for and came, or what is settled.
    answered: SessionTime,
    /// The end of the last word that is final.
    worded: SessionTime,
    /// Words before that were told on a connection before this one.
    told_before: SessionTime,
    /// Where the stretch begins that is still interim, in seconds of the stream.
    interim_start: Option<f64>,
}

impl Ear {
    pub(super) fn new(out: SttOut, model: Model) -> Self {
        let final_limit = match model {
            Model::Stretches => FINAL_LIMIT,
            Model::Turns => TURN_FINAL_LIMIT,
        };
        Self {
            out,
            final_limit,
            segments: VecDeque::new(),
            count: 0,
            past: Past::default(),
            ruler: Ruler::default(),
            settled: SessionTime::ZERO,
            answered: SessionTime::ZERO,
            worded: SessionTime::ZERO,
            told_before: SessionTime::ZERO,
            interim_start: None,
        }
    }

    /// Sound that is not sent yet.
    pub(super) fn keep(&mut self, at: SessionTime, sound: Pcm16) {
        self.past.push(at, sound);
    }

    /// Sound that is sent.
    pub(super) fn sent(&mut self, at: SessionTime, sound: &Pcm16) {
        self.ruler.push(at, sound);
    }

    pub(super) fn started(&mut self, at: SessionTime) {
        if self.is_speaking() {
            return;
        }
        self.begin(at, Stage::Speaking);
    }

    pub(super) fn stopped(&mut self, now: SessionTime, at: SessionTime) {
        let Some(segment) = self.segments.back_mut() else { return };
        let Stage::Speaking = segment.stage else { return };
        segment.stage = Stage::Awaited { stopped: at.max(segment.from), since: now };
        self.tell_finals(now);
    }

    /// Another connection has begun: gives the sound that it must hear, and how much speech is lost.
    pub(super) fn reconnected(&mut self) -> (Vec<(SessionTime, Pcm16)>, Duration) {
        let begins = self.past.begins().unwrap_or_default();
        // What is known of the sound that is gone will not be known better.
        let gone = self.settled..begins;
        let mut lost = Duration::ZERO;
        for segment in &mut self.segments {
            let until = segment.stopped().unwrap_or(SessionTime::from_micros(u64::MAX));
            lost += gone.end.min(until).since(gone.start.max(segment.from));
            self.worded = self.worded.max(segment.settle_interim(begins));
        }
        self.settled = self.settled.max(begins);
        self.told_before = self.worded;
        // Whatever comes first is newer than what the connection before had not settled.
        self.interim_start = Some(f64::INFINITY);
        self.ruler = Ruler::default();
        (self.past.since(self.settled), lost)
    }

    /// Whether the candidate speaks.
    pub(super) fn is_speaking(&self) -> bool {
        self.segments.back().is_some_and(|segment| matches!(segment.stage, Stage::Speaking))
    }

    /// Whether a segment that has ended waits for its final.
    pub(super) fn is_awaiting(&self) -> bool {
        self.deadline().is_some()
    }

    /// When the next segment's final is given up.
    pub(super) fn deadline(&self) -> Option<SessionTime> {
        let awaited = self.segments.iter().filter_map(|segment| match segment.stage {
            Stage::Awaited { since, .. } => Some(since + self.final_limit),
            Stage::Speaking | Stage::Told { .. } => None,
        });
        awaited.min()
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, now: SessionTime) {
        self.tell_finals(now);
    }

    /// The recogniser has heard something.
    pub(super) fn hear(&mut self, now: SessionTime, results: &Results) {
        let Results { start, duration, is_final, from_finalize, ends_turn, .. } = *results;
        let until = self.ruler.end(start + duration);
        let replaces = self.interim_start.is_some_and(|interim| start <= interim + SAME_STRETCH);
        if !is_final || replaces || ends_turn.is_some() {
            self.segments.iter_mut().for_each(|segment| segment.interim.clear());
            self.interim_start = (!is_final).then_some(start);
        }
        let changed = self.put(results);
        if is_final && duration > 0.0 {
            self.settled = self.settled.max(until);
        }
        if ends_turn.is_some() || is_final && (duration > 0.0 || from_finalize) {
            self.answered = self.answered.max(until);
        }
        if is_final {
            self.tell_better(&changed);
        }
        self.tell_partial();
        self.tell_finals(now);
    }

    /// Puts words where they belong; gives the segments that finals were added to.
    fn put(&mut self, results: &Results) -> Vec<u32> {
        let mut words = self.words(results);
        let whole = words.len();
        words.retain(|word| word.middle() >= self.told_before);
        if words.is_empty() {
            return Vec::new();
        }
        if results.is_final {
            let last = words.iter().map(|word| word.to).max();
            self.worded = self.worded.max(last.unwrap_or_default());
        }
        let mut changed = Vec::new();
        let is_whole = words.len() == whole;
        for (number, words) in self.by_segment(words, results.is_final) {
            let is_all = is_whole && words.len() == whole;
            let Some(segment) = self.segments.iter_mut().find(|it| it.number == number) else {
                continue;
            };
            segment.ends_turn = results.ends_turn.map(|_| false);
            if !results.is_final {
                segment.interim.extend(words);
                continue;
            }
            // As a whole it is written as its language is.
            let text = is_all.then(|| results.transcript.clone());
            segment.put_final(text, &words, results.confidence);
            changed.push(number);
        }
        let last =
            changed.last().and_then(|last| self.segments.iter_mut().find(|it| it.number == *last));
        if let Some(last) = last {
            last.ends_turn = results.ends_turn;
        }
        changed
    }

    /// The words of a result; where it does not say when each was spoken, all of them at its end.
    fn words(&self, results: &Results) -> Vec<Word> {
        if results.transcript.is_empty() {
            return Vec::new();
        }
        if results.words.is_empty() {
            let at = self.ruler.end(results.start + results.duration);
            return vec![Word { from: at, to: at, text: results.transcript.clone() }];
        }
        let words = results.words.iter().map(|word| {
            let from = self.ruler.begin(word.start);
            let to = self.ruler.end(word.end).max(from);
            Word { from, to, text: word.text().to_owned() }
        });
        words.collect()
    }

    /// Words with the numbers of their segments, in their order. Final ones for which no voice was seen are a segment of
    /// their own; interim ones are nothing yet.
    fn by_segment(&mut self, words: Vec<Word>, is_final: bool) -> Vec<(u32, Vec<Word>)> {
        let mut groups: Vec<(u32, Vec<Word>)> = Vec::new();
        for word in words {
            let Some(number) = self.segment_of(&word, is_final) else { continue };
            match groups.last_mut() {
                Some((last, group)) if *last == number => group.push(word),
                _ => groups.push((number, vec![word])),
            }
        }
        groups
    }

    fn segment_of(&mut self, word: &Word, is_final: bool) -> Option<u32> {
        let at = word.middle();
        let nearest = self.segments.iter().rev().min_by_key(|segment| segment.distance(at));
        if let Some(segment) = nearest {
            let is_near = segment.distance(at) <= if at < segment.from { LEAD } else { TAIL };
            let is_last = self.segments.back().is_some_and(|last| last.number == segment.number);
            let is_later = is_last && at > segment.from;
            if is_near || (is_final && !is_later) {
                return Some(segment.number);
            }
        }
        if !is_final {
            return None;
        }
        Some(self.begin(word.from, Stage::Told { stopped: word.to }))
    }

    fn begin(&mut self, from: SessionTime, stage: Stage) -> u32 {
        self.count += 1;
        if self.segments.len() == SEGMENTS_MAX {
            self.segments.pop_front();
        }
        self.segments.push_back(Segment::new(self.count, from, stage));
        self.count
    }

    /// What was final and is known better now.
    fn tell_better(&mut self, changed: &[u32]) {
        for segment in self.segments.iter_mut().filter(|it| changed.contains(&it.number)) {
            if let Stage::Told { stopped } = segment.stage
                && segment.is_news()
            {
                (self.out)(segment.told_final(stopped));
            }
        }
    }

    fn tell_partial(&mut self) {
        let open = self.segments.iter_mut().filter(|it| !matches!(it.stage, Stage::Told { .. }));
        for segment in open {
            if let Some(transcript) = segment.told_partial() {
                (self.out)(transcript);
            }
        }
    }

    /// Tells the finals that are there, and those that are waited for no longer.
    fn tell_finals(&mut self, now: SessionTime) {
        for segment in &mut self.segments {
            let Stage::Awaited { stopped, since } = segment.stage else { continue };
            let is_covered = self.answered + COVER >= stopped;
            let is_complete = is_covered && segment.interim.is_empty();
            if !is_complete && now < since + self.final_limit {
                continue;
            }
            segment.stage = Stage::Told { stopped };
            let transcript: Transcript = segment.told_final(stopped);
            metrics::histogram!("vivavoce_stt_final_seconds").record(now.since(since));
            if !is_covered && transcript.text.is_empty() {
                let seconds = stopped.since(segment.from).as_secs_f32();
                warn!(segment = segment.number, seconds, "speech was not transcribed in time");
                metrics::counter!("vivavoce_stt_gaps_total").increment(1);
            }
            (self.out)(transcript);
        }
    }
}
