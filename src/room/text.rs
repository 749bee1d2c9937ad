//! Text streams of the others, put together from their packets.
//!
//! We announce no data streams v2, so nobody sends us compressed ones.

use std::collections::BTreeMap;

use livekit_protocol::data_stream;

use super::{RoomEvent, Text, TextChunk};

/// Streams that may be open at a time; with more, the oldest is forgotten.
const STREAMS_MAX: usize = 64;
/// Bytes that a stream may have; a longer one is forgotten.
const STREAM_BYTES_MAX: usize = 256 * 1024;

/// The open text streams.
#[derive(Debug, Default)]
pub(super) struct Streams {
    /// Oldest first.
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    id: String,
    /// The sid of whoever really sends it: the server vouches for it in every packet, while the identity
    /// may be that of somebody who is transcribed, and is so in some packets only.
    from: String,
    sender: String,
    topic: String,
    attributes: BTreeMap<String, String>,
    bytes: Vec<u8>,
    /// How many of them have been told in chunks.
    told: usize,
}

impl Streams {
    /// A stream begins. One that is not text is not for us.
    pub(super) fn header(
        &mut self,
        from: &str,
        sender: &str,
        header: data_stream::Header,
    ) -> Vec<RoomEvent> {
        let Some(data_stream::header::ContentHeader::TextHeader(_)) = header.content_header else {
            return Vec::new();
        };
        self.open.retain(|s| !(s.from == from && s.id == header.stream_id));
        if self.open.len() >= STREAMS_MAX {
            self.open.remove(0);
        }
        self.open.push(Open {
            id: header.stream_id.clone(),
            from: from.to_owned(),
            sender: sender.to_owned(),
            topic: header.topic,
            attributes: header.attributes.into_iter().collect(),
            bytes: Vec::new(),
            told: 0,
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
        self.end(from, &trailer.stream_id, trailer.attributes.into_iter().collect())
    }

    /// Somebody is gone, and with them the rest of their streams.
    pub(super) fn forget(&mut self, from: &str) {
        self.open.retain(|s| s.from != from);
    }

    fn grow(&mut self, from: &str, id: &str, content: &[u8]) -> Vec<RoomEvent> {
        let Some(n) = self.open.iter().position(|s| s.from == from && s.id == id) else {
            return Vec::new();
        };
        let stream = &mut self.open[n];
        if stream.bytes.len() + content.len() > STREAM_BYTES_MAX {
            tracing::warn!(from, "forgot a text stream that is too long");
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
        vec![RoomEvent::Text(Text {
            stream: stream.id,
            sender: stream.sender,
            topic: stream.topic,
            attributes: stream.attributes,
            text: String::from_utf8_lossy(&stream.bytes).into_owned(),
        })]
    }
}

impl Open {
    /// The whole characters that came since the last chunk.
    fn untold(&mut self) -> Option<RoomEvent> {
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

    /// R04: a text comes in pieces and as a whole, the trailer's attributes win, and a character cut
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

    /// R08: chunks and trailers of nobody's stream, invalid UTF-8 and endless streams do no harm.
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
        assert_eq!(streams.open.len(), STREAMS_MAX);
        streams.chunk("a", &chunk("999", &vec![b'x'; STREAM_BYTES_MAX + 1]));
        assert!(streams.trailer("a", trailer("999")).is_empty(), "too long, so it is gone");
        streams.forget("a");
        assert!(streams.open.is_empty());
    }
}
