//! Sound as data: the resampler against its specification, the playout queue against a model.

use std::{f64::consts::TAU, time::Duration};

use proptest::prelude::*;
use vivavoce::audio::{
    FRAME_16, FRAME_48, Pcm16, Pcm48,
    playout::{Playout, PlayoutEvent, Refused, SEGMENT_SAMPLES_MAX, SEGMENTS_MAX},
    resample::{Down, Resampler, Up},
};

fn tone(rate: u32, hz: f64, samples: usize) -> Vec<i16> {
    (0..samples)
        .map(|n| ((n as f64 * hz / f64::from(rate) * TAU).sin() * 16_000.0).round() as i16)
        .collect()
}

/// RMS in dB relative to the test tone's own.
fn gain_db(samples: &[i16]) -> f64 {
    let energy: f64 = samples.iter().map(|s| f64::from(*s).powi(2)).sum();
    let rms = (energy / samples.len() as f64).sqrt();
    20.0 * (rms.max(1e-3) / (16_000.0 / 2f64.sqrt())).log10()
}

/// Speech passes unchanged, and nothing above 8 kHz folds back into it.
#[test]
fn down_passes_speech_and_folds_nothing_back() {
    for hz in [100.0, 300.0, 1_000.0, 3_000.0, 5_000.0, 6_000.0] {
        let out = Down::default().push(&Pcm48(tone(48_000, hz, 48_000))).0;
        assert!(gain_db(&out[1_000..]).abs() < 0.1, "{hz} Hz: {} dB", gain_db(&out[1_000..]));
    }
    for hz in [8_900.0, 9_500.0, 12_000.0, 15_000.0, 16_001.0, 20_000.0, 23_500.0] {
        let out = Down::default().push(&Pcm48(tone(48_000, hz, 48_000))).0;
        assert!(gain_db(&out[1_000..]) < -78.0, "{hz} Hz: {} dB", gain_db(&out[1_000..]));
    }
}

/// What was made at 16 kHz is unchanged at 48 kHz, without an image of itself above 8 kHz.
#[test]
fn up_passes_speech_and_makes_no_image() {
    for hz in [100.0, 1_000.0, 3_000.0, 6_000.0] {
        let sound = Up::default().push(&Pcm16(tone(16_000, hz, 16_000)));
        assert!(gain_db(&sound.0[1_000..]).abs() < 0.1, "{hz} Hz");
        // 48 samples is the delay of 1 ms: what is left after taking the tone away is the image.
        let rest: Vec<i16> = sound.0[1_048..]
            .iter()
            .zip(&tone(48_000, hz, 48_000)[1_000..])
            .map(|(a, b)| a - b)
            .collect();
        assert!(gain_db(&rest) < -42.0, "{hz} Hz: {} dB", gain_db(&rest));
    }
}

/// A constant stays that constant, loud sound clips and does not wrap.
#[test]
fn resamplers_keep_a_constant_and_clip() {
    for level in [-32_768, -12_345, -1, 0, 1, 12_345, 32_767] {
        let down = Down::default().push(&Pcm48(vec![level; 4_800])).0;
        let up = Up::default().push(&Pcm16(vec![level; 1_600])).0;
        assert!(down[100..].iter().chain(&up[200..]).all(|s| s.abs_diff(level) <= 1), "{level}");
    }
    let square: Vec<i16> =
        (0..4_800).map(|n| if n / 240 % 2 == 0 { i16::MAX } else { i16::MIN }).collect();
    let down = Down::default().push(&Pcm48(square)).0;
    let wrapped = down.windows(2).filter(|w| w[0].abs_diff(w[1]) > 65_000).count();
    assert_eq!(wrapped, 0);
}

/// A whole recording of any rate keeps its length, and a tone its place to the sample.
#[test]
fn whole_recordings_keep_length_and_place() {
    for rate in [8_000_u32, 11_025, 22_050, 44_100, 47_999, 48_000, 96_000] {
        let mut resampler = Resampler::punctual(rate, 16_000);
        let mut out = Vec::new();
        resampler.push(&tone(rate, 440.0, rate as usize), &mut out);
        resampler.flush(&mut out);
        assert_eq!(out.len(), 16_000, "{rate} Hz");
        let middle = 1_000..15_000;
        let rest: Vec<i16> = out[middle.clone()]
            .iter()
            .zip(&tone(16_000, 440.0, 16_000)[middle])
            .map(|(a, b)| a - b)
            .collect();
        assert!(gain_db(&rest) < -60.0, "{rate} Hz: {} dB", gain_db(&rest));
    }
}

