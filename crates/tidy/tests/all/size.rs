//! How large the parts of the source may be, and that nothing imports in a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use tidy::{
    circles::circles,
    size::{Oversize, figures, oversize},
    source::{Source, root, rust_files},
};

/// What is larger than it may be today. It may only shrink.
const RATCHET: &str = "crates/tidy/ratchet.toml";

/// STYLE 8: structs and lines are small, and files of a crate import one another in one direction only. What
/// was larger when the rule came may only shrink, and is taken from the list when it has: `BLESS=1` does so.
#[test]
fn nothing_grows() {
    let path = root().join(RATCHET);
    let sources = rust_files();
    let large = sources.iter().flat_map(oversize).map(entry);
    let found: BTreeMap<String, usize> = large.chain(in_circles(&sources)).collect();
    let listed = fs::read_to_string(&path).unwrap_or_default();
    let mut listed: BTreeMap<String, usize> = toml::from_str(&listed).unwrap();
    if std::env::var_os("BLESS").is_some() {
        listed = lowered(&found, &listed);
        let head = "# What is larger than it may be (see tests/all/size.rs). It may only shrink: \
            BLESS=1 takes out what has.\n";
        fs::write(&path, format!("{head}{}", toml::to_string(&listed).unwrap())).unwrap();
    }
    let wrong = differences(&found, &listed);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The list without what has shrunk since. What is new or larger is not taken into it, but into an empty one.
fn lowered(
    found: &BTreeMap<String, usize>,
    listed: &BTreeMap<String, usize>,
) -> BTreeMap<String, usize> {
    let least = |(name, size): (&String, &usize)| match listed.get(name) {
        Some(before) => Some((name.clone(), *size.min(before))),
        None => listed.is_empty().then(|| (name.clone(), *size)),
    };
    found.iter().filter_map(least).collect()
}

fn entry(oversize: Oversize) -> (String, usize) {
    (format!("{}: {}", oversize.kind, oversize.place), oversize.size)
}

/// What is new or larger, and what the list has too large.
fn differences(found: &BTreeMap<String, usize>, listed: &BTreeMap<String, usize>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, size) in found {
        match listed.get(name) {
            None => wrong.push(format!("{name} is too large: {size}")),
            Some(before) if size > before => {
                wrong.push(format!("{name} has grown from {before} to {size}"));
            }
            Some(before) if size < before => {
                wrong.push(format!("{name} has shrunk to {size}: BLESS=1 lowers the list"));
            }
            Some(_) => {}
        }
    }
    let gone = listed.keys().filter(|name| !found.contains_key(*name));
    wrong.extend(gone.map(|name| format!("{name} is small now: BLESS=1 takes it from the list")));
    wrong
}

/// The rule sees what is too large, and a list that is not true.
#[test]
fn what_is_too_large_is_noticed() {
    let bad = |text: &str| oversize(&Source::new("src/x.rs", text));
    let fields = |count: usize, of: &str| {
        let fields: String = (0..count).map(|n| format!("f{n}: {of},\n")).collect();
        format!("struct X {{ {fields} }}")
    };
    assert!(bad(&fields(12, "u8")).is_empty());
    assert_eq!(bad(&fields(13, "u8"))[0].kind, "fields");
    // The limit of one struct is its own.
    let in_machine = |count: usize, name: &str| {
        let text = fields(count, "u8").replace("struct X", &format!("struct {name}"));
        oversize(&Source::new("crates/interview/src/interview/machine.rs", &text))
    };
    assert!(in_machine(14, "Interview").is_empty());
    assert_eq!(in_machine(15, "Interview")[0].kind, "fields");
    assert_eq!(in_machine(14, "Other")[0].kind, "fields");
    assert!(bad(&fields(2, "bool")).is_empty());
    assert_eq!(bad(&fields(3, "bool"))[0].kind, "bools");
    assert_eq!(bad(&fields(3, "Option<bool>"))[0].kind, "bools");
    // What others read or write has the fields that they agreed on.
    assert!(bad(&format!("#[derive(Serialize)] {}", fields(3, "bool"))).is_empty());
    assert!(bad(&format!("#[cfg(test)] mod tests {{ {} }}", fields(20, "bool"))).is_empty());
    assert!(bad(&format!("// {}", "x".repeat(107))).is_empty());
    assert_eq!(bad(&format!("// {}", "x".repeat(108)))[0].kind, "long lines");

    let list = |entries: &[(&str, usize)]| -> BTreeMap<String, usize> {
        entries.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect()
    };
    let listed = list(&[("a", 13), ("b", 14)]);
    assert!(differences(&listed, &listed).is_empty());
    for found in [
        &[("a", 13)][..],
        &[("a", 13), ("b", 15)],
        &[("a", 12), ("b", 14)],
        &[("a", 13), ("b", 14), ("c", 13)],
    ] {
        assert_eq!(differences(&list(found), &listed).len(), 1, "{found:?}");
    }
    // Lowering the list mends what has shrunk, and hides nothing that has grown.
    let left = |found: &[(&str, usize)]| {
        let found = list(found);
        differences(&found, &lowered(&found, &listed)).len()
    };
    assert_eq!(left(&[("a", 12)]), 0);
    assert_eq!(left(&[("a", 12), ("b", 15), ("c", 13)]), 2);
}

