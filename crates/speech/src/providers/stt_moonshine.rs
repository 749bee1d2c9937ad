//! The recogniser Moonshine, for English. It runs in this process, one copy for all interviews.
//!
//! The network reads a stretch of sound as a whole, so speech is decoded again and again while it grows. A
//! *piece* is such a stretch: a segment of speech, or a part of a long one, which is cut where it is
//! quietest. Words in short pieces are hard to recognise, so each piece is decoded with the sound and the
//! words of the pieces before it, its *context*. At the first silence, before it is certain that the voice
//! has ended, the piece is decoded as if it had ended: mostly the words are ready when the end is certain.
//!
//! A stream only keeps sound. A few threads decode for all streams; see `decoders`. The sound alone decides
//! what is decoded, and when: equal sound gives equal transcripts.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use super::{
    ProviderError, Stt, SttOut, SttStream,
    kind::{Kind, Need, Offer, Place, Provider},
    models::{self, Models},
    moonshine::{
        Moonshine,
        decoders::{Decoders, Job, Lane, Purpose},
        keyterms::Keyterms,
    },
};
use audio::Pcm16;
use interview::{blueprint::Language, time::SessionTime};

/// Samples at 16 kHz in a millisecond.
const MS: usize = 16;
/// The sound before an onset that belongs to its piece.
const LEAD: usize = 300 * MS;
/// The sound behind the last voice that belongs to its piece, as the end of a word is quiet.
const TAIL: Duration = Duration::from_millis(80);
/// How far back the onset of speech may lie when the VAD reports it.
const PAST_MAX: usize = LEAD + 700 * MS;
/// The growth after which a piece is decoded again: this much, and a part of its length, as longer sound
/// takes longer.
const GROWTH_MIN: usize = 300 * MS;
const GROWTH_PART: usize = 12;
/// The longest piece. A longer one is cut where it is quietest, between [`CUT_FROM`] and [`CUT_TO`] before
/// its end.
const PIECE_MAX: usize = 8_000 * MS;
const CUT_FROM: usize = 4_000 * MS;
const CUT_TO: usize = 600 * MS;
/// The length of the stretch whose level is compared for a cut.
const CUT_WINDOW: usize = 100 * MS;
/// The most sound of earlier pieces that is decoded with a piece.
const CONTEXT_MAX: usize = 6_000 * MS;
/// The longest gap between two pieces of which one is context for the other.
const CONTEXT_GAP: Duration = Duration::from_millis(2_500);
/// Sound that begins at most this long after the end of the sound before follows it without a gap.
const JITTER: Duration = Duration::from_millis(10);

/// The kind of providers that use Moonshine.
pub const KIND: Kind = Kind {
    name: "moonshine",
    doc: "Moonshine tiny (English), a network in files, hears in this process.",
    fields: &[],
    read: |_, _| {
        let stt = Offer::<dyn Stt>::new(Place::Embedded, |resources| {
            Ok(Arc::new(MoonshineStt::new(resources.models)?))
        });
        let needs = vec![Need::Models { title: "Moonshine", paths: models::paths("moonshine") }];
        Provider { stt: Some(stt), needs, ..Provider::new(Arc::new(())) }
    },
};

/// The recogniser.
pub struct MoonshineStt {
    decoders: Arc<Decoders>,
}

impl MoonshineStt {
    /// Reads the networks and starts the threads. Takes up to 0.5 s.
    pub fn new(models: &Models) -> Result<Self, ProviderError> {
        Ok(Self { decoders: Decoders::start(Moonshine::load(models)?)? })
    }
}

impl Stt for MoonshineStt {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        Ok(Box::new(Stream::new(self.decoders.open(out))))
    }

    fn hears(&self, language: Language) -> bool {
        language == Language::English
    }
}

