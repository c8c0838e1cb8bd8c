//! The checksums of a message, in the padding between metadata and body, which other Arrow readers
//! skip.
//!
//! ```text
//!  0xFFFFFFFF  length: i32  metadata  seal  body
//!
//!  seal = 0: u32?  column: u32*  crc: u32     a multiple of 8 bytes; `length` includes it
//! ```
//!
//! There is one `column` for each column of a batch, in the order of the stream: the CRC-32 of its
//! validity and data. A schema has none. `crc` is the CRC-32 of the metadata and the rest of the
//! seal. So a reader of one column detects damage without reading the others.

use super::layout::Layout;
use super::message::{PREFIX, parse};

/// The length of a checksum.
const CRC: usize = 4;

/// Adds the seal to an encoded message; `series` is the number of series in its stream. Leaves an
/// end of stream as it is.
pub(super) fn seal(encoded: &mut Vec<u8>, series: usize) -> Result<(), String> {
    let prefix = PREFIX as usize;
    let metadata_len = encoded.get(4..prefix).and_then(|len| len.try_into().ok());
    let metadata_len = metadata_len.map_or(0, u32::from_le_bytes) as usize;
    if metadata_len == 0 {
        return Ok(());
    }
    let metadata = encoded.get(prefix..prefix + metadata_len);
    let metadata = metadata.ok_or("a message is shorter than its length")?;
    let body = &encoded[prefix + metadata_len..];
    let columns = match parse(metadata)?.header_as_record_batch() {
        Some(batch) => Layout::of(batch, series, body.len())?.checksums(body),
        None => Vec::new(),
    };
    let mut seal = Vec::new();
    if columns.len().is_multiple_of(2) {
        seal.extend([0; CRC]);
    }
    seal.extend(columns.iter().flat_map(|crc| crc.to_le_bytes()));
    let mut crc = crc32fast::Hasher::new();
    crc.update(metadata);
    crc.update(&seal);
    seal.extend(crc.finalize().to_le_bytes());
    let sealed_len = i32::try_from(metadata_len + seal.len()).map_err(|error| error.to_string())?;
    encoded[4..prefix].copy_from_slice(&sealed_len.to_le_bytes());
    let at = prefix + metadata_len;
    encoded.splice(at..at, seal);
    Ok(())
}

/// Returns whether the metadata of a message and their seal are undamaged.
pub(super) fn is_sealed(metadata: &[u8]) -> bool {
    metadata
        .split_last_chunk::<CRC>()
        .is_some_and(|(sealed, crc)| crc32fast::hash(sealed) == u32::from_le_bytes(*crc))
}

/// Returns the checksums of the `columns` columns of a batch.
pub(super) fn column_checksums(metadata: &[u8], columns: usize) -> Option<Vec<u32>> {
    let end = metadata.len().checked_sub(CRC)?;
    let begin = end.checked_sub(CRC.checked_mul(columns)?)?;
    let checksums = metadata.get(begin..end)?.chunks_exact(CRC);
    let checksums = checksums.filter_map(|crc| crc.try_into().ok());
    Some(checksums.map(u32::from_le_bytes).collect())
}

/// Returns the checksum of a column from its parts.
pub(super) fn checksum_of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    parts.into_iter().for_each(|part| crc.update(part));
    crc.finalize()
}
