use stats_core::{
    DeferredSource, FRAME_TIME, Gauge, Problem, Recorder, Unit, count, counter, find, gauge,
    histogram, problems, timer, up_down_counter,
};

use crate::values;

fn reported(is_it: impl Fn(&Problem) -> bool) -> Vec<String> {
    problems()
        .iter()
        .filter(|problem| is_it(problem))
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_bad_path_is_reported_once_and_its_counter_still_counts() {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(counter("/test//problems/path/").id());
    counter("/test//problems/path/").add(5);
    counter("test/problems/path").add(6);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [11.0]);
    let texts = reported(
        |problem| matches!(problem, Problem::BadPath { given, .. } if given == "/test//problems/path/"),
    );
    let [text] = &texts[..] else {
        panic!("{texts:?}")
    };
    assert!(
        text.contains("\"test/problems/path\"") && text.contains("non-empty segments"),
        "{text}"
    );
    assert_eq!(
        find("/test//problems/path/"),
        Some(counter("test/problems/path").id())
    );
    for hopeless in ["", "/", "//"] {
        let series = counter(hopeless);
        assert_eq!(find("unnamed"), Some(series.id()));
    }
}

#[test]
fn the_path_of_the_frame_time_is_reserved() {
    let mut recorder = Recorder::new();
    let used = format!("{FRAME_TIME} (series)");
    let watch = recorder.watch(counter(FRAME_TIME).id());
    counter(&format!("/{FRAME_TIME}")).add(2);
    counter(&used).add(3);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [5.0]);
    assert_ne!(find(FRAME_TIME), find(&used));
    let texts = reported(
        |problem| matches!(problem, Problem::ReservedPath { given, .. } if given == FRAME_TIME),
    );
    assert_eq!(
        texts,
        [format!(
            "the path {FRAME_TIME:?} is reserved; its values are recorded as {used:?}: \
             choose another name"
        )]
    );
}

#[test]
fn the_first_of_two_kinds_is_kept_and_sums_share_the_series() {
    let mut recorder = Recorder::new();
    let series = counter("test/problems/kind");
    let watch = recorder.watch(series.id());
    gauge("test/problems/kind").set(1e9);
    timer("test/problems/kind").record_ms(1e9);
    up_down_counter("test/problems/kind").add(2);
    series.add(1);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [3.0]);
    let texts = reported(
        |problem| matches!(problem, Problem::KindClash { path, .. } if path == "test/problems/kind"),
    );
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts[0].contains("rename one"), "{texts:?}");
}

#[test]
fn a_timer_that_clashes_does_not_write_to_its_neighbor() {
    let first = counter("test/problems/neighbor-1");
    let second = counter("test/problems/neighbor-2");
    let mut recorder = Recorder::new();
    let watches = [first.id(), second.id()].map(|id| recorder.watch(id));
    let clash = timer("test/problems/neighbor-1");
    clash.record_ms(5);
    recorder.end_frame();
    for watch in &watches {
        assert_eq!(values(&recorder, watch), [0.0]);
    }
    let dropped = recorder.watch(clash.id());
    recorder.end_frame();
    assert_eq!(values(&recorder, &dropped), [] as [f64; 0]);
}

#[test]
fn a_second_unit_or_budget_is_reported_and_the_first_is_kept() {
    let series = counter("test/problems/facts").unit(Unit::Bytes).budget(1.0);
    let _ = series.unit(Unit::Seconds).budget(2.0).budget(f64::NAN);
    let mut seen = None;
    stats_core::for_each_series(|info| {
        seen = seen.or((info.id == series.id()).then_some((info.unit, info.budget)))
    });
    assert_eq!(seen, Some((Unit::Bytes, Some(1.0))));
    let about = |problem: &Problem| match problem {
        Problem::UnitClash { path, .. }
        | Problem::BudgetClash { path, .. }
        | Problem::BadBudget { path } => path == "test/problems/facts",
        _ => false,
    };
    assert_eq!(reported(about).len(), 3);
}

