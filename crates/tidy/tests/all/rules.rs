//! Properties of the source itself, held on its syntax tree. Each rule is shown to be able to fail.

use std::{collections::BTreeSet, path::Path};

use tidy::source::{Fact, Source, What, root, rust_files, text_files};

/// Areas that know no outside world: no I/O, no clock, no randomness, no async, no hash order. An area is a
/// crate, or a module of `vivavoce`.
const PURE: &[&str] = &["interview", "language"];

/// Which module of `vivavoce` may be used by which: the table of `src/ARCHITECTURE.md`. `*` is every module.
/// What is in crates of their own needs no row there: Cargo knows who depends on whom.
const USED_BY: &[(&str, &[&str])] = &[
    ("config", &["session", "telemetry", "app", "main"]),
    ("telemetry", &["*"]),
    ("assessor", &["web"]),
    ("coach", &["web"]),
    ("sound_check", &["web", "app"]),
    ("database", &["web", "app"]),
    ("mail", &["web", "app"]),
    ("oidc", &["web", "app"]),
    ("planning", &["web", "app"]),
    ("reading", &["web", "app", "main"]),
    ("recording", &["session", "app"]),
    ("session", &["app"]),
    ("store", &["coach", "assessor", "database", "planning", "session", "usage", "web", "app"]),
    ("web", &["app"]),
    ("writing", &["coach", "assessor", "planning"]),
    ("usage", &["coach", "assessor", "session", "web", "app"]),
    ("app", &["main"]),
];
/// The modules that other crates bring, by the names that `src/lib.rs` gives them, and who may use them.
const OF_CRATES: &[(&str, &[&str])] = &[
    ("assess", &["coach", "assessor", "web"]),
    ("audio", &["sound_check", "recording", "session", "app"]),
    (
        "blueprint",
        &["coach", "assessor", "mail", "planning", "session", "usage", "web", "writing", "app"],
    ),
    ("clock", &["*"]),
    ("codec", &["sound_check", "recording", "session", "app"]),
    ("interview", &["planning", "session", "store", "writing", "app"]),
    ("journal", &["database", "session", "store", "usage", "web", "app"]),
    ("judge", &["session", "writing", "app"]),
    ("listen", &["session", "app"]),
    (
        "providers",
        &[
            "sound_check",
            "coach",
            "assessor",
            "config",
            "planning",
            "web",
            "writing",
            "usage",
            "session",
            "app",
        ],
    ),
    ("scripted", &["app"]),
    ("settings", &["config", "web"]),
    ("sim", &["app"]),
    ("speak", &["session", "app"]),
    ("summary", &["planning", "web"]),
    ("time", &["*"]),
];
/// What each crate of the workspace may depend on: data flows downstream only.
const CRATES: &[(&str, &[&str])] = &[
    ("audio", &["interview"]),
    ("documents", &[]),
    ("interview", &["language"]),
    ("language", &[]),
    ("speech", &["audio", "interview", "language", "voiceroom"]),
    ("tidy", &[]),
    ("voiceroom", &[]),
];

/// Beginnings of paths that a pure module must not name.
const OUTSIDE: &[&[&str]] = &[
    &["tokio"],
    &["futures_util"],
    &["rand"],
    &["std", "env"],
    &["std", "fs"],
    &["std", "io"],
    &["std", "net"],
    &["std", "process"],
    &["std", "thread"],
];
/// Names that a pure module must not use, wherever they come from.
const IMPURE_NAMES: &[&str] = &["HashMap", "HashSet", "Instant", "SystemTime"];

/// Where tasks are started.
const MAY_SPAWN: &[&str] = &[
    "app",
    "coach",
    "database",
    "recording",
    "session",
    "sound_check",
    "speech",
    "store",
    "voiceroom",
    "web",
];

