//! The audit trail and its chain, sessions, and receipts.

use super::*;
use crate::database::{About, Act, Actor, ActorKind, Chain, ChainFault, Deed, DeedQuery, noting};

const FIVE_MINUTES_MS: i64 = 5 * 60_000;

fn ada(act: Act, object: &str) -> Deed {
    let actor = Actor { kind: ActorKind::Person, id: "ada".into(), name: "Ada".into() };
    Deed { actor, act, object: object.into(), detail: String::new() }
}

async fn run(database: &Database, statement: &'static str, number: i64) {
    let query = sqlx::query(statement).bind(number);
    query.execute(database.pool().await.unwrap()).await.unwrap();
}

async fn newest(database: &Database) -> AuditRow {
    let asked = DeedQuery { max: 1, ..DeedQuery::default() };
    database.deeds(&asked).await.unwrap().remove(0).row
}

async fn whole(database: &Database) -> Chain {
    let chain = database.check_chain().await.unwrap();
    assert_eq!((chain.fault, chain.intact_up_to), (None, chain.head), "{chain:?}");
    chain
}

pub(super) async fn the_audit_trail_grows(database: &Database) {
    for object in ["1", "2", "3"] {
        database.audit(ada(Act::ChangedOpening, object)).await.unwrap();
    }
    let part = async |asked: DeedQuery| database.deeds(&asked).await.unwrap();
    let rows = part(DeedQuery { max: 2, ..DeedQuery::default() }).await;
    let objects =
        |rows: &[ListedDeed]| rows.iter().map(|it| it.row.object.clone()).collect::<Vec<_>>();
    assert_eq!(objects(&rows), ["3", "2"], "the newest first, also of one millisecond");
    let below = rows[1].row.number;
    assert_eq!(objects(&part(DeedQuery { below, ..DeedQuery::default() }).await)[0], "1");
    assert_eq!(part(DeedQuery { before: 0, ..DeedQuery::default() }).await, []);
}

/// Of many that two programs write at once each has a place of its own; a row that is changed, left out, put
/// between or cut off is found, and up to which row all is as it was.
pub(super) async fn deeds_are_chained(one: &Database, other: &Database) {
    let before = whole(one).await.head;
    let write = async |database: &Database| {
        for object in ["a", "b", "c", "d"] {
            database.audit(ada(Act::Decided, object)).await.unwrap();
        }
    };
    tokio::join!(write(one), write(other));
    assert_eq!(whole(one).await.head, before + 8);
    let (third, last) = (before + 3, before + 8);
    let found = async || {
        let chain = one.check_chain().await.unwrap();
        (chain.intact_up_to, chain.fault)
    };
    for (spoilt, mended) in [
        (
            "UPDATE audit SET detail = 'x' WHERE number = $1",
            "UPDATE audit SET detail = '' WHERE number = $1",
        ),
        (
            "UPDATE audit SET actor_id = 'bo' WHERE number = $1",
            "UPDATE audit SET actor_id = 'ada' WHERE number = $1",
        ),
        (
            "UPDATE audit SET at = at - 1 WHERE number = $1",
            "UPDATE audit SET at = at + 1 WHERE number = $1",
        ),
        (
            "UPDATE audit SET actor_kind = 'key' WHERE number = $1",
            "UPDATE audit SET actor_kind = 'person' WHERE number = $1",
        ),
    ] {
        run(one, spoilt, third).await;
        assert_eq!(found().await, (third - 1, Some(ChainFault::Changed)), "{spoilt}");
        run(one, mended, third).await;
        whole(one).await;
    }
    // As if they were not there.
    for (gone, intact) in [(third, third - 1), (last, last - 1)] {
        run(one, "UPDATE audit SET number = -$1 WHERE number = $1", gone).await;
        assert_eq!(found().await, (intact, Some(ChainFault::Missing)), "{gone}");
        run(one, "UPDATE audit SET number = $1 WHERE number = -$1", gone).await;
        whole(one).await;
    }
}

