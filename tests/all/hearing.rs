//! The hard conversations that are about sound, on sound: through the real ear and voice on virtual time. Who
//! is at the far end stands in `far_end`.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use vivavoce::{
    audio::{FRAME, Pcm16},
    interview::{Effect, Event, NotTheirs, ReplyId, Request, Say},
    providers::TurnDetector,
    time::SessionTime,
};

use crate::far_end::{
    Act::{self, Mute, Press},
    Meeting, Met, Person,
    When::{self, Asked, Over, Then},
    ms, random, recorded, spoken,
};
use crate::recognisers::{Knows, Late, MakesUp};

/// So long after the first sample of words over us nothing of ours is heard any more (Q06).
const SILENT_WITHIN: Duration = Duration::from_millis(300);
/// What is heard of us in a small room with a laptop.
const ECHO_DELAY: Duration = Duration::from_millis(140);
const ECHO_GAIN: f64 = 0.25;

/// The first question of every meeting here.
const FIRST: ReplyId = ReplyId(1);

fn first_answer() -> (When, Act) {
    (Asked(ms(500)), Act::Say(recorded("two-stage-plain", ANSWERS[0])))
}

/// They press End when they have heard what follows.
fn leaves() -> (When, Act) {
    (Asked(ms(1_000)), Press(Request::End))
}

/// Every reply was heard to its last sample, but for those.
fn check_ours(met: &Met, cut: &[ReplyId]) {
    let finished = met.happened(|event| match event {
        Event::ReplyFinished { reply, .. } => Some(*reply),
        _ => None,
    });
    assert!(finished.len() >= 2, "{}", met.story());
    for (_, reply) in finished {
        if !cut.contains(&reply) {
            met.heard_whole(reply);
        }
    }
}

/// An answer whose words a recogniser knows that knows everything.
fn tells(fixture: &str, words: &str) -> Act {
    Act::Tell(recorded(fixture, words), words.to_owned())
}

const ANSWERS: [&str; 2] = [
    "I am a software engineer and I have worked on payment systems for six years",
    "my highlight was leading a team of five people that built a new mobile application",
];

/// Case 25: what their microphone picks up of our loudspeaker is no turn and cuts nothing off: every reply is
/// heard to its last sample, and their own answers are the only turns.
#[test]
fn our_echo_is_nobody() {
    let answers = ANSWERS.map(|words| (Asked(ms(700)), tells("two-stage-plain", words)));
    let person = Person::new(answers.into_iter().chain([leaves()]));
    let person = person.with_echo(ECHO_DELAY, ECHO_GAIN);
    let said = person.said();
    let met = Meeting::new().hearing(|_| Arc::new(Knows(said))).with(person);
    let story = met.story();
    assert_eq!(met.turns(), ANSWERS, "{story}");
    let echoes = met.passed_over();
    assert!(echoes.len() > 5, "{story}");
    assert!(echoes.iter().all(|(_, why)| *why == NotTheirs::Echo), "{story}");
    assert_eq!(met.hushed(), [], "{story}");
    check_ours(&met, &[]);
}

/// Cases 22 and 25: where our echo comes back, words of theirs among it still cut us off.
#[test]
fn words_over_our_echo_cut_us_off() {
    let over = "I am sorry but I want to add that I also lead a team of four people";
    let script = [
        (Asked(ms(700)), tells("two-stage-plain", ANSWERS[0])),
        (Over(ms(1_500)), tells("barge-in", over)),
        leaves(),
    ];
    let person = Person::new(script).with_echo(ECHO_DELAY, ECHO_GAIN);
    let said = person.said();
    let met = Meeting::new().hearing(|_| Arc::new(Knows(said))).with(person);
    let story = met.story();
    let hushed = met.hushed();
    assert_eq!(hushed.len(), 1, "{story}");
    let spoke = met.span(hushed[0].1).0 + ms(1_500);
    // Two words, and what a recogniser needs to be sure of them.
    assert!(hushed[0].0.since(spoke) <= ms(1_500), "{story}");
    let turns = met.turns();
    assert_eq!(turns.len(), 2, "{turns:?}\n{story}");
    assert!(turns[1].ends_with("team of four people"), "{turns:?}\n{story}");
    check_ours(&met, &[hushed[0].1]);
}

