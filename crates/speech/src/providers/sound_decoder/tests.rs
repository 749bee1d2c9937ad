//! Files of sound in all states: whole, cut off, damaged, and not what they seem to be. The whole ones hold
//! half a second of 440 Hz, written by LAME, libvorbis, libopus and libFLAC by way of libsndfile.

use std::{
    f64::consts::TAU,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::prelude::*;

use super::*;
use crate::providers::sound_files::{Told, tell};

const RATE: u32 = 24_000;
const MP3: &[u8] = include_bytes!("../../../tests/sounds/tone.mp3");
const VORBIS: &[u8] = include_bytes!("../../../tests/sounds/tone-vorbis.ogg");
const OPUS: &[u8] = include_bytes!("../../../tests/sounds/tone-opus.ogg");
const FLAC: &[u8] = include_bytes!("../../../tests/sounds/tone.flac");

fn wav(rate: u32, channels: u16, samples: usize) -> Vec<u8> {
    let bytes_per_frame = 2 * channels;
    let bytes = |n| {
        let sample = (f64::from(n) * 440.0 / f64::from(rate) * TAU).sin() * 8_000.0;
        (sample.round() as i16).to_le_bytes().repeat(usize::from(channels))
    };
    let sound: Vec<u8> = (0..samples as u32).flat_map(bytes).collect();
    [
        // Of a length that nobody knew when it began.
        &b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0"[..],
        &channels.to_le_bytes(),
        &rate.to_le_bytes(),
        &(rate * u32::from(bytes_per_frame)).to_le_bytes(),
        &bytes_per_frame.to_le_bytes(),
        b"\x10\0data\xff\xff\xff\xff",
        &sound,
    ]
    .concat()
}

fn whole_files() -> Vec<(&'static str, Vec<u8>)> {
    // A tag with a picture in which a frame seems to begin.
    let tag = [&b"ID3\x04\0\0\0\0\x01\x48"[..], b"\xff\xfb\x90\xc4", &[0; 196]].concat();
    vec![
        ("MP3", MP3.to_vec()),
        ("MP3 behind a tag", [&tag[..], MP3].concat()),
        ("Vorbis", VORBIS.to_vec()),
        ("Opus", OPUS.to_vec()),
        ("FLAC", FLAC.to_vec()),
        ("WAV at 48 kHz", wav(48_000, 2, 24_000)),
        ("WAV at 24 kHz", wav(RATE, 1, 12_000)),
    ]
}

/// What is heard of bytes up to where they fail.
fn heard(bytes: &[u8]) -> (Vec<i16>, Result<(), String>) {
    let Told::File(file) = tell(bytes) else { panic!("no file: {:?}", &bytes[..8]) };
    heard_as(file, bytes)
}

fn heard_as(file: File, bytes: &[u8]) -> (Vec<i16>, Result<(), String>) {
    let mut sound = Vec::new();
    let decoded = decode(file, Cursor::new(bytes.to_vec()), RATE, |more| {
        sound.extend(more);
        true
    });
    (sound, decoded)
}

/// The size of the tone at 440 Hz, and the share of it in all that is heard.
fn tone(sound: &[i16]) -> (f64, f64) {
    let (mut sin, mut cos, mut energy) = (0.0, 0.0, 0.0);
    for (n, sample) in sound.iter().enumerate() {
        let (angle, sample) = (n as f64 * 440.0 / f64::from(RATE) * TAU, f64::from(*sample));
        sin += sample * angle.sin();
        cos += sample * angle.cos();
        energy += sample * sample;
    }
    let size = 2.0 * sin.hypot(cos) / sound.len() as f64;
    (size, size * size / 2.0 * sound.len() as f64 / energy)
}

/// P06: whatever a file's kind, rate and channels are, its sound is the same: as long, as loud, in tune.
#[test]
fn every_kind_sounds_the_same() {
    for (what, bytes) in whole_files() {
        let (sound, decoded) = heard(&bytes);
        assert_eq!(decoded, Ok(()), "{what}");
        // An encoder may add a frame of silence at each end.
        assert!((11_900..14_000).contains(&sound.len()), "{what}: {} samples", sound.len());
        let (size, share) = tone(&sound[3_000..9_000]);
        assert!((7_600.0..8_400.0).contains(&size), "{what}: {size} instead of 8000");
        assert!(share > 0.99, "{what}: {share} of it is the tone");
    }
    let (sound, _) = heard(&wav(RATE, 1, 12_000));
    let sent = wav(RATE, 1, 12_000);
    let bytes: Vec<u8> = sound.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    assert_eq!(bytes, sent[sent.len() - 24_000..], "nothing is changed that need not be");
}

/// Bytes that count how many of them were read.
struct Counted(Cursor<Vec<u8>>, Arc<AtomicUsize>);

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = bytes.len().min(100);
        let read = self.0.read(&mut bytes[..most])?;
        self.1.fetch_add(read, Ordering::SeqCst);
        Ok(read)
    }
}

