//! From a server's results, on the clock of a stream, to transcripts of segments, on the clock of the
//! session.
//!
//! `now` is the clock of the connection; all other times are times of the sound.

use std::{collections::VecDeque, time::Duration};

use tracing::warn;

use super::{
    past::{Past, StreamClock},
    results::{Finality, Results},
    segment::{Segment, Stage, Word},
};
use crate::providers::{SttOut, Transcript};
use audio::Pcm16;
use interview::time::SessionTime;

/// Finals that end at most this long before the end of voice are complete, as the VAD is no more exact.
const COVER: Duration = Duration::from_millis(100);
/// The longest wait for a segment's final from a model that detects turns: it sends all its words every
/// quarter of a second, and none are final before the end of the turn.
pub(in crate::providers) const TURN_FINAL_LIMIT: Duration = Duration::from_millis(300);
/// The distances before a segment's onset and after its end within which a word still belongs to it, as VAD
/// and recogniser differ.
const LEAD: Duration = Duration::from_millis(300);
const TAIL: Duration = Duration::from_millis(700);
/// The number of segments whose finals may still be corrected.
const SEGMENTS_MAX: usize = 16;
/// The largest distance, in seconds of the stream, between the beginnings of two results of the same
/// stretch.
const SAME_STRETCH: f64 = 0.01;

/// The state of one candidate's recognition: segments, words, and sound that may have to be sent again.
pub(super) struct Ear {
    out: SttOut,
    final_limit: Duration,
    segments: VecDeque<Segment>,
    count: u32,
    past: Past,
    stream_clock: StreamClock,
    /// The end of the sound that has finals, which is not sent again.
    settled: SessionTime,
    /// The end of the sound for which finals came, or the answer to a `Finalize`.
    answered: SessionTime,
    /// The end of the last final word.
    last_word_until: SessionTime,
    /// The end of the words that were reported on an earlier connection.
    reported_until: SessionTime,
    /// The beginning of the stretch that is still interim, in seconds of the stream.
    interim_start: Option<f64>,
}

impl Ear {
    pub(super) fn new(out: SttOut, final_limit: Duration) -> Self {
        Self {
            out,
            final_limit,
            segments: VecDeque::new(),
            count: 0,
            past: Past::default(),
            stream_clock: StreamClock::default(),
            settled: SessionTime::ZERO,
            answered: SessionTime::ZERO,
            last_word_until: SessionTime::ZERO,
            reported_until: SessionTime::ZERO,
            interim_start: None,
        }
    }

    /// Keeps sound, which may have to be sent again.
    pub(super) fn keep(&mut self, at: SessionTime, sound: Pcm16) {
        self.past.push(at, sound);
    }

    /// Notes that sound is sent.
    pub(super) fn sent(&mut self, at: SessionTime, sound: &Pcm16) {
        self.stream_clock.push(at, sound);
    }

    /// Returns the length of the sound that was sent on this connection, in seconds.
    pub(super) fn sent_seconds(&self) -> f64 {
        self.stream_clock.seconds()
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
        self.report_finals(now);
    }

