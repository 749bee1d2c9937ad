//! Logs, metrics and traces of the process.

mod lines;
mod traces;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing::Span;
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::config::Log;
use lines::Lines;
pub use traces::{Hop, InterviewTrace, Traces, TurnTrace, start_traces};

/// Bounds of the histograms, in seconds: fine where a person notices a difference.
const SECONDS: &[f64] = &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0];

/// Logs go to stderr from here on. Called once, by `main`; a second call changes nothing.
pub fn start_logs(log: &Log) {
    // Fails when there is a subscriber already, as in a test: that one stays.
    let _ = tracing::subscriber::set_global_default(subscriber(log, std::io::stderr));
}

/// Metrics are counted from here on; the handle renders them. `None` when they were already.
pub fn start_metrics() -> Option<PrometheusHandle> {
    let builder = PrometheusBuilder::new().set_buckets(SECONDS).expect("there are buckets");
    builder.install_recorder().ok()
}

/// The span of one interview: every line that is logged within it carries its id and its job's.
pub fn interview_span(interview: &str, job: &str) -> Span {
    tracing::info_span!("interview", interview, job)
}

fn subscriber(
    log: &Log,
    writer: impl for<'w> MakeWriter<'w> + Send + Sync + 'static,
) -> impl tracing::Subscriber + Send + Sync {
    let lines = || Lines { format: log.format, personal: log.personal };
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(&log.filter))
        .with_writer(writer)
        .fmt_fields(lines())
        .event_format(lines())
        .finish()
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use super::*;
    use crate::config::LogFormat;

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is logged of one line within an interview.
    fn logged(format: LogFormat, personal: bool) -> String {
        let sink = Sink::default();
        let writer = sink.clone();
        let log = Log { filter: "info".into(), format, personal };
        tracing::subscriber::with_default(subscriber(&log, move || writer.clone()), || {
            let _entered = interview_span("i-1", "j-1").entered();
            tracing::info!(turn = 3, pii.text = "I was ill", ok = true, "turn committed");
            tracing::debug!("not logged");
        });
        let bytes = sink.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    /// DESIGN §4.12: what a person said is logged only where that was asked for.
    #[test]
    fn personal_fields_are_dropped_unless_asked_for() {
        for format in [LogFormat::Human, LogFormat::Json] {
            assert!(!logged(format, false).contains("ill"));
            assert!(logged(format, true).contains("I was ill"));
        }
    }

    /// A line names its interview, in both formats.
    #[test]
    fn lines_carry_the_interview() {
        let human = logged(LogFormat::Human, false);
        assert!(
            human.ends_with(" turn committed interview=i-1 job=j-1 ok=true turn=3\n"),
            "{human}"
        );
        let json: serde_json::Value =
            serde_json::from_str(&logged(LogFormat::Json, false)).unwrap();
        assert_eq!(json["message"], "turn committed");
        assert_eq!(json["interview"], "i-1");
        assert_eq!(json["turn"], 3);
        assert_eq!(json["level"], "INFO");
    }
}
