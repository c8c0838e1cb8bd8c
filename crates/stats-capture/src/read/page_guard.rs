//! Refuses Parquet pages that claim an impossible size.
//!
//! The column reader of the crate `parquet` allocates as much memory as the header of a page
//! claims. It reads the header through [`ChunkReader::get_read`], so the guard can check it first.

use bytes::{Buf, Bytes, buf};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// The maximum size of an uncompressed page: 64 times the usual size.
const MAX_BYTES: u64 = 64 << 20;

/// The maximum length of the checked part of a page's header: three fields, each a byte and a
/// number.
const HEADER: usize = 3 * (1 + 10);

/// A column of a row group, from which pages are read.
#[derive(Debug)]
pub(super) struct PageGuard {
    /// Its position in the file.
    pub(super) begin: u64,
    pub(super) bytes: Bytes,
}

impl Length for PageGuard {
    /// Returns the end of the column in the file.
    fn len(&self) -> u64 {
        self.begin + self.bytes.len() as u64
    }
}

impl ChunkReader for PageGuard {
    type T = buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let length = self.len().saturating_sub(start);
        let page = self.get_bytes(start, length as usize)?;
        let header = &page[..page.len().min(HEADER)];
        if uncompressed_size(header).is_none_or(|size| size > MAX_BYTES) {
            return Err(ParquetError::General(
                "a page has an impossible size".into(),
            ));
        }
        Ok(page.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let outside = || ParquetError::EOF("a page lies outside its column".into());
        let begin = start.checked_sub(self.begin).ok_or_else(outside)? as usize;
        let end = begin.checked_add(length).ok_or_else(outside)?;
        if end > self.bytes.len() {
            return Err(outside());
        }
        Ok(self.bytes.slice(begin..end))
    }
}

/// Returns the uncompressed size that the header of a page begins with.
///
/// The header is a structure in Thrift's compact form. It begins with the type and the uncompressed
/// size. Each is a byte that means "the next field, a 32-bit number", followed by the number.
fn uncompressed_size(header: &[u8]) -> Option<u64> {
    const NEXT_NUMBER: u8 = 0x15;
    let rest = header.strip_prefix(&[NEXT_NUMBER])?;
    let (_, rest) = number(rest)?;
    let (size, _) = number(rest.strip_prefix(&[NEXT_NUMBER])?)?;
    // In zigzag encoding, even numbers are twice the value, and odd ones are negative.
    size.is_multiple_of(2).then_some(size / 2)
}

/// Splits off a number that is stored in groups of seven bits, the lowest first.
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
