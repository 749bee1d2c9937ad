use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};

use super::{
    super::{Gate, lock},
    *,
};
use crate::providers::{Call, Message, Tool, kind::Role};

/// A limit that nothing reaches, and one that whoever hangs reaches soon.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

/// A step of a scripted model.
#[derive(Clone)]
enum Step {
    Say(&'static str),
    Call(&'static str),
    Count(u64),
    Fail(Retry),
    Hang,
}
use Step::{Call as Calls, Count, Fail, Hang, Say};

/// A model that answers each request by its script, or the last one.
#[derive(Default)]
struct Model {
    scripts: Vec<Vec<Step>>,
    asked: Mutex<Vec<TalkRequest>>,
    is_spent: AtomicBool,
}

fn broke(retry: Retry) -> ProviderError {
    ProviderError { what: "it broke".into(), retry }
}

impl Llm for Model {
    fn talk(&self, request: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let n = {
            let mut asked = lock(&self.asked);
            asked.push(request);
            asked.len().min(self.scripts.len()) - 1
        };
        let steps = self.scripts[n].clone();
        let hangs = steps.iter().any(|step| matches!(step, Hang));
        let pieces = steps.into_iter().filter_map(|step| match step {
            Say(text) => Some(Ok(Piece::Text(text.to_owned()))),
            Calls(name) => {
                let (id, arguments) = ("call-0".to_owned(), "{}".to_owned());
                Some(Ok(Piece::Call(Call { id, name: name.to_owned(), arguments })))
            }
            Count(tokens) => {
                Some(Ok(Piece::Usage(Usage { input: tokens, output: 1, ..Usage::default() })))
            }
            Fail(retry) => Some(Err(broke(retry))),
            Hang => None,
        });
        let pieces = stream::iter(pieces.collect::<Vec<_>>());
        if hangs { pieces.chain(stream::pending()).boxed() } else { pieces.boxed() }
    }

    fn judge(&self, request: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        let system = request.system;
        match self.scripts[0][0] {
            Say(text) => std::future::ready(Ok(format!("{text} {system}"))).boxed(),
            Fail(retry) => std::future::ready(Err(broke(retry))).boxed(),
            Calls(_) | Count(_) | Hang => std::future::pending().boxed(),
        }
    }

    fn name(&self) -> Option<String> {
        match self.scripts[0][0] {
            Say(text) => Some(text.to_owned()),
            Calls(_) | Count(_) | Fail(_) | Hang => Some("broken".to_owned()),
        }
    }

    fn used(&self) -> Option<Usage> {
        let calls = lock(&self.asked).len() as u64;
        (calls > 0).then_some(Usage { input: 100 * calls, output: calls, ..Usage::default() })
    }

    fn is_spent(&self) -> bool {
        self.is_spent.load(Ordering::Relaxed)
    }
}

/// Models in a chain.
struct Bench {
    models: Vec<Arc<Model>>,
    gates: Vec<Arc<Gate>>,
    chain: InterviewerChain,
}

/// What became of a reply.
#[derive(Debug, PartialEq)]
struct Told {
    text: String,
    calls: Vec<String>,
    error: Option<ProviderError>,
}

impl Bench {
    fn new(limit: Duration, scripts: &[&[Step]]) -> Self {
        let model = |script: &&[Step]| {
            Arc::new(Model { scripts: vec![script.to_vec()], ..Model::default() })
        };
        let models: Vec<_> = scripts.iter().map(model).collect();
        let gate = |n: usize| Gate::new(Role::Llm, &format!("model-{}", n + 1));
        let gates: Vec<_> = (0..models.len()).map(gate).collect();
        let chain = chain(limit, &gates, &models);
        Self { models, gates, chain }
    }

    fn talk(&self) -> BoxStream<'static, Result<Piece, ProviderError>> {
        self.chain.model().unwrap().talk(request())
    }

    async fn told(&self) -> Told {
        let mut told = Told { text: String::new(), calls: Vec::new(), error: None };
        let mut pieces = self.talk();
        while let Some(piece) = pieces.next().await {
            assert_eq!(told.error, None, "something follows an error");
            match piece {
                Ok(Piece::Text(text)) => told.text += &text,
                Ok(Piece::Call(call)) => told.calls.push(call.name),
                Ok(Piece::Usage(_)) => {}
                Err(error) => told.error = Some(error),
            }
        }
        told
    }

    /// How often each was asked for a reply.
    fn asked(&self) -> Vec<usize> {
        self.models.iter().map(|model| lock(&model.asked).len()).collect()
    }

    fn last(&self, n: usize) -> TalkRequest {
        lock(&self.models[n].asked).last().cloned().unwrap()
    }
}

fn chain(limit: Duration, gates: &[Arc<Gate>], models: &[Arc<Model>]) -> InterviewerChain {
    let limits = Limits { llm_silence: limit, tts_silence: LONG, stt_away: LONG };
    let links = gates.iter().zip(models).map(|(gate, model)| {
        let provider: Arc<dyn Interviewer> = model.clone();
        Link { gate: gate.clone(), provider }
    });
    InterviewerChain::new(links.collect(), limits)
}

fn request() -> TalkRequest {
    let tool =
        Tool { name: "transition_stage", description: "Go on.", parameters: serde_json::json!({}) };
    TalkRequest {
        system: "You interview.".to_owned(),
        messages: vec![Message::User("I bake bread.".to_owned())],
        tools: vec![tool],
        temperature: 0.7,
    }
}

fn said(text: &str, calls: &[&str]) -> Told {
    let calls = calls.iter().map(|call| (*call).to_owned()).collect();
    Told { text: text.to_owned(), calls, error: None }
}

/// P02: before the first word a failure of any kind is followed by the next model within the same reply,
/// which is asked the same.
#[tokio::test]
async fn the_next_model_answers() {
    for (what, limit, script) in [
        ("fails", LONG, &[Fail(Retry::Now)][..]),
        ("is busy", LONG, &[Fail(Retry::After(Duration::from_secs(9)))]),
        ("refuses the key", LONG, &[Fail(Retry::Never)]),
        ("says nothing", LONG, &[]),
        ("only counts", LONG, &[Say(" "), Count(5)]),
        ("hangs", SHORT, &[Hang]),
        ("hangs after a blank", SHORT, &[Say("\n"), Hang]),
        ("fails in its first word", LONG, &[Say("Hel"), Fail(Retry::Now)]),
    ] {
        let bench = Bench::new(limit, &[script, &[Say("What do "), Say("you bake?"), Count(7)]]);
        assert_eq!(bench.told().await, said("What do you bake?", &[]), "{what}");
        assert_eq!(bench.last(1), request(), "{what}");
        assert!(!bench.gates[0].admits() && bench.gates[1].admits(), "{what}");
    }
}

/// P02: a model that works is asked alone, and its words come as it writes them.
#[tokio::test]
async fn a_model_that_works_is_alone() {
    let pieces = [Say("What d"), Say("o you"), Say(" bake?"), Calls("assess_response"), Count(7)];
    let bench = Bench::new(LONG, &[&pieces, &[Say("No.")]]);
    assert_eq!(bench.told().await, said("What do you bake?", &["assess_response"]));
    assert_eq!(bench.asked(), [1, 0]);
    let kinds: Vec<String> =
        bench.talk().map(|piece| format!("{:?}", piece.unwrap())).collect().await;
    assert_eq!(kinds[..2], ["Text(\"What \")", "Text(\"do \")"]);
}

/// P02: within a reply the next model goes on with what was passed on: half of a word is said again as a
/// whole, and what it repeats of the beginning is not.
#[tokio::test]
async fn the_next_model_goes_on() {
    for (limit, first, second, whole) in [
        (LONG, Fail(Retry::Now), "systems. What next?", "So you know payment systems. What next?"),
        (LONG, Fail(Retry::Never), "So you know payment systems.", "So you know payment systems."),
        (SHORT, Hang, " payment systems. Fine?", "So you know payment systems. Fine?"),
    ] {
        let script = [Say("So you know pay"), Say("ment sys"), first];
        let bench = Bench::new(limit, &[&script, &[Say(second)]]);
        assert_eq!(bench.told().await, said(whole, &[]));
        let TalkRequest { system, messages, tools, .. } = bench.last(1);
        assert!(system.starts_with("You interview.") && system.contains("cut off"), "{system}");
        let begun = Message::Assistant("So you know payment".to_owned());
        assert_eq!(messages, [request().messages, vec![begun]].concat());
        assert_eq!(tools, request().tools);
    }
}

/// P02, H01: a tool is never called twice: whoever goes on after a call has no tools, and what it calls all
/// the same is dropped; a reply that broke off after its calls alone is a whole step.
#[tokio::test]
async fn tools_are_never_called_twice() {
    let script = [Say("Fine, "), Calls("transition_stage"), Fail(Retry::Now)];
    let bench = Bench::new(LONG, &[&script, &[Say("let us go on."), Calls("transition_stage")]]);
    assert_eq!(bench.told().await, said("Fine, let us go on.", &["transition_stage"]));
    assert!(bench.last(1).tools.is_empty());
    let script = [Calls("transition_stage"), Fail(Retry::Now)];
    let bench = Bench::new(LONG, &[&script, &[Say("No.")]]);
    assert_eq!(bench.told().await, said("", &["transition_stage"]));
    assert_eq!(bench.asked(), [1, 0]);
    assert!(!bench.gates[0].admits(), "it has failed all the same");
}

/// P02: if all fail, the last one's reason is told, once, behind what was passed on.
#[tokio::test]
async fn the_last_reason_is_told() {
    let fails = [Say("Hello "), Say("Ada"), Fail(Retry::Now)];
    let bench = Bench::new(LONG, &[&fails, &[Fail(Retry::Never)]]);
    let told = bench.told().await;
    assert_eq!(told, Told { error: Some(broke(Retry::Never)), ..said("Hello ", &[]) });
    assert_eq!(bench.asked(), [1, 1]);
    let again = bench.told().await;
    assert_eq!(again.error, Some(broke(Retry::Never)), "they are tried all the same");
}

/// P02: a model that has failed is left alone by all interviews.
#[tokio::test]
async fn all_interviews_know_who_has_failed() {
    let bench = Bench::new(LONG, &[&[Fail(Retry::Never)], &[Say("Well?")]]);
    let other = chain(LONG, &bench.gates, &bench.models);
    for _ in 0..3 {
        assert_eq!(bench.told().await, said("Well?", &[]));
    }
    let pieces: Vec<_> = other.model().unwrap().talk(request()).collect().await;
    assert_eq!(pieces, [Ok(Piece::Text("Well?".to_owned()))]);
    assert_eq!(bench.asked(), [1, 4]);
}

/// P02: a model that has not spoken after the time within which it mostly does gets a rival; whoever speaks
/// first is heard, the other one is dropped. Who is always slower is left alone.
#[tokio::test]
async fn who_is_late_gets_a_rival() {
    let bench = Bench::new(LONG, &[&[Hang], &[Say("Well?")]]);
    for _ in 0..20 {
        lock(&bench.gates[0].first_words).took(Duration::from_millis(5));
    }
    for asked in 1..=3 {
        assert_eq!(bench.told().await, said("Well?", &[]));
        assert_eq!(bench.asked(), [asked, asked]);
    }
    assert_eq!(bench.told().await, said("Well?", &[]));
    assert_eq!(bench.asked(), [3, 4], "the first one was too slow three times");
}

/// P02: a rival that fails, or is slower, changes nothing.
#[tokio::test]
async fn a_rival_may_fail() {
    for rival in [Fail(Retry::Now), Hang] {
        let gates = ["slow", "rival"].map(|name| Gate::new(Role::Llm, name));
        (0..20).for_each(|_| lock(&gates[0].first_words).took(Duration::ZERO));
        let (speaks, wait) = tokio::sync::oneshot::channel();
        let slow = Slow(Mutex::new(Some(wait)));
        let rival = Rival { does: rival, speaks: Mutex::new(Some(speaks)) };
        let limits = Limits { llm_silence: LONG, tts_silence: LONG, stt_away: LONG };
        let (slow, rival): (Arc<dyn Interviewer>, Arc<dyn Interviewer>) =
            (Arc::new(slow), Arc::new(rival));
        let link = |(gate, provider): (&Arc<Gate>, _)| Link { gate: gate.clone(), provider };
        let links = gates.iter().zip([slow, rival]).map(link).collect();
        let chain = InterviewerChain::new(links, limits);
        let pieces: Vec<_> = chain.model().unwrap().talk(request()).collect().await;
        assert_eq!(pieces, [Ok(Piece::Text("Well?".to_owned()))]);
        assert!(gates[0].admits());
    }
}

/// A model that speaks once its rival was asked.
struct Slow(Mutex<Option<tokio::sync::oneshot::Receiver<()>>>);

impl Llm for Slow {
    fn talk(&self, _: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        let wait = lock(&self.0).take().unwrap();
        let speaks = wait.map(|asked| {
            asked.unwrap();
            Ok(Piece::Text("Well?".to_owned()))
        });
        stream::once(speaks).boxed()
    }