/// How loud one frequency is, in dB relative to the test tone.
fn loudness_db(samples: &[i16], rate: u32, hz: f64) -> f64 {
    let length = samples.len() as f64;
    let (mut re, mut im, mut gain) = (0.0, 0.0, 0.0);
    for (n, sample) in samples.iter().enumerate() {
        // Blackman and Harris: what is 92 dB softer beside a tone is still seen.
        let at = n as f64 / length * TAU;
        let window = 0.358_75 - 0.488_29 * at.cos() + 0.141_28 * (2.0 * at).cos()
            - 0.011_68 * (3.0 * at).cos();
        let angle = n as f64 * hz / f64::from(rate) * TAU;
        re += f64::from(*sample) * window * angle.cos();
        im += f64::from(*sample) * window * angle.sin();
        gain += window;
    }
    20.0 * (2.0 * re.hypot(im) / gain / 16_000.0).max(1e-9).log10()
}

/// A single sample comes out 1 ms later, alike on both sides: every frequency is as late as every other.
#[test]
fn resamplers_are_late_by_a_millisecond() {
    let mut one = Pcm48(vec![0; 4_800]);
    one.0[960] = i16::MAX;
    let down = Down::default().push(&one).0;
    let mut one = Pcm16(vec![0; 1_600]);
    one.0[320] = i16::MAX;
    let up = Up::default().push(&one).0;
    for (out, middle, half) in [(down, 320 + 16, 17), (up, 960 + 48, 51)] {
        let loudest = (0..out.len()).max_by_key(|n| out[*n].unsigned_abs()).unwrap();
        assert_eq!(loudest, middle);
        for n in 1..=half {
            let (before, after) = (out[middle - n], out[middle + n]);
            // 3 of 32,767 is 80 dB below.
            assert!(before.abs_diff(after) <= 3, "{n} samples off: {before} and {after}");
        }
        assert!(out[..middle - half].iter().chain(&out[middle + half + 1..]).all(|s| *s == 0));
    }
}

proptest! {
    /// The band that is let through, the one that is not, and the images of it, anywhere in them.
    #[test]
    fn resamplers_keep_to_their_bands(speech in 50.0_f64..6_000.0, above in 8_850.0_f64..23_900.0) {
        let settled = |samples: Vec<i16>| samples[960..].to_vec();
        let down = settled(Down::default().push(&Pcm48(tone(48_000, speech, 24_000))).0);
        let let_through = loudness_db(&down, 16_000, speech);
        prop_assert!(let_through.abs() < 0.1, "{speech} Hz down: {let_through} dB");
        let folded = Down::default().push(&Pcm48(tone(48_000, above, 24_000))).0;
        prop_assert!(gain_db(&folded[960..]) < -78.0, "{above} Hz: {} dB", gain_db(&folded[960..]));
        let up = settled(Up::default().push(&Pcm16(tone(16_000, speech, 8_000))).0);
        let let_through = loudness_db(&up, 48_000, speech);
        prop_assert!(let_through.abs() < 0.1, "{speech} Hz up: {let_through} dB");
        for image in [16_000.0 - speech, 16_000.0 + speech] {
            let loud = loudness_db(&up, 48_000, image);
            prop_assert!(loud < -78.0, "an image of {speech} Hz at {image} Hz: {loud} dB");
        }
    }

    /// Any rate into any other, in pieces of any length: the same sound as in one call, as long as its time.
    #[test]
    fn any_rate_in_any_pieces(
        from in prop::sample::select(&[8_000_u32, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000, 96_000]),
        to in prop::sample::select(&[16_000_u32, 24_000, 48_000]),
        cuts in prop::collection::vec(0_usize..700, 1..12),
        seed: u32,
    ) {
        let total: usize = cuts.iter().sum();
        let noise: Vec<i16> = (0..total as u32)
            .map(|n| (n.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 16) as i16)
            .collect();
        let run = |mut resampler: Resampler, cuts: &[usize]| {
            let (mut rest, mut out) = (noise.as_slice(), Vec::new());
            for cut in cuts {
                resampler.push(&rest[..*cut], &mut out);
                rest = &rest[*cut..];
            }
            (resampler, out)
        };
        let (_, whole) = run(Resampler::new(from, to), &[total]);
        let (_, pieces) = run(Resampler::new(from, to), &cuts);
        prop_assert_eq!(&pieces, &whole);
        let length = (total as u64 * u64::from(to)).div_ceil(u64::from(from));
        prop_assert_eq!(whole.len() as u64, length);
        // One that is not late gives as much, with its end.
        let (resampler, mut punctual) = run(Resampler::punctual(from, to), &cuts);
        resampler.flush(&mut punctual);
        prop_assert_eq!(punctual.len() as u64, length);
    }

    /// 20 ms in, 20 ms out, always; pieces of any length give the same sound as the whole.
    #[test]
    fn resampling_keeps_time(cuts in prop::collection::vec(0_usize..2_000, 1..20), seed: u16) {
        let total: usize = cuts.iter().sum();
        let noise: Vec<i16> = (0..total as u32)
            .map(|n| (n.wrapping_mul(2_654_435_761).wrapping_add(u32::from(seed)) >> 16) as i16)
            .collect();
        let whole = Down::default().push(&Pcm48(noise.clone()));
        let (mut down, mut rest, mut pieces) = (Down::default(), noise.as_slice(), Vec::new());
        for cut in cuts {
            let (piece, after) = rest.split_at(cut);
            pieces.extend(down.push(&Pcm48(piece.to_vec())).0);
            rest = after;
        }
        prop_assert_eq!(&pieces, &whole.0);
        prop_assert_eq!(pieces.len(), total.div_ceil(3));
        let mut up = Up::default();
        prop_assert_eq!(up.push(&Pcm16(vec![7; FRAME_16])).0.len(), FRAME_48);
    }
}

