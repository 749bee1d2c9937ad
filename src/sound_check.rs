//! The sound check before an interview: the recogniser says what it heard of a candidate's sentence (C01).
//! Nothing of it is kept.

use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::timeout,
};

use crate::{
    audio::{FRAME, FRAME_16, Pcm16, level::dbov},
    codec::wav,
    providers::{ProviderError, Stt, Transcript},
    time::SessionTime,
};

/// The longest sentence.
pub const SENTENCE_LIMIT: Duration = Duration::from_secs(15);
/// Sound that is softer has no voice in it.
const VOICE_DBOV_MIN: i8 = -55;
/// Silence behind the sentence, in frames: a voice is known to have ended after 200 ms.
const PAUSE: usize = 25;
/// Sentences that are recognised, wait to be, or are still coming in.
const TAKEN_MAX: usize = 8;
/// The longest time for it, the wait for others included.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);
/// How the recording is called in a sentence about it.
const RECORDING: &str = "the recording";

/// Opens the recogniser that a blueprint names, or that of the settings where it names none.
type Open = dyn Fn(&[String]) -> Result<Arc<dyn Stt>, String> + Send + Sync;

/// The recognisers that are open, by the names that chose them.
type Opened = BTreeMap<Vec<String>, Arc<dyn Stt>>;

/// Recognises sentences, one at a time. The recogniser is opened for the first of them.
pub struct SoundCheck {
    open: Box<Open>,
    opened: Arc<Mutex<Opened>>,
    taken: Arc<Semaphore>,
    at_once: Arc<Semaphore>,
}

/// A place for one sentence, from its first byte on. It is free again when this is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

/// Why nobody knows what was said.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotHeard {
    /// It is no sound that can be recognised, and how to mend that.
    #[error("{0}")]
    Sound(String),
    /// Others are being heard.
    #[error("The sound check is busy. Try again in a few seconds.")]
    Busy,
    /// The recogniser failed.
    #[error(
        "The sound check cannot listen at the moment. The level above still shows your microphone."
    )]
    Failed(String),
}

impl fmt::Debug for SoundCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SoundCheck").finish_non_exhaustive()
    }
}

impl SoundCheck {
    /// With what opens a recogniser by the names in a blueprint.
    pub fn new(
        open: impl Fn(&[String]) -> Result<Arc<dyn Stt>, String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            open: Box::new(open),
            opened: Arc::default(),
            taken: Arc::new(Semaphore::new(TAKEN_MAX)),
            at_once: Arc::new(Semaphore::new(1)),
        }
    }

    /// A place for a sentence, to be taken before its sound is: those who wait hold it in memory.
    pub fn place(&self) -> Result<Place, NotHeard> {
        let permit = self.taken.clone().try_acquire_owned().map_err(|_| NotHeard::Busy)?;
        Ok(Place { _permit: permit })
    }

    /// What was heard in a file that is there already, as [`SoundCheck::heard_at`] has it.
    pub async fn heard(&self, names: &[String], file: &[u8]) -> Result<String, NotHeard> {
        self.heard_at(self.place()?, names, file).await
    }

    /// What a recogniser, by its `names`, heard in a WAV file; empty where there was no word.
    pub async fn heard_at(
        &self,
        _place: Place,
        names: &[String],
        file: &[u8],
    ) -> Result<String, NotHeard> {
        let sound = sound(file)?;
        if dbov(&sound.0) < VOICE_DBOV_MIN {
            return Ok(String::new());
        }
        let failed = |why: &dyn fmt::Display| NotHeard::Failed(why.to_string());
        let listening = async {
            let turn = self.at_once.clone().acquire_owned().await.map_err(|why| failed(&why))?;
            let stt = self.recogniser(names)?;
            // The recogniser makes its caller wait, and its turn lasts as long as it works.
            let listen = spawn_blocking(move || {
                let words = recognise(&*stt, &sound);
                drop(turn);
                words
            });
            listen.await.map_err(|why| failed(&why))?.map_err(|why| failed(&why))
        };
        timeout(ANSWER_LIMIT, listening).await.map_err(|_| NotHeard::Busy)?
    }

    fn recogniser(&self, names: &[String]) -> Result<Arc<dyn Stt>, NotHeard> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stt) = opened.get(names) {
            return Ok(stt.clone());
        }
        let stt = (self.open)(names).map_err(NotHeard::Failed)?;
        opened.insert(names.to_vec(), stt.clone());
        Ok(stt)
    }
}

