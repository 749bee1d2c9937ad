//! Which servers messages may go to. Whoever types an address must not reach with it what only this machine
//! can reach: the check is of the address that is connected to, after its name was resolved.

use std::{
    error::Error,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use reqwest::{
    Client,
    dns::{Addrs, Name, Resolve, Resolving},
};
use tokio::{net::lookup_host, time::timeout};
use url::{Host, Url};
use voiceroom::http::{self, CallLimit};

const URL_CHARS_MAX: usize = 2_000;
const LOOKUP_LIMIT: Duration = Duration::from_secs(3);
/// How long a server may take to answer.
pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// Where a machine of Azure asks for its secrets; the address is a public one.
const AZURE: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);
/// Where a machine of Amazon does over IPv6.
const AMAZON: Ipv6Addr = Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254);

const PRIVATE: &str = "This address leads to this machine or into a private network, where no messages \
    go. Take one that everybody can reach, or set web.webhooks_to_private.";

/// Returns an address that messages may go to, or what is wrong with it. Its name is looked up later.
pub(in crate::web) fn check(text: &str, to_private: bool) -> Result<Url, String> {
    let text = text.trim();
    if text.chars().count() > URL_CHARS_MAX {
        return Err(format!("This address is longer than {URL_CHARS_MAX} characters."));
    }
    let example = "like https://ats.example.org/hooks";
    let Ok(url) = Url::parse(text) else {
        return Err(format!("This is no address. Type one {example}."));
    };
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("The address has to begin with https:// or http://, {example}."));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("The address has a name or a password in it. Take it out: messages are \
            signed instead."
            .to_owned());
    }
    let ip = match url.host() {
        Some(Host::Ipv4(ip)) => IpAddr::V4(ip),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip),
        Some(Host::Domain(_)) => return Ok(url),
        None => return Err(format!("The address names no server. Type one {example}.")),
    };
    if is_allowed(ip, to_private) { Ok(url) } else { Err(PRIVATE.to_owned()) }
}

/// The same with a look at where its name leads now. A name that leads nowhere may do so later.
pub(in crate::web) async fn check_and_look_up(text: &str, to_private: bool) -> Result<Url, String> {
    let url = check(text, to_private)?;
    let Some(Host::Domain(name)) = url.host() else { return Ok(url) };
    let port = url.port_or_known_default().unwrap_or(443);
    let Ok(Ok(found)) = timeout(LOOKUP_LIMIT, lookup_host((name, port))).await else {
        return Ok(url);
    };
    let found: Vec<SocketAddr> = found.collect();
    let none = !found.is_empty() && !found.iter().any(|at| is_allowed(at.ip(), to_private));
    if none { Err(PRIVATE.to_owned()) } else { Ok(url) }
}

