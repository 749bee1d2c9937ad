//! What a model was told for one reply and nobody may hear: the blocks of its prompt that are not open.

use crate::interview::{
    Interview,
    effect::{Care, Say, Task},
    guard::check::Secrets,
    ids::ReplyId,
    model::secrets::public,
};

impl Interview {
    /// Notes what the model was told for a reply, before the first of its words is checked.
    pub(crate) fn note_told(&mut self, id: ReplyId) {
        let live = self.floor.reply().filter(|live| live.id == id);
        let Some(Say::Model { task, care }) = live.map(|live| &live.say) else { return };
        let (task, care) = (*task, *care);
        if self.health.told(id).is_none() {
            let secrets = self.secrets_for(task, care);
            self.health.tell(id, secrets);
        }
    }

    /// What of the prompt for a reply nobody may hear: all of its blocks but the open ones, less what was
    /// said in the interview, and what is said to everybody. A new block has to say which of the two it is.
    fn secrets_for(&self, task: Task, care: Care) -> Secrets {
        let Some(prompt) = self.prompt_for(task, care) else { return Secrets::default() };
        let (open, secret): (Vec<_>, Vec<_>) =
            prompt.blocks.iter().partition(|(block, _)| block.is_open());
        let said = self.said_so_far();
        let open = open.into_iter().map(|(_, text)| text.as_str());
        let public = public(self.script.plan(), self.script.context());
        let public = open.chain(said.iter().map(String::as_str)).chain(public);
        Secrets::new(secret.into_iter().map(|(_, text)| text.as_str()), public)
    }
}
