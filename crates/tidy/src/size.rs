//! How large the parts of the source are: structs, lines, files. (Functions: clippy's `too_many_lines`.)

use std::collections::BTreeMap;

use crate::source::{Source, What};

/// Named fields of a struct, at most.
pub const FIELDS_MAX: usize = 12;
/// Structs with a limit of their own: an interview is its components, and each event may concern all of them.
const FIELDS_OWN_MAX: &[(&str, usize)] =
    &[("crates/interview/src/interview/machine.rs Interview", 14)];
/// Fields that are yes or no, at most: more of them are a situation, which is an enum.
pub const BOOLS_MAX: usize = 2;
/// Columns of a line, at most.
pub const COLUMNS_MAX: usize = 110;

/// Something that is larger than it may be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Oversize {
    /// What it is: `fields`, `bools` or `long lines`.
    pub kind: &'static str,
    /// Where and what: `src/room/mod.rs RoomOptions`.
    pub place: String,
    /// How large it is.
    pub size: usize,
}

/// Everything in a file that is larger than it may be.
pub fn oversize(source: &Source) -> Vec<Oversize> {
    let mut found = Vec::new();
    for fact in source.facts.iter().filter(|fact| !fact.in_test) {
        let What::Struct { name, fields, bools, is_data } = &fact.what else { continue };
        let place = format!("{} {name}", source.path);
        let own = FIELDS_OWN_MAX.iter().find(|(known, _)| *known == place);
        let fields_max = own.map_or(FIELDS_MAX, |(_, max)| *max);
        if *fields > fields_max {
            found.push(Oversize { kind: "fields", place, size: *fields });
        } else if *bools > BOOLS_MAX && !is_data {
            found.push(Oversize { kind: "bools", place, size: *bools });
        }
    }
    // A line has no name that lasts: the lines of a file are counted.
    let long = source.columns.iter().filter(|columns| **columns > COLUMNS_MAX).count();
    if long > 0 {
        found.push(Oversize { kind: "long lines", place: source.path.clone(), size: long });
    }
    found
}

/// Figures for people: the largest structs, the lengths of files, the lines of each crate.
pub fn figures(sources: &[Source]) -> String {
    let mut structs: Vec<(usize, usize, String)> = Vec::new();
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        *lines.entry(&source.package).or_default() += source.lines;
        for fact in source.facts.iter().filter(|fact| !fact.in_test) {
            if let What::Struct { name, fields, bools, .. } = &fact.what {
                structs.push((*fields, *bools, format!("{} {name}", source.path)));
            }
        }
    }
    structs.sort_unstable_by(|a, b| b.cmp(a));
    let mut lengths: Vec<usize> = sources.iter().map(|source| source.lines).collect();
    lengths.sort_unstable();
    let at = |percent: usize| lengths.get(lengths.len() * percent / 100).copied().unwrap_or(0);
    let mut text = format!("files: median {} lines, p90 {}\n", at(50), at(90));
    for (package, lines) in lines {
        text += &format!("{package}: {lines} lines\n");
    }
    for (fields, bools, name) in structs.iter().take(10) {
        text += &format!("{fields} fields, {bools} of them bools: {name}\n");
    }
    text
}
