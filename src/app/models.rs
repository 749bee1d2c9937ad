//! `vivavoce models`: the model files there are, where each comes from, and whether it is there.

use super::{
    Failed,
    out::{BAD, FAINT, GOOD, PLAIN, STRONG, say},
};
use crate::{
    config::{Config, documented},
    providers::{
        ProviderError,
        kind::{Need, Provider},
        models::{self, ModelFile, Models, Source},
        speech::Want,
    },
};

/// Prints every model file. Fails if one that is needed is missing, or one that is there is another file.
pub fn models(config: &Config) -> Result<(), Failed> {
    let folder = folder(config);
    say(
        PLAIN,
        &format!(
            "The folder of models is {}; `make models` fetches what is in packages.",
            folder.folder().display()
        ),
    );
    for file in models::all() {
        show(file, &folder, want(config, file));
    }
    let wanted = packages(config);
    for (title, fetch, check) in packages_of(config.providers.iter().map(|(_, one)| one)) {
        say(STRONG, title);
        say(PLAIN, &format!("  fetch    {fetch}"));
        tell(&check().map_err(|error| error.what), wanted.iter().any(|one| one.0 == title));
    }
    let wrong = wrong(config);
    let there = models::all().iter().filter(|file| folder.check_file(file).is_ok()).count();
    let (all, bad) = (models::all().len(), wrong.len());
    say(PLAIN, &format!("{there} of {all} files are there; {bad} must be mended."));
    if wrong.is_empty() { Ok(()) } else { Err(Failed(wrong.join("\n"))) }
}

/// Prints every setting with its default and what it is.
pub fn settings() {
    say(PLAIN, documented().trim_end());
}

/// What is so with the models in use, or one sentence for each that is not what it should be.
pub(super) fn check(config: &Config) -> Result<String, String> {
    let wrong = wrong(config);
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    let folder = folder(config);
    let needs = config.speech.needs(&config.providers);
    let so = needs.iter().filter(|(_, want)| *want != Want::Unused).filter_map(|(need, _)| {
        let Need::Models { title, paths } = need else { return None };
        let mut files = models::all().iter().filter(|file| paths.contains(&file.path.as_str()));
        Some(match files.try_for_each(|file| folder.check_file(file)) {
            Ok(()) => format!("{title} is there"),
            Err(why) => format!("{title} is not in use ({why})"),
        })
    });
    let so: Vec<String> = so.collect();
    Ok(if so.is_empty() { "none is in use".to_owned() } else { so.join(", ") })
}

fn folder(config: &Config) -> Models {
    Models::new(config.speech.models_dir.as_deref())
}

fn want(config: &Config, file: &ModelFile) -> Want {
    let needs = config.speech.needs(&config.providers);
    let of_file = needs.iter().filter(|(need, _)| match need {
        Need::Models { paths, .. } => paths.contains(&file.path.as_str()),
        Need::Package { .. } => false,
    });
    of_file.map(|(_, want)| *want).max().unwrap_or(Want::Unused)
}

type Package = (&'static str, &'static str, fn() -> Result<(), ProviderError>);

/// The packages of the system that nothing works without.
fn packages(config: &Config) -> Vec<Package> {
    let needs = config.speech.needs(&config.providers);
    let needed = needs.iter().filter(|(_, want)| *want == Want::Needed);
    needed.filter_map(|(need, _)| package(need)).collect()
}

/// The packages that providers need, each once.
fn packages_of<'a>(providers: impl Iterator<Item = &'a Provider>) -> Vec<Package> {
    let mut packages: Vec<_> =
        providers.flat_map(|provider| &provider.needs).filter_map(package).collect();
    packages.dedup_by_key(|package| package.0);
    packages
}

fn package(need: &Need) -> Option<Package> {
    match need {
        Need::Package { title, fetch, check } => Some((title, fetch, *check)),
        Need::Models { .. } => None,
    }
}

/// A sentence for each file that is there and is another one, or is needed and missing.
fn wrong(config: &Config) -> Vec<String> {
    let folder = folder(config);
    let mut wrong: Vec<String> = models::all()
        .iter()
        .filter(|file| folder.path(file).exists() || want(config, file) == Want::Needed)
        .filter_map(|file| folder.check_file(file).err())
        .collect();
    let missing = packages(config).into_iter().filter_map(|(_, _, check)| check().err());
    wrong.extend(missing.map(|error| error.what));
    wrong
}

/// How to get a file, and what is so with it.
fn show(file: &ModelFile, folder: &Models, want: Want) {
    say(STRONG, &file.name);
    let from = match &file.source {
        Source::Npm { package, member } => format!("{member} in the npm package {package}"),
        Source::Pip { package, member } => format!("{member} in the Python package {package}"),
        Source::Url(address) => address.clone(),
    };
    say(PLAIN, &format!("  from     {from}"));
    say(PLAIN, &format!("  file     {}", folder.path(file).display()));
    say(PLAIN, &format!("  size     {} bytes", file.bytes));
    say(PLAIN, &format!("  sha256   {}", file.sha256));
    say(PLAIN, &format!("  licence  {}", file.license));
    let is_wanted = want == Want::Needed || folder.path(file).exists();
    tell(&folder.check_file(file), is_wanted);
}

fn tell(found: &Result<(), String>, is_wanted: bool) {
    match found {
        Ok(()) => say(GOOD, "  ok       it is there"),
        Err(why) if is_wanted => say(BAD, &format!("  FAIL     {why}")),
        Err(_) => say(FAINT, "  -        it is not there"),
    }
}
