//! The candidate's sound on its way to facts: decode → 16 kHz → VAD → STT.
//!
//! [`Listen`] is a plain struct that is fed with packets as they arrive, or with frames of PCM. It puts all
//! sound on one timeline without gaps, the session's: where no sound was sent there is silence, late sound
//! is processed late, and no sound is processed twice. [`Listen::heard`] returns how far the timeline is
//! processed.

mod captions;
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
use captions::Captions;
use interview::time::{SessionTime, Span};
use pre_connect::Waiting;
use timeline::Timeline;
use track::{Sound, Track};
use voiceroom::opus::OpusError;

/// The most transcripts that wait to be polled; more are dropped and logged.
const TRANSCRIPTS_MAX: usize = 256;

/// A fact about the candidate's speech.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// The candidate began to speak.
    SpeechStarted {
        /// The time of the first sample of voice.
        at: SessionTime,
    },
    /// The candidate stopped speaking.
    SpeechStopped {
        /// The time of the last sample of voice.
        at: SessionTime,
    },
    /// The words of a segment, as far as they are known.
    Transcript(Transcript),
}

/// Counters of faults in the candidate's sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// Packets that are not Opus.
    pub malformed: u64,
    /// Packets that never came. Their sound was concealed, or left out where many are missing.
    pub lost: u64,
    /// Pieces of sound that came more than 200 ms after their time and were processed late.
    pub late: u64,
    /// Pieces of sound that were dropped because there was much more sound than time had passed.
    pub flooded: u64,
}

/// The callback that asks for a [`Listen::poll`] when transcripts have come. Called from any thread.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// A consumer of the candidate's sound. Gets each piece with its place on the timeline, in order. Never
/// waits.
pub type Tap = Box<dyn FnMut(SessionTime, &Pcm16) + Send>;

/// The processing of one candidate's sound.
pub struct Listen {
    timeline: Timeline,
    track: Track,
    /// The track's sound while it waits for the pre-connect audio.
    waiting: Option<Waiting>,
    facts: VecDeque<Heard>,
    /// The beginning of speech in the fact that was polled last, until the next poll.
    begun: Option<SessionTime>,
    transcripts: Receiver<Transcript>,
    captions: Captions,
}

impl Listen {
    /// Returns a `Listen` without any sound yet. In lockstep `wake` may do nothing.
    pub fn new(vad: Box<dyn Vad>, stt: &dyn Stt, wake: Wake) -> Result<Self, ListenError> {
        Self::for_keyterms(vad, stt, &[], wake)
    }

    /// Returns a `Listen` with the keyterms of the interview, the most important first.
    pub fn for_keyterms(
        vad: Box<dyn Vad>,
        stt: &dyn Stt,
        keyterms: &[String],
        wake: Wake,
    ) -> Result<Self, ListenError> {
        let (out, transcripts) = sync_channel(TRANSCRIPTS_MAX);
        let told = move |transcript| {
            // A disconnected receiver means that the interview is over.
            if let Err(TrySendError::Full(_)) = out.try_send(transcript) {
                warn!("transcript dropped, nobody polls");
            }
            wake();
        };
        let stream = stt.open_for(keyterms, Box::new(told))?;
        let timeline = Timeline::new(vad, stream);
        let (track, facts) = (Track::new()?, VecDeque::new());
        let captions = Captions::default();
        Ok(Self { timeline, track, waiting: None, facts, begun: None, transcripts, captions })
    }

    /// Passes all sound from now on to `tap`, too.
    pub fn tap(&mut self, tap: Tap) {
        self.timeline.tap(tap);
    }

    /// Replaces the keyterms, from now on; the most important first.
    pub fn keyterms(&mut self, keyterms: &[String]) {
        self.timeline.keyterms(keyterms);
    }

    /// Begins a new track of the candidate: later packets belong to it.
    pub fn track_started(&mut self) -> Result<(), ListenError> {
        self.track.restart()?;
        self.waiting = None;
        Ok(())
    }

    /// Makes the track that has just started wait for its pre-connect audio, for 2 s at most.
    pub fn expect_pre_connect(&mut self, now: SessionTime) {
        self.waiting = Some(Waiting::begin(now));
    }

