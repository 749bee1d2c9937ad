//! Voices that are asked by one call over HTTP for each segment, and answer with a body of sound as it is
//! made. The connections stay open between calls.

use std::sync::Arc;

use futures_util::{FutureExt, StreamExt, future::BoxFuture};
use reqwest::{
    Response,
    header::{CONTENT_TYPE, HeaderValue},
};

use super::{
    ProviderError,
    http::{Refusal, Site, permanent_error},
    sound_samples::{Answer, BYTES_MAX, Part, RATE},
    tts_wire::Protocol,
};

/// A voice over HTTP.
pub(super) struct HttpVoice {
    pub(super) site: Arc<Site>,
    /// The settings to check if the server answers with words.
    pub(super) suspects: String,
    pub(super) content: Content,
    /// Makes the body of a call from a text.
    pub(super) body: Box<dyn Fn(&str) -> String + Send + Sync>,
}

/// What the body of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A JSON object.
    Json,
    /// A document that is to be spoken. Such servers may name bare samples a WAV file.
    Ssml,
}

impl Content {
    fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Ssml => "application/ssml+xml",
        }
    }
}

impl Protocol for HttpVoice {
    fn ask(&self, text: String) -> BoxFuture<'static, Result<Answer, ProviderError>> {
        let (body, content) = ((self.body)(&text).into_bytes(), self.content);
        let (site, suspects) = (self.site.clone(), self.suspects.clone());
        async move {
            let response = site.post_as(content.name(), body).await?;
            let (response, claims) = checked(&site, &suspects, content, response).await?;
            let pieces = Site::pieces(response, BYTES_MAX).map(move |piece| match piece {
                Ok(sound) => Ok(Part { sound, aligned: None }),
                Err(cause) => Err(site.broken_off(&cause)),
            });
            Ok(Answer { claims, parts: pieces.boxed() })
        }
        .boxed()
    }
}

/// Returns the answer if its type is one of sound, and the type if that is not bare samples.
async fn checked(
    site: &Site,
    suspects: &str,
    content: Content,
    response: Response,
) -> Result<(Response, Option<String>), ProviderError> {
    let place = &site.place;
    let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let kind = String::from_utf8_lossy(kind.unwrap_or_default()).to_lowercase();
    let (name, parameters) = kind.split_once(';').unwrap_or((&kind, ""));
    match name.trim() {
        ""
        | "audio/pcm"
        | "audio/x-pcm"
        | "audio/l16"
        | "audio/raw"
        | "audio/basic"
        | "application/octet-stream"
        | "binary/octet-stream" => {}
        // A file that is one is known by its first bytes.
        "audio/wav" | "audio/x-wav" if content == Content::Ssml => {}
        file if file.starts_with("audio/") || file == "application/ogg" => {
            let claims = file.to_owned();
            return Ok((response, Some(claims)));
        }
        "application/json" => {
            let refusal = Refusal::read(&site.read(response).await?);
            let reason = site.without_key(&refusal.reason);
            let says = if reason.is_empty() { "no sound in it" } else { &reason };
            return Err(permanent_error(format!(
                "{place} answers with JSON, not with sound: {says}; check {suspects}"
            )));
        }
        other => return Err(site.wrong_type(other, "sound (pcm)")),
    }
    let mut parameters = parameters.split(';').filter_map(|pair| pair.trim().split_once('='));
    match parameters.find(|(name, _)| *name == "rate") {
        Some((_, rate)) if rate.trim() != RATE.to_string() => Err(permanent_error(format!(
            "{place} answers with sound at {rate} Hz, not at {RATE} Hz; take a model or a server that does"
        ))),
        Some(_) | None => Ok((response, None)),
    }
}
