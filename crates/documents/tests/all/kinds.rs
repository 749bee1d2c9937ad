//! What is read of each kind of document.

use documents::{BYTES_MAX, CHARACTERS_MAX, PassedOver, Text, letters, read};

use crate::made::{docx, docx_with, form, paragraph, pdf, word};

fn text(name: &str, bytes: &[u8]) -> String {
    let read = read(name, bytes).unwrap_or_else(|why| panic!("{why}"));
    let Text { text, characters, cut, .. } = read;
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

/// K05: UTF-16 without its mark is read, too, and a text of which a few bytes were damaged stays what it is,
/// with a sentence beside it. Before: the first was no text, the other "GrÃ¶ÃŸe".
#[test]
fn letters_are_known_by_their_bytes() {
    let wide = |bytes: fn(u16) -> [u8; 2]| {
        "Name;Größe".encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
    };
    assert_eq!(letters("a.csv", &wide(u16::to_le_bytes)).unwrap(), "Name;Größe");
    assert_eq!(text("a.txt", &wide(u16::to_be_bytes)), "Name;Größe");
    let damaged = ["Größe für Jörg: äöüß".as_bytes(), b" \xff end"].concat();
    let Text { text, passed_over, .. } = read("a.txt", &damaged).unwrap();
    assert_eq!(text, "Größe für Jörg: äöüß \u{fffd} end");
    assert_eq!(passed_over, [PassedOver::LostLetters(1)]);
    assert!(passed_over[0].to_string().contains(": 1."));
    assert_eq!(letters("a.csv", b"Name;Email\r\nJos\xe9;x").unwrap(), "Name;Email\r\nJosé;x");
    for (name, bytes) in [("a.xlsx", &b"PK\x03\x04"[..]), ("a.csv", b"%PDF-1.7"), ("a.csv", b" ")] {
        assert!(letters(name, bytes).is_err(), "{name}");
    }
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

/// K05: of a word with its reading above it the word is read, and the foot of pages as their head, once.
/// Before: "東とう京きょう", and no telephone number at all.
#[test]
fn readings_are_left_out_and_footers_are_not() {
    let ruby = |word: &str, reading: &str| {
        let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
        let (reading, word) = (run(reading), run(word));
        format!(
            "<w:r><w:ruby><w:rubyPr/><w:rt>{reading}</w:rt><w:rubyBase>{word}</w:rubyBase></w:ruby></w:r>"
        )
    };
    let body = format!("<w:p>{}{}</w:p>", ruby("東", "とう"), ruby("京", "きょう"));
    let footer = word("ftr", &paragraph("", "Tel. +49 30 901820 · ada@example.org"));
    let number = word("ftr", &paragraph("", "1"));
    let more = [
        ("word/footer1.xml", footer.clone()),
        ("word/footer2.xml", number),
        ("word/footer3.xml", footer),
    ];
    let read = read("a.docx", &docx_with(&body, &more)).unwrap();
    assert_eq!(read.text, "東京\n\nTel. +49 30 901820 · ada@example.org");
    assert_eq!(read.passed_over, [PassedOver::Ruby]);
}

/// K05: accents that are drawn as signs of their own are a part of their letters. Before: "Jos´e M¨uller".
#[test]
fn accents_of_pdfs_are_joined() {
    let drawn = include_bytes!("../files/tex-accents.pdf");
    let read = text("a.pdf", drawn);
    for line in ["José Müller", "École Normale Supérieure, Université de Lyon"] {
        assert!(read.contains(line), "{read}");
    }
    // Within one array, as pdfTeX writes it, over a letter without its dot, and below one.
    let page =
        "BT /F1 12 Tf 72 700 Td [(Jos)-111(\\264)444(e) -300 (fa)(c)416(\\270)-83(ade)] TJ ET";
    assert_eq!(text("a.pdf", &pdf(&[page])), "José façade");
    let beside = "BT /F1 12 Tf 72 700 Td (20 \\260C, `x` ~/a ^b 5\\264) Tj ET";
    assert_eq!(text("a.pdf", &pdf(&[beside])), "20 °C, `x` ~/a ^b 5´");
}

/// K05: Hebrew is read from right to left, however it is drawn. Before: the letters came backwards.
#[test]
fn hebrew_of_pdfs_is_read_as_it_runs() {
    let read = text("a.pdf", include_bytes!("../files/hebrew-visual.pdf"));
    for line in ["עדה כהן", "מהנדסת תוכנה", "Harbour Analytics"] {
        assert!(read.lines().any(|read| read == line), "{read}");
    }
    // A-F are the letters of the name, from right to left: letter by letter, and word by word.
    let visual = "BT /F3 10 Tf 72 700 Td [(FED)-500(CBA)] TJ ET";
    let leftwards: String = "ABC DEF"
        .chars()
        .enumerate()
        .filter(|(_, c)| *c != ' ')
        .map(|(n, c)| format!("1 0 0 1 {} 700 Tm ({c}) Tj ", 200 - 5 * n))
        .collect();
    let by_letter = format!("BT /F3 10 Tf {leftwards}ET");
    let by_word = "BT /F3 10 Tf 1 0 0 1 200 700 Tm (CBA) Tj 1 0 0 1 180 700 Tm (FED) Tj ET";
    for page in [visual, &by_letter, by_word] {
        assert_eq!(text("a.pdf", &pdf(&[page])), "עדה כהן", "{page}");
    }
}

/// K05: what is filled into a form is read beside its words, whether a program has drawn it or not. Before:
/// without drawings the fields were blank.
#[test]
fn forms_are_read_as_they_are_filled_in() {
    let files = [
        &include_bytes!("../files/filled-form.pdf")[..],
        include_bytes!("../files/filled-form-no-appearance.pdf"),
    ];
    for file in files {
        let read = text("a.pdf", file);
        for line in ["Name\tAda Quillfeather", "Last employer\tHarbour Analytics"] {
            assert!(read.lines().any(|read| read == line), "{read}");
        }
    }
    let page = "BT /F1 12 Tf 72 700 Td (City) Tj 0 -30 Td (Level) Tj 0 -30 Td (Remote) Tj 0 -30 Td \
        (Note) Tj ET";
    let fields = [
        "/Subtype/Widget/FT/Tx/Rect[150 695 300 715]/V<FEFF005A00FC0072006900630068>",
        "/Subtype/Widget/FT/Ch/Rect[150 665 300 685]/V(s)/Opt[[(j)(Junior)][(s)(Senior)]]",
        "/Subtype/Widget/FT/Btn/Rect[150 638 160 648]/AS/Yes",
        "/Subtype/Widget/FT/Btn/Rect[200 638 210 648]/AS/Off",
        "/Subtype/Widget/FT/Tx/Rect[150 600 300 625]/V(two\\rlines \\205)",
        "/Subtype/Widget/FT/Tx/Ff 8192/Rect[350 600 400 625]/V(secret)",
        "/Subtype/Widget/FT/Tx/F 2/Rect[350 600 400 625]/V(hidden)",
        "/Subtype/FreeText/Rect[72 500 300 520]/Contents(Call me)",
    ];
    let read = text("a.pdf", &form(page, &fields));
    let lines: Vec<&str> = read.lines().filter(|line| !line.is_empty()).collect();
    let expected =
        ["City\tZürich", "Level\tSenior", "Remote\t[x]", "Note\ttwo", "lines –", "Call me"];
    assert_eq!(lines, expected, "{read}");
}

/// K05: what is not read of a document is said beside its text.
#[test]
fn what_is_passed_over_is_said() {
    let named = |page: &str| read("a.pdf", &pdf(&[page])).unwrap().passed_over;
    assert_eq!(named("BT /F1 12 Tf 72 700 Td (Ada) Tj ET"), []);
    let unknown = "BT /F1 12 Tf 72 700 Td (Ada Lovelace) Tj /F2 12 Tf (AB) Tj ET";
    assert_eq!(named(unknown), [PassedOver::UnknownLetters(2)]);
    let picture = "BI /W 1 /H 1 /CS /G /BPC 8 ID x EI";
    let pages = pdf(&["BT /F1 12 Tf 72 700 Td (Ada) Tj ET", picture]);
    assert_eq!(read("a.pdf", &pages).unwrap().passed_over, [PassedOver::Pictures(1)]);
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
        let Text { text, characters, cut, .. } = read(name, &bytes).unwrap();
        assert!(cut, "{name}");
        assert_eq!(text.chars().count(), characters, "{name}");
        assert!(
            (CHARACTERS_MAX - 10..=CHARACTERS_MAX).contains(&characters),
            "{name}: {characters}"
        );
    }
}
