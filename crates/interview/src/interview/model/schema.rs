//! JSON schemas that a model has to keep to: every field of an object is required, and there are no others.

use serde_json::{Value, json};

/// An object with these fields.
pub(crate) fn object(properties: Value) -> Value {
    let required: Vec<_> =
        properties.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A list of such items.
pub(crate) fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}
