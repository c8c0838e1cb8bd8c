//! A process in which both Rust and a C library allocate.
#![expect(unsafe_code, reason = "allocates as a C library does")]

use std::alloc::System;
use std::hint::black_box;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use stats_memory::{
    Records, TrackingAllocator, Untracked, system_heap, untracked, watch_untracked,
};

#[global_allocator]
static ALLOCATOR: TrackingAllocator<System, Records> = TrackingAllocator::new(System);

const MIB: u64 = 1 << 20;

/// Waits for a sample that was begun after now.
fn sample() -> Untracked {
    let mut samples = (untracked(), 0);
    let begun = Instant::now();
    while samples.1 < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no sample");
        std::thread::sleep(Duration::from_millis(20));
        let now = untracked();
        if now != samples.0 {
            samples = (now, samples.1 + 1);
        }
    }
    untracked().unwrap_or_default()
}

/// Returns the lines of a dump in the group of untracked memory, as kind, name and bytes.
fn lines() -> io::Result<Vec<(String, String, u64)>> {
    let mut dump = Vec::new();
    stats_memory::dump(&mut dump)?;
    let dump = String::from_utf8_lossy(&dump);
    let fields = dump.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let untracked = fields.filter(|fields| fields.len() == 7 && fields[2] == "untracked");
    Ok(untracked
        .map(|fields| {
            let bytes = fields[3].parse().unwrap_or_default();
            (fields[4].to_owned(), fields[5].to_owned(), bytes)
        })
        .collect())
}

/// Returns the runs of pages in memory that a dump has, and its allocations: both as addresses.
fn pages() -> io::Result<[Vec<Range<u64>>; 2]> {
    let mut dump = Vec::with_capacity(64 << 20);
    stats_memory::dump(&mut dump)?;
    let (mut runs, mut blocks) = (Vec::new(), Vec::new());
    for line in String::from_utf8_lossy(&dump).lines() {
        let fields: Vec<_> = line.split(',').collect();
        let Some(address) = fields[0].strip_prefix("0x") else {
            continue;
        };
        let start = u64::from_str_radix(address, 16).expect("an address");
        let bytes = |field: &str| field.parse::<u64>().expect("a number of bytes");
        match fields[4] {
            "resident" => {
                assert_eq!(
                    [fields[1], fields[2], fields[3], fields[6]],
                    ["", "untracked", "0", "0"]
                );
                runs.push(start..start + bytes(fields[5]));
            }
            _ => blocks.push(start..start + bytes(fields[3])),
        }
    }
    Ok([runs, blocks])
}

/// Checks that a dump has the pages of allocations that were written to, and those between them that
/// the allocator keeps.
fn check_pages() -> io::Result<()> {
    const BLOCK: usize = 3000;
    let mut blocks: Vec<_> = (0..2000).map(|_| black_box(vec![1_u8; BLOCK])).collect();
    // What is free between live blocks stays in memory.
    let mut at = 0;
    blocks.retain(|_| {
        at += 1;
        at % 8 == 0
    });
    let [runs, live] = pages()?;
    assert!(runs.is_sorted_by(|a, b| a.end <= b.start), "{runs:x?}");
    assert!(
        runs.iter()
            .all(|run| run.start % 4096 == 0 && run.end % 4096 == 0)
    );
    let is_held = |address: u64| runs.iter().any(|run| run.contains(&address));
    for block in &blocks {
        let address = block.as_ptr() as u64;
        assert!(
            live.contains(&(address..address + BLOCK as u64)),
            "{address:x} is in the dump"
        );
        assert!(
            is_held(address) && is_held(address + BLOCK as u64 - 1),
            "{address:x}"
        );
    }
    let held: u64 = runs.iter().map(|run| run.end - run.start).sum();
    assert!(held >= (blocks.len() * BLOCK) as u64);
    Ok(())
}

pub(crate) fn run() -> io::Result<()> {
    let [runs, _] = pages()?;
    assert!(runs.is_empty(), "nobody asked for them: {runs:x?}");
    assert_eq!(untracked(), None);
    assert!(watch_untracked(system_heap) && watch_untracked(system_heap));
    let before = sample();
    assert!(
        before.files_bytes > Some(0) && before.stacks_bytes > Some(0),
        "{before:?}"
    );
    assert!(before.bytes() < before.resident_bytes, "{before:?}");

    // Rust's own memory changes the resident bytes, but not the untracked bytes.
    let tracked = black_box(vec![1_u8; 64 * MIB as usize]);
    let with_tracked = sample();
    assert!(with_tracked.resident_bytes >= before.resident_bytes + 64 * MIB);
    let moved = with_tracked.bytes().abs_diff(before.bytes());
    assert!(moved < 2 * MIB, "{before:?} {with_tracked:?}");

    // A C library's memory is untracked.
    let bytes = 40 * MIB as usize;
    // SAFETY: the size is not zero.
    let foreign = unsafe { libc::malloc(bytes) };
    assert!(!foreign.is_null());
    // SAFETY: allocated with this size.
    unsafe { black_box(foreign.cast::<u8>()).write_bytes(1, bytes) };
    let with_foreign = sample();
    let heap = |of: Untracked| of.heap_bytes.unwrap_or_default();
    let grown = heap(with_foreign).saturating_sub(heap(with_tracked));
    assert!((38 * MIB..42 * MIB).contains(&grown), "{with_foreign:?}");

    let lines = lines()?;
    let program = std::env::current_exe()?;
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    assert!(
        lines
            .iter()
            .any(|(kind, name, bytes)| kind == "files" && *name == program && *bytes > 0),
        "{lines:?}"
    );
    assert!(
        lines
            .iter()
            .any(|(kind, name, _)| kind == "stacks" && name == "main"),
        "{lines:?}"
    );
    check_pages()?;
    // SAFETY: allocated above, and used for the last time.
    unsafe { libc::free(foreign) };
    drop(tracked);
    Ok(())
}
