//! What matters for a role and a level: `config/roles.toml` (B05).

use std::collections::BTreeSet;

use super::{
    Focus, Problem,
    reader::{Reader, Source},
};

/// The file's name in problems.
const FILE: &str = "roles.toml";

/// The levels there are, lowest first.
pub const LEVELS: [&str; 5] = ["entry", "mid", "senior", "lead", "staff"];

/// The roles that come with the program.
const HOUSE: &str = include_str!("../../../../config/roles.toml");

/// All roles and levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roles {
    levels: Vec<Level>,
    roles: Vec<Role>,
}

/// A level of experience.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// One of [`LEVELS`].
    pub name: &'static str,
    /// Shown to recruiters.
    pub title: String,
    /// What may be expected and how deep to ask.
    pub depth: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Role {
    name: String,
    /// The words of the name, then of each alias.
    known_as: Vec<Vec<String>>,
    areas: Vec<String>,
}

impl Default for Roles {
    /// Those that come with the program.
    fn default() -> Self {
        Self::load(HOUSE).expect("a test reads the file that is part of the program")
    }
}

impl Roles {
    /// Reads a file of roles and levels, or says everything that is wrong with it.
    pub fn load(text: &str) -> Result<Self, Vec<Problem>> {
        let (roles, mut problems) = Source::new(FILE, text, 0).read(read);
        problems.sort_by_key(|problem| problem.line);
        if problems.is_empty() { Ok(roles) } else { Err(problems) }
    }

    /// What matters. A role that is unknown adds nothing to its level, nor does a level that is unknown to
    /// its role.
    pub fn focus(&self, role: &str, level: &str) -> Focus {
        let level = level.trim().to_lowercase();
        let level = self.levels.iter().find(|known| known.name == level);
        Focus {
            areas: self.role(role).map_or_else(Vec::new, |role| role.areas.clone()),
            depth: level.map_or_else(String::new, |level| level.depth.clone()),
            criteria: Vec::new(),
        }
    }

    /// The names of the roles, as they stand in the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().map(|role| role.name.as_str())
    }

    /// The levels, lowest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The role that goes by most of these words.
    fn role(&self, wanted: &str) -> Option<&Role> {
        let wanted = words(wanted);
        let holds = |name: &&Vec<String>| wanted.windows(name.len()).any(|part| part == *name);
        let known = self.roles.iter().filter_map(|role| {
            Some((role.known_as.iter().filter(holds).map(Vec::len).max()?, role))
        });
        // Of equally long ones the first.
        known.rev().max_by_key(|(length, _)| *length).map(|(_, role)| role)
    }
}

fn read(reader: &mut Reader<'_, '_>) -> Roles {
    let levels = reader.table("levels", |reader| {
        LEVELS.map(|name| {
            reader.require(name, &format!("the level [levels.{name}] is missing"));
            reader.table(name, |reader| read_level(reader, name))
        })
    });
    reader.require("levels", "the levels are missing: write a table [levels.entry] and so on");
    reader.require("role", "there is no role: write at least one table [[role]]");
    let mut seen = BTreeSet::new();
    let roles = reader.tables("role", |reader| read_role(reader, &mut seen));
    Roles { levels: levels.into_iter().flatten().flatten().collect(), roles }
}

fn read_level(reader: &mut Reader<'_, '_>, name: &'static str) -> Level {
    let title = reader.string("title");
    let (expect, ask) = (reader.string("expect"), reader.string("ask"));
    Level { name, title, depth: format!("{} {}", expect.trim(), ask.trim()) }
}

fn read_role(reader: &mut Reader<'_, '_>, seen: &mut BTreeSet<Vec<String>>) -> Role {
    let name = reader.string("name");
    let mut known_as = vec![words(&name)];
    check_name(reader, "name", &name, seen);
    for alias in reader.strings("aliases") {
        check_name(reader, "aliases", &alias, seen);
        known_as.push(words(&alias));
    }
    // A name without words would be part of every role.
    known_as.retain(|name| !name.is_empty());
    let areas = reader.some_strings("areas", "`areas` must name at least one subject");
    Role { name, known_as, areas }
}

