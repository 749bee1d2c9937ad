//! The Opus packets of a WebM stream, as the recorders of browsers make it: clusters of unknown size that
//! follow one another, and an end wherever the recorder was stopped. Read by 100 lines of our own, because
//! the demuxers there are allocate what a header promises.

/// Elements that are read.
const TRACK_ENTRY: u32 = 0xAE;
const CODEC: u32 = 0x86;
const SIMPLE_BLOCK: u32 = 0xA3;
const BLOCK: u32 = 0xA1;
/// Elements that are entered: segment, tracks, track, cluster, block group.
const CONTAINERS: [u32; 5] = [0x1853_8067, 0x1654_AE6B, TRACK_ENTRY, 0x1F43_B675, 0xA0];
/// What every such stream begins with.
const MAGIC: [u8; 4] = [0x1A, 0x45, 0xDF, 0xA3];
const OPUS: &[u8] = b"A_OPUS";
/// Flags of a block that say that several packets are laced into it.
const LACING: u8 = 0b110;

/// Why there are no packets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebmError {
    /// It is something else, or damaged.
    #[error("no WebM: byte {0} begins no element")]
    Malformed(usize),
    /// It is WebM, with sound or pictures that are not Opus.
    #[error("its codec is {0:?}, not Opus")]
    Codec(String),
    /// No recorder laces speech.
    #[error("its packets are laced")]
    Laced,
}

/// Whether bytes claim to be WebM.
pub fn is_webm(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The Opus packets, in order. What is cut off at the end is left out.
pub fn packets(bytes: &[u8]) -> Result<Vec<&[u8]>, WebmError> {
    if !is_webm(bytes) {
        return Err(WebmError::Malformed(0));
    }
    let (mut packets, mut at) = (Vec::new(), 0);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((element, header)) = element(rest) else {
            // A header that is cut off, or none at all.
            return if rest.len() < HEADER_BYTES_MAX {
                Ok(packets)
            } else {
                Err(WebmError::Malformed(at))
            };
        };
        at += header;
        if CONTAINERS.contains(&element.id) {
            continue;
        }
        let size = element.size.ok_or(WebmError::Malformed(at))?;
        let Some(content) = usize::try_from(size).ok().and_then(|size| rest[header..].get(..size))
        else {
            return Ok(packets);
        };
        match element.id {
            CODEC if content != OPUS => {
                return Err(WebmError::Codec(String::from_utf8_lossy(content).into_owned()));
            }
            SIMPLE_BLOCK | BLOCK => packets.extend(packet(content)?),
            _ => {}
        }
        at += content.len();
    }
    Ok(packets)
}

/// An id of four bytes and a size of eight.
const HEADER_BYTES_MAX: usize = 12;

struct Element {
    id: u32,
    /// Nothing: up to where its container ends.
    size: Option<u64>,
}

/// The element that begins here, and how long its header is.
fn element(bytes: &[u8]) -> Option<(Element, usize)> {
    let (id, id_bytes) = number(bytes).filter(|(_, bytes)| *bytes <= 4)?;
    let (size, size_bytes) = number(&bytes[id_bytes..])?;
    // Ids are written with the bit that tells their length, sizes without; all ones say that it is not known.
    let without_marker = (1_u64 << (7 * size_bytes)) - 1;
    let size = Some(size & without_marker).filter(|size| *size != without_marker);
    Some((Element { id: u32::try_from(id).ok()?, size }, id_bytes + size_bytes))
}

/// A number of one to eight bytes, its marker included, and its length.
fn number(bytes: &[u8]) -> Option<(u64, usize)> {
    let length = bytes.first()?.leading_zeros() as usize + 1;
    let digits = bytes.get(..length).filter(|_| length <= 8)?;
    Some((digits.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)), length))
}

