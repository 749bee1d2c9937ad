//! What a model writes for people: plans, summaries and reports, by the model of the settings or of the
//! blueprint.

use std::{fmt, sync::Arc};

use interview::planning::Request;
use tokio::sync::Semaphore;

use crate::{
    blueprint::Blueprint,
    judge,
    providers::{JudgeRequest, Llm, interviewer::Interviewer},
};

/// So many texts are written at once.
const WRITTEN_AT_ONCE_MAX: usize = 4;

/// Opens the interviewer of a blueprint, or says why that does not work.
type Open = dyn Fn(&Blueprint) -> Result<Arc<dyn Interviewer>, String> + Send + Sync;

/// Has models write.
pub struct Writer {
    open: Box<Open>,
    at_once: Semaphore,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl Writer {
    /// Opens a model where one has to write.
    pub fn new(
        open: impl Fn(&Blueprint) -> Result<Arc<dyn Interviewer>, String> + Send + Sync + 'static,
    ) -> Self {
        Self { open: Box::new(open), at_once: Semaphore::new(WRITTEN_AT_ONCE_MAX) }
    }

    /// The interviewer of a blueprint, which counts its tokens from now on; its model writes, if it has one.
    pub fn open(&self, blueprint: &Blueprint) -> Result<Arc<dyn Interviewer>, String> {
        (self.open)(blueprint).map_err(plain)
    }

    /// What a model writes, as soon as fewer than four texts are being written. What cannot be read is asked
    /// for once more.
    pub async fn write<T>(
        &self,
        model: &dyn Llm,
        request: Request,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, String> {
        let Request { system, user, schema } = request;
        let request = JudgeRequest { system, user, schema, is_long: true };
        let _at_once = self.at_once.acquire().await.map_err(|why| why.to_string())?;
        judge::write(model, &request, parse).await.map_err(plain)
    }
}

fn plain(why: String) -> String {
    why.trim_end_matches('.').to_owned()
}
