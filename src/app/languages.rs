//! Examples of what candidates say, by language: the files `lang/LANGUAGE.tsv` beside the blueprints, else
//! those in the binary.

use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use language::{Example, Problem, Understanding};

use super::{Failed, embedded, memory};
use crate::{
    blueprint::Language,
    providers::registry::{Registry, Understands},
};

/// The folder of the example files, beside the blueprints. It is no blueprint itself.
pub(super) const FOLDER: &str = "lang";
const ENDING: &str = "tsv";
/// The priority of a thread that gives way to all others.
#[cfg(target_os = "linux")]
const LAST: i32 = 19;

/// Example files by language.
pub(super) struct Languages(BTreeMap<String, ExampleFile>);

/// Where an example file is. It is read when it is needed: together they are as large as what is learnt.
enum ExampleFile {
    /// In the binary, by this name in [`FOLDER`].
    Embedded(String),
    Folder(PathBuf),
}

impl Languages {
    /// The files in the folder of blueprints, and those in the binary for other languages.
    pub(super) fn load(agents_dir: Option<&Path>) -> Result<Self, Failed> {
        let embedded = embedded::names_in(FOLDER).map(ExampleFile::Embedded);
        let embedded = embedded.filter(|file| file.path().extension() == Some(ENDING.as_ref()));
        let mut files: BTreeMap<_, _> = embedded.map(|file| (file.language(), file)).collect();
        let folder = agents_dir.unwrap_or(Path::new("agents")).join(FOLDER);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self(files)),
            Err(error) => return Err(unreadable(&folder, error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| unreadable(&folder, error))?.path();
            if path.extension() == Some(ENDING.as_ref()) {
                let file = ExampleFile::Folder(path);
                files.insert(file.language(), file);
            }
        }
        Ok(Self(files))
    }

    /// The languages there are.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Reads the files of the folder; their problems are told at once. Those in the binary were checked
    /// before they came there.
    pub(super) fn check(&self) -> Result<(), Failed> {
        let own = self.0.values().filter(|file| matches!(file, ExampleFile::Folder(_)));
        let read = own.filter_map(|file| file.examples().err());
        let problems: Vec<_> = read.map(|Failed(why)| why).collect();
        if problems.is_empty() { Ok(()) } else { Err(Failed(problems.join("\n"))) }
    }

    /// The examples of a language.
    pub(super) fn examples(&self, language: &str) -> Result<Vec<Example>, Failed> {
        let Some(file) = self.0.get(language) else {
            let known = self.names().collect::<Vec<_>>().join(", ");
            return Err(Failed(format!(
                "there are no examples for the language \"{language}\"; there are some for: {known}"
            )));
        };
        file.examples()
    }
}

impl ExampleFile {
    fn path(&self) -> &Path {
        match self {
            Self::Embedded(name) => Path::new(name),
            Self::Folder(path) => path,
        }
    }

    fn language(&self) -> String {
        self.path().file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn examples(&self) -> Result<Vec<Example>, Failed> {
        match self {
            Self::Embedded(name) => {
                let name = format!("{FOLDER}/{name}");
                let bytes = embedded::file(&name).unwrap_or_default();
                read(&name, &String::from_utf8_lossy(&bytes))
            }
            Self::Folder(path) => {
                let text = fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
                read(&path.display().to_string(), &text)
            }
        }
    }
}

fn unreadable(path: &Path, error: std::io::Error) -> Failed {
    Failed(format!("cannot read the examples in {}: {error}", path.display()))
}

/// Teaches what hears, thinks and speaks to understand words: each language when it is first asked for.
pub(super) fn teach(providers: Registry, agents_dir: Option<&Path>) -> Result<Registry, Failed> {
    let lessons = Lessons::new(agents_dir, When::Waited)?;
    Ok(providers.with_understanding(Arc::new(lessons)))
}

/// The same, while nobody waits for it: until it is learnt, phrases alone are understood. A call that needs
/// the processor gets it first.
pub(super) fn teach_aside(
    providers: Registry,
    agents_dir: Option<&Path>,
) -> Result<Registry, Failed> {
    let lessons = Lessons::new(agents_dir, When::Aside)?;
    Ok(providers.with_understanding(Arc::new(lessons)))
}

/// What is learnt of each language.
struct Lessons {
    languages: Arc<Languages>,
    when: When,
    learnt: Mutex<BTreeMap<Language, Arc<OnceLock<Understanding>>>>,
}

#[derive(Clone, Copy)]
enum When {
    /// Whoever asks waits until it is learnt.
    Waited,
    /// A thread that gives way to all others learns.
    Aside,
}

impl Lessons {
    fn new(agents_dir: Option<&Path>, when: When) -> Result<Self, Failed> {
        let languages = Languages::load(agents_dir)?;
        languages.check()?;
        Ok(Self { languages: Arc::new(languages), when, learnt: Mutex::default() })
    }

    fn learn(&self, language: Language) -> Arc<OnceLock<Understanding>> {
        let learnt = Arc::new(OnceLock::new());
        let (languages, taught) = (self.languages.clone(), learnt.clone());
        let learn = move || {
            // The files were checked before; one that has gone since teaches nothing.
            if let Ok(examples) = languages.examples(language.code()) {
                let _ = taught.set(Understanding::learn(&examples));
            }
        };
        match self.when {
            When::Waited => learn(),
            When::Aside => drop(std::thread::spawn(move || {
                give_way();
                learn();
                memory::give_back();
            })),
        }
        learnt
    }
}

impl Understands for Lessons {
    fn in_language(&self, language: Language) -> Arc<OnceLock<Understanding>> {
        let mut learnt = self.learnt.lock().unwrap_or_else(PoisonError::into_inner);
        learnt.entry(language).or_insert_with(|| self.learn(language)).clone()
    }
}

/// Lets all other threads go first. Where that cannot be, this one goes on all the same.
#[cfg(target_os = "linux")]
fn give_way() {
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), LAST);
}

#[cfg(not(target_os = "linux"))]
fn give_way() {}

/// Reads an example file; `name` is for messages.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<Example>, Failed> {
    Example::read(text).map_err(|problems| {
        let lines = problems.iter().map(|problem: &Problem| format!("{name}:{problem}"));
        Failed(lines.collect::<Vec<_>>().join("\n"))
    })
}
