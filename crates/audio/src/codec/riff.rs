//! What is in a WAV file, whatever its header says of lengths. Pipes and recorders that were stopped leave
//! none there, or wrong ones: the length of the file wins.

use std::io::{self, Read};

/// From this length on a header says that its writer did not know it, as in `0xFFFFFFFF` and `0x7FFFF000`.
const UNKNOWN_FROM: u32 = 0x7fff_0000;
/// No format takes more bytes.
const FORMAT_MAX_BYTES: u64 = 1_024;
/// So many bytes after the sound tell whether another chunk follows: its padding, its name and its length.
const LOOKAHEAD_BYTES: usize = 9;

/// A WAV file, read up to its sound.
pub(super) struct Wave<R> {
    /// Its `fmt ` chunk.
    pub(super) format: Vec<u8>,
    pub(super) sound: Sound<R>,
}

/// The bytes of a file's sound.
pub(super) struct Sound<R> {
    source: R,
    left: Left,
    /// Bytes that were read ahead, the next one last.
    ahead: Vec<u8>,
    /// Whether the header promises an odd number of bytes, behind which there is one of padding.
    is_odd: bool,
}

/// How much sound is left.
enum Left {
    /// As many bytes as the header says.
    Bytes(u64),
    /// All that the file has.
    ToEnd,
    /// None, and the file ended where its header says, or in the middle of its sound.
    Nothing { is_short: bool },
}

impl<R: Read> Wave<R> {
    /// Reads up to the sound. The error is a part of a sentence.
    pub(super) fn open(mut source: R) -> Result<Self, String> {
        let mut head = [0; 12];
        let length = fill(&mut source, &mut head).map_err(|why| why.to_string())?;
        let is_riff = [b"RIFF", b"RF64", b"BW64"].iter().any(|mark| head.starts_with(*mark));
        if length < head.len() || !is_riff || !head.ends_with(b"WAVE") {
            return Err("it does not begin as one".to_owned());
        }
        let (mut format, mut first) = (None, None);
        loop {
            let Some((name, length)) = chunk(&mut source, first.take())? else {
                return Err("no sound is announced in it".to_owned());
            };
            if &name == b"data" {
                let format = format.ok_or_else(|| "its format is not announced".to_owned())?;
                return Ok(Self { format, sound: Sound::new(source, length) });
            }
            let mut body = source.by_ref().take(u64::from(length));
            if &name == b"fmt " {
                let mut bytes = Vec::new();
                let read = body.by_ref().take(FORMAT_MAX_BYTES).read_to_end(&mut bytes);
                read.map_err(|why| why.to_string())?;
                format = Some(bytes);
            }
            io::copy(&mut body, &mut io::sink()).map_err(|why| why.to_string())?;
            if length % 2 == 1 {
                first = padding(&mut source)?;
            }
        }
    }
}

/// The name and the length of the next chunk; nothing at the end. `first` is its first byte, if it was read.
fn chunk(source: &mut impl Read, first: Option<u8>) -> Result<Option<([u8; 4], u32)>, String> {
    let mut head = [0; 8];
    let known = usize::from(first.is_some());
    head[0] = first.unwrap_or_default();
    let read = fill(source, &mut head[known..]).map_err(|why| why.to_string())?;
    let [a, b, c, d, length @ ..] = head;
    Ok((known + read == head.len()).then_some(([a, b, c, d], u32::from_le_bytes(length))))
}

/// Takes the byte behind a chunk of odd length. Where its writer forgot it, it is the next chunk's first.
fn padding(source: &mut impl Read) -> Result<Option<u8>, String> {
    let mut byte = [0];
    let read = fill(source, &mut byte).map_err(|why| why.to_string())?;
    Ok((read == 1 && byte[0].is_ascii_alphanumeric()).then_some(byte[0]))
}

impl<R: Read> Sound<R> {
    fn new(source: R, length: u32) -> Self {
        let left = match length {
            UNKNOWN_FROM.. => Left::ToEnd,
            _ => Left::Bytes(u64::from(length)),
        };
        Self { source, left, ahead: Vec::new(), is_odd: length % 2 == 1 }
    }

    /// Fills a block with sound and says how many bytes it has; fewer than fit in only at the end.
    pub(super) fn fill(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < block.len() {
            let rest = &mut block[filled..];
            let wanted = match self.left {
                Left::Bytes(0) => {
                    self.look_ahead()?;
                    continue;
                }
                Left::Bytes(left) => rest.len().min(usize::try_from(left).unwrap_or(usize::MAX)),
                Left::ToEnd => rest.len(),
                Left::Nothing { .. } => break,
            };
            let read = self.read(&mut rest[..wanted])?;
            filled += read;
            self.left = match self.left {
                Left::Bytes(_) if read < wanted => Left::Nothing { is_short: true },
                Left::Bytes(left) => Left::Bytes(left - read as u64),
                Left::ToEnd if read < wanted => Left::Nothing { is_short: false },
                Left::ToEnd => Left::ToEnd,
                Left::Nothing { is_short } => Left::Nothing { is_short },
            };
        }
        Ok(filled)
    }

    /// Whether the file ended before the length that its header says.
    pub(super) fn is_short(&self) -> bool {
        matches!(self.left, Left::Nothing { is_short: true })
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut read = 0;
        while let Some(slot) = bytes.get_mut(read)
            && let Some(byte) = self.ahead.pop()
        {
            *slot = byte;
            read += 1;
        }
        Ok(read + fill(&mut self.source, &mut bytes[read..])?)
    }

    /// Looks at what follows the length that the header says: another chunk, the end, or more sound, of a
    /// recorder that was stopped before it brought its header up to date.
    fn look_ahead(&mut self) -> io::Result<()> {
        let mut bytes = [0; LOOKAHEAD_BYTES];
        let read = fill(&mut self.source, &mut bytes)?;
        let ahead = &bytes[..read];
        let is_chunk =
            is_name(ahead) || (self.is_odd && is_name(ahead.get(1..).unwrap_or_default()));
        if is_chunk || read < LOOKAHEAD_BYTES {
            self.left = Left::Nothing { is_short: false };
            return Ok(());
        }
        self.ahead = ahead.iter().rev().copied().collect();
        self.left = Left::ToEnd;
        Ok(())
    }
}

/// Whether bytes begin with the name of a chunk.
fn is_name(bytes: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_' | b'-');
    bytes.len() >= 4 && bytes[0].is_ascii_alphanumeric() && bytes[..4].iter().all(is_letter)
}

/// Reads until the bytes are full or there are no more.
fn fill(source: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match source.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
    Ok(filled)
}
