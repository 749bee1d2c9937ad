//! Whether somebody who was asked if they want to end the interview does.

use super::{
    super::words::{holds, plain, split},
    Cue,
};

/// A yes or no has so many words at most.
const WORDS_MAX: usize = 12;

/// What a turn says to the question whether the interview should end; nothing if it says something else.
pub fn to_ending(text: &str) -> Option<Cue> {
    let words = plain(text);
    let words = split(&words);
    let has = |list| words.iter().any(|word| holds(list, word));
    if words.len() > WORDS_MAX {
        return None;
    }
    if has(" no nope nah not continue keep carry proceed ")
        || words.windows(2).any(|w| w == ["go", "on"])
    {
        return Some(Cue::No);
    }
    has(" yes yeah yep yup sure okay ok end stop finish quit leave ").then_some(Cue::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Case 4: people say it in their own words.
    #[test]
    fn they_say_it_in_their_own_words() {
        for (text, want) in [
            ("Yes, I want to end it", Some(Cue::Yes)),
            ("please end it", Some(Cue::Yes)),
            ("no, let us go on", Some(Cue::No)),
            ("No, I want to continue", Some(Cue::No)),
            ("yes let us keep going", Some(Cue::No)),
            ("not yet", Some(Cue::No)),
            ("the ledger was slow", None),
        ] {
            assert_eq!(to_ending(text), want, "{text}");
        }
    }
}
