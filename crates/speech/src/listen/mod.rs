//! The candidate's sound on its way to facts: decode → 16 kHz → VAD → STT.
//!
//! [`Listen`] is a plain struct that is pushed: by packets as they arrive, or by frames of PCM. It puts all
//! sound on one timeline, the session's, without gaps: what nobody sent is silence, what came late is heard
//! late, and nothing is heard twice. [`Listen::heard`] says how far that timeline is processed.

mod detector;
mod fade;
mod pre_connect;
mod recent;
mod recogniser;
mod speech;
mod timeline;
mod track;

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        mpsc::{Receiver, TrySendError, sync_channel},
    },
    time::Duration,
};

use tracing::warn;

pub use pre_connect::{PreConnect, PreConnectError};
pub use track::Packet;

use crate::providers::{ProviderError, Stt, Transcript, Vad};
use audio::Pcm16;
use interview::time::{SessionTime, Span};
use pre_connect::Waiting;
use timeline::Timeline;
use track::{Sound, Track};
use voiceroom::opus::OpusError;

/// Transcripts that wait to be polled; more are dropped and logged.
const TRANSCRIPTS_MAX: usize = 256;

/// What was heard of the candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Voice began.
    SpeechStarted {
        /// Its first sample.
        at: SessionTime,
    },
    /// Voice ended.
    SpeechStopped {
        /// Its last sample.
        at: SessionTime,
    },
    /// Words, as far as they are known.
    Transcript(Transcript),
}

/// Counters of what went wrong on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// Packets that are no Opus.
    pub malformed: u64,
    /// Packets that never came; their sound was made up, or left out where many are missing.
    pub lost: u64,
    /// Pieces of sound that came more than 200 ms after their time and were heard late.
    pub late: u64,
    /// Pieces that were dropped because far more came than time has passed.
    pub flooded: u64,
}

/// Calls for a [`Listen::poll`] when words have come, from any thread.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Takes the candidate's sound, each piece with its place on the timeline, in order. Never waits.
pub type Tap = Box<dyn FnMut(SessionTime, &Pcm16) + Send>;

/// One candidate's ear.
pub struct Listen {
    timeline: Timeline,
    track: Track,
    /// The track's sound while what was said before it is on its way.
    waiting: Option<Waiting>,
    facts: VecDeque<Heard>,
    /// The beginning of speech that was polled last, until the next poll.
    begun: Option<SessionTime>,
    transcripts: Receiver<Transcript>,
}

impl Listen {
    /// An ear that has heard nothing. In lockstep nobody needs waking.
    pub fn new(vad: Box<dyn Vad>, stt: &dyn Stt, wake: Wake) -> Result<Self, ListenError> {
        Self::for_keyterms(vad, stt, &[], wake)
    }

    /// The same with rare words that will be said in the interview, the most important first.
    pub fn for_keyterms(
        vad: Box<dyn Vad>,
        stt: &dyn Stt,
        keyterms: &[String],
        wake: Wake,
    ) -> Result<Self, ListenError> {
        let (out, transcripts) = sync_channel(TRANSCRIPTS_MAX);
        let told = move |transcript| {
            // Where nobody listens any more the interview is over.
            if let Err(TrySendError::Full(_)) = out.try_send(transcript) {
                warn!("transcript dropped, nobody polls");
            }
            wake();
        };
        let stream = stt.open_for(keyterms, Box::new(told))?;
        let timeline = Timeline::new(vad, stream);
        let (track, facts) = (Track::new()?, VecDeque::new());
        Ok(Self { timeline, track, waiting: None, facts, begun: None, transcripts })
    }

    /// All sound from now on goes to `tap`, too.
    pub fn tap(&mut self, tap: Tap) {
        self.timeline.tap(tap);
    }

    /// Rare words that will be said from now on, the most important first.
    pub fn keyterms(&mut self, keyterms: &[String]) {
        self.timeline.keyterms(keyterms);
    }

    /// The candidate has another track now: what comes belongs to it.
    pub fn track_started(&mut self) -> Result<(), ListenError> {
        self.track.restart()?;
        self.waiting = None;
        Ok(())
    }

    /// What was said before the track that has just started was recorded, and is on its way: the track's own
    /// sound waits for it, for 2 s at most.
    pub fn expect_pre_connect(&mut self, now: SessionTime) {
        self.waiting = Some(Waiting::begin(now));
    }

    /// What was said before the track. Gives what of it is new, after which the sound that has waited is
    /// heard.
    pub fn pre_connect(
        &mut self,
        now: SessionTime,
        audio: &PreConnect,
    ) -> Result<Duration, PreConnectError> {
        let waiting = self.waiting.as_ref().ok_or(PreConnectError::TooLate)?;
        let decoded = audio.decode().map(|mut sound| {
            let new = sound.0.len() - waiting.overlap(&sound);
            sound.0.truncate(new);
            self.timeline.before(now, &sound, &mut self.facts);
            sound.duration()
        });
        self.end_waiting(now);
        decoded
    }

    /// A packet of the track arrived. What is no Opus is counted and ignored.
    pub fn packet(&mut self, arrived: SessionTime, packet: Packet) {
        self.track.push(arrived, packet);
        self.take_packets(arrived);
    }