/// The files that call C.
const UNSAFE_FILES: &[&str] = &[
    "src/app/memory.rs",
    "crates/speech/src/providers/flite.rs",
    "crates/speech/src/providers/pocketsphinx.rs",
    "crates/speech/src/providers/vad_webrtc.rs",
];

/// Areas in which a `match` on an enum of theirs lists every variant.
const NO_CATCH_ALL: &[&str] = &["interview", "language", "session"];

/// Names of a machine or a registry that mean nothing elsewhere. Split, or this file would name them.
const PLACES: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("bash_", "jobs"),
    concat!("static.crates", ".io"),
    concat!("index.crates", ".io"),
    concat!("registry.", "npmjs.org"),
    concat!("pypi", ".org"),
    concat!("proxy.", "golang.org"),
];

/// What a rule may know: one file, and the enums of [`NO_CATCH_ALL`] in all files.
struct View<'a> {
    source: &'a Source,
    enums: &'a BTreeSet<String>,
}

/// Says what is wrong with one fact of a file.
type Rule = fn(&View, &Fact) -> Option<String>;

/// The rule holds in the whole repository, and finds each bad example, given as path and text.
fn check(rule: Rule, bad: &[(&str, &str)]) {
    let complaints = complaints(rule, &rust_files());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    for (path, text) in bad {
        let found = self::complaints(rule, &[Source::new(path, text)]);
        assert!(!found.is_empty(), "nothing found in {path}: {text}");
    }
}

fn complaints(rule: Rule, sources: &[Source]) -> Vec<String> {
    let enums = sources.iter().filter(|source| NO_CATCH_ALL.contains(&source.area()));
    let enums = enums.flat_map(|source| &source.facts).filter_map(|fact| match &fact.what {
        What::Enum(name) => Some(name.clone()),
        _ => None,
    });
    let enums = enums.collect();
    let mut complaints = Vec::new();
    for source in sources {
        let view = View { source, enums: &enums };
        for fact in &source.facts {
            if let Some(wrong) = rule(&view, fact) {
                complaints.push(format!("{}:{}: {wrong}", source.path, fact.line));
            }
        }
    }
    complaints
}

/// Who may use whom.
#[test]
fn modules_look_only_downstream() {
    fn may_use(user: &str, used: &str) -> bool {
        let row = USED_BY.iter().chain(OF_CRATES).find(|(name, _)| *name == used);
        row.is_some_and(|(_, users)| users.iter().any(|name| *name == "*" || *name == user))
    }
    fn rule(view: &View, fact: &Fact) -> Option<String> {
        let (What::Path(path) | What::HandedOn { path, .. }) = &fact.what else { return None };
        let [root, used, ..] = path.as_slice() else { return None };
        let user = view.source.area();
        let ours = view.source.path.starts_with("src/") && user != "lib" && root == "crate";
        (ours && *used != user && !may_use(user, used))
            .then(|| format!("`{user}` may not use `{used}`"))
    }
    check(
        rule,
        &[
            ("src/store/mod.rs", "use crate::{web::Page, time::SessionTime};"),
            ("src/web/mod.rs", "use super::session;"),
            ("src/web/mod.rs", "pub use crate::session::Line;"),
            ("src/web/form.rs", "fn f() { crate::session::start() }"),
            ("src/web/form.rs", "mod x { use super::super::super::session::Line; }"),
            ("src/store/api.rs", "fn f() { info!(n = crate::web::count(), \"seen\"); }"),
            ("src/main.rs", "use vivavoce::session;"),
            ("src/unheard_of.rs", "use crate::web::Room;"),
        ],
    );
}

