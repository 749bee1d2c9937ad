//! The voices behind servers, each over a real socket: what they are asked, what becomes of their sound, and
//! one table of faults that all of them pass.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use futures_util::{StreamExt, future::join_all};
use vivavoce::{
    audio::Pcm48,
    blueprint::Language,
    config::Config,
    providers::{
        ProviderError, Retry, Tts,
        kind::{Place, Resources, Role},
        models::Models,
    },
};

use crate::{
    chat_server::KEY,
    tts_openai::tone,
    voice_server::{Manner, Script, Step, VoiceServer},
};

/// Every kind of voice with a server, and how its vendor writes.
const KINDS: &[(&str, Manner)] = &[
    ("openai-speech", Manner::Http("input")),
    ("deepgram-speech", Manner::Http("text")),
    ("elevenlabs", Manner::ElevenLabs),
    ("cartesia", Manner::Cartesia),
    ("azure-speech", Manner::Ssml),
];

/// Nothing takes that long.
const PATIENCE: &str = "60s";
/// Waited for whole where a server hangs. A busy machine may need as long to make a call.
const SHORT: &str = "1s";
/// Waited for whole, where there must be sound within it.
const LONGER: &str = "10s";
/// What is said.
const TEXT: &str = "Łukasz, 日本 ist 'n Land — sagt „er“: è così?";
/// The same as it is asked for.
const SPOKEN: &str = "Łukasz, 日本 ist 'n Land , sagt er : è così?";
/// The samples of a whole segment, at 24 kHz.
const SAMPLES: usize = 12_000;

/// A voice of a kind, with settings of its own beside address and key.
fn voice(kind: &str, base_url: &str, settings: &[(&str, &str)]) -> Arc<dyn Tts> {
    let defaults = [
        ("base_url", base_url),
        ("api_key", KEY),
        // A busy machine must not look like a slow server.
        ("first_byte_limit", PATIENCE),
        ("stall_limit", PATIENCE),
        ("segment_limit", "300s"),
    ];
    let section = kind.to_uppercase().replace('-', "_");
    let named = |(key, value): &(&str, &str)| {
        (format!("VIVAVOCE_PROVIDERS__{section}__{}", key.to_uppercase()), (*value).to_owned())
    };
    let settings = defaults
        .iter()
        .filter(|(key, _)| !settings.iter().any(|(own, _)| own == key))
        .chain(settings);
    let config = Config::read(None, settings.map(named)).unwrap();
    let offer = config.providers.get(kind).unwrap().tts.clone().unwrap();
    let models = Models::new(None);
    offer.open(&Resources { models: &models, interviews: 1 }).unwrap()
}

/// What became of a segment: its sound up to the failure.
async fn heard(tts: &dyn Tts, text: &str) -> (Vec<i16>, Option<ProviderError>) {
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

fn bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

/// Sound in pieces of this many bytes, and its end.
fn sounding(sound: &[u8], piece: usize, end: Step) -> Script {
    let steps = sound.chunks(piece).map(|piece| Step::Sound(piece.to_vec())).chain([end]);
    Script { steps: steps.collect(), is_split: false }
}

/// A whole segment.
fn good() -> Script {
    sounding(&bytes(&tone(24_000, SAMPLES)), 4_800, Step::Finish)
}

/// What happens without any sound before it.
fn only(steps: Vec<Step>) -> Script {
    Script { steps, is_split: false }
}

/// What happens after some sound.
fn begun(then: Step) -> Script {
    sounding(&bytes(&tone(24_000, 4_800)), 4_800, then)
}

/// How much of a segment is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sound {
    Nothing,
    Some,
    All,
    /// By the vendor.
    Any,
}

/// A fault, and what comes of it with every kind of voice.
struct Fault {
    what: &'static str,
    /// For each call; the last one goes on for ever.
    scripts: Vec<Script>,
    /// Settings beside the usual ones.
    settings: &'static [(&'static str, &'static str)],
    sound: Sound,
    /// What the failure says, one of these, and whether to try again.
    fails: Option<(&'static [&'static str], Retry)>,
    calls: RangeInclusive<usize>,
}

