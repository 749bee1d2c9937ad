//! What hears, thinks and speaks: one trait each for VAD, STT, LLM, TTS and what hears the end of a turn, and
//! one file per vendor.
//!
//! A vendor's file holds its settings, its constructor and a `KIND`, whose line stands in [`kinds::KINDS`];
//! nothing else names vendors but [`speech`], which says what `auto` is. Providers know neither the
//! configuration nor an interview: a request is plain data, and only the scripted [`interviewer`] is told
//! more.

mod backlog;
mod flite;
pub mod hibari;
mod http;
pub mod interviewer;
pub mod kind;
pub mod kinds;
mod llm_check;
pub mod llm_openai;
pub mod llm_scripted;
mod log_mel;
pub mod models;
mod moonshine;
mod onnx;
pub mod pocketsphinx;
pub mod registry;
mod scripted;
mod sound_cache;
pub mod speakable;
pub mod speech;
pub mod stt_deepgram;
pub mod stt_moonshine;
pub mod stt_pocketsphinx;
pub mod stt_scripted;
pub mod tts_flite;
pub mod tts_hibari;
pub mod tts_openai;
pub mod tts_scripted;
pub mod turn_smart;
pub mod turns;
pub mod vad_denoised;
pub mod vad_earshot;
pub mod vad_silero;
pub mod vad_webrtc;

use std::time::Duration;

use futures_util::{future::BoxFuture, stream::BoxStream};

use audio::{Pcm16, Pcm48};
use interview::time::{SessionTime, Span};

/// Tells voice from everything else.
pub trait Vad: Send {
    /// Takes sound of any length and appends one decision per window that it completes.
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>);
    /// How long after the end of voice it still says voice; whoever waits for silence takes that off.
    fn hangover(&self) -> Duration;
}

/// One decision of a [`Vad`]; windows follow each other without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Samples at 16 kHz that this window covers.
    pub samples: usize,
    /// Whether there is voice in it.
    pub voiced: bool,
}

/// Hears whether somebody has finished.
pub trait TurnDetector: Send + Sync {
    /// How likely this is the end of a turn, in percent, if it can tell. `sound` is the turn so far with
    /// [`PAUSE`] behind its last voice; a turn's last [`TURN_MAX`] are enough. It takes long: see [`turns`]
    /// for who waits for it.
    fn ended_percent(&self, sound: &Pcm16) -> Option<u8>;
}

/// So much silence behind a voice may be the end of a turn.
pub const PAUSE: Duration = Duration::from_millis(100);
/// So much sound says whether it is.
pub const TURN_MAX: Duration = Duration::from_secs(8);

/// Makes text of speech.
pub trait Stt: Send + Sync {
    /// Opens a stream for one candidate. What it hears goes to `out`, from any thread.
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError>;

    /// The same, with rare words that will be said, the most important first: for whoever can be told only at
    /// the beginning.
    fn open_for(
        &self,
        keyterms: &[String],
        out: SttOut,
    ) -> Result<Box<dyn SttStream>, ProviderError> {
        let mut stream = self.open(out)?;
        stream.keyterms(keyterms);
        Ok(stream)
    }
}

/// Where an [`SttStream`] puts its transcripts. Never blocks.
pub type SttOut = Box<dyn Fn(Transcript) + Send + Sync>;

/// One candidate's sound on its way to text. No method waits, but [`SttStream::settle`].
pub trait SttStream: Send {
    /// The next sound, 20 ms a piece, which began at `at`; pieces are in order and without gaps.
    fn push(&mut self, at: SessionTime, sound: &Pcm16);
    /// Voice began at `at` (from the VAD, with its onset; the sound from there on is a segment).
    fn speech_started(&mut self, at: SessionTime);
    /// Voice may have ended at `at`: there was silence since, not enough to be sure. A recogniser that can
    /// begins its work on the final transcript here.
    fn speech_paused(&mut self, _at: SessionTime) {}
    /// Voice ended at `at`: the final transcript of the segment is wanted.
    fn speech_stopped(&mut self, at: SessionTime);
    /// Rare words that will be said from now on, the most important first; they take the place of those
    /// before. A recogniser that cannot be told ignores them.
    fn keyterms(&mut self, _keyterms: &[String]) {}
    /// Waits until everything pushed so far is decoded and reported. For lockstep only.
    fn settle(&mut self);
}

/// What was said, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// Which segment of speech; counts from 1 within a stream. Later transcripts replace earlier ones.
    pub segment: u32,
    /// Whether no better one will come.
    pub is_final: bool,
    /// When the segment's speech began and, as far as it is transcribed, ended.
    pub from: SessionTime,
    /// See `from`.
    pub to: SessionTime,
    /// The words; may be empty.
    pub text: String,
    /// 0..=1, where the recogniser says one.
    pub confidence: Option<f32>,
    /// Of a final: whether the turn ends with it, where the recogniser can tell.
    pub ends_turn: Option<bool>,
    /// Of a final: the stretches of sound that its words account for, in order, none over another; empty
    /// where the recogniser does not tell. Then all from `from` to `to` counts, if there is a word.
    pub spans: Vec<Span>,
}

/// Thinks, in two lanes: *talk* on the response path, *judge* off it.
pub trait Llm: Send + Sync {
    /// Starts a reply: streamed text and tool calls. To drop the stream is to cancel the call.
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>>;
    /// Gives one JSON text that follows the request's schema as well as the model can: whoever reads it
    /// checks it. To drop the future is to cancel the call.
    fn judge(&self, request: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>>;
}

/// Everything a model needs for one reply.
#[derive(Clone, Debug, PartialEq)]
pub struct TalkRequest {
    /// The agent's prompt, rendered.
    pub system: String,
    /// The conversation so far, oldest first; only what was really heard.
    pub messages: Vec<Message>,
    /// Tools the model may call in this reply.
    pub tools: Vec<Tool>,
    /// How freely it chooses its words: 0 always takes the likeliest, 1 is lively.
    pub temperature: f32,
}

/// Everything a model needs for one judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeRequest {
    /// What is to be judged, and how.
    pub system: String,
    /// The material.
    pub user: String,
    /// JSON schema of the answer: an object whose fields are all required, with no further ones.
    pub schema: serde_json::Value,
}

/// One line of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The interviewer said this.
    Assistant(String),
    /// The candidate said this.
    User(String),
    /// The model called these tools and said nothing; an `Answered` for each follows.
    Called(Vec<Call>),
    /// What became of a call.
    Answered {
        /// Its id.
        id: String,
        /// What the model is told.
        text: String,
    },
}

/// A tool as the model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// JSON schema of its arguments.
    pub parameters: serde_json::Value,
}

/// A piece of a streamed reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// The next words.
    Text(String),
    /// A whole tool call.
    Call(Call),
    /// What the reply has cost; the last piece, where the provider tells.
    Usage(Usage),
}

/// A tool call as the model wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Tells it from the other calls of the reply.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its arguments, JSON, unparsed.
    pub arguments: String,
}

/// Tokens of one call of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// What the model was told.
    pub input: u64,
    /// What it said.
    pub output: u64,
}

/// Makes sound of text.
pub trait Tts: Send + Sync {
    /// Speaks one segment, in pieces. To drop the stream is to stop.
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>>;
}

/// Why a provider failed, and what the caller may do.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{what}")]
pub struct ProviderError {
    /// One sentence: what is wrong, where, how to mend it.
    pub what: String,
    /// Whether to try again.
    pub retry: Retry,
}

/// When a failed call may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// At once.
    Now,
    /// After this long.
    After(Duration),
    /// Never: the same call fails again.
    Never,
}
