//! Every statement of the database, on SQLite and on PostgreSQL.

use std::{
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use super::*;

/// PostgreSQL needs a second to start; a busy machine takes longer.
const START_LIMIT: Duration = Duration::from_secs(60);

/// U01, U02, U04, U08, N04: a SQLite file keeps what the database promises, also for two who use it at once.
#[tokio::test]
async fn sqlite_keeps_the_promises() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::new("", data.path());
    promises(&database, &Database::new("", data.path())).await;
}

/// The same with a real PostgreSQL; what was dumped there SQLite takes, and gives back the same.
#[tokio::test]
async fn postgres_keeps_the_promises() {
    let server = Postgres::start();
    let open = || Database::new(&server.url, Path::new("unused"));
    promises(&open(), &open()).await;
    let dump = open().dump().await.unwrap();
    let data = tempfile::tempdir().unwrap();
    let other = Database::new("", data.path());
    other.restore(&dump).await.unwrap();
    assert_eq!(sorted(&other.dump().await.unwrap()), sorted(&dump));
    assert!(dump.lines().count() > 10, "{dump}");
    assert!(matches!(other.restore(&dump).await, Err(RestoreError::NotEmpty)));
    assert!(matches!(open().restore(&dump).await, Err(RestoreError::NotEmpty)));
}

/// A dump that was changed is refused by its line, and nothing of it is taken.
#[tokio::test]
async fn a_damaged_dump_is_refused_whole() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::new("", data.path());
    let good = r#"{"table":"receipts","row":
        {"interview":"1","made_at":1,"asked_at":1,"asked_by":"A","what":"x"}}"#;
    let good = &good.replace("\n        ", "");
    for bad in [
        "{",
        r#"{"table":"sqlite_master","row":{}}"#,
        r#"{"table":"receipts","row":{"interview) VALUES (1); --":1}}"#,
        r#"{"table":"receipts","row":{"interview":[]}}"#,
        good,
    ] {
        let why = database.restore(&format!("{good}\n{bad}\n")).await.unwrap_err().to_string();
        assert!(why.contains("line 2"), "{why}");
        assert_eq!(database.dump().await.unwrap(), "");
    }
}

fn sorted(dump: &str) -> Vec<&str> {
    let mut lines: Vec<_> = dump.lines().collect();
    lines.sort_unstable();
    lines
}

/// A database that is not there is one sentence without its password.
#[tokio::test]
async fn a_database_that_is_not_there_is_named() {
    let url = "postgres://ada:secret@127.0.0.1:9/vivavoce";
    let why = Database::new(url, Path::new("unused")).open().await.unwrap_err().to_string();
    assert!(why.contains("127.0.0.1:9") && !why.contains("secret"), "{why}");
}

/// N04: a database that a newer program has used is refused, with a sentence that says how to go on.
#[tokio::test]
async fn a_newer_database_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let database = Database::new("", data.path());
    let query = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (9999, 'later', TRUE, x'00', 0)";
    sqlx::query(query).execute(database.pool().await.unwrap()).await.unwrap();
    let why = Database::new("", data.path()).open().await.unwrap_err().to_string();
    assert!(why.contains("a newer program has used it"), "{why}");
}

async fn promises(one: &Database, other: &Database) {
    only_one_account_is_the_first(one, other).await;
    sessions_end(one).await;
    somebody_stays_admin(one).await;
    keys_are_secrets(one).await;
    the_audit_trail_grows(one).await;
    openings_are_changed_by_one(one, other).await;
    interviews_are_listed(one).await;
    decisions_are_added(one).await;
    deletions_are_finished(one).await;
}

fn new_account(email: &str, role: Role) -> NewAccount {
    NewAccount { email: email.into(), name: "Ada".into(), role, password: Some("hash".into()) }
}

async fn only_one_account_is_the_first(one: &Database, other: &Database) {
    assert!(one.is_empty().await.unwrap());
    let first = |database: &Database| {
        let database = database.clone();
        async move { database.make_first(new_account("Ada@Example.org", Role::Viewer)).await.unwrap() }
    };
    let (a, b) = tokio::join!(first(one), first(other));
    assert_eq!(a.is_some() as u8 + b.is_some() as u8, 1, "{a:?} {b:?}");
    assert_eq!(a.or(b).unwrap().role, Role::Admin);
    assert!(!one.is_empty().await.unwrap());
    assert!(
        one.make_account(new_account("ADA@example.ORG", Role::Viewer)).await.unwrap().is_none(),
        "it has one"
    );
    let found = one.account_by_email("adA@example.org").await.unwrap().unwrap();
    assert_eq!(found.email, "ada@example.org");
    assert_eq!(one.account(&found.id).await.unwrap(), Some(found));
}

