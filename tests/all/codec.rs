//! Sound as bytes: Opus with losses, WAV files good and bad, and bytes that are neither.

use std::{f64::consts::TAU, io::Cursor, path::Path};

use proptest::prelude::*;
use vivavoce::{
    audio::{FRAME_48, Pcm48},
    codec::{fixture::Fixture, wav},
};
use voiceroom::{
    Frame,
    opus::{Decoder, Encoder, is_dtx},
};

/// A voice of sorts: a few harmonics whose pitch moves, four syllables a second.
fn voice(samples: usize) -> Vec<i16> {
    let mut phase = 0.0;
    (0..samples)
        .map(|n| {
            phase += (140.0 + 30.0 * (n as f64 / 48_000.0 * 2.0).sin()) / 48_000.0 * TAU;
            let value = (1..12).map(|k| (phase * f64::from(k)).sin() / f64::from(k)).sum::<f64>();
            let loudness = 0.5 - 0.5 * (n as f64 / 48_000.0 * 4.0 * TAU).cos();
            (value * loudness * 6_000.0) as i16
        })
        .collect()
}

fn frame(samples: &[i16]) -> Frame {
    Frame::try_from(samples.to_vec()).unwrap()
}

fn packets(sound: &[i16]) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::new().unwrap();
    sound.chunks_exact(FRAME_48).map(|f| encoder.encode(&frame(f)).unwrap()).collect()
}

/// How far `decoded` is from what a decoder without losses made, in dB.
fn snr_db(lossless: &[i16], decoded: &[i16]) -> f64 {
    let energy = |samples: &mut dyn Iterator<Item = f64>| samples.map(|s| s * s).sum::<f64>();
    let signal = energy(&mut lossless.iter().map(|s| f64::from(*s)));
    let noise =
        energy(&mut lossless.iter().zip(decoded).map(|(a, b)| f64::from(*a) - f64::from(*b)));
    10.0 * (signal / noise).log10()
}

/// R07: 20 ms in, 20 ms out; FEC restores a lost packet better than silence would.
#[test]
fn opus_conceals_losses() {
    let packets = packets(&voice(48_000 * 3));
    let decode = |lose_each: usize, conceals: bool| {
        let mut decoder = Decoder::new().unwrap();
        let (mut sound, mut lost) = (Vec::new(), 0);
        for (n, packet) in packets.iter().enumerate() {
            if n % lose_each == 5 {
                lost += FRAME_48;
                continue;
            }
            let gap = if conceals { decoder.conceal(lost, packet) } else { vec![0; lost] };
            sound.extend(gap);
            lost = 0;
            sound.extend(decoder.decode(packet).unwrap());
        }
        sound
    };
    let (lossless, silent, concealed) = (decode(1, true), decode(10, false), decode(10, true));
    assert_eq!((silent.len(), concealed.len()), (lossless.len(), lossless.len()));
    let (silence, fec) = (snr_db(&lossless, &silent), snr_db(&lossless, &concealed));
    assert!(fec > silence + 3.0, "FEC {fec:.1} dB, silence {silence:.1} dB");
}

/// LiveKit ends tracks with gaps of any number of samples, but Opus conceals only in steps of 2.5 ms.
#[test]
fn gaps_of_any_length_are_concealed() {
    let packets = packets(&voice(48_000));
    for gap in [0, 1, 119, 120, 121, FRAME_48 - 1, FRAME_48, FRAME_48 + 7, 3 * FRAME_48 + 1, 48_000]
    {
        let mut decoder = Decoder::new().unwrap();
        decoder.decode(&packets[0]).unwrap();
        assert_eq!(decoder.conceal(gap, &packets[9]).len(), gap);
        assert_eq!(decoder.conceal(gap, &[0xf8]).len(), gap, "before a DTX packet");
        assert_eq!(decoder.decode(&packets[9]).unwrap().len(), FRAME_48);
    }
}

/// R07: DTX is off for us; what pauses on the other side is recognised.
#[test]
fn our_silence_is_sent() {
    let packets = packets(&vec![0; 48_000 * 2]);
    assert!(packets.iter().all(|packet| !is_dtx(packet)));
    assert!(is_dtx(&[0xf8]) && is_dtx(&[]));
}

