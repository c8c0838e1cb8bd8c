//! Reads the lines of a text that another program wrote, whatever its encoding, without trusting
//! its size.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use memchr::{memchr, memchr_iter};

use super::Refusal;

/// The maximum length of a line, in bytes. A line of Unreal Engine names thousands of series.
const MAX_LINE: usize = 4 << 20;

/// The maximum number of fields in a line.
const MAX_FIELDS: usize = 1 << 16;

/// The number of values that a table of any size may have.
const FREE_VALUES: u64 = 1 << 22;

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 18;

/// The lines of a text.
pub(crate) struct Lines {
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    /// The number of the newest line, from 1.
    number: u64,
    /// Whether the newest line ends with a line break.
    is_complete: bool,
    /// The byte that ends a line.
    end: u8,
    /// The number of bytes so far.
    bytes: u64,
}

impl Lines {
    /// Opens a file, and skips a byte-order mark.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Self::of(BufReader::with_capacity(CHUNK, file))
    }

    /// Returns the lines of a reader.
    pub(crate) fn of(mut reader: impl BufRead + 'static) -> io::Result<Self> {
        let begin = reader.fill_buf()?;
        // Old programs end lines with a carriage return alone.
        let end = match (memchr(b'\n', begin), memchr(b'\r', begin)) {
            (None, Some(_)) => b'\r',
            _ => b'\n',
        };
        let reader = utf_8(reader)?;
        Ok(Self {
            reader,
            line: Vec::new(),
            number: 0,
            is_complete: true,
            end,
            bytes: 0,
        })
    }

    /// Reads a line, without its line break; `None` at the end. A refusal names the line.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, Refusal> {
        self.line.clear();
        self.number += 1;
        self.is_complete = false;
        loop {
            let chunk = self.reader.fill_buf().map_err(Refusal::Io)?;
            if chunk.is_empty() {
                break;
            }
            let end = memchr(self.end, chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            if self.line.len() + part.len() > MAX_LINE {
                return Err(Refusal::new(format!(
                    "line {} has more than {} MiB, so it is no log; check that it is the right file",
                    self.number,
                    MAX_LINE >> 20
                )));
            }
            self.line.extend_from_slice(part);
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            self.bytes += used as u64;
            if end.is_some() {
                self.is_complete = true;
                break;
            }
        }
        if self.line.is_empty() && !self.is_complete {
            return Ok(None);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        if memchr(0, &self.line).is_some() {
            return Err(Refusal::new(format!(
                "line {} contains zero bytes, so it is no text; copy the file again, or check that it is the right file",
                self.number
            )));
        }
        Ok(Some(&self.line))
    }

    /// Refuses a table of `columns` columns and `rows` rows whose values would take much more memory
    /// than its text: one with many columns and short rows.
    pub(crate) fn check_size(&self, columns: usize, rows: usize) -> Result<(), Refusal> {
        let values = columns as u64 * rows as u64;
        if values <= FREE_VALUES + self.bytes {
            return Ok(());
        }
        Err(Refusal::new(format!(
            "line {} is the {rows}th of {columns} columns, most of them empty, which would take too much memory; remove \
             the columns without values",
            self.number
        )))
    }

    /// Returns the newest line, its number from 1, and whether it ends with a line break, so that it
    /// cannot be cut off.
    pub(crate) fn newest(&self) -> (&[u8], u64, bool) {
        (&self.line, self.number, self.is_complete)
    }
}

/// The fields of a line.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    ends: Vec<(u32, u32)>,
}

impl Fields {
    /// Splits a line at a delimiter. Quotes around a field are removed, and protect delimiters in it.
    /// Fields beyond the 65,536th are left out.
    pub(crate) fn split(&mut self, line: &[u8], delimiter: u8) {
        self.ends.clear();
        if memchr(b'"', line).is_none() {
            let mut begin = 0;
            let ends = memchr_iter(delimiter, line).chain([line.len()]);
            for end in ends.take(MAX_FIELDS) {
                self.ends.push((begin as u32, end as u32));
                begin = end + 1;
            }
            return;
        }
        let mut begin = 0;
        while self.ends.len() < MAX_FIELDS {
            let rest = &line[begin..];
            let is_quoted = rest.first() == Some(&b'"');
            let quoted = if is_quoted { closing_quote(rest) } else { None };
            if let Some(close) = quoted {
                self.ends.push(((begin + 1) as u32, (begin + close) as u32));
                begin += close + 1;
                if begin == line.len() {
                    break;
                }
                // Anything between the closing quote and the delimiter is left out.
                match memchr(delimiter, &line[begin..]) {
                    Some(at) => begin += at + 1,
                    None => break,
                }
                continue;
            }
            match memchr(delimiter, rest) {
                Some(at) => {
                    self.ends.push((begin as u32, (begin + at) as u32));
                    begin += at + 1;
                }
                None => {
                    self.ends.push((begin as u32, line.len() as u32));
                    break;
                }
            }
        }
    }

