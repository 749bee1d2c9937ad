//! The worker on the real LiveKit server: dispatch, slots, status, drain, recovery.

use std::{
    future::ready,
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use futures_util::{FutureExt, SinkExt, StreamExt};
use livekit_protocol::{self as proto, server_message, worker_message};
use prost::Message as _;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{mpsc, watch},
    task::JoinHandle,
    time::timeout,
};
use tokio_tungstenite::{WebSocketStream, accept_async, tungstenite};
use voiceroom::{
    room::{AGENT_STATE, Room, RoomOptions},
    server::{Api, ApiError, ApiKeys, Call, Watched, call_until_begun},
    worker::{self, Job, Link, Shutdown, Standing, Stop, WorkerError, WorkerOptions, standing},
};

use crate::{
    client::{Client, PATIENCE, Tone, deaf_port},
    interview::{AGENT, WorkerProcess, launch, until},
    livekit_server::{LiveKit, jobs_ended},
};

/// A worker in this process, and the wires to it.
struct Worker {
    jobs: mpsc::Receiver<Job>,
    shutdown: watch::Sender<Shutdown>,
    standing: watch::Receiver<Standing>,
    run: JoinHandle<Result<(), WorkerError>>,
}

impl Worker {
    fn start(server: &LiveKit, agent: &str, slots: usize) -> Self {
        Self::with(options(server.url(), server.keys(), agent, slots))
    }

    fn with(options: WorkerOptions) -> Self {
        let (jobs_tx, jobs) = mpsc::channel(options.slots);
        let (shutdown, wanted) = watch::channel(Shutdown::No);
        let standing_tx = standing(&options);
        let standing = standing_tx.subscribe();
        let run = tokio::spawn(worker::run(options, jobs_tx, wanted, standing_tx));
        Self { jobs, shutdown, standing, run }
    }

    async fn registered(server: &LiveKit, agent: &str, slots: usize) -> Self {
        let mut worker = Self::start(server, agent, slots);
        worker.stands("registered", |s| s.link == Link::Registered).await;
        worker
    }

    async fn stands(&mut self, what: &str, is_it: impl FnMut(&Standing) -> bool) {
        let waiting = timeout(PATIENCE, self.standing.wait_for(is_it)).await;
        waiting.unwrap_or_else(|_| panic!("the worker is not {what}")).unwrap();
    }

    async fn job(&mut self) -> Job {
        timeout(PATIENCE, self.jobs.recv()).await.expect("a job").expect("a worker")
    }

    async fn end(self) -> Result<(), WorkerError> {
        timeout(PATIENCE, self.run).await.expect("the worker ends").unwrap()
    }
}

fn options(url: &str, keys: ApiKeys, agent: &str, slots: usize) -> WorkerOptions {
    WorkerOptions {
        slots,
        drain_limit: Duration::from_secs(60),
        ..WorkerOptions::new(url, keys, agent)
    }
}

/// Joins a job's room as the agent that it is.
async fn join(job: &Job) -> Room {
    let mut options = RoomOptions::new(job.url.clone(), job.tokens());
    options.attributes.insert(AGENT_STATE.to_owned(), "listening".to_owned());
    let (room, mut events) = Room::join(options, Some(Box::new(Tone::new(440.0)))).await.unwrap();
    tokio::spawn(async move { while events.recv().await.is_some() {} });
    room
}

/// W01, W02, W04, W05, W09: an explicit dispatch brings our agent into the room, with its metadata and
/// its identity; its end is reported before leaving, so the server knows how it ended, and why if it failed.
#[tokio::test]
async fn the_end_is_reported_before_leaving() {
    let server = LiveKit::start();
    let mut worker = Worker::registered(&server, "w-success", 2).await;
    let api = Api::new(server.url(), server.keys());
    let metadata = r#"{"v":1,"interview":"x"}"#;
    api.call_agent("success", "w-success", metadata).await.unwrap();
    api.call_agent("success", "w-success", metadata).await.unwrap();
    let mut job = worker.job().await;
    assert_eq!((job.room.as_str(), job.metadata.as_str()), ("success", metadata));
    assert_eq!(job.identity, format!("agent-{}", job.id));

    let candidate = Client::of(&server, "success", "cand").join().await;
    let room = join(&job).await;
    candidate.hears(&job.identity, Some(440.0)).await;
    worker.stands("busy", |s| s.jobs == 1).await;
    job.report(Ok(())).await;
    room.leave().await;
    let identity = job.identity.clone();
    candidate.until("goodbye", |seen| (!seen.people.contains_key(&identity)).then_some(())).await;
    drop(job);
    worker.stands("free", |s| s.jobs == 0).await;
    assert_eq!(jobs_ended(1, || server.log()).await, ["JS_SUCCESS"]);

    api.call_agent("failure", "w-success", "").await.unwrap();
    let mut job = worker.job().await;
    assert_eq!(job.room, "failure", "a second call brought a second agent");
    noted(&api, "failure").await;
    job.report(Err("the disk is full".to_owned())).await;
    drop(job);
    worker.shutdown.send_replace(Shutdown::Drain);
    worker.end().await.unwrap();
    let ended = jobs_ended(2, || server.log()).await;
    assert_eq!(ended, ["JS_SUCCESS", "JS_FAILED: the disk is full"]);
}

