//! The blueprints that can be launched: those of the folder, overlaid by the newest version in the database
//! of the same name, and those that are in the database alone.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use tracing::warn;

use super::{LaunchableBlueprint, blocking::blocking, problem::Problem};
use crate::{blueprint::Blueprint, database::Database};

/// What can be launched.
pub(super) struct Offered {
    /// Those of the folder, in the order of the form.
    of_folder: Vec<Arc<LaunchableBlueprint>>,
    /// Versions of the database that were read already. None ever changes, so each is read once.
    kept: Mutex<BTreeMap<String, Kept>>,
}

/// A version that was read.
#[derive(Clone)]
struct Kept {
    number: i64,
    /// Nothing if this program cannot read it: an older one may have saved it.
    read: Option<Arc<LaunchableBlueprint>>,
}

impl Offered {
    pub(super) fn new(of_folder: Vec<LaunchableBlueprint>) -> Self {
        let of_folder = of_folder.into_iter().map(Arc::new).collect();
        Self { of_folder, kept: Mutex::default() }
    }

    /// The folder's own text of a blueprint.
    pub(super) fn in_folder(&self, name: &str) -> Option<&Arc<LaunchableBlueprint>> {
        self.of_folder.iter().find(|known| known.name == name)
    }

    /// All of them as they are now, whichever process saved them. A version that cannot be read is left out;
    /// the folder's text takes its place where there is one.
    pub(super) async fn all(
        &self,
        database: &Database,
    ) -> Result<Vec<Arc<LaunchableBlueprint>>, Problem> {
        let mut newest = BTreeMap::new();
        for brief in database.newest_blueprints().await? {
            let kept = self.kept(database, &brief.name, brief.number, &brief.based_on).await?;
            newest.extend(kept.read.map(|read| (brief.name, read)));
        }
        let mut all: Vec<_> = self
            .of_folder
            .iter()
            .map(|known| newest.remove(&known.name).unwrap_or_else(|| known.clone()))
            .collect();
        all.extend(newest.into_values());
        Ok(all)
    }

    /// The one of a name, as it is now.
    pub(super) async fn find(
        &self,
        database: &Database,
        name: &str,
    ) -> Result<Option<Arc<LaunchableBlueprint>>, Problem> {
        Ok(self.all(database).await?.into_iter().find(|known| known.name == name))
    }

    async fn kept(
        &self,
        database: &Database,
        name: &str,
        number: i64,
        based_on: &str,
    ) -> Result<Kept, Problem> {
        let kept = |kept: &BTreeMap<String, Kept>| {
            kept.get(name).filter(|known| known.number == number).cloned()
        };
        if let Some(known) = kept(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(known);
        }
        let version = database.blueprint_version(name, number).await?;
        let files = version.map(|version| read_files(&version.files)).unwrap_or_default();
        let loaded = blocking(move || Ok((Blueprint::load(&files), files))).await?;
        let read = match loaded {
            (Ok(blueprint), files) => {
                let sample = self.in_folder(name).or_else(|| self.in_folder(based_on));
                let sample = sample.map(|known| known.sample.clone()).unwrap_or_default();
                let name = name.to_owned();
                let version = number;
                Some(Arc::new(LaunchableBlueprint { name, version, blueprint, files, sample }))
            }
            (Err(found), _) => {
                let why = found.first().map(ToString::to_string).unwrap_or_default();
                warn!(blueprint = name, number, why, "a saved blueprint cannot be read");
                None
            }
        };
        let known = Kept { number, read };
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(name.to_owned(), known.clone());
        Ok(known)
    }
}

/// The files of a version as the database has them; none if they are damaged.
pub(super) fn read_files(json: &str) -> Vec<(String, String)> {
    serde_json::from_str(json).unwrap_or_else(|why| {
        tracing::error!(%why, "the files of a saved blueprint are damaged");
        Vec::new()
    })
}
