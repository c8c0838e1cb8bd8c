//! What it takes to read a dump of 600,000 allocations, beside finding its lines: `cargo bench -p stats-bench --bench memory_view`.
//!
//! What the tree takes after that is printed by the ignored tests `memory::speed` of stats-overlay.

mod dump;

use std::hint::black_box;

use stats_bench::{Bar, Contest, Outcome, Table};
use stats_overlay::MemorySnapshot;

fn main() {
    let mut table = Table::default();
    row(&mut table, "alike as a game's are: 4,175 stacks, 18 threads, 12 groups", &dump::alike(), 400.0);
    row(&mut table, "no two alike", &dump::distinct(), 800.0);
    println!("{table}");
    println!("Nanoseconds are this machine's, those of a dump: reading it, and finding its line ends.");
}

/// Adds the time of reading a dump, with its bar in milliseconds, and how many times that of finding its lines it is.
fn row(table: &mut Table, what: &str, dump: &str, bar_ms: f64) {
    let outcome: Outcome = Contest::new()
        .with(1, || drop(black_box(MemorySnapshot::read(dump.as_bytes()))))
        .with(1, || {
            black_box(memchr::memchr_iter(b'\n', black_box(dump.as_bytes())).count());
        })
        .run();
    let ns = [outcome.ns(0), outcome.ns(1)];
    let mb = dump.len() / 1_000_000;
    table.row(&format!("read 600,000 allocations, {what} ({mb} MB)"), &ns, ns[0] / 1e6, "ms", Bar::AtMost(bar_ms));
    table.row(&format!("… × finding its lines, {what}"), &ns, ns[0] / ns[1], "×", Bar::AtMost(100.0));
}
