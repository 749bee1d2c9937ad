//! Machines by their network addresses.

use std::net::IpAddr;

/// One machine by its address, such as `127.0.0.1`, or all whose addresses begin alike, such as `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subnet {
    address: IpAddr,
    /// How many bits of it are the same.
    bits: u32,
}

impl Subnet {
    /// Reads one; nothing if the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let address: IpAddr = address.parse().ok()?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Some(most), |bits| bits.parse().ok())?;
        (bits <= most).then_some(Self { address, bits })
    }

    /// Whether a machine with this address is one of them.
    pub fn contains(&self, other: IpAddr) -> bool {
        let alike = match (self.address, other) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => return false,
        };
        alike >= self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses and the beginnings of addresses are read, and nothing else.
    #[test]
    fn subnets_have_beginnings() {
        for (subnet, address, expected) in [
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false),
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "10.0.0.1", false),
        ] {
            let found = Subnet::parse(subnet).unwrap().contains(address.parse().unwrap());
            assert_eq!(found, expected, "{subnet} {address}");
        }
        for bad in ["", "proxy", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8", "fd00::/129"] {
            assert_eq!(Subnet::parse(bad), None, "{bad}");
        }
    }
}
