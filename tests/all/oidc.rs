//! Signing in with an account from elsewhere, at a provider on this machine.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::State,
    http::{HeaderMap, Method, Request, StatusCode, header},
    routing::{get, post},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use serde_json::{Value, json};
use url::{Url, form_urlencoded};
use vivavoce::{
    clock::unix_millis,
    oidc::{Admits, Provider, Setup},
};

use crate::web::{TestWeb, config, no_livekit};

const CLIENT: &str = "vivavoce";

/// A key of the provider, as it signs and as it shows it.
struct Key {
    signs: EncodingKey,
    shown: Value,
}

impl Key {
    fn new(kid: &str) -> Self {
        let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
        let signs = EncodingKey::from_rsa_pem(pair.serialize_pem().as_bytes()).unwrap();
        let mut jwk = Jwk::from_encoding_key(&signs, Algorithm::RS256).unwrap();
        jwk.common.key_id = Some(kid.to_owned());
        Self { signs, shown: serde_json::to_value(jwk).unwrap() }
    }
}

/// Changes what a token says.
type Change = fn(&mut Value);

/// Making a key takes a moment.
static KEYS: LazyLock<[Key; 2]> = LazyLock::new(|| [Key::new("one"), Key::new("two")]);

/// What the provider says and does.
struct Behaviour {
    /// What the next token says.
    claims: Value,
    /// Which key signs it, and by which name.
    key: (usize, &'static str),
    /// The keys that it shows.
    shown: Vec<usize>,
    /// What the token endpoint was asked.
    asked: Vec<(BTreeMap<String, String>, String)>,
    issuer: String,
}

type Shared = Arc<Mutex<Behaviour>>;

/// A provider of accounts.
struct Accounts {
    issuer: String,
    shared: Shared,
}

impl Accounts {
    async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(Behaviour {
            claims: Value::Null,
            key: (0, "one"),
            shown: vec![0],
            asked: Vec::new(),
            issuer: issuer.clone(),
        }));
        let app = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(shared.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { issuer, shared }
    }

    fn now(&self, change: impl FnOnce(&mut Behaviour)) {
        change(&mut self.shared.lock().unwrap());
    }
}

async fn discovery(State(shared): State<Shared>) -> Json<Value> {
    let issuer = shared.lock().unwrap().issuer.clone();
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize?tenant=x"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
    }))
}

async fn keys(State(shared): State<Shared>) -> Json<Value> {
    let shown = shared.lock().unwrap().shown.clone();
    Json(json!({ "keys": shown.iter().map(|n| &KEYS[*n].shown).collect::<Vec<_>>() }))
}

async fn token(State(shared): State<Shared>, headers: HeaderMap, body: String) -> Json<Value> {
    let mut shared = shared.lock().unwrap();
    let form = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let authorization = headers[header::AUTHORIZATION].to_str().unwrap().to_owned();
    shared.asked.push((form, authorization));
    let (key, kid) = shared.key;
    let header = Header { kid: Some(kid.to_owned()), ..Header::new(Algorithm::RS256) };
    let id_token = encode(&header, &shared.claims, &KEYS[key].signs).unwrap();
    Json(json!({ "id_token": id_token, "access_token": "unused", "token_type": "Bearer" }))
}

fn web(accounts: &Accounts, no_passwords: bool) -> TestWeb {
    web_that_asks_again(accounts, no_passwords, Duration::from_secs(3600))
}

fn web_that_asks_again(accounts: &Accounts, no_passwords: bool, after: Duration) -> TestWeb {
    let provider = Provider::new(Setup {
        issuer: &Url::parse(&accounts.issuer).unwrap(),
        client_id: CLIENT,
        client_secret: "s3cret",
        redirect: "https://interviews.example.org/api/oidc/callback".into(),
        admits: Admits::read("bosses", "@example.org", "readers").unwrap(),
        keys_again_after: after,
    });
    let provider = Arc::new(provider.unwrap());
    TestWeb::set_up(|data| {
        let mut config = config(data, no_livekit(), Duration::from_secs(1));
        config.site.services.oidc = Some(provider);
        config.site.services.no_passwords = no_passwords;
        config
    })
}

