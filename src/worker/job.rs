//! One job, as whoever does it sees it.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use livekit_protocol as proto;
use tokio::sync::{mpsc, oneshot, watch};

use crate::livekit::{ApiKeys, Role};

/// How long [`Job::report`] waits. Without a connection nobody is told, which must not keep us in the room.
const REPORT_LIMIT: Duration = Duration::from_secs(1);

/// A job that the server has assigned to us: an interview in a room.
pub struct Job {
    /// Its id.
    pub id: String,
    /// The room's name.
    pub room: String,
    /// What the dispatch says.
    pub metadata: String,
    /// Our identity in the room.
    pub identity: String,
    /// Where to join.
    pub url: String,
    token: String,
    keys: ApiKeys,
    stop: watch::Receiver<Option<Stop>>,
    notes: mpsc::Sender<Note>,
    reported: bool,
}

/// Why a job has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The server wants it: the dispatch or the room was deleted. It waits about 3 s.
    Terminated,
    /// The process ends.
    Shutdown,
}

/// What a job tells its worker.
pub(super) enum Note {
    /// How it ended.
    Ended { job: String, result: Result<(), String>, told: Option<oneshot::Sender<()>> },
    /// Its slot is free.
    Gone { job: String },
}

/// Makes tokens for a room, the first time and for each re-join.
pub type JobTokens = Box<dyn Fn() -> Result<String, String> + Send + Sync>;

impl Job {
    pub(super) fn new(
        assignment: proto::JobAssignment,
        own_url: &str,
        keys: &ApiKeys,
        stop: watch::Receiver<Option<Stop>>,
        notes: mpsc::Sender<Note>,
    ) -> Option<Self> {
        let job = assignment.job?;
        Some(Self {
            identity: identity(&job.id),
            id: job.id,
            room: job.room.map(|room| room.name).unwrap_or_default(),
            metadata: job.metadata,
            // A self-hosted server names none (W04).
            url: assignment.url.filter(|u| !u.is_empty()).unwrap_or_else(|| own_url.to_owned()),
            token: assignment.token,
            keys: keys.clone(),
            stop,
            notes,
            reported: false,
        })
    }

    /// Tokens to join the room with: the server's own first, which lives for an hour, then fresh ones of ours.
    pub fn tokens(&self) -> JobTokens {
        let (first, keys) = (self.token.clone(), self.keys.clone());
        let (room, identity) = (self.room.clone(), self.identity.clone());
        let is_used = AtomicBool::new(false);
        Box::new(move || match is_used.swap(true, Relaxed) {
            false => Ok(first.clone()),
            true => keys.room_token(&room, &identity, Role::Agent).map_err(|e| e.to_string()),
        })
    }

    /// Waits until the job has to end: finish the sentence, save, report, leave (W05).
    pub async fn stopped(&mut self) -> Stop {
        match self.stop.wait_for(Option::is_some).await.map(|stop| *stop) {
            Ok(Some(stop)) => stop,
            // The worker is gone, and its process with it.
            Ok(None) | Err(_) => std::future::pending().await,
        }
    }

    /// Reports how it ended, and waits until the server has been told. To be called *before* leaving the
    /// room: the server marks a job whose agent has left as failed, and ignores what it is told then.
    pub async fn report(&mut self, result: Result<(), String>) {
        let (told, confirmed) = oneshot::channel();
        self.note_end(result, Some(told));
        let _ = tokio::time::timeout(REPORT_LIMIT, confirmed).await;
    }

    fn note_end(&mut self, result: Result<(), String>, told: Option<oneshot::Sender<()>>) {
        if !std::mem::replace(&mut self.reported, true) {
            let _ = self.notes.try_send(Note::Ended { job: self.id.clone(), result, told });
        }
    }
}

/// Our identity in a job's room (W02).
pub(super) fn identity(job: &str) -> String {
    format!("agent-{job}")
}

impl Drop for Job {
    fn drop(&mut self) {
        self.note_end(Err("the interview ended without a result".to_owned()), None);
        let _ = self.notes.try_send(Note::Gone { job: self.id.clone() });
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("id", &self.id)
            .field("room", &self.room)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(url: Option<&str>) -> (Job, mpsc::Receiver<Note>) {
        let room = Some(proto::Room { name: "room".into(), ..Default::default() });
        let assignment = proto::JobAssignment {
            job: Some(proto::Job { id: "AJ_1".into(), room, ..Default::default() }),
            url: url.map(str::to_owned),
            token: "first".into(),
        };
        let (notes, received) = mpsc::channel(4);
        let keys = ApiKeys::new("key", "secret");
        let stop = watch::channel(None).1;
        (Job::new(assignment, "ws://own", &keys, stop, notes).unwrap(), received)
    }

    /// W04: a self-hosted server names no url.
    #[test]
    fn without_a_url_ours_is_used() {
        assert_eq!(job(None).0.url, "ws://own");
        assert_eq!(job(Some("")).0.url, "ws://own");
        assert_eq!(job(Some("wss://other")).0.url, "wss://other");
    }

    /// R06: a re-join has a fresh token, the first join the server's.
    #[test]
    fn the_second_token_is_a_fresh_one() {
        let tokens = job(None).0.tokens();
        assert_eq!(tokens().unwrap(), "first");
        assert!(tokens().unwrap().len() > 100);
    }

    /// A job whose handler panics has failed, and its slot is free.
    #[test]
    fn a_dropped_job_has_failed() {
        let (job, mut notes) = job(None);
        drop(job);
        assert!(matches!(notes.try_recv(), Ok(Note::Ended { result: Err(_), .. })));
        assert!(matches!(notes.try_recv(), Ok(Note::Gone { .. })));
    }
}
