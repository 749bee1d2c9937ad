//! The command line.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use clap::{Parser, Subcommand};
use vivavoce::{app, config::Config, livekit, telemetry};

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
    /// Start everything on this machine: LiveKit server, worker, web app. Prints where to go; Ctrl-C stops it all.
    Dev,
    /// Take interviews from a LiveKit server. SIGTERM lets running ones end, a second one does not.
    Worker,
    /// Serve the web app: launch form, candidate page, transcripts.
    Web,
    /// Play a recorded candidate through an interview without a room; print what is said.
    Replay {
        /// A fixture's name, or a WAV file.
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
    /// Check the blueprints in a folder, and name every problem with its file and line.
    Check {
        /// The folder; without it those that an interview would use.
        dir: Option<PathBuf>,
    },
    /// Simulate interviews with every kind of fault, and check that no rule breaks.
    Simulate {
        /// How many; one alone is printed with its journal.
        #[arg(long, default_value_t = 1_000)]
        seeds: u64,
        /// The first seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The blueprint; without it all in turn.
        #[arg(long, value_name = "NAME")]
        blueprint: Option<String>,
    },
    /// Try what an interview needs, and say in one sentence each what is wrong.
    Doctor,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    let config = configuration(cli.config.as_deref())?;
    telemetry::start_logs(&config.log);
    livekit::tls::install();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(async {
        match &cli.command {
            Command::Dev => app::dev(&config).await?,
            Command::Worker => app::worker(&config).await?,
            Command::Web => app::web(&config).await?,
            Command::Check { dir } => app::check(dir.as_deref().or(config.agents_dir.as_deref()))?,
            Command::Replay { candidate, blueprint, out, realtime } => {
                let replay = app::Replay {
                    candidate: candidate.clone(),
                    blueprint: blueprint.clone(),
                    out: out.clone(),
                    realtime: *realtime,
                };
                app::replay(&config, &replay).await?;
            }
            Command::Simulate { seeds, seed, blueprint } => {
                let simulate =
                    app::Simulate { seed: *seed, seeds: *seeds, blueprint: blueprint.clone() };
                app::simulate(config.agents_dir.as_deref(), &simulate)?;
            }
            Command::Doctor => app::doctor(&config).await?,
        }
        Ok(())
    })
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
