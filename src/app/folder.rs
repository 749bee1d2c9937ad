//! The files of a blueprint's folder, which somebody else may have made: only its own files are read, and no
//! more of them than a blueprint has.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// Bytes of a file of texts. The longest of ours has 9 kB; what it says is a part of prompts.
const TEXT_BYTES_MAX: u64 = 256 * 1024;
/// Bytes of a sample document: as many as one may have that is uploaded.
const DOCUMENT_BYTES_MAX: u64 = 10_000_000;
/// Files that a folder may have; a blueprint has one for each stage and two more.
const FILES_MAX: usize = 200;

/// The files of a folder for which `is_wanted`, by name. What is wrong with one is an error that names it.
fn files(
    folder: &Path,
    bytes_max: u64,
    is_wanted: impl Fn(&Path) -> bool,
) -> io::Result<Vec<(String, io::Result<Vec<u8>>)>> {
    let within = [fs::canonicalize(folder)?];
    let mut files = Vec::new();
    for (n, entry) in fs::read_dir(folder)?.enumerate() {
        if n >= FILES_MAX {
            return Err(io::Error::other(format!(
                "{} has more than {FILES_MAX} files: keep what is no part of a blueprint elsewhere",
                folder.display()
            )));
        }
        let path = entry?.path();
        if !is_wanted(&path) {
            continue;
        }
        let name = name_of(&path);
        let bytes = read(&path, bytes_max, &within)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", shown(&path))));
        files.push((name, bytes));
    }
    Ok(files)
}

/// The texts of a blueprint's folder, by file name.
pub(super) fn texts(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let is_text = |path: &Path| {
        path.extension().is_some_and(|extension| extension == "toml" || extension == "md")
    };
    let mut texts = Vec::new();
    for (name, bytes) in files(folder, TEXT_BYTES_MAX, is_text)? {
        let text = String::from_utf8(bytes?).map_err(|_| {
            let what = "it is not text in UTF-8: save it as such";
            let path = shown(&folder.join(&name));
            io::Error::new(io::ErrorKind::InvalidData, format!("{path}: {what}"))
        })?;
        texts.push((name, text));
    }
    Ok(texts)
}

/// The documents of a folder, by file name. One that cannot be read is left out.
pub(super) fn documents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(files) = files(folder, DOCUMENT_BYTES_MAX, |path| !path.is_dir()) else {
        return Vec::new();
    };
    let read = files.into_iter().filter_map(|(name, bytes)| match bytes {
        Ok(bytes) => Some((name, bytes)),
        Err(why) => {
            tracing::warn!(%why, "a sample document is left out");
            None
        }
    });
    read.collect()
}

/// Reads a file, if it is one and stands within these folders, also if it is linked.
fn read(path: &Path, bytes_max: u64, within: &[PathBuf]) -> io::Result<Vec<u8>> {
    let wrong = |what: String| Err(io::Error::other(what));
    if path.file_name().is_none_or(|name| name.to_str().is_none_or(|it| it.contains(is_odd))) {
        return wrong("its name has characters that no name has: call it otherwise".to_owned());
    }
    let real = fs::canonicalize(path)?;
    if !within.iter().any(|folder| real.starts_with(folder)) {
        return wrong("it links to a file elsewhere: put the file itself here".to_owned());
    }
    // A pipe would be waited for, for ever.
    if !fs::metadata(&real)?.is_file() {
        return wrong("it is no file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(&real)?.take(bytes_max + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > bytes_max {
        true => wrong(format!("it has more than {bytes_max} bytes: make it shorter")),
        false => Ok(bytes),
    }
}

fn is_odd(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A path for a message.
fn shown(path: &Path) -> String {
    path.display().to_string().replace(is_odd, "?")
}

/// The name of a file or folder.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::{ffi::OsStrExt, fs::symlink};

    use super::*;

    /// B01: what somebody may put into a folder, and what is said of it; nothing of it is read, and nothing
    /// is waited for.
    #[test]
    fn hostile_folders_are_refused() {
        let outside = tempfile::tempdir().unwrap();
        let secret = outside.path().join("secret.md");
        fs::write(&secret, "a key").unwrap();
        type Puts<'a> = Box<dyn Fn(&Path) + 'a>;
        let cases: [(&str, Puts<'_>, &str); 11] = [
            ("a link out", Box::new(|at| symlink(&secret, at.join("a.md")).unwrap()), "elsewhere"),
            (
                "a link out by a folder",
                Box::new(|at| {
                    symlink(outside.path(), at.join("in")).unwrap();
                    symlink("in/secret.md", at.join("a.md")).unwrap();
                }),
                "elsewhere",
            ),
            ("a link up", Box::new(|at| symlink("../../secret.md", at.join("a.md")).unwrap()), ""),
            (
                "a link to itself",
                Box::new(|at| symlink("a.md", at.join("a.md")).unwrap()),
                "a.md: ",
            ),
            ("a link to nothing", Box::new(|at| symlink("b", at.join("a.md")).unwrap()), "a.md: "),
            (
                "a device",
                Box::new(|at| symlink("/dev/zero", at.join("a.md")).unwrap()),
                "elsewhere",
            ),
            ("a folder", Box::new(|at| fs::create_dir(at.join("a.md")).unwrap()), "no file"),
            (
                "a pipe",
                Box::new(|at| {
                    let mut make = std::process::Command::new("mkfifo");
                    assert!(make.arg(at.join("a.md")).status().unwrap().success());
                }),
                "no file",
            ),
            (
                "a large file",
                Box::new(|at| {
                    File::create(at.join("a.toml")).unwrap().set_len(1 << 30).unwrap();
                }),
                "more than 262144 bytes",
            ),
            (
                "a name that hides",
                Box::new(|at| fs::write(at.join("a\u{202e}\n.md"), "").unwrap()),
                "a??.md: its name",
            ),
            (
                "a name that is no text",
                Box::new(|at| {
                    let name = std::ffi::OsStr::from_bytes(b"\xff.md");
                    fs::write(at.join(name), "").unwrap();
                }),
                "its name",
            ),
        ];
        for (case, put, says) in cases {
            let folder = tempfile::tempdir().unwrap();
            put(folder.path());
            let error = texts(folder.path()).expect_err(case).to_string();
            assert!(error.contains(says) && !error.contains("a key"), "{case}: {error}");
            assert_eq!(documents(folder.path()).iter().filter(|it| it.1 == b"a key").count(), 0);
        }
    }

    /// B01: a deep folder is not walked, a crowded one is told, and links within the folder are as a
    /// ConfigMap makes them.
    #[test]
    fn folders_are_read_as_they_are_mounted() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        fs::create_dir_all(at.join("deep/".repeat(200))).unwrap();
        fs::create_dir(at.join("..2026")).unwrap();
        fs::write(at.join("..2026/a.md"), "words").unwrap();
        symlink("..2026", at.join("..data")).unwrap();
        symlink("..data/a.md", at.join("a.md")).unwrap();
        assert_eq!(texts(at).unwrap(), [("a.md".to_owned(), "words".to_owned())]);
        for n in 0..=FILES_MAX {
            fs::write(at.join(format!("{n}.md")), "").unwrap();
        }
        let error = texts(at).unwrap_err().to_string();
        assert!(error.contains("more than 200 files"), "{error}");
    }
}
