//! Clients of HTTP servers. Every client of the workspace is made here, so that none follows a redirect
//! to where nobody sent it, and none waits for ever. It stands in this crate because the others that call
//! servers use this one.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, redirect};

use crate::tls;

/// How long a server may take to accept a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// How long a call may take from its beginning to the end of its answer.
#[derive(Clone, Copy, Debug)]
pub enum CallLimit {
    /// This long, whatever is called.
    Whole(Duration),
    /// As long as the caller waits, who has a limit for each part of an answer: it may be a stream.
    Callers,
}

/// Returns the beginning of a client that follows no redirects. TLS has a provider from here on.
#[expect(clippy::disallowed_methods, reason = "this is the one place")]
pub fn client(limit: CallLimit) -> ClientBuilder {
    tls::install();
    let builder =
        Client::builder().redirect(redirect::Policy::none()).connect_timeout(CONNECT_LIMIT);
    match limit {
        CallLimit::Whole(limit) => builder.timeout(limit),
        CallLimit::Callers => builder,
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(120);

    /// 15.3.2: a server that sends a call elsewhere is not obeyed: its own answer is what the caller gets.
    #[tokio::test]
    async fn redirects_are_not_followed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let place = format!("http://{}", listener.local_addr().unwrap());
        let elsewhere = format!("{place}/elsewhere");
        let served = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = [0; 4_096];
            let length = stream.read(&mut asked).await.unwrap();
            let answer = format!(
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: {elsewhere}\r\n\
                 content-length: 0\r\nconnection: close\r\n\r\n"
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
            assert!(asked[..length].starts_with(b"GET / "));
        });
        let client = client(CallLimit::Whole(PATIENCE)).build().unwrap();
        // A client that follows would find nobody who accepts a second connection.
        let answer = client.get(&place).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 307);
        served.await.unwrap();
    }

    /// 15.1.3: a server that accepts a call and says nothing is not waited for beyond the limit.
    #[tokio::test]
    async fn a_silent_server_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let place = format!("http://{}", listener.local_addr().unwrap());
        let client = client(CallLimit::Whole(Duration::from_millis(20))).build().unwrap();
        let why = tokio::time::timeout(PATIENCE, client.get(place).send()).await.unwrap();
        assert!(why.unwrap_err().is_timeout());
    }
}