/// W09: a token that makes the room brings the agent, too.
#[tokio::test]
async fn a_token_dispatches_when_it_makes_the_room() {
    let server = LiveKit::shared();
    let mut worker = Worker::registered(&server, "w-token", 1).await;
    let token = server.keys().dispatching_token("by-token", "cand", "w-token", "hello").unwrap();
    let candidate = Client::of(&server, "by-token", "cand");
    let candidate = candidate.token(token).join().await;
    let job = worker.job().await;
    assert_eq!((job.room.as_str(), job.metadata.as_str()), ("by-token", "hello"));
    candidate.leave().await;
}

/// W02, W03: offers that overlap do not share a slot; what does not fit is declined and stays undone
/// until somebody dispatches again (W09), and then it is done.
#[tokio::test]
async fn overlapping_offers_fill_the_slots_and_no_more() {
    let server = LiveKit::shared();
    let mut worker = Worker::registered(&server, "w-slots", 2).await;
    let api = Api::new(server.url(), server.keys());
    let rooms: Vec<String> = (0..4).map(|n| format!("slots-{n}")).collect();
    let calls = rooms.iter().map(|room| api.call_agent(room, "w-slots", ""));
    futures_util::future::try_join_all(calls).await.unwrap();
    let (first, second) = (worker.job().await, worker.job().await);
    given_up(&server, "w-slots", 2).await;
    assert!(worker.jobs.try_recv().is_err(), "a third job");
    worker.stands("full", |s| s.jobs == 2).await;
    let undone = rooms.iter().find(|r| **r != first.room && **r != second.room).unwrap();
    drop(first);
    worker.stands("half free", |s| s.jobs == 1).await;
    // The server tries nothing again by itself; a watcher does.
    let call = call(undone, "w-slots");
    assert_eq!(next_job(&api, &call, &mut worker).await.room, *undone);
}

/// Waits until the server has given up so many dispatches to an agent: no worker took them.
async fn given_up(server: &LiveKit, agent: &str, count: usize) {
    let is_it = |line: &str| {
        let is_end = ["failed to send job request", "not dispatching agent job"];
        line.contains(agent) && is_end.iter().any(|end| line.contains(end))
    };
    until(|| server.log().lines().filter(|line| is_it(line)).count() >= count).await;
}

fn call(room: &str, agent: &str) -> Call {
    let (room, agent) = (room.to_owned(), agent.to_owned());
    Call { room, agent, metadata: String::new(), waiting: None }
}

/// The job of a call that may come before the server knows that a slot is free: a watcher's work.
async fn next_job(api: &Api, call: &Call, worker: &mut Worker) -> Job {
    let (begun_tx, begun) = watch::channel(false);
    let has_begun = || ready(*begun.borrow());
    let watching =
        call_until_begun(api, call, Duration::from_millis(500), PATIENCE, has_begun, || ());
    let working = async {
        let job = worker.job().await;
        begun_tx.send_replace(true);
        job
    };
    let (watched, job) = tokio::join!(watching, working);
    assert_eq!(watched.unwrap(), Watched::Begun);
    job
}

/// W06: a worker that has lost its server registers again, and its job goes on meanwhile: the room is
/// joined again, and the report reaches nobody but does not hold the agent either.
#[tokio::test]
async fn a_job_goes_on_while_the_server_restarts() {
    let server = LiveKit::start();
    let mut worker = Worker::registered(&server, "w-restart", 1).await;
    let api = Api::new(server.url(), server.keys());
    api.call_agent("restart", "w-restart", "").await.unwrap();
    let mut job = worker.job().await;
    let room = join(&job).await;
    let candidate = Client::of(&server, "restart", "cand").join().await;
    candidate.hears(&job.identity, None).await;
    server.kill();
    worker.stands("cut off", |s| s.link == Link::Connecting).await;
    server.restart();
    worker.stands("registered again", |s| s.link == Link::Registered).await;
    assert_eq!(worker.standing.borrow().jobs, 1, "the table of jobs is ours");
    candidate.hears(&job.identity, Some(440.0)).await;
    job.report(Ok(())).await;
    room.leave().await;
    drop(job);
    worker.stands("free", |s| s.jobs == 0).await;
    assert_eq!(next_job(&api, &call("after", "w-restart"), &mut worker).await.room, "after");
}

