//! Ogg files with Opus in them (RFC 7845), written page by page: a file that breaks off plays up to its last
//! whole page.

use std::{
    collections::VecDeque,
    io::{self, BufWriter, Cursor, Read, Seek, Write},
};

use ogg::{PacketReader, PacketWriteEndInfo, PacketWriter};

/// Packets of one page: half a second. A whole page is handed to the system at once.
pub const PAGE_PACKETS: u32 = 25;
/// A packet is 20 ms, counted at 48 kHz.
const PACKET_GRANULES: u64 = 960;
/// There is one stream in a file, so any number will do.
const SERIAL: u32 = 1;

/// Packets before the first one with sound: two headers.
const HEADERS: usize = 2;
const HEAD_MAGIC: &[u8] = b"OpusHead";
/// Packets that are read: 20 s of the shortest. A packet takes many times the bytes here that it can have in
/// a file.
const PACKETS_MAX: usize = 8_192;

/// Whether bytes claim to be Ogg.
pub fn is_ogg(bytes: &[u8]) -> bool {
    bytes.starts_with(b"OggS")
}

/// The Opus packets, in order, up to where the file is damaged or cut off, and of too many the last; nothing
/// if it holds something else.
pub fn packets(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut reader = PacketReader::new(Cursor::new(bytes));
    let mut packets = std::iter::from_fn(|| reader.read_packet().ok().flatten()).map(|p| p.data);
    packets.next().filter(|head| head.starts_with(HEAD_MAGIC))?;
    let mut last = VecDeque::new();
    for packet in packets.skip(HEADERS - 1) {
        if last.len() == PACKETS_MAX {
            last.pop_front();
        }
        last.push_back(packet);
    }
    Some(last.into())
}

/// The packets with sound of a file of ours, in order, up to where it is damaged or cut off.
pub fn sound(file: impl Read + Seek) -> impl Iterator<Item = Vec<u8>> {
    let mut reader = PacketReader::new(file);
    let packets = std::iter::from_fn(move || reader.read_packet().ok().flatten());
    packets.skip(HEADERS).map(|packet| packet.data)
}

/// What is in the file, for whoever plays it.
#[derive(Clone, Copy, Debug)]
pub struct OpusHead<'a> {
    /// One or two.
    pub channels: u8,
    /// Samples at 48 kHz to be dropped at the start.
    pub pre_skip: u16,
    /// The rate that the encoder was fed with, in Hz.
    pub sample_rate: u32,
    /// One sentence that players may show.
    pub description: &'a str,
}

/// An Ogg file that grows.
pub struct OggOpus<W: Write> {
    pages: PacketWriter<'static, BufWriter<W>>,
    /// Packets so far.
    packets: u64,
    /// Packets since the last page.
    in_page: u32,
}

impl<W: Write> OggOpus<W> {
    /// Writes both headers, each on a page of its own.
    pub fn begin(out: W, head: OpusHead<'_>) -> io::Result<Self> {
        let mut file =
            Self { pages: PacketWriter::new(BufWriter::new(out)), packets: 0, in_page: 0 };
        file.write(head.id_header(), PacketWriteEndInfo::EndPage)?;
        file.write(head.comment_header(), PacketWriteEndInfo::EndPage)?;
        Ok(file)
    }

    /// Appends a packet of 20 ms.
    pub fn packet(&mut self, packet: Vec<u8>) -> io::Result<()> {
        self.packets += 1;
        self.in_page += 1;
        if self.in_page < PAGE_PACKETS {
            return self.write(packet, PacketWriteEndInfo::NormalPacket);
        }
        self.in_page = 0;
        self.write(packet, PacketWriteEndInfo::EndPage)
    }

    /// Appends the last packet, and says that it is the last.
    pub fn finish(mut self, packet: Vec<u8>) -> io::Result<()> {
        self.packets += 1;
        self.write(packet, PacketWriteEndInfo::EndStream)
    }

    fn write(&mut self, packet: Vec<u8>, end: PacketWriteEndInfo) -> io::Result<()> {
        self.pages.write_packet(packet, SERIAL, end, self.packets * PACKET_GRANULES)?;
        match end {
            PacketWriteEndInfo::NormalPacket => Ok(()),
            PacketWriteEndInfo::EndPage | PacketWriteEndInfo::EndStream => {
                self.pages.inner_mut().flush()
            }
        }
    }
}

