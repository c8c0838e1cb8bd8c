//! The pages that are in memory between the allocations of a dump.
//!
//! A dump allocates nothing, so all lists are on the stack, and files are read in pieces.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::ops::Range;

/// The maximum number of mappings.
const MAPPINGS: usize = 1024;

/// The number of bytes of a file that are read at a time.
const PIECE: usize = 4096;

/// The maximum number of bytes of a line of the list that matter: what follows is the path of a file.
const LINE: usize = 128;

/// The maximum size of all mappings whose pages are looked up: 64 GiB, which takes a tenth of a
/// second or more.
const MOST_BYTES: u64 = 1 << 36;

/// A mapping that can hold allocations, and whether it holds one of the dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mapping {
    start: u64,
    end: u64,
    is_used: bool,
}

/// The mappings of the process that can hold allocations, in the order of their addresses.
pub(crate) struct Mappings {
    list: [Mapping; MAPPINGS],
    len: usize,
    /// Whether the system has more of them, behind those of the list.
    has_more: bool,
    /// Whether one that is not in the list holds an allocation of the dump.
    is_cut: bool,
}

impl Mappings {
    /// Reads the list of the system. Returns `None` if it cannot be read; only Linux and Android have
    /// one.
    pub(crate) fn read() -> Option<Self> {
        // Elsewhere, anybody may have made a file of this name.
        if !cfg!(any(target_os = "linux", target_os = "android")) {
            return None;
        }
        Self::of(File::open("/proc/self/maps").ok()?).ok()
    }

