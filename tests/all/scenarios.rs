//! Every file in `tests/scenarios` is one interview in virtual time: `>` lines are what happens, `<` lines what
//! we do, `.` lines the deadlines that pass. `BLESS=1` rewrites all but the `>` lines: read the diff.
//!
//! `00:10.000 > answers (2s): words` is voice, quiet and a final transcript; `#2 speaks (3s): words` is a whole
//! reply of ours as it is heard. All other lines are one event each (see [`events`]). After a time may stand how
//! far the sound was processed: `00:10.000 heard 00:09.900 > …`; else it is the time itself. `with` names a
//! blueprint and, after a comma, a job description.

use std::{collections::BTreeMap, fmt::Write, fs, time::Duration};

use vivavoce::{
    blueprint::{Blueprint, Context, HEAD},
    interview::*,
    time::SessionTime,
};

/// B03, H01–H06, H08, H10, H13, T01, T02, T05, R06 and the hard conversations: each file names its own.
#[test]
fn scenarios() {
    let mut files: Vec<_> =
        fs::read_dir("tests/scenarios").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut different = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let played = Play::new(&text).play(&text);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &played).unwrap();
        } else if played != text {
            different.push(format!("{}:\n{}", path.display(), first_difference(&text, &played)));
        }
    }
    assert!(different.is_empty(), "BLESS=1 and read the diff\n{}", different.join("\n"));
}

/// Invariant 3, cases 14 and 17: each event of each scenario 1 ms earlier or later, so that it passes the
/// deadlines around it: who is woken on the dot and who is woken by events alone do the same.
#[test]
fn a_millisecond_changes_no_rule() {
    for entry in fs::read_dir("tests/scenarios").unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut play = Play::new(&text);
        let fresh = play.interview.clone();
        play.play(&text);
        for moved in 0..play.facts.len() {
            for by in [-1, 1] {
                let facts = with_one_moved(&play.facts, moved, by);
                let (mut asleep, mut awake) = (fresh.clone(), fresh.clone());
                assert_eq!(
                    told(&mut awake, &facts, Woken::OnTheDot),
                    told(&mut asleep, &facts, Woken::Never),
                    "{}: fact {moved} by {by} ms",
                    text.lines().next().unwrap()
                );
            }
        }
    }
}

type Fact = (SessionTime, SessionTime, Event);

enum Woken {
    OnTheDot,
    Never,
}

/// The facts in the order of their times, one of them `by` ms away from where it was.
fn with_one_moved(facts: &[Fact], moved: usize, by: i64) -> Vec<Fact> {
    let mut facts = facts.to_vec();
    let shift = |at: SessionTime| {
        SessionTime::from_micros(at.as_micros().saturating_add_signed(by * 1_000))
    };
    facts[moved].0 = shift(facts[moved].0);
    facts[moved].1 = shift(facts[moved].1);
    facts.sort_by_key(|(at, _, _)| *at);
    facts
}

fn told(interview: &mut Interview, facts: &[Fact], woken: Woken) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut now = SessionTime::ZERO;
    for (at, heard, event) in facts {
        while let (Woken::OnTheDot, Some((due, timer))) = (&woken, interview.deadline()) {
            let late = timer.depends_on_sound() && *heard < due;
            let wake = if late { due + Interview::sound_late_max() } else { due };
            if wake >= *at {
                break;
            }
            now = now.max(wake);
            effects.extend(interview.handle(now, (*heard).min(now), Event::Tick));
        }
        now = *at;
        effects.extend(interview.handle(*at, *heard, event.clone()));
    }
    effects
}

/// The runner shows every difference: it could not pass by leaving something out.
#[test]
fn a_changed_scenario_is_noticed() {
    let text = "# x\n00:00.200 > joined\n";
    let played = Play::new(text).play(text);
    assert!(played.contains("< speak #1: the model opens"), "{played}");
    assert!(first_difference(text, &played).contains("speak #1"));
}

