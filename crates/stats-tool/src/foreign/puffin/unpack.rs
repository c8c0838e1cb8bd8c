//! Decompresses the scopes of a frame, without trusting the size that it claims.

use std::io::Read;

/// The maximum number of bytes for each compressed one. Scopes have times, which do not repeat, so
/// their ratio is about 5.
const MAX_RATIO: usize = 32;

/// The size that is allowed in any case, in bytes.
const MIN_LIMIT: usize = 1 << 20;

/// How a frame is compressed, by the byte that tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Lz4,
    Zstd,
}

impl Compression {
    pub(super) fn of(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::None),
            1 => Some(Self::Lz4),
            2 => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Returns the bytes; `None` if they are damaged, or implausibly many.
    pub(super) fn unpack(self, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let limit = MIN_LIMIT.max(bytes.len().saturating_mul(MAX_RATIO));
        match self {
            Self::None => Some(bytes),
            Self::Lz4 => {
                let (size, block) = bytes.split_at_checked(4)?;
                let size = u32::from_le_bytes(size.try_into().ok()?) as usize;
                (size <= limit).then(|| lz4(block, size))?
            }
            Self::Zstd => {
                let mut unpacked = Vec::new();
                let decoder = zstd::Decoder::with_buffer(&bytes[..]).ok()?;
                let mut limited = decoder.take(limit as u64 + 1);
                limited.read_to_end(&mut unpacked).ok()?;
                (unpacked.len() <= limit).then_some(unpacked)
            }
        }
    }
}

/// Decompresses a block of LZ4, whose size is known:
/// sequences of a token, literals, and a copy of bytes that came before.
///
/// Source: the LZ4 block format description, lz4_Block_format.md.
fn lz4(mut block: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut unpacked: Vec<u8> = Vec::with_capacity(size);
    let byte = |block: &mut &[u8]| {
        let (first, rest) = block.split_first()?;
        *block = rest;
        Some(*first)
    };
    // A length of 15 continues in the bytes that follow, up to the first that is not 255.
    let length = |block: &mut &[u8], short: u8| {
        let mut length = usize::from(short);
        if short == 15 {
            loop {
                let more = byte(block)?;
                length += usize::from(more);
                if more < 255 {
                    break;
                }
            }
        }
        Some(length)
    };
    while let Some(token) = byte(&mut block) {
        let count = length(&mut block, token >> 4)?;
        let (literals, rest) = block.split_at_checked(count)?;
        block = rest;
        if unpacked.len() + count > size {
            return None;
        }
        unpacked.extend_from_slice(literals);
        // The last sequence has no copy.
        if block.is_empty() {
            break;
        }
        let low = byte(&mut block)?;
        let offset = usize::from(u16::from_le_bytes([low, byte(&mut block)?]));
        let count = length(&mut block, token & 15)? + 4;
        let from = unpacked.len().checked_sub(offset).filter(|_| offset > 0)?;
        if unpacked.len() + count > size {
            return None;
        }
        // The copy may overlap the bytes that it makes.
        for at in from..from + count {
            unpacked.push(unpacked[at]);
        }
    }
    (unpacked.len() == size).then_some(unpacked)
}

#[cfg(test)]
mod tests {
    use super::{Compression, lz4};

    #[test]
    fn blocks_of_lz4_are_literals_and_overlapping_copies() {
        // By hand: literals "abc", a copy of 9 bytes from 3 back, and literals "xy".
        let block = [0x35, b'a', b'b', b'c', 3, 0, 0x20, b'x', b'y'];
        assert_eq!(lz4(&block, 14).as_deref(), Some(&b"abcabcabcabcxy"[..]));
        // 18 literals, and a copy of 4 + 15 + 255 + 6 bytes of the last one.
        let mut block = vec![0xFF, 3];
        block.extend([b'z'; 18]);
        block.extend([1, 0, 255, 6, 0x00]);
        let expected = vec![b'z'; 18 + 280];
        assert_eq!(lz4(&block, 298), Some(expected));
        // Too long, too short, before the beginning, and cut off.
        assert_eq!(lz4(&block, 297), None);
        assert_eq!(lz4(&block, 299), None);
        assert_eq!(lz4(&[0x10, b'a', 2, 0], 5), None);
        assert_eq!(lz4(&[0x10, b'a', 0, 0], 5), None);
        assert_eq!(lz4(&[0xF0, 255], 5), None);
        assert_eq!(lz4(&[0x30, b'a'], 3), None);
    }

    #[test]
    fn implausible_sizes_are_refused() {
        let claim = |size: u32| [&size.to_le_bytes()[..], &[0x10, b'a']].concat();
        assert_eq!(Compression::Lz4.unpack(claim(1)), Some(b"a".to_vec()));
        assert_eq!(Compression::Lz4.unpack(claim(u32::MAX)), None);
        let zeros = zstd::encode_all(&vec![0; 8 << 20][..], 3).expect("bytes");
        assert_eq!(Compression::Zstd.unpack(zeros), None);
        let some = zstd::encode_all(&b"abc"[..], 3).expect("bytes");
        assert_eq!(Compression::Zstd.unpack(some), Some(b"abc".to_vec()));
        assert_eq!(Compression::Zstd.unpack(b"abc".to_vec()), None);
        assert_eq!(Compression::of(3), None);
    }
}
