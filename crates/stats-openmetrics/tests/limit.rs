//! More series than are exported. In a process of its own, because series are never removed.
#![cfg(feature = "enabled")]

#[cfg(feature = "otlp")]
#[path = "otlp/collector.rs"]
#[expect(dead_code, reason = "it has one test here")]
mod collector;
#[path = "openmetrics/http.rs"]
mod http;

use stats_openmetrics::{MAX_SERIES, OpenMetrics};

#[test]
fn series_beyond_the_limit_are_counted_and_not_exported() {
    let address = "127.0.0.1:0".parse().expect("it is an address");
    let metrics = OpenMetrics::serve(address).expect("a port is free");
    for at in 0..MAX_SERIES + 100 {
        stats_core::counter(&format!("many/{at}")).add(1);
    }
    let mut listed = 0;
    stats_core::for_each_series(|_| listed += 1);
    let page = http::get(metrics.address(), "/metrics").expect("it answers");
    // The frame time and `stats/fps` are left out.
    let over_limit = format!("stats_series_over_limit {}.0\n", listed - 2 - MAX_SERIES);
    assert!(page.contains(&over_limit), "{over_limit}");
    let exported = page.matches("{path=").count();
    assert_eq!(exported, MAX_SERIES);
    let (_, body) = http::request(metrics.address(), "GET", "/metrics").expect("it answers again");
    assert_eq!(body, page, "the same series each time");
    #[cfg(feature = "otlp")]
    assert_eq!(otlp(), ((listed - 2 - MAX_SERIES) as f64, MAX_SERIES));
}

/// Returns how many series OTLP leaves out, and how many it sends.
#[cfg(feature = "otlp")]
fn otlp() -> (f64, usize) {
    use stats_openmetrics::{Otlp, OtlpOptions};
    use std::collections::BTreeSet;

    let collector = collector::Collector::start(&[]);
    let mut options = OtlpOptions::default();
    options.endpoint = collector.endpoint();
    drop(Otlp::start(&options).expect("the endpoint is an address"));
    let export = collector.next();
    let points = export.metrics.iter().flat_map(collector::numbers);
    let paths = points.map(|point| collector::text(&point.attributes, "path"));
    let paths: BTreeSet<&str> = paths.filter(|path| !path.is_empty()).collect();
    let over_limit = export.value("stats.series_over_limit", "");
    (over_limit.unwrap_or_default(), paths.len())
}
