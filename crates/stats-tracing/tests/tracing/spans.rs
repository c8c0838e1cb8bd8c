//! Spans as timers, by name and by call path.

use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use stats_tracing::{MAX_DEPTH, StatsLayer};
use tracing::{Instrument, info_span};

use crate::totals::{Totals, dispatch, on_thread};

#[test]
fn a_span_is_a_timer_by_call_path_and_by_name() {
    let totals = Totals::on_thread("nested", || {
        for _ in 0..3 {
            let _outer = info_span!("nested outer").entered();
            thread::sleep(Duration::from_millis(2));
            for _ in 0..2 {
                let _inner = info_span!("nested inner").entered();
                thread::sleep(Duration::from_millis(1));
            }
        }
    });
    let [outer, inner] = [
        "tracing/nested/nested outer",
        "tracing/nested/nested outer/nested inner",
    ];
    assert_eq!([outer, inner].map(|path| totals.calls(path)), [3.0, 6.0]);
    let [whole, inside] = [outer, inner].map(|path| totals.get(path));
    assert!(inside >= 6.0 && whole >= inside + 6.0);
    let own = |path: &str| totals.get(&format!("{path}/self"));
    assert!((own(outer) - (whole - inside)).abs() < 1e-9);
    assert_eq!(own(inner), inside);
    for (name, path) in [("nested outer", outer), ("nested inner", inner)] {
        let name = format!("tracing/spans/{name}");
        for part in ["", "/calls", "/self"] {
            let [by_name, by_path] = [&name, path].map(|path| totals.get(&format!("{path}{part}")));
            assert!((by_name - by_path).abs() < 1e-9, "{name}{part}");
        }
    }
}

#[test]
fn a_span_that_is_entered_again_and_on_several_threads_counts_on_each() {
    let subscriber = dispatch(StatsLayer::new());
    let totals = Totals::of(|| {
        let span = tracing::dispatcher::with_default(&subscriber, || info_span!("shared span"));
        for (thread, times) in [("shared a", 2), ("shared b", 3)] {
            let clone = span.clone();
            on_thread(thread, &subscriber, || {
                (0..times).for_each(|_| clone.in_scope(|| {}));
                drop(clone);
            });
        }
    });
    assert_eq!(totals.calls("tracing/shared a/shared span"), 2.0);
    assert_eq!(totals.calls("tracing/shared b/shared span"), 3.0);
    assert_eq!(totals.calls("tracing/spans/shared span"), 5.0);
}

#[test]
fn a_span_that_is_created_and_never_entered_has_no_series() {
    let totals = Totals::on_thread("idle", || {
        let span = info_span!("never entered");
        let clone = span.clone();
        clone.follows_from(&span);
        std::mem::forget(span);
    });
    assert_eq!(totals.below("tracing/idle"), []);
    assert!(stats_core::find("tracing/spans/never entered").is_none());
}

#[test]
fn spans_that_are_never_closed_or_exited_count_when_they_exit_and_block_nothing() {
    let totals = Totals::on_thread("leaks", || {
        for _ in 0..1_000 {
            let span = info_span!("never closed");
            span.in_scope(|| {});
            std::mem::forget(span);
        }
        for _ in 0..2 * MAX_DEPTH {
            std::mem::forget(info_span!("never exited").entered());
        }
        // A thread that ends no frame may be inside a recursion.
        info_span!("before a frame").in_scope(|| {});
        stats_core::Recorder::new().end_frame();
        info_span!("after the leaks").in_scope(|| {});
    });
    assert_eq!(totals.calls("tracing/leaks/never closed"), 1_000.0);
    assert_eq!(totals.calls("tracing/spans/never exited"), 0.0);
    assert_eq!(totals.calls("tracing/spans/before a frame"), 0.0);
    assert_eq!(totals.calls("tracing/spans/after the leaks"), 1.0);
    assert!(totals.calls("tracing/over-limit") >= (MAX_DEPTH + 1) as f64);
}

#[test]
fn recursion_counts_no_time_of_a_name_twice() {
    fn recurse(left: usize) {
        let _span = info_span!("recursion").entered();
        thread::sleep(Duration::from_millis(1));
        if left > 0 {
            recurse(left - 1);
        }
    }
    let totals = Totals::on_thread("recursion", || recurse(4));
    let outermost = totals.get("tracing/recursion/recursion");
    let by_name = |part| totals.get(&format!("tracing/spans/recursion{part}"));
    assert_eq!(by_name(""), outermost);
    assert_eq!(by_name("/calls"), 5.0);
    assert!((by_name("/self") - outermost).abs() < 1e-9);
}

/// Is pending once, with work before and after.
struct Yields(bool);

