//! What a server of Anthropic's Messages API sends, event by event.

use serde_json::{Value, json};

use crate::chat_server::{Step, answer, head, json_answer};

/// An event under its name.
pub(crate) fn event(data: &Value) -> Step {
    let event = format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap());
    Step::Send(format!("{:x}\r\n{event}\r\n", event.len()).into_bytes())
}

/// The beginning of a message, whose request had so many tokens.
fn start(input: u64) -> Step {
    let usage = json!({
        "input_tokens": input - 10, "cache_creation_input_tokens": 4, "cache_read_input_tokens": 6,
        "output_tokens": 1,
    });
    event(&json!({ "type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "stub", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    } }))
}

fn block(index: usize, block: &Value) -> Step {
    event(&json!({ "type": "content_block_start", "index": index, "content_block": block }))
}

fn delta(index: usize, delta: &Value) -> Step {
    event(&json!({ "type": "content_block_delta", "index": index, "delta": delta }))
}

/// Words.
pub(crate) fn words(text: &str) -> Step {
    delta(0, &json!({ "type": "text_delta", "text": text }))
}

fn stop(index: usize) -> Step {
    event(&json!({ "type": "content_block_stop", "index": index }))
}

/// The end of a message, and of the stream.
pub(crate) fn end(reason: &str, output: u64) -> Vec<Step> {
    let delta = json!({ "stop_reason": reason, "stop_sequence": null });
    let usage = json!({ "output_tokens": output });
    vec![
        event(&json!({ "type": "message_delta", "delta": delta, "usage": usage })),
        event(&json!({ "type": "message_stop" })),
        Step::Send(b"0\r\n\r\n".to_vec()),
    ]
}

/// A message that has begun with these words.
pub(crate) fn begun(text: &str) -> Vec<Step> {
    let text_block = json!({ "type": "text", "text": "" });
    let ping = event(&json!({ "type": "ping" }));
    vec![head(), start(100), block(0, &text_block), ping, words(text)]
}

/// A message without words.
pub(crate) fn empty() -> Vec<Step> {
    [vec![head(), start(100)], end("end_turn", 1)].concat()
}

/// A whole message as a model streams it: words, then calls.
pub(crate) fn reply(text: &str, calls: &[(&str, Value)]) -> Vec<Step> {
    let mut steps = vec![head(), start(100), event(&json!({ "type": "a_later_invention" }))];
    let thinking = json!({ "type": "thinking", "thinking": "", "signature": "" });
    steps.push(block(0, &thinking));
    steps.push(delta(0, &json!({ "type": "thinking_delta", "thinking": "Hm." })));
    steps.push(delta(0, &json!({ "type": "signature_delta", "signature": "c2ln" })));
    steps.push(stop(0));
    steps.push(block(1, &json!({ "type": "text", "text": "" })));
    let word = |text| delta(1, &json!({ "type": "text_delta", "text": text }));
    steps.extend(text.split_inclusive(' ').map(word));
    steps.push(stop(1));
    for (n, (name, arguments)) in calls.iter().enumerate() {
        let id = format!("toolu_{n}");
        steps.push(block(
            n + 2,
            &json!({ "type": "tool_use", "id": id, "name": name, "input": {} }),
        ));
        let arguments = arguments.to_string();
        let (front, back) = arguments.split_at(arguments.len() / 2);
        for piece in ["", front, back] {
            steps.push(delta(n + 2, &json!({ "type": "input_json_delta", "partial_json": piece })));
        }
        steps.push(stop(n + 2));
    }
    steps.extend(end(if calls.is_empty() { "end_turn" } else { "tool_use" }, 20));
    steps
}

/// A whole message that was not streamed, with this block.
pub(crate) fn whole(block: &Value) -> Vec<Step> {
    let usage = json!({ "input_tokens": 50, "output_tokens": 5 });
    json_answer(
        "200 OK",
        &json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "stub", "content": [block],
            "stop_reason": "end_turn", "usage": usage,
        }),
    )
}

/// A document that was not streamed.
pub(crate) fn document(text: &str) -> Vec<Step> {
    whole(&json!({ "type": "text", "text": text }))
}

/// A refusal.
pub(crate) fn refusal(status: &str, headers: &str, message: &str) -> Vec<Step> {
    let error = json!({ "type": "invalid_request_error", "message": message });
    let body = json!({ "type": "error", "error": error, "request_id": "req_1" });
    answer(status, headers, &body.to_string())
}
