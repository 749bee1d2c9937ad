//! The latency sheet of an interview: how long replies took, in parts that sum to the whole, each with the
//! settings that cause it (P04).

use serde::Serialize;
use utoipa::ToSchema;

use crate::assess::TurnLatency;

/// How long replies took, from the candidate's last voice to our first sound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct LatencySheet {
    /// Replies whose parts are known.
    replies: usize,
    /// Half of the replies took no longer, in milliseconds. 0 where there are none.
    half_ms: u64,
    /// Nine of ten took no longer.
    most_ms: u64,
    /// The parts of these two replies: each column sums to its total.
    parts: Vec<LatencyPart>,
}

/// A part of the response time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
struct LatencyPart {
    part: LatencyStep,
    /// In the reply that half of them are no slower than.
    half_ms: u64,
    /// In the reply that nine of ten are no slower than.
    most_ms: u64,
    /// The settings that cause it; `agent:` before those of a blueprint's agent.
    settings: Vec<String>,
}

/// What takes time, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum LatencyStep {
    /// The silence until it is decided that the candidate has finished, and the last words of the recogniser.
    EndOfTurn,
    /// The reply's first words.
    FirstWords,
    /// The voice's first sound, and its way into the room.
    FirstSound,
}

const STEPS: [(LatencyStep, &[&str]); 3] = [
    (
        LatencyStep::EndOfTurn,
        &["agent:endpointing", "speech.turn_detector", "speech.vad", "speech.stt"],
    ),
    (LatencyStep::FirstWords, &["speech.llm", "speech.speculates"]),
    (LatencyStep::FirstSound, &["speech.tts", "speech.speculates"]),
];

/// The sheet of these replies.
pub(super) fn sheet(latency: &[TurnLatency]) -> LatencySheet {
    let mut replies: Vec<_> = latency.iter().filter_map(parts).collect();
    replies.sort_by_key(|parts| parts.iter().sum::<u64>());
    let (Some(half), Some(most)) = (at(&replies, 50), at(&replies, 90)) else {
        return LatencySheet::default();
    };
    let part = |(n, (part, settings)): (usize, (LatencyStep, &[&str]))| LatencyPart {
        part,
        half_ms: half[n],
        most_ms: most[n],
        settings: settings.iter().map(|setting| (*setting).to_owned()).collect(),
    };
    LatencySheet {
        replies: replies.len(),
        half_ms: half.iter().sum(),
        most_ms: most.iter().sum(),
        parts: STEPS.into_iter().enumerate().map(part).collect(),
    }
}

/// The parts of a reply, whose sum is its response time; what was ready before its turn had ended took none.
fn parts(reply: &TurnLatency) -> Option<[u64; 3]> {
    let total = reply.response_ms;
    let decided = reply.end_of_turn_ms?.min(total);
    let worded = reply.first_clause_ms.unwrap_or(decided).clamp(decided, total);
    Some([decided, worded - decided, total - worded])
}

/// The first reply that so many percent are no slower than.
fn at(replies: &[[u64; 3]], percent: usize) -> Option<[u64; 3]> {
    let rank = (replies.len() * percent).div_ceil(100);
    replies.get(rank.checked_sub(1)?).copied()
}

impl LatencySheet {
    /// A line for each part.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |part: &LatencyPart| {
            let what = match part.part {
                LatencyStep::EndOfTurn => "end of turn decided",
                LatencyStep::FirstWords => "first words",
                LatencyStep::FirstSound => "first sound",
            };
            let settings = part.settings.join(", ");
            format!("{what}: {} ms, {} ms ({settings})", part.half_ms, part.most_ms)
        };
        let sum = format!(
            "in all: {} ms in half of {} replies, {} ms in nine of ten",
            self.half_ms, self.replies, self.most_ms
        );
        let has_any = self.replies > 0;
        self.parts.iter().map(line).chain(has_any.then_some(sum)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(end: Option<u64>, words: Option<u64>, response_ms: u64) -> TurnLatency {
        TurnLatency { turn: 1, end_of_turn_ms: end, first_clause_ms: words, response_ms }
    }

    /// P04: parts sum to the total, also where words were there before the turn had ended, or nobody knows
    /// when; a reply without a known end of turn has no parts.
    #[test]
    fn parts_sum_to_the_total() {
        for (latency, expected) in [
            (reply(Some(400), Some(700), 900), Some([400, 300, 200])),
            (reply(Some(400), Some(100), 900), Some([400, 0, 500])),
            (reply(Some(400), None, 900), Some([400, 0, 500])),
            (reply(Some(950), Some(990), 900), Some([900, 0, 0])),
            (reply(None, Some(100), 900), None),
        ] {
            assert_eq!(parts(&latency), expected, "{latency:?}");
        }
        let replies: Vec<_> =
            (1..=10).map(|n| reply(Some(100), Some(200), 100 * (n + 2))).collect();
        let sheet = sheet(&replies);
        assert_eq!((sheet.replies, sheet.half_ms, sheet.most_ms), (10, 700, 1_100));
        let sum = |column: fn(&LatencyPart) -> u64| sheet.parts.iter().map(column).sum::<u64>();
        assert_eq!(sum(|part| part.half_ms), sheet.half_ms);
        assert_eq!(sum(|part| part.most_ms), sheet.most_ms);
        assert!(sheet.parts.iter().all(|part| !part.settings.is_empty()));
        assert_eq!(super::sheet(&[]), LatencySheet::default());
    }
}