/// R07, Q10: a silence that lasts costs the encoder nothing. It is heard as silence, for a minute too, and
/// the voice after it as after a pause for which the encoder was asked throughout.
#[test]
fn a_long_silence_is_one_packet() {
    const ASKED_FOR: usize = 25;
    let second = voice(48_000);
    let heard = |silent_frames: usize| {
        let silence = vec![0; silent_frames * FRAME_48];
        let packets = packets(&[second.clone(), silence, second.clone()].concat());
        let mut decoder = Decoder::new().unwrap();
        let decode = |packet: &Vec<u8>| decoder.decode(packet).unwrap();
        let sound: Vec<i16> = packets.iter().flat_map(decode).collect();
        (packets, sound)
    };
    let (_, pause) = heard(ASKED_FOR - 1);
    let wanted = &pause[pause.len() - second.len()..];
    for frames in [ASKED_FOR + 1, 100, 3_000] {
        let (packets, sound) = heard(frames);
        let kept = &packets[50 + ASKED_FOR - 1..50 + frames];
        assert!(kept.iter().all(|packet| *packet == kept[0]), "{frames} frames");
        let (before, voice) = sound.split_at(sound.len() - second.len());
        // The decoder's voice ends later than the encoder's.
        let loudest = before[55 * FRAME_48..].iter().map(|sample| sample.unsigned_abs()).max();
        assert!(loudest < Some(4), "{frames} frames: {loudest:?}");
        let snr = snr_db(wanted, voice);
        assert!(snr > 20.0, "{frames} frames: {snr:.1} dB");
    }
}

/// R07: the pause after each voice is silence, and none of what was said is heard again.
#[test]
fn each_pause_is_silence() {
    let (voice, pause) = (voice(24_000), vec![0; 40 * FRAME_48]);
    let packets = packets(&[voice.clone(), pause.clone(), voice, pause].concat());
    let mut decoder = Decoder::new().unwrap();
    let mut loudest = |from: usize, to: usize| {
        let sound = packets[from..to].iter().flat_map(|packet| decoder.decode(packet).unwrap());
        sound.map(i16::unsigned_abs).max().unwrap()
    };
    // The decoder's voice ends later than the encoder's.
    let heard = [(0, 30), (30, 65), (65, 95), (95, 130)].map(|(from, to)| loudest(from, to));
    assert!(heard[0] > 5_000 && heard[2] > 5_000, "{heard:?}");
    assert!(heard[1] < 4 && heard[3] < 4, "{heard:?}");
}

/// A WAV file of any format.
fn wav(rate: u32, channels: u16, bits: u16, seconds: f64) -> Vec<u8> {
    let sample_format =
        if bits == 0 { hound::SampleFormat::Float } else { hound::SampleFormat::Int };
    let spec = hound::WavSpec {
        channels,
        sample_rate: rate,
        bits_per_sample: if bits == 0 { 32 } else { bits },
        sample_format,
    };
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
    for n in 0..(f64::from(rate) * seconds) as usize {
        let value = (n as f64 / f64::from(rate) * 440.0 * TAU).sin() * 0.5;
        for channel in 0..channels {
            // The first channel alone has sound, so that a mix of n is 1/n as loud.
            let value = if channel == 0 { value } else { 0.0 };
            match bits {
                0 => writer.write_sample(value as f32).unwrap(),
                bits => {
                    writer.write_sample((value * f64::from(1_u32 << (bits - 1))) as i32).unwrap()
                }
            }
        }
    }
    writer.finalize().unwrap();
    bytes.into_inner()
}

/// Every usual format gives the same sound; telephone quality is told.
#[test]
fn wav_of_any_format_is_read() {
    for (rate, channels, bits) in [
        (16_000, 1, 16),
        (48_000, 2, 16),
        (44_100, 1, 24),
        (22_050, 2, 32),
        (16_000, 1, 8),
        (48_000, 1, 0),
        (8_000, 1, 16),
    ] {
        let read =
            wav::parse(Cursor::new(wav(rate, channels, bits, 1.0)), Path::new("a.wav")).unwrap();
        assert_eq!(read.sound.0.len(), 16_000, "{rate} Hz");
        assert_eq!(read.warning.is_some(), rate < 16_000, "{:?}", read.warning);
        let loudest = f64::from(*read.sound.0.iter().max().unwrap());
        let expected = 16_384.0 / f64::from(channels);
        assert!((loudest / expected - 1.0).abs() < 0.02, "{rate} Hz {bits} bit: {loudest}");
    }
}

