//! Which network a request comes from: whom a limit can blame.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{HeaderMap, HeaderName, request::Parts},
};

use super::{Exposure, Shared};
use crate::settings::Subnet;

/// Where a server in front of us says whom it serves, the newest last.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The network of whoever makes a request: their address, or of one of version 6 the part that a household
/// has. Nothing where only a server in front knows it: then nobody is blamed for what somebody else did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Network(pub(super) Option<IpAddr>);

impl FromRequestParts<Arc<Shared>> for Network {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, of: &Arc<Shared>) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(address)| address.ip());
        Ok(Self::of(peer, &parts.headers, &of.site.exposure, of.site.trusted_proxy))
    }
}

impl Network {
    fn of(
        peer: Option<IpAddr>,
        headers: &HeaderMap,
        exposure: &Exposure,
        trusted: Option<Subnet>,
    ) -> Self {
        let peer = peer.map(|peer| peer.to_canonical());
        let is_trusted = peer.zip(trusted).is_some_and(|(peer, trusted)| trusted.contains(peer));
        let address = match exposure {
            _ if is_trusted => forwarded_for(headers),
            // All come from the server in front: its address is everybody's.
            Exposure::Behind(_) if trusted.is_none() => None,
            Exposure::Local | Exposure::Behind(_) | Exposure::Open => peer,
        };
        Self(address.map(household))
    }
}

/// Whom the server in front of us serves: what it has added itself stands last, what stands before may be
/// anybody's.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all(FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
    let last = last.rsplit(',').next().unwrap_or_default().trim();
    let with_port = || last.parse::<SocketAddr>().ok().map(|with_port| with_port.ip());
    last.parse::<IpAddr>().ok().or_else(with_port).map(|address| address.to_canonical())
}

/// Whoever has one address of version 6 has 2^64 of them.
fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    /// 6.1.1: who can be blamed is whoever connects, or whom the named proxy names; nobody names themselves,
    /// and nobody is blamed for a proxy that nobody has named.
    #[test]
    fn who_is_blamed() {
        let (near, far) = ("127.0.0.1:8080", "0.0.0.0:8080");
        let url = "https://hr.example.org";
        for (listen, url, trusted, peer, header, expected) in [
            (near, "", "", "127.0.0.1", "", "127.0.0.1"),
            (far, "", "", "203.0.113.9", "", "203.0.113.9"),
            (far, "", "", "203.0.113.9", "198.51.100.1", "203.0.113.9"),
            (far, "", "", "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::"),
            (far, "", "", "::ffff:203.0.113.9", "", "203.0.113.9"),
            (near, url, "", "127.0.0.1", "198.51.100.1", ""),
            (near, url, "127.0.0.1", "127.0.0.1", "198.51.100.1", "198.51.100.1"),
            (near, url, "127.0.0.1", "127.0.0.1", "10.0.0.1, 198.51.100.1", "198.51.100.1"),
            (near, url, "127.0.0.1", "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
            (near, url, "127.0.0.1", "127.0.0.1", "[2001:db8::1]:4711", "2001:db8::"),
            (near, url, "127.0.0.1", "127.0.0.1", "", ""),
            (near, url, "127.0.0.1", "127.0.0.1", "unknown", ""),
            (far, url, "10.0.0.7", "10.0.0.8", "198.51.100.1", "10.0.0.8"),
            (far, url, "10.0.0.0/8", "10.0.0.8", "198.51.100.1", "198.51.100.1"),
        ] {
            let exposure = Exposure::of(listen.parse().unwrap(), Url::parse(url).ok().as_ref());
            let mut headers = HeaderMap::new();
            if !header.is_empty() {
                headers.insert(FORWARDED_FOR, header.parse().unwrap());
            }
            let peer = Some(peer.parse().unwrap());
            let found = Network::of(peer, &headers, &exposure, Subnet::parse(trusted));
            assert_eq!(found.0, expected.parse().ok(), "{peer:?} {header} {trusted}");
        }
    }
}
