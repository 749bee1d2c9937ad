//! The providers of one process, chosen by configuration.

use std::sync::Arc;

use super::{
    Llm, ProviderError, Stt, Tts, Vad, llm_openai::OpenAi, llm_scripted::ScriptedLlm, pocketsphinx,
    stt_deepgram::Deepgram, stt_pocketsphinx::PocketSphinx, stt_scripted::ScriptedStt,
    tts_flite::FliteTts, tts_openai::OpenAiTts, tts_scripted::ScriptedTts,
    vad_denoised::DenoisedVad, vad_earshot::EarshotVad, vad_webrtc::WebrtcVad,
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
    speculates: bool,
}

#[derive(Clone)]
enum Detector {
    Earshot,
    WebRtc {
        mode: u8,
    },
    #[cfg(feature = "silero")]
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
        let config::Speech { suppresses_noise, speculates, .. } = *speech;
        Ok(Self { detector, suppresses_noise, stt, llm, tts, speculates })
    }

    /// The same with another recogniser.
    pub fn with_stt(self, stt: Arc<dyn Stt>) -> Self {
        Self { stt, ..self }
    }

    /// The same with another voice.
    pub fn with_tts(self, tts: Arc<dyn Tts>) -> Self {
        Self { tts, ..self }
    }

    /// A detector for one candidate.
    pub fn vad(&self) -> Box<dyn Vad> {
        let vad: Box<dyn Vad> = match &self.detector {
            Detector::Earshot => Box::new(EarshotVad::default()),
            Detector::WebRtc { mode } => Box::new(WebrtcVad::new(*mode)),
            #[cfg(feature = "silero")]
            Detector::Silero(silero) => Box::new(silero.vad()),
        };
        if self.suppresses_noise { Box::new(DenoisedVad::new(vad)) } else { vad }
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
            #[cfg(feature = "silero")]
            config::Vad::Silero => {
                let silero = super::vad_silero::Silero::load(speech.silero_model.as_deref())?;
                Ok(Self::Silero(silero))
            }
            #[cfg(not(feature = "silero"))]
            config::Vad::Silero => Err(ProviderError {
                what: "this Vivavoce was built without the detector `silero`: build it with cargo build --release --features silero, or set speech.vad to earshot or webrtc".to_owned(),
                retry: super::Retry::Never,
            }),
        }
    }
}
