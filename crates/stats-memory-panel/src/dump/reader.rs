//! Finds the records in the bytes of a dump.
//!
//! A dump arrives in pieces that end anywhere. Complete records are read in place; an incomplete
//! one at the end of a piece is kept until the rest of it arrives. A damaged line must not affect
//! its neighbors, so reading always continues with the next line.
//!
//! The reader is our own: with the csv crate, an unclosed quote swallows the rest of the file;
//! here, it costs one line.

use memchr::{memchr, memrchr};

use super::damage::{DumpDamage, DumpProblem, MAX_LINE_BYTES, MAX_QUOTED_LINES};
use super::line::{Line, is_header, read_budgets};
use super::record::{FIELDS, Record, Split};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a dump in pieces, and passes each line to a function. Buffers at most 2 MiB of text.
#[derive(Debug, Default)]
pub(crate) struct DumpReader {
    record: Record,
    /// The number of lines read, including damaged ones.
    line: u64,
    damage: DumpDamage,
    /// The budgets of groups, from the header.
    budgets: Vec<(String, u64)>,
    /// An incomplete record.
    pending: Vec<u8>,
    /// The length of the last line of `pending`, which has no line end yet.
    tail: usize,
    /// Whether the text up to the next line end belongs to a line that is too long.
    is_skipping: bool,
}

/// The line at the beginning of a text.
enum NextLine {
    /// A line, with its length without and with its line end.
    Line(usize, usize),
    /// A line that is too long.
    TooLong,
    /// A line whose end has not arrived.
    Incomplete,
    /// No line: the dump has ended.
    End,
}

impl DumpReader {
    /// Reads the rest of the dump, including a last line without a line end. Returns the damaged
    /// lines and the budgets of groups.
    pub(crate) fn finish(
        mut self,
        mut add: impl FnMut(&Line<'_>),
    ) -> (DumpDamage, Vec<(String, u64)>) {
        let pending = std::mem::take(&mut self.pending);
        self.read(&pending, true, &mut add);
        (self.damage, self.budgets)
    }

    /// Reads the complete records at the beginning of `text`. Returns their length.
    fn read(&mut self, text: &[u8], is_end: bool, add: &mut impl FnMut(&Line<'_>)) -> usize {
        let mut read = 0;
        loop {
            let rest = &text[read..];
            let step = if self.is_skipping {
                self.skip(rest)
            } else {
                self.read_record(rest, is_end, add)
            };
            match step {
                0 => return read,
                step => read += step,
            }
        }
    }

    fn skip(&mut self, text: &[u8]) -> usize {
        let end = memchr(b'\n', text);
        self.is_skipping = end.is_none();
        end.map_or(text.len(), |end| end + 1)
    }

    /// Reads a record, or skips its first line if it is damaged. Returns the length read; 0 if the
    /// record is incomplete.
    fn read_record(&mut self, text: &[u8], is_end: bool, add: &mut impl FnMut(&Line<'_>)) -> usize {
        let has_mark = self.line == 0 && text.starts_with(BYTE_ORDER_MARK);
        self.record
            .begin(if has_mark { BYTE_ORDER_MARK.len() } else { 0 });
        let (bare, first_end) = match find_line(text, is_end) {
            NextLine::Line(bare, whole) => (bare, whole),
            NextLine::Incomplete | NextLine::End => return 0,
            NextLine::TooLong => {
                self.is_skipping = true;
                return self.leave_out(DumpProblem::Long, MAX_LINE_BYTES + 1);
            }
        };
        let (mut record, mut end, mut lines) = (&text[..bare], first_end, 1);
        loop {
            match self.record.split(record) {
                Split::Open => {}
                Split::Wrong(problem) => return self.leave_out(problem, first_end),
                Split::Whole => match self.read_line(record, add) {
                    Err(problem) => return self.leave_out(problem, first_end),
                    Ok(()) => {
                        self.line += lines;
                        return end;
                    }
                },
            }
            match find_line(&text[end..], is_end) {
                NextLine::Line(bare, whole)
                    if lines < MAX_QUOTED_LINES && end + whole <= MAX_LINE_BYTES =>
                {
                    record = &text[..end + bare];
                    (end, lines) = (end + whole, lines + 1);
                }
                NextLine::Incomplete => return 0,
                NextLine::Line(..) | NextLine::TooLong | NextLine::End => {
                    return self.leave_out(DumpProblem::Quote, first_end);
                }
            }
        }
    }

    /// Passes the line of a complete record to `add`, or takes the budgets from a header.
    fn read_line(
        &mut self,
        record: &[u8],
        add: &mut impl FnMut(&Line<'_>),
    ) -> Result<(), DumpProblem> {
        if self.record.is_empty() {
            return Ok(());
        }
        let (fields, count) = self.record.fields(record)?;
        match Line::read(fields, count) {
            Ok(line) => add(&line),
            Err(_) if self.line == 0 && is_header(&fields) => {
                self.budgets = read_budgets(fields[FIELDS - 1]);
            }
            Err(problem) => return Err(problem),
        }
        Ok(())
    }

    /// Reports a line of this length as damaged. Returns the length.
    fn leave_out(&mut self, problem: DumpProblem, len: usize) -> usize {
        self.line += 1;
        self.damage.report(self.line, problem);
        len
    }

    /// Reads the next piece of the dump.
    pub(crate) fn write(&mut self, mut piece: &[u8], mut add: impl FnMut(&Line<'_>)) {
        while !piece.is_empty() {
            if self.pending.is_empty() {
                let read = self.read(piece, false, &mut add);
                let rest = &piece[read..];
                self.pending.extend_from_slice(rest);
                self.tail = rest.len() - memrchr(b'\n', rest).map_or(0, |end| end + 1);
                return;
            }
            // Read one more line, but only up to the length that makes it too long.
            let limit = piece.len().min(MAX_LINE_BYTES + 1);
            let line_end = memchr(b'\n', &piece[..limit]);
            let (line, rest) = piece.split_at(line_end.map_or(limit, |end| end + 1));
            self.pending.extend_from_slice(line);
            self.tail = if line_end.is_some() {
                0
            } else {
                self.tail + line.len()
            };
            piece = rest;
            if line_end.is_some() || self.tail > MAX_LINE_BYTES {
                self.read_pending(&mut add);
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn pending_bytes(&self) -> usize {
        self.pending.len()
    }

    #[cfg(test)]
    pub(crate) fn work_bytes(&self) -> u64 {
        self.record.work_bytes
    }

    fn read_pending(&mut self, add: &mut impl FnMut(&Line<'_>)) {
        let mut pending = std::mem::take(&mut self.pending);
        let read = self.read(&pending, false, add);
        pending.drain(..read);
        self.pending = pending;
    }
}

/// Finds the line that `text` begins with. The last line of a dump needs no line end.
fn find_line(text: &[u8], is_end: bool) -> NextLine {
    let bare = |line: &[u8]| line.len() - usize::from(line.ends_with(b"\r"));
    match memchr(b'\n', &text[..text.len().min(MAX_LINE_BYTES + 1)]) {
        Some(end) => NextLine::Line(bare(&text[..end]), end + 1),
        None if text.len() > MAX_LINE_BYTES => NextLine::TooLong,
        None if !is_end => NextLine::Incomplete,
        None if text.is_empty() => NextLine::End,
        None => NextLine::Line(bare(text), text.len()),
    }
}
