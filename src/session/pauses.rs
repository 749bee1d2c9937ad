//! Whether a pause is the end of a turn, by its sound.
//!
//! The turn detector is asked at the first silence, as that may be one: its answer is there when the end of
//! the voice is told. Until then it is kept, and if the voice goes on it is nothing.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    audio::Pcm16,
    interview::{Event, Interview},
    listen::{self, Listen, Wake},
    providers::{
        PAUSE, TURN_MAX,
        turns::{TurnStream, Turns},
    },
    time::SessionTime,
};

/// A voice whose end is moved on and on, as some detectors do in noise, is asked about so often.
const AGAIN: Duration = Duration::from_millis(200);
/// A turn is heard with so much before its first voice.
const LEAD: Duration = Duration::from_millis(500);

/// Asks about the pauses of one candidate.
pub(super) struct Pauses {
    /// Nothing where nobody hears the ends of turns.
    stream: Option<TurnStream>,
    /// The newest answer: a last voice, and how likely it ended the turn, in percent.
    answer: Arc<Mutex<Option<(SessionTime, u8)>>>,
    /// The last voice that was asked about.
    asked: Option<SessionTime>,
    /// The end of voice that was told, until there is voice again.
    stopped: Option<SessionTime>,
}

impl Pauses {
    /// `wake` calls for [`Self::weighed`], from another thread. The ear keeps the sound that it will be asked
    /// for.
    pub(super) fn new(turns: Option<&Turns>, listen: &mut Listen, wake: Wake) -> Self {
        let answer = Arc::new(Mutex::new(None));
        let stream = turns.map(|turns| {
            listen.keep_sound();
            let newest = answer.clone();
            turns.open(Box::new(move |last, ended_percent| {
                let mut newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
                *newest = Some((last, ended_percent));
                wake();
            }))
        });
        Self { stream, answer, asked: None, stopped: None }
    }

    /// Something was heard of the candidate.
    pub(super) fn hear(&mut self, heard: &listen::Heard) {
        match heard {
            listen::Heard::SpeechStarted { .. } => self.stopped = None,
            listen::Heard::SpeechStopped { at } => self.stopped = Some(*at),
            listen::Heard::Transcript(_) => {}
        }
    }

    /// Asks, if this may be the end of a turn and was not asked about.
    pub(super) fn look(&mut self, listen: &Listen, interview: &Interview) {
        let Some(stream) = &self.stream else { return };
        let pausing = listen.pausing().filter(|_| listen.quiet_for() >= PAUSE);
        let Some(last) = self.stopped.or(pausing) else { return };
        let is_new = match (self.asked, self.stopped) {
            (None, _) => true,
            (Some(asked), None) => last >= asked + AGAIN,
            (Some(asked), Some(stopped)) => asked != stopped,
        };
        if is_new && let Some(sound) = sound_of_turn(listen, interview, last) {
            self.asked = Some(last);
            stream.ask(last, sound);
        }
    }

    /// What is known of the end of voice that was told; once.
    pub(super) fn weighed(&mut self) -> Option<Event> {
        let mut newest = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let (stopped, ended_percent) = newest.take_if(|(last, _)| Some(*last) == self.stopped)?;
        Some(Event::PauseWeighed { stopped, ended_percent })
    }
}

/// The same when nobody has to wait for an answer.
pub(super) fn weigh(
    turns: &Turns,
    listen: &Listen,
    interview: &Interview,
    stopped: SessionTime,
) -> Option<Event> {
    let sound = sound_of_turn(listen, interview, stopped)?;
    let ended_percent = turns.ended_percent(&sound)?;
    Some(Event::PauseWeighed { stopped, ended_percent })
}

