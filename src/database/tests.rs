//! Every statement of the database, on SQLite and on PostgreSQL.

use std::{
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use super::*;

mod deeds;

/// PostgreSQL needs a second to start; a busy machine takes longer.
const START_LIMIT: Duration = Duration::from_secs(120);

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
    deeds::the_audit_trail_grows(one).await;
    deeds::deeds_are_chained(one, other).await;
    deeds::deeds_are_written_with_what_is_done(one).await;
    deeds::deeds_are_found_by_who_did_them(one).await;
    deeds::the_same_is_written_once_an_hour(one).await;
    deeds::old_entries_are_chained(one).await;
    openings_are_changed_by_one(one, other).await;
    interviews_are_listed(one).await;
    decisions_are_added(one).await;
    messages_are_kept(one, other).await;
    shares_end(one).await;
    partners_order_once(one).await;
    appointments_count_their_changes(one).await;
    mails_are_sent_by_one(one, other).await;
    who_has_not_come_is_reminded_once(one).await;
    a_technical_end_uses_no_attempt_up(one).await;
    sign_ins_come_back_once(one, other).await;
    accounts_are_linked_by_subject(one).await;
    deletions_are_finished(one).await;
    deeds::receipts_say_when_the_candidate_asked(one).await;
    versions_of_blueprints_are_only_added(one, other).await;
    deeds::sessions_follow_one_another(one).await;
    deeds::old_entries_go_and_the_rest_is_checked(one).await;
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

async fn versions_of_blueprints_are_only_added(one: &Database, other: &Database) {
    let new = |after, files| NewBlueprintVersion {
        name: "screen",
        after,
        files,
        who: "Ada",
        note: "shorter",
        based_on: "mock-interview",
    };
    assert_eq!(one.newest_blueprints().await.unwrap(), []);
    let (a, b) = tokio::join!(
        one.add_blueprint_version(new(0, "[\"a\"]")),
        other.add_blueprint_version(new(0, "[\"b\"]")),
    );
    let (a, b) = (a.unwrap(), b.unwrap());
    assert!(matches!((a, b), (Some(1), None) | (None, Some(1))), "{a:?} {b:?}");
    let first = one.blueprint_version("screen", 1).await.unwrap().unwrap();
    assert_eq!(first.files, if a.is_some() { "[\"a\"]" } else { "[\"b\"]" });
    assert_eq!(
        (first.who.as_str(), first.note.as_str(), first.based_on.as_str()),
        ("Ada", "shorter", "mock-interview")
    );
    for after in [0, 2, -1] {
        assert_eq!(one.add_blueprint_version(new(after, "[]")).await.unwrap(), None, "{after}");
    }
    assert_eq!(one.add_blueprint_version(new(1, "[]")).await.unwrap(), Some(2));
    assert_eq!(one.blueprint_version("screen", 1).await.unwrap(), Some(first));
    let numbers =
        |all: Vec<BlueprintVersionBrief>| all.iter().map(|it| it.number).collect::<Vec<_>>();
    assert_eq!(numbers(other.blueprint_versions("screen").await.unwrap()), [2, 1]);
    assert_eq!(numbers(other.newest_blueprints().await.unwrap()), [2]);
    assert_eq!(one.blueprint_version("screen", 3).await.unwrap(), None);
    assert_eq!(one.blueprint_versions("other").await.unwrap(), []);
}

fn indexed(name: &str, state: State, made_at: i64) -> Indexed {
    Indexed {
        id: new_id(),
        opening: None,
        purpose: Purpose::Candidate,
        name: name.into(),
        email: format!("{}@example.org", name.to_lowercase()),
        about: "Backend Engineer".into(),
        state,
        made_at,
        updated_at: made_at,
        expires_at: Some(made_at + 10),
        row: "{}".into(),
        beside: Beside::default(),
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
    let preview = Indexed { purpose: Purpose::Preview, ..indexed("Me", State::Invited, 9) };
    database.index(&preview).await.unwrap();
    trials_and_what_never_was_count_nowhere(database, &opening).await;
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
    let needs = |needs| Query { needs: Some(needs), ..Query::default() };
    assert_eq!(names(needs(Needs::Company)).await, ["Cy"]);
    assert_eq!(names(needs(Needs::Decision)).await, ["Ada"]);
    assert_eq!(database.counts(&needs(Needs::Decision)).await.unwrap()["completed"], 1);
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

async fn trials_and_what_never_was_count_nowhere(database: &Database, opening: &str) {
    let trial = Indexed { purpose: Purpose::Trial, ..indexed("Me", State::Completed, 9) };
    database.index(&trial).await.unwrap();
    let needs = |needs| Query { needs: Some(needs), max: 99, ..Query::default() };
    let undecided = database.list(&needs(Needs::Decision)).await.unwrap();
    assert_eq!(undecided.len(), 1, "nobody decides about one's own try: {undecided:?}");
    let listed = database.list(&Query { max: 99, ..Query::default() }).await.unwrap();
    let tried = listed.iter().filter(|row| row.purpose == Purpose::Trial);
    assert_eq!(tried.map(|row| &row.id).collect::<Vec<_>>(), [&trial.id], "it is in the list");
    database.unindex(&trial.id).await.unwrap();
    for state in [State::Cancelled, State::Expired] {
        let opening = Some(opening.to_owned());
        let never = Indexed { opening, ..indexed("Eve", state, 9) };
        database.index(&never).await.unwrap();
        let counts = database.opening_counts().await.unwrap()[never.opening.as_ref().unwrap()];
        assert_eq!(counts.done, 1, "{state:?} is nothing that was done");
        database.unindex(&never.id).await.unwrap();
    }
}

async fn decisions_are_added(database: &Database) {
    let ada = database
        .list(&Query { search: "ada".into(), max: 1, ..Query::default() })
        .await
        .unwrap()
        .remove(0);
    for verdict in ["hold", "advance"] {
        let (interview, reason, decided_by) = (ada.id.as_str(), "because", "Bo");
        let decision = NewDecision { interview, verdict, reason, decided_by };
        database.decide(decision, &message("decision.made", verdict, &ada.id)).await.unwrap();
    }
    let verdicts: Vec<_> =
        database.decisions(&ada.id).await.unwrap().into_iter().map(|it| it.verdict).collect();
    assert_eq!(verdicts, ["advance", "hold"]);
    assert_eq!(
        database.indexed(&ada.id).await.unwrap().unwrap().beside.verdict.as_deref(),
        Some("advance")
    );
    let opening = ada.opening.unwrap();
    assert_eq!(database.opening_counts().await.unwrap()[&opening].to_decide, 0);
    let to_decide = Query { needs: Some(Needs::Decision), max: 9, ..Query::default() };
    assert_eq!(database.list(&to_decide).await.unwrap(), []);
    levels_are_given(database, &ada.id).await;
    database.add_note(&ada.id, "good", "Bo").await.unwrap();
    assert_eq!(database.notes(&ada.id).await.unwrap()[0].text, "good");
    let word = CandidateWord {
        kind: WordKind::Correction,
        turn: Some(3),
        stars: None,
        text: "Kafka".into(),
        at: 0,
    };
    let earlier = CandidateWord { text: "Coffee".into(), ..word.clone() };
    let other = CandidateWord { turn: Some(4), ..earlier.clone() };
    for word in [&earlier, &other, &word] {
        database.add_candidate_word(&ada.id, word).await.unwrap();
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let words = database.candidate_words(&ada.id).await.unwrap();
    let said = |words: &[CandidateWord]| {
        words.iter().map(|it| (it.turn, it.text.clone())).collect::<Vec<_>>()
    };
    let expected = [(Some(4), "Coffee".to_owned()), (Some(3), "Kafka".to_owned())];
    assert_eq!(said(&words), expected, "the last of each turn");
    let asked = CandidateWord { kind: WordKind::Deletion, turn: None, text: String::new(), ..word };
    let mut times = Vec::new();
    for _ in 0..2 {
        database.add_candidate_word(&ada.id, &asked).await.unwrap();
        tokio::time::sleep(Duration::from_millis(2)).await;
        let words = database.candidate_words(&ada.id).await.unwrap();
        times.push(
            words.iter().filter(|it| it.kind == WordKind::Deletion).map(|it| it.at).collect(),
        );
    }
    let [first, second]: [Vec<i64>; 2] = times.try_into().unwrap();
    assert_eq!((first.len(), &second), (1, &first), "asked for once");
    for (what, characters, is_kept) in
        [("left", None, true), ("pasted", Some(40), true), ("left", None, false)]
    {
        let kept = database.note_integrity(&ada.id, what, characters, 2).await.unwrap();
        assert_eq!(kept, is_kept, "two are the most");
    }
    let noted = database.integrity(&ada.id).await.unwrap();
    let mut facts: Vec<_> =
        noted.iter().map(|noted| (noted.what.as_str(), noted.characters)).collect();
    facts.sort_unstable();
    assert_eq!(facts, [("left", None), ("pasted", Some(40))]);
}

async fn levels_are_given(database: &Database, interview: &str) {
    for (level, given_by) in [(2, "Bo"), (4, "Cy")] {
        let criterion = "Owns it".to_owned();
        let given = PersonsLevel { criterion, level, given_by: given_by.to_owned() };
        database.give_level(interview, &given).await.unwrap();
        assert_eq!(database.levels(interview).await.unwrap(), [given], "the last one counts");
    }
    database.take_level_back(interview, "Something else").await.unwrap();
    assert_eq!(database.levels(interview).await.unwrap().len(), 1);
}

fn message(event: &str, cause: &str, interview: &str) -> Message {
    Message {
        event: event.into(),
        cause: cause.into(),
        interview: interview.into(),
        body: "{}".into(),
        tells_partner: event == "interview.finished",
    }
}

/// Messages are kept for whoever wants them, once; one process takes each; what was tried is logged.
async fn messages_are_kept(one: &Database, other: &Database) {
    assert!(!one.tells_anybody().await.unwrap(), "nobody wants to know");
    let url = "https://x.example/hooks";
    let hook =
        one.make_webhook(url, "interview.invited decision.made", "whsec_AA==").await.unwrap();
    assert_eq!(one.webhook(&hook.id).await.unwrap(), Some(hook.clone()));
    assert_eq!(one.webhooks().await.unwrap(), std::slice::from_ref(&hook));
    assert!(!format!("{hook:?}").contains("whsec_"));
    assert!(one.tells_anybody().await.unwrap());
    let told = message("interview.invited", "1", "i1");
    tokio::join!(async { one.tell(&told).await.unwrap() }, async {
        other.tell(&told).await.unwrap()
    });
    one.tell(&message("interview.started", "1", "i1")).await.unwrap();
    let due = one.due(9).await.unwrap();
    assert_eq!(due.len(), 1, "what is wanted, once: {due:?}");
    assert_eq!((due[0].event.as_str(), due[0].interview.as_str()), ("interview.invited", "i1"));
    assert!(due[0].id.starts_with("msg_"), "{due:?}");
    let (a, b) =
        tokio::join!(one.take_delivery(&due[0], 60_000), other.take_delivery(&due[0], 60_000));
    assert_eq!(u8::from(a.unwrap()) + u8::from(b.unwrap()), 1, "one takes it");
    assert_eq!(one.due(9).await.unwrap(), [], "it is taken");
    let id = &due[0].id;
    let tried = |status| Try { delivery: id.clone(), at: now(), status, answer: "é\n".into() };
    one.tried(&tried(None), DeliveryState::Waiting, Some(-1)).await.unwrap();
    let again = one.due(9).await.unwrap();
    assert_eq!((again[0].tries, again[0].id.as_str()), (1, id.as_str()));
    one.postpone(id, 60_000).await.unwrap();
    assert_eq!(one.due(9).await.unwrap(), []);
    one.tried(&tried(Some(204)), DeliveryState::Delivered, None).await.unwrap();
    let log = one.deliveries(&hook.id, 9).await.unwrap();
    assert_eq!((log[0].state, log[0].next_at, log[0].tries), (DeliveryState::Delivered, None, 2));
    let mut statuses: Vec<_> =
        one.tries(&hook.id, 9).await.unwrap().into_iter().map(|one| one.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [None, Some(204)]);
    assert!(one.send_again(&hook.id, id).await.unwrap());
    assert!(!one.send_again(PARTNER, id).await.unwrap(), "not of this one");
    assert_eq!(one.due(9).await.unwrap().len(), 1);
    one.change_webhook(&hook.id, "decision.made", true).await.unwrap();
    assert_eq!(one.due(9).await.unwrap(), [], "disabled");
    assert!(!one.tells_anybody().await.unwrap());
    one.change_webhook(&hook.id, "decision.made", false).await.unwrap();
    one.tell_one(&hook.id, &message("webhook.test", "2", "")).await.unwrap();
    assert_eq!(one.due(9).await.unwrap().len(), 2, "whatever it wants");
    one.forget_deliveries(0).await.unwrap();
    assert_eq!(one.deliveries(&hook.id, 9).await.unwrap().len(), 2, "none is so old");
    one.forget_deliveries(i64::MAX).await.unwrap();
    assert_eq!(one.deliveries(&hook.id, 9).await.unwrap(), []);
    one.tell_one(&hook.id, &message("webhook.test", "3", "")).await.unwrap();
    assert!(one.remove_webhook(&hook.id).await.unwrap());
    assert!(!one.remove_webhook(&hook.id).await.unwrap());
    assert_eq!(one.due(9).await.unwrap(), [], "gone with it");
    // Some stay, for the dump.
    let hook = one.make_webhook(url, "interview.finished", "whsec_AA==").await.unwrap();
    one.tell_one(&hook.id, &message("webhook.test", "4", "")).await.unwrap();
    let left = one.due(9).await.unwrap();
    let tried = Try { delivery: left[0].id.clone(), at: 1, status: None, answer: String::new() };
    one.tried(&tried, DeliveryState::Failed, None).await.unwrap();
}

async fn ada(database: &Database) -> Indexed {
    let query = Query { search: "ada".into(), max: 1, ..Query::default() };
    database.list(&query).await.unwrap().remove(0)
}

/// A link works by its token alone, is counted, and is taken back once.
async fn shares_end(database: &Database) {
    let id = ada(database).await.id;
    let (share, token) = database.make_share(&id, true, "Bo", 60_000).await.unwrap();
    assert_eq!(share.expires_at, share.made_at + 60_000);
    assert_eq!(database.share(&token).await.unwrap(), Some(share.clone()));
    assert_eq!(database.share(&new_token()).await.unwrap(), None);
    database.share_viewed(&share.id).await.unwrap();
    database.share_viewed(&share.id).await.unwrap();
    let seen = database.shares(&id).await.unwrap().remove(0);
    assert_eq!(seen.views, 2);
    assert!(seen.viewed_at.is_some() && seen.revoked_at.is_none());
    assert!(!database.revoke_share("other", &share.id).await.unwrap(), "of another interview");
    assert!(database.revoke_share(&id, &share.id).await.unwrap());
    assert!(!database.revoke_share(&id, &share.id).await.unwrap(), "once");
    assert!(database.share(&token).await.unwrap().unwrap().revoked_at.is_some());
    assert!(!database.dump().await.unwrap().contains(&token), "kept as a hash only");
}

/// An order is one interview; when that is over a message goes to the order's address.
async fn partners_order_once(database: &Database) {
    let interview = ada(database).await;
    let (id, url) = (interview.id.as_str(), "https://ats.example/1");
    assert_eq!(database.partner_test(url).await.unwrap(), None);
    assert!(!database.is_partner_test(id).await.unwrap());
    assert!(database.add_partner_test(id, url).await.unwrap());
    assert_eq!(database.partner_test(url).await.unwrap().as_deref(), Some(id));
    assert!(database.is_partner_test(id).await.unwrap());
    let bo = Query { search: "bo_b".into(), max: 1, ..Query::default() };
    let bo = database.list(&bo).await.unwrap().remove(0);
    assert!(!database.add_partner_test(&bo.id, url).await.unwrap(), "it is somebody's");
    let told = [message("interview.started", "5", id), message("interview.finished", "5", id)];
    database.index_telling(&interview, &told).await.unwrap();
    database.index_telling(&interview, &told).await.unwrap();
    let sent = database.deliveries(PARTNER, 9).await.unwrap();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!((sent[0].url.as_str(), sent[0].event.as_str()), (url, "interview.finished"));
}

/// An interview of its own, which nobody has come to.
async fn invited(database: &Database, name: &str, expires_at: i64) -> String {
    let row = Indexed { expires_at: Some(expires_at), ..indexed(name, State::Invited, now()) };
    database.index(&row).await.unwrap();
    row.id
}

async fn appointments_count_their_changes(database: &Database) {
    let id = invited(database, "Eve", now() + 1_000).await;
    assert_eq!(database.appointment(&id).await.unwrap(), None);
    assert!(!database.take_back_appointment(&id).await.unwrap(), "there is none");
    for (at, is_new) in [(5, true), (5, false), (6, true)] {
        assert_eq!(database.set_appointment(&id, at, "Europe/Rome").await.unwrap(), is_new);
    }
    let seen = async || database.indexed(&id).await.unwrap().unwrap().beside.appointment;
    assert_eq!(seen().await, Some(6));
    assert!(database.take_back_appointment(&id).await.unwrap());
    assert!(!database.take_back_appointment(&id).await.unwrap(), "only once");
    assert_eq!(seen().await, None);
    let known = database.appointment(&id).await.unwrap().unwrap();
    assert_eq!((known.at, known.sequence, known.taken_back), (6, 2, true));
    assert!(database.set_appointment(&id, 6, "Europe/Rome").await.unwrap(), "the same time again");
    let known = database.appointment(&id).await.unwrap().unwrap();
    assert_eq!((known.sequence, known.taken_back), (3, false));
    database.unindex(&id).await.unwrap();
    assert_eq!(database.appointment(&id).await.unwrap(), None);
}

async fn mails_are_sent_by_one(one: &Database, other: &Database) {
    let id = invited(one, "Fay", now() + 1_000).await;
    let new = |kind| NewMail { interview: &id, kind, zone: "UTC", about_at: None };
    let kinds = async || {
        let mails = one.mails(&id).await.unwrap();
        mails.into_iter().map(|mail| (mail.kind, mail.state)).collect::<Vec<_>>()
    };
    one.queue_mail(new(MailKind::Moved)).await.unwrap();
    one.queue_mail(new(MailKind::CalledOff)).await.unwrap();
    assert_eq!(kinds().await, [(MailKind::CalledOff, MailState::Waiting)], "the opposite");
    one.queue_mail(new(MailKind::Invitation)).await.unwrap();
    assert_eq!(kinds().await, [(MailKind::Invitation, MailState::Waiting)], "it tells all");
    let until = now() + 60_000;
    let (a, b) = tokio::join!(one.take_mail(until), other.take_mail(until));
    let taken: Vec<_> = [a.unwrap(), b.unwrap()].into_iter().flatten().collect();
    let [mail] = &taken[..] else { panic!("{taken:?}") };
    assert_eq!((mail.tries, mail.due_at), (1, until));
    assert_eq!(one.take_mail(until).await.unwrap(), None, "it is tried already");
    assert_eq!(one.next_mail_at().await.unwrap(), Some(until));
    one.put_mail_off(&mail.id, 0, "The mail server put it off (450).").await.unwrap();
    let mail = one.take_mail(until).await.unwrap().unwrap();
    assert_eq!((mail.tries, mail.problem.as_str()), (2, "The mail server put it off (450)."));
    one.mail_failed(&mail.id, "It was refused / for good.").await.unwrap();
    let brief = async || one.indexed(&id).await.unwrap().unwrap().beside.mail.unwrap();
    let failed = brief().await;
    assert_eq!((failed.kind, failed.state), (MailKind::Invitation, MailState::Failed));
    assert_eq!(failed.problem, "It was refused / for good.");
    one.queue_mail(new(MailKind::Invitation)).await.unwrap();
    let mail = one.take_mail(until).await.unwrap().unwrap();
    one.mail_sent(&mail.id).await.unwrap();
    assert_eq!((brief().await.state, brief().await.problem.as_str()), (MailState::Sent, ""));
    one.queue_mail(new(MailKind::Reminder)).await.unwrap();
    one.drop_waiting_mails(&id).await.unwrap();
    assert_eq!(kinds().await.len(), 2, "what was sent or failed stays");
    one.unindex(&id).await.unwrap();
    assert_eq!(kinds().await, []);
}

async fn who_has_not_come_is_reminded_once(database: &Database) {
    const HOUR: i64 = 3_600_000;
    let (soon, later) = (now() + HOUR, now() + 9 * HOUR);
    let (id, other) = (invited(database, "Gil", soon).await, invited(database, "Hal", soon).await);
    let new = |interview, kind, about_at| NewMail { interview, kind, zone: "UTC", about_at };
    let due = async |before| {
        let due = database.to_remind(before).await.unwrap();
        due.into_iter().map(|due| (due.interview, due.about_at)).collect::<Vec<_>>()
    };
    for interview in [&id, &other] {
        database.queue_mail(new(interview, MailKind::Invitation, None)).await.unwrap();
    }
    assert_eq!(due(2 * HOUR).await, [], "nothing was sent yet");
    let mail = database.mails(&id).await.unwrap().remove(0);
    database.mail_sent(&mail.id).await.unwrap();
    assert_eq!(due(2 * HOUR).await, [], "the invitation itself was later than that");
    let sent = sqlx::query("UPDATE mails SET done_at = $1 WHERE id = $2");
    let sent = sent.bind(now() - 5 * HOUR).bind(&mail.id);
    sent.execute(database.pool().await.unwrap()).await.unwrap();
    assert_eq!(due(HOUR / 2).await, [], "not yet");
    assert_eq!(due(2 * HOUR).await, [(id.clone(), soon)]);
    database.queue_mail(new(&id, MailKind::Reminder, Some(soon))).await.unwrap();
    assert_eq!(due(2 * HOUR).await, [], "once");
    database.set_appointment(&id, later, "UTC").await.unwrap();
    assert_eq!(due(2 * HOUR).await, [], "the appointment counts");
    assert_eq!(due(10 * HOUR).await, [(id.clone(), later)]);
    database.unindex(&id).await.unwrap();
    database.unindex(&other).await.unwrap();
}

async fn a_technical_end_uses_no_attempt_up(database: &Database) {
    let opening = database.make_opening(r#"{"attempts": 3}"#.into()).await.unwrap();
    let mut ids = Vec::new();
    let states =
        [State::Failed, State::Completed, State::Expired, State::Abandoned, State::Invited];
    for (at, state) in (1..).zip(states) {
        let opening = Some(opening.id.clone());
        let row = Indexed { opening, ..indexed("Ida", state, at) };
        database.index(&row).await.unwrap();
        ids.push(row.id);
    }
    let alone = database.indexed(&ids[1]).await.unwrap().unwrap().beside.attempt;
    assert_eq!((alone.candidate, alone.number, alone.of), (ids[1].clone(), 1, 3));
    for id in &ids[1..] {
        database.same_candidate(&ids[0], id).await.unwrap();
    }
    let mut numbers = Vec::new();
    for id in &ids {
        let attempt = database.indexed(id).await.unwrap().unwrap().beside.attempt;
        assert_eq!((attempt.candidate, attempt.of), (ids[0].clone(), 3));
        numbers.push(attempt.number);
    }
    assert_eq!(numbers, [1, 1, 2, 2, 3]);
    let so_far = database.attempts_so_far(&ids[0]).await.unwrap();
    assert_eq!(so_far, AttemptsSoFar { used: 2, open: 1 });
    let none = database.attempts_so_far("none").await.unwrap();
    assert_eq!(none, AttemptsSoFar { used: 0, open: 0 });
    let saved = database.save_opening(&opening.id, 1, r#"{"attempts": 99}"#.into()).await.unwrap();
    saved.unwrap();
    assert_eq!(database.indexed(&ids[0]).await.unwrap().unwrap().beside.attempt.of, 5);
    for id in &ids {
        database.unindex(id).await.unwrap();
    }
}

async fn sign_ins_come_back_once(one: &Database, other: &Database) {
    let begun = BegunSignIn { nonce: "n".into(), verifier: "v".into(), is_fresh: true };
    assert!(one.begin_sign_in("state", &begun, 60_000).await.unwrap());
    assert!(one.begin_sign_in("late", &begun, -1).await.unwrap());
    assert_eq!(one.take_sign_in("late").await.unwrap(), None, "its time is over");
    assert_eq!(one.take_sign_in("other").await.unwrap(), None);
    let (a, b) = tokio::join!(one.take_sign_in("state"), other.take_sign_in("state"));
    let taken: Vec<_> = [a.unwrap(), b.unwrap()].into_iter().flatten().collect();
    assert_eq!(taken, [begun], "once");
}

async fn accounts_are_linked_by_subject(database: &Database) {
    const ISSUER: &str = "https://accounts.example.org";
    let new = |email: &str| new_account(email, Role::Viewer);
    let made = database.make_linked_account(ISSUER, "1", new("jo@example.org")).await.unwrap();
    let made = made.unwrap();
    assert_eq!(database.account_of(ISSUER, "1").await.unwrap(), Some(made.clone()));
    assert_eq!(database.account_of("https://other.example", "1").await.unwrap(), None);
    for (subject, email) in [("1", "other@example.org"), ("2", "JO@example.org")] {
        let again = database.make_linked_account(ISSUER, subject, new(email)).await.unwrap();
        assert_eq!(again, None, "{subject} {email}");
        assert_eq!(
            database.account_by_email("other@example.org").await.unwrap(),
            None,
            "nothing is left"
        );
    }
    assert!(database.link_account(ISSUER, "3", &made.id).await.unwrap());
    assert!(!database.link_account(ISSUER, "3", &made.id).await.unwrap(), "they are linked");
    assert_eq!(database.account_of(ISSUER, "3").await.unwrap().unwrap().id, made.id);
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
    assert_eq!(database.integrity(&ada.id).await.unwrap(), []);
    assert_eq!(database.decisions(&ada.id).await.unwrap(), []);
    assert_eq!(database.levels(&ada.id).await.unwrap(), []);
    assert_eq!(database.shares(&ada.id).await.unwrap(), []);
    assert!(!database.is_partner_test(&ada.id).await.unwrap());
    database.deletion_done(&ada.id).await.unwrap();
    assert_eq!(database.deletions_to_do().await.unwrap(), [""; 0]);
    let receipt = database.receipt(&ada.id).await.unwrap().unwrap();
    assert_eq!((receipt.asked_by.as_str(), receipt.made_at), ("Bo", ada.made_at));
    assert!(receipt.done_at.is_some());
}

/// A PostgreSQL server of our own, in a folder that goes with it.
pub(super) struct Postgres {
    pub(super) url: String,
    server: Child,
    _folder: tempfile::TempDir,
}

impl Postgres {
    pub(super) fn start() -> Self {
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
        // No port, which somebody else could take: it is reached by a file in its folder.
        let mut start = program("postgres");
        start.arg("-D").arg(&data).args([
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
            "-p",
            "5432",
        ]);
        start.arg("-c").arg(format!("unix_socket_directories={}", folder.path().display()));
        let server = start.spawn().unwrap();
        let socket = folder.path().display();
        let url = format!("postgres://vivavoce@localhost:5432/postgres?host={socket}");
        let this = Self { url, server, _folder: folder };
        let is_ready = || {
            let state = std::fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
            state.lines().any(|line| line.trim() == "ready")
        };
        let deadline = crate::clock::instant() + START_LIMIT;
        while !is_ready() {
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
