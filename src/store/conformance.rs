//! What every [`JournalStore`] promises, as tests. A store proves it by calling [`keeps_its_promises`].

use std::{future::Future, sync::Arc};

use futures_util::future::join_all;

use super::{
    Consent, Hold, Holder, InterviewId, JournalStore, Launch, LeaseState, Projection, StoreError,
};
use crate::journal::Inputs;

/// How many try the same thing at once.
const AT_ONCE: usize = 8;

/// A store that is tested, and what happens to it.
pub(crate) trait Subject {
    /// The store, empty at first.
    fn store(&self) -> &Arc<dyn JournalStore>;

    /// Makes a lease as old as one of a worker that died.
    fn expire(&self, id: InterviewId) -> impl Future<Output = ()>;

    /// Leaves of a line what is left when the process dies while it writes it.
    fn tear(&self, id: InterviewId, line: &str) -> impl Future<Output = ()>;

    /// Leaves of a new interview what is left when the process dies while it makes it.
    fn die_creating(&self, id: InterviewId, inputs: &Inputs) -> impl Future<Output = ()>;
}

/// Fails with the first promise that the store breaks.
pub(crate) async fn keeps_its_promises(subject: &impl Subject) {
    what_is_created_is_there(subject).await;
    creation_is_all_or_nothing(subject).await;
    only_one_creates(subject).await;
    what_is_not_there_is_not_found(subject).await;
    consent_is_kept(subject).await;
    inputs_stand_once_there_is_a_journal(subject).await;
    lines_are_kept_in_their_order(subject).await;
    a_torn_line_is_none(subject).await;
    one_holds_an_interview(subject).await;
    an_expired_lease_is_taken_over_by_one(subject).await;
    what_is_given_up_is_found(subject).await;
    who_lost_the_lease_writes_no_more(subject).await;
    who_gave_it_back_writes_no_more(subject).await;
    projections_are_replaced_whole(subject).await;
    what_is_set_aside_makes_way(subject).await;
    a_launch_can_be_changed(subject).await;
    what_is_removed_is_gone(subject).await;
}

fn inputs(of: &str) -> Inputs {
    Inputs::new(of, vec![("blueprint.toml".into(), "x = 1".into())], Default::default())
}

fn launch() -> Launch {
    Launch {
        v: 1,
        token_hash: "0".repeat(64),
        launched_at: 5,
        expires_at: 6,
        title: "Interview".into(),
        interviewer: "Alba".into(),
        stages: Vec::new(),
        length_limit_s: 60,
        cancelled: false,
        mailed: Vec::new(),
    }
}

/// A new interview.
async fn made(subject: &impl Subject) -> InterviewId {
    let id = InterviewId::random();
    subject.store().create(id, &inputs("made"), Some(&launch())).await.unwrap();
    id
}

/// A new interview, held.
async fn held(subject: &impl Subject) -> Hold {
    let id = made(subject).await;
    Hold::take(subject.store(), id).await.unwrap()
}

/// Appends lines and waits until they are kept.
async fn append(hold: &Hold, lines: &[&str]) {
    let (journal, _) = hold.open_journal().await.unwrap();
    let receipts: Vec<_> = lines.iter().map(|line| journal.append(line).unwrap()).collect();
    for receipt in receipts {
        receipt.synced().await.unwrap();
    }
    journal.close().await;
}

async fn read(hold: &Hold) -> Option<String> {
    hold.store.read_journal(hold.id).await.unwrap()
}

fn is_lost<T: std::fmt::Debug>(done: Result<T, StoreError>) {
    assert!(matches!(done, Err(StoreError::Lost)), "{done:?}");
}

