//! Who in a room is the candidate.

use voiceroom::room::{Kind, Participant, State};

use crate::blueprint::person_name;

/// Who of the participants is the candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// The one with this identity.
    Named(String),
    /// The first person who may publish a microphone; of several, the first who does (N01).
    First,
    /// A person who may, and does not yet: it is somebody else who does before them.
    Expected {
        /// Their identity.
        identity: String,
        /// What the room calls them. It is told when they are there, as it cannot be taken back.
        name: Option<String>,
    },
}

impl Candidate {
    /// The identity of who is listened to, as far as somebody is.
    pub(super) fn identity(&self) -> Option<&str> {
        match self {
            Self::Named(identity) | Self::Expected { identity, .. } => Some(identity),
            Self::First => None,
        }
    }

    /// Who it is now that this is known of somebody: a viewer, an agent or a recorder never is.
    pub(super) fn meet(&mut self, who: &Participant) {
        let is_person = matches!(who.kind, Kind::Standard | Kind::Sip);
        let is_chosen = match self {
            Self::Named(_) => false,
            Self::First => true,
            Self::Expected { identity, .. } => who.has_voice || *identity == who.identity,
        };
        if !is_chosen || !is_person || !who.may_speak || who.state != State::Active {
            return;
        }
        let identity = who.identity.clone();
        *self = match who.has_voice {
            true => Self::Named(identity),
            false => Self::Expected { identity, name: person_name(&who.name) },
        };
    }

    /// They have answered, be it in writing: nobody takes their place.
    pub(super) fn settle(&mut self) {
        if let Self::Expected { identity, .. } = self {
            *self = Self::Named(std::mem::take(identity));
        }
    }

    /// What they are called, if that is to be told now that they are there.
    pub(super) fn untold_name(&mut self) -> Option<String> {
        match self {
            Self::Expected { name, .. } => name.take(),
            Self::Named(_) | Self::First => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use voiceroom::room::Quality;

    use super::*;

    /// N01: of those who may speak the first who publishes a voice is the candidate, and stays it; until then
    /// it is the first of them. The marks: v may speak and publishes, q may and does not, n may not.
    #[test]
    fn the_first_who_publishes_is_the_candidate() {
        for (events, expected) in [
            ("n:rita", None),
            ("n:rita v:ada", Some("ada")),
            ("q:rita", Some("rita")),
            ("q:rita n:max", Some("rita")),
            ("q:rita q:ada", Some("rita")),
            ("q:rita q:ada v:ada", Some("ada")),
            ("q:rita v:rita v:ada", Some("rita")),
            ("v:ada v:rita", Some("ada")),
            ("v:ada q:ada v:rita", Some("ada")),
            ("n:ada v:ada", Some("ada")),
        ] {
            let mut candidate = Candidate::First;
            for event in events.split(' ') {
                let (mark, identity) = event.split_once(':').unwrap();
                candidate.meet(&Participant {
                    identity: identity.to_owned(),
                    sid: String::new(),
                    name: String::new(),
                    kind: Kind::Standard,
                    state: State::Active,
                    may_speak: mark != "n",
                    has_voice: mark == "v",
                    quality: Quality::Good,
                    attributes: Default::default(),
                });
            }
            assert_eq!(candidate.identity(), expected, "{events}");
        }
    }
}
