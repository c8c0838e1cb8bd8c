//! Every function, and every error that it returns.
#![expect(unsafe_code, reason = "the functions take pointers of C programs")]

use std::collections::BTreeSet;
use std::ffi::CStr;
use std::ptr::{null, null_mut};
use std::thread;

use stats_capi::functions::*;
use stats_capi::plugin::Host;
use stats_capi::{API_VERSION, MAX_SCOPES, StatsApi, StatsSeries, StatsStatus, take_marks};
use stats_core::{MarkEvent, Problem, Recorder, SeriesKind, Unit, for_each_series, problems};
use stats_testing::alone;

type Register = unsafe extern "C" fn(*const std::ffi::c_char, *mut StatsSeries) -> StatsStatus;

fn register(register: Register, path: &CStr) -> StatsSeries {
    let mut series = 0;
    // SAFETY: both pointers are valid.
    let status = unsafe { register(path.as_ptr(), &raw mut series) };
    assert_eq!(status, StatsStatus::Ok);
    series
}

/// Returns the value of a path in a frame in which `work` runs.
fn frame(path: &str, work: impl FnOnce()) -> Option<f64> {
    let mut recorder = Recorder::new();
    let watch = recorder.watch(stats_core::find(path)?);
    work();
    recorder.end_frame();
    recorder.history(&watch, 1).last()
}

#[test]
fn every_kind_is_a_series_of_the_core() {
    let kinds: [(Register, &CStr, SeriesKind); 5] = [
        (stats_counter, c"test/kinds/counter", SeriesKind::Counter),
        (
            stats_up_down_counter,
            c"test/kinds/level",
            SeriesKind::UpDownCounter,
        ),
        (stats_gauge, c"test/kinds/gauge", SeriesKind::Gauge),
        (stats_timer, c"test/kinds/timer", SeriesKind::Timer),
        (
            stats_histogram,
            c"test/kinds/histogram",
            SeriesKind::Histogram,
        ),
    ];
    let [counter, level, gauge, timer, histogram] =
        kinds.map(|(function, path, _)| register(function, path));
    for (_, path, kind) in kinds {
        let mut found = None;
        for_each_series(|series| {
            if Some(series.path) == path.to_str().ok() {
                found = Some(series.kind);
            }
        });
        assert_eq!(found, Some(kind));
    }
    let calls: [(&str, f64, &dyn Fn() -> StatsStatus); 6] = [
        ("test/kinds/counter", 2.5, &|| stats_add(counter, 2.5)),
        ("test/kinds/level", -1.0, &|| stats_add(level, -1.0)),
        ("test/kinds/gauge", 7.0, &|| stats_set(gauge, 7.0)),
        ("test/kinds/gauge", 8.0, &|| stats_add(gauge, 1.0)),
        ("test/kinds/timer", 3.0, &|| stats_record(timer, 3.0)),
        ("test/kinds/histogram", 9.0, &|| {
            stats_record(histogram, 9.0)
        }),
    ];
    for (path, expected, call) in calls {
        let value = frame(path, || assert_eq!(call(), StatsStatus::Ok));
        assert_eq!(value, Some(expected), "{path}");
    }
}

#[test]
fn the_same_path_and_kind_is_the_same_number_on_every_thread() {
    let first = register(stats_counter, c"test/same");
    let other = thread::spawn(|| register(stats_counter, c"test/same"))
        .join()
        .expect("it ends");
    assert_eq!(first, other);
    assert_ne!(first, register(stats_counter, c"test/same, but not"));
    assert_ne!(first, 0);
}

#[test]
fn null_pointers_and_strings_that_are_not_utf_8_are_errors() {
    let mut series = 77;
    // SAFETY: the pointers are null or valid.
    unsafe {
        for function in [stats_counter as Register, stats_gauge, stats_timer] {
            assert_eq!(function(null(), &raw mut series), StatsStatus::NullPointer);
            assert_eq!(
                function(c"a".as_ptr(), null_mut()),
                StatsStatus::NullPointer
            );
            let status = function(c"\xff".as_ptr(), &raw mut series);
            assert_eq!(status, StatsStatus::InvalidUtf8);
        }
        assert_eq!(series, 77, "nothing was written");
        let own = register(stats_counter, c"test/null");
        assert_eq!(stats_set_unit(own, null()), StatsStatus::NullPointer);
        assert_eq!(
            stats_describe(own, c"\x80".as_ptr()),
            StatsStatus::InvalidUtf8
        );
        assert_eq!(stats_mark(null(), 0), StatsStatus::NullPointer);
        assert_eq!(stats_value(own, null_mut()), StatsStatus::NullPointer);
    }
}

