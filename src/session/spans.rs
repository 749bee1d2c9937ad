//! What each hop of our answers took, as spans, from the journal's entries as they are made and from when
//! the model was asked. Only where they are exported; `docs/metrics.md` lists them.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{StreamExt, future::BoxFuture, stream::BoxStream};

use crate::{
    clock::Clock,
    interview::{Effect, Event},
    journal::{self, Entry, Happening, Header, Observer},
    providers::{
        Llm, Piece, ProviderError,
        interviewer::{Interviewer, JudgeTask, TalkTask},
    },
    telemetry::{Hop, InterviewTrace, TurnTrace},
    time::SessionTime,
};

/// Calls of the model that are remembered.
const CALLS_MAX: usize = 16;

/// The spans of one interview.
pub(super) struct Spans {
    /// None once the interview has ended.
    trace: Option<InterviewTrace>,
    turns: Turns,
}

impl Spans {
    /// Of an interview whose journal has these entries already, of which nothing is told again; nothing
    /// if none are exported.
    pub(super) fn begin(header: &Header, before: &[Entry]) -> Option<Self> {
        let trace = InterviewTrace::begin(&header.interview, header.started_at)?;
        let mut turns = Turns::default();
        before.iter().for_each(|entry| drop(turns.take(entry)));
        Some(Self { trace: Some(trace), turns })
    }

    /// The same model, whose calls are noted here.
    pub(super) fn noting(&self, llm: Arc<dyn Interviewer>, clock: Clock) -> Arc<dyn Interviewer> {
        Arc::new(Noted { llm, calls: self.turns.calls.clone(), clock })
    }

    /// Takes the next entry.
    pub(super) fn take(&mut self, entry: &Entry) {
        let Some(trace) = &self.trace else { return };
        self.turns.take(entry).iter().for_each(|turn| trace.turn(turn));
        for effect in &entry.effects {
            let Effect::Hangup { end } = effect else { continue };
            if let Some(trace) = self.trace.take() {
                self.turns.rest(entry.at).iter().for_each(|turn| trace.turn(turn));
                trace.end(entry.at, journal::name(end));
            }
        }
    }
}

/// Reads entry after entry, and says what is known of a turn when our answer to it was heard.
#[derive(Default)]
struct Turns {
    calls: Calls,
    observer: Observer,
    /// When each reply was ordered and had its first words, and whether a model words it.
    ordered: BTreeMap<u32, SessionTime>,
    worded: BTreeMap<u32, SessionTime>,
    modelled: BTreeSet<u32>,
    /// Turns whose answers are being heard, by reply.
    sounding: BTreeMap<u32, (TurnTrace, SessionTime)>,
}

impl Turns {
    fn take(&mut self, entry: &Entry) -> Option<TurnTrace> {
        if let Event::SegmentReady { reply, .. } = entry.event {
            self.worded.entry(reply.0).or_insert(entry.at);
        }
        for happened in self.observer.see(entry) {
            if let Happening::PromptIssued { reply, what } = &happened.what {
                self.ordered.insert(*reply, entry.at);
                if what != "text" {
                    self.modelled.insert(*reply);
                }
            }
            if let Happening::UserTurn { turn, stage, response_ms: Some(ms), .. } = happened.what
                && let Event::ReplyStarted { reply } = entry.event
            {
                let turn = self.answered(turn, stage, reply.0, entry.at, ms);
                self.sounding.insert(reply.0, (turn, entry.at));
            }
        }
        for effect in &entry.effects {
            if let Effect::Hush { reply } = effect
                && let Some((turn, _)) = self.sounding.get_mut(&reply.0)
            {
                turn.cut = true;
            }
        }
        let Event::ReplyFinished { reply, .. } = entry.event else { return None };
        let (mut turn, sounded) = self.sounding.remove(&reply.0)?;
        turn.hops.push(Hop { name: "heard", from: sounded, to: entry.at });
        // Replies have their order: what was ordered before this one is over, too.
        self.ordered.retain(|known, _| *known > reply.0);
        self.worded.retain(|known, _| *known > reply.0);
        self.modelled.retain(|known| *known > reply.0);
        Some(turn)
    }

