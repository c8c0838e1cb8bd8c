//! Builds a snapshot from a dump as it is written.

use std::io::{self, BufReader};

use super::fold::Fold;
use super::memory_snapshot::MemorySnapshot;
use crate::dump::DumpReader;

/// Builds a [`MemorySnapshot`] from a dump that is written to it.
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
/// The dump may arrive in pieces of any size. The writer stores each distinct text once, 16 bytes
/// for each site (a thread, group, stack and name that allocated), 24 bytes for each size allocated
/// there, tables to find them, and at most 2 MiB of text that it has not read yet. Until it is
/// finished, it also stores 24 bytes for each allocation with an address. Writing never fails.
///
/// A damaged line is skipped and reported by number in [`MemorySnapshot::damage`]; reading
/// continues with the next line. A line is also damaged if its quoted field does not end within 64
/// lines and 1 MiB, or if the next quote, in a later line, cannot be the closing one. Empty lines,
/// a byte order mark, line ends of either kind, and a first line with the names of the fields are
/// not damage.
#[derive(Debug, Default)]
pub struct SnapshotWriter {
    reader: DumpReader,
    fold: Fold,
}

impl SnapshotWriter {
    /// Creates an empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the snapshot of the dump, including a last line without a line end.
    #[must_use]
    pub fn finish(self) -> MemorySnapshot {
        let Self { reader, mut fold } = self;
        let (damage, budgets) = reader.finish(|line| fold.add(line));
        let (contents, pages) = fold.finish();
        MemorySnapshot::new(contents, pages, damage, budgets)
    }

    #[cfg(test)]
    pub(super) fn reader(&self) -> &DumpReader {
        &self.reader
    }
}

impl io::Write for SnapshotWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Self { reader, fold } = self;
        reader.write(bytes, |line| fold.add(line));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MemorySnapshot {
    /// Reads a dump to its end.
    ///
    /// Damaged lines are skipped and reported by [`damage`](Self::damage).
    ///
    /// # Errors
    ///
    /// The errors of `input`.
    pub fn read(input: impl io::Read) -> io::Result<Self> {
        const PIECE: usize = 1 << 18;
        let mut writer = SnapshotWriter::new();
        io::copy(&mut BufReader::with_capacity(PIECE, input), &mut writer)?;
        Ok(writer.finish())
    }
}
