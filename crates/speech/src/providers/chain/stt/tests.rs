use super::*;
use crate::providers::{Transcript, kind::Role};

const PIECE: Duration = Duration::from_millis(20);
const LIMITS: Limits = Limits {
    llm_silence: Duration::from_secs(3),
    tts_silence: Duration::from_secs(3),
    stt_away: Duration::from_secs(3),
};

/// A recogniser that hears sound which says its words: sample values from 1 on are the numbers of words. It
/// hears nothing while it is away.
#[derive(Clone, Default)]
struct Hears(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    refuses: Option<ProviderError>,
    away: Option<Away>,
    keyterms: Vec<String>,
    pieces: usize,
    open: usize,
}

struct Hearing {
    state: Hears,
    out: SttOut,
    segment: u32,
    /// Where the speech began, and the words since then.
    speech: Option<SessionTime>,
    words: Vec<(SessionTime, i16)>,
}

impl Stt for Hears {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        let mut state = lock(&self.0);
        if let Some(error) = &state.refuses {
            return Err(error.clone());
        }
        state.open += 1;
        let hearing =
            Hearing { state: self.clone(), out, segment: 0, speech: None, words: Vec::new() };
        Ok(Box::new(hearing))
    }
}

impl Hearing {
    fn tell(&self, from: SessionTime, to: SessionTime, is_final: bool) {
        let lead = SessionTime::ZERO + from.since(SessionTime::ZERO + Duration::from_millis(300));
        let words = self.words.iter().filter(|(at, _)| *at >= lead && *at < to);
        let text: Vec<String> = words.map(|(_, word)| format!("w{word}")).collect();
        (self.out)(Transcript {
            segment: self.segment,
            is_final,
            from,
            to,
            text: text.join(" "),
            confidence: None,
            ends_turn: None,
            spans: Vec::new(),
        });
    }
}

impl SttStream for Hearing {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        {
            let mut state = lock(&self.state.0);
            state.pieces += 1;
            if state.away.is_some() {
                return;
            }
        }
        let word = sound.0[0];
        if word > 0 && self.words.last().is_none_or(|(_, last)| *last != word) {
            self.words.push((at, word));
            if let Some(from) = self.speech {
                self.tell(from, at + PIECE, false);
            }
        }
    }

    fn speech_started(&mut self, at: SessionTime) {
        self.segment += 1;
        self.speech = Some(at);
    }

    fn speech_stopped(&mut self, at: SessionTime) {
        if let Some(from) = self.speech.take() {
            self.tell(from, at, true);
        }
    }

    fn keyterms(&mut self, keyterms: &[String]) {
        lock(&self.state.0).keyterms = keyterms.to_vec();
    }

    fn settle(&mut self) {}

    fn away(&self) -> Option<Away> {
        lock(&self.state.0).away.clone()
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        lock(&self.state.0).open -= 1;
    }
}

impl Hears {
    fn goes_away(&self, lasts: Duration, retry: Retry) {
        let why = ProviderError { what: "it is gone".into(), retry };
        lock(&self.0).away = Some(Away { lasts, why });
    }

    fn comes_back(&self) {
        lock(&self.0).away = None;
    }
}

/// A candidate whom several recognisers listen to.
struct Bench {
    ears: Vec<Hears>,
    gates: Vec<Arc<Gate>>,
    stream: Box<dyn SttStream>,
    told: Arc<Mutex<Vec<String>>>,
    at: SessionTime,
    words: i16,
}

impl Bench {
    fn new(ears: Vec<Hears>) -> Self {
        let names = ["first", "second", "third"];
        let gates: Vec<_> =
            names.iter().take(ears.len()).map(|name| Gate::new(Role::Stt, name)).collect();
        let links = gates.iter().zip(&ears).map(|(gate, ear)| Link::<dyn Stt> {
            gate: gate.clone(),
            provider: Arc::new(ear.clone()),
        });
        let chain = SttChain::new(links.collect(), LIMITS);
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let out = told.clone();
        let out: SttOut = Box::new(move |it: Transcript| {
            let dot = if it.is_final { "." } else { "" };
            lock(&out).push(format!("{} {}{dot}", it.segment, it.text));
        });
        let keyterms = ["Ada".to_owned()];
        let stream = chain.open_for(&keyterms, out).unwrap();
        Self { ears, gates, stream, told, at: SessionTime::from_millis(5_000), words: 0 }
    }

    fn sound(&mut self, sample: i16, pieces: usize) {
        for _ in 0..pieces {
            self.stream.push(self.at, &Pcm16(vec![sample; 320]));
            self.at += PIECE;
        }
    }

    /// Says so many words of 200 ms.
    fn words(&mut self, count: usize) {
        for _ in 0..count {
            self.words += 1;
            self.sound(self.words, 10);
        }
    }

    /// Begins to speak: the onset is told 80 ms late.
    fn begins(&mut self) {
        let from = self.at;
        self.words += 1;
        self.sound(self.words, 4);
        self.stream.speech_started(from);
        self.sound(self.words, 6);
    }

    /// Ends to speak: the end is told 200 ms late.
    fn ends(&mut self) {
        let to = self.at;
        self.sound(0, 10);
        self.stream.speech_stopped(to);
    }

    /// The last transcript of each segment, as the listener has it.
    fn known(&self) -> Vec<String> {
        let told = lock(&self.told);
        let mut last = std::collections::BTreeMap::new();
        for line in told.iter() {
            let (segment, _) = line.split_once(' ').unwrap();
            last.insert(segment.to_owned(), line.clone());
        }
        last.into_values().collect()
    }