/// What a test does to the queue.
#[derive(Clone, Debug)]
enum Step {
    Append { reply: u32, n: u16, samples: usize },
    Complete { reply: u32, n: u16 },
    Open { reply: u32, n: u16 },
    Finish { reply: u32 },
    Seal { reply: u32, n: u16 },
    Clear { reply: u32 },
    Pause { reply: u32 },
    Resume { reply: u32 },
    Pull { connected: bool },
}

fn step() -> impl Strategy<Value = Step> {
    let reply = 1_u32..4;
    let n = 0_u16..3;
    prop_oneof![
        4 => (reply.clone(), n.clone(), 0_usize..3_000)
            .prop_map(|(reply, n, samples)| Step::Append { reply, n, samples }),
        3 => (reply.clone(), n.clone()).prop_map(|(reply, n)| Step::Complete { reply, n }),
        3 => (reply.clone(), n.clone()).prop_map(|(reply, n)| Step::Open { reply, n }),
        1 => (reply.clone(), n).prop_map(|(reply, n)| Step::Seal { reply, n }),
        1 => reply.clone().prop_map(|reply| Step::Finish { reply }),
        1 => reply.clone().prop_map(|reply| Step::Pause { reply }),
        1 => reply.clone().prop_map(|reply| Step::Resume { reply }),
        1 => reply.prop_map(|reply| Step::Clear { reply }),
        8 => prop::bool::weighted(0.85).prop_map(|connected| Step::Pull { connected }),
    ]
}

/// All that was ever queued and all that was ever pulled. Every sample has a number of its own, never zero.
#[derive(Default)]
struct Model {
    playout: Playout,
    next: i16,
    /// Samples taken by the queue, with the segment they belong to.
    taken: Vec<((u32, u16), i16)>,
    /// Samples of the segment that sounds, pulled since its start.
    current: Vec<i16>,
    /// Samples pulled and not taken back by a rewind.
    heard: Vec<i16>,
    complete: Vec<(u32, u16)>,
    opened: Vec<(u32, u16)>,
    finished: Vec<u32>,
    cleared: Vec<u32>,
    paused: Option<u32>,
    events: Vec<PlayoutEvent>,
}

