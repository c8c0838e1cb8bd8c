//! Checksums of a Parquet file: of each column of each row group, and of the footer.
//!
//! They are the last document in the metadata of the file, `stats.checksums`, as CRC-32 in
//! hexadecimal digits:
//!
//! ```text
//! {"footer":"0a1b2c3d","groups":["8 digits for each column", …]}
//! ```
//!
//! The footer's checksum covers everything from the footer to the end of the file, with `00000000`
//! in place of its own digits. Files of other programs have no checksums and are not checked.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::iter;
use std::ops::Range;

use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, ParquetMetaData, RowGroupMetaData,
};
use serde::{Deserialize, Serialize};

/// The prefix of `created_by` in the metadata of each file that this crate writes.
pub(crate) const CREATED_BY: &str = "stats-capture ";

/// The maximum number of wrong bytes in a damaged [`CREATED_BY`]. If more differ, another program
/// wrote the file, and may have copied the documents of a capture.
const MAX_DAMAGE: usize = 4;

/// The key of the document.
pub(crate) const CHECKSUMS: &str = "stats.checksums";

/// The text before the checksum of the footer.
const FOOTER: &[u8] = br#"{"footer":""#;

/// The number of digits of a checksum.
const DIGITS: usize = 8;

/// The number of bytes at the end of a file: the length of the metadata, and `PAR1`.
const TAIL: u64 = 8;

/// The checksums of a Parquet file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Checksums {
    footer: String,
    groups: Vec<String>,
}

impl Checksums {
    /// Computes the checksums of row groups that were written to a file. The footer's is 0 until
    /// [`seal_footer`] writes it.
    pub(crate) fn of(mut file: impl Read + Seek, groups: &[RowGroupMetaData]) -> io::Result<Self> {
        let mut chunk = Vec::new();
        let mut of_group = |group: &RowGroupMetaData| {
            let mut digits = String::with_capacity(DIGITS * group.num_columns());
            for column in group.columns() {
                let range = place(column).ok_or(io::ErrorKind::InvalidData)?;
                file.seek(SeekFrom::Start(range.start))?;
                chunk.resize((range.end - range.start) as usize, 0);
                file.read_exact(&mut chunk)?;
                digits.push_str(&digits_of(crc32fast::hash(&chunk)));
            }
            Ok(digits)
        };
        Ok(Self {
            footer: digits_of(0),
            groups: groups
                .iter()
                .map(&mut of_group)
                .collect::<io::Result<_>>()?,
        })
    }

    /// Returns whether a column of a row group is undamaged.
    pub(crate) fn is_intact(&self, group: usize, column: usize, chunk: &[u8]) -> bool {
        let digits = self.groups.get(group);
        let digits = digits.and_then(|all| all.get(DIGITS * column..DIGITS * (column + 1)));
        digits == Some(&digits_of(crc32fast::hash(chunk)))
    }
}

/// Returns the position of a column of a row group in its file.
pub(crate) fn place(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let begin = column
        .dictionary_page_offset()
        .unwrap_or_else(|| column.data_page_offset());
    let begin = u64::try_from(begin).ok()?;
    let len = u64::try_from(column.compressed_size()).ok()?;
    Some(begin..begin.checked_add(len)?)
}

/// Writes the footer's checksum into a complete file.
pub(crate) fn seal_footer(mut file: impl Read + Write + Seek) -> io::Result<()> {
    let (begin, footer) = read_footer(&mut file)?;
    let at = footer_digits(&footer).ok_or(io::ErrorKind::InvalidData)?;
    file.seek(SeekFrom::Start(begin + at.start as u64))?;
    file.write_all(digits_of(crc32fast::hash(&footer)).as_bytes())
}

/// The end of a Parquet file: the metadata, their length, and `PAR1`.
#[derive(Debug)]
pub(crate) struct Footer(Vec<u8>);

