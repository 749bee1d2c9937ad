//! WAV files: recordings in, our sound out.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use hound::{Sample, SampleFormat, WavSpec};

use super::riff::{Sound, Wave};
use crate::{Pcm16, Pcm48, resample::Resampler};

/// The longest recording that is read.
pub const RECORDING_LIMIT: Duration = Duration::from_mins(30);
/// Sample rates that are read.
const RATES: std::ops::RangeInclusive<u32> = 8_000..=192_000;
/// Most channels that are mixed down.
const CHANNELS_MAX: u16 = 8;
/// Most bits of a sample. A header may say any number.
const BITS_MAX: u16 = 32;
/// Samples resampled at a time.
const PIECE_SAMPLES: usize = 4_096;
/// What is left of channels that cancel one another out, as a share of their energy, is at most this.
const CANCELLED_MAX: f64 = 0.05;
/// The most bytes of a format that we look at, and those of a simple one.
const FORMAT_BYTES: usize = 40;
const SIMPLE_FORMAT_BYTES: usize = 16;
/// The number of the format that says more of itself behind the simple one.
const EXTENSIBLE: u16 = 0xfffe;

/// A recording, as VAD and STT hear it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The sound: mixed down and resampled.
    pub sound: Pcm16,
    /// What to tell the user about a recording that will do, but not well.
    pub warning: Option<String>,
}

/// Why a WAV file was not read or written; a whole sentence each.
#[derive(Debug, thiserror::Error)]
pub enum WavError {
    /// No such file, no permission, a disk error.
    #[error("{}: the file cannot be opened: {why}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: std::io::Error,
    },
    /// It is something else.
    #[error(
        "{}: this is not a WAV file ({why}); \
         convert it with: ffmpeg -i INPUT -ar 16000 -ac 1 OUTPUT.wav",
        path.display()
    )]
    NotWav {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It breaks off while it is read, or a sample is broken.
    #[error(
        "{}: the WAV file is damaged after {} s: {why}; record or copy it anew",
        path.display(),
        after.as_secs()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How much could be read.
        after: Duration,
        /// What is wrong with it.
        why: String,
    },
    /// No sample in it.
    #[error("{}: the WAV file has no sound in it: its length is 0 s", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Longer than [`RECORDING_LIMIT`].
    #[error("{}: the recording is longer than 30 min, which is the limit: cut it", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// A sample rate, a number of channels or of bits that no voice is recorded with.
    #[error(
        "{}: {what} cannot be read; 8 to 192 kHz with 1 to 8 channels of up to 32 bits can",
        path.display()
    )]
    Unusual {
        /// The file.
        path: PathBuf,
        /// What it has.
        what: String,
    },
    /// The disk is full, or the folder is not ours.
    #[error("{}: the WAV file cannot be written: {why}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
}

/// Reads a WAV file of 8 to 32 bits or float, mono or more, at any usual rate.
pub fn read(path: &Path) -> Result<Recording, WavError> {
    let file = File::open(path).map_err(|why| WavError::Open { path: path.into(), why })?;
    parse(BufReader::new(file), path)
}

/// Reads a WAV from anywhere; `path` is what errors call it. The length of what comes wins over what a header
/// says of it.
pub fn parse(bytes: impl Read, path: &Path) -> Result<Recording, WavError> {
    let Wave { format, mut sound } =
        Wave::open(bytes).map_err(|why| WavError::NotWav { path: path.into(), why })?;
    let shape = Shape::of(&format, path)?;
    let ear = hear(&mut sound, shape, path)?;
    let rate = shape.spec.sample_rate;
    let length = Duration::from_secs(ear.frames / u64::from(rate));
    let is_cancelled = ear.is_cancelled();
    let heard = if is_cancelled { ear.first } else { ear.mix };
    let warnings = [
        (rate < 16_000)
            .then(|| format!("recorded at {rate} Hz; speech is recognised worse below 16000 Hz")),
        sound.is_short().then(|| {
            let seconds = length.as_secs();
            format!("it ends after {seconds} s, before its header says; what is there was read")
        }),
        is_cancelled.then(|| {
            "its channels cancel one another out; the first one alone was read".to_owned()
        }),
    ];
    let warnings: Vec<String> = warnings.into_iter().flatten().collect();
    let warning =
        (!warnings.is_empty()).then(|| format!("{}: {}", path.display(), warnings.join("; ")));
    Ok(Recording { sound: heard.finish(), warning })
}

