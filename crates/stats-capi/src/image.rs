//! Whether a dynamic library is as long as its own tables say.
//!
//! A system maps the parts of a library without looking at its length. A library that is cut off
//! loads, and ends the process at the first access to what is missing.

/// Returns whether all parts that the tables of a library list lie within it. A file in an unknown
/// format, which the system refuses, counts as complete.
pub(crate) fn is_complete(image: &[u8]) -> bool {
    let parts = match image {
        [0x7f, b'E', b'L', b'F', ..] => elf(image),
        [b'M', b'Z', ..] => pe(image),
        _ => match u32_le(image, 0) {
            Some(0xfeed_face | 0xfeed_facf) => mach_o(image),
            // Big-endian, on every processor.
            Some(0xbeba_feca | 0xbfba_feca) => universal(image),
            // Shorter than any magic number.
            None => None,
            Some(_) => Some(()),
        },
    };
    parts.is_some()
}

/// Reads a little-endian number. All systems that this crate runs on are little-endian.
fn number<const N: usize>(image: &[u8], at: u64) -> Option<u64> {
    let at = usize::try_from(at).ok()?;
    let bytes = image.get(at..at.checked_add(N)?)?;
    let add = |number, byte: &u8| number << 8 | u64::from(*byte);
    Some(bytes.iter().rev().fold(0, add))
}

fn u32_le(image: &[u8], at: u64) -> Option<u64> {
    number::<4>(image, at)
}

/// Returns `Some` if a part lies within the image.
fn part(image: &[u8], offset: u64, len: u64) -> Option<()> {
    (offset.checked_add(len)? <= image.len() as u64).then_some(())
}

/// Checks the segments and sections of an ELF file.
fn elf(image: &[u8]) -> Option<()> {
    let is_64 = *image.get(4)? == 2;
    let word = |at, at_64| match is_64 {
        true => number::<8>(image, at_64),
        false => u32_le(image, at),
    };
    let half = |at, at_64| number::<2>(image, if is_64 { at_64 } else { at });
    // The whole header.
    part(image, 0, if is_64 { 64 } else { 52 })?;
    let (segments, sections) = (word(28, 32)?, word(32, 40)?);
    let (segment_len, segment_count) = (half(42, 54)?, half(44, 56)?);
    let (section_len, section_count) = (half(46, 58)?, half(48, 60)?);
    for index in 0..segment_count {
        let at = segments.checked_add(index * segment_len)?;
        part(image, at, segment_len)?;
        part(image, word(at + 4, at + 8)?, word(at + 16, at + 32)?)?;
    }
    for index in 0..section_count {
        const NO_BITS: u64 = 8;
        let at = sections.checked_add(index * section_len)?;
        part(image, at, section_len)?;
        if u32_le(image, at + 4)? != NO_BITS {
            part(image, word(at + 16, at + 24)?, word(at + 20, at + 32)?)?;
        }
    }
    Some(())
}

/// Checks the sections of a PE file.
fn pe(image: &[u8]) -> Option<()> {
    let header = u32_le(image, 0x3c)?;
    // `PE\0\0`, and the header of 20 bytes after it.
    part(image, header, 24)?;
    let (count, optional_len) = (
        number::<2>(image, header + 6)?,
        number::<2>(image, header + 20)?,
    );
    let sections = header + 24 + optional_len;
    for index in 0..count {
        let at = sections + index * 40;
        part(image, at, 40)?;
        part(image, u32_le(image, at + 20)?, u32_le(image, at + 16)?)?;
    }
    Some(())
}

/// Checks the segments of a Mach-O file.
fn mach_o(image: &[u8]) -> Option<()> {
    const SEGMENT: u64 = 0x1;
    const SEGMENT_64: u64 = 0x19;
    let mut at = if u32_le(image, 0)? == 0xfeed_facf {
        32
    } else {
        28
    };
    part(image, 0, at)?;
    for _ in 0..u32_le(image, 16)? {
        let (command, len) = (u32_le(image, at)?, u32_le(image, at + 4)?);
        part(image, at, len.max(8))?;
        match command {
            SEGMENT => part(image, u32_le(image, at + 32)?, u32_le(image, at + 36)?)?,
            SEGMENT_64 => part(
                image,
                number::<8>(image, at + 40)?,
                number::<8>(image, at + 48)?,
            )?,
            _ => {}
        }
        at += len.max(8);
    }
    Some(())
}

