//! A voice over a real socket: what it is asked, what becomes of its sound, and every fault that a server can
//! have.

use std::{f64::consts::TAU, ops::RangeInclusive, time::Duration};

use futures_util::{StreamExt, TryStreamExt, future::join_all};
use serde_json::json;
use vivavoce::{
    audio::{Pcm48, resample::Resampler},
    config::Secret,
    providers::{
        ProviderError, Retry, Tts,
        tts_openai::{OpenAiTts, Settings},
    },
};
use voiceroom::tls;

use crate::{
    chat_server::{ChatServer, KEY, Step, answer, json_answer},
    client::{PATIENCE, deaf_port},
    llm::tls_server,
};

/// Waited for whole where a server hangs. A busy machine may need as long to make a call.
const SHORT: Duration = Duration::from_secs(1);
/// What is asked for.
const PCM: &str = "content-type: audio/pcm\r\n";

fn config(base_url: &str) -> Settings {
    Settings {
        base_url: base_url.parse().unwrap(),
        model: "stub".to_owned(),
        voice: "viola".to_owned(),
        api_key: Secret::new(KEY),
        // A busy machine must not look like a slow server.
        first_byte_limit: PATIENCE,
        stall_limit: PATIENCE,
        segment_limit: 5 * PATIENCE,
        ..Settings::default()
    }
}

/// A tone, so many samples of it.
pub(crate) fn tone(rate: u32, samples: usize) -> Vec<i16> {
    let sample = |n| (f64::from(n) * 440.0 / f64::from(rate) * TAU).sin() * 8_000.0;
    (0..samples as u32).map(|n| sample(n).round() as i16).collect()
}

fn bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

