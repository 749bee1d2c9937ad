//! Tool calls and reports that come late, one event at a time.

use interview::{
    Effect, Epoch, Event, Interview, Proposal, Refusal, ReplyId, Say, Verdict,
    blueprint::{Blueprint, Context},
    time::SessionTime,
};

/// An interview of two stages of questions, and everything it has ordered.
struct Bench {
    interview: Interview,
    now: SessionTime,
    ordered: Vec<Effect>,
}

impl Bench {
    fn new() -> Self {
        let head = "title = \"X\"\ninterviewer = \"Alba\"\nstages = [\"one\", \"two\"]\n";
        let stage = "+++\ntitle = \"Stage\"\nkind = \"questions\"\nquestions_max = 2\nstage_limit = \"5m\"\n\
            silence_limit = \"30s\"\nbridge = \"Let us move on.\"\nnudges = [\"Take your \
            time.\", \"What comes to mind?\"]\n\
            questions = [\"What do you do?\", \"Why?\"]\n+++\n\nAsk.\n";
        let texts = [("blueprint.toml", head), ("one.md", stage), ("two.md", stage)];
        let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let interview = Interview::new(&Blueprint::load(&texts).unwrap(), &Context::default());
        Self { interview, now: SessionTime::ZERO, ordered: Vec::new() }
    }

    /// Tells what happens `ms` later.
    fn after(&mut self, ms: u64, event: Event) -> &[Effect] {
        self.now = SessionTime::from_millis(self.now.as_millis() + ms);
        let before = self.ordered.len();
        self.ordered.extend(self.interview.handle(self.now, self.now, event));
        &self.ordered[before..]
    }

    /// Calls `wait_more` in a reply, and gives the verdict.
    fn call(&mut self, call: u32, reply: ReplyId) -> Verdict {
        let proposal = Proposal::WaitMore;
        let (call, epoch) = (interview::CallId(call), Epoch(0));
        let told = self.after(10, Event::Proposed { reply, epoch, call, proposal });
        let verdict = told.iter().find_map(|effect| match effect {
            Effect::Answer { verdict, .. } => Some(verdict.clone()),
            _ => None,
        });
        verdict.expect("each call gets a verdict")
    }

    /// The last reply that was ordered, and whether the model words it.
    fn last_reply(&self) -> (ReplyId, bool) {
        let last = self.ordered.iter().rev().find_map(|effect| match effect {
            Effect::Speak { reply, say, .. } => Some((*reply, matches!(say, Say::Model { .. }))),
            _ => None,
        });
        last.expect("a reply was ordered")
    }
}

/// H08: a call of a reply that has failed and was replaced is stale: only a reply that a call of its own led
/// away from may call once more.
#[test]
fn a_failed_reply_calls_in_vain() {
    let mut bench = Bench::new();
    bench.after(100, Event::CandidateJoined);
    let (failed, is_models) = bench.last_reply();
    assert!(is_models, "the model opens a stage of questions");
    bench.after(500, Event::ReplyFailed { reply: failed, why: "no answer".into() });
    let (instead, is_models) = bench.last_reply();
    assert!(instead != failed && !is_models, "the file speaks instead");
    assert_eq!(bench.call(1, failed), Verdict::Refused(Refusal::Stale));
}

/// T02: the interview says which reply is a rung of the silence ladder, for those who count nudges.
#[test]
fn a_nudge_is_known_as_one() {
    let mut bench = Bench::new();
    bench.after(100, Event::CandidateJoined);
    let (opening, _) = bench.last_reply();
    assert_eq!(bench.interview.nudge(), None);
    let text = "What do you do?".to_owned();
    bench.after(100, Event::SegmentReady { reply: opening, n: 0, text });
    bench.after(100, Event::ReplyStarted { reply: opening });
    bench.after(900, Event::SegmentHeard { reply: opening, n: 0 });
    bench.after(0, Event::ReplyFinished { reply: opening, heard: String::new() });
    let (due, _) = bench.interview.deadline().expect("silence has a deadline");
    let wait = due.as_millis() - bench.now.as_millis();
    bench.after(wait + 300, Event::Tick);
    let (nudge, is_models) = bench.last_reply();
    assert!(nudge != opening && !is_models);
    assert_eq!(bench.interview.nudge(), Some(nudge));
}
