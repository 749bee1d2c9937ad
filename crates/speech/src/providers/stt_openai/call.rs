//! One call of a transcription: sound as a WAV file in a form, words as JSON.

use std::{
    fmt::Write as _,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde::Deserialize;

use crate::providers::{
    ProviderError,
    http::{Failure, Site, transient_error},
};

/// The rate of the sound: 16 bits, one channel.
const RATE: u32 = 16_000;
/// The least sound that is sent, in samples: OpenAI refuses what is shorter than 0.1 s. Silence is added.
const SAMPLES_MIN: usize = RATE as usize / 4;
/// What parts the fields of the form; no field contains it.
const BOUNDARY: &str = "vivavoce-e4c1f0a2b7d94e6f8a3b5c7d9e1f2a4b";
/// Whisper's own rule for a stretch without speech: it is probably none, and its words are unlikely.
const NO_SPEECH_MIN: f64 = 0.6;
const UNLIKELY_MAX: f64 = -1.0;

/// A server that transcribes.
pub(super) struct Caller {
    pub(super) site: Arc<Site>,
    pub(super) model: String,
    /// The language by its code; empty: the server finds it out.
    pub(super) language: String,
    /// Whether the server is asked how sure it is of its words, which only Whisper tells.
    pub(super) is_verbose: AtomicBool,
}

/// The words of a stretch of sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Words {
    pub(super) text: String,
    /// The confidence, 0..=1, if the server gives one.
    pub(super) confidence: Option<f32>,
}

/// A call that failed.
pub(super) struct Failed {
    pub(super) error: ProviderError,
    /// Whether it failed for the sound that was sent, so that other sound may pass.
    pub(super) is_about_the_sound: bool,
}

impl From<ProviderError> for Failed {
    fn from(error: ProviderError) -> Self {
        Self { error, is_about_the_sound: false }
    }
}

impl Caller {
    /// Transcribes sound once. `prompt` are words that may be in it.
    pub(super) async fn transcribe(&self, sound: &[i16], prompt: &str) -> Result<Words, Failed> {
        let is_verbose = self.is_verbose.load(Ordering::Relaxed);
        match self.call(sound, prompt, is_verbose).await {
            Err(Called::Refused(failure)) if is_verbose && is_about_the_format(&failure) => {
                tracing::info!(
                    place = self.site.place,
                    "the recogniser does not say how sure it is"
                );
                self.is_verbose.store(false, Ordering::Relaxed);
                Ok(self.call(sound, prompt, false).await?)
            }
            called => Ok(called?),
        }
    }

    async fn call(&self, sound: &[i16], prompt: &str, is_verbose: bool) -> Result<Words, Called> {
        let mut fields = vec![
            ("model", self.model.as_str()),
            ("response_format", if is_verbose { "verbose_json" } else { "json" }),
        ];
        fields.extend(Some(("language", self.language.as_str())).filter(|(_, it)| !it.is_empty()));
        fields.extend(Some(("prompt", prompt)).filter(|(_, it)| !it.is_empty()));
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let response = self.site.post_as(&kind, form(&fields, sound)).await?;
        let answer = self.site.read(response).await.map_err(Called::Broke)?;
        Words::read(&answer).ok_or_else(|| {
            let (place, setting) = (&self.site.place, self.site.setting("base_url"));
            Called::Broke(transient_error(format!(
                "{place} answers with no transcript; is {setting} right?"
            )))
        })
    }
}

/// A call that brought no words.
enum Called {
    Refused(Failure),
    Broke(ProviderError),
}

impl From<Failure> for Called {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}

impl From<Called> for Failed {
    fn from(called: Called) -> Self {
        match called {
            Called::Refused(failure) => {
                let is_about_the_sound = failure.is_about_the_request();
                Self { error: failure.into(), is_about_the_sound }
            }
            Called::Broke(error) => error.into(),
        }
    }
}

/// Whether a server refuses a call because of the form of answer that is wanted.
fn is_about_the_format(failure: &Failure) -> bool {
    let reason = failure.reason.to_lowercase();
    failure.is_about_the_request()
        && ["response_format", "verbose_json"].iter().any(|word| reason.contains(word))
}

