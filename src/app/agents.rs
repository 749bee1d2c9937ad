//! The blueprints there are: a folder on disk if there is one, else those in the binary.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    Failed, embedded,
    folder::{self, name_of},
    languages,
    out::{PLAIN, say},
    roles,
};
use crate::{
    blueprint::{Blueprint, HEAD, Problem},
    interview::understanding::duplicate::is_duplicate,
    providers::{kind::Role, kinds::Providers, speech::Chain},
    web::BlueprintCheck,
};

/// The folder of documents to try a blueprint with.
const SAMPLE: &str = "sample";
/// Folders of blueprints: all of them are read at the start, and kept.
const BLUEPRINTS_MAX: usize = 1_000;

/// The texts of one blueprint's folder, by file name.
pub(super) type Files = BTreeMap<String, String>;

/// Blueprints by name, each checked.
pub(super) struct Agents {
    /// The texts of each.
    pub(super) files: BTreeMap<String, Files>,
    /// What they say.
    pub(super) blueprints: BTreeMap<String, Blueprint>,
}

impl Agents {
    /// Those in `dir`, else in the folder `agents` here, else in the binary. All their problems are told at
    /// once.
    pub(super) fn load(dir: Option<&Path>) -> Result<Self, Failed> {
        let here = PathBuf::from("agents");
        let files = match dir {
            Some(dir) => on_disk(dir)?,
            None if here.is_dir() => on_disk(&here)?,
            None => in_binary(),
        };
        let (mut blueprints, mut problems) = (BTreeMap::new(), Vec::new());
        for (name, files) in &files {
            let texts: Vec<_> = files.clone().into_iter().collect();
            match Blueprint::load(&texts) {
                Ok(blueprint) => {
                    let alike = alike(&blueprint, files);
                    problems.extend(alike.iter().map(|wrong| format!("{name}/{wrong}")));
                    blueprints.insert(name.clone(), blueprint);
                }
                Err(found) => problems.extend(found.iter().map(|wrong| format!("{name}/{wrong}"))),
            }
        }
        if problems.is_empty() {
            Ok(Self { files, blueprints })
        } else {
            Err(Failed(problems.join("\n")))
        }
    }

    /// The same, if there are all providers that they choose by name. All problems are told at once.
    pub(super) fn with_providers(self, providers: &Providers) -> Result<Self, Failed> {
        let of_one = |(name, blueprint): (&String, &Blueprint)| {
            let wrong = wrong_providers(blueprint, &self.files[name], providers);
            wrong.into_iter().map(|wrong| format!("{name}/{wrong}")).collect::<Vec<_>>()
        };
        let problems: Vec<_> = self.blueprints.iter().flat_map(of_one).collect();
        if problems.is_empty() { Ok(self) } else { Err(Failed(problems.join("\n"))) }
    }

    /// The name of the blueprint that a command asks for, else of the `configured` one.
    pub(super) fn chosen<'a>(
        &self,
        wanted: Option<&'a str>,
        configured: &'a str,
    ) -> Result<&'a str, Failed> {
        let name = wanted.unwrap_or(configured);
        if self.files.contains_key(name) {
            return Ok(name);
        }
        let known = self.files.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        Err(Failed(match wanted {
            Some(_) => format!("there is no blueprint \"{name}\"; there are: {known}"),
            None => format!(
                "worker.blueprint names \"{name}\", which does not exist; there are: {known}; \
                    choose one with \
                 --blueprint where a command has it, or for all of them with VIVAVOCE_WORKER__BLUEPRINT"
            ),
        }))
    }
}

/// The providers that a blueprint chooses by name.
pub(super) fn chosen_providers(blueprint: &Blueprint) -> Vec<(Role, Chain)> {
    let speech = &blueprint.speech;
    let named = |role: &Role| match role {
        Role::Vad => &speech.vad,
        Role::TurnDetector => &speech.turn_detector,
        Role::Stt => &speech.stt,
        Role::Llm => &speech.llm,
        Role::Tts => &speech.tts,
    };
    let chosen = Role::ALL.into_iter().filter(|role| !named(role).is_empty());
    chosen.map(|role| (role, Chain::new(named(&role).clone()))).collect()
}

/// What is wrong with the providers that a blueprint chooses.
fn wrong_providers(blueprint: &Blueprint, texts: &Files, providers: &Providers) -> Vec<Problem> {
    let wrong = |(role, chain): (Role, Chain)| {
        let what = format!("`speech.{}` {}", role.key(), chain.check(role, providers).err()?);
        let text = texts.get(HEAD).map_or("", String::as_str);
        let lines = text.lines().enumerate().skip_while(|(_, line)| line.trim() != "[speech]");
        let at = lines.into_iter().find(|(_, line)| line.trim_start().starts_with(role.key()));
        Some(Problem { file: HEAD.to_owned(), line: at.map_or(1, |(n, _)| n + 1), what })
    };
    chosen_providers(blueprint).into_iter().filter_map(wrong).collect()
}

