//! The peer connection the client offers: data channels, published tracks and, in single peer
//! connection mode, the sections for subscribed tracks as well.
//!
//! str0m allows one offer at a time. Wanted changes accumulate while an offer is in flight and go
//! into the next one.

use std::collections::{BTreeMap, HashMap};

use livekit_protocol::SessionDescription;
use str0m::change::{SdpAnswer, SdpApi, SdpPendingOffer};
use str0m::channel::{ChannelConfig, ChannelId, Reliability};
use str0m::format::Codec;
use str0m::media::{Direction, MediaKind, Mid, Pt};

use super::peer::Peer;
use super::sdp;
use super::tcp::Control;

pub(super) const RELIABLE: &str = "_reliable";
pub(super) const LOSSY: &str = "_lossy";

/// Sections that one offer adds; the server asks for one per track.
const SECTIONS_MAX: u32 = 16;

/// The two ends of a peer connection disagree: only a new session helps.
#[derive(Debug, thiserror::Error)]
pub(super) enum NegotiationError {
    #[error("unreadable description: {0}")]
    Unreadable(#[from] str0m::error::SdpError),
    #[error("description refused: {0}")]
    Refused(#[from] str0m::RtcError),
}

/// Changes the next offer has to carry.
#[derive(Debug, Default, Clone)]
struct Wanted {
    data_channels: bool,
    /// Tracks to publish, by client id (`cid`).
    send: Vec<String>,
    /// Tracks to publish no longer.
    stop: Vec<Mid>,
    /// Further sections for audio that the server wants to send. With zero of them there is an offer all the
    /// same, though nothing has changed on our side: the server has something to put in.
    receive: Option<u32>,
    ice_restart: bool,
}

impl Wanted {
    fn merge(&mut self, other: Wanted) {
        self.data_channels |= other.data_channels;
        self.send.extend(other.send);
        self.stop.extend(other.stop);
        let both = self.receive.into_iter().chain(other.receive);
        self.receive = both.reduce(|ours, others| ours + others);
        self.ice_restart |= other.ice_restart;
    }

    fn any(&self) -> bool {
        self.data_channels
            || !self.send.is_empty()
            || !self.stop.is_empty()
            || self.receive.is_some()
            || self.ice_restart
    }
}

struct InFlight {
    id: u32,
    sdp: String,
    pending: SdpPendingOffer,
    sends: Vec<(String, Mid)>,
    /// What the offer carries, to be wanted again if the offer is lost.
    wanted: Wanted,
}

pub(super) struct Publisher {
    pub(super) peer: Peer,
    wanted: Wanted,
    in_flight: Option<InFlight>,
    last_offer_id: u32,
    /// Sections for subscribed tracks, whether in use or not (single peer connection mode).
    receive_mids: Vec<Mid>,
    channels: BTreeMap<String, ChannelId>,
    /// Last completed offer and answer, which a resume reports to the server.
    negotiated: Option<(String, String)>,
}

impl Publisher {
    pub(super) fn new(peer: Peer) -> Self {
        Self {
            peer,
            wanted: Wanted::default(),
            in_flight: None,
            last_offer_id: 0,
            receive_mids: Vec::new(),
            channels: BTreeMap::new(),
            negotiated: None,
        }
    }

    pub(super) fn want_data_channels(&mut self) {
        self.wanted.data_channels = true;
    }

    pub(super) fn want_send(&mut self, cid: String) {
        self.wanted.send.push(cid);
    }

    pub(super) fn want_stop(&mut self, mid: Mid) {
        self.wanted.stop.push(mid);
    }

    /// `count` more sections for audio the server wants to send; zero asks for a fresh offer.
    pub(super) fn want_receive(&mut self, count: u32) {
        let wanted = self.wanted.receive.unwrap_or_default() + count.min(SECTIONS_MAX);
        self.wanted.receive = Some(wanted.min(SECTIONS_MAX));
    }

    /// An unanswered offer is lost with the old signalling connection: what it carried is wanted again.
    pub(super) fn want_lost_offer(&mut self) {
        if let Some(lost) = self.in_flight.take() {
            self.wanted.merge(lost.wanted);
        }
    }

    pub(super) fn want_ice_restart(&mut self) {
        self.wanted.ice_restart = true;
    }

    /// The next offer to send, if one is wanted and none is in flight.
    pub(super) fn poll_offer(&mut self) -> Option<SessionDescription> {
        if self.in_flight.is_some() || !self.wanted.any() {
            return None;
        }
        let wanted = std::mem::take(&mut self.wanted);
        let Self { peer, receive_mids, channels, .. } = self;
        let mut sends = Vec::new();
        let (offer, pending) = peer.with(|rtc| {
            let is_off =
                |mid: &&Mid| rtc.media(**mid).is_some_and(|m| m.direction() == Direction::Inactive);
            let switched_off: Vec<Mid> = receive_mids.iter().filter(is_off).copied().collect();
            let mut change = rtc.sdp_api();
            if wanted.data_channels {
                add_channels(&mut change, channels);
            }
            for cid in &wanted.send {
                sends.push((cid.clone(), send_section(&mut change, cid)));
            }
            for mid in &wanted.stop {
                change.set_direction(*mid, Direction::Inactive);
            }
            if wanted.ice_restart {
                change.ice_restart(true);
            }
            want_sections(&mut change, receive_mids, &switched_off, &wanted);
            change.apply()
        })?;
        let sdp = sdp::receive_only(&offer.to_sdp_string());
        self.last_offer_id += 1;
        let id = self.last_offer_id;
        self.in_flight = Some(InFlight { id, sdp: sdp.clone(), pending, sends, wanted });
        Some(SessionDescription {
            r#type: "offer".into(),
            sdp,
            id,
            mid_to_track_id: HashMap::new(),
        })
    }

    /// Applies the server's answer; returns the tracks whose sections are now negotiated, or
    /// nothing when the answer belongs to an offer given up by a resume.
    pub(super) fn accept_answer(
        &mut self,
        answer: &SessionDescription,
    ) -> Result<Option<Vec<(String, Mid)>>, NegotiationError> {
        let current = |offer: &mut InFlight| answer.id == 0 || answer.id == offer.id;
        let Some(in_flight) = self.in_flight.take_if(current) else {
            return Ok(None);
        };
        let parsed = SdpAnswer::from_sdp_string(&answer.sdp)?;
        self.peer.with(|rtc| rtc.sdp_api().accept_answer(in_flight.pending, parsed))?;
        self.peer.remote_description_set(&answer.sdp, Control::Ours);
        self.negotiated = Some((in_flight.sdp, answer.sdp.clone()));
        Ok(Some(in_flight.sends))
    }

    pub(super) fn negotiated(&self) -> Option<&(String, String)> {
        self.negotiated.as_ref()
    }

    /// The payload type to send Opus with on a published track.
    pub(super) fn opus_pt(&mut self, mid: Mid) -> Option<Pt> {
        self.peer.with(|rtc| {
            let writer = rtc.writer(mid)?;
            writer.payload_params().find(|p| p.spec().codec == Codec::Opus).map(|p| p.pt())
        })
    }

    pub(super) fn channel(&self, label: &str) -> Option<ChannelId> {
        self.channels.get(label).copied()
    }

    /// SCTP stream ids of the open channels, by label (reported by a resume).
    pub(super) fn channel_stream_ids(&mut self) -> Vec<(String, u16)> {
        let Self { peer, channels, .. } = self;
        peer.with(|rtc| {
            let api = rtc.direct_api();
            channels
                .iter()
                .filter_map(|(label, id)| {
                    Some((label.clone(), api.sctp_stream_id_by_channel_id(*id)?))
                })
                .collect()
        })
    }
}

fn add_channels(change: &mut SdpApi<'_>, channels: &mut BTreeMap<String, ChannelId>) {
    for (label, ordered, reliability) in [
        (RELIABLE, true, Reliability::Reliable),
        (LOSSY, false, Reliability::MaxRetransmits { retransmits: 0 }),
    ] {
        let id = change.add_channel_with_config(ChannelConfig {
            label: label.to_owned(),
            ordered,
            reliability,
            ..Default::default()
        });
        channels.insert(label.to_owned(), id);
    }
}

/// The track id of the msid is what the server matches with `AddTrackRequest.cid`.
fn send_section(change: &mut SdpApi<'_>, cid: &str) -> Mid {
    let id = Some(cid.to_owned());
    change.add_media(MediaKind::Audio, Direction::SendOnly, id.clone(), id, None)
}

/// Sections for what the server sends us.
fn want_sections(
    change: &mut SdpApi<'_>,
    receive_mids: &mut Vec<Mid>,
    switched_off: &[Mid],
    wanted: &Wanted,
) {
    for _ in 0..wanted.receive.unwrap_or_default() {
        receive_mids.push(receive_section(change));
    }
    // The server answers `inactive` when a track ends, str0m keeps that, and the server uses the
    // section again for a later track: it would stay silent.
    for mid in switched_off {
        change.set_direction(*mid, Direction::RecvOnly);
    }
    // str0m makes no offer without a change. `SendRecv` is one that the server never sees: the text
    // says `recvonly` again, and its answer turns str0m back.
    if wanted.receive.is_some() && !change.has_changes() {
        match receive_mids.first() {
            Some(mid) => change.set_direction(*mid, Direction::SendRecv),
            None => receive_mids.push(receive_section(change)),
        }
    }
}

fn receive_section(change: &mut SdpApi<'_>) -> Mid {
    change.add_media(MediaKind::Audio, Direction::RecvOnly, None, None, None)
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use str0m::change::SdpOffer;
    use tokio::time::{Instant, sleep_until, timeout};

    use super::*;
    use crate::room::{IceTransportPolicy, peer::audio_config};

    async fn bind(name: &'static str) -> Peer {
        let ips = [IpAddr::V4(Ipv4Addr::LOCALHOST)];
        Peer::bind(name, audio_config(true), &ips, IceTransportPolicy::All, Default::default())
            .await
            .unwrap()
    }

    /// The other side, playing the server.
    fn answer(server: &mut Peer, offer: &SessionDescription) -> SessionDescription {
        let parsed = SdpOffer::from_sdp_string(&offer.sdp).unwrap();
        let answer = server.with(|rtc| rtc.sdp_api().accept_offer(parsed)).unwrap();
        SessionDescription { sdp: answer.to_sdp_string(), id: offer.id, ..Default::default() }
    }

    fn negotiate(client: &mut Publisher, server: &mut Peer) -> Vec<(String, Mid)> {
        let offer = client.poll_offer().expect("an offer");
        let answer = answer(server, &offer);
        client.accept_answer(&answer).unwrap().expect("the answer to the offer in flight")
    }

    /// One offer is in flight; wishes wait for its answer, and a stale answer is none.
    #[tokio::test]
    async fn wishes_wait_for_the_answer() {
        let (mut client, mut server) = (Publisher::new(bind("client").await), bind("server").await);
        client.want_data_channels();
        client.want_receive(1);
        let first = client.poll_offer().expect("an offer");
        client.want_send("mic".into());
        assert!(client.poll_offer().is_none());
        let answer = answer(&mut server, &first);
        let stale = SessionDescription { id: first.id + 7, ..answer.clone() };
        assert_eq!(client.accept_answer(&stale).unwrap(), None);
        assert_eq!(client.accept_answer(&answer).unwrap(), Some(vec![]));
        assert_eq!(negotiate(&mut client, &mut server).len(), 1);
    }

    /// A fresh offer can always be had, says `recvonly` in every section, and adds no section each time.
    #[tokio::test]
    async fn receive_sections_are_recvonly_in_every_offer() {
        let (mut client, mut server) = (Publisher::new(bind("client").await), bind("server").await);
        client.want_data_channels();
        client.want_receive(1);
        negotiate(&mut client, &mut server);
        for _ in 0..3 {
            client.want_receive(0);
            negotiate(&mut client, &mut server);
            let (offer, _) = client.negotiated().unwrap();
            assert_eq!(offer.matches("\r\nm=").count(), 2, "{offer}");
            assert_eq!(offer.matches("a=recvonly\r\n").count(), 1, "{offer}");
        }
        assert!(client.poll_offer().is_none());
    }

    /// An ICE restart takes up the wishes of the offer that was lost, and the connection comes back.
    #[tokio::test]
    async fn an_ice_restart_keeps_wishes_and_connects_again() {
        let (mut client, mut server) = (Publisher::new(bind("client").await), bind("server").await);
        client.want_data_channels();
        negotiate(&mut client, &mut server);
        connect(&mut client.peer, &mut server).await;
        client.want_send("mic".into());
        client.poll_offer().expect("an offer that gets lost");
        client.want_lost_offer();
        client.want_ice_restart();
        assert_eq!(negotiate(&mut client, &mut server).len(), 1);
        connect(&mut client.peer, &mut server).await;
    }

    async fn connect(client: &mut Peer, server: &mut Peer) {
        let connecting = async {
            while !(client.is_connected() && server.is_connected()) {
                let deadline = client.deadline().min(server.deadline());
                tokio::select! {
                    incoming = client.recv() => client.handle(incoming),
                    incoming = server.recv() => server.handle(incoming),
                    () = sleep_until(Instant::from_std(deadline)) => {}
                }
                let now = crate::clock::instant();
                client.handle_timeout(now);
                server.handle_timeout(now);
            }
        };
        timeout(std::time::Duration::from_secs(20), connecting).await.expect("connected");
    }
}
