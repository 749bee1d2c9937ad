//! A mail server on this machine that keeps what it is sent, or behaves badly.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Notify,
};

/// A busy machine takes its time.
const LIMIT: Duration = Duration::from_secs(120);

/// How the server behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Takes,
    /// It answers this to each recipient.
    Answers(&'static str),
    /// It takes the connection and says nothing.
    Hangs,
}

/// A mail server.
pub(crate) struct Postbox {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    manner: Mutex<Manner>,
    letters: Mutex<Vec<String>>,
    /// Every line but those of letters.
    commands: Mutex<Vec<String>>,
    came: Notify,
}

impl Postbox {
    pub(crate) async fn open(manner: Manner) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), manner)
    }

    pub(crate) fn on(listener: TcpListener, manner: Manner) -> Self {
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            manner: Mutex::new(manner),
            letters: Mutex::default(),
            commands: Mutex::default(),
            came: Notify::new(),
        });
        let serving = shared.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = serving.clone();
                tokio::spawn(async move { shared.serve(stream).await });
            }
        });
        Self { address, shared }
    }

    pub(crate) fn behave(&self, manner: Manner) {
        *self.shared.manner.lock().unwrap() = manner;
    }

    /// What clients have said, without letters.
    pub(crate) fn commands(&self) -> Vec<String> {
        self.shared.commands.lock().unwrap().clone()
    }

    /// Waits for the letter of this number, from 0.
    pub(crate) async fn letter(&self, n: usize) -> Part {
        let found = async {
            loop {
                let came = self.shared.came.notified();
                if let Some(letter) = self.shared.letters.lock().unwrap().get(n) {
                    return Part::read(letter);
                }
                came.await;
            }
        };
        tokio::time::timeout(LIMIT, found).await.expect("a letter comes")
    }

    pub(crate) fn count(&self) -> usize {
        self.shared.letters.lock().unwrap().len()
    }
}

impl Shared {
    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        if *self.manner.lock().unwrap() == Manner::Hangs {
            // Until the client has enough of it.
            stream.read_to_end(&mut Vec::new()).await.ok()?;
            return None;
        }
        let mut stream = BufReader::new(stream);
        stream.write_all(b"220 postbox\r\n").await.ok()?;
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            let line = line.trim_end().to_owned();
            let verb = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
            self.commands.lock().unwrap().push(line);
            let answer = match (verb.as_str(), *self.manner.lock().unwrap()) {
                ("EHLO", _) => "250-postbox\r\n250-8BITMIME\r\n250 AUTH PLAIN",
                ("AUTH", _) => "235 welcome",
                ("RCPT", Manner::Answers(answer)) => answer,
                ("DATA", _) => "354 go on",
                ("QUIT", _) => "221 bye",
                _ => "250 fine",
            };
            stream.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
            if verb == "DATA" && answer.starts_with("354") {
                let letter = letter(&mut stream).await?;
                self.letters.lock().unwrap().push(letter);
                stream.write_all(b"250 taken\r\n").await.ok()?;
                self.came.notify_waiters();
            }
        }
    }
}

async fn letter(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut letter = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        if line == ".\r\n" {
            return Some(letter);
        }
        letter += line.strip_prefix('.').unwrap_or(&line);
    }
}

/// A part of a message, or the whole of it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    headers: Vec<(String, String)>,
    /// Its text, where it has no parts.
    pub(crate) text: String,
    parts: Vec<Part>,
}

impl Part {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        let headers: Vec<_> = head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let mut part = Self { headers, text: String::new(), parts: Vec::new() };
        let kind = part.header("content-type").to_owned();
        if let Some((_, boundary)) = kind.split_once("boundary=\"") {
            let boundary = format!("--{}", boundary.split('"').next().unwrap());
            let inner = body.split(&boundary).skip(1).filter(|part| !part.starts_with("--"));
            part.parts = inner.map(|part| Self::read(part.trim_start_matches("\r\n"))).collect();
        } else {
            let bytes = match part.header("content-transfer-encoding") {
                "base64" => base64(body),
                "quoted-printable" => quoted(body, false),
                _ => body.as_bytes().to_vec(),
            };
            part.text = String::from_utf8(bytes).unwrap();
        }
        part
    }

    /// A header as it stands there; empty where it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    }

    /// The subject as people read it.
    pub(crate) fn subject(&self) -> String {
        let words = self.header("subject").split("?= =?").map(|word| {
            let word = word.trim_start_matches("=?").trim_end_matches("?=");
            match word.splitn(3, '?').collect::<Vec<_>>()[..] {
                [_, "b", text] => String::from_utf8(base64(text)).unwrap(),
                [_, "q" | "Q", text] => String::from_utf8(quoted(text, true)).unwrap(),
                _ => word.to_owned(),
            }
        });
        words.collect()
    }

    /// The text of the first part of a kind.
    pub(crate) fn of_kind(&self, kind: &str) -> Option<&str> {
        if self.header("content-type").starts_with(kind) {
            return Some(&self.text);
        }
        self.parts.iter().find_map(|part| part.of_kind(kind))
    }

    /// A property of the calendar's entry, unfolded.
    pub(crate) fn calendar(&self, property: &str) -> String {
        let text = self.of_kind("text/calendar").expect("a calendar's entry").replace("\r\n ", "");
        let line = text.lines().find(|line| {
            line.strip_prefix(property).is_some_and(|rest| rest.starts_with([':', ';']))
        });
        let line = line.unwrap_or_else(|| panic!("no {property} in {text}"));
        line[property.len()..].trim_start_matches(':').to_owned()
    }
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|byte| DIGITS.iter().position(|digit| *digit == byte));
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for digit in digits {
        held = (held << 6) | digit as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    bytes
}

fn quoted(text: &str, in_header: bool) -> Vec<u8> {
    let text = text.replace("=\r\n", "");
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'=' => {
                let hex: Vec<u8> = rest.by_ref().take(2).collect();
                u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap()
            }
            b'_' if in_header => b' ',
            byte => byte,
        });
    }
    bytes
}