/// Bad input: one sentence each that says what, where, and how to mend it.
#[test]
fn bad_wav_is_one_sentence() {
    let sentence =
        |bytes: &[u8]| wav::parse(Cursor::new(bytes), Path::new("a.wav")).unwrap_err().to_string();
    let long = wav(8_000, 1, 8, 31.0 * 60.0);
    let compressed = {
        let mut bytes = wav(8_000, 1, 8, 0.1);
        bytes[20] = 7;
        bytes
    };
    // Found by fuzzing: a header of the newer kind says how many bits of its samples count, and may say
    // nonsense.
    let bits = [
        b"RIFF@\0\0\0WAVEfmt \x28\0\0\0\xfe\xff\x01\0\x80\x3e\0\0".as_slice(),
        b"\0\x7d\0\0\x02\0\x10\0\x16\0\x10\x4c",
        b"\x04\0\0\0\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71data\x08\0\0\0\0\0\0\0\0\0\0\0",
    ]
    .concat();
    for (bytes, says) in [
        (&b"ID3\x04 this is an mp3"[..], "not a WAV file"),
        (&b""[..], "not a WAV file"),
        (&wav(16_000, 1, 16, 0.0), "no sound in it"),
        (&long, "longer than 30 min, which is the limit"),
        (&compressed, "sound that is compressed (format 7) cannot be read"),
        (&wav(4_000, 1, 16, 0.1), "a sample rate of 4000 Hz cannot be read"),
        (&wav(16_000, 9, 16, 0.1), "sound of 9 channels cannot be read"),
        (&bits, "samples of 19472 bits cannot be read"),
    ] {
        let sentence = sentence(bytes);
        assert!(sentence.starts_with("a.wav: ") && sentence.contains(says), "{sentence}");
        assert!(!sentence.contains('\n'), "{sentence}");
    }
    let missing = wav::read(Path::new("/nowhere/a.wav")).unwrap_err().to_string();
    assert!(missing.contains("/nowhere/a.wav: the file cannot be opened"), "{missing}");
}

/// The length of a file wins over what its header says of it. Before: a pipe's recording was "1118 min long",
/// that of a stopped recorder "has no sound in it", one that was cut "damaged", and a chunk of odd length
/// with its padding made "no WAV file" of the rest.
#[test]
fn headers_with_wrong_lengths_are_read() {
    let whole = wav(16_000, 1, 16, 2.0);
    let with = |riff: u32, data: u32| {
        let mut bytes = whole.clone();
        bytes[4..8].copy_from_slice(&riff.to_le_bytes());
        bytes[40..44].copy_from_slice(&data.to_le_bytes());
        bytes
    };
    let chunk =
        |name: &[u8], length: u32, body: &[u8]| [name, &length.to_le_bytes(), body].concat();
    let (head, rest) = whole.split_at(36);
    let lists = |more: &[u8]| [head, more, rest].concat();
    let behind = |more: &[u8]| [&whole, more].concat();
    for (what, bytes, samples, is_warned) in [
        ("a pipe of ffmpeg", with(u32::MAX, u32::MAX), 32_000, false),
        ("a pipe of sox", with(0x7fff_f024, 0x7fff_f000), 32_000, false),
        ("a recorder that was stopped", with(0, 0), 32_000, false),
        ("a recorder that was stopped after a flush", with(32_036, 32_000), 32_000, false),
        ("a copy that broke off", with(640_036, 640_000), 32_000, true),
        ("half a file", whole[..whole.len() - 32_000].to_vec(), 16_000, true),
        ("a chunk of odd length", lists(&chunk(b"LIST", 5, b"INFO!\0")), 32_000, false),
        ("the same without its padding", lists(&chunk(b"LIST", 5, b"INFO!")), 32_000, false),
        ("a chunk behind the sound", behind(&chunk(b"LIST", 4, b"INFO")), 32_000, false),
        ("less than a sample behind it", behind(b"x"), 32_000, false),
    ] {
        let read = wav::parse(Cursor::new(bytes), Path::new("a.wav"));
        let read = read.unwrap_or_else(|why| panic!("{what}: {why}"));
        assert_eq!(read.sound.0.len(), samples, "{what}");
        assert_eq!(read.warning.is_some(), is_warned, "{what}: {:?}", read.warning);
    }
    let odd = {
        let mut bytes = wav(16_000, 1, 8, 1.0);
        bytes.truncate(44 + 15_999);
        bytes[40..44].copy_from_slice(&15_999_u32.to_le_bytes());
        [&bytes[..], b"\0", &chunk(b"LIST", 4, b"INFO")].concat()
    };
    assert_eq!(wav::parse(Cursor::new(odd), Path::new("a.wav")).unwrap().sound.0.len(), 15_999);
}

