//! `vivavoce prompt`: what the model is told, as it gets it, and how long that is (A05).

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Failed,
    agents::Agents,
    out::{FAINT, PLAIN, STRONG, say, table},
    scenario::{NOTHING, in_folders, preludes},
};
use crate::{
    interview::{Brief, Length, ReplyId, Speaker},
    sim::scenario::{Played, play_with},
    time::SessionTime,
};

/// As many answers are given before the model has to be asked.
const SCRIPTED_MAX: u64 = 20;

/// Prints the prompt of one reply by `blueprint`: of the first that the model is asked for, or of the last
/// that it is asked for in a scenario. Without a blueprint a table: all openings, and all replies of the
/// scenarios.
pub fn prompt(
    agents_dir: Option<&Path>,
    blueprint: Option<&str>,
    at: &[PathBuf],
) -> Result<(), Failed> {
    let agents = Agents::load(agents_dir)?;
    let Some(blueprint) = blueprint else {
        return lengths(&agents, &in_folders(at)?);
    };
    let played = match at {
        [] if !agents.files.contains_key(blueprint) => {
            let known = agents.files.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(Failed(format!(
                "there is no blueprint \"{blueprint}\"; there are: {known}"
            )));
        }
        [] => opening(&agents, blueprint)?,
        [path] => at_scenario(&agents, path)?,
        [_, _, ..] => {
            let what =
                "one prompt is that of one scenario: leave the blueprint out for a table of all";
            return Err(Failed(what.to_owned()));
        }
    };
    if played.blueprint != blueprint {
        let with = played.blueprint;
        return Err(Failed(format!("the scenario is one `with {with}`, not with {blueprint}")));
    }
    let Some((at, reply, brief)) = played.briefs.last() else {
        return Err(Failed(
            "the model is asked for nothing there: all words are from files".to_owned(),
        ));
    };
    show(blueprint, *at, *reply, brief);
    Ok(())
}

/// An interview up to the first reply that the model is asked for: a candidate comes, and says yes to what
/// files ask.
fn opening(agents: &Agents, blueprint: &str) -> Result<Played, Failed> {
    let mut text = format!("with {blueprint}\n00:00.200 > joined\n");
    for answer in 0..SCRIPTED_MAX {
        let played = played(agents, &text, |_| None)
            .map_err(|(line, what)| Failed(format!("{blueprint}:{line}: {what}")))?;
        let asked = (played.briefs.is_empty()).then(|| scripted(&played.text)).flatten();
        let Some((reply, words)) = asked else { return Ok(played) };
        let at = |seconds| SessionTime::ZERO + Duration::from_secs(answer * 5 + seconds);
        let [heard, answered, later] = [1, 3, 5].map(at);
        text += &format!("{heard} > #{reply} speaks (1s): {words}\n");
        text += &format!("{answered} > answers (1s): yes, I am\n{later} > tick\n");
    }
    Err(Failed(format!("{blueprint}: after {SCRIPTED_MAX} answers the model is not asked for")))
}

/// What we say last in a scenario, if its words are from a file: the reply's number and its words.
fn scripted(text: &str) -> Option<(&str, &str)> {
    let said = text.lines().rev().find_map(|line| line.trim_start().strip_prefix("< speak #"))?;
    let (reply, words) = said.split_once(": \"")?;
    Some((reply, words.strip_suffix('"')?))
}

fn at_scenario(agents: &Agents, path: &Path) -> Result<Played, Failed> {
    let name = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| Failed(format!("cannot read {name}: {error}")))?;
    let played = played(agents, &text, preludes(path));
    let played = played.map_err(|(line, what)| Failed(format!("{name}:{line}: {what}")))?;
    if played.facts.is_empty() {
        return Err(Failed(format!("{name}:1: {NOTHING}")));
    }
    Ok(played)
}

fn played(
    agents: &Agents,
    text: &str,
    preludes: impl Fn(&str) -> Option<String>,
) -> Result<Played, (usize, String)> {
    let files = |name: &str| Some(agents.files.get(name)?.clone().into_iter().collect());
    play_with(text, files, preludes).map_err(|why| (why.line, why.what))
}

fn show(blueprint: &str, at: SessionTime, reply: ReplyId, brief: &Brief) {
    say(STRONG, &format!("{blueprint}: what the model is told for reply #{} at {at}", reply.0));
    for (block, words) in &brief.prompt.blocks {
        say(STRONG, &format!("\n# {block:?}"));
        say(PLAIN, words.trim());
    }
    say(STRONG, "\nThe conversation");
    for (who, text) in &brief.lines {
        let who = match who {
            Speaker::Interviewer => "Interviewer",
            Speaker::Candidate => "Candidate",
        };
        say(PLAIN, &format!("{who}: {text}"));
    }
    say(STRONG, "\nThe tools");
    say(
        PLAIN,
        if brief.tools.is_empty() { "none".to_owned() } else { brief.tools.join(", ") }.as_str(),
    );
    let Length { blocks, prompt, lines, tools } = &brief.length();
    let row = |name: &str, tokens: usize| vec![name.to_owned(), tokens.to_string()];
    let mut rows: Vec<_> =
        blocks.iter().map(|(block, tokens)| row(&format!("{block:?}"), *tokens)).collect();
    rows.push(row("prompt", *prompt));
    rows.push(row("conversation", *lines));
    rows.push(row("tools", *tools));
    rows.push(row("total", brief.length().total()));
    say(STRONG, "\nTokens, about: four characters each");
    say(PLAIN, table(&rows).trim_end());
}

/// A row for each blueprint: how many replies, the mean and the longest prompt, the same with conversation
/// and tools.
fn lengths(agents: &Agents, scenarios: &[PathBuf]) -> Result<(), Failed> {
    let mut all: BTreeMap<String, Vec<Length>> = BTreeMap::new();
    let openings = agents.files.keys().map(|name| opening(agents, name));
    for played in openings.chain(scenarios.iter().map(|path| at_scenario(agents, path))) {
        let Played { blueprint, briefs, .. } = played?;
        all.entry(blueprint).or_default().extend(briefs.iter().map(|(_, _, b)| b.length()));
    }
    let total: Vec<Length> = all.values().flatten().cloned().collect();
    let mut rows: Vec<_> = all.iter().map(|(name, lengths)| row(name, lengths)).collect();
    rows.push(row("all", &total));
    let head = ["", "replies", "prompt mean", "max", "all that it reads mean", "max"];
    rows.insert(0, head.map(str::to_owned).to_vec());
    say(PLAIN, table(&rows).trim_end());
    say(FAINT, "Tokens, about: four characters each.");
    Ok(())
}

fn row(name: &str, lengths: &[Length]) -> Vec<String> {
    let mean_and_max = |of: fn(&Length) -> usize| {
        let mean = lengths.iter().map(of).sum::<usize>() / lengths.len().max(1);
        [mean, lengths.iter().map(of).max().unwrap_or(0)].map(|n| n.to_string())
    };
    let mut row = vec![name.to_owned(), lengths.len().to_string()];
    row.extend(mean_and_max(|length| length.prompt));
    row.extend(mean_and_max(Length::total));
    row
}
