//! Recorded people in rooms, heard and answered by the worker with its embedded speech: what it understood of
//! them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use serde_json::Value;
use tokio::time::sleep;
use vivavoce::codec::{fixture, wav};
use voiceroom::server::Api;

#[path = "../wer.rs"]
mod wer;

use crate::{
    Bench, OWN, Row, Stage,
    candidate::{Candidate, Door, Over, Utterance},
    percentile,
    stubs::Delays,
    worker::Setup,
};

/// A folder of recordings, each with its words in a `.txt` beside it. Words that end in a full stop are a
/// finished answer; who stops in the middle of a sentence is waited for.
const RECORDINGS: &str = "VIVAVOCE_RECORDINGS";
/// An interview is written to its end so soon after its room was closed.
const CLOSING: Duration = Duration::from_secs(3);

/// Each recording is one answer in a room of its own.
pub(crate) async fn run(bench: &Bench) -> anyhow::Result<Vec<Row>> {
    let folder = env::var_os(RECORDINGS).map(PathBuf::from);
    let folder = folder.with_context(|| format!("{RECORDINGS} names no folder of recordings"))?;
    let setup = Setup { is_embedded: true, ..OWN };
    let stage = bench.stage(Delays::NONE, setup).await?;
    let (mut wrong, mut all, mut early) = (0, 0, 0);
    let (mut finished, mut unfinished) = (Vec::new(), Vec::new());
    let names = fixture::names(&folder);
    for name in &names {
        let text = fs::read_to_string(folder.join(format!("{name}.txt")))?;
        let sound = wav::read(&folder.join(format!("{name}.wav")))?.sound;
        let before = interviews(&bench.out)?;
        let candidate = Candidate::join(
            &Door::of(&stage.server),
            &format!("person-{name}"),
            Utterance::whole(&sound),
        )
        .await?;
        let turn = candidate.turn(Over::Nothing).await;
        leave(&stage, candidate).await?;
        sleep(CLOSING).await;
        let new = interviews(&bench.out)?.into_iter().find(|folder| !before.contains(folder));
        let heard = said(&new.context("the interview left no folder")?)?;
        let (said, understood) = (wer::words(&text), wer::words(&heard));
        let errors = wer::errors(&said, &understood);
        let response = turn.response_ms.unwrap_or(f64::NAN);
        println!(
            "      {errors} of {} words, answered after {response:.0} ms: {heard}",
            said.len()
        );
        (wrong, all) = (wrong + errors, all + said.len());
        early += usize::from(turn.is_early);
        let responses =
            if text.trim_end().ends_with('.') { &mut finished } else { &mut unfinished };
        responses.extend(turn.response_ms.filter(|_| !turn.is_early));
    }
    stage.worker.stop().await?;
    let percent = 100.0 * wrong as f64 / all.max(1) as f64;
    Ok(vec![
        figure("words of recorded people wrong, %", percent, Some(5.0), all),
        figure("recorded people interrupted in a pause", early as f64, Some(0.0), names.len()),
        response("response to a finished sentence, p50 ms", &finished, 50, Some(900.0)),
        response("response to a finished sentence, the longest, ms", &finished, 100, None),
        response("response to one left in its middle, p50 ms", &unfinished, 50, None),
        response("response to one left in its middle, the longest, ms", &unfinished, 100, None),
    ])
}

async fn leave(stage: &Stage, candidate: Candidate) -> anyhow::Result<()> {
    let room = candidate.leave().await;
    Ok(Api::new(stage.server.url(), stage.server.keys()).delete_room(&room).await?)
}

fn response(what: &str, all: &[f64], percent: usize, limit: Option<f64>) -> Row {
    figure(what, percentile(all, percent), limit, all.len())
}

fn figure(what: &str, value: f64, limit: Option<f64>, of: usize) -> Row {
    Row { id: "", what: what.to_owned(), value, limit, of }
}

fn interviews(out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folder = out.join("interviews/interviews");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

/// What the candidate said, by the interview's transcript.
fn said(interview: &Path) -> anyhow::Result<String> {
    let transcript = fs::read_to_string(interview.join("transcript.json"))?;
    let transcript: Value = serde_json::from_str(&transcript)?;
    let lines = transcript["lines"].as_array().context("a transcript has lines")?;
    let theirs = lines.iter().filter(|line| line["speaker"] == "candidate");
    Ok(theirs.filter_map(|line| line["text"].as_str()).collect::<Vec<_>>().join(" "))
}