    /// Returns the number of fields.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns a field of the line that was split; empty if the line is shorter.
    pub(crate) fn get<'a>(&self, line: &'a [u8], at: usize) -> &'a [u8] {
        match self.ends.get(at) {
            Some((begin, end)) => &line[*begin as usize..*end as usize],
            None => &[],
        }
    }

    /// Returns the fields as trimmed texts.
    pub(crate) fn texts(&self, line: &[u8]) -> Vec<String> {
        (0..self.len()).map(|at| text(self.get(line, at))).collect()
    }
}

/// Returns the position of the quote that closes the one at the beginning. Two quotes are one in
/// the field.
fn closing_quote(field: &[u8]) -> Option<usize> {
    let mut at = 1;
    while let Some(found) = memchr(b'"', &field[at..]) {
        at += found;
        match field.get(at + 1) {
            Some(b'"') => at += 2,
            _ => return Some(at),
        }
    }
    None
}

/// Returns bytes as a trimmed text. Bytes that are no UTF-8 are taken for Latin-1.
pub(crate) fn text(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    text.trim().replace("\"\"", "\"")
}

/// Returns whether a line has nothing but delimiters, as spreadsheets write rows without content.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b',' | b';' | b'"'))
}

pub(crate) fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.starts_with(b"//")
}

/// Returns the names in a header, which may begin as a comment, and what separates them.
pub(crate) fn names_in(header: &[u8]) -> (Vec<String>, u8) {
    let header = header.strip_prefix(b"#").unwrap_or(header);
    let delimiter = delimiter_of(header);
    let mut fields = Fields::default();
    fields.split(header, delimiter);
    (fields.texts(header), delimiter)
}

/// Returns the delimiter of a header: the one of `,`, `;` and tab that it has most often.
pub(crate) fn delimiter_of(header: &[u8]) -> u8 {
    let count = |delimiter: &u8| header.iter().filter(|byte| *byte == delimiter).count();
    // The first one wins a tie.
    let mut best = b',';
    for delimiter in [b';', b'\t'] {
        if count(&delimiter) > count(&best) {
            best = delimiter;
        }
    }
    best
}

/// Returns the number in a field; `None` for anything else, such as `NA` or nothing. A comma is a
/// decimal point where another character separates the fields.
pub(crate) fn number(field: &[u8]) -> Option<f64> {
    let field = field.trim_ascii();
    // Words such as `nan` and `inf` are no numbers here.
    if !matches!(field.first()?, b'0'..=b'9' | b'-' | b'+' | b'.' | b',') {
        return None;
    }
    let text = std::str::from_utf8(field).ok()?;
    let parsed: f64 = match text.parse() {
        Ok(number) => number,
        Err(_) if text.matches(',').count() == 1 && !text.contains('.') => {
            text.replace(',', ".").parse().ok()?
        }
        Err(_) => return None,
    };
    parsed.is_finite().then_some(parsed)
}

/// Returns a text in UTF-8, without its byte-order mark, whatever its encoding.
pub(super) fn utf_8<'a>(mut reader: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let (skip, order) = match reader.fill_buf()? {
        [0xEF, 0xBB, 0xBF, ..] => (3, None),
        [0xFF, 0xFE, ..] => (2, Some(Order::Little)),
        [0xFE, 0xFF, ..] => (2, Some(Order::Big)),
        // ASCII in UTF-16 without a mark.
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => (0, Some(Order::Little)),
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => (0, Some(Order::Big)),
        _ => (0, None),
    };
    reader.consume(skip);
    Ok(match order {
        None => Box::new(reader),
        Some(order) => Box::new(BufReader::with_capacity(CHUNK, Utf16::new(reader, order))),
    })
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug)]
enum Order {
    Little,
    Big,
}

/// Turns UTF-16 into UTF-8.
struct Utf16<R> {
    reader: R,
    order: Order,
    /// The bytes of characters that were not read yet.
    ready: VecDeque<u8>,
    /// The first half of a character beyond 16 bits.
    high: Option<u16>,
}

impl<R: BufRead> Utf16<R> {
    fn new(reader: R, order: Order) -> Self {
        Self {
            reader,
            order,
            ready: VecDeque::new(),
            high: None,
        }
    }

