//! `vivavoce web`: the web app.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tracing::warn;
use voiceroom::server::Api;

use super::{
    Failed,
    agents::{self, Agents},
    keys,
    out::{BAD, PLAIN, say, say_unencrypted},
    prices, roles,
    simulated::{Pace, Simulator},
    worker,
};
use crate::{
    config::{self, Config},
    database::{Database, DatabaseError, new_token},
    mail::{Mailer, Setup},
    oidc::{self, Admits, Provider},
    planning::Planner,
    providers::{
        kind::{Place, Role},
        languages::KnownLanguages,
        registry::Registry,
        speech::Chain,
    },
    reading::{Limits, Reader},
    sound_check::SoundCheck,
    store::{JournalStore, Plans, Recordings},
    web::{
        self, ConnectionLimits, Exposure, LaunchableBlueprint, Outside, Real, Services, Site,
        SpeechLanguages, Web,
    },
};

/// How long the code is that the first account needs.
const CODE_CHARS: usize = 24;
/// How often a provider of accounts is asked for its keys when a token's key is unknown.
const OIDC_KEYS_AGAIN_AFTER: Duration = Duration::from_secs(30);
/// How long a mail server may take for an answer.
const MAIL_ANSWER_LIMIT: Duration = Duration::from_secs(20);
/// After how long a mail that was not sent is tried again first.
const MAIL_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Serves the web app until the process is told to stop.
pub async fn web(config: &Config) -> Result<(), Failed> {
    let stop = worker::told_to_stop(worker::shutdown()?);
    say_unencrypted(config);
    let bound = bind(config, Command::Web).await?;
    if bound.exposure().is_plain() {
        let warning = "Passwords and answers go over the net as plain text: put a server with TLS \
            before it, and name it \
                       in web.public_url, such as https://interviews.example.org.";
        say(BAD, warning);
    }
    if matches!(bound.exposure(), Exposure::Behind(_)) && config.web.trusted_proxy.is_none() {
        let warning = "Whoever tries to sign in again and again cannot be told from others: name the server \
            in front in web.trusted_proxy, such as 127.0.0.1, and let it set X-Forwarded-For.";
        say(BAD, warning);
    }
    say(PLAIN, &format!("Vivavoce's web app is at {}", entrance(&config.web, &bound)));
    if !web::has_pages() {
        say(BAD, web::NO_PAGES);
    }
    bound.serve(stop).await.map_err(|error| Failed(format!("the web app failed: {error}")))
}

/// The command that starts the web app.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Everything on one machine, for whoever sits there.
    Dev,
    /// The web app alone.
    Web,
}

/// Where to go first: with the code of the first account, where it needs one.
pub(super) fn entrance(web: &config::Web, bound: &Web) -> String {
    let address = address(web, bound.address());
    // Behind the # the code is sent to nobody else.
    let code = bound.setup_code().map(|code| format!("/#setup={code}"));
    address + &code.unwrap_or_default()
}

/// Where people reach the web app, without a slash at its end.
fn address(web: &config::Web, listen: SocketAddr) -> String {
    match &web.public_url {
        Some(url) => url.as_str().trim_end_matches('/').to_owned(),
        None => format!("http://{listen}"),
    }
}

/// The web app, listening but not answering yet.
pub(super) async fn bind(config: &Config, command: Command) -> Result<Web, Failed> {
    let dir = config.agents.dir.as_deref();
    let agents = Agents::load(dir)?;
    let program = std::env::current_exe()
        .map_err(|error| Failed(format!("this program does not find itself: {error}")))?;
    let database = Database::new(config.data.url.reveal(), &config.data.dir);
    let store = super::store(config)?;
    let failed = |error: DatabaseError| Failed(error.to_string());
    database.open().await.map_err(failed)?;
    let exposure = Exposure::of(config.web.listen, config.web.public_url.as_ref());
    // A server in front of it may be on this machine, too, and need not say so.
    let is_alone = command == Command::Dev && exposure == Exposure::Local;
    let needs_code = !is_alone && database.is_empty().await.map_err(failed)?;
    let is_server = |role| matches!(config.place(role), Place::Server(_));
    let settings = web::Config {
        site: Site {
            listen: config.web.listen,
            exposure,
            trusted_proxy: config.web.trusted_proxy,
            setup_code: needs_code.then(|| new_token()[..CODE_CHARS].to_owned()),
            real: Real {
                speech: is_server(Role::Stt) && is_server(Role::Tts),
                model: is_server(Role::Llm),
            },
            records: config.recording.enabled,
            outside: Outside {
                address: address(&config.web, config.web.listen),
                to_private: config.web.webhooks_to_private,
                partner_key: config.web.partner_key.reveal().to_owned(),
            },
            services: services(config, store.clone()).map_err(Failed)?,
            sound_check: Arc::new(sound_check(config)),
        },
        database,
        store,
        recordings: Recordings::of(&config.data.dir),
        livekit_public_url: config.livekit.public_url.clone(),
        livekit: Api::new(&config.livekit.url, keys(&config.livekit)?),
        agent_name: config.worker.agent_name.clone(),
        blueprints: launchable(agents, dir, &config.worker.blueprint),
        roles: roles::load(config.agents.roles.as_deref())?,
        link_lifetime: config.web.link_lifetime,
        reader: Arc::new(Reader::new(program, Limits::default())),
        planner: Arc::new(planner(config)),
    };
    let limits =
        ConnectionLimits { open_max: config.web.open_connections_max, ..Default::default() };
    let bound = Web::bind(settings).await.map_err(|error| Failed(error.to_string()))?;
    Ok(bound.with_limits(limits))
}

