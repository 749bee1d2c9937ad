use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{StoreError, files};
use crate::interview::planning::Plan;

/// A plan takes far less.
const PLAN_MAX_BYTES: u64 = 1024 * 1024;

/// Plans that models have made, a file each, by the hash of what they were made from (L07): who asks again
/// gets the same plan.
#[derive(Clone, Debug)]
pub struct Plans {
    folder: PathBuf,
}

impl Plans {
    /// Those of one data folder.
    pub fn of(data: &Path) -> Self {
        Self { folder: data.join("plans") }
    }

    /// The plan of a signature, if one was kept.
    pub async fn read(&self, signature: &str) -> Result<Option<Plan>, StoreError> {
        let (plans, signature) = (self.clone(), signature.to_owned());
        blocking(move || plans.read_now(&signature)).await
    }

    /// Keeps a plan; of two that were made at once the first one stands. Returns the one that stands.
    pub async fn keep(&self, plan: Plan) -> Result<Plan, StoreError> {
        let plans = self.clone();
        blocking(move || plans.keep_now(plan)).await
    }

    fn read_now(&self, signature: &str) -> Result<Option<Plan>, StoreError> {
        let Some(path) = self.path(signature) else { return Ok(None) };
        let Some(bytes) = files::read_limited(&path, PLAN_MAX_BYTES)? else { return Ok(None) };
        let plan = serde_json::from_slice(&bytes);
        plan.map(Some).map_err(|why| StoreError::damaged(&path, &why.to_string()))
    }

    fn keep_now(&self, plan: Plan) -> Result<Plan, StoreError> {
        let Some(path) = self.path(&plan.signature) else { return Ok(plan) };
        let failed = |why| StoreError::io("write", &path, why);
        fs::create_dir_all(&self.folder)
            .map_err(|why| StoreError::io("make", &self.folder, why))?;
        let own = self.folder.join(format!(".{}.{:016x}", plan.signature, rand::random::<u64>()));
        let text = serde_json::to_vec_pretty(&plan).expect("plain data serializes");
        files::replace(&own, &text)?;
        let linked = fs::hard_link(&own, &path);
        let is_there = linked.as_ref().is_err_and(|why| why.kind() == io::ErrorKind::AlreadyExists);
        let kept = if is_there { self.read_now(&plan.signature).unwrap_or(None) } else { None };
        let is_damaged = is_there && kept.is_none();
        let done = match linked {
            Ok(()) => fs::remove_file(&own),
            Err(_) if is_damaged => fs::rename(&own, &path),
            Err(_) if is_there => fs::remove_file(&own),
            Err(why) => Err(why),
        };
        done.map_err(failed)?;
        Ok(kept.unwrap_or(plan))
    }

    /// Where it is; nothing for what is no hash, which may come from anybody.
    fn path(&self, signature: &str) -> Option<PathBuf> {
        let is_hash = signature.len() == 64 && signature.bytes().all(|b| b.is_ascii_hexdigit());
        is_hash.then(|| self.folder.join(format!("{signature}.json")))
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(StoreError::Ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interview::planning::MadeBy;

    /// L07: a plan that was kept is found by its signature, and the first one stands; no signature leads out
    /// of the folder.
    #[tokio::test]
    async fn plans_are_kept_by_their_signature() {
        let data = tempfile::tempdir().unwrap();
        let plans = Plans::of(data.path());
        let plan = |summary: &str| Plan {
            signature: "0123456789abcdef".repeat(4),
            by: MadeBy::Model,
            questions: Vec::new(),
            topics: Vec::new(),
            summaries: [(String::new(), summary.to_owned())].into(),
        };
        let signature = plan("").signature;
        assert_eq!(plans.read(&signature).await.unwrap(), None);
        assert_eq!(plans.keep(plan("first")).await.unwrap(), plan("first"));
        assert_eq!(plans.keep(plan("second")).await.unwrap(), plan("first"));
        assert_eq!(plans.read(&signature).await.unwrap(), Some(plan("first")));
        assert_eq!(
            fs::read_dir(data.path().join("plans")).unwrap().count(),
            1,
            "nothing is left over"
        );
        fs::write(data.path().join("secret.json"), "{}").unwrap();
        for strange in ["../secret", "", &"../".repeat(22)[..64]] {
            assert_eq!(plans.read(strange).await.unwrap(), None, "{strange}");
        }
        fs::write(data.path().join("plans").join(format!("{signature}.json")), "{").unwrap();
        assert!(plans.read(&signature).await.unwrap_err().to_string().contains(&signature));
        assert_eq!(
            plans.keep(plan("anew")).await.unwrap(),
            plan("anew"),
            "in place of a damaged one"
        );
        assert_eq!(plans.read(&signature).await.unwrap(), Some(plan("anew")));
    }
}