    /// The end of the interview cuts off what is being heard.
    fn rest(&mut self, at: SessionTime) -> Vec<TurnTrace> {
        let cut = |(mut turn, sounded): (TurnTrace, SessionTime)| {
            turn.hops.push(Hop { name: "heard", from: sounded, to: at });
            TurnTrace { cut: true, ..turn }
        };
        std::mem::take(&mut self.sounding).into_values().map(cut).collect()
    }

    /// A turn that was committed by the first sound of a reply.
    fn answered(
        &self,
        turn: u32,
        stage: String,
        reply: u32,
        sounded: SessionTime,
        response_ms: u64,
    ) -> TurnTrace {
        let waited = Duration::from_millis(response_ms).as_micros() as u64;
        let quiet = SessionTime::from_micros(sounded.as_micros().saturating_sub(waited));
        let ordered = self.ordered.get(&reply).copied().unwrap_or(quiet).max(quiet);
        let worded = self.worded.get(&reply).copied().unwrap_or(sounded).max(ordered);
        let call =
            self.modelled.contains(&reply).then(|| self.calls.behind(quiet, worded)).flatten();
        let mut hops = vec![Hop { name: "end_of_turn", from: quiet, to: ordered }];
        let mut ahead = false;
        let mut thought = ordered;
        if let Some((asked, told)) = call {
            ahead = asked < ordered;
            if !ahead {
                hops.push(Hop { name: "request", from: ordered, to: asked });
            }
            hops.push(Hop { name: "first_token", from: asked, to: told });
            thought = told;
        }
        hops.push(Hop { name: "first_clause", from: thought, to: worded });
        hops.push(Hop { name: "first_sound", from: worded, to: sounded });
        TurnTrace { turn, stage, ahead, cut: false, hops }
    }
}

/// When the model was asked, and when it first said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Call {
    asked: SessionTime,
    told: Option<SessionTime>,
}

/// The latest calls of one interview's model, oldest first.
#[derive(Clone, Debug, Default)]
struct Calls(Arc<Mutex<VecDeque<Call>>>);

impl Calls {
    fn asked(&self, asked: SessionTime) {
        let mut calls = self.lock();
        if calls.len() == CALLS_MAX {
            calls.pop_front();
        }
        calls.push_back(Call { asked, told: None });
    }

    fn told(&self, asked: SessionTime, told: SessionTime) {
        let mut calls = self.lock();
        if let Some(call) = calls.iter_mut().rfind(|call| call.asked == asked) {
            call.told.get_or_insert(told);
        }
    }

    /// The call that a reply's first words came from, to a turn that had its last voice at `quiet`: the
    /// last one that had said something by then.
    fn behind(
        &self,
        quiet: SessionTime,
        worded: SessionTime,
    ) -> Option<(SessionTime, SessionTime)> {
        let calls = self.lock();
        calls.iter().rev().take_while(|call| call.asked >= quiet).find_map(|call| {
            let told = call.told.filter(|told| *told <= worded)?;
            Some((call.asked, told))
        })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Call>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A model whose calls are noted.
struct Noted {
    llm: Arc<dyn Interviewer>,
    calls: Calls,
    clock: Clock,
}

impl Interviewer for Noted {
    fn talk(&self, task: TalkTask) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let (calls, clock, asked) = (self.calls.clone(), self.clock, self.clock.now());
        calls.asked(asked);
        let mut is_first = true;
        let noted = move |_: &Result<Piece, ProviderError>| {
            if std::mem::take(&mut is_first) {
                calls.told(asked, clock.now());
            }
        };
        self.llm.talk(task).inspect(noted).boxed()
    }

    fn judge(&self, task: JudgeTask) -> BoxFuture<'static, Result<String, ProviderError>> {
        self.llm.judge(task)
    }

