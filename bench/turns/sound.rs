//! Candidates with noise: answers in a row with silence between them, their truth, and what is mixed in.

use vivavoce::audio::level;

use super::score::Span;

/// Samples in a millisecond.
pub(crate) const MS: usize = 16;
/// Silence before the first answer: detectors learn the noise in it.
const LEAD_MS: usize = 2_000;
/// Silence after each answer: longer than any rule waits for a sentence that is whole.
const GAP_MS: usize = 4_000;
/// Every answer's speech is brought to this level, as an automatic gain would.
pub(crate) const SPEECH_DBOV: f64 = -23.0;
/// Where no truth is known, windows of this length are loud or not.
const WINDOW_MS: usize = 10;
/// A gap that is shorter belongs to a word, and a sound that is shorter is a click.
const PAUSE_MIN_MS: u64 = 200;
const SPAN_MIN_MS: u64 = 60;
/// Speech is at most so much softer than the loudest of a recording, and so much louder than the quietest.
const BELOW_LOUD_DB: i32 = 20;
const ABOVE_QUIET_DB: i32 = 10;
/// People who talk in the background.
const TALKERS: usize = 4;

/// One answer as it was recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// From its first sample to its last.
    pub(crate) sound: Vec<i16>,
    /// Its speech, from the answer's own beginning, and the words of each span where they are known.
    pub(crate) spans: Vec<(Span, String)>,
}

/// Answers in a row.
#[derive(Clone, Debug)]
pub(crate) struct Take {
    pub(crate) name: String,
    pub(crate) sound: Vec<i16>,
    pub(crate) answers: Vec<Vec<Span>>,
    /// When each word was said, in order, as if all words of a span were equally long.
    pub(crate) words: Vec<(u64, String)>,
}

impl Take {
    /// The answers with silence before, between and after them; with none a quiet room of `quiet_ms`.
    pub(crate) fn new(name: &str, parts: &[Part], quiet_ms: usize) -> Self {
        let mut rng = Rng::of(name);
        let mut take =
            Self { name: name.into(), sound: Vec::new(), answers: Vec::new(), words: Vec::new() };
        rng.room(&mut take.sound, if parts.is_empty() { quiet_ms } else { LEAD_MS });
        for part in parts {
            take.add(part);
            rng.room(&mut take.sound, GAP_MS);
        }
        take
    }

    fn add(&mut self, part: &Part) {
        let begin_ms = (self.sound.len() / MS) as u64;
        let gain = rms_of(SPEECH_DBOV) / speech_rms(part).max(1.0);
        self.sound.extend(part.sound.iter().map(|sample| (f64::from(*sample) * gain) as i16));
        self.sound.resize(self.sound.len().next_multiple_of(MS), 0);
        let moved = |span: &Span| Span { start: begin_ms + span.start, end: begin_ms + span.end };
        self.answers.push(part.spans.iter().map(|(span, _)| moved(span)).collect());
        for (span, text) in &part.spans {
            let words: Vec<&str> = text.split_whitespace().collect();
            let at =
                |n: usize| (span.end - span.start) * (2 * n as u64 + 1) / (2 * words.len() as u64);
            let said = words.iter().enumerate();
            self.words.extend(said.map(|(n, w)| (begin_ms + span.start + at(n), (*w).to_owned())));
        }
    }

    /// How long nobody speaks.
    pub(crate) fn quiet_ms(&self) -> u64 {
        let speech: u64 = self.answers.iter().flatten().map(|span| span.end - span.start).sum();
        (self.sound.len() / MS) as u64 - speech
    }

    /// The sound with a noise of level 1, so much softer than the speech.
    pub(crate) fn with(&self, noise: &[f32], snr_db: f64) -> Vec<i16> {
        let gain = rms_of(SPEECH_DBOV - snr_db);
        let both = self.sound.iter().zip(noise);
        both.map(|(sample, noise)| (f64::from(*sample) + f64::from(*noise) * gain) as i16).collect()
    }
}