/// The pure modules do no I/O, read no clock, draw no randomness, use no async and no hash
/// order.
#[test]
fn pure_modules_know_no_outside() {
    fn rule(view: &View, fact: &Fact) -> Option<String> {
        if !PURE.contains(&view.source.area()) || fact.in_test {
            return None;
        }
        match &fact.what {
            What::Async => Some("async in a pure module".into()),
            What::Path(path) | What::HandedOn { path, .. } => {
                let outside = OUTSIDE.iter().any(|start| {
                    path.len() >= start.len() && path.iter().zip(*start).all(|(a, b)| a == b)
                });
                let named = path.iter().any(|name| IMPURE_NAMES.contains(&name.as_str()));
                (outside || named).then(|| format!("`{}` in a pure module", path.join("::")))
            }
            _ => None,
        }
    }
    check(
        rule,
        &[
            (
                "crates/interview/src/interview/mod.rs",
                "use std::{collections::{BTreeMap, HashMap}, fmt};",
            ),
            ("crates/interview/src/sim/mod.rs", "fn f() { std::fs::read(\"x\"); }"),
            ("crates/interview/src/time.rs", "fn f() -> std::time::Instant { loop {} }"),
            ("crates/interview/src/x.rs", "async fn f() {}"),
            ("crates/interview/src/x.rs", "fn f() { assert!(std::env::var(\"X\").is_ok()); }"),
            ("crates/interview/src/journal/mod.rs", "fn f() { let x = async {}; }"),
            ("crates/interview/src/scripted/mod.rs", "use rand::Rng;"),
        ],
    );
}

/// Tasks and threads are started in few places.
#[test]
fn tasks_start_only_where_they_may() {
    fn rule(view: &View, fact: &Fact) -> Option<String> {
        let module = view.source.area();
        let may_spawn = MAY_SPAWN.contains(&module);
        let wrong = match fact.what {
            What::TaskSpawn => !may_spawn,
            What::ThreadSpawn => !may_spawn,
            _ => false,
        };
        (wrong && !fact.in_test).then(|| format!("`{module}` starts a task or thread"))
    }
    check(
        rule,
        &[
            ("src/config/api.rs", "fn f() { tokio::spawn(async {}); }"),
            ("src/telemetry/x.rs", "fn f(set: JoinSet<()>) { set.spawn(async {}); }"),
            ("src/config/wav.rs", "fn f() { std::thread::Builder::new().spawn(|| ()); }"),
            ("src/config/wav.rs", "fn f() { assert!(std::thread::spawn(|| ()).join().is_ok()); }"),
        ],
    );
}

/// `unsafe` only in the files that call C.
#[test]
fn unsafe_stays_in_its_files() {
    fn rule(view: &View, fact: &Fact) -> Option<String> {
        let wrong =
            matches!(fact.what, What::Unsafe) && !UNSAFE_FILES.contains(&view.source.path.as_str());
        wrong.then(|| "unsafe in a file that is not in UNSAFE_FILES".into())
    }
    check(
        rule,
        &[
            ("src/room/mod.rs", "fn f() { unsafe { g() } }"),
            ("src/room/mod.rs", "unsafe fn f() {}"),
            ("src/room/mod.rs", "unsafe impl Send for X {}"),
            ("src/room/mod.rs", "unsafe extern \"C\" { fn f(); }"),
            ("src/room/mod.rs", "fn f() { assert!(unsafe { g() }); }"),
        ],
    );
}

/// STYLE 6: a new variant of an enum of ours is a compile error where it must be thought about.
#[test]
fn matches_on_our_enums_list_every_variant() {
    fn rule(view: &View, fact: &Fact) -> Option<String> {
        let What::CatchAll(named) = &fact.what else { return None };
        if fact.in_test || !NO_CATCH_ALL.contains(&view.source.area()) {
            return None;
        }
        let ours = named.intersection(view.enums).next()?;
        Some(format!("an arm for everything else in a match on `{ours}`: list the variants"))
    }
    let floor = "enum Floor { Open, Away }";
    check(
        rule,
        &[
            (
                "crates/interview/src/interview/mod.rs",
                &format!(
                    "{floor} fn f(x: Floor) {{ match x {{ Floor::Open => {{}} _ => {{}} }} }}"
                ),
            ),
            (
                "src/session/mod.rs",
                &format!(
                    "{floor} fn f(x: Floor) {{ match (x, 1) {{ (Floor::Open, 1) => {{}} (_, _) => {{}} }} }}"
                ),
            ),
            (
                "crates/interview/src/sim/mod.rs",
                &format!(
                    "{floor} impl Floor {{ fn f(self) {{ match self {{ Self::Open => {{}} x => {{}} }} }} }}"
                ),
            ),
        ],
    );
}

