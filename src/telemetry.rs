//! Logs, metrics and traces of the process.

mod lines;
mod traces;

use std::time::Duration;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing::Span;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

use crate::config::Log;
use lines::Lines;
pub use traces::{Hop, InterviewTrace, Traces, TurnTrace, start_traces};

/// Bounds of the histograms, in seconds: fine where a person notices a difference.
const SECONDS: &[f64] = &[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0];

/// So often is what was measured put into the histograms.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Lines that wait for whoever reads the log; more are dropped.
const LINES_MAX: usize = 4_096;

/// Logs go to stderr from here on, until the guard is dropped. Called once, by `main`; a second call changes
/// nothing.
///
/// A thread of its own writes them: neither a slow disk nor a pipe that nobody reads may hold up a call.
pub fn start_logs(log: &Log) -> WorkerGuard {
    let writer = NonBlockingBuilder::default().buffered_lines_limit(LINES_MAX).thread_name("log");
    let (writer, guard) = writer.finish(std::io::stderr());
    // Fails when there is a subscriber already, as in a test: that one stays.
    let _ = tracing::subscriber::set_global_default(subscriber(log, writer));
    guard
}

/// Metrics are counted from here on; the handle renders them. `None` when they were already.
pub fn start_metrics() -> Option<PrometheusHandle> {
    let builder = PrometheusBuilder::new().set_buckets(SECONDS).expect("there are buckets");
    builder.install_recorder().ok()
}

/// Puts what is measured into the histograms, for ever: until then each figure is kept, and who asks for them
/// may never come.
pub async fn keep_metrics(metrics: PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP_EVERY).await;
        metrics.run_upkeep();
    }
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

    /// What is logged meanwhile.
    fn logged_of(format: LogFormat, personal: bool, meanwhile: impl FnOnce()) -> String {
        let sink = Sink::default();
        let writer = sink.clone();
        let log = Log { filter: "info".into(), format, personal };
        tracing::subscriber::with_default(subscriber(&log, move || writer.clone()), meanwhile);
        let bytes = sink.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    /// What is logged of one line within an interview.
    fn logged(format: LogFormat, personal: bool) -> String {
        logged_of(format, personal, || {
            let _entered = interview_span("i-1", "j-1").entered();
            tracing::info!(turn = 3, pii.text = "I was ill", ok = true, "turn committed");
            tracing::debug!("not logged");
        })
    }

    /// What a person said is logged only where that was asked for.
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

    /// What a line says itself counts before what its spans say, and of those the inner one; what a span is
    /// told later stands beside what it was told before. Words with spaces are in quotes.
    #[test]
    fn the_nearest_field_counts() {
        let logged = |format| {
            logged_of(format, false, || {
                let _interview = interview_span("i-1", "j-1").entered();
                let room = tracing::field::Empty;
                let turn = tracing::info_span!("turn", job = "j-2", turn = 1, room).entered();
                turn.record("room", "r-1");
                tracing::info!(turn = 2, why = "two words", "said");
            })
        };
        let human = logged(LogFormat::Human);
        let (time, rest) = human.split_once(' ').unwrap();
        assert!(time.starts_with("20") && time.ends_with('Z'), "{human}");
        assert!(
            rest.ends_with(" said interview=i-1 job=j-2 room=r-1 turn=2 why=\"two words\"\n"),
            "{human}"
        );
        let json: serde_json::Value = serde_json::from_str(&logged(LogFormat::Json)).unwrap();
        for (name, value) in [("interview", "i-1"), ("job", "j-2"), ("room", "r-1")] {
            assert_eq!(json[name], value);
        }
        let time = json["time"].as_str().unwrap();
        assert!(time.starts_with("20") && time.ends_with('Z'), "{json}");
    }
}
