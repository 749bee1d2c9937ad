//! A line to somebody at this machine's own microphone and loudspeaker: what a room would be, without a room.
//!
//! Nothing here knows a sound card: whoever has one pushes what its microphone gives into a [`Microphone`]
//! and fills what its loudspeaker wants from a [`Loudspeaker`], each on the card's own thread.

mod loudspeaker;
mod microphone;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{sync::mpsc, task::AbortHandle};

use super::{Caption, Line, LineEvent};
use crate::{
    audio::{FRAME, Pcm16, level},
    clock::Clock,
    interview::{End, NotDone, Status},
    speak::Mouth,
    time::SessionTime,
};
pub use loudspeaker::Loudspeaker;
pub use microphone::Microphone;

/// A microphone that gives nothing for so long gives nothing at all.
const SILENT_LIMIT: Duration = Duration::from_secs(5);
/// Reasons to stop that may wait; the first one counts.
const BROKEN_MAX: usize = 4;

/// How a sound card's samples come: interleaved, so many of each channel a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// 8,000 to 768,000.
    pub rate: u32,
    /// From 1.
    pub channels: u16,
}

/// What a candidate at the console sees. Nothing in it waits.
pub trait Screen: Send {
    /// Shows words.
    fn caption(&mut self, caption: Caption);

    /// Shows who does what.
    fn show(&mut self, status: &Status);

    /// Shows how loud the candidate is, in dBov, every 20 ms.
    fn level(&mut self, dbov: i8);
}

/// A line to the console.
pub struct ConsoleLine<S> {
    frames: mpsc::Receiver<(SessionTime, Pcm16)>,
    broken: mpsc::Receiver<String>,
    screen: S,
    clock: Clock,
    began: SessionTime,
    /// The candidate is there with the first sound, which comes right after they did.
    first: Option<(SessionTime, Pcm16)>,
    is_here: bool,
    pump: AbortHandle,
    troubles: Troubles,
}

/// The sound card's ends of a line.
pub struct Ends {
    /// Takes what its microphone gives.
    pub microphone: Microphone,
    /// Gives what its loudspeaker wants.
    pub loudspeaker: Loudspeaker,
    /// Ends the line when the card fails for good.
    pub broken: Broken,
}

/// Tells the line why no sound can flow any more. From any thread.
#[derive(Clone)]
pub struct Broken(mpsc::Sender<String>);

impl Broken {
    /// For this reason, one sentence.
    pub fn tell(&self, why: String) {
        // The first reason is enough.
        let _ = self.0.try_send(why);
    }
}

/// What went wrong between card and session, counted on either side.
#[derive(Clone, Debug, Default)]
pub struct Troubles {
    dropped: Arc<AtomicU64>,
    missing: Arc<AtomicU64>,
}

impl Troubles {
    /// Frames of the microphone that the session did not take in time, or that came faster than time passes.
    pub fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Samples of one channel that the loudspeaker wanted and nobody had.
    pub fn missing(&self) -> u64 {
        self.missing.load(Ordering::Relaxed)
    }
}

/// How many frames there may be by now: a device whose clock is not a clock (a file, a null device) must not
/// make an interview run faster than it is spoken.
#[derive(Debug, Default)]
struct Pace {
    began: Option<SessionTime>,
    frames: u32,
}

impl Pace {
    /// Whether one more frame fits with that much slack; then it is counted.
    fn admits(&mut self, now: SessionTime, slack: Duration) -> bool {
        let lasted = now.since(*self.began.get_or_insert(now));
        // Clocks of real cards differ from ours, by far less than this.
        let fits = FRAME * self.frames <= lasted + lasted / 100 + slack;
        self.frames += u32::from(fits);
        fits
    }
}

impl<S: Screen> ConsoleLine<S> {
    /// A line, and the ends of it that belong to a sound card with these formats. To be called on a runtime.
    pub fn new(
        input: Format,
        output: Format,
        mouth: Mouth,
        clock: Clock,
        screen: S,
    ) -> (Self, Ends) {
        let troubles = Troubles::default();
        let (microphone, frames) = Microphone::new(input, troubles.clone());
        let (loudspeaker, pump) = loudspeaker::pair(output, troubles.clone());
        let (broken_in, broken) = mpsc::channel(BROKEN_MAX);
        let line = Self {
            frames,
            broken,
            screen,
            clock,
            began: clock.now(),
            first: None,
            is_here: false,
            pump: tokio::spawn(pump.run(mouth, clock)).abort_handle(),
            troubles,
        };
        (line, Ends { microphone, loudspeaker, broken: Broken(broken_in) })
    }

    /// Where it is shown.
    pub fn screen(&mut self) -> &mut S {
        &mut self.screen
    }

    /// What went wrong so far.
    pub fn troubles(&self) -> &Troubles {
        &self.troubles
    }

    /// The next sound; or why there is none any more.
    async fn sound(&mut self) -> Result<(SessionTime, Pcm16), String> {
        let silent = self.clock.sleep_until(self.began + SILENT_LIMIT);
        tokio::select! {
            biased;
            Some(why) = self.broken.recv() => Err(why),
            frame = self.frames.recv() => frame.ok_or_else(|| "the microphone has ended".to_owned()),
            () = silent, if !self.is_here => Err(format!(
                "the microphone gave no sound for {} s: choose another one with --input",
                SILENT_LIMIT.as_secs()
            )),
        }
    }
}

impl<S> Drop for ConsoleLine<S> {
    fn drop(&mut self) {
        self.pump.abort();
    }
}

impl<S: Screen> Line for ConsoleLine<S> {
    async fn next(&mut self) -> LineEvent {
        let frame = match self.first.take() {
            Some(frame) => Ok(frame),
            None => self.sound().await,
        };
        match frame {
            Err(why) => LineEvent::Over(why),
            Ok(frame) if !self.is_here => {
                self.is_here = true;
                self.first = Some(frame);
                LineEvent::CandidateJoined
            }
            Ok((at, sound)) => {
                self.screen.level(level::dbov(&sound.0));
                LineEvent::Frame(at, sound)
            }
        }
    }

    fn show(&mut self, status: &Status) {
        self.screen.show(status);
    }

    fn caption(&mut self, caption: Caption) {
        self.screen.caption(caption);
    }

    fn acknowledge(&mut self, _id: &str, _outcome: Result<(), NotDone>) {}

    fn ended(&mut self, _end: End) {}
}
