//! The scopes of a run while it is recorded: a part for each block of frames, so that a killed
//! program loses only the last block. At the end of the run, the parts become a Parquet file.
//!
//! ```text
//! | length, 4 bytes | CRC-32, 4 bytes | JSON, compressed with zstd |
//! ```
//!
//! Both numbers are those of the compressed bytes, the lowest byte first.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::paths::beside;

/// The level of compression: a fraction of a millisecond for the scopes of half a second.
const LEVEL: i32 = 1;

/// The maximum length of a part, compressed and not. A greater one is damage.
const MAX_LEN: usize = 1 << 28;

/// Appends scopes to a file.
pub(super) struct SpanLines {
    file: File,
    batch: Batch,
    numbers: HashMap<String, u32>,
}

/// The content of a part.
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
    pub(super) lane: u32,
}

/// A row as a list, which is shorter than an object with names.
type Fields = (i64, u32, i32, u32, i64, i64, u32);

impl From<Fields> for SpanRow {
    fn from((frame, thread, depth, path, begin_ns, end_ns, lane): Fields) -> Self {
        Self {
            frame,
            thread,
            depth,
            path,
            begin_ns,
            end_ns,
            lane,
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
            row.lane,
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

    /// Adds a scope with the names of its thread, its lane and its path.
    pub(super) fn add(&mut self, [thread, lane, path]: [&str; 3], row: SpanRow) {
        let row = SpanRow {
            thread: self.number(thread),
            lane: self.number(lane),
            path: self.number(path),
            ..row
        };
        self.batch.rows.push(row);
    }

    /// Writes the scopes added so far, as one part.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if self.batch.rows.is_empty() {
            return Ok(());
        }
        let text = serde_json::to_vec(&self.batch)?;
        let bytes = zstd::bulk::compress(&text, LEVEL)?;
        let mut part = Vec::with_capacity(bytes.len() + 8);
        part.extend((bytes.len() as u32).to_le_bytes());
        part.extend(crc32fast::hash(&bytes).to_le_bytes());
        part.extend(bytes);
        self.batch = Batch::default();
        self.numbers.clear();
        self.file.write_all(&part)
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

/// Calls `visit` with each intact part of a file of spans. Returns the number of truncated or
/// damaged parts.
pub(super) fn read_lines(
    spans: &Path,
    mut visit: impl FnMut(Batch) -> io::Result<()>,
) -> io::Result<u64> {
    let mut file = BufReader::new(File::open(part_of(spans))?);
    let (mut bytes, mut damaged) = (Vec::new(), 0);
    loop {
        let mut head = Vec::with_capacity(8);
        (&mut file).take(8).read_to_end(&mut head)?;
        if head.is_empty() {
            return Ok(damaged);
        }
        let Some((len, sum)) = numbers(&head).filter(|(len, _)| *len as usize <= MAX_LEN) else {
            return Ok(damaged + 1);
        };
        bytes.clear();
        (&mut file).take(len.into()).read_to_end(&mut bytes)?;
        if bytes.len() < len as usize {
            return Ok(damaged + 1);
        }
        let is_intact = crc32fast::hash(&bytes) == sum;
        match is_intact.then(|| parse_part(&bytes)).flatten() {
            Some(batch) => visit(batch)?,
            None => damaged += 1,
        }
    }
}

/// Returns the two numbers before a part; `None` if they are truncated.
fn numbers(head: &[u8]) -> Option<(u32, u32)> {
    let (len, sum) = head.split_first_chunk::<4>()?;
    let sum = sum.first_chunk::<4>()?;
    Some((u32::from_le_bytes(*len), u32::from_le_bytes(*sum)))
}

/// Returns the content of a part; `None` if it is damaged.
fn parse_part(bytes: &[u8]) -> Option<Batch> {
    let mut text = Vec::new();
    let decoder = zstd::stream::Decoder::new(bytes).ok()?;
    decoder.take(MAX_LEN as u64).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
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
