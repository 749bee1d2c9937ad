//! What we say: a model's stream or given words → segments → sound → playout. Obeys `Effect::Speak`, `Play`
//! and `Hush`.
//!
//! [`compose`] and [`voice`] are the two halves, without a task of their own: [`Speaker`] runs them as one
//! for a live session, a replay runs them to their end. A model that only calls tools is asked again:
//! [`Steps`].

mod ahead;
mod mouth;
mod readable;
mod segment;
mod steps;

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use futures_util::{
    FutureExt, Stream, StreamExt,
    stream::{self, BoxStream},
};
use tokio::{sync::mpsc, task::AbortHandle};

pub use mouth::{Cut, Heard, Mouth, Progressed, Tap};
pub use steps::Steps;

use crate::{
    clock::Clock,
    providers::{
        Call, Message, Piece, ProviderError, TalkRequest, Tool, Tts,
        interviewer::{Interviewer, TalkTask},
    },
};
use ahead::{Ahead, FirstVoice, Made};
use audio::Pcm48;
use interview::{
    Brief, CallId, Care, Epoch, Event, Proposal, ReplyId, Say, Speaker as Who, TOOLS, Verdict,
    time::SessionTime,
};
use segment::Segmenter;

/// A reply to be made.
#[derive(Clone, Debug)]
pub struct Order {
    /// Which reply.
    pub reply: ReplyId,
    /// The epoch of its proposals.
    pub epoch: Epoch,
    /// What it consists of.
    pub words: Words,
}

/// What a reply consists of.
#[derive(Clone, Debug, PartialEq)]
pub enum Words {
    /// These words.
    Given(String),
    /// What the model makes of this.
    Talk(Box<TalkTask>),
}

/// A piece of a reply on its way to be spoken.
#[derive(Clone, Debug, PartialEq)]
pub enum Composed {
    /// The next segment.
    Segment(String),
    /// The model called a tool, and what it means by that.
    Proposed(Call, Proposal),
    /// The model failed; nothing follows.
    Failed(String),
}

/// How freely a reply is worded.
const TEMPERATURE: f32 = 0.7;
/// How freely one is, after one that could not be spoken (L09).
const TEMPERATURE_COOL: f32 = 0.3;
/// Segments of a reply that may wait for their sound.
const SEGMENTS_QUEUED_MAX: usize = 32;
/// Segments of a reply whose sound is made at the same time.
const VOICES_AT_ONCE: usize = 2;
/// Verdicts that may wait for a reply. One that makes more calls at once waits in vain, until it is replaced.
const VERDICTS_QUEUED_MAX: usize = 64;

impl Order {
    /// The order that an `Effect::Speak` gives; nothing if its reply is over already.
    pub fn new(reply: ReplyId, epoch: Epoch, say: Say, brief: Option<Brief>) -> Option<Self> {
        Some(Self { reply, epoch, words: Words::new(say, brief)? })
    }
}

impl Words {
    /// What is to be said; nothing if a model has to say it and has not been told what.
    pub fn new(say: Say, brief: Option<Brief>) -> Option<Self> {
        Some(match say {
            Say::Text(words) => Self::Given(words),
            Say::Model { .. } => Self::Talk(Box::new(talk_task(brief?))),
        })
    }
}

fn talk_task(brief: Brief) -> TalkTask {
    let message = |(who, text): (Who, String)| match who {
        Who::Interviewer => Message::Assistant(text),
        Who::Candidate => Message::User(text),
    };
    let tool = |(name, description, parameters): (&'static str, &'static str, &str)| Tool {
        name,
        description,
        parameters: serde_json::from_str(parameters).unwrap_or_default(),
    };
    let tools = TOOLS.into_iter().filter(|(name, _, _)| brief.tools.contains(name));
    let request = TalkRequest {
        system: brief.prompt.text(),
        messages: brief.lines.into_iter().map(message).collect(),
        tools: tools.map(tool).collect(),
        temperature: match brief.care {
            Care::Usual => TEMPERATURE,
            Care::Cooler | Care::QuestionOnly => TEMPERATURE_COOL,
        },
    };
    TalkTask { request, situation: brief.situation }
}