/// A shipped blueprint.
pub(crate) fn files(name: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(format!("agents/{name}")).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        (file, fs::read_to_string(&path).unwrap())
    });
    files.collect()
}

/// A shipped blueprint, with changes such as `stage_limit 10m` done to all its files.
fn blueprint(name: &str, changes: &[&str]) -> Blueprint {
    let mut files = files(name);
    for change in changes {
        let (key, value) = change.split_once(' ').unwrap();
        let new = format!("{key} = \"{value}\"\n");
        let is_old = |line: &&str| line.split_once(' ').is_some_and(|(first, _)| first == key);
        for (name, text) in &mut files {
            let had = text.lines().filter(is_old).count() > 0;
            let lines = text.lines().map(|line| match is_old(&line) {
                true => new.clone(),
                false => format!("{line}\n"),
            });
            *text = lines.collect();
            if !had && name == HEAD && key == "interview_limit" {
                text.insert_str(0, &new);
            }
        }
    }
    Blueprint::load(&files).unwrap()
}

fn first_difference(wanted: &str, played: &str) -> String {
    let (mut wanted, mut played) = (wanted.lines(), played.lines());
    loop {
        match (wanted.next(), played.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                return format!("  written: {}\n  played:  {}", a.unwrap_or("-"), b.unwrap_or("-"));
            }
        }
    }
}

struct Play {
    interview: Interview,
    /// The same one, never woken by a deadline (invariant 3).
    sleeper: Interview,
    facts: Vec<Fact>,
    done: Vec<Effect>,
    done_asleep: Vec<Effect>,
    at: SessionTime,
    heard: SessionTime,
    segment: u32,
    voice_from: SessionTime,
    voice_to: Option<SessionTime>,
    calls: u32,
    /// Of each reply: its epoch, its words if they are from a file, and its segments that were not heard.
    replies: BTreeMap<u32, (Epoch, String, Vec<u16>)>,
    segments: BTreeMap<u32, u16>,
    out: String,
}

impl Play {
    fn new(text: &str) -> Self {
        let with =
            text.lines().find_map(|line| line.strip_prefix("with ")).unwrap_or("mock-interview");
        let (name, more) = with.split_once(", ").unwrap_or((with, ""));
        let context = Context {
            candidate_name: "Ada".into(),
            role: "engineer".into(),
            level: "senior".into(),
            job_description: more.into(),
            ..Context::default()
        };
        let changes: Vec<_> =
            text.lines().filter_map(|line| line.strip_prefix("change ")).collect();
        let interview = Interview::new(&blueprint(name, &changes), &context);
        Self {
            sleeper: interview.clone(),
            interview,
            facts: Vec::new(),
            done: Vec::new(),
            done_asleep: Vec::new(),
            at: SessionTime::ZERO,
            heard: SessionTime::ZERO,
            segment: 0,
            voice_from: SessionTime::ZERO,
            voice_to: None,
            calls: 0,
            replies: BTreeMap::new(),
            segments: BTreeMap::new(),
            out: String::new(),
        }
    }

    fn play(&mut self, text: &str) -> String {
        for line in text.lines().filter(|line| !line.starts_with("    ")) {
            let Some((times, what)) = line.split_once(" > ") else {
                writeln!(self.out, "{line}").unwrap();
                continue;
            };
            let (at, heard) = match times.split_once(" heard ") {
                Some((at, heard)) => (time(at), Some(time(heard))),
                None => (time(times), None),
            };
            self.wait_until(at, heard);
            writeln!(self.out, "{line}").unwrap();
            for (at, event) in self.events(at, what) {
                self.wait_until(at, heard);
                self.facts.push((at, heard.unwrap_or(at), event.clone()));
                let effects = self.handle(at, heard, event.clone());
                self.done_asleep.extend(self.sleeper.handle(at, self.heard, event));
                self.show(&effects);
            }
        }
        let last = self.sleeper.handle(self.at, self.heard, Event::Tick);
        self.done_asleep.extend(last);
        assert_eq!(
            self.done, self.done_asleep,
            "who is woken late does something else\n{}",
            self.out
        );
        std::mem::take(&mut self.out)
    }

