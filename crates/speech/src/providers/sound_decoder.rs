//! Files of sound as samples: WAV, MP3, FLAC, and Ogg with Opus or Vorbis, decoded while their bytes come.

use std::{
    io::{self, Chain, Cursor, Read},
    path::Path,
};

use ogg::{OggReadError, Packet, PacketReader};
use symphonia::{
    core::{
        audio::GenericAudioBufferRef,
        codecs::audio::{
            AudioCodecParameters, AudioDecoder, AudioDecoderOptions, well_known::CODEC_ID_VORBIS,
        },
        errors::Error,
        formats::{FormatOptions, FormatReader},
        io::{MediaSourceStream, MediaSourceStreamOptions, ReadOnlySource},
        packet::PacketRef,
        units::{Duration, Timestamp},
    },
    default::{
        codecs::{FlacDecoder, MpaDecoder, VorbisDecoder},
        formats::{FlacReader, MpaReader},
    },
};

use super::sound_files::File;
use audio::{
    codec::wav::{self, WavError},
    resample::Resampler,
};
use voiceroom::opus::{self, OpusError};

/// The sample rates that are decoded, as of a WAV file.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;
/// The most channels that are mixed down.
const CHANNELS_MAX: usize = 8;
/// The rate at which Opus is decoded, and its granules are counted.
const OPUS_RATE: u32 = 48_000;
/// The bytes of the head of an ID3 tag, and of the foot that it may have.
const TAG_BYTES: u64 = 10;

/// Decodes a file into one channel of samples at a rate. `take` gets them as they come, and says whether more
/// are wanted. The error is a part of a sentence.
pub(super) fn decode(
    file: File,
    bytes: impl Read + Send + Sync + 'static,
    rate: u32,
    take: impl FnMut(Vec<i16>) -> bool,
) -> Result<(), String> {
    let mut mix = Mix { rate, from: None, resampler: None, take };
    let decoded = match file {
        File::Wav => wav::pieces(bytes, Path::new(""), |rate, channels, samples| {
            mix.push(rate, channels, samples)
        }),
        File::Mp3 => mp3(bytes, &mut mix),
        File::Flac => flac(bytes, &mut mix),
        File::Ogg => ogg(bytes, &mut mix),
        File::Mp4 | File::WebM | File::Aiff | File::Aac => {
            Err(Stop::Broken("only WAV, MP3, FLAC and Ogg can be".to_owned()))
        }
    };
    match decoded.and_then(|()| mix.end()) {
        Ok(()) | Err(Stop::Unwanted) => Ok(()),
        Err(Stop::Broken(why)) => Err(why),
    }
}

