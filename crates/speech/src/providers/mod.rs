//! The providers: one trait each for VAD, STT, LLM, TTS and turn detector, and one file per vendor.
//!
//! A vendor's file holds its settings, its constructor and a `KIND`, which is listed in [`kinds::KINDS`].
//! Vendors are named nowhere else but in [`speech`], which defines `auto`. Providers know neither the
//! configuration nor an interview: a request is plain data. Only the scripted [`interviewer`] gets more.

mod backlog;
pub mod book;
mod chain;
mod flite;
pub mod hibari;
mod http;
mod in_words;
pub mod interviewer;
mod key_file;
pub mod kind;
pub mod kinds;
pub mod languages;
pub mod llm_anthropic;
mod llm_check;
pub mod llm_gemini;
pub mod llm_openai;
pub mod llm_scripted;
pub mod llm_server;
mod log_mel;
pub mod models;
mod moonshine;
mod onnx;
pub mod pocketsphinx;
pub mod registry;
mod scripted;
mod sound_cache;
mod sound_decoder;
mod sound_files;
mod sound_samples;
pub mod speakable;
pub mod speech;
pub mod stt_assemblyai;
pub mod stt_deepgram;
mod stt_line;
pub mod stt_moonshine;
pub mod stt_openai;
pub mod stt_pocketsphinx;
pub mod stt_scripted;
pub mod stt_soniox;
mod stt_stream;
pub mod tts_azure;
pub mod tts_cartesia;
pub mod tts_deepgram;
pub mod tts_elevenlabs;
pub mod tts_flite;
pub mod tts_hibari;
mod tts_http;
pub mod tts_openai;
pub mod tts_scripted;
mod tts_socket;
mod tts_wire;
pub mod turn_smart;
pub mod turns;
pub mod usage;
pub mod vad_denoised;
pub mod vad_earshot;
pub mod vad_silero;
pub mod vad_webrtc;

use std::time::Duration;

use futures_util::{future::BoxFuture, stream::BoxStream};

use audio::{Pcm16, Pcm48};
use interview::{
    blueprint::Language,
    time::{SessionTime, Span},
};
use usage::{Used, Vendor};

/// A VAD: it tells voice from everything else.
pub trait Vad: Send {
    /// Takes sound of any length and appends one decision per window that it completes.
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>);
    /// How long after the end of voice the VAD still reports voice. Code that waits for silence subtracts
    /// it.
    fn hangover(&self) -> Duration;
}

/// One decision of a [`Vad`]; windows follow each other without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The number of samples at 16 kHz in this window.
    pub samples: usize,
    /// Whether there is voice in this window.
    pub voiced: bool,
}

/// A turn detector: it hears whether a speaker has finished.
pub trait TurnDetector: Send + Sync {
    /// Returns the end-of-turn probability in percent, or `None` if it cannot tell. `sound` is the turn so
    /// far with [`PAUSE`] behind its last voice; the last [`TURN_MAX`] of a turn are enough. It takes long:
    /// see [`turns`] for the thread that waits for it.
    fn ended_percent(&self, sound: &Pcm16) -> Option<u8>;
}

/// The silence behind a voice at which the turn detector is asked.
pub const PAUSE: Duration = Duration::from_millis(100);
/// The sound that the turn detector needs at most.
pub const TURN_MAX: Duration = Duration::from_secs(8);

/// A recogniser: it turns speech into text.
pub trait Stt: Send + Sync {
    /// Opens a stream for one candidate. Its transcripts go to `out`, from any thread.
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError>;

    /// Opens a stream with keyterms, the most important first. For recognisers that take them only at the
    /// beginning.
    fn open_for(
        &self,
        keyterms: &[String],
        out: SttOut,
    ) -> Result<Box<dyn SttStream>, ProviderError> {
        let mut stream = self.open(out)?;
        stream.keyterms(keyterms);
        Ok(stream)
    }

    /// Whether it understands a language, as far as that is known.
    fn hears(&self, _language: Language) -> bool {
        true
    }
    /// The vendor that is paid for it; `None` if it runs in this process.
    fn vendor(&self) -> Option<Vendor> {
        None
    }
    /// Whether its vendor gets the segments of speech alone, and not the silence between them.
    fn takes_speech_alone(&self) -> bool {
        false
    }
}

/// The consumer of an [`SttStream`]'s transcripts. Never blocks.
pub type SttOut = Box<dyn Fn(Transcript) + Send + Sync>;

/// A recogniser's stream for one candidate. No method waits, except [`SttStream::settle`].
pub trait SttStream: Send {
    /// Takes the next sound, which began at `at`. Pieces are 20 ms long, in order and without gaps.
    fn push(&mut self, at: SessionTime, sound: &Pcm16);
    /// Tells the recogniser that voice began at `at`, by the VAD. The sound from there on is a segment.
    fn speech_started(&mut self, at: SessionTime);
    /// Tells the recogniser that voice may have ended at `at`: the silence since is too short to be sure. A
    /// recogniser may begin its work on the final transcript here.
    fn speech_paused(&mut self, _at: SessionTime) {}
    /// Tells the recogniser that voice ended at `at` and asks for the final transcript of the segment.
    fn speech_stopped(&mut self, at: SessionTime);
    /// Replaces the keyterms, from now on; the most important first. A recogniser without keyterms ignores
    /// them.
    fn keyterms(&mut self, _keyterms: &[String]) {}
    /// Waits until all sound pushed so far is decoded and reported. For lockstep only.
    fn settle(&mut self);
    /// Returns how long the recogniser has been away, if it is, and why: what is said meanwhile is heard
    /// late or never. A recogniser that cannot tell is never away.
    fn away(&self) -> Option<Away> {
        None
    }
}

