//! The interviewer's speech: a model's stream or given words → segments → sound → playout. Carries out
//! `Effect::Speak`, `Play` and `Hush`.
//!
//! [`compose`] and [`voice`] are the two halves. Neither has a task of its own: [`Speaker`] runs both as one
//! task in a live session, and a replay runs each to its end. After a step in which the model only called
//! tools it is asked again: see [`Steps`].

mod ahead;
mod mouth;
mod readable;
mod segment;
mod steps;
mod tag;

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
    Brief, By, CallId, Care, Epoch, Event, Intent, Proposal, ReplyId, Say, Speaker as Who, TOOLS,
    Verdict, guard::acting::Acting, time::SessionTime,
};
use segment::Segmenter;
use tag::TagReader;

/// The order to make a reply.
#[derive(Clone, Debug)]
pub struct Order {
    /// The id of the reply.
    pub reply: ReplyId,
    /// The epoch in which its tool calls are made.
    pub epoch: Epoch,
    /// The words of the reply, or the task of finding them.
    pub words: Words,
}

/// The words of a reply, or the task of finding them.
#[derive(Clone, Debug, PartialEq)]
pub enum Words {
    /// Words that are known.
    Given(String),
    /// A task for the model, which finds the words.
    Talk(Box<TalkTask>),
}

/// A piece of a reply on its way to be spoken.
#[derive(Clone, Debug, PartialEq)]
pub enum Composed {
    /// What the model says that the candidate means.
    Understood(Intent),
    /// The next segment.
    Segment(String),
    /// A tool call of the model, and the proposal that it means.
    Proposed(Call, Proposal),
    /// A failure of the model. No piece follows it.
    Failed(String),
}

/// The model's temperature for a reply.
const TEMPERATURE: f32 = 0.7;
/// The model's temperature for the second try, after a reply that could not be spoken (L09).
const TEMPERATURE_COOL: f32 = 0.3;
/// The most segments of a reply that may wait for their sound.
const SEGMENTS_QUEUED_MAX: usize = 32;
/// The number of segments of a reply whose sound is made at the same time.
const VOICES_AT_ONCE: usize = 2;
/// The most verdicts that may wait for a reply. A reply that makes more calls at once gets no further
/// verdicts; it waits until it is replaced.
const VERDICTS_QUEUED_MAX: usize = 64;

impl Order {
    /// Returns the order of an `Effect::Speak`; `None` if its reply is over already.
    pub fn new(reply: ReplyId, epoch: Epoch, say: Say, brief: Option<Brief>) -> Option<Self> {
        Some(Self { reply, epoch, words: Words::new(say, brief)? })
    }
}

impl Words {
    /// Returns the words; `None` if a model has to find them and there is no brief for it.
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
    // What is known comes first: most of it stays as it is from reply to reply.
    let known = Some(brief.prompt.known()).filter(|known| !known.is_empty()).map(Message::Known);
    let request = TalkRequest {
        system: brief.prompt.instructions(),
        messages: known.into_iter().chain(brief.lines.into_iter().map(message)).collect(),
        tools: tools.map(tool).collect(),
        temperature: match brief.care {
            Care::Usual => TEMPERATURE,
            Care::Cooler | Care::QuestionOnly => TEMPERATURE_COOL,
        },
    };
    TalkTask { request, situation: brief.situation, answers: brief.answers }
}

/// Returns the pieces of a reply as they come.
fn compose(words: Words, llm: &dyn Interviewer) -> impl Stream<Item = Composed> + Send + 'static {
    let (pieces, mut written) = match words {
        Words::Given(text) => {
            let segmenter = Segmenter::of_sentences();
            let written = Written { model: None, segmenter };
            (stream::iter([Ok(Piece::Text(text))]).boxed(), written)
        }
        Words::Talk(task) => {
            let (model, segmenter) = (Some(FromModel::default()), Segmenter::default());
            (llm.talk(*task), Written { model, segmenter })
        }
    };
    // The end of the stream completes the last segment.
    let pieces = pieces.map(Some).chain(stream::iter([None]));
    pieces.flat_map(move |piece| stream::iter(compose_piece(&mut written, piece)))
}

/// What is written and nobody has got yet.
struct Written {
    /// What is read of a model's words before they are cut.
    model: Option<FromModel>,
    segmenter: Segmenter,
}

/// The words of a model on their way to speech: first the tag before them is read, then what is no speech is
/// left out.
#[derive(Default)]
struct FromModel {
    tag: TagReader,
    acting: Acting,
}

