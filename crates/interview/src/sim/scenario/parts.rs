//! The small parts of a scenario's lines. Whatever is wrong with one is one sentence.

use std::{str::FromStr, time::Duration};

use crate::{
    blueprint::HEAD,
    time::{SessionTime, Span},
};

/// A scenario lasts so long at most: more than any interview.
const MINUTES_MAX: u64 = 6_000;
const SECONDS_MAX: f64 = 60.0 * MINUTES_MAX as f64;
/// What stands in the table `[exit]`.
const EXIT: [&str; 3] = ["required_fields_threshold", "max_turns", "graceful_closing"];

/// `mm:ss.mmm`
pub(super) fn time(text: &str) -> Result<SessionTime, String> {
    let parsed = text.trim().split_once(':').and_then(|(minutes, seconds)| {
        let minutes = minutes.parse::<u64>().ok().filter(|minutes| *minutes <= MINUTES_MAX)?;
        let seconds = seconds.parse::<f64>().ok().filter(|s| (0.0..SECONDS_MAX).contains(s))?;
        Some(SessionTime::from_millis(minutes * 60_000 + (seconds * 1_000.0).round() as u64))
    });
    parsed.ok_or_else(|| format!("`{text}` is no time: write minutes and seconds, 00:10.000"))
}

/// `{00:05.000-00:06.000 00:09.000-00:10.000}`
pub(super) fn spans(text: &str) -> Result<Vec<Span>, String> {
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let one = |span: &str| -> Option<Result<Span, String>> {
        let (from, to) = span.split_once('-')?;
        Some(time(from).and_then(|from| Ok(Span::new(from, time(to)?))))
    };
    let all: Option<Result<Vec<Span>, String>> =
        inner.and_then(|it| it.split(' ').map(one).collect());
    all.unwrap_or_else(|| {
        Err(format!("`{text}` is no stretch of sound: write {{00:05.000-00:06.000}}"))
    })
}

/// `(2s)` or `(1.5s)`
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = text.strip_prefix('(').and_then(|text| text.strip_suffix("s)"));
    let seconds = seconds.and_then(|seconds| seconds.parse::<f64>().ok());
    let seconds = seconds.filter(|seconds| (0.0..SECONDS_MAX).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| match text {
        "" => "it is not said for how long: write (2s) or (1.5s)".to_owned(),
        _ => format!("`{text}` is no duration: write (2s) or (1.5s)"),
    })
}

pub(super) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number that can stand here"))
}

/// Sets a number of a blueprint, such as `stage_limit 10m`, in all its files.
pub(super) fn changed(files: &mut [(String, String)], change: &str) -> Result<(), String> {
    let (key, value) = change
        .split_once(' ')
        .ok_or_else(|| format!("`{change}` is no change: write `change stage_limit 10m`"))?;
    // Numbers and flags stand as they are, all else is a text.
    let is_plain = value.parse::<f32>().is_ok() || value == "true" || value == "false";
    let new =
        if is_plain { format!("{key} = {value}\n") } else { format!("{key} = \"{value}\"\n") };
    let is_old = |line: &&str| line.split_once(' ').is_some_and(|(first, _)| first == key);
    for (name, text) in files {
        let had = text.lines().any(|line| is_old(&line));
        let lines = text.lines().map(|line| match is_old(&line) {
            true => new.clone(),
            false => format!("{line}\n"),
        });
        *text = lines.collect();
        if !had && name == HEAD && key == "interview_limit" {
            text.insert_str(0, &new);
        }
        if !had && name == HEAD && EXIT.contains(&key) {
            *text = match text.split_once("[exit]\n") {
                Some((before, after)) => format!("{before}[exit]\n{new}{after}"),
                None => format!("{text}\n[exit]\n{new}"),
            };
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever cannot be read is one sentence, never a panic: not a number, too large, or not there.
    #[test]
    fn bad_parts_are_sentences() {
        assert_eq!(time(" 01:02.5 "), Ok(SessionTime::from_millis(62_500)));
        for bad in ["", "10", "00:", "x:1", "00:NaN", "00:-1", "00:inf", "99999999999999999999:0"] {
            assert!(time(bad).unwrap_err().contains("is no time"), "{bad}");
        }
        assert_eq!(duration("(1.5s)"), Ok(Duration::from_millis(1_500)));
        assert!(duration("").unwrap_err().contains("for how long"));
        for bad in ["2s", "(2)", "(s)", "(-1s)", "(1e300s)", "(NaNs)", "(1s) x"] {
            assert!(duration(bad).unwrap_err().contains("is no duration"), "{bad}");
        }
        assert!(number::<u32>("4294967296").is_err());
    }
}
