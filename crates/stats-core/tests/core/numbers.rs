use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use std::time::Duration;

use stats_core::{
    CounterHandle, GaugeHandle, Number, Problem, Recorder, ScopeTime, TimerHandle,
    UpDownCounterHandle, Watch, counter, find, gauge, histogram, problems, timer, up_down_counter,
};

use crate::values;

/// Held by tests that compare numbers of refused samples.
static REFUSING: Mutex<()> = Mutex::new(());

/// Returns the number of samples refused during `work`.
pub(crate) fn refused(work: impl FnOnce()) -> f64 {
    let _one_at_a_time = REFUSING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut recorder = Recorder::new();
    let watch = find("stats/refused-samples").map(|id| recorder.watch(id));
    work();
    recorder.end_frame();
    watch
        .and_then(|watch| recorder.history(&watch, 1).last())
        .unwrap_or(f64::NAN)
}

#[test]
fn every_primitive_number_is_added_without_a_cast() {
    let series = counter("test/numbers/all");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    series.add(-1_i8);
    series.add(2_i16);
    series.add(3_i32);
    series.add(4_i64);
    series.add(5_i128);
    series.add(6_isize);
    series.add(7_u8);
    series.add(8_u16);
    series.add(9_u32);
    series.add(10_u64);
    series.add(11_u128);
    series.add(12_usize);
    series.add(0.25_f32);
    series.add(0.5_f64);
    series.add(1);
    series.add(1.0);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [78.75]);
}

#[test]
fn a_value_that_is_not_finite_is_refused_and_counted() {
    let (series, level, gauge, timer) = (
        counter("test/numbers/refused"),
        up_down_counter("test/numbers/refused-level"),
        gauge("test/numbers/refused-gauge"),
        timer("test/numbers/refused-timer"),
    );
    let mut recorder = Recorder::new();
    let watches = [
        series.id(),
        level.id(),
        gauge.id(),
        timer.id(),
        timer.calls_id(),
    ]
    .map(|id| recorder.watch(id));
    series.add(1);
    level.add(2);
    gauge.set(3);
    timer.record_ms(4);
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let count = refused(|| {
        for value in bad {
            series.add(value);
            series.add(value as f32);
            level.add(value);
            level.sub(value);
            gauge.set(value);
            timer.record_ms(value);
            let mut local = series.local();
            local += value;
        }
    });
    assert_eq!(count, 21.0);
    series.add(10);
    recorder.end_frame();
    let last = watches.map(|watch| recorder.history(&watch, 1).last().unwrap());
    assert_eq!(last, [11.0, 2.0, 3.0, 4.0, 1.0]);
}

#[test]
fn a_refusal_is_also_counted_on_the_very_first_use() {
    assert_eq!(
        refused(
            || std::thread::spawn(|| counter("test/numbers/first").add(f64::NAN))
                .join()
                .unwrap()
        ),
        1.0
    );
    assert_eq!(
        refused(|| gauge("test/numbers/first-gauge").set(f64::NAN)),
        1.0
    );
}

#[test]
fn a_total_never_leaves_the_finite_numbers() {
    let series = counter("test/numbers/huge");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    assert_eq!(refused(|| (0..3).for_each(|_| series.add(f64::MAX))), 2.0);
    // Another thread has its own cell. Each is finite; their sum would not be.
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            series.add(f64::MAX);
            recorder.end_frame();
            series.add(-f64::MAX);
            series.add(-f64::MAX);
        });
        other.join().unwrap();
    });
    recorder.end_frame();
    series.add(u128::MAX);
    recorder.end_frame();
    assert!(
        values(&recorder, &watch)
            .iter()
            .all(|value| value.is_finite()),
        "{:?}",
        values(&recorder, &watch)
    );
    assert_eq!(values(&recorder, &watch)[0], f64::MAX);
}

#[test]
fn integers_are_exact_below_two_to_the_53rd() {
    let series = counter("test/numbers/exact");
    let mut recorder = Recorder::new();
    let watch = recorder.watch(series.id());
    series.add((1_u64 << 53) - 2);
    recorder.end_frame();
    series.add(1);
    recorder.end_frame();
    assert_eq!(values(&recorder, &watch), [((1_u64 << 53) - 2) as f64, 1.0]);
}

/// The number of methods that [`Ways`] adds by.
const WAYS: usize = 7;

/// A series for each method that adds to a total.
struct Ways {
    counter: CounterHandle,
    local: CounterHandle,
    timer: TimerHandle,
    up: UpDownCounterHandle,
    down: UpDownCounterHandle,
    local_level: UpDownCounterHandle,
    gauge: GaugeHandle,
}

