//! Byte streams that we send: a header, chunks, a trailer.

use std::collections::BTreeMap;

use livekit_protocol::{DataPacket, data_packet::Value, data_stream};

/// Content of one chunk.
const CHUNK_BYTES_MAX: usize = 15_000;

/// A byte stream to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteStream {
    /// Its topic.
    pub topic: String,
    /// The MIME type of the bytes.
    pub mime_type: String,
    /// The attributes of its header.
    pub attributes: BTreeMap<String, String>,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The identities that get it; if empty, everybody.
    pub to: Vec<String>,
}

impl ByteStream {
    /// Its packets, in order. `id` must differ in the whole room.
    pub(super) fn packets(self, id: &str, unix_ms: i64) -> Vec<DataPacket> {
        let Self { topic, mime_type, attributes, bytes, to } = self;
        let packet = |value| DataPacket {
            destination_identities: to.clone(),
            value: Some(value),
            ..Default::default()
        };
        let header = data_stream::Header {
            stream_id: id.to_owned(),
            timestamp: unix_ms,
            topic,
            mime_type,
            total_length: Some(bytes.len() as u64),
            attributes: attributes.into_iter().collect(),
            content_header: Some(
                data_stream::header::ContentHeader::ByteHeader(Default::default()),
            ),
            ..Default::default()
        };
        let mut packets = vec![packet(Value::StreamHeader(header))];
        packets.extend((0..).zip(bytes.chunks(CHUNK_BYTES_MAX)).map(|(chunk_index, content)| {
            packet(Value::StreamChunk(data_stream::Chunk {
                stream_id: id.to_owned(),
                chunk_index,
                content: content.to_vec(),
                ..Default::default()
            }))
        }));
        packets.push(packet(Value::StreamTrailer(data_stream::Trailer {
            stream_id: id.to_owned(),
            ..Default::default()
        })));
        packets
    }
}
