//! Base64 with the standard alphabet and padding, as signatures and `Authorization: Basic` have it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns bytes as text.
pub(in crate::web) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|n| u32::from(part.get(n).copied().unwrap_or(0)));
        let bits = a << 16 | b << 8 | c;
        for n in 0..4 {
            let six = (bits >> (18 - 6 * n)) & 63;
            let has_bits = n <= part.len();
            text.push(if has_bits { char::from(ALPHABET[six as usize]) } else { '=' });
        }
    }
    text
}

/// Returns the bytes of a text, padded or not; nothing where it is no Base64.
pub(in crate::web) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for part in text.chunks(4) {
        let mut bits = 0u32;
        for n in 0..4 {
            let six = match part.get(n) {
                Some(c) => ALPHABET.iter().position(|known| known == c)?,
                None => 0,
            };
            bits = bits << 6 | u32::try_from(six).ok()?;
        }
        let whole = match part.len() {
            4 => 3,
            3 => 2,
            2 => 1,
            _ => return None,
        };
        bytes.extend(&bits.to_be_bytes()[1..=whole]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648, both ways; what is no Base64 is nothing.
    #[test]
    fn as_in_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
            assert_eq!(decode(text.trim_end_matches('=')).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        assert_eq!(encode(&[0xfb, 0xff]), "+/8=");
        for bad in ["A", "Zm9vY", "Zm 9", "Zg=a", "é"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
