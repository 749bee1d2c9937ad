//! What becomes of plans, and what comes out of interviews with one: projections of whole conversations
//! (K06, K07, L02–L08).

use interview::{
    ItemStatus, Origin, Phase, Settled,
    blueprint::{Blueprint, Context, Document, Urgency},
    journal::{HandoverFile, Inputs, PlanProgress, handover, plan_progress},
    planning::MadeBy,
    sim,
    summary::{Material, Summary},
};
use serde_json::{Value, json};

use crate::{
    agendas::{PLAIN, RICH, Talk, plan},
    scenarios::files,
};

fn inputs(blueprint: &str, context: Context) -> Inputs {
    Inputs::new(blueprint, files(blueprint), context)
}

/// A transfer in which an answer was thin, one is not known, and one is nobody's business.
fn transfer() -> (Inputs, Vec<interview::journal::Entry>) {
    let document = Document { name: "model.md".into(), ..Document::default() };
    let context = Context { documents: vec![document], ..plan() };
    let told = Talk::new("knowledge-transfer", &context).play(&mut |asked| {
        let words = match asked {
            _ if asked.contains("anything else") => "No, that was all.",
            _ if asked.contains("threshold") => RICH,
            _ if asked.contains("Lyon") => "I type them in.",
            _ if asked.contains("agri") => "I don't know.",
            _ if asked.contains("newcomer") => {
                "I was in hospital with cancer and had chemotherapy then."
            }
            _ => PLAIN,
        };
        (words.to_owned(), 6)
    });
    (inputs("knowledge-transfer", context), told.entries)
}

/// K01, K07: the backlog as it is worked off, before, in the middle and at the end.
#[test]
fn a_backlog_is_shown_as_it_is_worked_off() {
    let (inputs, entries) = transfer();
    let before = plan_progress(&inputs, &[]).unwrap();
    assert_eq!(before.documents, ["model.md"]);
    let of = |progress: &PlanProgress, status: ItemStatus| {
        progress.questions.iter().filter(|q| q.item.status == status).count()
    };
    assert_eq!((before.questions.len(), of(&before, ItemStatus::Open)), (7, 7));
    assert_eq!((before.questions[0].item.id.as_str(), &before.topics[..]), ("threshold", &[][..]));
    let halfway = (0..entries.len()).map(|n| plan_progress(&inputs, &entries[..n]).unwrap()).find(
        |progress| of(progress, ItemStatus::Asked) == 1 && of(progress, ItemStatus::Answered) == 1,
    );
    let halfway = halfway.expect("a question waits for its answer");
    let asked = halfway.questions.iter().find(|q| q.item.status == ItemStatus::Asked).unwrap();
    assert!(asked.asked_as.as_ref().unwrap().contains(&asked.item.text) && asked.answer.is_none());

    let done = plan_progress(&inputs, &entries).unwrap();
    let question = |id: &str| done.questions.iter().find(|q| q.item.id == id).unwrap();
    assert_eq!(question("threshold").answer.as_deref(), Some(RICH));
    assert_eq!(question("cap").item.status, ItemStatus::Unknown);
    assert_eq!(question("colour").item.priority, Urgency::P2);
    let follow_up = question("followup-1");
    assert_eq!(
        (follow_up.item.origin, follow_up.item.parent.as_deref()),
        (Origin::FollowUp, Some("lyon"))
    );
    assert_eq!(
        question("standing-1").answer.as_deref(),
        Some(interview::journal::REDACTED),
        "nobody's business"
    );
    assert_eq!(plan_progress(&self::inputs("two-stage", sim::context()), &[]), None);
}

