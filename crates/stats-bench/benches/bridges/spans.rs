//! The cost of the layer of stats-tracing, compared with that of a layer that does nothing.

use std::hint::black_box;
use std::time::Instant;

use stats_bench::{Bar, Contest, Table};
use stats_tracing::StatsLayer;
use tracing::{Dispatch, Id, Subscriber, dispatcher, info_span};
use tracing_subscriber::layer::Context;
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry::LookupSpan;

const SPANS: u64 = 1_000;

/// A layer that receives every span and event, and does nothing.
struct Nothing;

impl<S: Subscriber + for<'a> LookupSpan<'a>> tracing_subscriber::Layer<S> for Nothing {}

/// A layer that reads the system's clock when a span is entered and exited.
struct Clock;

impl<S: Subscriber + for<'a> LookupSpan<'a>> tracing_subscriber::Layer<S> for Clock {
    fn on_enter(&self, _: &Id, _: Context<'_, S>) {
        black_box(Instant::now());
    }

    fn on_exit(&self, _: &Id, _: Context<'_, S>) {
        black_box(Instant::now());
    }
}

pub(crate) fn measure(table: &mut Table) {
    let nothing = Dispatch::new(tracing_subscriber::registry().with(Nothing));
    let clock = Dispatch::new(tracing_subscriber::registry().with(Clock));
    let stats = Dispatch::new(tracing_subscriber::registry().with(StatsLayer::new()));
    let works: [(&str, fn(), f64); 5] = [
        ("a span, created, entered, exited and closed", one, 1.3),
        ("a span inside seven others", nested, 1.3),
        ("a span with two fields", with_fields, 1.3),
        ("entering and exiting a span that exists", reentered, 8.0),
        ("an event", event, 2.0),
    ];
    for (what, work, bar) in works {
        let run = |dispatch| move || dispatcher::with_default(dispatch, work);
        run(&stats)();
        let allocations = stats_testing::allocations(run(&stats));
        let outcome = Contest::new()
            .with(SPANS, run(&stats))
            .with(SPANS, run(&nothing))
            .with(SPANS, run(&clock))
            .run();
        let ns = [outcome.ns(0), outcome.ns(1), outcome.ns(2)];
        table.row(
            &format!("{what}, StatsLayer / a layer that does nothing"),
            &ns[..2],
            outcome.ratio(0, 1),
            "×",
            Bar::AtMost(bar),
        );
        if what != "an event" {
            table.row(
                &format!("{what}, StatsLayer / a layer that reads the system's clock twice"),
                &[ns[0], ns[2]],
                outcome.ratio(0, 2),
                "×",
                Bar::AtMost(1.3),
            );
        }
        table.row(
            &format!("{what}, allocations of {SPANS}"),
            &[],
            allocations as f64,
            "",
            Bar::AtMost(0.0),
        );
    }
}

fn one() {
    for _ in 0..SPANS {
        let _span = info_span!("one").entered();
        black_box(());
    }
}

fn nested() {
    for _ in 0..SPANS / 8 {
        let _a = info_span!("a").entered();
        let _b = info_span!("b").entered();
        let _c = info_span!("c").entered();
        let _d = info_span!("d").entered();
        let _e = info_span!("e").entered();
        let _f = info_span!("f").entered();
        let _g = info_span!("g").entered();
        let _h = info_span!("h").entered();
        black_box(());
    }
}

fn with_fields() {
    for number in 0..SPANS {
        let _span = info_span!("with fields", number, text = "text").entered();
        black_box(());
    }
}

fn reentered() {
    let span = info_span!("reentered");
    for _ in 0..SPANS {
        let _entered = span.enter();
        black_box(());
    }
}

fn event() {
    for number in 0..SPANS {
        tracing::info!(number, "event");
    }
}
