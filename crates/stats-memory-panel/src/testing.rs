//! Random entries for tests, the dumps that contain them, and the entries read back.

use std::fmt::Write as _;

use crate::snapshot::{MemorySnapshot, NO_SCOPES};
use stats_testing::Random;

/// The contents of a line of a dump.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DumpEntry {
    pub(crate) thread: String,
    pub(crate) group: String,
    pub(crate) scopes: Vec<String>,
    pub(crate) name: String,
    /// The size of single allocations; `None` for a sum.
    pub(crate) size: Option<u64>,
    pub(crate) bytes: u64,
    pub(crate) count: u64,
}

/// Fragments of names, all of which must round-trip unchanged.
const PIECES: [&str; 20] = [
    "a",
    "b",
    "|",
    "\\",
    "\"",
    ",",
    "\n",
    "\r",
    "\r\n",
    "\0",
    "\u{1b}",
    " ",
    "ü",
    "\u{feff}",
    "é\u{301}",
    "0x1",
    "\"\"",
    "\\|",
    "日本",
    "bytes",
];

pub(crate) fn hostile(random: &mut Random) -> String {
    (0..random.below(5))
        .map(|_| PIECES[random.below(PIECES.len() as u64) as usize])
        .collect()
}

/// Returns one of a few names, so that rows have siblings.
pub(crate) fn plain(random: &mut Random) -> String {
    ["", "a", "A", "b", "x2", "x10", "Level/Load"][random.below(7) as usize].to_owned()
}

pub(crate) fn amount(random: &mut Random) -> u64 {
    match random.below(20) {
        0 => u64::MAX,
        1 => 0,
        2 => u64::MAX / 2,
        _ => 16 << random.below(4),
    }
}

pub(crate) fn entry(random: &mut Random, name: fn(&mut Random) -> String) -> DumpEntry {
    let is_sum = random.below(4) == 0;
    let amount = amount(random);
    // A dump writes a single scope without a name like no scope at all.
    let scopes = (0..random.below(4))
        .map(|_| name(random))
        .collect::<Vec<_>>();
    DumpEntry {
        thread: if is_sum { String::new() } else { name(random) },
        group: name(random),
        scopes: if scopes == [""] { Vec::new() } else { scopes },
        name: name(random),
        size: (!is_sum).then_some(amount),
        bytes: amount,
        count: if is_sum { random.below(5) } else { 1 },
    }
}

pub(crate) fn entries(
    random: &mut Random,
    most: u64,
    name: fn(&mut Random) -> String,
) -> Vec<DumpEntry> {
    (0..random.below(most))
        .map(|_| entry(random, name))
        .collect()
}

fn field(text: &str) -> String {
    let quoted = text.contains([',', '"', '\n', '\r']);
    if quoted {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Returns a dump with a line for each entry.
pub(crate) fn dump(entries: &[DumpEntry], line_end: &str) -> String {
    let mut dump = String::new();
    for (number, entry) in entries.iter().enumerate() {
        let scopes: Vec<String> = entry
            .scopes
            .iter()
            .map(|scope| scope.replace('\\', r"\\").replace('|', r"\|"))
            .collect();
        let address = entry
            .size
            .map_or(String::new(), |_| format!("0x{number:016x}"));
        let (thread, group, name) = (
            field(&entry.thread),
            field(&entry.group),
            field(&entry.name),
        );
        let _ = write!(
            dump,
            "{address},{thread},{group},{},{},{name}",
            entry.bytes,
            field(&scopes.join("|"))
        );
        if entry.size.is_none() {
            let _ = write!(dump, ",{}", entry.count);
        }
        dump.push_str(line_end);
    }
    dump
}

/// Sorts entries and folds equal ones.
pub(crate) fn folded(mut entries: Vec<DumpEntry>) -> Vec<DumpEntry> {
    // Sorting compares the fields that identify an entry first, so equal entries are neighbors.
    entries.sort();
    let mut folded: Vec<DumpEntry> = Vec::new();
    let is_same = |a: &DumpEntry, b: &DumpEntry| {
        (&a.thread, &a.group, &a.scopes, &a.name, a.size)
            == (&b.thread, &b.group, &b.scopes, &b.name, b.size)
    };
    for entry in entries {
        match folded.last_mut().filter(|last| is_same(last, &entry)) {
            Some(last) => {
                last.bytes = last.bytes.saturating_add(entry.bytes);
                last.count = last.count.saturating_add(entry.count);
            }
            None => folded.push(entry),
        }
    }
    folded
}

/// Returns the entries of a snapshot, sorted.
pub(crate) fn contents(snapshot: &MemorySnapshot) -> Vec<DumpEntry> {
    let contents = &snapshot.contents;
    let name = |number: u32| contents.names.get(number).to_owned();
    let mut entries: Vec<DumpEntry> = contents
        .entries
        .iter()
        .map(|entry| {
            let site = contents.sites[entry.site as usize];
            let (mut scopes, mut stack) = (Vec::new(), site.stack);
            while stack != NO_SCOPES {
                scopes.insert(0, name(contents.stacks.get(stack).name));
                stack = contents.stacks.get(stack).parent;
            }
            let (thread, group, name) = (name(site.thread), name(site.group), name(site.name));
            DumpEntry {
                thread,
                group,
                scopes,
                name,
                size: entry.size(),
                bytes: entry.bytes(),
                count: entry.count,
            }
        })
        .collect();
    entries.sort();
    entries
}

pub(crate) fn read(dump: &str) -> MemorySnapshot {
    MemorySnapshot::read(dump.as_bytes()).unwrap()
}

/// Returns a snapshot with these entries.
pub(crate) fn snapshot(entries: &[DumpEntry]) -> MemorySnapshot {
    let snapshot = read(&dump(entries, "\n"));
    assert_eq!(snapshot.damage().lines, 0, "{:?}", snapshot.damage());
    snapshot
}