/// A browser that signs in.
struct Browser<'a> {
    web: &'a TestWeb,
    cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    fn new(web: &'a TestWeb) -> Self {
        Self { web, cookies: BTreeMap::new() }
    }

    async fn ask(
        &mut self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> (StatusCode, String, Value) {
        let cookies: Vec<_> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::COOKIE, cookies.join("; "));
        let request = request.body(Body::from(body.to_string())).unwrap();
        let response = self.web.raw_as_it_is(request).await;
        for set in response.headers().get_all(header::SET_COOKIE) {
            let set = set.to_str().unwrap();
            assert!(set.contains("HttpOnly; SameSite=Lax"), "{set}");
            let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let location = response.headers().get(header::LOCATION);
        let location = location.map(|at| at.to_str().unwrap().to_owned()).unwrap_or_default();
        let status = response.status();
        let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, location, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    async fn get(&mut self, path: &str) -> (StatusCode, String, Value) {
        self.ask(Method::GET, path, &Value::Null).await
    }

    /// Goes to the provider: what it is asked.
    async fn starts(&mut self) -> BTreeMap<String, String> {
        let (status, location, _) = self.get("/api/oidc/start").await;
        assert_eq!(status, StatusCode::SEE_OTHER);
        Url::parse(&location).unwrap().query_pairs().into_owned().collect()
    }

    /// Comes back from there: where it goes on to.
    async fn comes_back(&mut self, state: &str) -> String {
        let (status, location, _) =
            self.get(&format!("/api/oidc/callback?code=c0de&state={state}")).await;
        assert_eq!(status, StatusCode::SEE_OTHER);
        location
    }

    /// Signs in as whom the claims name; `change` changes them.
    async fn signs_in(&mut self, accounts: &Accounts, change: impl FnOnce(&mut Value)) -> String {
        let asked = self.starts().await;
        let mut claims = claims(&accounts.issuer, &asked["nonce"]);
        change(&mut claims);
        accounts.now(|it| it.claims = claims);
        self.comes_back(&asked["state"]).await
    }

    async fn role(&mut self) -> Value {
        self.get("/api/session").await.2["account"]["role"].clone()
    }
}

fn claims(issuer: &str, nonce: &str) -> Value {
    let now = unix_millis() / 1_000;
    json!({
        "iss": issuer, "aud": CLIENT, "sub": "248289761001", "nonce": nonce,
        "iat": now, "exp": now + 300, "email": "ada@example.org", "email_verified": true,
        "name": "Ada Lovelace", "groups": ["bosses"],
    })
}

/// U01: who is let in signs in with a code and PKCE; the account is the one of their subject, whatever their
/// address becomes, and what they may do is what the provider says today.
#[tokio::test]
async fn somebody_signs_in_with_an_account_from_elsewhere() {
    let accounts = Accounts::open().await;
    let web = web(&accounts, false);
    let mut ada = Browser::new(&web);
    let (_, _, session) = ada.get("/api/session").await;
    assert_eq!((&session["oidc"], &session["passwords"]), (&json!(true), &json!(true)));
    let asked = ada.starts().await;
    assert_eq!(asked["tenant"], "x", "what stands in the provider's address stays");
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", CLIENT),
        ("redirect_uri", "https://interviews.example.org/api/oidc/callback"),
        ("scope", "openid email profile"),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(asked[name], value, "{name}");
    }
    accounts.now(|it| it.claims = claims(&accounts.issuer, &asked["nonce"]));
    assert_eq!(ada.comes_back(&asked["state"]).await, "/");
    assert_eq!(ada.role().await, "admin");
    accounts.now(|it| {
        let (form, authorization) = it.asked.last().unwrap();
        assert_eq!(
            (form["code"].as_str(), form["grant_type"].as_str()),
            ("c0de", "authorization_code")
        );
        assert!(
            form["code_verifier"].len() >= 43 && !form.contains_key("client_secret"),
            "{form:?}"
        );
        assert_eq!(authorization, "Basic dml2YXZvY2U6czNjcmV0");
    });
    let trail = web.get("/api/audit").await.1.to_string();
    assert!(trail.contains("came with an account from elsewhere"), "{trail}");

    let mut same = Browser::new(&web);
    let other_address = |claims: &mut Value| {
        claims["email"] = json!("ada@married.example");
        claims["groups"] = json!(["readers", "bosses"]);
    };
    assert_eq!(same.signs_in(&accounts, other_address).await, "/");
    let listed = same.get("/api/accounts").await.2;
    assert_eq!(listed.as_array().unwrap().len(), 1, "the same account: {listed}");

    let mut bo = Browser::new(&web);
    let is_bo = |claims: &mut Value| {
        (claims["sub"], claims["email"]) = (json!("bo"), json!("Bo@Example.org"));
        claims["groups"] = json!([]);
    };
    assert_eq!(bo.signs_in(&accounts, is_bo).await, "/");
    assert_eq!(bo.role().await, "recruiter", "by the domain of the address");
    let is_reader = |claims: &mut Value| {
        (claims["sub"], claims["email"]) = (json!("bo"), json!("bo@other.example"));
        claims["groups"] = json!(["readers"]);
    };
    assert_eq!(bo.signs_in(&accounts, is_reader).await, "/");
    assert_eq!(bo.role().await, "viewer", "as the provider says today");
    assert_eq!(same.signs_in(&accounts, |claims| claims["groups"] = json!([])).await, "/");
    assert_eq!(same.role().await, "admin", "somebody stays admin");
}

