//! The keyterms of a candidate's recogniser, within Deepgram's limits.

/// The most keyterms that Deepgram takes.
const TERMS_MAX: usize = 100;
/// The most bytes of all keyterms. Deepgram takes 500 tokens of its own vocabulary, where rare names have
/// one for about three letters. With more it refuses the connection or recognises nothing, so we stay well
/// below.
const BYTES_MAX: usize = 1_200;

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

/// The keyterms of the whole interview and of the stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Keyterms {
    pub(super) all: Vec<String>,
    pub(super) now: Vec<String>,
}

impl Keyterms {
    /// Returns the keyterms for a connection on which they cannot be replaced: those of the stage come
    /// first.
    pub(super) fn fixed(&self) -> Vec<String> {
        within_limits(self.now.iter().chain(&self.all))
    }

    /// Returns the keyterms for a connection on which they can be replaced.
    pub(super) fn replaceable(&self) -> Vec<String> {
        within_limits(if self.now.is_empty() { &self.all } else { &self.now })
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

fn within_limits<'a>(terms: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    let (mut told, mut bytes) = (Vec::<String>::new(), 0);
    for term in terms {
        let fits = told.len() < TERMS_MAX && bytes + term.len() <= BYTES_MAX;
        if fits && !told.contains(term) {
            bytes += term.len();
            told.push(term.clone());
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(from: usize, to: usize) -> Vec<String> {
        (from..to).map(|n| format!("Term{n}")).collect()
    }

    /// A connection gets at most what Deepgram takes, the keyterms of the stage first, and none twice.
    #[test]
    fn limits_hold() {
        let both = Keyterms { all: terms(0, 150), now: terms(100, 105) };
        let told = both.fixed();
        assert_eq!(told.len(), TERMS_MAX);
        assert_eq!(told[..6], ["Term100", "Term101", "Term102", "Term103", "Term104", "Term0"]);
        assert!(!told[6..].contains(&"Term100".to_owned()));
        assert_eq!(both.replaceable(), terms(100, 105));
        let begins = Keyterms { all: terms(0, 3), now: Vec::new() };
        assert_eq!(begins.replaceable(), begins.all);
        let long = vec!["x".repeat(700), "y".repeat(700), "z".repeat(500)];
        let told = Keyterms { all: long.clone(), now: Vec::new() }.fixed();
        assert_eq!(told, [long[0].clone(), long[2].clone()]);
    }

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