    /// Begins another connection. Returns the sound to send on it, and how much speech is lost.
    pub(super) fn reconnected(&mut self) -> (Vec<(SessionTime, Pcm16)>, Duration) {
        let begins = self.past.begins().unwrap_or_default();
        // The words of the sound that is gone will not get better.
        let gone = self.settled..begins;
        let mut lost = Duration::ZERO;
        for segment in &mut self.segments {
            let until = segment.stopped().unwrap_or(SessionTime::from_micros(u64::MAX));
            lost += gone.end.min(until).since(gone.start.max(segment.from));
            self.last_word_until = self.last_word_until.max(segment.settle_interim(begins));
        }
        self.settled = self.settled.max(begins);
        self.reported_until = self.last_word_until;
        // The first result replaces the interim words of the connection before.
        self.interim_start = Some(f64::INFINITY);
        self.stream_clock = StreamClock::default();
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

    /// Whether speech has ended whose sound has no finals.
    pub(super) fn lacks_finals(&self) -> bool {
        let mut ends = self.segments.iter().filter_map(Segment::stopped);
        self.is_awaiting() || ends.any(|stopped| self.settled + COVER < stopped)
    }

    /// The time at which the wait for the next final ends.
    pub(super) fn deadline(&self) -> Option<SessionTime> {
        let awaited = self.segments.iter().filter_map(|segment| match segment.stage {
            Stage::Awaited { since, .. } => Some(since + self.final_limit),
            Stage::Speaking | Stage::Reported { .. } => None,
        });
        awaited.min()
    }

    /// Handles that time has passed.
    pub(super) fn tick(&mut self, now: SessionTime) {
        self.report_finals(now);
    }

    /// Takes results of the server.
    pub(super) fn hear(&mut self, now: SessionTime, results: &Results) {
        let Results { start, duration, finality, .. } = *results;
        let (is_final, is_turn) = (finality.is_final(), finality.ends_turn().is_some());
        let until = self.stream_clock.end(start + duration);
        let replaces = self.interim_start.is_some_and(|interim| start <= interim + SAME_STRETCH);
        if !is_final || replaces || is_turn {
            self.segments.iter_mut().for_each(|segment| segment.interim.clear());
            self.interim_start = (!is_final).then_some(start);
        }
        let changed = self.put(results);
        if is_final && duration > 0.0 {
            self.settled = self.settled.max(until);
        }
        if is_turn || finality == Finality::Finalized || is_final && duration > 0.0 {
            self.answered = self.answered.max(until);
        }
        if is_final {
            self.report_corrections(&changed);
        }
        self.report_partials();
        self.report_finals(now);
    }

    /// Adds words to their segments; returns the segments with new finals.
    fn put(&mut self, results: &Results) -> Vec<u32> {
        let mut words = self.words(results);
        let whole = words.len();
        words.retain(|word| word.middle() >= self.reported_until);
        if words.is_empty() {
            return Vec::new();
        }
        let (is_final, ends_turn) = (results.finality.is_final(), results.finality.ends_turn());
        if is_final {
            let last = words.iter().map(|word| word.to).max();
            self.last_word_until = self.last_word_until.max(last.unwrap_or_default());
        }
        let mut changed = Vec::new();
        let is_whole = words.len() == whole;
        for (number, words) in self.by_segment(words, is_final) {
            let is_all = is_whole && words.len() == whole;
            let Some(segment) = self.segments.iter_mut().find(|it| it.number == number) else {
                continue;
            };
            segment.ends_turn = ends_turn.map(|_| false);
            if !is_final {
                segment.interim.extend(words);
                continue;
            }
            // The whole transcript is written as its language requires, also where that has no spaces.
            let text = is_all.then(|| results.transcript.clone());
            segment.put_final(text, &words, results.confidence);
            changed.push(number);
        }
        let last =
            changed.last().and_then(|last| self.segments.iter_mut().find(|it| it.number == *last));
        if let Some(last) = last {
            last.ends_turn = ends_turn;
        }
        changed
    }

    /// Returns the words of a result; if it has no times of words, the whole text as a word at its end.
    fn words(&self, results: &Results) -> Vec<Word> {
        if results.transcript.is_empty() {
            return Vec::new();
        }
        if results.words.is_empty() {
            let at = self.stream_clock.end(results.start + results.duration);
            return vec![Word { from: at, to: at, text: results.transcript.clone() }];
        }
        let words = results.words.iter().map(|word| {
            let from = self.stream_clock.begin(word.start);
            let to = self.stream_clock.end(word.end).max(from);
            Word { from, to, text: word.text.clone() }
        });
        words.collect()
    }

    /// Returns words with the numbers of their segments, in order. Final words without a voice become a
    /// segment of their own; interim ones are left out.
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
        Some(self.begin(word.from, Stage::Reported { stopped: word.to }))
    }

    fn begin(&mut self, from: SessionTime, stage: Stage) -> u32 {
        self.count += 1;
        if self.segments.len() == SEGMENTS_MAX {
            self.segments.pop_front();
        }
        self.segments.push_back(Segment::new(self.count, from, stage));
        self.count
    }

    /// Reports corrections of finals.
    fn report_corrections(&mut self, changed: &[u32]) {
        for segment in self.segments.iter_mut().filter(|it| changed.contains(&it.number)) {
            if let Stage::Reported { stopped } = segment.stage
                && segment.has_changed()
            {
                (self.out)(segment.take_final(stopped));
            }
        }
    }

    fn report_partials(&mut self) {
        let open =
            self.segments.iter_mut().filter(|it| !matches!(it.stage, Stage::Reported { .. }));
        for segment in open {
            if let Some(transcript) = segment.take_partial() {
                (self.out)(transcript);
            }
        }
    }

