//! What happens in a room, as facts.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use livekit_protocol::{self as proto, DisconnectReason};

/// What happens in a room. Facts come in the order in which they were seen.
#[derive(Clone, Debug)]
pub enum RoomEvent {
    /// Somebody is there: who was there before us, too.
    ParticipantJoined(Participant),
    /// Something about them has changed: attributes, state, connection quality.
    ParticipantUpdated(Participant),
    /// They are gone. Who comes back under the same identity has another sid.
    ParticipantLeft {
        /// Who.
        identity: String,
        /// Which of their sessions.
        sid: String,
    },
    /// The server is asked to take our own track, for the first time or, after a re-join, anew. Nobody hears it yet.
    TrackOffered,
    /// Somebody hears our track; told once for each [`RoomEvent::TrackOffered`], of the first who asked for it.
    TrackHeard,
    /// We hear a track from now on: [`RoomEvent::Packet`]s follow.
    TrackSubscribed(Track),
    /// The track is over; its sid does not come back.
    TrackUnsubscribed {
        /// Whose.
        participant: String,
        /// Which.
        track: String,
    },
    /// Its owner has muted a track: no packets are silence, not loss.
    TrackMuted {
        /// Whose.
        participant: String,
        /// Which.
        track: String,
    },
    /// Its owner has unmuted a track.
    TrackUnmuted {
        /// Whose.
        participant: String,
        /// Which.
        track: String,
    },
    /// 20 ms of sound, most often.
    Packet(Packet),
    /// The next piece of a text stream, as it comes.
    TextChunk(TextChunk),
    /// A text stream has ended: all of it.
    Text(Text),
    /// Sound that somebody recorded before we heard them: all of it, or what came until a little after we did.
    Bytes(Bytes),
    /// A data packet on a topic.
    Data {
        /// Who sent it; `None`: the server's API. The server vouches for it.
        sender: Option<String>,
        /// Its topic; may be empty.
        topic: String,
        /// The bytes, as they came.
        payload: Vec<u8>,
    },
    /// The signalling connection is lost; sound still flows unless [`RoomEvent::LineCut`] says otherwise.
    Resuming,
    /// The signalling connection is back.
    Resumed,
    /// No sound can flow any more, and none is pulled: an interview's clock stops here.
    LineCut {
        /// When it was noticed.
        at: Instant,
    },
    /// Sound flows again, in the same session or in a new one.
    LineBack {
        /// Since when.
        at: Instant,
    },
    /// It is over, and the room does not come back by itself. Nothing follows.
    Disconnected(End),
}

/// An Opus packet of a track, in order of arrival: what was lost and restored (RED) comes late.
/// `audio::reorder` puts them in order.
#[derive(Clone, Debug)]
pub struct Packet {
    /// Whose identity.
    pub participant: Arc<str>,
    /// Which track's sid.
    pub track: Arc<str>,
    /// RTP sequence number, without wrap-around.
    pub sequence: u64,
    /// RTP time of its first sample at 48 kHz, without wrap-around.
    pub rtp_time: u64,
    /// The Opus packet.
    pub payload: Arc<[u8]>,
    /// When it was received.
    pub arrived: Instant,
}

/// Somebody else in the room.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant {
    /// Their name in the token: the same after a reload.
    pub identity: String,
    /// Their session: another one after a reload.
    pub sid: String,
    /// The name to show.
    pub name: String,
    /// What they are.
    pub kind: Kind,
    /// Whether their media connection is up.
    pub state: State,
    /// How well the server hears them.
    pub quality: Quality,
    /// Their attributes.
    pub attributes: BTreeMap<String, String>,
}

/// What a participant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A person at a browser or an app.
    Standard,
    /// A person on the phone.
    Sip,
    /// Another agent.
    Agent,
    /// A recorder, an ingress, something newer than this list.
    Other,
}

/// How far a participant's connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Still connecting: no sound yet in either direction.
    Joining,
    /// Media is up.
    Active,
}

/// How well the server hears a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Losses.
    Poor,
    /// Well enough.
    Good,
    /// Perfectly, or nothing is known.
    Excellent,
    /// Not at all: what we say is not heard.
    Lost,
}