impl Fault {
    fn fails(
        what: &'static str,
        script: Script,
        says: &'static [&'static str],
        retry: Retry,
    ) -> Self {
        // Before its first sound a call is made once more, where that can help.
        let calls = if retry == Retry::Now { 2..=2 } else { 1..=1 };
        let fails = Some((says, retry));
        Self { what, scripts: vec![script], settings: &[], sound: Sound::Nothing, fails, calls }
    }

    fn breaks(what: &'static str, script: Script, says: &'static [&'static str]) -> Self {
        Self { sound: Sound::Some, calls: 1..=1, ..Self::fails(what, script, says, Retry::Now) }
    }

    fn passes(what: &'static str, scripts: Vec<Script>) -> Self {
        let calls = scripts.len()..=scripts.len();
        Self { what, scripts, settings: &[], sound: Sound::All, fails: None, calls }
    }
}

/// The table of all faults: what a server says no to, and how.
fn refusals() -> Vec<Fault> {
    let refused = |what, status, says, retry| {
        Fault::fails(what, only(vec![Step::Refuse(status, "")]), says, retry)
    };
    let complains = |what, status, says, retry| {
        Fault::fails(what, only(vec![Step::Complain(status)]), says, retry)
    };
    let hour = Retry::After(Duration::from_secs(3_600));
    let later = only(vec![Step::Refuse(429, "retry-after: 3600\r\n")]);
    let at_once = only(vec![Step::Refuse(429, "retry-after-ms: 1\r\n")]);
    let busy = Retry::After(Duration::from_secs(1));
    let key: &[&str] = &["refuses the key (401 Unauthorized): check "];
    let credit: &[&str] = &["has no credit left"];
    vec![
        refused("401", 401, key, Retry::Never),
        refused("402", 402, credit, Retry::Never),
        refused("403", 403, &["and whether it may use"], Retry::Never),
        refused("404", 404, &["does not exist or has no model"], Retry::Never),
        refused("400", 400, &["no, (the key); check providers."], Retry::Never),
        refused("302", 302, &["sends us elsewhere"], Retry::Never),
        refused("500", 500, &["failed with 500"], Retry::Now),
        Fault::fails("429", later, &["for 3600 s"], hour),
        Fault::passes("429 once", vec![at_once, good()]),
        Fault::passes("500 once", vec![only(vec![Step::Refuse(500, "")]), good()]),
        complains("401 on an open socket", 401, key, Retry::Never),
        complains("402 on an open socket", 402, credit, Retry::Never),
        Fault {
            calls: 2..=2,
            ..complains("429 on an open socket", 429, &["no more calls for 1 s"], busy)
        },
        complains("400 on an open socket", 400, &["no, (the key); check providers."], Retry::Never),
    ]
}

/// The table of all faults: what goes wrong while a segment is spoken.
fn breaks() -> Vec<Fault> {
    let broken: &[&str] = &["broke off", "hung up"];
    let senseless: &[&str] = &["broke off", "a message that is none of this vendor's"];
    vec![
        Fault::fails("a reset at once", only(vec![Step::Reset]), broken, Retry::Now),
        Fault::breaks("a reset in mid-stream", begun(Step::Reset), broken),
        Fault::passes("a reset once", vec![only(vec![Step::Reset]), good()]),
        Fault::fails("garbage at once", only(vec![Step::Garbage]), senseless, Retry::Now),
        Fault::breaks("garbage in mid-stream", begun(Step::Garbage), senseless),
        Fault::fails("half a message", only(vec![Step::Torn]), senseless, Retry::Now),
        Fault::breaks("half a message in mid-stream", begun(Step::Torn), senseless),
    ]
}

