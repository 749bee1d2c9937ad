//! Parses the two kinds of files of a blueprint: `blueprint.toml` and the `<agent>.md` of each stage.

use std::{collections::BTreeSet, time::Duration};

use super::{
    Agent, Blueprint, Endpointing, Exit, Field, Format, HEAD, Kind, Language, Paper, Phrases,
    Problem, Speech, Turns, line_of, problem,
    reader::{Reader, Source},
    text,
    wordings::Wordings,
};

const PAPERS: [(&str, Paper); 2] =
    [("resume", Paper::Resume), ("job_description", Paper::JobDescription)];
const FORMATS: [(&str, Format); 3] =
    [("text", Format::Text), ("email", Format::Email), ("phone", Format::Phone)];
/// Nobody is nudged before that, unless the agent says otherwise (T02).
const THINKING_TIME: Duration = Duration::from_secs(8);

/// The language of a blueprint with this [`HEAD`]; English where that has no language that there is.
pub(super) fn language(head: &str) -> Language {
    Source::new(HEAD, head, 0).read(|reader| reader.choice("language", &Language::ALL)).0
}

pub(super) fn head(
    reader: &mut Reader<'_, '_>,
    files: &[(String, String)],
) -> (Blueprint, Vec<String>) {
    let named = reader.some_strings("stages", "`stages` must name at least one agent");
    let mut seen = BTreeSet::new();
    let (stages, again): (Vec<_>, Vec<_>) =
        named.into_iter().partition(|name| seen.insert(name.clone()));
    for name in BTreeSet::from_iter(again) {
        reader.problem("stages", format!("`{name}` is named twice"));
    }
    for name in &stages {
        if !files.iter().any(|(file, _)| *file == format!("{name}.md")) {
            reader.problem("stages", format!("`{name}` has no file {name}.md"));
        }
    }
    let turns = reader.table("turns", read_turns).unwrap_or_default();
    let mut phrases = Phrases::default();
    reader.table("phrases", |reader| phrases.read(reader));
    let blueprint = Blueprint {
        title: reader.string("title"),
        language: reader.choice("language", &Language::ALL),
        interviewer: reader.optional_string("interviewer").unwrap_or_else(|| "Alba".into()),
        interview_limit: reader.optional_duration("interview_limit"),
        turns,
        exit: reader.table("exit", read_exit).unwrap_or_default(),
        speech: reader.table("speech", read_speech).unwrap_or_default(),
        phrases,
        wordings: Wordings::default(),
        agents: Vec::new(),
    };
    (blueprint, stages)
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            endpointing: None,
            adaptive: Endpointing {
                min: Duration::from_millis(300),
                max: Duration::from_millis(2_500),
            },
            barge_in_words_min: 2,
            turn_limit: Duration::from_secs(300),
        }
    }
}

impl Default for Exit {
    fn default() -> Self {
        Self { required_fields_threshold: 1.0, max_turns: 30, graceful_closing: true }
    }
}

fn read_exit(reader: &mut Reader<'_, '_>) -> Exit {
    let usual = Exit::default();
    Exit {
        required_fields_threshold: reader
            .share("required_fields_threshold")
            .unwrap_or(usual.required_fields_threshold),
        max_turns: reader.number("max_turns", 1..1_000, usual.max_turns),
        graceful_closing: reader.flag("graceful_closing").unwrap_or(usual.graceful_closing),
    }
}

fn read_speech(reader: &mut Reader<'_, '_>) -> Speech {
    Speech {
        vad: reader.text_or_texts("vad"),
        turn_detector: reader.text_or_texts("turn_detector"),
        stt: reader.text_or_texts("stt"),
        llm: reader.text_or_texts("llm"),
        tts: reader.text_or_texts("tts"),
    }
}

fn read_turns(reader: &mut Reader<'_, '_>) -> Turns {
    let usual = Turns::default();
    Turns {
        endpointing: reader.optional_duration("endpointing"),
        adaptive: read_endpointing(reader, usual.adaptive),
        barge_in_words_min: reader.number("barge_in_words_min", 1..10, 2) as usize,
        turn_limit: reader.optional_duration("turn_limit").unwrap_or(usual.turn_limit),
    }
}

fn read_endpointing(reader: &mut Reader<'_, '_>, usual: Endpointing) -> Endpointing {
    let min = reader.optional_duration("endpointing_min").unwrap_or(usual.min);
    let max = reader.optional_duration("endpointing_max").unwrap_or(usual.max);
    if min > max {
        let what = format!("endpointing_min ({min:?}) is above endpointing_max ({max:?})");
        reader.problem("endpointing_min", what);
    }
    Endpointing { min, max }
}

/// TOML between `+++` lines, then the prompt. Returns the agent, and the second wordings of its questions.
pub(super) fn agent(
    name: &str,
    file: &str,
    text: &str,
    usual: Endpointing,
    problems: &mut Vec<Problem>,
) -> Option<(Agent, Wordings)> {
    let Some(rest) = text.strip_prefix("+++\n") else {
        problems.push(problem(file, 1, "the file must begin with a line `+++`"));
        return None;
    };
    let Some((head, prompt)) = rest.split_once("\n+++\n") else {
        problems.push(problem(file, 1, "the `+++` of line 1 is never closed"));
        return None;
    };
    let (mut agent, wordings, found) =
        Source::new(file, head, 1).read_worded(|reader| read_front_matter(reader, name, usual));
    problems.extend(found);
    agent.prompt = prompt.trim().to_owned();
    if agent.prompt.is_empty() {
        problems.push(problem(file, 1, "there is no prompt after the second `+++`"));
    }
    text::check(prompt, file, head.matches('\n').count() + 4, problems);
    let rubric = agent.rubric.iter().map(|field| &field.question);
    let own = agent.questions.iter().chain(&agent.nudges).chain([&agent.bridge]);
    let own = own.chain(&agent.guidance).chain(rubric).chain(agent.kind.said());
    for text in own.map(String::as_str).chain(wordings.pairs().map(|(_, other)| other)) {
        text::check(text, file, 1 + line_of(head, text), problems);
    }
    Some((agent, wordings))
}

