//! The cost of tracking memory, compared with the system's allocator alone: `cargo bench -p
//! stats-bench --bench memory`.

mod held;
mod pairs;
mod pools;
mod scopes;

fn main() -> std::io::Result<()> {
    if let Some(mode) =
        std::env::args().find_map(|argument| argument.strip_prefix("--held=").map(str::to_owned))
    {
        return held::say(&mode);
    }
    let mut table = stats_bench::Table::default();
    pairs::measure(&mut table);
    pools::measure(&mut table);
    scopes::measure(&mut table);
    held::measure(&mut table)?;
    println!("{table}");
    println!(
        "Times are in the order in which the row names its contenders. Other machines have other times, and other ratios where a contender waits for a clock, for memory or for another core."
    );
    Ok(())
}