/// Channels that are one another's opposite are no silence: the first one is heard, and it is said.
#[test]
fn opposite_channels_are_heard() {
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
    for sample in voice(16_000) {
        writer.write_sample(sample).unwrap();
        writer.write_sample(sample.saturating_neg()).unwrap();
    }
    writer.finalize().unwrap();
    let read = wav::parse(Cursor::new(bytes.into_inner()), Path::new("a.wav")).unwrap();
    let loudest = |sound: &[i16]| f64::from(*sound.iter().max().unwrap());
    let share = loudest(&read.sound.0) / loudest(&voice(16_000));
    assert!((share - 1.0).abs() < 0.05, "{share}");
    assert!(read.warning.unwrap().contains("cancel one another out"));
}

/// R10: what was written so far can be played, whatever happens then.
#[test]
fn written_wav_is_playable_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agent.wav");
    let mut writer = wav::Writer::create(&path).unwrap();
    writer.write(&Pcm48(voice(48_000))).unwrap();
    writer.flush().unwrap();
    assert_eq!(wav::read(&path).unwrap().sound.0.len(), 16_000);
    writer.write(&Pcm48(voice(48_000))).unwrap();
    writer.finish().unwrap();
    assert_eq!(wav::read(&path).unwrap().sound.0.len(), 32_000);
    let nowhere = wav::Writer::create(&folder.path().join("no/agent.wav"));
    assert!(nowhere.err().unwrap().to_string().contains("cannot be written"));
}

/// An unknown fixture is one sentence that names those there are; a broken truth names its file.
#[test]
fn bad_fixture_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plain.wav"), wav(16_000, 1, 16, 1.0)).unwrap();
    let error = |name: &str, truth: &str| {
        std::fs::write(folder.path().join("plain.toml"), truth).unwrap();
        Fixture::load(folder.path(), name).unwrap_err().to_string()
    };
    assert!(error("other", "").contains("there is no fixture \"other\""));
    assert!(error("other", "").ends_with("there are: plain"));
    assert!(error("../plain", "").contains("there is no fixture"));
    assert!(error("plain", "voice = 1").contains("plain.toml"));
    let truth = "voice = \"rms\"\nnote = \"\"\n[[answer]]\n[[answer.span]]\nstart_ms = 0\nend_ms = \
        1001\ntext = \"hello\"\n";
    assert!(error("plain", truth).contains("0..1001 ms does not follow"));
}

proptest! {
    /// R08: whatever comes as a packet is decoded or refused, and the decoder goes on.
    #[test]
    fn any_packet_is_survived(
        packets in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 1..10),
        gap in 0_usize..10_000,
    ) {
        let mut decoder = Decoder::new().unwrap();
        for packet in &packets {
            prop_assert_eq!(decoder.conceal(gap, packet).len(), gap);
            if let Ok(sound) = decoder.decode(packet) {
                prop_assert!(sound.len() <= 5_760);
            }
        }
        let good = self::packets(&voice(FRAME_48));
        prop_assert_eq!(decoder.decode(&good[0]).unwrap().len(), FRAME_48);
    }

    /// Whatever comes as a WAV file is read or refused in one sentence.
    #[test]
    fn any_wav_is_survived(
        mut bytes in prop::collection::vec(any::<u8>(), 0..300),
        at in 0_usize..60,
        keep in any::<bool>(),
    ) {
        if keep {
            // Most of a true header, so that more than its first check is tried.
            let good = wav(16_000, 1, 16, 0.01);
            let end = good.len().min(at);
            let rest = good.len() - good.len().min(end + 4);
            bytes.truncate(4);
            bytes = [&good[..end], &bytes, &good[good.len() - rest..]].concat();
        }
        let read = wav::parse(Cursor::new(bytes), Path::new("a.wav"));
        if let Err(error) = read {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}
