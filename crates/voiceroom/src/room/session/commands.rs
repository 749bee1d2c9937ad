//! What the application asks for, and our own track.

use std::{collections::BTreeMap, time::Instant};

use livekit_protocol::{self as proto, DataPacket, data_packet::Value, signal_request};
use str0m::media::{Frequency, MediaTime};

use super::{
    super::{
        Caption, Command, End, Fault, FrameSource, Microphone, RoomEvent, caption::Speaker,
        player::Player, signal::goodbye,
    },
    Session, SessionEnd,
    ours::Outgoing,
};
use crate::clock;

impl Session {
    pub(super) fn handle_command(&mut self, command: Command) {
        match command {
            Command::Publish(source) => self.take_source(source),
            Command::Unpublish => self.unpublish(),
            Command::Microphone(microphone) => {
                self.carry.microphone = microphone;
                if let (Microphone::Muted, Some(player)) = (microphone, &mut self.carry.player) {
                    player.stop();
                }
                self.send_microphone();
            }
            Command::Attributes(attributes) => {
                self.carry.attributes.extend(attributes.clone());
                self.send_attributes(attributes);
                self.carry.attributes.retain(|_, value| !value.is_empty());
            }
            Command::Caption(caption) => self.send_caption(caption),
            Command::Data { topic, payload, to } => {
                let user = proto::UserPacket { payload, topic: Some(topic), ..Default::default() };
                self.queue_data(DataPacket {
                    destination_identities: to,
                    value: Some(Value::User(user)),
                    ..Default::default()
                });
            }
            Command::Bytes(stream) => {
                let id = format!("{}-bytes-{}", self.local.sid, self.outbox.next_stream());
                for packet in stream.packets(&id, clock::unix_millis()) {
                    self.queue_data(packet);
                }
            }
            Command::Fault(Fault::DropSignal) => {
                let client = self.signal.client();
                tokio::spawn(async move { client.close().await });
            }
            Command::Fault(Fault::Simulate(scenario)) => {
                let scenario = proto::SimulateScenario { scenario: Some(scenario.into()) };
                self.signal.send(signal_request::Message::Simulate(scenario));
            }
        }
    }

    fn take_source(&mut self, source: Box<dyn FrameSource>) {
        if let Some(player) = &mut self.carry.player {
            player.replace_source(source);
            return;
        }
        match Player::new(source) {
            Ok(player) => {
                self.carry.player = Some(player);
                self.publish();
            }
            Err(error) => tracing::error!(%error, "no Opus encoder for our track"),
        }
    }

    /// Asks the server for our track, if we have one.
    pub(super) fn publish(&mut self) {
        if self.carry.player.is_none() || !matches!(self.ours.way, Outgoing::None) {
            return;
        }
        let request = self.ours.request(&self.local.sid, self.carry.microphone);
        self.signal.send(signal_request::Message::AddTrack(request));
        // Before those who are there are told: they do not hear the new track yet.
        self.carry.events.send(RoomEvent::TrackOffered);
    }

    fn unpublish(&mut self) {
        self.carry.player = None;
        if let Outgoing::Sending { mid, .. } = self.ours.take() {
            self.peers.publisher.want_stop(mid);
        }
    }

    /// Tells the others whether our track is muted.
    pub(super) fn send_microphone(&mut self) {
        let Outgoing::Sending { info, .. } = &mut self.ours.way else { return };
        let muted = self.carry.microphone == Microphone::Muted;
        if info.muted != muted {
            info.muted = muted;
            let sid = info.sid.clone();
            self.signal.send(signal_request::Message::Mute(proto::MuteTrackRequest { sid, muted }));
        }
    }

    /// Sends the frames that are due.
    pub(super) fn play(&mut self, now: Instant) {
        let Outgoing::Sending { mid, pt, .. } = self.ours.way else { return };
        let Some(player) = &mut self.carry.player else { return };
        while let Some(frame) = player.next(now) {
            for _ in 0..frame.skipped {
                self.carry.counters.audio_out_skipped.bump();
            }
            let time = MediaTime::new(frame.rtp_time, Frequency::FORTY_EIGHT_KHZ);
            let sent = self.peers.publisher.peer.with(|rtc| {
                let writer = rtc.writer(mid)?.audio_level(frame.level, frame.has_voice());
                Some(writer.write(pt, now, time, frame.payload))
            });
            match sent {
                Some(Ok(())) => self.carry.counters.audio_out.bump(),
                Some(Err(error)) => tracing::warn!(%error, "sending a frame failed"),
                None => tracing::warn!("sending a frame failed, its section is gone"),
            }
        }
    }

    pub(super) fn send_attributes(&mut self, attributes: BTreeMap<String, String>) {
        if attributes.is_empty() {
            return;
        }
        let request_id = self.signal.next_request_id();
        self.signal.send(signal_request::Message::UpdateMetadata(
            proto::UpdateParticipantMetadata {
                attributes: attributes.into_iter().collect(),
                request_id,
                ..Default::default()
            },
        ));
    }

    fn send_caption(&mut self, caption: Caption) {
        let track = self.ours.known().map_or("", |(_, info)| info.sid.as_str());
        let speaker = Speaker {
            identity: &self.local.identity,
            sid: &self.local.sid,
            track,
            unix_ms: clock::unix_millis(),
        };
        for packet in self.carry.captions.packets(caption, &speaker) {
            self.queue_data(packet);
        }
        self.flush_data();
    }

    pub(super) fn say_goodbye(&mut self) -> SessionEnd {
        self.signal.send(goodbye());
        SessionEnd::Final(End::Left)
    }
}