impl FromModel {
    fn push(&mut self, text: &str) -> (Option<Intent>, String) {
        let (intent, words) = self.tag.push(text);
        (intent, self.acting.push(&words))
    }

    fn finish(&mut self) -> String {
        let rest = self.tag.finish();
        let speech = self.acting.push(&rest);
        speech + &self.acting.finish()
    }
}

fn compose_piece(
    Written { model, segmenter }: &mut Written,
    piece: Option<Result<Piece, ProviderError>>,
) -> Vec<Composed> {
    match piece {
        Some(Ok(Piece::Text(text))) => {
            let (intent, words) = match model {
                Some(model) => model.push(&text),
                None => (None, text),
            };
            let segments = segmenter.push(&words).into_iter().map(Composed::Segment);
            intent.map(Composed::Understood).into_iter().chain(segments).collect()
        }
        Some(Ok(Piece::Call(call))) => {
            let proposal = Proposal::parse(&call.name, &call.arguments);
            // A question by tool and a question in words are the same thing (H09).
            let words = match &proposal {
                Proposal::AskQuestion { question, .. } => {
                    let text = format!("\n{question}");
                    let words = match model {
                        Some(model) => model.push(&text).1,
                        None => text,
                    };
                    segmenter.push(&words)
                }
                _ => Vec::new(),
            };
            let words = words.into_iter().map(Composed::Segment);
            std::iter::once(Composed::Proposed(call, proposal)).chain(words).collect()
        }
        // The provider itself counts the costs.
        Some(Ok(Piece::Usage(_))) => Vec::new(),
        Some(Err(error)) => vec![Composed::Failed(error.to_string())],
        None => {
            let rest = model.as_mut().map(FromModel::finish).unwrap_or_default();
            let rest = segmenter.push(&rest).into_iter();
            rest.chain(segmenter.finish()).map(Composed::Segment).collect()
        }
    }
}

/// Makes the sound of one segment and passes it on as it comes.
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

/// Returns the next piece of a queue, and the queue.
async fn next_of<T>(mut made: mpsc::Receiver<T>) -> Option<(T, mpsc::Receiver<T>)> {
    made.recv().await.map(|piece| (piece, made))
}

/// The speaker of a live session, with one task for the reply that is being made.
pub struct Speaker {
    llm: Arc<dyn Interviewer>,
    tts: Arc<dyn Tts>,
    mouth: Mouth,
    out: mpsc::Sender<(SessionTime, Event)>,
    clock: Clock,
    calls: Arc<AtomicU32>,
    running: Option<Running>,
    /// The filler that is being said, and its task.
    filler: Option<(ReplyId, AbortHandle)>,
    /// The reply that is made ahead.
    ahead: Option<Ahead>,
}

/// The reply that is being made.
struct Running {
    task: AbortHandle,
    /// The task that began the reply ahead, if there was one.
    ahead: Option<AbortHandle>,
    verdicts: mpsc::Sender<(CallId, Verdict)>,
}

impl Speaker {
    /// Returns a speaker whose facts go to `out`.
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

    /// Whether a model words replies; else the scripted interviewer does.
    pub fn has_model(&self) -> bool {
        self.llm.model().is_some()
    }

    /// Begins a reply. The reply before it is given up if it is still being made.
    pub fn speak(&mut self, order: Order) {
        self.stop();
        let (made, ahead) = self.take_ahead(&order.words).unzip();
        let (verdicts, told) = mpsc::channel(VERDICTS_QUEUED_MAX);
        let task = self.begin(order, made, told);
        self.running = Some(Running { task, ahead, verdicts });
    }

