//! Preludes: how a scenario begins, where many begin alike. `after greeting` stands for the lines of another
//! scenario.

use super::ScenarioError;

/// Preludes within preludes, at most.
const DEPTH_MAX: usize = 8;

/// A line of a scenario with its preludes written out, and the line of the file that it comes from, from 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) text: String,
    pub(super) from: usize,
    /// The prelude that it is of, as the file names it.
    pub(super) prelude: Option<&'a str>,
}

/// Writes out the preludes of a scenario. `find` gives the text of a prelude by its name.
pub(super) fn expand<'a>(
    text: &'a str,
    find: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Line<'a>>, ScenarioError> {
    let with = blueprint(text);
    let mut lines = Vec::new();
    for (from, line) in text.lines().enumerate() {
        // The line ends of another system are no part of a line.
        let line = line.trim_end_matches('\r');
        let Some(name) = line.strip_prefix("after ") else {
            lines.push(Line { text: line.to_owned(), from, prelude: None });
            continue;
        };
        let written = written_out(name, with, find, DEPTH_MAX)
            .map_err(|what| ScenarioError { line: from + 1, what })?;
        let of_prelude = |text| Line { text, from, prelude: Some(name) };
        lines.extend(written.into_iter().map(of_prelude));
    }
    Ok(lines)
}

/// A prelude's lines, without its head.
fn written_out(
    name: &str,
    with: Option<&str>,
    find: &dyn Fn(&str) -> Option<String>,
    depth: usize,
) -> Result<Vec<String>, String> {
    let depth = depth.checked_sub(1).ok_or_else(|| {
        format!("`after {name}` leads back to itself: take that line out of the prelude")
    })?;
    let text = find(name).ok_or_else(|| {
        let file = file_name(name);
        format!(
            "there is no prelude `{name}`: it is a scenario in a folder `after` beside this \
            one, `after/{file}`"
        )
    })?;
    if blueprint(&text) != with {
        let says = |with: Option<&str>| {
            with.map_or("no line `with …`".to_owned(), |with| format!("`with {with}`"))
        };
        let (its, ours) = (says(blueprint(&text)), says(with));
        return Err(format!(
            "the prelude `{name}` has {its}, and this scenario {ours}: both must be of one blueprint"
        ));
    }
    let mut lines = Vec::new();
    for line in text.lines().map(|line| line.trim_end_matches('\r')) {
        if line.starts_with('#') || line.starts_with("with ") {
            continue;
        }
        match line.strip_prefix("after ") {
            Some(earlier) => lines.extend(written_out(earlier, with, find, depth)?),
            None => lines.push(line.to_owned()),
        }
    }
    if lines.is_empty() {
        return Err(format!("nothing happens in the prelude `{name}`: write what does"));
    }
    Ok(lines)
}

/// What the line `with` names.
fn blueprint(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("with "))
}

/// The file of a prelude.
pub fn file_name(name: &str) -> String {
    format!("{}.txt", name.replace(' ', "-"))
}

/// The scenario as it was played, with `after` in place of its preludes again.
///
/// A prelude that plays otherwise here than by itself would hide what is different.
pub(super) fn fold(played: &str, lines: &[Line<'_>]) -> Result<String, ScenarioError> {
    let mut folded = String::new();
    let mut played = played.lines();
    let mut lines = lines.iter().peekable();
    while let Some(line) = lines.next() {
        let Some(name) = line.prelude else { continue };
        let mut of_prelude = vec![&line.text];
        while let Some(next) = lines.next_if(|next| next.from == line.from) {
            of_prelude.push(&next.text);
        }
        let first = of_prelude[0];
        for before in played.by_ref() {
            if before == first {
                break;
            }
            folded += &format!("{before}\n");
        }
        for wanted in &of_prelude[1..] {
            let found = played.next().unwrap_or_default();
            if found != *wanted {
                let (found, wanted) = (found.trim(), wanted.trim());
                let what = format!(
                    "the prelude `{name}` plays otherwise here, `{found}` instead of `{wanted}`: \
                        write its lines out"
                );
                return Err(ScenarioError { line: line.from + 1, what });
            }
        }
        folded += &format!("after {name}\n");
    }
    played.for_each(|line| folded += &format!("{line}\n"));
    Ok(folded)
}
