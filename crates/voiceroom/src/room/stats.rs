//! Counters of rooms. Shared, so that any task may read them.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// Counters of one room, or of many together.
pub type SharedCounters = Arc<Counters>;

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds one.
    pub(crate) fn bump(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// Returns the number.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What is counted.
        #[derive(Debug, Default)]
        pub struct Counters { $($(#[$doc])* pub $name: Counter,)* }

        impl Counters {
            /// Returns all counters with their names.
            pub fn all(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name.get())),*].into_iter()
            }
        }
    };
}

counters! {
    /// Sessions begun: joins and re-joins.
    sessions,
    /// Signalling connections made anew for a running session.
    resumes,
    /// Times that media was disconnected.
    line_cuts,
    /// Audio packets sent.
    audio_out,
    /// Frames not sent because we were over 100 ms late.
    audio_out_skipped,
    /// Audio packets received.
    audio_in,
    /// Audio packets dropped because the application did not take its events in time.
    audio_in_dropped,
    /// Other events dropped because the application did not take them in time.
    events_dropped,
    /// Requests of the application dropped because too many were waiting.
    requests_dropped,
    /// Data messages sent.
    data_out,
    /// Data messages dropped because too many were waiting.
    data_out_dropped,
    /// Data messages received.
    data_in,
    /// Data messages received and dropped, because the application did not take its events in time.
    data_in_dropped,
    /// Data messages received twice.
    data_in_duplicate,
    /// Malformed messages received, and those in the name of somebody else.
    malformed,
    /// Datagrams sent.
    udp_out,
    /// Datagrams received.
    udp_in,
    /// Datagrams that could not be sent.
    udp_send_errors,
    /// Packets sent over TCP, because UDP did not get through.
    tcp_out,
    /// Packets received over TCP.
    tcp_in,
    /// Packets that could not be sent over TCP: no connection, or too much is waiting.
    tcp_send_errors,
    /// Allocations at TURN servers, because UDP did not get through.
    relays,
}

impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (name, value)) in self.all().filter(|(_, value)| *value > 0).enumerate() {
            write!(f, "{}{name}={value}", if n > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}
