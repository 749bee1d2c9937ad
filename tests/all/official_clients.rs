//! The vendors' own clients against the servers that our models are tested with: what these servers send is
//! what the vendors send, as far as their clients can tell.

use std::path::Path;

use serde_json::{Value, json};

use crate::{
    anthropic_server,
    chat_server::{self, ChatServer, KEY, Step, json_answer},
    gemini_server, libwebrtc,
};

const WORDS: &str = "Bread — how lovely! 🥖 はい。";

/// Runs the client of a vendor; returns what it made of the answers.
async fn asked(vendor: &str, server: &ChatServer) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/model_clients.py");
    let python = tokio::task::spawn_blocking(libwebrtc::python).await.unwrap();
    let base_url = server.base_url();
    let output = tokio::process::Command::new(python)
        .arg(script)
        .args([vendor, "--url", base_url.trim_end_matches("/v1"), "--key", KEY])
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{vendor}'s client failed: {err}");
    serde_json::from_str(out.trim()).unwrap_or_else(|error| panic!("{error}: {out} {err}"))
}

/// A client: its name, a streamed reply, a whole one, and what its request begins with and carries.
type Vendor<'a> = (&'a str, Vec<Step>, Vec<Step>, &'a str, String);

/// P10: the vendors' own clients read from our servers what our models read from them, and call them where
/// our models do.
#[tokio::test]
async fn official_clients_understand_our_servers() {
    let calls = [("assess_response", json!({ "depth": 3 })), ("transition_stage", json!({}))];
    let message = json!({ "role": "assistant", "content": "Why?" });
    let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
    let whole = json!({ "id": "x", "object": "chat.completion", "choices": [choice] });
    let vendors: [Vendor; 3] = [
        (
            "openai",
            chat_server::reply(WORDS, &calls),
            json_answer("200 OK", &whole),
            "post /v1/chat/completions ",
            format!("authorization: bearer {KEY}\r\n"),
        ),
        (
            "anthropic",
            anthropic_server::reply(WORDS, &calls),
            anthropic_server::document("Why?"),
            "post /v1/messages ",
            // Ours sends the key as the documentation has it, in `x-api-key`.
            format!("authorization: bearer {KEY}\r\n"),
        ),
        (
            "gemini",
            gemini_server::reply(WORDS, &calls),
            gemini_server::document("Why?"),
            "post /v1/models/stub:streamgeneratecontent?alt=sse ",
            format!("x-goog-api-key: {KEY}\r\n"),
        ),
    ];
    for (vendor, reply, document, path, header) in vendors {
        let server = ChatServer::playing(vec![reply, document]);
        let read = asked(vendor, &server).await;
        let wanted = json!({ "text": WORDS, "calls": calls, "usage": [100, 20], "whole": "Why?" });
        assert_eq!(read, wanted, "{vendor}");
        let head = &server.asked()[0].head;
        assert!(head.starts_with(path) && head.contains(&header), "{vendor}: {head}");
    }
}
