//! Silero's VAD: a network in a file that the operator has fetched (see `models`).

use std::{sync::Arc, time::Duration};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, op_registry};
use rten_tensor::{AsView, Layout, NdTensor};

use super::{
    ProviderError, Retry, Vad, Window,
    kind::{Kind, Need, NewVad, Offer, Place, Provider},
    models::Models,
};
use audio::Pcm16;

/// The path of the network in the folder of models.
const FILE: &str = "silero_vad_16k_op15.onnx";
/// The window that the network was trained on: 32 ms.
const WINDOW_SAMPLES: usize = 512;
/// The end of the window before, which the network needs, too.
const CONTEXT_SAMPLES: usize = 64;
/// The shape of the network's state.
const STATE: [usize; 3] = [2, 1, 128];
const RATE: i32 = 16_000;
/// The lowest score at which voice begins, and the lowest at which it goes on. Both values are Silero's own.
const VOICE_SCORE: f32 = 0.5;
const STILL_VOICE_SCORE: f32 = 0.35;

/// The kind of providers that use Silero.
pub const KIND: Kind = Kind {
    name: "silero",
    doc: "Silero, a network in a file, tells voice from noise.",
    fields: &[],
    read: |_, _| {
        let vad = Offer::<NewVad>::new(Place::Embedded, |resources| {
            let silero = Silero::load(resources.models)?;
            Ok(Arc::new(move || Box::new(silero.vad()) as Box<dyn Vad>))
        });
        let needs = vec![Need::Models { title: "Silero", paths: vec![FILE] }];
        Provider { vad: Some(vad), needs, ..Provider::new(Arc::new(())) }
    },
};

/// The network, which all VADs of a process share.
#[derive(Clone)]
pub struct Silero(Arc<Network>);

struct Network {
    model: Model,
    sound: NodeId,
    state: NodeId,
    rate: NodeId,
    score: NodeId,
    next_state: NodeId,
    /// A single thread: the network is too small to be divided.
    pool: Arc<ThreadPool>,
}

impl Silero {
    /// Reads and tries the network. Takes some 10 ms.
    pub fn load(models: &Models) -> Result<Self, ProviderError> {
        Self::from_bytes(models.read(FILE)?).map_err(|why| ProviderError {
            what: format!("the detector Silero cannot be run: {why}"),
            retry: Retry::Never,
        })
    }

    /// Returns a VAD for one candidate.
    pub fn vad(&self) -> SileroVad {
        SileroVad {
            network: self.clone(),
            state: NdTensor::zeros(STATE),
            rest: vec![0; CONTEXT_SAMPLES],
            voiced: false,
        }
    }

    fn from_bytes(bytes: Vec<u8>) -> Result<Self, String> {
        // The operators of the network; the linker leaves out all others.
        let operators = op_registry!(
            Add,
            Cast,
            Concat,
            ConstantOfShape,
            Conv,
            Equal,
            Gather,
            Identity,
            If,
            LSTM,
            Mul,
            Not,
            Pad,
            Pow,
            ReduceMean,
            Relu,
            Reshape,
            Shape,
            Sigmoid,
            Size,
            Slice,
            Sqrt,
            Squeeze,
            Sub,
            Transpose,
            Unsqueeze
        );
        let model = ModelOptions::with_ops(operators).load(bytes).map_err(|why| why.to_string())?;
        let node = |name: &str| model.node_id(name).map_err(|why| why.to_string());
        let (sound, state, rate) = (node("input")?, node("state")?, node("sr")?);
        let (score, next_state) = (node("output")?, node("stateN")?);
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        let network = Network { model, sound, state, rate, score, next_state, pool };
        let window = [0; CONTEXT_SAMPLES + WINDOW_SAMPLES];
        network.run(&window, &NdTensor::zeros(STATE))?;
        Ok(Self(Arc::new(network)))
    }
}

impl Network {
    /// Returns the score of a window, 0..=1, and the next state.
    fn run(
        &self,
        window: &[i16],
        state: &NdTensor<f32, 3>,
    ) -> Result<(f32, NdTensor<f32, 3>), String> {
        let sound: Vec<f32> = window.iter().map(|sample| f32::from(*sample) / 32_768.0).collect();
        let sound = NdTensor::from_data([1, sound.len()], sound);
        let inputs = vec![
            (self.sound, sound.into()),
            (self.state, state.view().into()),
            (self.rate, NdTensor::from(RATE).into()),
        ];
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let outputs = [self.score, self.next_state];
        let ran = self.model.run_n(inputs, outputs, Some(options));
        let [score, state] = ran.map_err(|why| why.to_string())?;
        let score: Result<NdTensor<f32, 2>, _> = score.try_into();
        let state: Result<NdTensor<f32, 3>, _> = state.try_into();
        match (score, state) {
            (Ok(score), Ok(state)) if score.shape() == [1, 1] && state.shape() == STATE => {
                Ok((score[[0, 0]], state))
            }
            _ => Err("what comes out of it is of another kind".to_owned()),
        }
    }
}

/// A Silero VAD.
pub struct SileroVad {
    network: Silero,
    state: NdTensor<f32, 3>,
    /// The context, then sound that does not fill a window yet.
    rest: Vec<i16>,
    voiced: bool,
}

impl SileroVad {
    fn score(&mut self, window: &[i16]) -> f32 {
        // It cannot fail: it ran when it was loaded, and the shape of its input is always the same.
        let Ok((score, state)) = self.network.0.run(window, &self.state) else { return 0.0 };
        self.state = state;
        score
    }
}

