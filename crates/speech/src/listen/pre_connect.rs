//! Pre-connect audio (R05): what a candidate said before we heard their track. Their page records it and
//! sends it as a file.
//!
//! The live sound of the track waits for that file, so that words come in the order in which they were said.
//! Both overlap, because the page records until it is told that its track is heard. The overlap is processed
//! once.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use voiceroom::opus::{Decoder, OpusError};

use super::track::Sound;
use audio::{
    Pcm16, Pcm48,
    codec::{
        ogg,
        webm::{self, WebmError},
    },
    level, mixed,
    resample::{Down, Resampler},
};
use interview::time::SessionTime;

/// The longest time for which the live sound of a track waits for the recording.
const WAIT_LIMIT: Duration = Duration::from_secs(2);
/// The longest recording; of a longer one only the end is processed.
const LENGTH_LIMIT: Duration = Duration::from_secs(10);
/// The sound that a decoder needs in order to be exact when it begins in the middle (RFC 7845).
const WARM_UP: Duration = Duration::from_millis(80);
/// The most pieces of live sound that wait; with more, the wait ends.
const WAITING_MAX: usize = 256;
/// The sample rates that can be read. They must also be multiples of [`RATE_STEP`].
const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;
const RATE_STEP: u32 = 25;
const CHANNELS_MAX: u32 = 8;
/// The MIME types by which clients mean raw samples, neither compressed nor in a file.
const RAW: [&str; 4] = ["", "application/octet-stream", "audio/pcm", "audio/l16"];

/// A recording of pre-connect audio, as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreConnect {
    /// The MIME type of the bytes.
    pub mime_type: String,
    /// The attributes `sampleRate` and `channels` of raw samples.
    pub attributes: BTreeMap<String, String>,
    /// WebM or Ogg with Opus, or raw samples of 16 bits, little endian.
    pub bytes: Vec<u8>,
}

/// The reason why a recording is ignored.
#[derive(Debug, thiserror::Error)]
pub enum PreConnectError {
    /// The track does not wait for it.
    #[error("it came too late, or twice: the track is heard already")]
    TooLate,
    /// An attribute is missing or makes no sense.
    #[error("its attribute {name} is {value:?}")]
    Attribute {
        /// The name of the attribute.
        name: &'static str,
        /// The value of the attribute.
        value: String,
    },
    /// The file is of another kind.
    #[error("it is {0:?}, not Opus in WebM or Ogg, nor samples of 16 bits")]
    Type(String),
    /// The file is not WebM, or contains no Opus.
    #[error(transparent)]
    Webm(#[from] WebmError),
    /// The recording contains no sound.
    #[error("there is no sound in it")]
    Empty,
    /// The decoder cannot be started.
    #[error(transparent)]
    Opus(#[from] OpusError),
}

impl PreConnect {
    /// Returns the sound, or the end of a long one.
    pub(super) fn decode(&self) -> Result<Pcm16, PreConnectError> {
        if self.bytes.is_empty() {
            return Err(PreConnectError::Empty);
        }
        let mut sound = if webm::is_webm(&self.bytes) {
            opus(&webm::packets(&self.bytes)?)?
        } else if ogg::is_ogg(&self.bytes) {
            let packets = ogg::packets(&self.bytes).ok_or_else(|| self.unknown())?;
            opus(&packets)?
        } else if RAW.contains(&self.mime_type.as_str()) {
            self.samples()?
        } else {
            return Err(self.unknown());
        };
        if sound.0.is_empty() {
            return Err(PreConnectError::Empty);
        }
        let too_much = sound.0.len().saturating_sub(samples(LENGTH_LIMIT));
        sound.0.drain(..too_much);
        Ok(sound)
    }

    fn samples(&self) -> Result<Pcm16, PreConnectError> {
        let rate = self.number("sampleRate", RATES)?;
        // Another rate would need a filter of its own for each sample.
        if !rate.is_multiple_of(RATE_STEP) {
            let value = rate.to_string();
            return Err(PreConnectError::Attribute { name: "sampleRate", value });
        }
        let channels = self.number("channels", 1..=CHANNELS_MAX)?;
        let (samples, _) = self.bytes.as_chunks::<2>();
        let samples: Vec<i16> = samples.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
        let samples: Vec<i16> = samples.chunks_exact(channels as usize).map(mixed).collect();
        let mut sound = Vec::new();
        let mut resampler = Resampler::punctual(rate, 16_000);
        resampler.push(&samples, &mut sound);
        resampler.flush(&mut sound);
        Ok(Pcm16(sound))
    }

    fn number(
        &self,
        name: &'static str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Result<u32, PreConnectError> {
        let value = self.attributes.get(name).map_or("", String::as_str);
        let number = value.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| PreConnectError::Attribute { name, value: value.to_owned() })
    }

    fn unknown(&self) -> PreConnectError {
        PreConnectError::Type(self.mime_type.clone())
    }
}

/// Decodes packets; those that are not Opus are left out. One byte can be a packet of 120 ms, so only the
/// end that is used is decoded.
fn opus(packets: &[impl AsRef<[u8]>]) -> Result<Pcm16, PreConnectError> {
    let (mut decoder, mut down) = (Decoder::new()?, Down::default());
    let mut wanted = samples(WARM_UP + LENGTH_LIMIT) * 3;
    let end = packets.iter().rev().take_while(|packet| {
        let is_wanted = wanted > 0;
        wanted = wanted.saturating_sub(decoder.samples(packet.as_ref()).unwrap_or(0));
        is_wanted
    });
    let end = end.count();
    let mut sound = Pcm16::default();
    for packet in &packets[packets.len() - end..] {
        let piece = decoder.decode(packet.as_ref()).unwrap_or_default();
        sound.0.extend(down.push(&Pcm48(piece)).0);
    }
    Ok(sound)
}

/// Live sound that waits for the recording of the sound before it.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) until: SessionTime,
    pub(super) pieces: VecDeque<Sound>,
}

