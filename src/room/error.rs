//! What can go wrong on the way into a room, by what the caller does about it.

use livekit_signaling::SignalError;

/// Why a room could not be joined.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// Nobody answers there (yet): worth another try.
    #[error(
        "no LiveKit server answers at {url} ({cause}); is it running, and is LIVEKIT_URL right?"
    )]
    NoServer {
        /// Where.
        url: String,
        /// What the connection said.
        cause: String,
    },
    /// The server does not accept the token: never try again with the same one.
    #[error(
        "the LiveKit server at {url} refuses the token ({cause}); check LIVEKIT_API_KEY and LIVEKIT_API_SECRET"
    )]
    Refused {
        /// Where.
        url: String,
        /// What the server said.
        cause: String,
    },
    /// Signalling works, sound does not: worth another try.
    #[error(
        "the media connection to {url} does not come up ({cause}); is one of the LiveKit server's ports for media open, UDP or TCP?"
    )]
    NoMedia {
        /// Where.
        url: String,
        /// What is missing.
        cause: String,
    },
    /// No token could be made: a fault on our side, another try is of no use.
    #[error("no token for the room: {0}")]
    NoToken(String),
    /// This machine does not let us: another try is of no use.
    #[error("this machine does not let us: {0}")]
    Local(String),
}

impl JoinError {
    /// Whether to try again makes sense.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::NoServer { .. } | Self::NoMedia { .. } => true,
            Self::Refused { .. } | Self::NoToken(_) | Self::Local(_) => false,
        }
    }

    pub(super) fn from_signal(url: &str, error: &SignalError) -> Self {
        let (url, cause) = (url.to_owned(), error.to_string());
        match error {
            SignalError::Client(..) | SignalError::TokenFormat => Self::Refused { url, cause },
            SignalError::Handshake { status } if status.is_client_error() => {
                Self::Refused { url, cause }
            }
            SignalError::UrlParse(_) | SignalError::TransportNotConfigured => Self::Local(cause),
            _ => Self::NoServer { url, cause },
        }
    }
}

/// Why something could not be sent to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The room is over.
    #[error("the room is over")]
    Over,
    /// Too much is waiting to be sent: this was dropped and counted.
    #[error("too much is waiting to be sent")]
    Busy,
    /// A data packet holds 60,000 bytes at most.
    #[error("a data packet holds 60,000 bytes at most")]
    TooLarge,
}
