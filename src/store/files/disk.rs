use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::store::StoreError;

/// Replaces a file as a whole: whoever reads it, and whoever comes after a crash, sees the old or the new
/// content. The bytes are on disk when this returns.
pub(in crate::store) fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(StoreError::io("write", path, io::ErrorKind::InvalidInput.into()));
    };
    let staging = folder.join(format!(".{}.new", name.to_string_lossy()));
    let written = write_synced(&staging, bytes).and_then(|()| fs::rename(&staging, path));
    if let Err(why) = written {
        let _ = fs::remove_file(&staging);
        return Err(StoreError::io("write", path, why));
    }
    sync_folder(folder)
}

/// A file's content, `None` when it is not there, an error when it has more than `max` bytes.
pub(in crate::store) fn read_limited(path: &Path, max: u64) -> Result<Option<Vec<u8>>, StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(StoreError::io("read", path, why)),
    };
    let mut bytes = Vec::new();
    file.take(max + 1).read_to_end(&mut bytes).map_err(|why| StoreError::io("read", path, why))?;
    if bytes.len() as u64 > max {
        return Err(StoreError::damaged(path, &format!("it has more than {max} bytes")));
    }
    Ok(Some(bytes))
}

/// A new name in a folder survives a power cut only when the folder is synced too.
pub(super) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|why| StoreError::io("write", folder, why))
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file above the limit is refused in a sentence, not read into memory.
    #[test]
    fn a_file_above_the_limit_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), [b'x'; 11]).unwrap();
        assert_eq!(read_limited(file.path(), 11).unwrap().unwrap().len(), 11);
        assert!(
            read_limited(file.path(), 10).unwrap_err().to_string().contains("more than 10 bytes")
        );
    }

    /// What cannot be replaced is one sentence, and no staging file is left behind.
    #[test]
    fn what_cannot_be_replaced_is_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("transcript.json")).unwrap();
        assert!(replace(&folder.path().join("transcript.json"), b"{}").is_err());
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "the folder in its place alone"
        );
        let sentence =
            replace(&folder.path().join("gone/transcript.json"), b"{}").unwrap_err().to_string();
        assert!(sentence.starts_with("could not write gone/transcript.json"), "{sentence}");
    }
}
