//! The arithmetic of `make bench-turns` and `make bench-words`, which are programs of their own and no tests.

#![allow(dead_code, reason = "the bench uses what its tests do not")]

#[path = "../../bench/turns/score.rs"]
mod score;
#[path = "../../bench/turns/sound.rs"]
mod sound;
#[path = "../../bench/turns/sweep.rs"]
mod sweep;
#[path = "../../bench/wer.rs"]
mod wer;

use score::{End, Ends, Span, Speech, Starts, Stopped, Stops, ends, percentile, starts, stops};
use sound::{MS, Part, SPEECH_DBOV, Take, babble, loud_spans, rms, white};
use sweep::{
    Figures, Hold, Point, Policy, Scores, figures, front, lengths_ms, policies, ranges, silences,
};

/// Two answers: one with pauses of 400 ms and 1.5 s, one without.
fn answers() -> Vec<Vec<Span>> {
    let span = |(start, end)| Span { start, end };
    vec![
        [(1_000, 2_000), (2_400, 3_000), (4_500, 5_000)].map(span).into(),
        [(9_000, 10_000)].map(span).into(),
    ]
}

fn speech(at: u64, told: u64, stopped: u64) -> Speech {
    Speech { at, told, stopped: Some(Stopped { at: stopped, told: stopped + 240 }) }
}

/// Ends by a rule that waits for `wait`: each the last voiced sample, told when the wait is over.
fn told(wait: u64, stops: &[u64]) -> Ends {
    let end = |stopped: &u64| End { stopped: *stopped, told: stopped + wait, wait };
    ends(&answers(), &stops.iter().map(end).collect::<Vec<_>>())
}

/// Each answer's end counts once, told as late as it was; one in a pause is the rule's, one elsewhere is
/// false.
#[test]
fn ends_are_matched() {
    for (name, wait, stops, found, false_ends, long_pauses, delays) in [
        ("both, on the dot", 300, vec![5_000, 10_000], 2, 0, 0, vec![300, 300]),
        ("the tail counts as delay", 300, vec![5_060], 1, 0, 0, vec![360]),
        ("an answer ends once", 300, vec![5_000, 6_000, 10_000], 2, 0, 0, vec![300, 300]),
        ("a fading voice", 600, vec![4_900], 1, 0, 0, vec![500]),
        ("told while they still speak", 300, vec![4_650], 0, 1, 0, vec![]),
        ("in the middle of words", 300, vec![1_400], 0, 1, 0, vec![]),
        ("in pauses longer than the wait", 300, vec![2_000, 3_040], 0, 0, 2, vec![]),
        ("in a pause shorter than the wait", 600, vec![2_000], 0, 1, 0, vec![]),
        ("before anything was said", 300, vec![500], 0, 0, 0, vec![]),
        ("told in the next answer", 1_000, vec![8_500], 0, 0, 0, vec![]),
    ] {
        let wanted = Ends { answers: 2, found, false_ends, long_pauses, delays };
        assert_eq!(told(wait, &stops), wanted, "{name}");
    }
}

/// A span is found by the speech over it; speech that is far from all spans is false.
#[test]
fn starts_are_matched() {
    for (name, speech, missed, false_starts, delays) in [
        ("nothing told", vec![], 4, 0, vec![]),
        ("a pause that was not seen", vec![speech(1_010, 1_090, 5_000)], 1, 0, vec![90]),
        ("long before", vec![speech(500, 580, 700)], 4, 1, vec![]),
        ("on since before", vec![speech(500, 580, 2_050)], 3, 1, vec![]),
        ("a little early", vec![speech(8_850, 8_930, 10_050)], 3, 0, vec![-70]),
        ("after the end", vec![speech(10_150, 10_230, 10_400)], 4, 0, vec![]),
    ] {
        let wanted = Starts { spans: 4, missed, false_starts, delays };
        assert_eq!(starts(&answers(), &speech), wanted, "{name}");
    }
    let endless = [Speech { at: 9_000, told: 9_080, stopped: None }];
    assert_eq!(starts(&answers(), &endless).missed, 3);
}

/// The tail is how much later than the truth a voice was said to end: the first end after the fading counts.
#[test]
fn stops_are_matched() {
    for (name, speech, tails) in [
        ("early", vec![speech(1_000, 1_080, 3_000), speech(4_500, 4_580, 4_980)], vec![-20]),
        ("once", vec![speech(1_000, 1_080, 5_055), speech(6_000, 6_080, 6_200)], vec![55]),
        ("in the next answer", vec![speech(1_000, 1_080, 9_500)], vec![]),
        ("both", vec![speech(1_000, 1_080, 5_000), speech(9_000, 9_080, 10_090)], vec![0, 90]),
    ] {
        let delays = tails.iter().map(|tail| tail + 240).collect();
        assert_eq!(stops(&answers(), &speech), Stops { tails, delays }, "{name}");
    }
}

