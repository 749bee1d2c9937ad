//! `make bench-turns`: every detector of voice and every rule for the end of a turn, over recordings with
//! noise.
//!
//! Each recording goes through the product's own ear on virtual time, and what that tells is held against the
//! truth. The tables say which default is right. `docs/bench-turns.md` says how to read them.

#[path = "turns/compare.rs"]
mod compare;
#[path = "turns/ear.rs"]
mod ear;
#[path = "turns/pauses.rs"]
mod pauses;
#[path = "turns/recordings.rs"]
mod recordings;
#[path = "turns/report.rs"]
mod report;
#[path = "turns/rules.rs"]
mod rules;
#[path = "turns/score.rs"]
mod score;
#[path = "turns/sound.rs"]
mod sound;
#[path = "turns/sweep.rs"]
mod sweep;

use std::{
    fs,
    io::{Write as _, stdout},
    path::PathBuf,
    time::Duration,
};

use clap::Parser;
use vivavoce::{
    config::Config,
    interview::Interview,
    providers::{registry::Registry, speech::Speech, turns::Turns, vad_webrtc},
};

use compare::Comparison;
use ear::{Detector, Step, Wire};
use recordings::Recordings;
use report::{Condition, Noise, Row, Rule};
use rules::Sound;
use score::Ends;
use sound::Take;

/// Where results go unless an argument says otherwise.
const OUT: &str = env!("CARGO_TARGET_TMPDIR");
/// The only settings that change what is tried.
const MODELS: [&str; 3] =
    ["VIVAVOCE_SPEECH__MODELS_DIR", "VIVAVOCE_SPEECH__VAD", "VIVAVOCE_SPEECH__TURN_DETECTOR"];
/// The figures are of detectors and rules: what hears words and speaks is not in them.
const SCRIPTED: [(&str, &str); 2] =
    [("VIVAVOCE_SPEECH__STT", "scripted"), ("VIVAVOCE_SPEECH__TTS", "scripted")];

/// Measures detectors of voice and rules for the end of a turn.
#[derive(Debug, Parser)]
struct Args {
    /// The folder for turns.json and turns.txt
    #[arg(long, default_value = OUT)]
    out: PathBuf,
    /// Only compare rules for the end of a turn: no detectors of voice, no noise
    #[arg(long)]
    ends: bool,
    /// Let the sound go through Opus, as in a room
    #[arg(long)]
    opus: bool,
    /// Try Earshot with these hangovers too, in ms
    #[arg(long, value_delimiter = ',')]
    hangover: Vec<u64>,
    /// What cargo says to a bench
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let wire = if args.opus { Wire::Opus } else { Wire::Frames };
    let environment = std::env::vars().filter(|(name, _)| MODELS.contains(&name.as_str()));
    let scripted = SCRIPTED.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = Config::read(None, environment.chain(scripted))?;
    let speech = config.speech;
    let turns = Registry::build(&speech, &config.providers, 1)?.turns().cloned();
    let detectors = if args.ends { Vec::new() } else { Detector::all(&args.hangover, &speech)? };
    let has_silero = detectors.iter().any(|detector| detector.name == "silero");
    let default = default(&speech, has_silero);
    let asked = rules::asked()?;
    let trial = Trial { wire, turns: turns.as_ref(), weighs_with: &default, asked: &asked };
    let (mut text, mut reports, mut all) = (String::new(), Vec::new(), Vec::new());
    let mut comparisons = Vec::new();
    for recordings in recordings::all()? {
        let compared = compare::all(&recordings, &asked, turns.as_ref());
        if !args.ends {
            let rows = measure(&recordings, &detectors, &trial)?;
            text += &report::table(&recordings, &rows);
            reports.push(report::json(&recordings, &rows));
            all.extend(rows);
        }
        compared.iter().for_each(|comparison| text += &comparison.table());
        comparisons.extend(compared.iter().map(Comparison::json));
    }
    if !args.ends {
        text += &report::verdict(&all, &default);
    }
    stdout().write_all(text.as_bytes())?;
    fs::create_dir_all(&args.out)?;
    fs::write(args.out.join("turns.txt"), &text)?;
    let json = serde_json::json!({ "v": 1, "opus": args.opus, "default": default, "recordings": reports, "ends": comparisons });
    fs::write(args.out.join("turns.json"), serde_json::to_string_pretty(&json)?)?;
    writeln!(stdout(), "The same as data: {}", args.out.join("turns.json").display())?;
    Ok(())
}

