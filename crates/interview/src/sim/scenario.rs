//! Scenario files: one interview in virtual time each, told in lines that a person can read.
//!
//! `>` lines are what happens, `<` lines what we do, `.` lines the deadlines that pass. Playing a file writes
//! all but its `>` lines anew; a file is right when that changes nothing.
//!
//! `00:10.000 > answers (2s): words` is voice, quiet and a final transcript; `#2 speaks (3s): words` is a
//! whole reply of ours as it is heard. All other lines are one event each (see `Play::events`); `judged 1,
//! attempt 1: …` is of a turn that went on once, `understood repeat` is what the words right above mean.
//! After a time may stand how far the sound was processed: `00:10.000 heard 00:09.900 > …`; else it is the
//! time itself. `with` names a blueprint and, after a comma, a job description; `change` sets a number of its
//! files, `known salary pay: …` what candidates may be told, `recorded` that sound is kept, `nameless` that
//! nobody knows how the candidate is called: the room may tell, `named Ada`; `longer pauses` and `much longer
//! pauses` are what they may take from the start. `after greeting` stands for the
//! lines of another scenario, a prelude. What else stands in a file without a time is kept as it is.

mod parts;
mod prelude;
mod replies;
mod show;
mod twins;
mod voice;

use std::{fmt, time::Duration};

use language::Intent;

use parts::{changed, duration, number, time};
pub use prelude::file_name;
use replies::Replies;
use show::show;
use twins::Twins;
use voice::Voice;

use crate::{
    blueprint::{Blueprint, Context, Known, Pauses, Planned, Roles, Urgency},
    interview::{
        Brief, By, CallId, Effect, End, Event, Interview, Judgement, Proposal, ReplyId, Request,
        Timer, TurnId,
    },
    time::SessionTime,
};

/// Whose interview a scenario plays if it names none.
const BLUEPRINT: &str = "mock-interview";
/// The silence that ends a turn, where it is not `adaptive`.
const PAUSE: Duration = Duration::from_millis(600);

/// What came of playing a scenario.
#[derive(Clone, Debug)]
pub struct Played {
    /// The name of the blueprint.
    pub blueprint: String,
    /// The scenario with what we do in it today.
    pub text: String,
    /// The interview before its first event.
    pub fresh: Interview,
    /// What happened in it.
    pub facts: Vec<Fact>,
    /// What the model was told for each reply that it was asked for, and when.
    pub briefs: Vec<(SessionTime, ReplyId, Brief)>,
    /// What may be missing in it.
    pub hint: Option<Hint>,
}

/// What the author of a scenario may have forgotten: one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where that shows, as a line of the scenario as it was played, from 1.
    pub line: usize,
    /// What to write, and where.
    pub what: String,
}

/// When something happened, how far the sound was processed then, and what it was.
pub type Fact = (SessionTime, SessionTime, Event);

/// Why a scenario cannot be played: one sentence that says how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ScenarioError {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Plays a scenario without preludes. `files` gives the files of the blueprint with that name, name and text.
pub fn play(
    text: &str,
    files: impl Fn(&str) -> Option<Vec<(String, String)>>,
) -> Result<Played, ScenarioError> {
    play_with(text, files, |_| None)
}

/// Plays a scenario. `preludes` gives the scenario that a line `after NAME` stands for.
pub fn play_with(
    text: &str,
    files: impl Fn(&str) -> Option<Vec<(String, String)>>,
    preludes: impl Fn(&str) -> Option<String>,
) -> Result<Played, ScenarioError> {
    let lines = prelude::expand(text, &preludes)?;
    // Errors name the line of the file, also where a prelude is written out.
    let in_file = |error: ScenarioError| {
        let line = lines.get(error.line - 1).map_or(error.line, |line| line.from + 1);
        ScenarioError { line, ..error }
    };
    let whole: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
    let played = play_whole(&whole, files).map_err(in_file)?;
    if lines.iter().all(|line| line.prelude.is_none()) {
        return Ok(played);
    }
    let text = prelude::fold(&played.text, &lines)?;
    let hidden = played.text.lines().count() - text.lines().count();
    let hint =
        played.hint.map(|hint| Hint { line: hint.line.saturating_sub(hidden).max(1), ..hint });
    Ok(Played { text, hint, ..played })
}

