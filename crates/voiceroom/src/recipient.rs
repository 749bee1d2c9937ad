//! Whom a data packet is for.

/// Whom a data packet is for. There is no list that could be empty, since LiveKit takes an empty one for
/// everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To<'a> {
    /// The agent with this identity, and nobody else.
    Agent(&'a str),
    /// The person with this identity, and nobody else.
    Person(&'a str),
    /// Everybody in the room, the candidate's browser too.
    Everybody,
}

impl To<'_> {
    /// The list that LiveKit wants.
    pub(crate) fn identities(self) -> Vec<String> {
        match self {
            Self::Agent(identity) | Self::Person(identity) => vec![identity.to_owned()],
            Self::Everybody => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever is named nothing is nobody, never everybody.
    #[test]
    fn nobody_is_not_everybody() {
        assert_eq!(To::Agent("").identities(), [""]);
        assert_eq!(To::Person("").identities(), [""]);
        assert_eq!(To::Everybody.identities(), [""; 0]);
    }
}
