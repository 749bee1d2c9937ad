//! str0m's DTLS with the patience that a bad line needs.
//!
//! A flight that is lost is sent again after a second by default, then after two, four …; the server gives up
//! on a peer whose handshake takes 10 s, and of 30 % loss many do. Browsers begin with 50 ms.

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use str0m::crypto::{
    CryptoError, CryptoProvider,
    dtls::{
        DtlsCert, DtlsImplError, DtlsInstance, DtlsOutput, DtlsProvider, DtlsVersion,
        ProtocolVersion,
    },
    from_feature_flags,
};

/// A flight is sent again after so long, and twice as long each further time.
const RESENT_AFTER: Duration = Duration::from_millis(100);
/// So often; the last one after more than 10 s, when the server has given up.
const RESENT_MAX: usize = 8;

/// What peer connections encrypt with.
pub(super) fn provider() -> Arc<CryptoProvider> {
    static SHARED: LazyLock<Arc<CryptoProvider>> = LazyLock::new(|| {
        Arc::new(CryptoProvider { dtls_provider: &Patient, ..from_feature_flags() })
    });
    SHARED.clone()
}

#[derive(Debug)]
struct Patient;

impl DtlsProvider for Patient {
    fn generate_certificate(&self) -> Option<DtlsCert> {
        from_feature_flags().dtls_provider.generate_certificate()
    }

    fn new_dtls(
        &self,
        cert: &DtlsCert,
        now: Instant,
        version: DtlsVersion,
        mtu: Option<usize>,
    ) -> Result<Box<dyn DtlsInstance>, CryptoError> {
        // As str0m does: ICE has shown that the peer is where it says, a cookie would show nothing more.
        let mut config = dimpl::Config::builder()
            .use_server_cookie(false)
            .flight_start_rto(RESENT_AFTER)
            .flight_retries(RESENT_MAX);
        if let Some(mtu) = mtu {
            config = config.mtu(mtu);
        }
        let other = |cause: String| CryptoError::Other(cause);
        let config = Arc::new(config.build().map_err(|error| other(error.to_string()))?);
        let dtls = match version {
            DtlsVersion::Dtls12 => dimpl::Dtls::new_12(config, cert.clone(), now),
            DtlsVersion::Dtls13 => dimpl::Dtls::new_13(config, cert.clone(), now),
            DtlsVersion::Auto => dimpl::Dtls::new_auto(config, cert.clone(), now),
            version => return Err(other(format!("no DTLS of version {version}"))),
        };
        Ok(Box::new(Instance(dtls)))
    }
}

struct Instance(dimpl::Dtls);

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance").finish_non_exhaustive()
    }
}

impl DtlsInstance for Instance {
    fn set_active(&mut self, active: bool) {
        self.0.set_active(active);
    }
    fn handle_packet(&mut self, packet: &[u8]) -> Result<(), DtlsImplError> {
        self.0.handle_packet(packet)
    }
    fn poll_output<'a>(&mut self, buffer: &'a mut [u8]) -> DtlsOutput<'a> {
        self.0.poll_output(buffer)
    }
    fn handle_timeout(&mut self, now: Instant) -> Result<(), DtlsImplError> {
        self.0.handle_timeout(now)
    }
    fn send_application_data(&mut self, data: &[u8]) -> Result<usize, DtlsImplError> {
        self.0.send_application_data(data)
    }
    fn is_active(&self) -> bool {
        self.0.is_active()
    }
    fn protocol_version(&self) -> Option<ProtocolVersion> {
        self.0.protocol_version()
    }
    fn is_closing(&self) -> bool {
        self.0.is_closing()
    }
    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
    fn close(&mut self) -> Result<(), DtlsImplError> {
        self.0.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    /// What is lost of a handshake is sent again soon, and for as long as the server waits for it.
    #[test]
    fn a_lost_flight_is_sent_again() {
        let (began, crypto) = (clock::instant(), provider());
        let certificate = crypto.dtls_provider.generate_certificate().unwrap();
        let made =
            crypto.dtls_provider.new_dtls(&certificate, began, DtlsVersion::Dtls12, Some(1_200));
        let (mut dtls, mut now) = (made.unwrap(), began);
        dtls.set_active(true);
        let (mut sent, mut buffer) = (Vec::new(), [0; 2_000]);
        while dtls.handle_timeout(now).is_ok() {
            loop {
                match dtls.poll_output(&mut buffer) {
                    DtlsOutput::Packet(_) => sent.push(now.duration_since(began)),
                    DtlsOutput::Timeout(at) => {
                        now = at;
                        break;
                    }
                    other => panic!("{other:?} without an answer"),
                }
            }
        }
        // Each wait is up to a quarter longer or shorter, by chance.
        assert!(sent[0].is_zero() && sent[1] < RESENT_AFTER * 3 / 2, "{sent:?}");
        assert!(sent[2] < RESENT_AFTER * 4, "{sent:?}");
        assert!(sent[sent.len() - 1] > Duration::from_secs(10), "{sent:?}");
    }
}