/// U01: an account that has a password is linked by an address that the provider has checked, and by no
/// other; who is not let in, or was disabled, is not.
#[tokio::test]
async fn only_who_is_let_in_comes_in() {
    let accounts = Accounts::open().await;
    let web = web(&accounts, false);
    let mut first = Browser::new(&web);
    let recruiter = |claims: &mut Value| claims["groups"] = json!([]);
    assert_eq!(
        first.signs_in(&accounts, recruiter).await,
        "/#sign-in=not-admitted",
        "no admin yet"
    );
    let form =
        json!({"name": "Ada", "email": "ada@example.org", "password": "correct horse battery"});
    assert_eq!(first.ask(Method::POST, "/api/setup", &form).await.0, StatusCode::CREATED);

    let mut ada = Browser::new(&web);
    let unchecked = |claims: &mut Value| claims["email_verified"] = json!(false);
    assert_eq!(ada.signs_in(&accounts, unchecked).await, "/#sign-in=taken");
    let text = |claims: &mut Value| claims["email_verified"] = json!("true");
    assert_eq!(ada.signs_in(&accounts, text).await, "/", "some providers write it so");
    assert_eq!(ada.get("/api/accounts").await.2.as_array().unwrap().len(), 1, "linked");

    let mut eve = Browser::new(&web);
    let is_eve = |claims: &mut Value| {
        (claims["sub"], claims["email"]) = (json!("eve"), json!("eve@evil.example"));
        claims["groups"] = json!(["others"]);
    };
    assert_eq!(eve.signs_in(&accounts, is_eve).await, "/#sign-in=not-admitted");
    assert_eq!(eve.get("/api/interviews").await.0, StatusCode::UNAUTHORIZED);
    let is_bo = |claims: &mut Value| {
        (claims["sub"], claims["email"]) = (json!("bo"), json!("bo@example.org"));
    };
    assert_eq!(eve.signs_in(&accounts, is_bo).await, "/");
    let bo = eve.get("/api/session").await.2["account"]["id"].as_str().unwrap().to_owned();
    let disable = json!({"disabled": true});
    ada.ask(Method::PATCH, &format!("/api/accounts/{bo}"), &disable).await;
    assert_eq!(eve.signs_in(&accounts, is_bo).await, "/#sign-in=not-admitted", "disabled");
}