/// Reads a WAV from anywhere, piece by piece while it comes. `take` gets the sample rate, the number of
/// channels, and samples from -1 to 1, those of one moment beside each other. `path` is what errors call it.
pub fn pieces<E: From<WavError>>(
    bytes: impl Read,
    path: &Path,
    mut take: impl FnMut(u32, usize, &[f32]) -> Result<(), E>,
) -> Result<(), E> {
    let Wave { format, mut sound } =
        Wave::open(bytes).map_err(|why| WavError::NotWav { path: path.into(), why })?;
    let shape = Shape::of(&format, path)?;
    let (rate, channels) = (shape.spec.sample_rate, usize::from(shape.spec.channels));
    each_piece(&mut sound, shape, path, |samples| take(rate, channels, samples))
}

/// How the samples of a file are written.
#[derive(Clone, Copy)]
struct Shape {
    spec: WavSpec,
    /// Of a sample of one channel.
    bytes: usize,
}

impl Shape {
    /// What a `fmt ` chunk says. The library reads it; what writers get wrong and nobody needs is mended.
    fn of(format: &[u8], path: &Path) -> Result<Self, WavError> {
        let not_wav = |why: String| WavError::NotWav { path: path.into(), why };
        let unusual = |what: String| WavError::Unusual { path: path.into(), what };
        let number = |at: usize| {
            let pair = format.get(at..at + 2).and_then(|pair| pair.try_into().ok());
            u16::from_le_bytes(pair.unwrap_or_default())
        };
        let (tag, channels, frame) = (number(0), number(2), number(12));
        if format.len() < SIMPLE_FORMAT_BYTES || channels == 0 {
            return Err(not_wav("its format is broken".to_owned()));
        }
        let mut known = format[..format.len().min(FORMAT_BYTES)].to_vec();
        if tag != EXTENSIBLE {
            known.truncate(SIMPLE_FORMAT_BYTES);
        }
        let rate = u32::from(number(4)) | (u32::from(number(6)) << 16);
        if !RATES.contains(&rate) {
            return Err(unusual(format!("a sample rate of {rate} Hz")));
        }
        if !(1..=CHANNELS_MAX).contains(&channels) {
            return Err(unusual(format!("sound of {channels} channels")));
        }
        // Bytes a second follow from the others, and some writers leave them out.
        let bytes_per_second = u32::from(frame).wrapping_mul(rate);
        known[8..12].copy_from_slice(&bytes_per_second.to_le_bytes());
        let file = file_of(&known);
        let spec = match hound::WavReader::new(&file[..]) {
            Ok(reader) => reader.spec(),
            Err(hound::Error::Unsupported) => {
                return Err(unusual(format!("sound that is compressed (format {tag})")));
            }
            Err(why) => return Err(not_wav(why.to_string())),
        };
        if spec.bits_per_sample > BITS_MAX {
            return Err(unusual(format!("samples of {} bits", spec.bits_per_sample)));
        }
        let shape = Self { spec, bytes: usize::from(frame / channels) };
        // Whether samples of this many bytes and bits are read is known by reading one.
        if shape.bytes == 0 || shape.sample(&vec![0; shape.bytes]).is_err() {
            let (bits, bytes) = (spec.bits_per_sample, shape.bytes);
            return Err(unusual(format!("samples of {bits} bits in {bytes} bytes")));
        }
        Ok(shape)
    }

    /// A sample, from -1 to 1.
    fn sample(self, mut bytes: &[u8]) -> hound::Result<f32> {
        let Self { spec: WavSpec { sample_format, bits_per_sample: bits, .. }, .. } = self;
        let size = self.bytes as u16;
        match sample_format {
            SampleFormat::Float => f32::read(&mut bytes, sample_format, size, bits),
            SampleFormat::Int => {
                let scale = 1.0 / (1_u64 << (bits.max(1) - 1)) as f32;
                i32::read(&mut bytes, sample_format, size, bits).map(|sample| sample as f32 * scale)
            }
        }
    }
}

/// A file of this format without sound.
fn file_of(format: &[u8]) -> Vec<u8> {
    let length = format.len() as u32;
    [
        &b"RIFF"[..],
        &(length + 20).to_le_bytes(),
        b"WAVEfmt ",
        &length.to_le_bytes(),
        format,
        b"data",
        &[0; 4],
    ]
    .concat()
}

/// Mixes down and resamples.
fn hear(sound: &mut Sound<impl Read>, shape: Shape, path: &Path) -> Result<Ear, WavError> {
    let channels = usize::from(shape.spec.channels);
    let rate = u64::from(shape.spec.sample_rate);
    let mut ear = Ear::new(shape.spec.sample_rate);
    each_piece(sound, shape, path, |samples| {
        samples.chunks_exact(channels).for_each(|frame| ear.push(frame));
        let is_long = Duration::from_secs(ear.frames / rate) > RECORDING_LIMIT;
        if is_long { Err(WavError::TooLong { path: path.into() }) } else { Ok(()) }
    })?;
    if ear.frames == 0 {
        return Err(WavError::Empty { path: path.into() });
    }
    Ok(ear)
}