/// Plays a scenario whose preludes are written out.
fn play_whole(
    text: &str,
    files: impl Fn(&str) -> Option<Vec<(String, String)>>,
) -> Result<Played, ScenarioError> {
    let (blueprint, fresh) = interview(text, files)?;
    let mut play = Play::new(fresh.clone());
    let at_line = |index, what| ScenarioError { line: index + 1, what };
    for (index, line) in text.lines().enumerate() {
        if !line.starts_with("    ") {
            play.line(line).map_err(|what| at_line(index, what))?;
        }
    }
    let last = text.lines().count().saturating_sub(1);
    play.settle_reading();
    play.interview.check(play.at, play.heard).map_err(|what| at_line(last, what))?;
    let hint = play.hint();
    Ok(Played { blueprint, text: play.out, fresh, facts: play.facts, briefs: play.briefs, hint })
}

/// The interview that the lines `with` and `change` ask for, and the name of its blueprint.
fn interview(
    text: &str,
    files: impl Fn(&str) -> Option<Vec<(String, String)>>,
) -> Result<(String, Interview), ScenarioError> {
    let numbered = || text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let with = numbered().find_map(|(n, line)| Some((n, line.strip_prefix("with ")?)));
    let is_named = with.is_some();
    let (line, with) = with.unwrap_or((1, BLUEPRINT));
    let (name, more) = with.split_once(", ").unwrap_or((with, ""));
    let mut files = files(name).ok_or_else(|| {
        let what = if is_named {
            format!("there is no blueprint `{name}`: name one that `vivavoce check` lists")
        } else {
            format!(
                "no line says whose interview this is, and there is no `{name}`, which it would be \
                    then: write one \
                 such as `with barista`, with a name that `vivavoce check` lists"
            )
        };
        ScenarioError { line, what }
    })?;
    for (line, change) in numbered().filter_map(|(n, l)| Some((n, l.strip_prefix("change ")?))) {
        changed(&mut files, change).map_err(|what| ScenarioError { line, what })?;
    }
    let mut blueprint = Blueprint::load(&files).map_err(|problems| {
        let problems = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        let what = format!("with the changes of this file `{name}` is no blueprint: {problems}");
        ScenarioError { line, what }
    })?;
    // Times are easier to read where every pause is as long as the other.
    if !text.lines().any(|line| line == "adaptive") {
        blueprint.turns.endpointing.get_or_insert(PAUSE);
    }
    let known = numbered().filter_map(|(_, line)| line.strip_prefix("known ")?.split_once(": "));
    let known = known.map(|(about, answer)| Known {
        about: about.split(' ').map(str::to_owned).collect(),
        answer: answer.to_owned(),
    });
    let mut plan = Vec::new();
    for (line, question) in numbered().filter_map(|(n, l)| Some((n, l.strip_prefix("planned ")?))) {
        plan.push(planned(question).map_err(|what| ScenarioError { line, what })?);
    }
    let has = |head: &str| text.lines().any(|line| line == head);
    let (role, level) = ("software engineer", "senior");
    let context = Context {
        candidate_name: if has("nameless") { String::new() } else { "Ada".into() },
        role: role.into(),
        level: level.into(),
        focus: Roles::default().focus(role, level),
        job_description: more.into(),
        knowledge: known.collect(),
        plan,
        recorded: has("recorded"),
        ..Context::default()
    };
    Ok((name.to_owned(), Interview::new(&blueprint, &context).with_pauses(pauses(text))))
}

