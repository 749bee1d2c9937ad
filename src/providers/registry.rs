//! The providers of one process, chosen by configuration.

use std::sync::Arc;

use super::{
    ProviderError, Retry, Stt, Tts, Vad, interviewer::Interviewer, llm_openai::OpenAi,
    llm_scripted::ScriptedInterviewer, models::Models, pocketsphinx, stt_deepgram::Deepgram,
    stt_moonshine::MoonshineStt, stt_pocketsphinx::PocketSphinx, stt_scripted::ScriptedStt,
    tts_flite::FliteTts, tts_hibari::HibariTts, tts_openai::OpenAiTts, tts_scripted::ScriptedTts,
    turn_smart::SmartTurn, turns::Turns, vad_denoised::DenoisedVad, vad_earshot::EarshotVad,
    vad_silero::Silero, vad_webrtc::WebrtcVad,
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
    lacks: Vec<String>,
}

#[derive(Clone)]
enum Detector {
    Earshot,
    WebRtc { mode: u8 },
    Silero(Silero),
}

#[derive(Clone)]
enum Model {
    Scripted,
    OpenAi(OpenAi),
}

impl Registry {
    /// Opens what the configuration names, with recognisers for `interviews` at a time. Takes up to a second.
    ///
    /// A file, a library or a key that is missing is one sentence with what to do.
    pub fn build(
        speech: &config::Speech,
        llm: &config::ChatModel,
        interviews: usize,
    ) -> Result<Self, ProviderError> {
        let models = Models::new(speech.models_dir.as_deref());
        let mut lacks = Lacks::default();
        let detector = Detector::open(speech, &models, &mut lacks)?;
        let stt = stt(speech, &models, interviews, &mut lacks)?;
        let tts = tts(speech, &models, &mut lacks)?;
        let llm = match speech.llm {
            config::Llm::Scripted => Model::Scripted,
            config::Llm::OpenAi => Model::OpenAi(OpenAi::new(llm)?),
        };
        let turns = turns(speech, &models, &mut lacks)?;
        let config::Speech { suppresses_noise, speculates, .. } = *speech;
        Ok(Self { detector, suppresses_noise, stt, llm, tts, turns, speculates, lacks: lacks.0 })
    }

    /// A sentence for each part that would be better with a file that is not there.
    pub fn lacks(&self) -> &[String] {
        &self.lacks
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
    pub fn llm(&self) -> Arc<dyn Interviewer> {
        match &self.llm {
            Model::Scripted => Arc::new(ScriptedInterviewer),
            Model::OpenAi(model) => Arc::new(model.for_interview()),
        }
    }

    /// The voice.
    pub fn tts(&self) -> Arc<dyn Tts> {
        self.tts.clone()
    }
}

/// What is done without, a sentence each.
#[derive(Default)]
struct Lacks(Vec<String>);

impl Lacks {
    /// What was opened; if it could not be, why, and nothing.
    fn or_without<T>(&mut self, opened: Result<T, ProviderError>, instead: &str) -> Option<T> {
        opened.map_err(|error| self.0.push(format!("{instead}: {error}"))).ok()
    }
}

impl Detector {
    fn open(
        speech: &config::Speech,
        models: &Models,
        lacks: &mut Lacks,
    ) -> Result<Self, ProviderError> {
        match speech.vad {
            config::Vad::Auto => {
                let silero =
                    lacks.or_without(Silero::load(models), "Earshot tells voice from noise");
                Ok(silero.map_or(Self::Earshot, Self::Silero))
            }
            config::Vad::Earshot => Ok(Self::Earshot),
            config::Vad::WebRtc => Ok(Self::WebRtc { mode: speech.webrtc_mode }),
            config::Vad::Silero => Silero::load(models).map(Self::Silero),
        }
    }
}

fn stt(
    speech: &config::Speech,
    models: &Models,
    interviews: usize,
    lacks: &mut Lacks,
) -> Result<Arc<dyn Stt>, ProviderError> {
    let sphinx = || PocketSphinx::new(pocketsphinx::MODEL.into(), interviews);
    Ok(match speech.stt {
        config::Stt::Auto => match MoonshineStt::new(models) {
            Ok(moonshine) => Arc::new(moonshine),
            Err(error) => {
                let sphinx = sphinx().map_err(|other| ProviderError {
                    what: format!("there is no recogniser: {error}; {other}"),
                    retry: Retry::Never,
                })?;
                lacks.0.push(format!(
                    "PocketSphinx hears, which gets every third word wrong: {error}"
                ));
                Arc::new(sphinx)
            }
        },
        config::Stt::Moonshine => Arc::new(MoonshineStt::new(models)?),
        config::Stt::PocketSphinx => Arc::new(sphinx()?),
        config::Stt::Deepgram => Arc::new(Deepgram::new(&speech.deepgram)?),
        config::Stt::Scripted => Arc::new(ScriptedStt::default()),
    })
}

fn tts(
    speech: &config::Speech,
    models: &Models,
    lacks: &mut Lacks,
) -> Result<Arc<dyn Tts>, ProviderError> {
    let flite = || FliteTts::new(&speech.voice);
    let hibari = || HibariTts::new(models, speech.hibari_voice.path());
    Ok(match speech.tts {
        // A voice that was chosen by its name must be there.
        config::Tts::Auto if speech.hibari_voice.is_fetched_by_hand() => Arc::new(hibari()?),
        config::Tts::Auto => {
            match lacks.or_without(hibari(), "Flite speaks, which sounds like a machine") {
                Some(hibari) => Arc::new(hibari),
                None => Arc::new(flite()?),
            }
        }
        config::Tts::Hibari => Arc::new(hibari()?),
        config::Tts::Flite => Arc::new(flite()?),
        config::Tts::OpenAi => Arc::new(OpenAiTts::new(&speech.openai)?),
        config::Tts::Scripted => Arc::new(ScriptedTts),
    })
}

fn turns(
    speech: &config::Speech,
    models: &Models,
    lacks: &mut Lacks,
) -> Result<Option<Turns>, ProviderError> {
    let smart = match speech.turn_detector {
        config::TurnDetection::Auto => {
            lacks.or_without(SmartTurn::load(models), "words alone tell the end of a turn")
        }
        config::TurnDetection::SmartTurn => Some(SmartTurn::load(models)?),
        config::TurnDetection::Off => None,
    };
    smart.map(|smart| Turns::new(Arc::new(smart))).transpose()
}