/// Reads all samples piece by piece, so that a long recording of high quality needs little memory.
fn each_piece<E: From<WavError>>(
    sound: &mut Sound<impl Read>,
    shape: Shape,
    path: &Path,
    mut take: impl FnMut(&[f32]) -> Result<(), E>,
) -> Result<(), E> {
    let channels = usize::from(shape.spec.channels);
    let frame_bytes = channels * shape.bytes;
    let mut block = vec![0; PIECE_SAMPLES * frame_bytes];
    let (mut samples, mut frames) = (Vec::new(), 0);
    loop {
        let damaged = |why: String, frames: usize| WavError::Damaged {
            path: path.into(),
            after: Duration::from_secs(frames as u64 / u64::from(shape.spec.sample_rate)),
            why,
        };
        let read = sound.fill(&mut block).map_err(|why| damaged(why.to_string(), frames))?;
        let whole = read - read % frame_bytes;
        samples.clear();
        for bytes in block[..whole].chunks_exact(shape.bytes) {
            let sample = shape.sample(bytes);
            let until = frames + samples.len() / channels;
            samples.push(sample.map_err(|why| damaged(why.to_string(), until))?);
        }
        frames += whole / frame_bytes;
        take(&samples)?;
        if read < block.len() {
            return Ok(());
        }
    }
}

/// What is heard of a recording.
struct Ear {
    mix: Track,
    /// The first of several channels: what is heard where all together are silent.
    first: Track,
    /// The mean of the channels' energies.
    side_energy: f64,
    frames: u64,
}

/// Sound that is being resampled.
struct Track {
    resampler: Resampler,
    piece: Vec<i16>,
    sound: Vec<i16>,
    energy: f64,
}

impl Ear {
    fn new(rate: u32) -> Self {
        let [mix, first] = [(); 2].map(|()| Track {
            resampler: Resampler::punctual(rate, 16_000),
            piece: Vec::with_capacity(PIECE_SAMPLES),
            sound: Vec::new(),
            energy: 0.0,
        });
        Self { mix, first, side_energy: 0.0, frames: 0 }
    }

    /// Adds a sample of each channel.
    fn push(&mut self, frame: &[f32]) {
        let channels = frame.len();
        let energy: f64 = frame.iter().map(|sample| f64::from(sample * sample)).sum();
        self.side_energy += energy / channels as f64;
        self.mix.push(frame.iter().sum::<f32>() / channels as f32);
        if let [first, _, ..] = frame {
            self.first.push(*first);
        }
        self.frames += 1;
    }

    /// Whether the channels are one another's opposite, so that nothing is left of their mix.
    fn is_cancelled(&self) -> bool {
        self.mix.energy < self.side_energy * CANCELLED_MAX
    }
}

impl Track {
    /// Adds a sample, from -1 to 1.
    fn push(&mut self, sample: f32) {
        self.energy += f64::from(sample * sample);
        // A cast saturates and makes zero of what is not a number.
        self.piece.push((sample * 32_768.0).round() as i16);
        if self.piece.len() == PIECE_SAMPLES {
            self.resampler.push(&self.piece, &mut self.sound);
            self.piece.clear();
        }
    }

    fn finish(mut self) -> Pcm16 {
        self.resampler.push(&self.piece, &mut self.sound);
        self.resampler.flush(&mut self.sound);
        Pcm16(self.sound)
    }
}

/// Writes 48 kHz mono as it comes. After [`Writer::flush`] the file can be played, whatever happens then.
pub struct Writer {
    path: PathBuf,
    inner: hound::WavWriter<BufWriter<File>>,
}

impl Writer {
    /// Makes the file, or empties it.
    pub fn create(path: &Path) -> Result<Self, WavError> {
        let spec = WavSpec {
            channels: 1,
            sample_rate: 48_000,
            bits_per_sample: 16,
            sample_format: SampleFormat::Int,
        };
        let inner = hound::WavWriter::create(path, spec).map_err(|error| failed(path, &error))?;
        Ok(Self { path: path.into(), inner })
    }

    /// Appends sound.
    pub fn write(&mut self, sound: &Pcm48) -> Result<(), WavError> {
        for sample in &sound.0 {
            self.inner.write_sample(*sample).map_err(|error| failed(&self.path, &error))?;
        }
        Ok(())
    }

    /// Brings the file and its header up to date.
    pub fn flush(&mut self) -> Result<(), WavError> {
        self.inner.flush().map_err(|error| failed(&self.path, &error))
    }

    /// Ends the file. (Dropping does so too, but tells no error.)
    pub fn finish(self) -> Result<(), WavError> {
        let Self { path, inner } = self;
        inner.finalize().map_err(|error| failed(&path, &error))
    }
}

fn failed(path: &Path, error: &hound::Error) -> WavError {
    WavError::Write { path: path.into(), why: error.to_string() }
}
