//! The words that a candidate's recogniser listens for, as Deepgram takes them.

/// Deepgram takes so many.
const TERMS_MAX: usize = 100;
/// And 500 tokens of a vocabulary that only Deepgram knows: rare names have one for three letters or so. With
/// more it refuses the connection, or understands nothing any more, so we stay well below.
const BYTES_MAX: usize = 1_200;

/// How a model is told words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// `keyterm`: phrases, for nova-3 and flux.
    Keyterm,
    /// `keywords`: single words, for all before.
    Keywords,
}

impl Parameter {
    pub(super) fn of(model: &str) -> Self {
        let is_new = model.starts_with("flux") || model.starts_with("nova-3");
        if is_new { Self::Keyterm } else { Self::Keywords }
    }
}

/// What is listened for: in the whole interview, and now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Keyterms {
    pub(super) all: Vec<String>,
    pub(super) now: Vec<String>,
}

impl Keyterms {
    /// What a connection is told that cannot be told anything later: what is listened for now comes first.
    pub(super) fn for_good(&self) -> Vec<String> {
        within_limits(self.now.iter().chain(&self.all))
    }

    /// What one is told that can be told other words later.
    pub(super) fn for_now(&self) -> Vec<String> {
        within_limits(if self.now.is_empty() { &self.all } else { &self.now })
    }
}

/// The query of a connection.
pub(super) fn query(parameter: Parameter, terms: &[String]) -> Vec<(&'static str, &str)> {
    match parameter {
        Parameter::Keyterm => terms.iter().map(|term| ("keyterm", term.as_str())).collect(),
        Parameter::Keywords => {
            let mut words: Vec<&str> = Vec::new();
            // Behind a colon it takes a number.
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

    /// A connection is told at most what Deepgram takes, what matters now first, and nothing twice.
    #[test]
    fn limits_hold() {
        let both = Keyterms { all: terms(0, 150), now: terms(100, 105) };
        let told = both.for_good();
        assert_eq!(told.len(), TERMS_MAX);
        assert_eq!(told[..6], ["Term100", "Term101", "Term102", "Term103", "Term104", "Term0"]);
        assert!(!told[6..].contains(&"Term100".to_owned()));
        assert_eq!(both.for_now(), terms(100, 105));
        let begins = Keyterms { all: terms(0, 3), now: Vec::new() };
        assert_eq!(begins.for_now(), begins.all);
        let long = vec!["x".repeat(700), "y".repeat(700), "z".repeat(500)];
        let told = Keyterms { all: long.clone(), now: Vec::new() }.for_good();
        assert_eq!(told, [long[0].clone(), long[2].clone()]);
    }

    /// Models before nova-3 take single words, of which each counts.
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