/// How long they may pause from the start.
fn pauses(text: &str) -> Pauses {
    let heads = [("longer pauses", Pauses::Longer), ("much longer pauses", Pauses::MuchLonger)];
    let chosen = heads.into_iter().find(|(head, _)| text.lines().any(|line| line == *head));
    chosen.map_or(Pauses::Usual, |(_, pauses)| pauses)
}

/// A question of a plan, such as `P0 threshold: Where does it come from?`.
fn planned(text: &str) -> Result<Planned, String> {
    let parts = text.split_once(": ").and_then(|(head, text)| Some((head.split_once(' ')?, text)));
    let Some(((priority, id), text)) = parts else {
        return Err("a planned question is written `planned P0 id: Question?`".to_owned());
    };
    let priority = match priority {
        "P0" => Urgency::P0,
        "P1" => Urgency::P1,
        "P2" => Urgency::P2,
        other => return Err(format!("`{other}` is no priority: write P0, P1 or P2")),
    };
    Ok(Planned { id: id.to_owned(), text: text.to_owned(), priority })
}

struct Play {
    interview: Twins,
    facts: Vec<Fact>,
    briefs: Vec<(SessionTime, ReplyId, Brief)>,
    at: SessionTime,
    heard: SessionTime,
    voice: Voice,
    replies: Replies,
    messages: Messages,
    /// The turn, and its version, of the last words that wait to be understood.
    unread: Option<(TurnId, u32)>,
    /// The number of tool calls.
    calls: u32,
    out: String,
}

/// The messages that the candidate's page sent: presses of buttons, and typed answers.
#[derive(Default)]
struct Messages {
    count: u32,
    /// The last one that was typed.
    typed: Option<String>,
}

/// What a line stands for, or what is wrong with it.
type Events = Result<Vec<(SessionTime, Event)>, String>;

