//! What is read of each kind of document.

use documents::{BYTES_MAX, CHARACTERS_MAX, Text, read};

use crate::made::{docx, docx_with, paragraph, pdf, word};

fn text(name: &str, bytes: &[u8]) -> String {
    let Text { text, characters, cut } = read(name, bytes).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((text.chars().count(), cut), (characters, false));
    text
}

/// K05: a text file is read in whatever way its letters are written, and Markdown as it stands.
#[test]
fn text_files_are_read_in_their_encoding() {
    let words = "Größe, naïve façade – “quoted”";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| {
        let marked = format!("\u{feff}{words}\r\nx");
        marked.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
    };
    let expected = format!("{words}\nx");
    assert_eq!(text("a.txt", format!("\u{feff}{words}\r\nx\r\n").as_bytes()), expected);
    assert_eq!(text("a.TXT", &utf16(u16::to_le_bytes)), expected);
    assert_eq!(text("a.txt", &utf16(u16::to_be_bytes)), expected);
    let western = b"Gr\xf6\xdfe, na\xefve fa\xe7ade \x96 \x93quoted\x94\rx";
    assert_eq!(text("a.txt", western), expected);
    let cyrillic = b"\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0?";
    assert_eq!(text("a.txt", cyrillic), "Привет, как дела?");
    assert_eq!(text("a.md", b"# Ada\n\n\n\n  - x\n"), "# Ada\n\n  - x");
    // It broke off within a letter.
    assert_eq!(text("a.txt", &"Köln ö".as_bytes()[..7]), "Köln");
}

/// K05: a table's rows name its columns, in other encodings too.
#[test]
fn tables_are_read() {
    assert_eq!(
        text("a.csv", b"Name;Stra\xdfe\nJ\xf6rg;\nAda;x\n"),
        "Name: Jörg\nName: Ada; Straße: x"
    );
}

/// K05: headings of a Word document are marked, whatever language its styles are in.
#[test]
fn headings_of_word_are_marked() {
    let body = [
        paragraph("<w:outlineLvl w:val=\"0\"/>", "One &amp; only"),
        paragraph("", "Text &#8211; more"),
        paragraph("<w:pStyle w:val=\"berschrift2\"/>", "Two"),
        paragraph("<w:pStyle w:val=\"Eigene\"/>", "Own"),
    ];
    let expected = "# One & only\nText – more\n\n## Two\n\n## Own";
    assert_eq!(text("a.docx", &docx(&body.concat())), expected);
}

/// K05: items of a Word document's lists have dashes or their numbers, and stand by their level.
#[test]
fn lists_of_word_are_marked() {
    let item = |list: u8, level: u8, text: &str| {
        let number = format!("<w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/>");
        paragraph(&format!("<w:numPr>{number}</w:numPr>"), text)
    };
    let items = [
        paragraph("<w:pStyle w:val=\"Liste\"/>", "by style"),
        item(1, 0, "dash"),
        item(2, 0, "three"),
        item(2, 1, "below"),
        item(2, 1, "below"),
        item(2, 0, "four"),
        item(2, 1, "anew"),
        item(0, 0, "none"),
        item(9, 2, "unknown"),
    ];
    let expected = [
        "- by style",
        "- dash",
        "3. three",
        "  1. below",
        "  2. below",
        "4. four",
        "  1. anew",
        "none",
        "    - unknown",
    ];
    assert_eq!(text("a.docx", &docx(&items.concat())), expected.join("\n"));
}

