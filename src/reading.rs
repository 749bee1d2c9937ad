//! Documents are read in processes of their own, with limits: what is in a file can make it slow or large,
//! or break whoever reads it (K05).

use std::{
    io,
    os::unix::process::ExitStatusExt,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    sync::Arc,
    time::Duration,
};

use documents::{Fault, Problem, Text};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, Command},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tracing::{info, warn};

/// So many documents are read at once.
const READ_AT_ONCE_MAX: usize = 2;
/// So many are read, wait to be, or are still coming in.
const TAKEN_MAX: usize = 10;
/// No text takes so many bytes as JSON.
const ANSWER_MAX_BYTES: u64 = 4 * 1024 * 1024;
/// No sentence takes so many.
const SENTENCE_MAX_BYTES: u64 = 4 * 1024;
/// A file's name has at most so many characters; of a longer one the end counts.
const NAME_MAX_CHARS: usize = 255;
/// The signal for too much work, `SIGXCPU`, and the one that nobody can refuse, `SIGKILL`, which the system
/// sends when memory runs out.
const TOO_MUCH_WORK: i32 = 24;
const KILLED: i32 = 9;

/// Reads documents, each in a process of its own.
#[derive(Debug)]
pub struct Reader {
    program: PathBuf,
    limits: Limits,
    taken: Arc<Semaphore>,
    at_once: Semaphore,
}

/// A place for one document, from its first byte on. It is free again when this is dropped.
#[derive(Debug)]
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

/// What reading a document may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From its start to its end, and of work.
    pub time: Duration,
    /// Of addresses that the process has, the program's own among them.
    pub memory_bytes: u64,
}

impl Default for Limits {
    /// The longest Word document that is unpacked takes a third of this memory.
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory_bytes: 512 * 1024 * 1024 }
    }
}

impl Limits {
    /// Of work in whole seconds, as systems count it.
    pub(crate) fn cpu_seconds(&self) -> u64 {
        self.time.as_secs_f64().ceil().max(1.0) as u64
    }
}

/// What the process that reads says on its stdout.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The text; never empty.
    pub text: String,
    /// How many characters it has.
    pub characters: usize,
    /// Whether there was more, which was left out.
    pub cut: bool,
    /// What else was not read, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<String>,
}

impl From<Text> for Answer {
    fn from(Text { text, characters, cut, passed_over }: Text) -> Self {
        let passed_over = passed_over.iter().map(ToString::to_string).collect();
        Self { text, characters, cut, passed_over }
    }
}

/// Why a document was not read.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// There is something wrong with it: a sentence for whoever chose it.
    #[error("{0}")]
    Document(String),
    /// Too many others are read and wait to be.
    #[error("Too many documents are being read: try again in a moment.")]
    Busy,
    /// Our side failed.
    #[error("The document could not be read on our side: try again, or add its text.")]
    Failed(#[from] io::Error),
}

impl Reader {
    /// `program` is this program, which is started as `read-document`.
    pub fn new(program: PathBuf, limits: Limits) -> Self {
        let taken = Arc::new(Semaphore::new(TAKEN_MAX));
        Self { program, limits, taken, at_once: Semaphore::new(READ_AT_ONCE_MAX) }
    }

    /// A place for a document, to be taken before its bytes are: those who wait hold them in memory.
    pub fn place(&self) -> Result<Place, Unread> {
        let permit = self.taken.clone().try_acquire_owned().map_err(|_| Unread::Busy)?;
        Ok(Place { _permit: permit })
    }

    /// The text of a document that is there already, as [`Reader::read_at`] has it.
    pub async fn read(&self, name: &str, bytes: &[u8]) -> Result<Answer, Unread> {
        self.read_at(self.place()?, name, bytes).await
    }

    /// The text of a document. Waits while two others are read. When this is dropped the process ends.
    pub async fn read_at(&self, _place: Place, name: &str, bytes: &[u8]) -> Result<Answer, Unread> {
        let _at_once = self.at_once.acquire().await.map_err(|_| Unread::Busy)?;
        let mut child = self.start(name)?;
        let Ok(said) = timeout(self.limits.time, hear(&mut child, bytes)).await else {
            child.kill().await?;
            warn!("reading a document took too long and was stopped");
            return Err(document(name, Fault::TooSlow));
        };
        let answer = said?.answer(name);
        match &answer {
            Ok(answer) => info!(characters = answer.characters, "document read"),
            Err(_) => info!("document refused"),
        }
        answer
    }

    fn start(&self, name: &str) -> io::Result<Child> {
        let Limits { memory_bytes, .. } = self.limits;
        Command::new(&self.program)
            .arg("read-document")
            .args(["--memory-bytes", &memory_bytes.to_string()])
            .args(["--seconds", &self.limits.cpu_seconds().to_string()])
            .args(["--", &argument(name)])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
    }
}

/// What a process said until its end.
struct Said {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    status: ExitStatus,
}

/// Gives the document to the process, and hears it to its end, or as far as an answer can go.
async fn hear(child: &mut Child, bytes: &[u8]) -> io::Result<Said> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (mut answer, mut sentence) = (Vec::new(), Vec::new());
    let ((), stdout, stderr) = tokio::join!(
        give(stdin, bytes),
        async {
            let stdout = stdout.ok_or(io::ErrorKind::BrokenPipe)?;
            stdout.take(ANSWER_MAX_BYTES).read_to_end(&mut answer).await
        },
        async {
            let stderr = stderr.ok_or(io::ErrorKind::BrokenPipe)?;
            stderr.take(SENTENCE_MAX_BYTES).read_to_end(&mut sentence).await
        },
    );
    stdout?;
    stderr?;
    Ok(Said { stdout: answer, stderr: sentence, status: child.wait().await? })
}

/// Who has seen enough reads no further: that is no failure.
async fn give(stdin: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(bytes).await;
    }
}

impl Said {
    fn answer(self, name: &str) -> Result<Answer, Unread> {
        let Self { stdout, stderr, status } = self;
        let stderr = String::from_utf8_lossy(&stderr);
        let answer = serde_json::from_slice(&stdout).ok();
        match (status.code(), answer) {
            (Some(0), Some(answer)) => return Ok(answer),
            (Some(1), _) if !stderr.trim().is_empty() => {
                return Err(Unread::Document(stderr.trim().to_owned()));
            }
            (Some(_) | None, _) => {}
        }
        warn!(%status, "reading a document broke off");
        // The standard library says so before it gives up.
        let is_out_of_memory = stderr.contains("memory allocation of");
        Err(document(
            name,
            match status.signal() {
                Some(TOO_MUCH_WORK) => Fault::TooSlow,
                Some(KILLED) => Fault::TooMuchMemory,
                Some(_) | None if is_out_of_memory => Fault::TooMuchMemory,
                Some(_) | None => Fault::Crashed,
            },
        ))
    }
}

fn document(name: &str, fault: Fault) -> Unread {
    Unread::Document(Problem::new(name, fault).to_string())
}

/// A name as an argument: systems take no zero in one, and not any length.
fn argument(name: &str) -> String {
    let mut end: Vec<char> =
        name.chars().rev().filter(|c| *c != '\0').take(NAME_MAX_CHARS).collect();
    end.reverse();
    end.into_iter().collect()
}
