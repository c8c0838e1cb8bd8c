//! The list of mappings of Linux.

use std::io::{self, BufRead};

use crate::live::untracked::mapping::Mapping;

/// Reads the first line about a mapping: `start-end permissions offset device inode name`.
fn read_first(line: &str) -> Option<Mapping> {
    let (addresses, rest) = line.split_once(' ')?;
    let (start, end) = addresses.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    let (permissions, rest) = rest.split_once(' ')?;
    // Names may contain spaces, and have some before them.
    let name = rest.splitn(4, ' ').nth(3).unwrap_or_default().trim();
    Some(Mapping {
        addresses: address(start)?..address(end)?,
        is_executable: permissions.contains('x'),
        is_shared: permissions.contains('s'),
        name: name.to_owned(),
        resident_bytes: 0,
    })
}

/// Reads a list in the format of `/proc/self/smaps`, described in proc(5).
pub(super) fn read_all(mut list: impl BufRead) -> io::Result<Vec<Mapping>> {
    let mut mappings: Vec<Mapping> = Vec::new();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if list.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(mappings);
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end();
        if let Some(resident) = line.strip_prefix("Rss:") {
            let kib = resident.trim().trim_end_matches("kB").trim_end().parse();
            if let (Some(mapping), Ok(kib)) = (mappings.last_mut(), kib) {
                mapping.resident_bytes = 1024_u64.saturating_mul(kib);
            }
        } else if line
            .starts_with(|first: char| first.is_ascii_digit() || first.is_ascii_lowercase())
        {
            mappings.extend(read_first(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_whatever_the_names_contain() {
        let list = "\
558e5f88a000-558e5f88c000 r--p 00000000 fe:00 247282                     /usr/my games/a b (deleted)
Size:                  8 kB
Rss:                   8 kB
VmFlags: rd mr mw me 
7f0000000000-7f0000001000 rwxs 00000000 00:00 0 
Rss:                   4 kB
7f0000001000-7f0000003000 rw-p 00000000 00:00 0                          [heap]
SomethingNew:          1 kB
not a mapping
Rss:                   x kB
";
        let mappings = read_all(list.as_bytes()).unwrap();
        let names: Vec<_> = mappings
            .iter()
            .map(|mapping| (mapping.name.as_str(), mapping.resident_bytes))
            .collect();
        assert_eq!(
            names,
            [
                ("/usr/my games/a b (deleted)", 8192),
                ("", 4096),
                ("[heap]", 0)
            ]
        );
        assert_eq!(mappings[1].addresses, 0x7f00_0000_0000..0x7f00_0000_1000);
        assert!(mappings[1].is_executable && mappings[1].is_shared);
        assert!(!mappings[0].is_executable && !mappings[0].is_shared);
    }

    #[test]
    fn the_process_lists_its_own_program() {
        let list = std::fs::File::open("/proc/self/smaps").unwrap();
        let mappings = read_all(io::BufReader::new(list)).unwrap();
        let program = std::env::current_exe().unwrap();
        let of_program = |mapping: &&Mapping| mapping.name == program.to_string_lossy();
        let resident: u64 = mappings
            .iter()
            .filter(of_program)
            .map(|mapping| mapping.resident_bytes)
            .sum();
        assert!(resident > 0, "{mappings:?}");
    }
}
