//! A reply with a tool and a judgement from the configured model.

use crate::{
    config::Config,
    providers::kind::{Place, Role},
};

/// Calls the model as an interview does, on both lanes, and says how long it took.
pub(super) async fn answers(config: &Config) -> Result<String, String> {
    match config.place(Role::Llm) {
        Place::Scripted => Ok("the scripted interviewer needs no server".to_owned()),
        Place::Embedded => Ok("the embedded model needs no server".to_owned()),
        Place::Server(check) => check().await.map_err(|error| error.to_string()),
    }
}
