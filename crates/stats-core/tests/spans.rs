//! The start and end of scopes. These tests have their own process, because collectors see the
//! scopes of all threads.
#![cfg(feature = "enabled")]

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use stats_core::{Span, SpanCollector, TimerHandle, are_spans_collected, record_span, timer};
use stats_testing::Random;

/// Lets only one test collect at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// A span with an owned thread name.
type Owned = (u32, String, u32, Instant, Instant);

fn taken(collector: &mut SpanCollector) -> Vec<Owned> {
    let mut spans = Vec::new();
    collector.take(|span| {
        let thread = span.thread.to_owned();
        spans.push((span.id.number(), thread, span.depth, span.begin, span.end));
    });
    spans
}

/// Runs a random tree of scopes. Returns the timer and the depth of each, in the order in which
/// they end, with clock readings around its start and its end.
fn random_tree(timers: &[TimerHandle], random: &mut Random, depth: u32, ended: &mut Vec<Expected>) {
    for _ in 0..random.below(4) {
        let timer = timers[random.index(timers.len())];
        let before = Instant::now();
        let inside = {
            let _scope = timer.scope();
            let after_begin = Instant::now();
            if depth < 5 {
                random_tree(timers, random, depth + 1, ended);
            }
            (after_begin, Instant::now())
        };
        ended.push(Expected {
            id: timer.id().number(),
            depth,
            begin: before..inside.0,
            end: inside.1..Instant::now(),
        });
    }
}

struct Expected {
    id: u32,
    depth: u32,
    begin: std::ops::Range<Instant>,
    end: std::ops::Range<Instant>,
}

#[test]
fn a_thread_that_begins_while_spans_are_taken_is_collected() {
    let _alone = ALONE.lock();
    let late = timer("spans/begins-late");
    let first = timer("spans/first");
    let mut collector = SpanCollector::begin().expect("counters are enabled");
    drop(first.scope());
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (end, may_end) = std::sync::mpsc::channel::<()>();
    let mut may_end = Some(may_end);
    let mut thread = None;
    collector.take(|_| {
        if let Some(may_end) = may_end.take() {
            let begun = begun.clone();
            thread = Some(std::thread::spawn(move || {
                drop(late.scope());
                begun.send(()).expect("it is awaited");
                // Fails when the test ends.
                let _ = may_end.recv();
            }));
            has_begun.recv().expect("it begins");
        }
    });
    let ids: Vec<u32> = taken(&mut collector).iter().map(|span| span.0).collect();
    drop(end);
    thread.expect("a span was visited").join().expect("it ends");
    assert!(ids.contains(&late.id().number()), "{ids:?}");
}

#[test]
fn every_scope_has_its_thread_depth_begin_and_end() {
    let _alone = ALONE.lock();
    let timers = [0, 1, 2].map(|at| timer(&format!("spans/{at}")));
    // The cycle counter is calibrated during the first milliseconds.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(40) {
        timers[0].time(|| {});
    }
    let mut collector = SpanCollector::begin().expect("counters are enabled");
    let mut other = SpanCollector::begin().expect("there may be any number");
    let work = |name: String, seed: u64| {
        let thread = std::thread::Builder::new().name(name.clone());
        let thread = thread.spawn(move || {
            let (mut random, mut ended) = (Random::new(seed), Vec::new());
            for _ in 0..60 {
                random_tree(&timers, &mut random, 0, &mut ended);
            }
            ended
        });
        (name, thread.unwrap())
    };
    let threads: Vec<_> = (0..3).map(|at| work(format!("worker {at}"), at)).collect();
    let threads: Vec<_> = threads
        .into_iter()
        .map(|(name, thread)| (name, thread.join().unwrap()))
        .collect();
    let spans = taken(&mut collector);
    assert_eq!(collector.lost(), 0);
    let tolerance = Duration::from_micros(5);
    for (name, expected) in threads {
        let found: Vec<&Owned> = spans.iter().filter(|span| span.1 == name).collect();
        assert_eq!(found.len(), expected.len());
        assert!(found.len() > 100);
        let mut outside = 0;
        for (found, expected) in found.into_iter().zip(&expected) {
            assert_eq!((found.0, found.2), (expected.id, expected.depth));
            assert!(found.3 <= found.4);
            let is_inside = expected.begin.start - tolerance <= found.3
                && found.3 <= expected.begin.end + tolerance
                && expected.end.start - tolerance <= found.4
                && found.4 <= expected.end.end + tolerance;
            outside += usize::from(!is_inside);
        }
        // The thread may be interrupted between two readings of a clock.
        assert!(
            outside * 20 <= expected.len(),
            "{outside} of {}",
            expected.len()
        );
    }
    // Each collector takes each scope once.
    assert!(taken(&mut collector).is_empty());
    assert_eq!(taken(&mut other), spans);
    drop(collector);
    timers[0].time(|| {});
    assert_eq!(taken(&mut other).len(), 1);
}