    /// The next 20 ms of sound began at `at`. To be used instead of packets, not beside them.
    pub fn frame(&mut self, at: SessionTime, sound: &Pcm16) {
        let whole =
            Sound { at, sound: sound.clone(), made_up: Duration::ZERO, lost: Duration::ZERO };
        self.timeline.sound(at + sound.duration(), &whole, &mut self.facts);
    }

    /// The candidate muted their microphone: no sound is silence from now on.
    pub fn muted(&mut self, now: SessionTime) {
        self.timeline.quiet();
        self.tick(now);
    }

    /// Time has passed: gives up on missing packets, and takes no sound for silence. To be called at
    /// [`Listen::deadline`], and before anything is decided at `now`.
    pub fn tick(&mut self, now: SessionTime) {
        self.take_packets(now);
        if self.waiting.as_ref().is_some_and(|waiting| now >= waiting.until) {
            warn!("what a candidate said before we heard them did not come in time");
            self.end_waiting(now);
        }
        self.timeline.tick(now, &mut self.facts);
    }

    /// When the next [`Listen::tick`] is due, if nothing arrives before.
    pub fn deadline(&self) -> Option<SessionTime> {
        let (lost, waits) = (self.track.deadline(), self.waiting.as_ref().map(|w| w.until));
        [lost, waits, self.timeline.deadline()].into_iter().flatten().min()
    }

    /// The next fact, in order; words come after the speech that they belong to.
    pub fn poll(&mut self) -> Option<Heard> {
        let fact = self.facts.pop_front();
        self.begun = fact.as_ref().and_then(beginning);
        fact.or_else(|| {
            let transcript = self.transcripts.try_recv().ok()?;
            let clamp = |at| self.timeline.at_most_now(at);
            let (from, to) = (clamp(transcript.from), clamp(transcript.to));
            let spans = transcript.spans.iter().map(|it| Span::new(clamp(it.from), clamp(it.to)));
            let spans = spans.collect();
            Some(Heard::Transcript(Transcript { from, to, spans, ..transcript }))
        })
    }

    /// Up to when the candidate's sound is processed, as of the last call: no speech will be told that began
    /// before, nor was while its beginning is being told. Never goes back; without sound it is the time of
    /// the last [`Listen::tick`].
    pub fn heard(&self) -> SessionTime {
        let untold = || self.facts.iter().find_map(beginning);
        let heard = self.timeline.heard();
        self.begun.or_else(untold).map_or(heard, |begun| heard.min(begun))
    }

    /// For how long there was no voice, while it is open whether speech has ended; else nothing.
    pub fn quiet_for(&self) -> Duration {
        self.timeline.quiet_for()
    }

    /// Their last voice, while it is open whether speech has ended with it: the time that
    /// [`Heard::SpeechStopped`] will tell.
    pub fn pausing(&self) -> Option<SessionTime> {
        self.timeline.pausing()
    }

    /// Sound is kept from now on, for [`Self::sound`].
    pub fn keep_sound(&mut self) {
        self.timeline.keep_sound();
    }

    /// What was heard between two times of the last 10 s, as far as it was kept.
    pub fn sound(&self, from: SessionTime, to: SessionTime) -> Pcm16 {
        self.timeline.sound_between(from, to)
    }

    /// Waits until all sound so far is decoded and its words can be polled. For lockstep only.
    pub fn settle(&mut self) {
        self.timeline.settle();
    }

    /// What went wrong so far.
    pub fn troubles(&self) -> Troubles {
        let Troubles { late, flooded, .. } = self.timeline.troubles();
        Troubles { late, flooded, ..self.track.troubles() }
    }

    /// The track's sound is heard from now on, with what has waited.
    fn end_waiting(&mut self, now: SessionTime) {
        for piece in self.waiting.take().into_iter().flat_map(|waiting| waiting.pieces) {
            self.timeline.sound(now, &piece, &mut self.facts);
        }
    }

    fn take_packets(&mut self, now: SessionTime) {
        while let Some(piece) = self.track.pop(now) {
            match (piece, &mut self.waiting) {
                (track::Piece::Sound(piece), Some(waiting)) => {
                    if !waiting.push(piece) {
                        self.end_waiting(now);
                    }
                }
                (track::Piece::Sound(piece), None) => {
                    self.timeline.sound(now, &piece, &mut self.facts);
                }
                (track::Piece::Quiet, Some(_)) => {}
                (track::Piece::Quiet, None) => {
                    self.timeline.quiet();
                    self.timeline.tick(now, &mut self.facts);
                }
            }
        }
    }
}

fn beginning(fact: &Heard) -> Option<SessionTime> {
    match fact {
        Heard::SpeechStarted { at } => Some(*at),
        Heard::SpeechStopped { .. } | Heard::Transcript(_) => None,
    }
}

/// Why there is no ear.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The recogniser refused.
    #[error(transparent)]
    Stt(#[from] ProviderError),
    /// The decoder did not start.
    #[error(transparent)]
    Opus(#[from] OpusError),
}