/// The table of all faults: a server that does nothing any more.
fn hangs() -> Vec<Fault> {
    let late = |what, script, says| Fault {
        calls: 0..=1,
        settings: &[("first_byte_limit", SHORT)],
        ..Fault::fails(what, script, says, Retry::Now)
    };
    let stalls = |says, settings| Fault {
        settings,
        ..Fault::breaks("a hang in mid-stream", begun(Step::Hang), says)
    };
    let silent = sounding(&[0; 4_800], 4_800, Step::Hang);
    vec![
        late(
            "a hang before the first sound",
            only(vec![Step::Hang]),
            &["no first sound within 1 s; take a faster one, or raise providers."],
        ),
        late("a hang after silence", silent, &["no first sound within 1 s"]),
        stalls(
            &["no next sound within 1 s; take a faster one, or raise"],
            &[("stall_limit", SHORT)],
        ),
        stalls(&["no end of a segment within 10 s; take"], &[("segment_limit", LONGER)]),
    ]
}

/// The table of all faults: sound without an end, in pieces and in one.
fn floods() -> Vec<Fault> {
    let endless = vec![1_u8; 10 << 20];
    let pieces = sounding(&endless, 100_000, Step::Finish);
    let at_once = sounding(&endless, endless.len(), Step::Finish);
    vec![
        Fault::breaks("10 MB", pieces, &["does not end"]),
        Fault {
            sound: Sound::Any,
            calls: 1..=2,
            ..Fault::breaks("10 MB at once", at_once, &["does not end", "broke off"])
        },
    ]
}

/// The table of all faults: sound that is none, or not what was asked for, or cut oddly.
fn sounds() -> Vec<Fault> {
    let sound = bytes(&tone(24_000, SAMPLES));
    let wav = [b"RIFF\x24\x08\0\0WAVEfmt ".to_vec(), sound.clone()].concat();
    let frame = [b"\xff\xfb\x90\xc4".to_vec(), vec![0x55; 413]].concat();
    let tagged = [b"ID3\x04\0\0\0\0\0\0".to_vec(), frame.repeat(20)].concat();
    let ogg = [b"OggS\0\x02".to_vec(), vec![91; 9_000]].concat();
    let flac = [b"fLaC\0\0".to_vec(), vec![91; 9_000]].concat();
    let mp4 = [b"\0\0\0\x20ftypM4A ".to_vec(), vec![91; 9_000]].concat();
    let file = |what, sound: &[u8], says| {
        Fault::fails(what, sounding(sound, 4_800, Step::Finish), says, Retry::Never)
    };
    let other_rate = Script {
        steps: vec![Step::Sound(sound.clone()), Step::OtherRate, Step::Finish],
        is_split: false,
    };
    let split = Script { is_split: true, ..sounding(&sound, 4_800, Step::Finish) };
    let quiet: Vec<u8> = bytes(&[12; 4_800]);
    vec![
        Fault::passes("sound", vec![good()]),
        Fault::passes("a slow drip, byte by byte", vec![split]),
        Fault::passes("an odd number of bytes a piece", vec![sounding(&sound, 961, Step::Finish)]),
        Fault::passes("silence, then sound", vec![silence_first()]),
        Fault::fails("no sound", only(vec![Step::Finish]), &["answered with nothing;"], Retry::Now),
        Fault::fails(
            "empty pieces",
            only(vec![Step::Sound(vec![0]), Step::Finish]),
            &["answered with nothing;"],
            Retry::Now,
        ),
        Fault::fails(
            "silence",
            sounding(&[0; 9_600], 960, Step::Finish),
            &["nothing but silence"],
            Retry::Now,
        ),
        Fault::fails(
            "near silence",
            sounding(&quiet, 960, Step::Finish),
            &["nothing but silence"],
            Retry::Now,
        ),
        Fault::passes("no sound once", vec![only(vec![Step::Finish]), good()]),
        Fault::passes("silence once", vec![sounding(&[0; 9_600], 960, Step::Finish), good()]),
        Fault::fails(
            "a WAV file",
            sounding(&wav, 4_800, Step::Finish),
            &["answers with a WAV file"],
            Retry::Never,
        ),
        file("an MP3 file", &tagged, &["answers with an MP3 file"]),
        Fault::fails(
            "an MP3 file in small pieces, without a head",
            sounding(&frame.repeat(20), 96, Step::Finish),
            &["answers with an MP3 file"],
            Retry::Never,
        ),
        file("an Ogg file", &ogg, &["answers with an Ogg file"]),
        file("a FLAC file", &flac, &["answers with a FLAC file"]),
        file("an MP4 file", &mp4, &["answers with an MP4 file"]),
        Fault {
            sound: Sound::Any,
            ..Fault::fails(
                "another rate",
                other_rate,
                &["at 16000 Hz, not at 24000 Hz", "so it is not at 24000 Hz"],
                Retry::Never,
            )
        },
    ]
}

