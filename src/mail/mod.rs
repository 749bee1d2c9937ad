//! Mail to candidates by SMTP: invitations, reminders, and changes of an appointment.
//!
//! It knows neither database nor interview: it makes one message of a [`Letter`] and hands it to a mail
//! server. What waits to be sent, and when it is tried again, is in [`crate::database`] and [`crate::web`].

mod calendar;
mod letter;
mod message;
mod words;

use std::{net::IpAddr, time::Duration};

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    message::Mailbox,
    transport::smtp::{
        Error,
        authentication::Credentials,
        client::{Tls, TlsParameters},
        extension::ClientId,
    },
};
use url::{Host, Url};

pub use letter::{Appointment, Kind, Letter, Told};

/// Ports of mail servers: TLS from the first byte, or STARTTLS.
const SMTPS_PORT: u16 = 465;
const SUBMISSION_PORT: u16 = 587;
/// How long a server may take for a whole message, in answers.
const ANSWERS_MAX: u32 = 4;
/// With a first wait of a minute the last try is half a day after the first one.
const TRIES_MAX: u32 = 6;
const RETRY_FACTOR: u32 = 5;

/// What mail is sent with.
#[derive(Clone)]
pub struct Setup<'a> {
    /// The server, such as `smtps://user@mail.example.org`.
    pub server: &'a Url,
    /// The password of its user; may be empty.
    pub password: &'a str,
    /// Whom mail is from, such as `Example Ltd <jobs@example.org>`.
    pub from: &'a str,
    /// Where answers go; empty: to `from`.
    pub reply_to: &'a str,
    /// Where candidates reach the web app, for their link.
    pub base: &'a str,
    /// How long before the link or the appointment is over candidates are reminded; zero: never.
    pub remind_before: Duration,
    /// How long the server may take for an answer.
    pub answer_limit: Duration,
    /// After how long a mail that was not sent is tried again; each time it takes five times as long.
    pub retry_after: Duration,
}

/// What sends mail.
#[derive(Debug)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    reply_to: Option<Mailbox>,
    base: String,
    remind_before: Duration,
    limit: Duration,
    retry_after: Duration,
}

/// Why a message was not sent. The sentences never hold an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSent {
    /// It may work later.
    #[error("{0}")]
    Later(String),
    /// It works only when somebody mends something.
    #[error("{0}")]
    Never(String),
}

impl Mailer {
    /// What sends mail by these settings, or what is wrong with them.
    pub fn new(setup: &Setup<'_>) -> Result<Self, String> {
        let mailbox = |key: &str, text: &str| {
            text.parse::<Mailbox>().map_err(|_| {
                format!("`mail.{key}` is no address: write it as Example Ltd <jobs@example.org>")
            })
        };
        if setup.server.password().is_some() {
            return Err(
                "`mail.server` holds a password: take it out, and set mail.password".to_owned()
            );
        }
        let from = mailbox("from", setup.from)?;
        let reply_to = match setup.reply_to {
            "" => None,
            text => Some(mailbox("reply_to", text)?),
        };
        Ok(Self {
            transport: transport(setup)?,
            from,
            reply_to,
            base: setup.base.trim_end_matches('/').to_owned(),
            remind_before: setup.remind_before,
            limit: setup.answer_limit.saturating_mul(ANSWERS_MAX),
            retry_after: setup.retry_after,
        })
    }

    /// How long before the link or the appointment is over candidates are reminded; zero: never.
    pub fn remind_before(&self) -> Duration {
        self.remind_before
    }

    /// The whole address of a page of ours.
    pub fn address_of(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// How long one try can take.
    pub fn send_limit(&self) -> Duration {
        self.limit
    }

    /// In how long a mail is tried again that was tried so often; `None`: it is given up.
    pub fn retry_in(&self, tries: u32) -> Option<Duration> {
        let wait = RETRY_FACTOR.checked_pow(tries.saturating_sub(1))?;
        (tries < TRIES_MAX).then(|| self.retry_after.saturating_mul(wait))
    }

    /// Hands a letter to the mail server, and waits until it has taken it.
    pub async fn send(&self, letter: &Letter<'_>) -> Result<(), NotSent> {
        let message = letter.message(&self.from, self.reply_to.as_ref())?;
        match tokio::time::timeout(self.limit, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(why)) => Err(not_sent(&why)),
            Err(_) => Err(too_slow()),
        }
    }
}