impl Ways {
    fn new(name: &str) -> Self {
        let path = |way: &str| format!("test/numbers/ways/{name}/{way}");
        Self {
            counter: counter(&path("counter")),
            local: counter(&path("local")),
            timer: timer(&path("timer")),
            up: up_down_counter(&path("up")),
            down: up_down_counter(&path("down")),
            local_level: up_down_counter(&path("local-level")),
            gauge: gauge(&path("gauge")),
        }
    }

    fn add(&self, n: impl Number) {
        self.counter.add(n);
        let mut local = self.local.local();
        local += n;
        self.timer.record_ms(n);
        self.up.add(n);
        self.down.sub(n);
        let mut level = self.local_level.local();
        level -= n;
        self.gauge.add(n);
    }

    /// Watches all series. The last three count down or up, and persist.
    fn watch(&self, recorder: &mut Recorder) -> [Watch; WAYS] {
        [
            self.counter.id(),
            self.local.id(),
            self.timer.id(),
            self.up.id(),
            self.down.id(),
            self.local_level.id(),
            self.gauge.id(),
        ]
        .map(|id| recorder.watch(id))
    }

    /// Returns the values of a frame in which `n` was added, if the total is 0 before and after.
    fn expected(n: f64) -> [f64; WAYS] {
        [n, n, n, n, -n, -n, n]
    }

    /// Adds `n`, and then 100 in another frame. Checks whether `n` is refused.
    fn check(&self, n: impl Number + Debug, is_refused: bool) {
        let mut recorder = Recorder::new();
        let watches = self.watch(&mut recorder);
        let count = refused(|| self.add(n));
        assert_eq!(count, if is_refused { WAYS as f64 } else { 0.0 }, "{n:?}");
        recorder.end_frame();
        let added = if is_refused { 0.0 } else { n.to_f64() };
        self.add(-added);
        recorder.end_frame();
        self.add(100);
        recorder.end_frame();
        self.add(-100);
        let frame = |at: usize| watches.each_ref().map(|watch| values(&recorder, watch)[at]);
        assert_eq!(frame(0), Self::expected(added), "{n:?}");
        assert_eq!(frame(2), Self::expected(100.0), "after {n:?}");
    }
}

const EXACT: u64 = 1 << 53;

#[test]
fn an_integer_that_wrapped_around_is_refused_and_hides_no_later_value() {
    let ways = Ways::new("wide");
    let [less, more] = [3_u64, 5];
    ways.check(less.wrapping_sub(more), true);
    let (exact, signed, wide) = (EXACT, EXACT as i64, i128::from(EXACT));
    for n in [exact - 1, exact, exact + 1, u64::MAX] {
        ways.check(n, n >= exact);
        ways.check(u128::from(n), n >= exact);
        ways.check(n as usize, n >= exact);
    }
    for n in [
        i64::MIN,
        -signed - 1,
        -signed,
        1 - signed,
        -1,
        signed - 1,
        signed,
        i64::MAX,
    ] {
        let is_refused = n.unsigned_abs() >= exact;
        ways.check(n, is_refused);
        ways.check(i128::from(n), is_refused);
        ways.check(n as isize, is_refused);
    }
    for n in [1 << 64, 1 << 100, u128::MAX] {
        ways.check(n, true);
    }
    for n in [i128::MIN, -1 << 64, wide << 11, 1 << 64, i128::MAX] {
        ways.check(n, true);
    }
}

#[test]
fn narrow_integers_and_floats_are_never_taken_for_wrapped_ones() {
    let ways = Ways::new("narrow");
    ways.check(u32::MAX, false);
    ways.check(i32::MIN, false);
    for n in [EXACT as f64, -(EXACT as f64), 1.8e19, -1e100] {
        ways.check(n, false);
        ways.check(n.clamp(-1e30, 1e30) as f32, false);
    }
}

#[test]
fn a_sample_that_wrapped_around_is_refused() {
    let samples = histogram("test/numbers/samples");
    let mut recorder = Recorder::new();
    let watches = [samples.id(), samples.samples_id()].map(|id| recorder.watch(id));
    samples.record(100);
    let count = refused(|| {
        samples.record(3_u64.wrapping_sub(5));
        samples.record(EXACT);
        samples.record(i64::MIN);
        samples.record(u128::MAX);
    });
    assert_eq!(count, 4.0);
    recorder.end_frame();
    samples.record(EXACT - 200);
    recorder.end_frame();
    let frames = watches.map(|watch| values(&recorder, &watch));
    assert_eq!(frames, [[100.0, (EXACT - 200) as f64], [1.0, 1.0]]);
    assert_eq!(samples.snapshot().max(), Some((EXACT - 200) as f64));
}

