//! What recording a run costs the game, what the file takes, and how fast it is read:
//! `cargo bench -p stats-bench --bench capture`.
//!
//! A frame of a capture is compared with copying as many values that are already known, and with a
//! survey that nobody keeps. A file is compared with 8 bytes for each value, and reading a column
//! with reading it from a file of plain numbers.

mod file;
mod frames;
mod run;

use stats_bench::Table;

fn main() {
    let mut table = Table::default();
    // First, while few series are registered.
    file::measure(&mut table);
    frames::measure(&mut table);
    println!("{table}");
    println!("Nanoseconds are this machine's, of the two ways that a row compares.");
}
