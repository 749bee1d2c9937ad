//! Who is there, and which of their tracks we hear.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use livekit_protocol::{self as proto, ParticipantInfo, participant_info, signal_request};
use str0m::media::Mid;

use super::{
    super::{RoomEvent, sdp},
    Receiving, Session, Side, Wished,
};
use crate::{
    clock,
    inbox::{Participant, Quality, Source, Track, is_voice},
};

/// Tracks of others that we ask for; more are not heard.
const TRACKS_MAX: usize = 64;

/// Those of one participant: whoever publishes without end does not hide the others.
const TRACKS_OF_ONE_MAX: usize = 16;

/// The tracks of others.
#[derive(Default)]
pub(super) struct Theirs {
    /// Tracks that we asked for, by sid.
    wished: BTreeMap<String, Wished>,
    /// Tracks that the server sends, by side and section.
    receiving: BTreeMap<(Side, Mid), Receiving>,
    /// Whether it was said that there are too many: whoever publishes those is told of again and again.
    has_warned: bool,
}

impl Theirs {
    /// The track that comes in a section.
    pub(super) fn received(&self, side: Side, mid: Mid) -> Option<&Receiving> {
        self.receiving.get(&(side, mid))
    }

    /// Whether a track has come for at least so long.
    pub(super) fn is_received(&self, sid: &str, now: Instant, at_least: Duration) -> bool {
        self.receiving.values().any(|r| *r.sid == *sid && now >= r.since + at_least)
    }

    /// The sids of those that we asked for.
    pub(super) fn wished(&self) -> Vec<String> {
        self.wished.keys().cloned().collect()
    }

    /// How many more tracks of a participant are asked for.
    fn places(&self, identity: &str) -> usize {
        let theirs = self.wished.values().filter(|it| it.track.participant == identity).count();
        let of_one = TRACKS_OF_ONE_MAX.saturating_sub(theirs);
        TRACKS_MAX.saturating_sub(self.wished.len()).min(of_one)
    }

    /// One track too many.
    fn ignored(&mut self, sid: &str) {
        if !std::mem::replace(&mut self.has_warned, true) {
            tracing::warn!(track = sid, "ignored one track too many");
        }
    }

    /// The server does not send a track.
    pub(super) fn forget(&mut self, sid: &str) {
        self.wished.remove(sid);
    }
}

impl Session {
    /// The others at the beginning of a session. Who was there in the session before and is not now, is gone.
    pub(super) fn meet(&mut self, others: Vec<ParticipantInfo>) {
        let gone: Vec<_> = self
            .carry
            .participants
            .values()
            .filter(|known| !others.iter().any(|o| o.identity == known.identity))
            .map(|known| (known.identity.clone(), known.sid.clone()))
            .collect();
        for (identity, sid) in gone {
            self.say_left(&identity, &sid);
        }
        for info in others {
            self.update_participant(info);
        }
    }

    pub(super) fn update_participant(&mut self, info: ParticipantInfo) {
        if info.sid == self.local.sid {
            self.local = info;
            return;
        }
        if info.identity == self.local.identity {
            return; // an earlier session of ours
        }
        let mut participant = Participant::from(&info);
        let known = self.carry.participants.get(&info.identity);
        let event = match News::of(&info, known) {
            News::Joined => RoomEvent::ParticipantJoined(participant.clone()),
            News::CameBack { old } => {
                self.say_left(&info.identity, &old);
                RoomEvent::ParticipantJoined(participant.clone())
            }
            News::Changed { quality } => {
                participant.quality = quality;
                RoomEvent::ParticipantUpdated(participant.clone())
            }
            News::Left => return self.say_left(&info.identity, &info.sid),
            News::Late => return,
        };
        self.inbox.meet(&info.sid, &info.identity);
        self.carry.participants.insert(info.identity.clone(), participant);
        self.carry.events.send(event);
        self.update_wishes(&info);
    }

