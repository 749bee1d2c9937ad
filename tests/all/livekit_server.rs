//! A real LiveKit server for a test, on ports of loopback that are its own.

use std::{
    fs::{self, File},
    io::Read,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket},
    ops::Range,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use serde_json::Value;
use vivavoce::clock;
use voiceroom::server::ApiKeys;

use crate::client::PATIENCE;

pub(crate) const KEY: &str = "devkey";
pub(crate) const SECRET: &str = "secret-secret-secret-secret-secret-32";
const START_LIMIT: Duration = Duration::from_secs(120);
/// Where ports are reserved: below those that the kernel gives to whoever asks for any, and those of the
/// server's relay.
const RESERVED: Range<u16> = 20_000..30_000;
/// So many ports are reserved together.
const BLOCK: u16 = 4;

/// A running server. Ends with the last handle, and with the test's process in any case.
pub(crate) struct LiveKit {
    url: String,
    reserved: Reserved,
    face: Face,
    /// A shell that ends the server when the pipe to it is closed.
    process: Mutex<Option<Child>>,
    log: PathBuf,
}

/// Where media finds it.
#[derive(Clone, Copy)]
enum Face {
    /// Where it is.
    Bare,
    /// There too, with other settings for media, a line each.
    With(&'static str),
    /// There too, and it hands out a relay that is reached like this.
    Relaying(Turn),
    /// At this address, where something stands before it: as an ICE-lite server it looks for nobody by
    /// itself.
    Behind(Ipv4Addr),
    /// The same, and the relay that it hands out is reached where it is.
    RelayingBehind(Turn, Ipv4Addr),
}

/// What leads to a server's relay.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    Udp,
    /// UDP, and where the server itself is, TCP alone.
    UdpBesideTcp,
    Tcp,
    /// With a certificate and its key, in PEM.
    Tls(&'static Path, &'static Path),
}

/// Who may use the relay, for a server with our key and secret: `key|relay|4102444800` in base62, and the
/// SHA-256 of `secret|relay|4102444800`.
const TURN_USER: &str = "wADO0QDNyATM0wXeCjtykjv8KbN7KjM";
const TURN_PASSWORD: &str = "zrNR3Ek9uufHochGc8xhbDDLezyJvEIT8iYnW2TENLZ";

/// Where a server listens, on loopback.
#[derive(Clone, Copy)]
pub(crate) struct Ports {
    /// For signalling and the API.
    pub(crate) http: u16,
    tcp: u16,
    /// For media.
    pub(crate) udp: u16,
    turn: u16,
}

/// Four ports in a row that no other test gets as long as this is held, whether something listens there or
/// not: who has them keeps a file locked.
pub(crate) struct Reserved {
    /// The first of them.
    pub(crate) first: u16,
    _lock: File,
}