/// W05: both the end of a dispatch and the end of a room end the job.
#[tokio::test]
async fn a_deleted_dispatch_or_room_ends_the_job() {
    let server = LiveKit::shared();
    let mut worker = Worker::registered(&server, "w-end", 2).await;
    let api = Api::new(server.url(), server.keys());
    for name in ["end-dispatch", "end-room"] {
        let dispatch = api.create_dispatch(name, "w-end", "").await.unwrap();
        let mut job = worker.job().await;
        let room = join(&job).await;
        noted(&api, name).await;
        match name {
            "end-dispatch" => api.delete_dispatch(name, &dispatch.id).await.unwrap(),
            _ => api.delete_room(name).await.unwrap(),
        }
        let stop = timeout(PATIENCE, job.stopped()).await.expect("the job is told to end");
        assert_eq!(stop, Stop::Terminated);
        job.report(Ok(())).await;
        room.leave().await;
    }
}

/// The server notes who took a dispatch only after the fact; what it has not noted it neither terminates nor
/// lets end.
async fn noted(api: &Api, room: &str) {
    let waiting = async {
        while api.dispatches(room).await.unwrap().iter().all(|dispatch| dispatch.jobs == 0) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("the server notes who took it");
}

/// W07: draining takes nothing new and lets jobs end; a second wish, or the limit, ends them.
#[tokio::test]
async fn draining_lets_jobs_end_and_takes_no_new_ones() {
    let server = LiveKit::shared();
    let mut worker = Worker::registered(&server, "w-drain", 2).await;
    let api = Api::new(server.url(), server.keys());
    api.call_agent("drain-1", "w-drain", "").await.unwrap();
    let mut job = worker.job().await;
    worker.shutdown.send_replace(Shutdown::Drain);
    worker.stands("draining", |s| s.link == Link::Draining).await;
    api.call_agent("drain-2", "w-drain", "").await.unwrap();
    given_up(&server, "w-drain", 1).await;
    assert!(worker.jobs.try_recv().is_err(), "a new job");
    assert_eq!(job.stopped().now_or_never(), None, "the running job was stopped");
    assert!(!worker.run.is_finished());
    worker.shutdown.send_replace(Shutdown::Now);
    assert_eq!(timeout(PATIENCE, job.stopped()).await.unwrap(), Stop::Shutdown);
    job.report(Ok(())).await;
    drop(job);
    worker.end().await.unwrap();
}

/// W07: when the time for draining is over, jobs are told to end.
#[tokio::test]
async fn draining_has_a_limit() {
    let server = LiveKit::shared();
    let options = options(server.url(), server.keys(), "w-limit", 1);
    let mut worker =
        Worker::with(WorkerOptions { drain_limit: Duration::from_millis(300), ..options });
    worker.stands("registered", |s| s.link == Link::Registered).await;
    let api = Api::new(server.url(), server.keys());
    api.call_agent("limit", "w-limit", "").await.unwrap();
    let mut job = worker.job().await;
    worker.shutdown.send_replace(Shutdown::Drain);
    assert_eq!(timeout(PATIENCE, job.stopped()).await.unwrap(), Stop::Shutdown);
    drop(job);
    worker.end().await.unwrap();
}

/// W07: a job that was promised before all jobs had to end, and is assigned after it, has to end, too.
#[tokio::test]
async fn a_job_that_comes_too_late_is_told_to_end() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let mut worker = Worker::with(options(&url, ApiKeys::new("k", "s"), "w-late", 1));
    let (caller, _) = timeout(PATIENCE, listener.accept()).await.expect("a worker").unwrap();
    let mut server = accept_async(caller).await.unwrap();
    let job = proto::Job { id: "AJ_late".to_owned(), ..Default::default() };
    tell(&mut server, server_message::Message::Register(Default::default())).await;
    let offer = proto::AvailabilityRequest { job: Some(job.clone()), ..Default::default() };
    tell(&mut server, server_message::Message::Availability(offer)).await;
    use worker_message::Message::{Availability, UpdateWorker};
    let is_promise = |said: &_| matches!(said, Availability(answer) if answer.available);
    hear(&mut server, "promise", is_promise).await;
    worker.shutdown.send_replace(Shutdown::Now);
    let is_end = |said: &_| matches!(said, UpdateWorker(status) if status.draining);
    hear(&mut server, "end", is_end).await;
    let assignment = proto::JobAssignment { job: Some(job), ..Default::default() };
    tell(&mut server, server_message::Message::Assignment(assignment)).await;
    let mut job = worker.job().await;
    let stop = timeout(PATIENCE, job.stopped()).await.expect("the job is told to end");
    assert_eq!(stop, Stop::Shutdown);
    drop(job);
    worker.end().await.unwrap();
}

