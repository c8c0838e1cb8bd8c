//! What it takes to read a dump of 600,000 allocations, beside the csv crate:
//! `cargo bench -p stats-bench --bench memory_view`.
//!
//! What the tree takes after that is printed by the ignored tests `memory::speed` of stats-overlay.

mod dump;

use std::hint::black_box;

use stats_bench::{Bar, Contest, Outcome, Table};
use stats_memory_panel::MemorySnapshot;

fn main() {
    let mut table = Table::default();
    row(
        &mut table,
        "alike as a game's are: 4,175 stacks, 18 threads, 12 groups",
        &dump::alike(),
        1000.0,
    );
    row(&mut table, "no two alike", &dump::distinct(), 1500.0);
    println!("{table}");
    println!(
        "Nanoseconds are this machine's, those of a dump: a snapshot of it, and the csv crate's splitting of it into fields."
    );
}

/// Adds the time of making a snapshot of a dump, with its bar in milliseconds, and how many times
/// that of the csv crate it is, which splits lines into fields and keeps nothing.
fn row(table: &mut Table, what: &str, dump: &str, bar_ms: f64) {
    let outcome: Outcome = Contest::new()
        .with(1, || drop(black_box(MemorySnapshot::read(dump.as_bytes()))))
        .with(1, || {
            black_box(split(dump));
        })
        .run();
    let ns = [outcome.ns(0), outcome.ns(1)];
    let mb = dump.len() / 1_000_000;
    table.row(
        &format!("snapshot of 600,000 allocations, {what} ({mb} MB)"),
        &ns[..1],
        ns[0] / 1e6,
        "ms",
        Bar::AtMost(bar_ms),
    );
    table.row(
        "the same / the csv crate's splitting into fields",
        &ns,
        ns[0] / ns[1],
        "×",
        Bar::AtMost(10.0),
    );
}

/// The fields of a dump, counted.
fn split(dump: &str) -> usize {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(dump.as_bytes());
    let (mut record, mut fields) = (csv::ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).is_ok_and(|any| any) {
        fields += record.len();
    }
    fields
}