impl Vad for SileroVad {
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
        self.rest.extend_from_slice(&sound.0);
        let rest = std::mem::take(&mut self.rest);
        let mut begin = 0;
        while let Some(window) = rest.get(begin..begin + CONTEXT_SAMPLES + WINDOW_SAMPLES) {
            let least = if self.voiced { STILL_VOICE_SCORE } else { VOICE_SCORE };
            self.voiced = self.score(window) >= least;
            out.push(Window { samples: WINDOW_SAMPLES, voiced: self.voiced });
            begin += WINDOW_SAMPLES;
        }
        self.rest = rest[begin..].to_vec();
    }

    fn hangover(&self) -> Duration {
        Duration::from_millis(40)
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::{
        super::onnx::{
            ModelProto,
            tests::{network, node, number},
        },
        *,
    };

    /// A network whose score is the level of the sound (RMS, of 1), and `step` more with every window.
    fn level_meter(step: f32) -> ModelProto {
        network(
            vec![
                node("Pow", &["input", "two"], "squares", None),
                node("ReduceMean", &["squares"], "power", Some(("keepdims", 1))),
                node("Sqrt", &["power"], "level", None),
                node("ReduceMean", &["state"], "so far", Some(("keepdims", 0))),
                node("Add", &["level", "so far"], "output", None),
                node("Add", &["state", "step"], "stateN", None),
            ],
            vec![number("two", 2.0), number("step", step)],
            &["input", "state", "sr"],
            &["output", "stateN"],
        )
    }

    fn silero(step: f32) -> Silero {
        Silero::from_bytes(level_meter(step).encode_to_vec()).unwrap()
    }

    /// Windows of these levels.
    fn sound(levels: &[f32]) -> Pcm16 {
        let window = |level: &f32| vec![(level * 32_768.0) as i16; WINDOW_SAMPLES];
        Pcm16(levels.iter().flat_map(window).collect())
    }

    fn voiced(vad: &mut SileroVad, sound: &Pcm16) -> String {
        let mut windows = Vec::new();
        vad.push(sound, &mut windows);
        assert!(windows.iter().all(|window| window.samples == WINDOW_SAMPLES));
        windows.iter().map(|window| if window.voiced { '#' } else { '.' }).collect()
    }

    /// P07: voice begins at one score and ends below a lower one.
    #[test]
    fn voice_ends_later_than_it_begins() {
        let silero = silero(0.0);
        let levels = [0.0, 0.45, 0.6, 0.45, 0.4, 0.3, 0.45, 0.3, 0.7, 0.1];
        assert_eq!(voiced(&mut silero.vad(), &sound(&levels)), "..###...#.");
    }

    /// P07: the score of a window depends on the end of the window before it.
    #[test]
    fn a_window_brings_its_context() {
        let silero = silero(0.0);
        let mut loud_end = vec![0; WINDOW_SAMPLES];
        loud_end[WINDOW_SAMPLES - CONTEXT_SAMPLES..].fill(i16::MAX);
        let next = sound(&[0.45]).0;
        let after =
            |before: Vec<i16>| voiced(&mut silero.vad(), &Pcm16([before, next.clone()].concat()));
        // The score is 0.54 with the context and 0.42 without; voice begins at 0.5.
        assert_eq!(after(loud_end), ".#");
        assert_eq!(after(vec![0; WINDOW_SAMPLES]), "..");
    }

    /// P07: the state begins at zero, goes from window to window, and belongs to one candidate alone.
    #[test]
    fn each_candidate_has_a_state() {
        let silero = silero(0.2);
        let quiet = sound(&[0.0; 4]);
        let mut vad = silero.vad();
        assert_eq!(voiced(&mut vad, &quiet), "...#");
        assert_eq!(voiced(&mut vad, &sound(&[0.0])), "#");
        assert_eq!(voiced(&mut silero.vad(), &quiet), "...#");
    }

    /// P07: sound may come in pieces of any length.
    #[test]
    fn pieces_do_not_matter() {
        let silero = silero(0.0);
        let sound = sound(&[0.6, 0.1, 0.7, 0.4, 0.2, 0.9]);
        let whole = voiced(&mut silero.vad(), &sound);
        assert_eq!(whole, "#.##.#");
        let mut vad = silero.vad();
        let pieces = sound.0.chunks(77).map(|piece| voiced(&mut vad, &Pcm16(piece.to_vec())));
        assert_eq!(pieces.collect::<String>(), whole);
    }

    /// P07: a file that is no network, or another one, is refused in one sentence without a panic.
    #[test]
    fn other_networks_are_refused() {
        let whole = level_meter(0.0).encode_to_vec();
        let mut renamed = level_meter(0.0);
        renamed.graph.as_mut().unwrap().node[2].op_type = "Sing".into();
        let mut without_state = level_meter(0.0);
        without_state.graph.as_mut().unwrap().node.pop();
        for (bytes, why) in [
            (Vec::new(), ""),
            (b"no network at all".to_vec(), ""),
            (whole[..40].to_vec(), ""),
            (renamed.encode_to_vec(), "Sing"),
            (without_state.encode_to_vec(), "stateN"),
        ] {
            let told = Silero::from_bytes(bytes).err().unwrap();
            assert!(told.contains(why) && !told.contains('\n'), "{told}");
        }
    }
}
