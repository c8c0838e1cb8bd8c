//! Reading a dump as it is written.

use std::io;

use memchr::{memchr, memrchr};

use super::damage::{DumpDamage, DumpProblem};
use super::fold::Fold;
use super::line::{Line, is_header};
use super::record::{Record, Split};
use super::snapshot::MemorySnapshot;

/// How long a line may be, and a record of several: beyond, it is damaged.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;

/// How many lines a record may have, of which all but one end within quotes.
pub(super) const MAX_QUOTED_LINES: u64 = 64;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Takes a dump as it is written, and keeps what it says rather than its text.
///
/// ```
/// use std::io::Write;
///
/// let mut writer = stats_memory_panel::SnapshotWriter::new();
/// writer.write_all(b"0x0000000000001000,main,rendering,64,Level|Load,mesh\n")?;
/// let snapshot = writer.finish();
/// assert_eq!((snapshot.bytes(), snapshot.allocations()), (64, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// It comes in pieces of any size. What is kept is each different text once, 16 bytes for each
/// place and 24 for each size that something was allocated with there, tables to find them, and at
/// most 2 MiB of text that is not read yet. Writing never fails.
///
/// A line that is damaged is left out, and told by its number in the [`MemorySnapshot::damage`];
/// reading goes on with the next. So it does where a quoted field does not end: within 64 lines and
/// 1 MiB, or before what ends quotes in the lines that follow. Empty lines, a byte order mark, line
/// ends of either kind, and a first line with the names of the fields are no damage.
#[derive(Debug, Default)]
pub struct SnapshotWriter {
    fold: Fold,
    record: Record,
    /// Lines that were read, damaged ones among them.
    line: u64,
    damage: DumpDamage,
    /// What was written and not read, because its end is missing.
    pending: Vec<u8>,
    /// How much of it has no line end yet.
    tail: usize,
    /// Whether all up to the next line end belongs to a line that is too long.
    is_skipping: bool,
}

/// A line at the beginning of some text.
enum Found {
    /// How long it is without its end, and with it.
    Line(usize, usize),
    TooLong,
    /// Its end is missing still.
    Part,
    /// There is no text, and no more to come.
    Nothing,
}

impl SnapshotWriter {
    /// One that nothing was written to yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What was written, a last line without an end included.
    #[must_use]
    pub fn finish(mut self) -> MemorySnapshot {
        let pending = std::mem::take(&mut self.pending);
        self.read(&pending, true);
        MemorySnapshot::new(self.fold.held, self.damage)
    }

    /// Reads what is whole, and says how much that was.
    fn read(&mut self, text: &[u8], is_end: bool) -> usize {
        let mut read = 0;
        loop {
            let rest = &text[read..];
            let step = if self.is_skipping {
                self.skip(rest)
            } else {
                self.read_record(rest, is_end)
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

    /// Reads a record, or the damaged line that it begins with, and says how long that is; 0 where
    /// it is not whole.
    fn read_record(&mut self, text: &[u8], is_end: bool) -> usize {
        let has_mark = self.line == 0 && text.starts_with(BYTE_ORDER_MARK);
        self.record
            .begin(if has_mark { BYTE_ORDER_MARK.len() } else { 0 });
        let (bare, first_end) = match find_line(text, is_end) {
            Found::Line(bare, whole) => (bare, whole),
            Found::Part | Found::Nothing => return 0,
            Found::TooLong => {
                self.is_skipping = true;
                return self.leave_out(DumpProblem::Long, MAX_LINE_BYTES + 1);
            }
        };
        let (mut record, mut end, mut lines) = (&text[..bare], first_end, 1);
        loop {
            match self.record.split(record) {
                Split::Open => {}
                Split::Wrong(problem) => return self.leave_out(problem, first_end),
                Split::Whole => match self.add(record) {
                    Err(problem) => return self.leave_out(problem, first_end),
                    Ok(()) => {
                        self.line += lines;
                        return end;
                    }
                },
            }
            match find_line(&text[end..], is_end) {
                Found::Line(bare, whole)
                    if lines < MAX_QUOTED_LINES && end + whole <= MAX_LINE_BYTES =>
                {
                    record = &text[..end + bare];
                    (end, lines) = (end + whole, lines + 1);
                }
                Found::Part => return 0,
                Found::Line(..) | Found::TooLong | Found::Nothing => {
                    return self.leave_out(DumpProblem::Quote, first_end);
                }
            }
        }
    }

    /// Takes what a whole record says.
    fn add(&mut self, record: &[u8]) -> Result<(), DumpProblem> {
        if self.record.is_empty() {
            return Ok(());
        }
        let (fields, count) = self.record.fields(record)?;
        match Line::read(fields, count) {
            Ok(line) => self.fold.add(&line),
            Err(_) if self.line == 0 && is_header(&fields) => {}
            Err(problem) => return Err(problem),
        }
        Ok(())
    }

    /// Leaves a line out, and says how long it is.
    fn leave_out(&mut self, problem: DumpProblem, len: usize) -> usize {
        self.line += 1;
        self.damage.tell(self.line, problem);
        len
    }

    /// Reads what is whole of a piece, after what is pending.
    fn take(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            if self.pending.is_empty() {
                let read = self.read(piece, false);
                let rest = &piece[read..];
                self.pending.extend_from_slice(rest);
                self.tail = rest.len() - memrchr(b'\n', rest).map_or(0, |end| end + 1);
                return;
            }
            // One line more, and no more than shows that it is too long.
            let most = piece.len().min(MAX_LINE_BYTES + 1);
            let line_end = memchr(b'\n', &piece[..most]);
            let (line, rest) = piece.split_at(line_end.map_or(most, |end| end + 1));
            self.pending.extend_from_slice(line);
            self.tail = if line_end.is_some() {
                0
            } else {
                self.tail + line.len()
            };
            piece = rest;
            if line_end.is_some() || self.tail > MAX_LINE_BYTES {
                self.read_pending();
            }
        }
    }

    #[cfg(test)]
    pub(super) fn pending_bytes(&self) -> usize {
        self.pending.len()
    }

    #[cfg(test)]
    pub(super) fn work_bytes(&self) -> u64 {
        self.record.work_bytes
    }

    fn read_pending(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        let read = self.read(&pending, false);
        pending.drain(..read);
        self.pending = pending;
    }
}

impl io::Write for SnapshotWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.take(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Looks for the line that `text` begins with; at the end of the dump one needs no line end.
fn find_line(text: &[u8], is_end: bool) -> Found {
    let bare = |line: &[u8]| line.len() - usize::from(line.ends_with(b"\r"));
    match memchr(b'\n', &text[..text.len().min(MAX_LINE_BYTES + 1)]) {
        Some(end) => Found::Line(bare(&text[..end]), end + 1),
        None if text.len() > MAX_LINE_BYTES => Found::TooLong,
        None if !is_end => Found::Part,
        None if text.is_empty() => Found::Nothing,
        None => Found::Line(bare(text), text.len()),
    }
}