/// Case 22: words over us, and 300 ms after their first sample nothing of ours is heard any more; they are a
/// turn.
#[test]
fn words_over_us_silence_us() {
    let over = recorded("barge-in", "wait a moment please");
    let met = Meeting::new().with(Person::new([(Over(ms(1_500)), Act::Say(over)), leaves()]));
    let story = met.story();
    let onset = starts(&met)[0];
    assert_eq!(met.hushed().len(), 1, "{story}");
    assert_eq!(met.hushed()[0].1, FIRST, "{story}");
    let late = onset.since(met.span(FIRST).0 + ms(1_500));
    assert!(late <= ms(100), "{late:?}\n{story}");
    let frames = met.frames((onset + SILENT_WITHIN, onset + ms(1_200)));
    assert!(frames.len() > 40 && frames.iter().all(Option::is_none), "{story}");
    assert_eq!(met.resumed(), [], "{story}");
    assert!(met.turns()[0].contains("moment"), "{:?}", met.turns());
}

/// Case 23: one word of theirs while we speak stops us for a moment, takes no floor, and we go on at the
/// exact sample.
#[test]
fn a_backchannel_takes_no_floor() {
    let script = [(Over(ms(1_500)), Act::Say(recorded("um", "um"))), first_answer(), leaves()];
    let met = Meeting::new().with(Person::new(script));
    let story = met.story();
    assert_eq!((met.paused().len(), met.resumed().len()), (1, 1), "{story}");
    assert_eq!(met.hushed(), [], "{story}");
    let dip = met.heard_whole(FIRST);
    assert!((10..=40).contains(&dip), "we were silent for {dip} frames\n{story}");
    let turns = met.turns();
    assert_eq!(turns.len(), 1, "{turns:?}");
    assert!(turns[0].contains("software engineer"), "{turns:?}");
}

/// Sounds that are no words.
fn cough() -> Vec<i16> {
    burst(&[(0, 60), (140, 220)], 9_000.0, 0.35)
}

fn door() -> Vec<i16> {
    burst(&[(0, 250)], 12_000.0, 0.02)
}

fn keys() -> Vec<i16> {
    let strokes: Vec<_> = (0..14).map(|n| (n * 130, n * 130 + 12)).collect();
    burst(&strokes, 7_000.0, 0.9)
}

/// Noise that dies away in each span (ms); of `colour` 1 it is white, below it is dull.
fn burst(spans: &[(usize, usize)], loudness: f64, colour: f64) -> Vec<i16> {
    let (mut seed, mut last) = (7, 0.0);
    let length = spans.last().unwrap().1;
    (0..length * 16)
        .map(|n| {
            last += colour * (random(&mut seed) - last);
            let within = spans.iter().find(|(from, to)| (from * 16..to * 16).contains(&n));
            within.map_or(0, |(from, to)| {
                let gone = (n - from * 16) as f64 / ((to - from) * 16) as f64;
                (last / colour.sqrt() * loudness * (1.0 - gone)) as i16
            })
        })
        .collect()
}

/// A laugh: five short vowels with breath between them.
fn laugh() -> Vec<i16> {
    let mut seed = 3;
    (0..5 * 3_200)
        .map(|n| {
            let (beat, within) = (n / 3_200, (n % 3_200) as f64 / 16_000.0);
            let pitch = 260.0 - 15.0 * f64::from(beat as u8);
            let vowel: f64 = (1..14)
                .map(|k| {
                    let hz = pitch * f64::from(k);
                    let formant = |at: f64, width: f64| (-((hz - at) / width).powi(2)).exp();
                    let loud = formant(850.0, 250.0) + 0.6 * formant(1_400.0, 300.0) + 0.05;
                    (within * hz * std::f64::consts::TAU).sin() * loud
                })
                .sum();
            let voiced = (1.0 - within / 0.11).clamp(0.0, 1.0);
            (vowel * voiced * 4_000.0 + random(&mut seed) * 600.0) as i16
        })
        .collect()
}

