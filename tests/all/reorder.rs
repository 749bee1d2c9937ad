//! Packets in order, against a model that is too plain to be wrong: a list, searched from its beginning each
//! time.

use std::time::Duration;

use proptest::prelude::*;
use vivavoce::time::SessionTime;
use voiceroom::reorder::{InOrder, Reorder};

/// A missing packet is waited for until four others wait, or one of them has waited so long.
const WAITING_MAX: usize = 4;
const WAIT_LIMIT: Duration = Duration::from_millis(60);

/// What a network does to the packet of one instant.
#[derive(Clone, Debug)]
struct Arrival {
    /// After the one before.
    later: Duration,
    /// How many packets that were sent meanwhile never came.
    lost: u64,
    /// How many places it comes late.
    behind: u64,
    /// Whether it comes again.
    twice: bool,
    /// Any number at all, as an attacker would send it.
    wild: Option<u64>,
}

fn arrival() -> impl Strategy<Value = Arrival> {
    let later = prop_oneof![5 => 15_u64..25, 2 => 0_u64..2, 1 => 25_u64..200];
    let lost = prop_oneof![8 => Just(0_u64), 1 => 1_u64..4, 1 => 4_u64..60];
    let behind = prop_oneof![6 => Just(0_u64), 2 => 1_u64..4, 1 => 4_u64..12];
    let wild = prop::option::weighted(0.02, 0..u64::MAX);
    (later, lost, behind, prop::bool::weighted(0.1), wild).prop_map(
        |(later, lost, behind, twice, wild)| Arrival {
            later: Duration::from_millis(later),
            lost,
            behind,
            twice,
            wild,
        },
    )
}

/// All packets that wait, in the order in which they came.
#[derive(Default)]
struct Plain {
    waiting: Vec<(SessionTime, u64)>,
    next: Option<u64>,
}

impl Plain {
    fn push(&mut self, at: SessionTime, sequence: u64) {
        let is_late = self.next.is_some_and(|next| sequence < next);
        if !is_late && self.waiting.iter().all(|(_, known)| *known != sequence) {
            self.waiting.push((at, sequence));
        }
    }

    fn pop(&mut self, at: SessionTime) -> Option<InOrder<u64>> {
        let sequence = self.waiting.iter().map(|(_, sequence)| *sequence).min()?;
        let expected = self.next.unwrap_or(sequence);
        let is_full = self.waiting.len() > WAITING_MAX;
        let has_waited = self.waiting.iter().any(|(came, _)| at.since(*came) >= WAIT_LIMIT);
        if sequence != expected && !is_full && !has_waited {
            return None;
        }
        self.waiting.retain(|(_, known)| *known != sequence);
        self.next = Some(sequence.saturating_add(1));
        Some(InOrder { packet: sequence, lost: sequence - expected })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// R08: however packets come, they go on in order and once, each as soon as the plain model says; no
    /// packet that came waits for longer than the limit, and what is lost is counted.
    #[test]
    fn packets_go_on_as_the_plain_model_says(arrivals in prop::collection::vec(arrival(), 1..120)) {
        let (mut reorder, mut plain) = (Reorder::default(), Plain::default());
        let (mut now, mut sent) = (SessionTime::from_millis(1_000), 65_000_u64);
        let (mut came, mut out): (Vec<(SessionTime, u64)>, Vec<u64>) = (Vec::new(), Vec::new());
        let mut first = None;
        let mut lost = 0;
        let mut take = |reorder: &mut Reorder<SessionTime, u64>, plain: &mut Plain, now, out: &mut Vec<u64>| {
            loop {
                let got = reorder.pop(now);
                assert_eq!(got, plain.pop(now), "at {now}");
                let Some(got) = got else { break };
                assert!(out.last().is_none_or(|last| *last < got.packet), "{} again", got.packet);
                lost += got.lost;
                first.get_or_insert(got.packet);
                out.push(got.packet);
            }
        };
        for Arrival { later, lost, behind, twice, wild } in arrivals {
            let until = now + later;
            while let Some(due) = reorder.deadline().filter(|due| *due <= until) {
                now = now.max(due);
                take(&mut reorder, &mut plain, now, &mut out);
            }
            now = until;
            sent += lost + 1;
            let sequence = wild.unwrap_or(sent - behind);
            for _ in 0..=usize::from(twice) {
                reorder.push(now, sequence, sequence);
                plain.push(now, sequence);
            }
            came.push((now, sequence));
            take(&mut reorder, &mut plain, now, &mut out);
            let oldest = plain.waiting.iter().map(|(came, _)| *came).min();
            prop_assert!(oldest.is_none_or(|oldest| now.since(oldest) < WAIT_LIMIT));
            prop_assert!(plain.waiting.len() <= WAITING_MAX);
        }
        while let Some(due) = reorder.deadline() {
            take(&mut reorder, &mut plain, due, &mut out);
        }
        // Nothing stays behind, and every number from the first to the last went on or is counted.
        prop_assert!(plain.waiting.is_empty());
        let last = *out.last().unwrap();
        prop_assert_eq!(out.len() as u64 + lost, (last - first.unwrap()).saturating_add(1));
        prop_assert!(out.iter().all(|sequence| came.iter().any(|(_, c)| c == sequence)));
    }
}