/// The absence of a recogniser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Away {
    /// How long it has lasted.
    pub lasts: Duration,
    /// The reason. If it says not to try again, the recogniser does not come back.
    pub why: ProviderError,
}

impl Away {
    /// Returns the absence of a recogniser whose thread is gone.
    fn lost(name: &str) -> Self {
        let what = format!("the thread of the recogniser {name} is gone; see the log for why");
        Self { lasts: Duration::ZERO, why: ProviderError { what, retry: Retry::Never } }
    }
}

/// The words of a segment, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// The number of the segment of speech within the stream, from 1. Later transcripts of a segment replace
    /// earlier ones.
    pub segment: u32,
    /// Whether this transcript is final: its words do not change any more.
    pub is_final: bool,
    /// The time at which the segment's speech began.
    pub from: SessionTime,
    /// The time at which the segment's speech ended, as far as it is transcribed.
    pub to: SessionTime,
    /// The words; may be empty.
    pub text: String,
    /// The confidence, 0..=1, if the recogniser gives one.
    pub confidence: Option<f32>,
    /// Whether the turn ends with this segment. `None` if it is not final or the recogniser cannot tell.
    pub ends_turn: Option<bool>,
    /// The stretches of sound with words, of a final transcript: in order and without overlaps. Empty if the
    /// recogniser gives no times; then all sound from `from` to `to` counts as soon as there is a word.
    pub spans: Vec<Span>,
}

/// A model with two lanes: *talk* on the response path, *judge* off it.
pub trait Llm: Send + Sync {
    /// Starts a reply: streamed text and tool calls. Dropping the stream cancels the call.
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>>;
    /// Returns one JSON text that follows the request's schema as well as the model can; the caller must
    /// check it. Dropping the future cancels the call.
    fn judge(&self, request: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>>;
    /// Returns the model's name, as its server knows it.
    fn name(&self) -> Option<String> {
        None
    }
    /// Returns the tokens that it has used for this interview, where its server has counted all of them.
    fn used(&self) -> Option<Usage> {
        None
    }
    /// Returns what this interview has used of one model of a vendor, with estimates where its server does
    /// not count. Nothing for several models, which are asked one by one.
    fn spent(&self) -> Option<Used> {
        None
    }
    /// Whether this interview has used all tokens that it may use of the model.
    fn is_spent(&self) -> bool {
        false
    }
    /// Finds out by a short reply whether the model thinks in its text, if nothing is known of that: until it
    /// is, a reply is held until its end.
    fn learn_habits(&self) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// Everything a model needs for one reply.
#[derive(Clone, Debug, PartialEq)]
pub struct TalkRequest {
    /// Our instructions: the agent's prompt, rendered. Nothing that others said or wrote is in it.
    pub system: String,
    /// What is known, and the conversation so far, oldest first. It contains only words that were really
    /// heard. If the last line is the interviewer's, the model goes on behind it; `system` says so where
    /// that is in mid-sentence.
    pub messages: Vec<Message>,
    /// The tools that the model may call in this reply.
    pub tools: Vec<Tool>,
    /// The temperature: at 0 the model always takes the likeliest word, at 1 it is lively.
    pub temperature: f32,
}

/// Everything a model needs for one judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeRequest {
    /// The instructions for the judgement.
    pub system: String,
    /// The answer to judge, with its question.
    pub user: String,
    /// The JSON schema of the judgement: an object whose fields are all required, with no further ones.
    pub schema: serde_json::Value,
    /// Whether it is a whole document, for which there is more time and room than for a judgement.
    pub is_long: bool,
}

/// One line of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// What is known, as marked data. A model gets it as words of a user, before the conversation; behind it
    /// a user may follow, which dialects that want users and models to alternate put into the same message.
    Known(String),
    /// Words of the interviewer.
    Assistant(String),
    /// Words of the candidate.
    User(String),
    /// Tool calls of the model without any words. An `Answered` follows for each.
    Called(Vec<Call>),
    /// The verdict on a tool call.
    Answered {
        /// The id of the call.
        id: String,
        /// The verdict in words.
        text: String,
    },
}

/// The description of a tool for the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The name of the tool.
    pub name: &'static str,
    /// The purpose of the tool.
    pub description: &'static str,
    /// The JSON schema of the arguments.
    pub parameters: serde_json::Value,
}

/// A piece of a streamed reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// The next words.
    Text(String),
    /// A whole tool call.
    Call(Call),
    /// The tokens that the reply has used. The last piece, if the provider gives it.
    Usage(Usage),
}

/// A tool call as the model wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The id of the call, unique within the reply.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as unparsed JSON.
    pub arguments: String,
}

/// The tokens that one call of the model has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The tokens of the request, those from a cache included.
    pub input: u64,
    /// The tokens of the request that the vendor had in its cache.
    pub cached: u64,
    /// The tokens of the answer.
    pub output: u64,
}

/// A voice: it turns text into speech.
pub trait Tts: Send + Sync {
    /// Speaks one segment, in pieces. Dropping the stream stops it.
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>>;

    /// Whether it can be understood in a language, as far as that is known.
    fn speaks(&self, _language: Language) -> bool {
        true
    }
    /// The vendor that is paid for it; `None` if it runs in this process.
    fn vendor(&self) -> Option<Vendor> {
        None
    }
    /// The characters that have to be spoken for a text; 0 if its sound is kept from before.
    fn characters(&self, text: &str) -> usize {
        text.chars().count()
    }
}

/// The failure of a provider, and whether the caller may try again.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{what}")]
pub struct ProviderError {
    /// One sentence: what is wrong, where, and how to mend it.
    pub what: String,
    /// Whether to try again.
    pub retry: Retry,
}

/// When a failed call may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// At once.
    Now,
    /// After this time.
    After(Duration),
    /// Never: the same call fails again.
    Never,
}