#[test]
fn unknown_numbers_and_wrong_kinds_are_errors() {
    for unknown in [0, 1 << 19, 1_047_553, u32::MAX - 1, u32::MAX] {
        assert_eq!(stats_add(unknown, 1.0), StatsStatus::UnknownSeries);
        assert_eq!(stats_scope_begin(unknown), StatsStatus::UnknownSeries);
        let mut value = 7.0;
        // SAFETY: the pointer is valid.
        let status = unsafe { stats_value(unknown, &raw mut value) };
        assert_eq!((status, value), (StatsStatus::UnknownSeries, 7.0));
    }
    let counter = register(stats_counter, c"test/wrong/counter");
    let timer = register(stats_timer, c"test/wrong/timer");
    assert_eq!(stats_set(counter, 1.0), StatsStatus::WrongKind);
    assert_eq!(stats_record(counter, 1.0), StatsStatus::WrongKind);
    assert_eq!(stats_scope_begin(counter), StatsStatus::WrongKind);
    assert_eq!(stats_scope_end(counter), StatsStatus::WrongKind);
    assert_eq!(stats_add(timer, 1.0), StatsStatus::WrongKind);
    assert_eq!(stats_set(timer, 1.0), StatsStatus::WrongKind);
    // SAFETY: the text is valid.
    let status = unsafe { stats_set_unit(timer, c"B".as_ptr()) };
    assert_eq!(status, StatsStatus::WrongKind);
}

#[test]
fn values_that_are_not_finite_are_refused() {
    let counter = register(stats_counter, c"test/odd");
    for odd in [f64::NAN, f64::INFINITY] {
        assert_eq!(stats_add(counter, odd), StatsStatus::InvalidValue);
        assert_eq!(stats_set_budget(counter, odd), StatsStatus::InvalidValue);
    }
    assert_eq!(frame("test/odd", || {}), Some(0.0));
}

#[test]
fn integers_that_wrapped_around_are_refused_and_hide_no_later_value() {
    let exact = (1_u64 << 53) as f64;
    let wrapped = 3_u64.wrapping_sub(5) as f64;
    let series = [
        (register(stats_counter, c"test/wrapped/counter"), "counter"),
        (
            register(stats_up_down_counter, c"test/wrapped/level"),
            "level",
        ),
        (register(stats_gauge, c"test/wrapped/gauge"), "gauge"),
        (register(stats_timer, c"test/wrapped/timer"), "timer"),
        (
            register(stats_histogram, c"test/wrapped/samples"),
            "samples",
        ),
    ];
    for (series, name) in series {
        let path = format!("test/wrapped/{name}");
        let write = match name {
            "timer" | "samples" => stats_record,
            _ => stats_add,
        };
        let value = frame(&path, || {
            for n in [wrapped, -wrapped, exact, -exact, f64::MAX] {
                assert_eq!(write(series, n), StatsStatus::InvalidValue, "{name}");
            }
            assert_eq!(write(series, 100.0), StatsStatus::Ok, "{name}");
        });
        assert_eq!(value, Some(100.0), "{name}");
        let is_reported = |problem: &Problem| matches!(problem, Problem::RefusedValue { path: of, .. } if *of == path);
        assert!(problems().iter().any(is_reported), "{name}");
    }
    let gauge = register(stats_gauge, c"test/wrapped/set");
    let set = || assert_eq!(stats_set(gauge, wrapped), StatsStatus::Ok);
    assert_eq!(
        frame("test/wrapped/set", set),
        Some(wrapped),
        "it hides none"
    );
}

#[test]
fn units_budgets_and_descriptions_are_those_of_the_series() {
    let series = register(stats_counter, c"test/described");
    let custom = register(stats_gauge, c"test/described/custom");
    // SAFETY: the texts are valid.
    unsafe {
        assert_eq!(stats_set_unit(series, c"B".as_ptr()), StatsStatus::Ok);
        assert_eq!(
            stats_set_unit(custom, c"furlongs".as_ptr()),
            StatsStatus::Ok
        );
        assert_eq!(
            stats_describe(series, c"what was sent".as_ptr()),
            StatsStatus::Ok
        );
    }
    assert_eq!(stats_set_budget(series, 5.0), StatsStatus::Ok);
    for_each_series(|info| match info.path {
        "test/described" => {
            assert_eq!((info.unit, info.budget), (Unit::Bytes, Some(5.0)));
            assert_eq!(info.description, Some("what was sent"));
        }
        "test/described/custom" => assert_eq!(info.unit, Unit::Custom("furlongs")),
        _ => {}
    });
}

