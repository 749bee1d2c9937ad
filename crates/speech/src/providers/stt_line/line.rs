//! One candidate's connection to a server, which is opened again after each failure until the candidate
//! leaves.

use std::{
    future::pending,
    sync::{Arc, mpsc::SyncSender},
    time::Duration,
};

use futures_util::{FutureExt, SinkExt, StreamExt, future::BoxFuture};
use reqwest::Upgraded;
use tokio::{sync::mpsc, time::timeout};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        self, Bytes,
        protocol::{CloseFrame, Role, WebSocketConfig},
    },
};
use tracing::{error, info, warn};

use super::{Keyterms, Place, Reader, Said, ear::Ear, health::Health};
use crate::{
    clock::Clock,
    providers::{
        ProviderError, Retry, SttOut,
        backlog::Waiting,
        http::{Refusal, Site, transient_error},
        stt_stream::{Command, Inbox},
    },
};
use audio::Pcm16;
use interview::time::SessionTime;

/// The longest handshake.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);
/// The longest time to send a message; after it the connection is given up.
const SEND_LIMIT: Duration = Duration::from_secs(5);
/// The longest silence of the server during speech; after it the connection is given up.
const SILENCE_LIMIT: Duration = Duration::from_secs(5);
/// The longest silence on our side: the server closes the connection after 10 s without a message.
const KEEP_ALIVE: Duration = Duration::from_secs(4);
/// The wait before the second try to connect, which is doubled with each further try up to the maximum.
const RETRY_FIRST: Duration = Duration::from_millis(250);
const RETRY_MAX: Duration = Duration::from_secs(10);
/// The longest time to close a connection.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);
/// The size of the read buffer of each candidate, which is filled with zeros before each read. Results are
/// short.
const READ_BYTES: usize = 4 << 10;
/// The longest message of the server; a longer one is no result.
const MESSAGE_BYTES_MAX: usize = 1 << 20;
/// A deadline that stands for never.
const HOUR: Duration = Duration::from_secs(3_600);

/// The data of a candidate's stream.
pub(super) struct Candidate {
    pub(super) place: Place,
    pub(super) keyterms: Keyterms,
    pub(super) inbox: Inbox,
    /// Whether the recogniser is there, for the stream.
    pub(super) health: Arc<Health>,
    pub(super) out: SttOut,
}

type Socket = Box<WebSocketStream<Upgraded>>;

impl Candidate {
    /// Runs the connection until the stream is closed.
    pub(super) async fn run(self) {
        let Self { place, keyterms, inbox, health, out } = self;
        let Inbox { mut commands, waiting } = inbox;
        let mut line = Line {
            clock: health.clock(),
            health,
            ear: Ear::new(out, place.dialect.final_limit()),
            place,
            state: State::Refused,
            tries: 0,
            keyterms,
            sent_keyterms: Vec::new(),
            settling: Vec::new(),
        };
        line.connect();
        loop {
            match line.next(&mut commands).await {
                LineEvent::Asked(None) => return line.close().await,
                LineEvent::Asked(Some(command)) => line.run_command(command, &waiting).await,
                LineEvent::Connected(Ok(socket)) => line.connected(socket).await,
                LineEvent::Connected(Err(why)) => line.connection_lost(&why),
                LineEvent::Said(message) => line.receive(message),
                LineEvent::Due => line.handle_deadline().await,
            }
            line.note_health();
            line.notify_settled();
        }
    }
}

/// Opens a connection with the keyterms `terms`.
async fn connect(place: Place, terms: Vec<String>) -> Result<Socket, ProviderError> {
    let Place { site, dialect } = place;
    let query = dialect.query(&terms);
    let query: Vec<(&str, &str)> = query.iter().map(|(key, value)| (*key, &**value)).collect();
    let opened = timeout(CONNECT_LIMIT, site.open_socket(&query)).await;
    let stream = opened.map_err(|_| {
        let limit = CONNECT_LIMIT.as_secs();
        transient_error(format!(
            "{} does not answer within {limit} s; is the way to it open?",
            site.place
        ))
    })??;
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BYTES)
        .max_message_size(Some(MESSAGE_BYTES_MAX))
        .max_frame_size(Some(MESSAGE_BYTES_MAX));
    let mut socket =
        Box::new(WebSocketStream::from_raw_socket(stream, Role::Client, Some(config)).await);
    if let Some(hello) = dialect.hello(&terms) {
        let sent = timeout(SEND_LIMIT, socket.send(tungstenite::Message::text(hello))).await;
        let sent = sent.map_err(|_| takes_no_more(&site))?;
        sent.map_err(|cause| site.broken_off(&cause))?;
    }
    Ok(socket)
}

