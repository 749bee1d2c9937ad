//! The packets of one track: in order, decoded, at 16 kHz, each at its time in the session.

use std::{sync::Arc, time::Duration};

use voiceroom::{
    opus::{Decoder, OpusError, is_dtx},
    reorder::Reorder,
};

use super::Troubles;
use audio::{FRAME_48, Pcm16, Pcm48, fit::Fit, resample::Down, time_of_48};
use interview::time::SessionTime;

/// Lost sound up to 100 ms is made up; of more, nothing that helps can be.
const CONCEALED_MAX: u64 = 5 * FRAME_48 as u64;

/// One Opus packet as the room got it.
#[derive(Clone, Debug)]
pub struct Packet {
    /// RTP sequence number, without wrap-around.
    pub sequence: u64,
    /// RTP time of its first sample at 48 kHz, without wrap-around.
    pub rtp_time: u64,
    /// The Opus packet.
    pub payload: Arc<[u8]>,
}

pub(super) struct Track {
    reorder: Reorder<SessionTime, (SessionTime, Packet)>,
    decoder: Decoder,
    down: Down,
    fit: Fit,
    /// RTP time after the last packet.
    next: Option<u64>,
    troubles: Troubles,
}

/// What comes out of a track.
pub(super) enum Piece {
    /// Sound.
    Sound(Sound),
    /// The sender is silent, and sends nothing until they are not.
    Quiet,
}

/// The sound of a packet.
#[derive(Debug)]
pub(super) struct Sound {
    /// When it began.
    pub(super) at: SessionTime,
    pub(super) sound: Pcm16,
    /// How much of its beginning was made up.
    pub(super) made_up: Duration,
    /// How much directly before it was sent and did not come: a gap is silence but for that.
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

    /// Another track: its numbers and times start anywhere.
    pub(super) fn restart(&mut self) -> Result<(), OpusError> {
        *self = Self { troubles: self.troubles, ..Self::new()? };
        Ok(())
    }

    pub(super) fn push(&mut self, arrived: SessionTime, packet: Packet) {
        metrics::counter!("vivavoce_sound_packets_total").increment(1);
        // Its last sample cannot have come before it was made.
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

    /// The next sound whose turn it is.
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
        let made_up = sound.duration();
        let began = packet.rtp_time - sound.0.len() as u64;
        // Decoded in any case: the decoder follows the background noise.
        sound.0.extend(self.decoder.decode(&packet.payload)?);
        self.next = Some(packet.rtp_time.saturating_add(samples as u64));
        if is_dtx(&packet.payload) {
            return Ok(Piece::Quiet);
        }
        Ok(Piece::Sound(Sound {
            at: self.fit.time(arrived, began),
            sound: self.down.push(&sound),
            made_up,
            lost: time_of_48(missing.min(lost.saturating_mul(samples as u64))),
        }))
    }
}
