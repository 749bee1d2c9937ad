//! The network of a voice, which runs in two parts: first the lengths and pitches of a sentence, then the
//! spectra of its frames, some at a time.

use std::sync::Arc;

use prost::Message;
use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, op_registry};
use rten_tensor::{AsView, Layout, NdTensor, SliceRange};

use super::{super::onnx::ModelProto, dsp::BINS};

/// The weights at the boundary of both parts. They are multiplied with the phoneme, pitch and energy of each
/// frame.
const FIRST_WEIGHTS: &str = "m.dec_in.weight";
/// The outputs of the second part for each frame; see [`Parts`].
const PARTS: [&str; 5] = ["lh", "theta", "ln", "lr", "phi"];
/// The number of frames to each side that the network needs for one: nine convolutions of seven frames.
const CONTEXT_FRAMES: usize = 27;
/// The most frames of a sentence: 100 s.
const FRAMES_MAX: usize = 8_000;
/// The pace on which the network was trained.
const SPEED: f32 = 1.0;

/// The network.
pub(super) struct Graph {
    model: Model,
    ids: NodeId,
    speed: NodeId,
    features: NodeId,
    f0: NodeId,
    parts: [NodeId; 5],
}

/// The lengths and pitches of a sentence.
pub(super) struct Plan {
    /// The features, 1 × features × frames.
    features: NdTensor<f32, 3>,
    /// The pitch of each frame in Hz; less than [`super::dsp::VOICED_HZ`] where it is unvoiced.
    pub(super) f0: Vec<f32>,
}

/// The spectra of some frames, each 1 × [`BINS`] × frames: logarithm of the harmonics' level, their phase
/// (−1..1 by its hyperbolic tangent), logarithm of the noise's level, logarithm of the rest's level, the
/// rest's phase.
pub(super) struct Parts {
    parts: [NdTensor<f32, 3>; 5],
    /// The number of context frames at the beginning.
    skipped: usize,
}

impl Graph {
    /// Reads a network.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, String> {
        let features = features_name(&bytes)?;
        // The operators of the network; the linker leaves out all others.
        let operators = op_registry!(
            Add,
            Cast,
            Clip,
            Concat,
            Conv,
            CumSum,
            Div,
            DynamicQuantizeLinear,
            Erf,
            Exp,
            Gather,
            GreaterOrEqual,
            LayerNormalization,
            Log,
            MatMul,
            MatMulInteger,
            Mul,
            Pow,
            Range,
            ReduceSum,
            Relu,
            Reshape,
            Round,
            Shape,
            Slice,
            Softmax,
            Split,
            Sub,
            Tile,
            Transpose,
            Unsqueeze
        );
        let mut options = ModelOptions::with_ops(operators);
        // Otherwise the weights would be laid out anew for every few frames.
        options.prepack_weights(true);
        let model = options.load(bytes).map_err(|why| why.to_string())?;
        let node = |name: &str| model.node_id(name).map_err(|why| why.to_string());
        let (ids, speed, features, f0) =
            (node("ids")?, node("speed")?, node(&features)?, node("f0")?);
        let [lh, theta, ln, lr, phi] = PARTS.map(node);
        let parts = [lh?, theta?, ln?, lr?, phi?];
        Ok(Self { model, ids, speed, features, f0, parts })
    }

    /// Computes the plan of a sentence whose phonemes have these numbers.
    pub(super) fn plan(&self, ids: Vec<i32>, pool: &Arc<ThreadPool>) -> Result<Plan, String> {
        let ids = NdTensor::from_data([1, ids.len()], ids);
        let speed = NdTensor::from_data([1], vec![SPEED]);
        let inputs = vec![(self.ids, ids.into()), (self.speed, speed.into())];
        let ran = self.model.run_n(inputs, [self.features, self.f0], Some(options(pool)));
        let [features, f0] = ran.map_err(|why| why.to_string())?;
        let features: Result<NdTensor<f32, 3>, _> = features.try_into();
        let f0: Result<NdTensor<f32, 2>, _> = f0.try_into();
        match (features, f0) {
            (Ok(features), Ok(f0)) => {
                let frames = features.size(2);
                let is_sound = features.size(0) == 1
                    && f0.shape() == [1, frames]
                    && (1..=FRAMES_MAX).contains(&frames);
                let f0 = f0.to_vec();
                is_sound.then_some(Plan { features, f0 }).ok_or_else(other_kind)
            }
            _ => Err(other_kind()),
        }
    }

    /// Computes the spectra of the frames `from..to`.
    pub(super) fn parts(
        &self,
        plan: &Plan,
        from: usize,
        to: usize,
        pool: &Arc<ThreadPool>,
    ) -> Result<Parts, String> {
        let first = from.saturating_sub(CONTEXT_FRAMES);
        let last = (to + CONTEXT_FRAMES).min(plan.f0.len());
        let range = SliceRange::new(first as isize, Some(last as isize), 1);
        let features = plan.features.slice((.., .., range)).to_tensor();
        let inputs = vec![(self.features, features.into())];
        let ran = self.model.run_n(inputs, self.parts, Some(options(pool)));
        let mut parts = Vec::with_capacity(PARTS.len());
        for part in ran.map_err(|why| why.to_string())? {
            let part: NdTensor<f32, 3> = part.try_into().map_err(|_| other_kind())?;
            if part.shape() != [1, BINS, last - first] {
                return Err(other_kind());
            }
            parts.push(part);
        }
        let parts = parts.try_into().map_err(|_| other_kind())?;
        Ok(Parts { parts, skipped: from - first })
    }
}

impl Parts {
    /// Returns the five parts of one frame; `frame` counts from the first that was requested.
    pub(super) fn frame(&self, frame: usize) -> [impl Iterator<Item = f32>; 5] {
        let at = self.skipped + frame;
        self.parts.each_ref().map(|part| {
            let frames = part.size(2);
            let values = part.data().unwrap_or_default();
            values.iter().skip(at).step_by(frames.max(1)).copied()
        })
    }
}

fn options(pool: &Arc<ThreadPool>) -> RunOptions {
    RunOptions::default().with_thread_pool(Some(pool.clone()))
}

fn other_kind() -> String {
    "what comes out of it is of another kind".to_owned()
}

/// Returns the name of the tensor that goes from the first part to the second.
fn features_name(bytes: &[u8]) -> Result<String, String> {
    let model = ModelProto::decode(bytes).map_err(|why| why.to_string())?;
    let nodes = model.graph.ok_or("there is no network in it")?.node;
    let first = nodes.into_iter().find(|node| node.input.iter().any(|name| name == FIRST_WEIGHTS));
    let features = first.and_then(|node| node.input.into_iter().next());
    features.ok_or_else(|| format!("it has no {FIRST_WEIGHTS}"))
}