impl Future for Yields {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        info_span!("poll work").in_scope(|| {});
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

#[test]
fn an_instrumented_future_has_one_call_for_each_poll_on_the_thread_of_the_poll() {
    let subscriber = dispatch(StatsLayer::new());
    let totals = Totals::of(|| {
        let task = tracing::dispatcher::with_default(&subscriber, || {
            Yields(false).instrument(info_span!("task"))
        });
        let mut task = pin!(task);
        for thread in ["first executor", "second executor"] {
            on_thread(thread, &subscriber, || {
                let _around = info_span!("executor").entered();
                let _ = task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            });
        }
    });
    for thread in ["first executor", "second executor"] {
        let path = format!("tracing/{thread}/executor/task");
        assert_eq!(totals.calls(&path), 1.0);
        assert_eq!(totals.calls(&format!("{path}/poll work")), 1.0);
    }
}

#[test]
fn spans_deeper_than_the_limit_are_counted_and_those_around_them_end_in_order() {
    fn nest(left: usize) {
        if left > 0 {
            let _span = info_span!("depth").entered();
            nest(left - 1);
        }
    }
    let totals = Totals::on_thread("depth", || {
        nest(MAX_DEPTH + 10);
        info_span!("after the depth").in_scope(|| {});
    });
    assert_eq!(totals.calls("tracing/spans/depth"), MAX_DEPTH as f64);
    assert!(totals.calls("tracing/over-limit") >= 10.0);
    assert_eq!(totals.calls("tracing/depth/after the depth"), 1.0);
}

#[test]
fn branching_recursions_take_no_time_from_the_spans_around_them() {
    fn nest(left: usize) {
        let _span = info_span!("deep visit").entered();
        match left {
            1 => (0..3).for_each(|_| info_span!("leaf").in_scope(|| {})),
            left if left.is_multiple_of(16) => (0..2).for_each(|_| nest(left - 1)),
            left => nest(left - 1),
        }
    }
    let totals = Totals::on_thread("branches", || {
        let mut recorder = stats_core::Recorder::new();
        info_span!("deep loop").in_scope(|| {
            for _ in 0..2 {
                info_span!("deep frame").in_scope(|| {
                    info_span!("deep update").in_scope(|| nest(MAX_DEPTH + 6));
                });
                recorder.end_frame();
            }
        });
    });
    for (name, calls) in [("loop", 1.0), ("frame", 2.0), ("update", 2.0)] {
        let path = format!("tracing/spans/deep {name}");
        assert_eq!(totals.calls(&path), calls, "{name}");
        assert!(totals.get(&path) > 0.0, "{name}");
    }
}

#[test]
fn a_span_that_exits_before_those_deeper_than_the_limit_is_not_left_open() {
    let totals = Totals::on_thread("early exit", || {
        let entered: Vec<_> = (0..MAX_DEPTH + 10)
            .map(|_| info_span!("early").entered())
            .collect();
        // Outermost first.
        entered.into_iter().for_each(drop);
        info_span!("after the exits").in_scope(|| {});
    });
    assert_eq!(totals.calls("tracing/spans/early"), MAX_DEPTH as f64);
    assert_eq!(totals.calls("tracing/early exit/after the exits"), 1.0);
}

#[test]
fn timers_of_the_core_are_inside_and_around_spans() {
    let totals = Totals::on_thread("timers", || {
        stats_core::timer("test/timers/around").time(|| {
            info_span!("between").in_scope(|| {
                stats_core::timer("test/timers/inside")
                    .time(|| thread::sleep(Duration::from_millis(2)));
            });
        });
    });
    let inside = totals.get("test/timers/inside");
    let path = "tracing/timers/between";
    let (whole, own) = (totals.get(path), totals.get(&format!("{path}/self")));
    assert!(inside >= 2.0 && (whole - own - inside).abs() < 1e-9);
    let around = "test/timers/around";
    let (whole_around, own_around) = (totals.get(around), totals.get(&format!("{around}/self")));
    assert!((whole_around - own_around - whole).abs() < 1e-9);
}

#[test]
fn subscribers_inside_each_other_do_not_mix_up_their_ids() {
    let [outer, inner] = [(); 2].map(|()| dispatch(StatsLayer::new()));
    let totals = Totals::of(|| {
        on_thread("two", &outer, || {
            let _first = info_span!("of the outer").entered();
            tracing::dispatcher::with_default(&inner, || {
                let second = info_span!("of the inner").entered();
                drop(second);
                info_span!("of the inner, too").in_scope(|| {});
            });
            info_span!("of the outer, too").in_scope(|| {});
        });
    });
    let paths: Vec<_> = totals
        .below("tracing/two/")
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| path.ends_with("/calls"))
        .collect();
    assert_eq!(
        paths,
        [
            "tracing/two/of the outer/calls",
            "tracing/two/of the outer/of the inner, too/calls",
            "tracing/two/of the outer/of the inner/calls",
            "tracing/two/of the outer/of the outer, too/calls"
        ]
    );
}
