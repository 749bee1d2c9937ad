//! Smart Turn, which hears whether somebody has finished: a network in a file that whoever runs us has
//! fetched (see `models`).

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

/// Its place among the models.
const FILE: &str = "smart-turn-v3.2-cpu.onnx";
/// It was trained on sound that ends with so much silence: what of that has not passed yet is taken for
/// granted.
const SILENCE: Duration = Duration::from_millis(200);
/// More threads make it no faster.
const THREADS_MAX: usize = 4;

/// Smart Turn hears whether somebody has finished.
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
        // Those that the network has: the linker leaves the others out.
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
        // Rounded on the way it takes half as long again, and is less often right about people.
        let plain = onnx::without_rounding(bytes)?;
        let model = ModelOptions::with_ops(operators).load(plain).map_err(|why| why.to_string())?;
        let node = |name: &str| model.node_id(name).map_err(|why| why.to_string());
        let (features, ended) = (node("input_features")?, node("logits")?);
        // Those who listen and speak at the time need the other half of the machine.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let pool = Arc::new(ThreadPool::with_num_threads((cores / 2).clamp(1, THREADS_MAX)));
        let network = Self { model, features, ended, log_mel: LogMel::new(), pool };
        network.run(&[])?;
        Ok(network)
    }

    /// How likely the turn has ended, 0..=1.
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
        // It ran when it was loaded, and what goes into it has always the same shape.
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

    /// A network that takes what is loud everywhere for an end. It rounds on the way, which nothing here
    /// could run.
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

    /// T04: the whole sound is heard, with the silence that is to come.
    #[test]
    fn sound_becomes_a_likelihood() {
        let smart = SmartTurn::from_bytes(&level_meter().encode_to_vec()).unwrap();
        let noise =
            |n: i64| Pcm16((0..n).map(|n| ((n * n / 7) % 20_011 - 10_005) as i16).collect());
        // Nothing but the floor: 1 / (1 + e^6).
        assert_eq!(smart.ended_percent(&Pcm16(vec![])), Some(0));
        let [short, long] = [16_000, 128_000].map(|n| smart.ended_percent(&noise(n)).unwrap());
        assert!((10..80).contains(&short) && long > 90, "{short} {long}");
        // What is heard goes out at the front for the silence that comes in behind it.
        let silence = (SILENCE - PAUSE).as_millis() as usize * 16;
        let first =
            |samples: usize| Pcm16([noise(samples as i64).0, vec![0; 128_000 - samples]].concat());
        assert_eq!(smart.ended_percent(&first(silence)), Some(0));
        assert!(smart.ended_percent(&first(silence + 400)).unwrap() > 20);
    }

    /// T04: what is no network, or another one, is one sentence and no panic.
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