/// The pieces of a reply, as they come.
fn compose(words: Words, llm: &dyn Interviewer) -> impl Stream<Item = Composed> + Send + 'static {
    let (pieces, mut segmenter) = match words {
        Words::Given(text) => {
            (stream::iter([Ok(Piece::Text(text))]).boxed(), Segmenter::of_sentences())
        }
        Words::Talk(task) => (llm.talk(*task), Segmenter::default()),
    };
    // The end of the stream completes the last segment.
    let pieces = pieces.map(Some).chain(stream::iter([None]));
    pieces.flat_map(move |piece| stream::iter(compose_piece(&mut segmenter, piece)))
}

fn compose_piece(
    segmenter: &mut Segmenter,
    piece: Option<Result<Piece, ProviderError>>,
) -> Vec<Composed> {
    match piece {
        Some(Ok(Piece::Text(text))) => {
            segmenter.push(&text).into_iter().map(Composed::Segment).collect()
        }
        Some(Ok(Piece::Call(call))) => {
            let proposal = Proposal::parse(&call.name, &call.arguments);
            // To ask by tool and to ask in words is the same thing (H09).
            let words = match &proposal {
                Proposal::AskQuestion { question, .. } => segmenter.push(&format!(" {question}")),
                _ => Vec::new(),
            };
            let words = words.into_iter().map(Composed::Segment);
            std::iter::once(Composed::Proposed(call, proposal)).chain(words).collect()
        }
        // The provider counts what it costs.
        Some(Ok(Piece::Usage(_))) => Vec::new(),
        Some(Err(error)) => vec![Composed::Failed(error.to_string())],
        None => segmenter.finish().map(Composed::Segment).into_iter().collect(),
    }
}

/// Makes the sound of one segment and hands it on as it comes.
pub async fn voice(
    text: &str,
    tts: &dyn Tts,
    out: impl FnMut(&Pcm48),
) -> Result<(), ProviderError> {
    pass_on(tts.synthesize(text), out).await
}

async fn pass_on(
    mut sound: BoxStream<'static, Result<Pcm48, ProviderError>>,
    mut out: impl FnMut(&Pcm48),
) -> Result<(), ProviderError> {
    while let Some(piece) = sound.next().await {
        out(&piece?);
    }
    Ok(())
}

/// The next piece of what was made ahead.
async fn next_of<T>(mut made: mpsc::Receiver<T>) -> Option<(T, mpsc::Receiver<T>)> {
    made.recv().await.map(|piece| (piece, made))
}

/// Speaks in a live session: one task for the reply that is being made.
pub struct Speaker {
    llm: Arc<dyn Interviewer>,
    tts: Arc<dyn Tts>,
    mouth: Mouth,
    out: mpsc::Sender<(SessionTime, Event)>,
    clock: Clock,
    calls: Arc<AtomicU32>,
    running: Option<Running>,
    /// A few words beside it, and their task.
    filler: Option<(ReplyId, AbortHandle)>,
    /// What is made before it is known whether it is wanted.
    ahead: Option<Ahead>,
}

/// The reply that is being made.
struct Running {
    task: AbortHandle,
    /// The task that began it ahead.
    ahead: Option<AbortHandle>,
    verdicts: mpsc::Sender<(CallId, Verdict)>,
}

impl Speaker {
    /// A speaker whose facts go to `out`.
    pub fn new(
        llm: Arc<dyn Interviewer>,
        tts: Arc<dyn Tts>,
        mouth: Mouth,
        out: mpsc::Sender<(SessionTime, Event)>,
        clock: Clock,
    ) -> Self {
        Self {
            llm,
            tts,
            mouth,
            out,
            clock,
            calls: Arc::default(),
            running: None,
            filler: None,
            ahead: None,
        }
    }

    /// Begins a reply. The one before, if it is still being made, is given up.
    pub fn speak(&mut self, order: Order) {
        self.stop();
        let (made, ahead) = self.take_ahead(&order.words).unzip();
        let (verdicts, told) = mpsc::channel(VERDICTS_QUEUED_MAX);
        let task = self.begin(order, made, told);
        self.running = Some(Running { task, ahead, verdicts });
    }

