//! `/healthz`, `/readyz` and `/metrics` of a worker (W10).

use axum::{Router, extract::State, http::StatusCode, routing::get};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::{net::TcpListener, sync::watch};
use tokio_util::sync::CancellationToken;
use voiceroom::worker::{Link, Standing};

use crate::web::{ConnectionLimits, serve_within};

/// What `/healthz` says, of the worker and of the web app.
pub(super) const ALIVE: &str = crate::web::ALIVE;
/// Connections that are open at once: of a few probes, and of what reads the metrics.
const OPEN_MAX: usize = 64;

#[derive(Clone)]
struct Health {
    standing: watch::Receiver<Standing>,
    metrics: Option<PrometheusHandle>,
}

/// Answers until `stop` is done.
pub(super) async fn serve(
    listener: TcpListener,
    standing: watch::Receiver<Standing>,
    metrics: Option<PrometheusHandle>,
    stop: CancellationToken,
) {
    let router = Router::new()
        .route("/healthz", get(async || ALIVE))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics_text))
        .with_state(Health { standing, metrics });
    let limits = ConnectionLimits { open_max: OPEN_MAX, ..ConnectionLimits::default() };
    serve_within(limits, listener, router, stop).await;
}

async fn readyz(State(health): State<Health>) -> (StatusCode, &'static str) {
    match health.standing.borrow().link {
        Link::Registered => (StatusCode::OK, "ready\n"),
        Link::Connecting => {
            (StatusCode::SERVICE_UNAVAILABLE, "not registered with the LiveKit server\n")
        }
        Link::Draining => (StatusCode::SERVICE_UNAVAILABLE, "draining: takes no new interviews\n"),
    }
}

async fn metrics_text(State(health): State<Health>) -> String {
    let Some(recorded) = health.metrics else { return String::new() };
    gauge_standing(*health.standing.borrow());
    gauge_process();
    recorded.render()
}

#[expect(clippy::cast_precision_loss, reason = "slots are few")]
fn gauge_standing(standing: Standing) {
    metrics::gauge!("vivavoce_worker_interviews").set(standing.jobs as f64);
    metrics::gauge!("vivavoce_worker_slots").set(standing.slots as f64);
    metrics::gauge!("vivavoce_worker_load").set(f64::from(standing.load));
}

/// Memory, CPU and files, where the system tells.
#[expect(clippy::cast_precision_loss, reason = "a gauge")]
fn gauge_process() {
    let Ok(process) = procfs::process::Process::myself() else { return };
    if let Ok(stat) = process.stat() {
        metrics::gauge!("vivavoce_process_resident_memory_bytes")
            .set((stat.rss * procfs::page_size()) as f64);
        let seconds = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
        metrics::gauge!("vivavoce_process_cpu_seconds_total").set(seconds);
        metrics::gauge!("vivavoce_process_threads").set(stat.num_threads as f64);
    }
    if let Ok(files) = process.fd_count() {
        metrics::gauge!("vivavoce_process_open_fds").set(files as f64);
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;
    use voiceroom::http::{CallLimit, client};

    use super::*;

    async fn get(port: u16, path: &str) -> (u16, String) {
        let client = client(CallLimit::Callers).build().unwrap();
        let answer = client.get(format!("http://127.0.0.1:{port}{path}")).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// W10: alive always, ready only when registered, metrics as Prometheus reads them.
    #[tokio::test]
    async fn health_tells_alive_from_ready() {
        voiceroom::tls::install();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connecting = Standing { link: Link::Connecting, jobs: 1, slots: 4, load: 0.0 };
        let (tell, standing) = watch::channel(connecting);
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            metrics::counter!("vivavoce_interviews_total").increment(2);
        });
        let (metrics, stop) = (Some(recorder.handle()), CancellationToken::new());
        tokio::spawn(serve(listener, standing, metrics, stop));

        assert_eq!(get(port, "/healthz").await, (200, ALIVE.into()));
        assert_eq!(get(port, "/readyz").await.0, 503);
        tell.send_replace(Standing { link: Link::Registered, ..connecting });
        assert_eq!(get(port, "/readyz").await, (200, "ready\n".into()));
        tell.send_replace(Standing { link: Link::Draining, ..connecting });
        assert!(get(port, "/readyz").await.1.starts_with("draining"));
        assert!(get(port, "/metrics").await.1.contains("interviews_total 2"));
    }
}
