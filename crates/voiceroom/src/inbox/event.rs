//! What happens in a room.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use livekit_protocol as proto;

use super::limits;

/// The topic of sound that was recorded before its track was heard (LiveKit's pre-connect buffer).
pub const PRE_CONNECT_TOPIC: &str = "lk.agent.pre-connect-audio-buffer";
/// The attribute of such sound that holds the sid of its track.
pub const RECORDED_TRACK: &str = "trackId";

/// An event of a room. Events come in the order in which they happened.
#[derive(Clone, Debug)]
pub enum RoomEvent {
    /// A participant is in the room; those who were there before us are announced, too.
    ParticipantJoined(Participant),
    /// Something about a participant has changed: attributes, state, connection quality.
    ParticipantUpdated(Participant),
    /// A participant is gone. If they come back under the same identity, it is with another sid.
    ParticipantLeft {
        /// The participant's identity.
        identity: String,
        /// The sid of the session that ended.
        sid: String,
    },
    /// We have asked the server to take our own track: the first time, and again after a re-join. Nobody
    /// hears it yet.
    TrackOffered,
    /// The first participant has subscribed to our track; once for each [`RoomEvent::TrackOffered`].
    TrackHeard,
    /// We have subscribed to a track: [`RoomEvent::Packet`]s of it follow.
    TrackSubscribed(Track),
    /// A track is over. Its sid does not come back.
    TrackUnsubscribed {
        /// The identity of the track's owner.
        participant: String,
        /// The track's sid.
        track: String,
    },
    /// Its owner has muted a track: from now on missing packets are silence, not loss.
    TrackMuted {
        /// The identity of the track's owner.
        participant: String,
        /// The track's sid.
        track: String,
    },
    /// Its owner has unmuted a track.
    TrackUnmuted {
        /// The identity of the track's owner.
        participant: String,
        /// The track's sid.
        track: String,
    },
    /// An Opus packet of a track, mostly 20 ms of sound.
    Packet(Packet),
    /// The next piece of a text stream, as soon as it arrives.
    TextChunk(TextChunk),
    /// A text stream has ended: the whole text.
    Text(Text),
    /// A byte stream on [`PRE_CONNECT_TOPIC`] has ended: what a participant said before we subscribed to
    /// their track. A sender who does not end it in time is cut off, since we hear the track itself by then.
    /// Byte streams on other topics are ignored.
    Bytes(Bytes),
    /// A data packet.
    Data {
        /// The sender's identity, for which the server vouches; `None` if it was sent through the server's
        /// API, or by a hidden participant: it proves nothing then.
        sender: Option<String>,
        /// Its topic; may be empty.
        topic: String,
        /// The bytes.
        payload: Vec<u8>,
    },
    /// A key that a participant on the phone has pressed (DTMF).
    Key {
        /// The identity of whoever pressed it.
        sender: String,
        /// What is on it: `0` to `9`, `*`, `#`, or `A` to `D`.
        key: char,
    },
    /// The signalling connection is lost and is being made again. Sound still flows, unless
    /// [`RoomEvent::LineCut`] says otherwise.
    Resuming,
    /// The signalling connection is back.
    Resumed,
    /// Media is disconnected: nothing is heard on either side, and no frames are pulled.
    LineCut {
        /// When it was noticed.
        at: Instant,
    },
    /// Media is connected again, in the same session or after a re-join.
    LineBack {
        /// When it was.
        at: Instant,
    },
    /// The room is over for us and is not joined again. Nothing follows.
    Disconnected(End),
}

/// An Opus packet of a track. Packets come in the order of their arrival, and what RED has restored comes
/// late: [`Reorder`](crate::reorder::Reorder) puts them in order.
#[derive(Clone, Debug)]
pub struct Packet {
    /// The identity of the track's owner.
    pub participant: Arc<str>,
    /// The track's sid.
    pub track: Arc<str>,
    /// RTP sequence number, without wrap-around.
    pub sequence: u64,
    /// RTP timestamp of its first sample, in samples at 48 kHz, without wrap-around.
    pub rtp_time: u64,
    /// The Opus data.
    pub payload: Arc<[u8]>,
    /// When it was received.
    pub arrived: Instant,
}

/// A participant other than ourselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Participant {
    /// The identity in their token: the same after they reload their page.
    pub identity: String,
    /// The id of their session: another one after a reload.
    pub sid: String,
    /// The name to show; what is too long of it is cut off.
    pub name: String,
    /// What kind of client they are.
    pub kind: Kind,
    /// Whether their media is connected.
    pub state: State,
    /// Whether the server shows them to others and lets them publish a microphone: a viewer may not.
    pub may_speak: bool,
    /// Whether they publish sound that may be their voice, muted or not.
    pub has_voice: bool,
    /// The quality of their connection to the server.
    pub quality: Quality,
    /// Their attributes: 64 at most, of 16 KiB together.
    pub attributes: BTreeMap<String, String>,
}

/// What kind of client a participant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A person at a browser or an app.
    Standard,
    /// A person on the phone.
    Sip,
    /// Another agent.
    Agent,
    /// An egress, an ingress, or something newer than this list.
    Other,
}

/// How far a participant's connection has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Still connecting: no sound yet in either direction.
    Joining,
    /// Media is connected.
    Active,
}

