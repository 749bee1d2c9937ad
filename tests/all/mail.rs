//! Mail to candidates, to a mail server on this machine.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use vivavoce::{
    clock::unix_millis,
    database::{Database, Indexed, Role, State},
    mail::{Mailer, Setup},
    store::{FileStore, JournalStore, Launch},
    web::{Config, Web},
};
use voiceroom::http::{self, CallLimit};

use crate::{
    client::deaf_port,
    postbox::{Manner, Postbox},
    web::{begun, config, launchable, no_livekit, write_journal},
};

const LIMIT: Duration = Duration::from_secs(120);
const DAY_MS: u64 = 24 * 3_600_000;
const ADDRESS: &str = "ada.lovelace@example.org";

/// A web app that answers over HTTP and sends mail.
struct Desk {
    base: String,
    key: String,
    client: reqwest::Client,
    database: Database,
    data: tempfile::TempDir,
    _stop: tokio_util::sync::DropGuard,
}

impl Desk {
    async fn open(server: &str) -> Self {
        Self::with(server, Duration::ZERO, LIMIT).await
    }

    async fn with(server: &str, remind_before: Duration, answer_limit: Duration) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mailer = Mailer::new(&Setup {
            server: &url::Url::parse(server).unwrap(),
            password: "hush-hush",
            from: "Example Ltd <jobs@example.org>",
            reply_to: "people@example.org",
            base: "https://interviews.example.org/",
            remind_before,
            answer_limit,
            retry_after: Duration::from_millis(50),
        });
        let mut config = Config {
            blueprints: ["mock-interview", "mock-interview-de", "mock-interview-it"]
                .map(launchable)
                .into(),
            ..config(data.path(), no_livekit(), Duration::from_secs(1))
        };
        config.site.services.mail = Some(Arc::new(mailer.unwrap()));
        let database = config.database.clone();
        let key = database.make_key("tests", Role::Admin).await.unwrap().1;
        let web = Web::bind(config).await.unwrap();
        let (base, stop) = (format!("http://{}", web.address()), CancellationToken::new());
        tokio::spawn(web.serve(stop.clone()));
        let client = http::client(CallLimit::Callers).build().unwrap();
        Self { base, key, client, database, data, _stop: stop.drop_guard() }
    }

    async fn ask(&self, method: reqwest::Method, path: &str, body: &Value) -> (u16, Value) {
        let request = self.client.request(method, format!("{}{path}", self.base));
        let answer = request.bearer_auth(&self.key).json(body).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap_or(Value::Null))
    }

    async fn get(&self, path: &str) -> Value {
        self.ask(reqwest::Method::GET, path, &Value::Null).await.1
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask(reqwest::Method::POST, path, body).await
    }

    async fn opening(&self, blueprint: &str) -> String {
        let form = json!({
            "title": "Backend", "role": "Backend <engineer>", "level": "senior",
            "blueprint": blueprint, "link_days": 14, "contact": "Bo, bo@example.org",
        });
        let (status, opening) = self.post("/api/openings", &form).await;
        assert_eq!(status, 201, "{opening}");
        opening["id"].as_str().unwrap().to_owned()
    }

    /// Invites Ada by mail: what the API answers.
    async fn invite(&self, opening: &str, more: Value) -> Value {
        let mut form = json!({
            "candidates": [{"name": "Ada Lovelace", "email": ADDRESS}],
            "by_mail": true, "zone": "Europe/Berlin",
        });
        form.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (status, invited) =
            self.post(&format!("/api/openings/{opening}/candidates"), &form).await;
        assert_eq!(status, 201, "{invited}");
        invited[0].clone()
    }

    /// The latest mail in the only row of the list, once it is as wanted.
    async fn mail(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let found = async {
            loop {
                let list = self.get("/api/interviews").await;
                let mail = &list["rows"][0]["mail"];
                if wanted(mail) {
                    return mail.clone();
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(LIMIT, found).await.expect("the mail gets there")
    }

    async fn sent(&self) -> Value {
        self.mail(|mail| mail["state"] == "sent").await
    }

    /// When the only mail about an interview was sent: it is reminded of what is over more than a day later.
    async fn sent_at(&self, id: &str) -> u64 {
        let mails = self.database.mails(id).await.unwrap();
        u64::try_from(mails[0].done_at.expect("it was sent")).unwrap()
    }

    async fn admits(&self, token: &str) -> bool {
        self.ask(reqwest::Method::GET, &format!("/api/candidate/{token}"), &Value::Null).await.0
            == 200
    }
}

fn token_in(text: &str) -> String {
    let (_, rest) = text.split_once("https://interviews.example.org/i/").expect("a link");
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

/// U03: an invitation is in the candidate's mailbox with a link that works, which is kept nowhere, and with
/// a calendar's entry for the proposed time.
#[tokio::test]
async fn a_candidate_is_invited_by_mail() {
    let postbox = Postbox::open(Manner::Takes).await;
    let desk = Desk::open(&format!("smtp://jobs@{}", postbox.address)).await;
    let opening = desk.opening("mock-interview").await;
    let at = i64::try_from(unix_millis() + 20 * DAY_MS).unwrap();
    let invited = desk.invite(&opening, json!({"appointment": at})).await;
    let letter = postbox.letter(0).await;
    assert_eq!(letter.header("to"), format!("\"Ada Lovelace\" <{ADDRESS}>"));
    assert_eq!(letter.header("from"), "\"Example Ltd\" <jobs@example.org>");
    assert_eq!(letter.header("reply-to"), "people@example.org");
    assert_eq!(letter.header("auto-submitted"), "auto-generated");
    assert_eq!(letter.subject(), "Your interview: Backend <engineer>");
    let plain = letter.of_kind("text/plain").unwrap();
    assert!(plain.starts_with("Hello Ada Lovelace,"), "{plain}");
    assert!(plain.contains("by a computer program and not by a person"), "{plain}");
    assert!(plain.contains("(Europe/Berlin)") && plain.contains("Bo, bo@example.org"), "{plain}");
    let token = token_in(plain);
    let html = letter.of_kind("text/html").unwrap();
    assert_eq!(token_in(html), token, "the same link");
    assert!(html.contains("Backend &lt;engineer&gt;") && !html.contains("<engineer>"), "{html}");
    assert!(desk.admits(&token).await, "the mail's link works");
    let copied = invited["link"].as_str().unwrap().strip_prefix("/i/").unwrap().to_owned();
    assert!(token != copied && desk.admits(&copied).await, "and so does the one to copy");
    assert!(invited["expires_at"].as_i64().unwrap() > at, "the link outlives the proposed time");

    assert_eq!(letter.calendar("METHOD"), "REQUEST");
    assert_eq!(letter.calendar("SEQUENCE"), "0");
    assert!(letter.calendar("ATTENDEE").ends_with(&format!(":mailto:{ADDRESS}")));
    assert!(letter.of_kind("application/ics").is_some(), "also as a file");
    let mail = desk.sent().await;
    assert_eq!((&mail["kind"], &mail["problem"]), (&json!("invitation"), &json!("")));
    let secret = &token[32..];
    let dump = desk.database.dump().await.unwrap();
    assert!(dump.contains("\"mails\"") && !dump.contains(secret), "the link is kept nowhere");
}

/// U03: a new time is a change of the calendar's entry, one that is taken back its end; a new link puts an
/// end to those in mails, and an invitation that is taken back is called off.
#[tokio::test]
async fn a_proposed_time_is_changed_and_taken_back() {
    let postbox = Postbox::open(Manner::Takes).await;
    let desk = Desk::open(&format!("smtp://{}", postbox.address)).await;
    let opening = desk.opening("mock-interview").await;
    let at = i64::try_from(unix_millis() + 20 * DAY_MS).unwrap();
    let invited = desk.invite(&opening, json!({"appointment": at})).await;
    let id = invited["id"].as_str().unwrap().to_owned();
    let letter = postbox.letter(0).await;
    let token = token_in(letter.of_kind("text/plain").unwrap());
    let (uid, start) = (letter.calendar("UID"), letter.calendar("DTSTART"));
    desk.sent().await;
    let path = format!("/api/interviews/{id}/appointment");
    let form = json!({"at": at + 3_600_000, "zone": "Europe/Berlin"});
    let (status, said) = desk.ask(reqwest::Method::PUT, &path, &form).await;
    assert_eq!((status, &said["appointment"]), (200, &form["at"]), "{said}");
    let letter = postbox.letter(1).await;
    assert_eq!(
        (letter.calendar("METHOD"), letter.calendar("SEQUENCE")),
        ("REQUEST".into(), "1".into())
    );
    assert_eq!(letter.calendar("UID"), uid, "the same entry");
    assert_ne!(letter.calendar("DTSTART"), start);
    assert_eq!(desk.get("/api/interviews").await["rows"][0]["appointment"], form["at"]);

    let (status, _) = desk.ask(reqwest::Method::DELETE, &path, &Value::Null).await;
    assert_eq!(status, 200);
    let letter = postbox.letter(2).await;
    assert_eq!(
        (letter.calendar("METHOD"), letter.calendar("STATUS")),
        ("CANCEL".into(), "CANCELLED".into())
    );
    assert_eq!((letter.calendar("UID"), letter.calendar("SEQUENCE")), (uid, "2".into()));
    assert!(
        desk.admits(&token_in(letter.of_kind("text/plain").unwrap())).await,
        "the link works on"
    );
    assert_eq!(
        desk.ask(reqwest::Method::DELETE, &path, &Value::Null).await.0,
        404,
        "there is none"
    );

    desk.post(&format!("/api/interviews/{id}/link"), &json!({})).await;
    assert!(!desk.admits(&token).await, "a new link puts an end to all others");
    desk.sent().await;
    desk.post(&format!("/api/interviews/{id}/cancel"), &json!({})).await;
    let letter = postbox.letter(3).await;
    assert_eq!(letter.subject(), "Interview called off: Backend <engineer>");
    assert!(!letter.of_kind("text/plain").unwrap().contains("/i/"), "there is no link any more");
    let (status, said) = desk.post(&format!("/api/interviews/{id}/mail"), &json!({})).await;
    assert_eq!(status, 409, "{said}");
}

/// U03: a letter is in the language of the interview; without a proposed time it has no calendar's entry.
#[tokio::test]
async fn letters_speak_the_interviews_language() {
    let postbox = Postbox::open(Manner::Takes).await;
    let desk = Desk::open(&format!("smtp://{}", postbox.address)).await;
    for (n, blueprint, subject, hello, lang) in [
        (0, "mock-interview-de", "Ihr Interview: Backend <engineer>", "Guten Tag Ada", "de"),
        (1, "mock-interview-it", "Il Suo colloquio: Backend <engineer>", "Buongiorno Ada", "it"),
    ] {
        let opening = desk.opening(blueprint).await;
        desk.invite(&opening, json!({})).await;
        let letter = postbox.letter(n).await;
        assert_eq!(letter.subject(), subject);
        assert!(letter.of_kind("text/plain").unwrap().starts_with(hello), "{letter:?}");
        assert!(letter.of_kind("text/html").unwrap().contains(&format!("lang=\"{lang}\"")));
        assert!(letter.of_kind("text/calendar").is_none());
    }
}

/// U03: an address that the mail server refuses is told at the candidate's row, without its words; after
/// it is mended, "send again" works.
#[tokio::test]
async fn a_refusal_is_told_and_can_be_mended() {
    let postbox = Postbox::open(Manner::Answers("550 no mailbox ada.lovelace@example.org")).await;
    let desk = Desk::open(&format!("smtp://{}", postbox.address)).await;
    let opening = desk.opening("mock-interview").await;
    let id = desk.invite(&opening, json!({})).await["id"].as_str().unwrap().to_owned();
    let mail = desk.mail(|mail| mail["state"] == "failed").await;
    assert_eq!(mail["problem"], "The mail server refused it (550). Check the candidate's address.");
    let lines = desk.database.dump().await.unwrap();
    let mails: Vec<_> = lines.lines().filter(|line| line.contains("\"mails\"")).collect();
    assert!(mails.len() == 1 && !mails[0].contains(ADDRESS), "{mails:?}");
    postbox.behave(Manner::Takes);
    let (status, _) = desk.post(&format!("/api/interviews/{id}/mail"), &json!({})).await;
    assert_eq!(status, 202);
    postbox.letter(0).await;
    desk.sent().await;
    let view = desk.get(&format!("/api/interviews/{id}/mail")).await;
    assert_eq!((&view["is_on"], &view["has_address"]), (&json!(true), &json!(true)));
    let states: Vec<_> = view["mails"].as_array().unwrap().iter().map(|it| &it["state"]).collect();
    assert_eq!(states, ["sent", "failed"]);
    for _ in 0..8 {
        desk.post(&format!("/api/interviews/{id}/mail"), &json!({})).await;
        desk.sent().await;
    }
    let (status, said) = desk.post(&format!("/api/interviews/{id}/mail"), &json!({})).await;
    assert_eq!(status, 429, "{said}");
}

/// U03: a mail server that is away, puts mail off or hangs keeps no request waiting; the mail is tried again
/// and gets there, or is given up.
#[tokio::test]
async fn a_bad_mail_server_keeps_nobody_waiting() {
    let hangs = format!("smtp://{}", Postbox::open(Manner::Hangs).await.address);
    let (silent, port) = deaf_port();
    let away = format!("smtp://127.0.0.1:{port}");
    for (server, limit, said) in [
        (&away, LIMIT, "The mail server cannot be reached."),
        (&hangs, Duration::from_millis(300), "The mail server did not answer in time."),
    ] {
        let desk = Desk::with(server, Duration::ZERO, limit).await;
        let opening = desk.opening("mock-interview").await;
        let id = desk.invite(&opening, json!({})).await["id"].as_str().unwrap().to_owned();
        let mail = desk.mail(|mail| mail["problem"] != "").await;
        assert_eq!((&mail["problem"], &mail["kind"]), (&json!(said), &json!("invitation")));
        // While it is tried, the recruiter can take the invitation back.
        let (status, _) = desk.post(&format!("/api/interviews/{id}/cancel"), &json!({})).await;
        assert_eq!(status, 204);
    }
    let desk = Desk::open(&hangs).await;
    let opening = desk.opening("mock-interview").await;
    desk.invite(&opening, json!({})).await;
    let mail = desk.mail(|_| true).await;
    assert_eq!(mail["problem"], "", "the invitation has waited for the mail server: {mail}");

    let desk = Desk::open(&away).await;
    let opening = desk.opening("mock-interview").await;
    let id = desk.invite(&opening, json!({})).await["id"].as_str().unwrap().to_owned();
    desk.mail(|mail| mail["problem"] != "").await;
    let postbox = Postbox::on(silent.listen(16).unwrap(), Manner::Answers("450 come back later"));
    desk.mail(|mail| mail["problem"] == "The mail server put it off (450).").await;
    postbox.behave(Manner::Takes);
    desk.sent().await;
    // What is sent twice comes before the next one.
    let (status, said) = desk.post(&format!("/api/interviews/{id}/mail"), &json!({})).await;
    assert_eq!(status, 202, "{said}");
    desk.sent().await;
    assert_eq!(postbox.count(), 2, "each once");
}

/// U03, P01: where TLS is asked for and the server has none, it is told neither password nor letter.
#[tokio::test]
async fn nothing_is_said_without_tls() {
    let postbox = Postbox::open(Manner::Takes).await;
    let server = format!("smtp://jobs@{}?tls=required", postbox.address);
    let desk = Desk::open(&server).await;
    let opening = desk.opening("mock-interview").await;
    desk.invite(&opening, json!({})).await;
    let mail = desk.mail(|mail| mail["problem"] != "").await;
    assert!(mail["problem"].as_str().unwrap().contains("safe connection"), "{mail}");
    let commands = postbox.commands();
    assert!(commands.iter().any(|line| line.starts_with("EHLO")), "{commands:?}");
    let is_told = |line: &String| line.starts_with("AUTH") || line.starts_with("MAIL");
    assert!(!commands.iter().any(is_told) && postbox.count() == 0, "{commands:?}");
}

/// U03: who has not come is reminded before their link is over.
#[tokio::test]
async fn who_has_not_come_is_reminded() {
    let postbox = Postbox::open(Manner::Takes).await;
    let day = Duration::from_millis(DAY_MS);
    let desk = Desk::with(&format!("smtp://{}", postbox.address), day, LIMIT).await;
    let opening = desk.opening("mock-interview").await;
    let id = desk.invite(&opening, json!({})).await["id"].as_str().unwrap().to_owned();
    desk.sent().await;
    let over = desk.sent_at(&id).await + 1 + DAY_MS;
    let store = FileStore::open(desk.data.path()).unwrap();
    let interview = id.parse().unwrap();
    let launch = store.launch(interview).await.unwrap().unwrap();
    let soon = Launch { expires_at: over, ..launch };
    store.relaunch(interview, &soon).await.unwrap();
    desk.get(&format!("/api/interviews/{id}")).await;
    let letter = postbox.letter(1).await;
    assert_eq!(letter.subject(), "Reminder: your interview, Backend <engineer>");
    assert!(desk.admits(&token_in(letter.of_kind("text/plain").unwrap())).await);
    let mail = desk.mail(|mail| mail["kind"] == "reminder" && mail["state"] == "sent").await;
    assert_eq!(mail["problem"], "");
}

/// U03: who has come is not reminded, also where nobody has looked at the list since.
#[tokio::test]
async fn who_has_come_is_not_reminded() {
    let postbox = Postbox::open(Manner::Takes).await;
    let day = Duration::from_millis(DAY_MS);
    let desk = Desk::with(&format!("smtp://{}", postbox.address), day, LIMIT).await;
    let opening = desk.opening("mock-interview").await;
    let id = desk.invite(&opening, json!({})).await["id"].as_str().unwrap().to_owned();
    desk.sent().await;
    let folder = FileStore::open(desk.data.path()).unwrap().folder(id.parse().unwrap()).unwrap();
    write_journal(&folder, &begun(&folder));
    let row = desk.database.indexed(&id).await.unwrap().unwrap();
    let soon = i64::try_from(desk.sent_at(&id).await + 1 + DAY_MS).unwrap();
    desk.database.index(&Indexed { expires_at: Some(soon), ..row }).await.unwrap();
    let noticed = async {
        while desk.database.indexed(&id).await.unwrap().unwrap().state == State::Invited {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        while desk.database.mails(&id).await.unwrap().len() > 1 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(LIMIT, noticed).await.expect("it is noticed that they came");
    assert_eq!(postbox.count(), 1, "the invitation alone");
}

/// U02, U03: a list for which no mail can go out is refused by its fields, and nobody is invited.
#[tokio::test]
async fn mail_needs_an_address_and_a_server() {
    let desk = Desk::open("smtp://127.0.0.1:9").await;
    let opening = desk.opening("mock-interview").await;
    let form =
        json!({"candidates": [{"name": "Bo"}], "by_mail": true, "zone": "a b", "appointment": 5});
    let (status, problem) = desk.post(&format!("/api/openings/{opening}/candidates"), &form).await;
    let fields =
        problem["fields"].as_array().unwrap().iter().map(|it| it["field"].as_str().unwrap());
    assert_eq!(status, 422);
    assert_eq!(fields.collect::<Vec<_>>(), ["zone", "appointment", "candidates.0.email"]);
    let web = crate::web::TestWeb::new();
    assert_eq!(web.get("/api/session").await.1["sends_mail"], false);
    let token = web.launch().await;
    assert!(!token.is_empty());
    let id = web.folder().id();
    let (status, said) = web.post(&format!("/api/interviews/{id}/mail"), &json!({})).await;
    assert!(
        status.as_u16() == 409 && said["message"].as_str().unwrap().contains("mail.server"),
        "{said}"
    );
}
