//! What an interview is made of: `agents/<blueprint>/` as typed, validated, frozen data.
//!
//! A blueprint comes in as (file name, text) pairs, so that loading needs no disk. It never stops at the
//! first mistake: every problem is returned, with its file and line.

mod accommodations;
mod address;
mod asked;
mod kind;
mod language;
mod manner;
mod name;
mod phrases;
mod problem;
mod read;
mod reader;
mod roles;
mod tailored;
mod text;
mod wordings;

use std::time::Duration;

pub use accommodations::{Accommodations, Pauses};
pub use address::{ADDRESS_CHARS_MAX, AddressFault, check_address};
pub use asked::AskedPart;
pub use kind::{DOCUMENT_NAME, DOCUMENT_QUOTE, Kind, Topic};
pub use language::Language;
pub use manner::Manner;
pub use problem::Problem;
use reader::Source;
use serde::{Deserialize, Serialize};
use text::Template;

pub use name::{LineFault, NAME_CHARS_MAX, check_line, person_name};
pub(crate) use name::{is_mark, is_of_names, plain_hyphen};
pub use phrases::{FILE as PHRASES, Phrase, Phrases, Varied};
pub use roles::{LEVELS, Level, Roles};
pub use tailored::{OWN_QUESTIONS, OwnQuestion, Tailoring, asked_again, tailored};
pub use wordings::Wordings;

/// The file that names the agents and holds what is common to them.
pub const HEAD: &str = "blueprint.toml";

/// A whole interview, as its author wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Blueprint {
    /// Shown to recruiters and candidates.
    pub title: String,
    /// The language that it is held in.
    pub language: Language,
    /// How the interviewer introduces itself.
    pub interviewer: String,
    /// When the whole interview ends; 1.25 × the sum of the stage limits unless the author says (T05).
    pub interview_limit: Option<Duration>,
    /// When to take the floor and when to give it.
    pub turns: Turns,
    /// When it is done.
    pub exit: Exit,
    /// The providers that it wants by name.
    pub speech: Speech,
    /// Sentences that belong to no stage.
    pub phrases: Phrases,
    /// Its questions in other words.
    pub wordings: Wordings,
    /// The agents in the order of their stages.
    pub agents: Vec<Agent>,
}

/// Turn-taking.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// The silence that ends every whole turn, if it is always the same.
    pub endpointing: Option<Duration>,
    /// Else what was said decides, between these.
    pub adaptive: Endpointing,
    /// Words of the candidate over ours that stop us.
    pub barge_in_words_min: usize,
    /// The longest turn before a pick-up (T05).
    pub turn_limit: Duration,
}

/// The shortest and the longest silence that ends a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpointing {
    /// After a finished sentence.
    pub min: Duration,
    /// After one that seems to go on.
    pub max: Duration,
}

/// When an interview is done (X01).
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    /// How much of the required rubric must be settled, 0..=1.
    pub required_fields_threshold: f32,
    /// Answers after which the interview is closed, whatever is missing.
    pub max_turns: u32,
    /// Whether the closing stages are gone through; else one sentence ends it.
    pub graceful_closing: bool,
}

/// Providers that an interview wants by name, in the order in which they are tried; none where the settings
/// choose. Which names there are, only whoever holds the interview knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speech {
    /// Detectors of voice.
    pub vad: Vec<String>,
    /// Turn detectors.
    pub turn_detector: Vec<String>,
    /// Recognisers.
    pub stt: Vec<String>,
    /// Models.
    pub llm: Vec<String>,
    /// Voices.
    pub tts: Vec<String>,
}

/// Something that a stage has to find out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name for the model and the report.
    pub key: String,
    /// What it means, in a few words.
    pub title: String,
    /// Whether the interview is not done without it.
    pub required: bool,
    /// Whether a value that may have been misheard is read back once.
    pub confirm: bool,
    /// What its value looks like.
    pub format: Format,
    /// The question that asks for it; may be empty.
    pub question: String,
}

/// What the value of a field looks like; a form takes no other (L06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Any words.
    #[default]
    Text,
    /// An e-mail address.
    Email,
    /// A phone number.
    Phone,
}

impl Format {
    /// Whether any words are a value.
    pub(crate) fn is_free(self) -> bool {
        self == Self::Text
    }
}