/// U01: a token that is not of this sign-in, not for us, too old, or signed by somebody else signs nobody
/// in; a key that the provider has only just begun to use is found.
#[tokio::test]
async fn a_token_is_checked() {
    let accounts = Accounts::open().await;
    let web = web(&accounts, false);
    let mut ada = Browser::new(&web);
    let now = unix_millis() / 1_000;
    let wrong: [(&str, Change); 7] = [
        ("nonce", |claims| claims["nonce"] = json!("another")),
        ("no nonce", |claims| claims["nonce"] = Value::Null),
        ("audience", |claims| claims["aud"] = json!("another")),
        ("issuer", |claims| claims["iss"] = json!("http://another.example")),
        ("two audiences", |claims| claims["aud"] = json!([CLIENT, "another"])),
        ("authorized party", |claims| claims["azp"] = json!("another")),
        ("subject", |claims| claims["sub"] = json!("")),
    ];
    for (what, change) in wrong {
        assert_eq!(ada.signs_in(&accounts, change).await, "/#sign-in=failed", "{what}");
    }
    let expired = |claims: &mut Value| claims["exp"] = json!(now - 120);
    assert_eq!(ada.signs_in(&accounts, expired).await, "/#sign-in=failed");
    let future = |claims: &mut Value| claims["nbf"] = json!(now + 600);
    assert_eq!(ada.signs_in(&accounts, future).await, "/#sign-in=failed");
    // Another key by the known name, then one that nobody has shown.
    for key in [(1, "one"), (1, "two")] {
        accounts.now(|it| it.key = key);
        assert_eq!(ada.signs_in(&accounts, |_| {}).await, "/#sign-in=failed", "{key:?}");
    }
    assert_eq!(ada.get("/api/interviews").await.0, StatusCode::UNAUTHORIZED);
    accounts.now(|it| it.key = (0, "one"));
    assert_eq!(ada.signs_in(&accounts, |_| {}).await, "/", "as it should be");
}

/// U01: a new key of the provider is asked for, once it signs with it.
#[tokio::test]
async fn a_new_key_is_found() {
    let accounts = Accounts::open().await;
    let patient = web(&accounts, false);
    let web = web_that_asks_again(&accounts, false, Duration::ZERO);
    let (mut bo, mut ada) = (Browser::new(&patient), Browser::new(&web));
    assert_eq!(bo.signs_in(&accounts, |_| {}).await, "/");
    assert_eq!(ada.signs_in(&accounts, |_| {}).await, "/");
    accounts.now(|it| (it.key, it.shown) = ((1, "two"), vec![0, 1]));
    assert_eq!(ada.signs_in(&accounts, |_| {}).await, "/");
    assert_eq!(bo.signs_in(&accounts, |_| {}).await, "/#sign-in=failed", "it was asked just now");
}

/// U01: only the browser that has begun a sign-in finishes it, once; a provider that calls itself by another
/// name is not believed.
#[tokio::test]
async fn a_sign_in_belongs_to_its_browser() {
    let accounts = Accounts::open().await;
    let web = web(&accounts, false);
    let (mut ada, mut eve) = (Browser::new(&web), Browser::new(&web));
    let asked = ada.starts().await;
    accounts.now(|it| it.claims = claims(&accounts.issuer, &asked["nonce"]));
    assert_eq!(eve.comes_back(&asked["state"]).await, "/#sign-in=over", "Eve has no cookie of it");
    eve.starts().await;
    assert_eq!(eve.comes_back(&asked["state"]).await, "/#sign-in=over", "nor of this one");
    let before = ada.cookies.clone();
    assert_eq!(ada.comes_back(&asked["state"]).await, "/");
    ada.cookies = before;
    assert_eq!(ada.comes_back(&asked["state"]).await, "/#sign-in=over", "once");
    let asked = ada.starts().await;
    let (_, location, _) =
        ada.get(&format!("/api/oidc/callback?error=access_denied&state={}", asked["state"])).await;
    assert_eq!(location, "/#sign-in=failed");

    let liar = Accounts::open().await;
    liar.now(|it| it.issuer = "http://127.0.0.1:1".into());
    let web = self::web(&liar, false);
    let (_, location, _) = Browser::new(&web).get("/api/oidc/start").await;
    assert_eq!(location, "/#sign-in=failed");
}