/// Opens a connection, ends the stream and waits for the answer. For `doctor`.
pub(super) async fn try_stream(place: &Place) -> Result<(), ProviderError> {
    let site = &place.site;
    let mut socket = connect(place.clone(), Vec::new()).await?;
    let broke = |error: tungstenite::Error| site.broken_off(&error);
    let mut reader = place.dialect.reader();
    let farewell = tungstenite::Message::text(place.dialect.farewell());
    socket.send(farewell).await.map_err(broke)?;
    let answer = async {
        loop {
            let Some(message) = socket.next().await.transpose().map_err(broke)? else {
                return Err(hung_up(site, None));
            };
            match message {
                tungstenite::Message::Text(text) => match reader.read(&text) {
                    Some(Said::Error(says)) => return Err(complained(site, &says)),
                    Some(Said::Refused(status, says)) => {
                        return Err(site.refused_in_stream(status, &Refusal::new("", &says)));
                    }
                    Some(Said::Results(_) | Said::NotConfigured | Said::Other) => return Ok(()),
                    None => {
                        return Err(transient_error(format!(
                            "{} answers with no message of {}'s; is {} right?",
                            site.place,
                            place.dialect.vendor(),
                            site.setting("base_url")
                        )));
                    }
                },
                tungstenite::Message::Close(frame) => return Err(hung_up(site, frame.as_ref())),
                _ => {}
            }
        }
    };
    let late = || site.too_late("no answer", SILENCE_LIMIT, "base_url");
    timeout(SILENCE_LIMIT, answer).await.unwrap_or_else(|_| Err(late()))
}

struct Line {
    place: Place,
    clock: Clock,
    health: Arc<Health>,
    ear: Ear,
    state: State,
    /// The number of tries since a connection last worked.
    tries: u32,
    keyterms: Keyterms,
    /// The keyterms that the connection has.
    sent_keyterms: Vec<String>,
    /// The callers who wait until all transcripts are reported.
    settling: Vec<SyncSender<()>>,
}

enum State {
    Connecting {
        connection: BoxFuture<'static, Result<Socket, ProviderError>>,
        since: SessionTime,
    },
    Open(Open),
    /// The next try is at `until`.
    Waiting {
        until: SessionTime,
    },
    /// The server has refused us; there is no other try.
    Refused,
}

struct Open {
    socket: Socket,
    reader: Box<dyn Reader>,
    /// Sound that is too short for a message.
    unsent: Vec<u8>,
    /// The time of our last message.
    sent: SessionTime,
    /// The time since which the server owes us a message.
    unanswered: Option<SessionTime>,
}

enum LineEvent {
    Connected(Result<Socket, ProviderError>),
    Said(Option<Result<tungstenite::Message, tungstenite::Error>>),
    Asked(Option<Command>),
    Due,
}

impl Line {
    async fn next(&mut self, commands: &mut mpsc::Receiver<Command>) -> LineEvent {
        let (clock, deadline) = (self.clock, self.deadline());
        let there = async {
            match &mut self.state {
                State::Connecting { connection, .. } => LineEvent::Connected(connection.await),
                State::Open(open) => LineEvent::Said(open.socket.next().await),
                State::Waiting { .. } | State::Refused => pending().await,
            }
        };
        tokio::select! {
            biased;
            happening = there => happening,
            command = commands.recv() => LineEvent::Asked(command),
            () = clock.sleep_until(deadline) => LineEvent::Due,
        }
    }

    fn deadline(&self) -> SessionTime {
        let line = match &self.state {
            State::Connecting { .. } | State::Refused => None,
            State::Waiting { until } => Some(*until),
            State::Open(open) => {
                let silent = open.unanswered.map(|since| since + SILENCE_LIMIT);
                silent.into_iter().chain([open.sent + KEEP_ALIVE]).min()
            }
        };
        let deadlines = [line, self.ear.deadline()].into_iter().flatten();
        deadlines.min().unwrap_or(self.clock.now() + HOUR)
    }

