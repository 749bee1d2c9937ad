//! Files of sound, told by their first bytes: what a voice may send in the place of bare samples.

/// The beginnings of files: after so many bytes, these.
const BEGINNINGS: [(usize, &[u8], File); 9] = [
    (0, b"RIFF", File::Wav),
    (0, b"RF64", File::Wav),
    (0, b"BW64", File::Wav),
    (0, b"OggS", File::Ogg),
    (0, b"ID3", File::Mp3),
    (0, b"fLaC", File::Flac),
    (4, b"ftyp", File::Mp4),
    (0, b"\x1a\x45\xdf\xa3", File::WebM),
    (0, b"FORM", File::Aiff),
];
/// The bytes in which all of [`BEGINNINGS`] end.
const BEGIN_BYTES: usize = 8;
/// The most bytes by which a file is told: the longest frame of MP3 or AAC, and the head of the next one.
pub(super) const FILE_BYTES_MAX: usize = (1 << 13) + HEAD_BYTES;
/// The bytes of a frame's head that are read.
const HEAD_BYTES: usize = 6;

/// The bit rates of layer III, in MPEG 1 and in MPEG 2 and 2.5. 0 is none that can be read.
const KILOBITS_1: [usize; 16] =
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0];
const KILOBITS_2: [usize; 16] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0];

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    Wav,
    Ogg,
    Mp3,
    Flac,
    Mp4,
    WebM,
    Aiff,
    Aac,
}

impl File {
    /// The kind, for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Wav => "a WAV file",
            Self::Ogg => "an Ogg file",
            Self::Mp3 => "an MP3 file",
            Self::Flac => "a FLAC file",
            Self::Mp4 => "an MP4 file",
            Self::WebM => "a WebM file",
            Self::Aiff => "an AIFF file",
            Self::Aac => "an AAC file",
        }
    }
}

/// What the first bytes of an answer are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Told {
    /// A file of this kind.
    File(File),
    /// Bare samples, or a kind that nobody knows.
    Samples,
    /// It takes more bytes to tell.
    #[default]
    Unknown,
}

/// Tells what the bytes at the beginning of an answer are.
///
/// A frame of MP3 or AAC begins with 11 bits that a sample can have, too: two frames in a row tell it.
pub(super) fn tell(begin: &[u8]) -> Told {
    let found = BEGINNINGS
        .iter()
        .find(|(at, bytes, _)| begin.get(*at..).is_some_and(|rest| rest.starts_with(bytes)));
    if let Some((_, _, file)) = found {
        return Told::File(*file);
    }
    if begin.len() < BEGIN_BYTES {
        return Told::Unknown;
    }
    let Some((file, length)) = frame(begin) else { return Told::Samples };
    match begin.get(length..length + HEAD_BYTES) {
        None => Told::Unknown,
        Some(next) if frame(next).is_some_and(|(same, _)| same == file) => Told::File(file),
        Some(_) => Told::Samples,
    }
}

/// Returns the kind and the length of the frame that a head begins (ISO 11172-3, 13818-3 and 13818-7).
fn frame(head: &[u8]) -> Option<(File, usize)> {
    let [0xff, second, third, fourth, fifth, sixth, ..] = *head else { return None };
    let is_aac = second & 0xf6 == 0xf0;
    if is_aac {
        let high = usize::from(fourth & 3) << 11;
        let length = high | usize::from(fifth) << 3 | usize::from(sixth >> 5);
        return (length > HEAD_BYTES).then_some((File::Aac, length));
    }
    // Layer III alone: nobody speaks in the others.
    if second & 0xe6 != 0xe2 {
        return None;
    }
    let (rates, kilobits, per_frame): ([usize; 3], _, usize) = match second >> 3 & 3 {
        3 => ([44_100, 48_000, 32_000], KILOBITS_1, 144),
        2 => ([22_050, 24_000, 16_000], KILOBITS_2, 72),
        0 => ([11_025, 12_000, 8_000], KILOBITS_2, 72),
        _ => return None,
    };
    let rate = rates.get(usize::from(third >> 2 & 3))?;
    let kilobits = kilobits[usize::from(third >> 4)];
    let padding = usize::from(third >> 1 & 1);
    (kilobits > 0).then(|| (File::Mp3, per_frame * kilobits * 1_000 / rate + padding))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P10: files are told by their first bytes, and samples that look like a frame are samples.
    #[test]
    fn files_are_told() {
        let frames = |head: &[u8], length: usize| {
            let mut frame = head.to_vec();
            frame.resize(length, 0x55);
            frame.repeat(3)
        };
        let begun = |begin: &[u8]| [begin, &[9; 16]].concat();
        let mp3 = frames(b"\xff\xfb\x90\xc4", 417);
        for (bytes, told) in [
            (begun(b"RIFF"), Told::File(File::Wav)),
            (begun(b"OggS\0\x02"), Told::File(File::Ogg)),
            (begun(b"ID3\x04"), Told::File(File::Mp3)),
            (begun(b"fLaC"), Told::File(File::Flac)),
            (begun(b"\0\0\0\x20ftypM4A "), Told::File(File::Mp4)),
            (begun(b"\x1a\x45\xdf\xa3"), Told::File(File::WebM)),
            (mp3.clone(), Told::File(File::Mp3)),
            (frames(b"\xff\xf3\x64\xc4", 144), Told::File(File::Mp3)),
            (frames(b"\xff\xf1\x50\x80\x19\xff", 207), Told::File(File::Aac)),
            (mp3[..417].to_vec(), Told::Unknown),
            (b"ID".to_vec(), Told::Unknown),
            (Vec::new(), Told::Unknown),
            (frames(b"\xff\xfb\x90\xc4", 400), Told::Samples),
            ([0xff; 4_000].to_vec(), Told::Samples),
            ([0; 4_000].to_vec(), Told::Samples),
            ([0xff, 0xfb].repeat(2_000), Told::Samples),
        ] {
            assert_eq!(tell(&bytes), told, "{:?}", &bytes[..bytes.len().min(8)]);
        }
    }
}