/// The sound of a file of 15 s at most.
fn sound(file: &[u8]) -> Result<Pcm16, NotHeard> {
    let recording = wav::parse(file, Path::new(RECORDING));
    let sound = recording.map_err(|why| NotHeard::Sound(why.to_string()))?.sound;
    if sound.duration() > SENTENCE_LIMIT {
        return Err(NotHeard::Sound(format!(
            "{RECORDING} is longer than {} s: say one sentence",
            SENTENCE_LIMIT.as_secs()
        )));
    }
    Ok(sound)
}

/// All that a recogniser understands in a sound, as one piece of speech.
pub fn recognise(stt: &dyn Stt, sound: &Pcm16) -> Result<String, ProviderError> {
    let transcripts: Arc<Mutex<Vec<Transcript>>> = Arc::default();
    let out = transcripts.clone();
    let mut stream = stt.open(Box::new(move |transcript: Transcript| {
        if transcript.is_final {
            out.lock().unwrap_or_else(PoisonError::into_inner).push(transcript);
        }
    }))?;
    let spoken = SessionTime::ZERO + sound.duration();
    let mut whole = sound.clone();
    whole.0.extend([0; PAUSE * FRAME_16]);
    let mut at = SessionTime::ZERO;
    stream.speech_started(at);
    for frame in whole.0.chunks_exact(FRAME_16) {
        stream.push(at, &Pcm16(frame.to_vec()));
        at += FRAME;
    }
    stream.speech_stopped(spoken);
    stream.settle();
    let mut said = transcripts.lock().unwrap_or_else(PoisonError::into_inner).clone();
    said.sort_by_key(|transcript| transcript.segment);
    let words: Vec<&str> = said.iter().map(|transcript| transcript.text.trim()).collect();
    Ok(words.join(" ").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::{SttOut, SttStream};

    /// A recogniser that counts what it hears.
    struct Counts;

    struct Counting {
        out: SttOut,
        frames: usize,
    }

    impl Stt for Counts {
        fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
            Ok(Box::new(Counting { out, frames: 0 }))
        }
    }

    impl SttStream for Counting {
        fn push(&mut self, _: SessionTime, _: &Pcm16) {
            self.frames += 1;
        }

        fn speech_started(&mut self, _: SessionTime) {}

        fn speech_stopped(&mut self, at: SessionTime) {
            for (segment, text) in [(2, "frames"), (1, &*self.frames.to_string())] {
                (self.out)(Transcript {
                    segment,
                    is_final: true,
                    from: SessionTime::ZERO,
                    to: at,
                    text: text.to_owned(),
                    confidence: None,
                    ends_turn: None,
                    spans: Vec::new(),
                });
            }
        }

        fn settle(&mut self) {}
    }

    fn wav(seconds: u32, loudness: i16) -> Vec<u8> {
        let rate = 16_000_u32;
        let length = seconds * rate * 2;
        let mut bytes = b"RIFF".to_vec();
        bytes.extend((36 + length).to_le_bytes());
        bytes.extend(b"WAVEfmt ");
        bytes.extend(16_u32.to_le_bytes());
        for half in [1_u16, 1] {
            bytes.extend(half.to_le_bytes());
        }
        bytes.extend(rate.to_le_bytes());
        bytes.extend((rate * 2).to_le_bytes());
        for half in [2_u16, 16] {
            bytes.extend(half.to_le_bytes());
        }
        bytes.extend(b"data");
        bytes.extend(length.to_le_bytes());
        for n in 0..seconds * rate {
            let sample = if n % 40 < 20 { loudness } else { -loudness };
            bytes.extend(sample.to_le_bytes());
        }
        bytes
    }

    /// C01: a sentence is recognised as a whole, with silence behind it; in silence nobody is made up.
    #[tokio::test]
    async fn a_sentence_is_heard() {
        let check = SoundCheck::new(|_| Ok(Arc::new(Counts)));
        let frames = 2 * 50 + PAUSE;
        assert_eq!(check.heard(&[], &wav(2, 8_000)).await, Ok(format!("{frames} frames")));
        assert_eq!(check.heard(&[], &wav(2, 1)).await, Ok(String::new()), "silence");
    }

    /// C01: what is no sentence is refused in words, and a recogniser that does not open says so.
    #[tokio::test]
    async fn what_is_no_sentence_is_refused() {
        let check = SoundCheck::new(|_| Err("no such file".to_owned()));
        for (file, says) in
            [(b"RIFF".to_vec(), "not a WAV file"), (wav(16, 8_000), "longer than 15 s")]
        {
            match check.heard(&[], &file).await {
                Err(NotHeard::Sound(why)) => assert!(why.contains(says), "{why}"),
                heard => panic!("{heard:?}"),
            }
        }
        let failed = Err(NotHeard::Failed("no such file".to_owned()));
        assert_eq!(check.heard(&[], &wav(1, 8_000)).await, failed);
    }
}