    /// Says a filler while a reply is being made. That reply goes on.
    pub fn fill(&mut self, reply: ReplyId, text: String) {
        self.stop_filler();
        // A filler has no tool calls, so it needs no verdicts.
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

    /// Begins the reply that will be ordered if the candidate has finished. Another reply that was begun
    /// ahead is dropped. Returns whether anything was begun.
    pub fn prepare(&mut self, words: Words) -> bool {
        if self.ahead.as_ref().is_some_and(|ahead| ahead.is(&words)) {
            return false;
        }
        self.forget();
        self.ahead = Some(Ahead::new(words, self.llm.clone(), self.tts.clone()));
        true
    }

    /// Drops the reply that was begun ahead.
    pub fn forget(&mut self) {
        if let Some(ahead) = self.ahead.take() {
            metrics::counter!("vivavoce_speculations_total", "outcome" => "wasted").increment(1);
            ahead.stop();
        }
    }

    /// Takes the reply that was begun ahead, if it has these words.
    fn take_ahead(&mut self, words: &Words) -> Option<(Made, AbortHandle)> {
        if !self.ahead.as_ref()?.is(words) {
            self.forget();
            return None;
        }
        metrics::counter!("vivavoce_speculations_total", "outcome" => "used").increment(1);
        self.ahead.take().map(Ahead::take)
    }

    /// Passes the verdict on a tool call to the reply that is being made. If the verdict leads to a `hush`,
    /// this must be called after it: a hushed reply does not go on.
    pub fn answer(&self, call: CallId, verdict: Verdict) {
        if let Some(running) = &self.running {
            // A reply that is complete, or calls tools without end, takes no verdicts.
            let _ = running.verdicts.try_send((call, verdict));
        }
    }

    /// Lets a segment be heard.
    pub fn play(&self, reply: ReplyId, n: u16) {
        self.mouth.open(reply, n);
    }

    /// Ends a reply before segment `n`.
    pub fn seal(&self, reply: ReplyId, n: u16) {
        self.mouth.seal(reply, n);
    }

    /// Stops a reply at once. Returns the event with what was heard of it, if it had made a sound.
    pub fn hush(&mut self, reply: ReplyId) -> Option<Event> {
        match self.filler {
            Some((filler, _)) if filler == reply => self.stop_filler(),
            Some(_) | None => self.stop(),
        }
        self.mouth.clear(reply).map(|heard| Event::ReplyFinished { reply, heard: heard.words })
    }

    /// Stops all work and drops what was made.
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

/// The verdicts on a reply's tool calls.
type Verdicts = mpsc::Receiver<(CallId, Verdict)>;

/// A segment that waits for its sound.
struct Queued {
    n: u16,
    text: String,
    /// Whether the segment belongs to the first step.
    is_of_first_step: bool,
}

/// A reply that is being made.
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
        // If the voice fails, both end, whatever the model still does. If the model fails, the voice speaks
        // what it has.
        let made = tokio::try_join!(compose.map(Ok), self.voice(queue, first, tts));
        match made.and_then(|(composed, ())| composed) {
            Ok(()) => self.mouth.finish(self.id),
            Err(why) => {
                // Reported first, so that the end of this reply is not taken for the end of a whole one.
                self.send_event(Event::ReplyFailed { reply: self.id, why }).await;
                self.mouth.break_off(self.id);
            }
        }
    }

    /// Asks the model until it gives words.
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
            // After a failure it waits, too: an accepted call may have ended this reply.
            while steps.is_waiting() {
                let (call, verdict) = verdicts.recv().await.ok_or("nobody wants this reply")?;
                steps.answer(call, &verdict);
            }
            made?;
            steps = steps.next()?;
        }
    }

    /// Cuts a step into segments and returns their number. The voice makes their sound while the next ones
    /// come.
    async fn step(
        &self,
        steps: &mut Steps,
        mut pieces: BoxStream<'static, Composed>,
        segments: &mpsc::Sender<Queued>,
    ) -> Result<u16, String> {
        let mut n = 0;
        while let Some(piece) = pieces.next().await {
            match piece {
                Composed::Understood(intent) => {
                    if let Some((turn, attempt)) = steps.answers() {
                        let by = By::Model;
                        self.send_event(Event::Understood { turn, attempt, intent, by }).await;
                    }
                }
                Composed::Segment(text) => {
                    self.mouth.expect(self.id, n, &text);
                    let known = Event::SegmentReady { reply: self.id, n, text: text.clone() };
                    self.send_event(known).await;
                    let queued = Queued { n, text, is_of_first_step: steps.is_first() };
                    segments.send(queued).await.map_err(|_| "the voice has failed".to_owned())?;
                    n += 1;
                }
                Composed::Proposed(written, proposal) => {
                    let call = CallId(1 + self.calls.fetch_add(1, Ordering::Relaxed));
                    let (reply, epoch) = (self.id, self.epoch);
                    steps.called(call, written);
                    self.send_event(Event::Proposed { reply, epoch, call, proposal }).await;
                }
                Composed::Failed(why) => return Err(why),
            }
        }
        Ok(n)
    }

    /// Makes the sound of the segments. The next one begins while one is still being made, so that it is
    /// ready in time; they end one after the other.
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

    async fn send_event(&self, event: Event) {
        // A session that is over takes no facts.
        let _ = self.out.send((self.clock.now(), event)).await;
    }
}
