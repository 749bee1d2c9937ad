//! Sends the messages that are kept, each until it is taken or a day is over.

use std::{collections::BTreeMap, error::Error, sync::Arc, time::Duration};

use axum::http::{StatusCode, header};
use futures_util::future::join_all;
use reqwest::{Client, RequestBuilder, Response};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use url::Url;
use voiceroom::server::is_loopback;

use super::{Event, base64, reach, signature::signature};
use crate::{
    assess::ReportState,
    clock::unix_millis,
    database::{DatabaseError, Delivery, DeliveryState, PARTNER, Try},
    web::{Shared, problem::Problem, report},
};

/// Messages are looked for this often.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// So long after each try that failed comes the next one: 23 hours in all.
const AGAIN_AFTER_MS: [i64; 6] = [5_000, 60_000, 600_000, 3_600_000, 6 * 3_600_000, 16 * 3_600_000];
/// Whoever has taken a message has so long to send it, before another process tries.
const TAKEN_MS: i64 = 60_000;
/// A report that is being made is looked at again after so long.
const REPORT_AGAIN_MS: i64 = 5_000;
/// After so long a report that was not made is given up.
const REPORT_LIMIT_MS: i64 = 24 * 3_600_000;
const DUE_MAX: i64 = 64;
/// So many are sent at once, and so many of them to one webhook: a slow server keeps no other waiting.
const AT_ONCE_MAX: usize = 16;
const AT_ONCE_EACH: usize = 4;
/// What is kept of an answer.
const ANSWER_BYTES_MAX: usize = 500;

/// Why a message with a key is not sent.
const PLAIN: &str = "The address of the tracking system begins with http://, where everybody on the way can \
    read our key, so nothing was sent. It needs one that begins with https://, or web.partner_insecure.";

