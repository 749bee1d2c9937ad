//! A release: packed, signed and checked by `.ci/release`, as docs/release.md says.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap_or_else(|why| panic!("{program}: {why}"))
}

fn release(arguments: &[&str]) -> Output {
    run(".ci/release", arguments)
}

/// What it said when it was refused.
fn refused(arguments: &[&str]) -> String {
    let output = release(arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{arguments:?}: {said}");
    said
}

fn done(arguments: &[&str]) {
    let output = release(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Makes a key, and returns the line for a file of allowed signers.
fn make_key(path: &Path, who: &str) -> String {
    let made = run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-f", text(path)]);
    assert!(made.status.success(), "{made:?}");
    format!("{who} {}", fs::read_to_string(path.with_extension("pub")).unwrap())
}

/// What is packed twice is the same bytes, a signature holds, and whatever was changed since is refused.
#[test]
fn a_release_is_packed_signed_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (one, two, signers) = (at("one"), at("two"), at("signers"));
    for folder in [&one, &two] {
        // Any program will do, and a test's own has hundreds of megabytes.
        done(&["pack", text(folder), ".ci/release"]);
    }
    let sums = |folder: &Path| fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    assert_eq!(sums(&one), sums(&two));
    assert_eq!(sums(&one).lines().count(), 3, "archive and two lists: {}", sums(&one));

    fs::write(&signers, make_key(&at("ours"), "release@example.org")).unwrap();
    make_key(&at("theirs"), "somebody@example.org");
    let check = ["check", text(&one), text(&signers)];
    assert!(refused(&check).contains("not signed"));
    done(&["sign", text(&one), text(&at("theirs"))]);
    assert!(refused(&check).contains("of nobody"));
    done(&["sign", text(&one), text(&at("ours"))]);
    done(&check);

    fs::write(one.join("more"), "put beside").unwrap();
    assert!(refused(&check).contains("more is in"));
    fs::remove_file(one.join("more")).unwrap();
    let archive = sums(&one).lines().find_map(|line| {
        let (_, name) = line.split_once("  ")?;
        name.ends_with(".tar.gz").then(|| one.join(name))
    });
    let archive = archive.unwrap();
    let listed = run("tar", &["-tzf", text(&archive)]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    for name in ["/vivavoce\n", "/LICENSE\n", "/NOTICES.txt\n", "/config/default.toml\n"] {
        assert!(listed.contains(name), "{listed}");
    }
    let mut bytes = fs::read(&archive).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&archive, bytes).unwrap();
    assert!(refused(&check).contains("is not the one that was released"));
    assert!(
        refused(&["pack", text(&at("three")), text(&at("nothing"))]).contains("build it first")
    );
    assert!(refused(&[]).contains(".ci/release build FOLDER"));
}

/// The lists name what the program is linked from, each with its sum and licence, and nothing of tests alone.
#[test]
fn the_lists_name_what_is_in_the_program() {
    let list = |of: &str| -> serde_json::Value {
        let output = run(".ci/sbom", &[of]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let names = |list: &serde_json::Value| -> Vec<String> {
        let components = list["components"].as_array().unwrap().iter();
        components.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let crates = list("cargo");
    let there = names(&crates);
    for name in ["axum", "rten", "rustls", "sqlx", "str0m", "tokio"] {
        assert!(there.iter().any(|it| it == name), "{name} is missing");
    }
    for name in ["proptest", "tiktoken-rs", "rusty-fork"] {
        assert!(!there.iter().any(|it| it == name), "{name} is of tests alone");
    }
    for one in crates["components"].as_array().unwrap() {
        let sum = one["hashes"][0]["content"].as_str().unwrap();
        assert!(sum.len() == 64 && one["licenses"][0]["expression"].is_string(), "{one}");
    }
    let pages = names(&list("npm"));
    for name in ["livekit-client", "react"] {
        assert!(pages.iter().any(|it| it == name), "{name} is missing: {pages:?}");
    }
    assert!(!pages.iter().any(|it| it == "vitest"), "vitest is of tests alone");
}
