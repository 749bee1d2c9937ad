//! What is said of the answers of a practice interview: facts, the candidate's own words, and suggestions.

use serde::{Deserialize, Serialize};

use super::story::StoryPart;
use crate::planning::MadeBy;

/// What a practice interview gives back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Review {
    /// The answers to questions that ask for more than a word, in order.
    pub answers: Vec<ReviewedAnswer>,
    /// Who made the suggestions.
    pub by: MadeBy,
}

/// An answer, and what was in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedAnswer {
    /// The question's number in the interview.
    pub question: u32,
    /// Its words.
    pub asked: String,
    /// The title of its stage.
    pub stage: String,
    /// The parts of a told experience, each with the words that tell it, or with none.
    pub parts: Vec<PartFound>,
    /// How long they spoke, in seconds; 0 for what was typed.
    pub seconds: u64,
    /// How many words they said.
    pub words: u64,
    /// Their pace; nothing for a few words, and for what was typed.
    pub words_per_minute: Option<u64>,
    /// Sounds such as "um", as a count.
    pub fillers: u64,
    /// Two suggestions.
    pub suggestions: Vec<Suggestion>,
}

/// A part of a told experience.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PartFound {
    /// Which one.
    pub part: StoryPart,
    /// The words that tell it; nothing where it was not told.
    pub quote: Option<String>,
}

/// What a suggestion is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// Say what came of it.
    AddResult,
    /// Say which part was theirs.
    AddOwnPart,
    /// Say where and when it was.
    AddSituation,
    /// Say what had to be done.
    AddTask,
    /// Say more.
    Longer,
    /// Say it in fewer words.
    Shorter,
    /// Say what is meant.
    Concrete,
    /// Pause instead of "um".
    FewerFillers,
    /// Speak more slowly.
    Slower,
    /// Give a number.
    Number,
    /// Say why it was done so.
    SayWhy,
    /// Begin with the result.
    LeadWithResult,
    /// As the model says.
    Model,
}

/// Something that would make an answer stronger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Suggestion {
    /// What it is about: pages have words for it.
    pub advice: Advice,
    /// The model's words, where it made the suggestion.
    pub text: Option<String>,
    /// The candidate's own words that it is about.
    pub quote: String,
}