/// What is checked in a blueprint that somebody saves in the web, beside what is wrong with its files: the
/// same as in one of a folder.
pub(super) fn saved_check(providers: Providers) -> BlueprintCheck {
    BlueprintCheck::new(move |blueprint, files| {
        let texts: Files = files.iter().cloned().collect();
        let mut problems = alike(blueprint, &texts);
        problems.extend(wrong_providers(blueprint, &texts, &providers));
        problems
    })
}

/// Of two questions that are alike the guards let only the first be asked (A02).
fn alike(blueprint: &Blueprint, texts: &Files) -> Vec<Problem> {
    let mut before: Vec<&str> = Vec::new();
    let mut problems = Vec::new();
    for agent in &blueprint.agents {
        let file = format!("{}.md", agent.name);
        for question in &agent.questions {
            let other = before.iter().find(|other| is_duplicate(question, [**other]));
            if let Some(other) = other {
                let text = texts.get(&file).map_or("", String::as_str);
                let at = text.rfind(question.as_str()).unwrap_or_default();
                let line = 1 + text[..at].matches('\n').count();
                let what =
                    format!("\"{question}\" is too much like \"{other}\": it would never be asked");
                problems.push(Problem { file: file.clone(), line, what });
            }
            before.push(question);
        }
    }
    problems
}

/// `vivavoce check`: prints what blueprints there are, or fails with every problem in them and in the roles.
pub fn check(
    dir: Option<&Path>,
    roles: Option<&Path>,
    providers: &Providers,
) -> Result<(), Failed> {
    let agents = Agents::load(dir).and_then(|agents| agents.with_providers(providers));
    let languages = languages::Languages::load(dir).and_then(|languages| languages.check());
    let rest = [roles::load(roles).err(), languages.err()].into_iter().flatten();
    let rest: Vec<_> = rest.map(|Failed(why)| why).collect();
    let agents = match agents {
        Ok(agents) if rest.is_empty() => agents,
        Ok(_) => return Err(Failed(rest.join("\n"))),
        Err(Failed(why)) => {
            return Err(Failed([why].into_iter().chain(rest).collect::<Vec<_>>().join("\n")));
        }
    };
    for (name, blueprint) in agents.blueprints {
        let stages: Vec<_> = blueprint.agents.iter().map(|agent| agent.title.as_str()).collect();
        say(PLAIN, &format!("{name}: {}", stages.join(" → ")));
    }
    Ok(())
}

fn on_disk(dir: &Path) -> Result<BTreeMap<String, Files>, Failed> {
    let unreadable =
        |error| Failed(format!("cannot read the blueprints in {}: {error}", dir.display()));
    let mut folders = BTreeMap::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() && is_blueprint(&name_of(&path)) {
            if folders.len() >= BLUEPRINTS_MAX {
                let what = format!("there are more than {BLUEPRINTS_MAX} of them");
                return Err(unreadable(io::Error::other(what)));
            }
            let texts = folder::texts(&path).map_err(unreadable)?;
            folders.insert(name_of(&path), texts.into_iter().collect());
        }
    }
    if folders.is_empty() && dir.join(HEAD).exists() {
        return Err(Failed(format!(
            "{} is a blueprint itself: name the folder that it is in",
            dir.display()
        )));
    }
    if folders.is_empty() {
        return Err(Failed(format!(
            "there are no blueprints in {}: each is a folder with a blueprint.toml",
            dir.display()
        )));
    }
    Ok(folders)
}

/// Whether a folder of this name is a blueprint. `.git`, a ConfigMap's `..data`: such folders are other
/// programs'.
fn is_blueprint(folder: &str) -> bool {
    folder != languages::FOLDER && !folder.starts_with('.')
}

fn in_binary() -> BTreeMap<String, Files> {
    let folders = embedded::folders().into_iter().filter(|folder| is_blueprint(folder));
    folders.map(|folder| (folder.clone(), embedded::texts_in(&folder))).collect()
}

/// The documents that a blueprint brings to try it with, as text, by file name: those in its folder `sample`.
/// One that cannot be read is left out.
pub(super) fn sample(dir: Option<&Path>, blueprint: &str) -> Vec<(String, String)> {
    let here = Path::new("agents");
    let on_disk = dir.or_else(|| here.is_dir().then_some(here));
    let files: BTreeMap<String, Vec<u8>> = match on_disk {
        Some(dir) => folder::documents(&dir.join(blueprint).join(SAMPLE)).into_iter().collect(),
        None => embedded::files_in(&format!("{blueprint}/{SAMPLE}")).collect(),
    };
    let text = |(name, bytes): (String, Vec<u8>)| match documents::read(&name, &bytes) {
        Ok(read) => Some((name, read.text)),
        Err(why) => {
            tracing::warn!(%why, "a sample document is left out");
            None
        }
    };
    files.into_iter().filter_map(text).collect()
}
