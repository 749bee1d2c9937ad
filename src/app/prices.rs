//! The prices there are: a file if there is one, else those in the binary.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::usage::Prices;

/// Those in `file`, else in `config/prices.toml` here, else in the binary. The error is one sentence.
pub(super) fn load(file: Option<&Path>) -> Result<Prices, String> {
    let here = PathBuf::from("config/prices.toml");
    let Some(path) = file.or(here.is_file().then_some(here.as_path())) else {
        return Ok(Prices::default());
    };
    let name = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read the prices in {name} (usage.prices): {error}"))?;
    Prices::read(&name, &text)
}