/// Case 24: a cough, a door, keys and a laugh over us are a dip of two seconds at most: we go on at the exact
/// sample, and nobody has said anything.
#[test]
fn noises_over_us_are_a_dip_at_most() {
    for (name, noise, dips) in [
        ("cough", cough(), 0..3),
        ("door", door(), 0..3),
        ("keys", keys(), 0..3),
        ("laugh", laugh(), 1..3),
    ] {
        let person = Person::new([(Over(ms(1_500)), Act::Say(noise)), leaves()]);
        let said = person.said();
        let met = Meeting::new().hearing(|_| Arc::new(Knows(said))).with(person);
        let story = met.story();
        assert!(dips.contains(&met.paused().len()), "{name}\n{story}");
        assert_eq!(met.paused().len(), met.resumed().len(), "{name}\n{story}");
        assert_eq!((met.hushed(), met.turns()), (vec![], vec![]), "{name}\n{story}");
        let silent = met.heard_whole(FIRST);
        assert!(silent <= 102, "{name}: {silent} frames\n{story}");
    }
}

/// Case 29: words that a recogniser makes of silence are nobody's: over us they stop nothing, after us they
/// are no answer, and the answer that comes at last is the only turn.
#[test]
fn words_out_of_silence_are_nobodys() {
    let (_, answer) = first_answer();
    let script = [(Asked(ms(15_000)), answer), leaves()];
    let met = Meeting::new().hearing(|stt| Arc::new(MakesUp(stt))).with(Person::new(script));
    let story = met.story();
    let turns = met.turns();
    assert_eq!(turns.len(), 1, "{turns:?}\n{story}");
    assert!(turns[0].contains("software engineer") && !turns[0].contains("watching"), "{turns:?}");
    let (_, asked) = met.span(FIRST);
    let passed_over = met.passed_over();
    assert!(passed_over.iter().all(|(_, why)| *why == NotTheirs::NoVoice), "{story}");
    assert!(passed_over.iter().any(|(at, _)| *at < asked), "{story}");
    assert!(passed_over.iter().filter(|(at, _)| *at > asked).count() > 4, "{story}");
    assert_eq!((met.paused(), met.hushed()), (vec![], vec![]), "{story}");
    check_ours(&met, &[]);
}

/// When we began to be heard after a moment.
fn next_start(met: &Met, after: SessionTime) -> SessionTime {
    let starts = met.happened(|event| matches!(event, Event::ReplyStarted { .. }).then_some(()));
    starts.into_iter().map(|(at, ())| at).find(|at| *at > after).unwrap()
}

/// When voices of theirs began.
fn starts(met: &Met) -> Vec<SessionTime> {
    let starts = met.happened(|event| match event {
        Event::SpeechStarted { at } => Some(*at),
        _ => None,
    });
    starts.into_iter().map(|(_, at)| at).collect()
}

fn first_stop(met: &Met) -> SessionTime {
    let stops = met.happened(|event| match event {
        Event::SpeechStopped { at } => Some(*at),
        _ => None,
    });
    stops[0].1
}

/// Hears the same in every sound, and keeps how long each was, in ms.
struct Weighs(u8, Mutex<Vec<usize>>);

impl TurnDetector for Weighs {
    fn ended_percent(&self, sound: &Pcm16) -> Option<u8> {
        self.1.lock().unwrap().push(sound.0.len() / 16);
        (self.0 <= 100).then_some(self.0)
    }
}

/// T04: what the sound of a turn says decides how long we wait behind it: we answer sooner, or are more
/// patient.
#[test]
fn the_sound_of_a_turn_decides() {
    let waited = |ended_percent: u8| {
        let answer = (Asked(ms(700)), tells("two-stage-plain", ANSWERS[0]));
        let person = Person::new([answer, leaves()]);
        let said = person.said();
        let weighs = Arc::new(Weighs(ended_percent, Mutex::default()));
        let meeting = Meeting::new().hearing(|_| Arc::new(Knows(said)));
        let met = meeting.weighing(weighs.clone()).with(person);
        let (story, stopped) = (met.story(), first_stop(&met));
        let weighed = met.happened(|event| match event {
            Event::PauseWeighed { stopped, ended_percent } => Some((*stopped, *ended_percent)),
            _ => None,
        });
        let weighed: Vec<_> = weighed.into_iter().map(|(_, weighed)| weighed).collect();
        let told = (ended_percent <= 100).then_some((stopped, ended_percent));
        assert_eq!(weighed, Vec::from_iter(told), "{story}");
        let voice = stopped.since(starts(&met)[0]).as_millis() as usize;
        let heard = weighs.1.lock().unwrap();
        assert!(heard.len() == 1 && heard[0].abs_diff(500 + voice + 100) <= 1, "{heard:?} {voice}");
        next_start(&met, stopped).since(stopped)
    };
    let (ended, nothing, goes_on) = (waited(97), waited(101), waited(3));
    assert!(ended + ms(40) <= nothing, "{ended:?} {nothing:?}");
    assert!(nothing + ms(500) <= goes_on, "{nothing:?} {goes_on:?}");
    assert_eq!(waited(50), nothing);
}

