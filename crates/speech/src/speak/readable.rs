//! A model's words without markup and pictures, for speech and captions.

/// Returns the words of a segment alone. Numbers and signs stay: each voice handles those that it cannot
/// read.
pub(super) fn readable(text: &str) -> String {
    let plain: Vec<String> = text.split_whitespace().filter_map(word).collect();
    plain.join(" ")
}

fn word(word: &str) -> Option<String> {
    let shown: Vec<char> = without_tags(word).chars().filter(|c| !is_picture(*c)).collect();
    let is_within = |at: usize| {
        let beside = [at.checked_sub(1).and_then(|at| shown.get(at)), shown.get(at + 1)];
        beside.iter().all(|c| c.is_some_and(|c| c.is_alphanumeric()))
    };
    // Around a word these marks are markup, within a word they are part of it: "snake_case".
    let is_mark = |at: usize, c: char| matches!(c, '*' | '_' | '`' | '~') && !is_within(at);
    let kept = shown.iter().enumerate().filter(|(at, c)| !is_mark(*at, **c)).map(|(_, c)| *c);
    let shown = kept.collect::<String>().trim_start_matches('#').to_owned();
    let is_bullet = matches!(shown.as_str(), "-" | "•" | "|");
    (!shown.is_empty() && !is_bullet).then_some(shown)
}

/// `<b>so</b>` becomes `so`; a less-than sign stays.
fn without_tags(word: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(word.len()), word);
    while let Some((before, after)) = rest.split_once('<') {
        let tag = after.split_once('>').filter(|(name, _)| is_tag(name));
        let Some((_, tail)) = tag else { break };
        out.push_str(before);
        rest = tail;
    }
    out + rest
}

fn is_tag(name: &str) -> bool {
    let name = name.trim_matches('/');
    !name.is_empty() && name.len() <= 10 && name.chars().all(|c| c.is_ascii_alphanumeric())
}

fn is_picture(c: char) -> bool {
    let ranges = ['\u{1f000}'..='\u{1faff}', '\u{2600}'..='\u{27bf}', '\u{2b00}'..='\u{2bff}'];
    ranges.iter().any(|range| range.contains(&c)) || matches!(c, '\u{fe0f}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P06: captions and transcript contain all words and no markup.
    #[test]
    fn markup_is_not_said() {
        for (text, want) in [
            ("**Great!** 😀 <b>Nice</b>\n- one\n- two", "Great! Nice one two"),
            ("# What is *next*?", "What is next?"),
            ("C# and C++ in snake_case, 3 < 4 and a_b", "C# and C++ in snake_case, 3 < 4 and a_b"),
            ("`cargo test` took ~~ten~~ five", "cargo test took ten five"),
            ("Und über Größe?", "Und über Größe?"),
            ("👍🏽", ""),
        ] {
            assert_eq!(readable(text), want, "{text}");
        }
    }
}
