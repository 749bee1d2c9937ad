//! What is begun ahead is what is ordered in the end: tried at the end of every turn, in every fourth
//! interview, and for every reply that was cut off.

use super::World;
use crate::{
    interview::{Block, Brief, Effect, Event, ReplyId, Say, Timer},
    sim::check::Rule,
};

/// Trying it costs as much as all else in a turn.
const EVERY: u64 = 4;

/// What would be said, and what the model would be told for it; nothing if nothing would be.
pub(super) type Foreseen = Option<(Say, Option<Brief>)>;

/// What follows a reply that was cut off.
pub(super) type Next = Option<(ReplyId, Foreseen)>;

impl World<'_> {
    /// What is foreseen just before a turn ends by its own pause, before the candidate comes, and for the end
    /// of a reply. Nothing where nobody looks ahead.
    pub(super) fn foresee(&self, event: &Event) -> Option<Foreseen> {
        if *event == Event::CandidateJoined {
            return self.interview.foresee_opening().map(Some);
        }
        if let Event::ReplyFinished { reply, .. } = event {
            return self.next.clone().filter(|(sealed, _)| sealed == reply).map(|(_, next)| next);
        }
        let is_end = || matches!(self.interview.deadline(), Some((_, Timer::Endpointing)));
        let is_tried =
            (self.setting.config.seed / 8).is_multiple_of(EVERY) && *event == Event::Tick;
        (is_tried && is_end()).then(|| self.interview.foresee()).flatten().map(Some)
    }

    /// After an event: what follows a reply that is cut off is foreseen before the rest of it is heard.
    pub(super) fn foresee_next(&mut self, event: &Event) {
        let sealed = self.interview.sealed();
        let is_heard = matches!(event, Event::SegmentHeard { .. });
        if !is_heard || self.next.as_ref().map(|(reply, _)| *reply) != sealed {
            self.next = sealed.map(|reply| (reply, self.interview.foresee_next()));
        }
    }

    /// The same, after it has ended: time passes in a prompt, nothing else may.
    pub(super) fn check_foresight(&mut self, foreseen: Option<Foreseen>, effects: &[Effect]) {
        let Some(foreseen) = foreseen else { return };
        let ordered = effects.iter().find_map(|effect| match effect {
            Effect::Speak { reply, say, .. } => Some((*reply, say)),
            Effect::Play { .. }
            | Effect::Pause { .. }
            | Effect::Resume { .. }
            | Effect::Hush { .. }
            | Effect::Fill { .. }
            | Effect::Seal { .. }
            | Effect::Judge { .. }
            | Effect::Understand { .. }
            | Effect::Listen { .. }
            | Effect::Answer { .. }
            | Effect::Acknowledge { .. }
            | Effect::Handoff { .. }
            | Effect::Note(_)
            | Effect::Publish(_)
            | Effect::Hangup { .. } => None,
        });
        let really = ordered.map(|(reply, say)| (say.clone(), self.interview.brief(reply, say)));
        let in_vain = foreseen.is_some() && really.is_none();
        if !in_vain && essence(foreseen.as_ref()) != essence(really.as_ref()) {
            let n = self.journal.entries.len() as u64 + 1;
            let say = |it: Foreseen| it.map(|(say, _)| say);
            let what = format!("foreseen {:?}, ordered {:?}", say(foreseen), say(really));
            self.journal.checks.found(Rule::Foreseen, n, what);
        }
    }
}

/// All of it but what tells the time.
fn essence(it: Option<&(Say, Option<Brief>)>) -> Option<(Say, Option<Brief>)> {
    let mut it = it.cloned()?;
    if let Some(brief) = &mut it.1 {
        brief.prompt.blocks.retain(|(block, _)| *block != Block::Context);
    }
    Some(it)
}
