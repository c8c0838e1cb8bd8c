//! Spans and events of tracing with the layer of stats-tracing and with one that does nothing, and
//! metrics with the recorder of stats-metrics and with that of metrics-exporter-prometheus.

#[path = "../common/counting.rs"]
mod counting;
mod recorders;
mod spans;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

fn main() {
    let mut table = stats_bench::Table::default();
    spans::measure(&mut table);
    recorders::measure(&mut table);
    println!("{table}");
    println!(
        "Times are those of one operation, in the order in which the row names its contenders. Other machines have other times, and other ratios where a contender waits for a clock, for memory or for another core."
    );
}