/// The speech of an answer, and nothing between its spans.
pub(crate) fn speech_of(part: &Part) -> Vec<i16> {
    let at = |ms: u64| usize::try_from(ms).map_or(usize::MAX, |ms| ms.saturating_mul(MS));
    let span = |span: &Span| part.sound.get(at(span.start)..at(span.end)).unwrap_or_default();
    part.spans.iter().flat_map(|(s, _)| span(s)).copied().collect()
}

/// White noise of level 1.
pub(crate) fn white(samples: usize, seed: &str) -> Vec<f32> {
    let mut rng = Rng::of(seed);
    // The sum of twelve is as good as normal, and its variance is 1.
    (0..samples).map(|_| (0..12).map(|_| rng.unit()).sum::<f32>() - 6.0).collect()
}

/// People in the background, of level 1: each goes on for ever with what `voices` say.
pub(crate) fn babble(samples: usize, voices: &[Vec<i16>], seed: &str) -> Vec<f32> {
    let mut rng = Rng::of(seed);
    let mut sum = vec![0.0; samples];
    for n in 0..TALKERS {
        let Some(voice) = voices.get(n % voices.len().max(1)).filter(|v| !v.is_empty()) else {
            continue;
        };
        let begin = (rng.unit() * voice.len() as f32) as usize;
        let endless = voice.iter().cycle().skip(begin);
        sum.iter_mut().zip(endless).for_each(|(sum, sample)| *sum += f32::from(*sample));
    }
    let level = rms(sum.iter().map(|s| f64::from(*s))).max(1.0);
    sum.iter().map(|s| s / level as f32).collect()
}

/// Where a clean recording has speech, by its energy: near what a person would mark. Breath and a room's echo
/// are none.
pub(crate) fn loud_spans(sound: &[i16]) -> Vec<Span> {
    let windows = sound.chunks(WINDOW_MS * MS);
    let levels: Vec<i32> = windows.map(|window| i32::from(level::dbov(window))).collect();
    let mut sorted = levels.clone();
    sorted.sort_unstable();
    let share = |percent: usize| sorted.get(sorted.len().saturating_sub(1) * percent / 100);
    let (Some(quiet), Some(loud)) = (share(5), share(95)) else { return Vec::new() };
    let least = (loud - BELOW_LOUD_DB).max(quiet + ABOVE_QUIET_DB);
    let mut spans: Vec<Span> = Vec::new();
    for (n, _) in levels.iter().enumerate().filter(|(_, level)| **level >= least) {
        let (start, end) = ((n * WINDOW_MS) as u64, ((n + 1) * WINDOW_MS) as u64);
        match spans.last_mut() {
            Some(last) if start - last.end < PAUSE_MIN_MS => last.end = end,
            Some(_) | None => spans.push(Span { start, end }),
        }
    }
    spans.retain(|span| span.end - span.start >= SPAN_MIN_MS);
    spans
}

fn speech_rms(part: &Part) -> f64 {
    rms(speech_of(part).into_iter().map(f64::from))
}

/// The level of samples, in their own unit.
pub(crate) fn rms(samples: impl Iterator<Item = f64>) -> f64 {
    let (mut energy, mut count) = (0.0, 0_u32);
    for sample in samples {
        energy += sample * sample;
        count += 1;
    }
    (energy / f64::from(count.max(1))).sqrt()
}

fn rms_of(dbov: f64) -> f64 {
    f64::from(i16::MAX) * 10_f64.powf(dbov / 20.0)
}

/// SplitMix64: the same noise on every machine.
struct Rng(u64);

impl Rng {
    fn of(seed: &str) -> Self {
        Self(seed.bytes().fold(0, |hash, byte| hash.rotate_left(9) ^ (u64::from(byte) * 0x9E37)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0..1
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    /// A quiet room: noise of one bit.
    fn room(&mut self, sound: &mut Vec<i16>, ms: usize) {
        sound.extend((0..ms * MS).map(|_| (self.next() % 3) as i16 - 1));
    }
}
