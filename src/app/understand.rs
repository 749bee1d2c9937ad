//! `vivavoce understand`: how well labelled texts are understood by their words alone.

use std::{fs, path::Path};

use language::{Understanding, measure::Measured};

use super::{
    Failed,
    languages::{self, Languages},
    out::{FAINT, PLAIN, say},
};

/// What to understand, and how.
#[derive(Clone, Debug)]
pub struct Understand {
    /// The language of the texts; without it the file's name says it.
    pub language: Option<String>,
    /// Whether every text that is taken for something else is printed.
    pub mistakes: bool,
}

/// Prints recall per intent, and false alarms, over a file of labelled texts.
pub fn understand(
    agents_dir: Option<&Path>,
    file: &Path,
    options: &Understand,
) -> Result<(), Failed> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file);
    let text = text.map_err(|error| Failed(format!("cannot read {name}: {error}")))?;
    let examples = languages::read(&name, &text)?;
    let languages = Languages::load(agents_dir)?;
    let understanding = Understanding::learn(&match &options.language {
        Some(language) => languages.examples(language)?,
        None => languages.examples(&named_by(file, &languages)?)?,
    });
    let (measured, mistakes) = Measured::of(&examples, |text| understanding.intent(text));
    if options.mistakes {
        for mistake in mistakes {
            let (is, taken_for) = (mistake.example.intent.label(), mistake.taken_for.label());
            say(FAINT, &format!("{is} taken for {taken_for}: {}", mistake.example.text));
        }
    }
    say(PLAIN, &measured.to_string());
    Ok(())
}

/// The language that a part of a file's name says: `en.tsv`, `candidates-en.tsv`.
fn named_by(file: &Path, languages: &Languages) -> Result<String, Failed> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut parts = stem.split(|c: char| !c.is_alphanumeric()).rev();
    let found = parts.find(|part| languages.names().any(|name| name == *part));
    found.map(str::to_owned).ok_or_else(|| {
        let known = languages.names().collect::<Vec<_>>().join(", ");
        Failed(format!(
            "the name of {} does not say its language: give it with --language, one of {known}",
            file.display()
        ))
    })
}
