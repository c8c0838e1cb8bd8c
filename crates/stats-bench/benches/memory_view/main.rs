//! The time to read a dump of 600,000 allocations and to show it: `cargo bench -p stats-bench
//! --bench memory_view`.
//!
//! Reading is compared with the csv crate, which splits lines into fields and stores nothing. The
//! rows of the panel have no peer, so their bars are absolute times.

mod drawing;
mod dump;

use std::hint::black_box;

use drawing::Program;
use stats_bench::{Bar, Contest, Outcome, Table};
use stats_memory_panel::MemorySnapshot;

fn main() {
    let mut table = Table::default();
    for (what, dump, read_ms, rows_ms) in [
        (
            "as similar as those of a game: 4,175 stacks, 18 threads, 12 groups",
            dump::alike(),
            1000.0,
            1000.0,
        ),
        ("all different", dump::distinct(), 1500.0, 2000.0),
    ] {
        reading(&mut table, what, &dump, read_ms);
        showing(&mut table, what, &dump, rows_ms);
    }
    println!("{table}");
    println!(
        "The column *ns* lists the time of the stats crate, and that of the csv crate where a row has two."
    );
}

/// Adds the time to read a dump into a snapshot, with its bar in milliseconds, and its ratio to the
/// time in which the csv crate splits the dump into fields.
fn reading(table: &mut Table, what: &str, dump: &str, bar_ms: f64) {
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

/// Adds the time from a snapshot to its first rows and to the rows of a comparison, with their bar
/// in milliseconds, and the time of a frame at each end of the list.
fn showing(table: &mut Table, what: &str, dump: &str, bar_ms: f64) {
    let snapshot =
        MemorySnapshot::read(dump.as_bytes()).expect("reading from memory does not fail");
    let mut program = Program::new(&[&snapshot]).settle();
    let outcome: Outcome = Contest::new()
        .with(1, || drop(Program::new(&[&snapshot]).settle()))
        .with(1, || drop(Program::new(&[&snapshot, &snapshot]).settle()))
        .with(2, || program.walk())
        .run();
    for (at, row, bar_ms) in [
        (0, "first rows of 600,000 allocations", bar_ms),
        (1, "rows of a comparison with itself", 2.0 * bar_ms),
        (2, "a frame of the panel", 4.0),
    ] {
        let ns = outcome.ns(at);
        table.row(
            &format!("{row}, {what}"),
            &[ns],
            ns / 1e6,
            "ms",
            Bar::AtMost(bar_ms),
        );
    }
}

/// Returns the number of fields of a dump.
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
