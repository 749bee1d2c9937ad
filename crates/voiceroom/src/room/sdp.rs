//! The little SDP text handling that str0m does not do for us.

use std::collections::BTreeMap;

/// Removes `a=msid`, `a=ssrc` and `a=ssrc-group` from media sections we do not send on.
///
/// str0m writes them for every section. LiveKit matches a published track to a pending
/// `AddTrackRequest` by the msid of the *new* sections of an offer and, failing an exact match,
/// takes any pending track of the same kind; a receive-only section that carries an msid could
/// therefore be taken for the microphone.
pub(super) fn strip_msid_of_receive_sections(sdp: &str) -> String {
    let mut out = String::with_capacity(sdp.len());
    for section in sections(sdp) {
        let sends = !(section.contains("a=recvonly\r\n") || section.contains("a=inactive\r\n"));
        for line in section.split_inclusive('\n') {
            let names_sender = line.starts_with("a=msid:") || line.starts_with("a=ssrc");
            // A section starts with its m-line; the session part has neither attribute.
            if sends || !names_sender {
                out.push_str(line);
            }
        }
    }
    out
}

/// Makes every `sendrecv` section of a description receive-only: what we send is always `sendonly`.
///
/// In answers: LiveKit offers subscribed tracks as `sendrecv`, which str0m mirrors. In offers: see
/// `Publisher::poll_offer`.
pub(super) fn receive_only(description: &str) -> String {
    let description = description.replace("a=sendrecv\r\n", "a=recvonly\r\n");
    strip_msid_of_receive_sections(&description)
}

/// Track id (second part of `a=msid`) of every section the remote side sends on, by mid.
///
/// Servers before 1.9.2 do not send `mid_to_track_id`; there the msid of a subscribed track is
/// `<participant sid>|<track sid> <track sid>`.
pub(super) fn sent_track_ids(sdp: &str) -> BTreeMap<String, String> {
    sections(sdp)
        .filter(|s| s.contains("a=sendonly\r\n") || s.contains("a=sendrecv\r\n"))
        .filter_map(|section| {
            let attribute =
                |name: &str| section.lines().find_map(|l| l.strip_prefix(name)).map(str::trim);
            let mid = attribute("a=mid:")?;
            let track = attribute("a=msid:")?.split_whitespace().nth(1)?;
            Some((mid.to_owned(), track.to_owned()))
        })
        .collect()
}

/// The name of the other side's ICE session; all sections are bundled, so they share it.
pub(super) fn ice_ufrag(sdp: &str) -> Option<&str> {
    sdp.lines().find_map(|line| line.strip_prefix("a=ice-ufrag:")).map(str::trim)
}