    /// Reports the finals that are complete, and those whose wait is over.
    fn report_finals(&mut self, now: SessionTime) {
        for segment in &mut self.segments {
            let Stage::Awaited { stopped, since } = segment.stage else { continue };
            let is_covered = self.answered + COVER >= stopped;
            let is_complete = is_covered && segment.interim.is_empty();
            if !is_complete && now < since + self.final_limit {
                continue;
            }
            segment.stage = Stage::Reported { stopped };
            let transcript: Transcript = segment.take_final(stopped);
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::{super::results, *};

    const FINAL_LIMIT: Duration = Duration::from_millis(1_500);

    fn ms(ms: u64) -> SessionTime {
        SessionTime::from_millis(ms)
    }

    /// Words with their beginnings and ends, in seconds of the stream.
    type Words<'a> = &'a [(&'a str, f64, f64)];

    /// Returns a result from `start` to `end`, final or interim.
    fn heard(is_final: bool, start: f64, end: f64, text: &str, words: Words<'_>) -> Results {
        let finality = if is_final { Finality::Final } else { Finality::Interim };
        let sure = 0.5 + words.len() as f32 / 10.0;
        made(finality, (start, end), text, words, Some(sure))
    }

    /// Returns a result of a model that detects turns.
    fn turn(ends: bool, end: f64, text: &str, words: Words<'_>) -> Results {
        let finality = if ends { Finality::WholeTurn } else { Finality::TurnSoFar };
        made(finality, (0.0, end), text, words, None)
    }

    fn made(
        finality: Finality,
        (start, end): (f64, f64),
        text: &str,
        words: Words<'_>,
        confidence: Option<f32>,
    ) -> Results {
        let word = |(text, start, end): &(&str, f64, f64)| results::Word {
            text: (*text).to_owned(),
            start: *start,
            end: *end,
        };
        let (words, transcript) = (words.iter().map(word).collect(), text.to_owned());
        Results { start, duration: end - start, finality, transcript, confidence, words }
    }

    /// An ear with its transcripts: the segment's number, its time in ms and its text, with a dot if it is
    /// final, and whether a turn ends or goes on with it.
    struct Bench {
        ear: Ear,
        told: Arc<Mutex<Vec<String>>>,
        confidence: Arc<Mutex<Option<f32>>>,
    }

    impl Bench {
        /// Returns an ear to which `seconds` of sound were sent, in pieces of half a second.
        fn new(final_limit: Duration, seconds: u64) -> Self {
            let told: Arc<Mutex<Vec<String>>> = Arc::default();
            let confidence: Arc<Mutex<Option<f32>>> = Arc::default();
            let (out, sure) = (told.clone(), confidence.clone());
            let out: SttOut = Box::new(move |it: Transcript| {
                let (from, to) = (it.from.as_millis(), it.to.as_millis());
                let dot = if it.is_final { "." } else { "" };
                let turn = it.ends_turn.map_or("", |ends| if ends { " end" } else { " on" });
                *sure.lock().unwrap() = it.confidence;
                out.lock()
                    .unwrap()
                    .push(format!("{} {from}-{to} {}{dot}{turn}", it.segment, it.text));
            });
            let mut ear = Ear::new(out, final_limit);
            for n in 0..2 * seconds {
                let piece = Pcm16(vec![0; 8_000]);
                ear.keep(ms(500 * n), piece.clone());
                ear.sent(ms(500 * n), &piece);
            }
            Self { ear, told, confidence }
        }

        fn hear(&mut self, results: &Results) {
            self.ear.hear(SessionTime::ZERO, results);
        }

        /// Adds a voice from one time to another, in ms. Its end is reported at 0 s of the connection's
        /// clock.
        fn voice(&mut self, from: u64, to: u64) {
            self.ear.started(ms(from));
            self.ear.stopped(SessionTime::ZERO, ms(to));
        }

        /// Returns the transcripts since the last call.
        fn told(&mut self) -> Vec<String> {
            std::mem::take(&mut *self.told.lock().unwrap())
        }

        /// Begins another connection. Returns the beginning of the sound to send, in ms, and the lost
        /// speech.
        fn reconnect(&mut self) -> (u64, Duration) {
            let (sound, lost) = self.ear.reconnected();
            for (at, piece) in &sound {
                self.ear.sent(*at, piece);
            }
            (sound.first().unwrap().0.as_millis(), lost)
        }
    }

    /// P03: partials are reported when they change, finals replace them, once; corrected finals are reported
    /// again.
    #[test]
    fn finals_take_the_place_of_what_was_interim() {
        let mut bench = Bench::new(FINAL_LIMIT, 4);
        bench.ear.started(ms(0));
        bench.ear.started(ms(500));
        bench.hear(&heard(false, 0.0, 1.0, "one tw", &[("one", 0.1, 0.4), ("tw", 0.6, 0.9)]));
        bench.hear(&heard(false, 0.0, 1.1, "one tw", &[("one", 0.1, 0.4), ("tw", 0.6, 0.9)]));
        bench.hear(&heard(true, 0.0, 1.2, "one two", &[("one", 0.1, 0.4), ("two", 0.6, 1.0)]));
        bench.hear(&heard(false, 1.2, 1.6, "thr", &[("thr", 1.3, 1.5)]));
        assert_eq!(bench.told(), ["1 0-900 one tw", "1 0-1000 one two", "1 0-1500 one two thr"]);
        // Finals up to 100 ms before the end of the voice are complete, unless interim words are left.
        bench.ear.stopped(SessionTime::ZERO, ms(1_300));
        assert_eq!(bench.told(), Vec::<String>::new());
        bench.hear(&heard(true, 1.6, 1.6, "", &[]));
        assert!(bench.ear.is_awaiting(), "nothing was said of the rest");
        bench.hear(&heard(true, 1.2, 1.6, "three", &[("three", 1.3, 1.5)]));
        assert_eq!(bench.told(), ["1 0-1500 one two three", "1 0-1500 one two three."]);
        // The mean is weighted by words: two of 0.7, one of 0.6.
        assert!((bench.confidence.lock().unwrap().unwrap() - 2.0 / 3.0).abs() < 1e-6);
        assert!(!bench.ear.is_awaiting());
        bench.hear(&heard(true, 1.6, 1.8, "", &[]));
        bench.hear(&heard(false, 1.8, 2.0, "four", &[("four", 1.8, 1.9)]));
        assert_eq!(bench.told(), Vec::<String>::new(), "nothing new is final");
        bench.hear(&heard(true, 1.8, 2.0, "four", &[("four", 1.8, 1.9)]));
        assert_eq!(bench.told(), ["1 0-1900 one two three four."]);
    }

    /// P03: an answer to a `Finalize` counts without any sound, too; the wait for it has an end.
    #[test]
    fn a_final_is_waited_for() {
        for (limit, limit_ms) in [(FINAL_LIMIT, 1_500), (TURN_FINAL_LIMIT, 300)] {
            let mut bench = Bench::new(limit, 4);
            bench.voice(1_000, 1_500);
            assert_eq!(bench.ear.deadline(), Some(ms(limit_ms)));
            bench.ear.tick(ms(limit_ms - 1));
            assert_eq!(bench.told(), Vec::<String>::new());
            bench.ear.tick(ms(limit_ms));
            assert_eq!(bench.told(), ["1 1000-1500 ."]);
        }
        let mut bench = Bench::new(FINAL_LIMIT, 4);
        bench.voice(1_000, 1_500);
        bench.hear(&Results { finality: Finality::Finalized, ..heard(true, 4.0, 4.0, "", &[]) });
        assert_eq!(bench.told(), ["1 1000-1500 ."]);
        // No sound has finals: the next connection gets all of it again.
        assert_eq!(bench.reconnect(), (0, Duration::ZERO));
    }

    /// P03: finals are asked for on another connection only where speech has ended without them.
    #[test]
    fn finals_are_lacking_where_speech_has_ended() {
        let mut bench = Bench::new(FINAL_LIMIT, 4);
        assert!(!bench.ear.lacks_finals(), "nobody spoke");
        bench.ear.started(ms(500));
        assert!(!bench.ear.lacks_finals(), "they go on");
        bench.ear.stopped(SessionTime::ZERO, ms(1_300));
        assert!(bench.ear.lacks_finals());
        bench.ear.tick(ms(1_500));
        assert_eq!(bench.told(), ["1 500-1300 ."]);
        bench.reconnect();
        assert!(bench.ear.lacks_finals(), "the words may still come");
        bench.hear(&heard(true, 0.0, 1.2, "one", &[("one", 0.6, 1.2)]));
        assert!(!bench.ear.lacks_finals());
    }

    /// P03, P05: a word belongs to the voice nearest to it; a final word without a voice becomes a segment
    /// of its own. A text in one segment is written as its language requires.
    #[test]
    fn words_belong_to_voices() {
        let mut bench = Bench::new(FINAL_LIMIT, 20);
        bench.voice(2_000, 3_000);
        bench.voice(9_000, 10_000);
        bench.hear(&heard(false, 0.0, 14.0, "a b", &[("a", 0.2, 0.4), ("b", 13.0, 13.2)]));
        assert_eq!(bench.told(), Vec::<String>::new(), "nobody spoke");
        // Words up to 300 ms before a voice and 700 ms after it, and between two voices the nearer one.
        let near =
            [("c", 1.7, 1.8), ("d", 3.6, 3.7), ("e", 5.0, 5.1), ("f", 8.8, 8.9), ("g", 10.5, 10.7)];
        bench.hear(&heard(true, 0.0, 12.0, "c d e f g", &near));
        let told = bench.told();
        assert_eq!(told[2..], ["1 2000-5100 c d e.", "2 9000-10700 f g."], "{told:?}");
        bench.hear(&heard(
            true,
            12.0,
            14.0,
            "你好世界",
            &[("你好", 13.0, 13.2), ("世界", 13.3, 13.5)],
        ));
        assert_eq!(bench.told(), ["3 13000-13500 你好世界."], "800 ms are too far");
        for n in 0..SEGMENTS_MAX as u64 {
            bench.voice(14_000 + 100 * n, 14_050 + 100 * n);
        }
        assert_eq!(bench.ear.segments.len(), SEGMENTS_MAX);
        assert_eq!(bench.ear.segments.back().unwrap().number, SEGMENTS_MAX as u32 + 3);
    }

    /// P03: words that a connection had reported are not reported again on the next one; unsettled ones are.
    /// Interim words of sound that is too old to be sent again are kept.
    #[test]
    fn a_connection_goes_on_where_the_last_one_broke_off() {
        let mut bench = Bench::new(FINAL_LIMIT, 2);
        bench.ear.started(ms(0));
        bench.hear(&heard(true, 0.0, 0.9, "one", &[("one", 0.2, 0.9)]));
        bench.hear(&heard(false, 0.9, 1.6, "too", &[("too", 1.0, 1.5)]));
        assert_eq!(bench.reconnect(), (500, Duration::ZERO));
        bench.told();
        bench.hear(&heard(true, 0.0, 1.4, "one two", &[("one", 0.0, 0.4), ("two", 0.5, 1.0)]));
        assert_eq!(bench.told(), ["1 0-1500 one two"]);

        let mut bench = Bench::new(FINAL_LIMIT, 12);
        bench.ear.started(ms(500));
        bench.hear(&heard(false, 0.0, 12.0, "one too", &[("one", 0.6, 1.0), ("too", 11.0, 11.4)]));
        assert_eq!(bench.reconnect(), (2_000, Duration::from_millis(1_500)));
        assert_eq!(bench.told(), ["1 500-11400 one too"]);
        bench.hear(&heard(false, 0.0, 9.5, "two", &[("two", 9.0, 9.5)]));
        assert_eq!(bench.told(), ["1 500-11500 one two"]);
        // Sound that is lost again does not count twice.
        assert_eq!(bench.reconnect(), (2_000, Duration::ZERO));
    }

    /// P05: with a model that detects turns, a turn over two voices ends with the second. Its end is
    /// reported without a new word, too.
    #[test]
    fn a_turn_ends_with_its_last_voice() {
        let mut bench = Bench::new(TURN_FINAL_LIMIT, 8);
        bench.voice(1_000, 1_500);
        bench.ear.started(ms(3_000));
        let words = [("one", 1.0, 1.4), ("two", 3.1, 3.4)];
        bench.hear(&turn(false, 3.5, "one two", &words));
        assert_eq!(bench.told(), ["1 1000-1400 one", "2 3000-3400 two"]);
        bench.ear.stopped(SessionTime::ZERO, ms(3_500));
        bench.ear.tick(ms(300));
        assert_eq!(bench.told(), ["1 1000-1500 one. on", "2 3000-3500 two. on"]);
        bench.hear(&turn(true, 3.6, "one two", &words));
        assert_eq!(bench.told(), ["2 3000-3500 two. end"]);
    }
}
