//! Smart Turn, a turn detector: a network in a file that the operator has fetched (see `models`).

use std::{sync::Arc, thread, time::Duration};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, op_registry};
use rten_tensor::{Layout, NdTensor};

use super::{
    PAUSE, ProviderError, Retry, TurnDetector,
    kind::{Kind, Need, Offer, Place, Provider, Resources},
    log_mel::{BANDS, LogMel, TIMES},
    models::Models,
    onnx,
};
use audio::Pcm16;

/// The path of the network in the folder of models.
const FILE: &str = "smart-turn-v3.2-cpu.onnx";
/// The silence at the end of the sound on which the network was trained. The part of it that has not passed
/// yet is added.
const SILENCE: Duration = Duration::from_millis(200);
/// The most threads; more do not make it faster.
const THREADS_MAX: usize = 4;

/// The kind of providers that use Smart Turn.
pub const KIND: Kind = Kind {
    name: "smart-turn",
    doc: "Smart Turn, a network in a file, hears whether somebody has finished.",
    fields: &[],
    read: |_, _| {
        let open = |resources: &Resources<'_>| {
            Ok(Arc::new(SmartTurn::load(resources.models)?) as Arc<dyn TurnDetector>)
        };
        let needs = vec![Need::Models { title: "Smart Turn", paths: vec![FILE] }];
        let detector = Offer::new(Place::Embedded, open);
        Provider { turn_detector: Some(detector), needs, ..Provider::new(Arc::new(())) }
    },
};

/// The network.
pub struct SmartTurn {
    model: Model,
    features: NodeId,
    ended: NodeId,
    log_mel: LogMel,
    pool: Arc<ThreadPool>,
}

impl SmartTurn {
    /// Reads and tries the network. Takes up to 0.3 s.
    pub fn load(models: &Models) -> Result<Self, ProviderError> {
        Self::from_bytes(&models.read(FILE)?).map_err(|why| ProviderError {
            what: format!("Smart Turn cannot be run: {why}"),
            retry: Retry::Never,
        })
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        // The operators of the network; the linker leaves out all others.
        let operators = op_registry!(
            Add,
            Concat,
            Conv,
            DequantizeLinear,
            Div,
            Erf,
            Gather,
            Gemm,
            LayerNormalization,
            MatMul,
            Mul,
            ReduceSum,
            Reshape,
            Shape,
            Sigmoid,
            Slice,
            Softmax,
            Tanh,
            Transpose
        );
        // With rounding between the operators it takes half as long again, and is less often right about
        // people.
        let plain = onnx::without_rounding(bytes)?;
        let model = ModelOptions::with_ops(operators).load(plain).map_err(|why| why.to_string())?;
        let node = |name: &str| model.node_id(name).map_err(|why| why.to_string());
        let (features, ended) = (node("input_features")?, node("logits")?);
        // Recogniser and voice need the other half of the machine at the same time.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let pool = Arc::new(ThreadPool::with_num_threads((cores / 2).clamp(1, THREADS_MAX)));
        let network = Self { model, features, ended, log_mel: LogMel::new(), pool };
        network.run(&[])?;
        Ok(network)
    }

    /// Returns the end-of-turn probability, 0..=1.
    fn run(&self, sound: &[i16]) -> Result<f32, String> {
        let features = NdTensor::from_data([1, BANDS, TIMES], self.log_mel.of(sound));
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let inputs = vec![(self.features, features.into())];
        let ran = self.model.run_n(inputs, [self.ended], Some(options));
        let [ended] = ran.map_err(|why| why.to_string())?;
        let ended: Result<NdTensor<f32, 2>, _> = ended.try_into();
        match ended {
            Ok(ended) if ended.shape() == [1, 1] && (0.0..=1.0).contains(&ended[[0, 0]]) => {
                Ok(ended[[0, 0]])
            }
            _ => Err("what comes out of it is of another kind".to_owned()),
        }
    }
}

impl TurnDetector for SmartTurn {
    fn ended_percent(&self, sound: &Pcm16) -> Option<u8> {
        let rest = (SILENCE - PAUSE).as_millis() as usize * 16;
        let sound = [&sound.0[..], &vec![0; rest]].concat();
        // It cannot fail: it ran when it was loaded, and the shape of its input is always the same.
        self.run(&sound).ok().map(|ended| (ended * 100.0).round() as u8)
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::{
        super::onnx::{
            ModelProto,
            tests::{byte, network, node, number, whole_numbers},
        },
        *,
    };

    /// A network that takes sound that is loud in all bands for an end. It has rounding between operators,
    /// which cannot run here.
    fn level_meter() -> ModelProto {
        network(
            vec![
                node("QuantizeLinear", &["input_features", "step", "zero"], "rounded", None),
                node("DequantizeLinear", &["rounded", "step", "zero"], "features", None),
                node("ReduceSum", &["features", "bands and times"], "sum", Some(("keepdims", 0))),
                node("Mul", &["sum", "each"], "mean", None),
                node("Reshape", &["mean", "one"], "score", None),
                node("Sigmoid", &["score"], "logits", None),
            ],
            vec![
                number("step", 0.1),
                byte("zero", 0),
                whole_numbers("bands and times", &[1, 2]),
                number("each", 4.0 / (BANDS * TIMES) as f32),
                whole_numbers("one", &[1, 1]),
            ],
            &["input_features"],
            &["logits"],
        )
    }

    /// T04: the network hears the whole sound, with the silence that is to come.
    #[test]
    fn sound_becomes_a_likelihood() {
        let smart = SmartTurn::from_bytes(&level_meter().encode_to_vec()).unwrap();
        let noise =
            |n: i64| Pcm16((0..n).map(|n| ((n * n / 7) % 20_011 - 10_005) as i16).collect());
        // All bands at the floor: 1 / (1 + e^6).
        assert_eq!(smart.ended_percent(&Pcm16(vec![])), Some(0));
        let [short, long] = [16_000, 128_000].map(|n| smart.ended_percent(&noise(n)).unwrap());
        assert!((10..80).contains(&short) && long > 90, "{short} {long}");
        // Sound leaves at the front for the silence that is added at the end.
        let silence = (SILENCE - PAUSE).as_millis() as usize * 16;
        let first =
            |samples: usize| Pcm16([noise(samples as i64).0, vec![0; 128_000 - samples]].concat());
        assert_eq!(smart.ended_percent(&first(silence)), Some(0));
        assert!(smart.ended_percent(&first(silence + 400)).unwrap() > 20);
    }

    /// T04: a file that is no network, or another one, is refused in one sentence without a panic.
    #[test]
    fn other_networks_are_refused() {
        let changed = |change: fn(&mut Vec<super::onnx::NodeProto>)| {
            let mut model = level_meter();
            change(&mut model.graph.as_mut().unwrap().node);
            model.encode_to_vec()
        };
        for (bytes, why) in [
            (Vec::new(), "no network"),
            (b"no network at all".to_vec(), ""),
            (level_meter().encode_to_vec()[..40].to_vec(), ""),
            (changed(|nodes| nodes[5].op_type = "Sing".into()), "Sing"),
            (changed(|nodes| nodes[5].op_type = "Tanh".into()), "of another kind"),
            (changed(|nodes| drop(nodes.pop())), "logits"),
            (changed(|nodes| nodes[4].input[1] = "bands and times".into()), ""),
        ] {
            let told = SmartTurn::from_bytes(&bytes).err().unwrap();
            assert!(told.contains(why) && !told.contains('\n'), "{told}");
        }
    }
}
