//! Preemptive generation: model and voice begin a reply before it is certain that the candidate has
//! finished. Nothing of it is reported or heard until the interview orders exactly this reply. If the
//! interview orders another, it is dropped.

use std::sync::Arc;

use futures_util::StreamExt;
use tokio::{
    sync::{mpsc, oneshot},
    task::AbortHandle,
};

use super::{Composed, Words, compose};
use crate::providers::{
    Message, ProviderError, Tts,
    interviewer::{Interviewer, TalkTask},
};
use audio::Pcm48;
use interview::understanding::words::normal;

/// The most pieces of a reply, and of its first segment's sound, that may wait until the reply is ordered.
/// The rest is made after that.
const PIECES_MAX: usize = 256;
const SOUNDS_MAX: usize = 512;

/// A reply that is made ahead, as far as it is made.
pub(super) struct Ahead {
    words: Words,
    made: Made,
    task: AbortHandle,
}

/// The pieces of a first step, and the sound of its first segment, as they are made.
pub(super) struct Made {
    pub(super) pieces: mpsc::Receiver<Composed>,
    pub(super) voice: FirstVoice,
}

/// The sound of a first segment; empty if there is none.
pub(super) type FirstVoice = mpsc::Receiver<Result<Pcm48, ProviderError>>;

impl Ahead {
    pub(super) fn new(words: Words, llm: Arc<dyn Interviewer>, tts: Arc<dyn Tts>) -> Self {
        let (out, pieces) = mpsc::channel(PIECES_MAX);
        let (sounds, voice) = mpsc::channel(SOUNDS_MAX);
        let wanted = words.clone();
        let task = tokio::spawn(async move {
            let (first, known) = oneshot::channel();
            let compose = async {
                let mut first = Some(first);
                let mut made = std::pin::pin!(compose(wanted, &*llm));
                while let Some(piece) = made.next().await {
                    if let Composed::Segment(text) = &piece
                        && let Some(first) = first.take()
                    {
                        // The receiver is gone only if this task has ended.
                        let _ = first.send(text.clone());
                    }
                    if out.send(piece).await.is_err() {
                        return;
                    }
                }
            };
            let voice = async {
                let Ok(text) = known.await else { return };
                let mut sound = tts.synthesize(&text);
                while let Some(piece) = sound.next().await {
                    if sounds.send(piece).await.is_err() {
                        return;
                    }
                }
            };
            tokio::join!(compose, voice);
        });
        let made = Made { pieces, voice };
        Self { words, made, task: task.abort_handle() }
    }

    /// Whether these are the ordered words, apart from the way in which the recogniser writes the same
    /// words.
    pub(super) fn is(&self, words: &Words) -> bool {
        match (&self.words, words) {
            (Words::Given(ours), Words::Given(theirs)) => ours == theirs,
            (Words::Talk(ours), Words::Talk(theirs)) => is_same(ours, theirs),
            (Words::Given(_), Words::Talk(_)) | (Words::Talk(_), Words::Given(_)) => false,
        }
    }

    /// Hands over what is made. For a reply that is ordered.
    pub(super) fn take(self) -> (Made, AbortHandle) {
        (self.made, self.task)
    }

    /// Stops the work. For a reply that is not ordered.
    pub(super) fn stop(self) {
        self.task.abort();
    }
}

fn is_same(our_task: &TalkTask, their_task: &TalkTask) -> bool {
    let (ours, theirs) = (&our_task.request, &their_task.request);
    let (Some((last, before)), Some((their_last, their_before))) =
        (ours.messages.split_last(), theirs.messages.split_last())
    else {
        return our_task == their_task;
    };
    let is_same_answer = match (last, their_last) {
        (Message::User(ours), Message::User(theirs)) => normal(ours) == normal(theirs),
        (last, their_last) => last == their_last,
    };
    is_same_answer
        && before == their_before
        && ours.system == theirs.system
        && ours.tools == theirs.tools
        && ours.temperature == theirs.temperature
}
