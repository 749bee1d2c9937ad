//! The packets of one track: in order, decoded, at 16 kHz, each at its time in the session.

use std::{sync::Arc, time::Duration};

use voiceroom::{
    opus::{Decoder, OpusError, is_dtx},
    reorder::Reorder,
};

use super::Troubles;
use audio::{FRAME_48, Pcm16, Pcm48, fit::Fit, resample::Down, time_of_48};
use interview::time::SessionTime;

/// The longest loss that is concealed: 100 ms, as concealing more does not help.
const CONCEALED_MAX: u64 = 5 * FRAME_48 as u64;

/// One Opus packet as the room got it.
#[derive(Clone, Debug)]
pub struct Packet {
    /// The RTP sequence number, without wrap-around.
    pub sequence: u64,
    /// The RTP time of the first sample at 48 kHz, without wrap-around.
    pub rtp_time: u64,
    /// The Opus packet.
    pub payload: Arc<[u8]>,
}

pub(super) struct Track {
    reorder: Reorder<SessionTime, (SessionTime, Packet)>,
    decoder: Decoder,
    down: Down,
    fit: Fit,
    /// The RTP time after the last packet.
    next: Option<u64>,
    troubles: Troubles,
}

/// The output of a track.
pub(super) enum Piece {
    /// The sound of a packet.
    Sound(Sound),
    /// A sign that the sender sends nothing until there is sound again.
    Quiet,
}

/// The sound of a packet.
#[derive(Debug)]
pub(super) struct Sound {
    /// The time of the first sample.
    pub(super) at: SessionTime,
    pub(super) sound: Pcm16,
    /// How much of its beginning was concealed.
    pub(super) concealed: Duration,
    /// How much sound directly before it was sent and did not come. The rest of a gap is silence.
    pub(super) lost: Duration,
}

impl Track {
    pub(super) fn new() -> Result<Self, OpusError> {
        Ok(Self {
            reorder: Reorder::default(),
            decoder: Decoder::new()?,
            down: Down::default(),
            fit: Fit::default(),
            next: None,
            troubles: Troubles::default(),
        })
    }

    /// Begins another track, whose sequence numbers and times start anywhere.
    pub(super) fn restart(&mut self) -> Result<(), OpusError> {
        *self = Self { troubles: self.troubles, ..Self::new()? };
        Ok(())
    }

    pub(super) fn push(&mut self, arrived: SessionTime, packet: Packet) {
        metrics::counter!("vivavoce_sound_packets_total").increment(1);
        // The last sample cannot have arrived before it was recorded.
        if let Ok(samples) = self.decoder.samples(&packet.payload) {
            self.fit.learn(arrived, packet.rtp_time.saturating_add(samples as u64));
        }
        self.reorder.push(arrived, packet.sequence, (arrived, packet));
    }

    pub(super) fn deadline(&self) -> Option<SessionTime> {
        self.reorder.deadline()
    }

    pub(super) fn troubles(&self) -> Troubles {
        self.troubles
    }

    /// Returns the next piece in order.
    pub(super) fn pop(&mut self, now: SessionTime) -> Option<Piece> {
        loop {
            let in_order = self.reorder.pop(now)?;
            let (arrived, packet) = in_order.packet;
            self.troubles.lost += in_order.lost;
            metrics::counter!("vivavoce_sound_lost_packets_total").increment(in_order.lost);
            match self.decode(arrived, &packet, in_order.lost) {
                Ok(piece) => return Some(piece),
                Err(_) => self.troubles.malformed += 1,
            }
        }
    }

    fn decode(
        &mut self,
        arrived: SessionTime,
        packet: &Packet,
        lost: u64,
    ) -> Result<Piece, OpusError> {
        let samples = self.decoder.samples(&packet.payload)?;
        let missing = self.next.map_or(0, |next| packet.rtp_time.saturating_sub(next));
        let mut sound = match lost {
            1.. if (1..=CONCEALED_MAX).contains(&missing) => {
                Pcm48(self.decoder.conceal(missing as usize, &packet.payload))
            }
            _ => Pcm48::default(),
        };
        let concealed = sound.duration();
        let began = packet.rtp_time - sound.0.len() as u64;
        // A silent packet is decoded, too: the decoder follows the background noise.
        sound.0.extend(self.decoder.decode(&packet.payload)?);
        self.next = Some(packet.rtp_time.saturating_add(samples as u64));
        if is_dtx(&packet.payload) {
            return Ok(Piece::Quiet);
        }
        Ok(Piece::Sound(Sound {
            at: self.fit.time(arrived, began),
            sound: self.down.push(&sound),
            concealed,
            lost: time_of_48(missing.min(lost.saturating_mul(samples as u64))),
        }))
    }
}