/// A change and its deed are both kept, or neither: whichever of the two fails.
pub(super) async fn deeds_are_written_with_what_is_done(database: &Database) {
    let head = whole(database).await.head;
    let made = database.recording([ada(Act::MadeKey, "")]);
    let (key, _) = made.make_key("ATS", Role::Viewer).await.unwrap();
    let row = newest(database).await;
    assert_eq!((row.act(), &row.object), (Some(Act::MadeKey), &key.id), "the id of what was made");
    assert_eq!((row.actor.kind, row.actor.id.as_str()), (ActorKind::Person, "ada"));
    // Half-way: the next place in the chain is taken.
    run(database, "UPDATE audit_head SET number = number - $1", 1).await;
    assert!(made.make_key("another", Role::Viewer).await.is_err());
    assert!(database.recording([ada(Act::RemovedKey, "")]).remove_key(&key.id).await.is_err());
    run(database, "UPDATE audit_head SET number = number + $1", 1).await;
    let names: Vec<_> = database.keys().await.unwrap().into_iter().map(|key| key.name).collect();
    assert_eq!(names, ["ATS"], "no key without its deed, and none is gone");
    assert!(!database.recording([ada(Act::RemovedKey, "")]).remove_key("none").await.unwrap());
    assert_eq!(whole(database).await.head, head + 1, "no deed without its change");
    let removing = database.recording([ada(Act::RemovedKey, "")]);
    let (removed, written) = noting(removing.remove_key(&key.id)).await;
    assert_eq!((removed.unwrap(), written), (true, vec![Act::RemovedKey]));
}

/// Whoever makes their own account is who it then is; two of one name are told apart, and found by who they
/// are.
pub(super) async fn deeds_are_found_by_who_did_them(database: &Database) {
    let deed = Deed::of_new_account(Act::CameFromElsewhere, "Ada", "viewer");
    let new = new_account("two@example.org", Role::Viewer);
    let made = database.recording([deed]).make_account(new).await.unwrap().unwrap();
    let actor = newest(database).await.actor;
    assert_eq!((actor.kind, &actor.id, actor.name.as_str()), (ActorKind::Person, &made.id, "Ada"));
    let of = async |actor: Actor| {
        let asked = DeedQuery { actor: Some(actor), ..DeedQuery::default() };
        database.deeds(&asked).await.unwrap()
    };
    let theirs = of(actor.clone()).await;
    assert_eq!(theirs.len(), 1, "not those of the other Ada");
    assert_eq!(theirs[0].about, Some(About::Account("Ada".into())), "by its name");
    let by_key = Actor { kind: ActorKind::Key, id: "ada".into(), name: "Ada".into() };
    assert_eq!(of(by_key).await, []);
    let all = database.actors().await.unwrap();
    assert!(
        all.contains(&actor) && all.iter().filter(|it| it.name == "Ada").count() == 2,
        "{all:?}"
    );
    let act = DeedQuery { act: Some(Act::CameFromElsewhere), ..DeedQuery::default() };
    assert_eq!(database.deeds(&act).await.unwrap().len(), 1);
    let at = theirs[0].row.at;
    let day = DeedQuery { from: at, before: at + 1, ..DeedQuery::default() };
    assert_eq!(database.deeds(&day).await.unwrap(), theirs);
}

/// The same within an hour is written once; another person, interview or detail is another one.
pub(super) async fn the_same_is_written_once_an_hour(database: &Database) {
    let head = whole(database).await.head;
    let read = async |object: &str| {
        database.audit_once_in(3_600_000, ada(Act::ReadReport, object)).await.unwrap();
    };
    for object in ["1", "1", "2", "1"] {
        read(object).await;
    }
    assert_eq!(whole(database).await.head, head + 2);
    let actor = Actor { id: "bo".into(), ..ada(Act::ReadReport, "1").actor };
    let his = Deed { actor, ..ada(Act::ReadReport, "1") };
    database.audit_once_in(3_600_000, his).await.unwrap();
    assert_eq!(whole(database).await.head, head + 3);
    database.audit_once_in(0, ada(Act::ReadReport, "1")).await.unwrap();
    assert_eq!(whole(database).await.head, head + 4, "again when the time is over");
}