async fn sessions_end(database: &Database) {
    let account = database
        .make_account(new_account("bo@example.org", Role::Recruiter))
        .await
        .unwrap()
        .unwrap();
    let token = database.begin_session(&account.id).await.unwrap();
    let of = async |token: &str| database.session(token).await.unwrap().map(|account| account.id);
    assert_eq!(of(&token).await, Some(account.id.clone()));
    assert_eq!(of(&new_token()).await, None);
    database.end_session(&token).await.unwrap();
    assert_eq!(of(&token).await, None, "signed out");
    let (idle, old) = (
        database.begin_session(&account.id).await.unwrap(),
        database.begin_session(&account.id).await.unwrap(),
    );
    let age = async |column: &str, token: &str, at: i64| {
        let query = format!("UPDATE sessions SET {column} = $1 WHERE token_hash = $2");
        let query = sqlx::query(sqlx::AssertSqlSafe(query)).bind(at).bind(tokens::hash(token));
        query.execute(database.pool().await.unwrap()).await.unwrap();
    };
    age("last_seen_at", &idle, now() - 23 * 3_600_000).await;
    assert!(of(&idle).await.is_some(), "seen today");
    age("last_seen_at", &idle, now() - 25 * 3_600_000).await;
    age("created_at", &old, now() - 15 * 24 * 3_600_000).await;
    assert_eq!((of(&idle).await, of(&old).await), (None, None));
    database.forget_ended_sessions().await.unwrap();
    let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sessions")
        .fetch_one(database.pool().await.unwrap())
        .await
        .unwrap();
    assert_eq!(left, 0);
    let token = database.begin_session(&account.id).await.unwrap();
    let link = database.make_password_link(&account.id).await.unwrap();
    assert_eq!(database.password_link(&link).await.unwrap().unwrap().id, account.id);
    database.set_password(&account.id, "other").await.unwrap();
    assert_eq!(of(&token).await, None, "a new password ends what began with the old one");
    assert_eq!(database.password_link(&link).await.unwrap(), None, "used");
    let first = database.make_password_link(&account.id).await.unwrap();
    database.make_password_link(&account.id).await.unwrap();
    assert_eq!(database.password_link(&first).await.unwrap(), None, "replaced");
    let token = database.begin_session(&account.id).await.unwrap();
    assert!(database.change_account(&account.id, Role::Recruiter, true).await.unwrap());
    assert_eq!(of(&token).await, None, "disabled");
}

async fn somebody_stays_admin(database: &Database) {
    let ada = database.account_by_email("ada@example.org").await.unwrap().unwrap();
    assert!(!database.change_account(&ada.id, Role::Viewer, false).await.unwrap());
    assert!(!database.change_account(&ada.id, Role::Admin, true).await.unwrap());
    assert_eq!(database.account(&ada.id).await.unwrap(), Some(ada.clone()), "as before");
    let cy =
        database.make_account(new_account("cy@example.org", Role::Admin)).await.unwrap().unwrap();
    assert!(database.change_account(&ada.id, Role::Viewer, false).await.unwrap());
    assert!(database.change_account(&ada.id, Role::Admin, false).await.unwrap());
    assert!(database.change_account(&cy.id, Role::Viewer, false).await.unwrap());
    assert_eq!(database.accounts().await.unwrap().len(), 3);
}

async fn keys_are_secrets(database: &Database) {
    let (key, secret) = database.make_key("ATS", Role::Recruiter).await.unwrap();
    assert!(secret.starts_with(KEY_PREFIX) && secret.len() == KEY_PREFIX.len() + 64);
    assert_eq!(database.key(&secret).await.unwrap().unwrap().id, key.id);
    assert!(database.key(&secret.replace("vvk_", "vvk")).await.unwrap().is_none());
    assert!(database.keys().await.unwrap()[0].last_used_at.is_some());
    assert!(database.remove_key(&key.id).await.unwrap());
    assert!(!database.remove_key(&key.id).await.unwrap());
    assert!(database.key(&secret).await.unwrap().is_none());
}

async fn the_audit_trail_grows(database: &Database) {
    for object in ["1", "2", "3"] {
        let deed = Deed { who: "Ada", what: "opening changed", object, detail: "" };
        database.audit(deed).await.unwrap();
    }
    let rows = database.audited(i64::MAX, 2).await.unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(row.at)));
    assert!(database.audited(rows[1].at, 9).await.unwrap().len() <= 1);
    assert_eq!(database.audited(0, 9).await.unwrap(), []);
}