/// Nearest rank: always a value that occurred.
#[test]
fn percentiles_are_values() {
    let values: Vec<i64> = (1..=10).rev().collect();
    assert_eq!(percentile(&values, 50), Some(5));
    assert_eq!(percentile(&values, 90), Some(9));
    assert_eq!(percentile(&[7], 50), Some(7));
    assert_eq!(percentile(&[7], 0), Some(7));
    assert_eq!(percentile(&[], 50), None);
}

/// Sums of recordings are sums.
#[test]
fn scores_add_up() {
    let mut sum = told(300, &[5_000]);
    sum.add(told(300, &[1_400, 2_000, 10_000]));
    let delays = vec![300, 300];
    let wanted = Ends { answers: 4, found: 2, false_ends: 1, long_pauses: 1, delays };
    assert_eq!(sum, wanted);
    let one = starts(&answers(), &[speech(8_850, 8_930, 10_050), speech(500, 580, 700)]);
    let mut two = one.clone();
    two.add(one);
    let delays = vec![-70, -70];
    assert_eq!(two, Starts { spans: 8, missed: 6, false_starts: 2, delays });
    let mut late = stops(&answers(), &[speech(1_000, 1_080, 5_055)]);
    late.add(late.clone());
    assert_eq!(late, Stops { tails: vec![55, 55], delays: vec![295, 295] });
}

fn level_of(samples: &[i16]) -> f64 {
    20.0 * (rms(samples.iter().map(|s| f64::from(*s))) / f64::from(i16::MAX)).log10()
}

/// Half a second of a quiet room, `ms` of a hum, half a second of room.
fn hum(ms: usize, amplitude: i16) -> Vec<i16> {
    let mut sound = vec![1; 500 * MS];
    sound.extend((0..ms * MS).map(|n| if n / 40 % 2 == 0 { amplitude } else { -amplitude }));
    sound.extend(vec![1; 500 * MS]);
    sound
}

fn answer(texts: &[&str]) -> Part {
    let mut part = Part::default();
    for text in texts {
        let start = (part.sound.len() / MS) as u64 + 500;
        part.spans.push((Span { start, end: start + 600 }, (*text).into()));
        part.sound.extend(hum(600, 9_000));
    }
    part
}

/// Answers stand where their truth says, at one level; words lie within their spans.
#[test]
fn answers_stand_in_a_row() {
    let take = Take::new("x", &[answer(&["one two three"]), answer(&["four", ""])], 0);
    let starts: Vec<Vec<u64>> =
        take.answers.iter().map(|a| a.iter().map(|s| s.start).collect()).collect();
    assert_eq!(starts, [vec![2_500], vec![2_000 + 1_600 + 4_000 + 500, 9_700]]);
    assert_eq!(take.sound.len(), (2_000 + 1_600 + 4_000 + 3_200 + 4_000) * MS);
    let span = take.answers[1][1];
    let speech = &take.sound[span.start as usize * MS..span.end as usize * MS];
    assert!((level_of(speech) - SPEECH_DBOV).abs() < 0.1, "{}", level_of(speech));
    let word = |at, word: &str| (at, word.to_owned());
    let words = [word(2_600, "one"), word(2_800, "two"), word(3_000, "three"), word(8_400, "four")];
    assert_eq!(take.words, words);
    assert_eq!(take.quiet_ms(), 14_800 - 3 * 600);
    assert_eq!(Take::new("quiet", &[], 700).sound.len(), 700 * MS);
}

/// Noise is as loud as it is said to be, the same each time, and another with another seed.
#[test]
fn noise_has_its_level() {
    let take = Take::new("quiet", &[], 3_000);
    let samples = take.sound.len();
    let voice: Vec<i16> = hum(600, 3_000);
    for noise in [white(samples, "a"), babble(samples, &[voice.clone(), voice], "a")] {
        for snr_db in [0.0, 5.0, 20.0] {
            let level = level_of(&take.with(&noise, snr_db));
            assert!((level - (SPEECH_DBOV - snr_db)).abs() < 0.2, "{snr_db} dB: {level} dBov");
        }
    }
    assert_eq!(white(100, "a"), white(100, "a"));
    assert_ne!(white(100, "a"), white(100, "b"));
    assert_eq!(babble(2, &[], "a"), [0.0, 0.0]);
}

/// Without a truth the energy says where speech is: closures and clicks aside.
#[test]
fn speech_is_where_it_is_loud() {
    let mut sound = hum(600, 9_000);
    sound[800 * MS..900 * MS].fill(0);
    sound[200 * MS..220 * MS].fill(9_000);
    sound.extend(hum(400, 2_000));
    let span = |start, end| Span { start, end };
    assert_eq!(loud_spans(&sound), [span(500, 1_100), span(2_100, 2_500)]);
    assert!(loud_spans(&[]).is_empty());
}

/// Two pauses that were cut differently often, and two ends.
fn scores() -> Scores<u8> {
    let hold = |score, lengths_ms: &[u64]| Hold { score, lengths_ms: lengths_ms.into() };
    Scores {
        holds: vec![hold(10, &[250, 400, 1_600, 4_000]), hold(60, &[250, 400, 500, 600])],
        ends: vec![50, 90],
    }
}

