//! Ports, and whether they can be had.

use std::{io, net::SocketAddr};

use tokio::net::TcpListener;

use super::Failed;

/// Listens at an address that the configuration names under `setting`.
pub(super) async fn listen(address: SocketAddr, setting: &str) -> Result<TcpListener, Failed> {
    TcpListener::bind(address).await.map_err(|error| {
        let variable = format!("VIVAVOCE_{}", setting.to_uppercase().replace('.', "__"));
        Failed(match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "port {} is taken: stop what listens at {address}, or give `{setting}` another address (in the configuration or as {variable})",
                address.port()
            ),
            _ => format!("cannot listen at {address}: {error}; mend `{setting}` in the configuration or {variable}"),
        })
    })
}
