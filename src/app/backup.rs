//! `vivavoce backup` and `vivavoce restore`: everything that is kept, as one file.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};

use super::{
    Failed,
    out::{PLAIN, say},
};
use crate::{config::Config, database::Database};

/// The database within a backup.
const DUMP: &str = "database.jsonl";
/// Folders of the data folder that are kept.
const FOLDERS: [&str; 2] = ["interviews", "plans"];

/// Writes everything that is kept into one file, while interviews may go on.
pub async fn backup(config: &Config, file: &Path) -> Result<(), Failed> {
    let data = config.data.dir.clone();
    let dump = database(config).dump().await.map_err(|why| Failed(why.to_string()))?;
    let written = write(&data, file, &dump);
    let bytes =
        written.map_err(|why| Failed(format!("could not write {}: {why}", file.display())))?;
    say(
        PLAIN,
        &format!(
            "Everything is in {} ({} kB). Keep it as carefully as the data itself.",
            file.display(),
            bytes / 1024
        ),
    );
    Ok(())
}

/// Takes everything back from a backup, into a data folder and a database that are empty.
pub async fn restore(config: &Config, file: &Path) -> Result<(), Failed> {
    let data = &config.data.dir;
    if let Some(there) = FOLDERS.iter().map(|name| data.join(name)).find(|path| has_content(path)) {
        let (there, data) = (there.display(), data.display());
        return Err(Failed(format!(
            "{there} is not empty, and nothing in it is replaced: choose an empty folder with \
                data.dir, or move {data} away"
        )));
    }
    let failed = |why: io::Error| Failed(format!("could not restore {}: {why}", file.display()));
    fs::create_dir_all(data).map_err(failed)?;
    // First beside the place: a backup that is damaged leaves nothing behind.
    let staging = data.join(".restoring");
    let _ = fs::remove_dir_all(&staging);
    fs::create_dir(&staging).map_err(failed)?;
    let restored = unpack(file, &staging);
    let done = match restored {
        Ok(dump) => take_back(config, &staging, &dump).await,
        Err(why) => Err(failed(why)),
    };
    let _ = fs::remove_dir_all(&staging);
    done?;
    say(PLAIN, &format!("Everything of {} is in {} again.", file.display(), data.display()));
    Ok(())
}

fn database(config: &Config) -> Database {
    Database::new(config.data.url.reveal(), &config.data.dir)
}

fn write(data: &Path, file: &Path, dump: &str) -> io::Result<u64> {
    let mut options = File::options();
    let target = options.write(true).create_new(true).open(file)?;
    let mut archive = tar::Builder::new(GzEncoder::new(target, Compression::fast()));
    append(&mut archive, Path::new(DUMP), dump.len() as u64, dump.as_bytes())?;
    for folder in FOLDERS {
        add(&mut archive, data, Path::new(folder))?;
    }
    let target = archive.into_inner()?.finish()?;
    target.sync_all()?;
    Ok(target.metadata()?.len())
}

/// Adds a folder with all that is in it. What is removed meanwhile is left out; of what grows, as much
/// as is there.
fn add(archive: &mut tar::Builder<impl Write>, data: &Path, folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(data.join(folder)) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let name = folder.join(entry.file_name());
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            add(archive, data, &name)?;
            continue;
        }
        let open = File::open(entry.path()).and_then(|file| Ok((file.metadata()?.len(), file)));
        match open {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {}
            open => {
                let (length, file) = open?;
                append(archive, &name, length, file.take(length))?;
            }
        }
    }
    Ok(())
}

fn append(
    archive: &mut tar::Builder<impl Write>,
    name: &Path,
    length: u64,
    content: impl Read,
) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(length);
    header.set_mode(0o600);
    archive.append_data(&mut header, name, content)
}

/// Unpacks all files, and gives the database's text. No name in a backup leads out of the folder.
fn unpack(file: &Path, into: &Path) -> io::Result<String> {
    let mut archive = tar::Archive::new(GzDecoder::new(File::open(file)?));
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.unpack_in(into)? {
            return Err(io::Error::other("a name in it leads out of its folder"));
        }
    }
    fs::read_to_string(into.join(DUMP))
        .map_err(|_| io::Error::other(format!("it is no backup: there is no {DUMP} in it")))
}

async fn take_back(config: &Config, staging: &Path, dump: &str) -> Result<(), Failed> {
    let database = database(config);
    database.restore(dump).await.map_err(|why| Failed(why.to_string()))?;
    for folder in FOLDERS {
        let (from, to): (PathBuf, PathBuf) = (staging.join(folder), config.data.dir.join(folder));
        if !from.exists() {
            continue;
        }
        // It is there and empty where the web app has run once.
        let _ = fs::remove_dir(&to);
        let failed =
            |why| Failed(format!("could not move {} to {}: {why}", from.display(), to.display()));
        fs::rename(&from, &to).map_err(failed)?;
    }
    Ok(())
}

fn has_content(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}
