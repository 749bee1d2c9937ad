//! Import circles: files of one crate that import one another, directly or around some corners.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Source, What};

/// A file's place in its crate: `["room", "signal"]`.
type Module = Vec<String>;

/// A circle: its files, each with those of the others that it imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle(pub BTreeMap<String, BTreeSet<String>>);

/// The circles in the files of one crate. Tests do not count, nor do names that are only handed on (`pub
/// use`), nor what the files in a folder import from the folder's own file, their parent.
pub fn circles(sources: &[&Source]) -> Vec<Circle> {
    let edges = edges(sources);
    let reachable: BTreeMap<&Module, BTreeSet<&Module>> =
        edges.keys().map(|from| (from, reachable(from, &edges))).collect();
    let mut circles: Vec<BTreeSet<&Module>> = Vec::new();
    for (from, to) in &reachable {
        if !to.contains(*from) || circles.iter().any(|circle| circle.contains(*from)) {
            continue;
        }
        let is_back = |other: &&&Module| reachable[**other].contains(*from);
        circles.push(to.iter().filter(is_back).copied().collect());
    }
    let show = |circle: BTreeSet<&Module>| {
        let within = |from: &&Module| {
            let to = edges[*from].iter().filter(|to| circle.contains(to));
            (from.join("/"), to.map(|to| to.join("/")).collect())
        };
        Circle(circle.iter().map(within).collect())
    };
    circles.into_iter().map(show).collect()
}

/// Which file imports which.
fn edges(sources: &[&Source]) -> BTreeMap<Module, BTreeSet<Module>> {
    let modules: BTreeSet<Module> = sources.iter().map(|source| source.place.clone()).collect();
    let mut handed_on = BTreeMap::new();
    for source in sources {
        for fact in &source.facts {
            if let What::HandedOn { name, path } = &fact.what
                && let Some(path) = within(&source.place, path, &modules)
            {
                let name = [source.place.as_slice(), std::slice::from_ref(name)].concat();
                handed_on.insert(name, path);
            }
        }
    }
    let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for source in sources {
        let to = edges.entry(source.place.clone()).or_default();
        for fact in source.facts.iter().filter(|fact| !fact.in_test) {
            let What::Path(path) = &fact.what else { continue };
            let Some(path) = within(&source.place, path, &modules) else { continue };
            to.extend(owner(&path, &handed_on, &modules));
        }
        // A folder is one thought: what stands in its own file is there for the files in it.
        to.retain(|to| !source.place.starts_with(to));
    }
    edges
}

/// A path from the root of the crate, if it leads into it.
fn within(place: &[String], path: &[String], modules: &BTreeSet<Module>) -> Option<Module> {
    if path.first().is_some_and(|first| first == "crate") {
        return Some(path[1..].to_vec());
    }
    let child = [place, &path[..1]].concat();
    modules.contains(&child).then(|| [place, path].concat())
}

/// The file that declares what a path names.
fn owner(
    path: &[String],
    handed_on: &BTreeMap<Module, Module>,
    modules: &BTreeSet<Module>,
) -> Option<Module> {
    let mut path = path.to_vec();
    // Names are handed on over a few files at most.
    for _ in 0..8 {
        let known = (1..=path.len())
            .rev()
            .find(|n| handed_on.contains_key(&path[..*n]) && !modules.contains(&path[..*n]));
        let Some(n) = known else { break };
        path = [handed_on[&path[..n]].as_slice(), &path[n..]].concat();
    }
    (0..=path.len()).rev().map(|n| path[..n].to_vec()).find(|start| modules.contains(start))
}

fn reachable<'a>(
    from: &Module,
    edges: &'a BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeSet<&'a Module> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Module> = edges.get(from).into_iter().flatten().collect();
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(edges.get(next).into_iter().flatten());
        }
    }
    found
}
