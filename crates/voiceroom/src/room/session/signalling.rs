//! What the server says over signalling.

use livekit_protocol::{
    self as proto, ReconnectReason, leave_request, signal_request, signal_response,
};
use str0m::{Candidate, change::SdpOffer, media::Mid};

use super::{
    super::{End, RoomEvent, publisher::NegotiationError, reason::is_final, sdp, tcp::Control},
    Session, SessionEnd, Side,
    ours::Outgoing,
};

impl Session {
    pub(super) fn handle_signal(
        &mut self,
        message: signal_response::Message,
    ) -> Result<(), SessionEnd> {
        use signal_response::Message;
        match message {
            Message::Answer(answer) => self.handle_answer(&answer)?,
            Message::Offer(offer) => self.handle_offer(&offer)?,
            Message::Trickle(trickle) => self.handle_trickle(&trickle),
            Message::Update(update) => {
                for info in update.participants {
                    self.update_participant(info);
                }
            }
            Message::ConnectionQuality(update) => self.update_quality(update.updates),
            Message::TrackPublished(response) => self.handle_track_published(response),
            Message::MediaSectionsRequirement(required) => {
                self.peers.publisher.want_receive(required.num_audios);
            }
            Message::RequestResponse(response) => self.handle_request_response(&response),
            Message::Leave(leave) => return self.handle_leave(&leave),
            Message::SubscriptionResponse(response) => {
                tracing::warn!(track = response.track_sid, error = ?response.err(), "a subscription failed");
                self.theirs.forget(&response.track_sid);
            }
            Message::TrackSubscribed(heard) => self.handle_track_heard(&heard.track_sid),
            Message::Mute(mute) => {
                tracing::info!(track = mute.sid, muted = mute.muted, "server muted our track")
            }
            Message::TrackUnpublished(gone) => self.handle_track_unpublished(&gone.track_sid),
            // The library takes care of token refresh and pongs.
            other => tracing::trace!(?other, "ignored a message"),
        }
        Ok(())
    }

    fn handle_answer(&mut self, answer: &proto::SessionDescription) -> Result<(), SessionEnd> {
        tracing::debug!(id = answer.id, sdp = answer.sdp, "answer received");
        let sections = match self.peers.publisher.accept_answer(answer) {
            Ok(Some(sections)) => sections,
            Ok(None) => {
                tracing::info!(id = answer.id, "ignored an answer to an earlier offer");
                return Ok(());
            }
            Err(error) => return Err(SessionEnd::again(error.to_string())),
        };
        for (cid, mid) in sections {
            self.start_sending(&cid, mid);
        }
        if self.peers.subscriber.is_none() {
            self.update_tracks(Side::Publisher, answer);
        }
        Ok(())
    }

    fn handle_offer(&mut self, offer: &proto::SessionDescription) -> Result<(), SessionEnd> {
        tracing::debug!(id = offer.id, sdp = offer.sdp, "offer received");
        let Some(peer) = &mut self.peers.subscriber else {
            tracing::warn!("ignored an offer, there is one peer connection");
            return Ok(());
        };
        let answer = SdpOffer::from_sdp_string(&offer.sdp)
            .map_err(NegotiationError::from)
            .and_then(|offer| Ok(peer.with(|rtc| rtc.sdp_api().accept_offer(offer))?));
        let answer = answer.map_err(|error| SessionEnd::again(error.to_string()))?;
        peer.remote_description_set(&offer.sdp, Control::Theirs);
        // LiveKit offers subscribed tracks as `sendrecv`; we only receive.
        let sdp = sdp::receive_only(&answer.to_sdp_string());
        self.signal.send(signal_request::Message::Answer(proto::SessionDescription {
            r#type: "answer".into(),
            sdp,
            id: offer.id,
            ..Default::default()
        }));
        self.update_tracks(Side::Subscriber, offer);
        Ok(())
    }