/// K07: the seed's files in its shapes; whoever goes on after a crash writes nothing twice.
#[test]
fn the_files_of_a_transfer() {
    let (inputs, entries) = transfer();
    let file = |entries: &[interview::journal::Entry], file| -> Value {
        let progress = plan_progress(&inputs, entries).unwrap();
        serde_json::from_str(&handover(&progress, file)).unwrap()
    };
    let rounds = file(&entries, HandoverFile::Transcript);
    let first = &rounds[0];
    assert_eq!((&first["turn_id"], &first["question_id"]), (&json!(1), &json!("threshold")));
    assert!(first["question_text"].as_str().unwrap().contains("loss threshold of 0.3"), "{first}");
    assert_eq!((&first["user_response"], &first["follow_up"]), (&json!(RICH), &Value::Null));
    let lyon =
        rounds.as_array().unwrap().iter().find(|round| round["question_id"] == "lyon").unwrap();
    assert!(lyon["follow_up"].is_string(), "{lyon}");
    let ids: Vec<_> = rounds.as_array().unwrap().iter().map(|round| &round["turn_id"]).collect();
    assert_eq!(json!(ids), json!((1..=ids.len()).collect::<Vec<_>>()));
    let facts = file(&entries, HandoverFile::Facts);
    let of_rounds =
        rounds.as_array().unwrap().iter().flat_map(|r| r["extracted_facts"].as_array().unwrap());
    let of_rounds: Vec<_> = of_rounds.cloned().collect();
    assert!(!of_rounds.is_empty());
    assert_eq!(facts, json!(of_rounds));
    let backlog = file(&entries, HandoverFile::Backlog);
    assert_eq!(backlog.as_array().unwrap().len(), 8, "{backlog}");
    assert_eq!(
        backlog[2],
        json!({
            "question_id": "cap", "text": "Why is the rate of the segment agri capped?", "priority": "P1",
            "status": "unknown", "origin": "plan", "answer": "I don't know.", "confidence": null,
        })
    );
    for file in HandoverFile::ALL {
        let text = handover(&plan_progress(&inputs, &entries).unwrap(), file);
        assert!(!text.contains("hospital") && !text.contains("chemo"), "{text}");
    }
    // At any point of the journal each question has one round at most.
    for n in (0..entries.len()).step_by(7) {
        let rounds = file(&entries[..n], HandoverFile::Transcript);
        let mut ids: Vec<_> =
            rounds.as_array().unwrap().iter().map(|r| r["question_id"].to_string()).collect();
        let all = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), all, "entry {n}");
    }
}

/// K06: without a model, or when it failed: questions and answers as they were, and what is open.
#[test]
fn a_summary_by_rules_is_a_list_of_answers() {
    let (inputs, entries) = transfer();
    let material = Material::of(&inputs, &entries).unwrap();
    let summary = material.by_rules();
    assert_eq!(summary.by, MadeBy::Rules);
    let headings: Vec<_> = summary.sections.iter().map(|s| s.heading.as_str()).collect();
    assert_eq!(headings, ["What has to be known", "Closing", "Still open"]);
    let text = summary.text();
    assert!(text.contains(RICH) && text.contains("loss threshold of 0.3"), "{text}");
    assert_eq!(summary.sections[2].points, ["Why is the rate of the segment agri capped?"]);
    assert!(!text.contains("hospital") && !text.contains(interview::journal::REDACTED), "{text}");
    assert!(!text.contains("I don't know"), "what leaves a question open is no answer: {text}");
}

/// K06, case 40: distress, a wish to stop and "say that again" are no answers; topics tell what is open.
#[test]
fn only_answers_are_summed_up() {
    let context = sim::context();
    let mut n = 0;
    let told = Talk::new("discovery", &context).play(&mut |asked| {
        n += 1;
        let words = match (n, asked) {
            (_, asked) if asked.contains("anything else") => "No.",
            (1, _) => "Can you repeat the question, please?",
            (2, _) => PLAIN,
            (3, _) => "I feel so overwhelmed, I can't breathe.",
            (4, _) => "Yes, I want to stop.",
            _ => "No.",
        };
        (words.to_owned(), 6)
    });
    let inputs = inputs("discovery", context);
    let summary = Material::of(&inputs, &told.entries).unwrap().by_rules();
    let text = summary.text();
    assert!(text.contains(PLAIN), "{text}");
    for words in ["repeat", "breathe", "want to stop"] {
        assert!(!text.contains(words), "{words}: {text}");
    }
    let open = summary.sections.iter().find(|section| section.heading == "Still open").unwrap();
    assert!(open.points.contains(&"Where do misunderstandings come from?".to_owned()), "{open:?}");
}

