//! WAV files: recordings in, our sound out.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use hound::{SampleFormat, WavSpec};

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
    /// It ends in the middle of its sound, or a sample is broken.
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
    #[error(
        "{}: the recording is {} min long, the limit is 30 min: cut it",
        path.display(),
        length.as_secs() / 60
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// How long it is.
        length: Duration,
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

/// Reads a WAV from anywhere; `path` is what errors call it.
pub fn parse(bytes: impl Read, path: &Path) -> Result<Recording, WavError> {
    let mut reader = hound::WavReader::new(bytes)
        .map_err(|error| WavError::NotWav { path: path.into(), why: error.to_string() })?;
    let spec = reader.spec();
    check(spec, reader.duration(), path)?;
    let scale = 1.0 / (1_u64 << (spec.bits_per_sample.max(1) - 1)) as f32;
    let sound = match spec.sample_format {
        SampleFormat::Float => mix(reader.samples::<f32>(), spec, path)?,
        SampleFormat::Int => {
            mix(reader.samples::<i32>().map(|s| s.map(|s| s as f32 * scale)), spec, path)?
        }
    };
    let warning = (spec.sample_rate < 16_000).then(|| {
        format!(
            "{}: recorded at {} Hz; speech is recognised worse below 16000 Hz",
            path.display(),
            spec.sample_rate
        )
    });
    Ok(Recording { sound, warning })
}

fn check(spec: WavSpec, frames: u32, path: &Path) -> Result<(), WavError> {
    let path = || path.to_path_buf();
    if !RATES.contains(&spec.sample_rate) {
        let what = format!("a sample rate of {} Hz", spec.sample_rate);
        return Err(WavError::Unusual { path: path(), what });
    }
    if !(1..=CHANNELS_MAX).contains(&spec.channels) {
        let what = format!("sound of {} channels", spec.channels);
        return Err(WavError::Unusual { path: path(), what });
    }
    if spec.bits_per_sample > BITS_MAX {
        let what = format!("samples of {} bits", spec.bits_per_sample);
        return Err(WavError::Unusual { path: path(), what });
    }
    let length = Duration::from_secs(u64::from(frames) / u64::from(spec.sample_rate));
    if length > RECORDING_LIMIT {
        return Err(WavError::TooLong { path: path(), length });
    }
    if frames == 0 {
        return Err(WavError::Empty { path: path() });
    }
    Ok(())
}

/// Mixes down and resamples piece by piece, so that a long recording of high quality needs little memory.
fn mix(
    samples: impl Iterator<Item = hound::Result<f32>>,
    spec: WavSpec,
    path: &Path,
) -> Result<Pcm16, WavError> {
    let channels = usize::from(spec.channels);
    let mut resampler = Resampler::punctual(spec.sample_rate, 16_000);
    let (mut sound, mut piece) = (Vec::new(), Vec::with_capacity(PIECE_SAMPLES));
    let (mut frame, mut filled) = (0.0, 0);
    for sample in samples {
        let sample = sample.map_err(|error| WavError::Damaged {
            path: path.into(),
            after: Pcm16(std::mem::take(&mut sound)).duration(),
            why: error.to_string(),
        })?;
        frame += sample;
        filled += 1;
        if filled < channels {
            continue;
        }
        // A cast saturates and makes zero of what is not a number.
        piece.push((frame / channels as f32 * 32_768.0).round() as i16);
        (frame, filled) = (0.0, 0);
        if piece.len() == PIECE_SAMPLES {
            resampler.push(&piece, &mut sound);
            piece.clear();
        }
    }
    resampler.push(&piece, &mut sound);
    resampler.flush(&mut sound);
    Ok(Pcm16(sound))
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
