//! More names and targets than there are places. In a process of its own, because the limits apply
//! to the whole process.
#![cfg(feature = "enabled")]

use std::collections::HashMap;
use std::sync::OnceLock;
use std::thread;

use stats_core::{Problem, Recorder, for_each_series};
use stats_tracing::{MAX_PLACES, MAX_TARGETS, StatsLayer};
use tracing::field::FieldSet;
use tracing::metadata::Kind;
use tracing::subscriber::Interest;
use tracing::{Callsite, Event, Level, Metadata, info_span};
use tracing_subscriber::prelude::*;

/// A callsite with a target that is made at run time.
struct Site(OnceLock<Metadata<'static>>);

impl Callsite for Site {
    fn set_interest(&self, _: Interest) {}

    fn metadata(&self) -> &Metadata<'_> {
        self.0.get().expect("it is set before any event")
    }
}

fn event(target: String) {
    let site: &'static Site = Box::leak(Box::new(Site(OnceLock::new())));
    let fields = FieldSet::new(&[], tracing::callsite::Identifier(site));
    let target = Box::leak(target.into_boxed_str());
    let metadata = Metadata::new(
        "e",
        target,
        Level::INFO,
        None,
        None,
        None,
        fields,
        Kind::EVENT,
    );
    let metadata = site.0.get_or_init(|| metadata);
    Event::dispatch(metadata, &metadata.fields().value_set(&[]));
}

#[test]
fn names_and_targets_beyond_the_limits_share_a_series_and_are_reported_once() {
    let layer = StatsLayer::new().name_field("name");
    let subscriber = tracing_subscriber::registry().with(layer);
    let (spans, events) = (2 * MAX_PLACES as u32, 2 * MAX_TARGETS as u32);
    let work = move || {
        for at in 0..spans {
            let _outer = info_span!("outer", name = at.to_string()).entered();
            info_span!("inner").in_scope(|| {});
        }
        (0..events).for_each(|at| event(format!("target {at}")));
    };
    let subscriber = tracing::Dispatch::new(subscriber);
    let run = || {
        thread::scope(|scope| {
            let run = || tracing::dispatcher::with_default(&subscriber, work);
            let thread = thread::Builder::new().name("limits".to_owned());
            assert!(thread.spawn_scoped(scope, run).is_ok());
        });
    };
    run();
    let mut recorder = Recorder::new();
    // A survey takes several frames to know all of them.
    for _ in 0..8 {
        recorder.survey();
        recorder.end_frame();
    }
    run();
    recorder.end_frame();
    let survey = recorder.survey().unwrap_or_default();
    let mut totals = HashMap::new();
    for_each_series(|series| {
        let id = series.calls.unwrap_or(series.id);
        totals.insert(series.path, survey.value(id).unwrap_or(0.0));
    });
    let is_place =
        |path: &str| path.starts_with("tracing/limits/") || path.starts_with("tracing/spans/");
    // The thread is a place without a timer.
    assert_eq!(
        totals.keys().filter(|path| is_place(path)).count(),
        MAX_PLACES - 1
    );
    let calls: f64 = totals
        .iter()
        .filter(|(path, _)| path.starts_with("tracing/limits/"))
        .map(|(_, calls)| calls)
        .sum();
    let over_limit = totals["tracing/over-limit"];
    assert!(over_limit > MAX_PLACES as f64);
    assert_eq!(
        calls + over_limit,
        2.0 * f64::from(spans),
        "no call is lost"
    );
    assert_eq!(totals["tracing/events/info"], f64::from(events));
    let beyond = events - MAX_TARGETS as u32;
    assert_eq!(totals["tracing/events/over-limit"], f64::from(beyond));
    let reported: Vec<_> = stats_core::problems()
        .into_iter()
        .filter(|problem| matches!(problem, Problem::OverLimit { .. }))
        .collect();
    let problem = |path: &str, limit| Problem::OverLimit {
        path: path.to_owned(),
        limit,
    };
    assert_eq!(
        reported,
        [
            problem("tracing/over-limit", MAX_PLACES),
            problem("tracing/events/over-limit", MAX_TARGETS)
        ]
    );
}
