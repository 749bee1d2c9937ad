//! The keyterms of a candidate's recogniser, within the limits of servers.

/// The most keyterms that a connection gets, as Deepgram takes them.
pub(in crate::providers) const TERMS_MAX: usize = 100;
/// The most bytes of all keyterms. Deepgram takes 500 tokens of its own vocabulary, where rare names have
/// one for about three letters. With more it refuses the connection or recognises nothing, so we stay well
/// below.
const BYTES_MAX: usize = 1_200;

/// The keyterms of the whole interview and of the stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::providers) struct Keyterms {
    pub(in crate::providers) all: Vec<String>,
    pub(in crate::providers) now: Vec<String>,
}

impl Keyterms {
    /// Returns the keyterms for a connection on which they cannot be replaced: those of the stage come
    /// first.
    pub(in crate::providers) fn fixed(&self) -> Vec<String> {
        within_limits(self.now.iter().chain(&self.all))
    }

    /// Returns the keyterms for a connection on which they can be replaced.
    pub(in crate::providers) fn replaceable(&self) -> Vec<String> {
        within_limits(if self.now.is_empty() { &self.all } else { &self.now })
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

    /// A connection gets at most what a server takes, the keyterms of the stage first, and none twice.
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
}
