//! Control messages as pages and servers send them, before the interview decides about them (R04).

use std::collections::BTreeMap;

use serde::Deserialize;

/// The longest id of a message: ids are kept to drop duplicates.
const ID_BYTES_MAX: usize = 128;

/// A button press of the candidate, or an order of the operator.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Control {
    /// The message's own id: the same one twice is one request.
    pub id: String,
    /// The request, in the sender's words.
    pub request: String,
    /// The stage in which the button was pressed (`vivavoce.stage`); in another stage the message is refused.
    pub stage: Option<String>,
    /// What was filled in on the screen, by the fields' keys; only with the request `fill`.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// What a recruiter suggests to ask; only with the request `suggest`, in an order of the operator.
    #[serde(default)]
    pub text: String,
}

impl Control {
    /// Parses a message; `None` if it is not valid.
    pub fn parse(payload: &[u8]) -> Option<Self> {
        let control: Self = serde_json::from_slice(payload).ok()?;
        (1..=ID_BYTES_MAX).contains(&control.id.len()).then_some(control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R04, R08: a message without an id, with a long one, or that is no JSON is passed over.
    #[test]
    fn strange_messages_are_none() {
        let message = |id: &str| format!("{{\"id\":\"{id}\",\"request\":\"end\",\"more\":1}}");
        assert_eq!(Control::parse(message("a").as_bytes()).unwrap().request, "end");
        assert_eq!(Control::parse(message("").as_bytes()), None);
        assert_eq!(Control::parse(message(&"a".repeat(129)).as_bytes()), None);
        assert_eq!(Control::parse(b"{\"id\":\"a\"}"), None);
        assert_eq!(Control::parse(b"\xff"), None);
    }
}