/// K06: by a model in five headings; what is no summary is refused.
#[test]
fn a_summary_of_a_model_has_five_headings() {
    let (inputs, entries) = transfer();
    let material = Material::of(&inputs, &entries).unwrap();
    let request = material.request();
    assert!(request.user.contains(RICH) && !request.user.contains("hospital"), "{}", request.user);
    assert_eq!(
        request.schema["required"],
        json!(["decisions", "history", "people", "risks", "rules"])
    );
    let written = json!({
        "decisions": ["The threshold is 0.3 since 2019."], "rules": ["  "],
        "people": ["Marta Keller decides."],
        "risks": [], "history": ["There was a crisis in Lyon."],
    });
    let Summary { by, sections } = material.parse(&written.to_string()).unwrap();
    let headings: Vec<_> = sections.iter().map(|s| s.heading.as_str()).collect();
    assert_eq!(by, MadeBy::Model);
    assert_eq!(headings, ["Decisions and why", "Dependencies and people", "History", "Still open"]);
    for broken in [
        "{",
        "{}",
        r#"{"decisions":["x"]}"#,
        r#"{"decisions":[],"rules":[],"people":[],"risks":[],"history":[" "]}"#,
        r#"{"decisions":[1],"rules":[],"people":[],"risks":[],"history":[]}"#,
    ] {
        assert!(material.parse(broken).is_err(), "{broken}");
    }
    let nothing = Material::of(&inputs, &[]).unwrap();
    assert!(nothing.is_empty());
}

/// L02, L05, L06, L08: topics with their turns and the budget, the offer, and contact data.
#[test]
fn topics_are_shown_with_their_budget() {
    let context = sim::context();
    let told = Talk::new("discovery", &context).play(&mut |asked| {
        let words = match asked {
            _ if asked.contains("May we contact") => "Yes, of course.",
            _ if asked.contains("full name") => "Anna Smith",
            _ if asked.contains("e-mail") => "anna at example dot com",
            _ if asked.contains("example.com") => "Yes.",
            _ if asked.contains("minutes") || asked.contains("go on") => "No, thank you.",
            _ if asked.contains("anything else") => "No.",
            _ => RICH,
        };
        (words.to_owned(), 40)
    });
    let inputs = inputs("discovery", context);
    let before = plan_progress(&inputs, &[]).unwrap();
    assert_eq!((before.turns_total, before.turns_left, before.topics.len()), (13, 13, 3));
    assert_eq!(before.topics[1].share, 4);
    let done = plan_progress(&inputs, &told.entries).unwrap();
    let used: u32 = done.topics.iter().map(|topic| topic.turns).sum();
    assert_eq!(done.turns_left, 13 - used);
    let tools = &done.topics[0];
    assert_eq!((tools.covered, tools.sub_goals.len()), (2, 2));
    assert!(
        tools.score > 0.5 && tools.insight.as_ref().unwrap().contains("Marta Keller"),
        "{tools:?}"
    );
    assert_eq!((done.consent, done.extension), (Some(true), None));
    let contact: Vec<_> =
        done.contact.iter().map(|field| (field.key.as_str(), &field.settled)).collect();
    let [
        ("name", Some(Settled::Captured { value: name, .. })),
        ("email", Some(Settled::Captured { value, .. })),
    ] = contact[..]
    else {
        panic!("{contact:?}");
    };
    assert_eq!((name.as_str(), value.as_str()), ("Anna Smith", "anna@example.com"));
    assert_eq!(done.phase, Some(Phase::FinalGoodbye));
    let summary = Material::of(&inputs, &told.entries).unwrap().by_rules();
    assert!(!summary.text().contains("anna@example.com"), "contact data stand for themselves");
}

/// L05: whether there was time for more is shown as they said.
#[test]
fn the_offer_is_shown_as_it_was_answered() {
    let in_haste = |(name, text): (String, String)| (name, text.replace("\"10m\"", "\"20s\""));
    let files: Vec<_> = files("discovery").into_iter().map(in_haste).collect();
    for (words, accepted) in [("Yes, sure.", true), ("No, thank you.", false)] {
        let context = sim::context();
        let blueprint = Blueprint::load(&files).unwrap();
        let told = Talk::of(&blueprint, &context).play(&mut |asked| {
            let words = match asked {
                _ if asked.contains("five minutes") => words,
                _ if asked.contains("May we contact") => "No, thank you.",
                _ if asked.contains("anything else") => "No.",
                _ => PLAIN,
            };
            (words.to_owned(), 8)
        });
        let inputs = Inputs::new("discovery", files.clone(), context);
        let shown = plan_progress(&inputs, &told.entries).unwrap();
        assert_eq!((shown.extension, shown.consent), (Some(accepted), Some(false)));
    }
}