impl Model {
    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Append { reply, n, samples } => {
                let sound: Vec<i16> = (0..samples)
                    .map(|_| {
                        self.next = if self.next == i16::MAX { 1 } else { self.next + 1 };
                        self.next
                    })
                    .collect();
                if self.playout.append(reply, n, &Pcm48(sound.clone())).is_ok() {
                    self.taken.extend(sound.into_iter().map(|s| ((reply, n), s)));
                }
            }
            Step::Complete { reply, n } => {
                if self.playout.complete(reply, n).is_ok() {
                    self.complete.push((reply, n));
                }
            }
            Step::Open { reply, n } => {
                if self.playout.open(reply, n).is_ok() {
                    self.opened.push((reply, n));
                }
            }
            Step::Finish { reply } => {
                if self.playout.finish(reply).is_ok() {
                    self.finished.push(reply);
                }
            }
            Step::Seal { reply, n } => self.seal(reply, n),
            Step::Clear { reply } => {
                let cleared = self.playout.clear(reply);
                let heard = self.segments_heard(reply);
                let ended = self.finished_events(reply) > 0 || self.cleared.contains(&reply);
                assert_eq!(cleared.heard, if ended { vec![] } else { heard });
                if let Some(cut) = cleared.cut {
                    assert_eq!((cut.reply, cut.pulled), (reply, length(&self.current)));
                    self.heard.append(&mut self.current);
                }
                self.cleared.push(reply);
                self.paused.take_if(|paused| *paused == reply);
            }
            Step::Pause { reply } => {
                self.playout.pause(reply);
                self.paused = Some(reply);
            }
            Step::Resume { reply } => {
                self.playout.resume(reply);
                self.paused.take_if(|paused| *paused == reply);
            }
            Step::Pull { connected } => self.pull(connected),
        }
    }

    /// What follows `n` is not heard; what has begun is.
    fn seal(&mut self, reply: u32, n: u16) {
        let sounds = self.playout.sounding() == Some(reply) && !self.current.is_empty();
        let Ok(end) = self.playout.seal(reply, n) else { return };
        let heard = self.segments_heard(reply);
        let begun = (0..3)
            .find(|m| !heard.contains(m) && self.taken.iter().any(|(of, _)| *of == (reply, *m)));
        let begun = begun.filter(|_| sounds);
        assert_eq!(end, begun.map_or(n, |begun| n.max(begun + 1)), "sealed elsewhere");
        let stays = |(of, m): &(u32, u16)| *of != reply || *m < end || heard.contains(m);
        self.taken.retain(|(segment, _)| stays(segment));
        self.complete.retain(stays);
        self.opened.retain(stays);
        self.finished.push(reply);
    }

    fn pull(&mut self, connected: bool) {
        let stands_still = self.playout.sounding().is_some_and(|id| self.paused == Some(id));
        let pulled = self.playout.pull(connected);
        if stands_still {
            assert_eq!(pulled.frame, None, "a paused reply sounds");
        }
        if !connected {
            assert_eq!(pulled, vivavoce::audio::playout::Pulled::default());
            self.current.clear();
            return;
        }
        let sound: Vec<i16> = pulled.frame.map(|f| f.0).unwrap_or_default();
        assert!(matches!(sound.len(), 0 | FRAME_48), "a frame of {} samples", sound.len());
        let until = sound.iter().rposition(|s| *s != 0).map_or(0, |last| last + 1);
        assert!(!sound[..until].contains(&0), "a hole in a frame");
        self.current.extend(&sound[..until]);
        let progress = pulled.progress;
        for event in pulled.events {
            assert!(!self.events.contains(&event), "{event:?} twice");
            if let PlayoutEvent::SegmentHeard { reply, n } = event {
                let whole = self.samples_of((reply, n));
                assert!(self.complete.contains(&(reply, n)), "{event:?} before it was complete");
                assert!(self.opened.contains(&(reply, n)), "{event:?} behind a shut gate");
                let rest = self.current.split_off(whole.len());
                assert_eq!(self.current, whole, "{event:?}: not what was appended");
                self.heard.append(&mut self.current);
                self.current = rest;
            }
            if let PlayoutEvent::ReplyFinished { reply } = event {
                assert!(self.finished.contains(&reply), "{event:?} before finish");
                let mut known: Vec<u16> =
                    self.complete.iter().filter(|c| c.0 == reply).map(|c| c.1).collect();
                known.sort_unstable();
                known.dedup();
                assert_eq!(self.segments_heard(reply), known, "{event:?} left some out");
            }
            self.events.push(event);
        }
        if let Some(progress) = progress.filter(|_| !self.current.is_empty()) {
            assert_eq!(progress.pulled, length(&self.current), "not so far");
            let whole = self.samples_of((progress.reply, progress.n));
            assert!(whole.starts_with(&self.current), "something else than was appended");
            assert!(progress.of.is_none_or(|of| of == length(&whole)));
        }
    }

    fn samples_of(&self, segment: (u32, u16)) -> Vec<i16> {
        self.taken.iter().filter(|(of, _)| *of == segment).map(|(_, s)| *s).collect()
    }

    fn segments_heard(&self, id: u32) -> Vec<u16> {
        let of = |event: &PlayoutEvent| match event {
            PlayoutEvent::SegmentHeard { reply, n } if *reply == id => Some(*n),
            _ => None,
        };
        self.events.iter().filter_map(of).collect()
    }

    fn finished_events(&self, id: u32) -> usize {
        self.events.iter().filter(|e| **e == PlayoutEvent::ReplyFinished { reply: id }).count()
    }
}

