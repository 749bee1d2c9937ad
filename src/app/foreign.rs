//! What a frontend that is not ours asks for: the metadata of its job, as far as we know its keys.

use serde_json::{Map, Value};

use crate::blueprint::{LEVELS, check_line, person_name};

const ROLE_CHARS_MAX: usize = 80;
const PAPER_CHARS_MAX: usize = 20_000;

/// The interview that a frontend of somebody else asks for. What it does not say, or not as we read it, is
/// empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wishes {
    /// The name of the blueprint.
    pub(super) blueprint: String,
    /// What the candidate is called.
    pub(super) name: String,
    pub(super) role: String,
    /// One of [`LEVELS`].
    pub(super) level: String,
    pub(super) resume: String,
    pub(super) job_description: String,
}

impl Wishes {
    /// Reads a job's metadata, which may be any text: what is no JSON object asks for nothing, and a key that
    /// is not ours, or has another value than we take, is passed over.
    pub(super) fn read(metadata: &str) -> Self {
        let Ok(object) = serde_json::from_str::<Map<String, Value>>(metadata) else {
            return Self::default();
        };
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().trim();
        let line = |key: &str, chars_max| {
            let line = text(key);
            if check_line(line, chars_max).is_ok() { line.to_owned() } else { String::new() }
        };
        let paper = |key: &str| text(key).chars().take(PAPER_CHARS_MAX).collect();
        let level = text("level");
        let wishes = Self {
            blueprint: line("blueprint", ROLE_CHARS_MAX),
            name: person_name(text("name")).unwrap_or_default(),
            role: line("role", ROLE_CHARS_MAX),
            level: if LEVELS.contains(&level) { level.to_owned() } else { String::new() },
            resume: paper("resume"),
            job_description: paper("job_description"),
        };
        let passed_over = [
            ("blueprint", &wishes.blueprint),
            ("name", &wishes.name),
            ("role", &wishes.role),
            ("level", &wishes.level),
        ];
        for (key, _) in passed_over.iter().filter(|(key, read)| {
            read.is_empty() && object.get(*key).is_some_and(|value| value != "")
        }) {
            tracing::warn!(
                key,
                "a job's metadata has a value that cannot be taken, passed it over"
            );
        }
        wishes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N01: known keys count, each by itself; everything else is somebody else's.
    #[test]
    fn known_keys_are_read() {
        let whole = r#"{"blueprint":"two-stage","name":" Grace Hopper (she/her)","role":"engineer",
            "level":"senior","resume":"Cobol","job_description":"Compilers","theme":{"dark":true}}"#;
        let wanted = Wishes {
            blueprint: "two-stage".into(),
            name: "Grace Hopper".into(),
            role: "engineer".into(),
            level: "senior".into(),
            resume: "Cobol".into(),
            job_description: "Compilers".into(),
        };
        assert_eq!(Wishes::read(whole), wanted);
        for nothing in ["", "playground", "[1]", "{", "null", r#"{"theme":"dark"}"#] {
            assert_eq!(Wishes::read(nothing), Wishes::default(), "{nothing}");
        }
        let some =
            r#"{"name":"user_4711","role":7,"level":"wizard","blueprint":"a\nb","resume":"x"}"#;
        assert_eq!(Wishes::read(some), Wishes { resume: "x".into(), ..Wishes::default() });
        let long = format!(r#"{{"role":"{}","resume":"{}"}}"#, "r".repeat(81), "ü".repeat(20_001));
        let read = Wishes::read(&long);
        assert_eq!((read.role.as_str(), read.resume.chars().count()), ("", 20_000));
    }
}
