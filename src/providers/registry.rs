//! The providers of one process, chosen by configuration.

use std::{path::Path, sync::Arc};

use super::{
    Llm, ProviderError, Stt, Tts, TurnDetector, Vad, llm_openai::OpenAi, llm_scripted::ScriptedLlm,
    pocketsphinx, stt_deepgram::Deepgram, stt_pocketsphinx::PocketSphinx,
    stt_scripted::ScriptedStt, tts_flite::FliteTts, tts_openai::OpenAiTts,
    tts_scripted::ScriptedTts, turns::Turns, vad_denoised::DenoisedVad, vad_earshot::EarshotVad,
    vad_webrtc::WebrtcVad,
};
use crate::config;

/// Built once, handed to every interview.
#[derive(Clone)]
pub struct Registry {
    detector: Detector,
    suppresses_noise: bool,
    stt: Arc<dyn Stt>,
    llm: Model,
    tts: Arc<dyn Tts>,
    turns: Option<Turns>,
    speculates: bool,
}

#[derive(Clone)]
enum Detector {
    Earshot,
    WebRtc {
        mode: u8,
    },
    #[cfg(feature = "onnx")]
    Silero(super::vad_silero::Silero),
}

#[derive(Clone)]
enum Model {
    Scripted,
    OpenAi(OpenAi),
}

impl Registry {
    /// Opens what the configuration names, with recognisers for `interviews` at a time. Takes up to 0.5 s.
    ///
    /// A library or a key that is missing is one sentence with what to do.
    pub fn build(
        speech: &config::Speech,
        llm: &config::ChatModel,
        interviews: usize,
    ) -> Result<Self, ProviderError> {
        let detector = Detector::open(speech)?;
        let stt: Arc<dyn Stt> = match speech.stt {
            config::Stt::PocketSphinx => {
                Arc::new(PocketSphinx::new(pocketsphinx::MODEL.into(), interviews)?)
            }
            config::Stt::Deepgram => Arc::new(Deepgram::new(&speech.deepgram)?),
            config::Stt::Scripted => Arc::new(ScriptedStt::default()),
        };
        let tts: Arc<dyn Tts> = match speech.tts {
            config::Tts::Flite => Arc::new(FliteTts::new(&speech.voice)?),
            config::Tts::OpenAi => Arc::new(OpenAiTts::new(&speech.openai)?),
            config::Tts::Scripted => Arc::new(ScriptedTts),
        };
        let llm = match speech.llm {
            config::Llm::Scripted => Model::Scripted,
            config::Llm::OpenAi => Model::OpenAi(OpenAi::new(llm)?),
        };
        let turns = speech.turn_model.as_deref().map(smart_turn).transpose()?;
        let turns = turns.map(Turns::new).transpose()?;
        let config::Speech { suppresses_noise, speculates, .. } = *speech;
        Ok(Self { detector, suppresses_noise, stt, llm, tts, turns, speculates })
    }

    /// The same with another recogniser.
    pub fn with_stt(self, stt: Arc<dyn Stt>) -> Self {
        Self { stt, ..self }
    }

    /// The same with another voice.
    pub fn with_tts(self, tts: Arc<dyn Tts>) -> Self {
        Self { tts, ..self }
    }

    /// The same with what hears the ends of turns.
    pub fn with_turns(self, turns: Turns) -> Self {
        Self { turns: Some(turns), ..self }
    }

    /// A detector for one candidate.
    pub fn vad(&self) -> Box<dyn Vad> {
        let vad: Box<dyn Vad> = match &self.detector {
            Detector::Earshot => Box::new(EarshotVad::default()),
            Detector::WebRtc { mode } => Box::new(WebrtcVad::new(*mode)),
            #[cfg(feature = "onnx")]
            Detector::Silero(silero) => Box::new(silero.vad()),
        };
        if self.suppresses_noise { Box::new(DenoisedVad::new(vad)) } else { vad }
    }

    /// What hears the ends of turns, if anything does.
    pub fn turns(&self) -> Option<&Turns> {
        self.turns.as_ref()
    }

    /// Whether model and voice may begin before it is sure that the candidate has finished.
    pub fn speculates(&self) -> bool {
        self.speculates
    }

    /// The recogniser.
    pub fn stt(&self) -> Arc<dyn Stt> {
        self.stt.clone()
    }

    /// The model for one interview, which counts what that uses: ask once and share it.
    pub fn llm(&self) -> Arc<dyn Llm> {
        match &self.llm {
            Model::Scripted => Arc::new(ScriptedLlm),
            Model::OpenAi(model) => Arc::new(model.for_interview()),
        }
    }

    /// The voice.
    pub fn tts(&self) -> Arc<dyn Tts> {
        self.tts.clone()
    }
}

impl Detector {
    fn open(speech: &config::Speech) -> Result<Self, ProviderError> {
        match speech.vad {
            config::Vad::Earshot => Ok(Self::Earshot),
            config::Vad::WebRtc => Ok(Self::WebRtc { mode: speech.webrtc_mode }),
            #[cfg(feature = "onnx")]
            config::Vad::Silero => {
                let silero = super::vad_silero::Silero::load(speech.silero_model.as_deref())?;
                Ok(Self::Silero(silero))
            }
            #[cfg(not(feature = "onnx"))]
            config::Vad::Silero => Err(ProviderError {
                what: super::models::SILERO.left_out.to_owned(),
                retry: super::Retry::Never,
            }),
        }
    }
}

#[cfg(feature = "onnx")]
fn smart_turn(file: &Path) -> Result<Arc<dyn TurnDetector>, ProviderError> {
    Ok(Arc::new(super::turn_smart::SmartTurn::load(Some(file))?))
}

#[cfg(not(feature = "onnx"))]
fn smart_turn(_: &Path) -> Result<Arc<dyn TurnDetector>, ProviderError> {
    Err(ProviderError {
        what: super::models::SMART_TURN.left_out.to_owned(),
        retry: super::Retry::Never,
    })
}
