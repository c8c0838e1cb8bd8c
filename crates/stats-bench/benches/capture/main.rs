//! The cost of recording a run, the size of the file, and the speed of reading it:
//! `cargo bench -p stats-bench --bench capture`.
//!
//! A frame of a capture is compared with the end of a frame alone, with a survey whose values are
//! not kept, and with copying the same number of values. A file is compared with 8 bytes for each
//! value and with the defaults of Parquet, and reading a column with reading it from a file of
//! plain numbers.

mod defaults;
mod file;
mod frames;
mod memory;
mod run;

use stats_bench::Table;

fn main() {
    if memory::is_task() {
        return;
    }
    let mut table = Table::default();
    // First, while few series are registered.
    let mut series = run::Series::new();
    frames::measure_few(&mut table, &mut series);
    file::measure(&mut table, &mut series);
    memory::measure(&mut table);
    frames::measure_many(&mut table);
    println!("{table}");
    println!("Nanoseconds were measured on this machine, for the two ways that a row compares.");
}