    fn open(&self) -> Vec<usize> {
        self.ears.iter().map(|ear| lock(&ear.0).open).collect()
    }
}

/// P02, P03: a recogniser that refuses its key in the middle of an answer is replaced at once: the next one
/// hears the answer from its beginning, and no word and no segment is lost.
#[test]
fn no_word_is_lost() {
    let mut bench = Bench::new(vec![Hears::default(), Hears::default()]);
    bench.sound(0, 50);
    bench.begins();
    bench.words(2);
    bench.ends();
    bench.sound(0, 20);
    bench.begins();
    bench.words(2);
    assert_eq!(bench.known(), ["1 w1 w2 w3.", "2 w4 w5 w6"]);
    bench.ears[0].goes_away(Duration::ZERO, Retry::Never);
    bench.words(2);
    bench.ends();
    assert_eq!(bench.known(), ["1 w1 w2 w3.", "2 w4 w5 w6 w7 w8."]);
    assert_eq!(bench.open(), [0, 1]);
    assert_eq!(lock(&bench.ears[1].0).keyterms, ["Ada"]);
    assert!(!bench.gates[0].admits() && bench.gates[1].admits());
    bench.sound(0, 20);
    bench.begins();
    bench.ends();
    assert_eq!(bench.known()[2..], ["3 w9."]);
}

/// P02: a connection that comes back soon is no failure; one that is away for longer than the limit is, and
/// when an answer has ended half a second is enough.
#[test]
fn a_blip_is_no_failure() {
    let ms = Duration::from_millis;
    for (lasts, has_ended, is_over) in [
        (ms(2_900), false, false),
        (ms(3_100), false, true),
        (ms(400), true, false),
        (ms(600), true, true),
    ] {
        let mut bench = Bench::new(vec![Hears::default(), Hears::default()]);
        bench.begins();
        bench.ears[0].goes_away(ms(0), Retry::Now);
        bench.words(3);
        if has_ended {
            bench.ends();
            assert_eq!(bench.known(), ["1 w1"], "what is missing is still to come");
        }
        bench.ears[0].goes_away(lasts, Retry::Now);
        bench.sound(0, 1);
        assert_eq!(bench.open()[1] == 1, is_over, "{lasts:?} {has_ended}");
        if is_over {
            if !has_ended {
                bench.ends();
            }
            assert_eq!(bench.known(), ["1 w1 w2 w3 w4."]);
        } else if has_ended {
            bench.ears[0].comes_back();
            bench.sound(0, 1);
            assert_eq!(bench.known(), ["1 w1."], "it has told all that it will");
        }
    }
}

/// P02: a recogniser that cannot be opened is passed over; if none can, the last one's reason is told; in a
/// replay, where no time passes, a recogniser that is away has failed at once.
#[test]
fn who_cannot_be_opened_is_passed_over() {
    let refusing = || {
        let hears = Hears::default();
        let refused = ProviderError { what: "all are taken".into(), retry: Retry::Now };
        lock(&hears.0).refuses = Some(refused);
        hears
    };
    let mut bench = Bench::new(vec![refusing(), Hears::default(), Hears::default()]);
    assert_eq!(bench.open(), [0, 1, 0]);
    bench.begins();
    bench.ears[1].goes_away(Duration::ZERO, Retry::Now);
    bench.stream.settle();
    assert_eq!(bench.open(), [0, 0, 1]);
    bench.ends();
    assert_eq!(bench.known(), ["1 w1."]);
    let gate = Gate::new(Role::Stt, "first");
    let link = Link::<dyn Stt> { gate, provider: Arc::new(refusing()) };
    let why = SttChain::new(vec![link], LIMITS).open(Box::new(drop)).err().unwrap();
    assert_eq!(why.what, "all are taken");
}

/// P02: while all others have failed, too, a recogniser that is away stays, is reported once, and what it
/// says counts as it is.
#[test]
fn the_last_one_stays() {
    let mut bench = Bench::new(vec![Hears::default(), Hears::default()]);
    let error = ProviderError { what: "refused".into(), retry: Retry::Never };
    bench.gates[1].force().failed(&error);
    bench.begins();
    bench.ears[0].goes_away(Duration::from_secs(9), Retry::Now);
    bench.words(2);
    bench.ends();
    assert_eq!((bench.open(), bench.known()), (vec![1, 0], vec!["1 w1.".to_owned()]));
    bench.ears[0].comes_back();
    bench.begins();
    bench.ends();
    assert_eq!(bench.known(), ["1 w1.", "2 w4."]);
}

/// P02: a recogniser that has failed is not opened for the next candidate until its wait is over.
#[test]
fn the_next_candidate_gets_the_one_that_works() {
    let ears = [Hears::default(), Hears::default()];
    let gates = ["first", "second"].map(|name| Gate::new(Role::Stt, name));
    let links = gates
        .iter()
        .zip(&ears)
        .map(|(gate, ear)| Link::<dyn Stt> { gate: gate.clone(), provider: Arc::new(ear.clone()) });
    let chain = SttChain::new(links.collect(), LIMITS);
    let open = || chain.open(Box::new(drop)).unwrap();
    let mut first = open();
    ears[0].goes_away(Duration::from_secs(9), Retry::Never);
    first.push(SessionTime::ZERO, &Pcm16(vec![0; 320]));
    let second = open();
    assert_eq!(ears.each_ref().map(|ear| lock(&ear.0).open), [0, 2]);
    drop((first, second));
    assert_eq!(ears.each_ref().map(|ear| lock(&ear.0).open), [0, 0]);
}