/// What a server says to its worker.
async fn tell(server: &mut WebSocketStream<TcpStream>, message: server_message::Message) {
    let bytes = proto::ServerMessage { message: Some(message) }.encode_to_vec();
    server.send(tungstenite::Message::Binary(bytes.into())).await.unwrap();
}

/// Waits for what a worker says.
async fn hear(
    server: &mut WebSocketStream<TcpStream>,
    what: &str,
    is_it: impl Fn(&worker_message::Message) -> bool,
) {
    let waiting = async {
        while let Some(Ok(frame)) = server.next().await {
            let said = proto::WorkerMessage::decode(frame.into_data()).unwrap().message;
            if said.is_some_and(|said| is_it(&said)) {
                return;
            }
        }
        panic!("the worker hung up");
    };
    timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("no {what}"));
}

/// W05: a job that is told to end while its room is being joined ends then, not when joining has failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_told_to_end_while_it_joins() {
    // Where the server says its media is, nothing is.
    let server = LiveKit::behind(Ipv4Addr::new(127, 0, 0, 9));
    let worker = WorkerProcess::start(&server);
    let folder = launch(&worker.store(), "two-stage");
    let (id, api) = (folder.id(), Api::new(server.url(), server.keys()));
    let (room, metadata) = (id.room(), id.metadata());
    let call = Call { metadata, ..call(&room, AGENT) };
    let patience = Duration::from_secs(3);
    tokio::select! {
        called = call_until_begun(&api, &call, patience, PATIENCE, || ready(false), || ()) => {
            panic!("nobody came: {called:?}")
        }
        () = occupied(&api, &room) => {}
    }
    noted(&api, &room).await;
    for dispatch in api.dispatches(&room).await.unwrap() {
        api.delete_dispatch(&room, &dispatch.id).await.unwrap();
    }
    worker.says("told to end before its room was joined").await;
    worker.says("job ended").await;
    assert!(!worker.log().contains("the room was not joined"), "the end has waited");
}

