//! Captions: `lk.transcription` text streams, and the legacy transcription packets for older frontends beside
//! them.

use std::collections::BTreeMap;

use livekit_protocol::{self as proto, DataPacket, data_packet::Value, data_stream};

use super::TRANSCRIPTION_TOPIC;

/// Content of one chunk; longer text is split at a boundary of UTF-8.
const CHUNK_BYTES_MAX: usize = 15_000;
/// Segments of ours that may be open; with more, the oldest is closed.
const SEGMENTS_MAX: usize = 16;

const SEGMENT_ID: &str = "lk.segment_id";
const TRACK_ID: &str = "lk.transcribed_track_id";
const FINAL: &str = "lk.transcription_final";

/// A caption to show to everybody in the room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caption {
    /// The next words of one of our own segments. The first ones begin the segment.
    Ours {
        /// The segment's id, chosen by the caller.
        segment: String,
        /// The words that follow the ones before.
        delta: String,
    },
    /// The end of one of our own segments.
    OursEnded {
        /// The segment's id.
        segment: String,
    },
    /// What another participant has said, transcribed: the whole segment each time.
    Theirs {
        /// The participant's identity.
        participant: String,
        /// The sid of the track in which it was said.
        track: String,
        /// The segment's id: the same for each version.
        segment: String,
        /// All words of the segment.
        text: String,
        /// Whether a better version may follow.
        version: Version,
    },
}

/// Whether a better version of a transcribed segment may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// It may.
    Partial,
    /// It will not.
    Final,
}

/// Makes packets of captions, across sessions: a stream that a re-join has cut begins again with all
/// of its words.
#[derive(Debug, Default)]
pub(super) struct Captions {
    /// Our open segments, oldest first.
    open: Vec<Segment>,
    streams: u64,
}

#[derive(Debug)]
struct Segment {
    id: String,
    text: String,
    stream: Stream,
}

#[derive(Debug)]
enum Stream {
    /// The others know nothing of it yet.
    Unsent,
    /// They have its header and so many chunks.
    Sent { id: String, chunks: u64 },
}

/// Who we are in the present session.
pub(super) struct Speaker<'a> {
    pub(super) identity: &'a str,
    pub(super) sid: &'a str,
    pub(super) track: &'a str,
    pub(super) unix_ms: i64,
}

impl Captions {
    /// The packets that show a caption.
    pub(super) fn packets(&mut self, caption: Caption, we: &Speaker<'_>) -> Vec<DataPacket> {
        match caption {
            Caption::Ours { segment, delta } => self.grow(segment, &delta, we),
            Caption::OursEnded { segment } => self.end(&segment, we),
            Caption::Theirs { participant, track, segment, text, version } => {
                self.theirs(&participant, &track, &segment, &text, version, we)
            }
        }
    }

    /// A new session has begun: its server knows none of our streams.
    pub(super) fn begin_session(&mut self) {
        for segment in &mut self.open {
            segment.stream = Stream::Unsent;
        }
    }

    fn grow(&mut self, id: String, delta: &str, we: &Speaker<'_>) -> Vec<DataPacket> {
        let mut packets = Vec::new();
        if !self.open.iter().any(|s| s.id == id) {
            if self.open.len() >= SEGMENTS_MAX {
                let oldest = self.open[0].id.clone();
                packets.extend(self.end(&oldest, we));
            }
            self.open.push(Segment { id: id.clone(), text: String::new(), stream: Stream::Unsent });
        }
        let fresh = self.fresh_stream_id(we);
        let Some(segment) = self.open.iter_mut().find(|s| s.id == id) else { return packets };
        segment.text.push_str(delta);
        let unsent = match &segment.stream {
            Stream::Unsent => {
                packets.push(header(
                    we.identity,
                    &fresh,
                    attributes(&id, we.track, "false"),
                    None,
                    we,
                ));
                segment.stream = Stream::Sent { id: fresh, chunks: 0 };
                segment.text.as_str()
            }
            Stream::Sent { .. } => delta,
        };
        if let Stream::Sent { id: stream, chunks } = &mut segment.stream {
            for content in split(unsent) {
                packets.push(chunk(we.identity, stream, *chunks, content));
                *chunks += 1;
            }
        }
        packets.push(legacy(we.identity, we.track, &id, &segment.text, Version::Partial));
        packets
    }

