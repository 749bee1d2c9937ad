use pollster::block_on;

use super::*;
use crate::providers::{Retry, stt_scripted::ScriptedStt, tts_scripted::ScriptedTts, usage::Work};

fn source(work: Work) -> Source {
    let vendor = Some(Vendor { kind: "deepgram".into(), model: "nova-3".into() });
    Source { work, provider: "ours".into(), vendor }
}

fn amount(book: &Book) -> Amount {
    let used = book.used();
    assert!(used.len() <= 1, "{used:?}");
    used.first().map(|used| used.amount).unwrap_or_default()
}

/// A recogniser that is sent speech alone.
struct SpeechAlone(ScriptedStt);

impl Stt for SpeechAlone {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        self.0.open(out)
    }

    fn takes_speech_alone(&self) -> bool {
        true
    }
}

fn heard(stt: Arc<dyn Stt>) -> Amount {
    let book = Book::default();
    let stt = book.hearing(&source(Work::Hearing), stt);
    let mut stream = stt.open(Box::new(|_| {})).unwrap();
    let mut at = SessionTime::ZERO;
    let mut push = |stream: &mut Box<dyn SttStream>, pieces: usize| {
        for _ in 0..pieces {
            let sound = Pcm16(vec![0; 320]);
            stream.push(at, &sound);
            at += sound.duration();
        }
        at
    };
    let began = push(&mut stream, 60);
    stream.speech_started(began);
    let ended = push(&mut stream, 75);
    stream.speech_stopped(ended);
    push(&mut stream, 10);
    drop(stream);
    amount(&book)
}

/// P04: all sound that a recogniser gets is counted to the last piece; of one that is sent speech alone, the
/// speech.
#[test]
fn sound_is_counted() {
    let amount = |heard_ms| Amount { calls: 1, heard_ms, ..Amount::default() };
    assert_eq!(heard(Arc::new(ScriptedStt::default())), amount(2_900));
    assert_eq!(heard(Arc::new(SpeechAlone(ScriptedStt::default()))), amount(1_500));
}

/// A voice that refuses, and one whose sound is there already.
struct Odd {
    characters: usize,
    refuses: bool,
}

impl Tts for Odd {
    fn synthesize(&self, _: &str) -> BoxStream<'static, Result<Pcm48, ProviderError>> {
        let refused = ProviderError { what: "no".into(), retry: Retry::Never };
        let piece = if self.refuses { Err(refused) } else { Ok(Pcm48(vec![0; 960])) };
        stream::iter([piece]).boxed()
    }

    fn characters(&self, _: &str) -> usize {
        self.characters
    }
}

/// P04: characters count once they were asked for, also if nobody hears them to the end; not what was
/// refused, never asked for, or kept from before.
#[test]
fn characters_are_counted() {
    let spoken = |tts: Arc<dyn Tts>, pieces: usize| {
        let book = Book::default();
        let tts = book.speaking(&source(Work::Speaking), tts);
        let mut sound = tts.synthesize("Why bread?");
        block_on(async {
            for _ in 0..pieces {
                let _ = sound.next().await;
            }
        });
        drop(sound);
        let Amount { calls, characters, .. } = amount(&book);
        (calls, characters)
    };
    assert_eq!(spoken(Arc::new(ScriptedTts), 100), (1, 10));
    assert_eq!(spoken(Arc::new(ScriptedTts), 1), (1, 10), "cancelled");
    assert_eq!(spoken(Arc::new(ScriptedTts), 0), (0, 0), "never asked for");
    assert_eq!(spoken(Arc::new(Odd { characters: 10, refuses: true }), 2), (0, 0));
    assert_eq!(spoken(Arc::new(Odd { characters: 0, refuses: false }), 2), (0, 0));
}

/// P04: sums are by provider, model and work; what was not used is left out.
#[test]
fn sums_are_by_source() {
    let used = |work, characters| Used {
        source: source(work),
        amount: Amount { characters, ..Amount::default() },
    };
    let all = [
        used(Work::Speaking, 3),
        used(Work::Hearing, 1),
        used(Work::Speaking, 4),
        used(Work::Thinking, 0),
    ];
    assert_eq!(summed(all), [used(Work::Hearing, 1), used(Work::Speaking, 7)]);
    let text = serde_json::to_string(&used(Work::Speaking, 7)).unwrap();
    assert_eq!(serde_json::from_str::<Used>(&text).unwrap(), used(Work::Speaking, 7), "{text}");
    let ours = Used {
        source: Source { vendor: None, ..source(Work::Hearing) },
        amount: Amount { calls: 1, ..Amount::default() },
    };
    let text = serde_json::to_string(&ours).unwrap();
    assert_eq!(serde_json::from_str::<Used>(&text).unwrap(), ours, "{text}");
}
