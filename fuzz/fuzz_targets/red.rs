//! Any payloads of redundant audio (RFC 2198), lost, late or twice, come out of a peer connection as packets that are in
//! order after [`Reorder`], each once, and whatever is in them the decoder goes on.
#![no_main]

mod plain;

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use str0m::{
    _internal_test_exports::TestSrtp,
    Event, Input, Output, Rtc,
    crypto::dtls::{KeyingMaterial, SrtpProfile},
    media::{MediaData, MediaKind, Mid},
    net::{Protocol, Receive},
    rtp::{ExtensionValues, RtpHeader},
};
use voiceroom::{Frame, opus::Decoder, reorder::Reorder};

/// What a datagram has room for, behind the header.
const PAYLOAD_BYTES_MAX: usize = 1_200;
/// Packets of before that one packet can restore, and the packet itself.
const PACKETS_OF_ONE_MAX: usize = 9;
/// More lost packets are not made up.
const LOST_MAX: u64 = 5;
const RED: u8 = 63;
const SSRC: u32 = 42;

/// The end that receives, configured as `room` configures its own, and what makes datagrams for it.
fn receiver(now: Instant, mid: Mid) -> (Rtc, TestSrtp) {
    let mut rtc = Rtc::builder()
        .set_crypto_provider(plain::PROVIDER.into())
        .clear_codecs()
        .enable_opus(true, true)
        .set_reordering_size_audio(0)
        .build(now);
    rtc.direct_api().declare_media(mid, MediaKind::Audio);
    rtc.direct_api().expect_stream_rx(SSRC.into(), None, mid, None);
    let (profile, keys) = (SrtpProfile::AEAD_AES_128_GCM, || KeyingMaterial::new(&[42; 56]));
    let srtp = TestSrtp::new(&plain::PROVIDER, profile, &keys());
    rtc._set_srtp_keys(keys(), profile, false);
    (rtc, srtp)
}

/// What comes of a datagram.
fn receive(rtc: &mut Rtc, now: Instant, datagram: &[u8]) -> Vec<MediaData> {
    let here = ([127, 0, 0, 1], 9).into();
    let received = Receive::new(Protocol::Udp, here, here, datagram).expect("it is RTP");
    rtc.handle_input(Input::Receive(now, received)).expect("the peer connection goes on");
    let mut came = Vec::new();
    loop {
        match rtc.poll_output().expect("the peer connection goes on") {
            Output::Timeout(_) => return came,
            Output::Event(Event::MediaData(data)) => came.push(data),
            Output::Event(_) | Output::Transmit(_) => {}
        }
    }
}

// Each packet: how many ms after the one before, how many places on (-127..=127), how many ms of silence came before it, how
// many bytes (two of them, low first), and those.
fuzz_target!(|bytes: &[u8]| {
    let (began, mid) = (Instant::now(), Mid::from("0"));
    let (mut rtc, mut srtp) = receiver(began, mid);
    let (mut reorder, mut decoder) = (Reorder::default(), Decoder::new().expect("it starts"));
    let (mut now, mut last, mut silence_ms) = (Duration::ZERO, 1_000_u64, 0);
    let mut rest = bytes;
    while let [later, step, silent_ms, low, high, tail @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(PAYLOAD_BYTES_MAX);
        let (payload, after) = tail.split_at(tail.len().min(length));
        rest = after;
        now += Duration::from_millis(u64::from(*later));
        silence_ms += u64::from(*silent_ms);
        let sequence = last.saturating_add_signed(i64::from(*step as i8));
        last = last.max(sequence);
        let header = RtpHeader {
            payload_type: RED.into(),
            sequence_number: sequence as u16,
            timestamp: (sequence * Frame::SAMPLES as u64 + silence_ms * 48) as u32,
            ssrc: SSRC.into(),
            has_extension: true,
            ext_vals: ExtensionValues { mid: Some(mid), ..ExtensionValues::default() },
            ..RtpHeader::default()
        };
        let datagram = srtp.protect(header, sequence, payload, rtc._exts());
        let at = began + now;
        let came = receive(&mut rtc, at, &datagram);
        assert!(came.len() <= PACKETS_OF_ONE_MAX, "{} packets of one", came.len());
        for data in came {
            assert!(data.data.len() <= payload.len(), "{data:?}");
            reorder.push(now, **data.seq_range.end(), data.data);
        }
        let mut next = 0;
        while let Some(packet) = reorder.pop(now) {
            next += packet.lost + 1;
            let lost = packet.lost.min(LOST_MAX) as usize * Frame::SAMPLES;
            assert_eq!(decoder.conceal(lost, &packet.packet).len(), lost);
            // What is no Opus is refused.
            let _ = decoder.decode(&packet.packet);
        }
        assert!(next <= last, "{next} packets up to number {last}");
    }
});
