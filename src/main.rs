//! The command line.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context;
use clap::{Parser, Subcommand};
use vivavoce::{
    app,
    config::{Config, Log},
    reading::Limits,
    telemetry,
};
/// Vivavoce interviews candidates by voice in LiveKit rooms.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = AFTER_HELP)]
struct Cli {
    /// A file of settings, on top of the defaults and below the environment.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Settings: a TOML file by --config, or the environment: LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET,
and VIVAVOCE_<SECTION>__<KEY> for the rest, such as VIVAVOCE_WORKER__SLOTS=8.
Exit code: 0 done, 1 refused or failed, 2 wrong usage.";

#[derive(Subcommand)]
enum Command {
    /// Start everything on this machine: LiveKit server, worker, web app. Prints where to go; Ctrl-C stops it
    /// all.
    Dev,
    /// Take interviews from a LiveKit server. SIGTERM lets running ones end, a second one does not.
    Worker,
    /// Serve the web app: launch form, candidate page, transcripts.
    Web,
    /// Play a recorded candidate through an interview without a room; print what is said.
    ///
    /// Without --realtime the same recording gives the same journal, byte for byte: its times count from
    /// 1970.
    Replay {
        /// A fixture's name (audio-fixtures/NAME.wav), or a WAV file. With the file that marks its answers
        /// beside it (NAME.toml) they are given one by one, without it all of it is one answer to the
        /// greeting.
        #[arg(value_name = "NAME|FILE.wav")]
        candidate: String,
        /// The blueprint, if not the configured one.
        #[arg(long, value_name = "NAME")]
        blueprint: Option<String>,
        /// Where journal and sound go.
        #[arg(long, value_name = "DIR", default_value = "replay")]
        out: PathBuf,
        /// Take as long as the recording, instead of virtual time.
        #[arg(long)]
        realtime: bool,
    },
    /// Be interviewed at this machine's own microphone and loudspeaker. Headphones are best; Ctrl-C ends it.
    Console(Console),
    /// Check the blueprints in a folder, and the roles, and name every problem with its file and line.
    Check {
        /// The folder; without it those that an interview would use.
        dir: Option<PathBuf>,
    },
    /// Simulate interviews with every kind of fault, and check that no rule breaks. Same command, same
    /// result.
    Simulate(Simulate),
    /// Play scenario files, and show where the interview does something else than they say.
    Scenario {
        /// Files; a folder stands for the `.txt` files in it.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Rewrite them as they were played: read the difference.
        #[arg(long)]
        bless: bool,
    },
    /// Print what the model is told, as it gets it, and how long that is; without a blueprint a table over
    /// all.
    Prompt {
        /// The blueprint: the opening of an interview with it.
        blueprint: Option<String>,
        /// The last reply that the model owes in this scenario, instead. For the table: files, or folders of
        /// them.
        #[arg(long, value_name = "SCENARIO", num_args = 1..)]
        at: Vec<PathBuf>,
    },
    /// Replay an interview's journal, and check that this program would do the same again.
    Verify {
        /// A journal with its inputs.json beside it, or the folder of both.
        journal: PathBuf,
    },
    /// Print the conversation that is in a journal.
    Journal {
        /// A journal, or the folder of an interview.
        journal: PathBuf,
        /// The whole interview as one JSON document (docs/interview-json.md).
        #[arg(long)]
        json: bool,
    },
    /// Measure how well labelled texts are understood by their words alone: recall for each intent, and false
    /// alarms.
    Understand {
        /// A label, a tab and what somebody says on each line, as in agents/lang.
        #[arg(value_name = "FILE.tsv")]
        file: PathBuf,
        /// The language of the texts, if the file's name does not say it.
        #[arg(long, value_name = "LANGUAGE")]
        language: Option<String>,
        /// Print every text that is taken for something else.
        #[arg(long)]
        mistakes: bool,
    },
    /// Name the models that are no part of Vivavoce, where to fetch them, and check those that are there.
    Models,
    /// Print every setting with its default and what it is, as a file that --config takes.
    Settings,
    /// Try what an interview needs, and say in one sentence each what is wrong.
    Doctor,
    /// Write everything that is kept into one file, while interviews may go on.
    Backup {
        /// The file that is made, such as vivavoce-2027-01-31.tar.gz.
        file: PathBuf,
    },
    /// Take everything back from a backup, into an empty data folder and an empty database.
    Restore {
        /// The file that `vivavoce backup` has made.
        file: PathBuf,
    },
    /// Print the text of the document on stdin as JSON. The web app reads documents so, each in a process.
    #[command(hide = true)]
    ReadDocument(ReadDocument),
}

#[derive(clap::Args)]
struct ReadDocument {
    /// The file's name.
    name: String,
    /// So much memory it may take at most.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().memory_bytes)]
    memory_bytes: u64,
    /// For so long it may work at most.
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().time.as_secs())]
    seconds: u64,
}

#[derive(clap::Args)]
struct Console {
    /// The blueprint, if not the configured one.
    #[arg(long, value_name = "NAME")]
    blueprint: Option<String>,
    /// The role that you apply for.
    #[arg(long, default_value = "Software engineer")]
    role: String,
    /// Your level.
    #[arg(long, default_value = "mid", value_parser = app::LEVELS)]
    level: String,
    /// How you are addressed.
    #[arg(long, value_name = "NAME", default_value = "")]
    candidate: String,
    /// The microphone, if not the system's choice: its name, or a part of it that no other has.
    #[arg(long, value_name = "DEVICE")]
    input: Option<String>,
    /// The loudspeaker, in the same way.
    #[arg(long, value_name = "DEVICE")]
    output: Option<String>,
    /// Print the microphones and loudspeakers that a person may mean.
    #[arg(long)]
    list_devices: bool,
}

