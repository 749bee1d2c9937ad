//! Which of the tracks that we are sent is the candidate's voice: their newest microphone, or, without one,
//! what else they publish.

use std::{collections::VecDeque, sync::Arc};

use voiceroom::room::{Source, Track};

/// Tracks that are known of; the room asks for no more.
pub(super) const TRACKS_MAX: usize = 64;
/// Those of one participant: whoever publishes without end does not hide the candidate's voice.
const TRACKS_OF_ONE_MAX: usize = 16;

/// The tracks of everybody, in the order in which they came: a track can come before we know whose we listen
/// to.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    sent: Vec<Track>,
    heard: Option<Arc<str>>,
    /// Those that were heard last. What was said before one comes once, and the track may come again.
    known: VecDeque<Arc<str>>,
}

impl Tracks {
    /// A track has begun.
    pub(super) fn began(&mut self, track: Track) {
        let theirs = self.sent.iter().filter(|one| one.participant == track.participant).count();
        if self.sent.len() < TRACKS_MAX && theirs < TRACKS_OF_ONE_MAX {
            self.sent.push(track);
        } else {
            tracing::debug!(track = track.sid, "ignored one track too many");
        }
    }

    /// A track is over. Whether it was the one that is heard.
    pub(super) fn ended(&mut self, sid: &str) -> bool {
        self.sent.retain(|track| track.sid != sid);
        self.heard.take_if(|heard| **heard == *sid).is_some()
    }

    /// Its owner has muted a track, or unmuted it.
    pub(super) fn muted(&mut self, sid: &str, muted: bool) {
        for track in self.sent.iter_mut().filter(|track| track.sid == sid) {
            track.muted = muted;
        }
    }

    /// The track to hear from now on, if it is another one than before. What is no microphone replaces
    /// nothing that is heard. Only the first time something that was recorded before it is on its way.
    pub(super) fn choose(&mut self, candidate: &str) -> Option<Track> {
        let mut theirs = self.sent.iter().rev().filter(|track| track.participant == candidate);
        let microphone = theirs.clone().find(|track| track.source == Source::Microphone);
        let chosen = match (microphone, &self.heard) {
            (Some(microphone), _) => microphone,
            (None, Some(_)) => return None,
            (None, None) => theirs.next()?,
        };
        if self.is_heard(&chosen.sid) {
            return None;
        }
        let (mut chosen, sid) = (chosen.clone(), Arc::<str>::from(chosen.sid.as_str()));
        if self.known.contains(&sid) {
            chosen.is_recorded_before = false;
        } else {
            self.known.truncate(TRACKS_MAX - 1);
            self.known.push_front(sid.clone());
        }
        self.heard = Some(sid);
        Some(chosen)
    }

    /// How many are known of.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.sent.len()
    }

    /// The track that is heard.
    pub(super) fn heard(&self) -> Option<&Arc<str>> {
        self.heard.as_ref()
    }

    /// Whether it is this one.
    pub(super) fn is_heard(&self, sid: &str) -> bool {
        self.heard.as_deref() == Some(sid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(participant: &str, sid: &str, source: Source) -> Track {
        let (participant, sid) = (participant.to_owned(), sid.to_owned());
        Track { participant, sid, source, muted: false, is_recorded_before: false }
    }

    fn chosen(tracks: &mut Tracks) -> Option<String> {
        tracks.choose("cand").map(|track| track.sid)
    }

    /// R05: a shared tab takes no ear from a microphone, which takes it from anything, and from an older one.
    #[test]
    fn the_newest_microphone_is_heard() {
        let mut tracks = Tracks::default();
        tracks.began(track("other", "TR_other", Source::Microphone));
        assert_eq!(chosen(&mut tracks), None);
        tracks.began(track("cand", "TR_tab", Source::Other));
        assert_eq!(chosen(&mut tracks).as_deref(), Some("TR_tab"));
        tracks.began(track("cand", "TR_1", Source::Microphone));
        assert_eq!(chosen(&mut tracks).as_deref(), Some("TR_1"));
        tracks.began(track("cand", "TR_film", Source::Other));
        assert_eq!(chosen(&mut tracks), None);
        assert!(!tracks.ended("TR_film") && tracks.is_heard("TR_1"));
        tracks.began(track("cand", "TR_2", Source::Microphone));
        assert_eq!(chosen(&mut tracks).as_deref(), Some("TR_2"));
        assert!(!tracks.ended("TR_1"));
        assert_eq!(chosen(&mut tracks), None);
        assert!(tracks.ended("TR_2"));
        assert_eq!(chosen(&mut tracks).as_deref(), Some("TR_tab"));
    }

    /// A track is known as it is when it is chosen: muted meanwhile, or gone.
    #[test]
    fn what_is_chosen_late_is_as_it_is_then() {
        let mut tracks = Tracks::default();
        tracks.began(track("cand", "TR_1", Source::Microphone));
        tracks.began(track("cand", "TR_2", Source::Microphone));
        tracks.muted("TR_1", true);
        tracks.ended("TR_2");
        let late = tracks.choose("cand").unwrap();
        assert_eq!((late.sid.as_str(), late.muted), ("TR_1", true));
        (0..2 * TRACKS_MAX).for_each(|n| {
            tracks.began(track("cand", &format!("TR_x{n}"), Source::Other));
        });
        assert_eq!(tracks.sent.len(), TRACKS_OF_ONE_MAX);
    }

    /// R05: what was said before a track is waited for once, though the track comes again when we join again,
    /// or is fallen back to; of tracks without end the last are known.
    #[test]
    fn a_recording_is_expected_once() {
        let mut tracks = Tracks::default();
        let recorded = |sid: &str| Track {
            is_recorded_before: true,
            ..track("cand", sid, Source::Microphone)
        };
        let expects = |tracks: &mut Tracks| tracks.choose("cand").unwrap().is_recorded_before;
        tracks.began(recorded("TR_1"));
        assert!(expects(&mut tracks));
        tracks.ended("TR_1");
        tracks.began(recorded("TR_1"));
        assert!(!expects(&mut tracks), "we joined again");
        tracks.began(recorded("TR_2"));
        assert!(expects(&mut tracks));
        tracks.ended("TR_2");
        assert!(!expects(&mut tracks), "fallen back to");
        for n in 0..2 * TRACKS_MAX {
            tracks.ended("TR_1");
            tracks.ended(&format!("TR_x{n}"));
            tracks.began(recorded(&format!("TR_x{}", n + 1)));
            assert!(expects(&mut tracks));
        }
        assert_eq!(tracks.known.len(), TRACKS_MAX);
    }
}
