//! Documents that the tests make themselves.

use std::io::{Cursor, Write as _};

use zip::{ZipWriter, write::SimpleFileOptions};

/// An archive of parts, given as name and bytes.
pub(crate) fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A Word document with this in its body, and with the styles and lists of [`STYLES`] and [`LISTS`].
pub(crate) fn docx(body: &str) -> Vec<u8> {
    docx_with(body, &[])
}

/// The same with further parts.
pub(crate) fn docx_with(body: &str, more: &[(&str, String)]) -> Vec<u8> {
    let (document, links) = (word("document", &format!("<w:body>{body}</w:body>")), links());
    let (styles, lists) = (word("styles", STYLES), word("numbering", LISTS));
    let mut parts = vec![
        ("[Content_Types].xml", b"<Types/>".as_slice()),
        ("_rels/.rels", links.as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
        ("word/numbering.xml", lists.as_bytes()),
    ];
    parts.extend(more.iter().map(|(name, xml)| (*name, xml.as_bytes())));
    archive(&parts)
}

/// A part of a Word document.
pub(crate) fn word(root: &str, content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:{root} \
         xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">{content}</w:{root}>"
    )
}

fn links() -> String {
    "<Relationships><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/\
     relationships/officeDocument\" Target=\"word/document.xml\"/></Relationships>"
        .to_owned()
}

/// A paragraph with what goes into its properties.
pub(crate) fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A German Word calls its styles otherwise; their names within stay English.
const STYLES: &str = "<w:style w:styleId=\"berschrift2\"><w:name w:val=\"heading 2\"/></w:style>\
    <w:style w:styleId=\"Eigene\"><w:name w:val=\"Eigene\"/><w:basedOn w:val=\"berschrift2\"/></w:style>\
    <w:style w:styleId=\"Liste\"><w:name w:val=\"List Bullet\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/>\
    </w:numPr></w:pPr></w:style>";

/// List 1 has dashes, list 2 numbers from 3 on.
const LISTS: &str = "<w:abstractNum w:abstractNumId=\"7\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/>\
    <w:numFmt w:val=\"bullet\"/></w:lvl></w:abstractNum>\
    <w:abstractNum w:abstractNumId=\"8\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"3\"/><w:numFmt \
    w:val=\"decimal\"/></w:lvl><w:lvl w:ilvl=\"1\"><w:start w:val=\"1\"/><w:numFmt \
    w:val=\"lowerLetter\"/></w:lvl></w:abstractNum>\
    <w:num w:numId=\"1\"><w:abstractNumId w:val=\"7\"/></w:num>\
    <w:num w:numId=\"2\"><w:abstractNumId w:val=\"8\"/></w:num>";

/// A PDF of pages, each given as its content. `F1` is Helvetica, `F2` a font that knows no letters, and `F3`
/// one whose A to F are Hebrew.
pub(crate) fn pdf(pages: &[&str]) -> Vec<u8> {
    pdf_with(pages, "")
}

/// The same with more in its trailer.
pub(crate) fn pdf_with(pages: &[&str], trailer: &str) -> Vec<u8> {
    assembled(&pages.iter().map(|page| (*page, "")).collect::<Vec<_>>(), trailer)
}

/// A PDF of one page with fields, each given as what its dictionary has in it.
pub(crate) fn form(page: &str, fields: &[&str]) -> Vec<u8> {
    let fields: Vec<String> =
        fields.iter().map(|field| format!("<</Type/Annot{field}>>")).collect();
    assembled(&[(page, &format!("/Annots[{}]", fields.concat()))], "")
}

/// A PDF of pages, each given as its content and what else its dictionary has in it.
fn assembled(pages: &[(&str, &str)], trailer: &str) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|n| format!("{} 0 R", 6 + 2 * n)).collect();
    let type3 = |widths: &str, names: &str| {
        format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 65\
             /LastChar 70/Widths[{widths}]/CharProcs<<>>/Encoding<</Differences[65{names}]>>>>"
        )
    };
    let hebrew = "/uni05E2/uni05D3/uni05D4/uni05DB/uni05D4/uni05DF";
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {}/Kids[{}]>>", pages.len(), kids.join(" ")),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 65/LastChar 67\
         /Widths[1 1 1]/CharProcs<<>>/Encoding<</Differences[65/x1 /x2 /x3]>>>>"
            .to_owned(),
        type3("500 500 500 500 500 500", hebrew),
    ];
    for (n, (page, more)) in pages.iter().enumerate() {
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 R/Resources<</Font<</F1 3 0 R\
             /F2 4 0 R/F3 5 0 R>>>>{more}>>",
            7 + 2 * n
        ));
        objects.push(format!("<</Length {}>>\nstream\n{page}\nendstream", page.len()));
    }
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (n, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", n + 1).as_bytes());
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).as_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").as_bytes());
    }
    let size = objects.len() + 1;
    file.extend(
        format!("trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{table}\n%%EOF\n")
            .as_bytes(),
    );
    file
}

/// The usual documents, by name: what is broken is made from them.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>)> {
    let table = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
    let body = paragraph("<w:pStyle w:val=\"Eigene\"/>", "Work &amp; life").repeat(3) + table;
    vec![
        ("cv.txt", "Ada Lovelace — engineer\n".repeat(20).into_bytes()),
        ("cv.md", b"# Ada\n\n- engineer\n".repeat(20)),
        ("cv.csv", b"Name,Role\nAda,\"engineer, lead\"\n".repeat(20)),
        ("cv.docx", docx(&body)),
        ("cv.pdf", pdf(&["BT /F1 12 Tf 72 700 Td (Ada) Tj 0 -14 Td [(en) -50 (gineer)] TJ ET"; 3])),
    ]
}