/// P06, P10: a file in the place of bare samples is decoded, whichever way it comes and wherever it is cut;
/// it is kept as other sound is.
#[tokio::test]
async fn every_voice_may_send_files() {
    let files: [(&str, &[u8]); 4] = [
        ("MP3", include_bytes!("../../crates/speech/tests/sounds/tone.mp3")),
        ("Vorbis", include_bytes!("../../crates/speech/tests/sounds/tone-vorbis.ogg")),
        ("Opus", include_bytes!("../../crates/speech/tests/sounds/tone-opus.ogg")),
        ("FLAC", include_bytes!("../../crates/speech/tests/sounds/tone.flac")),
    ];
    let sizes = [7, 1_000, 10_000];
    let cases = KINDS.iter().flat_map(|kind| files.map(|file| (kind, file)));
    let cases = cases.flat_map(|(kind, file)| sizes.map(|size| (kind, file, size)));
    let each = cases.map(|((kind, manner), (file, bytes), size)| async move {
        let what = format!("{kind}: {file} in pieces of {size} bytes");
        let script = sounding(bytes, size, Step::Finish);
        let server = VoiceServer::playing(*manner, vec![script]);
        let tts = voice(kind, &server.base_url(), &[]);
        let (sound, error) = heard(&*tts, TEXT).await;
        assert_eq!(error, None, "{what}");
        assert!((23_800..28_000).contains(&sound.len()), "{what}: {} samples", sound.len());
        // Lossy sound rings where it begins and ends.
        let middle = &sound[sound.len() / 4..sound.len() * 3 / 4];
        let loud = middle.iter().map(|sample| sample.unsigned_abs()).max();
        assert!((7_600..10_000).contains(&loud.unwrap()), "{what}: {loud:?} instead of 8000");
        assert_eq!(heard(&*tts, TEXT).await.0, sound, "{what}");
        assert_eq!(server.asked().len(), 1, "{what}");
    });
    join_all(each).await;
}

/// P06: a file that breaks off, or one that the decoder ends, ends the segment; so does whoever drops it.
#[tokio::test]
async fn a_broken_file_ends_its_segment() {
    let file = include_bytes!("../../crates/speech/tests/sounds/tone-opus.ogg");
    let (kind, manner) = KINDS[0];
    let cut = sounding(&file[..file.len() - 9], 500, Step::Finish);
    let server = VoiceServer::playing(manner, vec![cut]);
    let (_, error) = heard(&*voice(kind, &server.base_url(), &[]), TEXT).await;
    let error = error.unwrap();
    assert!(error.what.contains("answers with an Ogg file that cannot be decoded ("), "{error}");
    assert_eq!(error.retry, Retry::Never);

    let file = include_bytes!("../../crates/speech/tests/sounds/tone.mp3").repeat(3);
    let mut server = VoiceServer::playing(manner, vec![sounding(&file, 500, Step::Hang)]);
    let tts = voice(kind, &server.base_url(), &[]);
    let mut pieces = tts.synthesize(TEXT);
    assert!(pieces.next().await.unwrap().is_ok());
    drop(pieces);
    server.is_left().await;
}

