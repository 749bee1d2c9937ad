//! What is checked when an interview is over.

use std::collections::BTreeMap;

use super::{BARGE_IN_WORDS, Checks, GRACE, HUSH_MAX, Rule};
use crate::{
    interview::{Event, Interview, ReplyId, understanding::words::normal},
    journal::{self, Entry, Header},
    sim::{Plan, faults::Mind, mouth::Pulled},
    time::SessionTime,
};

impl Checks {
    pub(super) fn end_in_time(&mut self, plan: &Plan) {
        let Some((_, at)) = self.ended else {
            return self.found(Rule::OneEnd, 0, "the interview never ends".into());
        };
        let late = Interview::sound_late_max();
        let cap = match self.presence.joined {
            Some(joined) => joined + plan.interview_limit + GRACE + self.presence.stopped + late,
            None => SessionTime::from_millis(600_000) + late,
        };
        if at > cap {
            self.found(Rule::EndsInTime, 0, format!("it ends at {at}, not by {cap}"));
        }
        if self.course.handoffs.values().sum::<usize>() >= self.course.stages.len() {
            self.found(Rule::OneHandoff, 0, "as many handoffs as stages".into());
        }
    }

    pub(super) fn replays(&mut self, plan: &Plan, entries: &[Entry]) {
        if let Err(difference) = journal::replay(plan.fresh.clone(), entries) {
            let n = difference.n;
            let what = format!("written {:?}, today {:?}", difference.written, difference.today);
            self.found(Rule::Replay, n, what);
        }
        let mut asleep = plan.fresh.clone();
        let mut done = Vec::new();
        let mut last = (SessionTime::ZERO, SessionTime::ZERO);
        for entry in entries {
            last = (entry.at, entry.heard);
            if entry.event != Event::Tick {
                done.extend(asleep.handle(entry.at, entry.heard, entry.event.clone()));
            }
        }
        done.extend(asleep.handle(last.0, last.1, Event::Tick));
        let mut wanted =
            entries.iter().flat_map(|entry| entry.effects.iter().map(|e| (entry.n, e)));
        let mut done = done.iter();
        loop {
            match (wanted.next(), done.next()) {
                (None, None) => return,
                (Some((_, wanted)), Some(done)) if wanted == done => {}
                (wanted, done) => {
                    let n = wanted.map_or(0, |(n, _)| n);
                    return self.found(
                        Rule::WokenLate,
                        n,
                        format!("awake {wanted:?}, asleep {done:?}"),
                    );
                }
            }
        }
    }

    /// Speech that began when a reply of ours already sounded, and its words.
    pub(super) fn hushed(&mut self, pulled: &[Pulled]) {
        let mut spans: BTreeMap<ReplyId, (SessionTime, SessionTime)> = BTreeMap::new();
        for span in pulled {
            let whole = spans.entry(span.reply).or_insert((span.from, span.to));
            whole.1 = whole.1.max(span.to);
        }
        for (reply, (first, last)) in spans {
            if !self.replies.ordered.get(&reply).is_some_and(|ordered| ordered.interruptible) {
                continue;
            }
            let from = self.hearing.transcripts.partition_point(|told| told.at < first);
            let mut words: BTreeMap<u32, usize> = BTreeMap::new();
            for told in &self.hearing.transcripts[from..] {
                if told.at > last {
                    break;
                }
                if told.from < first {
                    continue;
                }
                words.insert(told.segment, told.words);
                if words.values().sum::<usize>() >= BARGE_IN_WORDS && last > told.at + HUSH_MAX {
                    let what =
                        format!("{reply:?} sounds until {last}, two words over it at {}", told.at);
                    self.found(Rule::Hushed, 0, what);
                    break;
                }
            }
        }
    }