/// N04: what was created reads back the same, and is in the list, the newest first.
async fn what_is_created_is_there(subject: &impl Subject) {
    let store = subject.store();
    assert_eq!(store.list(9).await.unwrap(), []);
    let with_link = made(subject).await;
    let without = InterviewId::random();
    store.create(without, &inputs("other"), None).await.unwrap();
    assert_eq!(store.inputs(with_link).await.unwrap(), inputs("made"));
    assert_eq!(store.launch(with_link).await.unwrap(), Some(launch()));
    assert_eq!(store.inputs(without).await.unwrap(), inputs("other"));
    assert_eq!(store.launch(without).await.unwrap(), None);
    let listed = store.list(9).await.unwrap();
    let mut ids: Vec<_> = listed.iter().map(|one| one.id).collect();
    ids.sort();
    let mut both = [with_link, without];
    both.sort();
    assert_eq!(ids, both);
    assert!(listed.is_sorted_by_key(|one| std::cmp::Reverse(one.made_at)), "{listed:?}");
    assert_eq!(store.list(1).await.unwrap(), listed[..1]);
    assert_eq!(store.find(without).await.unwrap().id, without);
    let mut all = store.ids().await.unwrap();
    all.sort();
    assert_eq!(all, both);
    let hold = Hold::take(store, without).await.unwrap();
    append(&hold, &["one\n"]).await;
    let stamp = store.find(without).await.unwrap().journal;
    append(&hold, &["two\n"]).await;
    let after = store.find(without).await.unwrap().journal;
    assert!(stamp.is_some() && after != stamp, "{stamp:?} {after:?}");
}

/// N04: whoever dies while they create one leaves nothing that anybody finds, or that is in the way.
async fn creation_is_all_or_nothing(subject: &impl Subject) {
    let (store, id) = (subject.store(), InterviewId::random());
    let before = store.list(99).await.unwrap();
    subject.die_creating(id, &inputs("half")).await;
    assert_eq!(store.list(99).await.unwrap(), before);
    assert!(matches!(store.find(id).await, Err(StoreError::NotFound { .. })));
    store.create(id, &inputs("whole"), None).await.unwrap();
    assert_eq!(store.inputs(id).await.unwrap(), inputs("whole"));
}

/// N04: of all who create the same one, one does, and what they wrote stands.
async fn only_one_creates(subject: &impl Subject) {
    let (store, id) = (subject.store(), InterviewId::random());
    let of = |n: usize| inputs(&format!("of {n}"));
    let done = join_all((0..AT_ONCE).map(|n| store.create(id, &of(n), None))).await;
    let winners: Vec<_> = (0..AT_ONCE).filter(|n| done[*n].is_ok()).collect();
    let [winner] = winners[..] else { panic!("{done:?}") };
    let exists = |done: &&Result<(), _>| matches!(done, Err(StoreError::Exists { .. }));
    assert_eq!(done.iter().filter(exists).count(), AT_ONCE - 1, "{done:?}");
    assert_eq!(store.inputs(id).await.unwrap(), of(winner));
    let again = store.create(id, &inputs("late"), Some(&launch())).await;
    assert!(matches!(again, Err(StoreError::Exists { .. })), "{again:?}");
    assert_eq!(store.inputs(id).await.unwrap(), of(winner));
    assert_eq!(store.launch(id).await.unwrap(), None);
}

async fn what_is_not_there_is_not_found(subject: &impl Subject) {
    fn is_not_found<T: std::fmt::Debug>(done: Result<T, StoreError>) {
        assert!(matches!(done, Err(StoreError::NotFound { .. })), "{done:?}");
    }
    let (store, id) = (subject.store(), InterviewId::random());
    is_not_found(store.find(id).await);
    is_not_found(store.inputs(id).await);
    is_not_found(store.launch(id).await);
    is_not_found(store.consent(id).await);
    is_not_found(
        store
            .agree(id, &Consent { v: 1, take_part_at: 0, recording: true, accommodations: None })
            .await,
    );
    is_not_found(store.read_journal(id).await);
    is_not_found(store.read_projection(id, Projection::Record).await);
    is_not_found(store.lease_state(id).await);
    is_not_found(store.take_lease(id, &Holder::random()).await);
}

/// R10: the last word counts.
async fn consent_is_kept(subject: &impl Subject) {
    let (store, id) = (subject.store(), made(subject).await);
    assert_eq!(store.consent(id).await.unwrap(), None);
    for recording in [true, false] {
        let consent = Consent { v: 1, take_part_at: 7, recording, accommodations: None };
        store.agree(id, &consent).await.unwrap();
        assert_eq!(store.consent(id).await.unwrap(), Some(consent));
    }
}

