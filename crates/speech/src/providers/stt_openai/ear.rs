//! From sound and the facts of the voice detector to calls, and from their answers to transcripts.
//!
//! A segment is transcribed as a whole when its voice has ended, and anew about every second before, for the
//! words on the way. At a pause that may be the end the call is made already; if it was the end, its answer
//! is the final one. A long segment is cut into chunks, as Whisper hears half a minute at a time.

use std::{collections::VecDeque, time::Duration};

use futures_util::stream::{AbortHandle, AbortRegistration};
use tracing::{error, warn};

use super::call::{Failed, Words, one_space};
use crate::providers::{ProviderError, Retry, SttOut, Transcript};
use audio::Pcm16;
use interview::time::SessionTime;

/// The samples of a millisecond.
const MS: usize = 16;
/// The sound before a voice and after it that belongs to its segment, as the detector is no more exact.
const LEAD: Duration = Duration::from_millis(300);
const TAIL: Duration = Duration::from_millis(200);
/// The sound that is kept while nobody speaks, in samples: the detector tells of a voice that late.
const PAST_MAX: usize = 2_000 * MS;
/// The longest chunk, in samples.
const CHUNK_MAX: usize = 28_000 * MS;
/// A chunk is cut within its last so many samples, where this many are quietest.
const CUT_FROM: usize = 3_000 * MS;
const CUT_WINDOW: usize = 100 * MS;
/// Sound that begins at most this long after the end of the sound before follows it without a gap.
const JITTER: Duration = Duration::from_millis(1);
/// The most bytes of keyterms: Whisper reads the last 224 tokens of a prompt.
const PROMPT_BYTES_MAX: usize = 600;

/// A call that is to be made.
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) sound: Vec<i16>,
    pub(super) prompt: String,
    /// Cancels the call when nobody needs its answer any more.
    pub(super) abort: AbortRegistration,
}

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    chunk: u32,
    pub(super) purpose: Purpose,
    /// The end of the speech in its sound.
    to: SessionTime,
}

/// The use of a call's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Words on the way.
    Partial,
    /// The final words, if the voice has ended at `to`.
    Pause,
    /// The final words.
    Final,
}

/// One candidate's segments.
pub(super) struct Ear {
    out: SttOut,
    /// The new sound after which a chunk is transcribed anew, in samples; none: only at its end.
    interim_every: Option<usize>,
    prompt: String,
    /// The sound while nobody speaks.
    past: VecDeque<i16>,
    sound_end: SessionTime,
    /// The segments without final words, the oldest first. The last one may still be spoken.
    segments: VecDeque<Segment>,
    count: u32,
    chunk_count: u32,
    /// The call for words on the way.
    partial: Option<AbortHandle>,
    is_refused: bool,
    jobs: Vec<Job>,
}

struct Segment {
    number: u32,
    from: SessionTime,
    stage: Stage,
    chunks: Vec<Chunk>,
    last_partial: String,
}

enum Stage {
    Speaking,
    /// The voice has ended at `stopped`, as was told at `since`.
    Awaited {
        stopped: SessionTime,
        since: SessionTime,
    },
}

struct Chunk {
    id: u32,
    begins: SessionTime,
    sound: Vec<i16>,
    /// The samples that were transcribed last.
    asked: usize,
    words: Known,
    pause: Option<Pause>,
}

/// The words of a chunk, as far as they are known.
enum Known {
    Partial(String),
    Final(Words),
}

/// The call at a pause, which may have been the end of the voice.
struct Pause {
    at: SessionTime,
    call: AbortHandle,
    words: Option<Words>,
}

impl Ear {
    pub(super) fn new(out: SttOut, interim_every: Duration) -> Self {
        Self {
            out,
            interim_every: (!interim_every.is_zero()).then(|| samples(interim_every)),
            prompt: String::new(),
            past: VecDeque::new(),
            sound_end: SessionTime::ZERO,
            segments: VecDeque::new(),
            count: 0,
            chunk_count: 0,
            partial: None,
            is_refused: false,
            jobs: Vec::new(),
        }
    }