/// A segment whose first tenth is silent.
fn silence_first() -> Script {
    let mut sound = tone(24_000, SAMPLES);
    sound[..SAMPLES / 10].fill(0);
    sounding(&bytes(&sound), 960, Step::Finish)
}

/// One fault with one kind of voice.
async fn check(kind: &str, manner: Manner, fault: &Fault) {
    let what = format!("{kind}: {}", fault.what);
    let server = VoiceServer::playing(manner, fault.scripts.clone());
    let tts = voice(kind, &server.base_url(), fault.settings);
    let (sound, error) = heard(&*tts, TEXT).await;
    match fault.sound {
        Sound::Nothing => assert_eq!(sound.len(), 0, "{what}"),
        Sound::Some => assert!(!sound.is_empty(), "{what}"),
        Sound::All => assert_eq!(sound.len(), 2 * SAMPLES, "{what}: {error:?}"),
        Sound::Any => {}
    }
    match (&error, fault.fails) {
        (None, None) => {}
        (Some(error), Some((says, retry))) => {
            assert!(
                says.iter().any(|says| error.what.contains(says)),
                "{what}: {error} instead of {says:?}"
            );
            assert_eq!(error.retry, retry, "{what}: {error}");
            let place = server.base_url().replace("ws", "http");
            let is_placed = error.what.contains(&server.base_url()) || error.what.contains(&place);
            assert!(is_placed, "{what}: {error}: where?");
            assert!(!error.what.contains(KEY), "{what}: {error} shows the key");
            assert_eq!(error.what.lines().count(), 1, "{what}: {error}");
        }
        (error, fails) => panic!("{what}: {error:?} instead of {fails:?}"),
    }
    let calls = server.asked().len();
    assert!(fault.calls.contains(&calls), "{what}: {calls} calls made");
}

/// Faults with all kinds of voices. All at the same time: some wait for a limit.
async fn check_all(faults: &[Fault]) {
    let each = KINDS
        .iter()
        .flat_map(|(kind, manner)| faults.iter().map(|fault| check(kind, *manner, fault)));
    join_all(each).await;
}

/// P02, P10: what every vendor's server refuses, by its status or by a message on an open socket: tried once
/// more where that can help, never where it cannot; one sentence that says where and how to mend it, and
/// never shows the key.
#[tokio::test]
async fn every_voice_is_refused_in_one_sentence() {
    check_all(&refusals()).await;
}

/// P06, P10: whatever breaks while a segment is spoken is found in time. A call is made again only while
/// nothing was heard of it.
#[tokio::test]
async fn every_voice_breaks_in_one_sentence() {
    check_all(&breaks()).await;
}

/// P10: a server that hangs before or in the middle of its sound is given up in time, and told by which
/// limit.
#[tokio::test]
async fn every_hanging_voice_is_given_up() {
    check_all(&hangs()).await;
}

/// P10: sound without an end is given up, whether it comes in pieces or at once.
#[tokio::test]
async fn every_endless_voice_is_given_up() {
    check_all(&floods()).await;
}

/// P06, P10: sound is put together wherever a server cuts it; no sound, silence, a file and sound at another
/// rate are failures.
#[tokio::test]
async fn every_voice_sounds_or_fails() {
    check_all(&sounds()).await;
}

/// P10: a kind of voice with a server that is not in the table above fails here.
#[test]
fn every_voice_with_a_server_is_in_the_table() {
    let config = Config::read(None, []).unwrap();
    let mut servers: Vec<_> = config.providers.names(Role::Tts);
    servers.retain(|name| {
        matches!(config.providers.get(name).unwrap().place(Role::Tts), Some(Place::Server(_)))
    });
    let mut tested: Vec<_> = KINDS.iter().map(|(kind, _)| *kind).collect();
    servers.sort_unstable();
    tested.sort_unstable();
    assert_eq!(tested, servers);
}

