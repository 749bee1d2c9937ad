use std::sync::Mutex;

use super::{super::Gate, *};
use crate::providers::{Retry, kind::Role};

/// A limit that nothing reaches, and one that whoever hangs reaches soon.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

/// What a voice does for each text, one after the other; the last for all that follow.
#[derive(Clone)]
enum Does {
    /// Speaks all of the text, 65 ms for each character.
    Well,
    /// Fails.
    Refuses(Retry),
    /// Speaks so many characters and breaks off.
    Breaks(usize),
    /// Speaks so many characters and then gives nothing.
    Hangs(usize),
    /// Ends without a sound.
    Empty,
    /// Gives so many milliseconds of silence, in one piece or in many.
    Silent(usize),
    /// Silence, then all of the text.
    Late(usize),
}

struct Voice {
    loudness: i16,
    does: Does,
    texts: Mutex<Vec<String>>,
}

fn sound(sample: i16, ms: usize) -> Vec<Piece> {
    let piece = |ms: usize| Ok(Pcm48(vec![sample; 48 * ms]));
    let mut pieces = vec![piece(100); ms / 100];
    pieces.extend((!ms.is_multiple_of(100)).then(|| piece(ms % 100)));
    pieces
}

impl Tts for Voice {
    fn synthesize(&self, text: &str) -> BoxStream<'static, Piece> {
        self.texts.lock().unwrap().push(text.to_owned());
        let of = |characters: usize| sound(self.loudness, characters * 65);
        let all = of(text.chars().count());
        let error = |retry| Err(ProviderError { what: "it broke".into(), retry });
        let mut pieces = match self.does {
            Does::Well => all,
            Does::Refuses(retry) => vec![error(retry)],
            Does::Breaks(characters) => of(characters),
            Does::Hangs(characters) => {
                return stream::iter(of(characters)).chain(stream::pending()).boxed();
            }
            Does::Empty => Vec::new(),
            Does::Silent(ms) => sound(20, ms),
            Does::Late(ms) => [sound(0, ms), all].concat(),
        };
        pieces.extend(matches!(self.does, Does::Breaks(_)).then(|| error(Retry::Now)));
        stream::iter(pieces).boxed()
    }
}

/// What became of a segment.
struct Spoken {
    /// What each voice was asked.
    texts: Vec<Vec<String>>,
    /// The milliseconds of sound of each voice, and those of silence.
    ms: Vec<usize>,
    silence_ms: usize,
    error: Option<ProviderError>,
}

const TEXT: &str = "Thank you, Ada. What did you build there?";

async fn speak(limit: Duration, voices: &[Does]) -> Spoken {
    let new = |(n, does): (usize, &Does)| {
        let loudness = 1_000 * (1 + n as i16);
        Arc::new(Voice { loudness, does: does.clone(), texts: Mutex::default() })
    };
    let voices: Vec<Arc<Voice>> = voices.iter().enumerate().map(new).collect();
    let link = |voice: &Arc<Voice>| Link::<dyn Tts> {
        gate: Gate::new(Role::Tts, &format!("voice-{}", voice.loudness / 1_000)),
        provider: voice.clone(),
    };
    let limits = Limits { llm_silence: LONG, tts_silence: limit, stt_away: LONG };
    let chain = TtsChain::new(voices.iter().map(link).collect(), limits);
    let (mut samples, mut error) = (Vec::new(), None);
    let mut pieces = chain.synthesize(TEXT);
    while let Some(piece) = pieces.next().await {
        assert!(error.is_none(), "something follows {error:?}");
        match piece {
            Ok(sound) => samples.extend(sound.0),
            Err(why) => error = Some(why),
        }
    }
    let ms = |loudness: i16| samples.iter().filter(|it| **it == loudness).count() / 48;
    Spoken {
        texts: voices.iter().map(|voice| voice.texts.lock().unwrap().clone()).collect(),
        ms: voices.iter().map(|voice| ms(voice.loudness)).collect(),
        silence_ms: samples.iter().filter(|it| it.unsigned_abs() < 100).count() / 48,
        error,
    }
}

