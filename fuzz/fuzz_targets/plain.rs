//! Encryption that encrypts nothing: what is fuzzed lies behind it.

use std::time::{Duration, Instant};

use str0m::crypto::{
    AeadAes128Gcm, AeadAes128GcmCipher, AeadAes256Gcm, AeadAes256GcmCipher, Aes128CmSha1_80Cipher,
    CryptoError, CryptoProvider, Sha1HmacProvider, Sha1Provider, Sha256Provider, SrtpProvider,
    SupportedAeadAes128Gcm, SupportedAeadAes256Gcm, SupportedAes128CmSha1_80,
    dtls::{
        DtlsCert, DtlsImplError, DtlsInstance, DtlsOutput, DtlsProvider, DtlsVersion,
        ProtocolVersion,
    },
};

/// Whatever cipher is asked for, it copies.
pub const PROVIDER: CryptoProvider = CryptoProvider {
    srtp_provider: &Plain,
    sha1_hmac_provider: &Plain,
    sha1_provider: &Plain,
    sha256_provider: &Plain,
    dtls_provider: &Plain,
};

#[derive(Debug)]
struct Plain;

impl SrtpProvider for Plain {
    fn aes_128_cm_sha1_80(&self) -> &'static dyn SupportedAes128CmSha1_80 {
        &Plain
    }
    fn aead_aes_128_gcm(&self) -> &'static dyn SupportedAeadAes128Gcm {
        &Plain
    }
    fn aead_aes_256_gcm(&self) -> &'static dyn SupportedAeadAes256Gcm {
        &Plain
    }
    fn srtp_aes_128_ecb_round(&self, _: &[u8], _: &[u8], _: &mut [u8]) {}
    fn srtp_aes_256_ecb_round(&self, _: &[u8], _: &[u8], _: &mut [u8]) {}
}

impl SupportedAes128CmSha1_80 for Plain {
    fn create_cipher(&self, _: [u8; 16], _: bool) -> Box<dyn Aes128CmSha1_80Cipher> {
        Box::new(Plain)
    }
}

impl SupportedAeadAes256Gcm for Plain {
    fn create_cipher(&self, _: [u8; 32], _: bool) -> Box<dyn AeadAes256GcmCipher> {
        Box::new(Plain)
    }
}

impl SupportedAeadAes128Gcm for Plain {
    fn create_cipher(&self, _: [u8; 16], _: bool) -> Box<dyn AeadAes128GcmCipher> {
        Box::new(Plain)
    }
}

impl Aes128CmSha1_80Cipher for Plain {
    fn encrypt(
        &mut self,
        _: &[u8; 16],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), CryptoError> {
        copy(input, output);
        Ok(())
    }

    fn decrypt(
        &mut self,
        _: &[u8; 16],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), CryptoError> {
        copy(input, output);
        Ok(())
    }
}

/// The two lengths of key have the same methods in traits of their own.
macro_rules! copies {
    ($($cipher:ident, $tag:expr;)*) => { $(
        impl $cipher for Plain {
            fn encrypt(
                &mut self,
                _: &[u8; 12],
                _: &[u8],
                input: &[u8],
                output: &mut [u8],
            ) -> Result<(), CryptoError> {
                copy(input, output);
                Ok(())
            }

            fn decrypt(
                &mut self,
                _: &[u8; 12],
                _: &[&[u8]],
                input: &[u8],
                output: &mut [u8],
            ) -> Result<usize, CryptoError> {
                Ok(copy(&input[..input.len() - $tag], output))
            }
        }
    )* };
}

copies! {
    AeadAes128GcmCipher, AeadAes128Gcm::TAG_LEN;
    AeadAes256GcmCipher, AeadAes256Gcm::TAG_LEN;
}

fn copy(from: &[u8], to: &mut [u8]) -> usize {
    to[..from.len()].copy_from_slice(from);
    from.len()
}

impl Sha1HmacProvider for Plain {
    fn sha1_hmac(&self, _: &[u8], _: &[&[u8]]) -> [u8; 20] {
        [0; 20]
    }
}

impl Sha1Provider for Plain {
    fn sha1(&self, _: &[u8]) -> [u8; 20] {
        [0; 20]
    }
}

impl Sha256Provider for Plain {
    fn sha256(&self, _: &[u8]) -> [u8; 32] {
        [0; 32]
    }
}

impl DtlsProvider for Plain {
    fn generate_certificate(&self) -> Option<DtlsCert> {
        Some(DtlsCert { certificate: Vec::new(), private_key: Vec::new() })
    }

    fn new_dtls(
        &self,
        _: &DtlsCert,
        now: Instant,
        _: DtlsVersion,
        _: Option<usize>,
    ) -> Result<Box<dyn DtlsInstance>, CryptoError> {
        Ok(Box::new(NoHandshake(now)))
    }
}

#[derive(Debug)]
struct NoHandshake(Instant);

impl DtlsInstance for NoHandshake {
    fn set_active(&mut self, _: bool) {}
    fn handle_packet(&mut self, _: &[u8]) -> Result<(), DtlsImplError> {
        Ok(())
    }
    fn poll_output<'a>(&mut self, _: &'a mut [u8]) -> DtlsOutput<'a> {
        DtlsOutput::Timeout(self.0 + Duration::from_secs(1_000_000))
    }
    fn handle_timeout(&mut self, _: Instant) -> Result<(), DtlsImplError> {
        Ok(())
    }
    fn send_application_data(&mut self, _: &[u8]) -> Result<usize, DtlsImplError> {
        Ok(0)
    }
    fn is_active(&self) -> bool {
        false
    }
    fn protocol_version(&self) -> Option<ProtocolVersion> {
        None
    }
    fn close(&mut self) -> Result<(), DtlsImplError> {
        Ok(())
    }
}
