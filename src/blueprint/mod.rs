//! What an interview is made of: `agents/<blueprint>/` as typed, validated, frozen data.
//!
//! A blueprint comes in as (file name, text) pairs, so that loading needs no disk. It never stops at the
//! first mistake: every problem is returned, with its file and line.

mod reader;
mod text;

use std::{collections::BTreeSet, fmt, time::Duration};

use reader::{Reader, Source};
use serde::{Deserialize, Serialize};

/// The file that names the agents and holds what is common to them.
pub const HEAD: &str = "blueprint.toml";

/// A whole interview, as its author wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Blueprint {
    /// Shown to recruiters and candidates.
    pub title: String,
    /// How the interviewer introduces itself.
    pub interviewer: String,
    /// When the whole interview ends; 1.25 × the sum of the stage limits unless the author says (T05).
    pub interview_limit: Option<Duration>,
    /// When to take the floor and when to give it.
    pub turns: Turns,
    /// Sentences that belong to no stage.
    pub phrases: Phrases,
    /// The agents in the order of their stages.
    pub agents: Vec<Agent>,
}

/// Turn-taking.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// Silence after speech that ends a turn.
    pub endpointing: Duration,
    /// Words of the candidate over ours that stop us.
    pub barge_in_words_min: usize,
    /// The longest turn before a pick-up (T05).
    pub turn_limit: Duration,
}

/// What we say outside of any stage, with `{{ }}` still in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrases {
    /// Before the same question again, when the candidate or the line is back.
    pub welcome_back: String,
    /// Before a question from the file, when the model has failed.
    pub apology: String,
    /// Before the bridge, when we have to interrupt (H04).
    pub cut_in: String,
    /// Before the same question, when one turn has lasted too long (T05).
    pub pick_up: String,
    /// The last words of a completed interview.
    pub farewell: String,
    /// The last words of one that ends for another reason.
    pub farewell_early: String,
    /// The last words to somebody who never spoke.
    pub farewell_silent: String,
}

/// One agent: who has a stage and how it is led.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// The file's name without `.md`.
    pub name: String,
    /// Shown to the candidate.
    pub title: String,
    /// What kind of stage it leads.
    pub kind: Kind,
    /// Whether the stage exists only with a job description.
    pub requires_job_description: bool,
    /// Answers wanted before the model may leave.
    pub questions_min: u32,
    /// Questions after whose answers the stage ends.
    pub questions_max: u32,
    /// How long the stage lasts at most.
    pub stage_limit: Duration,
    /// How long a silence lasts at most.
    pub silence_limit: Duration,
    /// Depth of answers that is enough, 1..=5; 0 where none is assessed.
    pub depth_target: u32,
    /// For the scripted interviewer, and a guide for the model.
    pub questions: Vec<String>,
    /// The sentence that moves on to this stage; may be empty for one that only opens an interview.
    pub bridge: String,
    /// What to say into a silence: the gentle nudge, then the simpler question.
    pub nudges: [String; 2],
    /// The prompt, a minijinja template.
    pub prompt: String,
}

/// What kind of stage an agent leads (B02).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A fixed opening: one question, left after its answer.
    Scripted,
    /// Questions and follow-ups within limits.
    Questions,
    /// The way out of the interview.
    Closing,
}

/// Who is interviewed for what (B04): data, never instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// How the candidate is addressed.
    pub candidate_name: String,
    /// The role they apply for.
    pub role: String,
    /// entry, mid, senior, lead or staff.
    pub level: String,
    /// The text of their résumé, or nothing.
    pub resume: String,
    /// The text of the job description, or nothing.
    pub job_description: String,
}

