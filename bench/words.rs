//! `make bench-words`: how many words the configured recogniser gets wrong, how soon it tells them, and what
//! that costs.
//!
//! Recordings go through the product's own ear, detector of voice included, at the pace at which people
//! speak: several candidates at a time with `--streams`. `docs/bench-words.md` says how to read what is
//! printed.

mod names;
#[path = "wer.rs"]
mod wer;

use std::{
    collections::BTreeMap,
    env, fs,
    io::{Write as _, stdout},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use anyhow::Context as _;
use clap::Parser;
use vivavoce::{
    audio::{FRAME, FRAME_16, Pcm16},
    clock,
    codec::{
        fixture::{self, Fixture},
        wav,
    },
    config::Config,
    listen::{Heard, Listen},
    providers::registry::Registry,
    time::SessionTime,
};
use wer::{errors, words};

/// The synthetic candidates.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/audio-fixtures");
/// The same variable as for `vivavoce replay`: a folder of recordings, each with its words in a `.txt` or
/// `.toml` beside it.
const PEOPLE: &str = "VIVAVOCE_RECORDINGS";
/// Beginnings of the variables that choose what is measured.
const SETTINGS: [&str; 2] = ["VIVAVOCE_SPEECH__", "VIVAVOCE_PROVIDERS__"];
/// Silence behind a recording: the end of its last word is told in it.
const SILENCE: Duration = Duration::from_millis(1_500);

/// Measures the recogniser.
#[derive(Debug, Parser)]
struct Args {
    /// So many candidates speak at a time
    #[arg(long, default_value_t = 1)]
    streams: usize,
    /// Each candidate says all recordings so often
    #[arg(long, default_value_t = 1)]
    times: usize,
    /// As fast as it goes, waiting for each word: for errors alone
    #[arg(long)]
    fast: bool,
    /// Print what was heard of each recording
    #[arg(long)]
    texts: bool,
    /// Names within sentences, too, and how many of them are heard
    #[arg(long)]
    names: bool,
    /// Tell the recogniser those names as keyterms, whatever is said
    #[arg(long)]
    keyterms: bool,
    /// What cargo says to a bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// What somebody says, and the words of it.
struct Take {
    set: &'static str,
    name: String,
    sound: Vec<i16>,
    words: Vec<String>,
    /// A word that is to be heard above all.
    key: Option<String>,
}

/// What came of a take.
#[derive(Default)]
struct Said {
    text: String,
    /// From the end of a voice's being told to its final transcript.
    finals: Vec<Duration>,
    /// From the first sample of a voice to its first words.
    firsts: Vec<Duration>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let settings: Vec<(String, String)> =
        env::vars().filter(|(name, _)| SETTINGS.iter().any(|of| name.starts_with(of))).collect();
    let mut takes = takes()?;
    if args.names {
        takes.extend(names::spoken(&settings)?.into_iter().map(named));
    }
    let spoken = [("VIVAVOCE_SPEECH__TTS".to_owned(), "scripted".to_owned())];
    let config = Config::read(None, settings.into_iter().chain(spoken))?;
    let keyterms = names::NAMES.iter().filter(|_| args.keyterms);
    let keyterms: Vec<String> = keyterms.map(|(name, _)| (*name).to_owned()).collect();
    let before = memory_kib();
    let registry = Registry::build(&config.speech, &config.providers, args.streams)?;
    let loaded = memory_kib();
    for lack in registry.fallbacks() {
        writeln!(stdout(), "{lack}")?;
    }
    let takes = Arc::new(takes);
    let began = (clock::instant(), cpu());
    let (done, results) = mpsc::channel();
    for n in 0..args.streams {
        let (takes, registry, done) = (takes.clone(), registry.clone(), done.clone());
        let keyterms = keyterms.clone();
        let (fast, times) = (args.fast, args.times);
        thread::spawn(move || {
            // They do not all speak at once.
            thread::sleep(Duration::from_millis(if fast { 0 } else { 370 * n as u64 }));
            for m in 0..takes.len() * times {
                let take = (n + m) % takes.len();
                let heard = hear(&registry, &keyterms, &takes[take], fast);
                // Who takes the results waits for all of them.
                let _ = done.send((take, heard));
            }
        });
    }
    drop(done);
    let mut report = Report::default();
    for (take, heard) in results {
        report.add(&takes[take], heard?, args.texts)?;
    }
    let (used, took) = (cpu() - began.1, began.0.elapsed());
    report.print(used, took)?;
    writeln!(
        stdout(),
        "memory: {} MiB for what hears, {} MiB more with {} streams",
        (loaded - before) / 1_024,
        memory_kib().saturating_sub(loaded) / 1_024,
        args.streams
    )?;
    Ok(())
}

/// What came of all takes.
#[derive(Default)]
struct Report {
    /// Of each set the recordings, their words, and those that are wrong.
    sets: BTreeMap<&'static str, (usize, usize, usize)>,
    finals: Vec<Duration>,
    firsts: Vec<Duration>,
    seconds: f64,
    /// Names that were said, and those that were heard.
    names: (usize, usize),
}

impl Report {
    fn add(&mut self, take: &Take, heard: Said, tells: bool) -> anyhow::Result<()> {
        let errors = errors(&take.words, &words(&heard.text));
        let set = self.sets.entry(take.set).or_default();
        (set.0, set.1, set.2) = (set.0 + 1, set.1 + take.words.len(), set.2 + errors);
        if let Some(key) = &take.key {
            self.names.0 += 1;
            self.names.1 += usize::from(words(&heard.text).contains(key));
        }
        self.seconds += take.sound.len() as f64 / 16_000.0;
        self.finals.extend(heard.finals);
        self.firsts.extend(heard.firsts);
        if tells {
            let words = take.words.len();
            writeln!(stdout(), "{errors:>3} of {words:>3}  {}: {}", take.name, heard.text)?;
        }
        Ok(())
    }

    fn print(mut self, used: Duration, took: Duration) -> anyhow::Result<()> {
        let mut out = stdout();
        for (set, (takes, words, wrong)) in self.sets {
            let percent = 100.0 * wrong as f64 / words as f64;
            writeln!(
                out,
                "{set}: {wrong} of {words} words wrong ({percent:.1} %), {takes} recordings"
            )?;
        }
        if self.names.0 > 0 {
            writeln!(out, "names: {} of {} heard", self.names.1, self.names.0)?;
        }
        let finals = shares(&mut self.finals);
        writeln!(out, "final transcript after the end of voice was told: {finals}")?;
        writeln!(out, "first words after the voice began: {}", shares(&mut self.firsts))?;
        let (each, cores) =
            (used.as_secs_f64() / self.seconds, used.as_secs_f64() / took.as_secs_f64());
        let seconds = took.as_secs();
        writeln!(
            out,
            "processor: {each:.3} s for a second of recording; {cores:.2} cores over {seconds} s"
        )?;
        Ok(())
    }
}

/// All recordings with their words.
fn takes() -> anyhow::Result<Vec<Take>> {
    let mut all = Vec::new();
    for (set, folder) in [
        ("synthetic", Some(PathBuf::from(FIXTURES))),
        ("people", env::var_os(PEOPLE).map(PathBuf::from)),
    ] {
        let Some(folder) = folder else { continue };
        for name in fixture::names(&folder) {
            all.extend(take(set, &folder, &name)?);
        }
    }
    all.retain(|take| !take.words.is_empty());
    Ok(all)
}

/// A name within a sentence.
fn named(spoken: names::Spoken) -> Take {
    let (name, words) = (format!("{} {}", spoken.voice, spoken.name), words(spoken.text));
    Take { set: "names", name, sound: spoken.sound, words, key: Some(spoken.name.to_lowercase()) }
}

/// A recording, or each answer of a fixture.
fn take(set: &'static str, folder: &Path, name: &str) -> anyhow::Result<Vec<Take>> {
    if folder.join(format!("{name}.toml")).exists() {
        let fixture = Fixture::load(folder, name)?;
        let answers = fixture.answers.iter().enumerate().map(|(n, answer)| {
            let text: Vec<&str> = answer.spans.iter().map(|span| span.text.as_str()).collect();
            Take {
                set,
                name: format!("{name} {n}"),
                sound: fixture.sound_of(answer).0,
                words: words(&text.join(" ")),
                key: None,
            }
        });
        return Ok(answers.collect());
    }
    let text = folder.join(format!("{name}.txt"));
    let text = fs::read_to_string(&text)
        .with_context(|| format!("{} has the words of the recording", text.display()))?;
    let sound = wav::read(&folder.join(format!("{name}.wav")))?.sound.0;
    Ok(vec![Take { set, name: name.to_owned(), sound, words: words(&text), key: None }])
}

/// Says a take to the ear.
fn hear(registry: &Registry, keyterms: &[String], take: &Take, fast: bool) -> anyhow::Result<Said> {
    let (wake, woken) = mpsc::channel();
    let wake = Mutex::new(wake);
    let mut listen = Listen::for_keyterms(
        registry.vad(),
        &*registry.stt(),
        keyterms,
        Arc::new(move || {
            // Whoever hears no more has gone.
            let _ = wake.lock().expect("nobody panics while holding it").send(());
        }),
    )?;
    let mut heard = Said::default();
    let mut texts: BTreeMap<u32, (String, bool)> = BTreeMap::new();
    let (mut began, mut stopped, mut stops) = (None, None, 0);
    let silence = vec![0; (SILENCE.as_millis() * 16) as usize];
    let sound: Vec<i16> = [&silence[..8_000], &take.sound, &silence].concat();
    if fast {
        listen.keep_in_step();
    }
    let start = clock::instant();
    let mut at = SessionTime::ZERO;
    for frame in sound.chunks_exact(FRAME_16) {
        listen.frame(at, &Pcm16(frame.to_vec()));
        at += FRAME;
        loop {
            while let Some(fact) = listen.poll() {
                match fact {
                    Heard::SpeechStarted { at } => began = Some(at),
                    Heard::SpeechStopped { .. } => {
                        (stopped, stops) = (Some(clock::instant()), stops + 1)
                    }
                    Heard::Transcript(told) => {
                        if let Some(began) = began.take() {
                            heard.firsts.push(
                                start.elapsed().saturating_sub(began.since(SessionTime::ZERO)),
                            );
                        }
                        if told.is_final {
                            heard.finals.extend(stopped.take().map(|at| at.elapsed()));
                        }
                        texts.insert(told.segment, (told.text, told.is_final));
                    }
                }
            }
            let left = at.since(SessionTime::ZERO).saturating_sub(start.elapsed());
            if fast || left.is_zero() || woken.recv_timeout(left).is_err() {
                break;
            }
        }
    }
    listen.keep_in_step();
    while let Some(fact) = listen.poll() {
        if let Heard::Transcript(told) = fact {
            texts.insert(told.segment, (told.text, told.is_final));
        }
    }
    let finals = texts.values().filter(|(_, is_final)| *is_final).count();
    anyhow::ensure!(
        finals == stops,
        "{}: {stops} ends of voice, {finals} final transcripts",
        take.name
    );
    heard.text = texts.into_values().map(|(text, _)| text).collect::<Vec<_>>().join(" | ");
    Ok(heard)
}

fn shares(times: &mut [Duration]) -> String {
    times.sort();
    let share = |percent: usize| {
        times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)))
    };
    match (share(50), share(90), times.last()) {
        (Some(half), Some(most), Some(last)) => {
            format!(
                "p50 {} ms, p90 {} ms, at most {} ms ({})",
                half.as_millis(),
                most.as_millis(),
                last.as_millis(),
                times.len()
            )
        }
        _ => "never".to_owned(),
    }
}

/// What this process keeps in memory.
fn memory_kib() -> u64 {
    let page = procfs::page_size() / 1_024;
    procfs::process::Process::myself()
        .and_then(|own| own.statm())
        .map_or(0, |memory| memory.resident * page)
}

/// Time of processors that this process used.
fn cpu() -> Duration {
    let stat = procfs::process::Process::myself().and_then(|own| own.stat());
    let ticks = stat.map_or(0, |stat| stat.utime + stat.stime);
    Duration::from_millis(ticks * 1_000 / procfs::ticks_per_second())
}