#[test]
fn nothing_is_collected_without_a_collector_and_lost_scopes_are_counted() {
    let _alone = ALONE.lock();
    let timer = timer("spans/overflow");
    let run = |calls: usize| (0..calls).for_each(|_| timer.time(|| {}));
    run(10);
    assert!(!are_spans_collected());
    let mut collector = SpanCollector::begin().unwrap();
    assert!(are_spans_collected());
    assert!(taken(&mut collector).is_empty());
    // What waits for a collector, and what waits to be read by any.
    for (room, more, lost) in [(1 << 18, 9, 9), (1 << 18, 7, 16), (1 << 18, 0, 16)] {
        run(room + more);
        assert_eq!(taken(&mut collector).len(), room);
        assert_eq!(collector.lost(), lost);
    }
    run(400_000);
    assert_eq!(taken(&mut collector).len(), 1 << 18);
    assert!(collector.lost() > 400_000 - (1 << 18));
    run(5);
    assert_eq!(taken(&mut collector).len(), 5);
    drop(collector);
    assert!(!are_spans_collected());
    run(10);
    let mut collector = SpanCollector::begin().unwrap();
    assert_eq!((taken(&mut collector).len(), collector.lost()), (0, 0));
}

#[test]
fn other_profilers_add_spans_of_any_thread() {
    let _alone = ALONE.lock();
    let now = Instant::now();
    let timer = timer("spans/foreign").id();
    let span = |thread| Span::new(timer, thread, 3, now, now + Duration::from_millis(2));
    record_span(span("nobody"));
    let mut collector = SpanCollector::begin().unwrap();
    record_span(span("render"));
    record_span(span("audio"));
    let threads: Vec<String> = taken(&mut collector)
        .into_iter()
        .map(|span| span.1)
        .collect();
    assert_eq!(threads, ["render", "audio"]);
}

#[test]
fn each_thread_without_a_name_has_a_number_of_its_own() {
    let timer = timer("spans/unnamed");
    let _alone = ALONE.lock();
    let mut collector = SpanCollector::begin().expect("counters are enabled");
    const THREADS: usize = 300;
    for _ in 0..THREADS {
        let thread = std::thread::spawn(move || {
            timer.time(|| {});
            timer.time(|| {});
        });
        thread.join().expect("it does not panic");
    }
    let mut spans_of = HashMap::new();
    for (id, thread, ..) in taken(&mut collector) {
        if id == timer.id().number() {
            *spans_of.entry(thread).or_insert(0) += 1;
        }
    }
    assert_eq!(spans_of.len(), THREADS, "{spans_of:?}");
    assert!(
        spans_of
            .iter()
            .all(|(thread, spans)| thread.starts_with("thread ") && *spans == 2),
        "{spans_of:?}"
    );
}

#[test]
fn other_profilers_may_have_any_number_of_threads() {
    let timer = timer("spans/other-threads");
    let _alone = ALONE.lock();
    let mut collector = SpanCollector::begin().expect("counters are enabled");
    let now = Instant::now();
    let mut names = 0;
    for round in 0..20 {
        for at in 0..500 {
            let thread = format!("thread {at} of round {round}");
            record_span(Span::new(timer.id(), &thread, 0, now, now));
        }
        names += taken(&mut collector).len();
    }
    assert_eq!((names, collector.lost()), (10_000, 0));
}