/// Checks the libraries inside a universal file, one for each processor.
fn universal(image: &[u8]) -> Option<()> {
    let big = |at: u64| u32_le(image, at).map(|number| u64::from((number as u32).swap_bytes()));
    let long = |at| Some(big(at)? << 32 | big(at + 4)?);
    let is_64 = image.get(3) == Some(&0xbf);
    for index in 0..big(4)? {
        let at = 8 + index * if is_64 { 32 } else { 20 };
        let (offset, len) = match is_64 {
            true => (long(at + 8)?, long(at + 16)?),
            false => (big(at + 8)?, big(at + 12)?),
        };
        part(image, offset, len)?;
        mach_o(image.get(offset as usize..(offset + len) as usize)?)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::is_complete;

    /// Writes a number at a place of an image.
    fn put(image: &mut [u8], at: usize, bytes: &[u8]) {
        image[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// An image whose last byte belongs to the part that a table lists.
    fn images() -> Vec<(&'static str, Vec<u8>)> {
        let mut elf = vec![0; 300];
        put(&mut elf, 0, b"\x7fELF\x02\x01");
        put(&mut elf, 32, &64_u64.to_le_bytes());
        put(&mut elf, 40, &120_u64.to_le_bytes());
        put(&mut elf, 54, &[56, 0, 1, 0, 64, 0, 1, 0]);
        // A segment of 50 bytes at 250; a section without bytes, which is longer than the file.
        put(&mut elf, 64 + 8, &250_u64.to_le_bytes());
        put(&mut elf, 64 + 32, &50_u64.to_le_bytes());
        put(&mut elf, 120 + 4, &8_u32.to_le_bytes());
        put(&mut elf, 120 + 32, &9999_u64.to_le_bytes());
        let mut with_sections_last = elf.clone();
        put(&mut with_sections_last, 40, &236_u64.to_le_bytes());
        put(&mut with_sections_last, 64 + 8, &200_u64.to_le_bytes());
        let mut elf_32 = vec![0; 300];
        put(&mut elf_32, 0, b"\x7fELF\x01\x01");
        put(&mut elf_32, 28, &52_u32.to_le_bytes());
        put(&mut elf_32, 42, &[32, 0, 1, 0]);
        put(&mut elf_32, 52 + 4, &250_u32.to_le_bytes());
        put(&mut elf_32, 52 + 16, &50_u32.to_le_bytes());
        let mut pe = vec![0; 300];
        put(&mut pe, 0, b"MZ");
        put(&mut pe, 0x3c, &64_u32.to_le_bytes());
        put(&mut pe, 64, b"PE\0\0");
        put(&mut pe, 64 + 6, &[1, 0]);
        put(&mut pe, 64 + 20, &[16, 0]);
        put(&mut pe, 104 + 16, &[50, 0, 0, 0, 250, 0, 0, 0]);
        let mut mach = vec![0; 300];
        put(&mut mach, 0, &0xfeed_facf_u32.to_le_bytes());
        put(&mut mach, 16, &[2, 0, 0, 0]);
        put(&mut mach, 32, &[0x1b, 0, 0, 0, 24, 0, 0, 0]);
        put(&mut mach, 56, &[0x19, 0, 0, 0, 72, 0, 0, 0]);
        put(&mut mach, 56 + 40, &250_u64.to_le_bytes());
        put(&mut mach, 56 + 48, &50_u64.to_le_bytes());
        let mut universal = vec![0; 64];
        put(&mut universal, 0, &[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1]);
        put(&mut universal, 16, &64_u32.to_be_bytes());
        put(&mut universal, 20, &300_u32.to_be_bytes());
        universal.extend(&mach);
        vec![
            ("elf", elf),
            ("sections last", with_sections_last),
            ("elf 32", elf_32),
            ("pe", pe),
            ("mach-o", mach),
            ("universal", universal),
        ]
    }

    #[test]
    fn an_image_is_complete_and_no_part_of_it_is() {
        for (name, image) in images() {
            assert!(is_complete(&image), "{name}");
            for len in 0..image.len() {
                assert!(!is_complete(&image[..len]), "{name} {len}");
            }
        }
    }

    #[test]
    fn damaged_tables_are_no_panic() {
        let mut random = 1_u64;
        for (_, image) in images() {
            for at in 0..image.len() {
                for value in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut image = image.clone();
                    image[at] = value;
                    random = random
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let other = (random >> 33) as usize % image.len();
                    image[other] = (random >> 20) as u8;
                    is_complete(&image);
                }
            }
        }
    }

    #[test]
    fn the_system_judges_other_files() {
        assert!(is_complete(b"#!/bin/sh"));
        assert!(is_complete(b"no library"));
    }
}