async fn openings_are_changed_by_one(one: &Database, other: &Database) {
    let opening = one.make_opening("{}".into()).await.unwrap();
    assert_eq!((opening.version, opening.state), (1, OpeningState::Open));
    let (a, b) = tokio::join!(
        one.save_opening(&opening.id, 1, "\"a\"".into()),
        other.save_opening(&opening.id, 1, "\"b\"".into()),
    );
    let (a, b) = (a.unwrap(), b.unwrap());
    let (saved, refused) = if a.is_ok() { (a, b) } else { (b, a) };
    assert_eq!(refused, Err(NotSaved::Changed));
    assert_eq!(one.opening(&opening.id).await.unwrap(), Some(saved.unwrap()));
    assert_eq!(one.save_opening("none", 1, "{}".into()).await.unwrap(), Err(NotSaved::Gone));
    let closed = one.set_opening_state(&opening.id, OpeningState::Closed).await.unwrap().unwrap();
    assert_eq!((closed.state, closed.version), (OpeningState::Closed, 2));
    assert_eq!(one.openings().await.unwrap(), [closed]);
    assert_eq!(one.set_opening_state("none", OpeningState::Open).await.unwrap(), None);
}

fn indexed(name: &str, state: State, made_at: i64) -> Indexed {
    Indexed {
        id: new_id(),
        opening: None,
        preview: false,
        name: name.into(),
        email: format!("{}@example.org", name.to_lowercase()),
        about: "Backend Engineer".into(),
        state,
        made_at,
        updated_at: made_at,
        expires_at: Some(made_at + 10),
        row: "{}".into(),
        verdict: None,
    }
}

async fn interviews_are_listed(database: &Database) {
    let opening = database.openings().await.unwrap().remove(0).id;
    let all = [
        ("Ada", State::Completed),
        ("Bo_b", State::Invited),
        ("Cy", State::InProgress),
        ("Dan", State::Invited),
    ];
    for (at, (name, state)) in (1..).zip(all) {
        let opening = (name != "Cy").then(|| opening.clone());
        database.index(&Indexed { opening, ..indexed(name, state, at) }).await.unwrap();
    }
    let preview = Indexed { preview: true, ..indexed("Me", State::Invited, 9) };
    database.index(&preview).await.unwrap();
    let names = async |query: Query| {
        let rows = database.list(&Query { max: 99, ..query }).await.unwrap();
        rows.into_iter().map(|row| row.name).collect::<Vec<_>>()
    };
    assert_eq!(
        names(Query { descending: true, ..Query::default() }).await,
        ["Dan", "Cy", "Bo_b", "Ada"]
    );
    assert_eq!(names(Query { sort: Sort::State, ..Query::default() }).await[0], "Ada");
    assert_eq!(
        names(Query { sort: Sort::Name, skip: 1, ..Query::default() }).await,
        ["Bo_b", "Cy", "Dan"]
    );
    assert_eq!(
        names(Query { state: Some(State::Invited), ..Query::default() }).await,
        ["Bo_b", "Dan"]
    );
    assert_eq!(names(Query { search: " o_B".into(), ..Query::default() }).await, ["Bo_b"]);
    assert_eq!(
        names(Query { search: "a_a".into(), ..Query::default() }).await,
        [""; 0],
        "no pattern of theirs"
    );
    assert_eq!(
        names(Query { search: "backend".into(), sort: Sort::UpdatedAt, ..Query::default() })
            .await
            .len(),
        4
    );
    assert_eq!(
        names(Query { opening: Some(opening.clone()), ..Query::default() }).await,
        ["Ada", "Bo_b", "Dan"]
    );
    let counts =
        database.counts(&Query { state: Some(State::Failed), ..Query::default() }).await.unwrap();
    assert_eq!(
        counts,
        [("completed".into(), 1), ("in_progress".into(), 1), ("invited".into(), 2)].into()
    );
    let counts = database.opening_counts().await.unwrap();
    assert_eq!(counts[&opening], OpeningCounts { invited: 2, running: 0, done: 1, to_decide: 1 });
    assert_eq!(database.live().await.unwrap().len(), 1);
    let expired = database.expire().await.unwrap();
    assert_eq!(expired.len(), 3, "a preview, too");
    assert_eq!(database.expire().await.unwrap(), []);
    assert_eq!(names(Query { state: Some(State::Expired), ..Query::default() }).await.len(), 2);
    assert_eq!(database.indexed_ids().await.unwrap().len(), 5);
}

