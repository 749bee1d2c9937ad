//! Blueprints as their authors write them: the shipped ones, and every kind of mistake.

use proptest::prelude::*;

use interview::{
    Effect, Event, Interview,
    blueprint::{Blueprint, Context, PHRASES, Speech, Topic},
    journal::Inputs,
    time::SessionTime,
};

use crate::scenarios::{files, shipped};

/// B01: every blueprint in `agents/` loads, and its interview begins.
#[test]
fn shipped_blueprints_load() {
    for name in shipped() {
        let blueprint = Blueprint::load(&files(&name)).unwrap_or_else(|problems| {
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            panic!("{name}:\n{}", problems.join("\n"))
        });
        let mut interview = Interview::new(&blueprint, &Context::default());
        let zero = SessionTime::ZERO;
        let effects = interview.handle(zero, zero, Event::CandidateJoined);
        let speaks = effects.iter().any(|effect| matches!(effect, Effect::Speak { .. }));
        assert!(speaks, "{name}: {effects:?}");
    }
}

/// B01: a blueprint keeps the names of the providers that it wants, one or a list of each; whether there are
/// such is not known here.
#[test]
fn providers_are_names() {
    let with = |more: &str| {
        let mut files = files("two-stage");
        let (_, head) = files.iter_mut().find(|(name, _)| name == "blueprint.toml").unwrap();
        *head += more;
        let last_line = head.lines().count();
        (Blueprint::load(&files), last_line)
    };
    assert_eq!(with("").0.unwrap().speech, Speech::default());
    let (chosen, _) = with("\n[speech]\nstt = \"my-ear\"\ntts = [\"a\", \"b\"]\n");
    let speech = Speech {
        stt: vec!["my-ear".into()],
        tts: vec!["a".into(), "b".into()],
        ..Speech::default()
    };
    assert_eq!(chosen.unwrap().speech, speech);
    for wrong in ["stt = 3", "stt = []", "stt = [3]"] {
        let (refused, line) = with(&format!("\n[speech]\n{wrong}\n"));
        let problems = refused.unwrap_err();
        let said = format!("blueprint.toml:{line}: `stt` must be a text, or a list of texts");
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [said], "{wrong}");
    }
}

/// B01, B02: what is wrong with a folder, all at once, each with its file and line.
#[test]
fn every_mistake_is_named_with_its_place() {
    let head = r#"title = 5
stages = ["one", "two", "gone", "two", "gone", "two"]
interview_limit = "never"
colour = "red"

[turns]
endpointing = "600"
barge_in_words_min = 0
mood = "good"

[phrases]
welcome_back = "Hello {{ candidate.nam }}."
apology = "Sorry {{"
"#;
    let one = r#"+++
title = "One"
kind = "quiz"
requires = "luck"
questions_min = 4
questions_max = 2
stage_limit = "1 hour"
depth_target = 9
questions = ["What?", "Say more.", 7]
nudges = ["One."]
shade = 1
endpointing_min = "3s"
+++

Ask {{ candidate.name }}
about {{ wages }}.
"#;
    let two = "+++\ntitle = \"Two\nkind = 1\n+++\n\n";
    let files = [("blueprint.toml", head), ("one.md", one), ("two.md", two)];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let problems = Blueprint::load(&files).unwrap_err();
    let said = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(said, WANTED.replace("\n    ", " "), "\n{said}");
}

/// The problems, one a line. An indented line belongs to the one before it.
const WANTED: &str = r#"blueprint.toml:1: `title` must be a text
blueprint.toml:2: `gone` is named twice
blueprint.toml:2: `two` is named twice
blueprint.toml:2: `gone` has no file gone.md
blueprint.toml:3: `interview_limit` must be a duration in quotes, such as "700ms", "10s" or "5m"
blueprint.toml:4: `colour` is not known here; known are
    `exit`, `interview_limit`, `interviewer`, `language`, `phrases`, `speech`, `stages`, `title`, `turns`