#[test]
fn scopes_end_in_any_order_and_only_on_their_thread() {
    let [a, b] = [c"test/scopes/a", c"test/scopes/b"].map(|path| register(stats_timer, path));
    let mut recorder = Recorder::new();
    for _ in 0..2 {
        recorder.survey();
        recorder.end_frame();
    }
    assert_eq!(
        [a, b, a].map(|timer| stats_scope_begin(timer)),
        [StatsStatus::Ok; 3]
    );
    let elsewhere = thread::spawn(move || stats_scope_end(a)).join();
    assert_eq!(elsewhere.ok(), Some(StatsStatus::NoScope));
    assert_eq!(
        [a, a, b].map(|timer| stats_scope_end(timer)),
        [StatsStatus::Ok; 3]
    );
    assert_eq!(stats_scope_end(a), StatsStatus::NoScope);
    let begun = (0..MAX_SCOPES + 1)
        .map(|_| stats_scope_begin(a))
        .collect::<Vec<_>>();
    assert_eq!(
        begun[MAX_SCOPES - 1..],
        [StatsStatus::Ok, StatsStatus::LimitReached]
    );
    (0..MAX_SCOPES).for_each(|_| assert_eq!(stats_scope_end(a), StatsStatus::Ok));
    recorder.end_frame();
    let mut calls = [None; 2];
    for_each_series(|series| match series.path {
        "test/scopes/a" => calls[0] = series.calls,
        "test/scopes/b" => calls[1] = series.calls,
        _ => {}
    });
    let mut counted = [0.0; 2];
    let survey = recorder.survey().unwrap_or_default();
    for (calls, counted) in calls.iter().zip(&mut counted) {
        *counted = calls.and_then(|id| survey.value(id)).unwrap_or_default();
    }
    assert_eq!(counted, [2.0 + MAX_SCOPES as f64, 1.0]);
}

/// One test, because the process has one list of marks and one recorder.
#[test]
fn marks_and_frames_are_those_of_the_recorder() {
    let _alone = alone();
    let counter = register(stats_counter, c"test/frames");
    let mut value = 0.0;
    let mut read = || {
        // SAFETY: the pointer is valid.
        let status = unsafe { stats_value(counter, &raw mut value) };
        (status, value)
    };
    assert_eq!(read(), (StatsStatus::NoValue, 0.0));
    for n in [3.0, 0.0, 5.0] {
        assert_eq!(stats_add(counter, n), StatsStatus::Ok);
        assert_eq!(stats_end_frame(), StatsStatus::Ok);
        assert_eq!(read(), (StatsStatus::Ok, n));
    }
    // SAFETY: the texts are valid.
    let mark = |event| unsafe { stats_mark(c"level 1".as_ptr(), event) };
    assert_eq!([1, 0, 2].map(mark), [StatsStatus::Ok; 3]);
    assert_eq!(mark(3), StatsStatus::InvalidValue);
    let mut taken = Vec::new();
    take_marks(|name, event| taken.push((name.to_owned(), event)));
    let expected = [MarkEvent::Begin, MarkEvent::Point, MarkEvent::End];
    assert_eq!(taken, expected.map(|event| ("level 1".to_owned(), event)));
    (0..1024).for_each(|_| assert_eq!(mark(0), StatsStatus::Ok));
    assert_eq!(mark(0), StatsStatus::LimitReached);
    assert_eq!(stats_end_frame(), StatsStatus::Ok);
    take_marks(|name, _| panic!("{name} was taken by the end of the frame"));
}

#[test]
fn each_status_has_a_text() {
    let text = |status: u32| {
        // SAFETY: the text ends with a NUL and is never freed.
        let text = unsafe { CStr::from_ptr(stats_status_text(status)) };
        text.to_str().expect("it is UTF-8")
    };
    let known: BTreeSet<&str> = (0..=StatsStatus::NoValue as u32).map(text).collect();
    assert_eq!(known.len(), 9, "{known:?}");
    for unknown in [9, u32::MAX] {
        assert!(!known.contains(text(unknown)));
    }
    let limit = text(StatsStatus::LimitReached as u32);
    assert!(limit.contains("register fewer paths"), "{limit}");
}

#[test]
fn a_table_that_is_null_or_of_another_version_or_too_small_is_refused() {
    /// The beginning of every table.
    #[repr(C, align(8))]
    struct Begin {
        version: u32,
        size: u32,
    }

    let size = size_of::<StatsApi>() as u32;
    for (version, size) in [(0, size), (API_VERSION + 1, size), (API_VERSION, size - 1)] {
        let begin = Begin { version, size };
        let table = (&raw const begin).cast();
        // SAFETY: such a table is not read beyond these two fields.
        assert!(unsafe { Host::new(table) }.is_none(), "{version} {size}");
    }
    // SAFETY: it is null, or the table of this library.
    unsafe {
        assert!(Host::new(null()).is_none());
        assert!(Host::new(stats_api()).is_some());
    }
}