impl Footer {
    /// Reads the footer of a file; `None` if it is not a complete Parquet file.
    pub(crate) fn read(mut file: &File) -> io::Result<Option<Self>> {
        match read_footer(&mut file) {
            Ok((_, footer)) => Ok(Some(Self(footer))),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the metadata in Parquet's encoding.
    pub(crate) fn metadata(&self) -> &[u8] {
        &self.0[..self.0.len() - TAIL as usize]
    }

    /// Returns whether the footer has the correct checksum.
    pub(crate) fn is_intact(&self) -> bool {
        let Some(at) = footer_digits(&self.0) else {
            return false;
        };
        let mut sealed = self.0.clone();
        sealed[at.clone()].fill(b'0');
        self.0[at] == *digits_of(crc32fast::hash(&sealed)).as_bytes()
    }
}

/// Returns whether this crate wrote a file, even if the file's metadata are damaged. Such files
/// name this crate and have checksums.
pub(crate) fn is_own(metadata: &FileMetaData) -> bool {
    let mut pairs = metadata.key_value_metadata().into_iter().flatten();
    let has_checksums = pairs.any(|pair| pair.key == CHECKSUMS);
    let Some(writer) = metadata.created_by() else {
        return has_checksums;
    };
    let different = CREATED_BY
        .bytes()
        .zip(writer.bytes().map(Some).chain(iter::repeat(None)));
    let different = different
        .filter(|(own, other)| Some(*own) != *other)
        .count();
    different == 0 || (different <= MAX_DAMAGE && has_checksums)
}

/// Returns whether any column of the first row group has the checksum that the metadata state. This
/// crate wrote such a file, even if damage has changed the name of the writer: another program that
/// rewrites a capture encodes the columns differently.
pub(crate) fn has_intact_column(mut file: &File, metadata: &ParquetMetaData) -> bool {
    let pairs = metadata.file_metadata().key_value_metadata();
    let mut found = pairs
        .into_iter()
        .flatten()
        .filter(|pair| pair.key == CHECKSUMS);
    let text = found.next().and_then(|pair| pair.value.as_deref());
    let checksums = text.and_then(|text| serde_json::from_str::<Checksums>(text).ok());
    let group = metadata.row_groups().first();
    let (Some(checksums), Some(group)) = (checksums, group) else {
        return false;
    };
    let len = file.metadata().map_or(0, |metadata| metadata.len());
    let mut is_intact = |(at, column)| {
        let range = place(column).filter(|range| range.end <= len)?;
        let mut chunk = vec![0; usize::try_from(range.end - range.start).ok()?];
        file.seek(SeekFrom::Start(range.start)).ok()?;
        file.read_exact(&mut chunk).ok()?;
        Some(checksums.is_intact(0, at, &chunk))
    };
    let mut columns = group.columns().iter().enumerate();
    columns.any(|column| is_intact(column) == Some(true))
}

/// Reads a [`Footer`], and returns its position and its bytes.
fn read_footer(mut file: impl Read + Seek) -> io::Result<(u64, Vec<u8>)> {
    let len = file.seek(SeekFrom::End(0))?;
    let tail_at = len.checked_sub(TAIL).ok_or(io::ErrorKind::InvalidData)?;
    file.seek(SeekFrom::Start(tail_at))?;
    let mut tail = [0; TAIL as usize];
    file.read_exact(&mut tail)?;
    let [length @ .., _, _, _, _] = tail;
    let begin = tail_at.checked_sub(u32::from_le_bytes(length).into());
    let begin = begin.filter(|_| tail.ends_with(b"PAR1"));
    let begin = begin.ok_or(io::ErrorKind::InvalidData)?;
    file.seek(SeekFrom::Start(begin))?;
    let mut footer = vec![0; (len - begin) as usize];
    file.read_exact(&mut footer)?;
    Ok((begin, footer))
}

/// Returns the position of the checksum in a footer: the last match, because the document comes
/// last.
fn footer_digits(footer: &[u8]) -> Option<Range<usize>> {
    let before = footer.windows(FOOTER.len()).rposition(|at| at == FOOTER)?;
    let begin = before + FOOTER.len();
    (begin + DIGITS <= footer.len()).then_some(begin..begin + DIGITS)
}

fn digits_of(crc: u32) -> String {
    format!("{crc:0DIGITS$x}")
}