/// A track that we hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// Whose identity; empty if the server has not said.
    pub participant: String,
    /// Its sid.
    pub sid: String,
    /// Where the sound comes from.
    pub source: Source,
    /// Whether it is muted just now.
    pub muted: bool,
    /// Whether its owner records what they say until we hear the track, and sends that as [`RoomEvent::Bytes`].
    pub is_recorded_before: bool,
}

/// Where a track's sound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A microphone.
    Microphone,
    /// A shared screen, or something unknown.
    Other,
}

/// A piece of a text stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChunk {
    /// Which stream.
    pub stream: String,
    /// Whose words: the sender's identity, or that of whom it transcribes.
    pub sender: String,
    /// Its topic.
    pub topic: String,
    /// The header's attributes.
    pub attributes: BTreeMap<String, String>,
    /// The piece.
    pub text: String,
}

/// A whole text stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Which stream.
    pub stream: String,
    /// Whose words: the sender's identity, or that of whom it transcribes.
    pub sender: String,
    /// Its topic.
    pub topic: String,
    /// The header's attributes, overlaid with the trailer's.
    pub attributes: BTreeMap<String, String>,
    /// The text.
    pub text: String,
}

/// A whole byte stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// Whose: the sender's identity.
    pub sender: String,
    /// Its topic.
    pub topic: String,
    /// What the bytes are, as the sender says.
    pub mime_type: String,
    /// The header's attributes, overlaid with the trailer's.
    pub attributes: BTreeMap<String, String>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Why a room is over for good.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// We left.
    #[error("left")]
    Left,
    /// The server wants us out, and to join again would be wrong: the room is deleted or closed, we
    /// were removed, or somebody else has our identity.
    #[error("the server ended it: {0}")]
    Evicted(String),
    /// The connection was lost, and could not be made again in time.
    #[error("the connection was lost: {0}")]
    Lost(String),
}

impl From<&proto::ParticipantInfo> for Participant {
    fn from(info: &proto::ParticipantInfo) -> Self {
        use proto::participant_info as p;
        Self {
            identity: info.identity.clone(),
            sid: info.sid.clone(),
            name: info.name.clone(),
            kind: match info.kind() {
                p::Kind::Standard => Kind::Standard,
                p::Kind::Sip => Kind::Sip,
                p::Kind::Agent => Kind::Agent,
                _ => Kind::Other,
            },
            state: match info.state() {
                p::State::Active => State::Active,
                _ => State::Joining,
            },
            quality: Quality::Excellent,
            attributes: info.attributes.clone().into_iter().collect(),
        }
    }
}

impl From<proto::ConnectionQuality> for Quality {
    fn from(quality: proto::ConnectionQuality) -> Self {
        match quality {
            proto::ConnectionQuality::Poor => Self::Poor,
            proto::ConnectionQuality::Good => Self::Good,
            proto::ConnectionQuality::Excellent => Self::Excellent,
            proto::ConnectionQuality::Lost => Self::Lost,
        }
    }
}

/// Whether a session that ended for this reason is over for good.
///
/// After `DuplicateIdentity` two agents would push each other out for ever; after a server's
/// shutdown to join again is right, although the server says `Disconnect`.
pub(super) fn is_final(reason: DisconnectReason) -> bool {
    use DisconnectReason as R;
    match reason {
        R::ClientInitiated
        | R::DuplicateIdentity
        | R::ParticipantRemoved
        | R::RoomDeleted
        | R::RoomClosed
        | R::UserUnavailable
        | R::UserRejected
        | R::SipTrunkFailure
        | R::AgentError => true,
        R::UnknownReason
        | R::ServerShutdown
        | R::StateMismatch
        | R::JoinFailure
        | R::Migration
        | R::SignalClose
        | R::ConnectionTimeout
        | R::MediaFailure => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R06: never join again after these four, do after those three.
    #[test]
    fn the_reason_decides_whether_to_join_again() {
        use DisconnectReason as R;
        for reason in [R::DuplicateIdentity, R::ParticipantRemoved, R::RoomDeleted, R::RoomClosed] {
            assert!(is_final(reason), "{reason:?}");
        }
        for reason in [R::ServerShutdown, R::StateMismatch, R::Migration] {
            assert!(!is_final(reason), "{reason:?}");
        }
    }
}
