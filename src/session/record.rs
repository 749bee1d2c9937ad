//! Both sides' sound, on its way to the recording.

use std::path::Path;

use crate::{clock::Clock, listen::Listen, recording::Recorder, speak::Mouth};

/// Begins to record both sides. An interview whose sound cannot be kept goes on.
pub(super) fn record(
    path: &Path,
    clock: Clock,
    listen: &mut Listen,
    mouth: &Mouth,
) -> Option<Recorder> {
    match Recorder::start(path, clock) {
        Ok(recorder) => {
            listen.tap(Box::new(recorder.candidate()));
            mouth.tap(Box::new(recorder.interviewer()));
            Some(recorder)
        }
        Err(why) => {
            tracing::error!(%why, "the recording did not begin, the interview goes on");
            None
        }
    }
}
