//! A participant for tests: plays sound into a room, and keeps all that it hears and sees there.

use std::{
    collections::BTreeMap,
    f32::consts::TAU,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::{sync::Notify, task::JoinHandle, time::timeout};
use vivavoce::audio::FRAME_48;
use voiceroom::{
    Frame,
    opus::Decoder,
    reorder::{InOrder, Reorder},
    room::{
        End, FrameSource, JoinError, Packet, Participant, PeerMode, Room, RoomEvent, RoomOptions,
        Text, TextChunk, Tokens, Track,
    },
    server::{ApiKeys, Role},
};

use crate::livekit_server::LiveKit;

/// How long a test waits for anything: far longer than a busy machine needs for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A participant that remembers everything.
pub(crate) struct Client {
    /// Its place in the room.
    pub(crate) room: Room,
    seen: Arc<Shared>,
    ears: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Seen>,
    news: Notify,
}

/// What a client has heard and seen so far.
#[derive(Default)]
pub(crate) struct Seen {
    /// All facts but sound and pieces of text, in order.
    pub(crate) facts: Vec<RoomEvent>,
    /// Who is there.
    pub(crate) people: BTreeMap<String, Participant>,
    /// Tracks that are there, by sid.
    pub(crate) tracks: BTreeMap<String, Track>,
    /// Sound of every track there ever was, by sid.
    pub(crate) sounds: BTreeMap<String, Sound>,
    /// Pieces of text streams.
    pub(crate) chunks: Vec<TextChunk>,
    /// Whole text streams.
    pub(crate) texts: Vec<Text>,
    /// How it ended.
    pub(crate) end: Option<End>,
}

/// The sound of one track.
pub(crate) struct Sound {
    order: Reorder<Instant, Packet>,
    decoder: Decoder,
    next_rtp_time: Option<u64>,
    /// Decoded, with gaps concealed.
    pub(crate) pcm: Vec<i16>,
    /// Packets that were decoded.
    pub(crate) packets: u64,
    /// Samples that had to be made up.
    pub(crate) concealed: u64,
    /// The longest time between two packets.
    pub(crate) longest_gap: Duration,
    last_arrival: Option<Instant>,
    /// When its first sample was heard, by the packet that travelled shortest.
    pub(crate) began: Option<Instant>,
}

/// How to join as a test client.
pub(crate) struct Joining<'a> {
    server: &'a LiveKit,
    room: &'a str,
    identity: &'a str,
    role: Role,
    token: Option<String>,
    source: Option<Box<dyn FrameSource>>,
    options: RoomOptions,
}

impl Client {
    /// Who joins, where. Refine, then [`Joining::join`].
    pub(crate) fn of<'a>(server: &'a LiveKit, room: &'a str, identity: &'a str) -> Joining<'a> {
        let options = RoomOptions::new(server.url(), Box::new(|| Err("no token".to_owned())));
        Joining { server, room, identity, role: Role::Person, token: None, source: None, options }
    }

    /// Looks at what it has seen.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.seen.seen.lock().unwrap())
    }

    /// Waits until there is something to be seen.
    pub(crate) async fn until<T>(&self, what: &str, mut look: impl FnMut(&Seen) -> Option<T>) -> T {
        let waiting = async {
            loop {
                let news = self.seen.news.notified();
                if let Some(found) = look(&self.seen.seen.lock().unwrap()) {
                    return found;
                }
                news.await;
            }
        };
        match timeout(PATIENCE, waiting).await {
            Ok(found) => found,
            Err(_) => self.look(|seen| {
                panic!("no {what}; counters: {}; facts: {:#?}", self.room.counters(), seen.facts)
            }),
        }
    }

    /// Waits until so many more packets of whoever it is have been heard, and at this pitch if there is one.
    pub(crate) async fn hears(&self, identity: &str, pitch: Option<f32>) {
        let before = self.look(|seen| seen.packets_of(identity));
        self.until(&format!("sound of {identity}"), |seen| {
            let is_enough = seen.packets_of(identity) >= before + 25;
            let sound = || seen.sounds_of(identity).max_by_key(|s| s.last_arrival);
            let is_pitch = |pitch| sound().is_some_and(|s| s.purity(pitch) > 0.9);
            (is_enough && pitch.is_none_or(is_pitch)).then_some(())
        })
        .await;
    }

    /// Leaves; what it has seen is handed back.
    pub(crate) async fn leave(self) -> Seen {
        self.room.leave().await;
        timeout(PATIENCE, self.ears).await.expect("events end with the room").unwrap();
        std::mem::take(&mut *self.seen.seen.lock().unwrap())
    }
}

impl Joining<'_> {
    /// As an agent or as an observer.
    pub(crate) fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// With a token of its own.
    pub(crate) fn token(self, token: String) -> Self {
        Self { token: Some(token), ..self }
    }

    /// With a microphone.
    pub(crate) fn playing(self, source: impl FrameSource + 'static) -> Self {
        Self { source: Some(Box::new(source)), ..self }
    }

    /// With other options.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut RoomOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// One peer connection or two.
    pub(crate) fn mode(self, mode: PeerMode) -> Self {
        self.with(|options| options.mode = mode)
    }

    /// Joins, and panics if it cannot.
    pub(crate) async fn join(self) -> Client {
        let name = self.identity.to_owned();
        self.try_join().await.unwrap_or_else(|error| panic!("{name} cannot join: {error}"))
    }

    /// Joins.
    pub(crate) async fn try_join(mut self) -> Result<Client, JoinError> {
        self.options.tokens = match self.token {
            Some(token) => Box::new(move || Ok(token.clone())),
            None => tokens(self.server.keys(), self.room, self.identity, self.role),
        };
        let (room, mut events) = Room::join(self.options, self.source).await?;
        let seen = Arc::new(Shared::default());
        let notes = seen.clone();
        let ears = tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                notes.seen.lock().unwrap().note(event);
                notes.news.notify_waiters();
            }
        });
        Ok(Client { room, seen, ears })
    }
}