/// Sends messages until `stop`. What is under way then is sent again after the next start, with the same id.
pub(in crate::web) fn keep(shared: &Arc<Shared>, stop: CancellationToken) {
    let shared = shared.clone();
    let sending = async move {
        let client = match reach::client(shared.site.outside.to_private) {
            Ok(client) => client,
            Err(why) => return error!(%why, "webhooks are not sent: there is no TLS"),
        };
        loop {
            match send_due(&shared, &client).await {
                Ok(sent) if sent > 0 => continue,
                Ok(_) => {}
                Err(why) => error!(%why, "webhooks were not sent"),
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::spawn(stop.run_until_cancelled_owned(sending));
}

/// Sends what is due, as far as it is sent at once; how much that was.
async fn send_due(shared: &Arc<Shared>, client: &Client) -> Result<usize, DatabaseError> {
    let mut of: BTreeMap<String, usize> = BTreeMap::new();
    let mut chosen = shared.database.due(DUE_MAX).await?;
    chosen.retain(|one| {
        let count = of.entry(one.webhook.clone()).or_default();
        *count += 1;
        *count <= AT_ONCE_EACH
    });
    chosen.truncate(AT_ONCE_MAX);
    let sent = join_all(chosen.iter().map(|one| send(shared, client, one))).await;
    sent.into_iter().collect::<Result<Vec<()>, _>>().map(|sent| sent.len())
}

async fn send(shared: &Arc<Shared>, client: &Client, one: &Delivery) -> Result<(), DatabaseError> {
    if !shared.database.take_delivery(one, TAKEN_MS).await? {
        return Ok(());
    }
    let at = i64::try_from(unix_millis()).unwrap_or(i64::MAX);
    let answer = match ready(shared, one).await {
        Ready::Later if at - one.made_at < REPORT_LIMIT_MS => {
            return shared.database.postpone(&one.id, REPORT_AGAIN_MS).await;
        }
        Ready::Later => Answer::final_one("The report was not made within a day."),
        Ready::Never(why) => Answer::final_one(&why),
        Ready::Failed(why) => Answer { status: None, text: why, is_final: false },
        Ready::Now => match request(shared, client, one).await? {
            Ok(request) => Answer::of(request.send().await).await,
            Err(why) => Answer::final_one(&why),
        },
    };
    let is_taken = answer.status.is_some_and(|status| (200..300).contains(&status));
    let again = usize::try_from(one.tries).ok().and_then(|n| AGAIN_AFTER_MS.get(n)).copied();
    let again = again.filter(|_| !is_taken && !answer.is_final);
    let state = match (is_taken, again) {
        (true, _) => DeliveryState::Delivered,
        (false, Some(_)) => DeliveryState::Waiting,
        (false, None) => DeliveryState::Failed,
    };
    let (id, webhook, status) = (&one.id, &one.webhook, answer.status);
    match state {
        DeliveryState::Delivered => info!(id, webhook, status, "webhook delivered"),
        DeliveryState::Waiting => warn!(id, webhook, status, "webhook was not taken"),
        DeliveryState::Failed => warn!(id, webhook, status, "webhook was given up"),
    }
    let tried = Try { delivery: one.id.clone(), at, status, answer: answer.text };
    shared.database.tried(&tried, state, again).await
}

/// Whether what a message tells of is there.
enum Ready {
    Now,
    Later,
    Failed(String),
    Never(String),
}

/// A report is made, where it has not been yet, before anybody is told that it is ready.
async fn ready(shared: &Arc<Shared>, one: &Delivery) -> Ready {
    if one.event != Event::ReportReady.name() {
        return Ready::Now;
    }
    let made = async {
        let of = shared.find(&one.interview).await?;
        let report = report::report(shared, &shared.assessor, &of, false).await?;
        let is_anew = report.state == ReportState::Failed && one.tries > 0;
        if !is_anew {
            return Ok(report);
        }
        report::report(shared, &shared.assessor, &of, true).await
    };
    match made.await {
        Ok(report) => match report.state {
            ReportState::Ready => Ready::Now,
            ReportState::Making => Ready::Later,
            ReportState::Failed => Ready::Failed("The report could not be made.".to_owned()),
            ReportState::None => Ready::Never("The interview is not over.".to_owned()),
        },
        Err(why) if why.status() == StatusCode::NOT_FOUND => {
            Ready::Never("The interview was removed.".to_owned())
        }
        Err(Problem { message, .. }) => Ready::Failed(message),
    }
}

/// The signed request of a message, or why there is none.
async fn request(
    shared: &Shared,
    client: &Client,
    one: &Delivery,
) -> Result<Result<RequestBuilder, String>, DatabaseError> {
    let outside = &shared.site.outside;
    if one.webhook == PARTNER {
        let url = match reach::check(&one.url, outside.to_private) {
            Ok(url) => url,
            Err(why) => return Ok(Err(why)),
        };
        if !outside.partner_key.is_empty() && would_be_read(shared, &url) {
            return Ok(Err(PLAIN.to_owned()));
        }
        let request = client.patch(url).body(one.body.clone());
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let request = request.header("webhook-id", &one.id);
        if outside.partner_key.is_empty() {
            return Ok(Ok(request));
        }
        let key = base64::encode(format!("{}:", outside.partner_key).as_bytes());
        return Ok(Ok(request.header(header::AUTHORIZATION, format!("Basic {key}"))));
    }
    let Some(webhook) = shared.database.webhook(&one.webhook).await? else {
        return Ok(Err("The webhook was removed.".to_owned()));
    };
    let url = match reach::check(&webhook.url, outside.to_private) {
        Ok(url) => url,
        Err(why) => return Ok(Err(why)),
    };
    let at_s = unix_millis() / 1_000;
    let Some(signature) = signature(&webhook.secret, &one.id, at_s, &one.body) else {
        return Ok(Err("The webhook's secret is damaged. Remove it and add it anew.".to_owned()));
    };
    let request = client.post(url).body(one.body.clone());
    let request = request.header(header::CONTENT_TYPE, "application/json");
    let request = request.header("webhook-id", &one.id).header("webhook-timestamp", at_s);
    Ok(Ok(request.header("webhook-signature", signature)))
}

/// Whether a key that goes there can be read on its way, and nobody has said that this is meant.
fn would_be_read(shared: &Shared, url: &Url) -> bool {
    let is_plain = url.scheme() == "http" && !is_loopback(url.as_str());
    is_plain && !shared.site.services.partner_insecure
}

/// What came of a try.
struct Answer {
    status: Option<i64>,
    /// The beginning of the answer, or why none came.
    text: String,
    /// Whether it is of no use to try again.
    is_final: bool,
}

impl Answer {
    fn final_one(why: &str) -> Self {
        Self { status: None, text: why.to_owned(), is_final: true }
    }

    async fn of(answered: reqwest::Result<Response>) -> Self {
        let mut response = match answered {
            Ok(response) => response,
            Err(why) => return Self { status: None, text: said(&why), is_final: false },
        };
        let status = Some(i64::from(response.status().as_u16()));
        let mut bytes = Vec::new();
        while bytes.len() < ANSWER_BYTES_MAX
            && let Ok(Some(more)) = response.chunk().await
        {
            bytes.extend_from_slice(&more);
        }
        bytes.truncate(ANSWER_BYTES_MAX);
        Self { status, text: shown(&String::from_utf8_lossy(&bytes)), is_final: false }
    }
}

/// Why no answer came.
fn said(why: &reqwest::Error) -> String {
    if why.is_timeout() {
        return format!("No answer came within {} seconds.", reach::ANSWER_LIMIT.as_secs());
    }
    let mut reason: &dyn Error = why;
    while let Some(source) = reason.source() {
        reason = source;
    }
    let reason: String = shown(&reason.to_string()).chars().take(ANSWER_BYTES_MAX).collect();
    format!("No connection: {reason}")
}

/// Words of another server without what a page or a database takes for more than words.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}