/// Returns the body of a call.
fn form(fields: &[(&str, &str)], sound: &[i16]) -> Vec<u8> {
    let mut head = String::new();
    for (name, value) in fields {
        // Writing into a text cannot fail.
        let _ = write!(
            head,
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    let _ = write!(
        head,
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"speech.wav\"\r\n\
            Content-Type: audio/wav\r\n\r\n"
    );
    let mut body = head.into_bytes();
    push_wav(&mut body, sound);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// Appends sound as a WAV file.
fn push_wav(body: &mut Vec<u8>, sound: &[i16]) {
    let samples = sound.len().max(SAMPLES_MIN);
    let bytes = u32::try_from(2 * samples).unwrap_or(u32::MAX);
    body.extend_from_slice(b"RIFF");
    body.extend_from_slice(&bytes.saturating_add(36).to_le_bytes());
    body.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    body.extend_from_slice(&RATE.to_le_bytes());
    body.extend_from_slice(&(2 * RATE).to_le_bytes());
    body.extend_from_slice(b"\x02\0\x10\0data");
    body.extend_from_slice(&bytes.to_le_bytes());
    body.extend(sound.iter().flat_map(|sample| sample.to_le_bytes()));
    body.extend(std::iter::repeat_n(0, 2 * (samples - sound.len())));
}

/// An answer as the server writes it.
#[derive(Deserialize)]
struct Wire {
    text: String,
    #[serde(default)]
    segments: Option<Vec<Stretch>>,
}

/// A stretch of the sound, as Whisper tells of it.
#[derive(Deserialize)]
struct Stretch {
    #[serde(default)]
    text: String,
    avg_logprob: Option<f64>,
    no_speech_prob: Option<f64>,
}

impl Stretch {
    fn is_speech(&self) -> bool {
        let is_silent = self.no_speech_prob.is_some_and(|it| it > NO_SPEECH_MIN);
        let is_unlikely = self.avg_logprob.is_some_and(|it| it < UNLIKELY_MAX);
        !(is_silent && is_unlikely)
    }
}

impl Words {
    /// Reads an answer; `None` if it is none. What Whisper itself does not take for speech is left out.
    fn read(answer: &[u8]) -> Option<Self> {
        let Wire { text, segments } = serde_json::from_slice(answer).ok()?;
        let all = segments.unwrap_or_default();
        let spoken: Vec<&Stretch> = all.iter().filter(|stretch| stretch.is_speech()).collect();
        let text = if spoken.len() == all.len() {
            text
        } else {
            spoken.iter().map(|stretch| stretch.text.as_str()).collect()
        };
        let sure: Vec<f64> = spoken.iter().filter_map(|stretch| stretch.avg_logprob).collect();
        let mean = sure.iter().sum::<f64>() / sure.len() as f64;
        let confidence = (!sure.is_empty()).then(|| mean.exp().clamp(0.0, 1.0) as f32);
        Some(Self { text: one_space(&text), confidence })
    }
}

/// Returns a text with single blanks and no line breaks.
pub(super) fn one_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P05: answers of OpenAI and of Whisper servers are read; what Whisper does not take for speech is left
    /// out; what is no transcript is none.
    #[test]
    fn answers_are_read() {
        let words = |text: &str, confidence| Some(Words { text: text.to_owned(), confidence });
        let whisper = r#"{"task":"transcribe","duration":2.0,"text":" I bake. Thank you.",
            "segments":[{"text":" I bake.","avg_logprob":0.0,"no_speech_prob":0.01},
            {"text":" Thank you.","avg_logprob":-1.4,"no_speech_prob":0.9}]}"#;
        for (answer, read) in [
            (
                r#"{"text":" I bake\nbread. ","usage":{"type":"tokens"}}"#,
                words("I bake bread.", None),
            ),
            (whisper, words("I bake.", Some(1.0))),
            (r#"{"text":"","segments":[]}"#, words("", None)),
            (r#"{"text":"Yes.","segments":null}"#, words("Yes.", None)),
            (r#"{"text":"I ba"#, None),
            (r#"{"error":"no"}"#, None),
            ("\u{fffd}garbage", None),
        ] {
            assert_eq!(Words::read(answer.as_bytes()), read, "{answer}");
        }
    }

    /// P05: short sound is made as long as OpenAI takes it, and the sizes in the file are those of its sound.
    #[test]
    fn sound_is_a_wav_file() {
        for samples in [0, 1_000, 40_000] {
            let mut wav = Vec::new();
            push_wav(&mut wav, &vec![1; samples]);
            let long = 2 * samples.max(SAMPLES_MIN);
            assert_eq!(wav.len(), 44 + long);
            let size = |at: usize| u32::from_le_bytes(wav[at..at + 4].try_into().unwrap()) as usize;
            assert_eq!((size(4), size(24), size(40)), (36 + long, 16_000, long));
        }
    }
}
