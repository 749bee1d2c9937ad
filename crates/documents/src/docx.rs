//! Word documents: paragraphs, headings, lists, tables, notes.

use std::collections::BTreeSet;

use super::{
    lists::{Counters, Formats, Item, outline, value},
    passed_over::PassedOver,
    problem::Fault,
    text::{Text, Writer},
    xml::{Element, Flow, Node, walk},
    zipped::Archive,
};

/// Headings are marked with at most so many `#`.
const HEADING_MAX: usize = 6;
/// What is in a document but is not read: deleted and moved text, fields' codes, and what stands in for a
/// picture or a text box in old programs.
const LEFT_OUT: [&str; 6] = ["del", "delText", "moveFrom", "instrText", "delInstrText", "Fallback"];
/// The reading of a word that stands above it. The word itself is beside it, in `rubyBase`.
const RUBY: &str = "rt";

pub(crate) fn read(bytes: &[u8]) -> Result<Text, Fault> {
    let mut archive = Archive::open(bytes)?;
    let main = main_part(&mut archive)?;
    let Some(body) = archive.part(&main)? else {
        return Err(Fault::Damaged("it has no Word document in it".to_owned()));
    };
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let in_folder =
        |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let mut formats = Formats::default();
    if let Some(styles) = archive.part(&in_folder("styles.xml"))? {
        formats.add_styles(&styles)?;
    }
    if let Some(lists) = archive.part(&in_folder("numbering.xml"))? {
        formats.add_lists(&lists)?;
    }
    let mut writer = Writer::default();
    write_edges(&mut archive, &formats, &in_folder("header"), &mut writer)?;
    writer.push("\n");
    Reading::of(&formats, &mut writer).part(&main, &body)?;
    for notes in ["footnotes.xml", "endnotes.xml"].map(in_folder) {
        if let Some(xml) = archive.part(&notes)? {
            writer.push("\n\n");
            Reading::of(&formats, &mut writer).part(&notes, &xml)?;
        }
    }
    writer.push("\n\n");
    write_edges(&mut archive, &formats, &in_folder("footer"), &mut writer)?;
    writer.finish().ok_or(Fault::Empty)
}

/// The name of the part with the text: most programs call it the same, but none has to.
fn main_part(archive: &mut Archive) -> Result<String, Fault> {
    let mut main = None;
    if let Some(links) = archive.part("_rels/.rels")? {
        walk("_rels/.rels", &links, |node| {
            let Node::Start(element) = node else { return Flow::On };
            let kind = element.attribute("Type").unwrap_or_default();
            if !kind.ends_with("/officeDocument") {
                return Flow::On;
            }
            main = element.attribute("Target");
            Flow::Stop
        })?;
    }
    let main = main.unwrap_or_else(|| "word/document.xml".to_owned());
    Ok(main.trim_start_matches('/').to_owned())
}

/// What stands at the head or the foot of all pages, once: many put their name and address there. The number
/// of a page is left out.
fn write_edges(
    archive: &mut Archive,
    formats: &Formats,
    start: &str,
    writer: &mut Writer,
) -> Result<(), Fault> {
    let mut written = BTreeSet::new();
    for name in archive.names() {
        if !name.starts_with(start) || !name.ends_with(".xml") {
            continue;
        }
        let xml = archive.part(&name)?.unwrap_or_default();
        let mut header = Writer::default();
        Reading::of(formats, &mut header).part(&name, &xml)?;
        let Some(header) = header.finish() else { continue };
        if header.passed_over.contains(&PassedOver::Ruby) {
            writer.pass_over(PassedOver::Ruby);
        }
        let is_number = !header.text.chars().any(char::is_alphabetic);
        if !is_number && !written.contains(&header.text) {
            writer.line(&header.text);
            written.insert(header.text);
        }
    }
    Ok(())
}

/// A part that is being read.
struct Reading<'a> {
    formats: &'a Formats,
    writer: &'a mut Writer,
    counters: Counters,
    /// The paragraph that is read, and those around it: a text box stands within one.
    paragraphs: Vec<Paragraph>,
    /// The table that is read, and those around it.
    tables: Vec<Table>,
    /// How deep we are in something that is left out.
    left_out: usize,
    /// Whether text is the document's: within `w:t`.
    is_text: bool,
    /// What goes before the first paragraph of a note.
    note: Option<String>,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    style: Option<String>,
    outline: Option<usize>,
    item: Item,
}

