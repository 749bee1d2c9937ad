//! `vivavoce backup` and `vivavoce restore` as a user runs them, and a data folder of an older program.

use std::{fs, path::Path, process::Output};

use vivavoce::database::{Database, Query, Role, State};
use vivavoce::store::FileStore;

use crate::{
    cli::{text, vivavoce},
    interview::launch,
    web::TestWeb,
};

fn run(command: &str, file: &Path, data: &Path) -> Output {
    vivavoce(&[command, file.to_str().unwrap()], &[("VIVAVOCE_DATA", data.to_str().unwrap())])
}

/// N04: everything comes back from a backup: interviews, accounts, what was decided; nothing that is
/// there is replaced.
#[tokio::test]
async fn a_backup_brings_everything_back() {
    let (from, to) = (TestWeb::new(), tempfile::tempdir().unwrap());
    from.launch().await;
    from.database.make_key("ATS", Role::Viewer).await.unwrap();
    let folder = from.folder();
    fs::write(folder.path().join("recording.ogg"), vec![7; 100_000]).unwrap();
    let file = to.path().join("all.tar.gz");
    let done = run("backup", &file, from.data.path());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let again = run("backup", &file, from.data.path());
    assert!(
        !again.status.success() && text(&again.stderr).contains("all.tar.gz"),
        "it replaces no file"
    );

    let data = to.path().join("data");
    let done = run("restore", &file, &data);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let restored = FileStore::open(&data).unwrap().folder(folder.id()).unwrap();
    assert_eq!(restored.inputs().unwrap(), folder.inputs().unwrap());
    assert_eq!(fs::read(restored.path().join("recording.ogg")).unwrap().len(), 100_000);
    let database = Database::new("", &data);
    assert!(
        database
            .keys()
            .await
            .unwrap()
            .iter()
            .any(|key| key.name == "ATS" && key.role == Role::Viewer)
    );
    assert_eq!(database.indexed_ids().await.unwrap(), [folder.id().to_string()]);
    let again = run("restore", &file, &data);
    assert!(
        !again.status.success() && text(&again.stderr).contains("is not empty"),
        "{}",
        text(&again.stderr)
    );
    let mode = std::os::unix::fs::MetadataExt::mode(
        &fs::metadata(restored.path().join("inputs.json")).unwrap(),
    );
    assert_eq!(mode & 0o077, 0, "nobody else on this machine reads it");
}

/// A file that is no backup is one sentence, and nothing is left of it.
#[test]
fn what_is_no_backup_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, data) = (folder.path().join("all.tar.gz"), folder.path().join("data"));
    for content in [&b"no archive"[..], &[]] {
        fs::write(&file, content).unwrap();
        let done = run("restore", &file, &data);
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
        assert_eq!(text(&done.stderr).lines().count(), 1, "{}", text(&done.stderr));
        let left: Vec<_> = fs::read_dir(&data).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// N04: interviews that a program without a database has kept are in the list from the first start on,
/// none lost, and none twice.
#[tokio::test]
async fn interviews_of_an_older_program_are_taken_over() {
    let web = TestWeb::new();
    let store = FileStore::open(web.data.path()).unwrap();
    let (one, two) = (launch(&store, "mock-interview"), launch(&store, "two-stage"));
    let ended = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(JOURNAL)).unwrap();
    fs::write(two.path().join("journal.jsonl"), ended).unwrap();
    for _ in 0..2 {
        assert_eq!(web.get("/api/interviews").await.1["total"], 2);
    }
    let query = Query { max: 9, ..Query::default() };
    let rows = web.database.list(&query).await.unwrap();
    let state = |id: String| rows.iter().find(|row| row.id == id).unwrap().state;
    // The links of tests were over long ago.
    assert!(matches!(state(one.id().to_string()), State::Expired | State::Invited));
    assert_eq!(state(two.id().to_string()), State::Completed);
}

/// A journal that an older program has written.
const JOURNAL: &str = "crates/interview/tests/journals/room-two-stage/journal.jsonl";
