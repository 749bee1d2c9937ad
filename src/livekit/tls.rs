//! TLS for everything that talks to the outside.

/// Installs the one TLS provider. First thing in `main` and in tests: two providers are compiled into the
/// tree, and without a choice the first TLS connection panics.
pub fn install() {
    // An error says that one is installed already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}
