//! Signing in with an account from elsewhere: OpenID Connect, by discovery, with the authorization code and
//! PKCE.
//!
//! It knows neither database nor cookies: [`Provider::begin`] says where a browser goes and what has to be
//! remembered meanwhile, [`Provider::finish`] says who has come back.

mod admits;
mod token;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jsonwebtoken::jwk::JwkSet;
use rand::random;
use reqwest::{Client, RequestBuilder, header};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;
use url::{Host, Url, form_urlencoded};
use voiceroom::http::{CallLimit, client};

use crate::clock;

pub use admits::{Admits, Grade};

/// How long a provider may take for an answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);
const ANSWER_MAX_BYTES: usize = 512 * 1024;
/// What a provider says of itself is asked for again after this time.
const KNOWN_FOR: Duration = Duration::from_secs(3600);

/// How people sign in with an account from elsewhere.
#[derive(Clone)]
pub struct Setup<'a> {
    /// The provider, such as `https://accounts.example.org`.
    pub issuer: &'a Url,
    /// What it calls us.
    pub client_id: &'a str,
    /// The secret that we share with it; empty: it has given us none.
    pub client_secret: &'a str,
    /// Where it sends browsers back to.
    pub redirect: String,
    /// Who may come, and what they may do.
    pub admits: Admits,
    /// A token that is signed with a key that nobody knows lets the keys be asked for again, this often at
    /// most.
    pub keys_again_after: Duration,
}

/// A provider of accounts.
pub struct Provider {
    issuer: String,
    client_id: String,
    client_secret: String,
    redirect: String,
    admits: Admits,
    keys_again_after: Duration,
    client: Client,
    known: Mutex<Option<Arc<Known>>>,
}

/// A sign-in that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// Where the browser goes.
    pub url: String,
    /// What comes back with it.
    pub state: String,
    /// What the token has to hold.
    pub nonce: String,
    /// What proves that who began is who finishes.
    pub verifier: String,
}

/// Who has signed in, as the provider calls them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The provider.
    pub issuer: String,
    /// Its own name of them: the only one that stays the same.
    pub subject: String,
    /// Their e-mail address.
    pub email: String,
    /// Whether the provider has checked the address.
    pub is_checked: bool,
    /// What they are called.
    pub name: String,
    /// What they may do here.
    pub grade: Grade,
    /// When they showed the provider who they are, in seconds since 1970; nothing where it does not say.
    pub auth_time: Option<i64>,
}

/// Why nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub enum NotSignedIn {
    /// The provider does not answer, or not as it should.
    #[error("{0}")]
    Provider(String),
    /// What it says cannot be trusted.
    #[error("the provider's token was refused: {0}")]
    Token(String),
    /// Nobody has let them in.
    #[error("no setting of [oidc] lets this account in")]
    NotAdmitted,
}

/// What a provider says of itself, and its keys.
struct Known {
    document: Document,
    keys: JwkSet,
    asked_at: Instant,
}

#[derive(Deserialize)]
struct Document {
    issuer: String,
    #[serde(deserialize_with = "address")]
    authorization_endpoint: Url,
    #[serde(deserialize_with = "address")]
    token_endpoint: Url,
    #[serde(deserialize_with = "address")]
    jwks_uri: Url,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

impl Provider {
    /// A provider by these settings. Nothing is asked yet.
    pub fn new(setup: Setup<'_>) -> Result<Self, String> {
        if setup.client_id.is_empty() {
            return Err("`oidc.client_id` is missing: the provider gives it to you".to_owned());
        }
        if !is_safe(setup.issuer) {
            return Err("`oidc.issuer` must begin with https://".to_owned());
        }
        // Addresses are those that the provider has told, and no others: it follows no redirects.
        let client = client(CallLimit::Whole(ANSWER_LIMIT))
            .build()
            .map_err(|why| format!("there is no TLS for `oidc.issuer`: {why}"))?;
        Ok(Self {
            issuer: setup.issuer.as_str().trim_end_matches('/').to_owned(),
            client_id: setup.client_id.to_owned(),
            client_secret: setup.client_secret.to_owned(),
            redirect: setup.redirect,
            admits: setup.admits,
            keys_again_after: setup.keys_again_after,
            client,
            known: Mutex::default(),
        })
    }

    /// Where a browser goes to sign in.
    ///
    /// `is_fresh` asks the provider for a password, or whatever else it asks, also of whoever is signed
    /// in there.
    pub async fn begin(&self, is_fresh: bool) -> Result<Begun, NotSignedIn> {
        let known = self.known(KNOWN_FOR).await?;
        let (state, nonce, verifier) = (secret(), secret(), secret());
        let mut url = known.document.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.client_id)
            .append_pair("redirect_uri", &self.redirect)
            .append_pair("scope", "openid email profile")
            .append_pair("state", &state)
            .append_pair("nonce", &nonce)
            .append_pair("code_challenge", &base64url(&Sha256::digest(verifier.as_bytes())))
            .append_pair("code_challenge_method", "S256");
        if is_fresh {
            url.query_pairs_mut().append_pair("prompt", "login").append_pair("max_age", "0");
        }
        Ok(Begun { url: url.into(), state, nonce, verifier })
    }