    fn take(&mut self, unit: u16) {
        let units = self.high.take().into_iter().chain([unit]);
        let is_first_half = (0xD800..0xDC00).contains(&unit);
        let units: Vec<u16> = units.collect();
        let (whole, high) = match is_first_half {
            true => (&units[..units.len() - 1], Some(unit)),
            false => (&units[..], None),
        };
        self.high = high;
        for char in char::decode_utf16(whole.iter().copied()) {
            let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.ready.extend(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() {
            let mut pairs = [0; 4096];
            let mut len = 0;
            while len < pairs.len() {
                match self.reader.read(&mut pairs[len..])? {
                    0 => break,
                    read => len += read,
                }
            }
            if len == 0 {
                return Ok(0);
            }
            // An odd byte at the end is half of a character.
            for pair in pairs[..len].chunks_exact(2) {
                let pair = [pair[0], pair[1]];
                self.take(match self.order {
                    Order::Little => u16::from_le_bytes(pair),
                    Order::Big => u16::from_be_bytes(pair),
                });
            }
            if len < 2 {
                return Ok(0);
            }
        }
        self.ready.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Result<Vec<String>, String> {
        let mut lines = Lines::of(io::Cursor::new(bytes.to_vec())).unwrap();
        let mut all = Vec::new();
        while let Some(line) = lines.next().map_err(|refusal| refusal.to_string())? {
            all.push(text(line));
        }
        Ok(all)
    }

    #[test]
    fn every_encoding_has_the_same_lines() {
        let source = "a,°C\r\n1,𝄞\nlast";
        let expected = Ok(vec!["a,°C".to_owned(), "1,𝄞".to_owned(), "last".to_owned()]);
        let utf16 = |to_bytes: fn(u16) -> [u8; 2], mark: bool| {
            let mark = if mark { "\u{FEFF}" } else { "" };
            let units = mark.encode_utf16().chain(source.encode_utf16());
            units.flat_map(to_bytes).collect::<Vec<u8>>()
        };
        assert_eq!(lines(source.as_bytes()), expected);
        assert_eq!(lines(format!("\u{FEFF}{source}").as_bytes()), expected);
        for to_bytes in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
            for mark in [true, false] {
                assert_eq!(lines(&utf16(to_bytes, mark)), expected);
            }
        }
        assert_eq!(
            lines(b"30 \xB0C\n\n"),
            Ok(vec!["30 °C".to_owned(), String::new()])
        );
        assert_eq!(lines(b""), Ok(Vec::new()));
    }

    #[test]
    fn hostile_lines_end_with_a_sentence() {
        let long = vec![b'x'; MAX_LINE + 1];
        assert!(
            lines(&long)
                .unwrap_err()
                .contains("line 1 has more than 4 MiB")
        );
        assert!(
            lines(b"a\nb\0c")
                .unwrap_err()
                .contains("line 2 contains zero bytes")
        );
        let mut fields = Fields::default();
        fields.split(&vec![b','; 1 << 20], b',');
        assert_eq!(fields.len(), MAX_FIELDS);
    }

    #[test]
    fn a_carriage_return_may_end_lines_alone() {
        assert_eq!(
            lines(b"a\rb\rc"),
            Ok(["a", "b", "c"].map(str::to_owned).to_vec())
        );
        assert_eq!(
            lines(b"a\r\nb\r\n"),
            Ok(["a", "b"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn many_columns_with_short_rows_are_refused() {
        let mut lines = Lines::of(io::Cursor::new(vec![b'1'; 1 << 20])).unwrap();
        assert!(lines.next().is_ok());
        let most = FREE_VALUES as usize + (1 << 20);
        assert!(lines.check_size(most, 1).is_ok());
        let error = lines.check_size(most / 2, 3).unwrap_err().to_string();
        assert!(
            error.ends_with("remove the columns without values"),
            "{error}"
        );
    }

    #[test]
    fn quotes_protect_delimiters_within_a_line_only() {
        let split = |line: &str| {
            let mut fields = Fields::default();
            fields.split(line.as_bytes(), b',');
            fields.texts(line.as_bytes())
        };
        assert_eq!(split("a, b ,"), ["a", "b", ""]);
        assert_eq!(split(r#""a,b",c"#), ["a,b", "c"]);
        assert_eq!(split(r#""a""b","c"x,d"#), [r#"a"b"#, "c", "d"]);
        assert_eq!(split(r#""open,c"#), [r#""open"#, "c"]);
        assert_eq!(split(r#"x"y,z"#), [r#"x"y"#, "z"]);
        assert_eq!(split(""), [""]);
    }

    #[test]
    fn numbers_have_a_point_or_a_comma_and_nothing_else_is_a_number() {
        for (text, expected) in [
            ("16.5", Some(16.5)),
            (" 82", Some(82.0)),
            ("-0.5 ", Some(-0.5)),
            ("16,5", Some(16.5)),
            ("1e-3", Some(0.001)),
            ("NA", None),
            ("-", None),
            ("", None),
            ("nan", None),
            ("inf", None),
            ("1,234,5", None),
            ("1.234,5", None),
            ("1e999", None),
            ("12 ms", None),
        ] {
            assert_eq!(number(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(delimiter_of(b"a,b;c"), b',');
        assert_eq!(delimiter_of(b"a;b;c"), b';');
        assert_eq!(delimiter_of(b"a\tb"), b'\t');
        assert_eq!(delimiter_of(b"frame"), b',');
    }
}
