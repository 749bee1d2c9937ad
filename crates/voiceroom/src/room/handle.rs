//! The application's end of a room.

use std::{collections::BTreeMap, time::Duration};

use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    ByteStream, Caption, Counters, Fault, FrameSource, Microphone, Packet, RoomEvent, SendError,
    SharedCounters, To,
};

/// Facts that may wait for the application. Sound keeps out of the last quarter, and what others write out of
/// the last half: whoever sends without end hides neither who comes and goes nor what is said.
pub(super) const EVENTS_MAX: usize = 1024;
/// Requests that may wait for the room.
pub(super) const COMMANDS_MAX: usize = 256;
/// How long [`Room::leave`] waits until the server has been told.
const LEAVE_LIMIT: Duration = Duration::from_secs(2);
/// Payload of a data packet; the server takes 64,000 bytes with everything around it.
const PAYLOAD_BYTES_MAX: usize = 60_000;

/// A connection to a room. Dropping it leaves the room without waiting.
pub struct Room {
    pub(super) commands: mpsc::Sender<Command>,
    pub(super) leave: CancellationToken,
    pub(super) task: JoinHandle<()>,
    pub(super) identity: String,
    pub(super) counters: SharedCounters,
}

/// What the application asks of the room's task.
pub(super) enum Command {
    Publish(Box<dyn FrameSource>),
    Unpublish,
    Microphone(Microphone),
    Attributes(BTreeMap<String, String>),
    Caption(Caption),
    Data { topic: String, payload: Vec<u8>, to: Vec<String> },
    Bytes(ByteStream),
    Fault(Fault),
}

impl Room {
    /// Our own identity, from the token.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Publishes a microphone track. If there is one already, it goes on with the new source.
    pub fn publish(&self, source: Box<dyn FrameSource>) -> Result<(), SendError> {
        self.request(Command::Publish(source))
    }

    /// Unpublishes the microphone track.
    pub fn unpublish(&self) -> Result<(), SendError> {
        self.request(Command::Unpublish)
    }

    /// Mutes or unmutes the microphone track.
    pub fn set_microphone(&self, microphone: Microphone) -> Result<(), SendError> {
        self.request(Command::Microphone(microphone))
    }

    /// Changes some of our attributes; an empty value removes one. They survive a re-join. Needs a token that
    /// allows it, such as those of [`Role::Agent`](crate::server::Role::Agent).
    pub fn set_attributes(
        &self,
        attributes: impl IntoIterator<Item = (String, String)>,
    ) -> Result<(), SendError> {
        self.request(Command::Attributes(attributes.into_iter().collect()))
    }

    /// Shows a caption to everybody: words of ours, or of somebody whom we transcribe. The latter needs the
    /// token of an agent.
    pub fn caption(&self, caption: Caption) -> Result<(), SendError> {
        self.request(Command::Caption(caption))
    }

    /// Sends one data packet of at most 60,000 bytes on a topic, reliably and in order.
    pub fn send_data(&self, topic: &str, payload: Vec<u8>, to: To<'_>) -> Result<(), SendError> {
        if payload.len() > PAYLOAD_BYTES_MAX {
            return Err(SendError::TooLarge);
        }
        self.request(Command::Data { topic: topic.to_owned(), payload, to: to.identities() })
    }

    /// Sends bytes of any length as a byte stream.
    pub fn send_bytes(&self, stream: ByteStream) -> Result<(), SendError> {
        self.request(Command::Bytes(stream))
    }

    /// Injects a failure, for tests.
    pub fn inject(&self, fault: Fault) -> Result<(), SendError> {
        self.request(Command::Fault(fault))
    }

    /// What has been counted so far.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Leaves, and waits up to two seconds until the server has been told. An agent calls
    /// [`Job::report`](crate::worker::Job::report) *before*.
    pub async fn leave(mut self) {
        self.leave.cancel();
        if tokio::time::timeout(LEAVE_LIMIT, &mut self.task).await.is_err() {
            tracing::warn!("leaving a room took too long");
        }
    }

    /// A room without a server, for tests of code that holds a [`Room`]: its events end at once, and every
    /// request fails with [`SendError::Over`].
    ///
    /// Call it within a tokio runtime.
    pub fn nowhere() -> (Self, mpsc::Receiver<RoomEvent>) {
        let (commands, _) = mpsc::channel(COMMANDS_MAX);
        let leave = CancellationToken::new();
        let task = tokio::spawn(leave.clone().cancelled_owned());
        let (identity, counters) = Default::default();
        (Self { commands, leave, task, identity, counters }, mpsc::channel(1).1)
    }

    fn request(&self, command: Command) -> Result<(), SendError> {
        self.commands.try_send(command).map_err(|error| match error {
            mpsc::error::TrySendError::Closed(_) => SendError::Over,
            mpsc::error::TrySendError::Full(_) => {
                self.counters.requests_dropped.bump();
                SendError::Busy
            }
        })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.leave.cancel();
    }
}

/// The room's end of the channel to the application.
pub(super) struct Events {
    pub(super) out: mpsc::Sender<RoomEvent>,
    pub(super) counters: SharedCounters,
}

impl Events {
    /// Sound is the first to go when the application stands still.
    pub(super) fn send_packet(&self, packet: Packet) {
        let has_place = self.out.capacity() > EVENTS_MAX / 4;
        if !has_place || self.out.try_send(RoomEvent::Packet(packet)).is_err() {
            self.counters.audio_in_dropped.bump();
        }
    }

    /// Data and texts of others.
    pub(super) fn send_message(&self, event: RoomEvent) {
        let has_place = self.out.capacity() > EVENTS_MAX / 2;
        if !has_place || self.out.try_send(event).is_err() {
            self.counters.data_in_dropped.bump();
        }
    }

    pub(super) fn send(&self, event: RoomEvent) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.out.try_send(event) {
            // The first one is in the log, and then ever fewer.
            if self.counters.events_dropped.get().checked_add(1).is_some_and(u64::is_power_of_two) {
                tracing::error!("dropped a room's event, the application stands still");
            }
            self.counters.events_dropped.bump();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    /// Sound that an application does not take leaves places for what cannot be made up, and data of people
    /// who send without end leaves places for sound.
    #[test]
    fn sound_is_the_first_to_be_dropped() {
        let (out, mut taken) = mpsc::channel(EVENTS_MAX);
        let events = Events { out, counters: Default::default() };
        let packet = Packet {
            participant: "a".into(),
            track: "TR_1".into(),
            sequence: 1,
            rtp_time: 0,
            payload: Default::default(),
            arrived: clock::instant(),
        };
        let message =
            || RoomEvent::Data { sender: None, topic: String::new(), payload: Vec::new() };
        (0..EVENTS_MAX).for_each(|_| events.send_message(message()));
        assert_eq!(events.counters.data_in_dropped.get() as usize, EVENTS_MAX / 2);
        (0..EVENTS_MAX / 2).for_each(|_| events.send_packet(packet.clone()));
        assert_eq!(events.counters.audio_in_dropped.get() as usize, EVENTS_MAX / 4);
        (0..=EVENTS_MAX / 4).for_each(|_| events.send(RoomEvent::Resumed));
        assert_eq!(events.counters.events_dropped.get(), 1);
        let facts = std::iter::from_fn(|| taken.try_recv().ok())
            .filter(|event| matches!(event, RoomEvent::Resumed))
            .count();
        assert_eq!(facts, EVENTS_MAX / 4);
    }
}