/// What the tables call the default.
fn default(speech: &Speech, has_silero: bool) -> String {
    let detector = match speech.vad.to_string().as_str() {
        "auto" if has_silero => "silero".to_owned(),
        "auto" => "earshot".to_owned(),
        "webrtc" => format!("webrtc {}", vad_webrtc::Settings::default().mode),
        chosen => chosen.to_owned(),
    };
    if speech.suppresses_noise { detector + ear::DENOISED } else { detector }
}

/// What is the same for all recordings.
struct Trial<'a> {
    wire: Wire,
    /// What hears ends of turns, and by which detector of voice: one is enough, as it takes long.
    turns: Option<&'a Turns>,
    weighs_with: &'a str,
    /// An interview that has asked something.
    asked: &'a Interview,
}

/// A row for every detector in every condition, over all takes.
fn measure(
    recordings: &Recordings,
    detectors: &[Detector],
    trial: &Trial<'_>,
) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for detector in detectors {
        rows.extend(Condition::all().map(|condition| Row::new(&detector.name, condition)));
    }
    for (take, voices) in &recordings.takes {
        let samples = take.sound.len();
        let white = sound::white(samples, &take.name);
        let babble = sound::babble(samples, voices, &take.name);
        for condition in Condition::all() {
            let sound = match condition {
                Condition::Clean => take.sound.clone(),
                Condition::With(Noise::White, snr_db) => take.with(&white, f64::from(snr_db)),
                Condition::With(Noise::Babble, snr_db) => take.with(&babble, f64::from(snr_db)),
            };
            let carried = ear::carry(&sound, trial.wire)?;
            for detector in detectors {
                let is_its =
                    |row: &&mut Row| row.detector == detector.name && row.condition == condition;
                if let Some(row) = rows.iter_mut().find(is_its) {
                    let heard = Heard { take, sound: &sound, words_known: recordings.words_known };
                    try_out(row, &heard, &ear::hear(&carried, detector)?, trial);
                }
            }
        }
    }
    Ok(rows)
}

/// A take in one condition.
struct Heard<'a> {
    take: &'a Take,
    sound: &'a [i16],
    words_known: bool,
}

/// One take by one detector: what it found goes into its row.
fn try_out(row: &mut Row, heard: &Heard<'_>, steps: &[Step], trial: &Trial<'_>) {
    let Heard { take, sound, words_known } = *heard;
    let speech = ear::speech(steps);
    row.quiet_ms += take.quiet_ms();
    row.starts.add(score::starts(&take.answers, &speech));
    row.stops.add(score::stops(&take.answers, &speech));
    for rule in Rule::ALL {
        let turns = trial.turns.filter(|_| row.detector == trial.weighs_with);
        let told = match (rule, turns) {
            (Rule::Fixed(ms), _) => rules::fixed(steps, Duration::from_millis(ms)),
            (Rule::Adaptive, _) if words_known => rules::adaptive(steps, take, trial.asked, None),
            (Rule::Weighed, Some(turns)) if words_known => {
                rules::adaptive(steps, take, trial.asked, Some(Sound { turns, of: sound }))
            }
            (Rule::Adaptive | Rule::Weighed, _) => continue,
        };
        let ends: &mut Ends = row.ends.entry(rule).or_default();
        ends.add(score::ends(&take.answers, &told));
    }
}
