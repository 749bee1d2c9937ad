//! A reply with a tool and a judgement from each configured model.

use super::Report;
use crate::{
    config::Config,
    providers::kind::{Place, Role},
};

/// Calls each model as an interview does, on both lanes, and says how long it took.
pub(super) async fn all(report: &mut Report, config: &Config) {
    let models = config.places(Role::Llm);
    for (name, place) in &models {
        let check = async || answers(place).await;
        report.check(&super::title("model", name, models.len()), check).await;
    }
}

async fn answers(place: &Place) -> Result<String, String> {
    match place {
        Place::Scripted => Ok("the scripted interviewer needs no server".to_owned()),
        Place::Embedded => Ok("the embedded model needs no server".to_owned()),
        Place::Server(check) => check().await.map_err(|error| error.to_string()),
    }
}
