//! Moonshine as an ear: a recogniser of English in this process, one copy of it for all interviews.
//!
//! The network hears a stretch of sound as a whole, so what is being said is decoded again and again while it
//! grows. A *piece* is such a stretch: a segment of speech, or a part of a long one, cut where it is
//! quietest. Words in short pieces are hard to tell apart, so each piece is decoded with the sound and the
//! words of those before it, its *context*. At the first silence, before it is sure that the voice has ended,
//! the piece is decoded as if it had: mostly its words are there when the end is told.
//!
//! A stream only keeps sound. The decoding is done by a few threads for all streams; see `decoders`. What is
//! decoded, and when, depends on the sound alone: equal sound gives equal transcripts.

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
use interview::time::SessionTime;

/// Samples at 16 kHz in a millisecond.
const MS: usize = 16;
/// Sound before an onset that belongs to its piece.
const LEAD: usize = 300 * MS;
/// Sound behind the last voice that belongs to its piece: the end of a word is quiet.
const TAIL: Duration = Duration::from_millis(80);
/// How far back the onset of speech may lie when it is told.
const PAST_MAX: usize = LEAD + 700 * MS;
/// A piece is decoded again when it has grown by this much and by a part of what is decoded then, as that
/// takes longer.
const GROWTH_MIN: usize = 300 * MS;
const GROWTH_PART: usize = 12;
/// A longer piece is cut, between [`CUT_FROM`] before its end and [`CUT_TO`] before it, where it is quietest.
const PIECE_MAX: usize = 8_000 * MS;
const CUT_FROM: usize = 4_000 * MS;
const CUT_TO: usize = 600 * MS;
/// How long a stretch is looked at for a cut.
const CUT_WINDOW: usize = 100 * MS;
/// Sound of earlier pieces that is decoded with a piece.
const CONTEXT_MAX: usize = 6_000 * MS;
/// Pieces further apart have nothing to do with each other.
const CONTEXT_GAP: Duration = Duration::from_millis(2_500);
/// Sound that begins so near to the end of the one before follows it.
const JITTER: Duration = Duration::from_millis(10);

/// Moonshine hears.
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
}

/// One candidate's sound.
struct Stream {
    lane: Lane,
    keyterms: Arc<Keyterms>,
    /// Sound that is in no piece yet, and when it ends.
    past: VecDeque<i16>,
    fed: SessionTime,
    /// Up to where sound is in an earlier piece.
    taken: SessionTime,
    segments: u32,
    pieces: u32,
    /// Earlier pieces, the oldest first.
    context: VecDeque<Piece>,
    /// Of the segment that is open.
    open: Option<Piece>,
}

/// A stretch of sound that is decoded as a whole.
struct Piece {
    id: u32,
    segment: u32,
    /// When the speech in it began.
    from: SessionTime,
    /// Its first sample.
    begins: SessionTime,
    sound: Vec<i16>,
    /// How long it was when it was decoded last.
    decoded: usize,
    /// The last voice of which it was said that it may be the end.
    paused: Option<SessionTime>,
}

impl Piece {
    fn ends(&self) -> SessionTime {
        self.begins + length(self.sound.len())
    }

    /// So much of the sound lies before `at`.
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
            fed: SessionTime::ZERO,
            taken: SessionTime::ZERO,
            segments: 0,
            pieces: 0,
            context: VecDeque::new(),
            open: None,
        }
    }

    /// A new piece, which takes what is kept of the sound from `begins` on.
    fn piece(&mut self, segment: u32, from: SessionTime, begins: SessionTime) -> Piece {
        self.pieces += 1;
        let kept = length(self.past.len());
        let oldest = SessionTime::ZERO + self.fed.since(SessionTime::ZERO + kept);
        let begins = begins.max(oldest);
        let skipped = samples(begins.since(oldest)).min(self.past.len());
        let sound = self.past.drain(..).skip(skipped).collect();
        // What lies before the voice has no words.
        let decoded = samples(from.since(begins));
        Piece { id: self.pieces, segment, from, begins, sound, decoded, paused: None }
    }

    /// Has the first `end` samples of the open piece decoded, the voice in it lasting up to `to`.
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

    /// The open piece has grown.
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

    /// Ends the open piece where it is quietest, and goes on with the rest as another of the same segment.
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

    /// A piece is over: it is part of the context now, from which the oldest go.
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
        if at.since(self.fed) > JITTER && self.open.is_none() {
            // More silence than anybody needs to hear was left out.
            self.past.clear();
        }
        self.fed = at + sound.duration();
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
        // What came behind it may be the lead of the next one.
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

/// The middle of the quietest stretch of [`CUT_WINDOW`].
fn quietest(sound: &[i16]) -> usize {
    let energy = |window: &[i16]| window.iter().map(|s| i64::from(*s).pow(2)).sum::<i64>();
    let steps = (0..sound.len().saturating_sub(CUT_WINDOW)).step_by(CUT_WINDOW / 4);
    let least = steps.min_by_key(|begin| energy(&sound[*begin..begin + CUT_WINDOW]));
    least.unwrap_or(0) + CUT_WINDOW / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P01: a piece is cut in the middle of its quietest 100 ms; of several that are as quiet, in the first.
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