/// The stream of one candidate.
struct Stream {
    lane: Lane,
    keyterms: Arc<Keyterms>,
    /// The sound that is in no piece yet.
    past: VecDeque<i16>,
    sound_end: SessionTime,
    /// The end of the sound that is in an earlier piece.
    taken: SessionTime,
    segments: u32,
    pieces: u32,
    /// The earlier pieces, the oldest first.
    context: VecDeque<Piece>,
    /// The piece of the segment that is being spoken.
    open: Option<Piece>,
}

/// A stretch of sound that is decoded as a whole.
struct Piece {
    id: u32,
    segment: u32,
    /// The time at which the speech in it began.
    from: SessionTime,
    /// The time of the first sample.
    begins: SessionTime,
    sound: Vec<i16>,
    /// The number of samples when it was last decoded.
    decoded: usize,
    /// The end of the last voice for which the VAD reported a pause.
    paused: Option<SessionTime>,
}

impl Piece {
    fn ends(&self) -> SessionTime {
        self.begins + length(self.sound.len())
    }

    /// Returns the number of samples before `at`.
    fn samples_until(&self, at: SessionTime) -> usize {
        samples(at.since(self.begins)).min(self.sound.len())
    }
}

impl Stream {
    fn new(lane: Lane) -> Self {
        Self {
            lane,
            keyterms: Arc::default(),
            past: VecDeque::new(),
            sound_end: SessionTime::ZERO,
            taken: SessionTime::ZERO,
            segments: 0,
            pieces: 0,
            context: VecDeque::new(),
            open: None,
        }
    }

    /// Returns a new piece, which takes the kept sound from `begins` on.
    fn piece(&mut self, segment: u32, from: SessionTime, begins: SessionTime) -> Piece {
        self.pieces += 1;
        let kept = length(self.past.len());
        let oldest = SessionTime::ZERO + self.sound_end.since(SessionTime::ZERO + kept);
        let begins = begins.max(oldest);
        let skipped = samples(begins.since(oldest)).min(self.past.len());
        let sound = self.past.drain(..).skip(skipped).collect();
        // The sound before the voice has no words.
        let decoded = samples(from.since(begins));
        Piece { id: self.pieces, segment, from, begins, sound, decoded, paused: None }
    }

    /// Orders the first `end` samples of the open piece to be decoded. The voice in them lasts up to `to`.
    fn decode(&mut self, end: usize, to: SessionTime, purpose: Purpose) {
        let Some(piece) = &mut self.open else { return };
        piece.decoded = piece.sound.len();
        let context: Vec<i16> =
            self.context.iter().flat_map(|earlier| &earlier.sound).copied().collect();
        self.lane.ask(Job {
            piece: piece.id,
            segment: piece.segment,
            known: self.context.front().map_or(piece.id, |first| first.id),
            from: piece.from,
            to,
            before: context.len(),
            sound: [&context, &piece.sound[..end.min(piece.sound.len())]].concat(),
            keyterms: self.keyterms.clone(),
            purpose,
        });
    }

    /// Orders a partial transcript, or cuts the piece, when the open piece has grown enough.
    fn grown(&mut self) {
        let Some(piece) = &self.open else { return };
        let (long, to) = (piece.sound.len(), piece.ends());
        let all = long + self.context.iter().map(|earlier| earlier.sound.len()).sum::<usize>();
        if long >= PIECE_MAX {
            self.cut();
        } else if long >= piece.decoded + GROWTH_MIN.max(all / GROWTH_PART) {
            self.decode(long, to, Purpose::Partial);
        }
    }

    /// Ends the open piece where it is quietest, and continues with the rest as another piece of the same
    /// segment.
    fn cut(&mut self) {
        let Some(piece) = &self.open else { return };
        let at = piece.sound.len() - CUT_FROM
            + quietest(&piece.sound[piece.sound.len() - CUT_FROM..][..CUT_FROM - CUT_TO]);
        let (segment, to) = (piece.segment, piece.begins + length(at));
        self.decode(at, to, Purpose::Cut);
        let Some(mut piece) = self.open.take() else { return };
        let rest = piece.sound.split_off(at);
        self.remember(piece);
        self.pieces += 1;
        let decoded = 0;
        self.open = Some(Piece {
            id: self.pieces,
            segment,
            from: to,
            begins: to,
            sound: rest,
            decoded,
            paused: None,
        });
    }