/// Entries of an older program are taken into the chain when the database is opened, in the order of their
/// times.
pub(super) async fn old_entries_are_chained(database: &Database) {
    let head = whole(database).await.head;
    let pool = database.pool().await.unwrap();
    for (id, at, what) in
        [("old-2", 2_i64, "listened in"), ("old-1", 1, "decided"), ("old-3", 3, "danced")]
    {
        let query = "INSERT INTO audit (id, at, who, what, object, detail) \
                     VALUES ($1, $2, 'Ada', $3, 'x', '')";
        sqlx::query(query).bind(id).bind(at).bind(what).execute(pool).await.unwrap();
    }
    let again = Database { pool: Arc::default(), ..database.clone() };
    again.open().await.unwrap();
    assert_eq!(whole(database).await.head, head + 3);
    let asked = DeedQuery { max: 3, ..DeedQuery::default() };
    let rows = database.deeds(&asked).await.unwrap();
    let of: Vec<_> = rows.iter().map(|it| (it.row.id.as_str(), it.row.deed.as_str())).collect();
    assert_eq!(of, [("old-3", ""), ("old-2", "listened_in"), ("old-1", "decided")]);
    assert!(
        rows.iter().all(|it| it.row.actor.kind == ActorKind::Unknown && it.row.actor.name == "Ada")
    );
}

/// What is older than it may be goes, and the rest can be checked still; a beginning that somebody else has
/// cut off is found.
pub(super) async fn old_entries_go_and_the_rest_is_checked(database: &Database) {
    let before = whole(database).await;
    assert_eq!(database.forget_deeds(0).await.unwrap(), 0, "none is so old");
    assert_eq!(whole(database).await, before);
    let from = now();
    for object in ["5", "6"] {
        database.audit(ada(Act::Decided, object)).await.unwrap();
    }
    assert!(database.forget_deeds(from).await.unwrap() > 5);
    let chain = whole(database).await;
    assert_eq!((chain.first, chain.head), (Some(before.head + 1), before.head + 3));
    let anchor = newest(database).await;
    assert_eq!((anchor.act(), anchor.object), (Some(Act::ForgotDeeds), before.head.to_string()));
    // One more was cut off than the anchor says.
    let first = before.head + 1;
    run(database, "UPDATE audit SET number = -$1 WHERE number = $1", first).await;
    let found = database.check_chain().await.unwrap();
    assert_eq!((found.intact_up_to, found.fault), (0, Some(ChainFault::BeginningMissing)));
    run(database, "UPDATE audit SET number = $1 WHERE number = -$1", first).await;
    whole(database).await;
}

/// A new session ends the one that came with it, and no other; who one is has to be shown again after a time.
pub(super) async fn sessions_follow_one_another(database: &Database) {
    let account = database.make_account(new_account("dee@example.org", Role::Admin)).await;
    let id = account.unwrap().unwrap().id;
    let begin = async |ended: Option<&str>, is_confirmed| {
        database.begin_session_after(ended, &id, is_confirmed).await.unwrap()
    };
    let elsewhere = begin(None, true).await;
    let first = begin(None, true).await;
    let second = begin(Some(&first), false).await;
    assert!(database.session(&first).await.unwrap().is_none(), "the same browser's");
    assert!(database.session(&elsewhere).await.unwrap().is_some());
    assert!(database.session(&second).await.unwrap().is_some());
    let is_fresh = async |token: &str| database.is_confirmed(token, FIVE_MINUTES_MS).await.unwrap();
    assert_eq!((is_fresh(&elsewhere).await, is_fresh(&second).await), (true, false));
    database.confirm_session(&second).await.unwrap();
    assert!(is_fresh(&second).await);
    run(database, "UPDATE sessions SET confirmed_at = confirmed_at - $1", FIVE_MINUTES_MS + 1)
        .await;
    assert!(!is_fresh(&second).await, "after five minutes");
    assert!(!is_fresh("none").await);
}

/// A receipt says when the candidate asked, which was before somebody pressed, and is in the list.
pub(super) async fn receipts_say_when_the_candidate_asked(database: &Database) {
    let receipts = database.receipts(i64::MAX, 9).await.unwrap();
    let receipt = receipts.iter().find(|it| it.candidate_asked_at.is_some()).unwrap();
    assert!(receipt.candidate_asked_at.unwrap() < receipt.asked_at, "{receipt:?}");
    assert_eq!(receipt.asked_by, "Bo");
    assert_eq!(database.receipt(&receipt.interview).await.unwrap().as_ref(), Some(receipt));
    assert_eq!(database.receipts(receipt.asked_at, 9).await.unwrap().len(), receipts.len() - 1);
}
