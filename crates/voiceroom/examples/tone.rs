//! Calls the agent of `examples/echo.rs` into a room, plays a tone there, and says when it hears the tone
//! come back.
//!
//! `livekit-server --dev`, `cargo run --example echo`, then `cargo run --example tone -- [room]`.

#![expect(clippy::print_stdout, reason = "it is what a command is for")]

use std::{
    env,
    error::Error,
    f32::consts::TAU,
    process::ExitCode,
    time::{Duration, Instant},
};

use tokio::{sync::mpsc, time::timeout};
use voiceroom::{
    Frame,
    opus::Decoder,
    reorder::Reorder,
    room::{FrameSource, Room, RoomEvent, RoomOptions},
    server::{Api, ApiKeys, Role},
};

const PITCH_HZ: f32 = 440.0;
const LIMIT: Duration = Duration::from_secs(30);
/// The share of the pitch in what is heard, from which on it is our tone.
const PURE: f32 = 0.9;
/// Samples that are looked at: 200 ms.
const WINDOW: usize = 10 * Frame::SAMPLES;

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
    let setting = |name: &str, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_owned());
    let url = setting("LIVEKIT_URL", "ws://127.0.0.1:7880");
    let key = setting("LIVEKIT_API_KEY", "devkey");
    let keys = ApiKeys::new(key, setting("LIVEKIT_API_SECRET", "secret"));
    let room_name = env::args().nth(1).unwrap_or_else(|| "tone".to_owned());

    let tokens = {
        let (keys, room) = (keys.clone(), room_name.clone());
        move || keys.room_token(&room, "tone", Role::Person).map_err(|error| error.to_string())
    };
    let options = RoomOptions::new(&url, Box::new(tokens));
    let (room, events) = Room::join(options, Some(Box::new(Tone { position: 0 }))).await?;
    Api::new(&url, keys).call_agent(&room_name, "echo", "").await?;
    let heard = timeout(LIMIT, hear(events)).await;
    println!("counted: {}", room.counters());
    room.leave().await;
    match heard {
        Ok(purity) => println!("heard the echo: {:.0} % of it is our tone", purity? * 100.0),
        Err(_) => return Err("no echo: does `cargo run --example echo` run?".into()),
    }
    Ok(())
}

/// Listens until the tone comes back; the share of it in what is heard.
async fn hear(mut events: mpsc::Receiver<RoomEvent>) -> Result<f32, Box<dyn Error>> {
    let (mut order, mut decoder) = (Reorder::default(), Decoder::new()?);
    let mut samples = Vec::new();
    while let Some(event) = events.recv().await {
        let packet = match event {
            RoomEvent::Packet(packet) => packet,
            RoomEvent::ParticipantJoined(one) => {
                println!("{} is there: {:?}", one.identity, one.kind);
                continue;
            }
            _ => continue,
        };
        order.push(packet.arrived, packet.sequence, packet.payload);
        while let Some(next) = order.pop(packet.arrived) {
            samples.extend(decoder.decode(&next.packet)?);
        }
        let purity = purity(&samples[samples.len().saturating_sub(WINDOW)..]);
        if samples.len() >= WINDOW && purity > PURE {
            return Ok(purity);
        }
    }
    Err("the room is over".into())
}

/// The share of our pitch in the energy of some sound.
fn purity(samples: &[i16]) -> f32 {
    let (mut re, mut im, mut energy) = (0.0, 0.0, 0.0);
    for (n, sample) in samples.iter().enumerate() {
        let (phase, value) = (phase(n), f32::from(*sample));
        re += value * phase.cos();
        im += value * phase.sin();
        energy += value * value;
    }
    if energy == 0.0 { 0.0 } else { 2.0 * (re * re + im * im) / (energy * samples.len() as f32) }
}

/// A tone without end.
struct Tone {
    position: usize,
}

impl FrameSource for Tone {
    fn pull(&mut self, _: Instant) -> Option<Frame> {
        let sample = |n: usize| (phase(self.position + n).sin() * 10_000.0) as i16;
        let samples: Vec<i16> = (0..Frame::SAMPLES).map(sample).collect();
        // A second holds whole waves.
        self.position = (self.position + Frame::SAMPLES) % Frame::SAMPLE_RATE as usize;
        Frame::try_from(samples).ok()
    }
}

fn phase(sample: usize) -> f32 {
    sample as f32 / Frame::SAMPLE_RATE as f32 * PITCH_HZ * TAU
}
