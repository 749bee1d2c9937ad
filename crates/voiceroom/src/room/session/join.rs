//! The way into a session: offer, signalling, first state.

use std::{io, net::IpAddr};

use livekit_protocol as proto;

use super::{
    super::{
        JoinError, PeerMode, Redundancy, RoomOptions,
        net::local_ips,
        peer::{Peer, audio_config},
        publisher::Publisher,
        signal::Signal,
        turn::TurnServer,
    },
    Carry, OurTrack, PEER_CONNECT_LIMIT, Peers, Resuming, Session,
};
use crate::{clock, server};

/// The server has let us in; media comes next.
pub(in crate::room) struct Connected {
    signal: Signal,
    peers: Peers,
    ours: OurTrack,
    local: proto::ParticipantInfo,
    others: Vec<proto::ParticipantInfo>,
}

/// Makes the peer connections and joins over signalling.
pub(in crate::room) async fn connect(options: &RoomOptions) -> Result<Connected, JoinError> {
    let token = (options.tokens)().map_err(JoinError::NoToken)?;
    let local = |error: io::Error| JoinError::Local(error.to_string());
    let ips = match &options.ips[..] {
        [] => local_ips(server::is_loopback(&options.url)).map_err(local)?,
        ips => ips.to_vec(),
    };
    let bind = |name| bind(name, options, &ips);

    let mut publisher = publisher(bind("publisher").await.map_err(local)?);
    let offer = match options.mode {
        PeerMode::One => {
            // One spare receive section: it makes a later offer possible at any time.
            publisher.want_receive(1);
            publisher.poll_offer()
        }
        PeerMode::Two => None,
    };
    let (signal, join) = Signal::connect(&options.url, &token, offer, options.connect_limit)
        .await
        .map_err(|error| JoinError::from_signal(&options.url, &error))?;
    let mut subscriber = None;
    if !signal.is_single_pc() {
        subscriber = Some(bind("subscriber").await.map_err(local)?);
        if options.mode == PeerMode::One {
            tracing::info!("used two peer connections, the server has no /rtc/v1");
            publisher = self::publisher(bind("publisher").await.map_err(local)?);
        }
    }
    let mut peers = Peers::new(publisher, subscriber, join.subscriber_primary);
    peers.know_relays(&TurnServer::all(&join.ice_servers));
    let Some(local) = join.participant else {
        let cause = "its answer names no participant".to_owned();
        return Err(JoinError::NoServer { url: options.url.clone(), cause });
    };
    tracing::info!(
        room = join.room.map(|r| r.name).unwrap_or_default(),
        identity = local.identity,
        sid = local.sid,
        server = join.server_info.map(|s| s.version).unwrap_or_default(),
        others = join.other_participants.len(),
        "joined"
    );
    options.counters.sessions.bump();
    let ours = OurTrack::new(options.redundancy, options.is_recorded_before);
    Ok(Connected { signal, peers, ours, local, others: join.other_participants })
}

async fn bind(name: &'static str, options: &RoomOptions, ips: &[IpAddr]) -> io::Result<Peer> {
    let config = audio_config(options.redundancy == Redundancy::Offered);
    Peer::bind(name, config, ips, options.ice_transport_policy, options.counters.clone()).await
}

fn publisher(peer: Peer) -> Publisher {
    let mut publisher = Publisher::new(peer);
    publisher.want_data_channels();
    publisher
}

impl Connected {
    /// Our identity, as the token says.
    pub(in crate::room) fn identity(&self) -> &str {
        &self.local.identity
    }

    /// Begins the session: asks for our track, sets our attributes, tells who is there.
    pub(in crate::room) fn begin(self, carry: Carry) -> Session {
        let mut session = Session {
            carry,
            signal: self.signal,
            peers: self.peers,
            connect_deadline: Some(clock::instant() + PEER_CONNECT_LIMIT),
            local: self.local,
            ours: self.ours,
            theirs: Default::default(),
            channels: Vec::new(),
            inbox: Default::default(),
            outbox: Default::default(),
            resuming: Resuming::new(),
            closed: None,
        };
        session.carry.captions.begin_session();
        // Right after the join, not when the data channel is open: under load SCTP repeats its first
        // packet only after a second.
        session.publish();
        session.send_attributes(session.carry.attributes.clone());
        session.meet(self.others);
        session
    }
}