    async fn run_command(&mut self, command: Command, waiting: &Waiting) {
        let now = self.clock.now();
        match command {
            Command::Push { at, sound } => {
                waiting.taken();
                self.ear.keep(at, sound.clone());
                self.push(at, &sound).await;
            }
            Command::Started { at } => {
                self.ear.started(at);
                if let State::Open(open) = &mut self.state {
                    open.unanswered = open.unanswered.or(Some(now));
                }
            }
            // Servers end their stretches by themselves, sooner than our detector is sure.
            Command::Paused { .. } => {}
            Command::Stopped { at } => {
                self.ear.stopped(now, at);
                self.finalize().await;
            }
            Command::Keyterms(keyterms) => {
                self.keyterms.now = keyterms;
                self.update_keyterms().await;
            }
            Command::Settle(done) => self.settling.push(done),
        }
    }

    /// Begins a try to connect.
    fn connect(&mut self) {
        self.sent_keyterms = self.place.dialect.terms(&self.keyterms);
        let connection = connect(self.place.clone(), self.sent_keyterms.clone());
        self.state = State::Connecting { connection: connection.boxed(), since: self.clock.now() };
    }

    /// Replaces the keyterms, if the server can do so on an open connection.
    async fn update_keyterms(&mut self) {
        let keyterms = self.place.dialect.terms(&self.keyterms);
        let is_open = matches!(self.state, State::Open(_));
        if !is_open || keyterms == self.sent_keyterms {
            return;
        }
        if let Some(message) = self.place.dialect.replaced(&keyterms) {
            self.send(tungstenite::Message::text(message)).await;
            self.sent_keyterms = keyterms;
        }
    }

    async fn connected(&mut self, socket: Socket) {
        let now = self.clock.now();
        let (sound, lost) = self.ear.reconnected();
        if !lost.is_zero() {
            let seconds = lost.as_secs_f32();
            warn!(seconds, "speech was lost: the recogniser was away for too long");
            metrics::counter!("vivavoce_stt_lost_seconds_total").increment(seconds.ceil() as u64);
        }
        info!(place = self.place.site.place, pieces = sound.len(), "recogniser connected");
        let unanswered = self.has_open_speech().then_some(now);
        let reader = self.place.dialect.reader();
        let open = Open { socket, reader, unsent: Vec::new(), sent: now, unanswered };
        self.state = State::Open(open);
        self.health.opened();
        self.update_keyterms().await;
        for (at, sound) in &sound {
            self.push(*at, sound).await;
        }
        // Asked for without need, finals would cut words off whose voice is not told of yet.
        if !self.ear.is_speaking() && !sound.is_empty() && self.ear.lacks_finals() {
            self.finalize().await;
        }
    }

    /// Asks for finals, unless the server sends them by itself.
    async fn finalize(&mut self) {
        if let Some(message) = self.place.dialect.finalize() {
            if let State::Open(open) = &mut self.state {
                open.reader.asked(self.ear.sent_seconds());
            }
            self.send(tungstenite::Message::text(message)).await;
        }
    }

    async fn keep_alive(&mut self) {
        let message = self.place.dialect.keep_alive();
        let ping = || tungstenite::Message::Ping(Bytes::new());
        self.send(message.map_or_else(ping, tungstenite::Message::text)).await;
    }

