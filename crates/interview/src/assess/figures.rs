//! Figures of a report. Each is counted here and nowhere else: pages and files show them as they are.

use super::report::{
    Answered, Figures, Question, QuestionFigures, ReplyFigures, Report, SlowReply, TurnLatency,
};
use crate::{interview::End, journal::Outcome};

/// From so many replies on, "95 of 100" says something.
const SHARES_FROM_REPLIES: usize = 20;
/// A bar is as long as so many usual replies, at most: a reply that took longer fills it.
const BAR_USUALS_MAX: u64 = 3;

/// What became of these questions, in figures.
pub(crate) fn questions(of: &[Question]) -> QuestionFigures {
    let count = |is: &dyn Fn(&Question) -> bool| whole(of.iter().filter(|it| is(it)).count());
    QuestionFigures {
        of: whole(of.len()),
        asked: count(&|it| it.asked),
        answered: count(&|it| it.asked && it.answered == Answered::Answered),
        partly: count(&|it| it.asked && it.answered == Answered::Partly),
    }
}

/// How long replies took, in figures.
pub(crate) fn replies(of: &[TurnLatency]) -> ReplyFigures {
    let mut all: Vec<u64> = of.iter().map(|reply| reply.response_ms).collect();
    all.sort_unstable();
    let within = |percent: usize| {
        let rank = (all.len() * percent).div_ceil(100);
        rank.checked_sub(1).and_then(|place| all.get(place)).copied().unwrap_or_default()
    };
    let is_few = all.len() < SHARES_FROM_REPLIES;
    let (slow, slow_ms) = match is_few {
        true => (SlowReply::Slowest, within(100)),
        false => (SlowReply::Of100, within(95)),
    };
    let half_ms = within(50);
    let bar_ms = within(100).min(half_ms.saturating_mul(BAR_USUALS_MAX));
    ReplyFigures { count: whole(all.len()), half_ms, slow, slow_ms, bar_ms }
}

impl Report {
    /// The report with its figures counted anew: one that was kept by an older program may lack some.
    #[must_use]
    pub fn counted(mut self) -> Self {
        self.basis.figures = Figures {
            questions: questions(&self.basis.questions),
            replies: replies(&self.basis.timeline.latency),
        };
        let end = self.basis.header.end.as_ref();
        let end = end.and_then(|name| serde_json::from_value::<End>(name.as_str().into()).ok());
        self.basis.header.outcome = self.basis.header.ended_at.map(|_| Outcome::of(end));
        self
    }
}

fn whole(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(response_ms: u64) -> TurnLatency {
        TurnLatency { turn: 1, end_of_turn_ms: None, first_clause_ms: None, response_ms }
    }

    /// #41: a few replies have a slowest one; shares of a hundred are told of twenty and more. One that took
    /// long makes no other's bar a sliver.
    #[test]
    fn few_replies_have_a_slowest() {
        let twelve: Vec<_> = (1..=11).map(|n| reply(100 * n)).chain([reply(33_621)]).collect();
        let expected = ReplyFigures {
            count: 12,
            half_ms: 600,
            slow: SlowReply::Slowest,
            slow_ms: 33_621,
            bar_ms: 1_800,
        };
        assert_eq!(replies(&twelve), expected);
        let hundred: Vec<_> = (1..=100).map(|n| reply(10 * n)).collect();
        let figures = replies(&hundred);
        assert_eq!((figures.slow, figures.slow_ms, figures.bar_ms), (SlowReply::Of100, 950, 1_000));
        assert_eq!(replies(&hundred[..19]).slow, SlowReply::Slowest);
        assert_eq!(replies(&hundred[..20]).slow, SlowReply::Of100);
        assert_eq!(replies(&[]), ReplyFigures::default());
    }

    /// #41: a report that an older program kept has its figures, and how it ended.
    #[test]
    fn a_kept_report_is_counted_anew() {
        let mut report = Report::none("i1");
        let question = |asked, answered| Question {
            text: "Why?".into(),
            same: String::new(),
            stage: "A".into(),
            at_ms: None,
            asked,
            answered,
            quotes: Vec::new(),
        };
        report.basis.questions = vec![
            question(true, Answered::Answered),
            question(true, Answered::Partly),
            question(true, Answered::Skipped),
            question(false, Answered::Unanswered),
        ];
        assert_eq!(report.clone().counted().basis.header.outcome, None, "it is not over");
        report.basis.header.ended_at = Some(1);
        report.basis.header.end = Some("out_of_time".into());
        let Report { basis, .. } = report.counted();
        let expected = QuestionFigures { of: 4, asked: 3, answered: 1, partly: 1 };
        assert_eq!(basis.figures.questions, expected);
        assert_eq!(basis.header.outcome, Some(Outcome::OutOfTime));
    }
}