#[derive(Default)]
struct Table {
    row: Vec<String>,
    cell: String,
}

impl<'a> Reading<'a> {
    fn of(formats: &'a Formats, writer: &'a mut Writer) -> Self {
        Self {
            formats,
            writer,
            counters: Counters::default(),
            paragraphs: Vec::new(),
            tables: Vec::new(),
            left_out: 0,
            is_text: false,
            note: None,
        }
    }

    fn part(mut self, name: &str, xml: &str) -> Result<(), Fault> {
        walk(name, xml, |node| {
            match node {
                Node::Start(element) => self.start(&element),
                Node::End(name) => self.end(name),
                Node::Text(text) if self.is_text && self.left_out == 0 => self.add(text),
                Node::Text(_) => {}
            }
            if self.writer.is_full() { Flow::Stop } else { Flow::On }
        })
    }

    fn start(&mut self, element: &Element) {
        let name = element.name();
        if self.left_out == 0 && name == RUBY {
            self.writer.pass_over(PassedOver::Ruby);
        }
        if self.left_out > 0 || name == RUBY || LEFT_OUT.contains(&name) {
            self.left_out += 1;
            return;
        }
        match name {
            "p" => self.paragraphs.push(Paragraph::default()),
            "t" => self.is_text = true,
            "tab" | "ptab" => self.add("\t"),
            "br" | "cr" => self.add("\n"),
            "noBreakHyphen" => self.add("-"),
            "footnoteReference" => self.add(&number(element, "note")),
            "endnoteReference" => self.add(&number(element, "endnote")),
            // Those with a type are lines between text and notes.
            "footnote" | "endnote" if element.attribute("type").is_none() => {
                self.note = Some(number(element, name.trim_start_matches("foot")));
            }
            "tbl" => self.tables.push(Table::default()),
            _ => self.format(element),
        }
    }

    /// What a paragraph says about itself.
    fn format(&mut self, element: &Element) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match element.name() {
            "pStyle" => paragraph.style = value(element),
            "outlineLvl" => paragraph.outline = outline(element),
            _ => paragraph.item.add(element),
        }
    }

    fn end(&mut self, name: &str) {
        if self.left_out > 0 {
            self.left_out -= 1;
            return;
        }
        match name {
            "t" => self.is_text = false,
            "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    self.write_paragraph(&paragraph);
                }
            }
            "tc" => {
                if let Some(table) = self.tables.last_mut() {
                    table.row.push(std::mem::take(&mut table.cell));
                }
            }
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    let row = std::mem::take(&mut table.row);
                    self.write_row(&row);
                }
            }
            "tbl" => {
                self.tables.pop();
                self.write_line("");
            }
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    fn write_paragraph(&mut self, paragraph: &Paragraph) {
        let text = paragraph.text.trim();
        if text.is_empty() {
            return self.write_line("");
        }
        let note = self.note.take().map(|note| note + " ").unwrap_or_default();
        let style = paragraph.style.as_deref();
        let of_style = || self.formats.heading(style?);
        if let Some(level) = paragraph.outline.or_else(of_style) {
            let marks = "#".repeat(level.min(HEADING_MAX));
            let is_in_table = !self.tables.is_empty();
            self.write_line(&if is_in_table {
                text.to_owned()
            } else {
                format!("\n{marks} {text}")
            });
            return;
        }
        let mark = self.formats.mark(&mut self.counters, style, &paragraph.item);
        self.write_line(&format!("{note}{}{text}", mark.unwrap_or_default()));
    }

    fn write_row(&mut self, row: &[String]) {
        if row.iter().all(String::is_empty) {
            return;
        }
        let line = row.join(" | ");
        match self.tables.len() {
            // The row of a table in a cell is a part of that cell.
            2.. => {
                let around = self.tables.len() - 2;
                self.tables[around].add(&line);
            }
            0 | 1 => self.writer.line(&line),
        }
    }

    /// A line of the text, or of the cell that is read.
    fn write_line(&mut self, line: &str) {
        match self.tables.last_mut() {
            Some(table) => table.add(line),
            None => self.writer.line(line),
        }
    }
}

impl Table {
    /// A cell is all on one line.
    fn add(&mut self, text: &str) {
        for word in text.split_whitespace() {
            if !self.cell.is_empty() {
                self.cell.push(' ');
            }
            self.cell.push_str(word);
        }
    }
}

fn number(element: &Element, what: &str) -> String {
    format!("[{what} {}]", element.attribute("id").unwrap_or_default())
}
