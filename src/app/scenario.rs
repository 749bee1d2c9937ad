//! `vivavoce scenario`: plays scenario files and shows where the interview does something else than they say.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    Failed,
    agents::Agents,
    out::{PLAIN, STRONG, say, say_difference},
};
use crate::sim::scenario::{Hint, Played, file_name, play_with};

/// Plays the files, and those in the folders; fails if any is different, unless they are to be rewritten.
pub fn scenario(agents_dir: Option<&Path>, paths: &[PathBuf], bless: bool) -> Result<(), Failed> {
    let agents = Agents::load(agents_dir)?;
    let files = |name: &str| Some(agents.files.get(name)?.clone().into_iter().collect());
    let paths = in_folders(paths)?;
    let (mut different, mut wrong) = (0, Vec::new());
    for path in &paths {
        let name = path.display().to_string();
        let text = fs::read_to_string(path)
            .map_err(|error| Failed(format!("cannot read {name}: {error}")))?;
        match play_with(&text, files, preludes(path)) {
            Err(why) => wrong.push(format!("{name}:{}: {}", why.line, why.what)),
            Ok(played) if played.facts.is_empty() => wrong.push(format!("{name}:1: {NOTHING}")),
            Ok(played) if played.text == text => {}
            Ok(played) if bless => {
                fs::write(path, &played.text)
                    .map_err(|error| Failed(format!("cannot write {name}: {error}")))?;
                say(PLAIN, &format!("{name}: rewritten"));
                say_hint(&name, &played);
            }
            Ok(played) => {
                different += 1;
                let (old, new) = (format!("{name} as written"), format!("{name} as played"));
                say_difference((&old, &text), (&new, &played.text));
                say_hint(&new, &played);
            }
        }
    }
    let count = paths.len();
    if different > 0 {
        wrong.push(format!(
            "{different} of {count} scenario(s) played differently: mend what changed, or rewrite \
                them with --bless and read the difference"
        ));
    }
    if !wrong.is_empty() {
        return Err(Failed(wrong.join("\n")));
    }
    say(PLAIN, &format!("{count} scenario(s) played as written"));
    Ok(())
}

/// The preludes of a scenario: those in the folder `after` beside it.
pub(super) fn preludes(scenario: &Path) -> impl Fn(&str) -> Option<String> + use<> {
    let folder = scenario.parent().unwrap_or(Path::new("")).join("after");
    move |name| fs::read_to_string(folder.join(file_name(name))).ok()
}

/// Says what may be missing; `name` is that of the text as it was played.
fn say_hint(name: &str, played: &Played) {
    if let Some(Hint { line, what }) = &played.hint {
        say(STRONG, &format!("{name}, line {line}: {what}"));
    }
}

/// What is wrong with a text that is no scenario.
pub(super) const NOTHING: &str =
    "nothing happens in it: a scenario has lines such as `00:00.200 > joined`";

/// A folder stands for the `.txt` files in it.
pub(super) fn in_folders(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failed> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error| Failed(format!("cannot read {}: {error}", path.display()));
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.extension().is_some_and(|extension| extension == "txt") {
                found.push(file);
            }
        }
        if found.is_empty() {
            let path = path.display();
            return Err(Failed(format!(
                "there is no scenario in {path}: they are files such as talk.txt"
            )));
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}