impl LiveKit {
    /// The server that tests share which do no harm to it.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<LiveKit>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(|e| e.into_inner());
        shared.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Self::start());
            *shared = Arc::downgrade(&server);
            server
        })
    }

    /// A server of one's own, to be killed and the like.
    pub(crate) fn start() -> Self {
        Self::start_as(Face::Bare)
    }

    /// A server of one's own with other settings for media.
    pub(crate) fn start_with(rtc: &'static str) -> Self {
        Self::start_as(Face::With(rtc))
    }

    /// One that tells everybody it is at `address`: all media has to pass what stands there.
    pub(crate) fn behind(address: Ipv4Addr) -> Self {
        Self::start_as(Face::Behind(address))
    }

    /// One that hands out a relay of its own.
    pub(crate) fn relaying(turn: Turn) -> Self {
        Self::start_as(Face::Relaying(turn))
    }

    /// One that hands out a relay of its own, and whose media has to pass what stands at `address`.
    pub(crate) fn relaying_behind(turn: Turn, address: Ipv4Addr) -> Self {
        Self::start_as(Face::RelayingBehind(turn, address))
    }

    fn start_as(face: Face) -> Self {
        voiceroom::tls::install();
        let reserved = Reserved::new();
        let server = Self {
            url: format!("ws://127.0.0.1:{}", reserved.first),
            reserved,
            face,
            process: Mutex::new(None),
            log: log_path(),
        };
        server.launch();
        assert!(server.answers(), "the LiveKit server does not start: {}", server.log());
        server
    }

    fn launch(&self) {
        let Ports { http, tcp, udp, turn } = self.ports();
        let (address, is_lite, rtc) = match self.face {
            Face::Bare => (Ipv4Addr::LOCALHOST, false, String::new()),
            Face::With(rtc) => (Ipv4Addr::LOCALHOST, false, rtc.to_owned()),
            Face::Relaying(way) => (Ipv4Addr::LOCALHOST, false, relaying(way, turn)),
            Face::Behind(address) => (address, true, String::new()),
            Face::RelayingBehind(way, address) => (address, true, relaying(way, turn)),
        };
        // Nothing stands before the port for TCP.
        let tcp = if is_lite { 0 } else { tcp };
        let config = format!(
            "port: {http}\nbind_addresses: [\"127.0.0.1\"]\nkeys: {{{KEY}: {SECRET}}}\nrtc:\n  \
                tcp_port: {tcp}\n  \
             udp_port: {udp}\n  use_external_ip: false\n  node_ip: {address}\n  use_ice_lite: {is_lite}\n  \
             enable_loopback_candidate: true\n  interfaces: {{includes: [lo]}}\n{rtc}\nlogging: \
             {{level: info}}\n"
        );
        let log = fs::OpenOptions::new().create(true).append(true).open(&self.log).unwrap();
        // `cat` ends when our end of the pipe is closed, be it because we are gone. The shell ends after the
        // server, whose ports are free then.
        let script = "\"$0\" --config-body \"$1\" </dev/null & server=$!; echo pid $server; cat \
            >/dev/null; kill -9 $server; wait $server";
        let shell = Command::new("sh")
            .args(["-c", script, &binary().to_string_lossy(), &config])
            .stdin(Stdio::piped())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        *self.process.lock().unwrap() = Some(shell);
    }

    /// Where clients and workers connect.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Where it listens.
    pub(crate) fn ports(&self) -> Ports {
        let http = self.reserved.first;
        Ports { http, tcp: http + 1, udp: http + 2, turn: http + 3 }
    }

    /// Its key and secret.
    pub(crate) fn keys(&self) -> ApiKeys {
        ApiKeys::new(KEY, SECRET)
    }

    /// Kills it, as a power cut would.
    pub(crate) fn kill(&self) {
        if let Some(mut shell) = self.process.lock().unwrap().take() {
            drop(shell.stdin.take());
            let _ = shell.wait();
        }
    }

    /// Lets it stand still, as a cut line does: nothing is answered, nothing is closed.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let log = self.log();
        let pid =
            log.lines().rev().find_map(|l| l.strip_prefix("pid ")).expect("its pid in the log");
        assert!(Command::new("kill").args([signal, pid]).status().unwrap().success());
    }

    /// Starts it again on the same ports.
    pub(crate) fn restart(&self) {
        self.kill();
        self.launch();
        assert!(self.answers(), "the LiveKit server does not start again");
    }

    /// Waits until it answers; false if it has ended instead.
    fn answers(&self) -> bool {
        let deadline = clock::instant() + START_LIMIT;
        while clock::instant() < deadline {
            if self.log().contains("address already in use") {
                return false;
            }
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.reserved.first));
            if TcpStream::connect(address).is_ok() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        let mut text = Vec::new();
        if let Ok(mut file) = fs::File::open(&self.log) {
            let _ = file.read_to_end(&mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl Drop for LiveKit {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("the LiveKit server's log is kept: {}", self.log.display());
        } else {
            let _ = fs::remove_file(&self.log);
        }
    }
}