/// Case 30: without a final transcript we go on from the partial one 2 s after the last voice; one that comes
/// while we answer amends the turn, and interrupts nobody.
#[test]
fn a_late_final_amends_its_turn() {
    for (by, committed) in [(ms(60_000), false), (ms(4_000), true)] {
        let met = Meeting::new()
            .hearing(|stt| Arc::new(Late(stt, by)))
            .with(Person::new([first_answer(), leaves()]));
        let story = met.story();
        let stopped = first_stop(&met);
        let waited = next_start(&met, stopped).since(stopped);
        assert!((ms(2_000)..ms(2_700)).contains(&waited), "{waited:?}\n{story}");
        let turns = met.turns();
        assert_eq!(turns.len(), 1, "{turns:?}\n{story}");
        assert!(turns[0].contains("six years"), "{turns:?}");
        assert_eq!(turns[0].ends_with("indeed"), committed, "{turns:?}");
        let finals = met.happened(|event| matches!(event, Event::FinalTranscript(_)).then_some(()));
        assert_eq!(finals.len(), usize::from(committed), "{story}");
        assert_eq!(met.hushed(), [], "{story}");
        check_ours(&met, &[]);
    }
}

/// Orders to speak, each with the words if it is words.
fn spoken_orders(met: &Met) -> Vec<(SessionTime, ReplyId, Option<String>)> {
    let orders = met.ordered(|effect| match effect {
        Effect::Speak { reply, say: Say::Text(words), .. } => Some((*reply, Some(words.clone()))),
        Effect::Speak { reply, say: Say::Model { .. }, .. } => Some((*reply, None)),
        Effect::Fill { reply, text } => Some((*reply, Some(text.clone()))),
        _ => None,
    });
    orders.into_iter().map(|(at, (reply, words))| (at, reply, words)).collect()
}

/// The longest silence of ours from `from` to `to`.
fn longest_silence(met: &Met, span: (SessionTime, SessionTime)) -> Duration {
    let frames = met.frames(span);
    let silences = frames.split(Option::is_some).map(<[_]>::len);
    FRAME * silences.max().unwrap_or(0) as u32
}

/// Case 31: a model that says nothing for 1.75 s gets a filler, which is heard then; the reply follows it,
/// and both are heard to their last sample. One that says nothing at all gets words of the blueprint, and
/// nobody hears more than 3 s of silence and what a voice needs.
#[test]
fn a_slow_model_gets_a_filler_in_time() {
    for (llm, answers) in [(ms(2_900), true), (ms(30_000), false)] {
        let mut meeting = Meeting::new();
        meeting.latencies.llm = llm;
        // So little that the model has to ask on.
        let answer = recorded("um", "I am a software engineer");
        let met = meeting.with(Person::new([(Asked(ms(500)), Act::Say(answer)), leaves()]));
        let story = met.story();
        let stopped = first_stop(&met);
        let orders = spoken_orders(&met);
        let answer = orders.iter().position(|(at, ..)| *at > stopped).unwrap();
        let (owed, reply, _) = orders[answer].clone();
        let (filled, filler, words) = orders[answer + 1].clone();
        assert_eq!(words.as_deref(), Some("Let me think about that."), "{story}");
        let waited = filled.since(owed);
        assert!((ms(1_730)..=ms(1_770)).contains(&waited), "{waited:?}\n{story}");
        let heard = met.span(filler);
        assert!(heard.0.since(owed) <= ms(1_950), "{story}");
        met.heard_whole(filler);
        let follows = next_start(&met, heard.1);
        assert!(longest_silence(&met, (owed, follows)) <= ms(3_200), "{story}");
        if answers {
            assert!(follows.since(heard.1) <= ms(300), "{story}");
            assert_eq!(met.span(reply).0, follows, "{story}");
            met.heard_whole(reply);
        } else {
            let is_it =
                |event: &Event| matches!(event, Event::ReplyStarted { reply: of } if *of == reply);
            assert_eq!(met.happened(|event| is_it(event).then_some(())), [], "{story}");
        }
        assert_eq!(met.turns().len(), 1, "{story}");
    }
}

