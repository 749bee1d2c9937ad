//! What can go wrong, by what the caller does about it.

use livekit_signaling::SignalError;

/// Why a room could not be joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// No LiveKit server answers: worth another try.
    #[error(
        "no LiveKit server answers at {url} ({cause}); is it running, and is LIVEKIT_URL right?"
    )]
    NoServer {
        /// The server's address.
        url: String,
        /// What the connection said.
        cause: String,
    },
    /// The server answers, but cannot let us in now: worth another try.
    #[error("the LiveKit server at {url} does not let us in now ({cause})")]
    NotNow {
        /// The server's address.
        url: String,
        /// What the server said.
        cause: String,
    },
    /// The server does not accept the token: do not try again with the same one.
    #[error(
        "the LiveKit server at {url} refuses the token ({cause}); check LIVEKIT_API_KEY and \
            LIVEKIT_API_SECRET"
    )]
    Refused {
        /// The server's address.
        url: String,
        /// What the server said.
        cause: String,
    },
    /// Signalling works, but media does not connect: worth another try.
    #[error(
        "the media connection to {url} does not come up ({cause}); is one of the LiveKit server's \
            ports for media open, UDP or TCP?"
    )]
    NoMedia {
        /// The server's address.
        url: String,
        /// What is missing.
        cause: String,
    },
    /// No token could be made, with what [`Tokens`](super::Tokens) said: another try is of no use.
    #[error("no token for the room: {0}")]
    NoToken(String),
    /// This machine lacks something, such as a network interface: another try at once is of no use.
    #[error("this machine does not let us: {0}")]
    Local(String),
}

impl JoinError {
    /// Returns whether another try makes sense.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::NoServer { .. } | Self::NotNow { .. } | Self::NoMedia { .. } => true,
            Self::Refused { .. } | Self::NoToken(_) | Self::Local(_) => false,
        }
    }

    /// Whether it can pass while a call that was up is to be saved: this machine let us before.
    pub(super) fn can_pass(&self) -> bool {
        self.is_transient() || matches!(self, Self::Local(_))
    }

    pub(super) fn from_signal(url: &str, error: &SignalError) -> Self {
        let (url, cause) = (url.to_owned(), error.to_string());
        match error {
            SignalError::TokenFormat => Self::Refused { url, cause },
            SignalError::Client(status, _)
            | SignalError::Server(status, _)
            | SignalError::Handshake { status } => match status.as_u16() {
                401 | 403 => Self::Refused { url, cause },
                // A proxy without its server, or no LiveKit server at all.
                404 | 502 | 504 => Self::NoServer { url, cause },
                _ => Self::NotNow { url, cause },
            },
            SignalError::UrlParse(_) | SignalError::TransportNotConfigured => Self::Local(cause),
            _ => Self::NoServer { url, cause },
        }
    }
}

/// Why a request to a room failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The room is over.
    #[error("the room is over")]
    Over,
    /// Too much is waiting to be sent; the request was dropped and counted.
    #[error("too much is waiting to be sent")]
    Busy,
    /// A data packet holds 60,000 bytes at most.
    #[error("a data packet holds 60,000 bytes at most")]
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only a token that is not accepted ends the way back into a room; what this machine lacks just now does
    /// not.
    #[test]
    fn only_the_token_ends_a_rejoin() {
        for (status, can_pass) in
            [(401, false), (403, false), (404, true), (429, true), (500, true), (503, true)]
        {
            let status = status.try_into().unwrap();
            for error in [
                SignalError::Client(status, String::new()),
                SignalError::Server(status, String::new()),
                SignalError::Handshake { status },
            ] {
                let error = JoinError::from_signal("ws://there", &error);
                assert_eq!(error.can_pass(), can_pass, "{error}");
                assert_eq!(error.to_string().contains("token"), !can_pass, "{error}");
            }
        }
        let local = JoinError::Local("too many open files".to_owned());
        assert!(local.can_pass() && !local.is_transient());
        assert!(!JoinError::NoToken("no key".to_owned()).can_pass());
    }
}
