//! The phases of a plan.

use serde::{Deserialize, Serialize};

/// What an interview with topics does, as dashboards name it (L08).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    /// A turn on a topic.
    Exploring,
    /// A turn that a rich answer has brought.
    ExploringDeep,
    /// On the way to the next topic.
    Transition,
    /// What was left of the topics.
    Deepening,
    /// Whether there is time for more.
    DeepOfferAsk,
    /// Whether they leave their contact data.
    DataCollectionConsent,
    /// Contact data.
    DataCollection,
    /// They left no data.
    CompleteWithoutData,
    /// The end.
    FinalGoodbye,
}

impl Phase {
    /// Its name on the wire.
    pub fn label(self) -> &'static str {
        match self {
            Self::Exploring => "EXPLORING",
            Self::ExploringDeep => "EXPLORING_DEEP",
            Self::Transition => "TRANSITION",
            Self::Deepening => "DEEPENING",
            Self::DeepOfferAsk => "DEEP_OFFER_ASK",
            Self::DataCollectionConsent => "DATA_COLLECTION_CONSENT",
            Self::DataCollection => "DATA_COLLECTION",
            Self::CompleteWithoutData => "COMPLETE_WITHOUT_DATA",
            Self::FinalGoodbye => "FINAL_GOODBYE",
        }
    }
}