/// N04, R10: inputs can be amended until a journal names them, which one without a whole line does not.
async fn inputs_stand_once_there_is_a_journal(subject: &impl Subject) {
    let hold = held(subject).await;
    subject.tear(hold.id, "torn").await;
    hold.amend(&inputs("amended")).await.unwrap();
    assert_eq!(hold.store.inputs(hold.id).await.unwrap(), inputs("amended"));
    assert_eq!(hold.store.launch(hold.id).await.unwrap(), Some(launch()), "it stays");
    append(&hold, &["one\n"]).await;
    let refused = hold.amend(&inputs("late")).await;
    assert!(matches!(refused, Err(StoreError::Exists { .. })), "{refused:?}");
    assert_eq!(hold.store.inputs(hold.id).await.unwrap(), inputs("amended"));
}

/// Lines come back in the order in which they were appended, also to whoever opens the journal
/// next.
async fn lines_are_kept_in_their_order(subject: &impl Subject) {
    let hold = held(subject).await;
    assert_eq!(read(&hold).await, None);
    let (journal, text) = hold.open_journal().await.unwrap();
    assert_eq!((text.as_str(), read(&hold).await), ("", None), "nothing has begun");
    let lines: Vec<_> = (0..200).map(|n| format!("{{\"n\":{n},\"text\":\"né\"}}\n")).collect();
    let receipts: Vec<_> = lines.iter().map(|line| journal.append(line).unwrap()).collect();
    for receipt in receipts {
        receipt.synced().await.unwrap();
    }
    assert_eq!(read(&hold).await, Some(lines.concat()), "kept is read, though it is open");
    journal.close().await;
    let (journal, text) = hold.open_journal().await.unwrap();
    assert_eq!(text, lines.concat());
    journal.append("last\n").unwrap().synced().await.unwrap();
    assert_eq!(read(&hold).await, Some(lines.concat() + "last\n"));
}

/// What is left of a line by a crash is read by nobody, and what is appended next is a line of
/// its own.
async fn a_torn_line_is_none(subject: &impl Subject) {
    let hold = held(subject).await;
    subject.tear(hold.id, "on").await;
    assert_eq!(read(&hold).await, None, "it has not begun");
    append(&hold, &["one\n", "two\n"]).await;
    subject.tear(hold.id, "thr").await;
    assert_eq!(read(&hold).await.as_deref(), Some("one\ntwo\n"));
    let (journal, text) = hold.open_journal().await.unwrap();
    assert_eq!(text, "one\ntwo\n");
    journal.append("four\n").unwrap().synced().await.unwrap();
    assert_eq!(read(&hold).await.as_deref(), Some("one\ntwo\nfour\n"));
}

/// W08: one holder at a time; given back, it is free again.
async fn one_holds_an_interview(subject: &impl Subject) {
    let (store, id) = (subject.store(), made(subject).await);
    assert_eq!(store.lease_state(id).await.unwrap(), LeaseState::Free);
    let takers: Vec<_> = (0..AT_ONCE).map(|_| Holder::random()).collect();
    let taken = join_all(takers.iter().map(|taker| store.take_lease(id, taker))).await;
    let is_held = |taken: &&Result<(), _>| matches!(taken, Err(StoreError::Held));
    assert_eq!(taken.iter().filter(is_held).count(), AT_ONCE - 1, "{taken:?}");
    let winner = taken.iter().position(Result::is_ok).expect("one has it");
    let (ours, theirs) = (&takers[winner], Holder::random());
    assert_eq!(store.lease_state(id).await.unwrap(), LeaseState::Held);
    is_lost(store.renew_lease(id, &theirs).await);
    store.release_lease(id, &theirs);
    assert_eq!(store.lease_state(id).await.unwrap(), LeaseState::Held, "it was not theirs");
    store.release_lease(id, ours);
    // It may take a moment.
    while store.take_lease(id, &theirs).await.is_err() {
        tokio::task::yield_now().await;
    }
    is_lost(store.renew_lease(id, ours).await);
}

