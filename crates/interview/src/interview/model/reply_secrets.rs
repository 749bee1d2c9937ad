//! What a model was told for one reply and nobody may hear: the blocks of its prompt that are not open.

use crate::interview::{
    Interview,
    effect::Say,
    guard::check::Secrets,
    ids::ReplyId,
    model::{prompt::Prompt, secrets::public},
};

impl Interview {
    /// Notes what the model was told for a reply, before the first of its words is checked.
    pub(crate) fn note_told(&mut self, id: ReplyId) {
        let live = self.floor.reply().filter(|live| live.id == id);
        let Some(Say::Model { task, care }) = live.map(|live| &live.say) else { return };
        let (task, care) = (*task, *care);
        if self.health.told(id).is_none()
            && let Some(prompt) = self.prompt_for(task, care)
        {
            self.health.tell(id, secrets_of(&prompt));
        }
    }

    /// What the model was told for a reply and nobody may hear, less what was said in the interview and what
    /// is said to everybody; nothing unless words of it are in `text`, as all that takes longer.
    pub(crate) fn secrets_in(&self, id: ReplyId, before: &str, text: &str) -> Secrets {
        let Some(told) = self.health.told(id).filter(|told| told.are_in(before, text)) else {
            return Secrets::default();
        };
        let said = self.said_so_far();
        let public = public(self.script.plan(), self.script.context());
        told.clone().without(said.iter().map(String::as_str).chain(public))
    }
}

/// The blocks of a prompt that are not open. A new block has to say which of the two it is.
fn secrets_of(prompt: &Prompt) -> Secrets {
    let (open, secret): (Vec<_>, Vec<_>) =
        prompt.blocks.iter().partition(|(block, _)| block.is_open());
    let [open, secret] =
        [open, secret].map(|blocks| blocks.into_iter().map(|(_, text)| text.as_str()));
    Secrets::new(secret, open)
}
