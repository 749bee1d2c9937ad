//! A session's way to its candidate: a room, a replayed recording, a console.

use std::{collections::BTreeMap, future::Future, time::Duration};

use crate::{
    audio::Pcm16,
    interview::{End, NotDone, Request, Status},
    listen::{Packet, PreConnect},
    time::SessionTime,
};

/// What a session needs of its room. Frames of ours are pulled from the `Mouth` that the line was made with.
pub trait Line: Send {
    /// The next thing that happens. Can be dropped and called again without losing anything.
    fn next(&mut self) -> impl Future<Output = LineEvent> + Send;

    /// How much of the interview's own time has passed, before [`Line::show`].
    fn elapsed(&mut self, _own: Duration) {}

    /// Whether a model words replies, which has other words for every question; before anything is shown.
    fn worded_by(&mut self, _is_model: bool) {}

    /// Shows who does what.
    fn show(&mut self, status: &Status);

    /// Shows words.
    fn caption(&mut self, caption: Caption);

    /// Answers a control message: it was done, or why not.
    fn acknowledge(&mut self, id: &str, outcome: Result<(), NotDone>);

    /// The interview has ended; whoever made the line takes it down.
    fn ended(&mut self, end: End);
}

/// What happens on a line.
#[derive(Clone, Debug)]
pub enum LineEvent {
    /// How the candidate is called, by the room.
    CandidateNamed(String),
    /// The candidate can hear us.
    CandidateJoined,
    /// The candidate is gone.
    CandidateLeft,
    /// No sound can flow any more.
    Cut,
    /// Sound flows again.
    Back,
    /// The candidate's sound comes from another track from now on.
    NewTrack {
        /// Whether what they said before it was recorded and is on its way.
        expects_pre_connect: bool,
    },
    /// What the candidate said before the present track was heard.
    PreConnect(PreConnect),
    /// A packet of the candidate's sound, and when it was received.
    Packet(SessionTime, Packet),
    /// 20 ms of the candidate's sound which began at this time, from a line without packets.
    Frame(SessionTime, Pcm16),
    /// The candidate has muted their microphone: no packets are silence.
    Muted,
    /// They have switched it on again.
    Unmuted,
    /// A control message.
    Control {
        /// Its id.
        id: String,
        /// What it asks for.
        request: Request,
        /// The stage in which it was wanted, where the sender names one.
        stage: Option<String>,
    },
    /// The form on the candidate's screen.
    Filled {
        /// The message's id.
        id: String,
        /// What they wrote, by the fields' keys.
        values: BTreeMap<String, String>,
    },
    /// A recruiter suggests what to ask.
    Suggested {
        /// The message's id.
        id: String,
        /// Their words.
        text: String,
    },
    /// A typed answer.
    Typed {
        /// The message's id.
        id: String,
        /// The words.
        text: String,
    },
    /// The line is gone for good, and why.
    Over(String),
}

/// Words to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caption {
    /// More words of one of our segments, as they are heard.
    Ours {
        /// The segment's id.
        segment: String,
        /// The words since the last ones.
        delta: String,
    },
    /// One of our segments has ended, or was cut off.
    OursEnded {
        /// The segment's id.
        segment: String,
    },
    /// What the candidate has said, all of it each time.
    Theirs {
        /// The segment's id.
        segment: String,
        /// The words.
        text: String,
        /// Whether better ones may come.
        is_final: bool,
    },
}
