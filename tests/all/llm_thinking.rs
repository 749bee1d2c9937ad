//! Models that think before they speak, or act as they do: nothing but speech is heard of them, and `doctor`
//! names them.

use futures_util::StreamExt;
use serde_json::json;
use vivavoce::{
    interview::Event,
    providers::{
        Piece,
        kind::{Place, Role},
    },
};

use crate::{
    chat_server::{ChatServer, Step},
    llm_interview::{failures, interviewed, said, tagging},
    llm_vendors::{WIRES, config, model, talk},
};

/// P04: in a whole interview nobody hears what a model thinks or how it acts, from its first reply on, and no
/// reply fails for it.
#[test]
fn thoughts_and_acting_are_never_heard() {
    for before in [
        "<think>\nThe candidate seems nervous. The salary is low.\n</think>\n\n",
        "The candidate seems nervous. The salary is low.\n</think>\n\n",
        "*smiles warmly* (nods) [pause] ",
        "_looks up from the notes_ (Pause) ",
    ] {
        let server = ChatServer::start(tagging(before, "(by the way) "));
        let replayed = interviewed(&server.config());
        let written = replayed.entries.iter().filter_map(|entry| match &entry.event {
            Event::SegmentReady { text, .. } => Some(text.as_str()),
            _ => None,
        });
        let written = written.collect::<Vec<_>>().join(" ").to_lowercase();
        for word in
            ["nervous", "salary", "</think", "smiles", "nods", "[pause", "(pause", "looks up"]
        {
            assert!(!written.contains(word), "{before:?}: {word:?} in {written}");
        }
        let said = said(&replayed);
        assert!(said.contains("I see.") && said.contains("(by the way)"), "{before:?}: {said}");
        let failed = failures(&replayed);
        assert!(failed.iter().all(|why| !why.contains("think")), "{before:?}: {failed:?}");
    }
}

/// P09: `doctor` says of every kind of model how it thinks and which setting helps, and reads its judgement
/// behind a preface.
#[tokio::test]
async fn doctor_names_models_that_think() {
    for (kind, wire) in WIRES {
        let shows_thoughts = matches!(*kind, "anthropic" | "gemini");
        for (text, says) in [
            ("<think>She seems nervous.</think>Yes.", Some("in its text, between marks")),
            ("She seems nervous.</think>Yes.", Some("with a mark at the end alone")),
            ("Yes.", shows_thoughts.then_some("apart from its text")),
        ] {
            let judged = format!("Here is the JSON:\n```json\n{}\n```", json!({ "depth": 3 }));
            let server =
                ChatServer::playing(vec![(wire.reply)(text, &[]), (wire.document)(&judged)]);
            let config = config(kind, &server.base_url(), &[]);
            let place = config.providers.get(kind).unwrap().place(Role::Llm);
            let Some(Place::Server(check)) = place else { panic!("{kind} is behind a server") };
            let line = check().await.unwrap();
            match says {
                Some(says) => {
                    assert!(line.contains("thinks aloud") && line.contains(says), "{kind}: {line}");
                    assert!(line.contains(&format!("by providers.{kind}.model")), "{kind}: {line}");
                }
                None => assert!(!line.contains("think"), "{kind}: {line}"),
            }
        }
    }
}

/// Q02: a model that was tried before its first reply is heard from its first word on; it is tried once.
#[tokio::test]
async fn models_that_were_tried_are_not_held() {
    for (kind, wire) in WIRES {
        let begins = [(wire.begun)("Why "), vec![Step::Hang]].concat();
        let server = ChatServer::playing(vec![(wire.reply)("Yes, I can.", &[]), begins]);
        let interviewer = model(kind, &server.base_url(), &[]);
        interviewer.learn_habits().await;
        interviewer.learn_habits().await;
        assert_eq!(server.asked().len(), 1, "{kind}");
        let mut pieces = interviewer.model().unwrap().talk(talk());
        assert_eq!(pieces.next().await, Some(Ok(Piece::Text("Why ".into()))), "{kind}");
    }
}
