use super::*;

const PIECE: Duration = Duration::from_millis(20);

fn ms(ms: u64) -> SessionTime {
    SessionTime::from_millis(ms)
}

/// A transcript of a segment: its times in ms, and its text, final if it ends with a dot.
fn said(segment: u32, from: u64, to: u64, text: &str) -> Transcript {
    Transcript {
        segment,
        is_final: text.ends_with('.'),
        from: ms(from),
        to: ms(to),
        text: text.trim_end_matches('.').to_owned(),
        confidence: None,
        ends_turn: None,
        spans: Vec::new(),
    }
}

/// A fact: the end of the sound when it is told, what begins (`+`) or ends (`-`), and where, in ms.
type Told = (u64, &'static str, u64);

/// A candidate's stream up to now.
#[derive(Default)]
struct Bench(Ledger);

impl Bench {
    /// Takes the sound up to a time in ms.
    fn sound_to(&mut self, to: u64) {
        while self.0.sound_end < ms(to) {
            let at = self.0.sound_end;
            self.0.push(at, &Pcm16(vec![0; 320]));
        }
    }

    /// Speech from one time to another, told as the voice detector does.
    fn speech(&mut self, from: u64, to: u64) {
        self.sound_to(from + 80);
        self.0.started(ms(from));
        self.sound_to(to + 200);
        self.0.stopped(ms(to));
    }

    /// What the listener gets of a transcript: segment, text, and a dot if it is final.
    fn hear(&mut self, generation: u32, transcript: Transcript) -> Option<String> {
        let heard = self.0.hear(generation, self.0.sound_end, transcript)?;
        Some(show(&heard))
    }

    /// What the next recogniser gets: the time of the first sound, and what is told.
    fn next(&mut self, since: u64) -> (u64, Vec<Told>, Vec<String>) {
        let (Replay { sound, facts }, too_old) = self.0.next(ms(since));
        for pair in sound.windows(2) {
            assert_eq!(pair[0].0 + PIECE, pair[1].0, "a gap in the sound");
        }
        assert_eq!(sound.last().map(|(at, _)| *at + PIECE), Some(self.0.sound_end));
        let facts = facts.into_iter().map(|(told, fact)| match fact {
            Fact::Started(at) => (told.as_millis(), "+", at.as_millis()),
            Fact::Stopped(at) => (told.as_millis(), "-", at.as_millis()),
        });
        (sound[0].0.as_millis(), facts.collect(), too_old.iter().map(show).collect())
    }
}

fn show(it: &Transcript) -> String {
    format!("{} {}{}", it.segment, it.text, if it.is_final { "." } else { "" })
}

/// P03: the next recogniser hears again what has no final transcript, from a little before it; its words are
/// those of the same segments, and what was final stays as it is.
#[test]
fn what_is_open_is_heard_again() {
    let mut bench = Bench::default();
    bench.speech(1_000, 2_000);
    assert_eq!(bench.hear(0, said(1, 1_000, 2_000, "one.")).as_deref(), Some("1 one."));
    bench.speech(3_000, 4_000);
    assert_eq!(bench.hear(0, said(2, 3_000, 3_500, "two")).as_deref(), Some("2 two"));
    bench.sound_to(5_080);
    bench.0.started(ms(5_000));
    bench.sound_to(6_000);
    let (from, told, too_old) = bench.next(5_500);
    assert_eq!(from, 2_500);
    assert_eq!(told, [(3_080, "+", 3_000), (4_200, "-", 4_000), (5_080, "+", 5_000)]);
    assert!(too_old.is_empty());
    assert_eq!(bench.hear(0, said(2, 3_000, 4_000, "too late.")), None, "it has failed");
    assert_eq!(bench.hear(1, said(1, 3_000, 4_000, "two three.")).as_deref(), Some("2 two three."));
    assert_eq!(bench.hear(1, said(2, 5_000, 6_000, "four")).as_deref(), Some("3 four"));
    bench.0.stopped(ms(6_000));
    assert_eq!(bench.hear(1, said(2, 5_000, 6_000, "four five.")).as_deref(), Some("3 four five."));
    bench.speech(7_000, 8_000);
    assert_eq!(bench.hear(1, said(3, 7_000, 8_000, "six.")).as_deref(), Some("4 six."));
}

/// P03: speech that began more than 10 s ago keeps the words that were known of its beginning; the rest is
/// heard again from where they end.
#[test]
fn long_speech_keeps_its_first_words() {
    let mut bench = Bench::default();
    bench.sound_to(1_080);
    bench.0.started(ms(1_000));
    for (to, text) in [(3_000, "one"), (6_000, "one two"), (9_000, "one two three")] {
        bench.sound_to(to);
        bench.hear(0, said(1, 1_000, to, text));
    }
    bench.sound_to(14_000);
    let (from, told, _) = bench.next(9_500);
    assert_eq!((from, told), (6_000, vec![(1_080, "+", 6_000)]));
    let mut rest = said(1, 6_000, 14_000, "three four.");
    rest.spans = vec![Span::new(ms(7_000), ms(14_000))];
    let heard = bench.0.hear(1, bench.0.sound_end, rest).unwrap();
    assert_eq!((show(&heard).as_str(), heard.from), ("1 one two three four.", ms(1_000)));
    let spans = [Span::new(ms(1_000), ms(6_000)), Span::new(ms(7_000), ms(14_000))];
    assert_eq!(heard.spans, spans, "its first words are no hole");
}

/// P03: speech that is too old to be heard again ends with the words that were known of it.
#[test]
fn what_is_too_old_ends_as_it_is() {
    let mut bench = Bench::default();
    bench.speech(1_000, 2_000);
    bench.hear(0, said(1, 1_000, 1_500, "one"));
    bench.sound_to(20_000);
    let (from, told, too_old) = bench.next(1_600);
    assert_eq!((from, told, too_old), (19_000, vec![], vec!["1 one.".to_owned()]));
    assert!(!bench.0.awaits_final());
}

/// P03: a final that came while the recogniser was away is none yet: it is passed on as words, and as a final
/// when the recogniser is back; if it does not come back, the next one hears the speech again.
#[test]
fn finals_of_a_recogniser_that_is_away_are_withheld() {
    for is_back in [true, false] {
        let mut bench = Bench::default();
        bench.speech(1_000, 3_000);
        bench.0.away();
        assert_eq!(bench.hear(0, said(1, 1_000, 2_000, "one.")).as_deref(), Some("1 one"));
        assert!(bench.0.awaits_final());
        if is_back {
            let told: Vec<_> = bench.0.there(ms(4_000)).iter().map(show).collect();
            assert_eq!(told, ["1 one."]);
            assert!(bench.0.there(ms(4_000)).is_empty(), "once");
            continue;
        }
        assert_eq!(bench.next(1_500).1.len(), 2);
        let all = bench.hear(1, said(1, 1_000, 3_000, "one two."));
        assert_eq!(all.as_deref(), Some("1 one two."));
    }
}

/// P03: a final that came after the recogniser had failed, as is known later, is heard again: the listener
/// gets a better one, but no partial words in its place, and no empty one.
#[test]
fn a_doubtful_final_is_mended() {
    for (mended, wanted) in [("one two.", Some("1 one two.")), (".", None)] {
        let mut bench = Bench::default();
        bench.speech(1_000, 3_000);
        assert_eq!(bench.hear(0, said(1, 1_000, 2_000, "one.")).as_deref(), Some("1 one."));
        bench.sound_to(5_000);
        assert_eq!(bench.next(2_000).1.len(), 2);
        assert!(!bench.0.awaits_final(), "there is one");
        assert_eq!(bench.hear(1, said(1, 1_000, 2_000, "on")), None);
        assert_eq!(bench.hear(1, said(1, 1_000, 3_000, mended)).as_deref(), wanted);
    }
}

/// P03: in silence the next recogniser gets the last second, and nothing that was heard already.
#[test]
fn in_silence_there_is_little_to_hear_again() {
    let mut bench = Bench::default();
    bench.speech(1_000, 2_000);
    bench.hear(0, said(1, 1_000, 2_000, "one."));
    bench.sound_to(2_500);
    assert_eq!(bench.next(2_400).0, 2_000);
    bench.sound_to(9_000);
    assert_eq!(bench.next(8_900), (8_000, vec![], vec![]));
    bench.speech(9_500, 10_000);
    assert_eq!(bench.hear(2, said(1, 9_500, 10_000, "two.")).as_deref(), Some("2 two."));
}

/// P03: words without a voice are segments of their own for every recogniser, and never those of another.
#[test]
fn words_without_a_voice_have_numbers_of_their_own() {
    let mut bench = Bench::default();
    bench.speech(1_000, 2_000);
    bench.hear(0, said(1, 1_000, 2_000, "one."));
    bench.sound_to(10_000);
    assert_eq!(bench.hear(0, said(2, 8_000, 8_100, "mm.")).as_deref(), Some("2 mm."));
    bench.next(9_900);
    assert_eq!(bench.hear(1, said(1, 9_800, 9_900, "hm.")).as_deref(), Some("3 hm."));
    bench.speech(12_000, 13_000);
    assert_eq!(bench.hear(1, said(2, 12_000, 13_000, "two.")).as_deref(), Some("4 two."));
}