fn read_front_matter(reader: &mut Reader<'_, '_>, name: &str, usual: Endpointing) -> Agent {
    let kind = Kind::read(reader);
    let questions_min = reader.number("questions_min", 0..51, 0);
    let questions_max = reader.number("questions_max", 1..51, kind.questions_max());
    if questions_min > questions_max {
        let what =
            format!("questions_min ({questions_min}) is above questions_max ({questions_max})");
        reader.problem("questions_min", what);
    }
    let questions_core = reader.number("questions_core", 0..51, 0);
    let rubric = reader.tables("rubric", read_field);
    let questions = read_questions(reader, &rubric, &kind);
    let what = "`nudges` must have 2 texts (a gentle one, a simpler question)";
    let nudges = reader.some_strings("nudges", what);
    if !matches!(nudges.len(), 0 | 2) {
        reader.problem("nudges", format!("{what}, not {}", nudges.len()));
    }
    let nudges = <[String; 2]>::try_from(nudges).unwrap_or_default();
    let guidance = reader.strings("guidance");
    if !matches!(guidance.len(), 0 | 5) {
        let what =
            format!("`guidance` must have 5 texts, for depth 1 to 5, not {}", guidance.len());
        reader.problem("guidance", what);
    }
    Agent {
        name: name.to_owned(),
        title: reader.string("title"),
        kind,
        requires_job_description: reader
            .choice("requires", &[("nothing", false), ("job_description", true)]),
        endpointing: read_endpointing(reader, usual),
        questions_min,
        questions_max,
        questions_core,
        stage_limit: reader.duration("stage_limit"),
        silence_limit: reader.duration("silence_limit"),
        thinking_time: reader.optional_duration("thinking_time").unwrap_or(THINKING_TIME),
        depth_target: reader.number("depth_target", 0..6, 0),
        questions,
        bridge: reader.optional_string("bridge").unwrap_or_default(),
        nudges,
        guidance,
        rubric,
        sees: reader.choices("sees", &PAPERS),
        prompt: String::new(),
    }
}

/// The agent's own questions, then those of its rubric.
fn read_questions(reader: &mut Reader<'_, '_>, rubric: &[Field], kind: &Kind) -> Vec<String> {
    let what = "`questions` must have at least one question";
    let of_rubric: Vec<String> =
        rubric.iter().map(|field| field.question.clone()).filter(|q| !q.is_empty()).collect();
    let mut questions = reader.questions("questions");
    if of_rubric.is_empty() && kind.needs_questions() {
        reader.require_some("questions", what);
    }
    questions.extend(of_rubric);
    for question in questions.iter().filter(|question| !question.trim_end().ends_with('?')) {
        reader.problem("questions", format!("a question must end in a question mark: {question}"));
    }
    questions
}

fn read_field(reader: &mut Reader<'_, '_>) -> Field {
    Field {
        key: reader.key("key"),
        title: reader.string("title"),
        required: reader.flag("required").unwrap_or(true),
        confirm: reader.flag("confirm").unwrap_or(false),
        format: reader.choice("format", &FORMATS),
        question: reader.question("question").unwrap_or_default(),
    }
}

/// A key names one field in the whole interview.
pub(super) fn check_rubric(blueprint: &Blueprint, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for agent in &blueprint.agents {
        for field in agent.rubric.iter().filter(|field| !seen.insert(field.key.clone())) {
            let what = format!("the rubric has a field `{}` already", field.key);
            problems.push(problem(&format!("{}.md", agent.name), 1, &what));
        }
    }
}

/// A kind with a plan of its own leads one stage, and what lives on the topics that others leave comes after
/// them and before the end.
pub(super) fn check_kinds(blueprint: &Blueprint, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    let mut has_topics = false;
    let last = blueprint.agents.len().saturating_sub(1);
    for (place, agent) in blueprint.agents.iter().enumerate() {
        let mut say = |what: &str| problems.push(problem(&format!("{}.md", agent.name), 1, what));
        if let Some(kind) = agent.kind.unique().filter(|kind| !seen.insert(*kind)) {
            say(&format!("there is a stage of kind {kind} already: put both into one"));
        }
        if agent.kind.needs_leftovers() && !has_topics {
            say("it needs a stage with [[topics]] before it");
        }
        if agent.kind.needs_leftovers() && place == last {
            say("it may be left out, so it cannot be the last stage: put a closing behind it");
        }
        if agent.kind == Kind::Form && agent.rubric.is_empty() {
            say("a form must have at least one [[rubric]] field");
        }
        let is_unasked = |field: &&Field| agent.kind == Kind::Form && field.question.is_empty();
        for field in agent.rubric.iter().filter(is_unasked) {
            say(&format!("the field `{}` of a form must have a `question`", field.key));
        }
        has_topics |= !agent.kind.topics().is_empty();
    }
}
