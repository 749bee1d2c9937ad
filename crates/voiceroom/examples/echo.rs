//! An agent that says back what it hears, half a second later.
//!
//! `livekit-server --dev`, then `cargo run --example echo`, then dispatch the agent `echo` into a room:
//! `cargo run --example tone` does. LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET name another server.

use std::{
    collections::{BTreeMap, VecDeque},
    env,
    error::Error,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use tokio::sync::{mpsc, watch};
use voiceroom::{
    Frame,
    opus::{Decoder, OpusError},
    reorder::Reorder,
    room::{FrameSource, Packet, Room, RoomEvent},
    server::ApiKeys,
    worker::{self, Job, Shutdown, WorkerError, WorkerOptions},
};

/// How many frames are held back: half a second, and so much at most.
const DELAY_FRAMES: usize = 25;
/// Sound that waits to be said; more is dropped.
const WAITING_SAMPLES_MAX: usize = 2 * DELAY_FRAMES * Frame::SAMPLES;
/// Losses up to 100 ms are concealed.
const CONCEALED_MAX: u64 = 5;

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
    eprintln!("the agent \"echo\" waits for jobs; Ctrl-C ends it");
    Ok(serve(url, keys, worker::on_signals()?).await?)
}

/// Works until it is told to stop and the last job has ended.
pub(crate) async fn serve(
    url: String,
    keys: ApiKeys,
    shutdown: watch::Receiver<Shutdown>,
) -> Result<(), WorkerError> {
    let options = WorkerOptions { slots: 4, ..WorkerOptions::new(url, keys, "echo") };
    let (jobs, mut offered) = mpsc::channel::<Job>(options.slots);
    tokio::spawn(async move {
        while let Some(job) = offered.recv().await {
            tokio::spawn(work(job));
        }
    });
    let standing = worker::standing(&options);
    worker::run(options, jobs, shutdown, standing).await
}

/// One job, from the room's door to its report.
async fn work(mut job: Job) {
    eprintln!("called into {}", job.room);
    let echo = Echo::default();
    let joined = Room::join(job.room_options(), Some(Box::new(echo.clone()))).await;
    let (room, events) = match joined {
        Ok(joined) => joined,
        Err(error) => return job.report(Err(error.to_string())).await,
    };
    let result = tokio::select! {
        result = listen(events, &echo) => result.map_err(|error| error.to_string()),
        why = job.stopped() => {
            eprintln!("told to leave {}: {why:?}", job.room);
            Ok(())
        }
    };
    job.report(result).await;
    room.leave().await;
}

/// Decodes what is heard until everybody has left.
async fn listen(mut events: mpsc::Receiver<RoomEvent>, echo: &Echo) -> Result<(), OpusError> {
    let mut ears = BTreeMap::new();
    let mut others = 0_usize;
    while let Some(event) = events.recv().await {
        match event {
            RoomEvent::ParticipantJoined(_) => others += 1,
            RoomEvent::ParticipantLeft { .. } => {
                others = others.saturating_sub(1);
                if others == 0 {
                    return Ok(());
                }
            }
            RoomEvent::TrackSubscribed(track) => {
                ears.insert(track.sid, Ear::new()?);
            }
            RoomEvent::TrackUnsubscribed { track, .. } => drop(ears.remove(&track)),
            RoomEvent::Packet(packet) => {
                if let Some(ear) = ears.get_mut(&*packet.track) {
                    echo.add(&ear.hear(packet));
                }
            }
            RoomEvent::Disconnected(end) => eprintln!("disconnected: {end}"),
            _ => {}
        }
    }
    Ok(())
}

/// What one track needs to be heard.
struct Ear {
    order: Reorder<Instant, Packet>,
    decoder: Decoder,
}

impl Ear {
    fn new() -> Result<Self, OpusError> {
        Ok(Self { order: Reorder::default(), decoder: Decoder::new()? })
    }

    /// The samples whose turn it is, now that a packet has come.
    fn hear(&mut self, packet: Packet) -> Vec<i16> {
        let (now, mut samples) = (packet.arrived, Vec::new());
        self.order.push(now, packet.sequence, packet);
        while let Some(next) = self.order.pop(now) {
            let lost = next.lost.min(CONCEALED_MAX) as usize * Frame::SAMPLES;
            samples.extend(self.decoder.conceal(lost, &next.packet.payload));
            // What is no Opus is left out.
            samples.extend(self.decoder.decode(&next.packet.payload).unwrap_or_default());
        }
        samples
    }
}

/// Sound on its way from our ears to our mouth. Two who speak at once are heard one after the other.
#[derive(Clone, Default)]
struct Echo(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    samples: VecDeque<i16>,
    speaks: bool,
}

impl Echo {
    fn add(&self, samples: &[i16]) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.samples.len() + samples.len() <= WAITING_SAMPLES_MAX {
            waiting.samples.extend(samples);
        }
    }
}

impl FrameSource for Echo {
    fn pull(&mut self, _: Instant) -> Option<Frame> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = if waiting.speaks { 1 } else { DELAY_FRAMES } * Frame::SAMPLES;
        waiting.speaks = waiting.samples.len() >= enough;
        if !waiting.speaks {
            return None;
        }
        let samples: Vec<i16> = waiting.samples.drain(..Frame::SAMPLES).collect();
        Frame::try_from(samples).ok()
    }
}