impl Play {
    fn new(interview: Interview) -> Self {
        Self {
            interview: Twins::new(interview),
            facts: Vec::new(),
            briefs: Vec::new(),
            at: SessionTime::ZERO,
            heard: SessionTime::ZERO,
            voice: Voice::new(),
            replies: Replies::default(),
            messages: Messages::default(),
            unread: None,
            calls: 0,
            out: String::new(),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let Some((times, what)) = line.split_once(" > ") else {
            check_head(line)?;
            self.write(format_args!("{line}"));
            return Ok(());
        };
        let (at, heard) = match times.split_once(" heard ") {
            Some((at, heard)) => (time(at)?, Some(time(heard)?)),
            None => (time(times)?, None),
        };
        if at < self.at {
            return Err(format!(
                "{at} is before {}, when what stands above was over: put the lines in the order of \
                    their times",
                self.at
            ));
        }
        self.wait_until(at, heard);
        self.write(format_args!("{line}"));
        for (at, event) in self.events(at, what)? {
            self.wait_until(at, heard);
            self.facts.push((at, heard.unwrap_or(at), event.clone()));
            let effects = self.handle(at, heard, event.clone());
            self.interview.happen_asleep(at, self.heard, event);
            self.show(&effects);
        }
        self.check_reply(what)
    }

    /// Whoever speaks was asked to, at that very time at the latest.
    fn check_reply(&self, what: &str) -> Result<(), String> {
        let Some((id, _)) = what.strip_prefix('#').and_then(|what| what.split_once(' ')) else {
            return Ok(());
        };
        if self.replies.is_ordered(number(id)?) {
            return Ok(());
        }
        Err(format!(
            "nothing above says `speak #{id}` or `fill #{id}`: write the number that stands there"
        ))
    }

    /// Lets the deadlines pass, each at its time.
    fn wait_until(&mut self, until: SessionTime, heard: Option<SessionTime>) {
        while let Some((due, timer)) = self.interview.awake().deadline() {
            let at = heard.map_or(due, |heard| Interview::fires((due, timer), heard));
            if at >= until {
                return;
            }
            let at = at.max(self.at);
            let effects = self.handle(at, heard, Event::Tick);
            if timer == Timer::ReplyStall {
                self.replies.stall(&effects);
            }
            if timer != Timer::Reading {
                self.write(format_args!("    {at} . {timer:?}"));
            }
            self.show(&effects);
        }
    }

    /// Nobody says what the last words of the scenario mean.
    fn settle_reading(&mut self) {
        if self.interview.awake().unread().is_some() {
            let effects = self.handle(self.at, Some(self.heard), Event::Tick);
            self.show(&effects);
        }
    }

    fn handle(&mut self, at: SessionTime, heard: Option<SessionTime>, event: Event) -> Vec<Effect> {
        (self.at, self.heard) = (at, heard.unwrap_or(at));
        let effects = self.interview.happen(at, self.heard, event);
        for effect in &effects {
            self.replies.order(effect);
            if let Effect::Understand { turn, attempt } = effect {
                self.unread = Some((*turn, *attempt));
            }
            if let Effect::Speak { reply, say, .. } = effect {
                let brief = self.interview.awake().brief(*reply, say);
                self.briefs.extend(brief.map(|brief| (at, *reply, brief)));
            }
        }
        effects
    }

    /// Where an interview was given up after words of ours that nobody spoke, these may just not be written.
    fn hint(&self) -> Option<Hint> {
        let ReplyId(reply) = self.replies.stalled()?;
        let given_up = show(&Effect::Hangup { end: End::Technical });
        let line =
            1 + self.out.lines().position(|line| line.trim_start() == format!("< {given_up}"))?;
        let what = format!(
            "the interview is given up, as nobody speaks: what stands behind `speak #{reply}` is \
                heard only where a line below it \
             says so, such as `> #{reply} speaks (2s): Hello.` behind a time (the words only where \
             a model finds them), or \
             `> #{reply} fails` where that is meant"
        );
        Some(Hint { line, what })
    }

    fn show(&mut self, effects: &[Effect]) {
        // What is listened for is the same in all of them.
        let is_shown =
            |it: &&Effect| !matches!(it, Effect::Listen { .. } | Effect::Understand { .. });
        for effect in effects.iter().filter(is_shown) {
            self.write(format_args!("              < {}", show(effect)));
        }
    }

    fn write(&mut self, line: fmt::Arguments<'_>) {
        self.out += &format!("{line}\n");
    }

    fn events(&mut self, at: SessionTime, what: &str) -> Events {
        if let Some(rest) = what.strip_prefix('#') {
            let (id, what) = rest.split_once(' ').unwrap_or((rest, ""));
            return self.reply_events(at, number(id)?, what);
        }
        let (what, words) = what.split_once(": ").unwrap_or((what, ""));
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let one = |event| Ok(vec![(at, event)]);
        let control =
            |id: &str, request| one(Event::Control { id: id.to_owned(), request, stage: None });
        match (verb, rest) {
            ("named", name) => one(Event::CandidateNamed { name: name.to_owned() }),
            ("joined", _) => one(Event::CandidateJoined),
            ("left", _) => one(Event::CandidateLeft),
            ("mutes", "") => one(Event::Muted),
            ("unmutes", "") => one(Event::Unmuted),
            ("line", "cut") => one(Event::LineCut),
            ("line", _) => one(Event::LineBack),
            ("tick", _) => one(Event::Tick),
            ("voice", _) => {
                self.voice.begin(at);
                one(Event::SpeechStarted { at })
            }
            ("quiet", "") => {
                self.voice.end(at);
                one(Event::SpeechStopped { at })
            }
            ("quiet", since) => one(Event::SpeechStopped { at: time(since)? }),
            ("weighed", percent) => {
                let (percent, stopped) = match percent.split_once(" at ") {
                    Some((percent, stopped)) => (percent, time(stopped)?),
                    None => (percent, self.voice.ended(at)),
                };
                let ended_percent = number(percent)?;
                one(Event::PauseWeighed { stopped, ended_percent })
            }
            ("partial", which) => {
                one(Event::PartialTranscript(self.voice.words(at, which, words)?))
            }
            ("final", which) => {
                one(Event::FinalTranscript(self.voice.final_words(at, which, words)?))
            }
            ("presses", button) => one(self.messages.press(button)?),
            ("types", _) => one(self.messages.write(words)),
            ("recruiter", "suggests") => one(self.messages.suggest(words)),
            ("understood", label) => one(self.understood(label)?),
            ("judged", which) => {
                let (turn, attempt) = which.split_once(", attempt ").unwrap_or((which, "0"));
                let (turn, attempt) = (TurnId(number(turn)?), number(attempt)?);
                let judgement = Judgement::parse(words)?;
                one(Event::Judged { turn, attempt, judgement })
            }
            ("operator", _) => control("stop-1", Request::Terminate),
            ("room", "gone") => control("line-over", Request::Abandon),
            ("answers", took) => {
                self.voice.begin(at);
                let to = at + duration(took)?;
                let transcript = Event::FinalTranscript(self.voice.words(to, "", words)?);
                let quiet = Event::SpeechStopped { at: to };
                let told = to + Duration::from_millis(100);
                Ok(vec![(at, Event::SpeechStarted { at }), (to, quiet), (told, transcript)])
            }
            (_, _) => Err(unknown(what, VERBS)),
        }
    }

    /// What the words above mean: nothing else may happen between.
    fn understood(&self, label: &str) -> Result<Event, String> {
        let Some(intent) = Intent::from_label(label) else {
            return Err(unknown(label, &Intent::labels()));
        };
        let awaited = self.unread.filter(|_| self.interview.awake().unread().is_some());
        let Some((turn, attempt)) = awaited else {
            let what = "no words wait to be understood: write this right below new words, at the time \
                         of their end";
            return Err(what.to_owned());
        };
        Ok(Event::Understood { turn, attempt, intent, by: By::Words })
    }

    fn reply_events(&mut self, at: SessionTime, id: u32, what: &str) -> Events {
        let reply = ReplyId(id);
        let (what, text) = what.split_once(": ").unwrap_or((what, ""));
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let ordered = self.replies.of(id);
        let text = if text.is_empty() { ordered.words.clone() } else { text.to_owned() };
        let started = (at, Event::ReplyStarted { reply });
        match verb {
            "ready" => Ok(vec![(at, ordered.ready(reply, text)?)]),
            "sounds" => Ok(vec![started]),
            "begins" => Ok(vec![(at, ordered.ready(reply, text)?), started]),
            "ends" => Ok(ordered.ends(reply, at)),
            "speaks" => {
                let mut events = vec![(at, ordered.ready(reply, text)?), started];
                events.extend(ordered.ends(reply, at + duration(rest)?));
                Ok(events)
            }
            "cut" => Ok(vec![(at, Event::ReplyFinished { reply, heard: text })]),
            "fails" => Ok(vec![(at, Event::ReplyFailed { reply, why: "it broke".into() })]),
            "calls" => {
                self.calls += 1;
                let (name, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
                let proposal = Proposal::parse(name, arguments);
                let (epoch, call) = (ordered.epoch, CallId(self.calls));
                Ok(vec![(at, Event::Proposed { reply, epoch, call, proposal })])
            }
            "tags" => {
                let intent = Intent::try_from(rest.to_owned())?;
                let answered = self.interview.awake().answered();
                let (turn, attempt) = answered.ok_or("there is no answer that it could tag")?;
                Ok(vec![(at, Event::Understood { turn, attempt, intent, by: By::Model })])
            }
            _ => Err(unknown(what, REPLY_VERBS)),
        }
    }
}

impl Messages {
    /// Words of a recruiter.
    fn suggest(&mut self, words: &str) -> Event {
        self.count += 1;
        Event::Suggested { id: self.id(), text: words.to_owned() }
    }

    /// A button; each press is a message of its own, and `again` the last one once more.
    fn press(&mut self, button: &str) -> Result<Event, String> {
        let (button, stage) = match button.split_once(" in ") {
            Some((button, stage)) => (button, Some(stage.to_owned())),
            None => (button, None),
        };
        let request = match button.trim_end_matches(" again") {
            "End" => Request::End,
            "Repeat" => Request::Repeat,
            "Rephrase" => Request::Rephrase,
            "More time" => Request::MoreTime,
            "Skip" => Request::Skip,
            "Pause" => Request::Pause,
            "Resume" => Request::Resume,
            "nothing, speaking muted" => Request::MutedSpeech,
            "keys, typing" => Request::Typing,
            "usual pauses" => Request::Pauses(Pauses::Usual),
            "longer pauses" => Request::Pauses(Pauses::Longer),
            "much longer pauses" => Request::Pauses(Pauses::MuchLonger),
            other => return Err(unknown(&format!("presses {other}"), BUTTONS)),
        };
        self.count += u32::from(!button.ends_with(" again"));
        Ok(Event::Control { id: self.id(), request, stage })
    }

    /// A typed answer; the same words once more are the same message.
    fn write(&mut self, words: &str) -> Event {
        let words = words.trim_end_matches(" (again)");
        if self.typed.as_deref() != Some(words) {
            self.count += 1;
            self.typed = Some(words.to_owned());
        }
        Event::Typed { id: self.id(), text: words.to_owned() }
    }

    fn id(&self) -> String {
        format!("message-{}", self.count)
    }
}

/// Lines that set the scene and remarks are all that may stand outside of what happens.
fn check_head(line: &str) -> Result<(), String> {
    let (verb, _) = line.split_once(' ').unwrap_or((line, ""));
    let known = match verb {
        "with" | "change" | "known" | "planned" => verb != line,
        "recorded" | "adaptive" | "nameless" => verb == line,
        "longer" | "much" => matches!(line, "longer pauses" | "much longer pauses"),
        _ => line.trim().is_empty() || line.trim_start().starts_with('#'),
    };
    if known { Ok(()) } else { Err(unknown(verb, HEADS)) }
}

/// What may stand at the top, after `>`, and after `> #1`.
const HEADS: &str = "with, change, known, planned or after and what follows it, recorded, adaptive or \
    nameless alone, longer pauses, much longer pauses, a remark behind #, or what happens, \
                     such as `00:10.000 > joined`";
const VERBS: &str = "joined, left, line cut, line back, tick, voice, quiet, weighed, partial, \
    final, answers, named, presses, types, recruiter suggests, \
                     understood, judged, operator, room gone, or # and the number of a reply";
const BUTTONS: &str = "End, Repeat, Rephrase, More time, Skip, Pause, Resume, longer pauses, \
    much longer pauses, usual pauses or `nothing, speaking muted`";
const REPLY_VERBS: &str = "ready, sounds, begins, ends, speaks, cut, fails, calls, tags";

fn unknown(what: &str, known: &str) -> String {
    format!("nobody knows what `{what}` means: write {known}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        let files = |name: &str| (name == "mock-interview").then(Vec::new);
        play(text, files).unwrap_err().to_string()
    }

    /// A scenario that names no blueprint of ours, or changes one until it is none, is refused in one
    /// sentence.
    #[test]
    fn a_scenario_needs_a_blueprint() {
        assert!(problem("# x\nwith quiz\n").starts_with("line 2: there is no blueprint `quiz`"));
        assert!(problem("# x\nchange\n").starts_with("line 1: with the changes"), "no files");
        let said = problem("change stage_limit\n");
        assert!(said.starts_with("line 1: `stage_limit` is no change"), "{said}");
        let said = play("00:01.000 > joined\n", |_| None).unwrap_err().to_string();
        assert!(said.starts_with("line 1: no line says whose interview this is"), "{said}");
        assert!(said.contains("such as `with barista`"), "{said}");
    }
}
