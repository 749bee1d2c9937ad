//! How large the parts of the source are: structs, lines, files. (Functions: clippy's `too_many_lines`.)

use std::collections::BTreeMap;

use crate::source::{Source, What};

/// Named fields of a struct, at most.
pub const FIELDS_MAX: usize = 12;
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
        let (kind, name, size, max) = match &fact.what {
            What::Struct { name, fields, .. } if *fields > FIELDS_MAX => {
                ("fields", name, *fields, FIELDS_MAX)
            }
            What::Struct { name, bools, is_data: false, .. } => ("bools", name, *bools, BOOLS_MAX),
            _ => continue,
        };
        if size > max {
            found.push(Oversize { kind, place: format!("{} {name}", source.path), size });
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