    /// Returns the calls to be made since the last time.
    pub(super) fn jobs(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.jobs)
    }

    pub(super) fn keyterms(&mut self, keyterms: &[String]) {
        self.prompt.clear();
        for term in keyterms {
            let term = one_space(term);
            if self.prompt.len() + term.len() + 2 > PROMPT_BYTES_MAX {
                break;
            }
            self.prompt += if self.prompt.is_empty() { "" } else { ", " };
            self.prompt += &term;
        }
    }

    pub(super) fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        let has_gap = at.since(self.sound_end) > JITTER;
        self.sound_end = at + sound.duration();
        let Some(chunk) = open_chunk(&mut self.segments) else {
            if has_gap {
                self.past.clear();
            }
            self.past.extend(&sound.0);
            self.past.drain(..self.past.len().saturating_sub(PAST_MAX));
            return;
        };
        chunk.sound.extend_from_slice(&sound.0);
        let long = chunk.sound.len();
        let is_due = self.interim_every.is_some_and(|every| long >= chunk.asked + every);
        if long >= CHUNK_MAX {
            self.cut();
        } else if is_due && self.partial.is_none() {
            self.ask(Purpose::Partial, long, self.sound_end);
        }
    }

    pub(super) fn started(&mut self, at: SessionTime) {
        if open_chunk(&mut self.segments).is_some() {
            return;
        }
        let oldest = self.sound_end.since(SessionTime::ZERO + length(self.past.len()));
        let oldest = SessionTime::ZERO + oldest;
        let begins = oldest.max(SessionTime::ZERO + at.since(SessionTime::ZERO + LEAD));
        let skipped = samples(begins.since(oldest)).min(self.past.len());
        let sound: Vec<i16> = self.past.drain(..).skip(skipped).collect();
        self.count += 1;
        // The sound before the voice has no words.
        let asked = samples(at.since(begins)).min(sound.len());
        let chunk = self.chunk(begins, sound, asked);
        self.segments.push_back(Segment {
            number: self.count,
            from: at,
            stage: Stage::Speaking,
            chunks: vec![chunk],
            last_partial: String::new(),
        });
    }

    pub(super) fn paused(&mut self, at: SessionTime) {
        let Some(chunk) = open_chunk(&mut self.segments) else { return };
        if chunk.pause.as_ref().is_some_and(|pause| pause.at == at) {
            return;
        }
        if let Some(earlier) = chunk.pause.take() {
            earlier.call.abort();
        }
        let end = chunk.samples_until(at + TAIL);
        self.ask(Purpose::Pause, end, at);
    }

    pub(super) fn stopped(&mut self, now: SessionTime, at: SessionTime) {
        let Some(chunk) = open_chunk(&mut self.segments) else { return };
        let end = chunk.samples_until(at + TAIL);
        // The sound behind the segment may be the lead of the next one.
        self.past = chunk.sound.split_off(end).into();
        match chunk.pause.take() {
            Some(Pause { at: paused, words: Some(words), .. }) if paused == at => {
                chunk.words = Known::Final(words);
            }
            Some(pause) if pause.at == at => chunk.pause = Some(pause),
            earlier => {
                if let Some(earlier) = earlier {
                    earlier.call.abort();
                }
                self.ask(Purpose::Final, end, at);
            }
        }
        if let Some(partial) = self.partial.take() {
            partial.abort();
        }
        if let Some(segment) = self.segments.back_mut() {
            let stopped = at.max(segment.from);
            segment.stage = Stage::Awaited { stopped, since: now };
        }
        self.report_finals(now);
    }

    /// Takes the answer of a call.
    pub(super) fn answered(&mut self, now: SessionTime, task: Task, answer: Result<Words, Failed>) {
        let answer = answer.map_err(|failed| self.note(&failed)).ok();
        match task.purpose {
            Purpose::Partial => {
                self.partial = None;
                if let (Some(words), Some(chunk)) = (answer, self.find(task)) {
                    chunk.put_partial(words.text);
                    self.report_partial(task);
                }
            }
            Purpose::Pause => self.answered_pause(task, answer),
            Purpose::Final => {
                if let Some(chunk) = self.find(task) {
                    chunk.put_final(answer);
                }
            }
        }
        self.report_finals(now);
    }

    fn answered_pause(&mut self, task: Task, answer: Option<Words>) {
        let is_over = self.segment_of(task).is_some_and(|segment| !segment.is_speaking());
        let is_refused = self.is_refused;
        let Some(chunk) = self.find(task) else { return };
        let Some(pause) = chunk.pause.as_mut().filter(|pause| pause.at == task.to) else { return };
        match answer {
            Some(words) if is_over => chunk.put_final(Some(words)),
            Some(words) => {
                chunk.words = Known::Partial(words.text.clone());
                pause.words = Some(words);
                self.report_partial(task);
            }
            None if is_over && is_refused => chunk.put_final(None),
            None => {
                chunk.pause = None;
                if is_over {
                    let (id, sound) = (chunk.id, chunk.sound.clone());
                    self.order(id, Purpose::Final, sound, task.to);
                }
            }
        }
    }

    /// Ends the open chunk where it is quietest, and goes on with the rest as another one.
    fn cut(&mut self) {
        let Some(chunk) = open_chunk(&mut self.segments) else { return };
        let end = quietest(&chunk.sound);
        let rest = chunk.sound.split_off(end);
        let begins = chunk.begins + length(end);
        self.ask(Purpose::Final, end, begins);
        let chunk = self.chunk(begins, rest, 0);
        if let Some(segment) = self.segments.back_mut() {
            segment.chunks.push(chunk);
        }
    }

    fn chunk(&mut self, begins: SessionTime, sound: Vec<i16>, asked: usize) -> Chunk {
        self.chunk_count += 1;
        let words = Known::Partial(String::new());
        Chunk { id: self.chunk_count, begins, sound, asked, words, pause: None }
    }

    /// Orders the first `end` samples of the open chunk to be transcribed. The speech in them lasts up to
    /// `to`.
    fn ask(&mut self, purpose: Purpose, end: usize, to: SessionTime) {
        let is_refused = self.is_refused;
        let Some(chunk) = open_chunk(&mut self.segments) else { return };
        chunk.asked = chunk.sound.len();
        if is_refused {
            if purpose == Purpose::Final {
                chunk.put_final(None);
            }
            return;
        }
        let (id, sound) = (chunk.id, chunk.sound[..end.min(chunk.sound.len())].to_vec());
        let call = self.order(id, purpose, sound, to);
        match purpose {
            Purpose::Partial => self.partial = Some(call),
            Purpose::Pause => {
                if let Some(chunk) = open_chunk(&mut self.segments) {
                    chunk.pause = Some(Pause { at: to, call, words: None });
                }
            }
            Purpose::Final => {}
        }
    }

    fn order(
        &mut self,
        chunk: u32,
        purpose: Purpose,
        sound: Vec<i16>,
        to: SessionTime,
    ) -> AbortHandle {
        let (call, abort) = AbortHandle::new_pair();
        let task = Task { chunk, purpose, to };
        self.jobs.push(Job { task, sound, prompt: self.prompt.clone(), abort });
        call
    }

    /// Logs a failure. After a refusal that would be repeated no call is made any more.
    fn note(&mut self, failed: &Failed) {
        let why: &ProviderError = &failed.error;
        if why.retry != Retry::Never || failed.is_about_the_sound {
            warn!(%why, "speech was not transcribed");
        } else if !self.is_refused {
            error!(%why, "the recogniser refused us, nothing will be understood");
            self.is_refused = true;
        }
    }

    fn segment_of(&self, task: Task) -> Option<&Segment> {
        self.segments.iter().find(|it| it.chunks.iter().any(|chunk| chunk.id == task.chunk))
    }

    /// Returns the chunk of a call, unless its final words are known.
    fn find(&mut self, task: Task) -> Option<&mut Chunk> {
        let mut chunks = self.segments.iter_mut().flat_map(|segment| &mut segment.chunks);
        chunks.find(|chunk| chunk.id == task.chunk && matches!(chunk.words, Known::Partial(_)))
    }

    fn report_partial(&mut self, task: Task) {
        let Some(segment) = self.segments.back_mut().filter(|it| it.is_speaking()) else { return };
        let text = segment.text();
        if text != segment.last_partial {
            segment.last_partial.clone_from(&text);
            let to = task.to.max(segment.from);
            (self.out)(segment.transcript(false, to, text));
        }
    }

    /// Reports the segments whose words are all known, in their order.
    fn report_finals(&mut self, now: SessionTime) {
        while let Some(segment) = self.segments.front()
            && let Stage::Awaited { stopped, since } = segment.stage
            && segment.chunks.iter().all(|chunk| matches!(chunk.words, Known::Final(_)))
        {
            metrics::histogram!("vivavoce_stt_final_seconds").record(now.since(since));
            (self.out)(segment.transcript(true, stopped, segment.text()));
            self.segments.pop_front();
        }
    }
}

