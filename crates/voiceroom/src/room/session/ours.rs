//! Our track on its way into the room.

use livekit_protocol as proto;
use str0m::media::{Mid, Pt};

use super::super::{Microphone, Redundancy};

pub(super) struct OurTrack {
    pub(super) way: Outgoing,
    redundancy: Redundancy,
    is_recorded_before: bool,
    /// How often it was published in this session.
    published: u32,
}

/// How far our track is on its way.
pub(super) enum Outgoing {
    None,
    /// The server has been asked.
    Requested {
        cid: String,
    },
    /// The server knows it; its section is being negotiated.
    Announced {
        cid: String,
        info: proto::TrackInfo,
    },
    /// Frames can be sent.
    Sending {
        cid: String,
        info: proto::TrackInfo,
        mid: Mid,
        pt: Pt,
    },
}

impl OurTrack {
    pub(super) fn new(redundancy: Redundancy, is_recorded_before: bool) -> Self {
        Self { way: Outgoing::None, redundancy, is_recorded_before, published: 0 }
    }

    /// The request for it, which is on its way from now on. `sid` is ours.
    pub(super) fn request(&mut self, sid: &str, microphone: Microphone) -> proto::AddTrackRequest {
        use proto::AudioTrackFeature as Feature;
        self.published += 1;
        // Unique per session; without `_`, so that it survives as an msid token.
        let cid = format!("mic-{}-{}", sid.replace('_', "-"), self.published);
        self.way = Outgoing::Requested { cid: cid.clone() };
        let mut audio_features = vec![Feature::TfNoDtx.into()];
        if self.is_recorded_before {
            audio_features.push(Feature::TfPreconnectBuffer.into());
        }
        proto::AddTrackRequest {
            cid,
            name: "microphone".into(),
            r#type: proto::TrackType::Audio.into(),
            source: proto::TrackSource::Microphone.into(),
            audio_features,
            disable_red: self.redundancy == Redundancy::Off,
            muted: microphone == Microphone::Muted,
            ..Default::default()
        }
    }

    /// Gives it up. Tells how far it was.
    pub(super) fn take(&mut self) -> Outgoing {
        std::mem::replace(&mut self.way, Outgoing::None)
    }

    /// What the server knows it by, if it does: our name and its own.
    pub(super) fn known(&self) -> Option<(&str, &proto::TrackInfo)> {
        match &self.way {
            Outgoing::Sending { cid, info, .. } | Outgoing::Announced { cid, info } => {
                Some((cid, info))
            }
            Outgoing::None | Outgoing::Requested { .. } => None,
        }
    }

    pub(super) fn is_sending(&self) -> bool {
        matches!(self.way, Outgoing::Sending { .. })
    }
}
