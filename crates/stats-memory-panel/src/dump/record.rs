//! Splits a record of a dump into fields as in RFC 4180.
//!
//! The parser is handwritten because CSV libraries silently let an unclosed quote extend to the end
//! of the file. Here, such a quote damages a single line.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};

use super::damage::DumpProblem;

/// The number of fields to keep: address, thread, group, bytes, scopes, name and count.
pub(super) const FIELDS: usize = 7;

/// The state of a record after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// The record ends with the line.
    Whole,
    /// A quoted field continues in the next line.
    Open,
    /// The record is damaged.
    Wrong(DumpProblem),
}

/// The positions of the fields of a record.
#[derive(Debug, Default)]
pub(super) struct Record {
    fields: [Range<usize>; FIELDS],
    /// The number of fields, including those beyond [`FIELDS`].
    count: usize,
    /// The start of the current field, after its opening quote if it has one.
    start: usize,
    /// The offset at which the search for a closing quote continues; `None` outside quotes.
    quoted: Option<usize>,
    has_quotes: bool,
    /// The fields without their quotes, joined.
    plain: String,
    /// The number of bytes that were searched for the ends of fields.
    #[cfg(test)]
    pub(super) work_bytes: u64,
}

impl Record {
    /// Starts a record at offset `start`.
    pub(super) fn begin(&mut self, start: usize) {
        (self.count, self.start, self.quoted, self.has_quotes) = (0, start, None, false);
    }

    /// Continues to the end of `text`: the first line without its line end, followed by one more
    /// line for each earlier call that returned [`Split::Open`].
    pub(super) fn split(&mut self, text: &[u8]) -> Split {
        let start = self.start;
        #[cfg(test)]
        {
            self.work_bytes += (text.len() - self.quoted.unwrap_or(start)) as u64;
        }
        if self.quoted.is_none() && memchr(b'"', &text[start..]).is_none() {
            memchr_iter(b',', &text[start..]).for_each(|comma| self.push(start + comma));
            self.push(text.len());
            return Split::Whole;
        }
        self.has_quotes = true;
        loop {
            let more = if let Some(from) = self.quoted {
                self.end_quoted(text, from)
            } else {
                self.end_bare(text)
            };
            match more {
                Ok(true) => {}
                Ok(false) => {
                    return if self.quoted.is_some() {
                        Split::Open
                    } else {
                        Split::Whole
                    };
                }
                Err(problem) => return Split::Wrong(problem),
            }
        }
    }

    /// Returns whether a complete record is an empty line.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 1 && self.fields[0].is_empty() && !self.has_quotes
    }

    /// Returns the first fields of a complete record, and the number of all its fields.
    pub(super) fn fields<'a>(
        &'a mut self,
        text: &'a [u8],
    ) -> Result<([&'a str; FIELDS], usize), DumpProblem> {
        let mut text = std::str::from_utf8(text).map_err(|_| DumpProblem::Text)?;
        if self.has_quotes {
            self.unquote(text);
            text = &self.plain;
        }
        let mut fields = [""; FIELDS];
        for (field, range) in fields
            .iter_mut()
            .zip(&self.fields[..self.count.min(FIELDS)])
        {
            *field = text.get(range.clone()).unwrap_or_default();
        }
        Ok((fields, self.count))
    }

    /// Ends a field at `end`, the position of a comma or the end of the record.
    fn push(&mut self, end: usize) {
        if let Some(field) = self.fields.get_mut(self.count) {
            *field = self.start..end;
        }
        self.count += 1;
        self.start = end + 1;
    }

    /// Searches for the end of a quoted field. Returns whether another field follows.
    fn end_quoted(&mut self, text: &[u8], mut from: usize) -> Result<bool, DumpProblem> {
        while let Some(at) = memchr(b'"', &text[from..]).map(|quote| from + quote) {
            match text.get(at + 1) {
                Some(b'"') => from = at + 2,
                Some(b',') => {
                    self.push(at);
                    (self.start, self.quoted) = (at + 2, None);
                    return Ok(true);
                }
                Some(_) => return Err(DumpProblem::Quote),
                None => {
                    self.push(at);
                    self.quoted = None;
                    return Ok(false);
                }
            }
        }
        self.quoted = Some(text.len());
        Ok(false)
    }

    /// Searches for the end of a field, or enters its quotes if it is quoted. Returns whether there
    /// is more to search.
    fn end_bare(&mut self, text: &[u8]) -> Result<bool, DumpProblem> {
        let start = self.start;
        if text.get(start) == Some(&b'"') {
            self.start += 1;
            self.quoted = Some(self.start);
            return Ok(true);
        }
        match memchr2(b',', b'"', &text[start..]).map(|at| start + at) {
            Some(at) if text[at] == b',' => {
                self.push(at);
                Ok(true)
            }
            Some(_) => Err(DumpProblem::Quote),
            None => {
                self.push(text.len());
                Ok(false)
            }
        }
    }

    /// Copies the fields to [`plain`](Self::plain), with each pair of quotes as one.
    fn unquote(&mut self, text: &str) {
        self.plain.clear();
        for range in &mut self.fields[..self.count.min(FIELDS)] {
            let start = self.plain.len();
            // All quotes in a field are doubled, so the parts between two pairs are plain text.
            let mut parts = text.get(range.clone()).unwrap_or_default().split("\"\"");
            self.plain.push_str(parts.next().unwrap_or_default());
            for part in parts {
                self.plain.push('"');
                self.plain.push_str(part);
            }
            *range = start..self.plain.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the fields of a record with these lines, or its state if it is damaged or open.
    fn split(lines: &[&str]) -> Result<Vec<String>, Split> {
        let (mut record, mut text) = (Record::default(), String::new());
        record.begin(0);
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(line);
            match record.split(text.as_bytes()) {
                Split::Whole => {
                    assert_eq!(number + 1, lines.len(), "whole too early");
                    let (fields, count) = record.fields(text.as_bytes()).unwrap();
                    return Ok(fields[..count.min(FIELDS)]
                        .iter()
                        .map(ToString::to_string)
                        .collect());
                }
                Split::Wrong(problem) => return Err(Split::Wrong(problem)),
                Split::Open => {}
            }
        }
        Err(Split::Open)
    }

    #[test]
    fn fields_are_separated_by_commas_outside_quotes() {
        let cases: [(&[&str], &[&str]); 9] = [
            (&[""], &[""]),
            (&[","], &["", ""]),
            (&["a,b"], &["a", "b"]),
            (&["\"\""], &[""]),
            (&["\"a,b\",c"], &["a,b", "c"]),
            (&["x,\"a\"\"b\""], &["x", "a\"b"]),
            (&["\"\"\"\",\"\"\"\"\"\""], &["\"", "\"\""]),
            (&["\"a", "", "b\",c"], &["a\n\nb", "c"]),
            (&["\"a\"\"", "\"\"b\""], &["a\"\n\"b"]),
        ];
        for (lines, expected) in cases {
            assert_eq!(split(lines).unwrap(), expected, "{lines:?}");
        }
    }

    #[test]
    fn unmatched_quotes_are_an_error() {
        let wrong = Err(Split::Wrong(DumpProblem::Quote));
        assert_eq!(split(&["\"a\"b"]), wrong);
        assert_eq!(split(&["a\"b"]), wrong);
        assert_eq!(split(&["a,b\"\""]), wrong);
        assert_eq!(split(&["\"a", "b,\"c"]), wrong);
        assert_eq!(split(&["\"a,b", "c"]), Err(Split::Open));
        assert_eq!(split(&["\"a\"\""]), Err(Split::Open));
    }
}