    /// Reads a list in the format of `/proc/self/maps`, described in proc(5). Leaves out mappings
    /// beyond the first [`MAPPINGS`].
    fn of(mut list: impl Read) -> io::Result<Self> {
        let mut mappings = Self {
            list: [Mapping::default(); MAPPINGS],
            len: 0,
            has_more: false,
            is_cut: false,
        };
        let (mut piece, mut line, mut len) = ([0; PIECE], [0; LINE], 0);
        loop {
            let read = match list.read(&mut piece) {
                Ok(0) => return Ok(mappings),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            for &byte in &piece[..read] {
                if byte != b'\n' {
                    if len < LINE {
                        line[len] = byte;
                        len += 1;
                    }
                    continue;
                }
                if let Some(mapping) = read_line(&line[..len]) {
                    if let Some(place) = mappings.list.get_mut(mappings.len) {
                        *place = mapping;
                        mappings.len += 1;
                    } else {
                        mappings.has_more = true;
                    }
                }
                len = 0;
            }
        }
    }

    /// Notes that a mapping holds the allocation at an address.
    pub(crate) fn note(&mut self, address: u64) {
        let list = &mut self.list[..self.len];
        let at = list.partition_point(|mapping| mapping.end <= address);
        match list.get_mut(at) {
            Some(mapping) => mapping.is_used |= mapping.start <= address,
            None => self.is_cut |= self.has_more,
        }
    }

    /// Calls `visit` with the addresses of each run of pages that are in memory or in swap space, in
    /// the mappings that hold an allocation. Visits none if the system does not tell, if a
    /// mapping is missing from the list, or if these mappings exceed [`MOST_BYTES`].
    pub(crate) fn for_each_run<E>(
        &self,
        visit: impl FnMut(Range<u64>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (Ok(mut pages), Some(page)) = (File::open("/proc/self/pagemap"), page_bytes()) else {
            return Ok(());
        };
        let read = |entries: &mut [u8], at| {
            pages.seek(SeekFrom::Start(at))?;
            pages.read(entries)
        };
        self.runs(page, read, visit)
    }

    /// Like [`for_each_run`](Self::for_each_run), for pages of a size. `read` reads 8 bytes for each
    /// page, from a place of the file.
    fn runs<E>(
        &self,
        page: u64,
        mut read: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
        mut visit: impl FnMut(Range<u64>) -> Result<(), E>,
    ) -> Result<(), E> {
        let used = self.list[..self.len]
            .iter()
            .filter(|mapping| mapping.is_used);
        let bytes = |mapping: &Mapping| mapping.end.saturating_sub(mapping.start);
        if self.is_cut || used.clone().map(bytes).sum::<u64>() > MOST_BYTES {
            return Ok(());
        }
        let mut entries = [0; PIECE];
        for mapping in used {
            let (mut at, mut run) = (mapping.start, None);
            while at < mapping.end {
                let count = ((mapping.end - at) / page).min(PIECE as u64 / 8) as usize;
                let known = read(&mut entries[..8 * count], at / page * 8).unwrap_or_default() / 8;
                if known == 0 {
                    // The mapping is gone.
                    break;
                }
                for entry in entries[..8 * known].chunks_exact(8) {
                    // The upper two bits: in memory, in swap space.
                    let is_held =
                        entry[if cfg!(target_endian = "little") { 7 } else { 0 }] >> 6 != 0;
                    match (is_held, run) {
                        (true, None) => run = Some(at),
                        (false, Some(start)) => {
                            visit(start..at)?;
                            run = None;
                        }
                        _ => {}
                    }
                    at += page;
                }
            }
            if let Some(start) = run {
                visit(start..at)?;
            }
        }
        Ok(())
    }
}

/// Reads a line about a mapping: `start-end permissions offset device inode name`. Returns `None`
/// unless it is private, writable and not backed by a file.
fn read_line(line: &[u8]) -> Option<Mapping> {
    let line = str::from_utf8(line.get(..line.len().min(LINE))?).unwrap_or_else(|error| {
        // A path that is not UTF-8, or one that was cut off.
        str::from_utf8(&line[..error.valid_up_to()]).unwrap_or_default()
    });
    let mut fields = line.split_ascii_whitespace();
    let (start, end) = fields.next()?.split_once('-')?;
    let permissions = fields.next()?.as_bytes();
    let name = fields.nth(3).unwrap_or_default();
    let is_heap = name.is_empty() || name == "[heap]" || name.starts_with("[anon:");
    let address = |text| u64::from_str_radix(text, 16).ok();
    (is_heap && permissions.get(1) == Some(&b'w') && permissions.get(3) == Some(&b'p')).then_some(
        Mapping {
            start: address(start)?,
            end: address(end)?,
            is_used: false,
        },
    )
}

/// Returns the size of a page, from the values that the kernel passes to each program.
fn page_bytes() -> Option<u64> {
    /// The key of the size: `AT_PAGESZ`.
    const PAGE_SIZE: usize = 6;
    const WORD: usize = size_of::<usize>();
    let mut values = [0; 1024];
    let read = File::open("/proc/self/auxv").ok()?.read(&mut values).ok()?;
    let word = |bytes: &[u8]| Some(usize::from_ne_bytes(bytes.try_into().ok()?));
    let mut pairs = values[..read].chunks_exact(2 * WORD);
    let found = pairs.find(|pair| word(&pair[..WORD]) == Some(PAGE_SIZE))?;
    word(&found[WORD..])
        .filter(|bytes| bytes.is_power_of_two())
        .map(|bytes| bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    const LIST: &str = "\
558e5f88a000-558e5f88c000 rw-p 00000000 fe:00 247282                     /usr/my games/a b
558e60000000-558e60008000 rw-p 00000000 00:00 0                          [heap]
7f0000000000-7f0000004000 rw-p 00000000 00:00 0 
7f0000004000-7f0000008000 ---p 00000000 00:00 0 
7f0000008000-7f000000a000 rw-s 00000000 00:01 7                          /dev/zero (deleted)
7f0000010000-7f0000012000 rw-p 00000000 00:00 0                          [anon:mimalloc]
7ffc00000000-7ffc00002000 rw-p 00000000 00:00 0                          [stack]
not a mapping
";

    /// A reader that returns a few bytes at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = self.1.min(buffer.len());
            self.0.read(&mut buffer[..len])
        }
    }

    #[test]
    fn only_mappings_that_can_hold_allocations_are_kept() {
        let expected = [
            (0x558e_6000_0000, 0x558e_6000_8000),
            (0x7f00_0000_0000, 0x7f00_0000_4000),
            (0x7f00_0001_0000, 0x7f00_0001_2000),
        ];
        for piece in [1, 7, 100, PIECE] {
            let mappings = Mappings::of(Pieces(LIST.as_bytes(), piece)).unwrap();
            let found: Vec<_> = mappings.list[..mappings.len]
                .iter()
                .map(|mapping| (mapping.start, mapping.end))
                .collect();
            assert_eq!(found, expected, "in pieces of {piece}");
        }
        // A long path, and more mappings than there is room for.
        let long = format!("1000-2000 rw-p 0 00:00 0 /{}\n", "é".repeat(3000));
        let many = "1000-2000 rw-p 00000000 00:00 0\n".repeat(MAPPINGS + 5);
        let mappings = Mappings::of((long + &many).as_bytes()).unwrap();
        assert_eq!(mappings.len, MAPPINGS);
    }

    /// Returns the number of runs if each page is in memory and there is an allocation at these
    /// addresses.
    fn count_of_runs(list: &str, page: u64, addresses: &[u64]) -> usize {
        let mut mappings = Mappings::of(list.as_bytes()).unwrap();
        addresses.iter().for_each(|&at| mappings.note(at));
        let all = |entries: &mut [u8], _| {
            entries.fill(0xFF);
            Ok(entries.len())
        };
        let mut count = 0;
        let Ok(()) = mappings.runs::<Infallible>(page, all, |_| {
            count += 1;
            Ok(())
        });
        count
    }

    #[test]
    fn runs_are_all_or_none() {
        let line = |at: usize| format!("{:x}-{:x} rw-p 0 00:00 0\n", at << 16, (at << 16) + 0x8000);
        let lines = |count| (1..=count).map(line).collect::<String>();
        let last = (MAPPINGS as u64) << 16;
        let beyond = last + (1 << 16);
        // Without an allocation, a mapping that is not in the list does not count.
        let all = lines(MAPPINGS);
        assert_eq!(count_of_runs(&all, 4096, &[1 << 16, last, beyond]), 2);
        let more = lines(MAPPINGS + 1);
        assert_eq!(count_of_runs(&more, 4096, &[1 << 16, last]), 2);
        assert_eq!(count_of_runs(&more, 4096, &[1 << 16, last, beyond]), 0);
        // Two mappings, each within the limit and together beyond it.
        let (half, page) = (MOST_BYTES / 2, 1 << 30);
        let large = |second| {
            let end = 2 * MOST_BYTES + second;
            let (first, start) = (MOST_BYTES + half, 2 * MOST_BYTES);
            format!("{MOST_BYTES:x}-{first:x} rw-p 0\n{start:x}-{end:x} rw-p 0\n")
        };
        let addresses = [MOST_BYTES, 2 * MOST_BYTES];
        assert_eq!(count_of_runs(&large(half), page, &addresses), 2);
        assert_eq!(count_of_runs(&large(half + page), page, &addresses), 0);
        assert_eq!(count_of_runs(&large(half + page), page, &addresses[..1]), 1);
    }

    #[test]
    fn runs_are_those_of_pages_in_memory_in_the_mappings_of_allocations() {
        let mut mappings = Mappings::of(LIST.as_bytes()).unwrap();
        // At both ends of mappings, and outside all.
        for address in [0x7f00_0000_0000, 0x7f00_0001_1fff, 0x7f00_0000_4000, 0x1000] {
            mappings.note(address);
        }
        // The pages with an even number, and the first two, are in memory or in swap space.
        let held = |page: u64| page.is_multiple_of(2) || page <= 0x7_f000_0001;
        let read = |entries: &mut [u8], at: u64| {
            // No more than two pages at a time.
            let len = entries.len().min(16);
            for (at, entry) in (at / 8..).zip(entries[..len].chunks_exact_mut(8)) {
                let bit = 62 + at % 2;
                entry.copy_from_slice(&(u64::from(held(at)) << bit | 1).to_ne_bytes());
            }
            Ok(len)
        };
        let mut runs = Vec::new();
        let Ok(()) = mappings.runs::<Infallible>(4096, read, |run| {
            runs.push((run.start, run.end));
            Ok(())
        });
        assert_eq!(
            runs,
            [
                (0x7f00_0000_0000, 0x7f00_0000_3000),
                (0x7f00_0001_0000, 0x7f00_0001_1000)
            ]
        );
        // Of a mapping that is gone, there is nothing.
        let gone = |_: &mut [u8], _| Ok(0);
        assert_eq!(mappings.runs(4096, gone, |_| Err(())), Ok(()));
        assert_eq!(mappings.runs(4096, read, |_| Err(())), Err(()));
    }

    #[test]
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn a_page_has_the_size_that_the_system_tells() {
        let page = page_bytes().expect("the system tells it");
        assert!(page >= 4096);
    }
}