    fn model(&self) -> Option<&dyn Llm> {
        self.llm.model()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::{Care, Epoch, Notice, ReplyId, Say, Task, TurnId};

    fn at(ms: u64) -> SessionTime {
        SessionTime::from_millis(ms)
    }

    /// One answered turn, whose last voice was at 1.5 s: its hops.
    fn hops(say: Say, calls: &[(u64, Option<u64>)]) -> (Vec<(&'static str, u64, u64)>, bool, bool) {
        let reply = ReplyId(2);
        let notice =
            Notice::Turn { turn: TurnId(1), stage: "intro".into(), text: "I was ill".into() };
        let ordered = Effect::Speak { reply, epoch: Epoch(0), say, interruptible: true };
        let facts = [
            (1_700, Event::SpeechStopped { at: at(1_500) }, vec![]),
            (1_900, Event::Tick, vec![ordered]),
            (2_400, Event::SegmentReady { reply, n: 0, text: "Go on?".into() }, vec![]),
            (2_500, Event::SegmentReady { reply, n: 1, text: "Yes?".into() }, vec![]),
            (2_600, Event::ReplyStarted { reply }, vec![Effect::Publish(notice)]),
            (3_000, Event::SpeechStarted { at: at(2_900) }, vec![Effect::Hush { reply }]),
            (3_001, Event::ReplyFinished { reply, heard: "Go".into() }, vec![]),
        ];
        let mut turns = Turns::default();
        for (asked, told) in calls {
            turns.calls.asked(at(*asked));
            told.iter().for_each(|told| turns.calls.told(at(*asked), at(*told)));
        }
        let entries = facts.into_iter().enumerate().map(|(n, (ms, event, effects))| Entry {
            n: n as u64 + 1,
            at: at(ms),
            heard: at(ms),
            event,
            effects,
        });
        let told: Vec<_> = entries.filter_map(|entry| turns.take(&entry)).collect();
        let [turn] = told.as_slice() else { panic!("one turn, not {told:?}") };
        assert_eq!((turn.turn, turn.stage.as_str()), (1, "intro"));
        assert!(!format!("{turn:?}").contains("ill"), "what was said is in no span");
        let hop = |hop: &Hop| (hop.name, hop.from.as_millis(), hop.to.as_millis());
        (turn.hops.iter().map(hop).collect(), turn.ahead, turn.cut)
    }

    fn model() -> Say {
        Say::Model { task: Task::Follow, care: Care::Usual }
    }

    /// Each hop ends where the next one begins, from the last voice to what was heard.
    #[test]
    fn hops_join() {
        let (hops, ahead, cut) = hops(model(), &[(500, Some(600)), (1_910, Some(2_200))]);
        let expected = [
            ("end_of_turn", 1_500, 1_900),
            ("request", 1_900, 1_910),
            ("first_token", 1_910, 2_200),
            ("first_clause", 2_200, 2_400),
            ("first_sound", 2_400, 2_600),
            ("heard", 2_600, 3_001),
        ];
        assert_eq!(hops, expected);
        assert_eq!((ahead, cut), (false, true));
    }

    /// A model that was asked ahead was asked before the end of the turn; one that has said nothing by
    /// then, or was asked for another turn, is not the one that the words came from; words from a file
    /// come from none.
    #[test]
    fn the_call_behind_a_reply_is_found() {
        let ahead = hops(model(), &[(1_600, Some(1_800)), (2_350, None), (2_380, Some(2_450))]);
        assert_eq!(ahead.0[1..3], [("first_token", 1_600, 1_800), ("first_clause", 1_800, 2_400)]);
        assert!(ahead.1);
        for (say, calls) in [
            (model(), vec![(1_400, Some(1_450))]),
            (Say::Text("Go on?".into()), vec![(1_600, Some(1_800))]),
        ] {
            let (hops, ahead, _) = hops(say, &calls);
            assert_eq!(hops[1], ("first_clause", 1_900, 2_400));
            assert!(!ahead);
        }
    }
}
