//! Moonshine tiny, a recogniser of English: its two networks, run by `rten`, and the search for the
//! likeliest words.
//!
//! The *encoder* turns the sound into a row of vectors; the *decoder* finds their meaning token by token,
//! the likeliest each time. Known tokens, and a draft of what may follow, go through the decoder in one
//! step: checking a right draft costs a tenth of finding it. All streams share the weights.

pub(super) mod decoders;
mod embedding;
pub(super) mod keyterms;
mod surgery;
mod vocabulary;

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueOrView, op_registry};
use rten_tensor::{NdTensor, Tensor, prelude::*};

use super::{ProviderError, Retry, models::Models};
use embedding::Embedding;
use keyterms::{Guess, Keyterms};
use vocabulary::Vocabulary;

/// The paths of the files in the folder of models.
const FILES: [&str; 3] = [
    "moonshine-tiny/encoder_model.onnx",
    "moonshine-tiny/decoder_model_merged.onnx",
    "moonshine-tiny/tokenizer.json",
];
/// The token before the first, and the one after the last.
const BEGIN: u32 = 1;
const END: u32 = 2;
/// The most tokens per second of speech. A decoder that finds more has got lost.
const TOKENS_PER_SECOND_MAX: f32 = 6.5;
/// The number of tokens that are allowed beyond that, so that a short word has room.
const TOKENS_MIN: usize = 4;
/// The shape of the decoder's state, with the number of tokens in the place of 0.
const PAST: [usize; 4] = [1, 8, 0, 36];
/// The number of repetitions in a row that no speaker makes.
const REPEATS_MAX: usize = 4;
/// How much less likely than the decoded words a keyterm may be, as a logarithm, since it was expected.
const KEYTERM_LOG: f32 = 7.0;
/// The number of tokens behind a keyterm that decide how well it fits.
const KEYTERM_TAIL: usize = 4;
/// The longest row of tokens that is checked for repetition.
const REPEATED_MAX: usize = 16;

/// The networks and the vocabulary. Many threads may use them at once, as there is no state.
pub(super) struct Moonshine {
    encoder: Encoder,
    decoder: Decoder,
    embedding: Embedding,
    vocabulary: Vocabulary,
}

/// The words of a sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Decoded {
    /// The tokens behind the known ones.
    pub(super) tokens: Vec<u32>,
    /// The confidence, 0..=1: the geometric mean of the tokens' probabilities.
    pub(super) confidence: f32,
    /// The probability that a sentence ends behind the last word, 0..=1: the sum for full stop, question
    /// mark and the like.
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
    /// Whether the tensor depends on the sound only, so that the first step alone makes it.
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
        moonshine.transcribe(&[0.0; 16_000], &[], &[], &Keyterms::default(), &pool)?;
        Ok(moonshine)
    }

    /// Returns the words of `sound` (16 kHz, ±1) behind its `known` tokens. `draft` holds the tokens found
    /// earlier in most of that sound: it shortens the search and changes nothing. Words may be replaced by
    /// one of the `keyterms`. The calling thread works with `pool`.
    pub(super) fn transcribe(
        &self,
        sound: &[f32],
        known: &[u32],
        draft: &[u32],
        keyterms: &Keyterms,
        pool: &Arc<ThreadPool>,
    ) -> Result<Decoded, String> {
        let encoded = self.encoder.run(sound, pool)?;
        let seconds = sound.len() as f32 / 16_000.0;
        let limit =
            ((seconds * TOKENS_PER_SECOND_MAX) as usize + TOKENS_MIN).saturating_sub(known.len());
        let mut search = Search { moonshine: self, encoded: &encoded, pool, past: None };
        let (mut tokens, mut logs, mut finished) = (Vec::new(), Vec::new(), 0.0);
        let mut feed = [&[BEGIN], known, draft].concat();
        let mut sure = known.len();
        'search: loop {
            let hidden = search.step(&feed)?;
            let rows: Vec<&[f32]> = hidden.chunks_exact(self.embedding.width()).collect();
            // Each row scores the token after its own; the rows of the known tokens are not needed.
            for (n, row) in rows.iter().enumerate().skip(sure) {
                let scores = self.embedding.scores(row);
                let (token, log) = best(&scores);
                logs.push(log);
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
                    search.forget(feed.len() - n - 1);
                    break;
                }
            }
            feed = tokens.last().copied().into_iter().collect();
            sure = 0;
        }
        let confidence = (logs.iter().sum::<f32>() / logs.len().max(1) as f32).exp();
        let said = tokens.len();
        without_loops(&mut tokens);
        if tokens.len() == said {
            tokens = search.reworded(known, tokens, &logs, keyterms)?;
        }
        Ok(Decoded { tokens, confidence, finished })
    }

    /// Returns the text of tokens, with the space before the first word.
    pub(super) fn text(&self, tokens: &[u32]) -> String {
        self.vocabulary.text(tokens)
    }

    /// Returns the tokens without the punctuation at their end, which depends on what follows.
    pub(super) fn open_ended<'a>(&self, tokens: &'a [u32]) -> &'a [u32] {
        let end = tokens.iter().rposition(|token| !self.vocabulary.is_punctuation(*token));
        &tokens[..end.map_or(0, |last| last + 1)]
    }
}

/// The search for the words of one sound.
struct Search<'a> {
    moonshine: &'a Moonshine,
    encoded: &'a Tensor<f32>,
    pool: &'a Arc<ThreadPool>,
    /// The decoder's state, in the order of [`Decoder::past`]; `None` before the first step.
    past: Option<Vec<Tensor<f32>>>,
}