#[test]
fn a_duration_that_wrapped_around_is_refused_and_hides_no_later_one() {
    let timer = timer("test/numbers/duration");
    let mut recorder = Recorder::new();
    let watches = [timer.id(), timer.calls_id(), timer.self_id()].map(|id| recorder.watch(id));
    let longest = Duration::from_nanos(EXACT - 1);
    let wrapped = [
        longest + Duration::from_nanos(1),
        Duration::from_nanos(3_u64.wrapping_sub(5)),
        Duration::from_micros(3_u64.wrapping_sub(5)),
        Duration::MAX,
    ];
    assert_eq!(
        refused(|| wrapped.iter().for_each(|duration| timer.record(*duration))),
        4.0
    );
    timer.record(longest);
    recorder.end_frame();
    timer.record(Duration::from_millis(100));
    recorder.end_frame();
    let frames = watches.map(|watch| values(&recorder, &watch));
    assert_eq!(frames[1], [1.0, 1.0], "calls");
    assert_eq!(frames[0][0], longest.as_secs_f64() * 1e3);
    assert!((frames[0][1] - 100.0).abs() < 1e-6, "{frames:?}");
    assert_eq!(frames[2], frames[0], "self time");
}

#[test]
fn a_scope_of_another_timer_adds_all_of_its_times_or_none() {
    let timer = timer("test/numbers/scope-time");
    let mut recorder = Recorder::new();
    let watches = [timer.id(), timer.calls_id(), timer.self_id()].map(|id| recorder.watch(id));
    let time = |ms, self_ms| ScopeTime { ms, self_ms };
    let count = refused(|| {
        for bad in [f64::NAN, f64::INFINITY] {
            timer.record_scope(time(bad, 1.0));
            timer.record_scope(time(1.0, bad));
        }
        timer.record_scope(time(f64::MAX, 1.0));
        timer.record_scope(time(f64::MAX, 1.0));
        timer.record_scope(time(-f64::MAX, f64::MAX));
        timer.record_scope(time(1.0, f64::MAX));
    });
    assert_eq!(count, 6.0);
    recorder.end_frame();
    assert_eq!(
        watches.map(|watch| values(&recorder, &watch)[0]),
        [0.0, 2.0, f64::MAX]
    );
}

/// Returns the problems of a path whose total is not exact: whether the line is known.
fn inexact(path: &str) -> Vec<Option<u32>> {
    let line = |problem: &Problem| match problem {
        Problem::InexactTotal { path: of, location } if of == path => {
            Some(location.map(|location| location.line()))
        }
        _ => None,
    };
    problems().iter().filter_map(line).collect()
}

#[test]
fn a_total_that_leaves_the_exact_range_is_reported_once_with_its_line() {
    let path = "test/numbers/inexact/counter";
    let series = counter(path);
    series.add(EXACT - 2);
    series.add(1.0);
    assert_eq!(inexact(path), []);
    let line = line!() + 1;
    series.add(1.0);
    assert_eq!(inexact(path), [Some(line)], "before the first add is lost");
    series.add(1e300);
    series.add(-1e300);
    series.add(1e300);
    let mut recorder = Recorder::new();
    let _watch = recorder.watch(series.id());
    recorder.end_frame();
    assert_eq!(inexact(path), [Some(line)]);

    let path = "test/numbers/inexact/negative";
    let level = up_down_counter(path);
    let mut local = level.local();
    local -= EXACT - 1;
    assert_eq!(inexact(path), []);
    local -= 1.0;
    let line = line!() - 1;
    local -= 1.0;
    assert_eq!(inexact(path), [Some(line)]);

    let path = "test/numbers/inexact/timer";
    timer(path).record_ms(EXACT - 1);
    assert_eq!(inexact(path), []);
    let line = line!() + 1;
    timer(path).record_ms(1);
    assert_eq!(inexact(path), [Some(line)]);

    let path = "test/numbers/inexact/gauge";
    gauge(path).set(EXACT);
    gauge(path).add(1.0);
    assert_eq!(inexact(path), [], "a value that is set is no total");
    gauge(path).set(EXACT - 1);
    let line = line!() + 1;
    gauge(path).add(1.0);
    assert_eq!(inexact(path), [Some(line)]);
}
