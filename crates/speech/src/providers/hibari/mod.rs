//! Hibari, a small English voice that runs in this process: text to phonemes, phonemes to spectra by a
//! network, spectra to sound.
//!
//! Its files come from the package hibari-tts 0.2.1 (Apache-2.0, Maureese Williams). The rules here are
//! those of that package and of Misaki (Apache-2.0, hexgrad), on whose reading of English it is based, in
//! new code; the tables and networks stay in their files.

mod dsp;
mod files;
mod g2p;
mod graph;
mod level;
#[cfg(test)]
pub(super) mod tests;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use rten::ThreadPool;

use self::{
    dsp::{Dsp, Synthesis},
    files::Folder,
    g2p::G2p,
    graph::Graph,
    level::Level,
};
use super::{ProviderError, Retry};

/// The sample rate of the voice.
pub const RATE: u32 = dsp::RATE;
/// The most phonemes of a sentence that is spoken as a whole (ten seconds). A longer one is divided where a
/// clause ends, so that its first sound comes soon.
const CLAUSES_MAX: usize = 150;
/// The most phonemes that the network takes at once.
const PHONEMES_MAX: usize = 400;
/// The number of frames of 12.5 ms that are made at once: few at first, so that sound comes soon.
const FIRST_FRAMES: usize = 64;
const NEXT_FRAMES: usize = 192;

/// The voice, one copy for all interviews.
pub struct Hibari {
    g2p: G2p,
    /// The number of each phoneme.
    vocabulary: BTreeMap<char, i32>,
    graph: Graph,
    dsp: Dsp,
}

/// The thread on which a speaking thread runs its networks.
#[derive(Clone)]
pub struct Worker(Arc<ThreadPool>);

impl Default for Worker {
    fn default() -> Self {
        Self(Arc::new(ThreadPool::with_num_threads(1)))
    }
}

/// The answer of a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Continue.
    On,
    /// Stop.
    Stop,
}

impl Hibari {
    /// Reads and tries the voice of this network. Its tables are in the same folder, named as in the
    /// package. Takes up to 0.5 s.
    pub fn load(network: &Path) -> Result<Arc<Self>, ProviderError> {
        let folder = Folder(network.parent().unwrap_or(Path::new("")));
        let network = network.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let worker = Worker::default();
        let graph = Graph::new(folder.read(network)?);
        let voice = Self {
            graph: graph.map_err(|why| folder.broken(network, &why))?,
            vocabulary: folder.json("vocab.json")?,
            g2p: G2p::load(&folder, &worker.0)?,
            dsp: Dsp::new(),
        };
        let ids = voice.vocabulary.values().copied().max().into_iter().collect();
        let tried = voice.synthesize(ids, &worker, &mut |_| Go::On);
        tried.map_err(|why| folder.broken(network, &why))?;
        Ok(Arc::new(voice))
    }

    /// Speaks a text, piece by piece at [`RATE`], until its end or until the listener stops it. The same
    /// text gives the same samples.
    pub fn speak(
        &self,
        text: &str,
        worker: &Worker,
        listener: &mut dyn FnMut(&[i16]) -> Go,
    ) -> Result<(), ProviderError> {
        for sentence in self.g2p.sentences(text) {
            let phonemes = self.g2p.phonemes(sentence, &worker.0);
            for clause in divided(&phonemes) {
                let said = self.synthesize(self.ids(clause), worker, listener);
                let said = said.map_err(|why| ProviderError {
                    what: format!("the voice Hibari could not say a sentence: {why}"),
                    retry: Retry::Never,
                })?;
                if said == Go::Stop {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn ids(&self, phonemes: &str) -> Vec<i32> {
        phonemes.chars().filter_map(|phoneme| self.vocabulary.get(&phoneme).copied()).collect()
    }

    /// Speaks phonemes by their numbers.
    fn synthesize(
        &self,
        ids: Vec<i32>,
        worker: &Worker,
        listener: &mut dyn FnMut(&[i16]) -> Go,
    ) -> Result<Go, String> {
        if ids.is_empty() {
            return Ok(Go::On);
        }
        let seed = seed(&ids);
        // Both ends are silence.
        let ids = [&[0], &ids[..], &[0]].concat();
        let plan = self.graph.plan(ids, &worker.0)?;
        let mut synthesis = Synthesis::new(&self.dsp, &plan.f0, seed);
        let (mut level, mut sound, mut samples) = (Level::default(), Vec::new(), Vec::new());
        let (mut from, mut count) = (0, FIRST_FRAMES);
        while from < plan.f0.len() {
            let to = (from + count).min(plan.f0.len());
            let parts = self.graph.parts(&plan, from, to, &worker.0)?;
            for frame in 0..to - from {
                synthesis.push(parts.frame(frame), &mut sound);
            }
            level.push(&sound, &mut samples);
            if !samples.is_empty() && listener(&samples) == Go::Stop {
                return Ok(Go::Stop);
            }
            (sound, samples) = (Vec::new(), Vec::new());
            (from, count) = (to, NEXT_FRAMES);
        }
        synthesis.finish(&mut sound);
        level.push(&sound, &mut samples);
        level.finish(&mut samples);
        Ok(if samples.is_empty() { Go::On } else { listener(&samples) })
    }
}

/// Returns the phonemes of a sentence in pieces that are short enough: divided where clauses end, or else
/// between words.
fn divided(phonemes: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), phonemes);
    loop {
        let limit = |phonemes| rest.char_indices().nth(phonemes).map(|(at, _)| at);
        let Some(clauses_end) = limit(CLAUSES_MAX) else { break };
        let longest = limit(PHONEMES_MAX);
        let within = |at: &usize| longest.is_none_or(|longest| *at <= longest);
        let spaces = || rest.match_indices(' ').map(|(at, _)| at).take_while(within);
        let clauses = || spaces().filter(|at| rest[..*at].ends_with([',', ';', ':', '—']));
        let clause =
            clauses().take_while(|at| *at <= clauses_end).last().or_else(|| clauses().next());
        let Some(at) = clause.or_else(|| longest.and(spaces().last())).or(longest) else { break };
        pieces.push(&rest[..at]);
        rest = rest[at..].trim_start();
    }
    pieces.push(rest);
    pieces
}

/// Returns the seed for the noise of a sentence (FNV-1a).
fn seed(ids: &[i32]) -> u64 {
    let mix =
        |hash: u64, id: &i32| (hash ^ u64::from(id.unsigned_abs())).wrapping_mul(0x0100_0000_01b3);
    ids.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
