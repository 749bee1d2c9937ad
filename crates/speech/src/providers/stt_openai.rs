//! A recogniser behind a server that speaks OpenAI's `/v1/audio/transcriptions`: OpenAI itself, and the
//! Whisper servers speaches, faster-whisper and vLLM. It takes whole pieces of sound, one call for each.
//!
//! After OpenAI's own client (github.com/openai/openai-python: `types/audio/transcription_create_params.py`,
//! `types/audio/transcription_verbose.py`) and <https://platform.openai.com/docs/api-reference/audio>;
//! Whisper servers answer the same.

mod call;
mod ear;
mod outage;

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool, mpsc::SyncSender},
    time::Duration,
};

use futures_util::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{Abortable, FuturesUnordered},
};

use super::{
    ProviderError, Retry, Stt, SttOut, SttStream,
    http::{Access, Header, Names, Site, run_until, transient_error},
    kind::{Kind, Offer, Place, Provider},
    stt_stream::{Command, Inbox, StreamThread},
    usage::Vendor,
};
use crate::{
    clock::Clock,
    settings::{Secret, Section, rules, settings},
};
use call::{Caller, Failed, Words};
use ear::{Ear, Job, Purpose, Task};
use interview::{blueprint::Language, time::SessionTime};
use outage::Outage;

/// The wait before a call is made again, which is doubled with each further try.
const RETRY_FIRST: Duration = Duration::from_millis(100);
/// A call that cannot succeed is given up after this time: until then another recogniser can take over its
/// words.
const HANDED_ON_WITHIN: Duration = Duration::from_secs(1);
/// The sound with which `doctor` tries a server, in samples: a second of silence.
const CHECK_SAMPLES: usize = 16_000;

settings! {
    /// A recogniser behind a server that speaks OpenAI's transcription.
    pub struct Settings {
        /// Where it is; `/audio/transcriptions` is added to its path, its query is kept.
        base_url: url::Url = "https://api.openai.com/v1", rules::HTTP_URL;
        /// The model's name, as the server knows it.
        model: String = "gpt-4o-mini-transcribe", rules::name("the name of a model");
        /// What the candidate speaks, such as en; empty: the server finds it out.
        language: String = "en", rules::TEXT;
        /// Servers in one's own network may need none.
        api_key: Secret = "", rules::SECRET, also "OPENAI_API_KEY";
        /// A file that holds the key, instead.
        api_key_file: Option<PathBuf> = "", rules::FILE;
        /// A certificate in PEM to be trusted beside those of the system.
        ca_file: Option<PathBuf> = "", rules::FILE;
        /// Speech is transcribed anew after so much more of it, for the words on the way; 0s: only its end.
        interim_every: Duration = "1s", rules::DURATION;
        /// From the end of speech to its words, retries included.
        final_limit: Duration = "5s", rules::DURATION;
    }
}

/// The kind of providers that use OpenAI's transcription.
pub const KIND: Kind = Kind {
    name: "openai-transcription",
    doc: "OpenAI, or a server that speaks its `/audio/transcriptions`, hears.",
    fields: Settings::FIELDS,
    read: |name, reader| {
        let settings = Arc::new(Settings::read(reader));
        let (name, open) = (name.to_owned(), settings.clone());
        let place = Place::server(&name, &settings, check);
        let stt =
            Offer::<dyn Stt>::new(place, move |_| Ok(Arc::new(OpenAiStt::new(&name, &open)?)));
        Provider { stt: Some(stt), ..Provider::new(settings) }
    },
};

/// Checks the server by a real call.
async fn check(name: String, settings: Arc<Settings>) -> Result<String, ProviderError> {
    let took = OpenAiStt::new(&name, &settings)?.check().await?;
    Ok(format!(
        "`{}` at {} answers after {} ms",
        settings.model,
        settings.base_url.origin().ascii_serialization(),
        took.as_millis()
    ))
}

/// The recogniser.
pub struct OpenAiStt {
    caller: Arc<Caller>,
    interim_every: Duration,
    final_limit: Duration,
    thread: StreamThread,
}

impl OpenAiStt {
    /// Returns the recogniser of a provider. Reads the key and the certificate and starts the thread; makes
    /// no connection yet.
    pub fn new(name: &str, config: &Settings) -> Result<Self, ProviderError> {
        let hint = ", which mostly ends in /v1,";
        let site = Arc::new(Site::new(&Access {
            names: Names::new(&KIND, name, "recogniser", hint, &["model", "language"]),
            base_url: &config.base_url,
            path: "/audio/transcriptions",
            query: &[],
            model: &config.model,
            api_key: &config.api_key,
            api_key_file: config.api_key_file.as_deref(),
            key_header: Header::Bearer,
            ca_file: config.ca_file.as_deref(),
        })?);
        let (model, language) = (config.model.clone(), config.language.to_lowercase());
        let is_verbose = AtomicBool::new(model.to_lowercase().contains("whisper"));
        let caller = Arc::new(Caller { site, model, language, is_verbose });
        let (interim_every, final_limit) = (config.interim_every, config.final_limit);
        let thread = StreamThread::start("transcription")?;
        Ok(Self { caller, interim_every, final_limit, thread })
    }

