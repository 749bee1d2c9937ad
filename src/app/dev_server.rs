//! A LiveKit server of our own for `vivavoce dev`: on this machine only, with a key of its own, gone when we
//! go.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use tokio::process::{Child, ChildStdin, Command};
use voiceroom::server::is_loopback;

use super::{
    Failed,
    port::{self, Listener},
};
use crate::config::{LiveKit, Secret};

const START_LIMIT: Duration = Duration::from_secs(15);
const STOP_LIMIT: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(20);

/// Runs the server `$0` with the settings `$1` until it ends, or until the pipe to this shell is closed: that
/// happens however we end, be it killed.
const ENDS_WITH_US: &str = r#"
"$0" --config-body "$1" </dev/null & server=$!
exec 3<&0
{ cat <&3 >/dev/null; kill -9 $server; } & wait $server
"#;

/// The running server. It ends when this is dropped.
pub(super) struct DevServer {
    child: Child,
    /// Held, or the server ends.
    pipe: Option<ChildStdin>,
    log: PathBuf,
}

impl DevServer {
    /// Sees to it that a LiveKit server answers at `livekit.url`: starts one if none does and the address is
    /// of this machine, and puts its key into `livekit`. `None`: one was there.
    pub(super) async fn ensure(livekit: &mut LiveKit, data: &Path) -> Result<Option<Self>, Failed> {
        let (host, port) = port::of(&livekit.url)?;
        let url = &livekit.url;
        match port::listener(url).await? {
            Listener::Nobody => {}
            Listener::LiveKit if livekit.api_secret.reveal().is_empty() => {
                return Err(Failed(format!(
                    "a LiveKit server answers at {url} already, but no key to it is set: to use it, \
                        set LIVEKIT_API_KEY and LIVEKIT_API_SECRET; to have one started beside it, \
                        name a free address in LIVEKIT_URL, such as ws://127.0.0.1:7980"
                )));
            }
            // In front of a server elsewhere there may be something that answers differently.
            Listener::Stranger if is_loopback(url) => {
                return Err(Failed(format!(
                    "port {port} is taken by something that is no LiveKit server: stop it, or name \
                        a free address in LIVEKIT_URL, such as ws://127.0.0.1:7980"
                )));
            }
            Listener::LiveKit | Listener::Stranger => return Ok(None),
        }
        if !matches!(host.as_str(), "127.0.0.1" | "localhost") || livekit.url.starts_with("wss") {
            return Err(Failed(format!(
                "no LiveKit server answers at {}: start it, or mend LIVEKIT_URL",
                livekit.url
            )));
        }
        if livekit.api_secret.reveal().is_empty() {
            livekit.api_key = "dev".into();
            livekit.api_secret = Secret::new(random_secret());
        }
        Self::start(port, livekit, data).await.map(Some)
    }

    async fn start(port: u16, livekit: &LiveKit, data: &Path) -> Result<Self, Failed> {
        let log = data.join("livekit-server.log");
        let unwritable = |error| Failed(format!("cannot write {}: {error}", log.display()));
        fs::create_dir_all(data).map_err(unwritable)?;
        let output = File::create(&log).map_err(unwritable)?;
        let errors = output.try_clone().map_err(unwritable)?;
        let program = program()?;
        let child = Command::new("sh")
            .args(["-c", ENDS_WITH_US])
            .arg(&program)
            .arg(settings(port))
            .env("LIVEKIT_KEYS", format!("{}: {}", livekit.api_key, livekit.api_secret.reveal()))
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(errors)
            // Ctrl-C in the terminal is for us: the server goes last, so that interviews can end.
            .process_group(0)
            .spawn();
        let mut child = child.map_err(|error| Failed(format!("cannot start a shell: {error}")))?;
        let pipe = child.stdin.take();
        let mut server = Self { child, pipe, log };
        server.wait_until_it_answers(port).await?;
        Ok(server)
    }

    async fn wait_until_it_answers(&mut self, port: u16) -> Result<(), Failed> {
        let waited = tokio::time::timeout(START_LIMIT, async {
            while !port::answers("127.0.0.1", port).await {
                if let Ok(Some(_)) = self.child.try_wait() {
                    return false;
                }
                tokio::time::sleep(POLL).await;
            }
            true
        });
        match waited.await {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.ended()),
            Err(_) => Err(Failed(format!(
                "the LiveKit server does not answer after {} s: see {}",
                START_LIMIT.as_secs(),
                self.log.display()
            ))),
        }
    }

    /// Waits until the server ends by itself, which it should not.
    pub(super) async fn wait(&mut self) -> Failed {
        let _ = self.child.wait().await;
        self.ended()
    }

    /// Ends the server at once: all it knows is in memory, and asked politely it would wait for rooms to
    /// empty.
    pub(super) async fn stop(mut self) {
        drop(self.pipe.take());
        let _ = tokio::time::timeout(STOP_LIMIT, self.child.wait()).await;
    }

    fn ended(&self) -> Failed {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let last = log.lines().last().unwrap_or("it says nothing");
        Failed(format!("the LiveKit server ended: {last} (all it said: {})", self.log.display()))
    }
}

/// The file that containers use, on other ports: everything on the loopback interface.
fn settings(port: u16) -> String {
    let udp_port = port.checked_add(2).unwrap_or(port - 2);
    include_str!("../../config/livekit.yaml")
        .replace("\nport: 7880", &format!("\nport: {port}"))
        .replace("udp_port: 7882", &format!("udp_port: {udp_port}"))
}

/// The server's binary: named by the environment, or on PATH.
pub(super) fn program() -> Result<PathBuf, Failed> {
    if let Some(named) = std::env::var_os("VIVAVOCE_LIVEKIT_SERVER") {
        let named = PathBuf::from(named);
        return if named.is_file() {
            Ok(named)
        } else {
            Err(Failed(format!(
                "VIVAVOCE_LIVEKIT_SERVER names {}, which is no file",
                named.display()
            )))
        };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|dir| dir.join("livekit-server"));
    places.find(|program| program.is_file()).ok_or_else(|| {
        Failed(
            "there is no livekit-server on PATH: install it, or name it in \
            VIVAVOCE_LIVEKIT_SERVER (`make run` does)"
                .into(),
        )
    })
}

fn random_secret() -> String {
    let bytes: [u8; 24] = rand::random();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N06: a server of its own on whatever port the address names.
    #[test]
    fn any_port_will_do() {
        for (port, udp_port) in [(7880, 7882), (7882, 7884), (17880, 17882), (65_535, 65_533)] {
            let settings = settings(port);
            for line in [format!("\nport: {port}\n"), format!("\n  udp_port: {udp_port}\n")] {
                assert!(settings.contains(&line), "{settings}");
            }
        }
    }
}
