//! Once its spans and events are known, a thread allocates nothing.
#![cfg(feature = "enabled")]

use stats_testing::allocations;
use stats_tracing::StatsLayer;
use tracing::{Level, info_span, warn};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

#[global_allocator]
static ALLOCATOR: stats_testing::Counting = stats_testing::Counting;

fn frame() {
    for _ in 0..10 {
        let _update = info_span!("update").entered();
        for name in ["move", "draw"] {
            let system = info_span!("system", name);
            system.in_scope(|| warn!(target: "test", "moved"));
        }
    }
}

#[test]
fn known_spans_and_events_allocate_nothing() {
    let layer = StatsLayer::new()
        .name_field("name")
        .keep_log(Targets::new().with_default(Level::WARN));
    let subscriber = tracing_subscriber::registry().with(layer);
    tracing::subscriber::with_default(subscriber, || {
        frame();
        assert_eq!(allocations(|| (0..100).for_each(|_| frame())), 0);
        // A reader of the lines must not be what makes room for them.
        let mut recorder = stats_core::Recorder::new();
        frame();
        recorder.end_frame();
        assert_eq!(recorder.marks().len(), 20);
    });
}
