//! Sentences that we say: the question at their end, and how long a model's text may be.

const TEXT_BYTES_MAX: usize = 2_000;

/// Cuts a model's text to what a journal line may hold.
pub(crate) fn clipped(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    text
}

/// The last sentence of `text` that is a question; the whole text if none is. A mark within a word, as in 0.3
/// or plan.md, ends no sentence.
pub(crate) fn last_question(text: &str) -> &str {
    let Some(end) = text.rfind('?') else { return text };
    let before = &text[..end];
    let goes_on = |at: usize| text[at..].starts_with(|c: char| c.is_alphanumeric());
    let stops = before.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
    let start = stops.rev().find(|stop| !goes_on(*stop)).unwrap_or(0);
    text[start..=end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R06: what is asked again is the question alone, without what led to it.
    #[test]
    fn the_last_question() {
        for (text, want) in [
            ("Thank you. Let us move on. Which project?", "Which project?"),
            ("Are you there? What do you do, today? Take your time.", "What do you do, today?"),
            ("Please go on", "Please go on"),
            (
                "Fine. Where does the 0.3 in plan.md come from?",
                "Where does the 0.3 in plan.md come from?",
            ),
            ("", ""),
            ("?", "?"),
        ] {
            assert_eq!(last_question(text), want, "{text}");
        }
    }
}
