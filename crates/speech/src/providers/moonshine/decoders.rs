//! The threads that decode for all streams, and the queue in front of them.
//!
//! Each stream has a *lane*, whose jobs are done one after the other, as each needs the words of the one
//! before. Jobs at the end of a piece come first. Jobs for partial transcripts wait, and are replaced by
//! newer ones of their lane: on a machine that is too slow words come later and less often, but none is
//! lost.

use std::{
    collections::{BTreeMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use rten::ThreadPool;
use tracing::{error, warn};

use super::{Decoded, Moonshine, keyterms::Keyterms};
use crate::providers::{ProviderError, Retry, SttOut, Transcript};
use interview::time::{SessionTime, Span};

/// The most threads; more would be idle on most machines, and take the cores of recognisers and voices.
const THREADS_MAX: usize = 4;
/// The most jobs of a lane that may wait: a minute of speech that is cut all the time.
const JOBS_MAX: usize = 64;
/// The most pieces whose words are kept as context.
const PIECES_MAX: usize = 32;
/// The fewest tokens that are not repeated by chance.
const REPEATED_MIN: usize = 4;
/// The lowest probability at which a sentence has ended.
const FINISHED: f32 = 0.5;
/// The marks with which a sentence may begin.
const OPENING: [char; 4] = ['$', '£', '€', '#'];
/// The length, in samples, from which a piece without words is decoded again without context, which may have
/// misled the decoder.
const WORDLESS: usize = 16_000;

/// The threads; they end with the last stream and recogniser.
pub(in crate::providers) struct Decoders {
    queue: Arc<Queue>,
}

/// The order to decode a piece.
pub(in crate::providers) struct Job {
    /// The number of the piece in its stream.
    pub(in crate::providers) piece: u32,
    /// The segment of speech of the piece.
    pub(in crate::providers) segment: u32,
    /// The first piece of the context, whose sound is in front of this one.
    pub(in crate::providers) known: u32,
    /// The beginning of the voice in the piece.
    pub(in crate::providers) from: SessionTime,
    /// The end of the voice in the piece, as far as it is in `sound`.
    pub(in crate::providers) to: SessionTime,
    /// The number of samples of context.
    pub(in crate::providers) before: usize,
    /// The sound of context and piece.
    pub(in crate::providers) sound: Vec<i16>,
    pub(in crate::providers) keyterms: Arc<Keyterms>,
    pub(in crate::providers) purpose: Purpose,
}

/// The reason why a piece is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::providers) enum Purpose {
    /// A partial transcript is due.
    Partial,
    /// The voice may have ended; if it has, the final transcript will be the same.
    Pause,
    /// The piece has ended, and its segment goes on.
    Cut,
    /// The segment has ended.
    Final,
}

impl Purpose {
    fn is_urgent(self) -> bool {
        self != Self::Partial
    }
}

struct Queue {
    moonshine: Moonshine,
    ready: Mutex<Ready>,
    news: Condvar,
}

/// The lanes that have jobs and no thread.
#[derive(Default)]
struct Ready {
    urgent: VecDeque<Arc<Track>>,
    patient: VecDeque<Arc<Track>>,
    closed: bool,
}

/// The lane of one stream.
pub(in crate::providers) struct Lane {
    track: Arc<Track>,
    decoders: Arc<Decoders>,
}

struct Track {
    out: SttOut,
    state: Mutex<State>,
    idle: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// Whether a thread works on the lane.
    busy: bool,
    /// Whether the stream is gone.
    closed: bool,
    words: Words,
}

impl Decoders {
    /// Starts the threads.
    pub(in crate::providers) fn start(moonshine: Moonshine) -> Result<Arc<Self>, ProviderError> {
        let queue = Arc::new(Queue { moonshine, ready: Mutex::default(), news: Condvar::new() });
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for n in 0..cores.clamp(1, THREADS_MAX) {
            let queue = queue.clone();
            let spawned =
                thread::Builder::new().name(format!("moonshine-{n}")).spawn(move || queue.serve());
            spawned.map_err(|error| ProviderError {
                what: format!("no thread for the recogniser could be started: {error}"),
                retry: Retry::After(Duration::from_secs(1)),
            })?;
        }
        Ok(Arc::new(Self { queue }))
    }

    /// Returns the lane of one stream.
    pub(in crate::providers) fn open(self: &Arc<Self>, out: SttOut) -> Lane {
        let track = Track { out, state: Mutex::default(), idle: Condvar::new() };
        Lane { track: Arc::new(track), decoders: self.clone() }
    }
}

impl Drop for Decoders {
    fn drop(&mut self) {
        lock(&self.queue.ready).closed = true;
        self.queue.news.notify_all();
    }
}

impl Lane {
    /// Returns keyterms for jobs.
    pub(in crate::providers) fn keyterms(&self, terms: &[String]) -> Keyterms {
        Keyterms::new(terms, &self.decoders.queue.moonshine.vocabulary)
    }

    /// Adds a job. Never waits.
    pub(in crate::providers) fn ask(&self, job: Job) {
        let mut state = lock(&self.track.state);
        // A newer job replaces those for partial transcripts.
        state.jobs.retain(|waiting| waiting.purpose.is_urgent() && !waiting.is_superseded_by(&job));
        if state.jobs.len() >= JOBS_MAX {
            warn!("recogniser too slow, speech dropped");
            return;
        }
        let is_urgent = job.purpose.is_urgent();
        state.jobs.push_back(job);
        if state.busy {
            return;
        }
        drop(state);
        self.decoders.queue.put(&self.track, is_urgent);
    }

    /// Waits until all jobs are done.
    pub(in crate::providers) fn settle(&self) {
        let mut state = lock(&self.track.state);
        while state.busy || !state.jobs.is_empty() {
            state = self.track.idle.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let mut state = lock(&self.track.state);
        state.closed = true;
        state.jobs.clear();
    }
}

impl Job {
    /// Whether this job is superfluous once `newer` has come.
    fn is_superseded_by(&self, newer: &Self) -> bool {
        self.purpose == Purpose::Pause && (self.piece, self.to) != (newer.piece, newer.to)
    }
}

impl Queue {
    fn put(&self, track: &Arc<Track>, is_urgent: bool) {
        let mut ready = lock(&self.ready);
        let other = if is_urgent { &mut ready.patient } else { &mut ready.urgent };
        let was_there = other.iter().position(|waiting| Arc::ptr_eq(waiting, track));
        if !is_urgent && was_there.is_some() {
            return;
        }
        if let Some(n) = was_there {
            other.remove(n);
        }
        let own = if is_urgent { &mut ready.urgent } else { &mut ready.patient };
        if !own.iter().any(|waiting| Arc::ptr_eq(waiting, track)) {
            own.push_back(track.clone());
        }
        self.news.notify_one();
    }

    /// Returns the next lane; `None` when the queue is closed.
    fn take(&self) -> Option<Arc<Track>> {
        let mut ready = lock(&self.ready);
        loop {
            let ready_now = &mut *ready;
            if let Some(track) =
                ready_now.urgent.pop_front().or_else(|| ready_now.patient.pop_front())
            {
                return Some(track);
            }
            if ready.closed {
                return None;
            }
            ready = self.news.wait(ready).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn serve(&self) {
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        while let Some(track) = self.take() {
            let mut state = lock(&track.state);
            // The thread that has the lane does the jobs that are left.
            if state.busy {
                continue;
            }
            let Some(job) = state.jobs.pop_front() else { continue };
            state.busy = true;
            let mut words = std::mem::take(&mut state.words);
            drop(state);
            // A panic in a network must not end the thread, which others need, nor leave a stream waiting.
            let decoding = AssertUnwindSafe(|| words.decode(&self.moonshine, &job, &pool));
            let last_reported = catch_unwind(decoding).unwrap_or_else(|_| {
                error!("decoder panicked");
                None
            });
            if let Some(transcript) = last_reported {
                (track.out)(transcript);
            }
            let mut state = lock(&track.state);
            (state.words, state.busy) = (words, false);
            let next =
                state.jobs.front().filter(|_| !state.closed).map(|job| job.purpose.is_urgent());
            drop(state);
            match next {
                Some(is_urgent) => self.put(&track, is_urgent),
                None => track.idle.notify_all(),
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The words of a stream so far.
#[derive(Default)]
struct Words {
    /// The words of each piece. Those of pieces that are over are final.
    pieces: BTreeMap<u32, Found>,
    /// The segment and text of the last transcript.
    last_reported: (u32, String),
}

/// The words of a piece.
#[derive(Clone, Default)]
struct Found {
    segment: u32,
    from: SessionTime,
    to: SessionTime,
    /// Whether the piece was decoded as if the voice had ended at `to`.
    is_whole: bool,
    decoded: Decoded,
}

impl Words {
    /// Does a job. Returns its transcript.
    fn decode(
        &mut self,
        moonshine: &Moonshine,
        job: &Job,
        pool: &Arc<ThreadPool>,
    ) -> Option<Transcript> {
        let earlier = self.pieces.get(&job.piece);
        let is_there = earlier.is_some_and(|found| {
            job.purpose == Purpose::Final && found.is_whole && found.to == job.to
        });
        if !is_there {
            let draft = earlier.map(|found| found.decoded.tokens.clone()).unwrap_or_default();
            let decoded = self.search(moonshine, job, &draft, pool);
            let Job { segment, from, to, .. } = *job;
            let is_whole = job.purpose.is_urgent();
            self.pieces.insert(job.piece, Found { segment, from, to, is_whole, decoded });
            while self.pieces.len() > PIECES_MAX {
                self.pieces.pop_first();
            }
        }
        self.transcript(moonshine, job)
    }

    fn search(
        &self,
        moonshine: &Moonshine,
        job: &Job,
        draft: &[u32],
        pool: &Arc<ThreadPool>,
    ) -> Decoded {
        let sound: Vec<f32> =
            job.sound.iter().map(|sample| f32::from(*sample) / 32_768.0).collect();
        let context = self.pieces.range(job.known..job.piece);
        let known: Vec<u32> = context
            .flat_map(|(_, found)| moonshine.open_ended(&found.decoded.tokens))
            .copied()
            .collect();
        let draft = moonshine.open_ended(draft);
        // Keyterms take time, and a partial transcript is replaced soon.
        let none = Keyterms::default();
        let keyterms = if job.purpose.is_urgent() { &*job.keyterms } else { &none };
        let search = |sound: &[f32], known: &[u32], draft: &[u32]| {
            moonshine.transcribe(sound, known, draft, keyterms, pool)
        };
        let mut found = search(&sound, &known, draft);
        let is_wordless = found.as_ref().is_ok_and(|found| found.tokens.is_empty());
        let own = &sound[job.before.min(sound.len())..];
        if found.as_ref().is_ok_and(|found| repeats(&known, &found.tokens)) {
            found = search(own, &[], &[]);
        }
        let again =
            is_wordless && job.purpose.is_urgent() && job.before > 0 && own.len() >= WORDLESS;
        let found = if again { search(own, &[], &[]) } else { found };
        found.unwrap_or_else(|why| {
            error!(why, "speech not decoded");
            Decoded::default()
        })
    }

    /// Returns the words of the job's segment so far, if they have changed.
    fn transcript(&mut self, moonshine: &Moonshine, job: &Job) -> Option<Transcript> {
        let of_segment = self.pieces.range(..=job.piece).map(|(_, found)| found);
        let of_segment: Vec<&Found> =
            of_segment.filter(|found| found.segment == job.segment).collect();
        let (last, before) = of_segment.split_last()?;
        let mut tokens: Vec<u32> = before
            .iter()
            .flat_map(|found| moonshine.open_ended(&found.decoded.tokens))
            .copied()
            .collect();
        tokens.extend(&last.decoded.tokens);
        // The text may begin with a comma that continues the context.
        let text = moonshine.text(&tokens);
        let text = text
            .trim_start_matches(|c: char| !c.is_alphanumeric() && !OPENING.contains(&c))
            .trim_end();
        // An unlikely full stop says more than is known, and the wait for the end of a sentence depends on
        // it.
        let unfinished = last.decoded.finished < FINISHED && text.ends_with(['.', '?', '!']);
        let text =
            if unfinished { text.trim_end_matches(['.', '?', '!']) } else { text }.to_owned();
        let is_final = job.purpose == Purpose::Final;
        let last_reported = (job.segment, text.clone());
        if !is_final && (last_reported == self.last_reported || text.is_empty()) {
            return None;
        }
        self.last_reported = last_reported;
        let from = of_segment[0].from;
        let worded = of_segment
            .iter()
            .filter(|found| !moonshine.open_ended(&found.decoded.tokens).is_empty());
        // The least certain piece says most about the whole.
        let confidence =
            worded.clone().map(|found| found.decoded.confidence).min_by(f32::total_cmp);
        let spans = worded.map(|found| Span::new(found.from, found.to));
        Some(Transcript {
            segment: job.segment,
            is_final,
            from,
            to: job.to,
            text,
            confidence,
            ends_turn: None,
            spans: if is_final { spans.collect() } else { Vec::new() },
        })
    }
}

/// Whether the words only repeat the end of the context: a decoder with too little sound does that.
fn repeats(known: &[u32], found: &[u32]) -> bool {
    found.len() >= REPEATED_MIN && known.windows(found.len()).any(|part| part == found)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::providers::models::Models;

    fn job(piece: u32, to_ms: u64, purpose: Purpose) -> Job {
        Job {
            piece,
            segment: 1,
            known: 1,
            from: SessionTime::ZERO,
            to: SessionTime::from_millis(to_ms),
            before: 0,
            sound: Vec::new(),
            keyterms: Arc::default(),
            purpose,
        }
    }

    /// P03: a thread that finds a lane busy leaves its jobs alone; one that finds it free does them all.
    #[test]
    fn no_job_is_lost() {
        let folder = std::env::var_os("VIVAVOCE_SPEECH__MODELS_DIR");
        let models = Models::new(folder.as_deref().map(Path::new));
        let moonshine = Moonshine::load(&models).unwrap();
        let queue = Queue { moonshine, ready: Mutex::default(), news: Condvar::new() };
        let last_reported = Arc::new(Mutex::new(0));
        let tell = last_reported.clone();
        let out: SttOut = Box::new(move |_| *lock(&tell) += 1);
        let track = Arc::new(Track { out, state: Mutex::default(), idle: Condvar::new() });
        for busy in [true, false] {
            {
                let mut state = lock(&track.state);
                state.busy = busy;
                let missing = 2 - state.jobs.len();
                let pieces = (1..).take(missing);
                state.jobs.extend(pieces.map(|piece| job(piece, 500, Purpose::Final)));
            }
            queue.put(&track, true);
            // The thread ends when no jobs are left.
            lock(&queue.ready).closed = true;
            queue.serve();
            let (left, last_reported) = (lock(&track.state).jobs.len(), *lock(&last_reported));
            assert_eq!((left, last_reported), if busy { (2, 0) } else { (0, 2) });
        }
    }

    /// P01: a job at a pause is superfluous when the voice has gone on, and only then: the end of the same
    /// voice needs it. A job at the end of a piece is never superfluous.
    #[test]
    fn a_pause_is_void_when_the_voice_goes_on() {
        for (purpose, newer, is_void) in [
            (Purpose::Pause, job(1, 500, Purpose::Final), false),
            (Purpose::Pause, job(1, 700, Purpose::Final), true),
            (Purpose::Pause, job(1, 700, Purpose::Partial), true),
            (Purpose::Pause, job(2, 500, Purpose::Pause), true),
            (Purpose::Partial, job(1, 700, Purpose::Pause), false),
            (Purpose::Cut, job(2, 700, Purpose::Final), false),
            (Purpose::Final, job(2, 700, Purpose::Pause), false),
        ] {
            let name =
                format!("{purpose:?}, then {:?} {} {}", newer.purpose, newer.piece, newer.to);
            assert_eq!(job(1, 500, purpose).is_superseded_by(&newer), is_void, "{name}");
        }
    }

    /// P01: words that are somewhere in the context are recognised as repeated; few words may be so by
    /// chance.
    #[test]
    fn the_context_is_recognised() {
        let known = [1, 2, 3, 4, 5, 6];
        for (found, wanted) in [
            (&[3, 4, 5, 6][..], true),
            (&[1, 2, 3, 4], true),
            (&known[..], true),
            (&[4, 5, 6], false),
            (&[3, 4, 5, 7], false),
            (&[1, 2, 3, 4, 5, 6, 7], false),
            (&[], false),
        ] {
            assert_eq!(repeats(&known, found), wanted, "{found:?}");
        }
        assert!(!repeats(&[], &[1, 2, 3, 4]));
    }
}