    /// Says a few words while a reply is being made, which goes on.
    pub fn fill(&mut self, reply: ReplyId, text: String) {
        self.stop_filler();
        // Nobody decides anything in it.
        let (_, told) = mpsc::channel(1);
        let order = Order { reply, epoch: Epoch(0), words: Words::Given(text) };
        self.filler = Some((reply, self.begin(order, None, told)));
    }

    fn begin(&self, order: Order, made: Option<Made>, told: Verdicts) -> AbortHandle {
        let reply = Reply {
            id: order.reply,
            epoch: order.epoch,
            mouth: self.mouth.clone(),
            out: self.out.clone(),
            clock: self.clock,
            calls: self.calls.clone(),
        };
        let (llm, tts) = (self.llm.clone(), self.tts.clone());
        let steps = Steps::new(order.words);
        let task = tokio::spawn(async move { reply.run(steps, made, told, &*llm, &*tts).await });
        task.abort_handle()
    }

    /// Begins what will be wanted if the candidate has finished. What was begun before, and is something
    /// else, is given up. Whether anything was begun.
    pub fn prepare(&mut self, words: Words) -> bool {
        if self.ahead.as_ref().is_some_and(|ahead| ahead.is(&words)) {
            return false;
        }
        self.forget();
        self.ahead = Some(Ahead::new(words, self.llm.clone(), self.tts.clone()));
        true
    }

    /// What was begun ahead is not wanted.
    pub fn forget(&mut self) {
        if let Some(ahead) = self.ahead.take() {
            metrics::counter!("vivavoce_speculations_total", "outcome" => "wasted").increment(1);
            ahead.stop();
        }
    }

    /// What was begun ahead, if it is this.
    fn take_ahead(&mut self, words: &Words) -> Option<(Made, AbortHandle)> {
        if !self.ahead.as_ref()?.is(words) {
            self.forget();
            return None;
        }
        metrics::counter!("vivavoce_speculations_total", "outcome" => "used").increment(1);
        self.ahead.take().map(Ahead::take)
    }

    /// Tells the reply that is being made what became of a tool call. To be told after a `hush` that the call
    /// led to: who is hushed does not go on.
    pub fn answer(&self, call: CallId, verdict: Verdict) {
        if let Some(running) = &self.running {
            // A reply that is made, or calls without end, wants no verdicts.
            let _ = running.verdicts.try_send((call, verdict));
        }
    }

    /// Lets a segment's sound out.
    pub fn play(&self, reply: ReplyId, n: u16) {
        self.mouth.open(reply, n);
    }

    /// Ends a reply before segment `n`.
    pub fn seal(&self, reply: ReplyId, n: u16) {
        self.mouth.seal(reply, n);
    }

    /// Stops a reply at once. Gives what was heard of it, if it had made a sound.
    pub fn hush(&mut self, reply: ReplyId) -> Option<Event> {
        match self.filler {
            Some((filler, _)) if filler == reply => self.stop_filler(),
            Some(_) | None => self.stop(),
        }
        self.mouth.clear(reply).map(|heard| Event::ReplyFinished { reply, heard: heard.words })
    }

    /// Makes nothing more and drops what was made.
    pub fn silence(&mut self) {
        self.stop();
        self.stop_filler();
        self.mouth.reset();
    }

    fn stop_filler(&mut self) {
        if let Some((_, task)) = self.filler.take() {
            task.abort();
        }
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.task.abort();
            if let Some(ahead) = running.ahead {
                ahead.abort();
            }
        }
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.stop();
        self.stop_filler();
        self.forget();
    }
}

/// What becomes of a reply's tool calls.
type Verdicts = mpsc::Receiver<(CallId, Verdict)>;

/// A segment whose sound is to be made.
struct Queued {
    n: u16,
    text: String,
    /// Whether it is of the first step.
    is_of_first_step: bool,
}

/// One reply being made.
struct Reply {
    id: ReplyId,
    epoch: Epoch,
    mouth: Mouth,
    out: mpsc::Sender<(SessionTime, Event)>,
    clock: Clock,
    calls: Arc<AtomicU32>,
}

