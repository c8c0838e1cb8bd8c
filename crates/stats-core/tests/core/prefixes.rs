use stats_core::{Counter, SeriesKind, Unit, find, for_each_series, path};

const ÜBER: &str = "prefixes/über";
const ONE: &str = path!(ÜBER / "🦀");
static STATIC: Counter = Counter::new(path!(ONE / "static"));

struct Class;

impl Class {
    const STATS: &str = "prefixes/class";
}

mod inner {
    pub(super) const PATH: &str = stats_core::path!();
}

#[test]
fn a_path_is_the_module_or_a_prefix_and_a_name() {
    assert_eq!(path!(), "core/prefixes");
    assert_eq!(inner::PATH, "core/prefixes/inner");
    assert_eq!(path!(ÜBER / "a/b"), "prefixes/über/a/b");
    assert_eq!(ONE, "prefixes/über/🦀");
    assert_eq!(path!(inner::PATH / "name"), "core/prefixes/inner/name");
    assert_eq!(path!(self::inner::PATH / ""), "core/prefixes/inner/");
    const EMPTY: &str = "";
    assert_eq!(path!(EMPTY / "a"), "/a");
}

#[test]
fn every_macro_takes_a_prefix_and_counts_as_with_the_whole_path() {
    for _ in 0..3 {
        STATIC.increment();
        stats_core::count!(Class::STATS / "count");
        stats_core::count!(Class::STATS / "sum", 5);
        stats_core::counter!(Class::STATS / "count").add(1);
        stats_core::up_down_counter!(Class::STATS / "level").increment();
        stats_core::gauge!(Class::STATS / "gauge").set(7);
        stats_core::timer!(Class::STATS / "timer").record_ms(1);
        stats_core::sample!(Class::STATS / "sample", 2.0);
        stats_core::sample!(Class::STATS / "meters", 3.0, Unit::Meters,);
        stats_core::histogram!(Class::STATS / "sample").record(4.0);
    }
    // Whole paths, and constants, are the same series.
    const WHOLE: &str = "prefixes/class/count";
    stats_core::count!("prefixes/class/count");
    stats_core::count!(WHOLE, 1);
    let mut listed = Vec::new();
    for_each_series(|info| {
        if let Some(name) = info.path.strip_prefix("prefixes/class/") {
            listed.push((name.to_owned(), info.kind, info.unit));
        }
    });
    listed.sort_by(|a, b| a.0.cmp(&b.0));
    let listed: Vec<_> = (listed.iter())
        .map(|(name, kind, unit)| (name.as_str(), *kind, *unit))
        .collect();
    assert_eq!(
        listed,
        [
            ("count", SeriesKind::Counter, Unit::Count),
            ("gauge", SeriesKind::Gauge, Unit::Count),
            ("level", SeriesKind::UpDownCounter, Unit::Count),
            ("meters", SeriesKind::Histogram, Unit::Meters),
            ("sample", SeriesKind::Histogram, Unit::Count),
            ("sum", SeriesKind::Counter, Unit::Count),
            ("timer", SeriesKind::Timer, Unit::Milliseconds),
        ]
    );
    let report = stats_core::report();
    let total = |path: &str| {
        let total = report.totals.iter().find(|total| total.path == path);
        total.map(|total| total.value)
    };
    assert_eq!(total("prefixes/class/count"), Some(8.0));
    assert_eq!(total("prefixes/class/sum"), Some(15.0));
    let samples = stats_core::histogram("prefixes/class/sample").snapshot();
    assert_eq!((samples.count(), samples.sum()), (6, 18.0));
    assert!(find("prefixes/über/🦀/static").is_some());
}