/// Why decoding ended before the end of a file.
enum Stop {
    /// Nobody wants more of it.
    Unwanted,
    /// It cannot be decoded; a part of a sentence.
    Broken(String),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<OggReadError> for Stop {
    fn from(error: OggReadError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<OpusError> for Stop {
    fn from(error: OpusError) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<WavError> for Stop {
    fn from(error: WavError) -> Self {
        Self::Broken(match error {
            WavError::NotWav { why, .. } | WavError::Damaged { why, .. } => why,
            WavError::Unusual { what, .. } => what,
            WavError::Open { .. }
            | WavError::Empty { .. }
            | WavError::TooLong { .. }
            | WavError::Write { .. } => error.to_string(),
        })
    }
}

/// The sound of a file, mixed down and resampled as it is decoded.
struct Mix<T> {
    rate: u32,
    /// The rate of the file.
    from: Option<u32>,
    /// Between two rates that differ.
    resampler: Option<Resampler>,
    take: T,
}

impl<T: FnMut(Vec<i16>) -> bool> Mix<T> {
    /// Adds samples from -1 to 1, those of one moment beside each other.
    fn push(&mut self, rate: u32, channels: usize, samples: &[f32]) -> Result<(), Stop> {
        if self.from.is_none_or(|from| from != rate) {
            if self.from.is_some() {
                return Err(Stop::Broken("its sample rate changes".to_owned()));
            }
            if !RATES.contains(&rate) {
                return Err(Stop::Broken(format!("a sample rate of {rate} Hz")));
            }
            self.from = Some(rate);
            self.resampler = (rate != self.rate).then(|| Resampler::punctual(rate, self.rate));
        }
        if !(1..=CHANNELS_MAX).contains(&channels) {
            return Err(Stop::Broken(format!("sound of {channels} channels")));
        }
        let mixed = samples.chunks_exact(channels).map(|frame| {
            let sample = frame.iter().sum::<f32>() / channels as f32;
            // A cast saturates and makes zero of what is not a number.
            (sample * 32_768.0).round() as i16
        });
        let mixed: Vec<i16> = mixed.collect();
        let Some(resampler) = &mut self.resampler else { return self.give(mixed) };
        let mut resampled = Vec::new();
        resampler.push(&mixed, &mut resampled);
        self.give(resampled)
    }

    /// Adds sound of a library.
    fn push_decoded(&mut self, sound: &GenericAudioBufferRef<'_>) -> Result<(), Stop> {
        let mut samples = Vec::<f32>::new();
        sound.copy_to_vec_interleaved(&mut samples);
        self.push(sound.spec().rate(), sound.spec().channels().count(), &samples)
    }

    /// Passes on what comes after the last sample.
    fn end(&mut self) -> Result<(), Stop> {
        let mut rest = Vec::new();
        if let Some(resampler) = self.resampler.take() {
            resampler.flush(&mut rest);
        }
        self.give(rest)
    }

    fn give(&mut self, samples: Vec<i16>) -> Result<(), Stop> {
        if samples.is_empty() || (self.take)(samples) { Ok(()) } else { Err(Stop::Unwanted) }
    }
}

fn mp3(
    bytes: impl Read + Send + Sync + 'static,
    mix: &mut Mix<impl FnMut(Vec<i16>) -> bool>,
) -> Result<(), Stop> {
    let mut reader = MpaReader::try_new(stream(without_tag(bytes)?), FormatOptions::default())?;
    let mut decoder = MpaDecoder::try_new(&parameters(&reader)?, &AudioDecoderOptions::default())?;
    all_packets(&mut reader, &mut decoder, mix)
}

fn flac(
    bytes: impl Read + Send + Sync + 'static,
    mix: &mut Mix<impl FnMut(Vec<i16>) -> bool>,
) -> Result<(), Stop> {
    let mut reader = FlacReader::try_new(stream(bytes), FormatOptions::default())?;
    let mut decoder = FlacDecoder::try_new(&parameters(&reader)?, &AudioDecoderOptions::default())?;
    all_packets(&mut reader, &mut decoder, mix)
}

/// Passes over a tag (ID3v2) at the beginning: a picture in it may look like sound.
fn without_tag<R: Read>(mut bytes: R) -> io::Result<Chain<Cursor<Vec<u8>>, R>> {
    let mut head = Vec::new();
    bytes.by_ref().take(TAG_BYTES).read_to_end(&mut head)?;
    if let [b'I', b'D', b'3', _, _, flags, length @ ..] = &head[..] {
        let length = length.iter().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
        let foot = if flags & 0x10 == 0 { 0 } else { TAG_BYTES };
        io::copy(&mut bytes.by_ref().take(length + foot), &mut io::sink())?;
        head.clear();
    }
    Ok(Cursor::new(head).chain(bytes))
}

fn stream(bytes: impl Read + Send + Sync + 'static) -> MediaSourceStream<'static> {
    let source = Box::new(ReadOnlySource::new(bytes));
    MediaSourceStream::new(source, MediaSourceStreamOptions::default())
}

fn parameters(reader: &dyn FormatReader) -> Result<AudioCodecParameters, Stop> {
    let found = reader.tracks().first().and_then(|track| track.codec_params.as_ref()?.audio());
    found.cloned().ok_or_else(|| Stop::Broken("there is no sound in it".to_owned()))
}

/// Decodes all packets. A broken one ends it: what comes of it may be noise.
fn all_packets(
    reader: &mut dyn FormatReader,
    decoder: &mut dyn AudioDecoder,
    mix: &mut Mix<impl FnMut(Vec<i16>) -> bool>,
) -> Result<(), Stop> {
    while let Some(packet) = reader.next_packet()? {
        mix.push_decoded(&decoder.decode(&packet)?)?;
    }
    Ok(())
}

/// The packets of the first stream of an Ogg file.
struct Packets<R: Read + Send> {
    pages: PacketReader<ReadOnlySource<R>>,
    serial: Option<u32>,
}

impl<R: Read + Send> Packets<R> {
    fn next(&mut self) -> Result<Option<Packet>, Stop> {
        while let Some(packet) = self.pages.read_packet()? {
            let serial = *self.serial.get_or_insert(packet.stream_serial());
            if packet.stream_serial() == serial {
                return Ok(Some(packet));
            }
        }
        Ok(None)
    }

    fn header(&mut self) -> Result<Vec<u8>, Stop> {
        let cut = || Stop::Broken("it is cut off in its head".to_owned());
        self.next()?.map(|packet| packet.data).ok_or_else(cut)
    }
}

fn ogg(bytes: impl Read + Send, mix: &mut Mix<impl FnMut(Vec<i16>) -> bool>) -> Result<(), Stop> {
    let pages = PacketReader::new(ReadOnlySource::new(bytes));
    let mut packets = Packets { pages, serial: None };
    let head = packets.header()?;
    if head.starts_with(b"OpusHead") {
        ogg_opus(&head, &mut packets, mix)
    } else if head.starts_with(b"\x01vorbis") {
        vorbis(head, &mut packets, mix)
    } else {
        Err(Stop::Broken("there is neither Opus nor Vorbis in it".to_owned()))
    }
}

/// Opus in Ogg, after RFC 7845.
fn ogg_opus(
    head: &[u8],
    packets: &mut Packets<impl Read + Send>,
    mix: &mut Mix<impl FnMut(Vec<i16>) -> bool>,
) -> Result<(), Stop> {
    let Some([_version, channels, skip @ .., _, _, _, _, gain_low, gain_high, family]) =
        head.get(8..19)
    else {
        return Err(Stop::Broken("it is cut off in its head".to_owned()));
    };
    if *family != 0 {
        return Err(Stop::Broken(format!("Opus of {channels} channels")));
    }
    let mut skip = skip.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    let gain_db = f32::from(i16::from_le_bytes([*gain_low, *gain_high])) / 256.0;
    let scale = 10_f32.powf(gain_db / 20.0) / 32_768.0;
    packets.header()?;
    let (mut decoder, mut decoded) = (opus::Decoder::new()?, 0);
    while let Some(packet) = packets.next()? {
        let sound = decoder.decode(&packet.data)?;
        decoded += sound.len();
        let end = sound.len().saturating_sub(surplus(&packet, decoded));
        let from = skip.min(end);
        skip -= from;
        let samples: Vec<f32> =
            sound[from..end].iter().map(|sample| f32::from(*sample) * scale).collect();
        mix.push(OPUS_RATE, 1, &samples)?;
    }
    Ok(())
}

/// Vorbis in Ogg, after its specification's appendix A.
fn vorbis(
    head: Vec<u8>,
    packets: &mut Packets<impl Read + Send>,
    mix: &mut Mix<impl FnMut(Vec<i16>) -> bool>,
) -> Result<(), Stop> {
    let _comments = packets.header()?;
    let setup = packets.header()?;
    let mut parameters = AudioCodecParameters::new();
    parameters.for_codec(CODEC_ID_VORBIS).with_extra_data([head, setup].concat().into());
    let mut decoder = VorbisDecoder::try_new(&parameters, &AudioDecoderOptions::default())?;
    let mut decoded = 0;
    while let Some(packet) = packets.next()? {
        if packet.data.is_empty() {
            continue;
        }
        let whole = PacketRef::new(0, Timestamp::ZERO, Duration::ZERO, &packet.data);
        let sound = decoder.decode_ref(&whole)?;
        let (rate, channels) = (sound.spec().rate(), sound.spec().channels().count());
        let mut samples = Vec::<f32>::new();
        sound.copy_to_vec_interleaved(&mut samples);
        decoded += sound.frames();
        let end = sound.frames().saturating_sub(surplus(&packet, decoded));
        samples.truncate(end * channels);
        mix.push(rate, channels, &samples)?;
    }
    Ok(())
}

/// The samples that the last packet of a stream has behind the end that its page tells.
fn surplus(packet: &Packet, decoded: usize) -> usize {
    let end = usize::try_from(packet.absgp_page()).unwrap_or(usize::MAX);
    if packet.last_in_stream() { decoded.saturating_sub(end) } else { 0 }
}

#[cfg(test)]
mod tests;
