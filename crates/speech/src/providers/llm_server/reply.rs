//! A streamed reply: one retry before its first word, and the limits of its pieces.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use futures_util::{
    StreamExt,
    stream::{self, BoxStream},
};
use sse_stream::Sse;

use super::{
    Answer, Broken, Common, RemoteModel, Server,
    meter::{Lane, Tally},
};
use crate::{
    clock::Clock,
    providers::{
        Piece, ProviderError, TalkRequest,
        http::{retry_at, run_until},
    },
};
use interview::time::SessionTime;

/// The longest wait for the end of a stream, which has the number of tokens. Only the count waits for it.
const CLOSING_LIMIT: Duration = Duration::from_millis(250);

/// A call on the response path, up to its first word.
pub(super) struct Talk {
    model: RemoteModel,
    request: TalkRequest,
    clock: Clock,
}

impl Talk {
    /// Returns the call. Its time begins here.
    pub(super) fn new(model: RemoteModel, request: TalkRequest) -> Self {
        let temperature = request.temperature.min(model.server.limits.temperature_max);
        Self { model, request: TalkRequest { temperature, ..request }, clock: Clock::start() }
    }

    /// Makes the call. One failure is passed over, as no words were passed on yet.
    pub(super) async fn begin(self) -> Result<Reply, ProviderError> {
        self.model.meter.admit()?;
        match self.attempt().await {
            Err(error) => {
                let limit = self.model.server.limits.first_token_limit;
                let Some(retry_at) = retry_at(self.clock, error.retry, limit) else {
                    return Err(error);
                };
                tracing::info!(why = %error, "a call to the model is made again");
                self.clock.sleep_until(retry_at).await;
                self.attempt().await
            }
            begun => begun,
        }
    }

    async fn attempt(&self) -> Result<Reply, ProviderError> {
        let server = &self.model.server;
        let (model, answer_tokens_max) = (server.model.as_str(), server.limits.answer_tokens_max);
        let tally = |bytes| Tally::new(&self.model.meter, Lane::Talk, bytes);
        let posted = server.post(&server.sites.talk, tally, |quirks| {
            server.dialect.talk(&Common { model, answer_tokens_max, quirks }, &self.request)
        });
        let limit = server.limits.first_token_limit;
        let Some(posted) = run_until(self.clock, SessionTime::ZERO + limit, posted).await else {
            return Err(server.sites.talk.too_late("no first word", limit, "first_token_limit"));
        };
        let (response, tally) = posted?;
        let events = server.events(response);
        let Some(events) = run_until(self.clock, SessionTime::ZERO + limit, events).await else {
            return Err(server.sites.talk.too_late("no first word", limit, "first_token_limit"));
        };
        let mut reply = Reply {
            events: events?,
            server: server.clone(),
            clock: self.clock,
            answer: Answer::of(server.known().habit),
            tally,
            ready: VecDeque::new(),
            progress: Progress::First,
        };
        reply.fill().await?;
        Ok(reply)
    }
}

/// A reply that is being streamed.
pub(super) struct Reply {
    server: Arc<Server>,
    clock: Clock,
    events: BoxStream<'static, Result<Sse, sse_stream::Error>>,
    answer: Answer,
    tally: Tally,
    /// The pieces that can be passed on.
    ready: VecDeque<Piece>,
    progress: Progress,
}

/// The progress of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// It waits for the first word.
    First,
    /// It goes on; the last piece came at this time.
    Going(SessionTime),
    /// The model has finished; the reply waits for the end of the stream until this time.
    Closing(SessionTime),
    /// The reply is over.
    Over,
}

