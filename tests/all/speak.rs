//! What we say, without a session: the speaker and a model that calls tools first.

use std::sync::{Arc, Mutex};

use futures_util::{
    FutureExt, StreamExt,
    future::{self, BoxFuture},
    stream::{self, BoxStream},
};
use tokio::{
    sync::{Notify, mpsc},
    time::timeout,
};
use vivavoce::{
    audio::{FRAME_48, Pcm48},
    clock::Clock,
    interview::{CallId, Epoch, Event, Refusal, ReplyId, Verdict},
    providers::{
        Call, JudgeRequest, Llm, Message, Piece, ProviderError, Retry, TalkRequest, Tts,
        interviewer::TalkTask, tts_scripted::ScriptedTts,
    },
    scripted::Situation,
    speak::{Heard, Mouth, Order, Speaker, Words},
    time::SessionTime,
};

use crate::client::PATIENCE;

const REPLY: ReplyId = ReplyId(7);

/// Calls two tools, then one, then speaks; keeps what it is asked.
#[derive(Clone, Default)]
struct CallsFirst(Arc<Mutex<Vec<Vec<Message>>>>);

impl CallsFirst {
    /// Waits until it was asked so often.
    async fn is_asked(&self, count: usize) {
        while self.0.lock().unwrap().len() < count {
            tokio::task::yield_now().await;
        }
    }
}

fn call(id: &str, name: &str) -> Call {
    Call { id: id.into(), name: name.into(), arguments: r#"{"depth":3}"#.into() }
}

impl Llm for CallsFirst {
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let mut asked = self.0.lock().unwrap();
        asked.push(request.messages);
        let pieces = match asked.len() {
            1 => {
                vec![Piece::Call(call("x", "assess_response")), Piece::Call(call("y", "wait_more"))]
            }
            2 => vec![Piece::Call(call("x", "assess_response"))],
            _ => vec![Piece::Text("Why bread?".into())],
        };
        stream::iter(pieces.into_iter().map(Ok)).boxed()
    }

    fn judge(&self, _: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        future::ready(Ok(String::new())).boxed()
    }
}

/// A speaker that makes a reply of this model, and where its facts come out.
fn speaking(model: &CallsFirst) -> (Speaker, mpsc::Receiver<(SessionTime, Event)>) {
    let (mut speaker, facts) = silent(model);
    speaker.speak(order("I bake bread."));
    (speaker, facts)
}

/// A speaker that has nothing to say yet.
fn silent(model: &CallsFirst) -> (Speaker, mpsc::Receiver<(SessionTime, Event)>) {
    let (out, facts) = mpsc::channel(16);
    let (mouth, _) = Mouth::new();
    let llm = Arc::new(model.clone());
    (Speaker::new(llm, Arc::new(ScriptedTts), mouth, out, Clock::start()), facts)
}

/// The order for a reply to these words.
fn order(said: &str) -> Order {
    let request = TalkRequest {
        system: String::new(),
        messages: vec![Message::User(said.into())],
        tools: Vec::new(),
        temperature: 0.0,
    };
    let task = TalkTask { request, situation: Situation::default(), answers: None };
    Order { reply: REPLY, epoch: Epoch(0), words: Words::Talk(Box::new(task)) }
}

async fn called(facts: &mut mpsc::Receiver<(SessionTime, Event)>) -> CallId {
    match facts.recv().await {
        Some((_, Event::Proposed { reply: REPLY, call, .. })) => call,
        other => panic!("{other:?} is no call"),
    }
}

/// H08: a reply of calls alone waits for every verdict, in whatever order they come, is asked again with all
/// of them in the order of the calls, and speaks in the end.
#[tokio::test]
async fn a_model_speaks_when_it_knows_what_became_of_its_calls() {
    let model = CallsFirst::default();
    let (speaker, mut facts) = speaking(&model);
    let (first, second) = (called(&mut facts).await, called(&mut facts).await);
    speaker.answer(CallId(99), Verdict::Accepted);
    speaker.answer(second, Verdict::Refused(Refusal::WaitedAlready));
    speaker.answer(first, Verdict::Accepted);
    let third = called(&mut facts).await;
    speaker.answer(third, Verdict::Refused(Refusal::AlreadyAssessed));
    let (_, fact) = facts.recv().await.unwrap();
    assert_eq!(fact, Event::SegmentReady { reply: REPLY, n: 0, text: "Why bread?".into() });
    let answered = |id: &str, text: &str| Message::Answered { id: id.into(), text: text.into() };
    let expected = [
        Message::User("I bake bread.".into()),
        Message::Called(vec![call("x", "assess_response"), call("y", "wait_more")]),
        answered("x", "accepted"),
        answered("y", "refused: you cannot wait now: answer"),
        Message::Called(vec![call("x", "assess_response")]),
        answered("x", "refused: this answer has been assessed"),
    ];
    let asked = model.0.lock().unwrap();
    assert_eq!(asked.last().unwrap()[..], expected);
    assert_eq!(asked.len(), 3, "asked again before all was decided");
}

