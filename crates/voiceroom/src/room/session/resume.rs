//! A new signalling connection for the same session.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use livekit_protocol::{self as proto, ReconnectReason, leave_request, signal_request};
use livekit_signaling::{SignalClient, SignalError};
use tokio::{sync::mpsc, time::sleep};

use super::{
    super::{End, RoomEvent, reason::is_final, signal::off_the_runtime, turn::TurnServer},
    ResumeResult, Session, SessionEnd,
};
use crate::clock;

/// A resume is given up in favour of a new session after this long. The server keeps a participant whose
/// media is connected, and drops it about 20 s after its media broke.
const RESUME_LIMIT: Duration = Duration::from_secs(15);
const BACKOFF_FIRST: Duration = Duration::from_millis(300);
const BACKOFF_MAX: Duration = Duration::from_secs(3);

/// The resume of a session.
pub(super) struct Resuming {
    stage: Resume,
    done: mpsc::Sender<ResumeResult>,
    /// What became of the attempts.
    pub(super) results: mpsc::Receiver<ResumeResult>,
}

/// Where a session is with its resume.
enum Resume {
    No,
    /// The server has been asked; whom it does not answer by then joins again.
    Asked {
        until: Instant,
        reason: ReconnectReason,
    },
    /// The server has agreed; media must come back by then.
    Accepted {
        until: Instant,
    },
}

impl Resuming {
    pub(super) fn new() -> Self {
        let (done, results) = mpsc::channel(1);
        Self { stage: Resume::No, done, results }
    }

    pub(super) fn is_under_way(&self) -> bool {
        !matches!(self.stage, Resume::No)
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.stage {
            Resume::No => None,
            Resume::Asked { until, .. } | Resume::Accepted { until } => Some(until),
        }
    }
}

impl Session {
    /// Asks the server to go on with the session. Sound keeps flowing meanwhile if only signalling was lost.
    pub(super) fn start_resume(&mut self, cause: &str, reason: ReconnectReason) {
        if self.resuming.is_under_way() {
            return;
        }
        tracing::info!(cause, "resuming");
        self.carry.counters.resumes.bump();
        self.resuming.stage = Resume::Asked { until: clock::instant() + RESUME_LIMIT, reason };
        self.carry.events.send(RoomEvent::Resuming);
        let client = self.signal.client();
        let done = self.resuming.done.clone();
        tokio::spawn(async move {
            let result = resume(client.clone(), reason, done.clone()).await;
            let result = result.map(|response| (response, client.clone()));
            if done.send(result).await.is_err() {
                // The session has ended meanwhile.
                client.close().await;
            }
        });
    }

    /// Signalling is lost. If it is lost once more while media has yet to come back, only a new session
    /// helps.
    pub(super) fn handle_close(&mut self, cause: &str) -> Result<(), SessionEnd> {
        match self.resuming.stage {
            Resume::No => self.start_resume(cause, ReconnectReason::RrSignalDisconnected),
            // The old connection, which makes place for the new one.
            Resume::Asked { .. } => {}
            Resume::Accepted { .. } => {
                return Err(SessionEnd::again("signalling was lost again"));
            }
        }
        Ok(())
    }

