//! Whether an interview can be spoken and heard in its language by what is set, and what is said where it
//! cannot.

use std::{fmt, sync::Arc};

use super::{
    Shared,
    blocking::blocking,
    problem::{FieldProblem, Problem},
};
use crate::{
    blueprint::{Accommodations, Blueprint, Language},
    providers::languages::{KnownLanguages, Lacking},
};

/// Finds which languages are known by the recogniser and the voice that a blueprint or the settings choose;
/// nothing where that cannot be said. By default it can not.
#[derive(Clone)]
pub struct SpeechLanguages(Arc<Find>);

type Find = dyn Fn(&Blueprint) -> Option<KnownLanguages> + Send + Sync;

impl SpeechLanguages {
    /// By this function, which may take a second.
    pub fn new(
        find: impl Fn(&Blueprint) -> Option<KnownLanguages> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(find))
    }

    /// What a spoken interview by a blueprint lacks, as a sentence; nothing if it lacks nothing.
    pub(super) fn missing(&self, blueprint: &Blueprint) -> Option<String> {
        let known = (self.0)(blueprint)?;
        Some(sentence(&known, known.lacking(blueprint.language)?))
    }

    /// Refuses an interview that could be neither spoken nor heard, unless its candidate is to type.
    pub(super) fn check(
        &self,
        blueprint: &Blueprint,
        accommodations: Accommodations,
    ) -> Result<(), Problem> {
        let missing = self.missing(blueprint).filter(|_| !accommodations.types);
        let Some(missing) = missing else { return Ok(()) };
        let field = "blueprint".to_owned();
        let message = format!("{missing} Choose that it is held in text alone, or set others.");
        Err(Problem::of_fields(vec![FieldProblem { field, message }]))
    }
}

impl Shared {
    /// Refuses an interview that can be neither spoken nor heard here, unless its candidate is to type.
    pub(super) async fn can_be_held(
        &self,
        blueprint: &Blueprint,
        accommodations: Accommodations,
    ) -> Result<(), Problem> {
        let (languages, blueprint) = (self.site.services.languages.clone(), blueprint.clone());
        blocking(move || languages.check(&blueprint, accommodations)).await
    }
}

impl Default for SpeechLanguages {
    fn default() -> Self {
        Self::new(|_| None)
    }
}

impl fmt::Debug for SpeechLanguages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpeechLanguages")
    }
}

fn sentence(known: &KnownLanguages, lacking: Lacking) -> String {
    let (heard, spoken) = (names(&known.heard), names(&known.spoken));
    match lacking {
        Lacking::Recogniser => {
            format!("The recogniser that is set understands {heard} only.")
        }
        Lacking::Voice => format!("The voice that is set speaks {spoken} only."),
        Lacking::Both if heard == spoken => {
            format!("The voice and the recogniser that are set speak {spoken} only.")
        }
        Lacking::Both => {
            format!(
                "The voice that is set speaks {spoken} only, and the recogniser understands \
                 {heard} only."
            )
        }
    }
}

/// Such as `English and Italian`.
fn names(languages: &[Language]) -> String {
    match languages {
        [] => "other languages".to_owned(),
        all => all.iter().map(|language| language.name()).collect::<Vec<_>>().join(" and "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is missing follows from what recogniser and voice know, in one sentence; nothing is refused where
    /// the candidate types, or nobody can say.
    #[test]
    fn what_is_missing_is_said() {
        use Language::{English, German, Italian};
        let check = |heard: &[Language], spoken: &[Language], language: Language| {
            let known = KnownLanguages { heard: heard.to_vec(), spoken: spoken.to_vec() };
            Some(sentence(&known, known.lacking(language)?))
        };
        let both = "The voice and the recogniser that are set speak English only.";
        assert_eq!(check(&[English], &[English], German).as_deref(), Some(both));
        assert_eq!(check(&[English], &[English], English), None);
        let voice = "The voice that is set speaks English and Italian only.";
        let all = [English, German, Italian];
        assert_eq!(check(&all, &[English, Italian], German).as_deref(), Some(voice));
        let ear = "The recogniser that is set understands German only.";
        assert_eq!(check(&[German], &all, Italian).as_deref(), Some(ear));
        let apart = "The voice that is set speaks German only, and the recogniser understands English only.";
        assert_eq!(check(&[English], &[German], Italian).as_deref(), Some(apart));
    }

    /// An interview that can be neither spoken nor heard is refused at its blueprint, but for a candidate who
    /// types, and where nobody knows what is set.
    #[test]
    fn it_is_refused_unless_it_is_typed() {
        let folder =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/mock-interview-de");
        let mut files = Vec::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
        let german = Blueprint::load(&files).unwrap();
        let known =
            KnownLanguages { heard: vec![Language::English], spoken: vec![Language::English] };
        let english_only = SpeechLanguages::new(move |_| Some(known.clone()));
        let spoken = Accommodations::default();
        let typed = Accommodations { types: true, ..spoken };
        assert!(english_only.missing(&german).unwrap().contains("speak English only"));
        assert!(english_only.check(&german, spoken).is_err());
        assert!(english_only.check(&german, typed).is_ok());
        assert!(SpeechLanguages::default().check(&german, spoken).is_ok());
    }
}
