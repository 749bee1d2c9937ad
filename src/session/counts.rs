//! What Prometheus counts of interviews, from their journal's entries as they are made. `docs/metrics.md`
//! lists all.

use crate::{
    interview::Interview,
    journal::{Entry, Happening, Observer},
};

/// Counts one interview.
#[derive(Default)]
pub(super) struct Counts {
    observer: Observer,
    /// The last reply of ours of which something was heard.
    spoke: Option<u32>,
}

impl Counts {
    /// Of an interview whose journal has these entries already. They were counted when they were written.
    pub(super) fn new(interview: Interview, before: &[Entry]) -> Self {
        let mut counts = Self { observer: Observer::new(Some(interview)), spoke: None };
        for happened in before.iter().flat_map(|entry| counts.observer.see(entry)) {
            if let Happening::Spoken { reply, .. } = happened.what {
                counts.spoke = Some(reply);
            }
        }
        counts
    }

    /// Counts what the next entry means.
    pub(super) fn take(&mut self, entry: &Entry) {
        for happened in self.observer.see(entry) {
            if let Happening::Spoken { reply, nudge, .. } = happened.what
                && self.spoke.replace(reply) != Some(reply)
            {
                turn("interviewer");
                metrics::counter!("vivavoce_nudges_total").increment(nudge.into());
            }
            count(happened.what);
        }
    }
}

fn count(what: Happening) {
    match what {
        Happening::Handoff { why, forced, .. } => {
            let forced = if forced { "true" } else { "false" };
            metrics::counter!("vivavoce_handoffs_total", "why" => why, "forced" => forced)
                .increment(1);
        }
        Happening::QuestionAsked { stage, .. } => {
            metrics::counter!("vivavoce_questions_total", "stage" => stage).increment(1);
        }
        Happening::UserTurn {
            amended: false,
            response_ms,
            end_of_turn_ms,
            first_clause_ms,
            ..
        } => {
            turn("candidate");
            if let Some(ms) = response_ms {
                metrics::histogram!("vivavoce_response_seconds").record(seconds(ms));
            }
            hop("end_of_turn", Some(0), end_of_turn_ms);
            hop("first_clause", end_of_turn_ms, first_clause_ms);
            hop("first_sound", first_clause_ms, response_ms);
        }
        Happening::BargeIn { .. } => metrics::counter!("vivavoce_barge_ins_total").increment(1),
        Happening::ReplyFailed { .. } => {
            metrics::counter!("vivavoce_replies_failed_total").increment(1);
        }
        Happening::ToolInvoked { accepted, .. } => {
            let verdict = if accepted { "accepted" } else { "refused" };
            metrics::counter!("vivavoce_tool_calls_total", "verdict" => verdict).increment(1);
        }
        Happening::Fallback { why } => {
            metrics::counter!("vivavoce_fallbacks_total", "why" => why).increment(1);
        }
        Happening::StageLeft { .. }
        | Happening::StageEntered { .. }
        | Happening::PromptIssued { .. }
        | Happening::Spoken { .. }
        | Happening::UserTurn { amended: true, .. }
        | Happening::AnswerAssessed { .. }
        | Happening::TimerFired { .. }
        | Happening::Control { .. }
        | Happening::Noted { .. }
        | Happening::Presence { .. } => {}
        Happening::Ended { end } => {
            metrics::counter!("vivavoce_interviews_total", "end" => crate::journal::name(&end))
                .increment(1);
        }
    }
}

/// How long a turn took from one hop to the next.
fn hop(name: &'static str, from: Option<u64>, to: Option<u64>) {
    if let (Some(from), Some(to)) = (from, to) {
        let took = seconds(to.saturating_sub(from));
        metrics::histogram!("vivavoce_response_hop_seconds", "hop" => name).record(took);
    }
}

fn seconds(ms: u64) -> f64 {
    std::time::Duration::from_millis(ms).as_secs_f64()
}

fn turn(speaker: &'static str) {
    metrics::counter!("vivavoce_turns_total", "speaker" => speaker).increment(1);
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;
    use crate::{
        interview::{Effect, End, Epoch, Event, Notice, Reason, ReplyId, Say, TurnId},
        time::SessionTime,
    };

    /// W10: handoffs by reason and force, turns, response times and ends are counted as they
    /// are journalled.
    #[test]
    fn entries_are_counted() {
        let at = SessionTime::from_millis;
        let reply = ReplyId(1);
        let (from, to) = ("greeting".to_owned(), "self-intro".to_owned());
        let turn = Notice::Turn { turn: TurnId(1), stage: from.clone(), text: "yes".into() };
        let handoff = Effect::Handoff { from, to, epoch: Epoch(1), why: Reason::StageLimit };
        let second = ReplyId(2);
        let say = Say::Text("Go on?".into());
        let ordered = Effect::Speak { reply: second, epoch: Epoch(0), say, interruptible: true };
        let facts = [
            (1_000, Event::SegmentReady { reply, n: 0, text: "Ready?".into() }, vec![]),
            (1_000, Event::SegmentHeard { reply, n: 0 }, vec![]),
            (1_700, Event::SpeechStopped { at: at(1_500) }, vec![]),
            (1_800, Event::Tick, vec![ordered]),
            (1_900, Event::SegmentReady { reply: second, n: 0, text: "Go on?".into() }, vec![]),
            (2_000, Event::ReplyStarted { reply: second }, vec![Effect::Publish(turn), handoff]),
            (2_000, Event::ReplyFailed { reply, why: "it broke".into() }, vec![]),
            (2_000, Event::Tick, vec![Effect::Hangup { end: End::Completed }]),
        ];
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            let mut counts = Counts::default();
            for (n, (ms, event, effects)) in facts.into_iter().enumerate() {
                let at = at(ms);
                counts.take(&Entry { n: n as u64 + 1, at, heard: at, event, effects });
            }
        });
        let text = recorder.handle().render();
        for expected in [
            "vivavoce_handoffs_total{why=\"stage_limit\",forced=\"true\"} 1",
            "vivavoce_turns_total{speaker=\"candidate\"} 1",
            "vivavoce_turns_total{speaker=\"interviewer\"} 1",
            "vivavoce_response_seconds_sum 0.5",
            "vivavoce_response_hop_seconds_sum{hop=\"end_of_turn\"} 0.3",
            "vivavoce_response_hop_seconds_sum{hop=\"first_clause\"} 0.1",
            "vivavoce_replies_failed_total 1",
            "vivavoce_interviews_total{end=\"completed\"} 1",
        ] {
            assert!(text.contains(expected), "{expected}\nnot in\n{text}");
        }
    }
}