/// Papers that an agent may see (B04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// The candidate's résumé.
    Resume,
    /// The job description.
    JobDescription,
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
    /// How long a pause lasts here before it is the end of a turn.
    pub endpointing: Endpointing,
    /// Answers wanted before the model may leave.
    pub questions_min: u32,
    /// Questions after whose answers the stage ends.
    pub questions_max: u32,
    /// How many of the questions, from the first, the scripted interviewer asks before it hands off of its
    /// own accord.
    pub questions_core: u32,
    /// How long the stage lasts at most.
    pub stage_limit: Duration,
    /// How long a silence lasts at most.
    pub silence_limit: Duration,
    /// How long nobody is nudged after a question: longer where questions are hard (T02).
    pub thinking_time: Duration,
    /// Depth of answers that is enough, 1..=5; 0 where none is assessed.
    pub depth_target: u32,
    /// For the scripted interviewer, and a guide for the model.
    pub questions: Vec<String>,
    /// The sentence that moves on to this stage; may be empty for one that only opens an interview.
    pub bridge: String,
    /// What to say into a silence: the gentle nudge, then the simpler question.
    pub nudges: [String; 2],
    /// What the model is told after an answer of depth 1..=5 (H11); empty, or five of them.
    pub guidance: Vec<String>,
    /// What the stage has to find out.
    pub rubric: Vec<Field>,
    /// Papers that this agent sees.
    pub sees: Vec<Paper>,
    /// The prompt, a minijinja template.
    pub prompt: String,
}

/// Who is interviewed for what (B04): data, never instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// How the candidate is addressed; empty where nobody knows.
    pub candidate_name: String,
    /// The role they apply for.
    pub role: String,
    /// entry, mid, senior, lead or staff.
    pub level: String,
    /// The text of their résumé, or nothing.
    pub resume: String,
    /// The text of the job description, or nothing.
    pub job_description: String,
    /// What matters for the role and level (B05).
    #[serde(default)]
    pub focus: Focus,
    /// What the recruiter lets us tell candidates who ask.
    #[serde(default)]
    pub knowledge: Vec<Known>,
    /// Questions that the recruiter has planned for a backlog (K01); its file's come after them.
    #[serde(default)]
    pub plan: Vec<Planned>,
    /// Topics that take the place of the blueprint's own (L07).
    #[serde(default)]
    pub topics: Vec<Topic>,
    /// The recruiter's own guide to the topics; it counts more than their cues (L07).
    #[serde(default)]
    pub guide: String,
    /// Documents that the interview is about (K05).
    #[serde(default)]
    pub documents: Vec<Document>,
    /// Whether sound is recorded. Until the interview begins: whether the candidate is asked for it.
    #[serde(default)]
    pub recorded: bool,
}

/// A question of a plan (K01).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Its name in the plan.
    pub id: String,
    /// What is to be found out.
    pub text: String,
    /// How much it matters.
    #[serde(default)]
    pub priority: Urgency,
}

/// A document that the interview is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The name of its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What an interviewer has to know of it, where a model has read it: the prompt has this in place of its
    /// text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
}

/// How much a planned question matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Urgency {
    /// It has to be asked.
    P0,
    /// It should be asked.
    #[default]
    P1,
    /// It is asked where there is time.
    P2,
}

/// What matters for a role and level: what questions should be about (B05), and what the report is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// Subjects.
    pub areas: Vec<String>,
    /// What may be expected at the level.
    pub depth: String,
    /// What the recruiter wants to know of each candidate (U05).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Criterion>,
}

/// Something that the recruiter wants to know of each candidate (U05).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// A few words, such as "Owns what they build".
    pub name: String,
    /// What shows it; may be empty.
    #[serde(default)]
    pub about: String,
    /// How much the role needs it.
    #[serde(default)]
    pub priority: Need,
    /// Its share of the overall figure, 1..=5.
    #[serde(default = "usual_weight")]
    pub weight: u8,
}

fn usual_weight() -> u8 {
    1
}

/// How much a role needs a [`Criterion`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Nobody can do the job without it.
    Must,
    /// It matters.
    #[default]
    Should,
    /// It is welcome.
    Nice,
}

/// Something that candidates may be told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Words that a question about it has, each of them enough; of an entry of several words more than half.
    pub about: Vec<String>,
    /// The answer.
    pub answer: String,
}

impl Context {
    /// Whether nobody knows what the candidate is called.
    pub fn is_nameless(&self) -> bool {
        self.candidate_name.trim().is_empty()
    }
}

impl Agent {
    /// The questions that the scripted interviewer asks before it hands off of its own accord (H12).
    pub fn core_questions(&self) -> impl Iterator<Item = &String> {
        self.questions.iter().take(self.questions_core as usize)
    }

    /// The depth of answers that is enough, 1..=5; 0 where none is assessed.
    pub fn depth_wanted(&self) -> u8 {
        u8::try_from(self.depth_target).unwrap_or(u8::MAX)
    }

    /// How to go on after answers of a depth (H11).
    pub fn guidance_at(&self, depth: u8) -> Option<&str> {
        self.guidance.get(usize::from(depth).checked_sub(1)?).map(String::as_str)
    }
}