/// The end of the turn that may have ended at `last`, if anybody wants to know of it.
fn sound_of_turn(listen: &Listen, interview: &Interview, last: SessionTime) -> Option<Pcm16> {
    let before =
        |at: SessionTime, by: Duration| SessionTime::ZERO + at.since(SessionTime::ZERO + by);
    let to = last + PAUSE;
    let from = before(interview.weighs_since()?, LEAD).max(before(to, TURN_MAX));
    Some(listen.sound(from, to))
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        sync::mpsc::{Receiver, SyncSender, sync_channel},
    };

    use super::*;
    use crate::{
        audio::{FRAME, FRAME_16},
        blueprint::Context,
        interview::ReplyId,
        journal::Inputs,
        providers::{TurnDetector, Vad, Window, stt_scripted::ScriptedStt},
    };

    /// Whatever is not silent is voice.
    struct Loudness;

    impl Vad for Loudness {
        fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
            let voiced = sound.0.iter().any(|sample| *sample != 0);
            out.push(Window { samples: sound.0.len(), voiced });
        }

        fn hangover(&self) -> Duration {
            Duration::ZERO
        }
    }

    /// Says that each turn is likelier to have ended than the one before, when its sound is taken.
    struct Counting(SyncSender<Pcm16>, Mutex<u8>);

    impl TurnDetector for Counting {
        fn ended_percent(&self, sound: &Pcm16) -> Option<u8> {
            self.0.send(sound.clone()).unwrap();
            let mut asked = self.1.lock().unwrap();
            *asked += 1;
            Some(*asked)
        }
    }

    /// A session's ear and interview, which has asked its first question at 0 s.
    struct Bench {
        listen: Listen,
        interview: Interview,
        pauses: Pauses,
        now: SessionTime,
        sounds: Receiver<Pcm16>,
        woken: Receiver<()>,
        /// What the interview was told of pauses.
        told: Vec<Event>,
    }

    fn interview(now: SessionTime) -> Interview {
        let file = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        };
        let files = fs::read_dir("agents/two-stage").unwrap().map(file).collect();
        let mut interview =
            Inputs::new("two-stage", files, Context::default()).interview().unwrap();
        let reply = ReplyId(1);
        let heard = String::new();
        for event in [
            Event::CandidateJoined,
            Event::SegmentReady { reply, n: 0, text: "Hello, I am an AI. Who are you?".into() },
            Event::ReplyStarted { reply },
            Event::SegmentHeard { reply, n: 0 },
            Event::ReplyFinished { reply, heard },
        ] {
            let _ = interview.handle(now, now, event);
        }
        interview
    }

    impl Bench {
        fn new() -> Self {
            let now = SessionTime::ZERO;
            // Nobody answers before the test has taken the sound.
            let ((asked, sounds), (wake, woken)) = (sync_channel(0), sync_channel(100));
            let turns = Turns::new(Arc::new(Counting(asked, Mutex::new(0)))).unwrap();
            let stt = ScriptedStt::new([]);
            let mut listen = Listen::new(Box::new(Loudness), &stt, Arc::new(|| {})).unwrap();
            let wake: Wake = Arc::new(move || wake.send(()).unwrap());
            let pauses = Pauses::new(Some(&turns), &mut listen, wake);
            let interview = interview(now);
            Self { listen, interview, pauses, now, sounds, woken, told: Vec::new() }
        }

        /// The next frames; looks after each.
        fn hear(&mut self, ms: u64, sample: i16) {
            for _ in 0..ms / 20 {
                self.listen.frame(self.now, &Pcm16(vec![sample; FRAME_16]));
                self.now += FRAME;
                self.look();
            }
        }

        fn look(&mut self) {
            let tell = |interview: &mut Interview, event| {
                let _ = interview.handle(self.now, self.now, event);
            };
            while let Some(fact) = self.listen.poll() {
                self.pauses.hear(&fact);
                tell(&mut self.interview, super::super::ear::spoken(fact));
            }
            self.pauses.look(&self.listen, &self.interview);
            if let Some(event) = self.pauses.weighed() {
                tell(&mut self.interview, event.clone());
                self.told.push(event);
            }
        }

        /// Waits for an answer; gives the sound that was asked about, in ms of voice and all.
        fn asked(&self) -> (usize, usize) {
            let sound = self.sounds.recv().unwrap().0;
            self.woken.recv().unwrap();
            (sound.iter().filter(|sample| **sample != 0).count() / 16, sound.len() / 16)
        }
    }

    /// T04: after 100 ms of silence it is asked, with the turn's sound; the interview is told of it once,
    /// right behind the end of the voice.
    #[test]
    fn a_pause_is_weighed_ahead() {
        let mut bench = Bench::new();
        bench.hear(1_000, 0);
        bench.hear(1_000, 5_000);
        bench.hear(80, 0);
        assert!(bench.sounds.try_recv().is_err());
        bench.hear(60, 0);
        assert_eq!(bench.asked(), (1_000, 500 + 1_000 + 100));
        bench.hear(40, 0);
        assert_eq!(bench.told, []);
        bench.hear(200, 0);
        // The voice fades for 20 ms more than it is heard.
        assert_eq!(bench.told.len(), 1, "{:?}", bench.told);
        assert!(matches!(bench.told[0], Event::PauseWeighed { stopped, ended_percent: 1 }
            if stopped.as_millis().abs_diff(2_000) <= 20));
        assert!(bench.sounds.try_recv().is_err());
    }

    /// T04: what was said of a gap in the voice is not told, nor is it asked about again and again; the pause
    /// that follows is.
    #[test]
    fn who_goes_on_was_not_weighed() {
        let mut bench = Bench::new();
        bench.hear(1_000, 5_000);
        bench.hear(120, 0);
        let (voice, _) = bench.asked();
        assert_eq!(voice, 1_000);
        bench.hear(40, 5_000);
        bench.hear(120, 0);
        assert!(bench.sounds.try_recv().is_err(), "asked again within 200 ms");
        bench.hear(500, 5_000);
        assert_eq!(bench.told, []);
        bench.hear(160, 0);
        let (voice, _) = bench.asked();
        assert_eq!(voice, 1_540);
        bench.hear(200, 0);
        let stopped = match bench.told[..] {
            [Event::PauseWeighed { stopped, ended_percent: 2 }] => stopped.as_millis(),
            _ => panic!("{:?}", bench.told),
        };
        assert!(stopped.abs_diff(1_780) <= 20, "{stopped}");
    }

    /// T04: of a long turn the end is heard.
    #[test]
    fn a_long_turn_is_cut() {
        let mut bench = Bench::new();
        bench.hear(12_000, 5_000);
        bench.hear(120, 0);
        let all = TURN_MAX.as_millis() as usize;
        assert_eq!(bench.asked(), (all - PAUSE.as_millis() as usize, all));
    }

    /// T04: an end of voice that is told before anybody looked is asked about then, and its answer comes
    /// later; one that comes when they speak again does not.
    #[test]
    fn a_burst_is_weighed_late() {
        let mut bench = Bench::new();
        bench.hear(600, 5_000);
        let burst = |bench: &mut Bench, sample: i16| {
            for _ in 0..15 {
                bench.listen.frame(bench.now, &Pcm16(vec![sample; FRAME_16]));
                bench.now += FRAME;
            }
            bench.look();
        };
        burst(&mut bench, 0);
        let (voice, all) = bench.asked();
        assert_eq!((voice, bench.told.len()), (600, 0), "{all}");
        bench.look();
        assert_eq!(bench.told.len(), 1);
        bench.hear(600, 5_000);
        burst(&mut bench, 0);
        bench.asked();
        burst(&mut bench, 5_000);
        bench.hear(100, 5_000);
        assert_eq!(bench.told.len(), 1, "{:?}", bench.told);
    }
}