    pub(super) fn handle_resumed(&mut self, result: ResumeResult) -> Result<(), SessionEnd> {
        let (response, client) = match result {
            Ok(resumed) => resumed,
            Err(SignalError::LeaveRequest { reason, action }) => {
                let cause = format!("resume refused: {}", reason.as_str_name());
                let is_over = action == leave_request::Action::Disconnect && is_final(reason);
                return Err(match is_over {
                    true => SessionEnd::Final(End::Evicted(cause)),
                    false => SessionEnd::Again(cause),
                });
            }
            // The new connection; what it said of that when the old one was still closing was ignored.
            Err(error @ SignalError::Closed) => return self.handle_close(&error.to_string()),
            Err(error) => return Err(SessionEnd::again(format!("resume failed: {error}"))),
        };
        let mut is_asked_by_server = false;
        if let Resume::Asked { until, reason } = self.resuming.stage {
            is_asked_by_server = reason != ReconnectReason::RrSignalDisconnected;
            self.resuming.stage = Resume::Accepted { until };
        }
        self.peers.know_relays(&TurnServer::all(&response.ice_servers));
        // The order matters: the state first, then offers, then everything held back.
        let sync_state = self.sync_state();
        self.signal.send(signal_request::Message::SyncState(sync_state));
        self.outbox.requeue(response.last_message_seq);
        self.peers.publisher.want_lost_offer();
        // The server restarts ICE of the subscriber itself; the publisher is ours. Where only signalling was
        // lost and sound gets through nothing has to be mended, and a restart would cut the line. A server
        // that asks for it may be about to let go of our media, though something still comes.
        if is_asked_by_server || !self.peers.publisher.peer.is_up() {
            self.peers.publisher.want_ice_restart();
        }
        if let Some(offer) = self.peers.publisher.poll_offer() {
            self.signal.send(signal_request::Message::Offer(offer));
        }
        let done = self.resuming.done.clone();
        tokio::spawn(async move {
            client.set_reconnected().await;
            if !client.is_connected().await {
                // A session that has ended wants no news.
                let _ = done.send(Err(SignalError::Closed)).await;
            }
        });
        // If signalling was all that broke, this is all: str0m tells of no change when an ICE restart
        // succeeds on the same path.
        self.finish_resume();
        Ok(())
    }

    /// Ends a resume once the server has accepted it and sound can flow both ways.
    pub(super) fn finish_resume(&mut self) {
        let is_accepted = matches!(self.resuming.stage, Resume::Accepted { .. });
        if is_accepted && self.peers.are_connected() {
            self.resuming.stage = Resume::No;
            tracing::info!("resumed");
            self.carry.events.send(RoomEvent::Resumed);
        }
    }

    fn sync_state(&mut self) -> proto::SyncState {
        let description = |kind: &str, sdp: &str| proto::SessionDescription {
            r#type: kind.into(),
            sdp: sdp.into(),
            ..Default::default()
        };
        let target = proto::SignalTarget::Publisher.into();
        let channels = self.peers.publisher.channel_stream_ids().into_iter();
        let data_channels = channels
            .map(|(label, id)| proto::DataChannelInfo { label, id: id.into(), target })
            .collect();
        // With one peer connection the server wants the publisher's descriptions. With two it wants the
        // subscriber's, which matter for a migration only and are left out.
        let negotiated =
            self.peers.publisher.negotiated().filter(|_| self.peers.subscriber.is_none());
        let published = self.ours.known().map(|(cid, info)| proto::TrackPublishedResponse {
            cid: cid.to_owned(),
            track: Some(info.clone()),
        });
        proto::SyncState {
            offer: negotiated.map(|(offer, _)| description("offer", offer)),
            answer: negotiated.map(|(_, answer)| description("answer", answer)),
            subscription: Some(proto::UpdateSubscription {
                track_sids: self.theirs.wished(),
                subscribe: true,
                participant_tracks: Vec::new(),
            }),
            publish_tracks: published.into_iter().collect(),
            data_channels,
            datachannel_receive_states: self.inbox.states(),
            ..Default::default()
        }
    }
}

/// Asks the server until it answers, or the session has ended: an attempt that outlives it would take the
/// signalling of the session after it.
async fn resume(
    client: Arc<SignalClient>,
    reason: ReconnectReason,
    done: mpsc::Sender<ResumeResult>,
) -> Result<proto::ReconnectResponse, SignalError> {
    let mut backoff = BACKOFF_FIRST;
    loop {
        let (again, given_up) = (client.clone(), done.clone());
        let attempt = async move {
            tokio::select! {
                result = again.restart(reason) => result,
                () = given_up.closed() => Err(SignalError::Closed),
            }
        };
        match off_the_runtime(attempt).await {
            // The server's decision, or a token that it does not accept.
            Err(error @ (SignalError::LeaveRequest { .. } | SignalError::Client(..))) => {
                return Err(error);
            }
            // `InvalidState` among them: the old socket is still closing.
            Err(error) => tracing::debug!(%error, "a resume attempt failed"),
            Ok(response) => return Ok(response),
        }
        tokio::select! {
            () = sleep(backoff) => {}
            () = done.closed() => return Err(SignalError::Closed),
        }
        backoff = (2 * backoff).min(BACKOFF_MAX);
    }
}
