//! TLS: two providers are compiled into the tree, and without a choice the first connection panics.

use std::{
    io::Read,
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    thread,
};

use rustls::{
    ServerConfig, ServerConnection,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use voiceroom::{
    room::{JoinError, Room, RoomOptions},
    server::{Api, ApiKeys, Role},
    tls,
    worker::{self, Shutdown, WorkerError, WorkerOptions, standing},
};

use crate::client::tokens;

/// A connection to a server whose certificate nobody knows is refused in one sentence, by all three clients
/// that we have (room, worker, API); none of them panics, and each got as far as the certificate.
#[tokio::test]
async fn wss_with_an_unknown_certificate_is_refused_not_a_panic() {
    tls::install();
    let (url, alerts) = server_with_own_certificate();
    let keys = ApiKeys::new("key", "secret");

    let options = RoomOptions::new(url.clone(), tokens(keys.clone(), "r", "a", Role::Agent));
    let Err(error) = Room::join(options, None).await else { panic!("joined") };
    assert!(matches!(error, JoinError::NoServer { .. }), "{error}");
    assert!(alerts.recv().unwrap().contains("alert"), "the client refuses the certificate");

    let error = Api::new(&url, keys.clone()).check().await.unwrap_err();
    assert!(error.to_string().contains("certificate"), "{error}");
    assert!(alerts.recv().unwrap().contains("alert"), "the client refuses the certificate");

    let options = WorkerOptions::new(url, keys, "w");
    let (jobs, _jobs) = tokio::sync::mpsc::channel(1);
    let (_shutdown, wanted) = tokio::sync::watch::channel(Shutdown::No);
    let standing = standing(&options);
    let error = worker::run(options, jobs, wanted, standing).await.unwrap_err();
    assert!(matches!(error, WorkerError::NoServer { .. }), "{error}");
    assert!(error.to_string().contains("certificate"), "{error}");
}

/// A TLS server with a certificate of its own; says how each handshake ended.
fn server_with_own_certificate() -> (String, std::sync::mpsc::Receiver<String>) {
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("wss://localhost:{}", listener.local_addr().unwrap().port());
    let (alerts_tx, alerts) = std::sync::mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut connection = ServerConnection::new(config.clone()).unwrap();
            let mut tls = rustls::Stream::new(&mut connection, &mut stream);
            let outcome = tls.read(&mut [0; 1]);
            let outcome =
                outcome.map_or_else(|error| error.to_string(), |_| "connected".to_owned());
            if alerts_tx.send(outcome.to_lowercase()).is_err() {
                return;
            }
        }
    });
    (url, alerts)
}