/// Case 1: nine seconds of silence inside a sentence, in which their browser sends nothing, end no turn: they
/// are told once that there is time, and nothing is asked.
#[test]
fn a_long_pause_is_part_of_the_answer() {
    let tells = |words: &str| Act::Tell(spoken(words), words.to_owned());
    let script = [
        (Asked(ms(500)), tells("I am a software engineer and I work with")),
        (Then(ms(9_500)), tells("three other people in a bank")),
        leaves(),
    ];
    let person = Person::new(script).over_packets();
    let said = person.said();
    let met = Meeting::new().hearing(|_| Arc::new(Knows(said))).with(person);
    let story = met.story();
    let words = "I am a software engineer and I work with three other people in a bank";
    assert_eq!(met.turns(), [words], "{story}");
    let stopped = first_stop(&met);
    let again = starts(&met).into_iter().find(|at| *at > stopped).unwrap();
    assert!((ms(9_300)..ms(9_700)).contains(&again.since(stopped)), "{story}");
    let orders = spoken_orders(&met);
    let meanwhile: Vec<_> =
        orders.iter().filter(|(at, ..)| (stopped..again).contains(at)).collect();
    assert_eq!(meanwhile.len(), 1, "{story}");
    assert_eq!(meanwhile[0].2.as_deref(), Some("Take your time."), "{story}");
    check_ours(&met, &[]);
}

/// Case 3: who trails off is answered after the normal delay, and who stops in a sentence is not.
#[test]
fn who_trails_off_is_done() {
    for (words, waited) in [
        ("I am a software engineer in a small bank so yeah", ms(300)..ms(900)),
        ("I am a software engineer in a small bank because", ms(2_500)..ms(20_000)),
    ] {
        let script = [(Asked(ms(500)), Act::Tell(spoken(words), words.to_owned())), leaves()];
        let person = Person::new(script);
        let said = person.said();
        let met = Meeting::new().hearing(|_| Arc::new(Knows(said))).with(person);
        let stopped = first_stop(&met);
        let answer = spoken_orders(&met).into_iter().find(|(at, ..)| *at > stopped).unwrap();
        let wait = answer.0.since(stopped);
        assert!(waited.contains(&wait), "{words}: {wait:?}\n{}", met.story());
    }
}

/// Case 38: of who speaks while muted nothing is heard, and nothing is said. Their silence counts only when
/// they can be heard again: the first nudge comes as long after that as it would have come after the
/// question.
#[test]
fn who_is_muted_is_waited_for() {
    let script = [
        (Asked(ms(500)), Mute),
        (Then(ms(500)), Act::Say(recorded("um", "I am a software engineer"))),
        (Then(ms(200)), Press(Request::MutedSpeech)),
        (Then(ms(30_000)), Act::Unmute),
        (Then(ms(12_000)), Press(Request::End)),
    ];
    let met = Meeting::new().with(Person::new(script));
    let story = met.story();
    assert_eq!((starts(&met), met.turns()), (vec![], vec![]), "{story}");
    let orders = spoken_orders(&met);
    let words = |n: usize| orders[n].2.as_deref().unwrap_or_default();
    assert_eq!(words(1), "Take your time. I am listening.", "{story}");
    let unmuted = met.happened(|event| matches!(event, Event::Unmuted).then_some(()));
    assert_eq!(orders[1].0.since(unmuted[0].0), ms(8_000), "{story}");
    check_ours(&met, &[]);
}