/// Waits until somebody is in the room.
async fn occupied(api: &Api, room: &str) {
    while !api.occupants(room).await.is_ok_and(|there| !there.is_empty()) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A handler that panics ends its own job and nothing else: the slot is free, the next job comes.
#[tokio::test]
async fn a_panic_ends_one_job_only() {
    let server = LiveKit::shared();
    let mut worker = Worker::registered(&server, "w-panic", 1).await;
    let api = Api::new(server.url(), server.keys());
    api.call_agent("panic-1", "w-panic", "").await.unwrap();
    let job = worker.job().await;
    let handler = tokio::spawn(async move {
        let _job = job;
        panic!("on purpose");
    });
    assert!(handler.await.unwrap_err().is_panic());
    worker.stands("free", |s| s.jobs == 0).await;
    let call = call("panic-2", "w-panic");
    assert_eq!(next_job(&api, &call, &mut worker).await.room, "panic-2");
}

/// A wrong secret is told at once, in one sentence that says how to mend it.
#[tokio::test]
async fn a_wrong_secret_is_one_sentence() {
    let server = LiveKit::shared();
    let keys = ApiKeys::new("devkey", "wrong-wrong-wrong-wrong-wrong-wrong-32");
    let worker = Worker::with(options(server.url(), keys.clone(), "w-secret", 1));
    let error = worker.end().await.unwrap_err();
    assert!(matches!(error, WorkerError::Refused { .. }), "{error}");
    assert!(error.to_string().contains("LIVEKIT_API_SECRET"), "{error}");
    let error = Api::new(server.url(), keys).check().await.unwrap_err();
    assert!(error.to_string().contains("LIVEKIT_API_SECRET"), "{error}");
    Api::new(server.url(), server.keys()).check().await.unwrap();
}

/// No server: ten seconds of trying, then one sentence; a bad address at once. A wait for it can be ended.
#[tokio::test]
async fn no_server_is_one_sentence() {
    let keys = ApiKeys::new("k", "s");
    let (_held, port) = deaf_port();
    let url = format!("ws://127.0.0.1:{port}");
    let (deaf_url, tries) = deaf_server().await;
    let worker = Worker::with(options(&deaf_url, keys.clone(), "w-none", 1));
    let stopped = Worker::with(options(&url, keys.clone(), "w-none", 1));
    stopped.shutdown.send_replace(Shutdown::Drain);
    stopped.end().await.unwrap();
    let error =
        Worker::with(options("nonsense", keys.clone(), "w-none", 1)).end().await.unwrap_err();
    assert!(matches!(error, WorkerError::BadUrl { .. }), "{error}");
    let error = worker.end().await.unwrap_err();
    assert!(
        matches!(error, WorkerError::NoServer { .. }) && error.to_string().contains(&deaf_url),
        "{error}"
    );
    assert!(tries.load(Relaxed) >= 2, "tried {} times only", tries.load(Relaxed));
    let error = Api::new(&url, keys).check().await.unwrap_err();
    assert!(error.to_string().contains("LIVEKIT_URL"), "{error}");
}

/// Hangs up on everybody, and counts them.
async fn deaf_server() -> (String, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let tries = Arc::new(AtomicU32::new(0));
    let count = tries.clone();
    tokio::spawn(async move {
        while let Ok((caller, _)) = listener.accept().await {
            count.fetch_add(1, Relaxed);
            drop(caller);
        }
    });
    (url, tries)
}

/// W09: whoever watches gives up in the end, and asks a server that is away again.
#[tokio::test]
async fn a_call_that_nobody_takes_is_given_up() {
    let server = LiveKit::shared();
    let api = Arc::new(Api::new(server.url(), server.keys()));
    let call = call("nobody", "w-nobody");
    let (patience, limit) = (Duration::from_millis(100), Duration::from_secs(2));
    let watched =
        call_until_begun(&api, &call, patience, limit, || ready(false), || ()).await.unwrap();
    assert_eq!(watched, Watched::Nobody);
    // The server lists a dispatch of its own beside it, for agents without a name.
    let calls = api.dispatches("nobody").await.unwrap();
    let ours = calls.iter().filter(|d| d.agent == "w-nobody").count();
    assert_eq!(ours, 1, "one call stands, not many: {calls:?}");
}

/// W09: of all who take a dispatch back at once one is told that it is theirs, so one of them calls again.
#[tokio::test]
async fn a_dispatch_is_taken_back_once() {
    let server = LiveKit::shared();
    let api = Api::new(server.url(), server.keys());
    let call = api.create_dispatch("taken-back", "w-taken-back", "").await.unwrap();
    let take_back = || api.delete_dispatch("taken-back", &call.id);
    let taken = tokio::join!(take_back(), take_back(), take_back());
    let taken = [taken.0, taken.1, taken.2];
    assert_eq!(taken.iter().filter(|it| it.is_ok()).count(), 1, "{taken:?}");
    let is_gone = |it: &&Result<(), ApiError>| matches!(it, Err(ApiError::NotFound(_)));
    assert_eq!(taken.iter().filter(is_gone).count(), 2, "{taken:?}");
}

/// W09: an agent is called again for a candidate who waits, and never into a room without its candidate.
#[tokio::test]
async fn nobody_is_called_into_a_room_without_its_candidate() {
    let server = LiveKit::shared();
    let api = Api::new(server.url(), server.keys());
    api.call_agent("left", "w-left", "").await.unwrap();
    let calls = async || {
        let mut calls = api.dispatches("left").await.unwrap();
        calls.retain(|dispatch| dispatch.agent == "w-left");
        calls
    };
    let before = calls().await;
    let call = Call { waiting: Some("cand".to_owned()), ..call("left", "w-left") };
    let (patience, unanswered) = (Duration::from_millis(100), AtomicU32::new(0));
    let tell = || {
        unanswered.fetch_add(1, Relaxed);
    };
    let limit = Duration::from_secs(1);
    let watched =
        call_until_begun(&api, &call, patience, limit, || ready(false), tell).await.unwrap();
    assert_eq!((watched, unanswered.load(Relaxed)), (Watched::Nobody, 0));
    assert_eq!(calls().await, before, "it was not called again");

    let candidate = Client::of(&server, "left", "cand").join().await;
    let has_begun = || ready(unanswered.load(Relaxed) > 1);
    let watched = call_until_begun(&api, &call, patience, PATIENCE, has_begun, tell).await.unwrap();
    assert_eq!(watched, Watched::Begun);
    let after = calls().await;
    assert!(after.len() == 1 && after != before, "one call stands, a new one: {after:?}");
    candidate.leave().await;
}
