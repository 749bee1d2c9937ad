//! A reply with a tool and a judgement from the configured model.

use futures_util::TryStreamExt;
use serde_json::json;

use crate::{
    clock::Clock,
    config::{Config, Llm as Choice},
    providers::{
        JudgeRequest, Llm, Message, Piece, ProviderError, TalkRequest, Tool, llm_openai::OpenAi,
    },
};

/// Calls the model as an interview does, on both lanes, and says how long it took.
pub(super) async fn answers(config: &Config) -> Result<String, String> {
    match config.speech.llm {
        Choice::Scripted => Ok("the scripted interviewer needs no server".to_owned()),
        Choice::OpenAi => {
            let both_lanes = async {
                let model = OpenAi::new(&config.llm)?;
                Ok((talks(&model).await?, judges(&model).await?, model.tokens_used()))
            };
            let (talked, judged, tokens) =
                both_lanes.await.map_err(|error: ProviderError| error.to_string())?;
            Ok(format!(
                "`{}` at {} begins to answer after {talked} ms and judges within {judged} ms; {tokens} tokens used",
                config.llm.model,
                config.llm.base_url.origin().ascii_serialization()
            ))
        }
    }
}

/// Milliseconds to the first piece of a reply.
async fn talks(model: &dyn Llm) -> Result<u64, ProviderError> {
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

/// Milliseconds to a whole judgement that is JSON.
async fn judges(model: &dyn Llm) -> Result<u64, ProviderError> {
    let request = JudgeRequest {
        system: "Say how deep the answer is, from 1 (vague) to 5 (comprehensive).".to_owned(),
        user: "I have written software for six years.".to_owned(),
        schema: json!({
            "type": "object",
            "properties": { "depth": { "type": "integer" } },
            "required": ["depth"],
            "additionalProperties": false,
        }),
    };
    let clock = Clock::start();
    let judgement = model.judge(request).await?;
    let is_right = serde_json::from_str::<serde_json::Value>(&judgement)
        .is_ok_and(|judgement| judgement["depth"].is_u64());
    if !is_right {
        return Err(ProviderError {
            what: "the model does not judge as its schema says; take a larger one".to_owned(),
            retry: crate::providers::Retry::Never,
        });
    }
    Ok(clock.now().as_millis())
}