/// H08: a reply that its own call ended says nothing more: neither is the model asked again, nor has it
/// failed.
#[tokio::test]
async fn a_reply_that_its_own_call_ended_has_not_failed() {
    let model = CallsFirst::default();
    let (mut speaker, mut facts) = speaking(&model);
    let (first, second) = (called(&mut facts).await, called(&mut facts).await);
    assert_eq!(speaker.hush(REPLY), None, "it had made a sound");
    speaker.answer(first, Verdict::Accepted);
    speaker.answer(second, Verdict::Refused(Refusal::Stale));
    drop(speaker);
    assert_eq!(facts.recv().await, None);
    assert_eq!(model.0.lock().unwrap().len(), 1, "it was asked again");
}

/// Case 31: a filler is said beside the reply, and stopped alone: the model is neither stopped nor asked
/// again.
#[tokio::test]
async fn a_filler_leaves_the_reply_alone() {
    const FILLER: ReplyId = ReplyId(8);
    let model = CallsFirst::default();
    let (mut speaker, mut facts) = speaking(&model);
    let (first, second) = (called(&mut facts).await, called(&mut facts).await);
    speaker.fill(FILLER, "One moment.".into());
    let (_, fact) = facts.recv().await.unwrap();
    assert_eq!(fact, Event::SegmentReady { reply: FILLER, n: 0, text: "One moment.".into() });
    assert_eq!(speaker.hush(FILLER), None, "it had made a sound");
    speaker.answer(first, Verdict::Accepted);
    speaker.answer(second, Verdict::Accepted);
    let third = called(&mut facts).await;
    speaker.fill(FILLER, "One moment.".into());
    assert_eq!(speaker.hush(REPLY), None, "it had made a sound");
    speaker.answer(third, Verdict::Accepted);
    let (_, fact) = facts.recv().await.unwrap();
    assert!(matches!(fact, Event::SegmentReady { reply: FILLER, .. }), "{fact:?}");
    drop(speaker);
    assert_eq!(facts.recv().await, None);
    assert_eq!(model.0.lock().unwrap().len(), 2);
}

/// Q02: what was begun ahead is told only when it is ordered, and then the model is not asked again, however
/// the recogniser wrote the same words in the end; what is ordered otherwise is asked for anew.
#[tokio::test]
async fn what_was_begun_ahead_is_used_when_it_is_ordered() {
    let model = CallsFirst::default();
    let (mut speaker, mut facts) = silent(&model);
    assert!(speaker.prepare(order("i bake bread").words));
    assert!(!speaker.prepare(order("I bake bread.").words), "the same was begun twice");
    model.is_asked(1).await;
    // What is begun after it is told after it.
    speaker.fill(ReplyId(8), "One moment.".into());
    let (_, fact) = facts.recv().await.unwrap();
    assert!(matches!(fact, Event::SegmentReady { .. }), "told before it was ordered: {fact:?}");
    speaker.speak(order("I bake bread."));
    called(&mut facts).await;
    called(&mut facts).await;
    assert_eq!(model.0.lock().unwrap().len(), 1, "asked again for what was begun");
    assert!(speaker.prepare(order("I bake cakes").words));
    model.is_asked(2).await;
    speaker.speak(order("I bake bread and cakes."));
    let (_, fact) = facts.recv().await.unwrap();
    assert!(matches!(fact, Event::SegmentReady { .. }), "{fact:?}");
    let asked = model.0.lock().unwrap();
    assert_eq!(asked.last().unwrap()[..], [Message::User("I bake bread and cakes.".into())]);
}

/// The voice of a first segment ends when the second has been begun; the second one's fails.
#[derive(Clone, Default)]
struct Overlapping(Arc<Notify>);

impl Tts for Overlapping {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        let begun = self.0.clone();
        if text.starts_with("Why") {
            begun.notify_one();
            return stream::iter([Err(ProviderError {
                what: "it broke".into(),
                retry: Retry::Never,
            })])
            .boxed();
        }
        let first = stream::iter([Ok(Pcm48(vec![1_000; FRAME_48]))]);
        let rest = stream::once(async move {
            begun.notified().await;
            Ok(Pcm48(vec![1_000; FRAME_48]))
        });
        first.chain(rest).boxed()
    }
}

