//! Accommodations: what is made different for a candidate who needs it (C01).

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What is made different for a candidate who needs it: as whoever invited them set it, or as they chose.
/// Nobody who decides about them is shown it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Accommodations {
    /// How long they may pause; the interviewer obeys it from the first question on.
    pub pauses: Pauses,
    /// Whether captions of both sides are shown from the start.
    pub captions: bool,
    /// Whether they type instead of speaking from the start.
    pub types: bool,
}

impl Accommodations {
    /// How long they may pause: who types has to read and to write, and is waited for the longest.
    pub fn patience(&self) -> Pauses {
        if self.types { Pauses::MuchLonger } else { self.pauses }
    }

    /// Whether nothing is different.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// How long a candidate may pause, against the usual. Who stutters, looks for words or speaks a second
/// language chooses more of it, and nobody who decides about them is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pauses {
    /// As the blueprint says.
    #[default]
    Usual,
    /// Twice as long.
    Longer,
    /// Four times as long.
    MuchLonger,
}

impl Pauses {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Usual, Self::Longer, Self::MuchLonger];

    /// How long a wait is that is `usual` for others.
    pub fn stretch(self, usual: Duration) -> Duration {
        let times = match self {
            Self::Usual => 1,
            Self::Longer => 2,
            Self::MuchLonger => 4,
        };
        usual.saturating_mul(times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C01: each choice waits longer than the one before it, and the usual one as long as before.
    #[test]
    fn waits_grow() {
        let usual = Duration::from_millis(1_500);
        let waits = Pauses::ALL.map(|pauses| pauses.stretch(usual));
        assert_eq!(waits[0], usual);
        assert!(waits.is_sorted_by(|one, next| one < next), "{waits:?}");
        assert_eq!(Pauses::MuchLonger.stretch(Duration::MAX), Duration::MAX);
    }

    /// C01: who types is waited for the longest, whatever else was chosen.
    #[test]
    fn who_types_is_waited_for() {
        for pauses in Pauses::ALL {
            let spoken = Accommodations { pauses, ..Accommodations::default() };
            assert_eq!(spoken.patience(), pauses);
            assert_eq!(Accommodations { types: true, ..spoken }.patience(), Pauses::MuchLonger);
        }
    }
}