blueprint.toml:7: `endpointing` must be a duration in quotes, such as "700ms", "10s" or "5m"
blueprint.toml:8: `barge_in_words_min` must be a whole number from 1 to 9
blueprint.toml:9: `mood` is not known here; known are
    `barge_in_words_min`, `endpointing`, `endpointing_max`, `endpointing_min`, `turn_limit`
blueprint.toml:12: `candidate.nam` is no variable; known are candidate.name, interviewer.name, role, level
blueprint.toml:13: the text does not parse: unexpected end of input, expected expression;
    a variable stands in {{ }}
one.md:2: `silence_limit` is missing
one.md:3: `kind` must be one of "questions", "scripted", "closing", "backlog", "topics", "offer", "form"
one.md:4: `requires` must be one of "nothing", "job_description"
one.md:5: questions_min (4) is above questions_max (2)
one.md:7: `stage_limit` must be a duration in quotes, such as "700ms", "10s" or "5m"
one.md:8: `depth_target` must be a whole number from 0 to 5
one.md:9: `questions` must be a list of texts
one.md:10: `nudges` must have 2 texts (a gentle one, a simpler question), not 1
one.md:11: `shade` is not known here; known are
    `bridge`, `depth_target`, `endpointing_max`, `endpointing_min`, `guidance`, `kind`, `nudges`,
    `questions`, `questions_core`, `questions_max`, `questions_min`, `requires`, `rubric`, `sees`,
    `silence_limit`, `stage_limit`, `thinking_time`, `title`
one.md:12: endpointing_min (3s) is above endpointing_max (2.5s)
one.md:16: `wages` is no variable; known are candidate.name, interviewer.name, role, level
two.md:1: there is no prompt after the second `+++`
two.md:2: invalid basic string, expected `"`
two.md:3: `kind` must be one of "questions", "scripted", "closing", "backlog", "topics", "offer", "form""#;

/// B01: files that are none of it.
#[test]
fn broken_files_are_named() {
    for (files, wanted) in [
        (vec![], "blueprint.toml:1: the file is missing"),
        (vec![("blueprint.toml", "")], "blueprint.toml:1: `stages` must name at least one agent"),
        (
            vec![("blueprint.toml", "stages = [\"a\"]"), ("a.md", "Ask.")],
            "a.md:1: the file must begin with a line `+++`",
        ),
        (
            vec![("blueprint.toml", "stages = [\"a\"]"), ("a.md", "+++\nx = 1\n")],
            "a.md:1: the `+++` of line 1 is never closed",
        ),
        (
            vec![("blueprint.toml", "stages = [\"a\"]"), ("a.md", "+++\nx = 1\n+++\n \n")],
            "a.md:1: there is no prompt",
        ),
        (vec![("blueprint.toml", "= \u{0}\u{ff}[[[")], "blueprint.toml:1:"),
    ] {
        let files: Vec<_> =
            files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let problems = Blueprint::load(&files).unwrap_err();
        let said = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!(said.contains(wanted), "{wanted}\nis not in\n{said}");
    }
}

/// B01: whatever editor an author has: line ends of two characters and a mark at the beginning change
/// nothing.
#[test]
fn files_of_other_editors_are_read() {
    let files = files("mock-interview");
    let other = files
        .iter()
        .map(|(name, text)| (name.clone(), format!("\u{feff}{}", text.replace('\n', "\r\n"))));
    assert_eq!(Blueprint::load(&other.collect::<Vec<_>>()), Blueprint::load(&files));
}

/// H11: guidance may name what a prompt may name, is filled in, and is checked like it.
#[test]
fn guidance_is_a_text_like_others() {
    let mut files = files("two-stage");
    let (_, text) = files.iter_mut().find(|(name, _)| name == "self-intro.md").unwrap();
    *text = text.replacen("Nothing is missing", "Nothing is missing for {{ role }}", 1);
    let context = Context { role: "baker".into(), ..Context::default() };
    let guidance =
        Blueprint::load(&files).unwrap().for_candidate(&context).agents[0].guidance.clone();
    assert_eq!(guidance[4], "Nothing is missing for \"baker\": hand over.");
    let (_, text) = files.iter_mut().find(|(name, _)| name == "self-intro.md").unwrap();
    *text = text.replacen("{{ role }}", "{{ wages }}", 1);
    let said = Blueprint::load(&files).unwrap_err()[0].to_string();
    assert!(said.starts_with("self-intro.md:22: `wages` is no variable"), "{said}");
}