impl Reserved {
    /// Takes ports that nobody has reserved and where nobody listens.
    pub(crate) fn new() -> Self {
        let user = rustix::process::geteuid().as_raw();
        let folder = std::env::temp_dir().join(format!("vivavoce-ports-{user}"));
        fs::create_dir_all(&folder).unwrap();
        let blocks = (RESERVED.end - RESERVED.start) / BLOCK;
        // Those who begin at once begin apart.
        let begin = std::process::id() % u32::from(blocks);
        let firsts = (0..blocks).map(|n| (n + begin as u16) % blocks * BLOCK + RESERVED.start);
        let mut locked = firsts.filter_map(|first| {
            let lock = File::create(folder.join(first.to_string())).unwrap();
            lock.try_lock().is_ok().then_some(Self { first, _lock: lock })
        });
        locked.find(Self::are_free).expect("somewhere nobody listens")
    }

    /// Whether no program of another kind is there.
    fn are_free(&self) -> bool {
        let free = |port| {
            let at = (Ipv4Addr::LOCALHOST, port);
            TcpListener::bind(at).is_ok() && UdpSocket::bind(at).is_ok()
        };
        (self.first..self.first + BLOCK).all(free)
    }
}

/// The settings of a server that relays: what it hands out, behind those for media, and what it does.
fn relaying(way: Turn, port: u16) -> String {
    let (handed_out, does) = match way {
        // It hands out its own relay over UDP by itself.
        Turn::Udp | Turn::UdpBesideTcp => (None, format!("udp_port: {port}")),
        Turn::Tcp => (Some("tcp"), format!("tls_port: {port}, external_tls: true")),
        Turn::Tls(certificate, key) => {
            let files = (certificate.display(), key.display());
            let does = format!("tls_port: {port}, cert_file: {}, key_file: {}", files.0, files.1);
            (Some("tls"), does)
        }
    };
    let handed_out = handed_out.map(|protocol| {
        format!(
            "  turn_servers: [{{host: localhost, port: {port}, protocol: {protocol}, username: \
                {TURN_USER}, credential: {TURN_PASSWORD}}}]\n"
        )
    });
    let media = match way {
        Turn::UdpBesideTcp => "  force_tcp: true\n",
        Turn::Udp | Turn::Tcp | Turn::Tls(..) => "",
    };
    format!(
        "{media}{}turn: {{enabled: true, domain: localhost.example, bind_addresses: [\"127.0.0.1\"], \
         allow_restricted_peer_cidrs: [\"127.0.0.0/8\"], {does}}}",
        handed_out.unwrap_or_default()
    )
}

/// How jobs ended, in the server's own words and order; waits for so many. Only its log tells: the API calls
/// a job running whatever became of it.
pub(crate) async fn jobs_ended(count: usize, log: impl Fn() -> String) -> Vec<String> {
    let waiting = async {
        loop {
            let ended: Vec<_> = log().lines().filter_map(job_ended).collect();
            if ended.len() >= count {
                return ended;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let ended = tokio::time::timeout(PATIENCE, waiting).await;
    ended.unwrap_or_else(|_| panic!("no {count} jobs ended: {}", log()))
}

/// `JS_SUCCESS`, or `JS_FAILED: why`.
fn job_ended(line: &str) -> Option<String> {
    let (_, fields) = line.split_once("job ended")?;
    let fields: Value = serde_json::from_str(fields.trim()).ok()?;
    let (status, error) = (fields["status"].as_str()?, fields["error"].as_str()?);
    Some(if error.is_empty() { status.to_owned() } else { format!("{status}: {error}") })
}

fn log_path() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("livekit-{}-{}.log", std::process::id(), NEXT.fetch_add(1, Relaxed));
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The server's binary: named, on the PATH, in the tools folder, in the cache.
pub(crate) fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("VIVAVOCE_LIVEKIT_SERVER") {
        return path.into();
    }
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&on_path).collect();
    places.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tools"));
    if let Some(home) = std::env::home_dir() {
        places.push(home.join(".cache/vivavoce/livekit-server-1.13.5"));
    }
    let found = places.into_iter().map(|place| place.join("livekit-server")).find(|p| p.is_file());
    found.expect(
        "no livekit-server is installed: put it on the PATH, or set VIVAVOCE_LIVEKIT_SERVER",
    )
}