    /// Lets the deadlines pass, each at its time.
    fn wait_until(&mut self, until: SessionTime, heard: Option<SessionTime>) {
        while let Some((due, timer)) = self.interview.deadline() {
            let late = timer.depends_on_sound() && heard.is_some_and(|heard| heard < due);
            let at = if late { due + Interview::sound_late_max() } else { due };
            if at >= until {
                return;
            }
            let at = at.max(self.at);
            let effects = self.handle(at, heard, Event::Tick);
            writeln!(self.out, "    {at} . {timer:?}").unwrap();
            self.show(&effects);
        }
    }

    fn handle(&mut self, at: SessionTime, heard: Option<SessionTime>, event: Event) -> Vec<Effect> {
        (self.at, self.heard) = (at, heard.unwrap_or(at));
        let effects = self.interview.handle(at, self.heard, event);
        for effect in &effects {
            if let Effect::Speak { reply, epoch, say, .. } = effect {
                let words = if let Say::Text(words) = say { words.clone() } else { String::new() };
                self.replies.insert(reply.0, (*epoch, words, Vec::new()));
            }
        }
        self.done.extend(effects.iter().cloned());
        effects
    }

    fn show(&mut self, effects: &[Effect]) {
        for effect in effects {
            writeln!(self.out, "              < {}", show(effect)).unwrap();
        }
    }

    /// What a line stands for.
    fn events(&mut self, at: SessionTime, what: &str) -> Vec<(SessionTime, Event)> {
        if let Some(rest) = what.strip_prefix('#') {
            let (id, what) = rest.split_once(' ').unwrap();
            return self.reply_events(at, id.parse().unwrap(), what);
        }
        let (what, words) = what.split_once(": ").unwrap_or((what, ""));
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let one = |event| vec![(at, event)];
        match (verb, rest) {
            ("joined", _) => one(Event::CandidateJoined),
            ("left", _) => one(Event::CandidateLeft),
            ("line", "cut") => one(Event::LineCut),
            ("line", _) => one(Event::LineBack),
            ("tick", _) => one(Event::Tick),
            ("voice", _) => {
                self.begin_segment(at);
                one(Event::SpeechStarted { at })
            }
            ("quiet", "") => {
                self.voice_to = Some(at);
                one(Event::SpeechStopped { at })
            }
            ("quiet", since) => one(Event::SpeechStopped { at: time(since) }),
            ("partial", which) => one(Event::PartialTranscript(self.words(at, which, words))),
            ("final", which) => one(Event::FinalTranscript(self.words(at, which, words))),
            ("presses", "End") => one(Event::Control { id: "end-1".into(), request: Request::End }),
            ("operator", _) => {
                one(Event::Control { id: "stop-1".into(), request: Request::Terminate })
            }
            ("room", "gone") => {
                one(Event::Control { id: "line-over".into(), request: Request::Abandon })
            }
            ("answers", took) => {
                self.begin_segment(at);
                let to = at + duration(took);
                let transcript = Event::FinalTranscript(self.words(to, "", words));
                let quiet = Event::SpeechStopped { at: to };
                let told = to + Duration::from_millis(100);
                vec![(at, Event::SpeechStarted { at }), (to, quiet), (told, transcript)]
            }
            other => panic!("unknown: {other:?}"),
        }
    }

    fn begin_segment(&mut self, at: SessionTime) {
        self.segment += 1;
        (self.voice_from, self.voice_to) = (at, None);
    }

    /// Of the last voice, or `[segment from to]`.
    fn words(&mut self, at: SessionTime, which: &str, text: &str) -> Words {
        let text = text.to_owned();
        let Some(which) = which.strip_prefix('[').and_then(|which| which.strip_suffix(']')) else {
            let (from, to) = (self.voice_from, self.voice_to.unwrap_or(at));
            return Words { segment: self.segment, from, to, text, confidence: None };
        };
        let [segment, from, to] = which.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let segment = segment.parse().unwrap();
        self.segment = self.segment.max(segment);
        Words { segment, from: time(from), to: time(to), text, confidence: None }
    }