    /// Checks the server by a real call.
    pub async fn check(&self) -> Result<Duration, ProviderError> {
        let clock = Clock::start();
        let silence = vec![0; CHECK_SAMPLES];
        let answer = once(&self.caller, &silence, "", self.final_limit).await;
        answer.map_err(|failed| failed.error)?;
        Ok(clock.now().since(SessionTime::ZERO))
    }
}

impl Stt for OpenAiStt {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        let (caller, final_limit) = (self.caller.clone(), self.final_limit);
        let ear = Ear::new(out, self.interim_every);
        let outage = Arc::new(Outage::new(Clock::start()));
        let (known, site) = (outage.clone(), caller.site.clone());
        let away =
            move || known.away(|| transient_error(format!("{} does not answer", site.place)));
        let calls = Calls { caller, outage, final_limit };
        self.thread.open(|inbox| listen(ear, calls, inbox), away)
    }

    fn vendor(&self) -> Option<Vendor> {
        Some(self.caller.site.vendor())
    }

    fn takes_speech_alone(&self) -> bool {
        true
    }

    fn hears(&self, language: Language) -> bool {
        let ours = &self.caller.language;
        ours.is_empty() || ours.starts_with(language.code())
    }
}

/// Listens to one candidate until the stream is closed.
async fn listen(mut ear: Ear, caller: Calls, inbox: Inbox) {
    let Inbox { mut commands, waiting } = inbox;
    let (clock, mut settling) = (Clock::start(), Vec::<SyncSender<()>>::new());
    let mut calls: FuturesUnordered<BoxFuture<'static, Option<Answer>>> = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            Some(answer) = calls.next(), if !calls.is_empty() => {
                if let Some((task, answer)) = answer {
                    ear.answered(clock.now(), task, answer);
                }
            }
            command = commands.recv() => match command {
                None => return,
                Some(Command::Push { at, sound }) => {
                    waiting.taken();
                    ear.push(at, &sound);
                }
                Some(Command::Started { at }) => ear.started(at),
                Some(Command::Paused { at }) => ear.paused(at),
                Some(Command::Stopped { at }) => ear.stopped(clock.now(), at),
                Some(Command::Keyterms(keyterms)) => ear.keyterms(&keyterms),
                Some(Command::Settle(done)) => settling.push(done),
            }
        }
        for Job { task, sound, prompt, abort } in ear.jobs() {
            let caller = caller.clone();
            let call = async move { (task, caller.carry_out(task, &sound, &prompt).await) };
            calls.push(Abortable::new(call, abort).map(Result::ok).boxed());
        }
        if calls.is_empty() {
            for done in settling.drain(..) {
                // The caller may have stopped waiting.
                let _ = done.try_send(());
            }
        }
    }
}

/// A call's answer, with what it was for.
type Answer = (Task, Result<Words, Failed>);

/// What makes the calls of one candidate's stream.
#[derive(Clone)]
struct Calls {
    caller: Arc<Caller>,
    outage: Arc<Outage>,
    final_limit: Duration,
}

impl Calls {
    /// Makes a call as its purpose needs it: final words are asked for again while there is time.
    async fn carry_out(&self, task: Task, sound: &[i16], prompt: &str) -> Result<Words, Failed> {
        match task.purpose {
            Purpose::Partial | Purpose::Pause => self.once(sound, prompt, self.final_limit).await,
            Purpose::Final => {
                self.outage.asked();
                let answer = self.persistently(sound, prompt).await;
                self.outage.answered();
                answer
            }
        }
    }

    /// Makes a call again and again until it succeeds, cannot, or its time is over.
    async fn persistently(&self, sound: &[i16], prompt: &str) -> Result<Words, Failed> {
        let (clock, end) = (Clock::start(), SessionTime::ZERO + self.final_limit);
        let mut backoff = RETRY_FIRST;
        loop {
            let failed = match self.once(sound, prompt, end.since(clock.now())).await {
                Ok(words) => return Ok(words),
                Err(failed) => failed,
            };
            let wait = match failed.error.retry {
                Retry::Never => {
                    clock.sleep_until(end.min(clock.now() + HANDED_ON_WITHIN)).await;
                    return Err(failed);
                }
                Retry::Now => backoff,
                Retry::After(wait) => wait,
            };
            let at = clock.now() + wait;
            if at >= end {
                return Err(failed);
            }
            clock.sleep_until(at).await;
            backoff *= 2;
        }
    }

    /// Makes a call once, and notes whether the recogniser is there.
    async fn once(&self, sound: &[i16], prompt: &str, limit: Duration) -> Result<Words, Failed> {
        let answer = once(&self.caller, sound, prompt, limit).await;
        match &answer {
            Ok(_) => self.outage.works(),
            Err(failed) => self.outage.failed(&failed.error),
        }
        answer
    }
}

/// Makes a call once, with a limit of time.
async fn once(
    caller: &Caller,
    sound: &[i16],
    prompt: &str,
    limit: Duration,
) -> Result<Words, Failed> {
    let clock = Clock::start();
    let call = caller.transcribe(sound, prompt);
    let answer = run_until(clock, SessionTime::ZERO + limit, call).await;
    answer
        .unwrap_or_else(|| Err(caller.site.too_late("no transcript", limit, "final_limit").into()))
}