fn check_name(
    reader: &mut Reader<'_, '_>,
    key: &str,
    name: &str,
    seen: &mut BTreeSet<Vec<String>>,
) {
    let words = words(name);
    if words.is_empty() {
        if reader.has(key) {
            reader.problem(key, format!("\"{name}\" has no letter in it"));
        }
    } else if !seen.insert(words) {
        reader.problem(key, format!("\"{name}\" is named twice"));
    }
}

/// What names are compared by.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B05: the file in the program is right, and has every level.
    #[test]
    fn the_house_has_roles() {
        let house = Roles::load(HOUSE).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(house.levels().iter().map(|level| level.name).collect::<Vec<_>>(), LEVELS);
        assert!(house.names().count() >= 22);
    }

    /// B05: a role is found by name and alias, whatever the case and what stands around it; the longest name
    /// wins.
    #[test]
    fn roles_are_found_by_name_and_alias() {
        let house = Roles::default();
        for (asked, wanted) in [
            ("Software engineer", "Software engineer"),
            ("  SOFTWARE   ENGINEER ", "Software engineer"),
            ("Senior Backend Engineer (Rust), Payments", "Backend engineer"),
            ("Embedded software engineer", "Embedded engineer"),
            ("sre", "DevOps engineer"),
            ("front-end developer", "Frontend engineer"),
            ("UI/UX Designer", "Product designer"),
            ("Product manager, data", "Product manager"),
            ("HR", "HR manager"),
        ] {
            assert_eq!(house.role(asked).map(|role| role.name.as_str()), Some(wanted), "{asked}");
        }
        for unknown in ["", "Beekeeper", "Qatar", "engineering", "🐝", "software"] {
            assert_eq!(house.role(unknown), None, "{unknown}");
        }
    }

    /// B05: role and level choose what matters; what is unknown leaves its half empty.
    #[test]
    fn role_and_level_make_a_focus() {
        let house = Roles::default();
        let both = house.focus("data engineer", "Senior");
        assert!(both.areas.contains(&"data quality".to_owned()), "{both:?}");
        assert!(both.depth.contains("alternatives"), "{both:?}");
        assert_eq!(house.focus("Beekeeper", "senior"), Focus { areas: vec![], ..both.clone() });
        assert_eq!(house.focus("data engineer", "god"), Focus { depth: String::new(), ..both });
        assert_eq!(house.focus("", ""), Focus::default());
        let depths: BTreeSet<_> = LEVELS.map(|level| house.focus("", level).depth).into();
        assert_eq!(depths.len(), LEVELS.len(), "levels differ");
    }

    /// B01, B05: everything that is wrong with the file, with its line.
    #[test]
    fn mistakes_in_the_roles_are_named_with_their_line() {
        let text = r#"
[levels.entry]
title = "Entry"
expect = "Little."

[levels.god]
title = "God"

[[role]]
name = "Baker"
aliases = ["Bread maker", "baker"]
areas = []

[[role]]
name = "?"
area = ["bread"]
"#;
        let problems = Roles::load(text).unwrap_err();
        let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
        let wanted = [
            "roles.toml:2: the level [levels.mid] is missing",
            "roles.toml:2: the level [levels.senior] is missing",
            "roles.toml:2: the level [levels.lead] is missing",
            "roles.toml:2: the level [levels.staff] is missing",
            "roles.toml:2: `ask` is missing",
            "roles.toml:6: `god` is not known here; known are `entry`, `lead`, `mid`, `senior`, `staff`",
            "roles.toml:11: \"baker\" is named twice",
            "roles.toml:12: `areas` must name at least one subject",
            "roles.toml:14: `areas` must name at least one subject",
            "roles.toml:15: \"?\" has no letter in it",
            "roles.toml:16: `area` is not known here; known are `aliases`, `areas`, `name`",
        ];
        let missing: Vec<_> = wanted.iter().filter(|w| !said.contains(&(**w).to_owned())).collect();
        assert!(missing.is_empty() && said.len() == wanted.len(), "{said:#?}");
        assert!(Roles::load("").is_err());
        assert!(Roles::load("= \u{0}[[[").is_err());
    }
}