/// The packet of a block: behind the track's number, a time and flags. Nothing if it is empty.
fn packet(block: &[u8]) -> Result<Option<&[u8]>, WebmError> {
    let Some((flags, packet)) =
        number(block).and_then(|(_, length)| block.get(length + 2..)?.split_first())
    else {
        return Ok(None);
    };
    match flags & LACING {
        0 => Ok(Some(packet).filter(|packet| !packet.is_empty())),
        _ => Err(WebmError::Laced),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A stream as browsers record it: a header, a segment and clusters of unknown size, tracks, and blocks.
    fn recorded(codec: &[u8], packets: &[&[u8]]) -> Vec<u8> {
        let element = |id: &[u8], content: &[u8]| {
            let size = 0x4000 | u16::try_from(content.len()).unwrap();
            [id, &size.to_be_bytes(), content].concat()
        };
        let unknown = |id: &[u8]| [id, &[0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]].concat();
        let track = [element(&[0xD7], &[1]), element(&[0x86], codec)].concat();
        let mut stream = element(&MAGIC, &element(&[0x42, 0x82], b"webm"));
        stream.extend(unknown(&[0x18, 0x53, 0x80, 0x67]));
        stream.extend(element(&[0x15, 0x49, 0xA9, 0x66], &element(&[0x4D, 0x80], b"Chrome")));
        stream.extend(element(&[0x16, 0x54, 0xAE, 0x6B], &element(&[0xAE], &track)));
        for pair in packets.chunks(2) {
            stream.extend(unknown(&[0x1F, 0x43, 0xB6, 0x75]));
            stream.extend(element(&[0xE7], &[0, 1]));
            for packet in pair {
                let block = [&[0x81, 0, 0, 0x80], *packet].concat();
                stream.extend(element(&[0xA3], &block));
            }
        }
        stream
    }

    const PACKETS: [&[u8]; 5] = [b"one", b"two", b"three", b"four", b"five"];

    /// R05: the packets of a recording come in order, and wherever it is cut off, those before it.
    #[test]
    fn packets_are_found() {
        let stream = recorded(OPUS, &PACKETS);
        assert_eq!(packets(&stream).unwrap(), PACKETS);
        for cut in MAGIC.len()..stream.len() {
            let is_whole = |packet: &&&[u8]| {
                let mut places = stream[..cut].windows(packet.len());
                places.any(|place| place == **packet)
            };
            let whole = PACKETS.iter().take_while(is_whole).count();
            assert_eq!(packets(&stream[..cut]).unwrap(), PACKETS[..whole], "cut at {cut}");
        }
    }

    /// R08: what is no Opus in WebM is refused in a sentence.
    #[test]
    fn what_is_not_opus_is_refused() {
        let vorbis = recorded(b"A_VORBIS", &PACKETS);
        assert_eq!(packets(&vorbis), Err(WebmError::Codec("A_VORBIS".into())));
        assert_eq!(packets(b"RIFF....WAVE"), Err(WebmError::Malformed(0)));
        let mut laced = recorded(OPUS, &PACKETS[..1]);
        let flags = laced.len() - b"one".len() - 1;
        laced[flags] = 0x82;
        assert_eq!(packets(&laced), Err(WebmError::Laced));
        let zeros = [&recorded(OPUS, &[])[..], &[0; 20]].concat();
        assert!(matches!(packets(&zeros), Err(WebmError::Malformed(_))));
    }

    proptest! {
        /// R08: whatever comes, reading it is no panic, and nothing is made up.
        #[test]
        fn any_bytes_are_read(noise in prop::collection::vec(any::<u8>(), 0..200), at in 0_usize..200) {
            let mut stream = recorded(OPUS, &PACKETS);
            let at = at.min(stream.len());
            stream.splice(at..(at + noise.len()).min(stream.len()), noise);
            let held: usize = packets(&stream).map_or(0, |found| found.iter().map(|p| p.len()).sum());
            prop_assert!(held <= stream.len());
        }
    }
}