impl Waiting {
    pub(super) fn begin(now: SessionTime) -> Self {
        Self { until: now + WAIT_LIMIT, pieces: VecDeque::new() }
    }

    /// Adds a piece. Returns false if no more may wait.
    pub(super) fn push(&mut self, piece: Sound) -> bool {
        self.pieces.push_back(piece);
        self.pieces.len() < WAITING_MAX
    }

    /// Returns how many samples at the end of `recorded` are the beginning of the sound that waits.
    pub(super) fn overlap(&self, recorded: &Pcm16) -> usize {
        let live = self.pieces.iter().flat_map(|piece| &piece.sound.0).copied();
        overlap(&recorded.0, &live.take(OVERLAP_MAX).collect::<Vec<_>>())
    }
}

/// The most samples by which recording and live sound overlap: a second.
const OVERLAP_MAX: usize = 16_000;
/// Samples that are summed into one, which is exact enough for a comparison.
const THIN: usize = 4;
/// The length of the live sound that is searched for in the recording: 100 ms, in sums of [`THIN`] samples.
const PROBE: usize = 400;
/// Softer live sound is not searched for.
const AUDIBLE_DBOV: i8 = -50;
/// The correlation that two encodings of the same speech exceed and two stretches of speech do not.
const ALIKE: f32 = 0.85;

/// Returns how many samples at the end of `recorded` are in `live`, too: each 100 ms of `live` are searched
/// for in it, and the best match decides. Returns 0 if there is none, or all is too soft to decide.
fn overlap(recorded: &[i16], live: &[i16]) -> usize {
    let tail = thin(&recorded[recorded.len().saturating_sub(OVERLAP_MAX)..]);
    let windows = || tail.windows(PROBE);
    let energies: Vec<f32> = windows().map(|window| product(window, window)).collect();
    let mut best = (ALIKE, 0);
    for (p, piece) in live.chunks_exact(PROBE * THIN).enumerate() {
        if level::dbov(piece) < AUDIBLE_DBOV {
            continue;
        }
        let probe = thin(piece);
        let energy = product(&probe, &probe);
        for (n, (window, window_energy)) in windows().zip(&energies).enumerate() {
            let alike = product(window, &probe) / (energy * window_energy).sqrt().max(1.0);
            if alike > best.0 {
                best = (alike, tail.len() - n + p * PROBE);
            }
        }
    }
    (best.1 * THIN).min(recorded.len())
}

