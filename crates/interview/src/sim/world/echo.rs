//! What a simulated recogniser keeps: echoes on their way, and the numbers of segments.

use std::{collections::BTreeMap, time::Duration};

use crate::time::SessionTime;

/// A segment of ours on its way back.
pub(super) struct Echo {
    /// By which it is known as long as it sounds.
    pub(super) token: u64,
    /// The recogniser's number for it; 0 before its voice is noticed.
    pub(super) segment: u32,
    /// When it began to sound, and how late it comes back.
    pub(super) since: SessionTime,
    pub(super) delay: Duration,
    pub(super) words: Vec<String>,
    /// How many of them were told.
    pub(super) told: usize,
}

/// The recogniser's numbers for segments, where others than the candidate's come between.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    pub(super) of_phrases: BTreeMap<u32, u32>,
    pub(super) last: u32,
}

impl Numbers {
    pub(super) fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }
}
