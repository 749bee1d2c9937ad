//! Both sides on one timeline, as stereo Opus in Ogg.

use std::{
    collections::VecDeque,
    io::{self, Write},
    time::Duration,
};

use voiceroom::opus::StereoEncoder;

use crate::{
    audio::{FRAME, FRAME_16, Pcm16, Pcm48, level, resample::Down},
    codec::ogg::{OggOpus, OpusHead},
    time::SessionTime,
};

const SAMPLE_RATE: u32 = 16_000;
/// A piece that begins so soon after the one before follows it: times are rounded.
const JOIN: Duration = Duration::from_millis(1);
/// Within a run of frames of ours the times are those of the pulls, which come up to so much late.
const JOIN_RUN: Duration = Duration::from_millis(100);
/// Sound may lie so far ahead of what is written; then that is written first.
const AHEAD_MAX: Duration = Duration::from_secs(10);
/// Below this level a piece may be left out where its side has come late, to catch up.
const INAUDIBLE_DBOV: i8 = -50;

/// Sound with its time.
pub(super) enum Piece {
    /// Of the candidate: it belongs exactly there.
    Candidate { at: SessionTime, sound: Pcm16 },
    /// Of ours, as it was pulled.
    Interviewer { at: SessionTime, run: Run, sound: Pcm48 },
}

/// Whether a frame of ours follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// There was nothing before it.
    Begins,
    /// It was pulled after one with sound.
    GoesOn,
}

/// A recording that is being written.
pub(super) struct Tape<W: Write> {
    candidate: Side,
    interviewer: Side,
    down: Down,
    encoder: StereoEncoder,
    file: OggOpus<W>,
    /// Samples of each side that were encoded.
    written: u64,
}

/// One side's sound that waits, from the last written sample on.
#[derive(Default)]
struct Side {
    waiting: VecDeque<i16>,
}

impl<W: Write> Tape<W> {
    /// Writes the headers.
    pub(super) fn begin(out: W) -> io::Result<Self> {
        let mut encoder = StereoEncoder::new().map_err(io::Error::other)?;
        let head = OpusHead {
            channels: 2,
            pre_skip: encoder.pre_skip().map_err(io::Error::other)?,
            sample_rate: SAMPLE_RATE,
            description: "left: candidate, right: interviewer",
        };
        Ok(Self {
            candidate: Side::default(),
            interviewer: Side::default(),
            down: Down::default(),
            encoder,
            file: OggOpus::begin(out, head)?,
            written: 0,
        })
    }

    /// Writes a packet of the recording that this one goes on with.
    pub(super) fn copy(&mut self, packet: Vec<u8>) -> io::Result<()> {
        self.written += FRAME_16 as u64;
        self.file.packet(packet)
    }

    /// Puts sound at its place. What has been written stays: sound that comes later than that is put behind
    /// it.
    pub(super) fn place(&mut self, piece: &Piece) -> io::Result<()> {
        match piece {
            Piece::Candidate { at, sound } => {
                self.make_room(*at)?;
                self.candidate.place(self.written, *at, JOIN, &sound.0);
            }
            Piece::Interviewer { at, run, sound } => {
                self.make_room(*at)?;
                let join = match run {
                    Run::Begins => {
                        self.down = Down::default();
                        JOIN
                    }
                    Run::GoesOn => JOIN_RUN,
                };
                let sound = self.down.push(sound);
                self.interviewer.place(self.written, *at, join, &sound.0);
            }
        }
        Ok(())
    }

    /// Writes what is older than `hold`: where there is no sound, silence.
    pub(super) fn write_until(&mut self, now: SessionTime, hold: Duration) -> io::Result<()> {
        while samples_in(now.since(SessionTime::ZERO + hold)) >= self.written + FRAME_16 as u64 {
            let packet = self.encode()?;
            self.file.packet(packet)?;
        }
        Ok(())
    }

    /// Writes the rest, and the end.
    pub(super) fn finish(mut self, now: SessionTime) -> io::Result<()> {
        self.write_until(now, Duration::ZERO)?;
        while !self.candidate.waiting.is_empty() || !self.interviewer.waiting.is_empty() {
            let packet = self.encode()?;
            self.file.packet(packet)?;
        }
        // What the encoder still holds back.
        let last = self.encode()?;
        self.file.finish(last)
    }