/// What sends messages: it connects to addresses that it has checked, follows no redirect and asks no proxy.
pub(super) fn client(to_private: bool) -> reqwest::Result<Client> {
    http::client(CallLimit::Whole(ANSWER_LIMIT))
        .dns_resolver(Checked { to_private })
        .no_proxy()
        .user_agent(concat!("Vivavoce/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Resolves names, and leaves out addresses that nothing may be sent to.
struct Checked {
    to_private: bool,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let to_private = self.to_private;
        Box::pin(async move {
            let found = lookup_host((name.as_str(), 0)).await.map_err(boxed)?;
            let allowed: Vec<SocketAddr> =
                found.filter(|at| is_allowed(at.ip(), to_private)).collect();
            if allowed.is_empty() {
                return Err(boxed(io::Error::new(io::ErrorKind::PermissionDenied, PRIVATE)));
            }
            let allowed: Addrs = Box::new(allowed.into_iter());
            Ok(allowed)
        })
    }
}

fn boxed(why: io::Error) -> Box<dyn Error + Send + Sync> {
    Box::new(why)
}

/// Private networks are a matter of the setting; where machines of a cloud ask for their secrets, and what is
/// no single machine, is never reached.
fn is_allowed(ip: IpAddr, to_private: bool) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip) || to_private && is_private_v4(ip),
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(ip) => is_allowed(IpAddr::V4(ip), to_private),
            None => is_public_v6(ip) || to_private && is_private_v6(ip),
        },
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    ip.is_loopback() || ip.is_private() || a == 100 && (64..128).contains(&b)
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let is_special = matches!(
        (a, b, c),
        (0 | 224.., ..)
            | (169, 254, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !is_special && !is_private_v4(ip) && ip != AZURE
}

fn is_private_v6(ip: Ipv6Addr) -> bool {
    ip.is_loopback() || ip.is_unique_local() && ip != AMAZON
}

/// Of 2000::/3 what is given to machines: no tunnels into other networks, and no examples.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    match ip.segments() {
        [0x2001, 0..0x200 | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..0x1000, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U09: whatever way an inner address is written, nothing is sent there.
    #[test]
    fn inner_addresses_are_refused() {
        for inner in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/",
            "http://0177.0.0.1/",
            "http://127.0.0.1./",
            "http://0.0.0.0/",
            "http://10.1.2.3/",
            "http://172.31.0.1/",
            "http://192.168.0.1/",
            "http://100.64.0.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://168.63.129.16/",
            "http://198.18.0.1/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http://[::]/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:a9fe:a9fe]/",
            "http://[::127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "http://[2001::1]/",
            "http://[fd00:ec2::254]/",
            "http://[fe80::1]/",
            "http://[ff02::1]/",
        ] {
            assert_eq!(check(inner, false), Err(PRIVATE.to_owned()), "{inner}");
        }
        for outer in ["https://8.8.8.8/x", "http://[2606:4700::1111]:8080/", "https://x.example/"] {
            assert!(check(outer, false).is_ok(), "{outer}");
        }
    }

    /// U09: with the setting private networks are reached, and still no secrets of a cloud.
    #[test]
    fn the_setting_opens_private_networks_alone() {
        for open in
            ["http://127.0.0.1:1/", "http://10.0.0.1/", "http://[::1]/", "http://[fd12::1]/"]
        {
            assert!(check(open, true).is_ok(), "{open}");
        }
        for shut in [
            "http://169.254.169.254/",
            "http://[fd00:ec2::254]/",
            "http://[fe80::1]/",
            "http://0.0.0.0/",
            "http://168.63.129.16/",
            "http://[::ffff:169.254.169.254]/",
        ] {
            assert!(check(shut, true).is_err(), "{shut}");
        }
    }

    /// U09: what is no address of a web server is refused in a sentence.
    #[test]
    fn other_addresses_are_refused() {
        for (bad, says) in [
            ("", "no address"),
            ("ats.example.org", "no address"),
            ("ftp://x.example/", "begin with https://"),
            ("file:///etc/passwd", "begin with https://"),
            ("javascript:alert(1)", "begin with https://"),
            ("https://ada:secret@x.example/", "password"),
        ] {
            let why = check(bad, false).unwrap_err();
            assert!(why.contains(says), "{bad}: {why}");
        }
        assert!(check(&format!("https://x.example/{}", "a".repeat(2_000)), false).is_err());
    }

    /// U09: a name is checked by where it leads.
    #[tokio::test]
    async fn names_are_looked_up() {
        let why = check_and_look_up("http://localhost:1/", false).await;
        assert_eq!(why, Err(PRIVATE.to_owned()));
        assert!(check_and_look_up("http://localhost:1/", true).await.is_ok());
        let failed = client(false).unwrap().get("http://localhost:1/").send().await.unwrap_err();
        let mut reason: &dyn Error = &failed;
        while let Some(source) = reason.source() {
            reason = source;
        }
        assert_eq!(reason.to_string(), PRIVATE);
    }
}
