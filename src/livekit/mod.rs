//! livekit
