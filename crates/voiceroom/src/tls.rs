//! The TLS provider of the process.

/// Makes aws-lc-rs the provider of rustls for this process, unless one has been chosen.
///
/// Two providers are compiled into the dependency tree; without a choice, rustls panics at the first
/// connection. Everything in this crate that connects calls this first. Call it yourself at the start of
/// `main` if the program also uses rustls elsewhere.
pub fn install() {
    // An error says that one is installed already.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}