    pub(super) fn send_offer(&mut self) {
        // Before a resume is complete only its own offer may go out.
        if self.resuming.is_under_way() || !self.peers.can_offer() {
            return;
        }
        if let Some(offer) = self.peers.publisher.poll_offer() {
            tracing::debug!(id = offer.id, sdp = offer.sdp, "offer sent");
            self.signal.send(signal_request::Message::Offer(offer));
        }
    }

    fn handle_trickle(&mut self, trickle: &proto::TrickleRequest) {
        #[derive(serde::Deserialize)]
        struct Init {
            #[serde(default)]
            candidate: String,
        }
        let candidate = match serde_json::from_str::<Init>(&trickle.candidate_init) {
            Ok(init) if init.candidate.is_empty() => return, // the end of candidates
            Ok(init) => Candidate::from_sdp_string(&init.candidate),
            Err(error) => {
                self.carry.counters.malformed.bump();
                tracing::warn!(%error, "ignored a malformed candidate");
                return;
            }
        };
        let peer = match (trickle.target(), &mut self.peers.subscriber) {
            (proto::SignalTarget::Subscriber, Some(peer)) => peer,
            _ => &mut self.peers.publisher.peer,
        };
        match candidate {
            Ok(candidate) => peer.add_remote_candidate(candidate),
            // mDNS names, for example.
            Err(error) => {
                tracing::debug!(%error, candidate = trickle.candidate_init, "ignored a candidate")
            }
        }
    }

    fn handle_track_published(&mut self, response: proto::TrackPublishedResponse) {
        let Some(info) = response.track else { return };
        match &self.ours.way {
            Outgoing::Requested { cid } if *cid == response.cid => {
                self.peers.publisher.want_send(response.cid.clone());
                self.ours.way = Outgoing::Announced { cid: response.cid, info };
            }
            _ => tracing::debug!(track = info.sid, "ignored the announcement of a track given up"),
        }
    }

    fn start_sending(&mut self, negotiated: &str, mid: Mid) {
        let pt = self.peers.publisher.opus_pt(mid);
        let outgoing = self.ours.take();
        self.ours.way = match (outgoing, pt) {
            (Outgoing::Announced { cid, info }, Some(pt)) if cid == negotiated => {
                tracing::info!(track = info.sid, "track published");
                Outgoing::Sending { cid, info, mid, pt }
            }
            // Given up while it was being negotiated.
            (outgoing, _) => {
                self.peers.publisher.want_stop(mid);
                outgoing
            }
        };
        self.send_microphone();
    }

    fn handle_track_heard(&self, sid: &str) {
        if self.ours.known().is_some_and(|(_, info)| info.sid == sid) {
            tracing::debug!(track = sid, "our track is heard");
            self.carry.events.send(RoomEvent::TrackHeard);
        }
    }

    fn handle_track_unpublished(&mut self, sid: &str) {
        let is_ours = matches!(&self.ours.way, Outgoing::Sending { info, .. } if info.sid == sid);
        if is_ours {
            tracing::warn!(track = sid, "server unpublished our track, published it again");
            self.ours.way = Outgoing::None;
            self.publish();
        }
    }

    fn handle_request_response(&mut self, response: &proto::RequestResponse) {
        use proto::request_response::Reason;
        let reason = response.reason();
        if !matches!(reason, Reason::Ok | Reason::Queued) {
            tracing::warn!(?reason, message = response.message, "server refused a request");
        }
    }

    fn handle_leave(&mut self, leave: &proto::LeaveRequest) -> Result<(), SessionEnd> {
        let cause = leave.reason().as_str_name().to_owned();
        match leave.action() {
            leave_request::Action::Resume => {
                self.start_resume(&cause, ReconnectReason::RrUnknown);
                Ok(())
            }
            leave_request::Action::Reconnect => Err(SessionEnd::Again(cause)),
            leave_request::Action::Disconnect if is_final(leave.reason()) => {
                Err(SessionEnd::Final(End::Evicted(cause)))
            }
            leave_request::Action::Disconnect => Err(SessionEnd::Again(cause)),
        }
    }
}
