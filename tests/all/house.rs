//! The blueprints that ship with the program, as files.

use std::fs;

/// Name and text of each file of a shipped blueprint.
pub(crate) fn files(name: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(format!("agents/{name}")).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        (file, fs::read_to_string(&path).unwrap())
    });
    files.collect()
}