/// Q07, Q15: the sound of a segment is begun while the one before still comes, so that there is no hole
/// between them; should it fail, the one before is whole, the reply ends with it, and what is said instead is
/// heard.
#[tokio::test]
async fn the_next_segment_is_begun_while_one_comes() {
    let (out, mut facts) = mpsc::channel(16);
    let (mouth, mut heard) = Mouth::new();
    mouth.connect(true);
    let tts = Arc::new(Overlapping::default());
    let mut speaker =
        Speaker::new(Arc::new(CallsFirst::default()), tts, mouth.clone(), out, Clock::start());
    let words = Words::Given("Bread is good. Why bread?".into());
    speaker.speak(Order { reply: REPLY, epoch: Epoch(0), words });
    let mut told = Vec::new();
    while told.len() < 3 {
        let fact = timeout(PATIENCE, facts.recv()).await.expect("no hole").unwrap();
        told.push(fact.1);
    }
    let why = "it broke".to_owned();
    assert_eq!(told[2], Event::ReplyFailed { reply: REPLY, why });
    speaker.play(REPLY, 0);
    let pull = |n: u64| mouth.pull(SessionTime::from_millis(20 * n)).is_some();
    assert_eq!([0, 1, 2, 3].map(pull), [true, true, false, false]);
    let finished = Event::ReplyFinished { reply: REPLY, heard: String::new() };
    let mut heard = std::iter::from_fn(|| heard.try_recv().ok());
    assert!(heard.any(|told| matches!(told, Heard::Fact(_, fact) if fact == finished)));
    let instead = ReplyId(8);
    mouth.append(instead, 0, &Pcm48(vec![1_000; 3 * FRAME_48]));
    mouth.open(instead, 0);
    assert!(pull(4), "what is said instead is heard");
}

/// A voice that never comes.
struct Broken;

impl Tts for Broken {
    fn synthesize(&self, _: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        let error = ProviderError { what: "no such voice".into(), retry: Retry::Never };
        stream::iter([Err(error)]).boxed()
    }
}

/// P04: where the voice fails while the model goes on, what is told is the voice's reason.
#[tokio::test]
async fn a_failing_voice_says_why() {
    let (out, mut facts) = mpsc::channel(16);
    let (mouth, _heard) = Mouth::new();
    let llm = Arc::new(CallsFirst::default());
    let mut speaker = Speaker::new(llm, Arc::new(Broken), mouth, out, Clock::start());
    let words = Words::Given("Bread is good. ".repeat(99));
    speaker.speak(Order { reply: REPLY, epoch: Epoch(0), words });
    let failed = timeout(PATIENCE, async {
        loop {
            if let (_, Event::ReplyFailed { why, .. }) = facts.recv().await.unwrap() {
                return why;
            }
        }
    });
    assert_eq!(failed.await.expect("a failure"), "no such voice");
}

/// Says a sentence, and then nothing more for ever.
struct Stuck;

impl Llm for Stuck {
    fn talk(&self, _: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let words = "Bread is good. Now let me think".to_owned();
        stream::iter([Ok(Piece::Text(words))]).chain(stream::pending()).boxed()
    }

    fn judge(&self, _: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        future::ready(Ok(String::new())).boxed()
    }
}

/// P04: a voice that fails is told at once, and not when the model has finished.
#[tokio::test]
async fn a_failing_voice_waits_for_no_model() {
    let (out, mut facts) = mpsc::channel(16);
    let (mouth, _heard) = Mouth::new();
    let mut speaker = Speaker::new(Arc::new(Stuck), Arc::new(Broken), mouth, out, Clock::start());
    speaker.speak(order("I bake bread."));
    let (_, fact) = facts.recv().await.unwrap();
    assert_eq!(fact, Event::SegmentReady { reply: REPLY, n: 0, text: "Bread is good.".into() });
    let failed = timeout(PATIENCE, facts.recv()).await.expect("told at once");
    let why = "no such voice".to_owned();
    assert_eq!(failed.unwrap().1, Event::ReplyFailed { reply: REPLY, why });
    // Of what nobody makes any more nobody wants to know.
    speaker.answer(CallId(1), Verdict::Accepted);
}

/// Q02, H08: a step of calls alone that was begun ahead has no sound; that of the next step is made as any
/// other.
#[tokio::test]
async fn calls_that_were_begun_ahead_have_no_sound() {
    let model = CallsFirst::default();
    let (out, mut facts) = mpsc::channel(16);
    let (mouth, _heard) = Mouth::new();
    mouth.connect(true);
    let llm = Arc::new(model.clone());
    let mut speaker = Speaker::new(llm, Arc::new(ScriptedTts), mouth.clone(), out, Clock::start());
    assert!(speaker.prepare(order("I bake bread.").words));
    speaker.speak(order("I bake bread."));
    for _ in 0..3 {
        speaker.answer(called(&mut facts).await, Verdict::Accepted);
    }
    let (_, fact) = facts.recv().await.unwrap();
    assert_eq!(fact, Event::SegmentReady { reply: REPLY, n: 0, text: "Why bread?".into() });
    speaker.play(REPLY, 0);
    timeout(PATIENCE, async {
        while mouth.pull(SessionTime::ZERO).is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the question is heard");
}
