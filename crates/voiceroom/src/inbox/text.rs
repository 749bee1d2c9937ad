//! Text streams of the others, and the sound that they recorded before we heard them, put together from their
//! packets.
//!
//! We announce no data streams v2, so nobody sends us compressed ones.

use std::{collections::BTreeMap, time::Instant};

use livekit_protocol::data_stream;

use super::{Bytes, PRE_CONNECT_TOPIC, RECORDED_TRACK, RoomEvent, Text, TextChunk, limits};
use crate::clock;

/// Streams that may be open at a time; with more, the oldest is forgotten.
pub(super) const STREAMS_MAX: usize = 64;
/// Streams of one sender that may be open at a time; with more, their own oldest is forgotten, so that nobody
/// pushes out what others write.
pub(super) const STREAMS_OF_ONE_MAX: usize = 16;
/// Bytes that a text may have; a longer one is forgotten.
pub(super) const TEXT_BYTES_MAX: usize = 256 * 1024;
/// Bytes of all texts that one sender has not ended; the one that grows beyond is forgotten.
pub(super) const TEXTS_OF_ONE_BYTES_MAX: usize = 2 * TEXT_BYTES_MAX;
/// Bytes that recorded sound may have: ten seconds in stereo at 48 kHz, uncompressed.
const SOUND_BYTES_MAX: usize = 2_000_000;
/// Recordings that may come at a time: an agent listens to one participant, who may just have reloaded their
/// page.
const SOUNDS_MAX: usize = 2;

/// The open streams.
#[derive(Debug, Default)]
pub(super) struct Streams {
    /// Oldest first.
    open: Vec<Open>,
    /// Whether it was said that a stream is too long: once is enough, whoever sends such streams sends many.
    has_warned: bool,
}

#[derive(Debug)]
struct Open {
    id: String,
    /// The sid of whoever really sends it: the server vouches for it in every packet, while the identity
    /// may be that of somebody who is transcribed, and is so in some packets only.
    from: String,
    sender: String,
    topic: String,
    kind: Kind,
    attributes: BTreeMap<String, String>,
    bytes: Vec<u8>,
    /// How many of them have been told in chunks.
    told: usize,
    opened: Instant,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Text,
    /// Of this type.
    Bytes(String),
}

