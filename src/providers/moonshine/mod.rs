//! Moonshine tiny, a recogniser of English: its two networks, run by `rten`, and the search for the likeliest words.
//!
//! The *encoder* makes a row of vectors of the sound; the *decoder* says, token by token, what they mean, the likeliest
//! token each time. Tokens that are known, and a draft of what may follow, go through the decoder in one step: a draft that
//! is right costs a tenth of what it costs to find it. The weights are shared by all who listen.

pub(super) mod decoders;
mod embedding;
mod surgery;
mod vocabulary;

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueOrView, op_registry};
use rten_tensor::{NdTensor, Tensor, prelude::*};

use super::{ProviderError, Retry, models::Models};
use embedding::Embedding;
use vocabulary::Vocabulary;

/// Their places among the models.
const FILES: [&str; 3] = [
    "moonshine-tiny/encoder_model.onnx",
    "moonshine-tiny/decoder_model_merged.onnx",
    "moonshine-tiny/tokenizer.json",
];
/// The token before the first, and the one after the last.
const BEGIN: u32 = 1;
const END: u32 = 2;
/// Nobody speaks faster: a decoder that goes on has lost the thread.
const TOKENS_PER_SECOND_MAX: f32 = 6.5;
/// Tokens that may be said beyond that, so that a short word has room.
const TOKENS_MIN: usize = 4;
/// What the decoder keeps of a token has this shape, with the number of tokens in the place of 0.
const PAST: [usize; 4] = [1, 8, 0, 36];
/// So often in a row nobody says the same.
const REPEATS_MAX: usize = 4;
/// The longest row of tokens that is looked for as being repeated.
const REPEATED_MAX: usize = 16;

/// The networks and the vocabulary. It has no state: many threads may ask it at once.
pub(super) struct Moonshine {
    encoder: Encoder,
    decoder: Decoder,
    embedding: Embedding,
    vocabulary: Vocabulary,
}

/// What was said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Decoded {
    /// The tokens behind those that were known.
    pub(super) tokens: Vec<u32>,
    /// How sure the decoder is of them, 0..=1: the geometric mean of their probabilities.
    pub(super) confidence: f32,
    /// How likely a sentence ends behind the last word, 0..=1: what full stops, question marks and the like have together.
    pub(super) finished: f32,
}

struct Encoder {
    model: Model,
    sound: NodeId,
    hidden: NodeId,
}

struct Decoder {
    model: Model,
    tokens: NodeId,
    encoded: NodeId,
    has_past: NodeId,
    hidden: NodeId,
    past: Vec<Past>,
}

/// One of the tensors that the decoder keeps from step to step.
struct Past {
    input: NodeId,
    output: NodeId,
    /// Whether it belongs to the sound, and so is made by the first step alone.
    is_of_sound: bool,
}

impl Moonshine {
    /// Reads the three files and tries them. Takes up to 0.5 s.
    pub(super) fn load(models: &Models) -> Result<Self, ProviderError> {
        let [encoder, decoder, vocabulary] = FILES.map(|file| models.read(file));
        Self::from_bytes(encoder?, &decoder?, &vocabulary?).map_err(|why| ProviderError {
            what: format!("the recogniser Moonshine cannot be run: {why}"),
            retry: Retry::Never,
        })
    }

    fn from_bytes(encoder: Vec<u8>, decoder: &[u8], vocabulary: &[u8]) -> Result<Self, String> {
        let encoder = Encoder::new(encoder)?;
        let (decoder, embedding) = surgery::without_scores(decoder)?;
        let decoder = Decoder::new(decoder)?;
        let vocabulary = Vocabulary::read(vocabulary, embedding.tokens())?;
        let moonshine = Self { encoder, decoder, embedding, vocabulary };
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        moonshine.transcribe(&[0.0; 16_000], &[], &[], &pool)?;
        Ok(moonshine)
    }

