//! The lines of a list, with a quoted cell that reaches over several of them as one.

/// A quoted cell reaches over at most this many lines.
const QUOTED_LINES_MAX: usize = 20;
/// Most lines have no more bytes.
const CELLS_BYTES: usize = 512;
/// What separates cells or people.
const SEPARATORS: [char; 4] = ['\t', ';', '|', ','];

/// A line of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Where it begins, from 1.
    pub(super) number: u64,
    pub(super) text: String,
    /// Whether its quotes open and close cells. Where one stays open, all of them are letters like others.
    pub(super) has_quotes: bool,
}

/// A text without what nobody sees, with one kind of newline and of space.
pub(super) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut is_after_return = false;
    for c in text.chars() {
        let after_return = std::mem::replace(&mut is_after_return, c == '\r');
        match c {
            '\n' if after_return => {}
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                clean.push('\n')
            }
            '\t' => clean.push('\t'),
            '；' => clean.push(';'),
            '，' => clean.push(','),
            '＠' => clean.push('@'),
            c if c.is_control() || documents::is_invisible(c) => {}
            c if c.is_whitespace() => clean.push(' '),
            c => clean.push(c),
        }
    }
    clean
}

/// The lines of a text that [`clean`] gave.
pub(super) fn of(text: &str) -> Vec<Line> {
    let physical: Vec<&str> = text.split('\n').collect();
    let mut lines = Vec::new();
    let mut at = 0;
    while at < physical.len() {
        let more = lines_of_quote(&physical[at..]);
        let has_quotes = more.is_some();
        let count = 1 + more.unwrap_or(0);
        lines.push(Line {
            number: at as u64 + 1,
            text: physical[at..at + count].join(" "),
            has_quotes,
        });
        at += count;
    }
    lines
}

/// How many more lines the quotes of the first one take in; nothing if a quote is never closed. A quote that
/// would swallow an address is not closed: its second mark was forgotten.
fn lines_of_quote(lines: &[&str]) -> Option<usize> {
    let (first, rest) = lines.split_first()?;
    if !is_open(first) {
        return Some(0);
    }
    let mut joined = (*first).to_owned();
    let mut quoted = first.rsplit('"').next().unwrap_or_default();
    for (n, next) in rest.iter().take(QUOTED_LINES_MAX).enumerate() {
        if quoted.contains('@') {
            return None;
        }
        joined.push('\n');
        joined.push_str(next);
        quoted = next.split('"').next().unwrap_or_default();
        if !is_open(&joined) {
            return (!quoted.contains('@')).then_some(n + 1);
        }
    }
    None
}

/// Whether a quote that begins a cell is still open at the end. Doubled within one it is a letter.
fn is_open(text: &str) -> bool {
    let (mut is_open, mut before) = (false, '\t');
    for c in text.chars() {
        if c == '"' {
            is_open = !is_open && (before == '"' || SEPARATORS.contains(&before));
        }
        if c != ' ' {
            before = c;
        }
    }
    is_open
}

impl Line {
    /// The cells of the line, each with single spaces.
    pub(super) fn cells(&self, separator: char) -> Vec<String> {
        let mut text = self.text.trim_matches(' ');
        if separator == '|' {
            text = text.strip_prefix('|').unwrap_or(text);
            text = text.strip_suffix('|').unwrap_or(text);
        }
        // A quote opens a cell behind a space, too.
        let text = text.replace(&format!("{separator} \""), &format!("{separator}\""));
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(CELLS_BYTES)
            .delimiter(u8::try_from(separator).unwrap_or(b','))
            .quoting(self.has_quotes)
            .from_reader(text.as_bytes());
        let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
        record.iter().map(squashed).collect()
    }
}

/// A text with single spaces, and none around it.
pub(super) fn squashed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