/// P06: to drop the stream is to cancel the call: the server sees it go, before the first sound and after it.
/// What was cut off is not kept, and the next segment is spoken.
#[tokio::test]
async fn every_dropped_segment_is_cancelled() {
    let each = KINDS.iter().map(|(kind, manner)| async move {
        let scripts = vec![begun(Step::Hang), only(vec![Step::Hang]), good()];
        let mut server = VoiceServer::playing(*manner, scripts);
        let tts = voice(kind, &server.base_url(), &[]);
        let mut pieces = tts.synthesize(TEXT);
        assert!(pieces.next().await.unwrap().is_ok(), "{kind}");
        drop(pieces);
        server.is_left().await;

        let mut pieces = tts.synthesize(TEXT);
        tokio::select! {
            piece = pieces.next() => panic!("{kind}: {piece:?} from a server that hangs"),
            () = async { while server.asked().len() < 2 { tokio::task::yield_now().await } } => {}
        }
        drop(pieces);
        server.is_left().await;
        assert_eq!(heard(&*tts, TEXT).await.0.len(), 2 * SAMPLES, "{kind}");
        assert_eq!(server.asked().len(), 3, "{kind}");
    });
    join_all(each).await;
}

/// P06: segments follow each other on an open connection, in contexts of their own; a sentence that comes
/// again is fetched once; a connection that the server has closed since is replaced without a word.
#[tokio::test]
async fn every_connection_is_used_again() {
    let each = KINDS.iter().map(|(kind, manner)| async move {
        let server = VoiceServer::playing(*manner, vec![good()]);
        let tts = voice(kind, &server.base_url(), &[]);
        for n in 0..4 {
            for _ in 0..2 {
                let (sound, error) = heard(&*tts, &format!("Number {n}.")).await;
                assert_eq!((sound.len(), error), (2 * SAMPLES, None), "{kind}");
            }
        }
        let asked = server.asked();
        assert_eq!(asked.len(), 4, "{kind}");
        // A call over HTTP may be made before the pool has the connection back.
        let connections_max = if manner.is_call() { 3 } else { 1 };
        assert!(server.connections() <= connections_max, "{kind}: {}", server.connections());
        if connections_max == 1 {
            let context = |n: usize| asked[n].messages[0]["context_id"].clone();
            assert_ne!(context(0), context(1), "{kind}");
        }

        let end = sounding(&bytes(&tone(24_000, SAMPLES)), 4_800, Step::FinishAndClose);
        let server = VoiceServer::playing(*manner, vec![end]);
        let tts = voice(kind, &server.base_url(), &[]);
        for n in 0..3 {
            let (sound, error) = heard(&*tts, &format!("Number {n}.")).await;
            assert_eq!((sound.len(), error), (2 * SAMPLES, None), "{kind}");
        }
        assert_eq!(server.connections(), 3, "{kind}");
    });
    join_all(each).await;
}

/// P06: sound that ends in half a sample is heard and not kept.
#[tokio::test]
async fn half_a_sample_is_never_kept() {
    let each = KINDS.iter().map(|(kind, manner)| async move {
        let sound = [bytes(&tone(24_000, SAMPLES)), vec![7]].concat();
        let server = VoiceServer::playing(*manner, vec![sounding(&sound, 4_800, Step::Finish)]);
        let tts = voice(kind, &server.base_url(), &[]);
        for calls in 1..3 {
            let (sound, error) = heard(&*tts, TEXT).await;
            assert_eq!((sound.len(), error), (2 * SAMPLES, None), "{kind}");
            assert_eq!(server.asked().len(), calls, "{kind}");
        }
    });
    join_all(each).await;
}