    /// Who has come back with a code.
    pub async fn finish(
        &self,
        code: &str,
        nonce: &str,
        verifier: &str,
    ) -> Result<Person, NotSignedIn> {
        let known = self.known(KNOWN_FOR).await?;
        let tokens = self.exchange(&known.document, code, verifier);
        let tokens: Tokens = answer(tokens, "its token endpoint").await?;
        let id = token::Expected { issuer: &known.document.issuer, client: &self.client_id, nonce };
        let said = match id.check(&tokens.id_token, &known.keys) {
            Err(token::Refused::UnknownKey) => {
                // Providers change their keys.
                let known = self.known(self.keys_again_after).await?;
                id.check(&tokens.id_token, &known.keys)
            }
            said => said,
        };
        let said = said.map_err(|why| NotSignedIn::Token(why.to_string()))?;
        let grade = self.admits.grade(&said.email, said.is_checked(), &said.groups);
        let grade = grade.ok_or(NotSignedIn::NotAdmitted)?;
        let is_checked = said.is_checked();
        let name = if said.name.trim().is_empty() { said.email.clone() } else { said.name };
        Ok(Person {
            issuer: self.issuer.clone(),
            subject: said.sub,
            email: said.email,
            is_checked,
            name,
            grade,
            auth_time: said.auth_time,
        })
    }

    /// What gets the tokens of a code.
    fn exchange(&self, document: &Document, code: &str, verifier: &str) -> RequestBuilder {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &self.redirect)
            .append_pair("code_verifier", verifier);
        let methods = &document.token_endpoint_auth_methods_supported;
        let has = |name: &str| methods.iter().any(|method| method == name);
        let by_header = !self.client_secret.is_empty()
            && (has("client_secret_basic") || !has("client_secret_post"));
        if !by_header {
            form.append_pair("client_id", &self.client_id);
        }
        if !by_header && !self.client_secret.is_empty() {
            form.append_pair("client_secret", &self.client_secret);
        }
        let request = self
            .client
            .post(document.token_endpoint.clone())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .body(form.finish());
        // RFC 6749 2.3.1: both halves are encoded as in a form.
        let encoded =
            |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        match by_header {
            true => {
                request.basic_auth(encoded(&self.client_id), Some(encoded(&self.client_secret)))
            }
            false => request,
        }
    }

    /// What the provider says of itself, asked for again after a while.
    async fn known(&self, at_most: Duration) -> Result<Arc<Known>, NotSignedIn> {
        let mut known = self.known.lock().await;
        if let Some(known) = known.as_ref().filter(|known| known.asked_at.elapsed() < at_most) {
            return Ok(known.clone());
        }
        let address = format!("{}/.well-known/openid-configuration", self.issuer);
        let document: Document = answer(self.client.get(address), "its discovery document").await?;
        let refused = |why: &str| Err(NotSignedIn::Provider(format!("the provider {why}")));
        if document.issuer.trim_end_matches('/') != self.issuer {
            return refused("calls itself by another name than `oidc.issuer`");
        }
        let endpoints =
            [&document.authorization_endpoint, &document.token_endpoint, &document.jwks_uri];
        if !endpoints.into_iter().all(is_safe) {
            return refused("names an address without https://");
        }
        let keys: JwkSet = answer(self.client.get(document.jwks_uri.clone()), "its keys").await?;
        let fresh = Arc::new(Known { document, keys, asked_at: clock::instant() });
        *known = Some(fresh.clone());
        Ok(fresh)
    }
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

fn address<'de, D: Deserializer<'de>>(text: D) -> Result<Url, D::Error> {
    String::deserialize(text)?.parse().map_err(D::Error::custom)
}

/// Only this machine is reached without TLS.
fn is_safe(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || url.scheme() == "http" && is_here
}

async fn answer<T: DeserializeOwned>(
    request: RequestBuilder,
    what: &str,
) -> Result<T, NotSignedIn> {
    let failed = |why: &str| NotSignedIn::Provider(format!("the provider {why} ({what})"));
    let mut response = request.send().await.map_err(|_| failed("cannot be reached"))?;
    let status = response.status();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| failed("broke off"))? {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER_MAX_BYTES {
            return Err(failed("says too much"));
        }
    }
    if !status.is_success() {
        return Err(failed(&format!("answered {}", status.as_u16())));
    }
    serde_json::from_slice(&body).map_err(|_| failed("answered something else than it should"))
}

/// 256 random bits, as an address can hold them.
fn secret() -> String {
    base64url(&random::<[u8; 32]>())
}

/// RFC 4648 5, without padding.
fn base64url(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte));
        let word = word << (8 * (3 - chunk.len()));
        for n in 0..=chunk.len() {
            let digit = (word >> (18 - 6 * n)) & 63;
            text.push(char::from(DIGITS[digit as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U01: the challenge is the one of RFC 7636, appendix B.
    #[test]
    fn the_challenge_is_the_one_of_the_standard() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = base64url(&Sha256::digest(verifier.as_bytes()));
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!([&b""[..], b"f", b"fo", b"foo"].map(base64url), ["", "Zg", "Zm8", "Zm9v"]);
        assert!(secret().len() == 43 && secret() != secret());
    }

    /// U01: only this machine is asked without TLS.
    #[test]
    fn a_provider_is_reached_over_tls() {
        for (text, safe) in [
            ("https://accounts.example.org/x", true),
            ("http://127.0.0.1:1", true),
            ("http://localhost", true),
            ("http://accounts.example.org", false),
            ("http://10.0.0.1", false),
            ("ftp://localhost", false),
        ] {
            assert_eq!(is_safe(&Url::parse(text).unwrap()), safe, "{text}");
        }
    }
}