    /// Takes the pre-connect audio, then the sound of the track that waited for it. Returns how much of the
    /// recording was not in the track, too.
    pub fn pre_connect(
        &mut self,
        now: SessionTime,
        audio: &PreConnect,
    ) -> Result<Duration, PreConnectError> {
        let waiting = self.waiting.as_ref().ok_or(PreConnectError::TooLate)?;
        let decoded = audio.decode().map(|mut sound| {
            let new = sound.0.len() - waiting.overlap(&sound);
            sound.0.truncate(new);
            self.timeline.pre_connect(now, &sound, &mut self.facts);
            sound.duration()
        });
        self.end_waiting(now);
        decoded
    }

    /// Takes a packet of the track. A packet that is not Opus is counted and ignored.
    pub fn packet(&mut self, arrived: SessionTime, packet: Packet) {
        self.track.push(arrived, packet);
        self.take_packets(arrived);
    }

    /// Takes the next 20 ms of sound, which began at `at`. For use instead of packets, not beside them.
    pub fn frame(&mut self, at: SessionTime, sound: &Pcm16) {
        let whole =
            Sound { at, sound: sound.clone(), concealed: Duration::ZERO, lost: Duration::ZERO };
        self.timeline.sound(at + sound.duration(), &whole, &mut self.facts);
    }

    /// Handles that the candidate muted their microphone: from now on no sound means silence.
    pub fn muted(&mut self, now: SessionTime) {
        self.timeline.quiet();
        self.tick(now);
    }

    /// Gives up on missing packets whose time has passed, and takes missing sound for silence. To be called
    /// at [`Listen::deadline`], and before anything is decided at `now`.
    pub fn tick(&mut self, now: SessionTime) {
        self.take_packets(now);
        if self.waiting.as_ref().is_some_and(|waiting| now >= waiting.until) {
            warn!("what a candidate said before we heard them did not come in time");
            self.end_waiting(now);
        }
        self.timeline.tick(now, &mut self.facts);
    }

    /// The time of the next [`Listen::tick`], if nothing arrives before.
    pub fn deadline(&self) -> Option<SessionTime> {
        let (lost, waits) = (self.track.deadline(), self.waiting.as_ref().map(|w| w.until));
        [lost, waits, self.timeline.deadline()].into_iter().flatten().min()
    }

    /// Returns the next fact, in order. Transcripts come after the speech that they belong to.
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

    /// Returns the caption of a transcript that was polled, if it has changed: of a partial one the words
    /// that the recogniser will hardly take back.
    pub fn caption(&mut self, transcript: &Transcript) -> Option<String> {
        self.captions.hear(transcript)
    }

    /// The time up to which the candidate's sound is processed, as of the last call: no later fact tells of
    /// speech that began before it. While the beginning of speech is polled, it is not later than that
    /// beginning. It never goes back. Without sound it is the time of the last [`Listen::tick`].
    pub fn heard(&self) -> SessionTime {
        let untold = || self.facts.iter().find_map(beginning);
        let heard = self.timeline.heard();
        self.begun.or_else(untold).map_or(heard, |begun| heard.min(begun))
    }

    /// How long there has been no voice, while it is open whether speech has ended; otherwise zero.
    pub fn quiet_for(&self) -> Duration {
        self.timeline.quiet_for()
    }

    /// The end of the last voice, while it is open whether speech has ended with it: the time of the
    /// [`Heard::SpeechStopped`] that may follow.
    pub fn pausing(&self) -> Option<SessionTime> {
        self.timeline.pausing()
    }

    /// Keeps the sound from now on, for [`Self::sound`].
    pub fn keep_sound(&mut self) {
        self.timeline.keep_sound();
    }

    /// Returns the sound between two times of the last 10 s, as far as it was kept.
    pub fn sound(&self, from: SessionTime, to: SessionTime) -> Pcm16 {
        self.timeline.sound_between(from, to)
    }

    /// Waits until all sound so far is decoded, and from now on for each piece of sound before the recogniser
    /// gets the next, so that equal sound gives equal transcripts. For lockstep only.
    pub fn keep_in_step(&mut self) {
        self.timeline.keep_in_step();
    }

    /// Returns the counters of faults so far.
    pub fn troubles(&self) -> Troubles {
        let Troubles { late, flooded, .. } = self.timeline.troubles();
        Troubles { late, flooded, ..self.track.troubles() }
    }

    /// Ends the wait for pre-connect audio: takes the sound that has waited.
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

/// The reason why there can be no [`Listen`].
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The recogniser cannot be opened.
    #[error(transparent)]
    Stt(#[from] ProviderError),
    /// The decoder cannot be started.
    #[error(transparent)]
    Opus(#[from] OpusError),
}