fn length(sound: &[i16]) -> Duration {
    Pcm48(sound.to_vec()).duration()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever happens in whatever order, nothing is lost, nothing sounds twice but after a
    /// rewind, nothing sounds behind a shut gate, and heard is what was pulled while connected.
    #[test]
    fn playout_loses_and_repeats_nothing(steps in prop::collection::vec(step(), 1..120)) {
        let mut model = Model::default();
        for step in &steps {
            model.apply(step);
        }
        // Let everything come to its end: what was neither cleared nor refused has to be heard.
        for reply in 1..4 {
            model.apply(&Step::Resume { reply });
            for n in 0..3 {
                model.apply(&Step::Open { reply, n });
                model.apply(&Step::Complete { reply, n });
            }
            model.apply(&Step::Finish { reply });
        }
        for _ in 0..1_000 {
            model.apply(&Step::Pull { connected: true });
        }
        prop_assert!(model.playout.is_empty());
        for (segment, _) in &model.taken {
            let heard = model.segments_heard(segment.0).contains(&segment.1);
            prop_assert!(heard || model.cleared.contains(&segment.0), "{segment:?} was lost");
        }
    }
}

fn sound(samples: usize) -> Pcm48 {
    Pcm48((1..=samples).map(|n| (n % 30_000) as i16 + 1).collect())
}

/// A playout with one whole, open segment of `samples`.
fn one_segment(samples: usize) -> Playout {
    let mut playout = Playout::default();
    playout.append(1, 0, &sound(samples)).unwrap();
    playout.complete(1, 0).unwrap();
    playout.open(1, 0).unwrap();
    playout
}

/// A late piece of sound gives silence inside the segment, never a false end, and nothing is skipped.
#[test]
fn underrun_is_silence_and_not_the_end() {
    let mut playout = Playout::default();
    playout.open(1, 0).unwrap();
    playout.append(1, 0, &sound(3 * FRAME_48 - 1)).unwrap();
    assert_eq!(playout.pull(true).frame, None, "less than three frames do not begin");
    playout.append(1, 0, &sound(2)).unwrap();
    assert_eq!(playout.pull(true).events, [PlayoutEvent::ReplyStarted { reply: 1 }]);
    playout.pull(true);
    playout.pull(true);
    let silent = playout.pull(true);
    assert_eq!((silent.frame, silent.events), (Some(Pcm48(vec![0; FRAME_48])), vec![]));
    assert_eq!(playout.underruns(), 1);
    playout.complete(1, 0).unwrap();
    let last = playout.pull(true);
    assert_eq!(last.frame.unwrap().0[..2], [3, 0]);
    assert_eq!(last.events, [PlayoutEvent::SegmentHeard { reply: 1, n: 0 }]);
    playout.finish(1).unwrap();
    assert_eq!(playout.pull(true).events, [PlayoutEvent::ReplyFinished { reply: 1 }]);
}

/// Segments follow each other within one frame, without a hole, and their events come in order.
#[test]
fn segments_join_without_a_hole() {
    let mut playout = one_segment(500);
    playout.append(1, 1, &sound(460)).unwrap();
    playout.complete(1, 1).unwrap();
    playout.open(1, 1).unwrap();
    playout.finish(1).unwrap();
    let pulled = playout.pull(true);
    assert!(pulled.frame.as_ref().unwrap().0.iter().all(|s| *s != 0));
    assert_eq!(
        pulled.events,
        [
            PlayoutEvent::ReplyStarted { reply: 1 },
            PlayoutEvent::SegmentHeard { reply: 1, n: 0 },
            PlayoutEvent::SegmentHeard { reply: 1, n: 1 },
            PlayoutEvent::ReplyFinished { reply: 1 },
        ]
    );
}

/// Without the candidate playout stands still and goes back to the start of its segment.
#[test]
fn disconnected_goes_back_to_the_start_of_the_segment() {
    let mut playout = one_segment(3 * FRAME_48);
    let first = playout.pull(true);
    playout.pull(true);
    assert_eq!(playout.pull(false).frame, None);
    let again = playout.pull(true);
    assert_eq!(again.frame, first.frame);
    assert_eq!(again.events, [], "a reply starts once");
    assert_eq!(again.progress.map(|p| p.pulled.as_millis()), Some(20));
    assert_eq!(again.progress.and_then(|p| p.of).map(|d| d.as_millis()), Some(60));
}