/// Something wrong with a file, for the person who wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file's name.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl Blueprint {
    /// Reads a blueprint from its files: [`HEAD`] and one `<agent>.md` per stage.
    pub fn load(files: &[(String, String)]) -> Result<Self, Vec<Problem>> {
        let Some((_, head)) = files.iter().find(|(name, _)| name == HEAD) else {
            return Err(vec![problem(HEAD, 1, "the file is missing")]);
        };
        let ((mut blueprint, stages), mut problems) =
            Source::new(HEAD, head, 0).read(|reader| read_head(reader, files));
        for text in blueprint.phrases.all() {
            text::check(text, HEAD, line_of(head, text), &mut problems);
        }
        for name in stages {
            let file = format!("{name}.md");
            if let Some((_, body)) = files.iter().find(|(other, _)| *other == file) {
                blueprint.agents.extend(read_agent(&name, &file, body, &mut problems));
            }
        }
        let place = |problem: &Problem| {
            let file = problem.file.trim_end_matches(".md");
            blueprint.agents.iter().position(|agent| agent.name == file && problem.file != HEAD)
        };
        problems.sort_by_key(|problem| (place(problem), problem.line));
        if problems.is_empty() { Ok(blueprint) } else { Err(problems) }
    }

    /// The same blueprint with every text filled in for one candidate, and without the stages that
    /// this candidate's papers do not call for.
    pub fn for_candidate(&self, context: &Context) -> Self {
        let render = |text: &mut String| *text = text::render(text, context, &self.interviewer);
        let mut frozen = self.clone();
        frozen.agents.retain(|agent| {
            !agent.requires_job_description || !context.job_description.trim().is_empty()
        });
        frozen.phrases.all_mut().for_each(render);
        for agent in &mut frozen.agents {
            agent.questions.iter_mut().chain(&mut agent.nudges).for_each(render);
            render(&mut agent.bridge);
            render(&mut agent.prompt);
        }
        frozen
    }

    /// How long the whole interview may last (T05).
    pub fn interview_limit(&self) -> Duration {
        let sum: Duration = self.agents.iter().map(|agent| agent.stage_limit).sum();
        self.interview_limit.unwrap_or(sum * 5 / 4)
    }
}

impl Phrases {
    fn all(&self) -> [&str; 7] {
        [
            &self.welcome_back,
            &self.apology,
            &self.cut_in,
            &self.pick_up,
            &self.farewell,
            &self.farewell_early,
            &self.farewell_silent,
        ]
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut String> {
        [
            &mut self.welcome_back,
            &mut self.apology,
            &mut self.cut_in,
            &mut self.pick_up,
            &mut self.farewell,
            &mut self.farewell_early,
            &mut self.farewell_silent,
        ]
        .into_iter()
    }
}

fn read_head(reader: &mut Reader<'_, '_>, files: &[(String, String)]) -> (Blueprint, Vec<String>) {
    let mut stages = reader.some_strings("stages", "`stages` must name at least one agent");
    for (n, name) in stages.iter().enumerate() {
        if !files.iter().any(|(file, _)| *file == format!("{name}.md")) {
            reader.problem("stages", format!("`{name}` has no file {name}.md"));
        }
        if stages[..n].contains(name) {
            reader.problem("stages", format!("`{name}` is named twice"));
        }
    }
    let mut seen = BTreeSet::new();
    stages.retain(|name| seen.insert(name.clone()));
    let turns = reader.table("turns", read_turns).unwrap_or_default();
    let phrases = reader.table("phrases", read_phrases);
    reader.require("phrases", "the table [phrases] is missing");
    let blueprint = Blueprint {
        title: reader.string("title"),
        interviewer: reader.optional_string("interviewer").unwrap_or_else(|| "Alba".into()),
        interview_limit: reader.optional_duration("interview_limit"),
        turns,
        phrases: phrases.unwrap_or_else(Phrases::empty),
        agents: Vec::new(),
    };
    (blueprint, stages)
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            endpointing: Duration::from_millis(600),
            barge_in_words_min: 2,
            turn_limit: Duration::from_secs(300),
        }
    }
}

impl Phrases {
    fn empty() -> Self {
        Self {
            welcome_back: String::new(),
            apology: String::new(),
            cut_in: String::new(),
            pick_up: String::new(),
            farewell: String::new(),
            farewell_early: String::new(),
            farewell_silent: String::new(),
        }
    }
}

