//! Examples of what candidates say, by language: the files `lang/LANGUAGE.tsv` beside the blueprints, else
//! those in the binary.

use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::Path,
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

/// An example file that was not read yet.
struct ExampleFile {
    /// The file's name, for messages.
    name: String,
    text: String,
}

impl Languages {
    /// The files in the folder of blueprints, and those in the binary for other languages.
    pub(super) fn load(agents_dir: Option<&Path>) -> Result<Self, Failed> {
        let mut files = BTreeMap::new();
        for (name, text) in embedded::texts_in(FOLDER) {
            let path = Path::new(&name);
            if path.extension().is_some_and(|extension| extension == ENDING) {
                insert(&mut files, &format!("{FOLDER}/{name}"), path, text);
            }
        }
        let folder = agents_dir.unwrap_or(Path::new("agents")).join(FOLDER);
        let unreadable = |path: &Path, error| {
            Failed(format!("cannot read the examples in {}: {error}", path.display()))
        };
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self(files)),
            Err(error) => return Err(unreadable(&folder, error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| unreadable(&folder, error))?.path();
            if path.extension().is_some_and(|extension| extension == ENDING) {
                let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
                insert(&mut files, &path.display().to_string(), &path, text);
            }
        }
        Ok(Self(files))
    }

    /// The languages there are.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Reads all files; their problems are told at once.
    pub(super) fn check(&self) -> Result<(), Failed> {
        let read = self.0.values().filter_map(|file| read(&file.name, &file.text).err());
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
        read(&file.name, &file.text)
    }
}

/// Teaches what hears, thinks and speaks to understand words: each language when it is first asked for.
pub(super) fn teach(providers: Registry, agents_dir: Option<&Path>) -> Result<Registry, Failed> {
    let lessons = Lessons::new(agents_dir, When::Waited)?;
    Ok(providers.with_understanding(Arc::new(lessons)))
}

/// The same, while nobody waits for it: until it is learnt, phrases alone are understood. A call that needs
/// the processor gets it first. English begins at once, as most interviews will want it.
pub(super) fn teach_aside(
    providers: Registry,
    agents_dir: Option<&Path>,
) -> Result<Registry, Failed> {
    let lessons = Lessons::new(agents_dir, When::Aside)?;
    lessons.in_language(Language::English);
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
            // The files were checked before.
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

fn insert(files: &mut BTreeMap<String, ExampleFile>, name: &str, path: &Path, text: String) {
    let language = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.insert(language, ExampleFile { name: name.to_owned(), text });
}
