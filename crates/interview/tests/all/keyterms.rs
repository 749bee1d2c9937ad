//! Which words a whole interview tells the recogniser to expect, and when.

use interview::{
    Effect, Interview,
    blueprint::{Blueprint, Context, Focus, Known},
    sim::scenario::play,
};

/// What the first stage adds to the blueprint, and the second one.
const INTRO: &str = "questions_max = 3\nsees = [\"resume\"]\n\
    questions = [\"What did you build with Erlang?\", \"Where?\", \"Why?\"]\n";
const WORK: &str = "questions_max = 3\nquestions = [\"What do you know of Haskell?\"]\n\
    [[rubric]]\nkey = \"years\"\ntitle = \"Years with Prolog\"\nquestion = \"Since when at Oracle?\"\n";

/// Three answers in the first stage, of which the first corrects a year and the second a name, then one in
/// the second stage.
const PLAYED: &str = "with x\n00:00.200 > joined\n\
    00:00.600 > #1 speaks (3s): I am Alba. What did you build with Erlang?\n\
    00:05.000 > answers (3s): We moved the ledger in 2019, sorry, 2021, with ten people.\n\
    00:10.000 > #2 speaks (2s): I see. Where was that?\n\
    00:14.000 > answers (3s): I was in Berlin, sorry, Tallinn, at that time.\n\
    00:19.000 > #3 speaks (2s): I see. Why did they need it?\n\
    00:23.000 > answers (3s): The old one was far too slow for all of them.\n\
    00:28.000 > #4 speaks (3s): Let us move on to your work. What do you know of Haskell?\n\
    00:33.000 > answers (3s): I have read two books on it and liked them.\n\
    00:38.000 > #5 speaks (3s): I see. Since when have you done that?\n\
    00:43.000 > tick\n";

/// P03: a stage has its own terms behind the names, then those of the papers that it sees, then all others; a
/// recogniser that can be told only once is told what all stages ask first.
#[test]
fn a_stage_puts_its_own_terms_first() {
    let interview = Interview::new(&Blueprint::load(&files(WORK)).unwrap(), &context());
    let names = ["Ada Lovelace", "Ada", "Lovelace", "Alba", "SAP FICO"];
    let (resume, posting) = (["Kafka", "Zalando"], ["Kubernetes", "Siemens"]);
    let common = ["Terraform", "Potsdam"];
    let wanted = [&names[..], &["Erlang"], &resume, &posting, &common].concat();
    assert_eq!(interview.keyterms(), wanted);
    let asked = ["Erlang", "Haskell", "Oracle", "Prolog"];
    let wanted = [&names[..], &asked, &resume, &posting, &common].concat();
    assert_eq!(interview.all_keyterms(), wanted);
}

/// P03, case 41: keyterms are told when an interview begins, when a name is corrected, and when a stage with
/// others begins; a year that is corrected changes none of them.
#[test]
fn keyterms_are_told_when_they_change() {
    let names = ["Ada Lovelace", "Ada", "Lovelace", "Alba"];
    let (resume, posting) = (["Kafka", "Zalando"], ["Kubernetes", "Siemens"]);
    let common = ["Terraform", "Potsdam"];
    let intro = [&["Erlang"], &resume[..], &posting, &common].concat();
    let begun = [&names[..], &["SAP FICO"], &intro].concat();
    let corrected = [&names[..], &["Tallinn", "SAP FICO"], &intro].concat();
    let work = [&["Haskell", "Oracle", "Prolog"], &posting[..], &resume, &common].concat();
    let handed_off = [&names[..], &["Tallinn", "SAP FICO"], &work].concat();
    let wanted = [("00:00.200", begun), ("00:19.000", corrected), ("00:28.000", handed_off)];
    let wanted = wanted.map(|(at, terms)| (at.to_owned(), terms.join(", ")));
    assert_eq!(told(WORK), wanted);
}

/// P03: a stage with the same keyterms as the one before tells none.
#[test]
fn the_same_keyterms_are_told_once() {
    let times: Vec<_> = told(INTRO).into_iter().map(|(at, _)| at).collect();
    assert_eq!(times, ["00:00.200", "00:19.000"]);
}

/// When which keyterms are told, in an interview whose second stage is `work`.
fn told(work: &str) -> Vec<(String, String)> {
    let played = play(PLAYED, |_| Some(files(work))).unwrap();
    assert!(played.text.contains("HANDOFF intro -> work"), "{}", played.text);
    assert!(played.text.contains("corrected: 2021, not 2019"), "{}", played.text);
    let mut interview = Interview::new(&Blueprint::load(&files(work)).unwrap(), &context());
    let mut told = Vec::new();
    for (at, heard, event) in played.facts {
        for effect in interview.handle(at, heard, event) {
            if let Effect::Listen { keyterms } = effect {
                told.push((at.to_string(), keyterms.join(", ")));
            }
        }
    }
    told
}

fn files(work: &str) -> Vec<(String, String)> {
    let head = "title = \"X\"\ninterviewer = \"Alba\"\nstages = [\"intro\", \"work\"]\n\
        [turns]\nendpointing = \"500ms\"\n";
    let stage = |more: &str| {
        format!(
            "+++\ntitle = \"Stage\"\nkind = \"questions\"\nstage_limit = \"3m\"\nsilence_limit = \"30s\"\n\
             bridge = \"Let us move on.\"\nnudges = [\"Take your time.\", \"What comes to mind?\"]\n\
             {more}+++\n\nAsk.\n"
        )
    };
    let named = |name: &str, text| (name.to_owned(), text);
    vec![
        named("blueprint.toml", head.to_owned()),
        named("intro.md", stage(INTRO)),
        named("work.md", stage(work)),
    ]
}

fn context() -> Context {
    Context {
        candidate_name: "Ada Lovelace".into(),
        role: "Senior SAP FICO Consultant".into(),
        level: "senior".into(),
        resume: "I built pipelines with Kafka at Zalando.".into(),
        job_description: "You run Kubernetes at Siemens.".into(),
        focus: Focus { areas: vec!["how they use Terraform".into()], ..Focus::default() },
        knowledge: vec![Known { answer: "Our office is in Potsdam.".into(), ..Known::default() }],
        ..Context::default()
    }
}
