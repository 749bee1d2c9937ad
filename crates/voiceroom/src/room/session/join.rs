//! The way into a session: offer, signalling, first state.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    net::IpAddr,
};

use livekit_protocol as proto;
use tokio::sync::mpsc;

use super::{
    super::{
        JoinError, PeerMode, Redundancy, RoomOptions,
        net::local_ips,
        peer::{Peer, audio_config},
        publisher::Publisher,
        signal::Signal,
        turn::TurnServer,
    },
    Carry, Outgoing, PEER_CONNECT_LIMIT, Resume, Session, Side,
};
use crate::{clock, server};

/// The server has let us in; media comes next.
pub(in crate::room) struct Connected {
    signal: Signal,
    publisher: Publisher,
    subscriber: Option<Peer>,
    redundancy: Redundancy,
    is_recorded_before: bool,
    primary: Side,
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
    let relays = TurnServer::all(&join.ice_servers);
    for peer in [Some(&mut publisher.peer), subscriber.as_mut()].into_iter().flatten() {
        peer.know_relays(relays.clone());
    }
    let primary = match &subscriber {
        Some(_) if join.subscriber_primary => Side::Subscriber,
        _ => Side::Publisher,
    };
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
    let RoomOptions { redundancy, is_recorded_before, .. } = *options;
    let others = join.other_participants;
    Ok(Connected {
        signal,
        publisher,
        subscriber,
        redundancy,
        is_recorded_before,
        primary,
        local,
        others,
    })
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
        let (resumed_tx, resumed_rx) = mpsc::channel(1);
        let mut session = Session {
            carry,
            signal: self.signal,
            publisher: self.publisher,
            subscriber: self.subscriber,
            redundancy: self.redundancy,
            is_recorded_before: self.is_recorded_before,
            primary: self.primary,
            connect_deadline: Some(clock::instant() + PEER_CONNECT_LIMIT),
            publisher_ice_was_up: false,
            local: self.local,
            wished: BTreeMap::new(),
            receiving: BTreeMap::new(),
            channels: Vec::new(),
            outgoing: Outgoing::None,
            tracks_published: 0,
            reliable: Default::default(),
            data_queue: VecDeque::new(),
            inbox: Default::default(),
            streams_sent: 0,
            resumed_tx,
            resumed_rx,
            resume: Resume::No,
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
