//! Without the feature `enabled` no series is registered.

use metrics::{counter, describe_counter, gauge, histogram, with_local_recorder};
use stats_metrics::StatsRecorder;

#[test]
fn without_the_feature_there_is_no_series() {
    with_local_recorder(&StatsRecorder::new(), || {
        describe_counter!("off", "a counter");
        counter!("off", "label" => "value").increment(1);
        gauge!("off").set(1);
        histogram!("off").record(1);
    });
    let mut listed = 0;
    stats_core::for_each_series(|_| listed += 1);
    assert_eq!(listed, 0);
}
