//! Spans and events of tracing with the layer of stats-tracing and with one that does nothing, and
//! metrics with the recorder of stats-metrics and with that of metrics-exporter-prometheus.

mod recorders;
mod spans;

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

fn main() {
    let mut table = stats_bench::Table::default();
    spans::measure(&mut table);
    recorders::measure(&mut table);
    println!("{table}");
    println!(
        "Times are those of one operation, in the order in which the row names its contenders. Other machines have other times, and other ratios where a contender waits for a clock, for memory or for another core."
    );
}