/// What looks like a template, whole or in pieces, among words.
fn looks_like_a_template() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{{ 6 * 7 }}".to_owned()),
        Just("{% for a in range(99999) %}x{% endfor %}".to_owned()),
        Just("{{ candidate.name }}".to_owned()),
        Just("{# gone #}".to_owned()),
        "(\\{\\{|\\}\\}|\\{%|%\\}|\\{#|#\\}| )",
        "[a-z]{1,8}",
    ];
    proptest::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat() + "a?")
}

proptest! {
    /// B04, L07: what people, documents and models wrote comes out as it went in, in every line of a topic
    /// and in every variable, whatever in it looks like a template.
    #[test]
    fn what_goes_in_comes_out(texts in proptest::collection::vec(looks_like_a_template(), 9)) {
        let mut files = files("discovery");
        let (_, explore) = files.iter_mut().find(|(name, _)| name == "explore.md").unwrap();
        let all = "{{ candidate.name }}/{{ role }}/{{ level }}";
        *explore = explore.replacen("Hello {{ candidate.name }}", all, 1);
        let blueprint = Blueprint::load(&files).unwrap();
        let [name, role, level, key, title, sub_goal, probe, cue, signal] =
            texts.try_into().unwrap();
        let topic = Topic {
            key,
            title,
            sub_goals: vec![sub_goal],
            probes: vec![probe],
            cues: vec![cue],
            signals: vec![signal],
        };
        let context = Context {
            candidate_name: name,
            role,
            level,
            topics: vec![topic],
            ..Context::default()
        };
        let made = blueprint.for_candidate(&context);
        let explores = made.agents.iter().find(|agent| agent.name == "explore").unwrap();
        prop_assert_eq!(explores.kind.topics(), &context.topics[..]);
        let Context { candidate_name, role, level, .. } = &context;
        let begin = format!("{candidate_name}/{role}/{level}, I am ");
        prop_assert!(explores.bridge.starts_with(&begin), "{}", explores.bridge);
        // A name that is learnt later fills the files' texts in once more, and nothing else.
        let unnamed = Context { candidate_name: String::new(), ..context.clone() };
        let again = blueprint.for_candidate(&unnamed);
        let explores = again.agents.iter().find(|agent| agent.name == "explore").unwrap();
        prop_assert_eq!(explores.kind.topics(), &context.topics[..]);
    }
}

/// H11, X01, X02, T05: guidance is for all five depths, a field has one key in the whole interview and its
/// question is filled in; what stands in no file is 30 turns and 5 minutes.
#[test]
fn rubrics_and_guidance_are_whole() {
    let mut files = files("rubric-screen");
    let (_, screening) = files.iter_mut().find(|(name, _)| name == "screening.md").unwrap();
    *screening = screening.replacen("your current role?", "your role as {{ role }}?", 1);
    let (_, head) = files.iter_mut().find(|(name, _)| name == "blueprint.toml").unwrap();
    *head = head.replace("max_turns ", "# ").replace("turn_limit ", "# ");
    let blueprint = Blueprint::load(&files).unwrap();
    assert_eq!((blueprint.exit.max_turns, blueprint.turns.turn_limit.as_secs()), (30, 300));
    let context = Context { role: "baker".into(), ..Context::default() };
    let screening = blueprint.for_candidate(&context).agents.swap_remove(0);
    assert_eq!(screening.rubric[0].question, "What is your role as baker?");
    assert_eq!(screening.questions[0], screening.rubric[0].question);
    let (_, closing) = files.iter_mut().find(|(name, _)| name == "closing.md").unwrap();
    let field = "[[rubric]]\nkey = \"years\"\ntitle = \"Again\"\n+++\n\n";
    *closing =
        closing.replacen("+++\n\n", field, 1).replacen("+++\n", "+++\nguidance = [\"One.\"]\n", 1);
    let said: Vec<_> =
        Blueprint::load(&files).unwrap_err().iter().map(ToString::to_string).collect();
    let wanted = [
        "closing.md:1: the rubric has a field `years` already",
        "closing.md:2: `guidance` must have 5 texts, for depth 1 to 5, not 1",
    ];
    assert_eq!(said, wanted);
}