impl Blueprint {
    /// Reads a blueprint from its files: [`HEAD`] and one `<agent>.md` per stage.
    pub fn load(files: &[(String, String)]) -> Result<Self, Vec<Problem>> {
        let files = &files.iter().map(as_here).collect::<Vec<_>>();
        let find = |wanted: &str| files.iter().find(|(name, _)| name == wanted);
        let Some((_, head)) = find(HEAD) else {
            return Err(vec![problem(HEAD, 1, "the file is missing")]);
        };
        let ((mut blueprint, stages), found) =
            Source::new(HEAD, head, 0).read(|reader| read::head(reader, files));
        let own = find(PHRASES).map(|(_, text)| text.as_str());
        let (house, mut problems) =
            Phrases::load(own.unwrap_or_else(|| phrases::house(blueprint.language)));
        problems.extend(found);
        for text in blueprint.phrases.all() {
            text::check(text, HEAD, line_of(head, text), &mut problems);
        }
        blueprint.phrases.complete(house);
        let usual = blueprint.turns.adaptive;
        for name in stages {
            let file = format!("{name}.md");
            if let Some((_, body)) = find(&file)
                && let Some((agent, wordings)) =
                    read::agent(&name, &file, body, usual, &mut problems)
            {
                blueprint.agents.push(agent);
                blueprint.wordings.extend(wordings);
            }
        }
        read::check_rubric(&blueprint, &mut problems);
        read::check_kinds(&blueprint, &mut problems);
        let place = |problem: &Problem| {
            let file = problem.file.trim_end_matches(".md");
            blueprint.agents.iter().position(|agent| agent.name == file && problem.file != HEAD)
        };
        problems.sort_by_key(|problem| (place(problem), problem.line));
        if problems.is_empty() { Ok(blueprint) } else { Err(problems) }
    }

    /// The files with the sentences of the house among them, so that an interview that runs keeps those that
    /// it began with (B03).
    pub fn frozen(mut files: Vec<(String, String)>) -> Vec<(String, String)> {
        if !files.iter().any(|(name, _)| name == PHRASES) {
            let head = files.iter().find(|(name, _)| name == HEAD);
            let language = head.map(|(_, head)| read::language(head)).unwrap_or_default();
            files.push((PHRASES.to_owned(), phrases::house(language).to_owned()));
        }
        files
    }

    /// The same blueprint with every text filled in for one candidate, and without the stages that
    /// this candidate's papers do not call for.
    pub fn for_candidate(&self, context: &Context) -> Self {
        let mut frozen = self.filled(context);
        frozen.agents.retain(|agent| {
            !agent.requires_job_description || !context.job_description.trim().is_empty()
        });
        let is_led = |agent: &Agent| !agent.kind.closes();
        if !self.exit.graceful_closing && frozen.agents.iter().any(is_led) {
            frozen.agents.retain(is_led);
        }
        // What was planned is no template: nothing is filled in after it.
        for agent in &mut frozen.agents {
            agent.kind.plan(&context.topics);
        }
        frozen
    }

    /// The same blueprint with the variables of its files' texts filled in.
    pub(crate) fn filled(&self, context: &Context) -> Self {
        let interviewer = &self.interviewer;
        let render = |text: &mut String| {
            *text = text::render(Template::of_file(text), context, interviewer);
        };
        let render_prompt = |text: &mut String| {
            *text = text::render_prompt(Template::of_file(text), context, interviewer);
        };
        let mut filled = self.clone();
        filled.phrases.all_mut().for_each(render);
        filled.wordings.all_mut().for_each(render);
        for agent in &mut filled.agents {
            agent.questions.iter_mut().chain(&mut agent.nudges).for_each(render);
            agent.guidance.iter_mut().for_each(render_prompt);
            agent.rubric.iter_mut().for_each(|field| render(&mut field.question));
            agent.kind.said_mut().into_iter().for_each(render);
            render(&mut agent.bridge);
            render_prompt(&mut agent.prompt);
        }
        filled
    }

    /// How long the whole interview may last (T05).
    pub fn interview_limit(&self) -> Duration {
        let sum: Duration = self.agents.iter().map(|agent| agent.stage_limit).sum();
        self.interview_limit.unwrap_or(sum * 5 / 4)
    }

    /// All fields of all rubrics.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.agents.iter().flat_map(|agent| &agent.rubric)
    }
}

/// A file as it would be written on this system: other editors end lines in two characters, and begin with a
/// mark.
fn as_here((name, text): &(String, String)) -> (String, String) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (name.clone(), text.replace("\r\n", "\n"))
}

fn problem(file: &str, line: usize, what: &str) -> Problem {
    Problem { file: file.to_owned(), line, what: what.to_owned() }
}

/// The line on which a value's text begins, as far as it stands there as written.
fn line_of(source: &str, value: &str) -> usize {
    let first = value.lines().next().unwrap_or_default();
    1 + source.split(first).next().map_or(0, |before| before.matches('\n').count())
}