/// K05: a table of a Word document is a line for each row; one within a cell is a part of that cell.
#[test]
fn tables_of_word_are_lines() {
    let cell = |content: &str| format!("<w:tc>{content}</w:tc>");
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let simple = |text: &str| cell(&paragraph("", text));
    let inner = format!("<w:tbl>{}</w:tbl>", row(&[simple("in"), simple("ner")]));
    let rows = [
        row(&[simple("Year"), simple("Company")]),
        row(&[cell(&(paragraph("", "20\t19") + &paragraph("", "on"))), simple("")]),
        row(&[cell(&inner), simple("x")]),
    ];
    let body = format!(
        "{}<w:tbl>{}</w:tbl>{}",
        paragraph("", "before"),
        rows.concat(),
        paragraph("", "after")
    );
    let expected = "before\nYear | Company\n20 19 on |\nin | ner | x\n\nafter";
    assert_eq!(text("a.docx", &docx(&body)), expected);
}

/// K05: what Word shows is read, page headers and notes too, each once; what it has deleted is not.
#[test]
fn word_is_read_as_it_is_shown() {
    let body = "<w:p><w:r><w:t>kept</w:t><w:tab/><w:t xml:space=\"preserve\"> and </w:t></w:r>\
        <w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>\
        <w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>\
        <w:r><w:instrText>PAGE</w:instrText><w:br/><w:t>line</w:t><w:noBreakHyphen/></w:r>\
        <w:r><w:footnoteReference w:id=\"1\"/></w:r>\
        <mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p>\
        </w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback>\
        </mc:AlternateContent></w:p>";
    let header = word("hdr", &paragraph("", "Ada Lovelace"));
    let note =
        "<w:footnote w:type=\"separator\" w:id=\"0\"><w:p/></w:footnote><w:footnote w:id=\"1\">";
    let notes = word("footnotes", &format!("{note}{}</w:footnote>", paragraph("", "see there")));
    let more = [
        ("word/header1.xml", header.clone()),
        ("word/header2.xml", header),
        ("word/footnotes.xml", notes),
    ];
    let expected = "Ada Lovelace\n\nbox\nkept\t and new\nline-[note 1]\n\n[note 1] see there";
    assert_eq!(text("a.docx", &docx_with(body, &more)), expected);
}

/// K05: the pages of a PDF are read in order, each with its number if there are several; letters that are
/// drawn twice, to look thick, are read once.
#[test]
fn pdfs_are_read_by_page() {
    let first = "BT /F1 12 Tf 72 700 Td (Gr\\374\\337e, Ada) Tj 0 -14 Td [(en) -20 (gi) 10 (neer) -300 (at) \
        -3000 (1842)] TJ 0 -40 Td (next) Tj ET";
    assert_eq!(text("a.pdf", &pdf(&[first])), "Grüße, Ada\nengineer at\t1842\n\nnext");
    let thick = "BT /F1 12 Tf 1 0 0 1 72 700 Tm (thick) Tj 1 0 0 1 72.3 700 Tm (thick) Tj ET";
    let turned = "BT /F1 12 Tf 0 1 -1 0 72 100 Tm (two) Tj 300 0 Td (columns) Tj ET";
    let pages = pdf(&[thick, "", turned]);
    assert_eq!(text("a.pdf", &pages), "[page 1]\nthick\n\n[page 3]\ntwo\tcolumns");
}

/// K05: of a long document 400,000 characters are given, and it is said that there are more.
#[test]
fn long_documents_are_cut() {
    let line = "word ".repeat(2_000);
    let long = paragraph("", &line).repeat(50);
    let page = format!("BT /F1 1 Tf 1 700 Td ({line}) Tj ET");
    let documents = [
        ("a.txt", "x".repeat(BYTES_MAX).into_bytes()),
        ("a.csv", format!("a,b\n{}", "one,two\n".repeat(100_000)).into_bytes()),
        ("a.docx", docx(&long)),
        ("a.pdf", pdf(&vec![page.as_str(); 50])),
    ];
    for (name, bytes) in documents {
        let Text { text, characters, cut } = read(name, &bytes).unwrap();
        assert!(cut, "{name}");
        assert_eq!(text.chars().count(), characters, "{name}");
        assert!(
            (CHARACTERS_MAX - 10..=CHARACTERS_MAX).contains(&characters),
            "{name}: {characters}"
        );
    }
}
