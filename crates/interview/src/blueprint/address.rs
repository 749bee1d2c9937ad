//! The check of e-mail addresses: what a candidate says or types, the web and pasted lists use this one.

/// An address has so many characters at most (RFC 5321).
pub const ADDRESS_CHARS_MAX: usize = 254;
const LOCAL_CHARS_MAX: usize = 64;
const LABEL_CHARS_MAX: usize = 63;
/// The signs that may stand before the `@` beside letters, digits and single dots (RFC 5322, `atext`).
const SIGNS: &str = "!#$%&'*+-/=?^_`{|}~";

/// What is wrong with an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressFault {
    /// There is nothing.
    Empty,
    /// It has no `@`.
    NoAt,
    /// It has more than one `@`.
    ManyAt,
    /// It has nothing before the `@`.
    NoLocal,
    /// It has no host after the `@`: a host has a dot, and parts on both sides of it.
    NoHost,
    /// It is too long, or has a space or a sign where none may be.
    Malformed,
}

/// Checks an e-mail address as it is written, without a name or brackets around it. Letters of any script
/// count (RFC 6531); quoted names and numbers for a host do not.
pub fn check_address(text: &str) -> Result<(), AddressFault> {
    if text.is_empty() {
        return Err(AddressFault::Empty);
    }
    if text.chars().count() > ADDRESS_CHARS_MAX
        || text.chars().any(|c| c.is_control() || c.is_whitespace())
    {
        return Err(AddressFault::Malformed);
    }
    let Some((local, host)) = text.split_once('@') else { return Err(AddressFault::NoAt) };
    if local.is_empty() {
        return Err(AddressFault::NoLocal);
    }
    if host.contains('@') {
        return Err(AddressFault::ManyAt);
    }
    if !host.contains('.') || host.split('.').any(str::is_empty) {
        return Err(AddressFault::NoHost);
    }
    if is_local(local) && is_host(host) { Ok(()) } else { Err(AddressFault::Malformed) }
}

fn is_local(local: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|c| is_letter(c) || SIGNS.contains(c));
    local.chars().count() <= LOCAL_CHARS_MAX && local.split('.').all(is_part)
}

fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        label.chars().count() <= LABEL_CHARS_MAX
            && label.chars().all(|c| is_letter(c) || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let top = host.rsplit('.').next().unwrap_or_default();
    let is_top = top.starts_with("xn--")
        || (top.chars().count() >= 2 && top.chars().all(|c| is_letter(c) && !c.is_numeric()));
    host.split('.').all(is_label) && is_top
}

/// A letter, its mark, or a digit.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || super::name::is_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L06, U02: the addresses of the shared table, which the browser's check is tested by, too.
    #[test]
    fn addresses_are_checked() {
        let table = include_str!("../../tests/addresses.txt");
        let rows: Vec<(&str, &str)> = table.lines().filter_map(|row| row.split_once(' ')).collect();
        assert!(rows.len() > 30, "{}", rows.len());
        for (wanted, text) in rows {
            let found = match check_address(text) {
                Ok(()) => "ok",
                Err(AddressFault::Empty) => "empty",
                Err(AddressFault::NoAt) => "no-at",
                Err(AddressFault::ManyAt) => "many-at",
                Err(AddressFault::NoLocal) => "no-local",
                Err(AddressFault::NoHost) => "no-host",
                Err(AddressFault::Malformed) => "malformed",
            };
            assert_eq!(found, wanted, "{text}");
        }
        assert_eq!(check_address(""), Err(AddressFault::Empty));
        let long = format!("{}@example.org", "a".repeat(LOCAL_CHARS_MAX + 1));
        assert_eq!(check_address(&long), Err(AddressFault::Malformed));
    }
}
