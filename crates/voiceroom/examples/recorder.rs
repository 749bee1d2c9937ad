//! Joins a room and writes what the first person there says into a WAV file: 48 kHz, mono.
//!
//! `livekit-server --dev`, then `cargo run --example recorder -- ROOM FILE [SECONDS]`. LIVEKIT_TOKEN is used
//! if it is set; otherwise a token is made with LIVEKIT_API_KEY and LIVEKIT_API_SECRET. LIVEKIT_URL names the
//! server.

#![expect(clippy::print_stdout, reason = "it is what a command is for")]

use std::{
    env,
    error::Error,
    fs::File,
    io::BufWriter,
    process::ExitCode,
    time::{Duration, Instant},
};

use hound::{SampleFormat, WavSpec, WavWriter};
use tokio::{sync::mpsc, time::timeout};
use voiceroom::{
    Frame,
    opus::{Decoder, OpusError},
    reorder::Reorder,
    room::{Packet, Room, RoomEvent, RoomOptions, Tokens, Track},
    server::{ApiKeys, Role},
};

/// The usual length of a recording.
const SECONDS: u64 = 10;
/// Losses up to 100 ms are concealed; longer gaps are silence.
const CONCEALED_MAX: u64 = 4_800;
/// A gap is at most this long in the file: 60 s.
const GAP_MAX: u64 = 60 * 48_000;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (Some(room_name), Some(path)) = (args.next(), args.next()) else {
        return Err("usage: recorder ROOM FILE [SECONDS]".into());
    };
    let seconds = args.next().map_or(Ok(SECONDS), |seconds| seconds.parse())?;
    let url = env::var("LIVEKIT_URL").unwrap_or_else(|_| "ws://127.0.0.1:7880".to_owned());
    let spec = WavSpec {
        channels: 1,
        sample_rate: Frame::SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut file = WavWriter::create(&path, spec)?;

    let (room, mut events) = Room::join(RoomOptions::new(url, tokens(room_name)), None).await?;
    eprintln!("waits for somebody to speak");
    let track = first_track(&mut events).await?;
    eprintln!("records {} for {seconds} s", track.participant);
    let recording = record(&mut events, Recorded::new(track.sid)?, &mut file);
    // It is over with the time, or with the room.
    if let Ok(ended) = timeout(Duration::from_secs(seconds), recording).await {
        ended?;
    }
    room.leave().await;
    let samples = file.duration();
    file.finalize()?;
    println!("{path}: {:.2} s", f64::from(samples) / f64::from(Frame::SAMPLE_RATE));
    Ok(())
}

async fn first_track(events: &mut mpsc::Receiver<RoomEvent>) -> Result<Track, Box<dyn Error>> {
    while let Some(event) = events.recv().await {
        match event {
            RoomEvent::TrackSubscribed(track) => return Ok(track),
            RoomEvent::Disconnected(end) => return Err(end.into()),
            _ => {}
        }
    }
    Err("the room is over".into())
}

/// Writes what is heard until the room is over. May be dropped while it waits.
async fn record(
    events: &mut mpsc::Receiver<RoomEvent>,
    mut recorded: Recorded,
    file: &mut WavWriter<BufWriter<File>>,
) -> Result<(), hound::Error> {
    while let Some(event) = events.recv().await {
        let RoomEvent::Packet(packet) = event else { continue };
        for sample in recorded.hear(packet) {
            file.write_sample(sample)?;
        }
    }
    Ok(())
}

/// The token that was given, or fresh ones.
fn tokens(room: String) -> Tokens {
    if let Ok(token) = env::var("LIVEKIT_TOKEN") {
        return Box::new(move || Ok(token.clone()));
    }
    let setting = |name: &str, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_owned());
    let key = setting("LIVEKIT_API_KEY", "devkey");
    let keys = ApiKeys::new(key, setting("LIVEKIT_API_SECRET", "secret"));
    Box::new(move || {
        keys.room_token(&room, "recorder", Role::Observer).map_err(|error| error.to_string())
    })
}

/// The track that is recorded.
struct Recorded {
    sid: String,
    order: Reorder<Instant, Packet>,
    decoder: Decoder,
    /// RTP time after the last packet.
    next: Option<u64>,
}

impl Recorded {
    fn new(sid: String) -> Result<Self, OpusError> {
        Ok(Self { sid, order: Reorder::default(), decoder: Decoder::new()?, next: None })
    }

    /// The samples whose turn it is, now that a packet has come: gaps are filled, so that the file keeps
    /// time.
    fn hear(&mut self, packet: Packet) -> Vec<i16> {
        let mut samples = Vec::new();
        if *packet.track != *self.sid {
            return samples;
        }
        let now = packet.arrived;
        self.order.push(now, packet.sequence, packet);
        while let Some(next) = self.order.pop(now) {
            let packet = next.packet;
            let gap = self.next.map_or(0, |next| packet.rtp_time.saturating_sub(next)).min(GAP_MAX);
            samples.extend(match gap {
                0..=CONCEALED_MAX => self.decoder.conceal(gap as usize, &packet.payload),
                _ => vec![0; gap as usize],
            });
            // What is no Opus is left out.
            let sound = self.decoder.decode(&packet.payload).unwrap_or_default();
            self.next = Some(packet.rtp_time + sound.len() as u64);
            samples.extend(sound);
        }
        samples
    }
}
