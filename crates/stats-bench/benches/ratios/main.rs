//! The cost of counters, timers, histograms and puffin scopes, compared with plain code and with
//! similar crates in the same process.

mod adding;
mod allocations;
#[cfg(target_os = "linux")]
mod frame_thread;
mod frames;
mod histograms;
#[path = "../../../stats-core/tests/core/mersenne.rs"]
mod mersenne;
mod scopes;
mod timing;
mod together;

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    metrics_exporter_prometheus::PrometheusBuilder::new().install_recorder()?;
    let mut table = stats_bench::Table::default();
    // Measured first, while few series are registered.
    frames::measure(&mut table);
    #[cfg(target_os = "linux")]
    frame_thread::measure(&mut table);
    adding::measure(&mut table);
    together::measure(&mut table);
    timing::measure(&mut table);
    timing::measure_collected(&mut table);
    histograms::measure(&mut table);
    scopes::measure(&mut table);
    allocations::measure(&mut table);
    println!("{table}");
    println!(
        "Times are those of one operation, in the order in which the row names its contenders. Other machines have other times, and other ratios where a contender waits for a clock, for memory or for another core."
    );
    Ok(())
}
