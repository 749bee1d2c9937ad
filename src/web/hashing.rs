//! The memory in which passwords are hashed: a block of 19 MiB for each that is hashed at once, allocated
//! when it is needed first and kept. Whoever tries many passwords waits, and takes no more.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::{
        Error, Result,
        phc::{Output, ParamsString, PasswordHash, Salt},
        try_generate_salt,
    },
};
use tokio::sync::{AcquireError, Semaphore, SemaphorePermit};

/// Hashed at once; each takes a core for a while.
const AT_ONCE_MAX: usize = 2;

/// The memory of this process.
pub(super) static MEMORY: Memory = Memory::new();

/// Memory to hash passwords in, and the places to do so.
pub(super) struct Memory {
    places: Semaphore,
    idle: Mutex<Vec<Vec<Block>>>,
    /// How often memory was allocated.
    allocated: AtomicUsize,
}

/// A place to hash one password, with its memory. Both are free again when this is dropped.
pub(super) struct Place {
    memory: &'static Memory,
    blocks: Vec<Block>,
    _permit: SemaphorePermit<'static>,
}

impl Memory {
    const fn new() -> Self {
        let places = Semaphore::const_new(AT_ONCE_MAX);
        Self { places, idle: Mutex::new(Vec::new()), allocated: AtomicUsize::new(0) }
    }

    /// Waits for a place. It belongs to the thread that hashes: a request that goes away meanwhile leaves no
    /// place behind that is free though its thread still works.
    pub(super) async fn place(&'static self) -> std::result::Result<Place, AcquireError> {
        let permit = self.places.acquire().await?;
        let blocks = self.idle().pop().unwrap_or_default();
        Ok(Place { memory: self, blocks, _permit: permit })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Vec<Block>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// The hash of a password, with a salt of its own.
    pub(super) fn hash(&mut self, password: &[u8]) -> Result<PasswordHash> {
        let (algorithm, version, params) =
            (Algorithm::default(), Version::default(), Params::default());
        let salt = Salt::new(&try_generate_salt()?)?;
        let shown = ParamsString::try_from(&params)?;
        let output = self.output(algorithm, version, params, password, &salt)?;
        Ok(PasswordHash {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: shown,
            salt: Some(salt),
            hash: Some(output),
        })
    }

    /// Whether a hash is that of a password, by the parameters that the hash names.
    pub(super) fn is_right(&mut self, password: &[u8], hash: &PasswordHash) -> Result<bool> {
        let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else { return Ok(false) };
        let algorithm = Algorithm::try_from(hash.algorithm.as_str())?;
        let version = hash.version.map(Version::try_from).transpose()?.unwrap_or_default();
        let params = Params::try_from(hash)?;
        // Outputs are compared in constant time.
        Ok(self.output(algorithm, version, params, password, salt)? == *expected)
    }

    fn output(
        &mut self,
        algorithm: Algorithm,
        version: Version,
        params: Params,
        password: &[u8],
        salt: &[u8],
    ) -> Result<Output> {
        let needed = params.block_count();
        if self.blocks.len() < needed {
            self.memory.allocated.fetch_add(1, Relaxed);
            self.blocks.resize(needed, Block::new());
        }
        let mut buffer = [0; Output::MAX_LENGTH];
        let length = params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN);
        let output = buffer.get_mut(..length).ok_or(Error::OutputSize)?;
        let argon2 = Argon2::new(algorithm, version, params);
        argon2.hash_password_into_with_memory(password, salt, output, &mut self.blocks)?;
        Ok(Output::new(output)?)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.memory.idle().push(std::mem::take(&mut self.blocks));
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use tokio::task::spawn_blocking;

    use super::*;

    /// 15.1.3: however many passwords are tried at once, memory is allocated for two of them, once, and it is
    /// what they are hashed in.
    #[tokio::test]
    async fn memory_is_allocated_once() {
        static MEMORY: Memory = Memory::new();
        let hash = MEMORY.place().await.unwrap().hash(b"correct horse").unwrap();
        let tries = (0..8).map(|n| {
            let hash = hash.clone();
            async move {
                let mut place = MEMORY.place().await.unwrap();
                let password = if n % 2 == 0 { "correct horse" } else { "guessed" };
                spawn_blocking(move || place.is_right(password.as_bytes(), &hash)).await.unwrap()
            }
        });
        let right: Vec<bool> =
            join_all(tries).await.into_iter().map(|tried| tried.unwrap()).collect();
        assert_eq!(right, [true, false].repeat(4));
        assert_eq!(MEMORY.allocated.load(Relaxed), AT_ONCE_MAX);
        let idle = MEMORY.idle();
        let is_zero = |block: &Block| AsRef::<[u64]>::as_ref(block).iter().all(|word| *word == 0);
        let is_used = |blocks: &Vec<Block>| !blocks.iter().any(is_zero);
        assert_eq!(idle.len(), AT_ONCE_MAX);
        assert!(idle.iter().all(is_used), "they were hashed elsewhere");
    }

    /// U01: a hash made by other parameters, as an earlier version may have, still opens to its password.
    #[tokio::test]
    async fn other_parameters_are_read_from_the_hash() {
        use argon2::PasswordHasher;
        static MEMORY: Memory = Memory::new();
        for (kib, passes, length) in [(64, 1, 16), (32 * 1024, 1, 64)] {
            let params = Params::new(kib, passes, 1, Some(length)).unwrap();
            let hash = Argon2::from(params).hash_password(b"correct horse").unwrap();
            let mut place = MEMORY.place().await.unwrap();
            assert_eq!(place.is_right(b"correct horse", &hash), Ok(true), "{kib}");
            assert_eq!(place.is_right(b"guessed", &hash), Ok(false), "{kib}");
        }
    }
}
