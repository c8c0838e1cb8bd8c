//! The scopes of a run while it is recorded: a line for each block of frames, so that a killed
//! program loses only the last block.
//!
//! The lines are JSON, each with a checksum. At the end of the run, they become a Parquet file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::paths::beside;

/// Appends scopes to a file.
pub(super) struct SpanLines {
    file: File,
    batch: Batch,
    numbers: HashMap<String, u32>,
}

/// One line: its checksum as eight digits, a space, and this as JSON.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Batch {
    /// The names that rows refer to by number.
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<SpanRow>,
}

/// A scope.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(from = "Fields", into = "Fields")]
pub(super) struct SpanRow {
    pub(super) frame: i64,
    pub(super) thread: u32,
    pub(super) depth: i32,
    pub(super) path: u32,
    pub(super) begin_ns: i64,
    pub(super) end_ns: i64,
}

/// A row as a list, which is shorter than an object with names.
type Fields = (i64, u32, i32, u32, i64, i64);

impl From<Fields> for SpanRow {
    fn from((frame, thread, depth, path, begin_ns, end_ns): Fields) -> Self {
        Self {
            frame,
            thread,
            depth,
            path,
            begin_ns,
            end_ns,
        }
    }
}

impl From<SpanRow> for Fields {
    fn from(row: SpanRow) -> Self {
        (
            row.frame,
            row.thread,
            row.depth,
            row.path,
            row.begin_ns,
            row.end_ns,
        )
    }
}

impl SpanLines {
    /// Begins the lines of a file of spans.
    pub(super) fn create(spans: &Path) -> io::Result<Self> {
        // A link or a device of that name is not written to.
        remove_span_lines(spans);
        Ok(Self {
            file: File::create_new(part_of(spans))?,
            batch: Batch::default(),
            numbers: HashMap::new(),
        })
    }

    /// Adds a scope with the names of its thread and its path.
    pub(super) fn add(&mut self, (thread, path): (&str, &str), row: SpanRow) {
        let row = SpanRow {
            thread: self.number(thread),
            path: self.number(path),
            ..row
        };
        self.batch.rows.push(row);
    }

    /// Writes the scopes added so far, as one line.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.batch.rows.is_empty() {
            return Ok(());
        }
        let text = serde_json::to_string(&self.batch)?;
        let line = format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()));
        self.batch = Batch::default();
        self.numbers.clear();
        self.file.write_all(line.as_bytes())
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.batch.names.len() as u32;
        self.batch.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// Calls `visit` with each intact line of a file of spans. Returns the number of truncated or
/// damaged lines.
pub(super) fn read_lines(
    spans: &Path,
    mut visit: impl FnMut(Batch) -> io::Result<()>,
) -> io::Result<u64> {
    let mut file = BufReader::new(File::open(part_of(spans))?);
    let (mut line, mut damaged) = (Vec::new(), 0);
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line)? == 0 {
            return Ok(damaged);
        }
        match parse_line(&line) {
            Some(batch) => visit(batch)?,
            None => damaged += 1,
        }
    }
}

/// Returns the content of a line; `None` if it is truncated or damaged.
fn parse_line(line: &[u8]) -> Option<Batch> {
    let (sum, text) = line.strip_suffix(b"\n")?.split_at_checked(8)?;
    let text = text.strip_prefix(b" ")?;
    let sum = u32::from_str_radix(std::str::from_utf8(sum).ok()?, 16).ok()?;
    let batch = || serde_json::from_slice::<Batch>(text).ok();
    (crc32fast::hash(text) == sum).then(batch)?
}

/// Removes the lines of a file of spans. Leftover lines do no harm: the next run of that name
/// removes them.
pub(super) fn remove_span_lines(spans: &Path) {
    let _ = std::fs::remove_file(part_of(spans));
}

/// Returns the path of the lines of a file of spans.
pub(super) fn part_of(spans: &Path) -> PathBuf {
    beside(spans, "part")
}
