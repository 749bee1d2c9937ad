//! The candidate's sound on its way to facts: over bad networks, with silences, and with garbage in it.

use std::{
    f64::consts::TAU,
    sync::{Arc, Mutex},
    time::Duration,
};

use proptest::prelude::*;
use vivavoce::{
    audio::{FRAME_16, FRAME_48, Pcm16, level, resample::Up},
    listen::{Heard, Listen, Packet},
    providers::{
        ProviderError, Stt, SttOut, SttStream, Transcript, Vad, Window, stt_scripted::ScriptedStt,
    },
    time::{SessionTime, Span},
};
use voiceroom::{Frame, opus::Encoder};

/// Whatever is loud is voice, so that times are exact.
#[derive(Default)]
struct Loudness(Vec<i16>);

impl Vad for Loudness {
    fn push(&mut self, sound: &Pcm16, out: &mut Vec<Window>) {
        self.0.extend_from_slice(&sound.0);
        while self.0.len() >= 160 {
            let window: Vec<i16> = self.0.drain(..160).collect();
            out.push(Window { samples: 160, voiced: level::dbov(&window) > -40 });
        }
    }

    fn hangover(&self) -> Duration {
        Duration::ZERO
    }
}

/// Notes what an STT is given.
#[derive(Clone, Default)]
pub(crate) struct Notes(pub(crate) Arc<Mutex<Vec<(SessionTime, Pcm16)>>>);

impl Stt for Notes {
    fn open(&self, _: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        Ok(Box::new(self.clone()))
    }
}

impl SttStream for Notes {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        self.0.lock().unwrap().push((at, sound.clone()));
    }
    fn speech_started(&mut self, _: SessionTime) {}
    fn speech_stopped(&mut self, _: SessionTime) {}
    fn settle(&mut self) {}
}