    fn end(&mut self, id: &str, we: &Speaker<'_>) -> Vec<DataPacket> {
        let Some(n) = self.open.iter().position(|s| s.id == id) else { return Vec::new() };
        // A stream that a re-join has cut, and which got no more words, is sent whole.
        let mut packets = match self.open[n].stream {
            Stream::Unsent => self.grow(id.to_owned(), "", we),
            Stream::Sent { .. } => Vec::new(),
        };
        let segment = self.open.remove(n);
        if let Stream::Sent { id: stream, .. } = &segment.stream {
            packets.push(trailer(
                we.identity,
                stream,
                [(FINAL.to_owned(), "true".to_owned())].into(),
            ));
        }
        packets.push(legacy(we.identity, we.track, id, &segment.text, Version::Final));
        packets
    }

    fn theirs(
        &mut self,
        participant: &str,
        track: &str,
        segment: &str,
        text: &str,
        version: Version,
        we: &Speaker<'_>,
    ) -> Vec<DataPacket> {
        let stream = self.fresh_stream_id(we);
        let is_final = if version == Version::Final { "true" } else { "false" };
        let attributes = attributes(segment, track, is_final);
        let mut packets = vec![header(participant, &stream, attributes, Some(text.len()), we)];
        packets
            .extend((0..).zip(split(text)).map(|(n, part)| chunk(participant, &stream, n, part)));
        packets.push(trailer(participant, &stream, BTreeMap::new()));
        packets.push(legacy(participant, track, segment, text, version));
        packets
    }

    /// Stream ids must differ in the whole room: our session's sid is in them.
    fn fresh_stream_id(&mut self, we: &Speaker<'_>) -> String {
        self.streams += 1;
        format!("{}-{}", we.sid, self.streams)
    }
}

fn attributes(segment: &str, track: &str, is_final: &str) -> BTreeMap<String, String> {
    [(SEGMENT_ID, segment), (TRACK_ID, track), (FINAL, is_final)]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into()
}

fn packet(identity: &str, value: Value) -> DataPacket {
    DataPacket {
        participant_identity: identity.to_owned(),
        value: Some(value),
        ..Default::default()
    }
}

fn header(
    identity: &str,
    stream: &str,
    attributes: BTreeMap<String, String>,
    length: Option<usize>,
    we: &Speaker<'_>,
) -> DataPacket {
    let header = data_stream::Header {
        stream_id: stream.to_owned(),
        timestamp: we.unix_ms,
        topic: TRANSCRIPTION_TOPIC.to_owned(),
        mime_type: "text/plain".to_owned(),
        total_length: length.map(|bytes| bytes as u64),
        attributes: attributes.into_iter().collect(),
        content_header: Some(data_stream::header::ContentHeader::TextHeader(
            data_stream::TextHeader {
                operation_type: data_stream::OperationType::Create.into(),
                generated: true,
                ..Default::default()
            },
        )),
        ..Default::default()
    };
    packet(identity, Value::StreamHeader(header))
}

fn chunk(identity: &str, stream: &str, index: u64, content: &str) -> DataPacket {
    let chunk = data_stream::Chunk {
        stream_id: stream.to_owned(),
        chunk_index: index,
        content: content.as_bytes().to_vec(),
        ..Default::default()
    };
    packet(identity, Value::StreamChunk(chunk))
}

fn trailer(identity: &str, stream: &str, attributes: BTreeMap<String, String>) -> DataPacket {
    let trailer = data_stream::Trailer {
        stream_id: stream.to_owned(),
        reason: String::new(),
        attributes: attributes.into_iter().collect(),
    };
    packet(identity, Value::StreamTrailer(trailer))
}

/// What frontends before text streams understand: all of the words each time.
fn legacy(
    participant: &str,
    track: &str,
    segment: &str,
    text: &str,
    version: Version,
) -> DataPacket {
    let segment = proto::TranscriptionSegment {
        id: segment.to_owned(),
        text: text.to_owned(),
        r#final: version == Version::Final,
        ..Default::default()
    };
    // Sent by us: the field names whose words they are.
    let transcription = proto::Transcription {
        transcribed_participant_identity: participant.to_owned(),
        track_id: track.to_owned(),
        segments: vec![segment],
    };
    packet("", Value::Transcription(transcription))
}

