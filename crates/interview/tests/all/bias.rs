//! The same answers give the same facts, whoever gives them.

use std::collections::BTreeSet;

use interview::{
    assess::Material,
    blueprint::{Context, Criterion, Need},
    journal::{Header, Inputs},
};
use serde_json::Value;

use crate::{
    agendas::{Talk, plan},
    scenarios::files,
};

/// Names of many origins, long and short, with marks, spaces and letters that others do not have.
const NAMES: [&str; 20] = [
    "Ada",
    "Aylin",
    "Björn",
    "Chukwuemeka",
    "D’Angelo",
    "Emily",
    "Fatima",
    "François",
    "Greg",
    "Jamal",
    "José María",
    "Kwame",
    "Lakisha",
    "Mohammed",
    "Nguyễn",
    "O’Brien",
    "Priya",
    "Siobhán",
    "Svetlana",
    "李",
];

/// The same experience in few words, in some, and in many; and how many seconds it takes to say.
const ANSWERS: [(&str, u64); 3] = [
    ("I built the payment service at Acme in 2021.", 4),
    (
        "I built the payment service at Acme in 2021, with two others. I designed the retries, and we cut \
         failed payments by 40 percent.",
        11,
    ),
    (
        "I built the payment service at Acme in 2021, with two others. I designed the retries, because the \
         bank answered late at the end of each month, and we cut failed payments by 40 percent. I wrote \
         the tests for it, I taught the support team what the errors mean, and after a year I gave it to \
         another team with a page on what may go wrong and what to do then.",
        28,
    ),
];

/// The report by rules of an interview in which every question is answered alike, without its name and id.
fn report(blueprint: &str, name: &str, (answer, seconds): (&str, u64)) -> Value {
    let criterion = |name: &str| Criterion {
        name: name.to_owned(),
        about: "By what they did.".to_owned(),
        priority: Need::Must,
        weight: 3,
    };
    let mut context = Context { candidate_name: name.to_owned(), ..plan() };
    context.focus.criteria = vec![criterion("Owns what they build"), criterion("Explains it")];
    let told = Talk::new(blueprint, &context).play(&mut |_| (answer.to_owned(), seconds));
    let inputs = Inputs::new(blueprint, files(blueprint), context);
    let material = Material::of(&inputs, &Header::new("one", 0, &inputs), &told.entries);
    let report = serde_json::to_string(&material.by_rules(0)).unwrap();
    let mut report: Value = serde_json::from_str(&report.replace(name, "NAME")).unwrap();
    // The hash of inputs, of which the name is a part.
    report["header"]["inputs"].take();
    report
}

/// Names change no fact, no quote, no coverage and no verdict, however long the answers are.
#[test]
fn the_same_answers_give_the_same_facts_under_every_name() {
    for blueprint in ["knowledge-transfer", "discovery"] {
        for answer in ANSWERS {
            let expected = report(blueprint, NAMES[0], answer);
            let answers = expected["facts"]["answers"].as_u64().unwrap();
            assert!(answers >= 3, "{blueprint}: there has to be something to compare: {expected}");
            for name in &NAMES[1..] {
                let found = report(blueprint, name, answer);
                assert_eq!(found, expected, "{blueprint}, {name}, {} s", answer.1);
            }
        }
    }
}

/// Who says more gets no level for it: how long an answer is moves counts, and nothing else.
#[test]
fn longer_answers_are_judged_no_better() {
    for blueprint in ["knowledge-transfer", "discovery"] {
        let reports: Vec<Value> =
            ANSWERS.iter().map(|answer| report(blueprint, NAMES[0], *answer)).collect();
        let words: BTreeSet<_> =
            reports.iter().map(|report| report["facts"]["words"].as_u64()).collect();
        assert_eq!(words.len(), ANSWERS.len(), "they differ in length");
        for report in &reports {
            assert_eq!(report["overall"]["weighted"], Value::Null, "{blueprint}");
            let criteria = report["criteria"].as_array().unwrap();
            assert!(criteria.iter().all(|criterion| criterion["level"].is_null()), "{report}");
            let verdicts = |report: &Value| -> Vec<Value> {
                let of = report["criteria"].as_array().unwrap();
                of.iter().map(|criterion| criterion["verdict"].clone()).collect()
            };
            assert_eq!(verdicts(report), verdicts(&reports[0]), "{blueprint}");
        }
    }
}