/// A pause that outlasts the wait is a cut-off, one that is as long is none; the wait is the delay above the
/// threshold only.
#[test]
fn a_setting_is_a_point() {
    for (threshold, delay_ms, timeout_ms, cutoffs, latency_ms) in [
        (100, 200, 1_000, 2.0 / 8.0, 1_000.0),
        (60, 200, 1_000, 2.0 / 8.0, 600.0),
        (59, 200, 1_000, 6.0 / 8.0, 600.0),
        (49, 400, 2_000, 3.0 / 8.0, 400.0),
        (50, 400, 2_000, 3.0 / 8.0, 1_200.0),
        (0, 600, 3_500, 2.0 / 8.0, 600.0),
    ] {
        let policy = Policy { threshold, delay_ms, timeout_ms };
        let point = scores().point(|score| policy.wait(score));
        assert_eq!(point, Point { cutoffs, latency_ms }, "{policy:?}");
    }
    let nothing: Scores<u8> = Scores::default();
    assert_eq!(nothing.point(|_| 1), Point { cutoffs: 0.0, latency_ms: 0.0 });
}

/// Only settings that nothing beats are looked at, and the figures are the best of them within each budget.
#[test]
fn figures_are_read_off_the_front() {
    let point = |(latency_ms, cutoffs)| Point { cutoffs, latency_ms };
    let all =
        [(600.0, 0.2), (300.0, 0.5), (300.0, 0.4), (700.0, 0.2), (1_200.0, 0.05), (250.0, 0.6)];
    let best = front(all.into_iter().map(point));
    let wanted = [(250.0, 0.6), (300.0, 0.4), (600.0, 0.2), (1_200.0, 0.05)].map(point);
    assert_eq!(best, wanted);
    let read = figures(&best);
    let wanted =
        Figures { cutoffs_300: Some(0.4), cutoffs_600: Some(0.2), latency_5: Some(1_200.0) };
    assert_eq!(read, wanted);
    assert_eq!(figures(&[point((900.0, 0.06))]), Figures::default());
}

/// All settings of eot-bench are tried: 101 thresholds, 9 delays, 6 time-outs.
#[test]
fn all_settings_are_tried() {
    let all: Vec<Policy> = policies().collect();
    assert_eq!(all.len(), 101 * 9 * 6);
    assert!(all.contains(&Policy { threshold: 72, delay_ms: 300, timeout_ms: 3_000 }));
    assert_eq!((silences().min(), silences().max()), (Some(200), Some(3_500)));
    assert!(ranges().any(|range| range == (300, 2_500)));
}

/// Silence alone has the figures with our pauses that were published for it: 55.6 and 21.7 % and 1,600 ms.
#[test]
fn pauses_are_as_long_as_published() {
    let lengths_ms = lengths_ms();
    assert!(lengths_ms.iter().all(|length| (200..5_000).contains(length)), "{lengths_ms:?}");
    let scores = Scores { holds: vec![Hold { score: (), lengths_ms }], ends: vec![()] };
    let figures = figures(&front(silences().map(|wait| scores.point(|()| wait))));
    assert!((figures.cutoffs_300.unwrap() - 0.556).abs() < 0.005, "{figures:?}");
    assert!((figures.cutoffs_600.unwrap() - 0.217).abs() < 0.005, "{figures:?}");
    assert_eq!(figures.latency_5, Some(1_600.0));
}

/// Words are compared as they are said: titles and hyphens are written out, an apostrophe belongs to its
/// word, other marks and the size of letters do not count.
#[test]
fn words_are_compared_as_they_are_said() {
    for (text, wanted) in [
        ("Hello, World!", &["hello", "world"][..]),
        ("Mr. Smith", &["mister", "smith"]),
        ("a state-of-the-art well-", &["a", "state", "of", "the", "art", "well"]),
        ("I don't.", &["i", "don't"]),
        ("one | two", &["one", "two"]),
        ("in 1999 Zürich", &["in", "1999", "zürich"]),
        (" - ... ", &[]),
        ("", &[]),
    ] {
        assert_eq!(wer::words(text), wanted, "{text}");
    }
}

/// The errors of a transcript are the fewest words to put in, take out or change.
#[test]
fn wrong_words_are_counted() {
    for (said, heard, errors) in [
        ("one two three", "one two three", 0),
        ("one two three", "one two and three", 1),
        ("one two three", "and one two three", 1),
        ("one two three", "one three", 1),
        ("one two three", "two three", 1),
        ("one two three", "one too three", 1),
        ("one two three", "two one three", 2),
        ("one two three", "one four five six", 3),
        ("one two three", "", 3),
        ("", "one two", 2),
        ("", "", 0),
    ] {
        let counted = wer::errors(&wer::words(said), &wer::words(heard));
        assert_eq!(counted, errors, "{said} | {heard}");
    }
}