    fn say_left(&mut self, identity: &str, sid: &str) {
        self.carry.participants.remove(identity);
        self.inbox.forget(sid);
        let (identity, sid) = (identity.to_owned(), sid.to_owned());
        self.carry.events.send(RoomEvent::ParticipantLeft { identity, sid });
    }

    pub(super) fn update_quality(&mut self, updates: Vec<proto::ConnectionQualityInfo>) {
        for update in updates {
            let quality = Quality::from(update.quality());
            let known =
                self.carry.participants.values_mut().find(|p| p.sid == update.participant_sid);
            if let Some(participant) = known.filter(|p| p.quality != quality) {
                participant.quality = quality;
                let event = RoomEvent::ParticipantUpdated(participant.clone());
                self.carry.events.send(event);
            }
        }
    }

    /// Asks for new audio tracks, and tells when one is muted or not any more.
    fn update_wishes(&mut self, info: &ParticipantInfo) {
        let mut fresh = Vec::new();
        let mut places = self.theirs.places(&info.identity);
        for track in info.tracks.iter().filter(|track| is_voice(track)) {
            match self.theirs.wished.get_mut(&track.sid) {
                Some(wished) if wished.track.muted != track.muted => {
                    wished.track.muted = track.muted;
                    let is_heard = self.theirs.receiving.values().any(|r| *r.sid == track.sid);
                    if is_heard {
                        self.carry.events.send(mute_event(&info.identity, track));
                    }
                }
                Some(_) => {}
                None if places == 0 => {
                    self.theirs.ignored(&track.sid);
                }
                None => {
                    places -= 1;
                    self.theirs
                        .wished
                        .insert(track.sid.clone(), Wished { track: wish(&info.identity, track) });
                    fresh.push(track.sid.clone());
                }
            }
        }
        // A track that was withdrawn before it came leaves no wish behind.
        let heard: Vec<_> = self.theirs.receiving.values().map(|r| r.sid.clone()).collect();
        self.theirs.wished.retain(|sid, wished| {
            wished.track.participant != info.identity
                || info.tracks.iter().any(|t| t.sid == *sid)
                || heard.iter().any(|h| **h == *sid)
        });
        if !fresh.is_empty() {
            self.signal.send(subscription_request(&info.sid, fresh));
        }
    }

    /// Adopts the tracks of a description: new ones are heard from now on, missing ones are gone.
    pub(super) fn update_tracks(&mut self, side: Side, description: &proto::SessionDescription) {
        let named = &description.mid_to_track_id;
        let current: BTreeMap<Mid, String> = sdp::sent_track_ids(&description.sdp)
            .into_iter()
            .map(|(mid, from_msid)| {
                let sid = named.get(&mid).cloned().unwrap_or(from_msid);
                (Mid::from(mid.as_str()), sid)
            })
            .filter(|(_, sid)| sid.starts_with("TR_"))
            .collect();
        let gone: Vec<Mid> = self
            .theirs
            .receiving
            .iter()
            .filter(|((s, mid), r)| {
                *s == side && current.get(mid).is_none_or(|sid| **sid != *r.sid)
            })
            .map(|((_, mid), _)| *mid)
            .collect();
        for mid in gone {
            self.end_track(side, mid);
        }
        for (mid, sid) in current {
            if self.theirs.receiving.contains_key(&(side, mid)) {
                continue;
            }
            match self.theirs.receiving.len() < TRACKS_MAX {
                true => self.begin_track(side, mid, sid),
                false => self.theirs.ignored(&sid),
            }
        }
    }

    fn begin_track(&mut self, side: Side, mid: Mid, sid: String) {
        let track = match self.theirs.wished.get(&sid) {
            Some(wished) => wished.track.clone(),
            None => Track {
                participant: String::new(),
                sid: sid.clone(),
                source: Source::Other,
                muted: false,
                is_recorded_before: false,
            },
        };
        // Who it is stands in no log: the identity of somebody on the phone has their number.
        tracing::info!(track = sid, %mid, "track subscribed");
        let (participant, since) = (track.participant.as_str().into(), clock::instant());
        let receiving = Receiving { participant, sid: sid.into(), since };
        self.theirs.receiving.insert((side, mid), receiving);
        self.carry.events.send(RoomEvent::TrackSubscribed(track));
    }