    async fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        let State::Open(open) = &mut self.state else { return };
        self.ear.sent(at, sound);
        open.unsent.extend(sound.0.iter().flat_map(|sample| sample.to_le_bytes()));
        if open.unsent.len() >= 2 * self.place.dialect.chunk_samples() {
            let bytes = std::mem::take(&mut open.unsent);
            self.send(tungstenite::Message::Binary(Bytes::from(bytes))).await;
        }
    }

    async fn send(&mut self, message: tungstenite::Message) {
        let State::Open(open) = &mut self.state else { return };
        match timeout(SEND_LIMIT, open.socket.send(message)).await {
            Ok(Ok(())) => open.sent = self.clock.now(),
            Ok(Err(cause)) => self.connection_lost(&self.place.site.broken_off(&cause)),
            Err(_) => self.connection_lost(&takes_no_more(&self.place.site)),
        }
    }

    fn receive(&mut self, message: Option<Result<tungstenite::Message, tungstenite::Error>>) {
        let site = &self.place.site;
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(cause)) => return self.connection_lost(&site.broken_off(&cause)),
            None => return self.connection_lost(&hung_up(site, None)),
        };
        let text = match message {
            tungstenite::Message::Text(text) => text,
            tungstenite::Message::Close(frame) => {
                return self.connection_lost(&hung_up(site, frame.as_ref()));
            }
            _ => return,
        };
        let now = self.clock.now();
        let State::Open(open) = &mut self.state else { return };
        match open.reader.read(&text) {
            Some(Said::Error(says)) => return self.connection_lost(&complained(site, &says)),
            Some(Said::Refused(status, says)) => {
                let why = site.refused_in_stream(status, &Refusal::new("", &says));
                return self.connection_lost(&why);
            }
            Some(Said::Results(all)) => {
                // A connection works only once it has sent results.
                self.tries = 0;
                self.health.works();
                all.iter().for_each(|results| self.ear.hear(now, results));
            }
            Some(Said::NotConfigured) => {
                warn!(place = site.place, "the recogniser did not take the keyterms");
            }
            Some(Said::Other) => {}
            None => return warn!(place = site.place, "the recogniser said something senseless"),
        }
        let has_open_speech = self.has_open_speech();
        if let State::Open(open) = &mut self.state {
            open.unanswered = has_open_speech.then_some(now);
        }
    }

    async fn handle_deadline(&mut self) {
        let at = self.clock.now();
        self.ear.tick(at);
        let is_waiting = self.has_open_speech() || self.place.dialect.answers_noise();
        if let State::Open(open) = &mut self.state
            && !is_waiting
        {
            open.unanswered = None;
        }
        let is_quiet = match &self.state {
            State::Waiting { until } if at >= *until => {
                self.connect();
                false
            }
            State::Open(open) if open.unanswered.is_some_and(|it| at >= it + SILENCE_LIMIT) => {
                let (place, limit) = (&self.place.site.place, SILENCE_LIMIT.as_secs());
                self.connection_lost(&transient_error(format!(
                    "{place} was spoken to for {limit} s and said nothing"
                )));
                false
            }
            State::Open(open) => at >= open.sent + KEEP_ALIVE,
            State::Waiting { .. } | State::Connecting { .. } | State::Refused => false,
        };
        if is_quiet {
            self.keep_alive().await;
        }
    }

    /// Whether there is speech that is not fully transcribed.
    fn has_open_speech(&self) -> bool {
        self.ear.is_speaking() || self.ear.is_awaiting()
    }

    /// Handles the loss of the connection: logs the reason and plans the next try.
    fn connection_lost(&mut self, why: &ProviderError) {
        let since = match &self.state {
            State::Connecting { since, .. } => *since,
            State::Open(open) => open.unanswered.unwrap_or(self.clock.now()),
            State::Waiting { .. } | State::Refused => self.clock.now(),
        };
        self.health.lost(since, why);
        let wait = match (why.retry, self.tries) {
            (Retry::Never, _) => {
                error!(%why, "the recogniser refused us, it understands nothing");
                self.state = State::Refused;
                return;
            }
            (Retry::Now, 0) => Duration::ZERO,
            (Retry::Now, tries) => backoff(tries),
            (Retry::After(wait), tries) => wait.min(RETRY_MAX).max(backoff(tries.max(1))),
        };
        warn!(%why, wait_ms = wait.as_millis() as u64, "no recogniser, connecting again");
        metrics::counter!("vivavoce_stt_reconnects_total").increment(1);
        self.tries += 1;
        self.state = State::Waiting { until: self.clock.now() + wait };
    }

    /// Tells the stream since when the server owes us a message.
    fn note_health(&self) {
        match &self.state {
            State::Open(open) => self.health.owes(open.unanswered),
            State::Connecting { .. } | State::Waiting { .. } | State::Refused => {}
        }
    }

    fn notify_settled(&mut self) {
        let is_settled = !matches!(self.state, State::Connecting { .. }) && !self.ear.is_awaiting();
        if is_settled {
            for done in self.settling.drain(..) {
                // The caller may have stopped waiting.
                let _ = done.try_send(());
            }
        }
    }

    async fn close(self) {
        let State::Open(mut open) = self.state else { return };
        let message = tungstenite::Message::text(self.place.dialect.farewell());
        let farewell = async {
            open.socket.send(message).await?;
            open.socket.close().await
        };
        // A failure does not matter: the candidate has left.
        let _ = timeout(CLOSE_LIMIT, farewell).await;
    }
}

fn backoff(tries: u32) -> Duration {
    (RETRY_FIRST * 2_u32.saturating_pow(tries - 1)).min(RETRY_MAX)
}

fn takes_no_more(site: &Site) -> ProviderError {
    transient_error(format!("{} takes no more sound", site.place))
}

fn complained(site: &Site, says: &str) -> ProviderError {
    transient_error(format!("{} complains: {}", site.place, site.without_key(says)))
}

fn hung_up(site: &Site, frame: Option<&CloseFrame>) -> ProviderError {
    let (code, reason) = frame.map_or((None, ""), |it| (Some(u16::from(it.code)), &*it.reason));
    site.hung_up(code, reason)
}