async fn decisions_are_added(database: &Database) {
    let ada = database
        .list(&Query { search: "ada".into(), max: 1, ..Query::default() })
        .await
        .unwrap()
        .remove(0);
    for verdict in ["hold", "advance"] {
        let (interview, reason, decided_by) = (ada.id.as_str(), "because", "Bo");
        database.decide(NewDecision { interview, verdict, reason, decided_by }).await.unwrap();
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let verdicts: Vec<_> =
        database.decisions(&ada.id).await.unwrap().into_iter().map(|it| it.verdict).collect();
    assert_eq!(verdicts, ["advance", "hold"]);
    assert_eq!(
        database.indexed(&ada.id).await.unwrap().unwrap().verdict.as_deref(),
        Some("advance")
    );
    let opening = ada.opening.unwrap();
    assert_eq!(database.opening_counts().await.unwrap()[&opening].to_decide, 0);
    database.add_note(&ada.id, "good", "Bo").await.unwrap();
    assert_eq!(database.notes(&ada.id).await.unwrap()[0].text, "good");
    let word = CandidateWord {
        kind: WordKind::Correction,
        turn: Some(3),
        stars: None,
        text: "Kafka".into(),
        at: 0,
    };
    database.add_candidate_word(&ada.id, &word).await.unwrap();
    let words = database.candidate_words(&ada.id).await.unwrap();
    assert_eq!(words, [CandidateWord { at: words[0].at, ..word }]);
}

async fn deletions_are_finished(database: &Database) {
    let ada = database
        .list(&Query { search: "ada".into(), max: 1, ..Query::default() })
        .await
        .unwrap()
        .remove(0);
    for asked_by in ["Bo", "Cy"] {
        database.ask_deletion(&ada.id, ada.made_at, asked_by, "all").await.unwrap();
    }
    assert_eq!(database.deletions_to_do().await.unwrap(), std::slice::from_ref(&ada.id));
    database.unindex(&ada.id).await.unwrap();
    assert_eq!(database.indexed(&ada.id).await.unwrap(), None);
    assert_eq!(database.notes(&ada.id).await.unwrap(), []);
    assert_eq!(database.candidate_words(&ada.id).await.unwrap(), []);
    assert_eq!(database.decisions(&ada.id).await.unwrap(), []);
    database.deletion_done(&ada.id).await.unwrap();
    assert_eq!(database.deletions_to_do().await.unwrap(), [""; 0]);
    let receipt = database.receipt(&ada.id).await.unwrap().unwrap();
    assert_eq!((receipt.asked_by.as_str(), receipt.made_at), ("Bo", ada.made_at));
    assert!(receipt.done_at.is_some());
}

/// A PostgreSQL server of our own, in a folder that goes with it.
struct Postgres {
    url: String,
    server: Child,
    _folder: tempfile::TempDir,
}

impl Postgres {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let user = unprivileged();
        if let Some((user, group)) = user {
            chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        let program = |name: &str| {
            let mut command = Command::new(programs().join(name));
            command
                .current_dir(folder.path())
                .env("LC_ALL", "C")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if let Some((user, group)) = user {
                command.uid(user).gid(group);
            }
            command
        };
        let mut init = program("initdb");
        init.args(["--no-sync", "--auth=trust", "--username=vivavoce", "--encoding=UTF8"])
            .arg("-D")
            .arg(&data);
        assert!(init.status().unwrap().success(), "initdb failed");
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut start = program("postgres");
        start.arg("-D").arg(&data).args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]);
        start.arg("-c").arg(format!("unix_socket_directories={}", folder.path().display()));
        let server = start.arg("-p").arg(port.to_string()).spawn().unwrap();
        let url = format!("postgres://vivavoce@127.0.0.1:{port}/postgres");
        let this = Self { url, server, _folder: folder };
        let deadline = crate::clock::instant() + START_LIMIT;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(crate::clock::instant() < deadline, "PostgreSQL does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        this
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A quick end: its children end with it.
        if let Some(pid) = rustix::process::Pid::from_raw(self.server.id().cast_signed()) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::QUIT);
        }
        let _ = self.server.wait();
    }
}

/// Where Debian's package keeps the programs of PostgreSQL.
fn programs() -> PathBuf {
    let versions =
        std::fs::read_dir("/usr/lib/postgresql").expect("install the package postgresql");
    let newest = versions
        .map(|version| version.unwrap().path())
        .max()
        .expect("install the package postgresql");
    newest.join("bin")
}

/// PostgreSQL does not run as root: the user that its package made, where we are root.
fn unprivileged() -> Option<(u32, u32)> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").unwrap();
    let ours = users
        .lines()
        .find(|line| line.starts_with("postgres:"))
        .expect("install the package postgresql");
    let mut ids = ours.split(':').skip(2).map(|id| id.parse().unwrap());
    Some((ids.next().unwrap(), ids.next().unwrap()))
}