    fn end_track(&mut self, side: Side, mid: Mid) {
        let Some(receiving) = self.theirs.receiving.remove(&(side, mid)) else { return };
        self.theirs.wished.remove(&*receiving.sid);
        self.carry.events.send(RoomEvent::TrackUnsubscribed {
            participant: receiving.participant.to_string(),
            track: receiving.sid.to_string(),
        });
    }

    /// With the session all tracks end.
    pub(super) fn end_tracks(&mut self) {
        let all: Vec<_> = self.theirs.receiving.keys().copied().collect();
        for (side, mid) in all {
            self.end_track(side, mid);
        }
    }
}

/// What an update of the server says about a participant.
#[derive(Debug, PartialEq, Eq)]
enum News {
    Joined,
    /// The same identity is there in another session; a goodbye of the old one has not come.
    CameBack {
        old: String,
    },
    Changed {
        quality: Quality,
    },
    Left,
    /// The goodbye of a session that is known to be over: it must not remove the present one.
    Late,
}

impl News {
    fn of(info: &ParticipantInfo, known: Option<&Participant>) -> Self {
        let is_goodbye = info.state() == participant_info::State::Disconnected;
        match known {
            Some(known) if known.sid == info.sid && is_goodbye => Self::Left,
            Some(known) if known.sid == info.sid => Self::Changed { quality: known.quality },
            Some(_) | None if is_goodbye => Self::Late,
            Some(known) => Self::CameBack { old: known.sid.clone() },
            None => Self::Joined,
        }
    }
}

fn wish(participant: &str, track: &proto::TrackInfo) -> Track {
    Track {
        participant: participant.to_owned(),
        sid: track.sid.clone(),
        source: match track.source() {
            proto::TrackSource::Microphone => Source::Microphone,
            _ => Source::Other,
        },
        muted: track.muted,
        is_recorded_before: track
            .audio_features()
            .any(|feature| feature == proto::AudioTrackFeature::TfPreconnectBuffer),
    }
}

fn mute_event(participant: &str, track: &proto::TrackInfo) -> RoomEvent {
    let (participant, sid) = (participant.to_owned(), track.sid.clone());
    match track.muted {
        true => RoomEvent::TrackMuted { participant, track: sid },
        false => RoomEvent::TrackUnmuted { participant, track: sid },
    }
}

fn subscription_request(participant: &str, tracks: Vec<String>) -> signal_request::Message {
    signal_request::Message::Subscription(proto::UpdateSubscription {
        track_sids: tracks.clone(),
        subscribe: true,
        participant_tracks: vec![proto::ParticipantTracks {
            participant_sid: participant.to_owned(),
            track_sids: tracks,
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same identity comes back with another sid, without a goodbye, and that of the old sid comes late.
    #[test]
    fn sessions_of_one_identity_are_told_apart() {
        let info = |sid: &str, state: participant_info::State| ParticipantInfo {
            identity: "cand".into(),
            sid: sid.into(),
            state: state.into(),
            ..Default::default()
        };
        let here = |sid| info(sid, participant_info::State::Active);
        let gone = |sid| info(sid, participant_info::State::Disconnected);
        let known = Participant::from(&here("PA_1"));
        let news = |info| News::of(&info, Some(&known));
        assert_eq!(News::of(&here("PA_1"), None), News::Joined);
        assert_eq!(news(here("PA_1")), News::Changed { quality: known.quality });
        assert_eq!(news(here("PA_2")), News::CameBack { old: "PA_1".into() });
        assert_eq!(news(gone("PA_1")), News::Left);
        assert_eq!(news(gone("PA_0")), News::Late);
        assert_eq!(News::of(&gone("PA_0"), None), News::Late);
    }
}