impl Streams {
    /// A stream begins. Of those that are no text, only recorded sound is for us.
    pub(super) fn header(
        &mut self,
        from: &str,
        sender: &str,
        header: data_stream::Header,
    ) -> Vec<RoomEvent> {
        use data_stream::header::ContentHeader;
        let kind = match header.content_header {
            Some(ContentHeader::TextHeader(_)) => Kind::Text,
            Some(ContentHeader::ByteHeader(_)) if header.topic == PRE_CONNECT_TOPIC => {
                Kind::Bytes(header.mime_type)
            }
            Some(ContentHeader::ByteHeader(_)) | None => return Vec::new(),
        };
        if header.stream_id.len().max(header.topic.len()) > limits::LABEL_BYTES_MAX {
            return Vec::new();
        }
        self.open.retain(|s| !(s.from == from && s.id == header.stream_id));
        self.make_place(from, &kind);
        self.open.push(Open {
            id: header.stream_id.clone(),
            from: from.to_owned(),
            sender: sender.to_owned(),
            topic: header.topic,
            kind,
            attributes: limits::attributes(header.attributes),
            bytes: Vec::new(),
            told: 0,
            opened: clock::instant(),
        });
        match header.inline_content {
            Some(content) if header.compression == 0 => {
                let mut events = self.grow(from, &header.stream_id, &content);
                events.extend(self.end(from, &header.stream_id, BTreeMap::new()));
                events
            }
            Some(_) => {
                self.open.pop();
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// More of a stream.
    pub(super) fn chunk(&mut self, from: &str, chunk: &data_stream::Chunk) -> Vec<RoomEvent> {
        self.grow(from, &chunk.stream_id, &chunk.content)
    }

    /// A stream ends.
    pub(super) fn trailer(&mut self, from: &str, trailer: data_stream::Trailer) -> Vec<RoomEvent> {
        self.end(from, &trailer.stream_id, limits::attributes(trailer.attributes))
    }

    /// Recordings of the tracks for which `is_heard`, by when they began, are over, whether their sender ends
    /// them or not: what else comes is heard live.
    pub(super) fn end_recordings(
        &mut self,
        is_heard: impl Fn(&str, Instant) -> bool,
    ) -> Vec<RoomEvent> {
        let is_over = |s: &Open| {
            s.kind != Kind::Text
                && s.attributes.get(RECORDED_TRACK).is_some_and(|track| is_heard(track, s.opened))
        };
        let over = self.open.iter().filter(|s| is_over(s));
        let over: Vec<_> = over.map(|s| (s.from.clone(), s.id.clone())).collect();
        over.iter().flat_map(|(from, id)| self.end(from, id, BTreeMap::new())).collect()
    }

    /// Somebody is gone, and with them the rest of their streams.
    pub(super) fn forget(&mut self, from: &str) {
        self.open.retain(|s| s.from != from);
    }

    /// The oldest are forgotten.
    fn make_place(&mut self, from: &str, kind: &Kind) {
        let is_sound = |s: &Open| s.kind != Kind::Text;
        let sounds = self.open.iter().filter(|s| is_sound(s)).count();
        if *kind != Kind::Text && sounds >= SOUNDS_MAX {
            let oldest = self.open.iter().position(is_sound);
            oldest.map(|n| self.open.remove(n));
        }
        let theirs = |s: &Open| s.from == from;
        if self.open.iter().filter(|s| theirs(s)).count() >= STREAMS_OF_ONE_MAX {
            let oldest = self.open.iter().position(theirs);
            oldest.map(|n| self.open.remove(n));
        }
        if self.open.len() >= STREAMS_MAX {
            self.open.remove(0);
        }
    }

    /// Bytes that are held of all that has not ended.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        let texts = |map: &BTreeMap<String, String>| -> usize {
            map.iter().map(|(key, value)| key.capacity() + value.capacity()).sum()
        };
        let one = |s: &Open| {
            let labels = s.id.capacity() + s.from.capacity() + s.sender.capacity();
            labels + s.topic.capacity() + texts(&s.attributes) + s.bytes.capacity()
        };
        self.open.iter().map(one).sum()
    }

    fn grow(&mut self, from: &str, id: &str, content: &[u8]) -> Vec<RoomEvent> {
        let Some(n) = self.open.iter().position(|s| s.from == from && s.id == id) else {
            return Vec::new();
        };
        let theirs = self.open.iter().filter(|s| s.from == from && s.kind == Kind::Text);
        let texts = theirs.map(|s| s.bytes.len()).sum::<usize>() + content.len();
        let stream = &mut self.open[n];
        let (bytes_max, is_too_much) = match stream.kind {
            Kind::Text => (TEXT_BYTES_MAX, texts > TEXTS_OF_ONE_BYTES_MAX),
            Kind::Bytes(_) => (SOUND_BYTES_MAX, false),
        };
        if stream.bytes.len() + content.len() > bytes_max || is_too_much {
            if !std::mem::replace(&mut self.has_warned, true) {
                tracing::warn!(
                    from,
                    topic = stream.topic,
                    bytes_max,
                    "forgot a stream that is too long"
                );
            }
            self.open.remove(n);
            return Vec::new();
        }
        stream.bytes.extend_from_slice(content);
        stream.untold().into_iter().collect()
    }

    fn end(&mut self, from: &str, id: &str, trailer: BTreeMap<String, String>) -> Vec<RoomEvent> {
        let Some(n) = self.open.iter().position(|s| s.from == from && s.id == id) else {
            return Vec::new();
        };
        let mut stream = self.open.remove(n);
        stream.attributes.extend(trailer);
        let Open { id: stream, sender, topic, kind, attributes, bytes, .. } = stream;
        vec![match kind {
            Kind::Text => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                RoomEvent::Text(Text { stream, sender, topic, attributes, text })
            }
            Kind::Bytes(mime_type) => {
                RoomEvent::Bytes(Bytes { sender, topic, mime_type, attributes, bytes })
            }
        }]
    }
}

impl Open {
    /// The whole characters that came since the last chunk.
    fn untold(&mut self) -> Option<RoomEvent> {
        if self.kind != Kind::Text {
            return None;
        }
        let rest = &self.bytes[self.told..];
        let text = match std::str::from_utf8(rest) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(),
        };
        if text.is_empty() {
            return None;
        }
        let chunk = TextChunk {
            stream: self.id.clone(),
            sender: self.sender.clone(),
            topic: self.topic.clone(),
            attributes: self.attributes.clone(),
            text: text.to_owned(),
        };
        self.told += chunk.text.len();
        Some(RoomEvent::TextChunk(chunk))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(id: &str) -> data_stream::Header {
        data_stream::Header {
            stream_id: id.into(),
            topic: "lk.chat".into(),
            attributes: [("k".to_owned(), "old".to_owned())].into(),
            content_header: Some(
                data_stream::header::ContentHeader::TextHeader(Default::default()),
            ),
            ..Default::default()
        }
    }

    fn chunk(id: &str, content: &[u8]) -> data_stream::Chunk {
        data_stream::Chunk { stream_id: id.into(), content: content.to_vec(), ..Default::default() }
    }

    fn trailer(id: &str) -> data_stream::Trailer {
        data_stream::Trailer {
            stream_id: id.into(),
            attributes: [("k".to_owned(), "new".to_owned())].into(),
            ..Default::default()
        }
    }

