//! The check whether a model can do what an interview needs: a reply with a tool, and a judgement by a
//! schema.

use futures_util::TryStreamExt;
use serde_json::json;

use super::{JudgeRequest, Llm, Message, Piece, ProviderError, Retry, TalkRequest, Tool};
use crate::clock::Clock;

/// Asks for a reply. Returns the milliseconds to its first piece.
pub(super) async fn talks(model: &dyn Llm) -> Result<u64, ProviderError> {
    let tool = Tool {
        name: "ask_question",
        description: "Ask the candidate this question.",
        parameters: json!({
            "type": "object",
            "properties": { "question": { "type": "string" } },
            "required": ["question"],
        }),
    };
    let text = "Hello, can you hear me?".to_owned();
    let request = TalkRequest {
        system: "You are an interviewer. Answer in one short sentence.".to_owned(),
        messages: vec![Message::User(text)],
        tools: vec![tool],
        temperature: 0.0,
    };
    let clock = Clock::start();
    let mut pieces = model.talk(request);
    let mut began = None;
    while let Some(piece) = pieces.try_next().await? {
        match piece {
            Piece::Text(_) | Piece::Call(_) => began = began.or(Some(clock.now())),
            Piece::Usage(_) => {}
        }
    }
    Ok(began.unwrap_or(clock.now()).as_millis())
}

/// Asks for a judgement in JSON. Returns the milliseconds to its end.
pub(super) async fn judges(model: &dyn Llm) -> Result<u64, ProviderError> {
    let request = JudgeRequest {
        system: "Say how deep the answer is, from 1 (vague) to 5 (comprehensive).".to_owned(),
        user: "I have written software for six years.".to_owned(),
        schema: json!({
            "type": "object",
            "properties": { "depth": { "type": "integer" } },
            "required": ["depth"],
            "additionalProperties": false,
        }),
        is_long: false,
    };
    let clock = Clock::start();
    let judgement = model.judge(request).await?;
    let is_right = serde_json::from_str::<serde_json::Value>(&judgement)
        .is_ok_and(|judgement| judgement["depth"].is_u64());
    if !is_right {
        return Err(ProviderError {
            what: "the model does not judge as its schema says; take a larger one".to_owned(),
            retry: Retry::Never,
        });
    }
    Ok(clock.now().as_millis())
}
