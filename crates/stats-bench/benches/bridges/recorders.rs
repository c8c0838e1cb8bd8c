//! The cost of the recorder of stats-metrics, compared with that of metrics-exporter-prometheus.

use metrics::{Recorder, with_local_recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use stats_bench::{Bar, Contest, Table};
use stats_metrics::StatsRecorder;

const OPS: u64 = 1_000;

/// A recorder that keeps samples has to be emptied between rounds.
fn empty(prometheus: &PrometheusHandle) {
    prometheus.run_upkeep();
}

pub(crate) fn measure(table: &mut Table) {
    let stats = StatsRecorder::new();
    let peer = PrometheusBuilder::new().build_recorder();
    let handle = peer.handle();
    let by_name: [(&str, fn()); 4] = [
        ("a counter by name", || {
            (0..OPS).for_each(|_| metrics::counter!("bench").increment(1));
        }),
        ("a counter by name and two labels", || {
            (0..OPS).for_each(|_| {
                metrics::counter!("bench", "method" => "GET", "status" => "200").increment(1);
            });
        }),
        ("a gauge by name", || {
            (0..OPS).for_each(|at| metrics::gauge!("bench gauge").set(at as f64));
        }),
        ("a histogram by name", || {
            (0..OPS).for_each(|at| metrics::histogram!("bench histogram").record(at as f64));
        }),
    ];
    for (what, work) in by_name {
        compare(
            table,
            what,
            || with_local_recorder(&stats, work),
            || {
                with_local_recorder(&peer, work);
                empty(&handle);
            },
        );
    }
    kept(table, &stats, &peer, &handle);
}

/// Measures operations on handles that are kept.
fn kept(table: &mut Table, stats: &StatsRecorder, peer: &dyn Recorder, handle: &PrometheusHandle) {
    let recorders: [&dyn Recorder; 2] = [stats, peer];
    let [own, peers] = recorders
        .map(|recorder| with_local_recorder(&recorder, || metrics::counter!("bench kept")));
    let add = |counter: &metrics::Counter| (0..OPS).for_each(|_| counter.increment(1));
    compare(
        table,
        "a counter that is kept",
        || add(&own),
        || add(&peers),
    );
    let [own, peers] = recorders
        .map(|recorder| with_local_recorder(&recorder, || metrics::gauge!("bench kept gauge")));
    let set = |gauge: &metrics::Gauge| (0..OPS).for_each(|at| gauge.set(at as f64));
    compare(table, "a gauge that is kept", || set(&own), || set(&peers));
    let add = |gauge: &metrics::Gauge| (0..OPS).for_each(|_| gauge.increment(1.0));
    compare(
        table,
        "incrementing a gauge that is kept",
        || add(&own),
        || add(&peers),
    );
    let [own, peers] = recorders.map(|recorder| {
        with_local_recorder(&recorder, || metrics::histogram!("bench kept histogram"))
    });
    let record =
        |histogram: &metrics::Histogram| (0..OPS).for_each(|at| histogram.record(at as f64));
    compare(
        table,
        "a histogram that is kept",
        || record(&own),
        || {
            record(&peers);
            empty(handle);
        },
    );
}

fn compare(table: &mut Table, what: &str, own: impl Fn(), peer: impl Fn()) {
    own();
    let allocations = stats_testing::allocations(&own);
    let outcome = Contest::new().with(OPS, &own).with(OPS, &peer).run();
    table.row(
        &format!("{what}, StatsRecorder / metrics-exporter-prometheus"),
        &[outcome.ns(0), outcome.ns(1)],
        outcome.ratio(0, 1),
        "×",
        Bar::AtMost(1.0),
    );
    table.row(
        &format!("{what}, allocations of {OPS}"),
        &[],
        allocations as f64,
        "",
        Bar::AtMost(0.0),
    );
}