    /// A text comes in pieces and as a whole, the trailer's attributes win, and a character cut
    /// in two is told once it is complete.
    #[test]
    fn a_text_is_put_together() {
        let mut streams = Streams::default();
        assert!(streams.header("a", "ann", header("1")).is_empty());
        let mut told = String::new();
        for piece in [&b"na"[..], b"\xc3", b"\xafve"] {
            for event in streams.chunk("a", &chunk("1", piece)) {
                let RoomEvent::TextChunk(chunk) = event else { panic!("{event:?}") };
                told.push_str(&chunk.text);
            }
        }
        assert_eq!(told, "naïve");
        let [RoomEvent::Text(text)] = &streams.trailer("a", trailer("1"))[..] else { panic!() };
        assert_eq!((text.text.as_str(), text.attributes["k"].as_str()), ("naïve", "new"));
    }

    /// Chunks and trailers of nobody's stream, invalid UTF-8 and endless streams do no harm.
    #[test]
    fn nonsense_is_ignored() {
        let mut streams = Streams::default();
        assert!(streams.chunk("a", &chunk("1", b"x")).is_empty());
        assert!(streams.trailer("a", trailer("1")).is_empty());
        streams.header("a", "ann", header("1"));
        assert!(streams.chunk("b", &chunk("1", b"x")).is_empty(), "another sender's stream");
        assert!(streams.chunk("a", &chunk("1", b"\xff\xff")).is_empty());
        let [RoomEvent::Text(text)] = &streams.trailer("a", trailer("1"))[..] else { panic!() };
        assert_eq!(text.text, "\u{fffd}\u{fffd}");
        for n in 0..1_000 {
            streams.header("a", "ann", header(&n.to_string()));
        }
        assert_eq!(streams.open.len(), STREAMS_OF_ONE_MAX);
        streams.chunk("a", &chunk("999", &vec![b'x'; TEXT_BYTES_MAX + 1]));
        assert!(streams.trailer("a", trailer("999")).is_empty(), "too long, so it is gone");
        streams.forget("a");
        assert!(streams.open.is_empty());
    }

    /// Recorded sound comes as a whole, with its type and attributes; other bytes are not for us, sound
    /// without end is forgotten, and so is the oldest of too many.
    #[test]
    fn recorded_sound_is_put_together() {
        let sound = |id: &str, topic: &str| data_stream::Header {
            topic: topic.into(),
            mime_type: "audio/webm".into(),
            content_header: Some(
                data_stream::header::ContentHeader::ByteHeader(Default::default()),
            ),
            ..header(id)
        };
        let mut streams = Streams::default();
        streams.header("a", "ann", sound("1", "files"));
        assert!(streams.open.is_empty(), "a file of somebody");
        streams.header("a", "ann", sound("1", PRE_CONNECT_TOPIC));
        for piece in [&b"\xff\xfe"[..], b"\x00"] {
            assert!(streams.chunk("a", &chunk("1", piece)).is_empty(), "not told in pieces");
        }
        let [RoomEvent::Bytes(bytes)] = &streams.trailer("a", trailer("1"))[..] else { panic!() };
        assert_eq!((&bytes.bytes[..], &bytes.mime_type[..]), (&b"\xff\xfe\0"[..], "audio/webm"));
        assert_eq!((&bytes.sender[..], &bytes.attributes["k"][..]), ("ann", "new"));
        for id in ["2", "3", "4"] {
            streams.header("a", "ann", sound(id, PRE_CONNECT_TOPIC));
        }
        assert!(streams.trailer("a", trailer("2")).is_empty(), "the oldest of three");
        for _ in 0..=SOUND_BYTES_MAX / 15_000 {
            streams.chunk("a", &chunk("3", &[0; 15_000]));
        }
        assert!(streams.trailer("a", trailer("3")).is_empty(), "too long, so it is gone");
        assert_eq!(streams.trailer("a", trailer("4")).len(), 1);

        let mut of_track = sound("5", PRE_CONNECT_TOPIC);
        of_track.attributes = [(RECORDED_TRACK.to_owned(), "TR_a".to_owned())].into();
        streams.header("a", "ann", of_track);
        streams.header("a", "ann", header("6"));
        streams.chunk("a", &chunk("5", b"begun"));
        assert!(streams.end_recordings(|track, _| track == "TR_b").is_empty());
        let [RoomEvent::Bytes(bytes)] = &streams.end_recordings(|track, _| track == "TR_a")[..]
        else {
            panic!("never ended by the sender, heard all the same")
        };
        assert_eq!(bytes.bytes, b"begun");
        assert!(streams.chunk("a", &chunk("5", b"more")).is_empty());
        assert!(streams.trailer("a", trailer("5")).is_empty(), "heard once");
        assert_eq!(streams.trailer("a", trailer("6")).len(), 1, "a text goes on");
    }
}