impl Reply {
    async fn run(
        &self,
        steps: Steps,
        made: Option<Made>,
        verdicts: Verdicts,
        llm: &dyn Interviewer,
        tts: &dyn Tts,
    ) {
        let (segments, queue) = mpsc::channel(SEGMENTS_QUEUED_MAX);
        let (pieces, first) = made.map(|made| (made.pieces, made.voice)).unzip();
        let compose = self.compose(steps, pieces, verdicts, llm, segments);
        // A voice that fails ends both, whatever the model is still about; a model that fails leaves the
        // voice what it has.
        let made = tokio::try_join!(compose.map(Ok), self.voice(queue, first, tts));
        match made.and_then(|(composed, ())| composed) {
            Ok(()) => self.mouth.finish(self.id),
            Err(why) => {
                // Told first: nobody must take its end for that of a whole reply.
                self.tell(Event::ReplyFailed { reply: self.id, why }).await;
                self.mouth.break_off(self.id);
            }
        }
    }

    /// Asks the model until it has words.
    async fn compose(
        &self,
        mut steps: Steps,
        mut ahead: Option<mpsc::Receiver<Composed>>,
        mut verdicts: Verdicts,
        llm: &dyn Interviewer,
        segments: mpsc::Sender<Queued>,
    ) -> Result<(), String> {
        loop {
            let pieces = match ahead.take() {
                Some(pieces) => stream::unfold(pieces, next_of).boxed(),
                None => steps.pieces(llm).boxed(),
            };
            let made = self.step(&mut steps, pieces, &segments).await;
            if let Ok(1..) = made {
                return Ok(());
            }
            // A failure waits too: a call that was accepted may have ended this reply.
            while steps.is_waiting() {
                let (call, verdict) = verdicts.recv().await.ok_or("nobody wants this reply")?;
                steps.answer(call, &verdict);
            }
            made?;
            steps = steps.next()?;
        }
    }

    /// Cuts a step into segments, and says how many; the voice makes their sound while the next ones come.
    async fn step(
        &self,
        steps: &mut Steps,
        mut pieces: BoxStream<'static, Composed>,
        segments: &mpsc::Sender<Queued>,
    ) -> Result<u16, String> {
        let mut n = 0;
        while let Some(piece) = pieces.next().await {
            match piece {
                Composed::Segment(text) => {
                    self.mouth.expect(self.id, n, &text);
                    let known = Event::SegmentReady { reply: self.id, n, text: text.clone() };
                    self.tell(known).await;
                    let queued = Queued { n, text, is_of_first_step: steps.is_first() };
                    segments.send(queued).await.map_err(|_| "the voice has failed".to_owned())?;
                    n += 1;
                }
                Composed::Proposed(written, proposal) => {
                    let call = CallId(1 + self.calls.fetch_add(1, Ordering::Relaxed));
                    let (reply, epoch) = (self.id, self.epoch);
                    steps.called(call, written);
                    self.tell(Event::Proposed { reply, epoch, call, proposal }).await;
                }
                Composed::Failed(why) => return Err(why),
            }
        }
        Ok(n)
    }

    /// Makes the sound of the segments. The next one is begun while one still comes, so that it is there when
    /// it is its turn; they end one after the other.
    async fn voice(
        &self,
        queue: mpsc::Receiver<Queued>,
        mut first: Option<FirstVoice>,
        tts: &dyn Tts,
    ) -> Result<(), String> {
        let voices = stream::unfold(queue, next_of).map(|Queued { n, text, is_of_first_step }| {
            let sound = match first.take().filter(|_| is_of_first_step) {
                Some(made) => stream::unfold(made, next_of).boxed(),
                None => tts.synthesize(&text),
            };
            let out = move |sound: &Pcm48| self.mouth.append(self.id, n, sound);
            async move { pass_on(sound, out).await.map(|()| n) }
        });
        let mut voiced = pin!(voices.buffered(VOICES_AT_ONCE));
        while let Some(voiced) = voiced.next().await {
            self.mouth.complete(self.id, voiced.map_err(|error| error.to_string())?);
        }
        Ok(())
    }

    async fn tell(&self, event: Event) {
        // A session that is over wants no facts.
        let _ = self.out.send((self.clock.now(), event)).await;
    }
}
