//! One job, for whoever does it.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use livekit_protocol as proto;
use tokio::sync::{mpsc, oneshot, watch};

use crate::{
    room::{RoomOptions, Tokens},
    server::{ApiKeys, Orders, Role},
};

/// How long [`Job::report`] waits. Without a connection nobody is told, which must not keep us in the room.
const REPORT_LIMIT: Duration = Duration::from_secs(1);

/// A job that the server has assigned to us: to be the agent in a room.
pub struct Job {
    /// The job's id.
    pub id: String,
    /// The room's name.
    pub room: String,
    /// The id of the room's present life: another one after everybody has left it.
    pub room_sid: String,
    /// The metadata of the dispatch.
    pub metadata: String,
    /// Our identity in the room: `agent-` and the job's id.
    pub identity: String,
    /// The address of the server to join.
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
    /// The server terminated it, since its dispatch or its room was deleted. It waits about 3 s for us to
    /// leave.
    Terminated,
    /// The worker was told to end now.
    Shutdown,
}

/// What a job tells its worker.
pub(super) enum Note {
    /// How it ended.
    Ended { job: String, result: Result<(), String>, told: Option<oneshot::Sender<()>> },
    /// Its slot is free.
    Gone { job: String },
}

impl Job {
    pub(super) fn new(
        assignment: proto::JobAssignment,
        own_url: &str,
        keys: &ApiKeys,
        stop: watch::Receiver<Option<Stop>>,
        notes: mpsc::Sender<Note>,
    ) -> Option<Self> {
        let job = assignment.job?;
        let room = job.room.unwrap_or_default();
        Some(Self {
            identity: identity(&job.id),
            id: job.id,
            room: room.name,
            room_sid: room.sid,
            metadata: job.metadata,
            // A self-hosted server names none.
            url: assignment.url.filter(|u| !u.is_empty()).unwrap_or_else(|| own_url.to_owned()),
            token: assignment.token,
            keys: keys.clone(),
            stop,
            notes,
            reported: false,
        })
    }

    /// Returns the options to join the job's room as the agent.
    pub fn room_options(&self) -> RoomOptions {
        RoomOptions::new(self.url.clone(), self.tokens())
    }

    /// Returns tokens for the job's room: first the server's own, which lives for an hour, then fresh ones
    /// made with our keys.
    pub fn tokens(&self) -> Tokens {
        let (first, keys) = (self.token.clone(), self.keys.clone());
        let (room, identity) = (self.room.clone(), self.identity.clone());
        let is_used = AtomicBool::new(false);
        Box::new(move || match is_used.swap(true, Relaxed) {
            false => Ok(first.clone()),
            true => keys.room_token(&room, &identity, Role::Agent).map_err(|e| e.to_string()),
        })
    }

    /// Returns what reads an operator's orders in the job's room.
    pub fn orders(&self) -> Orders {
        Orders::new(&self.keys, &self.room)
    }

    /// Waits until the job has to end: then finish, report and leave the room.
    pub async fn stopped(&mut self) -> Stop {
        match self.stop.wait_for(Option::is_some).await.map(|stop| *stop) {
            Ok(Some(stop)) => stop,
            // The worker is gone, and its process with it.
            Ok(None) | Err(_) => std::future::pending().await,
        }
    }

    /// Reports how the job ended, and waits up to a second until the server has been told; further calls do
    /// nothing. Call it *before* leaving the room: the server marks a job whose agent has left as failed, and
    /// ignores reports after that.
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

/// Our identity in a job's room.
pub(super) fn identity(job: &str) -> String {
    format!("agent-{job}")
}

impl Drop for Job {
    fn drop(&mut self) {
        self.note_end(Err("the job ended without a result".to_owned()), None);
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

    /// A self-hosted server names no url.
    #[test]
    fn without_a_url_ours_is_used() {
        assert_eq!(job(None).0.url, "ws://own");
        assert_eq!(job(Some("")).0.url, "ws://own");
        assert_eq!(job(Some("wss://other")).0.url, "wss://other");
    }

    /// A re-join has a fresh token, the first join the server's.
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
