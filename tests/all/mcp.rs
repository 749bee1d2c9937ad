//! The MCP server, by JSON-RPC over HTTP.

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use serde_json::{Value, json};
use vivavoce::database::Role;
use vivavoce::interview::{Effect, End, Event};

use crate::web::{TestWeb, begun, entry, write_journal};

/// A program with a key.
struct Program<'a> {
    web: &'a TestWeb,
    authorization: Option<String>,
}

impl<'a> Program<'a> {
    async fn new(web: &'a TestWeb, role: Role) -> Self {
        let secret = web.database.make_key("assistant", role).await.unwrap().1;
        Self { web, authorization: Some(format!("Bearer {secret}")) }
    }

    async fn ask(&self, method: &str, params: Value) -> (StatusCode, Value) {
        self.ask_raw(
            json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).to_string(),
        )
        .await
    }

    async fn ask_raw(&self, body: String) -> (StatusCode, Value) {
        let mut request = Request::post("/mcp")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header(header::HOST, "127.0.0.1:8080")
            .header("mcp-protocol-version", "2025-06-18");
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let response = self.web.raw_as_it_is(request.body(Body::from(body)).unwrap()).await;
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    /// What a tool answers, or says is wrong.
    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let (_, answer) =
            self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        if let Some(error) = answer.get("error") {
            return Err(error["message"].as_str().unwrap().to_owned());
        }
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        match result["isError"] == true {
            true => Err(text.to_owned()),
            false => Ok(serde_json::from_str(text).unwrap()),
        }
    }
}

/// U09: a program with a viewer's key finds openings, interviews, what was said and what the report quotes;
/// what it has read of whom is in the audit trail, and nothing changes.
#[tokio::test]
async fn a_program_reads() {
    let web = TestWeb::new();
    web.launch().await;
    let folder = web.folder();
    let ended = entry(3, Event::Tick, vec![Effect::Hangup { end: End::Completed }]);
    write_journal(&folder, &(begun(&folder) + &ended));
    let id = folder.id().to_string();
    web.get(&format!("/api/interviews/{id}")).await;
    let said = web.get(&format!("/api/interviews/{id}")).await.1["transcript"]["turns"].clone();
    let program = Program::new(&web, Role::Viewer).await;

    let params = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    });
    let (status, answer) = program.ask("initialize", params).await;
    assert_eq!(
        (status, &answer["result"]["serverInfo"]["name"]),
        (StatusCode::OK, &json!("vivavoce"))
    );
    let (_, answer) = program.ask("tools/list", json!({})).await;
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["list_openings", "list_interviews", "get_transcript", "get_report", "search_quotes"]
    );
    assert!(tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{answer}");

    assert_eq!(program.call("list_openings", json!({})).await.unwrap()["openings"], json!([]));
    let listed = program.call("list_interviews", json!({"state": "completed"})).await.unwrap();
    assert_eq!(listed["interviews"][0]["interview"], id.as_str());
    assert_eq!(listed["interviews"][0]["candidate"], "Ilse Varga");
    assert!(listed["interviews"][0].get("email").is_none(), "{listed}");
    let none = program.call("list_interviews", json!({"state": "invited"})).await.unwrap();
    assert_eq!(none["interviews"], json!([]));
    let read = program.call("get_transcript", json!({"interview": id})).await.unwrap();
    let turns = read["turns"].as_array().unwrap();
    assert_eq!(turns.len(), said.as_array().unwrap().len());
    assert_eq!((&turns[0]["text"], &read["next_from_turn"]), (&said[0]["text"], &Value::Null));
    let answered = turns.iter().find(|turn| turn["speaker"] == "candidate").expect("an answer");
    let words = answered["text"].as_str().unwrap();
    let found =
        program.call("search_quotes", json!({"words": words.to_uppercase()})).await.unwrap();
    assert_eq!(
        (&found["quotes"][0]["quote"], &found["quotes"][0]["turn"]),
        (&answered["text"], &answered["turn"])
    );
    let none = program.call("search_quotes", json!({"words": "zeppelin"})).await.unwrap();
    assert_eq!(none["quotes"], json!([]));
    let report = program.call("get_report", json!({"interview": id})).await.unwrap();
    assert_eq!(report["state"], "ready", "by rules, where there is no model: {report}");

    let trail = web.get("/api/audit").await.1;
    let read_of: Vec<_> = trail
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["what"] == "read by MCP")
        .map(|row| (row["who"].as_str().unwrap(), row["object"].as_str().unwrap()))
        .collect();
    assert_eq!(read_of, [("assistant", id.as_str()); 3]);
}

/// U01, U09: without a key nothing is answered, not even to somebody who has signed in; what does not fit is
/// one sentence.
#[tokio::test]
async fn only_programs_with_a_key_are_answered() {
    let web = TestWeb::new();
    let nobody = Program { web: &web, authorization: None };
    let ping = || nobody.ask("tools/list", json!({}));
    assert_eq!(ping().await.0, StatusCode::UNAUTHORIZED);
    let wrong = Program { web: &web, authorization: Some("Bearer vvk_0".into()) };
    assert_eq!(wrong.ask("tools/list", json!({})).await.0, StatusCode::UNAUTHORIZED);
    let form =
        json!({"name": "Ada", "email": "ada@example.org", "password": "correct horse battery"});
    let request = Request::post("/api/setup").header(header::CONTENT_TYPE, "application/json");
    let response = web.raw_as_it_is(request.body(form.to_string().into()).unwrap()).await;
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
    let request = Request::post("/mcp")
        .header(header::COOKIE, cookie.split(';').next().unwrap())
        .header("sec-fetch-site", "same-origin");
    let response = web.raw_as_it_is(request.body(Body::from("{}")).unwrap()).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN, "a browser's cookie is no key");

    let program = Program::new(&web, Role::Viewer).await;
    let said = program.call("delete_everything", json!({})).await.unwrap_err();
    assert!(said.contains("no such tool"), "{said}");
    let said = program.call("list_interviews", json!({"colour": 1})).await.unwrap_err();
    assert!(said.contains("do not fit the tool"), "{said}");
    let said = program.call("get_transcript", json!({"interview": "none"})).await.unwrap_err();
    assert_eq!(said, "There is no such interview.");
    let said = program.call("search_quotes", json!({"words": " "})).await.unwrap_err();
    assert!(said.contains("one to a few words"), "{said}");
    let (status, _) = program.ask_raw("x".repeat(100_000)).await;
    assert!(status.is_client_error(), "{status}");
    let (status, _) = program.ask_raw("{\"jsonrpc\": \"2.0\"".into()).await;
    assert!(status.is_client_error(), "{status}");
}
