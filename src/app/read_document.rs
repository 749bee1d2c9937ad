//! `vivavoce read-document`: one document, in a process that may take so much and no more (K05).

use std::io::{Read as _, Write as _, stdin, stdout};

use documents::BYTES_MAX;

use super::Failed;
use crate::reading::{Answer, Limits};

/// Prints the text of the document on stdin as JSON.
pub fn read_document(name: &str, limits: &Limits) -> Result<(), Failed> {
    // What would be printed is nothing for whoever chose the file.
    std::panic::set_hook(Box::new(|_| {}));
    limits.hold()?;
    let mut bytes = Vec::new();
    let most = BYTES_MAX as u64 + 1;
    let failed =
        |why: &dyn std::fmt::Display| Failed(format!("cannot pass the document on: {why}"));
    stdin().lock().take(most).read_to_end(&mut bytes).map_err(|why| failed(&why))?;
    let text = documents::read(name, &bytes).map_err(|why| Failed(why.to_string()))?;
    let answer = Answer::from(text);
    let json = serde_json::to_vec(&answer).map_err(|why| failed(&why))?;
    stdout().lock().write_all(&json).map_err(|why| failed(&why))
}

impl Limits {
    /// Holds this process to the limits. A crash leaves no copy of its memory either: the document is in it.
    #[cfg(target_os = "linux")]
    fn hold(&self) -> Result<(), Failed> {
        use rustix::process::{Resource, Rlimit, setrlimit};

        let limits = [
            (Resource::As, self.memory_bytes),
            (Resource::Cpu, self.cpu_seconds()),
            (Resource::Core, 0),
        ];
        for (resource, most) in limits {
            let limit = Rlimit { current: Some(most), maximum: Some(most) };
            setrlimit(resource, limit)
                .map_err(|why| Failed(format!("cannot limit what reading takes: {why}")))?;
        }
        Ok(())
    }

    /// Elsewhere only the time is limited, by the process that started this one.
    #[cfg(not(target_os = "linux"))]
    fn hold(&self) -> Result<(), Failed> {
        Ok(())
    }
}