/// W08: an expired lease can be renewed until somebody takes it, which one does.
async fn an_expired_lease_is_taken_over_by_one(subject: &impl Subject) {
    let (store, dead) = (subject.store(), held(subject).await);
    subject.expire(dead.id).await;
    assert_eq!(store.lease_state(dead.id).await.unwrap(), LeaseState::Expired);
    dead.renew().await.unwrap();
    assert_eq!(store.lease_state(dead.id).await.unwrap(), LeaseState::Held, "it is young again");
    assert!(matches!(Hold::take(store, dead.id).await, Err(StoreError::Held)));
    subject.expire(dead.id).await;
    let takers = join_all((0..AT_ONCE).map(|_| Hold::take(store, dead.id))).await;
    let taken = takers.iter().filter(|taker| taker.is_ok()).count();
    assert_eq!(taken, 1, "{takers:?}");
    assert_eq!(store.lease_state(dead.id).await.unwrap(), LeaseState::Held);
    is_lost(dead.renew().await);
    dead.release();
    assert_eq!(store.lease_state(dead.id).await.unwrap(), LeaseState::Held, "not theirs any more");
}

/// W07, W08: a lease that was given up is found with those of the dead, and taken as they are; one that is
/// held or free is not among them, and nobody gives up what is not theirs.
async fn what_is_given_up_is_found(subject: &impl Subject) {
    let (store, hold) = (subject.store(), held(subject).await);
    let is_found = async || store.expired().await.unwrap().contains(&hold.id);
    store.expire_lease(hold.id, &Holder::random());
    assert!(!is_found().await, "it is held");
    hold.expire();
    while store.lease_state(hold.id).await.unwrap() != LeaseState::Expired {
        tokio::task::yield_now().await;
    }
    assert!(is_found().await);
    let heir = Hold::take(store, hold.id).await.unwrap();
    assert!(!is_found().await);
    is_lost(hold.renew().await);
    hold.expire();
    assert_eq!(store.lease_state(hold.id).await.unwrap(), LeaseState::Held, "not theirs any more");
    heir.release();
    while store.lease_state(hold.id).await.unwrap() != LeaseState::Free {
        tokio::task::yield_now().await;
    }
    assert!(!is_found().await, "it is free");
}

/// W08: whoever was taken for dead and is not writes nothing behind the back of whoever took over, who
/// finds all that was kept.
async fn who_lost_the_lease_writes_no_more(subject: &impl Subject) {
    let dead = held(subject).await;
    let (theirs, _) = dead.open_journal().await.unwrap();
    theirs.append("one\n").unwrap().synced().await.unwrap();
    subject.expire(dead.id).await;
    theirs.append("two\n").unwrap().synced().await.expect("nobody has taken it");
    let heir = Hold::take(subject.store(), dead.id).await.unwrap();
    let (ours, text) = heir.open_journal().await.expect("though they have it open");
    assert_eq!(text, "one\ntwo\n");
    ours.append("three\n").unwrap().synced().await.unwrap();
    is_lost(theirs.append("late\n").unwrap().synced().await);
    is_lost(dead.open_journal().await.map(|(_, text)| text));
    is_lost(dead.write_projection(Projection::Record, "late".into()).await);
    is_lost(dead.amend(&inputs("late")).await);
    is_lost(dead.set_aside().await);
    ours.append("four\n").unwrap().synced().await.unwrap();
    assert_eq!(read(&heir).await.as_deref(), Some("one\ntwo\nthree\nfour\n"));
    let record = heir.store.read_projection(heir.id, Projection::Record).await;
    assert_eq!(record.unwrap(), None);
}

/// W08: a lease that was given back is nobody's, also if nobody else has taken it.
async fn who_gave_it_back_writes_no_more(subject: &impl Subject) {
    let hold = held(subject).await;
    let (journal, _) = hold.open_journal().await.unwrap();
    hold.release();
    while hold.store.lease_state(hold.id).await.unwrap() != LeaseState::Free {
        tokio::task::yield_now().await;
    }
    is_lost(hold.renew().await);
    is_lost(journal.append("late\n").unwrap().synced().await);
    is_lost(journal.append("later\n").unwrap().synced().await);
    assert_eq!(read(&hold).await, None);
}