#[derive(clap::Args)]
struct Simulate {
    /// How many; one alone is printed with its journal.
    #[arg(long, default_value_t = 1_000, value_parser = count)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The blueprint; without it all in turn.
    #[arg(long, value_name = "NAME")]
    blueprint: Option<String>,
    /// What goes wrong in all of them, such as mind=loops,voice=slow; a mistake lists what can.
    #[arg(long, value_name = "WHAT=HOW,…")]
    faults: Option<String>,
    /// How many at a time; as many as there are cores unless said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    jobs: Option<u16>,
    /// The folder for journals of interviews that break a rule; it is made if there is none.
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

impl Console {
    fn options(&self) -> app::Console {
        app::Console {
            blueprint: self.blueprint.clone(),
            role: self.role.clone(),
            level: self.level.clone(),
            candidate: self.candidate.clone(),
            input: self.input.clone(),
            output: self.output.clone(),
        }
    }
}

impl ReadDocument {
    fn read(&self) -> Result<(), app::Failed> {
        let time = Duration::from_secs(self.seconds);
        app::read_document(&self.name, &Limits { time, memory_bytes: self.memory_bytes })
    }
}

fn count(text: &str) -> Result<u64, &'static str> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or("write a whole number, 1 or more")
}

fn main() -> ExitCode {
    app::share_memory();
    // What people said is nobody else's on this machine.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let cli = Cli::parse();
    match run(&cli).and_then(|()| Ok(app::printed()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    if let Command::ReadDocument(document) = &cli.command {
        return Ok(document.read()?);
    }
    let config = configuration(cli.config.as_deref())?;
    let _logs = telemetry::start_logs(&log(&cli.command, config.log.clone()));
    voiceroom::tls::install();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(async {
        let traces = telemetry::start_traces(&config.telemetry).map_err(anyhow::Error::msg)?;
        let done = command(&cli.command, &config).await;
        if let Some(traces) = traces {
            traces.finish();
        }
        done
    })
}

async fn command(command: &Command, config: &Config) -> anyhow::Result<()> {
    let (agents_dir, roles) = (config.agents.dir.as_deref(), config.agents.roles.as_deref());
    match command {
        Command::Dev => Box::pin(app::dev(config)).await?,
        Command::Worker => app::worker(config).await?,
        Command::Web => app::web(config).await?,
        Command::Check { dir } => {
            app::check(dir.as_deref().or(agents_dir), roles, &config.providers)?
        }
        Command::Replay { candidate, blueprint, out, realtime } => {
            let replay = app::Replay {
                candidate: candidate.clone(),
                blueprint: blueprint.clone(),
                out: out.clone(),
                realtime: *realtime,
            };
            app::replay(config, &replay).await?;
        }
        Command::Console(Console { list_devices: true, .. }) => app::devices()?,
        Command::Console(console) => app::console(config, &console.options()).await?,
        Command::Simulate(Simulate { seeds, seed, blueprint, faults, jobs, out }) => {
            let simulate = app::Simulate {
                seed: *seed,
                seeds: *seeds,
                blueprint: blueprint.clone(),
                faults: faults.clone(),
                jobs: jobs.map(usize::from),
                out: out.clone(),
            };
            app::simulate(agents_dir, &simulate)?;
        }
        Command::Scenario { files, bless } => app::scenario(agents_dir, files, *bless)?,
        Command::Prompt { blueprint, at } => {
            app::prompt(agents_dir, blueprint.as_deref(), at)?;
        }
        Command::Verify { journal } => app::verify(journal)?,
        Command::Journal { journal, json } => app::journal(journal, *json)?,
        Command::Understand { file, language, mistakes } => {
            let options = app::Understand { language: language.clone(), mistakes: *mistakes };
            app::understand(agents_dir, file, &options)?;
        }
        Command::Models => app::models(config)?,
        Command::Settings => app::settings(),
        Command::Doctor => app::doctor(config).await?,
        Command::Backup { file } => app::backup(config, file).await?,
        Command::Restore { file } => app::restore(config, file).await?,
        // `run` does it, without settings, logs and threads.
        Command::ReadDocument(document) => document.read()?,
    }
    Ok(())
}

/// What the others print is there to be read: unless more is asked for, only what goes wrong is logged
/// between it.
fn log(command: &Command, mut log: Log) -> Log {
    let serves = matches!(command, Command::Dev | Command::Worker | Command::Web);
    if !serves && log.filter == "info" {
        log.filter = "warn".to_owned();
    }
    log
}

fn configuration(file: Option<&Path>) -> anyhow::Result<Config> {
    let name = file.map(|path| path.display().to_string()).unwrap_or_default();
    let text = match file {
        Some(path) => {
            std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?
        }
        None => String::new(),
    };
    let environment = std::env::vars_os().filter_map(|(variable, value)| {
        Some((variable.into_string().ok()?, value.into_string().ok()?))
    });
    Ok(Config::read(file.map(|_| (name.as_str(), text.as_str())), environment)?)
}