/// What a stream was told, of when and when, in milliseconds.
type Marked = Arc<Mutex<Vec<(&'static str, u64, u64)>>>;

/// Notes what an STT is told of the voice: what, of when, and up to where it had the sound then, in ms.
#[derive(Clone, Default)]
struct Marks {
    told: Marked,
    fed: SessionTime,
}

impl Marks {
    fn note(&self, what: &'static str, at: SessionTime) {
        self.told.lock().unwrap().push((what, at.as_millis(), self.fed.as_millis()));
    }
}

impl Stt for Marks {
    fn open(&self, _: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        Ok(Box::new(self.clone()))
    }
}

impl SttStream for Marks {
    fn push(&mut self, at: SessionTime, sound: &Pcm16) {
        self.fed = at + sound.duration();
    }
    fn speech_started(&mut self, at: SessionTime) {
        self.note("started", at);
    }
    fn speech_paused(&mut self, at: SessionTime) {
        self.note("paused", at);
    }
    fn speech_stopped(&mut self, at: SessionTime) {
        self.note("stopped", at);
    }
    fn settle(&mut self) {
        self.told.lock().unwrap().push(("settled", 0, self.fed.as_millis()));
    }
}

/// Tells words as soon as it is opened.
struct Foretells(Transcript);

impl Stt for Foretells {
    fn open(&self, out: SttOut) -> Result<Box<dyn SttStream>, ProviderError> {
        out(self.0.clone());
        Ok(Box::new(Notes::default()))
    }
}

/// Words, and the stretches of sound that they account for, end when they are told, whatever a recogniser
/// says.
#[test]
fn words_are_of_no_time_to_come() {
    let at = SessionTime::from_millis;
    let transcript = Transcript {
        segment: 1,
        is_final: true,
        from: at(100),
        to: at(9_000),
        text: "yes I did".to_owned(),
        confidence: None,
        ends_turn: None,
        spans: vec![Span::new(at(100), at(200)), Span::new(at(900), at(9_000))],
    };
    let mut listen = ear(&Foretells(transcript.clone()));
    listen.tick(at(1_000));
    let told = std::iter::from_fn(|| listen.poll()).find_map(|fact| match fact {
        Heard::Transcript(transcript) => Some(transcript),
        Heard::SpeechStarted { .. } | Heard::SpeechStopped { .. } => None,
    });
    let spans = vec![Span::new(at(100), at(200)), Span::new(at(900), at(1_000))];
    assert_eq!(told, Some(Transcript { to: at(1_000), spans, ..transcript }));
}

pub(crate) fn ear(stt: &dyn Stt) -> Listen {
    Listen::new(Box::new(Loudness::default()), stt, Arc::new(|| {})).unwrap()
}

/// Sound at 16 kHz that hums during the spans, in ms.
fn humming(length_ms: usize, spans: &[(usize, usize)]) -> Vec<i16> {
    (0..length_ms * 16)
        .map(|n| {
            let hums = spans.iter().any(|(from, to)| (from * 16..to * 16).contains(&n));
            let value = (n as f64 / 16_000.0 * 200.0 * TAU).sin() * 9_000.0;
            if hums { value as i16 } else { 0 }
        })
        .collect()
}

/// The same as packets; the first has sequence number 100 and RTP time 5,000,000.
pub(crate) fn packets(sound: &[i16]) -> Vec<Packet> {
    let mut encoder = Encoder::new().unwrap();
    let sound = Up::default().push(&Pcm16(sound.to_vec()));
    (0..)
        .zip(sound.0.chunks_exact(FRAME_48))
        .map(|(n, frame)| Packet {
            sequence: 100 + n,
            rtp_time: 5_000_000 + n * FRAME_48 as u64,
            payload: encoder.encode(&Frame::try_from(frame.to_vec()).unwrap()).unwrap().into(),
        })
        .collect()
}

pub(crate) fn ms(ms: u64) -> SessionTime {
    SessionTime::from_millis(ms)
}

/// When packet `n` arrives on a network that delays nothing, in a session that is 1 s old at its start.
fn on_time(n: usize) -> SessionTime {
    ms(1_000 + 20 * (n as u64 + 1))
}

/// All facts, as `+ms` and `-ms`, in tens of ms.
pub(crate) fn facts(listen: &mut Listen) -> Vec<String> {
    let fact = |fact| match fact {
        Heard::SpeechStarted { at } => format!("+{}", (at.as_millis() + 5) / 10 * 10),
        Heard::SpeechStopped { at } => format!("-{}", (at.as_millis() + 5) / 10 * 10),
        Heard::Transcript(Transcript { text, .. }) => text,
    };
    std::iter::from_fn(|| listen.poll().map(fact)).collect()
}

/// Packets with their arrivals, then ticks until `until`; the mark of what is heard never goes back.
fn hear(
    listen: &mut Listen,
    arrivals: impl IntoIterator<Item = (SessionTime, Packet)>,
    until: SessionTime,
) -> Vec<String> {
    let mut told = Vec::new();
    let mut mark = listen.heard();
    let mut check = |listen: &mut Listen, now: SessionTime| {
        assert!(listen.heard() >= mark, "heard went back from {mark} to {}", listen.heard());
        assert!(listen.heard() <= now, "{} was heard at {now}", listen.heard());
        for fact in facts(listen) {
            if let Some(began) = fact.strip_prefix('+') {
                assert!(
                    began.parse::<u64>().unwrap() + 5 >= mark.as_millis(),
                    "{fact} is before {mark}"
                );
            }
            told.push(fact);
        }
        mark = listen.heard();
    };
    for (at, packet) in arrivals {
        while let Some(due) = listen.deadline().filter(|due| *due <= at) {
            listen.tick(due);
            check(listen, due);
        }
        // A session looks at the clock whenever it likes.
        listen.tick(at);
        listen.packet(at, packet);
        check(listen, at);
    }
    while let Some(due) = listen.deadline().filter(|due| *due <= until) {
        listen.tick(due);
        check(listen, due);
    }
    listen.tick(until);
    check(listen, until);
    told
}

/// What is heard through a network that changes packets and times, of two hums.
fn two_hums(
    change: impl Fn(usize, SessionTime, Packet) -> Option<(SessionTime, Packet)>,
) -> (Vec<String>, Listen) {
    let sound = humming(3_000, &[(500, 1_100), (1_700, 2_200)]);
    let mut arrivals: Vec<(SessionTime, Packet)> = packets(&sound)
        .into_iter()
        .enumerate()
        .filter_map(|(n, packet)| change(n, on_time(n), packet))
        .collect();
    arrivals.sort_by_key(|(at, _)| *at);
    let mut listen = ear(&Notes::default());
    let told = hear(&mut listen, arrivals, ms(5_000));
    (told, listen)
}

const TWO_HUMS: [&str; 4] = ["+1500", "-2120", "+2700", "-3220"];

/// What two hums sound like at 1,500–2,100 and 2,700–3,200 ms: windows of 10 ms, a codec that smears by 10.
#[test]
fn sound_has_its_own_times() {
    let (told, listen) = two_hums(|_, at, packet| Some((at, packet)));
    assert_eq!(told, TWO_HUMS);
    assert_eq!(listen.troubles(), Default::default());
    assert_eq!(listen.heard(), ms(5_000));
}

/// Packets up to 200 ms late, in bursts and out of order, change nothing.
#[test]
fn late_packets_change_nothing() {
    let jitter = |n: usize| Duration::from_millis([0, 35, 5, 58, 20, 0, 41][n % 7]);
    assert_eq!(two_hums(|n, at, packet| Some((at + jitter(n), packet))).0, TWO_HUMS);
    // Everything of 180 ms comes at once, in the middle of a word and at its end.
    for from in [30, 52, 90] {
        let burst =
            |n: usize, at| if (from..from + 9).contains(&n) { on_time(from + 8) } else { at };
        assert_eq!(
            two_hums(|n, at, packet| Some((burst(n, at), packet))).0,
            TWO_HUMS,
            "from {from}"
        );
    }
}

/// Q14: lost packets are made up, and the times stay.
#[test]
fn lost_packets_change_no_time() {
    let (told, listen) =
        two_hums(|n, at, packet| (n % 10 != 3 && n % 25 != 4).then_some((at, packet)));
    assert_eq!(told, TWO_HUMS);
    assert_eq!(listen.troubles().lost, 21);
}

/// A line that stood still for 2 s and then brings everything: heard late, counted, nothing lost.
#[test]
fn a_late_flood_is_heard_late() {
    let notes = Notes::default();
    let mut listen = ear(&notes);
    let sound = humming(3_000, &[(500, 1_100), (1_700, 2_200)]);
    let arrivals = packets(&sound).into_iter().enumerate().map(|(n, packet)| {
        let flood = if (40..140).contains(&n) { on_time(140) } else { on_time(n) };
        (flood, packet)
    });
    let mut told = hear(&mut listen, arrivals, ms(8_000));
    assert_eq!(told.remove(0), "+1500");
    assert_eq!(told.len(), 5, "the first hum is cut in two: {told:?}");
    assert!(listen.troubles().late > 0);
    let loud: usize = notes
        .0
        .lock()
        .unwrap()
        .iter()
        .flat_map(|(_, p)| &p.0)
        .filter(|s| s.unsigned_abs() > 1_000)
        .count();
    assert!(loud > 1_100 * 16 * 85 / 100, "{loud} loud samples of {}", 1_100 * 16);
}

/// What STT gets has no gaps and no overlap, whatever the packets do.
#[test]
fn stt_gets_a_line_without_gaps() {
    let notes = Notes::default();
    let mut listen = ear(&notes);
    let sound = humming(3_000, &[(500, 1_100), (1_700, 2_200)]);
    let arrivals = packets(&sound).into_iter().enumerate().filter(|(n, _)| !(60..80).contains(n));
    hear(&mut listen, arrivals.map(|(n, packet)| (on_time(n), packet)), ms(4_500));
    let notes = notes.0.lock().unwrap();
    let from = notes.iter().position(|(at, _)| *at >= ms(1_000)).unwrap();
    for pair in notes[from..].windows(2) {
        let gap =
            pair[1].0.as_micros() as i64 - (pair[0].0 + pair[0].1.duration()).as_micros() as i64;
        assert!(gap.abs() <= 1, "{gap} µs between {} and {}", pair[0].0, pair[1].0);
    }
}

/// A DTX frame or a mute is silence at once. Sound that just breaks off in the middle of a voice is missing
/// for a second, and silence after that; then the mark is the clock itself.
#[test]
fn silence_that_nobody_sends_is_heard() {
    let hums = packets(&humming(1_000, &[(200, 1_000)]));
    let pauses = packets(&humming(1_000, &[(200, 920)]));
    let dtx = Packet { sequence: 150, rtp_time: 5_000_000 + 50 * 960, payload: vec![0xf8].into() };
    let run = |sent: &[Packet], end: &dyn Fn(&mut Listen)| {
        let mut listen = ear(&Notes::default());
        for (n, packet) in sent.iter().cloned().enumerate() {
            listen.packet(on_time(n), packet);
        }
        end(&mut listen);
        let mut now = ms(2_000);
        while !facts(&mut listen).iter().any(|fact| fact.starts_with('-')) {
            now += Duration::from_millis(10);
            assert!(now < ms(4_000), "speech did not end");
            listen.tick(now);
        }
        listen.tick(now + Duration::from_millis(7));
        assert_eq!(listen.heard(), now + Duration::from_millis(7));
        now.as_millis()
    };
    // Told with the hold of 200 ms after the end of sound, at 2,000 ms.
    assert!((2_190..=2_230).contains(&run(&hums, &|listen| listen.muted(ms(2_000)))));
    assert!((2_190..=2_230).contains(&run(&hums, &|listen| listen.packet(ms(2_020), dtx.clone()))));
    let broken_off = run(&hums, &|_| ());
    assert!((3_190..=3_230).contains(&broken_off), "{broken_off}");
    // Whoever was silent before the line broke off is: told as soon as no packet for 200 ms is silence.
    let silent = run(&pauses, &|_| ());
    assert!((2_190..=2_230).contains(&silent), "{silent}");
}

/// Q14: a line that brings nothing for 700 ms in the middle of a voice ends no speech, whether what was sent
/// comes late or never. Where it begins after the voice, that has ended in time.
#[test]
fn a_line_that_pauses_ends_no_speech() {
    let hum = packets(&humming(3_000, &[(200, 2_000)]));
    let paused = |from: usize, comes: bool| {
        let gap = from..from + 35;
        let arrivals = hum.iter().cloned().enumerate().filter_map(|(n, packet)| {
            let at = if gap.contains(&n) { on_time(gap.end) } else { on_time(n) };
            (comes || !gap.contains(&n)).then_some((at, packet))
        });
        let mut listen = ear(&Notes::default());
        hear(&mut listen, arrivals, ms(6_000))
    };
    for comes in [false, true] {
        assert_eq!(paused(30, comes)[0], "+1200", "{comes}");
        assert_eq!(paused(30, comes).len(), 2, "{comes}: {:?}", paused(30, comes));
        assert_eq!(paused(110, comes), ["+1200", "-3020"], "{comes}");
        // After 40 ms of voice, which are none by themselves.
        assert_eq!(paused(12, comes)[0], "+1200", "{comes}");
        assert_eq!(paused(12, comes).len(), 2, "{comes}: {:?}", paused(12, comes));
    }
}

/// Q14: of a silence in which nothing is sent only what was lost at its end is missing: the voice behind it
/// began there.
#[test]
fn a_loss_after_silence_is_as_long_as_it_is() {
    let mut sent = packets(&humming(1_700, &[(200, 1_000), (1_600, 1_700)]));
    sent.extend(packets(&humming(1_000, &[(0, 600)])).into_iter().map(|packet| Packet {
        sequence: packet.sequence + 85,
        rtp_time: packet.rtp_time + 85 * FRAME_48 as u64,
        ..packet
    }));
    let mut listen = ear(&Notes::default());
    let mut told = Vec::new();
    // Nothing is sent between 1,200 and 1,600 ms, and the packet there, the first of the second hum, is lost.
    for (n, packet) in sent.into_iter().enumerate().filter(|(n, _)| !(60..=80).contains(n)) {
        let unsent = if n < 60 { 0 } else { 20 };
        let sequence = packet.sequence - unsent;
        listen.packet(on_time(n), Packet { sequence, ..packet });
        told.extend(facts(&mut listen));
    }
    assert_eq!(told, ["+1200", "-2020", "+2600", "-3320"]);
}

/// T04: sound is kept at its time, though of a long silence before and behind it nobody was told all.
#[test]
fn sound_is_kept_at_its_time() {
    let mut listen = ear(&Notes::default());
    listen.keep_sound();
    for (at, sample) in [(3_000, 1_000), (3_020, 2_000), (7_000, 3_000), (7_020, 4_000)] {
        listen.frame(ms(at), &Pcm16(vec![sample; FRAME_16]));
    }
    let sound = |from: u64, to: u64| {
        let mut kept = listen.sound(ms(from), ms(to)).0;
        kept.dedup();
        (kept, listen.sound(ms(from), ms(to)).0.len() / 16)
    };
    assert_eq!(sound(3_000, 3_040), (vec![1_000, 2_000], 40));
    assert_eq!(sound(3_010, 7_010), (vec![1_000, 2_000, 0, 3_000], 4_000));
    assert_eq!(sound(7_020, 9_000), (vec![4_000], 20));
}

/// A candidate's clock that is 1,000 ppm off for 4 minutes moves no fact.
#[test]
fn drifting_clocks_are_followed() {
    for ppm in [-1_000_i64, 1_000] {
        let hum = packets(&humming(1_000, &[(300, 700)]));
        let mut listen = ear(&Notes::default());
        for round in 0..240_u64 {
            for (n, packet) in hum.iter().enumerate() {
                let count = round * 50 + n as u64;
                let arrived = (count + 1) as i64 * 20_000 * (1_000_000 + ppm) / 1_000_000;
                let at = ms(1_000) + Duration::from_micros(arrived as u64);
                let rtp_time = 5_000_000 + count * 960;
                listen.packet(
                    at,
                    Packet { sequence: count, rtp_time, payload: packet.payload.clone() },
                );
            }
        }
        let last: Vec<String> = facts(&mut listen);
        assert_eq!(last.len(), 480);
        let told: i64 = last[478][1..].parse().unwrap();
        let truth = 1_000 + (239_000 + 300) * (1_000_000 + ppm) / 1_000_000;
        assert!((told - truth).abs() <= 50, "{ppm} ppm: {told} instead of {truth}");
    }
}

/// Another track starts its numbers anywhere, and its sound is heard at its time.
#[test]
fn another_track_goes_on() {
    let mut listen = ear(&Notes::default());
    let first = packets(&humming(1_000, &[(300, 600)]));
    let mut told =
        hear(&mut listen, first.into_iter().enumerate().map(|(n, p)| (on_time(n), p)), ms(2_500));
    listen.track_started().unwrap();
    let second =
        packets(&humming(1_000, &[(300, 600)])).into_iter().enumerate().map(|(n, packet)| {
            let packet = Packet { sequence: n as u64, rtp_time: n as u64 * 960, ..packet };
            (on_time(n) + Duration::from_secs(2), packet)
        });
    told.extend(hear(&mut listen, second, ms(5_000)));
    assert_eq!(told, ["+1300", "-1620", "+3300", "-3620"]);
}

/// In lockstep frames take the same way, with words at the end of speech.
#[test]
fn frames_are_heard_in_lockstep() {
    let mut listen = ear(&ScriptedStt::new(["hello".into()]));
    listen.keep_in_step();
    let mut told = Vec::new();
    for (n, frame) in (0..).zip(humming(2_000, &[(500, 1_100)]).chunks(FRAME_16)) {
        listen.frame(ms(20 * n), &Pcm16(frame.to_vec()));
        told.extend(facts(&mut listen));
    }
    assert_eq!(told, ["+500", "hello", "-1100", "hello"]);
    assert!(listen.heard() >= ms(1_980));
}

/// P01: a recogniser is told once of each silence that it may be the end, 80 ms after the last voice and with
/// its time, so that it has begun its work when the end is told.
#[test]
fn each_silence_is_told_as_a_pause() {
    let marks = Marks::default();
    let mut listen = ear(&marks);
    let sound = humming(2_000, &[(200, 600), (700, 1_100)]);
    for (n, frame) in (0..).zip(sound.chunks(FRAME_16)) {
        listen.frame(ms(20 * n), &Pcm16(frame.to_vec()));
    }
    let wanted: [(&str, u64, u64); 4] = [
        ("started", 200, 280),
        ("paused", 600, 680),
        ("paused", 1_100, 1_180),
        ("stopped", 1_100, 1_300),
    ];
    assert_eq!(*marks.told.lock().unwrap(), wanted);
}

/// Invariant 2: in lockstep a recogniser has decoded what it was given before it is told anything else: what
/// it drops when it is told of a pause would depend on how far its threads have come.
#[test]
fn in_lockstep_a_recogniser_settles_before_each_call() {
    let marks = Marks::default();
    let mut listen = ear(&marks);
    listen.keep_in_step();
    for (n, frame) in (0..).zip(humming(1_500, &[(200, 600)]).chunks(FRAME_16)) {
        listen.frame(ms(20 * n), &Pcm16(frame.to_vec()));
    }
    let told = marks.told.lock().unwrap();
    let calls: Vec<usize> = (0..told.len()).filter(|n| told[*n].0 != "settled").collect();
    assert_eq!(
        calls.iter().map(|n| told[*n].0).collect::<Vec<_>>(),
        ["started", "paused", "stopped"]
    );
    for n in calls {
        let (_, _, fed) = told[n];
        assert_eq!([told[n - 1], told[n + 1]], [("settled", 0, fed); 2], "around {:?}", told[n]);
    }
}

/// Q01: whoever decides by the mark knows of all speech before it. The mark does not pass the beginning of
/// speech before that was told, or a pause that is too short would be an end; it does not matter how much
/// sound came at once.
#[test]
fn the_mark_waits_for_what_is_told() {
    let hums = humming(3_000, &[(500, 1_100), (1_380, 2_000)]);
    for at_once in [1, 5, 150] {
        let mut listen = ear(&Notes::default());
        let mut told = Vec::new();
        for (n, frame) in (1..).zip(hums.chunks(FRAME_16)) {
            listen.frame(ms(20 * (n - 1)), &Pcm16(frame.to_vec()));
            if n % at_once != 0 {
                continue;
            }
            let mut mark = listen.heard();
            while let Some(fact) = listen.poll() {
                let Heard::SpeechStarted { at } = fact else { continue };
                assert!(mark <= at, "the mark was {mark} before speech was told of {at}");
                assert!(listen.heard() <= at, "it was {} with speech of {at}", listen.heard());
                told.push(at.as_millis());
                mark = listen.heard();
            }
            assert!(listen.heard() + Duration::from_millis(100) > ms(20 * n), "after {n} frames");
        }
        assert_eq!(told, [500, 1_380], "{at_once} frames at once");
    }
}

fn any_packet() -> impl Strategy<Value = (u64, Packet)> {
    let payload = prop_oneof![
        2 => prop::collection::vec(any::<u8>(), 0..60),
        1 => Just(vec![0xf8]),
        2 => Just(packets(&humming(20, &[(0, 20)]))[0].payload.to_vec()),
    ];
    let number = || prop_oneof![4 => 0_u64..200, 1 => any::<u64>()];
    (0_u64..60, number(), number(), payload).prop_map(|(later, sequence, rtp, payload)| {
        (later, Packet { sequence, rtp_time: rtp.wrapping_mul(960), payload: payload.into() })
    })
}

proptest! {
    /// R08: whatever arrives, in whatever order, is heard or counted: no panic, and the mark never goes back.
    #[test]
    fn any_packets_are_survived(packets in prop::collection::vec(any_packet(), 0..60)) {
        let mut listen = ear(&Notes::default());
        let mut at = ms(0);
        let arrivals: Vec<_> = packets.into_iter().map(|(later, packet)| {
            at += Duration::from_millis(later);
            (at, packet)
        }).collect();
        hear(&mut listen, arrivals, at + Duration::from_secs(1));
        prop_assert!(listen.heard() <= at + Duration::from_secs(1));
    }
}