    fn judge(&self, _: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        std::future::pending().boxed()
    }
}

struct Rival {
    does: Step,
    speaks: Mutex<Option<tokio::sync::oneshot::Sender<()>>>,
}

impl Llm for Rival {
    fn talk(&self, _: TalkRequest) -> BoxStream<'static, Result<Piece, ProviderError>> {
        lock(&self.speaks).take().unwrap().send(()).unwrap();
        match self.does {
            Fail(retry) => stream::iter([Err(broke(retry))]).boxed(),
            Say(_) | Calls(_) | Count(_) | Hang => stream::pending().boxed(),
        }
    }

    fn judge(&self, _: JudgeRequest) -> BoxFuture<'static, Result<String, ProviderError>> {
        std::future::pending().boxed()
    }
}

/// P02: judgements fail over, too; a judge that is wrong for good is no reason not to let it talk.
#[tokio::test]
async fn judges_fail_over() {
    let request = JudgeRequest {
        system: "Judge.".to_owned(),
        user: String::new(),
        schema: serde_json::json!({}),
        is_long: false,
    };
    for (retry, may_talk) in [(Retry::Never, true), (Retry::Now, false)] {
        let bench = Bench::new(LONG, &[&[Fail(retry)], &[Say("second")]]);
        let model = bench.chain.model().unwrap();
        assert_eq!(model.judge(request.clone()).await, Ok("second Judge.".to_owned()));
        assert_eq!(bench.gates[0].admits(), may_talk, "{retry:?}");
        assert_eq!(model.name().as_deref(), Some("second"), "who answered");
    }
    let bench = Bench::new(LONG, &[&[Fail(Retry::Never)], &[Fail(Retry::Now)]]);
    let failed = bench.chain.model().unwrap().judge(request).await;
    assert_eq!(failed, Err(broke(Retry::Now)));
}

/// P04: tokens are those of all models that were asked; a model whose tokens are used up is left out, unless
/// there is no other.
#[tokio::test]
async fn tokens_are_counted_together() {
    let bench = Bench::new(LONG, &[&[Fail(Retry::Now)], &[Say("Well?")], &[Say("No.")]]);
    assert_eq!(bench.chain.model().unwrap().used(), None);
    bench.told().await;
    bench.told().await;
    let used = Usage { input: 300, output: 3, ..Usage::default() };
    assert_eq!(bench.chain.model().unwrap().used(), Some(used));
    let bench = Bench::new(LONG, &[&[Say("No.")], &[Say("Well?")]]);
    bench.models[0].is_spent.store(true, Ordering::Relaxed);
    assert_eq!((bench.told().await, bench.asked()), (said("Well?", &[]), vec![0, 1]));
    assert!(bench.gates[0].admits(), "it works for other interviews");
    bench.models[1].is_spent.store(true, Ordering::Relaxed);
    assert_eq!((bench.told().await, bench.asked()), (said("No.", &[]), vec![1, 1]));
}