#[test]
fn problems_are_counted_in_a_series() {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(find("stats/problems").unwrap());
    let _ = counter("/test/problems/series");
    recorder.end_frame();
    assert!(values(&recorder, &watch)[0] >= 1.0);
}

#[test]
fn long_paths_are_truncated_in_problems() {
    let _ = counter(&format!("/test/problems/{}", "ü".repeat(100_000)));
    assert!(
        problems()
            .iter()
            .all(|problem| problem.to_string().len() < 2_000)
    );
}

#[test]
fn a_reserved_path_is_reported_once_with_the_path_used_instead() {
    for _ in 0..3 {
        stats_core::report_reserved_path("test/reserved", "test/pass-reserved");
    }
    let texts = reported(
        |problem| matches!(problem, Problem::ReservedPath { given, .. } if given == "test/reserved"),
    );
    assert_eq!(
        texts,
        [
            "the path \"test/reserved\" is reserved; its values are recorded as \
             \"test/pass-reserved\": choose another name"
        ]
    );
    assert_eq!(find("test/reserved"), None, "a report registers nothing");
}

#[test]
fn a_limit_of_a_source_is_reported_once() {
    for _ in 0..3 {
        stats_core::report_over_limit("test/over-limit", 10);
    }
    let texts = reported(
        |problem| matches!(problem, Problem::OverLimit { path, .. } if path == "test/over-limit"),
    );
    assert_eq!(
        texts,
        [
            "10 names have series of their own, and \"test/over-limit\" counts all further ones: \
             use fewer names, for instance without an id for every single object"
        ]
    );
}

#[test]
fn the_first_refused_value_of_each_series_is_reported_with_its_line() {
    let refused = |path: &str| {
        let of = |problem: &Problem| match problem {
            Problem::RefusedValue { path: of, location } if of == path => {
                assert_eq!(location.file(), file!());
                Some(location.line())
            }
            _ => None,
        };
        problems().iter().filter_map(of).collect::<Vec<_>>()
    };
    let series = counter("test/problems/refused/counter");
    series.add(1.0);
    assert_eq!(refused("test/problems/refused/counter"), []);
    let counter_line = line!() + 1;
    series.add(f64::NAN);
    series.add(f64::NAN);
    assert_eq!(refused("test/problems/refused/counter"), [counter_line]);
    // The first value ever, while the counter has no cell.
    count!("test/problems/refused/static", f64::INFINITY);
    let static_line = line!() - 1;
    let gauge_line = line!() + 1;
    gauge("test/problems/refused/gauge").set(f64::NEG_INFINITY);
    static GAUGE: Gauge = Gauge::new("test/problems/refused/static-gauge");
    let static_gauge_line = line!() + 1;
    GAUGE.set(f64::NAN);
    let timer_line = line!() + 1;
    timer("test/problems/refused/timer").record_ms(f64::NAN);
    let histogram_line = line!() + 1;
    histogram("test/problems/refused/histogram").record(1e200);
    let mut local = counter("test/problems/refused/local").local();
    local += f64::MAX;
    let local_line = line!() + 1;
    local += f64::MAX;
    let late = DeferredSource::new();
    let deferred = late.counter("test/problems/refused/deferred");
    let stamp = late.issue();
    let deferred_line = line!() + 1;
    late.deliver(stamp, &[(deferred, f64::NAN)]);
    for (name, line) in [
        ("static", static_line),
        ("gauge", gauge_line),
        ("static-gauge", static_gauge_line),
        ("timer", timer_line),
        ("histogram", histogram_line),
        ("local", local_line),
        ("deferred", deferred_line),
    ] {
        assert_eq!(
            refused(&format!("test/problems/refused/{name}")),
            [line],
            "{name}"
        );
    }
    let texts = reported(
        |problem| matches!(problem, Problem::RefusedValue { path, .. } if path == "test/problems/refused/counter"),
    );
    assert!(
        texts[0].contains(&format!("{}:{counter_line}:", file!())),
        "{texts:?}"
    );
}