/// What the web app uses beside the room server, as it is set.
fn services(config: &Config, store: Arc<dyn JournalStore>) -> Result<Services, String> {
    let oidc = provider(config)?;
    let no_passwords = !config.oidc.passwords;
    if no_passwords && oidc.is_none() {
        let why = "`oidc.passwords` is false and `oidc.issuer` is empty, so nobody could sign in: set one";
        return Err(why.to_owned());
    }
    let prices = Arc::new(prices::load(config.usage.prices.as_deref())?);
    let blueprint_check = agents::saved_check(config.providers.clone());
    let simulator = Some(Arc::new(Simulator::new(config, store, Pace::AsAsked)) as Arc<_>);
    let mail = mailer(config)?;
    let partner_insecure = config.web.partner_insecure;
    let audit_kept = config.data.audit_kept;
    Ok(Services {
        mail,
        oidc,
        no_passwords,
        partner_insecure,
        audit_kept,
        prices,
        blueprint_check,
        simulator,
        languages: languages(config),
    })
}

/// Finds which languages the recogniser and the voice of a blueprint know: once for those that are chosen
/// alike.
fn languages(config: &Config) -> SpeechLanguages {
    let (speech, providers) = (config.speech.clone(), config.providers.clone());
    let found: Mutex<BTreeMap<[Vec<String>; 2], Option<KnownLanguages>>> = Mutex::default();
    SpeechLanguages::new(move |blueprint| {
        let names = [blueprint.speech.stt.clone(), blueprint.speech.tts.clone()];
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = found.get(&names) {
            return known.clone();
        }
        let [stt, tts] = names.clone().map(|names| (!names.is_empty()).then(|| Chain::new(names)));
        let known = KnownLanguages::chosen(&speech, &providers, stt.as_ref(), tts.as_ref());
        if let Err(why) = &known {
            warn!(%why, "nobody knows which languages can be spoken here");
        }
        found.entry(names).or_insert(known.ok()).clone()
    })
}

/// Where people reach the web app; `what` needs to know it.
fn base(config: &Config, what: &str) -> Result<String, String> {
    match &config.web.public_url {
        Some(url) => Ok(url.as_str().trim_end_matches('/').to_owned()),
        None if config.web.listen.ip().is_loopback() => Ok(format!("http://{}", config.web.listen)),
        None => Err(format!(
            "{what} needs `web.public_url`: set it to where people reach this server, such as \
             https://interviews.example.org"
        )),
    }
}

/// Where people sign in with an account from elsewhere, where one is set.
fn provider(config: &Config) -> Result<Option<Arc<Provider>>, String> {
    let Some(issuer) = &config.oidc.issuer else { return Ok(None) };
    let oidc = &config.oidc;
    let setup = oidc::Setup {
        issuer,
        client_id: &oidc.client_id,
        client_secret: oidc.client_secret.reveal(),
        redirect: format!("{}/api/oidc/callback", base(config, "`oidc.issuer`")?),
        admits: Admits::read(&oidc.admins, &oidc.recruiters, &oidc.viewers)?,
        keys_again_after: OIDC_KEYS_AGAIN_AFTER,
    };
    Ok(Some(Arc::new(Provider::new(setup)?)))
}

/// What sends mail to candidates, where a server is set.
fn mailer(config: &Config) -> Result<Option<Arc<Mailer>>, String> {
    let Some(server) = &config.mail.server else { return Ok(None) };
    let base = base(config, "`mail.server`")?;
    let setup = Setup {
        server,
        password: config.mail.password.reveal(),
        from: &config.mail.from,
        reply_to: &config.mail.reply_to,
        base: &base,
        remind_before: config.mail.remind_before,
        answer_limit: MAIL_ANSWER_LIMIT,
        retry_after: MAIL_RETRY_AFTER,
    };
    Ok(Some(Arc::new(Mailer::new(&setup)?)))
}

/// What hears candidates before their interview: with the recogniser that a blueprint or the settings choose.
fn sound_check(config: &Config) -> SoundCheck {
    let (speech, providers) = (config.speech.clone(), config.providers.clone());
    SoundCheck::new(move |names| {
        let chosen = (!names.is_empty()).then(|| Chain::new(names.to_vec()));
        let opened = Registry::recogniser(&speech, &providers, chosen.as_ref());
        opened.map_err(|why| why.to_string())
    })
}

/// What makes plans and summaries: with the model that a blueprint or the settings choose.
fn planner(config: &Config) -> Planner {
    let (speech, providers) = (config.speech.clone(), config.providers.clone());
    let tokens_per_day = config.usage.writing_tokens_per_day;
    Planner::within(tokens_per_day, Plans::of(&config.data.dir), move |blueprint| {
        let chosen = agents::chosen_providers(blueprint);
        let chosen = chosen.iter().find(|(role, _)| *role == Role::Llm).map(|(_, chain)| chain);
        Registry::interviewer(&speech, &providers, chosen).map_err(|why| why.to_string())
    })
}

/// What the form offers, `first` at its head.
fn launchable(agents: Agents, dir: Option<&Path>, first: &str) -> Vec<LaunchableBlueprint> {
    let Agents { mut files, blueprints } = agents;
    let launchable = blueprints.into_iter().map(|(name, blueprint)| {
        let files = files.remove(&name).unwrap_or_default().into_iter().collect();
        let sample = agents::sample(dir, &name);
        LaunchableBlueprint { name, version: 0, blueprint, files, sample }
    });
    let mut launchable: Vec<_> = launchable.collect();
    launchable.sort_by_key(|blueprint| blueprint.name != first);
    launchable
}
