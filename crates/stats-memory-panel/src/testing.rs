//! Dumps for tests: entries, and how a dump has them.

use std::fmt::Write as _;

use super::snapshot::MemorySnapshot;
use super::stacks::NO_SCOPES;
use stats_testing::Random;

/// What a line of a dump says, with texts of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) thread: String,
    pub(super) group: String,
    pub(super) scopes: Vec<String>,
    pub(super) name: String,
    /// Of single allocations.
    pub(super) size: Option<u64>,
    pub(super) bytes: u64,
    pub(super) count: u64,
}

/// Whatever may stand in a name.
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

pub(super) fn hostile(random: &mut Random) -> String {
    (0..random.below(5))
        .map(|_| PIECES[random.below(PIECES.len() as u64) as usize])
        .collect()
}

/// A name from a few, so that rows have company.
pub(super) fn plain(random: &mut Random) -> String {
    ["", "a", "A", "b", "x2", "x10", "Level/Load"][random.below(7) as usize].to_owned()
}

pub(super) fn amount(random: &mut Random) -> u64 {
    match random.below(20) {
        0 => u64::MAX,
        1 => 0,
        2 => u64::MAX / 2,
        _ => 16 << random.below(4),
    }
}

pub(super) fn entry(random: &mut Random, name: fn(&mut Random) -> String) -> Entry {
    let is_sum = random.below(4) == 0;
    let amount = amount(random);
    // One scope without a name is written like none.
    let scopes = (0..random.below(4))
        .map(|_| name(random))
        .collect::<Vec<_>>();
    Entry {
        thread: if is_sum { String::new() } else { name(random) },
        group: name(random),
        scopes: if scopes == [""] { Vec::new() } else { scopes },
        name: name(random),
        size: (!is_sum).then_some(amount),
        bytes: amount,
        count: if is_sum { random.below(5) } else { 1 },
    }
}

pub(super) fn entries(
    random: &mut Random,
    most: u64,
    name: fn(&mut Random) -> String,
) -> Vec<Entry> {
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

/// A line for each entry, as a dump has it.
pub(super) fn dump(entries: &[Entry], line_end: &str) -> String {
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

/// Entries sorted, and equal ones folded.
pub(super) fn folded(mut entries: Vec<Entry>) -> Vec<Entry> {
    // By what is folded, which comes before the sums.
    entries.sort();
    let mut folded: Vec<Entry> = Vec::new();
    let is_same = |a: &Entry, b: &Entry| {
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

/// What a snapshot holds, sorted.
pub(super) fn held(snapshot: &MemorySnapshot) -> Vec<Entry> {
    let held = &snapshot.held;
    let name = |number: u32| held.names.get(number).to_owned();
    let mut entries: Vec<Entry> = held
        .entries
        .iter()
        .map(|entry| {
            let site = held.sites[entry.site as usize];
            let (mut scopes, mut stack) = (Vec::new(), site.stack);
            while stack != NO_SCOPES {
                scopes.insert(0, name(held.stacks.get(stack).name));
                stack = held.stacks.get(stack).parent;
            }
            let (thread, group, name) = (name(site.thread), name(site.group), name(site.name));
            Entry {
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

pub(super) fn read(dump: &str) -> MemorySnapshot {
    MemorySnapshot::read(dump.as_bytes()).unwrap()
}

/// A snapshot of these entries.
pub(super) fn snapshot(entries: &[Entry]) -> MemorySnapshot {
    let snapshot = read(&dump(entries, "\n"));
    assert_eq!(snapshot.damage().lines, 0, "{:?}", snapshot.damage());
    snapshot
}
