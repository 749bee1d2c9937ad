//! The kinds of documents, and what bytes are whatever a name says.

/// A kind of document that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Plain text.
    Text,
    /// Markdown, which is read as it is written.
    Markdown,
    /// A table, with a header in its first line.
    Csv,
    /// A document of Word since 2007.
    Docx,
    /// A PDF.
    Pdf,
}

/// What the first bytes of a file say that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A PDF.
    Pdf,
    /// An archive; documents of Word are some.
    Zip,
    /// A document of Word.
    Docx,
    /// A document of Office before 2007, or one of today that is encrypted.
    OldOffice,
    /// Rich text.
    Rtf,
    /// A picture.
    Picture,
    /// Anything else, text among it.
    Other,
}

/// Where in a file the mark of a PDF may stand: some programs write lines before it.
const PDF_MARK_WITHIN: usize = 1024;

impl Kind {
    /// The kind that a name promises by its ending. Without one of ours: the ending, if there is one.
    pub(crate) fn of_name(name: &str) -> Result<Self, Option<String>> {
        let (_, ending) = name.rsplit_once('.').ok_or(None)?;
        let ending = ending.to_lowercase();
        match ending.as_str() {
            "txt" => Ok(Self::Text),
            "md" => Ok(Self::Markdown),
            "csv" => Ok(Self::Csv),
            "docx" => Ok(Self::Docx),
            "pdf" => Ok(Self::Pdf),
            _ if !ending.is_empty() && ending.len() <= 8 && is_word(&ending) => Err(Some(ending)),
            _ => Err(None),
        }
    }

    /// How names of this kind end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Markdown => "md",
            Self::Csv => "csv",
            Self::Docx => "docx",
            Self::Pdf => "pdf",
        }
    }

    /// Whether bytes of this content can be of this kind.
    pub(crate) fn fits(self, content: Content) -> bool {
        match self {
            Self::Pdf => content == Content::Pdf,
            Self::Docx => matches!(content, Content::Zip | Content::Docx),
            Self::Text | Self::Markdown | Self::Csv => content == Content::Other,
        }
    }
}

impl Content {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let starts = |marks: &[&[u8]]| marks.iter().any(|mark| bytes.starts_with(mark));
        if starts(&[b"PK\x03\x04", b"PK\x05\x06"]) {
            let names = [&b"word/document.xml"[..], b"word/_rels/document.xml.rels"];
            let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
            return if names.into_iter().any(has) { Self::Docx } else { Self::Zip };
        }
        if starts(&[b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]) {
            return Self::OldOffice;
        }
        if starts(&[b"{\\rtf"]) {
            return Self::Rtf;
        }
        if starts(&[b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"]) {
            return Self::Picture;
        }
        let start = &bytes[..bytes.len().min(PDF_MARK_WITHIN)];
        let marked = start.windows(5).position(|window| window == b"%PDF-");
        match marked {
            Some(0) => Self::Pdf,
            // A text that speaks of the mark is a text still.
            Some(at) if start[..at].iter().all(u8::is_ascii_whitespace) => Self::Pdf,
            Some(_) if std::str::from_utf8(bytes).is_err() => Self::Pdf,
            Some(_) | None => Self::Other,
        }
    }

    /// What a sentence calls it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Pdf => "a PDF",
            Self::Zip => "a ZIP archive",
            Self::Docx => "a Word document",
            Self::OldOffice => "an Office document of before 2007",
            Self::Rtf => "a document in rich text",
            Self::Picture => "a picture",
            Self::Other => "something else",
        }
    }

    /// How names of it end, if it is read under another name.
    pub(crate) fn ending(self) -> Option<&'static str> {
        match self {
            Self::Pdf => Some("pdf"),
            Self::Docx => Some("docx"),
            Self::Zip | Self::OldOffice | Self::Rtf | Self::Picture | Self::Other => None,
        }
    }
}

fn is_word(ending: &str) -> bool {
    ending.chars().all(char::is_alphanumeric)
}
