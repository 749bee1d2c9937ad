//! Documents that cannot be read, and bytes that are none.

use documents::{BYTES_MAX, Fault, Problem, read};
use proptest::{collection::vec, prelude::*, sample::select};

use crate::made::{all, archive, docx, docx_with, paragraph, pdf, pdf_with, word};

fn problem(name: &str, bytes: &[u8]) -> Problem {
    let problem = read(name, bytes).expect_err(name);
    let sentence = problem.to_string();
    assert!(is_sentence(&sentence), "{sentence}");
    problem
}

fn is_sentence(text: &str) -> bool {
    text.ends_with('.') && !text.chars().any(char::is_control) && text.chars().count() < 260
}

fn damage(name: &str, bytes: &[u8]) -> String {
    match problem(name, bytes).fault() {
        Fault::Damaged(what) => what.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

/// K05: a file of another ending than ours is refused, and one whose bytes are of another kind than its name
/// says is told how to be named.
#[test]
fn the_ending_and_the_bytes_agree() {
    let sentence = |name: &str, bytes: &[u8]| problem(name, bytes).to_string();
    let (pdf, docx) = (pdf(&["x"]), docx(&paragraph("", "x")));
    assert_eq!(
        sentence("cv.txt", &pdf),
        "cv.txt ends in .txt but is a PDF: rename it so that it ends in .pdf."
    );
    assert_eq!(
        sentence("cv.pdf", &docx),
        "cv.pdf ends in .pdf but is a Word document: rename it so that it ends in .docx."
    );
    assert_eq!(
        sentence("cv.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more"),
        "cv.docx is protected by a password or is an Office document of before 2007: save it as .docx \
         without a password."
    );
    assert_eq!(
        sentence("cv.doc", b"x"),
        "cv.doc ends in .doc, which is not read here: save it as .txt, .md, .pdf, .docx or .csv."
    );
    for (name, bytes, expected) in [
        ("cv.csv", &b"PK\x03\x04 and more"[..], "a ZIP archive"),
        ("cv.txt", b"{\\rtf1 x}", "rich text"),
        ("cv.pdf", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("cv.pdf", b"just text", "something else"),
        ("cv.docx", b"just text", "something else"),
        ("cv", b"x", "no ending"),
        ("cv.", b"x", "no ending"),
        ("cv.a b", b"x", "no ending"),
        ("", b"x", "The document has no ending"),
    ] {
        let found = sentence(name, bytes);
        assert!(found.contains(expected), "{found}");
    }
    // A text about PDFs is a text.
    assert!(read("a.md", b"A file begins with %PDF- and a number.").is_ok());
}

/// K05: 10 MB are read, one byte more is not; a file without text is empty.
#[test]
fn documents_have_a_size() {
    assert!(read("a.txt", &vec![b'x'; BYTES_MAX]).is_ok());
    for (name, _) in all() {
        assert_eq!(*problem(name, &vec![b'x'; BYTES_MAX + 1]).fault(), Fault::TooLarge);
        for empty in [&b""[..], b" \r\n\t"] {
            assert_eq!(*problem(name, empty).fault(), Fault::Empty, "{name}");
        }
    }
    assert_eq!(*problem("a.docx", &docx(&paragraph("", " "))).fault(), Fault::Empty);
}

/// K05: bytes that no text has are told from a text in another encoding.
#[test]
fn bytes_are_no_text() {
    for bytes in [&b"text\0and zero"[..], &[0x80, 0x81, 1, 2, 3, 4, 5, 6, 7], &[7; 100]] {
        assert_eq!(*problem("a.txt", bytes).fault(), Fault::NoText);
    }
}

/// K05: a PDF with a password, one of pictures, one of letters that nobody knows, and one without pages each
/// have a sentence of their own.
#[test]
fn pdfs_without_text_say_why() {
    let (owner, user) = ("28bf4e5e4e758a4164004e56fffa0108".repeat(2), "00".repeat(32));
    let lock = format!(
        "/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -44/Length 40/O<{owner}>/U<{user}>>>"
    );
    assert_eq!(*problem("a.pdf", &pdf_with(&["BT ET"], &lock)).fault(), Fault::Encrypted);
    assert_eq!(*problem("a.pdf", &pdf(&["0 0 10 10 re f", ""])).fault(), Fault::NoLetters);
    let unknown = "BT /F2 12 Tf (ABCABC) Tj /F1 12 Tf (x) Tj ET";
    assert_eq!(*problem("a.pdf", &pdf(&[unknown])).fault(), Fault::UnknownLetters);
    damage("a.pdf", &pdf(&[]));
    assert_eq!(damage("a.pdf", b"%PDF-1.7\nnothing more"), "its structure cannot be read");
}

/// K05: a Word document that is none, that broke off, or that is nested without end is damaged.
#[test]
fn broken_word_documents_say_where() {
    let empty = archive(&[("word/document.xml", b"")]);
    assert_eq!(*problem("a.docx", &empty).fault(), Fault::Empty);
    assert_eq!(damage("a.docx", &archive(&[("x.txt", b"x")])), "it has no Word document in it");
    let cut = &word("document", "<w:body><w:p>").replace("</w:document>", "");
    assert_eq!(
        damage("a.docx", &archive(&[("word/document.xml", cut.as_bytes())])),
        "word/document.xml breaks off"
    );
    let wrong = archive(&[("word/document.xml", b"<a></b>")]);
    assert_eq!(damage("a.docx", &wrong), "word/document.xml is no valid XML");
    let deep = docx(&"<w:p>".repeat(1_000));
    assert_eq!(damage("a.docx", &deep), "word/document.xml is nested too deeply");
    let styles = docx_with("", &[("word/footnotes.xml", "<a".to_owned())]);
    assert_eq!(damage("a.docx", &styles), "word/footnotes.xml is no valid XML");
    // Its part is stored, and differs from what its sum says.
    let mut changed = docx(&paragraph("", "x"));
    let start = changed.windows(17).position(|window| window == b"word/document.xml").unwrap();
    changed[start + 30] ^= 0xff;
    assert!(damage("a.docx", &changed).contains("cannot be unpacked"));
}

/// K05: what unpacks to far more than a document has is refused before it is unpacked, and if its header
/// lies about its size, while it is.
#[test]
fn bombs_do_not_go_off() {
    let spaces = format!("<w:t>{}</w:t>", " ".repeat(100 << 20));
    let mut bomb = docx(&spaces);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(*problem("a.docx", &bomb).fault(), Fault::Bomb);
    let size =
        u32::try_from(word("document", &format!("<w:body>{spaces}</w:body>")).len()).unwrap();
    let stated = size.to_le_bytes();
    while let Some(at) = bomb.windows(4).position(|window| window == stated) {
        bomb[at..at + 4].copy_from_slice(&1_000_u32.to_le_bytes());
    }
    let fault = problem("a.docx", &bomb).fault().clone();
    assert!(matches!(fault, Fault::Bomb | Fault::Damaged(_)), "{fault:?}");
}

/// K05: a document that broke off anywhere is read as far as it goes, or refused in a sentence.
#[test]
fn documents_that_break_off_are_no_surprise() {
    for (name, bytes) in all() {
        let mut refused = 0;
        for length in (0..bytes.len()).step_by(7) {
            match read(name, &bytes[..length]) {
                Ok(text) => assert!(!text.text.is_empty()),
                Err(problem) => {
                    assert!(is_sentence(&problem.to_string()), "{problem}");
                    refused += 1;
                }
            }
        }
        let all_refused = name.ends_with(".docx");
        assert!(
            refused > 0 && (!all_refused || refused == bytes.len().div_ceil(7)),
            "{name}: {refused}"
        );
    }
}

/// K05: a name from outside is shown on one line, and not at any length.
#[test]
fn names_are_shown_short() {
    let sentence = problem(&format!("a\n\u{202e}{}.pdf", "é".repeat(500)), b"").to_string();
    let name = format!("a{}…{}.pdf", "é".repeat(39), "é".repeat(35));
    assert_eq!(
        sentence,
        format!("{name} is empty: save it again with its text, then add it anew.")
    );
}

proptest! {
    /// K05: any bytes under any of our names are a text or are refused in one sentence.
    #[test]
    fn any_bytes_are_read_or_refused(
        name in select(vec!["a.txt", "a.md", "a.csv", "a.docx", "a.pdf"]),
        start in select(vec![&b""[..], b"PK\x03\x04", b"%PDF-1.7\n", b"\xff\xfe", b"sep=,\n"]),
        bytes in vec(any::<u8>(), 0..2_000),
    ) {
        check(name, &[start, &bytes].concat());
    }

    /// K05: documents with some bytes changed, taken out or put twice are read or refused in one sentence.
    #[test]
    fn changed_documents_are_read_or_refused(
        (name, bytes) in select(all()),
        changes in vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..20),
    ) {
        let mut bytes = bytes;
        for (place, byte, how) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => drop(bytes.drain(at..(at + usize::from(byte)).min(bytes.len()))),
                _ => bytes.extend_from_within(at..(at + usize::from(byte)).min(bytes.len())),
            }
        }
        check(name, &bytes);
    }

    /// K05: a Word document of any elements, each where it likes, is read or refused in one sentence.
    #[test]
    fn any_elements_are_read_or_refused(
        pieces in vec(select(vec![
            "<w:p>", "</w:p>", "<w:r>", "</w:r>", "<w:t>", "</w:t>", "<w:tbl>", "</w:tbl>", "<w:tr>",
            "</w:tr>", "<w:tc>", "</w:tc>", "<w:del>", "</w:del>", "x", "&amp;", "&#x0;", "&",
            "<w:numId w:val=\"2\"/>",
            "<w:ilvl w:val=\"99999999999\"/>", "<w:pStyle w:val=\"Eigene\"/>",
            "<w:outlineLvl w:val=\"-1\"/>",
        ]), 0..60),
    ) {
        check("a.docx", &docx(&pieces.concat()));
    }
}

fn check(name: &str, bytes: &[u8]) {
    match read(name, bytes) {
        Ok(text) => {
            assert!(!text.cut && text.characters == text.text.chars().count());
            assert!(!text.text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
        }
        Err(problem) => assert!(is_sentence(&problem.to_string()), "{problem}"),
    }
}