    fn reply_events(&mut self, at: SessionTime, id: u32, what: &str) -> Vec<(SessionTime, Event)> {
        let reply = ReplyId(id);
        let (what, text) = what.split_once(": ").unwrap_or((what, ""));
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let (epoch, template, open) =
            self.replies.entry(id).or_insert_with(|| (Epoch(0), String::new(), Vec::new()));
        let epoch = *epoch;
        let text = if text.is_empty() { template.clone() } else { text.to_owned() };
        let mut ready = || {
            let n = self.segments.entry(id).or_default();
            open.push(*n);
            *n += 1;
            (at, Event::SegmentReady { reply, n: *n - 1, text: text.clone() })
        };
        let started = |at| (at, Event::ReplyStarted { reply });
        let ends = |at, open: &mut Vec<u16>| {
            let heard = std::mem::take(open).into_iter();
            let mut events: Vec<_> =
                heard.map(|n| (at, Event::SegmentHeard { reply, n })).collect();
            events.push((at, Event::ReplyFinished { reply, heard: String::new() }));
            events
        };
        match verb {
            "ready" => vec![ready()],
            "sounds" => vec![started(at)],
            "begins" => vec![ready(), started(at)],
            "ends" => ends(at, open),
            "speaks" => {
                let mut events = vec![ready(), started(at)];
                events.extend(ends(at + duration(rest), open));
                events
            }
            "cut" => vec![(at, Event::ReplyFinished { reply, heard: text })],
            "fails" => vec![(at, Event::ReplyFailed { reply, why: "it broke".into() })],
            "calls" => {
                self.calls += 1;
                let (name, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let proposal = Proposal::parse(name, arguments);
                vec![(at, Event::Proposed { reply, epoch, call: CallId(self.calls), proposal })]
            }
            other => panic!("unknown: #{id} {other}"),
        }
    }
}

fn time(text: &str) -> SessionTime {
    let (minutes, seconds) = text.trim().split_once(':').unwrap();
    let seconds: f64 = seconds.parse().unwrap();
    SessionTime::from_millis(
        minutes.parse::<u64>().unwrap() * 60_000 + (seconds * 1_000.0).round() as u64,
    )
}

/// `(2s)` or `(1.5s)`
fn duration(text: &str) -> Duration {
    let text = text.trim_start_matches('(').trim_end_matches("s)");
    Duration::from_secs_f64(text.parse().unwrap())
}

fn show(effect: &Effect) -> String {
    match effect {
        Effect::Speak { reply, say, interruptible, .. } => {
            let what = match say {
                Say::Text(words) => format!("\"{words}\""),
                Say::Model(Task::Open) => "the model opens".into(),
                Say::Model(Task::Follow) => "the model follows".into(),
                Say::Model(Task::Bridge(why)) => format!("the model bridges ({why:?})"),
            };
            let insists = if *interruptible { "" } else { ", whatever they do" };
            format!("speak #{}: {what}{insists}", reply.0)
        }
        Effect::Play { reply, n } => format!("play #{} segment {n}", reply.0),
        Effect::Hush { reply } => format!("hush #{}", reply.0),
        Effect::Answer { call, verdict: Verdict::Accepted } => format!("call {} accepted", call.0),
        Effect::Answer { call, verdict: Verdict::Refused(why) } => {
            format!("call {} refused: {why}", call.0)
        }
        Effect::Acknowledge { id, .. } => format!("acknowledge {id}"),
        Effect::Handoff { from, to, why, .. } => format!("HANDOFF {from} -> {to} ({why:?})"),
        Effect::Publish(Notice::Status(status)) => {
            format!("{:?}, {} {}/{}", status.state, status.stage, status.asked, status.asks)
        }
        Effect::Publish(Notice::Turn { turn, stage, text }) => {
            format!("turn {} in {stage}: \"{text}\"", turn.0)
        }
        Effect::Hangup { end } => format!("HANG UP: {end:?}"),
    }
}