/// U01: where passwords are switched off none is taken, and the first admin comes from elsewhere.
#[tokio::test]
async fn passwords_can_be_switched_off() {
    let accounts = Accounts::open().await;
    let web = web(&accounts, true);
    let mut ada = Browser::new(&web);
    let (_, _, session) = ada.get("/api/session").await;
    assert_eq!((&session["state"], &session["passwords"]), (&json!("signed_out"), &json!(false)));
    let form =
        json!({"name": "Ada", "email": "ada@example.org", "password": "correct horse battery"});
    for path in ["/api/setup", "/api/session", "/api/welcome"] {
        let form = match path {
            "/api/session" => json!({"email": form["email"], "password": form["password"]}),
            "/api/welcome" => json!({"token": "x", "password": form["password"]}),
            _ => form.clone(),
        };
        let (status, _, said) = ada.ask(Method::POST, path, &form).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}: {said}");
    }
    assert_eq!(ada.signs_in(&accounts, |_| {}).await, "/");
    let change = json!({"current": "correct horse battery", "new": "another fine password"});
    assert_eq!(ada.ask(Method::POST, "/api/password", &change).await.0, StatusCode::FORBIDDEN);
    let without = TestWeb::new();
    assert_eq!(Browser::new(&without).get("/api/oidc/start").await.0, StatusCode::NOT_FOUND);
}

/// 7.5.1: whoever has no password here shows the provider again who they are before they give others access.
/// What they have shown there long ago is not enough, however they came in; where the provider does not say
/// when that was, the sign-in that asked for it counts.
#[tokio::test]
async fn access_is_given_after_a_fresh_sign_in() {
    let accounts = Accounts::open().await;
    let web = web(&accounts, true);
    let mut ada = Browser::new(&web);
    let key = json!({"name": "ATS", "role": "viewer"});
    let now = i64::try_from(unix_millis() / 1_000).unwrap();
    for (start, auth_time, status) in [
        ("/api/oidc/start", Value::Null, StatusCode::PRECONDITION_REQUIRED),
        ("/api/oidc/start", json!(now - 3_600), StatusCode::PRECONDITION_REQUIRED),
        ("/api/oidc/start?fresh=true", json!(now - 3_600), StatusCode::PRECONDITION_REQUIRED),
        ("/api/oidc/start", json!(now), StatusCode::CREATED),
        ("/api/oidc/start?fresh=true", Value::Null, StatusCode::CREATED),
    ] {
        let (_, location, _) = ada.get(start).await;
        let asked: BTreeMap<String, String> =
            Url::parse(&location).unwrap().query_pairs().into_owned().collect();
        let is_fresh = start.ends_with("fresh=true");
        assert_eq!(asked.get("prompt").is_some_and(|it| it == "login"), is_fresh, "{asked:?}");
        assert_eq!(asked.get("max_age").is_some_and(|it| it == "0"), is_fresh, "{asked:?}");
        let mut claims = claims(&accounts.issuer, &asked["nonce"]);
        claims["auth_time"] = auth_time.clone();
        accounts.now(|it| it.claims = claims);
        assert_eq!(ada.comes_back(&asked["state"]).await, "/");
        let (made, _, said) = ada.ask(Method::POST, "/api/keys", &key).await;
        assert_eq!(made, status, "{start} {auth_time}: {said}");
    }
    assert_eq!(ada.get("/api/session").await.2["account"]["has_password"], false);
}
