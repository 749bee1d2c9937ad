//! `vivavoce console`: an interview at this machine's own microphone and loudspeaker.

#[cfg(feature = "console")]
mod captions;
#[cfg(feature = "console")]
mod card;
#[cfg(feature = "console")]
mod held;
#[cfg(feature = "console")]
mod screen;

use super::Failed;
use crate::config::Config;

/// Who is interviewed for what, and through which devices.
#[derive(Clone, Debug, Default)]
pub struct Console {
    /// The blueprint, if not the configured one.
    pub blueprint: Option<String>,
    /// The role that they apply for.
    pub role: String,
    /// entry, mid, senior, lead or staff.
    pub level: String,
    /// How they are addressed.
    pub candidate: String,
    /// The microphone, if not the system's own choice: its name, or a part of it that no other has.
    pub input: Option<String>,
    /// The loudspeaker, in the same way.
    pub output: Option<String>,
}

/// Holds an interview; shows captions of both sides and how loud the candidate is.
#[cfg(feature = "console")]
pub async fn console(config: &Config, console: &Console) -> Result<(), Failed> {
    held::hold(config, console).await
}

/// Prints the microphones and loudspeakers there are.
#[cfg(feature = "console")]
pub fn devices() -> Result<(), Failed> {
    card::list()
}

/// Says which program can.
#[cfg(not(feature = "console"))]
pub async fn console(_config: &Config, _console: &Console) -> Result<(), Failed> {
    Err(left_out())
}

/// Says which program can.
#[cfg(not(feature = "console"))]
pub fn devices() -> Result<(), Failed> {
    Err(left_out())
}

#[cfg(not(feature = "console"))]
fn left_out() -> Failed {
    Failed(
        "this program was built without the console, for which it would need the system's sound \
            library: `make console` \
         builds one with it, or `cargo build --release --features console` where libasound2-dev and \
         pkg-config are installed"
            .to_owned(),
    )
}
