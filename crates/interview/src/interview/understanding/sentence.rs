//! Sentences that we say: the question at their end, and how long a model's text may be.

const TEXT_BYTES_MAX: usize = 2_000;

/// Cuts a model's text to what a journal line may hold.
pub(crate) fn clipped(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
    text
}

/// The last sentence of `text` that is a question; the whole text if none is.
pub(crate) fn last_question(text: &str) -> &str {
    let Some(end) = text.rfind('?') else { return text };
    let before = &text[..end];
    let start = before.rfind(['.', '!', '?']).map_or(0, |stop| stop + 1);
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
            ("", ""),
            ("?", "?"),
        ] {
            assert_eq!(last_question(text), want, "{text}");
        }
    }
}