/// P06: sound is passed on while the rest of its file is still to come, and whoever has enough of it ends it.
#[test]
fn sound_comes_before_the_file_has_ended() {
    for (file, bytes) in [(File::Mp3, MP3.repeat(20)), (File::Wav, wav(44_100, 2, 88_200))] {
        let (length, read) = (bytes.len(), Arc::new(AtomicUsize::new(0)));
        let mut at_first = None;
        let source = Counted(Cursor::new(bytes), read.clone());
        let decoded = decode(file, source, RATE, |_| {
            let before = at_first.replace(read.load(Ordering::SeqCst));
            before.is_none()
        });
        assert_eq!(decoded, Ok(()), "{file:?}");
        assert!(at_first.unwrap() < length / 2, "{file:?}: {at_first:?} of {length} bytes");
    }
}

/// P10: the noise that a file becomes when its frames are nonsense is not heard: the first broken one
/// ends it.
#[test]
fn nonsense_is_not_heard() {
    let noise = |factor: usize, length: usize| (0..length).map(move |n| (n * factor % 256) as u8);
    let frame: Vec<u8> = b"\xff\xfb\x90\xc4".iter().copied().chain(noise(37, 413)).collect();
    let tag = [&b"ID3\x04\0\0\0\0\0\x23"[..], &[0; 35]].concat();
    let page: Vec<u8> = b"OggS\0\x02".iter().copied().chain(noise(91, 9_000)).collect();
    let flac: Vec<u8> = b"fLaC\0\0\0\x22".iter().copied().chain(noise(91, 9_000)).collect();
    let riff: Vec<u8> = b"RIFF\0\0\0\0WAVE".iter().copied().chain(noise(91, 9_000)).collect();
    let text = {
        let mut bytes = Vec::new();
        let mut pages = ogg::PacketWriter::new(&mut bytes);
        let end = ogg::PacketWriteEndInfo::EndStream;
        pages.write_packet(&b"\x80theora"[..], 1, end, 0).unwrap();
        bytes
    };
    for (what, bytes) in [
        ("frames", frame.repeat(80)),
        ("frames behind a tag", [tag, frame.repeat(80)].concat()),
        ("other frames", [&b"\xff\xfb\x90\xc4"[..], &[0x55; 413]].concat().repeat(80)),
        ("a page", page),
        ("a stream", flac),
        ("chunks", riff),
        ("a film", text),
        ("MP4", b"\0\0\0\x20ftypM4A ".repeat(9)),
    ] {
        let (sound, decoded) = heard(&bytes);
        assert!(sound.is_empty(), "{what}: {} samples", sound.len());
        let why = decoded.unwrap_err();
        assert!(!why.is_empty() && !why.contains('\n'), "{what}: {why}");
    }
}

/// P10: a file that is cut off anywhere, or has a wrong byte anywhere, is sound or an error in one line, and
/// never longer than it can be.
#[test]
fn damaged_files_are_sound_or_errors() {
    let check = |what: &str, bytes: &[u8]| {
        let Told::File(file) = tell(bytes) else { return };
        let (sound, decoded) = heard_as(file, bytes);
        assert!(sound.len() < 60_000, "{what}: {} samples", sound.len());
        if let Err(why) = decoded {
            assert!(!why.is_empty() && !why.contains('\n'), "{what}: {why}");
        }
    };
    for (what, bytes) in whole_files() {
        let step = bytes.len() / 60;
        for at in (0..bytes.len()).step_by(step).chain(8..70) {
            check(&format!("{what} cut at {at}"), &bytes[..at]);
            for wrong in [0x01, 0x40, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] ^= wrong;
                check(&format!("{what} with {wrong:#x} at {at}"), &bytes);
            }
        }
    }
}

proptest! {
    /// P10: whatever follows the beginning of a file, reading it is no panic.
    #[test]
    fn any_bytes_are_read(
        noise in prop::collection::vec(any::<u8>(), 0..400),
        at in 0_usize..1_200,
        n in 0_usize..7,
    ) {
        let (_, mut bytes) = whole_files().swap_remove(n);
        let at = at.min(bytes.len());
        let end = (at + noise.len()).min(bytes.len());
        bytes.splice(at..end, noise);
        if let Told::File(file) = tell(&bytes) {
            let _ = heard_as(file, &bytes);
        }
    }
}