/// How many files of each crate stand in import circles.
fn in_circles(sources: &[Source]) -> Vec<(String, usize)> {
    let packages: BTreeSet<&str> = sources.iter().map(|source| source.package.as_str()).collect();
    let count = |package: &str| {
        let is_ours = |source: &&Source| source.package == package && source.is_library;
        let ours: Vec<&Source> = sources.iter().filter(is_ours).collect();
        circles(&ours).iter().map(|circle| circle.0.len()).sum()
    };
    let counted = packages
        .into_iter()
        .map(|package| (format!("files in circles: {package}"), count(package)));
    counted.filter(|(_, count)| *count > 0).collect()
}

/// The rule finds circles of two and of three files, also over names that are handed on, and none where there
/// is none.
#[test]
fn circles_are_noticed() {
    let found = |files: &[(&str, &str)]| {
        let sources: Vec<Source> =
            files.iter().map(|(path, text)| Source::new(path, text)).collect();
        circles(&sources.iter().collect::<Vec<_>>())
            .iter()
            .map(|circle| circle.0.len())
            .collect::<Vec<_>>()
    };
    let (a, b) = (("src/a.rs", "use crate::b::B; struct A;"), ("src/b.rs", "struct B;"));
    assert!(found(&[a, b]).is_empty());
    assert_eq!(found(&[a, ("src/b.rs", "use super::a::A;")]), [2]);
    assert_eq!(found(&[a, ("src/b.rs", "fn f() { crate::a::f() }")]), [2]);
    assert_eq!(
        found(&[a, ("src/b.rs", "use crate::c::C;"), ("src/c.rs", "use crate::a::A;")]),
        [3]
    );
    // A parent that hands a child's name on is no file that the other depends on.
    let parent = ("src/p/mod.rs", "mod a; mod b; pub use a::A;");
    let handed = [parent, ("src/p/a.rs", "struct A;"), ("src/p/b.rs", "use super::A;")];
    assert!(found(&handed).is_empty());
    let circle = [parent, ("src/p/a.rs", "use super::b::B;"), ("src/p/b.rs", "use crate::p::A;")];
    assert_eq!(found(&circle), [2]);
    // A folder is one thought.
    assert!(
        found(&[("src/p/mod.rs", "mod a; use a::A;"), ("src/p/a.rs", "use super::P;")]).is_empty()
    );
    // Tests may look at everything.
    assert!(found(&[a, ("src/b.rs", "#[cfg(test)] mod tests { use crate::a::A; }")]).is_empty());
}

/// Prints the figures: `cargo test -p vivavoce-tidy figures -- --nocapture`.
#[test]
fn figures_are_printed() {
    let sources = rust_files();
    let text = figures(&sources);
    eprintln!("{text}");
    for package in sources.iter().map(|source| &source.package).collect::<BTreeSet<_>>() {
        let is_ours = |source: &&Source| source.package == *package && source.is_library;
        let ours: Vec<&Source> = sources.iter().filter(is_ours).collect();
        circles(&ours)
            .iter()
            .for_each(|circle| eprintln!("a circle in {package}: {:#?}", circle.0));
    }
    assert!(text.starts_with("files: median "), "{text}");
}
