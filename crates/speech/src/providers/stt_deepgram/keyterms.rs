//! How the models of Deepgram take keyterms.

use crate::providers::stt_line::TERMS_MAX;

/// The parameter by which a model takes keyterms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// `keyterm`: phrases, for nova-3 and flux.
    Keyterm,
    /// `keywords`: single words, for all older models.
    Keywords,
}

impl Parameter {
    pub(super) fn of(model: &str) -> Self {
        let is_new = model.starts_with("flux") || model.starts_with("nova-3");
        if is_new { Self::Keyterm } else { Self::Keywords }
    }
}

/// Returns the query of a connection.
pub(super) fn query(parameter: Parameter, terms: &[String]) -> Vec<(&'static str, &str)> {
    match parameter {
        Parameter::Keyterm => terms.iter().map(|term| ("keyterm", term.as_str())).collect(),
        Parameter::Keywords => {
            let mut words: Vec<&str> = Vec::new();
            // A colon would begin a number.
            let single = terms.iter().flat_map(|term| term.split([' ', ':']));
            for word in single.filter(|word| !word.is_empty()) {
                if !words.contains(&word) && words.len() < TERMS_MAX {
                    words.push(word);
                }
            }
            words.into_iter().map(|word| ("keywords", word)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Models before nova-3 take single words, each of which counts.
    #[test]
    fn old_models_take_words() {
        let terms = ["Google Cloud", "C:D", "Cloud Run"].map(str::to_owned);
        let words: Vec<&str> =
            query(Parameter::of("nova-2"), &terms).into_iter().map(|(_, word)| word).collect();
        assert_eq!(words, ["Google", "Cloud", "C", "D", "Run"]);
        for model in ["nova-3", "nova-3-medical", "flux-general-en"] {
            assert_eq!(query(Parameter::of(model), &terms)[0], ("keyterm", "Google Cloud"));
        }
        let many: Vec<String> = (0..90).map(|n| format!("A{n} B{n}")).collect();
        assert_eq!(query(Parameter::Keywords, &many).len(), TERMS_MAX);
    }
}