impl Search<'_> {
    /// Decodes tokens and returns their hidden vectors, one behind the other. The tokens become the past of
    /// those that follow.
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

    /// Returns `tokens` with keyterms in the place of words that sound like them. `known` are the tokens
    /// before them, `logs` the logarithms of the tokens' probabilities.
    fn reworded(
        &mut self,
        known: &[u32],
        mut tokens: Vec<u32>,
        logs: &[f32],
        keyterms: &Keyterms,
    ) -> Result<Vec<u32>, String> {
        let mut better: Vec<(f32, Guess)> = Vec::new();
        for guess in keyterms.guesses(&tokens, &self.moonshine.vocabulary) {
            let gain = self.gain(known, &tokens, logs, &guess)? + KEYTERM_LOG;
            if gain > 0.0 {
                better.push((gain, guess));
            }
        }
        better.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut taken: Vec<Guess> = Vec::new();
        for (_, guess) in better {
            let is_free = |other: &Guess| {
                guess.range.end <= other.range.start || other.range.end <= guess.range.start
            };
            if taken.iter().all(is_free) {
                taken.push(guess);
            }
        }
        taken.sort_by_key(|guess| std::cmp::Reverse(guess.range.start));
        for guess in taken {
            tokens.splice(guess.range, guess.tokens);
        }
        Ok(tokens)
    }

    /// Returns how much likelier the sound is with a guess than without it, as a logarithm. Guesses must be
    /// tried from the last to the first, as the tokens behind them are forgotten.
    fn gain(
        &mut self,
        known: &[u32],
        tokens: &[u32],
        logs: &[f32],
        guess: &Guess,
    ) -> Result<f32, String> {
        let start = guess.range.start;
        let tail = &tokens[guess.range.end..];
        let (tail, ends) = match tail.get(..KEYTERM_TAIL) {
            Some(tail) => (tail, None),
            None => (tail, Some(END)),
        };
        let behind = tail.len() + usize::from(ends.is_some());
        let Some(before) = logs.get(start..guess.range.end + behind) else { return Ok(f32::MIN) };
        let last = [&[BEGIN], known, &tokens[..start]].concat();
        let (kept, last) = (last.len() - 1, last[last.len() - 1]);
        self.keep_first(kept);
        let asked = [&[last], &guess.tokens[..], tail].concat();
        let hidden = self.step(&asked)?;
        let embedding = &self.moonshine.embedding;
        let follows = asked[1..].iter().copied().chain(ends);
        let now = hidden.chunks_exact(embedding.width()).zip(follows);
        let now = now.map(|(row, token)| log_of(&embedding.scores(row), token)).sum::<f32>();
        Ok(now - before.iter().sum::<f32>())
    }

    /// Forgets the last `tokens` tokens.
    fn forget(&mut self, tokens: usize) {
        self.cut(|length| length.saturating_sub(tokens));
    }

    /// Forgets all but the first `tokens` tokens.
    fn keep_first(&mut self, tokens: usize) {
        self.cut(|length| length.min(tokens));
    }

    fn cut(&mut self, left: impl Fn(usize) -> usize) {
        let decoder = &self.moonshine.decoder;
        for (kept, past) in self.past.iter_mut().flatten().zip(&decoder.past) {
            let (length, left) = (kept.size(2), left(kept.size(2)));
            if left < length && !past.is_of_sound {
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

/// Returns the likeliest token, and the logarithm of its probability.
fn best(scores: &[f32]) -> (u32, f32) {
    let (mut token, mut most) = (0, f32::NEG_INFINITY);
    for (n, score) in (0..).zip(scores) {
        if *score > most {
            (token, most) = (n, *score);
        }
    }
    (token, log_of(scores, token))
}

/// Returns the logarithm of a token's probability.
fn log_of(scores: &[f32], token: u32) -> f32 {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 =
        scores.iter().map(|score| score - most).filter(|less| *less > -20.0).map(f32::exp).sum();
    scores.get(token as usize).map_or(f32::MIN, |score| score - most - sum.ln())
}

/// Keeps only the first copy of endless repetitions: no voice makes them, but a decoder that has got lost
/// does.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// P01: four repetitions in a row become one, of one token or of sixteen; three are kept, as people make
    /// them.
    #[test]
    fn loops_are_left_out() {
        let row = |length: u32, times: usize| (10..10 + length).collect::<Vec<_>>().repeat(times);
        for (tokens, wanted) in [
            (vec![], vec![]),
            (vec![1, 2, 3], vec![1, 2, 3]),
            (vec![7, 7, 7], vec![7, 7, 7]),
            (vec![7, 7, 7, 7], vec![7]),
            (vec![1, 7, 7, 7, 7, 7, 2], vec![1, 7, 2]),
            (vec![7, 7, 7, 1, 7], vec![7, 7, 7, 1, 7]),
            (vec![1, 2, 1, 2, 1, 2, 1], vec![1, 2, 1, 2, 1, 2, 1]),
            (vec![3, 1, 2, 1, 2, 1, 2, 1, 2, 1], vec![3, 1, 2, 1]),
            (row(16, 4), row(16, 1)),
            (row(16, 3), row(16, 3)),
            (row(17, 4), row(17, 4)),
        ] {
            let mut left = tokens.clone();
            without_loops(&mut left);
            assert_eq!(left, wanted, "{tokens:?}");
        }
    }
}
