//! What we do, as a scenario's `<` lines tell it.

use crate::interview::{Effect, Notice, Say, Task, Verdict};

pub(super) fn show(effect: &Effect) -> String {
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
