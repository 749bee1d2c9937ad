//! The API as a page to read: `docs/api.md`, made from the OpenAPI document. Its head is written by hand, in
//! `api_doc/head.md`.

use std::{collections::BTreeMap, fmt::Write as _};

use axum::http::Method;
use serde_json::{Map, Value};

use super::who;

const HEAD: &str = include_str!("api_doc/head.md");
const SCHEMAS: &str = "#/components/schemas/";

/// What the parts of the API are about, by the first part of their address.
const PARTS: [(&str, &str); 20] = [
    ("session", "Signing in"),
    ("setup", "The first account"),
    ("welcome", "Choosing a password"),
    ("password", "Changing a password"),
    ("accounts", "Accounts"),
    ("keys", "Keys for programs"),
    ("audit", "The audit trail"),
    ("webhooks", "Managing webhooks"),
    ("openings", "Openings"),
    ("templates", "Forms to begin from"),
    ("candidates", "Lists of candidates"),
    ("interviews", "Interviews"),
    ("events", "Changes as they happen"),
    ("shared", "Shared reports"),
    ("partner", "Orders of applicant tracking systems"),
    ("candidate", "What candidates' pages use"),
    ("blueprints", "Blueprints"),
    ("roles", "Roles and levels"),
    ("plans", "Plans"),
    ("documents", "Documents"),
];

/// The page, from the OpenAPI document: the head, every address, every shape.
pub(super) fn markdown(openapi_json: &str) -> String {
    let api: Value = serde_json::from_str(openapi_json).expect("it was just written");
    let mut text = HEAD.trim_end().to_owned() + "\n";
    let mut parts: BTreeMap<usize, Vec<(&str, &str, &Value)>> = BTreeMap::new();
    for (path, methods) in object(&api["paths"]) {
        let part = path.split('/').nth(2).unwrap_or_default();
        let place = PARTS.iter().position(|(name, _)| *name == part).unwrap_or(PARTS.len());
        for (method, operation) in object(methods) {
            parts.entry(place).or_default().push((path, method, operation));
        }
    }
    for (place, operations) in parts {
        let heading = PARTS.get(place).map_or("Everything else", |(_, heading)| heading);
        let _ = writeln!(text, "\n## {heading}");
        for (path, method, of) in operations {
            operation(&mut text, path, method, of);
        }
    }
    text += "\n## Shapes\n";
    for (name, schema) in object(&api["components"]["schemas"]) {
        shape(&mut text, name, schema);
    }
    text
}

fn operation(text: &mut String, path: &str, method: &str, of: &Value) {
    let upper = method.to_uppercase();
    let _ = writeln!(text, "\n### `{upper} {path}`\n");
    let about = [&of["summary"], &of["description"]].map(words);
    let about: Vec<String> = about.into_iter().filter(|words| !words.is_empty()).collect();
    let method = Method::from_bytes(upper.as_bytes()).unwrap_or(Method::POST);
    let _ = writeln!(text, "{} *{}*\n", about.join(" "), who::needs(&method, path));
    for parameter in of["parameters"].as_array().into_iter().flatten() {
        let is_query = parameter["in"] == "query";
        let place = if is_query { "in the query" } else { "in the address" };
        let name = parameter["name"].as_str().unwrap_or_default();
        let schema = kind(&parameter["schema"]);
        let about = after(&words(&parameter["description"]));
        let _ = writeln!(text, "* `{name}` {place}: {schema}{about}");
    }
    let body = &of["requestBody"];
    if let Some(schema) = content(body) {
        let _ = writeln!(text, "* Body: {schema}{}", after(&words(&body["description"])));
    }
    for (status, response) in object(&of["responses"]) {
        if status == "default" {
            continue;
        }
        let about = words(&response["description"]);
        let answer = match content(response) {
            Some(schema) => format!("{schema}{}", after(&about)),
            None if about.is_empty() => "nothing".to_owned(),
            None => about,
        };
        let _ = writeln!(text, "* {status}: {answer}");
    }
}

fn shape(text: &mut String, name: &str, schema: &Value) {
    let _ = writeln!(text, "\n### {name}\n");
    let about = words(&schema["description"]);
    if !about.is_empty() {
        let _ = writeln!(text, "{about}\n");
    }
    let parts: Vec<&Value> = match schema["allOf"].as_array() {
        Some(parts) => parts.iter().collect(),
        None => vec![schema],
    };
    for part in parts {
        if part["$ref"].is_string() {
            let _ = writeln!(text, "* all of {}", kind(part));
        } else if part["properties"].is_object() {
            let needed: Vec<&str> = part["required"]
                .as_array()
                .map_or(Vec::new(), |needed| needed.iter().filter_map(Value::as_str).collect());
            for (field, of) in object(&part["properties"]) {
                let optional = if needed.contains(&field.as_str()) { "" } else { ", optional" };
                let about = after(&about_field(of));
                let _ = writeln!(text, "* `{field}`: {}{optional}{about}", kind(of));
            }
        } else {
            let _ = writeln!(text, "* {}", kind(part));
        }
    }
}

/// What a field is, wherever its words stand.
fn about_field(of: &Value) -> String {
    let own = words(&of["description"]);
    let first = of["oneOf"].as_array().and_then(|choices| choices.first());
    match first {
        Some(first) if own.is_empty() => words(&first["description"]),
        _ => own,
    }
}

/// What a value looks like.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix(SCHEMAS)) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("`{}`", bare(value))).collect();
        return values.join(", ");
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let choices: Vec<String> = choices.iter().map(kind).collect();
        return choices.join(" or ");
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).map(plain).collect();
            kinds.join(" or ")
        }
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) if name == "object" && schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        Value::String(name) => plain(name).to_owned(),
        _ => "anything".to_owned(),
    }
}

fn plain(kind: &str) -> &str {
    match kind {
        "string" => "text",
        "integer" => "whole number",
        "boolean" => "true or false",
        "null" => "nothing",
        other => other,
    }
}

/// What a body looks like, whatever its media type.
fn content(of: &Value) -> Option<String> {
    let (media, of) = of["content"].as_object()?.iter().next()?;
    let schema =
        of.get("schema").filter(|schema| schema["$ref"].is_string() || schema["items"].is_object());
    Some(match schema {
        Some(schema) => kind(schema),
        None => format!("`{media}`"),
    })
}

fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A text on one line.
fn words(text: &Value) -> String {
    text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn after(about: &str) -> String {
    if about.is_empty() { String::new() } else { format!(": {about}") }
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}