    /// Makes a piece that is over part of the context. The oldest pieces make room.
    fn remember(&mut self, piece: Piece) {
        self.taken = piece.ends();
        self.context.push_back(piece);
        let long = |context: &VecDeque<Piece>| {
            context.iter().map(|piece| piece.sound.len()).sum::<usize>()
        };
        while self.context.len() > 1 && long(&self.context) > CONTEXT_MAX {
            self.context.pop_front();
        }
    }
}

impl SttStream for Stream {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        if at.since(self.sound_end) > JITTER && self.open.is_none() {
            // The timeline has left out a part of a long silence.
            self.past.clear();
        }
        self.sound_end = at + sound.duration();
        if let Some(piece) = &mut self.open {
            piece.sound.extend_from_slice(&sound.0);
            self.grown();
            return;
        }
        self.past.extend(&sound.0);
        let over = self.past.len().saturating_sub(PAST_MAX);
        self.past.drain(..over);
    }

    fn speech_started(&mut self, at: SessionTime) {
        if self.open.is_some() {
            return;
        }
        if at.since(self.taken) > CONTEXT_GAP {
            self.context.clear();
        }
        self.segments += 1;
        let lead = SessionTime::ZERO + at.since(SessionTime::ZERO + length(LEAD));
        let piece = self.piece(self.segments, at, lead.max(self.taken));
        self.open = Some(piece);
    }

    fn speech_paused(&mut self, at: SessionTime) {
        let Some(piece) = &mut self.open else { return };
        if piece.paused.replace(at) != Some(at) {
            let end = piece.samples_until(at + TAIL);
            self.decode(end, at, Purpose::Pause);
        }
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        let Some(piece) = &self.open else { return };
        let end = piece.samples_until(at + TAIL);
        self.decode(end, at, Purpose::Final);
        let Some(mut piece) = self.open.take() else { return };
        // The sound behind the piece may be the lead of the next one.
        self.past = piece.sound.split_off(end).into();
        self.remember(piece);
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        self.keyterms = Arc::new(self.lane.keyterms(keyterms));
    }

    fn settle(&mut self) {
        self.lane.settle();
    }
}

fn length(samples: usize) -> Duration {
    Duration::from_micros(samples as u64 * 1_000 / MS as u64)
}

fn samples(length: Duration) -> usize {
    length.as_micros() as usize * MS / 1_000
}

/// Returns the middle of the quietest stretch of [`CUT_WINDOW`].
fn quietest(sound: &[i16]) -> usize {
    let energy = |window: &[i16]| window.iter().map(|s| i64::from(*s).pow(2)).sum::<i64>();
    let steps = (0..sound.len().saturating_sub(CUT_WINDOW)).step_by(CUT_WINDOW / 4);
    let least = steps.min_by_key(|begin| energy(&sound[*begin..begin + CUT_WINDOW]));
    least.unwrap_or(0) + CUT_WINDOW / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P01: a piece is cut in the middle of its quietest 100 ms, the first of several that are as quiet.
    #[test]
    fn the_quietest_stretch_is_found() {
        let sound = |quiet: &[(usize, usize, i16)]| {
            let mut sound = vec![i16::MIN; 1_000 * MS];
            for (from_ms, to_ms, sample) in quiet.iter().copied() {
                sound[from_ms * MS..to_ms * MS].fill(sample);
            }
            sound
        };
        for (name, sound, wanted_ms) in [
            ("one pause", sound(&[(300, 400, 0)]), 350),
            ("the quieter of two", sound(&[(200, 300, 20), (500, 600, -10)]), 550),
            ("a long one", sound(&[(400, 700, 0)]), 450),
            ("the longer of two", sound(&[(200, 250, 0), (600, 700, 0)]), 650),
            ("none", sound(&[]), 50),
        ] {
            assert_eq!(quietest(&sound), wanted_ms * MS, "{name}");
        }
    }
}