/// N04: whoever reads a projection while it is replaced reads the old one or the new one.
async fn projections_are_replaced_whole(subject: &impl Subject) {
    let hold = held(subject).await;
    let (store, id) = (hold.store.clone(), hold.id);
    for which in Projection::ALL {
        assert_eq!(store.read_projection(id, which).await.unwrap(), None);
        hold.write_projection(which, format!("{which:?}")).await.unwrap();
    }
    for which in Projection::ALL {
        let written = store.read_projection(id, which).await.unwrap();
        assert_eq!(written, Some(format!("{which:?}")), "they are apart");
    }
    let texts = ["a".repeat(300_000), "b".repeat(100_000)];
    hold.write_projection(Projection::Record, texts[0].clone()).await.unwrap();
    let writes = async {
        for n in 1..20 {
            let text = texts[n % 2].clone();
            hold.write_projection(Projection::Record, text).await.unwrap();
        }
    };
    let reads = async {
        for _ in 0..100 {
            let text = store.read_projection(id, Projection::Record).await.unwrap().unwrap();
            assert!(texts.contains(&text), "{} bytes of {:?}…", text.len(), text.get(..1));
        }
    };
    tokio::join!(writes, reads);
}

/// C04: what nobody came to makes way for another beginning, twice if need be.
async fn what_is_set_aside_makes_way(subject: &impl Subject) {
    let hold = held(subject).await;
    assert!(hold.set_aside().await.is_err(), "there is nothing to set aside");
    for line in ["one\n", "two\n"] {
        append(&hold, &[line]).await;
        hold.write_projection(Projection::Transcript, line.to_owned()).await.unwrap();
        hold.set_aside().await.unwrap();
        assert_eq!(read(&hold).await, None);
        let transcript = hold.store.read_projection(hold.id, Projection::Transcript).await;
        assert_eq!(transcript.unwrap(), None);
        assert_eq!(hold.store.inputs(hold.id).await.unwrap(), inputs("made"));
    }
    assert!(hold.set_aside().await.is_err(), "there is nothing any more");
}

/// C04: a link is replaced as a whole; an interview that came without one gets none.
async fn a_launch_can_be_changed(subject: &impl Subject) {
    let (store, id) = (subject.store(), made(subject).await);
    let other = Launch { token_hash: "1".repeat(64), cancelled: true, ..launch() };
    store.relaunch(id, &other).await.unwrap();
    assert_eq!(store.launch(id).await.unwrap(), Some(other.clone()));
    assert_eq!(store.inputs(id).await.unwrap(), inputs("made"), "it stays");
    let without = InterviewId::random();
    store.create(without, &inputs("other"), None).await.unwrap();
    let refused = store.relaunch(without, &other).await;
    assert!(matches!(refused, Err(StoreError::Exists { .. })), "{refused:?}");
    assert_eq!(store.launch(without).await.unwrap(), None);
}

/// U08: what is removed is found by nobody, and its id is free; while somebody holds it, it is not removed.
async fn what_is_removed_is_gone(subject: &impl Subject) {
    let hold = held(subject).await;
    let (store, id) = (hold.store.clone(), hold.id);
    append(&hold, &["one\n"]).await;
    let refused = store.remove(id).await;
    assert!(matches!(refused, Err(StoreError::Held)), "{refused:?}");
    assert_eq!(read(&hold).await.as_deref(), Some("one\n"));
    hold.release();
    while store.lease_state(id).await.unwrap() != LeaseState::Free {
        tokio::task::yield_now().await;
    }
    store.remove(id).await.unwrap();
    assert!(matches!(store.find(id).await, Err(StoreError::NotFound { .. })));
    assert!(!store.ids().await.unwrap().contains(&id));
    assert!(matches!(store.remove(id).await, Err(StoreError::NotFound { .. })));
    store.create(id, &inputs("new"), None).await.unwrap();
    assert_eq!(store.read_journal(id).await.unwrap(), None);
}
