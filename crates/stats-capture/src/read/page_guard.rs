//! A file that refuses to be read where a page of a Parquet column claims an absurd size.
//!
//! The reader of columns reserves as much memory as the header of a page says. It reads that header
//! through [`ChunkReader::get_read`], so the guard looks at it first.

use std::fs::File;
use std::io::{BufReader, Read};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// The most bytes of an uncompressed page: 64 times the usual size.
const MOST_BYTES: u64 = 64 << 20;

/// The longest beginning of a page's header: three fields of one byte and a number each.
const HEADER: usize = 3 * (1 + 10);

/// A file from which columns are read.
#[derive(Debug)]
pub(super) struct PageGuard(pub(super) File);

impl Length for PageGuard {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for PageGuard {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut header = Vec::with_capacity(HEADER);
        let mut reader = self.0.get_read(start)?;
        Read::by_ref(&mut reader)
            .take(HEADER as u64)
            .read_to_end(&mut header)?;
        if uncompressed_size(&header).is_none_or(|size| size > MOST_BYTES) {
            return Err(ParquetError::General(
                "a page has an impossible size".into(),
            ));
        }
        self.0.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if start.saturating_add(length as u64) > self.len() {
            return Err(ParquetError::EOF("a page ends after the file".into()));
        }
        self.0.get_bytes(start, length)
    }
}

/// Returns the uncompressed size that the header of a page begins with.
///
/// The header is a Thrift structure in compact form. Its first fields are the type and the
/// uncompressed size, each a byte that says "the next field, a 32-bit number", and the number.
fn uncompressed_size(header: &[u8]) -> Option<u64> {
    const NEXT_NUMBER: u8 = 0x15;
    let rest = header.strip_prefix(&[NEXT_NUMBER])?;
    let (_, rest) = number(rest)?;
    let (size, _) = number(rest.strip_prefix(&[NEXT_NUMBER])?)?;
    // Zigzag: even numbers are twice the value, odd ones are negative.
    size.is_multiple_of(2).then_some(size / 2)
}

/// Splits off a number in groups of seven bits, the lowest first.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, byte) in bytes.iter().enumerate().take(9) {
        number |= u64::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::uncompressed_size;

    #[test]
    fn the_size_of_a_page_is_read_from_its_header() {
        assert_eq!(uncompressed_size(&[0x15, 0, 0x15, 20, 0x15, 10]), Some(10));
        assert_eq!(
            uncompressed_size(&[0x15, 0, 0x15, 0xAC, 0x02, 0x15]),
            Some(150)
        );
        assert_eq!(uncompressed_size(&[0x15, 0, 0x15, 21]), None);
        assert_eq!(uncompressed_size(&[0x15, 0, 0x15]), None);
        assert_eq!(uncompressed_size(&[0x15, 0, 0x15, 0xFF, 0xFF]), None);
        assert_eq!(uncompressed_size(&[0x25, 0, 0x15, 2]), None);
        assert_eq!(uncompressed_size(&[]), None);
    }
}