    fn make_room(&mut self, at: SessionTime) -> io::Result<()> {
        self.write_until(at, AHEAD_MAX)
    }

    fn encode(&mut self) -> io::Result<Vec<u8>> {
        let mut frame = [0; 2 * FRAME_16];
        for both in frame.chunks_exact_mut(2) {
            both[0] = self.candidate.waiting.pop_front().unwrap_or(0);
            both[1] = self.interviewer.waiting.pop_front().unwrap_or(0);
        }
        self.written += FRAME_16 as u64;
        self.encoder.encode(&frame).map_err(io::Error::other)
    }
}

impl Side {
    fn place(&mut self, written: u64, at: SessionTime, join: Duration, sound: &[i16]) {
        let end = written + self.waiting.len() as u64;
        let wanted = samples_in(at.since(SessionTime::ZERO));
        if wanted > end + samples_in(join) {
            let silence = usize::try_from(wanted - end).unwrap_or_default();
            self.waiting.resize(self.waiting.len() + silence, 0);
        } else if end >= wanted + samples_in(FRAME) && level::dbov(sound) < INAUDIBLE_DBOV {
            return;
        }
        self.waiting.extend(sound);
    }
}

fn samples_in(time: Duration) -> u64 {
    u64::try_from(time.as_micros() * u128::from(SAMPLE_RATE) / 1_000_000).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use ogg::PacketReader;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn at(ms: u64) -> SessionTime {
        SessionTime::from_millis(ms)
    }

    /// A tone of 20 ms at this rate.
    fn tone(rate: f32) -> Vec<i16> {
        let samples = (rate / 50.0) as usize;
        let angle = |n: usize| n as f32 / rate * 500.0 * std::f32::consts::TAU;
        (0..samples).map(|n| (angle(n).sin() * 8_000.0) as i16).collect()
    }

    fn candidate(ms: u64) -> Piece {
        Piece::Candidate { at: at(ms), sound: Pcm16(tone(16_000.0)) }
    }

    fn interviewer(ms: u64, run: Run) -> Piece {
        Piece::Interviewer { at: at(ms), run, sound: Pcm48(tone(48_000.0)) }
    }

    /// Left and right, as a player gives them.
    fn play(file: &[u8]) -> (Vec<i16>, Vec<i16>) {
        let mut reader = PacketReader::new(io::Cursor::new(file));
        let head = reader.read_packet().unwrap().unwrap().data;
        let pre_skip = usize::from(u16::from_le_bytes([head[10], head[11]])) / 3;
        reader.read_packet().unwrap();
        let mut decoder = opus::Decoder::new(SAMPLE_RATE, opus::Channels::Stereo).unwrap();
        let mut sound = Vec::new();
        while let Ok(Some(packet)) = reader.read_packet() {
            let mut frame = [0; 2 * FRAME_16];
            assert_eq!(decoder.decode(&packet.data, &mut frame, false).unwrap(), FRAME_16);
            sound.extend(frame);
        }
        sound.drain(..2 * pre_skip);
        sound.chunks(2).map(|both| (both[0], both[1])).unzip()
    }

    /// Where one side sounds, as spans in ms, to 5 ms.
    fn spans(side: &[i16]) -> Vec<(usize, usize)> {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for (n, window) in side.chunks(80).enumerate() {
            if level::dbov(window) > -30 {
                match spans.last_mut().filter(|(_, end)| *end == n * 5) {
                    Some((_, end)) => *end += 5,
                    None => spans.push((n * 5, n * 5 + 5)),
                }
            }
        }
        spans
    }

    #[track_caller]
    fn assert_spans(side: &[i16], expected: &[(usize, usize)]) {
        let found = spans(side);
        let is_near = |a: &(usize, usize), b: &(usize, usize)| {
            a.0.abs_diff(b.0) <= 10 && a.1.abs_diff(b.1) <= 10
        };
        let all = found.len() == expected.len();
        assert!(all && found.iter().zip(expected).all(|(a, b)| is_near(a, b)), "{found:?}");
    }

    /// R10: each side is heard at its time and on its side, over one another too; nobody's time is silence.
    #[test]
    fn each_side_is_at_its_time() {
        let mut file = Vec::new();
        let mut tape = Tape::begin(&mut file).unwrap();
        for n in 0..25 {
            tape.place(&candidate(1_000 + 20 * n)).unwrap();
            tape.write_until(at(1_020 + 20 * n), 300 * MS).unwrap();
        }
        // Pulls are late by up to 45 ms; the run keeps the pace of its first frame.
        for n in 0..50_u64 {
            let (ms, late) = (2_000 + 20 * n, [0, 45, 30, 10][n as usize % 4]);
            let run = if n == 0 { Run::Begins } else { Run::GoesOn };
            tape.place(&interviewer(ms + late, run)).unwrap();
            if n >= 35 {
                tape.place(&candidate(ms)).unwrap();
            }
            tape.write_until(at(ms + 60), 300 * MS).unwrap();
        }
        tape.finish(at(4_000)).unwrap();
        let (left, right) = play(&file);
        assert_spans(&left, &[(1_000, 1_500), (2_700, 3_000)]);
        assert_spans(&right, &[(2_000, 3_000)]);
        assert!((64_000..64_400).contains(&left.len()), "{} samples of 4 s", left.len());
    }

    /// R10: a line that was cut is silence as long as it lasted, and what comes later than it is written is
    /// kept.
    #[test]
    fn a_gap_is_silence_and_late_sound_is_kept() {
        let mut file = Vec::new();
        let mut tape = Tape::begin(&mut file).unwrap();
        tape.place(&interviewer(100, Run::Begins)).unwrap();
        tape.place(&interviewer(15_120, Run::GoesOn)).unwrap();
        tape.write_until(at(15_600), 300 * MS).unwrap();
        tape.place(&candidate(15_000)).unwrap();
        tape.place(&Piece::Candidate { at: at(15_020), sound: Pcm16(vec![0; FRAME_16]) }).unwrap();
        tape.place(&candidate(15_600)).unwrap();
        tape.finish(at(15_600)).unwrap();
        let (left, right) = play(&file);
        assert_spans(&right, &[(100, 120), (15_120, 15_140)]);
        assert_spans(&left, &[(15_300, 15_320), (15_600, 15_620)]);
    }

    /// R10, W08: a recording that broke off with its process goes on behind its last whole page, and what was
    /// recorded stays where it was.
    #[test]
    fn a_recording_goes_on() {
        let mut first = Vec::new();
        let mut tape = Tape::begin(&mut first).unwrap();
        for n in 0..50 {
            tape.place(&candidate(500 + 20 * n)).unwrap();
        }
        tape.write_until(at(2_300), 300 * MS).unwrap();
        drop(tape);
        let torn = &first[..first.len() - 3];
        let mut whole = Vec::new();
        let mut tape = Tape::begin(&mut whole).unwrap();
        for packet in crate::codec::ogg::sound(io::Cursor::new(torn)) {
            tape.copy(packet).unwrap();
        }
        assert!((16_000..32_000).contains(&tape.written), "{}", tape.written);
        for n in 0..25 {
            tape.place(&interviewer(3_000 + 20 * n, Run::GoesOn)).unwrap();
        }
        tape.finish(at(4_000)).unwrap();
        let (left, right) = play(&whole);
        assert_spans(&left, &[(500, 1_500)]);
        assert_spans(&right, &[(3_000, 3_500)]);
    }

    /// R10: an hour of pieces whose times are rounded stands where it belongs, to the sample.
    #[test]
    fn an_hour_does_not_drift() {
        let (mut side, mut written) = (Side::default(), 0);
        for n in 0..180_000_u64 {
            let began = SessionTime::from_micros(20_000 * n + n % 3);
            side.place(written, began, JOIN, &[1; FRAME_16]);
            written += side.waiting.len() as u64;
            side.waiting.clear();
        }
        assert_eq!(written, 3_600 * 16_000);
    }
}
