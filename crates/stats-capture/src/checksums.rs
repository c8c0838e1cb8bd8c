//! Checksums of a Parquet file: of each column of each row group, and of the footer.
//!
//! They are the last document in the metadata of the file, `stats.checksums`, as CRC-32 in
//! hexadecimal digits:
//!
//! ```text
//!  {"footer":"0a1b2c3d","groups":["8 digits for each column", …]}
//! ```
//!
//! The checksum of the footer is that of its bytes up to the end of the file, with `00000000` for
//! itself.
//!
//! Files of other programs have no checksums and are read as they are.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use serde::{Deserialize, Serialize};

/// The prefix of `created_by` in the metadata of each file that this crate writes.
pub(crate) const CREATED_BY: &str = "stats-capture ";

/// The prefixes of `created_by` of other programs, which may copy the documents of a capture.
const OTHER_WRITERS: [&str; 6] = [
    "parquet-cpp",
    "parquet-rs",
    "parquet-mr",
    "DuckDB",
    "Polars",
    "fastparquet",
];

/// The key of the document.
pub(crate) const CHECKSUMS: &str = "stats.checksums";

/// The text before the checksum of the footer.
const FOOTER: &[u8] = br#"{"footer":""#;

/// The digits of a checksum.
const DIGITS: usize = 8;

/// The length of the footer, and `PAR1`, at the end of a file.
const TAIL: u64 = 8;

/// The checksums of a Parquet file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Checksums {
    footer: String,
    groups: Vec<String>,
}

impl Checksums {
    /// Returns the checksums of row groups that are in a file. That of the footer is 0 until
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

/// Writes the checksum of the footer of a complete file.
pub(crate) fn seal_footer(mut file: impl Read + Write + Seek) -> io::Result<()> {
    let (begin, footer) = read_footer(&mut file)?;
    let at = footer_digits(&footer).ok_or(io::ErrorKind::InvalidData)?;
    file.seek(SeekFrom::Start(begin + at.start as u64))?;
    file.write_all(digits_of(crc32fast::hash(&footer)).as_bytes())
}

/// The footer of a file.
#[derive(Debug)]
pub(crate) enum Footer {
    /// The metadata, which are undamaged.
    Intact(Vec<u8>),
    Damaged,
    /// The metadata of a file that another program wrote, without checksums.
    Unsealed(Vec<u8>),
}

/// Reads the metadata at the end of a file.
pub(crate) fn open_footer(mut file: &File) -> io::Result<Footer> {
    let mut footer = match read_footer(&mut file) {
        Ok((_, footer)) => footer,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(Footer::Damaged),
        Err(error) => return Err(error),
    };
    let has = |text: &str| footer.windows(text.len()).any(|at| at == text.as_bytes());
    let is_foreign = !has(CREATED_BY) && OTHER_WRITERS.into_iter().any(has);
    let Some(at) = footer_digits(&footer).filter(|_| !is_foreign) else {
        // This crate never writes a file without checksums, and each of its files has both texts.
        return Ok(if !is_foreign && (has(CREATED_BY) || has(CHECKSUMS)) {
            Footer::Damaged
        } else {
            footer.truncate(footer.len() - TAIL as usize);
            Footer::Unsealed(footer)
        });
    };
    let written = footer[at.clone()].to_vec();
    footer[at].fill(b'0');
    if written != digits_of(crc32fast::hash(&footer)).as_bytes() {
        return Ok(Footer::Damaged);
    }
    footer.truncate(footer.len() - TAIL as usize);
    Ok(Footer::Intact(footer))
}

/// Reads the end of a file: the metadata, their length, and `PAR1`. Returns it, and its position.
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

/// Returns the position of the checksum in a footer: the last place that looks like one, because
/// the document comes last.
fn footer_digits(footer: &[u8]) -> Option<Range<usize>> {
    let before = footer.windows(FOOTER.len()).rposition(|at| at == FOOTER)?;
    let begin = before + FOOTER.len();
    (begin + DIGITS <= footer.len()).then_some(begin..begin + DIGITS)
}

fn digits_of(crc: u32) -> String {
    format!("{crc:0DIGITS$x}")
}