/// Pieces of at most [`CHUNK_BYTES_MAX`] bytes, none of which cuts a character.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, tail) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES_MAX));
        rest = tail;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WE: Speaker<'_> = Speaker { identity: "agent", sid: "PA_1", track: "TR_1", unix_ms: 7 };

    /// One line a packet: who, what, with which final mark.
    fn describe(packets: &[DataPacket]) -> Vec<String> {
        let mark = |attributes: &std::collections::HashMap<String, String>| {
            attributes.get(FINAL).cloned().unwrap_or_default()
        };
        let line = |packet: &DataPacket| match packet.value.as_ref().unwrap() {
            Value::StreamHeader(h) => {
                format!(
                    "{} {} header {}",
                    packet.participant_identity,
                    h.stream_id,
                    mark(&h.attributes)
                )
            }
            Value::StreamChunk(c) => format!(
                "{} chunk {} {:?}",
                c.stream_id,
                c.chunk_index,
                String::from_utf8(c.content.clone()).unwrap()
            ),
            Value::StreamTrailer(t) => format!("{} trailer {}", t.stream_id, mark(&t.attributes)),
            Value::Transcription(t) => format!(
                "legacy {} {:?} {}",
                t.transcribed_participant_identity, t.segments[0].text, t.segments[0].r#final
            ),
            other => panic!("{other:?}"),
        };
        packets.iter().map(line).collect()
    }

    fn ours(delta: &str) -> Caption {
        Caption::Ours { segment: "SG_1".into(), delta: delta.into() }
    }

    fn ended() -> Caption {
        Caption::OursEnded { segment: "SG_1".into() }
    }

    /// Our segment is one stream in deltas, "false" in its header and "true" in its trailer.
    #[test]
    fn our_segment_is_one_stream_in_deltas() {
        let mut captions = Captions::default();
        let mut packets = captions.packets(ours("Hello "), &WE);
        packets.extend(captions.packets(ours("there."), &WE));
        packets.extend(captions.packets(ended(), &WE));
        let expected = [
            "agent PA_1-1 header false",
            "PA_1-1 chunk 0 \"Hello \"",
            "legacy agent \"Hello \" false",
            "PA_1-1 chunk 1 \"there.\"",
            "legacy agent \"Hello there.\" false",
            "PA_1-1 trailer true",
            "legacy agent \"Hello there.\" true",
        ];
        assert_eq!(describe(&packets), expected);
        assert!(captions.packets(ended(), &WE).is_empty(), "a second end says nothing");
    }

    /// What another participant says is a whole stream each time, in their name.
    #[test]
    fn their_words_are_a_whole_stream_in_their_name() {
        let theirs = |text: &str, version| Caption::Theirs {
            participant: "cand-1".into(),
            track: "TR_9".into(),
            segment: "SG_2".into(),
            text: text.into(),
            version,
        };
        let mut captions = Captions::default();
        let mut packets = captions.packets(theirs("I wor", Version::Partial), &WE);
        packets.extend(captions.packets(theirs("I worked", Version::Final), &WE));
        let expected = [
            "cand-1 PA_1-1 header false",
            "PA_1-1 chunk 0 \"I wor\"",
            "PA_1-1 trailer ",
            "legacy cand-1 \"I wor\" false",
            "cand-1 PA_1-2 header true",
            "PA_1-2 chunk 0 \"I worked\"",
            "PA_1-2 trailer ",
            "legacy cand-1 \"I worked\" true",
        ];
        assert_eq!(describe(&packets), expected);
    }

    /// A stream cut by a re-join begins again with all of its words, even if no more come.
    #[test]
    fn a_new_session_gets_the_whole_segment_again() {
        let again = Speaker { sid: "PA_2", track: "TR_2", ..WE };
        let mut captions = Captions::default();
        captions.packets(ours("Hello "), &WE);
        captions.begin_session();
        let packets = captions.packets(ours("there."), &again);
        assert_eq!(describe(&packets)[1], "PA_2-2 chunk 0 \"Hello there.\"");
        captions.begin_session();
        let packets = captions.packets(ended(), &again);
        assert_eq!(describe(&packets)[1], "PA_2-3 chunk 0 \"Hello there.\"");
        assert_eq!(describe(&packets)[3], "PA_2-3 trailer true");
    }

    /// Chunks hold 15,000 bytes at most and never half a character.
    #[test]
    fn chunks_end_between_characters() {
        let text = "ü€𝄞x".repeat(5_000);
        let pieces: Vec<&str> = split(&text).collect();
        assert_eq!(pieces.concat(), text);
        assert!(pieces.iter().all(|p| p.len() <= CHUNK_BYTES_MAX && p.len() > CHUNK_BYTES_MAX - 4
            || p == pieces.last().unwrap()));
    }

    /// A session that never ends its segments does not grow without limit.
    #[test]
    fn forgotten_segments_are_closed() {
        let mut captions = Captions::default();
        for n in 0..100 {
            captions.packets(Caption::Ours { segment: format!("SG_{n}"), delta: "x".into() }, &WE);
        }
        assert_eq!(captions.open.len(), SEGMENTS_MAX);
    }
}
