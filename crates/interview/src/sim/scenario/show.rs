//! What we do, as a scenario's `<` lines tell it.

use crate::{
    interview::{
        Care, Effect, Hole, Item, NotTheirs, Note, Notice, Say, Settled, Task, TopicState,
    },
    time::SessionTime,
};

pub(super) fn show(effect: &Effect) -> String {
    match effect {
        Effect::Speak { reply, say, interruptible, .. } => {
            let insists = if *interruptible { "" } else { ", whatever they do" };
            format!("speak #{}: {}{insists}", reply.0, says(say))
        }
        Effect::Fill { reply, text } => format!("fill #{}: \"{text}\"", reply.0),
        Effect::Play { reply, n } => format!("play #{} segment {n}", reply.0),
        Effect::Pause { reply } => format!("pause #{}", reply.0),
        Effect::Resume { reply } => format!("resume #{}", reply.0),
        Effect::Seal { reply, n } => format!("seal #{} before segment {n}", reply.0),
        Effect::Hush { reply } => format!("hush #{}", reply.0),
        Effect::Understand { turn, .. } => format!("understand turn {}", turn.0),
        Effect::Judge { turn, attempt: 0 } => format!("judge turn {}", turn.0),
        Effect::Judge { turn, attempt } => format!("judge turn {}, attempt {attempt}", turn.0),
        Effect::Answer { call, verdict } => format!("call {} {verdict}", call.0),
        Effect::Acknowledge { id, accepted: true, .. } => format!("acknowledge {id}"),
        Effect::Acknowledge { id, accepted: false, why } => {
            format!("refuse {id}{}", why.map_or(String::new(), |why| format!(": {}", why.words())))
        }
        Effect::Handoff { from, to, why, .. } => format!("HANDOFF {from} -> {to} ({why:?})"),
        Effect::Listen { keyterms } => format!("listen for {}", keyterms.join(", ")),
        Effect::Note(note) => format!("note {}", noted(note)),
        Effect::Publish(Notice::Status(status)) => {
            let paused = if status.paused { ", paused" } else { "" };
            format!("{:?}, {} {}/{}{paused}", status.state, status.stage, status.asked, status.asks)
        }
        Effect::Publish(Notice::Turn { turn, stage, text }) => {
            format!("turn {} in {stage}: \"{text}\"", turn.0)
        }
        Effect::Hangup { end } => format!("HANG UP: {end:?}"),
    }
}

fn says(say: &Say) -> String {
    let (task, care) = match say {
        Say::Text(words) => return format!("\"{words}\""),
        Say::Model { task, care } => (task, care),
    };
    let does = match task {
        Task::Open => "opens".to_owned(),
        Task::Follow => "follows".to_owned(),
        Task::Bridge(why) => format!("bridges ({why:?})"),
        Task::Rephrase => "rephrases".to_owned(),
        Task::Check => "looks for what is missing".to_owned(),
    };
    let carefully = match care {
        Care::Usual => "",
        Care::Cooler => ", more carefully",
        Care::QuestionOnly => ", a question only",
    };
    format!("the model {does}{carefully}")
}

fn noted(note: &Note) -> String {
    match note {
        Note::Asked { question, text, .. } => format!("question {}: {text}", question.0),
        Note::Answered { turn, question, kind, depth } => {
            let to = question.map_or("nothing".to_owned(), |id| format!("question {}", id.0));
            let kind = kind.map_or(String::new(), |kind| format!(", {}", kind.label()));
            let depth = depth.map_or(String::new(), |depth| format!(", depth {depth}"));
            format!("turn {} answers {to}{kind}{depth}", turn.0)
        }
        Note::Coverage { turn, percent, holes } => {
            let hole = |hole: &Hole| {
                let at = |ms| SessionTime::from_millis(ms);
                let (from, to) = (at(hole.from_ms), at(hole.to_ms));
                format!(", nothing from {from} to {to} (after word {})", hole.after_words)
            };
            let holes: String = holes.iter().map(hole).collect();
            format!("turn {} understood to {percent} %{holes}", turn.0)
        }
        Note::NotCaught => "they were not understood".to_owned(),
        Note::Judged { turn, kind, depth } => {
            format!("turn {} judged: {}, depth {depth}", turn.0, kind.label())
        }
        Note::Field { key, settled: Settled::Captured { value, quote, turn } } => {
            format!("{key} = {value} (\"{quote}\", turn {})", turn.0)
        }
        Note::Field { key, settled: Settled::Unknown } => format!("{key} unknown"),
        Note::Field { key, settled: Settled::Declined } => format!("{key} declined"),
        Note::Todo(todo) => format!("{} ({:?}): {}", todo.id, todo.priority, todo.text),
        Note::Corrected { old, new, .. } => format!("corrected: {new}, not {old}"),
        Note::CandidateAsked { turn, answer } => format!("turn {} asks us: {answer}", turn.0),
        Note::Skipped { question } => match question {
            Some(id) => format!("question {} skipped", id.0),
            None => "skipped".to_owned(),
        },
        Note::Sensitive { turn } => format!("turn {} is for no report", turn.0),
        Note::Distress { turn } => format!("distress in turn {}", turn.0),
        Note::Insulted { count } => format!("insult {count}"),
        Note::Suggested { text } => format!("suggested: {text}"),
        Note::Held => "they think".to_owned(),
        Note::WantsToStop => "they want to stop".to_owned(),
        Note::OtherLanguage => "another language".to_owned(),
        Note::Milestone { stage, percent } => format!("{percent} % of {stage}"),
        Note::Guarded { reply, fault } => format!("#{} guarded: {fault:?}", reply.0),
        Note::PassedOver { segment, why: NotTheirs::Echo } => format!("segment {segment} is ours"),
        Note::PassedOver { segment, why: NotTheirs::NoVoice } => {
            format!("segment {segment} has no voice")
        }
        Note::Summary { stage, text } => format!("summary of {stage}: {text}"),
        Note::BelowDepth { stage, depth, wanted } => {
            format!("{stage} reached depth {depth} of {wanted}")
        }
        Note::Item(item) => {
            let Item { id, priority, status, text, .. } = item;
            let facts: String = item.facts.iter().map(|fact| format!("; {fact}")).collect();
            format!("{id} ({priority:?}) {}: {text}{facts}", status.label())
        }
        Note::Topic(topic) => {
            let TopicState { topic, covered, sub_goals, turns, bonus, score, turns_left, .. } =
                topic;
            let bonus = if *bonus > 0 { format!(" and {bonus} more") } else { String::new() };
            format!(
                "topic {topic}: {covered} of {sub_goals}, {turns} turns{bonus}, signal {score:.2}, \
                 {turns_left} turns left"
            )
        }
        Note::Extension { accepted: true } => "they have more time".to_owned(),
        Note::Extension { accepted: false } => "they have no more time".to_owned(),
        Note::Consent { given: true } => "they leave their data".to_owned(),
        Note::Consent { given: false } => "they leave no data".to_owned(),
        Note::MaxTurns { missing } => format!("too many turns, missing: {}", missing.join(", ")),
    }
}