/// P02: a voice that refuses, hangs, ends without a sound, or gives silence for sound is followed by the next
/// one, which speaks the whole segment; nothing of its silence is heard.
#[tokio::test]
async fn the_next_voice_speaks() {
    for (what, limit, does) in [
        ("refuses", LONG, Does::Refuses(Retry::Never)),
        ("is busy", LONG, Does::Refuses(Retry::After(Duration::from_secs(5)))),
        ("breaks at once", LONG, Does::Breaks(0)),
        ("hangs", SHORT, Does::Hangs(0)),
        ("is empty", LONG, Does::Empty),
        ("is silent", LONG, Does::Silent(1_500)),
        ("is silent without end", LONG, Does::Silent(60_000)),
    ] {
        let spoken = speak(limit, &[does, Does::Well]).await;
        assert_eq!(spoken.error, None, "{what}");
        assert_eq!(spoken.texts, [[TEXT], [TEXT]], "{what}");
        assert_eq!(spoken.ms, [0, TEXT.len() * 65], "{what}");
        assert_eq!(spoken.silence_ms, 0, "{what}");
    }
}

/// P02: one voice is enough where it works, and a short silence before its words is its own.
#[tokio::test]
async fn a_voice_that_works_is_alone() {
    for (does, silence_ms) in [(Does::Well, 0), (Does::Late(400), 400)] {
        let spoken = speak(LONG, &[does, Does::Well]).await;
        assert_eq!((spoken.error, spoken.silence_ms), (None, silence_ms));
        assert_eq!(spoken.ms, [TEXT.len() * 65, 0]);
        assert!(spoken.texts[1].is_empty());
    }
}

/// P02: a voice that breaks off or hangs within a segment is followed by the next one from the word on in
/// which it stopped: what was spoken stays spoken, and no word is left out.
#[tokio::test]
async fn the_next_voice_goes_on_at_a_word() {
    for (does, rest) in [
        (Does::Breaks("Thank y".len()), "you, Ada. What did you build there?"),
        (Does::Breaks("Thank you, Ada. Wha".len()), "What did you build there?"),
        (Does::Breaks("Thank you, Ada. What".len()), "did you build there?"),
        (Does::Breaks("Thank you, Ada. What did you build the".len()), "there?"),
        (Does::Hangs("Thank you, Ada. What did".len()), "you build there?"),
    ] {
        let spoken = speak(SHORT, &[does, Does::Well]).await;
        assert_eq!(spoken.error, None);
        assert_eq!(spoken.texts[1], [rest]);
        assert!(spoken.ms[0] > 0);
        assert_eq!(spoken.ms[1], rest.len() * 65);
    }
    let whole = speak(LONG, &[Does::Breaks(TEXT.len()), Does::Well]).await;
    assert_eq!((whole.error, whole.texts[1].len()), (None, 0), "all was spoken");
}

/// P02: several may fail, one after the other; if all do, the last one's reason is told.
#[tokio::test]
async fn the_last_reason_is_told() {
    let breaks = Does::Breaks("Thank you, ".len());
    let spoken = speak(LONG, &[Does::Empty, breaks.clone(), Does::Well]).await;
    assert_eq!(spoken.error, None);
    assert_eq!(spoken.texts[2], ["Ada. What did you build there?"]);
    let spoken = speak(LONG, &[Does::Refuses(Retry::Never), Does::Empty]).await;
    let why = spoken.error.unwrap().what;
    assert!(why.contains("`voice-2` made no sound"), "{why}");
    let spoken = speak(LONG, &[breaks, Does::Refuses(Retry::Never)]).await;
    assert_eq!(spoken.error.unwrap().what, "it broke");
    assert!(spoken.ms[0] > 0, "what was spoken stays spoken");
}

/// P02: the text that is not spoken begins with a whole word, in any script.
#[test]
fn words_are_not_cut() {
    for (text, characters, rest) in [
        ("one two three", 0, "one two three"),
        ("one two three", 2, "one two three"),
        ("one two three", 3, "two three"),
        ("one two three", 4, "two three"),
        ("one two three", 9, "three"),
        ("one two three", 13, ""),
        ("Größe zählt sehr", 7, "zählt sehr"),
        ("", 3, ""),
    ] {
        assert_eq!(unspoken(text, characters), rest, "{text} after {characters}");
    }
}
