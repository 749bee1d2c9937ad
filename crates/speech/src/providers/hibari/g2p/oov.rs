//! The reading of words that are in no lexicon, by a small network over their letters.

use std::{collections::BTreeMap, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, op_registry};
use rten_tensor::{AsView, Layout, NdTensor};

/// The network with its alphabets.
pub(super) struct Oov {
    model: Model,
    letters: NodeId,
    phonemes: NodeId,
    /// The number of each letter, from 1.
    inputs: BTreeMap<char, i32>,
    /// The phoneme of each number, from 1; 0 means none.
    outputs: Vec<String>,
    length_max: usize,
}

/// The file with the alphabets of the network.
#[derive(serde::Deserialize)]
pub(super) struct Alphabets {
    #[serde(rename = "in")]
    letters: Vec<char>,
    #[serde(rename = "out")]
    phonemes: Vec<String>,
    maxlen: usize,
}

impl Oov {
    /// Loads the network and tries it.
    pub(super) fn new(
        network: Vec<u8>,
        alphabets: Alphabets,
        pool: &Arc<ThreadPool>,
    ) -> Result<Self, String> {
        // The operators of the network; the linker leaves out all others.
        let operators = op_registry!(
            Add,
            ArgMax,
            Cast,
            Concat,
            Div,
            Erf,
            Gather,
            LayerNormalization,
            MatMul,
            Mul,
            Pow,
            Reshape,
            Shape,
            Slice,
            Softmax,
            Transpose,
            Unsqueeze
        );
        let model =
            ModelOptions::with_ops(operators).load(network).map_err(|why| why.to_string())?;
        let ([letters], [phonemes]) = (model.input_ids(), model.output_ids()) else {
            return Err("it has other inputs and outputs".to_owned());
        };
        let (letters, phonemes) = (*letters, *phonemes);
        let inputs =
            (1..).zip(alphabets.letters).map(|(number, letter)| (letter, number)).collect();
        let (outputs, length_max) = (alphabets.phonemes, alphabets.maxlen);
        let oov = Self { model, letters, phonemes, inputs, outputs, length_max };
        oov.run((1..=4).collect(), pool)?;
        Ok(oov)
    }

    /// Returns the phonemes of a word; `None` if it has no letters that the network knows.
    pub(super) fn read(&self, word: &str, pool: &Arc<ThreadPool>) -> Option<String> {
        let letters = word.chars().filter_map(|letter| self.inputs.get(&letter).copied());
        let letters: Vec<i32> = letters.take(self.length_max).collect();
        if letters.is_empty() {
            return None;
        }
        // It cannot fail: it ran when it was loaded, with letters of the same kind.
        let mut phonemes = self.run(letters, pool).ok()?;
        phonemes.dedup();
        let phonemes = phonemes.iter().filter_map(|number| {
            usize::try_from(*number).ok()?.checked_sub(1).and_then(|at| self.outputs.get(at))
        });
        Some(phonemes.map(String::as_str).collect())
    }

    /// Returns the most likely number at each place. Equal neighbours mean one phoneme.
    fn run(&self, letters: Vec<i32>, pool: &Arc<ThreadPool>) -> Result<Vec<i32>, String> {
        let letters = NdTensor::from_data([1, letters.len()], letters);
        let options = RunOptions::default().with_thread_pool(Some(pool.clone()));
        let inputs = vec![(self.letters, letters.into())];
        let ran = self.model.run_n(inputs, [self.phonemes], Some(options));
        let [numbers] = ran.map_err(|why| why.to_string())?;
        let numbers: Result<NdTensor<i32, 2>, _> = numbers.try_into();
        match numbers {
            Ok(numbers) if numbers.shape()[0] == 1 => Ok(numbers.to_vec()),
            _ => Err("what comes out of it is of another kind".to_owned()),
        }
    }
}
