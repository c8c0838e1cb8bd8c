//! Without the feature `enabled` no series is registered.

use stats_tracing::StatsLayer;
use tracing_subscriber::prelude::*;

#[test]
fn without_the_feature_there_is_no_series() {
    let layer = StatsLayer::new().name_field("name");
    let subscriber = tracing_subscriber::registry().with(layer);
    tracing::subscriber::with_default(subscriber, || {
        let span = tracing::info_span!("off", name = "named");
        span.in_scope(|| tracing::warn!("off"));
    });
    let mut listed = 0;
    stats_core::for_each_series(|_| listed += 1);
    assert_eq!(listed, 0);
}
