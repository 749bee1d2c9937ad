//! Both sides' sound, on its way to the recording.

use std::path::Path;

use crate::{clock::Clock, listen::Listen, recording::Recorder, speak::Mouth};

/// Begins to record both sides, or goes on with the recording of an interview that was begun before. An
/// interview whose sound cannot be kept goes on.
pub(super) fn record(
    path: &Path,
    goes_on: bool,
    clock: Clock,
    listen: &mut Listen,
    mouth: &Mouth,
) -> Option<Recorder> {
    let recorder = match goes_on {
        true => Recorder::go_on(path, clock),
        false => Recorder::start(path, clock),
    };
    match recorder {
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