/// X05: without a graceful closing its stages are left out, unless there is nothing else.
#[test]
fn an_interview_has_a_stage_in_any_case() {
    let mut files = files("rubric-screen");
    let mut left = |from: &str, to: &str| {
        let (_, head) = files.iter_mut().find(|(name, _)| name == "blueprint.toml").unwrap();
        *head = head.replace(from, to);
        let blueprint = Blueprint::load(&files).unwrap().for_candidate(&Context::default());
        blueprint.agents.into_iter().map(|agent| agent.name).collect::<Vec<_>>()
    };
    assert_eq!(left("= true", "= false"), ["screening"]);
    assert_eq!(left("\"screening\", ", ""), ["closing"]);
}

/// H10, H11, T02: the limits of the agents, and what a depth calls for.
#[test]
fn the_agents_have_their_limits() {
    let blueprint = Blueprint::load(&files("mock-interview")).unwrap();
    let limits = blueprint.agents.iter().map(|agent| {
        let (stage, silence) = (agent.stage_limit.as_secs(), agent.silence_limit.as_secs());
        let (name, depth) = (agent.name.as_str(), agent.depth_target);
        (name, agent.questions_max, stage, silence, depth, agent.questions_min)
    });
    let wanted = [
        ("greeting", 1, 90, 20, 0, 0),
        ("self-intro", 3, 180, 30, 3, 1),
        ("past-experience", 5, 300, 45, 4, 1),
        ("company-fit", 3, 240, 45, 3, 1),
        ("closing", 1, 60, 15, 0, 0),
    ];
    assert_eq!(limits.collect::<Vec<_>>(), wanted);
    let whole = |name| Blueprint::load(&files(name)).unwrap().interview_limit().as_secs();
    assert_eq!((whole("mock-interview"), whole("two-stage")), (1_087, 600), "1.25 × the sum");
    let [_, intro, past, ..] = blueprint.agents.as_slice() else { panic!("../../agents") };
    assert_eq!((intro.thinking_time.as_secs(), past.thinking_time.as_secs()), (8, 12));
    for (agent, depth, word) in [
        (intro, 1, "background"),
        (intro, 2, "goals"),
        (intro, 3, "clarifying"),
        (past, 1, "situation"),
        (past, 2, "challenge"),
        (past, 3, "how they carried it out"),
        (past, 4, "impact"),
    ] {
        let words = &agent.guidance[depth - 1];
        assert!(words.contains(word), "{} at {depth}: {words}", agent.name);
    }
}

/// B03: an edit of a file, or other papers, make other inputs with another hash; the same ones the same.
#[test]
fn inputs_are_known_by_their_hash() {
    let context = Context { candidate_name: "Ada".into(), ..Context::default() };
    let inputs = |files, context: &Context| Inputs::new("two-stage", files, context.clone()).hash();
    let hash = inputs(files("two-stage"), &context);
    assert_eq!(hash, inputs(files("two-stage"), &context));
    let mut edited = files("two-stage");
    edited[0].1.push('\n');
    assert_ne!(hash, inputs(edited, &context));
    assert_ne!(hash, inputs(files("two-stage"), &Context::default()));
    // The sentences of the house are frozen with them.
    let frozen = Inputs::new("two-stage", files("two-stage"), context).files;
    assert!(frozen.iter().any(|(name, _)| name == PHRASES), "{frozen:?}");
}
