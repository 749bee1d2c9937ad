//! The providers of one process, chosen by configuration.

use std::sync::Arc;

use super::{
    Llm, ProviderError, Stt, Tts, Vad, llm_openai::OpenAi, llm_scripted::ScriptedLlm, pocketsphinx,
    stt_deepgram::Deepgram, stt_pocketsphinx::PocketSphinx, stt_scripted::ScriptedStt,
    tts_flite::FliteTts, tts_openai::OpenAiTts, tts_scripted::ScriptedTts, vad_earshot::EarshotVad,
    vad_webrtc::WebrtcVad,
};
use crate::config;

/// How strict libfvad is: 3 finds voice as well as 0 does and ends it sooner.
const WEBRTC_MODE: u8 = 3;

/// Built once, handed to every interview.
#[derive(Clone)]
pub struct Registry {
    vad: config::Vad,
    stt: Arc<dyn Stt>,
    llm: Model,
    tts: Arc<dyn Tts>,
    speculates: bool,
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
        Ok(Self { vad: speech.vad, stt, llm, tts, speculates: speech.speculates })
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
        match self.vad {
            config::Vad::Earshot => Box::new(EarshotVad::default()),
            config::Vad::WebRtc => Box::new(WebrtcVad::new(WEBRTC_MODE)),
        }
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
