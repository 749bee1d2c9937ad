//! Files that hold a key: how much of one is read, and whether others may read it, too.

use std::{
    fs::{File, Metadata},
    io::{self, Read},
    path::Path,
};

/// Bytes that a file with a key may have: an endless one, such as a device, is none.
const KEY_BYTES_MAX: u64 = 64 * 1024;

/// Reads a key, without white space around it. Everybody's file is read, too, and said to be one in the log:
/// containers mount secrets in ways that nobody can change.
pub(super) fn read(path: &Path, setting: &str) -> io::Result<String> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if let Some(mode) = mode(&about).filter(|mode| about.is_file() && is_everybodys(*mode)) {
        tracing::warn!(
            "everybody on this machine may read {setting} {0} (mode {mode:03o}): run `chmod o= {0}`",
            path.display()
        );
    }
    let mut key = String::new();
    file.take(KEY_BYTES_MAX + 1).read_to_string(&mut key)?;
    match key.len() as u64 > KEY_BYTES_MAX {
        true => Err(io::Error::other(format!("a key has no more than {KEY_BYTES_MAX} bytes"))),
        false => Ok(key.trim().to_owned()),
    }
}

/// Whether others than its owner and its group may read or write a file. Kubernetes mounts secrets for a
/// group (`fsGroup`), which is as it should be.
fn is_everybodys(mode: u32) -> bool {
    mode & 0o006 != 0
}

#[cfg(unix)]
fn mode(about: &Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(about.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P04: what Kubernetes mounts and what `umask 077` makes is a secret; what a plain editor makes is not.
    #[test]
    fn everybodys_files_are_told() {
        for (mode, expected) in [
            (0o400, false),
            (0o440, false),
            (0o600, false),
            (0o640, false),
            (0o660, false),
            (0o750, false),
            (0o604, true),
            (0o444, true),
            (0o644, true),
            (0o666, true),
            (0o602, true),
        ] {
            assert_eq!(is_everybodys(mode), expected, "{mode:o}");
        }
    }

    /// P04: a key is read without its line break; a folder is no key, nor is what has no end.
    #[test]
    fn a_key_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, " secret \n").unwrap();
        assert_eq!(read(&file, "providers.x.api_key_file").unwrap(), "secret");
        std::fs::write(&file, "x".repeat(KEY_BYTES_MAX as usize + 1)).unwrap();
        let error = read(&file, "providers.x.api_key_file").unwrap_err();
        assert!(error.to_string().contains("no more than"), "{error}");
        assert!(read(folder.path(), "providers.x.api_key_file").is_err());
    }
}
