//! The limits of a model behind a server, which every vendor's settings have.

use std::time::Duration;

use crate::settings::{Kind, Rule};

/// Returns the rule for a count, which is not zero.
pub(in crate::providers) const fn count<T: std::str::FromStr + PartialOrd + From<u8>>() -> Rule<T> {
    Rule {
        kind: Kind::Whole,
        expected: "a whole number from 1",
        parse: |text| text.parse().ok().filter(|n| *n >= T::from(1)),
    }
}

/// The rule for a temperature.
pub(in crate::providers) const TEMPERATURE: Rule<f32> = Rule {
    kind: Kind::Number,
    expected: "a number from 0 to 2",
    parse: |text| text.parse().ok().filter(|t| (0.0..=2.0).contains(t)),
};

/// The limits of a model, as its settings have them.
#[derive(Clone, Copy, Debug)]
pub(in crate::providers) struct Limits {
    /// The highest temperature of a reply.
    pub(in crate::providers) temperature_max: f32,
    /// From a reply's request to its first word.
    pub(in crate::providers) first_token_limit: Duration,
    /// Between two pieces of a reply.
    pub(in crate::providers) stall_limit: Duration,
    /// A whole reply.
    pub(in crate::providers) reply_limit: Duration,
    /// A judgement.
    pub(in crate::providers) judge_limit: Duration,
    /// A document.
    pub(in crate::providers) document_limit: Duration,
    /// Tokens of an answer.
    pub(in crate::providers) answer_tokens_max: u32,
    /// Tokens of a document.
    pub(in crate::providers) document_tokens_max: u32,
    /// Tokens of an interview.
    pub(in crate::providers) tokens_max: u64,
}

/// Declares the settings of a vendor's models: its own, and after them the limits that all of them have.
macro_rules! model_settings {
    ($(#[doc = $of:literal])+ pub struct $name:ident { $($own:tt)* }) => {
        $crate::settings::settings! {
            $(#[doc = $of])+
            pub struct $name {
                $($own)*
                /// Replies are never worded more freely; they begin at 0.7.
                temperature_max: f32 = 1.0, $crate::providers::llm_server::limits::TEMPERATURE;
                /// From a reply's request to its first word, one retry included.
                first_token_limit: std::time::Duration = "4s", $crate::settings::rules::DURATION;
                /// Between two pieces of a reply.
                stall_limit: std::time::Duration = "5s", $crate::settings::rules::DURATION;
                /// A whole reply.
                reply_limit: std::time::Duration = "30s", $crate::settings::rules::DURATION;
                /// A judgement of an answer, which nobody waits for.
                judge_limit: std::time::Duration = "20s", $crate::settings::rules::DURATION;
                /// A whole document, such as a plan or a summary, which somebody waits for at a page.
                document_limit: std::time::Duration = "60s", $crate::settings::rules::DURATION;
                /// Tokens that the model may say at once.
                answer_tokens_max: u32 = 600, $crate::providers::llm_server::limits::count::<u32>();
                /// The same for a whole document.
                document_tokens_max: u32 = 6000, $crate::providers::llm_server::limits::count::<u32>();
                /// Tokens of one interview, in and out: from there on its templates speak.
                tokens_max: u64 = 1000000, $crate::providers::llm_server::limits::count::<u64>();
            }
        }

        impl $name {
            /// Returns the limits of the model.
            fn limits(&self) -> $crate::providers::llm_server::limits::Limits {
                $crate::providers::llm_server::limits::Limits {
                    temperature_max: self.temperature_max,
                    first_token_limit: self.first_token_limit,
                    stall_limit: self.stall_limit,
                    reply_limit: self.reply_limit,
                    judge_limit: self.judge_limit,
                    document_limit: self.document_limit,
                    answer_tokens_max: self.answer_tokens_max,
                    document_tokens_max: self.document_tokens_max,
                    tokens_max: self.tokens_max,
                }
            }
        }
    };
}
pub(in crate::providers) use model_settings;
