//! Why sessions end, and whether to join again.

use livekit_protocol::DisconnectReason;

/// Whether a session that ended for this reason is over for good.
///
/// After `DuplicateIdentity` two agents would push each other out for ever; after a server's
/// shutdown to join again is right, although the server says `Disconnect`.
pub(super) fn is_final(reason: DisconnectReason) -> bool {
    use DisconnectReason as R;
    match reason {
        R::ClientInitiated
        | R::DuplicateIdentity
        | R::ParticipantRemoved
        | R::RoomDeleted
        | R::RoomClosed
        | R::UserUnavailable
        | R::UserRejected
        | R::SipTrunkFailure
        | R::AgentError => true,
        R::UnknownReason
        | R::ServerShutdown
        | R::StateMismatch
        | R::JoinFailure
        | R::Migration
        | R::SignalClose
        | R::ConnectionTimeout
        | R::MediaFailure => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never join again after these four, do after those three.
    #[test]
    fn the_reason_decides_whether_to_join_again() {
        use DisconnectReason as R;
        for reason in [R::DuplicateIdentity, R::ParticipantRemoved, R::RoomDeleted, R::RoomClosed] {
            assert!(is_final(reason), "{reason:?}");
        }
        for reason in [R::ServerShutdown, R::StateMismatch, R::Migration] {
            assert!(!is_final(reason), "{reason:?}");
        }
    }
}