fn read_turns(reader: &mut Reader<'_, '_>) -> Turns {
    let usual = Turns::default();
    Turns {
        endpointing: reader.optional_duration("endpointing").unwrap_or(usual.endpointing),
        barge_in_words_min: reader.number("barge_in_words_min", 1..10, 2) as usize,
        turn_limit: reader.optional_duration("turn_limit").unwrap_or(usual.turn_limit),
    }
}

fn read_phrases(reader: &mut Reader<'_, '_>) -> Phrases {
    Phrases {
        welcome_back: reader.string("welcome_back"),
        apology: reader.string("apology"),
        cut_in: reader.string("cut_in"),
        pick_up: reader.string("pick_up"),
        farewell: reader.string("farewell"),
        farewell_early: reader.string("farewell_early"),
        farewell_silent: reader.string("farewell_silent"),
    }
}

/// TOML between `+++` lines, then the prompt.
fn read_agent(name: &str, file: &str, text: &str, problems: &mut Vec<Problem>) -> Option<Agent> {
    let Some(rest) = text.strip_prefix("+++\n") else {
        problems.push(problem(file, 1, "the file must begin with a line `+++`"));
        return None;
    };
    let Some((head, prompt)) = rest.split_once("\n+++\n") else {
        problems.push(problem(file, 1, "the `+++` of line 1 is never closed"));
        return None;
    };
    let (mut agent, found) =
        Source::new(file, head, 1).read(|reader| read_front_matter(reader, name));
    problems.extend(found);
    agent.prompt = prompt.trim().to_owned();
    if agent.prompt.is_empty() {
        problems.push(problem(file, 1, "there is no prompt after the second `+++`"));
    }
    text::check(prompt, file, head.matches('\n').count() + 4, problems);
    for text in agent.questions.iter().chain(&agent.nudges).chain([&agent.bridge]) {
        text::check(text, file, 1 + line_of(head, text), problems);
    }
    Some(agent)
}

fn read_front_matter(reader: &mut Reader<'_, '_>, name: &str) -> Agent {
    let kinds =
        [("questions", Kind::Questions), ("scripted", Kind::Scripted), ("closing", Kind::Closing)];
    let (questions_min, questions_max) =
        (reader.number("questions_min", 0..51, 0), reader.number("questions_max", 1..51, 1));
    if questions_min > questions_max {
        let what =
            format!("questions_min ({questions_min}) is above questions_max ({questions_max})");
        reader.problem("questions_min", what);
    }
    let questions = reader.some_strings("questions", "`questions` must have at least one question");
    for question in questions.iter().filter(|question| !question.trim_end().ends_with('?')) {
        reader.problem("questions", format!("a question must end in a question mark: {question}"));
    }
    let what = "`nudges` must have 2 texts (a gentle one, a simpler question)";
    let nudges = reader.some_strings("nudges", what);
    if !matches!(nudges.len(), 0 | 2) {
        reader.problem("nudges", format!("{what}, not {}", nudges.len()));
    }
    let nudges = <[String; 2]>::try_from(nudges).unwrap_or_default();
    Agent {
        name: name.to_owned(),
        title: reader.string("title"),
        kind: reader.choice("kind", &kinds),
        requires_job_description: reader
            .choice("requires", &[("nothing", false), ("job_description", true)]),
        questions_min,
        questions_max,
        stage_limit: reader.duration("stage_limit"),
        silence_limit: reader.duration("silence_limit"),
        depth_target: reader.number("depth_target", 0..6, 0),
        questions,
        bridge: reader.optional_string("bridge").unwrap_or_default(),
        nudges,
        prompt: String::new(),
    }
}

fn problem(file: &str, line: usize, what: &str) -> Problem {
    Problem { file: file.to_owned(), line, what: what.to_owned() }
}

/// The line on which a value's text begins, as far as it stands there as written.
fn line_of(source: &str, value: &str) -> usize {
    let first = value.lines().next().unwrap_or_default();
    1 + source.split(first).next().map_or(0, |before| before.matches('\n').count())
}
