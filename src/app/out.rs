//! What commands print. Colours only where a person looks: not into files and pipes, not with `NO_COLOR`.

use std::{
    fmt::Write as _,
    io::{ErrorKind, Write as _},
    sync::OnceLock,
};

use anstyle::{AnsiColor, Effects, Style};
use similar::{ChangeTag, TextDiff};

use super::Failed;
use crate::config::Config;

/// A difference is shown with so many lines around it.
const CONTEXT_LINES: usize = 3;

pub(super) const PLAIN: Style = Style::new();
pub(super) const STRONG: Style = Style::new().effects(Effects::BOLD);
pub(super) const FAINT: Style = Style::new().effects(Effects::DIMMED);
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default();
pub(super) const OTHER: Style = AnsiColor::Cyan.on_default();

/// Why not all was printed, if it was not.
static UNPRINTED: OnceLock<String> = OnceLock::new();

/// Prints a line. Whoever reads it may have gone (`| head`): that is no failure; a full disk is.
pub(super) fn say(style: Style, line: &str) {
    match writeln!(anstream::stdout().lock(), "{style}{line}{style:#}") {
        Err(why) if why.kind() != ErrorKind::BrokenPipe => {
            let _ = UNPRINTED.set(why.to_string());
        }
        Ok(()) | Err(_) => {}
    }
}

/// Says where keys go unencrypted because the settings mean it.
pub(super) fn say_unencrypted(config: &Config) {
    for sentence in &config.unencrypted {
        say(BAD, sentence);
    }
}

/// Whether all that was to be printed was.
pub fn printed() -> Result<(), Failed> {
    match UNPRINTED.get() {
        Some(why) => Err(Failed(format!("cannot write what was to be printed: {why}"))),
        None => Ok(()),
    }
}

/// Prints what differs between two texts, line by line.
pub(super) fn say_difference(old: (&str, &str), new: (&str, &str)) {
    say(BAD, &format!("--- {}", old.0));
    say(GOOD, &format!("+++ {}", new.0));
    let diff = TextDiff::from_lines(old.1, new.1);
    for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
        say(OTHER, &hunk.header().to_string());
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ("-", BAD),
                ChangeTag::Insert => ("+", GOOD),
                ChangeTag::Equal => (" ", PLAIN),
            };
            say(style, &format!("{sign}{}", change.value().trim_end_matches('\n')));
        }
    }
}

/// Columns of equal width, two spaces apart: the first to the left, all others to the right.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        for (n, cell) in row.iter().enumerate() {
            let width = widths[n];
            let _ = if n == 0 {
                write!(text, "{cell:width$}")
            } else {
                write!(text, "  {cell:>width$}")
            };
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}