    /// What is said in `sound` (16 kHz, ±1) behind the tokens that are `known` of it. `draft` is what was found in most of
    /// that sound before: it makes the search shorter and changes nothing. The calling thread works with `pool`.
    pub(super) fn transcribe(
        &self,
        sound: &[f32],
        known: &[u32],
        draft: &[u32],
        pool: &Arc<ThreadPool>,
    ) -> Result<Decoded, String> {
        let encoded = self.encoder.run(sound, pool)?;
        let seconds = sound.len() as f32 / 16_000.0;
        let limit =
            ((seconds * TOKENS_PER_SECOND_MAX) as usize + TOKENS_MIN).saturating_sub(known.len());
        let mut search = Search { moonshine: self, encoded: &encoded, pool, past: None };
        let (mut tokens, mut log_sum, mut found, mut finished) = (Vec::new(), 0.0, 0_u32, 0.0);
        let mut feed = [&[BEGIN], known, draft].concat();
        let mut sure = known.len();
        'search: loop {
            let hidden = search.step(&feed)?;
            let rows: Vec<&[f32]> = hidden.chunks_exact(self.embedding.width()).collect();
            // Each row says what follows the token it stands for; those of what is known were not asked.
            for (n, row) in rows.iter().enumerate().skip(sure) {
                let scores = self.embedding.scores(row);
                let (token, log) = best(&scores);
                log_sum += log;
                found += 1;
                let is_behind_a_word =
                    tokens.last().is_none_or(|last| !self.vocabulary.is_punctuation(*last));
                if is_behind_a_word {
                    let share =
                        |mark: &u32| (scores[*mark as usize] - scores[token as usize] + log).exp();
                    finished = self.vocabulary.stops().iter().map(share).sum();
                }
                if token == END || tokens.len() >= limit {
                    break 'search;
                }
                tokens.push(token);
                if feed.get(n + 1) != Some(&token) {
                    search.keep(feed.len() - n - 1);
                    break;
                }
            }
            feed = tokens.last().copied().into_iter().collect();
            sure = 0;
        }
        without_loops(&mut tokens);
        let confidence = (log_sum / found.max(1) as f32).exp();
        Ok(Decoded { tokens, confidence, finished })
    }

    /// What tokens say, with the space before the first word.
    pub(super) fn text(&self, tokens: &[u32]) -> String {
        self.vocabulary.text(tokens)
    }

    /// The same tokens without the punctuation at their end, which depends on what follows.
    pub(super) fn open_ended<'a>(&self, tokens: &'a [u32]) -> &'a [u32] {
        let end = tokens.iter().rposition(|token| !self.vocabulary.is_punctuation(*token));
        &tokens[..end.map_or(0, |last| last + 1)]
    }
}

/// A search through one sound.
struct Search<'a> {
    moonshine: &'a Moonshine,
    encoded: &'a Tensor<f32>,
    pool: &'a Arc<ThreadPool>,
    /// In the order of [`Decoder::past`]; nothing before the first step.
    past: Option<Vec<Tensor<f32>>>,
}

impl Search<'_> {
    /// The hidden vectors of these tokens, one behind the other; they are kept as the past of those that follow.
    fn step(&mut self, tokens: &[u32]) -> Result<Vec<f32>, String> {
        let decoder = &self.moonshine.decoder;
        let ids = NdTensor::from_data(
            [1, tokens.len()],
            tokens.iter().map(|n| *n as i32).collect::<Vec<_>>(),
        );
        let has_past = NdTensor::from_data([1], vec![i32::from(self.past.is_some())]);
        let none = Tensor::<f32>::zeros(&PAST);
        let mut inputs: Vec<(NodeId, ValueOrView<'_>)> = vec![
            (decoder.tokens, ids.view().into()),
            (decoder.encoded, self.encoded.view().into()),
            (decoder.has_past, has_past.view().into()),
        ];
        for (n, past) in decoder.past.iter().enumerate() {
            let tensor = self.past.as_ref().map_or(&none, |kept| &kept[n]);
            inputs.push((past.input, tensor.view().into()));
        }
        let outputs: Vec<NodeId> = [decoder.hidden]
            .into_iter()
            .chain(decoder.past.iter().map(|past| past.output))
            .collect();
        let ran = decoder.model.run(inputs, &outputs, Some(with(self.pool)));
        let mut ran = ran.map_err(|why| why.to_string())?.into_iter();
        let mut next = || -> Result<Tensor<f32>, String> {
            ran.next()
                .and_then(|value| value.try_into().ok())
                .ok_or("the decoder gave something else".to_owned())
        };
        let hidden = next()?;
        if hidden.shape() != [1, tokens.len(), self.moonshine.embedding.width()] {
            return Err(format!("the decoder's hidden state has the shape {:?}", hidden.shape()));
        }
        let mut kept = self.past.take().unwrap_or_default();
        for (n, past) in decoder.past.iter().enumerate() {
            let made = next()?;
            if n >= kept.len() {
                kept.push(made);
            } else if !past.is_of_sound {
                kept[n] = made;
            }
        }
        self.past = Some(kept);
        Ok(hidden.to_vec())
    }

    /// Forgets the last `tokens` tokens.
    fn keep(&mut self, forgotten: usize) {
        let decoder = &self.moonshine.decoder;
        for (kept, past) in self.past.iter_mut().flatten().zip(&decoder.past) {
            if forgotten > 0 && !past.is_of_sound {
                let left = kept.size(2).saturating_sub(forgotten);
                *kept = kept.slice((.., .., ..left)).to_tensor();
            }
        }
    }
}

