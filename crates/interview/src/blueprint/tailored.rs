//! A blueprint with a recruiter's own questions and length: the same files with one stage more (U02).

use std::{fmt::Write, time::Duration};

use super::{Blueprint, HEAD, Language, Problem};

/// The name of the stage of own questions.
pub const OWN_QUESTIONS: &str = "own-questions";
/// So long is planned for an answer to a question, and to a follow-up.
const ANSWER_LIMIT: Duration = Duration::from_secs(150);
const FOLLOW_UP_LIMIT: Duration = Duration::from_secs(90);

/// What a recruiter changes about a blueprint for one opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tailoring {
    /// Questions of their own, in order.
    pub questions: Vec<OwnQuestion>,
    /// The longest that the interview may take.
    pub limit: Option<Duration>,
}

/// A question of a recruiter's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnQuestion {
    /// Its words, which end in a question mark.
    pub text: String,
    /// Whether it is asked in these words.
    pub verbatim: bool,
    /// How often the model may ask on about the answer.
    pub follow_ups: u32,
}

/// What is said around own questions.
struct Words {
    title: &'static str,
    bridge: &'static str,
    nudges: [&'static str; 2],
}

/// Returns the files of a blueprint with the changes in them; the stage of own questions comes before
/// the closing.
pub fn tailored(
    files: &[(String, String)],
    tailoring: &Tailoring,
) -> Result<Vec<(String, String)>, Vec<Problem>> {
    let blueprint = Blueprint::load(files)?;
    let mut files = files.to_vec();
    let broken = |what: String| vec![Problem { file: HEAD.to_owned(), line: 1, what }];
    let head = files.iter_mut().find(|(name, _)| name == HEAD).expect("it was loaded");
    let mut table: toml::Table =
        head.1.parse().map_err(|why: toml::de::Error| broken(why.to_string()))?;
    if let Some(limit) = tailoring.limit {
        table.insert("interview_limit".into(), format!("{}s", limit.as_secs()).into());
    }
    let asks = !tailoring.questions.is_empty();
    if let Some(toml::Value::Array(stages)) = table.get_mut("stages").filter(|_| asks) {
        let place = blueprint.agents.iter().position(|agent| agent.kind.closes());
        stages.insert(place.unwrap_or(stages.len()), OWN_QUESTIONS.into());
    }
    head.1 = table.to_string();
    if asks {
        files.retain(|(name, _)| *name != format!("{OWN_QUESTIONS}.md"));
        files.push((format!("{OWN_QUESTIONS}.md"), stage(&blueprint, &tailoring.questions)));
    }
    Blueprint::load(&files).map(|_| files)
}

/// Returns the files of an interview that asks one question of a blueprint again and says goodbye: for
/// whoever practises an answer (C03).
pub fn asked_again(
    files: &[(String, String)],
    question: &str,
) -> Result<Vec<(String, String)>, Vec<Problem>> {
    let blueprint = Blueprint::load(files)?;
    let mut files = files.to_vec();
    let broken = |what: String| vec![Problem { file: HEAD.to_owned(), line: 1, what }];
    let head = files.iter_mut().find(|(name, _)| name == HEAD).expect("it was loaded");
    let mut table: toml::Table =
        head.1.parse().map_err(|why: toml::de::Error| broken(why.to_string()))?;
    let closing = blueprint.agents.iter().find(|agent| agent.kind.closes());
    let stages = [OWN_QUESTIONS].into_iter().chain(closing.map(|agent| agent.name.as_str()));
    let stages: Vec<_> = stages.map(str::to_owned).collect();
    table.insert("stages".into(), stages.into());
    table.remove("interview_limit");
    head.1 = table.to_string();
    let text = with_mark(question, &blueprint);
    let own = OwnQuestion { text, verbatim: true, follow_ups: 0 };
    let stage = stage(&blueprint, &[own]);
    let kept = |name: &str| {
        let is_agent = blueprint.agents.iter().any(|agent| *name == format!("{}.md", agent.name));
        let closes = closing.is_some_and(|agent| *name == format!("{}.md", agent.name));
        !is_agent || closes
    };
    files.retain(|(name, _)| kept(name) && *name != format!("{OWN_QUESTIONS}.md"));
    files.push((format!("{OWN_QUESTIONS}.md"), stage));
    Blueprint::load(&files).map(|_| files)
}

/// A question as a file may have it: a mark at its end, and none that a text is filled in by.
fn with_mark(question: &str, blueprint: &Blueprint) -> String {
    let plain = question.replace(['{', '}'], "");
    let plain = plain.trim().trim_end_matches(['.', '!', '?']).trim();
    let plain = if plain.is_empty() { blueprint.title.as_str() } else { plain };
    format!("{plain}?")
}

/// The file of the stage. A question that the blueprint asks, too, keeps its second wording.
fn stage(blueprint: &Blueprint, questions: &[OwnQuestion]) -> String {
    let Words { title, bridge, nudges } = words(blueprint.language);
    let follow_ups: u32 = questions.iter().map(|question| question.follow_ups).sum();
    let asked = u32::try_from(questions.len()).unwrap_or(u32::MAX);
    let limit = ANSWER_LIMIT * asked + FOLLOW_UP_LIMIT * follow_ups;
    let wordings = |question: &OwnQuestion| {
        let text = toml::Value::from(question.text.clone());
        match blueprint.wordings.of(&question.text) {
            Some(other) => vec![text, other.into()].into(),
            None => text,
        }
    };
    let texts: Vec<_> = questions.iter().map(wordings).collect();
    let front: toml::Table = [
        ("title", title.into()),
        ("kind", "questions".into()),
        ("questions", toml::Value::from(texts)),
        ("questions_min", i64::from(asked).into()),
        ("questions_core", i64::from(asked).into()),
        ("questions_max", i64::from(asked + follow_ups).into()),
        ("stage_limit", format!("{}s", limit.as_secs()).into()),
        ("silence_limit", "45s".into()),
        ("thinking_time", "12s".into()),
        ("bridge", bridge.into()),
        ("nudges", nudges.to_vec().into()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect();
    let mut prompt = "You are {{ interviewer.name }}, an AI interviewer. In this part you ask {{ \
        candidate.name }} the \
                      questions of the company, one at a time, in this order. Ask each of them, and nothing \
                      else but \
                      the follow-ups that are allowed. When all are answered, call `transition_stage`.\n"
        .to_owned();
    for (n, question) in (1..).zip(questions) {
        let how = if question.verbatim {
            "in exactly these words"
        } else {
            "in words that fit the conversation"
        };
        let more = match question.follow_ups {
            0 => "no follow-up".to_owned(),
            1 => "one follow-up at most".to_owned(),
            many => format!("{many} follow-ups at most"),
        };
        let _ = writeln!(prompt, "{n}. {} ({how}; {more})", question.text);
    }
    format!("+++\n{front}+++\n\n{prompt}")
}

fn words(language: Language) -> Words {
    match language {
        Language::English => Words {
            title: "Questions of the company",
            bridge: "I also have a few questions that the company would like to ask you.",
            nudges: [
                "Take your time. I am listening.",
                "A short answer is fine. What comes to mind?",
            ],
        },
        Language::German => Words {
            title: "Fragen des Unternehmens",
            bridge: "Ich habe noch ein paar Fragen, die das Unternehmen Ihnen stellen möchte.",
            nudges: [
                "Nehmen Sie sich Zeit. Ich höre zu.",
                "Eine kurze Antwort genügt. Was fällt Ihnen ein?",
            ],
        },
        Language::Italian => Words {
            title: "Domande dell'azienda",
            bridge: "Ho anche alcune domande che l'azienda vorrebbe farti.",
            nudges: [
                "Prenditi il tempo che serve. Ti ascolto.",
                "Va bene anche una risposta breve. Che cosa ti viene in mente?",
            ],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<(String, String)> {
        let agent = |kind: &str| {
            format!(
                "+++\ntitle = \"A\"\nkind = \"{kind}\"\nstage_limit = \"1m\"\nsilence_limit = \"30s\"\n\
                 questions = [\"Who?\"]\nbridge = \"So.\"\nnudges = [\"Now.\", \"Well?\"]\n+++\n\nAsk.\n"
            )
        };
        let head = "# A remark\ntitle = \"T\"\ninterviewer = \"Alba\"\nstages = [\"a\", \"bye\"]\n";
        vec![
            (HEAD.into(), head.into()),
            ("a.md".into(), agent("questions")),
            ("bye.md".into(), agent("closing")),
        ]
    }

    fn question(text: &str, follow_ups: u32) -> OwnQuestion {
        OwnQuestion { text: text.into(), verbatim: follow_ups == 0, follow_ups }
    }

    /// U02: own questions are a stage before the closing, each is asked, and follow-ups have room and time.
    #[test]
    fn own_questions_are_a_stage() {
        let questions = vec![question("Why \"Rust\"?", 0), question("Was\\ist das?", 2)];
        let limit = Some(Duration::from_secs(900));
        let made = tailored(&files(), &Tailoring { questions, limit }).unwrap();
        let blueprint = Blueprint::load(&made).unwrap();
        let names: Vec<_> = blueprint.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names, ["a", OWN_QUESTIONS, "bye"]);
        let own = &blueprint.agents[1];
        assert_eq!(own.questions, ["Why \"Rust\"?", "Was\\ist das?"]);
        assert_eq!((own.questions_min, own.questions_core, own.questions_max), (2, 2, 4));
        assert_eq!(own.stage_limit, ANSWER_LIMIT * 2 + FOLLOW_UP_LIMIT * 2);
        assert_eq!(blueprint.interview_limit(), Duration::from_secs(900));
        assert!(
            own.prompt.contains("1. Why \"Rust\"? (in exactly these words; no follow-up)"),
            "{}",
            own.prompt
        );
        assert!(own.prompt.contains("(in words that fit the conversation; 2 follow-ups at most)"));
    }

    /// U02: without changes the interview stays as it is; what a blueprint refuses is a problem, no panic.
    #[test]
    fn what_is_not_changed_stays() {
        let same = tailored(&files(), &Tailoring::default()).unwrap();
        assert_eq!(Blueprint::load(&same).unwrap(), Blueprint::load(&files()).unwrap());
        for bad in ["Tell me about it.", "{{ secret }}?", "{% if %}?"] {
            let questions = vec![question(bad, 0)];
            assert!(tailored(&files(), &Tailoring { questions, limit: None }).is_err(), "{bad}");
        }
    }

    /// C03: a question that is asked again is asked alone, before the goodbye, whatever marks it has.
    #[test]
    fn a_question_is_asked_again() {
        for question in ["Why \"Rust\"?", "Please tell me about {{ it }}.", "?"] {
            let made = asked_again(&files(), question).unwrap();
            let blueprint = Blueprint::load(&made).unwrap();
            let names: Vec<_> = blueprint.agents.iter().map(|agent| agent.name.as_str()).collect();
            assert_eq!(names, [OWN_QUESTIONS, "bye"]);
            let own = &blueprint.agents[0];
            assert_eq!((own.questions.len(), own.questions_max), (1, 1), "{question}");
        }
        let asked = asked_again(&files(), "Please tell me about it.").unwrap();
        let blueprint = Blueprint::load(&asked).unwrap();
        assert_eq!(blueprint.agents[0].questions, ["Please tell me about it?"]);
    }

    /// U02: every language has words around them.
    #[test]
    fn each_language_has_words() {
        for code in ["en", "de", "it"] {
            let mut files = files();
            files[0].1 = format!("language = \"{code}\"\n{}", files[0].1);
            let questions = vec![question("Ja?", 1)];
            let made = tailored(&files, &Tailoring { questions, limit: None }).unwrap();
            assert_eq!(Blueprint::load(&made).unwrap().agents.len(), 3, "{code}");
        }
    }
}
