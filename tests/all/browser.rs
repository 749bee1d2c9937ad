//! The candidate's pages in a real browser, driven by `web/e2e/candidate.mjs`.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::Command;
use tokio_util::sync::CancellationToken;
use vivavoce::livekit::Api;
use vivavoce::web::Web;

use crate::livekit_server::LiveKit;
use crate::web::config;

/// Far more than the browser needs; a driver that hangs fails the test instead of stopping it.
const DRIVER_LIMIT: Duration = Duration::from_secs(180);

/// U02, C01, C02, C04, C05: from the form over consent and microphone into the room; what was not typed is
/// said, a second tab takes over and gives back, nothing is wider than 320 px, and no page logs an error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pages_lead_into_the_room() {
    let server = LiveKit::shared();
    let data = tempfile::tempdir().unwrap();
    let livekit = Api::new(server.url(), server.keys());
    let settings = vivavoce::web::Config {
        livekit_public_url: server.url().to_owned(),
        ..config(data.path(), livekit, Duration::from_secs(3600))
    };
    let web = Web::bind(settings).await.unwrap();
    let (url, stop) = (format!("http://{}", web.address()), CancellationToken::new());
    let serving = tokio::spawn(web.serve(stop.clone()));
    let seen = drive("pages", &url, &["--until", "connecting"]).await;
    stop.cancel();
    serving.await.unwrap().unwrap();
    assert_eq!(seen["pageErrors"], json!([]));
    assert_eq!(seen["overflows"], json!([]), "320 px are enough for every page");
    let errors =
        json!(["Candidate’s name: Type the candidate’s name.", "Target role: Type the role."]);
    assert_eq!(seen["launchErrors"], errors);
    assert_eq!(seen["unknownLink"], "This link does not work");
    assert!(seen["withoutConsent"].as_str().unwrap().contains("agree to take part"));
    assert_eq!(seen["situations"], json!(["connecting"]));
    assert_eq!((&seen["muted"], &seen["secondTab"]), (&json!(true), &json!(true)));
    assert_eq!(seen["endFocus"], "Carry on", "the safe answer has the focus");
}

/// Runs the driver; what it saw. Its screenshots are kept.
async fn drive(name: &str, url: &str, options: &[&str]) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(root.join("web/dist/index.html").is_file(), "the pages are not built: run `make web`");
    let driver = Command::new("node")
        .arg(root.join("web/e2e/candidate.mjs"))
        .args(["--url", url, "--out"])
        .arg(artefacts(name))
        .arg("--wav")
        .arg(root.join("audio-fixtures/two-stage-plain.wav"))
        .args(options)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output =
        tokio::time::timeout(DRIVER_LIMIT, driver).await.expect("the driver ends").unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    assert!(output.status.success(), "{}\n{said}", seen["failed"]);
    seen
}

/// Where people find the screenshots: `artefacts/browser-<name>` beside the build.
fn artefacts(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("../artefacts/browser-{name}"))
}