/// A port at which nobody answers as long as the socket is held.
pub(crate) fn deaf_port() -> (tokio::net::TcpSocket, u16) {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

/// Tokens for one identity in one room.
pub(crate) fn tokens(keys: ApiKeys, room: &str, identity: &str, role: Role) -> Tokens {
    let (room, identity) = (room.to_owned(), identity.to_owned());
    Box::new(move || keys.room_token(&room, &identity, role).map_err(|e| e.to_string()))
}

impl Seen {
    fn note(&mut self, event: RoomEvent) {
        match &event {
            RoomEvent::Packet(packet) => {
                let sound = self.sounds.entry(packet.track.to_string()).or_insert_with(Sound::new);
                return sound.note(packet.clone());
            }
            RoomEvent::TextChunk(chunk) => return self.chunks.push(chunk.clone()),
            RoomEvent::Text(text) => return self.texts.push(text.clone()),
            RoomEvent::ParticipantJoined(p) | RoomEvent::ParticipantUpdated(p) => {
                self.people.insert(p.identity.clone(), p.clone());
            }
            RoomEvent::ParticipantLeft { identity, .. } => {
                self.people.remove(identity);
            }
            RoomEvent::TrackSubscribed(track) => {
                self.tracks.insert(track.sid.clone(), track.clone());
                self.sounds.insert(track.sid.clone(), Sound::new());
            }
            RoomEvent::TrackUnsubscribed { track, .. } => {
                self.tracks.remove(track);
            }
            RoomEvent::Disconnected(end) => self.end = Some(end.clone()),
            _ => {}
        }
        self.facts.push(event);
    }

    /// The value of somebody's attribute.
    pub(crate) fn attribute(&self, identity: &str, key: &str) -> Option<&str> {
        self.people.get(identity)?.attributes.get(key).map(String::as_str)
    }

    /// How many facts are like this.
    pub(crate) fn count(&self, is_it: impl Fn(&RoomEvent) -> bool) -> usize {
        self.facts.iter().filter(|fact| is_it(fact)).count()
    }

    /// The sounds of the tracks that somebody has now.
    pub(crate) fn sounds_of(&self, identity: &str) -> impl Iterator<Item = &Sound> {
        let tracks = self.tracks.values().filter(move |t| t.participant == identity);
        tracks.filter_map(|t| self.sounds.get(&t.sid))
    }

    /// Packets heard of the tracks that somebody has now.
    pub(crate) fn packets_of(&self, identity: &str) -> u64 {
        self.sounds_of(identity).map(|s| s.packets).sum()
    }
}

impl Sound {
    fn new() -> Self {
        Self {
            order: Reorder::default(),
            decoder: Decoder::new().unwrap(),
            next_rtp_time: None,
            pcm: Vec::new(),
            packets: 0,
            concealed: 0,
            longest_gap: Duration::ZERO,
            last_arrival: None,
            began: None,
        }
    }

    fn note(&mut self, packet: Packet) {
        if let Some(last) = self.last_arrival.replace(packet.arrived) {
            self.longest_gap = self.longest_gap.max(packet.arrived.saturating_duration_since(last));
        }
        let at = packet.arrived;
        self.order.push(at, packet.sequence, packet);
        while let Some(InOrder { packet, .. }) = self.order.pop(at) {
            let gap = self.next_rtp_time.map_or(0, |next| packet.rtp_time.saturating_sub(next));
            let made_up = gap.min(48_000);
            let concealed = self.decoder.conceal(made_up as usize, &packet.payload);
            self.pcm.extend(concealed);
            self.concealed += made_up;
            let before = Duration::from_micros(self.pcm.len() as u64 * 1_000_000 / 48_000);
            let began = packet.arrived.checked_sub(before);
            self.began = [self.began, began].into_iter().flatten().min();
            let pcm = self.decoder.decode(&packet.payload).unwrap();
            self.next_rtp_time = Some(packet.rtp_time + pcm.len() as u64);
            self.pcm.extend(pcm);
            self.packets += 1;
        }
    }

    /// The share of a pitch in the energy of the last 200 ms.
    pub(crate) fn purity(&self, pitch: f32) -> f32 {
        let tail = &self.pcm[self.pcm.len().saturating_sub(10 * FRAME_48)..];
        let (mut re, mut im, mut energy) = (0.0, 0.0, 0.0);
        for (n, sample) in tail.iter().enumerate() {
            let phase = n as f32 / 48_000.0 * pitch * TAU;
            let value = f32::from(*sample);
            re += value * phase.cos();
            im += value * phase.sin();
            energy += value * value;
        }
        if energy == 0.0 { 0.0 } else { 2.0 * (re * re + im * im) / (energy * tail.len() as f32) }
    }
}

/// A tone without end.
pub(crate) struct Tone {
    pitch: f32,
    position: u32,
}

impl Tone {
    pub(crate) fn new(pitch: f32) -> Self {
        Self { pitch, position: 0 }
    }
}

impl FrameSource for Tone {
    fn pull(&mut self, _: Instant) -> Option<Frame> {
        let samples: Vec<i16> = (0..FRAME_48)
            .map(|_| {
                let value = (self.position as f32 / 48_000.0 * self.pitch * TAU).sin();
                self.position = (self.position + 1) % 48_000;
                (value * 10_000.0) as i16
            })
            .collect();
        Some(Frame::try_from(samples).unwrap())
    }
}