/// P01, P06: what each vendor is asked is what it documents; the key goes into its header, and a text in any
/// letters arrives as it is.
#[tokio::test]
async fn every_vendor_is_asked_as_it_documents() {
    let first_lines = [
        "POST /audio/speech HTTP/1.1",
        "POST /v1/speak?model=aura-2-thalia-en&encoding=linear16&sample_rate=24000&container=none HTTP/1.1",
        "GET /v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb/multi-stream-input?model_id=eleven_flash_v2_5\
            &output_format=pcm_24000&inactivity_timeout=180&sync_alignment=true HTTP/1.1",
        "GET /tts/websocket?cartesia_version=2026-03-01 HTTP/1.1",
        "POST /cognitiveservices/v1 HTTP/1.1",
    ];
    let keys = [
        "authorization: bearer",
        "authorization: token",
        "xi-api-key:",
        "authorization: bearer",
        "ocp-apim-subscription-key:",
    ];
    for (((kind, manner), first_line), key) in KINDS.iter().zip(first_lines).zip(keys) {
        let server = VoiceServer::playing(*manner, vec![good()]);
        heard(&*voice(kind, &server.base_url(), &[]), TEXT).await;
        let asked = &server.asked()[0];
        assert_eq!(asked.head.lines().next().unwrap(), first_line, "{kind}");
        let head = asked.head.to_lowercase();
        assert!(head.contains(&format!("\r\n{key} {KEY}\r\n")), "{kind}: {head}");
        assert_eq!(asked.text.trim(), SPOKEN, "{kind}");
        match manner {
            Manner::Http(_) => {}
            Manner::Ssml => {
                let format = "\r\nx-microsoft-outputformat: raw-24khz-16bit-mono-pcm\r\n";
                assert!(head.contains(format), "{head}");
                assert!(head.contains("\r\ncontent-type: application/ssml+xml\r\n"), "{head}");
                let begin = "<speak version=\"1.0\" xmlns=\"http://www.w3.org/2001/10/synthesis\" \
                    xml:lang=\"en-US\"><voice name=\"en-US-AvaMultilingualNeural\">";
                assert!(asked.messages[0].as_str().unwrap().starts_with(begin), "{asked:?}");
            }
            Manner::ElevenLabs => {
                assert_eq!(asked.messages[0]["text"], " ", "a context begins with a blank");
                assert_eq!(asked.messages[1]["flush"], true);
            }
            Manner::Cartesia => {
                let request = &asked.messages[0];
                assert_eq!(request["voice"]["mode"], "id");
                assert_eq!(
                    (&request["language"], &request["continue"]),
                    (&"en".into(), &false.into())
                );
                let format = &request["output_format"];
                assert_eq!(format["encoding"], "pcm_s16le");
                assert_eq!(format["sample_rate"], 24_000);
            }
        }
    }
}

/// Which languages a voice speaks follows from its settings.
#[test]
fn voices_speak_their_languages() {
    for (kind, setting, german, italian) in [
        ("openai-speech", ("voice", "alloy"), true, true),
        ("deepgram-speech", ("model", "aura-2-thalia-en"), false, false),
        ("deepgram-speech", ("model", "aura-2-viktoria-de"), true, false),
        ("deepgram-speech", ("model", "our-own"), true, true),
        ("elevenlabs", ("language", ""), true, true),
        ("elevenlabs", ("language", "it"), false, true),
        ("cartesia", ("language", "de"), true, false),
        ("azure-speech", ("voice", "en-US-AvaMultilingualNeural"), true, true),
        ("azure-speech", ("voice", "de-DE-KatjaNeural"), true, false),
        ("azure-speech", ("voice", "our-own"), true, true),
    ] {
        let scheme = if matches!(kind, "elevenlabs" | "cartesia") { "ws" } else { "http" };
        let tts = voice(kind, &format!("{scheme}://127.0.0.1:9"), &[setting]);
        let speaks = [Language::German, Language::Italian].map(|language| tts.speaks(language));
        assert_eq!(speaks, [german, italian], "{kind} with {setting:?}");
    }
}