impl Reply {
    /// Returns the pieces of the reply.
    pub(super) fn pieces(self) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let next = async |mut reply: Self| {
            reply.fill().await?;
            Ok(reply.ready.pop_front().map(|piece| (piece, reply)))
        };
        stream::try_unfold(self, next).boxed()
    }

    /// Reads until there is a piece to pass on, or the stream ends.
    async fn fill(&mut self) -> Result<(), ProviderError> {
        while self.ready.is_empty() && self.progress != Progress::Over {
            let event = run_until(self.clock, self.deadline(), self.events.next()).await;
            match (event, self.progress) {
                (Some(Some(Ok(event))), _) => self.take(event)?,
                (_, Progress::Closing(_) | Progress::Over) => self.end(),
                (Some(Some(Err(sse_stream::Error::Body(cause)))), _) => {
                    return Err(self.server.sites.talk.broken_off(&*cause));
                }
                (Some(Some(Err(_))), _) => return Err(self.broken(&Broken::Garbage)),
                (Some(None), _) => {
                    let cause = std::io::Error::other("it has no end");
                    return Err(self.server.sites.talk.broken_off(&cause));
                }
                (None, progress) => return Err(self.late(progress)),
            }
        }
        Ok(())
    }

    fn deadline(&self) -> SessionTime {
        let limits = &self.server.limits;
        let whole = SessionTime::ZERO + limits.reply_limit;
        match self.progress {
            Progress::First => whole.min(SessionTime::ZERO + limits.first_token_limit),
            Progress::Going(since) => whole.min(since + limits.stall_limit),
            Progress::Closing(until) => until,
            Progress::Over => SessionTime::ZERO,
        }
    }

    fn late(&self, progress: Progress) -> ProviderError {
        let limits = &self.server.limits;
        let whole = SessionTime::ZERO + limits.reply_limit;
        let (missing, limit, setting) = if self.deadline() == whole {
            ("no whole answer", limits.reply_limit, "reply_limit")
        } else if progress == Progress::First {
            ("no first word", limits.first_token_limit, "first_token_limit")
        } else {
            ("no next word", limits.stall_limit, "stall_limit")
        };
        self.server.sites.talk.too_late(missing, limit, setting)
    }

    fn broken(&self, broken: &Broken) -> ProviderError {
        self.server.broken(&self.server.sites.talk, broken)
    }

    fn take(&mut self, event: Sse) -> Result<(), ProviderError> {
        let Some(data) = event.data.filter(|data| !data.is_empty()) else { return Ok(()) };
        let before = self.answer.bytes();
        let read = self.server.dialect.read(&data, &mut self.answer);
        self.tally.estimate_output(self.answer.bytes());
        self.tally.reported(self.answer.usage());
        self.server.saw(&self.answer);
        let read = read.and_then(|()| self.answer.betrayed());
        read.map_err(|broken| self.broken(&broken))?;
        self.ready.extend(self.answer.take_words());
        if self.answer.has_finished() {
            return self.close();
        }
        if self.answer.bytes() == before {
            // A model that only thinks aloud or names the speaker has not begun, and a server that only
            // says that it is still there has stalled.
            return Ok(());
        }
        let now = self.clock.now();
        match self.progress {
            Progress::First => {
                metrics::histogram!("vivavoce_llm_first_token_seconds")
                    .record(now.since(SessionTime::ZERO));
                self.progress = Progress::Going(now);
            }
            Progress::Going(_) => self.progress = Progress::Going(now),
            Progress::Closing(_) | Progress::Over => {}
        }
        Ok(())
    }

    /// Handles that the model has finished: its calls are complete now, or will never be.
    fn close(&mut self) -> Result<(), ProviderError> {
        match self.progress {
            Progress::First | Progress::Going(_) => {}
            Progress::Closing(_) | Progress::Over => return Ok(()),
        }
        if !self.answer.has_begun() {
            return Err(self.server.no_words(&self.server.sites.talk, &self.answer));
        }
        self.server.heard(&self.answer);
        self.ready.extend(self.answer.take_calls());
        self.progress = Progress::Closing(self.clock.now() + CLOSING_LIMIT);
        Ok(())
    }

    /// Handles the end of the stream. As it was read to its end, its connection can be used again.
    fn end(&mut self) {
        self.progress = Progress::Over;
        self.ready.extend(self.answer.usage().map(Piece::Usage));
    }
}
