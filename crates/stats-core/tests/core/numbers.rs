use std::sync::{Mutex, PoisonError};

use stats_core::{Recorder, counter, find, gauge, timer, up_down_counter};

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
