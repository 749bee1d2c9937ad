//! Spans of interviews, exported by OTLP to whoever collects them: one trace per interview, one span per turn
//! of the candidate, and in it one for each hop of our answer. Nothing that a person said is in them
//! (invariant 11).

use std::{
    future::Future,
    pin::Pin,
    sync::OnceLock,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use opentelemetry::{
    Context, KeyValue,
    trace::{Span as _, SpanBuilder, TraceContextExt, Tracer, TracerProvider},
};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{SdkTracer, SdkTracerProvider},
};
use tokio::runtime::Handle;
use tokio_util::context::TokioContext;
use voiceroom::http::{CallLimit, client};

use crate::{config, time::SessionTime};

/// What the spans are of, for whoever looks at them.
const SERVICE: &str = "vivavoce";
/// Where traces go below a collector's address, as OTLP has it.
const TRACES_PATH: &str = "/v1/traces";
/// A collector that takes longer is not waited for: the spans are lost, and that is logged.
const EXPORT_LIMIT: Duration = Duration::from_secs(5);

/// Interviews know no configuration: what they make goes here, as their metrics go to the recorder of the
/// process.
static TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// Spans are exported while this is held.
#[must_use]
pub struct Traces {
    provider: SdkTracerProvider,
}

/// Exports spans from here on, if an address is configured. To be called on the runtime that sends them; a
/// second call changes nothing. Fails with one sentence.
pub fn start_traces(telemetry: &config::Telemetry) -> Result<Option<Traces>, String> {
    let Some(endpoint) = &telemetry.otlp_endpoint else { return Ok(None) };
    let failed = |why: &dyn std::fmt::Display| {
        format!("spans cannot be sent to telemetry.otlp_endpoint, {endpoint}: {why}")
    };
    let mut url = endpoint.clone();
    let path = url.path().trim_end_matches('/');
    if !path.ends_with(TRACES_PATH) {
        url.set_path(&format!("{path}{TRACES_PATH}"));
    }
    let http = client(CallLimit::Whole(EXPORT_LIMIT))
        .user_agent(concat!("vivavoce/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| failed(&error))?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Post { http, runtime: Handle::current() })
        .with_endpoint(url)
        .build()
        .map_err(|error| failed(&error))?;
    let about = [KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))];
    let resource = Resource::builder().with_service_name(SERVICE).with_attributes(about).build();
    let provider =
        SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    Ok(TRACER.set(provider.tracer(SERVICE)).is_ok().then_some(Traces { provider }))
}

impl Traces {
    /// Sends what was not sent yet.
    pub fn finish(self) {
        if let Err(why) = self.provider.shutdown() {
            tracing::warn!(%why, "the last spans were not sent");
        }
    }
}

/// The trace of one interview.
pub struct InterviewTrace {
    tracer: &'static SdkTracer,
    interview: Context,
    began: SystemTime,
}

/// A turn of the candidate, and our answer to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnTrace {
    /// Which turn.
    pub turn: u32,
    /// To whose stage it belongs.
    pub stage: String,
    /// Whether the model was asked before it was sure that the candidate had finished.
    pub ahead: bool,
    /// Whether our answer was cut off.
    pub cut: bool,
    /// In any order.
    pub hops: Vec<Hop>,
}

/// A part of the way from the candidate's last voice to our answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// What it led to.
    pub name: &'static str,
    /// When it began.
    pub from: SessionTime,
    /// When it was over.
    pub to: SessionTime,
}

impl InterviewTrace {
    /// The trace of an interview whose session began at this time, in milliseconds since 1970; nothing if no
    /// spans are exported.
    pub fn begin(interview: &str, started_at: u64) -> Option<Self> {
        let tracer = TRACER.get()?;
        let began = UNIX_EPOCH + Duration::from_millis(started_at);
        let span = SpanBuilder::from_name("interview")
            .with_start_time(began)
            .with_attributes([KeyValue::new("vivavoce.interview", interview.to_owned())]);
        let span = tracer.build_with_context(span, &Context::new());
        Some(Self { tracer, interview: Context::new().with_span(span), began })
    }

    /// Exports a turn.
    pub fn turn(&self, turn: &TurnTrace) {
        let (Some(from), Some(to)) =
            (turn.hops.iter().map(|hop| hop.from).min(), turn.hops.iter().map(|hop| hop.to).max())
        else {
            return;
        };
        let span = SpanBuilder::from_name("turn").with_start_time(self.at(from)).with_attributes([
            KeyValue::new("vivavoce.turn", i64::from(turn.turn)),
            KeyValue::new("vivavoce.stage", turn.stage.clone()),
            KeyValue::new("vivavoce.ahead", turn.ahead),
            KeyValue::new("vivavoce.cut", turn.cut),
        ]);
        let span = self.tracer.build_with_context(span, &self.interview);
        let within = self.interview.with_span(span);
        for hop in &turn.hops {
            let span = SpanBuilder::from_name(hop.name).with_start_time(self.at(hop.from));
            let mut span = self.tracer.build_with_context(span, &within);
            span.end_with_timestamp(self.at(hop.to));
        }
        within.span().end_with_timestamp(self.at(to));
    }

    /// The interview is over: how it ended.
    pub fn end(self, at: SessionTime, end: String) {
        let span = self.interview.span();
        span.set_attribute(KeyValue::new("vivavoce.end", end));
        span.end_with_timestamp(self.at(at));
    }

    fn at(&self, at: SessionTime) -> SystemTime {
        self.began + at.since(SessionTime::ZERO)
    }
}

/// Sends spans on the exporter's own thread, which is no thread of our runtime, with the sockets and timers
/// of it.
#[derive(Debug)]
struct Post {
    http: reqwest::Client,
    runtime: Handle,
}

impl HttpClient for Post {
    fn send_bytes<'life, 'future>(
        &'life self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'future>>
    where
        'life: 'future,
        Self: 'future,
    {
        Box::pin(TokioContext::new(send(&self.http, request), self.runtime.clone()))
    }
}

async fn send(
    http: &reqwest::Client,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, HttpError> {
    let answer = http.execute(request.try_into()?).await?;
    let answered = Response::builder().status(answer.status());
    Ok(answered.body(answer.bytes().await?)?)
}
