//! Names of spans and threads, and names by a field.

use std::fmt;
use std::thread;

use stats_tracing::StatsLayer;
use tracing::{field, info_span, trace_span};

use crate::totals::{Totals, dispatch, on_thread};

fn by_field(thread: &str, work: impl FnOnce() + Send) -> Totals {
    let subscriber = dispatch(StatsLayer::new().name_field("name"));
    Totals::of(|| on_thread(thread, &subscriber, work))
}

#[test]
fn unusual_names_are_one_segment_each() {
    let totals = Totals::on_thread("odd/thread", || {
        info_span!("GET /users").in_scope(|| info_span!("self").in_scope(|| {}));
        info_span!("").in_scope(|| {});
    });
    for path in [
        "tracing/odd%2Fthread/GET %2Fusers",
        "tracing/odd%2Fthread/GET %2Fusers/%73elf",
        "tracing/odd%2Fthread/unnamed",
    ] {
        assert_eq!(totals.calls(path), 1.0, "{path}");
    }
}

#[test]
fn threads_cannot_take_the_names_of_the_layers_own_series() {
    for thread in ["spans", "events", "over-limit"] {
        let totals = Totals::on_thread(thread, || info_span!("reserved").in_scope(|| {}));
        let path = format!(
            "tracing/%{:X}{}/reserved",
            thread.as_bytes()[0],
            &thread[1..]
        );
        assert_eq!(totals.calls(&path), 1.0, "{path}");
    }
}

#[test]
fn a_thread_without_a_name_is_unnamed() {
    let subscriber = dispatch(StatsLayer::new());
    let totals = Totals::of(|| {
        thread::scope(|scope| {
            scope.spawn(|| {
                tracing::dispatcher::with_default(&subscriber, || {
                    info_span!("on no name").in_scope(|| {});
                });
            });
        });
    });
    assert_eq!(totals.calls("tracing/unnamed/on no name"), 1.0);
}

#[test]
fn spans_of_one_name_are_one_series_regardless_of_level_and_callsite() {
    let totals = Totals::on_thread("same name", || {
        info_span!("same").in_scope(|| {});
        trace_span!("same", at = 1).in_scope(|| {});
    });
    assert_eq!(totals.calls("tracing/same name/same"), 2.0);
}

#[test]
fn the_name_field_distinguishes_spans() {
    let totals = by_field("systems", || {
        for name in ["move/player", "draw"] {
            let system = info_span!("system", name, other = 1);
            (0..3).for_each(|_| system.in_scope(|| {}));
        }
        let name = field::debug("a debug");
        info_span!("system", name).in_scope(|| {});
        info_span!("system", name = field::Empty).in_scope(|| {});
        info_span!("no system", of = "x").in_scope(|| {});
    });
    for (name, calls) in [
        ("system: move%2Fplayer", 3.0),
        ("system: draw", 3.0),
        ("system: \"a debug\"", 1.0),
        ("system", 1.0),
        ("no system", 1.0),
    ] {
        assert_eq!(
            totals.calls(&format!("tracing/systems/{name}")),
            calls,
            "{name}"
        );
        assert_eq!(
            totals.calls(&format!("tracing/spans/{name}")),
            calls,
            "{name}"
        );
    }
}

#[test]
fn a_span_keeps_the_name_it_was_created_with_on_every_thread() {
    let subscriber = dispatch(StatsLayer::new().name_field("name"));
    let totals = Totals::of(|| {
        let spans: Vec<_> = tracing::dispatcher::with_default(&subscriber, || {
            let span = |at: usize| info_span!("elsewhere", name = format!("n{}", at % 3));
            (0..300).map(span).collect()
        });
        spans[0].record("name", "changed");
        let late = tracing::dispatcher::with_default(&subscriber, || {
            info_span!("elsewhere", name = field::Empty)
        });
        late.record("name", "too late");
        on_thread("named elsewhere", &subscriber, || {
            spans.iter().for_each(|span| span.in_scope(|| {}));
            late.in_scope(|| {});
        });
    });
    let path = "tracing/named elsewhere/elsewhere";
    assert_eq!(totals.calls(path), 1.0);
    for at in 0..3 {
        assert_eq!(totals.calls(&format!("{path}: n{at}")), 100.0);
    }
}

/// Creates spans while it is formatted.
struct Noisy;

impl fmt::Display for Noisy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        info_span!("inside", name = "of noisy").in_scope(|| tracing::warn!("noise"));
        f.write_str("noisy")
    }
}

#[test]
fn a_value_that_creates_spans_while_it_is_formatted_is_a_name_like_others() {
    let totals = by_field("noisy", || {
        info_span!("around", name = %Noisy).in_scope(|| {});
    });
    assert_eq!(totals.calls("tracing/noisy/around: noisy"), 1.0);
    // tracing itself ignores what happens inside a subscriber.
    assert_eq!(totals.calls("tracing/noisy/inside: of noisy"), 0.0);
}