fn head(headers: &str) -> Step {
    Step::Send(
        format!("HTTP/1.1 200 OK\r\n{headers}transfer-encoding: chunked\r\n\r\n").into_bytes(),
    )
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// A whole segment in pieces of `piece` bytes.
pub(crate) fn spoken(samples: &[i16], piece: usize) -> Vec<Step> {
    let mut steps = vec![head(PCM)];
    steps.extend(bytes(samples).chunks(piece).map(|piece| Step::Send(chunk(piece))));
    steps.push(Step::Send(b"0\r\n\r\n".to_vec()));
    steps
}

fn good() -> Vec<Step> {
    spoken(&tone(24_000, 12_000), 4_800)
}

/// What became of a segment: its sound up to the failure.
async fn heard(tts: &OpenAiTts, text: &str) -> (Vec<i16>, Option<ProviderError>) {
    let (mut sound, mut pieces) = (Vec::new(), tts.synthesize(text));
    while let Some(piece) = pieces.next().await {
        match piece {
            Ok(Pcm48(more)) => sound.extend(more),
            Err(error) => {
                assert!(pieces.next().await.is_none(), "something follows {error}");
                return (sound, Some(error));
            }
        }
    }
    (sound, None)
}

/// Root mean square of what two sounds differ by.
fn difference(a: &[i16], b: &[i16]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
    (squares.sum::<f64>() / a.len() as f64).sqrt()
}

/// P06: sound comes at 48 kHz, exactly twice as many samples as were sent, in place and in tune, wherever the
/// server cuts it: in the middle of samples, byte by byte, at once. What the server is asked is what OpenAI
/// documents.
#[tokio::test]
async fn sound_is_made_of_pieces_of_any_size() {
    let sent = tone(24_000, 12_001);
    let expected = tone(48_000, 24_002);
    for piece in [1, 7, 960, 961, 100_000] {
        let server = ChatServer::playing(vec![spoken(&sent, piece)]);
        let tts = OpenAiTts::new("openai-speech", &config(&server.base_url())).unwrap();
        let (sound, error) = heard(&tts, "Hello **there** — how are you? 🙂").await;
        assert_eq!((sound.len(), error), (24_002, None), "pieces of {piece} bytes");
        let middle = 500..23_500;
        let off = difference(&sound[middle.clone()], &expected[middle]);
        assert!(off < 8.0, "pieces of {piece} bytes: {off} of 8,000");

        let asked = &server.asked()[0];
        assert!(asked.head.starts_with("post /v1/audio/speech http/1.1\r\n"), "{}", asked.head);
        assert!(asked.head.contains(&format!("authorization: bearer {KEY}\r\n")), "{}", asked.head);
        let body = json!({
            "model": "stub",
            "voice": "viola",
            "input": "Hello there , how are you?",
            "response_format": "pcm",
        });
        assert_eq!(asked.body, body);
    }
}

/// P06: from 24 to 48 kHz speech passes unchanged up to 9 kHz, and its image above 12 kHz is not heard.
#[test]
fn doubling_passes_speech_and_makes_no_image() {
    let doubled = |sound: &[i16]| {
        let mut resampler = Resampler::punctual(24_000, 48_000);
        let mut out = Vec::new();
        resampler.push(sound, &mut out);
        resampler.flush(&mut out);
        out
    };
    for hz in [100.0, 1_000.0, 5_000.0, 9_000.0] {
        let tone = |rate: f64, samples: u32| -> Vec<i16> {
            let sample = |n| (f64::from(n) * hz / rate * TAU).sin() * 16_000.0;
            (0..samples).map(|n| sample(n).round() as i16).collect()
        };
        let out = doubled(&tone(24_000.0, 24_000));
        assert_eq!(out.len(), 48_000);
        let middle = 1_000..47_000;
        let off = difference(&out[middle.clone()], &tone(48_000.0, 48_000)[middle]);
        // -60 dB of the tone: neither its level nor its place has changed, and there is no image.
        assert!(off < 11.0, "{hz} Hz: {off}");
    }
}

/// A fault and what comes of it.
struct Fault {
    what: &'static str,
    scripts: Vec<Vec<Step>>,
    /// Whether some sound was heard.
    sounds: bool,
    fails: Option<(&'static str, Retry)>,
    calls: RangeInclusive<usize>,
}

impl Fault {
    fn fails(
        what: &'static str,
        script: Vec<Step>,
        says: &'static str,
        retry: Retry,
        calls: usize,
    ) -> Self {
        let (scripts, fails) = (vec![script], Some((says, retry)));
        Self { what, scripts, sounds: false, fails, calls: calls..=calls }
    }

    fn breaks(what: &'static str, script: Vec<Step>, says: &'static str) -> Self {
        Self { sounds: true, ..Self::fails(what, script, says, Retry::Now, 1) }
    }

    fn passes(what: &'static str, scripts: Vec<Vec<Step>>) -> Self {
        let calls = scripts.len()..=scripts.len();
        Self { what, scripts, sounds: true, fails: None, calls }
    }
}

/// All at the same time: some wait for a limit.
async fn check(limits: impl Fn(&mut Settings), faults: Vec<Fault>) {
    join_all(faults.into_iter().map(|fault| check_one(&limits, fault))).await;
}

async fn check_one(limits: &impl Fn(&mut Settings), fault: Fault) {
    let Fault { what, scripts, sounds, fails, calls } = fault;
    let server = ChatServer::playing(scripts);
    let mut config = config(&server.base_url());
    limits(&mut config);
    let tts = OpenAiTts::new("openai-speech", &config).unwrap();
    let (sound, error) = heard(&tts, "Hello.").await;
    assert_eq!(!sound.is_empty(), sounds, "{what}: {} samples", sound.len());
    match (&error, fails) {
        (None, None) => assert_eq!(sound.len(), 24_000, "{what}"),
        (Some(error), Some((says, retry))) => {
            assert!(error.what.contains(says), "{what}: {error} does not say {says:?}");
            assert_eq!(error.retry, retry, "{what}: {error}");
            assert!(error.what.contains("/v1/audio/speech"), "{what}: {error}: where?");
            assert!(!error.what.contains(KEY), "{what}: {error} shows the key");
            assert_eq!(error.what.lines().count(), 1, "{what}: {error}");
        }
        (error, fails) => panic!("{what}: {error:?} instead of {fails:?}"),
    }
    let made = server.asked().len();
    assert!(calls.contains(&made), "{what}: {made} calls made");
}

fn refusal(status: &str, headers: &str) -> Vec<Step> {
    let error = json!({ "error": { "message": format!("no, {KEY}"), "code": "x" } });
    answer(status, headers, &error.to_string())
}

/// P02, P10: what a server refuses, by its status: retried once where that can help, never where it cannot;
/// the sentence says where and how to mend it and never shows the key.
#[tokio::test]
async fn refusals_are_one_sentence_with_advice() {
    let hour = Retry::After(Duration::from_secs(3_600));
    let refused =
        |status, says, retry, calls| Fault::fails(status, refusal(status, ""), says, retry, calls);
    let busy = "429 Too Many Requests";
    let faults = vec![
        refused(
            "401 Unauthorized",
            "OPENAI_API_KEY or providers.openai-speech.api_key_file",
            Retry::Never,
            1,
        ),
        refused("403 Forbidden", "whether it may use `stub`", Retry::Never, 1),
        refused("404 Not Found", "has no model `stub`: no, (the key)", Retry::Never, 1),
        refused("400 Bad Request", "check providers.openai-speech.model and", Retry::Never, 1),
        refused("302 Found", "set providers.openai-speech.base_url", Retry::Never, 1),
        refused("500 Internal Server Error", "failed with 500", Retry::Now, 2),
        Fault::fails("429", refusal(busy, "retry-after: 3600\r\n"), "for 3600 s", hour, 1),
        Fault::passes("429 once", vec![refusal(busy, "retry-after-ms: 1\r\n"), good()]),
        Fault::passes("500 once", vec![refusal("500 Oops", ""), good()]),
    ];
    check(|_| {}, faults).await;
}

/// A stream that has begun to sound.
fn begun(more: Vec<Step>) -> Vec<Step> {
    let sound = bytes(&tone(24_000, 4_800));
    [vec![head(PCM), Step::Send(chunk(&sound))], more].concat()
}

/// P06, P10: what is no sound of ours is an error in one sentence: JSON or HTML with a good status, a WAV
/// file, another rate, nothing at all. A call is made again only while nothing was heard of it.
#[tokio::test]
async fn wrong_answers_are_errors() {
    use Retry::{Never, Now};
    let typed = |kind: &str| {
        let body = String::from_utf8(bytes(&[0x4141; 100])).unwrap();
        answer("200 OK", &format!("content-type: {kind}\r\n"), &body)
    };
    // A file that ends in its head.
    let wav = |kind| {
        let end = Step::Send(b"0\r\n\r\n".to_vec());
        vec![head(kind), Step::Send(chunk(b"RIFF\x24\x08\0\0WAVEfmt ")), end]
    };
    let error = json!({ "error": { "message": format!("no voice viola, {KEY}") } });
    let no_wav = "not with bare samples";
    let faults = vec![
        Fault::fails("JSON", json_answer("200 OK", &error), "no voice viola, (the key)", Never, 1),
        Fault::fails("torn JSON", typed("application/json"), "no sound in it", Never, 1),
        Fault::fails("HTML", typed("text/html; charset=utf-8"), "answers with text/html", Never, 1),
        Fault::fails("MP3", typed("audio/mpeg"), "answers with audio/mpeg", Never, 1),
        Fault::fails("a WAV file", typed("audio/wav"), no_wav, Never, 1),
        Fault::fails("a WAV header", wav(PCM), no_wav, Never, 1),
        Fault::fails("16 kHz", typed("audio/L16; rate=16000; channels=1"), "at 16000 Hz", Never, 1),
        Fault::fails("empty", answer("200 OK", PCM, ""), "answered with nothing", Now, 2),
        Fault::fails("empty pieces", spoken(&[], 1), "answered with nothing", Now, 2),
        Fault::fails("reset at once", vec![Step::Reset], "broke off", Now, 2),
        Fault::fails("reset after the head", vec![head(PCM), Step::Reset], "broke off", Now, 2),
        Fault::breaks("reset in the middle", begun(vec![Step::Reset]), "broke off"),
        Fault::breaks(
            "garbage for a chunk",
            begun(vec![Step::Send(b"xyz\r\n".to_vec())]),
            "broke off",
        ),
        Fault::breaks("without an end", endless(), "does not end"),
        Fault::passes("reset once", vec![vec![Step::Reset], good()]),
        Fault::passes("no type", vec![untyped()]),
        Fault::passes("a slow drip", vec![dripped()]),
    ];
    check(|_| {}, faults).await;
}

fn endless() -> Vec<Step> {
    begun(vec![Step::Send(chunk(&vec![1; 1 << 20])); 6])
}

fn untyped() -> Vec<Step> {
    let mut steps = good();
    steps[0] = head("");
    steps
}

/// Byte by byte, each in a packet of its own, for a while.
fn dripped() -> Vec<Step> {
    let mut steps = spoken(&tone(24_000, 12_000), 1_000);
    for step in &mut steps[..4] {
        if let Step::Send(bytes) = step {
            *step = Step::Drip(std::mem::take(bytes));
        }
    }
    steps
}

/// P06: a file is heard whatever its server calls it, as long as that is sound.
#[tokio::test]
async fn files_are_told_by_their_bytes() {
    let file = include_bytes!("../../crates/speech/tests/sounds/tone.mp3");
    for kind in
        ["audio/mpeg", "audio/wav", "application/ogg", "audio/pcm", "audio/mpeg; rate=44100"]
    {
        let kind = format!("content-type: {kind}\r\n");
        let end = Step::Send(b"0\r\n\r\n".to_vec());
        let server = ChatServer::playing(vec![vec![head(&kind), Step::Send(chunk(file)), end]]);
        let tts = OpenAiTts::new("openai-speech", &config(&server.base_url())).unwrap();
        let (sound, error) = heard(&tts, "Hello.").await;
        assert_eq!(error, None, "{kind}");
        assert!((23_800..28_000).contains(&sound.len()), "{kind}: {} samples", sound.len());
    }
}

/// P06: sound that ends in half a sample is heard and not kept.
#[tokio::test]
async fn half_a_sample_is_left_out() {
    let mut script = begun(vec![Step::Send(chunk(&[7]))]);
    script.push(Step::Send(b"0\r\n\r\n".to_vec()));
    let server = ChatServer::playing(vec![script]);
    let tts = OpenAiTts::new("openai-speech", &config(&server.base_url())).unwrap();
    for calls in 1..3 {
        let (sound, error) = heard(&tts, "Hello.").await;
        assert_eq!((sound.len(), error), (9_600, None));
        assert_eq!(server.asked().len(), calls);
    }
}

/// P10: a server that hangs before or in the middle of its sound is given up in time, and told by which
/// limit.
#[tokio::test]
async fn hanging_servers_are_given_up() {
    let late = |what, script, says| Fault {
        calls: 0..=1,
        ..Fault::fails(what, script, says, Retry::Now, 1)
    };
    let no_sound = "no first sound within 1 s; take a faster one, or raise \
        providers.openai-speech.first_byte_limit";
    let faults = vec![
        late("before its answer", vec![Step::Hang], no_sound),
        late("before its first sound", vec![head(PCM), Step::Hang], no_sound),
    ];
    check(|config| config.first_byte_limit = SHORT, faults).await;
    let stall =
        "no next sound within 1 s; take a faster one, or raise providers.openai-speech.stall_limit";
    let faults = vec![Fault::breaks("stall", begun(vec![Step::Hang]), stall)];
    check(|config| config.stall_limit = SHORT, faults).await;
}

/// P10: nobody there is one sentence, too.
#[tokio::test]
async fn nobody_there_is_named() {
    let (_held, port) = deaf_port();
    let address = format!("127.0.0.1:{port}");
    let config = config(&format!("http://{address}/v1"));
    let error =
        heard(&OpenAiTts::new("openai-speech", &config).unwrap(), "Hello.").await.1.unwrap();
    assert!(error.what.starts_with(&format!("no voice answers at http://{address}")), "{error}");
    assert_eq!(error.retry, Retry::Now);
}

/// P06: to drop the stream is to cancel the call: the server sees it go, before the first sound and after;
/// what was cut off is not kept.
#[tokio::test]
async fn a_dropped_segment_is_cancelled() {
    let mut server = ChatServer::playing(vec![begun(vec![Step::Hang]), vec![Step::Hang], good()]);
    let tts = OpenAiTts::new("openai-speech", &config(&server.base_url())).unwrap();
    let mut pieces = tts.synthesize("Hello.");
    assert!(pieces.next().await.unwrap().is_ok());
    drop(pieces);
    server.is_left().await;

    let mut pieces = tts.synthesize("Hello.");
    tokio::select! {
        piece = pieces.next() => panic!("{piece:?} from a server that hangs"),
        () = async { while server.asked().len() < 2 { tokio::task::yield_now().await } } => {}
    }
    drop(pieces);
    server.is_left().await;
    assert_eq!(heard(&tts, "Hello.").await.0.len(), 24_000);
    assert_eq!(server.asked().len(), 3);
}

/// P06: a sentence that comes again is fetched once, whatever it is written with; what cannot be said is not
/// asked for; calls follow each other on an open connection.
#[tokio::test]
async fn sentences_are_fetched_once() {
    let server = ChatServer::playing(vec![good()]);
    let tts = OpenAiTts::new("openai-speech", &config(&server.base_url())).unwrap();
    let first = heard(&tts, "Take your time.").await;
    assert_eq!(heard(&tts.clone(), "Take **your** time. 🙂").await, first);
    assert_eq!(heard(&tts, "🙂").await.0.len(), 0);
    assert_eq!(server.asked().len(), 1);
    for n in 0..4 {
        assert_eq!(heard(&tts, &format!("Number {n}.")).await.0, first.0);
    }
    assert_eq!(server.asked().len(), 5);
    // One connection, but for a call that is made before the pool has it back.
    assert!(server.connections() < 5, "{} connections for 5 calls", server.connections());
}

/// P01: without a key only servers nearby are called, and a broken key is not shown.
#[tokio::test]
async fn keys_are_found_and_never_shown() {
    let config = Settings::default();
    let error = OpenAiTts::new("openai-speech", &config).err().unwrap();
    assert_eq!(
        error.what,
        "there is no key to https://api.openai.com/v1/audio/speech: set OPENAI_API_KEY, or \
            providers.openai-speech.api_key_file to a file that holds it"
    );
    let missing = Settings { api_key_file: Some("/nowhere/key".into()), ..config.clone() };
    let error = OpenAiTts::new("openai-speech", &missing).err().unwrap().what;
    assert!(
        error.starts_with("cannot read providers.openai-speech.api_key_file /nowhere/key: "),
        "{error}"
    );
    let broken = Settings { api_key: Secret::new("sk-hush\nhush"), ..config };
    let error = OpenAiTts::new("openai-speech", &broken).err().unwrap().what;
    assert!(error.contains("characters that no key has") && !error.contains("hush"), "{error}");
}

/// P06: over TLS with a certificate of one's own: refused in one sentence until it is trusted, never a panic.
#[tokio::test]
async fn tls_with_a_certificate_of_ones_own() {
    tls::install();
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let unknown = config(&tls_server(&own, good()));
    let error =
        heard(&OpenAiTts::new("openai-speech", &unknown).unwrap(), "Hello.").await.1.unwrap();
    assert!(error.what.contains("certificate"), "{error}");

    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), own.cert.pem()).unwrap();
    let trusted = Settings { ca_file: Some(file.path().into()), ..unknown };
    let tts = OpenAiTts::new("openai-speech", &trusted).unwrap();
    let pieces: Vec<Pcm48> = tts.synthesize("Hello.").try_collect().await.unwrap();
    assert_eq!(pieces.iter().map(|piece| piece.0.len()).sum::<usize>(), 24_000);
}
