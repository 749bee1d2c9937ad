//! Keyterms: from what an interview knows to what a recogniser is told over a real socket.

use serde_json::json;
use vivavoce::providers::stt_deepgram;

use crate::{
    deepgram_server::{DeepgramServer, Heard, Mind, Step},
    stt_deepgram::Candidate,
};

/// What a connection was asked for, by its parameter's name.
fn asked_for(server: &DeepgramServer, connection: usize, name: &str) -> Vec<String> {
    let heard = server.heard();
    let line = heard.iter().find_map(|(n, heard)| match heard {
        Heard::Opened(head) if *n == connection => head.lines().next(),
        Heard::Opened(_) | Heard::Sound(_) | Heard::Said(_) | Heard::Gone => None,
    });
    let path = line.unwrap().split(' ').nth(1).unwrap();
    let url = url::Url::parse(&format!("ws://h{path}")).unwrap();
    url.query_pairs().filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect()
}

/// P03: a connection is told the keyterms by the parameter of its model, encoded, and a hundred at most.
#[tokio::test]
async fn keyterms_are_told() {
    let mut terms =
        ["Jürgen Klopp", "C++", "R&D", "100 % Rust", "a=b;c"].map(str::to_owned).to_vec();
    for (model, name, first) in [
        ("nova-3", "keyterm", &terms.clone()[..]),
        ("flux-general-en", "keyterm", &terms.clone()[..]),
        ("nova-2", "keywords", &["Jürgen", "Klopp", "C++", "R&D", "100"].map(str::to_owned)[..]),
    ] {
        terms.extend((0..150).map(|n| format!("T{n}")));
        let mut server = DeepgramServer::start(Mind::well);
        let config = stt_deepgram::Settings { model: model.to_owned(), ..server.config() };
        let _candidate = Candidate::listened_to(&config, &terms);
        server.until(|_, heard| matches!(heard, Heard::Opened(_))).await;
        let asked = asked_for(&server, 1, name);
        assert_eq!(asked.len(), 100, "{model}: {asked:?}");
        assert_eq!(asked[..5], *first, "{model}");
        let other = if name == "keyterm" { "keywords" } else { "keyterm" };
        assert!(asked_for(&server, 1, other).is_empty(), "{model}");
    }
}

/// P03: flux is told other words while it listens; nova with its next connection, beside those that it had.
#[tokio::test]
async fn a_stage_has_its_keyterms() {
    let terms = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    for model in ["flux-general-en", "nova-3"] {
        let mut server = DeepgramServer::start(|mind, heard| match heard {
            Heard::Sound(_) if mind.connection == 1 && mind.pieces == 5 => vec![Step::Reset],
            heard => mind.well(heard),
        });
        let config = stt_deepgram::Settings { model: model.to_owned(), ..server.config() };
        let mut candidate = Candidate::listened_to(&config, &terms(&["Ada", "Kafka"]));
        server.until(|_, heard| matches!(heard, Heard::Opened(_))).await;
        assert_eq!(asked_for(&server, 1, "keyterm"), ["Ada", "Kafka"]);
        candidate.stream.keyterms(&terms(&["Ada", "Zürich \"Re\""]));
        candidate.stream.keyterms(&terms(&["Ada", "Zürich \"Re\""]));
        candidate.silence(1);
        server.until(|_, heard| matches!(heard, Heard::Sound(_))).await;
        candidate.silence(10);
        server.until(|n, heard| n == 2 && matches!(heard, Heard::Opened(_))).await;
        // What was to be told on the first connection was told before its sound.
        let said: Vec<String> = server.heard().into_iter().filter_map(said).collect();
        if model == "nova-3" {
            assert!(said.is_empty(), "{said:?}");
        } else {
            assert_eq!(said.len(), 1, "{said:?}");
            let told: serde_json::Value = serde_json::from_str(&said[0]).unwrap();
            let wanted = json!({ "type": "Configure", "keyterms": ["Ada", "Zürich \"Re\""] });
            assert_eq!(told, wanted);
        }
        let again = asked_for(&server, 2, "keyterm");
        match model {
            "nova-3" => assert_eq!(again, ["Ada", "Zürich \"Re\"", "Kafka"]),
            _ => assert_eq!(again, ["Ada", "Zürich \"Re\""]),
        }
    }
}

/// The keyterms that are told on an open connection.
fn said((_, heard): (usize, Heard)) -> Option<String> {
    match heard {
        Heard::Said(said) if said.contains("Configure") => Some(said),
        Heard::Said(_) | Heard::Opened(_) | Heard::Sound(_) | Heard::Gone => None,
    }
}