fn thin(sound: &[i16]) -> Vec<f32> {
    sound.chunks_exact(THIN).map(|four| four.iter().map(|s| f32::from(*s)).sum()).collect()
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn samples(length: Duration) -> usize {
    length.as_millis() as usize * 16
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use audio::codec::fixture::Fixture;

    fn raw(rate: &str, channels: &str, bytes: Vec<u8>) -> PreConnect {
        let attributes = [("sampleRate", rate), ("channels", channels)];
        let attributes = attributes.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        PreConnect { mime_type: String::new(), attributes, bytes }
    }

    /// R05: samples of any usual rate are read, two channels are mixed, and of too many samples the last are
    /// kept.
    #[test]
    fn samples_are_read() {
        let second = |rate: usize| [100_i16, 300].map(i16::to_le_bytes).concat().repeat(rate);
        for rate in [16_000, 24_000, 44_100, 48_000] {
            let sound = raw(&rate.to_string(), "2", second(rate)).decode().unwrap();
            assert_eq!(sound.0.len(), 16_000, "{rate}");
            assert!(sound.0[1_000..15_000].iter().all(|s| (*s - 200).abs() <= 1), "{rate}");
        }
        let last = 100_i16.to_le_bytes().repeat(10 * 16_000);
        let bytes = [vec![0; 2 * 16_000 * 2], last].concat();
        let sound = raw("16000", "1", bytes).decode().unwrap();
        assert_eq!((sound.duration(), sound.0[8_000]), (LENGTH_LIMIT, 100));
    }

    /// R05, R08: of a long recording only the end is decoded, with the same sound, whatever length the
    /// packets claim.
    #[test]
    fn a_long_recording_is_decoded_from_its_end() {
        let speech = Fixture::load(Path::new("../../audio-fixtures"), "two-stage-plain").unwrap();
        let speech = &speech.sound.0[..20 * 16_000];
        let sound = recorded(encoded(speech)).decode().unwrap();
        let whole = coded(speech);
        let tail = &whole[whole.len() - sound.0.len()..];
        let as_f32 = |(a, b): (&i16, &i16)| (f32::from(*a), f32::from(*a) - f32::from(*b));
        let (all, off): (Vec<_>, Vec<_>) = tail.iter().zip(&sound.0).map(as_f32).unzip();
        assert_eq!(sound.duration(), LENGTH_LIMIT);
        let (energy, error) = (product(&all, &all), product(&off, &off));
        assert!(energy > 1e9 && error < energy / 1_000.0, "{error} of {energy}");

        // SILK, twice 60 ms, in one byte: 40 minutes.
        let sound = recorded(vec![vec![0x19]; 20_000]).decode().unwrap();
        assert_eq!(sound.duration(), LENGTH_LIMIT);
        assert!(sound.0.capacity() < 3 * samples(LENGTH_LIMIT), "{}", sound.0.capacity());
    }

    fn recorded(packets: Vec<Vec<u8>>) -> PreConnect {
        use audio::codec::ogg::{OggOpus, OpusHead};
        let mut bytes = Vec::new();
        let description = "";
        let head = OpusHead { channels: 1, pre_skip: 0, sample_rate: 48_000, description };
        let mut file = OggOpus::begin(&mut bytes, head).unwrap();
        packets.into_iter().for_each(|packet| file.packet(packet).unwrap());
        // The last packet is empty.
        file.finish(Vec::new()).unwrap();
        PreConnect { bytes, ..PreConnect::default() }
    }

    /// R08: missing, senseless or foreign data is refused in a sentence and never causes a panic.
    #[test]
    fn nonsense_is_refused() {
        let refused = |audio: PreConnect| audio.decode().unwrap_err().to_string();
        assert_eq!(refused(raw("x", "1", vec![0; 9])), "its attribute sampleRate is \"x\"");
        assert_eq!(
            refused(raw("4000000000", "1", vec![0; 9])),
            "its attribute sampleRate is \"4000000000\""
        );
        assert_eq!(refused(raw("48000", "0", vec![0; 9])), "its attribute channels is \"0\"");
        assert_eq!(
            refused(raw("191999", "1", vec![0; 4])),
            "its attribute sampleRate is \"191999\""
        );
        assert_eq!(refused(raw("48000", "1", vec![0; 1])), "there is no sound in it");
        let empty = PreConnect { mime_type: "audio/webm".into(), ..raw("48000", "1", Vec::new()) };
        assert_eq!(refused(empty), "there is no sound in it");
        let mp4 = PreConnect { mime_type: "video/mp4".into(), ..raw("48000", "1", vec![0; 9]) };
        assert!(refused(mp4).starts_with("it is \"video/mp4\""));
        let webm = raw("48000", "1", b"\x1a\x45\xdf\xa3\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec());
        assert!(refused(webm).starts_with("no WebM"));
        assert!(refused(raw("48000", "1", b"OggS".to_vec())).starts_with("it is"));
    }

    /// R05: sound that is in the recording and in the live sound is found though both were encoded
    /// separately; sound that is in only one of them is not.
    #[test]
    fn the_overlap_is_found() {
        let speech = Fixture::load(Path::new("../../audio-fixtures"), "two-stage-plain").unwrap();
        let sound = &speech.sound.0;
        let first = sound.iter().position(|s| s.abs() > 3_000).unwrap();
        let recorded = &sound[..first + 16_000];
        for overlap_ms in [220, 300, 700] {
            let live: Vec<i16> = coded(&sound[first + 16_000 - overlap_ms * 16..]);
            let found = overlap(recorded, &live[..16_000]);
            let error = found.abs_diff(overlap_ms * 16 + CODEC_DELAY);
            assert!(error <= 48, "{found} for {overlap_ms} ms");
        }
        let later = coded(&sound[first + 32_000..]);
        assert_eq!(overlap(recorded, &later[..16_000]), 0);
        assert_eq!(overlap(recorded, &[0; 16_000]), 0);
        assert_eq!(overlap(&[], &later), 0);
    }

    /// The delay of the encoder and both resamplers, in samples.
    const CODEC_DELAY: usize = 136;

    fn coded(sound: &[i16]) -> Vec<i16> {
        let (mut decoder, mut down) = (Decoder::new().unwrap(), Down::default());
        let frames = encoded(sound).into_iter().map(|packet| decoder.decode(&packet).unwrap());
        frames.flat_map(|frame| down.push(&Pcm48(frame)).0).collect()
    }

    fn encoded(sound: &[i16]) -> Vec<Vec<u8>> {
        use voiceroom::{Frame, opus::Encoder};

        use audio::{FRAME_48, resample::Up};
        let (mut encoder, mut up) = (Encoder::new().unwrap(), Up::default());
        let wide = up.push(&Pcm16(sound.to_vec()));
        let frames = wide.0.chunks_exact(FRAME_48);
        frames
            .map(|frame| encoder.encode(&Frame::try_from(frame.to_vec()).unwrap()).unwrap())
            .collect()
    }
}