    /// Of the models that mean well: the others may bridge as they like.
    pub(super) fn bridges(&mut self, plan: &Plan) {
        match self.faults.mind {
            Mind::Good | Mind::Stale | Mind::NoTools => {}
            Mind::Obedient
            | Mind::Lies
            | Mind::Garbage
            | Mind::AllTools
            | Mind::Loops
            | Mind::UnknownTools
            | Mind::Mute
            | Mind::Slow
            | Mind::Fails => return,
        }
        let mut wrong = Vec::new();
        let mut before: Option<&String> = None;
        for (reply, ordered) in &self.replies.ordered {
            if ordered.answer.is_none() || !ordered.bridges || ordered.handoffs == 0 {
                continue;
            }
            let told = ordered.told.trim_start();
            let wording = plan.acknowledgements.iter().find(|it| told.starts_with(it.as_str()));
            if wording.is_none() || wording == before {
                let what = format!("{reply:?} says {told:?}, the one before {before:?}");
                wrong.push(what);
            }
            let heard = self.replies.heard.get(reply).map_or("", String::as_str);
            before = wording.filter(|it| heard.starts_with(it.as_str())).or(before);
        }
        for what in wrong {
            self.found(Rule::Bridge, 0, what);
        }
    }

    /// What was heard of a reply has one question at most, at its end (8).
    pub(super) fn one_question(&mut self) {
        let mut wrong = Vec::new();
        for (reply, heard) in &self.replies.heard {
            let after = heard.split_once('?').map_or("", |(_, after)| after);
            if after.chars().any(char::is_alphanumeric) {
                wrong.push(format!("{reply:?}: {heard}"));
            }
        }
        for what in wrong {
            self.found(Rule::OneQuestion, 0, what);
        }
    }

    /// So many words in a row of a prompt are no chance.
    pub(super) fn leaks(&mut self, plan: &Plan) {
        const WORDS: usize = 8;
        let heard: Vec<String> = self.replies.heard.values().map(|heard| normal(heard)).collect();
        for heard in heard {
            let words: Vec<&str> = heard.split(' ').collect();
            let leak = words
                .windows(WORDS)
                .map(|run| run.join(" "))
                .find(|run| plan.prompts.iter().any(|prompt| prompt.contains(run.as_str())));
            if let Some(run) = leak {
                self.found(Rule::Leak, 0, format!("a prompt was heard: {run}"));
            }
        }
    }

    /// The transcript has all that was said, and nothing that was not.
    pub(super) fn record(&mut self, entries: &[Entry]) {
        let header = Header {
            v: journal::VERSION,
            engine: crate::interview::ENGINE,
            interview: "simulated".into(),
            started_at: 0,
            inputs: String::new(),
        };
        let transcript = journal::whole_transcript(&header, entries);
        self.holes(&transcript);
        let mut theirs = String::new();
        for line in &transcript.lines {
            match line.speaker {
                journal::Speaker::Candidate => theirs += &format!(" {} ", line.text),
                journal::Speaker::Interviewer => {
                    if !self.replies.heard.values().any(|heard| *heard == line.text) {
                        let what = format!("the record says that we said: {}", line.text);
                        self.found(Rule::HeardWasPulled, 0, what);
                    }
                }
            }
        }
        let lost = self.hearing.segments.iter().find(|(segment, text)| {
            if self.hearing.nobodys.contains(segment) || self.hearing.like_ours.contains(segment) {
                return false;
            }
            // A single word over us is no turn (case 23).
            let is_turn = self.told.turns.values().any(|(_, turn)| turn.contains(text.as_str()));
            let is_kept = is_turn && theirs.contains(text.as_str());
            text.split_whitespace().count() >= BARGE_IN_WORDS && !is_kept
        });
        if let Some((segment, text)) = lost {
            let what = format!("segment {segment} is nowhere in the record: {text}");
            self.found(Rule::NothingLost, 0, what);
        }
        if entries.len().is_multiple_of(32) {
            let written: String = entries.iter().map(journal::line).collect();
            let read = journal::parse(&(journal::line(&header) + &written));
            if read.as_ref().map(|(_, read)| read.as_slice()) != Ok(entries) {
                self.found(Rule::Reads, 0, format!("{:?}", read.err()));
            }
        }
    }
}
