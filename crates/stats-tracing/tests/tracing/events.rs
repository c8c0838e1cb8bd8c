//! Events as counters, by level and target.

use tracing::{debug, error, info, trace, warn};

use crate::totals::Totals;

#[test]
fn events_count_by_level_and_target() {
    let totals = Totals::on_thread("events thread", || {
        error!(target: "test::events", "one");
        (0..2).for_each(|at| warn!(target: "test::events", at));
        (0..3).for_each(|_| info!(target: "test::events", "three"));
        (0..4).for_each(|_| debug!(target: "test::events", "four"));
        (0..5).for_each(|_| trace!(target: "test::events", "five"));
        warn!(target: "a/b", "six");
        warn!(target: "a/b", "from another line");
    });
    for (at, level) in ["error", "warn", "info", "debug", "trace"]
        .iter()
        .enumerate()
    {
        let count = at as f64 + 1.0;
        assert_eq!(
            totals.get(&format!("tracing/events/{level}/test::events")),
            count
        );
        assert!(totals.get(&format!("tracing/events/{level}")) >= count);
    }
    assert_eq!(totals.get("tracing/events/warn/a%2Fb"), 2.0);
}

#[test]
fn an_event_without_a_target_counts_under_its_module() {
    let totals = Totals::on_thread("module", || warn!("in this module"));
    let path = format!("tracing/events/warn/{}", module_path!());
    assert_eq!(totals.get(&path), 1.0);
}