impl OpusHead<'_> {
    fn id_header(&self) -> Vec<u8> {
        let mut header = HEAD_MAGIC.to_vec();
        header.extend([1, self.channels]);
        header.extend(self.pre_skip.to_le_bytes());
        header.extend(self.sample_rate.to_le_bytes());
        // No gain; the usual one or two channels.
        header.extend([0, 0, 0]);
        header
    }

    fn comment_header(&self) -> Vec<u8> {
        let text = |text: &str| {
            let length = u32::try_from(text.len()).unwrap_or_default().to_le_bytes();
            [&length[..], text.as_bytes()].concat()
        };
        let comment = format!("DESCRIPTION={}", self.description);
        let vendor = concat!("vivavoce ", env!("CARGO_PKG_VERSION"));
        [&b"OpusTags"[..], &text(vendor), &1_u32.to_le_bytes(), &text(&comment)].concat()
    }
}

#[cfg(test)]
mod tests {
    use ogg::Packet;

    use super::*;

    const HEAD: OpusHead<'_> =
        OpusHead { channels: 2, pre_skip: 312, sample_rate: 16_000, description: "two people" };

    /// A file of so many packets and the last one, and where its pages end.
    fn file(packets: u8) -> (Vec<u8>, Vec<usize>) {
        let mut bytes = Vec::new();
        let mut file = OggOpus::begin(&mut bytes, HEAD).unwrap();
        for n in 0..packets {
            file.packet(vec![n; usize::from(n) * 5]).unwrap();
        }
        file.finish(vec![0xff]).unwrap();
        let starts = bytes.windows(4).enumerate().filter(|(_, four)| four == b"OggS");
        let ends = starts.map(|(at, _)| at).skip(1).chain([bytes.len()]).collect();
        (bytes, ends)
    }

    fn read(bytes: &[u8]) -> Vec<Packet> {
        let mut reader = PacketReader::new(Cursor::new(bytes));
        std::iter::from_fn(|| reader.read_packet().ok().flatten()).collect()
    }

    /// R10: the headers are RFC 7845's, and each page ends at the granule of what was said until then.
    #[test]
    fn pages_tell_their_time() {
        let (bytes, ends) = file(60);
        let packets = read(&bytes);
        let head = [&b"OpusHead"[..], &[1, 2, 0x38, 1, 0x80, 0x3e, 0, 0, 0, 0, 0]].concat();
        assert_eq!(packets[0].data, head);
        assert!(packets[1].data.starts_with(b"OpusTags"));
        assert!(packets[1].data.ends_with(b"DESCRIPTION=two people"));
        assert_eq!((packets[0].absgp_page(), packets[1].absgp_page()), (0, 0));
        assert_eq!(ends.len(), 2 + 3, "two headers, two full pages and the rest");
        for (n, packet) in packets[2..].iter().enumerate() {
            let page_end = (n / 25 + 1) * 25;
            assert_eq!(packet.absgp_page(), page_end.min(61) as u64 * 960, "packet {n}");
        }
        assert!(packets[62].last_in_stream() && packets[0].first_in_stream());
    }

    /// R10: whatever is cut off at the end, all pages before it are read, and nothing else is.
    #[test]
    fn a_torn_file_is_read_up_to_its_last_whole_page() {
        let (bytes, ends) = file(60);
        let whole = read(&bytes);
        for cut in 0..bytes.len() {
            let pages = ends.iter().filter(|end| **end <= cut).count();
            let packets = if pages <= 2 { pages } else { 2 + (pages - 2) * 25 };
            let read = read(&bytes[..cut]);
            assert_eq!(read.len(), packets, "cut at {cut}");
            assert!(read.iter().zip(&whole).all(|(a, b)| a.data == b.data), "cut at {cut}");
        }
    }

    /// R05, R08: sound that others recorded is read up to where it is cut off; other files and noise are
    /// refused.
    #[test]
    fn sound_is_read_back() {
        let (bytes, _) = file(60);
        let sound = packets(&bytes).unwrap();
        assert_eq!((sound.len(), sound[3].len(), &sound[60][..]), (61, 15, &[0xff][..]));
        let torn = packets(&bytes[..bytes.len() - 1]).unwrap();
        assert!(!torn.is_empty() && sound.starts_with(&torn));
        let mut bytes = Vec::new();
        let mut file = OggOpus::begin(&mut bytes, HEAD).unwrap();
        for n in 0..PACKETS_MAX {
            file.packet(n.to_le_bytes().to_vec()).unwrap();
        }
        file.finish(vec![0xff]).unwrap();
        let last = packets(&bytes).unwrap();
        assert_eq!((last.len(), &last[0][..]), (PACKETS_MAX, &1_usize.to_le_bytes()[..]));
        assert_eq!(packets(b"OggS and then nothing of the kind"), None);
        assert_eq!(packets(&[]), None);
        let mut vorbis = Vec::new();
        let mut pages = PacketWriter::new(&mut vorbis);
        let first = b"\x01vorbis".to_vec();
        pages.write_packet(first, SERIAL, PacketWriteEndInfo::EndStream, 0).unwrap();
        assert_eq!(packets(&vorbis), None);
    }
}
