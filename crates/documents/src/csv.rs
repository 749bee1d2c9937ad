//! Tables as lines that name what stands in their columns.

use csv::{ByteRecord, ReaderBuilder, StringRecord};

use super::{
    plain,
    problem::Fault,
    text::{Text, Writer},
};

/// What stands between two columns, the most likely first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Each row as a line such as `Name: Ada; Role: engineer`, without its empty cells.
pub(crate) fn read(bytes: &[u8]) -> Result<Text, Fault> {
    let text = plain::decode(bytes)?;
    let (separator, table) = separator(&text);
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(table.as_bytes());
    let mut header: Option<Vec<String>> = None;
    let (mut writer, mut row, mut rows) = (Writer::default(), ByteRecord::new(), 0_usize);
    loop {
        let read = reader.read_byte_record(&mut row);
        let more = read.map_err(|why| Fault::Damaged(format!("row {}: {why}", rows + 1)))?;
        if !more || writer.is_full() {
            break;
        }
        let cells = cells(&row);
        if cells.iter().all(String::is_empty) {
            continue;
        }
        match &header {
            None => header = Some(cells),
            Some(header) => {
                rows += 1;
                writer.line(&line(header, &cells));
            }
        }
    }
    if let (0, Some(header)) = (rows, header) {
        writer.line(&header.join("; "));
    }
    writer.finish().ok_or(Fault::Empty)
}

/// What separates the columns: what most often stands in the first line, outside of quotes, or what a line
/// `sep=;` says, which Excel writes. And the text of the table.
fn separator(text: &str) -> (u8, &str) {
    let text = text.trim_start_matches('\u{feff}');
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let Some(&[separator]) = first.trim().strip_prefix("sep=").map(str::as_bytes) {
        return (separator, rest);
    }
    let mut counts = [0_usize; SEPARATORS.len()];
    let mut is_quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            byte if !is_quoted => {
                let known = SEPARATORS.iter().position(|separator| *separator == byte);
                known.into_iter().for_each(|n| counts[n] += 1);
            }
            _ => {}
        }
    }
    let most = (0..SEPARATORS.len()).rev().max_by_key(|n| counts[*n]).unwrap_or(0);
    (SEPARATORS[most], text)
}

/// The cells of a row, each on one line.
fn cells(row: &ByteRecord) -> Vec<String> {
    let row = StringRecord::from_byte_record_lossy(row.clone());
    row.iter().map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn line(header: &[String], cells: &[String]) -> String {
    let full = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    let named = full.map(|(n, cell)| match header.get(n) {
        Some(name) if !name.is_empty() => format!("{name}: {cell}"),
        Some(_) | None => format!("column {}: {cell}", n + 1),
    });
    named.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(table: &str) -> String {
        read(table.as_bytes()).unwrap().text
    }

    /// K05: each row names its columns, whatever separates them, and a cell that has none says which it is.
    #[test]
    fn rows_name_their_columns() {
        let expected = "Name: Ada; Role: engineer, lead\nName: Bob; column 3: x";
        assert_eq!(text("Name,Role\nAda,\"engineer,\nlead\"\n\n,\nBob,,x\n"), expected);
        assert_eq!(text("Name;Role\r\nAda;engineer, lead\r\nBob;;x"), expected);
        assert_eq!(text("sep=|\nName|Role\nAda|engineer, lead\nBob||x"), expected);
        assert_eq!(text("\u{feff}\"a,b,c\"\tB\n1\t2\n"), "a,b,c: 1; B: 2");
    }

    /// K05: a table of a header alone is that header, and a quote that is not closed reads to the end.
    #[test]
    fn short_and_broken_tables_are_read() {
        assert_eq!(text("Name,Role\n"), "Name; Role");
        assert_eq!(text("one column\nx\ny"), "one column: x\none column: y");
        assert_eq!(text("a,b\n1,\"2\n3,4"), "a: 1; b: 2 3,4");
        assert_eq!(read(b",,\n, ,"), Err(Fault::Empty));
    }
}
