//! The roles there are: a file if there is one, else those in the binary.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::Failed;
use crate::blueprint::Roles;

/// Those in `file`, else in `config/roles.toml` here, else in the binary. All problems are told at once.
pub(super) fn load(file: Option<&Path>) -> Result<Roles, Failed> {
    let here = PathBuf::from("config/roles.toml");
    let Some(path) = file.or(here.is_file().then_some(here.as_path())) else {
        return Ok(Roles::default());
    };
    let name = path.display();
    let text = fs::read_to_string(path)
        .map_err(|error| Failed(format!("cannot read the roles in {name}: {error}")))?;
    Roles::load(&text).map_err(|problems| {
        let line = |problem: &crate::blueprint::Problem| {
            format!("{name}:{}: {}", problem.line, problem.what)
        };
        Failed(problems.iter().map(line).collect::<Vec<_>>().join("\n"))
    })
}