/// Returns the chunk that is being spoken.
fn open_chunk(segments: &mut VecDeque<Segment>) -> Option<&mut Chunk> {
    segments.back_mut().filter(|segment| segment.is_speaking())?.chunks.last_mut()
}

impl Segment {
    fn is_speaking(&self) -> bool {
        matches!(self.stage, Stage::Speaking)
    }

    fn text(&self) -> String {
        let texts = self.chunks.iter().map(|chunk| match &chunk.words {
            Known::Partial(text) => text.as_str(),
            Known::Final(words) => words.text.as_str(),
        });
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn transcript(&self, is_final: bool, to: SessionTime, text: String) -> Transcript {
        let sure: Vec<f32> = self.chunks.iter().filter_map(Chunk::confidence).collect();
        let mean = sure.iter().sum::<f32>() / sure.len() as f32;
        Transcript {
            segment: self.number,
            is_final,
            from: self.from,
            to,
            text,
            confidence: (!sure.is_empty()).then_some(mean),
            ends_turn: None,
            spans: Vec::new(),
        }
    }
}

impl Chunk {
    /// Returns the number of samples before `at`.
    fn samples_until(&self, at: SessionTime) -> usize {
        samples(at.since(self.begins)).min(self.sound.len())
    }

    fn confidence(&self) -> Option<f32> {
        match &self.words {
            Known::Partial(_) => None,
            Known::Final(words) => words.confidence,
        }
    }

    fn put_partial(&mut self, text: String) {
        self.words = Known::Partial(text);
    }

    /// Takes the final words; without any there is a gap, which is counted.
    fn put_final(&mut self, words: Option<Words>) {
        if words.is_none() {
            metrics::counter!("vivavoce_stt_gaps_total").increment(1);
        }
        self.words = Known::Final(words.unwrap_or_default());
        self.sound = Vec::new();
    }
}

fn length(samples: usize) -> Duration {
    Duration::from_micros(samples as u64 * 1_000 / MS as u64)
}

fn samples(length: Duration) -> usize {
    usize::try_from(length.as_micros() * MS as u128 / 1_000).unwrap_or(usize::MAX)
}

/// Returns the middle of the quietest stretch near the end of a sound.
fn quietest(sound: &[i16]) -> usize {
    let from = sound.len().saturating_sub(CUT_FROM);
    let energy = |window: &[i16]| window.iter().map(|s| i64::from(*s).pow(2)).sum::<i64>();
    let windows = sound[from..].chunks_exact(CUT_WINDOW).enumerate();
    let least = windows.min_by_key(|(_, window)| energy(window)).map_or(0, |(n, _)| n);
    from + least * CUT_WINDOW + CUT_WINDOW / 2
}
