//! What the model is told, as long as it really is.

use std::fs;

use tiktoken_rs::o200k_base_singleton;
use vivavoce::{
    blueprint::{Blueprint, Context, LEVELS, Roles},
    interview::{Brief, Effect, Event, Interview},
    sim::scenario::play,
    time::SessionTime,
};

use crate::scenarios::files;

/// A prompt has so many tokens at most, on average.
const TOKENS_MEAN_MAX: usize = 2_500;

/// A05: all that the model reads, conversation and tools included, has 2,500 tokens at most on average, over all replies
/// of all scenarios and over the openings of all blueprints with the longest papers.
#[test]
fn prompts_are_short() {
    let replies = [told_in_scenarios(), told_at_openings()];
    for told in replies {
        let total: usize = told.iter().map(|brief| brief.length().total()).sum();
        assert!(told.len() > 10 && total / told.len() <= TOKENS_MEAN_MAX, "{total} {}", told.len());
    }
}

/// A05: four characters are one token, give or take a fifth, as a tokenizer of today counts.
#[test]
fn tokens_are_measured_well_enough() {
    let tokenizer = o200k_base_singleton();
    for told in [told_in_scenarios(), told_at_openings()] {
        let real: usize =
            told.iter().map(|brief| tokenizer.encode_ordinary(&brief.prompt.text()).len()).sum();
        let ours: usize = told.iter().map(|brief| brief.prompt.tokens()).sum();
        let share = ours as f64 / real as f64;
        assert!((0.8..=1.2).contains(&share), "{ours} for {real}: {share}");
    }
}

/// B04: a prompt holds the papers that its agent sees, cut to size, and no others.
#[test]
fn an_agent_sees_its_papers_only() {
    let both = |interview: &str, resume: bool, job_description: bool| {
        let text = opening(interview, "senior").prompt.text();
        assert_eq!(text.contains("<resume>"), resume, "{interview}: {text}");
        assert_eq!(text.contains("<job_description>"), job_description, "{interview}: {text}");
    };
    both("two-stage", true, false);
    both("mock-interview", false, false);
    both("rubric-screen", false, false);
}

fn told_in_scenarios() -> Vec<Brief> {
    let paths = fs::read_dir("tests/scenarios").unwrap().map(|entry| entry.unwrap().path());
    let texts = paths.map(|path| fs::read_to_string(path).unwrap());
    let told = texts.flat_map(|text| play(&text, |name| Some(files(name))).unwrap().briefs);
    told.map(|(_, _, brief)| brief).collect()
}

fn told_at_openings() -> Vec<Brief> {
    let folders = fs::read_dir("agents").unwrap().map(|entry| entry.unwrap());
    let folders = folders.filter(|entry| entry.file_type().unwrap().is_dir());
    let names: Vec<_> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.iter().flat_map(|name| LEVELS.map(|level| opening(name, level))).collect()
}

/// The first prompt of an interview with a résumé and a job description as long as the form takes them.
fn opening(name: &str, level: &str) -> Brief {
    let context = Context {
        candidate_name: "Ada".into(),
        role: "Data engineer".into(),
        level: level.into(),
        resume: "Worked on pipelines for five years, in a team of six. ".repeat(370),
        job_description: "You build the pipelines that our analysts rely on. ".repeat(390),
        focus: Roles::default().focus("Data engineer", level),
        ..Context::default()
    };
    let mut interview = Interview::new(&Blueprint::load(&files(name)).unwrap(), &context);
    let now = SessionTime::ZERO;
    let effects = interview.handle(now, now, Event::CandidateJoined);
    let briefs = effects.iter().filter_map(|effect| match effect {
        Effect::Speak { reply, say, .. } => interview.brief(*reply, say),
        _ => None,
    });
    let mut briefs: Vec<_> = briefs.collect();
    briefs.pop().unwrap_or_else(|| panic!("{name} opens without the model"))
}
