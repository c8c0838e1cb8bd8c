//! How the ticks of a frame become values.

use stats_core::DeferredSource;

use super::*;

const MAX_QUERIES: u32 = 64;

struct Frame {
    names: Names,
    log: Log,
}

impl Frame {
    fn new(root: &str) -> Self {
        Self {
            names: Names::new(DeferredSource::new(), root),
            log: Log::default(),
        }
    }

    fn add(&mut self, name: &str, parent: Option<u32>, has_queries: bool) -> u32 {
        let parent_name = parent.map_or(Names::ROOT, |parent| self.log.name(parent));
        let name = self.names.child(parent_name, name);
        self.log
            .add(name, parent, has_queries, MAX_QUERIES)
            .unwrap()
            .0
    }

    /// Returns the values in milliseconds with the ids of their series, and the summary.
    fn sum(&mut self, ticks: &[u64]) -> (Vec<(stats_core::SeriesId, f64)>, Sum) {
        let mut values = Vec::new();
        // A tick is a millisecond.
        let sum = self.log.sum((ticks, &[]), 1e6, &self.names, &mut values);
        (
            values
                .into_iter()
                .map(|(series, ms)| (series.id(), ms))
                .collect(),
            sum,
        )
    }

    fn id(&mut self, path: &[&str]) -> stats_core::SeriesId {
        let name = path
            .iter()
            .fold(Names::ROOT, |parent, name| self.names.child(parent, name));
        self.names.series(name).unwrap().id()
    }
}

#[test]
fn a_frame_lasts_from_its_first_pass_to_its_last() {
    let mut frame = Frame::new("log-passes");
    frame.add("shadow", None, true);
    frame.add("world", None, true);
    frame.add("shadow", None, true);
    let (values, sum) = frame.sum(&[10, 13, 15, 22, 25, 29]);
    let (shadow, world) = (frame.id(&["shadow"]), frame.id(&["world"]));
    assert_eq!(values, [(shadow, 3.0), (world, 7.0), (shadow, 4.0)]);
    assert_eq!(
        sum,
        Sum {
            frame_ms: Some(19.0),
            rejected: 0
        }
    );
}

#[test]
fn rejected_intervals_are_counted_and_left_out() {
    let mut frame = Frame::new("log-rejected");
    frame.add("a", None, true);
    frame.add("b", None, true);
    frame.add("c", None, true);
    let (values, sum) = frame.sum(&[0, 0, 9, 5, 20, 21]);
    assert_eq!(values, [(frame.id(&["c"]), 1.0)]);
    assert_eq!(
        sum,
        Sum {
            frame_ms: Some(1.0),
            rejected: 2
        }
    );
    let (values, sum) = frame.sum(&[]);
    assert!(values.is_empty());
    assert_eq!(
        sum,
        Sum {
            frame_ms: None,
            rejected: 3
        }
    );
}

#[test]
fn a_scope_without_queries_lasts_as_long_as_its_entries() {
    let mut frame = Frame::new("log-scopes");
    let outer = frame.add("bloom", None, false);
    let inner = frame.add("down", Some(outer), false);
    frame.add("pass", Some(inner), true);
    frame.add("pass", Some(inner), true);
    frame.add("up", Some(outer), true);
    frame.add("empty", Some(outer), false);
    let (values, sum) = frame.sum(&[10, 11, 13, 16, 20, 30]);
    let bloom = frame.id(&["bloom"]);
    let (down, pass, up) = (
        frame.id(&["bloom", "down"]),
        frame.id(&["bloom", "down", "pass"]),
        frame.id(&["bloom", "up"]),
    );
    assert_eq!(
        values,
        [
            (bloom, 20.0),
            (down, 6.0),
            (pass, 1.0),
            (pass, 3.0),
            (up, 10.0)
        ]
    );
    assert_eq!(
        sum,
        Sum {
            frame_ms: Some(20.0),
            rejected: 0
        }
    );
}

#[test]
fn a_scope_with_queries_has_the_interval_of_its_queries() {
    let mut frame = Frame::new("log-timed-scopes");
    let scope = frame.add("scope", None, true);
    frame.add("pass", Some(scope), true);
    let (values, sum) = frame.sum(&[10, 40, 20, 25]);
    assert_eq!(
        values,
        [
            (frame.id(&["scope"]), 30.0),
            (frame.id(&["scope", "pass"]), 5.0)
        ]
    );
    assert_eq!(sum.frame_ms, Some(30.0));
}

#[test]
fn a_frame_takes_no_more_queries_than_the_limit() {
    let mut frame = Frame::new("log-most");
    (0..MAX_QUERIES / 2).for_each(|_| {
        frame.add("pass", None, true);
    });
    let name = frame.names.child(Names::ROOT, "pass");
    assert!(frame.log.add(name, None, true, MAX_QUERIES).is_none());
    assert!(
        frame.log.add(name, None, false, MAX_QUERIES).is_some(),
        "a scope without queries is not limited"
    );
    assert_eq!(frame.log.queries(), MAX_QUERIES);
    frame.log.clear();
    assert!(frame.log.add(name, None, true, MAX_QUERIES).is_some());
}

#[cfg(feature = "enabled")]
#[test]
fn passes_are_collected_with_their_place_and_depth_while_somebody_collects() {
    let mut frame = Frame::new("log-spans");
    let mut collector = stats_core::SpanCollector::begin().expect("counters are enabled");
    let scope = frame.add("bloom", None, false);
    frame.add("blur", Some(scope), true);
    frame.add("world", None, true);
    let ids = [&["bloom"][..], &["bloom", "blur"], &["world"]].map(|path| frame.id(path));
    // A tick is a microsecond.
    let mut values = Vec::new();
    let ticks = [5_000_000, 5_000_300, 5_000_300, 5_000_900];
    frame.log.sum((&ticks, &[]), 1e3, &frame.names, &mut values);
    let mut place = GpuPlace::default();
    frame.log.record_spans(1e3, &frame.names, &mut place);
    let mut found = Vec::new();
    collector.take(|span| {
        if let Some(at) = ids.iter().position(|id| *id == span.id) {
            assert!(matches!(span.kind, LaneKind::Gpu { off_by_ns: Some(_) }));
            assert_eq!(span.thread, "GPU");
            found.push((at, span.depth, span.begin, span.end));
        }
    });
    found.sort_by_key(|span| span.0);
    let shape: Vec<_> = found
        .iter()
        .map(|(at, depth, begin, end)| (*at, *depth, (*end - *begin).as_micros()))
        .collect();
    assert_eq!(shape, [(0, 0, 300), (1, 1, 300), (2, 0, 600)]);
    assert_eq!(found[1].3, found[2].2, "their distance is exact");
}
