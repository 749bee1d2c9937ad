//! The configuration: the defaults, a file on top of them, the environment on top of both.
//!
//! Every problem is found in one go and is one sentence, with file and line where there is one. The sections
//! are declared here, each setting once; those of the providers stand with their vendors.

mod documented;
mod moved;
#[cfg(test)]
mod tests;
mod unencrypted;

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, time::Duration};

pub use crate::settings::Secret;
use crate::{
    providers::{
        kind::{Kind, Place, Provider, Role},
        kinds::{KINDS, Providers},
        speech::Speech,
    },
    settings::{
        Field, Kind as Toml, Near, Problem, Reader, Rule, Section, Subnet, Table, Tables,
        check_keys, choice, near, rules, settings, variable,
    },
};
pub use documented::documented;

/// The beginning of the names of sections `[providers.NAME]`.
const PROVIDERS: &str = "providers.";

/// Declares the configuration as a list of sections.
macro_rules! sections {
    ($($(#[$doc:meta])+ $name:ident: $type:ty,)+) => {
        /// All settings, checked.
        #[derive(Clone, Debug)]
        pub struct Config {
            $($(#[$doc])+ pub $name: $type,)+
            /// All providers by name.
            pub providers: Providers,
            /// The addresses to which keys go unencrypted because the settings say so, one sentence each.
            pub unencrypted: Vec<String>,
        }

        /// The sections but for those of the providers: name, what it is about, settings.
        const SECTIONS: &[(&str, &str, &[Field])] =
            &[$((stringify!($name), <$type>::DOC, <$type>::FIELDS)),+];

        impl Config {
            fn from_tables(tables: &mut Tables, problems: &mut Vec<Problem>) -> Self {
                $(let $name = {
                    let (section, table) = (stringify!($name), tables.table(stringify!($name)));
                    let keys: Vec<_> = <$type>::FIELDS.iter().map(|field| field.key).collect();
                    check_keys(section, &keys, table, problems);
                    <$type>::read(&mut Reader::new(section, table, problems))
                };)+
                let providers = read_providers(tables, problems);
                Self { $($name,)+ providers, unencrypted: Vec::new() }
            }
        }
    };
}

sections! {
    /// The LiveKit server.
    livekit: LiveKit,
    /// The agent worker.
    worker: Worker,
    /// The web server.
    web: Web,
    /// Mail to candidates.
    mail: Mail,
    /// Signing in with an account from elsewhere.
    oidc: Oidc,
    /// Where interviews are kept.
    data: Data,
    /// Whether their sound is kept, too.
    recording: Recording,
    /// Blueprints, roles and levels.
    agents: Agents,
    /// What hears, thinks and speaks.
    speech: Speech,
    /// What interviews use of providers, and what that costs.
    usage: Usage,
    /// How long providers take on virtual time.
    lockstep: Lockstep,
    /// What is logged, and how.
    log: Log,
    /// Where spans of interviews go.
    telemetry: Telemetry,
}

settings! {
    /// The LiveKit server and our key to it.
    pub struct LiveKit {
        /// Where we reach it.
        url: String = "ws://127.0.0.1:7880", WEBSOCKET, also "LIVEKIT_URL";
        /// Where browsers reach it; empty: `url`.
        public_url: String = "", WEBSOCKET_OR_NONE, also "LIVEKIT_PUBLIC_URL";
        /// `vivavoce dev` makes a pair of keys for the server that it starts.
        api_key: String = "", rules::TEXT, also "LIVEKIT_API_KEY";
        /// The other half of the pair.
        api_secret: Secret = "", rules::SECRET, also "LIVEKIT_API_SECRET";
        /// Whether its tokens may go to another machine at a `ws://` address, which everybody on the way
        /// reads.
        insecure: bool = false, rules::FLAG;
        /// Which ways media may take: any that gets through, or the server's TURN alone.
        ice_transport_policy: IceTransportPolicy = "all", IceTransportPolicy::RULE;
    }
}

settings! {
    /// The agent worker.
    pub struct Worker {
        /// What a dispatch names.
        agent_name: String = "vivavoce", rules::name("a name");
        /// Interviews at a time on two cores.
        slots: usize = 8, SLOTS;
        /// Whether a worker whose own steps come late takes no further interview.
        admission: Admission = "slots-and-cpu", Admission::RULE;
        /// How long interviews may go on after SIGTERM; then another worker goes on with them.
        drain_limit: Duration = "10m", rules::DURATION;
        /// For jobs that name no interview of ours, and for `replay` and `console`.
        blueprint: String = "mock-interview", rules::name("the name of a blueprint");
        /// /healthz, /readyz, /metrics.
        health: SocketAddr = "127.0.0.1:8081", rules::ADDRESS;
    }
}

settings! {
    /// The web server.
    pub struct Web {
        /// Where recruiters sign in and candidates open their link; `vivavoce dev` stays on this machine.
        listen: SocketAddr = "127.0.0.1:8080", rules::ADDRESS;
        /// Where people reach it, such as https://interviews.example.org; empty: at `listen`.
        public_url: Option<url::Url> = "", rules::HTTP_URL_OR_NONE;
        /// The server in front of it, whose `X-Forwarded-For` says who tries to sign in: 127.0.0.1,
        /// 10.0.0.0/8.
        trusted_proxy: Option<Subnet> = "", rules::SUBNET_OR_NONE;
        /// Connections that are open at once; those that come then wait.
        open_connections_max: usize = 1000, CONNECTIONS;
        /// How long a candidate's link works.
        link_lifetime: Duration = "168h", rules::DURATION;
        /// Whether webhooks may go to this machine and into private networks: for an intranet.
        webhooks_to_private: bool = false, rules::FLAG;
        /// What proves to an applicant tracking system that its interview is over: most often the API key
        /// that it was given.
        partner_key: Secret = "", rules::SECRET;
        /// Whether that key may go to another machine at an `http://` address, which everybody on the way
        /// reads.
        partner_insecure: bool = false, rules::FLAG;
    }
}

settings! {
    /// Mail to candidates: invitations, reminders and changes of an appointment (docs/mail.md).
    pub struct Mail {
        /// smtps://user@host, or smtp://user@host, which begins with STARTTLS; empty: no mail is sent.
        server: Option<url::Url> = "", SMTP_OR_NONE;
        /// The password of that user.
        password: Secret = "", rules::SECRET;
        /// Whether it may go to another machine with `?tls=none`, which everybody on the way reads.
        insecure: bool = false, rules::FLAG;
        /// Whom it is from, such as Example Ltd <jobs@example.org>.
        from: String = "", rules::TEXT;
        /// Where answers go; empty: to `from`.
        reply_to: String = "", rules::TEXT;
        /// How long before the link or the appointment is over candidates are reminded; 0s: never.
        remind_before: Duration = "24h", rules::DURATION;
    }
}

settings! {
    /// Signing in with an account from elsewhere, by OpenID Connect (docs/sign-in.md). Lists hold e-mail
    /// domains such as @example.org and names of groups, separated by commas.
    pub struct Oidc {
        /// The provider of accounts, such as https://accounts.example.org; empty: there is none.
        issuer: Option<url::Url> = "", rules::HTTP_URL_OR_NONE;
        /// What it calls us.
        client_id: String = "", rules::TEXT;
        /// The secret that it shares with us; empty: it has given us none.
        client_secret: Secret = "", rules::SECRET;
        /// Who manages accounts and keys.
        admins: String = "", rules::TEXT;
        /// Who launches interviews and decides.
        recruiters: String = "", rules::TEXT;
        /// Who reads.
        viewers: String = "", rules::TEXT;
        /// Whether people can sign in with a password, too.
        passwords: bool = true, rules::FLAG;
    }
}

settings! {
    /// Where interviews are kept.
    pub struct Data {
        /// Interviews and their journals.
        dir: PathBuf = "data", DIR, also "VIVAVOCE_DATA";
        /// The database of accounts and openings: postgres://user:password@host/name; empty: a SQLite
        /// file in `dir`.
        url: Secret = "", DATABASE;
        /// Whether a database on another machine may be reached without TLS, which everybody on the way
        /// reads.
        insecure: bool = false, rules::FLAG;
        /// Where interviews and journals are: in `dir`, or in the database, which takes in those of `dir`.
        interviews: KeptIn = "files", KeptIn::RULE;
        /// How long entries of the audit trail are kept; 0s: for ever.
        audit_kept: Duration = "0s", rules::DURATION;
    }
}

settings! {
    /// Recording of both sides' sound, of candidates who agree to it: recording.ogg beside the journal.
    pub struct Recording {
        /// Whether there is any.
        enabled: bool = false, rules::FLAG;
        /// Where candidates agree to it; whoever was asked nothing on our page has agreed elsewhere.
        consent: ConsentTaken = "page", ConsentTaken::RULE;
    }
}

settings! {
    /// Blueprints, roles and levels.
    pub struct Agents {
        /// A folder of blueprints; empty: the folder `agents` here, else those in the binary.
        dir: Option<PathBuf> = "", rules::FOLDER;
        /// A file of roles and levels; empty: `config/roles.toml` here, else the one in the binary.
        roles: Option<PathBuf> = "", rules::FILE;
    }
}

settings! {
    /// What interviews use of providers, and what that costs.
    pub struct Usage {
        /// A file of prices; empty: `config/prices.toml` here, else the one in the binary.
        prices: Option<PathBuf> = "", rules::FILE;
        /// Tokens that plans, summaries and reports of one web app may use in a day, all together; 0: any
        /// number.
        writing_tokens_per_day: u64 = 50000000, TOKENS;
    }
}

settings! {
    /// `replay` on virtual time: how long model, voice and judge take.
    pub struct Lockstep {
        /// From request to first words.
        llm: Duration = "200ms", rules::DURATION;
        /// From text to first sound.
        tts: Duration = "100ms", rules::DURATION;
        /// From an answer to what the judge finds in it.
        judge: Duration = "1s", rules::DURATION;
    }
}

settings! {
    /// What is logged, and how.
    pub struct Log {
        /// As in RUST_LOG: "info,vivavoce::session=debug".
        filter: String = "info", FILTER;
        /// How a line looks.
        format: LogFormat = "human", LogFormat::RULE;
        /// Whether what people said is logged, too.
        personal: bool = false, rules::FLAG;
    }
}

settings! {
    /// Where spans of interviews go.
    pub struct Telemetry {
        /// A collector for OpenTelemetry (OTLP over HTTP), such as http://127.0.0.1:4318: spans of turns.
        otlp_endpoint: Option<url::Url> = "", rules::HTTP_URL_OR_NONE;
        /// Whether a name and password in that address may go to another machine over `http://`, which
        /// everybody on the way reads.
        insecure: bool = false, rules::FLAG;
    }
}

choice! {
    /// Where interviews and their journals are kept.
    KeptIn {
        /// Files in the data folder.
        Files = "files",
        /// The database.
        Database = "database",
    }
}
choice! {
    /// What decides whether one more interview fits (W03).
    Admission {
        /// Free slots, and own steps that come in time.
        SlotsAndCpu = "slots-and-cpu",
        /// Free slots alone.
        Slots = "slots",
    }
}
choice! {
    /// Which ways media may take.
    IceTransportPolicy {
        /// UDP; where that does not get through, TCP and the server's relays.
        All = "all",
        /// The server's relays alone.
        Relay = "relay",
    }
}
choice! {
    /// Where candidates agree to be recorded.
    ConsentTaken {
        /// On our own page, before they start.
        Page = "page",
        /// Wherever candidates come from who were asked nothing on our page.
        Elsewhere = "elsewhere",
    }
}
choice! {
    /// How a line of the log looks.
    LogFormat {
        /// For a terminal.
        Human = "human",
        /// One JSON object a line.
        Json = "json",
    }
}

/// The address of a LiveKit server, without a slash at its end.
const WEBSOCKET: Rule<String> = Rule {
    kind: Toml::Text,
    expected: rules::WEBSOCKET_URL.expected,
    parse: |text| (rules::WEBSOCKET_URL.parse)(text).map(|_| text.trim_end_matches('/').to_owned()),
};
const WEBSOCKET_OR_NONE: Rule<String> = Rule {
    kind: Toml::Text,
    expected: rules::WEBSOCKET_URL.expected,
    parse: |text| if text.is_empty() { Some(String::new()) } else { (WEBSOCKET.parse)(text) },
};
const SLOTS: Rule<usize> = Rule {
    kind: Toml::Whole,
    expected: "a whole number from 1 to 1000",
    parse: |text| text.parse().ok().filter(|slots| (1..=1_000).contains(slots)),
};
const CONNECTIONS: Rule<usize> = Rule {
    kind: Toml::Whole,
    expected: "a whole number from 10 to 100000",
    parse: |text| text.parse().ok().filter(|count| (10..=100_000).contains(count)),
};
const TOKENS: Rule<u64> =
    Rule { kind: Toml::Whole, expected: "a whole number", parse: |text| text.parse().ok() };
const DIR: Rule<PathBuf> = Rule {
    kind: Toml::Text,
    expected: "a folder",
    parse: |text| (!text.is_empty()).then(|| PathBuf::from(text)),
};
const DATABASE: Rule<Secret> = Rule {
    kind: Toml::Text,
    expected: "an address that begins with postgres:// or postgresql://",
    parse: |text| {
        let is_postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
        (text.is_empty() || is_postgres).then(|| Secret::new(text))
    },
};
/// The address of a mail server, or none.
const SMTP_OR_NONE: Rule<Option<url::Url>> = Rule {
    kind: Toml::Text,
    expected: "an address that begins with smtps:// or smtp://",
    parse: |text| {
        let is_mail = |url: &url::Url| matches!(url.scheme(), "smtp" | "smtps") && url.has_host();
        match text {
            "" => Some(None),
            text => url::Url::parse(text).ok().filter(is_mail).map(Some),
        }
    },
};
const FILTER: Rule<String> = Rule {
    kind: Toml::Text,
    expected: "directives such as `info`",
    parse: |text| text.parse::<tracing_subscriber::EnvFilter>().ok().map(|_| text.to_owned()),
};

/// Everything that is wrong with the configuration, one sentence each.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub struct Problems(pub Vec<String>);

/// A file of settings: its name, for messages, and its text.
pub type File<'a> = (&'a str, &'a str);

impl Config {
    /// Reads a file and the variables of an environment on top of the defaults; later ones win.
    pub fn read(
        file: Option<File<'_>>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Problems> {
        let (mut tables, mut problems) = (Tables::default(), Vec::new());
        if let Some((name, text)) = file {
            tables.add_file(name, text, &mut problems);
        }
        add_environment(&mut tables, environment, &mut problems);
        moved::refuse(&mut tables, &mut problems);
        refuse_unknown_sections(&tables, &mut problems);
        let mut config = Self::from_tables(&mut tables, &mut problems);
        config.check_chains(&mut tables, &mut problems);
        config.unencrypted = unencrypted::check(&config, &mut tables, &mut problems);
        if config.livekit.public_url.is_empty() {
            config.livekit.public_url = config.livekit.url.clone();
        }
        if problems.is_empty() {
            return Ok(config);
        }
        problems.sort_by(|one, other| one.place.cmp(&other.place));
        Err(Problems(problems.iter().map(ToString::to_string).collect()))
    }

    /// Where what is chosen for a role works; of several the first.
    pub fn place(&self, role: Role) -> Place {
        self.speech.place(role, &self.providers)
    }

    /// The names of all that are chosen for a role, and where each works.
    pub fn places(&self, role: Role) -> Vec<(String, Place)> {
        self.speech.places(role, &self.providers)
    }

    /// Each role is taken by a provider that can.
    fn check_chains(&self, tables: &mut Tables, problems: &mut Vec<Problem>) {
        for role in Role::ALL {
            let chain = self.speech.chain(role);
            let Err(wrong) = chain.check(role, &self.providers) else { continue };
            let Some(setting) = tables.table("speech").settings.get(role.key()) else { continue };
            let what = moved::choice(role, chain)
                .unwrap_or_else(|| format!("`speech.{}` {wrong}", role.key()));
            problems.push(Problem { place: setting.place.clone(), what });
        }
    }
}

/// Variables that are no settings of ours are left alone.
fn add_environment(
    tables: &mut Tables,
    environment: impl IntoIterator<Item = (String, String)>,
    problems: &mut Vec<Problem>,
) {
    let names = provider_names(tables);
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for (variable, text) in environment {
        for (section, field) in all_fields() {
            if field.variables.contains(&variable.as_str()) {
                others.push((
                    section.clone(),
                    field.key.to_owned(),
                    variable.clone(),
                    text.clone(),
                ));
            }
        }
        let Some(rest) = variable.strip_prefix("VIVAVOCE_").map(str::to_lowercase) else {
            continue;
        };
        match rest.split_once("__") {
            Some(("providers", rest)) => match rest.split_once("__") {
                Some((name, key)) => {
                    let known = names.iter().find(|known| known.replace('-', "_") == name);
                    let section = format!("{PROVIDERS}{}", known.map_or(name, String::as_str));
                    ours.push((section, key.to_owned(), variable, text));
                }
                None => problems.push(Problem {
                    what: "write VIVAVOCE_PROVIDERS__<NAME>__<KEY>".to_owned(),
                    place: crate::settings::Place::Variable(variable),
                }),
            },
            Some((section, key)) => ours.push((section.to_owned(), key.to_owned(), variable, text)),
            None => problems.extend(written_with_one(&rest, variable)),
        }
    }
    for (section, key, variable, text) in others.into_iter().chain(ours) {
        tables.add_variable(&section, &key, &variable, text);
    }
}

/// A variable `VIVAVOCE_SECTION_KEY` is nearly a setting of ours.
fn written_with_one(rest: &str, name: String) -> Option<Problem> {
    let is_it = |(section, field): &(String, &Field)| {
        let moved = moved::from(section, field.key);
        let names = [Some((section.clone(), field.key)), moved];
        let as_written = |(section, key): (String, &str)| {
            format!("{section}_{key}").replace(['.', '-'], "_") == rest
        };
        names.into_iter().flatten().any(as_written)
    };
    let (section, field) = all_fields().into_iter().find(is_it)?;
    let what = format!("write {}, with two underscores", variable(&section, field.key));
    Some(Problem { place: crate::settings::Place::Variable(name), what })
}

/// Every setting that is there without being named by anybody, with its section.
fn all_fields() -> Vec<(String, &'static Field)> {
    let fixed = SECTIONS.iter().map(|(name, _, fields)| ((*name).to_owned(), *fields));
    let of_kinds = KINDS.iter().map(|kind| (format!("{PROVIDERS}{}", kind.name), fields_of(kind)));
    let fixed = fixed.map(|(name, fields)| (name, fields.iter().collect::<Vec<_>>()));
    let all = fixed.chain(of_kinds);
    all.flat_map(|(name, fields)| fields.into_iter().map(move |field| (name.clone(), field)))
        .collect()
}

/// The kinds' own names, and those that are written.
fn provider_names(tables: &Tables) -> Vec<String> {
    let written = tables.0.keys().filter_map(|section| section.strip_prefix(PROVIDERS));
    let mut names: Vec<String> =
        KINDS.iter().map(|kind| kind.name).chain(written).map(str::to_owned).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn refuse_unknown_sections(tables: &Tables, problems: &mut Vec<Problem>) {
    let mut known: Vec<&str> = SECTIONS.iter().map(|(name, _, _)| *name).collect();
    known.push("providers");
    known.sort_unstable();
    for (section, table) in &tables.0 {
        if !known.contains(&section.as_str()) && !section.starts_with(PROVIDERS) {
            let what = format!(
                "there is no section `{section}`: there are {}{}",
                known.join(", "),
                Near(near(section, known.iter().copied()))
            );
            problems.push(Problem { place: table.place.clone(), what });
        }
    }
}

/// All providers: one of each kind by the kind's own name, and those that are written.
fn read_providers(tables: &mut Tables, problems: &mut Vec<Problem>) -> Providers {
    let mut providers = BTreeMap::new();
    for name in provider_names(tables) {
        let table = tables.table(&format!("{PROVIDERS}{name}"));
        if let Some(provider) = read_provider(&name, table, problems) {
            providers.insert(name, provider);
        }
    }
    Providers::new(providers)
}

fn read_provider(name: &str, table: &Table, problems: &mut Vec<Problem>) -> Option<Provider> {
    let section = format!("{PROVIDERS}{name}");
    let kinds = KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>();
    let one_of: String = kinds.iter().map(|kind| format!(" `{kind}`")).collect();
    let written = table.settings.get("kind");
    let (wanted, place) = match written {
        Some(kind) => (kind.text.as_str(), &kind.place),
        None => (name, &table.place),
    };
    let Some(kind) = kind_of(name, table) else {
        let what = match written {
            Some(_) => {
                let meant = Near(near(wanted, kinds));
                format!("`{section}.kind` must be one of{one_of}, not `{wanted}`{meant}")
            }
            None => format!("`{section}` must have a `kind`, which is one of{one_of}"),
        };
        problems.push(Problem { place: place.clone(), what });
        return None;
    };
    let keys: Vec<_> =
        ["kind"].into_iter().chain(fields_of(kind).iter().map(|field| field.key)).collect();
    check_keys(&section, &keys, table, problems);
    Some(provider_of(kind, name, &section, table, problems))
}

/// The kind of a provider: that of its name, where none is written.
fn kind_of(name: &str, table: &Table) -> Option<&'static Kind> {
    let wanted = table.settings.get("kind").map_or(name, |kind| kind.text.as_str());
    KINDS.iter().copied().find(|kind| kind.name == wanted)
}

/// The settings of a kind, with the one that all have that reach a server.
fn fields_of(kind: &'static Kind) -> Vec<&'static Field> {
    let is_reached = kind.fields.iter().any(|field| field.key == unencrypted::ADDRESS);
    kind.fields.iter().chain(is_reached.then_some(&unencrypted::INSECURE)).collect()
}

fn provider_of(
    kind: &Kind,
    name: &str,
    section: &str,
    table: &Table,
    problems: &mut Vec<Problem>,
) -> Provider {
    (kind.read)(name, &mut Reader::new(section, table, problems))
}