/// A hush is at once, says what was heard, and sound that comes later for the reply is refused.
#[test]
fn clear_stops_at_once() {
    let mut playout = one_segment(FRAME_48);
    playout.append(1, 1, &sound(3 * FRAME_48)).unwrap();
    playout.open(1, 1).unwrap();
    playout.pull(true);
    playout.pull(true);
    let cleared = playout.clear(1);
    assert_eq!((cleared.started, cleared.heard), (true, vec![0]));
    assert_eq!(cleared.cut.map(|cut| (cut.n, cut.pulled.as_millis(), cut.of)), Some((1, 20, None)));
    assert_eq!(playout.pull(true), vivavoce::audio::playout::Pulled::default());
    assert_eq!(playout.append(1, 1, &sound(1)), Err(Refused::Ended));
    assert_eq!(playout.clear(1), vivavoce::audio::playout::Cleared::default());
}

/// A reply whose gate is shut does not keep another, a filler, from sounding; one that began does.
#[test]
fn a_reply_that_began_keeps_the_floor() {
    let mut playout = Playout::default();
    playout.append(1, 0, &sound(3 * FRAME_48)).unwrap();
    playout.append(2, 0, &sound(3 * FRAME_48)).unwrap();
    playout.open(2, 0).unwrap();
    playout.pull(true);
    playout.pull(true);
    playout.open(1, 0).unwrap();
    assert_eq!(playout.sounding(), Some(2));
    playout.pull(true);
    assert_eq!(playout.pull(true).frame, Some(Pcm48(vec![0; FRAME_48])), "an underrun of 2, not 1");
    playout.clear(2);
    assert_eq!(playout.pull(true).events, [PlayoutEvent::ReplyStarted { reply: 1 }]);
}

/// Of a reply that breaks off what is whole is heard; then it is over, and the next one sounds.
#[test]
fn what_is_whole_of_a_broken_reply_is_heard() {
    let mut playout = one_segment(FRAME_48);
    playout.append(1, 1, &sound(3 * FRAME_48)).unwrap();
    playout.append(1, 2, &sound(FRAME_48)).unwrap();
    playout.complete(1, 2).unwrap();
    assert_eq!(playout.break_off(1), None, "nothing has broken off in its middle");
    let last = playout.pull(true).events;
    assert_eq!(last[1..], [SEGMENT_HEARD, PlayoutEvent::ReplyFinished { reply: 1 }]);
    assert_eq!(playout.append(1, 1, &sound(1)), Err(Refused::Ended));

    let mut playout = Playout::default();
    playout.append(2, 0, &sound(4 * FRAME_48)).unwrap();
    playout.open(2, 0).unwrap();
    playout.pull(true);
    let cut = playout.break_off(2).unwrap();
    assert_eq!((cut.reply, cut.n, cut.pulled.as_millis(), cut.of), (2, 0, 20, None));
    let ended = playout.pull(true);
    assert_eq!((ended.frame, ended.events), (None, vec![PlayoutEvent::ReplyFinished { reply: 2 }]));

    playout.append(3, 0, &sound(FRAME_48)).unwrap();
    playout.open(3, 0).unwrap();
    assert_eq!(playout.break_off(3), None);
    assert_eq!(playout.pull(true).events, [], "what never sounded ends unheard");
    assert!(playout.is_empty());
}

const SEGMENT_HEARD: PlayoutEvent = PlayoutEvent::SegmentHeard { reply: 1, n: 0 };

/// Every bound holds and says what it drops.
#[test]
fn playout_is_bounded() {
    let mut playout = Playout::default();
    let long = Pcm48(vec![1; SEGMENT_SAMPLES_MAX + 5]);
    assert_eq!(playout.append(1, 0, &long), Err(Refused::TooLong { dropped: 5 }));
    for n in 1..SEGMENTS_MAX as u16 {
        playout.append(1, n, &sound(1)).unwrap();
    }
    assert_eq!(playout.append(1, 99, &sound(1)), Err(Refused::TooManySegments));
    for reply in 2..=8 {
        playout.open(reply, 0).unwrap();
    }
    assert_eq!(playout.open(9, 0), Err(Refused::TooManyReplies));
    for reply in 1..1_000 {
        playout.clear(reply);
    }
    assert_eq!(playout.append(5, 0, &sound(1)), Err(Refused::Ended), "long forgotten is ended too");
    assert_eq!(playout.append(1_000, 0, &sound(1)), Ok(()));
}