/// The quality of a participant's connection, as the server measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Packets are lost.
    Poor,
    /// Good enough.
    Good,
    /// Perfect, or not measured yet.
    Excellent,
    /// The server hears nothing of them: what we say does not reach them either.
    Lost,
}

/// An audio track of another participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// The identity of its owner; empty if the server has not told.
    pub participant: String,
    /// Its sid.
    pub sid: String,
    /// Where its sound comes from.
    pub source: Source,
    /// Whether it is muted.
    pub muted: bool,
    /// Whether its owner records what they say until we have subscribed, and sends that as
    /// [`RoomEvent::Bytes`].
    pub is_recorded_before: bool,
}

/// Where a track's sound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A microphone.
    Microphone,
    /// Something else, or unknown.
    Other,
}

/// A piece of a text stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChunk {
    /// The stream's id.
    pub stream: String,
    /// The identity of who said or wrote it: for a transcription, the participant who is transcribed.
    pub sender: String,
    /// Its topic.
    pub topic: String,
    /// The attributes of its header.
    pub attributes: BTreeMap<String, String>,
    /// The piece: whole characters.
    pub text: String,
}

/// A whole text stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The stream's id.
    pub stream: String,
    /// The identity of who said or wrote it: for a transcription, the participant who is transcribed.
    pub sender: String,
    /// Its topic.
    pub topic: String,
    /// The attributes of its header and of its trailer, whose values win.
    pub attributes: BTreeMap<String, String>,
    /// The text.
    pub text: String,
}

/// A whole byte stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The sender's identity.
    pub sender: String,
    /// Its topic.
    pub topic: String,
    /// The MIME type, as the sender says.
    pub mime_type: String,
    /// The attributes of its header and of its trailer, whose values win.
    pub attributes: BTreeMap<String, String>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Why a room is over for us.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// We left.
    #[error("left")]
    Left,
    /// The server ended it, and it would be wrong to join again: the room was deleted or closed, we were
    /// removed, or somebody else joined with our identity.
    #[error("the server ended it: {0}")]
    Evicted(String),
    /// The connection was lost and could not be made again within `rejoin_limit`.
    #[error("the connection was lost: {0}")]
    Lost(String),
}

impl From<&proto::ParticipantInfo> for Participant {
    fn from(info: &proto::ParticipantInfo) -> Self {
        use proto::participant_info as p;
        Self {
            identity: info.identity.clone(),
            sid: info.sid.clone(),
            name: limits::name(&info.name),
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
            may_speak: info.permission.as_ref().is_none_or(lets_speak),
            has_voice: info.tracks.iter().any(is_voice),
            quality: Quality::Excellent,
            attributes: limits::attributes(info.attributes.clone()),
        }
    }
}

/// Whether who has this permission can be heard by others. No list of sources allows all of them.
fn lets_speak(permission: &proto::ParticipantPermission) -> bool {
    let mut sources = permission.can_publish_sources();
    let is_listed = permission.can_publish_sources.is_empty()
        || sources.any(|source| source == proto::TrackSource::Microphone);
    permission.can_publish && is_listed && !permission.hidden
}

/// Whether a track may be its owner's voice: what a shared tab or film plays is nobody's.
pub(crate) fn is_voice(track: &proto::TrackInfo) -> bool {
    let is_shared = track.source() == proto::TrackSource::ScreenShareAudio;
    track.r#type() == proto::TrackType::Audio && !is_shared
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

#[cfg(test)]
mod tests {
    use livekit_protocol::{
        ParticipantInfo, ParticipantPermission, TrackInfo, TrackSource, TrackType,
    };

    use super::*;

    /// N01: who may speak is what the server permits: publishing, a microphone among it, and being seen. A
    /// server that says nothing permits it.
    #[test]
    fn a_permission_lets_speak_or_not() {
        let may = |can_publish, hidden, sources: &[TrackSource]| {
            let permission = ParticipantPermission {
                can_publish,
                hidden,
                can_publish_sources: sources.iter().map(|source| (*source).into()).collect(),
                ..Default::default()
            };
            let info = ParticipantInfo { permission: Some(permission), ..Default::default() };
            Participant::from(&info).may_speak
        };
        assert!(Participant::from(&ParticipantInfo::default()).may_speak);
        assert!(may(true, false, &[]));
        assert!(may(true, false, &[TrackSource::Camera, TrackSource::Microphone]));
        assert!(!may(true, false, &[TrackSource::Camera]));
        assert!(!may(true, true, &[]));
        assert!(!may(false, false, &[]));
    }

    /// A camera and a shared film are no voice.
    #[test]
    fn a_voice_is_sound_that_is_not_shared() {
        let has = |kind: TrackType, source: TrackSource| {
            let track =
                TrackInfo { r#type: kind.into(), source: source.into(), ..Default::default() };
            let info = ParticipantInfo { tracks: vec![track], ..Default::default() };
            Participant::from(&info).has_voice
        };
        assert!(has(TrackType::Audio, TrackSource::Microphone));
        assert!(has(TrackType::Audio, TrackSource::Unknown));
        assert!(!has(TrackType::Audio, TrackSource::ScreenShareAudio));
        assert!(!has(TrackType::Video, TrackSource::Camera));
    }
}