impl Encoder {
    fn new(file: Vec<u8>) -> Result<Self, String> {
        let operators = op_registry!(
            Add,
            Cast,
            Concat,
            Conv,
            Cos,
            Div,
            DynamicQuantizeLinear,
            Erf,
            Gather,
            InstanceNormalization,
            MatMul,
            MatMulInteger,
            Mul,
            Neg,
            Pow,
            Range,
            ReduceMean,
            Reshape,
            Shape,
            Sin,
            Slice,
            Softmax,
            Sqrt,
            Sub,
            Tanh,
            Transpose,
            Unsqueeze
        );
        let model = ModelOptions::with_ops(operators).load(file).map_err(|why| why.to_string())?;
        let (&[sound], &[hidden]) = (model.input_ids(), model.output_ids()) else {
            return Err("the encoder has other inputs and outputs".to_owned());
        };
        Ok(Self { model, sound, hidden })
    }

    fn run(&self, sound: &[f32], pool: &Arc<ThreadPool>) -> Result<Tensor<f32>, String> {
        let sound = NdTensor::from_data([1, sound.len()], sound.to_vec());
        let ran =
            self.model.run_n(vec![(self.sound, sound.into())], [self.hidden], Some(with(pool)));
        let [hidden] = ran.map_err(|why| why.to_string())?;
        hidden.try_into().map_err(|_| "the encoder gave something else".to_owned())
    }
}

impl Decoder {
    fn new(file: Vec<u8>) -> Result<Self, String> {
        let operators = op_registry!(
            Add,
            Cast,
            Concat,
            ConstantOfShape,
            Cos,
            DequantizeLinear,
            Div,
            DynamicQuantizeLinear,
            Equal,
            Expand,
            Gather,
            Greater,
            If,
            MatMul,
            MatMulInteger,
            Mul,
            Neg,
            Pow,
            Range,
            ReduceMean,
            Reshape,
            Shape,
            Sigmoid,
            Sin,
            Slice,
            Softmax,
            Sqrt,
            Sub,
            Transpose,
            Trilu,
            Unsqueeze,
            Where
        );
        let model = ModelOptions::with_ops(operators).load(file).map_err(|why| why.to_string())?;
        let node = |name: &str| model.node_id(name).map_err(|why| why.to_string());
        let (tokens, encoded) = (node("input_ids")?, node("encoder_hidden_states")?);
        let (has_past, hidden) = (node("use_cache_branch")?, node("logits")?);
        let name =
            |id: &NodeId| model.node_info(*id).and_then(|node| node.name().map(str::to_owned));
        let mut past = Vec::new();
        for input in model.input_ids() {
            if let Some(which) =
                name(input).as_deref().and_then(|name| name.strip_prefix("past_key_values"))
            {
                let output = node(&format!("present{which}"))?;
                past.push(Past { input: *input, output, is_of_sound: which.contains("encoder") });
            }
        }
        Ok(Self { model, tokens, encoded, has_past, hidden, past })
    }
}

fn with(pool: &Arc<ThreadPool>) -> RunOptions {
    RunOptions::default().with_thread_pool(Some(pool.clone()))
}

/// The likeliest token, and the logarithm of its probability.
fn best(scores: &[f32]) -> (u32, f32) {
    let (mut token, mut most) = (0, f32::NEG_INFINITY);
    for (n, score) in (0..).zip(scores) {
        if *score > most {
            (token, most) = (n, *score);
        }
    }
    let sum: f32 =
        scores.iter().map(|score| score - most).filter(|less| *less > -20.0).map(f32::exp).sum();
    (token, -sum.ln())
}

/// Leaves of what is repeated on and on the first time: no voice says it, a decoder that has lost the thread does.
fn without_loops(tokens: &mut Vec<u32>) {
    for length in 1..=REPEATED_MAX {
        let mut n = 0;
        while n + length * REPEATS_MAX <= tokens.len() {
            let (first, rest) = tokens[n..].split_at(length);
            let again = rest.chunks_exact(length).take_while(|next| *next == first).count();
            if again + 1 >= REPEATS_MAX {
                tokens.drain(n + length..n + length * (again + 1));
            }
            n += 1;
        }
    }
}