fn transport(setup: &Setup<'_>) -> Result<AsyncSmtpTransport<Tokio1Executor>, String> {
    let url = setup.server;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_smtps = url.scheme() == "smtps";
    let parameters = || {
        TlsParameters::new(host.to_owned())
            .map_err(|_| format!("`mail.server` has no name that TLS can check: {host}"))
    };
    let tls = match url.query() {
        _ if is_smtps => Tls::Wrapper(parameters()?),
        None if is_this_machine(url) => Tls::None,
        Some("tls=none") => Tls::None,
        None | Some("tls=required") => Tls::Required(parameters()?),
        Some(other) => {
            return Err(format!(
                "`mail.server` ends in ?{other}: only ?tls=required and ?tls=none are known"
            ));
        }
    };
    let port = url.port().unwrap_or(if is_smtps { SMTPS_PORT } else { SUBMISSION_PORT });
    let builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host)
        .port(port)
        .tls(tls)
        .hello_name(ClientId::Domain("vivavoce".to_owned()))
        .timeout(Some(setup.answer_limit));
    let user = percent_decoded(url.username());
    Ok(match user.is_empty() {
        true => builder.build(),
        false => builder.credentials(Credentials::new(user, setup.password.to_owned())).build(),
    })
}

/// A relay on this machine needs no TLS.
fn is_this_machine(url: &Url) -> bool {
    // The host of an address that is not http's is a name even where it is a number.
    match url.host() {
        Some(Host::Domain(name)) => {
            name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        }
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// A user such as `jobs%40example.org`, as it is meant.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *byte == b'%') {
            Some(escaped) => {
                decoded.push(escaped);
                at += 3;
            }
            None => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// What the server has answered never gets into the sentence: it may name the candidate.
fn not_sent(why: &Error) -> NotSent {
    let code = why.status().map(|code| code.to_string()).unwrap_or_default();
    if why.is_permanent() {
        return NotSent::Never(match code.as_str() {
            "530" | "534" | "535" | "538" => format!(
                "The mail server refused the sign-in ({code}). Whoever runs this server finds it at \
                 mail.server and mail.password."
            ),
            _ => format!("The mail server refused it ({code}). Check the candidate's address."),
        });
    }
    NotSent::Later(if why.is_transient() {
        format!("The mail server put it off ({code}).")
    } else if why.is_timeout() {
        return too_slow();
    } else if why.is_tls() {
        "No safe connection to the mail server (TLS failed).".to_owned()
    } else if why.is_client() {
        "The mail server does not offer the safe connection or the sign-in that mail.server asks for."
            .to_owned()
    } else if why.is_response() {
        "The mail server's answer cannot be read.".to_owned()
    } else {
        "The mail server cannot be reached.".to_owned()
    })
}

fn too_slow() -> NotSent {
    NotSent::Later("The mail server did not answer in time.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(server: &str, from: &str) -> Result<Mailer, String> {
        Mailer::new(&Setup {
            server: &Url::parse(server).unwrap(),
            password: "hush",
            from,
            reply_to: "",
            base: "https://interviews.example.org/",
            remind_before: Duration::ZERO,
            answer_limit: Duration::from_secs(1),
            retry_after: Duration::from_secs(60),
        })
    }

    /// U03: a mail that was not sent is tried again ever more rarely, and not for ever.
    #[test]
    fn tries_come_to_an_end() {
        let mailer = made("smtp://h", "jobs@example.org").unwrap();
        let minutes = |tries| mailer.retry_in(tries).map(|wait| wait.as_secs() / 60);
        assert_eq!([1, 2, 5].map(minutes), [Some(1), Some(5), Some(625)]);
        assert_eq!([6, 7, u32::MAX].map(minutes), [None; 3]);
    }

    /// U03: beyond this machine mail goes over TLS, unless somebody says otherwise in words; the user is
    /// read as it is meant, and the password is in no debug output.
    #[test]
    fn mail_is_safe_unless_said_otherwise() {
        let from = "Example Ltd <jobs@example.org>";
        let tls = |server: &str| {
            let shown = format!("{:?}", made(server, from).unwrap().transport);
            assert!(!shown.contains("hush"), "{shown}");
            match () {
                () if shown.contains("tls: Required") => "required",
                () if shown.contains("tls: Wrapper") => "wrapper",
                () if shown.contains("tls: None") => "none",
                () => panic!("{shown}"),
            }
        };
        assert_eq!(tls("smtps://jobs@mail.example.org"), "wrapper");
        assert_eq!(tls("smtp://jobs@mail.example.org"), "required");
        assert_eq!(tls("smtp://10.0.0.1:25"), "required");
        assert_eq!(tls("smtp://mail.example.org?tls=none"), "none");
        for here in ["smtp://127.0.0.1:2525", "smtp://localhost", "smtp://[::1]:25"] {
            assert_eq!(tls(here), "none");
        }
        assert_eq!(tls("smtp://localhost?tls=required"), "required");
        assert!(made("smtp://h?tls=maybe", from).unwrap_err().contains("?tls=none"));
        let why = made("smtp://jobs:hush@h", from).unwrap_err();
        assert!(why.contains("set mail.password") && !why.contains("hush"), "{why}");
        assert!(made("smtp://h", "nobody").unwrap_err().contains("mail.from"));
        assert_eq!(percent_decoded("jobs%40example.org%"), "jobs@example.org%");
        assert_eq!(made("smtp://h", from).unwrap().address_of("/i/x").len(), 34);
    }
}