/// Splits into the session part and one part per m-line.
fn sections(sdp: &str) -> impl Iterator<Item = &str> {
    let mut rest = sdp;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.find("\r\nm=").map_or(rest.len(), |i| i + 2);
        let (section, tail) = rest.split_at(end);
        rest = tail;
        Some(section)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use str0m::{
        Candidate, Rtc,
        change::{SdpAnswer, SdpApi, SdpOffer},
        media::{Direction, MediaKind},
    };

    use super::*;
    use crate::{clock, room::peer::audio_config};

    const SDP: &str = "v=0\r\ns=-\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:a\r\na=recvonly\r\n\
        a=msid:s t\r\na=ssrc:1 cname:x\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:b\r\n\
        a=sendonly\r\na=msid:PA_1|TR_2 TR_2\r\na=ssrc:2 cname:x\r\n";

    /// A section we only receive on must not look like a track of ours: the server would take it for one.
    #[test]
    fn strips_only_receive_sections() {
        let out = strip_msid_of_receive_sections(SDP);
        assert!(!out.contains("a=msid:s t") && !out.contains("a=ssrc:1"));
        assert!(out.contains("a=msid:PA_1|TR_2 TR_2") && out.contains("a=ssrc:2"));
    }

    /// LiveKit offers `sendrecv`; what we send is always `sendonly`.
    #[test]
    fn answers_receive_only() {
        let out = receive_only(&SDP.replace("a=sendonly", "a=sendrecv"));
        assert_eq!(out.matches("a=recvonly").count(), 2);
        assert!(!out.contains("a=msid") && !out.contains("a=ssrc"));
    }

    /// Servers before 1.9.2 name tracks in the msid only.
    #[test]
    fn finds_track_ids_of_sending_sections() {
        let ids = sent_track_ids(SDP);
        assert_eq!(ids.len(), 1);
        assert_eq!(ids["b"], "TR_2");
    }

    /// What pion offers a subscriber: RED audio, a video track with five codecs, data channels.
    const SUBSCRIBER_OFFER: &str =
        include_str!("../../tests/protocol/pion-4.2.1-subscriber-offer.sdp");
    /// What it answers to one peer connection: data channels, a spare section and one track.
    const SINGLE_PC_ANSWER: &str =
        include_str!("../../tests/protocol/pion-4.2.1-single-pc-answer.sdp");

    fn rtc(red: bool) -> Rtc {
        let mut rtc = audio_config(red).build(clock::instant());
        let address = "127.0.0.1:5000".parse().unwrap();
        rtc.add_local_candidate(Candidate::host(address, "udp").unwrap());
        rtc
    }

    /// The server's offer is answered for audio only, receive-only, with RED if we want it.
    #[test]
    fn a_recorded_offer_is_answered_for_audio_only() {
        for red in [true, false] {
            let mut rtc = rtc(red);
            let offer = SdpOffer::from_sdp_string(SUBSCRIBER_OFFER).unwrap();
            let answer = rtc.sdp_api().accept_offer(offer).unwrap().to_sdp_string();
            let answer = receive_only(&answer);
            let lines: Vec<&str> = answer.lines().filter(|l| l.starts_with("m=")).collect();
            let [audio, video, application] = lines[..] else { panic!("{answer}") };
            assert!(audio.ends_with(if red { " 63 111" } else { "SAVPF 111" }), "{audio}");
            assert!(video.starts_with("m=video 0"), "{video}");
            assert!(application.starts_with("m=application 9"), "{application}");
            assert!(answer.contains("a=recvonly\r\n") && !answer.contains("a=sendrecv\r\n"));
            assert!(!answer.contains("a=msid:"));
        }
        let tracks = sent_track_ids(SUBSCRIBER_OFFER);
        assert_eq!((tracks["0"].as_str(), tracks["1"].as_str()), ("TR_AMaudio1", "TR_VCvideo1"));
    }

    /// The server's answer names the section with a track only; the spare one stays free.
    #[test]
    fn a_recorded_answer_names_used_sections_only() {
        let mut rtc = rtc(true);
        let mut change = rtc.sdp_api();
        change.add_channel("_reliable".into());
        let receive = |change: &mut SdpApi<'_>| {
            change.add_media(MediaKind::Audio, Direction::RecvOnly, None, None, None)
        };
        let (_spare, track) = (receive(&mut change), receive(&mut change));
        let (offer, pending) = change.apply().unwrap();
        // The recorded answer gets the names of our sections.
        let offer = offer.to_sdp_string();
        let ours: Vec<&str> = offer.lines().filter_map(|l| l.strip_prefix("a=mid:")).collect();
        let mut answer =
            SINGLE_PC_ANSWER.replace("BUNDLE akJ Thr bGG", &format!("BUNDLE {}", ours.join(" ")));
        for (theirs, ours) in ["akJ", "Thr", "bGG"].iter().zip(&ours) {
            answer = answer.replace(&format!("a=mid:{theirs}\r\n"), &format!("a=mid:{ours}\r\n"));
        }
        let parsed = SdpAnswer::from_sdp_string(&answer).unwrap();
        rtc.sdp_api().accept_answer(pending, parsed).unwrap();
        let tracks = sent_track_ids(&answer);
        assert_eq!(tracks.len(), 1);
        assert_eq!(tracks[&track.to_string()], "TR_000003");
    }

    proptest! {
        /// Whatever a server sends as a description, reading it is no panic.
        #[test]
        fn any_text_is_read_without_a_panic(lines in prop::collection::vec(line(), 0..20)) {
            let sdp = lines.concat();
            sent_track_ids(&sdp);
            receive_only(&sdp);
            ice_ufrag(&sdp);
        }
    }

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            Just("\r\nm=audio 9 X 111\r\n".to_owned()),
            Just("a=msid:".to_owned()),
            Just("a=mid:\r\n".to_owned()),
            Just("a=sendonly\r\n".to_owned()),
        ]
    }
}