/// A test that does not run is no test.
#[test]
fn no_test_is_ignored() {
    fn rule(_: &View, fact: &Fact) -> Option<String> {
        matches!(fact.what, What::Ignore).then(|| "an ignored test: mend it or take it out".into())
    }
    check(rule, &[("tests/all/x.rs", "#[test] #[ignore] fn f() {}")]);
}

/// STYLE 20: the first line of a test says what it guards.
#[test]
fn tests_say_what_they_guard() {
    fn rule(_: &View, fact: &Fact) -> Option<String> {
        let What::Test { name, documented: false } = &fact.what else { return None };
        Some(format!("`{name}` does not say what it guards: give it a doc line"))
    }
    check(
        rule,
        &[
            ("tests/all/x.rs", "#[test] fn f() {}"),
            (
                "crates/interview/src/time.rs",
                "#[cfg(test)] mod tests { #[tokio::test] async fn f() {} }",
            ),
        ],
    );
}

/// The graph of crates is the one that the page shows: whoever adds an edge adds it there.
#[test]
fn crates_depend_downstream_only() {
    fn depends(manifest: &str) -> Vec<String> {
        let manifest: toml::Table = toml::from_str(manifest).unwrap();
        let names = manifest.get("dependencies").and_then(|it| it.as_table()).map(|it| it.keys());
        let ours = |name: &&String| CRATES.iter().any(|(known, _)| known == name);
        names.into_iter().flatten().filter(ours).cloned().collect()
    }
    assert_eq!(depends("[dependencies]\naudio.workspace = true\nserde = \"1\"\n"), ["audio"]);
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let text = std::fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml"));
        let (_, may) = CRATES.iter().find(|(known, _)| *known == name).expect("a crate in CRATES");
        for used in depends(&text.unwrap()) {
            assert!(may.contains(&used.as_str()), "`{name}` may not depend on `{used}`");
        }
        found.insert(name);
    }
    assert_eq!(found.len(), CRATES.len(), "a crate in CRATES is gone: {found:?}");
}

/// The table of modules is whole: every module has a row, and every row a module.
#[test]
fn every_module_is_in_the_table() {
    let listed: BTreeSet<&str> = USED_BY.iter().map(|(name, _)| *name).collect();
    fn modules(sources: &[Source]) -> BTreeSet<&str> {
        let ours = sources.iter().filter(|source| source.path.starts_with("src/"));
        ours.map(Source::area).filter(|name| *name != "lib" && *name != "main").collect()
    }
    let mut sources = rust_files();
    assert_eq!(modules(&sources), listed);
    sources.push(Source::new("src/unheard_of.rs", ""));
    assert_ne!(modules(&sources), listed, "a module without a row is not noticed");
    sources.retain(|source| source.area() != "web" && source.area() != "unheard_of");
    assert_ne!(modules(&sources), listed, "a row without a module is not noticed");
}

/// Nothing in the repository means something on one machine only.
#[test]
fn no_file_names_a_place_of_one_machine() {
    let places = |text: &str| PLACES.iter().find(|place| text.contains(**place)).copied();
    let mut found = Vec::new();
    text_files(Path::new("."), &mut |path, text| {
        let lines = text.lines().enumerate();
        let lines = lines.filter_map(|(n, line)| Some((n + 1, places(line)?)));
        found.extend(lines.map(|(n, place)| format!("{path}:{n}: names `{place}`")));
    });
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    for place in PLACES {
        assert_eq!(places(&format!("x = \"{place}y\"")), Some(*place));
    }
}
